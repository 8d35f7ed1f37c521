"""The engine's sentences in German and with names: every one is known, also those that refuse something."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine import fault_words
from engine.actions import SIDES, Action, BoundaryRoll, Elect, Place, Rolled
from engine.bots import random_bot
from engine.errors import IllegalAction
from engine.match import Match, match_over
from engine.match_log import Entry
from engine.verdict import KINDS
from tests.webui.companions import by_hand, client_of
from tests.webui.shelves import pages_app
from tests.webui.tables import big_rolls, die, reading
from vision import doctor
from vision.flags import WHAT_TO_DO
from vision.frames import Frame
from vision.grid_finder import ASK_ROW_1
from vision.review import EARLY, LATE, MISSED
from vision.review_transcript import CUT_OFF
from vision.scoring import score_reading
from webui import guard as guard_module
from webui import review_page as review_module
from webui import words
from webui.access import TooManyGuesses
from webui.answers import WORDS
from webui.catalogue import Speaker
from webui.heard import told
from webui.no_camera import SAYS
from webui.said import Voice, said

GERMAN = Speaker("de")
HOUSE = Path(__file__).parent.parent.parent
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
    *WHAT_TO_DO.values(),
    words.BUMPED,
    *(words.table_says(lying, *(flags)) for lying in ("moving", "still", "covered")
      for flags in ((True, False, False), (False,), (True, True), (True, False, True))),
    "It cannot be seen what happened; look at the die on the Lawn, row 3 left and say which it is.",
    "It hangs on one die whether all was done by the rules; look at the die off the Lawn and say what it is.",
    "Red: place 6 at left flank, pushes blue; Blue: boundary roll shows 3 4.",
    "Red is taken to claim five of a kind, the best bonus. Blue is taken to have rolled the low edge; both fit.",
    "The table is accepted as it lies; Red is next.",
    "The table is put right; play goes on.",
    EARLY.format("Red is next."),
    LATE.format("Red"),
    MISSED.format(2),
    CUT_OFF.format(file="part2.mp4", missing=13),
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


def refusals() -> list[str]:
    """Every sentence that the program can refuse something with that a page asks for, with samples in its blanks."""
    found: list[str] = []
    for path, names in REFUSALS.items():
        for node in ast.walk(ast.parse((HOUSE / path).read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            found += [text for each in node.args if called in names for text in samples(each)]
    return sorted({text[:1].upper() + text[1:] for text in found if " " in text} - NEVER_ON_A_PAGE)


REFUSALS = {
    "engine/game_desk.py": {"CorrectionError"},
    "engine/game_log.py": {"CorrectionError"},
    "engine/game_turns.py": {"CorrectionError"},
    "engine/game_keeper.py": {"CorrectionError"},
    "engine/corrections.py": {"CorrectionError"},
    "engine/pins.py": {"TableError"},
    "vision/teaching.py": {"TeachingError"},
    "vision/kept_corners.py": {"MatError"},
    "vision/pushed_source.py": {"SourceError"},
    **{
        f"webui/{name}.py": {"abort", "NoMatch", "NoSuchMatch", "MatchGoesOn", "TeachingError", "WrongPin"}
        for name in (
            "guard", "match_api", "match_pictures", "matches_api", "camera_api", "corners_page", "join_page",
            "teach_page", "teacher", "table_page", "review_page", "archive_page", "game_room", "access",
        )
    },
}  # fmt: skip
"""Where refusals are written down, and what they are raised with."""

NEVER_ON_A_PAGE = {
    "3 is no action of this game",  # what cannot be made of the text that pages send
    "3 is no player here",
    "3: there is a match in it already; resume it.",  # a new match always gets a new file
    "An owner is one of 3, not 3.",  # pages send faces and owners from lists
    "A correction is given as a mapping, not 3.",
    "A correction has a faulty field (3).",
    "There is no question whose answer could be assumed.",  # only a review assumes one
}


def samples(node: ast.expr) -> list[str]:
    """What a text or a text with blanks in a program may become: "red" for a player, "3" for all else."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        texts = [
            str(each.value) if isinstance(each, ast.Constant) else sample(ast.unparse(each))
            for each in node.values
        ]
        return ["".join(texts)]
    if isinstance(node, ast.Name) and node.id.isupper():
        return [str(getattr(guard_module, node.id, getattr(review_module, node.id, "")))]
    return []


def sample(code: str) -> str:
    return "red" if code in ("{who}", "{colour}", "{owner}", "{turn}") else "3"


def of_refused_actions() -> list[str]:
    """Why actions are refused: all kinds of actions, tried in the positions of two matches."""
    found: set[str] = set()
    for players, seed in ((2, 1), (3, 2)):
        rng = random.Random(seed)
        match = Match.start(players, threshold=60)
        while not match.is_over:
            here = match.position
            tried: list[Action] = [
                *(Place(face, side) for face in range(1, 7) for side in SIDES),
                *(Rolled((1,) * count) for count in (1, 2, 8)),
                BoundaryRoll("low"),
                Elect("fully matched"),
            ]
            for action in tried:
                reasons = here.why_not(action, "blue")
                if reasons:
                    found.add(str(IllegalAction(str(action), reasons)))
            match = match.apply(here.throw(rng) if here.is_chance else random_bot(here, rng))
        reason = match_over(match)
        found |= {f"{reason}."}
    return sorted(found)


@pytest.mark.parametrize("sentences", [refusals, of_refused_actions])
def test_every_refusal_is_said_in_german(sentences: Callable[[], list[str]]) -> None:
    found = sentences()
    assert len(found) > 30
    for sentence in found:
        german = said(GERMAN, sentence)
        assert german != sentence, sentence
        plain = re.sub(r"'[^']*'|--\S+ \S+", "", german)  # what is typed as it stands there
        assert not ENGLISH.search(plain), (sentence, german)


def test_players_are_called_by_their_names_in_every_language() -> None:
    names = {"red": "Anna", "blue": "Ben", "green": ""}
    english, german = (Voice.of(Speaker(each), names) for each in ("en", "de"))
    fault = "Blue acted, but it is red's turn (3:4.A). Green takes that back; red plays first."
    assert english.said(fault) == (
        "Ben acted, but it is Anna's turn (3:4.A). Green takes that back; Anna plays first."
    )
    assert german.said(fault) == (
        "Ben hat gehandelt, aber Anna ist am Zug (3:4.A). Grün nimmt das zurück; zuerst spielt Anna."
    )
    # Dice are named by their colour, whoever's they are.
    assert (
        english.said("A blue die is pushed off the Lawn.") == "A blue die is pushed off the Lawn."
    )
    assert (
        english.said("The turn order is red, green, blue.") == "The turn order is Anna, green, Ben."
    )
    assert german.said("'place 4 left' is not legal here.") == (
        "„die 4 an die linke Flanke setzen“ ist hier nicht erlaubt."
    )


def test_the_headline_of_every_infringement_says_what_happened_and_names_no_rule() -> None:
    position = Match.start(3).position
    names = {"red": "Team: Red (1).", "blue": "Ben", "green": "Cleo"}
    for kind in KINDS:
        fault = fault_words.said(kind, position, 0, spots=(4,), face=4, owner=1, row=(1, 1, 6))
        for language in ("en", "de"):
            voice = Voice.of(Speaker(language), names)
            whole = voice.said(fault.sentence)
            head = voice.headline(fault.sentence, fault.rule)
            assert whole.startswith(head[:-1])
            assert whole[len(head) - 1 :].startswith((": ", " ("))
            assert voice.without_rule(fault.sentence, fault.rule) == whole.replace(
                f" ({fault.rule})", ""
            )
    # A name with a colon of its own is not taken for the end of what happened (rule 4:3.A).
    wrong = fault_words.said("wrong-row", position, 0, spots=(12,), face=4)
    english, german = (Voice.of(Speaker(each), names) for each in ("en", "de"))
    assert english.headline(wrong.sentence, wrong.rule) == "Team: Red (1). played a 4 on row 5."
    assert german.headline(wrong.sentence, wrong.rule) == (
        "Team: Red (1). hat eine 4 auf Reihe 5 gespielt."
    )


def test_the_state_the_stream_and_refusals_come_in_the_language_of_who_asks(tmp_path: Path) -> None:
    client = client_of(by_hand(tmp_path)[1])
    client.begin()
    client.play("rolled 1 2 3 4 5 6 6 6", "rolled 1 1 2 2 3 3 5 5")
    german = {"Accept-Language": "de"}
    state: Any = client.get("/state", headers=german).json
    assert state["match"]["prompt"]["text"] == "Anna wählt einen Rand und würfelt ihn."
    assert state["match"]["turns"][0]["words"][0].startswith("Großer Wurf")
    assert state["table"]["source"]["says"].startswith("Ohne Kamera")
    assert client.state()["match"]["prompt"]["text"] == "Anna chooses an edge and rolls it."
    with client.client.get("/api/v1/events", headers=german) as stream:
        first: Any = next(part for part in iter(stream.response) if b"data:" in bytes(part))  # type: ignore[arg-type]
        news = json.loads(first.decode().split("data: ")[1])
        assert news["match"]["prompt"]["text"] == "Anna wählt einen Rand und würfelt ihn."
    refused: Any = client.post("/match/actions", {"action": "place 6 left"}, headers=german).json
    assert refused["error"].startswith("Zuerst wählt Anna einen Rand")
    refused = client.post("/match/actions", {"action": "place 6 left"}).json
    assert refused["error"].startswith("Anna must choose an edge")


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
