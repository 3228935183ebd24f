"""Comparisons: errors are those of the exact laws, prices are equal, and everything says that it is not private."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError
from noisewise.planning.compare import Compared, NotPrivateComparison, as_number
from noisewise.planning.readings.read_law import read_law

AGES = [23, 31, 35, 44, 44, 52, 61, 70, 88]
ASKED = {"bounds": (0, 100), "granularity": 1}


def test_errors_are_those_of_the_laws():
    """The mean, the 95% and the bias by a sum over all answers, for every mechanism."""
    compared = nws.compare("median", AGES, [0.5, 2], **ASKED)
    assert len(compared) == len(compared.rows) == 10 and compared.private is False
    assert compared.answer == 44 and not compared.left_out
    for each in compared:
        name = each.mechanism.removesuffix(" (auto)")
        law = nws.hazmat.law(nws.Quantile("1/2"), AGES, epsilon=each.epsilon, mechanism=name, **ASKED)
        chances = dict(zip(range(101), read_law(law).pmf(range(101)).tolist(), strict=True))
        mean = sum(chance * abs(value - 44) for value, chance in chances.items())
        bias = sum(chance * (value - 44) for value, chance in chances.items())
        assert (each.mean_error, each.bias) == pytest.approx((mean, bias))
        within = [
            sum(c for v, c in chances.items() if abs(v - 44) <= each.error_95 + far) for far in (-0.5, 0.5)
        ]
        assert within[0] < 0.95 <= within[1] + 1e-9
        assert each.draws is None and each.released and each.seconds > 0


def test_auto_is_marked_and_what_cannot_answer_is_left_out():
    compared = nws.compare("variance", AGES, [1], bounds=(0, 100))
    names = [each.mechanism for each in compared]
    assert "piecewise_laplace (auto)" in names and not any("balance" in name for name in names)
    assert "no score" in compared.left_out["balance"] and "left out: balance" in str(compared)
    wide = nws.compare("median", AGES, [1], bounds=(0, 100_000), granularity=1)
    assert list(wide.left_out) == ["permute_and_flip"] and "to wait for it" in str(wide)
    (auto,) = nws.compare("median", AGES, [1], ["auto"], **ASKED)
    assert auto.mechanism == "auto (balance)"


def test_at_equal_rho_all_cost_as_much():
    auto = nws.compare("median", AGES, rhos=[0.1, 64], mechanisms=["auto"], **ASKED)
    assert [each.mechanism for each in auto] == ["auto (gaussian_balance)", "auto (piecewise_laplace)"]
    names = ["piecewise_laplace", "balance", "laplace"]
    compared = nws.compare("median", AGES, rhos=[0.1, 64], mechanisms=names, **ASKED)
    assert [each.mechanism for each in compared][3] == "piecewise_laplace (auto)"
    for each in list(compared)[:3]:
        assert 0.0999 < each.rho <= 0.1
        law = nws.hazmat.law(
            nws.Quantile("1/2"),
            AGES,
            epsilon=each.epsilon,
            mechanism=each.mechanism,
            **ASKED,
        )
        assert each.mean_error == pytest.approx(read_law(law).expected_error())
    assert {each.epsilon for each in list(compared)[3:]} == {64}
    assert "at equal rho" in str(compared)


def test_what_is_only_compared_costs_as_much_at_equal_rho():
    (only,) = nws.compare("median", AGES, rhos=[0.1], mechanisms=["asymmetric"], **ASKED)
    assert not only.released and 0.0999 < only.rho <= 0.1
    assert only.rho == nws.PureDP(only.epsilon).as_zcdp().rho


def test_what_has_no_one_law_is_drawn():
    compared = nws.compare("quantiles", AGES, [1], ["balance"], qs=[0.2, 0.8], **ASKED)
    (only,) = compared
    assert (only.draws, only.bias) == (200, None) and "200 draws" in str(compared)


def test_it_is_a_table_a_frame_and_a_picture():
    compared = nws.compare(nws.Quantile("1/2"), AGES, [0.5, 1], ["balance", "laplace"], **ASKED)
    text = str(compared)
    assert text == repr(compared) and text.startswith("not private: median = 44, mechanisms at equal epsilon")
    assert compared.frame.shape == (4, 11) and "mean_error" in list(compared.frame.columns)
    assert "NOT PRIVATE" in compared.plot().svg and "<table>" in compared._repr_html_()


def test_graphs_and_dates():
    triangle = [(1, 2), (2, 3), (1, 3)]
    by_name = nws.compare("triangles", triangle, [1], ["laplace"], nodes=[1, 2, 3, 4])
    by_statistic = nws.compare(nws.Triangles(), (triangle, [1, 2, 3, 4]), [1], ["laplace"])
    assert by_name.rows[0]["mean_error"] == by_statistic.rows[0]["mean_error"]
    days = [date(2010, 6, day) for day in range(1, 9)]
    timed = nws.compare("median", days, [1], ["balance"], bounds=(date(2000, 1, 1), date(2020, 1, 1)))
    assert timed.answer == date(2010, 6, 4) and "day" in str(timed)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"epsilons": 1}, "epsilons must be a list of numbers"),
        ({"epsilons": []}, "epsilons must be a list of numbers"),
        ({"epsilons": [0]}, "epsilon must be above 0"),
        ({"rhos": [0]}, "rho must be above 0"),
        ({"rhos": [1], "epsilons": [1]}, "rhos must be left out"),
        ({"mechanisms": "laplace"}, "mechanisms must be a list of names"),
        ({"mechanisms": ["laplac"]}, "mechanisms must be among"),
        ({"mechanisms": []}, "mechanisms must name at least one"),
        ({"mechanism": "laplace"}, "mechanism must be left out"),
        ({"epsilons": range(1, 60)}, "at most 200 rows"),
    ],
)
def test_mistakes(wrong, said):
    with pytest.raises((ParameterError, ParameterTypeError), match=said):
        nws.compare("median", AGES, **{**ASKED, **wrong})


def test_the_question_must_take_a_mechanism_and_be_right():
    with pytest.raises(ParameterError, match="must be about a question that takes a mechanism"):
        nws.compare("histogram", AGES, [1], bins=[0, 50, 100])
    with pytest.raises(ParameterTypeError, match="missing a required argument: 'bounds'"):
        nws.compare("median", AGES, [1])
    with pytest.raises(ParameterError, match="no score"):  # nothing is left to compare
        nws.compare("variance", AGES, [1], ["balance"], bounds=(0, 100))


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


def test_what_auto_takes_is_marked_at_each_price():
    """Among few answers it depends on epsilon."""
    found = nws.compare("median", [1, 2, 2, 3, 5], bounds=(1, 5), epsilons=[1, 5])
    marked = [line.split()[:2] for line in str(found).splitlines() if "(auto)" in line]
    assert marked == [["1", "balance"], ["5", "permute_and_flip"]]
