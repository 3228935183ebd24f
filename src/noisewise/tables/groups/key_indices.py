"""The index of each row's key among the declared keys; -1 if the key of the row is not declared.

The index of a row depends on that row alone. The look-up never fails, and compares in the type of the column. It never
compares whole numbers as floats, although some libraries store a column with a missing number as floats.
"""

import sys
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Integers
from noisewise.tables.columns.array_column import AS_OBJECTS
from noisewise.tables.columns.labels import series_records
from noisewise.tables.columns.parallel import in_blocks
from noisewise.tables.groups.key_parts import Key, Kind, plain_part
from noisewise.tables.groups.keys import Keys, kind_of
from noisewise.tables.time.ticks import DAILY, held_in_memory, ticks_of, whole_numbers

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

WIDE = ("int128", "uint128")
"""Names of types of whole numbers that NumPy does not have."""

WIDEST_TABLE = 2**22
"""Whole keys are looked up in a table of all numbers between them. Its size is at most this or the number of rows."""


def key_kinds(frame: "nw.DataFrame[Any]", names: tuple[str, ...]) -> tuple[Kind, ...]:
    """The kinds of the key columns, from their declared types alone."""
    return tuple(_kind(frame.get_column(name), name) for name in names)


def key_indices(frame: "nw.DataFrame[Any]", keys: Keys) -> Integers:
    """The index of each row's key. ``keys`` are fitted to the frame's columns."""
    if len(keys.names) == 1:
        return look_up(frame.get_column(keys.names[0]), list(keys.columns[0]))
    key_codes, row_codes = (
        np.zeros(len(keys), np.int64),
        np.zeros(len(frame), np.int64),
    )  # one number for the first parts of each key
    for name, column in zip(keys.names, keys.columns, strict=True):
        parts = list(dict.fromkeys(column))
        of_part = {part: index for index, part in enumerate(parts)}
        of_key = np.fromiter(map(of_part.__getitem__, column), np.int64, len(column))
        of_row = look_up(frame.get_column(name), parts)
        key_codes = key_codes * len(parts) + of_key
        row_codes = np.where((row_codes < 0) | (of_row < 0), -1, row_codes * len(parts) + of_row)
        prefixes, key_codes = np.unique(key_codes, return_inverse=True)  # small codes, to stay within 64 bits
        row_codes = whole_number_indices(row_codes, prefixes.tolist())
    index_of_code = np.empty(len(keys), np.int64)
    index_of_code[key_codes] = np.arange(len(keys))
    return np.where(row_codes < 0, -1, index_of_code[row_codes])


def whole_number_indices(values: NDArray[Any], known: list[int]) -> Integers:
    """The index of each whole number in a list of different numbers; -1 if it is not in the list."""
    wide = np.uint64 if values.dtype == np.uint64 else np.int64
    try:
        if wide is np.uint64 and min(known) < 0:
            raise OverflowError  # older versions of NumPy wrap around
        parts = np.array(known, wide)
    except OverflowError:
        limits = np.iinfo(wide)
        held = [index for index, part in enumerate(known) if limits.min <= part <= limits.max]
        if not held:
            return np.full(values.size, -1, np.int64)
        among_held = whole_number_indices(values, [known[index] for index in held])
        return np.where(among_held < 0, -1, np.array(held)[among_held])
    low, span = int(parts.min()), int(parts.max()) - int(parts.min()) + 1
    if span > max(WIDEST_TABLE, values.size):
        return _sorted_indices(values.astype(wide, copy=False), parts)
    table = np.full(span + 2, -1, np.int64)  # its two ends are for numbers below and above the keys
    table[(parts - wide(low)).astype(np.int64) + 1] = np.arange(parts.size)
    indices = np.empty(values.size, np.int64)

    def find(rows: slice) -> None:
        distance = values[rows].astype(np.int64) - np.int64(_signed(low - 1))  # modulo 2^64
        np.take(table, distance, mode="clip", out=indices[rows])

    in_blocks(find, values.size)
    return indices


def _signed(number: int) -> int:
    """The number from -2^63 to 2^63 - 1 that is equal modulo 2^64."""
    return (number + 2**63) % 2**64 - 2**63


def _kind(series: "nw.Series[Any]", name: str) -> Kind:
    native = series.to_native()
    declared = str(native.dtype if hasattr(native, "dtype") else native.type).lower()
    if declared.startswith(WIDE):
        return "whole"
    if held_in_memory(series) == "date":  # also Arrow's dates of 64 bits, which narwhals does not know
        return "date"
    objects = declared.startswith(AS_OBJECTS) and not declared.startswith("decimal")
    if objects or (declared == "category" and hasattr(native, "cat")):
        return "any"
    return kind_of(series.dtype, name)  # only now: for a type of objects it would look at records


def look_up(series: "nw.Series[Any]", parts: list[Any]) -> Integers:
    """The index of each record in a list of different parts of keys; -1 if it is not in the list."""
    import narwhals.stable.v2 as nw

    match _kind(series, str(series.name)):
        case "any":
            return _object_indices(series, parts)
        case "text":
            return _text_indices(series, parts)
        case "number" | "single":
            return _number_indices(series.to_numpy().astype(np.float64, copy=False), parts)
        case "date" | "time" | "zoned":
            ticks, missing, unit = ticks_of(series)
            indices = whole_number_indices(ticks, [_ticks(part, unit) for part in parts])
        case "boolean":
            numbers, missing = whole_numbers(series.cast(nw.Int8))
            indices = whole_number_indices(numbers, parts)
        case "whole" if str(series.dtype).lower().startswith(WIDE):
            return _object_indices(series, parts)
        case _:
            numbers, missing = whole_numbers(series)
            indices = whole_number_indices(numbers, parts)
    return np.where(missing, -1, indices) if missing.any() else indices


def _ticks(part: date, unit: str) -> int:
    """A date or time in ticks of a column's unit. If it lies between two ticks, return a number that no column can
    hold."""
    if not isinstance(part, datetime):
        return (part - date(1970, 1, 1)).days * DAILY[unit]
    since = part - datetime(1970, 1, 1, tzinfo=part.tzinfo and UTC)
    micros = (since.days * 86400 + since.seconds) * 10**6 + since.microseconds
    ticks, between = divmod(micros * DAILY[unit], 86400 * 10**6)
    return 2**64 if between else ticks


def _number_indices(values: NDArray[np.float64], parts: list[Key]) -> Integers:
    """Look up numbers. Whole keys are looked up as whole numbers, which is faster. -0.0 is 0, and NaN is no key."""
    known = [float(part) for part in parts]  # type: ignore[arg-type]
    if all(part.is_integer() and abs(part) < 2**53 for part in known):
        with np.errstate(all="ignore"):
            whole = values.astype(np.int64)
        return np.where(whole == values, whole_number_indices(whole, [int(part) for part in known]), -1)
    return _sorted_indices(values, np.array(known))


def _sorted_indices(values: NDArray[Any], known: NDArray[Any]) -> Integers:
    order = np.argsort(known)
    rising = known[order]
    at = np.minimum(np.searchsorted(rising, values), rising.size - 1)
    return np.where(rising[at] == values, order[at], -1)


def _text_indices(series: "nw.Series[Any]", parts: list[Key]) -> Integers:
    """Look up text by the data frame library, without Python objects. If that fails, look up one record at a time."""
    import narwhals.stable.v2 as nw

    arrow = sys.modules.get("pyarrow")
    try:
        if series.implementation.is_polars():
            return _by_polars(series.cast(nw.String).to_native(), parts)
        if arrow is not None and series.dtype == nw.String:
            return _by_arrow(series.to_native(), parts, arrow)
    except Exception:
        pass
    return _object_indices(series, parts)


def _by_polars(native: Any, parts: list[Key]) -> Integers:
    keys, indices = type(native)("key", parts), type(native)("index", np.arange(len(parts)))
    looked_up = native.replace_strict(keys, indices, default=-1, return_dtype=indices.dtype)
    return np.asarray(looked_up.to_numpy(), np.int64)


def _by_arrow(native: Any, parts: list[Key], arrow: Any) -> Integers:
    from pyarrow import compute

    chunks = native if isinstance(native, arrow.ChunkedArray) else arrow.chunked_array([arrow.array(native)])
    indices = compute.index_in(chunks, value_set=arrow.array(parts, chunks.type)).fill_null(-1)
    return np.asarray(indices.to_numpy(), np.int64)


def _object_indices(series: "nw.Series[Any]", parts: list[Key]) -> Integers:
    """Look up records one at a time. A record that cannot be a key, or has no hash, gets -1."""
    of_part: dict[object, int] = {part: index for index, part in enumerate(parts)}

    def index(record: object) -> int:
        try:
            return of_part.get(plain_part(record) if isinstance(record, datetime) else record, -1)
        except Exception:
            return -1

    if series.implementation.is_pandas_like() and hasattr(native := series.to_native(), "cat"):
        table = np.array([*map(index, native.cat.categories.tolist()), -1], np.int64)
        indices: Integers = table[
            native.cat.codes.to_numpy()
        ]  # the code of a missing record is -1, the last place
        return indices
    return np.fromiter(map(index, series_records(series)), np.int64, len(series))
