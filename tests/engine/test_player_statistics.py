"""Players over many matches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Rolled
from engine.match_facts import match_facts
from engine.player_statistics import by_player, claimed_bonuses, thrown_by_colour
from tests.engine.matches import random_match


def test_a_player_is_one_under_any_colour_and_spelling_and_who_has_no_name_is_the_colour() -> None:
    first = match_facts(random_match(1, threshold=60), ("Anna", "Ben"), 10.0)
    later = match_facts(random_match(2, threshold=60), ("ben", " ANNA "), 20.0)
    nameless = match_facts(random_match(3, threshold=60), (), 30.0)
    players = {each.name: each for each in by_player([later, nameless, first])}
    assert sorted(players) == ["ANNA", "ben", "blue", "red"]
    anna = players["ANNA"]
    assert (anna.named, anna.matches, anna.finished) == (True, 2, 2)
    assert [point.began_s for point in anna.history] == [10.0, 20.0]
    red_then_blue = [first.players[0], later.players[1]]
    assert anna.points == sum(player.total for player in red_then_blue)
    assert anna.best_round == max(s.total for player in red_then_blue for s in player.rounds)
    assert anna.won == sum(player.won for player in red_then_blue)
    assert not players["red"].named
    assert players["red"].a_round(players["red"].points) == pytest.approx(
        players["red"].points / players["red"].rounds
    )


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 999), st.sampled_from([2, 3])), max_size=4))
def test_nothing_is_counted_twice_or_lost(seeds: list[tuple[int, int]]) -> None:
    matches = [random_match(seed, players, threshold=50) for seed, players in seeds]
    facts = [match_facts(match, ("Anna", "", "Cem")) for match in matches]
    players = by_player(facts)
    assert sum(each.points for each in players) == sum(sum(match.totals) for match in matches)
    assert all(each.points == each.lead + each.captured + each.lawn for each in players)
    assert sum(each.pushes for each in players) == sum(each.pushed for each in players)
    assert sum(each.won for each in players) == sum(len(match.winners) for match in matches)
    rolls, claimed = claimed_bonuses(facts)
    assert rolls == sum(len(each.big_rolls) for each in players)
    assert sum(claimed.values()) <= rolls
    thrown = [e.action.faces for m in matches for e in m.log if isinstance(e.action, Rolled)]
    counts = thrown_by_colour(facts).values()
    assert sum(map(sum, counts)) == sum(map(len, thrown))
    totals = [sum(each) for each in counts]
    assert totals == sorted(totals, reverse=True)


def test_without_matches_there_is_nothing_to_tell() -> None:
    assert by_player([]) == ()
    assert thrown_by_colour([]) == {}
    assert claimed_bonuses([])[0] == 0
