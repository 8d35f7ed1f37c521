"""Corrections: any die, any turn, undo and redo; what no longer fits is listed, never dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.actions import BoundaryRoll, Elect, Place, Rolled
from engine.errors import ActionError, CorrectionError, TableError
from engine.game_events import Asked
from engine.game_steps import Played
from engine.match_log import Entry
from engine.table import Area, LawnPlace, SeenDie, TableView
from engine.verdict import Guess, Unsure
from tests.engine.exact_referee import a_die, entries_of, view_of
from tests.engine.sittings import Sitting


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path / "a.match", seed=3)
    yield made
    assert made.replay() == made.log  # whatever the test did, the state is the replay
    made.close()


def misread(view: TableView, key: int, face: int) -> TableView:
    """The camera takes one die's face for another."""
    dice = tuple(
        a_die(die.key, face, die.owner, die.place, die.xy_mm or (0, 0)) if die.key == key else die
        for die in view.dice
    )
    return replace(view, dice=dice)


def in_row(view: TableView, seat: int) -> list[SeenDie]:
    return [die for die in view.dice if die.place == Area("row", seat)]


# --- undo and redo ------------------------------------------------------------------------


def test_undo_goes_back_step_by_step_and_redo_comes_back(sitting: Sitting) -> None:
    games = [sitting.log.game]
    for _ in range(6):
        sitting.play_seen()
        games.append(sitting.log.game)
    sitting.keeper.view = None  # the camera looks away
    for game in reversed(games[:-1]):
        assert sitting.log.undo_says
        sitting.desk.undo()
        assert sitting.log.game == game
    with pytest.raises(CorrectionError, match="nothing to undo"):
        sitting.desk.undo()
    for game in games[1:]:
        assert sitting.log.redo_says
        sitting.desk.redo()
        assert sitting.log.game == game
    with pytest.raises(CorrectionError, match="nothing to redo"):
        sitting.desk.redo()


def test_what_was_undone_is_not_read_again_from_the_same_table(sitting: Sitting) -> None:
    sitting.play_seen(5)
    before = sitting.match
    sitting.play_seen()
    sitting.desk.undo()
    for _ in range(4):
        sitting.look()
    assert sitting.match == before
    sitting.crash_and_resume()
    sitting.look()
    assert sitting.match == before  # not even tomorrow
    sitting.desk.redo()
    sitting.look()
    assert sitting.as_real


def test_a_turn_taken_back_on_the_table_may_be_played_again(sitting: Sitting) -> None:
    sitting.play_seen(5)
    before = sitting.real
    sitting.play_seen()
    after = sitting.real
    sitting.desk.undo()
    sitting.real = before
    sitting.look()  # the dice were put back
    sitting.real = after
    sitting.look()  # and played the same way again
    assert sitting.as_real


def test_the_camera_takes_back_what_it_misread_but_nothing_that_a_person_said(
    sitting: Sitting,
) -> None:
    sitting.play_seen(6)
    game = sitting.log.game
    at = len(game.turns) - 1
    last = game.turns[at]
    other = legal_otherwise(sitting, at, last.entries[0])
    sitting.keeper.view = None
    sitting.keeper.write(Played(other, replaces=len(last.entries)))
    assert sitting.match == game.match_before(at).played(other)
    assert len(sitting.log.game.turns) == len(game.turns)
    sitting.desk.undo()
    assert sitting.log.game == game
    sitting.desk.correct_turn(last.id, last.entries)  # a person says that it was right
    with pytest.raises(CorrectionError, match="a person said"):
        sitting.keeper.write(Played(other, replaces=len(last.entries)))
    two = len(game.turns[at - 1].entries) + len(last.entries)
    with pytest.raises(CorrectionError, match="a person said"):
        sitting.keeper.write(Played(other, replaces=two))


# --- turns --------------------------------------------------------------------------------


def another_side(sitting: Sitting, at: int) -> tuple[Entry, ...]:
    """The entries of the turn at that index with its die on another side, or () if it has none."""
    game = sitting.log.game
    turn = game.turns[at]
    match = game.match_before(at)
    for number, entry in enumerate(turn.entries):
        if isinstance(entry.action, Place):
            for side in ("left", "center", "right"):
                other = Place(entry.action.face, side)  # type: ignore[arg-type]
                entries = (*turn.entries[:number], replace(entry, action=other))
                try:
                    after = match.played(entries)
                except ValueError:
                    continue
                if other != entry.action and after.position.phase == "boundary-choice":
                    return entries
    return ()


def test_a_past_turn_is_corrected_and_the_later_ones_still_fit(sitting: Sitting) -> None:
    sitting.play_seen(10)
    game = sitting.log.game
    at = next(at for at in range(len(game.turns) - 2) if another_side(sitting, at))
    entries = another_side(sitting, at)
    # An election or a side that changes nothing later: the turns after it stay as they were.
    sitting.desk.correct_turn(game.turns[at].id, entries)
    corrected = sitting.log.game
    assert corrected.turns[at].entries == entries
    assert corrected.turns[at].source == "person"
    assert len(corrected.turns) == len(game.turns)  # nothing was dropped
    kept = [turn for turn in corrected.turns if not turn.misfit]
    assert sum((turn.entries for turn in kept), ()) == corrected.match.log
    sitting.desk.undo()
    assert sitting.log.game == game


def test_later_turns_are_explained_anew_from_their_stored_views(sitting: Sitting) -> None:
    # Blue's roll is logged wrong by a person; the next turn of blue is then explained otherwise.
    sitting.play_seen(8)
    good = sitting.log.game
    at = len(good.turns) - 3
    turn = good.turns[at]
    wrong = tuple(
        replace(entry, action=Rolled(tuple(7 - face for face in entry.action.faces)))
        if isinstance(entry.action, Rolled)
        else entry
        for entry in turn.entries
    )
    match = good.match_before(at)
    try:
        match.played(wrong)
    except ValueError:
        first = turn.entries[0]
        wrong = legal_otherwise(sitting, at, first)
    sitting.desk.correct_turn(turn.id, wrong)
    sitting.desk.correct_turn(turn.id, turn.entries)  # and right again
    assert sitting.log.game.match == good.match
    assert not sitting.log.game.misfits


def legal_otherwise(sitting: Sitting, at: int, first: Entry) -> tuple[Entry, ...]:
    """Some other legal turn that begins with the same choice."""
    match = sitting.log.game.match_before(at)
    entries = [first]
    match = match.apply(first.action)
    while match.position.phase not in ("boundary-choice", "round-over"):
        action = match.position.legal_actions()[0]
        entries.append(Entry(action, match.position.turn_colour or ""))
        match = match.apply(action)
    return tuple(entries)


def test_turns_that_no_longer_fit_are_listed_with_the_reason(sitting: Sitting) -> None:
    sitting.play_seen(9)
    game = sitting.log.game
    at = len(game.turns) - 4
    sitting.desk.remove_turn(game.turns[at].id)
    after = sitting.log.game
    assert len(after.turns) == len(game.turns) - 1
    assert after.misfits  # the next turn is the wrong player's now
    for turn in after.misfits:
        assert turn.entries
        assert turn.misfit.endswith(".")
    assert {turn.id for turn in after.turns} == {turn.id for turn in game.turns} - {
        game.turns[at].id
    }
    sitting.desk.undo()
    assert sitting.log.game == game


def test_a_turn_that_the_camera_missed_is_added_and_the_later_ones_fit_again(
    sitting: Sitting,
) -> None:
    sitting.play_seen(9)
    game = sitting.log.game
    at = len(game.turns) - 4
    missed = game.turns[at]
    sitting.desk.remove_turn(missed.id)
    assert sitting.log.game.misfits
    sitting.desk.add_turn(game.turns[at - 1].id, missed.entries)
    assert not sitting.log.game.misfits
    assert sitting.match == game.match
    assert sitting.log.game.turns[at].source == "person"


@pytest.mark.parametrize("how", ["correct", "add", "remove"])
def test_a_correction_that_cannot_be_is_refused_in_one_sentence(sitting: Sitting, how: str) -> None:
    sitting.play_seen(5)
    before = sitting.log
    game = before.game
    illegal = (Entry(BoundaryRoll("low"), "red"), Entry(Place(1, "left"), "red"))
    attempts = {
        "correct": lambda: sitting.desk.correct_turn(game.turns[-1].id, illegal),
        "add": lambda: sitting.desk.add_turn(game.turns[-1].id, illegal),
        "remove": lambda: sitting.desk.remove_turn("77"),
    }
    with pytest.raises(CorrectionError) as refused:
        attempts[how]()
    assert str(refused.value).endswith(".")
    assert sitting.log == before
    with pytest.raises(CorrectionError):
        sitting.desk.correct_turn(game.turns[-1].id, ())
    with pytest.raises(CorrectionError):
        sitting.desk.correct_turn("no such", illegal)
    assert sitting.log == before


# --- dice ---------------------------------------------------------------------------------


def test_a_corrected_die_outweighs_the_camera_and_is_not_asked_again(sitting: Sitting) -> None:
    sitting.play_seen(5)
    view = sitting.view()
    die = in_row(view, 0)[0]
    bad = misread(view, die.key, die.face % 6 + 1)
    sitting.keeper.see(bad)
    assert sitting.log.question is not None
    sitting.desk.correct_die(die.key, face=die.face)
    assert sitting.log.question is None
    assert sitting.as_real
    for _ in range(3):
        bad = replace(bad, time_s=bad.time_s + 1)
        sitting.keeper.see(bad)
    # a hand passes: every die gets a new key, lies as it lay and is misread as before
    handed = replace(bad, dice=tuple(replace(each, key=each.key + 500_000) for each in bad.dice))
    for _ in range(3):
        sitting.keeper.see(handed)
    assert sitting.log.question is None
    sitting.crash_and_resume()  # another run of the camera
    sitting.keeper.see(handed)
    assert sitting.log.question is None
    assert len(sitting.log.game.pins) == 1


def test_a_correction_ends_when_the_die_is_touched(sitting: Sitting) -> None:
    sitting.play_seen(5)
    view = sitting.view()
    die = in_row(view, 0)[0]
    bad = misread(view, die.key, die.face % 6 + 1)
    sitting.keeper.see(bad)
    sitting.desk.correct_die(die.key, face=die.face)
    assert sitting.log.game.pins
    # the die is rolled: it lies elsewhere, with a new key
    for _ in range(3):
        fresh = sitting.view()
        moved = tuple(
            replace(each, xy_mm=(500.0, 500.0)) if each.xy_mm == die.xy_mm else each
            for each in fresh.dice
        )
        sitting.keeper.see(replace(fresh, dice=moved))
    assert not sitting.log.game.pins
    assert sitting.as_real


def test_a_die_read_wrong_when_its_turn_was_logged_corrects_the_turn(sitting: Sitting) -> None:
    sitting.play_seen(5)
    # The roll of the next turn is misread so that another legal turn explains it.
    for _ in range(12):
        before = sitting.match
        sitting.play()
        view = sitting.view()
        seat = before.position.turn
        found = None
        for die in in_row(view, seat):
            for face in range(1, 7):
                bad = misread(view, die.key, face)
                after, _ = sitting.keeper.referee.see(bad)
                if face != die.face and after.standing is None and after.match != before:
                    found = (die, bad)
        if found:
            break
        sitting.keeper.see(view)
    assert found
    die, bad = found
    sitting.keeper.see(bad)
    assert not sitting.as_real  # a wrong turn was logged
    turns = len(sitting.log.game.turns)
    sitting.desk.correct_die(die.key, face=die.face)
    assert sitting.as_real
    assert len(sitting.log.game.turns) == turns
    sitting.desk.undo()
    assert not sitting.as_real
    sitting.desk.redo()
    assert sitting.as_real
    sitting.play_seen(2)
    assert sitting.as_real


def test_a_die_that_is_none_and_one_that_is_not_seen(sitting: Sitting) -> None:
    sitting.play_seen(5)
    view = sitting.view()
    sugar = a_die(777, 4, 0, Area("row", 0), (300.0, 50.0))
    with_sugar = replace(view, dice=(*view.dice, sugar))
    sitting.keeper.see(with_sugar)
    assert sitting.log.question is not None
    sitting.desk.correct_die(777, absent=True)
    assert sitting.log.question is None
    hidden = view.dice[0]
    lacking = replace(with_sugar, dice=with_sugar.dice[1:])
    sitting.keeper.see(lacking)
    assert sitting.log.question is not None
    sitting.desk.add_die(hidden.face, hidden.owner, hidden.place)
    assert sitting.log.question is None
    sitting.keeper.see(with_sugar)  # the camera sees it again
    assert [pin.absent for pin in sitting.log.game.pins] == [True]
    assert sitting.as_real


def test_owner_and_place_of_a_die_are_corrected_one_after_the_other(sitting: Sitting) -> None:
    sitting.play_seen(6)
    view = sitting.view()
    die = next(each for each in view.dice if isinstance(each.place, LawnPlace) and each.owner == 0)
    odd = a_die(die.key, die.face, 1, Area("elsewhere"), (900.0, 900.0))
    bad = replace(view, dice=tuple(odd if each is die else each for each in view.dice))
    sitting.keeper.see(bad)
    sitting.desk.correct_die(die.key, owner=0)
    assert sitting.log.question is not None
    sitting.desk.correct_die(die.key, place=die.place)
    assert sitting.log.question is None
    (pin,) = sitting.log.game.pins
    assert (pin.owner, pin.place, pin.face) == (0, die.place, None)


def test_corrections_of_dice_that_cannot_be_are_refused(sitting: Sitting) -> None:
    with pytest.raises(CorrectionError, match="not on the table"):
        sitting.desk.correct_die(1, face=3)
    sitting.play_seen(2)
    assert sitting.keeper.view is not None
    key = sitting.keeper.view.dice[0].key
    for wrong in ({}, {"face": 7}, {"owner": 9}):
        with pytest.raises(TableError) as refused:
            sitting.desk.correct_die(key, **wrong)  # type: ignore[arg-type]
        assert str(refused.value).endswith(".")
    with pytest.raises(CorrectionError, match="not open"):
        sitting.desk.answer(0)


# --- answers ------------------------------------------------------------------------------


def asked_about_the_last_turn(sitting: Sitting) -> tuple[Entry, ...]:
    """A question whether the last turn, final as it was, was another one; returns what it may have been."""
    game = sitting.log.game
    last, before = game.turns[-1], game.match_before(len(game.turns) - 1)
    other = before.played(last.entries[:2])
    placed = next(
        action
        for action in reversed(other.position.legal_actions())
        if action != last.entries[2].action
    )
    entries = entries_of(before, *(entry.action for entry in last.entries[:2]), placed)
    count = len(last.entries)
    guesses = (Guess(entries, 0.6, "Other.", count), Guess(last.entries, 0.4, "As it was.", count))
    sitting.keeper.write(Asked(Unsure("Which?", (), (), guesses)), view=sitting.keeper.view)
    return entries


@pytest.mark.parametrize("by", ["camera", "person"])
def test_an_answer_takes_back_what_was_final(sitting: Sitting, by: str) -> None:
    sitting.play_seen(5)
    if by == "person":  # who has said so before may say otherwise now
        last = sitting.log.game.turns[-1]
        sitting.desk.undo()
        sitting.desk.add_turn(sitting.log.game.turns[-1].id, last.entries)
    before = sitting.log.game
    entries = asked_about_the_last_turn(sitting)
    sitting.crash_and_resume()  # the question is kept with its answers
    sitting.desk.answer(0)
    assert sitting.log.question is None
    assert sitting.log.game.turns[-1].entries == entries
    assert sitting.log.game.turns[-1].source == "person"
    assert sitting.log.game.turns[:-1] == before.turns[:-1]
    sitting.desk.undo()
    assert sitting.log.game == before


def test_of_a_question_that_nobody_answers_the_likeliest_guess_is_taken(sitting: Sitting) -> None:
    with pytest.raises(CorrectionError, match="no question"):
        sitting.keeper.assume()
    sitting.play_seen(5)
    before = sitting.log.game
    entries = asked_about_the_last_turn(sitting)
    sitting.crash_and_resume()
    sitting.keeper.assume()
    turn = sitting.log.game.turns[-1]
    assert sitting.log.question is None
    assert (turn.entries, turn.source) == (entries, "camera")
    assert turn.probability == pytest.approx(0.6)
    sitting.desk.undo()
    assert sitting.log.game == before


# --- elections ----------------------------------------------------------------------------


def test_a_player_elects_another_bonus_than_was_assumed(tmp_path: Path) -> None:  # 3:2.D, R6
    sitting = Sitting(tmp_path / "b.match")
    sitting.real = sitting.real.apply(Rolled((1, 1, 2, 2, 2, 2, 2, 2)))
    sitting.real = sitting.real.apply(Rolled((1, 1, 2, 3, 3, 4, 5, 5)))
    best, other = (str(action) for action in sitting.real.position.legal_actions()[:2])
    position = sitting.real.apply(sitting.real.position.legal_actions()[0]).position
    sitting.keeper.see(view_of(position, 1.0))
    assert sitting.match.position == position
    lead = position.opening.lead(0)
    sitting.desk.elect("red", other.removeprefix("claim "))
    assert sitting.match.position.opening.lead(0) < lead
    assert best != other
    with pytest.raises(CorrectionError):
        sitting.desk.elect("blue", "fully matched")
    with pytest.raises(CorrectionError):
        sitting.desk.elect("red", "eight of a kind")
    with pytest.raises(ActionError):
        sitting.desk.elect("red", "a royal flush")
    assert any(isinstance(entry.action, Elect) for entry in sitting.match.log)
    sitting.close()
