"""Sum of a column clamped to its bounds.

Edits act one by one and independently, so l edits move the sum by the l largest gains there are. With x sorted:

    swap          upper[l] = S + sum of b - x[i]             over the l smallest     lower[l]  mirrored
    add/remove    upper[l] = S + sum of max(-x[i], b, 0)     over the l smallest; a record that is not there counts as 0

Records are integers on a fine lattice, and so is their sum; each level is floored once. Proof: docs/proofs/sum.md.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import UTMOST, Answers
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import FINEST, LARGEST, Lattice, default_granularity, exact_bounds
from noisewise.statistics.records import Column, Groups
from noisewise.statistics.statistic import BOTH, Frame, Statistic


@dataclass(frozen=True, slots=True)
class Sum(Statistic):
    """The sum of the records, each clamped to the bounds. The sum itself has no end that is public."""

    relations = BOTH

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        step = _granularity(bounds, max(abs(low), abs(high)), granularity)
        return Frame(
            Lattice.fine((low, high)), Answers(0 if low >= 0 else None, 0 if high <= 0 else None, step)
        )

    def steady(self, neighbors: Neighbors) -> bool:
        return True

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        low, high = (end * frame.records.granularity for end in (frame.records.low, frame.records.high))
        return frame.answers.steps(high - low if neighbors == "swap" else max(abs(low), abs(high)))

    def support_of(self, frame: Frame, neighbors: Neighbors, size: int) -> tuple[int | None, int | None]:
        lattice = frame.records
        if neighbors == "add_remove":
            return frame.answers.support
        low, high = (
            frame.answers.floor(end * size, unit=lattice.granularity) for end in (lattice.low, lattice.high)
        )
        return low, high

    def floored(self, frame: Frame) -> bool:
        return frame.records.granularity % frame.answers.granularity != 0

    def attained(self, levels: int) -> bool:
        return True

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound: every level is attained by an edit of the records."""
        lattice, sums = column.lattice, column.sums()
        total, unit = sums.total + sums.count * lattice.low, lattice.granularity
        rise, fall = self._gains(column, levels)
        upper = [answers.floor(total + gain, unit=unit) for gain in accumulate(rise, initial=0)]
        lower = [answers.floor(total - gain, unit=unit) for gain in accumulate(fall, initial=0)]
        if column.neighbors == "swap":
            return Envelope.of(lower, upper, self.support_of(Frame(lattice, answers), "swap", sums.count))
        stride = self.sensitivity(Frame(lattice, answers), column.neighbors, lambda: sums.count)
        return Envelope.of(lower, upper, answers.support, stride)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """All totals at once where no level but the first is asked for, as by Laplace noise."""
        if levels:
            return Statistic.envelopes(self, groups, answers, levels)
        low, unit = groups.lattice.low, groups.lattice.granularity
        totals = zip(groups.sums(), groups.counts.tolist(), strict=True)
        centres = np.array(
            answers.floors(((total + count * low, 1) for total, count in totals), unit), np.int64
        )
        stride = self.sensitivity(Frame(groups.lattice, answers), groups.neighbors, lambda: 0)
        return Envelope(centres, centres, np.arange(len(groups) + 1), answers.support, stride)

    def _gains(self, column: Column, levels: int) -> tuple[Iterable[int], Iterable[int]]:
        """What the best first, second, ... edit adds to the sum, and what the best ones take from it."""
        if not levels:
            return (), ()
        low, high, known = column.lattice.low, column.lattice.high, min(levels, column.count)
        smallest, rising = column.extremes(known)
        largest = rising[::-1]
        if column.neighbors == "swap":
            return (high - smallest).tolist(), (largest - low).tolist()
        absent = [0] * (levels - known)
        rise = np.maximum(-np.append(smallest, absent), max(high, 0))
        fall = np.maximum(np.append(largest, absent), max(-low, 0))
        return rise.astype(np.int64).tolist(), fall.astype(np.int64).tolist()


def _granularity(bounds: object, most: Fraction, granularity: object) -> Fraction:
    if granularity is None:
        return default_granularity(bounds, Fraction(0), most)
    step = exact("granularity", granularity)
    if not 0 < most / FINEST <= step <= most:
        raise ParameterError(
            "granularity",
            f"must be between {float(most / FINEST):g} and {float(most):g}, what one record can add",
            got=describe(granularity),
        ) from None
    if step.denominator > 1 and step * UTMOST > LARGEST:
        raise ParameterError(
            "granularity",
            "must be a whole number where sums can pass the largest float64",
            got=describe(granularity),
        ) from None
    return step
