"""Propose, test, release [Dwork & Lei 2009]: guess the local sensitivity, test the guess privately, add Laplace noise.

    g = the least k with LS(k) > b          how many edits lead to data where one more moves the answer by more than b
    the test is passed if g + Laplace(2/epsilon) > (2/epsilon) ln(1/(2 delta)),
    and the answer is then f + Laplace(2b/epsilon); else there is none.

One edit moves g by at most one, so the test costs epsilon/2. Where it is passed and g is at least 1, one edit moves f
by at most b, so the noise costs epsilon/2 as well. Where g is 0, the test is passed with probability delta at most.
The whole is (epsilon, delta)-DP. LS(k) is exact (local_sensitivity.py). The proposal is public: a hundredth of the most
that one person moves the answer in any data. Who gets no answer is taken to guess the middle of all answers.
"""

import math
from dataclasses import dataclass

from noisewise.paper.comparison_law import NoiseLaw, NotReleased, laplace_noise
from noisewise.paper.local_sensitivity import Local
from noisewise.paper.smooth_sensitivity import DELTA
from noisewise.questions.request import Request

PROPOSAL = 100
"""The proposed sensitivity is the global one over this."""


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
    """The law of whatever has an exact local sensitivity."""
    epsilon, local = float(request.mechanism.epsilon), Local.of("propose_test_release", request)
    proposal = max(local.step, local.widest / PROPOSAL)
    noise = laplace_noise(local.centre, 2 * proposal / epsilon, local.ends, "the proposal holds")
    chance = passing(local.unsafe_after(proposal), epsilon, DELTA)
    return TestedLaw(noise, chance, (local.ends[0] + local.ends[1]) / 2, f"approximate, δ = {DELTA:g}")


def passing(distance: float, epsilon: float, delta: float) -> float:
    """The chance that the test is passed."""
    short = math.log(1 / (2 * delta)) - distance * epsilon / 2  # of the threshold, in scales of the noise
    return math.exp(-short) / 2 if short >= 0 else 1 - math.exp(short) / 2
