"""The rule book as chapters, sections and rules, read from its text with its numbers as they stand there.

The text is the designer's (webui/book/rules.en.md, its head says whose); other languages are translations of ours with
the same numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "book"
FIRST = "en"
BEGINS, ENDS = "A Game of Numerical Dominance", "Get Off My Lawn"
"""The lines between which the rules stand; what follows there is a list of headings."""

RULINGS_OF = {
    "2:2": ("R9",),
    "3:2.D": ("R6",),
    "3:4.B": ("R5",),
    "4:3.B": ("R7",),
    "4:3.C": ("R7",),
    "4:3.D": ("R8",),
    "5:1.A": ("R7",),
    "5:2.A": ("R1",),
    "6:1.A": ("R2",),
    "6:2.A": ("R2",),
    "6:2.B": ("R3",),
    "7:1.A": ("R4", "R10"),
}
"""Which of the house's rulings (engine.options.RULINGS) speak of a rule."""

_CHAPTER = re.compile(r"(\d): (.+)")
_SECTION = re.compile(r"(\d:\d)\. (.+)")
_RULE = re.compile(r"(\d:\d\.[A-Z])\. (.+)")
_TITLE = re.compile(r"([^:.]{3,50}): (.+)")


@dataclass
class Rule:
    """One numbered rule. title: the words before its colon, or ""."""

    number: str
    title: str
    text: str

    @property
    def rulings(self) -> tuple[str, ...]:
        return RULINGS_OF.get(self.number, ())


@dataclass
class Section:
    """A section, whose text is a rule of its own when no rules follow ("2:1")."""

    number: str
    title: str
    text: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)

    @property
    def rulings(self) -> tuple[str, ...]:
        return RULINGS_OF.get(self.number, ())


@dataclass
class Chapter:
    number: str
    title: str
    text: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)


def anchor(number: str) -> str:
    """Where a rule or ruling stands on the page: "4:3.B" at rule-4-3-B, "R4" at ruling-R4."""
    if number.startswith("R"):
        return f"ruling-{number}"
    return f"rule-{re.sub('[:.]', '-', number)}"


def rule_link(number: str) -> str:
    """The address of a rule or ruling on the rules page."""
    return f"/rules#{anchor(number)}"


@cache
def rule_book(language: str) -> tuple[Chapter, ...]:
    """The chapters in that language, or in English where there is no translation."""
    path = FOLDER / f"rules.{language}.md"
    if not re.fullmatch("[a-z]{2}", language) or not path.is_file():
        path = FOLDER / f"rules.{FIRST}.md"
    return parsed(path.read_text(encoding="utf-8"))


def parsed(text: str) -> tuple[Chapter, ...]:
    """The chapters of a rule book's text."""
    chapters: list[Chapter] = []
    for line in _of_the_rules(text):
        if found := _RULE.fullmatch(line):
            title, words = _titled(found[2])
            chapters[-1].sections[-1].rules.append(Rule(found[1], title, words))
        elif found := _SECTION.fullmatch(line):
            chapters[-1].sections.append(Section(found[1], found[2]))
        elif found := _CHAPTER.fullmatch(line):
            chapters.append(Chapter(found[1], found[2]))
        elif chapters[-1].sections:
            chapters[-1].sections[-1].text.append(line)
        else:
            chapters[-1].text.append(line)
    for chapter in chapters:
        for section in chapter.sections:
            if not section.rules and not section.text:
                section.title, section.text = "", [section.title]
    return tuple(chapters)


def _of_the_rules(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    lines = lines[lines.index(BEGINS) + 1 :]
    return [line for line in lines[: lines.index(ENDS)] if line]


def _titled(text: str) -> tuple[str, str]:
    found = _TITLE.fullmatch(text)
    return (found[1], found[2]) if found else ("", text)


def numbers(chapters: tuple[Chapter, ...]) -> list[str]:
    """Every number in the book, in its order."""
    found = []
    for chapter in chapters:
        found.append(chapter.number)
        for section in chapter.sections:
            found.append(section.number)
            found += [rule.number for rule in section.rules]
    return found
