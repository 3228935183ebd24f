"""Ball arithmetic: a real number that is known to lie between two others, computed by python-flint.

FLINT has one working precision for the whole process. `precision` sets it for a block of code and lets only one thread
into such blocks. A ball holds its number at every precision, so a precision that somebody else changes can cost time
but cannot make an answer wrong.

python-flint is imported when the first ball is made: most draws need none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from noisewise.kernel.forks import IMPORTING, around_forks

if TYPE_CHECKING:
    from flint import arb

    Ball: TypeAlias = arb
else:
    Ball = Any

ONE_AT_A_TIME = RLock()
around_forks(ONE_AT_A_TIME.acquire, ONE_AT_A_TIME.release)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with balls of this many bits inside the block."""
    flint = load_flint()  # first: a fork takes the two locks in this order
    with ONE_AT_A_TIME, flint.ctx.workprec(bits):
        yield


def ball(number: Fraction | int | float, radius: Ball | int = 0) -> Ball:
    """The ball around a number, at the current precision."""
    flint = load_flint()
    exact = flint.fmpq(*number.as_integer_ratio()) if isinstance(number, Fraction) else number
    made: Ball = flint.arb(exact, radius)
    return made


@cache
def load_flint() -> Any:
    """The module flint, imported once."""
    with IMPORTING:
        import flint

    return flint
