"""What the two scored mechanisms share: the exponential mechanism on a score that one person moves by at most one.

Their one difference is how a step is scored inside, graded or level, and that is said in their own files.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope, level_rule
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import BoundedRange
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import Number, describe, exact, exact_epsilon


@dataclass(frozen=True, slots=True, init=False)
class Scored:
    """Draws y with probability proportional to exp(-epsilon/2 * cost(y)).

    ``rho`` widens every edge of the envelope by a public distance, in the unit of the answer: the rho-smooth variant.
    """

    epsilon: Fraction
    rho: Fraction

    name: ClassVar[str]
    version: ClassVar[str]
    graded: ClassVar[bool]

    def __init__(self, *, epsilon: Number, rho: Number = 0) -> None:
        distance = exact("rho", rho)
        if distance < 0:
            raise ParameterError("rho", "must be at least 0", got=describe(rho)) from None
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))
        object.__setattr__(self, "rho", distance)

    @property
    def loss(self) -> BoundedRange:
        return BoundedRange(self.epsilon)

    def levels(self, answers: Answers) -> int:
        return level_rule(answers.points, self.epsilon / 2)

    def law(self, envelope: Envelope, answers: Answers) -> Law:
        steps = min(self.rho // answers.granularity, answers.points)
        smooth = envelope.widen(steps) if steps else envelope
        return Law(smooth, self.epsilon / 2, graded=self.graded, granularity=answers.granularity)
