"""The first principal component: radii that keep both laws, on all small tables and along walks of large ones.

Gaps and projectors against matrices whose eigenvalues and eigenvectors are known exactly.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import isqrt

import numpy as np
import pytest

from noisewise.audit.nesting import radii_nest_in
from noisewise.errors import NoisewiseError
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.statistics import principal_component as module
from noisewise.statistics import products
from noisewise.statistics.principal_component import (
    DIGITS,
    EDIT,
    ERROR,
    PARTS,
    PrincipalComponent,
    _Spread,
    gap,
    projector,
)
from noisewise.tables.columns.array_rows import declare_matrix
from tests.each_value import each_value

STEP = Fraction(1, 2**10)
WAYS = [None, (1, 1), (0, 1), (-3, 4)]


def read(rows, records, neighbors="add_remove"):
    return declare_matrix(rows).read(records[0], neighbors)


def found(
    rows, *, length=None, toward=None, bounds=(-1.0, 1.0), levels=12, neighbors="add_remove", step=STEP
):
    statistic, rows = PrincipalComponent(length, toward), np.asarray(rows, float)
    frame = statistic.frame(rows.shape[1], bounds, step)
    centre, radii = statistic.radii(read(rows, frame.records, neighbors), frame, levels)
    assert np.all((frame.low <= centre) & (centre <= frame.high)) and radii.steps.size == levels
    assert radii.stride == statistic.sensitivity(frame, neighbors, lambda: len(rows))
    assert np.all(np.diff(radii.steps) >= 0)
    return centre, radii


def assert_neighbors(one, other):
    (here, mine), (there, theirs) = one, other
    apart = int(np.abs(here - there).sum())
    assert radii_nest_in(mine, theirs, apart) and radii_nest_in(theirs, mine, apart)


def direction(rows):
    return np.linalg.eigh(np.asarray(rows).T @ np.asarray(rows))[1][:, -1]


# All small tables of two columns. Rows of length one make gaps of many times L.

POINTS = [(1.0, 0.0), (0.0, 1.0), (0.8, 0.6), (-0.6, 0.8), (0.7, -0.7)]
MOST = 5
TABLES = [rows for n in range(MOST + 1) for rows in combinations_with_replacement(POINTS, n)]


def answers(toward, neighbors):
    tables = {rows: np.array(rows).reshape(-1, 2) for rows in TABLES}
    return {
        rows: found(table, length=1, toward=toward, neighbors=neighbors, levels=4)
        for rows, table in tables.items()
    }


@pytest.mark.parametrize("toward", WAYS)
def test_all_small_tables_add_remove(toward):
    small, unlike = answers(toward, "add_remove"), 0
    for rows, one in small.items():
        unlike += one[1].steps[0] < one[1].stride
        for extra in POINTS if len(rows) < MOST else ():
            assert_neighbors(one, small[tuple(sorted([*rows, extra], key=POINTS.index))])
    assert unlike > 20  # these tables have radii of their own


@pytest.mark.parametrize("toward", WAYS)
def test_all_small_tables_swap(toward):
    small = answers(toward, "swap")
    for rows, one in small.items():
        for place in range(len(rows)):
            for other in POINTS:
                swapped = [*rows[:place], other, *rows[place + 1 :]]
                assert_neighbors(one, small[tuple(sorted(swapped, key=POINTS.index))])


# Walks of larger tables, where each step does as much harm as one row can.


def worst_row(rows, rng):
    """The row of length one that turns v most."""
    v = direction(rows)
    across = rng.normal(size=v.size)
    across -= across @ v * v
    return (v + across / np.linalg.norm(across)) / np.sqrt(2)


@pytest.mark.parametrize("columns", [2, 3, 7])
@pytest.mark.parametrize("toward", [False, True])
def test_walks_toward_no_gap(columns, toward):
    rng = np.random.default_rng(columns)
    for spread in (0.2, 1.0):
        rows = rng.normal(size=(60, columns)) * np.array([1.0] + [spread / 4] * (columns - 1))
        rows = list(rows / np.maximum(1, np.linalg.norm(rows, axis=1))[:, None])
        walk = []
        for k in range(50):
            walk.append(
                found(
                    rows,
                    length=1,
                    toward=[1] + [0.5] * (columns - 1) if toward else None,
                    levels=60,
                    step=Fraction(1, 2**20),
                )
            )
            if k % 3 == 2:
                rows.pop(int(np.argmax(np.abs(np.array(rows) @ direction(rows)))))
            else:
                second = np.linalg.eigh(np.array(rows).T @ np.array(rows))[1][:, -2]
                rows.append(worst_row(rows, rng) if k % 3 else second)
        for one, other in pairwise(walk):
            assert_neighbors(one, other)
        assert walk[0][1].steps[0] < walk[0][1].stride == walk[-1][1].steps[3]


def test_walks_around_the_circle_past_the_change_of_sign():
    rows, walk, turned = [np.array([1.0, 0.0])] * 40, [], 0
    for k in range(120):
        walk.append(found(rows, length=1, toward=(1, 0.2), levels=50, step=Fraction(1, 2**20)))
        angle = 0.05 * k
        rows = [*rows[1:], np.array([np.cos(angle), np.sin(angle)])]
        middle = found(rows[:-1], length=1, toward=(1, 0.2), levels=50, step=Fraction(1, 2**20))
        assert_neighbors(walk[-1], middle)
        assert_neighbors(middle, found(rows, length=1, toward=(1, 0.2), levels=50, step=Fraction(1, 2**20)))
    for (one, _), (other, _) in pairwise(walk):
        turned += int(np.abs(one - other).sum()) > 2**20
    assert turned == 2  # on the far side, and back on the near one


def test_the_first_radius_is_nearly_reached():
    """One row at 45 degrees turns two columns by almost what is said, so half the radius would be wrong."""
    for n in (10, 100, 1000):
        rows = np.array([[1.0, 0.0]] * n)
        centre, radii = found(rows, length=1, step=Fraction(1, 2**24))
        added, _ = found([*rows, (0.5**0.5, 0.5**0.5)], length=1, step=Fraction(1, 2**24))
        assert 0.4 * radii.steps[0] < np.abs(centre - added).sum() <= radii.steps[0]
        centre, radii = found(rows, length=1, toward=(1, 0), step=Fraction(1, 2**24))
        added, _ = found([*rows, (0.5**0.5, 0.5**0.5)], length=1, toward=(1, 0), step=Fraction(1, 2**24))
        assert 0.6 * radii.steps[0] < np.abs(centre - added).sum() <= radii.steps[0]


def parts_of_the_gap(rows, length=None):
    rows = np.asarray(rows, float)
    spread = _Spread.of(PrincipalComponent(length).frame(rows.shape[1], (-1.0, 1.0), STEP).records, length)
    return gap(spread.moments(read(rows, spread.records)), spread.longest, PARTS)


def corner(n, others=0):
    """Rows in one corner have a gap of n*L, and each row in the next corner takes L from it."""
    return [(1.0, 1.0)] * n + [(1.0, -1.0)] * others


@pytest.mark.parametrize("n", [3, 4, 10, 50])
def test_one_row_may_move_the_gap_by_all_that_is_granted(n, monkeypatch):
    """A gap may be told in full, and the gap of a neighbour one part short: both keep what `gap` promises."""
    (full, one), (short, other) = (n * PARTS, corner(n)), ((n - 1) * PARTS - 1, corner(n, 1))
    for toward in (None, (1, 1)):
        asked = {"toward": toward, "levels": n + 2, "step": Fraction(1, 2**28)}
        monkeypatch.setattr(module, "gap", lambda *_: full)
        near = found(one, **asked)
        monkeypatch.setattr(module, "gap", lambda *_: short)
        assert_neighbors(near, found(other, **asked))
    assert full - short == EDIT
    assert 0 <= full - parts_of_the_gap(one) <= 1 and 0 <= parts_of_the_gap(other) - short <= 1


@pytest.mark.parametrize("n", [3, 10, 16, 50])
def test_gaps_of_whole_numbers_nest(n):
    """Where a gap is a whole number of parts, a ball around it may lie on either side of it."""
    one, other = (found(rows, levels=n + 2, step=Fraction(1, 2**28)) for rows in (corner(n), corner(n, 1)))
    assert_neighbors(one, other)


@pytest.mark.parametrize("length", [None, 1])
def test_no_row_moves_the_gap_by_more_than_is_granted(length):
    rng = np.random.default_rng(7)
    corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.6, 0.8)]
    for _ in range(60):
        rows = [corners[k] for k in rng.integers(0, len(corners), int(rng.integers(1, 9)))]
        before = parts_of_the_gap(rows, length)
        for extra in (*corners, tuple(rng.uniform(-1, 1, 2))):
            assert abs(parts_of_the_gap([*rows, extra], length) - before) <= EDIT


def test_several_floors_change_at_once():
    """v = (1, 1, 1, 1)/2 stands on lattice points, and one row moves all of its numbers by much less than a step."""
    rows, furthest = [(0.5, 0.5, 0.5, 0.5)] * 3000, 0
    one = found(rows, length=1, toward=(1, 1, 1, 1))
    for extra in ((-0.5, 0.5, 0.5, 0.5), (0.8, 0.3, 0.3, 0.3), (0.5, 0.5, -0.5, 0.2)):
        other = found([*rows, extra], length=1, toward=(1, 1, 1, 1))
        assert_neighbors(one, other)
        furthest = max(furthest, int(np.abs(one[0] - other[0]).sum()))
    assert furthest >= 2


@pytest.mark.parametrize("toward", [None, (1, 1, 1)])
def test_the_cost_moves_by_at_most_one(toward):
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(300, 3)) @ np.array([[1, 1, 1], [0, 0.5, 0], [0, 0, 0.5]])
    asked = {"bounds": (-2, 2), "epsilon": 1, "mechanism": "piecewise_laplace"}
    one, other = (
        VectorRequest.of(PrincipalComponent(1.5, toward), table, **asked).look(40)
        for table in (rows, rows[:-1])
    )
    points = one.centre + rng.laplace(size=(200, one.centre.size)) * 10.0 ** rng.uniform(2, 7, (200, 1))
    points = points.astype(np.int64)
    assert all(
        abs(a - b) <= 1 for a, b in zip(read_law(one).cost(points), read_law(other).cost(points), strict=True)
    )


# The answer itself.


@pytest.mark.parametrize("columns", [2, 5, 12])
def test_the_centre_is_the_component(columns):
    rng = np.random.default_rng(columns)
    rows = rng.normal(size=(2000, columns)) @ rng.normal(size=(columns, columns))
    rows *= 100 / np.abs(rows).max()
    v = direction(rows)
    statistic = PrincipalComponent()
    matrix, _ = found(rows, bounds=(-100.0, 100.0), step=Fraction(1, 2**28))
    told = np.array(statistic.as_answer(tuple(matrix / 2**28)))
    assert np.allclose(told, np.outer(v, v), atol=1e-7) and np.array_equal(told, told.T)
    toward = rng.integers(-5, 6, columns) + 0.5
    signed, _ = found(rows, bounds=(-100.0, 100.0), toward=toward, step=Fraction(1, 2**28))
    assert np.allclose(signed / 2**28, v * np.sign(v @ toward), atol=1e-7)


def test_bounds_of_each_column_and_their_middle():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(5000, 3)) * np.array([300.0, 1.0, 0.01]) + np.array([5000, -7, 0.5])
    bounds = ((4000.0, 6000.0), (-10.0, -4.0), (0.0, 1.0))
    away = np.clip(rows, *np.array(bounds).T) - np.array([5000, -7, 0.5])
    centre, _ = found(rows, bounds=bounds, toward=(1, 0, 0), step=Fraction(1, 2**28))
    v = direction(away)
    assert np.allclose(centre / 2**28, v * np.sign(v[0]), atol=1e-7)


@pytest.mark.parametrize("toward", [None, (1, 1, 1, 1)])
@pytest.mark.parametrize("length", [None, 0.7])
def test_the_order_of_rows_is_of_no_matter(toward, length):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(70_001, 4)) + rng.normal(size=(70_001, 1))
    first = found(rows, toward=toward, length=length, step=Fraction(1, 2**28))
    for _ in range(3):
        again = found(rng.permutation(rows), toward=toward, length=length, step=Fraction(1, 2**28))
        assert np.array_equal(first[0], again[0]) and np.array_equal(first[1].steps, again[1].steps)


@pytest.mark.parametrize("bounds", [(-1.0, 1.0), ((0.0, 1.5), (-3.0, 1000.0), (1e6, 1e6 + 1))])
def test_moments_are_exact_integers(bounds, monkeypatch):
    rng = np.random.default_rng(1)
    frame = PrincipalComponent().frame(3, bounds, None)
    values = tuple(rng.uniform(-2, 1100, (3, 500)))
    spread = _Spread.of(frame.records, None)
    finest = min(lattice.granularity for lattice in frame.records)
    rows = [
        [
            int((2 * int(k) - lattice.low - lattice.high) * lattice.granularity / finest)
            for k in lattice.index(column)
        ]
        for lattice, column in zip(frame.records, values, strict=True)
    ]
    exactly = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in rows] for one in rows]
    table = read(np.column_stack(values), frame.records)
    assert spread.moments(table) == exactly
    assert all(sum(row[i] ** 2 for row in rows) <= spread.longest for i in range(500))
    monkeypatch.setattr(products, "LARGEST_BLOCK", 64)
    assert spread.moments(table) == exactly
    far = 2 * max(abs(bound) for bound in np.ravel(bounds))
    drawn_in = replace(spread, length=float(far * spread.scales[0] / finest * 3))
    assert drawn_in.moments(table) == exactly, "rows that are not so long stay as they are"


@pytest.mark.parametrize("length", [1e-9, 0.1, 0.3333, 1.0, 1.7])
def test_no_row_is_longer_than_its_length(length):
    rng = np.random.default_rng(4)
    frame = PrincipalComponent().frame(3, ((-1.0, 1.0), (-1.0, 1.0), (-0.01, 0.01)), None)
    spread = _Spread.of(frame.records, length)
    values = [*rng.uniform(-1, 1, (2, 500)), rng.uniform(-0.01, 0.01, 500)]
    values[0][:9], values[1][:9] = np.inf, -np.inf
    rows = spread._rows(values)
    assert np.array_equal(rows, np.trunc(rows))
    squares = [sum((int(z) * s) ** 2 for z, s in zip(row, spread.scales, strict=True)) for row in rows.T]
    assert max(squares) <= spread.longest
    alone = [spread._rows([column[i : i + 1] for column in values])[:, 0] for i in range(500)]
    assert np.array_equal(np.array(alone).T, rows)


# The edges.


@pytest.mark.parametrize("rows", [np.zeros((0, 2)), [[0.5, 0.5]], [[1, 0], [0, 1]], [[0, 0]] * 9])
def test_without_a_gap_all_is_public(rows):
    for neighbors in ("add_remove", "swap"):
        centre, radii = found(rows, neighbors=neighbors)
        assert centre.tolist() == [512, 0, 512] and set(radii.steps) == {radii.stride}
        centre, radii = found(rows, toward=(1, 2), neighbors=neighbors)
        assert centre.tolist() == [0, 0] and set(radii.steps) == {radii.stride}


def test_a_component_across_the_direction_has_no_sign():
    rows = [[0.0, 1.0]] * 50
    centre, radii = found(rows, length=1, toward=(1, 0))
    assert centre.tolist() == [0, 0] and set(radii.steps) == {radii.stride}
    centre, radii = found(rows, length=1, toward=(1, -5))
    assert centre.tolist() == [0, -1024] and radii.steps[0] < radii.stride


def test_missing_rows_and_wild_numbers():
    rows = np.array([[1.0, 0.1]] * 30 + [[np.nan, 1], [1e300, np.inf], [-0.0, 5e-324]])
    tame = np.array([[1.0, 0.1]] * 30 + [[1, 1], [0, 0]])
    assert np.array_equal(found(rows)[0], found(tame)[0])


def test_the_gap_is_in_parts_of_the_longest_row():
    _, radii = found([[1.0, 0.0]] * 10, length=1, step=Fraction(1, 2**20), levels=20)
    left = 10 * PARTS - 1
    exactly = 5**0.5 * 2**20 * PARTS * left / (2 * left**2 - PARTS**2)
    assert radii.steps[0] == pytest.approx(exactly + 4, rel=1e-3)
    assert np.argmax(radii.steps == radii.stride) == 8  # two L must be left after l - 1 edits


@pytest.mark.parametrize(
    ("statistic", "columns", "bounds", "granularity", "message"),
    [
        ({}, 1, (0, 1), None, r"data must have from 2 to 64 columns, got 1"),
        ({}, 65, (0, 1), None, r"data must have from 2 to 64 columns, got 65"),
        ({}, 2, (0, 1), 0.3, r"granularity must be between 2\^-28 and 1/4, got 0.3"),
        ({}, 2, (0, 1), 1e-12, r"granularity must be between"),
        ({}, 2, (0, 1), "x", r"granularity must be a real number"),
        ({}, 3, ((0, 1), (0, 1)), None, r"bounds must be a pair, or one for each of 3 columns, got 2"),
        ({}, 2, ((0, 1), 3), None, r"bounds must be a pair"),
        ({}, 2, None, None, r"bounds must be a pair"),
        ({}, 2, "private", None, r"bounds must be a pair"),
        ({}, 2, ((0, 1), (0, 1e30)), None, r"bounds must be of similar widths"),
        ({"toward": (1, 2, 3)}, 2, (0, 1), None, r"toward must have a number for each of 2 columns, got 3"),
        ({"toward": (0, 0)}, 2, (0, 1), None, r"toward must be a direction"),
        ({"toward": ()}, 2, (0, 1), None, r"toward must be a direction"),
        ({"toward": "up"}, 2, (0, 1), None, r"toward must be a list of numbers, got 'up'"),
        ({"toward": (1, "x")}, 2, (0, 1), None, r"toward must be a real number"),
        ({"length": 0}, 2, (0, 1), None, r"length must be above 0, got 0"),
        ({"length": "x"}, 2, (0, 1), None, r"length must be a real number"),
    ],
)
def test_wrong_parameters(statistic, columns, bounds, granularity, message):
    with pytest.raises(NoisewiseError, match=f"^{message}"):
        PrincipalComponent(**statistic).frame(columns, bounds, granularity)


def test_names():
    assert str(PrincipalComponent()) == "principal_component"
    assert str(PrincipalComponent(0.5)) == "principal_component(length=0.5)"
    assert str(PrincipalComponent(4, (1, 1))) == "principal_component(length=4, signed)"
    assert PrincipalComponent(toward=[0.5, 1]) == PrincipalComponent(toward=(1, 2))


def test_a_release():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(20_000, 3)) @ np.array([[2, 2, 1], [0, 1, 0], [0, 0, 1]])
    v = direction(np.clip(rows, -8, 8))
    for toward, owned in ((None, 1), ((1, 1, 1), 2)):
        request = VectorRequest.of(
            PrincipalComponent(6, toward), rows, bounds=(-8, 8), epsilon=1, contributions=owned
        )
        value = np.array(request.answer(bits=SeededBits(1)).value)
        if toward:
            assert np.abs(value - v * np.sign(v.sum())).max() < 0.05
        else:
            assert value.shape == (3, 3) and np.abs(value - np.outer(v, v)).max() < 0.05


def turned(values, seed):
    """An integer matrix with these eigenvalues times a square, and its exact projectors: H = I - 2wwᵀ/|w|²."""
    rng = np.random.default_rng(seed)
    w = [int(each) for each in rng.integers(-3, 4, len(values))]
    w[0] = w[0] or 1
    size, places = sum(each * each for each in w), range(len(values))
    basis = [[size * (i == j) - 2 * w[i] * w[j] for j in places] for i in places]  # |w|² times a rotation
    matrix = [[sum(values[k] * basis[i][k] * basis[j][k] for k in places) for j in places] for i in places]
    vectors = [[Fraction(basis[i][k], size) for i in places] for k in places]
    return matrix, size * size, vectors


VALUES = [
    (5, 3),
    (7, 7, 1),
    (0, 0, 0),
    (9, 0, 0, 0),
    (10**12 + 1, 10**12, 5),
    (10**18 + 3, 10**18, 10**18, 1),
    (10**30, 10**15, 10**15 - 1, 10**15 - 1, 0),
    (4, 3, 3, 3, 2, 2, 2, 1, 1),
]


@each_value(values=VALUES)
@each_value(parts=[1, 7, 1024])
@each_value(unit=[1, 3, 10**20])
def test_the_gap_is_known_from_below_to_less_than_two_parts(values, parts, unit):
    for seed in range(3):
        matrix, scale, _ = turned(values, seed)
        exactly = Fraction(parts * scale * (values[0] - values[1]), unit)
        assert exactly - 2 < gap(matrix, unit, parts) <= exactly


def test_the_gap_of_two_columns_is_a_square_root():
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b, c = (int(each) for each in rng.integers(-(10 ** rng.integers(1, 9)), 10**9, 3))
        matrix = [[a * a + b * b, a * c], [a * c, c * c]]
        square = (a * a + b * b - c * c) ** 2 + 4 * (a * c) ** 2
        found = gap(matrix, 1, 1024)
        assert isqrt(1024**2 * square) - 2 < found <= isqrt(1024**2 * square)


@pytest.mark.parametrize("values", [values for values in VALUES if values[0] > values[1]])
def test_the_projector_is_known_from_below_to_its_last_places(values):
    for seed in range(3):
        matrix, _, vectors = turned(values, seed)
        found, v = projector(matrix), vectors[0]
        short = [
            v[i] * v[j] * 2**DIGITS - found[i][j] for i in range(len(values)) for j in range(len(values))
        ]
        assert all(0 <= each < 2**ERROR for each in short)


@pytest.mark.parametrize("values", [(10**12 + 1, 10**12, 5), (10**30, 10**15, 3)])
def test_balls_that_are_too_wide_are_drawn_again(values, monkeypatch):
    matrix, unit, _ = turned(values, 1)
    well = projector(matrix)
    monkeypatch.setattr(module, "_rising", lambda bits: iter([2, 20, 64, 4 * bits]))
    exactly = 1024 * (values[0] - values[1])
    assert exactly - 2 < gap(matrix, unit, 1024) <= exactly
    assert np.abs(np.array(projector(matrix)) - np.array(well)).max() < 2**ERROR


def test_a_gap_that_no_short_ball_holds(monkeypatch):
    a, b, c = 10**30 + 7, 10**29, 3 * 10**28
    exactly = isqrt(1024**2 * ((a - c) ** 2 + 4 * b**2))
    monkeypatch.setattr(module, "_rising", lambda bits: iter([2, 20, 64, 4 * bits]))
    assert exactly - 2 < gap([[a, b], [b, c]], 1, 1024) <= exactly


def test_many_columns_against_floats():
    rng = np.random.default_rng(3)
    rows = rng.integers(-1000, 1000, (400, 30)) * np.array([3] + [1] * 29)
    matrix = rows.T @ rows
    values, vectors = np.linalg.eigh(matrix.astype(float))
    assert gap(matrix.tolist(), 10**6, 1024) == pytest.approx(1024e-6 * (values[-1] - values[-2]), abs=2)
    found = np.array(projector(matrix.tolist())).astype(float) / 2.0**DIGITS
    assert np.allclose(found, np.outer(vectors[:, -1], vectors[:, -1]), atol=1e-12)
