"""Readings and scores as plain text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from vision.reading import UNSURE_COLOUR, UNSURE_FACE, UNSURE_FOUND, DieReading, Reading
from vision.scoring import ColourGroup, TableScore

HEADINGS = ("face", "sure", "colour", "sure", "box (x0 y0 x1 y1, px)", "")


def doubts(die: DieReading) -> tuple[str, ...]:
    """What is unsure of a die: any of "die" (that there is one at all), "face" and "colour"."""
    doubtful = {
        "die": die.found_p < UNSURE_FOUND,
        "face": die.face is None or max(die.face_p, default=0.0) < UNSURE_FACE,
        "colour": die.colour_p.get(die.colour, 0.0) < UNSURE_COLOUR,
    }
    return tuple(name for name, doubted in doubtful.items() if doubted)


def reading_text(reading: Reading) -> str:
    """A line of summary for the picture, its mat, its notices, and an aligned row for every die."""
    lines = [f"{reading.image} ({reading.width} x {reading.height} px): {_summary(reading.dice)}"]
    if reading.mat is not None:
        lines.append(f"  {_mat(reading.mat)}")
    lines += [f"  {notice}" for notice in reading.notices]
    if reading.dice:
        rows = [HEADINGS, *(_row(die) for die in reading.dice)]
        if any(die.place for die in reading.dice):
            places = ["place", *(_place(die.place) for die in reading.dice)]
            rows = [(*row[:4], place, *row[4:]) for row, place in zip(rows, places, strict=True)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def score_text(reading: Reading, score: TableScore) -> str:
    """The Big Roll of every colour with base, bonuses, best and total, then the turn order."""
    lines = [f"{reading.image}: {_summary(reading.dice)}"]
    lines += [f"  {notice}" for notice in reading.notices]
    for group in score.groups:
        lines += _group_lines(group)
    totals = {group.colour: group.roll.total for group in score.groups if group.roll}
    if len(totals) > 1:
        places = [f"{listed(tied)} ({totals[tied[0]]})" for tied in score.order]
        lines.append(f"  Turn order: {', then '.join(places)}.")
    for tied in score.order:
        if len(tied) > 1:
            lines.append(
                f"  {listed(tied).capitalize()} tie at {totals[tied[0]]}: "
                "they roll again for their place in the order (rule 3:4.B)."
            )
    return "\n".join(lines)


def _group_lines(group: ColourGroup) -> list[str]:
    faces = " ".join(str(face) for face in group.faces)
    if group.roll is None:
        lines = [f"  {group.colour}: {faces}".rstrip(), f"    {group.problem}"]
    else:
        roll = group.roll
        lines = [f"  {group.colour}: {faces}", f"    base {roll.base}"]
        for bonus in roll.bonuses:
            dice = " ".join(str(face) for face in bonus.dice)
            best = ", the best" if bonus is roll.best and len(roll.bonuses) > 1 else ""
            lines.append(f"    {bonus.category} {bonus.points} ({dice}){best}")
        if not roll.bonuses:
            lines.append("    no bonus")
        lines.append(f"    total {roll.total}{', unsure' if group.unsure else ''}")
    if group.unsure:
        which = "1 of these dice is" if group.unsure == 1 else f"{group.unsure} of these dice are"
        lines.append(
            f"    {which} unsure: compare with the table ('lawn read --draw' shows which)."
        )
    return lines


def _summary(dice: Sequence[DieReading]) -> str:
    """How many dice of which colour: "16 dice: 8 blue, 8 red; 1 unsure."."""
    if not dice:
        return "no dice."
    counts = Counter(die.colour for die in dice)
    colours = ", ".join(
        f"{count} {colour}" for colour, count in sorted(counts.items(), key=lambda c: (-c[1], c[0]))
    )
    unsure = sum(die.unsure for die in dice)
    noun = "die" if len(dice) == 1 else "dice"
    return f"{len(dice)} {noun}: {colours}{f'; {unsure} unsure' if unsure else ''}."


def _row(die: DieReading) -> tuple[str, ...]:
    return (
        "?" if die.face is None else str(die.face),
        _percent(max(die.face_p, default=0.0)),
        die.colour,
        _percent(die.colour_p.get(die.colour, 0.0)),
        " ".join(f"{edge:5.0f}" for edge in die.box),
        f"unsure: {', '.join(doubts(die)) or 'look at it'}" if die.unsure else "",
    )


def _mat(mat: dict[str, Any]) -> str:
    if not mat["found"]:
        return "No mat is seen, so no places are told ('lawn mat' prints one; --corners says where a lawn is)."
    by = {"markers": "its markers", "grid": "its lines", "corners": "the corners you gave"}
    how = by.get(mat["by"], "what lies around it")
    return f"The mat is found by {how}, to about {max(mat['error_mm'], 0.1):.1f} mm."


def _place(place: dict[str, Any] | None) -> str:
    """ "3 left" on the Lawn; "row", "captured" or "elsewhere" off it."""
    if place is None:
        return ""
    return f"{place['row']} {place['side']}" if "row" in place else str(place["area"])


def _percent(p: float) -> str:
    """A probability in whole percent, never rounded up to a certainty that it is not."""
    return f"{int(p * 100):3d} %"


def listed(names: Sequence[str]) -> str:
    """ "red", "red and blue", "red, blue and green"; nothing for no names."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


__all__ = ["doubts", "listed", "reading_text", "score_text"]
