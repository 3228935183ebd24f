"""Count: how many records are not missing, or are of one category.

One record added or removed moves the count by one, whatever the data: upper[l] = c + l, lower[l] = max(c - l, 0). If
records are swapped, their number n is public. The count of all records is then n itself, and the count of a category
ends at n. Proof: docs/proofs/count.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Column, Groups, OneGroup
from noisewise.statistics.statistic import BOTH, Frame, Statistic, no_bounds

ANY = Lattice(0, 1, Fraction(1))
"""Records are only counted, whatever they are."""


@dataclass(frozen=True, slots=True)
class Count(Statistic):
    """The number of records that are not missing. Under swap it is public, and every record counts.

    With a ``category``, which is text, a number or a boolean, it is the number of records of this category. That is
    secret even under swap.
    """

    category: object = None

    relations = BOTH
    of_any_type = True

    def __str__(self) -> str:
        return "count" if self.category is None else f"count({describe(self.category)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        no_bounds(self, bounds)
        return Frame(ANY, Answers.counting(granularity))

    def steady(self, neighbors: Neighbors) -> bool:
        return True

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return 1

    def support_of(self, frame: Frame, neighbors: Neighbors, size: int) -> tuple[int | None, int | None]:
        known = frame.answers.floor(size)
        if neighbors == "add_remove":
            return frame.answers.support
        return known if self.category is None else 0, known

    def floored(self, frame: Frame) -> bool:
        return frame.answers.granularity > 1

    def attained(self, levels: int) -> bool:
        return True

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        return Count.envelopes(self, OneGroup(column), answers, levels)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound. Counts always fit into 64 bits."""
        swap, step = groups.neighbors == "swap", int(answers.granularity)
        is_public = swap and self.category is None
        sizes = groups.counts[:, np.newaxis]
        counted, edits = sizes, np.arange(1 if is_public else levels + 1)
        if swap and not is_public:
            counted = np.array(groups.sums())[:, np.newaxis]  # a missing record is a zero
        upper = np.minimum(counted + edits, sizes) if swap else counted + edits
        lower = np.maximum((counted - edits) // step, 0)
        support = self.support_of(Frame(ANY, answers), groups.neighbors, int(sizes[0, 0]))
        offsets = np.arange(len(groups) + 1) * edits.size
        return Envelope(lower.ravel(), (upper // step).ravel(), offsets, support, None if swap else 1)


@dataclass(frozen=True, slots=True)
class People(Count):
    """The number of different people. One record of each takes part."""

    def __str__(self) -> str:
        return "count of people"
