"""Pictures of releases. They are made only of what was released."""

import math
import re
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import spell
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.pictures.charts import ChartRow, bars, distribution, heat_map, histogram, points
from noisewise.results.pictures.svg import Picture, stacked
from noisewise.results.release import AnswerInterval, Release
from noisewise.results.tidy import AnyRelease, Row, dimensions_of, rows_of


def picture_of(release: Release) -> Picture:
    """Draw a release of several numbers: counts as bars, a distribution as a line, and other numbers as points."""
    note = note_of(release, release.noise_interval)
    if not isinstance(release.value, tuple):
        if release.noise_interval is None:
            raise not_drawn(release.what, "a single answer without an interval")
        rows = list(rows_of(release))
        lengths, numbers = [_chart_row(row) for row in rows], all(_is_number(row.value) for row in rows)
        return points(lengths, title=release.what, note=note, scaled=numbers, across=_axis(release))
    if release.is_table and len(release.names) == 2 and max(map(len, release.names)) <= MOST_CELLS:
        axes = release.labels or dimensions_of(release)
        return heat_map(
            *release.names, release.value, title=release.what, across=(axes[0], axes[1]), note=note
        )
    rows = list(rows_of(release))
    edges = _edges(release)
    if edges:
        lengths = [_chart_row(row) for row in rows]
        across = _axis(release) or "value"
        return histogram(edges, lengths, title=release.what, across=across, note=note)
    if release.form != "distribution" or not all(_is_number(row.value) for row in rows):
        return _rows_of_numbers(release, (release.value,), rows, title=release.what, note=note)
    lengths = [_chart_row(row) for row in rows]
    pairs = [(row.value, share) for row, (_, share) in zip(lengths, release.value, strict=True)]
    band = [(row.low, row.high) for row in lengths if row.low is not None and row.high is not None]
    return distribution(pairs, title=release.what, note=note, band=band)


def picture_of_groups(release: GroupedRelease, name: str | None = None) -> Picture:
    """Draw the answers to one question, with a row for each group and number."""
    if (name is None and len(release.each) > 1) or (name is not None and name not in release.each):
        raise ParameterError(
            "name", "must be that of one answer", got=repr(name), fix=f"one of {', '.join(release.each)}"
        ) from None
    answer = release.each[name or next(iter(release.each))]
    title = f"{answer.what} by {', '.join(release.keys.names)}"
    note = note_of(release.about, answer.noise_interval)
    rows = [row for row in rows_of(release) if row.answer is answer]
    return _rows_of_numbers(answer, answer.value, rows, title=title, note=note)


def any_picture(release: AnyRelease) -> Picture:
    """Draw all answers of a release below each other. An answer that has no picture is written. This never fails."""
    drawn = []
    each = {"": release} if isinstance(release, Release) else release.each
    for name, one in each.items():
        try:
            grouped = isinstance(release, GroupedRelease)
            drawn.append(picture_of_groups(release, name) if grouped else picture_of(one))  # type: ignore[arg-type]
        except ParameterError:
            rows = [row for row in rows_of(release) if row.answer is one]
            texts = [ChartRow(_name_of(row), math.nan, str(row.printed().value)) for row in rows]
            drawn.append(points(texts, title=one.what, note=note_of(one, None), scaled=False))
    return drawn[0] if len(drawn) == 1 else stacked(drawn, title=release.what)


MOST_CELLS = 13
"""The most rows and columns of a heat map, with the totals."""
BIN = re.compile(r"\[(\S+), (\S+)[)\]]")


def _edges(release: Release) -> list[float]:
    """Return the edges of bins of numbers; empty if the answer has no such bins."""
    found = [BIN.fullmatch(name) for name in release.names if isinstance(name, str)]
    if release.form != "counts" or not found or len(found) != len(release.value) or None in found:
        return []
    try:
        ends = [tuple(float(end.replace(",", "")) for end in each.groups()) for each in found if each]
    except ValueError:  # dates
        return []
    if any(high != low for (_, high), (low, _) in pairwise(ends)) or not all(
        map(math.isfinite, ends[0] + ends[-1])
    ):
        return []
    return [*(low for low, _ in ends), ends[-1][1]]


def _axis(release: Release) -> str:
    """Return what the numbers on an axis are: the columns, with their units of measure if the Dataset knows them."""
    return ", ".join(release.labels or release.columns)


def _rows_of_numbers(
    answer: Release, values: tuple[Any, ...], rows: list[Row], *, title: str, note: str
) -> Picture:
    """Draw counts as bars, and other numbers as points. Refuse ``values`` that hold a matrix."""
    if answer.form not in ("distribution", "counts") and any(
        isinstance(part, tuple) for value in values if isinstance(value, tuple) for part in value
    ):
        raise not_drawn(answer.what, "a matrix")
    lengths = [_chart_row(row) for row in rows]
    if answer.form == "counts":
        return bars(lengths, title=title, note=note)
    scaled = all(_is_number(row.value) for row in rows)
    return points(lengths, title=title, note=note, scaled=scaled, across=_axis(answer))


def note_of(release: Release, interval: AnswerInterval | None) -> str:
    """Return a line that says what the answer cost, and what the lines of its interval mean."""
    warning = "" if release.private else "NOT PRIVATE, drawn from a seed. "
    if interval is None:
        return f"{warning}{release.privacy}"
    sure = f"{spell(100 * interval.confidence)}%"
    truth = {
        "answer": "the true number lies in its",
        "all": "all true numbers lie at once in their",
        "each": "each true number lies in its",
    }[interval.scope]
    return f"{warning}With probability {sure} {truth} interval{'s' * (interval.scope == 'all')}. {release.privacy}"


def not_drawn(what: str, got: str) -> ParameterError:
    return ParameterError("plot", f"must be asked of several numbers, for {what}", got=got)


def _chart_row(row: Row) -> ChartRow:
    """Return a row of a chart: a number, and its text as a receipt prints it. Refuse a value that has no length."""
    what, text, name = row.answer.what, row.printed(), _name_of(row)
    if row.low is None:
        return ChartRow(name, _length(row.value, what), "" if row.value is None else text.value)
    low, high = _length(row.low, what), _length(row.high, what)
    return ChartRow(
        name,
        _length(row.value, what),
        text.value,
        low,
        high,
        "only" if row.low == row.high else f"{text.low} to {text.high}",
    )


def _name_of(row: Row) -> str:
    return ": ".join(filter(None, (", ".join(map(str, row.key)), row.name)))


def _length(value: Any, what: str) -> float:
    """Return a number, date or duration as a number, or NaN if there is no answer."""
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


def _is_number(value: object) -> bool:
    """Whether a value is a number or None. Dates and durations are not: an axis would write them as numbers."""
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
