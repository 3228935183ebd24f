"""The picture of a sweep: well formed, and every number where it belongs."""

import re
from xml.etree import ElementTree

import pytest

import noisewise as nws
from noisewise.planning.picture import COLORS, DASHES, WIDTH, Line, picture


def circles(svg):
    return [(float(x), float(y)) for x, y in re.findall(r'cx="([0-9.]+)" cy="([0-9.]+)"', svg)]


def test_it_is_readable_everywhere():
    svg = nws.sweep("median", bounds=(0, 1000), granularity=[1, 10]).svg()
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg") and root.get("role") == "img" and WIDTH == 420
    assert root.get("aria-label") == "median: people at each epsilon"
    assert "prefers-color-scheme:dark" in svg
    assert "granularity 10" in svg and DASHES[1] in svg, "lines differ by more than their colours"
    assert len(set(COLORS)) == len(COLORS) == len(DASHES) == len(set(DASHES))


def test_points_lie_on_logarithmic_axes():
    svg = picture([Line("a", ((0.1, 1000), (1, 100), (10, 10)))], title="t", note="n")
    (x0, y0), (x1, y1), (x2, y2) = circles(svg)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2) and y1 - y0 == pytest.approx(y2 - y1, abs=0.2)
    assert x0 < x1 and y0 < y1, "larger errors are higher up"
    assert ">1,000<" in svg and ">0.1<" in svg


@pytest.mark.parametrize("points", [(), ((1, 0),), ((1, 5),), ((0.1, 3), (1, 3)), ((1e-6, 1e12), (64, 1e-9))])
def test_odd_lines(points):
    svg = picture([Line("<&>", points), Line("b" * 40, points)], title='"<t>&', note="n" * 100)
    ElementTree.fromstring(svg)
    assert all(0 <= x <= WIDTH for x, _ in circles(svg)) and "nan" not in svg and "inf" not in svg
