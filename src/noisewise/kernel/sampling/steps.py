"""Steps: what a law hands to the sampler, integers and one rational rate.

Every group is a row: a plateau, then the steps of its upper and of its lower side. The step that ends at level l has
``width`` points j = 1..width, and the rate h gives them the weights

    exp(-h*(l-1 + j/width))   graded (piecewise Laplace)          exp(-h*l)   level (inverse sensitivity)

while a plateau point has weight 1. An endless step is the first of infinitely many of its width. Levels, and which
steps are endless, are the same for all rows. Where rows are cut, the steps that close their two sides stand for all
that lies beyond: points of at least their level less one, whose weights are not known.
"""

from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.numbers.arrays import Booleans, Integers
from noisewise.kernel.secret import Secret


@dataclass(frozen=True, slots=True, repr=False)
class Steps(Secret):
    """Widths, a row for each group; levels and endless for each column, the plateau's first, at level 0."""

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
        """The columns of the steps that close the upper and the lower side."""
        return (self.levels.size - 1) // 2, self.levels.size - 1
