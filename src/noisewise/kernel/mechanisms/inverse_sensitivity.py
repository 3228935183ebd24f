"""Inverse sensitivity: every outcome scored by whole people, uniform inside a step [Asi & Duchi 2020; Durfee25, M.2].

The cost is the piecewise Laplace cost rounded up, so it moves by at most one as well. Proof:
docs/proofs/inverse_sensitivity.md.
"""

from dataclasses import dataclass
from typing import ClassVar

from noisewise.kernel.mechanisms.scored import Scored


@dataclass(frozen=True, slots=True, init=False)
class InverseSensitivity(Scored):
    """The inverse sensitivity mechanism: a cost of l everywhere inside step l."""

    name: ClassVar[str] = "inverse_sensitivity"
    version: ClassVar[str] = "inverse-sensitivity/1"
    graded: ClassVar[bool] = False
