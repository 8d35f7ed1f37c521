"""The report of a review as a file and as a page, and doubts that are settled there."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Request
from flask.testing import FlaskClient
from selenium import webdriver

from engine.record import Record
from models.review_bench import compared
from tests.vision.reviews import CLIPS, WISHES, eyes, truth
from tests.webui.conftest import console
from tests.webui.pages import every, resize, soon, text
from vision.film import Film
from vision.review import Review
from vision.review_folder import ReviewFolder
from webui.answers import answers
from webui.catalogue import languages, speak
from webui.guard import guard
from webui.paints import paint
from webui.report import write_index, write_report
from webui.review_page import SHIPPED, SHIPPED_NAME, nobody_is_host, review_routes


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one review, of a real clip."""
    root = tmp_path_factory.mktemp("reviews")
    Review(Film([CLIPS / "pushes.mp4"]), ReviewFolder(root / "game"), WISHES, eyes).run()
    return root


@pytest.fixture
def client(root: Path) -> FlaskClient:
    app = Flask("webui")
    app.jinja_env.globals["version"] = "test"
    speak(app)
    guard(app, "127.0.0.1")
    answers(app)
    app.register_blueprint(review_routes(root))
    return app.test_client()


def test_the_report_opens_without_a_server_and_plays_the_film_at_a_turn(
    root: Path, tmp_path: Path, page: webdriver.Chrome
) -> None:
    report = write_report(root / "game", tmp_path / "report", Record.from_string(truth()["record"]))
    page.get(report.as_uri())
    assert text(page, "h1") == "pushes.mp4"
    assert len(every(page, ".turn")) == 3
    assert "agree in all 3 steps" in text(page, ".report")
    assert "begins in mid-round" in text(page, ".trouble")
    soon(page, lambda: page.execute_script("return document.getElementById('film').duration > 26"))
    images = "return [...document.images].filter(each => !each.naturalWidth && each.loading != 'lazy').length"
    assert page.execute_script(images) == 0
    jump = every(page, ".turn .jump")[1]
    at = float(str(jump.get_attribute("data-at")))
    page.execute_script("arguments[0].click()", jump)
    soon(
        page,
        lambda: page.execute_script("return document.getElementById('film').currentTime") >= at,
    )
    soon(page, lambda: every(page, ".turn")[1].get_attribute("class") == "turn now")
    assert not console(page)
    for width in (360, 1280):
        resize(page, width)
        wide = page.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width
    assert (report.parent / "record.lawn").read_text(encoding="utf-8").startswith("Players: red")


def test_the_report_holds_nothing_from_elsewhere_and_does_not_copy_the_film(
    root: Path, tmp_path: Path
) -> None:
    report = write_report(root / "game", tmp_path, language="de")
    html = report.read_text(encoding="utf-8")
    assert "http://" not in html.replace("http://www.w3.org", "")
    assert "https://" not in html
    assert "Regelverstöße und Zweifel" in html
    assert not list(tmp_path.rglob("*.mp4"))
    assert len(list((tmp_path / "pictures").glob("*.jpg"))) >= 3


def test_a_folder_of_reports_has_a_list_with_those_that_failed(root: Path, tmp_path: Path) -> None:
    done = ReviewFolder(root / "game").read_transcript()
    page = write_index(tmp_path, [done, {"video": "b.mp4", "error": "b.mp4: this file is empty."}])
    html = page.read_text(encoding="utf-8")
    assert "pushes/index.html" in html
    assert "this file is empty" in html


def test_the_reviews_are_pages_of_the_product_in_every_language(client: FlaskClient) -> None:
    for language in languages():
        client.set_cookie("lawn-language", language)
        assert "pushes.mp4" in client.get("/review").get_data(as_text=True)
        html = client.get("/review/game/").get_data(as_text=True)
        assert "data-sources='[\"/review/game/film/0\"]'" in html
        assert str(CLIPS) not in html
        assert "style=" not in html  # the page's rules allow none
    assert client.get("/review/none/").status_code == 404
    assert client.get("/review/game/film/1").status_code == 404
    part = client.get("/review/game/film/0", headers={"Range": "bytes=0-9"})
    assert (part.status_code, len(part.data)) == (206, 10)
    assert client.get("/review/game/picture/1.jpg").data.startswith(b"\xff\xd8")
    for number in (99, 1 << 63):
        assert client.get(f"/review/game/picture/{number}.jpg").status_code == 404
    assert "Round 1" in client.get("/review/game/record.lawn").get_data(as_text=True)
    assert client.get("/api/v1/reviews").get_json()["reviews"][0]["turns"] == 3


def turns_of(transcript: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in transcript["events"] if event["type"] == "turn"]


def test_what_a_person_says_goes_into_the_journal_and_the_rest_follows(client: FlaskClient) -> None:
    told = client.get("/api/v1/reviews/game").get_json()
    first, second, third = (turn["turn"] for turn in turns_of(told))

    def said(**what: Any) -> Any:
        return client.post("/api/v1/reviews/game/settle", json=what)

    confirmed = turns_of(said(confirm=second).get_json())
    assert [turn["source"] for turn in confirmed] == ["camera", "person", "camera"]
    assert len(turns_of(said(remove=third).get_json())) == 2
    assert len(turns_of(said(undo=True).get_json())) == 3
    assert said(question=1, guess=0).status_code == 409
    assert said(remove="none").status_code == 409
    assert said().status_code == 400
    assert first in json.dumps(client.get("/api/v1/reviews/game").get_json())


def test_nothing_that_the_film_shows_is_taken_back(client: FlaskClient) -> None:
    def undo() -> int:
        return client.post("/api/v1/reviews/game/settle", json={"undo": True}).status_code

    while undo() == 200:  # what the test before has said
        pass
    turns = turns_of(client.get("/api/v1/reviews/game").get_json())
    assert [turn["source"] for turn in turns] == ["camera"] * 3
    assert undo() == 409


def test_where_films_lie_is_told_to_the_host_alone(root: Path) -> None:
    film = str((CLIPS / "pushes.mp4").resolve())

    def the_host(_: Request) -> bool:
        return True

    for is_host, shown in ((the_host, film), (nobody_is_host, "pushes.mp4")):
        app = Flask("webui")
        app.register_blueprint(review_routes(root, is_host))
        for path in ("/api/v1/reviews/game", "/review/game/review.json"):
            told = json.loads(app.test_client().get(path).data)
            assert [told["video"], told["videos"][0]["path"]] == [shown, shown]


def test_a_review_that_goes_on_is_not_told_yet(root: Path, client: FlaskClient) -> None:
    folder = ReviewFolder(root / "begun")
    plan = ReviewFolder(root / "game").plan()
    assert plan is not None
    folder.write_plan(plan.model_copy(update={"done": False}))
    try:
        answers = [
            *map(client.get, ("/api/v1/reviews/begun", "/review/begun/record.lawn")),
            client.get("/review/begun/review.json"),
            client.post("/api/v1/reviews/begun/settle", json={"undo": True}),
        ]
        folder.write_plan(plan)  # done, but its files are gone
        answers.append(client.get("/api/v1/reviews/begun"))
        answers.append(client.post("/api/v1/reviews/begun/settle", json={"undo": True}))
    finally:
        shutil.rmtree(folder.path)
    assert [answer.status_code for answer in answers] == [409] * 6
    assert all("not come to its end" in answer.get_data(as_text=True) for answer in answers)


@pytest.mark.parametrize("file", ["plan.json", "review.json"])
def test_a_review_with_damaged_files_stays_in_the_list_and_says_what_to_do(
    root: Path, client: FlaskClient, file: str
) -> None:
    kept = (root / "game" / file).read_bytes()
    (root / "game" / file).write_bytes(kept[: len(kept) // 2])
    try:
        html = client.get("/review").get_data(as_text=True)
        rows = client.get("/api/v1/reviews").get_json()["reviews"]
        page = client.get("/review/game/")
    finally:
        (root / "game" / file).write_bytes(kept)
    assert "cannot be read: run lawn review on its film once more, with --anew" in html
    assert [row["damaged"] for row in rows if row["name"] == "game"] == [True]
    assert page.status_code == 409
    assert "damaged" in page.get_data(as_text=True)
    assert client.get("/api/v1/reviews").get_json()["reviews"][0]["damaged"] is False


def test_a_film_that_was_moved_away_is_said_in_a_sentence(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_file: Callable[[Path], bool] = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda self: self.suffix != ".mp4" and is_file(self))
    answer = client.get("/review/game/film/0")
    assert answer.status_code == 404
    assert "not where it was" in answer.get_data(as_text=True)


def test_the_round_that_ships_has_its_review_and_it_is_exact(client: FlaskClient) -> None:
    before = {path.name: path.read_bytes() for path in SHIPPED.iterdir()}
    truth = json.loads((SHIPPED.parent / "round.json").read_text("utf-8"))
    told = client.get(f"/api/v1/reviews/{SHIPPED_NAME}").get_json()
    result = compared("round", "", truth, told)
    assert result.exact, result.pairs
    assert result.judged
    assert told["unsure"] == []
    html = client.get(f"/review/{SHIPPED_NAME}/").get_data(as_text=True)
    assert "68" in html
    german = client.get(f"/review/{SHIPPED_NAME}/", headers={"Accept-Language": "de"}).text
    assert "Runde zu Ende (alle Würfel sind gesetzt): Rot 68, Blau 33" in german
    part = client.get(f"/review/{SHIPPED_NAME}/film/0", headers={"Range": "bytes=0-9"})
    assert (part.status_code, len(part.data)) == (206, 10)
    picture = next(event["picture"] for event in told["events"] if event["type"] == "turn")
    assert client.get(f"/review/{SHIPPED_NAME}/picture/{picture}.jpg").data.startswith(b"\xff\xd8")
    refused = client.post(f"/api/v1/reviews/{SHIPPED_NAME}/settle", json={"undo": True})
    assert refused.status_code == 409
    assert {path.name: path.read_bytes() for path in SHIPPED.iterdir()} == before


def test_what_ships_as_the_demo_is_small() -> None:
    files = [path for path in SHIPPED.parent.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 10_000_000


def test_the_curves_have_the_colours_of_the_players_dice(client: FlaskClient) -> None:
    html = client.get(f"/review/{SHIPPED_NAME}/").get_data(as_text=True)
    curve = r'<path class="curve"[^>]* stroke="(#\w+)"(?: stroke-dasharray="([\d ]+)")?'
    strokes = re.findall(curve, html)
    assert strokes == [(paint("red")[0], ""), (paint("blue")[0], "8 4")]
