"""A line in two steps: what each is given, what is paid, what the receipt says."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise import (
    BoundedRange,
    ParameterError,
    ParameterTypeError,
    PiecewiseLaplace,
    PureDP,
    Quantile,
    SchemaError,
)
from noisewise.hazmat import SeededBits, law
from noisewise.kernel.settle import settle
from noisewise.questions.composites.theil_sen_line import TheilSenLine
from noisewise.statistics.theil_sen.theil_sen import TheilSen

ASKED = {"bounds": (-5, 5), "epsilon": 1, "intercept_bounds": (-100, 100)}


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    x = rng.normal(10, 3, 500)
    return x, 2 * x + 5 + rng.normal(size=500)


def line(data, **asked):
    return TheilSenLine.of(TheilSen(), data, **(ASKED | asked))


def test_it_finds_the_line(rows):
    released = line(rows, epsilon=20).answer(bits=SeededBits(1))
    slope, intercept = released.value
    assert abs(slope - 2) < 0.1 and abs(intercept - 5) < 1


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_intercept_is_the_median_of_what_the_released_slope_leaves(rows, neighbors):
    """Seeded bits are read by the slope first; the same bits then draw the median of the column left over."""
    x, y = np.append(rows[0], [np.nan, np.inf, 1.0]), np.append(rows[1], [1.0, 2.0, -np.inf])
    released = line((x, y), neighbors=neighbors).answer(bits=SeededBits(3))
    bits = SeededBits(3)
    asked = {"epsilon": Fraction(1, 2), "neighbors": neighbors, "mechanism": "piecewise_laplace"}
    first = law(TheilSen(), (x, y), bounds=(-5, 5), **asked)
    slope = int(first.draw_each(bits=bits)[0]) * first.granularity
    x, y = (x[:-3], y[:-3]) if neighbors == "add_remove" else (x.copy(), y.copy())
    if neighbors == "swap":
        x[-3], y[-3] = 0.0, 0.0  # the row that stands for a missing one
    else:
        x, y = np.append(x, [np.inf, 1.0]), np.append(y, [2.0, -np.inf])
    with np.errstate(all="ignore"):
        left = y - float(slope) * x
    second = law(Quantile("1/2"), left, bounds=(-100.0, 100.0), **asked)
    intercept = int(second.draw_each(bits=bits)[0]) * second.granularity
    assert released.value == (float(slope), float(intercept))
    assert not released.private


def test_both_steps_are_paid_for_at_once_and_before_anything_is_read():
    paid = []

    class Ledger:
        def debit(self, loss, *, neighbors, contributions, memo):
            paid.append((loss, neighbors, contributions, memo))
            return "entry 1"

    class Unread(list):
        def __iter__(self):
            assert paid
            return super().__iter__()

    data = Unread([1.0, 2.0, 3.0]), Unread([1.0, 2.0, 4.0])
    released = settle(line(data, contributions=2), Ledger())
    half = BoundedRange(Fraction(1, 2)).as_zcdp().rho
    assert paid == [(PureDP(1), "add_remove", 2, "theil_sen with intercept by piecewise-laplace/1")]
    assert released.receipt == "entry 1"
    assert released.privacy == PureDP(1) and released.privacy.rho == 2 * half


def test_by_plain_laplace_too(rows):
    released = line(rows, mechanism="laplace", neighbors="swap").answer()
    assert released.privacy.epsilon == 1
    assert released.mechanism == "laplace"


def test_the_receipt_says_what_was_asked(rows):
    released = line(rows, granularity=0.25).answer()
    assert released.statistic == "theil_sen with intercept"
    assert released.bounds == (-5, 5) and released.granularity == Fraction(1, 4)
    assert "intercept within -100 .. 100, in steps of 1/16777216" in str(released)
    assert released.value[0] % 0.25 == 0


@pytest.mark.parametrize("data", [([], []), ([None], [1.0]), ([1.0], [1.0]), ([math.inf], [math.nan])])
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_next_to_no_rows(data, neighbors):
    slope, intercept = line(data, neighbors=neighbors).answer().value
    assert -5 <= slope <= 5 and -100 <= intercept <= 100


@pytest.mark.parametrize(
    ("asked", "kind", "text"),
    [
        (
            {"intercept_bounds": (1, 0)},
            ParameterError,
            r"intercept_bounds must have lowest < highest, got \(1, 0\)",
        ),
        ({"intercept_bounds": 3}, ParameterTypeError, "intercept_bounds must be a pair"),
        (
            {"intercept_bounds": ("a", 1)},
            ParameterTypeError,
            "intercept_bounds: the lower bound must be a real number",
        ),
        ({"bounds": (1, 0)}, ParameterError, "bounds must have lowest < highest"),
        ({"epsilon": 0}, ParameterError, "epsilon must be above 0"),
        ({"mechanism": PiecewiseLaplace(epsilon=1)}, ParameterTypeError, "mechanism must be a name where"),
        ({"mechanism": "magic"}, ParameterError, "mechanism must be one of"),
        ({"neighbors": "both"}, ParameterError, "neighbors must be"),
        ({"neighbors": "swap", "contributions": 2}, ParameterError, "contributions must be 1"),
    ],
)
def test_parameters_are_judged_first(asked, kind, text):
    with pytest.raises(kind, match=f"^{text}"):
        line(([], []), **asked)


def test_columns_must_fit_each_other():
    with pytest.raises(SchemaError, match="same number of rows"):
        line(([1, 2], [1]))


def test_what_is_secret_is_withheld(rows):
    assert repr(line(rows)) == "<TheilSenLine: withheld>"
