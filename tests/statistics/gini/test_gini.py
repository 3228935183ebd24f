"""The Gini coefficient against its naive definition, on every small dataset."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from noisewise.audit.worlds import Dataset
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.hazmat import law
from noisewise.questions.functions.spread import gini
from noisewise.statistics.gini.gini import Gini
from tests.kernel.laws.statistic_laws import StatisticLaws
from tests.statistics.neighbourhood import RELATIONS

FINE = Fraction(1, 2**20)


def naive(x: Dataset) -> Fraction:
    """All pairs; 0 if there is nothing to share, or nobody."""
    apart = sum(abs(u - v) for u, v in combinations(x, 2))
    return Fraction(apart) / (len(x) * Fraction(sum(x))) if x and sum(x) else Fraction(0)


class GiniLaws(StatisticLaws):
    """Beyond as many edits as there are records the envelope is all of [0, 1]; up to there it is exact."""

    statistic = Gini()
    answer = staticmethod(naive)
    exact = False
    granularities = (Fraction(1, 64), Fraction(1, 10), Fraction(1, 3))

    @pytest.mark.parametrize("relation", RELATIONS)
    def test_exact_up_to_as_many_edits_as_records(self, relation: str) -> None:
        world = self.world(relation)
        for x in world.datasets():
            levels = min(self.levels, len(x))
            least, most = world.envelope(naive, x, levels)
            ours = self.envelope(x, relation, levels, FINE)
            assert ours.lower.tolist() == [self.floor(low, FINE) for low in least], x
            assert ours.upper.tolist() == [self.floor(high, FINE) for high in most], x


class TestFromZero(GiniLaws):
    domain = (0, 1, 4)
    records = (-99.0, 0.0, 1.5, 9.0)


class TestFromOne(GiniLaws):
    bounds = (1, 9)
    domain = (1, 2, 4, 9)
    records = (-99.0, 1.5, 3.0, 20.0)
    most = 3


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("n", [1, 2, 99, 70_000])
@pytest.mark.parametrize("low", [0, 7, 10**15])
def test_the_centre_of_large_data(relation: str, n: int, low: int) -> None:
    x = low + np.random.default_rng(n).integers(0, 10**6, n)
    ours = law(Gini(), x, bounds=(low, low + 10**6), epsilon=1, neighbors=relation, levels=1)
    ordered = sorted(x.tolist())
    apart = sum((2 * i + 1 - n) * v for i, v in enumerate(ordered))
    exact = Fraction(apart, n * sum(ordered))
    assert ours.envelope.level(0) == (exact / ours.granularity // 1,) * 2


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("x", [[], [0], [5], [0, 0, 0], [5, 5, 5]])
def test_where_nothing_differs_it_is_zero(relation: str, x: list[int]) -> None:
    assert law(Gini(), x, bounds=(0, 9), epsilon=1, neighbors=relation).envelope.level(0) == (0, 0)


def test_removing_all_who_have_anything_leaves_none() -> None:
    """The others are equal then, though f = M - c*n*S does not fall below 0."""
    for relation in RELATIONS:
        ours = law(Gini(), [0, 0, 0, 0, 1, 9], bounds=(0, 9), epsilon=1, neighbors=relation).envelope
        assert ours.level(1)[0] > 0 and ours.level(2)[0] == 0


@pytest.mark.parametrize("low", [-1, -0.5, np.float64(-3.0)])
def test_negative_bounds_are_refused(low: Any) -> None:
    with pytest.raises(ParameterError, match=r"the lower bound must be at least 0 for gini, got -"):
        gini([1, 2], bounds=(low, 9), epsilon=1)
    with pytest.raises(ParameterTypeError, match="bounds must be a pair"):
        gini([1, 2], bounds=None, epsilon=1)  # type: ignore[arg-type]


def test_name() -> None:
    assert gini([1, 2, 3], bounds=(0, 4), epsilon=1).statistic == str(Gini()) == "gini"
