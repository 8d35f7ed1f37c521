"""A view that was not believed, kept aside: what it showed is gone when the players go on from it.

A roll that lies in order again with two of its faces where they lay, or dice that are misread and overlooked
at once, make a view that no story explains well. It may be no rest at all, so that nothing is gone on from it;
but where the next table is hard to explain without it, and easy with it, it was one.
"""

from __future__ import annotations

from dataclasses import replace

from engine.going_on import go_on
from engine.referee_state import GHOST, Look, Trail
from engine.retold import FITS_WELL
from engine.sight import Seen, Sight
from engine.story_parts import Story

_FITS = 1e-7  # at least so well a story must fit a view that is kept aside
_EASILY = 0.05  # and so well what goes on from it: it is only believed where it makes all easy
_USUAL = 1e-5  # prior from which on a story that fits well needs no other view to be believed
_NO_REST = 1e-4  # chance that a view was of no table at rest at all
_TURNS = (1, 2)


def set_aside(trail: Trail, look: Look, told: list[Story], sight: Sight) -> Trail:
    """With a view kept aside that these stories explain, though none of them well."""
    if not look.is_clear or not told or told[0].fit < _FITS or not told[0].position.order:
        return trail
    price = told[0].weight / sight.par
    return replace(trail, aside=(trail.tracks.followed(told, look.seen, sight), price))


def resumed(
    trail: Trail, look: Look, sights: list[Sight], told: list[Story]
) -> tuple[Trail, list[Story]]:
    """The trail and the stories of a view, given those that go on from the last view that was believed:
    from the one kept aside where the two together are likelier so."""
    if trail.aside is None or trail.tracks.seen is None:
        return trail, told
    tracks, price = trail.aside
    if not _went_on(tracks.seen, look):
        return trail, told
    if told and told[0].fit >= FITS_WELL and told[0].prior >= _USUAL:
        return trail, told
    other: list[Story] = []
    for turns in _TURNS:
        other = go_on(tracks, look.seen, sights, look.tolerated, turns)
        if other and other[0].fit >= _EASILY:
            break
    best = told[0].weight if told else 0.0
    if not other or other[0].fit < _EASILY or other[0].weight * price <= best * _NO_REST:
        return trail, told
    firm = trail.firm or trail.tracks  # a fault may explain more since
    return replace(trail, tracks=tracks, aside=None, firm=firm, unit=price), other


def _went_on(before: Seen | None, look: Look) -> bool:
    """Whether dice have been moved since that view, and not only overlooked or found."""
    if before is None:
        return False
    lay = {die.ident for die in before.dice if die.spurious <= GHOST}
    return bool(lay - look.surely and look.surely - lay)
