"""What looks at a source's pictures for the live table: a whole reading of each, or watching what changes."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.lawn import Owner
from engine.table import TableView, place_to_json
from vision.frames import Frame
from vision.mat import NOT_FOUND, FoundMat
from vision.reading import Reading
from vision.view_reading import reading_of, shown_dice
from vision.watch import Look
from webui.words import MAT_LOST, table_says

Polygon: TypeAlias = NDArray[np.float32]
Lying: TypeAlias = Literal["moving", "still", "covered"]

ROUGH_PX = 1.5
"""Outlines of what is hidden are told to about this, px of the small picture they come from."""
PATIENCE_S = 3.0
"""While something moves, what is read beside it waits so long for the whole table to be read."""
SETTLING_S = 1.0
"""What has come to rest is read within this time, s; else it is said to be covered."""
ALL_SHARE = 0.6
"""What moves in more of the picture than this is mostly the picture itself."""
EDGE_PX = 3.0
"""What comes so near to the picture's edge, px of the small picture, reaches in from outside."""


@dataclass(frozen=True)
class Seen:
    """What is known of the table with one picture.

    reading: the last one, None before the first and when the picture could not be read; untouched: for
    each of its dice whether nothing has touched it since; current: whether the reading is the table as
    it is now, wherever it is not hidden; mat: as in Reading.to_json; hidden: outlines (N, 2) px of what
    cannot be read now; hidden_places: the places there (engine.table.place_to_json); lying: whether
    something moves, nothing does, or something lies over the table; says: the same in a sentence;
    bumped: with this picture the mat was found again after the camera was moved; notices: sentences
    about this picture, besides the reading's own.
    """

    reading: Reading | None
    untouched: tuple[bool, ...]
    current: bool
    mat: Mapping[str, Any]
    hidden: tuple[Polygon, ...] = ()
    hidden_places: tuple[Mapping[str, Any], ...] = ()
    lying: Lying = "still"
    says: str = field(default=table_says("still"))
    bumped: bool = False
    notices: tuple[str, ...] = ()

    def news(self, before: Seen | None) -> bool:
        """Whether this says more than the one before: another picture of the same is no news."""
        return before is None or self._gist != before._gist

    @property
    def _gist(self) -> tuple[object, ...]:
        """All but where a hand is: that changes with every picture."""
        return (
            id(self.reading), self.untouched, self.current, self.mat, self.lying, self.says,
            self.bumped, self.notices,
        )  # fmt: skip


class Eyes(Protocol):
    """Looks at the pictures of one source, in order; not from two threads at once.

    rest_s: how long to rest after a picture.
    """

    rest_s: float

    def see(self, frame: Frame) -> Seen:
        """Take in a picture. May raise anything; the next picture is tried all the same."""
        ...

    def lost(self) -> None:
        """No picture came for a while: the table may have changed unseen."""
        ...

    def look_for_mat(self) -> None:
        """Look for the mat anew with the next picture; callable from any thread."""
        ...


@runtime_checkable
class Reader(Protocol):
    """What reads the dice in a picture: vision.reader.TableReader, or a stand-in."""

    def read(self, image: NDArray[np.uint8], name: str) -> Reading: ...


class WholeReader:
    """Reads every picture whole, as one that stands alone: photos, and folders of them."""

    rest_s = 0.1
    """Ten readings a second are enough for pictures that nobody is playing in."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def see(self, frame: Frame) -> Seen:
        reading = self._reader.read(frame.image, frame.name)
        return Seen(reading, (True,) * len(reading.dice), True, reading.mat or NOT_FOUND)

    def lost(self) -> None:
        return

    def look_for_mat(self) -> None:
        return


class Watched(Protocol):
    """What is used of vision.view.Viewer; tests bring their own."""

    @property
    def mat(self) -> FoundMat | None: ...
    @property
    def look(self) -> Look | None: ...
    @property
    def settled(self) -> bool: ...
    def see(self, image: NDArray[np.uint8], time_s: float) -> TableView | None: ...
    def see_alone(self, image: NDArray[np.uint8], time_s: float) -> TableView: ...
    def current(self) -> TableView | None: ...
    def lost(self) -> None: ...
    def look_for_mat(self) -> None: ...
    @property
    def hidden_outlines(self) -> tuple[Polygon, ...]: ...
    @property
    def hidden_places(self) -> frozenset[Any]: ...
    @property
    def colours(self) -> dict[int, dict[str, float]]: ...


class Feed(Protocol):
    """What is told of every frame: webui.match_feed.MatchFeed."""

    def before(self) -> None: ...
    def take(self, frame: Frame, view: TableView | None) -> None: ...


class Watcher:
    """Watches one table: reads only what is still and uncovered, and after a change only what changed.

    names: the colour of every owner, if the players are known; alone: the pictures have nothing to do
    with one another; asks: what to ask a person about the mat, "" for nothing; feed: the match being
    played, which is told of every frame.
    """

    rest_s = 0.0

    def __init__(
        self,
        viewer: Watched,
        names: Mapping[Owner, str] | None = None,
        *,
        alone: bool = False,
        asks: Callable[[], str] = lambda: "",
        feed: Feed | None = None,
    ) -> None:
        self._viewer = viewer
        self._asks = asks
        self._feed = feed
        self._names = names or {}
        self._alone = alone
        self._reading: Reading | None = None
        self._keys: tuple[int, ...] = ()
        self._had_mat = False
        self._rested_s = self._moved_s = -math.inf
        self._says = table_says("moving", known=False)
        self._owed = False
        self._mat_wanted = threading.Event()

    def see(self, frame: Frame) -> Seen:
        viewer = self._viewer
        if self._mat_wanted.is_set():
            self._mat_wanted.clear()
            self._had_mat = False
            viewer.look_for_mat()
        if self._feed is not None:
            self._feed.before()
        see = viewer.see_alone if self._alone else viewer.see
        view = see(frame.image, frame.time_s)
        if self._feed is not None:
            self._feed.take(frame, view)
        look = viewer.look
        assert look is not None
        if look.state != "moving" or frame.time_s < self._rested_s:
            self._rested_s = frame.time_s
        if look.state == "moving" or frame.time_s < self._moved_s:
            self._moved_s = frame.time_s
        # Dice that a hand is just moving are in no view, so their colour would seem to lack some.
        whole = look.state != "moving" or frame.time_s - self._rested_s > PATIENCE_S
        bumped = view is not None and view.camera == "re-found"
        if view is not None and not whole and self._reading is not None:
            view, self._owed = None, True
        elif view is None and self._owed and look.state != "moving" and viewer.settled:
            view = viewer.current()
        if view is not None:
            self._take(view, frame)
        self._had_mat |= viewer.mat is not None
        says = self._asks() or (MAT_LOST if self._had_mat else "")
        reading = self._reading
        known = viewer.colours
        outlines = viewer.hidden_outlines if reading is not None else ()
        lying: Lying = "moving" if look.state == "moving" else "covered" if outlines else "still"
        if lying != "moving" and not viewer.settled and frame.time_s - self._moved_s < SETTLING_S:
            lying = "moving"  # what has just come to rest is still to be read
        else:
            self._says = table_says(
                lying, reading is not None, *_extent(outlines, look, frame.image)
            )
        return Seen(
            reading=reading,
            untouched=tuple(key in known for key in self._keys),
            current=reading is not None and lying != "moving" and viewer.settled,
            mat=NOT_FOUND if viewer.mat is None else viewer.mat.to_json(),
            hidden=tuple(_plainer(each, look.scale) for each in outlines),
            hidden_places=tuple(
                place_to_json(place) for place in sorted(viewer.hidden_places, key=str)
            )
            if outlines
            else (),
            lying=lying,
            says=self._says,
            bumped=bumped,
            # Nothing has a place without it; who plays without a mat knows that.
            notices=(says,) if says and viewer.mat is None else (),
        )

    def lost(self) -> None:
        self._viewer.lost()

    def look_for_mat(self) -> None:
        self._mat_wanted.set()

    def _take(self, view: TableView, frame: Frame) -> None:
        self._owed = False
        height, width = frame.image.shape[:2]
        self._reading = reading_of(
            view, frame.name, (width, height), self._viewer.mat, self._viewer.colours, self._names
        )
        self._keys = tuple(die.key for die in shown_dice(view))


def _plainer(outline: Polygon, scale: float) -> Polygon:
    """An outline with fewer corners; scale: px of the small picture per px."""
    fewer = cv2.approxPolyDP(outline.reshape(-1, 1, 2), ROUGH_PX / scale, True)
    return np.asarray(fewer, np.float32).reshape(-1, 2)


def _extent(outlines: Sequence[Polygon], look: Look, image: NDArray[np.uint8]) -> tuple[bool, bool]:
    """Whether what outlines (N, 2) px hold comes in from the picture's edge, and whether it is nearly all of it."""
    height, width = image.shape[:2]
    edge = EDGE_PX / look.scale
    reaches_in = any(
        bool((each <= edge).any() or (each >= (width - 1 - edge, height - 1 - edge)).any())
        for each in outlines
    )
    area = sum(cv2.contourArea(each) for each in outlines)
    return reaches_in, area > ALL_SHARE * width * height
