"""Trimmed and winsorized means where exact levels end, at 1024, by data of up to 2600 records."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from noisewise.statistics import trimmed_mean as module
from noisewise.statistics.trimmed_mean import EXACT_LEVELS, TrimmedMean, WinsorizedMean
from tests.attacks.pairs import HIGH, Attack, Data, neighbours
from tests.statistics.test_envelopes import grouped, one_by_one, same

RELATIONS = ["add_remove", "swap"]
MEANS = [TrimmedMean(0), TrimmedMean("1/10"), WinsorizedMean("1/10"), WinsorizedMean("49/100")]


def some(x: Data, relation: str, kinds: int = 3) -> list[Data]:
    return list(neighbours(x, relation))[::2][:kinds]


def lopsided(n: int, alpha: Fraction, left: int = 6) -> list[Data]:
    """All at the two ends, and where exact levels end only so many of one end can be left. To remove those is best at
    every level, so the last block of d decides, and one level more or less is much.
    """
    few = EXACT_LEVELS + left + alpha * (n - EXACT_LEVELS) // 1
    return [[0] * few + [HIGH] * (n - few), [HIGH] * few + [0] * (n - few)]


def wild(rng: np.random.Generator, n: int) -> list[Data]:
    return [
        rng.integers(0, HIGH + 1, n).tolist(),
        np.minimum(rng.lognormal(7, 2, n), HIGH).astype(int).tolist(),
        rng.choice([0, 1, HIGH // 2, HIGH], n).tolist(),
    ]


@pytest.mark.parametrize("statistic", MEANS, ids=str)
def test_neighbours_nest_where_exact_levels_end(statistic: Any) -> None:
    rng, attack = np.random.default_rng(1), Attack(statistic, EXACT_LEVELS, "add_remove", beyond=20)
    for x in (*lopsided(2600, statistic.alpha), wild(rng, 1600)[0], wild(rng, EXACT_LEVELS + 2)[1]):
        assert attack.worst(x, some(x, "add_remove")) <= 0


@pytest.mark.parametrize("statistic", [MEANS[1], MEANS[2]], ids=str)
def test_swapped_records_nest_beyond_that_level(statistic: Any) -> None:
    rng, attack = np.random.default_rng(2), Attack(statistic, EXACT_LEVELS, "swap")
    for x in (*lopsided(2600, statistic.alpha), *wild(rng, 1300)):
        assert attack.worst(x) <= 0


def test_climbing_finds_no_break() -> None:
    rng, attack = np.random.default_rng(3), Attack(TrimmedMean("1/10"), EXACT_LEVELS, "add_remove")
    assert attack.climb(rng, lopsided(2600, Fraction(1, 10))[0], 12) <= 0


@pytest.mark.parametrize("statistic", [MEANS[0], MEANS[2]], ids=str)
def test_costs_move_by_at_most_one_across_the_joint(statistic: Any) -> None:
    attack, x = Attack(statistic, EXACT_LEVELS, "add_remove"), lopsided(2600, statistic.alpha)[0]
    assert attack.dearest(x, some(x, "add_remove", 2)) <= 1


@pytest.mark.parametrize("statistic", [MEANS[1], MEANS[2]], ids=str)
def test_groups_at_once_are_one_by_one_across_the_joint(statistic: Any) -> None:
    rng, levels = np.random.default_rng(4), EXACT_LEVELS + 4
    groups = [lopsided(2600, statistic.alpha)[0], *wild(rng, 1040)[:2], wild(rng, EXACT_LEVELS - 1)[2]]
    frame = statistic.frame((0, HIGH), None)
    found = statistic.envelopes(grouped(groups, frame.records), frame.answers, levels)  # type: ignore[arg-type]
    assert same(found, one_by_one(statistic, groups, frame, levels))  # type: ignore[arg-type]


# The attacks themselves, on a bound that is used one level too late.

SOME_AT_A_TIME = module._some_at_a_time


def late(first: int, stop: int, rows: int) -> Iterator[NDArray[np.int64]]:
    return (edits - (first == EXACT_LEVELS) for edits in SOME_AT_A_TIME(first, stop, rows))


@pytest.mark.parametrize("statistic", MEANS[:2], ids=str)
def test_the_attacks_notice_a_bound_that_comes_one_level_late(
    statistic: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_some_at_a_time", late)
    attack, data = Attack(statistic, EXACT_LEVELS, "add_remove"), lopsided(2600, statistic.alpha)
    assert any(attack.worst(x) > 0 for x in data)
    assert any(attack.dearest(x) > 1 for x in data)
