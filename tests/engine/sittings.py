"""Short ways to a kept game for a test: a match that is played before an unerring camera."""

from __future__ import annotations

import random
from pathlib import Path

from engine.game_desk import Desk
from engine.game_keeper import GameKeeper
from engine.game_log import GameLog, replayed
from engine.game_turns import cut_into_turns
from engine.journal import Journal
from engine.match import Match
from engine.match_log import Entry
from engine.table import TableView
from tests.engine.exact_referee import ExactReferee, view_of
from tests.engine.journals import JPEG, STARTED, opened
from tests.engine.matches import random_action


class ByExactReferee:
    """The explainer of the stand-in."""

    def agrees(self, match: Match, view: TableView) -> bool:
        after, _ = ExactReferee.start(match).see(view)
        return after.standing is None and after.match.length == match.length

    def explain(self, match: Match, view: TableView) -> tuple[Entry, ...]:
        after, _ = ExactReferee.start(match).see(view)
        entries = after.match.log[match.length :]
        return cut_into_turns(match, entries)[0] if entries else ()


class Sitting:
    """A game at a table: `play` moves real dice, `look` shows them to the camera."""

    def __init__(self, path: Path, seed: int = 0) -> None:
        self.path = path
        self.rng = random.Random(seed)
        self.real = Match.start(colours=STARTED.colours, threshold=STARTED.threshold)
        self.time_s = 0.0
        self.keys = 0
        self.keeper = GameKeeper.begin(opened(path), STARTED, referee=ExactReferee.start)
        self.desk = Desk(self.keeper, ByExactReferee())

    @property
    def log(self) -> GameLog:
        return self.keeper.log

    @property
    def match(self) -> Match:
        return self.keeper.log.game.match

    @property
    def as_real(self) -> bool:
        """Whether the journal says what happened; which of two edges was rolled may be unseen."""
        ours, real = self.match, self.real
        same = (ours.position, ours.totals, ours.length) == (
            real.position,
            real.totals,
            real.length,
        )
        return same and all(a.end == b.end for a, b in zip(ours.rounds, real.rounds, strict=True))

    def play(self, turns: int = 1) -> None:
        """The players do a whole turn each, unseen; a Big Roll of all players counts as one."""
        for _ in range(turns):
            while not self.real.is_over:
                phase = self.real.position.phase
                if phase == "bonus-choice":  # the camera assumes the best one
                    action = self.real.position.legal_actions()[0]
                else:
                    action = random_action(self.real.position, self.rng)
                self.real = self.real.apply(action)
                now = self.real.position.phase
                if now in ("boundary-choice", "grind-roll") or self.real.is_between_rounds:
                    break
                if now == "tie-break" != phase:
                    break

    def view(self) -> TableView:
        self.time_s += 1.0
        self.keys += 1000
        here = self.real.position
        if self.real.is_between_rounds and self.real.rounds:
            here = self.real.rounds[-1].end
        return view_of(here, self.time_s, self.keys)

    def look(self) -> None:
        self.keeper.see(self.view(), lambda: JPEG)

    def play_seen(self, turns: int = 1) -> None:
        for _ in range(turns):
            self.play()
            self.look()

    def crash_and_resume(self) -> None:
        """The program dies without a word and is started again."""
        self.keeper.journal.close()  # the operating system does that for a killed program
        self.keeper = GameKeeper.resume(opened(self.path), referee=ExactReferee.start)
        self.desk = Desk(self.keeper, ByExactReferee())

    def close(self) -> None:
        self.keeper.journal.close()

    def replay(self) -> GameLog:
        with Journal.look(self.path) as journal:
            return replayed(journal.events())
