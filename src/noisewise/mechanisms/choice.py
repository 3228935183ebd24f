"""Which mechanism a release uses: a name, an object, or "auto". Decided from public facts only."""

from fractions import Fraction
from typing import Literal, TypeAlias

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.exact import describe, spell
from noisewise.mechanisms.inverse_sensitivity import InverseSensitivity
from noisewise.mechanisms.laplace import Laplace
from noisewise.mechanisms.mechanism import Mechanism
from noisewise.mechanisms.piecewise_laplace import PiecewiseLaplace

Chosen: TypeAlias = Literal["auto", "inverse_sensitivity", "laplace", "piecewise_laplace"] | Mechanism
"""What ``mechanism=`` takes."""

NAMES = ("auto", "inverse_sensitivity", "laplace", "piecewise_laplace")


def choose(mechanism: object, *, epsilon: Fraction, sensitivity: int) -> Mechanism:
    """The mechanism a user asked for. ``sensitivity`` is the statistic's global one per person, in lattice steps."""
    if isinstance(mechanism, str):
        return _named(mechanism, epsilon, sensitivity)
    if isinstance(mechanism, type) or not isinstance(mechanism, Mechanism):
        raise ParameterTypeError(
            f"mechanism must be one of {', '.join(NAMES)}, or an object such as PiecewiseLaplace(epsilon=1), "
            f"got {describe(mechanism)}"
        ) from None
    if mechanism.epsilon != epsilon:
        raise ParameterError(
            f"epsilon must agree with the mechanism's own {spell(mechanism.epsilon)}, got {spell(epsilon)}"
        ) from None
    if isinstance(mechanism, Laplace) and mechanism.sensitivity < sensitivity:
        raise ParameterError(
            f"the mechanism's sensitivity must be at least the statistic's {sensitivity} lattice steps per person, "
            f"got {mechanism.sensitivity}"
        ) from None
    return mechanism


def _named(name: str, epsilon: Fraction, sensitivity: int) -> Mechanism:
    match name:
        case "piecewise_laplace" | "auto":
            return PiecewiseLaplace(epsilon=epsilon)
        case "inverse_sensitivity":
            return InverseSensitivity(epsilon=epsilon)
        case "laplace":
            return Laplace(epsilon=epsilon, sensitivity=sensitivity)
    raise ParameterError(f"mechanism must be one of {', '.join(NAMES)}, got {describe(name)}") from None
