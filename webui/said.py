"""What the engine says, in the language of the page.

The engine speaks English. Its sentences are known here by their patterns, the texts `said.*`: one that fits the English
pattern of a key is said with the key's text in another language, what stands at its placeholders word by word
(colours, places, bonuses). A sentence that is not known stays as it is. static/said.js does the same for the scripts.
"""

from __future__ import annotations

import re
from functools import cache

from webui.catalogue import FIRST, Speaker, catalogue

SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
PLAYERS = frozenset({"who", "owner", "turn", "second", "third"})
"""Placeholders for a colour; every other one may stand for several words."""
ONE_WORD, ANYTHING = r"\w+", ".+?"
_PLACE = re.compile(r"row (\d) (\w+)")
_STEP = re.compile(r"([A-Z]\w+): (.+)")


def said(says: Speaker, text: str) -> str:
    """A text of the engine, of one or more sentences, in the speaker's language."""
    if says.language == FIRST or not text:
        return text
    return " ".join(_sentence(says, each) for each in SENTENCES.split(text))


def _sentence(says: Speaker, sentence: str) -> str:
    known = _by_pattern(says, sentence, False)
    if known is not None:
        return known
    steps = [_STEP.fullmatch(each) for each in sentence.rstrip(".").split("; ")]
    told = []
    for step in steps:  # "Red: place 6 at left flank, pushes blue; ..."
        clauses = step and [_by_pattern(says, each, True) for each in step[2].split(", ")]
        if not step or not clauses or None in clauses:
            return sentence
        told.append(f"{_word(says, step[1])}: {', '.join(filter(None, clauses))}")
    return f"{'; '.join(told)}."


def _by_pattern(says: Speaker, text: str, of_step: bool) -> str | None:
    for pattern, key in _patterns(of_step):
        found = pattern.fullmatch(text)
        if found:
            return says.t(key, **{k: _word(says, v) for k, v in found.groupdict().items()})
    return None


@cache
def _patterns(of_step: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The English patterns with their keys, the one with most words of its own first."""
    found = [
        (text, key)
        for key, text in catalogue(FIRST).items()
        if key.startswith("said.")
        and not key.startswith("said.word-")
        and key.startswith("said.act-") == of_step
    ]
    found.sort(key=lambda each: (-len(re.sub(r"\{\w+\}", "", each[0])), each[1]))
    return tuple((_pattern(text), key) for text, key in found)


def _pattern(text: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def group(name: str) -> str:
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{ONE_WORD if name in PLAYERS else ANYTHING})"

    parts = re.split(r"\{(\w+)\}", text)
    return re.compile(
        "".join(group(part) if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )


def _word(says: Speaker, word: str) -> str:
    place = _PLACE.fullmatch(word)
    if place:
        return says.t("said.word-row", row=place[1], side=_word(says, place[2]))
    for key in (f"said.word-{word}", f"colour.{word.lower()}", f"bonus.{word}"):
        if says.has(key):
            return says.t(key)
    first, listed, last = word.partition(" and ")
    if listed:
        return says.t("said.word-and", first=_word(says, first), last=_word(says, last))
    return ", ".join(_word(says, each) for each in word.split(", ")) if ", " in word else word
