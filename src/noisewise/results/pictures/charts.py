"""Charts of numbers: lines, bars and points with their intervals, a distribution, and a sum that grows."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
MOST_ROWS = 200
TALLEST, ROW = 640, 20
"""The greatest height of all rows together, and of one row."""
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
        parts += [dot(x, y, 3, COLORS[index]) for x, y in places if log]
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


def bars(rows: Sequence[ChartRow], *, title: str, note: str = "") -> Picture:
    """A bar from 0 for each row, with its noise as a whisker."""
    return _rows(rows, title=title, note=note, bar=True)


def points(rows: Sequence[ChartRow], *, title: str, note: str = "", scaled: bool = True) -> Picture:
    """A point for each row, with its interval as a whisker; the axis need not begin at 0.

    With ``scaled=False`` the axis has no numbers. Numbers that stand for dates, for example, mean nothing to a reader.
    """
    return _rows(rows, title=title, note=note, bar=False, scaled=scaled)


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
        parts.append(path(inside, f'fill="{COLORS[0]}" fill-opacity="0.25" stroke="none"'))
    places = [(x_axis.at(x), y_axis.at(y)) for x, y in pairs]
    parts.append(path(places, stroke(0)))
    for (x, y), (value, share) in zip(places, pairs, strict=True):
        parts.append(dot(x, y, 3, COLORS[0], f"{value:,}: {share:,}"))
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
        parts += [dot(x, y, 2.5, COLORS[0]) for x, y in steps[::2]]
    parts.append(text_at(LEFT, floor + 16, ends[0], kind="q small"))
    parts.append(text_at(WIDTH - RIGHT, floor + 16, ends[1], kind="q small", anchor="end"))
    description = f"from {ends[0]} to {ends[1]}: {number(sums[-1]) if sums else 0} of {number(most)}"
    rows = tuple({"x": x, "y": total} for x, total in zip(at, sums, strict=True))
    chart = Chart("step", rows, across=f"{ends[0]} to {ends[1]}", limit=most)
    return whole_picture(parts, floor + 22, title=title, description=description, note=note, chart=chart)


def _rows(rows: Sequence[ChartRow], *, title: str, note: str, bar: bool, scaled: bool = True) -> Picture:
    """Rows below each other: the name of a number, its mark, and its text if rows are high enough."""
    shown = list(rows[:MOST_ROWS])
    height = min(ROW, TALLEST / max(1, len(shown)))
    numbers = [each for row in shown for each in row.numbers]
    low, high = (min(numbers, default=0.0), max(numbers, default=1.0))
    if bar or low == high:
        low, high = min(0.0, low), max(0.0, high)
    left = 14 + min(max((len(row.name) for row in shown), default=1) * LETTER, 150)
    text_width = max((len(row.text) for row in shown), default=1) * LETTER + 10 if height >= 13 else RIGHT
    edge = 0 if bar else 8
    right = WIDTH - max(RIGHT, min(text_width, 120))
    axis = Axis(low, high if high > low else low + 1, left + edge, right - edge)
    every = max(1, math.ceil(13 / height))
    parts, floor = [], TOP + height * len(shown)
    for tick in axis.ticks():
        parts.append(line(axis.at(tick), TOP, axis.at(tick), floor, "grid"))
    for index, row in enumerate(shown):
        middle = TOP + height * (index + 0.5)
        if index % every == 0:
            parts.append(text_at(left - 8, middle + 4, short(row.name, 150), anchor="end"))
        parts += _mark(row, axis, middle, height, bar=bar)
        if height >= 13:
            parts.append(text_at(WIDTH - 6, middle + 4, short(row.text, 112), kind="q", anchor="end"))
    parts += horizontal(axis, floor, "") if scaled else [line(axis.start, floor, axis.end, floor, "axis")]
    rest = len(rows) - len(shown)
    left_out = f"{note + '; ' if note else ''}{rest:,} more are not drawn" if rest else note
    description = "; ".join(row.text_with_interval for row in shown[:DESCRIBED])
    marks = tuple(
        {"name": row.name, "value": row.value, "text": row.text, "low": row.low, "high": row.high}
        for row in rows
    )
    chart = Chart("bar" if bar else "point", marks, scaled=scaled)
    below_rows = floor + (26 if scaled else 10)
    return whole_picture(parts, below_rows, title=title, description=description, note=left_out, chart=chart)


def _mark(row: ChartRow, axis: Axis, middle: float, height: float, *, bar: bool) -> list[str]:
    """A bar or a point, and a whisker from the lower to the upper end of its interval."""
    if not math.isfinite(row.value):
        return []
    here = axis.at(row.value)
    if bar:
        zero = axis.at(0)
        x, wide, tall = min(zero, here), abs(here - zero), max(1.0, 0.7 * height)
        parts = [
            f'<rect class="bar" x="{x:.2f}" y="{middle - tall / 2:.2f}" width="{wide:.2f}" height="{tall:.2f}" '
            f'fill="{COLORS[5]}"><title>{quoted(row.text_with_interval)}</title></rect>'
        ]
    else:
        parts = [dot(here, middle, 4, COLORS[0], row.text_with_interval)]
    if row.low is not None and row.high is not None and math.isfinite(row.low) and math.isfinite(row.high):
        low, high, tall = axis.at(row.low), axis.at(row.high), min(4.0, height / 4)
        parts.insert(1 if bar else 0, line(low, middle, high, middle, "whisker"))
        parts += [line(x, middle - tall, x, middle + tall, "whisker") for x in (low, high)]
    return parts


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
