"""What the simulated camera catches of a round: not everything, but never too little to tell."""

from __future__ import annotations

import random

import pytest

from engine.mock_camera import MockCamera, Noise
from engine.mock_turns import Moment
from engine.mock_watch import Shot, Watcher
from tests.engine.mock_games import evaluation, moments_of


def watched(moments: list[Moment], players: int, seed: int = 0) -> list[Shot]:
    rng = random.Random(seed)
    eye = MockCamera(Noise.fitted(evaluation(), 0.0), players, players == 2, rng)
    return list(Watcher(eye, rng).shots(moments))


def test_hasty_players_leave_most_half_steps_unseen() -> None:
    hasty, slow = moments_of(1, 2, tempo=0.1), moments_of(1, 2, tempo=3.0)
    seen = {id(shot.moment) for shot in watched(hasty, 2)}
    assert len(seen) < 0.5 * len(hasty)
    assert len({id(shot.moment) for shot in watched(slow, 2)}) > 0.8 * len(slow)


@pytest.mark.parametrize("players", [2, 3])
def test_every_roll_is_seen_before_dice_of_the_same_row_are_rolled_again(players: int) -> None:
    moments = moments_of(2, players, tempo=0.05)
    clear = {id(shot.moment) for shot in watched(moments, players) if shot.clear}
    unseen: set[int] = set()
    before = moments[0].table
    for moment in moments:
        touched = moment.table.touched_since(before)
        owners = {moment.table.dice[number].owner for number in touched}
        if moment.step in ("lifted", "rolled", "re-entry rolled"):
            assert not owners & {moment.table.dice[number].owner for number in unseen}
        if moment.step in ("rolled", "re-entry rolled"):
            unseen |= touched
        if id(moment) in clear:
            unseen.clear()
        before = moment.table


def test_no_view_lags_behind_by_more_than_a_turn_and_the_next_roll() -> None:
    moments = moments_of(3, 3, tempo=0.05)
    clear = {id(shot.moment) for shot in watched(moments, 3) if shot.clear}
    unseen_ends = 0
    for moment in moments:
        unseen_ends += moment.ends
        assert unseen_ends <= 1 or id(moment) in clear
        if id(moment) in clear:
            unseen_ends = 0


def test_the_clock_runs_and_views_come_after_the_table_has_settled() -> None:
    shots = watched(moments_of(4, 2), 2)
    times = [shot.view.time_s for shot in shots]
    assert times == sorted(times)
    assert all(shot.view.still_s > 0.2 for shot in shots)
    assert any(shot.view.hidden for shot in shots)
    assert any(not shot.clear for shot in shots)
    assert shots[-1].moment.position.is_over
