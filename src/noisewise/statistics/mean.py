"""Mean of a column clamped to its bounds.

If records are swapped, n is public and the mean is the sum over n. If they are added and removed, the best l edits
remove the d smallest and add l - d times the upper bound b, for the best d:

    upper[l] = b - min over d <= l of (T - E[d]) / (n + l - 2d)      T = sum of b - x,  E[d] = the d largest b - x

Which d is best only grows with l, so one pointer finds them all; taking the best edit one at a time does not. The lower
side is the mirror image. An empty column answers with the lower bound. Proof: docs/proofs/mean.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from noisewise.answers import Answers
from noisewise.columns.column import Column, Neighbors
from noisewise.envelope import Envelope
from noisewise.lattice import Lattice, exact_bounds
from noisewise.statistics.statistic import BOTH, Frame, Statistic


@dataclass(frozen=True, slots=True)
class Mean(Statistic):
    """The mean of the records, each clamped to the bounds; the lower bound if there are none."""

    relations = BOTH

    def __str__(self) -> str:
        return "mean"

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        return Frame(Lattice.fine((low, high)), Answers.between(low, high, granularity))

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
