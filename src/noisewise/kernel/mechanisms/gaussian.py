"""Gaussian: exact discrete Gaussian noise from an L2 sensitivity in lattice steps, then a clamp.

P(y) is proportional to exp(-(y - f(x))^2 / (2*variance)) on all integers, with variance = squared_sensitivity/(2*rho).
A person moves all answers that are released together by a vector whose squared L2 norm, counted in lattice steps, is at
most ``squared_sensitivity``. That bound must hold for the rounded answers: an answer off the lattice of the noise could
be told from any other. In a bounded range, the draw is clamped. Proof: docs/proofs/discrete_gaussian.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.losses import ZCDP
from noisewise.kernel.mechanisms.laplace import WIDEST
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.balls import ball, precision
from noisewise.kernel.numbers.exact import Number, exact_rho, spell, whole
from noisewise.kernel.numbers.gaussian_sums import gaussian_sum
from noisewise.kernel.sampling.gaussian_draw import WIDEST_VARIANCE

MOST_BITS = 1 << 12
"""Beyond this precision, a chance that balls cannot tell from another one counts as the larger one."""


@dataclass(frozen=True, slots=True, init=False)
class Gaussian:
    """The exact discrete Gaussian mechanism. ``squared_sensitivity`` counts squared lattice steps, at least 1."""

    rho: Fraction
    squared_sensitivity: int

    name: ClassVar[str] = "gaussian"
    version: ClassVar[str] = "discrete-gaussian/1"

    def __init__(self, *, rho: Number, squared_sensitivity: int) -> None:
        squared = whole("squared_sensitivity", squared_sensitivity, least=1, most=WIDEST**2)
        object.__setattr__(self, "rho", exact_rho(rho))
        object.__setattr__(self, "squared_sensitivity", squared)
        if self.variance > WIDEST_VARIANCE:
            raise ParameterError(
                "rho",
                "must be larger, or granularity coarser",
                got=spell(self.rho),
                why="the noise would have a standard deviation of more than 2^58 lattice steps",
            ) from None

    @property
    def variance(self) -> Fraction:
        """The variance of the noise in squared lattice steps. (That of the law itself is a little smaller.)"""
        return self.squared_sensitivity / (2 * self.rho)

    @property
    def loss(self) -> ZCDP:
        return ZCDP(self.rho)

    def loss_of(self, records: int) -> ZCDP:
        """The loss of a person with this many records: ``squared_sensitivity`` covers all of them."""
        return self.loss

    def farthest(self, miss: Fraction) -> int:
        """The least t >= 0 such that P(noise > t) is certainly at most ``miss``. P(noise < -t) is the same."""
        first, last = -1, 0
        while not self._is_rarely_above(last, miss):
            first, last = last, 2 * last + 1
        while last - first > 1:
            middle = (first + last) // 2
            first, last = (first, middle) if self._is_rarely_above(middle, miss) else (middle, last)
        return last

    def _is_rarely_above(self, t: int, miss: Fraction) -> bool:
        """Whether P(noise > t) is certainly at most ``miss``."""
        bits = 128
        while bits <= MOST_BITS:
            with precision(bits):
                beyond = gaussian_sum(self.variance, t + 1)
                most = ball(miss) * (1 + 2 * gaussian_sum(self.variance, 1))
                if beyond <= most:
                    return True
                if beyond > most:
                    return False
            bits *= 2
        return False

    def levels(self, answers: Answers) -> int:
        return 0

    def law(self, envelope: Envelope, answers: Answers) -> GaussianLaw:
        centres = envelope.truncate(0).lower
        return GaussianLaw(centres, self.variance, answers.granularity, envelope.support)
