"""Theil-Sen: the median slope of all pairs of rows, a robust line through a cloud of points.

The N slopes of pairs with different x are clamped to public bounds. The answer is the slope of rank ceil(N/2). A row
that is added or removed adds or removes at most as many slopes as there are other rows. A swapped row does both. So l
edits slide the rank by at most tau[l] places among the slopes without edits,

    upper[l] = slope of rank ceil(N/2 + tau[l])        lower[l] = slope of rank ceil(N/2 - tau[l])

    add/remove                  2 * tau[l] = m + (m + 1) + ... + (m + l - 1),      m = n
    swap                        2 * tau[l] = 2 * l * (n - 1)
    swap, several parts         2 * tau[l] = (2m - 1) + (2m + 1) + ... + (2m + 2l - 3)

or a bound if there is no such rank. Here n is the number of rows. Without any slope the answer is 0, moved into the
bounds. A smaller tau = C(n, 2) - C(n - l, 2) would also reach every possible answer, but it does not nest.

There are about n*n/2 pairs. A large table is dealt into parts, and slopes are taken within parts. Then m is the size of
the largest part. N falls along with tau, so the answer is about as accurate.

Balance weighs the slopes up to y against those above it, in units of what one row can bring,

    phi(y) = (number of slopes up to y - N/2) / (n - 1),

which one row moves by at most 3/4 if it is added or removed, by 1 if it is swapped. The law needs all slopes, not a few
ranks, so this is for one part, on lattices short enough to count slopes by their points.

Proof: docs/proofs/theil_sen.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import whole
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.records import RowsInMemory
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.theil_sen.slopes import AllPairs, Pile, deal, slopes

LARGE = 10_000
"""Under swap, where the number of rows is public, larger tables are dealt into parts unless the user says otherwise."""

ROWS_PER_PART = 500

MOST_PARTS = 2**32

MOST_POINTS = 2**20
"""Slopes are counted by lattice points only if the lattice has at most this many points."""


@dataclass(frozen=True, slots=True)
class TheilSen(Statistic):
    """The median slope of the rows (x, y) over all pairs of rows, or over all pairs within ``parts`` of the table.

    By default there is one part, and under swap one for every 500 rows of more than 10,000.
    """

    relations = BOTH
    ends_by_levels = True

    parts: int | None = None

    columns: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.parts is not None:
            object.__setattr__(self, "parts", whole("parts", self.parts, least=1, most=MOST_PARTS))

    def __str__(self) -> str:
        return "theil_sen" if self.parts is None else f"theil_sen(parts={self.parts})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        """``bounds`` are for the slope. A slope is a fraction, so its lattice is fine even for whole bounds."""
        lattice = Lattice.between(exact_bounds(bounds), granularity)
        return Frame(lattice, Answers.on(lattice))

    def envelope(self, rows: RowsInMemory, answers: Answers, levels: int) -> Envelope:
        """A nested bound. It is tight if the edited rows lie outside the cloud, on one side of the line."""
        (x, y), lattice, parts = rows.values, rows.lattice, self._parts(rows.count, rows.neighbors)
        dealt, edits = deal(x, y, parts), np.arange(min(levels, rows.count) + 1)
        pile = (AllPairs.of(x, y, lattice) if parts == 1 else None) or Pile(
            lambda: slopes(dealt, lattice), lattice
        )
        twice = _slides(edits, int(dealt.sizes.max()), rows.neighbors, parts)
        below, above = -(-(pile.count - twice) // 2), -(-(pile.count + twice) // 2)
        if pile.count == 0:
            nothing = lattice.index(np.zeros(1))[0]
            lower = np.where(twice > 0, lattice.low, nothing)
            upper = np.where(twice > 0, lattice.high, nothing)
        else:
            found = pile.ranks(np.clip(np.concatenate([below, above]), 1, pile.count))
            lower = np.where(below < 1, lattice.low, found[: below.size])
            upper = np.where(above > pile.count, lattice.high, found[below.size :])
        return Envelope.of(lower, upper, answers.support)

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        """There is no score if there are several parts, because the sizes of parts are secret."""
        if neighbors == "swap":
            return Fraction(1) if self.parts == 1 else None
        return Fraction(3, 4) if self.parts in (None, 1) else None

    def has_score_on(self, answers: Answers) -> bool:
        return answers.points <= MOST_POINTS

    def score(self, rows: RowsInMemory, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """All slopes, counted by the points of the lattice. If there is no slope, a weak pull leads to the answer 0."""
        (x, y), lattice = rows.values, rows.lattice
        counts = np.zeros(answers.points, np.int64)
        for lot in slopes(deal(x, y, 1), lattice):
            counts += np.bincount(lot - lattice.low, minlength=counts.size)
        support, total = (lattice.low, lattice.high), int(counts.sum())
        if total == 0:
            nothing = int(lattice.index(np.zeros(1))[0])
            return Score.steps([lattice.low, nothing], [-1, 1], support, bottom=4)
        points = np.flatnonzero(counts)
        up_to = np.append(0, np.cumsum(counts[points]))
        starts = np.append(lattice.low, points + lattice.low)
        return Score.steps(starts, 2 * up_to - total, support, bottom=2 * (rows.count - 1))

    def _parts(self, count: int, neighbors: Neighbors) -> int:
        """The number of parts. Public: the number of rows decides it only under swap, where that number is public."""
        if self.parts is not None:
            return self.parts
        return count // ROWS_PER_PART if neighbors == "swap" and count > LARGE else 1


def _slides(edits: Integers, most: int, neighbors: Neighbors, parts: int) -> Integers:
    """2 * tau[l] for each number of edits l. The largest part has ``most`` rows."""
    if neighbors == "add_remove":
        return edits * most + edits * (edits - 1) // 2
    if parts == 1:
        return 2 * edits * max(most - 1, 0)
    return edits * (2 * most + edits - 2)
