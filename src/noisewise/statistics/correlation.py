"""Correlations: p / sqrt(q*r) of three exact integers, within intervals that widen with every edit.

p is a co-moment of two columns, q and r are their own moments. If l edits move p by at most ``both[l]``, q by at most
``first[l]`` and r by at most ``second[l]``, the correlation stays below

    (p + both) / sqrt((q - first) * (r - second))     where p + both > 0, and 1 where that is above 1 or has no root
    (p + both) / sqrt((q + first) * (r + second))     elsewhere

and the lower side is the mirror image. A column that does not vary has correlation 0. Each level is floored once, by
an integer root. Proof: docs/proofs/correlation.md.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate
from math import isqrt
from typing import NamedTuple

import numpy as np

from noisewise.laws.envelope import Envelope
from noisewise.numbers.answers import Answers
from noisewise.numbers.arrays import Integers

HALF = 26
"""Integers below 2^52 are cut into halves of so many bits; a product of halves is at most 2^52."""

TOGETHER = 1 << 10
"""So many products add up within 64 bits."""


class CoMoments(NamedTuple):
    """Centred sums of products of two columns, of the first alone and of the second; or how far edits move them."""

    both: int
    first: int
    second: int


def moments(x: Integers, y: Integers) -> CoMoments:
    """n times the centred sums of products: n * sum(x*y) - sum(x) * sum(y), and likewise of each column alone."""
    n, sum_x, sum_y = x.size, total(x), total(y)
    return CoMoments(
        n * dot(x, y) - sum_x * sum_y, n * dot(x, x) - sum_x * sum_x, n * dot(y, y) - sum_y * sum_y
    )


def total(a: Integers) -> int:
    """The exact sum of integers that are below 2^52 in size."""
    return _small_dot(a, np.ones(1, np.int64))


def dot(a: Integers, b: Integers) -> int:
    """The exact sum of products of integers that are below 2^52 in size."""
    return sum(_small_dot(p, q) << (s + t) for p, s in _halves(a) for q, t in _halves(b))


def _halves(a: Integers) -> list[tuple[Integers, int]]:
    return [(a & ((1 << HALF) - 1), 0), (a >> HALF, HALF)]


def _small_dot(a: Integers, b: Integers) -> int:
    """The exact sum of products that are at most 2^52 in size."""
    if a.size == 0:
        return 0
    partial_sums: list[int] = np.add.reduceat(a * b, np.arange(0, a.size, TOGETHER)).tolist()
    return sum(partial_sums)


def correlated(moments: CoMoments, reach: Iterable[CoMoments], answers: Answers) -> Envelope:
    """The envelope of a correlation whose moments l edits move by at most ``reach[l]``; ``reach[0]`` is zero."""
    mirrored = moments._replace(both=-moments.both)
    levels = [(_highest(mirrored, each), _highest(moments, each)) for each in reach]
    lower = [_floor(-top, squared, answers) for (top, squared), _ in levels]
    upper = [_floor(top, squared, answers) for _, (top, squared) in levels]
    return Envelope.of(lower, upper, answers.support)


def _highest(moments: CoMoments, reach: CoMoments) -> tuple[int, int]:
    """The highest correlation in reach, as p and the square of what p is divided by."""
    top = moments.both + reach.both
    if top <= 0:
        spread = (moments.first + reach.first) * (moments.second + reach.second)
        return top, max(spread, 1)
    first, second = moments.first - reach.first, moments.second - reach.second
    return (top, first * second) if min(first, second) > 0 and top * top < first * second else (1, 1)


def _floor(top: int, squared: int, answers: Answers) -> int:
    """The index at or below top / sqrt(squared), clipped to the range; squared is at least 1."""
    step, whole = answers.granularity.as_integer_ratio()
    square, bottom = (top * whole) ** 2, step * step * squared
    root = isqrt(square // bottom)
    if top < 0:
        root = -root - (root * root * bottom != square)
    return answers.floor(root * step, whole)


def running_reach(reaches: Iterable[CoMoments], times: int = 1) -> Iterator[CoMoments]:
    """How far 0, 1, 2, ... edits together move the moments, from what each edit does; in units of 1/times."""
    return accumulate(
        reaches,
        lambda so_far, edit: CoMoments(*(a + b * times for a, b in zip(so_far, edit, strict=True))),
        initial=CoMoments(0, 0, 0),
    )
