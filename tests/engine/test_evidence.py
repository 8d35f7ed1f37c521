"""What is known of a die from view to view, and of one that may be another than the one that lay there."""

from __future__ import annotations

from engine.evidence import Die, Evidence
from engine.table import Area
from tests.engine.views import Lying, Scene, read_faces


def found_again(near_mm: float, shares: dict[int, float]) -> Die:
    """A die that is newly found so far from where a 2 lay for three views, read so."""
    scene, lay, evidence = a_two_seen_three_times()
    scene.dice.remove(lay)
    new = scene.put(0, 2, Area("row", 0), (40.0 + near_mm, 190.0))
    (die,) = evidence.seen(read_faces(scene.view(), new.key, shares))[1]
    return die


def a_two_seen_three_times() -> tuple[Scene, Lying, Evidence]:
    """A die of the first seat that shows a 2, and what three views have told of it."""
    scene, evidence = Scene(), Evidence()
    die = scene.put(0, 2, Area("row", 0), (40.0, 190.0))
    for _ in range(3):
        evidence, _ = evidence.seen(scene.view(doubt=1e-4))
    return scene, die, evidence


def test_a_die_that_is_found_anew_where_one_lay_that_looked_alike_is_that_one() -> None:
    assert found_again(1.0, {2: 0.99}).ident == 1
    assert found_again(4.0, {2: 0.99}).ident == 2


def test_a_die_put_where_one_lay_that_looked_alike_keeps_its_own_doubt() -> None:  # rule 4:1.C
    die = found_again(
        1.0, {2: 0.77, 4: 0.2}
    )  # a row that is put in order: here another one lies now
    assert die.ident == 1
    assert die.likeliest_face == 2
    assert die.face[3] > 1e-3


def test_whether_another_die_was_put_where_one_lay_is_learned_from_what_is_read_since() -> None:
    scene, lay, evidence = a_two_seen_three_times()
    scene.dice.remove(lay)
    new = scene.put(0, 4, Area("row", 0), (41.0, 190.0))
    evidence, (die,) = evidence.seen(read_faces(scene.view(), new.key, {2: 0.94, 4: 0.05}))
    assert die.face[3] < 2e-3
    for _ in range(2):
        evidence, (die,) = evidence.seen(scene.view(doubt=1e-3))
    assert die.face[3] > 0.05


def test_a_die_that_keeps_its_key_is_known_from_all_its_views() -> None:
    scene, die, evidence = a_two_seen_three_times()
    view = read_faces(scene.view(), die.key, {2: 0.77, 4: 0.2})
    (known,) = evidence.seen(view)[1]
    assert known.face[3] < 1e-4
