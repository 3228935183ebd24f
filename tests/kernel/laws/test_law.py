"""Law: what it says of itself against definitions written down apart, and what it draws at the edges."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.mechanisms import InverseSensitivity, Laplace, PiecewiseLaplace
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from tests.each_value import each_value
from tests.kernel.sampling.goodness import LEVEL, Reference, naive_cost, naive_pmf, p_value, tilted

RATES = [Fraction(r) for r in ("5e-7", "1/20", "1/2", "2", "32")]
both = each_value(graded=[True, False])
every_rate = each_value(rate=RATES)

BOUNDED = {
    "a single level": Envelope.of([3], [3], (-10, 12)),
    "ties": Envelope.of([3, 3, 3, 1, -2], [3, 3, 8, 8, 8], (-10, 12)),
    "a plateau": Envelope.of([-1, -4], [5, 6], (-10, 12)),
    "already at a bound": Envelope.of([-10, -10], [-10, 0], (-10, 12)),
    "nothing but a plateau": Envelope.of([-10], [12], (-10, 12)),
    "widened": Envelope.of([3, 3, 1], [3, 5, 12], (-10, 12)).widen(4),
}
every_envelope = each_value(envelope=BOUNDED.values())
OUTCOMES = np.arange(-10, 13)


@st.composite
def envelopes(draw):
    falls = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6))
    rises = draw(st.lists(st.integers(0, 6), min_size=len(falls), max_size=len(falls)))
    lower, upper = -np.cumsum(falls), np.cumsum(rises)
    low = draw(st.none() | st.integers(0, 9).map(lambda k: int(lower[-1]) - k))
    high = draw(st.none() | st.integers(0, 9).map(lambda k: int(upper[-1]) + k))
    return Envelope.of(lower, upper, (low, high), draw(st.integers(1, 5)))


# The cost.


@settings(deadline=None)
@given(envelopes(), st.booleans())
def test_cost_is_the_infimum_of_the_definition(envelope, graded):
    law = Law(envelope, Fraction(1, 2), graded)
    values = range(-60, 61)
    low, high = envelope.support
    for y, cost in zip(values, read_law(law).cost(values), strict=True):
        if (low is not None and y < low) or (high is not None and y > high):
            assert cost == math.inf
        else:
            assert isinstance(cost, Fraction)
            assert cost == naive_cost(law, y)


def test_costs_of_a_law_worked_by_hand():
    law = Law(Envelope.of([5, 5, 2], [6, 9, 9], (0, 20)), Fraction(1, 2))
    steps = {0: 3, 1: "5/2", 2: 2, 4: "4/3", 5: 0, 6: 0, 7: "1/3", 9: 1, 10: "23/11", 20: 3}
    for y, cost in steps.items():
        assert read_law(law).cost(y) == Fraction(cost)
    level = Law(law.envelope, Fraction(1, 2), graded=False)
    assert [read_law(level).cost(y) for y in steps] == [math.ceil(Fraction(c)) for c in steps.values()]
    assert read_law(level).cost(4) == 2
    assert read_law(law).cost([-1, 21, 4.5]).tolist() == [math.inf] * 3


@settings(deadline=None)
@given(st.integers(-(2**60), 2**60), st.integers(1, 2**59))
def test_costs_of_huge_indices_are_exact(y, stride):
    law = Law(Envelope.of([0], [0], (None, None), stride), Fraction(1, 2))
    assert read_law(law).cost(y) == Fraction(abs(y), stride)


# Probabilities.


@both
@every_rate
@every_envelope
def test_probabilities_are_those_of_the_definition(envelope, rate, graded):
    law = Law(envelope, rate, graded)
    pmf = naive_pmf(law, OUTCOMES)
    assert read_law(law).pmf(OUTCOMES) == pytest.approx(pmf, rel=1e-12)
    assert read_law(law).pmf(OUTCOMES).sum() == pytest.approx(1, abs=1e-13)
    assert read_law(law).cdf(OUTCOMES) == pytest.approx(np.cumsum(pmf), rel=1e-12)
    assert np.exp(read_law(law).logpmf(OUTCOMES)) == pytest.approx(pmf, rel=1e-12)
    middle = Fraction(int(envelope.lower[0]) + int(envelope.upper[0]), 2)
    error = math.fsum(abs(float(y - middle)) * p for y, p in zip(OUTCOMES, pmf, strict=True))
    assert read_law(law).expected_error() == pytest.approx(error, rel=1e-11)
    assert read_law(law).cdf(-11) == read_law(law).pmf(-11) == read_law(law).pmf(13) == 0
    assert read_law(law).cdf(12) == read_law(law).cdf(1000) == 1


@both
@pytest.mark.parametrize("rate", [Fraction(1, 5), *RATES[2:]], ids=str)
def test_probabilities_of_an_unbounded_law(rate, graded):
    law = Law(Envelope.of([0, -3, -3], [2, 3, 9], (None, None), 4), rate, graded)
    reach = math.ceil(4 * 45 / float(rate)) + 20
    outcomes = np.arange(-reach, reach)
    pmf = naive_pmf(law, outcomes)
    assert read_law(law).pmf(outcomes) == pytest.approx(pmf, rel=1e-11, abs=1e-300)
    assert read_law(law).cdf(outcomes) == pytest.approx(np.cumsum(pmf), rel=1e-9, abs=1e-17)
    assert read_law(law).expected_error() == pytest.approx(math.fsum(np.abs(outcomes - 1) * pmf), rel=1e-11)
    assert read_law(law).support == (None, None)


@both
def test_one_side_may_be_unbounded(graded):
    law = Law(Envelope.of([0, -3], [2, 3], (-5, None), 4), Fraction(1, 2), graded)
    outcomes = np.arange(-5, 800)
    assert read_law(law).pmf(outcomes) == pytest.approx(naive_pmf(law, outcomes), rel=1e-12)
    assert read_law(law).support == (-5, None)
    drawn = law.draw(1000, bits=SeededBits(1))
    assert drawn.min() >= -5
    assert drawn.max() > 12


@both
@pytest.mark.parametrize("clamp", [(-6, 8), (-3, 2), (0, 2), (-40, 60), (1, 3), (0, 100)], ids=str)
@pytest.mark.parametrize("rate", [Fraction(1, 5), Fraction(1, 2), Fraction(2)], ids=str)
def test_a_clamp_gathers_what_lies_beyond(rate, clamp, graded):
    free = Law(Envelope.of([0, -3, -3], [2, 3, 9], (None, None), 4), rate, graded)
    law = Law(free.envelope, rate, graded, clamp=clamp)
    reach = math.ceil(4 * 45 / float(rate)) + 100
    everything = np.arange(-reach, reach)
    gathered = np.bincount(
        np.clip(everything, *clamp) - clamp[0],
        weights=naive_pmf(free, everything),
        minlength=clamp[1] - clamp[0] + 1,
    )
    outcomes = np.arange(clamp[0], clamp[1] + 1)
    assert read_law(law).pmf(outcomes) == pytest.approx(gathered, rel=1e-11)
    assert read_law(law).cdf(outcomes) == pytest.approx(np.cumsum(gathered), rel=1e-11)
    assert read_law(law).pmf([clamp[0] - 1, clamp[1] + 1]).tolist() == [0, 0]
    assert read_law(law).cdf([clamp[0] - 1, clamp[1]]).tolist() == [0, 1]
    assert read_law(law).cost(clamp[0] - 1) == math.inf
    assert read_law(law).support == clamp
    if clamp[0] <= 0 and clamp[1] >= 2:
        assert read_law(law).expected_error() == pytest.approx(
            math.fsum(np.abs(outcomes - 1) * gathered), rel=1e-11
        )
    counts = np.bincount(law.draw(100_000, bits=SeededBits(2)) - clamp[0], minlength=outcomes.size)
    assert p_value(counts, gathered) > LEVEL
    assert p_value(counts, tilted(gathered)) < LEVEL


@pytest.mark.parametrize("centre", [0, 3, 500, 999, 1000])
def test_discrete_laplace_is_a_two_sided_geometric(centre):
    lattice = Lattice(0, 1000, Fraction(1))
    law = Laplace(epsilon=1, sensitivity=2).law(Envelope.of([centre], [centre], (0, 1000)), lattice)
    r = math.exp(-1 / 2)
    inside = np.arange(1, 1000)
    geometric = (1 - r) / (1 + r) * r ** np.abs(inside - centre)
    assert read_law(law).pmf(inside) == pytest.approx(geometric, rel=1e-12)
    for end in (0, 1000):
        assert read_law(law).logpmf(end) == pytest.approx(-abs(end - centre) / 2 - math.log1p(r), rel=1e-13)
    assert read_law(law).pmf(np.arange(1001)).sum() == pytest.approx(1, abs=1e-13)


def test_mechanisms_widen_in_the_unit_of_the_answer():
    lattice = Lattice(-100, 100, Fraction(1, 10))
    envelope = Envelope.of([0, -4], [0, 7], (-100, 100))
    smooth = PiecewiseLaplace(epsilon=1, smooth=Fraction(3, 10)).law(envelope, lattice)
    assert read_law(smooth).cost([0.3, -0.3, 0.4, 1.0]).tolist() == [0, 0, Fraction(1, 7), 1]
    assert read_law(InverseSensitivity(epsilon=1, smooth=0.35).law(envelope, lattice)).cost(0.4) == 1
    plateau = PiecewiseLaplace(epsilon=1, smooth=10**9).law(envelope, lattice)
    assert read_law(plateau).pmf([-10, 0, 10]) == pytest.approx([1 / 201] * 3)


# Far out and very wide.


@both
@every_rate
def test_wide_laws_agree_with_balls(rate, graded):
    wide = 2**57
    law = Law(
        Envelope.of([5, 5 - 2**20, 5 - wide], [2**30, 2**30, 3 * wide], (-(2**59), 2**60)), rate, graded
    )
    reference = Reference(law)
    places = [
        -(2**59),
        5 - wide - 1,
        5 - wide,
        5 - wide // 3,
        5 - 2**19,
        4,
        5,
        2**29,
        2**30,
        2**30 + 1,
        wide,
        2**59,
    ]
    with ctx.workprec(512):
        exact = [float(reference.cdf(y)) for y in places]
        atoms = [float((reference.cdf(y) - reference.cdf(y - 1)).log()) for y in places]
    assert read_law(law).cdf(places) == pytest.approx(exact, rel=1e-11)
    assert read_law(law).logpmf(places) == pytest.approx(atoms, rel=1e-12)


@pytest.mark.parametrize("epsilon", ["1e-6", "0.1", "1", "4", "64"])
def test_logarithms_are_finite_where_probabilities_underflow(epsilon):
    rate, levels = Fraction(epsilon) / 2, 5000
    law = Law(Envelope.of(-np.arange(levels), np.arange(levels), (-levels, levels)), rate)
    logs = read_law(law).logpmf([-levels, 0, levels])
    assert np.all(np.isfinite(logs))
    assert logs[0] - logs[1] == logs[2] - logs[1] == pytest.approx(-float(rate) * levels, rel=1e-13)
    assert read_law(law).cdf(-levels + 10) == pytest.approx(
        float(read_law(Reference(law)).cdf(-levels + 10)), rel=1e-10, abs=1e-300
    )


@pytest.mark.parametrize("centre", [2**50, 2**51 - 3, 0])
def test_a_clamped_law_on_the_widest_lattice(centre):
    lattice = Lattice(0, 2**51, Fraction(1))
    law = Laplace(epsilon=1, sensitivity=3).law(Envelope.of([centre], [centre], (0, 2**51)), lattice)
    r = math.exp(-1 / 3)
    ends = -np.abs(np.array([0, 2**51]) - centre) / 3 - math.log1p(r)
    assert read_law(law).logpmf([0, 2**51]) == pytest.approx(ends, rel=1e-13)
    if centre == 2**50:
        assert read_law(law).expected_error() == pytest.approx(2 * r / (1 - r) / (1 + r), rel=1e-13)
        assert read_law(law).cdf(centre - 3000) == pytest.approx(r**3000 / (1 + r), rel=1e-11)
        assert read_law(law).quantile(1e-30) == centre - math.floor((30 * math.log(10) - math.log1p(r)) * 3)


# Quantiles.


@both
@every_rate
@every_envelope
def test_quantiles_invert_the_distribution_function(envelope, rate, graded):
    law = Law(envelope, rate, graded)
    shares = read_law(law).cdf(OUTCOMES)
    apart = np.flatnonzero(np.diff(shares, prepend=0) > 1e-12)
    assert np.array_equal(read_law(law).quantile(shares[apart]), OUTCOMES[apart])
    inside = shares[apart] - np.diff(shares, prepend=0)[apart] / 2
    assert np.array_equal(read_law(law).quantile(inside), OUTCOMES[apart])
    assert read_law(law).quantile(0) == -10
    assert read_law(law).quantile(1) <= 12


def test_quantiles_of_an_unbounded_law():
    law = Law(Envelope.of([0], [0], (None, None), 1), Fraction(1))
    r = math.exp(-1)
    for share in (1e-300, 1e-20, 0.01, 0.3, 0.5, 0.9):
        y = read_law(law).quantile(share)
        assert read_law(law).cdf(y - 1) < share <= read_law(law).cdf(y)
    assert read_law(law).quantile(1e-100) == -math.floor(100 * math.log(10) - math.log1p(r))
    assert read_law(law).quantile([[0.2, 0.5]]).shape == (1, 2)
    assert read_law(law).quantile([]).size == 0


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan, [0.5, 2]])
def test_a_share_must_be_a_probability(share):
    with pytest.raises(ParameterError, match="shares must be probabilities"):
        read_law(Law(BOUNDED["ties"], Fraction(1))).quantile(share)


# Which values name a point.


def test_a_value_names_the_nearest_point_within_a_millionth_of_a_step():
    law = Law(BOUNDED["ties"], Fraction(1, 2), granularity=Fraction(1, 4))
    for value in (0.75, np.float32(0.75), Fraction(3, 4), 0.75 + 2e-7, 0.75 - 2e-7):
        assert read_law(law).cost(value) == 0
        assert read_law(law).pmf(value) == read_law(law).pmf(0.75) > 0
        assert read_law(law).cdf(value) == read_law(law).cdf(0.75)
    for value in (0.75 + 3e-7, 0.8, math.nan, math.inf, -math.inf, 10**30, -(10**400), Fraction(1, 3)):
        assert read_law(law).cost(value) == math.inf
        assert read_law(law).pmf(value) == 0
        assert read_law(law).logpmf(value) == -math.inf
    assert read_law(law).cdf(0.75 - 3e-7) == read_law(law).cdf(0.5) < read_law(law).cdf(0.75)
    assert read_law(law).cdf(0.8) == read_law(law).cdf(0.75)


@pytest.mark.parametrize("index", [12_345_678, 2**40 + 1, 2**50 + 3, -(2**50) - 7])
def test_values_of_large_indices_are_found_again(index):
    """The float64 nearest to 0.01*k may be a tenth of a step off; it names k all the same."""
    away = np.arange(60)
    envelope = Envelope.of(index - away, index + 5 + away, (-(2**51), 2**51))
    law = Law(envelope, Fraction(2), granularity=Fraction(1, 100))
    values = [float(Fraction(k, 100)) for k in (index - 1, index, index + 5)]
    assert read_law(law).cost(values[1:]).tolist() == [0, 0]
    assert read_law(law).cost(values[0]) == 1
    assert read_law(law).cdf(values) == pytest.approx(
        np.cumsum(
            [read_law(law).cdf(values[0]), read_law(law).pmf(values[1]), 5 * read_law(law).pmf(values[1])]
        )
    )
    assert read_law(law).cdf(values[2]) > 0.9 > 0.1 > read_law(law).cdf(values[0])
    drawn = law.draw(200, bits=SeededBits(3))
    assert np.all(read_law(law).pmf(drawn) > 0)
    assert read_law(law).cdf(read_law(law).quantile(0.5)) >= 0.5


@pytest.mark.parametrize("support", [(-10, 12), (None, None)])
def test_integers_beyond_64_bits_are_never_drawn(support):
    law = Law(Envelope.of([0, -2], [0, 3], support, 5), Fraction(1, 2))
    for value in (2**63 - 1, 2**63, 2**64 + 1, 10**30, -(2**63), -(2**63) - 1, -(10**30)):
        assert read_law(law).pmf(value) == 0
        assert read_law(law).logpmf(value) == -math.inf
        assert read_law(law).cost(value) == math.inf
        assert read_law(law).cdf(value) == (value > 0)
    assert read_law(law).pmf([2**63, 0, -(2**70)]).tolist() == [0, read_law(law).pmf(0), 0]
    assert read_law(law).cdf([-math.inf, math.inf]).tolist() == [0, 1]
    assert math.isnan(read_law(law).cdf(math.nan))


# Shapes and types.


def test_answers_have_the_shape_of_the_question():
    law = Law(BOUNDED["ties"], Fraction(1, 2))
    for read in (read_law(law).pmf, read_law(law).logpmf, read_law(law).cdf, read_law(law).cost):
        one = read(3)
        assert np.ndim(one) == 0
        for values in (
            [3, 4],
            (3, 4),
            np.array([3, 4]),
            np.array([3.0, 4.0]),
            np.array([3, 4], np.uint8),
            range(3, 5),
        ):
            several = read(values)
            assert several.shape == (2,)
            assert several[0] == one
        assert read(np.array([[3, 4, 5]])).shape == (1, 3)
        assert read([]).shape == (0,)
        assert read(np.array(3)) == one
    assert isinstance(read_law(law).cost(3), Fraction)
    assert isinstance(read_law(law).expected_error(), float)
    assert read_law(law).pmf([3, 4]).dtype == read_law(law).cdf([3, 4]).dtype == np.float64


@pytest.mark.parametrize(
    ("granularity", "kind", "support"),
    [(Fraction(1), "i", (-10, 12)), (Fraction(100), "i", (-1000, 1200)), (Fraction(1, 8), "f", (-1.25, 1.5))],
    ids=str,
)
def test_values_are_multiples_of_the_granularity(granularity, kind, support):
    law = Law(BOUNDED["ties"], Fraction(1, 20), granularity=granularity)
    drawn = law.draw(500, bits=SeededBits(4))
    assert drawn.dtype.kind == np.asarray(read_law(law).quantile([0.3])).dtype.kind == kind
    assert read_law(law).support == support
    assert np.all(drawn >= support[0])
    assert np.all(drawn <= support[1])
    assert np.all(np.mod(drawn, float(granularity)) == 0)
    assert len(set(drawn.tolist())) == 23
    assert read_law(law).expected_error() == pytest.approx(
        float(granularity) * read_law(Law(law.envelope, Fraction(1, 20))).expected_error(), rel=1e-15
    )


def test_a_law_says_nothing_of_itself_in_print():
    law = Law(BOUNDED["ties"], Fraction(1, 2))
    assert repr(law) == str(law) == f"{law}" == "<Law: withheld>"
    assert "3" not in repr([law])


# Draws.


@pytest.mark.parametrize("size", [0, 1, 5, np.int64(3), 40_000])
def test_a_draw_has_the_size_asked_for(size):
    assert Law(BOUNDED["ties"], Fraction(1, 2)).draw(size).shape == (size,)


@pytest.mark.parametrize("size", [-1, 1.5, "3", None, True])
def test_a_size_must_be_a_whole_number(size):
    with pytest.raises((ParameterError, ParameterTypeError), match="size must be"):
        Law(BOUNDED["ties"], Fraction(1, 2)).draw(size)


def test_draws_differ_and_replays_do_not():
    law = Law(Envelope.of([0], [10**6], (0, 10**6)), Fraction(1, 2))
    assert not np.array_equal(law.draw(20), law.draw(20))
    assert np.array_equal(law.draw(20, bits=SeededBits(5)), law.draw(20, bits=SeededBits(5)))
    assert not np.array_equal(law.draw(20, bits=SeededBits(5)), law.draw(20, bits=SeededBits(6)))


@both
@every_rate
@every_envelope
def test_draws_stay_in_the_support(envelope, rate, graded):
    drawn = Law(envelope, rate, graded).draw(2000, bits=SeededBits(7))
    assert drawn.min() >= -10
    assert drawn.max() <= 12


@both
@pytest.mark.parametrize("centre", [0, 1, -(2**51), 2**51])
def test_an_unbounded_law_is_gathered_at_public_indices(centre, graded):
    """A tail longer than 64 bits ends where everybody's does, not at a distance from a secret centre."""
    law = Law(Envelope.of([centre], [centre], (None, None), 2**51), Fraction(1, 10**9), graded)
    drawn = law.draw(3000, bits=SeededBits(8))
    assert drawn.min() == -(2**61)
    assert drawn.max() == 2**61
    assert np.mean(np.abs(drawn) == 2**61) > 0.99
    assert read_law(law).pmf([-(2**61), 2**61]).sum() == pytest.approx(1, abs=1e-4)
    assert read_law(law).cdf(2**61) == 1


# Batches.


def test_a_batch_is_drawn_from_and_not_read():
    batch = Law(Envelope.stack([BOUNDED["ties"], BOUNDED["a plateau"]]), Fraction(1, 2))
    assert len(batch) == 2
    assert batch.draw_each().shape == (2,)
    for read in (
        read_law(batch).pmf,
        read_law(batch).logpmf,
        read_law(batch).cdf,
        read_law(batch).cost,
        read_law(batch).quantile,
    ):
        with pytest.raises(
            ParameterError, match=r"one law must be chosen to be read, as law\[0\], got a batch of 2"
        ):
            read([0.5])
    for read in (read_law(batch).expected_error, lambda: batch.draw(3)):
        with pytest.raises(ParameterError, match="got a batch of 2"):
            read()


def test_a_group_of_a_batch_is_a_law():
    batch = Law(Envelope.stack(list(BOUNDED.values())), Fraction(1, 2), False, Fraction(1, 4), (-8, 9))
    for g, envelope in enumerate(BOUNDED.values()):
        alone = Law(envelope, Fraction(1, 2), False, Fraction(1, 4), (-8, 9))
        assert np.array_equal(read_law(batch[g]).pmf(OUTCOMES / 4), read_law(alone).pmf(OUTCOMES / 4))
        assert np.array_equal(batch[g].draw(50, bits=SeededBits(9)), alone.draw(50, bits=SeededBits(9)))


def test_a_batch_of_one_is_drawn_as_its_law():
    law = Law(BOUNDED["ties"], Fraction(1, 2))
    assert law.draw_each(bits=SeededBits(10)) == law.draw(1, bits=SeededBits(10))


def test_a_batch_is_drawn_in_parts(monkeypatch):
    """Group g is drawn from its own law, however the groups fall into parts."""
    groups = [Envelope.of([100 * g] * (1 + g % 4), [100 * g] * (1 + g % 4), (0, 4900)) for g in range(50)]
    law = Law(Envelope.stack(groups), Fraction(64))
    for together in (1, 3, 7, 1000):
        monkeypatch.setattr("noisewise.kernel.laws.law.TOGETHER", together)
        drawn = law.draw_each(bits=SeededBits(11))
        assert drawn.shape == (50,)
        of_four = np.arange(50) % 4 == 3  # their jump costs four, the others are spread over the support
        assert np.array_equal(drawn[of_four], 100 * np.arange(50)[of_four])


def test_a_batch_is_a_sequence_of_its_laws():
    batch = Law(
        Envelope.stack([Envelope.of([3], [4], (0, 9)), Envelope.of([5, 2], [5, 9], (0, 9))]), Fraction(1, 2)
    )
    assert [read_law(law).support for law in batch] == [(0, 9), (0, 9)]
    assert read_law(batch[-1]).cost(5) == 0 == read_law(batch[0]).cost(4)
    for beyond in (2, -3):
        with pytest.raises(IndexError):
            batch[beyond]


def test_laws_are_distinguished_by_identity():
    law = Law(Envelope.of([3], [4], (0, 9)), Fraction(1, 2))
    assert law == law and law != Law(law.envelope, law.rate)
    assert len({law, law}) == 1


@pytest.mark.parametrize("values", [[None], [1j], "3", ["3"], {3}, True, np.array(["2020-01-01"], "M8[D]")])
def test_what_is_no_number_names_no_point(values):
    law = Law(Envelope.of([3], [4], (0, 9)), Fraction(1, 2))
    for read in (read_law(law).pmf, read_law(law).cost, read_law(law).cdf):
        with pytest.raises(ParameterTypeError, match=r"^values must be numbers, got "):
            read(values)
