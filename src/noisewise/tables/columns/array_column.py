"""A column in memory: a NumPy array, a Python sequence, or a series of pandas, Polars or PyArrow.

A column is read in two steps. Before anything is paid, `declare` looks only at the declared type, and raises all
errors. After the debit, `Declared.read` looks at the records. Numbers become the nearest float64, and all other records
are missing. Nothing raises or warns, and records that cannot be read are not counted.
"""

import math
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from threading import get_ident
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy import ma
from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.floors import known
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Booleans, Floats
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column, Sums
from noisewise.tables.columns.conversions import from_text, of_objects, typed
from noisewise.tables.columns.selection import Present, count_present, extremes, select, sweep
from noisewise.tables.columns.sums import EXACT, LARGEST_BLOCK, WholeNumbers, block_squares, block_sum

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

    from noisewise.tables.columns.labels import DeclaredLabels

NUMERIC_KINDS = "biuf"
TEXTS = ("String", "Categorical", "Enum")
"""The names of types of text in narwhals."""
NUMBERS = (bool, int, float, Fraction, Decimal, np.bool_, np.integer, np.floating)
PLAIN = {id(float), id(int), id(bool)}
ARRAY_FIXES = dict.fromkeys("UST", "make numbers of text first, as in data.astype(float)")
ARRAY_FIXES |= {"O": "make numbers of it first, as in data.astype(float)"}
"""For kinds of array types that declare no numbers: what to write instead."""

INSTEAD = {
    "str": 'a column of a table is asked about by its name, as in Dataset(frame).median("age", ...)',
    "Dataset": 'its questions are methods, as in dataset.median("age", ...)',
}
"""For types that are no columns, by their names: what to write instead."""

FRACTIONAL = ("float", "double", "halffloat", "decimal")
"""The beginnings of the names of types whose numbers may have fractions."""

AS_OBJECTS = ("object", "null", "decimal", "int128", "uint128", "halffloat")
"""The beginnings of the names of types that NumPy or narwhals may not know. Such columns are read as Python objects.

All of them except "object" declare that they hold numbers, or only missing records.
"""


@dataclass(slots=True, repr=False)
class ArrayColumn(Secret):
    """Numbers in an array. A number is missing if it is NaN or masked."""

    values: NDArray[Any]
    mask: Booleans | None
    lattice: Lattice
    neighbors: Neighbors
    _present: Present | None = None

    @property
    def present(self) -> int:
        """The number of records that are not missing. It is counted once."""
        if self._present is None:
            self._present = count_present(self.values, self.mask)
        return self._present.records

    @property
    def count(self) -> int:
        return self.present if self.neighbors == "add_remove" else self.values.size

    def ranks(self, start: int, stop: int) -> NDArray[np.int64]:
        """The sorted records of some ranks. Under swap missing records count as the lower bound, so they come first."""
        absent = self.count - self.present
        filled = max(0, min(stop, absent + 1) - start)
        first, last = max(start - absent, 1), max(stop - absent, 1)
        ends = () if self._present is None else self._present.ends
        chosen = select(self.values, first, last, count=self.present, missing=self.mask, ends=ends)
        indices = self.lattice.index(nearest_float64(chosen))
        return np.append(np.full(filled, self.lattice.low), indices) if filled else indices

    def extremes(self, records: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if records == 0:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        filled = np.full(min(self.count - self.present, records), self.lattice.low)
        lowest, highest = extremes(self.values, records, count=self.present, missing=self.mask)
        smallest, largest = (self.lattice.index(nearest_float64(values)) for values in (lowest, highest))
        spare = max(filled.size + largest.size - records, 0)
        return np.append(filled, smallest)[:records], np.append(filled, largest)[spare:]

    def sums(self, *, squares: bool = False) -> Sums:
        return self._sums(None, squares)

    def below(self, index: int, *, squares: bool = False) -> Sums:
        top = index - self.lattice.low
        return self._sums(top, squares) if top >= 0 else Sums(0, 0, 0)

    def ordered(self) -> NDArray[np.int64]:
        """The sorted lattice indices of all records. Records of any type become indices first, and then are sorted."""
        values = nearest_float64(self.values if self.mask is None else self.values[~self.mask])
        indices = np.sort(self.lattice.nearest(values))[: self.present].astype(
            np.int64
        )  # NaNs are sorted last
        absent = self.count - self.present
        return np.append(np.full(absent, self.lattice.low), indices) if absent else indices

    def _sums(self, top: int | None, squares: bool) -> Sums:
        """Sums of the indices up to ``top``. Indices are counted from the low end, so a missing record adds 0."""
        low, most = self.lattice.low, self.lattice.high - self.lattice.low
        reach = max(abs(low), abs(self.lattice.high))
        nearest = self.lattice.rounding()
        rooms: dict[int, NDArray[np.float64]] = {}  # one for each thread, used again for every block
        whole = WholeNumbers.of(self.values.dtype, self.lattice) if top is None and not squares else None

        def of_block(block: NDArray[Any], absent: Booleans | None) -> Sums:
            if whole is not None:
                present = block if absent is None else block[~absent]
                return Sums(present.size, whole.sum(present) - low * present.size, 0)
            if (thread := get_ident()) not in rooms:
                rooms[thread] = np.empty(min(LARGEST_BLOCK, self.values.size))
            indices = nearest(block.astype(np.float64, copy=False), rooms[thread][: block.size])
            if top is None and not squares and absent is None and reach * block.size < EXACT:
                total = float(np.add.reduce(indices))
                if total == total:
                    return Sums(block.size, int(total) - low * block.size, 0)
            if low:
                indices -= low
            if absent is not None:
                indices = indices[~absent]
            if top is not None:
                indices = indices[indices <= top]  # a NaN is not
            added = block_sum(indices, most)
            if added is None:
                indices = indices[indices == indices]
                added = block_sum(indices, most) or 0
            return Sums(indices.size, added, block_squares(indices, most) if squares else 0)

        blocks = sweep(self.values, self.mask, of_block)
        counted = sum(block.count for block in blocks)
        if top is None:
            self._present = self._present or Present(counted)
        absent = self.values.size - self.present if self.neighbors == "swap" else 0
        return Sums(
            counted + absent, sum(block.total for block in blocks), sum(block.squares for block in blocks)
        )


class NumberBins(Protocol):
    """Bins to count numbers in. A number between the two ``ends`` is in one bin. Any other number is in no bin."""

    @property
    def ends(self) -> tuple[float, float]: ...

    @property
    def thresholds(self) -> NDArray[np.float64]:
        """Finite numbers in rising order. The bin of a number is the number of thresholds up to it."""

    def bins_of(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """The bin of each number between the ends, counted from 0."""


@dataclass(frozen=True, slots=True, repr=False)
class Declared(Secret):
    """Data of an accepted type that is not read yet."""

    fetch: Callable[[], tuple[NDArray[Any], Booleans | None]]
    size: Callable[[], int]

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Column:
        values, mask = self.fetch()
        return ArrayColumn(values, mask, lattice, neighbors)

    def numbers(self) -> Floats:
        """All records as float64; a missing record is NaN. Secret."""
        values, mask = self.fetch()
        numbers = nearest_float64(values)
        return numbers if mask is None else np.where(mask, np.nan, numbers)

    def counts(self, bins: NumberBins) -> NDArray[np.int64]:
        """The number of records in each bin. Numbers are compared as the nearest float64. Secret."""
        (low, high), counts = bins.ends, np.zeros(bins.thresholds.size + 1, np.int64)

        def of_block(block: NDArray[Any], absent: Booleans | None) -> NDArray[np.int64]:
            values = nearest_float64(block if absent is None else block[~absent])
            inside = values[(values >= low) & (values <= high)]  # a NaN is not
            return np.bincount(bins.bins_of(inside), minlength=counts.size)

        for in_block in sweep(*self.fetch(), of_block):
            counts += in_block
        return counts


@dataclass(frozen=True, slots=True, repr=False)
class NumbersOrLabels(Secret):
    """A column of a table. The question decides whether it is read as numbers or as labels.

    ``fractional`` says whether the column's type is one of numbers that may have fractions. Public.
    """

    numbers: Callable[[], Declared]
    labels: Callable[[], "DeclaredLabels"]
    fractional: bool = False


def declare(data: object, name: str = "data") -> Declared:
    """Accept data of numbers, and refuse data of any other declared type. No record is read.

    ``name`` is what the SchemaError calls the data. The error shows the type, and no value, length or category.
    """
    if isinstance(data, Declared):
        return data
    if isinstance(data, NumbersOrLabels):
        return data.numbers()
    if isinstance(data, np.ndarray):
        return _declare_array(data)
    if isinstance(data, (list, tuple, range)):
        return Declared(lambda: (numbers_of(data), None), lambda: len(data))
    return _declare_series(data, name)


def declares_fractions(data: object) -> bool:
    """Whether the declared type of the data is a type of fractional numbers. A list declares no type."""
    if isinstance(data, NumbersOrLabels):
        return data.fractional
    if isinstance(data, np.ndarray):
        return bool(data.dtype.kind == "f")
    if isinstance(data, (list, tuple, range)):
        return False
    try:
        _, declared = series_of(data)
    except SchemaError:
        return False
    return str(declared).lower().startswith(FRACTIONAL)


def nearest_float64(values: NDArray[Any]) -> NDArray[np.float64]:
    if values.dtype == np.float64:
        return values
    with np.errstate(all="ignore"):
        return values.astype(np.float64)


def numbers_of(records: Sequence[object]) -> NDArray[np.float64]:
    """Python objects as float64. Anything but int, float, bool, Fraction, Decimal and NumPy numbers becomes NaN."""
    try:
        if set(map(id, map(type, records))) <= PLAIN:  # by identity: a type may lie about what it equals
            return np.frombuffer(array("d", records), np.float64)  # type: ignore[type-var]
    except Exception:
        pass  # an int beyond float64, or a type without a hash: records are then read one by one
    return np.fromiter(map(_number, records), np.float64, len(records))


def _number(record: object) -> float:
    """An object as a float; NaN if it is no number, or fails to become one. This never raises."""
    try:
        if not isinstance(record, np.timedelta64) and isinstance(record, NUMBERS):
            try:
                return float(record)
            except OverflowError:
                return math.inf if record > 0 else -math.inf
    except Exception:
        pass  # a signalling NaN, or code of the record itself
    return math.nan


def _declare_array(data: NDArray[Any]) -> Declared:
    if data.ndim != 1:
        raise SchemaError(
            "data",
            "must be one-dimensional",
            got=f"an array of {data.ndim} dimensions",
            fix="choose one column, as in data[:, 0]" if data.ndim == 2 else "",
        ) from None
    if data.dtype.kind not in NUMERIC_KINDS:
        name = data.dtype.type.__name__  # not the dtype: <U7 would tell the length of the longest text
        raise SchemaError(
            "data",
            "must be numbers",
            got="an array of objects, which declares nothing"
            if data.dtype.kind == "O"
            else f"an array of type {name}",
            fix=ARRAY_FIXES.get(data.dtype.kind, ""),
        ) from None
    return Declared(lambda: (np.asarray(data), _array_mask(data)), lambda: data.size)


def _series_values(values: NDArray[Any]) -> NDArray[Any]:
    return values if values.dtype.kind in NUMERIC_KINDS else numbers_of(values.tolist())


def _array_mask(data: NDArray[Any]) -> Booleans | None:
    return None if ma.getmask(data) is ma.nomask else ma.getmaskarray(data)


def _declare_series(data: object, name: str) -> Declared:
    """A series of a data frame library, read through narwhals."""
    series, declared = series_of(data, "series of numbers")
    if of_objects(str(declared)):
        raise SchemaError(
            name,
            "must be numbers",
            got="a series of type object, which declares nothing",
            fix=f"make numbers of it first, as in {typed(series, name, 'number')}",
        ) from None
    if str(declared).lower().startswith(AS_OBJECTS):
        return Declared(lambda: (numbers_of(series.to_list()), None), lambda: len(series))
    # Only now series.dtype: for a type of objects it would look at the records, and call them text or not.
    if not is_numeric(series, declared):
        kind = _name(series.dtype, declared)
        raise SchemaError(
            name,
            "must be numbers",
            got=f"a series of type {kind}",
            fix=f"make numbers of text first{from_text(series, name, categories=kind != 'String')}"
            if kind in TEXTS
            else "",
        ) from None
    return Declared(lambda: (_series_values(series.to_numpy()), None), lambda: len(series))


def series_of(data: object, wanted: str = "series") -> "tuple[nw.Series[Any], Any]":
    """Wrap a series of a data frame library by narwhals, and return it with its declared type. Refuse other objects."""
    import narwhals.stable.v2 as nw

    plain, arrow = known(data), sys.modules.get("pyarrow")
    given = arrow.chunked_array([plain]) if arrow is not None and isinstance(plain, arrow.Array) else plain
    try:
        series = nw.from_native(given, series_only=True)
    except Exception:
        series = None
    if series is None:
        raise SchemaError(
            "data",
            f"must be a one-dimensional array, list or {wanted}",
            got=f"{type(data).__module__}.{type(data).__qualname__}",
            fix=INSTEAD.get(type(data).__name__, "choose one column, or make it a list first"),
        ) from None
    native = series.to_native()
    return series, native.dtype if hasattr(native, "dtype") else native.type


def is_numeric(series: "nw.Series[Any]", declared: Any) -> bool:
    """Whether a series is declared to hold numbers or booleans. The series must not be one of Python objects."""
    import narwhals.stable.v2 as nw

    kind = getattr(declared, "kind", None)  # of pandas, also for types that narwhals does not know
    return kind in NUMERIC_KINDS if kind else series.dtype.is_numeric() or series.dtype == nw.Boolean


def _name(dtype: object, declared: object) -> str:
    """The name of a type without its parameters, such as the categories of an Enum, which may show records."""
    name = str(dtype).partition("(")[0]
    return type(declared).__name__ if name == "Unknown" else name
