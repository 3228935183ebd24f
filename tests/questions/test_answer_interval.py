"""Intervals that come with an answer: right as often as they say, read off the laws where these can be read."""

from fractions import Fraction
from unittest import mock

import numpy as np
import pytest

import noisewise as nws
from noisewise.questions.answer_interval import AroundAnswer, bound
from noisewise.questions.request import Request

SURE = Fraction(95, 100)


def asked(statistic, data, confidence=SURE, **keywords):
    """A question with an interval, judged and unpaid."""
    return bound(lambda **own: Request.of(statistic, data, **own), {**keywords, "interval": confidence})


# Public noise


@pytest.mark.parametrize("epsilon", ["0.03", "1", "5"])
@pytest.mark.parametrize("confidence", ["0.5", "0.95", "0.999"])
def test_noise_is_within_the_interval_as_often_as_the_law_says(epsilon, confidence):
    """Exactly: of all values that can be drawn, those whose interval holds the truth weigh enough, and no step less."""
    question = asked(nws.Count(), [0] * 5000, Fraction(confidence), epsilon=Fraction(epsilon))
    law, values = question.inner.look(), np.arange(4000, 6000)
    ends = np.array([question.ends(int(value), law.ends) for value in values])
    held = law.pmf(values[(ends[:, 0] <= 5000) & (ends[:, 1] >= 5000)]).sum()
    narrower = law.pmf(values[np.abs(values - 5000) < question.steps]).sum()
    assert held >= float(confidence) > narrower or (question.steps == 0 and held >= float(confidence))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_clamped_answer_is_held_too(n):
    question = asked(nws.Count(), [0] * n, epsilon=Fraction(1, 2))
    law, values = question.inner.look(), np.arange(200)
    held = [low <= n <= high for low, high in (question.ends(int(v), law.ends) for v in values)]
    assert law.pmf(values[held]).sum() >= 0.95
    assert question.ends(0, law.ends)[0] == 0, "there are no negative counts"


def test_ten_thousand_draws_of_a_sum_and_of_a_mean():
    """Between two steps too: the sum of these records is no multiple of the granularity."""
    data = np.full(300, 0.7)
    for statistic, more in ((nws.Sum(), {}), (nws.Mean(), {"neighbors": "swap"})):
        asking = {"bounds": (0, 1), "epsilon": 1, "granularity": Fraction(1, 8), **more}
        if more:
            asking["granularity"] = Fraction(1, 2**20)
        question = asked(statistic, data, Fraction(9, 10), **asking)
        law, step = question.inner.look(), float(asking["granularity"])
        drawn = np.rint(law.draw(10_000) / step).astype(int)
        ends = np.array([question.ends(int(index), law.ends) for index in np.unique(drawn)])
        truth = (0.7 * 300 if isinstance(statistic, nws.Sum) else 0.7) / step
        held = dict(
            zip(np.unique(drawn).tolist(), (ends[:, 0] <= truth) & (truth <= ends[:, 1]), strict=True)
        )
        share = np.mean([held[index] for index in drawn.tolist()])
        assert 0.9 - 0.012 < share < 0.96, (statistic, share)


def test_an_answer_between_two_steps_is_held():
    """At a large epsilon there is hardly any noise left, and the sum of 0.7 lies between 0.5 and 1."""
    asking = {"bounds": (0, 1), "epsilon": 60, "granularity": 0.5}
    low, high = asked(nws.Sum(), [0.7], Fraction(1, 2), **asking).answer().interval
    assert (low, high) == (0.5, 1.0)
    whole = {"bounds": (0, 8), "epsilon": 60, "granularity": Fraction(1, 2**48)}
    assert not nws.Sum().floored(nws.Sum().frame(whole["bounds"], whole["granularity"])), "no step is finer"


def test_an_interval_of_public_noise_is_free():
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    release = nws.sum([1, 2, 3], bounds=(0, 10), epsilon=1, interval=0.9, ledger=ledger)
    (loss,), _ = ledger.debit.call_args
    assert loss == release.privacy == nws.sum([1], bounds=(0, 10), epsilon=1).privacy
    assert release.interval.epsilon == 0 and release.law == "discrete-laplace/1"
    assert ledger.debit.call_count == 1


def test_a_count_that_is_public_has_no_width():
    assert tuple(nws.count([1, 2], epsilon=1, neighbors="swap", interval=0.95).interval) == (2, 2)


def test_all_bins_of_a_histogram_are_held_together():
    bins = list(range(11))
    question = nws.ask.histogram("x", bins, epsilon=1, interval=0.9).bind([np.repeat(range(10), 40)])
    law = question.look()
    drawn = np.column_stack([law[group].draw(10_000) for group in range(10)])
    ends = question.interval(tuple(range(300)))
    low, high = np.array(ends.low), np.array(ends.high)
    share = np.mean(np.all((low[drawn] <= 40) & (high[drawn] >= 40), axis=1))
    assert 0.9 - 0.01 < share < 0.96
    release = nws.histogram([1], ["a", "b"], epsilon=1, interval=0.9)
    assert release.interval.scope == "all" and len(release.interval.low) == 2
    assert min(release.interval.low) >= 0


# Refusals


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda **k: nws.variance([1], bounds=(0, 9), **k), "interval must be left out for variance by"),
        (lambda **k: nws.most_common(["a"], categories=["a"], **k), "interval must be left out for most"),
        (lambda **k: nws.median_interval([1], bounds=(0, 9), **k), "interval must be left out for 95%"),
        (lambda **k: nws.sum([1], bounds="private", **k), "interval must be left out for sum"),
        (lambda **k: nws.triangles([(1, 2)], nodes=3, **k), "interval must be left out for"),
    ],
)
def test_what_has_no_interval_refuses_before_the_debit(ask, message):
    ledger = mock.Mock(spec=["debit"])
    with pytest.raises(nws.ParameterError, match=message):
        ask(epsilon=1, interval=0.95, ledger=ledger)
    assert not ledger.debit.called


@pytest.mark.parametrize("wrong", [0, 1, 95, -0.5, float("nan"), "0.95", True])
def test_a_wrong_probability_is_refused_before_the_debit(wrong):
    ledger = mock.Mock(spec=["debit"])
    with pytest.raises(nws.NoisewiseError, match="interval must be "):
        nws.count([1], epsilon=1, interval=wrong, ledger=ledger)
    assert not ledger.debit.called


def test_a_statistic_of_ones_own_has_the_same_intervals():
    assert isinstance(asked(nws.Count(), [1], epsilon=1), AroundAnswer)
    assert nws.release(nws.Count(), [1], epsilon=1, interval=0.95).interval.confidence == SURE
