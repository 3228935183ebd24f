"""The bound beyond the exact levels: it holds them, it nests, and it is close where records are many."""

from typing import Any

import numpy as np
import pytest

from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.hazmat import law
from noisewise.statistics.gini import gini as module
from noisewise.statistics.gini.gini import Gini
from tests.statistics.neighbourhood import RELATIONS, drawn, edited, envelope


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
