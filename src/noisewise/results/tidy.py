"""The numbers of a release, a row each, for data frames, HTML and pictures.

A row has the number's key and question, its name, and the ends of its interval. `Row.readable` rounds numbers as a
receipt prints them, and `Row.printed` writes them as text. The value of a release has all digits.
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
    """A number of an answer; ``low`` and ``high`` are the ends of its interval, or None."""

    answer: Release
    question: str
    key: tuple[Any, ...]
    name: str
    value: Any
    low: Any
    high: Any

    def readable(self) -> "Row":
        """The row with numbers rounded to the digits that a receipt prints, the interval outwards."""
        number = self.answer.readable
        return self._replace(value=number(self.value), low=number(self.low, -1), high=number(self.high, 1))

    def printed(self) -> "Row":
        """The row with the text that a receipt prints for each number."""
        text = self.answer.printed
        row = self._replace(value="no answer" if self.value is None else text(self.value))
        return row if self.low is None else row._replace(low=text(self.low, -1), high=text(self.high, 1))


def rows_of(release: AnyRelease) -> Iterator[Row]:
    """The numbers of a release: question by question, in groups key by key, and a table row by row."""
    for question, answer, key, value, low, high in _answers(release):
        for name, number, lower, upper in _numbers(answer, value, low, high):
            yield Row(answer, question, key, name, number, lower, upper)


def _answers(release: AnyRelease) -> Iterator[tuple[str, Release, tuple[Any, ...], Any, Any, Any]]:
    """Each answer with its question, its key, its value and the ends of its interval."""
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
    """The numbers in a value, however deep in tuples, with their names and the ends of their intervals."""
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
    """The names of ``count`` numbers: those of the question, those of its columns, or 1, 2, 3 and so on."""
    for names in (release.names, release.columns):
        if len(names) == count and all(isinstance(name, str) for name in names):
            return names
    return tuple(str(place) for place in range(1, count + 1))


def columns_of(release: AnyRelease, digits: Callable[[Row], Row] = Row.readable) -> Columns:
    """The long table of a release. A column stands in it only if the release has something to put there."""
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
    """The long table of a release as a data frame."""
    return frame_of_columns(columns_of(release), like)


def frame_of_columns(columns: Columns, like: object = None) -> Any:
    """A data frame in memory: of the library that ``like`` is of, or of the first that is loaded or installed."""
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
