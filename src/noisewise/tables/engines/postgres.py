"""PostgreSQL: a table or a query, by SQL that Ibis writes and psycopg sends (postgres_database.py).

narwhals makes an expression of Ibis, and Ibis makes SQL of it, without a connection. Each table in an expression stands
for a SELECT, of the user's table or of arrays for a small table. It becomes a common table expression before the query.
So nothing is created on the server, and a role with the right to read is enough.

**The source** returns every column as one of a few types. Text is compared byte by byte (``COLLATE "C"``). Times are
returned as the whole numbers that PostgreSQL stores, days or microseconds since 2000 with two numbers for the
infinities, and booleans as 1 and 0, though Ibis takes them for times and booleans. A type that no question can read is
returned as true for every value.

**Arithmetic raises** in PostgreSQL if a float64 underflows or overflows, or a type cannot hold a number. No expression
here or in the files beside this one can do so: docs/proofs/engines.md.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.kernel.secret import Secret
from noisewise.tables.engines.dialect import Columns, Dialect, Frame, as_frame, sql_name
from noisewise.tables.people import fresh_salt
from noisewise.tables.time.ticks import DAILY, Kind

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

    from noisewise.tables.engines.postgres_database import Cell, Database

EPOCH_DAYS = 10_957
EPOCH = EPOCH_DAYS * DAILY["us"]
"""From 1970 to 2000, when PostgreSQL begins to count."""
LAST = 2**63 - 1
INFINITE = f"CASE {{0}} WHEN 'infinity' THEN {LAST} WHEN '-infinity' THEN -{LAST}"
"""Infinite times become the numbers at both ends of 64 bits."""

MICROSECONDS = "(extract(epoch FROM {{0}} - {0} '2000-01-01 00:00+00') * 1000000)::int8"
"""Microseconds since 2000, by a difference. (``extract`` from a time rounds in the last thirty years of the
calendar.)"""

LONGEST_TEXT = 2**20
"""Text of more bytes is missing. PostgreSQL fails at some much longer texts, and at rows of several long texts."""

AS_TEXT = f'(CASE WHEN octet_length({{0}}::text) <= {LONGEST_TEXT} THEN {{0}}::text END) COLLATE "C"'
PRESENT = "CASE WHEN {0} IS NOT NULL THEN true END"
SENT = {
    "bool": ("boolean", "{0}::int4"),  # PostgreSQL casts a boolean to no other number
    "int2": ("int16", "{0}"),
    "int4": ("int32", "{0}"),
    "int8": ("int64", "{0}"),
    "float4": ("float32", "{0}"),
    "float8": ("float64", "{0}"),
    "numeric": ("decimal", "nullif({0}, 'NaN')"),
    "uuid": ("uuid", AS_TEXT),
    # the cast drops the blanks at the end of a character(n), which mean nothing
    **dict.fromkeys(("text", "varchar", "bpchar", "name", "enum"), ("string", AS_TEXT)),
    "date": ("date", f"{INFINITE} ELSE ({{0}} - DATE '2000-01-01')::int8 END"),
    "time": ("time", "(extract(epoch FROM {0}) * 1000000)::int8"),
    "timestamp": ("timestamp(6)", f"{INFINITE} ELSE {MICROSECONDS.format('timestamp')} END"),
    "timestamptz": ("timestamp('UTC', 6)", f"{INFINITE} ELSE {MICROSECONDS.format('timestamptz')} END"),
}
"""How the source returns each type of PostgreSQL: the type that Ibis takes it for, and the expression."""

BEYOND = str(2**1024 - 2**970)
"""Decimals below this number are rounded to a finite float64. PostgreSQL would raise at larger ones."""
NOTHING = f"{5**1075}e-1075"
"""Decimals up to 2^-1075 are rounded to 0. Otherwise PostgreSQL would raise at them."""


class Select(Secret):
    """The SELECT behind a table in an expression of Ibis."""

    def __init__(self, text: str) -> None:
        self.text = text


class Source(Select):
    """The rows of a user's SELECT. Every column is returned as `SENT` says."""

    def __init__(self, database: "Database", select: str) -> None:
        self.database, self._select, self._columns = database, select, database.columns(select)
        names = [name for name, _ in self._columns]
        if twice := [name for name in names if names.count(name) > 1]:
            raise SchemaError("columns", "must have different names", got=f"{twice[0]!r} twice") from None
        self._sent = {name: SENT.get(kind, ("binary", PRESENT)) for name, kind in self._columns}
        columns = ", ".join(
            f"{expression.format(sql_name(name))} AS {sql_name(name)}"
            for name, (_, expression) in self._sent.items()
        )
        super().__init__(f"SELECT {columns} FROM ({select}) AS source")

    @property
    def frame(self) -> Frame:
        return _table(self, {name: kind for name, (kind, _) in self._sent.items()})

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """While this lasts, all queries see the same rows, and the columns that were opened."""
        with self.database.snapshot():
            if self.database.columns(self._select) != self._columns:
                raise SchemaError(
                    "the table", "must have the columns that it had when it was opened"
                ) from None
            yield


class PostgresDialect(Dialect):
    """A table or a query of PostgreSQL. Its columns may be fetched from the server."""

    name, local = "PostgreSQL", True
    computes_rows = False  # PostgreSQL raises if a float64 overflows or underflows
    implementations = frozenset({"ibis"})

    @classmethod
    def accepts(cls, frame: Frame) -> bool:
        """Whether the frame is a table of this module. (Other tables of Ibis may be in any database.)"""
        return any(isinstance(each, Source) for each in _selects(frame).values())

    def _arrays(self, frame: Frame) -> list[NDArray[Any]]:
        cells = [_cell(dtype) for dtype in frame.collect_schema().values()]
        return _source(frame).database.fetch(_query(frame), cells)

    def _row(self, frame: Frame) -> Sequence[Any]:
        return [column[0] for column in self._arrays(frame)]

    def _collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        import narwhals.stable.v2 as nw
        import pyarrow

        schema, columns = frame.collect_schema(), {}
        for (name, dtype), values in zip(schema.items(), self._arrays(frame), strict=True):
            array = pyarrow.array(values, from_pandas=False)
            columns[name] = array.cast(pyarrow.bool_()) if dtype == nw.Boolean else array
        return nw.from_native(pyarrow.table(columns), eager_only=True)

    def computed_once(self, frame: Frame, *names: str) -> Frame:
        """Only select the columns. If they were fetched, every query would have to send them back."""
        return frame.select(*names)

    def evaluated_once(self, frame: Frame) -> Frame:
        """Add a limit that no table reaches. Otherwise PostgreSQL would copy the expression of a column to every use,
        and compute it as often."""
        return as_frame(frame.to_native().limit(2**63 - 1))

    def digest_numbers(self, frame: Frame, column: str) -> Frame:
        do = _functions()

        def first_bits(text: Any) -> Any:
            digest = do["sha256"](do["convert_to"](text, "UTF8"))
            number = do["get_byte"](digest, 7).cast("int64") >> 4
            for index in range(7):
                number = number | (do["get_byte"](digest, index).cast("int64") << (52 - 8 * index))
            return number

        return _replaced(frame, column, first_bits)

    def positions(self, frame: Frame, order: Sequence[str], owner: Sequence[str] = ("person",)) -> Frame:
        """Sort text by its bytes. (Text from a cast is sorted by the rules of the database's language.)"""
        import narwhals.stable.v2 as nw

        native, schema, to_bytes = frame.to_native(), frame.collect_schema(), _functions()["convert_to"]
        raw = {
            f"{column}_raw": to_bytes(native[column], "UTF8")
            for column in order
            if schema[column] == nw.String
        }
        by_bytes = [f"{column}_raw" if f"{column}_raw" in raw else column for column in order]
        return super().positions(as_frame(native.mutate(**raw)), by_bytes, owner).drop(*raw)

    def parsed(self, frame: Frame, column: str) -> Frame:
        raise SchemaError("a text file", "must be read by another engine") from None

    def castable_decimals(self, frame: Frame, column: str) -> Frame:
        """Decimals may have 130,000 digits. If float64 cannot hold one, it becomes infinite, or 0."""
        import ibis

        beyond, nothing, huge, tiny = (
            ibis.literal(text).cast("decimal") for text in (BEYOND, NOTHING, "1e308", "1e-307")
        )

        def nearest(x: Any) -> Any:
            usual = (x.abs() < huge) & (x.abs() > tiny) | (x == 0)  # faster than with 751 digits
            return ibis.cases(
                (usual, x.cast("float64")),
                (x >= beyond, float("inf")),
                (x <= -beyond, -float("inf")),
                (x.abs() <= nothing, 0.0),
                else_=x.cast("float64"),
            )

        return _replaced(frame, column, nearest)

    def ticks(self, frame: Frame, column: str, kind: Kind, *, exact: bool = False) -> tuple[Frame, int]:
        import narwhals.stable.v2 as nw

        held = self.holds(frame, column)
        frame, x = self._stored(frame, column), nw.col(column)
        if held == "time":
            return frame, DAILY["us"]
        endless = (x == LAST) | (x == -LAST)
        frame = frame.with_columns(nw.when(endless).then(nw.lit(None, nw.Int64)).otherwise(x).alias(column))
        if held == "date":
            return frame.with_columns(x + EPOCH_DAYS), 1
        if kind == "date":
            return _replaced(frame, column, _day), 1
        far = (
            x > LAST - EPOCH
        )  # not by clip: in older versions of narwhals it makes numbers of missing values
        near = nw.when(far).then(nw.lit(LAST - EPOCH, nw.Int64)).otherwise(x)
        return frame.with_columns((near + EPOCH).alias(column)), DAILY["us"]

    def stored_ticks(self, frame: Frame, column: str) -> Frame:
        """Numbers since 1970, if need be in more than 64 bits. Infinite times have numbers of their own."""
        since = EPOCH_DAYS if self.holds(frame, column) == "date" else EPOCH
        return _replaced(self._stored(frame, column), column, lambda x: x.cast("decimal(38, 0)") + since)

    def _stored(self, frame: Frame, column: str) -> Frame:
        """The number that the source returns, by its true type."""
        return _replaced(frame, column, _functions()["int8"])

    def small_table(self, frame: Frame, columns: Columns) -> Frame:
        arrays = {name: _array(values) for name, values in columns.items()}
        names = ", ".join(map(sql_name, columns))
        parts = ", ".join(written for written, _ in arrays.values())
        types = {name: kind for name, (_, kind) in arrays.items()}
        selected = ", ".join(
            f'{sql_name(name)} COLLATE "C" AS {sql_name(name)}' if kind == "string" else sql_name(name)
            for name, kind in types.items()
        )
        return _table(Select(f"SELECT {selected} FROM unnest({parts}) AS small ({names})"), types)

    def result(self, frame: Frame, columns: Columns) -> Any:
        import pyarrow

        return pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})

    def snapshot(self, frame: Frame) -> AbstractContextManager[object]:
        return _source(frame).snapshot()

    def spells(self, text: str) -> bool:
        return "\0" not in text and super().spells(text)

    def holds_nothing(self, frame: Frame, column: str) -> bool:
        return False

    def is_uuid(self, frame: Frame, column: str) -> bool:
        return bool(frame.to_native()[column].type().is_uuid())


def _table(select: Select, types: dict[str, str]) -> Frame:
    """A table of Ibis that stands for a SELECT, under a name that nothing else has."""
    import ibis
    import ibis.expr.operations as ops

    table = ops.DatabaseTable(name=f"noisewise_{fresh_salt()[:16]}", schema=ibis.schema(types), source=select)
    return as_frame(table.to_expr())


def _selects(frame: Frame) -> dict[str, Select]:
    """The SELECT behind each table in an expression."""
    import ibis.expr.operations as ops

    return {table.name: table.source for table in frame.to_native().op().find(ops.DatabaseTable)}


def _source(frame: Frame) -> Source:
    (source,) = {each for each in _selects(frame).values() if isinstance(each, Source)}
    return source


def _query(frame: Frame) -> str:
    """The SQL of a frame. The query that Ibis writes is in brackets, because it may begin with tables it defines."""
    import ibis

    tables = ", ".join(
        f"{name} AS NOT MATERIALIZED ({select.text})" for name, select in _selects(frame).items()
    )
    query = ibis.to_sql(frame.to_native(), dialect="postgres", pretty=False)
    return f"WITH {tables} SELECT * FROM ({query}) AS query"


def _cell(dtype: "nw.dtypes.DType") -> "Cell":
    """The type in which a column of a result is sent."""
    import narwhals.stable.v2 as nw

    if dtype == nw.Boolean:
        return "bool"
    if dtype.is_integer():
        return "int8"
    return "float8" if dtype.is_numeric() else "text"


def _replaced(frame: Frame, column: str, value: Callable[[Any], Any]) -> Frame:
    """The frame with a column replaced by an expression of it."""
    native = frame.to_native()
    return as_frame(native.mutate(**{column: value(native[column])}))


def _day(x: Any) -> Any:
    """Microseconds since 2000 as days since 1970, rounded down: PostgreSQL's division rounds towards zero."""
    daily = DAILY["us"]
    return _functions()["int8div"](x - (x % daily + daily) % daily, daily) + EPOCH_DAYS


FUNCTIONS = {
    "convert_to": (("string", "string"), "binary"),
    "get_byte": (("binary", "int32"), "int32"),
    "int8": ((None,), "int64"),  # its argument is declared as a time, and is a bigint
    "int8div": (("int64", "int64"), "int64"),
    "sha256": (("binary",), "binary"),
}
"""Functions of PostgreSQL that Ibis does not know: the types of their arguments and of their results."""


@cache
def _functions() -> dict[str, Callable[..., Any]]:
    from ibis import udf

    def of_one(x: Any) -> Any: ...
    def of_two(x: Any, y: Any) -> Any: ...

    return {
        name: udf.scalar.builtin(of_one if len(takes) == 1 else of_two, name=name, signature=(takes, gives))
        for name, (takes, gives) in FUNCTIONS.items()
    }


def _array(values: Any) -> tuple[str, str]:
    """Values as an array in SQL, numbers in digits that are read back exactly, and the type of a value."""
    plain = np.asarray(values)
    if plain.dtype.kind in "biu":
        return f"'{{{','.join(map(str, plain.astype(np.int64).tolist()))}}}'::int8[]", "int64"
    if plain.dtype.kind == "f":
        return f"'{{{','.join(map(repr, plain.tolist()))}}}'::float8[]", "float64"
    return f"ARRAY[{', '.join(map(_text, values))}]::text[]", "string"


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
