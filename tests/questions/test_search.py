"""The search for bounds: its joint law keeps the loss on every small dataset, and its promises hold."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import noisewise as nws
from noisewise import BoundedRange
from noisewise.audit.worlds import World
from noisewise.errors import ParameterError
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import request
from noisewise.questions.search import BoundsSearch, exact_beta, fitting, split
from noisewise.tables.columns import declare
from noisewise.tables.columns.magnitudes import Magnitudes
from tests.kernel.laws.moves import FLOAT
from tests.kernel.sampling.goodness import LEVEL, p_value

TINY = Magnitudes.of(2, 1, 2)
MISSING = -99.0
RECORDS = (MISSING, -1.5, -0.5, 0.0, 1.0, 9.0)


def data(x):
    return declare([None if record == MISSING else record for record in x])


def search(epsilon=1, neighbors="add_remove", contributions=1, magnitudes=TINY, beta=Fraction(1, 200)):
    return BoundsSearch(magnitudes, Fraction(epsilon), neighbors, contributions, Fraction(beta))


def outcomes(asked):
    """What each pattern of empty, occupied and crowded buckets is read as."""
    levels = (0, asked.occupied, asked.crowded)
    return {p: asked.read([levels[k] for k in p]) for p in product(range(3), repeat=asked.magnitudes.buckets)}


def law_of_search(asked, x, read):
    """The probability of every outcome: a product over buckets, summed over what is read as the same."""
    laws = asked.law(data(x))
    assert len(laws) == asked.magnitudes.buckets
    parts = []
    for g in range(len(laws)):
        least, most = read_law(laws[g]).cdf([asked.occupied - 1, asked.crowded - 1])
        parts.append((least, most - least, 1 - most))
    found = dict.fromkeys(read.values(), 0.0)
    for pattern, outcome in read.items():
        found[outcome] += math.prod(parts[g][k] for g, k in enumerate(pattern))
    assert math.isclose(sum(found.values()), 1)
    return found


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 2])
@pytest.mark.parametrize(
    ("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 2), ("add_remove", 3), ("swap", 1)]
)
def test_the_joint_law_keeps_the_loss(neighbors, contributions, epsilon):
    asked = search(epsilon, neighbors, contributions)
    assert asked.occupied < asked.crowded
    world, read = World(RECORDS, 3, neighbors, contributions), outcomes(asked)
    laws = {x: law_of_search(asked, x, read) for x in world.datasets()}
    worst = max(
        abs(math.log(laws[x][outcome] / laws[y][outcome]))
        for x, y in world.pairs()
        for outcome in laws[x]
        if neighbors == "add_remove" or len(x) == len(y)
    )
    assert worst <= epsilon + FLOAT
    assert worst > 0.5 * epsilon, "so far from the bound, the enumeration would notice nothing"
    assert all(min(law.values()) > 0 for law in laws.values()), "every outcome is possible in every dataset"
    assert None in read.values()


@pytest.mark.parametrize(("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 3), ("swap", 1)])
def test_the_zcdp_loss_is_kept(neighbors, contributions):
    """Of the noisy counts, which the bounds are read off: Rényi divergences, however a person's records are split."""
    asked = search(1, neighbors, contributions)
    shifts = [(1, 1)] if neighbors == "swap" else [(s, contributions - s) for s in range(contributions + 1)]
    k, rate = np.arange(-400, 401), float(asked.epsilon / asked.reach)

    def divergence(shift, order):
        p, q = (-rate * np.abs(k - s) + math.log(math.tanh(rate / 2)) for s in (shift, 0))
        return math.log(np.sum(np.exp(order * p + (1 - order) * q))) / (order - 1)

    for order in (1.001, 1.5, 2, 8, 64):
        worst = max(sum(divergence(s, order) for s in split) for split in shifts)
        assert worst <= order * float(asked.loss.rho) + FLOAT
    assert not isinstance(asked.loss, BoundedRange)
    assert asked.loss.epsilon == 1 and asked.loss.rho <= Fraction(1, 2)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_what_is_found_follows_that_law(neighbors):
    asked, bits = search(1 if neighbors == "add_remove" else 2, neighbors), SeededBits(5)
    x = (MISSING, *[-0.5] * 4, 0.0, *[1.0] * 8, *[9.0] * 6)
    read = outcomes(asked)
    drawn = [asked.find(data(x), bits=bits) for _ in range(2_000)]

    def fit(other):
        expected = law_of_search(other, x, read)
        counts, chances = np.array(sorted([p, drawn.count(o)] for o, p in expected.items()))[:, ::-1].T
        return p_value(counts, chances)

    assert set(drawn) <= set(read.values())
    assert fit(asked) > LEVEL
    assert fit(replace(asked, price=asked.epsilon * Fraction(5, 4))) < LEVEL


def test_an_empty_column_finds_bounds_as_often_as_the_law_says():
    """Noise is drawn for empty buckets too: were they left out, bounds would tell that somebody is there."""
    asked, bits = search(1, beta=Fraction(9, 10)), SeededBits(8)
    nothing = law_of_search(asked, (), outcomes(asked))[None]
    drawn = [asked.find(data(()), bits=bits) for _ in range(500)]
    assert 0.5 < nothing < 0.9
    assert abs(drawn.count(None) - 500 * nothing) < 5 * (500 * nothing * (1 - nothing)) ** 0.5


def test_noisy_counts_are_read_outwards_from_the_crowd():
    asked = search(1, magnitudes=Magnitudes.of(2, 1, 8), beta=Fraction(1, 1000))
    few, many = asked.occupied, asked.crowded

    def read(**noisy):
        """Buckets by name, from z below -4 over o at zero to d above 4."""
        return asked.read([noisy.get(name, 0) for name in "zyxwoabcd"])

    assert read() is None
    assert read(o=10**9) is None, "zeros tell no scale"
    assert read(a=many - 1, b=many - 1, c=many - 1) is None
    assert read(c=many) == (2, 4)
    assert read(c=many, d=few) == (0, 8)
    assert read(c=many, d=few - 1) == (2, 4)
    assert read(b=many, d=few) == (1, 2), "people behind an empty bucket are noise, or too few"
    assert read(b=many, d=many) == (0, 8)
    assert read(o=many, a=many) == read(o=few, a=many) == read(a=many) == (0, 1)
    assert read(o=many, c=many) == (0, 4)
    assert read(z=many) == (-8, -4)
    assert read(x=many, y=few) == (-4, 0)
    assert read(w=many, c=many, y=few) == (-1, 4)
    assert read(w=many, c=many, x=few, y=few) == (-4, 4)
    assert read(w=many, o=few, a=few, b=few) == (-1, 2)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), 1, 8])
def test_thresholds_are_the_least_that_keep_their_chance(epsilon, neighbors):
    asked = search(
        epsilon, neighbors, magnitudes=Magnitudes.of(2, Fraction(1, 2**32), 2**64), beta=Fraction(1, 1000)
    )
    rate = epsilon / asked.reach

    def reached(k):
        return math.exp(-rate * k) / (1 + math.exp(-rate))

    assert 195 * reached(asked.crowded) <= 0.0005 < 195 * reached(asked.crowded - 1)
    assert reached(asked.occupied) <= 0.01
    assert asked.occupied == 1 or reached(asked.occupied - 1) > 0.01
    missed = (
        asked.overlooked - asked.crowded + 1
    )  # the noise must fall so low for such a bucket to be no crowd
    assert 2 * reached(missed) <= 0.0005


@pytest.mark.parametrize("n", [0, 3, 3_000])
def test_the_promise_is_kept(n):
    """With beta = 1/5, in 2,000 searches of a heavy tail: at most 1/5 fail, and not absurdly few."""
    asked, bits = (
        search(1, magnitudes=Magnitudes.of(2, Fraction(1, 2**10), 2**20), beta=Fraction(1, 5)),
        SeededBits(n),
    )
    tail = 1 / np.linspace(1, 0, n, endpoint=False)
    law, counts = asked.law(declare(tail)), asked.magnitudes.count(declare(tail))
    zero, last = -asked.magnitudes.lowest, max(np.flatnonzero(counts), default=0)
    powers, failed, wide = (0.0, *asked.magnitudes.powers), 0, 0
    for _ in range(1_000):
        noisy = law.draw_each(bits=bits).tolist()
        spurious = any(found >= asked.crowded for found, true in zip(noisy, counts, strict=True) if true == 0)
        found = asked.read(noisy)
        top = zero if found is None else zero + powers.index(found[1]) if found[1] >= 0 else 0
        blind = max(counts[top + 1 :], default=0) >= asked.overlooked
        failed += spurious or blind
        wide += not spurious and found is not None and top > last
    assert failed <= 1_000 * 0.2
    assert wide <= 1_000 * 0.015
    assert failed > 10


def test_tiny_losses_find_nothing_and_large_ones_everything():
    few = declare([1.0, 3.0])
    assert search(Fraction(1, 10**300)).find(few) is None
    assert search(Fraction(1, 10**300)).crowded > 2**63
    asked = search(64, magnitudes=Magnitudes.of(2, 1, 4))
    assert (asked.crowded, asked.occupied) == (1, 1)
    assert search(1, beta=Fraction(9, 10)).occupied == search(1, beta=Fraction(9, 10)).crowded
    assert asked.find(few) == (0, 4)
    assert search(64, contributions=10**15).find(few) is None


def test_epsilon_is_split_exactly():
    assert split(Fraction(1), None) == (Fraction(1, 4), Fraction(3, 4))
    assert split(Fraction(1), "1/3") == (Fraction(1, 3), Fraction(2, 3))
    assert split(Fraction(3, 10), 0.1) == (Fraction(3, 100), Fraction(27, 100))
    for share in (0, 1, "0", 1.5, -0.1):
        with pytest.raises(ParameterError, match=r"^bounds_share must be "):
            split(Fraction(1), share)


def test_beta_is_a_chance():
    assert exact_beta(0.001) == Fraction(1, 1000)
    for beta in (0, 1, 2, -0.5):
        with pytest.raises(ParameterError, match=r"^beta must be above 0 and below 1, got "):
            exact_beta(beta)


def test_a_ladder_is_cut_to_what_can_be_asked():
    assert (
        fitting(lambda pair: True)
        == fitting(lambda pair: False)
        == Magnitudes.of(2, Fraction(1, 2**32), 2**64)
    )
    middle = fitting(lambda pair: pair[1] - pair[0] >= 2 and max(map(abs, pair)) <= 16)
    assert (middle.powers, middle.signed) == ((2, 4, 8, 16), True)
    above = fitting(lambda pair: pair[0] >= 0)
    assert (above.powers[0], above.powers[-1], above.signed) == (2**-32, 2**64, False)


def test_found_bounds_change_no_mechanism():
    """Between narrow bounds auto would flip coins, which costs more in zCDP than what was debited."""
    asked = request(nws.IQR(), [1.0, 2.0], bounds="private", epsilon=1, granularity=1)
    narrow = asked.between_bounds((0.0, 64.0))
    assert narrow.mechanism.name == asked.widest.mechanism.name == "piecewise_laplace"
    assert nws.iqr([1.0], bounds=(0, 64), epsilon=1).law == "permute-and-flip/1"
    assert narrow.loss == asked.widest.loss


def test_found_bounds_change_no_law_of_coins():
    """Among fewer answers the name would mean another law than the receipt names."""
    terms = {"epsilon": 8, "granularity": 2.0**50, "mechanism": "permute_and_flip"}
    asked = request(nws.Quantile("1/2"), [1.0, 2.0], bounds="private", **terms)
    narrow, half = (0.0, 2.0**53), Fraction(2)
    assert asked.widest.mechanism.version == "permute-and-flip/1"
    assert asked.between_bounds(narrow).mechanism == asked.widest.mechanism
    assert asked.between_bounds(narrow, price=half).mechanism == nws.PermuteAndFlip(epsilon=2)
    plain = nws.median([1.0], bounds=narrow, epsilon=6, granularity=2.0**50, mechanism="permute_and_flip")
    assert plain.law == "permute-and-flip/2"
