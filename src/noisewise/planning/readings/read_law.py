"""`read_law` gives a secret law the methods that read it: pmf, cdf, quantile, expected_error and their like.

The kernel can only draw. A reading is the same law as an object of a subclass from this folder. Objects that are no
laws stay as they are.
"""

from dataclasses import fields
from functools import cache
from typing import Any, overload

from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.planning.readings.balance_reading import BalanceReading
from noisewise.planning.readings.ball_reading import BallReading
from noisewise.planning.readings.gaussian_reading import GaussianReading
from noisewise.planning.readings.law_reading import LawReading
from noisewise.planning.readings.permute_and_flip_reading import PermuteAndFlipReading

READINGS: dict[type, type] = {
    Law: LawReading,
    PermuteAndFlipLaw: PermuteAndFlipReading,
    BalanceLaw: BalanceReading,
    BallLaw: BallReading,
    GaussianLaw: GaussianReading,
}


@overload
def read_law(law: PermuteAndFlipLaw) -> PermuteAndFlipReading: ...
@overload
def read_law(law: Law) -> LawReading: ...
@overload
def read_law(law: BalanceLaw) -> BalanceReading: ...
@overload
def read_law(law: BallLaw) -> BallReading: ...
@overload
def read_law(law: GaussianLaw) -> GaussianReading: ...
@overload
def read_law(law: Any) -> Any: ...
def read_law(law: Any) -> Any:
    """The same law with methods that read it."""
    own: type = type(law)
    kind = _reading(own)
    return law if kind is own else kind(*(getattr(law, each.name) for each in fields(law)))


@cache
def _reading(kind: type) -> type:
    """The class that reads laws of class ``kind``. For a subclass of a law of the kernel, such a class is made."""
    if issubclass(kind, tuple(READINGS.values())):
        return kind
    for base in kind.__mro__:
        if base in READINGS:
            if base is kind:
                return READINGS[base]
            return type(
                kind.__name__, (kind, READINGS[base]), {"__slots__": (), "__module__": kind.__module__}
            )
    return kind
