"""The shelf of matches: everything is listed, nothing is read twice, and no name becomes a path."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import journal_shelf, shelf_cache
from engine.errors import JournalError
from engine.game_events import Noted
from engine.game_steps import Played
from engine.journal_events import Draft
from engine.journal_shelf import Shelf
from engine.match_table import COLUMNS, score_csv
from tests.engine.journals import JPEG, STARTED, opened
from tests.engine.matches import random_match


def keep(
    path: Path, seed: int, part: float = 1.0, names: tuple[str, ...] = ("Anna", "Ben")
) -> None:
    """A journal of the first part of a random match."""
    match = random_match(seed, threshold=STARTED.threshold)
    log = match.log[: int(len(match.log) * part)]
    with opened(path) as journal:
        body = {**STARTED.body(), "names": list(names)}
        drafts = [Draft("played", Played((entry,)).body(), jpeg=JPEG) for entry in log]
        note = Draft("note", Noted("tea").body())
        journal.append(Draft("started", body), *drafts, note)


def test_matches_are_listed_with_what_happened_in_them(tmp_path: Path) -> None:
    keep(tmp_path / "a.match", 1)
    keep(tmp_path / "b.match", 2, 0.4)
    (tmp_path / "c.match").write_text("no match")
    (tmp_path / "b.match.damaged-2026-11-29-200000").write_bytes(b"")
    (tmp_path / "b.match.damaged-2026-11-29-200000-wal").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("tea")
    shelf = Shelf(tmp_path)
    found = {each.id: each for each in shelf.matches()}
    assert list(found)[-1] == "c"
    assert found["a"].info.over
    assert not found["b"].info.over
    assert found["c"].info.problem
    assert found["c"].facts is None
    assert found["a"].facts is not None
    assert [player.name for player in found["a"].facts.players] == ["Anna", "Ben"]
    assert found["a"].to_json()["id"] == "a"
    assert shelf.set_aside() == ("b.match.damaged-2026-11-29-200000",)


def test_a_file_is_read_again_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path / "a.match", 1, 0.3)
    keep(tmp_path / "b.match", 2, 0.3)
    reads: list[str] = []
    look = journal_shelf.Journal.look
    monkeypatch.setattr(
        journal_shelf.Journal, "look", lambda path: reads.append(path.name) or look(path)
    )
    shelf = Shelf(tmp_path)
    first = shelf.matches()
    assert sorted(reads) == ["a.match", "b.match"]
    assert shelf.matches() == first
    assert len(reads) == 2
    with opened(tmp_path / "a.match") as journal:  # as the live table writes while pages look on
        journal.append(Draft("note", Noted("more tea").body()))
        shelf.matches()
        assert reads[2:] == ["a.match"]
    (tmp_path / "b.match").unlink()
    assert [each.id for each in shelf.matches()] == ["a"]


def test_the_next_program_reads_only_what_has_changed_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path / "a.match", 1, 0.3)
    keep(tmp_path / "b.match", 2)
    keep(tmp_path / "c.match", 3, 0.1)
    before = Shelf(tmp_path).matches()
    (tmp_path / "c.match").unlink()
    reads: list[str] = []
    look = journal_shelf.Journal.look
    monkeypatch.setattr(
        journal_shelf.Journal, "look", lambda path: reads.append(path.name) or look(path)
    )
    assert Shelf(tmp_path).matches() == tuple(each for each in before if each.id != "c")
    assert reads == []
    with opened(tmp_path / "a.match") as journal:
        journal.append(Draft("note", Noted("more tea").body()))
    Shelf(tmp_path).matches()
    assert reads == ["a.match"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:0],
        lambda text: text[: len(text) // 2],
        lambda text: text[:0] + "[]",
        lambda text: text[:0] + "[" * 100_000,
        lambda text: text.replace(f'"version": {shelf_cache.VERSION}', '"version": 0'),
        lambda text: text.replace('"thrown"', '"thrwon"'),
        lambda text: text.replace('"players": [', '"players": 7, "x": ['),
    ],
)
def test_what_is_known_may_be_spoiled_and_nothing_is_lost(
    tmp_path: Path, spoil: Callable[[str], str]
) -> None:
    keep(tmp_path / "a.match", 1, 0.3)
    known = tmp_path / shelf_cache.NAME
    before = Shelf(tmp_path).matches()
    known.write_text(spoil(known.read_text("utf-8")), "utf-8")
    assert Shelf(tmp_path).matches() == before
    known.unlink()
    known.mkdir()  # nothing can be kept here
    assert Shelf(tmp_path).matches() == before
    assert not list(tmp_path.glob("*.part"))


def test_of_a_long_shelf_only_the_newest_files_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at, name in enumerate(("c", "a", "b")):
        keep(tmp_path / f"{name}.match", at, 0.05)
        os.utime(tmp_path / f"{name}.match", (at, at))
    reads: list[str] = []
    look = journal_shelf.Journal.look
    monkeypatch.setattr(
        journal_shelf.Journal, "look", lambda path: reads.append(path.name) or look(path)
    )
    assert {each.id for each in Shelf(tmp_path).newest(2)} == {"a", "b"}
    assert sorted(reads) == ["a.match", "b.match"]
    assert Shelf(tmp_path / "none").newest(2) == ()


@pytest.mark.parametrize("name", ["../secret", "a/../../secret", "secret.match", "", ".", "A"])
def test_no_name_from_outside_becomes_a_path(tmp_path: Path, name: str) -> None:
    keep(tmp_path / "secret.match", 1, 0.1)
    (tmp_path / "shelf").mkdir()
    keep(tmp_path / "shelf" / "a.match", 1, 0.1)
    shelf = Shelf(tmp_path / "shelf")
    assert shelf.path(name) is None
    assert shelf.open(name) is None
    assert shelf.picture(name, 1) is None


def test_a_match_is_opened_with_its_log_and_its_pictures(tmp_path: Path) -> None:
    keep(tmp_path / "a.match", 3, 0.2)
    shelf = Shelf(tmp_path)
    opened_match = shelf.open("a")
    assert opened_match is not None
    assert opened_match.log.remarks[-1].text == "tea"
    assert opened_match.log.game.turns[0].picture == 1
    assert shelf.picture("a", 1) == JPEG
    assert shelf.picture("a", 9999) is None


def test_a_folder_that_is_not_there_yet_is_empty_and_a_file_is_none(tmp_path: Path) -> None:
    assert Shelf(tmp_path / "later").matches() == ()
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be listed"):
        Shelf(tmp_path / "file").matches()


def test_the_csv_adds_up_and_runs_no_formula() -> None:
    match = random_match(5, 3, threshold=60)
    text = score_csv(match, name="m", names=("=1+1", 'Ben "B", jr', "Zoë"), began_s=0.0)
    assert text.count("\r\n") == 1 + 3 * len(match.rounds)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["name"] for row in rows[:3]] == ["'=1+1", 'Ben "B", jr', "Zoë"]
    assert rows[0]["began"] == "1970-01-01T00:00:00Z"
    for row in rows:
        parts = [int(row[key]) for key in ("base", "bonus", "captured", "lawn")]
        assert sum(parts) == int(row["round_total"])
    for seat, colour in enumerate(match.colours):
        mine = [row for row in rows if row["colour"] == colour]
        assert sum(int(row["round_total"]) for row in mine) == match.totals[seat]
        assert int(mine[-1]["match_total"]) == match.totals[seat]
    part = match.undo(40, past_others=True)
    rows = list(csv.DictReader(io.StringIO(score_csv(part, name="m", names=(), began_s=0.0))))
    assert {row["finished"] for row in rows} == {"yes", "no"} or len(part.rounds) == 0
