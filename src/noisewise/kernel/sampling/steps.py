"""Steps: the form in which the sampler reads a law, as integers and one rational rate.

Every group is a row: a plateau, the steps of its upper side, and the steps of its lower side. The step that ends at
level l has the points j = 1..width, with these weights at the rate h:

    exp(-h*(l-1 + j/width))   graded (piecewise Laplace)          exp(-h*l)   level (inverse sensitivity)

A point of the plateau has weight 1. An endless step stands for infinitely many steps of its width, one after the other.
All rows have the same levels and the same endless steps. If rows are cut, the last step of each side stands for all
points beyond it. Their weights are not known, but their cost is at least the level of that step less one.
"""

from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.numbers.arrays import Booleans, Integers
from noisewise.kernel.secret import Secret


@dataclass(frozen=True, slots=True, repr=False)
class Steps(Secret):
    """``widths`` has a row for each group. ``levels`` and ``endless`` describe columns; column 0 is the plateau."""

    widths: Integers
    levels: Integers
    endless: Booleans
    rate: Fraction
    graded: bool
    cut: bool = False

    def __len__(self) -> int:
        return int(self.widths.shape[0])

    @property
    def closing(self) -> tuple[int, int]:
        """The columns of the last steps of the upper and the lower side."""
        return (self.levels.size - 1) // 2, self.levels.size - 1
