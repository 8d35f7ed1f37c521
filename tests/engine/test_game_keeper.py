"""Keeping a game: what the camera sees is logged once, and the state is the replay of the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.actions import Rolled
from engine.errors import CorrectionError, JournalError
from engine.game_keeper import AGREED_VIEWS, is_same, uncovered
from engine.game_log import replayed
from engine.game_pace import Pace
from engine.lawn import NEUTRAL
from engine.match import Match
from engine.match_log import Entry
from engine.table import ELSEWHERE, OWNERS, Area, LawnPlace, SeenDie, TableView
from engine.verdict import Desync, Happened, Unsure
from tests.engine.exact_referee import a_die
from tests.engine.sittings import Sitting


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path / "a.match")
    yield made
    made.close()


def test_a_match_before_the_camera_becomes_the_same_match_in_the_journal(sitting: Sitting) -> None:
    for _ in range(20):
        sitting.play_seen()
        assert sitting.as_real
    assert sitting.replay() == sitting.log
    assert not sitting.log.game.misfits
    turns = sitting.log.game.turns
    assert sum((turn.entries for turn in turns), ()) == sitting.match.log
    # every turn has the view and the picture of the moment at which it was seen
    for turn in turns:
        assert turn.view is not None
        assert turn.picture is not None
        assert sitting.keeper.journal.view(turn.view).dice
        assert sitting.keeper.journal.picture(turn.picture)


def test_a_view_that_shows_nothing_new_writes_nothing(sitting: Sitting) -> None:
    sitting.play_seen(4)
    before = sitting.log
    for _ in range(5):
        sitting.look()
    assert sitting.log is before


def test_a_table_out_of_step_is_asked_once_and_settled_when_it_is_mended(sitting: Sitting) -> None:
    sitting.play_seen(4)
    wrong = sitting.view()
    wrong = replace(wrong, dice=wrong.dice[:-1])
    for _ in range(3):
        sitting.keeper.see(wrong)
    question = sitting.log.question
    assert question is not None
    assert isinstance(question.verdict, Desync)
    assert question.view is not None
    assert sitting.replay() == sitting.log
    sitting.look()
    assert sitting.log.question is None
    sitting.play_seen(2)
    assert sitting.as_real


def test_a_question_is_still_open_after_a_crash_and_is_not_asked_twice(sitting: Sitting) -> None:
    sitting.play_seen(4)
    wrong = sitting.view()
    wrong = replace(wrong, dice=wrong.dice[:-1])
    sitting.keeper.see(wrong)
    before = sitting.log
    sitting.crash_and_resume()
    assert sitting.log.question == before.question
    assert sitting.log.game == before.game
    number = sitting.log.number
    sitting.keeper.see(wrong)
    assert sitting.log.number == number  # the same question is not asked again
    sitting.look()
    assert sitting.log.question is None


def test_a_table_mended_overnight_must_agree_for_a_while(sitting: Sitting) -> None:
    sitting.play_seen(4)
    wrong = sitting.view()
    sitting.keeper.see(replace(wrong, dice=wrong.dice[:-1]))
    sitting.crash_and_resume()
    for _ in range(AGREED_VIEWS - 1):
        sitting.look()
        assert sitting.log.question is not None  # one view says little to who was not there
    sitting.look()
    assert sitting.log.question is None


def test_nothing_is_refereed_during_a_break(sitting: Sitting) -> None:
    sitting.play_seen(4)
    before = sitting.match
    sitting.keeper.pause()
    sitting.keeper.see(replace(sitting.view(), dice=()))  # somebody clears the table for dinner
    assert sitting.log.paused
    assert (sitting.match, sitting.log.question) == (before, None)
    sitting.crash_and_resume()  # the next day
    assert not sitting.log.paused
    sitting.play_seen(2)
    assert sitting.as_real


def test_the_table_is_accepted_as_it_lies_and_the_match_goes_on_from_there(
    sitting: Sitting,
) -> None:
    sitting.play_seen(5)
    view = sitting.view()
    # A red die that lay in the row now lies on row 2 with a 5 on top: no rule leads there.
    row = next(die for die in view.dice if die.owner == 0 and isinstance(die.place, Area))
    free = next(
        place
        for place in (LawnPlace(row_number, "left") for row_number in (2, 3, 4, 6))
        if place not in view.on_lawn()
    )
    odd = a_die(row.key, 5 if free.row != 5 else 4, 0, free, (0.0, 20.0 * free.row))
    dice = tuple(odd if die is row else die for die in view.dice)
    sitting.keeper.see(replace(view, dice=dice))
    assert sitting.log.question is not None
    turn = sitting.match.position.turn_colour
    sitting.desk.accept_table()
    assert sitting.log.question is None
    assert sitting.match.position.lawn[free.row - 1][0] == 0
    assert sitting.match.position.turn_colour == turn
    assert sitting.log.game.turns[-1].source == "ruling"
    assert sitting.match.rulings[-1].position == sitting.match.position
    # the odd die is not complained about, now or after a night
    number = sitting.log.number
    sitting.keeper.see(replace(view, time_s=view.time_s + 9, dice=dice))
    assert sitting.log.number == number
    sitting.crash_and_resume()
    sitting.keeper.see(replace(view, time_s=view.time_s + 99, dice=dice))
    assert sitting.log.question is None
    assert sitting.replay() == sitting.log
    sitting.desk.undo()
    assert sitting.as_real
    assert sitting.log.question is not None


def test_a_table_that_can_be_no_position_is_not_accepted(sitting: Sitting) -> None:
    sitting.play_seen(5)
    sitting.keeper.see(replace(sitting.view(), dice=sitting.view().dice[:-1]))
    before = sitting.log
    with pytest.raises(CorrectionError, match="cannot be accepted") as refused:
        sitting.desk.accept_table()
    assert str(refused.value).endswith(".")
    assert sitting.log == before


def test_a_full_disk_changes_nothing_and_the_next_view_tries_again(sitting: Sitting) -> None:
    sitting.play_seen(4)
    before = sitting.log
    db = sitting.keeper.journal._db
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match="the disk is full"):  # noqa: PT012
        for _ in range(40):
            before = sitting.log
            sitting.play_seen()
    assert sitting.log is before
    assert sitting.replay() == before
    db.execute(f"PRAGMA max_page_count = {pages + 1000}")
    sitting.look()
    assert sitting.as_real
    assert sitting.replay() == sitting.log


def test_a_note_and_news_of_the_camera_are_remarks(sitting: Sitting) -> None:
    sitting.keeper.note("  Ben spilt\nhis tea ")
    with pytest.raises(CorrectionError):
        sitting.keeper.note("   ")
    assert [remark.text for remark in sitting.log.remarks] == ["Ben spilt his tea"]
    assert sitting.log.undo_says == ""


def test_an_empty_journal_and_one_without_players_cannot_be_replayed(sitting: Sitting) -> None:
    with pytest.raises(JournalError, match="no match yet"):
        replayed([])
    sitting.keeper.note("x")
    events = sitting.keeper.journal.events()
    with pytest.raises(JournalError, match="does not begin with the players"):
        replayed(events[1:])
    with pytest.raises(JournalError, match="cannot follow"):
        replayed((events[0], replace(events[1], number=5)))
    with pytest.raises(CorrectionError, match="a match in it already"):
        type(sitting.keeper).begin(sitting.keeper.journal, sitting.log.started)


def test_of_each_action_it_is_kept_when_it_was_first_seen_though_it_was_logged_later() -> None:
    first, second = Entry(Rolled((1,)), "red"), Entry(Rolled((2,)), "red")
    position = Match.start(2).position
    pace = Pace()
    pace = pace.seen((), 1.0)
    pace = pace.seen((Happened((first,), 0.9, False, position),), 2.0)
    pace = pace.seen((), 3.0)  # a hand is in the way
    pace = pace.seen((Happened((first, second), 0.9, False, position),), 4.0)
    assert pace.of(2) == ((1.0, 2.0), (3.0, 4.0))
    hidden = Pace().seen((), 1.0).seen((), 2.0, clear=False)  # under a hand it may have happened
    assert hidden.seen((Happened((first,), 0.9, False, position),), 3.0).of(1) == ((1.0, 3.0),)
    other = pace.seen((Happened((second,), 0.9, False, position),), 5.0)
    assert other.of(2) == ((4.0, 5.0),)  # it was something else after all
    assert pace.logged(1).of(2) == ((3.0, 4.0),)


def test_a_covered_part_of_the_table_hides_nothing_when_every_die_is_seen() -> None:
    def die(key: int, owner: int, found_p: float = 0.9) -> SeenDie:
        owner_p = tuple(float(each == owner) for each in OWNERS)
        return SeenDie(key, (1.0,) + (0.0,) * 5, owner_p, ((ELSEWHERE, 1.0),), found_p=found_p)

    owners = [0] * 8 + [1] * 8 + [NEUTRAL] * 6
    dice = tuple(die(key, owner) for key, owner in enumerate(owners))
    covered = TableView(1.0, dice, frozenset({ELSEWHERE}))
    assert not uncovered(covered, 2).hidden
    assert uncovered(replace(covered, dice=dice[1:]), 2).hidden
    doubtful = (die(0, 0, 0.1), *dice[1:])
    assert uncovered(replace(covered, dice=doubtful), 2).hidden
    lawn = replace(covered, hidden=frozenset({ELSEWHERE, LawnPlace(1, "left")}))
    assert uncovered(lawn, 2).hidden  # a hand is over the Lawn


def test_two_questions_what_a_die_shows_are_the_same_where_it_is_the_same_die() -> None:
    one, other = (Unsure("What is it?", (Area("row", 0),), (key,), ()) for key in (3, 4))
    assert is_same(one, replace(one, sentence="It?"))
    assert not is_same(one, other)
