"""What the engine and the camera say, in the language of the page and with the players' names.

They speak English and call players by their colours. Their sentences are known here by their patterns, the texts
`said.*`: one that fits the English pattern of a key is said with the key's text in the language, what stands at its
placeholders word by word (colours or names, places, bonuses). A sentence that is not known stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from webui.action_words import action_words
from webui.catalogue import FIRST, Speaker, catalogue

SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z'])")
PLAYERS = frozenset({"who", "owner", "turn", "second", "third"})
"""Placeholders for a player, said by name where there is one."""
LISTS = frozenset({"colours", "names"})
"""Placeholders for several players."""
ONE_WORD, ANYTHING = r"\w+", ".+?"
ACTION = "action"
"""The placeholder for an action in the record's notation, which is said in words."""
COLOUR = "colour"
"""The placeholder for the colour of dice, which no name takes the place of."""
_PLACE = re.compile(r"row (\d) (\w+)")
_STEP = re.compile(r"([A-Z]\w+): (.+)")
_COLON = "\ue000"
"""Stands for a colon of a player's name while a sentence is parted at its own."""
_RULE = re.compile(r"(.+) \(rule ([\w:.]+)\)\.")


@dataclass(frozen=True)
class Voice:
    """Says sentences of the engine in one language. names: of players, by their colours, set apart."""

    says: Speaker
    names: tuple[tuple[str, str], ...] = field(default=())

    @classmethod
    def of(cls, says: Speaker, names: Mapping[str, str]) -> Voice:
        """A voice that calls players by these names, where there are any."""
        return cls(says, tuple((colour, set_apart(name)) for colour, name in names.items() if name))

    def said(self, text: str) -> str:
        """A text of the engine, of one or more sentences, as this voice says it."""
        return " ".join(_sentence(self, each) for each in SENTENCES.split(text))

    def headline(self, text: str, rule: str) -> str:
        """What happened, of the sentence of an infringement: not why that is none of the rules, nor the rule."""
        quiet = tuple((colour, name.replace(":", _COLON)) for colour, name in self.names)
        head = replace(self, names=quiet).without_rule(text, rule).removesuffix(".")
        return head.partition(": ")[0].replace(_COLON, ":") + "."

    def without_rule(self, text: str, rule: str) -> str:
        """The sentence of an infringement where the rule is named beside it, as a link."""
        return self.said(text).removesuffix(f" ({rule}).").removesuffix(".") + "."

    def colour(self, colour: str, capital: bool = False) -> str:
        """The word for a colour of dice; one that there is none for stays as it is."""
        key = f"colour.{colour}"
        word = self.says.t(key) if self.says.has(key) else colour
        return word[:1].upper() + word[1:] if capital else word

    def die(self, text: str) -> str:
        """What lies somewhere: "blue 4", or "nothing"."""
        if text == "nothing":
            return self.says.t("live.nothing")
        colour, _, rest = text.partition(" ")
        return f"{self.colour(colour)} {rest}".rstrip()

    def listed(self, words: list[str]) -> str:
        """Several words with an "and" before the last."""
        if len(words) < 2:
            return "".join(words)
        return self.says.t("said.word-and", first=", ".join(words[:-1]), last=words[-1])

    def word(self, word: str, named: bool = False) -> str:
        """What stands at a placeholder. named: whether a colour there means a player."""
        name = dict(self.names).get(word.lower()) if named else None
        if name is not None:
            return name
        place = _PLACE.fullmatch(word)
        if place:
            return self.says.t("said.word-row", row=place[1], side=self.word(place[2]))
        if self.says.language != FIRST:
            for key in (f"said.word-{word}", f"colour.{word.lower()}", f"bonus.{word}"):
                if self.says.has(key):
                    return self.says.t(key)
        for between, key in ((" and ", "said.word-and"), (" or ", "said.word-or")):
            first, listed, last = word.partition(between)
            if listed:
                return self.says.t(key, first=self.word(first, named), last=self.word(last, named))
        return (
            ", ".join(self.word(each, named) for each in word.split(", ")) if ", " in word else word
        )


def set_apart(name: str) -> str:
    """A name as it stands in a sentence: one that is written from right to left does not turn what is around it."""
    turns = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\u2068{name}\u2069" if turns else name


def said(says: Speaker, text: str) -> str:
    """A text of the engine in the speaker's language, players by their colours."""
    return Voice(says).said(text)


@lru_cache(maxsize=4096)
def _sentence(voice: Voice, sentence: str) -> str:
    ruled = _RULE.fullmatch(sentence)
    reason = ruled and _by_pattern(voice, ruled[1], False)
    if ruled and reason:  # why something is refused, with its rule
        return f"{reason} {voice.says.t('said.rule', rule=ruled[2])}"
    capital = sentence[:1].upper() + sentence[1:]
    for text, end in ((sentence, ""), (capital, ""), (capital.removesuffix("."), ".")):
        known = _by_pattern(voice, text, False)
        if known is not None:
            return known + end
    steps = [_STEP.fullmatch(each) for each in sentence.rstrip(".").split("; ")]
    told = []
    for step in steps:  # "Red: place 6 at left flank, pushes blue; ..."
        clauses = step and [_by_pattern(voice, each, True) for each in step[2].split(", ")]
        if not step or not clauses or None in clauses:
            return sentence
        told.append(f"{voice.word(step[1], named=True)}: {', '.join(filter(None, clauses))}")
    return f"{'; '.join(told)}."


def _by_pattern(voice: Voice, text: str, of_step: bool) -> str | None:
    for pattern, key in _patterns(of_step):
        found = pattern.fullmatch(text)
        if found:
            words = {
                name: action_words(voice.says, word)
                if name == ACTION
                else voice.word(word, name in PLAYERS or name in LISTS)
                for name, word in found.groupdict().items()
            }
            return voice.says.t(key, **words)
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
        return f"(?P<{name}>{ONE_WORD if name in PLAYERS or name == COLOUR else ANYTHING})"

    parts = re.split(r"\{(\w+)\}", text)
    return re.compile(
        "".join(group(part) if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )
