"""What a comparison says: results for comparison only are marked, and nothing is invented."""

from datetime import timedelta
from fractions import Fraction

from noisewise.planning.comparison import Compared, NotPrivateComparison, as_number


def row(name, released=True, bias=None):
    return Compared(name, Fraction(1), None, "pure", 2.0, 5.0, bias, None, 0.001, released)


def test_what_cannot_be_released_is_marked():
    each = ((Fraction(1), row("laplace", bias=-0.5)), (Fraction(1), row("other", released=False)))
    said = str(NotPrivateComparison("median", 4, "epsilon", (Fraction(1),), each, {"x": "it cannot"}))
    lines = said.splitlines()
    assert "-0.5" in lines[2] and "other *" in lines[3] and "laplace *" not in said
    assert lines[4].startswith("* for comparison only") and lines[5] == "left out: x, as it cannot"


def test_numbers_of_a_frame():
    assert (
        as_number(Fraction(1, 4)) == 0.25 and as_number(timedelta(minutes=1)) == 60 and as_number("a") == "a"
    )
