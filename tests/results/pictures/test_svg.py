"""Pictures are well formed, readable for everybody, and have every number at its place."""

import math
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from noisewise.results.pictures.svg import (
    COLORS,
    DASHES,
    STYLE,
    WIDTH,
    Axis,
    Picture,
    quoted,
    short,
    whole_picture,
    wrapped,
)


def test_a_picture_is_text_and_a_file(tmp_path):
    picture = whole_picture([], 40, title="a < b", description="one & two", note="why")
    root = ElementTree.fromstring(picture.svg)
    assert root.get("role") == "img" and root.get("aria-label") == "a < b" and WIDTH == 420
    assert [child.text for child in root][:2] == ["a < b", "one & two"]
    assert "prefers-color-scheme:dark" in picture.svg and "<script" not in picture.svg
    assert picture._repr_svg_() == picture.svg and repr(picture) == "<Picture: a < b>"
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == picture.svg and isinstance(picture, Picture)


def test_lines_differ_by_more_than_their_colours():
    assert len(set(COLORS)) == len(COLORS) == len(DASHES) == len(set(DASHES))


def test_no_word_becomes_markup():
    assert quoted("""<script a="b" c='d'>&\0\ud800""") == (
        "&lt;script a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    )


@pytest.mark.parametrize(
    ("least", "most", "ticks"),
    [
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
        (3, 3, [3]),
        (0, math.inf, [0, math.inf]),
    ],
)
def test_ticks_are_round(least, most, ticks):
    assert Axis(least, most, 0, 10).ticks() == pytest.approx(ticks)


def test_a_number_stands_where_it_belongs():
    axis = Axis(0, 10, 100, 200)
    assert [axis.at(x) for x in (0, 5, 10)] == [100, 150, 200]
    assert Axis(1, 100, 0, 200, log=True).at(10) == pytest.approx(100)
    assert Axis(4, 4, 0, 200).at(4) == 100


def test_words_fit():
    assert short("abcdef", 30, 10) == "ab…" and wrapped("aa bb cc", 50, 10) == ["aa bb", "cc"]


PAPERS = ("#ffffff", "#16181d")
SEEN_BY = {  # what people see who lack a kind of cones, in linear light (Machado, Oliveira and Fernandes, 2009)
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
}


def light(color):
    """Red, green and blue in linear light."""
    full = f"#{''.join(2 * c for c in color[1:])}" if len(color) == 4 else color
    parts = [int(full[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def contrast(one, other):
    """The contrast that WCAG 2.2 asks for: 3 for marks, 4.5 for text."""
    low, high = sorted(
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), light(c), strict=True)) for c in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def cielab(color, matrix):
    seen = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, light(color), strict=True)))) for row in matrix]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [sum(a * b for a, b in zip(row, seen, strict=True)) for row in to_xyz]
    x, y, z = (
        c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116
        for c in (v / w for v, w in zip(xyz, (0.95047, 1, 1.08883), strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("paper", PAPERS)
def test_marks_and_words_stand_out_from_the_paper(paper):
    assert all(contrast(color, paper) >= 3 for color in COLORS)
    dark = paper == PAPERS[1]
    rules = STYLE.split("prefers-color-scheme:dark", 1)[dark].split("@media")[0]
    assert f"paper{{fill:{paper if dark else '#fff'}}}" in rules
    words = re.findall(r"(?:text|\.q)\{[^}]*?fill:(#\w+)", rules)
    assert len(words) == 2 and all(contrast(color, paper) >= 4.5 for color in words)


@pytest.mark.parametrize("eyes", SEEN_BY)
def test_colours_differ_for_everybody(eyes):
    seen = [cielab(color, SEEN_BY[eyes]) for color in COLORS]
    assert min(math.dist(a, b) for a, b in combinations(seen, 2)) > 8
    assert min(math.dist(a, b) for a, b in combinations(seen[:4], 2)) > 16, (
        "the first ones, which most pictures have"
    )
