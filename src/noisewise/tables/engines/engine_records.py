"""Records behind an engine: each row becomes one number, its distance from the low end of the lattice.

    nearest float64  ->  missing set aside  ->  clamp  ->  floor(x*r + 1/2)  ->  clip  ->  minus low

Expressions alone fix this order. Filters would not, because an engine may apply a filter at any point, and some engines
raise, print or clip wrongly when they round or cast a NaN. A missing record becomes -1 under add/remove, and 0, the low
end, under swap. Distances are whole numbers up to 2^52. Float64 holds them and their products with powers of two
exactly, so every engine computes the same.

Columns of time become microseconds, as `Clock.read` reads them in memory. The dialect of the engine reads a column as
whole numbers, which mean the same on every engine. A value that an engine cannot convert, such as DuckDB's infinite
dates, is missing. A type that an engine converts only with a risk of errors is refused.
"""

import math
from dataclasses import dataclass

from noisewise.errors import ColumnName, SchemaError, Value
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.array_column import TEXTS
from noisewise.tables.columns.conversions import from_text_by_engine
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.time.clock import SINCE_1970, Clock
from noisewise.tables.time.ticks import DAILY, FARTHEST, Kind

KEYS_IN_TIME: dict[str, Kind] = {"date": "date", "time": "datetime", "zoned": "zoned"}
"""The kinds of keys in time, and the kind of time that each is."""

MISSING = -1.0
UNDER = 2.0**-64

SPACE = " \t\r\n\f\v"
NUMBER = r"^[ \t\r\n\f\v]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[ \t\r\n\f\v]*$"
INFINITE = r"^[ \t\r\n\f\v]*[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?[ \t\r\n\f\v]*$"
"""Text is a number if it is ASCII, Python's float reads it, and nothing stands between its digits."""
TRUE = r"^[ \t\r\n\f\v]*([tT]|[tT][rR][uU][eE]|[yY]|[yY][eE][sS])[ \t\r\n\f\v]*$"
FALSE = r"^[ \t\r\n\f\v]*([fF]|[fF][aA][lL][sS][eE]|[nN]|[nN][oO])[ \t\r\n\f\v]*$"
"""Text that means true, and text that means false."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """The decimal mark of the numbers in a text file, and the columns in which words for true and false are 1 and 0."""

    decimal: str = "."
    truths: frozenset[str] = frozenset()


def numbers(
    dialect: Dialect,
    frame: Frame,
    columns: list[str],
    text: Spelling | None = None,
    truths: frozenset[str] = frozenset(),
) -> Frame:
    """The frame with some columns as float64, which may be null or NaN.

    Text is read as numbers if a spelling is given. In the columns ``truths`` words for true and false are read too.
    Decimals and integers of 128 bits are converted by their text, which is rounded once. (DuckDB would round two halves
    and add them.)
    """
    import narwhals.stable.v2 as nw

    schema = frame.collect_schema()
    for name in columns:
        dtype, column = schema[name], nw.col(name)
        if dtype.is_decimal():
            frame = dialect.castable_decimals(frame, name)
            dtype = frame.collect_schema()[name]
        if dtype.is_decimal() or dtype in (nw.Int128, nw.UInt128):
            frame = frame.with_columns(column.cast(nw.String).cast(nw.Float64))
        elif dtype.is_numeric() or dtype == nw.Boolean:
            frame = frame.with_columns(column.cast(nw.Float64))
        elif text is not None and dtype == nw.String:
            written = column.str.strip_chars(SPACE)
            if text.decimal != ".":
                written = written.str.replace_all(text.decimal, ".", literal=True)
            number = NUMBER.replace("[.]", f"[{text.decimal}]")
            readable = column.str.contains(number) | column.str.contains(INFINITE)
            plain = nw.when(readable).then(written).otherwise(nw.lit(None, nw.String))
            if name in truths:
                plain = nw.when(column.str.contains(TRUE)).then(nw.lit("1")).otherwise(plain)
                plain = nw.when(column.str.contains(FALSE)).then(nw.lit("0")).otherwise(plain)
            frame = dialect.parsed(frame.with_columns(plain.alias(name)), name)
        else:
            frame = frame.with_columns(nw.lit(None, nw.Float64).alias(name))
    return frame


def indicated(dialect: Dialect, frame: Frame, name: str, indicator: Indicator) -> Frame:
    """The frame with a column as float64, as the indicator says: 1, or 0 for another category, or null if missing."""
    import narwhals.stable.v2 as nw

    dtype, column, nothing = frame.collect_schema()[name], nw.col(name), nw.lit(None, nw.Float64)
    text = indicator.category is not None and not (dtype.is_numeric() or dtype == nw.Boolean)
    if text:
        frame = dialect.bytewise(frame.with_columns(column.cast(nw.String)), name)
    elif indicator.category is not None:
        frame = numbers(dialect, frame, [name])
    numeric = indicator.category is not None and not text
    missing = column.is_null() | column.is_nan() if numeric or dtype.is_float() else column.is_null()
    if indicator.category is None:
        return frame.with_columns(nw.when(missing).then(nothing).otherwise(nw.lit(1.0)).alias(name))
    (key,) = indicator.labels.indices
    chosen = nw.lit(False)
    if isinstance(key, str) == text and dialect.spells(str(key)):
        chosen = column == nw.lit(key)
    other = nw.lit(0.0) if indicator.others else nothing
    one = nw.when(missing).then(nothing).otherwise(nw.when(chosen).then(nw.lit(1.0)).otherwise(other))
    return frame.with_columns(one.alias(name))


def booleans(dialect: Dialect, frame: Frame, column: str, text: Spelling) -> Frame:
    """The frame with a column of text as booleans. Text that means neither true nor false is missing."""
    import narwhals.stable.v2 as nw

    frame, d = numbers(dialect, frame, [column], text, frozenset([column])), nw.col(column)
    said = nw.when(d == 1.0).then(nw.lit(True)).otherwise(nw.lit(None, nw.Boolean))
    return frame.with_columns(nw.when(d == 0.0).then(nw.lit(False)).otherwise(said).alias(column))


def check_numbers(dialect: Dialect, frame: Frame, name: str, text: Spelling | None = None) -> None:
    """Refuse a column whose declared type holds no numbers."""
    import narwhals.stable.v2 as nw

    dtype = frame.collect_schema()[name]
    accepted = dtype.is_numeric() or dtype == nw.Boolean or (text is not None and dtype == nw.String)
    if not accepted and not dialect.holds_nothing(frame, name):
        kind = str(dtype).partition("(")[0]
        shown = Value(f"type {kind}", "text" if kind == "String" else f"type {kind}")
        raise SchemaError(
            "data",
            "must be numbers",
            got=("column ", ColumnName(name), " of ", shown),
            fix=f"make numbers of text first{from_text_by_engine(dialect.name, name, categories=kind != 'String')}"
            if kind in TEXTS
            else "",
            kind="text for numbers" if kind in TEXTS else "",
        ) from None


def check_times(dialect: Dialect, frame: Frame, name: str, kind: str) -> None:
    """Refuse a column of text for a question about dates, times or durations."""
    declared = str(frame.collect_schema()[name]).partition("(")[0]
    if declared in TEXTS:
        way = from_text_by_engine(dialect.name, name, kind, categories=declared != "String")
        raise SchemaError(
            "data",
            "must have a type of dates, times or durations",
            got=("column ", ColumnName(name), " of ", Value(f"type {declared}", "text")),
            fix=f"make one of text first{way}",
            kind="text for times",
        ) from None


def kind_of_labels(dialect: Dialect, frame: Frame, name: str) -> type[float] | type[str] | None:
    """Whether labels are declared as numbers or as text. None if they may be either. Refuse columns of other types."""
    import narwhals.stable.v2 as nw

    dtype = frame.collect_schema()[name]
    if dtype.is_numeric() or dtype == nw.Boolean:
        return float
    if dtype == nw.String:
        return str
    if dtype in (nw.Categorical, nw.Enum) or dialect.holds_nothing(frame, name):
        return None
    raise SchemaError(
        "data",
        "must be text, numbers or booleans",
        got=("column ", ColumnName(name), f" of type {str(dtype).partition('(')[0]}"),
    ) from None


def distances(frame: Frame, column: str, lattice: Lattice, neighbors: Neighbors) -> Frame:
    """The frame with a float64 column replaced by its distances from the low end of the lattice."""
    import narwhals.stable.v2 as nw

    top, bottom = lattice.granularity.as_integer_ratio()
    x, floor = nw.col(column), lattice.low * top / bottom
    missing = x.is_null() | x.is_nan()
    frame = frame.with_columns(
        nw.when(missing).then(nw.lit(1)).otherwise(nw.lit(0)).alias("missing"),
        nw.when(missing).then(nw.lit(floor)).otherwise(x).alias(column),
    )
    index = nearest(x, lattice)
    absent = nw.lit(MISSING if neighbors == "add_remove" else 0.0)
    distance = nw.when(nw.col("missing") == 1).then(absent).otherwise(index - float(lattice.low))
    return frame.with_columns(distance.alias(column)).drop("missing")


def nearest(x: Expression, lattice: Lattice) -> Expression:
    """The lattice index of float64 numbers, as float64. No number may be missing."""
    import narwhals.stable.v2 as nw

    top, bottom = lattice.granularity.as_integer_ratio()
    rate, floor, ceiling = bottom / top, lattice.low * top / bottom, lattice.high * top / bottom
    kept = x.clip(floor, ceiling)
    if rate < 1:  # PostgreSQL raises if a product underflows; such a product changes no index
        kept = nw.when(kept.abs() < UNDER / rate).then(nw.lit(0.0)).otherwise(kept)
    index = floored(kept * rate + 0.5)
    if math.floor(floor * rate + 0.5) < lattice.low or math.floor(ceiling * rate + 0.5) > lattice.high:
        index = index.clip(float(lattice.low), float(lattice.high))
    return index


def signless(number: Expression) -> Expression:
    """The same float64, but 0.0 instead of -0.0. They are equal, but some engines distinguish them."""
    import narwhals.stable.v2 as nw

    return nw.when(number == 0.0).then(nw.lit(0.0)).otherwise(number)


def floored(number: Expression) -> Expression:
    """The floor of float64 as float64. (Spark's own is an integer.)"""
    import narwhals.stable.v2 as nw

    return number.floor().cast(nw.Float64)


def in_microseconds(dialect: Dialect, frame: Frame, name: str, clock: Clock) -> Frame:
    """The frame with a column of time as float64 microseconds. Missing records stay missing."""
    import narwhals.stable.v2 as nw

    frame, daily = dialect.ticks(frame, name, clock.kind)
    micros = nw.col(name).cast(nw.Float64) * float(DAILY["us"] // daily)
    if clock.kind not in ("time", "duration"):
        micros = micros - float(SINCE_1970)
    return frame.with_columns(micros.alias(name))


def key_in_time(dialect: Dialect, frame: Frame, name: str, kind: str) -> Frame:
    """The frame with a key of dates as int64 days, or of datetimes as int64 microseconds. Other keys do not change.

    A key is missing if it is infinite, is not a whole number of microseconds, or does not fit int64.
    """
    import narwhals.stable.v2 as nw

    if kind not in ("date", "time", "zoned"):
        return frame
    frame, daily = dialect.ticks(frame, name, KEYS_IN_TIME[kind], exact=kind != "date")
    ticks, times = nw.col(name).cast(nw.Int64), 1 if kind == "date" else DAILY["us"] // daily
    if times > 1:
        held = (ticks >= -FARTHEST // times) & (ticks <= FARTHEST // times)
        ticks = nw.when(held).then(ticks).otherwise(nw.lit(None, nw.Int64)) * times
    return frame.with_columns(ticks.alias(name))
