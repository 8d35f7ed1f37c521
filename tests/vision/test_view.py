"""Settled views: what is read when, what is hidden, which dice keep their keys."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.compose import DrawnTable
from engine.table import ELSEWHERE, LawnPlace, TableView
from tests.vision.bench_watch import memory
from tests.vision.clip import Clip, KnownDice, arm, die, in_place, lawn_corners, shade, table
from vision.mat_keeper import MatKeeper
from vision.owners import players
from vision.part_reading import merged
from vision.view import Viewer
from vision.view_making import ViewMaker
from vision.watch import Look

DICE = (
    in_place("red", 3, "left"),
    in_place("blue", 3, "center"),
    in_place("white", 6, "center"),
    die("red", 6, -100, -60),
    die("blue", 2, -75, -65),
)
BEFORE = table(*DICE)
AFTER = table(*DICE, in_place("red", 5, "right"))
FPS = 15


class Table:
    """A viewer and the clip that it watches."""

    def __init__(self, *tables: DrawnTable, mat: bool = True) -> None:
        self.reader = KnownDice(*tables)
        keeper = MatKeeper(corners=lawn_corners()) if mat else None
        self.viewer = Viewer(self.reader, keeper, players(["red", "blue"]))
        self.clip = Clip(fps=FPS)

    def see(
        self, image: NDArray[np.uint8], seconds: float, change: object = None
    ) -> list[TableView]:
        frames = self.clip.frames(image, seconds, change)  # type: ignore[arg-type]
        return [view for image, at in frames if (view := self.viewer.see(image, at)) is not None]


def keys(view: TableView) -> dict[tuple[int, int], int]:
    """The dice's keys by owner and face."""
    return {(die.owner, die.face): die.key for die in view.dice}


def faces(view: TableView) -> list[int]:
    return sorted(die.face for die in view.dice)


@pytest.fixture
def settled() -> Table:
    seen = Table(BEFORE, AFTER)
    seen.see(BEFORE.image, 0.6)
    return seen


def test_a_still_table_gives_one_view_with_every_die_in_its_place() -> None:
    seen = Table(BEFORE)
    (view,) = seen.see(BEFORE.image, 0.5)
    lawn = {place: dice[0] for place, dice in view.on_lawn().items()}
    assert {str(place): (die.owner, die.face) for place, die in lawn.items()} == {
        "3 left": (0, 3),
        "3 center": (1, 3),
        "6 center": (3, 6),  # rule 1:2.C: white is neutral
    }
    assert sum(die.place == ELSEWHERE for die in view.dice) == 2
    assert not view.hidden
    assert view.camera == "steady"
    assert seen.reader.wholes == 1


def test_later_frames_are_fused_without_a_new_reading_of_the_whole(settled: Table) -> None:
    reads = settled.reader.wholes + settled.reader.parts
    settled.see(BEFORE.image, 1.5)
    view = settled.viewer.current()
    assert view is not None
    assert settled.reader.wholes + settled.reader.parts <= reads + 1
    assert view.frames >= 4
    assert view.still_s > 1.5
    assert view.time_s == pytest.approx(settled.clip.time_s - 1 / FPS)


def test_a_frame_that_changes_nothing_makes_no_view_to_find_that_out(
    settled: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled.see(BEFORE.image, 3.0)  # until the dice are read for the last time in a while
    made: list[float] = []
    make = ViewMaker.make

    def counted(self: ViewMaker, look: Look, *rest: Any) -> TableView:
        made.append(look.time_s)
        return make(self, look, *rest)

    monkeypatch.setattr(ViewMaker, "make", counted)
    settled.see(BEFORE.image, 1.0)
    assert made == []
    assert settled.see(AFTER.image, 0.5)
    assert made


def test_what_only_the_light_does_gives_no_view(settled: Table) -> None:
    def light(p: NDArray[np.float32], t: float) -> NDArray[np.float32]:
        return shade(p * (0.75 if t > 0.2 else 1), (0.2 + t, 0.25), 0.03)

    assert settled.see(BEFORE.image, 0.6, light) == []


def test_a_new_die_is_read_from_the_part_that_changed_and_the_others_keep_their_keys(
    settled: Table,
) -> None:
    before = settled.viewer.view
    assert before is not None
    wholes, parts, px = settled.reader.wholes, settled.reader.parts, settled.viewer.read_px
    (view,) = settled.see(AFTER.image, 0.5)
    assert LawnPlace(5, "right") in view.on_lawn()
    old, new = keys(before), keys(view)
    assert {name: new[name] for name in old} == old
    assert new[0, 5] not in old.values()
    assert settled.reader.wholes == wholes
    assert settled.reader.parts == parts + 1
    assert settled.viewer.read_px - px < 0.05 * 640 * 360


def test_the_view_comes_within_half_a_second_of_the_last_motion() -> None:
    seen = Table(BEFORE, AFTER)
    seen.clip.fps = 30
    seen.see(BEFORE.image, 0.3)
    seen.see(BEFORE.image, 0.3, lambda p, t: arm(p, (0.9 - t, 0.4)))
    last = seen.clip.time_s - 1 / 30
    (view,) = seen.see(AFTER.image, 0.6)
    assert view.time_s - last <= 0.5
    assert view.still_since_s >= last - 1e-6
    assert 5 in faces(view)


def test_a_resting_hand_hides_what_it_covers_and_nothing_else(settled: Table) -> None:
    before = settled.viewer.view
    assert before is not None
    settled.see(BEFORE.image, 0.3, lambda p, t: arm(p, (0.9 - t, 0.5 - 0.5 * t)))
    views = settled.see(BEFORE.image, 0.7, lambda p, _: arm(p, (0.56, 0.31)))
    view = views[-1]
    assert LawnPlace(4, "right") in view.hidden
    assert LawnPlace(1, "left") not in view.hidden
    assert LawnPlace(3, "left") not in view.hidden
    assert settled.viewer.hidden_outlines
    # What is not covered is still known, by the same keys.
    assert keys(view)[0, 3] == keys(before)[0, 3]
    assert keys(view)[1, 2] == keys(before)[1, 2]
    after = settled.see(BEFORE.image, 0.6)[-1]
    assert not after.hidden
    assert faces(after) == faces(before)


def test_a_die_that_a_hand_covered_comes_back_with_another_key(settled: Table) -> None:
    before = settled.viewer.view
    assert before is not None
    settled.see(BEFORE.image, 0.4, lambda p, t: arm(p, (0.9 - t, 0.4)))
    settled.see(BEFORE.image, 0.3, lambda p, _: arm(p, (0.5, 0.33)))
    view = settled.see(BEFORE.image, 0.6)[-1]
    assert faces(view) == faces(before)
    touched = {name for name, key in keys(view).items() if key != keys(before)[name]}
    assert (3, 6) in touched  # the white six lay under the hand
    assert (0, 6) not in touched
    assert (1, 2) not in touched


def test_a_die_under_a_hand_is_not_reported_as_lying_there(settled: Table) -> None:
    view = settled.see(BEFORE.image, 0.7, lambda p, _: arm(p, (0.51, 0.41)))[-1]
    assert (3, 6) not in keys(view)
    assert LawnPlace(6, "center") in view.hidden


def test_while_a_hand_moves_no_die_under_it_is_said_to_be_gone() -> None:
    """In every frame a die that lies there is either seen or its place is hidden, never empty."""
    seen = Table(BEFORE)
    seen.clip.fps = 30
    (first,) = seen.see(BEFORE.image, 0.5)
    lie = {(die.owner, die.face): die.place for die in first.dice}

    def hand(picture: NDArray[np.float32], t: float) -> NDArray[np.float32]:
        return arm(picture, (0.95 - 0.6 * min(t, 1.2), 0.15 + 0.3 * abs(math.sin(2 * t))))

    unseen = 0
    for image, at in seen.clip.frames(BEFORE.image, 2.2, hand):
        seen.viewer.see(image, at)
        view = seen.viewer.current()
        assert view is not None
        gone = {place for name, place in lie.items() if name not in keys(view)}
        assert gone <= view.hidden, at
        assert gone <= seen.viewer.hidden_places
        unseen += bool(gone)
    assert unseen > 20


def test_dice_that_were_taken_away_leave_their_places_empty_not_covered() -> None:
    row = [die("blue", 1 + i % 6, -90 + 17.5 * i, -85, 0.0) for i in range(6)]
    full = table(*DICE[:3], *row)
    seen = Table(full, table(*DICE[:3]))
    seen.see(full.image, 0.5)
    view = seen.see(table(*DICE[:3]).image, 0.8)[-1]
    assert len(view.dice) == 3
    assert not view.hidden


def test_a_die_that_rolls_is_in_no_view_until_it_lies(settled: Table) -> None:
    box = next(d.box for d in AFTER.dice if d.face == 5)
    x0, y0, x1, y1 = (int(edge) for edge in box)
    sprite = AFTER.image[y0:y1, x0:x1].astype(np.float32)

    def rolls(picture: NDArray[np.float32], t: float) -> NDArray[np.float32]:
        at = int(120 * (0.6 - t))
        picture[y0:y1, x0 + at : x1 + at] = sprite if int(t * FPS) % 2 else sprite[::-1]
        return picture

    assert settled.see(BEFORE.image, 0.6, rolls) == []
    (view,) = settled.see(AFTER.image, 0.5)
    assert 5 in faces(view)


def test_a_bump_is_told_and_dice_are_known_again_by_their_places(settled: Table) -> None:
    class Bumped(MatKeeper):
        """Finds the mat again where the test has put it."""

        def find_again(self, image: object, _: object) -> object:  # type: ignore[override]
            return MatKeeper(corners=lawn_corners() @ turn[:, :2].T + turn[:, 2]).find(image)  # type: ignore[arg-type]

    before = settled.viewer.view
    assert before is not None
    turn = cv2.getRotationMatrix2D((320, 180), 3, 1)
    turn[:, 2] += (12, -6)
    settled.viewer._mats = Bumped()
    bumped = cv2.warpAffine(BEFORE.image, turn, (640, 360), borderMode=cv2.BORDER_REFLECT)
    settled.reader.tables = (moved(BEFORE, bumped, turn),)
    view = settled.see(np.asarray(bumped, np.uint8), 0.6)[0]
    assert view.camera == "re-found"
    assert keys(view) == keys(before)
    later = settled.viewer.current()
    assert later is not None
    assert later.camera == "steady"


def moved(drawn: DrawnTable, image: NDArray[np.uint8], turn: NDArray[np.float64]) -> DrawnTable:
    dice = []
    for each in drawn.dice:
        x0, y0, x1, y1 = each.box
        x, y = turn[:, :2] @ ((x0 + x1) / 2, (y0 + y1) / 2) + turn[:, 2]
        w, h = (x1 - x0) / 2, (y1 - y0) / 2
        dice.append(replace(each, box=(x - w, y - h, x + w, y + h)))
    return replace(drawn, image=image, dice=tuple(dice))


def test_without_a_mat_everything_lies_elsewhere() -> None:
    seen = Table(BEFORE, mat=False)
    (view,) = seen.see(BEFORE.image, 0.5)
    assert {die.place for die in view.dice} == {ELSEWHERE}
    assert {die.xy_mm for die in view.dice} == {None}


def test_after_a_lost_camera_nothing_old_is_said(settled: Table) -> None:
    before = settled.viewer.view
    assert before is not None
    settled.viewer.lost()
    settled.clip.time_s += 10
    (view,) = settled.see(BEFORE.image, 0.5)
    assert faces(view) == faces(before)
    assert not set(keys(view).values()) & set(keys(before).values())
    assert view.time_s > 10


def test_a_photo_is_read_at_once_and_every_photo_is_new() -> None:
    seen = Table(BEFORE, AFTER)
    first = seen.viewer.see_alone(BEFORE.image, 0.0)
    second = seen.viewer.see_alone(AFTER.image, 5.0)
    assert (len(first.dice), len(second.dice)) == (5, 6)
    assert not set(keys(first).values()) & set(keys(second).values())


def test_windows_that_overlap_are_one() -> None:
    def area(windows: Iterable[tuple[int, int, int, int]]) -> int:
        return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in windows)

    assert merged([(0, 0, 10, 10), (5, 5, 20, 20), (18, 18, 30, 30), (50, 50, 60, 60)]) == [
        (50, 50, 60, 60),
        (0, 0, 30, 30),
    ]
    assert area(merged([(0, 0, 10, 10), (10, 0, 20, 10)])) == 200


def test_memory_does_not_grow_with_the_frames() -> None:
    # `make bench` runs a hundred thousand.
    small, other = table(*DICE, width=160), table(*DICE[:-1], width=160)
    viewer = Viewer(KnownDice(small, other))
    early = 0
    for index in range(1200):
        viewer.see(other.image if index // 60 % 2 else small.image, index / 30)
        if index == 400:
            early = memory()
    assert memory() - early < 6 * 2**20
