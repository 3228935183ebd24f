"""Mean of a column clamped to its bounds, and proportion: the mean of zeros and ones.

If records are swapped, n is public and the mean is the sum over n. If they are added and removed, the best l edits
remove the d smallest and add l - d times the upper bound b, for the best d:

    upper[l] = b - min over d <= l of (T - E[d]) / (n + l - 2d)      T = sum of b - x,  E[d] = the d largest b - x

Which d is best only grows with l, so one pointer finds them all; taking the best edit one at a time does not. The lower
side is the mirror image. An empty column answers with the lower bound.

A column of booleans or of 0 and 1 is a column on the lattice {0, 1}; its mean is the share of ones. Any other number is
clamped and rounded to 0 or 1 first. Of a category, a record is 1 where it is this and 0 where it is another.
Proof: docs/proofs/mean.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp, expm1, gcd
from typing import NamedTuple

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.records import Column, Groups
from noisewise.statistics.statistic import BOTH, Frame, Statistic, Weight, no_bounds

FEWEST = Fraction(81, 10)
"""With epsilon times so many records, a score is within half of them but for a chance of about one in twenty."""

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
        """Exact, not a bound."""
        sums, (low, high) = column.sums(), (column.lattice.low, column.lattice.high)
        count, total = sums.count, sums.total
        edits = min(levels, count)
        smallest, largest = column.extremes(edits)
        best = _swapped if column.neighbors == "swap" else _added_or_removed
        upper, lower = (
            best((high - smallest).tolist(), count * (high - low) - total, count, high - low),
            best((largest[::-1] - low).tolist(), total, count, high - low),
        )
        unit = column.lattice.granularity
        above = answers.floors(((high * bottom - top, bottom) for top, bottom in upper), unit)
        below = answers.floors(((low * bottom + top, bottom) for top, bottom in lower), unit)
        if edits == count:
            below[-1] = answers.floor(low, unit=unit)  # nobody is left, or everybody was replaced
        if count == 0:
            above = below
        return Envelope.of(below, above, answers.support)

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        return Fraction(1) if neighbors == "add_remove" else None

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """A record pulls upwards by its distance from the lower bound, downwards by that from the upper one."""
        sums = column.sums()
        return between_bounds([sums.total], [sums.count], column.lattice, answers)

    def least_records(self, epsilon: Fraction) -> int | None:
        """Of fewer, no distance below half of that between the bounds is promised."""
        return -(-FEWEST // epsilon)

    def distance_off(self, frame: Frame, size: int, epsilon: Fraction, miss: Fraction) -> Fraction | None:
        """A score of a is a distance of at most a*(high - low)/n; a step more, since answers are rounded."""
        score = score_off(size, float(epsilon), float(miss))
        reach = (frame.records.high - frame.records.low) * frame.records.granularity
        return None if score is None else Fraction(score) * reach / size + frame.answers.granularity

    def weight(self, frame: Frame) -> Weight | None:
        reach = (frame.records.high - frame.records.low) * frame.records.granularity
        return Weight(reach, Fraction(1), "the number of records")

    def totals(self, column: Column) -> tuple[int, int]:
        sums = column.sums()
        return sums.total, sums.count * (column.lattice.high - column.lattice.low) - sums.total

    def scores(self, groups: Groups, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        return between_bounds(groups.sums(), groups.counts.tolist(), groups.lattice, answers)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """The same for all groups at once, where 64 bits hold every product."""
        counts, (low, high) = groups.counts, (groups.lattice.low, groups.lattice.high)
        ratio = groups.lattice.granularity / answers.granularity
        most = (int(counts.max()) + levels + 1) * max(abs(low), abs(high), high - low) * 2
        if most * ratio.numerator * ratio.denominator >= 2**62:
            return Statistic.envelopes(self, groups, answers, levels)
        totals, edits = np.array(groups.sums(), np.int64), np.minimum(levels, counts)
        smallest = groups.ranks(np.ones_like(counts), edits + 1)
        largest = groups.ranks(counts - edits + 1, counts + 1)
        offsets, ends = np.concatenate([[0], np.cumsum(edits + 1)]), np.cumsum(edits)
        farther = counts * (high - low) - totals
        upper = _each_added_or_removed(high - smallest, ends - edits, 1, farther, counts, offsets)
        lower = _each_added_or_removed(largest - low, ends - 1, -1, totals, counts, offsets)

        def floors(tops: Integers, bottoms: Integers) -> Integers:
            found: Integers = np.clip(
                tops * ratio.numerator // (bottoms * ratio.denominator), answers.low, answers.high
            )
            return found

        above = floors(high * upper.bottoms - upper.tops, upper.bottoms)
        below = floors(low * lower.bottoms + lower.tops, lower.bottoms)
        nobody = answers.floor(low, unit=groups.lattice.granularity)
        below[offsets[1:][edits == counts] - 1] = nobody
        above[offsets[:-1][counts == 0]] = nobody
        return Envelope(below, above, offsets, answers.support)


@dataclass(frozen=True, slots=True)
class Proportion(Mean):
    """The share of records that are true, in a column of booleans or of zeros and ones; 0 if there are none.

    With a ``category``, text, a number or a boolean, the share of records that are this.
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
    """The score of a mean, for each group: sums of records counted from the lower bound, and how many there are.

    phi(y) = sum of (y - v) / max(y - low, high - y): of the answer's odds (y - low)/(high - y) to what they should be.
    One record counts at most ``most`` times, where it has a weight.
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


def score_off(size: int, epsilon: float, miss: float) -> float | None:
    """How far from 0 the score of a draw is, but for a chance of ``miss``, whatever the mean of ``size`` records.

    With E the epsilon, for a <= n/2, falling with a:

        P(|score| > a) <= e^(-E a)/2 * (1/(1 - e^(-E n/4)) + 2n/((n - a)(1 - e^(-E a/2))))

    None where there are too few records for that. Proof: docs/proofs/planning.md.
    """
    if epsilon * size <= 4:
        return None

    def chance(a: float) -> float:
        above = 2 * size / ((size - a) * -expm1(-epsilon * a / 2))
        return exp(-epsilon * a) / 2 * (1 / -expm1(-epsilon * size / 4) + above)

    low, high = 0.0, size / 2
    if chance(high) > miss:
        return None
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if middle > 0 and chance(middle) <= miss else (middle, high)
    return high


def common_step(a: Fraction, b: Fraction) -> Fraction:
    """The largest step of which both are multiples."""
    return Fraction(
        gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator
    )


def _swapped(gaps: list[int], total: int, count: int, width: int) -> Iterator[tuple[int, int]]:
    """The least mean distance from a bound after 0, 1, ... swaps, as numerator and denominator."""
    yield total, max(count, 1)
    for gap in gaps:
        total -= gap
        yield total, count


def _added_or_removed(gaps: list[int], total: int, count: int, width: int) -> Iterator[tuple[int, int]]:
    """The least mean distance from a bound after 0, 1, ... edits; ``gaps`` are the largest distances, falling.

    After d removals, total is T - E[d]; removing one more is better while gap*(n + l - 2d) > 2*total.
    """
    removed = 0
    yield total, max(count, 1)
    for l in range(1, len(gaps) + 1):
        while removed < min(l, count - 1) and gaps[removed] * (count + l - 2 * removed) > 2 * total:
            total -= gaps[removed]
            removed += 1
        yield total, count + l - 2 * removed


class Ratios(NamedTuple):
    """Distances from a bound as numerators and denominators, the levels of all groups behind each other."""

    tops: Integers
    bottoms: Integers


def _each_added_or_removed(
    gaps: Integers, first: Integers, apart: int, totals: Integers, counts: Integers, offsets: Integers
) -> Ratios:
    """`_added_or_removed` of many groups: level by level, for all that have it.

    The d-th largest distance of group g is gaps[first[g] + apart*d], and its levels begin at offsets[g].
    """
    last = np.diff(offsets) - 1
    order = np.argsort(-last, kind="stable")  # whoever has a level stands before whoever has it not
    last, totals, counts, first, begin = (
        last[order],
        totals[order],
        counts[order],
        first[order],
        offsets[order],
    )
    found = Ratios(np.empty(offsets[-1], np.int64), np.empty(offsets[-1], np.int64))
    found.tops[begin], found.bottoms[begin] = totals, np.maximum(counts, 1)
    removed = np.zeros_like(counts)
    for l in range(1, int(last[0]) + 1):
        here = slice(int(np.searchsorted(-last, -l, side="right")))
        count, total, gone, most = counts[here], totals[here], removed[here], np.minimum(l, counts[here] - 1)
        while True:
            gap = gaps[first[here] + apart * np.minimum(gone, last[here] - 1)]
            better = (gone < most) & (gap * (count + l - 2 * gone) > 2 * total)
            if not better.any():
                break
            total -= gap * better
            gone += better
        found.tops[begin[here] + l], found.bottoms[begin[here] + l] = total, count + l - 2 * gone
    return found
