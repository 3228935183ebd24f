"""Every part of a page escapes its text."""

import pytest

from noisewise.results.pictures import html
from noisewise.results.pictures.svg import whole_picture
from tests.results.pictures.pages import parsed

EVIL = """<script>alert("1")</script>' onload='x"""


@pytest.mark.parametrize(
    "made",
    [
        html.heading(EVIL, 2, EVIL),
        html.paragraph(EVIL, EVIL),
        html.promise(EVIL),
        html.blank(EVIL),
        html.section([html.paragraph(EVIL)], EVIL),
        html.folded(EVIL, html.paragraph(EVIL)),
        html.facts_table([(EVIL, EVIL)]),
        html.table([EVIL], [[EVIL]], [True]),
        html.drawing(whole_picture([], 20, title=EVIL, description=EVIL, note=EVIL)),
        html.fragment([html.paragraph(EVIL)]),
    ],
)
def test_no_word_becomes_markup(made):
    page = parsed(made)
    assert "script" not in page.tags and not any("onload" in name for name in page.attributes)
    assert "alert" in page.text


def test_a_table_says_which_columns_are_numbers():
    assert html.table(["a", "b"], [["x", "1"]], [False, True]) == (
        '<table><thead><tr><th scope="col">a</th><th scope="col" class="number">b</th></tr></thead>'
        '<tbody><tr><td>x</td><td class="number">1</td></tr></tbody></table>'
    )
