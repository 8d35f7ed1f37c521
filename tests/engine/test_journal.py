"""The match journal: what is written is there, in order, and nothing changes it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine import journal_file
from engine.errors import JournalError
from engine.journal import MAX_JPEG, Journal
from engine.journal_events import Draft, Kinds, checksum
from tests.engine.journals import JPEG, a_view, note, opened, scripted_drafts, without_rights


def one_sentence(error: pytest.ExceptionInfo[JournalError], *words: str) -> None:
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert "Traceback" not in text
    for word in words:
        assert word in text


def test_what_was_written_is_read_back_by_the_next_program(tmp_path: Path) -> None:
    drafts = scripted_drafts()[:40]
    with opened(tmp_path / "a.match") as journal:
        written = [event for draft in drafts for event in journal.append(draft)]
    with opened(tmp_path / "a.match") as journal:
        assert list(journal.events()) == written
        assert [event.number for event in written] == list(range(1, 41))
        assert [dict(event.body) for event in written] == [dict(draft.body) for draft in drafts]
        for draft, event in zip(drafts, written, strict=True):
            assert (event.view is None) == (draft.view is None)
            if event.view is not None and event.picture is not None:
                assert journal.view(event.view) == draft.view  # with every belief
                assert journal.picture(event.picture) == JPEG
        assert list(journal.events(after=38)) == written[38:]
        assert journal.said == ""


def test_a_moment_with_its_view_and_picture_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with opened(tmp_path / "a.match") as journal:
        journal.append(note("one"))
        with pytest.raises(JournalError):
            journal.append(
                Draft("note", {"text": "two"}, a_view(), JPEG), note("x" * 3), Draft("no", {})
            )
        with pytest.raises(ValueError, match="JSON"):
            journal.append(Draft("note", {"text": float("nan")}, a_view(), JPEG))
        assert len(journal.events()) == 1
        with pytest.raises(JournalError):
            journal.view(1)
        with pytest.raises(JournalError):
            journal.picture(1)
        (two,) = journal.append(Draft("note", {"text": "two"}, a_view(), JPEG))
        (three,) = journal.append(Draft("note", {"text": "three"}, two.view))
        assert (two.number, two.view, three.view) == (2, 1, 1)


def test_an_entry_cannot_refer_to_a_view_that_is_not_there(tmp_path: Path) -> None:
    with opened(tmp_path / "a.match") as journal, pytest.raises(JournalError) as refused:
        journal.append(Draft("note", {"text": ""}, view=3))
    one_sentence(refused, "a.match")


@pytest.mark.parametrize("jpeg", [b"GIF89a", b"", b"\xff\xd8\xff" + bytes(MAX_JPEG)])
def test_a_picture_is_a_small_jpeg(tmp_path: Path, jpeg: bytes) -> None:
    with opened(tmp_path / "a.match") as journal, pytest.raises(JournalError) as refused:
        journal.append(Draft("note", {"text": ""}, jpeg=jpeg))
    one_sentence(refused, "JPEG")


def test_sqlite_is_told_to_be_safe_and_obeys(tmp_path: Path) -> None:
    with opened(tmp_path / "a.match") as journal:
        asked = {
            name: journal._db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "application_id")
        }
    assert asked == {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "application_id": journal_file.APPLICATION_ID,
    }
    assert (tmp_path / "a.match").read_bytes()[68:72] == b"LAWN"


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE events SET body = '{}' WHERE id = 1",
        "DELETE FROM events",
        "REPLACE INTO events SELECT * FROM events WHERE id = 1",
        "INSERT INTO events SELECT id + 2, kind, version, at_s, body, view, picture, crc"
        " FROM events WHERE id = 2",
        "DELETE FROM views",
        "UPDATE views SET time_s = 0",
        "REPLACE INTO views SELECT * FROM views",
        "DELETE FROM pictures",
        "UPDATE pictures SET jpeg = x'00'",
    ],
)
def test_another_program_cannot_change_remove_or_skip_an_entry(tmp_path: Path, attack: str) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(Draft("note", {"text": "one"}, a_view(), JPEG))
        journal.append(note("two"))
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match=r"journal"):
        db.execute(attack)
    db.close()


def test_a_second_writer_is_told_that_the_match_is_open_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(note("one"))
        with pytest.raises(JournalError) as refused:
            opened(path)
        one_sentence(refused, "a.match", "open in another window")
        code = (
            "import sys; from pathlib import Path; from engine.journal import Journal\n"
            "try: Journal.open(Path(sys.argv[1]), clock=lambda: 0.0)\n"
            "except ValueError as error: print(error)"
        )
        other = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )
        assert "open in another window" in other.stdout
        # One can see so without trying to write, and looking keeps nobody out.
        code = (
            "import sys; from pathlib import Path; from engine import journal_file\n"
            "print(journal_file.is_written_elsewhere(Path(sys.argv[1])))"
        )
        looked = [sys.executable, "-c", code, str(path)]
        assert subprocess.run(looked, capture_output=True, check=True).stdout.strip() == b"True"
        journal.append(note("two"))
    assert not journal_file.is_written_elsewhere(path)
    assert not journal_file.is_written_elsewhere(tmp_path / "none.match")
    with opened(path) as journal:  # let go of
        assert len(journal.events()) == 2


def test_a_reader_looks_on_while_the_match_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(note("one"))
        with Journal.look(path) as reader:
            assert len(reader.events()) == 1
            journal.append(note("two"))
            assert [event.body["text"] for event in reader.events()] == ["one", "two"]
            with pytest.raises(JournalError) as refused:
                reader.append(note("three"))
            one_sentence(refused, "read alone")
        journal.append(note("three"))  # the reader's closing took no lock away
        with pytest.raises(JournalError):
            opened(path)


def test_several_threads_may_write_at_once(tmp_path: Path) -> None:
    with opened(tmp_path / "a.match") as journal:
        threads = [
            threading.Thread(target=lambda: [journal.append(note("x")) for _ in range(10)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [event.number for event in journal.events()] == list(range(1, 41))


def test_an_export_is_one_file_with_everything(tmp_path: Path) -> None:
    with opened(tmp_path / "a.match") as journal:
        for draft in scripted_drafts()[:10]:
            journal.append(draft)
        journal.export(tmp_path / "copy.match")
        with pytest.raises(JournalError) as refused:
            journal.export(tmp_path / "copy.match")
        one_sentence(refused, "copy.match", "there already")
        with opened(tmp_path / "copy.match") as copy:
            assert copy.events() == journal.events()
            assert copy.view(1) == journal.view(1)


# --- files that are none ------------------------------------------------------------------


@pytest.mark.parametrize("how", ["open", "look"])
def test_a_folder_is_no_journal(tmp_path: Path, how: str) -> None:
    with pytest.raises(JournalError) as refused:
        opened(tmp_path) if how == "open" else Journal.look(tmp_path)
    one_sentence(refused, "it is a folder")


@pytest.mark.parametrize("how", ["open", "look"])
@pytest.mark.parametrize("content", [b"Players: red, blue\n", b"\x00" * 5000, JPEG])
def test_a_file_of_another_kind_is_refused_and_left_alone(
    tmp_path: Path, how: str, content: bytes
) -> None:
    path = tmp_path / "a.match"
    path.write_bytes(content)
    with pytest.raises(JournalError) as refused:
        opened(path) if how == "open" else Journal.look(path)
    one_sentence(refused, "not a match journal")
    assert [each.name for each in tmp_path.iterdir()] == ["a.match"]
    assert path.read_bytes() == content


@pytest.mark.parametrize("how", ["open", "look"])
@pytest.mark.parametrize("name", ["a.match", "photos.db"])
def test_a_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, how: str, name: str
) -> None:
    path = tmp_path / name
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE cats (name TEXT)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError) as refused:
        opened(path) if how == "open" else Journal.look(path)
    one_sentence(refused, "another program")
    assert path.read_bytes() == before


def test_a_missing_file_can_be_begun_but_not_looked_at(tmp_path: Path) -> None:
    with pytest.raises(JournalError) as refused:
        Journal.look(tmp_path / "no.match")
    one_sentence(refused, "no such file")
    with pytest.raises(JournalError) as refused:
        opened(tmp_path / "nowhere" / "a.match")
    one_sentence(refused, "there is no folder")


def test_a_file_that_a_killed_program_only_just_began_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "a.match"
    path.touch()
    with pytest.raises(JournalError) as refused:
        Journal.look(path)
    one_sentence(refused, "no match yet")
    with opened(path) as journal:
        journal.append(note("one"))
        assert len(journal.events()) == 1


def test_a_folder_that_takes_no_writing_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    with opened(closed / "a.match") as journal:
        journal.append(note("one"))
    (closed / "a.match.lock").unlink()
    for path in closed.iterdir():
        path.chmod(0o444)
    with without_rights(closed):
        for name in ("a.match", "new.match"):
            with pytest.raises(JournalError) as refused:
                opened(closed / name)
            one_sentence(refused, name, "allow writing")
        with Journal.look(closed / "a.match") as reader:  # it can be read all the same
            assert len(reader.events()) == 1


def test_a_full_disk_loses_nothing_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(note("one"))
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count = {pages + 2}")  # SQLite says SQLITE_FULL
        with pytest.raises(JournalError) as refused:
            journal.append(note("two"), note("x" * 50_000))
        one_sentence(refused, "the disk is full", "nothing before it is lost")
        assert len(journal.events()) == 1
        journal._db.execute(f"PRAGMA max_page_count = {pages + 100}")  # room was made
        journal.append(note("two"))
    with opened(path) as journal:
        assert [event.body["text"] for event in journal.events()] == ["one", "two"]


# --- newer and older forms ----------------------------------------------------------------


def test_a_file_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(note("one"))
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    for open_it in (opened, Journal.look):
        with pytest.raises(JournalError) as refused:
            open_it(path)
        one_sentence(refused, "newer Get Off My Lawn", "99", "update")


def test_an_entry_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(note("one"))
        row = (2, "hologram", 1, 0.0, "{}", None, None)
        journal._db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, checksum(*row))
        )
    for open_it in (opened, Journal.look):
        with pytest.raises(JournalError) as refused:
            open_it(path)
        one_sentence(refused, "'hologram'", "newer Get Off My Lawn")


def test_a_file_of_an_older_form_is_brought_to_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(note("one"))
    newer = [*journal_file.MIGRATIONS, "CREATE TABLE clips (id INTEGER PRIMARY KEY, mp4 BLOB);"]
    monkeypatch.setattr(journal_file, "MIGRATIONS", newer)
    with opened(path) as journal:
        journal.append(note("two"))
        assert journal._db.execute("PRAGMA user_version").fetchone()[0] == 2
        assert journal._db.execute("SELECT count(*) FROM clips").fetchone()[0] == 0
        assert [event.body["text"] for event in journal.events()] == ["one", "two"]


def test_an_upgrade_that_fails_leaves_the_old_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.match"
    with opened(path) as journal:
        journal.append(note("one"))
    broken = [*journal_file.MIGRATIONS, "CREATE TABLE a (b); CREATE TABLE a (b);"]
    monkeypatch.setattr(journal_file, "MIGRATIONS", broken)
    with pytest.raises(JournalError):
        opened(path)
    monkeypatch.undo()
    with opened(path) as journal:
        assert len(journal.events()) == 1


def test_entries_of_older_versions_go_through_every_upgrade_of_their_kind() -> None:
    kinds = Kinds({"note": 3, "tea": 2})

    @kinds.upgrader("note", 1)
    def _(body: dict[str, object]) -> dict[str, object]:
        return {"text": body["t"]}

    @kinds.upgrader("note", 2)
    def _(body: dict[str, object]) -> dict[str, object]:
        return {**body, "by": "nobody"}

    assert kinds.newest("note", 1, {"t": "hm"}) == {"text": "hm", "by": "nobody"}
    assert kinds.newest("note", 2, {"text": "hm"}) == {"text": "hm", "by": "nobody"}
    assert kinds.newest("note", 3, {"text": "a", "by": "b"}) == {"text": "a", "by": "b"}
    with pytest.raises(JournalError, match="newer"):
        kinds.newest("note", 4, {})
    with pytest.raises(JournalError, match="can no longer be read"):
        kinds.newest("tea", 1, {})
