"""Labels: a column of categories, counted by a declared list of them.

A label is text, or a number or boolean that is read as the nearest float64. The type of the column makes no difference:
1, 1.0 and True are one label. A record counts for no label if it is missing or is not declared. As with numbers,
`declare_labels` looks only at the declared type and raises all errors. `DeclaredLabels.counts` never fails.
"""

import math
import operator
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard

import numpy as np
from numpy import ma
from numpy.typing import NDArray

from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import (
    AS_OBJECTS,
    NUMERIC_KINDS,
    PLAIN,
    NumbersOrLabels,
    is_numeric,
    nearest_float64,
    numbers_of,
    series_of,
)

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

Label: TypeAlias = str | int | float
"""What a category may be; a bool is an int."""

MOST_LABELS = 2**20
SPARSEST = 4
"""If all labels are whole numbers, a table looks them up. It has at most this many places for each label."""
EXACT = 2**53
BLOCK = 1 << 16
"""The number of records that are looked up at a time."""
SIDES: tuple[Literal["right"], Literal["left"]] = ("right", "left")
ARRAY_KINDS = NUMERIC_KINDS + "UTO"


@dataclass(frozen=True)
class Labels:
    """The declared categories. ``names`` are the categories as typed."""

    names: tuple[Label, ...]
    parameter: str = "categories"
    """The name of the parameter in error texts."""

    @classmethod
    def of(cls, categories: object, parameter: str = "categories") -> "Labels":
        """Check the declared categories. They are public, so an error may show them."""
        given = categories
        if isinstance(given, np.ndarray) and given.size <= MOST_LABELS:
            plain = type(given) is np.ndarray and given.ndim == 1 and given.dtype.kind in "biufU"
            given = given.tolist() if plain else list(np.atleast_1d(given))
        if not isinstance(given, (list, tuple, range, set, frozenset, np.ndarray)):
            raise ParameterTypeError(
                "categories",
                "must be a list that you know without looking at the data",
                got=describe(categories),
            ) from None
        count = given.size if isinstance(given, np.ndarray) else length(given)
        if not 1 <= count <= MOST_LABELS:
            raise ParameterError(
                "categories", f"must be from 1 to {MOST_LABELS:,} in number", got=str(count)
            ) from None
        labels = cls(tuple(given), parameter)
        if labels._are_plain():
            return labels
        names = tuple(_name(category, parameter) for category in given)
        indices: dict[str | float, int] = {}
        for index, name in enumerate(names):
            first = indices.setdefault(_key(name), index)
            if first != index:
                raise ParameterError(
                    "categories",
                    "must differ from each other",
                    got=(describe(names[first]), " and ", describe(name)),
                ) from None
        return cls(names, parameter)

    def _are_plain(self) -> bool:
        """Whether the names are all Python strings or all finite Python numbers, and no two are equal.

        If this is true, `of` need not check each name by itself.
        """
        if self.plain_text:
            return len(set(self.names)) == len(self.names)
        if not self._kinds <= PLAIN:
            return False
        try:
            rising, _ = self.numbers
        except OverflowError:
            return False
        return bool(np.isfinite(rising[[0, -1]]).all() and (rising[1:] > rising[:-1]).all())

    @cached_property
    def plain_text(self) -> bool:
        """Whether all names are Python strings. A subclass of ``str`` does not count."""
        return _are_text(self.names)

    @cached_property
    def _kinds(self) -> set[int]:
        """The ids of the names' types. Ids are compared because a type may claim to equal every other type."""
        return set(map(id, map(type, self.names)))

    @cached_property
    def indices(self) -> dict[str | float, int]:
        """The index of each category, by the text or number that records are compared with."""
        keys = self.names if self.plain_text else map(_key, self.names)
        return dict(zip(keys, range(len(self.names)), strict=True))

    @cached_property
    def numbers(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The categories that are numbers, in rising order, and the index of each."""
        if self.plain_text:
            return np.empty(0), np.empty(0, np.int64)
        numbers, which = self.names, np.arange(len(self.names))
        if not self._kinds <= PLAIN:
            which = np.flatnonzero([not isinstance(name, str) for name in self.names])
            numbers = tuple(self.names[index] for index in which.tolist())
        keys = np.frombuffer(array("d", numbers), np.float64)  # type: ignore[type-var]  # no text
        order = np.argsort(keys, kind="stable")
        return keys[order], which[order]

    @cached_property
    def table(self) -> NDArray[np.int64] | None:
        """The index of the label for each whole number from the lowest to the highest label; -1 if it is no label.

        None if a label is not a whole number, or if fewer than about one number in four is a label.
        """
        rising, indices = self.numbers
        first, last = rising[0], rising[-1]
        if (
            not last - first < SPARSEST * rising.size
            or max(-first, last) > EXACT
            or (np.floor(rising) != rising).any()
        ):
            return None
        table = np.full(int(last - first) + 1, -1)
        table[(rising - first).astype(np.int64)] = indices
        return table


@dataclass(frozen=True, slots=True, repr=False)
class DeclaredLabels(Secret):
    """Data of an accepted type that is not read yet: an array of numbers, or Python objects."""

    fetch: Callable[[], NDArray[Any] | Sequence[object]]
    kind: type[float] | type[str] | None = None
    """Whether the column holds numbers or text. None if its declared type does not say."""

    def check(self, labels: Labels) -> None:
        """Raise if the column's type cannot hold any of the categories."""
        if self.kind is not None and not any(
            isinstance(name, str) == (self.kind is str) for name in labels.names
        ):
            kind = "numbers or booleans" if self.kind is float else "text"
            raise ParameterError(
                labels.parameter, f"must be {kind} for such a column", got=describe(labels.names[0])
            ) from None

    def counts(self, labels: Labels) -> NDArray[np.int64]:
        """How many records have each label."""
        records = self.fetch()
        if isinstance(records, np.ndarray):
            return _count_numbers(nearest_float64(records), labels)
        held = [*records]
        if _are_text(held):
            return _count_texts(held, labels)
        texts = [record for record in held if type(record) is str]
        others = [record for record in held if type(record) is not str]
        texts += [str.__str__(record) for record in others if issubclass(type(record), str)]
        numbers = numbers_of([record for record in others if not issubclass(type(record), str)])
        return _count_numbers(numbers, labels) + _count_texts(texts, labels)


def declare_categories(data: object, categories: object) -> tuple[DeclaredLabels, Labels]:
    """A column and the categories to count in it. Raises if the column's type cannot hold any of them."""
    labels = Labels.of(categories)
    declared = declare_labels(data)
    declared.check(labels)
    return declared, labels


def declare_labels(data: object, name: str = "data") -> DeclaredLabels:
    """Accept data of text, numbers or booleans, and refuse data of any other declared type. No record is read.

    ``name`` is what the SchemaError calls the data. The error shows the type, and no value, length or category.
    """
    if isinstance(data, NumbersOrLabels):
        return data.labels()
    if isinstance(data, np.ndarray):
        return _declare_array(data)
    if isinstance(data, (list, tuple, range)):
        return DeclaredLabels(lambda: data)
    return _declare_series(data, name)


def _name(category: Any, parameter: str) -> Label:
    """Return the category, as a Python number if it is a NumPy number. Refuse other types and infinite numbers."""
    plain = isinstance(category, np.generic) and not isinstance(category, (np.datetime64, np.timedelta64))
    name = category.item() if plain else category
    if not isinstance(name, (str, int, float)):
        raise ParameterTypeError(
            parameter, "must be text, numbers or booleans", got=describe(category)
        ) from None
    if not isinstance(name, str) and not math.isfinite(_key(name)):
        raise ParameterError(parameter, "must be finite", got=describe(category)) from None
    return name


def _key(name: Label) -> Any:
    """The text or the float64 that records are compared with."""
    try:
        return str.__str__(name) if isinstance(name, str) else float(name)
    except OverflowError:
        return math.inf


def aligned_records(data: object) -> NDArray[Any] | Sequence[object]:
    """All records of a column of labels in their order; None or NaN for a masked record. Secret."""
    if not isinstance(data, np.ndarray) or ma.getmask(data) is ma.nomask:
        return declare_labels(data).fetch()
    plain, mask = np.asarray(data), ma.getmaskarray(data)
    if plain.dtype.kind in NUMERIC_KINDS:
        return np.where(mask, np.nan, nearest_float64(plain))
    return [None if absent else record for record, absent in zip(plain.tolist(), mask, strict=True)]


def label_indices(records: NDArray[Any] | Sequence[object], labels: Labels) -> NDArray[np.int64]:
    """The index of each record's label; -1 if it has none. Secret."""
    if isinstance(records, np.ndarray):
        return _number_indices(nearest_float64(records), labels)
    indices = _number_indices(numbers_of(records), labels)
    for place, record in enumerate(records):
        if issubclass(type(record), str):
            indices[place] = labels.indices.get(str.__str__(record), -1)
    return indices


def _number_indices(numbers: NDArray[np.float64], labels: Labels) -> NDArray[np.int64]:
    """The index of each number's label; -1 for NaN and for numbers that are not declared."""
    rising, indices = labels.numbers
    if not rising.size:
        return np.full(numbers.size, -1)
    if labels.table is not None:
        inside = (numbers >= rising[0]) & (numbers <= rising[-1])
        whole = np.where(inside, numbers, rising[0]).astype(np.int64)
        return np.where(inside & (whole == numbers), labels.table[whole - int(rising[0])], -1)
    at = np.minimum(np.searchsorted(rising, numbers), rising.size - 1)
    return np.where(rising[at] == numbers, indices[at], -1)


def _count_numbers(numbers: NDArray[np.float64], labels: Labels) -> NDArray[np.int64]:
    """How often each label occurs. NaN and numbers that are not declared are not counted."""
    counts, (rising, indices) = np.zeros(len(labels.names), np.int64), labels.numbers
    if not rising.size or not numbers.size:
        return counts
    if labels.table is None and numbers.size > BLOCK:
        ordered = np.sort(numbers)  # sorting reads memory in order, a search for each number jumps
        ends = (np.searchsorted(ordered, rising, side=side) for side in SIDES)
        counts[indices] = np.subtract(*ends)
        return counts
    for start in range(0, numbers.size, BLOCK):
        found = _number_indices(numbers[start : start + BLOCK], labels)
        np.add.at(counts, found[found >= 0], 1)
    return counts


def _are_text(values: Sequence[object]) -> TypeGuard[list[str]]:
    """Whether all values are Python strings. (A type may claim to equal every other, so ``is`` compares types.)"""
    return all(map(operator.is_, map(type, values), repeat(str)))


def _count_texts(texts: list[str], labels: Labels) -> NDArray[np.int64]:
    """How many of the texts are equal to each label."""
    known = Counter(texts)
    if not known:
        return np.zeros(len(labels.names), np.int64)
    keys = labels.names if labels.plain_text else map(_key, labels.names)
    return np.fromiter(map(known.get, keys, repeat(0)), np.int64, len(labels.names))


def _declare_array(data: NDArray[Any]) -> DeclaredLabels:
    if data.ndim != 1:
        raise SchemaError(
            "data", "must be one-dimensional", got=f"an array of {data.ndim} dimensions"
        ) from None
    if data.dtype.kind not in ARRAY_KINDS:
        name = data.dtype.type.__name__  # not the dtype, which may tell the length of the longest record
        raise SchemaError(
            "data", "must be text, numbers or booleans", got=f"an array of type {name}"
        ) from None
    kind = float if data.dtype.kind in NUMERIC_KINDS else None if data.dtype.kind == "O" else str
    return DeclaredLabels(lambda: _array_records(data), kind)


def _array_records(data: NDArray[Any]) -> NDArray[Any] | Sequence[object]:
    kept = np.asarray(data) if ma.getmask(data) is ma.nomask else np.asarray(data)[~ma.getmaskarray(data)]
    return kept if kept.dtype.kind in NUMERIC_KINDS else kept.tolist()


def _declare_series(data: object, name: str) -> DeclaredLabels:
    """A series of a data frame library, read through narwhals."""
    import narwhals.stable.v2 as nw

    series, declared = series_of(data)
    holds: type[float] | type[str] | None = None
    if not str(declared).lower().startswith(AS_OBJECTS):
        # Only now series.dtype: for a type of objects it would look at the records, and call them text or not.
        numeric = is_numeric(series, declared)
        if not numeric and series.dtype not in (nw.String, nw.Categorical, nw.Enum):
            given = str(series.dtype).partition("(")[0]  # without its parameters, which may be records
            raise SchemaError(
                name, "must be text, numbers or booleans", got=f"a series of type {given}"
            ) from None
        holds = float if numeric else str if series.dtype == nw.String else None
    return DeclaredLabels(lambda: series_records(series), holds)


def series_records(series: "nw.Series[Any]") -> Sequence[object]:
    """The records as Python objects. A record that Python cannot make, such as badly encoded text, is missing."""
    import narwhals.stable.v2 as nw

    if series.implementation.is_polars() and series.dtype in (nw.String, nw.Categorical, nw.Enum):
        texts = text_of_bytes(series.cast(nw.String).cast(nw.Binary).to_native())
        series = nw.from_native(texts, series_only=True)
    try:
        listed: list[object] = series.to_list()
    except Exception:
        return [_record(series, index) for index in range(len(series))]
    return listed


def text_of_bytes(raw: "pl.Series") -> "pl.Series":
    """A Polars series of bytes as text. Bytes that are not UTF-8 are missing, because Polars would panic at such
    text."""
    import polars as pl

    try:
        return raw.cast(pl.String)
    except pl.exceptions.ComputeError:
        pass
    return pl.Series(raw.name, list(map(_decoded, raw.to_list())), dtype=pl.String)


def _decoded(raw: bytes | None) -> str | None:
    try:
        return None if raw is None else raw.decode()
    except UnicodeDecodeError:
        return None


def _record(series: "nw.Series[Any]", index: int) -> object:
    try:
        record: object = series[index]
    except Exception:
        return None
    return record


def length(given: Sized) -> int:
    """The result of `len`, or the largest size in Python for a ``range`` so long that `len` raises."""
    try:
        return len(given)
    except OverflowError:
        return sys.maxsize
