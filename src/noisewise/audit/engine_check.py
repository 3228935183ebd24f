"""Checks of an engine: it must count, sum, rank and choose hostile records exactly as the library does in memory.

The same records are put into a table of the engine and into a table in memory. Both tables are asked for everything
that a question can ask: counts, order statistics, and exact sums of numbers and times, in groups and of people; counts
in bins and of labels; the rows that pass a condition; and columns that are fetched. No query may fail, and both tables
must give the same numbers. The first difference is reported in words.

Hostile numbers are infinite, NaN, signed zeros, subnormal, beyond 2^53 or the largest of their types. Hostile texts
have quotes, backslashes and combining characters. Hostile dates lie at both ends of Python's calendar.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import cycle, islice
from typing import Any, TypeAlias

import numpy as np

from noisewise.audit.checks import Violation
from noisewise.errors import NoisewiseError, ParameterError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.questions.composites.histogram import BinEdges
from noisewise.statistics.records import Column
from noisewise.tables.columns.array_column import NumberBins
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.columns.labels import Labels
from noisewise.tables.columns.magnitudes import Magnitudes
from noisewise.tables.conditions import Condition
from noisewise.tables.frames import table_of
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from noisewise.tables.table import Table
from noisewise.tables.time.clock import Clock

Values: TypeAlias = dict[str, list[Any]]
"""Columns of Python values by name, of equal length; None is missing."""
Declared: TypeAlias = dict[str, str]
"""The type of each column: one of `TYPES`."""
Types: TypeAlias = tuple[str, ...]
Reading: TypeAlias = tuple[str, Callable[[Table], object]]
"""The name of a reading, and the function that reads it from a table."""

LARGEST, LEAST = 1.7976931348623157e308, 5e-324
ROWS = 48

TYPES: Mapping[str, Sequence[Any]] = {
    "float64": [
        *(0.0, -0.0, math.inf, -math.inf, math.nan, LEAST, -LEAST, 2.3e-308, LARGEST, -LARGEST),
        *(0.5, 1.5, math.nextafter(1.5, 2), 1e300, -1e-300, 2.0**53 + 2, 0.1, -7.25, 3e9, None),
    ],
    "float32": [0.0, -0.0, math.inf, math.nan, 2.0**-149, 3.4028234663852886e38, -2.5, 0.5, None],
    "int64": [2**63 - 1, -(2**63), 2**53 + 1, -(2**53) - 1, 0, 1, -1, 7, 2**31, None],
    "int32": [2**31 - 1, -(2**31), 0, 5, None],
    "decimal": [*map(Decimal, ("0.1", "1e28", "-1e-9", "9007199254740993", "2.5")), None],
    "boolean": [True, False, None],
    "text": ["a", "A", "é", "e\u0301", "", " a", "a ", "it's", '"q"', "b\\n\n%s", "ß", "😀", "a", None],
    "date": [
        date.min,
        date.max,
        date(1969, 12, 31),
        date(1970, 1, 1),
        date(2024, 2, 29),
        date(1582, 10, 4),
        None,
    ],
    "datetime": [
        *(datetime.min, datetime.max, datetime(2024, 3, 31, 2, 30), datetime(2000, 1, 1)),
        *(datetime(1969, 12, 31, 23, 59, 59, 999999), None),
    ],
    "zoned": [
        *(datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)),
        *(datetime(2024, 3, 31, 1, 0, 0, micros, tzinfo=UTC) for micros in (0, 1)),
        *(datetime(1969, 12, 31, 23, tzinfo=UTC), None),
    ],
    "time": [time.min, time.max, time(12, 30), None],
}
"""Hostile records of each type of column."""
NUMBERS = ("float64", "float32", "int64", "int32", "decimal", "boolean")
TIMES = ("date", "datetime", "zoned", "time")
FIRST_NUMBERS = ("float64", "int64")
PEOPLE = ("text", "int64", "int32", "boolean", "date", "datetime", "zoned")
"""Types that can name people: an engine writes fractions as text in its own way."""

LATTICES: Sequence[tuple[Lattice, Neighbors]] = [
    (Lattice(-40, 2**20, Fraction(1, 1024)), "add_remove"),
    (Lattice(-(2**51), 2**51, Fraction(1, 2**20)), "swap"),
    (Lattice(-(2**20), 2**20, Fraction(10) ** 300), "add_remove"),
    (Lattice(-9, 2**30, Fraction(1, 10**300)), "swap"),
]
DAYS = Lattice(0, 2**22, Fraction(86400 * 10**6))
ONES = Lattice(0, 1, Fraction(1))
BINS: Sequence[NumberBins] = (
    BinEdges((-math.inf, -1.0, LEAST, 1.0, math.inf)),
    BinEdges(tuple(map(float, range(-20, 21)))),
    Magnitudes.of(2, Fraction(1, 2**32), 2**64),
)
MOMENTS = Lattice(63 * 10**9, 64 * 10**9, Fraction(10**6))
KEYS: Mapping[str, Sequence[Any]] = {
    "text": ["a", "A", "é", "e\u0301", "", "it's", "b\\n\n%s", "nobody", "\ud800", "a\0"],
    "int64": [2**63 - 1, -(2**63), 2**53 + 1, 0, 12],
    "float64": [0.0, 0.5, 1e300, LEAST],
    "float32": [0.5, 2.0**-149],
    "boolean": [True, False],
    "date": [date.min, date.max, date(2024, 2, 29)],
    "datetime": [datetime.min, datetime(1969, 12, 31, 23, 59, 59, 999999)],
    "zoned": [datetime(2024, 3, 31, 1, tzinfo=UTC)],
}
LABELS: Mapping[str, Sequence[Any]] = {
    "text": ["a", "A", "é", "e\u0301", "", "it's", "\ud800", "a\0"],
    "float64": [0, 0.5, LEAST, LARGEST, math.nextafter(1.5, 2)],
    "int64": [0, 7, 2**31],
    "boolean": [True, False],
}
CONDITIONS: Mapping[str, Sequence[str]] = {
    "float64": [
        "{} > 0",
        "{} >= 0 and {} <= 1.5",
        "{} != 0.1",
        "{} is missing",
        "not ({} < 3 or {} > 4)",
        "{} in (0, 0.5)",
    ],
    "int64": ["{} = 9223372036854775807", "{} < -1"],
    "text": ["{} = 'a'", "{} not in ('a', 'it''s')", "{} is not missing", "{} in ('b\\n\n%s', 'x\0')"],
    "boolean": ["{} = true", "{} != true"],
    "date": ["{} >= '2024-02-29'", "{} < '1970-01-01'"],
    "datetime": ["{} > '1970-01-01'"],
}


@dataclass(frozen=True)
class EngineChecked:
    """The number of comparisons that showed no difference."""

    engine: str
    comparisons: int

    def __str__(self) -> str:
        return f"{self.engine} answers as memory does: {self.comparisons:,} comparisons"


def _of(types: Types, wanted: Sequence[str]) -> Types:
    """Return the types that are both available and wanted."""
    return tuple(each for each in wanted if each in types)


def _choices(types: Types) -> list[Choice]:
    """Return ways to choose records of each person, one for each type that can name people."""
    return [
        Choice(unit, most, None, "salt")
        for most, unit in zip(cycle((1, 2)), _of(types, PEOPLE), strict=False)
    ]


def _numbers(types: Types) -> Iterator[Reading]:
    for name in _of(types, NUMBERS):
        for lattice, neighbors in LATTICES if name in ("float64", "decimal") else LATTICES[:2]:
            step = f"{float(lattice.granularity):g}"
            yield (
                f"numbers of {name} on a lattice of {step}",
                partial(_column, name, None, lattice, neighbors),
            )
    for name in types:
        yield f"how many of {name} are there", partial(_present, name)


def _times(types: Types) -> Iterator[Reading]:
    for name in _of(types, TIMES):
        for lattice in (DAYS, MOMENTS):
            yield f"times of {name}", partial(_time, name, lattice)


def _bins(types: Types) -> Iterator[Reading]:
    for name in _of(types, NUMBERS):
        for bins in BINS:
            yield f"counts of {name} in bins", partial(_in_bins, name, bins)


def _labels(types: Types) -> Iterator[Reading]:
    for name in _of(types, tuple(LABELS)):
        for choice in (None, *_choices(types)[:1]):
            labels = Labels.of(list(LABELS[name]))
            yield f"counts of labels of {name}", partial(_of_labels, name, labels, choice)


def _groups(types: Types) -> Iterator[Reading]:
    for name in _of(types, tuple(KEYS)):
        for numbers in _of(types, FIRST_NUMBERS)[:1]:
            keys = Keys.of((name,), list(KEYS[name]))
            yield f"{numbers} in groups by {name}", partial(_in_groups, numbers, keys, None)


def _keys(types: Types) -> Iterator[Reading]:
    """Yield the readings of keys. Float keys are not chosen by people, as engines write fractions in different ways."""
    for name in _of(types, tuple(KEYS)):
        for choice in (None, *_choices(types)[1:2]):
            if choice is None or not name.startswith("float"):
                yield f"which keys {name} has", partial(_counted, name, choice)


def _people(types: Types) -> Iterator[Reading]:
    for name in _of(types, FIRST_NUMBERS)[:1]:
        chosen = f"the records of {name} that are chosen"
        for choice in _choices(types):
            yield f"{chosen} of people named by {choice.unit}", partial(_column, name, choice, *LATTICES[0])
        for choice in _choices(types)[:1]:
            for key in _of(types, ("boolean",)):
                narrow, keys = Choice(choice.unit, 3, 1, choice.salt), Keys.of((key,), [True, False])
                yield f"{chosen} in groups by {key}", partial(_in_groups, name, keys, narrow)


def _conditions(types: Types) -> Iterator[Reading]:
    for name in _of(types, tuple(CONDITIONS)):
        for text in CONDITIONS[name]:
            condition = Condition.read(text.replace("{}", name))
            yield f"how many rows there are where {condition}", partial(_passing, condition)


def _fetched(types: Types) -> Iterator[Reading]:
    for choice in (None, *_choices(types)[:1]):
        yield "columns that are fetched", partial(_rows, _of(types, NUMBERS), choice)


READINGS: Mapping[str, Callable[[Types], Iterator[Reading]]] = {
    "numbers": _numbers,
    "times": _times,
    "bins": _bins,
    "labels": _labels,
    "groups": _groups,
    "keys": _keys,
    "people": _people,
    "conditions": _conditions,
    "fetched": _fetched,
}
PARTS = tuple(READINGS)


def check_engine(
    make_table: Callable[[Values, Declared], object],
    *,
    types: Sequence[str] = tuple(TYPES),
    parts: Sequence[str] = PARTS,
) -> EngineChecked:
    """Compare an engine with memory, on hostile records of every type.

    Args:
        make_table: Turns columns of Python values into a table of the engine: a data frame that `Dataset` takes, or a
            `Dataset` of it. The second argument says what each column must be declared as, one of ``types``.
        types: The types that the engine has: ``"float64"``, ``"float32"``, ``"int64"``, ``"int32"``, ``"decimal"`` (38
            digits, 9 of them decimals), ``"boolean"``, ``"text"``, ``"date"``, ``"datetime"``, ``"zoned"`` (in UTC) and
            ``"time"``.
        parts: What is compared, of ``"numbers"``, ``"times"``, ``"bins"``, ``"labels"``, ``"groups"``, ``"keys"``,
            ``"people"``, ``"conditions"`` and ``"fetched"``.

    Returns:
        The number of comparisons. A `Violation` names the first reading that fails or differs.

    Examples:
        >>> nws.testing.check_engine(lambda values, types: duckdb.from_arrow(as_arrow(values, types)))
    """
    for parameter, given, known in (("types", types, tuple(TYPES)), ("parts", parts, PARTS)):
        if unknown := [each for each in given if each not in known]:
            raise ParameterError(parameter, f"must be of {', '.join(known)}", got=repr(unknown[0])) from None
    values: Values = {each: list(islice(cycle(TYPES[each]), ROWS)) for each in types}
    declared = {each: each for each in types}
    memory, behind = _in_memory(values), _table(make_table(values, declared))
    comparisons = 0
    with behind.snapshot():
        for part in parts:
            if part == "fetched" and behind.cluster is not None:
                continue
            for name, read in READINGS[part](tuple(types)):
                _compare(name, read, memory, behind)
                comparisons += 1
    engine = getattr(getattr(behind, "dialect", None), "name", "memory")
    return EngineChecked(engine, comparisons)


def _table(made: Any) -> Table:
    """Return the table of a data frame, or of a Dataset."""
    table: Table = made._table if hasattr(made, "_table") else table_of(made)
    return table


def _compare(name: str, read: Callable[[Table], object], memory: Table, behind: Table) -> None:
    expected, failure = read(memory), None
    try:
        answer = read(behind)
    except Exception as error:
        failure = error
    if failure is not None:
        message = str(failure) if isinstance(failure, NoisewiseError) else type(failure).__name__
        raise Violation(name, "must not fail", got=message) from failure
    if answer != expected:
        raise Violation(name, "must be as in memory", got=f"{answer!r} instead of {expected!r}") from None


def _in_memory(values: Values) -> Table:
    import pyarrow as pa

    declared = {
        **{each: getattr(pa, each)() for each in ("float64", "float32", "int64", "int32")},
        **{"boolean": pa.bool_(), "text": pa.string(), "decimal": pa.decimal128(38, 9), "date": pa.date32()},
        **{"datetime": pa.timestamp("us"), "zoned": pa.timestamp("us", "UTC"), "time": pa.time64("us")},
    }
    return table_of(pa.table({name: pa.array(column, declared[name]) for name, column in values.items()}))


def _column(name: str, choice: Choice | None, lattice: Lattice, neighbors: Neighbors, table: Table) -> object:
    return _all_of(table.column(name, choice).read(lattice, neighbors))


def _all_of(column: Column) -> object:
    """Return everything that a statistic can read from a column."""
    count, middle = column.count, (column.lattice.low + column.lattice.high) // 2
    ends = [end.tolist() for end in column.extremes(min(count, 2))]
    sums = column.sums(squares=True), column.below(middle, squares=True)
    return count, column.ranks(1, count + 1).tolist(), ends, sums


def _time(name: str, lattice: Lattice, table: Table) -> object:
    kind: Any = name
    return _all_of(table.read_as(name, Clock(kind, kind)).column(name, None).read(lattice, "add_remove"))


def _present(name: str, table: Table) -> object:
    return table.read_as(name, Indicator(None)).column(name, None).read(ONES, "add_remove").count


def _passing(condition: Condition, table: Table) -> object:
    return table.where(condition).rows(None).read(ONES, "add_remove").count


def _in_bins(name: str, bins: NumberBins, table: Table) -> object:
    return table.column(name, None).counts(bins).tolist()


def _of_labels(name: str, labels: Labels, choice: Choice | None, table: Table) -> object:
    return table.labels(name, choice).labels().counts(labels).tolist()


def _in_groups(name: str, keys: Keys, choice: Choice | None, table: Table) -> object:
    groups = table.grouped(name, keys, choice).read(*LATTICES[0])
    counts = groups.counts
    ranks = groups.ranks(np.ones_like(counts), counts + 1).tolist()
    below = groups.below(np.full(len(groups), groups.lattice.low + 1024), squares=True)
    return counts.tolist(), ranks, groups.sums(), below


def _counted(name: str, choice: Choice | None, table: Table) -> object:
    counted = table.count_keys((name,), choice, 1 if choice is None else choice.contributions)()
    counts = zip(map(repr, counted.keys.columns[0]), counted.persons.tolist(), strict=True)
    return sorted((key, persons) for key, persons in counts if persons)


def _rows(names: tuple[str, ...], choice: Choice | None, table: Table) -> object:
    """Return the rows of several columns as bytes, sorted."""
    columns = [each.numbers() for each in table.columns(names, choice)]
    return sorted(row.tobytes() for row in np.array(columns).T + 0.0)
