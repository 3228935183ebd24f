"""Proportion: the mean of zeros and ones.

A column of booleans or of 0 and 1 is a column on the lattice {0, 1}; its mean is the share of ones, and the envelope is
that of the mean. Any other number is clamped and rounded to 0 or 1 first. Of a category, a record is 1 where it is this
and 0 where it is another. Proof: docs/proofs/proportion.md.
"""

from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.mean import Mean
from noisewise.statistics.statistic import Frame, no_bounds

TRUE_OR_FALSE = Lattice(0, 1, Fraction(1))


@dataclass(frozen=True, slots=True)
class Proportion(Mean):
    """The share of records that are true, in a column of booleans or of zeros and ones; 0 if there are none.

    With a ``category``, text, a number or a boolean, the share of records that are this.
    """

    category: object = None

    def __str__(self) -> str:
        return "proportion" if self.category is None else f"proportion({describe(self.category)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        no_bounds(self, bounds)
        return Frame(TRUE_OR_FALSE, Answers.between(Fraction(0), Fraction(1), granularity))
