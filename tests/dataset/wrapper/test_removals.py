"""The law of removals: every small dataset, with functions of any kind, and levels by their definition."""

from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest

import noisewise as nws
from noisewise.dataset.wrapper.copies import rows_of
from noisewise.dataset.wrapper.removals import ByRemovals
from noisewise.dataset.wrapper.wrapped import Wrapped
from noisewise.errors import NoisewiseError
from noisewise.kernel.sampling import SystemBits
from noisewise.planning.readings.read_law import read_law
from noisewise.tables.columns import declare
from tests.dataset.wrapper.test_blocks import Words

ANSWERS = 3


def found(data, f, way, words=None):
    """The levels of a dataset, by the library."""

    def ask(parts):
        rows = np.array([[f[tuple(data[place] for place in places)]] for places in parts], np.float64)
        assert len(rows) <= way.evaluations
        return rows

    bits = SystemBits() if words is None else Words(words)
    return way.find(ask, np.arange(len(data)), bits)[:, 0]


def defined(data, f, depth):
    """The levels by their definition."""

    def value(left):
        number = f[tuple(each for place, each in enumerate(data) if place not in left)]
        return 0 if np.isnan(number) else number

    def sets(most, of):
        return [set(each) for size in range(min(most, len(of)) + 1) for each in combinations(of, size)]

    places = range(len(data))
    return [
        min(max(value(gone | more) for more in sets(depth - i, places)) for gone in sets(i, places))
        for i in range(depth + 1)
    ]


def worlds(most):
    return [data for size in range(most + 1) for data in product("ab", repeat=size)]


def functions(most, many):
    random = np.random.default_rng(most)
    for trial in range(many):
        values = [0, ANSWERS - 1] if trial % 2 else [0, 1, 2, np.nan]
        yield {data: float(random.choice(values)) for data in worlds(most)}


def pmf(asked, levels):
    (request,) = asked.requests
    law = replace(request, data=declare(np.nan_to_num(levels, neginf=0.0))).look()
    return read_law(law).pmf(range(int(request.bounds[1]) + 1))


def ask(**keywords):
    keywords = {"bounds": (0, ANSWERS - 1), "granularity": 1, "method": "removals", **keywords}
    return Wrapped.of(len, rows_of([]), **keywords)


def worst_loss(asked, laws, most):
    worst = 0.0
    for data in worlds(most):
        removed = [data[:i] + data[i + 1 :] for i in range(len(data))]
        swapped = [(*data[:i], v, *data[i + 1 :]) for i in range(len(data)) for v in "ab"]
        for other in [*removed, *swapped]:
            worst = max(worst, np.abs(np.log(laws[data] / laws[other])).max())
    return worst


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_levels_are_those_of_the_definition(depth):
    for f in functions(4, 10):
        for data in worlds(4):
            levels = np.maximum(found(data, f, ByRemovals(depth, 4)), 0)
            assert levels.tolist() == defined(data, f, depth)
            assert (np.diff(levels) <= 0).all()


@pytest.mark.parametrize("price", [{"epsilon": 2}, {"rho": 0.3}], ids=str)
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_neighbours_differ_by_at_most_epsilon_whatever_the_function_is(depth, price):
    asked, worst = ask(depth=depth, most=4, **price), 0.0
    mechanism = asked.requests[0].mechanism
    assert mechanism.name == ("balance" if "epsilon" in price else "piecewise_laplace")
    for f in functions(4, 30):
        laws = {data: pmf(asked, found(data, f, asked.way)) for data in worlds(4)}
        worst = max(worst, worst_loss(asked, laws, 4))
    most = 2 if "epsilon" in price else float(mechanism.epsilon)
    assert worst <= most * (1 + 1e-9)
    assert worst > most * 0.45


def test_a_function_that_was_climbed_to_costs_half_of_epsilon():
    """Twice the rate of balance would cost more than epsilon here."""
    values = [0, 7, 8, 8, 3, 11, 10, 8, 10, 7, 9, 9, 2, 1, 9, 7, 1, 7, 9, 7, 8, 8, 9, 5, 1, 5, 6, 2, 3, 7, 6]
    f, asked = (
        dict(zip(worlds(4), map(float, values), strict=True)),
        ask(epsilon=2, depth=2, most=4, bounds=(0, 11)),
    )
    laws = {data: pmf(asked, found(data, f, asked.way)) for data in worlds(4)}
    assert 1 < worst_loss(asked, laws, 4) <= 2


def test_of_more_people_than_there_can_be_some_are_chosen():
    asked, worst = ask(epsilon=2, depth=1, most=2), 0.0
    assert asked.way.evaluations == 3
    for f in functions(3, 20):
        laws = {}
        for data in worlds(3):
            orders = list(permutations(range(len(data))))
            assert all(len(found(data, f, asked.way, order)) == 2 for order in orders)
            laws[data] = sum(pmf(asked, found(data, f, asked.way, order)) for order in orders) / len(orders)
        worst = max(worst, worst_loss(asked, laws, 3))
    assert worst <= 2 * (1 + 1e-9)


def test_a_release_tells_its_subsets_and_keeps_its_promise():
    ages = np.array([30.0, 31, 32, 33, 34, 35, 36, 90])
    asked = {"bounds": (0, 100), "granularity": 1, "epsilon": 32, "method": "removals", "most": 10}
    release = nws.wrap(np.median, ages, **asked)
    assert 30 <= release.value <= 36
    assert (release.law, release.privacy) == ("removals/1, balance/1", nws.PureDP(32))
    assert release.notes[0] == "all subsets that lack at most 0 of at most 10: up to 1 values"
    plan = str(nws.plan(nws.wrap, np.median, **{**asked, "epsilon": 12}))
    assert "lack at most 2 of at most 10: up to 56 values" in plan
    assert "the answer lies between the least and the greatest of these" in plan
    assert nws.simulate(nws.wrap, ages, np.median, **asked).answer == 33.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"most": None}, "most must be given"),
        (
            {"most": 100, "depth": 50},
            "at most 65,536 evaluations, got .* subsets that lack at most 50 of 100",
        ),
        ({"depth": 11}, "depth must be at most 10"),
        ({"blocks": 3}, "blocks must be left out where method is"),
        ({"progress": print}, "progress must be left out"),
        ({"method": "blocks"}, "must be left out where method is"),
        ({"method": "ladder"}, "method must be"),
    ],
)
def test_wrong_calls_are_refused(given, message):
    asked = {"bounds": (0, 100), "epsilon": 8, "method": "removals", "most": 10, **given}
    with pytest.raises(NoisewiseError, match=message):
        nws.wrap(np.median, [1, 2, 3], **asked)
