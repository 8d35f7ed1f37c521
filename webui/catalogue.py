"""Every text that the pages show, in every language: one folder of JSON files each below webui/texts.

A key begins with the name of its file: `frame.home` is in texts/<language>/frame.json. A text holds placeholders like
`{name}`; one that depends on a number has two keys, `key.one` and `key.other`, and is asked for as `key` with `count`.
A further language is a further folder with the same files, keys and placeholders; nothing else has to know of it.

In templates: `t("frame.home")`, `number(1.5, 1)`, `moment(seconds)`, `day(seconds)`, and in scripts
`import { t } from "./texts.js"`, with the keys that the page names in its block `texts`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from flask import Flask, has_request_context, request
from markupsafe import Markup, escape

FOLDER = Path(__file__).parent / "texts"
FIRST = "en"
"""The language of a browser that asks for none of ours."""
LANGUAGE_COOKIE = "lawn-language"
THEME_COOKIE = "lawn-theme"
THEMES = ("auto", "light", "dark")

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_THIN_SPACE = "\u202f"


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are texts for, English first."""
    found = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
    return tuple(sorted(found, key=lambda language: language != FIRST))


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of one language by key. Raises KeyError for a language that there is none of."""
    if language not in languages():
        raise KeyError(language)
    texts: dict[str, str] = {}
    for path in sorted((FOLDER / language).glob("*.json")):
        texts.update(json.loads(path.read_text(encoding="utf-8")))
    return MappingProxyType(texts)


def placeholders(text: str) -> frozenset[str]:
    return frozenset(_PLACEHOLDER.findall(text))


@dataclass(frozen=True)
class Speaker:
    """Says texts, numbers and times in one language."""

    language: str

    def t(self, key: str, **values: Any) -> str:
        """The text of a key with its placeholders filled in.

        With `count` the key's `.one` or `.other` is taken where the key alone has no text. If a value is Markup, so is
        the answer, and everything else in it is escaped. Raises KeyError for a key or a placeholder that is missing.
        """
        texts = catalogue(self.language)
        if key not in texts and "count" in values:
            key += ".one" if values["count"] == 1 else ".other"
        text = texts[key]
        if any(hasattr(value, "__html__") for value in values.values()):
            return Markup(_PLACEHOLDER.sub(lambda m: str(escape(values[m[1]])), str(escape(text))))
        return _PLACEHOLDER.sub(lambda m: str(values[m[1]]), text)

    def has(self, key: str) -> bool:
        return key in catalogue(self.language)

    def number(self, value: float, digits: int = 0) -> str:
        """A number with so many decimals, thousands set apart from 10 000 on, a true minus sign."""
        text = f"{abs(value):,.{digits}f}"
        whole, _, part = text.partition(".")
        whole = whole.replace(",", _THIN_SPACE if abs(value) >= 10_000 else "")
        sign = "\u2212" if value < 0 and text.strip("0.,") else ""
        return f"{sign}{whole}{self.t('frame.decimal') + part if part else ''}"

    def day(self, seconds: float) -> str:
        """A day of this machine's calendar, from s since 1970."""
        at = datetime.fromtimestamp(seconds)
        return self.t(
            "frame.date", day=at.day, month=self.t(f"frame.month-{at.month}"), year=at.year
        )

    def moment(self, seconds: float) -> str:
        """A day and the time of day, from s since 1970."""
        at = datetime.fromtimestamp(seconds)
        return f"{self.day(seconds)}, {at:%H:%M}"

    def for_scripts(self, *prefixes: str) -> Mapping[str, str]:
        """What texts.js reads: all texts whose key is one of these or goes on from it with . or -."""

        def wanted(key: str) -> bool:
            return any(key == each or key.startswith((f"{each}.", f"{each}-")) for each in prefixes)

        return {key: text for key, text in catalogue(self.language).items() if wanted(key)}


def speaker() -> Speaker:
    """Who speaks the language of the request at hand: chosen on the page, else the browser's own."""
    if not has_request_context():
        return Speaker(FIRST)
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen not in languages():
        chosen = request.accept_languages.best_match(languages(), default=FIRST)
    return Speaker(chosen)


def theme() -> str:
    """How the request's browser wants its pages: one of THEMES."""
    chosen = request.cookies.get(THEME_COOKIE, "") if has_request_context() else ""
    return chosen if chosen in THEMES else "auto"


def speak(app: Flask) -> None:
    """Give an application's templates their words."""

    @app.context_processor
    def words() -> dict[str, Any]:
        says = speaker()
        return {
            "t": says.t,
            "number": says.number,
            "day": says.day,
            "moment": says.moment,
            "script_texts": says.for_scripts,
            "language": says.language,
            "languages": {each: Speaker(each).t("frame.language") for each in languages()},
            "theme": theme(),
        }

    app.jinja_env.filters["capital"] = lambda text: text[:1].upper() + text[1:]
