"""How a review is judged against the truth of its recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from models.review_bench import BenchError, compared
from models.review_bench_command import review_bench


def _account(*infringements: tuple[str, str | None]) -> dict[str, Any]:
    events = [{"type": "infringement", "kind": k, "player": p} for k, p in infringements]
    return {"events": events, "duration_s": 9.0, "unsure": []}


def test_a_die_of_the_lawn_turned_by_nobody_knows_whom_is_named_right_without_a_player() -> None:
    truth = _account(("wrong-row", "blue"), ("lawn-die-turned", "red"))
    found = _account(("wrong-row", "blue"), ("lawn-die-turned", None))
    assert compared("cheat", "", truth, found).judged


def test_who_played_on_a_wrong_row_must_be_named() -> None:  # rule 4:3.A
    truth = _account(("wrong-row", "blue"))
    assert not compared("cheat", "", truth, _account(("wrong-row", None))).judged
    assert not compared("cheat", "", truth, _account(("wrong-row", "red"))).judged


def test_a_fault_that_is_named_twice_was_named_once_too_often() -> None:
    truth = _account(("lawn-die-turned", "red"))
    found = _account(("lawn-die-turned", None), ("lawn-die-turned", None))
    assert not compared("cheat", "", truth, found).judged


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no page that can be read"),
        ("# A page", "marks between which"),
    ],  # missing; another page
)
def test_a_page_that_cannot_take_the_table_is_refused_before_anything_is_reviewed(
    tmp_path: Path, text: str | None, said: str
) -> None:
    page = tmp_path / "page.md"
    if text is not None:
        page.write_text(text)
    asked = ["--folder", str(tmp_path), "--made-only", "--out", str(page)]
    ran = CliRunner().invoke(review_bench, asked)
    assert isinstance(ran.exception, BenchError)
    assert said in str(ran.exception)
