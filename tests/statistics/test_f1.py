"""F1 against its naive definition, on every small dataset of rows."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise import ParameterTypeError
from noisewise.audit.worlds import Dataset, World
from noisewise.statistics.f1 import F1
from tests.statistics.rows import RowLaws, assert_random_neighbours_nest, envelope

PAIRS = {0: (0, 0), 1: (0, 1), 2: (1, 0), 3: (1, 1), 4: (0.7, float("inf")), -1: (None, 1), -2: (1, None)}


def naive(x: Dataset) -> Fraction:
    """The harmonic mean of precision and recall."""
    rows = [PAIRS[int(code)] for code in x]
    hits = rows.count((1, 1))
    said, there = sum(p for _, p in rows), sum(y for y, _ in rows)
    if hits == 0:
        return Fraction(0)
    precision, recall = Fraction(hits, said), Fraction(hits, there)
    return 2 * precision * recall / (precision + recall)


class TestF1(RowLaws):
    statistic = F1()
    pairs = PAIRS
    bounds = None
    domain = (0, 1, 2, 3)
    records = (-2, 0, 1, 3, 4)
    granularities = (Fraction(1, 2), Fraction(1, 30), Fraction(1, 3))
    answer = staticmethod(naive)


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
def test_more_rows_against_brute_force(relation: str) -> None:
    """Both kinds of errors count the same, so one kind is enough here."""
    world = World((0, 1, 3), 8, relation)
    for x in world.datasets()[::3]:
        levels = 5 if relation == "add_remove" else min(5, len(x))
        least, most = world.envelope(naive, x, levels)
        y, p = zip(*(PAIRS[int(code)] for code in x), strict=True) if x else ((), ())
        ours = envelope(F1(), y, p, relation, granularity=Fraction(1, 10**6))
        for l in range(levels + 1):
            assert ours.level(l) == (least[l] * 10**6 // 1, most[l] * 10**6 // 1), (x, l)


def test_larger_data_nest() -> None:
    assert_random_neighbours_nest(F1(), lambda rng, n: rng.random((n, 2)) < 0.3, (1, 9, 70, 500))


def test_a_missing_row_changes_nothing_under_swap() -> None:
    with_gap = envelope(F1(), [1, 1, 0, None], [1, 0, 0, 1], "swap").level(0)
    assert with_gap == envelope(F1(), [1, 1, 0], [1, 0, 0], "add_remove").level(0)


def test_nobody_of_the_class() -> None:
    assert envelope(F1(), [0, 0], [0, 0], "swap", granularity=Fraction(1, 4)).upper.tolist() == [0, 4, 4]
    assert envelope(F1(), [], [], "add_remove", granularity=Fraction(1, 4)).level(0) == (0, 0)


def test_large_data_are_exact() -> None:
    rng = np.random.default_rng(1)
    y, p = rng.random((2, 100_000)) < 0.4
    hits, errors = int(np.sum(y & p)), int(np.sum(y != p))
    ours = envelope(F1(), y, p, "add_remove")
    assert ours.level(0) == (2 * hits * 2**32 // (2 * hits + errors),) * 2
    assert ours.level(50)[1] == max(
        2 * (hits + 50) * 2**32 // (2 * (hits + 50) + errors), 2 * hits * 2**32 // (2 * hits + errors - 50)
    )


def test_bounds_are_refused() -> None:
    with pytest.raises(ParameterTypeError, match="bounds must be left out for f1"):
        F1().frame((0, 1), None)
