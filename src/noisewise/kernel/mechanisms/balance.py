"""Balance: the answer is where the records' pulls upwards and downwards are even, up to Laplace noise on a logarithm.

Every other mechanism here that follows the data divides by a sum of weights, and pays half of epsilon for it. Balance
compares two sums instead, one from either side, and needs no such division. With equal steps it is Laplace noise of the
full scale. It reads a `Score` instead of an envelope. Proof: docs/proofs/balance.md.

Shifted inverse sensitivity [Fang, Dong & Yi 2022] is balance for a maximum or a minimum between loose bounds. Above the
largest record nothing pulls, so others answer anywhere up to the bound. It aims at the answer after a public number of
removals: the score less a constant, which cancels between neighbours. Proof: docs/proofs/shifted_inverse.md.
"""

import math
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

NEAREST_EXPONENT = 46
"""What lies beyond the levels that are read first decides fewer than one draw in 2^64."""

LONGEST_STEP = 127
"""The most bits of a granularity, powers of two aside: positions are multiples of a step it shares with records."""


@dataclass(frozen=True, slots=True, init=False)
class Balance:
    """The balance mechanism: purely epsilon-DP, for statistics that have a score."""

    epsilon: Fraction

    name: ClassVar[str] = "balance"
    version: ClassVar[str] = "balance/1"

    def __init__(self, *, epsilon: Number) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))

    @property
    def loss(self) -> PureDP:
        return PureDP(self.epsilon)

    def check_answers(self, answers: Answers) -> None:
        """Refuse steps that have too little in common with those of records, before anything is paid."""
        if not Balance.fits(answers):
            raise ParameterError(
                "granularity",
                "must have at most 38 digits for balance",
                got=f"{len(str(_length(answers))):,} digits",
                fix="choose a shorter one",
            ) from None

    @staticmethod
    def fits(answers: Answers) -> bool:
        """Whether the steps of answers have enough in common with those of records."""
        return bool(_length(answers) < 2**LONGEST_STEP)

    def levels(self, answers: Answers, pull: Fraction, exponent: int = NEAREST_EXPONENT) -> int:
        """How far a score is read from 0, either way, to decide nearly always: public, and only a question of speed.

        At most all places lie beyond, and each of a piece's places, at most all as well, must be told apart.
        """
        kappa, reach = self.kappa(pull), 2 * math.log(answers.points) + exponent
        (top, bottom), (over, under) = reach.as_integer_ratio(), kappa.as_integer_ratio()
        return 1 - (-top * under // (bottom * over))  # one above reach/kappa, rounded up

    def kappa(self, pull: Fraction) -> Fraction:
        """How strongly a score counts: one person moves it by at most ``pull``, which costs epsilon."""
        return Fraction(
            self.epsilon.numerator * pull.denominator, self.epsilon.denominator * 2 * pull.numerator
        )

    def law(
        self,
        score: Score,
        pull: Fraction,
        answers: Answers,
        complete: Callable[[], Score] | None = None,
        shift: Fraction = NO_SHIFT,
    ) -> BalanceLaw:
        """The law of a score that one person moves by at most ``pull``, which is public.

        ``complete`` reads all of its levels where it has only the nearest; ``shift`` is as in `BalanceLaw`.
        """
        return BalanceLaw(score, self.kappa(pull), answers.granularity, complete, shift)


def _length(answers: Answers) -> int:
    """The larger part of the granularity as a fraction, without powers of two."""
    top, bottom = answers.granularity.as_integer_ratio()
    return max(_without_twos(top), _without_twos(bottom))


def _without_twos(number: int) -> int:
    """A whole number above 0 without its factors of two."""
    return number // (number & -number)


@dataclass(frozen=True, slots=True, init=False)
class ShiftedInverse(Balance):
    """Balance around the answer after a public number of removals: purely epsilon-DP, for a maximum or a minimum."""

    name: ClassVar[str] = "shifted_inverse"
    version: ClassVar[str] = "shifted-inverse/1"
