"""Exact Gaussian draws: the law and no other at every width, far tails, and the worst bits there are."""

import importlib
import math
from dataclasses import replace
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from flint import arb, ctx

from noisewise.hazmat import SeededBits
from noisewise.kernel.numbers.gaussian_sums import gaussian_sum
from noisewise.kernel.sampling.draw import FARTHEST, ULP
from noisewise.kernel.sampling.gaussian_draw import (
    COIN_SLACK,
    NEGLIGIBLE,
    WIDEST_VARIANCE,
    Blocks,
    CertainBlocks,
    draw_gaussian,
    nearest,
    turns,
)
from tests.kernel.sampling.goodness import LEVEL, Expansion, ball, dyadic, p_value

module = importlib.import_module("noisewise.kernel.sampling.gaussian_draw")
DRAWS = 60_000
SIGMAS = ["1/1000", "1/10", "1/3", "1", "7/2", "40", "127", "128", "200", "1000", "1000000", "1000000000000"]
SHARES = np.linspace(0.01, 0.99, 40)


class Script:
    """Words in the order of the draw: all calls are answered from one list, and then with zeros."""

    def __init__(self, *words):
        self.left, self.taken = list(words), 0

    def words(self, count):
        found, self.left = self.left[:count], self.left[count:]
        self.taken += count
        return np.array(found + [0] * (count - len(found)), np.uint64)


def below(variance, cut):
    """P(noise <= cut): sums of terms in balls. Where terms are many, an integral up to the next half."""
    sigma = math.sqrt(variance)
    if sigma > 2000:
        return math.erfc(-(cut + 0.5) / sigma / math.sqrt(2)) / 2
    reach = math.ceil(12 * sigma) + 2
    weights = np.exp(-(np.arange(-reach, reach + 1.0) ** 2) / (2 * float(variance)))
    return float(weights[: max(cut + reach + 1, 0)].sum() / weights.sum())


def shares_of(variance, cuts):
    return np.diff([0.0, *(below(variance, int(cut)) for cut in cuts), 1.0])


def is_law(drawn, variance, off=1.0):
    """The p-value of draws against the law whose standard deviation is ``off`` times as large."""
    sigma = math.sqrt(variance)
    quantiles = sorted(float(arb(2 * share - 1).erfinv()) * math.sqrt(2) for share in SHARES.tolist())
    cuts = np.unique(np.floor(sigma * np.array(quantiles)).astype(np.int64))
    counts = np.bincount(np.searchsorted(cuts, drawn), minlength=cuts.size + 1)
    return p_value(counts, shares_of(variance * Fraction(off) ** 2, cuts))


# The law


@pytest.mark.parametrize("sigma", SIGMAS[2:])
def test_draws_have_the_law_and_no_other(sigma):
    variance = Fraction(sigma) ** 2
    drawn = draw_gaussian(variance, DRAWS, SeededBits(1))
    assert is_law(drawn, variance) > LEVEL
    assert is_law(drawn, variance, 1.1) < LEVEL
    assert is_law(drawn, variance, 0.9) < LEVEL


@pytest.mark.parametrize("variance", ["1/2", "3", "16384", "36865", "100000"])
def test_each_point_has_its_probability(variance):
    """Point by point near zero: blocks of 1, 2, 3 and 4 points, on both sides."""
    v = Fraction(variance)
    drawn = draw_gaussian(v, 4 * DRAWS, SeededBits(2))
    points = np.arange(-12, 13)
    ends = [below(v, -13), *(below(v, int(k)) for k in points), 1.0]
    counts = np.bincount(np.clip(drawn, -13, 13) + 13, minlength=27)
    assert p_value(counts, np.diff([0.0, *ends])) > LEVEL


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_blocks_may_have_any_width(parts):
    """Wide blocks propose much that is not kept. The law stays the same, and no law 10% off is accepted."""
    variance = Fraction(37) ** 2
    with patch.object(module, "PARTS", parts):
        assert Blocks.of(variance).width == 37 // parts
        drawn = draw_gaussian(variance, DRAWS, SeededBits(3))
    assert is_law(drawn, variance) > LEVEL
    assert is_law(drawn, variance, 1.1) < LEVEL
    counts = np.bincount(np.clip(drawn, -20, 20) + 20, minlength=41)
    ends = [below(variance, k) for k in range(-20, 20)]
    assert p_value(counts, np.diff([0.0, *ends, 1.0])) > LEVEL


def test_draws_are_independent_of_each_other():
    drawn = draw_gaussian(Fraction(1), DRAWS, SeededBits(4))
    pairs = 3 * np.clip(drawn[::2], -1, 1) + np.clip(drawn[1::2], -1, 1) + 4
    ends = [below(Fraction(1), -1), below(Fraction(1), 0), 1.0]
    shares = np.diff([0.0, *ends])
    assert p_value(np.bincount(pairs, minlength=9), np.outer(shares, shares).ravel()) > LEVEL


@pytest.mark.parametrize("sigma", SIGMAS)
def test_few_trials_are_repeated_and_few_need_balls(sigma):
    blocks = Blocks.of(Fraction(sigma) ** 2)
    with patch.object(module, "CertainBlocks", side_effect=AssertionError):
        kept = blocks.trial(SeededBits(5).words(20_000), SeededBits(6))[1]
    assert np.count_nonzero(~kept) < 20_000 / 80
    assert kept.all() or blocks.width > 1


def test_no_draw_at_all():
    assert draw_gaussian(Fraction(9), 0, SeededBits(1)).shape == (0,)


def test_first_words_may_be_given():
    words = SeededBits(7).words(1000)
    for variance in (Fraction(9), Fraction(10**6)):
        again = draw_gaussian(variance, 1000, Script(), words)
        blocks = Blocks.of(variance)
        chosen = [
            CertainBlocks(blocks.rate, blocks.width).pick(module.Uniform(int(w), None)) for w in words[:20]
        ]
        assert again[:20].tolist() == [
            (-1) ** n * nearest(n, blocks.width)
            for n in chosen  # offsets and coins of zero
        ]


# Tails


def block_of(number, variance, width, bits=900):
    """The block whose share holds a number of [0, 1), from sums of balls in their order."""
    with ctx.workprec(bits):
        rate = 1 / (2 * variance)
        many = 2 * (math.isqrt(math.ceil(bits / (rate * width**2))) + 2)
        weights = [(-ball(rate * ((n // 2) * width + n % 2) ** 2)).exp() for n in range(many)]
        goal, total = ball(number) * sum(weights, arb(0)), arb(0)
        for n, weight in enumerate(weights):
            total += weight
            if goal < total:
                return n
    raise AssertionError("more blocks are needed")


@pytest.mark.parametrize("sigma", ["1/1000", "1/3", "1", "20", "200", "1000000000000"])
@pytest.mark.parametrize("depth", [3, 63, 130, 300])
def test_far_points_are_reached(sigma, depth):
    """Words of ones and then zeros say that a number is 2^-depth below 1, far beyond the table."""
    variance = Fraction(sigma) ** 2
    blocks = Blocks.of(variance)
    first, *rest = [int(w) for w in Expansion(1 - Fraction(1, 2**depth)).words(8)]
    source = Script(first, *([0, 0] if blocks.width > 1 else []), *rest)
    drawn = int(draw_gaussian(variance, 1, source)[0])
    n = block_of(1 - Fraction(1, 2**depth), variance, blocks.width)
    assert drawn == (-1) ** n * nearest(n, blocks.width)
    if depth > 70 and sigma != "1/1000":
        assert n >= blocks.edges.size - 1, "beyond the table"


def test_a_draw_is_cut_where_64_bits_end():
    """At the greatest variance, 2^-400 is 23 standard deviations out."""
    blocks = Blocks.of(Fraction(WIDEST_VARIANCE))
    assert nearest(blocks.edges.size, blocks.width) + blocks.width < 2**62
    first, *rest = [int(w) for w in Expansion(1 - Fraction(1, 2**400)).words(9)]
    assert abs(int(draw_gaussian(Fraction(WIDEST_VARIANCE), 1, Script(first, 0, 0, *rest))[0])) == FARTHEST


# The worst bits


def boundaries(variance, count):
    """The ends of the first shares of [0, 1), by whole sums in balls."""
    with ctx.workprec(1200):
        total, ends = 1 + 2 * gaussian_sum(variance, 1), []
        sums = arb(0)
        for n in range(count):
            sums += (-ball(nearest(n, 1) ** 2 / (2 * variance))).exp()
            ends.append(dyadic(sums / total, 1100))
    return ends


@pytest.mark.parametrize("sigma", ["1/3", "1", "9/2"])
@pytest.mark.parametrize("depth", [60, 64, 100, 200, 900])
def test_bits_beside_a_boundary_fall_on_their_side(sigma, depth):
    variance, close = Fraction(sigma) ** 2, Fraction(1, 2**depth)
    for n, end in enumerate(boundaries(variance, 6)):
        for number, block in ((end - close, n), (end + close, n + 1)):
            if number < 1 and (depth >= 100 or block_of(number, variance, 1) == block):
                drawn = draw_gaussian(variance, 1, Expansion(number))[0]
                assert drawn == (-1) ** block * nearest(block, 1)


@pytest.mark.parametrize("sigma", ["1/1000", "1", "40", "200", "100000", "1000000000000"])
def test_words_at_the_edges_of_the_slack_are_decided_as_by_balls(sigma):
    blocks = Blocks.of(Fraction(sigma) ** 2)
    known, size = CertainBlocks(blocks.rate, blocks.width), int(blocks.edges[-1])
    for edge in blocks.edges[:: max(1, blocks.edges.size // 8)].tolist():
        for step in (-1, 0, 1):
            target = edge + step * int(blocks.slack)
            word = min(max(-(-target * 2**64 // size), 0), 2**64 - 1)
            points, _ = blocks.trial(np.array([word], np.uint64), Script())
            n = known.pick(module.Uniform(word, Script()))
            assert points[0] == (-1) ** n * nearest(n, blocks.width)


@pytest.mark.parametrize("sigma", ["1", "200", "1000000"])
def test_both_paths_draw_the_same(sigma):
    blocks = Blocks.of(Fraction(sigma) ** 2)
    words = SeededBits(8).words(300)
    fast = blocks.trial(words, SeededBits(9))
    slow = replace(blocks, slack=np.uint64(2**62)).trial(words, SeededBits(9))
    assert [each.tolist() for each in fast] == [each.tolist() for each in slow]


@pytest.mark.parametrize("variance", [Fraction(200) ** 2, Fraction(10**10, 3), Fraction(10) ** 24])
@pytest.mark.parametrize("depth", [52, 64, 300, 900])
def test_coins_beside_their_chance_fall_on_their_side(variance, depth):
    blocks = Blocks.of(variance)
    middles = (blocks.edges[:-1] // 2 + blocks.edges[1:] // 2).tolist()
    for n in (0, 1, 2, 101, 700):
        for offset in (1, blocks.width // 2, blocks.width - 1):
            start = nearest(n, blocks.width)
            exponent = ((start + offset) ** 2 - start**2) / (2 * variance)
            with ctx.workprec(1200):
                chance = (-ball(exponent)).exp()
                for sign in (-1, 1):
                    number = dyadic(chance, 1000) + sign * Fraction(1, 2**depth)
                    if not 0 <= number < 1:
                        continue
                    first, *rest = [int(w) for w in Expansion(number).words(16)]
                    word = -(-middles[n] * 2**64 // int(blocks.edges[-1]))
                    place = -(-offset * 2**64 // blocks.width) + 1
                    point, kept = blocks.trial(np.array([word], np.uint64), Script(place, first, *rest))
                    assert point[0] == (-1) ** n * (start + offset)
                    assert bool(kept[0]) is bool(ball(number) < chance)


# The slack


@pytest.mark.parametrize("sigma", [*SIGMAS, "64", "255/2", "1/100000"])
def test_sums_err_by_a_sixteenth_of_the_slack(sigma):
    variance = Fraction(sigma) ** 2
    blocks = Blocks.of(variance)
    size, scale = blocks.edges.size - 1, int(blocks.edges[1])  # block 0 weighs 1
    assert scale & (scale - 1) == 0
    assert 2**60 - size <= int(blocks.edges[-1]) <= 2**61
    granted = (int(blocks.slack) - 2) // 2 - size - 1
    with ctx.workprec(200):
        off = worst = arb(0)
        for n in range(size):
            exact = (-ball(nearest(n, blocks.width) ** 2 * blocks.rate)).exp() * scale
            off += abs(exact - (int(blocks.edges[n + 1]) - int(blocks.edges[n])))
            worst = max(worst, off, key=float)
        assert float(worst) <= granted / 16 + size
        beyond = gaussian_sum(variance, size // 2 * blocks.width) * 2 / blocks.width
        assert beyond * scale < 0.01, "the blocks after the table"


@pytest.mark.parametrize("variance", [Fraction(128) ** 2, Fraction(10**6, 7) ** 2, Fraction(10) ** 24])
def test_chances_err_by_a_sixteenth_of_the_slack(variance):
    """As the trial computes them: the exponent is rounded, and so is the exponential."""
    blocks = Blocks.of(variance)
    for n in range(0, blocks.edges.size - 1, 7):
        start = nearest(n, blocks.width)
        for offset in {1, blocks.width // 3, blocks.width - 1}:
            rounded = np.exp(-(offset * (2.0 * start + offset) * float(blocks.rate)))
            with ctx.workprec(200):
                exact = (-ball(((start + offset) ** 2 - start**2) * blocks.rate)).exp()
                assert float(abs(arb(float(rounded)) - exact)) <= COIN_SLACK * ULP / 16
                assert exact > 0.84


FACTORS = [1 + 64 * ULP, 1 - 64 * ULP]


@pytest.mark.parametrize("sigma", ["1/2", "1", "30", "200"])
@pytest.mark.parametrize("factor", FACTORS)
def test_blocks_survive_an_exponential_sixteen_times_worse_than_assumed(sigma, factor):
    """The weight of the first block is off, and words beside every boundary are still decided as by balls."""
    exp = np.exp
    with patch.object(module.np, "exp", lambda x: exp(x) * np.where(np.arange(x.size) < 1, factor, 1)):
        blocks = Blocks.of(Fraction(sigma) ** 2)
    known = CertainBlocks(blocks.rate, blocks.width)
    for edge in blocks.edges[1:12].tolist():
        word = edge * 2**64 // int(blocks.edges[-1])
        for step in (0, *(sign * 2**k for k in (10, 15, 17, 18, 19, 20, 22) for sign in (-1, 1))):
            if 0 <= word + step < 2**64:
                points, _ = blocks.trial(np.array([word + step], np.uint64), Script())
                n = known.pick(module.Uniform(word + step, Script()))
                assert points[0] == (-1) ** n * nearest(n, blocks.width)


@pytest.mark.parametrize("factor", FACTORS)
def test_coins_survive_an_exponential_sixteen_times_worse_than_assumed(factor):
    blocks, exp = Blocks.of(Fraction(10**10, 3)), np.exp
    offset = blocks.width - 1
    place = -(-offset * 2**64 // blocks.width) + 1
    with ctx.workprec(200):
        chance = int(dyadic((-ball(offset**2 * blocks.rate)).exp(), 64) * 2**64)
    with patch.object(module.np, "exp", lambda x: exp(x) * factor):
        for step in (0, *(sign * 2**k for k in range(10, 22) for sign in (-1, 1))):
            kept = blocks.trial(np.array([2**40], np.uint64), Script(place, chance + step))[1]
            assert bool(kept[0]) is (step <= 0)


def test_the_table_ends_where_the_rest_is_negligible():
    for sigma in ("1/1000", "1", "63", "127", "128", "191", "1000000"):
        variance = Fraction(sigma) ** 2
        blocks = Blocks.of(variance)
        last = turns(blocks.rate, blocks.width, NEGLIGIBLE)
        assert blocks.edges.size == 2 * last + 1
        assert (
            blocks.rate * (last * blocks.width) ** 2
            > NEGLIGIBLE
            >= blocks.rate * ((last - 1) * blocks.width) ** 2
        )
        assert blocks.width == 1 or blocks.width <= Fraction(sigma) / 64
        assert blocks.rate * blocks.width**2 >= Fraction(1, 2**15)
