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


def turn_words(voice: Voice, line: str, colour: str) -> tuple[str, ...]:
    """The clauses of a record's line of that colour's player; what is no clause stays as it is."""
    clauses = line.removeprefix(f"{colour} ").split(", ")
    return tuple(_said(voice, clause) for clause in clauses)


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
