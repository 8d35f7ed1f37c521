"""Every verdict survives its JSON form."""

from __future__ import annotations

import json

import pytest

from engine.actions import parse_action
from engine.errors import TableError
from engine.match_log import Entry
from engine.position import Position
from engine.table import ELSEWHERE, Area, LawnPlace
from engine.verdict import (
    KINDS,
    RULE_OF,
    Agrees,
    Desync,
    Difference,
    Guess,
    Happened,
    Infringement,
    Mended,
    Ruled,
    Turned,
    Unsure,
    Verdict,
    verdict_from_json,
    verdict_to_json,
)
from tests.engine.tables import table

POSITION = table("boundary-choice red", {"red": "11233455", "blue": "11233455"})
ACTIONS = (
    Entry(parse_action("boundary low"), "red"),
    Entry(parse_action("rolled 3 5"), "red"),
    Entry(parse_action("place 5 right"), "red"),
)
FLANK = LawnPlace(5, "right")


@pytest.mark.parametrize(
    "verdict",
    [
        Agrees(),
        Agrees("sliding"),
        Happened(ACTIONS, 0.998, True, POSITION, ("Which edge was rolled cannot be seen.",)),
        Infringement("wrong-row", "4:3.A", "blue", "Blue played.", "Put.", (FLANK,), (7, 9), 0.9),
        Infringement("die-missing", "1:1", None, "A die is missing.", "Look.", (ELSEWHERE,)),
        Mended("The table fits again.", "wrong-row"),
        Unsure("Which?", (Area("row", 1),), (3,), (Guess(ACTIONS, 0.6, "Red placed a 5."),)),
        Unsure("Which?", (), (), (Guess(ACTIONS, 0.6, "Red placed a 5.", 3),)),
        Desync("Out of step.", (Difference(FLANK, "red 5", "nothing", ()),)),
        Turned("The mat is turned.", True),
        Ruled(Position.start(2), "Accepted.", ((FLANK, 4),)),
    ],
    ids=lambda verdict: type(verdict).__name__,
)
def test_a_verdict_comes_back_from_json(verdict: Verdict) -> None:
    assert verdict_from_json(json.loads(json.dumps(verdict_to_json(verdict)))) == verdict


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"verdict": "guilty"},
        {"verdict": "mended"},
        {"verdict": "ruled", "position": "x", "sentence": "", "tolerated": []},
        {
            "verdict": "ruled",
            "position": Position.start(2).to_string(),
            "sentence": "",
            "tolerated": 3,
        },
    ],
)
def test_what_is_no_verdict_is_refused(data: object) -> None:
    with pytest.raises(TableError):
        verdict_from_json(data)


def test_every_kind_of_infringement_names_its_rule() -> None:
    assert set(RULE_OF) == set(KINDS)


def test_a_question_of_a_journal_from_before_answers_could_replace_is_read() -> None:
    data = verdict_to_json(Unsure("Which?", (), (), (Guess(ACTIONS, 0.6, "Red placed a 5."),)))
    del data["guesses"][0]["replaces"]
    question = verdict_from_json(data)
    assert isinstance(question, Unsure)
    assert [guess.replaces for guess in question.guesses] == [0]
