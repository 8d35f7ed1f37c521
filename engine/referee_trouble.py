"""What the referee does while no legal story fits: name a fault, find the mat turned round, or say
that the table is out of step.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.actions import Place
from engine.aside import set_aside
from engine.evidence import AGREES, turned, turned_place
from engine.fault_parts import Fault, may_lack, missing_dice
from engine.faults import faults
from engine.fitting import Fit
from engine.going_on import go_on
from engine.misread import Paid, as_paid, price
from engine.pools import ONE, packed
from engine.position import Position
from engine.questions import reading
from engine.referee_state import Look, Suspicion, Trail
from engine.retold import misread
from engine.rulings import differences
from engine.sight import Seen, Sight
from engine.stories import stories
from engine.story_parts import Steps, Story, common, without
from engine.touches import Touched
from engine.verdict import Agrees, Desync, Happened, Infringement, Turned, Unsure, Verdict

if TYPE_CHECKING:
    from engine.referee import Referee

FAULT_FITS = 1e-9  # the chance of what was rolled is part of it
FAULT_MARGIN = 10.0
"""How many times likelier than any legal story a fault must be to be named."""
PATIENT_MARGIN, PATIENT_S = 3.0, 2.0
"""The same once the table has lain so for so long, s."""

ASK_S = 2.5
"""For how long a table must rest, s, that a fault and a legal story explain about as well, before somebody is asked."""

UNANSWERED_S = 20.0
"""For how long nothing must fit, s, before the table is called out of step though that question is open."""

RENAMED = 100.0
"""How many times likelier another fault must be than the one that has been named."""

_MOST_ODDS = 1e3  # what a view tells at most against all legal stories of the views after it

ACCUSE_S = 1.5
DESYNC_S = 3.0
"""For how long a table must rest, s, before a fault is named, or it is called out of step."""

LONG_S = 1.0
"""For how long nothing must fit, s, before what hardly fits is followed."""

STRAINED = 4e-3
"""A legal story that fits no better than that is compared with faults."""

_TURNS = (1, 2)
_SETTLED_S = 0.7  # before that, what does not fit is not looked into
_FEW_VISITS = 300
_BASES = 3  # positions from which a fault is looked for
_FITS = 2e-3
FOLLOWED = 1e-7
POOR = 3e-5
"""A story that fits so well at least is followed, or believed, where no fault explains more."""


def least_of(trail: Trail) -> float:
    """How well a story of the opening must fit to be believed: once all have rolled, somebody may err."""
    return POOR if trail.tracks.likeliest.order else FOLLOWED


def trouble(
    referee: Referee, look: Look, sights: list[Sight], told: list[Story]
) -> tuple[Referee, tuple[Verdict, ...]]:
    """A view that no legal story explains well. told: those that explain it at all."""
    hidden = _only_overlooked(referee, look, sights)
    if hidden is not None:
        return hidden
    view = look.view
    waiting = replace(referee.waiting, cuts=(), doubt_s=None)
    missing = told and missing_dice(told[0].position, sights[0], waiting.missing)
    lost = waiting.missing
    found = not (told and lost and may_lack(told[0].position, sights[0], lost[0]))
    if not missing and found:
        waiting = replace(waiting, missing_s=None, missing=None)
    since = view.time_s if waiting.trouble_s is None else waiting.trouble_s
    referee = replace(referee, waiting=replace(waiting, trouble_s=since), provisional=None)
    if view.hidden:
        return replace(referee, waiting=replace(referee.waiting, fault="")), ()
    poor = bool(told) and told[0].fit >= POOR and referee.ended is None
    long = view.time_s - since >= LONG_S and look.is_clear and referee.ended is None
    follows = long and bool(told) and told[0].fit >= FOLLOWED
    if referee.ended is None and referee.trail is not None:
        aside = set_aside(referee.trail, look, told, sights[0])
        referee = replace(referee, trail=aside)
    if not (poor or follows) and view.still_s < _SETTLED_S:
        return referee, ()
    trail = referee.trail or Trail.at(referee.position)
    named, legal = _compared(referee, trail, look, sights, told)
    if referee.ended is None:
        trail = held(trail, named, legal)
        referee = replace(referee, trail=trail)
    referee = _suspecting(referee, look, named, legal)
    if named and _stands(referee, named) and legal < named.weight:
        return referee, ()  # not put right as long as it explains more than any legal story
    if view.still_s < _SETTLED_S:
        # That dice are misread shows at once; whether somebody erred, with more patience.
        misread = not named or legal * FAULT_MARGIN > named.weight
        if poor and misread:
            return referee._legal(look, told, sights[0])
        if follows and not (named and legal < named.weight):
            # Hasty players never let the table rest: what they go on from is kept in mind.
            referee = replace(referee, trail=trail.followed(told, look.seen, sights[0]))
        return referee, ()
    if named and named.fit >= FAULT_FITS and legal * PATIENT_MARGIN < named.weight:
        sure = legal * FAULT_MARGIN < named.weight or view.still_s >= PATIENT_S
        return _fault(referee, look, sights, named, sure)
    if poor:  # a die or two are misread
        return _legal_or_asked(referee, look, sights[0], told, named, legal)
    referee = replace(referee, waiting=replace(referee.waiting, fault=""))
    if follows and not (named and legal < named.weight):
        referee = replace(referee, trail=trail.followed(told, look.seen, sights[0]))
    if missing and told[0].fit >= FOLLOWED:
        referee, verdicts, stands = referee._watch(look, sights[0], told[0])
        if stands:
            return referee, verdicts
    other = _turned_round(referee, look)
    if other is not None:
        return other
    begun = referee.ended is None and any(
        die.likeliest_owner < look.seen.seats for spot in range(18) for die in sights[0].lying(spot)
    )
    if not begun and (referee.ended is not None or not referee.position.order):
        return _setting_up(referee)
    if _is_near(named, legal):
        asking = _asking(referee, look, sights[0], told)
        if asking is not None:
            return asking
        if _asks_for_a_reading(referee) and view.time_s - since < UNANSWERED_S:
            return referee, ()
    return _out_of_step(referee, look, sights[0], since)


def strained(
    referee: Referee, look: Look, sights: list[Sight], told: list[Story]
) -> tuple[Referee, tuple[Verdict, ...]]:
    """A view that legal stories explain: whether they are so strained that a fault explains more of what has
    been seen since the last view that left no doubt."""
    hidden = _only_overlooked(referee, look, sights)
    if hidden is not None:
        return hidden
    trail, view = referee.trail, look.view
    assert trail is not None
    if trail.firm is trail.tracks:  # nothing strained has been gone on from
        trail = replace(trail, firm=None, unit=0.0)
        referee = replace(referee, trail=trail)
    if view.hidden:
        return referee._legal(look, told, sights[0])
    doubted = trail.firm is not None or isinstance(referee.standing, Infringement)
    if not doubted and told[0].fit * price(told[0].paid) >= STRAINED:
        referee = replace(referee, waiting=replace(referee.waiting, against=None))
        if _asks_for_a_reading(referee):
            referee = replace(referee, standing=None)
        return referee._legal(look, told, sights[0])
    named, legal = _compared(referee, trail, look, sights, told)
    referee = _suspecting(referee, look, named, legal)
    kept = held(trail, named, legal)
    if kept.firm is not None and named is not None:
        if _stands(referee, named) and legal < named.weight:
            return referee, ()
        likelier = legal * PATIENT_MARGIN < named.weight and named.fit >= FAULT_FITS
        if likelier and view.still_s >= _SETTLED_S:
            sure = legal * FAULT_MARGIN < named.weight or view.still_s >= PATIENT_S
            return _fault(replace(referee, trail=kept), look, sights, named, sure)
    return _legal_or_asked(replace(referee, trail=kept), look, sights[0], told, named, legal)


def _asks_for_a_reading(referee: Referee) -> bool:
    """Whether the open question is what a die shows."""
    return isinstance(referee.standing, Unsure) and not referee.standing.guesses


def _legal_or_asked(
    referee: Referee,
    look: Look,
    sight: Sight,
    told: list[Story],
    named: Fault | None,
    legal: float,
) -> tuple[Referee, tuple[Verdict, ...]]:
    """The legal story, and where a fault explains about as much, for as long as nobody moves anything, the question
    what the die is on which it hangs."""
    near = _is_near(named, legal)
    if not near and _asks_for_a_reading(referee):
        referee = replace(referee, standing=None)
    referee, verdicts = referee._legal(look, told, sight)
    if not near or not all(map(_is_provisional, verdicts)):
        return referee, verdicts
    asking = _asking(referee, look, sight, told)
    if asking is not None:
        return asking
    if _asks_for_a_reading(referee):  # nor does a table that fits answer it
        verdicts = tuple(verdict for verdict in verdicts if not isinstance(verdict, Agrees))
    return referee, verdicts


def _is_near(named: Fault | None, legal: float) -> bool:
    """Whether a fault explains a view about as well as the best legal story, or better."""
    return named is not None and named.fit >= FAULT_FITS and legal < named.weight * FAULT_MARGIN


def _asking(
    referee: Referee, look: Look, sight: Sight, told: list[Story]
) -> tuple[Referee, tuple[Verdict, ...]] | None:
    """The question what the die is on which it hangs, once the table has lain so for a while."""
    if referee.standing is not None or not told or look.view.still_s < ASK_S:
        return None
    question = reading(told[0].position, sight)
    return None if question is None else (replace(referee, standing=question), (question,))


def _is_provisional(verdict: Verdict) -> bool:
    return isinstance(verdict, Agrees) or (isinstance(verdict, Happened) and not verdict.final)


def _suspecting(referee: Referee, look: Look, named: Fault | None, legal: float) -> Referee:
    """With what a view tells of a fault kept in mind, for views in which its dice are overlooked or lie elsewhere."""
    suspicion, against = None, referee.waiting.against
    if named is not None and _is_near(named, legal):
        sure = legal * FAULT_MARGIN < named.weight
        odds = min(named.weight / max(legal, 1e-300), _MOST_ODDS)
        seen = Suspicion(look.view.time_s, look.lying, named, odds, sure)
        if legal * PATIENT_MARGIN < named.weight:
            suspicion = seen
        if against is None or not against.is_of(named) or odds > against.odds:
            against = seen
    return replace(referee, waiting=replace(referee.waiting, suspicion=suspicion, against=against))


def _as_before(
    referee: Referee, look: Look, named: Fault, legal: float, told: list[Story]
) -> float:
    """How much the best legal story explains, where a view before told more against it than this one does: dice
    that have been touched since are read anew, and what was read before still counts."""
    against = referee.waiting.against
    player = named.said.player
    if against is None or player is None:
        return legal
    seat = referee.position.colours.index(player)
    if not against.holds_in(look, named, seat):
        return legal
    odds = against.odds
    if told and against.is_misread_again(look, seat, packed(told[0].position.rows[seat])):
        odds /= AGREES
    return min(legal, named.weight / odds)


def _only_overlooked(
    referee: Referee, look: Look, sights: list[Sight]
) -> tuple[Referee, tuple[Verdict, ...]] | None:
    """A view that shows no fault any more only because dice are overlooked that spoke for it; None for others."""
    suspicion = referee.waiting.suspicion
    if suspicion is None or look.view.hidden:
        return None
    # A die too many is taken away, and that is all.
    named = _stands(referee, suspicion.fault) and suspicion.fault.said.kind != "die-too-many"
    if not suspicion.hides_in(look, named):
        return None
    sure = suspicion.sure or look.view.still_s >= PATIENT_S
    return _fault(referee, look, sights, suspicion.fault, sure)


def _compared(
    referee: Referee, trail: Trail, look: Look, sights: list[Sight], told: list[Story]
) -> tuple[Fault | None, float]:
    """The fault that explains most, and how much the best legal story does, both since the view that left no
    doubt."""
    legal = told[0].weight if told else 0.0
    if trail.firm is not None and trail.firm is not trail.tracks:
        legal *= trail.unit
        trail = replace(trail, tracks=trail.firm)
        for turns in _TURNS:
            since = go_on(trail.tracks, look.seen, sights, look.tolerated, turns)
            legal = max(legal, since[0].weight if since else 0.0)
    touched = trail.tracks.touched(look.seen, sights[0], look.tolerated)
    free = touched.held or (0,) * look.seen.seats
    named: Fault | None = None
    stands: Fault | None = None
    for position, share, steps, rolls, paid in _bases(referee, trail, look):
        ended = position if position.is_over else referee.ended
        # What lies untouched since the last view may have been rolled since that position.
        lie = tuple(map(common, free, kept_since(position, steps)))
        # Dice that were misread before have been paid for, as in the stories that go on from there.
        found = faults(position, ended, as_paid(sights[0], paid), lie, rolls, touched, free)
        for fault in (replace(each, weight=each.weight * share) for each in found):
            if named is None or fault.weight > named.weight:
                named = fault
            if _stands(referee, fault) and (stands is None or fault.weight > stands.weight):
                stands = fault
    if named and stands and named.weight < RENAMED * stands.weight:
        named = stands
    if named is not None:
        legal = _as_before(referee, look, named, legal, told)
    return named, legal


def held(trail: Trail, named: Fault | None, legal: float) -> Trail:
    """Remembers the view that left no doubt as long as a fault comes near to explaining what follows."""
    if named is None or named.weight * FAULT_MARGIN <= legal:
        return replace(trail, firm=None, unit=0.0)
    return replace(trail, firm=trail.firm or trail.tracks)


def _bases(
    referee: Referee, trail: Trail, look: Look
) -> list[tuple[Position, float, Steps, list[tuple[float, int]], Paid]]:
    """From which positions, at the beginning of a turn, a fault may have been committed: of the
    likeliest tracks, each with its weight as stories that go on from it have it, the steps of the turn so
    far, the rows that its roll may have left, with their shares of the position's own, and the dice that
    were misread before."""
    weights: dict[Position, float] = {}
    shares: dict[Position, float] = {}
    turns: dict[Position, tuple[float, Steps, Paid]] = {}
    rolls: dict[Position, dict[int, float]] = {}
    tracks = trail.tracks.tracks
    root = trail.matches[0].position if trail.matches else referee.position
    paying = trail.tracks.paying(look.seen, look.tolerated)
    every = trail.tracks.weights(look.seen, look.tolerated, paying)
    for track, weight, paid in zip(tracks, every, paying, strict=True):
        begun = [
            at
            for at, (_, position) in enumerate(track.steps)
            if position.phase in ("boundary-choice", "round-over")
        ]
        position = track.steps[begun[-1]][1] if begun else root
        steps = track.steps[begun[-1] + 1 :] if begun else track.steps
        if not trail.tracks.seen or referee.ended is not None:
            position, steps = referee.position, ()
        share = track.prior * track.likelihood
        weights[position] = weights.get(position, 0.0) + weight
        shares[position] = shares.get(position, 0.0) + share
        known = turns.get(position, (0.0, (), ()))
        turns[position] = max(known, (share, steps, paid), key=lambda t: t[0])
        if steps and steps[-1][1].phase == "placement":
            row = packed(steps[-1][1].rows[position.turn])
            rows = rolls.setdefault(position, {})
            rows[row] = rows.get(row, 0.0) + weight
    likely = sorted((each for each in shares if weights[each] > 0), key=lambda p: -shares[p])
    if not likely:
        return [(referee.position, 1.0, (), [], ())]
    return [
        (
            position,
            weights[position],
            turns[position][1],
            [(each / weights[position], row) for row, each in rolls.get(position, {}).items()],
            turns[position][2],
        )
        for position in likely[:_BASES]
    ]


def kept_since(position: Position, steps: Steps) -> tuple[int, ...]:
    """Per seat the packed faces of the dice of its row that no step has rolled or played."""
    kept = list(map(packed, position.rows))
    for action, after in steps:
        turn = position.turn
        if position.phase == "boundary-choice":
            row = position.rows[turn]
            edge = row[0] if after.edge == "low" else row[-1]
            kept[turn] = without(kept[turn], ONE[edge - 1] * row.count(edge))
        elif position.phase == "grind-roll":
            kept[turn] = 0
        elif isinstance(action, Place):
            kept[turn] = common(kept[turn], packed(after.rows[turn]))
        position = after
    return tuple(kept)


def _fault(
    referee: Referee, look: Look, sights: list[Sight], named: Fault, sure: bool
) -> tuple[Referee, tuple[Verdict, ...]]:
    said = named.said
    again = referee.waiting.fault == said.kind
    referee = replace(referee, waiting=replace(referee.waiting, fault=said.kind))
    if not again or not sure or look.view.still_s < ACCUSE_S:
        return referee, ()
    if _stands(referee, named):
        return referee, ()
    question = misread(referee.match, referee.trail, look, sights) if referee.trail else None
    if question is None:
        trail = referee.trail
        if trail is not None and trail.firm is not None:
            # Once it is put right, the table shows again what it showed before.
            trail = replace(trail, tracks=trail.firm, firm=None, aside=None, unit=0.0)
        return replace(referee, standing=said, trail=trail), (said,)
    asked = referee.standing
    if isinstance(asked, Unsure) and asked.guesses == question.guesses:
        return referee, ()
    return replace(referee, standing=question), (question,)


def _stands(referee: Referee, named: Fault) -> bool:
    """Whether that fault has been named and is not put right."""
    standing, said = referee.standing, named.said
    return isinstance(standing, Infringement) and (standing.kind, standing.player) == (
        said.kind,
        said.player,
    )


def _turned_round(referee: Referee, look: Look) -> tuple[Referee, tuple[Verdict, ...]] | None:
    """Whether the table fits when the Lawn is turned by 180 degrees."""
    position = referee.position
    if position.is_over or not position.order:
        return None
    seen = Seen(
        turned(look.seen.dice), frozenset(map(turned_place, look.seen.hidden)), look.seen.seats
    )
    other = replace(look, seen=seen)
    fits = [Fit(sight) for sight in other.sights()[:2]]
    if max(fit.sight.fit(fit.likelihood(position, 0)) for fit in fits) < _FITS:
        return None
    told = stories(position, fits, [Touched()] * len(fits), visits=_FEW_VISITS)
    if not told or told[0].fit < _FITS or told[0].steps:
        return None
    now = not referee.turned
    said = "The mat lies turned by 180 degrees; it is read so from now on."
    if not now:
        said = "The mat lies as at first again; it is read so from now on."
    referee = replace(referee, turned=now, trail=Trail.at(position))
    referee, verdicts = referee._legal(other, told, fits[0].sight)
    return referee, (Turned(said, now), *verdicts)


def _setting_up(referee: Referee) -> tuple[Referee, tuple[Verdict, ...]]:
    verdicts: tuple[Verdict, ...] = (Agrees("setting-up"),)
    if referee.standing is not None:
        return replace(referee, standing=None), verdicts
    return referee, verdicts


def _out_of_step(
    referee: Referee, look: Look, sight: Sight, since: float
) -> tuple[Referee, tuple[Verdict, ...]]:
    view = look.view
    if referee.standing is not None and not isinstance(referee.standing, Unsure):
        return referee, ()
    if view.time_s - since < DESYNC_S or view.still_s < 1.0:
        return referee, ()
    said = Desync(
        "The table does not show what is expected: put it right, accept it as it lies, or "
        "correct what was read.",
        differences(referee.position, sight),
    )
    return replace(referee, standing=said), (said,)
