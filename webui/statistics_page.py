"""Statistics over all matches: players over time, bonuses, pushes, luck against expectation, and fair dice."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from engine.big_roll import CATEGORIES
from engine.fairness import FEWEST, ColourFairness, fairness
from engine.journal_shelf import Shelf
from engine.luck import BigRollLuck
from engine.match_facts import MatchFacts
from engine.odds import bonus_odds
from engine.player_statistics import (
    PlayerStatistics,
    by_player,
    claimed_bonuses,
    thrown_by_colour,
)
from engine.tally import wilson
from webui.archive_page import capital, colour_word
from webui.catalogue import Speaker, speaker
from webui.charts import against, face_chart, line_chart
from webui.paints import paint

MOST_LINES = 6
"""Players who played most, so many of them, have a line in the chart."""
FEW_ROLLS = 5
"""Of fewer Big Rolls nobody is called lucky or unlucky."""


def statistics_routes(shelf: Shelf) -> Blueprint:
    """GET /statistics and /api/v1/statistics."""
    routes = Blueprint("statistics", __name__)

    @routes.get("/statistics")
    def page() -> str:
        return render_template("statistics.html", **_told(speaker(), _facts(shelf)))

    @routes.get("/api/v1/statistics")
    def told() -> Response:
        facts = _facts(shelf)
        rolls, claimed = claimed_bonuses(facts)
        return jsonify(
            matches=len(facts),
            players=[_player_json(each) for each in by_player(facts)],
            big_rolls=rolls,
            bonuses=claimed,
            fairness=[each.to_json() for each in fairness(thrown_by_colour(facts))],
        )

    return routes


def _facts(shelf: Shelf) -> list[MatchFacts]:
    return [each.facts for each in shelf.matches() if each.facts is not None]


def _player_json(player: PlayerStatistics) -> dict[str, Any]:
    summed = (
        "name named matches finished won rounds rounds_won points best_round lead captured lawn "
        "turns lost lost_by_roll pushes own_pushes pushed captures locks"
    )
    return {
        **{key: getattr(player, key) for key in summed.split()},
        "lost_expected": round(player.lost_expected, 3),
        "luck": player.luck.to_json(),
        "history": [
            {"began_s": each.began_s, "rounds": each.rounds, "points": each.points}
            for each in player.history
        ],
    }


def _told(says: Speaker, facts: list[MatchFacts]) -> dict[str, Any]:
    players = by_player(facts)
    lines = [
        (_label(says, player), [(each.began_s, each.mean) for each in player.history])
        for player in players[:MOST_LINES]
    ]
    thrown = thrown_by_colour(facts)
    return {
        "matches": len(facts),
        "rounds": sum(max(len(p.rounds) for p in match.players) for match in facts),
        "dice": sum(map(sum, thrown.values())),
        "players": [
            {"label": _label(says, player), "is": player, **_luck(player)} for player in players
        ],
        "chart": line_chart(lines),
        "line_paints": [paint(player.colour)[0] for player in players],
        "bonuses": _bonuses(facts),
        "colours": [_colour(says, each) for each in fairness(thrown)],
        "fewest": FEWEST,
    }


def _label(says: Speaker, player: PlayerStatistics) -> str:
    return player.name if player.named else capital(colour_word(says, player.name))


def _luck(player: PlayerStatistics) -> dict[str, Any]:
    luck = player.luck
    return {"luck": luck, "lucky": lucky(luck)}


def lucky(luck: BigRollLuck) -> str:
    """In a word how lucky these Big Rolls were; its text is "statistics.luck-<word>"."""
    if luck.rolls < FEW_ROLLS:
        return "few"
    for most, word in ((0.02, "very-lucky"), (0.2, "lucky"), (0.8, "usual"), (0.98, "unlucky")):
        if luck.as_much <= most:
            return word
    return "very-unlucky"


def _bonuses(facts: list[MatchFacts]) -> dict[str, Any]:
    """Every category's share of the Big Rolls beside its exact odds, and any bonus."""
    rolls, claimed = claimed_bonuses(facts)
    odds = bonus_odds()
    rows = [(key, claimed[key], odds.best[key]) for key in CATEGORIES]
    rows.append(("any", sum(claimed.values()), odds.any_bonus))
    shares = [count / rolls if rolls else 0.0 for _, count, _ in rows]
    intervals = [wilson(count, rolls) for _, count, _ in rows]
    most = max([*shares, *(high for _, high in intervals), odds.any_bonus]) if rolls else 1.0
    return {
        "rolls": rolls,
        "rows": [
            {
                "key": key,
                "count": count,
                "share": share,
                "expected": expected,
                "expected_count": rolls * expected,
                "bar": against(share, interval, expected, most),
            }
            for (key, count, expected), share, interval in zip(rows, shares, intervals, strict=True)
        ],
    }


def _colour(says: Speaker, tested: ColourFairness) -> dict[str, Any]:
    return {
        "label": capital(colour_word(says, tested.colour)),
        "is": tested,
        "chart": face_chart(tested.counts, tested.expected),
        "p": _p(says, tested.p),
        "p_corrected": _p(says, tested.p_corrected),
    }


def _p(says: Speaker, p: float) -> str:
    if p < 0.0001:
        return f"< {says.number(0.0001, 4)}"
    return says.number(p, 4 if p < 0.01 else 2)
