"""The sentences about who starts (rule 3:4)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.webui.tables import big_rolls
from vision.scoring import score_reading
from webui.words import who_starts

# Totals by rule 3: base plus the best bonus.
LOW = (1, 1, 2, 2, 3, 4, 5, 3)  # 21, nothing qualifies
HIGH = (6, 6, 6, 6, 6, 5, 4, 1)  # 40 + five of a kind 30 = 70
MIDDLE = (1, 2, 3, 4, 5, 6, 6, 6)  # 33 + straight 21 = 54


def said(**rolls: Sequence[int]) -> list[str]:
    return who_starts(score_reading(big_rolls(rolls)))


def test_an_empty_table_says_so() -> None:
    assert said() == ["No dice are seen."]


def test_without_a_whole_handful_nothing_is_scored() -> None:
    assert said(white=(1, 2, 3, 4, 5, 6), red=LOW[:7]) == [
        "No colour has its 8 dice on the table yet, so nothing is scored."
    ]


def test_one_handful_alone_cannot_start() -> None:
    assert said(red=LOW) == [
        "Red has 21. Who starts is known when a second colour has 8 dice on the table."
    ]


def test_the_highest_total_starts_and_the_others_follow() -> None:
    # rule 3:4.A
    assert said(red=LOW, blue=HIGH, green=MIDDLE) == [
        "Blue starts with 70, then green with 54, then red with 21."
    ]


def test_a_tie_at_the_top_is_rolled_again_and_the_third_follows() -> None:
    # rule 3:4.B
    assert said(red=HIGH, blue=HIGH, green=LOW) == [
        "Blue and red tie with 70: both roll all 8 dice again to see who starts, "
        "and the scores stay (rule 3:4.B).",
        "Green follows with 21.",
    ]


def test_a_tie_behind_the_first_is_rolled_again_for_the_order() -> None:
    assert said(red=HIGH, blue=LOW, green=LOW) == [
        "Red starts with 70.",
        "Blue and green tie with 21: both roll all 8 dice again to see who of them plays first, "
        "and the scores stay (rule 3:4.B).",
    ]


def test_all_three_may_tie() -> None:
    assert said(red=LOW, blue=LOW, green=LOW) == [
        "Blue, green and red tie with 21: all of them roll all 8 dice again to see who starts, "
        "and the scores stay (rule 3:4.B)."
    ]
