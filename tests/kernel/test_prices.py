"""A price in rho buys no law that costs more, however a person's records are spread over groups."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import BoundedRange, PureDP, discrete_laplace_rho
from noisewise.kernel.prices import (
    Rho,
    epsilon_by_squares,
    exact_price,
    for_all,
    for_each,
    pure_epsilon,
    range_epsilon,
    said,
)

RHOS = [Fraction(1, 10**30), Fraction(1, 10**6), Fraction(1, 200), Fraction(1, 2), Fraction(3), Fraction(20)]


def spreads(records: int, per_group: int, groups: int) -> Iterator[tuple[int, ...]]:
    """Every way in which a person's records may fall into groups, the largest group first."""
    if groups == 0 or records == 0:
        yield ()
        return
    for first in range(min(records, per_group), -1, -1):
        for others in spreads(records - first, min(first, per_group), groups - 1):
            yield (first, *others)


def of_range(epsilon: Fraction) -> Fraction:
    return BoundedRange(epsilon).as_zcdp().rho


CASES = [(m, c, k) for m in range(1, 8) for c in range(1, m + 1) for k in (1, 2, 3, m)]


@pytest.mark.parametrize("rho", RHOS, ids=str)
def test_no_spread_of_records_costs_more_than_rho(rho: Fraction) -> None:
    for m, c, k in CASES:
        price = Rho(rho).for_each(m, c, k)
        epsilon, worst = range_epsilon(price), 0
        for spread in spreads(m, c, k):
            assert sum(each**2 for each in spread) <= price.squares
            assert sum(of_range(each * epsilon) for each in spread) <= rho
            worst = max(worst, sum(each**2 for each in spread))
        assert worst == price.squares, (m, c, k)


@pytest.mark.parametrize("rho", RHOS, ids=str)
def test_pure_laws_and_laplace_noise_cost_no_more_than_rho(rho: Fraction) -> None:
    for m, c, k in CASES:
        price = Rho(rho).for_each(m, c, k)
        together = min(m, c * k)
        assert PureDP(together * pure_epsilon(price)).as_zcdp().rho <= rho
        for steps in (1, 3):
            laplace = price.laplace_epsilon(steps)
            for spread in spreads(m, c, k):
                costs = (discrete_laplace_rho(each * laplace, each * steps) for each in spread if each)
                assert sum(costs, Fraction(0)) <= rho


def test_draws_down_a_tree_cost_no_more_than_rho() -> None:
    """The first draw takes half of rho along a path, and so does the second, which follows in a part of the records."""
    for m, c, k in CASES:
        price = Rho(Fraction(1, 2)).for_each(m, c, k).in_a_tree()
        steps = [range_epsilon(price / 2)] * 2
        balance = [epsilon_by_squares(price / 2)] * 2
        for spread in spreads(m, c, k):
            ranged = sum(of_range(each * step) for each in spread for step in steps)
            assert ranged <= Fraction(1, 2)
            assert sum((each * step) ** 2 / 2 for each in spread for step in balance) <= Fraction(1, 2)


@pytest.mark.parametrize("rho", [each for each in RHOS if each > Fraction(1, 10**12)], ids=str)
@pytest.mark.parametrize(
    ("epsilon_at", "cost"),
    [
        (range_epsilon, of_range),
        (pure_epsilon, lambda epsilon: PureDP(epsilon).as_zcdp().rho),
        (lambda price: price.laplace_epsilon(4), lambda epsilon: discrete_laplace_rho(epsilon, 4)),
        (epsilon_by_squares, lambda epsilon: epsilon**2 / 2),
    ],
)
def test_a_price_is_used_but_for_a_millionth(
    rho: Fraction, epsilon_at: Callable[[Rho], Fraction], cost: Callable[[Fraction], Fraction]
) -> None:
    epsilon = epsilon_at(Rho(rho))
    assert cost(epsilon) <= rho
    assert epsilon == 64 or cost(epsilon * (1 + Fraction(1, 10**6))) > rho


def test_an_epsilon_has_nine_digits() -> None:
    for rho in RHOS:
        epsilon = range_epsilon(Rho(rho))
        power = 8 - math.floor(math.log10(epsilon))
        assert (epsilon * Fraction(10) ** power).denominator == 1


def test_the_root_of_the_squares_would_undercharge() -> None:
    assert 4 * of_range(Fraction(8)) > of_range(Fraction(16)) + 7


def test_what_a_price_is() -> None:
    half = Rho.of(0.5)
    assert (half * Fraction(1, 5)).rho == (Fraction(1, 5) * half).rho == Fraction(1, 10)
    assert (half / 4).rho == Fraction(1, 8) and said(half) == "ρ = 0.5" and said(Fraction(1)) == "ε = 1"
    assert Rho.of(half) is half and exact_price(half) is half and exact_price(0.1) == Fraction(1, 10)
    assert for_each(Fraction(1), 4) == Fraction(1, 4) and for_all(Fraction(1, 4), 4) == 1
    assert for_all(half, 4) is half and half.loss.rho == Fraction(1, 2)


@pytest.mark.parametrize(
    ("rho", "error"),
    [
        (0, ParameterError),
        (-1, ParameterError),
        (65, ParameterError),
        ("one", ParameterTypeError),
        (True, ParameterTypeError),
    ],
)
def test_wrong_prices_are_refused(rho: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^rho must"):
        Rho.of(rho)
