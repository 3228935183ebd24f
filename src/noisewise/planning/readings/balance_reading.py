"""Read a law of balance in float64, in logarithms. Proofs: docs/proofs/balance.md, docs/proofs/gaussian_balance.md."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.score import Score
from noisewise.kernel.numbers.arrays import Floats, Integers, quotients, whole_numbers
from noisewise.kernel.sampling.balance_noise import NORMAL
from noisewise.kernel.sampling.coordinates import boundaries
from noisewise.kernel.secret import Secret
from noisewise.planning.readings.law_reading import distance_within, quantiles
from noisewise.planning.readings.normal import log_below, log_between
from noisewise.planning.readings.positions import positions

SHORT = 64
"""Sums over at most this many answers are added one by one, longer sums by quadrature."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BalanceReading(BalanceLaw):
    """A single law of balance with methods that read it."""

    @property
    def support(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        low, high = (k * self.granularity for k in self.score.support)
        return (int(low), int(high)) if self.granularity.denominator == 1 else (float(low), float(high))

    @property
    def centre(self) -> int:
        """The index of the answer without noise. There the score changes its sign, or reaches the shift if any."""
        self._only()
        return root(self._whole().score, self.shift)

    def pmf(self, values: ArrayLike) -> Any:
        """The probability of each value, float64."""
        return np.exp(self.logpmf(values))

    def logpmf(self, values: ArrayLike) -> Any:
        """The logarithm of the probability of each value. It is finite even if the probability underflows."""
        self._only()
        at = positions(values, self.granularity, *self.score.support)
        k = np.where(at.named, at.at, self.score.support[0])
        logs = np.where(at.named, Logarithms.of(self._whole()).log_mass(k), -np.inf)
        return logs[0] if np.ndim(values) == 0 else logs.reshape(np.shape(values))

    def cdf(self, values: ArrayLike) -> Any:
        """The probability of a draw at or below each value, float64."""
        self._only()
        at = positions(values, self.granularity, *self.score.support)
        shares = np.where(at.unknown, np.nan, Logarithms.of(self._whole()).cdf(at.at))
        return shares[0] if np.ndim(values) == 0 else shares.reshape(np.shape(values))

    def quantile(self, shares: ArrayLike) -> Any:
        """For each share, the lowest value with at least this share of the probability at or below it, in float64."""
        self._only()
        return quantiles(shares, Logarithms.of(self._whole()).cdf, self.score.support, self.granularity)

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
        self._only()
        law = self._whole()
        reading, centre, (low, high) = Logarithms.of(law), law.centre, law.score.support
        if low == high:
            return 0.0, 0.0
        edges = reading.answers_at_edges()
        below = _sum(reading.cdf, [low, *edges[(edges > low) & (edges < centre)].tolist(), centre])
        above = _sum(reading.tail, [centre, *edges[(edges > centre) & (edges < high)].tolist(), high])
        return below, above


@dataclass(frozen=True, slots=True, repr=False)
class Logarithms(Secret):
    """One law in logarithms, at the edges of the score's pieces: ``down`` is ln D below an edge, ``up`` ln U above it.

    D is the integral of e^(kappa*phi), and U is the integral of e^(-kappa*phi). Here phi is the score.
    """

    law: BalanceLaw
    edges: NDArray[Any]
    widths: Floats
    start: Floats
    end: Floats
    down: Floats
    up: Floats

    @classmethod
    def of(cls, law: BalanceLaw) -> "Logarithms":
        score = law.score
        edges = np.append(score.positions, whole_numbers([score.end]))
        kappa, widths = float(law.kappa), score.coordinate.between(edges[:-1], edges[1:])
        start, end = (kappa * quotients(side, score.bottom) for side in (score.first, score.last))
        with np.errstate(all="ignore"):
            down = np.logaddexp.accumulate(_log_mass(widths, start, end))
            up = np.logaddexp.accumulate(_log_mass(widths, -end, -start)[::-1])[::-1]
        return cls(law, edges, widths, start, end, np.append(-np.inf, down), np.append(up, -np.inf))

    def cdf(self, k: Integers) -> Floats:
        low, high = self.law.score.support
        shares = self._noise_below(self.gap(np.clip(k, low, high - 1)))
        return np.where(k < low, 0.0, np.where(k >= high, 1.0, shares))

    def tail(self, k: Integers) -> Floats:
        """The probability of a draw above each answer ``k``. It is accurate far out, as it is not taken as 1 - cdf."""
        low, high = self.law.score.support
        shares = self._noise_below(-self.gap(np.clip(k, low, high - 1)))
        return np.where(k < low, 1.0, np.where(k >= high, 0.0, shares))

    def _noise_below(self, gap: Floats) -> Floats:
        """P(noise <= gap)."""
        if self.law.noise is NORMAL:
            return np.exp(log_below(gap))
        return np.where(gap < 0, np.exp(np.minimum(gap, 0)) / 2, 1 - np.exp(-np.maximum(gap, 0)) / 2)

    def gap(self, k: Integers) -> Floats:
        """G(k) = ln D - ln U at the boundary of k, for k below the highest answer."""
        down, up = self._at(k)
        return down - up

    def log_mass(self, k: Integers) -> Floats:
        """ln P(k), from the rise of G to k. It is accurate far out, as no probabilities are subtracted."""
        low, high = self.law.score.support
        if low == high:
            return np.zeros(np.shape(k))
        inner = np.clip(k, low, high - 1)
        before = np.clip(k - 1, low, high - 1)
        (down, up), (down_before, up_before) = self._at(inner), self._at(before)
        with np.errstate(all="ignore"):
            rise = np.maximum(self._grown(before, inner, down_before, down), 0)
            rise += np.maximum(self._shrunk(before, inner, up_before, up), 0)
            gap, last = down - up, down_before - up_before
            if self.law.noise is NORMAL:
                first, inside, final = log_below(gap), log_between(last, gap, rise), log_below(-last)
                return np.where(k == low, first, np.where(k >= high, final, inside))
            # G rises from last = G(k - 1) to gap = G(k)
            left = gap - math.log(2) + np.log(-np.expm1(-rise))  # if gap <= 0
            right = -last - math.log(2) + np.log(-np.expm1(-rise))  # if last >= 0
            across = np.log1p(-(np.exp(last) + np.exp(-gap)) / 2)
            inside = np.where(gap <= 0, left, np.where(last >= 0, right, across))
            first = np.where(gap <= 0, gap - math.log(2), np.log1p(-np.exp(-gap) / 2))
            final = np.where(last >= 0, -last - math.log(2), np.log1p(-np.exp(last) / 2))
        return np.where(k == low, first, np.where(k >= high, final, inside))

    def answers_at_edges(self) -> Integers:
        """The answers at which a new piece begins."""
        unit = self.law.score.unit
        indices: Integers = np.unique(np.asarray(-(-self.edges // unit), np.int64))
        return indices

    def _at(self, k: Integers) -> tuple[Floats, Floats]:
        """ln D and ln U at the boundary of k."""
        return self._below(self._right(k)), self._above(self._left(k))

    def _right(self, k: Integers) -> NDArray[Any]:
        """The position where the integral D(k) ends."""
        return k + 1 if self.law.score.unit == 1 else boundaries(k, self.law.score.unit)

    def _left(self, k: Integers) -> NDArray[Any]:
        """The position where the integral U(k) begins."""
        return k if self.law.score.unit == 1 else boundaries(k, self.law.score.unit)

    def _below(self, p: NDArray[Any]) -> Floats:
        i, inside, value = self._point(p)
        with np.errstate(all="ignore"):
            part = _log_mass(self._length(self.edges[i], inside), self.start[i], value)
            return np.logaddexp(self.down[i], part)

    def _above(self, p: NDArray[Any]) -> Floats:
        i, inside, value = self._point(p)
        with np.errstate(all="ignore"):
            part = _log_mass(self._length(inside, self.edges[i + 1]), -self.end[i], -value)
            return np.logaddexp(self.up[i + 1], part)

    def _point(self, p: NDArray[Any]) -> tuple[Integers, NDArray[Any], Floats]:
        """The piece of the score at each position ``p``, the position in it nearest to p, and kappa*phi there."""
        i = np.clip(np.searchsorted(self.edges, p, side="right") - 1, 0, self.start.size - 1)
        inside, width = np.clip(p, self.edges[i], self.edges[i + 1]), self.widths[i]
        with np.errstate(all="ignore"):
            behind = self._length(self.edges[i], inside)
            share = np.where(width > 0, np.minimum(behind / np.where(width > 0, width, 1.0), 1.0), 0.0)
        return i, inside, self.start[i] + share * (self.end[i] - self.start[i])

    def _length(self, p: NDArray[Any], q: NDArray[Any]) -> Floats:
        return self.law.score.coordinate.between(p, q)

    def _grown(self, before: Integers, k: Integers, down_before: Floats, down: Floats) -> Floats:
        """ln D(k) - ln D(k-1). If both lie in one piece, it is computed from the mass between them."""
        return self._between(self._right(before), self._right(k), 1, down_before, down - down_before)

    def _shrunk(self, before: Integers, k: Integers, up_before: Floats, up: Floats) -> Floats:
        """ln U(k-1) - ln U(k), computed in the same way as `_grown`."""
        return self._between(self._left(before), self._left(k), -1, up, up_before - up)

    def _between(self, first: Any, last: Any, sign: int, base: Floats, difference: Floats) -> Floats:
        (i, inside, value), (_, further, height) = self._point(first), self._point(last)
        one_piece = last <= self.edges[np.minimum(i + 1, self.edges.size - 1)]
        height = np.where(one_piece & (last == self.edges[i + 1]), self.end[i], height)
        ends = (value, height) if sign > 0 else (-height, -value)
        part = np.log1p(np.exp(_log_mass(self._length(inside, further), *ends) - base))
        return np.where(one_piece, part, difference)


def _log_mass(width: Floats, start: Floats, end: Floats) -> Floats:
    """The logarithm of the integral of e^x over a piece of this width. On it, x goes linearly from start to end."""
    rise = np.abs(end - start)
    mean = np.where(rise < 1e-300, 1.0, -np.expm1(-rise) / np.where(rise == 0, 1.0, rise))
    logs: Floats = np.log(width) + np.maximum(start, end) + np.log(mean)
    return np.where(width > 0, logs, -np.inf)


def _sum(term: Callable[[Integers], Floats], edges: list[int]) -> float:
    """The sum of ``term`` over the whole numbers edges[0] .. edges[-1] - 1; it is smooth between two ``edges``.

    A long stretch is cut into parts that grow from both of its ends. Each part is summed by quadrature.
    """
    total, cuts = 0.0, [edges[0]]
    for low, high in pairwise(edges):
        reach = SHORT
        ends = [low]
        while low + reach < high - reach:
            ends += [low + reach, high - reach]
            reach *= 2
        cuts += sorted({*ends, high} - {cuts[-1]})
    starts, stops = np.array(cuts[:-1], np.int64), np.array(cuts[1:], np.int64)
    short = stops - starts <= 2 * SHORT
    sizes = (stops - starts)[short]
    if sizes.size:
        before = np.cumsum(sizes) - sizes
        total += float(term(np.repeat(starts[short] - before, sizes) + np.arange(sizes.sum())).sum())
    if not short.all():
        halves = ((stops - starts)[~short] / 2)[:, None]
        middles = ((stops + starts - 1)[~short] / 2)[:, None]
        at = np.rint(middles + halves * NODES)
        values = term(at.astype(np.int64).ravel()).reshape(at.shape)
        total += float((values * WEIGHTS * halves).sum())
    return total


def root(score: Score, height: Fraction = Fraction(0)) -> int:
    """The answer of a single score: the least k whose boundary has a score of at least ``height``, by default 0."""
    low, high = score.support
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if score.at(middle) >= height else (middle + 1, high)
    return low
