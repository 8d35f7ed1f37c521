"""`lawn review` at the command line: what it prints, writes and refuses. The reviews themselves are made beforehand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.journal_file import WriterLock
from lawn import main
from tests.vision.reviews import WISHES, short_eyes, truth, write_film
from vision.film import Film
from vision.review import Review
from vision.review_folder import ReviewError, ReviewFolder, folder_for
from webui.report import folder_names
from webui.review_outputs import write_whole

PLAYERS = ("--players", "red,blue")


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a film that is reviewed already, in KEEP, and one that is none."""
    folder = tmp_path_factory.mktemp("films")
    film = write_film(folder / "b.mp4", 9.0)
    (folder / "a.mp4").write_bytes(b"this is no film")
    kept = ReviewFolder(folder_for([film], WISHES, folder / "keep"))
    Review(Film([film]), kept, WISHES, short_eyes).run()
    return folder


def lawn(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["review", *map(str, words)])


def test_a_review_is_printed_and_written_as_transcript_record_and_report(
    films: Path, tmp_path: Path
) -> None:
    done = lawn(
        *(films / "b.mp4", *PLAYERS, "--keep", films / "keep", "--report", tmp_path / "report"),
        *("--json", tmp_path / "game.json", "--record", tmp_path / "game.lawn", "--profile"),
    )
    assert done.exit_code == 0, done.output
    assert "blue re-rolls the 1s: 2, row 5 right, pushes red, re-entry 6" in done.output
    assert "times as fast as it plays" in done.output
    told = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert told["players"] == truth()["players"]
    assert (tmp_path / "game.lawn").read_text(encoding="utf-8") == told["record"]
    assert (tmp_path / "report" / "index.html").is_file()
    printed = lawn(films / "b.mp4", *PLAYERS, "--keep", films / "keep", "--json", "-")
    assert json.loads(printed.stdout) == told


def test_a_folder_reports_what_failed_and_goes_on(films: Path, tmp_path: Path) -> None:
    done = lawn(films, *PLAYERS, "--keep", films / "keep", "--report", tmp_path)
    assert done.exit_code == 1
    assert "b.mp4: 1 turn, 1 to be looked at" in done.output
    assert "a.mp4" in done.output.split("Error:")[1]
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "b/index.html" in html
    assert "a.mp4" in html


def test_every_report_has_a_folder_of_its_own() -> None:
    names = ("game.mp4", "game.mov", "Other.mp4", "game.mp4.mov", "other.MOV")
    found = folder_names([Path("films") / name for name in names])
    assert found == ["game.mp4", "game.mov", "Other.mp4", "game.mp4-2", "other.MOV"]
    assert folder_names([Path("a.mp4"), Path("b.mp4")]) == ["a", "b"]


def test_a_typed_record_is_compared(films: Path, tmp_path: Path) -> None:
    record = tmp_path / "typed.lawn"
    record.write_text(truth()["record"], encoding="utf-8")
    done = lawn(films / "b.mp4", *PLAYERS, "--keep", films / "keep", "--against", record)
    assert "differ in" in done.output  # the film shows one turn, the record three
    assert "Only in the record: red re-rolls the 1s" in done.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("none.mp4",), "none.mp4: there is no such file; give a video file"),
        (("0",), "0: there is no such file"),
        (("none.mp4", "--against", "broken.lawn"), "broken.lawn: Line 2: "),
        (("none.mp4", "--players", "red"), "Name two or three different colours"),
        (("none.mp4", "--options", "ending=never"), "ending"),
        (("none.mp4", "--against", "none.lawn"), "none.lawn"),
        (("none.mp4", "--language", "xx"), "There is no report in xx; take en or de."),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_a_sentence(
    words: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.lawn").write_text("Players: red, blue\nred dances\n", encoding="utf-8")
    refused = lawn(*words)
    assert refused.exit_code == 2
    assert says in refused.output
    assert "Traceback" not in refused.output


def test_folders_and_files_are_not_mixed(films: Path, tmp_path: Path) -> None:
    assert "one folder" in lawn(films, films / "b.mp4").output
    assert "no video" in lawn(tmp_path).output
    assert "--record is for one game" in lawn(films, "--record", tmp_path / "x").output


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("wrong", ["typed record", "film", "second program", "journal in use"])
def test_begun_anew_in_vain_the_review_so_far_stays_as_it_is(
    films: Path, tmp_path: Path, wrong: str
) -> None:
    film = shutil.copyfile(films / "b.mp4", tmp_path / "b.mp4")
    kept = folder_for([film], WISHES, tmp_path / "keep")
    Review(Film([film]), ReviewFolder(kept), WISHES, short_eyes).run()
    before = everything(kept)
    words: list[str | Path] = [film, *PLAYERS, "--keep", tmp_path / "keep", "--anew"]
    refused: Result | None
    if wrong == "typed record":
        refused = lawn(*words, "--against", tmp_path / "none.lawn")
    elif wrong == "film":
        film.unlink()
        refused = lawn(*words)
    else:
        lock = WriterLock(kept / ("review" if wrong == "second program" else "review.match"))
        try:
            again = Review(Film([film]), ReviewFolder(kept), WISHES, short_eyes, anew=True)
            with pytest.raises(ValueError, match=r"another (window or )?program"):
                again.run()
            refused = lawn(*words) if wrong == "second program" else None
        finally:
            lock.release()
    assert refused is None or refused.exit_code == 2
    after = everything(kept)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) <= {"review.lock"}


def test_begun_anew_the_journal_so_far_is_set_aside(tmp_path: Path) -> None:
    film = write_film(tmp_path / "b.mp4", 9.0)
    folder = ReviewFolder(tmp_path / "kept")
    first = Review(Film([film]), folder, WISHES, short_eyes).run()
    journal = folder.journal.read_bytes()
    again = Review(Film([film]), folder, WISHES, short_eyes, anew=True).run()
    assert (folder.path / "review-1.match").read_bytes() == journal
    assert again == first


def test_answers_that_are_set_aside_are_said_to_be(films: Path, tmp_path: Path) -> None:
    words: list[str | Path] = [films / "b.mp4", *PLAYERS, "--keep", tmp_path]
    kept = folder_for([films / "b.mp4"], WISHES, tmp_path)
    Review(Film([films / "b.mp4"]), ReviewFolder(kept), WISHES, short_eyes).run()
    assert "is kept as" not in lawn(*words).output
    again = lawn(*words, "--explain-anew")
    assert again.exit_code == 0
    assert f"is kept as {kept / 'review-1.match'}; it does not count" in again.output


@pytest.mark.parametrize("damage", ["", "junk" * 99])
def test_a_damaged_journal_is_told_with_what_to_do(tmp_path: Path, damage: str) -> None:
    film = write_film(tmp_path / "b.mp4", 9.0)
    folder = ReviewFolder(folder_for([film], WISHES, tmp_path / "keep"))
    Review(Film([film]), folder, WISHES, short_eyes).run()
    folder.journal.write_text(damage)
    words = (film, *PLAYERS, "--keep", tmp_path / "keep", "--report", tmp_path / "report")
    refused = lawn(*words)
    assert (refused.exit_code, "; --anew sets it aside" in refused.output) == (2, True)
    assert refused.output.count("\n") == 1
    (folder.path / "plan.json").write_text(damage)
    refused = lawn(*words)
    assert (refused.exit_code, "again with --anew" in refused.output) == (2, True)
    again = Review(Film([film]), folder, WISHES, short_eyes, anew=True)
    assert again.run()["players"] == truth()["players"]
    assert (folder.path / "review-1.match").read_text() == damage


def test_a_review_that_is_cut_off_says_that_it_goes_on(
    films: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Review, "run", cut_off)
    stopped = lawn(films / "b.mp4", *PLAYERS, "--keep", films / "keep")
    assert (stopped.exit_code, "the same command goes on" in stopped.output) == (1, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--record", "none/x.lawn"), "there is no folder none"),
        (("--json", "none/x.json"), "there is no folder none"),
        (("--record", "."), "this is a folder"),
        (("--record", "typed.lawn", "--against", "typed.lawn"), "would be written over"),
        (("--json", "none.mp4"), "would be written over"),
        (("--json", "x", "--record", "x"), "two outputs cannot be one file"),
        (("--report", "typed.lawn/report"), "this folder cannot be written to"),
    ],
)
def test_outputs_are_looked_at_before_the_film(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typed.lawn").write_text(truth()["record"], encoding="utf-8")
    refused = lawn("none.mp4", *words)  # the film that is not there is not reached
    assert (refused.exit_code, says in refused.output) == (2, True), refused.output
    assert (tmp_path / "typed.lawn").read_text(encoding="utf-8") == truth()["record"]


def test_what_was_there_stays_until_all_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "game.lawn"
    out.write_text("of yesterday", encoding="utf-8")

    def disk_full(self: Path, text: str, encoding: str) -> int:
        self.write_bytes(text[:3].encode(encoding))
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", disk_full)
        with pytest.raises(ReviewError, match="No space left"):
            write_whole(out, "of today")
    assert [(each.name, each.read_text("utf-8")) for each in tmp_path.iterdir()] == [
        ("game.lawn", "of yesterday")
    ]
    write_whole(out, "of today")
    assert out.read_text("utf-8") == "of today"
