"""The columns that are measured, all float64 and all synthetic; each run sees the same numbers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SEED = 20_250_101


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of column and the public bounds its answers are asked within."""

    name: str
    bounds: tuple[float, float]
    make: Callable[[np.random.Generator, int], Floats]

    def column(self, n: int) -> Floats:
        return self.make(np.random.default_rng(SEED), n)


def incomes(n: int) -> Floats:
    """Lognormal incomes in whole dollars, median about 36,000."""
    return INCOMES.column(n)


def _incomes(rng: np.random.Generator, n: int) -> Floats:
    return np.floor(rng.lognormal(10.5, 0.6, n))


def _sorted(rng: np.random.Generator, n: int) -> Floats:
    return np.sort(rng.standard_normal(n))


def _ages(rng: np.random.Generator, n: int) -> Floats:
    return rng.integers(0, 100, n).astype(np.float64)


NORMAL = Shape("normal", (-100.0, 100.0), lambda rng, n: rng.standard_normal(n))
INCOMES = Shape("incomes", (0, 1_000_000), _incomes)
TIES = Shape("ages, tied", (0, 120), _ages)
SORTED = Shape("sorted", (-100.0, 100.0), _sorted)
SHAPES = (NORMAL, INCOMES, TIES, SORTED)
