"""Pictures are well formed, readable for everybody, and have every number at its place."""

import math
import re
import struct
import sys
import zlib
from itertools import combinations
from xml.etree import ElementTree

import pytest

from noisewise.errors import ParameterError
from noisewise.results.pictures.svg import (
    COLORS,
    DASHES,
    ON_DARK,
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
    assert root.get("role") == "img" and root.get("aria-label") == "a < b" and root.get("width") == str(WIDTH)
    assert [child.text for child in root][:2] == ["a < b", "one & two"]
    assert "prefers-color-scheme:dark" in picture.svg and "<script" not in picture.svg
    assert picture._repr_svg_() == picture.svg and repr(picture) == "<Picture: a < b>"
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == picture.svg and isinstance(picture, Picture)


def test_a_png_shows_the_picture_on_light_paper(tmp_path):
    picture = whole_picture(
        ['<rect class="f0" x="0" y="30" width="480" height="30"/>'], 60, title="", description=""
    )
    picture.save(tmp_path / "a.PNG")
    data = (tmp_path / "a.PNG").read_bytes()
    assert data.startswith(b"\x89PNG") and data == picture.png()
    wide, high = struct.unpack(">II", data[16:24])
    assert (wide, high) == (2 * WIDTH, 120)
    rows = zlib.decompress(b"".join(chunks(data)))
    pixels = [
        rows[1 + 4 * x : 4 + 4 * x] for x in range(WIDTH)
    ]  # of the first row, whose filter is none or sub
    assert rows[0] in (0, 1) and pixels[0] == b"\xff\xff\xff"
    assert len(whole_picture([], 60, title="words", description="").png()) > len(
        whole_picture([], 60, title="", description="").png()
    ), "text is drawn with a font that the library brings"


def chunks(data):
    """The compressed pixels of a PNG file."""
    place = 8
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        if data[place + 4 : place + 8] == b"IDAT":
            yield data[place + 8 : place + 8 + size]
        place += size + 12


@pytest.mark.parametrize("name", ["a.pdf", "a", "a.svgz", "a.jpg"])
def test_other_endings_are_refused_with_the_list(tmp_path, name):
    picture = whole_picture([], 60, title="", description="")
    with pytest.raises(ParameterError, match=r"path must end in \.svg or \.png"):
        picture.save(tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_png_without_its_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(ParameterError, match=r"vl-convert-python>=1\.7\.0"):
        whole_picture([], 60, title="", description="").png()


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


PAPERS = {"#ffffff": COLORS, "#14181d": ON_DARK}
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


@pytest.mark.parametrize(("paper", "colors"), PAPERS.items())
def test_marks_and_words_stand_out_from_the_paper(paper, colors):
    assert all(contrast(color, paper) >= 3 for color in colors)
    rules = STYLE.split("prefers-color-scheme:dark", 1)[colors is ON_DARK]
    assert f"paper{{fill:{paper}}}" in rules
    words = re.findall(r"(?:text|\.q)\{fill:(#\w+)\}", rules)
    assert len(words) == 2 and all(contrast(color, paper) >= 4.5 for color in words)


@pytest.mark.parametrize("eyes", SEEN_BY)
@pytest.mark.parametrize("colors", [COLORS, ON_DARK])
def test_colours_differ_for_everybody(eyes, colors):
    seen = [cielab(color, SEEN_BY[eyes]) for color in colors]
    assert min(math.dist(a, b) for a, b in combinations(seen, 2)) > 8
    assert min(math.dist(a, b) for a, b in combinations(seen[:3], 2)) > 16, (
        "the first ones, which most pictures have"
    )


def test_ticks_have_enough_digits_to_differ():
    texts = [text for _, text in Axis(32_520, 32_600, 0, 100).labels()]
    assert texts == ["32,520", "32,540", "32,560", "32,580", "32,600"]
    assert [text for _, text in Axis(38.5, 38.7, 0, 100).labels()] == [
        "38.50",
        "38.55",
        "38.60",
        "38.65",
        "38.70",
    ]


def test_captions_and_titles_wrap_in_a_wide_font():
    picture = whole_picture([], 40, title="word " * 40, description="", note="caption " * 40)
    drawn = re.findall(r'<text class="(title|q)"[^>]*>([^<]*)<', picture.svg)
    assert sum(text.split().__len__() for _, text in drawn) == 80, "every word is there"
    widest = {"title": 8.4, "q": 7.0}
    assert all(len(text) * widest[kind] <= WIDTH - 16 for kind, text in drawn)
