"""How a review differs from a typed record, said in the language of the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.alignment import aligned, told
from engine.record import Record
from vision.review_folder import ReviewFolder
from webui.catalogue import Speaker
from webui.report_model import model
from webui.said import Voice
from webui.step_words import differing_words

DEMO = Path(__file__).parent.parent.parent / "webui" / "demo" / "review"
GAME = """Players: red Anna, blue Ben

Round 1
red big roll 15566666
blue big roll 22334455
red low -> 6, place 6 left
blue low -> 16, place 6 right
red low -> 26, place 6 left, push -> 3
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "Different: faces rolled. In the review Anna: re-rolls the 1s → 5, 6 left; in the typed record "
            "Anna: re-rolls the 1s → 6, 6 left. Only in the typed record: Ben: re-rolls the 2s → 16, 6 right. "
            "Only in the typed record: Anna: re-rolls the 5s → 26, 6 left, pushes Ben → 3.",
        ),
        (
            "de",
            "Verschieden: gewürfelte Augen. In der Rückschau Anna: würfelt die 1er neu → 5, 6 links; im getippten "
            "Protokoll Anna: würfelt die 1er neu → 6, 6 links. Nur im getippten Protokoll: Ben: würfelt die 2er "
            "neu → 16, 6 rechts. Nur im getippten Protokoll: Anna: würfelt die 5er neu → 26, 6 links, schiebt "
            "Ben → 3.",
        ),
    ],
)
def test_steps_that_differ_are_said_in_the_language_of_the_report(language: str, said: str) -> None:
    voice = Voice.of(Speaker(language), {"red": "Anna", "blue": "Ben"})
    theirs = told(Record.from_string(GAME).match)
    ours = [dict(step) for step in theirs[:3]]
    ours[2]["rolled"] = [5]
    pairs = [pair for pair in aligned(ours, theirs) if not pair.same]
    sentences = " ".join(differing_words(voice, pair) for pair in pairs)
    assert sentences.replace("\N{NO-BREAK SPACE}", " ") == said


def test_a_german_report_says_what_differs_from_a_typed_record_in_german() -> None:
    shown = model(ReviewFolder(DEMO), Speaker("de"), Record.from_string(GAME)).shown
    said = " ".join(each["text"] for each in shown["comparison"]["differs"])
    assert "Nur in der Rückschau: " in said
    assert "im getippten Protokoll" in said
    for english in ("review", "record", "re-rolls", "edge", "pushes", "row ", "red", "blue"):
        assert english not in said.lower(), english
