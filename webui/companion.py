"""What stands beside the board, as one thing: the live table, the match being played, and the camera."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from engine.game_steps import Started
from vision.feed import Eyes as SessionEyes
from vision.frames import Source, SourceStatus
from vision.owners import players
from webui.access import Access
from webui.camera_choice import Chosen, Opener
from webui.catalogue import FIRST
from webui.eyes import Eyes
from webui.eyes_maker import EyesMaker
from webui.game_room import GameRoom, Shown
from webui.live import LiveTable, TableState
from webui.match_feed import MatchFeed

CLOSE_S = 1.5
"""How long a camera may take to be closed when the program ends."""


class Companion:
    """Holds the parts together, and tells every open page when something is new.

    chosen: the camera that the table looks at now. opener: opens others. make: makes eyes for them.
    colours: of the players whose dice lie there while no match is being played, () for unknown.
    Callable from any thread; what it holds is started and closed by whoever made it, but for cameras
    that are chosen later.
    """

    def __init__(
        self,
        table: LiveTable,
        room: GameRoom,
        access: Access,
        chosen: Chosen,
        opener: Opener,
        make: EyesMaker,
        colours: tuple[str, ...] = (),
    ) -> None:
        self.table, self.room, self.access, self.opener = table, room, access, opener
        self.chosen = chosen
        self.viewers = 0
        """How many pages follow the stream now."""
        self._make, self._colours = make, colours
        self._count = 0
        self._changed = threading.Condition()
        self._switching = threading.RLock()
        table.news = self._news
        table.camera_lost = self._camera_lost
        room.news = self._news

    # --- the match ------------------------------------------------------------------------

    def begin(self, started: Started, spec: str | None = None) -> str:
        """Begin a match before the camera, or before another one; its id.

        Raises as GameRoom.begin, OwnerError for colours that no dice have, and as `choose`.
        """
        players(started.colours)
        with self._switching:
            if spec is not None and spec != self.chosen.spec and not self.room.is_playing:
                self.choose(spec)
            eyes = _Made(self)
            name = self.room.begin(started, eyes)
            eyes.use()
            return name

    def resume(self, name: str) -> str:
        """Go on with a match before the camera. Raises as GameRoom.resume."""
        with self._switching:
            eyes = _Made(self)
            self.room.resume(name, eyes)
            eyes.use()
            if not eyes.made:  # a damaged file, whose players are known only now that it is mended
                self._use(self.chosen)
            return name

    def leave(self) -> None:
        """Put the match away."""
        with self._switching:
            if not self.room.is_playing:
                return
            self.room.leave()
            eyes, _ = self.make_eyes(self.chosen.source, self._colours)
            self.table.switch(self.chosen.source, eyes)

    def _camera_lost(self, status: SourceStatus) -> None:
        if self.room.is_playing:
            self.room.session.camera_status(status)

    def close(self) -> None:
        """Let go of match and camera; the table is stopped by whoever made it."""
        with self._switching:
            self.room.leave()
            self.chosen.close(CLOSE_S)

    # --- the camera -----------------------------------------------------------------------

    def choose(self, spec: str) -> None:
        """Use another camera from now on. Raises SourceError or ValueError, and nothing has changed."""
        with self._switching:
            self._use(self.opener.open(spec))

    def _use(self, chosen: Chosen) -> None:
        before = self.chosen
        playing = self.room.is_playing
        colours = self.room.session.log.game.match.colours if playing else self._colours
        try:
            eyes, feed = self.make_eyes(chosen.source, colours)
        except ValueError:
            chosen.close()
            raise
        self.chosen = chosen
        if playing:
            if feed is not None:
                feed.session = self.room.session
            name = chosen.source.name
            self.room.look_with(feed, f"The match is now followed by {name}.")
        self.table.switch(chosen.source, eyes, _nothing if before is chosen else before.close)
        self._news()

    def make_eyes(self, source: Source, colours: tuple[str, ...]) -> tuple[Eyes, MatchFeed | None]:
        """Eyes for a source, and what feeds a match from them; nothing does without a camera."""
        eyes, feed = self._make(source, colours)
        return eyes, None if source.kind == "none" else feed

    # --- what is shown --------------------------------------------------------------------

    def _news(self) -> None:
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    @property
    def count(self) -> int:
        """Counts up with everything that is new."""
        with self._changed:
            return self._count

    def wait(self, count: int, timeout_s: float) -> int:
        """The count once it is another one, or after `timeout_s`."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._count != count or self.table.stopped, timeout=timeout_s
            )
            return self._count

    def now(self, you: Mapping[str, Any], language: str = FIRST) -> Now:
        """Everything that a page of that language shows, but for `you`; what of the camera depends on who that is."""
        camera = json.dumps(self.chosen.to_json(you))
        return Now(self.table.state, self.room.shown, self.room.offers(), camera, language)


class Now:
    """What pages of one language show at one moment, in pieces of JSON that are made once for all of them."""

    def __init__(
        self, table: TableState, match: Shown, offer: str, camera: str, language: str
    ) -> None:
        self.table = table.said(language)
        """The table, entry by entry."""
        self.version = f"{table.version}.{match.version}.{_mark(offer, camera)}"
        self.parts: Mapping[str, str] = {
            "match": match.text(language),
            "offer": offer,
            "camera": camera,
        }

    def text(self, you: Mapping[str, Any]) -> str:
        """The whole as one JSON object, for a page of which `you` is said."""
        parts = {
            "version": json.dumps(self.version),
            "table": joined(self.table),
            **self.parts,
            "you": json.dumps(you),
        }
        return joined(parts)


def joined(parts: Mapping[str, str]) -> str:
    """A JSON object of entries that are JSON already."""
    return "{" + ", ".join(f'"{name}": {part}' for name, part in parts.items()) + "}"


def _nothing() -> None:
    return


def _mark(*texts: str) -> int:
    """A short number that changes with the texts, within one run of the program."""
    return hash(texts) & 0xFFFFFFFF


class _Made:
    """The eyes for a match, made when its colours are known and used once it has begun."""

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._eyes: Eyes | None = None
        self._feed: MatchFeed | None = None

    def __call__(self, colours: tuple[str, ...]) -> SessionEyes | None:
        companion = self._companion
        self._eyes, self._feed = companion.make_eyes(companion.chosen.source, colours)
        return self._feed

    @property
    def made(self) -> bool:
        return self._eyes is not None

    def use(self) -> None:
        companion = self._companion
        if self._eyes is None:
            return
        if self._feed is not None:
            self._feed.session = companion.room.session
        companion.table.switch(companion.chosen.source, self._eyes)
