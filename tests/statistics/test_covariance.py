"""Sums of products: exact, floored once, and moved by no row farther than the stride, in every small world."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError
from noisewise.audit.nesting import radii_nest_in
from noisewise.audit.worlds import World
from noisewise.errors import NoisewiseError
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.planning.readings.read_law import read_law
from noisewise.statistics.covariance import STEPS, Covariance, each_bounds, ends, scaled
from noisewise.tables.columns.array_rows import declare_matrix

KINDS = [
    Covariance(),
    Covariance(centred=False),
    Covariance(response=True),
    Covariance(counted=False),
    Covariance(centred=False, response=True, counted=False),
]
VALUES = (-np.inf, -1.0, 0.0, 0.3, 1.0, 7.0)


def radii(statistic, rows, neighbors="add_remove", bounds=(-1, 1), columns=None):
    """Centre and radii of a list of rows."""
    width = columns or len(rows[0])
    table = np.array(rows, np.float64).reshape(-1, width)
    frame = statistic.frame(width, bounds, None)
    read = declare_matrix(table).read(frame.records[0], neighbors)
    with np.errstate(all="ignore"):
        return statistic.radii(read, frame, 5)


def reference(statistic, rows, bounds):
    """By Fractions, for rows of a lattice: floors of sums of 1, u, u*v and 2*u*u - 1 in steps."""
    low, high = map(Fraction, bounds)

    def scaled(value):
        return min(max((2 * Fraction(value) - low - high) / (high - low), Fraction(-1)), Fraction(1))

    table = [[Fraction(1), *map(scaled, row)] for row in rows]
    sums = []
    for i, j in statistic.entries(len(rows[0])):
        weight, less = (2, 1) if i == j and i else (1, 0)
        sums.append(sum(weight * row[i] * row[j] - less for row in table) * STEPS // 1)
    return sums


@pytest.mark.parametrize("statistic", KINDS, ids=repr)
@pytest.mark.parametrize("bounds", [(-1, 1), (Fraction(-3, 2), Fraction(5, 2)), (16, 20)])
def test_the_answer_is_that_of_fractions(statistic, bounds):
    rng = np.random.default_rng(1)
    half = float(bounds[1] - bounds[0]) / 2
    middle = float(bounds[1]) - half
    rows = middle + half * rng.integers(-STEPS - 1000, STEPS + 1000, (40, 3)) / STEPS
    found, _ = radii(statistic, rows, bounds=bounds)
    assert found.tolist() == reference(statistic, rows.tolist(), bounds)


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
@pytest.mark.parametrize(
    ("statistic", "columns"),
    [(each, d) for d in (1, 2) for each in KINDS if d > each.response],
    ids=repr,
)
def test_small_worlds_keep_the_laws_of_radii(statistic, columns, relation):
    """Both laws in both directions, and the cost of outcomes around moves by at most one, in Fractions."""
    values = VALUES if columns == 1 else (-np.inf, 0.0, 0.3, 1.0)
    domain = tuple(product(values, repeat=columns))
    found = {}

    def of(x):
        if x not in found:
            found[x] = radii(statistic, x, relation, columns=columns)
        return found[x]

    farthest, rng = 0, np.random.default_rng(0)
    for number, (x, y) in enumerate(World(domain, 3 if columns == 1 else 2, relation).pairs()):
        (a, r), (b, s) = of(x), of(y)
        apart = int(np.abs(a - b).max())
        farthest = max(farthest, apart)
        assert radii_nest_in(r, s, apart) and radii_nest_in(s, r, apart)
        if number % 10 == 0:
            points = [a, b, *(a + rng.integers(-3 * STEPS, 3 * STEPS, (5, a.size)))]
            one, two = (
                read_law(BallLaw(c, t, "linf", Fraction(1))).cost(points) for c, t in ((a, r), (b, s))
            )
            assert max(abs(one - two)) <= 1
    frame = statistic.frame(columns, (-1, 1), None)
    assert farthest == statistic.sensitivity(frame, relation, lambda: 3), "not more than is needed"


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
def test_random_neighbours_of_many_rows(relation):
    rng, statistic = np.random.default_rng(2), Covariance()
    for n in (1, 50, 8192, 8193, 20_000):
        rows = rng.normal(0, 1, (n, 4))
        fewer = np.delete(rows, rng.integers(n), axis=0)
        near = fewer if relation == "add_remove" else np.concatenate([fewer, rng.choice([-9, 9], (1, 4))])
        (a, r), (b, s) = (radii(statistic, each, relation, columns=4) for each in (rows, near))
        apart = int(np.abs(a - b).max())
        assert radii_nest_in(r, s, apart) and radii_nest_in(s, r, apart)


def test_many_rows_are_summed_exactly():
    """Odd numbers near the bounds, far more than one block: a sum in floats would round."""
    n = 40_001
    whole = STEPS - 1 - 2 * np.random.default_rng(3).integers(0, 50, (n, 2))
    found, _ = radii(Covariance(), whole / STEPS)
    x, y = whole[:, 0].tolist(), whole[:, 1].tolist()
    xx, xy, yy = (sum(a * b for a, b in zip(p, q, strict=True)) for p, q in ((x, x), (x, y), (y, y)))
    squares = [2 * xx - n * STEPS**2, xy, 2 * yy - n * STEPS**2]
    assert found.tolist() == [n * STEPS, sum(x), sum(y), *(each // STEPS for each in squares)]
    frame = Covariance().frame(2, (-1, 1), None)
    rows = declare_matrix(whole / STEPS).read(frame.records[0], "add_remove")
    wholes = [scaled(column, lattice) for column, lattice in enumerate(frame.records)]
    exactly = rows.sums(wholes, [(), (0,), (1,), (0, 0), (0, 1), (1, 1)])
    assert exactly == [n, sum(x), sum(y), xx, xy, yy], "to the last unit, before the floor"


def test_rows_at_the_bounds_and_beyond():
    n = 8193
    found, _ = radii(Covariance(), np.full((n, 2), np.inf), bounds=((0, 5), (-7, -6)))
    assert found.tolist() == [n * STEPS] * 6
    found, _ = radii(Covariance(), np.tile([-np.inf, 1e308], (n, 1)), bounds=((0, 5), (-7, -6)))
    assert found.tolist() == [k * n * STEPS for k in (1, -1, 1, 1, -1, 1)]


def test_an_empty_table_and_missing_numbers():
    nothing, _ = radii(Covariance(), np.empty((0, 2)), columns=2)
    assert nothing.tolist() == [0] * 6
    rows = [(0.5, np.nan), (1.0, 1.0)]
    assert radii(Covariance(), rows)[0].tolist() == radii(Covariance(), rows[1:])[0].tolist()
    filled = [(0.0, 0.0), (1.0, 1.0)]
    assert radii(Covariance(), rows, "swap")[0].tolist() == radii(Covariance(), filled, "swap")[0].tolist()


def test_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(9_000, 3))
    found, _ = radii(Covariance(), rows)
    assert found.tolist() == radii(Covariance(), rng.permutation(rows))[0].tolist()


def test_entries():
    assert Covariance().entries(2) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    assert Covariance(centred=False).entries(2) == [(0, 0), (1, 1), (1, 2), (2, 2)]
    assert Covariance(response=True, counted=False).entries(2) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert (str(Covariance()), str(Covariance(centred=False))) == ("covariance", "second moments")


def test_frame_and_ends():
    frame = Covariance().frame(2, ((0, 10), (-1.5, 0.5)), None)
    assert frame.granularity == Fraction(1, STEPS)
    assert [ends(lattice) for lattice in frame.records] == [(5.0, 5.0), (-0.5, 1.0)]
    assert frame.low.size == frame.high.size == 6
    assert Covariance().steady("swap") and Covariance().steady("add_remove")


def test_bounds_of_every_column():
    assert each_bounds((0, 1), 3) == [(0, 1)] * 3
    assert each_bounds([(0, 1), (2, 3)], 2) == [(0, 1), (2, 3)]
    assert np.array_equal(each_bounds(np.array([[0, 1], [2, 3]]), 2), [[0, 1], [2, 3]])
    assert np.array_equal(each_bounds(np.array([0, 1]), 2), [[0, 1], [0, 1]])


@pytest.mark.parametrize(
    ("columns", "bounds", "granularity", "words"),
    [
        (2, (0, 1), 0.5, "granularity must be left out"),
        (2, ((0, 1), (0, 1), (0, 1)), None, "one for each of the 2 columns, got 3"),
        (2, ((0, 1), (1, 0)), None, "lowest < highest"),
        (2, None, None, "bounds must be a pair"),
        (2, np.array(3), None, "bounds must be a pair"),
        (1, (0, 1e61), None, "at least 1e-60 apart and within"),
        (1, (0, 1e-61), None, "at least 1e-60 apart and within"),
        (101, (0, 1), None, "from 1 to 100 columns"),
    ],
)
def test_wrong_parameters(columns, bounds, granularity, words):
    with pytest.raises(NoisewiseError, match=words) as caught:
        Covariance().frame(columns, bounds, granularity)
    assert isinstance(caught.value, (ParameterError, ParameterTypeError))


def test_a_response_has_something_to_respond_to():
    with pytest.raises(ParameterError, match="from 2 to 100 columns for covariance, got 1"):
        Covariance(response=True).frame(1, (0, 1), None)


@pytest.mark.parametrize("name", ["centred", "response", "counted"])
def test_flags_are_flags(name):
    with pytest.raises(ParameterTypeError, match=f"{name} must be True or False, got 1"):
        Covariance(**{name: 1})
