"""The bars, points and lines of charts have the lengths and places of their numbers."""

import math
import re
from xml.etree import ElementTree

import pytest

import noisewise as nws
from noisewise.results.pictures.charts import (
    ChartRow,
    Line,
    bars,
    distribution,
    growing,
    heat_map,
    histogram,
    line_chart,
    points,
)
from noisewise.results.pictures.svg import DASHES, WIDTH


def circles(picture):
    ElementTree.fromstring(picture.svg)
    return [(float(x), float(y)) for x, y in re.findall(r'cx="([0-9.]+)" cy="([0-9.]+)"', picture.svg)]


def test_the_picture_of_a_sweep():
    sweep = nws.sweep("median", bounds=(0, 1000), granularity=[1, 10])
    root = ElementTree.fromstring(sweep.svg())
    assert root.get("aria-label") == "median: people at each epsilon" and sweep.svg() == sweep.plot().svg
    assert "granularity 10" in sweep.svg() and DASHES[1] in sweep.svg()


def test_points_lie_on_logarithmic_axes():
    picture = line_chart(
        [Line("a", ((0.1, 1000), (1, 100), (10, 10)))], title="t", note="n", across="epsilon", log=True
    )
    (x0, y0), (x1, y1), (x2, y2) = circles(picture)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2) and y1 - y0 == pytest.approx(y2 - y1, abs=0.2)
    assert x0 < x1 and y0 < y1, "larger errors are higher up"
    assert ">1,000<" in picture.svg and ">0.1<" in picture.svg


@pytest.mark.parametrize("ends", [(), ((1, 0),), ((1, 5),), ((0.1, 3), (1, 3)), ((1e-6, 1e12), (64, 1e-9))])
def test_odd_lines(ends):
    lines = [Line("<&>", ends), Line("b" * 40, ends)]
    for picture in (
        line_chart(lines, title='"<t>&', note="n" * 100, across="epsilon", log=True),
        line_chart(lines, title='"<t>&', note="", across="x", marks=(0.5,)),
    ):
        assert all(0 <= x <= WIDTH for x, _ in circles(picture))
        assert "nan" not in picture.svg and "inf" not in picture.svg


def test_axes_of_one_scale_keep_circles_round():
    turn = [2 * math.pi * k / 60 for k in range(61)]
    circle = Line("", tuple((5 + 3 * math.cos(a), 50 + 3 * math.sin(a)) for a in turn))
    picture = line_chart([circle], title="t", note="", across="one", up="other", equal=True)
    places = re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", re.search(r'<path d="([^"]+)"', picture.svg)[1])
    wide, high = (
        max(side) - min(side) for side in zip(*((float(x), float(y)) for x, y in places), strict=True)
    )
    assert wide == pytest.approx(high, abs=0.5) and wide > 150
    assert ">one</text>" in picture.svg and ">other</text>" in picture.svg
    line_chart([Line("", ((1, 1),))], title="t", note="", across="x", equal=True)


def test_bars_are_as_long_as_their_numbers():
    rows = [
        ChartRow("a", 100, "100", 90, 110, "90 to 110"),
        ChartRow("b", 50, "50"),
        ChartRow("c <&>", 0, "0"),
        ChartRow("d", -25, "-25"),
    ]
    picture = bars(rows, title="counts")
    drawn = [
        each
        for each in ElementTree.fromstring(picture.svg).iter()
        if "bar" in (each.get("class") or "").split()
    ]
    widths = [float(each.get("width")) for each in drawn]
    assert [width / widths[0] for width in widths] == pytest.approx([1, 0.5, 0, 0.25], abs=1e-3)
    assert float(drawn[3].get("x")) < float(drawn[0].get("x")) == float(drawn[1].get("x"))
    assert [each[0].text for each in drawn] == ["a: 100 (90 to 110)", "b: 50", "c <&>: 0", "d: -25"]
    assert picture.svg.count('class="whisker"') == 1
    above = bars([ChartRow("a", 100, "100"), ChartRow("b", 90, "90")], title="t").svg
    starts = {float(x) for x in re.findall(r'class="bar f0" x="([-0-9.]+)"', above)}
    assert len(starts) == 1 and starts.pop() > 0, "bars begin at 0, inside the picture"


def test_points_have_their_intervals_around_them():
    picture = points(
        [ChartRow("a", 3, "3", 2, 5), ChartRow("b", 4, "4"), ChartRow("none", float("nan"), "")], title="t"
    )
    (a, _), (b, _) = circles(picture)
    low, high = map(
        float, re.search(r'class="whisker" d="M([0-9.]+) [0-9.]+v8m0-4H([0-9.]+)', picture.svg).groups()
    )
    assert (a - low) / (high - low) == pytest.approx(1 / 3, abs=0.01) and b > a


def test_many_rows_are_counted():
    picture = bars([ChartRow(str(i), i, str(i)) for i in range(500)], title="t")
    assert picture.svg.count('class="bar f0"') == 200 and "300 more are not drawn" in picture.svg


def test_a_distribution_rises_from_left_to_right():
    picture = distribution([(10, 0.25), (20, 0.5), (40, 0.75)], title="t", band=[(5, 12), (15, 22), (30, 50)])
    (x0, y0), (x1, y1), (x2, y2) = circles(picture)
    assert (x2 - x1) == pytest.approx(2 * (x1 - x0), abs=0.2) and y0 > y1 > y2
    assert 'fill-opacity="0.25"' in picture.svg


@pytest.mark.parametrize("times", [(), (0.0, 30.0, 40.0), (5.0, 5.0, 5.0)])
def test_a_sum_grows_towards_its_limit(times):
    picture = growing([0, 1, 3], 4, title="t", ends=("a", "b"), times=times)
    (_, y0), (_, y1), (_, y2) = circles(picture)
    assert y0 - y1 == pytest.approx((y1 - y2) / 2, abs=0.2) and "3 of 4" in picture.svg
    ElementTree.fromstring(growing([], 4, title="t", ends=("a", "b")).svg)


def test_upright_bars_are_as_wide_as_their_bins_and_as_high_as_their_counts():
    rows = [ChartRow("[0, 10)", 40, "40", 30, 50, "30 to 50"), ChartRow("[10, 30]", 20, "20", 15, 25)]
    svg = histogram([0, 10, 30], rows, title="t", across="age in years").svg
    bars_drawn = [each for each in ElementTree.fromstring(svg).iter() if "bar" in (each.get("class") or "")]
    (a, b), (c, d) = ([float(each.get(side)) for side in ("width", "height")] for each in bars_drawn)
    assert c == pytest.approx(2 * a, abs=1.1) and b == pytest.approx(2 * d, abs=0.02)
    assert svg.count('class="whisker"') == 2
    words = re.findall(r">([^<>]+)</text>", svg)
    assert {"0", "10", "30", "age in years", "40", "20"} <= set(words)
    below = histogram([0, 10, 30], [ChartRow("a", -5, "-5"), ChartRow("b", 5, "5")], title="t", across="").svg
    assert len(re.findall(r'class="bar f0"', below)) == 2


def test_a_heat_map_shades_cells_and_not_totals():
    svg = heat_map(
        ["a", "total"], ["x", "y", "total"], [[10, 20, 30], [10, 20, 30]], title="t", across=("r", "c")
    ).svg
    shades = [float(shade) for shade in re.findall(r'class="cell f0" .*?fill-opacity="([0-9.]+)"', svg)]
    assert len(shades) == 2 and shades[0] < shades[1] == 0.5
    assert re.findall(r">([0-9,]+)</text>", svg) == ["10", "20", "30"] * 2


def test_points_without_an_interval_are_hollow_and_say_where_the_axis_begins():
    svg = points([ChartRow("a", 35, "35"), ChartRow("b", 36, "36", 35.5, 36.5)], title="t").svg
    assert svg.count('<circle class="s0"') == svg.count('<circle class="f0"') == 1
    assert "The axis does not begin at 0" in svg
    assert "does not begin" not in bars([ChartRow("a", 35, "35")], title="t").svg


def test_every_row_has_its_whole_name():
    names = [f"a long name of a group, number {n:04}" for n in range(60)]
    svg = bars([ChartRow(name, 1, "1") for name in names], title="t").svg
    assert all(f"<title>{name}</title>" in svg for name in names), (
        "what is cut is shown when it is pointed at"
    )
    assert svg.count('text-anchor="end"') == 120
