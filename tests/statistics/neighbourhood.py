"""Data of some size and its neighbourhood: too much to enumerate, so records are drawn and edited at random."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from noisewise.hazmat import law
from noisewise.kernel.laws.envelope import Envelope

RELATIONS = ("add_remove", "swap")
HIGH = 1000
STEPS = 1000
"""Records are whole numbers of 0..HIGH; answers are floored to 1/STEPS."""


def envelope(statistic: Any, x: Any, relation: str, levels: int) -> Envelope:
    return law(
        statistic,
        x,
        bounds=(0, HIGH),
        epsilon=1,
        granularity=Fraction(1, STEPS),
        neighbors=relation,
        mechanism="piecewise_laplace",
        levels=levels,
    ).envelope


def drawn(rng: np.random.Generator, n: int) -> list[int]:
    """Records: spread out, heavy-tailed, tied, or mostly at the bounds."""
    kind = int(rng.integers(4))
    if kind == 0:
        return rng.integers(0, HIGH + 1, n).tolist()
    if kind == 1:
        return np.minimum(rng.lognormal(3, 1.5, n), HIGH).astype(int).tolist()
    return rng.choice([0, 1, HIGH] if kind == 2 else [400, 401], n).tolist()


def edited(rng: np.random.Generator, x: list[int], relation: str) -> list[int]:
    """A neighbour: what is new is often at a bound."""
    v, at = int(rng.choice([0, HIGH, rng.integers(HIGH + 1)])), int(rng.integers(len(x)))
    if relation == "swap":
        return [*x[:at], v, *x[at + 1 :]]
    return [*x, v] if rng.random() < 0.5 else x[:at] + x[at + 1 :]


def kept(x: list[int], relation: str, l: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """What l edits can leave of the records, at least one, and how many they then add."""
    splits = [(l, l)] if relation == "swap" else [(d, l - d) for d in range(l + 1)]
    for removed, added in splits:
        for rest in set(combinations(sorted(x), len(x) - removed)):
            yield rest, added


def floored(values: list[Fraction], best: Callable[[list[Fraction]], Fraction]) -> int:
    return best(values) * STEPS // 1


def neighbours(dice: random.Random, size: int, top: int, neighbors: str) -> tuple[list[int], list[int]]:
    """Random records, and the same with one edit."""
    x = [min(top, int(dice.expovariate(5 / top))) for _ in range(size)]
    y = list(x)
    if neighbors == "swap" or dice.random() < 0.5:
        y.pop(dice.randrange(size))
    if neighbors == "swap" or len(y) == size:
        y.append(dice.choice((0, top, dice.randint(0, top))))
    return x, y


def check_best_over_all_kept(statistic, naive, relation):
    """Each level is the best mean over all records that can be kept, where what is added is at a bound."""
    rng = np.random.default_rng(1)
    for n in (7, 10):
        x = drawn(rng, n)
        ours, least, most = envelope(statistic, x, relation, 4), [], []
        for l in range(5):
            least += [naive((*rest, *[0] * added)) for rest, added in kept(x, relation, l)]
            most += [naive((*rest, *[HIGH] * added)) for rest, added in kept(x, relation, l)]
            assert ours.level(l) == (floored(least, min), floored(most, max)), (x, l)
