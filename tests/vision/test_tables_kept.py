"""What a table was taught is kept, found again, forgotten without being lost, and set aside when damaged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.heads import Head
from vision.set_colours import SetColours
from vision.tables_kept import KeptTable, TableKeepingError, forget, keep, kept, recall

NOW = "2026-11-30T00:10:00"
TABLE = KeptTable(
    name="club night",
    taught_at=NOW,
    dice=144,
    right=130,
    tuned_right=141,
    head=Head(np.arange(14.0).reshape(7, 2), np.zeros(7)),
    closeup="0123456789ab",
    colours=SetColours((0, 1, 3), (8, 8, 6), np.ones((3, 6))),
    players=("red", "blue"),
)


def test_a_table_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    keep(TABLE, tmp_path)
    again = recall("club night", tmp_path, NOW)
    assert again.head is not None
    assert TABLE.head is not None
    assert np.allclose(again.head.weight, TABLE.head.weight)
    assert again.colours is not None
    assert again.colours.owners == (0, 1, 3)
    assert replace(again, head=None, colours=None) == replace(TABLE, head=None, colours=None)
    assert kept(tmp_path) == ["club night"]


def test_learned_colours_serve_a_match_of_the_same_sets_in_any_seats() -> None:
    assert TABLE.colours is not None
    assert TABLE.colours_for(("red", "blue")) == TABLE.colours
    turned = TABLE.colours_for(("blue", "red"))
    assert turned is not None
    assert turned.owners == (1, 0, 3)
    assert turned.means is TABLE.colours.means
    assert TABLE.colours_for(("red", "green")) is None
    assert replace(TABLE, colours=None).colours_for(("red", "blue")) is None


def test_forgetting_moves_the_file_aside_and_teaching_again_does_not_touch_it(
    tmp_path: Path,
) -> None:
    path = keep(TABLE, tmp_path)
    text = path.read_text()
    first = forget("club night", tmp_path, NOW)
    keep(TABLE, tmp_path)
    second = forget("club night", tmp_path, NOW)
    assert first != second
    assert first.read_text() == second.read_text() == text
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", '{"version": 1}', '{"version": 99}', "[" * 100_000],
    ids=lambda text: repr(text[:20]),
)
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, damage: str) -> None:
    keep(TABLE, tmp_path).write_text(damage)
    with pytest.raises(TableKeepingError, match=r"as club night\.damaged-20261130T001000"):
        recall("club night", tmp_path, NOW)
    (aside,) = tmp_path.glob("*.damaged-*")
    assert aside.read_text() == damage


def test_an_unknown_table_is_answered_with_those_that_are_kept(tmp_path: Path) -> None:
    keep(TABLE, tmp_path)
    with pytest.raises(TableKeepingError, match="kept are: club night"):
        recall("kitchen", tmp_path, NOW)
    with pytest.raises(TableKeepingError, match="No table is kept as 'kitchen'"):
        forget("kitchen", tmp_path, NOW)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 41])
def test_a_name_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(TableKeepingError, match="letters, digits"):
        keep(replace(TABLE, name=name), tmp_path)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TableKeepingError, match="cannot be written"):
        keep(TABLE, tmp_path / "file")
