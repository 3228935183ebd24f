"""The records that a function is asked about, and copies of some of them.

A copy tells only of its own records. Row labels are numbered anew, lists of categories become plain values, and what
else describes the whole data is left behind: another record could have changed it.
"""

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewise.errors import SchemaError
from noisewise.floors import known
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret

IN_MEMORY = "a list, a NumPy array, a frame or series of pandas, Polars or PyArrow, or a Dataset of one"


@dataclass(frozen=True, slots=True, repr=False)
class CopiedRows(Secret):
    """CopiedRows in memory. They are read after the debit."""

    owners: Callable[[], Integers]
    """The person of each row as a number from 0, or -1 if it names nobody."""
    copy: Callable[[Integers], Any]
    """A copy of the rows at these places."""
    modules: tuple[str, ...] = ()
    """What a process must import to read a copy."""
    people: bool = False
    """Whether a person may own several rows, which then stay together."""

    def packed(self, places: Integers) -> bytes | None:
        """A pickled copy of these rows; None if there is none, or if a record cannot be pickled."""
        with suppress(Exception):
            return pickle.dumps(self.copy(places), pickle.HIGHEST_PROTOCOL) if places.size else None
        return None


def rows_of(data: Any, what: str = "data") -> CopiedRows:
    """The rows of data in memory. Other data is refused, by its type alone."""
    if type(data) in (list, tuple):
        return CopiedRows(
            lambda: np.arange(len(data)), lambda places: type(data)(data[place] for place in places)
        )
    native = known(data)
    library = str(type(native).__module__).partition(".")[0]
    copy = {"numpy": _numpy, "pandas": _pandas, "polars": _polars, "pyarrow": _arrow}.get(library)
    if copy is None or type(native).__name__ not in ("ndarray", *FRAMES):
        raise SchemaError(
            what,
            f"must be {IN_MEMORY}",
            got=f"{type(native).__module__}.{type(native).__qualname__}",
            why="a function of Python reads rows in memory",
            fix="bring them into memory first, as .collect() or .toArrow() does",
        ) from None
    rows = CopiedRows(lambda: np.arange(len(native)), copy(native), tuple({library, "numpy"}))
    try:
        pickle.dumps(rows.copy(np.empty(0, np.int64)))  # no row is read: the types decide
    except Exception as error:
        raise SchemaError(
            what,
            "must have columns of types that can be copied to another process",
            why=str(error).partition("\n")[0],
            fix="cast them, or leave them out",
        ) from None
    return rows


FRAMES = ("DataFrame", "Series", "Table", "ChunkedArray")


def _numpy(data: Any) -> Callable[[Integers], Any]:
    if type(data) is not np.ndarray or not data.ndim or data.dtype.kind == "V":
        raise SchemaError(
            "data",
            "must be a plain array of at least one dimension",
            got="an array of several fields or none, or of a class of its own",
        ) from None
    if data.dtype.kind in "US":  # the length of the longest text is that of a record
        return lambda places: np.array(data[places].tolist(), data.dtype.kind)
    return lambda places: data[places]


def _pandas(data: Any) -> Callable[[Integers], Any]:
    pandas = sys.modules["pandas"]
    frame = isinstance(data, pandas.DataFrame)
    if frame and not data.columns.is_unique:
        raise SchemaError("columns", "must have different names") from None
    types = dict(data.dtypes) if frame else {data.name: data.dtype}
    coded = [name for name, each in types.items() if _has_categories(each)]

    def copy(places: Integers) -> Any:
        some = data.iloc[places].reset_index(drop=True)
        some.attrs = {}
        return some.astype(dict.fromkeys(coded, object) if frame else object) if coded else some

    return copy


def _polars(data: Any) -> Callable[[Integers], Any]:
    polars = sys.modules["polars"]
    types = data.schema if isinstance(data, polars.DataFrame) else {data.name: data.dtype}
    coded = [name for name, each in types.items() if _has_categories(each)]
    for name in coded:
        if types[name] != polars.Categorical:
            raise _nested(name)
    nested = [name for name, each in types.items() if each.is_nested()]

    def plain(some: Any) -> Any:
        """A column without a list of categories; without texts of other rows, to which nested texts would point."""
        if some.name in coded:
            return some.cast(polars.String)
        return polars.from_arrow(some.to_arrow()).alias(some.name).cast(some.dtype)

    def copy(places: Integers) -> Any:
        some = data[places]
        if isinstance(some, polars.Series):
            return plain(some) if coded or nested else some
        return some.with_columns(plain(some[name]) for name in (*coded, *nested))

    return copy


def _arrow(data: Any) -> Callable[[Integers], Any]:
    pyarrow: Any = sys.modules["pyarrow"]
    table = data if isinstance(data, pyarrow.Table) else pyarrow.table({"": data})
    fields = []
    for field in table.schema:
        plain = field.type.value_type if pyarrow.types.is_dictionary(field.type) else field.type
        if _has_categories(plain):
            raise _nested(field.name)
        fields.append(pyarrow.field(field.name, plain, field.nullable))
    schema = pyarrow.schema(fields)

    def copy(places: Integers) -> Any:
        some = table.take(pyarrow.array(places)).cast(schema)
        return some if data is table else some.column(0)

    return copy


def _has_categories(dtype: Any) -> bool:
    """Whether values are stored as places in a list, which is that of all records."""
    text = str(dtype)
    return text == "category" or "Categorical" in text or "dictionary<" in text


def _nested(name: object) -> SchemaError:
    return SchemaError(
        f"column {name!r}",
        "must have no categories inside another type",
        why="the list of categories is that of all records",
        fix="make them text first",
    )
