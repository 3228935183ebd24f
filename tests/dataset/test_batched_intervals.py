"""Intervals of many groups at once: each is right as often as it says, as if its group were asked alone."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import ask
from noisewise.dataset.batched_intervals import IntervalBatch
from noisewise.dataset.batches import OneByOne, SharedReads
from noisewise.questions.noise_interval import AroundAnswer, BetweenEnds, FromSums

GROUPS = 2000
PAY = [3, 5, 5, 6, 7, 7, 8, 9, 12, 15] * 4
BETWEEN = {"bounds": (0, 20), "epsilon": 2, "interval": 0.9}
QUESTIONS = {
    "count": (ask.count(epsilon=2, interval=0.9), 40, AroundAnswer),
    "sum": (ask.sum("pay", **BETWEEN), 308, AroundAnswer),
    "median": (ask.median("pay", **BETWEEN), 7, BetweenEnds),
    "min": (ask.min("pay", **BETWEEN), 3, BetweenEnds),
    "mean": (ask.mean("pay", **BETWEEN), 7.7, FromSums),
    "variance": (ask.variance("pay", **BETWEEN), 11.41, FromSums),
    "trimmed_mean": (ask.trimmed_mean("pay", 0.1, **BETWEEN), 7.375, BetweenEnds),
    "iqr": (ask.iqr("pay", **BETWEEN), 4, BetweenEnds),
    "mean by balance": (ask.mean("pay", **BETWEEN, mechanism="balance"), 7.7, FromSums),
}


def in_groups(groups):
    frame = pl.DataFrame({"key": np.repeat(np.arange(groups), len(PAY)), "pay": PAY * groups})
    return nws.Dataset(frame).group_by("key", keys=range(groups))


@pytest.fixture(scope="module")
def by():
    return in_groups(GROUPS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_group_is_held_as_often_as_is_said(name, by):
    question, truth, kind = QUESTIONS[name]
    slow, groups = name == "variance", 40 if name == "variance" else GROUPS
    batch = (in_groups(groups) if slow else by)._bind(question, SharedReads())
    assert isinstance(batch, IntervalBatch) and isinstance(batch.inner, kind)
    release = batch.answer("paid")
    low, high = map(np.array, release.interval)
    held = np.mean((low <= truth + 1e-9) & (truth - 1e-9 <= high))
    assert held >= 0.9 - (0.2 if slow else 0.03), held
    assert np.all(low <= np.array(release.value)) and np.all(np.array(release.value) <= high)
    assert release.interval.scope == "each" and len(release.value) == groups
    if kind is AroundAnswer:
        assert held <= 0.985, "public noise is as wide as the law says"


def test_it_says_and_costs_what_one_group_after_the_other_does(by):
    few = nws.Dataset(pl.DataFrame({"key": ["a", "b"] * 30, "pay": [1, 9] * 30}), contributions=3)
    groups = few.group_by("key", keys=["a", "b"])
    for question, _, _ in QUESTIONS.values():
        batch = groups._bind(question, SharedReads())
        one = OneByOne(batch.inner, lambda group, of=batch.inner: of, batch.spread)
        together, apart = batch.answer(), one.answer()
        for field in (
            "privacy",
            "statistic",
            "mechanism",
            "law",
            "notes",
            "contributions",
            "granularity",
            "bounds",
        ):
            assert getattr(together, field) == getattr(apart, field), (question, field)
        assert batch.memo == one.memo and batch.loss == one.loss
        for field in ("confidence", "kind", "epsilon", "scope"):
            assert getattr(together.interval, field) == getattr(apart.interval, field)
        assert type(together.value[0]) is type(apart.value[0]) is type(together.interval.low[0])


def test_empty_groups_have_intervals_too():
    groups = nws.Dataset(pl.DataFrame({"key": ["a"], "pay": [1.5]})).group_by("key", keys=["a", "b"])
    mean = groups.mean("pay", **BETWEEN)
    assert len(mean.ends["low"]) == 2 and mean.ends["low"][1] >= 0
    count = groups.count(epsilon=Fraction(1, 2), interval=0.9, with_count=True)
    assert count.frame.columns == ["key", "count", "low", "high", "n"] and min(count.ends["low"]) >= 0
