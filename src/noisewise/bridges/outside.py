"""Helpers of both bridges: they import packages that may not be installed, and round exact numbers to floats."""

import math
from fractions import Fraction
from importlib import import_module
from typing import Any

from noisewise.errors import NoisewiseError, install


class MissingPackage(NoisewiseError, ImportError):
    """A bridge needs a package that is not installed."""


def borrow(module: str, *, extra: str) -> Any:
    """Import a module of an optional package. If it is missing, an error says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0].replace("_", "-")
    raise MissingPackage(f"the package {package} must be installed for this", extra=install(extra)) from None


def float_up(value: Fraction) -> float:
    """Return the smallest float64 that is at least ``value``. A loss must never be rounded down."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
