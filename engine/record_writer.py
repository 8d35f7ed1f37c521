"""Writing a match record: the header, then one line a Big Roll, election, tie-break or turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from engine.actions import BoundaryRoll, Elect, Place, Rolled
from engine.effects import Effects
from engine.match import FinishedRound, Match
from engine.match_log import Entry, Ruling
from engine.position import Position
from engine.record_header import Comment, Header
from engine.record_lines import NO_BONUS, RULED
from engine.record_reader import RANKS, Remark

_OPENING = ("big-roll", "bonus-choice", "tie-break")


def write(match: Match, header: Header, remarks: Iterable[Remark]) -> str:
    """The text of a record, ending with a newline."""
    lines = [
        f"#{line.text}" if isinstance(line, Comment) else f"{line.name}: {line.value}".rstrip()
        for line in header
    ]
    body = _Body(remarks)
    body.write(match)
    return "\n".join(lines + body.lines) + "\n"


class _Body:
    """The lines below the header; comments are put back where they stood."""

    def __init__(self, remarks: Iterable[Remark]) -> None:
        self.lines: list[str] = []
        self._remarks = sorted(remarks, key=lambda r: (r.at, r.rank, not r.trailing))
        self._next = 0
        self._at = 0
        self._rulings: tuple[Ruling, ...] = ()

    def write(self, match: Match) -> None:
        self._rulings = match.rulings
        for finished in match.rounds:
            start = Position.start(colours=match.colours, options=match.options)
            self._round(finished.number, finished.log, start)
            self._score_sheet(finished)
        due = len(match.rounds) + 1
        if not match.is_between_rounds:
            start = Position.start(colours=match.colours, options=match.options)
            self._round(due, match.current, start)
        elif any(r.at == self._at and r.rank >= RANKS["round"] for r in self._remarks):
            self._headline(due)
        self._comments_before(self._at + 1, 0)

    def _headline(self, number: int) -> None:
        self._comments_before(self._at, RANKS["round"])
        self.lines.append("")
        self._line(f"Round {number}", RANKS["round"])

    def _score_sheet(self, finished: FinishedRound) -> None:
        colours = finished.end.colours
        if finished.end_reason:  # else nobody saw how it ended
            self._line(f"End: {finished.end_reason}", RANKS["end"])
        sums = (
            f"{colour} {each.lead} + {each.captured} + {each.lawn} = {each.total}"
            for colour, each in zip(colours, finished.scores, strict=True)
        )
        self._line(f"Scores: {', '.join(sums)}", RANKS["scores"])
        totals = (
            f"{colour} {total}" for colour, total in zip(colours, finished.totals, strict=True)
        )
        self._line(f"Totals: {', '.join(totals)}", RANKS["totals"])

    def _round(self, number: int, log: tuple[Entry, ...], start: Position) -> None:
        self._headline(number)
        turn = 0
        for line in _lines_of(log, start, self._rulings, self._at):
            if isinstance(line, Ruling):
                self._comments_before(self._at, RANKS["ruling"])
                text = f"Ruling: {line.sentence} {RULED} {line.position.to_string()}"
                self._line(text, RANKS["ruling"])
                continue
            before, entries, after, effects = line
            opening = before.phase in _OPENING
            text = _opening_text(before, entries[0], after) if opening else ""
            if not opening:
                turn += 1
                text = f"{turn:>3}. {_turn_text(before, entries, effects)}"
            self._comments_before(self._at + len(entries), 0)
            self._at += len(entries)
            self._line(text, RANKS["turn"])
            lost = effects[-1].lost_turns
            own = before.phase == "boundary-choice" and isinstance(entries[-1].action, Rolled)
            own = own and lost[:1] == (entries[0].by,) and effects[-1].re_enters is None
            for rank, colour in enumerate(lost[own:], RANKS["forfeit"]):
                self._line(f"     {colour} lost turn", rank)
            if opening and after.order and not before.order:
                order = ", ".join(after.colours[seat] for seat in after.order)
                self._line(f"Order: {order}", RANKS["order"])

    def _line(self, text: str, rank: int) -> None:
        self._comments_before(self._at, rank)
        remark = self._remark()
        if remark is not None and (remark.at, remark.rank, remark.trailing) == (
            self._at,
            rank,
            True,
        ):
            text += f"  #{remark.text}"
            self._next += 1
        self.lines.append(text)

    def _comments_before(self, at: int, rank: int) -> None:
        """Write the comments that stand before the line of this rank at this moment."""
        while (remark := self._remark()) is not None and (remark.at, remark.rank) < (at, rank):
            self.lines.append(f"#{remark.text}")
            self._next += 1

    def _remark(self) -> Remark | None:
        return self._remarks[self._next] if self._next < len(self._remarks) else None


Line: TypeAlias = tuple[Position, list[Entry], Position, list[Effects]]


def _lines_of(
    log: tuple[Entry, ...], position: Position, rulings: tuple[Ruling, ...] = (), base: int = 0
) -> Iterator[Line | Ruling]:
    """The log of a round cut into lines: position before, entries, position after, effects.

    base: how many entries of the match come before this round.
    """
    before, entries, effects = position, [], []
    due = [each for each in rulings if base < each.at <= base + len(log)]
    for number, entry in enumerate(log, base + 1):
        phase = position.phase
        effects.append(position.effects(entry.action))
        entries.append(entry)
        position = position.apply(entry.action)
        goes_on = ("boundary-roll", "placement", "re-entry")
        grinds = position.phase == "grind-roll" and phase in ("boundary-roll", "grind-roll")
        ruled = bool(due) and due[0].at == number
        if ruled or (position.phase not in goes_on and not grinds):
            yield before, entries, position, effects
            before, entries, effects = position, [], []
        while due and due[0].at == number:
            yield due[0]
            before = position = due.pop(0).position
    if entries:
        yield before, entries, position, effects


def line_of(position: Position, entries: Iterable[Entry]) -> str:
    """The line of one turn, Big Roll, tie-break or election, without its number.

    Raises:
        IllegalAction: the position refuses one of the entries.
    """
    texts = []
    for line in _lines_of(tuple(entries), position):
        assert not isinstance(line, Ruling)
        before, played, after, effects = line
        opening = before.phase in _OPENING
        texts.append(
            _opening_text(before, played[0], after)
            if opening
            else _turn_text(before, played, effects)
        )
    return "; ".join(texts)


def _opening_text(before: Position, entry: Entry, after: Position) -> str:
    action, seat = entry.action, before.turn
    lead = after.opening.lead(seat)
    if isinstance(action, Elect):
        return f"{entry.by} claims {action.category}, score {lead}"
    assert isinstance(action, Rolled)
    dice = _digits(action.faces)
    if before.phase == "tie-break":
        return f"{entry.by} tie-break {dice}"
    text = f"{entry.by} big roll {dice}"
    if after.opening.elections(seat):
        return text
    bonus = after.opening.bonuses[seat] or NO_BONUS
    return f"{text}, bonus {bonus}, score {lead}"


def _turn_text(before: Position, entries: list[Entry], effects: list[Effects]) -> str:
    parts: list[str] = []
    position, locked = before, ""
    for entry, effect in zip(entries, effects, strict=True):
        action = entry.action
        if isinstance(action, BoundaryRoll):
            row = position.rows[position.turn]
            face = row[0] if action.edge == "low" else row[-1]
            parts.append(f"{action.edge} {_digits((face,) * row.count(face))}")
        elif isinstance(action, Place):
            parts.append(str(action))
            if effect.captured is not None:
                parts.append(f"capture {effect.captured}")
            if effect.pushed is not None:
                parts.append(f"push {effect.pushed}")
                if effect.re_enters is not None:
                    parts[-1] += f" -> {effect.re_enters[1]}"
            if effect.locks is not None:
                locked = f"lock {effect.locks}"
        elif isinstance(action, Rolled):
            if position.phase == "grind-roll":
                parts.append(f"grind -> {_digits(action.faces)}")
            elif parts:
                parts[-1] += f" -> {_digits(action.faces)}"
            else:  # the rest of a turn
                parts.append(f"-> {_digits(action.faces)}")
            if position.phase == "boundary-roll" and effect.lost_turns[:1] == (entry.by,):
                parts.append("lost turn")
        position = position.apply(action)
    if locked:
        parts.append(locked)
    return f"{before.turn_colour} {', '.join(parts)}"


def _digits(faces: tuple[int, ...]) -> str:
    return "".join(map(str, faces))
