"""The scored mechanisms: the exponential mechanism on a cost that one person moves by at most one.

The cost of an outcome is the number of people who must change their data before the envelope reaches it.

    piecewise Laplace      the number is interpolated inside a step [Durfee25, Def. 3.1, M.1]
    inverse sensitivity    the number is whole [Asi & Duchi 2020; Durfee25, M.2]

Proofs: docs/proofs/piecewise_laplace.md and docs/proofs/inverse_sensitivity.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope, level_rule
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import BoundedRange
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import Number, describe, exact, exact_epsilon, spell


@dataclass(frozen=True, slots=True, init=False)
class Scored:
    """Draws y with probability proportional to exp(-epsilon/2 * cost(y)).

    ``smooth`` moves every edge of the envelope outwards by a public distance, in the unit of the answer: the rho-smooth
    variant of the paper [Sec. 4.2]. Its name here is not rho, which is a price in zCDP.
    """

    epsilon: Fraction
    smooth: Fraction

    name: ClassVar[str]
    version: ClassVar[str]
    graded: ClassVar[bool]

    def __init__(self, *, epsilon: Number, smooth: Number = 0) -> None:
        distance = exact("smooth", smooth)
        if distance < 0:
            raise ParameterError("smooth", "must be at least 0", got=describe(smooth)) from None
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))
        object.__setattr__(self, "smooth", distance)

    @property
    def loss(self) -> BoundedRange:
        return BoundedRange(self.epsilon)

    def levels(self, answers: Answers) -> int:
        return level_rule(answers.points, self.epsilon / 2)

    def check_answers(self, answers: Answers) -> None:
        """Refuse a width that no lattice point could notice."""
        if 0 < self.smooth < answers.granularity:
            raise ParameterError(
                "smooth",
                f"must be 0 or at least {spell(answers.granularity)}, a step of the answers",
                got=spell(self.smooth),
            ) from None

    def law(self, envelope: Envelope, answers: Answers) -> Law:
        steps = min(self.smooth // answers.granularity, answers.points)
        wider = envelope.widen(steps) if steps else envelope
        return Law(wider, self.epsilon / 2, graded=self.graded, granularity=answers.granularity)


@dataclass(frozen=True, slots=True, init=False)
class PiecewiseLaplace(Scored):
    """The piecewise Laplace mechanism: a cost of l-1 just after level l-1, rising to l at level l."""

    name: ClassVar[str] = "piecewise_laplace"
    version: ClassVar[str] = "piecewise-laplace/1"
    graded: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, init=False)
class InverseSensitivity(Scored):
    """The inverse sensitivity mechanism: a cost of l everywhere inside step l."""

    name: ClassVar[str] = "inverse_sensitivity"
    version: ClassVar[str] = "inverse-sensitivity/1"
    graded: ClassVar[bool] = False
