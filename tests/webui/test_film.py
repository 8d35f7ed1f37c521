"""A film that waits for whoever looks: nothing of it goes unseen, and it is never faster than it was."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.webui.tables import picture
from vision.frames import Frame, Kind, Source, SourceStatus
from webui.film import Film


class Recording(Source):
    """So many pictures, one in each `step_s`."""

    kind: Kind = "video"

    def __init__(self, count: int, step_s: float) -> None:
        super().__init__("evening.mp4")
        self.count, self.step_s = count, step_s

    def __iter__(self) -> Iterator[Frame]:
        for index in range(self.count):
            yield Frame(picture(index, 8, 8), index * self.step_s, index, self.name)

    def status(self) -> SourceStatus:
        raise AssertionError("the film says how it does")

    def _play(self) -> None:
        raise AssertionError("only the film is played")


def watched(film: Film, reading_s: float) -> list[int]:
    """The numbers of the pictures that somebody sees who takes so long for each."""
    seen: list[int] = []
    index = -1
    while film.status().state == "playing" or film.wait_newer(index, 0.0):
        frame = film.wait_newer(index, 0.2)
        if frame is not None:
            index = frame.index
            seen.append(index)
            time.sleep(reading_s)
    return seen


def test_a_slow_reader_misses_no_picture() -> None:
    with Film(Recording(6, 0.08)) as film:
        assert watched(film, 0.2) == list(range(6))
        assert film.status() == SourceStatus(
            "ended", "evening.mp4 has ended; this is its last picture."
        )


def test_a_quick_reader_sees_it_at_its_own_speed() -> None:
    with Film(Recording(7, 0.08)) as film:
        began = time.monotonic()
        assert watched(film, 0.0) == list(range(7))
        assert 0.44 < time.monotonic() - began < 2


def test_of_many_pictures_a_second_every_other_is_enough() -> None:
    with Film(Recording(12, 0.04)) as film:
        assert watched(film, 0.0) == list(range(0, 12, 2))


def test_it_ends_when_it_is_closed_though_nobody_looks() -> None:
    film = Film(Recording(1000, 0.001))
    film.newest()
    time.sleep(0.05)
    began = time.monotonic()
    film.close()
    assert time.monotonic() - began < 1
    assert film._player is not None
    assert not film._player.is_alive()
    assert film._recording._closing.is_set()
