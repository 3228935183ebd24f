"""Crossings: pairs of things that one order has this way round and another order the other way round.

There are n things on the left and n on the right; two orders hold all 2n of them. A left and a right thing cross if the
left one is first in the one order and second in the other. With equal orders on both sides these are the inversions of
a permutation, which a merge sort counts. Here the merge is turned round: things stand as in the first order and are
dealt, bit by bit from the highest, by where they stand in the second one. Among things whose higher bits agree, a right
thing with a 0 crosses every left thing with a 1 that stands before it, and no pair is met at two bits. Groups are of
equal size, so that a bit takes a few passes of NumPy over all things: O(n log n), and O(1) for each pair listed.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Integers

Codes = NDArray[np.int32]

MOST = 1 << 28
"""So many things on a side: a place in the second order, and a bit for the side, fit into an int32."""

LOT = 1 << 16
"""About how many crossings are listed at once."""


class Level(NamedTuple):
    """Things in groups: left ones of which some cross, and for each of some right ones the first and last of these."""

    codes: Codes
    lefts: Booleans
    rights: Integers
    starts: Codes
    stops: Codes


class Crossings:
    """Of two orders of the things 0, 1, ..., 2n - 1, of which the first n are left ones, the others right ones."""

    __slots__ = ("_codes", "_second", "_things")

    def __init__(self, first: Integers, second: Integers) -> None:
        things = first.size
        size = 1 << max(things - 1, 1).bit_length()
        place = np.empty(things, np.int32)
        place[second] = np.arange(things, dtype=np.int32)
        self._codes = (
            np.arange(size, dtype=np.int32) << 1 | 1
        )  # right things that are last in both orders cross none
        self._codes[:things] = place[first] << 1 | (first >= things // 2)
        self._second, self._things = second, things

    def count(self) -> int:
        return sum(
            int(level.stops.sum(dtype=np.int64) - level.starts.sum(dtype=np.int64))
            for level in self._levels()
        )

    def pairs(self) -> Iterator[tuple[Integers, Integers]]:
        """All crossings, in lots: the left things and the right ones, both numbered from 0."""
        for level in self._levels():
            lefts = self._second[level.codes[level.lefts] >> 1]
            rights = self._second[level.codes[level.rights] >> 1] - self._things // 2
            for some, chosen in listed(level.starts, level.stops):
                yield lefts[chosen], rights[some]

    def _levels(self) -> Iterator[Level]:
        codes = self._codes
        for bit in range(codes.size.bit_length() - 1, 0, -1):
            is_one, is_right = (codes >> bit & 1).astype(np.bool_), (codes & 1).astype(np.bool_)
            lefts = is_one > is_right
            before = np.concatenate([[0], np.cumsum(lefts, dtype=np.int32)])
            rights = np.flatnonzero(is_right > is_one)
            starts, stops = before[rights >> bit << bit], before[rights]
            crossing = np.flatnonzero(starts < stops)
            yield Level(codes, lefts, rights[crossing], starts[crossing], stops[crossing])
            halves = (-1, 1 << (bit - 1))
            codes = np.concatenate(
                [codes[~is_one].reshape(halves), codes[is_one].reshape(halves)], axis=1
            ).ravel()


def listed(starts: NDArray[np.integer], stops: NDArray[np.integer]) -> Iterator[tuple[Integers, Integers]]:
    """The numbers from starts[k] up to stops[k] for every k, in lots: k and the number. No range may be empty."""
    ends = np.cumsum(stops - starts, dtype=np.int64)
    first, done = 0, 0
    while first < ends.size:
        last = max(first + 1, int(np.searchsorted(ends, done + LOT, side="right")))
        sizes = np.diff(ends[first:last], prepend=done)
        some = np.repeat(np.arange(first, last), sizes)
        yield some, np.arange(done, done + some.size) + (stops[first:last] - ends[first:last])[some - first]
        first, done = last, done + some.size
