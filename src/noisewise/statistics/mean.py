"""Mean of a column clamped to its bounds, and proportion: the mean of zeros and ones.

If records are swapped, n is public and the mean is the sum divided by n. If records are added and removed, the best l
edits remove the d smallest records and add l - d copies of the upper bound b, for the best d. Let T be the sum of b - x
over all records x, and E[d] the sum of the d largest b - x:

    upper[l] = b - min over d <= l of (T - E[d]) / (n + l - 2d)

The best d only grows with l, so one pointer finds all of them. Choosing the best edits one at a time would not find
them. The lower side is the mirror image. The answer of an empty column is the lower bound.

A column of booleans, or of 0 and 1, is a column on the lattice {0, 1}. Its mean is the share of ones. Any other number
is first clamped and rounded to 0 or 1. With a category, a record of this category is 1 and any other record is 0.
Proof: docs/proofs/mean.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, expm1, gcd, log, sqrt

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.records import Column, Groups, OneGroup, extremes_of
from noisewise.statistics.statistic import BOTH, Frame, Statistic, Weight, no_bounds
from noisewise.statistics.summands import Summands
from noisewise.statistics.windows import MOST_LEVELS, backwards, floors

FEWEST = Fraction(81, 10)
"""If epsilon times the number of records is this, a score is below half the number of records 19 times out of 20."""

TRUE_OR_FALSE = Lattice(0, 1, Fraction(1))


@dataclass(frozen=True, slots=True)
class Mean(Statistic):
    """The mean of the records, each clamped to the bounds; the lower bound if there are none."""

    relations = BOTH

    def frame(self, bounds: object, granularity: object) -> Frame:
        records = Lattice.fine(bounds)
        if granularity is None:  # the default of both is one rule, for the same bounds
            return Frame(records, Answers.on(records))
        return Frame(records, Answers.between(*exact_bounds(bounds), granularity))

    def steady(self, neighbors: Neighbors) -> bool:
        return neighbors == "swap"

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        reach = (frame.records.high - frame.records.low) * frame.records.granularity
        return frame.answers.steps(reach / max(size(), 1) if neighbors == "swap" else reach)

    def attained(self, levels: int) -> bool:
        return True

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        return Mean.envelopes(self, OneGroup(column), answers, levels)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound."""
        totals = groups.sums()
        counts, low, width = groups.counts, groups.lattice.low, groups.lattice.high - groups.lattice.low
        unit, edits = groups.lattice.granularity, np.minimum(min(levels, MOST_LEVELS), counts)
        ratio, most = unit / answers.granularity, int(counts.max()) + int(edits.max()) + 1
        reach = 2 * most * max(abs(low), abs(low + width), width)
        fits = reach * ratio.numerator * ratio.denominator < 2**62

        above_low = np.array(totals, np.int64 if fits else object)
        if not edits.any():  # as for Laplace noise
            size = np.maximum(counts, 1)
            centres = floors(answers, low * size + above_low, size, unit)
            return Envelope(centres, centres, np.arange(counts.size + 1), answers.support)
        smallest, largest = extremes_of(groups, edits)
        offsets = np.concatenate([[0], np.cumsum(edits + 1)])

        def least(gaps: Integers, totals: LargeIntegers) -> tuple[LargeIntegers, LargeIntegers]:
            return _least_distances(gaps.astype(totals.dtype), totals, counts, offsets, groups.neighbors)

        tops, bottoms = least(low + width - smallest, counts * width - above_low)
        above = floors(answers, (low + width) * bottoms - tops, bottoms, unit)
        tops, bottoms = least(largest[backwards(edits)] - low, above_low)
        below = floors(answers, low * bottoms + tops, bottoms, unit)
        nobody = answers.floor(low, unit=unit)
        below[offsets[1:][edits == counts] - 1] = nobody  # nobody is left, or everybody was replaced
        above[offsets[:-1][counts == 0]] = nobody
        return Envelope(below, above, offsets, answers.support)

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        return Fraction(1) if neighbors == "add_remove" else None

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        return Mean.scores(self, OneGroup(column), answers, levels, epsilon)

    def scores(self, groups: Groups, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """A record pulls up by its distance from the lower bound, and down by its distance from the upper bound."""
        totals = groups.sums()
        return between_bounds(totals, groups.counts.tolist(), groups.lattice, answers)

    def least_records(self, epsilon: Fraction) -> int | None:
        """If there are fewer records, no distance below half the range is promised."""
        return -(-FEWEST // epsilon)

    def distance_off(
        self, frame: Frame, size: int, epsilon: Fraction, miss: Fraction, normal: bool = False
    ) -> Fraction | None:
        """If a draw's score is s, its distance is at most s*(high - low)/n, and one step more, since answers are
        rounded."""
        score = score_off(size, float(epsilon), float(miss), normal)
        reach = (frame.records.high - frame.records.low) * frame.records.granularity
        return None if score is None else Fraction(score) * reach / size + frame.answers.granularity

    def weight(self, frame: Frame) -> Weight | None:
        reach = (frame.records.high - frame.records.low) * frame.records.granularity
        return Weight(reach, Fraction(1), "the number of records")

    def summands(self, frame: Frame) -> Summands | None:
        """A record's distance from the lower bound, and its distance from the upper bound."""
        width = frame.records.high - frame.records.low
        return Summands((width, width), share=True, mean=True)

    def sums(self, column: Column) -> tuple[int, ...]:
        return Mean.sums_of_groups(self, OneGroup(column))[0]

    def sums_of_groups(self, groups: Groups) -> list[tuple[int, ...]]:
        width, ups = groups.lattice.high - groups.lattice.low, groups.sums()
        return [(up, count * width - up) for up, count in zip(ups, groups.counts.tolist(), strict=True)]


@dataclass(frozen=True, slots=True)
class Proportion(Mean):
    """The share of records that are true, in a column of booleans or of zeros and ones; 0 if there are none.

    With a ``category``, which is text, a number or a boolean, it is the share of records of this category.
    """

    category: object = None

    def __str__(self) -> str:
        return "proportion" if self.category is None else f"proportion({describe(self.category)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        no_bounds(self, bounds)
        return Frame(TRUE_OR_FALSE, Answers.between(Fraction(0), Fraction(1), granularity))


def between_bounds(
    totals: list[int],
    counts: list[int],
    records: Lattice,
    answers: Answers,
    *,
    most: int = 1,
) -> Score:
    """The scores of the means of groups, from their sums above the lower bound and their numbers of records.

    phi(y) = sum of (y - v) / max(y - low, high - y). The odds of an answer y are (y - low)/(high - y). If records have
    weights, a record counts at most ``most`` times.
    """
    assert answers.low is not None and answers.high is not None, "a mean lies between bounds"
    step = common_step(answers.granularity / 2, records.granularity / 2)
    unit, scale = answers.granularity // step, records.granularity // step
    low, high = min(records.low * scale, unit * answers.low), max(records.high * scale, unit * answers.high)
    sizes = np.array(counts, object)
    ups = scale * np.array(totals, object) + sizes * (records.low * scale - low)
    return Score.fraction(
        ups,
        sizes * (high - low) - ups,
        (answers.low, answers.high),
        odds=Odds(low, high),
        bottom=(high - low) * most,
        unit=unit,
    )


def score_off(size: int, epsilon: float, miss: float, normal: bool = False) -> float | None:
    """For any ``size`` records, a draw's score is at most this far from 0, except with probability ``miss``.

    With E = epsilon, n = size and a <= n/2, this bound falls with a:

        P(|score| > a) <= e^(-E a)/2 * (1/(1 - e^(-E n/4)) + 2n/((n - a)(1 - e^(-E a/2))))

    If the noise is ``normal``, its distribution function at the logarithms of the two terms takes the place of half of
    each term. None if there are too few records. Proof: docs/proofs/planning.md.
    """
    if epsilon * size <= 4:
        return None

    def chance(a: float) -> float:
        below, above = 1 / -expm1(-epsilon * size / 4), 2 * size / ((size - a) * -expm1(-epsilon * a / 2))
        if normal:
            return sum(erfc((epsilon * a - log(each)) / sqrt(2)) for each in (below, above)) / 2
        return exp(-epsilon * a) / 2 * (below + above)

    low, high = 0.0, size / 2
    if chance(high) > miss:
        return None
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if middle > 0 and chance(middle) <= miss else (middle, high)
    return high


def common_step(a: Fraction, b: Fraction) -> Fraction:
    """The largest step that divides both numbers."""
    return Fraction(
        gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator
    )


def _least_distances(
    gaps: LargeIntegers, totals: LargeIntegers, counts: Integers, offsets: Integers, neighbors: Neighbors
) -> tuple[LargeIntegers, LargeIntegers]:
    """The least mean distance from a bound after 0, 1, ... edits of each group, as numerators and denominators.

    ``gaps`` are the largest distances of each group, falling, and ``totals`` the sums of all distances. The levels of
    group g begin at offsets[g].
    """
    sizes = np.diff(offsets)
    level, group = (
        np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes),
        np.repeat(np.arange(counts.size), sizes),
    )
    steps = np.empty(level.size, gaps.dtype)
    steps[level == 0], steps[level > 0] = totals, -gaps
    running = np.cumsum(steps)  # differences are right even if numbers overflow 64 bits
    left = running - (running[offsets[:-1]] - totals)[group]  # T - E[d]
    size = counts[group]
    if neighbors == "swap":
        return left, np.maximum(size, 1)
    inside = np.flatnonzero(level < sizes[group] - 1)  # where a gap d = level is known
    d, n = level[inside], size[inside]
    # at level l, it is better to remove record d as well if gap*(n + l - 2d) > 2*(T - E[d])
    first = np.maximum(2 * left[inside] // np.maximum(gaps, 1) - n + 2 * d, d) + 1
    most = int(sizes.max()) + 1
    first[(gaps == 0) | (d >= n - 1)] = most - 1
    reached = np.maximum.accumulate(np.minimum(first, most - 1).astype(np.int64) + most * group[inside])
    removed = (
        np.searchsorted(reached, level + most * group, side="right")
        - (offsets[:-1] - np.arange(counts.size))[group]
    )
    return left[offsets[:-1][group] + removed], np.maximum(size + level - 2 * removed, 1)
