"""Variance and standard deviation of a column clamped to its bounds: the population variance, which divides by n.

Level l of the envelope has two sides: the lowest and the highest variance that l edits of the records can reach. Each
side is exact up to a public level, and a looser bound above this level. An exact side needs the records. The variance
is lowered most by removing records from the ends and adding others at the mean. It is raised most by removing records
near the mean and adding others at the bounds. A looser bound needs only the count, the sum and the sum of squares.
``Variance(exact=False)`` has looser bounds at all levels. Both kinds of sides are in `reach`. The variance of no
records, or of one record, is 0.

The root is monotone, so a level of the standard deviation is the root of the same level of the variance. The root is
floored once, as an integer root: floor(sqrt(r)) = isqrt(floor(r)). Proof: docs/proofs/variance.md.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from itertools import chain, islice, repeat
from typing import cast

import numpy as np

from noisewise.errors import Pair, ParameterError, ParameterTypeError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.records import Column, Groups, OneGroup, Sums
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.summands import Box, Summands, outwards, roots_outwards, spread_sums, variances
from noisewise.statistics.variance.group_variances import Below, KnownColumns, Stretch, both_sides
from noisewise.statistics.variance.reach import (
    PowerSums,
    Ratio,
    exact_lower,
    exact_upper,
    highest,
    lower_bound,
    means_in_reach,
    upper_bound,
)

EXACT_UPPER = 48
"""Below this level the upper side is exact. It searches at most EXACT_UPPER^2 / 2 pairs (d, m), usually very few."""

EXACT_LOWER = 1024
"""Below this level the lower side is exact."""

NARROWEST, WIDEST = Fraction(1, 2**499), Fraction(2**500)
"""If the distance between the bounds is in this range, variances and their steps fit into float64 numbers."""


@dataclass(frozen=True, slots=True)
class Variance(Statistic):
    """The population variance of the records, each clamped to the bounds; 0 if there are none.

    ``exact=False`` draws a wider envelope that reads the count, the sum and the sum of squares and never sorts.
    """

    relations = BOTH
    nearest_first = True

    _: KW_ONLY
    exact: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.exact, bool):
            raise ParameterTypeError("exact", "must be True or False", got=describe(self.exact)) from None

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        if not NARROWEST <= high - low <= WIDEST:
            raise ParameterError(
                "bounds",
                "must be between 2^-499 and 2^500 apart for a variance, which is a square",
                got=Pair(f"{float(low):g}", f"{float(high):g}"),
            ) from None
        return Frame(Lattice.fine(bounds), Answers.between(Fraction(0), (high - low) ** 2 / 4, granularity))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return frame.answers.steps(squared_reach(frame, neighbors, size))

    def support_of(self, frame: Frame, neighbors: Neighbors, size: int) -> tuple[int, int]:
        most = highest(PowerSums(size, 0, 0, frame.records.high - frame.records.low), neighbors)
        return 0, self.floors([most], frame.records.granularity, frame.answers)[0]

    def floors(self, variances: Iterable[Ratio], unit: Fraction, answers: Answers) -> list[int]:
        """Return the index of the answer for each variance, which is in squared ``unit``s. This map is monotone."""
        return answers.floors(variances, unit * unit)

    def about(self, variances: Floats, unit: Fraction, answers: Answers) -> Floats:
        """Return what `floors` returns, but without the floor, in float64. It is rounded at most three times."""
        return variances * float(unit * unit / answers.granularity)

    def attained(self, levels: int) -> bool:
        return self.exact and levels < min(EXACT_UPPER, EXACT_LOWER)

    def summands(self, frame: Frame) -> Summands:
        width = frame.records.high - frame.records.low
        return Summands((width**2,) * 3)

    def sums(self, column: Column) -> tuple[int, ...]:
        return Variance.sums_of_groups(self, OneGroup(column))[0]

    def sums_of_groups(self, groups: Groups) -> list[tuple[int, ...]]:
        known = groups.below(np.full(len(groups), groups.lattice.high), squares=True)
        return [spread_sums(each, groups.lattice.high - groups.lattice.low) for each in known]

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        square = self._range(frame) ** 2 / frame.answers.granularity
        low, high = variances(box)
        return outwards((low * square, high * square))

    def _range(self, frame: Frame) -> Fraction:
        """Return the distance between the bounds."""
        return (frame.records.high - frame.records.low) * frame.records.granularity

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """Return the envelope of one column: exact sides below EXACT_UPPER and EXACT_LOWER, bounds from there on."""
        moments, relation = PowerSums.of(column), column.neighbors
        edits = min(levels, moments.count + (relation == "add_remove"))
        below, above = (side(column, moments, edits, answers) for side in (self.below, self.above))
        support = self.support_of(Frame(column.lattice, answers), relation, moments.count)
        return Envelope.of(below, above, support)

    def below(self, column: Column, moments: PowerSums, edits: int, answers: Answers) -> list[int]:
        """Return the lower side of the envelope, as indices of answers, for 0 to ``edits`` edits."""
        lower = lower_bound(moments, edits, column.neighbors)
        if self.exact:
            lower = _spliced(exact_lower(column, moments, min(edits + 1, EXACT_LOWER)), lower)
        levels = islice(chain(lower, repeat((0, 1))), edits + 1)
        return self.floors(levels, column.lattice.granularity, answers)

    def above(self, column: Column, moments: PowerSums, edits: int, answers: Answers) -> list[int]:
        """Return the upper side of the envelope, as indices of answers, for 0 to ``edits`` edits."""
        upper = upper_bound(moments, edits, column.neighbors)
        if self.exact:
            upper = _spliced(exact_upper(column, moments, min(edits + 1, EXACT_UPPER)), upper)
        levels = islice(chain(upper, repeat(highest(moments, column.neighbors))), edits + 1)
        return self.floors(levels, column.lattice.granularity, answers)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """Return the envelopes of all groups. All groups are read at once, and computed together if floats decide."""
        known = groups.below(np.full(len(groups), groups.lattice.high), squares=True)
        needed = _needed(groups, known, levels) if self.exact else ([], [])
        columns = KnownColumns.of(groups, known, *needed)
        edits = np.minimum(min(levels, 2**62), columns.counts + 1)
        if not self.exact or groups.neighbors == "swap" or edits.max(initial=0) + 1 >= EXACT_LOWER:
            one_by_one = (cast("Column", columns[group]) for group in range(len(groups)))
            return Envelope.stack([self.envelope(column, answers, levels) for column in one_by_one])
        lower, upper, offsets = both_sides(self, columns, edits, answers, EXACT_UPPER)
        return Envelope(
            lower, upper, offsets, self.support_of(Frame(groups.lattice, answers), "add_remove", 0)
        )


def squared_reach(frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> Fraction:
    """Return how far a record can move a variance: (n-1)/n^2 squared ranges for n records; n = 2 if n is not public."""
    n = max(size(), 1) if neighbors == "swap" else 2
    width = (frame.records.high - frame.records.low) * frame.records.granularity
    return Fraction(n - 1, n * n) * width**2


def _needed(groups: Groups, known: list[Sums], levels: int) -> tuple[list[Stretch], list[Below]]:
    """Return the records that `exact_lower` and `exact_upper` read in each group: those at the ends of the group,
    and those near the means that edits can reach.
    """
    low = groups.lattice.low
    counts = np.array([each.count for each in known])
    edits = np.minimum(min(levels, 2**62), counts + 1) + 1
    ends = np.clip(counts - 1, 0, np.minimum(edits, EXACT_LOWER))
    reach = np.minimum(edits, EXACT_UPPER)
    means = [
        means_in_reach(PowerSums.read(each, groups.lattice), most)
        for each, most in zip(known, reach.tolist(), strict=True)
    ]
    before, up_to = [low + least - 1 for least, _ in means], [low + most for _, most in means]
    start, stop = ([each.count for each in groups.below(np.array(index))] for index in (before, up_to))
    middle = np.maximum(start - reach, 0) + 1, np.minimum(stop + reach, counts) + 1
    stretches = [(np.ones_like(ends), ends + 1), (counts - ends + 1, counts + 1), middle]
    return stretches, [(before, start), (up_to, stop)]


def _spliced(near: Iterable[Ratio], far: Iterable[Ratio]) -> Iterator[Ratio]:
    """Return the exact levels ``near``, then the later levels of the bound ``far``, like `Envelope.splice`."""
    known = list(near)
    return chain(known, islice(far, len(known), None))


@dataclass(frozen=True, slots=True)
class Std(Variance):
    """The population standard deviation of the records, each clamped to the bounds; 0 if there are none.

    ``exact=False`` draws a wider envelope that reads the count, the sum and the sum of squares and never sorts.
    """

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        return Frame(Lattice.fine(bounds), Answers.between(Fraction(0), (high - low) / 2, granularity))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        """Return the root of `squared_reach`. Roots differ by at most the root of the difference of their squares."""
        steps = math.ceil(squared_reach(frame, neighbors, size) / frame.answers.granularity**2)
        return frame.answers.steps((math.isqrt(max(steps - 1, 0)) + 1) * frame.answers.granularity)

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        square = (self._range(frame) / frame.answers.granularity) ** 2
        low, high = variances(box)
        return roots_outwards((low * square, high * square))

    def floors(self, variances: Iterable[Ratio], unit: Fraction, answers: Answers) -> list[int]:
        square = (unit / answers.granularity) ** 2
        over, under = square.numerator, square.denominator
        return [math.isqrt(variance[0] * over // (variance[1] * under)) for variance in variances]

    def about(self, variances: Floats, unit: Fraction, answers: Answers) -> Floats:
        roots: Floats = np.sqrt(variances * float((unit / answers.granularity) ** 2))
        return roots
