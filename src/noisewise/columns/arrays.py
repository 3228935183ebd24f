"""A column in memory: a NumPy array, a Python sequence, or a series of pandas, Polars or PyArrow.

Reading has two halves. `declare` looks at the declared type alone and raises every error there is; it runs before
anything is paid. `Declared.read` then looks at the records, after the debit, by a map that is total: numbers become
the nearest float64, everything else is missing, and nothing raises, warns or is counted.
"""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.column import Neighbors
from noisewise.columns.selection import count_present, select
from noisewise.errors import SchemaError
from noisewise.lattice import Lattice

Mask = NDArray[np.bool_]
NUMERIC_KINDS = "biuf"


@dataclass(frozen=True, slots=True, repr=False)
class ArrayColumn:
    """Numbers in an array, those that are NaN or masked missing; their order is that of their indices."""

    values: NDArray[Any]
    mask: Mask | None
    present: int
    lattice: Lattice
    neighbors: Neighbors

    def __repr__(self) -> str:
        return "<ArrayColumn: withheld>"

    @property
    def count(self) -> int:
        return self.present if self.neighbors == "add_remove" else self.values.size

    def ranks(self, start: int, stop: int) -> NDArray[np.int64]:
        """Under swap a missing record stands at the lower bound, so the missing ones come first."""
        absent = self.count - self.present
        filled = max(0, min(stop, absent + 1) - start)
        first, last = max(start - absent, 1), max(stop - absent, 1)
        chosen = select(self.values, first, last, count=self.present, missing=self.mask)
        return np.append(np.full(filled, self.lattice.low), self.lattice.index(nearest_float64(chosen)))


@dataclass(frozen=True, slots=True, repr=False)
class Declared:
    """Data of an accepted type, not yet looked at."""

    fetch: Callable[[], tuple[NDArray[Any], Mask | None]]

    def __repr__(self) -> str:
        return "<Declared: withheld>"

    def read(self, lattice: Lattice, neighbors: Neighbors) -> ArrayColumn:
        values, mask = self.fetch()
        return ArrayColumn(values, mask, count_present(values, mask), lattice, neighbors)


def declare(data: object) -> Declared:
    """Accept or refuse by declared type: a SchemaError names the type, never a value."""
    if isinstance(data, np.ndarray):
        return _declare_array(data)
    if isinstance(data, (list, tuple, range)):
        return Declared(lambda: (numbers_of(data), None))
    return _declare_series(data)


def nearest_float64(values: NDArray[Any]) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):
        return values.astype(np.float64, copy=False)


def numbers_of(records: Sequence[object]) -> NDArray[np.float64]:
    """Python objects as float64: int, float, bool, Fraction, Decimal and NumPy numbers; NaN for anything else."""
    if set(map(type, records)) <= {float, int, bool}:
        try:
            return np.frombuffer(array("d", records), np.float64)  # type: ignore[arg-type]
        except OverflowError:
            pass
    return np.fromiter(map(_number, records), np.float64, len(records))


def _number(record: object) -> float:
    if isinstance(record, (bool, int, float, Fraction, Decimal, np.bool_, np.integer, np.floating)):
        try:
            return float(record)
        except OverflowError:
            return math.inf if record > 0 else -math.inf
        except ValueError:  # a signalling NaN
            return math.nan
    return math.nan


def _declare_array(data: NDArray[Any]) -> Declared:
    if data.ndim != 1:
        raise SchemaError(f"data must be one-dimensional, got an array of {data.ndim} dimensions") from None
    kind = data.dtype.kind
    if kind != "O" and kind not in NUMERIC_KINDS:
        raise SchemaError(f"data must be numbers, got an array of type {data.dtype}") from None
    mask = None
    if isinstance(data, np.ma.MaskedArray) and data.mask is not np.ma.nomask:
        mask = np.ma.getmaskarray(data)
    plain = np.asarray(data)
    if kind == "O":
        return Declared(lambda: (numbers_of(plain.tolist()), mask))
    return Declared(lambda: (plain, mask))


def _declare_series(data: object) -> Declared:
    """A series of a data frame library, recognised and read through narwhals."""
    import narwhals as nw

    try:
        series = nw.from_native(data, series_only=True)  # type: ignore[call-overload]
    except TypeError:
        series = None
    if series is None:
        raise SchemaError(
            "data must be a one-dimensional array, list or series of numbers, "
            f"got {type(data).__module__}.{type(data).__qualname__}"
        ) from None
    dtype = series.dtype
    if dtype.is_decimal() or dtype in (nw.Object, nw.Unknown):
        return Declared(lambda: (numbers_of(series.to_list()), None))
    if not (dtype.is_numeric() or dtype == nw.Boolean):
        raise SchemaError(f"data must be numbers, got a series of type {dtype}") from None
    return Declared(lambda: (_series_values(series), None))


def _series_values(series: Any) -> NDArray[Any]:
    """A numeric series as an array, nulls as NaN; types that NumPy lacks go through Python numbers."""
    values = series.to_numpy()
    return values if values.dtype.kind in NUMERIC_KINDS else numbers_of(values.tolist())
