"""Expectiles: the answer that distances from above and from below balance, those from above counting tau to 1 - tau.

    phi(y) = sum of w*(y - v) / max((1 - tau)*(y - low), tau*(high - y))      w = 1 - tau where v <= y, else tau

and the answer is where phi changes sign; the lower bound if there are no records. With tau = 1/2 it is the mean; others
are to it what quantiles are to the median. A record's own part rises with y and lies between -1 and 1. In the public
coordinate of the odds (1 - tau)*(y - low) to tau*(high - y) it is made of straight lines that meet at the records and
where the odds are even. Proof: docs/proofs/expectile.md.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.columns.column import Column, Neighbors, SummedBins
from noisewise.errors import ParameterError
from noisewise.laws.score import Odds, Score
from noisewise.numbers.answers import Answers
from noisewise.numbers.arrays import Integers, LargeIntegers
from noisewise.numbers.exact import Number, describe, spell
from noisewise.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.quantile import exact_share
from noisewise.statistics.rising_sum import RisingSum, SharedSteps
from noisewise.statistics.score_end import ScoreEnd, score_ends
from noisewise.statistics.statistic import Frame, ScoreStatistic

MOST_DIGITS = 18


@dataclass(frozen=True, slots=True, init=False)
class Expectile(ScoreStatistic):
    """The tau-expectile of the records, each clamped to the bounds, 0 < tau < 1; the lower bound if there are none."""

    tau: Fraction

    def __init__(self, tau: Number | str) -> None:
        share = exact_share(tau, "tau")
        if not 0 < share < 1:
            raise ParameterError("tau", "must be above 0 and below 1", got=describe(tau)) from None
        if share.denominator >= 10**MOST_DIGITS:
            raise ParameterError(
                "tau", f"must have at most {MOST_DIGITS} digits", got=describe(tau)
            ) from None
        object.__setattr__(self, "tau", share)

    def __str__(self) -> str:
        return f"expectile({spell(self.tau)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        return Frame(Lattice.fine((low, high)), Answers.between(low, high, granularity))

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        top, bottom = self.tau.as_integer_ratio()
        steps = SharedSteps.of(column.lattice, answers, bottom)
        distances = TiltedSum.of(column, levels, steps, top, bottom - top)
        odds = Odds(steps.low, steps.low + steps.width, bottom - top, top)
        return distances.score(levels, odds)

    def ends(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers, miss: Fraction
    ) -> tuple[ScoreEnd, ScoreEnd]:
        """In the coordinate of odds steps are narrowest at the bounds, by the odds of the middle."""
        odds = (1 - self.tau) / self.tau
        return score_ends(self, neighbors, epsilon, 2 * (answers.points + 1) * max(odds, 1 / odds), miss)


class TiltedSum(RisingSum):
    """The sum over all records v of p - v, times ``below`` where v is at or below p, else times ``above``."""

    __slots__ = ("_above", "_below")

    def __init__(self, records: Integers | SummedBins, steps: SharedSteps, above: int, below: int) -> None:
        super().__init__(records, steps)
        self._above, self._below = above, below

    def at(self, positions: LargeIntegers) -> LargeIntegers:
        p = positions.astype(object) - self.steps.offset
        counts, sums = (each.astype(object) for each in self.upto(p // self.steps.scale))
        lower = counts * p - self.steps.scale * sums
        higher = (self.size - counts) * p - self.steps.scale * (int(self.sums[-1]) - sums)
        total: LargeIntegers = self._below * lower + self._above * higher
        return total

    def bottoms(self, positions: LargeIntegers) -> LargeIntegers:
        """What one record adds at most, on the side on which that is more."""
        p = positions.astype(object)
        largest: LargeIntegers = np.maximum(self._below * p, self._above * (self.steps.width - p))
        return largest

    @property
    def bends(self) -> tuple[int, ...]:
        return (0,)

    @property
    def slope(self) -> int:
        return max(self._above, self._below)

    def breaks(self, start: int, stop: int) -> LargeIntegers:
        """The records, and where the odds are even."""
        middle = self._above * self.steps.width // (self._above + self._below)
        even = np.array([middle] if start < middle < stop else [], object)
        return np.unique(np.concatenate([self.shifted(0, start, stop), even]))
