"""The match as the page shows it: the session's state, with scores, legal actions and what is to be done now."""

from __future__ import annotations

from typing import Any

from engine.big_roll import BigRoll, score
from engine.dice import Faces
from engine.errors import LawnError
from engine.match import Match
from engine.position import Position
from engine.verdict import Desync, Infringement, Unsure
from vision.session_state import SessionState
from webui.legal import chances, legal, owner_name
from webui.turn_numbers import turn_numbers

SHOWN_TURNS = 60
"""So many of the last turns are in the state; all are at /api/v1/match/turns."""


def match_json(name: str, state: SessionState, *, watched: bool) -> dict[str, Any]:
    """The object MATCH of the API: SessionState.to_json() and more. name: of its file, the match's id."""
    final, names = state.log.game.match, state.log.started.names
    match, ahead = as_seen(state)
    data = state.to_json(SHOWN_TURNS)
    return {
        **data,
        "id": name,
        "watched": watched,
        "ahead": ahead,
        "options": match.options.to_mapping(),
        "threshold": match.threshold,
        "players": _players(match, names),
        "turns": numbered(data["turns"], turn_numbers(state.log.game)),
        "turns_total": len(state.log.game.turns),
        "board": board(match.position),
        "scores": scores(match, names),
        "turn_order": [match.colours[seat] for seat in match.position.order],
        "prompt": prompt(state, match),
        "legal": legal(match),
        "chances": [] if match.is_over else list(chances(match.position)),
        "big_rolls": big_rolls(match),
        "question": _question(state, data["question"]),
        "last_round": _last_round(final),
    }


def as_seen(state: SessionState) -> tuple[Match, bool]:
    """The match with what the camera has seen provisionally, and whether that is anything."""
    match = state.log.game.match
    if state.provisional is None or not state.provisional.actions:
        return match, False
    try:
        return match.played(state.provisional.actions), True
    except LawnError:  # a person has just said otherwise; the next view is judged by that
        return match, False


def _players(match: Match, names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {"seat": seat, "colour": colour, "name": _name(names, seat) or colour.capitalize()}
        for seat, colour in enumerate(match.colours)
    ]


def _name(names: tuple[str, ...], seat: int) -> str:
    return names[seat] if seat < len(names) else ""


def board(position: Position) -> dict[str, Any]:
    """The position for drawing: lawn [{row, places (3 owners: colours, "white" or None), locked (a
    colour or None)}] from row 1, rows {colour: faces}, captured {colour: faces}, air {dice, edge,
    owner} or None: the dice that are being rolled."""
    air = None
    if position.is_chance and position.turn_colour is not None:
        owner = position.displaced if position.phase == "re-entry" else position.turn
        air = {
            "dice": position.dice_in_the_air,
            "edge": position.edge or None,
            "owner": position.colours[owner],
        }
    locked = set(position.locked_rows)
    return {
        "phase": position.phase,
        "turn": position.turn_colour,
        "lawn": [
            {
                "row": row,
                "places": [owner_name(position, owner) for owner in places],
                "locked": owner_name(position, places[0]) if row in locked else None,
            }
            for row, places in enumerate(position.lawn, 1)
        ],
        "rows": {c: list(row) for c, row in zip(position.colours, position.rows, strict=True)},
        "captured": {
            c: list(faces) for c, faces in zip(position.colours, position.captured, strict=True)
        },
        "air": air,
    }


def scores(match: Match, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """One entry a player, in seat order, with the three parts of the round as 7:2 names them."""
    rounds = [each.to_json() for each in match.position.scores()]
    running = match.running_totals
    totals = match.totals if match.is_over else running
    return [
        {
            "seat": seat,
            "colour": colour,
            "name": _name(names, seat) or colour.capitalize(),
            "parts": {
                "lead_in": {
                    "points": rounds[seat]["base"] + rounds[seat]["bonus"],
                    **{key: rounds[seat][key] for key in ("base", "bonus", "category")},
                },
                "captured": {"points": rounds[seat]["captured"]},
                "lawn": {"points": rounds[seat]["lawn"]},
            },
            "round": rounds[seat]["total"],
            "total": match.totals[seat],
            "running": running[seat],
            "to_threshold": max(0, match.threshold - totals[seat]),
            "place": 1 + sum(other > totals[seat] for other in totals),
        }
        for seat, colour in enumerate(match.colours)
    ]


def big_rolls(match: Match) -> list[dict[str, Any]]:
    """One entry a player, in seat order: faces (eight, ascending, or [] before the roll), base,
    every qualifying bonus with the dice that make it (indices into faces), elected (a category or
    None), open (whether the election is due now), total, and the tie-break rolled since."""
    position = match.position
    opening = position.opening
    tie = _tie_break_rows(position)
    found = []
    for seat, colour in enumerate(position.colours):
        faces = opening.big_rolls[seat]
        roll = score(faces) if faces else None
        elected = opening.bonuses[seat] or None
        due = position.phase == "bonus-choice" and position.turn == seat
        found.append(
            {
                "seat": seat,
                "colour": colour,
                "faces": list(faces),
                "base": roll.base if roll else 0,
                "bonuses": _bonuses(roll),
                "elected": elected,
                "open": due,
                "total": opening.lead(seat),
                "tie_break": list(tie.get(seat, ())),
            }
        )
    return found


def _bonuses(roll: BigRoll | None) -> list[dict[str, Any]]:
    return [
        {
            "category": bonus.category,
            "points": bonus.points,
            "dice": _indices(roll.faces, bonus.dice),
        }
        for bonus in (roll.bonuses if roll else ())
        if roll is not None
    ]


def _indices(faces: Faces, chosen: Faces) -> list[int]:
    """Which of the faces make up the chosen ones."""
    left = list(range(len(faces)))
    indices = []
    for face in chosen:
        at = next(at for at in left if faces[at] == face)
        left.remove(at)
        indices.append(at)
    return indices


def _tie_break_rows(position: Position) -> dict[int, Faces]:
    """The rows rolled anew by tied players, as long as nobody has played (3:4.B)."""
    if any(owner not in (-1, 3) for row in position.lawn for owner in row):
        return {}
    return {
        seat: row
        for seat, (row, rolled) in enumerate(
            zip(position.rows, position.opening.big_rolls, strict=True)
        )
        if rolled and len(row) == len(rolled) and row != rolled
    }


def prompt(state: SessionState, match: Match) -> dict[str, Any]:
    """What is to be done now in the match as it is seen: key, by (a colour or None), args.

    webui.match_words puts it into words, as `text`.
    """

    def said(key: str, by: str | None = None, **args: Any) -> dict[str, Any]:
        return {"key": f"prompt.{key}", "by": by, "args": args}

    if state.log.paused:
        return said("paused")
    if match.is_over:
        return said("won", winners=list(match.winners))
    verdict = state.log.question.verdict if state.log.question is not None else None
    if isinstance(verdict, Infringement):
        return said("infringement", verdict.player, mend=verdict.mend)
    if isinstance(verdict, Unsure):
        return said("unsure")
    if isinstance(verdict, Desync):
        return said("desync")
    position = match.position
    args: dict[str, Any] = {"dice": position.dice_in_the_air}
    if position.phase == "boundary-roll":
        args["edge"] = position.edge
    elif position.phase == "re-entry":
        args["owner"] = position.colours[position.displaced]
    return said(position.phase, position.turn_colour, **args)


def _question(state: SessionState, data: dict[str, Any] | None) -> dict[str, Any] | None:
    """The open question with its dice: each {key, picture}."""
    if data is None:
        return None
    verdict = data["verdict"]
    keys = list(verdict.get("keys", ()))
    for each in verdict.get("differences", ()):
        keys += each["keys"]
    seen = {die.key for die in state.view.dice} if state.view is not None else set()
    dice = [{"key": key, "picture": f"/api/v1/match/dice/{key}.jpg"} for key in keys if key in seen]
    return {**data, "dice": dice, "picture_url": _url(data["picture"])}


def numbered(turns: list[dict[str, Any]], numbers: list[int | None]) -> list[dict[str, Any]]:
    """The last turns with their number of turn_numbers and the address of their picture."""
    return [
        {**turn, "number": number, "picture_url": _url(turn["picture"])}
        for turn, number in zip(turns, numbers[len(numbers) - len(turns) :], strict=True)
    ]


def _url(picture: int | None) -> str | None:
    return None if picture is None else f"/api/v1/match/picture/{picture}.jpg"


def _last_round(match: Match) -> dict[str, Any] | None:
    """The score sheet of the round that has just ended, and its last table, until the next one's
    first Big Roll; None otherwise."""
    if not match.rounds or not (match.is_over or match.is_between_rounds):
        return None
    ended = match.rounds[-1]
    return {**ended.to_json(), "board": board(ended.end)}
