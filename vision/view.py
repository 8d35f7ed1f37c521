"""Settled views of a table: frames in, `engine.table.TableView`s out, one whenever something changed.

Only what is still and uncovered is read, and after a change only what has changed.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.table import CameraState, Place, TableView
from vision.bump import Bump, Lain
from vision.crop_reader import CropReader, DiceReader
from vision.mat import FoundMat
from vision.mat_keeper import MatKeeper
from vision.owners import ColourOwners, Owners
from vision.part_reading import PartReading
from vision.pending import Pending
from vision.view_making import ViewMaker, gist
from vision.watch import Look, Polygon, Watch

Image: TypeAlias = NDArray[np.uint8]

MAT_AGAIN_S = (1.0, 8.0)
"""A mat that was not found is looked for again after so long, s: at first, and at most; doubled while nothing moves."""
BETTER_MAT_S = 10.0
"""A mat found by its lines alone is looked for by its markers so often, s: they may have been covered."""
LOOK_AGAIN_S = 0.045
"""While something moves or covers the table, a frame that comes sooner after the one before is passed over, s: rest
takes longer than that to tell, and such frames cost most."""
SLICE_S, MOST_SLICES = 1 / 30, 8
"""One slice of a search for a grid is done for so much of the source's time, s; and at most so many a frame."""


class Viewer:
    """Turns one camera's frames into views. Give it every frame, in order; not from two threads.

    reader: reads dice, by default with the shipped networks. mats: keeps the mat, or None for none.
    owners: what a colour says of the owner.
    """

    def __init__(
        self,
        reader: DiceReader | None = None,
        mats: MatKeeper | None = None,
        owners: Owners | None = None,
    ) -> None:
        self.owners: Owners = owners or ColourOwners({})
        self.mat: FoundMat | None = None
        self.look: Look | None = None
        """What the newest frame showed; None before the first."""
        self.view: TableView | None = None
        """The view that `see` returned last; older than the newest frame while nothing changes."""
        self._mats = mats
        self._watch = Watch()
        self._parts = PartReading(reader or CropReader(), self._watch)
        self._tracks = self._parts.tracks
        self._pending = Pending()
        self._maker = ViewMaker(self._tracks)
        self._bump: Bump | None = None
        self._lain = Lain()
        self._mat_learned = False
        self._mat_tried_s, self._mat_wait_s = -math.inf, MAT_AGAIN_S[0] / 2
        self._shape: tuple[int, ...] = ()
        self._camera: CameraState = "steady"
        self._passed_s, self._looked_s = 0.0, -math.inf
        self._shown: object = None
        self._judged: object = None

    def see(self, image: Image, time_s: float) -> TableView | None:
        """Take in a frame, (H, W, 3) uint8 BGR; a view when there is a new one to be had.

        time_s: by the source's clock.
        """
        astir = self.look is not None and self.look.state != "still"
        if self.look is not None and astir and 0 < time_s - self._looked_s < LOOK_AGAIN_S:
            self.look = replace(self.look, time_s=time_s)
            return None
        self._looked_s = time_s
        return self._see(image, self._watch.look(image, time_s))

    def see_alone(self, image: Image, time_s: float) -> TableView:
        """The view of a picture that stands alone, such as a photo: taken to be at rest."""
        self._forget()
        view = self._see(image, self._watch.take(image, time_s), alone=True)
        assert view is not None
        return view

    def lost(self) -> None:
        """The source gave no frame for a while: what lay there may have changed unseen.

        Every die gets a new key, and no view comes before the table was seen still again.
        """
        self._watch.restart()
        self._forget()

    def _forget(self) -> None:
        """It may be another table: every die is a new one, and the mat is looked for anew."""
        self._parts.forget()
        self._pending.forget()
        self._bump, self._lain = None, Lain()
        self._shown = self._judged = None
        self.look_for_mat()

    def look_for_mat(self) -> None:
        """Look for the mat anew with the next frame: a person has said something about it."""
        if self._mats is not None:
            self.mat, self._mat_tried_s, self._shown = None, -math.inf, None
            self._mat_wait_s = MAT_AGAIN_S[0] / 2
            self._judged = None
            self._mats.look_anew()

    def current(self) -> TableView | None:
        """The view as of the newest frame, however little has changed; None before the first."""
        return None if self.view is None or self.look is None else self._make_view(self.look)

    @property
    def settled(self) -> bool:
        """Whether all that is uncovered in the newest frame is read."""
        return self._pending.settled

    @property
    def whole_reads(self) -> int:
        """How often whole pictures were read so far; likewise parts, and how many px all that was."""
        return self._parts.whole_reads

    @property
    def part_reads(self) -> int:
        return self._parts.part_reads

    @property
    def read_px(self) -> int:
        return self._parts.read_px

    @property
    def hidden_outlines(self) -> tuple[Polygon, ...]:
        """What cannot be read now, as outlines (N, 2) px."""
        return () if self.look is None else self.look.outlines(self._pending.hidden)

    @property
    def hidden_places(self) -> frozenset[Place]:
        """Where nothing is known now."""
        if self.look is None:
            return frozenset()
        return self._maker.hidden_places(
            self._pending.hidden, self.look.scale, self.mat, self._die_px()
        )

    @property
    def colours(self) -> dict[int, dict[str, float]]:
        """P(colour) by names of every die that is known to lie there now, by its key."""
        return {die.key: die.colour_p for die in self._tracks}

    def _see(self, image: Image, look: Look, alone: bool = False) -> TableView | None:
        self._parts.next_frame()
        self._passed_s = 0.0 if self.look is None else look.time_s - self.look.time_s
        self.look, self._shape = look, image.shape
        if not self._pending.fits(look.moving.shape):
            self._pending.restart(look.moving.shape)
            self._parts.forget()
        if look.camera_moved:
            self._camera_moved(image, look)
        else:
            if look.touched.any():
                self._touch(look)
            self._find_mat(image, look)
        self._read(image, look, alone)
        self._find_after_bump(image, look)
        if look.state != "moving":
            self._lain = self._lain.now(self._tracks)
        self._pending.judge(look, self._watch.covered)
        if self.settled and look.state != "moving":
            if not alone:
                self._learn_mat(image)
            self._parts.read_again(image, look, self.mat)
            if self.mat is not None and not alone:
                self._parts.fit(image, self.mat)
        return self._new_view(look)

    def _touch(self, look: Look) -> None:
        self._pending.touch(look, self._tracks.touch(look.touched, look.scale))
        self._parts.touch(look)
        self._mat_wait_s = MAT_AGAIN_S[0] / 2

    def _find_mat(self, image: Image, look: Look) -> None:
        by_lines = self.mat is not None and self.mat.by in ("grid", "print")
        if self._mats is None or look.state == "moving" or (self.mat is not None and not by_lines):
            return
        wait_s = BETTER_MAT_S if by_lines else self._mat_wait_s
        if look.time_s - self._mat_tried_s >= wait_s:
            self._mat_tried_s = look.time_s
            self._mat_wait_s = min(2 * self._mat_wait_s, MAT_AGAIN_S[1])
            found = self._mats.find(image)
            if found is not None:
                self._take_mat(found)

    def _take_mat(self, found: FoundMat) -> None:
        self.mat, self._mat_learned, self._shown = found, False, None

    def _camera_moved(self, image: Image, look: Look) -> None:
        """Find the mat again, read everything, and know dice again by where they lie on the mat."""
        if self.mat is not None:
            self._bump = self._lain.bumped(self.mat, look.time_s)
        self._parts.forget()
        if self._mats is not None:
            self.mat = self._mats.find_again(image, self.mat)
            self._mat_tried_s, self._mat_wait_s = look.time_s, MAT_AGAIN_S[0] / 2
        self._pending.everything()

    def _find_after_bump(self, image: Image, look: Look) -> None:
        """A mat that nothing else shows after a bump is found by the dice on it; these are then known again."""
        bump = self._bump
        if bump is None:
            return
        if self.mat is None and self._mats is not None and len(self._tracks):
            rough = bump.found_by(self._tracks, (image.shape[1], image.shape[0]))
            found = None if rough is None else self._mats.sharpened(image, rough)
            if found is not None:
                self._take_mat(found)
        if self.mat is not None and len(self._tracks):
            self._camera = "re-found"
            self._tracks.rekey(bump.same(self.mat))
            self._bump = None
        elif bump.outdated(look.time_s):
            self._bump = None

    def _read(self, image: Image, look: Look, alone: bool) -> None:
        """Read what has changed and is at rest now, and settle what of it is the table."""
        die_px = self._die_px() * look.scale
        ready = self._pending.ready(look, self._watch.covered, self._parts.read_s, die_px)
        if ready is not None:
            region, patches = ready
            self._parts.read(image, look, region, patches, self.mat)
            self._pending.done(region)
        if self.mat is None and self._mats is not None:
            self._search_mat(self._mats, image, look, ready is not None, alone)

    def _search_mat(
        self, mats: MatKeeper, image: Image, look: Look, read: bool, alone: bool
    ) -> None:
        """Look for a mat by its print or its lines among the dice, in slices."""
        if not read and not mats.searching:
            return
        dice = [die.now() for die in self._tracks]
        if read:
            found = mats.find_among(image, look.time_s, dice, look.state == "moving", not alone)
        else:
            found, size = None, (image.shape[1], image.shape[0])
            for _ in range(slices_for(self._passed_s)):
                found = found or mats.go_on(size, dice)
        if found is not None:
            self._take_mat(found)

    def _learn_mat(self, image: Image) -> None:
        """Keep what the table around the mat looks like, as soon as it lies still with all its dice known."""
        if self._mats is None or self.mat is None or self._mat_learned:
            return
        self._mat_learned = True
        boxes = np.array([die.box for die in self._tracks], np.float64).reshape(-1, 4)
        self._mats.learn(image, self.mat, boxes)

    def _die_px(self) -> float:
        return self._parts.die_px(self._shape[1])

    def _new_view(self, look: Look) -> TableView | None:
        """A view if it says something new; while something moves, only when a region was read."""
        if self._parts.fused == 0:
            return None
        if look.state == "moving":
            known = {die.key for die in self.view.dice} if self.view is not None else set()
            read = self._parts.read_s == look.time_s
            if not read or known.issuperset(die.key for die in self._tracks):
                return None
        elif not self.settled or (
            self.mat is None and self._mats is not None and self._mats.searching
        ):
            return None
        mark = self._maker.mark(self._pending.hidden, self.mat, self.owners)
        if mark == self._judged and self._camera == "steady":
            return None
        self._judged = mark
        view = self._make_view(look)
        said = gist(view)
        if said == self._shown:
            return None
        self._camera = "steady"
        self._shown = (*said[:2], "steady")
        self.view = view
        return view

    def _make_view(self, look: Look) -> TableView:
        return self._maker.make(
            look,
            self._pending.hidden,
            self.mat,
            self.owners,
            self._shape,
            self._die_px(),
            self._parts.fused,
            self._camera,
        )


def slices_for(passed_s: float) -> int:
    """How many slices of long work a frame is due that comes so long after the one before."""
    return min(max(1, round(passed_s / SLICE_S)), MOST_SLICES)
