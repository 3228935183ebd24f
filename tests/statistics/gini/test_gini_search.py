"""The search for the most and the least unequal data, against every subset that edits can leave."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from noisewise.statistics.gini import gini_search
from noisewise.statistics.gini.gini import Gini
from noisewise.statistics.gini.gini_search import _spread
from tests.statistics.gini.test_gini import naive
from tests.statistics.neighbourhood import HIGH, RELATIONS, drawn, envelope, floored, kept


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
    monkeypatch.setattr(gini_search, "ROOM", 1)
    slow = envelope(Gini(), x, "add_remove", 50)
    assert (quick.lower.tolist(), quick.upper.tolist()) == (slow.lower.tolist(), slow.upper.tolist())


def test_differences_add_up_beyond_64_bits() -> None:
    """Half of the records at 0 and half at 2^33: all pairs across, far above 2^63 in all."""
    half = 100_000
    records = np.repeat(np.array([0, 2**33]), half)
    assert _spread(records) == half * half * 2**33 > 2**63
    assert Fraction(_spread(records), 2 * half * half * 2**33) == Fraction(1, 2)
