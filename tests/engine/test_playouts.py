"""Whole random rounds, checked at every step."""

from __future__ import annotations

import json
import random
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, Elect, Place, Rolled, parse_action
from engine.big_roll import CATEGORIES
from engine.lawn import EMPTY, NEUTRAL, lock_owner
from engine.options import RULINGS, Ending, Options
from engine.parts import lawn_count
from engine.position import Position

ENDINGS = get_args(Ending)
LONGEST = 30_000  # actions; random lawn-locked rounds of three players are the longest by far

all_options = st.builds(
    lambda values: Options.from_mapping(
        dict(zip([r.option for r in RULINGS], values, strict=True))
    ),
    st.tuples(*(st.sampled_from([value for value, _ in r.values]) for r in RULINGS)),
)


def check_dice(position: Position) -> None:
    """rule 1:1 and 1:2: every die is somewhere, once."""
    players = len(position.colours)
    for seat in range(players):
        rolled = bool(position.opening.big_rolls[seat])
        held = len(position.rows[seat]) + (position.displaced == seat)
        assert held + lawn_count(position.lawn, seat) == (8 if rolled else 0)
        assert position.rows[seat] == tuple(sorted(position.rows[seat]))  # rule 4:1.C
    neutral = lawn_count(position.lawn, NEUTRAL) + sum(map(len, position.captured))
    assert neutral == (6 if players == 2 else 0)


def check_progress(before: Position, after: Position) -> None:
    """rule 4:3.D, 5:3.B, 3:4.B: what may never be undone."""
    for old, new in zip(before.lawn, after.lawn, strict=True):
        if lock_owner(old) != EMPTY:
            assert new == old
        assert sum(place != EMPTY for place in new) >= sum(place != EMPTY for place in old)
    assert after.locked & before.locked == before.locked
    for old_faces, new_faces in zip(before.captured, after.captured, strict=True):
        assert all(new_faces.count(face) >= old_faces.count(face) for face in old_faces)
    if before.order:
        assert after.opening is before.opening
    for old_score, new_score in zip(before.scores(), after.scores(), strict=True):
        assert new_score.total >= old_score.total


def check_forms(position: Position) -> None:
    """String and JSON forms bring back an equal position with an equal hash."""
    text = position.to_string()
    twins = (
        Position.from_string(text),
        Position.from_json(json.loads(json.dumps(position.to_json()))),
    )
    for twin in twins:
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.to_string() == text
        assert twin.locked == position.locked
        assert twin.end_reason == position.end_reason


def check_actions(position: Position, rng: random.Random) -> None:
    """Names are unique and can be read back; legal_actions, why_not and apply say the same."""
    legal = position.legal_actions()
    assert bool(legal) != position.is_over
    assert len(set(legal)) == len(legal)
    some = legal if len(legal) <= 30 else tuple(rng.sample(legal, 10))
    named = {position.name(action) for action in some}
    assert len(named) == len(some)
    for action in some:
        assert position.is_legal(action)
        assert position.is_legal(action, by=position.turn)
        assert parse_action(str(action)) == action
    for action in rng.sample(some, min(2, len(some))):
        if not position.is_chance or position.dice_in_the_air < 4:
            assert position.action_named(position.name(action)) == action
    places = [Place(face, side) for face in range(1, 7) for side in ("left", "center", "right")]
    others = [Rolled((1,) * count) for count in range(1, 9)]
    tried: list[Action] = [*places, *others, *map(Elect, CATEGORIES)]
    for action in tried:
        assert position.is_legal(action) == (action in legal)


def walk(start: Position, seed: int, thorough: bool) -> Position:
    rng = random.Random(seed)
    position, steps = start, 0
    while not position.is_over:
        if thorough:
            check_forms(position)
            check_actions(position, rng)
        action = position.throw(rng) if position.is_chance else rng.choice(position.legal_actions())
        after = position.apply(action)
        check_dice(after)
        check_progress(position, after)
        if thorough:
            effects = position.effects(action)
            assert effects.next == after.turn_colour
            assert effects.over == after.end_reason
            assert json.loads(json.dumps(effects.to_json())) == effects.to_json()
        position = after
        steps += 1
        assert steps < LONGEST
    check_forms(position)
    check_actions(position, rng)
    assert position.end_reason
    return position


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_two_player_rounds_end_when_all_dice_are_placed(seed: int, default: bool) -> None:
    # rule 7:1.A
    options = Options() if default else Options(ending="first-out")
    end = walk(Position.start(2, options=options), seed, thorough=True)
    assert end.end_reason == "all dice placed"
    assert end.rows == ((), ())


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(ENDINGS))
def test_three_player_rounds_end_by_their_ending(seed: int, ending: Ending) -> None:
    # R4
    end = walk(Position.start(3, options=Options(ending=ending)), seed, thorough=True)
    allowed: dict[str, set[str]] = {
        "gridlock": {"gridlock", "lawn locked"},
        "lawn-locked": {"lawn locked"},
        "first-out": {"first out", "lawn locked"},
    }
    assert end.end_reason in allowed[ending]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from((2, 3)), all_options, st.integers(0, 2**32))
def test_rounds_by_any_rulings_keep_the_equipment_and_end(
    players: int, options: Options, seed: int
) -> None:
    # rule 1:1, R1 to R10
    walk(Position.start(players, options=options), seed, thorough=False)


def test_equal_positions_reached_by_different_ways_are_one() -> None:
    start = Position.start(2)
    by_parts = Position.from_parts(start.parts)
    assert {start: "a"}[by_parts] == "a"
    assert start != Position.start(3)
    assert start != Position.start(colours=("red", "green"))
    other: Any = object()
    assert start != other
