"""Pictures of releases, made of what was released and of nothing else."""

import math
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import spell
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.pictures.charts import ChartRow, bars, distribution, points
from noisewise.results.pictures.svg import Picture
from noisewise.results.release import AnswerInterval, Release
from noisewise.results.tidy import Part, parts_of


def picture_of(release: Release) -> Picture:
    """A release of several numbers: counts as bars, a distribution as a line, other numbers as points."""
    value, interval = release.value, release.noise_interval
    if not isinstance(value, tuple) or any(_matrix(release, each) for each in value):
        raise not_drawn(release.what, "a single answer" if not isinstance(value, tuple) else "a matrix")
    low, high = (None, None) if interval is None else interval
    rows = _rows(list(parts_of(release, value, low, high)), release)
    note = note_of(release, interval)
    scaled = _are_numbers(release, value)
    if release.form == "distribution" and scaled:
        pairs = [(row.value, share) for row, (_, share) in zip(rows, value, strict=True)]
        return distribution(
            pairs,
            title=release.what,
            note=note,
            band=[(row.low, row.high) for row in rows if row.low is not None and row.high is not None],
        )
    if release.form == "counts":
        return bars(rows, title=release.what, note=note)
    return points(rows, title=release.what, note=note, scaled=scaled)


def picture_of_groups(release: GroupedRelease, name: str | None = None) -> Picture:
    """A row for each group and number of one question."""
    if (name is None and len(release.each) > 1) or (name is not None and name not in release.each):
        raise ParameterError(
            "name", "must be that of one answer", got=repr(name), fix=f"one of {', '.join(release.each)}"
        ) from None
    each = release.each[name or next(iter(release.each))]
    interval = each.noise_interval
    parts: list[Part] = []
    for index, (key, value) in enumerate(
        zip(zip(*release.keys.columns, strict=True), each.value, strict=True)
    ):
        ends = (None, None) if interval is None else (interval.low[index], interval.high[index])
        if isinstance(value, tuple) and any(_matrix(each, inner) for inner in value):
            raise not_drawn(each.what, "a matrix")
        for part, number, low, high in parts_of(each, value, *ends):
            key_text = ", ".join(map(str, key))
            parts.append((f"{key_text}: {part}" if part else key_text, number, low, high))
    title, note = f"{each.what} by {', '.join(release.keys.names)}", note_of(release.about, interval)
    rows = _rows(parts, each)
    if each.form == "counts":
        return bars(rows, title=title, note=note)
    return points(rows, title=title, note=note, scaled=all(_is_number(number) for _, number, *_ in parts))


def note_of(release: Release, interval: AnswerInterval | None) -> str:
    """What it costs, and what whiskers mean."""
    warning = "" if release.private else "NOT PRIVATE, drawn from a seed; "
    if interval is None:
        return f"{warning}{release.privacy}"
    sure = f"{spell(100 * interval.confidence)}%"
    scope = {"answer": "with", "all": "all at once with", "each": "each with"}[interval.scope]
    return f"{warning}{release.privacy}; whiskers: the true numbers, {scope} probability {sure}"


def not_drawn(what: str, got: str) -> ParameterError:
    return ParameterError("plot", f"must be asked of several numbers, for {what}", got=got)


def _matrix(release: Release, value: object) -> bool:
    return isinstance(value, tuple) and release.form not in ("distribution", "counts")


def _rows(parts: Sequence[Part], release: Release) -> list[ChartRow]:
    """Numbers as lengths, with the text that a receipt prints; what has no length is refused."""
    return [
        ChartRow(
            name,
            _length(value, release.what),
            "" if value is None else release.printed(value),
            None if low is None else _length(low, release.what),
            None if high is None else _length(high, release.what),
            "" if low is None else f"{release.printed(low, -1)} to {release.printed(high, 1)}",
        )
        for name, value, low, high in parts
    ]


def _length(value: Any, what: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) if isinstance(value, float) or abs(value) > 2**53 else value
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, date):
        return float(value.toordinal())
    if isinstance(value, timedelta):
        return value.total_seconds()
    raise not_drawn(what, type(value).__name__) from None


def _are_numbers(release: Release, value: tuple[Any, ...]) -> bool:
    """Whether an answer is numbers, and not dates or durations, which an axis would write as numbers."""
    firsts = (each[0] for each in value) if release.form == "distribution" else iter(value)
    return all(_is_number(each) for each in firsts)


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
