"""The archive: which matches a folder holds, and what `lawn journal` says of a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import JournalError
from engine.journal import Journal
from engine.journal_archive import info, matches, new_path, printed, record_of
from engine.record import Record
from tests.engine.journals import STARTED, note, opened, scripted_drafts, ticking
from tests.engine.sittings import Sitting


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A finished match, one that is open since a week later, and three files that are none."""
    with opened(tmp_path / "old.match") as journal:
        journal.append(*scripted_drafts())
    week_later = ticking(1_796_600_000.0)
    with Journal.open(tmp_path / "new.match", clock=week_later) as journal:
        journal.append(*scripted_drafts()[:30])
    (tmp_path / "empty.match").touch()
    (tmp_path / "text.match").write_text("red big roll", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not looked at", encoding="utf-8")
    return tmp_path


def test_the_matches_of_a_folder_the_one_played_last_first(archive: Path) -> None:
    new, old, *others = matches(archive)
    assert (new.path.name, old.path.name) == ("new.match", "old.match")
    assert (new.colours, new.names) == (STARTED.colours, STARTED.names)
    assert old.over
    assert old.winners
    assert max(old.totals) >= STARTED.threshold
    assert (new.over, new.winners, new.rounds) == (False, (), 0)
    assert new.turns > 5
    assert new.last_s > old.last_s >= old.began_s
    assert [other.path.name for other in others] == ["empty.match", "text.match"]
    for other in others:
        assert other.problem.endswith(".")
    assert json.loads(json.dumps([each.to_json() for each in matches(archive)]))


def test_a_folder_that_is_none_is_said_so(archive: Path) -> None:
    for path in (archive / "nowhere", archive / "old.match"):
        with pytest.raises(JournalError) as refused:
            matches(path)
        assert str(refused.value).endswith(".")


def test_what_stands_open_is_listed(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path / "a.match")
    sitting.play_seen(9)
    game = sitting.log.game
    sitting.desk.remove_turn(game.turns[-4].id)
    view = sitting.view()
    sitting.keeper.see(replace(view, dice=view.dice[1:]))
    found = info(tmp_path / "a.match")
    assert "Nothing explains the table" in found.open
    assert "not fit any more" in found.open
    text = printed(tmp_path / "a.match", "text")
    assert "[does not fit: " in text
    assert text.splitlines()[-1].startswith("Open: ")
    sitting.close()


def test_names_of_new_files_tell_time_and_players_and_are_free(tmp_path: Path) -> None:
    first = new_path(tmp_path, ("Änna B.", "Ben/../x", ""), lambda: 0.0)
    assert first.name == "1970-01-01-0000-anna-b-ben-x.match"
    first.touch()
    assert new_path(tmp_path, ("Änna B.", "Ben/../x", ""), lambda: 0.0) != first
    assert new_path(tmp_path, (), lambda: 0.0).name == "1970-01-01-0000.match"


def test_a_journal_is_printed_as_text_as_json_and_as_its_record(archive: Path) -> None:
    path = archive / "old.match"
    text = printed(path, "text")
    assert "red Anna, blue Ben" in text
    assert " won." in text
    data = json.loads(printed(path, "json"))
    assert data["over"]
    record = Record.from_string(printed(path, "record"))
    assert record.names == ("Anna", "Ben")
    assert record.match.to_json() == data["match"]
    for line in record.to_string().splitlines():
        if line[:3].strip().isdigit():
            assert line.split(". ")[1] in text  # each turn reads as in the record


def test_names_that_a_record_cannot_hold_are_eased(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path / "a.match")
    sitting.play_seen(2)
    log = replace(sitting.log, started=replace(sitting.log.started, names=("A, the first", "B")))
    assert record_of(log).names == ("A the first", "B")
    sitting.close()


@pytest.mark.parametrize("form", ["text", "json", "record"])
def test_a_file_that_is_no_match_is_refused_in_one_sentence(archive: Path, form: str) -> None:
    with opened(archive / "noplayers.match") as journal:
        journal.append(note("hello"))
    for name in ("empty.match", "text.match", "noplayers.match", "missing.match", "."):
        with pytest.raises(JournalError) as refused:
            printed(archive / name, form)  # type: ignore[arg-type]
        said = str(refused.value)
        assert said.endswith(".")
        assert "\n" not in said
        assert str(archive) in said


def test_a_damaged_journal_is_mended_when_that_is_asked_for(archive: Path) -> None:
    path = archive / "old.match"
    content = path.read_bytes()
    at = content.index(b'"action":"place"')
    path.write_bytes(content[:at] + b'"action":"plaze"' + content[at + 16 :])
    with pytest.raises(JournalError, match="--mend"):
        printed(path, "text")
    text = printed(path, "text", ticking(0.0))
    assert text.startswith("old.match was damaged")
    assert "1 entry could not be read" in text
    assert "[does not fit: " in text  # what followed from the lost entry is listed, not dropped
    assert (archive / "old.match.damaged-1970-01-01-000000").exists()
    with pytest.raises(JournalError, match="no such file"):
        printed(archive / "missing.match", "text", ticking())
    assert not (archive / "missing.match").exists()
