"""Standard deviation of a column clamped to its bounds: the square root of the population variance.

The root is monotone, so its envelope is the variance's, level by level. Each level is floored once, as an integer root:
floor(sqrt(r)) = isqrt(floor(r)). Proof: docs/proofs/std.md.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.statistic import Frame
from noisewise.statistics.summands import Box, roots_outwards, variances
from noisewise.statistics.variance.variance import Variance, squared_reach
from noisewise.statistics.variance.variance_bound import Ratio


@dataclass(frozen=True, slots=True)
class Std(Variance):
    """The population standard deviation of the records, each clamped to the bounds; 0 if there are none.

    ``exact=False`` draws a wider envelope that reads the count, the sum and the sum of squares and never sorts.
    """

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        return Frame(Lattice.fine(bounds), Answers.between(Fraction(0), (high - low) / 2, granularity))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        """Roots are no further apart than the root of how far the squares are."""
        steps = math.ceil(squared_reach(frame, neighbors, size) / frame.answers.granularity**2)
        return frame.answers.steps((math.isqrt(max(steps - 1, 0)) + 1) * frame.answers.granularity)

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        square = (self._range(frame) / frame.answers.granularity) ** 2
        low, high = variances(box)
        return roots_outwards((low * square, high * square))

    def floors(self, variances: Iterable[Ratio], unit: Fraction, answers: Answers) -> list[int]:
        square = (unit / answers.granularity) ** 2
        over, under = square.numerator, square.denominator
        return [math.isqrt(variance[0] * over // (variance[1] * under)) for variance in variances]

    def about(self, variances: Floats, unit: Fraction, answers: Answers) -> Floats:
        roots: Floats = np.sqrt(variances * float((unit / answers.granularity) ** 2))
        return roots
