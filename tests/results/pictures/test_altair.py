"""Charts of Altair hold the numbers of the picture, and are valid Vega-Lite."""

import math
import sys

import pytest

import noisewise as nws
from noisewise.results.pictures.charts import (
    ChartRow,
    Line,
    bars,
    distribution,
    growing,
    line_chart,
    points,
)
from noisewise.results.pictures.svg import COLORS, whole_picture

LINES = [Line("a", ((1.0, 2.0), (10.0, 3.0))), Line("b", ((1.0, 1.0), (10.0, 4.0)))]
ROWS = [ChartRow("x", 3.0, "3", 1.0, 5.0, "1 to 5"), ChartRow("y", math.nan, "no answer")]
PICTURES = {
    "lines": line_chart(LINES, title="t", note="n", across="x"),
    "log": line_chart(LINES, title="t", note="", across="epsilon", log=True),
    "bars": bars(ROWS, title="t"),
    "points": points(ROWS, title="t", scaled=False),
    "distribution": distribution([(1.0, 0.5), (2.0, 0.9)], title="t", band=[(0.5, 1.5), (1.5, 2.5)]),
    "growing": growing([0.1, 0.3], 1.0, title="t", ends=("first", "last")),
    "nothing": whole_picture([], 40, title="t", description="s"),
}


def specification(picture):
    """The chart as Vega-Lite; Altair checks it against the schema of Vega-Lite."""
    return picture.altair().to_dict()


def values(spec, layer=0):
    """The rows of a layer. Altair writes them once if all layers share them."""
    return spec["layer"][layer].get("data", spec.get("data"))["values"]


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_a_valid_chart(name):
    import altair  # which takes a second, and no other worker needs it

    spec = specification(PICTURES[name])
    assert "vega-lite" in spec["$schema"] and spec["title"]["text"] == "t"
    assert isinstance(PICTURES[name].altair(), altair.LayerChart)


def test_a_chart_has_the_numbers_of_the_picture():
    spec = specification(PICTURES["lines"])
    assert values(spec) == [{"name": each.name, "x": x, "y": y} for each in LINES for x, y in each.points]
    encoding = spec["layer"][0]["encoding"]
    assert encoding["color"]["scale"]["range"] == list(COLORS) and "strokeDash" in encoding
    assert specification(PICTURES["log"])["layer"][0]["encoding"]["x"]["scale"] == {"type": "log"}
    of_bars = specification(PICTURES["bars"])
    mark, whisker = of_bars["layer"]
    assert values(of_bars) == [
        {"name": "x", "value": 3.0, "text": "3", "low": 1.0, "high": 5.0},
        {"name": "y", "value": None, "text": "no answer", "low": None, "high": None},
    ]
    assert mark["mark"]["type"] == "bar" and whisker["encoding"]["x2"] == {"field": "high"}
    assert specification(PICTURES["points"])["layer"][0]["encoding"]["x"]["axis"] is None
    assert values(specification(PICTURES["growing"]), 1) == [{"y": 1.0}]
    band, line = specification(PICTURES["distribution"])["layer"]
    assert (band["mark"]["type"], line["mark"]["type"]) == ("area", "line")


def test_what_is_released_is_a_chart_to_style():
    release = nws.histogram([1, 2, 3] * 20, [0, 2, 4], epsilon=1)
    chart = release.plot().altair().properties(width=600)
    assert [row["value"] for row in values(chart.to_dict())] == [float(each) for each in release.value]
    assert chart.to_dict()["width"] == 600


def test_without_altair_an_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(nws.ParameterError, match=r'must be drawn by altair: pip install "altair>=5.5"$'):
        PICTURES["lines"].altair()
