"""What `lawn check` and `lawn legal` say, for people and as plain JSON types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.actions import Action
from engine.errors import RecordError
from engine.match import FinishedRound, Match
from engine.notation import BEFORE_IT, WHERE_REFUSED
from engine.plain_words import action_in_words, end_in_words, to_do
from engine.position import Position
from engine.record import Record
from engine.record_file import STANDARD_INPUT
from engine.record_reader import NO_TEXT

_LONGEST_SHOWN = 80  # characters: the width of a terminal


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that was replayed: it is `record` when that is fine, else `error` says why not."""

    name: str
    record: Record | None
    error: RecordError | None

    @property
    def exit_code(self) -> int:
        """0 for a record that is fine, 1 for one that is not."""
        return 0 if self.record else 1

    def text(self) -> str:
        """For people: the result and the score sheets, or the first illegal turn."""
        if self.record is not None:
            return "\n".join(_fine(self.name, self.record))
        assert self.error is not None
        return "\n".join(_wrong(self.name, self.error))

    def to_json(self) -> dict[str, Any]:
        """The same as plain JSON types."""
        if self.record is not None:
            return {"record": self.name, "ok": True, **_match_json(self.record)}
        error = self.error
        assert error is not None
        reasons = [{"rule": each.rule, "text": each.text} for each in error.reasons]
        return {
            "record": self.name,
            "ok": False,
            "line": error.line,
            "text": error.text,
            "message": str(error),
            "reasons": reasons or [{"rule": None, "text": error.reason}],
            "position": error.before_turn or None,
            "step_position": error.position or None,
        }


def checked(name: str, text: str) -> Checked:
    """Replay a record; `name` is what the answer calls it."""
    shown = "standard input" if name == STANDARD_INPUT else name
    try:
        return Checked(shown, Record.from_string(text), None)
    except RecordError as error:
        return Checked(shown, None, error)


# --- records ------------------------------------------------------------------------------


def _fine(name: str, record: Record) -> list[str]:
    match = record.match
    people = _people(record)
    lines = [f"{name}: every turn is legal. {_outcome(match, people)}"]
    width = max(map(len, people.values()))
    for finished in match.rounds:
        ended = end_in_words(finished.end_reason) or "its end was not seen"
        lines.append(f"  Round {finished.number} ({ended})")
        lines += _sheet(finished, people, width)
    if match.rounds:
        lines.append("  Standings")
        lines += [
            f"    {each.place}. {people[each.colour]:<{width}}  {each.total:>4}"
            for each in match.standings()
        ]
    return lines


def _sheet(finished: FinishedRound, people: dict[str, str], width: int) -> list[str]:
    lines = []
    for colour, score in zip(finished.end.colours, finished.scores, strict=True):
        bonus = f" with {score.category}" if score.category else ""
        captured = f" + {score.captured:>2} captured" if len(finished.end.colours) == 2 else ""
        lines.append(
            f"    {people[colour]:<{width}}  {score.total:>4} = "
            f"{score.lead:>2} Big Roll{captured} + {score.lawn:>2} Lawn{bonus}"
        )
    return lines


def _outcome(match: Match, people: dict[str, str]) -> str:
    count = len(match.rounds)
    played = f"{count} round{'' if count == 1 else 's'}"
    if match.is_over:
        winners = [people[colour] for colour in match.winners]
        if len(winners) > 1:
            return f"{' and '.join(winners)} share the victory with {max(match.totals)} after {played}."
        return f"{winners[0]} wins with {max(match.totals)} after {played}."
    if match.is_between_rounds:
        return f"The match is not over after {played}: nobody has reached {match.threshold} alone."
    position = match.position
    return (
        f"The match is not over: {played} played, round {count + 1} has begun "
        f"({to_do(position, people.__getitem__)})."
    )


def _wrong(name: str, error: RecordError) -> list[str]:
    if error.reasons:
        lines = [f"{name}: line {error.line} is not legal: {_line_shown(error.text)}"]
        lines += [f"  Rule {reason.rule}: {reason.text}." for reason in error.reasons]
    else:
        said = f": {_line_shown(error.text)}" if error.text else "."
        lines = [f"{name}: line {error.line} cannot be read{said}"]
        lines.append(f"  {error.reason[:1].upper()}{error.reason[1:]}.")
    if error.before_turn:
        lines.append(f"  {BEFORE_IT} {error.before_turn}")
    if error.position != error.before_turn:
        lines.append(f"  {WHERE_REFUSED} {error.position}")
    return lines


def _line_shown(text: str) -> str:
    """A line of a record as it is quoted for people; the JSON has all of it."""
    text = NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def _people(record: Record) -> dict[str, str]:
    """How each colour is called: "Anna (red)", or the colour alone."""
    pairs = zip(record.match.colours, record.names, strict=True)
    return {colour: f"{name} ({colour})" if name else colour for colour, name in pairs}


def _match_json(record: Record) -> dict[str, Any]:
    match = record.match
    named = dict(zip(match.colours, record.names, strict=True))
    return {
        "players": [{"colour": colour, "name": name or None} for colour, name in named.items()],
        "options": match.options.to_mapping(),
        "threshold": match.threshold,
        "over": match.is_over,
        "winners": list(match.winners),
        "rounds": [finished.to_json() for finished in match.rounds],
        "standings": [
            {
                "place": each.place,
                "colour": each.colour,
                "name": named[each.colour] or None,
                "total": each.total,
            }
            for each in match.standings()
        ],
        "phase": match.phase,
        "position": match.position.to_string(),
    }


# --- positions ----------------------------------------------------------------------------


def _ways(position: Position) -> list[tuple[Action, float | None]]:
    """Every legal action; when dice are in the air, with its probability."""
    if position.is_chance:
        return list(position.chance_outcomes())
    return [(action, None) for action in position.legal_actions()]


def legal_text(position: Position) -> str:
    """Every legal action of a position and what it leads to, for people, the record's notation beside it."""
    if position.is_over:
        totals = (
            f"{colour} {score.total}"
            for colour, score in zip(position.colours, position.scores(), strict=True)
        )
        return f"The round is over ({end_in_words(position.end_reason)}): {', '.join(totals)}."
    ways = _ways(position)
    what = ("possible roll" if position.is_chance else "choice") + ("s" if len(ways) > 1 else "")
    doing = to_do(position)
    lines = [f"{doing[:1].upper()}{doing[1:]}: {len(ways)} {what}."]
    for action, chance in ways:
        percent = "" if chance is None else f"{100 * chance:>9.4f} %  "
        lines.append(f"  {percent}{action_in_words(position, action)}  [{action}]")
        lines.append(f"      {' '.join(position.effects(action).sentences())}")
    return "\n".join(lines)


def legal_json(position: Position) -> dict[str, Any]:
    """The same as plain JSON types."""
    return {
        "position": position.to_string(),
        "phase": position.phase,
        "turn": position.turn_colour,
        "chance": position.is_chance,
        "over": position.end_reason or None,
        "scores": {
            colour: score.to_json()
            for colour, score in zip(position.colours, position.scores(), strict=True)
        },
        "actions": [
            {
                "action": str(action),
                "name": position.name(action),
                **({} if chance is None else {"probability": chance}),
                "effects": position.effects(action).to_json(),
                "position": position.apply(action).to_string(),
            }
            for action, chance in _ways(position)
        ],
    }
