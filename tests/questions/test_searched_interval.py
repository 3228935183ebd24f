"""Intervals between bounds that are searched for: of the answer between those bounds, and at the same price."""

from fractions import Fraction
from unittest import mock

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.hazmat import SeededBits
from noisewise.questions.noise_interval import bound as bound_of
from noisewise.questions.request import request
from noisewise.questions.searched_interval import NOTE, SearchedInterval
from tests.bound import bound

DATA = np.append(np.arange(400) % 57 + 0.5, [1e6] * 3)
TRUTH = {"mean": np.mean, "median": lambda x: np.sort(x)[201], "variance": np.var, "sum": np.sum}


@pytest.mark.parametrize("name", TRUTH)
def test_it_holds_the_answer_of_records_clamped_to_what_was_found(name):
    question = bound(getattr(nws, name), DATA, bounds="private", epsilon=4, interval=0.8)
    assert isinstance(question, SearchedInterval)
    held = []
    for seed in range(150):
        release = question.answer(bits=SeededBits(seed))
        low, high = release.interval
        truth = TRUTH[name](np.clip(DATA, *release.bounds))
        held.append(low - 1e-6 <= truth <= high + 1e-6)
        assert release.bounds[1] < 1e5 and low <= release.value <= high
    assert np.mean(held) >= 0.8 - 0.1
    assert name != "sum" or np.mean(held) <= 0.9, "and is no wider than the noise"


def test_what_it_costs_and_says():
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    release = nws.median(DATA, bounds="private", epsilon=2, interval=0.9, ledger=ledger)
    (loss,), said = ledger.debit.call_args
    assert loss == release.privacy and loss.epsilon == 2 and NOTE in release.notes
    assert release.interval.epsilon == Fraction(3, 4), "half of what the search leaves"
    assert (
        said["memo"] == "median by balance/1, interval by two-ends/1 by balance/1, bounds by crowded-powers/1"
    )
    assert release.law == said["memo"].partition(" by ")[2]
    people = bound(nws.median, DATA, bounds="private", epsilon=2, interval=0.9)
    assert people.loss_of(3).epsilon == 6


def test_without_bounds_there_is_no_interval():
    release = nws.mean([], bounds="private", epsilon=1, interval=0.9)
    assert release.value is None and release.interval is None and release.privacy.epsilon == 1
    frame = pl.DataFrame({"x": [*DATA, 1.0], "key": ["a"] * DATA.size + ["b"]})
    by = nws.Dataset(frame).group_by("key", keys=["a", "b"])
    answers = by.mean("x", bounds="private", epsilon=8, interval=0.9).frame
    assert answers["low"].is_null().to_list() == answers["mean_x"].is_null().to_list() == [False, True]


def test_what_is_refused_is_refused_before_the_search():
    ledger = mock.Mock(spec=["debit"])
    with pytest.raises(
        nws.ParameterError, match="epsilon must be at least 1e-100 for an interval between bounds"
    ):
        nws.median(DATA, bounds="private", epsilon=Fraction(1, 10**120), interval=0.9, ledger=ledger)
    assert not ledger.debit.called

    class Own(nws.TrimmedMean):
        def envelope(self, column, answers, levels):
            return nws.TrimmedMean.envelope(self, column, answers, levels)

    with pytest.raises(nws.ParameterError, match="interval must be left out for trimmed_mean"):
        bound_of(
            lambda **own: request(Own("1/4"), DATA, **own),
            {"bounds": "private", "epsilon": 1, "interval": 0.9},
        )
