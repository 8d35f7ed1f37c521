"""Dice that lie untouched stay what they are, however a camera reads them, and accuse nobody."""

from __future__ import annotations

from dataclasses import replace

from engine.evidence import Evidence
from engine.position import Position
from engine.referee import Referee
from engine.table import ELSEWHERE, LawnPlace, Place, SeenDie, TableView
from engine.verdict import Agrees, Desync, Happened, Infringement, Verdict
from tests.engine.tables import table
from tests.engine.views import Scene, read_as
from tests.engine.watched import Table

ROWS = {"red": "1244456", "blue": "1123456"}
LAWN = {5: "rw.", 6: ".wb"}


def a_die(key: int, face: int, xy_mm: tuple[float, float], belief: float = 0.99) -> SeenDie:
    faces = [(1 - belief) / 5] * 6
    faces[face - 1] = belief
    return SeenDie(key, tuple(faces), (1.0, 0.0, 0.0, 0.0), ((LawnPlace(5, "left"), 1.0),), xy_mm)


def seen_after(*views: TableView) -> int:
    """The ident of the only die in the last of these views."""
    evidence = Evidence()
    for view in views:
        evidence, dice = evidence.seen(view)
    return dice[0].ident


def test_a_die_that_a_hand_covered_is_found_again_a_millimetre_away() -> None:
    before = TableView(1.0, (a_die(1, 5, (15.0, 119.0)),))
    assert seen_after(before, TableView(2.0, (a_die(2, 5, (16.2, 118.4)),))) == 1
    assert seen_after(before, TableView(2.0, (a_die(2, 5, (17.2, 119.0)),))) == 2


def test_a_die_that_shows_another_face_where_one_lay_is_another_roll() -> None:
    before = TableView(1.0, (a_die(1, 5, (15.0, 119.0)),))
    other = TableView(2.0, (a_die(2, 3, (16.2, 118.4)),))
    assert seen_after(before, other) == 2
    # Nobody's hand was there when it was the camera that moved.
    assert seen_after(before, replace(other, camera="re-found")) == 1


class Misread:
    """A referee who sees some dice of a scene read wrong."""

    def __init__(self, position: Position) -> None:
        self.scene = Scene.of(position)
        self.referee = Referee.start(position)
        self.wrong: dict[int, tuple[int, float]] = {}
        self.said: list[Verdict] = []

    def look(self, times: int, still_s: float = 0.5) -> None:
        for _ in range(times):
            view = self.scene.view(still_s, after_s=0.5)
            for key, (face, belief) in self.wrong.items():
                view = read_as(view, key, face=face, belief=belief)
            still_s += 0.5
            self.referee, verdicts = self.referee.see(view)
            self.said += verdicts


def test_dice_read_wrong_since_they_were_played_do_not_put_the_match_out_of_step() -> None:
    seen = Misread(table("boundary-choice red", ROWS, LAWN))
    seen.look(2)
    plays = (
        (0, 1, 6, 6, "left"),
        (1, 6, 5, 5, "right"),
        (0, 2, 4, 4, "left"),
        (1, 5, 1, 4, "right"),
    )
    scene = seen.scene
    for seat, edge, thrown, face, side in plays:
        scene.take(seat, edge)
        scene.put(seat, thrown, scene.row_of(seat))
        seen.look(2)
        scene.take(seat, face)
        put = scene.put(seat, face, LawnPlace(face, side))  # type: ignore[arg-type]
        seen.wrong[put.key] = (1 if face > 4 else 2, 0.9)
        seen.look(4)
    assert not [v for v in seen.said if isinstance(v, Infringement | Desync)]
    finals = [v for v in seen.said if isinstance(v, Happened) and v.final]
    assert sum(str(e.action).startswith("place") for v in finals for e in v.actions) == 4
    assert seen.said[-1] == Agrees()


def test_a_die_of_the_lawn_read_wrong_lets_nobody_be_accused_for_another() -> None:  # rule 4:3.A
    seen = Misread(table("boundary-choice red", ROWS, LAWN))
    seen.look(2)
    seen.wrong[seen.scene.at(5, "left").key] = (1, 0.9)
    scene = seen.scene
    scene.take(0, 1)
    scene.put(0, 2, scene.row_of(0))
    seen.look(2)
    scene.take(0, 6)
    put = scene.put(0, 6, LawnPlace(6, "left"))
    seen.wrong[put.key] = (4, 0.85)
    seen.look(6)
    assert not [v for v in seen.said if isinstance(v, Infringement)]


def test_a_fault_after_a_roll_that_was_seen_is_not_held_for_rarer() -> None:  # rule 4:3.A
    # The throw of three dice was unlikely before it was seen, but not any more.
    seen = Misread(table("boundary-choice red", {"red": "2224456", "blue": "1123456"}, LAWN))
    seen.look(2)
    scene = seen.scene
    for face in (3, 5, 6):
        scene.take(0, 2)
        scene.put(0, face, scene.row_of(0))
    seen.look(3)
    scene.take(0, 6)
    put = scene.put(0, 6, LawnPlace(3, "left"))
    for _ in range(5):
        view = scene.view(2.5, after_s=0.5)
        dice = tuple(replace(d, found_p=0.99) if d.key == put.key else d for d in view.dice)
        seen.referee, verdicts = seen.referee.see(replace(view, dice=dice))
        seen.said += verdicts
    assert [(v.kind, v.player) for v in seen.said if isinstance(v, Infringement)] == [
        ("wrong-row", "red")
    ]


def test_what_is_taken_for_a_hand_beside_a_table_of_which_all_is_seen_hides_nothing() -> None:
    seen = Misread(table("boundary-choice red", ROWS, LAWN))
    scene = seen.scene

    def look(times: int, hidden: tuple[Place, ...]) -> None:
        for count in range(times):
            view = replace(scene.view(0.5 * (1 + count), after_s=0.5), hidden=frozenset(hidden))
            seen.referee, verdicts = seen.referee.see(view)
            seen.said += verdicts

    look(2, (ELSEWHERE,))
    scene.take(0, 1)
    scene.put(0, 3, scene.row_of(0))
    look(2, (ELSEWHERE, LawnPlace(1, "left")))
    scene.take(0, 6)
    scene.put(0, 6, LawnPlace(6, "left"))
    look(3, (ELSEWHERE,))
    assert [
        str(e.action) for v in seen.said if isinstance(v, Happened) and v.final for e in v.actions
    ] == [
        "boundary low",
        "rolled 3",
        "place 6 left",
    ]


def test_a_die_hardly_taken_for_one_counts_where_a_die_is_missing() -> None:  # rule 3:1.A
    seen = Misread(Position.start(2))
    scene = seen.scene
    for seat, faces in enumerate(((1, 2, 2, 3, 4, 5, 6, 6), (1, 1, 2, 2, 3, 4, 5, 5))):
        for face in faces:
            scene.put(seat, face, scene.row_of(seat))
    last = scene.dice[-1].key
    for still_s in (0.5, 1.0, 1.5):
        view = scene.view(still_s, after_s=0.5)
        dice = tuple(replace(d, found_p=0.2) if d.key == last else d for d in view.dice)
        seen.referee, _ = seen.referee.see(replace(view, dice=dice))
    assert seen.referee.position.rows == ((1, 2, 2, 3, 4, 5, 6, 6), (1, 1, 2, 2, 3, 4, 5, 5))


# --- what is not known of a die -------------------------------------------------------------------


def accused(seen: Misread) -> list[tuple[str, str | None]]:
    return [(v.kind, v.player) for v in seen.said if isinstance(v, Infringement)]


def test_a_die_that_lay_as_it_is_read_is_not_known_to_be_another_for_a_roll_that_needs_it() -> None:
    lawn = {**LAWN, 1: "rwr", 2: "rw.", 3: "rw."}
    seen = Misread(table("boundary-choice red", {"red": "234", "blue": "1123456"}, lawn))
    scene = seen.scene
    two = scene.take(0, 2)
    scene.dice.append(two)
    seen.wrong[two.key] = (2, 0.98)
    seen.look(2)
    scene.take(0, 3)  # rule 4:1.A: an inner die
    scene.put(0, 6, scene.row_of(0))
    seen.look(
        2
    )  # that the one that lies is the 3, and the 2 was rolled, needs both to be misread before
    assert seen.referee.trail is not None
    assert seen.referee.trail.tracks.known == ()
    assert accused(seen) == []
    seen.look(2, 1.5)
    assert accused(seen) == [("inner-die-rolled", "red")]


def test_nothing_is_known_of_a_die_that_was_moved_in_a_row_of_which_nothing_was_played() -> None:
    seen = Misread(table("boundary-choice red", ROWS, LAWN))
    seen.look(2)
    seen.scene.take(1, 6)
    rolled = seen.scene.put(1, 4, seen.scene.row_of(1))
    seen.wrong[rolled.key] = (4, 0.6)
    seen.look(3)
    assert accused(seen) == []
    seen.wrong[rolled.key] = (4, 0.99999)
    seen.look(6)
    assert accused(seen) == [("out-of-turn", "blue")]  # rule 3:4.A


def test_a_doubtful_die_of_a_big_roll_stays_doubtful_while_the_others_roll() -> None:  # rule 3:1.A
    seen = Table(Position.start(2))
    scene = seen.scene
    for face in (1, 1, 2, 3, 5, 6, 6):
        scene.put(1, face, scene.row_of(1))
    seen.misread[scene.put(1, 1, scene.row_of(1)).key] = {4: 0.93, 1: 0.06}
    seen.look(2)
    for face in (1, 2, 2, 3, 4, 4, 6, 6):
        scene.put(0, face, scene.row_of(0))
    seen.look(1)
    assert seen.referee.trail is not None
    rows = [track.position.rows[1] for track in seen.referee.trail.tracks.tracks]
    assert {(1, 1, 2, 3, 4, 5, 6, 6), (1, 1, 1, 2, 3, 5, 6, 6)} <= set(rows)


# --- what a track has paid for ----------------------------------------------------------------------


def share(seen: Misread, row: tuple[int, ...]) -> float:
    """What the tracks weigh by which that is red's row."""
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks.tracks
    weights = [track.prior * track.likelihood for track in tracks]
    alike = [w for w, t in zip(weights, tracks, strict=True) if t.position.rows[0] == row]
    return sum(alike) / sum(weights)


def test_a_misread_die_that_stays_when_its_row_is_moved_counts_once() -> None:
    # Red's 1 is read as a 4, of which there is another; that it is a 1 stays as likely as it was.
    lawn = {**LAWN, 1: "rwr", 2: "rw."}
    seen = Misread(table("boundary-choice red", {"red": "2346", "blue": "1123456"}, lawn))
    scene = seen.scene
    seen.look(2)
    scene.take(0, 2)
    rolled = scene.put(0, 1, scene.row_of(0))
    seen.wrong[rolled.key] = (4, 0.998)
    seen.look(3)

    before = share(seen, (1, 3, 4, 6))
    assert 1e-5 < before < 1e-2
    for face in (3, 4, 6):
        scene.move(next(d for d in scene.dice if d.owner == 0 and d.face == face), scene.row_of(0))
    seen.look(1)
    assert share(seen, (1, 3, 4, 6)) > 0.3 * before
    del seen.wrong[rolled.key]
    scene.move(rolled, scene.row_of(0))
    seen.look(3)
    assert share(seen, (1, 3, 4, 6)) > 0.5


def test_a_misread_die_counts_once_though_another_one_is_overlooked_when_the_row_is_played_from() -> (
    None
):
    # Red's 1 was seen as it was rolled; put in order it is read as a 4, while the 2 is not seen.
    seen = Misread(table("boundary-choice red", {"red": "1123445", "blue": "1123456"}, {6: "rwb"}))
    scene = seen.scene
    seen.look(2)
    scene.take(0, 5)
    rolled = scene.put(0, 1, scene.row_of(0))
    seen.look(1)
    seen.wrong[scene.move(rolled, scene.row_of(0)).key] = (4, 0.999)
    overlooked = scene.take(0, 2)
    seen.look(3)
    assert share(seen, (1, 1, 1, 2, 3, 4, 4)) > 0.9
    scene.dice.append(overlooked)
    scene.take(0, 4)
    scene.put(0, 4, LawnPlace(4, "left"))
    seen.look(1)
    assert share(seen, (1, 1, 1, 2, 3, 4)) > 0.9


def test_what_an_unlikely_track_has_paid_stays_paid_while_the_die_lies_there() -> None:
    lawn = {**LAWN, 1: "rwr", 2: "rw."}
    seen = Misread(table("boundary-choice red", {"red": "2346", "blue": "1123456"}, lawn))
    seen.look(2)
    seen.scene.take(0, 2)
    rolled = seen.scene.put(0, 1, seen.scene.row_of(0))
    seen.look(1)
    assert seen.referee.trail is not None
    tracks = seen.referee.trail.tracks
    best, other = tracks.tracks[:2]
    paid = ((rolled.key, 4, 1e-3),)
    light = replace(other, prior=1e-9 * best.prior * best.likelihood / other.likelihood, paid=paid)
    assert tracks.seen is not None
    kept = replace(tracks, tracks=(best, light))
    assert kept.paying(tracks.seen, {})[1] == paid
    gone = replace(tracks.seen, dice=tuple(d for d in tracks.seen.dice if d.key != rolled.key))
    assert kept.paying(gone, {})[1] == ()
