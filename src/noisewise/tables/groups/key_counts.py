"""The keys of a table and the number of people with each key. All of it is secret.

A person counts for at most ``most`` keys. They are chosen among the keys of the person as `NamedPeople` chooses
records: evenly, in an order of keys that is the same on every engine. So the choice for one person does not depend on
others. Whole numbers are sorted by their digits, as text. A row counts for no key if a part of the key is missing or if
the row names nobody.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.labels import series_records
from noisewise.tables.groups.key_indices import key_kinds
from noisewise.tables.groups.key_parts import Key, Kind, plain_part
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice, NamedPeople, Offsets
from noisewise.tables.time.ticks import DAILY, since_1970, ticks_of

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


@dataclass(frozen=True, slots=True, repr=False)
class KeyCounts(Secret):
    """Keys and the number of people with each key."""

    keys: Keys
    persons: Integers

    @classmethod
    def of(
        cls,
        frame: "nw.DataFrame[Any]",
        names: tuple[str, ...],
        people: NamedPeople | None,
        choice: Choice | None,
        most: int,
    ) -> "KeyCounts":
        """Count in a data frame in memory. Without ``people`` every row belongs to another person."""
        kinds = key_kinds(frame, names)
        columns = [_parts(frame.get_column(name), kind) for name, kind in zip(names, kinds, strict=True)]
        index_of: dict[tuple[Key, ...], int] = {}
        indices = np.fromiter(
            (
                -1 if None in key else index_of.setdefault(key, len(index_of))
                for key in zip(*columns, strict=True)
            ),
            np.int64,
            len(frame),
        )
        listed = list(index_of)
        if people is not None and choice is not None:
            indices = _chosen(indices, listed, people, Offsets.of(choice, "key"), most)
        keys = Keys(names, tuple(zip(*listed, strict=True)) if listed else ((),) * len(names))
        return cls(keys, np.bincount(indices[indices >= 0], minlength=len(listed)))


def _parts(series: "nw.Series[Any]", kind: Kind) -> list[Key | None]:
    if kind not in ("date", "time", "zoned"):
        return [_part(record, kind) for record in series_records(series)]
    ticks, missing, unit = ticks_of(series)  # libraries cannot make objects beyond the calendar
    different, which = np.unique(ticks, return_inverse=True)
    parts = [moment_of(tick, unit, kind) for tick in different.tolist()]
    return [None if absent else parts[index] for index, absent in zip(which, missing, strict=True)]


def moment_of(ticks: int, unit: str, kind: Kind) -> Key | None:
    """The key for a time in ticks. None if it is beyond Python's calendar or between two microseconds. Never fails."""
    micros, finer = divmod(ticks * DAILY["us"], DAILY[unit])
    try:
        moment = datetime(1970, 1, 1) + timedelta(microseconds=micros)
    except OverflowError:
        return None
    if kind == "date":
        return moment.date()
    return None if finer else moment if kind == "time" else moment.replace(tzinfo=UTC)


def _part(record: Any, kind: Kind) -> Key | None:
    """A key, or None if it could not be declared as a key or is beyond 64 bits. This never fails.

    Equal parts are the same to the last bit, so it does not matter which row comes first. A key is released as it is
    written here.
    """
    try:
        part = plain_part(record)
    except Exception:
        return None
    if kind == "any" and isinstance(part, (int, float)) and part == int(part):
        part = int(part)  # equal numbers of different types are one key
    return None if isinstance(part, int) and not -(2**63) <= part < 2**64 else part


def _chosen(
    indices: Integers, listed: list[tuple[Key, ...]], people: NamedPeople, offsets: Offsets, most: int
) -> Integers:
    """For each person and each key that the person counts for, the index of the key."""
    rows = (indices >= 0) & (people.codes >= 0)
    pairs = np.unique(np.stack([people.codes[rows], indices[rows]], axis=1), axis=0)
    owners, keys = pairs[:, 0], pairs[:, 1]
    parts, ranks = [tuple(map(_sortable, key)) for key in listed], np.empty(len(listed), np.int64)
    ranks[sorted(range(len(listed)), key=parts.__getitem__)] = np.arange(len(listed))
    return keys[people.evenly(owners, (ranks[keys],), most, offsets)]


def _sortable(part: Key) -> tuple[str, float | bytes]:
    """What to sort a part of a key by, as engines do. If there are several types, one type comes after the other.

    Different keys are never equal here. If they were, the order of rows would decide.
    """
    if isinstance(part, datetime):
        return "time" if part.utcoffset() is None else "zoned", since_1970(part)
    if isinstance(part, date):
        return "date", since_1970(part)
    if isinstance(part, float):
        return "number", part
    whole = isinstance(part, int)  # or a boolean
    return "whole" if whole else "text", str(int(part) if whole else part).encode("utf-8", "surrogatepass")
