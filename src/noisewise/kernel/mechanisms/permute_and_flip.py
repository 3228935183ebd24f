"""Permute-and-flip: answers tried in random order until a coin accepts one [McKenna & Sheldon 2020].

A coin accepts y with probability exp(-epsilon/2 * cost(y)), with the same cost as for piecewise Laplace. At the same
epsilon, its answers cost no more on average than those of piecewise Laplace. But its range is not bounded by epsilon,
so a ledger in zCDP charges about four times as much. Every possible answer needs a coin, so there must not be too many.
Proof: docs/proofs/permute_and_flip.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.errors import ParameterError, Words
from noisewise.kernel.laws.envelope import Envelope, level_rule
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.kernel.losses import PureDP
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import Number, exact_epsilon

MOST_ANSWERS = 2**20


@dataclass(frozen=True, slots=True, init=False)
class PermuteAndFlip:
    """The permute-and-flip mechanism, for at most 2^20 possible answers."""

    epsilon: Fraction

    name: ClassVar[str] = "permute_and_flip"
    version: ClassVar[str] = "permute-and-flip/1"

    def __init__(self, *, epsilon: Number) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))

    @property
    def loss(self) -> PureDP:
        return PureDP(self.epsilon)

    def check_answers(self, answers: Answers) -> None:
        """Refuse answers that are too many for coins, before anything is paid."""
        if None in answers.support:
            raise ParameterError(
                "mechanism",
                ("must be another one where answers have no public ends, such as ", Words("auto")),
                got=Words("permute_and_flip"),
            ) from None
        if answers.points > MOST_ANSWERS:
            raise ParameterError(
                "granularity",
                f"must leave at most {MOST_ANSWERS:,} answers for permute_and_flip",
                got=f"{answers.points:,}",
                fix="choose a coarser one",
            ) from None

    def levels(self, answers: Answers) -> int:
        return level_rule(answers.points, self.epsilon / 2)

    def law(self, envelope: Envelope, answers: Answers) -> PermuteAndFlipLaw:
        return PermuteAndFlipLaw(envelope, self.epsilon / 2, graded=True, granularity=answers.granularity)
