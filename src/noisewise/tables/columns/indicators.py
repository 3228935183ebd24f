"""Indicators read a column of any type as ones, to count records, or as ones and zeros, to count one category.

    every record               1 if the record is not missing, else missing
    a category among others    1 if the record is the category, 0 if it is another, missing if it is missing
    a category alone           1 if the record is the category, else missing

Each record is mapped alone, by a function that never fails. A category is compared as in `Labels`: text byte by byte,
numbers and booleans as the nearest float64. As with numbers, ``declare`` looks only at the declared type and raises all
errors. Records are read after the debit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ma
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Floats
from noisewise.tables.columns.array_column import (
    AS_OBJECTS,
    NUMBERS,
    NUMERIC_KINDS,
    Declared,
    NumbersOrLabels,
    declare,
    is_numeric,
    nearest_float64,
    numbers_of,
    series_of,
)
from noisewise.tables.columns.conversions import of_objects
from noisewise.tables.columns.labels import Label, Labels, declare_labels, series_records

NOTHING = ("NAType", "NaTType", "MaskedConstant")
"""The types of missing records in pandas and NumPy."""


@dataclass(frozen=True, slots=True)
class Indicator:
    """Which records are ones. Public.

    Args:
        category: The category whose records are ones. If it is None, every record that is not missing is a one.
        others: Whether records of other categories are zeros. If not, they are missing.
    """

    category: Label | None = None
    others: bool = True

    def __post_init__(self) -> None:
        if self.category is not None:
            object.__setattr__(self, "category", self.labels.names[0])

    @property
    def labels(self) -> Labels:
        """The category as labels. Raises if it cannot be a category."""
        return Labels.of([self.category], "category")

    def declare(self, data: object, name: str = "data") -> Declared:
        """Accept or refuse data by its declared type. A column that comes from a table is declared already."""
        if isinstance(data, (Declared, NumbersOrLabels)):
            return declare(data)
        return _any_type(data, name) if self.category is None else self._labelled(data, name)

    def _labelled(self, data: object, name: str) -> Declared:
        declared, labels = declare_labels(data, name), self.labels
        declared.check(labels)
        if isinstance(data, np.ndarray):  # a masked record keeps its place: under swap it counts
            mask = None if ma.getmask(data) is ma.nomask else ma.getmaskarray(data)
            return Declared(lambda: (self.ones(_listed(np.asarray(data))), mask), lambda: data.size)
        return Declared(lambda: (self.ones(declared.fetch()), None), lambda: len(data))  # type: ignore[arg-type]

    def ones(self, records: NDArray[Any] | Sequence[object]) -> Floats:
        """1 for each record of the category, 0 or NaN for each other record, NaN for a missing record. Secret."""
        indices = self.labels.indices
        if isinstance(records, np.ndarray):
            numbers = nearest_float64(records)
            present, chosen = ~np.isnan(numbers), np.isin(numbers, _numbers(indices))
        else:
            numbers = numbers_of(records)
            texts = np.fromiter((issubclass(type(each), str) for each in records), np.bool_, len(records))
            present, chosen = texts | ~np.isnan(numbers), np.isin(numbers, _numbers(indices))
            for index in np.flatnonzero(texts).tolist():
                chosen[index] = str.__str__(records[index]) in indices
        return np.where(present & chosen, 1.0, np.where(present & self.others, 0.0, np.nan))


def _numbers(indices: dict[str | float, int]) -> list[float]:
    return [key for key in indices if isinstance(key, float)]


def _listed(values: NDArray[Any]) -> NDArray[Any] | Sequence[object]:
    return values if values.dtype.kind in NUMERIC_KINDS else values.tolist()


def _any_type(data: object, name: str) -> Declared:
    """Declare a column whose records are only counted. Records that are not missing become ones, or stay numbers.

    In a Python list, which declares no type, a record that is no number is missing, as for all questions.
    """
    if isinstance(data, np.ndarray):
        plain = data.dtype.kind in NUMERIC_KINDS or data.ndim != 1
        return declare(data) if plain else _of_array(data)
    return declare(data) if isinstance(data, (list, tuple, range)) else _of_series(data, name)


def _of_array(data: NDArray[Any]) -> Declared:
    def fetch() -> tuple[Floats, Booleans | None]:
        values, mask = np.asarray(data), None if ma.getmask(data) is ma.nomask else ma.getmaskarray(data)
        if values.dtype.kind in "TO":
            return _there(values.tolist()), mask
        missing = np.isnat(values) if values.dtype.kind in "mM" else np.zeros(values.size, np.bool_)
        if values.dtype.kind == "c":
            missing = np.isnan(values)
        return np.where(missing, np.nan, 1.0), mask

    return Declared(fetch, lambda: data.size)


def _of_series(data: object, name: str) -> Declared:
    """Declare a series of a data frame library, read through narwhals."""
    series, declared = series_of(data)
    if of_objects(str(declared)):
        return Declared(lambda: (_there(series_records(series)), None), lambda: len(series))
    if str(declared).lower().startswith(AS_OBJECTS) or is_numeric(series, declared):
        return declare(data, name)
    return Declared(lambda: (np.where(series.is_null().to_numpy(), np.nan, 1.0), None), lambda: len(series))


def _there(records: Sequence[object]) -> Floats:
    """1 for each Python object; NaN for None, NaN and the missing values of libraries."""
    numbers = numbers_of(records)
    missing = np.isnan(numbers)
    for index in np.flatnonzero(missing).tolist():
        missing[index] = not _is_something(records[index])
    return np.where(missing, np.nan, 1.0)


def _is_something(record: object) -> bool:
    """Whether an object is not missing. This never fails. It is called only for objects that gave no number."""
    kind = type(record)
    if record is None or kind.__name__ in NOTHING:
        return False
    if issubclass(kind, (np.datetime64, np.timedelta64)):
        return not np.isnat(record)  # type: ignore[call-overload]
    return not issubclass(kind, NUMBERS)
