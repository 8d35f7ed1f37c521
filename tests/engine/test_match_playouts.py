"""Whole random matches: every form brings back the same match, and so does undo and replay."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import PastOthers
from engine.match import Match
from engine.options import Options
from engine.position import Position
from engine.record import Record
from tests.engine.matches import random_action
from tests.engine.test_playouts import all_options

ENTRIES = 1500  # random lawn-locked rounds of three are long; a match is cut off there


def played(seed: int, players: int, options: Options) -> Match:
    rng = random.Random(seed)
    match = Match.start(players, options=options, threshold=rng.choice((1, 60, 120)))
    totals = match.totals
    for _ in range(ENTRIES):
        if match.is_over:
            break
        position = match.position
        match = match.apply(random_action(position, rng))
        if match.totals != totals:  # rule 2:2: points accumulate
            assert all(new > old for new, old in zip(match.totals, totals, strict=True))
            totals = match.totals
    return match


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((2, 3)), all_options)
def test_every_form_of_a_match_brings_it_back(seed: int, players: int, options: Options) -> None:
    match = played(seed, players, options)
    assert played(seed, players, options) == match  # same inputs, same game
    assert Match.from_json(json.loads(json.dumps(match.to_json()))) == match
    for position in (match.position, *(each.end for each in match.rounds)):
        assert Position.from_string(position.to_string()) == position
        assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position
    record = Record.of(match, names=("Anna", "", "Carla")[:players])
    twin = Record.from_string(record.to_string())
    assert twin == record
    assert twin.match == match
    assert twin.to_string() == record.to_string()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((2, 3)), all_options, st.data())
def test_undo_and_replay_give_the_same_match(
    seed: int, players: int, options: Options, data: st.DataObject
) -> None:
    match = played(seed, players, options)
    log = match.log
    start = Match.start(players, options=options, threshold=match.threshold)
    bare = match.undo(len(log), past_others=True)
    assert bare == start
    assert bare.redo(len(log)) == match
    assert start.played(log) == match
    count = data.draw(st.integers(1, len(log)))
    back = match.undo(count, past_others=True)
    assert back == start.played(log[:-count])
    assert back.undone == log[-count:]
    assert back.redo(count) == match
    # A match that stops in the middle is written and read like any other.
    record = Record.of(back)
    assert Record.from_string(record.to_string()).match == back
    if len({entry.by for entry in log[-count:]}) > 1:
        with pytest.raises(PastOthers):
            match.undo(count)
    else:
        assert match.undo(count) == back
