"""Every text that is shown comes from the catalogue, and every language has all of them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask, render_template_string
from markupsafe import Markup

from webui.catalogue import FIRST, FOLDER, Speaker, catalogue, languages, placeholders, speak

WEBUI = FOLDER.parent
TEMPLATES = sorted((WEBUI / "templates").rglob("*.html"))
OTHERS = [each for each in languages() if each != FIRST]
SHOWN = {"alt", "aria-label", "title", "placeholder", "aria-description", "aria-roledescription"}
# What is the same in every language: the game's name, the licence's, and marks.
NAMES = re.compile(r"Get Off My Lawn|AGPL-3\.0-or-later|JSON|CSV|PDF|χ²")
NOT_YET: set[str] = set()


def test_english_and_a_second_language_are_there() -> None:
    assert languages()[0] == FIRST
    assert "de" in languages()
    with pytest.raises(KeyError):
        catalogue("../en")


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_texts_with_the_same_placeholders(language: str) -> None:
    english, other = catalogue(FIRST), catalogue(language)
    assert sorted(other) == sorted(english)
    for key, text in english.items():
        assert placeholders(other[key]) == placeholders(text), key
        assert other[key].strip() == other[key], key
        assert other[key], key


@pytest.mark.parametrize("language", languages())
def test_texts_lie_sorted_in_the_file_that_their_key_names(language: str) -> None:
    for path in sorted((FOLDER / language).glob("*.json")):
        pairs = json.loads(path.read_text("utf-8"), object_pairs_hook=list)
        keys = [key for key, _ in pairs]
        assert keys == sorted(set(keys)), path
        assert {key.split(".")[0] for key in keys} == {path.stem}, path


def test_every_key_that_a_template_or_script_names_is_there() -> None:
    english = catalogue(FIRST)
    paths = [*TEMPLATES, *(WEBUI / "static").glob("*.js")]
    for path in paths:  # a key that depends on something is put together, and not looked for here
        for key in re.findall(r"""\bt\(["']([\w.-][\w. -]*)["']\s*[,)]""", path.read_text("utf-8")):
            assert key in english or f"{key}.other" in english, f"{path.name}: {key}"


class Words(HTMLParser):
    """Gathers what of a template would be read, after Jinja's parts are cut out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in {"script", "style", "code"}
        self.found += [value for name, value in attrs if name in SHOWN and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in {"script", "style", "code"}

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.append(data)


def bare_words(template: str) -> list[str]:
    words = Words()
    words.feed(re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", template, flags=re.DOTALL))
    said = [NAMES.sub("", text).strip() for text in words.found]
    return [text for text in said if re.search(r"[^\W\d_]{2}", text)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_holds_words_of_one_language(path: Path) -> None:
    assert bare_words(path.read_text("utf-8")) == []


SENTENCE = re.compile(r"""(["'`])([A-Z][a-z]+ [a-z]+\b.*?)\1""")


@pytest.mark.parametrize(
    "path", sorted((WEBUI / "static").glob("*.js")), ids=lambda path: path.name
)
def test_no_script_holds_sentences_of_one_language(path: Path) -> None:
    code = re.sub(r"(^|\s)//.*", "", path.read_text("utf-8"))
    assert [found[2] for found in SENTENCE.finditer(code) if not NAMES.search(found[2])] == []


def test_bare_words_are_found_where_there_are_some() -> None:
    assert bare_words('<p title="{{ t(1) }}">{{ t("a.b") }} · {% if x %}7{% endif %}</p>') == []
    assert bare_words('<p title="Hello">{{ t("a.b") }}, please</p>') == ["Hello", ", please"]


def test_a_text_that_depends_on_a_number_and_one_with_markup() -> None:
    app = Flask(__name__)
    speak(app)
    with app.test_request_context(headers={"Accept-Language": "fr, de;q=0.9, en;q=0.8"}):
        assert render_template_string("{{ language }} {{ t('frame.theme-dark') }}") == "de Dunkel"
        assert render_template_string("{{ number(-12345.678, 1) }}") == "−12\u202f345,7"
    with app.test_request_context(
        headers={"Accept-Language": "de", "Cookie": "lawn-language=en; lawn-theme=dark"}
    ):
        assert render_template_string("{{ language }} {{ theme }}") == "en dark"
    with app.test_request_context(headers={"Cookie": "lawn-language=../x; lawn-theme=<"}):
        assert render_template_string("{{ language }} {{ theme }}") == "en auto"
    text = Speaker("en").t("frame.error", status=Markup("<b>{}</b>").format("<5>"))
    assert text == "Error <b>&lt;5&gt;</b>"


def colours_of(block: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_light_and_dark_tokens_are_legible_and_the_switch_paints_as_the_system_does() -> None:
    css = (WEBUI / "static" / "tokens.css").read_text("utf-8")
    blocks = [colours_of(block) for block in re.findall(r"\{([^{}]*)\}", css)]
    light, by_system, by_choice = [block for block in blocks if "--ink" in block]
    assert by_system == by_choice
    assert by_system.keys() <= light.keys()
    for colours in (light, by_system):
        for ground in ("--ground", "--card", "--tint"):
            for ink in ("--ink", "--soft", "--lawn", "--good", "--bad"):
                assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        for ink, ground in (("--lawn-ink", "--lawn"), ("--banner-ink", "--banner")):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        assert contrast(colours["--alarm-ink"], colours["--alarm"]) >= 4.5
        for edge in ("--edge", "--chart-1", "--chart-2", "--chart-3"):
            for ground in ("--ground", "--card"):
                assert contrast(colours[edge], colours[ground]) >= 3, (edge, ground)


def test_german_has_one_word_for_each_thing_of_the_game() -> None:
    for key, text in catalogue("de").items():
        for other in ("Big Roll", "Erober", "erober", "Auswertung"):
            assert other not in text, f"{key} says {other}"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "keys",
    [
        ("live.lead", "scoreboard.lead", "archive.sheet-lead"),
        ("live.base", "review.base", "archive.sheet-base", "game.base"),
        ("live.captured", "scoreboard.captured", "archive.sheet-captured", "review.captured"),
        ("live.control", "scoreboard.control", "archive.sheet-lawn", "review.lawn"),
        ("live.control", "statistics.col-lawn", "game.lawn"),
        ("live.sum", "archive.sheet-total", "review.total", "game.total"),
        ("live.to-go.other", "scoreboard.to-go.other"),
        ("live.by-person", "archive.by-hand", "review.by-person"),
        ("live.infringement", "review.kind-infringement"),
        ("live.unsure", "review.kind-unsure"),
        ("live.desync", "review.kind-out_of_step"),
        ("live.no-match", "scoreboard.none"),
        ("live.title", "home.door-live"),
        ("live.corners", "corners.title"),
        ("live.join", "join.send"),
        ("join.title", "settings.join"),
        ("archive.get-record", "review.get-record"),
        ("live.switch-speech", "settings.speech"),
        ("new.lost", "scoreboard.lost"),
    ],
    ids="-".join,
)
def test_one_thing_has_one_name_on_all_pages(language: str, keys: tuple[str, ...]) -> None:
    assert len({catalogue(language)[key].casefold() for key in keys}) == 1
