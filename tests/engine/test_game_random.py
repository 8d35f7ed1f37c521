"""Random sessions: whatever happens in whatever order, the state is the replay and nothing is lost."""

from __future__ import annotations

import random
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import LawnError
from engine.game_log import GameLog
from engine.lawn import NEUTRAL
from engine.match import Match
from engine.match_log import Entry
from engine.table import TableView
from tests.engine.exact_referee import a_die
from tests.engine.sittings import Sitting


def checked(sitting: Sitting, before: GameLog) -> None:
    """What must hold after every step."""
    log = sitting.log
    # State is the replay of what is on the disk.
    assert sitting.replay() == log
    # Nothing is lost: the journal only grows.
    assert log.number >= before.number
    # The match is the turns less the misfits, and nothing else.
    match = log.game.start
    for turn in log.game.turns:
        if turn.misfit:
            assert turn.entries or turn.ruling
            assert turn.misfit.endswith((".", ")"))
        elif turn.ruling is not None:
            match = match.ruled(turn.ruling.position, turn.ruling.sentence)
        else:
            match = match.played(turn.entries)
    assert match == log.game.match
    assert len({turn.id for turn in log.game.turns}) == len(log.game.turns)
    assert Match.from_json(match.to_json()) == match


def spoilt(view: TableView, rng: random.Random) -> TableView:
    """A view with one die missing, misread, or of the wrong colour."""
    if not view.dice:
        return view
    die = rng.choice(view.dice)
    how = rng.randrange(3)
    if how == 0:
        return replace(view, dice=tuple(each for each in view.dice if each is not die))
    face = rng.randint(1, 6) if how == 1 else die.face
    owner = rng.choice((0, 1, NEUTRAL)) if how == 2 else die.owner
    other = a_die(die.key, face, owner, die.place, die.xy_mm or (0.0, 0.0))
    return replace(view, dice=tuple(other if each is die else each for each in view.dice))


def some_legal_turn(match: Match, rng: random.Random) -> tuple[Entry, ...]:
    entries = []
    for _ in range(12):
        if match.is_over:
            break
        position = match.position
        action = position.throw(rng) if position.is_chance else rng.choice(position.legal_actions())
        entries.append(Entry(action, position.turn_colour or ""))
        match = match.apply(action)
        if match.position.phase in ("boundary-choice", "round-over"):
            break
    return tuple(entries)


def step(sitting: Sitting, what: str, rng: random.Random) -> None:
    """One thing that may happen at a table; refusals are part of life."""
    game, desk = sitting.log.game, sitting.desk
    turns = game.turns
    try:
        if what == "play":
            sitting.play_seen()
        elif what == "look":
            sitting.look()
        elif what == "misread":
            sitting.keeper.see(spoilt(sitting.view(), rng))
        elif what == "undo":
            desk.undo()
        elif what == "redo":
            desk.redo()
        elif what == "crash":
            sitting.crash_and_resume()
        elif what == "break":
            sitting.keeper.pause()
        elif what == "go on":
            sitting.keeper.go_on()
        elif what == "note":
            sitting.keeper.note("hm")
        elif what == "accept":
            desk.accept_table()
        elif what == "die" and sitting.keeper.view and sitting.keeper.view.dice:
            die = rng.choice(sitting.keeper.view.dice)
            desk.correct_die(die.key, face=rng.randint(1, 6))
        elif what == "remove" and turns:
            desk.remove_turn(rng.choice(turns).id)
        elif what == "add" and turns:
            at = rng.randrange(len(turns))
            desk.add_turn(turns[at].id, some_legal_turn(game.matches[at], rng))
        elif what == "replace" and turns:
            at = rng.randrange(len(turns))
            desk.correct_turn(turns[at].id, some_legal_turn(game.match_before(at), rng))
    except LawnError as error:
        refused = str(error)
    else:
        return
    assert refused.endswith((".", ")"))


STEPS = (
    *("play",) * 6,
    *("look", "misread", "undo", "undo", "redo", "crash", "break", "go on", "note"),
    *("accept", "die", "remove", "add", "replace"),
)


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 2**32), steps=st.lists(st.sampled_from(STEPS), min_size=5, max_size=25))
def test_a_random_session_is_always_its_replay(seed: int, steps: list[str]) -> None:
    run(seed, steps)


def run(seed: int, steps: list[str]) -> None:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        sitting = Sitting(Path(folder) / "a.match", seed)
        try:
            sitting.play_seen(2)
            for what in steps:
                before = sitting.log
                step(sitting, what, rng)
                checked(sitting, before)
                undo_and_redo_is_identity(sitting)
        finally:
            sitting.close()


def undo_and_redo_is_identity(sitting: Sitting) -> None:
    """Pure: on the log alone, so that the journal does not grow by it."""
    from engine.game_events import Redone, Undone

    log = sitting.log
    if not log.undo_says:
        return
    undone = log.tried(Undone())
    again = undone.tried(Redone())
    for name in ("game", "question", "taken_back", "undo_says", "redo_says", "remarks"):
        assert getattr(again, name) == getattr(log, name), name


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_long_random_sessions_are_always_their_replay(seed: int) -> None:
    rng = random.Random(seed)
    run(seed, rng.choices(STEPS, k=40))
