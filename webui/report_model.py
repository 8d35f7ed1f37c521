"""What a review's report shows, in words of one language: the same for the file and for the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from engine.alignment import Pair
from engine.game_log import GameLog, replayed
from engine.journal import Journal
from engine.luck import big_roll_luck
from engine.record import Record
from vision.review_against import compared
from vision.review_folder import ReviewFolder
from vision.review_text import says as event_says
from vision.watching import clock
from webui.catalogue import Speaker
from webui.report_graph import Line, score_graph
from webui.said import Voice, said
from webui.step_words import differing_words
from webui.turn_words import turn_words

Json = dict[str, Any]
STEPS = ("big_roll", "tie_break", "turn")
TROUBLE = ("infringement", "out_of_step", "unsure")


@dataclass(frozen=True)
class Model:
    """Everything a report shows. pictures: numbers of the journal's pictures that it needs."""

    shown: Json
    pictures: frozenset[int]


def model(folder: ReviewFolder, says: Speaker, typed: Record | None = None) -> Model:
    """The model of a finished review. Raises ReviewError or JournalError."""
    transcript = folder.read_transcript()
    with Journal.look(folder.journal) as journal:
        game = replayed(journal.events())
    letters = _letters([player["colour"] for player in transcript["players"]])

    def name(colour: str) -> str:
        key = f"colour.{colour}"
        named = says.t(key) if says.has(key) else colour
        return named[:1].upper() + named[1:]

    totals = transcript["scores"]["totals"]
    players = [
        {
            **player,
            "label": name(player["colour"]),
            "letter": letters[player["colour"]],
            "total": totals[player["colour"]],
        }
        for player in transcript["players"]
    ]
    events = transcript["events"]
    voice = Voice.of(says, {colour: name(colour) for colour in letters})
    turns = _turns(events, voice, name, letters)
    troubles = [_trouble(event, says) for event in events if event["type"] in TROUBLE]
    troubles += [_doubtful(turn, says) for turn in turns if turn["doubtful"]]
    troubles.sort(key=lambda each: (each["settled"], each["t0_s"]))
    shown: Json = {
        "title": Path(transcript["video"]).name,
        "videos": transcript["videos"],
        "length": clock(transcript["duration_s"]).split(".")[0],
        "players": players,
        "leads": _leads(transcript, says, name),
        "turn_count": sum(event["type"] == "turn" for event in events),
        "infringements": sum(event["type"] == "infringement" for event in events),
        "open": sum(not each["settled"] for each in troubles),
        "troubles": troubles,
        "sheet": transcript["scores"]["rounds"],
        "begins_midway": not _big_rolls_seen(transcript),
        "unseen_ends": [
            sheet["round"] for sheet in transcript["scores"]["rounds"][:-1] if not sheet["over"]
        ],
        "turns": turns,
        "luck": _luck(events, players),
        "graph": _graph(game, transcript, players, says),
        "record": transcript["record"],
        "comparison": None,
    }
    if typed is not None:
        comparison = compared(transcript, typed)
        shown["comparison"] = {
            "steps": len(comparison.pairs),
            "differs": [_differing(pair, voice) for pair in comparison.differs],
            "scores": [(name(colour), *points) for colour, *points in comparison.scores],
        }
    numbers = {turn[key] for turn in turns for key in ("before", "after")}
    numbers |= {each["picture"] for each in troubles}
    return Model(shown, frozenset(number for number in numbers if number is not None))


def _letters(colours: list[str]) -> dict[str, str]:
    """A letter for each colour: its first one, or its second where two begin alike."""
    letters: dict[str, str] = {}
    for colour in colours:
        letter = next(
            (each for each in colour.upper() if each not in letters.values()), colour[0].upper()
        )
        letters[colour] = letter
    return letters


def _turns(events: list[Json], voice: Voice, name: Any, letters: dict[str, str]) -> list[Json]:
    turns: list[Json] = []
    number = 0
    for event in events:
        kind = event["type"]
        if kind not in STEPS:
            if kind in ("round_over", "match_over") and turns:
                turns[-1]["after_it"].append(_ending(event, voice))
            continue
        number = 0 if kind == "big_roll" else number
        number += kind == "turn"
        colour = event["player"]
        text = event.get("text", "")
        # One entry can hold several Big Rolls: each shows its own line.
        line = text if text.startswith(f"{colour} ") and "\n" not in text else event_says(event)
        turns.append(
            {
                "id": event["turn"],
                "kind": kind,
                "number": number if kind == "turn" else None,
                "colour": colour,
                "label": name(colour),
                "letter": letters.get(colour, "?"),
                "clauses": turn_words(voice, line, colour),
                "t0_s": event["t0_s"],
                "clock": clock(event["t0_s"]).split(".")[0],
                "frame0": event["frame0"],
                "p": event["p"],
                "doubtful": event["p"] < 0.9,
                "by_person": event.get("source") == "person",
                "before": event.get("picture_before"),
                "after": event.get("picture"),
                "after_it": [],
            }
        )
    return turns


def _ending(event: Json, voice: Voice) -> str:
    """The end of a round or of the match, in a sentence."""
    if event["type"] == "match_over":
        winners = voice.listed([voice.word(each, named=True) for each in event["winners"]])
        return voice.says.t("review.won", name=winners)
    scores = [
        f"{voice.word(who, named=True)} {each['total']}" for who, each in event["scores"].items()
    ]
    return voice.says.t("review.round-over", end=voice.word(event["end"]), scores=", ".join(scores))


def _trouble(event: Json, says: Speaker) -> Json:
    kind, voice = event["type"], Voice(says)
    text = said(says, event.get("sentence") or event.get("question") or "")
    return {
        "kind": kind,
        "heading": says.t(f"review.kind-{kind}"),
        "text": text,
        "mend": said(says, event.get("mend", "")),
        "rule": event.get("rule", ""),
        "t0_s": event["t0_s"],
        "clock": clock(event["t0_s"]).split(".")[0],
        "until": clock(event["t1_s"]).split(".")[0],
        "picture": event.get("picture"),
        "guesses": [
            {**each, "says": said(says, each["says"])} for each in event.get("guesses", [])
        ],
        "differences": [
            {key: voice.die(each[key]) for key in ("expected", "seen")}
            for each in event.get("differences", [])
        ],
        "settled": bool(event.get("settled")),
        "how": event.get("how", ""),
        "turn": event.get("turn", ""),
        "number": event.get("number"),
    }


def _doubtful(turn: Json, says: Speaker) -> Json:
    return {
        "kind": "doubtful",
        "heading": says.t("review.kind-doubtful"),
        "text": says.t("review.doubtful", percent=round(100 * turn["p"])),
        "mend": ", ".join(turn["clauses"]),
        "rule": "",
        "t0_s": turn["t0_s"],
        "clock": turn["clock"],
        "until": turn["clock"],
        "picture": turn["after"],
        "guesses": [],
        "differences": [],
        "settled": turn["by_person"],
        "how": "",
        "turn": turn["id"],
        "number": None,
    }


def _leads(transcript: Json, says: Speaker, name: Any) -> str:
    """Who won, or who is ahead, in a sentence."""
    winners = transcript["scores"]["winners"]
    if winners:
        return says.t("review.won", name=" & ".join(map(name, winners)))
    totals = transcript["scores"]["totals"]
    best = max(totals.values(), default=0)
    ahead = [colour for colour, points in totals.items() if points == best]
    if len(ahead) != 1:
        return says.t("review.level", points=best)
    others = max((points for colour, points in totals.items() if colour != ahead[0]), default=0)
    return says.t("review.ahead", name=name(ahead[0]), points=best - others)


def _luck(events: list[Json], players: list[Json]) -> list[Json]:
    found = []
    for player in players:
        rolls = [
            tuple(event["faces"])
            for event in events
            if event["type"] == "big_roll" and event["player"] == player["colour"]
        ]
        found.append({**player, **big_roll_luck(rolls).to_json()})
    return found


def _big_rolls_seen(transcript: Json) -> bool:
    return all(sheet["big_rolls_seen"] for sheet in transcript["scores"]["rounds"])


def _graph(game: GameLog, transcript: Json, players: list[Json], says: Speaker) -> Markup:
    ended = {
        event["turn"]: event["t1_s"] for event in transcript["events"] if event["type"] in STEPS
    }
    lines = []
    for player in players:
        seat = player["seat"]
        points: list[tuple[float, int]] = [(0.0, 0)]
        for turn, match in zip(game.game.turns, game.game.matches, strict=True):
            total = match.running_totals[seat]
            at_s = ended.get(turn.id, points[-1][0])
            if total != points[-1][1]:
                points.append((max(at_s, points[-1][0]), total))
        if not _big_rolls_seen(transcript):
            # What was scored before the recording began is not known.
            first = points[1][1] if len(points) > 1 and points[1][0] == 0 else 0
            points = [(at_s, total - first) for at_s, total in points if total >= first]
        lines.append(Line(seat, player["colour"], player["label"], player["letter"], tuple(points)))
    return score_graph(
        lines, transcript["duration_s"], says.t("review.graph"), says.t("review.graph-time")
    )


def _differing(pair: Pair, voice: Voice) -> Json:
    ours = pair.ours or {}
    return {
        "text": differing_words(voice, pair),
        "t0_s": ours.get("t0_s"),
        "clock": clock(ours["t0_s"]).split(".")[0] if "t0_s" in ours else "",
        "before": ours.get("picture_before"),
        "after": ours.get("picture"),
    }
