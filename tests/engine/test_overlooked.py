"""Dice that a view does not show though they lie there: what that costs a story, and how often it is paid."""

from __future__ import annotations

import pytest

from engine.actions import Action, Rolled, parse_action
from engine.match import Match
from engine.overlooked import lost_dice
from engine.pools import packed
from engine.position import Position
from engine.sight import Seen, sightings
from engine.table import Area
from engine.touches import Touched, touch_factor
from engine.tracks import Tracks
from tests.engine.tables import table
from tests.engine.views import read_faces
from tests.engine.watched import Table

LAWN = {5: "rw.", 6: ".wb"}
MORE = {4: "rw.", 5: "rw.", 3: "rw."}


def tracks_of(seen: Table) -> Tracks:
    assert seen.referee.trail is not None
    return seen.referee.trail.tracks


def last_of_eight(seen: Table) -> dict[tuple[int, ...], float]:
    """How likely the tracks take each Big Roll of the first seat to be."""
    shares: dict[tuple[int, ...], float] = {}
    # Where nobody has begun to roll again.
    tracks = [each for each in tracks_of(seen).tracks if each.position.phase == "boundary-choice"]
    total = sum(track.prior * track.likelihood for track in tracks)
    for track in tracks:
        thrown = track.steps[0][0]
        assert isinstance(thrown, Rolled)
        each = track.prior * track.likelihood / total
        shares[thrown.faces] = shares.get(thrown.faces, 0.0) + each
    return shares


def test_a_die_that_is_overlooked_again_is_no_more_likely_this_face_than_that() -> None:
    seen = Table(Match.start(2))
    seen.look()
    seen.act("rolled 1 1 2 3 3 3 4 5", "rolled 1 1 1 1 1 2 2 5")
    seen.scene.take(0, 3)  # overlooked: it lies there
    for _ in range(3):
        seen.look(1)
        shares = last_of_eight(seen)
        for face in range(1, 7):
            rolled = tuple(sorted((1, 1, 2, 3, 3, 4, 5, face)))
            assert shares[rolled] == pytest.approx(1 / 6, rel=0.1)
        seen.scene.move(seen.scene.dice[-1], Area("row", 1))  # so that the views differ


def test_what_a_die_that_is_overlooked_costs_is_not_forgotten() -> None:  # rule 4:1
    seen = Table(table("boundary-choice red", {"red": "2334456", "blue": "1123456"}, LAWN))
    seen.look()
    seen.scene.take(0, 2)  # it may be in a hand, or be overlooked

    def odds() -> float:
        weights = {"boundary-choice": 0.0, "boundary-roll": 0.0}
        for track in tracks_of(seen).tracks:
            if track.position.phase in weights:
                weights[track.position.phase] += track.prior * track.likelihood
        return weights["boundary-roll"] / weights["boundary-choice"]

    seen.look(1)
    first = odds()
    assert first > 10
    assert 0 in tracks_of(seen).lost_of, "one that is unlikely to be overlooked, yet may be"
    seen.look(3)
    assert odds() == pytest.approx(first, rel=0.5)


def test_what_is_read_otherwise_where_it_lay_is_no_die_found_elsewhere() -> None:
    seen = Table(table("boundary-choice red", {"red": "1233456", "blue": "1123456"}, LAWN))
    seen.look()
    lost = seen.scene.take(0, 3)  # overlooked
    seen.look()
    tracks = tracks_of(seen)
    lay = seen.scene.take(0, 5)
    again = seen.scene.put(0, 5, lay.place, lay.xy_mm)

    def elsewhere() -> frozenset[int]:
        view = read_faces(seen.scene.view(), again.key, {2: 0.99})
        _, look = seen.referee._looked(view)
        return tracks.touched(look.seen, look.sights()[0], None).elsewhere[0]

    assert elsewhere() == frozenset()
    seen.scene.put(0, 3, lost.place, (150.0, 230.0))
    assert elsewhere() == {3}


def test_a_die_within_the_row_is_in_no_hand_that_places() -> None:  # rule 4:2.A
    seen = Table(table("placement red", {"red": "1123336", "blue": "1123456"}, LAWN))

    def lost() -> bool:
        view = seen.scene.view()
        _, dice = seen.referee.evidence.seen(view)
        sight = sightings(Seen(dice, frozenset(), 2))[0]
        return 0 in lost_dice([(seen.position, 1.0)], sight, frozenset())[0]

    inner = seen.scene.take(0, 3)
    assert lost()
    seen.scene.dice.append(inner)
    seen.scene.take(0, 6)
    assert not lost(), "it may be the one that is placed"


def test_where_the_overlooked_die_is_found_one_that_was_rolled_is_overlooked_anew() -> None:
    # Of 1 4 5 5 and one that is overlooked the 1 is rolled; now 4 5 5 lie where they lay, and there is a 6.
    start = table("boundary-choice red", {"red": "14556", "blue": "1123456"}, {**MORE, 6: ".wb"})
    kept = packed((4, 5, 5, 6))
    shown, lay = packed((4, 5, 5, 6)), packed((4, 5, 5))
    touched = Touched(
        (lay,) * 2,
        (3, 0),
        (0, 0),
        (0, 0),
        (4, 0),
        (packed((1, 4, 5, 5)),) * 2,
        held=(lay,) * 2,
        lacked=(1, 0, 0),
        shown=(shown,) * 2,
        gone=(packed((1,)),) * 2,
        new=(packed((6,)),) * 2,
        reread=(0, 0),
    )

    def rolled(face: int, row: int) -> float:
        steps, position = list[tuple[Action, Position]](), start
        for text in ("boundary low", f"rolled {face}"):
            action = parse_action(text)
            position = position.apply(action)
            steps.append((action, position))
        return touch_factor(start, position, tuple(steps), (row, packed(())), touched)

    assert rolled(2, kept) < 0.05 * rolled(6, kept)
