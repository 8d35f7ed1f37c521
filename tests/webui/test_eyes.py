"""What watches a table for the page: only what is still and uncovered is read, and nothing old is new."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.compose import DrawnTable
from engine.table import ELSEWHERE, SeenDie, TableView
from tests.vision.clip import Change, Clip, KnownDice, arm, die, in_place, lawn_corners, table
from tests.vision.test_view import moved
from tests.webui.tables import FedSource, ToldReader, big_rolls, picture
from vision.frames import Frame
from vision.mat import FoundMat
from vision.mat_keeper import MatKeeper
from vision.owners import colours_of, players
from vision.view import Viewer
from vision.watch import Look, State
from webui.eyes import Seen, Watcher, WholeReader
from webui.eyes_maker import Maker
from webui.words import MAT_LOST

DICE = (
    in_place("red", 3, "left"),
    in_place("blue", 3, "center"),
    in_place("white", 6, "center"),
    die("red", 6, -100, -60),
)
BEFORE = table(*DICE)
AFTER = table(*DICE, in_place("red", 5, "right"))
FPS = 15


class Table:
    """A watcher and the clip that it watches."""

    def __init__(self, *tables: DrawnTable, mats: MatKeeper | None = None) -> None:
        self.reader = KnownDice(*tables)
        self.mats = mats or MatKeeper(corners=lawn_corners())
        self.viewer = Viewer(self.reader, self.mats, players(["red", "blue"]))
        self.eyes = Watcher(self.viewer, colours_of(["red", "blue"]))
        self.clip = Clip(fps=FPS)
        self.index = 0

    def see(
        self, image: NDArray[np.uint8], seconds: float, change: Change | None = None
    ) -> list[Seen]:
        seen = []
        for frame, at in self.clip.frames(image, seconds, change):
            seen.append(self.eyes.see(Frame(frame, at, self.index, "camera 0")))
            self.index += 1
        return seen


@pytest.fixture
def settled() -> Table:
    watched = Table(BEFORE, AFTER)
    watched.see(BEFORE.image, 0.6)
    return watched


def colours(seen: Seen) -> dict[tuple[str, int | None], bool]:
    """Whether each die of the reading is untouched, by colour and face."""
    assert seen.reading is not None
    names = [(each.colour, each.face) for each in seen.reading.dice]
    return dict(zip(names, seen.untouched, strict=True))


def test_before_the_table_lay_still_nothing_is_claimed() -> None:
    first = Table(BEFORE).see(BEFORE.image, 0.1)[0]
    assert (first.reading, first.current, first.hidden) == (None, False, ())
    assert first.says == "Waiting until the table lies still."


def test_a_still_table_is_read_with_places_and_mat(settled: Table) -> None:
    last = settled.see(BEFORE.image, 0.2)[-1]
    assert (last.current, last.lying, last.says) == (True, "still", "Still.")
    assert (last.mat["found"], last.mat["by"]) == (True, "corners")
    assert np.allclose(last.mat["corners"], lawn_corners(), atol=0.1)
    assert last.reading is not None
    places = {(each.colour, each.face): each.place for each in last.reading.dice}
    assert places["red", 3] == {"row": 3, "side": "left"}
    assert places["white", 6] == {"row": 6, "side": "center"}  # rule 1:2.C
    assert places["red", 6] == {"area": "elsewhere"}
    assert last.untouched == (True,) * 4
    assert not last.hidden


def test_while_a_hand_moves_the_reading_is_the_old_one_and_says_so(settled: Table) -> None:
    before = settled.see(BEFORE.image, 0.1)[-1]
    last = settled.see(BEFORE.image, 0.4, lambda p, t: arm(p, (0.9 - t, 0.4)))[-1]
    assert (last.lying, last.says, last.current) == ("moving", "A hand is over the table.", False)
    assert last.reading is before.reading
    assert last.hidden
    assert colours(last)["red", 6] is True
    assert all(len(outline) >= 3 for outline in last.hidden)


def test_a_resting_hand_hides_what_is_under_it_and_the_rest_is_current(settled: Table) -> None:
    settled.see(BEFORE.image, 0.3, lambda p, t: arm(p, (0.9 - t, 0.5 - 0.5 * t)))
    last = settled.see(BEFORE.image, 0.8, lambda p, _: arm(p, (0.56, 0.31)))[-1]
    assert (last.lying, last.says, last.current) == ("covered", "A hand is over the table.", True)
    assert {"row": 4, "side": "right"} in last.hidden_places
    assert {"row": 3, "side": "left"} not in last.hidden_places
    assert colours(last)["red", 3] is True
    gone = settled.see(BEFORE.image, 0.6)[-1]
    assert (gone.lying, gone.hidden, gone.current) == ("still", (), True)


class Script:
    """A viewer that shows a view, or None, in a state of the table, as the test says."""

    mat: FoundMat | None = None
    hidden_outlines: tuple[NDArray[np.float32], ...] = ()
    hidden_places: frozenset[Any] = frozenset()

    def __init__(self) -> None:
        self.look: Look | None = None
        self.settled = False
        self.now: TableView | None = None
        self.colours: dict[int, dict[str, float]] = {}

    def show(self, state: State, view: TableView | None = None, settled: bool = True) -> None:
        none = np.zeros((36, 64), np.bool_)
        self.look = Look(0.0, state, none, none, (), none, 0.0, False, none, 0.1)
        self.settled, self.view = settled, view
        self.now = view or self.now

    def see(self, image: object, time_s: float) -> TableView | None:  # noqa: ARG002
        return self.view

    def see_alone(self, image: object, time_s: float) -> TableView:
        raise NotImplementedError

    def current(self) -> TableView | None:
        return self.now

    def lost(self) -> None: ...
    def look_for_mat(self) -> None: ...


def lying(*keys: int) -> TableView:
    """A view of dice with these keys."""
    face_p, owner_p = (0, 0, 0.97, 0.03, 0, 0), (1.0, 0, 0, 0)
    return TableView(0.0, tuple(SeenDie(key, face_p, owner_p, ((ELSEWHERE, 1.0),)) for key in keys))


def played(viewer: Script) -> Callable[..., Seen]:
    eyes = Watcher(viewer)

    def at(
        time_s: float, state: State, view: TableView | None = None, settled: bool = True
    ) -> Seen:
        viewer.show(state, view, settled)
        return eyes.see(Frame(picture(), time_s, int(time_s * 100), "camera 0"))

    return at


def count(seen: Seen) -> int:
    assert seen.reading is not None
    return len(seen.reading.dice)


def test_what_the_keeper_of_the_mat_asks_is_shown_until_it_is_answered() -> None:
    viewer, asked = Script(), ["Which end is row 1?"]
    eyes = Watcher(viewer, asks=lambda: asked[0])
    viewer.show("still", lying(1, 2, 3))
    assert eyes.see(Frame(picture(), 0.0, 0, "camera 0")).notices == ("Which end is row 1?",)
    asked[0] = ""
    assert eyes.see(Frame(picture(), 0.1, 1, "camera 0")).notices == ()


def test_what_is_read_beside_a_moving_hand_is_not_shown_as_the_whole_table() -> None:
    at = played(Script())
    assert count(at(0.0, "still", lying(1, 2, 3))) == 3
    # The view lacks what the hand is over; when it has left, the same dice lie there and no view comes.
    assert count(at(1.0, "moving", lying(1))) == 3
    rests = at(2.0, "still")
    assert (count(rests), rests.current) == (1, True)


def test_a_table_over_which_somebody_always_moves_is_read_all_the_same() -> None:
    at = played(Script())
    at(0.0, "still", lying(1, 2, 3))
    assert count(at(1.0, "moving", lying(1, 2, 3, 4))) == 3
    late = at(4.0, "moving", lying(1, 2, 3, 4, 5))
    assert (count(late), late.current) == (5, False)


def test_what_has_just_come_to_rest_is_not_called_still_before_it_is_read() -> None:
    at = played(Script())
    at(0.0, "still", lying(1, 2))
    moving = at(1.0, "moving")
    rests = at(1.1, "covered", settled=False)
    assert (rests.lying, rests.says, rests.current) == ("moving", moving.says, False)
    assert at(1.2, "still", lying(1, 3)).says == "Still."
    stays = at(9.0, "covered", settled=False)
    assert stays.lying != "moving"


def test_when_everything_moves_no_hand_is_made_up() -> None:
    viewer = Script()
    at = played(viewer)
    at(0.0, "still", lying(1))
    viewer.hidden_outlines = (np.array([[0, 0], [639, 0], [639, 359], [0, 359]], np.float32),)
    assert at(1.0, "moving").says == "Everything in the picture moves."
    assert at(5.0, "covered").says == "The table is covered."


def test_dice_that_roll_are_told_from_a_hand(settled: Table) -> None:
    box = next(d.box for d in AFTER.dice if d.face == 5)
    x0, y0, x1, y1 = (int(edge) for edge in box)
    sprite = AFTER.image[y0:y1, x0:x1].astype(np.float32)

    def rolls(shown: NDArray[np.float32], t: float) -> NDArray[np.float32]:
        at = int(120 * (0.6 - t))
        shown[y0:y1, x0 + at : x1 + at] = sprite if int(t * FPS) % 2 else sprite[::-1]
        return shown

    rolling = settled.see(BEFORE.image, 0.6, rolls)
    assert rolling[-1].says == "The dice are moving."
    assert not rolling[-1].current
    lies = settled.see(AFTER.image, 0.6)[-1]
    assert lies.current
    assert ("red", 5) in colours(lies)


def test_a_bumped_camera_is_told_once(settled: Table) -> None:
    class Bumped(MatKeeper):
        """Finds the mat again where the test has put it."""

        def find_again(self, image: Any, _: object) -> Any:
            there = lawn_corners() @ turn[:, :2].T + turn[:, 2]
            return MatKeeper(corners=there).find(image)

    turn = cv2.getRotationMatrix2D((320, 180), 3, 1)
    turn[:, 2] += (12, -6)
    settled.viewer._mats = Bumped()
    bumped = cv2.warpAffine(BEFORE.image, turn, (640, 360), borderMode=cv2.BORDER_REFLECT)
    settled.reader.tables = (moved(BEFORE, np.asarray(bumped, np.uint8), turn),)
    seen = settled.see(np.asarray(bumped, np.uint8), 1.0)
    assert sum(each.bumped for each in seen) == 1
    assert seen[-1].current
    assert np.abs(np.array(seen[-1].mat["corners"]) - lawn_corners()).max() > 3


def test_a_mat_that_is_not_found_again_is_said_until_it_is(settled: Table) -> None:
    class Blind(MatKeeper):
        def find(self, _: object) -> None:
            return None

    assert settled.see(BEFORE.image, 0.1)[-1].notices == ()
    settled.viewer._mats = Blind()
    settled.viewer.look_for_mat()
    last = settled.see(BEFORE.image, 0.2)[-1]
    assert last.notices == (MAT_LOST,)
    assert last.reading is not None
    assert {each.place for each in last.reading.dice} == {None}
    settled.viewer._mats = settled.mats
    assert settled.see(BEFORE.image, 1.2)[-1].notices == ()


def test_corners_that_a_person_gives_are_used_at_once(settled: Table) -> None:
    settled.viewer._mats = MatKeeper(corners=lawn_corners() + 7)
    settled.eyes.look_for_mat()
    last = settled.see(BEFORE.image, 0.2)[-1]
    assert np.allclose(last.mat["corners"], lawn_corners() + 7, atol=0.1)


def test_after_a_lost_camera_nothing_is_current_until_it_is_read_again(settled: Table) -> None:
    settled.eyes.lost()
    settled.clip.time_s += 10
    seen = settled.see(BEFORE.image, 0.6)
    assert (seen[0].current, any(seen[0].untouched)) == (False, False)
    assert seen[-1].current
    assert seen[-1].reading is not seen[0].reading


def test_pictures_that_stand_alone_are_read_at_once() -> None:
    eyes = Watcher(Viewer(KnownDice(BEFORE, AFTER)), alone=True)
    counts = []
    for index, drawn in enumerate((BEFORE, AFTER)):
        seen = eyes.see(Frame(drawn.image, 5.0 * index, index, "a.jpg"))
        assert seen.current
        assert seen.reading is not None
        counts.append(len(seen.reading.dice))
    assert counts == [4, 5]


def test_a_plain_reader_reads_every_picture_whole() -> None:
    reader = ToldReader(big_rolls({"red": (1, 2, 3)}))
    seen = WholeReader(reader).see(Frame(picture(), 0.0, 0, "dice.jpg"))
    assert (seen.reading, seen.current, seen.lying) == (reader.answer, True, "still")
    assert seen.mat["found"] is False


def test_only_a_live_table_is_watched_and_a_stand_in_reads_whole() -> None:
    from vision.reader import TableReader

    with FedSource() as source:
        assert isinstance(Maker(ToldReader())(source, ())[0], WholeReader)
        make = Maker(TableReader())
        assert isinstance(make(source, ())[0], Watcher)
        source.kind = "photo"
        assert isinstance(make(source, ())[0], WholeReader)
        eyes, feed = make(source, ("red", "blue"))
        assert isinstance(eyes, Watcher)
        assert feed is not None, "a match can be followed"
