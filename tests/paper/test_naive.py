"""Every public name of `noisewise.paper` against a naive transcription of the paper's formulas (`naive.py`)."""

import ast
import math
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import noisewise as nws
from noisewise.kernel.laws.law import Law
from noisewise.planning.readings.read_law import read_law
from tests.paper import naive

UNIVERSE = (0, 1, 3, 6)
MOST = 3
WORLDS = [("swap", 3), ("add_remove", 2)]
LEVELS = {
    "two sided": ([5, 3, 3, 0], [5, 6, 9, 10]),
    "tied at the answer": ([4, 4, 2, 0], [4, 4, 4, 9]),
    "one sided": ([0, 0, 0], [0, 1, 7]),
    "equal steps": ([5, 3, 1], [5, 7, 9]),
}
every_levels = pytest.mark.parametrize("levels", LEVELS.values(), ids=LEVELS)
POINTS = [Fraction(k, 4) for k in range(-4, 48)]


@pytest.mark.parametrize("relation, size", WORLDS)
@pytest.mark.parametrize("f", [naive.median, max, sum], ids=["median", "max", "sum"])
def test_levels_of_every_small_dataset(f, relation, size):
    for x in naive.datasets(UNIVERSE, size, relation):
        if relation == "add_remove" and f is not sum and len(x) <= MOST - 1:
            continue  # the empty dataset has no median and no maximum
        lower, upper = naive.levels(f, x, MOST - 1, UNIVERSE, relation)
        for l in range(MOST):
            asked = {"universe": UNIVERSE, "neighbors": relation}
            assert (nws.paper.lower(f, list(x), l, **asked), nws.paper.upper(f, list(x), l, **asked)) == (
                lower[l],
                upper[l],
            )


def test_levels_of_a_statistic_of_the_library():
    for x in naive.datasets(range(5), 3, "swap"):
        lower, upper = naive.levels(naive.median, x, MOST, range(5), "swap")
        asked = {"bounds": (0, 4), "neighbors": "swap"}
        for l in range(MOST + 1):
            assert nws.paper.lower(nws.Quantile("1/2"), x, l, **asked) == lower[l]
            assert nws.paper.upper(nws.Quantile("1/2"), x, l, **asked) == upper[l]


@every_levels
def test_reach_and_quality_score(levels):
    for y in POINTS:
        assert nws.paper.reach(y, *levels) == naive.ell(y, *levels)
        assert nws.paper.quality_score(y, *levels) == -naive.minus_q(y, *levels)
        scores = [
            law(*levels, 1).quality_score(float(y))
            for law in (nws.paper.PiecewiseLaplace, nws.paper.InverseSensitivity)
        ]
        assert scores == pytest.approx([-float(naive.minus_q(y, *levels)), -naive.ell(y, *levels)], abs=1e-12)


@every_levels
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_densities(levels, epsilon):
    m1, m2 = nws.paper.PiecewiseLaplace(*levels, epsilon), nws.paper.InverseSensitivity(*levels, epsilon)
    for y in POINTS[1::7]:
        if levels[0][-1] <= y <= levels[1][-1]:
            assert m1.pdf(float(y)) == pytest.approx(naive.pi_plm(y, *levels, epsilon), rel=1e-4)
            assert m2.pdf(float(y)) == pytest.approx(naive.pi_inv(y, *levels, epsilon), rel=1e-12)
    error = naive.integral(
        lambda y: float(abs(y - levels[0][0])) * float(m1.pdf(float(y))), *levels, nodes=100
    )
    assert m1.expected_error() == pytest.approx(error, rel=1e-3)
    assert m1.cdf(m1.quantile([0.1, 0.5, 0.9])).tolist() == pytest.approx([0.1, 0.5, 0.9])


@every_levels
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_algorithm_1(levels, epsilon):
    weights = {l: chance for l, chance in naive.step_weights(*levels, epsilon).items() if chance}
    steps = nws.paper.algorithm_1(*levels, epsilon)
    assert {each.level: each.probability for each in steps} == pytest.approx(weights)
    for each in steps:
        for u in (0.0, 0.3, 0.99):
            z = abs(each.point(u) - each.start)
            assert naive.truncated_exponential_cdf(z, each.width, epsilon / 2) == pytest.approx(u, abs=1e-12)


@pytest.mark.parametrize("relation, size", WORLDS)
def test_theorem_1_over_all_pairs(relation, size):
    """The score moves by at most one, and the densities' range is at most epsilon."""
    f, ends = (naive.median, (0, 6)) if relation == "swap" else (sum, (0, 12))
    every = {}
    for x in naive.datasets(UNIVERSE, size, relation):
        lower, upper = naive.levels(f, x, MOST, UNIVERSE, relation)
        lower, upper = (
            [*(max(v, ends[0]) for v in lower), ends[0]],
            [*(min(v, ends[1]) for v in upper), ends[1]],
        )
        every[x] = lower, upper
    grid = [Fraction(k, 3) for k in range(3 * ends[0], 3 * ends[1] + 1)]
    widest = 0.0
    for x, one in every.items():
        for z in naive.distance_one(x, UNIVERSE, relation) & set(every):
            scores = [[nws.paper.quality_score(y, *each) for y in grid] for each in (one, every[z])]
            assert max(abs(a - b) for a, b in zip(*scores, strict=True)) <= 1
            for law in (nws.paper.PiecewiseLaplace, nws.paper.InverseSensitivity):
                widest = max(widest, nws.paper.bounded_range(law(*one, 1.5), law(*every[z], 1.5)))
    assert 1.0 < widest <= 1.5 + 1e-9


@every_levels
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_theorem_2_at_500_alphas(levels, epsilon):
    m1, m2 = nws.paper.PiecewiseLaplace(*levels, epsilon), nws.paper.InverseSensitivity(*levels, epsilon)
    for alpha in np.linspace(0, 11, 500):
        sharp, flat = (naive.within_alpha(alpha, *levels, epsilon, name) for name in ("plm", "inv"))
        assert (m1.within(alpha), m2.within(alpha)) == pytest.approx((sharp, flat), abs=1e-12)
        assert sharp >= flat - 1e-12
    assert nws.paper.dominates(m1, m2)
    assert not nws.paper.dominates(m2, m1)


def test_a_plateau_breaks_theorem_2():
    levels = list(range(0, -9, -1)), list(range(9))
    laws = [law(*levels, 4, smooth=1) for law in (nws.paper.PiecewiseLaplace, nws.paper.InverseSensitivity)]
    assert not nws.paper.dominates(*laws)


@every_levels
def test_the_smooth_variant(levels):
    """q(y; x) = q_rho(y + rho; x) above f(x), mirrored below, and -1 in between [Sec. 4.2]."""
    smooth = nws.paper.PiecewiseLaplace(*levels, 1, smooth=0.5)
    for y in POINTS:
        moved = y + Fraction(1, 2) if y > levels[0][0] else y - Fraction(1, 2) if y < levels[0][0] else y
        expected = -float(naive.minus_q(y, *levels))
        assert float(smooth.quality_score(float(moved))) == pytest.approx(expected, abs=1e-12)


@every_levels
def test_the_smooth_densities(levels):
    rho, epsilon = Fraction(1, 2), 2.0
    outwards = [v - rho for v in levels[0]], [v + rho for v in levels[1]]
    for law, score in (
        (nws.paper.PiecewiseLaplace, naive.minus_q_smooth),
        (nws.paper.InverseSensitivity, naive.ell_smooth),
    ):

        def weight(y, score=score):
            return math.exp(-float(score(y, *levels, rho)) * epsilon / 2)

        total = naive.integral(weight, *outwards, nodes=200)
        smooth = law(*levels, epsilon, smooth=0.5)
        for y in POINTS[::5]:
            expected = weight(y) / total if outwards[0][-1] <= y <= outwards[1][-1] else 0
            assert float(smooth.pdf(float(y))) == pytest.approx(expected, rel=1e-4)


def test_every_name_is_compared_and_the_formulas_import_nothing_of_the_library():
    here, formulas = Path(__file__), Path(naive.__file__)
    assert all(f"nws.paper.{name}" in here.read_text(encoding="utf-8") for name in nws.paper.__all__)
    roots = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(formulas.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        )
    }
    assert roots <= sys.stdlib_module_names


@pytest.mark.parametrize("name", LEVELS)
def test_the_reduction_to_laplace(name):
    lower, upper = LEVELS[name]
    scale = nws.paper.laplace_reduction(lower, upper, 0.5)
    assert scale == (8 if name == "equal steps" else None)
    if scale:
        law = nws.paper.PiecewiseLaplace(lower, upper, 0.5)
        for y in (1.0, 4.5, 8.0):
            assert law.pdf(y) / law.pdf(5.0) == pytest.approx(math.exp(-abs(y - 5) / scale))


@pytest.mark.parametrize("epsilon", [0.1, 1, 4])
def test_the_price_of_a_bounded_range(epsilon):
    exactly = epsilon / math.expm1(epsilon) + math.log(math.expm1(epsilon) / epsilon) - 1
    assert (
        (1 - 1e-12) * exactly
        <= float(nws.paper.bounded_range_zcdp(epsilon).rho)
        <= min(epsilon**2 / 8, 1.001 * exactly)
    )


@pytest.mark.parametrize("p", [1, 2, math.inf])
def test_balls(p):
    """The density of Section 5 in two dimensions, against its score and an integral over the plane."""
    radii, epsilon, side = [1.0, 2.0, 1.0], 2.0, 401
    ball = nws.paper.BallDensity([0, 0], radii, epsilon, p)
    edges = [0.0, 1.0, 3.0, 4.0]

    def weight(point):
        distance = float(np.linalg.norm(point, ord=p))
        for l in (1, 2, 3):
            if distance <= edges[l]:
                return math.exp(-epsilon / 2 * (l + (distance - edges[l - 1]) / radii[l - 1]))
        return 0.0

    axis = (np.arange(side) + 0.5) * 8 / side - 4
    total = sum(weight((a, b)) for a in axis for b in axis) * (8 / side) ** 2
    for point in ([0.0, 0.0], [0.5, 0.25], [1.5, -0.7], [0.0, 3.5]):
        assert math.exp(ball.logpdf(point)) == pytest.approx(weight(point) / total, rel=0.01)


def test_conditions_on_radii_for_every_pair_of_small_graphs():
    """Definition 5.1 for triangles on 4 nodes, both ways of Section 5.2."""
    nodes, found = 4, {}
    pairs = list(combinations(range(nodes), 2))
    graphs = [frozenset(edges) for n in range(len(pairs) + 1) for edges in combinations(pairs, n)]
    for graph in graphs:
        found[graph] = nws.paper.triangle_counting([*graph] or np.zeros((0, 2)), nodes, levels=5)
        assert found[graph].triangles == naive.triangles(graph, nodes)
    for graph in graphs:
        for edge in pairs:
            other = graph ^ {edge}
            apart = abs(naive.triangles(graph, nodes) - naive.triangles(other, nodes))
            for way in ("local", "growth"):
                mine, theirs = getattr(found[graph], way), getattr(found[other], way)
                assert mine.radius(1) >= apart
                assert all(mine.radius(l) <= theirs.radius(l + 1) for l in range(1, 8))


def test_radii_of_triangles_end_where_all_are_the_global_sensitivity():
    found = nws.paper.triangle_counting([(0, 1)], 5, levels=10**15)
    assert found.local.steps.size == found.growth.steps.size == 10
    assert found.local.steps[-1] == found.growth.steps[-1] == found.local.radius(11) == 3


def test_radii_from_local_sensitivities_are_those_of_the_definition():
    """Corollary 5.1, where the ball has the radius l - 1 in place of l, which is tighter and sound as well."""
    for x in naive.datasets(UNIVERSE, 3, "swap"):
        local = {
            z: max(abs(naive.median(z) - naive.median(y)) for y in naive.distance_one(z, UNIVERSE, "swap"))
            for z in naive.within(x, 3, UNIVERSE, "swap")
        }
        balls = [naive.within(x, l, UNIVERSE, "swap") for l in range(3)]
        shells = [balls[0], balls[1] - balls[0], balls[2] - balls[1]]
        far = [max(local[z] for z in shell) for shell in shells]
        radii = nws.paper.RadiusBounds.from_local_sensitivity(far, 6)
        assert radii.steps.tolist() == [max(local[z] for z in each) for each in balls]


@pytest.mark.parametrize(
    "epsilon, on, out, full",
    [
        (Fraction(1, 10), [989, 943, 833, 821], [24_784, 24_736, 24_252, 18_331], 821),
        (Fraction(1, 2), [199, 193, 163, 82], [23_959, 23_955, 23_923, 23_444], 49),
        (Fraction(1), [99, 97, 84, 38], [22_925, 22_923, 22_911, 22_739], 13),
    ],
)
def test_both_variants_of_section_5_2(epsilon, on, out, full):
    """The table of docs/concepts/paper.md."""
    radii = nws.RadiusBounds.from_growth(2, 1, levels=400, stride=50)

    def error(some):
        return read_law(Law(some.envelope(50_000, (0, 100_000)), epsilon / 2)).expected_error()

    ks = [math.ceil(times / epsilon) for times in (1, 2, 4, 8)]
    assert [error(radii.global_after(k)) for k in ks] == pytest.approx(on, abs=1)
    assert [error(radii.jump_after(k)) for k in ks] == pytest.approx(out, abs=1)
    assert error(radii) == pytest.approx(full, abs=1)


# What nobody can mean.

M1, M2 = nws.paper.PiecewiseLaplace([5, 3], [5, 6], 1), nws.paper.InverseSensitivity([5, 3], [5, 6], 1)


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda: nws.paper.upper(max, [1, 2], 1), "universe must be given alone"),
        (lambda: nws.paper.upper(nws.median, [1], 1, bounds=(0, 9)), "universe must be given alone"),
        (lambda: nws.paper.upper(max, [1, 2], 1, universe=5), "universe must be a list of records, got 5"),
        (lambda: nws.paper.upper(max, 5, 1, universe=[5]), "x must be a list of records, got 5"),
        (lambda: nws.paper.upper(max, [1, 9], 1, universe=range(3)), "x must hold records of the universe"),
        (lambda: nws.paper.lower("max", [1, 2], 1, universe=range(3)), "f must be a function"),
        (
            lambda: nws.paper.lower(nws.Quantile("1/2"), [1], 1, bounds=(0, 9), universe=range(9)),
            "must be given bounds and granularity, and no more",
        ),
        (lambda: nws.paper.reach("8", [5, 3], [5, 6]), "y must be a real number"),
        (lambda: nws.paper.reach(math.nan, [5, 3], [5, 6]), "y must be finite"),
        (lambda: nws.paper.reach(5, 5, 6), "lower must be a list of numbers, got 5"),
        (lambda: nws.paper.reach(5, [], []), "as many levels, at least one"),
        (lambda: nws.paper.quality_score(5, [5, 3], [5]), "as many levels, at least one"),
        (lambda: nws.paper.quality_score(8, [5, 6], [5, 10]), "lower must never rise"),
        (lambda: nws.paper.quality_score(8, [math.inf, 6], [math.inf, 10]), "lower must be finite"),
        (lambda: nws.paper.quality_score(8, [5, math.nan], [5, 10]), "lower must be finite"),
        (lambda: nws.paper.algorithm_1([4, 3], [5, 6], 1), "lower\\[0\\] = upper\\[0\\]"),
        (lambda: nws.paper.algorithm_1([5, 3], [5, 6], 1)[0].point(1.5), "u must lie between 0 and 1"),
        (lambda: nws.paper.bounded_range(M1, nws.BoundedRange(1)), "must be a PiecewiseLaplace or"),
        (lambda: nws.paper.plot({str(i): M1 for i in range(8)}), "curves must be at most 7, got 8"),
        (lambda: nws.paper.plot(M1), "curves must be a dict of curves by their names"),
        (lambda: nws.paper.plot({"M.1": M1}, of="mass"), 'of must be "pdf", "cdf", "score" or "within"'),
        (
            lambda: nws.paper.plot({"ball": nws.paper.BallDensity([0, 0], [1], 1)}),
            "curves must be densities of one number, or points",
        ),
        (lambda: nws.paper.plot({"a point": [1, 2]}), "curves must be densities of one number, or points"),
        (lambda: nws.paper.dominates(5, M1), "must be a PiecewiseLaplace or"),
        (
            lambda: nws.paper.dominates(M1, nws.paper.InverseSensitivity([6, 3], [6, 7], 1)),
            "must be densities of the same answer",
        ),
    ],
)
def test_odd_calls_are_refused(ask, message):
    with pytest.raises((nws.ParameterError, nws.ParameterTypeError), match=message):
        ask()


def test_levels_may_be_infinite_as_in_the_remark():
    """c/inf = 0."""
    levels = [5, -math.inf], [5, math.inf]
    assert (nws.paper.reach(9, *levels), nws.paper.quality_score(9, *levels)) == (1, -1)
    assert nws.paper.quality_score(-9, *levels) == -1


def test_numbers_mean_what_they_say():
    assert nws.paper.quality_score(0.1, [0, 0], [0, 0.3]) == Fraction(-4, 3)
    levels = [Fraction(1, 10), 0], [Fraction(1, 10), Fraction(2, 10)]
    assert nws.paper.algorithm_1(*levels, Fraction(1, 2)) == nws.paper.algorithm_1([0.1, 0], [0.1, 0.2], 0.5)
    tenths = [0.3 - 0.1 * l for l in range(4)], [0.3 + 0.1 * l for l in range(4)]
    assert nws.paper.laplace_reduction(*tenths, epsilon=2) == pytest.approx(0.1)
    assert nws.paper.laplace_reduction([0.3, 0.2], [0.3, 0.400001], epsilon=2) is None


def test_both_axes_of_a_figure_are_named():
    assert ">density</text>" in nws.paper.plot({"M.1": M1}).svg
    assert ">score -q(y; x)</text>" in nws.paper.plot({"M.1": M1}, of="score").svg
    assert ">share</text>" in nws.paper.plot({"M.1": M1}, up="share").svg
    assert nws.paper.plot({"points": [(0, 1), (1, 1)]}).chart.up == ""
