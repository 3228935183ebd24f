"""The law of permute-and-flip: its probabilities by three other roads, and its draws."""

import math
from fractions import Fraction
from itertools import permutations
from unittest.mock import patch

import numpy as np
import pytest
from flint import arb, ctx

from noisewise import Quantile, hazmat
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.planning.readings.permute_and_flip_reading import log_chances
from noisewise.planning.readings.read_law import read_law
from tests.kernel.sampling.goodness import LEVEL, ball, p_value, tilted

DRAWS = 60_000


def envelope(seed: int, levels: int = 4, widest: int = 3) -> Envelope:
    """Random levels, ties and a plateau of several points among them."""
    steps = np.random.default_rng(seed).integers(0, widest, (2, levels), endpoint=True)
    lower, upper = -np.cumsum(steps[0]), 1 + np.cumsum(steps[1])
    return Envelope.of(lower, upper, (int(lower[-1]) - 2, int(upper[-1]) + 1))


def flips(seed: int, rate: str = "1/2", **more: int) -> PermuteAndFlipLaw:
    return PermuteAndFlipLaw(envelope(seed, **more), Fraction(rate))


def points_of(law: Law) -> np.ndarray:
    low, high = read_law(law).support
    return np.arange(low, high + 1)


def exact_chances(law: Law, rate: Fraction | None = None) -> list[float]:
    """The integral of the polynomial, coefficient by coefficient, in balls: an independent computation."""
    rate = law.rate if rate is None else rate
    with ctx.workprec(600):
        accepted = [(-ball(rate * cost)).exp() for cost in read_law(law).cost(points_of(law))]
        found = []
        for y, chance in enumerate(accepted):
            polynomial = [arb(1)]
            for z, other in enumerate(accepted):
                if z != y:
                    shifted = [arb(0), *(-other * c for c in polynomial)]
                    polynomial = [a + b for a, b in zip([*polynomial, arb(0)], shifted, strict=True)]
            found.append(float(chance * sum(c / (k + 1) for k, c in enumerate(polynomial))))
    return found


def by_permutations(accepted: list[Fraction]) -> list[Fraction]:
    """The definition, word for word: every order is as likely, and the first accepted point is the answer."""
    found = [Fraction(0)] * len(accepted)
    for order in permutations(range(len(accepted))):
        going = Fraction(1)
        for y in order:
            found[y] += going * accepted[y]
            going *= 1 - accepted[y]
    return [share / math.factorial(len(accepted)) for share in found]


@pytest.mark.parametrize(
    "accepted", [[1], [1, 1, 1], [1, "1/2"], [1, 1, "1/3", "1/3", "1/100"], [1, "9/10", "4/5", "1/7", "1/2"]]
)
def test_probabilities_are_those_of_the_definition(accepted):
    chances = [Fraction(p) for p in accepted]
    exponents = np.array([-math.log(p) for p in chances])
    expected = [float(share) for share in by_permutations(chances)]
    assert sum(expected) == pytest.approx(1)
    assert np.allclose(np.exp(log_chances(exponents, exponents)), expected, rtol=1e-13)


@pytest.mark.parametrize("rate", ["1/1000", "1/20", "1/2", "3", "32"])
@pytest.mark.parametrize("seed", range(6))
def test_probabilities_are_those_of_the_exact_integral(seed, rate):
    law = flips(seed, rate)
    assert np.allclose(read_law(law).pmf(points_of(law)), exact_chances(law), rtol=1e-12, atol=0)
    level = PermuteAndFlipLaw(envelope(seed), Fraction(rate), graded=False)
    assert np.allclose(read_law(level).pmf(points_of(level)), exact_chances(level), rtol=1e-12, atol=0)


@pytest.mark.parametrize(("points", "rate"), [(400, "1/100"), (3_000, "1/2"), (30_000, "1/20")])
def test_probabilities_of_many_points_add_up(points, rate):
    reach = np.arange(200) ** 2
    law = PermuteAndFlipLaw(
        Envelope.of(-np.minimum(reach, points), reach, (-points, points + 50_000)), Fraction(rate)
    )
    assert np.isclose(read_law(law).pmf(points_of(law)).sum(), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("far", [0, 1e-17, 1e-9, 0.1, 0.11, 0.112, 5, 30, 36, 37, 43, 60, 700, 800])
def test_probabilities_of_two_points_are_known(far):
    """The second is accepted with chance p: it answers with chance p/2, be p next to one or next to nothing."""
    logs = log_chances(np.array([0.0, far]), np.array([0.0, far]))
    assert logs[1] == pytest.approx(-math.log(2) - far, rel=1e-13)
    assert logs[0] == pytest.approx(math.log1p(-math.exp(-far) / 2), rel=1e-12, abs=1e-15)


def test_a_plateau_alone_is_uniform():
    law = PermuteAndFlipLaw(Envelope.of([0], [99_999], (0, 99_999)), Fraction(1))
    assert np.allclose(read_law(law).pmf([0, 5, 99_999]), 1e-5, rtol=1e-11)


def test_logarithms_are_finite_where_probabilities_underflow():
    law = PermuteAndFlipLaw(Envelope.of(np.zeros(3000, np.int64), np.arange(3000), (0, 3000)), Fraction(1))
    assert read_law(law).pmf(3000) == 0
    assert read_law(law).logpmf(3000) == pytest.approx(-3000, abs=1)
    assert read_law(law).logpmf([-1, 0.5]).tolist() == [-math.inf, -math.inf]


def test_what_is_read_agrees_with_the_probabilities():
    law = PermuteAndFlipLaw(envelope(3), Fraction(1, 2), granularity=Fraction(1, 4))
    values = points_of(PermuteAndFlipLaw(envelope(3), Fraction(1, 2))) / 4
    pmf = read_law(law).pmf(values)
    assert read_law(law).support == (values[0], values[-1])
    assert read_law(law).pmf(values[2]) == pytest.approx(pmf[2])
    assert np.shape(read_law(law).pmf(values[:4].reshape(2, 2))) == (2, 2)
    assert np.allclose(read_law(law).cdf(values), np.cumsum(pmf))
    assert read_law(law).cdf([values[0] - 1, values[-1] + 1, values[1] + 0.1]).tolist() == pytest.approx(
        [0, 1, pmf[:2].sum()]
    )
    for share in (0.0, 0.1, 0.5, 0.9, 1.0):
        assert read_law(law).quantile(share) == values[np.argmax(np.cumsum(pmf) >= share - 1e-15)]
    middle = sum(law.envelope.level(0)) / 8
    assert read_law(law).expected_error() == pytest.approx(np.sum(pmf * np.abs(values - middle)))
    assert list(read_law(law).cost(values)) == list(
        read_law(Law(envelope(3), Fraction(1, 2), True, Fraction(1, 4))).cost(values)
    )


@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_every_point_has_one_coin_and_the_coin_its_cost(seed, graded):
    """In Fractions, through the order that coins stand in, for one law and in a batch."""
    one, two = envelope(seed), envelope(seed)
    two = Envelope.of(two.lower + 1, np.minimum(two.upper + 1, one.support[1]), one.support)
    batch = PermuteAndFlipLaw(Envelope.stack([one, two]), Fraction(1, 2), graded)
    coins = batch._coins()
    for group, law in enumerate((batch[0], batch[1])):
        for coin in range(coins.whole.shape[1]):
            with patch(
                "noisewise.kernel.sampling.coins.Coins.pick",
                lambda self, groups, bits, c=coin: groups * 0 + c,
            ):
                index = int(batch._indices(np.array([group]), SeededBits(0))[0])
            assert coins._cost(group, coin) == read_law(law).cost(index)
        with patch(
            "noisewise.kernel.sampling.coins.Coins.pick", lambda self, groups, bits: np.arange(groups.size)
        ):
            everywhere = batch._indices(np.full(coins.whole.shape[1], group), SeededBits(0))
        assert sorted(everywhere.tolist()) == points_of(law).tolist()


@pytest.mark.parametrize("rate", ["1/20", "1/2", "2"])
def test_draws_have_the_law_and_no_other(rate):
    law = flips(7, rate)
    counts = np.bincount(
        law.draw(DRAWS, bits=SeededBits(1)) - read_law(law).support[0], minlength=points_of(law).size
    )
    right = np.array(exact_chances(law))
    assert p_value(counts, right) > LEVEL
    assert p_value(counts, tilted(right)) < LEVEL
    if rate == "2":
        assert p_value(counts, read_law(Law(law.envelope, law.rate)).pmf(points_of(law))) < LEVEL
    if rate == "1/2":
        assert p_value(counts, exact_chances(law, law.rate * Fraction(11, 10))) < LEVEL


def test_draws_from_the_system_have_the_law():
    law = flips(8)
    counts = np.bincount(law.draw(20_000) - read_law(law).support[0], minlength=points_of(law).size)
    assert p_value(counts, exact_chances(law)) > 1e-12


def test_a_batch_draws_from_the_law_of_each_group():
    base = envelope(9)
    batch = PermuteAndFlipLaw(
        Envelope.stack([base, Envelope.of([0], [0], base.support)] * 4_000), Fraction(1, 2)
    )
    low, points = base.support[0], points_of(batch[0]).size
    for cells in (points * 3 + 1, 1 << 20):
        with patch("noisewise.kernel.laws.permute_and_flip_law.CELLS", cells):
            drawn = batch.draw_each(bits=SeededBits(cells)) - low
        assert drawn.shape == (8_000,)
        for kind in (0, 1):
            counts = np.bincount(drawn[kind::2], minlength=points)
            assert p_value(counts, exact_chances(batch[kind])) > LEVEL
            assert p_value(counts, exact_chances(batch[1 - kind])) < LEVEL


def test_no_draws():
    assert flips(1).draw(0).size == 0
    with pytest.raises(ValueError, match="one law must be chosen"):
        PermuteAndFlipLaw(Envelope.stack([envelope(1), envelope(1)]), Fraction(1)).draw(3)


def test_a_million_answers_are_drawn_from():
    law = hazmat.law(
        Quantile("1/2"),
        np.arange(30_000, 40_000, 7),
        bounds=(0, 1_000_000),
        epsilon=1,
        mechanism="permute_and_flip",
    )
    assert 34_000 < int(law.draw_each(bits=SeededBits(2))[0]) < 36_000


@pytest.mark.parametrize("rate", ["1/20", "1/2", "2", "8"])
def test_it_is_never_worse_than_the_exponential_mechanism(rate):
    """In expected cost, on any envelope; and better by at most a factor of two."""
    for seed in range(20):
        law = flips(seed, rate, levels=6, widest=5)
        cost = np.array([float(c) for c in read_law(law).cost(points_of(law))])
        ours = float(read_law(law).pmf(points_of(law)) @ cost)
        theirs = float(read_law(Law(law.envelope, law.rate)).pmf(points_of(law)) @ cost)
        assert ours <= theirs <= 2 * ours


def test_the_law_is_withheld():
    assert "withheld" in repr(flips(1))
