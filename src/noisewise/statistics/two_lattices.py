"""The lattices that rows of two columns are read on: from one pair of bounds for both columns, or one for each."""

from dataclasses import dataclass

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError, text_parts
from noisewise.kernel.numbers.exact import spell
from noisewise.kernel.numbers.lattice import Lattice


@dataclass(frozen=True, slots=True)
class TwoLattices(Lattice):
    """The lattices of the first column, x, and of the second column, y."""

    y: Lattice

    @classmethod
    def of(cls, bounds: object, names: tuple[str, str] = ("x", "y")) -> "TwoLattices":
        """The fine lattices of both columns. The error says which bounds are wrong."""
        first, second = bounds_by_column(bounds, names)
        if first is second:
            x = y = Lattice.fine(first)
        else:
            x, y = _named(names[0], first), _named(names[1], second)
        return cls(x.low, x.high, x.granularity, y)


def bounds_by_column(bounds: object, names: tuple[str, str]) -> tuple[object, object]:
    """The bounds of the first and of the second column; the same object if one pair is for both."""
    pair = list(bounds) if isinstance(bounds, np.ndarray) and bounds.ndim == 2 else bounds
    if not isinstance(pair, (tuple, list)) or not any(isinstance(p, (tuple, list, np.ndarray)) for p in pair):
        return bounds, bounds
    if len(pair) != 2:
        first, second = names
        raise ParameterTypeError(
            "bounds",
            f"must be one pair, or two: (({first}_low, {first}_high), ({second}_low, {second}_high))",
            got=f"{len(pair)} of them",
            kind="pairs",
        ) from None
    return pair[0], pair[1]


def not_negative(lattice: Lattice, name: str) -> None:
    """Raise if the bounds of a column begin below 0."""
    if lattice.low < 0:
        raise ParameterError(
            "the lower bound",
            f"must be at least 0 for {name}",
            got=spell(lattice.low * lattice.granularity),
        ) from None


def _named(column: str, bounds: object) -> Lattice:
    try:
        return Lattice.fine(bounds)
    except (ParameterError, ParameterTypeError) as error:
        with_column = error.with_fields(got=(*text_parts(error.got), f" for {column}"))
    raise with_column from None
