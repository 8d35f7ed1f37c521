"""A transcript as people read it on a terminal: what happened, the scores, and what is to be looked at."""

from __future__ import annotations

from typing import Any

from vision.watching import clock

Json = dict[str, Any]


def told(transcript: Json) -> str:
    """The whole transcript, one line an event."""
    colours = ", ".join(player["colour"] for player in transcript["players"])
    lines = [f"{transcript['video']}: {colours}"]
    lines += [
        f"  {clock(event['t0_s'])}  {says(event)}"
        for event in transcript["events"]
        if event["type"] not in ("capture", "lock")
    ]
    lines += score_lines(transcript["scores"])
    count = len(transcript["unsure"])
    if count:
        lines.append(f"To be looked at ({count}):")
        lines += [
            f"  {clock(event['t0_s'])} to {clock(event['t1_s'])}  {says(event)}"
            for event in transcript["unsure"]
        ]
    return "\n".join(lines)


def says(event: Json) -> str:
    """One event in a line."""
    kind = event["type"]
    if kind == "big_roll":
        bonus = event["bonus"]
        more = f", {bonus['category']} {bonus['points']}" if bonus else ""
        return f"{event['player']} big roll {_digits(event['faces'])}{more}: {event['total']}"
    if kind == "tie_break":
        return f"{event['player']} tie-break {_digits(event['faces'])}"
    if kind == "turn":
        return turn_says(event)
    if kind == "capture":
        return f"{event['player']} captures the neutral {event['face']}"
    if kind == "lock":
        return f"{event['player']} locks row {event['row']}"
    if kind == "infringement":
        return f"{event['sentence']} (rule {event['rule']})"
    if kind in ("out_of_step", "mended"):
        return str(event["sentence"])
    if kind == "unsure":
        guesses = "; ".join(f"{each['says']} {each['p']:.0%}" for each in event["guesses"])
        return f"{event['question']}{' ' + guesses if guesses else ''}"
    if kind == "camera_moved":
        return "The camera was moved, and the mat found again."
    if kind == "round_over":
        scores = ", ".join(f"{who} {each['total']}" for who, each in event["scores"].items())
        return f"round over ({event['end']}): {scores}"
    if kind == "match_over":
        return f"match over: {', '.join(event['winners'])} won"
    return str(kind)


def turn_says(event: Json) -> str:
    """A turn in a line, much as a match record has it."""
    parts = [f"{event['player']} re-rolls the {event['edge']}s: {_digits(event['rolled'])}"]
    parts += [f"grind {_digits(roll)}" for roll in event["grind"]]
    if event["lost"]:
        parts.append("turn lost")
    if event["row"] is not None:
        parts.append(f"row {event['row']} {event['side']}")
    if event["pushed"] == "neutral":
        parts.append(f"captures {event['captured']}")
    elif event["pushed"] is not None:
        parts.append(f"pushes {event['pushed']}, re-entry {event['reentry'] or '?'}")
    if event["locks"] is not None:
        parts.append(f"locks row {event['row']}")
    return ", ".join(parts)


def score_lines(scores: Json) -> list[str]:
    """The score sheet, a line a round."""
    lines = []
    for at, sheet in enumerate(scores["rounds"], 1):
        points = ", ".join(f"{who} {each['total']}" for who, each in sheet["scores"].items())
        left = at < len(scores["rounds"])
        state = "" if sheet["over"] else " (its end was not seen)" if left else " so far"
        unseen = "" if sheet["big_rolls_seen"] else " (without the Big Rolls, which were not seen)"
        lines.append(f"Round {sheet['round']}{state}: {points}{unseen}")
    return lines


def _digits(faces: list[int]) -> str:
    return "".join(map(str, faces))
