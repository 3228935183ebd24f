"""Exact coins: their chances, what happens at the worst bits there are, and a uniform one of those accepted."""

import importlib
import math
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.certified import certain_coin
from noisewise.kernel.sampling.coins import CHANCE_SLACK, EXPONENT_SLACK, Coins
from noisewise.kernel.sampling.draw import ULP
from tests.kernel.sampling.goodness import LEVEL, Expansion, First, ball, dyadic, p_value, tilted

module = importlib.import_module("noisewise.kernel.sampling.coins")
THROWS = 40_000
rates = st.fractions(Fraction(1, 10**9), 64, max_denominator=10**9)
costs = st.tuples(st.integers(0, 2000), st.integers(0, 50), st.integers(50, 60))


def coins_of(costs, rate):
    """One group of coins, from costs as triples whole + top/bottom."""
    whole, top, bottom = (np.array([column]) for column in zip(*costs, strict=True))
    return Coins.of(whole, top, bottom, Fraction(rate))


def exponent_of(cost, rate):
    return Fraction(rate) * (cost[0] + Fraction(cost[1], cost[2]))


def chance_of(cost, rate):
    return float((-ball(exponent_of(cost, rate))).exp())


def throw_at(coins, number):
    """A single coin thrown with the bits of a number; and how many words that took."""
    source = Expansion(number)
    return bool(coins.throw(np.array([0]), source)[0, 0]), source.taken


@pytest.mark.parametrize("rate", ["1/20", "1/2", "2"])
def test_each_coin_has_its_chance_and_no_other(rate):
    costs = [(0, 1, 3), (1, 0, 1), (1, 2, 5), (2, 1, 2)]
    accepted = coins_of(costs, rate).throw(np.zeros(THROWS, np.int64), SeededBits(1)).sum(axis=0)
    for count, cost in zip(accepted, costs, strict=True):
        chance = chance_of(cost, rate)
        counts = [count, THROWS - count]
        assert p_value(counts, [chance, 1 - chance]) > LEVEL
        if chance > 0.1:
            off = chance * (1.1 if chance < 0.9 else 0.9)
            assert p_value(counts, [off, 1 - off]) < LEVEL


def test_coins_are_thrown_apart():
    accepted = coins_of([(1, 0, 1), (1, 0, 1)], Fraction(1)).throw(np.zeros(THROWS, np.int64), SeededBits(2))
    p = math.exp(-1)
    counts = np.bincount(accepted @ [1, 2], minlength=4)
    assert p_value(counts, [(1 - p) ** 2, p * (1 - p), p * (1 - p), p * p]) > LEVEL


@settings(deadline=None, max_examples=60)
@given(costs, rates, st.integers(65, 900))
def test_bits_beside_the_chance_fall_on_their_side(cost, rate, depth):
    exponent = exponent_of(cost, rate)
    if not exponent:
        return
    with ctx.workprec(1200):
        chance = dyadic((-ball(exponent)).exp(), 1000)
    coins, close = coins_of([cost], rate), Fraction(1, 2**depth)
    for number, expected in ((chance - close, True), (chance + close, False)):
        if 0 <= number < 1:
            with ctx.workprec(1200):
                expected = expected if depth < 990 else bool(ball(number) < (-ball(exponent)).exp())
            assert throw_at(coins, number)[0] is expected


@settings(deadline=None, max_examples=60)
@given(costs, rates, st.integers(0, 2**64 - 1))
def test_words_at_the_edges_of_the_slack_are_decided_as_by_balls(cost, rate, word):
    coins = coins_of([cost], rate)
    edges = [int(coins.accepted[0, 0]), int(coins.open[0, 0])]
    for first in {word, *(edge + side for edge in edges for side in (-1, 0, 1))}:
        if 0 <= first < 2**64:
            thrown = coins.throw(np.array([0]), First([first], SeededBits(3)))[0, 0]
            assert thrown == certain_coin(Uniform(first, SeededBits(3)), exponent_of(cost, rate))


def test_few_words_are_undecided():
    taken = [throw_at(coins_of([(l, 1, 3)], "1/2"), Fraction(k, 97))[1] for l in range(9) for k in range(97)]
    assert set(taken) == {1}


@pytest.mark.parametrize("rate", ["1/1000000", "1/20", "1", "64"])
def test_chances_err_by_a_sixteenth_of_the_slack(rate):
    costs = [(l, j, 97) for l in (0, 1, 2, 7, 90, 700, 5000) for j in (0, 1, 50, 97)]
    for cost in costs:
        exponent = exponent_of(cost, rate)
        whole, top, bottom = cost
        rounded = float(Fraction(rate)) * (whole + top / bottom)
        if rounded > 700:
            continue
        with ctx.workprec(200):
            exact = (-ball(exponent)).exp()
            error = float(abs(arb(float(np.exp(-rounded))) / exact - 1))
        assert error <= (EXPONENT_SLACK * rounded + CHANCE_SLACK) * ULP / 16


def test_coins_survive_an_exponential_sixteen_times_worse_than_assumed():
    costs = [(l, j, 7) for l in range(40) for j in range(1, 8)]
    for factor in (1 + 64 * ULP, 1 - 64 * ULP):
        with patch.object(module.np, "exp", lambda x, factor=factor: np.e**x * factor):
            worse = coins_of(costs, "1/2")
        for i, cost in enumerate(costs):
            with ctx.workprec(200):
                words = (-ball(exponent_of(cost, "1/2"))).exp() * 2**64
                assert arb(int(worse.accepted[0, i])) <= words <= arb(int(worse.open[0, i]) + 1)


def test_a_cost_of_nothing_is_always_accepted():
    coins = coins_of([(0, 0, 1), (0, 0, 5)], "1/2")
    ones = First([2**64 - 1, 2**64 - 1])
    assert coins.throw(np.array([0]), ones).all()


def test_chances_that_underflow_are_kept():
    """exp(-4000) is no float64 and below 2^-5700, yet the coin accepts right below it and nowhere above."""
    with ctx.workprec(9000):
        chance = dyadic((-arb(4000)).exp(), 8000)
    coins = coins_of([(4000, 0, 1)], 1)
    assert throw_at(coins, chance - Fraction(1, 2**7000))[0]
    assert not throw_at(coins, chance + Fraction(1, 2**7000))[0]
    assert throw_at(coins, Fraction(0))[0]


@pytest.mark.parametrize("rate", [Fraction(1, 10**400), Fraction(1, 2**70)])
def test_rates_that_vanish_are_kept(rate):
    """The chance is 1 in float64 and not quite 1 in truth."""
    nearly_one = 1 - Fraction(1, 2**2000)
    coins = coins_of([(3, 1, 2)], rate)
    assert not throw_at(coins, nearly_one)[0]
    assert throw_at(coins, 1 - 4 * rate)[0]


def test_a_uniform_one_of_the_accepted_is_picked():
    """Three coins of cost 0 and two that are hardly ever accepted."""
    coins = coins_of([(90, 0, 1), (0, 0, 1), (0, 0, 1), (90, 0, 1), (0, 0, 1)], 1)
    picked = np.bincount(coins.pick(np.zeros(THROWS, np.int64), SeededBits(4)), minlength=5)
    assert picked[[0, 3]].sum() == 0
    assert p_value(picked[[1, 2, 4]], np.full(3, 1 / 3)) > LEVEL
    assert p_value(picked[[1, 2, 4]], tilted(np.full(3, 1 / 3))) < LEVEL


def test_rows_belong_to_their_groups():
    zero, far = (0, 0, 1), (500, 0, 1)
    whole, top, bottom = (
        np.array([[c[i] for c in row] for row in ([zero, far, far], [far, far, zero])]) for i in range(3)
    )
    groups = np.array([1, 0, 0, 1, 1, 0])
    for cells in (1, 4, 1 << 20):
        with patch.object(module, "CELLS", cells):
            picked = Coins.of(whole, top, bottom, Fraction(1)).pick(groups, SeededBits(5))
        assert picked.tolist() == [2, 0, 0, 2, 2, 0]


def test_no_draws():
    assert coins_of([(0, 0, 1)], 1).pick(np.zeros(0, np.int64), SeededBits(6)).size == 0


def test_coins_are_withheld():
    assert repr(coins_of([(0, 0, 1)], 1)) == "<Coins: withheld>"
