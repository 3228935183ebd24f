"""What both bridges need: packages that may not be installed, and numbers that have to be floats there."""

import math
from fractions import Fraction
from importlib import import_module
from typing import Any

from noisewise.errors import NoisewiseError, install


class MissingPackage(NoisewiseError, ImportError):
    """A bridge needs a package that is not installed."""


def borrow(module: str, *, extra: str) -> Any:
    """A module of an optional package; raises an error that says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0].replace("_", "-")
    raise MissingPackage(f"the package {package} must be installed for this", extra=install(extra)) from None


def float_up(value: Fraction) -> float:
    """The smallest float64 that is not below a number: a loss rounded down would be spent and not accounted for."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
