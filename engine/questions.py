"""A question to the players: where the likeliest story parts from others that cannot be told from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.actions import BoundaryRoll
from engine.evidence import Die
from engine.pools import packed, unpacked
from engine.position import Position
from engine.sight import Sight
from engine.story_parts import Marks, Steps, Story, ends_of, marks_of, without
from engine.table import LawnPlace
from engine.table import Place as At
from engine.touches import faces_of
from engine.verdict import Guess, Unsure
from engine.weighing import MARGIN, entries, shared

_MOST = 6  # answers: as many as a die has faces


@dataclass(slots=True)
class _Answer:
    """What is answered by some stories alike: the heaviest of them, up to which of its steps it is told,
    and what they weigh together."""

    story: Story
    cut: int
    weight: float = 0.0


@dataclass(slots=True)
class _Parting:
    """The stories that part from the best one at one mark, by what they say instead."""

    weight: float = 0.0
    answers: dict[Marks, _Answer] = field(default_factory=dict)


def guesses(
    before: Position, told: list[Story], seen: Sight, committed: int, replaces: int = 0
) -> Unsure | None:
    """A question between stories that contradict each other, or None.

    It is asked about the first thing only in which they differ: who answers need not know how what came
    after that has been read.

    before: the position after the marks that are final already, committed: their number. replaces: how
    many final actions follow these, which the best story denies. A story that another one only goes on
    from contradicts it not.
    """
    best = told[0]
    partings = _partings(told, committed)
    agree = sum(story.weight for story in told)
    for at in sorted(partings):
        agree -= partings[at].weight  # who parts later says the same up to here
        if partings[at].weight * MARGIN >= max(agree, best.weight):
            break
    else:
        return None
    rivals = sorted(partings[at].answers.values(), key=lambda answer: -answer.weight)
    ends = ends_of(best.steps)
    own = _Answer(best, ends[at] if at < len(ends) else len(best.steps), agree)
    chosen = [own, *rivals[: _MOST - 1]]
    total = sum(answer.weight for answer in chosen)
    odds: dict[Steps, float] = {}
    for answer in chosen:
        steps = _after(answer.story.steps[: answer.cut], committed)
        odds[steps] = odds.get(steps, 0.0) + answer.weight / total
    if replaces and not all(odds):
        return None  # that nothing has happened cannot be put in the place of what is final
    options = _options(before, odds, replaces)
    return _asked(_telling(best.position, rivals[0].story.position, seen), options)


def told_otherwise(
    before: Position, told: list[Story], seen: Sight, agreed: int, replaces: int
) -> Unsure | None:
    """A question whether stories happened that all deny what is final, about the first thing only in which
    they do; None where they tell nothing.

    before: the position after the marks that are final and that the best of them shares, agreed: their
    number. replaces: how many final actions follow these.
    """
    best = told[0]
    kept = marks_of(best.steps)[:agreed]
    odds: dict[Steps, float] = {}
    for story in told:
        ends = ends_of(story.steps)
        if len(ends) > agreed and story.fit > 0 and marks_of(story.steps)[:agreed] == kept:
            steps = _after(story.steps[: ends[agreed]], agreed)
            odds[steps] = odds.get(steps, 0.0) + story.weight
    chosen = sorted(odds, key=lambda steps: -odds[steps])[:_MOST]
    total = sum(odds[steps] for steps in chosen)
    options = _options(before, {steps: odds[steps] / total for steps in chosen}, replaces)
    return _asked(_telling(best.position, before, seen), options) if options else None


def reading(legal: Position, sight: Sight) -> Unsure | None:
    """A question what a die shows on whose reading it hangs whether somebody erred: one that must be misread, or
    none at all, where the table shows that position. None where no die is.

    Whoever answers it says what the die is (`Referee.corrected`).
    """
    odd: list[Die] = []
    for seat, row in enumerate(legal.rows):
        dice = sight.off_lawn(seat)
        faces = unpacked(without(faces_of(dice), packed(row)))
        odd += [die for die in dice if die.likeliest_face in faces]
    for spot, owner in enumerate(owner for row in legal.lawn for owner in row):
        expected = (owner, sight.tolerated.get(spot, spot // 3 + 1))
        odd += [die for die in sight.lying(spot) if die.read != expected]
    asked = [die for die in odd if not die.pinned]
    if not asked:
        return None
    die = min(asked, key=lambda die: max(die.face))
    return Unsure(
        f"It hangs on one die whether all was done by the rules; look at the die {_where(die.place)} and say what "
        "it is.",
        (die.place,),
        (die.key,),
        (),
    )


def _options(before: Position, shares: dict[Steps, float], replaces: int) -> tuple[Guess, ...]:
    """The answers to choose from, each with its share of them all."""
    return tuple(
        Guess(entries(before, steps), round(share, 3), _in_words(before, steps), replaces)
        for steps, share in shares.items()
    )


def _asked(die: Die | None, options: tuple[Guess, ...]) -> Unsure:
    where = f" {_where(die.place)}" if die else ""
    return Unsure(
        f"It cannot be seen what happened; look at the die{where} and say which it is.",
        (die.place,) if die else (),
        (die.key,) if die else (),
        options,
    )


def _partings(told: list[Story], committed: int) -> dict[int, _Parting]:
    """By the number of the mark at which they part from the best story, those that contradict it."""
    best = told[0]
    marks = marks_of(best.steps)
    passed = {position for _, position in best.steps}
    found: dict[int, _Parting] = {}
    for story in told[1:]:
        other = marks_of(story.steps)
        # What is final is taken back when another story is sure, not by asking; how it came to that is
        # another question too.
        final = committed <= len(other) and other[:committed][-1:] == marks[:committed][-1:]
        if story.fit <= 0 or not final:
            continue
        same = committed + shared(marks[committed:], other[committed:])
        if same < min(len(marks), len(other)):
            at, key, cut = same, other[same : same + 1], ends_of(story.steps)[same]
        # In the middle of a turn that the best story has played otherwise, or not at the end yet.
        elif (same == len(other) < len(marks) and story.position not in passed) or (
            best.position.is_over and not story.position.is_over
        ):
            at, key, cut = len(marks), (*other, story.position), len(story.steps)
        else:
            continue
        parting = found.setdefault(at, _Parting())
        parting.weight += story.weight
        parting.answers.setdefault(key, _Answer(story, cut)).weight += story.weight
    return found


def _after(steps: Steps, committed: int) -> Steps:
    ends = ends_of(steps)
    return steps[ends[committed - 1] :] if 0 < committed <= len(ends) else steps


def _telling(one: Position, other: Position, sight: Sight) -> Die | None:
    """The most doubtful of the dice in which two positions differ."""
    dice: list[Die] = []
    for seat, (row, there) in enumerate(zip(one.rows, other.rows, strict=True)):
        if row != there:
            dice += sight.off_lawn(seat)
    for at, (owners, others) in enumerate(zip(one.lawn, other.lawn, strict=True)):
        if owners != others:
            dice += [die for side in range(3) for die in sight.lying(3 * at + side)]
    dice = [die for die in dice or list(sight.seen.dice) if not die.pinned]
    return min(dice, key=lambda die: max(die.face), default=None)


def _where(place: At) -> str:
    if isinstance(place, LawnPlace):
        return f"on the Lawn, row {place.row} {place.side}"
    return "off the Lawn"


def _in_words(before: Position, steps: Steps) -> str:
    if not steps:
        return "Nothing has happened."
    said = []
    for action, after in steps:
        if not isinstance(action, BoundaryRoll):
            who = before.colours[before.turn].capitalize()
            said.append(f"{who}: {before.name(action)}")
        before = after
    return "; ".join(said) + "."
