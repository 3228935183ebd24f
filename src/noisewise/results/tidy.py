"""The numbers of a release as rows, for data frames, HTML and pictures.

A row has one number with its key, its question, its name and the ends of its interval. `Row.readable` rounds numbers as
a receipt prints them, and `Row.printed` writes them as text. The value of the release itself has all digits.
"""

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from noisewise.errors import ParameterError
from noisewise.results.grouped_release import GroupedRelease, column_of, make_frame
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import Release

AnyRelease = Release | GroupedRelease | JointRelease
Columns = dict[str, list[Any]]
LIBRARIES: tuple[Literal["polars", "pandas", "pyarrow"], ...] = ("polars", "pandas", "pyarrow")


class Row(NamedTuple):
    """One number of an answer. ``low`` and ``high`` are the ends of its interval, or None if it has no interval."""

    answer: Release
    question: str
    key: tuple[Any, ...]
    name: str
    value: Any
    low: Any
    high: Any

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
        for name, number, lower, upper in _numbers(answer, value, low, high):
            yield Row(answer, question, key, name, number, lower, upper)


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
) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield the numbers in a value, which may be a tuple of tuples, with their names and the ends of intervals."""
    if not isinstance(value, tuple):
        yield ", ".join(path), value, low, high
        return
    axis = answer.names[len(path)] if len(path) < len(answer.names) else None
    names = axis if isinstance(axis, tuple) and len(axis) == len(value) else names_of(answer, len(value))
    for index, (name, part) in enumerate(zip(names, value, strict=True)):
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
    if (single and not shares) or (not single and any(row.name for row in rows)):
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
    library = next((each for each in installed if each in sys.modules), installed[0])
    return make_frame(lambda given: nw.from_dict(given, backend=library).to_native(), columns)
