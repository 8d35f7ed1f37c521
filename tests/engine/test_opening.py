"""From the Big Roll to the first turn."""

from __future__ import annotations

import pytest

from engine.actions import Rolled
from engine.errors import IllegalAction
from engine.options import Options
from engine.position import Position
from tests.engine.tables import names, play, rules, texts

PLAIN = "rolled 1 1 2 3 3 4 5 5"  # 24 points, no bonus
PLAIN_25 = "rolled 1 1 2 3 3 4 5 6"  # a straight would need no more than this: 25 + 21
LOW = "rolled 1 1 1 2 3 3 4 5"  # 20 points, no bonus
TWICE = "rolled 2 2 4 4 4 4 4 4"  # fully matched 28 or six of a kind 24


def test_all_players_roll_all_eight_dice() -> None:
    # rule 3:1.A
    position = Position.start(2)
    assert position.is_chance
    assert len(position.legal_actions()) == 1287
    assert rules(position, "rolled 1 2 3") == ["3:1.A"]
    position = play(position, PLAIN)
    assert position.turn_colour == "blue"
    assert position.phase == "big-roll"


def test_the_big_roll_total_is_base_plus_bonus() -> None:
    # rule 3:1.B, 3:2.B
    position = play(Position.start(2), PLAIN_25)
    score = position.score(0)
    assert (score.base, score.bonus, score.category) == (25, 21, "six-dice straight")


def test_a_single_bonus_is_claimed_at_once() -> None:
    # rule 3:2: a player with one qualifying bonus has nothing to elect
    position = play(Position.start(2), PLAIN_25, PLAIN)
    assert position.phase == "boundary-choice"
    assert position.scores()[0].lead == 46


def test_a_player_with_two_bonuses_elects_one() -> None:
    # rule 3:2.D, R6
    position = play(Position.start(2), TWICE, PLAIN)
    assert position.phase == "bonus-choice"
    assert position.turn_colour == "red"
    assert names(position) == ["claim fully matched: 28 points", "claim six of a kind: 24 points"]
    assert position.score(0).bonus == 0
    assert play(position, "claim six of a kind").score(0).lead == 28 + 24
    assert play(position, "claim fully matched").score(0).lead == 28 + 28
    assert rules(position, "claim six-dice straight") == ["3:2"]


def test_elections_follow_when_everybody_has_rolled() -> None:
    # rule 3:1.A: the rolls are simultaneous, so none elects before another has rolled
    position = play(Position.start(2), TWICE, TWICE)
    assert position.turn_colour == "red"
    position = play(position, "claim six of a kind")
    assert (position.phase, position.turn_colour) == ("bonus-choice", "blue")
    position = play(position, "claim fully matched")
    assert position.order == (1, 0)


def test_the_best_bonus_can_be_claimed_without_asking() -> None:
    # R6, option bonus best
    position = play(Position.start(2, options=Options(bonus="best")), TWICE, PLAIN)
    assert position.phase == "boundary-choice"
    assert position.score(0).category == "fully matched"


def test_the_rolled_dice_become_the_player_row_in_ascending_order() -> None:
    # rule 3:3.A
    position = Position.start(2).apply(Rolled((5, 1, 4, 1, 3, 5, 3, 2)))
    assert position.rows[0] == (1, 1, 2, 3, 3, 4, 5, 5)


def test_the_highest_total_takes_the_first_turn_and_play_descends() -> None:
    # rule 3:4.A
    position = play(Position.start(3), LOW, PLAIN_25, PLAIN)
    assert position.order == (1, 2, 0)
    assert position.turn_colour == "blue"
    position = play(position, "boundary low", "rolled 2 2", "place 2 center")
    assert position.turn_colour == "green"
    position = play(position, "boundary low", "rolled 2 2", "place 2 left")
    assert position.turn_colour == "red"


def test_tied_players_re_roll_for_order_and_keep_their_scores() -> None:
    # rule 3:4.B, R5
    position = play(Position.start(2), PLAIN, PLAIN)
    assert (position.phase, position.turn_colour) == ("tie-break", "red")
    assert position.order == ()
    position = play(position, LOW)
    assert (position.phase, position.turn_colour) == ("tie-break", "blue")
    position = play(position, PLAIN_25)
    assert position.order == (1, 0)
    assert [score.lead for score in position.scores()] == [24, 24]
    assert position.rows == ((1, 1, 1, 2, 3, 3, 4, 5), (1, 1, 2, 3, 3, 4, 5, 6))


def test_a_tie_break_goes_on_until_no_tie_is_left() -> None:
    # R5
    position = play(Position.start(2), PLAIN, PLAIN, LOW, LOW)
    assert (position.phase, position.turn_colour) == ("tie-break", "red")
    assert play(position, PLAIN, LOW).order == (0, 1)


def test_only_the_two_tied_of_three_re_roll() -> None:
    # rule 3:4.B
    position = play(Position.start(3), PLAIN, PLAIN_25, PLAIN)
    assert position.opening.groups == ((1,), (0, 2))
    position = play(position, LOW)
    assert position.turn_colour == "green"
    position = play(position, "rolled 6 6 6 6 6 6 6 6")
    assert position.order == (1, 2, 0)
    assert position.rows[1] == (1, 1, 2, 3, 3, 4, 5, 6)


def test_of_three_tied_two_may_stay_tied() -> None:
    # rule 3:4.B, R5
    position = play(Position.start(3), PLAIN, PLAIN, PLAIN, LOW, PLAIN_25, LOW)
    assert position.opening.groups == ((1,), (0, 2))
    assert position.turn_colour == "red"
    position = play(position, LOW, PLAIN)
    assert position.order == (1, 2, 0)


def test_a_tie_break_counts_the_best_bonus_unless_the_option_says_base() -> None:
    # R5
    straight, better_base = "rolled 1 1 1 2 3 4 5 6", "rolled 3 4 4 5 5 6 6 6"  # 23+21, 39
    by_bonus = play(Position.start(2), PLAIN, PLAIN, straight, better_base)
    assert by_bonus.order == (0, 1)
    start = Position.start(2, options=Options(tie_break="base"))
    assert play(start, PLAIN, PLAIN, straight, better_base).order == (1, 0)


def test_a_player_cannot_play_before_the_order_is_settled() -> None:
    # rule 3:1.A, 3:4.B
    position = Position.start(2)
    assert rules(position, "boundary low") == ["3:1.A"]
    position = play(position, PLAIN, PLAIN)
    assert rules(position, "place 1 left") == ["3:4.B"]
    with pytest.raises(IllegalAction, match="must re-roll all eight dice"):
        play(position, "boundary low")


def test_big_roll_outcomes_carry_their_probabilities() -> None:
    # rule 3:1.A
    outcomes = dict(Position.start(2).chance_outcomes())
    assert sum(outcomes.values()) == pytest.approx(1)
    assert outcomes[Rolled((6,) * 8)] == pytest.approx(6**-8)
    assert texts(Position.start(2).legal_actions())[0] == "rolled 1 1 1 1 1 1 1 1"
