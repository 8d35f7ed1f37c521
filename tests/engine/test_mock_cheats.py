"""Faults at the simulated table are faults: no legal story leads there."""

from __future__ import annotations

import random
from itertools import count, pairwise

import pytest

from engine.mock_cheats import infringe
from engine.mock_fault import Infringed
from engine.mock_layout import MockLayout
from engine.mock_legality import explained
from engine.mock_table import laid, shows
from engine.mock_turns import Manners
from engine.table import LawnPlace
from engine.verdict import KINDS, Kind
from tests.engine.mock_games import moments_of, turn_starts

LEGAL_BY_LOOKS = ("part-of-set-rolled",)  # the untouched die alone proves it (4:1.B)


def a_fault(kind: Kind, seed: int = 0) -> Infringed:
    for number in count(seed * 1000):
        players = 2 + number % 2
        rng = random.Random(number)
        starts = turn_starts(number, players)
        if kind == "play-after-end":
            starts = starts[-1:]
        for position in rng.sample(starts, min(4, len(starts))):
            table = laid(position, MockLayout(), rng)
            fault = infringe(kind, table, position, Manners((1.0,) * players), rng)
            if fault:
                return fault
    raise AssertionError


@pytest.mark.parametrize("players", [2, 3])
def test_what_a_legal_turn_leads_to_is_explained(players: int) -> None:
    moments = [moment for moment in moments_of(6, players) if moment.position.order]
    at_rest = [moment for moment in moments if moment.ends]
    for before, after in pairwise(at_rest):
        assert explained(before.position, after.table)


@pytest.mark.parametrize("players", [2, 3])
def test_so_is_a_boundary_roll_of_the_next_player(players: int) -> None:
    moments = [moment for moment in moments_of(8, players) if moment.position.order]
    start = None
    checked = 0
    for moment in moments:
        if start is not None and moment.step == "arranged" and not moment.ends:
            assert explained(start, moment.table)
            checked += 1
        if moment.ends:
            start = moment.position
    assert checked > 10


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_is_none_that_the_rules_explain(kind: Kind) -> None:
    for seed in range(2):
        fault = a_fault(kind, seed)
        assert fault.kind == kind
        if kind not in LEGAL_BY_LOOKS:
            assert not explained(fault.moments[0].position, fault.table)
            assert not shows(fault.table, fault.resumes)
        for moment in fault.moments[fault.since :]:
            assert not moment.actions
        assert all(seat is None or 0 <= seat < 3 for seat in fault.seats)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "wrong-owner-re-entry"])
def test_once_mended_the_table_shows_what_is_expected(kind: Kind) -> None:
    fault = a_fault(kind)
    assert shows(fault.mended, fault.resumes)


def test_a_wrong_re_entry_is_mended_by_rolling_the_die_again_from_beside_the_lawn() -> None:
    fault = a_fault("wrong-owner-re-entry")
    assert fault.resumes.phase == "re-entry"
    beside = fault.mended.off_lawn(fault.resumes.displaced)
    assert len(beside) == len(fault.resumes.rows[fault.resumes.displaced]) + 1


def test_the_proof_of_a_partly_rolled_set_lies_untouched() -> None:  # 4:1.B
    fault = a_fault("part-of-set-rolled")
    start = fault.moments[0].position
    before = laid(start, MockLayout(), random.Random(0))
    assert fault.uncovered
    kept = {fault.table.dice[number].face for number in fault.uncovered}
    assert len(kept) == 1
    assert kept <= {start.rows[start.turn][0], start.rows[start.turn][-1]}
    assert all(fault.table.dice[n].touches == before.dice[n].touches for n in fault.uncovered)


def test_a_die_on_the_wrong_row_shows_another_face_than_the_row() -> None:  # 4:3.A
    fault = a_fault("wrong-row")
    places = [(die, fault.table.place(die.number)) for die in fault.table.dice]
    wrong = [d for d, at in places if isinstance(at, LawnPlace) and at.row != d.face]
    assert len(wrong) == 1
    assert wrong[0].owner == fault.seats[0]
