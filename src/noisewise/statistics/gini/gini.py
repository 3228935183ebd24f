"""Gini coefficient: half the mean difference of two records, in units of their mean.

    G = M / (n*S)        M = sum of x[j] - x[i] over all pairs i < j of the sorted records,  S = sum of x

It is 0 if all records are 0 or there are none. A dataset has G >= c if and only if f = M - c*n*S >= 0. f is a quadratic
form of the records. So the most unequal data that edits can make is found by trying one c after the other. Below
EXACT_LEVELS the search is exact. From there on, a bound of second order is used, which nests (both in `reach`). Proof:
docs/proofs/gini.md.
"""

from dataclasses import dataclass
from fractions import Fraction

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.gini.reach import Incomes, lower_bounds, most_equal, most_unequal, upper_bounds
from noisewise.statistics.records import Column
from noisewise.statistics.statistic import BOTH, Frame, Statistic

EXACT_LEVELS = 32
"""An envelope is exact below this level, and a bound from it on. Public."""


@dataclass(frozen=True, slots=True)
class Gini(Statistic):
    """The Gini coefficient of records that are not negative, from 0, all equal, to just below 1."""

    relations = BOTH
    ends_by_levels = True

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, _ = exact_bounds(bounds)
        if low < 0:
            raise ParameterError(
                "the lower bound",
                f"must be at least 0 for {self}",
                got=describe(bounds[0]),  # type: ignore[index]
            ) from None
        return Frame(Lattice.fine(bounds), Answers.between(Fraction(0), Fraction(1), granularity))

    def attained(self, levels: int) -> bool:
        return levels < EXACT_LEVELS

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """Exact below EXACT_LEVELS, and a bound from there on."""
        last = min(levels, column.count)
        if column.count == 0:
            return Envelope.of([answers.floor(0)], [answers.floor(0)], answers.support)
        incomes, exact = Incomes.of(column), min(last + 1, EXACT_LEVELS)
        upper = [incomes.gini, *most_unequal(incomes, exact)]
        lower = [incomes.gini, *most_equal(incomes, exact)]
        upper += upper_bounds(incomes, upper[-1], exact, last + 1)
        lower += lower_bounds(incomes, lower[-1], exact, last + 1)
        return Envelope.of(
            [answers.floor(top, bottom) for top, bottom in lower],
            [answers.floor(top, bottom) for top, bottom in upper],
            answers.support,
        )
