"""A second, slow and plain reading of the rules, for checking the engine against.

It shares no code with the engine: a round is a dict in the JSON form of a position, dice are
words in lists, every step copies everything, and throws are enumerated one by one.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import product
from typing import Any

Round = dict[str, Any]


def moves(r: Round) -> dict[str, float | None]:
    """Text of each legal action -> its probability, or None where a player chooses."""
    phase, me = r["phase"], r["turn"]
    if phase == "round-over":
        return {}
    if phase == "bonus-choice":
        return {f"claim {c}": None for c in bonuses(r["big_rolls"][me]["faces"])}
    if phase == "boundary-choice":
        if len(set(r["rows"][me])) == 1:
            return {"boundary low": None}
        return {"boundary low": None, "boundary high": None}
    if phase == "placement":
        found: dict[str, float | None] = {}
        for die in {min(r["rows"][me]), max(r["rows"][me])}:
            for side in ("left", "center", "right"):
                if may_place(r["lawn"][str(die)], side, len(r["players"])):
                    found[f"place {die} {side}"] = None
        return found
    tally: Counter[str] = Counter()
    for dice in product("123456", repeat=thrown(r)):
        tally["rolled " + " ".join(sorted(dice))] += 1
    return {text: ways / 6 ** thrown(r) for text, ways in tally.items()}


def thrown(r: Round) -> int:
    """How many dice are in the air."""
    row = r["rows"][r["turn"]]
    if r["phase"] == "boundary-roll":
        return len([d for d in row if d == (min(row) if r["edge"] == "low" else max(row))])
    return {"big-roll": 8, "tie-break": 8, "re-entry": 1, "grind-roll": len(row)}[r["phase"]]


def locked(places: list[Any]) -> bool:
    return places[0] is not None and places[0] != "white" and places == [places[0]] * 3


def may_place(places: list[Any], side: str, players: int) -> bool:
    left, center, right = places
    if locked(places):
        return False
    if players == 3 and center is None:
        return side == "center"
    if side == "center":
        return False
    if None not in places:
        return True
    return (left if side == "left" else right) is None


def bonuses(faces: list[int]) -> dict[str, int]:
    """Category -> points."""
    found = {}
    words = {5: "five", 6: "six", 7: "seven", 8: "eight"}
    for face, n in Counter(faces).items():
        if n >= 5:
            found[f"{words[n]} of a kind"] = n * face
    if sorted(set(faces)) == [1, 2, 3, 4, 5, 6]:
        found["six-dice straight"] = 21
    if all(faces.count(face) != 1 for face in faces):
        found["fully matched"] = sum(faces)
    return found


def play(r: Round, text: str) -> Round:
    """The round after an action that is legal."""
    r = deepcopy(r)
    verb, _, rest = text.partition(" ")
    me = r["turn"]
    if verb == "claim":
        r["big_rolls"][me]["bonus"] = rest
        return settle_opening(r)
    if verb == "boundary":
        r["phase"], r["edge"] = "boundary-roll", rest
        return r
    if verb == "place":
        die, side = rest.split()
        return place(r, int(die), side)
    dice = [int(word) for word in rest.split()]
    if r["phase"] == "big-roll":
        return big_roll(r, dice)
    if r["phase"] == "tie-break":
        return tie_break(r, dice)
    if r["phase"] == "re-entry":
        owner = r["displaced"]
        r["displaced"] = None
        r["rows"][owner] = sorted(r["rows"][owner] + dice)
        return end_turn(r)
    row = r["rows"][me]
    if r["phase"] == "grind-roll":
        row = dice
    else:
        edge = min(row) if r["edge"] == "low" else max(row)
        row = [d for d in row if d != edge] + dice
    r["rows"][me] = sorted(row)
    r["edge"] = None
    if not locked(r["lawn"][str(min(row))]) or not locked(r["lawn"][str(max(row))]):
        r["phase"], r["lost_turns"] = "placement", 0
    elif [p for p in r["players"] if r["rows"][p]] == [me]:
        r["phase"] = "grind-roll"
    else:
        count_lost(r)
        return end_turn(r)
    return r


def count_lost(r: Round) -> None:
    if len(r["players"]) == 3 and r["options"]["ending"] == "gridlock":
        r["lost_turns"] += 1


def place(r: Round, die: int, side: str) -> Round:
    me = r["turn"]
    r["rows"][me].remove(die)
    places = r["lawn"][str(die)]
    pushed = None
    if side == "center":
        places[1] = me
    elif None in places:
        places[0 if side == "left" else 2] = me
    elif side == "left":
        places.insert(0, me)
        pushed = places.pop()
    else:
        places.append(me)
        pushed = places.pop(0)
    if pushed == "white":
        r["captured"][me] = sorted([*r["captured"][me], die])
    elif pushed == me and r["options"]["own-push"] == "keep-face":
        r["rows"][me] = sorted([*r["rows"][me], die])
    elif pushed is not None:
        r["phase"], r["displaced"] = "re-entry", pushed
        return r
    return end_turn(r)


def over(r: Round) -> bool:
    holders = [p for p in r["players"] if r["rows"][p]]
    if not holders:
        return True
    if len(r["players"]) == 3:
        if all(locked(places) for places in r["lawn"].values()):
            return True
        if r["options"]["ending"] == "first-out" and len(holders) < 3:
            return True
        if r["options"]["ending"] == "gridlock" and r["lost_turns"] >= len(holders):
            return True
    early = r["options"]["endgame-block"] == "before-roll"
    return early and len(holders) > 1 and all(stuck(r, p) for p in holders)


def stuck(r: Round, player: str) -> bool:
    row = r["rows"][player]
    return len(row) < 3 and all(locked(r["lawn"][str(die)]) for die in row)


def end_turn(r: Round) -> Round:
    if over(r):
        r["phase"], r["turn"] = "round-over", None
        return r
    line = [group[0] for group in r["order"]]
    turn = line[(line.index(r["turn"]) + 1) % len(line)]
    while not r["rows"][turn]:
        turn = line[(line.index(turn) + 1) % len(line)]
    r["turn"] = turn
    alone = [p for p in r["players"] if r["rows"][p]] == [turn]
    if not alone and r["options"]["endgame-block"] == "before-roll" and stuck(r, turn):
        count_lost(r)
        return end_turn(r)
    r["phase"] = "grind-roll" if alone and r["options"]["grind"] == "at-once" else "boundary-choice"
    return r


def big_roll(r: Round, dice: list[int]) -> Round:
    me = r["turn"]
    r["rows"][me] = sorted(dice)
    possible = bonuses(dice)
    claimed = None
    if len(possible) == 1 or (possible and r["options"]["bonus"] == "best"):
        top = max(possible.values())
        claimed = next(c for c in possible if possible[c] == top)
    r["big_rolls"][me] = {"faces": sorted(dice), "bonus": claimed}
    waiting = [p for p in r["players"] if r["big_rolls"][p] is None]
    if waiting:
        r["turn"] = waiting[0]
        return r
    return settle_opening(r)


def settle_opening(r: Round) -> Round:
    for p in r["players"]:
        roll = r["big_rolls"][p]
        if roll["bonus"] is None and bonuses(roll["faces"]):
            r["phase"], r["turn"] = "bonus-choice", p
            return r
    totals = {}
    for p in r["players"]:
        roll = r["big_rolls"][p]
        totals[p] = sum(roll["faces"]) + (
            bonuses(roll["faces"])[roll["bonus"]] if roll["bonus"] else 0
        )
    r["order"] = grouped(r["players"], totals)
    return settle_order(r)


def grouped(players: list[str], totals: dict[str, int]) -> list[list[str]]:
    groups: list[list[str]] = []
    for p in sorted(players, key=lambda p: -totals[p]):  # a stable sort keeps seat order
        if groups and totals[groups[-1][0]] == totals[p]:
            groups[-1].append(p)
        else:
            groups.append([p])
    return groups


def settle_order(r: Round) -> Round:
    for group in r["order"]:
        if len(group) > 1:
            r["phase"], r["turn"] = "tie-break", group[0]
            return r
    r["phase"], r["turn"] = "boundary-choice", r["order"][0][0]
    return r


def tie_break(r: Round, dice: list[int]) -> Round:
    me = r["turn"]
    r["rows"][me] = sorted(dice)
    at, group = next((i, g) for i, g in enumerate(r["order"]) if len(g) > 1)
    if me != group[-1]:
        r["turn"] = group[group.index(me) + 1]
        return r
    totals = {p: sum(r["rows"][p]) for p in group}
    if r["options"]["tie-break"] == "base-and-bonus":
        totals = {p: t + max(bonuses(r["rows"][p]).values(), default=0) for p, t in totals.items()}
    r["order"][at : at + 1] = grouped(group, totals)
    return settle_order(r)
