"""What the view before says besides the view now, and what is remembered of dice that are not seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.evidence import Evidence
from engine.fitting import Fit
from engine.going_on import go_on
from engine.past import Past
from engine.pools import packed
from engine.sight import Seen, sightings
from engine.story_parts import Steps
from engine.table import ELSEWHERE, LawnPlace, Place, SeenDie, TableView
from engine.touches import touch_factor
from engine.tracks import Tracks
from tests.engine.tables import table
from tests.engine.views import Lying, Scene
from tests.engine.watched import Table

ROWS = {"red": "1244456", "blue": "1123456"}
LAWN = {5: "rw.", 6: ".wb"}
START = table("boundary-choice red", ROWS, LAWN)


def off_lawn(scene: Scene, owner: int, face: int) -> Lying:
    return next(
        die
        for die in scene.dice
        if (die.owner, die.face) == (owner, face) and not isinstance(die.place, LawnPlace)
    )


def seen_of(scene: Scene, *unseen: Lying, lost_of: frozenset[int] = frozenset()) -> Seen:
    """A view of the scene in which these dice are overlooked."""
    view = scene.view()
    keys = {die.key for die in unseen}
    _, dice = Evidence().seen(replace(view, dice=tuple(d for d in view.dice if d.key not in keys)))
    return Seen(dice, frozenset(), 2, lost_of)


# --- dice that have gone or come ------------------------------------------------------------


def test_a_die_that_is_overlooked_twice_costs_a_track_once() -> None:
    scene = Scene.of(START)
    before = seen_of(scene, off_lawn(scene, 0, 4))
    (sight, *_) = sightings(before)
    assert Past(Fit(sight), before).gone(START, 0, False) == sight.weight


def test_that_a_die_was_overlooked_counts_where_one_of_that_owner_has_gone_or_come() -> None:
    scene = Scene.of(START)
    four, five = off_lawn(scene, 0, 4), off_lawn(scene, 0, 5)
    for before, now in (
        (seen_of(scene, four), seen_of(scene, four, five)),  # the five has been taken
        (seen_of(scene, four), seen_of(scene)),  # the four has come
    ):
        past = Past(Fit(sightings(before)[0]), now)
        whole = Past(Fit(sightings(seen_of(scene))[0]), seen_of(scene, five))
        assert 0 < past.gone(START, 0, False) < 0.1 * whole.gone(START, 0, False)


def test_a_die_of_the_lawn_that_has_gone_counts_by_what_it_showed() -> None:
    scene = Scene.of(START)
    before = seen_of(scene)
    past = Past(Fit(sightings(before)[0]), seen_of(scene, scene.at(5, "left")))
    other = table("boundary-choice red", ROWS, {5: ".wr", 6: ".wb"})
    assert past.gone(START, 0, False) > 0.9
    assert past.gone(other, 0, False) < 1e-3


# --- dice that are overlooked -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "now", "price"),
    [("", "4", 1.0), ("4", "4", 1.2e-2 / 0.5 * 3 / 7), ("4", "5", 1.0)],
)
def test_who_lacked_no_die_or_another_one_pays_for_one_that_is_overlooked_anew(
    before: str, now: str, price: float
) -> None:
    # Red lacks a die in some tracks, so that red is in lost_of; in this one it lacked one, or did not.
    # Which of the seven it was is known of the one that is overlooked again: one of three that show a 4.
    scene = Scene.of(START)
    die = {"4": [off_lawn(scene, 0, 4)], "5": [off_lawn(scene, 0, 5)], "": []}
    first = seen_of(scene, *die[before])
    sights = sightings(first)
    tracks = Tracks.at(START)
    tracks = tracks.followed(go_on(tracks, first, sights), first, sights[0])

    def weight(lost_of: frozenset[int]) -> float:
        seen = seen_of(scene, *die[now], lost_of=lost_of)
        told = go_on(replace(tracks, lost_of=lost_of), seen, sightings(seen))
        return max(story.weight for story in told if story.position == START)

    assert weight(frozenset()) / weight(frozenset({0})) == pytest.approx(price, rel=1e-2)


def test_a_die_overlooked_in_the_roll_stays_so_while_one_is_in_the_hand() -> None:
    seen = Table(START)
    seen.look()
    seen.act("boundary low", "rolled 5", "place 6 left")
    seen.look(3)
    seen.scene.dice.remove(off_lawn(seen.scene, 1, 4))
    seen.scene.take(1, 6)  # to be rolled

    def lost() -> frozenset[int]:
        assert seen.referee.trail is not None
        return seen.referee.trail.tracks.lost_of

    seen.look(1)
    assert lost() == {1}
    seen.scene.put(1, 2, seen.scene.row_of(1))
    seen.look(1)
    assert lost() == {1}
    seen.scene.take(1, 5)
    seen.look(1)
    assert lost() == {1}
    seen.scene.put(1, 5, LawnPlace(5, "right"))
    seen.look(3)
    assert seen.final()[3:] == ["boundary high", "rolled 2", "place 5 right"]


# --- what may be no die -----------------------------------------------------------------------


def after_a_roll(*, beside: float = 0.0, unseen: tuple[Lying, ...] = ()) -> float:
    """How well what was touched fits that red rolled a 1 and it shows a 3.

    beside: how likely what looks like another red 1, and lies untouched, is a die. unseen: overlooked then.
    """
    scene = Scene.of(START)
    thing = scene.put(0, 1, scene.row_of(0)) if beside else None
    gone = set[int]()

    def seen() -> Seen:
        view = scene.view()
        dice = (
            replace(d, found_p=beside) if thing and d.key == thing.key else d
            for d in view.dice
            if d.key not in gone
        )
        return Seen(Evidence().seen(replace(view, dice=tuple(dice)))[1], frozenset(), 2)

    tracks = replace(Tracks.at(START), seen=seen())
    scene.take(0, 1)
    scene.put(0, 3, scene.row_of(0))
    gone.update(die.key for die in unseen)
    touched = tracks.touched(seen(), sightings(seen())[0], None)
    steps: Steps = ()
    position = START
    for text in ("boundary low", "rolled 3"):
        action = position.action_named(text)
        position = position.apply(action)
        steps = (*steps, (action, position))
    kept = packed((2, 4, 4, 4, 5, 6)), packed(START.rows[1])
    return touch_factor(START, position, steps, kept, touched)


def test_what_may_be_no_die_is_not_counted_among_those_that_lie_untouched() -> None:
    assert after_a_roll(beside=1.0) < 0.03
    assert after_a_roll(beside=0.5) > 0.1


def test_a_die_that_is_overlooked_has_not_been_moved() -> None:
    assert after_a_roll(unseen=(off_lawn(Scene.of(START), 0, 4),)) == after_a_roll()


# --- what is remembered of a die ----------------------------------------------------------------

MM = (15.0, 119.0)


def a_die(key: int, belief: float = 0.99) -> SeenDie:
    """A five of red."""
    faces = ((1 - belief) / 5,) * 4 + (belief, (1 - belief) / 5)
    return SeenDie(key, faces, (1.0, 0.0, 0.0, 0.0), ((LawnPlace(5, "left"), 1.0),), MM)


def ident_after(*views: tuple[tuple[SeenDie, ...], frozenset[Place]]) -> int:
    """The ident of the only die in the last of these views, each with what is hidden in it."""
    evidence = Evidence()
    for number, (dice, hidden) in enumerate(views, 1):
        evidence, seen = evidence.seen(TableView(float(number), dice, hidden))
    return seen[0].ident


OPEN = frozenset[Place]()
HAND = frozenset[Place]({LawnPlace(5, "left"), ELSEWHERE})


def test_a_die_that_an_open_view_does_not_show_has_been_taken_away() -> None:
    assert ident_after(((a_die(1),), OPEN), ((), OPEN), ((a_die(2),), OPEN)) == 2


def test_a_die_that_was_under_a_hand_is_the_same_when_it_comes_back() -> None:
    assert ident_after(((a_die(1),), OPEN), ((), HAND), ((a_die(2),), OPEN)) == 1
    assert ident_after(((a_die(1),), OPEN), ((), HAND), ((), HAND), ((a_die(2),), OPEN)) == 1
    assert ident_after(((a_die(1),), OPEN), ((), HAND), ((), OPEN), ((a_die(2),), OPEN)) == 2


def test_a_die_laid_where_another_lay_is_not_read_as_that_one_was() -> None:
    def doubt(hidden: frozenset[Place]) -> float:
        evidence = Evidence()
        for dice, cover in (((a_die(1, 0.999),), OPEN), ((), hidden), ((a_die(2, 0.6),), OPEN)):
            evidence, seen = evidence.seen(TableView(1.0, dice, cover))
        return 1 - seen[0].face[4]

    assert doubt(OPEN) > 0.3
    assert doubt(HAND) < 0.05
