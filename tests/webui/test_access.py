"""Who may change what: the page's own requests alone, the host, and those who have given the PIN."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.webui.companions import Client, by_hand
from vision.frames import Kind
from vision.pushed_source import PushedSource
from webui import access as access_room
from webui.access import Access, TooManyGuesses, WrongPin
from webui.app import create_app
from webui.camera_choice import Chosen
from webui.companion import Companion
from webui.folders import without_folders

PHONE = {"REMOTE_ADDR": "192.168.1.23"}
CHANGES = (
    *("/matches", "/matches/x/resume", "/match/actions", "/match/dice", "/match/dice/1"),
    *("/match/turns/1", "/match/undo", "/match/redo", "/match/answer", "/match/accept"),
    *("/match/elect", "/match/pause", "/match/go-on", "/match/note", "/match/leave"),
    *("/camera", "/corners"),
)


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    _, made = by_hand(tmp_path)
    made.access = Access(lan=True, pin="123456")
    yield made
    made.close()


@pytest.fixture
def host(companion: Companion) -> Client:
    return Client(
        create_app(companion, "0.0.0.0", address="http://192.168.1.7:5000/").test_client()
    )


@pytest.fixture
def phone(host: Client) -> FlaskClient:
    """A browser in the same network."""
    client = host.client.application.test_client()
    client.environ_base |= PHONE
    return client


def headers(client: FlaskClient) -> dict[str, str]:
    you = (client.get("/api/v1/state").json or {})["you"]
    return {"X-Lawn": "1", "X-CSRF-Token": you["csrf"]}


# --- changes come from our own page alone


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"headers": {"X-CSRF-Token": ""}}, 403, "earlier run"),
        ({"headers": {"X-CSRF-Token": "0" * 32}}, 403, "earlier run"),
        ({"headers": {"X-Lawn": ""}}, 403, "X-Lawn"),
        ({"headers": {"Origin": "http://evil.example"}}, 403, "Another site"),
        ({"headers": {"Origin": "null"}}, 403, "Another site"),
        ({"headers": {"Origin": "http://[::1"}}, 403, "Another site"),
        ({"headers": {"Sec-Fetch-Site": "same-site"}}, 403, "Another site"),
        ({"headers": {"Host": "evil.example"}}, 403, "own address"),
    ],
)
def test_a_change_from_elsewhere_is_refused(
    host: Client, change: dict[str, Any], status: int, says: str
) -> None:
    for path in CHANGES:
        answer = host.post(path, {}, headers=dict(change["headers"]))
        assert answer.status_code == status, path
        assert says in (answer.json or {})["error"]


def test_a_form_of_another_site_cannot_be_sent_here(host: Client) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"):
        answer = host.client.post("/api/v1/match/undo", data="{}", content_type=kind)
        assert answer.status_code == 415, kind


def test_nothing_is_changed_by_looking_at_an_address(host: Client) -> None:
    for path in set(CHANGES) - {"/corners", "/matches"}:  # those may be looked at as well
        assert host.get(path).status_code in (404, 405), path


def test_a_stale_page_is_told_so_and_finds_the_new_token_in_the_state(host: Client) -> None:
    answer = host.client.post(
        "/api/v1/match/undo", json={}, headers={"X-Lawn": "1", "X-CSRF-Token": "old"}
    )
    assert (answer.status_code, (answer.json or {})["stale"]) == (403, True)
    assert host.post("/match/undo").status_code == 409, "the token of the state is taken"


@pytest.mark.parametrize("size", [100_001, 10_000_000])
def test_what_is_too_large_is_refused_before_it_is_read(host: Client, size: int) -> None:
    answer = host.post("/match/note", {"text": "x" * size})
    assert answer.status_code == 413
    assert (answer.json or {})["error"].endswith("are taken here.")


def test_no_path_from_a_request_reaches_the_disk(host: Client, companion: Companion) -> None:
    outside = companion.room.shelf.folder.parent / "secret.lawn-match"
    outside.write_bytes(b"")
    for name in ("../secret", "..%2fsecret", "/etc/passwd", "%00", "secret", ".", ".."):
        answer = host.post(f"/matches/{name}/resume")
        assert answer.status_code in (308, 404, 405), name
    assert not companion.room.is_playing
    listed = companion.room.shelf.folder
    assert not listed.exists() or not list(listed.iterdir())


def test_pages_carry_the_token_and_no_script_of_their_own(host: Client) -> None:
    for path in ("/live", "/new", "/join"):
        page = host.client.get(path).text
        assert '<meta name="csrf" content="' in page
        scripts = [part.split(">", 1)[0] for part in page.split("<script")[1:]]
        for script in scripts:
            assert "src=" in script or 'type="application/json"' in script, script
        assert " onclick=" not in page
        assert " style=" not in page


# --- who may change anything


def test_others_watch_until_they_give_the_pin(host: Client, phone: FlaskClient) -> None:
    host.begin()
    state = phone.get("/api/v1/state").json or {}
    assert state["match"]["players"][0]["name"] == "Anna"
    assert (state["you"]["controls"], state["you"]["host"], state["you"]["lan"]) == (
        *(False, False, True),
    )
    for path in CHANGES:
        refused = phone.post(f"/api/v1{path}", json={}, headers=headers(phone))
        assert refused.status_code == 401, path
        assert (refused.json or {})["pin"] is True
    wrong = phone.post("/api/v1/join", json={"pin": "654321"}, headers=headers(phone))
    assert (wrong.status_code, "not the PIN" in (wrong.json or {})["error"]) == (401, True)
    joined = phone.post("/api/v1/join", json={"pin": " 123456 "}, headers=headers(phone))
    assert joined.status_code == 200
    cookie = joined.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "123456" not in cookie
    you = (joined.json or {})["you"]
    assert you["controls"] is True
    played = phone.post(
        "/api/v1/match/actions",
        json={"action": "rolled 1 2 3 4 5 6 6 6"},
        headers={"X-Lawn": "1", "X-CSRF-Token": you["csrf"]},
    )
    assert played.status_code == 200, played.text
    assert phone.get("/api/v1/state").json["you"] == you  # type: ignore[index]


def test_a_viewer_sees_neither_the_pin_nor_the_other_cameras(
    host: Client, phone: FlaskClient
) -> None:
    assert (host.get("/join").json or {})["pin"] == "123456"
    invitation = phone.get("/api/v1/join").json or {}
    assert (invitation["pin"], invitation["url"]) == (None, "http://192.168.1.7:5000/")
    for path in ("/join", "/live", "/api/v1/state", "/api/v1/join.svg"):
        answer = phone.get(path)
        assert answer.status_code == 200
        assert "123456" not in answer.text
    assert "123456" in host.client.get("/join").text
    for path in ("/cameras", "/cameras/0/preview.jpg", "/check", "/camera/phone.svg"):
        assert phone.get(f"/api/v1{path}").status_code == 401, path


def test_in_which_folder_files_lie_is_told_to_this_computer_alone(
    host: Client, companion: Companion, tmp_path: Path
) -> None:
    name = host.begin()
    _, other = by_hand(tmp_path)  # another program, which finds the match open
    other.access = companion.access
    app = create_app(other, "0.0.0.0")
    refused = Client(app.test_client()).post(f"/matches/{name}/resume")
    assert str(tmp_path) in refused.text
    device = app.test_client()
    device.environ_base |= PHONE
    device.post("/api/v1/join", json={"pin": "123456"}, headers=headers(device))
    refused = device.post(f"/api/v1/matches/{name}/resume", json={}, headers=headers(device))
    assert refused.status_code == 409
    assert f"{name}.match: this match is open" in refused.text
    assert str(tmp_path) not in refused.text
    assert str(tmp_path) not in device.get("/api/v1/state").text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/media/club/my games/a.match: it is open.", "a.match: it is open."),
        (r"C:\Users\Me You\a.match: it is open.", "a.match: it is open."),
        (
            "It was set aside as /a/b c/d.damaged-1. Go on.",
            "It was set aside as d.damaged-1. Go on.",
        ),
        ("rtsp://10.0.0.7/stream gives no picture.", "rtsp://10.0.0.7/stream gives no picture."),
        ("1280/720 and/or less", "1280/720 and/or less"),
    ],
)
def test_paths_are_cut_down_to_names(text: str, shown: str) -> None:
    assert without_folders(text) == shown


def test_what_costs_much_is_for_those_who_control(host: Client, phone: FlaskClient) -> None:
    assert phone.get("/api/v1/corners/proposal").status_code == 401
    assert host.get("/corners/proposal").status_code == 200


def test_another_browsers_token_is_no_good(host: Client, phone: FlaskClient) -> None:
    stolen = host.state()["you"]["csrf"]
    assert stolen != headers(phone)["X-CSRF-Token"]
    answer = phone.post(
        "/api/v1/join", json={"pin": "123456"}, headers={"X-Lawn": "1", "X-CSRF-Token": stolen}
    )
    assert answer.status_code == 403


def test_what_a_proxy_on_this_machine_passes_on_is_not_the_host(host: Client) -> None:
    state = host.get("/state", headers={"X-Forwarded-For": "203.0.113.9"}).json or {}
    assert state["you"]["controls"] is False
    assert host.state()["you"]["controls"] is True


def test_a_made_up_cookie_controls_nothing(phone: FlaskClient) -> None:
    for key in ("", "x", "a" * 3000, "123456"):
        phone.set_cookie(access_room.COOKIE, key)
        assert (phone.get("/api/v1/state").json or {})["you"]["controls"] is False


def test_the_code_leads_to_the_address(host: Client) -> None:
    code = host.get("/join.svg")
    assert code.mimetype == "image/svg+xml"
    assert b"<script" not in code.data
    assert b"<path" in code.data


def test_without_lan_the_page_says_how_to_open_it(tmp_path: Path) -> None:
    _, companion = by_hand(tmp_path)
    client = Client(create_app(companion).test_client())
    assert "lawn serve --lan" in client.client.get("/join").text
    assert client.get("/join.svg").status_code == 404
    companion.close()


# --- guessing the PIN


def test_wrong_pins_cost_longer_and_longer_waits_and_even_the_right_one_waits() -> None:
    now = [0.0]
    access = Access(pin="123456", clock=lambda: now[0])
    for _ in range(3):
        with pytest.raises(WrongPin):
            access.join("000000", "10.0.0.1")
    waits = []
    for _ in range(12):
        with pytest.raises(TooManyGuesses) as refused:
            access.join("123456", "10.0.0.1")
        waits.append(refused.value.wait_s)
        now[0] += refused.value.wait_s
        with pytest.raises(WrongPin):
            access.join("000000", "10.0.0.1")
    assert waits == sorted(waits)
    assert waits[:4] == [2, 4, 8, 16]
    assert waits[-1] == 600, "some 140 guesses a day, of a million"
    access.join("123456", "10.0.0.2")  # another device is not made to wait


def test_changing_the_address_does_not_make_guessing_faster() -> None:
    now = [0.0]
    access = Access(pin="123456", clock=lambda: now[0])
    for _ in range(100):
        for number in range(50):
            with contextlib.suppress(TooManyGuesses, WrongPin):
                access.join("000000", f"10.0.0.{number}")
            with contextlib.suppress(TooManyGuesses, WrongPin):
                access.join("000000", f"fe80::{number}%eth0")
        now[0] += access_room.ALL_EVERY_S
    taken = sum(each.wrong for each in access._by_address.values())
    assert taken <= access_room.ALL_FREE_GUESSES + access_room.NEWCOMERS + 100
    assert (
        len([each for each in access._by_address if ":" in each]) == 1
    )  # one IPv6 network, one guesser


def test_a_stranger_who_guesses_locks_nobody_out() -> None:
    now = [0.0]
    access = Access(pin="123456", clock=lambda: now[0])
    for number in range(60):
        for _ in range(3):
            with contextlib.suppress(TooManyGuesses, WrongPin):
                access.join("000000", f"10.0.0.{number}")
    access.join(
        "123456", "10.0.0.250"
    )  # who comes for the first time and knows it is let in at once
    with pytest.raises(WrongPin):  # and who mistypes it
        access.join("123450", "10.0.0.251")
    with pytest.raises(TooManyGuesses) as refused:
        access.join("123456", "10.0.0.251")
    now[0] += refused.value.wait_s  # waits for minutes at most, whatever the strangers do
    assert refused.value.wait_s <= access_room.ALL_EVERY_S * (access_room.NEWCOMERS + 2)
    access.join("123456", "10.0.0.251")


def test_too_many_guesses_are_refused_with_how_long_to_wait(phone: FlaskClient) -> None:
    for _ in range(4):
        phone.post("/api/v1/join", json={"pin": "000000"}, headers=headers(phone))
    answer = phone.post("/api/v1/join", json={"pin": "123456"}, headers=headers(phone))
    assert answer.status_code == 429
    assert (answer.json or {})["retry_after_s"] >= 1
    assert answer.headers["Retry-After"]
    assert "Too many wrong PINs" in json.dumps(answer.json)


def test_the_one_who_joined_first_drops_out_when_too_many_control() -> None:
    access = Access(pin="123456")
    keys = [access.join("123456", "10.0.0.1") for _ in range(access_room.MOST_KEYS + 1)]
    assert len(set(keys)) == len(keys)
    assert list(access._keys) == keys[1:]


def test_pins_are_six_digits_and_differ() -> None:
    pins = {Access().pin for _ in range(20)}
    assert len(pins) > 15
    assert all(len(pin) == 6 and pin.isdecimal() for pin in pins)


# --- what others are told of this computer and its cameras


@pytest.mark.parametrize(
    ("spec", "kind", "shown"),
    [
        ("rtsp://user:secret@10.0.0.9:554/live", "stream", "rtsp://10.0.0.9:554/live"),
        ("/media/club/films/game.mp4", "video", "game.mp4"),
        ("/media/club/photos/", "folder", "photos"),
        ("camera:C920", "camera", "camera:C920"),
    ],
)
def test_only_the_host_is_told_a_cameras_password_and_where_its_file_lies(
    host: Client, phone: FlaskClient, companion: Companion, spec: str, kind: Kind, shown: str
) -> None:
    companion.chosen.spec, companion.chosen.source.kind = spec, kind
    assert (host.get("/state").json or {})["camera"]["spec"] == spec
    assert (phone.get("/api/v1/state").json or {})["camera"]["spec"] == shown
    with phone.get("/api/v1/events", buffered=False) as stream:
        first = b"".join(islice(stream.iter_encoded(), 2)).decode()
    assert json.dumps(shown) in first
    assert "secret" not in first


def test_a_phones_key_is_told_to_those_alone_who_control(companion: Companion) -> None:
    phone = MockPhone()
    chosen = Chosen("phone", companion.chosen.source, phone)
    assert chosen.to_json({"controls": False})["phone"] is None
    assert chosen.to_json({"controls": True})["phone"]["url"] == phone.url


class MockPhone:
    """As far as it is told of."""

    source = PushedSource("the phone")
    url = "https://10.0.0.7:5001/?key=secret"
    fingerprint = "AB:CD"

    def instructions(self) -> str:
        return ""

    def close(self) -> None:
        return
