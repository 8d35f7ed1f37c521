"""Is the table still? Moving, still or covered is decided for every region of a small picture.

Three pictures are kept: the newest, one from LAG_S ago, and the settled table: the picture of every
region as it lay when it was last read. A region that differs from the settled table is

- moving, while it also differs from a moment ago;
- resting, once it does not: it waits to be looked at (`Look.resting`), and whoever reads it says
  whether it is the table now (`Watch.accept`) or something that covers it (`Watch.cover`);
- covered from then on, until it moves or looks like the settled table again.

So a hand that creeps is never overlooked: what it has reached differs from the settled table,
however slowly it came. The settled table follows slow changes of light where nothing differs.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_move import camera_shift
from vision.motion import LEAST_AREA, Array, Mask, Small, components, difference, grown, shrink

LAG_S = 0.2
"""How far back "a moment ago" lies, s of the source's time."""
KEPT_EVERY_S = 0.05
"""Moments kept in between: a fast camera gives more pictures than are needed."""
FOLLOW_S = 1.5
"""Time in which the settled table follows a change of light, s."""
PATIENCE_S = 3.0
"""A first look waits so long, s, for the whole table to be still; then it takes what is."""
MOVED_SHARE = 0.01
"""A bump of the camera is looked for when more than this share of the picture differs."""
NEAR_PX = 15
"""Around something that moves at the first look, px of the small picture, nothing is read."""

State: TypeAlias = Literal["moving", "still", "covered"]
Polygon: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class Look:
    """What one frame shows, as masks (h, w) bool of the small picture.

    state: moving (something is), covered (nothing moves, but something lies over the table or has
    not been looked at yet), or still. moving, covered: where. resting: where something has changed
    and come to rest and waits to be read, each patch a mask of its own. touched: all that differs
    from the settled table now. moved_at_s: when something last moved. camera_moved: the picture as
    a whole has shifted: every region waits to be read anew. unknown: where the settled table has
    never been read. scale: px of the small picture per px.
    """

    time_s: float
    state: State
    moving: Mask
    covered: Mask
    resting: tuple[Mask, ...]
    touched: Mask
    moved_at_s: float
    camera_moved: bool
    unknown: Mask
    scale: float

    def outlines(self, mask: Mask) -> tuple[Polygon, ...]:
        """The outlines of a mask's regions, (N, 2) float32 px of the whole picture each."""
        found, _ = cv2.findContours(
            mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        return tuple(np.asarray(each.reshape(-1, 2), np.float32) / self.scale for each in found)


class Watch:
    """Watches the pictures of one camera; give it every frame, in the order of their times."""

    def __init__(self) -> None:
        self._settled: Array | None = None
        self._newest: Small | None = None
        self._recent: deque[tuple[float, Small]] = deque()
        self._covered: Mask = np.zeros((0, 0), np.bool_)
        self._unread: Mask = np.zeros((0, 0), np.bool_)
        self._moved_at: NDArray[np.float64] = np.zeros((0, 0))
        self._began_s = self._time_s = self._moved_s = 0.0
        self._camera_checked = False

    @property
    def covered(self) -> Mask:
        """Where something is known to lie over the table, (h, w) bool of the small picture."""
        return self._covered

    def restart(self) -> None:
        """Forget the table: the next frames are a first look."""
        self._settled = None
        self._newest = None
        self._recent.clear()

    def look(self, image: NDArray[np.uint8], time_s: float) -> Look:
        """Judge a frame, (H, W, 3) uint8 BGR, of a source's time in s."""
        small = shrink(image)
        shape = small.logs.shape[:2]
        if self._newest is not None and (
            self._newest.logs.shape != small.logs.shape or time_s < self._time_s
        ):
            self.restart()
        if self._newest is None:
            self._begin(shape, time_s)
        before_s, self._time_s = self._time_s, time_s
        look = self._judge(small, time_s, time_s - before_s)
        self._remember(small, time_s)
        return look

    def take(self, image: NDArray[np.uint8], time_s: float) -> Look:
        """A picture that stands alone, such as a photo: all of it is at rest and waits to be read."""
        self.restart()
        small = shrink(image)
        self._begin(small.logs.shape[:2], time_s)
        self._settled = small.logs.copy()
        self._remember(small, time_s)
        none = np.zeros(small.logs.shape[:2], np.bool_)
        return Look(
            time_s, "covered", none, none, (~none,), ~none, time_s, False, ~none, small.scale
        )

    def accept(self, patch: Mask) -> None:
        """What lies in the patch (h, w) now is the table."""
        assert self._settled is not None
        assert self._newest is not None
        self._settled[patch] = self._newest.logs[patch]
        self._covered &= ~patch
        self._unread &= ~patch

    def cover(self, patch: Mask) -> None:
        """What lies in the patch (h, w) now hides the table."""
        self._covered |= patch
        self._unread &= ~patch

    def has_left(self, patch: Mask) -> bool:
        """Whether something lay in the settled table that is gone now, rather than having come.

        Whatever lies on a table has edges where it ends: they are now, or they were. (The test for
        "ghosts" of background subtraction, as in Cucchiara et al. 2003.)
        """
        assert self._settled is not None
        assert self._newest is not None
        spot = patch.astype(np.uint8)
        reach = np.ones((5, 5), np.uint8)
        border = (cv2.dilate(spot, reach) > 0) & ~(cv2.erode(spot, reach) > 0)
        now, was = _edges(self._newest.logs), _edges(self._settled)
        return float(was[border].mean()) > 1.2 * float(now[border].mean())

    def _begin(self, shape: tuple[int, ...], time_s: float) -> None:
        self._covered = np.zeros(shape, np.bool_)
        self._unread = np.ones(shape, np.bool_)
        self._moved_at = np.full(shape, -math.inf)
        self._began_s = self._time_s = self._moved_s = time_s

    def _judge(self, small: Small, time_s: float, passed_s: float) -> Look:
        none = np.zeros(small.logs.shape[:2], np.bool_)
        if self._settled is None:
            return self._first_look(small, time_s)
        found = difference(small, self._settled)
        changed = found.mask | self._unread
        self._follow(small, found.expected, changed, passed_s)
        if not changed.any():
            self._covered[:] = False
            self._camera_checked = False
            return Look(
                time_s, "still", none, none, (), none, self._moved_s, False, none, small.scale
            )
        moving = self._moving(small, time_s) & grown(changed, 9)
        if moving.any():
            self._camera_checked = False
        elif found.share >= MOVED_SHARE and not self._camera_checked:
            self._camera_checked = True
            if camera_shift(self._settled, small.logs) is not None:
                self._settled = small.logs.copy()
                self._covered[:] = False
                self._unread[:] = True
                everything = ~none
                return Look(
                    time_s, "covered", none, none, (everything,), everything, self._moved_s, True,
                    everything, small.scale,
                )  # fmt: skip
        return self._regions(changed, moving, time_s, small.scale)

    def _first_look(self, small: Small, time_s: float) -> Look:
        """Nothing is known yet: wait for rest, but not for ever."""
        none = np.zeros(small.logs.shape[:2], np.bool_)
        moving = self._moving(small, time_s)
        waited = time_s - self._began_s
        rested = waited >= LAG_S and not moving.any()
        if not rested and waited < PATIENCE_S:
            self._note(moving, time_s)
            everything = ~none
            return Look(
                time_s, "moving", everything, none, (), everything, self._moved_s, False,
                everything, small.scale,
            )  # fmt: skip
        self._settled = small.logs.copy()
        near = grown(moving, 2 * NEAR_PX + 1)
        self._unread[:] = True
        patches = tuple(each for each in _parts(~near))
        state: State = "moving" if moving.any() else "covered"
        return Look(
            time_s, state, near, none, patches, ~none, self._moved_s, False, ~none, small.scale
        )

    def _moving(self, small: Small, time_s: float) -> Mask:
        """Where the picture differs from a moment ago, or from the picture before."""
        if self._newest is None:
            return np.ones(small.logs.shape[:2], np.bool_)
        older = [each for at, each in self._recent if time_s - at >= LAG_S - 1e-6]
        moment_ago = older[-1] if older else self._recent[0][1]
        moving = difference(small, moment_ago.logs).mask
        if moment_ago is not self._newest and not moving.any():
            # What spins can look as it did a moment ago, but not as in the picture before, too.
            moving = difference(small, self._newest.logs).mask
        return moving

    def _regions(self, changed: Mask, moving: Mask, time_s: float, scale: float) -> Look:
        """Tell moving, resting and covered regions of what differs from the settled table."""
        self._note(moving, time_s)
        self._covered &= changed
        moves = np.zeros_like(changed)
        resting: list[Mask] = []
        for part in _parts(changed):
            if int((moving & part).sum()) >= LEAST_AREA // 3:
                moves |= part
                continue
            if time_s - float(self._moved_at[part].max()) < KEPT_EVERY_S - 1e-6:
                moves |= part  # one still picture is not yet rest
                continue
            if (part & self._covered).any():
                new = _parts(_opened(part & ~grown(self._covered, 5)))
                self._covered |= part  # all the rest: its border wavers
                for each in new:
                    self._covered &= ~each
                resting += new
            else:
                resting.append(part)
        self._covered &= ~moves
        if moves.any():
            self._moved_s = time_s
        state: State = "moving" if moves.any() else "covered"
        return Look(
            time_s, state, moves, self._covered.copy(), tuple(resting), changed, self._moved_s,
            False, self._unread.copy(), scale,
        )  # fmt: skip

    def _note(self, moving: Mask, time_s: float) -> None:
        self._moved_at[moving] = time_s
        if moving.any():
            self._moved_s = time_s

    def _follow(self, small: Small, expected: Array, changed: Mask, passed_s: float) -> None:
        """Let the settled table take on the light of now; under what differs, as far as it is known."""
        assert self._settled is not None
        share = 1 - math.exp(-max(passed_s, 0.0) / FOLLOW_S)
        if changed.any():
            differs = changed.astype(np.uint8)
            cv2.accumulateWeighted(expected, self._settled, share, mask=differs)
            cv2.accumulateWeighted(small.logs, self._settled, share, mask=1 - differs)
        else:
            cv2.accumulateWeighted(small.logs, self._settled, share)

    def _remember(self, small: Small, time_s: float) -> None:
        self._newest = small
        if not self._recent or time_s - self._recent[-1][0] >= KEPT_EVERY_S - 1e-6:
            self._recent.append((time_s, small))
        while len(self._recent) > 1 and time_s - self._recent[1][0] >= LAG_S - 1e-6:
            self._recent.popleft()


def _edges(logs: Array) -> Array:
    light = np.ascontiguousarray(logs[..., 1])
    return np.asarray(
        cv2.magnitude(cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1))
    )


def _opened(mask: Mask) -> Mask:
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0)


def _parts(mask: Mask) -> list[Mask]:
    """The connected parts of a mask (h, w), as masks; specks left out."""
    window, labels, stats = components(mask.astype(np.uint8))
    found = []
    for index in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= LEAST_AREA) + 1:
        part = np.zeros_like(mask)
        part[window] = labels == index
        found.append(part)
    return found
