"""Exact sums of products of whole numbers, at the speed of float64 and int64.

Float64 adds and multiplies whole numbers exactly up to 2^53. If many products add up to less than this, all sums of a
block of rows are one product of matrices. Larger numbers, below 2^52 in size, are cut into halves of 26 bits and
multiplied as int64. Python's integers add up the sums of blocks.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.statistics.row_formulas import Term

EXACT = 2**53
"""Float64 holds all whole numbers up to this."""

LARGEST_BLOCK, LEAST_BLOCK = 2**16, 2**10
"""The most and the fewest rows of a block. A block has fewer than the most if more products do not fit into float64."""

HALF = 26
"""Integers below 2^52 are cut into halves of this many bits. A product of halves is at most 2^52."""

TOGETHER = 1 << 10
"""The sum of this many products fits into 64 bits."""


def sums_of_terms(
    count: int, numbers: Callable[[int, slice], Floats], mosts: Sequence[int], terms: Sequence[Term]
) -> list[int]:
    """The sum of each term over ``count`` rows.

    ``numbers(place, rows)`` returns the whole numbers at a place for some rows. ``mosts`` holds the largest size of the
    numbers at each place, whatever their sign.
    """
    pairs = [term for term in terms if len(term) == 2]
    if not pairs:  # one number after the other, of which there may be thousands
        parts = [*_blocks(count, LARGEST_BLOCK)]
        return [
            sum(total(numbers(term[0], rows).astype(np.int64)) for rows in parts) if term else count
            for term in terms
        ]
    together = EXACT // max(mosts[i] * mosts[j] for i, j in pairs)
    in_floats = together >= LEAST_BLOCK
    of_block, sums = _by_matrix if in_floats else _by_halves, [0] * len(terms)
    for rows in _blocks(count, min(together, LARGEST_BLOCK) if in_floats else LARGEST_BLOCK):
        block = [numbers(place, rows) for place in range(len(mosts))]
        sums = [a + b for a, b in zip(sums, of_block(block, terms), strict=True)]
    return [total if term else count for term, total in zip(terms, sums, strict=True)]


def _blocks(count: int, step: int) -> Iterator[slice]:
    return (slice(start, start + step) for start in range(0, count, step))


def _by_matrix(block: list[Floats], terms: Sequence[Term]) -> list[int]:
    table = np.stack([np.ones_like(block[0]), *block])
    products = (table @ table.T).tolist()
    places = [(*(place + 1 for place in term), 0, 0)[:2] for term in terms]
    return [int(products[i][j]) for i, j in places]


def _by_halves(block: list[Floats], terms: Sequence[Term]) -> list[int]:
    whole = [numbers.astype(np.int64) for numbers in block]
    return [
        dot(whole[term[0]], whole[term[1]]) if len(term) == 2 else sum(total(whole[place]) for place in term)
        for term in terms
    ]


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
