"""Slopes against their definition, and ranks found by counting against a sort of all slopes, bit by bit.

Crossings against a comparison of every left thing with every right one.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.theil_sen import slopes as module
from noisewise.statistics.theil_sen.slopes import AllPairs, Crossings, Pile, deal, listed, slopes
from noisewise.statistics.theil_sen.theil_sen import TheilSen
from noisewise.tables.columns.array_rows import ArrayRows

FINE = Lattice.between((-100.0, 100.0))
INFINITE = float("inf")


def all_slopes(x, y, lattice=FINE, parts=1):
    found = list(slopes(deal(np.array(x, float), np.array(y, float), parts), lattice))
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def pile(values, lattice, lot=1000):
    return Pile(lambda: iter([values[at : at + lot] for at in range(0, values.size, lot)]), lattice)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 40])
def test_each_pair_has_the_slope_of_its_two_rows(n):
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, 9, n), rng.integers(-50, 50, n)
    exact = [
        Fraction(int(y[j] - y[i]), int(x[j] - x[i])) for i, j in combinations(range(n), 2) if x[i] != x[j]
    ]
    naive = FINE.index(np.array([float(slope) for slope in exact]))
    assert sorted(all_slopes(x, y)) == sorted(naive)


def test_the_order_of_the_rows_changes_no_slope():
    """Bit by bit, or a row that moved would seem to be a row that changed."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=60) * 10.0 ** rng.integers(-9, 9, 60), rng.normal(size=60)
    fine = Lattice.between((-1.0, 1.0), Fraction(1, 2**51))
    shuffled = rng.permutation(60)
    for parts in (1, 2, 7):
        found = all_slopes(x[shuffled], y[shuffled], fine, parts)
        assert sorted(all_slopes(x, y, fine, parts)) == sorted(found)


def by_part(x, y, parts):
    """The rows of each part that is not empty; neither the order of parts nor that within them means anything."""
    dealt = deal(np.array(x, float), np.array(y, float), parts)
    cuts = np.cumsum(dealt.sizes)[:-1]
    rows = zip(np.split(dealt.x, cuts), np.split(dealt.y, cuts), strict=True)
    return sorted(tuple(sorted(zip(a.tolist(), b.tolist(), strict=True))) for a, b in rows if a.size)


@pytest.mark.parametrize("parts", [1, 2, 3, 50, 2**32])
@pytest.mark.parametrize("n", [0, 1, 2, 30])
def test_one_row_more_is_one_row_more_in_one_part(n, parts):
    """Ties included: a copy of a row is dealt by its number among them, so it does not matter which copy came."""
    rng = np.random.default_rng(n)
    for _ in range(20):
        x, y = rng.choice([0.0, -0.0, 1.0, np.inf, 2.5], n), rng.choice([0.0, -0.0, 7.0], n)
        u, v = rng.choice([0.0, -0.0, 1.0, 4.0]), rng.choice([0.0, -0.0, 7.0])
        at = int(rng.integers(n + 1))
        fewer = Counter(by_part(x, y, parts))
        more = Counter(by_part(np.insert(x, at, u), np.insert(y, at, v), parts))
        (grown,), shrunk = more - fewer, list(fewer - more)
        rest = sorted(grown)
        rest.remove((u, v))
        assert [list(part) for part in shrunk] == ([rest] if rest else [])


def test_parts_are_of_about_the_same_size():
    """Rows that repeat themselves a lot, or lie on a grid, among them."""
    rng = np.random.default_rng(0)
    for x, y in (
        rng.normal(size=(2, 10_000)),
        rng.integers(0, 5, (2, 10_000)),
        np.arange(20_000).reshape(2, -1),
    ):
        sizes = deal(x.astype(float), y.astype(float), 100).sizes
        assert sizes.sum() == 10_000 and sizes.size == 100
        assert 50 < sizes.min() <= sizes.max() < 150


@pytest.mark.parametrize("block", [1, 10, 1 << 15])
def test_slopes_within_parts_are_those_of_each_part(block, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", block)
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 20, (2, 80)).astype(float)
    alone = [all_slopes([a for a, _ in rows], [b for _, b in rows]) for rows in by_part(x, y, 9)]
    assert sorted(all_slopes(x, y, parts=9)) == sorted(np.concatenate(alone))


def test_infinite_rows_have_a_slope_or_none_whoever_they_meet():
    x, y = [0.0, 1.0, INFINITE, INFINITE, 0.0], [0.0, INFINITE, 0.0, INFINITE, 7.0]
    # 0-1 is steepest, 0-2 flat, 1-4 steepest, 2-4 flat; all others are inf/inf, inf-inf, or of one x
    assert sorted(all_slopes(x, y)) == [0, 0, FINE.high, FINE.high]
    assert all_slopes([5.0, 5.0, -0.0, 0.0], [1.0, 2.0, 1.0, 3.0]).size == 4


def test_nothing_is_said_of_extreme_rows():
    extremes = [1e308, -1e308, 5e-324, -5e-324, 0.0, INFINITE, -INFINITE]
    with np.errstate(all="raise"):
        found = all_slopes(extremes, extremes[::-1])
    assert np.all((found >= FINE.low) & (found <= FINE.high))


@pytest.mark.parametrize("points", [1, 2, 7, 2**16, 2**20 + 1, 2**33, 2**51])
@pytest.mark.parametrize("kind", ["spread", "narrow", "tied", "two heaps"])
@pytest.mark.parametrize(("outright", "counters"), [(0, 1 << 18), (50, 1 << 10), (10**6, 1 << 18)])
def test_ranks_of_a_pile_are_those_of_a_sort(points, kind, outright, counters, monkeypatch):
    monkeypatch.setattr(module, "OUTRIGHT", outright)
    monkeypatch.setattr(module, "COUNTERS", counters)
    rng, lattice = np.random.default_rng(points), Lattice(-points // 2, -points // 2 + points, Fraction(1, 8))
    values = {
        "spread": rng.integers(lattice.low, lattice.high + 1, 20_000),
        "narrow": np.clip(rng.integers(-60, 60, 20_000), lattice.low, lattice.high),
        "tied": np.full(20_000, lattice.high),
        "two heaps": np.where(rng.random(20_000) < 0.3, lattice.low, lattice.high),
    }[kind]
    made = pile(values, lattice)
    wanted = np.concatenate([rng.integers(1, 20_001, 200), [1, 20_000, 10_000, 10_000]])
    assert made.count == 20_000
    assert made.ranks(wanted).tolist() == np.sort(values)[wanted - 1].tolist()


def test_every_rank_at_once(monkeypatch):
    monkeypatch.setattr(module, "OUTRIGHT", 10)
    lattice = Lattice(0, 2**40, Fraction(1))
    values = np.random.default_rng(0).integers(0, 2**40, 3_000)
    wanted = np.arange(1, 3_001)
    assert pile(values, lattice).ranks(wanted).tolist() == np.sort(values).tolist()


def test_lots_hold_all_slopes_once(monkeypatch):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=50), rng.normal(size=50)
    whole = all_slopes(x, y)
    monkeypatch.setattr(module, "LOT", 100)
    lots = list(slopes(deal(x, y, 1), FINE))
    assert len(lots) > 5
    assert np.concatenate(lots).tolist() == whole.tolist()


def test_a_pile_is_withheld():
    assert repr(pile(np.arange(3), FINE)) == "<Pile: withheld>"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 16, 33])
@pytest.mark.parametrize("lot", [1, 7, 1 << 16])
def test_each_crossing_is_counted_and_listed_once(n, lot, monkeypatch):
    monkeypatch.setattr(module, "LISTED", lot)
    rng = np.random.default_rng(n)
    for _ in range(10):
        first, second = rng.permutation(2 * n), rng.permutation(2 * n)
        place, other = np.argsort(first), np.argsort(second)
        known = {
            (left, right)
            for left in range(n)
            for right in range(n)
            if place[left] < place[n + right] and other[left] > other[n + right]
        }
        crossings = Crossings(first, second)
        found = [
            pair for lot in crossings.pairs() for pair in zip(lot[0].tolist(), lot[1].tolist(), strict=True)
        ]
        assert crossings.count() == len(found) == len(known) and set(found) == known


def test_equal_orders_have_no_crossing_and_opposite_ones_all():
    rows = np.arange(2000)
    assert Crossings(rows, rows).count() == 0
    assert Crossings(rows, rows[::-1]).count() == 1000 * 1000


def test_ranges_are_listed_in_lots(monkeypatch):
    monkeypatch.setattr(module, "LISTED", 5)
    starts, stops = np.array([3, 0, 7]), np.array([5, 9, 8])
    lots = list(listed(starts, stops))
    assert len(lots) == 3
    some, numbers = (np.concatenate(each).tolist() for each in zip(*lots, strict=True))
    assert some == [0] * 2 + [1] * 9 + [2]
    assert numbers == [3, 4, *range(9), 7]


LATTICES = {
    "default": Lattice.between((-4.0, 4.0)),
    "finest": Lattice.between((-1.0, 2.0), Fraction(1, 2**49)),
    "coarse": Lattice.between((-4, 4), 1),
    "positive": Lattice.between((0.5, 2.0)),
}

ROWS = {
    "a line": lambda rng, n: (rng.normal(size=n), rng.normal(size=n)),
    "ties in x": lambda rng, n: (rng.integers(0, 4, n) * 1.0, rng.normal(size=n)),
    "few rows, many copies": lambda rng, n: (rng.integers(0, 3, n) - 1.0, rng.choice([0.0, -0.0, 1.0], n)),
    "a grid": lambda rng, n: (rng.integers(0, 9, n) - 1.0, rng.integers(0, 7, n) / 7),
    "slopes on edges": lambda rng, n: (rng.integers(0, 3, n) * 2.0, rng.integers(0, 4, n) * 1.0),
    "sorted": lambda rng, n: (np.arange(n) * 1.0, np.sort(rng.normal(size=n))),
    "one slope": lambda rng, n: (np.arange(n) / 10, np.arange(n) * 0.3 + 1e6),
    "close together": lambda rng, n: (
        rng.integers(-1, 2, n) + rng.integers(0, 30, n) * 2.0**-52,
        rng.integers(-1, 2, n) + rng.integers(0, 30, n) * 2.0**-52,
    ),
    "far and near": lambda rng, n: (
        rng.choice([1e300, 1e-300, 5e-324, -1.0], n),
        rng.choice([1e300, 1.0, 0.0], n),
    ),
}


def rows_and_slopes(kind, n, lattice, monkeypatch):
    x, y = ROWS[kind](np.random.default_rng(n), n)
    with monkeypatch.context() as few:
        few.setattr(module, "OUTRIGHT", 0)
        pairs = AllPairs.of(x, y, lattice)
    known = np.sort(np.concatenate([*slopes(deal(x, y, 1), lattice), np.zeros(0, np.int64)]))
    assert pairs.count == known.size
    return pairs, known


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)
@pytest.mark.parametrize("kind", ROWS)
def test_slopes_up_to_an_index_are_counted_exactly(kind, lattice, monkeypatch):
    pairs, known = rows_and_slopes(kind, 40, lattice, monkeypatch)
    for index in {int(k) + d for k in known[:: 1 + known.size // 9] for d in (-1, 0)}:
        if lattice.low <= index < lattice.high:
            assert pairs.up_to(index) == np.count_nonzero(known <= index)


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)
@pytest.mark.parametrize("kind", ROWS)
def test_ranks_of_all_pairs_are_those_of_a_sort(kind, lattice, monkeypatch):
    """In small brackets that are listed, and down to single points; one rank, some, and all of them."""
    monkeypatch.setattr(module, "NEAR", 1)
    for n in (2, 5, 31):
        pairs, known = rows_and_slopes(kind, n, lattice, monkeypatch)
        if known.size == 0:
            continue
        all_ranks = np.arange(1, known.size + 1)
        for spare, most in ((1, 30), (20, 1 << 24)):
            monkeypatch.setattr(module, "WORTH", spare)
            monkeypatch.setattr(module, "ROOM", most)
            for wanted in (all_ranks, all_ranks[-1:], all_ranks[known.size // 2 :: 7]):
                found = pairs._search(wanted)
                assert found is None or np.array_equal(found, known[wanted - 1])
                assert found is not None or most == 30 or kind == "far and near"


def test_ranks_may_come_in_any_order_and_repeat(monkeypatch):
    pairs, known = rows_and_slopes("a line", 40, LATTICES["default"], monkeypatch)
    wanted = np.array([700, 3, 3, 780, 41])
    assert np.array_equal(pairs.ranks(wanted), known[wanted - 1])


def test_where_cuts_run_out_slopes_are_counted_by_cells(monkeypatch):
    pairs, known = rows_and_slopes("a line", 40, LATTICES["default"], monkeypatch)
    monkeypatch.setattr(module, "ROOM", 10)
    monkeypatch.setattr(module, "CUTS", -1000)
    wanted = np.array([1, 400, 401])
    assert pairs._search(wanted) is None
    assert np.array_equal(pairs.ranks(wanted), known[wanted - 1])


def test_rows_that_no_order_tells_apart_are_left_to_cells(monkeypatch):
    """Memory and time do not grow with the number of pairs that tie."""
    pairs, _ = rows_and_slopes("close together", 40, LATTICES["default"], monkeypatch)
    assert pairs.up_to(0) is not None
    monkeypatch.setattr(module, "ROOM", 10)
    monkeypatch.setattr(module, "NEAR", 1 << 20)
    assert pairs.up_to(0) is None
    monkeypatch.setattr(module, "OUTRIGHT", 0)
    steep = AllPairs.of(np.array([0.0, 1.0, 2.0**999]), np.zeros(3), Lattice.between((0.0, 2.0**1000)))
    assert steep.up_to(steep.lattice.high - 1) is None


def test_few_or_endless_rows_are_none_of_its_business(monkeypatch):
    lattice = LATTICES["default"]
    assert AllPairs.of(np.zeros(9), np.zeros(9), lattice) is None
    monkeypatch.setattr(module, "OUTRIGHT", 0)
    assert AllPairs.of(np.zeros(9), np.zeros(9), lattice).count == 0
    assert AllPairs.of(np.array([0.0, np.inf]), np.zeros(2), lattice) is None
    assert AllPairs.of(np.array([0.0, 1.0]), np.array([0.0, 2.0**1000]), lattice) is None


def test_all_pairs_are_withheld(monkeypatch):
    assert repr(rows_and_slopes("a line", 5, LATTICES["coarse"], monkeypatch)[0]) == "<AllPairs: withheld>"


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("levels", [20, 400])
def test_envelopes_are_the_same(neighbors, levels, monkeypatch):
    """At 400 levels ranks run out on both sides."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 300, 400) / 7
    y = 2 * x + rng.normal(size=400)
    statistic = TheilSen()
    frame = statistic.frame((-10.0, 10.0), None)
    rows = ArrayRows((x, y), frame.records, neighbors)
    known = statistic.envelope(rows, frame.answers, levels)
    monkeypatch.setattr(module, "OUTRIGHT", 1000)
    monkeypatch.setattr(module, "ROOM", 1 << 14)
    monkeypatch.setattr("noisewise.statistics.theil_sen.theil_sen.Pile", None)
    found = statistic.envelope(rows, frame.answers, levels)
    assert np.array_equal(known.lower, found.lower) and np.array_equal(known.upper, found.upper)
