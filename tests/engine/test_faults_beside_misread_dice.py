"""Faults where a die is misread all along, or where a track has rolled what another one has not."""

from __future__ import annotations

import pytest

from engine.faults import faults
from engine.pools import packed
from engine.table import Area
from tests.engine.tables import table
from tests.engine.watched import Table

LAWN = {5: "rw.", 6: ".wb"}
RED = 0


def red_has(row: str) -> Table:
    return Table(table("boundary-choice red", {"red": row, "blue": "1122223"}, LAWN))


def test_a_die_that_is_misread_all_along_costs_a_fault_no_more_than_a_legal_story() -> (
    None
):  # 4:1.B
    seen = red_has("3344456")
    misread = next(die for die in seen.scene.dice if (die.owner, die.face) == (RED, 4))
    seen.misread[misread.key] = {2: 0.9999, 4: 0.00005}
    seen.look(3)
    seen.scene.take(RED, 3)
    seen.scene.put(RED, 6, Area("row", RED))
    seen.look(7)
    assert [fault.kind for fault in seen.infringements()] == ["part-of-set-rolled"]


@pytest.mark.parametrize("rolled", [0.3, 1.0])
def test_a_part_of_a_set_may_be_rolled_where_only_some_tracks_have_rolled_the_set(
    rolled: float,
) -> None:  # rule 4:1.B
    seen = red_has("2233444")
    seen.look()
    seen.scene.take(RED, 2)
    seen.scene.put(RED, 5, Area("row", RED))
    _, look = seen.referee._looked(seen.scene.view())
    assert seen.referee.trail is not None
    sight = look.sights()[0]
    touched = seen.referee.trail.tracks.touched(look.seen, sight, {})
    lie = touched.held
    assert lie[RED] == packed((2, 3, 3, 4, 4, 4))
    # The likeliest track has rolled both 2s, so that nothing is known of one that lies since.
    untouched = (packed((3, 3, 4, 4, 4)), lie[1])
    rolls = [(rolled, packed((2, 2, 3, 3, 4, 4, 4)))]
    found = faults(seen.position, None, sight, untouched, rolls, touched, lie)
    kinds = {fault.said.kind for fault in found}
    assert ("part-of-set-rolled" in kinds) == (rolled < 1)
