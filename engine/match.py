"""The Match: rounds up to a threshold (2:1, 2:2, R9), as the replay of a log of actions.

A match never changes; every step gives a new one, and all it holds follows from the players, the
options, the threshold and the log. There is no clock and no chance in it: same log, same match.

    match = Match.start(2)
    while not match.is_over:
        match = match.apply(choose(match.position))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from engine import names
from engine.actions import Action, action_from_json, action_to_json
from engine.errors import (
    ActionError,
    IllegalAction,
    MatchError,
    OptionsError,
    PastOthers,
    PositionError,
    Reason,
    shown,
)
from engine.match_log import Entry, Log, Ruling
from engine.options import Options
from engine.parts import EndReason, Phase
from engine.position import Position
from engine.scoring import RoundScore

STANDARD_THRESHOLD = 500
"""Rule 2:2."""

MAX_THRESHOLD = 1_000_000

MatchPhase: TypeAlias = Phase | Literal["match-over"]


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over, with its score sheet.

    Attributes:
        number: 1 for the first round.
        log: its entries.
        end: its last position; the last that was known, where nobody saw how it ended.
        totals: each player's total of this and all earlier rounds, in seat order.
    """

    number: int
    log: tuple[Entry, ...]
    end: Position
    totals: tuple[int, ...]

    @property
    def scores(self) -> tuple[RoundScore, ...]:
        """The three components of 7:2 for each player, in seat order."""
        return self.end.scores()

    @property
    def end_reason(self) -> EndReason:
        """Why the round ended (7:1.A, R4); "" where nobody saw it."""
        return self.end.end_reason

    def to_json(self) -> dict[str, Any]:
        """The score sheet as plain JSON types, players by colour."""
        colours = self.end.colours
        return {
            "round": self.number,
            "end": self.end_reason,
            "scores": {
                colour: score.to_json() for colour, score in zip(colours, self.scores, strict=True)
            },
            "totals": dict(zip(colours, self.totals, strict=True)),
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in the match; tied players share a place (1, 1, 3)."""

    place: int
    colour: str
    total: int


@dataclass(frozen=True, slots=True)
class Match:
    """A match; make one with `start` or `from_json`. Equal matches had the same log.

    Attributes:
        colours: one a player, in seat order.
        options: the rulings that are played by.
        threshold: points at which a round's end ends the match (2:2).
        rounds: the finished rounds with their score sheets.
        position: where the next action applies. As soon as a round is over it is the start of the
            next one (the ended one is in `rounds`), unless the match is over: then it stays.
        rulings: where the players agreed to go on from a position that no action leads to.
        undone: what `redo` would bring back, the next first; it does not count in comparisons.
    """

    colours: tuple[str, ...]
    options: Options
    threshold: int
    rounds: tuple[FinishedRound, ...]
    _current: Log
    position: Position
    rulings: tuple[Ruling, ...] = ()
    undone: tuple[Entry, ...] = field(default=(), compare=False)

    @classmethod
    def start(
        cls,
        players: int | None = None,
        *,
        colours: tuple[str, ...] | None = None,
        options: Options | None = None,
        threshold: int = STANDARD_THRESHOLD,
    ) -> Match:
        """A match before its first Big Roll; players and colours as in Position.start.

        Raises:
            PositionError: not two or three players, or colours that cannot be told apart.
            OptionsError: `options` are none.
            MatchError: the threshold is no whole number from 1 to a million.
        """
        is_number = isinstance(threshold, int) and not isinstance(threshold, bool)
        if not (is_number and 1 <= threshold <= MAX_THRESHOLD):
            raise MatchError(
                f"The threshold is a whole number from 1 to {MAX_THRESHOLD}, not {shown(threshold)}."
            )
        position = Position.start(players, colours=colours, options=options)
        return cls(position.colours, position.options, threshold, (), Log(), position)

    # --- reading --------------------------------------------------------------------------

    @property
    def current(self) -> tuple[Entry, ...]:
        """The log of the round being played; () between rounds."""
        return self._current.entries()

    @property
    def is_between_rounds(self) -> bool:
        """Whether no round is being played: before the first Big Roll of one, or at the end."""
        return not self._current

    @property
    def length(self) -> int:
        """How many entries the whole log has."""
        return sum(len(each.log) for each in self.rounds) + len(self._current)

    @property
    def log(self) -> tuple[Entry, ...]:
        """Every entry of the match, oldest first."""
        return tuple(entry for each in self.rounds for entry in each.log) + self.current

    @property
    def is_over(self) -> bool:
        """Whether somebody has won (2:2, R9)."""
        return self.position.is_over

    @property
    def phase(self) -> MatchPhase:
        """The position's phase, or "match-over"."""
        return "match-over" if self.position.is_over else self.position.phase

    @property
    def totals(self) -> tuple[int, ...]:
        """Each player's total of the finished rounds, in seat order (2:2)."""
        return self.rounds[-1].totals if self.rounds else (0,) * len(self.colours)

    @property
    def running_totals(self) -> tuple[int, ...]:
        """As `totals`, with the score of the round being played as it stands."""
        if self.is_over:
            return self.totals
        scores = self.position.scores()
        return tuple(total + s.total for total, s in zip(self.totals, scores, strict=True))

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won: one colour, several if a tie is shared (R9), or () while it goes on."""
        if not self.is_over:
            return ()
        return tuple(self.colours[seat] for seat in self._leaders(self.totals))

    def standings(self) -> tuple[Standing, ...]:
        """The players by total of the finished rounds, best first, ties in seat order."""
        totals = self.totals
        ranked = sorted(range(len(totals)), key=lambda seat: -totals[seat])
        return tuple(
            Standing(1 + sum(t > totals[seat] for t in totals), self.colours[seat], totals[seat])
            for seat in ranked
        )

    # --- playing --------------------------------------------------------------------------

    def apply(self, action: Action, by: int | str | None = None) -> Match:
        """The match after the action; what could be redone is gone then.

        Raises:
            IllegalAction: with all reasons, each with its rule number.
        """
        if self.is_over:
            raise IllegalAction(names.text(action), (match_over(self),))
        position = self.position
        after = position.apply(action, by)
        log = self._current.with_entry(Entry(action, position.colours[position.turn]))
        return self._reached(log, after)

    def ruled(self, position: Position, sentence: str) -> Match:
        """The match that goes on from a position on which the players agreed, come what may.

        Big Rolls, bonuses and turn order stay those of the round being played. The position before a
        Big Roll begins a new round: nobody saw how the one being played ended, its points are what
        they were, and the match goes on.

        Raises:
            MatchError: the match is over, the turn order is not settled, the position has other
                players or options, Big Rolls under way or dice in the air, or the sentence has a #
                or a second line.
            PositionError: it does not fit the Big Rolls.
        """
        if self.is_over:
            raise MatchError(f"{match_over(self)}.")
        if (position.colours, position.options) != (self.colours, self.options):
            raise MatchError("The position of a table ruling has the match's players and options.")
        if position.phase in ("boundary-roll", "re-entry"):
            raise MatchError("A table ruling leaves no dice in the air.")
        if not sentence.isprintable() or "#" in sentence:
            raise MatchError("A table ruling is explained on one line without a #.")
        anew = position == Position.start(colours=self.colours, options=self.options)
        if not (self.position.order and (anew or position.order)):
            raise MatchError(
                "The table can be accepted as it lies once the turn order is settled; "
                "before that, correct what was read."
            )
        if not anew:
            position = Position.from_parts(position.parts._replace(opening=self.position.opening))
        ruling = Ruling(self.length, position, sentence)
        after = self._left(position) if anew else self._reached(self._current, position)
        return replace(after, rulings=(*self.rulings, ruling))

    def _left(self, start: Position) -> Match:
        """The match before the next round, the one being played left with the points that it has."""
        finished = self._finished(self._current, self.position)
        return replace(
            self, rounds=(*self.rounds, finished), _current=Log(), position=start, undone=()
        )

    def _finished(self, log: Log, end: Position) -> FinishedRound:
        totals = tuple(
            total + score.total for total, score in zip(self.totals, end.scores(), strict=True)
        )
        return FinishedRound(len(self.rounds) + 1, log.entries(), end, totals)

    def _reached(self, log: Log, after: Position) -> Match:
        """The match with that log of the current round, which leads to that position."""
        if not after.is_over:
            return replace(self, _current=log, position=after, undone=())
        finished = self._finished(log, after)
        if not self._leaders(finished.totals):
            after = Position.start(colours=self.colours, options=self.options)
        rounds = (*self.rounds, finished)
        return replace(self, rounds=rounds, _current=Log(), position=after, undone=())

    def played(self, entries: Iterable[Entry]) -> Match:
        """The match after all these entries; each must be by the player whose turn it is.

        Raises:
            MatchError: with the number of the entry that is refused, counted in the whole log.
        """
        match = self
        for at, entry in enumerate(entries, self.length):
            try:
                match = match.apply(entry.action, entry.by)
            except IllegalAction as error:
                raise MatchError(str(error), at=at) from error
        return match

    def _leaders(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """The seats that have won with these totals at the end of a round, or () (2:2, R9)."""
        best = max(totals)
        if best < self.threshold:
            return ()
        leaders = tuple(seat for seat, total in enumerate(totals) if total == best)
        return leaders if len(leaders) == 1 or self.options.match_tie == "shared" else ()

    # --- taking back ----------------------------------------------------------------------

    def undo(
        self, count: int = 1, *, by: int | str | None = None, past_others: bool = False
    ) -> Match:
        """The match without its last `count` entries, as the replay of the rest of the log.

        `by` is who asks (a seat or a colour); left out, it is the player of the oldest entry that
        is taken back. What another player has done since is never taken back unless `past_others`
        says so; to ask that player first, catch PastOthers, which lists it.

        Raises:
            PastOthers: it would take back what another player has done.
            MatchError: there is not so much to take back, or `by` is no player.
        """
        log = self.log
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= len(log):
            raise MatchError(f"{len(log)} entries can be undone, not {shown(count)}.")
        taken = log[-count:]
        asker = taken[0].by if by is None else self._colour(by)
        others = [(entry.by, str(entry.action)) for entry in taken if entry.by != asker]
        if others and not past_others:
            raise PastOthers(asker, others)
        return replace(self._first(len(log) - count), undone=taken + self.undone)

    def redo(self, count: int = 1) -> Match:
        """The match with the last `count` undone entries played again.

        Raises:
            MatchError: there is not so much to bring back.
        """
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise MatchError(f"The number of entries to redo is 1 or more, not {shown(count)}.")
        if count > len(self.undone):
            raise MatchError(f"{len(self.undone)} entries can be redone, not {shown(count)}.")
        return replace(self.played(self.undone[:count]), undone=self.undone[count:])

    def _first(self, length: int) -> Match:
        """The match after the first entries of its log. Whole rounds need no second replay."""
        kept = 0
        for each in self.rounds:
            if len(each.log) > length:
                break
            length -= len(each.log)
            kept += 1
        rest = self.rounds[kept].log if kept < len(self.rounds) else self.current
        done = sum(len(each.log) for each in self.rounds[:kept])
        start = Position.start(colours=self.colours, options=self.options)
        # A round has entries before its first ruling, so one at its very start ended the round before.
        rulings = [ruling for ruling in self.rulings if ruling.at <= done]
        bare = replace(
            self,
            rounds=self.rounds[:kept],
            _current=Log(),
            position=start,
            rulings=tuple(rulings),
            undone=(),
        )
        for ruling in self.rulings[len(rulings) :]:
            if ruling.at > done + length:
                break
            bare = bare.played(rest[bare.length - done : ruling.at - done])
            bare = bare.ruled(ruling.position, ruling.sentence)
        return bare.played(rest[bare.length - done : length])

    def _colour(self, by: int | str) -> str:
        if isinstance(by, str) and by in self.colours:
            return by
        if isinstance(by, int) and not isinstance(by, bool) and 0 <= by < len(self.colours):
            return self.colours[by]
        raise MatchError(f"A player is {' or '.join(self.colours)}, not {shown(by)}.")

    # --- JSON -----------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Set-up and log as plain JSON types; `from_json` replays them. Rulings only if there are."""
        data: dict[str, Any] = {
            "players": list(self.colours),
            "options": self.options.to_mapping(),
            "threshold": self.threshold,
            "log": [_entry_to_json(entry) for entry in self.log],
            "undone": [_entry_to_json(entry) for entry in self.undone],
        }
        if self.rulings:
            data["rulings"] = [
                {"at": each.at, "position": each.position.to_string(), "sentence": each.sentence}
                for each in self.rulings
            ]
        return data

    @classmethod
    def from_json(cls, data: object) -> Match:
        """Read and replay what `to_json` writes; only "players" and "log" must be there.

        Raises:
            MatchError: with the reason, and the number of the entry when one is at fault.
        """
        if not isinstance(data, Mapping):
            raise MatchError(f"A match is given as an object, not {shown(data)}.")
        known = ("players", "options", "threshold", "log", "undone", "rulings")
        unknown = [key for key in data if key not in known]
        if unknown:
            raise MatchError(f"A match has no entry {shown(unknown[0])}.")
        players = data.get("players")
        if not isinstance(players, list | tuple):
            raise MatchError(f"The players are a list of colours, not {shown(players)}.")
        try:
            options = Options.from_mapping(data.get("options", {}))
            match = cls.start(
                colours=tuple(players),
                options=options,
                threshold=data.get("threshold", STANDARD_THRESHOLD),
            )
        except PositionError as error:
            raise MatchError(f"{error}.") from None
        except OptionsError as error:
            raise MatchError(str(error)) from None
        match = _replayed_with_rulings(match, data.get("log"), data.get("rulings", []))
        undone = _replayed(match, data.get("undone", []), "undone").log[match.length :]
        return replace(match, undone=undone)


def match_over(match: Match) -> Reason:
    """Why a match that is over takes no more actions (2:2)."""
    won = " and ".join(match.winners)
    return Reason("2:2", f"the match is over: {won} won with {max(match.totals)}")


def _entry_to_json(entry: Entry) -> dict[str, Any]:
    return {"by": entry.by, **action_to_json(entry.action)}


def _replayed_with_rulings(match: Match, entries: object, rulings: object) -> Match:
    if not isinstance(entries, list | tuple):
        return _replayed(match, entries, "log")
    if not isinstance(rulings, list | tuple):
        raise MatchError(f"The rulings are a list, not {shown(rulings)}.")
    for data in rulings:
        at = data.get("at") if isinstance(data, Mapping) else None
        if (
            not isinstance(at, int)
            or isinstance(at, bool)
            or not match.length <= at <= len(entries)
        ):
            raise MatchError(
                f"A ruling says at which entry it was made, in order, not {shown(at)}."
            )
        text, sentence = data.get("position"), data.get("sentence", "")
        if not isinstance(text, str) or not isinstance(sentence, str):
            raise MatchError("A ruling has a position and a sentence, both text.")
        match = _replayed(match, entries[match.length : at], "log")
        try:
            match = match.ruled(Position.from_string(text), sentence)
        except PositionError as error:
            raise MatchError(f"A ruling's position cannot be: {error}.") from error
    return _replayed(match, entries[match.length :], "log")


def _replayed(match: Match, entries: object, name: str) -> Match:
    if not isinstance(entries, list | tuple):
        raise MatchError(f"The {name} is a list of actions, not {shown(entries)}.")
    for at, data in enumerate(entries, match.length):
        if not isinstance(data, Mapping):
            raise MatchError(f"An action is given as an object, not {shown(data)}.", at=at)
        by = data.get("by")
        if not isinstance(by, str | None):
            raise MatchError(f"A player is named by colour, not {shown(by)}.", at=at)
        try:
            action = action_from_json({key: data[key] for key in data if key != "by"})
            match = match.apply(action, by)
        except (ActionError, IllegalAction) as error:
            raise MatchError(str(error), at=at) from error
    return match
