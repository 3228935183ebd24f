"""The pictures of the page: laws with drawn answers, records with bounds, and errors by epsilon or contributions."""

import math
from collections.abc import Sequence

import numpy as np

from noisewise.explorer.answer import PageAnswer, Seen, density
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.prices import Price, Rho, said
from noisewise.planning.readings.read_law import read_law
from noisewise.results.pictures.charts import Line, line_chart
from noisewise.results.pictures.svg import (
    RIGHT,
    WIDTH,
    Axis,
    Picture,
    horizontal,
    line,
    number,
    path,
    stroke,
    text_at,
    whole_picture,
)

PLACES = 160
"""The most positions at which a law is drawn."""
SIDE, TOP, PLOT, STRIP = 14, 30, 150, 38
DOT, DEEP = 3.6, 7
"""The width of a dot, and the most dots in a stack."""
BINS = 40


def laws_picture(answer: PageAnswer) -> Picture:
    """Draw the exact laws of all mechanisms on one axis, and below it a row of drawn answers for each mechanism."""
    seen = [(index, each) for index, each in enumerate(answer.seen) if each.law is not None]
    at = _places([each for _, each in seen], answer.chosen)
    x_axis = Axis(float(at[0]), float(at[-1]), SIDE, WIDTH - RIGHT)
    chances = {each.name: density(each.law, at) for _, each in seen if each.law is not None}
    most = max(float(np.nanmax(each)) for each in chances.values()) or 1.0
    floor = TOP + PLOT
    y_axis = Axis(0, most, floor, TOP + 4)
    middle = x_axis.at(answer.chosen.centre)
    parts = [
        line(middle, TOP, middle, floor, "whisker"),
        text_at(middle + 4, TOP + 8, "true answer", kind="q small"),
    ]
    for index, each in reversed(seen):
        places = [
            (x_axis.at(x), y_axis.at(y))
            for x, y in zip(((at[1:] + at[:-1]) / 2).tolist(), chances[each.name].tolist(), strict=True)
            if not math.isnan(y)
        ]
        parts.append(path(places, stroke(index)))
    parts += horizontal(x_axis, floor, "")
    top = floor + 34
    for row, (index, each) in enumerate(seen):
        parts += _strip(each, index, x_axis, top + row * STRIP, chosen=each is answer.chosen)
    says = "; ".join(
        f"{_title(each.name)}: half of all answers within {number(_half(each))} of the true one"
        for _, each in seen
    )
    note = (
        f"Curves are exact chances; dots are {len(answer.chosen.dots)} answers drawn by each mechanism. An arrow "
        "counts those beyond the picture. NOT PRIVATE: public data"
    )
    height = top + STRIP * len(seen) + 4
    return whole_picture(
        parts, height, title=_what(answer, "exact laws, and answers drawn"), description=says, note=note
    )


def _places(seen: Sequence[Seen], chosen: Seen) -> Floats:
    """Return positions for drawing laws: where nearly all answers of a release lie, and half of that on each side."""
    law = chosen.law
    assert law is not None, "the mechanism of a plan has a law"
    low, high = (float(each) for each in read_law(law).quantile([0.002, 0.998]))
    step = max(float(each.law.granularity) for each in seen if each.law is not None)
    around = max((high - low) / 2, 4 * step)
    low, high = low - around, high + around
    step *= max(1, math.ceil((high - low) / step / PLACES))
    start = chosen.centre - math.ceil((chosen.centre - low) / step) * step - step / 2
    return np.asarray(start + step * np.arange(math.ceil((high - start) / step) + 2), np.float64)


def _strip(each: Seen, index: int, axis: Axis, top: float, *, chosen: bool) -> list[str]:
    """Draw a row of drawn answers under the name of their mechanism."""
    name = f"{_title(each.name)}{' (used)' if chosen else ''}"
    parts = [
        path([(SIDE, top - 3), (SIDE + 22, top - 3)], stroke(index)),
        text_at(SIDE + 27, top, name, kind="small"),
    ]
    left = sum(dot < axis.least for dot in each.dots)
    right = sum(dot > axis.most for dot in each.dots)
    inside = sorted(dot for dot in each.dots if axis.least <= dot <= axis.most)
    stacked: dict[int, int] = {}
    for dot in inside:
        column = round(axis.at(dot) / DOT)
        x = column * DOT
        row = stacked[column] = stacked.get(column, -1) + 1
        side, height = divmod(row, DEEP)
        x += (side + 1) // 2 * DOT * (1 if side % 2 else -1)  # a new stack begins beside a full one
        parts.append(
            f'<circle cx="{x:.1f}" cy="{top + 6 + height * DOT:.1f}" r="{DOT / 2:.1f}" class="f{index}" '
            'fill-opacity="0.7"/>'
        )
    beyond = [f"← {left}"] * bool(left) + [f"{right} →"] * bool(right)
    if beyond:
        parts.append(text_at(WIDTH - RIGHT, top, "  ".join(beyond), kind="q small", anchor="end"))
    return parts


def _half(each: Seen) -> float:
    law = each.law
    assert law is not None
    low, high = read_law(law).quantile([0.25, 0.75])
    return float(high - low) / 2


def records_picture(answer: PageAnswer) -> Picture:
    """Draw how many records have each value. Records outside the bounds have another colour."""
    inputs, clamped = answer.inputs, answer.clamped
    assert inputs.bounds is not None and clamped is not None, "only where there are bounds"
    low, high = (float(end) for end in inputs.bounds)
    records = inputs.records
    least, most = min(low, float(records.min())), max(high, float(records.max()))
    edges = np.linspace(least, most, BINS + 1)
    counts, _ = np.histogram(records, edges)
    floor = TOP + 110
    x_axis, y_axis = Axis(least, most, SIDE, WIDTH - RIGHT), Axis(0, float(counts.max()) or 1, floor, TOP + 6)
    parts = []
    for start, end, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True):
        if not count:
            continue
        outside = (start + end) / 2 < low or (start + end) / 2 > high
        color = "f1" if outside else "f0"
        x, y = x_axis.at(start), y_axis.at(count)
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(1.0, x_axis.at(end) - x - 1):.1f}" '
            f'height="{floor - y:.1f}" class="{color}"/>'
        )
    for end, text, anchor in ((low, "lower bound", "start"), (high, "upper bound", "end")):
        x = x_axis.at(end)
        parts.append(line(x, TOP - 2, x, floor, "whisker"))
        parts.append(
            text_at(x + (4 if anchor == "start" else -4), TOP + 6, text, kind="q small", anchor=anchor)
        )
    parts += horizontal(x_axis, floor, "")
    beyond = f"{clamped.below:,} below and {clamped.above:,} above the bounds, of {records.size:,} records"
    return whole_picture(
        parts,
        floor + 22,
        title="The records, and what the bounds cut off",
        description=beyond,
        note=f"{beyond}; those are moved to the bound",
    )


def symbol_of(price: Price) -> str:
    return "ρ" if isinstance(price, Rho) else "ε"


def price_picture(answer: PageAnswer) -> Picture:
    """Draw the error at each epsilon or rho, for the mechanism that a release would use."""
    points, symbol = answer.by_price, symbol_of(answer.inputs.price)
    return line_chart(
        [Line("", points)],
        title=_what(answer, f"error at each {symbol}"),
        note=f"with probability {float(100 * answer.inputs.confidence):g}% at most so far from the true answer",
        across=f"{symbol} (logarithmic)",
        log=True,
    )


def contributions_picture(answer: PageAnswer) -> Picture:
    """Draw the error for each number of records that one person may have."""
    points = tuple((float(count), error) for count, error in answer.by_contributions)
    return line_chart(
        [Line("", points)],
        title=_what(answer, "error for each number of contributions"),
        note=f"at {said(answer.inputs.price)}, with probability {float(100 * answer.inputs.confidence):g}%",
        across="records that one person may have (logarithmic)",
        log=True,
    )


def _what(answer: PageAnswer, shown: str) -> str:
    return f"{answer.plan.statistic.capitalize()}: {shown}"


def _title(name: str) -> str:
    return name.replace("_", " ")
