"""The theorems of the paper, on its own continuous ground, and the claims of docs/concepts/paper.md."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.paper.density import InverseSensitivityDensity as InverseSensitivity
from noisewise.paper.density import PiecewiseLaplaceDensity as PiecewiseLaplace
from noisewise.planning.readings.read_law import read_law
from tests.each_value import each_value

BOUND = 10.0


def law_of(lower, upper, epsilon, interpolate=True, rho=0.0):
    """The density of M.1 or of M.2."""
    return (PiecewiseLaplace if interpolate else InverseSensitivity)(lower, upper, epsilon, rho)


def score(density, y):
    """-q(y; x)."""
    return -density.quality_score(y)


EPSILONS = [0.05, 1.0, 4.0, 20.0]


def median_levels(records, levels):
    """Levels of the median under swap in [0, BOUND]: l ranks up or down, then the bounds."""
    x, rank, away = np.sort(records), (len(records) - 1) // 2, np.arange(levels + 1)
    lower = np.where(rank - away >= 0, x[np.maximum(rank - away, 0)], 0.0)
    upper = np.where(rank + away < x.size, x[np.minimum(rank + away, x.size - 1)], BOUND)
    return lower, upper


def datasets():
    rng = np.random.default_rng(20250711)
    return {
        "uniform": median_levels(rng.uniform(0, BOUND, 31), 31),
        "skewed": median_levels(np.minimum(rng.lognormal(0, 1.2, 41), BOUND), 41),
        "tied": median_levels(rng.integers(0, 11, 51).astype(float), 51),
        "tied at the median": median_levels(np.r_[1.0, 2.0, [5.0] * 9, 7.0, 7.5, 9.0], 14),
        "one-sided": median_levels(np.r_[[0.0] * 8, 3.0, 4.0, 8.0], 11),
        "one record": median_levels([2.0], 2),
        "lopsided steps": ((0.0, -1e-6, -50.0, -50.0), (0.0, 3.0, 3.0, 3.001)),
    }


DATASETS = datasets()
every_dataset = each_value(levels=DATASETS.values())
every_epsilon = each_value(epsilon=EPSILONS)
both = each_value(interpolate=[True, False])


def steps(levels, rho=0.0):
    """(sign, level, inner edge, width) of every step with a width; the plateau has level 0."""
    lower, upper = levels
    found = [(1, 0, lower[0] - rho, upper[0] - lower[0] + 2 * rho)]
    for i in range(1, len(lower)):
        found.append((1, i, upper[i - 1] + rho, upper[i] - upper[i - 1]))
        found.append((-1, i, lower[i - 1] - rho, lower[i - 1] - lower[i]))
    return [step for step in found if step[3] > 0]


def integrals(levels, function, rho=0.0, nodes=60):
    """The integral of function over each step, by Gauss-Legendre quadrature."""
    t, weight = np.polynomial.legendre.leggauss(nodes)
    t, weight = (t + 1) / 2, weight / 2
    return [
        width * float(weight @ function(inner + sign * width * t))
        for sign, _, inner, width in steps(levels, rho)
    ]


# Algorithm 1 is M.1: the lemma of Section 3.2


@every_epsilon
@every_dataset
def test_algorithm_1_has_the_density_of_m1(levels, epsilon):
    density, h = law_of(*levels, epsilon), epsilon / 2
    total = sum(math.exp(-level * h) * width for _, level, _, width in steps(levels))
    for sign, level, inner, width in steps(levels):
        for t in (0.001, 0.3, 0.5, 0.8, 1.0):
            point = inner + sign * t * width
            chance = math.exp(-level * h) * width / total
            cut_exponential = h / width * math.exp(-h * abs(point - inner) / width) / (1 - math.exp(-h))
            assert density.pdf(point) == pytest.approx(chance * cut_exponential, rel=1e-11)


@every_epsilon
@every_dataset
def test_a_uniform_point_of_the_step_has_the_density_of_m2(levels, epsilon):
    density = law_of(*levels, epsilon, interpolate=False)
    total = sum(math.exp(-level * epsilon / 2) * width for _, level, _, width in steps(levels))
    for sign, level, inner, width in steps(levels):
        point = inner + sign * 0.7 * width
        assert density.pdf(point) == pytest.approx(math.exp(-level * epsilon / 2) / total, rel=1e-11)


def kolmogorov(sample, density):
    """The Kolmogorov-Smirnov distance times the root of the sample size: beyond 2.7 once in a million."""
    p, n = read_law(density).cdf(np.sort(sample)), sample.size
    i = np.arange(n)
    return max(np.max((i + 1) / n - p), np.max(p - i / n)) * math.sqrt(n)


@pytest.mark.parametrize("rho", [0.0, 0.05])
@both
@pytest.mark.parametrize("name", ["skewed", "lopsided steps"])
def test_the_sampler_draws_from_the_cdf_and_from_no_other(name, interpolate, rho):
    levels = DATASETS[name]
    draws = law_of(*levels, 4.0, interpolate, rho).sample(1_000_000, seed=7)
    assert kolmogorov(draws, law_of(*levels, 4.0, interpolate, rho)) < 2.7
    assert kolmogorov(draws, law_of(*levels, 4.4, interpolate, rho)) > 4
    assert kolmogorov(draws, law_of(*levels, 3.6, interpolate, rho)) > 4
    assert kolmogorov(draws, law_of(*levels, 4.0, not interpolate, rho)) > 4


def test_the_sampler_repeats_itself_and_stays_on_the_support():
    density = law_of((0.1, -0.7), (0.1, 0.3), 2.0)
    draws = density.sample((50, 40), seed=3)
    assert draws.shape == (50, 40)
    assert np.array_equal(draws, density.sample((50, 40), seed=3))
    assert not np.array_equal(draws, density.sample((50, 40), seed=4))
    assert np.isfinite(density.logpdf(draws)).all()


# pdf, cdf and ppf belong together


@pytest.mark.parametrize("rho", [0.0, 0.25])
@both
@every_epsilon
@every_dataset
def test_the_pdf_integrates_to_the_cdf(levels, epsilon, interpolate, rho):
    density = law_of(*levels, epsilon, interpolate, rho)
    masses = integrals(levels, density.pdf, rho)
    assert sum(masses) == pytest.approx(1, abs=1e-12)
    for (sign, _, inner, width), mass in zip(steps(levels, rho), masses, strict=True):
        assert sign * (
            read_law(density).cdf(inner + sign * width) - read_law(density).cdf(inner)
        ) == pytest.approx(mass, abs=1e-12)
        inside = read_law(density).cdf(inner + sign * 0.3 * width) - read_law(density).cdf(inner)
        t, weight = np.polynomial.legendre.leggauss(60)
        area = 0.15 * width * float(weight @ density.pdf(inner + sign * 0.15 * width * (t + 1)))
        assert sign * inside == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize("rho", [0.0, 0.25])
@both
@every_epsilon
@every_dataset
def test_ppf_inverts_cdf(levels, epsilon, interpolate, rho):
    density = law_of(*levels, epsilon, interpolate, rho)
    p = np.r_[0.0, 1e-12, np.linspace(0.001, 0.999, 500), 1.0]
    y = density.quantile(p)
    assert np.all(np.diff(y) >= 0)
    np.testing.assert_allclose(read_law(density).cdf(y), p, rtol=0, atol=1e-12)
    assert (y[0], y[-1]) == density.support == (levels[0][-1] - rho, levels[1][-1] + rho)


@both
def test_off_the_support(interpolate):
    density = law_of((0, -1), (0, 2), 1.0, interpolate)
    outside = [-np.inf, -1.001, 2.001, np.inf]
    assert density.pdf(outside).tolist() == [0, 0, 0, 0]
    assert score(density, outside).tolist() == [np.inf] * 4
    assert read_law(density).cdf(outside).tolist() == [0, 0, 1, 1]
    assert np.isnan(density.pdf(np.nan))


# The dominance theorem of Section 4.2, and where it ends


def within(density, answer, alpha):
    """Pr[|Y - answer| <= alpha]."""
    return read_law(density).cdf(answer + alpha) - read_law(density).cdf(answer - alpha)


@every_epsilon
@every_dataset
def test_m1_dominates_m2(levels, epsilon):
    answer, reach = levels[0][0], max(levels[1][-1] - levels[0][0], levels[0][0] - levels[0][-1])
    alpha = np.linspace(0, reach, 2001)[1:-1]
    gain = within(law_of(*levels, epsilon), answer, alpha) - within(
        law_of(*levels, epsilon, False), answer, alpha
    )
    assert gain.min() > -1e-13
    assert gain.max() > 1e-4 * min(epsilon, 1)
    assert (
        read_law(law_of(*levels, epsilon)).expected_error()
        < read_law(law_of(*levels, epsilon, False)).expected_error()
    )


def test_dominance_needs_no_nesting_and_no_symmetry():
    rng = np.random.default_rng(5)
    for _ in range(200):
        falls, rises = rng.exponential(1, 12) ** 3, rng.exponential(1, 12) ** 3
        falls[rng.random(12) < 0.4] = 0
        lower, upper = np.append(0, -np.cumsum(falls)), np.append(0, np.cumsum(rises))
        epsilon, alpha = rng.uniform(0.1, 15), np.linspace(0, max(-lower[-1], upper[-1]), 400)
        m1, m2 = (law_of(lower, upper, epsilon, interpolate) for interpolate in (True, False))
        assert np.min(within(m1, 0, alpha) - within(m2, 0, alpha)) > -1e-13


@pytest.mark.parametrize("lower, upper, rho", [((0, -1, -2), (0, 1, 2), 0.5), ((-0.5, -2), (0.5, 1), 0.0)])
@every_epsilon
def test_dominance_ends_where_there_is_a_plateau(lower, upper, rho, epsilon):
    m1, m2 = (law_of(lower, upper, epsilon, interpolate, rho) for interpolate in (True, False))
    assert within(m1, 0, 0.5) < within(m2, 0, 0.5)


# Equal steps give the Laplace distribution back (Section 4.1)


@pytest.mark.parametrize("above", [40, 3])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_equal_steps_are_a_truncated_laplace(epsilon, above):
    delta, answer, below = 0.25, 3.0, 40
    level = np.arange(below + 1)
    density = law_of(answer - delta * level, answer + delta * np.minimum(level, above), epsilon)
    scale = 2 * delta / epsilon
    low, high = below * delta, above * delta
    norm = scale * (-math.expm1(-low / scale) - math.expm1(-high / scale))
    z = np.linspace(-low, high, 1001)
    np.testing.assert_allclose(density.pdf(answer + z), np.exp(-np.abs(z) / scale) / norm, rtol=1e-11)
    laplace = np.where(
        z < 0, np.exp(z / scale) - math.exp(-low / scale), 2 - np.exp(-z / scale) - math.exp(-low / scale)
    )
    np.testing.assert_allclose(read_law(density).cdf(answer + z), scale * laplace / norm, atol=1e-13)


# The score


def test_the_score_counts_as_the_paper_counts():
    density = law_of((0, -2, -2, -6), (0, 1, 3, 3), 1.0)
    y = [0, 0.5, 1, 1.5, 3, -1, -2, -2.5, -4, -6]
    assert score(density, y).tolist() == [1, 1.5, 2, 2.25, 3, 1.5, 2, 3.125, 3.5, 4]
    assert score(law_of((0, -2, -2, -6), (0, 1, 3, 3), 1.0, False), y).tolist() == [
        0,
        1,
        1,
        2,
        2,
        1,
        1,
        3,
        3,
        3,
    ]


@both
@every_dataset
def test_smoothing_moves_the_score_outwards(levels, interpolate):
    rho, answer = 0.375, levels[0][0]
    sharp, smooth = law_of(*levels, 1.0, interpolate), law_of(*levels, 1.0, interpolate, rho)
    y = np.linspace(*sharp.support, 4001)
    above, below = y[y > answer], y[y < answer]
    np.testing.assert_allclose(score(smooth, above + rho), score(sharp, above), atol=1e-6)
    np.testing.assert_allclose(score(smooth, below - rho), score(sharp, below), atol=1e-6)
    plateau = np.linspace(answer - rho, answer + rho, 101)
    assert set(score(smooth, plateau)) == {1.0 if interpolate else 0.0}


def test_smoothing_is_the_best_score_within_rho():
    sharp, smooth = (
        law_of((0, -2, -2, -6), (0, 1, 3, 3), 1.0),
        law_of((0, -2, -2, -6), (0, 1, 3, 3), 1.0, rho=0.5),
    )
    for y in np.linspace(-6.5, 3.5, 81):
        best = min(score(sharp, np.clip(y + np.linspace(-0.5, 0.5, 65), -6, 3)))
        assert score(smooth, y) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("rho", [0.0, 0.3])
@both
def test_neighbours_stay_within_a_range_of_epsilon(interpolate, rho):
    rng = np.random.default_rng(11)
    widest = 0.0
    for _ in range(60):
        records = rng.integers(0, 41, 9) / 4
        other = records.copy()
        other[rng.integers(9)] = rng.choice([0, BOUND, rng.integers(0, 41) / 4])
        x, neighbor = (law_of(*median_levels(r, 10), 1.5, interpolate, rho) for r in (records, other))
        ratio = x.logpdf(grid := np.linspace(*x.support, 1201)) - neighbor.logpdf(grid)
        widest = max(widest, np.ptp(ratio))
    assert 1.4 < widest <= 1.5 + 1e-9


# The mean error, and the ends of the range of epsilon


@pytest.mark.parametrize("rho", [0.0, 0.25])
@both
@each_value(epsilon=[1e-6, 0.19999, 0.2, *EPSILONS, 64.0])
@every_dataset
def test_expected_error_is_the_integral(levels, epsilon, interpolate, rho):
    density, answer = law_of(*levels, epsilon, interpolate, rho), levels[0][0]
    parts = integrals(levels, lambda y: np.abs(y - answer) * density.pdf(y), rho)
    if rho:  # the integrand has a kink in the middle of the plateau
        parts[0] = rho**2 * density.pdf(answer)
    assert read_law(density).expected_error() == pytest.approx(sum(parts), rel=1e-10)


def test_expected_error_of_a_wide_answer_is_taken_from_its_middle():
    assert read_law(law_of((1.0,), (3.0,), 1.0)).expected_error() == pytest.approx(0.5)


@pytest.mark.parametrize("h", [1e-9, 1e-3, 0.0999999, 0.1, 0.3, 2.0, 32.0])
def test_the_mean_depth_does_not_cancel(h):
    bernoulli = [1 / 2, -1 / 12, 0, 1 / 720, 0, -1 / 30240, 0, 1 / 1209600, 0, -1 / 47900160]
    truth = sum(b * h**k for k, b in enumerate(bernoulli)) if h < 0.2 else 1 / h - 1 / (math.exp(h) - 1)
    density = law_of((0.0, 0.0), (0.0, 1.0), 2 * h)
    assert read_law(density).expected_error() == pytest.approx(truth, rel=1e-13)


@both
def test_a_tiny_epsilon_is_nearly_uniform(interpolate):
    levels = median_levels(np.random.default_rng(2).uniform(0, BOUND, 5001), 5001)
    density = law_of(*levels, 1e-6, interpolate)
    y = np.linspace(0, BOUND, 11)
    np.testing.assert_allclose(density.pdf(y), 1 / BOUND, rtol=2e-3)
    np.testing.assert_allclose(density.quantile(read_law(density).cdf(y)), y, atol=1e-9)
    assert sum(integrals(levels, density.pdf, nodes=5)) == pytest.approx(1, abs=1e-11)


@both
def test_a_huge_epsilon_keeps_its_support(interpolate):
    levels = median_levels(np.random.default_rng(2).uniform(0, BOUND, 5001), 5001)
    density = law_of(*levels, 64.0, interpolate)
    assert np.isfinite(density.logpdf(np.linspace(0, BOUND, 1001))).all()
    assert density.logpdf(0.0) < -32 * 2499
    assert sum(integrals(levels, density.pdf)) == pytest.approx(1, abs=1e-11)
    assert density.quantile([0, 1]).tolist() == [0, BOUND]


@both
def test_thousands_of_tied_levels_are_no_empty_support(interpolate):
    ties = 5000
    tied = law_of((1.0,) * ties + (0.0,), (1.0,) * ties + (4.0,), 64.0, interpolate)
    plain = law_of((1.0, 0.0), (1.0, 4.0), 64.0, interpolate)
    y = np.r_[0, 0.5, np.linspace(1.0001, 4, 50)]
    np.testing.assert_allclose(tied.pdf(y), plain.pdf(y), rtol=1e-12)
    np.testing.assert_allclose(read_law(tied).cdf(y), read_law(plain).cdf(y), rtol=1e-12)
    assert read_law(tied).expected_error() == pytest.approx(read_law(plain).expected_error(), rel=1e-12)
    assert score(tied, 4.0) == ties + interpolate


# The figures of docs/concepts/paper.md


def lattice(below, above, epsilon, interpolate=True, centre=1.0, step_weight=None):
    """Points and pmf of the lattice law around 0, from the number of points in each step."""
    points, weights, h = [0], [centre], epsilon / 2
    for sign, widths in ((1, above), (-1, below)):
        edge = 0
        for level, width in enumerate(widths, 1):
            j = np.arange(1, width + 1)
            weight = (
                np.exp(-h * (level - 1 + j / width)) if interpolate else np.full(width, math.exp(-h * level))
            )
            if step_weight is not None:
                weight *= step_weight(level, width) / weight.sum()
            points.extend(sign * (edge + j))
            weights.extend(weight)
            edge += width
    return np.array(points), np.array(weights) / sum(weights)


@pytest.mark.parametrize(
    "epsilon, width, m1, m2",
    [
        (1, 2, 3.96, 3.94),
        (1, 10, 19.99, 20.26),
        (4, 2, 0.85, 0.70),
        (4, 10, 4.97, 5.35),
        (4, 1000, 500, 654.9),
        (8, 10, 2.43, 1.55),
        (8, 1000, 250, 505.6),
    ],
)
def test_on_a_lattice_m2_hits_the_answer_more_often_and_may_have_the_smaller_error(epsilon, width, m1, m2):
    laws = [lattice([width] * 60, [width] * 60, epsilon, interpolate) for interpolate in (True, False)]
    assert [p @ np.abs(k) for k, p in laws] == pytest.approx([m1, m2], rel=1e-4, abs=0.005)
    assert laws[0][1][0] < laws[1][1][0]


@pytest.mark.parametrize("epsilon, distance", [(4, 0.16), (8, 0.55)])
def test_on_a_lattice_the_weights_of_algorithm_1_give_another_law(epsilon, distance):
    steps = [20] * 20, [1] * 20
    _, exact = lattice(*steps, epsilon)
    _, literal = lattice(
        *steps, epsilon, step_weight=lambda level, width: math.exp(-level * epsilon / 2) * width
    )
    assert np.abs(exact - literal).sum() / 2 == pytest.approx(distance, abs=0.005)


def test_unit_steps_with_a_plateau():
    m1, m2 = (
        law_of(-np.arange(30), np.arange(30), 4.0, interpolate, rho=1.0) for interpolate in (True, False)
    )
    assert [within(m, 0, 1) for m in (m1, m2)] == pytest.approx([0.67, 0.86], abs=0.005)
    assert [read_law(m).expected_error() for m in (m1, m2)] == pytest.approx([0.83, 0.66], abs=0.005)


def test_smoothing_pays_where_levels_are_tied_at_the_answer():
    for interpolate in (True, False):
        sharp, smooth = (law_of((0, 0, 0, -1), (0, 0, 0, 1), 4.0, interpolate, rho) for rho in (0.0, 0.01))
        assert read_law(smooth).expected_error() < read_law(sharp).expected_error() / 2


def radius_score(distance, radii, centre):
    """The approximate score of Section 5, and what it says of f(x) itself."""
    edges = np.append(0, np.cumsum(radii))
    if distance == 0:
        return centre
    level = int(np.searchsorted(edges, distance))
    return level + (distance - edges[level - 1]) / (edges[level] - edges[level - 1])


@pytest.mark.parametrize("centre, move", [(1, 1), (0, 2)])
def test_the_score_of_the_answer_must_be_one(centre, move):
    unit = np.ones(30)
    moves = [
        abs(radius_score(abs(y), unit, centre) - radius_score(abs(y - 1), unit, centre)) for y in range(-9, 9)
    ]
    assert max(moves) == move


def test_bounds_above_the_global_sensitivity_break_the_cap():
    far, near = np.append(10, np.ones(60)), np.ones(61)
    assert max(abs(radius_score(r, far, 1) - radius_score(r, near, 1)) for r in range(40)) == 9


def test_too_few_levels():
    def error(levels):
        away = 10.0 * np.arange(levels + 1)
        return read_law(law_of(np.append(5e5 - away, 0), np.append(5e5 + away, 1e6), 0.1)).expected_error()

    assert [error(k) for k in (100, 200, 500)] == pytest.approx([234_244, 24_903, 200], abs=0.5)


def test_a_laplace_distribution_cut_to_a_range_is_not_half_epsilon_private():
    away = np.arange(101)
    x, neighbor = (law_of(np.maximum(c - away, 0), np.minimum(c + away, 100), 1.0) for c in (0, 1))
    ratio = x.logpdf(grid := np.linspace(0, 100, 4001)) - neighbor.logpdf(grid)
    assert ratio.max() == pytest.approx(0.5 + math.log(2 - math.exp(-0.5)), abs=1e-12)
    assert np.ptp(ratio) == pytest.approx(1, abs=1e-9)


def composed(steps, high, low, delta=1e-6):
    """The epsilon of so many equal steps with two outcomes, of log ratios high > 0 > low."""
    p = math.exp(high) * -math.expm1(low) / (math.exp(high) - math.exp(low))
    count = np.arange(steps + 1)
    log_choose = np.array(
        [math.lgamma(steps + 1) - math.lgamma(i + 1) - math.lgamma(steps - i + 1) for i in count]
    )
    chance = np.exp(log_choose + count * math.log(p) + (steps - count) * math.log1p(-p))
    loss = count * high + (steps - count) * low
    bottom, top = 0.0, steps * high
    for _ in range(50):
        epsilon = (bottom + top) / 2
        enough = chance @ np.maximum(-np.expm1(epsilon - loss), 0) <= delta
        bottom, top = (bottom, epsilon) if enough else (epsilon, top)
    return top


@pytest.mark.parametrize("steps, epsilon, ranged, half", [(50, 0.1, 1.53, 1.49), (2, 1.0, 1.98, 1.00)])
def test_bounded_range_composes_like_half_epsilon_only_over_many_steps(steps, epsilon, ranged, half):
    worst = max(composed(steps, high, high - epsilon) for high in epsilon * (np.arange(200) + 0.5) / 200)
    assert worst == pytest.approx(ranged, abs=0.005)
    assert composed(steps, epsilon / 2, -epsilon / 2) == pytest.approx(half, abs=0.005)


# Bad parameters


@pytest.mark.parametrize(
    "change, message",
    [
        ({"epsilon": 0.0}, "epsilon must be above 0"),
        ({"epsilon": -1.0}, "epsilon must be above 0"),
        ({"epsilon": 65.0}, "at most 64"),
        ({"epsilon": math.nan}, "epsilon must be finite"),
        ({"smooth": -0.1}, "smooth must be at least 0"),
        ({"smooth": math.inf}, "smooth must be finite"),
        ({"lower": (0.0,)}, "as long as"),
        ({"lower": (0.0, math.nan)}, "lower must be finite"),
        ({"upper": (0.0, math.inf)}, "upper must be finite"),
        ({"lower": (0.0, 0.1)}, "lower must never rise"),
        ({"upper": (0.0, -0.1)}, "upper never fall"),
        ({"lower": (0.5, -1.0)}, "not exceed"),
        ({"lower": (0.0, 0.0), "upper": (0.0, 0.0)}, "a single point has no density"),
    ],
)
def test_wrong_values(change, message):
    with pytest.raises(ParameterError, match=message):
        PiecewiseLaplace(**{"lower": (0.0, -1.0), "upper": (0.0, 1.0), "epsilon": 1.0, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": "1"},
        {"epsilon": True},
        {"smooth": None},
        {"lower": ()},
        {"lower": 0.0},
        {"upper": ["a", "b"]},
        {"upper": [[0.0], [1.0, 2.0]]},
    ],
)
def test_wrong_types(change):
    with pytest.raises(ParameterTypeError, match="must be a"):
        PiecewiseLaplace(**{"lower": (0.0, -1.0), "upper": (0.0, 1.0), "epsilon": 1.0, **change})


def test_wrong_arguments():
    density = law_of((0, -1), (0, 1), 1.0)
    for seed in (None, 1.0, True):
        with pytest.raises(ParameterTypeError, match="seed must be a whole number"):
            density.sample(3, seed=seed)
    with pytest.raises(ParameterError, match="seed must be at least 0"):
        density.sample(3, seed=-1)
    for p in (-0.1, 1.1, math.nan):
        with pytest.raises(ParameterError, match="p must lie"):
            density.quantile(p)


def test_exact_numbers_are_as_good_as_floats():
    exact = PiecewiseLaplace([Fraction(5), Decimal("2.5")], [5, Fraction(13, 2)], Fraction(1, 2))
    assert exact == law_of((5, 2.5), (5, 6.5), 0.5)
    with pytest.raises(ParameterError, match="upper must be finite"):
        PiecewiseLaplace([5, 3], [5, 10**400], 1)


def test_nothing_is_nearer_than_no_distance():
    assert law_of((5, 3), (5, 6), 1.0).within([-1.0, 0.0, 9.0]).tolist() == [0, 0, 1]


def test_levels_are_not_printed_and_density_is_a_value():
    density = law_of([0, -1], np.array([0, 12345]), 1.0)
    assert "12345" not in repr(density)
    assert density == law_of((0.0, -1.0), (0.0, 12345.0), 1.0)
    assert hash(density) == hash(law_of((0.0, -1.0), (0.0, 12345.0), 1.0))


def test_a_picture_of_a_density():
    picture = PiecewiseLaplace((5, 3, 0), (5, 6, 10), 1).plot()
    assert "not private" in picture.svg and picture.svg.count("<path") == 1
