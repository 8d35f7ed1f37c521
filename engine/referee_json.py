"""The referee's state as plain JSON types, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.errors import LawnError, TableError, shown
from engine.evidence import Evidence, Pin
from engine.match import FinishedRound, Match
from engine.position import Position
from engine.table import LawnPlace, place_from_json, place_to_json
from engine.verdict import Standing, verdict_from_json, verdict_to_json


def write_state(
    match: Match,
    standing: Standing | None,
    turned: bool,
    tolerated: tuple[tuple[LawnPlace, int], ...],
    evidence: Evidence,
) -> dict[str, Any]:
    """See Referee.to_json."""
    last = match.rounds[-1] if match.rounds else None
    return {
        "position": match.position.to_string(),
        "threshold": match.threshold,
        "rounds": len(match.rounds),
        "between": match.is_between_rounds,
        "totals": list(match.totals),
        "ended": last.end.to_string() if last else None,
        "standing": verdict_to_json(standing) if standing else None,
        "turned": turned,
        "tolerated": [[place_to_json(place), face] for place, face in tolerated],
        "pins": [_pin_to_json(pin) for pin in evidence.pins],
    }


def read_state(data: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of Referee that `write_state` wrote. Raises TableError."""
    try:
        position = Position.from_string(data["position"])
        match = Match.start(
            colours=position.colours, options=position.options, threshold=data["threshold"]
        )
        match = replace(match, position=position)
        if data["ended"] is not None:
            end = Position.from_string(data["ended"])
            totals = tuple(int(each) for each in data["totals"])
            finished = FinishedRound(int(data["rounds"]), (), end, totals)
            match = replace(match, rounds=(finished,) * int(data["rounds"]))
        standing = data["standing"]
        return {
            "match": match,
            "standing": None if standing is None else verdict_from_json(standing),
            "turned": bool(data["turned"]),
            "tolerated": tuple((place_from_json(p), int(face)) for p, face in data["tolerated"]),
            "evidence": Evidence(pins=tuple(_pin_from_json(pin) for pin in data["pins"])),
        }
    except LawnError as error:
        raise TableError(f"The referee's state cannot be read: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise TableError(f"The referee's state has a faulty field: {shown(data)}.") from None


def _pin_to_json(pin: Pin) -> dict[str, Any]:
    return {
        "key": pin.key,
        "face": pin.face,
        "owner": pin.owner,
        "place": None if pin.place is None else place_to_json(pin.place),
        "absent": pin.absent,
    }


def _pin_from_json(data: Mapping[str, Any]) -> Pin:
    place = data["place"]
    return Pin(
        data["key"],
        data["face"],
        data["owner"],
        None if place is None else place_from_json(place),
        bool(data["absent"]),
    )
