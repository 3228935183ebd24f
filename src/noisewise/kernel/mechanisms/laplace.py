"""Laplace: discrete two-sided geometric noise from a global sensitivity in lattice steps, then a clamp.

P(y) is proportional to exp(-epsilon * |y - f(x)| / sensitivity) on all integers. It is the law of an envelope with
steps as wide as the global sensitivity, at the full rate epsilon. In a bounded range, the draw is clamped. Truncating
the density instead would divide by a factor that depends on f(x), which is not private at this scale. Proof:
docs/proofs/laplace.md.
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
"""The largest sensitivity. Wider noise would leave 64 bits, and no lattice is so wide."""


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
        """The loss of a person with this many records, if the noise is made for one record.

        All these records together move the answers, in one group or in several, at most ``records`` times as far as one
        record. The Kullback-Leibler divergence is a convex function of that distance.
        """
        epsilon = records * self.epsilon
        return PureDP(epsilon, rho=discrete_laplace_rho(epsilon, records * self.sensitivity))

    def farthest(self, miss: Fraction) -> int:
        """The least t >= 0 such that P(noise > t) is at most ``miss``. P(noise < -t) is the same.

        P(noise > t) = p^(t+1)/(1 + p) with p = e^-rate, which is never rational, so balls of enough digits decide.
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
