"""Releases as long tables: a row for each number, with its name, its value, and its interval if it has one.

Numbers have the digits that mean something, as a receipt prints them; the value of a release has all.
"""

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, Literal

from noisewise.errors import ParameterError
from noisewise.results.grouped_release import GroupedRelease, column_of, frame_of
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import Release

Columns = dict[str, list[Any]]
LIBRARIES: tuple[Literal["polars", "pandas", "pyarrow"], ...] = ("polars", "pandas", "pyarrow")
Part = tuple[str, Any, Any, Any]
"""A number's name, the number, and both ends of its interval."""
Parts = Callable[..., Iterator[Part]]


def printed_parts(release: Release, value: object, low: object = None, high: object = None) -> Iterator[Part]:
    """The same with the text that a receipt prints for each number."""
    for name, number, least, most in parts_of(release, value, low, high):
        text = "no answer" if number is None else release.printed(number)
        ends = (None, None) if least is None else (release.printed(least, -1), release.printed(most, 1))
        yield name, text, *ends


def parts_of(release: Release, value: object, low: object = None, high: object = None) -> Iterator[Part]:
    """The numbers of an answer with their names; of a table, row by row."""
    if not isinstance(value, tuple):
        yield "", value, low, high
    elif release.form == "distribution":
        for index, (name, (each, _)) in enumerate(zip(names_of(release, len(value)), value, strict=True)):
            yield name, each, *(end[index] if isinstance(end, tuple) else None for end in (low, high))
    else:
        yield from _entries(release, value, low, high)


def _entries(
    release: Release, value: tuple[Any, ...], low: object, high: object, path: tuple[str, ...] = ()
) -> Iterator[Part]:
    """The numbers that lie in tuples, however deep."""
    axes = release.names
    named = (
        len(path) < len(axes) and isinstance(axes[len(path)], tuple) and len(axes[len(path)]) == len(value)
    )
    names = axes[len(path)] if named else names_of(release, len(value))
    for index, (name, each) in enumerate(zip(names, value, strict=True)):
        least, most = (end[index] if isinstance(end, tuple) else None for end in (low, high))
        if isinstance(each, tuple):
            yield from _entries(release, each, least, most, (*path, name))
        else:
            yield ", ".join((*path, name)), each, least, most


def names_of(release: Release, count: int) -> tuple[str, ...]:
    """What each of so many numbers is called: as the question says, as its columns are, or by its place."""
    for names in (release.names, release.columns):
        if len(names) == count and all(isinstance(name, str) for name in names):
            return names
    return tuple(str(place) for place in range(1, count + 1))


def readable_parts(
    release: Release, value: object, low: object = None, high: object = None
) -> Iterator[Part]:
    """The numbers of an answer with their names, without digits that mean nothing."""
    for name, number, least, most in parts_of(release, value, low, high):
        yield name, release.readable(number), release.readable(least, -1), release.readable(most, 1)


def columns_of(release: Release, parts_of: Parts = readable_parts) -> Columns:
    """The long table of one release."""
    interval = release.noise_interval
    low, high = (None, None) if interval is None else interval
    parts = list(parts_of(release, release.value, low, high))
    names = [name or release.what for name, *_ in parts]
    columns: Columns = {"name": names, "value": column_of(tuple(value for _, value, *_ in parts))}
    if release.form == "distribution":
        columns["share"] = [float(f"{share:.6g}") for _, share in release.value]
        del columns["name"]
    if interval is not None:
        columns |= {"low": [part[2] for part in parts], "high": [part[3] for part in parts]}
    if release.count is not None:
        columns["n"] = [release.count] * len(parts)
    return columns


def columns_of_joint(release: JointRelease) -> Columns:
    """The long table of several answers."""
    answers = [(each, each.noise_interval or (None, None)) for each in release.values()]
    parts = [list(readable_parts(each, each.value, *ends)) for each, ends in answers]
    named = [(question, *part) for question, rows in zip(release, parts, strict=True) for part in rows]
    return _arranged(named, [(row[0],) for row in named], ("question",))


def columns_of_groups(release: GroupedRelease, parts_of: Parts = readable_parts) -> Columns:
    """The long table of the answers of all groups."""
    rows, keys = [], []
    listed = list(zip(*release.keys.columns, strict=True))
    for question, each in release.each.items():
        interval = each.noise_interval
        for index, (key, value) in enumerate(zip(listed, each.value, strict=True)):
            ends = (None, None) if interval is None else (interval.low[index], interval.high[index])
            for part in parts_of(each, value, *ends):
                rows.append((question, *part))
                keys.append((*key, question) if len(release.each) > 1 else key)
    names = (*release.keys.names, *(["question"] if len(release.each) > 1 else []))
    return _arranged(rows, keys, names)


def _arranged(rows: list[Any], keys: list[Any], names: tuple[str, ...]) -> Columns:
    """Keys, the names of numbers where there are any, values, and intervals where there are any."""
    columns: Columns = {name: [key[index] for key in keys] for index, name in enumerate(names)}
    if any(name for _, name, *_ in rows):
        columns[_free("name", names)] = [name for _, name, *_ in rows]
    columns[_free("value", names)] = column_of(tuple(row[2] for row in rows))
    if any(row[3] is not None for row in rows):
        columns[_free("low", names)] = column_of(tuple(row[3] for row in rows))
        columns[_free("high", names)] = column_of(tuple(row[4] for row in rows))
    return columns


def _free(name: str, taken: tuple[str, ...]) -> str:
    """A name that no column of keys has."""
    while name in taken:
        name += "_"
    return name


def frame_of_columns(columns: Columns, like: object = None) -> Any:
    """A data frame in memory: of the library that ``like`` is of, or of the first that is loaded or installed."""
    import narwhals as nw

    frame = None if like is None else nw.from_native(like, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        backend = frame.implementation
        return frame_of(lambda given: nw.from_dict(given, backend=backend).to_native(), columns)
    there = [each for each in LIBRARIES if each in sys.modules or find_spec(each) is not None]
    if not there:
        raise ParameterError(
            "a data frame", "must have a library", fix="install polars, pandas or pyarrow"
        ) from None
    library = next((each for each in there if each in sys.modules), there[0])
    return frame_of(lambda given: nw.from_dict(given, backend=library).to_native(), columns)
