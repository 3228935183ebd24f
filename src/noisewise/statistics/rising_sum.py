"""Sums over sorted records that rise with a position: what a score is made of where it has a line for each record.

Of a large column only the lines near the answer are made, where the sum is within a public number of levels of 0.
Beyond, it is at least as far from 0, since it rises. What is left out is said by ``more``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.laws.score import Odds, Score
from noisewise.numbers.answers import Answers
from noisewise.numbers.arrays import Integers, LargeIntegers
from noisewise.numbers.lattice import Lattice
from noisewise.secret import Secret
from noisewise.statistics.mean import common_step


@dataclass(frozen=True, slots=True)
class SharedSteps:
    """Records and answers as positions: whole numbers of a step that both share, from 0 for the lowest to ``width``.

    The record of index i stands at offset + scale*(i - lattice.low), the answer k at unit*k - low. Public.
    """

    unit: int
    scale: int
    low: int
    width: int
    offset: int
    support: tuple[int, int]

    @classmethod
    def of(cls, records: Lattice, answers: Answers, parts: int = 1) -> "SharedSteps":
        """The largest step that half the answers' steps and the records' steps are multiples of, cut into parts."""
        assert answers.low is not None and answers.high is not None, "answers lie between bounds"
        step = common_step(answers.granularity / 2, records.granularity) / parts
        unit, scale = int(answers.granularity / step), int(records.granularity / step)
        low = min(records.low * scale, unit * answers.low)
        high = max(records.high * scale, unit * answers.high)
        return cls(unit, scale, low, high - low, records.low * scale - low, (answers.low, answers.high))


class RisingSum(Secret, ABC):
    """A sum over records, sorted and counted from the low end of their lattice, at positions from 0 to the width."""

    __slots__ = ("records", "steps", "sums")

    def __init__(self, records: Integers, steps: SharedSteps) -> None:
        self.records, self.steps = records, steps
        self.sums = np.append(0, np.cumsum(records))

    @abstractmethod
    def at(self, positions: LargeIntegers) -> LargeIntegers:
        """The sum at each of these positions: a whole number, over what ``bottoms`` says."""

    @abstractmethod
    def bottoms(self, positions: LargeIntegers) -> Any:
        """The denominators: one for all positions, or one for each."""

    @abstractmethod
    def breaks(self, start: int, stop: int) -> LargeIntegers:
        """The positions between two others at which one line ends and the next begins."""

    def score(self, levels: int, odds: Odds | None = None) -> Score:
        """The score: of its lines all that come within so many levels of 0."""
        steps, far = self.steps, max(levels, 1)
        start = self._first(lambda top, bottom: top > -far * bottom, 1, steps.width + 1) - 1
        stop = self._first(lambda top, bottom: top >= far * bottom, 0, steps.width)
        positions = np.concatenate([[start], self.breaks(start, stop), [stop]])
        values, bottom = self.at(positions), self.bottoms(positions)
        if not isinstance(bottom, int):
            values, bottom = np.array([*map(Fraction, values.tolist(), bottom.tolist())], object), 1
        if start > 0:
            positions, values = np.append(0, positions), np.append(values[:1], values)
        if stop < steps.width:
            positions, values = np.append(positions, steps.width), np.append(values, values[-1:])
        return Score.lines(
            positions + steps.low,
            values,
            steps.support,
            bottom=bottom,
            unit=steps.unit,
            odds=odds,
            more=(start > 0, stop < steps.width),
        )

    def count(self, indices: LargeIntegers) -> Integers:
        """How many records are at or below each index."""
        most = int(self.records[-1]) if self.records.size else 0
        return np.searchsorted(self.records, np.clip(indices, -1, most).astype(np.int64), side="right")

    def shifted(self, shift: int, start: int, stop: int) -> LargeIntegers:
        """The positions of records, each so much further, that are between two others."""
        scale, ahead = self.steps.scale, self.steps.offset + shift
        first, last = (start - ahead) // scale, -((ahead - stop) // scale) - 1
        between = slice(*self.count(np.array([first, last], object)))
        return np.unique(self.records[between]).astype(object) * scale + ahead

    def _first(self, enough: Callable[[int, int], bool], low: int, high: int) -> int:
        """The first position from low on, and before high, that is enough; else high."""
        while low < high:
            middle = (low + high) // 2
            here = np.array([middle], object)
            top, bottom = int(self.at(here)[0]), self.bottoms(here)
            if enough(top, bottom if isinstance(bottom, int) else int(bottom[0])):
                high = middle
            else:
                low = middle + 1
        return low
