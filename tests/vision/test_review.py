"""The review of a recording, fed with the views that the networks had of a real clip."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from engine.errors import CorrectionError, JournalError
from engine.game_keeper import GameKeeper
from engine.match import Match
from engine.record import Record
from tests.vision.reviews import (
    LENGTH_S,
    WISHES,
    KeptEyes,
    doubtful_eyes,
    job_of,
    kept_views,
    later_eyes,
    review_of,
    steps,
    truth,
    write_film,
)
from vision import review_folder
from vision.feed import AGAIN_S
from vision.film import BETWEEN_S, Film
from vision.frames import SourceError
from vision.reading import DieReading, Reading
from vision.review import UNANSWERED_S, Review
from vision.review_against import compared
from vision.review_cast import seated
from vision.review_folder import ReviewError, ReviewFolder, Wishes, folder_for
from vision.review_many import reviewed
from vision.review_start import is_beginning, is_whole, starts
from vision.review_text import told
from vision.review_views import KeptView, ViewKeeper
from vision.review_views import kept_views as kept_reviews

SCHEMA = Path(review_folder.__file__).with_name("review.schema.json")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("film") / "game.mp4")


@pytest.fixture(scope="module")
def done(film: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("review") / "game"
    return folder, review_of(folder, film).run()


def sorted_by(step: dict[str, Any]) -> str:
    return json.dumps(step, sort_keys=True)


def test_every_turn_of_a_recording_is_told_though_it_begins_in_mid_round(
    done: tuple[Path, dict[str, Any]],
) -> None:
    wanted = truth()["events"]
    found = steps(done[1])
    assert sorted(found, key=sorted_by) == sorted(steps({"events": wanted}), key=sorted_by)
    for event, true in zip(
        [each for each in done[1]["events"] if each["type"] == "turn"],
        [each for each in wanted if each["type"] == "turn"],
        strict=True,
    ):
        # The truth's turn ends when a pushed die is home again, the review's when its roll is seen; a
        # table that rests is shown to the referee a second time AGAIN_S[0] later, if once did not do.
        assert true["t1_s"] - 3.5 < event["t1_s"] <= true["t1_s"] + AGAIN_S[0] + 0.1
        assert event["frame1"] == pytest.approx(event["t1_s"] * 10, abs=1)


def test_what_was_before_the_recording_is_marked_and_not_guessed(
    done: tuple[Path, dict[str, Any]],
) -> None:
    transcript = done[1]
    (doubt,) = transcript["unsure"]
    assert doubt["type"] == "unsure"
    assert "mid-round" in doubt["question"]
    assert not transcript["scores"]["complete"]
    assert not transcript["scores"]["rounds"][0]["big_rolls_seen"]
    assert not [event for event in transcript["events"] if event["type"] == "big_roll"]
    for colour, score in transcript["scores"]["rounds"][0]["scores"].items():
        assert (score["base"], score["bonus"]) == (None, None)
        assert score["total"] == score["captured"] + score["lawn"]
        assert transcript["scores"]["totals"][colour] == score["total"]
    assert "Not seen: the Big Rolls of round 1; stand-ins are written" in transcript["record"]
    Record.from_string(transcript["record"])  # still a record that can be checked and read


def test_the_transcript_fits_its_schema(done: tuple[Path, dict[str, Any]]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(done[1], schema)
    wrong = json.loads(json.dumps(done[1]))
    next(event for event in wrong["events"] if event["type"] == "turn").pop("edge")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema)


def test_the_record_of_a_review_can_be_read_and_the_text_names_every_turn(
    done: tuple[Path, dict[str, Any]],
) -> None:
    match = Record.from_string(done[1]["record"]).match
    assert match.rulings
    text = told(done[1])
    assert "blue re-rolls the 1s: 2, row 5 right, pushes red, re-entry 6" in text
    assert "captures 5, locks row 5" in text


def test_a_review_that_is_done_is_not_done_again(
    done: tuple[Path, dict[str, Any]], film: Path
) -> None:
    again = review_of(done[0], film)
    assert again.run() == done[1]
    assert again.views == 0


def test_a_folder_of_another_review_is_refused_in_a_sentence(
    done: tuple[Path, dict[str, Any]], film: Path
) -> None:
    other = Review(Film([film]), ReviewFolder(done[0]), Wishes(players=("red", "green")))
    with pytest.raises(ReviewError, match="another recording"):
        other.run()
    with pytest.raises(
        ReviewError, match="begin again with --anew, or give another folder with --keep"
    ):
        other.run()
    one = folder_for([film], Wishes())
    assert one != folder_for([film], Wishes(players=("red", "blue")))
    assert one == folder_for([film], Wishes())


def test_another_film_of_the_same_name_and_length_is_not_passed_off_as_reviewed(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path
) -> None:
    shutil.copytree(done[0], tmp_path / "review")
    other = shutil.copy(film, tmp_path)
    plan = json.loads((tmp_path / "review" / "plan.json").read_text(encoding="utf-8"))
    plan["videos"][0]["path"] = str(Path(other).resolve())
    (tmp_path / "review" / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    assert review_of(tmp_path / "review", Path(other)).run() == done[1]
    content = bytearray(Path(other).read_bytes())
    content[-1] ^= 1  # in the name of the program that wrote it
    Path(other).write_bytes(content)
    with pytest.raises(ReviewError, match="before it was changed"):
        review_of(tmp_path / "review", Path(other)).run()
    assert "sample" not in done[1]["videos"][0]


def test_killed_at_any_moment_it_goes_on_and_comes_to_the_same(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "killed"
    script = (
        "import sys; from tests.vision.reviews import review_slowly; review_slowly(*sys.argv[1:])"
    )
    rng = random.Random(5)
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", script, str(folder), str(film)])
        began = time.monotonic()
        while not (folder / "review.match").is_file() and time.monotonic() - began < 60:
            time.sleep(0.02)
        time.sleep(rng.uniform(0.0, 0.8))
        os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        process.wait()
    last = review_of(folder, film)
    assert steps(last.run()) == steps(done[1])
    assert last.views < len(kept_views())  # it went on where it was


def test_cut_off_while_the_table_is_taken_up_no_stand_in_passes_for_a_big_roll(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise JournalError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(Review, "_rule", full)
        with pytest.raises(JournalError, match="full"):
            review_of(tmp_path, film).run()
    assert ReviewFolder(tmp_path).journal.is_file()
    assert steps(review_of(tmp_path, film).run()) == steps(done[1])


def test_cut_off_before_the_first_entry_of_the_journal_it_begins_again(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path
) -> None:
    shutil.copy(done[0] / "plan.json", tmp_path)
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    (tmp_path / "plan.json").write_text(json.dumps(plan | {"done": False}), encoding="utf-8")
    (tmp_path / "review.match").touch()
    assert steps(review_of(tmp_path, film).run()) == steps(done[1])


def test_two_files_of_one_game_are_one_recording(tmp_path: Path) -> None:
    first, second = write_film(tmp_path / "a.mp4", 11.0), write_film(tmp_path / "b.mp4", 16.0)
    film = Film([first, second])
    wishes = Wishes(players=("red", "blue"))
    made = Review(film, ReviewFolder(tmp_path / "review"), wishes, later_eyes).run()
    assert steps(made)[0]["type"] == "turn"
    assert [video["frame0"] for video in made["videos"]] == [0, 110]
    assert made["videos"][1]["t0_s"] == pytest.approx(11.0 + BETWEEN_S, abs=0.2)
    turns = [event for event in made["events"] if event["type"] == "turn"]
    assert [turn["player"] for turn in turns] == ["blue", "red", "blue"]
    assert turns[-1]["t1_s"] > 30


def test_a_film_that_was_cut_off_is_told_to_the_end_that_is_left_and_what_is_missing_is_a_doubt(
    tmp_path: Path,
) -> None:
    film = write_film(tmp_path / "cut.avi")
    film.write_bytes(film.read_bytes()[: film.stat().st_size // 2])
    made = review_of(tmp_path / "review", film).run()
    assert 0 < made["duration_s"] < LENGTH_S - 5
    (video,) = made["videos"]
    assert made["duration_s"] + video["lacks_s"] == pytest.approx(LENGTH_S, abs=0.2)
    doubt = made["unsure"][-1]
    assert "The film cut.avi ends here, " in doubt["question"]
    assert doubt["t0_s"] == pytest.approx(made["duration_s"], abs=0.2)
    jsonschema.validate(made, json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_what_is_no_film_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("no film")
    with pytest.raises(SourceError):
        Film([tmp_path / "a.txt"])
    outcome = reviewed(job_of(tmp_path / "out", tmp_path / "none.mp4"))
    assert "none.mp4" in outcome.says


def test_a_film_without_a_whole_table_says_so(film: Path, tmp_path: Path) -> None:
    blind = Review(
        Film([film]),
        ReviewFolder(tmp_path),
        Wishes(players=("red", "blue")),
        lambda _: KeptEyes(()),
    )
    with pytest.raises(ReviewError, match="no whole table"):
        blind.run()


def test_every_player_who_may_be_next_is_tried() -> None:
    view = next(view for view in kept_views() if is_whole(view, 2))
    assert not is_beginning(view, 2)
    assert [start.next_up for start in starts(Match.start(colours=("red", "blue")), view)] == [
        "red",
        "blue",
    ]


def test_what_nobody_can_tell_is_told_as_it_likeliest_was_and_the_review_goes_on(
    tmp_path: Path,
) -> None:
    film = write_film(tmp_path / "slow.mp4", 120.0)
    told_ = Review(Film([film]), ReviewFolder(tmp_path / "slow"), WISHES, doubtful_eyes).run()
    turns = [event for event in told_["events"] if event["type"] == "turn"]
    assert len(turns) == 3
    pushed = turns[0]
    assert pushed["reentry"] in (5, 6)
    assert pushed["p"] < 0.9
    assert pushed in told_["unsure"]  # somebody should look at it
    asked = next(event for event in told_["events"] if event.get("guesses"))
    assert {guess["says"] for guess in asked["guesses"]} == {
        "Blue: red's die re-enters as 6.",
        "Blue: red's die re-enters as 5.",
    }
    # It was not left open to the end, and of what came after it is kept when it was seen.
    assert asked["t0_s"] + UNANSWERED_S <= asked["t1_s"] < told_["duration_s"] - 10
    assert turns[1]["t1_s"] < turns[2]["t0_s"] < turns[2]["t1_s"] < asked["t1_s"]


def test_a_guess_that_cannot_be_taken_stops_no_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[GameKeeper] = []

    def refused(keeper: GameKeeper) -> None:
        tried.append(keeper)
        raise CorrectionError("That is not what was logged.")

    monkeypatch.setattr(GameKeeper, "assume", refused)
    film = write_film(tmp_path / "slow.mp4", 120.0)
    told_ = Review(Film([film]), ReviewFolder(tmp_path / "slow"), WISHES, doubtful_eyes).run()
    assert tried
    assert any(event.get("guesses") for event in told_["events"])


def test_a_typed_record_is_laid_beside_the_review(done: tuple[Path, dict[str, Any]]) -> None:
    typed = Record.from_string(truth()["record"])
    assert not compared(done[1], typed).differs
    other = json.loads(json.dumps(done[1]))
    turn = next(event for event in other["events"] if event["type"] == "turn")
    turn["reentry"] = 4
    comparison = compared(other, typed)
    assert len(comparison.differs) == 1
    assert comparison.differs[0].differs == ("reentry",)
    assert "reentry" in comparison.text()


def test_players_are_seated_where_their_dice_lie_and_who_has_none_gets_the_seat_left() -> None:
    corners = [[400.0, 100.0], [600.0, 100.0], [600.0, 440.0], [400.0, 440.0]]
    mat = {"found": True, "by": "corners", "corners": corners, "error_mm": 0.0}

    def die(colour: str, x: float, y: float) -> DieReading:
        box = (x - 10, y - 10, x + 10, y + 10)
        return DieReading(box, 1, (1.0,) + (0.0,) * 5, colour, {}, 0.9, {"area": "elsewhere"})

    def reading(*dice: DieReading) -> Reading:
        return Reading("a", 1000, 600, dice, mat)

    below, above, right = die("red", 500, 520), die("blue", 480, 40), die("green", 760, 250)
    assert seated(["blue", "green", "red"], [reading(below, above, right)]) == (
        "red",
        "blue",
        "green",
    )
    assert seated(["blue", "red"], [reading(below)]) == ("red", "blue")
    assert seated(["blue", "red"], [reading(above)]) == ("red", "blue")


def test_a_review_is_explained_anew_from_its_views_without_the_film(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "again"
    shutil.copytree(done[0], folder)
    again = Review(Film([film]), ReviewFolder(folder), WISHES)  # no eyes: it looks at nothing
    assert again.explain_anew() == done[1]
    assert (folder / "review-1.match").is_file()
    whole = kept_reviews(folder / "views.bin")
    with (folder / "views.bin").open("ab") as file:
        file.write(b"V\xff")  # cut off in the middle
    assert kept_reviews(folder / "views.bin") == whole
    # Not all views: nothing is explained from a part of them.
    before = (folder / "review.match").read_bytes(), again.folder.read_transcript()
    views = (folder / "views.bin").read_bytes()
    for damaged in (views, views[: len(views) // 2], views[:20] + bytes(9) + views[29:], b""):
        (folder / "views.bin").write_bytes(damaged)
        with pytest.raises(ReviewError, match="review the film again with --anew"):
            Review(Film([film]), ReviewFolder(folder), WISHES).explain_anew()
    assert before == ((folder / "review.match").read_bytes(), again.folder.read_transcript())


def test_explaining_anew_that_is_cut_off_changes_nothing(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "again"
    shutil.copytree(done[0], folder)
    journal = (folder / "review.match").read_bytes()

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Review, "_end", cut_off)
        with pytest.raises(KeyboardInterrupt):
            Review(Film([film]), ReviewFolder(folder), WISHES).explain_anew()
    assert (folder / "review.match").read_bytes() == journal
    assert not (folder / "review-1.match").exists()
    assert Review(Film([film]), ReviewFolder(folder), WISHES).explain_anew() == done[1]
    assert (folder / "review-1.match").read_bytes() == journal
    assert not list(folder.glob("new.match*"))


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"{}", b"\xff"])
def test_a_damaged_transcript_is_made_anew_from_the_journal(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path, junk: bytes
) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(done[0], folder)
    (folder / "review.json").write_bytes(junk)
    again = review_of(folder, film)
    assert again.run() == done[1]
    assert again.views == 0
    assert again.folder.read_transcript() == done[1]


def test_damaged_times_are_taken_from_the_film_again(
    done: tuple[Path, dict[str, Any]], film: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(done[0], folder)
    times = folder / "frames.npz"
    for junk in (b"", b"junk", times.read_bytes()[:-90], bytes(70) + times.read_bytes()[70:]):
        times.write_bytes(junk)
        with pytest.raises(ReviewError, match="is damaged"):
            Review(Film([film]), ReviewFolder(folder), WISHES).explain_anew()
    (folder / "review.json").write_bytes(b"{")
    again = review_of(folder, film)
    assert again.run() == done[1]
    assert again.views < len(kept_views())
    # Also where the transcript is whole: settling a doubt needs the times.
    times.write_bytes(b"")
    assert review_of(folder, film).run() == done[1]
    assert len(ReviewFolder(folder).read_times())


def test_views_of_a_second_run_take_the_place_of_those_it_saw_again(tmp_path: Path) -> None:
    first, second = kept_views()[:6], kept_views()[4:9]
    for part in (first, second):
        with ViewKeeper(tmp_path / "views.bin") as keeper:
            for view in part:
                keeper.add(KeptView(view, b"\xff\xd8", [(view.time_s, 3)]))
    found = kept_reviews(tmp_path / "views.bin")
    assert [kept.view for kept in found] == list(kept_views()[:9])
    assert found[0].jpeg == b"\xff\xd8"
    assert found[8].reached == [(kept_views()[8].time_s, 3)]
    assert kept_reviews(tmp_path / "none.bin") == []


def test_a_view_that_was_cut_off_hides_none_that_come_after_it(tmp_path: Path) -> None:
    file = tmp_path / "views.bin"
    for view in kept_views()[:4]:
        with ViewKeeper(file) as keeper:
            keeper.add(KeptView(view, b"\xff\xd8" * 40))
        if view is kept_views()[1]:
            file.write_bytes(file.read_bytes()[:-30])  # a full disk, or a process that was killed
    assert [kept.view for kept in kept_reviews(file)] == list(kept_views()[:4])
