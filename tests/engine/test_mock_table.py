"""The simulated table: what lies there is always what the players have done."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from engine.lawn import NEUTRAL
from engine.mock_layout import MockLayout
from engine.mock_table import arranged, laid, shows
from engine.position import Position
from engine.table import ELSEWHERE, Area, LawnPlace
from tests.engine.mock_games import moments_of, turn_starts

TABLES = [(2, True), (3, True), (2, False), (3, False)]


@pytest.mark.parametrize(("players", "areas"), TABLES)
def test_at_the_end_of_every_turn_the_table_shows_the_position(players: int, areas: bool) -> None:
    moments = moments_of(players, players, areas=areas)
    ends = [moment for moment in moments if moment.ends]
    assert len(ends) > 20
    assert all(shows(moment.table, moment.position) for moment in ends)
    assert moments[-1].position.is_over


@pytest.mark.parametrize("players", [2, 3])
def test_the_actions_of_the_moments_are_a_legal_round(players: int) -> None:
    position = Position.start(players)
    for moment in moments_of(7, players):
        for action in moment.actions:
            position = position.apply(action)
        assert position == moment.position
    assert position.is_over


@pytest.mark.parametrize("players", [2, 3])
def test_no_die_is_ever_lost_or_changed_untouched(players: int) -> None:
    moments = moments_of(3, players)
    counts = dict.fromkeys(range(players), 8) | ({NEUTRAL: 6} if players == 2 else {})  # 1:1
    for before, after in pairwise(moments):
        owners = [die.owner for die in after.table.dice]
        assert {owner: owners.count(owner) for owner in set(owners)} == counts
        touched = after.table.touched_since(before.table)
        for die in after.table.dice:
            then = before.table.dice[die.number]
            assert die.touches >= then.touches
            if die.number not in touched:
                assert die == then


def test_on_the_lawn_a_die_shows_the_number_of_its_row() -> None:  # 4:3.A
    for moment in moments_of(5, 3):
        for die in moment.table.dice:
            place = moment.table.place(die.number)
            if isinstance(place, LawnPlace):
                assert die.face == place.row


def test_dice_at_rest_lie_apart() -> None:
    for moment in (moment for moment in moments_of(11, 3) if moment.ends):
        spots = [die.spot for die in moment.table.dice if die.spot]
        for at, (x, y) in enumerate(spots):
            for other_x, other_y in spots[:at]:
                assert max(abs(x - other_x), abs(y - other_y)) > 14


def test_a_pushed_die_lies_beside_the_lawn_before_it_is_rolled() -> None:  # 5:2.A
    moments = moments_of(2, 3)
    pushed = [moment for moment in moments if moment.position.phase == "re-entry"]
    pushed = [moment for moment in pushed if moment.step == "pushed"]
    assert pushed
    for moment in pushed:
        placed = moment.actions[-1]
        owner = moment.position.displaced
        beside = [
            die
            for die in moment.table.off_lawn(owner)
            if moment.table.place(die.number) == ELSEWHERE and die.face == placed.face  # type: ignore[union-attr]
        ]
        assert beside


def test_the_same_seed_gives_the_same_round() -> None:
    assert moments_of(4, 2) == moments_of(4, 2)
    assert moments_of(4, 2) != moments_of(5, 2)


@pytest.mark.parametrize("players", [2, 3])
def test_any_position_at_rest_can_be_laid(players: int) -> None:
    for position in turn_starts(1, players):
        for areas in (True, False):
            table = laid(position, MockLayout(areas=areas), random.Random(0))
            assert shows(table, position)


def test_arranging_leaves_dice_in_order_alone_and_sorts_the_others() -> None:  # 4:1.C
    rng = random.Random(0)
    for position in turn_starts(2, 2):
        table = laid(position, MockLayout(), rng)
        assert arranged(table, 0, rng, tidy=0).touched_since(table) == frozenset()
        dice = table.off_lawn(0)
        if not dice:
            continue
        die = rng.choice(dice)
        spot = table.scattered(table.layout.row_box(0), rng)
        rolled = table.put(die, spot, rng.randint(1, 6))
        after = arranged(rolled, 0, rng, tidy=rng.choice((0.0, 1.0)))
        row = sorted(after.off_lawn(0), key=lambda die: die.spot or (0, 0))
        assert [each.face for each in row] == sorted(each.face for each in row)
        assert len({each.spot for each in row}) == len(row)
        assert all(after.place(each.number) == Area("row", 0) for each in row)


def test_a_die_near_a_line_is_believed_to_lie_on_either_side() -> None:
    layout = MockLayout(cell_w=30, cell_h=26)
    (place, chance), *others = layout.belief((31.0, 13.0), 1.5)
    assert place == LawnPlace(1, "center")
    assert 0.6 < chance < 0.9
    assert others[0][0] == LawnPlace(1, "left")
    assert abs(chance + sum(p for _, p in others) - 1) < 1e-9
    assert layout.belief((45.0, 13.0), 1.5) == ((LawnPlace(1, "center"), 1.0),)
    assert layout.belief((-20.0, 13.0), 1.5)[0][0] == ELSEWHERE


def test_no_two_areas_overlap() -> None:
    boxes = [box for _, box in MockLayout().boxes] + [(0.0, 0.0, 90.0, 156.0)]
    for at, (x0, y0, x1, y1) in enumerate(boxes):
        for a0, b0, a1, b1 in boxes[:at]:
            assert x1 <= a0 or a1 <= x0 or y1 <= b0 or b1 <= y0
