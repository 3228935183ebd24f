"""The numbers of a release as rows, for data frames, HTML and pictures.

A row has one number with its key, its question, its name and the ends of its interval. `Row.readable` rounds numbers as
a receipt prints them, and `Row.printed` writes them as text. The value of the release itself has all digits.
"""

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import product
from typing import Any, Literal, NamedTuple

from noisewise.errors import ParameterError
from noisewise.results.grouped_release import GroupedRelease, answer_columns, column_of, make_frame
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import Release
from noisewise.tables.groups.keys import Keys

AnyRelease = Release | GroupedRelease | JointRelease
Columns = dict[str, list[Any]]
Library = Literal["polars", "pandas", "pyarrow"]
LIBRARIES: tuple[Library, ...] = ("polars", "pandas", "pyarrow")


class Row(NamedTuple):
    """One number of an answer. ``low`` and ``high`` are the ends of its interval, or None if it has no interval.

    ``path`` names the number: a name for each axis of a table, at most one for other answers.
    """

    answer: Release
    question: str
    key: tuple[Any, ...]
    path: tuple[str, ...]
    value: Any
    low: Any
    high: Any

    @property
    def name(self) -> str:
        return ", ".join(self.path)

    def readable(self) -> "Row":
        """Return the row with numbers rounded as a receipt prints them. The interval is rounded outwards."""
        number = self.answer.readable
        return self._replace(value=number(self.value), low=number(self.low, -1), high=number(self.high, 1))

    def printed(self) -> "Row":
        """Return the row with each number as the text that a receipt prints."""
        text = self.answer.printed
        row = self._replace(value="no answer" if self.value is None else text(self.value))
        return row if self.low is None else row._replace(low=text(self.low, -1), high=text(self.high, 1))


def rows_of(release: AnyRelease) -> Iterator[Row]:
    """Yield the numbers of a release, in the order of questions, then of keys, then of the rows of a table."""
    for question, answer, key, value, low, high in _answers(release):
        for path, number, lower, upper in _numbers(answer, value, low, high):
            yield Row(answer, question, key, path, number, lower, upper)


def _answers(release: AnyRelease) -> Iterator[tuple[str, Release, tuple[Any, ...], Any, Any, Any]]:
    """Yield for each answer: its question, its release, its key, its value and the ends of its interval."""
    if isinstance(release, GroupedRelease):
        keys = list(zip(*release.keys.columns, strict=True))
        for question, answer in release.each.items():
            ends = answer.noise_interval or ((None,) * len(keys),) * 2
            for key, *numbers in zip(keys, answer.value, *ends, strict=True):
                yield question, answer, key, *numbers
    else:
        for question, answer in [("", release)] if isinstance(release, Release) else release.items():
            yield question, answer, (), answer.value, *(answer.noise_interval or (None, None))


def _numbers(
    answer: Release, value: Any, low: Any, high: Any, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any, Any, Any]]:
    """Yield the numbers in a value, which may be a tuple of tuples, with their names and the ends of intervals.

    The totals of a table are left out, so that the numbers can be added up.
    """
    if not isinstance(value, tuple):
        yield path, value, low, high
        return
    axis = answer.names[len(path)] if len(path) < len(answer.names) else None
    names = axis if isinstance(axis, tuple) and len(axis) == len(value) else names_of(answer, len(value))
    shown = len(value) - 1 if answer.is_table else len(value)
    for index, (name, part) in enumerate(zip(names[:shown], value, strict=False)):
        number = part[0] if answer.form == "distribution" else part
        lower, upper = (end[index] if isinstance(end, tuple) else None for end in (low, high))
        yield from _numbers(answer, number, lower, upper, (*path, name))


def names_of(release: Release, count: int) -> tuple[str, ...]:
    """Return names for ``count`` numbers: the names in the release, or the names of columns, or 1, 2, 3 and so on."""
    for names in (release.names, release.columns):
        if len(names) == count and all(isinstance(name, str) for name in names):
            return names
    return tuple(str(place) for place in range(1, count + 1))


def columns_of(release: AnyRelease, digits: Callable[[Row], Row] = Row.readable) -> Columns:
    """Return the numbers of a release as columns of a table. A column is left out if it would be empty."""
    rows = [digits(row) for row in rows_of(release)]
    columns: Columns = {}

    def add(name: str, values: list[Any]) -> None:
        while name in columns:
            name += "_"
        columns[name] = values

    single = release if isinstance(release, Release) else None
    grouped = release if isinstance(release, GroupedRelease) else None
    for index, name in enumerate(grouped.keys.names if grouped else ()):
        add(name, [row.key[index] for row in rows])
    if not single and not (grouped and len(grouped.each) == 1):
        add("question", [row.question for row in rows])
    shares = single and single.form == "distribution"
    axes = {dimensions_of(row.answer) for row in rows}
    if len(axes) == 1 and (dimensions := axes.pop()):
        for index, name in enumerate(dimensions):
            add(name, [row.path[index] for row in rows])
    elif (single and not shares) or (not single and any(row.name for row in rows)):
        add("name", [row.name or (single.what if single else "") for row in rows])
    add("value", column_of(tuple(row.value for row in rows)))
    if single and shares:
        add("share", [float(f"{share:.6g}") for _, share in single.value])
    if any(row.low is not None for row in rows):
        add("low", column_of(tuple(row.low for row in rows)))
        add("high", column_of(tuple(row.high for row in rows)))
    if single and single.count is not None:
        add("n", [single.count] * len(rows))
    return columns


def frame_of(release: AnyRelease, like: object = None) -> Any:
    """Return the numbers of a release as a data frame with a row for each number."""
    return frame_of_columns(columns_of(release), like)


def frame_of_columns(columns: Columns, like: object = None) -> Any:
    """Return a data frame in memory, of the library of ``like`` or of the first library that is loaded or installed."""
    import narwhals as nw

    frame = None if like is None else nw.from_native(like, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        backend = frame.implementation
        return make_frame(lambda given: nw.from_dict(given, backend=backend).to_native(), columns)
    installed = [each for each in LIBRARIES if each in sys.modules or find_spec(each) is not None]
    if not installed:
        raise ParameterError(
            "a data frame", "must have a library", fix="install polars, pandas or pyarrow"
        ) from None
    return _frame(next((each for each in installed if each in sys.modules), installed[0]), columns)


def _frame(library: Library, columns: Columns) -> Any:
    import narwhals as nw

    return make_frame(lambda given: nw.from_dict(given, backend=library).to_native(), columns)


def frame_in(library: Literal["polars", "pandas"], release: Any) -> Any:
    """Return the table of ``release.frame`` as a data frame of this library."""
    grouped = isinstance(release, GroupedRelease)
    columns = columns_of_groups(release.keys, release.each) if grouped else columns_of(release)
    return columns_in(library, columns)


def columns_in(library: Literal["polars", "pandas"], columns: Columns) -> Any:
    """Return columns as a data frame of this library."""
    if find_spec(library) is None:
        raise ParameterError(
            library, "must be installed", fix=f"pip install 'noisewise[{library}]'"
        ) from None
    return _frame(library, columns)


def columns_of_groups(keys: Keys, each: dict[str, Release]) -> Columns:
    """Return keys, answers, ends of intervals and counts as columns, with a row for each group."""
    columns = dict(zip(keys.names, map(list, keys.columns), strict=True))
    for column in answer_columns(keys.names, each):
        columns[column.name] = column_of(column.readable())
    return columns


def dimensions_of(release: Release) -> tuple[str, ...]:
    """Return the names of the axes of a table; empty if the release is no table."""
    if not release.is_table:
        return ()
    return release.columns or tuple(f"column {n}" for n in range(1, len(release.names) + 1))


def wide_columns(release: Release, totals: bool) -> Columns:
    """Return a table of counts as columns: the categories of all axes but the last, then one for each of the last."""
    if not release.is_table:
        raise ParameterError("wide", f"must be asked of a crosstab, for {release.what}") from None
    *outer, last = (names if totals else names[:-1] for names in release.names)
    titles = dimensions_of(release)
    columns: Columns = {}
    listed = list(product(*map(range, map(len, outer))))

    def add(name: str, values: list[Any]) -> None:
        while name in columns:
            name += "_"
        columns[name] = values

    for axis, names in enumerate(outer):
        add(titles[axis], [names[place[axis]] for place in listed])
    for index, category in enumerate(last):
        add(category, [_cell(release.value, (*place, index)) for place in listed])
    return columns


def wide_frame(release: Release, totals: bool) -> Any:
    """Return a table of counts as a wide data frame."""
    return frame_of_columns(wide_columns(release, totals))


def _cell(value: Any, places: tuple[int, ...]) -> Any:
    for place in places:
        value = value[place]
    return value


MOST_PRINTED = 20
"""The most rows and columns of a table that a receipt prints."""


def table_lines(release: Release) -> list[str]:
    """Return a table of counts as lines of text, with its totals."""
    columns = wide_columns(release, totals=True)
    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    shown = [
        [f"{each:,}" if isinstance(each, int) else str(each) for each in row[:MOST_PRINTED]] for row in rows
    ]
    shown = shown[: MOST_PRINTED + 1]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = ["  " + "  ".join(map(str.rjust, row, widths)) for row in shown]
    left_out = len(rows) > len(shown) or len(rows[0]) > MOST_PRINTED
    return [
        *lines,
        *([f"  ... ({len(rows) - 1:,} rows, {len(rows[0]):,} columns in all: see .wide())"] * left_out),
    ]
