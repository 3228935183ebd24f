"""The fast way of a statistic in groups gives the very same levels as one group after the other."""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from noisewise import (
    IQR,
    Count,
    Mean,
    Proportion,
    Quantile,
    Range,
    Spread,
    Std,
    Sum,
    TrimmedMean,
    Variance,
    WinsorizedMean,
)
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.statistic import Statistic
from noisewise.tables.columns.array_column import declare
from noisewise.tables.groups.grouped_column import LocalGroups

QUESTIONS = [
    (Quantile("1/2"), (0, 10), None),
    (Quantile(0), (0, 10), None),
    (Quantile(1), (-5, 50), None),
    (Quantile("1/3"), (-5, 50), None),
    (Quantile(0.9), (0, 10), 2),
    (Quantile("1/1000000000000000000000"), (0, 10), None),
    (Count(), None, None),
    (Count(), None, 3),
    (Sum(), (-2, 50), None),
    (Sum(), (0, 9), 2),
    (Mean(), (-2, 50), None),
    (Mean(), (0, 1), 0.01),
    (Mean(), (-(2**50), 2**50), None),
    (Mean(), (2**50, 2**50 + 3), None),
    (Proportion(), None, None),
    (IQR(), (0, 10), None),
    (IQR(), (-5, 50), 4),
    (Range(), (-5, 50), None),
    (Spread("1/3", "1/2"), (0, 10), None),
    (Spread("3/5", "9/10"), (-5, 50), None),
    (Spread("1/1000000000000000000000", 1), (0, 10), None),
    (TrimmedMean(0), (0, 10), None),
    (TrimmedMean("1/10"), (-2, 50), None),
    (TrimmedMean("1/3"), (0, 1), 0.01),
    (TrimmedMean("1/5"), (2**50, 2**50 + 3), None),
    (TrimmedMean("1/1000000000000000000000"), (0, 10), None),
    (WinsorizedMean("1/4"), (-2, 50), None),
    (WinsorizedMean("49/100"), (-(2**50), 2**50), None),
    (Variance(), (-2, 50), None),
    (Variance(), (0, 1), 0.001),
    (Variance(exact=False), (0, 10), None),
    (Std(), (-2, 50), None),
    (Std(exact=False), (0, 10), 0.5),
]


def grouped(groups: list[list[float]], lattice: Lattice) -> LocalGroups:
    """Groups of these records, put together by hand."""
    columns = [declare(np.array(group, float)).read(lattice, "add_remove").ordered() for group in groups]
    offsets = np.concatenate([[0], np.cumsum([len(column) for column in columns])])
    return LocalGroups(np.concatenate(columns), offsets, lattice, "add_remove")


def same(a: Envelope, b: Envelope) -> bool:
    arrays = all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("lower", "upper", "offsets"))
    return arrays and (a.support, a.stride) == (b.support, b.stride)


def one_by_one(statistic: Statistic, groups: list[list[float]], frame: Any, levels: int) -> Envelope:
    return Envelope.stack(
        [
            statistic.envelope(
                declare(np.array(group, float)).read(frame.records, "add_remove"), frame.answers, levels
            )
            for group in groups
        ]
    )


@pytest.mark.parametrize("levels", [0, 1, 3, 50])
@pytest.mark.parametrize(("statistic", "bounds", "granularity"), QUESTIONS, ids=str)
def test_all_small_groups_at_once_are_one_by_one(
    statistic: Statistic, bounds: Any, granularity: Any, levels: int
) -> None:
    every = [list(group) for size in range(5) for group in combinations_with_replacement((7, 1, 0, -1), size)]
    frame = statistic.frame(bounds, granularity)
    found = statistic.envelopes(grouped(every, frame.records), frame.answers, levels)
    assert same(found, one_by_one(statistic, every, frame, levels))


@pytest.mark.parametrize(("statistic", "bounds", "granularity"), QUESTIONS, ids=str)
def test_large_and_uneven_groups_at_once_are_one_by_one(
    statistic: Statistic, bounds: Any, granularity: Any
) -> None:
    rng = np.random.default_rng(3)
    sizes = (0, 1, 700, 2, 0, 33, 90, 5, 1500)
    groups = [rng.choice([rng.normal(3, 9, size), rng.integers(0, 3, size)]).tolist() for size in sizes]
    frame = statistic.frame(bounds, granularity)
    for levels in (0, 88, 300):
        found = statistic.envelopes(grouped(groups, frame.records), frame.answers, levels)
        assert same(found, one_by_one(statistic, groups, frame, levels))


def test_many_groups_are_worked_through_in_parts() -> None:
    rng = np.random.default_rng(4)
    groups = [rng.integers(0, 100, size).tolist() for size in rng.integers(0, 60, 3000)]
    frame = Quantile("1/2").frame((0, 100), None)
    found = Quantile("1/2").envelopes(grouped(groups, frame.records), frame.answers, 200)
    assert found.lower.size > 2**16
    assert same(found, one_by_one(Quantile("1/2"), groups, frame, 200))


SHAPES = {
    "few values": lambda rng, size: rng.integers(0, 4, size),
    "whole numbers": lambda rng, size: rng.integers(-5, 60, size),
    "two ends": lambda rng, size: rng.choice([-99.0, 99.0], size),
    "all alike": lambda rng, size: np.full(size, rng.choice([0.0, 3.3, 50.0])),
    "normal": lambda rng, size: rng.normal(20, 9, size),
    "skewed": lambda rng, size: rng.lognormal(2, 1, size),
    "one far out": lambda rng, size: np.append(rng.normal(9, 1e-6, size), 50.0)[:size][::-1],
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "statistic",
    [
        *(Spread(*pair) for pair in ((0, 1), ("1/4", "3/4"), ("1/10", "9/10"), ("2/5", "3/5"), ("9/10", 1))),
        *(kind(alpha) for kind in (TrimmedMean, WinsorizedMean) for alpha in ("1/10", "123/1000", "49/100")),
        *(kind(exact=exact) for kind in (Variance, Std) for exact in (True, False)),
    ],
    ids=repr,
)
def test_random_groups_at_once_are_one_by_one_whatever_a_person_owns(statistic: Statistic, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for levels, most in ((2, 9), (7, 40), (45, 150)):
        shapes = rng.choice(list(SHAPES), 40)
        groups = [SHAPES[shape](rng, int(rng.integers(0, most))).tolist() for shape in shapes]
        frame = statistic.frame((0, 50), None)
        found = statistic.envelopes(grouped([[], *groups], frame.records), frame.answers, levels)
        known = one_by_one(statistic, [[], *groups], frame, levels)
        for owned in (1, 2, 3):
            assert same(found.per_person(owned), known.per_person(owned))


@pytest.mark.parametrize("exact_levels", [2, 5, 16])
@pytest.mark.parametrize(
    ("statistic", "where", "names"),
    [
        (IQR(), "spread.quantile_range", ["EXACT_LEVELS"]),
        (Spread("3/5", "9/10"), "spread.quantile_range", ["EXACT_LEVELS"]),
        (TrimmedMean("1/10"), "trimmed_mean", ["EXACT_LEVELS"]),
        (WinsorizedMean("1/4"), "trimmed_mean", ["EXACT_LEVELS"]),
        (Variance(), "variance.variance", ["EXACT_LOWER", "EXACT_UPPER"]),
    ],
    ids=str,
)
def test_bounds_beyond_the_exact_levels_are_those_of_one_by_one(
    statistic: Statistic, where: str, names: list[str], exact_levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in names:
        monkeypatch.setattr(f"noisewise.statistics.{where}.{name}", exact_levels)
    if where == "trimmed_mean":
        monkeypatch.setattr("noisewise.statistics.trimmed_mean.BLOCKS", 1)
    rng = np.random.default_rng(exact_levels)
    groups = [rng.integers(0, 50, size).tolist() for size in (0, 1, 2, 3, 9, 17, 17, 40, 41, 140, 144, 180)]
    frame = statistic.frame((0, 50), None)
    found = statistic.envelopes(grouped(groups, frame.records), frame.answers, 30)
    assert same(found, one_by_one(statistic, groups, frame, 30))


@pytest.mark.parametrize(
    "statistic",
    [IQR(), Range(), TrimmedMean("1/10"), WinsorizedMean("1/4"), Variance(), Std(exact=False)],
    ids=str,
)
def test_the_first_levels_are_the_same_however_many_are_asked_for(statistic: Statistic) -> None:
    assert statistic.nearest_first
    rng = np.random.default_rng(8)
    groups = [rng.normal(20, 15, size).tolist() for size in (0, 1, 2, 5, 8, 9, 30, 31, 90, 200)]
    frame = statistic.frame((0, 50), None)
    many = statistic.envelopes(grouped(groups, frame.records), frame.answers, 60)
    for few in (0, 1, 7, 30, 47, 48):
        found = statistic.envelopes(grouped(groups, frame.records), frame.answers, few)
        assert same(found, many.truncate(few))


AT_ONCE = [
    Count(),
    IQR(),
    Mean(),
    Proportion(),
    Quantile("1/2"),
    Range(),
    Std(),
    Sum(),
    TrimmedMean("1/10"),
    Variance(),
    WinsorizedMean("1/10"),
]


@pytest.mark.parametrize("statistic", AT_ONCE, ids=str)
def test_these_statistics_have_a_way_of_their_own(statistic: Statistic) -> None:
    assert type(statistic).envelopes is not Statistic.envelopes


NEAR_2_62 = [2**40 + 15, 2**40 + 21, 2**52 + 21, 2**54 + 7, 2**55 + 3, 2**57 + 9, 2**61 + 15]


@pytest.mark.parametrize("bottom", NEAR_2_62)
@pytest.mark.parametrize("levels", [3, 2**62, 2**63, 2**70])
def test_no_number_of_records_makes_shares_or_levels_fail(bottom: int, levels: int) -> None:
    """Which way is taken depends on the records, so both must come to an end, and to the same one."""
    low, high = f"1/{bottom}", f"{(bottom + 2) // 2}/{bottom + 2}"
    statistics = [Quantile(low), Spread(low, high), TrimmedMean(low), WinsorizedMean(low)]
    of_no_share = [Variance(), Std()] if bottom == NEAR_2_62[0] else []
    for statistic in (*statistics, *of_no_share):
        frame = statistic.frame((0, 10), None)
        for counts in ([0, 1], [2, 7], [30, 3], [5, 0, 90]):
            records = [[float(place % 11) for place in range(count)] for count in counts]
            groups = grouped(records, frame.records)
            fast = statistic.envelopes(groups, frame.answers, levels)
            assert same(fast, Statistic.envelopes(statistic, groups, frame.answers, levels))
