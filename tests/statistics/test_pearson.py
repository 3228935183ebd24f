"""Pearson's correlation against its definition, on every small dataset and on larger neighbours."""

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, hazmat
from noisewise.audit.nesting import nests_in
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from noisewise.statistics.pearson import Pearson
from tests.kernel.laws.statistic_laws import MISSING
from tests.statistics.correlations import CorrelationLaws, check_larger_neighbours, floor_of, signed_square

POINTS = [(0, 0), (0, 10), (1, 4), (4, 0), (4, 10)]
ODD = {MISSING: (None, 1.0), 1.0: (0.4, 3.0), 2.0: (-9.0, 3.0), 3.0: (2.6, -math.inf), 4.0: (9.0, 8.5)}
BOUNDS = ((0, 4), (0, 10))


def pearson(rows):
    return signed_square([a for a, _ in rows], [b for _, b in rows])


class TestPearson(CorrelationLaws):
    statistic = Pearson()
    bounds = BOUNDS
    points, odd = POINTS, ODD
    domain = tuple(range(len(POINTS)))
    records = tuple(ODD)
    answer = staticmethod(cache(lambda x: pearson([POINTS[code] for code in x])))


def envelope(x, y, neighbors, levels=12, bounds=BOUNDS):
    return hazmat.law(
        Pearson(), (x, y), epsilon=1, bounds=bounds, neighbors=neighbors, levels=levels
    ).envelope


def random_rows(rng, n):
    """Anywhere in the bounds, or huddled in a corner, where one far row changes most."""
    spread = rng.choice([0.01, 0.3, 1.0])
    x = 4 * (rng.random() * (1 - spread) + spread * rng.random(n))
    y = 2.5 * x if rng.random() < 0.5 else 10 - 2.5 * x
    return x, y + rng.normal(size=n) * rng.choice([0.0, 0.01, 1.0])


@pytest.mark.parametrize("seed", range(10))
def test_larger_neighbours_nest(seed):
    def random_row(rng):
        return rng.choice([0.0, 4.0, 2.0]), rng.choice([0.0, 10.0, 5.0])

    check_larger_neighbours(np.random.default_rng(seed), envelope, random_rows, random_row)


@pytest.mark.parametrize("corner", [(0.0, 10.0), (4.0, 0.0), (4.0, 10.0)])
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_rows_in_a_far_corner_nest_however_many_there_are(neighbors, corner):
    """The mean moves with them, and with it how far the next one is."""
    rng = np.random.default_rng(1)
    x, y = 0.2 * rng.random((2, 40))
    for k in range(25):
        near = np.append(x, np.full(k, corner[0])), np.append(y, np.full(k, corner[1]))
        if neighbors == "swap":
            near = tuple(side[k:] for side in near)
            far = tuple(np.append(side[1:], end) for side, end in zip(near, corner, strict=True))
        else:
            far = tuple(np.append(side, end) for side, end in zip(near, corner, strict=True))
        here, there = envelope(*near, neighbors), envelope(*far, neighbors)
        assert nests_in(here, there) and nests_in(there, here), k


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_a_mean_that_could_have_moved_counts(neighbors):
    """One row after another leaves a corner: each level is held by the next level of the neighbour, all the way."""
    corner, others = (0.0, 0.0), (4.0, 10.0)
    chain = []
    for k in range(12):
        rows = [corner] * (12 - k) + [others] * (k if neighbors == "swap" else 0) + [(1.0, 5.0), (2.0, 3.0)]
        chain.append(envelope([a for a, _ in rows], [b for _, b in rows], neighbors))
    for here, there in pairwise(chain):
        assert nests_in(here, there) and nests_in(there, here)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("seed", range(6))
def test_edits_stay_within_their_level(neighbors, seed):
    """Up to six edits that pull at the correlation as hard as they can find."""
    rng = np.random.default_rng(seed)
    x, y = random_rows(rng, int(rng.integers(8, 30)))
    x, y = np.clip(x, 0, 4), np.clip(y, 0, 10)
    start = envelope(x, y, neighbors)
    for sign in (1, -1):
        a, b = x, y
        for l in range(1, 7):
            kept = [(np.delete(a, i), np.delete(b, i)) for i in range(a.size)]
            pool = kept if neighbors == "swap" else [(a, b)]
            grown = [(np.append(p, u), np.append(q, v)) for p, q in pool for u in (0, 4) for v in (0, 10)]
            options = grown if neighbors == "swap" else grown + kept
            centres = [envelope(p, q, neighbors, levels=0).level(0)[0] for p, q in options]
            best = int(np.argmax(sign * np.array(centres)))
            (a, b), low, high = options[best], *start.level(l)
            assert low <= centres[best] <= high


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 50])
def test_the_centre_is_the_correlation(neighbors, n):
    rng = np.random.default_rng(n)
    rows = [(int(a), int(b)) for a, b in zip(rng.integers(0, 5, n), rng.integers(0, 11, n), strict=True)]
    x, y = [a for a, _ in rows], [b for _, b in rows]
    asked = {"bounds": BOUNDS, "epsilon": 1, "neighbors": neighbors, "granularity": 0.001}
    exact = floor_of(pearson(rows), Fraction(1, 1000))
    assert hazmat.law(Pearson(), (x, y), **asked).envelope.level(0) == (exact, exact)


def test_a_line_is_exactly_one_at_any_size():
    x = np.arange(1_000_000) / 2**10
    for sign in (1, -1):
        found = envelope(x, sign * x, "add_remove", levels=1, bounds=((0, 2**10), (-(2**10), 2**10)))
        assert found.level(0) == (sign * 2**31,) * 2


def test_one_pair_of_bounds_is_for_both_columns():
    rng = np.random.default_rng(2)
    x, y = rng.random((2, 100))
    one, two = envelope(x, y, "swap", bounds=(0, 1)), envelope(x, y, "swap", bounds=[[0, 1], (0, 1)])
    three = envelope(x, y, "swap", bounds=np.array([[0, 1], [0, 1]]))
    assert one.upper.tolist() == two.upper.tolist() == three.upper.tolist()
    assert one.lower.tolist() == two.lower.tolist() == three.lower.tolist()


def test_it_is_accurate_where_data_is_plenty():
    rng = np.random.default_rng(6)
    x = rng.normal(size=10_000)
    y = x + rng.normal(size=10_000)
    law = hazmat.law(Pearson(), (x, y), bounds=((-4, 4), (-6, 6)), epsilon=1)
    assert read_law(law).expected_error() < 0.01


@pytest.mark.parametrize(
    ("bounds", "kind", "text"),
    [
        ((1, 0), ParameterError, r"bounds must have lowest < highest, got \(1, 0\)$"),
        (((0, 1), (1, 0)), ParameterError, r"bounds must have lowest < highest, got \(1, 0\) for y$"),
        (((0, math.nan), (0, 1)), ParameterError, r"the upper bound must be finite, got nan for x$"),
        (((0, 1),), ParameterTypeError, r"bounds must be one pair, or two: .*, got 1 of them$"),
        (((0, 1), 2), ParameterTypeError, r"bounds must be a pair .*, got 2 for y$"),
        (None, ParameterTypeError, r"bounds must be a pair "),
        (5, ParameterTypeError, r"bounds must be a pair "),
        (np.array(3.0), ParameterTypeError, r"bounds must be a pair "),
        (np.zeros((2, 2, 2)), ParameterTypeError, r"bounds must be a pair "),
    ],
)
def test_bounds_are_judged_first(bounds, kind, text):
    with pytest.raises(kind, match=f"^{text}"):
        Request.of(Pearson(), ([], []), bounds=bounds, epsilon=1)


def test_names():
    assert str(Pearson()) == "pearson"
