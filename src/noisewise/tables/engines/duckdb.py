"""DuckDB: a relation on the user's connection, or on the connection of a reader of files (duckdb_thread.py).

**Dates and times** are read as the whole numbers that DuckDB stores, by expressions that cannot fail. DuckDB's own
conversions raise at a single record: at seconds and milliseconds that 64 bits cannot hold as microseconds, and at the
text of a time at the end of its calendar, which even stops the user's database. So only nearer times are converted. All
other times, also infinite ones, are read from their sort keys: the eight bytes of the number, highest first and its
sign inverted, as 16 hexadecimal digits. (``TRY`` would do instead, but some versions of DuckDB confuse rows if it is
inside a ``CASE``.)

**Small tables** are passed to the user's connection by public calls, and under names that the user cannot have.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.tables.engines.dialect import Columns, Dialect, Frame, as_frame, sql_name, window_of_owner
from noisewise.tables.people import fresh_salt
from noisewise.tables.time.text import parts_of_text, ticks_of_parts
from noisewise.tables.time.ticks import DAILY, FARTHEST, Held, Kind

if TYPE_CHECKING:
    import duckdb
    import narwhals.stable.v2 as nw
    from duckdb.typing import DuckDBPyType

T = TypeVar("T")

UNITS = {"DATE": "day", "TIMESTAMP_S": "s", "TIMESTAMP_MS": "ms", "TIMESTAMP_NS": "ns", "TIME_NS": "ns"}
"""The units of DuckDB's types. Other types count microseconds."""

READ = {
    "DATE": "{0} - DATE '1970-01-01'",
    "TIMESTAMP_NS": "epoch_ns({0})",
    "TIME_NS": "epoch_ns({0})",
}
COARSE = {"TIMESTAMP_S": 10**6, "TIMESTAMP_MS": 10**3}
"""The microseconds in a tick of the types whose ticks are longer than a microsecond."""

RAISING = ("interval", "timestamp with time zone")
"""Types that DuckDB may fail to read from a frame of Arrow, Polars or pandas, because it converts seconds and
milliseconds to microseconds before any expression reads them."""
NESTED = ("array", "list", "map", "struct", "union")

DIGITS = "right(hex(create_sort_key({0}, 'ASC NULLS LAST')), 16)"
OFF_THE_KEY = f"CAST(CAST(TRY_CAST('0x' || {DIGITS} AS UBIGINT) AS HUGEINT) - {2**63} AS BIGINT)"

DIGEST_NUMBER = "CAST('0x' || substr(sha256({0}), 1, 15) AS BIGINT)"
"""The first 60 bits of a text's digest."""


class DuckDBDialect(Dialect):
    """A DuckDB relation. Every result is read to its end, since an unfinished result blocks the user's connection."""

    name, local, names_every_column = "DuckDB", True, True
    implementations = frozenset({"duckdb"})

    def _query(self, run: Callable[[Frame], T], frame: Frame) -> T:
        """Run a query. Ctrl-C stops DuckDB, and its error becomes a KeyboardInterrupt."""
        try:
            return super()._query(run, frame)
        except RuntimeError as error:
            if str(error) != "Query interrupted":
                raise
        raise KeyboardInterrupt from None

    def _arrays(self, frame: Frame) -> list[NDArray[Any]]:
        return [np.asarray(values) for values in frame.to_native().fetchnumpy().values()]

    def _row(self, frame: Frame) -> tuple[Any, ...]:
        row: tuple[Any, ...]
        (row,) = frame.to_native().fetchall()
        return row

    def _collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        return frame.collect("pyarrow")

    def computed_once(self, frame: Frame, *names: str) -> Frame:
        return super().computed_once(frame, *names) if readable(frame.to_native()) else frame.select(*names)

    def with_ones(self, frame: Frame, name: str) -> Frame:
        """Ones, computed from the column that DuckDB is least likely to fail to read. (By itself, it would read the
        first one.)"""
        relation = frame.to_native()
        risks = list(map(_risk, relation.types))
        if not any(risks):
            return super().with_ones(frame, name)
        column = sql_name(relation.columns[risks.index(min(risks))])
        one = f"CAST(CASE WHEN {column} IS NULL THEN 1 ELSE 1 END AS BIGINT)"
        return as_frame(relation.project(f"*, {one} AS {sql_name(name)}"))

    def check_rows(self, frame: Frame) -> None:
        if min(map(_risk, frame.to_native().types)) == len(RAISING):
            raise SchemaError(
                "frame",
                "must have a column that holds no INTERVAL",
                why="DuckDB counts rows by reading one, and may fail at an INTERVAL",
            ) from None

    def digest_numbers(self, frame: Frame, column: str) -> Frame:
        return _replaced(frame, column, DIGEST_NUMBER.format(sql_name(column)))

    def positions(self, frame: Frame, order: Sequence[str], owner: Sequence[str] = ("person",)) -> Frame:
        """One sort computes both position and size."""
        rows = window_of_owner([*map(sql_name, owner)], [*map(sql_name, order)])
        position, size = f"count(*) OVER ({rows} CURRENT ROW)", f"count(*) OVER ({rows} UNBOUNDED FOLLOWING)"
        return as_frame(frame.to_native().project(f'*, {position} AS "position", {size} AS "size"'))

    def bytewise(self, frame: Frame, column: str) -> Frame:
        return _replaced(frame, column, f"TRY(decode(encode({sql_name(column)}))) COLLATE C")

    def parsed(self, frame: Frame, column: str) -> Frame:
        return _replaced(frame, column, f"TRY_CAST({sql_name(column)} AS DOUBLE)")

    def ticks(self, frame: Frame, column: str, kind: Kind, *, exact: bool = False) -> tuple[Frame, int]:
        declared, quoted, in_days = _declared(frame, column), sql_name(column), kind == "date"
        if declared == "VARCHAR":  # of a text file
            frame = _replaced(frame, column, parts_of_text(quoted, kind))
            frame = _replaced(frame, column, ticks_of_parts(quoted, kind))
            return frame, 1 if in_days else DAILY["us"]
        frame = _replaced(frame, column, raw_ticks(declared, quoted))
        frame = _replaced(frame, column, finite(declared, quoted))
        daily = per_day(declared)
        if in_days and daily > 1:
            return _replaced(frame, column, floored(quoted, daily)), 1
        if daily == DAILY["ns"]:
            divide = divided if exact else floored
            return _replaced(frame, column, divide(quoted, 1000)), DAILY["us"]
        return frame, daily

    def moments(self, frame: Frame, column: str, kind: Kind) -> Frame:
        """The frame with a column of text as dates or as timestamps in UTC. Other text is missing."""
        frame, _ = self.ticks(frame, column, kind)
        quoted = sql_name(column)
        date = f"DATE '1970-01-01' + CAST({quoted} AS INTEGER)"
        return _replaced(frame, column, date if kind == "date" else f"make_timestamp({quoted})")

    def stored_ticks(self, frame: Frame, column: str) -> Frame:
        return _replaced(frame, column, raw_ticks(_declared(frame, column), sql_name(column)))

    def small_table(self, frame: Frame, columns: Columns) -> Frame:
        return as_frame(relation_of(frame.to_native(), columns))

    def result(self, frame: Frame, columns: Columns) -> "duckdb.DuckDBPyRelation":
        """A relation on a new connection if the user's connection may not read Python's objects."""
        import duckdb

        relation = frame.to_native()
        return relation_of(relation if readable(relation) else duckdb.connect().sql("SELECT 1"), columns)

    def misread_name(self, name: str) -> str:
        if set(name) & set('."') and _splits_names():
            return 'without . and " before its version 2.0'
        return super().misread_name(name)

    def check_open(self, frame: Frame) -> None:
        """Refuse a relation whose connection is closed. (DuckDB would raise an error of its own.)"""
        closed = False
        try:
            frame.to_native().project("1")
        except Exception as error:  # other errors are raised elsewhere
            closed = type(error).__name__ == "ConnectionException"
        if closed:
            raise SchemaError(
                "frame", "must be a relation of an open connection", got="one that is closed"
            ) from None

    def holds(self, frame: Frame, column: str) -> Held:
        declared = _declared(frame, column)
        if _risk(_type(frame, column)) == len(RAISING):
            raise SchemaError(
                f"column {column!r}",
                "must be a number of seconds or the like",
                got="an INTERVAL, whose months have no length"
                if declared == "INTERVAL"
                else "a type with an INTERVAL in it",
            ) from None
        if declared == "TIME WITH TIME ZONE":
            raise SchemaError(
                f"column {column!r}", "must be a time of day without a time zone", got="a TIME WITH TIME ZONE"
            ) from None
        return "time" if declared == "TIME_NS" else super().holds(frame, column)

    def holds_nothing(self, frame: Frame, column: str) -> bool:
        return _declared(frame, column) == "NULL"

    def is_uuid(self, frame: Frame, column: str) -> bool:
        return _declared(frame, column) == "UUID"


def _type(frame: Frame, column: str) -> "DuckDBPyType":
    relation = frame.to_native()
    declared: DuckDBPyType = relation.types[relation.columns.index(column)]
    return declared


def _declared(frame: Frame, column: str) -> str:
    """The declared type of a column, in the words of DuckDB."""
    return str(_type(frame, column)).strip('"')


def _risk(declared: "DuckDBPyType") -> int:
    """The risk that DuckDB fails to read a type: 0 for none, and the highest for a type that contains an INTERVAL."""
    if declared.id in NESTED:
        within = (child for _, child in declared.children if hasattr(child, "id"))
        return max(map(_risk, within), default=0)
    return 1 + RAISING[::-1].index(declared.id) if declared.id in RAISING else 0


def _replaced(frame: Frame, column: str, value: str) -> Frame:
    """The frame with a column replaced by an expression."""
    return as_frame(frame.to_native().project(f"* REPLACE ({value} AS {sql_name(column)})"))


def _splits_names() -> bool:
    """Whether DuckDB splits a name at its dots and quotes, so that it may read another column."""
    import duckdb

    return int(duckdb.__version__.partition(".")[0]) < 2


# Dates and times


def per_day(declared: str) -> int:
    """The number of ticks of a type that make a day."""
    return DAILY[UNITS.get(declared, "us")]


def raw_ticks(declared: str, quoted: str) -> str:
    """The whole number of every record that is not missing. Two numbers are equal exactly if the records are."""
    read = READ.get(declared, "epoch_us({0})").format(quoted)
    if times := COARSE.get(declared):
        ends = [
            f"CAST(make_timestamp({end // times * times}) AS {declared})" for end in (-FARTHEST, FARTHEST)
        ]
        near = f"CASE WHEN {quoted} BETWEEN {ends[0]} AND {ends[1]} THEN {quoted} END"
        read = f"epoch_us({near}) // {times}"
    if not declared.startswith("TIMESTAMP"):
        return f"CAST({read} AS BIGINT)"
    return f"CASE WHEN {quoted} IS NOT NULL THEN coalesce({read}, {OFF_THE_KEY.format(quoted)}) END"


def finite(declared: str, quoted: str) -> str:
    """The same numbers, except that the two that mean infinity are missing."""
    if declared.startswith("TIME") and not declared.startswith("TIMESTAMP"):
        return quoted
    endless = 2**31 - 1 if declared == "DATE" else 2**63 - 1
    return f"CASE WHEN {quoted} NOT IN ({endless}, {-endless}) THEN {quoted} END"


def floored(quoted: str, by: int) -> str:
    """The quotient rounded down. (DuckDB rounds towards zero, which is wrong before 1970.)"""
    return f"{quoted} // {by} - CASE WHEN {quoted} % {by} < 0 THEN 1 ELSE 0 END"


def divided(quoted: str, by: int) -> str:
    """The quotient, or missing if there is a remainder."""
    return f"CASE WHEN {quoted} % {by} = 0 THEN {quoted} // {by} END"


# Small tables


def readable(relation: "duckdb.DuckDBPyRelation") -> bool:
    """Whether DuckDB may look for names among Python's objects, or can be set to do so. Only settings decide."""
    settings = ("enable_external_access", "python_enable_replacements", "lock_configuration")
    current = ", ".join(f"current_setting('{setting}')" for setting in settings)
    ((external, names, locked),) = _on_connection(relation, f"SELECT {current}").fetchall()
    return bool(external and (names or not locked))


def relation_of(relation: "duckdb.DuckDBPyRelation", columns: Columns) -> "duckdb.DuckDBPyRelation":
    """Columns as a relation on the same connection. If DuckDB may not read Python's objects, they become literals."""
    arrays = {name: _as_array(values) for name, values in columns.items()}
    return _by_name(relation, arrays) if readable(relation) else _as_literals(relation, arrays)


def _by_name(
    relation: "duckdb.DuckDBPyRelation", columns: dict[str, NDArray[Any]]
) -> "duckdb.DuckDBPyRelation":
    """Let DuckDB find the columns among the globals of this module, by a name that nothing else has.

    If the user has switched such look-ups off, they are switched on for this query.
    """
    name = f"noisewise_{fresh_salt()}"
    ((allowed,),) = _on_connection(
        relation, "SELECT current_setting('python_enable_replacements')"
    ).fetchall()
    try:
        globals()[name] = columns
        if not allowed:
            _on_connection(relation, "SET python_enable_replacements = true")
        table: duckdb.DuckDBPyRelation = _on_connection(relation, f"SELECT * FROM {name}")
        return table
    finally:
        globals().pop(name, None)
        if not allowed:
            _on_connection(relation, "SET python_enable_replacements = false")


def _as_literals(
    relation: "duckdb.DuckDBPyRelation", columns: dict[str, NDArray[Any]]
) -> "duckdb.DuckDBPyRelation":
    """Each column is one text in the query. Numbers have digits that are read back exactly. Text is written as
    bytes."""
    selected = list[str]()
    for name, values in columns.items():
        texts, read = (value.encode().hex() for value in values.tolist()), "decode(unhex({}))"
        if values.dtype.kind in "biuf":
            texts = (repr(value) for value in values.tolist())
            read = f"CAST({{}} AS {'DOUBLE' if values.dtype.kind == 'f' else 'BIGINT'})"
        cells = f"unnest(string_split('{','.join(texts)}', ','))"
        selected.append(f"{read.format(cells)} AS {sql_name(name)}")
    (rows,) = {len(values) for values in columns.values()}
    # without cells the limit is 0, since empty text is split into one cell
    table: duckdb.DuckDBPyRelation = _on_connection(relation, f"SELECT {', '.join(selected)} LIMIT {rows}")
    return table


def _on_connection(relation: "duckdb.DuckDBPyRelation", query: str) -> Any:
    """Run a query on the connection of a relation. For this time the relation has a name that no table has."""
    ours = f"noisewise_{fresh_salt()}_ours"  # the user may have a table "_"
    try:
        return relation.query(ours, query)
    finally:
        relation.query(ours, f"DROP VIEW IF EXISTS {ours}")  # DuckDB before 2.0 does not


def _as_array(values: Any) -> NDArray[Any]:
    """An array as DuckDB reads it: numbers, or objects for other values such as lists of numbers."""
    if isinstance(values, np.ndarray) or list not in set(map(type, values)):
        plain = np.asarray(values)
        if plain.dtype.kind in "biuf":
            return plain
    return np.array([*values, None], object)[:-1]
