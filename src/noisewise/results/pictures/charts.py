"""Charts of numbers: lines, bars and points with their intervals, a distribution, and a sum that grows."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from noisewise.results.pictures.svg import (
    COLORS,
    LEFT,
    LETTER,
    RIGHT,
    WIDTH,
    Axis,
    Chart,
    Picture,
    dot,
    horizontal,
    line,
    number,
    path,
    quoted,
    short,
    stroke,
    text_at,
    upright,
    vertical,
    whole_picture,
)

PLOT, TOP, BOTTOM = 200, 30, 40
STAIRS = 90
LEGEND, NARROW = 14, 24
"""The height of a line of the legend, and the length of names up to which two fit beside each other."""

MOST_LINES = len(COLORS)
MOST_ROWS, ROW = 200, 20
"""The most rows of a picture, and the height of one."""
WIDEST, MOST_TEXT = 170, 340
"""The most pixels for names, and for names and numbers together."""
MOST_EDGES = 24
"""The most edges of bins that are all ticks of an axis."""
DESCRIBED = 20
"""The most numbers that a description holds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A named line through points, from left to right."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A named number, as text and as a length, and the interval around it if there is one."""

    name: str
    value: float
    text: str
    low: float | None = None
    high: float | None = None
    around: str = ""
    """The interval as text."""

    @property
    def text_with_interval(self) -> str:
        return f"{self.name}: {self.text}{f' ({self.around})' if self.around else ''}"

    @property
    def numbers(self) -> list[float]:
        given = (self.value, self.low, self.high)
        return [each for each in given if each is not None and math.isfinite(each)]


def line_chart(
    lines: Sequence[Line],
    *,
    title: str,
    note: str,
    across: str,
    up: str = "",
    equal: bool = False,
    log: bool = False,
    marks: Sequence[float] = (),
    stairs: Sequence[tuple[float, float]] = (),
) -> Picture:
    """Lines on axes from 0 up, or with ``log`` on logarithmic axes, without points that are not above 0.

    With ``equal`` both axes have the same scale, so that circles are round, and need not begin at 0.
    ``marks`` are short lines under the axis, for example at records. ``stairs`` are drawn below on the same axis: a
    height at each place, such as how many people would have to change their data for the answer to get there.
    """
    shown = [
        Line(each.name, tuple((x, y) for x, y in each.points if not log or (x > 0 and y > 0)))
        for each in lines[:MOST_LINES]
    ]
    points = [point for each in shown for point in each.points] or [(1.0, 1.0)]
    legend, top = _legend(shown)
    floor, space = top + PLOT, 10 if marks else 0
    x_axis = Axis(min(x for x, _ in points), max(x for x, _ in points), LEFT, WIDTH - RIGHT, log)
    low = min(y for _, y in points) if log else 0
    y_axis = Axis(low, max(y for _, y in points) or 1, floor, top, log)
    if equal:
        x_axis, y_axis = _on_one_scale(x_axis, replace(y_axis, least=min(y for _, y in points)))
    parts = [*horizontal(x_axis, floor + space, across), *vertical(y_axis, LEFT, WIDTH - RIGHT), *legend]
    if up:
        parts.append(upright(18, (top + floor) / 2, up))
    parts += [
        line(x_axis.at(mark), floor + 1, x_axis.at(mark), floor + 9, "whisker")
        for mark in marks
        if x_axis.least <= mark <= x_axis.most
    ]
    for index, each in enumerate(shown):
        places = [(x_axis.at(x), y_axis.at(y)) for x, y in each.points]
        if places:
            parts.append(path(places, stroke(index)))
        parts += [dot(x, y, 3, index) for x, y in places if log]
    height = floor + BOTTOM + space
    description = "; ".join(
        f"{each.name + ': ' if each.name else ''}{_described(each.points[:DESCRIBED])}" for each in shown
    )
    if stairs:
        parts += _stairs(stairs, x_axis, height)
        height += STAIRS + 24
        description += f"; people needed: {_described(stairs[:: -(-len(stairs) // DESCRIBED)])}"
    numbers = tuple({"name": each.name, "x": x, "y": y} for each in shown for x, y in each.points)
    chart = Chart("line", numbers, across=across, up=up, log=log)
    return whole_picture(parts, height, title=title, description=description, note=note, chart=chart)


def _on_one_scale(*axes: Axis) -> list[Axis]:
    """Axes on which a unit is equally long, with their numbers in the middle."""
    unit = max((each.most - each.least) / abs(each.end - each.start) for each in axes) * 1.05
    middles = [((each.most + each.least) / 2, abs(each.end - each.start) / 2) for each in axes]
    return [
        replace(each, least=middle - unit * half, most=middle + unit * half)
        for each, (middle, half) in zip(axes, middles, strict=True)
    ]


def _described(points: Sequence[tuple[float, float]]) -> str:
    return ", ".join(f"{number(y)} at {number(x)}" for x, y in points)


def _steps(places: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Places joined by level and upright lines."""
    steps: list[tuple[float, float]] = []
    for x, y in places:
        steps += [*([(x, steps[-1][1])] if steps else []), (x, y)]
    return steps


def _stairs(stairs: Sequence[tuple[float, float]], x_axis: Axis, top: float) -> list[str]:
    """How many people each place takes, in steps, with an axis of numbers."""
    floor, inside = top + 14 + STAIRS, [(x, y) for x, y in stairs if x_axis.least < x <= x_axis.most]
    before = [y for x, y in stairs if x <= x_axis.least]
    if before:
        inside.insert(0, (x_axis.least, before[-1]))
    if inside:
        inside.append((x_axis.most, inside[-1][1]))
    y_axis = Axis(0, max((y for _, y in inside), default=1) or 1, floor, top + 14)
    places = _steps((x_axis.at(x), y_axis.at(y)) for x, y in inside)
    label = "people who would have to change their data for this to be the true answer"
    return [
        text_at(8, top + 6, label, kind="q small"),
        line(x_axis.start, floor, x_axis.end, floor, "axis"),
        *vertical(y_axis, LEFT, WIDTH - RIGHT),
        *([path(places, stroke(3))] if places else []),
    ]


def bars(rows: Sequence[ChartRow], *, title: str, note: str = "", across: str = "") -> Picture:
    """A bar from 0 for each row, with its noise as a whisker."""
    return _rows(rows, title=title, note=note, bar=True, across=across)


def points(
    rows: Sequence[ChartRow], *, title: str, note: str = "", scaled: bool = True, across: str = ""
) -> Picture:
    """A point for each row, with its interval as a whisker; the axis need not begin at 0.

    With ``scaled=False`` the axis has no numbers. Numbers that stand for dates, for example, mean nothing to a reader.
    """
    return _rows(rows, title=title, note=note, bar=False, scaled=scaled, across=across)


def distribution(
    pairs: Sequence[tuple[float, float]],
    *,
    title: str,
    note: str = "",
    ends: tuple[float, float] | None = None,
    band: Sequence[tuple[float, float]] = (),
) -> Picture:
    """The share of the records at or below each value, with a band if values have intervals."""
    low, high = ends or (min(x for x, _ in pairs), max(x for x, _ in pairs))
    floor = TOP + PLOT
    x_axis, y_axis = Axis(low, high, LEFT, WIDTH - RIGHT), Axis(0, 1, floor, TOP)
    parts = [*horizontal(x_axis, floor, "value"), *vertical(y_axis, LEFT, WIDTH - RIGHT)]
    if band:
        shares = [share for _, share in pairs]
        around = [*zip((b for b, _ in band), shares, strict=True)]
        around += reversed([*zip((t for _, t in band), shares, strict=True)])
        inside = [(x_axis.at(min(max(x, low), high)), y_axis.at(y)) for x, y in around]
        parts.append(path(inside, 'class="f0" fill-opacity="0.25"'))
    places = [(x_axis.at(x), y_axis.at(y)) for x, y in pairs]
    parts.append(path(places, stroke(0)))
    for (x, y), (value, share) in zip(places, pairs, strict=True):
        parts.append(dot(x, y, 3, 0, f"{value:,}: {share:,}"))
    description = "; ".join(f"{value:,}: {share:,}" for value, share in pairs[:DESCRIBED])
    rows = [{"x": value, "y": share} for value, share in pairs]
    rows = [row | {"low": b, "high": t} for row, (b, t) in zip(rows, band, strict=True)] if band else rows
    return whole_picture(
        parts,
        floor + BOTTOM,
        title=title,
        description=f"share at or below: {description}",
        note=note,
        chart=Chart("line", tuple(rows), across="value", up="share at or below"),
    )


def growing(
    sums: Sequence[float],
    most: float,
    *,
    title: str,
    ends: tuple[str, str],
    note: str = "",
    times: Sequence[float] = (),
) -> Picture:
    """A sum that grows in steps towards a limit, over time or step by step; ``ends`` are the texts of both ends."""
    at = list(times) if times and times[-1] > times[0] else [float(i) for i in range(len(sums))]
    floor = TOP + 10 + PLOT
    x_axis = Axis(at[0] if at else 0, at[-1] if at else 1, LEFT, WIDTH - RIGHT)
    y_axis = Axis(0, max([most, *sums]) or 1, floor, TOP + 10)
    parts = [line(LEFT, floor, WIDTH - RIGHT, floor, "axis"), *vertical(y_axis, LEFT, WIDTH - RIGHT)]
    limit = y_axis.at(most)
    parts.append(path([(LEFT, limit), (WIDTH - RIGHT, limit)], stroke(1)))
    parts.append(text_at(LEFT + 4, limit + 14, "budget", kind="q"))
    if steps := _steps((x_axis.at(x), y_axis.at(total)) for x, total in zip(at, sums, strict=True)):
        parts.append(path(steps, stroke(0)))
        parts += [dot(x, y, 2.5, 0) for x, y in steps[::2]]
    parts.append(text_at(LEFT, floor + 16, ends[0], kind="q small"))
    parts.append(text_at(WIDTH - RIGHT, floor + 16, ends[1], kind="q small", anchor="end"))
    description = f"from {ends[0]} to {ends[1]}: {number(sums[-1]) if sums else 0} of {number(most)}"
    rows = tuple({"x": x, "y": total} for x, total in zip(at, sums, strict=True))
    chart = Chart("step", rows, across=f"{ends[0]} to {ends[1]}", limit=most)
    return whole_picture(parts, floor + 22, title=title, description=description, note=note, chart=chart)


def _rows(
    rows: Sequence[ChartRow], *, title: str, note: str, bar: bool, scaled: bool = True, across: str = ""
) -> Picture:
    """Rows below each other: the name of a number, its mark, and its text with its interval."""
    shown = list(rows[:MOST_ROWS])
    numbers = [each for row in shown for each in row.numbers]
    low, high = (min(numbers, default=0.0), max(numbers, default=1.0))
    if bar:
        low, high = min(0.0, low), max(0.0, high)
    else:
        pad = (high - low) / 20 or abs(high) / 20 or 1.0
        low, high = (low if low == 0 else low - pad), high + pad
    names = min(max((len(row.name) for row in shown), default=1) * LETTER, WIDEST)
    around = max((len(f" ({row.around})") for row in shown if row.around), default=0) * LETTER
    texts = max((len(row.text) for row in shown), default=1) * LETTER
    if texts + around + names > MOST_TEXT:
        around = 0
    left, right = 16 + names, WIDTH - max(RIGHT, min(texts + around, MOST_TEXT - names) + 12)
    edge = 0 if bar else 8
    axis = Axis(low, high if high > low else low + 1, left + edge, right - edge)
    parts, floor = [], TOP + ROW * len(shown)
    if scaled:
        parts += [line(axis.at(tick), TOP, axis.at(tick), floor, "grid") for tick in axis.ticks()]
    for index, row in enumerate(shown):
        middle = TOP + ROW * (index + 0.5)
        parts.append(text_at(left - 8, middle + 4, short(row.name, WIDEST), anchor="end", title=row.name))
        parts += _mark(row, axis, middle, bar=bar)
        text = f"{row.text} ({row.around})" if around and row.around else row.text
        parts.append(text_at(WIDTH - 8, middle + 4, short(text, WIDTH - right - 8), anchor="end", title=text))
    parts += horizontal(axis, floor, across) if scaled else [line(axis.start, floor, axis.end, floor, "axis")]
    if scaled and low > 0 and not bar:
        note = f"{note + '. ' if note else ''}The axis does not begin at 0"
    rest = len(rows) - len(shown)
    left_out = f"{note + '. ' if note else ''}{rest:,} more are not drawn" if rest else note
    description = "; ".join(row.text_with_interval for row in shown[:DESCRIBED])
    marks = tuple(
        {"name": row.name, "value": row.value, "text": row.text, "low": row.low, "high": row.high}
        for row in rows
    )
    chart = Chart("bar" if bar else "point", marks, scaled=scaled)
    below_rows = floor + (26 + 16 * bool(across) if scaled else 10)
    return whole_picture(parts, below_rows, title=title, description=description, note=left_out, chart=chart)


def _mark(row: ChartRow, axis: Axis, middle: float, *, bar: bool) -> list[str]:
    """A bar or a point, and a whisker for its interval. A point without an interval is hollow."""
    if not math.isfinite(row.value):
        return []
    here = axis.at(row.value)
    whisker = (
        row.low is not None and row.high is not None and math.isfinite(row.low) and math.isfinite(row.high)
    )
    if bar:
        zero = axis.at(0)
        x, wide, tall = min(zero, here), abs(here - zero), 0.7 * ROW
        parts = [
            f'<rect class="bar f0" x="{x:.2f}" y="{middle - tall / 2:.2f}" width="{wide:.2f}" height="{tall:.2f}">'
            f"<title>{quoted(row.text_with_interval)}</title></rect>"
        ]
    else:
        parts = [dot(here, middle, 4, 0, row.text_with_interval, hollow=not whisker)]
    if whisker:
        assert row.low is not None and row.high is not None
        low, high = axis.at(row.low), axis.at(row.high)
        lines = [
            f'<path class="whisker" d="M{low:.1f} {middle - 4:.1f}v8m0-4H{high:.1f}m0-4v8"/>'  # caps at both ends
        ]
        parts = [*parts, *lines] if bar else [*lines, *parts]
    return parts


def histogram(
    edges: Sequence[float], rows: Sequence[ChartRow], *, title: str, across: str, note: str = ""
) -> Picture:
    """Upright bars on the scale of the numbers, each as wide as its bin; the count of each bin with its interval."""
    numbers = [each for row in rows for each in row.numbers]
    floor, up = TOP + 22 + PLOT, Axis(min(0.0, *numbers), max([1.0, *numbers]), TOP + 22 + PLOT, TOP + 22)
    x_axis = Axis(edges[0], edges[-1], LEFT, WIDTH - RIGHT)
    parts = [text_at(8, TOP + 10, "count", kind="q"), *vertical(up, LEFT, WIDTH - RIGHT)]
    zero = up.at(0)
    widths = [x_axis.at(end) - x_axis.at(start) for start, end in pairwise(edges)]
    named = all(len(row.text) * LETTER <= wide for row, wide in zip(rows, widths, strict=True))
    for (start, end), row in zip(pairwise(edges), rows, strict=True):
        x, wide = x_axis.at(start), x_axis.at(end) - x_axis.at(start)
        top, gap = up.at(row.value), min(1.0, wide / 8)
        parts.append(
            f'<rect class="bar f0" x="{x + gap / 2:.2f}" y="{min(top, zero):.2f}" width="{wide - gap:.2f}" '
            f'height="{abs(zero - top):.2f}"><title>{quoted(row.text_with_interval)}</title></rect>'
        )
        highest = top
        if row.low is not None and row.high is not None:
            low, highest, middle, cap = up.at(row.low), up.at(row.high), x + wide / 2, min(4.0, wide / 4)
            half = f"{cap:.1f}"
            ends = (
                f"M{middle - cap:.1f} {low:.1f}h{2 * cap:.1f}m-{half} 0V{highest:.1f}m-{half} 0h{2 * cap:.1f}"
            )
            parts.append(f'<path class="whisker" d="{ends}"/>')
        if named:
            parts.append(
                text_at(x + wide / 2, min(highest, top) - 5, row.text, kind="small", anchor="middle")
            )
    parts += horizontal(x_axis, floor, across, ticks=edges if len(edges) <= MOST_EDGES else ())
    description = "; ".join(row.text_with_interval for row in rows[:DESCRIBED])
    marks = tuple(
        {"name": row.name, "value": row.value, "text": row.text, "low": row.low, "high": row.high}
        for row in rows
    )
    return whole_picture(
        parts, floor + BOTTOM, title=title, description=description, note=note, chart=Chart("bar", marks)
    )


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    counts: Sequence[Sequence[int]],
    *,
    title: str,
    across: tuple[str, str],
    note: str = "",
) -> Picture:
    """A table of counts, darker where they are larger. The last row and the last column are totals, without colour."""
    names = min(max(map(len, rows)) * LETTER, WIDEST) + 16
    wide, tall, top = (WIDTH - names - 8) / len(columns), 28, TOP + 34
    most = max((count for row in counts[:-1] for count in row[:-1]), default=1) or 1
    parts = [
        text_at(8, top - 8, short(across[0], names - 8), kind="q"),
        text_at(names, top - 24, short(across[1], WIDTH - names), kind="q"),
    ]
    for index, name in enumerate(columns):
        kind = "q" if index == len(columns) - 1 else "strong"
        parts.append(
            text_at(names + (index + 0.5) * wide, top - 8, short(name, wide), kind=kind, anchor="middle")
        )
    for line_index, (name, values) in enumerate(zip(rows, counts, strict=True)):
        y, total = top + line_index * tall, line_index == len(rows) - 1
        parts.append(
            text_at(names - 8, y + 18, short(name, names - 16), kind="q" if total else "", anchor="end")
        )
        for index, value in enumerate(values):
            x, plain = names + index * wide, total or index == len(values) - 1
            if not plain:
                shade = 0.05 + 0.45 * max(0, value) / most
                parts.append(
                    f'<rect class="cell f0" x="{x:.1f}" y="{y}" width="{wide - 2:.1f}" height="{tall - 2}" '
                    f'fill-opacity="{shade:.3f}"/>'
                )
            parts.append(
                text_at(x + wide / 2, y + 18, f"{value:,}", kind="q" if plain else "", anchor="middle")
            )
    bottom = top + tall * len(rows)
    parts.append(line(8, bottom - tall - 1, WIDTH - 8, bottom - tall - 1, "axis"))
    cells = [
        (f"{name}, {column}", value)
        for name, values in zip(rows, counts, strict=True)
        for column, value in zip(columns, values, strict=True)
    ]
    description = "; ".join(f"{name}: {value:,}" for name, value in cells[:DESCRIBED])
    chart = Chart("bar", tuple({"name": name, "value": value, "text": f"{value:,}"} for name, value in cells))
    return whole_picture(parts, bottom + 6, title=title, description=description, note=note, chart=chart)


def _legend(shown: Sequence[Line]) -> tuple[list[str], int]:
    """The names of lines above the plot, and the height at which the plot begins."""
    if len(shown) < 2:
        return [], TOP
    columns = 2 if all(len(each.name) <= NARROW for each in shown) else 1
    parts = []
    for index, each in enumerate(shown):
        x, y = 8 + index % columns * WIDTH // 2, TOP + 4 + index // columns * LEGEND
        parts.append(path([(x, y - 4), (x + 22, y - 4)], stroke(index)))
        parts.append(text_at(x + 27, y, short(each.name, WIDTH / columns - 40), kind="key"))
    return parts, TOP + 4 + -(-len(shown) // columns) * LEGEND
