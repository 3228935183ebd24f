"""Slopes against their definition, and ranks found by counting against a sort."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from noisewise.columns.rows import ArrayRows
from noisewise.numbers.lattice import Lattice
from noisewise.statistics import slopes as room
from noisewise.statistics.slopes import AllPairs, Pile, deal, slopes
from noisewise.statistics.theil_sen import TheilSen

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
    monkeypatch.setattr(room, "BLOCK", block)
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
def test_ranks_are_those_of_a_sort(points, kind, outright, counters, monkeypatch):
    monkeypatch.setattr(room, "OUTRIGHT", outright)
    monkeypatch.setattr(room, "COUNTERS", counters)
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
    monkeypatch.setattr(room, "OUTRIGHT", 10)
    lattice = Lattice(0, 2**40, Fraction(1))
    values = np.random.default_rng(0).integers(0, 2**40, 3_000)
    wanted = np.arange(1, 3_001)
    assert pile(values, lattice).ranks(wanted).tolist() == np.sort(values).tolist()


def test_lots_hold_all_slopes_once(monkeypatch):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=50), rng.normal(size=50)
    whole = all_slopes(x, y)
    monkeypatch.setattr(room, "LOT", 100)
    lots = list(slopes(deal(x, y, 1), FINE))
    assert len(lots) > 5
    assert np.concatenate(lots).tolist() == whole.tolist()


def test_what_is_secret_is_withheld():
    assert repr(pile(np.arange(3), FINE)) == "<Pile: withheld>"


ROWS = {
    "a line": lambda rng, n: (rng.normal(size=n), rng.normal(size=n)),
    "ties in x": lambda rng, n: (rng.integers(0, 4, n) * 1.0, rng.normal(size=n)),
    "few rows, many copies": lambda rng, n: (rng.integers(0, 3, n) - 1.0, rng.integers(0, 3, n) * -0.0),
    "sorted": lambda rng, n: (np.arange(n) * 1.0, np.sort(rng.normal(size=n))),
    "far and near": lambda rng, n: (
        rng.choice([1e300, 1e-300, 5e-324, -1.0], n),
        rng.choice([1e300, 1.0, 0.0], n),
    ),
}


@pytest.mark.parametrize("n", [2, 5, 31, 60])
@pytest.mark.parametrize("kind", ROWS)
def test_ranks_between_two_slopes_are_those_of_a_sort(kind, n, monkeypatch):
    """Blocks of few rows, and a sample that is small next to them: every rank that is told is the right one."""
    monkeypatch.setattr(room, "OUTRIGHT", 0)
    monkeypatch.setattr(room, "SAMPLE", 1 << 10)
    monkeypatch.setattr(room, "TALL", 3)
    monkeypatch.setattr(room, "WIDE", 5)
    x, y = ROWS[kind](np.random.default_rng(n), n)
    lattice = Lattice.between((-4.0, 4.0))
    known = np.sort(np.concatenate([*slopes(deal(x, y, 1), lattice), np.zeros(0, np.int64)]))
    pairs = AllPairs.of(x, y)
    assert pairs is not None and pairs.count == known.size
    told = 0
    for rank in range(1, known.size + 1, 1 + known.size // 12):
        wanted = np.array([min(rank + 3, known.size), rank])
        found = pairs.ranks(wanted, lattice)
        assert found is None or np.array_equal(found, known[wanted - 1])
        told += found is not None
    assert told > 5 or n < 60


def test_where_one_pass_does_not_tell_nothing_is_told(monkeypatch):
    monkeypatch.setattr(room, "OUTRIGHT", 0)
    monkeypatch.setattr(room, "SAMPLE", 1 << 10)
    rng, lattice = np.random.default_rng(1), Lattice.between((-4.0, 4.0))
    x, y = rng.normal(size=(2, 90))
    pairs = AllPairs.of(x, y)
    assert pairs.ranks(np.array([2000]), lattice) is not None
    monkeypatch.setattr(AllPairs, "_bracket", lambda *_: (-0.001, 0.001))
    assert pairs.ranks(np.array([1]), lattice) is None
    assert pairs.ranks(np.array([pairs.count]), lattice) is None
    monkeypatch.setattr(AllPairs, "_bracket", lambda *_: (-9.0, 9.0))
    monkeypatch.setattr(room, "ROOM", 100)
    assert pairs.ranks(np.array([2000]), lattice) is None
    assert AllPairs.of(np.array([0.0, np.inf]), np.zeros(2)) is None
    assert AllPairs.of(np.array([0.0, 1.0]), np.array([0.0, 2.0**1000])) is None


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_envelopes_are_the_same_by_one_pass(neighbors, monkeypatch):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 300, 400) / 7
    y = 2 * x + rng.normal(size=400)
    statistic = TheilSen()
    frame = statistic.frame((-10.0, 10.0), None)
    rows = ArrayRows((x, y), frame.records, neighbors)
    known = statistic.envelope(rows, frame.answers, 20)
    monkeypatch.setattr(room, "OUTRIGHT", 1000)
    monkeypatch.setattr(room, "SAMPLE", 1 << 14)
    monkeypatch.setattr("noisewise.statistics.theil_sen.Pile", None)
    found = statistic.envelope(rows, frame.answers, 20)
    assert np.array_equal(known.lower, found.lower) and np.array_equal(known.upper, found.upper)
