"""What the page teaches the reader: lessons looked at one by one, then learned and kept for a table."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vision.draw import Mark as DrawnMark
from vision.draw import draw_marks
from vision.find import DiceFinder
from vision.reader import TableReader
from vision.tables_kept import KeptTable, check_name, forget, keep, kept, recall
from vision.teaching import Lesson, Mark, TeachingError, look, teach
from webui.jpegs import jpeg_of

Doing = Literal["showing", "learning"]

log = logging.getLogger(__name__)


class Teacher:
    """Holds the lessons of one sitting. reader: what reads the table and is taught; folder: where tables are kept.

    finder: makes networks of its own for it, since the reader's are busy with the live table. Callable from any
    thread: learning takes up to two minutes and runs in one of its own.
    """

    def __init__(
        self, reader: TableReader, folder: Path, finder: Callable[[], DiceFinder] = DiceFinder
    ) -> None:
        self._reader, self._folder, self._make = reader, folder, finder
        self._finder: DiceFinder | None = None
        self._lessons: dict[int, Lesson] = {}
        self._marks: dict[int, Mark] = {}
        self._pictures: dict[int, bytes] = {}
        self._doing: Doing = "showing"
        self._learned: dict[str, Any] | None = None
        self._problem = ""
        self._reading = threading.Lock()
        """The networks are one thread's at a time."""
        self._changing = threading.RLock()

    def state(self) -> dict[str, Any]:
        """doing; lessons [{face, dice, right, unsure}]; tables (names); used (a name or None); learned {name, dice,
        right, tuned_right, tuned, colours} or None; problem (a sentence or "")."""
        with self._changing:
            used = self._reader.table
            return {
                "doing": self._doing,
                "lessons": [
                    {"face": face, "dice": mark.dice, "right": mark.right, "unsure": mark.unsure}
                    for face, mark in sorted(self._marks.items())
                ],
                "tables": kept(self._folder),
                "used": None if used is None else used.name,
                "learned": self._learned,
                "problem": self._problem,
            }

    def picture(self, face: int) -> bytes | None:
        """The JPEG of a lesson with how its dice are read, None when that face was not shown."""
        with self._changing:
            return self._pictures.get(face)

    def show(self, face: int, image: NDArray[np.uint8]) -> None:
        """Look at a picture (H, W, 3) uint8 BGR in which all dice show `face`; it takes the place of an earlier one.

        Raises TeachingError when it shows too few or too many dice.
        """
        lesson = Lesson(f"The picture of the {face}s", image, face)
        with self._reading:
            mark, dice = look(lesson, self._networks())
        read = [int(np.argmax(die.face_p)) + 1 for die in dice]
        marks = [
            DrawnMark(die.box, str(seen), "green" if seen == face else "red", seen != face)
            for die, seen in zip(dice, read, strict=True)
        ]
        drawn = draw_marks(image, (image.shape[1], image.shape[0]), marks)
        with self._changing:
            self._lessons[face], self._marks[face] = lesson, mark
            self._pictures[face] = jpeg_of(drawn)
            self._problem = ""

    def learn(self, name: str, players: Sequence[str], tune: bool) -> None:
        """Learn from the lessons and keep it under a name, in a thread; `state` says how it went.

        Raises TeachingError when there is nothing to learn from or learning goes on, TableKeepingError for such a name.
        """
        with self._changing:
            if self._doing == "learning":
                raise TeachingError("It is just learning; wait until that is done.")
            if not self._lessons:
                raise TeachingError("Show the dice first: at least one picture of one face.")
            missing = sorted(set(range(1, 7)) - set(self._lessons)) if tune else []
            if missing:
                raise TeachingError(
                    f"For tuning, show every face; missing: {', '.join(map(str, missing))}."
                )
            check_name(name)
            self._doing, self._learned, self._problem = "learning", None, ""
            lessons = [self._lessons[face] for face in sorted(self._lessons)]
        threading.Thread(
            target=self._learn, args=(name, tuple(players), tune, lessons), daemon=True
        ).start()

    def _learn(
        self, name: str, players: tuple[str, ...], tune: bool, lessons: list[Lesson]
    ) -> None:
        try:
            with self._reading:
                finder = self._networks()
                taught = teach(lessons, finder, players, tune)
            table = KeptTable(
                name=name,
                taught_at=_now(),
                dice=taught.dice,
                right=taught.right,
                tuned_right=taught.tuned_right,
                head=taught.head,
                closeup=finder.closeup.fingerprint,
                colours=taught.colours,
                players=players,
            )
            keep(table, self._folder)
            self._reader.use(table)
            learned = {
                "name": name,
                "dice": taught.dice,
                "right": taught.right,
                "tuned_right": taught.tuned_right,
                "tuned": taught.head is not None,
                "colours": None if not players else taught.colours is not None,
            }
            with self._changing:
                self._learned, self._doing = learned, "showing"
        except ValueError as error:  # all refusals of teaching and keeping are
            with self._changing:
                self._problem, self._doing = str(error), "showing"
        except Exception:
            log.exception("Teaching stumbled.")
            with self._changing:
                self._problem = "Something went wrong in the program; its log says what."
                self._doing = "showing"

    def use(self, name: str | None) -> None:
        """Read as was taught for a table that is kept, None as shipped. Raises TableKeepingError."""
        table = None if name is None else recall(name, self._folder, _now())
        self._reader.use(table)

    def forget(self, name: str) -> None:
        """Set a table's file aside; the reader reads as shipped again. Raises TableKeepingError."""
        forget(name, self._folder, _now())
        used = self._reader.table
        if used is not None and used.name == name:
            self._reader.use(None)

    def begin_anew(self) -> None:
        """Put this sitting's lessons away; what is kept stays."""
        with self._changing:
            self._lessons, self._marks, self._pictures = {}, {}, {}
            self._learned, self._problem = None, ""

    def _networks(self) -> DiceFinder:
        if self._finder is None:
            self._finder = self._make()
        return self._finder


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
