"""A table under a referee's eyes, for tests: a scene, what truly happened, and what was said."""

from __future__ import annotations

from engine.actions import parse_action
from engine.match import Match
from engine.position import Position
from engine.referee import Referee
from engine.verdict import Happened, Infringement, Unsure, Verdict
from tests.engine.views import Scene, read_faces


class Table:
    """A referee who watches a scene.

    position: what truly lies there. misread: per key how its faces are read instead of as they are.
    """

    def __init__(self, start: Match | Position, *, areas: bool = True) -> None:
        self.referee = Referee.start(start)
        shown = self.referee.ended or self.referee.position
        self.scene = Scene.of(shown, areas=areas)
        self.position = self.referee.position
        self.misread: dict[int, dict[int, float]] = {}
        self.said: list[Verdict] = []

    def look(self, times: int = 2, still_s: float = 0.5) -> list[Verdict]:
        """Views of one rest; what was said about them."""
        said: list[Verdict] = []
        for _ in range(times):
            view = self.scene.view(still_s, after_s=0.5)
            for key, faces in self.misread.items():
                view = read_faces(view, key, faces)
            still_s += 0.5
            self.referee, verdicts = self.referee.see(view)
            said += verdicts
        self.said += said
        return said

    def act(self, *actions: str) -> None:
        """Do legal actions at the table, unseen."""
        for text in actions:
            action = parse_action(text)
            self.scene.act(self.position, action)
            self.position = self.position.apply(action)

    def rolled(self, face: int) -> int:
        """The key of the die of that face that was put down last."""
        return next(die.key for die in reversed(self.scene.dice) if die.face == face)

    def final(self) -> list[str]:
        """The actions that are final."""
        return [
            str(e.action)
            for v in self.said
            if isinstance(v, Happened) and v.final
            for e in v.actions
        ]

    def infringements(self) -> list[Infringement]:
        return [verdict for verdict in self.said if isinstance(verdict, Infringement)]

    def questions(self) -> list[Unsure]:
        return [verdict for verdict in self.said if isinstance(verdict, Unsure)]
