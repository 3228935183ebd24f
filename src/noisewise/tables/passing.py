"""Which rows of a table in memory pass a condition, read after the debit by a map that is total."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from noisewise.errors import SchemaError
from noisewise.kernel.numbers.arrays import Booleans
from noisewise.tables.columns.array_column import declare
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.columns.labels import declare_labels, series_records
from noisewise.tables.conditions import ColumnKind, Comparison, Condition, Text, compared
from noisewise.tables.groups.key_indices import look_up
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import held_in_memory

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

Passing: TypeAlias = Callable[[], Booleans]
"""Which rows pass, read anew each time it is called. Secret."""


def column_kind(frame: "nw.DataFrame[Any]", name: str) -> ColumnKind:
    """What a column can be compared with, by its declared type alone."""
    series = frame.get_column(name)
    if (held := held_in_memory(series)) is not None:
        return held
    try:
        declare(series.to_native())
        return "number"
    except SchemaError:
        pass
    try:
        return "other" if declare_labels(series.to_native()).kind is float else "text"
    except SchemaError:
        return "other"


def rows_passing(frame: "nw.DataFrame[Any]", condition: Condition) -> Booleans:
    """Whether each row passes."""
    passing: Booleans = condition.combined(lambda each: _holds(frame.get_column(each.column), each))
    return passing


def _holds(series: "nw.Series[Any]", comparison: Comparison) -> Booleans:
    """Whether one comparison is true of each record; of a missing one none is, but that it is missing."""
    reading, literals = comparison.reading, comparison.literals
    if isinstance(reading, Text):
        among = look_up(series, list(dict.fromkeys(literals))) >= 0
        if comparison.relation == "in":
            return among
        texts = (issubclass(type(record), str) for record in series_records(series))
        return np.fromiter(texts, np.bool_, len(series)) & ~among
    if isinstance(reading, Clock):
        numbers = reading.read(series)
    elif isinstance(reading, Indicator):
        numbers = reading.declare(series.to_native()).numbers()
    else:
        numbers = declare(series.to_native()).numbers()
    present = ~np.isnan(numbers)
    if not literals:
        return present if comparison.relation == "present" else ~present
    true: Booleans = present & compared(comparison.relation, numbers, literals)
    return true
