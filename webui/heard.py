"""What the referee has said, in words, for the page to show and to speak."""

from __future__ import annotations

from typing import Any

from engine.actions import BoundaryRoll, Rolled
from engine.errors import LawnError
from engine.match import Match
from engine.match_log import Entry
from engine.verdict import Desync, Happened, Infringement, Mended, Ruled, Turned, Unsure, Verdict


def heard(verdict: Verdict, before: Match, at_s: float) -> dict[str, Any] | None:
    """{at_s, kind, text, probability, rule} of a verdict worth telling; None of others.

    before: the match before what has happened.
    """
    if isinstance(verdict, Happened):
        if not verdict.final or not verdict.actions:
            return None
        text = " ".join([*told(before, verdict.actions), *verdict.assumed])
        return _said("happened", text, at_s, verdict.probability)
    if isinstance(verdict, Infringement):
        text = f"{verdict.sentence} {verdict.mend}"
        return _said("infringement", text, at_s, verdict.probability, verdict.rule)
    if isinstance(verdict, Unsure | Desync | Mended | Turned | Ruled):
        return _said(type(verdict).__name__.lower(), verdict.sentence, at_s)
    return None


def _said(
    kind: str, text: str, at_s: float, probability: float = 1.0, rule: str | None = None
) -> dict[str, Any]:
    return {"at_s": at_s, "kind": kind, "text": text, "probability": probability, "rule": rule}


def told(match: Match, entries: tuple[Entry, ...]) -> list[str]:
    """Actions in sentences; those that do not fit the match as they are written."""
    sentences: list[str] = []
    for entry in entries:
        try:
            sentences += _sentences(match, entry)
            match = match.apply(entry.action, entry.by)
        except LawnError:
            sentences.append(f"{entry}.")
    return sentences


def _sentences(match: Match, entry: Entry) -> list[str]:
    position, action, who = match.position, entry.action, entry.by.capitalize()
    if isinstance(action, BoundaryRoll):
        return []  # the roll that follows says it
    effects = position.effects(action)
    shows = " ".join(map(str, action.faces)) if isinstance(action, Rolled) else ""
    rolled = {
        "big-roll": f"{who}'s Big Roll: {shows}.",
        "tie-break": f"{who}'s roll for the turn order: {shows}.",
        "boundary-roll": f"{who} rolls the {position.edge} edge: {shows}.",
        "grind-roll": f"{who} rolls all remaining dice: {shows}.",
    }.get(position.phase)
    said = [rolled] if rolled else []
    # The last sentence tells who acts next, which the page shows anyway, unless the round is over.
    said += effects.sentences() if effects.over else effects.sentences()[:-1]
    return said
