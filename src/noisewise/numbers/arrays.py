"""The types of NumPy arrays, each named once."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]

Unsigned: TypeAlias = NDArray[np.uint64]
"""64 bits without a sign: random words, and thresholds to compare them with."""

LargeIntegers: TypeAlias = NDArray[Any]
"""int64 where that certainly holds all numbers, else Python's own integers."""
