"""Wrong calls of the kernel's classes, in our words: the kernel itself has no text for people but its errors."""

from noisewise.calls import judged_class
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.kernel.mechanisms.balance import Balance, ShiftedInverse
from noisewise.kernel.mechanisms.laplace import Laplace
from noisewise.kernel.mechanisms.permute_and_flip import PermuteAndFlip
from noisewise.kernel.mechanisms.scored import Scored


def explain_wrong_kernel_calls() -> None:
    """Have every wrong call of a class of the kernel explained."""
    judged_class("it is made by Envelope.of(lower, upper, support)")(Envelope)
    judged_class("it is made by RadiusBounds.of")(RadiusBounds)
    judged_class()(PureDP)
    judged_class()(BoundedRange)
    judged_class()(ZCDP)
    judged_class()(ApproxDP)
    judged_class()(Balance)
    judged_class()(Laplace)
    judged_class()(PermuteAndFlip)
    judged_class()(Scored)
    judged_class()(ShiftedInverse)
