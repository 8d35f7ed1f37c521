"""Makes `engine.table.TableView`s of the known dice and what is hidden; tells whether one says anything new."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.table import ELSEWHERE, CameraState, Flag, Place, SeenDie, TableView
from vision.flags import flags_of
from vision.footprint import footprints_mm
from vision.layout import Point
from vision.located import on_markers
from vision.mat import FoundMat
from vision.motion import Mask
from vision.owners import Owners
from vision.placing import hidden_places, place_p
from vision.tracks import Track, Tracks, share_of
from vision.watch import Look

HALF_HIDDEN = 0.12
"""A die of which more than this share is hidden is said to be covered."""
SURE = (0.5, 0.8)
"""A belief that passes one of these is a change worth a new view."""


@dataclass(frozen=True)
class _Lying:
    """What is told of the dice but for what covers them: the dice, their spots, flags, owners and places."""

    dice: tuple[Track, ...]
    spots: tuple[Point | None, ...]
    flags: tuple[frozenset[Flag], ...]
    owners: tuple[tuple[float, ...], ...]
    places: tuple[tuple[tuple[Place, float], ...], ...]


class ViewMaker:
    """Makes views of `tracks`; what has not changed since the view before is not worked out again."""

    def __init__(self, tracks: Tracks) -> None:
        self._tracks = tracks
        self._lying: _Lying | None = None
        self._lying_of: tuple[object, ...] = ()
        self._hidden: Mask = np.zeros((0, 0), np.bool_)
        self._hidden_number = 0
        self._places: frozenset[Place] = frozenset()
        self._places_of: tuple[object, ...] = ()

    def mark(self, hidden: Mask, mat: FoundMat | None, owners: Owners) -> tuple[object, ...]:
        """What a view would be made of: equal to an earlier mark if nothing has changed since. hidden: (h, w) bool."""
        return self._tracks.version, self._number_of(hidden), mat, owners

    def hidden_places(
        self, hidden: Mask, scale: float, mat: FoundMat | None, die_px: float
    ) -> frozenset[Place]:
        """As vision.placing.hidden_places."""
        wanted = (self._number_of(hidden), scale, mat, die_px)
        if self._places_of != wanted:
            self._places = hidden_places(hidden, scale, mat, die_px)
            self._places_of = wanted
        return self._places

    def _number_of(self, hidden: Mask) -> int:
        """The same number for the same mask as in the call before."""
        if not np.array_equal(hidden, self._hidden):
            self._hidden = hidden
            self._hidden_number += 1
        return self._hidden_number

    def make(
        self,
        look: Look,
        hidden: Mask,
        mat: FoundMat | None,
        owners: Owners,
        shape: tuple[int, ...],
        die_px: float,
        frames: int,
        camera: CameraState,
    ) -> TableView:
        """The view as of a frame of that shape (H, W, ...); die_px: size of a die; frames: how many are fused."""
        lying = self._told(mat, owners, shape)
        covered = hidden.any()
        dice = []
        for die, spot, flags, owner_p, places in zip(
            lying.dice, lying.spots, lying.flags, lying.owners, lying.places, strict=True
        ):
            if covered and share_of(hidden, die.box, look.scale) > HALF_HIDDEN:
                flags = flags | {"occluded"}
            dice.append(
                SeenDie(
                    key=die.key,
                    face_p=die.face.probabilities,
                    owner_p=owner_p,
                    place_p=places,
                    xy_mm=spot,
                    box=die.box,
                    found_p=die.found_p,
                    flags=flags,
                )
            )
        dice.sort(key=lambda die: (str(die.place), die.key))
        return TableView(
            time_s=look.time_s,
            dice=tuple(dice),
            hidden=self.hidden_places(hidden, look.scale, mat, die_px),
            still_since_s=look.moved_at_s,
            frames=max(frames, 1),
            camera=camera,
        )

    def _told(self, mat: FoundMat | None, owners: Owners, shape: tuple[int, ...]) -> _Lying:
        wanted = (self._tracks.version, mat, owners, shape)
        if self._lying is None or self._lying_of != wanted:
            self._lying, self._lying_of = _lying(list(self._tracks), mat, owners, shape), wanted
        return self._lying


def _lying(
    tracks: list[Track], mat: FoundMat | None, owners: Owners, shape: tuple[int, ...]
) -> _Lying:
    tracks = _beside_markers(tracks, mat)
    spots: list[Point | None] = [None] * len(tracks)
    if mat is not None:
        located = footprints_mm(np.array([die.box for die in tracks]), mat)
        spots = [(float(x), float(y)) for x, y in located]
    sure = [max(die.face.probabilities) > SURE[1] for die in tracks]
    fits = [die.fit for die in tracks]
    flags = flags_of([die.box for die in tracks], shape, mat, spots, sure, fits)
    nowhere: tuple[tuple[Place, float], ...] = ((ELSEWHERE, 1.0),)
    places = [
        nowhere if spot is None or mat is None else place_p(spot, mat.layout) for spot in spots
    ]
    told = owners.together([die.coloured() for die in tracks])
    return _Lying(tuple(tracks), tuple(spots), tuple(flags), tuple(told), tuple(places))


def _beside_markers(tracks: list[Track], mat: FoundMat | None) -> list[Track]:
    """The dice, without what is a marker of the mat: networks take its squares for pips at times."""
    if mat is None or not tracks:
        return tracks
    marked = on_markers(np.array([die.box for die in tracks], np.float64), mat)
    return [die for die, marker in zip(tracks, marked, strict=True) if not marker]


def gist(view: TableView) -> tuple[object, ...]:
    """What a view says, without the digits that waver."""
    return _gist_of(view.dice), view.hidden, view.camera


def _gist_of(dice: Iterable[SeenDie]) -> tuple[object, ...]:
    return tuple(
        sorted(
            (
                die.key,
                die.face,
                die.owner,
                str(die.place),
                _passed(die.place_p[0][1]),
                _passed(max(die.face_p)),
                _passed(max(die.owner_p)),
                tuple(sorted(die.flags)),
            )
            for die in dice
            if die.found_p > SURE[0]
        )
    )


def _passed(p: float) -> int:
    return sum(p > step for step in SURE)
