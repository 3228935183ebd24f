"""Ball arithmetic: a real number known to lie between two others, through python-flint.

FLINT has one working precision for the whole process. `precision` sets it for a block and lets one thread in at a time.
A ball is true at any precision, so whoever else changes it can cost time, never truth.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from threading import RLock

from flint import arb, ctx, fmpq

from noisewise.kernel.forks import around_forks

ONE_AT_A_TIME = RLock()
around_forks(ONE_AT_A_TIME.acquire, ONE_AT_A_TIME.release)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with balls of so many bits inside the block."""
    with ONE_AT_A_TIME, ctx.workprec(bits):
        yield


def ball(number: Fraction) -> arb:
    """A rational number at the precision of the moment."""
    return arb(fmpq(number.numerator, number.denominator))
