"""Windows of records that are removed from many groups at once are those that a search one by one finds."""

from typing import Any

import numpy as np
import pytest

from noisewise.statistics.variance import variance_groups as module
from noisewise.statistics.variance.std import Std
from noisewise.statistics.variance.variance import Variance
from tests.statistics.test_envelopes import grouped, one_by_one, same

SHAPES = {
    "uniform": lambda rng, n: rng.random(n),
    "two humps": lambda rng, n: rng.beta(0.4, 0.4, n),
    "two ends": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "ends and the middle": lambda rng, n: rng.integers(0, 3, n) / 2,
    "low": lambda rng, n: rng.random(n) ** 3,
}


@pytest.mark.parametrize("statistic", [Variance(), Std()], ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_removing_raises_variances_as_one_by_one(
    statistic: Any, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups of different sizes in one block; none is left to be worked out by itself."""
    rng, alone = np.random.default_rng(7), list[int]()
    plain = module._Levels._one_by_one

    def counted(self: Any, levels: Any, groups: Any, side: Any) -> None:
        alone.extend(np.flatnonzero(groups).tolist())
        plain(self, levels, groups, side)

    monkeypatch.setattr(module._Levels, "_one_by_one", counted)
    groups = [SHAPES[shape](rng, n).tolist() for n in (3, 11, 12, 30, 31, 64)]
    frame = statistic.frame((0.0, 1.0), None)
    for levels in (9, 26):
        found = statistic.envelopes(grouped(groups, frame.records), frame.answers, levels)
        assert same(found, one_by_one(statistic, groups, frame, levels))
    assert not alone


def test_only_what_lies_near_the_means_is_read() -> None:
    """Many records: the middle is a stretch of its own, of another size in each group, and the last group is short."""
    rng = np.random.default_rng(8)
    groups = [rng.beta(0.3, 0.3, n).tolist() for n in (250, 300, 260)] + [
        [0.0] * 100 + [1.0] * 160,
        [0.5] * 2,
    ]
    frame = Variance().frame((0.0, 1.0), None)
    found = Variance().envelopes(grouped(groups, frame.records), frame.answers, 12)
    assert same(found, one_by_one(Variance(), groups, frame, 12))


def test_a_long_group_makes_no_long_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, whatever one group holds: groups with much in the middle are worked out by themselves."""
    monkeypatch.setattr(module, "LONGEST", 20)
    rows, plain = list[int](), module.Removals.search
    monkeypatch.setattr(
        module.Removals, "search", lambda self, edits: rows.append(len(self.records)) or plain(self, edits)
    )
    rng = np.random.default_rng(9)
    groups = [rng.random(n).tolist() for n in (5, 12, 18, 30, 60)]
    frame = Variance().frame((0.0, 1.0), None)
    found = Variance().envelopes(grouped(groups, frame.records), frame.answers, 15)
    assert same(found, one_by_one(Variance(), groups, frame, 15))
    assert rows and max(rows) <= 20
