"""Variances and standard deviations where exact levels end, at 48 and 1024, by data of up to 2600 records."""

from itertools import chain, islice
from typing import Any

import numpy as np
import pytest

from noisewise.statistics.variance import variance as module
from noisewise.statistics.variance.variance import EXACT_LOWER, EXACT_UPPER, Std, Variance
from tests.attacks.pairs import HIGH, Attack, Data, neighbours
from tests.statistics.test_envelopes import grouped, one_by_one, same

RELATIONS = ["add_remove", "swap"]


def tight_above(rng: np.random.Generator, n: int) -> list[Data]:
    """Here the bound of the upper side has little room: there are records at every mean in reach to remove."""
    return [
        [HIGH // 2] * n,
        np.linspace(0, HIGH, n).astype(int).tolist(),
        rng.integers(HIGH // 2 - HIGH // 20, HIGH // 2 + HIGH // 20, n).tolist(),
        [0] * (n // 3) + rng.integers(HIGH // 5, HIGH * 4 // 5, n - n // 3).tolist(),
        [HIGH // 10] * n,
    ]


def wide_above(rng: np.random.Generator, n: int) -> list[Data]:
    """Here all records are far from their mean, and the search for what to remove has many valleys."""
    return [
        [0] * (n // 2) + [HIGH] * (n - n // 2),
        [0] * (n // 3) + [HIGH] * (n - n // 3),
        rng.choice([0, 1, HIGH - 1, HIGH], n).tolist(),
        np.minimum(rng.lognormal(7, 2, n), HIGH).astype(int).tolist(),
    ]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(
    ("statistic", "n"),
    [(Variance(), EXACT_UPPER + 2), (Std(), 2 * EXACT_UPPER + 1), (Variance(), 260)],
    ids=str,
)
def test_neighbours_nest_where_the_exact_upper_side_ends(relation: str, statistic: Any, n: int) -> None:
    rng, attack = np.random.default_rng(n), Attack(statistic, EXACT_UPPER, relation)
    for x in tight_above(rng, n) + wide_above(rng, n):
        assert attack.worst(x) <= 0, x


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("n", [60, 230])
def test_climbing_finds_no_break_at_the_upper_side(relation: str, n: int) -> None:
    rng, attack = np.random.default_rng(n), Attack(Variance(), EXACT_UPPER, relation)
    for x in (tight_above(rng, n)[2], wide_above(rng, n)[3]):
        assert attack.climb(rng, x, 25) <= 0


def tight_below(n: int) -> list[Data]:
    """Here the bound of the lower side is exact: what is removed is at the far end, and there is enough of it."""
    far = EXACT_LOWER + 90
    return [[0] * (n - far) + [HIGH] * far, [*range(0, HIGH // 5, HIGH // 1000)] * 6 + [HIGH] * far]


@pytest.mark.parametrize("relation", RELATIONS)
def test_neighbours_nest_where_the_exact_lower_side_ends(relation: str) -> None:
    attack, n = Attack(Variance(), EXACT_LOWER, relation), EXACT_LOWER + 3
    for x in (*tight_below(2600), np.linspace(HIGH // 3, HIGH // 2, n).astype(int).tolist()):
        assert attack.worst(x) <= 0, x


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("joint", [EXACT_UPPER, EXACT_LOWER])
def test_costs_move_by_at_most_one_across_the_joint(relation: str, joint: int) -> None:
    rng = np.random.default_rng(2)
    data = tight_above(rng, 250)[:3] if joint == EXACT_UPPER else tight_below(2600)
    for x in data:
        attack = Attack(Variance(), joint, relation)
        assert attack.dearest(x, list(neighbours(x, relation))[::3]) <= 1


def test_groups_at_once_are_one_by_one_across_both_joints() -> None:
    rng, statistic = np.random.default_rng(4), Variance()
    groups = [*tight_below(2600), tight_above(rng, 60)[3], wide_above(rng, 1100)[3]]
    frame = statistic.frame((0, HIGH), None)
    found = statistic.envelopes(grouped(groups, frame.records), frame.answers, EXACT_LOWER + 4)  # type: ignore[arg-type]
    assert same(found, one_by_one(statistic, groups, frame, EXACT_LOWER + 4))  # type: ignore[arg-type]


# The attacks themselves, on a bound that is used one level too late.


def late(near: Any, far: Any) -> Any:
    known = list(near)
    return chain(known, islice(far, max(len(known) - 1, 0), None))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("joint", [EXACT_UPPER, EXACT_LOWER])
def test_the_attacks_notice_a_bound_that_comes_one_level_late(
    relation: str, joint: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_spliced", late)
    rng, attack = np.random.default_rng(3), Attack(Variance(), joint, relation)
    data = tight_above(rng, 260) if joint == EXACT_UPPER else tight_below(2600)
    assert max(attack.worst(x) for x in data) > 0
    assert max(attack.dearest(x) for x in data[:2]) > 1
