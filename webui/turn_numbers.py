"""How turns are numbered: as in the record, from 1 in every round, and only those in which dice were placed or lost."""

from __future__ import annotations

from engine.game_turns import Game

BEFORE_PLAY = ("big-roll", "bonus-choice", "tie-break", "round-over")
"""Phases before the first turn of a round: Big Rolls, elections and tie-breaks have no number."""


def turn_numbers(game: Game) -> list[int | None]:
    """One entry a turn of the game, oldest first: its number in its round, None for what is no turn of play."""
    numbers: list[int | None] = []
    number = of_round = 0
    for at, turn in enumerate(game.turns):
        match = game.match_before(at)
        plays = turn.ruling is None and not turn.misfit
        if len(match.rounds) != of_round:
            number, of_round = 0, len(match.rounds)
        if plays and match.position.phase not in BEFORE_PLAY:
            number += 1
            numbers.append(number)
        else:
            numbers.append(None)
    return numbers
