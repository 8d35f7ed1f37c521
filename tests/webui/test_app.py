"""The routes: what they answer, to whom, and with which headers."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.webui.companions import app_of
from tests.webui.tables import FedSource, ToldReader, big_rolls, picture, until
from webui import about
from webui.about import version
from webui.guard import is_ours
from webui.live import LiveTable

GETS = (
    *("/live", "/new", "/join", "/source", "/static/live.js", "/nowhere"),
    *("/api/v1/state", "/api/v1/picture/1.jpg"),
)


@pytest.fixture
def client(table: LiveTable) -> FlaskClient:
    return app_of(table).test_client()


def test_the_page_names_its_licence_version_and_source(client: FlaskClient) -> None:
    page = client.get("/live")
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    for text in ("Get Off My Lawn", "AGPL-3.0-or-later", version(), 'href="/source"', "aria-live"):
        assert text in page.text


def test_every_file_that_the_page_needs_comes_from_here(client: FlaskClient) -> None:
    page = client.get("/live").text
    assert "http:" not in page
    assert "https:" not in page
    for name in (
        "live.js",
        "stream.js",
        "picture.js",
        "labels.js",
        "lawn.js",
        "scores.js",
        "dice.js",
    ):
        assert client.get(f"/static/{name}").mimetype == "text/javascript"
    assert client.get("/static/page.css").mimetype == "text/css"
    assert client.get("/static/icon.svg").mimetype == "image/svg+xml"


def test_scripts_are_sent_compressed_to_who_takes_it(client: FlaskClient) -> None:
    plain = client.get("/static/live.js")
    assert "Content-Encoding" not in plain.headers
    for _ in range(2):
        packed = client.get("/static/live.js", headers={"Accept-Encoding": "gzip, deflate, br"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.headers["Vary"] == "Accept-Encoding"
        assert gzip.decompress(packed.data) == plain.data
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    tag = packed.headers["ETag"]
    again = client.get("/static/live.js", headers={"Accept-Encoding": "gzip", "If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


def test_scripts_are_sent_whole_without_comments_and_indentation(client: FlaskClient) -> None:
    written = (Path(about.__file__).parent / "static" / "live.js").read_text("utf-8")
    sent = client.get("/static/live.js", headers={"Range": "bytes=0-9"})
    assert sent.status_code == 200
    assert "\n// " in written
    assert "\n// " not in sent.text
    assert "\n  " not in sent.text
    assert re.findall(r'"[^"]*"', sent.text)  # what is said stays as it is
    assert set(re.findall(r't\("[^"]*"', sent.text)) == set(re.findall(r't\("[^"]*"', written))
    assert client.head("/static/live.js").headers["Content-Length"] == str(len(sent.data))


def test_the_state_is_the_tables(
    client: FlaskClient, table: LiveTable, source: FedSource, reader: ToldReader
) -> None:
    reader.answer = big_rolls({"red": (1, 2, 3, 4, 5, 6, 6, 6)})
    source.feed(picture())
    assert until(lambda: table.state.data["current"])
    state = client.get("/api/v1/state")
    assert state.mimetype == "application/json"
    assert state.json is not None
    assert state.json["table"] == table.state.data
    shown = client.get(table.state.data["picture"]["url"])
    assert shown.mimetype == "image/jpeg"
    assert shown.data == table.picture(table.state.data["picture"]["version"])


@pytest.mark.parametrize("name", ["999999", "0", "x", "-1", "9" * 6000, "٣"])
def test_a_picture_that_is_not_kept_is_said_so(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/api/v1/picture/{name}.jpg")
    assert answer.status_code == 404
    assert "not kept any more" in answer.text


@pytest.mark.parametrize("path", GETS)
def test_every_answer_carries_the_secure_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_pictures_of_the_home_stay_out_of_caches(
    client: FlaskClient, table: LiveTable, source: FedSource
) -> None:
    source.feed(picture())
    assert until(lambda: table.state.data["picture"] is not None)
    for path in (table.state.data["picture"]["url"], "/api/v1/state"):
        assert client.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", GETS)
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:5000", "localhost.evil.example", "["]
)
def test_a_strange_host_name_is_refused_everywhere(
    client: FlaskClient, path: str, host: str
) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 403
    assert "answers only under its own address" in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:5000", "localhost:5000", "LOCALHOST", "[::1]:5000"])
def test_loopback_names_are_served(client: FlaskClient, host: str) -> None:
    assert client.get("/live", headers={"Host": host}).status_code == 200


def test_on_a_network_address_only_names_that_nobody_can_forge_pass() -> None:
    assert is_ours("192.168.1.7:5000", "0.0.0.0")
    assert is_ours("127.0.0.1:5000", "0.0.0.0")
    assert is_ours("lawn.home:5000", "lawn.home")
    assert not is_ours("evil.example:5000", "0.0.0.0")
    assert not is_ours("192.168.1.7:5000", "127.0.0.1")
    assert not is_ours("", "127.0.0.1")


def test_another_site_may_link_here_but_not_use_what_is_here(client: FlaskClient) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/live", headers=link).status_code == 200
    for path in ("/api/v1/events", "/api/v1/state", "/api/v1/picture/1.jpg"):
        use = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
        assert client.get(path, headers=use).status_code == 403


def test_an_unknown_page_is_answered_in_words_with_a_way_back(client: FlaskClient) -> None:
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert "There is no such page here." in answer.text
    assert 'href="/"' in answer.text


def test_an_unknown_api_is_answered_in_json(client: FlaskClient) -> None:
    answer = client.get("/api/v1/nowhere")
    assert answer.status_code == 404
    assert answer.json == {"error": "There is no such page here."}


@pytest.mark.parametrize("path", ["/live", "/api/v1/state", "/api/v1/events", "/source"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_here_can_be_changed(client: FlaskClient, path: str, method: str) -> None:
    answer = client.open(path, method=method)
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_a_fault_of_the_program_is_answered_in_words(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> bytes:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(table, "picture", broken)
    answer = app_of(table).test_client().get("/api/v1/picture/1.jpg")
    assert answer.status_code == 500
    assert "Something went wrong in the program" in answer.text
    assert "secret detail" not in answer.text


def test_the_source_page_leads_to_the_very_source_that_runs(client: FlaskClient) -> None:
    page = client.get("/source")
    assert page.status_code == 200
    assert 'href="/source.zip"' in page.text
    answer = client.get("/source.zip")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        root = f"get-off-my-lawn-{version()}/"
        names = set(packed.namelist())
        for name in ("webui/about.py", "engine/dice.py", "webui/templates/source.html", "LICENSE"):
            assert root + name in names
        assert all(name.startswith(root) for name in names)
        assert not [name for name in names if name.endswith((".jpg", ".png", ".pt", ".pyc"))]
        page_script = packed.read(root + "webui/static/live.js")
    written = Path(about.__file__).parent / "static" / "live.js"
    assert page_script == written.read_bytes()


def test_an_installed_program_hands_out_its_source_too(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # As a wheel leaves it: packages and metadata, no pyproject.toml.
    (tmp_path / "webui").mkdir()
    (tmp_path / "webui" / "about.py").write_text("here = True")
    metadata = tmp_path / "get_off_my_lawn-9.9.dist-info"
    (metadata / "licenses").mkdir(parents=True)
    (metadata / "licenses" / "LICENSE").write_text("AGPL")
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: get-off-my-lawn\nVersion: 9.9\n"
        "Requires-Dist: flask>=3.0\nRequires-Dist: torch; extra == 'train'\n"
    )
    listed = ("webui/about.py", f"{metadata.name}/licenses/LICENSE", f"{metadata.name}/RECORD")
    (metadata / "RECORD").write_text("".join(f"{name},,\n" for name in listed))
    monkeypatch.setattr(about, "ROOT", tmp_path)
    monkeypatch.setattr(about, "distribution", lambda _: PathDistribution(metadata))
    assert dict(about.source_files()) == {
        "requirements.txt": b"flask>=3.0\n",
        "webui/about.py": b"here = True",
        f"{metadata.name}/licenses/LICENSE": b"AGPL",
    }
    assert "requirements.txt" in client.get("/source").text
