"""The archive without a browser: its JSON and exports, and that no address reaches another file."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from reportlab.pdfbase.pdfmetrics import stringWidth

from engine.record import Record
from tests.webui.companions import by_hand, client_of
from tests.webui.shelves import pages_app, shelve, small_jpeg
from webui.catalogue import Speaker
from webui.said import Voice
from webui.score_sheet import name_head
from webui.turn_words import turn_words


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shelf") / "matches"
    shelve(folder, "over", seed=3, threshold=60, jpeg=small_jpeg(), note="<b>tea</b>")
    people = {"red": "Anna", "blue": "", "green": "Zoë <script>"}
    shelve(folder, "open", seed=4, people=people, part=0.5, ruled="Accepted as it lies.")
    (folder / "broken.match").write_bytes(b"nothing")
    (folder / "over.match.damaged-2026-11-29-200000").write_bytes(b"")
    (folder.parent / "secret.match").write_bytes((folder / "over.match").read_bytes())
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    return pages_app(folder).test_client()


def test_every_match_is_listed_and_what_is_damaged_is_named(client: FlaskClient) -> None:
    page = client.get("/archive").text
    assert 'href="/match/over"' in page
    assert 'href="/match/open"' in page
    assert 'href="/match/broken"' not in page
    assert "broken</strong>: " in page
    assert "over.match.damaged-2026-11-29-200000" in page
    assert "Zoë &lt;script&gt;" in page
    listed = client.get("/api/v1/matches").get_json()
    assert sorted(each["id"] for each in listed["matches"]) == ["broken", "open", "over"]
    assert all("/" not in each["file"] for each in listed["matches"])


def test_a_match_is_told_with_its_turns_remarks_and_rulings(client: FlaskClient) -> None:
    over = client.get("/match/over").text
    assert "&lt;b&gt;tea&lt;/b&gt;" in over
    assert "data-resume" not in over
    assert 'src="/api/v1/matches/over/pictures/1.jpg"' in over
    half = client.get("/match/open").text
    assert 'data-resume="open"' in half
    assert "Accepted as it lies." in half
    told = client.get("/api/v1/matches/open").get_json()
    assert told["history"][-1]["source"] == "ruling"
    assert told["players"][1] == {
        "colour": "blue",
        "name": "",
        "total": told["players"][1]["total"],
    }


def test_the_exports_are_the_match(client: FlaskClient) -> None:
    told = client.get("/api/v1/matches/over").get_json()
    record = client.get("/api/v1/matches/over/record")
    assert "filename=over.lawn" in record.headers["Content-Disposition"]
    assert Record.from_string(record.text).match.to_json() == told["match"]
    rows = list(
        csv.DictReader(io.StringIO(client.get("/api/v1/matches/over/csv").text.lstrip("\ufeff")))
    )
    assert len(rows) == 2 * told["rounds"]
    sheet = client.get("/api/v1/matches/over/score-sheet.pdf")
    assert sheet.mimetype == "application/pdf"
    assert sheet.data.startswith(b"%PDF-")
    assert client.get("/api/v1/matches/over/pictures/1.jpg").data[:2] == b"\xff\xd8"


def test_a_score_sheet_of_many_rounds_goes_on_over_the_page(tmp_path: Path) -> None:
    shelve(tmp_path, "long", seed=2, threshold=2000, people={"red": "A" * 60, "blue": "<&>"})
    data = pages_app(tmp_path).test_client().get("/api/v1/matches/long/score-sheet.pdf").data
    assert len(re.findall(rb"/Type /Page\b", data)) >= 2


def test_a_long_name_stands_whole_on_the_score_sheet(tmp_path: Path) -> None:
    shelve(tmp_path, "long", seed=2, part=0.1)
    pages_app(tmp_path).test_client().get("/api/v1/matches/long/score-sheet.pdf")  # knows the fonts
    room = 220.0
    for name in ("Anna", "Anna-Katharina von der Hohenstein", "W" * 40):
        head = name_head(name, room)
        head.wrap(room, 500)
        lines = [" ".join(words) for _, words in head.blPara.lines]
        assert "".join(lines).replace(" ", "") == name.replace(" ", "")
        for line in lines:
            assert stringWidth(line, head.style.fontName, head.style.fontSize) <= room
    assert name_head("Anna", room).style.fontSize == 13


@pytest.mark.parametrize(
    "name", ["secret", "..%2Fsecret", "../secret", "over.match", "nothing", "%00"]
)
@pytest.mark.parametrize("what", ["", "/record", "/csv", "/score-sheet.pdf", "/pictures/1.jpg"])
def test_no_address_reaches_a_file_beside_the_list(
    client: FlaskClient, name: str, what: str
) -> None:
    assert client.get(f"/api/v1/matches/{name}{what}").status_code == 404
    assert client.get(f"/match/{name}").status_code == 404


def test_a_broken_match_says_why_and_a_missing_picture_is_missing(
    client: FlaskClient, folder: Path
) -> None:
    answer = client.get("/api/v1/matches/broken")
    assert answer.status_code == 409
    for what in ("record", "csv", "score-sheet.pdf"):
        assert client.get(f"/api/v1/matches/broken/{what}").status_code == 409
    for page in (answer.text, client.get("/archive").text):
        assert "broken.match: it is not a match journal." in page
        assert str(folder) not in page
    for number in ("0", "999999", "99999999999999999999"):
        assert client.get(f"/api/v1/matches/over/pictures/{number}.jpg").status_code == 404


def test_every_clause_of_a_record_has_words_in_every_language(client: FlaskClient) -> None:
    lines = client.get("/api/v1/matches/over").get_json()["history"]
    lines += client.get("/api/v1/matches/open").get_json()["history"][:-1]
    german = Voice.of(Speaker("de"), {"blue": "Ben"})
    for turn in lines:
        words = turn_words(german, turn["text"], turn["by"])
        assert not re.search(r"\b(low|high|place|push|big roll|capture|lock)\b", ", ".join(words))
    assert words
    english = Voice.of(Speaker("en"), {"blue": "Ben"})
    words = turn_words(english, "red low 22 -> 16, place 6 left, push blue -> 3", "red")
    plain = tuple(each.replace("\xa0", " ") for each in words)
    assert plain == ("low edge 22 → 16", "6 left", "pushes Ben → 3")
    assert turn_words(german, "red sings", "red") == ("sings",)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("high edge … → 5", "1 left", "→ 3")),
        ("de", ("oberer Rand … → 5", "1 links", "→ 3")),
    ],
)
def test_a_turn_that_the_rules_refuse_is_told_in_words_too(
    language: str, words: tuple[str, ...]
) -> None:
    text = "red: boundary high, red: rolled 5, red: place 1 left, blue: rolled 3"
    told = turn_words(Voice.of(Speaker(language), {}), text, "red")
    assert tuple(each.replace("\xa0", " ") for each in told) == words


@pytest.mark.parametrize("match", ["over", "open"])
def test_turns_are_numbered_as_in_the_record(client: FlaskClient, match: str) -> None:
    history = client.get(f"/api/v1/matches/{match}").get_json()["history"]
    record = client.get(f"/api/v1/matches/{match}/record").text
    numbers = [int(number) for number in re.findall(r"^ *(\d+)\. ", record, re.MULTILINE)]
    assert [turn["number"] for turn in history if turn["number"]] == numbers
    assert not any(turn["number"] for turn in history if "big roll" in turn["text"])


def test_who_only_watches_is_not_offered_to_go_on(tmp_path: Path) -> None:
    shelve(tmp_path, "left", part=0.3)
    client = client_of(by_hand(tmp_path)[1]).client
    for path in ("/", "/match/left"):
        assert "data-resume" in client.get(path).text
        elsewhere = client.get(path, environ_base={"REMOTE_ADDR": "192.168.1.9"}).text
        assert "data-resume" not in elsewhere
        assert "Anna" in elsewhere
