"""Piecewise Laplace: noise in proportion to the local sensitivity, step by step [Durfee25, Def. 3.1, M.1].

Every outcome is scored by how many people would have to change their data for the envelope to reach it, interpolated
linearly inside a step. Proof: docs/proofs/piecewise_laplace.md.
"""

from dataclasses import dataclass
from typing import ClassVar

from noisewise.kernel.mechanisms.scored import Scored


@dataclass(frozen=True, slots=True, init=False)
class PiecewiseLaplace(Scored):
    """The piecewise Laplace mechanism: a cost of l-1 just after level l-1, rising to l at level l."""

    name: ClassVar[str] = "piecewise_laplace"
    version: ClassVar[str] = "piecewise-laplace/1"
    graded: ClassVar[bool] = True
