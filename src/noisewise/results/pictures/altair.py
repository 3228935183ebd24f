"""Pictures as charts of Altair (``noisewise[altair]``), for people who want to style them.

A chart holds the numbers of the picture and nothing else.
"""

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

from noisewise.errors import ParameterError, install

if TYPE_CHECKING:
    from noisewise.results.pictures.svg import Chart


def altair_chart(chart: "Chart", *, title: str, note: str, colors: tuple[str, ...]) -> Any:
    """The chart of a picture, with its title and note."""
    try:
        alt = import_module("altair")
    except ImportError:
        alt = None
    if alt is None:
        raise ParameterError(
            "a chart of Altair", "must be drawn by altair", extra=install("altair")
        ) from None
    heading = alt.TitleParams(title, subtitle=note) if note else alt.TitleParams(title)
    data = alt.Data(values=[{key: _plain(value) for key, value in row.items()} for row in chart.rows])
    named = chart.mark in ("bar", "point")
    layers = _rows(alt, data, chart, colors) if named else _lines(alt, data, chart, colors)
    return alt.layer(*layers, title=heading)


def _plain(value: object) -> object:
    """A value for JSON; None for a number that is not finite."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _rows(alt: Any, data: Any, chart: "Chart", colors: tuple[str, ...]) -> list[Any]:
    """A bar or a point for each name, and its interval."""
    across = alt.X(
        "value:Q",
        title=chart.across or None,
        scale=alt.Scale(zero=chart.mark == "bar"),
        axis=alt.Undefined if chart.scaled else None,
    )
    name = alt.Y("name:N", title=None, sort=None)
    base = alt.Chart(data)
    mark = (
        base.mark_bar(color=colors[5])
        if chart.mark == "bar"
        else base.mark_point(filled=True, color=colors[0])
    )
    layers = [mark.encode(x=across, y=name, tooltip=["name:N", "text:N"])]
    if any(row.get("low") is not None for row in chart.rows):
        layers.append(base.mark_rule().encode(x=alt.X("low:Q"), x2="high:Q", y=name))
    return layers


def _lines(alt: Any, data: Any, chart: "Chart", colors: tuple[str, ...]) -> list[Any]:
    """A line for each name, with its own colour and dashes."""
    scale = alt.Scale(type="log") if chart.log else alt.Scale(zero=False)
    up = alt.Scale(type="log") if chart.log else alt.Undefined
    base = alt.Chart(data)
    line = base.mark_line(
        interpolate="step-after" if chart.mark == "step" else "linear", point=chart.log
    ).encode(
        x=alt.X("x:Q", title=chart.across or None, scale=scale),
        y=alt.Y("y:Q", title=chart.up or None, scale=up),
    )
    if len({row.get("name") for row in chart.rows}) > 1:
        palette = alt.Color("name:N", title=None, sort=None, scale=alt.Scale(range=list(colors)))
        line = line.encode(color=palette, strokeDash=alt.StrokeDash("name:N", title=None, sort=None))
    layers = [line]
    if any(row.get("low") is not None for row in chart.rows):
        band = base.mark_area(opacity=0.25, color=colors[0], orient="horizontal")
        layers.insert(0, band.encode(x=alt.X("low:Q"), x2="high:Q", y="y:Q"))
    if chart.limit is not None:
        rule = alt.Chart(alt.Data(values=[{"y": chart.limit}])).mark_rule(color=colors[1], strokeDash=[6, 3])
        layers.append(rule.encode(y="y:Q"))
    return layers
