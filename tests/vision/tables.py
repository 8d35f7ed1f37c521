"""A session before a simulated table, with the real referee."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from engine.actions import Action
from engine.bots import best_bonus, random_bot
from engine.game_steps import Started
from engine.match import Match
from engine.mock_camera import MockCamera, Noise
from engine.mock_layout import MockLayout
from engine.mock_table import MockTable, in_the_box, laid
from engine.mock_turns import Manners, Moment, play_turn, round_of, set_up, turn_of
from engine.mock_watch import Shot, Watcher
from engine.options import Options
from engine.position import Position
from tests.engine.journals import ticking
from vision.session import Session

NAMES = ("Anna", "Ben", "Cleo")


def noise(evaluation: dict[str, object], face_error: float = 0.0) -> Noise:
    """A camera that errs as the shipped detector does, or not at all."""
    made = Noise.fitted(evaluation, face_error)
    return replace(made, hand=0.0, late=0.0) if face_error == 0 else made


def claims_best(position: Position, rng: random.Random) -> Action:
    """A random player who claims the best bonus, as the referee is bound to assume."""
    return best_bonus(position) if position.phase == "bonus-choice" else random_bot(position, rng)


class SimulatedTable:
    """Real dice on a simulated table, and a session that watches them."""

    def __init__(
        self,
        path: Path,
        how: Noise,
        *,
        seed: int = 0,
        players: int = 2,
        turns: int | None = None,
    ) -> None:
        """turns: so many of a round were played before the camera came; None: it sees the first."""
        self.path = path
        self.rng = random.Random(seed)
        self.players = players
        self.noise = how
        self.truth = Match.start(players)
        while turns is not None and turns >= 0:
            after, actions = play_turn(self.truth.position, [claims_best] * players, self.rng)
            for action in actions:
                self.truth = self.truth.apply(action)
            turns -= after.phase == "boundary-choice"
        self.position = self.truth.position
        started = Started(self.truth.colours, NAMES[:players], Options(), self.truth.threshold)
        self.session = Session.begin(path, started, self.truth.log, clock=ticking())
        self.watcher = Watcher(MockCamera(how, players, players == 2, self.rng), self.rng)
        layout = MockLayout(areas=True)
        if turns is None:
            self.table = in_the_box(self.position, layout)
        else:
            self.table = laid(self.position, layout, self.rng)
        self.moment = Moment(self.table, "at rest", -1, 2.0, self.position)

    def close(self) -> None:
        self.session.close()

    def see(self, shots: Iterable[Shot]) -> None:
        for shot in shots:
            self.session.see_view(shot.view)

    def follow(self, moments: Iterable[Moment]) -> None:
        """Show moments to the session, and keep the truth."""

        def noted() -> Iterator[Moment]:
            for moment in moments:
                for action in moment.actions:
                    self.truth = self.truth.apply(action)
                self.moment, self.table, self.position = moment, moment.table, moment.position
                yield moment

        self.see(self.watcher.shots(noted()))

    def rest(self, views: int = 4, table: MockTable | None = None) -> None:
        """The table lies as it does, or as another one."""
        moment = self.moment if table is None else replace(self.moment, table=table)
        self.see(self.watcher.rest(moment, views))

    def play_round(self, turns: int | None = None) -> None:
        """Dice are picked up and a round is played, or its first turns."""
        self.position = Position.start(self.players)
        first = set_up(self.table, self.position, self.rng)
        self.follow(first)
        manners = Manners.any(self.players, self.rng)
        bots = [claims_best] * self.players
        moments = round_of(self.table, self.position, bots, manners, self.rng)
        self.follow(moments if turns is None else _first(moments, turns))
        self.rest()

    def play(self, turns: int = 1, table: MockTable | None = None) -> None:
        """Turns within a round."""
        for _ in range(turns):
            after, actions = play_turn(self.position, [claims_best] * self.players, self.rng)
            manners = Manners((1.0,) * self.players)
            table = self.table if table is None else table
            self.follow(turn_of(table, self.position, actions, manners, self.rng))
            assert self.position == after
            table = None
        self.rest(3)

    def crash_and_resume(self) -> None:
        """The program is started again, perhaps a day later: dice get new numbers."""
        self.session.close()
        self.session = Session.resume(self.path, clock=ticking())
        self.watcher = Watcher(
            MockCamera(self.noise, self.players, self.players == 2, self.rng), self.rng
        )

    def laid_again(self) -> None:
        """Everything is put away and laid out again as it was."""
        self.table = laid(self.position, MockLayout(areas=True), self.rng)
        self.moment = replace(self.moment, table=self.table)

    @property
    def as_true(self) -> bool:
        """Whether what is final, and what is provisional on top of it, is what happened.

        A last step may stay provisional until another follows. Which of two edges was rolled may be
        unseen.
        """
        ours = self.session.log.game.match
        provisional = self.session.state().provisional
        here = provisional.position if provisional else ours.position
        return here in (self.truth.position, *(each.end for each in self.truth.rounds[-1:]))


def _first(moments: Iterable[Moment], turns: int) -> Iterator[Moment]:
    """The opening and the first turns of a round."""
    for moment in moments:
        yield moment
        turns -= moment.ends
        if turns < 0:
            return
