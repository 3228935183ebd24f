"""Laplace: discrete two-sided geometric noise from a global sensitivity in lattice steps, then a clamp.

P(y) is proportional to exp(-epsilon * |y - f(x)| / sensitivity) on all integers: the law of an envelope whose steps all
have the width of the global sensitivity, at the full rate epsilon. A bounded range is reached by clamping the draw.
Truncating the density instead would renormalise by a factor that depends on f(x), which is not private at this scale.
Proof: docs/proofs/laplace.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import PureDP, discrete_laplace_rho
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.balls import ball, precision
from noisewise.kernel.numbers.exact import Number, exact_epsilon, whole

WIDEST = 2**59
"""Noise of a wider scale would leave 64 bits; no lattice is so wide."""


@dataclass(frozen=True, slots=True, init=False)
class Laplace:
    """The exact discrete Laplace mechanism. ``sensitivity`` counts lattice steps per person, at least 1."""

    epsilon: Fraction
    sensitivity: int

    name: ClassVar[str] = "laplace"
    version: ClassVar[str] = "discrete-laplace/1"

    def __init__(self, *, epsilon: Number, sensitivity: int) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))
        object.__setattr__(self, "sensitivity", whole("sensitivity", sensitivity, least=1, most=WIDEST))

    @property
    def loss(self) -> PureDP:
        return self.loss_of(1)

    def loss_of(self, records: int) -> PureDP:
        """What a person with so many records loses where the noise is for one of them.

        They move the answers of one group or of several as many times as far, and the Kullback-Leibler divergence is a
        convex function of how far.
        """
        epsilon = records * self.epsilon
        return PureDP(epsilon, rho=discrete_laplace_rho(epsilon, records * self.sensitivity))

    def farthest(self, miss: Fraction) -> int:
        """The least t >= 0 that noise is above with at most the chance ``miss``; below -t it is as often.

        P(noise > t) = p^(t+1)/(1 + p), p = e^-rate. No t makes that equal to a rational number, so that balls of enough
        digits decide.
        """
        rate, bits = self.epsilon / self.sensitivity, 128
        while True:
            with precision(bits):
                p = ball(-rate).exp()
                steps = (-ball(miss).log() - p.log1p()) / ball(rate)
                ceiling = steps.ceil().unique_fmpz()
            if ceiling is not None:
                return max(int(ceiling) - 1, 0)
            bits *= 2

    def levels(self, answers: Answers) -> int:
        return 0

    def law(self, envelope: Envelope, answers: Answers) -> Law:
        centre = envelope.truncate(0)
        spread = Envelope(centre.lower, centre.upper, centre.offsets, (None, None), self.sensitivity)
        return Law(
            spread,
            self.epsilon,
            graded=True,
            granularity=answers.granularity,
            clamp=envelope.support,
        )
