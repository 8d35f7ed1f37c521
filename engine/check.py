"""Whether a position that was typed, sent or seen can be: equipment, order, phase (1:1, 1:2, 3)."""

from __future__ import annotations

import re

from engine.big_roll import score
from engine.dice import (
    DICE_PER_PLAYER,
    FACES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NEUTRAL_COLOUR,
)
from engine.errors import PositionError, shown
from engine.lawn import EMPTY, NEUTRAL, is_blocked, locked_mask
from engine.parts import NOBODY, Parts, is_solo, is_stuck, lawn_count, round_end

_COLOUR = re.compile(r"[a-z]{1,12}")

_BEFORE_TURNS = ("big-roll", "bonus-choice", "tie-break")


def colours_checked(colours: object, players: int | None = None) -> tuple[str, ...]:
    """Two or three different colours of lower-case letters, none of them the neutral one.

    Raises:
        PositionError: they are not.
    """
    if not isinstance(colours, tuple | list):
        raise PositionError(f"colours are a sequence of words, not {shown(colours)}")
    if not MIN_PLAYERS <= len(colours) <= MAX_PLAYERS:
        raise PositionError(
            f"two or three players can play, not {len(colours)}", field="players", rule="1:1"
        )
    if players is not None and players != len(colours):
        raise PositionError(f"{len(colours)} colours do not fit {shown(players)} players")
    for colour in colours:
        if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
            raise PositionError(
                f"a colour is one word of at most 12 lower-case letters a-z, not {shown(colour)}",
                field="players",
            )
        if colour == NEUTRAL_COLOUR:
            raise PositionError(
                f"{NEUTRAL_COLOUR} is the colour of the neutral dice", field="players", rule="1:1.B"
            )
    if len(set(colours)) != len(colours):
        raise PositionError("each player needs a unique colour", field="players", rule="1:1")
    return tuple(colours)


def check(parts: Parts) -> None:
    """Check contents whose types and shapes are right already (the readers see to that).

    Raises:
        PositionError: with field, reason and rule.
    """
    colours_checked(parts.opening.colours)
    _check_opening(parts)
    _check_lawn(parts)
    _check_dice(parts)
    if parts.phase in _BEFORE_TURNS:
        _check_before_turns(parts)
    else:
        _check_turn(parts)


def _fail(field: str, reason: str, rule: str = "") -> PositionError:
    return PositionError(reason, field=field, rule=rule)


def _check_opening(parts: Parts) -> None:
    opening = parts.opening
    for seat, colour in enumerate(opening.colours):
        field = f"big-rolls of {colour}"
        faces, claimed = opening.big_rolls[seat], opening.bonuses[seat]
        if not faces:
            if parts.phase != "big-roll":
                raise _fail(field, "the Big Roll is missing", "3:1.A")
            if claimed:
                raise _fail(field, "there is a bonus without a Big Roll", "3:2")
            continue
        qualifying = [bonus.category for bonus in score(faces).bonuses]
        if claimed and claimed not in qualifying:
            raise _fail(field, f"the roll does not qualify for {claimed}", "3:2")
        electing = bool(opening.elections(seat))
        if not claimed and qualifying and not electing:
            raise _fail(field, f"the bonus {qualifying[0]} is not claimed", "3:2")
        if electing and parts.phase not in ("big-roll", "bonus-choice"):
            raise _fail(field, "one of the bonuses must be claimed", "3:2.D")
        if opening.options.bonus == "best" and claimed and claimed != qualifying[0]:
            raise _fail(field, f"the best bonus is {qualifying[0]}", "R6")
        early = parts.phase == "big-roll" and opening.options.bonus == "elect"
        if early and claimed and len(qualifying) > 1:
            raise _fail(field, "a bonus is elected when all have rolled", "3:2.D")
    _check_order(parts)


def _check_order(parts: Parts) -> None:
    opening = parts.opening
    if parts.phase in ("big-roll", "bonus-choice"):
        if opening.groups:
            raise _fail("order", "there is a turn order before all Big Rolls are scored", "3:4.A")
        return
    seats = [seat for group in opening.groups for seat in group]
    if sorted(seats) != list(range(len(opening.colours))):
        raise _fail("order", "every player stands in the turn order once", "3:4.A")
    leads = [opening.lead(seat) for seat in seats]
    if leads != sorted(leads, reverse=True):
        raise _fail("order", "it does not follow the Big Roll scores", "3:4.A")
    for group in opening.groups:
        if len({opening.lead(seat) for seat in group}) > 1:
            raise _fail("order", "players with different Big Roll scores are not tied", "3:4.B")
        if list(group) != sorted(group):
            raise _fail("order", "tied players stand in seat order", "3:4.B")
    if (parts.phase == "tie-break") != any(len(group) > 1 for group in opening.groups):
        raise _fail("order", "ties and the phase do not fit each other", "3:4.B")


def _check_lawn(parts: Parts) -> None:
    two = len(parts.opening.colours) == 2
    for face, row in zip(FACES, parts.lawn, strict=True):
        field = f"lawn row {face}"
        neutral = row.count(NEUTRAL)
        if not two and neutral:
            raise _fail(field, "there are no neutral dice in a three-player round", "1:1.A")
        if neutral > 1:
            raise _fail(field, "there is one neutral die for each row", "1:2.C")
        if row[1] == EMPTY and row != (EMPTY, EMPTY, EMPTY):
            raise _fail(field, "a flank is taken while the center is empty", "4:3.B")
        if two and row[1] == EMPTY:
            raise _fail(field, "the center is empty in a two-player round", "1:2.C")
        if two and row[1] != NEUTRAL and EMPTY in row:
            raise _fail(field, "the neutral die can only leave the center by a push", "5:1.A")


def _check_dice(parts: Parts) -> None:
    opening = parts.opening
    two = len(opening.colours) == 2
    taken = sorted(face for faces in parts.captured for face in faces)
    if any(list(faces) != sorted(faces) for faces in parts.captured):
        raise _fail("captured", "captured dice are listed in ascending order")
    if not two and taken:
        raise _fail("captured", "there is nothing to capture in a three-player round", "5:3")
    if two:
        missing = [f for f, row in zip(FACES, parts.lawn, strict=True) if NEUTRAL not in row]
        if taken != missing:
            raise _fail(
                "captured",
                f"the rows without a neutral die are {_listed(missing)}, "
                f"but captured are {_listed(taken)}",
                "5:3.B",
            )
    for seat, colour in enumerate(opening.colours):
        row = parts.rows[seat]
        field = f"rows of {colour}"
        if list(row) != sorted(row):
            raise _fail(field, "the row is not in ascending order", "3:3.A")
        rolled = bool(opening.big_rolls[seat])
        lawn, air = lawn_count(parts.lawn, seat), int(parts.displaced == seat)
        count = len(row) + lawn + air
        if count != (DICE_PER_PLAYER if rolled else 0):
            raise _fail(
                field,
                f"{colour} has {count} dice ({len(row)} in the row, {lawn} on the Lawn, "
                f"{air} pushed off), not {DICE_PER_PLAYER if rolled else 'none before the roll'}",
                "1:1.A" if not two else "1:1.B",
            )
    if (parts.displaced == NOBODY) == (parts.phase == "re-entry"):
        raise _fail("phase", "a pushed die is in the air in the phase re-entry only", "5:2.A")
    if (parts.edge == "") == (parts.phase == "boundary-roll"):
        raise _fail("phase", "an edge is in the air in the phase boundary-roll only", "4:1.A")
    if parts.lost and not opening.counts_lost_turns:
        raise _fail("lost", "lost turns in a row count only in a three-player gridlock", "R4")


def _check_before_turns(parts: Parts) -> None:
    opening, phase = parts.opening, parts.phase
    if parts.lost or any(lawn_count(parts.lawn, seat) for seat in range(len(parts.rows))):
        raise _fail("lawn", "dice are played only when the turn order is settled", "3:4.A")
    if phase == "big-roll":
        unrolled = [seat for seat, faces in enumerate(opening.big_rolls) if not faces]
        if not unrolled or unrolled != list(range(unrolled[0], len(parts.rows))):
            raise _fail("big-rolls", "Big Rolls are entered in seat order", "3:1.A")
        expected: int | None = unrolled[0]
        may_differ: tuple[int, ...] = ()
    elif phase == "bonus-choice":
        electing = [seat for seat in range(len(parts.rows)) if opening.elections(seat)]
        expected = electing[0] if electing else None
        may_differ = ()
        for seat in range(parts.turn + 1, len(parts.rows)):
            if len(opening.roll(seat).bonuses) > 1 and not opening.elections(seat):
                raise _fail("big-rolls", "bonuses are elected in seat order", "3:2.D")
    else:
        tied = opening.tied()
        expected = parts.turn if parts.turn in tied else None
        # Whoever shares a Big Roll score with another may already have re-rolled.
        leads = [opening.lead(seat) for seat in range(len(parts.rows))]
        may_differ = tuple(seat for seat, lead in enumerate(leads) if leads.count(lead) > 1)
    if parts.turn != expected:
        raise _fail("phase", "it is not that player's turn to roll or choose", "3:1.A")
    for seat, row in enumerate(parts.rows):
        if row != opening.big_rolls[seat] and seat not in may_differ:
            field = f"rows of {opening.colours[seat]}"
            raise _fail(field, "the row is not the Big Roll", "3:3.A")


def _check_turn(parts: Parts) -> None:
    phase, turn, rows, opening = parts.phase, parts.turn, parts.rows, parts.opening
    locked = locked_mask(parts.lawn)
    over = round_end(opening, locked, rows, parts.lost)
    if phase == "round-over":
        if turn != NOBODY or not over:
            raise _fail("phase", "the round is not over yet", "7:1.A")
        return
    if turn == NOBODY:
        raise _fail("phase", "it is somebody's turn until the round is over", "7:1.A")
    if phase == "re-entry":
        if parts.lost:
            raise _fail("lost", "a placement ends a run of lost turns", "R4")
        if not any(EMPTY not in row and turn in (row[0], row[2]) for row in parts.lawn):
            raise _fail("phase", "no row of the Lawn shows that player's push", "5:1.B")
        if parts.displaced == turn and opening.options.own_push == "keep-face":
            raise _fail("phase", "an own die that is pushed off keeps its face", "R1")
        return
    if over:
        raise _fail("phase", f"the round is over: {over}", "7:1.A")
    if not rows[turn]:
        raise _fail("phase", "a player whose row is empty is passed over", "R10")
    _check_hand(parts, locked)


def _check_hand(parts: Parts, locked: int) -> None:
    phase, turn, rows, options = parts.phase, parts.turn, parts.rows, parts.opening.options
    row = rows[turn]
    solo, blocked = is_solo(turn, rows), is_blocked(row, locked)
    if phase == "placement":
        if blocked:
            raise _fail("phase", "both edges are on locked rows, so nothing can be placed", "6:1.A")
        if parts.lost:
            raise _fail("lost", "a placement ends a run of lost turns", "R4")
    elif phase == "grind-roll":
        if not solo:
            raise _fail("phase", "the grind needs all other rows to be empty", "6:2.B")
        if not blocked and options.grind == "after-boundary-roll":
            raise _fail("phase", "an edge die can be placed, so there is no grind", "R3")
    else:
        if solo and options.grind == "at-once":
            raise _fail("phase", "the only player with dice grinds at once", "R3")
        if options.endgame_block == "before-roll" and not solo and is_stuck(row, locked):
            raise _fail("phase", "the last dice are blocked, so the turn is forfeited", "R2")
        if phase == "boundary-roll" and parts.edge == "high" and row[0] == row[-1]:
            raise _fail("phase", "a row of one face has one edge, called low", "4:1.A")


def _listed(faces: list[int]) -> str:
    return " ".join(map(str, faces)) or "none"
