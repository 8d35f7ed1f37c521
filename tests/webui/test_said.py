"""The engine's sentences in German: every one is known, and scripts say them as the server does."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from selenium import webdriver

from engine import fault_words
from engine.actions import BoundaryRoll
from engine.bots import random_bot
from engine.match import Match
from engine.match_log import Entry
from engine.verdict import KINDS
from tests.webui.companions import by_hand
from tests.webui.conftest import console
from tests.webui.pages import soon
from tests.webui.shelves import pages_app
from webui import words
from webui.access import TooManyGuesses
from webui.answers import WORDS, _in_words
from webui.catalogue import Speaker
from webui.heard import told
from webui.said import said
from webui.server import TableServer

GERMAN = Speaker("de")
ENGLISH = re.compile(
    r"\b(the|of|row|at|is|with|its|turn|rolls?|places?|die[^ ]s|flank|lost|pushes|captures|center|"
    r"red|blue|green|white|none|own|low|high|left|right|straight|kind|matched)\b",
)


def of_faults() -> list[str]:
    """Every infringement and its mend, about the Lawn, a row, and captured dice."""
    position = Match.start(3, threshold=60).position
    found = []
    for kind in KINDS:
        for spots, seat in (((16, 3), 0), ((), 1), ((1,), 2)):
            verdict = fault_words.said(
                kind, position, seat, spots=spots, face=4, owner=1, row=(1, 1, 6) if seat else ()
            )
            found += [verdict.sentence, verdict.mend]
    return found


def of_matches() -> list[str]:
    """What is heard of two matches, and their actions as the guesses of a doubt name them."""
    found = []
    for players, seed in ((2, 1), (3, 2)):
        rng = random.Random(seed)
        match = Match.start(players, threshold=60)
        while not match.is_over:
            here = match.position
            action = here.throw(rng) if here.is_chance else random_bot(here, rng)
            by = here.turn_colour or ""
            found += told(match, (Entry(action, by),))
            if not isinstance(action, BoundaryRoll):
                found.append(f"{by.capitalize()}: {here.name(action)}.")
            match = match.apply(action)
    return sorted(set(found))


OTHERS = [
    words.MAT_LOST,
    words.BUMPED,
    *(words.table_says(lying, *(flags)) for lying in ("moving", "still", "covered")
      for flags in ((True, False, False), (False,), (True, True), (True, False, True))),
    "It cannot be seen what happened; look at the die on the Lawn, row 3 left and say which it is.",
    "Red: place 6 at left flank, pushes blue; Blue: boundary roll shows 3 4.",
    "Red is taken to claim five of a kind, the best bonus. Blue is taken to have rolled the low edge; both fit.",
    "The table is accepted as it lies; Red is next.",
    "The table is put right; play goes on.",
]  # fmt: skip


@pytest.mark.parametrize("sentences", [of_faults, of_matches, lambda: OTHERS])
def test_every_sentence_is_said_in_german_without_an_english_word(
    sentences: Callable[[], list[str]],
) -> None:
    for sentence in sentences():
        german = said(GERMAN, sentence)
        assert german != sentence, sentence
        assert not ENGLISH.search(german), (sentence, german)
        assert "{" not in german
        numbers = re.findall(r"\d", sentence)
        assert sorted(re.findall(r"\d", german)) == sorted(numbers), (sentence, german)


def test_refusals_are_said_in_german_on_pages(tmp_path: Path) -> None:
    client = pages_app(tmp_path).test_client()
    client.application.register_error_handler(404, _in_words)
    page = client.get("/nowhere", headers={"Accept-Language": "de"}).text
    assert "Diese Seite gibt es hier nicht." in page
    page = client.get("/match/nothing", headers={"Accept-Language": "de"}).text
    assert "Diese Partie gibt es im Archiv nicht." in page
    for sentence in WORDS.values():
        assert said(GERMAN, sentence) != sentence
    assert said(GERMAN, str(TooManyGuesses(30))).endswith("in 30 Sekunden wieder.")


def test_english_and_what_is_not_known_stay_as_they_are() -> None:
    known = "Blue is blocked and loses the turn."
    assert said(Speaker("en"), known) == known
    assert said(GERMAN, f"{known} The cat is on the lawn.") == (
        "Blau ist blockiert und verliert den Zug. The cat is on the lawn."
    )
    assert said(GERMAN, "") == ""


def test_scripts_say_it_as_the_server_does(
    page: webdriver.Chrome, tmp_path: Path, serve_table: Callable[..., TableServer]
) -> None:
    address = serve_table(by_hand(tmp_path)[1]).address
    sentences = [*of_faults(), *of_matches()[::7], *OTHERS, "The cat is on the lawn."]
    script = (
        "const [list, done] = arguments;"
        "import('/static/texts.js').then(({ said }) => done(list.map(said)), (e) => done([String(e)]));"
    )
    page.get(f"{address}source")
    page.add_cookie({"name": "lawn-language", "value": "de"})
    page.get(f"{address}scoreboard")
    soon(page, lambda: page.execute_script("return document.readyState") == "complete")
    assert page.execute_async_script(script, sentences) == [said(GERMAN, s) for s in sentences]
    page.delete_all_cookies()
    page.get(f"{address}scoreboard")
    assert page.execute_async_script(script, sentences) == sentences
    assert not [line for line in console(page) if "favicon" not in line]
