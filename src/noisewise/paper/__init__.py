"""The paper by its names: Durfee, Unifying Laplace Mechanism with Instance Optimality in Differential Privacy, 2025.

This package computes the paper's definitions, mechanisms and theorems, for analysis only. It uses floats, seeds and
small datasets. Releases are different: they are exact draws on a lattice. ``nws.median(..., mechanism="plm")`` releases
a statistic of the library, and ``nws.release(nws.Envelope.of(lower, upper, support), mechanism="plm", epsilon=1)``
releases by levels of your own. docs/concepts/paper.md says how the paper's text carries over to a lattice.

Read `levels`, `density` and `theorems` first, then `radial` (many dimensions), `triangle_radii` and `figures`.
`family` lists other mechanisms of the literature, to compare errors with. They are in `local_sensitivity`,
`above_threshold` and `shifted_inverse_table`. Their laws (`comparison_law`) have errors, and cannot be drawn from.

It may import questions and the packages below them. Planning, the public names and tests may import it.
"""

from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.paper.density import InverseSensitivityDensity as InverseSensitivity
from noisewise.paper.density import PiecewiseLaplaceDensity as PiecewiseLaplace
from noisewise.paper.figures import plot
from noisewise.paper.levels import lower, quality_score, reach, upper
from noisewise.paper.radial import BallDensity
from noisewise.paper.theorems import (
    algorithm_1,
    bounded_range,
    bounded_range_zcdp,
    dominates,
    laplace_reduction,
)
from noisewise.paper.triangle_radii import triangle_counting

__all__ = [
    "BallDensity",
    "InverseSensitivity",
    "PiecewiseLaplace",
    "RadiusBounds",
    "algorithm_1",
    "bounded_range",
    "bounded_range_zcdp",
    "dominates",
    "laplace_reduction",
    "lower",
    "plot",
    "quality_score",
    "reach",
    "triangle_counting",
    "upper",
]
