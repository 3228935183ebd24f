"""Ranks among all slopes by counting crossings, against a sort of all slopes, bit by bit."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.theil_sen import all_pairs as room
from noisewise.statistics.theil_sen.all_pairs import AllPairs
from noisewise.statistics.theil_sen.slopes import deal, slopes
from noisewise.statistics.theil_sen.theil_sen import TheilSen
from noisewise.tables.columns.array_rows import ArrayRows

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
    monkeypatch.setattr(room, "OUTRIGHT", 0)
    x, y = ROWS[kind](np.random.default_rng(n), n)
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
def test_ranks_are_those_of_a_sort(kind, lattice, monkeypatch):
    """In small brackets that are listed, and down to single points; one rank, some, and all of them."""
    monkeypatch.setattr(room, "NEAR", 1)
    for n in (2, 5, 31):
        pairs, known = rows_and_slopes(kind, n, lattice, monkeypatch)
        if known.size == 0:
            continue
        all_ranks = np.arange(1, known.size + 1)
        for spare, most in ((1, 30), (20, 1 << 24)):
            monkeypatch.setattr(room, "WORTH", spare)
            monkeypatch.setattr(room, "ROOM", most)
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
    monkeypatch.setattr(room, "ROOM", 10)
    monkeypatch.setattr(room, "CUTS", -1000)
    wanted = np.array([1, 400, 401])
    assert pairs._search(wanted) is None
    assert np.array_equal(pairs.ranks(wanted), known[wanted - 1])


def test_rows_that_no_order_tells_apart_are_left_to_cells(monkeypatch):
    """Memory and time do not grow with the number of pairs that tie."""
    pairs, _ = rows_and_slopes("close together", 40, LATTICES["default"], monkeypatch)
    assert pairs.up_to(0) is not None
    monkeypatch.setattr(room, "ROOM", 10)
    monkeypatch.setattr(room, "NEAR", 1 << 20)
    assert pairs.up_to(0) is None
    steep = AllPairs.of(np.array([0.0, 1.0, 2.0**999]), np.zeros(3), Lattice.between((0.0, 2.0**1000)))
    assert steep.up_to(steep.lattice.high - 1) is None


def test_few_or_endless_rows_are_none_of_its_business(monkeypatch):
    lattice = LATTICES["default"]
    assert AllPairs.of(np.zeros(9), np.zeros(9), lattice) is None
    monkeypatch.setattr(room, "OUTRIGHT", 0)
    assert AllPairs.of(np.zeros(9), np.zeros(9), lattice).count == 0
    assert AllPairs.of(np.array([0.0, np.inf]), np.zeros(2), lattice) is None
    assert AllPairs.of(np.array([0.0, 1.0]), np.array([0.0, 2.0**1000]), lattice) is None


def test_what_is_secret_is_withheld(monkeypatch):
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
    monkeypatch.setattr(room, "OUTRIGHT", 1000)
    monkeypatch.setattr(room, "ROOM", 1 << 14)
    monkeypatch.setattr("noisewise.statistics.theil_sen.theil_sen.Pile", None)
    found = statistic.envelope(rows, frame.answers, levels)
    assert np.array_equal(known.lower, found.lower) and np.array_equal(known.upper, found.upper)
