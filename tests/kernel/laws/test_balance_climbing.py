"""Balance on worlds too large to enumerate: a climber looks for the two neighbours that differ most.

From random data it changes one record, or the one that is added or replaced, and keeps what does not lower the loss.
The seed is fixed, so a run is the same every time; to look further, raise ``STEPS`` and change the seed.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest

import noisewise as nws
from noisewise import Quantile, hazmat
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.moves import FLOAT

STEPS, MOST = 120, 15
Relation = Literal["add_remove", "swap"]


def loss(statistic: Any, records: list[int], other: list[int], times: int, asked: dict[str, Any]) -> float:
    """The largest log ratio between two datasets, in units of epsilon, where kappa is so many times as large."""
    logs = []
    for data in (records, other):
        law = hazmat.law(statistic, data, mechanism="balance", **asked)
        assert isinstance(law, BalanceLaw)
        low, high = law.ends
        values = np.arange(low, high + 1) * float(law.granularity)
        logs.append(read_law(replace(law, kappa=times * law.kappa)).logpmf(values))
    return float(np.max(np.abs(logs[0] - logs[1]))) / float(asked["epsilon"])


def climb(statistic: Any, relation: Relation, seed: int, times: int = 1, **asked: Any) -> float:
    dice = np.random.default_rng(seed)
    low, high = asked["bounds"]
    asked["neighbors"] = relation

    def moved(value: int) -> int:
        reach = int(dice.choice([1, 10, high - low]))
        return int(np.clip(value + dice.integers(-reach, reach + 1), low, high))

    def neighbour(records: list[int], extra: int) -> list[int]:
        return [*records, extra] if relation == "add_remove" else [*records[1:], extra]

    records = dice.integers(low, high + 1, int(dice.integers(2, MOST))).tolist()
    extra = int(dice.choice([low, high]))
    best = loss(statistic, records, neighbour(records, extra), times, asked)
    for _ in range(STEPS):
        tried, other = list(records), extra
        what = dice.integers(0, 5)
        if what == 0:
            other = moved(extra)
        elif what == 1 and len(tried) < MOST:
            tried.insert(int(dice.integers(0, len(tried) + 1)), int(dice.integers(low, high + 1)))
        elif what == 2 and len(tried) > 1:
            del tried[int(dice.integers(0, len(tried)))]
        else:
            place = int(dice.integers(0, len(tried)))
            tried[place] = moved(tried[place])
        found = loss(statistic, tried, neighbour(tried, other), times, asked)
        if found >= best:
            records, extra, best = tried, other, found
    return best


CASES: list[Any] = [
    (Quantile("1/2"), "add_remove", {"bounds": (0, 1000), "epsilon": 1}),
    (Quantile("1/4"), "add_remove", {"bounds": (0, 200), "epsilon": Fraction(1, 2)}),
    (Quantile("9/10"), "add_remove", {"bounds": (0, 1000), "epsilon": 3}),
    (Quantile("1/3"), "swap", {"bounds": (0, 1000), "epsilon": 1}),
    (nws.Mean(), "add_remove", {"bounds": (0, 1000), "epsilon": 1, "granularity": 1}),
    (nws.Mean(), "add_remove", {"bounds": (0, 100), "epsilon": 4, "granularity": 1}),
]


@pytest.mark.parametrize(("statistic", "relation", "asked"), CASES)
def test_no_climb_leads_above_epsilon(statistic: Any, relation: Relation, asked: dict[str, Any]) -> None:
    assert 0.5 < climb(statistic, relation, seed=4, **asked) < 1 + FLOAT


@pytest.mark.parametrize(("statistic", "relation", "asked"), CASES[:1] + CASES[3:5])
def test_the_same_climb_finds_what_is_not_private(
    statistic: Any, relation: Relation, asked: dict[str, Any]
) -> None:
    assert climb(statistic, relation, seed=4, times=2, **asked) > 1.1
