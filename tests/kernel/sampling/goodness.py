"""Judges of a sampler: laws computed apart from the library, sources of chosen bits, and a chi-square test.

A `Reference` knows a law only by its levels and its rate, and sums exact weights in balls. A test that
accepts a sampler shows with the same sample that it rejects a law 10% off.
"""

import math
from bisect import bisect_left
from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq

from noisewise.kernel.laws.law import Law

LEVEL = 1e-9
"""Samples with fixed seeds must be at least this probable, and wrong laws less."""
PRECISION = 512


def ball(number) -> arb:
    number = Fraction(number)
    return arb(fmpq(number.numerator, number.denominator))


# Laws, computed apart.


def levels_of(law: Law):
    """Level l of a single law as Python integers (lower, upper), for any l."""
    lower, upper = [int(k) for k in law.envelope.lower], [int(k) for k in law.envelope.upper]
    (low, high), stride, last = law.envelope.support, law.envelope.stride, len(lower) - 1

    def level(l: int) -> tuple[int, int]:
        if l <= last:
            return lower[l], upper[l]
        return (
            lower[last] - (l - last) * stride if low is None else low,
            upper[last] + (l - last) * stride if high is None else high,
        )

    return level


def naive_cost(law: Law, y: int, most: int = 10_000):
    """inf { s >= 0 : L(s) <= y <= U(s) } by walking the levels; whole levels only unless graded."""
    level = levels_of(law)
    for l in range(most):
        lower, upper = level(l)
        if lower <= y <= upper:
            if l == 0 or not law.graded:
                return Fraction(l)
            inner_lower, inner_upper = level(l - 1)
            up = Fraction(y - inner_upper, upper - inner_upper) if y > inner_upper else Fraction(0)
            down = Fraction(inner_lower - y, inner_lower - lower) if y < inner_lower else Fraction(0)
            return l - 1 + max(up, down)
    return math.inf


def naive_pmf(law: Law, outcomes) -> np.ndarray:
    """The probabilities of all outcomes of a law without clamp, by summing one exponential per outcome."""
    weights = [math.exp(-float(law.rate * naive_cost(law, int(y)))) for y in outcomes]
    return np.array(weights) / math.fsum(weights)


class Reference:
    """The distribution function of a single law in balls, by geometric sums over steps. Before any clamp."""

    def __init__(self, law: Law, rate=None) -> None:
        rate = Fraction(law.rate if rate is None else rate)
        (low, high), stride = law.envelope.support, law.envelope.stride
        lower, upper = [int(k) for k in law.envelope.lower], [int(k) for k in law.envelope.upper]
        upper += [] if high is None else [high]
        lower += [] if low is None else [low]
        self.lowest, self.highest = lower[0], upper[0]
        rise, fall = [k - upper[0] for k in upper], [lower[0] - k for k in lower]
        with ctx.workprec(PRECISION):
            self.up = ReferenceSide(rise, stride if high is None else None, rate, law.graded)
            self.down = ReferenceSide(fall, stride if low is None else None, rate, law.graded)
            self.total = self.up.total + self.down.total + (self.highest - self.lowest + 1)

    def cdf(self, y: int) -> arb:
        with ctx.workprec(PRECISION):
            if y < self.lowest:
                return (self.down.total - self.down.first(self.lowest - 1 - y)) / self.total
            plateau = min(y, self.highest) - self.lowest + 1
            return (self.down.total + plateau + self.up.first(max(y - self.highest, 0))) / self.total

    def quantile(self, share: float) -> int:
        """The lowest outcome whose distribution function reaches the share."""
        span = 1
        while self.cdf(self.lowest - span) >= share or self.cdf(self.lowest + span) < share:
            span *= 2
        first, last = self.lowest - span, self.lowest + span
        while first < last:
            middle = (first + last) // 2
            first, last = (middle + 1, last) if self.cdf(middle) < share else (first, middle)
        return first


class ReferenceSide:
    """The points beyond the plateau on one side: sums of weights step by step, then for ever."""

    def __init__(self, reach: list[int], stride: int | None, rate: Fraction, graded: bool) -> None:
        self.reach, self.stride, self.rate, self.graded = reach, stride, rate, graded
        self.sums = [arb(0)]
        for l in range(1, len(reach)):
            width = reach[l] - reach[l - 1]
            self.sums.append(self.sums[-1] + (self.run(l - 1, width, width) if width else 0))
        self.total = self.sums[-1]
        if stride is not None:
            h = ball(rate)
            start = (-h * (len(reach) - 1)).exp()
            self.total += start * (1 / ((h / stride).exp() - 1) if graded else stride / (h.exp() - 1))

    def run(self, level: int, width: int, count: int) -> arb:
        """The first ``count`` points of a step, or of a run of equal steps, that begins at a level."""
        h = ball(self.rate)
        start = (-h * level).exp()
        if self.graded:
            return start * (1 - (-h * count / width).exp()) / ((h / width).exp() - 1)
        blocks, rest = divmod(count, width)
        full = width * (1 - (-h * blocks).exp()) / (1 - (-h).exp())
        return start * (-h).exp() * (full + rest * (-h * blocks).exp())

    def first(self, j: int) -> arb:
        """The first j points."""
        l = bisect_left(self.reach, j)
        if l == 0:
            return arb(0)
        if l == len(self.reach) and self.stride is None:
            return self.sums[-1]
        width = self.reach[l] - self.reach[l - 1] if l < len(self.reach) else self.stride
        return self.sums[l - 1] + self.run(l - 1, width, j - self.reach[l - 1])


# The test.

SHARES = [0.0005, 0.002, 0.005, 0.01, 0.02, *np.linspace(0.04, 0.96, 24), 0.98, 0.99, 0.995, 0.998, 0.9995]


def cuts_of(reference: Reference, clamp=None) -> np.ndarray:
    """Bin edges at fixed shares of a law, inside the clamp."""
    cuts = np.unique(np.array([reference.quantile(float(share)) for share in SHARES], np.int64))
    return cuts if clamp is None else cuts[(cuts >= clamp[0]) & (cuts < clamp[1])]


def bins(reference: Reference, cuts) -> np.ndarray:
    """The probability of each bin: up to the first cut, between cuts, beyond the last."""
    below = [float(reference.cdf(int(cut))) for cut in cuts]
    return np.diff([0.0, *below, 1.0])


def count_bins(draws, cuts) -> np.ndarray:
    return np.bincount(np.searchsorted(cuts, draws), minlength=len(cuts) + 1)


def p_value(counts, probabilities, least: float = 10.0) -> float:
    """Pearson's chi-square test; neighbouring bins are pooled until each expects at least so many."""
    counts, expected = np.asarray(counts), np.asarray(probabilities) * np.sum(counts)
    if np.any(counts[expected <= 0]):
        return 0.0
    pooled, waiting = [], np.zeros(2)
    for pair in zip(counts, expected, strict=True):
        waiting = waiting + pair
        if waiting[1] >= least:
            pooled.append(waiting)
            waiting = np.zeros(2)
    pooled[-1] = pooled[-1] + waiting
    seen, hoped = np.array(pooled).T
    assert len(seen) > 1, "one bin tests nothing"
    statistic = float(np.sum((seen - hoped) ** 2 / hoped))
    return float(arb(statistic / 2).gamma_upper(arb(len(seen) - 1) / 2, regularized=1))


def tilted(probabilities) -> np.ndarray:
    """Weights 10% off: what lies beyond the evenest cut in two weighs a tenth more."""
    probabilities = np.asarray(probabilities)
    cut = np.argmin(np.abs(np.cumsum(probabilities) - 0.5))
    weights = probabilities * np.where(np.arange(probabilities.size) > cut, 1.1, 1.0)
    return weights / weights.sum()


# Sources of chosen bits.


class Expansion:
    """The binary digits of a number of [0, 1), word by word; ``taken`` counts the words."""

    def __init__(self, number: Fraction) -> None:
        self.rest, self.taken = Fraction(number), 0

    def words(self, count: int) -> np.ndarray:
        found = []
        for _ in range(count):
            self.rest *= 2**64
            found.append(int(self.rest))
            self.rest -= found[-1]
        self.taken += count
        return np.array(found, np.uint64)


class First:
    """Chosen words once, and then the words of another source."""

    def __init__(self, words, more=None) -> None:
        self._words, self._more = np.asarray(words, np.uint64), more

    def words(self, count: int) -> np.ndarray:
        if self._words is None:
            return self._more.words(count)
        words, self._words = self._words, None
        assert words.size == count
        return words


def dyadic(number: arb, bits: int = 1000) -> Fraction:
    """A ball's midpoint cut to so many bits."""
    scaled = (number * arb(2) ** bits).mid().floor().unique_fmpz()
    return Fraction(int(scaled), 2**bits)
