"""The text, the picture and the data frame of an audit."""

from dataclasses import replace

from noisewise.audit.exact_audit import exact
from noisewise.audit.pair_search import Enclosed
from noisewise.audit.result import Audits, dataset_text
from tests.audit import wrong

FINE = exact("median", records=2, mechanism="piecewise_laplace", **wrong.ASKED)
BROKEN = exact(wrong.doubled_centre, values=range(5), records=3, epsilon=1)


def test_an_audit_says_what_it_found_and_where():
    assert str(FINE).splitlines()[0] == "passed: median by piecewise-laplace/1, neighbors add_remove"
    assert "claimed       ε = 1, in its range" in str(FINE)
    assert "all 30 pairs of neighbours among 21 datasets" in str(FINE)
    assert str(BROKEN).startswith("VIOLATION: doubled_centre, neighbors add_remove")
    assert str(BROKEN.pair[0]).strip("()").rstrip(",") in str(BROKEN)
    assert BROKEN.row["verdict"] == BROKEN.verdict == "VIOLATION"
    assert BROKEN.largest == BROKEN.loss.high and FINE.largest == FINE.range.high


def test_where_the_range_is_claimed_it_is_judged():
    wide = replace(FINE, range=Enclosed(1.5, 1.6))
    assert not wide.passed and replace(wide, ranged=False).passed


def test_it_is_a_frame_a_picture_and_html():
    assert len(FINE.frame) == 1
    assert FINE.curve and max(abs(y) for _, y in FINE.curve) <= 1
    picture = BROKEN.plot().svg
    assert picture.startswith("<svg") and "claimed" in picture and "VIOLATION" in picture
    assert "doubled_centre" in BROKEN._repr_html_()


def test_several_are_a_table_and_a_picture():
    both = Audits((FINE, BROKEN))
    assert not both.passed and Audits((FINE,)).passed
    assert "2 audits, 1 violations" in str(both) and len(both.frame) == len(both) == 2
    assert both[1] is BROKEN and "above 1: a violation" in both.plot().svg
    assert "<table>" in both._repr_html_() and [*both] == [FINE, BROKEN]


def test_long_datasets_are_shortened():
    assert dataset_text((1, 2)) == "[1, 2]"
    assert dataset_text(range(20)).endswith("11, ... 20 in all]")
