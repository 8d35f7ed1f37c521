"""A view that no story explains well is kept aside: what lay there may be gone with the next roll."""

from __future__ import annotations

from dataclasses import replace

from engine.table import Area
from tests.engine.tables import table
from tests.engine.watched import Table

BLUE = 1
LAWN = {1: "rrr", 2: "rwb", 4: "rwb", 6: "rrr"}


def alone_with(row: str) -> Table:
    """Blue is alone in the grind; rows 1 and 6 are locked."""
    rows, captured = {"red": "", "blue": row}, {"red": "16", "blue": "-"}
    seen = Table(table("boundary-choice blue", rows, LAWN, captured=captured))
    seen.look()
    return seen


def puts(seen: Table, faces: str, spots: list[tuple[float, float]]) -> None:
    for face, spot in zip(faces, spots, strict=True):
        seen.scene.put(BLUE, int(face), Area("row", BLUE), spot)


def rolls_three(seen: Table) -> None:
    """Of three 6 that are rolled, two show a 6 again and come to lie just where a 6 lay."""
    taken = [seen.scene.take(BLUE, 6).xy_mm for _ in range(3)]
    spots = [spot for spot in taken if spot is not None]
    puts(seen, "366", [(spots[0][0] + 9.0, spots[0][1] + 31.0), *spots[1:]])


def rolls_all(seen: Table) -> None:
    for face in (1, 1, 1, 3, 6, 6):
        seen.scene.take(BLUE, face)
    puts(seen, "122235", [(20.0 * n - 33.0, -95.0 - 7.0 * n) for n in range(6)])


def test_a_roll_that_was_hard_to_believe_is_told_once_the_next_one_shows_that_it_was() -> None:
    seen = alone_with("111666")  # rule 6:2.B
    rolls_three(seen)
    seen.look(1)
    assert seen.referee.trail is not None
    assert seen.referee.trail.aside is not None
    assert seen.referee.provisional is None
    rolls_all(seen)
    seen.look(3)
    told = seen.referee.provisional
    assert told is not None
    assert [str(entry.action) for entry in told.actions] == [
        "boundary high",
        "rolled 3 6 6",
        "rolled 1 2 2 2 3 5",
    ]


def test_a_view_that_is_taken_back_is_forgotten() -> None:
    seen = alone_with("111666")
    before = list(seen.scene.dice)
    rolls_three(seen)
    seen.look(1)
    seen.scene.dice = before
    seen.look(3)
    assert seen.final() == []
    assert seen.referee.trail is not None
    assert seen.referee.trail.aside is None


def test_that_a_die_is_found_again_is_not_that_the_players_went_on() -> None:  # rule 4:1.B
    rows, captured = {"red": "", "blue": "113355"}, {"red": "16", "blue": "-"}
    seen = Table(table("boundary-choice blue", rows, LAWN, captured=captured))
    seen.look()
    overlooked = seen.scene.at(2, "left")
    lay = [die for die in seen.scene.dice if die.owner == BLUE and die.face == 5]
    seen.scene.take(BLUE, 5)
    seen.scene.put(BLUE, 4, Area("row", BLUE))
    seen.scene.dice.remove(overlooked)
    seen.look(1)
    seen.scene.dice.append(replace(overlooked))
    seen.look(6, still_s=1.0)
    assert len(lay) == 2
    assert [fault.kind for fault in seen.infringements()] == ["part-of-set-rolled"]
