"""A damaged journal is set aside, never deleted; what can be read is saved; one sentence says so."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from engine.errors import JournalError
from engine.journal import Journal
from engine.journal_events import LOST
from tests.engine.journals import opened, scripted_drafts, ticking


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "a.match"
    with opened(path) as journal:
        journal.append(*scripted_drafts())
    return path.read_bytes()


@pytest.fixture
def written(tmp_path: Path, whole: bytes) -> Path:
    path = tmp_path / "a.match"
    path.write_bytes(whole)
    return path


def kept_file(path: Path) -> Path:
    (kept,) = [each for each in path.parent.iterdir() if ".damaged-" in each.name]
    return kept


def spoil(path: Path, text: bytes, by: bytes) -> None:
    """Change bytes of the file as a bad disk does."""
    content = path.read_bytes()
    assert content.count(text) == 1
    path.write_bytes(content.replace(text, by))


def test_an_entry_that_changed_on_the_disk_is_noticed_and_only_it_is_lost(written: Path) -> None:
    with opened(written) as journal:
        events = journal.events()
    first = b'"names":["Anna","Ben"]'
    before = written.read_bytes()
    spoil(written, first, b'"names":["Anna","Bob"]')
    damaged = written.read_bytes()
    with pytest.raises(JournalError, match="entry 1 is not as it was written"):
        Journal.look(written)
    assert written.read_bytes() == damaged  # looking changes nothing
    with Journal.open(written, clock=ticking(0.0)) as journal:
        assert kept_file(written).name == "a.match.damaged-1970-01-01-000000"
        assert journal.said == (
            "a.match was damaged (entry 1 is not as it was written): it is kept as "
            "a.match.damaged-1970-01-01-000000; 1 could not be read."
        )
        saved = journal.events()
        assert saved[0].kind == LOST
        assert saved[1:] == events[1:]
        assert journal.view(1).dice
        assert journal.picture(1)
    assert kept_file(written).read_bytes() == damaged != before
    with opened(written) as journal:  # the new file is whole
        assert journal.said == ""


def test_pages_full_of_rubbish_cost_only_the_entries_on_them(written: Path) -> None:
    with opened(written) as journal:
        events = {event.number: event for event in journal.events()}
    content = bytearray(written.read_bytes())
    for page in (12, 20):
        content[page * 4096 : (page + 1) * 4096] = random.Random(page).randbytes(4096)
    written.write_bytes(content)
    with opened(written) as journal:
        assert "was damaged" in journal.said
        saved = [event for event in journal.events() if event.kind != LOST]
        assert len(saved) > len(events) / 2
        for event in saved:
            assert event.kind == events[event.number].kind
            assert event.body == events[event.number].body
    assert kept_file(written).read_bytes() == bytes(content)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_damage_the_file_is_kept_and_one_sentence_says_so(
    written: Path, seed: int
) -> None:
    rng = random.Random(seed)
    content = bytearray(written.read_bytes())
    if seed % 3 == 0:
        content = content[: rng.randrange(100, len(content))]
    else:
        for _ in range(rng.choice([1, 20, 400])):
            content[rng.randrange(100, len(content))] = rng.randrange(256)
    written.write_bytes(content)
    said = ""
    try:
        with opened(written) as journal:
            said = journal.said
            for event in journal.events():
                assert event.number
    except JournalError as error:
        said = str(error)
        assert "nothing of it can be read" in said
    if said:
        assert said.endswith(".")
        assert "\n" not in said
        assert kept_file(written).read_bytes() == bytes(content)
    else:  # the damage hit a picture, or nothing at all
        assert not [each for each in written.parent.iterdir() if "damaged" in each.name]


def test_a_picture_that_changed_on_the_disk_is_not_shown(written: Path) -> None:
    content = written.read_bytes()
    at = content.index(b"no picture, but")
    written.write_bytes(content[:at] + b"NO" + content[at + 2 :])
    with opened(written) as journal:
        assert journal.said == ""
        numbers = [event.picture for event in journal.events() if event.picture is not None]
        wrong = [number for number in numbers if not shows(journal, number)]
        assert len(wrong) == 1 < len(numbers)


def shows(journal: Journal, number: int) -> bool:
    try:
        return bool(journal.picture(number))
    except JournalError:
        return False


def test_damage_twice_at_the_same_time_keeps_both_files(written: Path) -> None:
    for text, by in ((b'["Anna","Ben"]', b'["Anna","Bob"]'), (b'"faces":[', b'"faces":{')):
        content = written.read_bytes()
        at = content.index(text)
        written.write_bytes(content[:at] + by + content[at + len(by) :])
        with Journal.open(written, clock=ticking(0.0)) as journal:
            assert journal.said
    kept = sorted(each.name for each in written.parent.iterdir() if "damaged" in each.name)
    assert kept == [
        "a.match.damaged-1970-01-01-000000",
        "a.match.damaged-1970-01-01-000000-2",
    ]


def test_a_journal_that_is_beyond_reading_is_kept_and_named(written: Path) -> None:
    content = written.read_bytes()
    written.write_bytes(content[:100] + bytes(4000))
    with pytest.raises(JournalError) as refused:
        opened(written)
    assert "nothing of it can be read" in str(refused.value)
    assert kept_file(written).exists()
    assert written.exists()


def test_a_damaged_file_that_is_no_journal_is_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE cats (name TEXT)")
    db.executemany("INSERT INTO cats VALUES (?)", [("x" * 900,)] * 40)
    db.commit()
    db.close()
    spoilt = path.read_bytes()[:5000]
    path.write_bytes(spoilt)
    with pytest.raises(JournalError, match="another program"):
        opened(path)
    assert path.read_bytes() == spoilt
    assert [each.name for each in tmp_path.iterdir()] == ["photos.db"]
