"""Counted trees of legal actions, against the plain second reading of the rules in naive.py."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from engine.actions import parse_action
from engine.options import Options
from engine.position import Position, playout
from tests.engine import naive
from tests.engine.tables import table

TWO = {"red": "11235566", "blue": "11223344"}
THREE = {"red": "11235566", "blue": "11223344", "green": "12345666"}


def plain(position: Position) -> naive.Round:
    """The position as naive.py wants it, cut off from the engine's own objects."""
    copied: naive.Round = json.loads(json.dumps(position.to_json()))
    return copied


def agree(position: Position, r: naive.Round) -> list[tuple[Position, naive.Round]]:
    """Check that both readings allow the same actions with the same results; the successors."""
    legal = {str(action): action for action in position.legal_actions()}
    expected = naive.moves(r)
    assert set(legal) == set(expected)
    assert len(legal) == len(position.legal_actions())
    chances = {str(action): chance for action, chance in position.chance_outcomes()}
    assert chances == pytest.approx({t: c for t, c in expected.items() if c is not None})
    after = []
    for text, action in legal.items():
        pair = (position.apply(action), naive.play(r, text))
        assert plain(pair[0]) == pair[1], f"{text} in {position}"
        after.append(pair)
    return after


def perft(position: Position, depth: int) -> list[int]:
    """How many paths of 1 to `depth` actions there are, each node checked against naive.py."""
    layer, counts = [(position, plain(position))], []
    for _ in range(depth):
        layer = [pair for node in layer for pair in agree(*node)]
        counts.append(len(layer))
    return counts


PUSHED = {"red": "1123566", "blue": "112233", "green": "11223344"}
FULL = {1: "bbb", 6: "bbb", 2: "rwb", 3: "rwb", 4: "rwr", 5: "rw."}
LAST = {1: "rrr", 2: "rrr", 3: "bbb", 4: "bbb", 5: "bw.", 6: ".wb"}
OUT = {1: "rrr", 2: "rgr", 3: "rb.", 6: "rb."}
STUCK = {1: "rrr", 6: "rrr", 2: "bbb", 3: "ggg", 4: ".g."}

TREES = {
    # Two edges; a pair falls in 21 ways; two flanks for each of two edge dice.
    "two players, open": (table("boundary-choice red", TWO), [2, 42, 168]),
    # For three players an empty row has one place.
    "three players, open": (table("boundary-choice red", THREE), [2, 42, 84]),
    # A center play and two pushes with six re-entries each.
    "push": (table("placement red", PUSHED, {6: "brb"}), [3, 14, 66]),
    "own die pushed": (
        table("placement red", PUSHED | {"red": "112566", "blue": "1122334"}, {6: "rbr"}),
        [3, 14, 51],
    ),
    "capture": (
        table("placement red", {"red": "112356", "blue": "1122334"}, {6: "wrb", 1: ".wr"}),
        [3, 10, 66],
    ),
    "lock by a push": (
        table(
            "placement red",
            {"red": "123566", "blue": "1122334"},
            {6: "rrb"},
            captured={"blue": "6"},
        ),
        [4, 16, 78],
    ),
    "lost turn": (
        table(
            "boundary-choice blue",
            {"red": "35", "blue": "1236", "green": "11223344"},
            {1: "rrr", 6: "rrr", 2: "bbb", 3: ".b."},
        ),
        [2, 12, 22],
    ),
    "grind": (
        table("boundary-choice red", {"red": "116", "blue": ""}, FULL, captured={"blue": "16"}),
        [2, 27, 537],
    ),
    "last dice": (
        table(
            "boundary-choice red",
            {"red": "56", "blue": ""},
            LAST,
            captured={"red": "12", "blue": "34"},
        ),
        [2, 12, 14],
    ),
    # One edge, six throws: 1 is locked (blue then has two edges), 2 pushes, the others fill.
    "first out": (
        table(
            "boundary-choice red",
            {"red": "6", "blue": "113344", "green": "1122344"},
            OUT,
            options="ending first-out",
        ),
        [1, 6, 8],
    ),
    "gridlock": (
        table(
            "boundary-choice green", {"red": "16", "blue": "12345", "green": "1266"}, STUCK, lost=2
        ),
        [2, 27, 13],
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_counted_trees(name: str) -> None:
    # rules 4 to 7, to depth 3 with chance enumerated
    position, counts = TREES[name]
    assert perft(position, 3) == counts


VARIANTS = [
    Options(),
    Options(ending="lawn-locked"),
    Options(ending="first-out"),
    Options(own_push="keep-face", bonus="best", tie_break="base"),
    Options(endgame_block="before-roll"),
    Options(endgame_block="before-roll", ending="lawn-locked", grind="at-once"),
    Options(grind="at-once", own_push="keep-face", ending="first-out"),
]


def deep_rounds(options: Options, rounds: int) -> Iterator[tuple[Position, naive.Round, str]]:
    """Random rounds of both readings side by side: position, plain round, the action taken."""
    for players in (2, 3):
        rng = random.Random(f"{players} {options}")
        for _ in range(rounds):
            r = plain(Position.start(players, options=options))
            for position, action in playout(Position.start(players, options=options), rng):
                yield position, r, str(action)
                r = naive.play(r, str(action))


@pytest.mark.parametrize("options", VARIANTS, ids=lambda o: " ".join(o.changed().values()) or "-")
def test_whole_rounds_agree_with_the_second_reading(options: Options) -> None:
    # every rule and every ruling with a choice, R1 to R6
    for position, r, text in deep_rounds(options, rounds=6):
        assert plain(position) == r
        if position.dice_in_the_air <= 3:
            assert {str(action) for action in position.legal_actions()} == set(naive.moves(r))
        assert plain(position.apply(parse_action(text))) == naive.play(r, text)


def rigged(players: int, options: Options, seed: int) -> Iterator[tuple[Position, str]]:
    """A round whose Big Rolls are drawn from few faces, so that ties and bonuses are common."""
    rng = random.Random(seed)
    position = Position.start(players, options=options)
    while not position.order:
        if position.is_chance:
            faces = rng.choice(["44444422", "22444444", "11111111", "11233455", "55433211"])
            text = "rolled " + " ".join(faces)
        else:
            text = str(rng.choice(position.legal_actions()))
        yield position, text
        position = position.apply(parse_action(text))


@pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[3]], ids=["default", "other"])
def test_openings_with_ties_and_elections_agree(options: Options) -> None:
    # rules 3:2.D and 3:4, R5, R6
    phases = set()
    for seed in range(40):
        for position, text in rigged(2 + seed % 2, options, seed):
            phases.add(position.phase)
            after = position.apply(parse_action(text))
            assert plain(after) == naive.play(plain(position), text)
    assert phases >= {"big-roll", "tie-break"}
    assert ("bonus-choice" in phases) == (options.bonus == "elect")
