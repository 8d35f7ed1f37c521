"""What a simulation found, as plain JSON types and as text."""

from __future__ import annotations

from math import inf
from typing import Any

from engine.big_roll import CATEGORIES
from engine.odds import bonus_odds
from engine.options import Options
from engine.simulate import Plan
from engine.tally import CLOSE, PARTS, Tally, mean, median, wilson

_PLACES = ("first", "second", "third")


def summary(plan: Plan, tally: Tally) -> dict[str, Any]:
    """Everything found; shares are from 0 to 1, intervals [low, high] at 95 %.

    The tally must hold at least one match.
    """
    matches, rounds = tally.matches, tally.rounds
    ends = [(reason, count) for reason, count in tally.ends.most_common()]
    seen = {category: tally.bonuses[category] for category in CATEGORIES}
    odds = bonus_odds()
    return {
        "players": plan.players,
        "matches": matches,
        "threshold": plan.threshold,
        "seed": plan.seed,
        "options": plan.options.to_mapping(),
        "shared_wins": tally.match_wins[-1],
        "bots": [
            {
                "bot": name,
                "match_wins": _share(tally.match_wins[number], matches),
                **_who(tally, "bot", number),
            }
            for number, name in enumerate(plan.bots)
        ],
        "turn_order": [_who(tally, "place", place) for place in range(plan.players)],
        "turn_order_close": [_who(tally, "close", place) for place in range(plan.players)],
        "rounds": {
            "count": rounds,
            "a_match": mean(tally.match_rounds),
            "turns": _spread(tally.turns),
            "lost_turns": _spread(tally.lost),
            "ends": {reason: _share(count, rounds) for reason, count in ends},
        },
        "bonuses": {
            category: {
                "claimed": _share(count, rounds * plan.players),
                "exact_qualifies": odds.qualifies[category],
                "exact_best": odds.best[category],
            }
            for category, count in seen.items()
        },
        "any_bonus": {
            "claimed": _share(sum(seen.values()), rounds * plan.players),
            "exact": odds.any_bonus,
            "exact_several": odds.several,
            "exact_points": odds.bonus,
            "exact_tie": odds.tie,
        },
        "actions": dict(sorted(tally.actions.items())),
    }


def _share(count: int, of: int) -> dict[str, Any]:
    return {"count": count, "share": count / of, "interval": list(wilson(count, of))}


def _spread(histogram: Any) -> dict[str, Any]:
    return {"mean": mean(histogram), "median": median(histogram), "most": max(histogram)}


def _who(tally: Tally, group: str, number: int) -> dict[str, Any]:
    played = tally.played[group, number]
    if not played:
        return {"rounds": 0}
    margin = tally.margin_interval(group, number)
    return {
        "rounds": played,
        "round_wins": _share(tally.round_wins[group, number], played),
        "score": {part: tally.mean(part, group, number) for part in PARTS},
        "play_margin": {
            "mean": tally.mean("play margin", group, number),
            "interval": list(margin) if margin else None,
        },
    }


def summary_text(found: dict[str, Any]) -> str:
    """The summary for people to read."""
    players, rounds = found["players"], found["rounds"]
    bots, any_bonus = found["bots"], found["any_bonus"]
    changed = Options.from_mapping(found["options"]).changed()
    rulings = ", ".join(f"{name}={value}" for name, value in changed.items()) or "the defaults"
    names = [
        each["bot"] + (f" ({at + 1})" if [b["bot"] for b in bots].count(each["bot"]) > 1 else "")
        for at, each in enumerate(bots)
    ]
    lines = [
        f"{found['matches']} matches to {found['threshold']} points, {players} players, "
        f"{rounds['count']} rounds, seed {found['seed']}, rulings: {rulings}",
        "",
        "Matches won (95 % interval)",
        *(
            f"  {name:12} {each['match_wins']['count']:6}  {_percent(each['match_wins'])}"
            for name, each in zip(names, bots, strict=True)
        ),
    ]
    if found["shared_wins"]:
        lines.append(f"  shared       {found['shared_wins']:6}")
    lines += [
        "",
        "Rounds",
        f"  rounds a match    mean {rounds['a_match']:.1f}",
        f"  turns a round     {_spread_text(rounds['turns'])}",
        f"  lost turns        {_spread_text(rounds['lost_turns'])}",
        *(f"  ended: {reason:18} {_percent(share)}" for reason, share in rounds["ends"].items()),
        "",
        "Points a round        " + "".join(f"{part:>9}" for part in (*PARTS, "ahead")),
        *(_points(name, each) for name, each in zip(names, bots, strict=True)),
        *(
            _points(f"{_PLACES[at]} in turn order", each)
            for at, each in enumerate(found["turn_order"])
        ),
        "  (ahead: captured and lawn, minus those of the best other player)",
        "",
        "Rounds won, by turn order (the first has the highest Big Roll)",
        *_order(found["turn_order"]),
        f"Rounds won, by turn order, where all Big Rolls are at most {CLOSE} points apart",
        *_order(found["turn_order_close"]),
        "",
        "Bonuses             claimed (95 % interval)   exactly: qualifies  is the best",
        *(
            f"  {category:18}{_percent(each['claimed']):26}{100 * each['exact_qualifies']:16.4f} %"
            f"{100 * each['exact_best']:11.4f} %"
            for category, each in found["bonuses"].items()
        ),
        f"  any bonus         {_percent(any_bonus['claimed']):26}"
        f"{100 * any_bonus['exact']:16.4f} %{100 * any_bonus['exact']:11.4f} %",
        f"  exactly: several bonuses {100 * any_bonus['exact_several']:.4f} %, points of the best "
        f"one {any_bonus['exact_points']:.3f}, two totals tied {100 * any_bonus['exact_tie']:.4f} %",
    ]
    return "\n".join(lines)


def _percent(share: dict[str, Any]) -> str:
    low, high = share["interval"]
    return f"{100 * share['share']:.2f} % ({100 * low:.2f} to {100 * high:.2f})"


def _spread_text(spread: dict[str, Any]) -> str:
    return f"median {spread['median']:g}, mean {spread['mean']:.1f}, most {spread['most']}"


def _points(name: str, each: dict[str, Any]) -> str:
    parts = "".join(f"{each['score'][part]:9.2f}" for part in PARTS)
    return f"  {name:20}{parts}{each['play_margin']['mean']:+9.2f}"


def _order(places: list[dict[str, Any]]) -> list[str]:
    lines = []
    for at, each in enumerate(places):
        if not each["rounds"]:
            lines.append(f"  {_PLACES[at]:8} no such round")
            continue
        margin = each["play_margin"]
        low, high = margin["interval"] or (-inf, inf)
        lines.append(
            f"  {_PLACES[at]:8} {_percent(each['round_wins']):28} "
            f"ahead by {margin['mean']:+.2f} ({low:+.2f} to {high:+.2f}) in captured and lawn"
        )
    return lines
