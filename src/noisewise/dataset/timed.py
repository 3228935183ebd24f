"""Questions about dates, times and durations: asked in microseconds, and answered as a date again.

The types of the bounds and of the column decide how records are read. No record decides it. `translate` checks both
types before anything is paid. The records are read later, by a map that never fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from inspect import Parameter
from typing import Any

import numpy as np

from noisewise.errors import ColumnName, ParameterTypeError, SchemaError, Value
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.sampling import Bits
from noisewise.questions.composites.crosstab import Cells
from noisewise.questions.functions.in_time import (
    bins_in_numbers,
    clock_of,
    edges_in_time,
    in_microseconds,
    kind_of_edges,
)
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question
from noisewise.results.release import Release
from noisewise.results.timed_release import TimedRelease
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.names import is_column
from noisewise.tables.table import Reading, Table
from noisewise.tables.time.clock import (
    NAMED,
    SAID,
    Clock,
    pair_in_time,
)
from noisewise.tables.time.ticks import Held
from noisewise.tables.totals import Total


@dataclass(frozen=True, slots=True)
class Timed:
    """A question in numbers, its table, and the clock that turns the answer into a date.

    The clock is None if the answer stays a number.
    """

    question: Question
    table: Table
    clock: Clock | None = None
    indicator: Indicator | None = None
    """Which records of the column count as ones. None if records are read as numbers or times."""
    implied: tuple[str, ...] = ()
    """The columns of a text file whose type is implied by the categories of the question."""

    @property
    def reading(self) -> Reading | None:
        """The clock or the indicator that turns the column into numbers. None if the column holds numbers already."""
        return self.clock or self.indicator


def translate(question: Question, table: Table) -> Timed:
    """Turn a question about dates or times into a question about microseconds.

    A question about numbers stays as it is. Raise if the types of the bounds and of the columns do not fit each other.
    """
    implied = list[str]()
    for name, values in _compared(question, table).items():
        before, table = table, table.compared_with(name, values)
        implied += [name] if table is not before else []
    return replace(_translated(question, table), implied=tuple(implied))


def _translated(question: Question, table: Table) -> Timed:
    if (indicator := question.can.indicator(question)) is not None:
        return _indicated(question, table, indicator)
    if question.total == Total("count"):
        return _indicated(question, table, Indicator())
    if (edges := edges_in_time(question)) is not None:
        return _binned(question, table, edges)
    columns = _columns(question, table)
    if question.can.asks_whether_true:
        table = table.with_truths(tuple(columns))
    _refuse_text(question.keywords.get("bounds"))
    bounds = pair_in_time(question.keywords.get("bounds"))
    if bounds is None:
        return _without_bounds(question, table, columns)
    clock = clock_of(question, bounds, question.keywords.get("granularity"))
    if question.total == Total("sum") and clock.kind != "duration":
        raise SchemaError(
            "bounds",
            ("must be numbers or ", NAMED["duration"], " for a sum per person"),
            got=NAMED[clock.kind],
            why="points in time do not add up",
        ) from None
    readable = [("date", "datetime"), *([("zoned", "datetime")] if table.is_text else [])]
    for name, column_type in columns.items():
        if column_type not in ("text", "object", clock.kind) and (clock.kind, column_type) not in readable:
            table.read_as(name, clock)  # refuses text, in the words of its library
            raise SchemaError(
                "bounds",
                ("must be ", *SAID[column_type], ", for the column ", ColumnName(name), ", by its type"),
                got=NAMED[clock.kind],
            ) from None
        table = table.read_as(name, clock)  # refuses objects
    return Timed(in_microseconds(question, bounds, clock), table, clock)


def _compared(question: Question, table: Table) -> dict[str, Sequence[object]]:
    """The categories that the question compares each column with. Wrong categories are refused elsewhere."""
    parameters, names = question.kind.signature.parameters, question.about
    if not all(is_column(name, table.names) for name in names):
        return {}
    if question.can.columns == ("edges",):
        nodes = question.parameter("nodes")  # only a number: a list of nodes may be as secret as edges
        return {name: [nodes] for name in names[:2]} if isinstance(nodes, (int, np.integer)) else {}
    if question.can.columns == ("cells",):
        if question.parameter("categories") is Parameter.empty:
            return {}
        return dict(zip(names, Cells.of(question.parameter("categories"), names).categories, strict=True))
    for parameter in ("category", "categories", "bins"):
        given = question.parameter(parameter) if parameter in parameters else None
        values = [given] if parameter == "category" else given
        if given is None or not isinstance(values, (list, tuple, range, set, frozenset)) or len(names) != 1:
            continue
        if any(isinstance(each, date) for each in values):  # dates are no categories
            return {}
        if parameter != "bins" or any(isinstance(each, (str, bool, np.bool_)) for each in values):
            return {names[0]: list(values)}
    return {}


def _refuse_text(bounds: Any) -> None:
    """Raise if a bound is text. Users often type dates as text."""
    if isinstance(bounds, (tuple, list)) and len(bounds) == 2 and any(isinstance(end, str) for end in bounds):
        raise ParameterTypeError(
            "bounds",
            ("must be two numbers, dates, times or ", NAMED["duration"]),
            got=(describe(bounds[0]), " and ", describe(bounds[1])),
            fix="write a date as date(2024, 1, 31), and a time as datetime(2024, 1, 31, 12, 30)",
        ) from None


def _indicated(question: Question, table: Table, indicator: Indicator) -> Timed:
    """Translate a question that counts all records, or the records of one category. The column may have any type."""
    (name,) = question.columns
    if not is_column(name, table.names):  # the name is refused elsewhere, or there is none and all rows count
        return Timed(question, table)
    column_type = None if indicator.category is not None else table.holds(name)
    if column_type is not None and column_type != "text" and column_type != "object":
        return Timed(question, table.read_as(name, Clock(column_type, None)))  # an infinite date is missing
    return Timed(question, table.read_as(name, indicator), indicator=indicator)


def _binned(question: Question, table: Table, edges: list[Any]) -> Timed:
    """Translate a histogram of dates or times. Its edges become microseconds, and its counts stay counts."""
    (name,), kind = question.columns, kind_of_edges(edges)
    column_type = table.holds(name) if is_column(name, table.names) else kind
    if column_type not in ("text", "object", kind) and (kind, column_type) != ("date", "datetime"):
        raise SchemaError(
            "bins", ("must be ", *SAID[column_type], ", for the column ", ColumnName(name)), got=NAMED[kind]
        ) from None
    in_numbers = question.with_parameter("bins", bins_in_numbers(edges))
    if not is_column(name, table.names):  # refused elsewhere
        return Timed(in_numbers, table)
    return Timed(in_numbers, table.read_as(name, Clock(kind, None)))


def _without_bounds(question: Question, table: Table, columns: dict[str, Held]) -> Timed:
    """Translate a question whose bounds are not dates or times.

    It is about numbers, or its kind takes columns of time without bounds.
    """
    if isinstance(question.keywords.get("granularity"), (timedelta, np.timedelta64)):
        raise ParameterTypeError(
            "granularity", "must be a number where bounds are numbers", got=Value("a timedelta", "a duration")
        ) from None
    rule = question.can.time
    for name, column_type in columns.items():
        if column_type is None or column_type == "text" or column_type == "object":
            continue
        if not rule.allows(column_type):
            raise SchemaError(
                question.name,
                "must be asked of numbers",
                got=("the column ", ColumnName(name), " of ", NAMED[column_type]),
                why=rule.why_not,
            ) from None
        if "bounds" in question.kind.signature.parameters:
            raise SchemaError(
                "bounds",
                ("must be ", *SAID[column_type], ", for the column ", ColumnName(name), ", by its type"),
            ) from None
        return Timed(question, table.read_as(name, Clock(column_type, None)))
    return Timed(question, table)


def _columns(question: Question, table: Table) -> dict[str, Held]:
    """The declared types of the columns. Unknown columns are refused elsewhere."""
    if question.can.columns in (("edges",), ("cells",)):
        return {}
    wide = [given if isinstance(given, (list, tuple)) else [given] for given in question.columns]
    return {
        name: table.holds(name)
        for names in wide
        for name in names
        if isinstance(name, str) and is_column(name, table.names)
    }


@dataclass(frozen=True, slots=True, repr=False)
class InTime(Payable):
    """A question in microseconds whose answer becomes a date, a time or a duration."""

    inner: Payable
    clock: Clock
    grouped: bool = False

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        return TimedRelease.of(self.inner.answer(receipt, bits=bits), self.clock, grouped=self.grouped)


def in_time(payable: Payable, clock: Clock | None, *, grouped: bool = False) -> Payable:
    """The question. If there is a clock, it turns the answer into a date, or each answer if ``grouped``."""
    return payable if clock is None else InTime(payable, clock, grouped)


def notes_on(timed: Timed) -> tuple[str, ...]:
    """The notes on how columns of a text file were read. Columns that are compared as text have no note."""
    question, kinds = timed.question, timed.question.can.columns
    listed = [*question.arguments, *question.keywords.values()]
    categories = any(
        isinstance(part, str) for each in listed if isinstance(each, (list, tuple)) for part in each
    )
    if kinds in (("edges",), ("cells",)) or (kinds == ("label",) and categories):
        return timed.table.notes(timed.implied)
    return timed.table.notes(question.about)
