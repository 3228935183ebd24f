"""Keys: the groups, declared by somebody who knows them without looking at the data.

    keys=["A", "B"]                                   one column
    keys=[("A", 2023), ("B", 2024)]                   several columns: the groups one by one
    keys={"dept": ["A", "B"], "year": [2023, 2024]}   every combination
    keys=frame                                        a data frame with those columns, a row for each group

Keys are public, so errors show them. Where a key's column has a type, `fit` turns the key into that type: 1, 1.0 and
True are the same key for a column of whole numbers, which cannot have a key "1".
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import product
from operator import is_
from typing import TYPE_CHECKING, Any

from noisewise.errors import ColumnName, ParameterError, ParameterTypeError, SchemaError
from noisewise.floors import known
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.columns.labels import length
from noisewise.tables.groups.key_parts import NAMES, Key, Kind, fitted, plain_part

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

MOST_KEYS = 2**20


@dataclass(frozen=True)
class Keys:
    """The declared groups: the names of the key columns, and the parts of all keys in each column."""

    names: tuple[str, ...]
    columns: tuple[tuple[Key, ...], ...]

    @classmethod
    def of(cls, names: tuple[str, ...], keys: Any, frame: Any = None) -> "Keys":
        """Check the declared keys. ``frame`` is the data, which must not be given as the keys."""
        if frame is not None and keys is frame:
            raise ParameterError(
                "keys",
                "must be known without looking at the data",
                got="the data frame itself",
                fix="to find the groups that it has, leave keys out and give epsilon and delta",
            ) from None
        listed = _columns(names, keys)
        _check_count(length(listed[0]))  # before they are made plain
        columns = tuple(_plain_column(column) for column in listed)
        return cls(names, columns)._check_different()

    def __len__(self) -> int:
        return len(self.columns[0])

    def fit(self, kinds: Sequence[Kind]) -> "Keys":
        """The keys in the types of the columns. Raises if a column cannot hold a key, or if two keys become equal."""
        fitted = tuple(
            column if self._fits(index, kind) else tuple(_fit(name, part, kind) for part in column)
            for index, (name, column, kind) in enumerate(zip(self.names, self.columns, kinds, strict=True))
        )
        return self if all(map(is_, fitted, self.columns)) else Keys(self.names, fitted)._check_different()

    def among(self, frame: Any) -> "Keys":
        """Refuse keys that are no categories of a Polars Enum in the frame.

        Only the type Enum declares its categories. The categories of pandas and of other types come from records, so no
        key is refused for them.
        """
        import narwhals.stable.v2 as nw

        types = frame.collect_schema() if frame.implementation.is_polars() else {}
        for name, column in zip(self.names, self.columns, strict=True):
            if types.get(name) == nw.Enum and (others := set(column) - set(types[name].categories)):
                other = next(part for part in column if part in others)
                raise ParameterError(
                    "keys",
                    ("must be categories of the column ", ColumnName(name), ", which its type lists"),
                    got=describe(other),
                ) from None
        return self

    def alike(self) -> "Keys":
        """Refuse keys of different types in one column, because no column of a result could hold them."""
        for name, column, types in zip(self.names, self.columns, self._types, strict=True):
            families = sorted({_ranked(part)[0] for part in column}) if datetime in types else []
            if len(types) > 1 or len(families) > 1:
                got = " and ".join(families or sorted(kind.__name__ for kind in types))
                raise ParameterTypeError(
                    "keys", ("must be of one type for the column ", ColumnName(name)), got=str(got)
                ) from None
        return self

    def even(self) -> "Keys":
        """The same keys. If a column has both ints and floats, the ints become floats, unless that would change a
        key."""
        floats = tuple(map(_as_floats, self.columns, self._types))
        return self if all(map(is_, floats, self.columns)) else Keys(self.names, floats)

    def sorted(self) -> "Keys":
        """The same keys in rising order. Keys that can be compared with each other stand together."""
        keys = self.listed()
        mixed = any(len(types) > 1 or datetime in types for types in self._types)
        ranked = sorted(keys, key=_rank if mixed else None)
        if ranked == keys:
            return self
        columns = (tuple(ranked),) if len(self.names) == 1 else tuple(zip(*ranked, strict=True))
        return Keys(self.names, columns)

    def only(self, indices: list[int]) -> "Keys":
        """The keys at these indices, in the order of the indices."""
        return Keys(self.names, tuple(tuple(map(column.__getitem__, indices)) for column in self.columns))

    def listed(self) -> list[Any]:
        """A list of the keys. A key is a tuple, or its only part."""
        return list(self.columns[0]) if len(self.names) == 1 else list(zip(*self.columns, strict=True))

    def _check_different(self) -> "Keys":
        """Refuse keys that are equal. For Python 1, 1.0 and True are equal."""
        keys = self.listed()
        if len(set(keys)) < len(keys):
            first: dict[Any, int] = {}
            for index, key in enumerate(keys):
                if (other := first.setdefault(key, index)) != index:
                    raise ParameterError(
                        "keys",
                        "must differ from each other",
                        got=f"{self._show(other)} and {self._show(index)}",
                    ) from None
        return self

    @cached_property
    def _types(self) -> tuple[frozenset[type], ...]:
        """The types of the parts in each column."""
        return tuple(frozenset(map(type, column)) for column in self.columns)

    @cached_property
    def _ends(self) -> tuple[tuple[Any, Any], ...]:
        """The lowest and the highest part of each column of whole numbers."""
        return tuple(
            (min(column), max(column)) if types == {int} else (None, None)
            for column, types in zip(self.columns, self._types, strict=True)
        )

    def _fits(self, index: int, kind: Kind) -> bool:
        """Whether a column of keys has the right type already. Then its parts need not be converted one by one."""
        types, (low, high) = self._types[index], self._ends[index]
        if kind == "whole" and types == {int}:
            return bool(low >= -(2**63) and high < 2**64)
        return kind == "any" or (kind == "text" and types == {str})

    def _show(self, index: int) -> str:
        parts = [describe(column[index]) for column in self.columns]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def kind_of(dtype: "nw.dtypes.DType", name: str) -> Kind:
    """The kind of a column of this narwhals type. Raises if such a column cannot make groups."""
    import narwhals.stable.v2 as nw

    kinds: list[tuple[Kind, Callable[[], bool]]] = [
        ("text", lambda: dtype in (nw.String, nw.Categorical, nw.Enum)),
        ("whole", lambda: dtype.is_integer()),
        ("single", lambda: dtype == nw.Float32),
        ("number", lambda: dtype.is_float()),
        ("boolean", lambda: dtype == nw.Boolean),
        ("date", lambda: dtype == nw.Date),
        ("time", lambda: dtype == nw.Datetime and getattr(dtype, "time_zone", None) is None),
        ("zoned", lambda: dtype == nw.Datetime),
        ("any", lambda: dtype == nw.Object),
    ]
    for kind, holds in kinds:
        if holds():
            return kind
    raise SchemaError(
        "group_by",
        "must be of text, whole or other numbers, booleans, dates or times",
        got=("column ", ColumnName(name), f" of type {str(dtype).partition('(')[0]}"),
    ) from None


def _columns(names: tuple[str, ...], keys: Any) -> list[Sequence[Any]]:
    """The parts of all keys, column by column."""
    if isinstance(keys, dict):
        if set(keys) != set(names):
            raise ParameterError(
                "keys",
                f"must have a list for each of {', '.join(names)}",
                got=f"one for {', '.join(str(key) or repr(key) for key in keys) or 'none'}",
            ) from None
        lists = [_listed(keys[name], f"keys[{name!r}]") for name in names]
        _check_count(math.prod(map(length, lists)), least=0)
        return list(zip(*product(*lists), strict=True)) or [()]
    if (columns := _of_frame(names, keys)) is not None:
        return columns
    listed = _listed(keys, "keys")
    if len(names) == 1:
        return [listed]
    for key in listed:
        if not isinstance(key, (tuple, list)) or len(key) != len(names):
            raise ParameterTypeError(
                "keys", f"must be tuples ({', '.join(names)}), or a dictionary of lists", got=describe(key)
            ) from None
    return list(zip(*listed, strict=True)) or [()]


def _check_count(count: int, least: int = 1) -> None:
    if not least <= count <= MOST_KEYS:
        raise ParameterError("keys", f"must be from 1 to {MOST_KEYS:,} in number", got=f"{count:,}") from None


def _listed(keys: Any, name: str) -> Sequence[Any]:
    if not isinstance(keys, (list, tuple, range)):
        raise ParameterTypeError(
            name,
            "must be a list, or a data frame, that you know without looking at the data",
            got=describe(keys),
        ) from None
    return keys


def _of_frame(names: tuple[str, ...], keys: Any) -> list[Sequence[Any]] | None:
    """The columns of a data frame of keys; None if it is no data frame."""
    if isinstance(keys, (list, tuple, range)):
        return None
    plain = known(keys)
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(plain)
        frame = (
            frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        )  # public, so it may be read at once
    except Exception:
        return None
    if set(frame.columns) != set(names):
        raise ParameterError(
            "keys", f"must have the columns {', '.join(names)}", got=", ".join(map(str, frame.columns))
        ) from None
    return [frame.get_column(name).to_list() for name in names]


def _plain_column(column: Sequence[Any]) -> tuple[Key, ...]:
    if set(map(type, column)) <= {str, int, bool}:
        return tuple(column)
    return tuple(plain_part(part) for part in column)


def _fit(name: str, part: Key, kind: Kind) -> Key:
    """A part of a key in the type of its column. Raises if the column cannot hold it."""
    held = fitted(part, kind)
    if held is None:
        raise ParameterTypeError(
            "keys", (f"must be {NAMES[kind]} for the column ", ColumnName(name)), got=describe(part)
        ) from None
    return held


def _as_floats(column: tuple[Key, ...], types: frozenset[type]) -> tuple[Key, ...]:
    if types != {int, float} or any(abs(part) > 2**53 for part in column if type(part) is int):
        return column
    return tuple(map(float, column))  # type: ignore[arg-type]


def _rank(key: Any) -> Any:
    """What to sort keys by if not all can be compared. Those that can be compared with each other stand together."""
    return tuple(map(_ranked, key)) if isinstance(key, tuple) else _ranked(key)


def _ranked(part: Key) -> tuple[str, Key]:
    if isinstance(part, (int, float)):
        return "number", part
    if isinstance(part, datetime):
        return ("time" if part.tzinfo is None else "time zone"), part
    return type(part).__name__, part
