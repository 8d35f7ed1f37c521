"""The simulated camera errs as the real detector does, and at the rate that is asked for."""

from __future__ import annotations

import random

import pytest

from engine.errors import TableError
from engine.mock_camera import MockCamera, Noise
from engine.mock_layout import MockLayout
from engine.mock_table import MockTable, laid
from engine.table import SeenDie, TableView, view_from_json
from tests.engine.mock_games import evaluation, turn_starts


def table_of_three() -> MockTable:
    return laid(turn_starts(0, 3)[10], MockLayout(), random.Random(0))


def camera(rate: float, seed: int = 0) -> MockCamera:
    return MockCamera(Noise.fitted(evaluation(), rate), 3, False, random.Random(seed))


def pairs(view: TableView, eye: MockCamera, table: MockTable) -> list[tuple[SeenDie, int]]:
    """Each seen die with the face that it really shows."""
    numbers = {reading.key: number for number, reading in eye.readings.items()}
    return [(d, table.dice[numbers[d.key]].face) for d in view.dice if d.key in numbers]


@pytest.mark.parametrize("rate", [0.005, 0.025, 0.05])
def test_faces_are_wrong_as_often_as_asked_and_never_said_surer_than_they_are(rate: float) -> None:
    table = table_of_three()
    wrong = said = count = 0.0
    for seed in range(300):
        eye = camera(rate, seed)
        for die, face in pairs(eye.view(table, 1, 0, 5), eye, table):
            count += 1
            wrong += die.face != face
            said += 1 - max(die.face_p)
    assert wrong / count == pytest.approx(rate, abs=4 * (rate / count) ** 0.5)
    assert said / count == pytest.approx(rate, rel=0.25)  # calibrated


def test_a_camera_without_errors_sees_the_truth() -> None:
    table, eye = table_of_three(), camera(0.0)
    view = eye.view(table, 1, 0, 5)
    assert len(view.dice) == 24
    assert all(max(die.face_p) == 1 and die.face == face for die, face in pairs(view, eye, table))
    assert sorted(die.owner for die in view.dice) == sorted(die.owner for die in table.dice)


def test_the_reading_of_an_untouched_die_mostly_stays_and_so_does_its_key() -> None:
    table, eye = table_of_three(), camera(0.025)
    same = keys = count = 0
    before = {die.key: die for die in eye.view(table, 0, 0, 5).dice}
    for time_s in range(1, 200):
        view = eye.view(table, time_s, 0, 5)
        for die in view.dice:
            count += 1
            keys += die.key in before
            same += die.key in before and before[die.key].face_p == die.face_p
        before = {die.key: die for die in view.dice}
    assert same / count == pytest.approx(0.8, abs=0.06)
    assert 0.9 < keys / count < 1  # sometimes renewed although untouched


def test_the_key_of_a_touched_or_covered_die_is_never_kept() -> None:
    table, eye = table_of_three(), camera(0.0)
    rng = random.Random(1)
    for _ in range(100):
        eye.view(table, 0, 0, 5)
        before = {number: reading.key for number, reading in eye.readings.items()}
        moved, covered = rng.sample(table.dice, 2)
        if moved.spot is None:
            continue
        table = table.put(moved, moved.spot)  # put back where it lay
        eye.view(table, 0, 0, 5, covered=frozenset({covered.number}))
        assert eye.readings[moved.number].key != before[moved.number]
        assert eye.readings[covered.number].key != before[covered.number]


def test_what_lies_under_a_hand_is_not_seen_and_newly_found_later() -> None:
    table, eye = table_of_three(), camera(0.0)
    die = table.dice[3]
    place = table.place(3)
    assert place is not None
    key = {n: r.key for n, r in eye.readings.items()}.get(3)
    view = eye.view(table, 0, 0, 5, frozenset({place}), frozenset({die.number}))
    assert len(view.dice) == 23
    assert view.hidden == {place}
    eye.view(table, 1, 0, 5)
    assert eye.readings[3].key != key


def test_an_untouched_die_lies_no_farther_off_after_a_resting_hand_than_after_any() -> None:
    table, eye = table_of_three(), camera(0.0)
    off: list[float] = []
    for _ in range(300):
        eye.view(table, 0, 0, 5)
        before = eye.readings[3]
        for _ in range(2):  # it rests there for longer than one view
            eye.view(table, 0, 0, 5, under=frozenset({3}))
        eye.view(table, 0, 0, 5)
        assert eye.readings[3].key != before.key
        off.append(
            max(abs(a - b) for a, b in zip(eye.readings[3].error, before.error, strict=True))
        )
    assert sorted(off)[len(off) // 2] == pytest.approx(0.3, abs=0.06)


def test_views_have_the_form_that_the_journal_keeps() -> None:
    view = camera(0.05).view(table_of_three(), 1.5, 0.5, 5)
    assert view_from_json(view.to_json()) == view
    for die in view.dice:
        assert abs(sum(die.face_p) - 1) < 1e-9
        assert sum(die.owner_p) <= 1 + 1e-9


def test_only_an_evaluation_of_the_detector_gives_the_noise() -> None:
    with pytest.raises(TableError, match="lawn evaluate"):
        Noise.fitted({"all": {"dice": 0}}, 0.01)
    with pytest.raises(TableError, match="from 0 to"):
        Noise.fitted(evaluation(), 0.5)


def test_things_are_taken_for_dice_as_often_as_fitted_and_for_more_than_one_view() -> None:
    table, eye = table_of_three(), camera(0.025)
    ghosts: list[int] = []
    views = 600
    for time_s in range(views):
        view = eye.view(table, time_s, 0, 5)
        real = {r.key for r in eye.readings.values()}
        ghosts += [die.key for die in view.dice if die.key not in real]
        assert all(die.found_p < 0.9 for die in view.dice if die.key not in real)
    assert len(ghosts) / views == pytest.approx(24 * eye.noise.spurious, rel=0.3)
    assert 3 < len(ghosts) / len(set(ghosts)) < 7


def test_a_die_found_anew_lies_a_little_off_and_one_that_keeps_its_key_just_where_it_lay() -> None:
    table, eye = table_of_three(), camera(0.0)
    off: list[float] = []
    for _ in range(300):
        before = dict(eye.readings)
        eye.view(table, 0, 0, 5, covered=frozenset({3}))
        for number, reading in eye.readings.items():
            if number not in before:
                continue
            moved = [abs(a - b) for a, b in zip(reading.error, before[number].error, strict=True)]
            if reading.key == before[number].key:
                assert max(moved) == 0
            else:
                off.append(max(moved))
    assert sorted(off)[len(off) // 2] == pytest.approx(0.3, abs=0.06)
