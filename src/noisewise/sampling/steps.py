"""Steps: a law as the sampler sees it, integers and one rational rate.

Every group is a plateau followed by the steps of its upper and of its lower side, in flat arrays with offsets. The
step that ends at level l has ``width`` points j = 1..width, and the rate h gives them the weights

    exp(-h*(l-1 + j/width))   graded (piecewise Laplace)          exp(-h*l)   level (inverse sensitivity)

while a plateau point has weight 1. An endless step is the first of infinitely many of its width.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, repr=False)
class Steps:
    """Widths and levels of one or many groups; the plateau stands first in its group, at level 0."""

    widths: NDArray[np.int64]
    levels: NDArray[np.int64]
    endless: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    rate: Fraction
    graded: bool

    def __repr__(self) -> str:
        return "<Steps: withheld>"

    def __len__(self) -> int:
        return self.offsets.size - 1
