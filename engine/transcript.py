"""What happened in a game as plain facts, one record for every Big Roll, tie-break and turn.

`turn_facts` and `big_roll_facts` give the fields that a review's JSON, a score sheet and a statistic
show; times and pictures are not their business. Players are named by their colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.actions import BoundaryRoll, Elect, Place, Rolled
from engine.match import Match
from engine.match_log import Entry
from engine.position import Position

Facts = dict[str, Any]


def facts_of(match: Match, entries: Sequence[Entry]) -> Iterator[Facts]:
    """The facts of legal actions of one turn, Big Roll or election, from the match before them.

    First what happened as a whole, then what came of it: a capture, a lock, the end of the round, of
    the match. Raises MatchError or IllegalAction for actions that the rules do not allow.
    """
    steps: list[tuple[Position, Entry, Position]] = []
    before = match
    for entry in entries:
        after = before.apply(entry.action, entry.by)
        ended = len(after.rounds) > len(before.rounds)
        steps.append((before.position, entry, after.rounds[-1].end if ended else after.position))
        before = after
    for position, entry, after_this in steps:
        if isinstance(entry.action, Rolled) and position.phase in ("big-roll", "tie-break"):
            yield _thrown(position, entry, after_this, steps)
        elif isinstance(entry.action, Elect):
            roll = position.opening.roll(position.turn)
            points = next(b.points for b in roll.bonuses if b.category == entry.action.category)
            claimed = {"category": entry.action.category, "points": points}
            yield {"type": "bonus", "player": entry.by, "bonus": claimed}
    if any(isinstance(entry.action, BoundaryRoll) for _, entry, _ in steps):
        turn = turn_facts(steps)
        yield turn
        if turn["captured"] is not None:
            yield {"type": "capture", "player": turn["player"], "face": turn["captured"]}
        if turn["locks"] is not None:
            yield {"type": "lock", "player": turn["locks"], "row": turn["row"]}
    for finished in before.rounds[len(match.rounds) :]:
        yield {
            "type": "round_over",
            "scores": {
                colour: score.to_json()
                for colour, score in zip(match.colours, finished.scores, strict=True)
            },
            "end": finished.end_reason,
        }
    if before.is_over and not match.is_over:
        totals = dict(zip(match.colours, before.totals, strict=True))
        yield {"type": "match_over", "totals": totals, "winners": list(before.winners)}


def _thrown(
    position: Position,
    entry: Entry,
    after: Position,
    steps: Sequence[tuple[Position, Entry, Position]],
) -> Facts:
    faces = sorted(entry.action.faces) if isinstance(entry.action, Rolled) else []
    if position.phase == "tie-break":
        return {"type": "tie_break", "player": entry.by, "faces": faces}
    seat = position.turn
    for _, later, then in steps:  # an election in the same piece settles the bonus
        if later.by == entry.by and isinstance(later.action, Elect):
            after = then
    return big_roll_facts(after, seat)


def big_roll_facts(position: Position, seat: int) -> Facts:
    """player, faces, base, bonus {category, points} or None, total of a seat that has rolled."""
    opening = position.opening
    roll, claimed = opening.roll(seat), opening.bonuses[seat]
    points = next((each.points for each in roll.bonuses if each.category == claimed), 0)
    return {
        "type": "big_roll",
        "player": opening.colours[seat],
        "faces": sorted(opening.big_rolls[seat]),
        "base": roll.base,
        "bonus": {"category": claimed, "points": points} if claimed else None,
        "total": roll.base + points,
    }


def turn_facts(steps: Sequence[tuple[Position, Entry, Position]]) -> Facts:
    """player, edge (the face re-rolled), rolled, grind (list of rolls), row, side, pushed (a colour,
    "neutral" or None), reentry (face or None), lost, locks (colour or None), captured (face or None).

    steps: the position before each action of the turn, the action, and the position after it.
    """
    turn: Facts = {
        "type": "turn",
        "player": steps[0][1].by,
        "edge": None,
        "rolled": [],
        "grind": [],
        "row": None,
        "side": None,
        "pushed": None,
        "reentry": None,
        "lost": False,
        "locks": None,
        "captured": None,
    }
    for position, entry, _ in steps:
        action, actor = entry.action, position.turn_colour
        effects = position.effects(action)
        if isinstance(action, BoundaryRoll):
            row = position.rows[position.turn]
            turn["edge"] = row[0] if action.edge == "low" else row[-1]
        elif isinstance(action, Place):
            turn["row"], turn["side"] = action.face, action.side
            turn["pushed"] = "neutral" if effects.captured is not None else effects.pushed
            turn["captured"] = effects.captured
            turn["locks"] = actor if effects.locks is not None else None
        elif isinstance(action, Rolled) and position.phase == "re-entry":
            turn["reentry"] = action.faces[0]
        elif isinstance(action, Rolled):
            if position.phase == "grind-roll":
                turn["grind"].append(sorted(action.faces))
            else:
                turn["rolled"] = sorted(action.faces)
            turn["lost"] = actor in effects.lost_turns
    return turn
