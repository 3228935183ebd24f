"""Exact draws: the law of many draws, and single draws at the worst bits there are."""

import importlib
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.mechanisms import InverseSensitivity, Laplace, PiecewiseLaplace
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.sampling import Steps, draw
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.draw import (
    FARTHEST,
    LEAST_RATE,
    POINT_SLACK,
    ULP,
    WEIGHT_SLACK,
    FixedWeights,
    draw_one,
    float_weights,
    geometric,
    high_product,
    pick_points,
    uniform,
)
from noisewise.planning.readings.read_law import read_law
from tests.kernel.sampling.goodness import (
    LEVEL,
    Expansion,
    First,
    Reference,
    ball,
    bins,
    count_bins,
    cuts_of,
    dyadic,
    naive_pmf,
    p_value,
    tilted,
)

module = importlib.import_module(
    "noisewise.kernel.sampling.draw"
)  # the function of this name stands before the module

DRAWS = 100_000
EPSILONS = [Fraction(e) for e in ("1e-6", "0.1", "1", "4", "64")]
CLOSE = Fraction(1, 2**200)


def levels_like_data(seed, levels, widest):
    """Lower and upper levels with steps of all widths up to the widest, ties included, around zero."""
    steps = np.random.default_rng(seed).integers(0, widest, (2, levels), endpoint=True)
    steps[:, 0] = widest
    return -np.append(0, np.cumsum(steps[0])), np.append(0, np.cumsum(steps[1]))


def levels_of_equal_mass(rate):
    """Steps as wide as their weight is small, up to 2^60 and 30 levels: no step is rare."""
    widths = [round(math.exp(float(rate) * l)) for l in range(1, 31) if float(rate) * l < 41]
    reach = np.append(0, np.cumsum(widths))
    return -reach, reach


def piecewise_laplace(epsilon):
    lower, upper = levels_like_data(1, 30, 60)
    return Law(Envelope.of(lower, upper, (int(lower[-1]) - 40, int(upper[-1]) + 90)), epsilon / 2)


def inverse_sensitivity(epsilon):
    lower, upper = levels_of_equal_mass(epsilon / 2)
    return Law(Envelope.of(lower, upper, (int(lower[-1]), int(upper[-1]) + 2)), epsilon / 2, graded=False)


def rho_smooth(mechanism):
    def law(epsilon):
        lower, upper = levels_like_data(2, 25, 40)
        lattice = Lattice(int(lower[-1]), int(upper[-1]) + 20, Fraction(1))
        return mechanism(epsilon=epsilon, smooth=5).law(
            Envelope.of(lower, upper, (lattice.low, lattice.high)), lattice
        )

    return law


def clamped_laplace(epsilon):
    sensitivity = math.ceil(20 * epsilon)
    reach = math.ceil(sensitivity / epsilon)
    lattice = Lattice(-3 * reach // 2, 2 * reach, Fraction(1))
    centre = Envelope.of([7], [7], (lattice.low, lattice.high))
    return Laplace(epsilon=epsilon, sensitivity=sensitivity).law(centre, lattice)


def unbounded(*, graded):
    def law(epsilon):
        wide = 45 if graded else max(3, round(math.exp(epsilon / 2)))
        return Law(
            Envelope.of([0, -wide, -wide], [1, wide, 4 * wide], (None, None), wide), epsilon / 2, graded
        )

    return law


def wide_plateau(epsilon):
    lower, upper = -5 - 2**33 * np.arange(20), 2**30 + 2**34 * (np.arange(20) // 2)
    return Law(Envelope.of(lower, upper, (-(2**38), 2**39)), epsilon / 2)


CASES = {
    "piecewise Laplace": piecewise_laplace,
    "inverse sensitivity": inverse_sensitivity,
    "smooth piecewise Laplace": rho_smooth(PiecewiseLaplace),
    "smooth inverse sensitivity": rho_smooth(InverseSensitivity),
    "clamped Laplace": clamped_laplace,
    "unbounded graded": unbounded(graded=True),
    "unbounded level": unbounded(graded=False),
    "wide plateau": wide_plateau,
}
MORE_THAN_A_PLATEAU = {"smooth inverse sensitivity": 64}
"""Where a case has no second bin to test: at epsilon = 64 a level law with narrow steps is its plateau."""


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
@pytest.mark.parametrize("case", CASES)
def test_draws_have_the_law_and_no_other(case, epsilon):
    law = CASES[case](epsilon)
    reference = Reference(law)
    cuts = cuts_of(reference, law.clamp)
    counts, right = count_bins(law.draw(DRAWS, bits=SeededBits(1)), cuts), bins(reference, cuts)
    assert p_value(counts, right) > LEVEL
    read = np.diff([0.0, *read_law(law).cdf(cuts), 1.0])
    assert p_value(counts, read) > LEVEL
    assert p_value(counts, tilted(right)) < LEVEL
    wrong = bins(Reference(law, rate=law.rate * Fraction(11, 10)), cuts)
    visible = DRAWS * np.sum((wrong - right) ** 2 / np.maximum(wrong, 1e-12)) > 300
    assert not visible or p_value(counts, wrong) < LEVEL
    assert visible or epsilon < 1 or MORE_THAN_A_PLATEAU.get(case) == epsilon


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
def test_draws_from_the_widest_steps_have_the_law(graded):
    """Graded steps of 2^52 points and more are always decided by the slow path."""
    law = Law(Envelope.of([0, -(2**57)], [2**56, 2**58], (-(2**60), 2**60)), Fraction(2), graded)
    reference = Reference(law)
    cuts = cuts_of(reference)
    counts = count_bins(law.draw(15_000, bits=SeededBits(20)), cuts)
    assert p_value(counts, bins(reference, cuts)) > LEVEL
    assert p_value(counts, bins(Reference(law, rate=Fraction(22, 10)), cuts)) < LEVEL


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
@pytest.mark.parametrize("rate", [Fraction(1, 20), Fraction(1, 2), Fraction(2)], ids=str)
def test_draws_have_every_single_probability(graded, rate):
    law = Law(Envelope.of([0, -1, -1, -8], [2, 2, 9, 11], (-12, 20)), rate, graded)
    outcomes = np.arange(-12, 21)
    counts = np.bincount(law.draw(DRAWS, bits=SeededBits(2)) + 12, minlength=33)
    assert p_value(counts, naive_pmf(law, outcomes)) > LEVEL
    assert p_value(counts, read_law(law).pmf(outcomes)) > LEVEL
    off = Law(law.envelope, rate * Fraction(11, 10), graded)
    assert p_value(counts, tilted(read_law(law).pmf(outcomes))) < LEVEL
    assert rate < 1 / 2 or p_value(counts, naive_pmf(off, outcomes)) < LEVEL


def test_draws_from_the_system_have_the_law():
    law = piecewise_laplace(Fraction(4))
    reference = Reference(law)
    cuts = cuts_of(reference)
    counts = count_bins(law.draw(DRAWS), cuts)
    assert p_value(counts, bins(reference, cuts)) > 1e-12
    assert p_value(counts, bins(Reference(law, rate=law.rate * Fraction(11, 10)), cuts)) < LEVEL


@pytest.mark.parametrize(("plateau", "distance"), [(0, 0.38), (1, 0.18)], ids=["left out", "counted"])
def test_the_weights_of_the_continuum_are_rejected(plateau, distance):
    """Steps by exp(-l*h)*width and the right draw inside a step: private enough, and another law."""
    lower, upper = -3 * np.arange(30), 2 * np.arange(30)
    law = Law(Envelope.of(lower, upper, (-87, 58)), Fraction(2))
    steps = law._steps()
    weights = np.exp(-2.0 * steps.levels) * steps.widths[0]
    weights[0] = plateau
    rng = np.random.default_rng(3)
    chosen = rng.choice(weights.size, DRAWS, p=weights / weights.sum())
    points = pick_points(steps, np.zeros(DRAWS, np.int64), chosen, SeededBits(3))
    wrong = np.where(
        chosen == 0, 0, np.where(chosen <= 30, 2 * (chosen - 1) + points, -3 * (chosen - 31) - points)
    )
    outcomes = np.arange(-87, 59)
    right = naive_pmf(law, outcomes)
    seen = np.bincount(wrong + 87, minlength=146)
    assert abs(seen / DRAWS - right).sum() / 2 == pytest.approx(distance, abs=0.01)
    assert p_value(seen, right) < LEVEL
    assert p_value(np.bincount(law.draw(DRAWS, bits=SeededBits(3)) + 87, minlength=146), right) > LEVEL


# The fast path and the slow path.


def unsure_everywhere(monkeypatch):
    monkeypatch.setattr(module, "WEIGHT_SLACK", 2.0**52)
    monkeypatch.setattr(module, "POINT_SLACK", 2.0**60)


def apart(monkeypatch, seed):
    """Further bits come from a source of their own, so that two paths can be given the same first words."""
    further = SeededBits(seed)
    monkeypatch.setattr(module, "Uniform", lambda word, _: Uniform(word, further))


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
@pytest.mark.parametrize("case", CASES)
def test_both_paths_draw_the_same(case, epsilon, monkeypatch):
    law = CASES[case](epsilon)
    apart(monkeypatch, 5)
    fast = law.draw(150, bits=SeededBits(4))
    unsure_everywhere(monkeypatch)
    picked = []
    inner = module.CertifiedSteps.pick
    monkeypatch.setattr(
        module.CertifiedSteps, "pick", lambda self, u: picked.append(1) or inner(self, u), raising=True
    )
    assert np.array_equal(law.draw(150, bits=SeededBits(4)), fast)
    assert len(picked) == 150
    assert not np.array_equal(law.draw(150, bits=SeededBits(6)), fast) or case in MORE_THAN_A_PLATEAU


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
def test_the_slow_path_alone_has_the_law(graded, monkeypatch):
    unsure_everywhere(monkeypatch)
    law = Law(Envelope.of([0, -1, -1], [0, 3, 5], (None, None), 2), Fraction(2), graded)
    reference = Reference(law)
    cuts = cuts_of(reference)
    counts = count_bins(law.draw(20_000, bits=SeededBits(7)), cuts)
    assert p_value(counts, bins(reference, cuts)) > LEVEL
    assert p_value(counts, bins(Reference(law, rate=Fraction(22, 10)), cuts)) < LEVEL


def test_an_endless_step_of_the_least_rates_has_the_law():
    """Below 2^-60 an endless side is always decided by the slow path."""
    rate, width = Fraction(3, 2**62), 2
    steps = steps_of([1, width], [0, 1], [False, True], rate, True)
    chosen, points = draw(steps, np.zeros(20_000, np.int64), SeededBits(8))
    assert np.all(chosen == 1)
    shares = np.linspace(0.05, 0.75, 15)  # P(point <= x) = 1 - exp(-rate*x/width), up to the cut at 2^62
    cuts = [int(-math.log1p(-share) * width / rate) for share in shares]
    assert cuts[-1] < FARTHEST == points.max() - 1
    counts = count_bins(points, cuts)
    assert p_value(counts, np.diff([0, *shares, 1])) > LEVEL
    off = -np.expm1(1.1 * np.log1p(-shares))
    assert p_value(counts, np.diff([0, *off, 1])) < LEVEL


# Bits at a boundary.


def steps_of(widths, levels, endless, rate, graded):
    return Steps(np.array([widths]), np.array(levels), np.array(endless), Fraction(rate), graded)


def exact_weights(steps):
    """The weight of each step of a single group, in balls."""
    found = []
    for width, level, endless in zip(steps.widths[0], steps.levels, steps.endless, strict=True):
        h, w, l = ball(steps.rate), int(width), int(level)
        if l == 0:
            found.append(arb(w))
        elif w == 0:
            found.append(arb(0))
        elif steps.graded:
            run = (-h * (l - 1)).exp() / ((h / w).exp() - 1)
            found.append(run if endless else run * (1 - (-h).exp()))
        else:
            run = (-h * l).exp() * w
            found.append(run / (1 - (-h).exp()) if endless else run)
    return found


BOUNDARIES = [
    steps_of([1, 3, 0, 5, 2, 4], [0, 1, 2, 3, 1, 2], [False] * 6, Fraction(1, 2), True),
    steps_of([1, 3, 0, 5, 2, 4], [0, 1, 2, 3, 1, 2], [False] * 6, Fraction(1, 2), False),
    steps_of([7, 3, 9, 2**50], [0, 1, 1, 2], [False, False, True, True], Fraction(1, 3), True),
    steps_of([7, 3, 9, 2**50], [0, 1, 1, 2], [False, False, True, True], Fraction(1, 3), False),
    steps_of([1, 2**60, 3, 2**59], [0, 1, 2, 1], [False] * 4, Fraction(64), True),
    steps_of([1, 5, 7], [0, 1, 1], [False] * 3, Fraction(5e-324), True),
    steps_of([1, 5, 7], [0, 1, 1], [False, True, True], Fraction(1, 10**30), True),
    steps_of([2**40, 5, 7], [0, 1, 1], [False, True, True], Fraction(1, 10**30), False),
]


@pytest.mark.parametrize("steps", BOUNDARIES, ids=range(len(BOUNDARIES)))
def test_bits_beside_a_boundary_of_steps_fall_on_their_side(steps):
    wide = np.flatnonzero(steps.widths[0])
    with ctx.workprec(3000):
        sums = np.cumsum(np.array(exact_weights(steps))[wide])
        boundaries = [dyadic(s / sums[-1]) for s in sums[:-1]]
    weights = FixedWeights.of(steps)
    for i, boundary in enumerate(boundaries):
        for offset, expected in ((-CLOSE, wide[i]), (CLOSE, wide[i + 1])):
            bits = Expansion(boundary + offset)
            assert weights.pick(np.array([0]), bits) == [expected]
            assert bits.taken >= 4  # 200 bits cannot be told apart by fewer


@pytest.mark.parametrize("endless", [False, True], ids=["bounded", "endless"])
@pytest.mark.parametrize(
    ("rate", "width"),
    [
        ("1/2", 10),
        ("1/2", 2**51),
        ("64", 2),
        ("64", 60),
        ("64", 2**60),
        ("1e-6", 1000),
        ("1e-30", 9),
        ("3", 2**55),
    ],
)
def test_bits_beside_a_boundary_of_points_fall_on_their_side(rate, width, endless):
    steps = steps_of([1, width], [0, 1], [False, endless], rate, True)
    for j in {1, 2, width // 3, width // 2 + 1, width - 1} | ({width, 3 * width + 1} if endless else set()):
        if j == 0 or (not endless and j >= width) or j >= FARTHEST:
            continue
        with ctx.workprec(3000):
            h = ball(steps.rate)
            share = arb(1) if endless else 1 - (-h).exp()
            boundary = dyadic((1 - (-h * j / width).exp()) / share)
        close = CLOSE * min(boundary, 1 - boundary)
        for offset, expected in ((-close, j - 1), (close, j)):
            bits = Expansion(boundary + offset)
            assert geometric(steps, np.array([width]), np.array([endless]), bits) == [expected]
            assert bits.taken >= 2


@pytest.mark.parametrize("width", [2, 3, 7, 10, 2**20 + 1, 2**40, 2**60 - 1, 2**60])
def test_bits_beside_a_boundary_of_even_points_fall_on_their_side(width):
    for k in {1, width // 2, width // 3, width - 1} - {0}:
        boundary = Fraction(k, width)
        for offset, expected in ((-CLOSE, k - 1), (CLOSE, k), (0, k)):
            if offset or width & (width - 1) == 0:  # exactly on it, a boundary belongs to the point above
                assert uniform(np.array([width]), Expansion(boundary + offset)) == [expected]


def test_words_at_the_ends_of_the_unit_interval():
    steps = steps_of([1, 3, 2], [0, 1, 1], [False] * 3, "1/2", True)
    weights, zero, nearly_one = (
        FixedWeights.of(steps),
        Expansion(Fraction(0)),
        Expansion(1 - Fraction(1, 2**5000)),
    )
    assert weights.pick(np.array([0]), zero) == [0]
    assert weights.pick(np.array([0]), nearly_one) == [2]
    for endless in (False, True):
        assert geometric(steps, np.array([5]), np.array([endless]), Expansion(Fraction(0))) == [0]
    assert geometric(steps, np.array([5]), np.array([False]), Expansion(1 - Fraction(1, 2**5000))) == [4]
    far = geometric(steps, np.array([5]), np.array([True]), Expansion(1 - Fraction(1, 2**5000)))
    assert far == [math.floor(5000 * math.log(2) * 5 / 0.5)]


@pytest.mark.parametrize("rate", ["64", "300", "1000"])
def test_the_rarest_points_of_an_endless_step_are_reached(rate):
    """Beyond a rate of about 265 the 53 bits of a float cannot tell the first point from the second."""
    steps = steps_of([1, 1], [0, 1], [False, True], rate, True)
    with ctx.workprec(9000):
        beyond_two = 1 - dyadic((-ball(rate) * 5 / 2).exp(), 6000)
    assert geometric(steps, np.array([1]), np.array([True]), Expansion(beyond_two)) == [2]


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
@pytest.mark.parametrize("side", [1, -1], ids=["upper", "lower"])
def test_levels_whose_weights_underflow_are_reached(side, graded):
    """Float weights vanish from level 1491 at epsilon 1. The support must not shrink."""
    levels = 1550
    law = Law(
        Envelope.of(-np.arange(levels), np.arange(levels), (-levels, levels)), Fraction(1, 2), graded=graded
    )
    steps = law._steps()
    deepest = levels if side > 0 else 2 * levels
    assert steps.levels[deepest] == levels
    assert float_weights(steps)[0, deepest] == 0.0
    with ctx.workprec(2500):
        weights = exact_weights(steps)
        middle = dyadic((sum(weights[:deepest], arb(0)) + weights[deepest] / 2) / sum(weights, arb(0)), 2000)
    assert law.draw(1, bits=Expansion(middle)) == [side * levels]


# The error assumption.


def random_rates(rng, count):
    fixed = [
        Fraction(5e-324),
        Fraction(1, 10**400),
        Fraction(1, 2**61),
        Fraction(1, 2**60),
        Fraction(1, 2**59),
    ]
    spread = [Fraction(str(10 ** rng.uniform(-20, math.log10(64)))) for _ in range(count)]
    return [*fixed, Fraction(1, 3), Fraction("63.99999"), Fraction(64), *spread]


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
def test_float_weights_err_by_a_sixteenth_of_the_slack(graded):
    rng, worst, count = np.random.default_rng(9), 0.0, 150
    for rate in random_rates(rng, 40):
        widths = np.maximum(2 ** rng.uniform(0, 60, count), 1).astype(np.int64)
        levels = (
            np.minimum(10 ** rng.uniform(0, 5, count), 400 / max(float(rate), 1e-300)).astype(np.int64) + 1
        )
        endless = (rng.random(count) < 0.3) & (rate >= LEAST_RATE)
        widths[0], levels[0], endless[0] = 2**60 - 1, 0, False
        steps = steps_of(widths, levels, endless, rate, graded)
        implied = ULP * (float(rate) * (levels + 4) + WEIGHT_SLACK / 16)
        with ctx.workprec(300):
            errors = [
                abs(float((arb(float(f)) - w) / w))
                for f, w in zip(float_weights(steps)[0], exact_weights(steps), strict=True)
            ]
        worst = max(worst, float(np.max(errors / implied)))
    assert 0.05 < worst < 1  # neither a broken promise nor a broken measurement


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2**45), st.booleans()), min_size=1, max_size=40),
    st.fractions(Fraction(1, 10**6), 64, max_denominator=10**6),
    st.booleans(),
)
def test_fixed_sums_stay_within_the_slack(shape, rate, graded):
    widths = [3, *(w for w, _ in shape)]
    levels = [0, *range(1, len(widths))]
    endless = [False, *(e for _, e in shape)]
    steps = steps_of(widths, levels, endless, rate, graded)
    weights = FixedWeights.of(steps)
    with ctx.workprec(300):
        exact = np.cumsum(exact_weights(steps))
        scale = arb(2) ** (61 - math.frexp(float_weights(steps).sum())[1])
        errors = [abs(float(s * scale - int(f))) for s, f in zip(exact, weights.sums[0], strict=True)]
    assert 2**60 - 100 < int(weights.totals[0]) <= 2**61
    assert max(errors) <= (int(weights.slack[0]) - 2 * len(widths) - 4) / 2 / 16 + len(widths)


class Worse:
    """numpy, with functions that err by so many units of the last place more, up here and down there."""

    def __init__(self, units):
        self._units = units

    def __getattr__(self, name):
        return getattr(np, name)

    def _spoil(self, y, sign):
        return y * (1 + sign * self._units * ULP * (-1.0) ** np.arange(y.size))

    def exp(self, x):
        return self._spoil(np.exp(x), 1)

    def expm1(self, x):
        return self._spoil(np.expm1(x), -1)

    def log1p(self, x):
        return self._spoil(np.log1p(x), 1)


def wrong_points(seed):
    """Near boundaries: how many points the fast path decides wrongly, and how many it decides."""
    rng, wrong, decided = np.random.default_rng(seed), 0, 0
    for rate in random_rates(rng, 25):
        widths = np.maximum(2 ** rng.uniform(0, 52, 60), 2).astype(np.int64)
        endless = (rng.random(60) < 0.4) & (rate >= LEAST_RATE)
        words = []
        with ctx.workprec(300):
            h = ball(rate)
            shares = [arb(1) if e else -(-h).expm1() for e in endless]
            for width, share in zip(widths, shares, strict=True):
                j = int(1 + rng.integers(width - 1))
                near = ((-(-h * j / int(width)).expm1() / share) * 2**64).mid().floor().unique_fmpz()
                away = int(2 ** rng.uniform(0, 34)) * int(rng.choice([-1, 1]))
                words.append(min(max(int(near) + away, 0), 2**64 - 1))
            steps = steps_of([1], [0], [False], rate, True)
            points = geometric(steps, widths, endless, First(words))
            for word, point, width, share in zip(words, points, widths, shares, strict=True):
                if point < 0:
                    continue
                decided += 1
                ends = [-(-h * int(p) / int(width)).expm1() / share for p in (point, point + 1)]
                low, high = ball(Fraction(word, 2**64)), ball(Fraction(word + 1, 2**64))
                open_above = point == (FARTHEST if share == 1 else width - 1)
                wrong += not (low >= ends[0] and (high <= ends[1] or open_above))
    return wrong, decided


@pytest.fixture
def undecided_points(monkeypatch):
    """What the fast path leaves open is marked, not decided."""
    monkeypatch.setattr(module, "certain_geometric", lambda *_, **__: -1)


def test_points_need_a_sixteenth_of_the_slack(undecided_points, monkeypatch):
    monkeypatch.setattr(module, "POINT_SLACK", POINT_SLACK / 16)
    wrong, decided = wrong_points(10)
    assert decided > 500
    assert wrong == 0


def test_points_survive_a_logarithm_sixteen_times_worse_than_assumed(undecided_points, monkeypatch):
    monkeypatch.setattr(module, "np", Worse(64))
    assert wrong_points(10)[0] == 0
    monkeypatch.setattr(module, "POINT_SLACK", POINT_SLACK / 16)
    assert wrong_points(10)[0] > 0


def wrong_steps(seed):
    """Near boundaries: how many steps the fast path decides wrongly, and how many it decides."""
    rng, wrong, decided = np.random.default_rng(seed), 0, 0
    for rate in [r for r in random_rates(rng, 25) if r >= LEAST_RATE]:
        count = 40
        widths = np.maximum(2 ** rng.uniform(0, 40, count), 1).astype(np.int64)
        levels = np.append(
            0, rng.integers(1, 1 + max(1, int(30 / float(rate)) if rate > 1e-3 else 1000), count - 1)
        )
        endless = (rng.random(count) < 0.2) & (levels > 0)
        steps = steps_of(widths, levels, endless, rate, bool(rng.random() < 0.5))
        with ctx.workprec(300):
            sums = np.cumsum(exact_weights(steps))
            shares = [s / sums[-1] for s in sums]
            words = []
            for i in rng.integers(0, count - 1, 60):
                away = int(2 ** rng.uniform(0, 34)) * int(rng.choice([-1, 1]))
                near = int((shares[i] * arb(2) ** 64).mid().floor().unique_fmpz())
                words.append(min(max(near + away, 0), 2**64 - 1))
            for word, step in zip(
                words, FixedWeights.of(steps).pick(np.zeros(60, int), First(words)), strict=True
            ):
                if step < 0:
                    continue
                decided += 1
                low, high = ball(Fraction(word, 2**64)), ball(Fraction(word + 1, 2**64))
                above, below = step == 0 or low >= shares[step - 1], step == count - 1 or high <= shares[step]
                wrong += not (above and below)
    return wrong, decided


def test_steps_survive_functions_sixteen_times_worse_than_assumed(monkeypatch):
    monkeypatch.setattr(module.CertifiedSteps, "pick", lambda *_: -1)
    wrong, decided = wrong_steps(11)
    assert (wrong, decided > 300) == (0, True)
    monkeypatch.setattr(module, "np", Worse(64))
    assert wrong_steps(11)[0] == 0
    monkeypatch.setattr(module, "WEIGHT_SLACK", WEIGHT_SLACK / 16)
    assert wrong_steps(11)[0] > 0


# Batches.


def many_laws():
    """20,000 groups of four kinds, groups of a single level among them, and the kind of each."""
    kinds = [
        Envelope.of([0], [0], (-5, 9)),
        Envelope.of([0, -2], [1, 4], (-5, 9)),
        Envelope.of([3, 2, 2, 0, -1], [3, 3, 3, 6, 8], (-5, 9)),
        Envelope.of([-5], [9], (-5, 9)),
    ]
    kind = np.random.default_rng(12).integers(0, 4, 20_000)
    return kinds, kind, Envelope.stack([kinds[i] for i in kind])


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
def test_a_batch_draws_from_the_law_of_each_group(graded):
    kinds, kind, batch = many_laws()
    law = Law(batch, Fraction(1), graded)
    drawn = np.array([law.draw_each(bits=SeededBits(seed)) for seed in range(20)])
    assert drawn.shape == (20, 20_000)
    for i, envelope in enumerate(kinds):
        counts = np.bincount(drawn[:, kind == i].ravel() + 5, minlength=15)
        right = naive_pmf(Law(envelope, Fraction(1), graded), np.arange(-5, 10))
        assert p_value(counts, right) > LEVEL
        assert p_value(counts, tilted(right)) < LEVEL
    agree = np.corrcoef(drawn[:, kind == 2][:, :-1].ravel(), drawn[:, kind == 2][:, 1:].ravel())[0, 1]
    assert abs(agree) < 0.03  # neighbours in a batch are independent


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
def test_a_batch_draws_what_its_groups_draw_alone(graded):
    kinds, kind, batch = many_laws()
    together = Law(batch.rows(np.arange(400)), Fraction(1), graded)._steps()
    words, inner = SeededBits(13).words(400), SeededBits(14).words(400)
    chosen = FixedWeights.of(together).pick(np.arange(400), First(words, SeededBits(0)))
    widths = together.widths[np.arange(400), chosen]
    places = geometric(together, widths, np.zeros(400, bool), First(inner, SeededBits(0)))
    for g in range(400):
        alone = Law(kinds[kind[g]], Fraction(1), graded)._steps()
        single = FixedWeights.of(alone).pick(np.array([0]), First([words[g]], SeededBits(0)))
        assert alone.widths[0, single] == widths[g] and alone.levels[single] == together.levels[chosen[g]]
        single = geometric(alone, widths[[g]], np.array([False]), First([inner[g]], SeededBits(0)))
        assert single == [places[g]]


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
@pytest.mark.parametrize("support", [(-5, 9), (None, None)], ids=["bounded", "endless"])
def test_equal_groups_draw_what_they_draw_beside_another(graded, support):
    """Bit by bit: equal rows are weighed once, and rows of which one differs are not."""
    equal = Law(Envelope.of([0, -2], [1, 4], support, 3), Fraction(1), graded)._steps()
    widths, groups = np.repeat(equal.widths, 301, axis=0), np.arange(300)
    alike = draw(replace(equal, widths=widths), groups, SeededBits(17))
    widths[300, 0] += 1
    beside = draw(replace(equal, widths=widths), groups, SeededBits(17))
    assert np.array_equal(alike, beside) and np.unique(alike[0]).size > 2
    widths[1:, 0] += 40
    assert not np.array_equal(draw(replace(equal, widths=widths), groups, SeededBits(17)), alike)


def test_a_group_does_not_see_what_stands_before_it():
    small = Law(Envelope.of([0, -2], [1, 4], (-(2**60), 2**60)), Fraction(40))
    wide = Envelope.of([-(2**60)], [2**60], (-(2**60), 2**60))
    batch = Envelope.stack([wide] * 40 + [small.envelope]).rows(np.arange(41))
    sums = FixedWeights.of(Law(batch, Fraction(40))._steps()).sums
    assert np.array_equal(sums[-1], FixedWeights.of(small._steps()).sums[0])


def test_parts_of_a_draw_join(monkeypatch):
    steps = piecewise_laplace(Fraction(1))._steps()
    monkeypatch.setattr(module, "BLOCK", 7)
    chosen, points = draw(steps, np.zeros(40, np.int64), SeededBits(15))
    assert chosen.size == points.size == 40
    assert np.all((points >= 1) & (points <= steps.widths[0, chosen]))
    assert len(set(chosen.tolist())) > 5


def test_no_draws():
    chosen, points = draw(piecewise_laplace(Fraction(1))._steps(), np.zeros(0, np.int64), SeededBits(16))
    assert chosen.size == points.size == 0
    assert piecewise_laplace(Fraction(1)).draw(0).size == 0


# Integers.


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(40), Fraction(1, 2**70)])
@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("cut", [True, False])
def test_one_draw_is_what_many_draws_are(rate: Fraction, graded: bool, cut: bool) -> None:
    """Also for bits beside the boundaries of steps, which floats leave open."""
    for seed, last in enumerate([1, 2, 5]):
        dice = np.random.default_rng(seed)
        widths = np.concatenate([[1 + seed], dice.integers(1, 9, 2 * last)])[np.newaxis]
        levels = np.concatenate([[0], np.arange(1, last + 1), np.arange(1, last + 1)])
        endless = np.zeros(levels.size, np.bool_)
        endless[[last, -1]] = not cut
        steps = Steps(widths, levels, endless, rate, graded, cut)
        weights = FixedWeights.of(steps)
        ends = [(int(end) << 64) // int(weights.totals[0]) for end in weights.sums[0, :-1]]
        words = [min(max(end + by, 0), 2**64 - 1) for end in ends for by in (-1, 0, 1)]
        words += SeededBits(seed).words(40).tolist()
        for word in words:
            many = draw(steps, np.zeros(1, np.int64), First([word], SeededBits(word % 7)))
            assert draw_one(steps, First([word], SeededBits(word % 7))) == tuple(
                int(each[0]) for each in many
            )


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)), min_size=1, max_size=50))
def test_high_product_is_the_upper_word(pairs):
    a, b = (np.array(column, np.uint64) for column in zip(*pairs, strict=True))
    assert [int(p) for p in high_product(a, b)] == [x * y >> 64 for x, y in pairs]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(1, 2**62)), min_size=1, max_size=50))
def test_even_points_are_the_floor_of_the_product(pairs):
    words, widths = (list(column) for column in zip(*pairs, strict=True))
    points = uniform(np.array(widths), First(words, Expansion(Fraction(0))))
    assert [int(p) for p in points] == [word * width >> 64 for word, width in pairs]


def test_even_points_have_their_law():
    counts = np.bincount(uniform(np.full(DRAWS, 40), SeededBits(17)), minlength=40)
    assert p_value(counts, np.full(40, 1 / 40)) > LEVEL
    assert p_value(counts, tilted(np.full(40, 1 / 40))) < LEVEL


def test_steps_without_points_are_never_picked():
    steps = steps_of([1, 0, 2, 0, 0, 3, 0], [0, 1, 2, 3, 1, 2, 3], [False] * 7, "1/10", True)
    chosen, _ = draw(steps, np.zeros(DRAWS, np.int64), SeededBits(18))
    assert set(chosen.tolist()) == {0, 2, 5}


def test_an_endless_step_is_cut_at_a_distance():
    for graded in (True, False):
        steps = steps_of([1, 2**50], [0, 1], [False, True], Fraction(1, 10**15), graded)
        _, points = draw(steps, np.zeros(2000, np.int64), SeededBits(19))
        assert FARTHEST - 2**51 <= points.max() <= FARTHEST + 1
        assert points.min() >= 1
