"""The engine's sentences in German: every one is known, and scripts say them as the server does."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
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
from tests.webui.tables import big_rolls, die, reading
from vision import doctor
from vision.frames import Frame
from vision.grid_finder import ASK_ROW_1
from vision.scoring import score_reading
from webui import words
from webui.access import TooManyGuesses
from webui.answers import WORDS, _in_words
from webui.catalogue import Speaker
from webui.heard import told
from webui.no_camera import SAYS
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


def of_the_camera() -> list[str]:
    """What is said of pictures, of sources, and by the check before a match."""
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), np.uint8)
    light = [np.full((600, 800, 3), level, np.uint8) for level in (3, 50, 130, 255)]
    frames = [
        Frame(noise, time_s, index, "camera 0") for index, time_s in ((0, 0.0), (4, 2.0), (60, 2.5))
    ]
    dice = reading([die(3, "red", (10, 10, 40, 40))])
    checks = [
        *(check for image in light for check in doctor.light_checks([image], 30.0)),
        *(doctor.sharpness_check(cv2.blur(noise, (k, k)), 30.0) for k in (1, 9, 41)),
        *(doctor.dice_check(dice, px) for px in (None, 9.0, 30.0)),
        doctor.dice_check(reading([]), 30.0),
        *doctor.mat_checks(None, noise),
        *doctor.mat_checks(None, noise, ASK_ROW_1),
        *(doctor.camera_check(each, True) for each in (frames[:1], frames[:2], frames)),
    ]
    sources = [
        "USB camera is live.",
        "Camera 2 gives no picture; check its cable. It is tried again all the time.",
        "game.mp4 has ended; this is its last picture.",
        SAYS,
    ]
    seen = {1: "die", 9: "dice"}
    counts = [
        f"{count} red {noun} seen; a Big Roll has 8, so it is not scored."
        for count, noun in seen.items()
    ]
    return sorted({*(check.says for check in checks), *sources, *counts})


@pytest.mark.parametrize("sentences", [of_the_camera, of_faults, of_matches, lambda: OTHERS])
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


STARTS: tuple[dict[str, int], ...] = (
    {},
    {"red": 30},
    {"red": 56, "yellow": 50},
    {"red": 56, "yellow": 50, "blue": 29},
    {"red": 30, "blue": 30, "green": 30},
    {"red": 30, "blue": 20, "green": 20},
)


@pytest.mark.parametrize("scores", STARTS)
def test_who_starts_is_said_in_german(scores: dict[str, int]) -> None:
    faces = {
        56: (4, 4, 4, 4, 4, 5, 5, 6),
        50: (1, 2, 2, 3, 4, 5, 6, 6),
        29: (1, 1, 3, 3, 4, 5, 6, 6),
    }
    faces |= {30: (1, 2, 2, 3, 5, 5, 6, 6), 20: (1, 1, 2, 2, 2, 3, 4, 5)}
    score = score_reading(big_rolls({colour: faces[total] for colour, total in scores.items()}))
    for sentence in words.who_starts(score):
        german = said(GERMAN, sentence)
        assert not ENGLISH.search(german), german
        assert german != sentence
