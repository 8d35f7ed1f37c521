"""What of a watched table waits to be read, and what of it can be read now: masks of the small picture."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from vision.motion import Mask, grown, without_specks
from vision.overlap import Box
from vision.watch import Look

CALM_S = 0.05
"""A region is read when nothing has touched it for so long, s; vision.watch asks for rest before."""
BUSY_CALM_S = 1.5
"""The same while something still moves elsewhere: mostly the hand comes back, or goes."""
SHIFTED_CALM_S = 0.5
"""The same for what has covered the table and has only shifted."""
NEAR_PX = 9
"""Width in px of the small picture around something unread in which nothing else is read."""


class Pending:
    """What has changed and was not read since. Masks are (h, w) bool of the small picture."""

    def __init__(self) -> None:
        self._stale: Mask = np.zeros((0, 0), np.bool_)
        self._was_covered = self._stale
        self._touched_s = np.zeros((0, 0))
        self.hidden: Mask = self._stale
        """Where nothing is known now: something covers it, or it was not read since something did."""
        self.settled = False
        """Whether all that is uncovered is read."""

    def fits(self, shape: tuple[int, ...]) -> bool:
        return self._stale.shape == shape

    def restart(self, shape: tuple[int, ...]) -> None:
        """Nothing was ever read of small pictures of this shape (h, w)."""
        self._stale = np.ones(shape, np.bool_)
        self._touched_s = np.full(shape, -math.inf)
        self.hidden = self._was_covered = np.zeros(shape, np.bool_)

    def forget(self) -> None:
        """What was read counts no more; the next frame begins anew."""
        self._stale = np.zeros((0, 0), np.bool_)

    def everything(self) -> None:
        self._stale[:] = True

    def touch(self, look: Look, boxes: Iterable[Box]) -> None:
        """Something differs from the settled table, and so dice with these boxes px are not known any more."""
        self._stale |= look.touched & ~look.covered
        astir = look.touched.copy()
        for patch in look.resting:
            astir &= ~patch
        self._touched_s[astir] = look.time_s
        self._was_covered |= look.covered
        self._was_covered &= look.touched
        for box in boxes:
            x0, y0, x1, y1 = (max(0, math.floor(edge * look.scale)) for edge in box)
            self._stale[y0 : y1 + 1, x0 : x1 + 1] = True

    def ready(
        self, look: Look, covered: Mask, read_s: float, die_px: float
    ) -> tuple[Mask, list[Mask]] | None:
        """What can be read now, and which of look.resting belong to it; None for nothing.

        covered: what is known to lie over the table; read_s: when something was read last; die_px: size of a die in
        the small picture.
        """
        ready = self._stale & ~look.moving & ~look.covered
        busy = look.state == "moving"
        if not ready.any() or (busy and look.time_s - read_s < BUSY_CALM_S):
            return None
        calm_s = look.time_s - self._touched_s
        ready &= calm_s >= (BUSY_CALM_S if busy else CALM_S)
        patches: list[Mask] = []
        for patch in look.resting:
            hasty = self.shifted(patch) and calm_s[patch].min() < SHIFTED_CALM_S
            if ready[patch].all() and not hasty:
                patches.append(patch)
        # Close to what moves, covers or waits, the rim of that wavers: read it with the rest. Fingers that move look
        # like many things, so that nothing is believed within a die of them.
        left_alone = look.moving | covered
        for patch in look.resting:
            left_alone = left_alone | patch
        near = max(NEAR_PX, round_die(die_px)) if busy else NEAR_PX
        ready &= ~grown(left_alone, near)
        specks, ready = without_specks(ready)
        self._stale &= ~specks
        for patch in patches:
            ready |= patch
        return (ready, patches) if ready.any() else None

    def done(self, region: Mask) -> None:
        """This was read."""
        self._stale &= ~region

    def shifted(self, patch: Mask) -> bool:
        """Whether this is what has covered the table and has only shifted: no hurry to look again."""
        return float(self._was_covered[patch].mean()) > 0.5

    def judge(self, look: Look, covered: Mask) -> None:
        """Settle what is hidden in this frame, and whether all the rest is read."""
        blocked = look.moving | covered
        for patch in look.resting:
            blocked |= patch & self._stale
        if not self._stale.any():
            self.hidden, self.settled = blocked, True
            return
        # What a hand has touched and that waits to be read is as little known as what is still under it.
        self.hidden = blocked | self._stale
        self.settled = not (self._stale & ~grown(blocked, NEAR_PX)).any() and not any(
            self._stale[patch].any() and not self.shifted(patch) for patch in look.resting
        )


def round_die(die_px: float) -> int:
    """The odd number of px that reaches about half a die far around a mask."""
    return 2 * round(die_px / 2) + 1
