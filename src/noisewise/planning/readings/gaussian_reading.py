"""Read a law of Gaussian noise in float64, in logarithms. Proof of the law: docs/proofs/discrete_gaussian.md.

Sums of f(x) = exp(-x^2 / (2v)) over whole numbers follow from integrals with corrections (Euler-Maclaurin), or from
their terms if these fall fast.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.planning.readings.law_reading import distance_within, quantiles
from noisewise.planning.readings.normal import erfcx
from noisewise.planning.readings.positions import positions

SMALL = 8.0**2
"""Up to this variance, terms are added up."""
STEEP = 0.5
"""Terms are added up, too, from a point on where each is smaller than the one before by a factor of e^STEEP."""
TERMS = 80
"""Terms after so many are below e^-40 of the first one."""
CORRECTIONS = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)
"""Bernoulli numbers B_2j / (2j)!"""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GaussianReading(GaussianLaw):
    """A single law of Gaussian noise with methods that read it."""

    @property
    def support(self) -> tuple[float | None, float | None]:
        """The lowest and the highest value; None for an unbounded side."""
        low, high = self.ends
        return self._value(low), self._value(high)

    @property
    def centre(self) -> int:
        """The index of the answer without noise."""
        self._only()
        return int(self.centres[0])

    def pmf(self, values: ArrayLike) -> Any:
        """The probability of each value, float64."""
        return np.exp(self.logpmf(values))

    def logpmf(self, values: ArrayLike) -> Any:
        """The logarithm of the probability of each value. It is finite even if the probability underflows."""
        centre, (low, high), v = self.centre, self._ends(), float(self.variance)
        at = positions(values, self.granularity, low, high)
        k = np.where(at.named, at.at, low)
        logs = -((k - centre).astype(np.float64) ** 2) / (2 * v) - log_total(v)
        logs = np.where(k == low, log_tail(v, centre - k), logs)
        logs = np.where(k == high, log_tail(v, k - centre), logs)
        logs = np.where(at.named, 0.0 if low == high else logs, -np.inf)
        return logs[0] if np.ndim(values) == 0 else logs.reshape(np.shape(values))

    def cdf(self, values: ArrayLike) -> Any:
        """The probability of a draw at or below each value, float64."""
        self._only()
        at = positions(values, self.granularity, *self._ends())
        shares = np.where(at.unknown, np.nan, self._cdf(at.at))
        return shares[0] if np.ndim(values) == 0 else shares.reshape(np.shape(values))

    def quantile(self, shares: ArrayLike) -> Any:
        """For each share, the lowest value with at least this share of the probability at or below it, in float64."""
        self._only()
        return quantiles(shares, self._cdf, self._ends(), self.granularity)

    def expected_error(self) -> float:
        """The mean distance of a draw from the answer without noise."""
        below, above = self._sides()
        return float(self.granularity) * (below + above)

    def bias(self) -> float:
        """How far above the answer without noise a draw is on average; below it if negative."""
        below, above = self._sides()
        return float(self.granularity) * (above - below)

    def within(self, share: float) -> float:
        """The least distance from the answer without noise that holds this share of the probability."""
        return distance_within(self.cdf, self.centre * self.granularity, self.granularity, share)

    def errors(self, share: float) -> tuple[float, float, float]:
        """The mean error, the least distance that holds this share of the probability, and the bias."""
        return self.expected_error(), self.within(share), self.bias()

    def _sides(self) -> tuple[float, float]:
        """How many steps a draw is below the answer without noise on average, and how many steps above."""
        centre, (low, high), v = self.centre, self._ends(), float(self.variance)
        return mean_beyond(v, centre - low), mean_beyond(v, high - centre)

    def _cdf(self, k: Integers) -> Floats:
        low, high = self._ends()
        shares = np.exp(log_tail(float(self.variance), self.centre - k))
        return np.where(k < low, 0.0, np.where(k >= high, 1.0, shares))

    def _value(self, index: int | None) -> float | None:
        if index is None:
            return None
        value = index * self.granularity
        return int(value) if self.granularity.denominator == 1 else float(value)


def log_tail(v: float, m: Integers) -> Floats:
    """The logarithm of P(noise >= m) for each m. It is accurate far out, as no sums are subtracted."""
    outwards = _log_sum(v, np.where(m > 0, m, 1 - m).astype(np.float64)) - log_total(v)
    with np.errstate(divide="ignore"):
        return np.where(m > 0, outwards, np.log1p(-np.exp(np.minimum(outwards, 0.0))))


def log_total(v: float) -> float:
    """The logarithm of the sum of f over all whole numbers."""
    return math.log1p(2 * math.exp(_log_sum(v, np.ones(1))[0]))


def mean_beyond(v: float, limit: int) -> float:
    """The mean of min(noise, limit) where the noise is above 0, and of 0 elsewhere, for a limit of at least 0."""
    if v <= SMALL:
        k = np.arange(1.0, min(limit, math.ceil(40 * math.sqrt(v)) + 1) + 1)
        inside = float(np.sum(k * np.exp(-k * k / (2 * v))))
    else:
        end = np.array([float(limit)])
        last = math.exp(-(limit**2) / (2 * v))
        inside = -v * math.expm1(-(limit**2) / (2 * v)) + limit * last / 2
        for factor, start, stop in zip(
            CORRECTIONS, _hermites(v, np.zeros(1))[2::2], _hermites(v, end)[2::2], strict=True
        ):
            inside += factor * v * float(start[0] - stop[0] * last if last else start[0])
    beyond = limit * math.exp(log_tail(v, np.array([limit + 1]))[0])
    return inside / math.exp(log_total(v)) + beyond


def _log_sum(v: float, m: Floats) -> Floats:
    """ln(f(m) + f(m+1) + ...) for each whole m >= 0."""
    terms, falls = np.zeros(m.shape), (v <= SMALL) | (m > STEEP * v)
    if falls.any():
        for j in range(TERMS):
            terms[falls] += np.exp(-(j * (2 * m[falls] + j)) / (2 * v))
    if not falls.all():
        x = m[~falls]
        sums = math.sqrt(v * math.pi / 2) * erfcx(x / math.sqrt(2 * v)) + 0.5
        for factor, odd in zip(CORRECTIONS, _hermites(v, x)[1::2], strict=False):
            sums += factor * odd
        terms[~falls] = sums
    logs: Floats = np.log(terms) - m * (m / (2 * v))
    return logs


def _hermites(v: float, x: Floats) -> list[Floats]:
    """He_n(x / sqrt(v)) / v^(n/2) for n = 0, 1, ...: the derivatives of f over f, apart from their signs."""
    found = [np.ones(x.shape), x / v]
    for n in range(1, 2 * len(CORRECTIONS)):
        found.append((x * found[n] - n * found[n - 1]) / v)
    return found
