"""Quantiles: the order statistic of rank max(1, ceil(q*n)) of a bounded column.

One edit slides the rank by at most ``stride`` places, so l edits reach the value l*stride places up or down the sorted
column, or a bound once ranks run out:

    upper[l] = x[ceil(q*n + l*stride)]      lower[l] = x[ceil(q*n - l*stride)]

The stride is 1 if a record is swapped, max(q, 1-q) if one is added or removed. An empty column answers with the lower
bound, which is rank 0. At q = 0 the rank is 1 as long as a record is left. Proof: docs/proofs/quantile.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope, Side
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import WRITTEN, Number, describe, exact, spell
from noisewise.statistics.level_end import upper_logarithm
from noisewise.statistics.records import Column, Groups, OneGroup
from noisewise.statistics.statistic import BOTH, Frame, ScoreStatistic, Statistic
from noisewise.statistics.windows import MOST_LEVELS, Windows

HALF = Fraction(1, 2)
SHIFTED_MISS = Fraction(1, 20)
"""The probability that shifted inverse sensitivity draws a maximum above the true one, or a minimum below it."""

FARTHEST_END = 2**512
"""An end of an interval is at most this many half ranks away from its quantile. Float64 can hold more."""
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
        """The number of ranks that the target of the score is moved up."""
        return Fraction(0)

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        return Quantile.envelopes(self, OneGroup(column), answers, levels)

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction:
        """A record adds 1 to the number of records up to an answer, and moves the target by q, by 0 or by 1."""
        if not self._between_ranks(neighbors, epsilon):
            return Fraction(1)
        top, bottom = self.q.as_integer_ratio()
        return Fraction(max(top, bottom - top), bottom)

    def ends(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers, miss: Fraction
    ) -> "tuple[QuantileEnd | None, QuantileEnd | None]":
        """The quantile moved down and up by as many ranks as a draw can be off."""
        halves = self._half_ranks_off(neighbors, epsilon, answers, miss, f"an interval of {self}")
        return (
            QuantileEnd(self.q, Fraction(-halves, 2)) if self.q > 0 else None,
            QuantileEnd(self.q, Fraction(halves, 2)) if self.q < 1 else None,
        )

    def _half_ranks_off(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers, miss: Fraction, asked: str
    ) -> int:
        """How many half ranks a draw can be off, except with probability ``miss``.

        It is the least number of ranks with (points - 1)/2 * e^-(epsilon/pull * ranks) <= miss. ``asked`` names the
        question in an error.
        """
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

    def removals_reach(self, frame: Frame) -> Side | None:
        return "lower" if self.q == 1 else "upper" if self.q == 0 else None

    def shifted(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers
    ) -> "tuple[QuantileEnd, Fraction] | None":
        """The maximum moved down, or the minimum moved up, by as many ranks as a draw can be off."""
        if 0 < self.q < 1:
            return None
        halves = self._half_ranks_off(neighbors, epsilon, answers, SHIFTED_MISS, f"{self} by shifted_inverse")
        ranks = Fraction(halves if self.q == 0 else -halves, 2)
        return QuantileEnd(self.q, ranks), -ranks

    def edits_off(self, neighbors: Neighbors, epsilon: Fraction, exponent: float) -> float:
        """An edit slides the rank by one stride, and moves the score by the same number."""
        if neighbors == "swap" or self._between_ranks(neighbors, epsilon):
            return exponent / float(epsilon)
        return (exponent / float(epsilon) + 0.5) / float(max(self.q, 1 - self.q))

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """phi(y) = the number of records up to y, less a target between two ranks.

        If `scores` did this for a single group, a call for the median of a list would take 1.15 to 1.3 times as long.
        """
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
        """The scores of all groups at once."""
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
        """The first rank to read, and the rank after the last, for ``levels`` levels on each side of rank ``middle``.

        If no record has the rank ``middle``, the nearest rank of a record is used. So with enough levels all records
        are read. The ranks of one column are Python integers. For these, ``least`` is ``min`` and ``most`` is ``max``.
        """
        middle = least(most(middle, 0), count)
        start = least(most(1, middle - levels + 1), count + 1)
        return start, most(least(count, middle + levels), start - 1) + 1

    def _between_ranks(self, neighbors: Neighbors, epsilon: Fraction) -> bool:
        """Whether the target is just below q*n, instead of half a rank below the rank of the quantile.

        Such a score has a smaller pull, but its target can be close to a rank. Except for the median, this is better
        only if epsilon is small.
        """
        return neighbors == "add_remove" and (self.q == HALF or (self.q > 0 and epsilon <= 1))

    def _targets(self, counts: Any, neighbors: Neighbors, epsilon: Fraction) -> tuple[Any, int]:
        """How many records the score wants at or below the answer, as numerators and their common denominator."""
        top, bottom = self.q.as_integer_ratio()
        if self._between_ranks(neighbors, epsilon):
            return 2 * top * counts - 1, 2 * bottom
        rank = (
            -(-top * counts // bottom) if top else (counts > 0) * 1
        )  # at q = 0 the rank is 1 if there are records
        return 2 * rank - 1, 2

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound: every upper[l] and lower[l] is attained."""
        counts, lattice = groups.counts, groups.lattice
        last = np.minimum(min(levels, MOST_LEVELS), counts)
        fits = self.q.denominator * (int(counts.max()) + int(last.max()) + 1) < 2**62
        kind: type = np.int64 if fits else object
        lowest, highest = self._ranks(counts, last, groups.neighbors, kind)
        window = Windows.of(groups, counts, lowest, highest + 1)
        offsets = np.concatenate([[0], np.cumsum(last + 1)])
        group = np.repeat(np.arange(counts.size), last + 1)
        edits = np.arange(group.size) - offsets[group]
        below, above = self._ranks(counts[group], edits, groups.neighbors, kind)
        lower, upper = window.of_rank(group, below), window.of_rank(group, above)
        return Envelope(lower, upper, offsets, (lattice.low, lattice.high))

    def _ranks(
        self, counts: Integers, edits: Integers, neighbors: Neighbors, kind: type
    ) -> tuple[Integers, Integers]:
        """Return the lowest and the highest rank to which ``edits`` edits can move the quantile of ``counts`` records.

        A rank below 1 stands for the lower bound, and a rank above the count for the upper bound. ``kind`` is the type
        to compute with: ``object`` if 64 bits might not hold every product.
        """
        top, bottom = self.q.as_integer_ratio()
        counts, edits = counts.astype(kind, copy=False), edits.astype(kind, copy=False)
        if neighbors == "swap":
            rank = np.minimum(counts, np.maximum(1, -(-top * counts // bottom)))
            below, above = rank - edits, rank + edits
        else:
            centre, slide = top * counts, max(top, bottom - top) * edits
            below, above = -((slide - centre) // bottom), -((-slide - centre) // bottom)
        if top == 0 and neighbors == "add_remove":
            below += (edits == 0) & (counts > 0)
            above += edits < counts
        return below.astype(np.int64, copy=False), above.astype(np.int64, copy=False)


@dataclass(frozen=True, slots=True, init=False)
class QuantileEnd(Quantile):
    """The q-quantile moved up by ``ranks``, a public multiple of 1/2. A negative number moves it down.

    Its score is the score of the quantile less a constant, so it moves between neighbours just as that score does.
    Proof: docs/proofs/answer_interval.md.
    """

    ranks: Fraction

    def __init__(self, q: Number | str, ranks: Fraction) -> None:
        Quantile.__init__(self, q)
        object.__setattr__(self, "ranks", ranks)

    @property
    def shift(self) -> Fraction:
        return self.ranks

    envelope = ScoreStatistic.envelope  # raises an error: there is no envelope, only balance answers
    pull, score = Quantile.pull, Quantile.score

    def _targets(self, counts: Any, neighbors: Neighbors, epsilon: Fraction) -> tuple[Any, int]:
        targets, bottom = Quantile._targets(self, counts, neighbors, epsilon)
        return targets + int(self.ranks * bottom), bottom


def exact_share(q: object, name: str = "q") -> Fraction:
    """Check a share of the records, typed as a number or as text such as "1/3". Return it as a Fraction."""
    if isinstance(q, str):
        if not WRITTEN.fullmatch(q.strip()):
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
