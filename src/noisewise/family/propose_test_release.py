"""Propose, test, release [Dwork & Lei 2009]: guess the local sensitivity, test the guess privately, add Laplace noise.

    g = the least k with LS(k) > b          how many swaps lead to data where one more moves the answer by more than b
    the test is passed if g + Laplace(2/epsilon) > (2/epsilon) ln(1/(2 delta)),
    and the answer is then f + Laplace(2b/epsilon); else there is none.

One swap moves g by at most one, so the test costs epsilon/2. Where it is passed and g is at least 1, one swap moves f
by at most b, so the noise costs epsilon/2 as well. Where g is 0, the test is passed with probability delta at most.
The whole is (epsilon, delta)-DP. LS(k) is exact for quantiles under swap (smooth_sensitivity.py). The proposal is
public: a hundredth of the distance between the bounds. Who gets no answer is taken to guess the middle of them.
"""

import math
from dataclasses import dataclass

from noisewise.family.comparison_law import NoiseLaw, NotReleased, laplace_noise
from noisewise.family.smooth_sensitivity import DELTA, local_sensitivity, ordered_quantile
from noisewise.numbers.arrays import Integers
from noisewise.questions.request import Request

PROPOSAL = 100
"""The proposed sensitivity is the distance between the bounds over this."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TestedLaw(NotReleased):
    """Noise with the chance that a test is passed, else a public guess."""

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
    """The law for a quantile under swap."""
    epsilon = float(request.mechanism.epsilon)
    records, rank, (low, high), step = ordered_quantile("propose_test_release", request)
    proposal = max(1, (high - low) // PROPOSAL)
    centre = int(records[rank - 1]) if records.size else low
    ends = (low * step, high * step)
    noise = laplace_noise(centre * step, 2 * proposal * step / epsilon, ends, "the proposal holds")
    chance = passing(unsafe_after(records, rank, (low, high), proposal), epsilon, DELTA)
    return TestedLaw(noise, chance, (ends[0] + ends[1]) / 2, f"approximate, δ = {DELTA:g}")


def unsafe_after(records: Integers, rank: int, bounds: tuple[int, int], proposal: int) -> float:
    """How many swaps lead to a dataset in which one more moves the answer by more than the proposal."""
    for distance in range(records.size + 1):
        if local_sensitivity(records, rank, bounds, distance) > proposal:
            return distance
    return math.inf  # no dataset of this size is unsafe, which is public


def passing(distance: float, epsilon: float, delta: float) -> float:
    """The chance that the test is passed."""
    short = math.log(1 / (2 * delta)) - distance * epsilon / 2  # of the threshold, in scales of the noise
    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2
