"""Steps of a review and of a typed record, and how they differ, in words of the page's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.alignment import Pair
from webui.said import Voice

Step = Mapping[str, Any]


def step_words(voice: Voice, step: Step) -> str:
    """A Big Roll, a tie-break or a turn: "Anna: re-rolls the 5s → 26, 6 left, pushes Ben → 3"."""
    t, kind = voice.says.t, step["type"]
    if kind == "big_roll":
        clauses = [t("live.past-big-roll", faces=_faces(step["faces"]))]
        if step["bonus"]:
            clauses.append(voice.word(step["bonus"]["category"]))
        clauses.append(t("live.past-score", points=step["total"]))
    elif kind == "tie_break":
        clauses = [t("live.past-tie-break", faces=_faces(step["faces"]))]
    else:
        clauses = _turn(voice, step)
    return f"{voice.word(step['player'], named=True)}: {', '.join(clauses)}"


def _turn(voice: Voice, step: Step) -> list[str]:
    t = voice.says.t
    clauses = [t("review.step-rolls", edge=step["edge"], to=_faces(step["rolled"]))]
    clauses += [t("live.past-grind", to=_faces(roll)) for roll in step["grind"]]
    if step["lost"]:
        clauses.append(t("live.past-lost"))
    if step["row"] is not None:
        clauses.append(t(f"live.past-{step['side']}", face=step["row"]))
    if step["pushed"] == "neutral":
        clauses.append(t("live.past-capture", face=step["row"]))
    elif step["pushed"] is not None:
        pushed = voice.word(step["pushed"], named=True)
        clauses.append(t("live.past-push", name=pushed, to=step["reentry"] or "…"))
    if step["locks"] is not None:
        clauses.append(t("live.past-lock", face=step["row"]))
    return clauses


def differing_words(voice: Voice, pair: Pair) -> str:
    """Two accounts of one step that differ, or a step that only one of them tells, in a sentence."""
    t = voice.says.t
    if pair.theirs is None or pair.ours is None:
        alone = pair.ours or pair.theirs
        assert alone is not None
        key = "review.against-only-record" if pair.ours is None else "review.against-only-review"
        return t(key, step=step_words(voice, alone))
    return t(
        "review.against-both",
        fields=voice.listed([t(f"review.field-{name}") for name in pair.differs]),
        ours=step_words(voice, pair.ours),
        theirs=step_words(voice, pair.theirs),
    )


def _faces(faces: list[int]) -> str:
    return "".join(map(str, faces))
