"""Wide laws say so, before and after they are paid for, and by public facts alone."""

from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise import hazmat
from noisewise.questions.request import Request
from noisewise.questions.wide import LOG_MISS, people_off, records_needed
from noisewise.statistics.mean import FEWEST, score_off
from tests.every_question import CALLS

ANYWHERE = "could be anywhere within its bounds"


def request(statistic, data, **asked):
    return Request.of(statistic, data, **asked)


@pytest.mark.parametrize(
    "statistic", [nws.Quantile("1/2"), nws.Mean(), nws.Variance(), nws.Pearson()], ids=str
)
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("owned", [1, 2])
def test_so_few_records_can_be_made_any_answer(statistic, neighbors, owned):
    """At the level of the promise the envelope reaches both bounds, whatever the data."""
    if neighbors == "swap" and owned > 1:
        return
    asked = {"bounds": (0, 1), "epsilon": 2, "neighbors": neighbors, "contributions": owned}
    asked["mechanism"] = "piecewise_laplace"
    empty = ([], []) if statistic.columns > 1 else []
    needed, people = (
        records_needed(request(statistic, empty, **asked)),
        people_off(request(statistic, empty, **asked), LOG_MISS),
    )
    half = np.r_[np.zeros(needed // 2), np.ones(needed - needed // 2)]
    for x in (half, np.random.default_rng(0).random(needed), np.zeros(needed), np.ones(needed)):
        data = (half, x) if statistic.columns > 1 else x
        envelope = hazmat.law(statistic, data, levels=people, **asked).envelope
        if isinstance(statistic, nws.Pearson):
            assert envelope.level(min(people, int(envelope.sizes[0]) - 1)) == envelope.support
        last = int(envelope.sizes[0])  # beyond the last level lies everything
        assert people >= last or envelope.level(people) == envelope.support


def test_a_mean_of_so_few_records_has_no_promise():
    for epsilon in (0.01, 1, 20):
        few, more = FEWEST / Fraction(epsilon), 84 / 10 / epsilon
        assert score_off(int(few * 99 // 100), epsilon, 0.05) is None or few < 20
        assert score_off(int(more) + 2, epsilon, 0.05) is not None


def test_receipts_and_plans_say_the_same():
    tiny = nws.median(range(1, 4), bounds=(0, 100), epsilon=0.001)
    planned = nws.plan("median", bounds=(0, 100), epsilon=0.001)
    assert tiny.notes == (planned.wide,) == (f"an answer from 7,609 records or fewer {ANYWHERE}",)
    assert str(planned).endswith(planned.wide)
    few = nws.median(range(1, 4), bounds=(0, 100), epsilon=1, neighbors="swap")
    planned = nws.plan("median", bounds=(0, 100), epsilon=1, neighbors="swap", size=3)
    assert few.notes == (planned.wide,)
    assert planned.wide == f"by public facts alone this answer {ANYWHERE}: that takes more than 6 records"
    assert nws.plan("median", bounds=(0, 100), epsilon=1, neighbors="swap", size=7).wide == ""
    assert ANYWHERE in nws.plan("pearson", bounds=(0, 1), epsilon=1, size=100).wide
    assert ANYWHERE in nws.plan("mean", bounds=(0, 1), epsilon=0.01, size=700).wide


def test_noise_as_wide_as_the_bounds():
    noisy = nws.median(range(1, 4), bounds=(0, 100), epsilon=1, mechanism="laplace")
    assert noisy.notes == (f"by public facts alone this answer {ANYWHERE}: the noise is as wide as they are",)
    assert nws.mean(range(10), bounds=(0, 100), epsilon=1, neighbors="swap").notes == ()
    assert ANYWHERE in str(nws.mean([1] * 4, bounds=(0, 100), epsilon=1, neighbors="swap"))


@pytest.mark.parametrize("epsilon", [5e-324, Fraction(1, 10**1000), 1e-16])
@pytest.mark.parametrize("owned", [1, 2**63 - 1])
@pytest.mark.parametrize("mechanism", ["auto", "laplace", "piecewise_laplace"])
def test_nothing_fails_after_the_debit_however_small_epsilon_is(epsilon, owned, mechanism):
    asked = {"bounds": (0, 100), "epsilon": epsilon, "contributions": owned, "mechanism": mechanism}
    for name in ("median", "mean", "variance"):
        assert any(ANYWHERE in note for note in getattr(nws, name)([1, 2], **asked).notes)
        assert ANYWHERE in nws.plan(name, **asked).wide


def test_an_engine_is_not_asked_how_many_records_there_are():
    """That would be a query more, after the debit."""
    import polars as pl

    lazy = nws.Dataset(pl.LazyFrame({"x": [1, 2, 3]}), neighbors="swap")
    assert lazy.median("x", bounds=(0, 100), epsilon=1).notes == (
        f"an answer from 6 records or fewer {ANYWHERE}",
    )
    eager = nws.Dataset(pl.DataFrame({"x": [1, 2, 3]}), neighbors="swap")
    assert len(eager.median("x", bounds=(0, 100), epsilon=1).notes) == 1


def test_no_record_decides_what_is_said():
    """Under add/remove not even how many there are. Every receipt says with how few the answer says nothing."""
    for data in map(np.array, ([], [1] * 5000, [float("nan")] * 7)):
        for epsilon, few in ((60, "no records"), (20, "no records"), (1, "6 records or fewer")):
            note = f"an answer from {few} {ANYWHERE}"
            assert nws.median(data, bounds=(0, 100), epsilon=epsilon).notes == (note,)
            assert request(nws.Quantile("1/2"), data, bounds=(0, 100), epsilon=epsilon).notes == (note,)
            assert nws.release(nws.Quantile("1/2"), data, bounds=(0, 100), epsilon=epsilon).notes == (note,)
        assert nws.count(data, epsilon=1, mechanism="piecewise_laplace").notes == ()


SAY_HOW_MANY = {
    "count",
    "count_distinct",
    "count_interval",
    "count_people",
    "crosstab",
    "histogram",
    "most_common",
    "sum",
}
"""Answers that are about a number of records themselves, or are a sum, which is small if the records are few."""

INTERVALS = {"mean_interval", "proportion_interval", "median_interval", "quantile_interval", "private_bounds"}
"""Answers that become wide, or are none, if the records are few."""


@pytest.mark.parametrize("name", sorted(set(CALLS) - SAY_HOW_MANY - INTERVALS))
def test_every_answer_that_could_rest_on_few_records_says_so(name):
    if CALLS[name].kind.capabilities.columns == ("edges",):
        return
    notes = CALLS[name].release(epsilon=1).notes
    assert any(ANYWHERE in note or "few records" in note for note in notes), notes
