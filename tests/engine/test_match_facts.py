"""Facts of matches, counted a second way: from the text of the record."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import BoundaryRoll, Rolled
from engine.match import Match
from engine.match_facts import chance_to_lose, match_facts
from engine.options import Options
from engine.position import Position
from engine.record import Record
from tests.engine.matches import random_match


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([2, 3]),
    st.sampled_from(
        [{}, {"own-push": "keep-face"}, {"grind": "at-once"}, {"endgame-block": "before-roll"}]
    ),
)
def test_facts_agree_with_the_record(seed: int, players: int, options: dict[str, str]) -> None:
    match = random_match(seed, players, threshold=60, options=Options.from_mapping(options))
    facts = match_facts(match, ("Anna", "Ben"), 7.0)
    text = Record.of(match).to_string()
    said = [line for line in text.splitlines() if re.match(r" *\d+\. | {5}\S", line)]
    for seat, player in enumerate(facts.players):
        other = [colour for colour in match.colours if colour != player.colour]
        mine = [line for line in said if re.match(rf" *\d+\. {player.colour} ", line)]
        assert player.name == ("Anna", "Ben", "")[seat]
        assert player.turns == sum(bool(re.search(r" (low|high) \d", line)) for line in mine)
        assert player.pushes == sum(line.count(f"push {each}") for line in mine for each in other)
        assert player.own_pushes == sum(line.count(f"push {player.colour}") for line in mine)
        assert player.captures == sum(line.count("capture ") for line in mine)
        assert player.locks == sum(bool(re.search(r"lock \d", line)) for line in mine)
        assert player.lost_by_roll <= player.lost
        assert player.total == match.totals[seat]
        assert sum(score.total for score in player.rounds) == player.total
        assert len(player.big_rolls) == len(re.findall(rf"^{player.colour} big roll", text, re.M))
    assert sum(player.pushed for player in facts.players) == sum(p.pushes for p in facts.players)
    thrown = sum(len(e.action.faces) for e in match.log if isinstance(e.action, Rolled))
    assert sum(sum(player.thrown) for player in facts.players) == thrown
    assert facts.over == match.is_over


def test_an_unfinished_round_and_a_table_ruling_are_counted_as_far_as_they_came() -> None:
    match = random_match(4, 2, threshold=1)
    log = match.log
    part = Match.start(2).played(log[: len(log) // 2])
    while part.position.phase in ("boundary-roll", "re-entry"):
        part = part.undo(past_others=True)
    ruled = part.ruled(part.position, "as it lies")
    assert match_facts(ruled).players == match_facts(part).players
    assert len(match_facts(part).players[0].big_rolls) == 1
    assert match_facts(part).players[0].rounds == ()


# rule 6:1.A
def test_the_chance_to_lose_a_turn_is_counted_over_all_throws() -> None:
    text = (
        "players red,blue; phase boundary-choice red; order red>blue; rows red 46, blue 1122; "
        "lawn 1 rwr, 2 .w., 3 .w., 4 rrr, 5 bbb, 6 bwr; captured red 4, blue 5; "
        "big-rolls red 11223345, blue 11223345"
    )
    position = Position.from_string(text)
    low = position.apply(BoundaryRoll("low"))
    high = position.apply(BoundaryRoll("high"))
    assert chance_to_lose(position) == 0.0  # nothing is in the air
    assert chance_to_lose(low) == 0.0  # the 6 stays an edge unless another 6 comes: row 6 is open
    assert chance_to_lose(high) == pytest.approx(2 / 6)  # 4 4 and 4 5 are blocked


def test_lost_turns_come_as_often_as_their_chances_say() -> None:
    lost, expected = 0, 0.0
    for seed in range(12):
        facts = match_facts(random_match(seed, 3, threshold=60))
        lost += sum(player.lost_by_roll for player in facts.players)
        expected += sum(player.lost_expected for player in facts.players)
    assert expected > 20
    assert abs(lost - expected) < 4 * expected**0.5
