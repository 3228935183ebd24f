"""Promises that fall with a total that is secret: the number of records, or the sum of their weights.

Proof: docs/proofs/planning.md, Claim 8.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.numbers.exact import spell
from noisewise.planning import noisy_sums
from noisewise.questions.request import Request
from noisewise.questions.two_sums import TwoSums
from noisewise.questions.wide import TINIEST
from noisewise.results.pictures.digits import up_to_three
from noisewise.statistics.mean import score_astray

ENOUGH = 40
"""Over epsilon: of so many records a promise that falls with their number is made, where that number is secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Falling:
    """A promise that falls with a secret total, such as the number of records, where that is at least so much."""

    far: float
    total: str
    least: float
    coarse: bool
    sure: str
    found: bool = False
    """Whether it is a part of what bounds are apart that are yet to be found."""

    def said(self, up: Callable[[float], str] = up_to_three) -> str:
        """In words; ``up`` writes a distance in the unit of the answer."""
        far = f"{up_to_three(self.far)} times what these are apart," if self.found else up(self.far)
        return (
            f"{self.sure} it is off by at most {far} over {self.total}{' and a step' if self.coarse else ''}, "
            f"where that is {up_to_three(self.least)} or more"
        )


def falling_promise(
    request: Request, miss: Fraction, *, of_sums: TwoSums | None = None, found: bool = False
) -> Falling | None:
    """A promise that falls with a number that is not known, such as that of the records; None where none does."""
    weight = request.statistic.weight(request.frame)
    if weight is None or request.mechanism.epsilon < TINIEST * request.contributions:
        return None
    reach, unit, total = weight
    if of_sums is None:
        each = request.mechanism.epsilon / request.person_pull
        enough = math.ceil(ENOUGH / each)
        score = score_astray(enough, float(each), float(miss))
    else:
        enough = math.ceil(ENOUGH * request.contributions / of_sums.noise.epsilon)
        error = noisy_sums.error_of_two_sums(of_sums, miss, enough)
        score = None if error is None else float(error / reach * enough)
    if score is None:
        return None
    return Falling(
        far=score if found else score * float(reach),
        total=total,
        least=float(enough * unit),
        coarse=of_sums is None and request.frame.answers.granularity * 2**30 > reach / unit,
        sure=f"with probability {spell(100 * (1 - miss))}%",
        found=found,
    )
