"""A uniform point of a ball in the lattice, computed in integers and without rejecting points.

    linf    d independent coordinates from -r to r
    l1      a number k of nonzero coordinates, with weight C(d,k) * 2^k * C(r,k), which is the number of such points;
            then k of the d coordinates, k of the numbers 1..r (their gaps are the absolute values), and k signs

Radii beyond 64 bits are Python integers in arrays of objects. Proof: docs/proofs/radial_draw.md.
"""

from bisect import bisect_right
from itertools import accumulate
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified import certain_index
from noisewise.kernel.sampling.draw import uniform

Norm = Literal["l1", "linf"]
Points = NDArray[Any]
"""int64, or Python integers where these could overflow."""

FITS = 2**61
FEW = 12
"""Sets with at most this many numbers are drawn for all rows at once."""


def ball_points(radius: int, dimension: int, norm: Norm, count: int, bits: Bits) -> Points:
    """``count`` independent uniform points of the ball around the origin, one in each row."""
    if norm == "linf":
        return below(2 * radius + 1, count * dimension, bits).reshape(count, dimension) - radius
    nonzeros = _nonzeros(radius, dimension, count, bits)
    points = np.zeros((count, dimension), np.int64 if radius < FITS else object)
    for k in np.unique(nonzeros[nonzeros > 0]).tolist():
        rows = np.flatnonzero(nonzeros == k)
        columns = np.sort(subsets(dimension, k, rows.size, bits), axis=1)
        ends = np.sort(subsets(radius, k, rows.size, bits), axis=1) + 1
        sizes = np.diff(ends, axis=1, prepend=0)
        signs = 1 - 2 * below(2, rows.size * k, bits).reshape(rows.size, k)
        points[rows[:, None], columns] = sizes * signs
    return points


def norms(points: Points, norm: Norm) -> list[int]:
    """The norm of the point in each row."""
    sizes = np.abs(points)
    return [int(r) for r in (sizes.sum(axis=1) if norm == "l1" else sizes.max(axis=1))]


def below(bound: int, count: int, bits: Bits) -> Points:
    """``count`` independent uniform whole numbers from 0 to bound-1."""
    if bound <= 2 * FITS:
        return uniform(np.full(count, bound), bits)
    return np.array([certain_index(Uniform(int(word), bits), bound) for word in bits.words(count)], object)


def subsets(bound: int, size: int, rows: int, bits: Bits) -> Points:
    """Draw ``size`` different numbers from 0 to bound-1 for each row, in any order. All sets are equally likely."""
    if size <= FEW:
        return _few(bound, size, rows, bits)
    return np.stack([_many(bound, size, bits) for _ in range(rows)])


def _few(bound: int, size: int, rows: int, bits: Bits) -> Points:
    """Floyd's algorithm [Bentley & Floyd 1987] on all rows at once: a repeated number is replaced by the newest one."""
    chosen = np.zeros((rows, size), np.int64 if bound <= 2 * FITS else object)
    for i in range(size):
        newest = bound - size + i
        drawn = below(newest + 1, rows, bits)
        met = np.any(chosen[:, :i] == drawn[:, None], axis=1)
        chosen[:, i] = np.where(met, newest, drawn)
    return chosen


def _many(bound: int, size: int, bits: Bits) -> Points:
    """Draw uniform numbers and keep the first different ones. For a large set, draw the numbers that are left out."""
    if 2 * size > bound:
        kept = np.ones(bound, np.bool_)
        if size < bound:
            kept[_many(bound, bound - size, bits)] = False
        return np.flatnonzero(kept)
    drawn = below(bound, size + size // 2, bits)
    while True:
        first = np.unique(drawn, return_index=True)[1]
        if first.size >= size:
            chosen: Points = drawn[np.sort(first)[:size]]
            return chosen
        drawn = np.concatenate([drawn, below(bound, size, bits)])


def _nonzeros(radius: int, dimension: int, count: int, bits: Bits) -> Integers:
    """Draw the number of nonzero coordinates of each point. Its weights are exact counts of points."""
    weights, weight = [1], 1
    for k in range(min(dimension, radius)):
        weight = weight * (2 * (dimension - k) * (radius - k)) // (k + 1) ** 2
        weights.append(weight)
    sums = list(accumulate(weights))
    return np.array([_inverted(sums, Uniform(int(word), bits)) for word in bits.words(count)], np.int64)


def _inverted(sums: list[int], number: Uniform) -> int:
    """The first index with a sum above U times the last sum, in integers."""
    while True:
        first = number.numerator * sums[-1] >> number.bits
        last = ((number.numerator + 1) * sums[-1] - 1) >> number.bits
        index = bisect_right(sums, first)
        if last < sums[index]:
            return index
        number.refine()
