"""Read a law in float64: probabilities, quantiles and expected errors. Costs are exact."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewise.errors import ParameterError
from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import values_at
from noisewise.planning.readings.bisection import least_steps
from noisewise.planning.readings.half_law import HalfLaw
from noisewise.planning.readings.positions import positions


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LawReading(Law):
    """A single law with methods that read it."""

    @property
    def centre(self) -> Fraction:
        """The index of the answer without noise: the middle of the plateau, or the answer before removals."""
        if self.removals is not None:
            side, edits = self.removals
            return Fraction(int((self.envelope.upper if side == "upper" else self.envelope.lower)[edits]))
        return Fraction(sum(self._plateau()), 2)

    @property
    def support(self) -> tuple[float | None, float | None]:
        """The lowest and the highest value; None for an unbounded side."""
        low, high = self.ends
        return self._value(low), self._value(high)

    def cost(self, values: ArrayLike) -> Any:
        """The exact cost of each value as a Fraction, before clamping; infinite if the value is never drawn."""
        up, down, (lowest, highest) = *self._halves(), self._plateau()

        def cost(k: int) -> Fraction | float:
            if k > highest:
                return up.cost(k - highest)
            return down.cost(lowest - k) if k < lowest else Fraction(0)

        indices, named = self._named(values)
        costs = [cost(k) if known else math.inf for k, known in zip(indices.tolist(), named, strict=True)]
        return costs[0] if np.ndim(values) == 0 else np.array(costs, dtype=object).reshape(np.shape(values))

    def pmf(self, values: ArrayLike) -> Any:
        """The probability of each value, float64."""
        return np.exp(self.logpmf(values))

    def logpmf(self, values: ArrayLike) -> Any:
        """The logarithm of the probability of each value. It is finite even if the probability underflows."""
        k, named = self._named(values)
        up, down, (lowest, highest) = *self._halves(), self._plateau()
        logs = -float(self.rate) * self._float_cost(k)
        if self._ends() != self.envelope.support:
            low, high = np.array(self._ends())
            logs = np.where(k == low, self._log_mass(down, up, lowest - low), logs)
            logs = np.where(k == high, self._log_mass(up, down, high - highest), logs)
            if low == high:
                logs = np.full(k.shape, math.log(self._total()))
        logs = np.where(named, logs - math.log(self._total()), -np.inf)
        return logs[0] if np.ndim(values) == 0 else logs.reshape(np.shape(values))

    def cdf(self, values: ArrayLike) -> Any:
        """The probability of a draw at or below each value, float64."""
        self._only()
        found = positions(values, self.granularity, *self._ends())
        shares = np.where(found.unknown, np.nan, self._cdf(found.at))
        return shares[0] if np.ndim(values) == 0 else shares.reshape(np.shape(values))

    def quantile(self, shares: ArrayLike) -> Any:
        """For each share, the lowest value with at least this share of the probability at or below it, in float64."""
        return quantiles(shares, self._cdf, self._ends(), self.granularity)

    def expected_error(self) -> float:
        """The mean distance of a draw from the true answer: the middle of the plateau, unless the law is shifted.

        If the true answer is D away from that middle, the mean distance is D, less how far draws go towards the answer
        on average, plus twice how far they go beyond it on average.
        """
        if self.removals is not None:
            upwards = self.removals[0] == "upper"
            side, low, high = self._halves()[0 if upwards else 1], *(self.clamp or (None, None))
            middle, edge = sum(self._plateau()) / 2, self._plateau()[1 if upwards else 0]
            far = abs(int(self.centre) - edge)
            end = high if upwards else low
            limit = None if end is None else abs(end - edge)
            beyond = side.moment(limit) - side.moment(far if limit is None else min(far, limit))
            way = self._mean_from_plateau() * (1 if upwards else -1)
            return float(self.granularity) * (
                abs(float(self.centre) - middle) - way + 2 * beyond / self._total()
            )
        up, down, (lowest, highest) = *self._halves(), self._plateau()
        half = (highest - lowest) / 2
        low, high = self.clamp or (None, None)
        limits = (None if high is None else high - highest, None if low is None else lowest - low)
        sides = up.moment(limits[0]) + down.moment(limits[1]) + half * (up.mass + down.mass)
        points = highest - lowest + 1
        plateau = (points * points - points % 2) / 4
        return float(self.granularity) * (plateau + sides) / self._total()

    def bias(self) -> float:
        """How far above the true answer a draw is on average; below it if negative."""
        middle = sum(self._plateau()) / 2
        return float(self.granularity) * (middle - float(self.centre) + self._mean_from_plateau())

    def _mean_from_plateau(self) -> float:
        """How many steps above the middle of the plateau a draw is on average."""
        up, down, (lowest, highest) = *self._halves(), self._plateau()
        half = (highest - lowest) / 2
        low, high = self.clamp or (None, None)
        above = up.moment(None if high is None else high - highest) + half * up.mass
        below = down.moment(None if low is None else lowest - low) + half * down.mass
        return (above - below) / self._total()

    def within(self, share: float) -> float:
        """The least distance from the answer without noise that holds this share of the probability."""
        return distance_within(self.cdf, self.centre * self.granularity, self.granularity, share)

    def errors(self, share: float) -> tuple[float, float, float]:
        """The mean error, the least distance that holds this share of the probability, and the bias."""
        return self.expected_error(), self.within(share), self.bias()

    def _plateau(self) -> tuple[int, int]:
        self._only()
        return int(self.envelope.lower[0]), int(self.envelope.upper[0])

    def _halves(self) -> tuple[HalfLaw, HalfLaw]:
        """The upper and the lower side of a single law."""
        (low, high), stride = self.envelope.support, self.envelope.stride or 0
        rise, fall = (
            self.envelope.upper - self.envelope.upper[0],
            self.envelope.lower[0] - self.envelope.lower,
        )
        if high is not None:
            rise = np.append(rise, high - self.envelope.upper[0])
        if low is not None:
            fall = np.append(fall, self.envelope.lower[0] - low)
        return (
            HalfLaw(rise, stride if high is None else 0, self.rate, self.graded),
            HalfLaw(fall, stride if low is None else 0, self.rate, self.graded),
        )

    def _total(self) -> float:
        up, down, (lowest, highest) = *self._halves(), self._plateau()
        return up.mass + down.mass + (highest - lowest + 1)

    def _float_cost(self, k: Integers) -> Floats:
        up, down, (lowest, highest) = *self._halves(), self._plateau()
        above, below = np.maximum(k - highest, 0), np.maximum(lowest - k, 0)
        costs = np.where(above > 0, up.float_cost(np.maximum(above, 1)), 0.0)
        return np.where(below > 0, down.float_cost(np.maximum(below, 1)), costs)

    def _cdf(self, k: Integers) -> Floats:
        up, down, (lowest, _) = *self._halves(), self._plateau()
        low, high = self._ends()
        shares = np.exp(self._log_mass(down, up, lowest - k) - math.log(self._total()))
        return np.where(k < low, 0.0, np.where(k >= high, 1.0, np.minimum(shares, 1.0)))

    def _log_mass(self, side: HalfLaw, other: HalfLaw, j: Integers) -> Floats:
        """The logarithm of all weights at or beyond point ``j`` of a side. If j <= 0, j counts back on the plateau."""
        lowest, highest = self._plateau()
        points = highest - lowest + 1
        inside = side.mass + np.clip(1 - j, 1, points) + other.mass_to(np.maximum(1 - j - points, 0))
        logs: Floats = np.where(j > 0, side.log_mass_after(np.maximum(j, 1) - 1), np.log(inside))
        return logs

    def _named(self, values: ArrayLike) -> tuple[Integers, Booleans]:
        """The index of the lattice point that each value names, and whether that point can be drawn."""
        self._only()
        found = positions(values, self.granularity, *self._ends())
        return np.where(found.named, found.at, self.envelope.lower[0]), found.named

    def _value(self, index: int | None) -> float | None:
        if index is None:
            return None
        value = index * self.granularity
        return int(value) if self.granularity.denominator == 1 else float(value)


def distance_within(
    cdf: Callable[[float], Any], centre: Fraction, granularity: Fraction, share: float
) -> float:
    """The least distance from the centre that holds this share of the probability, by bisection on the lattice."""
    middle, step = float(centre), float(granularity)

    def held(steps: int) -> float:
        return float(cdf(middle + steps * step) - cdf(middle - (steps + 1) * step))

    return least_steps(lambda steps: held(steps) >= share) * step


def quantiles(
    shares: ArrayLike, cdf: Callable[[Integers], Floats], ends: tuple[int, int], granularity: Fraction
) -> Any:
    """For each share, the lowest value at which the distribution function ``cdf`` reaches it, by bisection."""
    p = np.ravel(np.asarray(shares, np.float64))
    if not np.all((p >= 0) & (p <= 1)):
        raise ParameterError(
            "shares", "must be probabilities between 0 and 1", got=describe(shares)
        ) from None
    first, last = (np.full(p.size, end, np.int64) for end in ends)
    while np.any(first < last):
        middle = first + (last - first) // 2
        enough = cdf(middle) >= p
        first, last = np.where(enough, first, middle + 1), np.where(enough, middle, last)
    values = values_at(first, granularity)
    return values[0] if np.ndim(shares) == 0 else values.reshape(np.shape(shares))
