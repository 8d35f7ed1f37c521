"""The description of the API and the API itself: every route is described, every answer is as described."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from jsonschema import Draft202012Validator
from pydantic import BaseModel
from werkzeug.test import TestResponse

from engine.bots import greedy_bot
from engine.game_events import Asked
from engine.match import Match
from engine.match_log import Entry
from engine.table import LawnPlace
from engine.verdict import Guess, Infringement, Unsure
from tests.webui.companions import Client, app_of, by_hand
from tests.webui.tables import FedSource, ToldEyes, picture, seen, until
from tests.webui.test_followed_match import Table
from tests.webui.test_watched_table import MOVING, READING
from vision.kept_corners import CornersStore
from webui import camera_api, join_page, match_api, matches_api, review_page, teach_page
from webui.about import version
from webui.access import Access
from webui.companion import Companion
from webui.live import LiveTable
from webui.openapi import description

PREFIX = "/api/v1"
BODIES: tuple[type[BaseModel], ...] = (
    *(matches_api.NewMatch, match_api.Actions, match_api.NewDie, match_api.Die),
    *(match_api.TurnChange, match_api.Answer, match_api.Election, match_api.Note),
    *(camera_api.Choice, join_page.Pin, review_page.Settle),
    *(teach_page.Learning, teach_page.Named, teach_page.Doing),
)


def resolved(schema: Any) -> Any:
    """A schema with the document's components below it, so that its references lead there."""
    return {**schema, "components": description()["components"]}


class CheckedClient(Client):
    """A page that holds every answer against the description."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app.test_client())
        self.checked: set[tuple[str, str, int]] = set()
        self._paths = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), path, operations)
            for path, operations in description()["paths"].items()
        ]

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.check("get", path, super().get(path, **more))

    def post(self, path: str, data: Any = None, **more: Any) -> TestResponse:
        return self.check("post", path, super().post(path, data, **more))

    def check(self, method: str, path: str, answer: TestResponse) -> TestResponse:
        told = self._described(method, path)["responses"]
        assert str(answer.status_code) in told, f"{method} {path}: {answer.status_code}"
        response = told[str(answer.status_code)]
        if "$ref" in response:
            response = description()["components"]["responses"][response["$ref"].split("/")[-1]]
        assert answer.mimetype in response["content"], f"{method} {path}: {answer.mimetype}"
        schema = response["content"][answer.mimetype].get("schema")
        if schema is not None:
            for error in Draft202012Validator(resolved(schema)).iter_errors(answer.json):
                pytest.fail(
                    f"{method} {path} {answer.status_code}: {error.json_path} {error.message}"
                )
        self.checked.add((method, path, answer.status_code))
        return answer

    def _described(self, method: str, path: str) -> Any:
        # The plainest path first, as a route without parameters goes before one with them.
        for pattern, _, operations in sorted(self._paths, key=lambda each: "{" in each[1]):
            if pattern.fullmatch(path) and method in operations:
                return operations[method]
        raise AssertionError(f"{method} {path} is not described")


@pytest.fixture
def client(tmp_path: Path) -> CheckedClient:
    companion = by_hand(tmp_path / "matches")[1]
    companion.access = Access(lan=True, pin="123456")
    return CheckedClient(app_of(companion, CornersStore(tmp_path / "corners")))


def test_every_route_of_the_api_is_described_and_no_other(client: CheckedClient) -> None:
    routes: set[tuple[str, str]] = set()
    for rule in client.client.application.url_map.iter_rules():
        if not rule.rule.startswith(PREFIX):
            continue
        path = rule.rule.removeprefix(PREFIX)
        plain = re.fullmatch(r"(.*)<any\((.*)\):\w+>", path)
        paths = [path]
        if plain:
            paths = [plain[1] + each.strip(" '") for each in plain[2].split(",")]
        for each in paths:
            named = re.sub(r"<(?:\w+:)?(\w+)>", "{}", each)
            routes |= {(named, method) for method in (rule.methods or set()) & {"GET", "POST"}}
    described = {
        (re.sub(r"\{\w+\}", "{}", path), method.upper())
        for path, operations in description()["paths"].items()
        for method in operations
    }
    assert described == routes


def test_the_document_is_served_with_the_version_that_runs(client: CheckedClient) -> None:
    told = client.get("/openapi.json").json or {}
    assert told["openapi"].startswith("3.1")
    assert told["info"]["version"] == version()
    assert (client.get("/version").json or {})["version"] == version()


def test_its_schemas_are_schemas_and_its_references_lead_somewhere() -> None:
    told = description()
    for name, schema in told["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert schema, name
    text = str(told)
    for reference in set(re.findall(r"#/components/[\w/]+", text)):
        here: Any = told
        for step in reference[2:].split("/"):
            here = here[step]
    ids = [op["operationId"] for path in told["paths"].values() for op in path.values()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("model", BODIES, ids=lambda model: model.__name__)
def test_bodies_are_described_as_they_are_checked(model: type[BaseModel]) -> None:
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas = description()["components"]["schemas"]
    for name, part in schema.pop("$defs", {}).items():
        assert schemas[name] == part
    assert schemas[model.__name__] == schema


def test_every_change_is_told_to_need_both_headers() -> None:
    for path, operations in description()["paths"].items():
        if "post" in operations:
            named = [each.get("$ref", "") for each in operations["post"]["parameters"]]
            assert [each.split("/")[-1] for each in named if each] == ["Lawn", "Csrf"], path
            assert {"401", "403", "415"} <= set(operations["post"]["responses"]), path


@pytest.mark.parametrize(("count", "seed"), [(2, 11), (3, 12)])
def test_the_answers_of_a_match_by_hand_are_as_described(
    client: CheckedClient, count: int, seed: int
) -> None:
    colours = ("purple", "orange", "black")[:count]
    name = client.begin([{"colour": each} for each in colours], threshold=30)
    rng, match, steps = random.Random(seed), Match.start(colours=colours, threshold=30), 0
    while not match.is_over and steps < 36:
        here = match.position
        action = here.throw(rng) if here.is_chance else greedy_bot(here, rng)
        client.play(str(action))
        match, steps = match.apply(action), steps + 1
        if steps % 3 == 1:
            client.state()
    for path in ("/undo", "/redo", "/pause", "/go-on"):
        client.post(f"/match{path}")
        client.state()
    for path in ("/turns", "/position", "/hint", "/picture/9.jpg", "/dice/9.jpg"):
        client.get(f"/match{path}")
    turn = client.match()["turns"][-1]["id"]
    client.post(f"/match/turns/{turn}", {"do": "remove"})
    client.post("/match/actions", {"action": "place 1 center", "by": colours[0]})
    client.post("/match/note", {"text": "Tea"})
    client.state()
    client.post("/match/leave")
    client.state()
    client.post(f"/matches/{name}/resume")
    client.post("/match/leave")
    for path in ("", f"/{name}", f"/{name}/record", f"/{name}/csv", f"/{name}/score-sheet.pdf"):
        assert client.get(f"/matches{path}").status_code == 200, path
    assert client.get("/statistics").status_code == 200
    assert len(client.checked) > 20


def test_the_answers_about_a_followed_match_are_as_described(
    source: FedSource, tmp_path: Path
) -> None:
    table = Table(source, tmp_path, seed=8, turns=1)
    with table.live:
        client = CheckedClient(app_of(table.companion))
        client.begin()
        while table.viewer.views:
            left = len(table.viewer.views)
            source.feed(picture())
            assert until(lambda left=left: len(table.viewer.views) < left)
            client.state()
        match = client.match()
        key = match["table"]["dice"][0]["key"]
        _asked(table.companion, match["players"][0]["colour"])
        client.state()
        client.post("/match/answer", {"guess": 5})
        client.post(f"/match/dice/{key}", {"face": 3})
        place = {"row": 2, "side": "left"}
        client.post("/match/dice", {"face": 2, "owner": 0, "place": place})
        client.state()
        client.post("/match/accept")
        client.state()
        for path in ("/corners", "/corners/proposal"):
            client.get(path)
        table.companion.close()
        source.close()


def test_what_is_said_of_the_table_is_as_described(source: FedSource) -> None:
    eyes = ToldEyes(MOVING)
    with LiveTable(source, eyes, first_version=0) as table:
        client = CheckedClient(app_of(table))
        for answer in (MOVING, seen(READING, bumped=True), RuntimeError("odd")):
            eyes.answer = answer
            version = table.state.version
            source.feed(picture())
            assert table.wait_other(version, 5) is not None
            client.state()
        for path in ("/check", "/corners"):
            client.get(path)
        source.close()


def _asked(companion: Companion, colour: str) -> None:
    """Let an infringement and then a doubt stand open."""
    session = companion.room.session
    entry = Entry(session.log.game.match.log[0].action, colour)
    with session._changed:
        for verdict in (
            Infringement("wrong-row", "4:3.A", colour, "A.", "B.", (LawnPlace(3, "left"),), (1,)),
            Unsure("Which?", (LawnPlace(1, "right"),), (1,), (Guess((entry,), 0.6, "So."),)),
        ):
            session.keeper.write(Asked(verdict))
            session._news(())


def test_the_other_answers_are_as_described(client: CheckedClient) -> None:
    for path in ("/state", "/rulings", "/join", "/join.svg", "/settings", "/statistics"):
        assert client.get(path).status_code == 200, path
    for path in ("/check", "/cameras", "/reviews", "/corners", "/corners/proposal"):
        assert client.get(path).status_code == 200, path
    for path in ("/cameras/99/preview.jpg", "/camera/phone.svg", "/picture/1.jpg", "/teach"):
        assert client.get(path).status_code == 404, path
    assert client.post("/join", {"pin": "1"}).status_code == 401
    assert client.post("/join", {"pin": "123456"}).status_code == 200
    assert client.post("/camera", {"spec": "none"}).status_code == 200
    assert client.post("/camera", {"spec": "x"}).status_code == 400
    assert client.post("/matches", {}).status_code == 400
    assert client.post("/match/undo").status_code == 409
    corners = [[100.0, 60.0], [400.0, 70.0], [420.0, 300.0], [90.0, 310.0]]
    sent = {"width": 640, "height": 360, "corners": corners}
    assert client.post("/corners", sent).status_code == 200
    assert client.post("/corners", {**sent, "corners": []}).status_code == 400
