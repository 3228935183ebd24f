"""The mean of rows: both laws of radii in every small world, in larger random ones, and what is refused."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError
from noisewise.audit.nesting import radii_nest_in
from noisewise.audit.worlds import World
from noisewise.statistics.vector_mean import VectorMean
from noisewise.tables.columns.array_rows import declare_matrix

KINDS = [VectorMean("linf"), VectorMean("l1"), VectorMean("l1", 1), VectorMean("l1", Fraction(1, 2))]
LEVELS = 7


def look(statistic, x, frame, neighbors="add_remove", levels=LEVELS):
    d = len(frame.records)
    rows = declare_matrix(np.array(x, np.float64).reshape(len(x), d)).read(frame.records[0], neighbors)
    return statistic.radii(rows, frame, levels)


def apart(a, b, norm):
    distances = [abs(int(i) - int(j)) for i, j in zip(a, b, strict=True)]
    return sum(distances) if norm == "l1" else max(distances)


def cost(centre, radii, y, norm):
    """How many radii reach y, interpolated inside the last one."""
    left, l = apart(centre, y, norm), 1
    while left > radii.radius(l):
        left, l = left - radii.radius(l), l + 1
    return l - 1 + Fraction(left, radii.radius(l)) if left else Fraction(0)


def by_hand(statistic, x, frame):
    """The floored mean of clipped rows, in fractions."""
    lattice, d = frame.records[0], len(frame.records)
    rows = []
    for row in x:
        k = [
            min(max(int(np.floor(v / float(lattice.granularity) + 0.5)), lattice.low), lattice.high)
            for v in row
        ]
        size = sum(map(abs, k))
        if statistic.radius is not None and size * lattice.granularity > statistic.radius:
            ball = statistic.radius // lattice.granularity
            k = [(abs(i) * ball // size) * (1 if i > 0 else -1) for i in k]
        rows.append(k)
    sums = [sum(row[i] for row in rows) for i in range(d)] if rows else [max(0, lattice.low)] * d
    means = [Fraction(total, max(len(rows), 1)) * lattice.granularity for total in sums]
    return [
        min(max(m // frame.granularity, low), high)
        for m, low, high in zip(means, frame.low, frame.high, strict=True)
    ]


WORLDS = [
    (1, (-1, 1), Fraction(1, 4), World(((-1.0,), (-0.3,), (0.0,), (1.0,)), 5)),
    (1, (-1, 1), Fraction(1, 64), World(((-1.0,), (0.7,), (1.0,)), 6)),
    (2, (-1, 1), Fraction(1, 4), World(tuple(product((-1.0, 0.3, 1.0), repeat=2)), 3)),
    (2, (-1, 1), Fraction(1, 1000), World(((-1.0, 1.0), (0.0, 0.0), (0.4, -0.3), (1.0, 1.0)), 5)),
    (3, (0, 1), None, World(((0.0, 0.0, 0.0), (1.0, 0.0, 0.2), (1.0, 1.0, 1.0)), 5)),
]


@pytest.mark.parametrize("statistic", KINDS, ids=repr)
@pytest.mark.parametrize(("d", "bounds", "granularity", "world"), WORLDS)
def test_radii_keep_both_laws_in_every_world(statistic, d, bounds, granularity, world):
    frame = statistic.frame(d, bounds, granularity)
    seen = {x: look(statistic, x, frame) for x in world.datasets()}
    for x, y in world.pairs():
        (here, radii), (there, others) = seen[x], seen[y]
        distance = apart(here, there, statistic.norm)
        assert radii_nest_in(radii, others, distance), (x, y)
        assert radii_nest_in(others, radii, distance), (x, y)


@pytest.mark.parametrize("statistic", KINDS, ids=repr)
@pytest.mark.parametrize(("d", "bounds", "granularity", "world"), [WORLDS[0], WORLDS[2]])
def test_the_cost_moves_by_at_most_one(statistic, d, bounds, granularity, world):
    frame = statistic.frame(d, bounds, granularity)
    seen = {x: look(statistic, x, frame, levels=3) for x in world.datasets()}
    points = list(product(range(-6, 7, 2 if d > 1 else 1), repeat=d))
    costs = {x: [cost(*seen[x], y, statistic.norm) for y in points] for x in world.datasets()}
    assert all(
        max(abs(a - b) for a, b in zip(costs[x], costs[y], strict=True)) <= 1 for x, y in world.pairs()
    )


@pytest.mark.parametrize("statistic", KINDS, ids=repr)
@pytest.mark.parametrize(("d", "bounds", "granularity", "world"), WORLDS)
def test_answers_are_floored_means_of_clipped_rows(statistic, d, bounds, granularity, world):
    frame = statistic.frame(d, bounds, granularity)
    for x in world.datasets():
        assert look(statistic, x, frame)[0].tolist() == by_hand(statistic, x, frame), x


@pytest.mark.parametrize("statistic", KINDS, ids=repr)
@pytest.mark.parametrize("d", [1, 2])
def test_no_swap_moves_the_answer_farther_than_the_sensitivity(statistic, d):
    frame = statistic.frame(d, (-1, 1), Fraction(1, 16))
    world = World(tuple(product((-1.0, 0.2, 1.0), repeat=d)), 3, "swap")
    seen = {x: look(statistic, x, frame, "swap") for x in world.datasets()}
    for x, (_, radii) in seen.items():
        assert radii.steps.size == 0
        assert radii.stride == statistic.sensitivity(frame, "swap", x.__len__)
    for x, y in world.pairs():
        if len(x) == len(y):
            assert apart(seen[x][0], seen[y][0], statistic.norm) <= seen[x][1].stride


@pytest.mark.parametrize("statistic", KINDS, ids=repr)
@pytest.mark.parametrize("granularity", [None, Fraction(1, 100)])
def test_random_neighbours_of_many_rows_nest(statistic, granularity):
    rng = np.random.default_rng(5)
    for _ in range(60):
        d, n = int(rng.integers(1, 6)), int(rng.integers(1, 120))
        frame = statistic.frame(d, (-3, 2), granularity)
        x = (
            rng.choice([-3.0, 2.0, 0.1], (n, d))
            if rng.random() < 0.5
            else rng.normal(rng.normal(), 2, (n, d))
        )
        levels = int(rng.integers(1, 2 * n + 2))
        here, radii = look(statistic, x, frame, levels=levels)
        there, others = look(statistic, x[1:], frame, levels=levels)
        distance = apart(here, there, statistic.norm)
        assert radii_nest_in(radii, others, distance)
        assert radii_nest_in(others, radii, distance)


@pytest.mark.parametrize("statistic", [VectorMean("linf"), VectorMean("l1"), VectorMean("l1", 2)], ids=repr)
def test_each_radius_is_a_local_sensitivity_within_its_reach(statistic):
    """The first is hardly above what a row in the farthest corner does; all rise to the global sensitivity."""
    rng = np.random.default_rng(1)
    x, frame = rng.normal(0.2, 0.1, (500, 2)), statistic.frame(2, (-1, 1), None)
    centre, radii = look(statistic, x, frame, levels=600)
    corner = [[-1.0, -1.0]]
    added = apart(look(statistic, np.concatenate([x, corner]), frame)[0], centre, statistic.norm)
    assert added <= radii.radius(1) <= 1.2 * added
    assert np.all(np.diff(radii.steps) >= 0)
    assert radii.steps.size == 499
    assert radii.radius(500) == radii.stride == statistic.sensitivity(frame, "add_remove", None)


def test_small_rows_have_small_radii():
    """With a radius the distance from the mean counts, not the dimension."""
    rng = np.random.default_rng(2)
    x = rng.dirichlet(np.ones(50), 1000)
    frame = VectorMean("l1", 1).frame(50, (0, 1), None)
    radius = look(VectorMean("l1", 1), x, frame)[1].radius(1)
    assert 0.0019 < float(radius * frame.granularity) < 0.0021
    assert look(VectorMean("l1"), x, frame)[1].radius(1) > 20 * radius


def test_rows_beyond_the_radius_keep_their_direction():
    statistic = VectorMean("l1", 1)
    frame = statistic.frame(3, (-4, 4), None)
    centre, _ = look(statistic, [(1.0, -2.0, 1.0)], frame)
    assert np.allclose(centre * float(frame.granularity), [0.25, -0.5, 0.25], atol=1e-7)
    assert np.abs(centre).sum() * frame.granularity <= 1
    inside, _ = look(statistic, [(0.25, -0.5, 0.125)], frame)
    assert (inside * float(frame.granularity)).tolist() == [0.25, -0.5, 0.125]


@pytest.mark.parametrize("seed", range(4))
def test_no_clipped_row_is_larger_than_the_radius(seed):
    """One row is its own mean; scaled in integers, never by a float that could round up."""
    rng = np.random.default_rng(seed)
    for _ in range(100):
        d, radius = (
            int(rng.integers(1, 40)),
            Fraction(float(np.exp(rng.uniform(-8, 4)))).limit_denominator(10**6),
        )
        statistic = VectorMean("l1", max(radius, Fraction(1, 1000)))
        frame = statistic.frame(d, (-9, 7), None)
        rows = declare_matrix(rng.standard_cauchy((1, d)) * 5).read(frame.records[0], "add_remove")
        sums = statistic._sums(rows, frame)
        assert sum(map(abs, sums)) * frame.records[0].granularity <= statistic.radius


def test_sums_are_exact_where_floats_would_round():
    frame = VectorMean().frame(2, (0, 1), None)
    x = np.full((30_001, 2), 1 / 3)
    k = round(2**32 / 3)
    assert (
        VectorMean()._sums(declare_matrix(x).read(frame.records[0], "add_remove"), frame) == [30_001 * k] * 2
    )


@pytest.mark.parametrize("bounds", [(0, 1), (-5, -2), (3, 4), (1e9, 1e9 + 1), (-1e300, 1e300), (0, 1e-300)])
def test_an_empty_matrix_answers_with_zero_clamped(bounds):
    frame = VectorMean().frame(2, bounds, None)
    centre, radii = look(VectorMean(), [], frame)
    zero = min(max(0, bounds[0]), bounds[1])
    assert np.allclose(centre.astype(float) * float(frame.granularity), zero, rtol=1e-9)
    assert radii.radius(1) == radii.stride


def test_missing_rows_are_left_out_or_zero():
    frame = VectorMean().frame(2, (0, 4), None)
    x = [(1.0, 3.0), (np.nan, 4.0), (3.0, 1.0), (2.0, np.nan)]
    step = float(frame.granularity)
    assert (look(VectorMean(), x, frame)[0] * step).tolist() == [2, 2]
    assert (look(VectorMean(), x, frame, "swap")[0] * step).tolist() == [1, 1]
    assert (look(VectorMean(), [(np.inf, -np.inf)], frame)[0] * step).tolist() == [4, 0]


def test_many_columns_have_a_coarser_answer_by_default_where_their_steps_are_summed():
    fine = VectorMean().frame(10_000, (0, 1), None).granularity
    assert fine == VectorMean("l1").frame(64, (0, 1), None).granularity == Fraction(1, 2**32)
    for d in (65, 1_000, 10_000):
        coarse = VectorMean("l1").frame(d, (0, 1), None).granularity
        assert d <= coarse * 2**38 < 2 * d
        assert VectorMean("l1").frame(d, (0, 1), Fraction(1, 10)).granularity == Fraction(1, 10)
        assert VectorMean("l1").frame(d, (2**50, 2**50 + 4), None).low.size == d


def test_by_default_the_norm_fits_the_rows():
    assert (VectorMean().norm, VectorMean(radius=1).norm) == ("linf", "l1")
    assert str(VectorMean()) == "vector mean"


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        (lambda: VectorMean("l2"), ParameterError, 'norm must be "l1" or "linf", got \'l2\''),
        (lambda: VectorMean(["l1"]), ParameterError, "norm must be"),
        (lambda: VectorMean("linf", 1), ParameterError, "radius must be None"),
        (lambda: VectorMean("l1", 0), ParameterError, "radius must be above 0, got 0"),
        (lambda: VectorMean("l1", "1"), ParameterTypeError, "radius must be a real number"),
        (lambda: VectorMean("l1", 1).frame(2, (1, 2), None), ParameterError, "bounds must hold 0"),
        (lambda: VectorMean("l1", 1e-9).frame(2, (-1, 1), None), ParameterError, "at least a millionth"),
        (lambda: VectorMean().frame(2, (2, 1), None), ParameterError, "lowest < highest"),
        (lambda: VectorMean().frame(2, None, None), ParameterTypeError, "bounds must be a pair"),
        (lambda: VectorMean().frame(2, (0, 1), 0), ParameterError, "granularity must be above 0"),
    ],
)
def test_what_is_refused(asked, error, words):
    with pytest.raises(error, match=words):
        asked()
