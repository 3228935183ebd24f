"""Ball arithmetic: a real number known to lie between two others, through python-flint.

FLINT has one working precision for the whole process. `precision` sets it for a block and lets one thread in at a time.
A ball is true at any precision, so whoever else changes it can cost time, never truth.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flint import arb

ONE_AT_A_TIME = RLock()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with balls of so many bits inside the block."""
    from flint import ctx

    with ONE_AT_A_TIME, ctx.workprec(bits):
        yield


def ball(number: Fraction) -> "arb":
    """A rational number at the precision of the moment."""
    from flint import arb, fmpq

    return arb(fmpq(number.numerator, number.denominator))
