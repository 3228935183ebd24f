"""The continuous law in many dimensions: its masses against certified ones, its draws against brute rejection."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.balls import precision
from noisewise.paper.density import PiecewiseLaplaceDensity as PiecewiseLaplace
from noisewise.paper.radial import PANELS, BallDensity, directions, log_volume, norm
from noisewise.planning.readings.read_law import read_law

NORMS = [1.0, 1.5, 2.0, 3.0, math.inf]
every_norm = pytest.mark.parametrize("p", NORMS)

RADII = {
    "a stride alone": ((), 1.0),
    "one ball": ((5.0,), None),
    "growing, then a stride": (tuple(1 + 0.3 * np.arange(16)), 500.0),
    "growing, then nothing": (tuple(1 + 0.3 * np.arange(16)), None),
    "empty shells": ((0.0, 0.0, 1.0, 0.5, 0.0, 2.0), 3.0),
    "thin shells": ((1e-9, 1.0, 1e-9, 1.0, 1e-6), 1.0),
}


def ball_of(centre, radii, rate, p=1.0, stride=None):
    """The density whose cost is multiplied by this rate, half of epsilon."""
    return BallDensity(centre, radii, 2 * rate, p, stride)


# The masses, against incomplete gamma functions in ball arithmetic


def certified(d, rate, radii, stride):
    """Pr of every shell that has a width, and the log of the integral of r^(d-1) * exp(-rate * cost)."""
    from flint import arb

    with precision(1000 + 20 * d):  # so that differences of gamma functions keep digits
        h, edge, masses = arb(rate), arb(0), []
        for level, radius in enumerate([*radii, *([stride] if stride else [])]):
            if radius:
                width, endless = arb(float(radius)), level == len(radii)
                beyond = arb(0) if endless else (h * (edge + width) / width).gamma_upper(arb(d))
                between = (h * edge / width).gamma_upper(arb(d)) - beyond
                masses.append((h * edge / width - h * level).exp() * between * (width / h) ** d)
                edge += width
        total = sum(masses, arb(0))
        return np.array([float(mass / total) for mass in masses]), float(total.log())


@pytest.mark.parametrize("radii, stride", RADII.values(), ids=RADII)
@pytest.mark.parametrize("d", [1, 2, 3, 7, 30, 100, 1000])
def test_masses_and_normalisation_are_the_certified_ones(d, radii, stride):
    empty = next((l for l, radius in enumerate(radii) if radius), 0)
    for rate in (0.01, 0.5, 10.0, 50.0):
        density = ball_of((0.0,) * d, radii, rate, 1.0, stride)
        mass, log_total = certified(d, rate, radii, stride)
        np.testing.assert_allclose(np.diff(density._below[::PANELS]), mass, rtol=1e-11, atol=1e-13)
        edges = np.cumsum([radius for radius in radii if radius])
        np.testing.assert_allclose(
            density.radius_cdf(edges), np.cumsum(mass)[: edges.size], rtol=1e-9, atol=1e-12
        )
        at_the_answer = -log_total - math.log(d) - log_volume(d, 1.0) - rate * empty
        assert float(density.logpdf(np.zeros(d))) == pytest.approx(at_the_answer, rel=1e-13, abs=1e-11)


@every_norm
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_density_integrates_to_one(d, p):
    density = ball_of((0.0,) * d, (1.0, 0.7), 1.5, p, 0.8)
    cells = {1: 20_000, 2: 1_500, 3: 140}[d]
    axis = (np.arange(cells) + 0.5) * 8.0 / cells
    grid = np.stack(np.meshgrid(*[axis] * d, indexing="ij"), axis=-1).reshape(-1, d)
    total = np.exp(density.logpdf(grid)).sum() * (16.0 / cells) ** d
    assert total == pytest.approx(1, abs={1: 1e-6, 2: 1e-4, 3: 3e-3}[d])


@pytest.mark.parametrize(
    "d, p, volume",
    [(1, 1.5, 2), (2, 1, 2), (2, 2, math.pi), (3, 2, 4 * math.pi / 3), (3, 1, 4 / 3), (5, math.inf, 32)],
)
def test_volumes_of_unit_balls(d, p, volume):
    assert math.exp(log_volume(d, p)) == pytest.approx(volume, rel=1e-14)


# The draws, against brute rejection


FALSE_ALARM = 3.1
"""Equal laws are this far apart with a chance of 2 exp(-2 * 3.1**2) < 1e-8; in all comparisons of this file, < 1e-6."""


def apart(one, other):
    """The two-sample Kolmogorov-Smirnov distance, times the root of half the size of each [Wei and Dudley 2012]."""
    assert len(one) == len(other)
    both = np.concatenate([one, other])
    step = np.where(np.argsort(both, kind="stable") < len(one), 1, -1)
    ties = np.append(np.diff(np.sort(both)) > 0, True)
    return np.abs(np.cumsum(step))[ties].max() / len(one) * math.sqrt(len(one) / 2)


def brute(rng, size, d, p, radii, rate):
    """Uniform points of the cube around the last ball, each kept with chance exp(-rate * cost)."""
    edges, kept = np.append(0, np.cumsum(radii)), np.zeros((0, d))
    while len(kept) < size:
        points = rng.uniform(-edges[-1], edges[-1], (200_000, d))
        distance = np.linalg.norm(points, ord=p, axis=1)
        cost = np.interp(distance, edges, np.arange(edges.size), right=np.inf)
        kept = np.concatenate([kept, points[rng.random(len(points)) < np.exp(-rate * cost)]])
    return kept[:size]


def shadows(points, p):
    """Numbers that show the radius, a coordinate, and the direction: its share and its sign."""
    radius = np.linalg.norm(points, ord=p, axis=1)
    return radius, points[:, 0], points[:, -1] / radius


SIZE = 50_000


@every_norm
@pytest.mark.parametrize("d", [1, 2, 3])
def test_draws_are_those_of_brute_rejection_and_of_no_law_nearby(d, p):
    radii, rate, rng = (0.7, 0.4, 1.1), 1.5, np.random.default_rng(20250711)
    truth = shadows(brute(rng, SIZE, d, p, radii, rate), p)

    def distance(rate, stretch=1.0):
        draws = ball_of((0.0,) * d, np.multiply(radii, stretch), rate, p).sample(SIZE, seed=20250712)
        return max(map(apart, truth, shadows(draws, p)))

    assert distance(rate) < FALSE_ALARM
    assert distance(1.1 * rate) > 1.5 * FALSE_ALARM
    assert distance(rate, stretch=0.9) > 1.5 * FALSE_ALARM


@pytest.mark.parametrize("p", [1.0, 2.0, 3.0])
def test_directions_tell_norms_apart(p):
    """By the cone measure of p, the shares of the coordinates in |g|^p have a Dirichlet distribution."""
    size, d, rng = 20_000, 40, np.random.default_rng(3)

    def inequality(q):
        g = directions(size, d, q, rng)
        return ((np.abs(g) / norm(g, p)[:, None]) ** (2 * p)).sum(axis=1)

    truth = (rng.dirichlet([1 / p] * d, size) ** 2).sum(axis=1)
    assert apart(truth, inequality(p)) < FALSE_ALARM
    assert apart(truth, inequality(1.1 * p)) > 2 * FALSE_ALARM
    assert p == 2 or apart(truth, inequality(2.0)) > 2 * FALSE_ALARM  # a Gaussian's, stretched to the sphere


@every_norm
def test_draws_have_the_radius_of_the_cdf(p):
    density = ball_of((1.0, -2.0, 5.0, 0.0), (0.2, 0.0, 1.0), 1.0, p, 2.0)
    draws = density.sample(200_000, seed=9)
    chance = density.radius_cdf(np.sort(norm(draws - density.centre, p)))
    distance = np.abs(chance - (np.arange(chance.size) + 0.5) / chance.size).max()
    assert distance * math.sqrt(chance.size) < FALSE_ALARM
    other = ball_of(density.centre, density.radii, 1.1, p, 2.0).radius_cdf(
        np.sort(norm(draws - density.centre, p))
    )
    assert np.abs(other - chance).max() * math.sqrt(chance.size) > 4


# One dimension, and a thousand


@pytest.mark.parametrize("rate", [0.01, 1.0, 25.0])
@every_norm
def test_one_dimension_is_the_density_of_a_symmetric_envelope(p, rate):
    radii = (0.5, 0.0, 2.0, 0.25, 3.0)
    reach = np.append(0, np.cumsum(radii))
    line, ball = PiecewiseLaplace(3.0 - reach, 3.0 + reach, 2 * rate), ball_of((3.0,), radii, rate, p)
    y, r = np.linspace(-4, 10, 1001), np.linspace(0.001, 5.7, 101)
    np.testing.assert_allclose(ball.logpdf(y[:, None]), line.logpdf(y), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        ball.radius_cdf(r), read_law(line).cdf(3 + r) - read_law(line).cdf(3 - r), atol=1e-13
    )
    np.testing.assert_allclose(3 + ball.radius_quantile([0.1, 0.9]), line.quantile([0.55, 0.95]), rtol=1e-12)
    assert ball.expected_norm() == pytest.approx(read_law(line).expected_error(), rel=1e-12)


@pytest.mark.parametrize("rate", [0.01, 1.0, 50.0])
@pytest.mark.parametrize("d", [1, 2, 50, 1000])
def test_equal_radii_are_a_gamma_distributed_radius(d, rate):
    plain, cut = (
        ball_of((0.0,) * d, (2.0,) * l, rate, 1.0, 2.0) for l in (0, 40)
    )  # where the shells are cut makes no difference
    scale, u = 2.0 / rate, np.linspace(0.001, 0.999, 101)
    assert plain.expected_norm() == pytest.approx(d * scale, rel=1e-12)
    assert cut.expected_norm() == pytest.approx(d * scale, rel=1e-12)
    np.testing.assert_allclose(plain.radius_quantile(u), cut.radius_quantile(u), rtol=1e-10)
    points = np.random.default_rng(0).laplace(0, scale, (20, d))
    np.testing.assert_allclose(
        plain.logpdf(points), -np.abs(points).sum(axis=1) / scale - d * math.log(2 * scale), rtol=1e-11
    )


@every_norm
def test_a_thousand_dimensions(p):
    d, rate = 1000, 0.5
    density = ball_of((0.0,) * d, (1.0,) * 3, rate, p, 1.0)
    draws = density.sample(200, seed=1)
    radius = norm(draws, p)
    assert np.isfinite(draws).all() and np.isfinite(density.logpdf(draws)).all()
    assert (
        np.abs(radius - d / rate).max() < 6 * math.sqrt(d) / rate
    )  # the mean of a gamma, and six of its deviations
    spread = (density.radius_quantile(0.8413447) - density.radius_quantile(0.1586553)) / 2
    assert spread == pytest.approx(math.sqrt(d) / rate, rel=0.01)


@pytest.mark.parametrize("rate", [0.01, 0.5, 5.0, 50.0])
def test_a_ball_of_a_thousand_dimensions_has_its_mass_at_the_rim(rate):
    """Close to the rim r^(d-1) * exp(-rate * r / R) is an exponential of slope (d-1-rate)/R."""
    density = ball_of((0.0,) * 1000, (3.0,), rate, 2.0)
    assert 3.0 - density.expected_norm() == pytest.approx(3.0 / (1000 - rate), rel=0.01)
    assert density.radius_quantile([0, 1]).tolist() == [0, 3]
    assert density.radius_quantile(1e-12) > 2.9


@pytest.mark.parametrize("p", [1.0, 2.0, 40.0, math.inf])
def test_many_levels_and_many_ties(p):
    tied = ball_of((0.0, 0.0), (0.0,) * 5000 + (1.0, 2.0), 50.0, p)
    plain = ball_of((0.0, 0.0), (1.0, 2.0), 50.0, p)
    points = np.random.default_rng(4).uniform(-1, 1, (50, 2))
    assert tied.logpdf(points).tolist() == plain.logpdf(points).tolist()
    long = ball_of((0.0, 0.0), (0.001,) * 20_000, 0.05, p)
    assert long.expected_norm() == pytest.approx(2 * 0.001 / 0.05, rel=1e-9)


# The law


@every_norm
def test_neighbours_stay_within_a_range_of_epsilon(p):
    """Radii that keep Definition 5.1, and answers a first radius apart: the cost moves by at most one."""
    rng, rate, widest = np.random.default_rng(6), 0.75, 0.0
    for _ in range(40):
        steps = np.sort(rng.uniform(0, 2, 9))
        x, neighbor = steps[:-1], np.append(rng.uniform(steps[0], steps[1]), steps[1:-1])
        move = directions(1, 3, p, rng)[0] * min(x[0], neighbor[0])
        one, other = ball_of((0, 0, 0), x, rate, p, 2.0), ball_of(move, neighbor, rate, p, 2.0)
        ahead = move * np.linspace(-30, 30, 301)[:, None]
        points = np.concatenate([rng.laplace(0, 2, (2000, 3)), ahead])
        widest = max(widest, np.ptp(one.logpdf(points) - other.logpdf(points)))
    assert 0.9 * rate < widest <= 2 * rate + 1e-9


def test_quantiles_invert_the_cdf():
    for d in (1, 2, 40):
        density = ball_of((0.0,) * d, (0.5, 0.1, 0.0, 3.0), 2.0, 2.0, 1.0)
        u = np.concatenate([np.logspace(-12, -1, 30), np.linspace(0.1, 1 - 1e-9, 50)])
        np.testing.assert_allclose(density.radius_cdf(density.radius_quantile(u)), u, rtol=1e-9)
        assert density.radius_quantile([0, 1]).tolist() == [0, math.inf]
        assert density.radius_cdf([-1, 0, 1e12, math.inf]).tolist() == pytest.approx([0, 0, 1, 1])


def test_off_the_support():
    ball = ball_of((1.0, 1.0), (1.0, 0.5), 1.0, 1.0)
    assert ball.reach == 1.5
    assert ball.logpdf([[1.0, 2.6], [2.0, 0.4]]).tolist() == [-math.inf] * 2
    assert np.isfinite(ball.logpdf([[1.0, 2.5], [1.5, 0.5]])).all()
    assert ball.radius_cdf([1.5, 7.0]).tolist() == pytest.approx([1, 1], abs=1e-15)


def test_norms_do_not_overflow():
    points = np.array([[3e200, 4e200], [0.0, 0.0], [3e-200, -4e-200]])
    np.testing.assert_allclose(norm(points, 2.0), [5e200, 0, 5e-200], rtol=1e-15)
    assert norm(points, math.inf).tolist() == [4e200, 0, 4e-200]
    assert np.isfinite(directions(100, 1000, 500.0, np.random.default_rng(0))).all()


# Bad parameters


@pytest.mark.parametrize(
    "change, message",
    [
        ({"epsilon": 0.0}, "epsilon must be above 0"),
        ({"epsilon": 129.0}, "at most 128, got 129"),
        ({"epsilon": math.nan}, "epsilon must be above 0"),
        ({"p": 0.5}, "p must be at least 1, got 0.5"),
        ({"p": math.nan}, "p must be at least 1"),
        ({"stride": 0.0}, "stride must be above 0"),
        ({"stride": math.inf}, "stride must be above 0 and finite"),
        ({"radii": (1.0, -1.0)}, "radii must be at least 0"),
        ({"radii": (9e299, 9e299)}, "their sum finite"),
        ({"radii": (math.nan,)}, "radii must be finite"),
        ({"radii": (0.0,)}, "a point has no density"),
        ({"radii": ()}, "a point has no density"),
        ({"centre": (math.inf,)}, "centre must be finite"),
    ],
)
def test_wrong_values(change, message):
    with pytest.raises(ParameterError, match=message):
        BallDensity(**{"centre": (0.0, 0.0), "radii": (1.0,), "epsilon": 1.0, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": "1"},
        {"epsilon": True},
        {"p": None},
        {"stride": "1"},
        {"centre": ()},
        {"centre": 0.0},
        {"radii": ["a"]},
        {"centre": [[0.0]]},
    ],
)
def test_wrong_types(change):
    with pytest.raises(ParameterTypeError, match="must be"):
        BallDensity(**{"centre": (0.0, 0.0), "radii": (1.0,), "epsilon": 1.0, **change})


def test_wrong_arguments():
    density = ball_of((0.0, 0.0), (1.0,), 1.0)
    with pytest.raises(ParameterError, match="points must have 2 coordinates"):
        density.logpdf([1.0, 2.0, 3.0])
    with pytest.raises(ParameterError, match="points must be finite"):
        density.logpdf([1.0, math.nan])
    for u in (-0.1, 1.1, math.nan):
        with pytest.raises(ParameterError, match="u must lie"):
            density.radius_quantile(u)


def test_what_is_secret_is_not_printed_and_density_is_a_value():
    density = ball_of([12345, 0], np.array([67890]), 1.0, 2)
    assert "12345" not in repr(density) and "67890" not in repr(density)
    assert density == ball_of((12345.0, 0.0), (67890.0,), 1, 2.0)
    assert hash(density) == hash(ball_of((12345.0, 0.0), (67890.0,), 1.0, 2.0))


def test_draws_have_a_seed():
    ball = ball_of((0.0, 0.0), (1.0, 2.0), 1.0)
    assert np.array_equal(ball.sample(9, seed=1), ball.sample(9, seed=1))
    assert not np.array_equal(ball.sample(9, seed=1), ball.sample(9, seed=2))
    with pytest.raises(ParameterTypeError, match="seed must be a whole number"):
        ball.sample(9, seed=None)


def test_exact_numbers_are_as_good_as_floats():
    exact = BallDensity([Fraction(1, 2), 0], [Fraction(1), 2], Fraction(1, 2), p=2, stride=Fraction(3))
    assert exact == BallDensity([0.5, 0], [1, 2], 0.5, p=2, stride=3)
