"""What the page says in sentences about the table, scores and turn order."""

from __future__ import annotations

from collections.abc import Sequence

from vision.report import listed
from vision.scoring import DICE_A_PLAYER, TableScore


def who_starts(score: TableScore) -> list[str]:
    """Who plays when, one sentence each (rule 3:4); says why when it cannot be known yet."""
    if not score.groups:
        return ["No dice are seen."]
    if not score.order:
        return [f"No colour has its {DICE_A_PLAYER} dice on the table yet, so nothing is scored."]
    totals = {group.colour: group.roll.total for group in score.groups if group.roll is not None}
    if len(totals) == 1:
        (colour, total), *_ = totals.items()
        return [
            f"{colour.capitalize()} has {total}. "
            f"Who starts is known when a second colour has {DICE_A_PLAYER} dice on the table."
        ]
    if all(len(tied) == 1 for tied in score.order):
        first, *later = [f"{colour} with {totals[colour]}" for (colour,) in score.order]
        colour, rest = first.split(" ", 1)
        return [
            f"{colour.capitalize()} starts {rest}{''.join(f', then {each}' for each in later)}."
        ]
    return [_place(place, tied, totals[tied[0]]) for place, tied in enumerate(score.order)]


def _place(place: int, tied: Sequence[str], total: int) -> str:
    names = listed(tied)
    subject = names[:1].upper() + names[1:]
    if len(tied) == 1:
        return f"{subject} {'starts' if place == 0 else 'follows'} with {total}."
    stake = "who starts" if place == 0 else "who of them plays first"
    who = "both" if len(tied) == 2 else "all of them"
    return (
        f"{subject} tie with {total}: {who} roll all {DICE_A_PLAYER} dice again to see {stake}, "
        "and the scores stay (rule 3:4.B)."
    )


MAT_LOST = "The mat is not found any more, so no places are told; let the camera see it, or set the lawn's corners."
BUMPED = "The camera was moved; the mat is found again, and everything is read anew."


def table_says(
    lying: str, known: bool = True, reaches_in: bool = False, everywhere: bool = False
) -> str:
    """What happens on the table, in a sentence.

    lying: moving, still or covered; known: whether it was read before; reaches_in: whether what moves or
    covers comes from the picture's edge, as an arm does and dice do not; everywhere: whether it is nearly
    all of the picture.
    """
    if lying == "still":
        return "Still."
    if not known:
        return "Waiting until the table lies still."
    if everywhere:
        return "Everything in the picture moves." if lying == "moving" else "The table is covered."
    if reaches_in:
        return "A hand is over the table."
    return "The dice are moving." if lying == "moving" else "Something lies over the table."
