"""How far edits move a Gini coefficient: the search against every subset that edits can leave, and the bound beyond.

The bound holds the exact levels, it nests, and it is close where records are many.
"""

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.hazmat import law
from noisewise.statistics.gini import gini as module
from noisewise.statistics.gini import reach
from noisewise.statistics.gini.gini import Gini
from noisewise.statistics.gini.reach import _spread
from tests.statistics.gini.test_gini import naive
from tests.statistics.neighbourhood import HIGH, RELATIONS, drawn, edited, envelope, floored, kept


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("seed", range(4))
def test_levels_are_the_best_over_all_that_can_be_kept(relation: str, seed: int) -> None:
    """What is added is tried at every mixture of the bounds, for the maximum, and of records, for the minimum."""
    rng = np.random.default_rng(seed)
    x = drawn(rng, 6)
    ours, least, most = envelope(Gini(), x, relation, 4), [], []
    for l in range(5):
        for rest, added in kept(x, relation, l):
            ends = combinations_with_replacement([0, HIGH], added)
            most += [naive((*rest, *new)) for new in ends]
            inside = combinations_with_replacement(sorted({*rest, HIGH}), min(added, 2))
            least += [naive((*rest, *new, *new[:1] * (added - 2))) for new in inside]
        assert ours.level(l) == (floored(least, min), floored(most, max)), (x, l)


@pytest.mark.parametrize("relation", RELATIONS)
def test_ten_records(relation: str) -> None:
    """All added records equal, and split between the bounds: the two shapes that are proved to be best."""
    rng = np.random.default_rng(7)
    for _ in range(3):
        x = drawn(rng, 10)
        ours, least, most = envelope(Gini(), x, relation, 5), [], []
        for l in range(6):
            for rest, added in kept(x, relation, l):
                most += [naive((*rest, *[0] * j, *[HIGH] * (added - j))) for j in range(added + 1)]
                least += [naive((*rest, *[u] * added)) for u in {*rest, HIGH}]
            assert ours.level(l) == (floored(least, min), floored(most, max)), (x, l)


def test_python_integers_where_64_bits_are_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    x = drawn(np.random.default_rng(4), 60)
    quick = envelope(Gini(), x, "add_remove", 50)
    monkeypatch.setattr(reach, "ROOM", 1)
    slow = envelope(Gini(), x, "add_remove", 50)
    assert (quick.lower.tolist(), quick.upper.tolist()) == (slow.lower.tolist(), slow.upper.tolist())


def test_differences_add_up_beyond_64_bits() -> None:
    """Half of the records at 0 and half at 2^33: all pairs across, far above 2^63 in all."""
    half = 100_000
    records = np.repeat(np.array([0, 2**33]), half)
    assert _spread(records) == half * half * 2**33 > 2**63
    assert Fraction(_spread(records), 2 * half * half * 2**33) == Fraction(1, 2)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("exact", [1, 3, 32])
def test_neighbours_nest_where_exact_levels_end(
    monkeypatch: pytest.MonkeyPatch, relation: str, exact: int
) -> None:
    rng = np.random.default_rng(exact)
    monkeypatch.setattr(module, "EXACT_LEVELS", exact)
    for n in (1, 2, 5, 9, 20, 34, 60, 200, 200):
        x = drawn(rng, n)
        ours = envelope(Gini(), x, relation, 40)
        assert is_monotone(ours)
        for _ in range(3):
            other = envelope(Gini(), edited(rng, x, relation), relation, 40)
            assert nests_in(ours, other) and nests_in(other, ours), x


@pytest.mark.parametrize("relation", RELATIONS)
def test_it_holds_the_exact_envelope(monkeypatch: pytest.MonkeyPatch, relation: str) -> None:
    rng = np.random.default_rng(5)
    for n in (3, 6, 12, 30, 100, 100):
        x, envelopes = drawn(rng, n), []
        for exact in (17, 1):
            monkeypatch.setattr(module, "EXACT_LEVELS", exact)
            envelopes.append(envelope(Gini(), x, relation, 16))
        best, ours = envelopes
        assert np.all(ours.lower <= best.lower) and np.all(best.upper <= ours.upper), x


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("bounds", [(0, 1_000_000), (1000, 1_000_000)])
def test_it_is_close_where_records_are_many(
    monkeypatch: pytest.MonkeyPatch, relation: str, bounds: Any
) -> None:
    """Within 4% of the exact envelope at level 12 of 10,000 records: what is lost is of second order."""
    x, envelopes = np.random.default_rng(6).lognormal(10.5, 0.8, 10_000), []
    for exact in (13, 1):
        monkeypatch.setattr(module, "EXACT_LEVELS", exact)
        shown = law(Gini(), x, bounds=bounds, epsilon=1, neighbors=relation, levels=12)
        envelopes.append(shown.envelope)
    (low, high), (lower, higher), (centre, _) = (
        envelopes[0].level(12),
        envelopes[1].level(12),
        envelopes[0].level(0),
    )
    assert high <= higher <= centre + 1.04 * (high - centre)
    assert low >= lower >= centre - 1.04 * (centre - low)


@pytest.mark.parametrize("relation", RELATIONS)
def test_many_levels_end_at_the_bounds(relation: str) -> None:
    """So few records that all can change: 0 and 1 are reached before the levels run out."""
    x = drawn(np.random.default_rng(8), 120)
    ours = envelope(Gini(), x, relation, 120)
    assert ours.level(120) == (0, 1000) and is_monotone(ours)
