"""The tags above the first round of a match record: players, options, threshold, result, and more.

Players, Options, Threshold and Result follow from the match and are written anew; every other tag,
known or not, and every comment is kept as it is and where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from engine.errors import MatchError, OptionsError, PositionError, Reason, shown
from engine.match import MAX_THRESHOLD, STANDARD_THRESHOLD, Match
from engine.options import Options
from engine.record_lines import FormError

KNOWN = ("Players", "Date", "Place", "Threshold", "Options", "Result")
"""Tags that may stand once only."""

OF_THE_MATCH = ("Players", "Threshold", "Options", "Result")
"""Tags whose value follows from the match."""

STANDARD = "standard"
"""Value of Options when all are at their defaults."""


@dataclass(frozen=True, slots=True)
class Tag:
    """`Name: value`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that begins with #; the text is what follows it."""

    text: str


Header: TypeAlias = tuple[Tag | Comment, ...]


def known_name(name: str) -> str:
    """The house's spelling of a known tag, any other name as it is."""
    return next((known for known in KNOWN if known.lower() == name.lower()), name)


# --- reading ------------------------------------------------------------------------------


def read_players(value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Colours and names, in seat order, of `red Anna, blue Ben`; a name may be left out ("").

    Raises:
        FormError: something else.
    """
    colours, names = [], []
    for entry in value.split(","):
        colour, _, name = " ".join(entry.split()).partition(" ")
        if not colour:
            raise FormError("players are written 'red Anna, blue Ben': colours, then names if any")
        colours.append(colour.lower())
        names.append(name)
    try:
        Match.start(colours=tuple(colours))
    except PositionError as error:
        hint = "" if "," in value else "; players are separated by commas: 'red Anna, blue Ben'"
        raise FormError(error.reason + hint) from None
    return tuple(colours), tuple(names)


def read_options(value: str) -> Options:
    """The options of `own-push keep-face, ending first-out`.

    Raises:
        FormError: an unknown option or value, or one that stands twice.
    """
    chosen: dict[str, str] = {}
    if value.strip().lower() in ("", STANDARD):
        return Options()
    for entry in value.lower().replace(";", ",").split(","):
        words = entry.split()
        if len(words) != 2:
            raise FormError(
                f"an option is written 'own-push keep-face', not {shown(entry.strip())}"
            )
        if words[0] in chosen:
            raise FormError(f"the option {words[0]} stands twice")
        chosen[words[0]] = words[1]
    try:
        return Options.from_mapping(chosen)
    except OptionsError as error:
        raise FormError(str(error).rstrip(".")) from None


def read_threshold(value: str) -> int:
    """The threshold of `500`.

    Raises:
        FormError: no whole number from 1 to a million.
    """
    digits = value if value.isascii() and value.isdigit() and len(value) < 9 else "0"
    try:
        Match.start(threshold=int(digits))
    except MatchError:
        raise FormError(
            f"the threshold is a whole number from 1 to {MAX_THRESHOLD}, not {shown(value)}"
        ) from None
    return int(digits)


def started(values: dict[str, str]) -> tuple[Match, tuple[str, ...]]:
    """The match before its first roll, and the players' names, from tags by known name.

    Every value must have been read once before, so that nothing is refused here.
    """
    colours, names = read_players(values["Players"])
    options = read_options(values.get("Options", STANDARD))
    threshold = read_threshold(values.get("Threshold", str(STANDARD_THRESHOLD)))
    return Match.start(colours=colours, options=options, threshold=threshold), names


def wrong_result(match: Match, value: str) -> tuple[Reason, ...]:
    """What the replay says against a Result such as `red wins, red 512, blue 430`.

    Raises:
        FormError: it is no result at all.
    """
    reasons = []
    for piece in value.lower().replace(";", ",").split(","):
        words = piece.split()
        winners = _claimed_winners(words)
        if not {*winners, *words[:1]} <= {*match.colours, "unfinished"}:
            winners, words = (), []
        if words == ["unfinished"]:
            if match.is_over:
                reasons.append(Reason("2:2", f"the match is over: {_victory(match)}"))
        elif winners and not match.is_over:
            reasons.append(Reason("2:2", f"nobody has won yet: {_unwon(match)}"))
        elif winners:
            if set(winners) != set(match.winners):
                reasons.append(Reason("2:2", _victory(match)))
        elif len(words) == 2 and words[0] in match.colours and words[1].isdigit():
            seat = match.colours.index(words[0])
            total = match.running_totals[seat]
            # Older records leave the round being played out of the totals.
            if int(words[1]) not in (total, match.totals[seat]):
                reasons.append(Reason("7:2", f"the total of {words[0]} is {total}"))
        else:
            raise FormError(
                "a result is written 'red wins, red 512, blue 430' or 'unfinished', "
                f"not {shown(piece.strip())}"
            )
    return tuple(reasons)


def _claimed_winners(words: list[str]) -> tuple[str, ...]:
    """The colours of `red wins` or `red and blue share the victory`; () for anything else."""
    if len(words) == 2 and words[1] in ("wins", "won"):
        return (words[0],)
    if len(words) > 5 and words[-3:] == ["share", "the", "victory"]:
        listed = words[:-3]
        if len(listed) % 2 and set(listed[1::2]) == {"and"}:
            return tuple(listed[::2])
    return ()


def _unwon(match: Match) -> str:
    best = max(match.totals)
    if best < match.threshold:
        return f"the highest total is {best}, the threshold {match.threshold}"
    return f"the highest totals are tied at {best}, so another round is played (R9)"


# --- writing ------------------------------------------------------------------------------


def result_text(match: Match) -> str:
    """`red wins, red 512, blue 430`, or `unfinished, red 71, blue 56` with the points as they stand."""
    totals = zip(match.colours, match.running_totals, strict=True)
    return ", ".join((_victory(match), *(f"{colour} {total}" for colour, total in totals)))


def _victory(match: Match) -> str:
    if not match.is_over:
        return "unfinished"
    winners = match.winners
    return (
        f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the victory"
    )


def settled(header: Iterable[Tag | Comment], match: Match, names: tuple[str, ...]) -> Header:
    """The header with the tags of the match up to date, missing ones put after the last tag."""
    changed = match.options.changed()
    values = {
        "Players": ", ".join(
            f"{colour} {name}".rstrip() for colour, name in zip(match.colours, names, strict=True)
        ),
        "Threshold": str(match.threshold),
        "Options": ", ".join(f"{name} {value}" for name, value in changed.items()) or STANDARD,
        "Result": result_text(match),
    }
    lines = [
        Tag(line.name, values.pop(line.name))
        if isinstance(line, Tag) and line.name in values
        else line
        for line in header
    ]
    if not changed:
        values.pop("Options", None)
    tags = [at for at, line in enumerate(lines) if isinstance(line, Tag)]
    after = tags[-1] + 1 if tags else len(lines)
    missing = [Tag(name, value) for name, value in values.items()]
    return (*lines[:after], *missing, *lines[after:])
