"""Queries find which keys exist, and how many people have each. groups/key_counts.py does the same in memory.

Each different key of a person becomes one row. If a person has more keys than may count, some are chosen evenly. Only
keys and their counts leave the engine.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.engines.engine_records import KEYS_IN_TIME, key_in_time, signless
from noisewise.tables.engines.people import kept_of_each
from noisewise.tables.groups.key_counts import KeyCounts, moment_of
from noisewise.tables.groups.key_parts import Key, Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice, Offsets

LARGEST = 1.7976931348623157e308
"""The largest float64. Numbers beyond it are infinite, and cannot be keys."""


def key_counts(
    dialect: Dialect,
    frame: Frame,
    names: tuple[str, ...],
    kinds: tuple[Kind, ...],
    choice: Choice | None,
    most: int,
) -> KeyCounts:
    """Count the people with each key in the columns ``key0``, ``key1``, ... If ``choice`` is None, each row counts as a
    person."""
    import narwhals.stable.v2 as nw

    keys = [f"key{index}" for index in range(len(names))]
    for key, kind in zip(keys, kinds, strict=True):
        frame = _comparable(dialect, frame, key, kind)
    frame = frame.filter(*(~nw.col(key).is_null() for key in keys)).with_columns(
        nw.lit(1, nw.Int64).alias("one")
    )
    if choice is not None:
        frame = _chosen(dialect, frame, keys, choice, most)
    counted = frame.group_by(*keys).agg(nw.col("one").sum().cast(nw.Int64))
    *columns, counts = dialect.arrays(counted.select(*keys, "one"))
    read = zip(columns, kinds, strict=True)
    rows = zip(*(map(READ[kind], column.tolist()) for column, kind in read), counts.tolist(), strict=True)
    usable: list[Any] = [row for row in rows if None not in row]
    *parts, persons = zip(*usable, strict=True) if usable else ((),) * (len(names) + 1)
    return KeyCounts(Keys(names, tuple(parts)), np.array(persons, np.int64))


def _chosen(dialect: Dialect, frame: Frame, keys: list[str], choice: Choice, most: int) -> Frame:
    """One row for each person and each key that the person counts for."""
    import narwhals.stable.v2 as nw

    frame = frame.filter(~nw.col("person").is_null())
    pairs = frame.group_by("person", *keys).agg(nw.col("one").max()).select("person", "one", *keys)
    pairs = dialect.positions(pairs, keys)
    return kept_of_each(dialect, pairs, most, Offsets.of(choice, "key"))


def _comparable(dialect: Dialect, frame: Frame, key: str, kind: Kind) -> Frame:
    """The frame with a column of keys as text, whole numbers or float64. Keys that nobody could declare are missing."""
    import narwhals.stable.v2 as nw

    column = nw.col(key)
    if kind in KEYS_IN_TIME:
        return key_in_time(dialect, frame, key, kind)
    if kind == "boolean":
        return frame.with_columns(column.cast(nw.Int64))
    if kind in ("number", "single"):
        frame = frame.with_columns(column.cast(nw.Float64))
        usable = ~column.is_nan() & (column >= -LARGEST) & (column <= LARGEST)
        nothing = nw.lit(None, nw.Float64)
        return frame.with_columns(nw.when(usable).then(signless(column)).otherwise(nothing).alias(key))
    return dialect.bytewise(frame.with_columns(column.cast(nw.String)), key)


def _whole(text: str) -> int | None:
    """The whole number that a text spells. None beyond 64 bits, since nobody could declare such a key."""
    number = int(text)
    return number if -(2**63) <= number < 2**64 else None


READ: dict[Kind, Callable[[Any], Key | None]] = {
    "text": str,
    "whole": _whole,
    "single": float,
    "number": float,
    "boolean": bool,
    "date": lambda days: moment_of(days, "day", "date"),
    "time": lambda micros: moment_of(micros, "us", "time"),
    "zoned": lambda micros: moment_of(micros, "us", "zoned"),
}
"""How each kind of key is converted to a Python object."""
