"""What is known of dice that are read wrong."""

from __future__ import annotations

from engine.evidence import Evidence
from engine.known_dice import known_dice
from engine.position import Position
from engine.sight import Seen, sightings
from engine.table import Area
from tests.engine.tables import play
from tests.engine.views import Scene


def test_what_is_rolled_to_break_a_tie_before_its_turn_in_the_log_is_not_misread() -> None:
    tied = "rolled 1 1 2 3 3 4 5 5"  # rule 3:4.B
    position = play(Position.start(2), tied, tied)
    assert position.phase == "tie-break"
    scene = Scene.of(position)
    for _ in range(8):
        scene.take(1)
    for face in (1, 2, 2, 3, 4, 4, 5, 6):
        scene.put(1, face, Area("row", 1))
    _, dice = Evidence().seen(scene.view())
    sight = sightings(Seen(dice, frozenset(), 2))[0]
    assert known_dice([(position, 1.0)], sight, None, frozenset()) == ()
