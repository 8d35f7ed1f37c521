"""Turns of the record in words of the page's language."""

from __future__ import annotations

import re

from webui.said import Voice

_CLAUSE = re.compile(
    r"(?P<edge>low|high) (?P<set>\d+)(?: -> (?P<to>\d+))?"
    r"|grind -> (?P<grind>\d+)"
    r"|place (?P<place>\d) (?P<side>left|center|right)"
    r"|capture (?P<capture>\d)"
    r"|lock (?P<lock>\d)"
    r"|push (?P<push>\w+)(?: -> (?P<pushed_to>\d))?"
    r"|big roll (?P<big_roll>\d+)"
    r"|tie-break (?P<tie_break>\d+)"
    r"|(?:bonus|claims) (?P<bonus>.+)"
    r"|score (?P<score>\d+)"
    r"|(?P<lost>lost turn)"
)


_ACTION = re.compile(r"\w+: (?P<verb>boundary|rolled|place|claim) (?P<rest>.+)")


def turn_words(voice: Voice, line: str, colour: str) -> tuple[str, ...]:
    """The clauses of a record's line of that colour's player; what is no clause stays as it is.

    A turn that the rules do not allow has no line: it is told by its actions ("red: boundary low, red: rolled 3").
    """
    clauses = line.removeprefix(f"{colour} ").split(", ")
    actions = [_ACTION.fullmatch(clause) for clause in line.split(", ")]
    if all(actions):
        return _done(voice, [(each["verb"], each["rest"]) for each in actions if each])
    return tuple(_said(voice, clause) for clause in clauses)


def _done(voice: Voice, actions: list[tuple[str, str]]) -> tuple[str, ...]:
    """Actions that were done, as clauses."""
    t, words, edge, placed = voice.says.t, [], "", False
    for verb, rest in actions:
        faces = rest.replace(" ", "")
        if verb == "boundary":
            edge = rest
        elif verb == "claim":
            words.append(voice.word(rest))
        elif verb == "place":
            face, _, side = rest.partition(" ")
            words.append(t(f"live.past-{side}", face=face))
            placed = True
        elif edge:
            words.append(t(f"live.past-{edge}", **{"from": "…"}, to=faces))
            edge = ""
        elif placed:
            words.append(f"→ {faces}")
        else:
            words.append(
                t(
                    "live.past-big-roll" if len(faces) == 8 else "live.past-grind",
                    faces=faces,
                    to=faces,
                )
            )
    if edge:
        words.append(t(f"live.past-{edge}", **{"from": "…"}, to="…"))
    return tuple(words)


def _said(voice: Voice, clause: str) -> str:
    says = voice.says
    found = _CLAUSE.fullmatch(clause)
    if found is None:
        return clause
    if found["edge"]:
        return says.t(f"live.past-{found['edge']}", **{"from": found["set"]}, to=found["to"] or "…")
    if found["place"]:
        return says.t(f"live.past-{found['side']}", face=found["place"])
    if found["push"]:
        return says.t(
            "live.past-push",
            name=voice.word(found["push"], named=True),
            to=found["pushed_to"] or "…",
        )
    if found["bonus"]:
        key = f"bonus.{found['bonus']}"
        return says.t(key) if says.has(key) else clause
    if found["grind"]:
        return says.t("live.past-grind", to=found["grind"])
    for group, key, value in (
        ("capture", "live.past-capture", "face"),
        ("lock", "live.past-lock", "face"),
        ("big_roll", "live.past-big-roll", "faces"),
        ("tie_break", "live.past-tie-break", "faces"),
        ("score", "live.past-score", "points"),
    ):
        if found[group]:
            return says.t(key, **{value: found[group]})
    return says.t("live.past-lost")
