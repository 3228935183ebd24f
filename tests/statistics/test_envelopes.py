"""The fast way of a statistic in groups gives the very same levels as one group after the other."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from noisewise import Count, Mean, Proportion, Quantile, Sum
from noisewise.columns.arrays import declare
from noisewise.envelope import Envelope
from noisewise.lattice import Lattice
from noisewise.statistics.statistic import Statistic
from noisewise.tables.groups import LocalGroups

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
    every = [list(group) for size in range(5) for group in product((-1, 0, 1, 7), repeat=size)]
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


@pytest.mark.parametrize("statistic", [Count(), Mean(), Proportion(), Quantile("1/2"), Sum()], ids=str)
def test_these_statistics_have_a_way_of_their_own(statistic: Statistic) -> None:
    assert type(statistic).envelopes is not Statistic.envelopes
