"""Sum of a column clamped to its bounds.

Each edit moves the sum independently of the others. So l edits move it by at most the l largest gains. With x sorted:

    swap          upper[l] = S + sum of b - x[i]             over the l smallest     lower[l]  mirrored
    add/remove    upper[l] = S + sum of max(-x[i], b, 0)     over the l smallest, with max(b, 0) for each missing one

Records are integers on a fine lattice, and so is their sum; each level is floored once. Proof: docs/proofs/sum.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope, Side
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import UTMOST, Answers
from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import FINEST, LARGEST, Lattice, default_granularity, exact_bounds
from noisewise.statistics.records import Column, Groups, OneGroup, extremes_of
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.windows import MOST_LEVELS, backwards, floors


@dataclass(frozen=True, slots=True)
class Sum(Statistic):
    """The sum of the records, each clamped to the bounds. How large the sum can be is not public."""

    relations = BOTH

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        step = _granularity(bounds, max(abs(low), abs(high)), granularity)
        return Frame(
            Lattice.fine((low, high)), Answers(0 if low >= 0 else None, 0 if high <= 0 else None, step)
        )

    def removals_reach(self, frame: Frame) -> Side | None:
        low, high = frame.answers.support
        return "lower" if low == 0 else "upper" if high == 0 else None

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
        return Sum.envelopes(self, OneGroup(column), answers, levels)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound: every level is attained by an edit of the records."""
        sums, lattice, swap = groups.sums(), groups.lattice, groups.neighbors == "swap"
        counts, frame = groups.counts, Frame(lattice, answers)
        centres = [total + count * lattice.low for total, count in zip(sums, counts.tolist(), strict=True)]
        edits = min(levels, int(counts[0])) if swap else levels
        if edits:
            lower, upper = self._sides(groups, centres, answers, edits)
        else:  # as for Laplace noise
            lower = upper = np.array(
                answers.floors(((each, 1) for each in centres), lattice.granularity), np.int64
            )
        support = self.support_of(frame, groups.neighbors, int(counts[0]))
        stride = None if swap else self.sensitivity(frame, groups.neighbors, lambda: 0)
        return Envelope(lower, upper, np.arange(counts.size + 1) * (edits + 1), support, stride)

    def _sides(
        self, groups: Groups, centres: list[int], answers: Answers, edits: int
    ) -> tuple[Integers, Integers]:
        """The lower and the upper levels of all groups."""
        known = np.minimum(min(edits, MOST_LEVELS), groups.counts)
        unit, (low, high) = groups.lattice.granularity, (groups.lattice.low, groups.lattice.high)
        ratio, most = unit / answers.granularity, 2 * (int(groups.counts.max()) + edits + 1)
        reach = most * max(abs(low), abs(high), high - low) * ratio.numerator
        kind: type = np.int64 if max(reach, ratio.denominator) < 2**62 else object
        first: LargeIntegers = np.array(centres, kind)[:, np.newaxis]
        lower, upper = (
            np.hstack([first, first + gains.cumsum(axis=1)]).ravel()
            for gains in _losses_and_gains(groups, known, edits, kind)
        )
        one = np.ones_like(lower)
        return floors(answers, lower, one, unit), floors(answers, upper, one, unit)


def _losses_and_gains(
    groups: Groups, known: Integers, edits: int, kind: type
) -> tuple[LargeIntegers, LargeIntegers]:
    """By how much the best edits lower the sum, as negative numbers, and by how much they raise it. A row per group."""
    low, high = groups.lattice.low, groups.lattice.high
    smallest, largest = extremes_of(groups, known)
    largest = largest[backwards(known)]
    if groups.neighbors == "swap":
        return (low - largest)[np.newaxis].astype(kind), (high - smallest)[np.newaxis].astype(kind)
    there = np.arange(edits) < known[:, np.newaxis]  # a record that is not there counts as 0
    loss: LargeIntegers = np.full(there.shape, min(low, 0), kind)
    gain: LargeIntegers = np.full(there.shape, max(high, 0), kind)
    loss[there] = np.minimum(-largest, min(low, 0))
    gain[there] = np.maximum(-smallest, max(high, 0))
    return loss, gain


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
