"""Balance: the answer at which the records pull up as strongly as down, with Laplace noise on a logarithm.

The other mechanisms that follow the data divide by a sum of weights and pay half of epsilon for that. Balance compares
two sums instead, one from each side, and divides by nothing. If all steps are equal, it is Laplace noise of the full
scale. It reads a `Score` instead of an envelope. Proof: docs/proofs/balance.md.

Shifted inverse sensitivity [Fang, Dong & Yi 2022] is balance for a maximum or a minimum between loose bounds. Above the
largest record nothing pulls, so other mechanisms answer anywhere up to the bound. This one aims at the answer after a
public number of removals: it subtracts a constant from the score, which cancels between neighbours. Proof:
docs/proofs/shifted_inverse.md.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.balance_law import NO_SHIFT, BalanceLaw
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import PureDP
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import Number, exact_epsilon
from noisewise.kernel.sampling.balance_noise import LAPLACE, Noise

LONGEST_STEP = 127
"""The most bits of a granularity without its factors of two. Positions count a step common to it and the records."""


class ByScore(ABC):
    """What the mechanisms that read a score have in common."""

    __slots__ = ()

    noise: ClassVar[Noise]
    nearest: ClassVar[int]
    """The noise exceeds this number less than once in 2^64 draws."""

    @property
    @abstractmethod
    def reach(self) -> Fraction:
        """The most that one person may move G = ln D - ln U."""

    def check_answers(self, answers: Answers) -> None:
        """Refuse a granularity with too many digits, before anything is paid."""
        if not ByScore.fits(answers):
            raise ParameterError(
                "granularity",
                "must have at most 38 digits for balance",
                got=f"{len(str(_length(answers))):,} digits",
                fix="choose a shorter one",
            ) from None

    @staticmethod
    def fits(answers: Answers) -> bool:
        """Whether the granularity has few enough digits."""
        return bool(_length(answers) < 2**LONGEST_STEP)

    def levels(self, answers: Answers, pull: Fraction, exponent: int | None = None) -> int:
        """How many levels of a score are read first on each side of 0. They decide nearly every draw.

        The number is public and affects only speed. All answers may lie beyond these levels, and all may lie in one
        piece. So twice the logarithm of the number of answers is needed.
        """
        far = 2 * math.log(answers.points) + (self.nearest if exponent is None else exponent)
        (top, bottom), (over, under) = far.as_integer_ratio(), self.kappa(pull).as_integer_ratio()
        return 1 - (-top * under // (bottom * over))  # one above far/kappa, rounded up

    def kappa(self, pull: Fraction) -> Fraction:
        """The factor that a score is multiplied by, if one person moves the score by at most ``pull``."""
        return Fraction(self.reach.numerator * pull.denominator, self.reach.denominator * 2 * pull.numerator)

    def law(
        self,
        score: Score,
        pull: Fraction,
        answers: Answers,
        complete: Callable[[], Score] | None = None,
        shift: Fraction = NO_SHIFT,
    ) -> BalanceLaw:
        """The law of a score that one person moves by at most ``pull``; see `BalanceLaw` for the other arguments."""
        return BalanceLaw(score, self.kappa(pull), answers.granularity, complete, shift, self.noise)


@dataclass(frozen=True, slots=True, init=False)
class Balance(ByScore):
    """The balance mechanism: purely epsilon-DP, for statistics that have a score."""

    epsilon: Fraction

    name: ClassVar[str] = "balance"
    version: ClassVar[str] = "balance/1"
    noise: ClassVar[Noise] = LAPLACE
    nearest: ClassVar[int] = 46

    def __init__(self, *, epsilon: Number) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))

    @property
    def reach(self) -> Fraction:
        return self.epsilon

    @property
    def loss(self) -> PureDP:
        return PureDP(self.epsilon)


def _length(answers: Answers) -> int:
    """The larger of the granularity's numerator and denominator, without their factors of two."""
    top, bottom = answers.granularity.as_integer_ratio()
    return max(_without_twos(top), _without_twos(bottom))


def _without_twos(number: int) -> int:
    """A whole number above 0 without its factors of two."""
    return number // (number & -number)


@dataclass(frozen=True, slots=True, init=False)
class ShiftedInverse(Balance):
    """Balance around the answer after a public number of removals, for a maximum or a minimum: purely epsilon-DP."""

    name: ClassVar[str] = "shifted_inverse"
    version: ClassVar[str] = "shifted-inverse/1"
