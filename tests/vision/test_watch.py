"""When the table is moving, still or covered, and which regions have changed."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.clip import FPS, Clip, arm, die, in_place, shade, table
from vision.motion import Mask
from vision.watch import LAG_S, Look, Watch

DICE = (
    in_place("red", 3, "left"),
    in_place("blue", 3, "center"),
    die("red", 6, -100, -60),
)
TABLE = table(*DICE).image


@pytest.fixture
def clip() -> Clip:
    return Clip(fps=15)


@pytest.fixture
def watch(clip: Clip) -> Watch:
    """One that has settled on the table."""
    watch = Watch()
    look = None
    for image, time_s in clip.frames(TABLE, 0.3):
        look = watch.look(image, time_s)
    assert look is not None
    watch.accept(~np.zeros_like(look.moving))
    return watch


def looks(watch: Watch, frames: Iterable[tuple[NDArray[np.uint8], float]]) -> list[Look]:
    return [watch.look(image, time_s) for image, time_s in frames]


def states(seen: Iterable[Look]) -> str:
    return "".join(look.state[0] for look in seen)


def middle(mask: Mask) -> tuple[float, float]:
    y, x = np.nonzero(mask)
    return float(x.mean()), float(y.mean())


def test_the_first_look_waits_for_rest_and_then_asks_for_everything() -> None:
    seen = looks(Watch(), Clip(fps=FPS).frames(TABLE, 0.4))
    waiting = round(LAG_S * FPS)
    assert states(seen[:waiting]) == "m" * waiting
    assert seen[waiting].resting[0].all()
    assert seen[waiting].unknown.all()


def test_a_first_look_does_not_wait_for_ever_for_somebody_who_fidgets() -> None:
    watch, clip = Watch(), Clip(noise=0, fps=10)
    seen = looks(
        watch, clip.frames(TABLE, 3.5, lambda p, t: arm(p, (0.75, 0.4 + 0.05 * np.sin(9 * t))))
    )
    first = next(look for look in seen if look.resting)
    assert 2.9 < first.time_s < 3.2
    read = sum(patch.sum() for patch in first.resting) / first.moving.size
    assert 0.4 < read < 0.95
    assert not any((patch & first.moving).any() for patch in first.resting)


def test_a_still_table_is_still(watch: Watch, clip: Clip) -> None:
    assert states(looks(watch, clip.frames(TABLE, 0.5))) == "s" * 8


@pytest.mark.parametrize(
    "change",
    [
        lambda p, t: p * (1 + 0.2 * t),
        lambda p, t: p * (0.7 if t > 0.3 else 1.0),
        lambda p, t: shade(p, (0.2 + 0.6 * t, 0.28), 0.03),
        lambda p, t: p
        * (1 + 0.1 * np.sin(np.arange(p.shape[0]) / 30 + 50 * t))[:, None, None].astype(np.float32),
    ],
    ids=["drift", "exposure step", "passing shadow", "flicker"],
)  # fmt: skip
def test_light_leaves_the_table_still(change: object, watch: Watch, clip: Clip) -> None:
    seen = looks(watch, clip.frames(TABLE, 1.0, change))  # type: ignore[arg-type]
    assert states(seen) == "s" * 15
    assert states(looks(watch, clip.frames(TABLE, 0.2))) == "s" * 3


def test_a_day_that_ends_is_followed(watch: Watch, clip: Clip) -> None:
    seen = looks(watch, clip.frames(TABLE, 3.0, lambda p, t: p * (1 - 0.25 * t)))
    assert states(seen) == "s" * 45


def test_a_hand_is_moving_then_resting_then_gone(watch: Watch, clip: Clip) -> None:
    enters = looks(
        watch, clip.frames(TABLE, 0.5, lambda p, t: arm(p, (0.95 - 0.8 * t, 0.5 - 0.4 * t)))
    )
    assert states(enters[-3:]) == "m" * 3
    rests = looks(watch, clip.frames(TABLE, 0.5, lambda p, _: arm(p, (0.55, 0.3))))
    first = next(index for index, look in enumerate(rests) if look.resting)
    assert first / clip.fps <= LAG_S + 2 / clip.fps
    (patch,) = rests[first].resting
    watch.cover(patch)
    covered = looks(watch, clip.frames(TABLE, 0.5, lambda p, _: arm(p, (0.55, 0.3))))
    assert states(covered) == "c" * 8
    assert not any(look.resting for look in covered)
    gone = looks(watch, clip.frames(TABLE, 0.2))
    assert states(gone) == "s" * 3
    assert not watch.covered.any()


@pytest.mark.parametrize("px_a_second", [3, 12])
def test_a_slow_hand_is_never_taken_for_a_still_table(
    px_a_second: int, watch: Watch, clip: Clip
) -> None:
    # 10 px a second at 640 px are some 7 mm on the table.
    start = looks(watch, clip.frames(TABLE, 0.1, lambda p, _: arm(p, (0.62, 0.33))))
    assert start[-1].touched.any()
    seen = looks(
        watch, clip.frames(TABLE, 2.0, lambda p, t: arm(p, (0.62 - px_a_second * t / 640, 0.33)))
    )
    assert "s" not in states(seen)
    reached = arm(
        np.zeros((*TABLE.shape[:2], 3), np.float32), (0.62 - px_a_second * 1.93 / 640, 0.33)
    )
    covered = cv2.resize(reached[..., 2], (480, 270), interpolation=cv2.INTER_AREA) > 100
    assert (seen[-1].touched & covered).sum() > 0.85 * covered.sum()
    if px_a_second > 10:
        assert states(seen).count("m") > 7


def test_a_hand_that_creeps_in_from_the_edge_is_not_learned_as_the_table(
    watch: Watch, clip: Clip
) -> None:
    seen = looks(watch, clip.frames(TABLE, 3.0, lambda p, t: arm(p, (1.0 - 0.04 * t, 0.4))))
    final = arm(np.zeros((*TABLE.shape[:2], 3), np.float32), (0.88, 0.4))
    covered = cv2.resize(final[..., 2], (480, 270), interpolation=cv2.INTER_AREA) > 100
    assert (seen[-1].touched & covered).sum() > 0.8 * covered.sum()


def test_a_die_is_read_only_once_it_lies(watch: Watch, clip: Clip) -> None:
    lying = table(*DICE, in_place("red", 5, "right")).image
    box = next(d.box for d in table(*DICE, in_place("red", 5, "right")).dice if d.face == 5)
    x0, y0, x1, y1 = (int(edge) for edge in box)
    sprite = lying[y0:y1, x0:x1].astype(np.float32)

    def rolls(picture: NDArray[np.float32], t: float) -> NDArray[np.float32]:
        at = int(200 * (0.6 - t))
        turned = np.rot90(sprite, int(t * 12)) if sprite.shape[0] == sprite.shape[1] else sprite
        picture[y0 : y0 + sprite.shape[0], x0 + at : x0 + at + sprite.shape[1]] = turned
        return picture

    rolling = looks(watch, clip.frames(TABLE, 0.6, rolls))
    assert states(rolling[1:]) == "m" * 8
    assert not any(look.resting for look in rolling)
    lies = looks(watch, clip.frames(lying, 0.5))
    rest = next(look for look in lies if look.resting)
    # From the last moving frame to the first that may be read at most half a second, with room to read.
    assert rest.time_s - rolling[-1].time_s <= 0.35
    x, y = middle(rest.resting[0])
    assert x0 < x / 0.75 < x1
    assert y0 < y / 0.75 < y1
    watch.accept(rest.resting[0])
    assert states(looks(watch, clip.frames(lying, 0.1))) == "ss"


def test_a_die_that_spins_on_its_spot_is_moving(watch: Watch, clip: Clip) -> None:
    faces = [
        table(*DICE, die("red", face, 34, -39, yaw)).image
        for face, yaw in ((5, 0.0), (5, 0.5), (5, 1.0))
    ]
    order = [faces[index % 3] for index in range(9)]
    spinning = [look for face in order for look in looks(watch, clip.frames(face, 1 / clip.fps))]
    assert states(spinning[2:]) == "m" * 7


def test_a_bump_of_the_camera_is_told_from_things_that_move(watch: Watch, clip: Clip) -> None:
    turn = cv2.getRotationMatrix2D((320, 180), 4, 1)
    turn[:, 2] += (18, -9)
    bumped = cv2.warpAffine(TABLE, turn, (640, 360), borderMode=cv2.BORDER_REFLECT)
    seen = looks(watch, clip.frames(bumped, 0.6))
    moved = [look for look in seen if look.camera_moved]
    assert len(moved) == 1
    assert moved[0].time_s - seen[0].time_s <= 0.4
    assert moved[0].unknown.all()
    watch.accept(moved[0].resting[0])
    assert states(looks(watch, clip.frames(bumped, 0.2))) == "s" * 3


def test_a_nudge_of_two_pixels_is_a_bump_or_nothing(watch: Watch, clip: Clip) -> None:
    nudged = np.roll(TABLE, 3, axis=1)
    seen = looks(watch, clip.frames(nudged, 0.6))
    for look in seen:
        if look.camera_moved:
            watch.accept(look.resting[0])
            break
    assert states(looks(watch, clip.frames(nudged, 0.2)))[-1] == "s"


def test_many_dice_that_come_at_once_are_no_bump(watch: Watch, clip: Clip) -> None:
    rolled = [die("blue", 1 + i % 6, -80 + 22 * i, -75 + 9 * (i % 2), 0.7 * i) for i in range(8)]
    seen = looks(watch, clip.frames(table(*DICE, *rolled).image, 0.6))
    assert not any(look.camera_moved for look in seen)
    assert any(look.resting for look in seen)


def test_what_has_left_is_told_from_what_has_come(watch: Watch, clip: Clip) -> None:
    came = looks(watch, clip.frames(TABLE, 0.4, lambda p, _: arm(p, (0.55, 0.3))))[-1]
    (patch,) = came.resting
    assert not watch.has_left(patch)
    watch.accept(patch)  # a mistake: the hand was taken for the table
    gone = looks(watch, clip.frames(TABLE, 0.5))[-1]
    assert all(watch.has_left(patch) for patch in gone.resting)


def test_another_picture_size_or_an_earlier_time_begins_anew(watch: Watch, clip: Clip) -> None:
    half = cv2.resize(TABLE, (320, 180))
    assert watch.look(half, clip.time_s + 1).unknown.all()
    assert watch.look(half, 0.0).unknown.all()


def test_a_picture_that_stands_alone_is_read_at_once() -> None:
    assert Watch().take(TABLE, 0.0).resting[0].all()


def test_outlines_are_in_px_of_the_whole_picture(watch: Watch, clip: Clip) -> None:
    look = looks(watch, clip.frames(TABLE, 0.4, lambda p, _: arm(p, (0.55, 0.3))))[-1]
    outline = np.concatenate(look.outlines(look.resting[0]))
    assert outline[:, 0].min() == pytest.approx(0.55 * 640 - 45 - 6, abs=6)
    assert 500 < outline[:, 0].max() < 580
