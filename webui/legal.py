"""What may be done next, as the page shows it: actions with their consequences, and the chances of a roll."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.actions import Action, BoundaryRoll, Elect, Place
from engine.dice import FACES, NEUTRAL_COLOUR
from engine.lawn import EMPTY, NEUTRAL, Owner, placements
from engine.match import Match
from engine.position import Position


def legal(match: Match) -> list[dict[str, Any]]:
    """Every legal choice, or the one roll that is due; [] when the match is over.

    Each has action (its text form; None for a roll, whose faces are still to be seen), by (a
    colour), kind ("boundary", "place", "claim" or "roll"), label (a sentence), and
        boundary: edge, face, dice (indices into the Player Row);
        place: face, row, side, edge, die (index into the Player Row), effect;
        claim: category, points;
        roll: what (the phase), needs {dice, sides}, owner (whose row the dice enter).
    """
    position = match.position
    if match.is_over or position.turn_colour is None:
        return []
    if position.is_chance:
        return [_roll(position)]
    return [_choice(position, action) for action in position.legal_actions()]


def _roll(position: Position) -> dict[str, Any]:
    by = position.turn_colour
    count = position.dice_in_the_air
    owner = position.colours[position.displaced] if position.phase == "re-entry" else by
    what = {
        "big-roll": "rolls all eight dice",
        "tie-break": "rolls all eight dice again for the turn order",
        "boundary-roll": "rolls the boundary set",
        "grind-roll": "rolls all remaining dice",
        "re-entry": f"rolls the {owner} die that was pushed off",
    }[position.phase]
    return {
        "action": None,
        "by": by,
        "kind": "roll",
        "label": f"{by} {what}.".capitalize(),
        "what": position.phase,
        "owner": owner,
        "needs": {"dice": count, "sides": 6},
    }


def _choice(position: Position, action: Action) -> dict[str, Any]:
    row = position.rows[position.turn]
    name = position.name(action)
    data: dict[str, Any] = {
        "action": str(action),
        "by": position.turn_colour,
        "label": f"{name[:1].upper()}{name[1:]}.",
    }
    if isinstance(action, BoundaryRoll):
        face = row[0] if action.edge == "low" else row[-1]
        dice = [at for at, each in enumerate(row) if each == face]
        return {**data, "kind": "boundary", "edge": action.edge, "face": face, "dice": dice}
    if isinstance(action, Place):
        low = action.face == row[0]
        return {
            **data,
            "kind": "place",
            "face": action.face,
            "row": action.face,
            "side": action.side,
            "edge": "low" if low else "high",
            "die": 0 if low else len(row) - 1,
            "effect": _effect(position, action),
        }
    assert isinstance(action, Elect)
    points = position.opening.roll(position.turn).bonus(action.category).points
    return {**data, "kind": "claim", "category": action.category, "points": points}


def _effect(position: Position, action: Place) -> dict[str, Any]:
    """pushed (owner of the displaced die: a colour, "white", or None), own (whether it is the
    actor's own), captured and locks (a face or None), slides ("left", "right" or None), row_after
    (owners: colours, "white" or None), next (who acts), next_phase, over ("" while the round goes
    on), sentences."""
    effects = position.effects(action)
    after, displaced = placements(position.lawn[action.face - 1], position.turn)[action.side]
    slides = None
    if displaced != EMPTY:
        slides = "right" if action.side == "left" else "left"
    return {
        "pushed": owner_name(position, displaced),
        "own": displaced == position.turn,
        "captured": effects.captured,
        "locks": effects.locks,
        "slides": slides,
        "row_after": [owner_name(position, owner) for owner in after],
        "next": effects.next,
        "next_phase": effects.next_phase,
        "over": effects.over,
        "sentences": list(effects.sentences()),
    }


def owner_name(position: Position, owner: Owner) -> str | None:
    """A colour, that of neutral dice, or None for an empty place."""
    if owner == EMPTY:
        return None
    return NEUTRAL_COLOUR if owner == NEUTRAL else position.colours[owner]


@lru_cache(maxsize=64)
def chances(position: Position) -> tuple[dict[str, Any], ...]:
    """What rolling each edge may lead to; () unless an edge is to be chosen or the set is in the air.

    Exact, over all throws: edge, face, dice (how many); blocked: chance that the turn is lost; low,
    high: chance of each face at that edge of the new row; and the chances that some legal
    placement then locks a row, pushes another player's die, or captures a neutral one.
    """
    if position.phase == "boundary-choice":
        ways = [action for action in position.legal_actions() if isinstance(action, BoundaryRoll)]
        return tuple(_chances(position.apply(action), action.edge) for action in ways)
    if position.phase == "boundary-roll":
        return (_chances(position, "high" if position.edge == "high" else "low"),)
    return ()


def _chances(thrown: Position, edge: str) -> dict[str, Any]:
    sums = dict.fromkeys(("blocked", "locks", "pushes", "captures"), 0.0)
    low, high = dict.fromkeys(FACES, 0.0), dict.fromkeys(FACES, 0.0)
    seat = thrown.turn
    old = thrown.rows[seat]
    count = thrown.dice_in_the_air
    face = old[0] if edge == "low" else old[-1]
    kept = [each for each in old if each != face]
    for action, p in thrown.chance_outcomes():
        row = sorted([*kept, *action.faces])
        low[row[0]] += p
        high[row[-1]] += p
        after = thrown.apply(action)
        if after.phase != "placement":
            sums["blocked"] += p
            continue
        found = set()
        for place in after.legal_actions():
            assert isinstance(place, Place)
            lawn_row, displaced = placements(after.lawn[place.face - 1], seat)[place.side]
            if displaced == NEUTRAL:
                found.add("captures")
            elif displaced not in (EMPTY, seat):
                found.add("pushes")
            if len(set(lawn_row)) == 1 and lawn_row[0] == seat:
                found.add("locks")
        for name in found:
            sums[name] += p
    return {
        "edge": edge,
        "face": face,
        "dice": count,
        **{name: round(p, 6) for name, p in sums.items()},
        "low": {str(each): round(p, 6) for each, p in low.items()},
        "high": {str(each): round(p, 6) for each, p in high.items()},
    }
