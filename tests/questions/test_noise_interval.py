"""Intervals that come with an answer: right as often as they say, read off the laws where these can be read."""

import math
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.noise_interval import NOTE, AroundAnswer, SearchedInterval
from noisewise.questions.noise_interval import bound as bound_of
from noisewise.questions.request import Request, request
from noisewise.statistics.quantile import QuantileEnd
from tests.payable import payable_of

HALF = Fraction(1, 2)
SURE = Fraction(95, 100)


def asked(statistic, data, confidence=SURE, **keywords):
    """A question with an interval, judged and unpaid."""
    return bound_of(lambda **own: Request.of(statistic, data, **own), {**keywords, "interval": confidence})


# Public noise


@pytest.mark.parametrize("epsilon", ["0.03", "1", "5"])
@pytest.mark.parametrize("confidence", ["0.5", "0.95", "0.999"])
def test_noise_is_within_the_interval_as_often_as_the_law_says(epsilon, confidence):
    """Exactly: of all values that can be drawn, those whose interval holds the truth weigh enough, and no step less."""
    question = asked(nws.Count(), [0] * 5000, Fraction(confidence), epsilon=Fraction(epsilon))
    law, values = question.inner.look(), np.arange(4000, 6000)
    ends = np.array([question.ends(int(value), law.ends) for value in values])
    held = read_law(law).pmf(values[(ends[:, 0] <= 5000) & (ends[:, 1] >= 5000)]).sum()
    narrower = read_law(law).pmf(values[np.abs(values - 5000) < question.steps]).sum()
    assert held >= float(confidence) > narrower or (question.steps == 0 and held >= float(confidence))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_clamped_answer_is_held_too(n):
    question = asked(nws.Count(), [0] * n, epsilon=Fraction(1, 2))
    law, values = question.inner.look(), np.arange(200)
    held = [low <= n <= high for low, high in (question.ends(int(v), law.ends) for v in values)]
    assert read_law(law).pmf(values[held]).sum() >= 0.95
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
        drawn = np.rint(law.draw(10_000, bits=SeededBits(3)) / step).astype(int)
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
    bins = np.arange(11.0)
    question = nws.ask.histogram("x", bins, epsilon=1, interval=0.9).bind([np.repeat(range(10), 40)])
    law = question.look()
    drawn = np.column_stack([law[group].draw(10_000, bits=SeededBits(group)) for group in range(10)])
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
        (lambda **k: nws.most_common(["a"], categories=["a"], **k), "interval must be left out for most"),
        (lambda **k: nws.median_interval([1], bounds=(0, 9), **k), "interval must be left out for 95%"),
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


# Quantiles: two further draws


def quantile(q, data, **more):
    keywords = {"bounds": (0, 20), "epsilon": 2, **more}
    return asked(nws.Quantile(q), data, **keywords)


def chances(question, truth):
    """The probabilities that the low end is above the truth, and that the high end is below it."""
    above = 0 if question.low is None else 1 - read_law(question.low.look()).cdf(truth)
    below = 0 if question.high is None else read_law(question.high.look()).cdf(truth - 1)
    return above, below


RELATIONS = [
    {"neighbors": "swap"},
    {"contributions": 2},
    {"epsilon": Fraction(1, 3)},
    {"epsilon": 9},
]


@pytest.mark.parametrize("more", RELATIONS, ids=str)
@pytest.mark.parametrize("q", ["0", "1/7", "1/2", "9/10", "1"])
def test_each_end_is_on_its_side_of_the_quantile_as_often_as_it_says(q, more):
    """Read off the laws, for data of every shape: none, ties, clamped, few and many records, and the worst there is."""
    rng = np.random.default_rng(3)
    rank = max(1, math.ceil(Fraction(q) * 601))
    shapes = [
        [],
        [7],
        [0, 20],
        [-5] * 30 + [99] * 31,
        [10] * 99,
        rng.integers(0, 21, 600),
        rng.normal(10, 2, 999),
    ]
    shapes += [[0] * rank + [20] * (601 - rank), [0] * (rank - 1) + [20] * (602 - rank)]
    for data in shapes:
        question = quantile(q, data, **more)
        known = np.sort(np.clip(np.rint(data), 0, 20))
        truth = known[max(1, math.ceil(Fraction(q) * known.size)) - 1] if known.size else 0
        above, below = chances(question, truth)
        assert (above <= 0.025 + 1e-12 and below <= 0.025 + 1e-12) or None in (question.low, question.high)
        assert above + below <= 0.05 + 1e-12


@pytest.mark.parametrize("more", RELATIONS, ids=str)
def test_an_end_is_no_further_out_than_the_worst_data_need(more):
    """Half of the records at one bound and half at the other: half a rank less would miss too often."""
    data = [0] * 300 + [20] * 300
    question = quantile("1/2", data, **more)
    above, _ = chances(question, 0)
    nearer = [
        replace(end, statistic=QuantileEnd("1/2", end.statistic.ranks + by))
        for end, by in ((question.low, HALF), (question.high, -HALF))
    ]
    assert above <= 0.025 < 1 - read_law(nearer[0].look()).cdf(0)
    odd = quantile("1/2", [0] * 300 + [20] * 301, **more)
    _, below = chances(odd, 20)
    assert below <= 0.025 < read_law(replace(nearer[1], data=odd.high.data).look()).cdf(19)


def test_ten_thousand_intervals_of_a_median():
    """Draws themselves, both ends and the answer; and none of the three is on the wrong side of the others."""
    data = np.random.default_rng(1).normal(60, 9, 501)
    question = asked(nws.Quantile("1/2"), data, Fraction(9, 10), bounds=(0, 120), epsilon=1)
    low, high = (end.look().draw(10_000) for end in (question.low, question.high))
    truth = np.sort(np.rint(data))[250]
    held = np.mean((low <= truth) & (truth <= high))
    assert held >= 0.9 - 0.01
    for seed in range(30):
        release = question.answer(bits=SeededBits(seed))
        assert release.interval.low <= release.value <= release.interval.high


@pytest.mark.parametrize(("neighbors", "owned"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
@pytest.mark.parametrize("q", ["1/2", "1/3"])
def test_answer_and_ends_together_are_private(neighbors, owned, q):
    """The joint law of all three over a small world; ranks are moved by few, so that the ends say something."""
    world = World((0, 1, 3), 3, neighbors, owned, least=0 if neighbors == "add_remove" else 3)
    asking = {"bounds": (0, 3), "epsilon": 2, "neighbors": neighbors, "contributions": owned}
    near = QuantileEnd(q, -HALF), QuantileEnd(q, Fraction(1))
    with mock.patch.object(nws.Quantile, "ends", lambda self, *public: near):
        questions = {x: quantile(q, list(x), **asking) for x in world.datasets()}
    each = questions[world.datasets()[0]]
    assert (
        each.loss.epsilon == 2 == each.inner.mechanism.epsilon + sum(end.loss.epsilon for end in each.drawn)
    )
    logs = {}
    for x, question in questions.items():
        parts = [
            read_law(one.look()).logpmf(range(4)) for one in (question.inner, question.low, question.high)
        ]
        logs[x] = parts[0][:, None, None] + parts[1][:, None] + parts[2]
    worst = max(np.max(np.abs(logs[x] - logs[y])) for x, y in world.pairs())
    assert 1 < worst <= 2 + 1e-9


def test_what_an_interval_of_a_median_costs():
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    release = nws.median([1, 2, 3], bounds=(0, 10), epsilon=1, interval=0.95, ledger=ledger)
    (loss,), said = ledger.debit.call_args
    half, quarter = nws.PureDP(Fraction(1, 2)), nws.PureDP(Fraction(1, 4))
    assert loss == release.privacy == nws.PureDP(1) and ledger.debit.call_count == 1
    assert loss.rho == half.as_zcdp().rho + 2 * quarter.as_zcdp().rho
    assert said["memo"] == "median by balance/1, interval by two-ends/1 by balance/1"
    assert release.interval.epsilon == Fraction(1, 2) and "takes ε = 0.5 of it" in str(release)


def test_an_end_that_is_a_bound_costs_nothing():
    lowest, highest = quantile(0, [1, 2]), quantile(1, [1, 2])
    assert lowest.low is None and lowest.high.mechanism.epsilon == 1
    assert highest.high is None and highest.answer(bits=SeededBits(1)).interval.high == 20
    assert lowest.loss.epsilon == highest.loss.epsilon == 2


def test_ends_of_a_public_or_secret_number_of_records_are_chosen_from_public_facts():
    few, many = quantile("1/2", [1]), quantile("1/2", range(1000))
    assert few.low.statistic == many.low.statistic and few.high.statistic == many.high.statistic


def test_a_mechanism_that_has_its_price_leaves_nothing_for_an_interval():
    with pytest.raises(nws.ParameterTypeError, match="mechanism must be a name where a part of epsilon pays"):
        quantile("1/2", [1], mechanism=nws.PiecewiseLaplace(epsilon=2))
    assert quantile("1/2", [1], mechanism="piecewise_laplace").low.mechanism == nws.Balance(
        epsilon=Fraction(1, 2)
    )


# Means: two sums


def mean(data, confidence=SURE, **more):
    return asked(nws.Mean(), data, confidence, **{"bounds": (0, 10), "epsilon": 1, **more})


@pytest.mark.parametrize(
    ("value", "most"), [(0.0, 0.912), (0.3, 0.93), (5.0, 0.97), (9.7, 0.93), (10.0, 0.912)]
)
def test_ten_thousand_intervals_of_a_mean(value, most):
    """Near a bound one noise alone decides, and intervals hold the mean just as often as they say; else more often."""
    question = mean(np.full(400, value), Fraction(9, 10))
    law = question.sums.look()
    drawn = zip(*(part.draw(10_000, bits=SeededBits(i)).tolist() for i, part in enumerate(law)), strict=True)
    truth, miss = value / 10, Fraction(1, 10)
    shares = np.array([question.sums.shares(pair, miss) for pair in drawn], float)
    held = np.mean((shares[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= shares[:, 1]))
    one_sided = value in (0.0, 10.0)  # nothing is beyond a bound, so that only one end can miss
    assert (0.95 if one_sided else 0.9) - 0.01 <= held <= most + 0.05 * one_sided


def test_an_answer_and_its_interval_come_from_the_same_sums():
    release = mean(np.full(4000, 2.5)).answer(bits=SeededBits(1))
    assert release.law == "two-sums/1" and release.mechanism == "laplace" and release.privacy == nws.PureDP(1)
    low, high = release.interval
    assert low < release.value < high and abs(release.value - 2.5) < 0.1
    assert (high - low) / 2 == pytest.approx(10 * math.log(20) / 4000, rel=0.01)
    assert release.interval.epsilon == 0 and type(release.value) is type(low) is float
    assert mean([]).answer(bits=SeededBits(1)).interval.low == 0, "the mean of nothing is the lower bound"


def test_a_mean_by_a_mechanism_of_ones_choice_leaves_half_to_its_interval():
    question = mean([1.0] * 50, mechanism="balance")
    assert question.answered.mechanism == nws.Balance(epsilon=HALF)
    assert question.sums.noise.epsilon == HALF and question.loss.epsilon == 1
    release = question.answer(bits=SeededBits(2))
    assert release.interval.low <= release.value <= release.interval.high and release.interval.epsilon == HALF
    assert (
        question.memo
        == release.statistic + " by " + release.law
        == "mean by balance/1, interval by two-sums/1"
    )


def test_whoever_changes_the_answer_must_say_its_ends():
    class Lowered(nws.Quantile):
        def envelope(self, column, answers, levels):
            return nws.Quantile(0).envelope(column, answers, levels)

    with pytest.raises(nws.ParameterError, match="interval must be left out"):
        asked(Lowered("1/2"), [1], bounds=(0, 20), epsilon=1)


DATA = np.append(np.arange(400) % 57 + 0.5, [1e6] * 3)
TRUTH = {"mean": np.mean, "median": lambda x: np.sort(x)[201], "variance": np.var, "sum": np.sum}


@pytest.mark.parametrize("name", TRUTH)
def test_it_holds_the_answer_of_records_clamped_to_what_was_found(name):
    question = payable_of(getattr(nws, name), DATA, bounds="private", epsilon=4, interval=0.8)
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
    people = payable_of(nws.median, DATA, bounds="private", epsilon=2, interval=0.9)
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
