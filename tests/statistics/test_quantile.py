"""Quantiles against their naive definition, on every small dataset."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, Quantile, hazmat
from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.laws.envelope import level_rule
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.quantile import QuantileEnd
from noisewise.tables.columns import declare
from tests.each_value import each_value
from tests.kernel.laws.moves import worst_move, worst_range
from tests.kernel.laws.statistic_laws import StatisticLaws


def naive(q: Fraction, x: Dataset) -> int:
    """The record of rank max(1, ceil(q*n)); the lower bound if there is none."""
    return sorted(x)[max(1, math.ceil(q * len(x))) - 1] if x else 0


class TestMedian(StatisticLaws):
    statistic = Quantile("1/2")
    answer = staticmethod(lambda x: naive(Fraction(1, 2), x))


class TestMin(StatisticLaws):
    statistic = Quantile(0)
    answer = staticmethod(lambda x: naive(Fraction(0), x))


class TestMax(StatisticLaws):
    statistic = Quantile(1)
    answer = staticmethod(lambda x: naive(Fraction(1), x))


class TestThird(StatisticLaws):
    statistic = Quantile("1/3")
    answer = staticmethod(lambda x: naive(Fraction(1, 3), x))


class TestNinetieth(StatisticLaws):
    statistic = Quantile(0.9)
    answer = staticmethod(lambda x: naive(Fraction(9, 10), x))


class TestTiny(StatisticLaws):
    """A q so fine that ranks leave 64-bit arithmetic."""

    statistic = Quantile(Fraction(1, 10**40))
    answer = staticmethod(lambda x: naive(Fraction(1, 10**40), x))


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_range_of_the_median_is_exactly_epsilon(neighbors: str) -> None:
    """Not below: the bound is tight, so a smaller worst case here would mean that the world is too small to judge."""
    world = World((0, 1, 2, 3, 4), 4, neighbors)
    laws = {
        x: hazmat.law(
            Quantile("1/2"),
            list(x),
            bounds=(0, 4),
            epsilon=1,
            neighbors=neighbors,
            mechanism="piecewise_laplace",
        )
        for x in world.datasets()
    }
    assert math.isclose(worst_range(laws, world), 1)
    assert worst_move(laws, world)[0] == 1


@each_value(q=["0", "1/1000", "7/100", "1/3", "1/2", "0.9", "1"])
@each_value(neighbors=["add_remove", "swap"])
@each_value(n=[0, 1, 2, 99, 100, 101, 70_000])
def test_the_centre_is_the_order_statistic(q: str, neighbors: str, n: int) -> None:
    x = np.random.default_rng(n).integers(0, 10**9, n)
    asked: dict[str, Any] = {"bounds": (0, 10**9), "epsilon": 1, "neighbors": neighbors}
    law = hazmat.law(Quantile(q), x, mechanism="piecewise_laplace", **asked)
    assert law.envelope.level(0) == (naive(Fraction(q), tuple(x)),) * 2
    assert hazmat.law(Quantile(q), x, mechanism="balance", **asked).centre == naive(Fraction(q), tuple(x))


def test_levels_are_those_of_the_sorted_column() -> None:
    x = np.random.default_rng(0).permutation(200_001)
    law = hazmat.law(
        Quantile("1/2"),
        x,
        bounds=(0, 10**6),
        epsilon=1,
        neighbors="swap",
        levels=50,
        mechanism="piecewise_laplace",
    )
    assert law.envelope.upper.tolist() == list(range(100_000, 100_051))
    assert law.envelope.lower.tolist() == list(range(100_000, 99_949, -1))
    law = hazmat.law(
        Quantile("1/2"), x, bounds=(0, 10**6), epsilon=1, levels=4, mechanism="piecewise_laplace"
    )
    assert law.envelope.upper.tolist() == [100_000, 100_000, 100_001, 100_001, 100_002]
    assert law.envelope.lower.tolist() == [100_000, 99_999, 99_999, 99_998, 99_998]


@pytest.mark.parametrize("owned", [1, 3])
def test_people_get_as_many_levels_as_the_rule_says(owned: int) -> None:
    """Records enough, so that only the rule limits them: fewer would leave mass to the jump."""
    rule = level_rule(1001, Fraction(1, 2))
    law = hazmat.law(
        Quantile("1/2"),
        list(range(1000)),
        bounds=(0, 1000),
        epsilon=1,
        contributions=owned,
        mechanism="piecewise_laplace",
    )
    assert law.envelope.lower.size == rule + 1
    assert law.envelope.level(rule)[0] > 0


def test_q_is_exact() -> None:
    """Float ceil(0.07*100) is 8; the rank is 7."""
    law = hazmat.law(
        Quantile(0.07), list(range(1, 101)), bounds=(0, 200), epsilon=1, mechanism="piecewise_laplace"
    )
    assert law.envelope.level(0) == (7, 7)


def test_names() -> None:
    assert [str(Quantile(q)) for q in (0, "1/2", 1, 0.9, "1/3")] == [
        "min",
        "median",
        "max",
        "quantile(0.9)",
        "quantile(1/3)",
    ]


@pytest.mark.parametrize(
    "q", [-0.1, 1.1, float("nan"), "half", "1/0", "2", "-1/2", "1e-5000", "1/" + "9" * 5000, ""]
)
def test_a_share_outside_the_unit_interval_is_refused(q: object) -> None:
    with pytest.raises(ParameterError, match="q must be"):
        Quantile(q)  # type: ignore[arg-type]


@pytest.mark.parametrize("q", [None, True, [0.5], 1j])
def test_what_is_no_number_is_refused(q: object) -> None:
    with pytest.raises(ParameterTypeError, match="q must be a real number"):
        Quantile(q)  # type: ignore[arg-type]


def test_a_percentage_is_told_how_to_be_a_share() -> None:
    with pytest.raises(ParameterError, match=r"^q must be between 0 and 1, got 90; for 90% say 0[.]9$"):
        Quantile(90)
    with pytest.raises(ParameterError, match=r"got 101$"):
        Quantile(101)


@pytest.mark.parametrize("ranks", [-7, Fraction(-1, 2), 0, 7])
def test_all_levels_of_a_shifted_score_are_all_records(ranks):
    """However far the target is from the records, so many levels as there are records are all of them."""
    column = declare([1, 2, 3]).read(Lattice(0, 9, Fraction(1)), "add_remove")
    end = QuantileEnd("1/2", Fraction(ranks))
    score = end.score(column, Answers.on(column.lattice), 4, Fraction(1))
    plain = Quantile("1/2").score(column, Answers.on(column.lattice), 4, Fraction(1))
    assert not score.more.any() and score.positions.tolist() == [0, 1, 2, 3]
    assert [score.at(k) + ranks for k in range(9)] == [plain.at(k) for k in range(9)]


def test_an_end_has_no_envelope():
    with pytest.raises(ParameterError, match="where there is no envelope"):
        hazmat.law(QuantileEnd("1/2", Fraction(1)), [1], bounds=(0, 9), epsilon=1, mechanism="laplace")
