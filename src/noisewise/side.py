"""One side of a law: the points j = 1, 2, ... beyond the edge of the plateau, step by step.

Step l holds the points reach[l-1] < j <= reach[l]; a side without end goes on in steps of width ``endless``. The cost
is exact; the sums of weights exp(-rate*cost) are float64 for reading, in closed form, and decide no outcome.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Points = NDArray[np.int64]


@dataclass(frozen=True, slots=True, repr=False)
class Side:
    """``reach[0] == 0`` and reach rises; ``endless`` is 0 on a side that ends at reach[-1]."""

    reach: Points
    endless: int
    rate: Fraction
    graded: bool

    def cost(self, j: int) -> Fraction | float:
        """How many people must change their data before the envelope holds point j; infinite beyond the end."""
        l = int(np.searchsorted(self.reach, j))
        if l < self.reach.size:
            part = Fraction(j - int(self.reach[l - 1]), int(self.reach[l] - self.reach[l - 1]))
        elif self.endless:
            part = Fraction(j - int(self.reach[-1]), self.endless)
        else:
            return math.inf
        return l - 1 + (part if self.graded else math.ceil(part))

    def float_cost(self, j: Points) -> Floats:
        base, width, inside = self._step_of(j)
        part = inside / width
        return base + (part if self.graded else np.ceil(part))

    def mass_to(self, j: Points) -> Floats:
        """The sum of the weights of the points 1..j."""
        base, width, inside = self._step_of(j)
        before = np.concatenate([[0.0], np.cumsum(self._steps()[0])])
        return before[base] + self._run(base, width, inside)

    @property
    def mass(self) -> float:
        """The sum of all weights."""
        return float(np.sum(self._steps()[0])) + self._tail()[0]

    def moment(self, limit: int | None = None) -> float:
        """The sum of weight * min(j, limit): what the expected distance is made of."""
        if limit is None:
            mass, mean = self._steps()
            tail, beyond = self._tail()
            return float(np.sum(mass * (self.reach[:-1] + mean))) + tail * (float(self.reach[-1]) + beyond)
        if limit == 0:
            return 0.0
        end = np.array([limit], np.int64)
        base, width, inside = self._step_of(end)
        whole = replace_reach(self, self.reach[: base[0] + 1])
        part = self._run(base, width, inside)[0]
        mean = self._mean(inside, inside / width * float(self.rate))[0]
        within = whole.moment() + part * (float(self.reach[base[0]]) + mean)
        return float(within + limit * (self.mass - self.mass_to(end)[0]))

    def _step_of(self, j: Points) -> tuple[Points, Floats, Floats]:
        """For points of the side: the level where their step begins, its width, and the place inside it."""
        l = np.searchsorted(self.reach, j)
        base = np.minimum(np.maximum(l, 1), self.reach.size) - 1
        after = np.append(self.reach[1:], self.reach[-1] + self.endless)
        width = np.maximum(after - self.reach, 1)[base]
        return base, width.astype(np.float64), (j - self.reach[base]).astype(np.float64)

    def _run(self, base: Points, width: Floats, count: Floats) -> Floats:
        """The weights of the first ``count`` points of a step that begins at level ``base``, summed."""
        rate = float(self.rate)
        start = np.exp(-rate * base)
        if self.graded:
            slope = np.maximum(rate / width, 1e-300)
            return start * -np.expm1(-slope * count) / np.expm1(slope)
        whole = np.floor(count / width)
        blocks = width * np.exp(-rate) * _geometric_sum(rate, whole)
        return start * (blocks + (count - whole * width) * np.exp(-rate * (whole + 1)))

    def _steps(self) -> tuple[Floats, Floats]:
        """Mass and mean place of each bounded step; a step without points has no mass."""
        width = np.diff(self.reach).astype(np.float64)
        levels = np.arange(width.size)
        mass = np.where(width > 0, self._run(levels, np.maximum(width, 1), width), 0.0)
        return mass, self._mean(np.maximum(width, 1), np.full(width.size, float(self.rate)))

    def _mean(self, count: Floats, drop: Floats) -> Floats:
        """The mean place among ``count`` points whose weights fall by a factor exp(-drop) in all."""
        if not self.graded:
            return (count + 1) / 2
        return count * _centre(drop) + 1 - _centre(drop / count)

    def _tail(self) -> tuple[float, float]:
        """Mass and mean place of what follows the last level."""
        if not self.endless:
            return 0.0, 0.0
        rate, width, start = float(self.rate), self.endless, math.exp(-float(self.rate) * (self.reach.size - 1))
        if self.graded:
            return start / math.expm1(rate / width), -1 / math.expm1(-rate / width)
        return start * width / math.expm1(rate), (width + 1) / 2 + width / math.expm1(rate)


def replace_reach(side: Side, reach: Points) -> Side:
    """The side cut off at a level."""
    return Side(reach, 0, side.rate, side.graded)


def _centre(drop: Floats) -> Floats:
    """1/d - 1/(e^d - 1), the mean of a density falling as exp(-d*t) on [0, 1]; a series where it cancels."""
    small = drop < 1e-2
    safe = np.where(small, 1.0, drop)
    series = 0.5 - drop / 12 + drop**3 / 720
    return np.where(small, series, 1 / safe - 1 / np.expm1(safe))


def _geometric_sum(rate: float, terms: Floats) -> Floats:
    """1 + e^-rate + ... , so many terms."""
    return terms if rate < 1e-300 else np.expm1(-rate * terms) / np.expm1(-rate)
