"""The matches in a folder: what there is, what it came to, where to go on; and what one file holds."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from engine.errors import JournalError, LawnError
from engine.game_log import GameLog, replayed
from engine.journal import Journal
from engine.journal_file import SUFFIX
from engine.record import Record
from engine.record_writer import line_of

Form: TypeAlias = Literal["text", "json", "record"]


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """One match of an archive.

    Attributes:
        path: its file.
        colours, names, totals: in seat order; () when it cannot be read.
        rounds, turns: how many were finished, and logged.
        over: whether somebody has won; winners: their colours.
        began_s, last_s: times of the first and the last entry, s since 1970.
        open: what stands open, in one sentence, or "".
        problem: why it cannot be read, one sentence, or "".
    """

    path: Path
    colours: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    totals: tuple[int, ...] = ()
    rounds: int = 0
    turns: int = 0
    over: bool = False
    winners: tuple[str, ...] = ()
    began_s: float = 0.0
    last_s: float = 0.0
    open: str = ""
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON types; the file by its name alone."""
        return {
            "file": self.path.name,
            "players": [
                {"colour": colour, "name": name, "total": total}
                for colour, name, total in zip(self.colours, self.names, self.totals, strict=True)
            ],
            "rounds": self.rounds,
            "turns": self.turns,
            "over": self.over,
            "winners": list(self.winners),
            "began_s": self.began_s,
            "last_s": self.last_s,
            "open": self.open,
            "problem": self.problem,
        }


def matches(folder: Path) -> tuple[MatchInfo, ...]:
    """Every match in a folder, the one played last first; those that cannot be read at the end.

    Raises:
        JournalError: there is no such folder, or it cannot be read.
    """
    try:
        paths = sorted(each for each in folder.iterdir() if each.suffix == SUFFIX)
    except NotADirectoryError:
        raise JournalError(f"{folder}: it is a file; give the folder of the matches.") from None
    except OSError as error:
        raise JournalError(f"{folder}: the matches cannot be listed ({error.strerror}).") from None
    found = [info(path) for path in paths]
    return tuple(sorted(found, key=lambda each: (bool(each.problem), -each.last_s)))


def info(path: Path) -> MatchInfo:
    """What is to be said of one match; `problem` instead of an error."""
    try:
        with Journal.look(path) as journal:
            events = journal.events()
            return info_of(path, replayed(events), events[0].at_s)
    except LawnError as error:
        return MatchInfo(path, problem=str(error))


def info_of(path: Path, log: GameLog, began_s: float) -> MatchInfo:
    """What is to be said of a match whose journal was replayed already."""
    match = log.game.match
    names = log.started.names or ("",) * len(match.colours)
    return MatchInfo(
        path,
        match.colours,
        names,
        match.running_totals,
        len(match.rounds),
        len(log.game.turns),
        match.is_over,
        match.winners,
        began_s,
        log.at_s,
        "; ".join(open_points(log)),
    )


def open_points(log: GameLog) -> tuple[str, ...]:
    """What somebody should look at, one sentence each, without a full stop."""
    points = []
    if log.question is not None:
        points.append(log.question.verdict.sentence.rstrip("."))
    if misfits := len(log.game.misfits):
        points.append(f"{misfits} {'turn does' if misfits == 1 else 'turns do'} not fit any more")
    if lost := len(log.lost):
        points.append(f"{lost} {'entry' if lost == 1 else 'entries'} could not be read")
    return tuple(points)


def new_path(folder: Path, names: tuple[str, ...], clock: Callable[[], float]) -> Path:
    """A name for a new match that no file in the folder has: its time (UTC) and its players."""
    time = datetime.fromtimestamp(clock(), UTC).strftime("%Y-%m-%d-%H%M")
    words = [re.sub(r"[^a-z0-9]+", "-", _plain(name)).strip("-")[:20] for name in names]
    stem = "-".join([time, *filter(None, words)])
    path, number = folder / f"{stem}{SUFFIX}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{SUFFIX}"
    return path


def _plain(name: str) -> str:
    """Lower case without accents: "Änne" becomes "anne"."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def record_of(log: GameLog, more: Sequence[tuple[str, str]] = ()) -> Record:
    """The match record of a journal: misfits are left out and counted in a tag. more: tags after it.

    Raises:
        RecordError: names that a record cannot hold.
    """
    date = datetime.fromtimestamp(log.at_s, UTC)
    tags = [("Date", f"{date.day} {date.strftime('%B %Y')}")]
    if log.game.misfits:
        tags.append(("Left out", f"{len(log.game.misfits)} turns that do not fit"))
    tags += more
    names = tuple(name.replace(",", " ") for name in log.started.names)
    return Record.of(log.game.match, names=names, tags=tags)


def told(path: Path, journal: Journal) -> str:
    """A journal as text for a person: players, turns, and what is open."""
    events = journal.events()
    log = replayed(events)
    match = log.game.match
    players = [
        f"{colour} {name}".strip()
        for colour, name in zip(match.colours, log.started.names or match.colours, strict=True)
    ]
    lines = [f"{path}: a whole journal of {len(events)} entries.", f"Players: {', '.join(players)}"]
    for number, turn in enumerate(log.game.turns, 1):
        before = log.game.match_before(number - 1)
        if turn.ruling is not None:
            text = f"ruling: {turn.ruling.sentence}"
        elif turn.misfit:
            text = ", ".join(map(str, turn.entries))
        else:
            text = line_of(before.position, turn.entries)
        said = "" if turn.source == "camera" else f"  [{turn.source}]"
        misfit = f"  [does not fit: {turn.misfit}]" if turn.misfit else ""
        lines.append(f"{number:>4}. {text}{said}{misfit}")
    totals = ", ".join(
        f"{colour} {total}"
        for colour, total in zip(match.colours, match.running_totals, strict=True)
    )
    state = f"{' and '.join(match.winners)} won" if match.is_over else f"phase {match.phase}"
    lines.append(f"Points: {totals}; {state}.")
    lines += [f"Open: {point}." for point in open_points(log)]
    return "\n".join(lines)


def to_json(path: Path, journal: Journal) -> dict[str, Any]:
    """A journal as plain JSON types: the MatchInfo, and every turn's line."""
    events = journal.events()
    log = replayed(events)
    return {
        **info_of(path, log, events[0].at_s).to_json(),
        "entries": len(events),
        "match": log.game.match.to_json(),
        "misfits": [turn.misfit for turn in log.game.misfits],
    }


def printed(path: Path, form: Form, mend: Callable[[], float] | None = None) -> str:
    """What `lawn journal` prints of a file. With a clock in `mend` a damaged one is mended first.

    Raises:
        JournalError: it cannot be read, in one sentence.
        RecordError: it cannot be written as a record.
    """
    said = ""
    if mend is not None:
        if not path.exists():
            raise JournalError(f"{path}: there is no such file.")
        with Journal.open(path, clock=mend) as mended:
            said = mended.said
    with Journal.look(path) as journal:
        try:
            if form == "json":
                return json.dumps({**to_json(path, journal), "said": said})
            if form == "record":
                return record_of(replayed(journal.events())).to_string().rstrip("\n")
            return "\n".join(filter(None, (said, told(path, journal))))
        except JournalError as error:
            raise JournalError(f"{path}: {_small(str(error))}") from error


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
