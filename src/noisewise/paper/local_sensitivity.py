"""Local sensitivity at a distance k: the most that one edit moves the answer in any dataset within k edits. Exact.

    LS(k) = max |f(x') - f(x'')|    over x' at most k edits from the data, and x'' one edit from x'

**Order statistics of swapped records.** The answer is the record of rank m among n sorted records x[1] .. x[n]. Let
x[i] be the lower bound for i < 1, and the upper bound for i > n. Then

    LS(k) = max over t = 0 .. k+1 of  x[m+t] - x[m+t-k-1]

**Quantiles of records that are added or removed.** One edit moves the rank across one gap between records. Let L of N
records lie below the gap, and rank(N) = max(1, ceil(q*N)). An added record moves the rank across the gap if
L = rank(N+1) - 1, a removed record if L = rank(N-1). To widen the gap, s records inside are removed. The t other edits
add records at the bounds, i of them below. So N = n - s + t, L = p + i, and the gap is x[p+s+1] - x[p].

**The variance of swapped records.** If a record u becomes w, and the other n - 1 records have the mean m, the variance
moves by (n-1)/n^2 * ((w-m)^2 - (u-m)^2). The k swaps move m as far out as possible. One of u and w is next to m, and
the other one is as far from m as possible. One of them is free. The other one is an old record, or one of the k swaps.

**Triangles.** LS(k) is the most common neighbours that a pair of nodes can have after k edits.

Proofs: docs/concepts/family.md. Two mechanisms use the local sensitivity.

**Smooth sensitivity** [Nissim, Raskhodnikova & Smith 2007]: noise by the local sensitivity, smoothed over all datasets,
for quantiles, for triangles, and for variances of swapped records.

    S = max over k of e^(-b*k) * LS(k)

S moves between neighbours by a factor of at most e^b. There are two kinds of noise. Noise of Student's t with 3 degrees
is purely epsilon-DP. Moving it by s scales costs at most 2*s/sqrt(3), and stretching it by e^t costs at most 3*t. With
b = epsilon/6 and a scale of 4*S/(sqrt(3)*epsilon), each costs half of epsilon. Laplace noise of scale 2*S/epsilon is
(epsilon, delta)-DP with b = epsilon/(2 ln(2/delta)).

**Propose, test, release** [Dwork & Lei 2009]: guess the local sensitivity, test the guess privately, add Laplace noise.

    b                                       the proposal, a guess of the local sensitivity
    g = the least k with LS(k) > b          how many edits lead to data where one more moves the answer by more than b
    the test is passed if g + Laplace(2/epsilon) > (2/epsilon) ln(1/(2 delta)).
    If it is passed, the answer is f + Laplace(2b/epsilon). Otherwise there is no answer.

One edit moves g by at most one, so the test costs epsilon/2. If g is at least 1, one edit moves f by at most b, so the
noise also costs epsilon/2. If g is 0, the test is passed with probability at most delta. So the mechanism is
(epsilon, delta)-DP. The proposal is public: a hundredth of the most that one person moves the answer in any data. For
its error, somebody who gets no answer is assumed to guess the middle of all answers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.prices import pure_epsilon
from noisewise.kernel.secret import Secret
from noisewise.paper.comparison_law import NoiseLaw, NotReleased, laplace_noise, refuse_unless
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from noisewise.statistics import Quantile, Triangles, Variance
from noisewise.statistics.triangles import local_sensitivities

Bounds = tuple[int, int]

FIRST = 64
"""How many distances are looked at before it is asked whether any farther one counts."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Local(Secret):
    """The answer, the least and the greatest possible answer, and the local sensitivity at every distance."""

    centre: float
    ends: tuple[float, float]
    widest: float
    """The most that one person moves the answer in any data."""
    farthest: int
    """The largest distance that is of use."""
    step: float
    up_to: Callable[[int], Floats]
    """LS(0), ..., LS(last)."""

    @classmethod
    def of(cls, name: str, request: Request) -> "Local":
        """Return the local sensitivity of a question. Refuse questions without an exact formula in this module."""
        statistic, swap = request.statistic, request.neighbors == "swap"
        fits = type(statistic) in (Quantile, Triangles) or (type(statistic) is Variance and swap)
        refuse_unless(name, fits, "a quantile, a variance of swapped records, or the number of triangles")
        refuse_unless(name, request.contributions == 1, "about one record per person")
        exact = request.look(0)
        low, high = exact.ends
        assert low is not None and high is not None, "all of these lie between public ends"
        step = float(exact.granularity)
        read = request.data.read(request.frame.records, request.neighbors)
        if isinstance(statistic, Triangles):
            reach, farthest = float(read.nodes - 2), 2 * read.nodes

            def up_to(last: int) -> Floats:
                return np.array(local_sensitivities(read, last + 1)[1], np.float64)
        else:
            records, bounds = read.ordered(), (read.lattice.low, read.lattice.high)
            farthest, unit = records.size, float(read.lattice.granularity)
            reach = (bounds[1] - bounds[0]) * unit

            def up_to(last: int) -> Floats:
                if isinstance(statistic, Variance):
                    return unit**2 * of_swapped_variance(records, bounds, last)
                assert isinstance(statistic, Quantile)
                if swap:
                    local = of_swapped_quantile(records, rank_of(statistic.q, farthest), bounds, last)
                else:
                    local = of_quantile(records, statistic.q, bounds, last)
                return unit * local.astype(np.float64)

            if isinstance(statistic, Variance):
                reach *= reach * (records.size - 1) / max(records.size, 1) ** 2
        return cls(
            float(read_law(exact).centre) * step, (low * step, high * step), reach, farthest, step, up_to
        )

    def smoothed(self, decay: float) -> float:
        """Return the largest e^(-decay*k) * LS(k) over all k."""
        most, last = 0.0, min(FIRST, self.farthest)
        while True:
            local = self.up_to(last)
            most = float(np.max(np.exp(-decay * np.arange(last + 1)) * local))
            if last == self.farthest or np.exp(-decay * last) * self.widest <= most:
                return most
            last = min(2 * last, self.farthest)

    def unsafe_after(self, proposal: float) -> float:
        """Return how many edits lead to a dataset in which one more edit moves the answer by more than the proposal."""
        if proposal >= self.widest:
            return np.inf  # no dataset at all is unsafe, and this is public
        last = min(FIRST, self.farthest)
        while not np.any(unsafe := self.up_to(last) > proposal):
            if last == self.farthest:
                return np.inf
            last = min(2 * last, self.farthest)
        return float(np.argmax(unsafe))


def of_swapped_quantile(records: Integers, rank: int, bounds: Bounds, last: int) -> Integers:
    """Return LS(0..last) for the record of a rank among records that are swapped."""
    found = []
    for distance in range(last + 1):
        ranks = rank + np.arange(distance + 2)
        found.append(np.max(_at(records, ranks, bounds) - _at(records, ranks - distance - 1, bounds)))
    return np.array(found, np.int64)


def of_quantile(records: Integers, q: Fraction, bounds: Bounds, last: int) -> Integers:
    """Return LS(0..last) for the q-quantile of records that are added or removed."""
    count, found = records.size, np.zeros(last + 1, np.int64)
    first = max(count - last - 1, 0)
    ranks = np.array([rank_of(q, size) for size in range(first, count + last + 2)])
    for inside in range(min(last, count) + 1):
        left = count - inside
        below = np.arange(left + 1)
        gaps = _at(records, below + inside + 1, bounds) - _at(records, below, bounds)
        others, at = np.arange(last - inside + 1), left - first
        added = ranks[at + 1 : at + 1 + others.size] - 1
        removed = ranks[np.maximum(at + others - 1, 0)]
        for level in (added, np.where(left + others == 0, added, removed)):
            # the gaps from level - t up to level; they are nested, as t grows
            reached = np.maximum(gaps[np.minimum(level, left)], gaps[np.maximum(level - others, 0)])
            np.maximum(found[inside:], np.maximum.accumulate(reached), out=found[inside:])
    return np.maximum.accumulate(found)


def rank_of(q: Fraction, count: int) -> int:
    """Return the rank of the q-quantile of ``count`` records. If there are none, return 0, for the lower bound."""
    return max(1, -(-q.numerator * count // q.denominator)) if count else 0


def of_swapped_variance(records: Integers, bounds: Bounds, last: int) -> Floats:
    """Return LS(0..last) for the variance of records that are swapped, in squared steps of the lattice."""
    count = records.size
    if count < 2:
        return np.zeros(last + 1)
    width = bounds[1] - bounds[0]
    from_low = (records - bounds[0]).astype(np.float64)
    sides = (
        from_low,
        width - from_low[::-1],
    )  # the second is the mirror image: both are sorted from the bound up
    found = np.max([[_outwards(side, width, k) for k in range(last + 1)] for side in sides], axis=0)
    moved: Floats = np.maximum.accumulate(found) * (count - 1) / count**2
    return moved


def _outwards(x: Floats, width: float, k: int) -> float:
    """Return the most of (w-m)^2 - (u-m)^2 if k swaps move up the mean m of the others.

    ``x`` has the sorted distances of all records from one of the bounds. The top of the module explains u, w and m.
    """
    others, before = x.size - 1, np.concatenate([[0.0], np.cumsum(x)])
    total = before[-1]
    swaps = min(k, others)
    # u is a record that stays, and w the bound
    least = np.where(np.arange(x.size) < swaps, before[min(swaps + 1, x.size)] - x, before[swaps])
    means = (total - x - least + swaps * width) / others
    best = float(np.max(np.maximum(means, width - means) ** 2 - (x - means) ** 2))
    # w is the least record, and u is next to the mean
    best = max(best, _near(float(means[0]), float(x[0]), width))
    if k > 0:  # one of the swaps has brought u, which lies next to the mean
        brought = min(k, x.size)
        mean = (total - before[brought] + (brought - 1) * width) / others
        best = max(best, _near(float(mean), 0.0, width), _near(float(mean), width, width))
    return best


def _near(mean: float, far: float, width: float) -> float:
    """Return the squared distance of ``far`` from the mean, less the squared distance of the nearest whole number."""
    return float((far - mean) ** 2 - (min(max(round(mean), 0), width) - mean) ** 2)


def _at(records: Integers, ranks: Integers, bounds: Bounds) -> Integers:
    """Return the records with these ranks, which count from 1. For other ranks, return the lower or upper bound."""
    framed: Integers = np.concatenate([[bounds[0]], records, [bounds[1]]]).astype(np.int64)
    return framed[np.clip(ranks, 0, records.size + 1)]


DELTA = 1e-6
"""The delta of Laplace noise."""

ROOT = math.sqrt(3)


def smooth_sensitivity(request: Request) -> NoiseLaw:
    """Return the law of the pure variant of smooth sensitivity, with noise of Student's t with 3 degrees."""
    epsilon, local = float(pure_epsilon(request.price)), Local.of("smooth_sensitivity", request)
    scale = 4 * local.smoothed(epsilon / 6) / (ROOT * epsilon)
    return NoiseLaw(local.centre, scale, local.ends, student_tail, student_mean_up_to, "pure")


def smooth_sensitivity_laplace(request: Request) -> NoiseLaw:
    """Return the law of the (epsilon, delta) variant of smooth sensitivity, with Laplace noise."""
    epsilon, local = float(pure_epsilon(request.price)), Local.of("smooth_sensitivity_laplace", request)
    smooth = local.smoothed(epsilon / (2 * math.log(2 / DELTA)))
    return laplace_noise(local.centre, 2 * smooth / epsilon, local.ends, f"approximate, δ = {DELTA:g}")


def student_tail(far: float) -> float:
    """Return the probability that Student's t with 3 degrees is above a distance."""
    u = far / ROOT
    return math.atan2(1, u) / math.pi - u / (1 + u * u) / math.pi


def student_mean_up_to(far: float) -> float:
    """Return the integral of `student_tail` from 0 to a distance."""
    u = far / ROOT
    return far * student_tail(far) + ROOT / math.pi * (u * u / (1 + u * u))


PROPOSAL = 100
"""The proposal is the global sensitivity divided by this number."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TestedLaw(NotReleased):
    """A law that gives a noisy answer if a test is passed, with probability ``chance``. Otherwise it gives a guess."""

    passed: NoiseLaw
    chance: float
    guess: float
    guarantee: str
    pure: bool = False

    def errors(self, share: float) -> tuple[float, float, float]:
        mean, _, bias = self.passed.errors(share)
        away = self.guess - self.passed.centre
        failed = 1 - self.chance

        def within(far: float) -> float:
            return self.chance * (1 - self.passed.beyond(far)) + (failed if abs(away) <= far else 0.0)

        low, high = 0.0, max(abs(end - self.passed.centre) for end in self.passed.ends)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if within(middle) >= share else (middle, high)
        return self.chance * mean + failed * abs(away), high, self.chance * bias + failed * away


def propose_test_release(request: Request) -> TestedLaw:
    """Return the law of propose-test-release, for questions with an exact local sensitivity."""
    epsilon, local = float(pure_epsilon(request.price)), Local.of("propose_test_release", request)
    proposal = max(local.step, local.widest / PROPOSAL)
    noise = laplace_noise(local.centre, 2 * proposal / epsilon, local.ends, "the proposal holds")
    chance = passing(local.unsafe_after(proposal), epsilon, DELTA)
    return TestedLaw(noise, chance, (local.ends[0] + local.ends[1]) / 2, f"approximate, δ = {DELTA:g}")


def passing(distance: float, epsilon: float, delta: float) -> float:
    """Return the probability that the test is passed, if ``distance`` edits lead to an unsafe dataset."""
    short = math.log(1 / (2 * delta)) - distance * epsilon / 2  # to the threshold, in scales of the noise
    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2
