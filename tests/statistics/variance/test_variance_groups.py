"""Variances of many groups at once are those of one group after the other, whatever floats leave open."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise.statistics.variance import variance_groups as module
from noisewise.statistics.variance.std import Std
from noisewise.statistics.variance.variance import Variance
from tests.statistics.test_envelopes import grouped, one_by_one, same


@pytest.mark.parametrize("statistic", [Variance(), Std()], ids=str)
@pytest.mark.parametrize("granularity", [Fraction(1, 4096), Fraction(1, 2**24), 1])
def test_variances_that_are_answers_are_settled_in_integers(statistic: Any, granularity: Any) -> None:
    """With 64 records, or 60 and four added ones, variances of whole numbers are multiples of 1/4096."""
    rng, bounds = np.random.default_rng(5), (0, 256)
    groups = [rng.integers(90, 200, n).tolist() for n in (64, 60, 63, 62, 68, 72, 128, 100)]
    groups += [[100] * 60 + [104] * 4, [3] * 64, [0] * 32 + [256] * 32, [1] * 80 + [255] * 5]
    frame = statistic.frame(bounds, granularity)
    for levels in (10, 60):
        found = statistic.envelopes(grouped(groups, frame.records), frame.answers, levels)
        assert same(found, one_by_one(statistic, groups, frame, levels))


def test_groups_worked_out_by_themselves_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incomes in groups of 100: nearly all of both sides follows from brackets."""
    rng, alone = np.random.default_rng(6), list[int]()
    plain = module._Levels._one_by_one

    def counted(self: Any, levels: Any, groups: Any, side: Any) -> None:
        alone.append(int(np.count_nonzero(groups)))
        plain(self, levels, groups, side)

    monkeypatch.setattr(module._Levels, "_one_by_one", counted)
    monkeypatch.setattr(module, "TOGETHER", 16)
    groups = [np.floor(rng.lognormal(10.5, 0.6, 100)).tolist() for _ in range(40)]
    frame = Std().frame((0, 500_000), None)
    found = Std().envelopes(grouped(groups, frame.records), frame.answers, 52)
    assert len(alone) == 6 and sum(alone) == 0
    assert same(found, one_by_one(Std(), groups, frame, 52))


@pytest.mark.parametrize("exact_levels", [1, 2, 9])
def test_the_bound_begins_where_exact_levels_end(exact_levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noisewise.statistics.variance.variance.EXACT_UPPER", exact_levels)
    rng = np.random.default_rng(exact_levels)
    groups = [rng.integers(0, 50, n).tolist() for n in (0, 1, 2, 9, 17, 40, 64, 100)] + [[0] * 9 + [50] * 9]
    for bounds in ((0, 50), (-1e6, 1e6)):
        frame = Variance().frame(bounds, None)
        found = Variance().envelopes(grouped(groups, frame.records), frame.answers, 30)
        assert same(found, one_by_one(Variance(), groups, frame, 30))
