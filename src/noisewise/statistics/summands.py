"""Summands: what a record adds to the few sums that determine an answer, and bounds of the answer from bounds of sums.

An interval is computed from noisy sums. Noisy sums give a lower and an upper bound for each true sum. All these bounds
together are a box. If the sums lie in the box, the answer lies between two numbers, which the functions here return.
They are exact fractions, and are rounded outwards to the lattice of answers. A record is read as a number a, which is 0
at the lower bound and 1 at the upper bound. Sums are counted in records:

    share of two sums     A/(A + B) rises with A and falls with B
    spread                P, Q and R are the sums of (1-a)^2, 2a(1-a) and a^2, which add up to 1 for each record. So
                          n = P + Q + R, and variance = (4*P*R - Q^2)/(4*n^2)

Proof: docs/proofs/summands.md.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import NamedTuple, TypeAlias

from noisewise.statistics.records import Sums

Ends: TypeAlias = tuple[Fraction, Fraction]
"""The smallest and the largest possible value."""

Box: TypeAlias = Sequence[tuple[int, int]]
"""The smallest and largest possible value of each sum, none below 0. Only their ratios matter."""


class Summands(NamedTuple):
    """What one record adds to each sum: from 0 to one unit of that sum. Public."""

    units: tuple[int, ...]
    """The unit of each sum. A sum divided by its unit is counted in records."""

    together: Fraction = Fraction(1)
    """The most that one record adds to all sums together, counted in records."""

    share: bool = False
    """Whether there are two sums, and the answer rises with the first sum's share of their total."""

    mean: bool = False
    """Whether the answer is a mean: the lower bound plus that share of the range."""


def share(box: Box) -> Ends:
    """Bounds for the first sum's share of the total of two sums. If both sums may be 0, the share can be anything."""
    (least, most), (other_least, other_most) = box
    return (
        Fraction(least, least + other_most) if least else Fraction(0),
        Fraction(most, most + other_least) if other_least else Fraction(1),
    )


def spread_sums(sums: Sums, width: int) -> tuple[int, int, int]:
    """The sums of (1-a)^2, 2a(1-a) and a^2, times width^2, from the sums of the records and of their squares."""
    count, total, squares = sums.count, sums.total, sums.squares
    return count * width**2 - 2 * width * total + squares, 2 * (width * total - squares), squares


def variances(box: Box) -> Ends:
    """Bounds for the variance, in squares of the range.

    The root of the variance is a concave function of the three sums, divided by a positive linear one. So the variance
    is least at a corner of the box. It falls with the middle sum, so it is largest where the middle sum is least. On
    this face of the box its slopes in the other two sums are never both 0. So the largest variance is on an edge of the
    face. Along an edge, the variance rises and then falls.
    """
    (p_least, p_most), (q_least, q_most), (r_least, r_most) = box
    least = min(_variance(p, q_most, r) for p in (p_least, p_most) for r in (r_least, r_most))
    edges = [(p, r_least, r_most) for p in (p_least, p_most)]
    edges += [(r, p_least, p_most) for r in (r_least, r_most)]
    return least, max(_highest(fixed, q_least, *free) for fixed, *free in edges)


def _variance(p: int, q: int, r: int) -> Fraction:
    """The variance from the three sums; 0 if there are no records, or if no records can have these sums."""
    n = p + q + r
    return Fraction(max(4 * p * r - q * q, 0), 4 * n * n) if n else Fraction(0)


def _highest(fixed: int, q: int, least: int, most: int) -> Fraction:
    """The largest variance if one outer sum is ``fixed``, the middle sum is ``q``, and the other outer sum varies.

    The other outer sum lies between ``least`` and ``most``. The variance rises until this sum is
    q + fixed + q^2/(2*fixed), where the variance is (fixed/(2*fixed + q))^2. Then it falls.
    """
    top = 2 * fixed * (q + fixed) + q * q
    if 2 * fixed * most <= top:
        return _variance(fixed, q, most)
    return _variance(fixed, q, least) if 2 * fixed * least >= top else Fraction(fixed, 2 * fixed + q) ** 2


def squared_deviations(box: Box) -> Ends:
    """Bounds for the sum of squared deviations from the mean, in squares of lattice steps.

    The box must hold the sums that `spread_sums` returns. The sum of squared deviations is n times the variance. It
    rises with both outer sums and falls with the middle sum.
    """
    (p_least, p_most), (q_least, q_most), (r_least, r_most) = box
    corners = (p_least, q_most, r_least), (p_most, q_least, r_most)
    least, most = (sum(corner) * _variance(*corner) for corner in corners)
    return least, most


def outwards(ends: Ends) -> tuple[int, int]:
    """Both ends, in steps of the answers, rounded outwards to indices."""
    low, high = ends
    return floor(low), ceil(high)


def roots_outwards(ends: Ends) -> tuple[int, int]:
    """The roots of both ends, rounded outwards to indices. The ends are in squared steps and not below 0."""
    low, high = outwards(ends)
    return isqrt(low), isqrt(high - 1) + 1 if high > 0 else 0
