"""The Big Roll: base, bonus formations, election and turn order."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.big_roll import CATEGORIES, order_of_totals, score, turn_order
from engine.dice import throws
from engine.errors import DiceError, LawnError

eight_faces = st.lists(st.integers(1, 6), min_size=8, max_size=8)


@given(eight_faces)
def test_base_is_the_sum_of_all_eight_dice(rolled: list[int]) -> None:
    # rule 3:1.B
    assert score(rolled).base == sum(rolled)
    assert score(rolled).faces == tuple(sorted(rolled))


@pytest.mark.parametrize(
    ("rolled", "category", "points"),
    [
        ((4, 4, 4, 4, 4, 1, 2, 3), "five of a kind", 20),
        ((4, 4, 4, 4, 4, 4, 2, 3), "six of a kind", 24),
        ((2, 2, 2, 2, 2, 2, 2, 3), "seven of a kind", 14),
        ((6, 6, 6, 6, 6, 6, 6, 6), "eight of a kind", 48),
    ],
)
def test_a_set_of_five_or_more_scores_all_its_matching_dice(
    rolled: tuple[int, ...], category: str, points: int
) -> None:
    # rule 3:2.A
    roll = score(rolled)
    kinds = [bonus for bonus in roll.bonuses if "of a kind" in bonus.category]
    assert [(b.category, b.points) for b in kinds] == [(category, points)]
    assert len(set(kinds[0].dice)) == 1


def test_four_of_a_kind_is_no_bonus() -> None:
    # rule 3:2.A
    roll = score((3, 3, 3, 3, 1, 2, 4, 4))
    assert roll.bonuses == ()
    assert roll.best is None
    assert roll.total == roll.base == 23


def test_the_straight_scores_twenty_one() -> None:
    # rule 3:2.B
    best = score((6, 5, 4, 3, 2, 1, 1, 3)).best
    assert best is not None
    assert (best.category, best.points, best.dice) == ("six-dice straight", 21, (1, 2, 3, 4, 5, 6))


def test_five_faces_in_a_line_are_no_straight() -> None:
    # rule 3:2.B
    assert score((1, 2, 3, 4, 5, 5, 5, 1)).bonuses == ()


def test_pairs_and_better_make_a_fully_matched_set_of_all_eight() -> None:
    # rule 3:2.C
    best = score((1, 1, 2, 2, 5, 5, 6, 6)).best
    assert best is not None
    assert (best.category, best.points, len(best.dice)) == ("fully matched", 28, 8)


def test_one_orphan_spoils_the_fully_matched_set() -> None:
    # rule 3:2.C
    assert score((1, 1, 2, 2, 5, 5, 5, 6)).bonuses == ()


def test_a_roll_that_qualifies_twice_claims_only_one_bonus() -> None:
    # rule 3:2.D
    roll = score((4, 4, 4, 4, 4, 4, 2, 2))
    assert [b.category for b in roll.bonuses] == ["fully matched", "six of a kind"]
    assert roll.total == 28 + 28
    assert roll.total_with("six of a kind") == 28 + 24
    assert roll.total_with(None) == 28


def test_a_bonus_that_does_not_qualify_cannot_be_elected() -> None:
    # rule 3:2.D
    with pytest.raises(DiceError, match="qualifies for fully matched"):
        score((1, 1, 2, 2, 5, 5, 6, 6)).total_with("six-dice straight")


def test_every_handful_agrees_with_a_second_reading_of_the_bonus_rules() -> None:
    # rule 3:2.A, 3:2.B, 3:2.C over all 1287 handfuls
    for rolled in combinations_with_replacement(range(1, 7), 8):
        tally = Counter(rolled)
        expected = {}
        top, count = tally.most_common(1)[0]
        if count >= 5:
            name = {5: "five", 6: "six", 7: "seven", 8: "eight"}[count]
            expected[f"{name} of a kind"] = top * count
        if {1, 2, 3, 4, 5, 6} <= set(rolled):
            expected["six-dice straight"] = 21
        if 1 not in tally.values():
            expected["fully matched"] = sum(rolled)
        roll = score(rolled)
        assert {b.category: b.points for b in roll.bonuses} == expected
        assert roll.total == sum(rolled) + max(expected.values(), default=0)
        assert [b.points for b in roll.bonuses] == sorted(expected.values(), reverse=True)
        assert all(b.category in CATEGORIES and sum(b.dice) == b.points for b in roll.bonuses)


def test_the_highest_total_goes_first_and_ties_stay_together() -> None:
    # rule 3:4.A, 3:4.B
    rolls = {
        "red": score((1, 1, 1, 2, 3, 4, 5, 5)),
        "blue": score((1, 1, 2, 2, 5, 5, 6, 6)),
        "green": score((5, 5, 1, 1, 1, 2, 3, 4)),
    }
    assert turn_order(rolls) == (("blue",), ("red", "green"))


def test_the_elected_bonus_decides_the_turn_order() -> None:
    # rule 3:4.A: base plus the bonus that is claimed
    assert order_of_totals({"red": 40, "blue": 52, "green": 40}) == (("blue",), ("red", "green"))
    assert order_of_totals({}) == ()


@pytest.mark.parametrize(
    "rolled",
    [
        *((), (1,) * 7, (1,) * 9, (0, *(1,) * 7), (7, *(1,) * 7), (1.5, *(1,) * 7)),
        *(("1",) * 8, "11111111", None, 8, (None,) * 8, (True,) * 8, ((1, 2),) * 8),
        (10**5000, *(1,) * 7),
    ],
)
def test_a_wrong_big_roll_is_refused_in_one_clear_sentence(rolled: Any) -> None:
    # rule 3:1.A
    with pytest.raises(LawnError, match="A Big Roll is eight dice with faces 1 to 6"):
        score(rolled)


def test_throws_are_merged_handfuls_whose_probabilities_sum_to_one() -> None:
    # rule 1:1: fair six-sided dice
    for count, entries in ((1, 6), (2, 21), (8, 1287)):
        table = throws(count)
        assert len(table) == entries
        assert sum(chance for _, chance in table) == pytest.approx(1.0)
    assert dict(throws(2))[(3, 5)] == pytest.approx(2 / 36)
