"""Settled views of a table: frames in, `engine.table.TableView`s out, one whenever something changed.

Only what is still and uncovered is read, and after a change only what has changed. A die that lies
is read a few times more, at growing intervals, and its beliefs are fused (vision.belief).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import ELSEWHERE, CameraState, Place, SeenDie, TableView
from vision.crop_reader import Box, CropReader, DiceReader, Window
from vision.flags import flags_of, of_another_size
from vision.footprint import footprint_mm, footprints_mm
from vision.layout import Point
from vision.located import on_markers
from vision.mat import FoundMat
from vision.mat_keeper import MatKeeper
from vision.motion import Mask, grown, without_specks
from vision.owners import ColourOwners, Owners
from vision.placing import hidden_places, place_p
from vision.tracks import Track, Tracks, share_of
from vision.watch import Look, Polygon, Watch

Image: TypeAlias = NDArray[np.uint8]

AGAIN_S = (0.12, 0.3, 0.7, 1.5)
"""When new dice are read again, s after the first time; the second time the detector looks, too."""
DETECT_AGAIN = 1
SELDOM_S = 20.0
"""All dice of a still table are read again so often, s."""
CALM_S = 0.05
"""A region is read when nothing has touched it for so long, s; vision.watch asks for rest before."""
BUSY_CALM_S = 1.5
"""The same while something still moves elsewhere: mostly the hand comes back, or goes."""
SHIFTED_CALM_S = 0.5
"""The same for what has covered the table and has only shifted."""
MAT_AGAIN_S = 1.0
"""A mat that was not found is looked for again so often, s."""
BETTER_MAT_S = 10.0
"""A mat found by its lines alone is looked for by its markers so often, s: they may have been covered."""
USUAL_DIE = 1 / 40
"""Size of a die in picture widths where nothing better is known: 32 px at 1280 px."""
WHOLE_SHARE = 0.5
"""When the windows to read are a larger share of the picture, it is read whole."""
COVER_DICE = 1.3
"""Something that holds no dice and is larger than so many dice covers the table."""
LEAST_FOUND = 0.3
OVERLAID = 0.5
"""A find of which more than this is moving or covered is no die, or none that can be read."""
HALF_HIDDEN = 0.12
NEAR_PX = 9
"""Width in px of the small picture around something unread in which nothing else is read."""
SAME_SPOT_MM = 6.0
"""After a bump a die within this distance of where one lay is that one."""
SURE = (0.5, 0.8)
"""A belief that passes one of these is a change worth a new view."""


@dataclass(frozen=True)
class _Again:
    """A region to read once more: from when on, what step of AGAIN_S, which windows, which mask."""

    due_s: float
    step: int
    region: Mask


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
        self.settled = False
        """Whether all that is uncovered in the newest frame is read."""
        self.whole_reads = self.part_reads = self.read_px = 0
        self._reader = reader or CropReader()
        self._mats = mats
        self._watch = Watch()
        self._tracks = Tracks()
        self._stale: Mask = np.zeros((0, 0), np.bool_)
        self._hidden: Mask = np.zeros((0, 0), np.bool_)
        self._was_covered: Mask = np.zeros((0, 0), np.bool_)
        self._touched_s = np.zeros((0, 0))
        self._again: list[_Again] = []
        self._lain: list[tuple[int, int, Box]] = []
        self._mat_learned = False
        self._seldom_s = self._read_s = self._mat_tried_s = -math.inf
        self._shape: tuple[int, ...] = ()
        self._frame = 0
        self._fused = 0
        self._camera: CameraState = "steady"
        self._shown: object = None

    def see(self, image: Image, time_s: float) -> TableView | None:
        """Take in a frame, (H, W, 3) uint8 BGR; a view when there is a new one to be had.

        time_s: by the source's clock.
        """
        return self._see(image, self._watch.look(image, time_s))

    def see_alone(self, image: Image, time_s: float) -> TableView:
        """The view of a picture that stands alone, such as a photo: taken to be at rest."""
        self._tracks.drop(lambda _: True)
        self._stale = np.zeros((0, 0), np.bool_)
        self._shown = None
        self.look_for_mat()  # it may be of another table
        view = self._see(image, self._watch.take(image, time_s))
        assert view is not None
        return view

    def lost(self) -> None:
        """The source gave no frame for a while: what lay there may have changed unseen.

        Every die gets a new key, and no view comes before the table was seen still again.
        """
        self._watch.restart()
        self._tracks.drop(lambda _: True)
        self._stale = np.zeros((0, 0), np.bool_)
        self.look_for_mat()
        self._shown = None

    def look_for_mat(self) -> None:
        """Look for the mat anew with the next frame: a person has said something about it."""
        if self._mats is not None:
            self.mat, self._mat_tried_s, self._shown = None, -math.inf, None
            self._mats.look_anew()

    def current(self) -> TableView | None:
        """The view as of the newest frame, however little has changed; None before the first."""
        return None if self.view is None or self.look is None else self._make_view(self.look)

    @property
    def hidden_outlines(self) -> tuple[Polygon, ...]:
        """What cannot be read now, as outlines (N, 2) px."""
        return () if self.look is None else self.look.outlines(self._hidden)

    @property
    def hidden_places(self) -> frozenset[Place]:
        """Where nothing is known now."""
        if self.look is None:
            return frozenset()
        return hidden_places(self._hidden, self.look.scale, self.mat, self._die_px())

    @property
    def colours(self) -> dict[int, dict[str, float]]:
        """P(colour) by names of every die that is known to lie there now, by its key."""
        return {die.key: die.colour_p for die in self._tracks}

    def _see(self, image: Image, look: Look) -> TableView | None:
        self._frame += 1
        self.look, self._shape = look, image.shape
        if self._stale.shape != look.moving.shape:
            self._stale = np.ones(look.moving.shape, np.bool_)
            self._touched_s = np.full(look.moving.shape, -math.inf)
            self._hidden = self._was_covered = np.zeros(look.moving.shape, np.bool_)
            self._tracks.drop(lambda _: True)
            self._again = []
        if look.camera_moved:
            self._camera_moved(image, look)
        else:
            if look.touched.any():
                self._touch(look)
            self._find_mat(image, look)
            self._read(image, look)
        if look.state != "moving":
            self._lain = [(die.key, die.likeliest, die.box) for die in self._tracks]
        self._hidden = look.moving | self._watch.covered
        for patch in look.resting:
            self._hidden |= patch & self._stale
        settled = not (self._stale & ~grown(self._hidden, NEAR_PX)).any() and not any(
            self._stale[patch].any() and not self._shifted(patch) for patch in look.resting
        )
        if settled and look.state != "moving":
            self._read_again(image, look)
        self.settled = settled
        return self._new_view(look, settled)

    def _touch(self, look: Look) -> None:
        self._stale |= look.touched & ~look.covered
        astir = look.touched.copy()
        for patch in look.resting:
            astir &= ~patch
        self._touched_s[astir] = look.time_s
        self._was_covered |= look.covered
        self._was_covered &= look.touched
        for box in self._tracks.touch(look.touched, look.scale):
            x0, y0, x1, y1 = (max(0, math.floor(edge * look.scale)) for edge in box)
            self._stale[y0 : y1 + 1, x0 : x1 + 1] = True
        self._again = [each for each in self._again if not (each.region & look.touched).any()]

    def _find_mat(self, image: Image, look: Look) -> None:
        by_lines = self.mat is not None and self.mat.by == "grid"
        if self._mats is None or look.state == "moving" or (self.mat is not None and not by_lines):
            return
        if look.time_s - self._mat_tried_s >= (BETTER_MAT_S if by_lines else MAT_AGAIN_S):
            self._mat_tried_s = look.time_s
            found = self._mats.find(image)
            if found is not None or not by_lines:
                self.mat, self._mat_learned = found, False
            if found is not None:
                self._shown = None

    def _camera_moved(self, image: Image, look: Look) -> None:
        """Find the mat again, read everything, and know dice again by where they lie on the mat."""
        before = [
            (key, face, footprint_mm(box, self.mat)) for key, face, box in self._lain if self.mat
        ]
        self._tracks.drop(lambda _: True)
        self._again = []
        if self._mats is not None:
            self.mat = self._mats.find_again(image, self.mat)
            self._mat_tried_s = look.time_s
        self._stale[:] = True
        self._read(image, look)
        mat = self.mat
        if mat is None:
            return
        self._camera = "re-found"

        def same(die: Track) -> int | None:
            spot = footprint_mm(die.box, mat)
            near = [(math.dist(spot, at), key) for key, face, at in before if face == die.likeliest]
            distance, key = min(near, default=(math.inf, 0))
            return key if distance < SAME_SPOT_MM else None

        self._tracks.rekey(same)

    def _read(self, image: Image, look: Look) -> None:
        """Read what has changed and is at rest now, and settle what of it is the table."""
        ready = self._stale & ~look.moving & ~look.covered
        busy = look.state == "moving"
        if not ready.any() or (busy and look.time_s - self._read_s < BUSY_CALM_S):
            return
        calm_s = look.time_s - self._touched_s
        ready &= calm_s >= (BUSY_CALM_S if busy else CALM_S)
        patches: list[Mask] = []
        for patch in look.resting:
            hasty = self._shifted(patch) and calm_s[patch].min() < SHIFTED_CALM_S
            if ready[patch].all() and not hasty:
                patches.append(patch)
        # Close to what moves, covers or waits, the rim of that wavers: read it with the rest.
        left_alone = look.moving | self._watch.covered
        for patch in look.resting:
            left_alone = left_alone | patch
        ready &= ~grown(left_alone, NEAR_PX)
        specks, ready = without_specks(ready)
        self._stale &= ~specks
        for patch in patches:
            ready |= patch
        if not ready.any():
            return
        self._tracks.drop(lambda die: share_of(ready, die.box, look.scale) > OVERLAID)
        self._detect(image, look, ready)
        for patch in patches:
            self._settle(patch, look)
        if self.mat is None and self._mats is not None:
            dice = [die.now() for die in self._tracks]
            self.mat = self._mats.find_among(image, look.time_s, dice, busy)
            self._mat_learned = False
        if self.mat is not None and self._mats is not None and not self._mat_learned:
            self._mat_learned = True
            boxes = np.array([die.box for die in self._tracks], np.float64).reshape(-1, 4)
            self._mats.learn(image, self.mat, boxes)
        self._stale &= ~ready
        self._fused = 1
        self._seldom_s = self._read_s = look.time_s
        self._again.append(_Again(look.time_s + AGAIN_S[0], 0, ready))

    def _shifted(self, patch: Mask) -> bool:
        """Whether this is what has covered the table and has only shifted: no hurry to look again."""
        return float(self._was_covered[patch].mean()) > 0.5

    def _detect(self, image: Image, look: Look, region: Mask) -> None:
        windows = self._windows(region, look)
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in windows)
        height, width = image.shape[:2]
        known = self._tracks.die_px
        if known is None or area > WHOLE_SHARE * height * width:
            found = self._reader.whole(image)
            self.whole_reads += 1
            self.read_px += height * width
        else:
            found = [die for each in windows for die in self._reader.part(image, each, known)]
            self.part_reads += len(windows)
            self.read_px += area
        blocked = look.moving | look.covered
        if look.moving.any():
            # Close to a hand that moves, its fingers look like many things.
            blocked = grown(blocked, 2 * round(self._die_px() * look.scale / 2) + 1)
        self._tracks.add(
            [
                die
                for die in found
                if die.found_p >= LEAST_FOUND and share_of(blocked, die.box, look.scale) < OVERLAID
            ],
            self._frame,
        )
        if self.mat is not None and len(self._tracks):
            boxes = [die.box for die in self._tracks]
            spots = [(float(x), float(y)) for x, y in footprints_mm(np.array(boxes), self.mat)]
            other = of_another_size(boxes, spots, self.mat)
            wrong = {box for box, strange in zip(boxes, other, strict=True) if strange}
            self._tracks.drop(lambda die: die.box in wrong)

    def _windows(self, region: Mask, look: Look) -> list[Window]:
        """The parts of the picture, px, that show a region with a margin, as few as may be."""
        height, width = self._shape[:2]
        margin = 1.2 * self._die_px()
        windows: list[Window] = []
        for outline in look.outlines(region):
            x0, y0 = outline.min(axis=0) - margin
            x1, y1 = outline.max(axis=0) + margin + 1 / look.scale
            windows.append(
                (max(0, int(x0)), max(0, int(y0)), min(width, int(x1)), min(height, int(y1)))
            )
        return merged(windows)

    def _settle(self, patch: Mask, look: Look) -> None:
        """Decide what a patch at rest is: dice and bare table, or something that covers them."""
        if look.unknown[patch].any():
            self._watch.accept(patch)
            return
        rest = patch.astype(np.uint8)
        for die in self._tracks:
            # A little more than the box: a die has a shadow at its foot.
            middle = ((die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2)
            half = (0.65 * (die.box[2] - die.box[0]), 0.65 * (die.box[3] - die.box[1]))
            x0, y0 = (math.floor((m - h) * look.scale) for m, h in zip(middle, half, strict=True))
            x1, y1 = (math.ceil((m + h) * look.scale) for m, h in zip(middle, half, strict=True))
            rest[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = 0
        die_px = self._die_px() * look.scale
        side = max(3, round(die_px * 0.5))
        rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(rest)
        accepted = patch.copy()
        for index in range(1, count):
            part = np.asarray(labels == index)
            if stats[index, cv2.CC_STAT_AREA] > COVER_DICE * die_px**2 and not self._watch.has_left(
                part
            ):
                self._watch.cover(part)
                accepted &= ~part
        self._watch.accept(accepted)

    def _read_again(self, image: Image, look: Look) -> None:
        due = [each for each in self._again if each.due_s <= look.time_s]
        for each in due:
            self._again.remove(each)
            if each.step + 1 < len(AGAIN_S):
                later = look.time_s + AGAIN_S[each.step + 1] - AGAIN_S[each.step]
                self._again.append(_Again(later, each.step + 1, each.region))
            if each.step == DETECT_AGAIN:
                self._detect(image, look, each.region)
        seldom = look.time_s - self._seldom_s >= SELDOM_S
        dice = [
            die
            for die in self._tracks
            if seldom or any(share_of(each.region, die.box, look.scale) > 0.5 for each in due)
        ]
        if seldom:
            self._seldom_s = look.time_s
        if not dice:
            return
        for die, now in zip(
            dice, self._reader.again(image, [each.now() for each in dice]), strict=True
        ):
            die.add(now, self._frame)
        self._fused += 1
        self._tracks.drop(lambda die: die.found_p < LEAST_FOUND / 2)

    def _die_px(self) -> float:
        return self._tracks.die_px or USUAL_DIE * self._shape[1]

    def _dice_beside_markers(self) -> list[Track]:
        """The dice, without what is a marker of the mat: networks take its squares for pips at times."""
        tracks = list(self._tracks)
        if self.mat is None or not tracks:
            return tracks
        boxes = np.array([die.box for die in tracks], np.float64)
        marked = on_markers(boxes, self.mat)
        return [die for die, marker in zip(tracks, marked, strict=True) if not marker]

    def _new_view(self, look: Look, settled: bool) -> TableView | None:
        """A view if it says something new; while something moves, only when a region was read."""
        if self._fused == 0:
            return None
        if look.state == "moving":
            known = {die.key for die in self.view.dice} if self.view is not None else set()
            if self._read_s != look.time_s or known.issuperset(die.key for die in self._tracks):
                return None
        elif not settled:
            return None
        view = self._make_view(look)
        said = (_gist(view.dice), view.hidden, view.camera)
        if said == self._shown:
            return None
        self._camera = "steady"
        self._shown = (said[0], said[1], "steady")
        self.view = view
        return view

    def _make_view(self, look: Look) -> TableView:
        hidden = self._hidden
        tracks = self._dice_beside_markers()
        spots: list[Point | None] = [None] * len(tracks)
        if self.mat is not None:
            located = footprints_mm(np.array([die.box for die in tracks]), self.mat)
            spots = [(float(x), float(y)) for x, y in located]
        sure = [max(die.face.probabilities) > SURE[1] for die in tracks]
        flags = flags_of([die.box for die in tracks], self._shape, self.mat, spots, sure)
        owners = self.owners.together([die.coloured() for die in tracks])
        dice = []
        for die, spot, own, owner_p in zip(tracks, spots, flags, owners, strict=True):
            if share_of(hidden, die.box, look.scale) > HALF_HIDDEN:
                own = own | {"occluded"}
            places: tuple[tuple[Place, float], ...] = ((ELSEWHERE, 1.0),)
            if spot is not None and self.mat is not None:
                places = place_p(spot, self.mat.layout)
            dice.append(
                SeenDie(
                    key=die.key,
                    face_p=die.face.probabilities,
                    owner_p=owner_p,
                    place_p=places,
                    xy_mm=spot,
                    box=die.box,
                    found_p=die.found_p,
                    flags=own,
                )
            )
        dice.sort(key=lambda die: (str(die.place), die.key))
        return TableView(
            time_s=look.time_s,
            dice=tuple(dice),
            hidden=hidden_places(hidden, look.scale, self.mat, self._die_px()),
            still_since_s=look.moved_at_s,
            frames=max(self._fused, 1),
            camera=self._camera,
        )


def merged(windows: Iterable[Window]) -> list[Window]:
    """Windows that overlap made one, until none do."""
    left = list(windows)
    done: list[Window] = []
    while left:
        x0, y0, x1, y1 = left.pop()
        for index, (a0, b0, a1, b1) in enumerate(left):
            if x0 < a1 and a0 < x1 and y0 < b1 and b0 < y1:
                left[index] = (min(x0, a0), min(y0, b0), max(x1, a1), max(y1, b1))
                break
        else:
            done.append((x0, y0, x1, y1))
    return done


def _gist(dice: Iterable[SeenDie]) -> tuple[object, ...]:
    """What a view says, without the digits that waver."""
    return tuple(
        sorted(
            (
                die.key,
                die.face,
                die.owner,
                str(die.place),
                sum(die.place_p[0][1] > step for step in SURE),
                sum(max(die.face_p) > step for step in SURE),
                sum(max(die.owner_p) > step for step in SURE),
                tuple(sorted(die.flags)),
            )
            for die in dice
            if die.found_p > SURE[0]
        )
    )
