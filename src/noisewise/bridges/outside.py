"""Helpers of both bridges: packages that may not be installed, and exact numbers as floats."""

import math
from fractions import Fraction
from importlib import import_module
from typing import Any

from noisewise.errors import NoisewiseError, install


class MissingPackage(NoisewiseError, ImportError):
    """A bridge needs a package that is not installed."""


def borrow(module: str, *, extra: str) -> Any:
    """A module of an optional package. If it is missing, an error says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0].replace("_", "-")
    raise MissingPackage(f"the package {package} must be installed for this", extra=install(extra)) from None


def float_up(value: Fraction) -> float:
    """The smallest float64 that is at least a number. A loss that is rounded down would not be fully accounted for."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
