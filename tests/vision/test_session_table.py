"""A session with the real referee before a simulated table: what happens between people and dice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.mock_cheats import infringe
from engine.mock_turns import Manners
from engine.table import LawnPlace, TableView
from engine.verdict import Desync, Infringement, Kind
from tests.engine.mock_games import evaluation
from tests.vision.tables import SimulatedTable, noise

Make = Callable[..., SimulatedTable]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[SimulatedTable] = []

    def one(face_error: float = 0.0005, **choices: int) -> SimulatedTable:
        path = tmp_path / f"{len(made)}.match"
        made.append(SimulatedTable(path, noise(evaluation(), face_error), **choices))
        return made[-1]

    yield one
    for each in made:
        each.close()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_a_whole_round_and_the_next_are_logged_as_played(make: Make, players: int) -> None:
    table = make(seed=players, players=players)
    table.play_round()
    assert len(table.truth.rounds) == 1
    assert table.as_true
    table.play_round(turns=3)  # the dice are picked up, the neutral ones set up again
    assert table.as_true
    log = table.session.log
    assert log.question is None
    assert not log.game.misfits


def test_a_match_that_crashes_all_the_time_is_logged_as_played(make: Make) -> None:
    table = make(seed=5, turns=4)
    table.rest()
    for _ in range(3):
        before = table.session.state().to_json()
        table.crash_and_resume()
        after = table.session.state().to_json()
        for name in ("match", "position", "turns", "question", "undo"):
            assert after[name] == before[name]
        table.rest(2)
        table.play()
        table.rest(1)  # where a die was misread, the last step is believed one view later
        assert table.as_true


def test_players_take_a_break_and_lay_everything_out_again_tomorrow(make: Make) -> None:
    table = make(seed=6, turns=6)
    table.rest()
    table.session.pause()
    table.rest(3, table.table.lifted(table.table.dice))  # put away for dinner
    table.crash_and_resume()
    table.laid_again()
    table.rest(3)
    assert table.session.log.question is None
    table.play()
    assert table.as_true


def test_a_die_knocked_off_the_table_changes_nothing_and_is_forgotten_when_it_is_back(
    make: Make,
) -> None:
    table = make(seed=7, turns=6)
    table.rest()
    before = table.session.log.game
    good = table.table
    die = next(each for each in good.dice if isinstance(good.place(each.number), LawnPlace))
    table.rest(20, good.lifted([die]))
    assert table.session.log.game == before  # no one's turn, whether it was asked after or not
    assert die.spot is not None
    table.table = good.lifted([die]).put(replace(die, spot=None), die.spot)
    table.moment = replace(table.moment, table=table.table)
    table.rest(4)
    assert table.session.log.question is None
    table.play()
    assert table.as_true


def test_a_die_swapped_for_another_of_its_colour_is_nothing_to_speak_of(make: Make) -> None:
    table = make(seed=8, turns=6)
    table.rest()
    good = table.table
    on_lawn = next(
        each
        for each in good.dice
        if isinstance(good.place(each.number), LawnPlace) and each.owner == 0
    )
    off = next(each for each in good.off_lawn(0))
    assert on_lawn.spot is not None
    assert off.spot is not None
    # The one from the row lies on the Lawn now, showing what that one showed, and the other way.
    swapped = good.put(on_lawn, off.spot, off.face)
    swapped = swapped.put(swapped.dice[off.number], on_lawn.spot, on_lawn.face)
    number = table.session.log.number
    table.table = swapped
    table.moment = replace(table.moment, table=swapped)
    table.rest(8)
    assert table.session.log.number == number
    table.play()
    assert table.as_true


def turned_view(view: TableView) -> TableView:
    """The view of a mat that was turned by 180 degrees under its dice."""
    other = {"left": "right", "center": "center", "right": "left"}

    def turned(place: object) -> object:
        if isinstance(place, LawnPlace):
            return LawnPlace(7 - place.row, other[place.side])  # type: ignore[arg-type]
        return place

    dice = tuple(
        replace(die, key=die.key + 10_000, place_p=tuple((turned(at), p) for at, p in die.place_p))
        for die in view.dice
    )
    return replace(view, dice=dice)  # type: ignore[arg-type]


def test_a_mat_turned_by_half_a_turn_is_noticed_and_read_so(make: Make) -> None:
    table = make(seed=9, turns=9)
    table.rest()
    before = table.session.log
    for shot in table.watcher.rest(table.moment, 10):
        table.session.see_view(turned_view(shot.view))
    log = table.session.log
    assert log.turned
    assert log.question is None
    assert log.game == before.game
    assert "180" in log.remarks[-1].text
    table.session.close()
    table.crash_and_resume()  # it stays turned overnight
    for shot in table.watcher.rest(table.moment, 4):
        table.session.see_view(turned_view(shot.view))
    assert table.session.log.game == before.game
    assert table.session.log.question is None
    assert table.session.log.turned


def test_a_moved_camera_loses_nothing(make: Make) -> None:
    table = make(seed=10, turns=4)
    table.rest()
    (shot,) = table.watcher.rest(table.moment, 1)
    table.session.see_view(replace(shot.view, camera="re-found"))
    assert "camera was moved" in table.session.log.remarks[-1].text
    table.play()
    assert table.as_true


@pytest.mark.parametrize(
    ("kind", "way"),
    [("wrong-row", "mended"), ("wrong-row", "accepted"), ("lawn-die-turned", "after a night")],
)
def test_an_infringement_ends_in_each_way_and_the_match_goes_on(
    make: Make, kind: Kind, way: str
) -> None:
    table = make(seed=4, turns=6)
    table.rest()
    fault = infringe(kind, table.table, table.position, Manners((1.0, 1.0)), random.Random(4))
    assert fault is not None
    good = table.session.log.game
    table.watcher.uncovered = fault.uncovered
    table.see(table.watcher.shots(fault.moments))
    table.moment = fault.moments[-1]
    table.rest(12)
    question = table.session.log.question
    assert question is not None
    assert isinstance(question.verdict, Infringement | Desync)
    legal = table.session.log.game
    if way == "accepted":
        table.session.accept_table()
        assert table.session.log.question is None
        assert table.session.log.game.turns[-1].source == "ruling"
        table.rest(4)
        assert table.session.log.question is None
        assert len(table.session.log.game.turns) >= len(good.turns) + 1
        table.session.undo()
        assert table.session.log.question is not None
        table.session.redo()
        table.position = table.session.log.game.match.position
        table.rest(4)
        assert table.session.log.question is None
        return
    if way == "after a night":
        table.crash_and_resume()
        assert table.session.log.question == question
        table.rest(6)
        assert table.session.log.question == question  # and not asked twice
    assert table.session.log.game == legal
    table.table = fault.mended
    table.moment = replace(table.moment, table=fault.mended)
    table.rest(5)
    assert table.session.log.question is None


@pytest.mark.slow
def test_a_camera_that_errs_is_helped_by_persons_and_the_log_is_right(make: Make) -> None:
    table = make(face_error=0.01, seed=12, turns=0)
    for _ in range(8):
        if table.truth.rounds:
            break
        table.play()
        helped(table)
        assert table.as_true


def helped(table: SimulatedTable) -> None:
    """A person who knows the table corrects what is asked, die by die."""
    for _ in range(6):
        session = table.session
        view = session.keeper.view
        assert view is not None
        if session.log.question is None and table.as_true:
            return
        numbers = {r.key: n for n, r in table.watcher.camera.readings.items() if r.found}
        for die in view.dice:
            true = table.table.dice[numbers[die.key]] if die.key in numbers else None
            if true is None:
                session.correct_die(die.key, absent=True)
            elif (die.face, die.owner) != (true.face, true.owner):
                session.correct_die(die.key, face=true.face, owner=true.owner)
        table.rest(3)
