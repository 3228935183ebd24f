"""Explanations for wrong calls of the kernel's classes. The kernel itself has no text for people but its errors."""

from noisewise.calls import checked_class
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.kernel.mechanisms import (
    Balance,
    InverseSensitivity,
    Laplace,
    PermuteAndFlip,
    PiecewiseLaplace,
    ShiftedInverse,
)
from noisewise.kernel.mechanisms.scored import Scored

__all__ = [
    "ZCDP",
    "ApproxDP",
    "Balance",
    "BoundedRange",
    "Envelope",
    "InverseSensitivity",
    "Laplace",
    "PermuteAndFlip",
    "PiecewiseLaplace",
    "PureDP",
    "RadiusBounds",
    "ShiftedInverse",
]

checked_class("it is made by Envelope.of(lower, upper, support)")(Envelope)
checked_class("it is made by RadiusBounds.of")(RadiusBounds)
for each in (PureDP, BoundedRange, ZCDP, ApproxDP, Balance, ShiftedInverse, Laplace, PermuteAndFlip, Scored):
    checked_class()(each)
