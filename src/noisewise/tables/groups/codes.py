"""Codes: for each row of a table in memory, the place of its key among those declared; -1 where it has none of them.

Which rows have a key depends on nothing but the row: the look-up is total and compares in the column's own type. Whole
numbers are never compared as floats, into which some libraries turn a column where a single number is missing.
"""

import sys
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.arrays import AS_OBJECTS
from noisewise.columns.labels import series_records
from noisewise.numbers.arrays import Integers
from noisewise.tables.groups.key_parts import Key, Kind, plain_part
from noisewise.tables.groups.keys import Keys, kind_of
from noisewise.tables.time.ticks import DAILY, held_in_memory, ticks_of, whole_numbers

WIDE = ("int128", "uint128")
"""Whole numbers that NumPy lacks, by how their types are called."""

WIDEST_TABLE = 2**22
"""Keys that span so few whole numbers are looked up in a table of them all; so are those among as few as the rows."""

BLOCK = 1 << 16
"""So many rows are looked up at a time; they stay in a core's cache."""


def kinds(frame: Any, names: tuple[str, ...]) -> tuple[Kind, ...]:
    """What the columns hold, by their declared types alone."""
    return tuple(_kind(frame.get_column(name), name) for name in names)


def codes(frame: Any, keys: Keys) -> Integers:
    """The place of each row's key. ``keys`` are fitted to the frame's columns."""
    if len(keys.names) == 1:
        return _look_up(frame.get_column(keys.names[0]), list(keys.columns[0]))
    known, found = np.zeros(len(keys), np.int64), np.zeros(len(frame), np.int64)
    for name, column in zip(keys.names, keys.columns, strict=True):
        parts = list(dict.fromkeys(column))
        places = {part: place for place, part in enumerate(parts)}
        rows = _look_up(frame.get_column(name), parts)
        known = known * len(parts) + np.fromiter(map(places.__getitem__, column), np.int64, len(column))
        found = np.where((found < 0) | (rows < 0), -1, found * len(parts) + rows)
        prefixes, known = np.unique(known, return_inverse=True)  # renumbered, lest the product leave 64 bits
        found = whole_places(found, prefixes.tolist())
    order = np.empty(len(keys), np.int64)
    order[known] = np.arange(len(keys))
    return np.where(found < 0, -1, order[found])


def whole_places(values: NDArray[Any], known: list[int]) -> Integers:
    """The place of each whole number in a list of different ones, -1 where it is not among them."""
    wide = np.uint64 if values.dtype == np.uint64 else np.int64
    try:
        if wide is np.uint64 and min(known) < 0:
            raise OverflowError  # as NumPy does from version 2 on, where others wrap
        parts = np.array(known, wide)
    except OverflowError:
        limits = np.iinfo(wide)
        held = [place for place, part in enumerate(known) if limits.min <= part <= limits.max]
        if not held:
            return np.full(values.size, -1, np.int64)
        found = whole_places(values, [known[place] for place in held])
        return np.where(found < 0, -1, np.array(held)[found])
    low, span = int(parts.min()), int(parts.max()) - int(parts.min()) + 1
    if span > max(WIDEST_TABLE, values.size):
        return _sorted_places(values.astype(wide, copy=False), parts)
    table = np.full(span + 2, -1, np.int64)  # the ends stand for whatever is below and above
    table[(parts - wide(low)).astype(np.int64) + 1] = np.arange(parts.size)
    found = np.empty(values.size, np.int64)
    for start in range(0, values.size, BLOCK):
        distance = values[start : start + BLOCK].astype(np.int64) - np.int64(_signed(low - 1))  # modulo 2^64
        np.take(table, distance, mode="clip", out=found[start : start + BLOCK])
    return found


def _signed(number: int) -> int:
    """The number between -2^63 and 2^63 that is the same modulo 2^64."""
    return (number + 2**63) % 2**64 - 2**63


def _kind(series: Any, name: str) -> Kind:
    native = series.to_native()
    declared = native.dtype if hasattr(native, "dtype") else native.type
    said = str(declared).lower()
    if said.startswith(WIDE):
        return "whole"
    if held_in_memory(series) == "date":  # one of 64 bits too, which narwhals does not know
        return "date"
    objects = said.startswith(AS_OBJECTS) and not said.startswith("decimal")
    if objects or (said == "category" and hasattr(native, "cat")):
        return "any"
    return kind_of(series.dtype, name)  # only now: of a type of objects it would look at the records


def _look_up(series: Any, parts: list[Any]) -> Integers:
    import narwhals.stable.v2 as nw

    match _kind(series, str(series.name)):
        case "any":
            return _object_places(series, parts)
        case "text":
            return _text_places(series, parts)
        case "number" | "single":
            return _number_places(series.to_numpy().astype(np.float64, copy=False), parts)
        case "date" | "time" | "zoned":
            ticks, missing, unit = ticks_of(series)
            found = whole_places(ticks, [_ticks(part, unit) for part in parts])
        case "boolean":
            numbers, missing = whole_numbers(series.cast(nw.Int8))
            found = whole_places(numbers, parts)
        case "whole" if str(series.dtype).lower().startswith(WIDE):
            return _object_places(series, parts)
        case _:
            numbers, missing = whole_numbers(series)
            found = whole_places(numbers, parts)
    return np.where(missing, -1, found) if missing.any() else found


def _ticks(part: date, unit: str) -> int:
    """A date or time in a column's unit. What lies between two ticks is no row's: a number that no column holds."""
    if not isinstance(part, datetime):
        return (part - date(1970, 1, 1)).days * DAILY[unit]
    since = part - datetime(1970, 1, 1, tzinfo=part.tzinfo and UTC)
    micros = (since.days * 86400 + since.seconds) * 10**6 + since.microseconds
    ticks, between = divmod(micros * DAILY[unit], 86400 * 10**6)
    return 2**64 if between else ticks


def _number_places(values: NDArray[np.float64], parts: list[Key]) -> Integers:
    """Whole keys are looked up as whole numbers, which is faster; -0.0 is 0, and NaN is no key."""
    known = [float(part) for part in parts]  # type: ignore[arg-type]
    if all(part.is_integer() and abs(part) < 2**53 for part in known):
        with np.errstate(all="ignore"):
            whole = values.astype(np.int64)
        return np.where(whole == values, whole_places(whole, [int(part) for part in known]), -1)
    return _sorted_places(values, np.array(known))


def _sorted_places(values: NDArray[Any], known: NDArray[Any]) -> Integers:
    order = np.argsort(known)
    rising = known[order]
    at = np.minimum(np.searchsorted(rising, values), rising.size - 1)
    return np.where(rising[at] == values, order[at], -1)


def _text_places(series: Any, parts: list[Key]) -> Integers:
    """By the library's own look-up, which makes no Python objects of text; where it fails, one by one likewise."""
    import narwhals.stable.v2 as nw

    arrow = sys.modules.get("pyarrow")
    try:
        if series.implementation.is_polars():
            return _by_polars(series.cast(nw.String).to_native(), parts)
        if arrow is not None and series.dtype == nw.String:
            return _by_arrow(series.to_native(), parts, arrow)
    except Exception:
        pass
    return _object_places(series, parts)


def _by_polars(native: Any, parts: list[Key]) -> Integers:
    known, places = type(native)("key", parts), type(native)("place", np.arange(len(parts)))
    found = native.replace_strict(known, places, default=-1, return_dtype=places.dtype)
    return np.asarray(found.to_numpy(), np.int64)


def _by_arrow(native: Any, parts: list[Key], arrow: Any) -> Integers:
    from pyarrow import compute

    chunks = native if isinstance(native, arrow.ChunkedArray) else arrow.chunked_array([arrow.array(native)])
    found = compute.index_in(chunks, value_set=arrow.array(parts, chunks.type)).fill_null(-1)
    return np.asarray(found.to_numpy(), np.int64)


def _object_places(series: Any, parts: list[Key]) -> Integers:
    """One by one: what is no Python object of a key's kind, or cannot be looked up at all, has no key."""
    known: dict[object, int] = {part: place for place, part in enumerate(parts)}

    def place(record: object) -> int:
        try:
            return known.get(plain_part(record) if isinstance(record, datetime) else record, -1)
        except Exception:
            return -1

    if series.implementation.is_pandas_like() and hasattr(native := series.to_native(), "cat"):
        table = np.array([*map(place, native.cat.categories.tolist()), -1], np.int64)
        found: Integers = table[native.cat.codes.to_numpy()]  # a missing one is -1, the last
        return found
    return np.fromiter(map(place, series_records(series)), np.int64, len(series))
