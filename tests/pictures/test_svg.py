"""Pictures: well formed, readable by everybody, and every number where it belongs."""

import math
from xml.etree import ElementTree

import pytest

from noisewise.pictures.svg import COLORS, DASHES, WIDTH, Axis, Picture, quoted, short, whole_picture, wrapped


def test_a_picture_is_text_and_a_file(tmp_path):
    picture = whole_picture([], 40, title="a < b", says="one & two", note="why")
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
