"""The real server: streams beside pages, leaving clients, taken ports, a clean end."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from tests.webui.companions import client_of
from tests.webui.tables import FedSource, ToldReader, big_rolls, picture, until
from webui import door, stream
from webui.companion import Companion
from webui.live import LiveTable
from webui.serve import Serving, serve
from webui.server import THREADS, ServeError, TableServer, listen

Serve = Callable[..., TableServer]


def connect(server: TableServer) -> http.client.HTTPConnection:
    host, port = server.address.removeprefix("http://").rstrip("/").rsplit(":", 1)
    return http.client.HTTPConnection(host, int(port), timeout=10)


class Stream:
    """An open event stream, read block by block."""

    def __init__(self, server: TableServer) -> None:
        self.connection = connect(server)
        self.connection.request("GET", "/api/v1/events")
        self.answer = self.connection.getresponse()
        self.table: dict[str, object] = {}

    def blocks(self) -> Iterator[dict[str, str]]:
        block: dict[str, str] = {}
        for line in self.answer:
            text = line.decode().rstrip("\n")
            if not text:
                yield block
                block = {}
            elif not text.startswith(":"):
                name, _, value = text.partition(": ")
                block[name] = value

    def state(self) -> dict[str, object]:
        """The table as it is after the next event."""
        block = next(block for block in self.blocks() if "id" in block)
        self.table |= json.loads(block["data"]).get("table", {})
        return self.table

    def leave(self) -> None:
        self.answer.close()
        self.connection.close()


def threads_in_streams() -> int:
    """How many workers are inside an event stream now."""
    frames = sys._current_frames().values()
    return sum(_in_stream(frame) for frame in frames)


def _in_stream(frame: object) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "event_stream":  # type: ignore[attr-defined]
            return True
        frame = frame.f_back  # type: ignore[attr-defined]
    return False


def test_many_open_streams_leave_room_for_pages_and_pictures(
    table: LiveTable, source: FedSource, reader: ToldReader, serve_table: Serve
) -> None:
    server = serve_table(table)
    streams = [Stream(server) for _ in range(stream.MAX_STREAMS)]
    assert THREADS > stream.MAX_STREAMS
    for each in streams:
        assert each.answer.status == 200
        assert each.state()["picture"] is None
    with closing(connect(server)) as other:
        other.request("GET", "/api/v1/events")
        refused = other.getresponse()
        assert refused.status == 503
        refused.read()
        other.request("GET", "/live")
        page = other.getresponse()
        assert page.status == 200
        page.read()
    reader.answer = big_rolls({"red": (1, 2, 3, 4, 5, 6, 6, 6)})
    source.feed(picture())
    for each in streams:
        state = each.state()
        assert state["current"] is True
        assert state == table.state.data
        each.leave()


def test_a_client_that_leaves_frees_its_worker(table: LiveTable, serve_table: Serve) -> None:
    server = serve_table(table)
    streams = [Stream(server) for _ in range(5)]
    for each in streams:
        each.state()
    assert until(lambda: threads_in_streams() == 5)
    for each in streams:
        each.leave()
    # Not one picture came meanwhile: it is the leaving itself that is noticed.
    assert until(lambda: threads_in_streams() == 0, seconds=3)


def test_a_client_that_never_reads_holds_up_nobody_else(
    table: LiveTable, source: FedSource, reader: ToldReader, serve_table: Serve
) -> None:
    server = serve_table(table)
    host, port = server.address.removeprefix("http://").rstrip("/").rsplit(":", 1)
    with socket.create_connection((host, int(port))) as asleep:
        asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        asleep.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        awake = Stream(server)
        awake.state()
        # Large states, enough of them to fill whatever lies between the server and the sleeper.
        faces = (1, 2, 3, 4, 5, 6, 6, 6) * 12
        reader.answer = big_rolls(dict.fromkeys(("red", "blue", "green"), faces))
        seen = 0
        for value in range(12):
            source.feed(picture(value))
            state = awake.state()
            assert state["picture"] is not None
            seen += 1
        assert seen == 12
        awake.leave()


def test_the_end_closes_open_streams_at_once(table: LiveTable, serve_table: Serve) -> None:
    server = serve_table(table)
    open_one = Stream(server)
    open_one.state()
    began = time.monotonic()
    server.stop()
    assert list(open_one.blocks()) == []
    assert server.ended.wait(5)
    assert time.monotonic() - began < 3
    with pytest.raises(OSError, match="refused"), closing(connect(server)) as late:
        late.connect()


def test_strangers_are_refused_by_the_real_server_too(table: LiveTable, serve_table: Serve) -> None:
    with closing(connect(serve_table(table))) as strange:
        strange.putrequest("GET", "/live", skip_host=True)
        strange.putheader("Host", "evil.example")
        strange.endheaders()
        answer = strange.getresponse()
        assert answer.status == 403
        assert answer.getheader("Server") is None


@pytest.mark.parametrize(
    ("length", "path"), [("100001", "matches"), ("25000001", "teach/lessons/1")]
)
def test_a_body_that_is_too_large_is_refused_before_it_is_sent(
    table: LiveTable, serve_table: Serve, length: str, path: str
) -> None:
    with closing(connect(serve_table(table))) as stranger:
        stranger.putrequest("POST", f"/api/v1/{path}")
        stranger.putheader("Content-Type", "application/json")
        stranger.putheader("Content-Length", length)
        stranger.putheader("Expect", "100-continue")
        stranger.endheaders()
        answer = stranger.getresponse()
        assert answer.status == 413
        assert json.load(answer)["error"].endswith("kB are taken here.")
        assert answer.getheader("Connection") == "close"


def test_a_body_in_chunks_is_refused_once_it_is_too_large(
    table: LiveTable, serve_table: Serve
) -> None:
    with closing(connect(serve_table(table))) as stranger:
        stranger.putrequest("POST", "/api/v1/matches")
        stranger.putheader("Transfer-Encoding", "chunked")
        stranger.endheaders()
        chunk = b"2000\r\n" + b"x" * 0x2000 + b"\r\n"
        for _ in range(13):  # and no end of them
            stranger.send(chunk)
        answer = stranger.getresponse()
        assert answer.status == 413
        assert json.load(answer)["error"] == "That is too large; at most 100 kB are taken here."


def silent(server: TableServer, says: bytes = b"") -> socket.socket:
    """A connection that says that much and then nothing."""
    host, port = server.address.removeprefix("http://").rstrip("/").rsplit(":", 1)
    client = socket.create_connection((host, int(port)), timeout=10)
    client.sendall(says)
    return client


def test_more_silent_connections_than_there_are_places_keep_nobody_out(
    table: LiveTable, serve_table: Serve
) -> None:
    server = serve_table(table)
    with ExitStack() as held:
        for _ in range(door.CONNECTIONS + 20):
            held.enter_context(silent(server))
        other = held.enter_context(closing(connect(server)))
        other.request("GET", "/live")
        assert other.getresponse().status == 200


@pytest.mark.parametrize("says", [b"", b"GET /live HT"])
def test_a_silent_connection_is_closed_and_others_are_not(
    table: LiveTable, serve_table: Serve, monkeypatch: pytest.MonkeyPatch, says: bytes
) -> None:
    monkeypatch.setattr(door, "SILENT_S", 1.0)
    server = serve_table(table)
    with silent(server, says) as client, closing(connect(server)) as kept:
        kept.request("GET", "/static/api.js")
        kept.getresponse().read()
        assert client.recv(100) == b""
        kept.request("GET", "/static/api.js")
        assert kept.getresponse().status == 200


HEAD = b"POST /api/v1/match/undo HTTP/1.1\r\nHost: localhost\r\n"


def test_a_body_that_drips_in_loses_its_connection(
    table: LiveTable, serve_table: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "BODY_S", 0.5)
    with silent(serve_table(table), HEAD + b"Content-Length: 9000\r\n\r\n") as client:
        client.settimeout(0.05)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                client.sendall(b"1")
                if client.recv(100) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            pytest.fail("it still holds its connection")


@pytest.mark.parametrize("part", [b"", b"0\r\n"], ids=["a part's size", "the last part"])
def test_what_frames_a_body_without_end_is_refused_as_too_large(
    table: LiveTable, serve_table: Serve, part: bytes
) -> None:
    with silent(serve_table(table), HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + part) as client:
        client.sendall(b"1" * 101_000)
        assert client.recv(100).startswith(b"HTTP/1.1 413 ")


# ---- serve()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "dice.png"
    cv2.imwrite(str(path), picture())
    return path


def test_a_taken_port_is_said_so(photo: Path) -> None:
    with closing(listen("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServeError) as error:
            serve(Serving(str(photo), port=port), ToldReader())
    assert str(error.value) == (
        f"Port {port} is taken by another program; end it, or choose another with --port."
    )


def test_a_strange_host_is_said_so(photo: Path) -> None:
    for host in ("192.0.2.1", "no such host"):
        with pytest.raises(ServeError, match=f"^{host} is no address of this machine; take 127"):
            serve(Serving(str(photo), host=host, port=0), ToldReader())


def test_a_broken_source_is_said_so_and_frees_the_port(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match=r"there is no such file or folder"):
        serve(Serving(str(tmp_path / "missing.mp4"), port=0), ToldReader())


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("97", "Camera 97 gives no picture; check its cable. It is tried again all the time."),
        ("camera:Nobody has this", "no camera is called so"),
        ("none", "No camera is used; enter rolls and moves by hand."),
    ],
)
def test_without_a_camera_the_page_comes_up_and_says_so(
    tmp_path: Path, spec: str, says: str
) -> None:
    with served(Serving(spec, port=0, folder=tmp_path)) as companion:
        page = client_of(companion)
        assert until(lambda: says in page.state()["table"]["source"]["says"])
        page.begin()
        page.play("rolled 1 2 3 4 5 6 6 6")
        assert page.match()["big_rolls"][0]["total"] == 54


def test_with_lan_an_address_a_code_and_a_pin_are_told(tmp_path: Path) -> None:
    told: list[str] = []
    up: list[str] = []
    serving = Serving("none", port=0, folder=tmp_path, lan=True, tell=told.append, ready=up.append)
    with served(serving) as companion:
        (said,) = told
        assert up[0].startswith("http://127.0.0.1:"), "where the host's own browser controls"
        assert re.search(r"watch at: http://[0-9.]+:[0-9]+/\n", said)
        assert said.endswith(f"give it the PIN {companion.access.pin}.")
        assert "\N{FULL BLOCK}" in said or "\N{UPPER HALF BLOCK}" in said, "a QR code"


@contextmanager
def served(serving: Serving) -> Iterator[Companion]:
    """What `serve` serves, once it is up, until the test has ended."""
    begun: list[Companion] = []
    up, over = threading.Event(), threading.Event()

    class Enough(Exception):
        pass

    def ready(address: str) -> None:
        serving.ready(address)
        up.set()
        over.wait(20)
        raise Enough

    def run() -> None:
        with pytest.raises(Enough):
            serve(replace(serving, ready=ready), ToldReader(), begun=begun.append)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert up.wait(20)
        yield begun[0]
    finally:
        over.set()
        thread.join(10)


def test_a_fresh_start_may_take_the_port_of_the_one_before(
    table: LiveTable, serve_table: Serve
) -> None:
    server = serve_table(table)
    port = int(server.address.rstrip("/").rsplit(":", 1)[1])
    one = Stream(server)
    one.state()
    server.stop()
    assert server.ended.wait(5)
    serve_table(table, port)


def test_the_address_is_told_once_the_page_can_be_opened(photo: Path) -> None:
    # In a thread, so that the test can end it by raising in `ready`, after having looked.
    told: list[tuple[str, int]] = []

    class Enough(Exception):
        pass

    def look(address: str) -> None:
        host, port = address.removeprefix("http://").rstrip("/").rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=5):
            told.append((address, int(port)))
        raise Enough

    def run() -> None:
        with pytest.raises(Enough):
            serve(Serving(str(photo), port=0, ready=look), ToldReader())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(10)
    ((address, port),) = told
    assert port > 0
    assert address == f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to a process")
def test_ctrl_c_ends_the_program_cleanly(photo: Path, sent: signal.Signals) -> None:
    program = textwrap.dedent(
        """
        import sys
        from tests.webui.tables import ToldReader
        from webui.serve import Serving, serve
        serve(Serving(sys.argv[1], port=0, ready=lambda at: print(at, flush=True)), ToldReader())
        print("ended", flush=True)
        """
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program, str(photo)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        host, port = address.removeprefix("http://").rstrip("/").rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=5) as client:
            client.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200 OK" in client.recv(4096)
            running.send_signal(sent)
            out, err = running.communicate(timeout=5)
    finally:
        running.kill()
    assert (out, err, running.returncode) == ("ended\n", "", 0)
