"""Spreads: the distance between two quantiles of a bounded column, such as the interquartile range and the range.

Remove d records and add m. To widen the spread, remove records between the two ranks and add records at the bounds. To
narrow it, remove records at the ends and add records in between. Then both quantiles are records of the old column:

    widest    x[B + G] - x[B]   with G = high - low + d   and   B = low - m .. low
    narrowest x[B + H] - x[B]   with H = high - low - m   and   B = low .. low + d

Here low and high are the two ranks among n - d + m records, and the rank B can be chosen. Level l is the best spread
over all d and m that l edits allow. As d grows or m grows, the range of B shrinks, and each range holds the next one.
So the best gap for each B is a running maximum, and level l has l + 1 candidates. From the public level
``EXACT_LEVELS`` on, a level is a level of the upper quantile less a level of the lower one. Proof:
docs/proofs/spread.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import Number, describe, spell
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.quantile import Quantile, exact_share
from noisewise.statistics.records import Column, Groups, OneGroup
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.windows import MOST_LEVELS, Windows, alike

EXACT_LEVELS = 512
"""Levels below this are exact. If epsilon is at least 0.1, the others have e^-25 of the mass. Public."""

STILL = 2**16
"""If the answer is always 0, the envelope has at most this many levels. Any public number would be right."""

TOGETHER = 128
"""How many groups are computed at a time, so that their arrays stay in a core's cache."""

HALF = Fraction(1, 2)
NAMED = {(Fraction(1, 4), Fraction(3, 4)): "iqr", (Fraction(0), Fraction(1)): "range"}


@dataclass(frozen=True, slots=True, init=False)
class Spread(Statistic):
    """The high quantile less the low one, each a record as `Quantile` defines it; 0 if there are no records."""

    relations = BOTH
    nearest_first = True
    ends_by_levels = True

    low: Fraction
    high: Fraction

    def __init__(self, low: Number | str, high: Number | str) -> None:
        below, above = exact_share(low, "low"), exact_share(high, "high")
        if not below < above:
            raise ParameterError("high", ("must be above low, ", describe(low)), got=describe(high)) from None
        object.__setattr__(self, "low", below)
        object.__setattr__(self, "high", above)

    def __str__(self) -> str:
        return NAMED.get((self.low, self.high)) or f"spread({spell(self.low)}, {spell(self.high)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        lattice = Lattice.between(bounds, granularity)
        return Frame(lattice, Answers(0, lattice.high - lattice.low, lattice.granularity))

    def attained(self, levels: int) -> bool:
        return levels < EXACT_LEVELS

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        return Spread.envelopes(self, OneGroup(column), answers, levels)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """Exact below EXACT_LEVELS, a nested bound from there on. If the ranks of groups move alike, the groups form a
        matrix."""
        counts, swap = groups.counts, groups.neighbors == "swap"
        shares = self.low, self.high
        if swap and len({_ranks(q, counts).item() for q in shares}) == 1:  # the answer is always 0
            still = np.zeros(min(levels, STILL) + 1, np.int64)
            return Envelope.of(still, still, answers.support)
        room = 0 if swap else math.ceil(1 / (self.high - self.low)) + 1  # then all can be replaced
        whole = np.minimum(min(levels, MOST_LEVELS), counts + min(room, MOST_LEVELS // 2))
        last = np.minimum(whole, EXACT_LEVELS - 1)
        offsets = np.concatenate([[0], np.cumsum(last + 1)])
        lower, upper = np.empty((2, offsets[-1]), np.int64)
        fewest, most = (counts, counts) if swap else (np.maximum(counts - last, 0), counts + last)
        firsts = [_ranks(q, fewest) - last for q in shares]
        stops = [_ranks(q, most) + last + 1 for q in shares]
        windows = [Windows.of(groups, counts, *ends) for ends in zip(firsts, stops, strict=True)]
        for same in alike(self._moves(counts, last) if len(groups) > 1 else counts, TOGETHER):
            one = int(same[0])
            records = (
                _Window(int(first[one]), window.at(same, first[same], int(stop[one] - first[one])))
                for window, first, stop in zip(windows, firsts, stops, strict=True)
            )
            pairs = _Pairs.of(self, int(counts[one]), int(last[one]), *records, swap=swap)
            places = offsets[same] + np.arange(last[one] + 1)[:, np.newaxis]
            lower[places], upper[places] = pairs.levels()
        near = Envelope(lower, upper, offsets, answers.support)
        if whole.max() < EXACT_LEVELS:
            return near
        low, high = (Quantile(q).envelopes(groups, Answers.on(groups.lattice), levels) for q in shares)
        least, most = np.maximum(high.lower - low.upper, 0), high.upper - low.lower
        return near.splice(Envelope(least, most, low.offsets, answers.support), EXACT_LEVELS)

    def _moves(self, counts: Integers, last: Integers) -> Integers:
        """A key for each group. Groups with the same key have ranks that move alike as records come and go.

        Ranks of two groups move alike if the groups have equally many records. They also move alike, from other ranks
        on, if the numbers of records differ by a multiple of both denominators, and both are so large that no edits
        bring the two ranks of a group together.
        """
        apart, period = self.high - self.low, math.lcm(self.low.denominator, self.high.denominator)
        # in Python's integers, so that no number of records makes a product overflow
        needed = [min(math.ceil((edits + 2) / apart), 2**62) for edits in range(int(last.max()) + 1)]
        many = counts - last >= np.array(needed)[last]
        return np.where(many & (counts > last + 1), -1 - counts % min(period, 2**62), counts)


@dataclass(frozen=True, slots=True, init=False)
class IQR(Spread):
    """The interquartile range: the record of rank ceil(3n/4) less the one of rank ceil(n/4); 0 if there are none."""

    def __init__(self) -> None:
        Spread.__init__(self, "1/4", "3/4")


@dataclass(frozen=True, slots=True, init=False)
class Range(Spread):
    """The largest record less the smallest; 0 if there are none."""

    def __init__(self) -> None:
        Spread.__init__(self, 0, 1)


@dataclass(frozen=True, slots=True, repr=False)
class _Pairs:
    """The two ranks for each number of records that edits can make, and the records around these ranks.

    If the ranks of many groups move alike, each group has a column of records. The ranks are kept for the first group.
    """

    count: int
    last: int
    swap: bool
    pin_high: (
        bool  # candidates are listed by their higher rank: the one that keeps to its place if both are high
    )
    fewest: int
    low: Integers
    high: Integers
    low_records: "_Window"
    high_records: "_Window"

    @classmethod
    def of(
        cls, spread: Spread, count: int, last: int, below: "_Window", above: "_Window", *, swap: bool
    ) -> "_Pairs":
        fewest, most = (count, count) if swap else (max(count - last, 0), count + last)
        low, high = (_ranks(q, np.arange(fewest, most + 1)) for q in (spread.low, spread.high))
        return cls(count, last, swap, spread.low > HALF, fewest, low, high, below, above)

    def levels(self) -> tuple[Integers, Integers]:
        """The lower and the upper levels."""
        shape = self.last + 1, *self.low_records.values.shape[1:]
        lower, upper = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for l in range(self.last + 1):
            upper[l] = np.max(self.widest(l), axis=0)
            lower[l] = np.min(self.narrowest(l), axis=0)
        return np.minimum.accumulate(lower), np.maximum.accumulate(upper)

    def widest(self, l: int) -> Integers:
        """Distances that l edits can make. The largest distance is among them."""
        removed = np.arange(min(l, self.count) + 1) if not self.swap else np.array([l])
        added = l - removed if not self.swap else removed
        low, high = self._ranks(added - removed)
        gaps = np.maximum.accumulate(np.where(low < high, high - low + removed, 0))
        ends = high + removed if self.pin_high else low
        return self._distances(ends - added, ends, gaps)

    def narrowest(self, l: int) -> Integers:
        """Distances that l edits can make. The smallest distance is among them."""
        if not self.swap and l >= self.count - 1:
            return np.zeros(1, np.int64)  # one record is left, or none
        added = np.arange(l + 1) if not self.swap else np.array([l])
        removed = l - added if not self.swap else added
        low, high = self._ranks(added - removed)
        gaps = np.minimum.accumulate(np.maximum(high - low - added, 0))
        starts = high - added if self.pin_high else low
        return self._distances(starts, starts + removed, gaps)

    def _ranks(self, more: Integers) -> tuple[Integers, Integers]:
        """Both ranks in a column with this many more records."""
        index = self.count + more - self.fewest
        return self.low[index], self.high[index]

    def _distances(self, first: Integers, last: Integers, gaps: Integers) -> Integers:
        """x[B + gap] - x[B] for every rank B of the widest interval. The narrowest interval that holds B gives the gap.

        Each interval first..last holds the next one, and a later gap is at least as good.
        """
        pinned = np.arange(first[0], last[0] + 1)
        held = np.minimum(np.searchsorted(first, pinned, "right"), np.searchsorted(-last, -pinned, "right"))
        gap = gaps[held - 1]
        if self.pin_high:
            return self.high_records[pinned] - self.low_records[pinned - gap]
        return self.high_records[pinned + gap] - self.low_records[pinned]


@dataclass(frozen=True, slots=True, repr=False)
class _Window:
    """Records by rank, from ``first`` on. Ranks that no record has stand for the bounds."""

    first: int
    values: Integers

    def __getitem__(self, ranks: Integers) -> Integers:
        return self.values.take(ranks - self.first, axis=0)


def _ranks(q: Fraction, sizes: Integers) -> Integers:
    """The rank of the q-quantile of ``sizes`` records."""
    fits = q.denominator * (int(sizes.max()) + 1) < 2**62
    sizes = sizes.astype(np.int64 if fits else object, copy=False)
    return np.maximum(1, -(-q.numerator * sizes // q.denominator)).astype(np.int64, copy=False)
