"""One side of a law: the points j = 1, 2, ... beyond the edge of the plateau, step by step.

Step l holds the points reach[l-1] < j <= reach[l]. A side without end continues in steps of width ``endless``. The cost
is exact. The sums of weights exp(-rate*cost) are closed formulas in float64, and decide no outcome.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers


@dataclass(frozen=True, slots=True, repr=False)
class HalfLaw:
    """One side of a law. ``reach`` starts at 0 and rises. ``endless`` is 0 if the side ends at reach[-1]."""

    reach: Integers
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
        return l - 1 + (part if self.graded else Fraction(math.ceil(part)))

    def float_cost(self, j: Integers) -> Floats:
        base, width, inside = self._step_of(j)
        part: Floats = inside / width if self.graded else (-(-inside // width)).astype(np.float64)
        return base + part

    def mass_to(self, j: Integers) -> Floats:
        """The sum of the weights of the points 1 to j."""
        base, width, inside = self._step_of(j if self.endless else np.minimum(j, self.reach[-1]))
        before = np.concatenate([[0.0], np.cumsum(self._steps()[0])])
        return before[base] + self._run(base, width, inside)

    def log_mass_after(self, j: Integers) -> Floats:
        """The logarithm of the weight of all points after j. No sums are subtracted, so it is accurate far out."""
        base, _, inside = self._step_of(j)
        whole = self._log_rest(np.arange(self.reach.size), np.zeros(self.reach.size, np.int64))
        later = np.append(np.logaddexp.accumulate(whole[::-1])[::-1], -np.inf)
        logs: Floats = np.logaddexp(self._log_rest(base, inside), later[base + 1])
        return logs

    @property
    def mass(self) -> float:
        """The sum of all weights."""
        return float(np.sum(self._steps()[0])) + self._tail()[0]

    def moment(self, limit: int | None = None) -> float:
        """The sum of weight * min(j, limit) over all points. The expected distance is computed from it."""
        if limit is None:
            mass, mean = self._steps()
            tail, beyond = self._tail()
            return float(np.sum(mass * (self.reach[:-1] + mean))) + tail * (float(self.reach[-1]) + beyond)
        if limit == 0:
            return 0.0
        end = np.array([limit if self.endless else min(limit, int(self.reach[-1]))], np.int64)
        base, width, inside = self._step_of(end)
        whole = replace(self, reach=self.reach[: base[0] + 1], endless=0)
        part = self._run(base, width, inside)[0]
        mean = self._mean(width, inside)[0]
        within = whole.moment() + part * (float(self.reach[base[0]]) + mean)
        return float(within + limit * np.exp(self.log_mass_after(end)[0]))

    def _step_of(self, j: Integers) -> tuple[Integers, Integers, Integers]:
        """For each point ``j``: the level where its step begins, the width of the step, and j's place in the step."""
        l = np.searchsorted(self.reach, j)
        base = np.minimum(np.maximum(l, 1), self.reach.size) - 1
        after = np.append(self.reach[1:], self.reach[-1] + self.endless)
        width = np.maximum(after - self.reach, 1)[base]
        return base, width, j - self.reach[base]

    def _run(self, base: Integers, width: Integers, count: Integers) -> Floats:
        """The sum of the weights of the first ``count`` points of a step that begins at level ``base``."""
        rate = float(self.rate)
        start: Floats = np.exp(-rate * base)
        if self.graded:
            slope: Floats = np.maximum(rate / width, 1e-300)
            run: Floats = -np.expm1(-slope * count) / np.expm1(slope)
        else:
            whole, rest = count // width, count % width
            run = width * np.exp(-rate) * _geometric_sum(rate, whole) + rest * np.exp(-rate * (whole + 1))
        return start * run

    def _log_rest(self, base: Integers, inside: Integers) -> Floats:
        """The logarithm of the weight of a step after its first ``inside`` points; all the rest if it is endless."""
        rate, width = max(float(self.rate), 1e-300), np.append(np.diff(self.reach), self.endless)[base]
        for_ever = (base == self.reach.size - 1) & (self.endless > 0)
        left, width = np.maximum(width - inside, 0), np.maximum(width, 1)
        if self.graded:
            slope: Floats = np.maximum(rate / width, 1e-300)
            run = np.expm1(np.where(for_ever, -np.inf, -slope * left)) / np.expm1(-slope)
            first = slope * (inside + 1)
        else:
            run = np.where(for_ever, width - inside % width + width / np.expm1(rate), left)
            first = rate * (inside // width + 1)
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(run) - rate * base - first
        return logs

    def _steps(self) -> tuple[Floats, Floats]:
        """The mass and the mean place of each step before the endless one. A step without points has no mass."""
        width = np.diff(self.reach)
        tread = np.maximum(width, 1)
        mass = np.where(width > 0, self._run(np.arange(width.size), tread, width), 0.0)
        return mass, self._mean(tread, tread)

    def _mean(self, width: Integers, count: Integers) -> Floats:
        """The mean place of the first ``count`` points of a step, or of the endless steps."""
        rate = float(self.rate)
        if self.graded:
            slope: Floats = rate / width
            return count * _centre(slope * count) + 1 - _centre(slope)
        whole, rest = count // width, count % width
        blocks, after = width * _geometric_sum(rate, whole), rest * np.exp(-rate * whole)
        turns = whole * _centre(rate * whole.astype(np.float64)) - _centre(np.array([rate]))
        among = blocks * (width * turns + (width + 1) / 2) + after * (whole * width + (rest + 1) / 2)
        mean: Floats = among / (blocks + after)
        return mean

    def _tail(self) -> tuple[float, float]:
        """The mass and the mean place of all points after the last level."""
        if not self.endless:
            return 0.0, 0.0
        rate, width = max(float(self.rate), 1e-300), self.endless
        start = math.exp(-rate * (self.reach.size - 1))
        if self.graded:
            slope = max(rate / width, 1e-300)
            return start / math.expm1(slope), -1 / math.expm1(-slope)
        return start * width / math.expm1(rate), (width + 1) / 2 + width / math.expm1(rate)


def _centre(drop: Floats) -> Floats:
    """1/d - 1/(e^d - 1): the mean of a density that falls as exp(-d*t) on [0, 1]. For small d a series replaces it."""
    small = drop < 1e-2
    safe = np.where(small, 1.0, drop)
    series = 0.5 - drop / 12 + drop**3 / 720
    return np.where(small, series, 1 / safe - 1 / np.expm1(np.minimum(safe, 700)))


def _geometric_sum(rate: float, terms: Integers) -> Floats:
    """The sum of the first ``terms`` terms of 1 + e^-rate + e^-2rate + ..."""
    return terms.astype(np.float64) if rate < 1e-300 else np.expm1(-rate * terms) / np.expm1(-rate)
