"""Which rows behind an engine pass a condition. The expression is true or false for every row, and never missing.

The engine's own filter leaves out rows that do not pass. An engine may run a filter before or after anything else. So
the filter and all later expressions must not fail at any record.
"""

from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.conditions import ColumnKind, Comparison, Condition, Text, Truth, compared
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_records import Spelling, in_microseconds, indicated, numbers
from noisewise.tables.time.clock import Clock


def column_kind(dialect: Dialect, frame: Frame, text: Spelling | None, name: str) -> ColumnKind:
    """The kind of a column in conditions. Its declared type alone decides."""
    import narwhals.stable.v2 as nw

    if (held := dialect.holds(frame, name)) is not None:
        return held
    dtype = frame.collect_schema()[name]
    if dtype.is_numeric() or dtype == nw.Boolean or dialect.holds_nothing(frame, name):
        return "number"
    return "text" if dtype in (nw.String, nw.Categorical, nw.Enum) else "other"


def rows_passing(
    dialect: Dialect, frame: Frame, condition: Condition, text: Spelling | None, unused: str
) -> Frame:
    """The rows that pass. ``unused`` is a name with which no column's name begins."""
    names = frame.collect_schema().names()
    read, passing = marked(dialect, frame, condition, text, unused)
    return read.filter(passing).select(*names)


def marked(
    dialect: Dialect, frame: Frame, condition: Condition, text: Spelling | None, unused: str
) -> tuple[Frame, Expression]:
    """Add columns to the frame, and return it with an expression of them that says whether a row passes."""
    import narwhals.stable.v2 as nw

    aliases = {each: f"{unused}{index}" for index, each in enumerate(dict.fromkeys(condition.comparisons))}
    frame = frame.with_columns(*(nw.col(each.column).alias(alias) for each, alias in aliases.items()))
    for comparison, alias in aliases.items():
        frame = _read(dialect, frame, comparison, alias, text)
    return frame, condition.combined(lambda each: _holds(dialect, each, aliases[each]))


def _read(dialect: Dialect, frame: Frame, comparison: Comparison, alias: str, text: Spelling | None) -> Frame:
    """The frame with the column of a comparison as float64, or as text that is compared byte by byte."""
    import narwhals.stable.v2 as nw

    match comparison.reading:
        case Text():
            return dialect.bytewise(frame.with_columns(nw.col(alias).cast(nw.String)), alias)
        case Clock() as clock:
            return in_microseconds(dialect, frame, alias, clock)
        case Indicator() as indicator:
            return indicated(dialect, frame, alias, indicator)
        case Truth():
            return numbers(dialect, frame, [alias], text, frozenset([alias]))
        case _:
            return numbers(dialect, frame, [alias], text)


def _holds(dialect: Dialect, comparison: Comparison, alias: str) -> Expression:
    """Whether one comparison is true for a row. The expression is never missing."""
    import narwhals.stable.v2 as nw

    x, literals, is_text = nw.col(alias), comparison.literals, isinstance(comparison.reading, Text)
    missing = x.is_null() if is_text else x.is_null() | x.is_nan()
    no, yes = nw.lit(False), nw.lit(True)
    if not literals:
        there, absent = (yes, no) if comparison.relation == "present" else (no, yes)
        return nw.when(missing).then(absent).otherwise(there)
    if is_text:  # leave out text that no record of this engine can be
        known = tuple(each for each in literals if dialect.spells(str(each)))
        among = compared("in", x, known) if known else no
        true = ~among if comparison.relation == "not in" else among
    else:
        true = compared(comparison.relation, x, literals)
    return nw.when(missing).then(no).otherwise(true)
