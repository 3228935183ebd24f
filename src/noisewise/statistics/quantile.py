"""Quantiles: the order statistic of rank max(1, ceil(q*n)) of a bounded column.

One edit slides the rank by at most ``stride`` places, so l edits reach the value l*stride places up or down the sorted
column, or a bound once ranks run out:

    upper[l] = x[ceil(q*n + l*stride)]      lower[l] = x[ceil(q*n - l*stride)]

The stride is 1 if a record is swapped, max(q, 1-q) if one is added or removed. An empty column answers with the lower
bound, which is rank 0. At q = 0 the rank is 1 as long as a record is left. Proof: docs/proofs/quantile.md.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import Number, describe, exact, spell
from noisewise.statistics.level_end import upper_logarithm
from noisewise.statistics.records import Column, Groups
from noisewise.statistics.statistic import BOTH, Frame, ScoreStatistic, Statistic

SHARE = re.compile(r"[0-9]{0,99}[.][0-9]{1,99}|[0-9]{1,99}(/0*[1-9][0-9]{0,99})?")
TOGETHER = 1 << 16
HALF = Fraction(1, 2)
SHIFTED_MISS = Fraction(1, 20)
"""The chance that a maximum after removals is drawn above the true one, or a minimum below it."""

FARTHEST_END = 2**512
"""An end of an interval is at most so many half ranks away from its quantile: float64 holds that with room to spare."""
NAMED = {(0, 1): "min", (1, 2): "median", (1, 1): "max"}


@dataclass(frozen=True, slots=True, init=False)
class Quantile(Statistic):
    """The q-quantile, for a fraction q of [0, 1]: an actual record, of rank max(1, ceil(q*n))."""

    relations = BOTH
    nearest_first = True

    q: Fraction

    def __init__(self, q: Number | str) -> None:
        object.__setattr__(self, "q", exact_share(q))

    def __str__(self) -> str:
        ratio = self.q.as_integer_ratio()
        return NAMED.get(ratio) or f"quantile({spell(self.q)})"

    def floored(self, frame: Frame) -> bool:
        return False

    def attained(self, levels: int) -> bool:
        return True

    @property
    def shift(self) -> Fraction:
        """By how many ranks the target of its score is moved up."""
        return Fraction(0)

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound: every upper[l] and lower[l] is attained."""
        count, lattice = column.count, column.lattice
        below, above = self._ranks(count, min(levels, count), column.neighbors)
        start, stop = max(1, int(below[-1])), min(count, int(above[-1]))
        window = np.concatenate([[lattice.low], column.ranks(start, stop + 1), [lattice.high]])
        lower = window[np.maximum(below - start + 1, 0)]
        upper = window[np.minimum(above - start + 1, window.size - 1)]
        return Envelope.of(lower, upper, (lattice.low, lattice.high))

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction:
        """A record counts as 1 up to an answer, less what it moves the target by: q, or 0 or 1."""
        if not self._between_ranks(neighbors, epsilon):
            return Fraction(1)
        top, bottom = self.q.as_integer_ratio()
        return Fraction(max(top, bottom - top), bottom)

    def ends(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers, miss: Fraction
    ) -> "tuple[QuantileEnd | None, QuantileEnd | None]":
        """As many ranks down and up as a draw can be off."""
        halves = self._half_ranks_off(neighbors, epsilon, answers, miss, f"an interval of {self}")
        return (
            QuantileEnd(self.q, Fraction(-halves, 2)) if self.q > 0 else None,
            QuantileEnd(self.q, Fraction(halves, 2)) if self.q < 1 else None,
        )

    def _half_ranks_off(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers, miss: Fraction, asked: str
    ) -> int:
        """How many half ranks a draw can be off: (points - 1)/2 * e^-(epsilon/pull * ranks) <= miss."""
        odds = Fraction(answers.points - 1) / (2 * miss)
        ranks = upper_logarithm(odds) * self.pull(neighbors, epsilon) / epsilon
        apart = Fraction(1, 2 * self.q.denominator) if self._between_ranks(neighbors, epsilon) else HALF
        halves = max(0, math.ceil(2 * (ranks - apart)))
        if halves > FARTHEST_END:
            raise ParameterError(
                "epsilon",
                f"must be larger for {asked}",
                why="what is drawn would lie more than 2^511 ranks away from it",
            ) from None
        return halves

    def shifted(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers
    ) -> "tuple[QuantileEnd, Fraction] | None":
        """As many ranks below the maximum, or above the minimum, as a draw can be off."""
        if 0 < self.q < 1:
            return None
        halves = self._half_ranks_off(neighbors, epsilon, answers, SHIFTED_MISS, f"{self} by shifted_inverse")
        ranks = Fraction(halves if self.q == 0 else -halves, 2)
        return QuantileEnd(self.q, ranks), -ranks

    def edits_off(self, neighbors: Neighbors, epsilon: Fraction, exponent: float) -> float:
        """An edit slides the rank by a stride, and moves the score by as much."""
        if neighbors == "swap" or self._between_ranks(neighbors, epsilon):
            return exponent / float(epsilon)
        return (exponent / float(epsilon) + 0.5) / float(max(self.q, 1 - self.q))

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """phi(y) = the number of records up to y, less a target between two ranks."""
        count, (low, high) = int(column.count), (column.lattice.low, column.lattice.high)
        target, bottom = self._targets(count, column.neighbors, epsilon)
        start, stop = self._window(target // bottom, count, min(levels, count + 1), min, max)
        positions = np.concatenate([[low], column.ranks(start, stop)])
        fits = bottom * (count + 1) + abs(target) < 2**62
        counts = np.arange(start - 1, stop, dtype=np.int64 if fits else object)
        return Score.steps(
            positions,
            counts * bottom - target,
            (low, high),
            bottom=bottom,
            more=(start > 1, stop <= count),
        )

    def scores(self, groups: Groups, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """The same for all groups at once: their windows behind each other."""
        counts, (low, high) = groups.counts, (groups.lattice.low, groups.lattice.high)
        if 4 * self.q.denominator * (int(counts.max(initial=0)) + levels + 1 + abs(self.shift)) >= 2**62:
            return Statistic.scores(self, groups, answers, levels, epsilon)
        targets, bottom = self._targets(counts, groups.neighbors, epsilon)
        starts, stops = self._window(targets // bottom, counts, levels)
        sizes = stops - starts + 1
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        positions, level = np.empty(offsets[-1], np.int64), np.arange(offsets[-1])
        begins = np.zeros(offsets[-1], np.bool_)
        begins[offsets[:-1]] = True
        positions[begins], positions[~begins] = low, groups.ranks(starts, stops)
        level += np.repeat(starts - 1 - offsets[:-1], sizes)
        level *= bottom
        level -= np.repeat(targets, sizes)
        more = np.stack([starts > 1, stops <= counts], axis=1)
        return Score(positions, level, level, offsets, high, (low, high), bottom, more=more)

    def _window(
        self, middle: Any, count: Any, levels: int, least: Any = np.minimum, most: Any = np.maximum
    ) -> tuple[Any, Any]:
        """The ranks from which and up to which records are read, for so many levels on either side of a rank.

        A rank that no record has stands for the nearest one that a record has, so that enough levels are all of them.
        Of one column these are Python integers, whose ``least`` is ``min`` and whose ``most`` is ``max``.
        """
        middle = least(most(middle, 0), count)
        start = least(most(1, middle - levels + 1), count + 1)
        return start, most(least(count, middle + levels), start - 1) + 1

    def _between_ranks(self, neighbors: Neighbors, epsilon: Fraction) -> bool:
        """Whether the target is q*n itself, less a bit, and not a half below the rank.

        It allows for more of epsilon, but can lie next to a rank: for a large epsilon only that of the median pays.
        """
        return neighbors == "add_remove" and (self.q == HALF or (self.q > 0 and epsilon <= 1))

    def _targets(self, counts: Any, neighbors: Neighbors, epsilon: Fraction) -> tuple[Any, int]:
        """What the number of records up to the answer is compared with, as fractions of one denominator."""
        top, bottom = self.q.as_integer_ratio()
        if self._between_ranks(neighbors, epsilon):
            return 2 * top * counts - 1, 2 * bottom
        rank = (
            -(-top * counts // bottom) if top else (counts > 0) * 1
        )  # at q = 0 it is 1, where there are any
        return 2 * rank - 1, 2

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """The same for all groups at once: their windows behind each other, each between its two bounds."""
        counts, (low, high) = groups.counts, (groups.lattice.low, groups.lattice.high)
        if self.q.denominator * (int(counts.max()) + levels + 1) >= 2**62:
            return Statistic.envelopes(self, groups, answers, levels)
        last = np.minimum(levels, counts)
        lowest, highest = self._reach(counts, last)
        starts, stops = np.maximum(1, lowest), np.minimum(counts, highest) + 1
        if 2 * (stops - starts).sum() > counts.sum():  # most of the records: all of them are sooner had
            starts, stops = np.ones_like(counts), counts + 1
        window, first = _bounded(groups.ranks(starts, stops), stops - starts, low, high)
        offsets = np.concatenate([[0], np.cumsum(last + 1)])
        lower, upper = np.empty(offsets[-1], np.int64), np.empty(offsets[-1], np.int64)
        for part in _parts(offsets):
            place, count, begin = slice(offsets[part.start], offsets[part.stop]), counts[part], first[part]
            shift, end = begin - starts[part] + 1, begin + stops[part] - starts[part] + 1
            most = int(last[part.start])
            if np.all(last[part] == most):  # a table of as many levels for each
                edits, alike = np.arange(most + 1), (slice(None), None)
                count, begin, shift, end = count[alike], begin[alike], shift[alike], end[alike]
            else:
                sizes = last[part] + 1
                edits = np.arange(place.start, place.stop) - np.repeat(offsets[part], sizes)
                count, begin, shift, end = (np.repeat(each, sizes) for each in (count, begin, shift, end))
            below, above = self._reach(count, edits)
            lower[place] = window[np.maximum(below + shift, begin)].ravel()
            upper[place] = window[np.minimum(above + shift, end)].ravel()
        return Envelope(lower, upper, offsets, (low, high))

    def _reach(self, counts: Integers, edits: Integers) -> tuple[Integers, Integers]:
        """The ranks that so many edits reach downwards and upwards in columns of so many records."""
        top, bottom = self.q.as_integer_ratio()
        centre, slide = top * counts, max(top, bottom - top) * edits
        below, above = -((slide - centre) // bottom), -((-slide - centre) // bottom)
        if top == 0:
            below += (edits == 0) & (counts > 0)
            above += edits < counts
        return below, above

    def _ranks(self, count: int, levels: int, neighbors: Neighbors) -> tuple[Integers, Integers]:
        """The ranks that level 0, 1, ... reaches downwards and upwards; below 1 and above count stand the bounds."""
        edits = np.arange(levels + 1)
        if neighbors == "swap":
            rank = min(count, max(1, -(-self.q.numerator * count // self.q.denominator)))
            return rank - edits, rank + edits
        stride = max(self.q, 1 - self.q)
        below = _ceilings(self.q * count, -stride, levels)
        above = _ceilings(self.q * count, stride, levels)
        if self.q == 0:
            below[0] += count > 0
            above += edits < count
        return below, above


@dataclass(frozen=True, slots=True, init=False)
class QuantileEnd(Quantile):
    """What lies a public number of ranks, a multiple of 1/2, above the q-quantile, or below it if negative.

    Its score is that of the quantile less a constant, which moves between neighbours just as that of the quantile does.
    Proof: docs/proofs/answer_interval.md.
    """

    ranks: Fraction

    def __init__(self, q: Number | str, ranks: Fraction) -> None:
        Quantile.__init__(self, q)
        object.__setattr__(self, "ranks", ranks)

    @property
    def shift(self) -> Fraction:
        return self.ranks

    envelope = ScoreStatistic.envelope  # there is none: balance alone answers it

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction:
        return Quantile.pull(self, neighbors, epsilon)

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        return Quantile.score(self, column, answers, levels, epsilon)

    def _targets(self, counts: Any, neighbors: Neighbors, epsilon: Fraction) -> tuple[Any, int]:
        targets, bottom = Quantile._targets(self, counts, neighbors, epsilon)
        return targets + int(self.ranks * bottom), bottom


def _bounded(records: Integers, sizes: Integers, low: int, high: int) -> tuple[Integers, Integers]:
    """Runs of records, each set between the lower and the upper bound, and the place where each begins."""
    first = np.concatenate([[0], np.cumsum(sizes + 2)])
    window = np.empty(first[-1], np.int64)
    inside = np.ones(window.size, np.bool_)
    inside[first[:-1]] = inside[first[1:] - 1] = False
    window[first[:-1]], window[first[1:] - 1], window[inside] = low, high, records
    return window, first[:-1]


def _parts(offsets: Integers) -> Iterator[slice]:
    """Groups a few at a time, of about so many levels together that they stay in a core's cache."""
    cuts = np.searchsorted(offsets, np.arange(0, offsets[-1], TOGETHER))
    return (slice(start, stop) for start, stop in pairwise(np.unique([*cuts, offsets.size - 1]).tolist()))


def _ceilings(start: Fraction, slope: Fraction, last: int) -> Integers:
    """ceil(start + l*slope) for l = 0..last, in integers."""
    scale = start.denominator * slope.denominator
    whole, rest = divmod(start.numerator * slope.denominator, scale)
    tread = slope.numerator * start.denominator
    if (abs(tread) + 1) * (last + 1) + scale < 2**62:
        return whole - (-(rest + tread * np.arange(last + 1)) // scale)
    return np.array([whole - (-(rest + tread * l) // scale) for l in range(last + 1)], np.int64)


def exact_share(q: object, name: str = "q") -> Fraction:
    """A share of the records as typed: a number, or text such as "1/3"."""
    if isinstance(q, str):
        if not SHARE.fullmatch(q.strip()):
            raise ParameterError(
                name, 'must be a number, or a decimal or fraction as text such as "1/3"', got=describe(q)
            ) from None
        share = Fraction(q.strip())
    else:
        share = exact(name, q)
    if not 0 <= share <= 1:
        percent = f"for {spell(share)}% say {spell(share / 100)}" if 2 <= share <= 100 else ""
        raise ParameterError(name, "must be between 0 and 1", got=describe(q), fix=percent) from None
    return share
