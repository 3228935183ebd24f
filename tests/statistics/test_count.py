"""Counts against len, on every small dataset."""

import pytest

import noisewise as nws
from noisewise import Count, ParameterError, ParameterTypeError, hazmat
from noisewise.audit.nesting import nests_in
from noisewise.audit.worlds import World
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.statistic_laws import StatisticLaws


class TestCount(StatisticLaws):
    statistic = Count()
    answer = staticmethod(len)
    bounds = None
    granularities = (1, 2, 3)
    records = (-99.0, 1.5, 9.0)
    rule = 9


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
@pytest.mark.parametrize("granularity", [1, 2])
def test_the_count_of_a_category_is_exact_and_nests(relation, granularity):
    """Every dataset of up to three records, missing ones and ones of another category among them."""
    world = World(("tea", "milk", ""), 3, relation, 1)
    envelopes = {}
    for x in world.datasets():
        data = [record or None for record in x]
        law = hazmat.law(
            Count("tea"),
            data,
            epsilon=1,
            neighbors=relation,
            granularity=granularity,
            mechanism="piecewise_laplace",
            levels=4,
        )
        envelopes[x] = law.envelope
        least, most = world.envelope(lambda x: x.count("tea"), x, 2)
        assert [law.envelope.level(l) for l in range(3)] == [
            (low // granularity, high // granularity) for low, high in zip(least, most, strict=True)
        ]
        assert read_law(law).support == (
            0,
            None if relation == "add_remove" else len(x) // granularity * granularity,
        )
    for x, y in world.pairs():
        assert nests_in(envelopes[x], envelopes[y]) and nests_in(envelopes[y], envelopes[x])


def test_missing_records_are_left_out_under_add_remove_and_counted_under_swap():
    data = [1, None, float("nan"), "x", 4.5]
    for relation, count in (("add_remove", 2), ("swap", 5)):
        law = hazmat.law(Count(), data, epsilon=1, neighbors=relation)
        assert law.envelope.level(0) == (count, count)


def test_under_swap_the_number_is_public_and_told_as_it_is():
    for mechanism in ("auto", "laplace", "piecewise_laplace", "inverse_sensitivity"):
        released = nws.count([5, 6, 7], epsilon=0.001, neighbors="swap", mechanism=mechanism)
        assert released.value == 3


def test_auto_is_laplace_at_the_full_epsilon_and_the_count_is_never_negative():
    law = hazmat.law(Count(), [], epsilon=1)
    assert read_law(law).support == (0, None)
    assert nws.count([], epsilon=1).law == "discrete-laplace/1"
    assert law.rate == 1
    assert min(law.draw(2000)) == 0


def test_auto_halves_the_error_of_piecewise_laplace():
    ours, other = (
        read_law(hazmat.law(Count(), [0] * 1000, epsilon=1, mechanism=m)).expected_error()
        for m in ("auto", "piecewise_laplace")
    )
    assert 1.8 < other / ours < 2.3


def test_it_takes_no_bounds_and_whole_steps():
    with pytest.raises(ParameterTypeError, match="bounds must be left out for count"):
        hazmat.law(Count(), [1], bounds=(0, 1), epsilon=1)
    with pytest.raises(ParameterError, match="granularity must be a whole number"):
        nws.count([1], epsilon=1, granularity=0.5)
    assert str(Count()) == "count" and str(Count("tea")) == "count('tea')"
