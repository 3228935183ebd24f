"""The scored mechanisms: the exponential mechanism on a cost that one person moves by at most one.

The cost of an outcome is the number of people who must change their data before the envelope reaches it.

    piecewise Laplace      the number is interpolated inside a step [Durfee25, Def. 3.1, M.1]
    inverse sensitivity    the number is whole [Asi & Duchi 2020; Durfee25, M.2]

Shifted piecewise Laplace is piecewise Laplace around the answer after some removals [Durfee25, Future dir.].

Proofs: docs/proofs/piecewise_laplace.md, docs/proofs/inverse_sensitivity.md, docs/proofs/shifted_piecewise_laplace.md.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope, Side, level_rule
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
        """Refuse a distance ``smooth`` that is shorter than a step of the answers."""
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


MISS_EXPONENT = 3
"""A draw is beyond the true answer with a probability of at most e^-3, less than 1/20."""


@dataclass(frozen=True, slots=True, kw_only=True, init=False)
class ShiftedPiecewiseLaplace:
    """Piecewise Laplace around one side of the levels, at the level of a public number of removals.

    It is for answers that no added record makes smaller, such as a maximum. For these, the effect of removals is known,
    however far away the bound is.
    """

    epsilon: Fraction
    side: Side
    removals: int = field(default=0)

    name: ClassVar[str] = "shifted_piecewise_laplace"
    version: ClassVar[str] = "shifted-piecewise-laplace/1"

    def __init__(self, *, epsilon: Number, side: Side = "lower", removals: int = 0) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))
        object.__setattr__(self, "side", side)
        object.__setattr__(self, "removals", removals)

    def on(self, side: Side, answers: Answers, sensitivity: int) -> "ShiftedPiecewiseLaplace":
        """The mechanism for this side, with enough removals that a draw is hardly ever beyond the answer. Public.

        Answers beyond the true one weigh at most ``points`` * e^-(rate * removals). The plateau weighs at least 1.
        """
        rate, is_open = self.epsilon / 2, None in answers.support
        points = math.ceil(sensitivity * (1 + 1 / rate)) if is_open else answers.points
        return ShiftedPiecewiseLaplace(
            epsilon=self.epsilon, side=side, removals=level_rule(points, rate, MISS_EXPONENT)
        )

    @property
    def loss(self) -> BoundedRange:
        return BoundedRange(self.epsilon)

    def levels(self, answers: Answers) -> int:
        return self.removals + level_rule(answers.points, self.epsilon / 2)

    def law(self, envelope: Envelope, answers: Answers) -> Law:
        around = envelope.shifted(self.removals, self.side)
        back: Side = "upper" if self.side == "lower" else "lower"
        removals = (back, self.removals)
        return Law(around, self.epsilon / 2, granularity=answers.granularity, removals=removals)
