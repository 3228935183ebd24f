"""Variances of many groups: float64 brackets every level, and integers decide what brackets leave open.

An envelope needs of each level only the floor of one number, a largest or a smallest variance. So it is enough to know
that number between two floats whose answers are the same (`variance_brackets`, `variance_removals`).
Proof: docs/proofs/variance_groups.md.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Protocol

import numpy as np

from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column
from noisewise.statistics.variance.known_column import KnownColumns
from noisewise.statistics.variance.variance_bound import PowerSums, Ratio
from noisewise.statistics.variance.variance_brackets import ERROR, Brackets, SideBySide
from noisewise.statistics.variance.variance_removals import Removals, middle_sizes

TOGETHER = 256
"""So many groups are worked out at a time; what is made of them stays in a core's cache."""

LONGEST = 1024
"""A group with more records near the means in reach is worked out by itself: a matrix is as long as its longest."""

MANY = 8
"""A group with more levels than this that float64 leaves open is worked out by itself."""


class Rounded(Protocol):
    """The variance, or its root: how it is rounded, and its envelope one group at a time."""

    def floors(self, variances: Iterable[Ratio], unit: Fraction, answers: Answers) -> list[int]: ...

    def about(self, variances: Floats, unit: Fraction, answers: Answers) -> Floats: ...

    def below(self, column: Column, moments: PowerSums, edits: int, answers: Answers) -> list[int]: ...

    def above(self, column: Column, moments: PowerSums, edits: int, answers: Answers) -> list[int]: ...


def both_sides(
    statistic: Rounded, columns: KnownColumns, edits: Integers, answers: Answers, exact: int
) -> tuple[Integers, Integers, Integers]:
    """The lower and the upper levels 0..edits[g] of all groups behind each other, and where each group begins.

    Upper levels below ``exact`` are exact ones.
    """
    offsets = np.concatenate([[0], np.cumsum(edits + 1)])
    lower, upper = (np.empty(offsets[-1], np.int64) for _ in range(2))
    order = np.argsort(columns.counts, kind="stable")
    for alike in (order[start : start + TOGETHER] for start in range(0, order.size, TOGETHER)):
        block = SideBySide(columns, alike, int(edits[alike].max()))
        levels = _Levels(statistic, block, edits[alike], answers)
        with np.errstate(all="ignore"):
            sides = levels.lower(), levels.upper(exact)
        place = (offsets[alike] + np.arange(block.levels + 1)[:, np.newaxis])[levels.there]
        lower[place], upper[place] = (side[levels.there] for side in sides)
    return lower, upper, offsets


class _Levels(Secret):
    """The levels of some groups as answers: a row for each level, a column for each group."""

    def __init__(self, statistic: Rounded, block: SideBySide, edits: Integers, answers: Answers) -> None:
        self.statistic, self.block, self.edits, self.answers = statistic, block, edits, answers
        self.unit = block.columns.groups.lattice.granularity
        self.there = np.arange(block.levels + 1)[:, np.newaxis] <= edits

    def lower(self) -> Integers:
        block = self.block
        levels, open_ = self._floors(block.lower())
        many = self._settle(levels, open_, block.exact_lower, 0)
        self._one_by_one(levels, many, self.statistic.below)
        return levels

    def upper(self, exact: int) -> Integers:
        """Exact below the level ``exact``, and the bound by sums from there on."""
        block, exact = self.block, min(self.block.levels + 1, exact)
        near, unknown = block.upper(exact, self.edits)
        exactly: Callable[[int, int], Ratio] = partial(block.exact_upper, near)
        alone = unknown & (middle_sizes(block) > LONGEST)
        if (unknown & ~alone).any():
            removals = Removals(block, near, np.flatnonzero(unknown & ~alone))
            near, added = removals.search(self.edits), exactly
            exactly = lambda l, column: (removals.exact if unknown[column] else added)(l, column)  # noqa: E731
        levels, open_ = self._floors(near)
        end = self.statistic.floors([(block.width**2, 4)], self.unit, self.answers)[0]
        many = alone | self._settle(levels, open_ & ~alone, exactly, end)
        if exact <= block.levels:
            far = block.beyond(exact)
            bounds, open_ = self._floors(far)
            open_[:exact] = False
            many |= self._settle(bounds, open_ & ~alone, partial(block.exact_beyond, far), end)
            levels = np.concatenate([levels, bounds[exact:]])
        self._one_by_one(levels, many, self.statistic.above)
        return levels

    def _floors(self, found: Brackets) -> tuple[Integers, Booleans]:
        """The answers at the lower ends of brackets, and where those at the upper ends are others."""
        least, most = (
            np.floor(self.statistic.about(end, self.unit, self.answers) * (1 + sign * ERROR)).astype(np.int64)
            for end, sign in ((found.least, -1), (found.most, 1))
        )
        return least, (least != most) & self.there[: least.shape[0]]

    def _settle(
        self, levels: Integers, open_: Booleans, exactly: Callable[[int, int], Ratio], end: int
    ) -> Booleans:
        """Put in integers what floats left open; True for groups where that is too much.

        Once a level is ``end``, which is the last answer of all on its side, those after it are, too.
        """
        many = np.zeros(open_.shape[1], np.bool_)
        for column in np.flatnonzero(open_.any(axis=0)).tolist():
            rows = np.flatnonzero(open_[:, column]).tolist()
            for row in rows[:MANY]:
                level = self.statistic.floors([exactly(row, column)], self.unit, self.answers)[0]
                levels[row, column] = level
                if level == end:
                    levels[row:, column] = end
                    break
            else:
                many[column] = len(rows) > MANY
        return many

    def _one_by_one(self, levels: Integers, groups: Booleans, side: Callable[..., list[int]]) -> None:
        """Work out some groups by themselves."""
        block = self.block
        for column in np.flatnonzero(groups).tolist():
            known, edits = block.columns[block.groups.item(column)], self.edits.item(column)
            levels[: edits + 1, column] = side(known, block.moments[column], edits, self.answers)
