"""The likelihood of a pool of dice against a count of all ways to match them."""

from __future__ import annotations

import random
from itertools import permutations
from math import factorial

import pytest

from engine.evidence import Die
from engine.pools import Pool, contains, packed, size, unpacked
from engine.table import ELSEWHERE


def unsure_die(rng: random.Random) -> Die:
    weights = [rng.random() ** 3 + 0.01 for _ in range(6)]
    faces = tuple(weight / sum(weights) for weight in weights)
    return Die(1, faces, (1.0, 0.0, 0.0, 0.0), ((ELSEWHERE, 1.0),), 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_pool_sums_over_every_matching(seed: int) -> None:
    rng = random.Random(seed)
    dice = tuple(unsure_die(rng) for _ in range(4))
    faces = tuple(sorted(rng.choices(range(1, 7), k=4)))
    total = 0.0
    for order in permutations(faces):
        chance = 1.0
        for die, face in zip(dice, order, strict=True):
            chance *= die.face[face - 1]
        total += chance
    assert Pool(dice, False).likelihood(packed(faces)) == pytest.approx(total / factorial(4))


def test_an_unseen_die_is_marginalised() -> None:
    rng = random.Random(5)
    dice = tuple(unsure_die(rng) for _ in range(3))
    pool = Pool(dice, False)
    seen = sum(pool.likelihood(packed((2, 3, 4, face))) for face in (1, 5, 6))
    assert 0 < seen < Pool(dice, True).likelihood(packed((1, 2, 3, 4))) * 50


def test_packing_keeps_the_multiset() -> None:
    faces = (1, 1, 3, 6, 6, 6, 6, 6)
    assert unpacked(packed(faces)) == faces
    assert size(packed(faces)) == 8
    assert contains(packed(faces), packed((1, 6, 6)))
    assert not contains(packed(faces), packed((3, 3)))
