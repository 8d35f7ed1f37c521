"""Twenty pages in the network at once: each gets everything in time, and the reading is not slowed."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

import pytest

from tests.webui.companions import client_of
from tests.webui.tables import FedSource, picture, until
from tests.webui.test_followed_match import Table
from tests.webui.test_server import Serve, connect
from webui import stream
from webui.server import TableServer

VIEWERS = 20
FED_S = 1 / 20
"""A camera's picture so often: 20 a second."""


class Viewer(threading.Thread):
    """A page as a browser shows it: it follows the stream, and loads each picture that is told of."""

    def __init__(self, server: TableServer) -> None:
        super().__init__(daemon=True)
        self.server = server
        self.pictures = self.lost_pictures = 0
        self.heard: dict[int, float] = {}
        self.over = threading.Event()

    def run(self) -> None:
        with closing(connect(self.server)) as following, closing(connect(self.server)) as loading:
            following.request("GET", "/api/v1/events")
            for line in following.getresponse():
                if self.over.is_set():
                    return
                if not line.startswith(b"data: {"):
                    continue
                news = json.loads(line[6:])
                if news.get("match"):
                    self.heard[news["match"]["version"]] = time.monotonic()
                shown = news.get("table", {}).get("picture")
                if shown:
                    self.load(loading, shown["url"])

    def load(self, loading: http.client.HTTPConnection, url: str) -> None:
        loading.request("GET", url)
        answer = loading.getresponse()
        answer.read()
        if answer.status == 200:
            self.pictures += 1
        else:
            self.lost_pictures += 1  # it was replaced meanwhile: dropped rather than late


@pytest.fixture
def followed(source: FedSource, tmp_path: Path) -> Iterator[Table]:
    table = Table(source, tmp_path, turns=6)
    with table.live:
        yield table
        table.companion.close()
        source.close()


def played(table: Table, until_left: int) -> float:
    """Show views at the pace of a camera until so many are left; how long one took, s, at the median."""
    took = []
    while len(table.viewer.views) > until_left:
        left, began = len(table.viewer.views), time.monotonic()
        table.source.feed(picture(left % 200, 1280, 720))
        assert until(lambda left=left: len(table.viewer.views) < left)
        took.append(time.monotonic() - began)
        time.sleep(max(0.0, FED_S - took[-1]))
    return median(took)


def test_twenty_viewers_get_everything_and_do_not_slow_the_reading(
    followed: Table, serve_table: Serve
) -> None:
    server = serve_table(followed.companion)
    client_of(followed.companion).begin()
    alone_s = played(followed, 2 * len(followed.viewer.views) // 3)
    viewers = [Viewer(server) for _ in range(VIEWERS)]
    for viewer in viewers:
        viewer.start()
    assert until(lambda: followed.companion.viewers == VIEWERS)
    assert until(lambda: all(viewer.heard for viewer in viewers))
    said: dict[int, float] = {}
    room = followed.companion.room
    news = room.news

    def noted() -> None:
        said[room.shown.version] = time.monotonic()
        news()

    room.news = noted
    began = time.monotonic()
    took_s = played(followed, 0)
    lasted_s = time.monotonic() - began
    last = max(said)
    assert until(lambda: all(last in viewer.heard for viewer in viewers))
    # A view is looked at by the time the next picture comes, whoever watches; or, where other programs
    # keep the processor busy, about as soon as without any viewer.
    assert took_s < max(FED_S, 3 * alone_s)
    late = [
        viewer.heard[version] - at
        for viewer in viewers
        for version, at in said.items()
        if version in viewer.heard
    ]
    assert median(late) < max(0.150, 3 * alone_s)
    pictures = sum(viewer.pictures for viewer in viewers)
    assert all(viewer.pictures > 0 for viewer in viewers)
    # All streams share so many pictures a second; each also gets one with everything else that is new.
    other_news = (len(said) + 2) * VIEWERS
    assert pictures <= stream.PICTURES_A_SECOND * (lasted_s + 1) + other_news
    for viewer in viewers:
        viewer.over.set()
