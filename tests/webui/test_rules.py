"""The rules page: the whole text with its numbers, an address for each, and numbers that can be measured again."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path

import pytest

from engine.options import RULINGS
from engine.simulate import Plan, parse_options, play
from engine.simulation_report import summary
from engine.verdict import RULE_OF
from tests.webui.shelves import pages_app
from webui.catalogue import languages
from webui.measured import measured, summary_of
from webui.rule_book import FOLDER, RULINGS_OF, anchor, numbers, rule_book, rule_link

ROOT = Path(__file__).parent.parent.parent
NUMBERED = re.compile(r"^(\d(?::\d(?:\.[A-Z])?)?)[.:] ", re.MULTILINE)


def page(path: Path, language: str = "en") -> str:
    client = pages_app(path).test_client()
    return client.get("/rules", headers={"Accept-Language": language}).text


def of_the_rules(text: str) -> str:
    body = text.split("A Game of Numerical Dominance", 1)[1]
    return re.split(r"^Get Off My Lawn$", body, maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("language", languages())
def test_every_number_of_the_book_has_an_address_once(tmp_path: Path, language: str) -> None:
    text = of_the_rules((FOLDER / f"rules.{language}.md").read_text("utf-8"))
    found = NUMBERED.findall(text)
    assert len(found) == len(set(found)) == 63
    assert numbers(rule_book(language)) == found
    shown = page(tmp_path, language)
    for number in [*found, *(ruling.number for ruling in RULINGS)]:
        assert shown.count(f'id="{anchor(number)}"') == 1, number
    ids = re.findall(r'\bid="([^"]+)"', shown)
    assert len(ids) == len(set(ids))
    for target in re.findall(r'href="#([^"]+)"', shown):
        assert target in ids


def test_the_page_shows_every_word_of_the_designer(tmp_path: Path) -> None:
    shown = re.sub(r"<[^>]+>", "", page(tmp_path))
    shown = " ".join(html.unescape(shown).split())
    for line in of_the_rules((FOLDER / "rules.en.md").read_text("utf-8")).splitlines():
        words = NUMBERED.sub("", line.strip())
        assert words in shown
    assert "Ronald Van Hook" in shown


def test_every_rule_that_the_program_names_is_in_the_book() -> None:
    known = set(numbers(rule_book("en"))) | {ruling.number for ruling in RULINGS}
    named = set(RULE_OF.values()) | set(RULINGS_OF)
    for path in (ROOT / "engine").glob("*.py"):
        named |= set(re.findall(r"\b\d:\d(?:\.[A-Z])?(?=\W)", path.read_text("utf-8")))
    assert named
    assert named <= known, named - known
    assert {each for rulings in RULINGS_OF.values() for each in rulings} <= known
    assert rule_link("4:3.B") == "/rules#rule-4-3-B"
    assert rule_link("4") == "/rules#rule-4"
    assert rule_link("R4") == "/rules#ruling-R4"


@pytest.mark.parametrize("language", ["xx", "../de", "fr"])
def test_a_language_without_a_translation_reads_the_english_text(language: str) -> None:
    assert rule_book(language) == rule_book("en")


def test_the_numbers_of_the_design_can_be_measured_again() -> None:
    kept = measured()["two-before-roll"]
    words = shlex.split(kept["command"])
    assert words[:2] == ["lawn", "simulate"]
    given = dict(zip(words[2:-1:2], words[3::2], strict=False))
    plan = Plan(
        int(given["--players"]),
        int(given["--matches"]),
        tuple(given["--bots"].split(",")),
        options=parse_options(given["--options"]),
        seed=int(given["--seed"]),
    )
    tally = play(plan, range(plan.matches))
    assert {"command": kept["command"], **summary_of(summary(plan, tally))} == dict(kept)


def test_every_measured_number_is_shown_with_its_command(tmp_path: Path) -> None:
    shown = page(tmp_path)
    for kept in measured().values():
        assert f"<code>{kept['command']}</code>" in shown
    assert f"{100 * measured()['two-greedy']['push_share']:.1f} %" in shown
    assert f"{100 * measured()['two-before-roll']['ends']['deadlock']['share']:.1f} %" in shown
    assert json.loads((FOLDER / "measured.json").read_text("utf-8")) == dict(measured())
