"""Theil-Sen slopes against their naive definition, on every small dataset and on larger neighbours."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, hazmat
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import World
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from noisewise.statistics.theil_sen import slopes as room
from noisewise.statistics.theil_sen.slopes import deal
from noisewise.statistics.theil_sen.theil_sen import TheilSen
from tests.kernel.laws.moves import FLOAT, worst_ratio
from tests.kernel.laws.statistic_laws import MISSING, StatisticLaws

POINTS = [(0, 0), (0, 2), (1, 0), (1, 3), (2, 1), (2, 2)]
ODD = {MISSING: (None, 1.0), 1.0: (0.0, 0.0), 2.0: (1.0, 2.6), 3.0: (1.5, -math.inf), 4.0: (math.inf, 9.0)}


def median_slope(rows, low=-2, high=2):
    """The slope of rank ceil(N/2), exact, clamped; 0 within the bounds if there is none."""
    found = sorted(Fraction(d - b, c - a) for (a, b), (c, d) in combinations(rows, 2) if a != c)
    return min(max(found[math.ceil(len(found) / 2) - 1] if found else Fraction(0), low), high)


def median_within(codes, parts):
    """Part by part, as they are dealt; the median is taken naively."""
    x, y = (np.array([POINTS[code][side] for code in codes], float) for side in (0, 1))
    dealt = deal(x, y, parts)
    part = np.repeat(np.arange(dealt.sizes.size), dealt.sizes)
    rows = list(zip(dealt.x.astype(int).tolist(), dealt.y.astype(int).tolist(), part.tolist(), strict=True))
    found = sorted(
        Fraction(d - b, c - a) for (a, b, p), (c, d, q) in combinations(rows, 2) if p == q and a != c
    )
    return min(max(found[math.ceil(len(found) / 2) - 1] if found else Fraction(0), -2), 2)


class RowLaws(StatisticLaws):
    """Enumerated records are numbers of points."""

    statistic = TheilSen()
    bounds = (-2, 2)
    exact = False
    domain = tuple(range(len(POINTS)))
    records = tuple(ODD)
    most = 4
    levels = 2
    answer = staticmethod(cache(lambda x: median_slope([POINTS[code] for code in x])))

    def data(self, x):
        rows = [ODD[code] if isinstance(code, float) else POINTS[code] for code in x]
        return [a for a, _ in rows], [b for _, b in rows]

    def floor(self, value, granularity):
        """A slope is put on the nearest point, before the median is taken or after."""
        return math.floor(value / granularity + Fraction(1, 2))


class TestTheilSen(RowLaws):
    pass


class TestTwoParts(RowLaws):
    statistic = TheilSen(parts=2)
    most = 3
    answer = staticmethod(cache(lambda x: median_within(x, 2)))


class TestPositiveSlopes(RowLaws):
    """Without any slope the answer is 0 moved into the bounds, here the lower one."""

    bounds = (1, 3)
    most = 3
    granularities = (1, Fraction(1, 2), 1)
    answer = staticmethod(cache(lambda x: median_slope([POINTS[code] for code in x], 1, 3)))


def envelope(x, y, neighbors, levels=8, parts=None, bounds=(-100, 100), granularity=Fraction(1, 64)):
    asked = {"bounds": bounds, "epsilon": 1, "granularity": granularity, "neighbors": neighbors}
    return hazmat.law(TheilSen(parts), (x, y), levels=levels, mechanism="piecewise_laplace", **asked).envelope


class TestBalance:
    """The law of balance over all small tables, with a few answers that are as likely as thousands of others."""

    @pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(4)])
    @pytest.mark.parametrize(
        ("world", "parts"),
        [
            (World(tuple(range(6)), 4), None),
            (World(tuple(range(4)), 4, owned=2), 1),
            (World(tuple(range(6)), 3, "swap", least=3), 1),
        ],
        ids=["add_remove", "several records", "swap"],
    )
    def test_it_keeps_epsilon_and_spends_it(self, world, parts, epsilon):
        laws = {
            x: hazmat.law(
                TheilSen(parts),
                RowLaws().data(x),
                bounds=(-3, 3),
                granularity=Fraction(1, 50),
                epsilon=epsilon,
                neighbors=world.relation,
                contributions=world.owned,
                mechanism="balance",
            )
            for x in world.datasets()
        }
        worst = worst_ratio(laws, world) / float(epsilon)
        assert 0.9 - 0.4 * (world.owned - 1) < worst < 1 + FLOAT

    def test_its_answer_is_the_median_slope(self):
        for bounds in ((-2, 2), (1, 3)):
            for x in World(tuple(range(6)), 4).datasets():
                law = hazmat.law(
                    TheilSen(),
                    RowLaws().data(x),
                    bounds=bounds,
                    granularity=Fraction(1, 60),
                    epsilon=1,
                    mechanism="balance",
                )
                assert read_law(law).centre * law.granularity == median_slope(
                    [POINTS[code] for code in x], *bounds
                )

    def test_it_has_less_error(self):
        rng = np.random.default_rng(3)
        x = rng.normal(size=300)
        y = x + rng.normal(size=300)
        for neighbors, most in (("add_remove", 0.76), ("swap", 0.51)):
            asked = {
                "bounds": (-4, 4),
                "granularity": Fraction(1, 2**14),
                "epsilon": 1,
                "neighbors": neighbors,
            }
            errors = [
                read_law(hazmat.law(TheilSen(1), (x, y), mechanism=name, **asked)).expected_error()
                for name in ("balance", "piecewise_laplace")
            ]
            assert errors[0] < most * errors[1]

    def test_auto_takes_it_where_it_can_be_had(self):
        def taken(statistic=None, **asked):
            how = {"bounds": (0, 1), "granularity": Fraction(1, 2**19), "epsilon": 1} | asked
            return Request.of(statistic or TheilSen(), ([1, 2], [3, 4]), **how).mechanism.name

        assert taken() == taken(TheilSen(1)) == taken(TheilSen(1), neighbors="swap") == "balance"
        others = [
            taken(TheilSen(2)),
            taken(neighbors="swap"),
            taken(granularity=Fraction(1, 2**20)),
            taken(granularity=None),
        ]
        assert others == ["piecewise_laplace"] * 4
        with pytest.raises(ParameterError, match="no score"):
            taken(TheilSen(2), mechanism="balance")


CURVE = np.arange(1.0, 10.0)


def test_a_shift_of_lost_pairs_alone_does_not_nest():
    """A swap that takes nine slopes from the top and brings nine at the bottom uses every place of l*(n - 1).

    C(10, 2) - C(8, 2) = 17 places at level 2 would be one too few: 40 slopes of the neighbour lie below the 32nd.
    """
    x = np.append(CURVE, 0.0)
    one, other = (envelope(x, np.append(CURVE**3 / 9, end), "swap") for end in (-900.0, 900.0))
    for a, b in ((one, other), (other, one)):
        assert nests_in(a, b)
    assert one.level(1)[1] == other.level(2)[1] > one.level(0)[1]


def test_a_shift_that_does_not_grow_with_n_does_not_nest():
    """A row is removed whose nine slopes were all on top; 2*tau = l*n would leave 27 < 28 places at level 2."""
    all_rows = envelope(np.append(CURVE, 0.0), np.append(CURVE**3 / 9, -900.0), "add_remove")
    rest = envelope(CURVE, CURVE**3 / 9, "add_remove")
    assert nests_in(all_rows, rest) and nests_in(rest, all_rows)
    assert all_rows.level(1)[1] == rest.level(2)[1]


def random_rows(rng, n):
    """Ties in x, steep and flat parts, a few rows far out or infinite."""
    x = rng.integers(0, max(2, n // 2), n).astype(float)
    y = np.where(rng.random(n) < 0.8, 3 * x + rng.normal(size=n), rng.normal(size=n) * 100)
    far = rng.random(n) < 0.05
    return np.where(far, np.inf, x), y


def a_row(rng):
    return [(-5.0, 1e6), (-5.0, -1e6), (3.0, 0.0), (1e9, 1.0), (0.5, np.inf)][rng.integers(5)]


@pytest.mark.parametrize("seed", range(12))
def test_larger_neighbours_nest(seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        n = int(rng.integers(2, 40))
        x, y = random_rows(rng, n)
        at, (u, v) = int(rng.integers(n)), a_row(rng)
        swapped = np.concatenate([x[:at], [u], x[at + 1 :]]), np.concatenate([y[:at], [v], y[at + 1 :]])
        grown = np.append(x, u), np.append(y, v)
        for parts in (None, 2, 5, 1000):
            for neighbors, other in (("add_remove", grown), ("swap", swapped)):
                here = envelope(x, y, neighbors, parts=parts)
                there = envelope(*other, neighbors, parts=parts)
                assert is_monotone(here) and is_monotone(there)
                assert nests_in(here, there) and nests_in(there, here), (n, neighbors, parts)


def of_sizes(sizes, parts, rng):
    """Rows of which so many go to the first parts, each on a line of its own."""
    rows = []
    for part, size in enumerate(sizes):
        while sum(p == part for *_, p in rows) < size:
            x, y = rng.integers(0, 10**6), rng.integers(-(10**4), 10**4)
            if int(deal_one(x, y, parts)) == part:
                rows.append((float(x), float(y), part))
    return rows


def deal_one(x, y, parts):
    """Which part a row goes to: beside one row of each part, it joins that of its own."""
    key = room.mix(room.mix(np.array([float(x)]).view(np.uint64)) ^ np.array([float(y)]).view(np.uint64))
    return room.mix(key)[0] % np.uint64(parts)


@pytest.mark.parametrize("sizes", [(9, 9), (9, 8), (9, 3), (1, 9), (5, 5)])
def test_a_row_that_goes_from_part_to_part_takes_and_brings_slopes(sizes):
    """Every slope it takes is on top and every one it brings at the bottom, or the other way round."""
    rng = np.random.default_rng(5)
    rows = of_sizes(sizes, 2, rng)
    highest, lowest = ([], [])
    while not (highest and lowest):
        x = -float(rng.integers(1, 1000))
        for y, found in ((-1e9, highest), (1e9, lowest)):
            found += [(x, y)] * (int(deal_one(x, y, 2)) == (y > 0))
    bounds = (-(10**9), 10**9)
    here, there = (
        envelope(
            [a for a, *_ in rows] + [x],
            [b for _, b, _ in rows] + [y],
            "swap",
            parts=2,
            bounds=bounds,
            granularity=None,
        )
        for x, y in (highest[0], lowest[0])
    )
    assert nests_in(here, there) and nests_in(there, here)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 57])
def test_the_centre_is_the_median_slope(neighbors, n):
    rng = np.random.default_rng(n)
    rows = [(int(a), int(b)) for a, b in rng.integers(-9, 9, (n, 2))]
    found = envelope([a for a, _ in rows], [b for _, b in rows], neighbors, bounds=(-4, 4))
    exact = median_slope(rows, -4, 4)
    assert found.level(0) == (math.floor(exact * 64 + Fraction(1, 2)),) * 2


def test_parts_follow_the_number_of_rows_only_where_it_is_public():
    assert [TheilSen()._parts(n, "swap") for n in (0, 10_000, 10_001, 10**6)] == [1, 1, 20, 2_000]
    assert {TheilSen()._parts(n, "add_remove") for n in (0, 10_001, 10**6)} == {1}
    assert TheilSen(7)._parts(10**6, "add_remove") == TheilSen(7)._parts(3, "swap") == 7


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_parts_of_a_hundred_rows_are_nearly_as_accurate(neighbors):
    rng = np.random.default_rng(7)
    x = rng.integers(0, 50, 3_000)
    y = 2 * x + 10 * rng.normal(size=3_000)
    asked = {"bounds": (-100, 100), "epsilon": 1, "neighbors": neighbors}
    whole, parts = (hazmat.law(TheilSen(p), (x, y), **asked) for p in (1, 30))
    assert abs(whole.envelope.level(0)[0] - parts.envelope.level(0)[0]) * whole.granularity < 0.02
    assert read_law(parts).expected_error() < 1.5 * read_law(whole).expected_error() < 0.05


def test_a_large_pile_is_counted_to_the_same_levels(monkeypatch):
    rng = np.random.default_rng(3)
    x = rng.normal(size=300)
    y = 2 * x + rng.normal(size=300)
    for neighbors in ("add_remove", "swap"):
        kept = envelope(x, y, neighbors, levels=150, granularity=None)
        with monkeypatch.context() as small:
            small.setattr(room, "OUTRIGHT", 100)
            small.setattr(room, "LOT", 1000)
            counted = envelope(x, y, neighbors, levels=150, granularity=None)
        assert kept.lower.tolist() == counted.lower.tolist()
        assert kept.upper.tolist() == counted.upper.tolist()


def test_outliers_hardly_move_it():
    rng = np.random.default_rng(4)
    x = rng.normal(size=1_000)
    y = 2 * x + 0.1 * rng.normal(size=1_000)
    y[:50] = 1e12
    law = hazmat.law(TheilSen(), (x, y), bounds=(-100, 100), epsilon=1)
    assert abs(law.envelope.level(0)[0] * law.granularity - 2) < 0.05
    assert read_law(law).expected_error() < 0.01


def test_whole_number_bounds_give_a_fine_slope():
    law = hazmat.law(TheilSen(), ([0, 3], [0, 1]), bounds=(-5, 5), epsilon=1)
    assert abs(law.envelope.level(0)[0] * law.granularity - Fraction(1, 3)) < Fraction(1, 2**20)


def test_names():
    assert [str(TheilSen()), str(TheilSen(parts=7))] == ["theil_sen", "theil_sen(parts=7)"]


def test_parts_are_a_whole_number():
    with pytest.raises(ParameterError, match=r"^parts must be at least 1, got 0"):
        TheilSen(0)
    with pytest.raises(ParameterTypeError, match=r"^parts must be a whole number"):
        TheilSen(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("bounds", [None, (1, 0), (0, math.inf), "ab", (0, 1, 2)])
def test_bounds_are_judged_first(bounds):
    with pytest.raises((ParameterError, ParameterTypeError), match="bound"):
        Request.of(TheilSen(), ([], []), bounds=bounds, epsilon=1)
