"""What the dice themselves tell between two views: which were touched, and how likely a story is so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.actions import Place
from engine.dice import Faces
from engine.evidence import NEAR_MM, Die
from engine.lawn import NEUTRAL
from engine.pools import MISSED_ANEW, chosen, contains, excess, packed, size, unpacked
from engine.position import Position
from engine.sight import Sight
from engine.story_parts import Loose, Steps, acted_in, common, without

_TOUCHED = 1e-4  # a die that lies where it lay was rolled after all, or misread before
_PASSED_OVER = 2e-2  # the same of a die that looks untouched but has a new key
_TIDIED = 0.6  # dice of a row into which some were just rolled are moved: it is put in order
_TIDIED_LATE = 0.1  # the same, but the player comes to roll again: they are moved to be rolled
_DISORDER = 0.03  # the same, but the row is not in order then
_LEFT_LYING = 0.3  # a row is rolled from before it was put in order
_LIKE_ORDER = 0.4  # dice that were just rolled lie in order
_FIDDLED = 0.02  # dice are moved, or hidden for a moment, without any reason
_EDGE_MOVED = 0.4  # a die that was pushed off is moved before it is rolled
_SAME_SPOT_MM = 4.0  # what is found again nearer than that was only overlooked; a die is 16 mm
_FOUND_AGAIN_MM = 2.5
"""A die of the Lawn that was overlooked, or lay under a hand, is found again nearer than that to where it
lay; of a row that slides, hardly all three dice are."""
_SURE = 0.9
_GHOST = 0.2  # what is so doubtful may be no die

LastSeen: TypeAlias = tuple[tuple[int, int, tuple[float, float]], ...]
"""(owner, face, x and y in mm) of each die where it was last seen."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What the dice themselves tell since the view before: which have been touched.

    sure: per seat the packed faces of the dice off the Lawn that lie where they lay and are read
        without doubt.
    same: per seat how many dice off the Lawn lie where they lay, touched or only passed over;
        () where that is not known.
    over: per seat how many of these were passed over, so that they may be others that look alike.
    ghosts: per seat how many of these may be no dice at all.
    seen: per seat how many dice are seen off the Lawn. before: per seat the packed faces of those
        that were seen in the view before, as they were read.
    lawn: rows 0..5 of the Lawn in which a die lies otherwise than in the view before.
    loose: per seat what came to its row before, so that it may yet be put in order.
    ordered: per seat whether its row lies in order; None where that cannot be said.
    held: per seat the packed faces of those of `sure` that nothing has passed over.
    lacked: per seat how many of its dice the view before did not show though they lay there.
    shown: per seat the packed faces of all dice seen off the Lawn. gone, new: of those that the view before
        showed and that are not where they lay, and of those that did not lie there.
    reread: of those of `sure` that were read otherwise in the view before. odd: of those of the view before
        that its position does not have; () where no position is meant.
    elsewhere: per seat faces of dice that have been overlooked, or taken up, since they were last seen: dice
        lie there now that did not, but none where one of that face was; () where that is not known.
    sound: idents of the dice that lay there in the last view that a legal story explained well.
    captured: how many captured dice are gone from where they lay, and how many have come.
    """

    sure: tuple[int, ...] = ()
    same: tuple[int, ...] = ()
    over: tuple[int, ...] = ()
    ghosts: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    lawn: frozenset[int] = frozenset()
    loose: tuple[Loose, ...] = ("",) * 3
    ordered: tuple[bool | None, ...] = (None,) * 3
    held: tuple[int, ...] = ()
    lacked: tuple[int, ...] = (0,) * 3
    shown: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    reread: tuple[int, ...] = ()
    odd: tuple[int, ...] = ()
    elsewhere: tuple[frozenset[int], ...] = ()
    sound: frozenset[int] = frozenset()
    captured: tuple[int, int] = (0, 0)

    def of(self, seat: int) -> tuple[object, ...]:
        """All that is told of one seat's dice: what `seat_touch` asks for."""
        each = (self.sure, self.same, self.over, self.ghosts, self.seen, self.before, self.loose)
        more = (self.ordered, self.held, self.lacked, self.shown, self.gone, self.new, self.reread)
        return tuple(told[seat] if told else None for told in (*each, *more, self.odd))

    def lacking(self, lacked: tuple[int, ...], lying: Sequence[int]) -> tuple[int, ...]:
        """Per seat how many dice were overlooked in the view before and may be so still: not where they
        have been found elsewhere. lying: per seat the packed faces of the dice off the Lawn."""
        if not self.elsewhere:
            return lacked
        return tuple(
            0 if each and set(unpacked(without(lie, before))) <= moved else each
            for each, moved, lie, before in zip(
                lacked, self.elsewhere, lying, self.before, strict=False
            )
        )

    def moved_captured(self, captures: int) -> float:
        """P(which captured dice were touched | so many were captured since): nobody has a reason to (5:3.B)."""
        gone, came = self.captured
        return _FIDDLED if min(gone, came - captures) > 0 else 1.0

    def since(self, rows: Sequence[Faces]) -> Touched:
        """The same as stories see it that go on from a position with these rows."""
        if not self.before:
            return self
        odd = zip(self.before, rows, strict=True)
        return replace(self, odd=tuple(without(before, packed(row)) for before, row in odd))


def touched_since(
    old: Sight, now: Sight, ordered: tuple[bool | None, ...], overlooked: LastSeen = ()
) -> Touched:
    """What the dice tell that were touched between two views; which seats' rows lie in order now; where the
    dice were last seen that may have been overlooked in the older one."""
    sure, held, same, over, ghosts, count, lay = [], [], [], [], [], [], []
    shown, gone, new, reread, elsewhere = [], [], [], [], []
    moved = {
        spot // 3
        for spot in range(18)
        if old.lying(spot)
        and now.lying(spot)
        and not any(_is_there(die, old.lying(spot)) for die in now.lying(spot))
    }
    for seat in range(now.seen.seats):
        before = {die.ident: die for die in old.off_lawn(seat)}
        dice = now.off_lawn(seat)
        lay_as = {die.ident: die.ident for die in dice if die.ident in before} | _found_again(
            dice, before
        )
        lies = [die for die in dice if die.ident in lay_as]
        same.append(len(lies))
        over.append(sum(die.key != before[lay_as[die.ident]].key for die in lies))
        ghosts.append(sum(die.spurious > _GHOST for die in lies))
        count.append(len(dice))
        lay.append(faces_of(before.values()))
        known = [die for die in lies if max(die.face) > _SURE]
        sure.append(faces_of(known))
        held.append(faces_of(die for die in known if die.key == before[lay_as[die.ident]].key))
        there = {lay_as[die.ident] for die in lies}
        shown.append(faces_of(dice))
        gone.append(faces_of(die for die in before.values() if die.ident not in there))
        came = [die for die in dice if die.ident not in lay_as]
        at: dict[int, list[tuple[float, float]]] = {}
        for owner, face, spot in overlooked:
            if owner == seat:
                at.setdefault(face, []).append(spot)
        new.append(faces_of(came))
        moved_faces = (
            face for face, spots in at.items() if not any(_lies_at(die, spots) for die in came)
        )
        lost = [die.xy_mm for n, die in before.items() if n not in there and die.xy_mm is not None]
        # What lies where another one lay is that one, read otherwise.
        other = [die for die in came if not lost or not _lies_at(die, lost)]
        found = len(other) > _pushed_off(old, moved, seat)
        elsewhere.append(frozenset(moved_faces if found else ()))
        reread.append(
            faces_of(d for d in known if d.likeliest_face != before[lay_as[d.ident]].likeliest_face)
        )
    lay_taken, taken = (
        {die.ident for die in sight.off_lawn(NEUTRAL) if die.spurious < _GHOST}
        for sight in (old, now)
    )
    return Touched(
        tuple(sure),
        tuple(same),
        tuple(over),
        tuple(ghosts),
        tuple(count),
        tuple(lay),
        frozenset(moved),
        ordered=ordered,
        held=tuple(held),
        shown=tuple(shown),
        gone=tuple(gone),
        new=tuple(new),
        reread=tuple(reread),
        elsewhere=tuple(elsewhere),
        captured=(len(lay_taken - taken), len(taken - lay_taken)),
    )


def _found_again(dice: Sequence[Die], before: dict[int, Die]) -> dict[int, int]:
    """By the idents of dice of an owner that nobody has seen for a while and that are found just where one lay
    that is read as they are: the idents of those. Only where no die has moved: in a row that is put in order
    dice come to lie where others of their face lay."""
    there = {die.ident for die in dice}
    gone = [die for ident, die in before.items() if ident not in there]
    came = [die for die in dice if die.ident not in before]
    if len(came) != len(gone):
        return {}
    found: dict[int, int] = {}
    for die in came:
        for other in gone:
            if die.read == other.read and _is_near(die, other, NEAR_MM):
                found[die.ident] = other.ident
                gone.remove(other)
                break
    return {} if gone else found


def _is_near(die: Die, other: Die, least_mm: float) -> bool:
    """Whether two dice, seen at different times, lie nearer to each other than that."""
    if die.xy_mm is None or other.xy_mm is None:
        return False
    return max(abs(a - b) for a, b in zip(die.xy_mm, other.xy_mm, strict=True)) < least_mm


def _pushed_off(old: Sight, rows: Iterable[int], seat: int) -> int:
    """How many dice of a seat may have come from the flanks of these rows of the Lawn, which have been moved:
    none of them is one that was overlooked off it."""
    flanks = [old.lying(3 * row) + old.lying(3 * row + 2) for row in rows]
    return sum(any(die.likeliest_owner == seat for die in dice) for dice in flanks)


def last_seen(old: Sight, now: Sight, owners: Iterable[int], before: LastSeen) -> LastSeen:
    """Where dice off the Lawn were last seen of these owners, of whom one is overlooked now.

    before: the same of the older view, of the owners of whom one was overlooked then.
    """
    there = {die.ident for die in now.seen.dice}
    gone = [
        (owner, die.likeliest_face, die.xy_mm)
        for owner in owners
        for die in old.off_lawn(owner)
        if die.ident not in there and die.xy_mm is not None
    ]
    return (*(each for each in before if each[0] in owners), *gone)


def _is_there(die: Die, before: Iterable[Die]) -> bool:
    """Whether a die of the Lawn is one of those that lay there, or lies and is read as one of them was."""
    return any(
        die.ident == other.ident
        or (die.read == other.read and _is_near(die, other, _FOUND_AGAIN_MM))
        for other in before
    )


def _lies_at(die: Die, spots: Iterable[tuple[float, float]]) -> bool:
    return die.xy_mm is None or any(
        max(abs(die.xy_mm[0] - x), abs(die.xy_mm[1] - y)) < _SAME_SPOT_MM for x, y in spots
    )


def faces_of(dice: Iterable[Die]) -> int:
    """The packed faces of dice as they are read."""
    return packed(tuple(sorted(die.likeliest_face for die in dice)))


def touch_factor(
    start: Position,
    position: Position,
    steps: Steps,
    kept: tuple[int, ...],
    touched: Touched,
    acted: Sequence[bool] | None = None,
    known: dict[object, float] | None = None,
) -> float:
    """P(which dice were touched | the story), for dice off the Lawn.

    start: the position before the steps. kept: per seat the packed faces of the dice that the story
    leaves where they are. acted: per seat whether its dice were rolled in the steps, where that is known.
    known: what has been worked out already of this start and `touched`.
    """
    known = {} if known is None else known
    factor = 1.0
    if any(
        position.lawn[row] == start.lawn[row] and not _played(steps, row + 1)
        for row in touched.lawn
    ):
        # Once, however many rows: a hand, a nudged mat or one found anew moves several together.
        factor *= _FIDDLED
    factor *= touched.moved_captured(_taken(position) - _taken(start))
    begun = bool(start.order)
    for seat in range(len(touched.same)):
        rolled = acted[seat] if acted is not None else acted_in(start, steps, seat)
        pushed = not steps and position.phase == "re-entry" and seat == position.displaced
        late = (
            touched.loose[seat] == "rolled"
            and not rolled
            and seat == position.turn
            and position.phase == "boundary-choice"
        )
        row = packed(position.rows[seat])
        key = seat, kept[seat], row, rolled, pushed, late
        each = known.get(key)
        if each is None:
            each = seat_touch(touched, seat, kept[seat], row, rolled, begun, pushed, late)
            known[key] = each
        factor *= each
        lifted = seat == position.turn and position.phase in ("boundary-roll", "grind-roll")
        if rolled and touched.lacked[seat] and not lifted:
            factor *= _rolled_unseen(touched, seat, kept[seat], row)
    return factor


def _rolled_unseen(touched: Touched, seat: int, kept: int, row: int) -> float:
    """What it costs that a die that was rolled is overlooked, where the one of its row that was overlooked before
    is seen now: it is another one."""
    new, rolled = touched.new[seat], without(row, kept)
    found = without(kept, touched.before[seat])
    if touched.seen[seat] >= size(row) or not found or not contains(new, found):
        return 1.0
    return 1.0 if contains(new, rolled) else MISSED_ANEW * chosen(row, touched.shown[seat])


def _taken(position: Position) -> int:
    return sum(map(len, position.captured))


def seat_touch(
    touched: Touched,
    seat: int,
    kept: int,
    row: int,
    rolled: bool,
    begun: bool,
    pushed: bool = False,
    late: bool = False,
) -> float:
    """P(which of a seat's dice off the Lawn were touched | a story).

    kept: the packed faces of the dice that the story leaves where they are. row: of all of them.
    rolled: the story rolls dice of that seat. begun: the turn order is settled. pushed: a die was pushed
    off before and lies there besides the row. late: the row was rolled into before and is in turn to be
    rolled from, which is never likelier.
    """
    factor = 1.0
    there = touched.same[seat]
    left, part = size(kept), touched.sure[seat]
    surely = over = 0
    if part and not contains(kept, part):
        # What is seen more often than it is in the row is misread, and weighed so: maybe just that die.
        other = without(part, kept)
        misread = without(touched.shown[seat], row) if touched.shown else without(part, row)
        if touched.odd:
            # But not one that was read as it is now when the row was read right.
            misread = common(misread, touched.odd[seat] + touched.reread[seat])
        other = without(other, misread)
        surely, over = size(other), touched.over[seat]
        if touched.held:
            over = size(common(other, without(part, touched.held[seat])))
        over = min(surely, over)
        factor *= _TOUCHED ** (surely - over) * _PASSED_OVER**over
    more = there - touched.ghosts[seat] - left - pushed - surely
    if more > 0 and begun:
        # However it is read, what has kept its key was not rolled.
        passed = min(more, max(0, touched.over[seat] - over))
        factor *= _TOUCHED ** (more - passed) * _PASSED_OVER**passed
    if rolled and touched.ordered[seat]:
        factor *= _LIKE_ORDER
    if rolled and touched.loose[seat]:
        factor *= _LEFT_LYING
    # A die that is overlooked may well be one of those that lie where they lay, or was so before.
    unseen, lay = max(0, size(row) - touched.seen[seat]), left
    if touched.lacked[seat]:
        lay = max(left - touched.lacked[seat], size(common(kept, touched.before[seat])))
        unseen = max(0, unseen - (left - lay))
        anew = False
        if unseen and lay > there:
            # Of more that are not seen, the one that was overlooked before is one: what the others cost is counted.
            anew = lay == left
        elif touched.gone and touched.seen[seat] < size(row):
            # It is another die now that is overlooked, where nothing new shows what is gone.
            anew = excess(common(kept, touched.gone[seat]), touched.new[seat]) > 0
        if anew:
            factor *= MISSED_ANEW * chosen(row, touched.shown[seat] if touched.shown else 0)
    if pushed and pushed_moved(touched, seat, kept):
        factor *= _EDGE_MOVED
    elif min(lay - unseen, touched.seen[seat]) > there:
        if touched.loose[seat] or rolled:
            tidied = _TIDIED_LATE if late else _TIDIED
            if late and size(row) == 1:
                tidied = _FIDDLED  # a single die is in order as it lies
            factor *= _DISORDER if touched.ordered[seat] is False else tidied
        else:
            factor *= _FIDDLED
    return factor


def pushed_moved(touched: Touched, seat: int, kept: int) -> bool:
    """Whether a die that was pushed off before lies elsewhere now, besides those of its owner's row that are
    left where they lie."""
    return bool(touched.same) and touched.same[seat] <= size(kept) < touched.seen[seat]


def _played(steps: Steps, face: int) -> bool:
    return any(isinstance(action, Place) and action.face == face for action, _ in steps)
