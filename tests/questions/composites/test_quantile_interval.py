"""Intervals: private as a whole, and right as often as they say."""

import math
from fractions import Fraction
from math import comb
from unittest import mock

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError
from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites import quantile_interval as interval
from noisewise.questions.composites.quantile_interval import Interval, lower_rank

ASKED = {"bounds": (0, 100), "epsilon": 1}


def coverage(sample, truth, trials=150, q="1/2", **asked):
    """The share of intervals that hold the truth, one fresh sample each."""
    rng, held = np.random.default_rng(5), 0
    for seed in range(trials):
        found = Interval.of(q, sample(rng), **{**ASKED, **asked}).answer(bits=SeededBits(seed))
        held += found.value[0] <= truth <= found.value[1]
    return held / trials


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize(("q", "z"), [("1/2", 0.0), ("1/4", -0.6745), ("0.9", 1.2816)])
def test_it_covers_as_often_as_it_says(q, z, neighbors):
    truth = 50 + 10 * z
    asked = {"granularity": 0.01, "neighbors": neighbors, "confidence": 0.8, "epsilon": 4}
    assert coverage(lambda rng: rng.normal(50, 10, 800), truth, q=q, **asked) >= 0.8 - 0.1


def test_it_covers_atoms_and_small_samples():
    assert coverage(lambda rng: rng.choice([10, 20, 90], 300), 20, epsilon=2) >= 0.9
    assert coverage(lambda rng: rng.normal(50, 10, 5), 50) == 1, "five records: the bounds themselves"


def test_the_sample_alone_would_miss():
    """With noise but no allowance for it, intervals are too short: the allowance is needed, and it works."""
    asked = {"neighbors": "swap", "epsilon": 0.05, "granularity": 0.01, "confidence": 0.9}
    with mock.patch.object(Interval, "stray", lambda self, miss: 0):
        short = coverage(lambda rng: rng.normal(50, 10, 1000), 50, **asked)
    right = coverage(lambda rng: rng.normal(50, 10, 1000), 50, **asked)
    assert short < 0.8 and right >= 0.9


@pytest.mark.parametrize("owned", [1, 2])
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_whole_release_is_private(neighbors, owned):
    """The joint law of count and both ends, over a small world; ranks made small so that they are drawn at all."""
    if neighbors == "swap" and owned > 1:
        owned = 1
    world = World((0, 1, 3), 3, neighbors, owned, least=0 if neighbors == "add_remove" else 3)
    asked = {"bounds": (0, 3), "epsilon": 2, "neighbors": neighbors, "contributions": owned}
    with (
        mock.patch.object(Interval, "stray", lambda self, miss: 0),
        mock.patch.object(interval, "noise_reach", lambda count, miss: 0),
        mock.patch.object(interval, "lower_rank", lambda n, q, miss: max(n, 0) // 3),
    ):
        logs = {x: joint(Interval.of("1/2", list(x), **asked)) for x in world.datasets()}
        epsilon = float(Interval.of("1/2", [], **asked).loss.epsilon)
    assert math.isclose(epsilon, 2)
    worst = max(np.max(np.abs(logs[x] - logs[y])) for x, y in world.pairs())
    assert 0.1 < worst <= 2 + 1e-9


@pytest.mark.parametrize(("neighbors", "owned"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
def test_ends_by_permute_and_flip_are_private_and_hardly_astray(neighbors, owned):
    """Among few answers, where auto takes it for large epsilons."""
    world = World((0, 1, 3), 3, neighbors, owned, least=0 if neighbors == "add_remove" else 3)
    asked = {"bounds": (0, 3), "epsilon": 12, "neighbors": neighbors, "contributions": owned}
    made = {x: Interval.of("1/2", list(x), **asked) for x in world.datasets()}
    assert {each.end.mechanism.version for each in made.values()} == {"permute-and-flip/2"}
    with (
        mock.patch.object(Interval, "stray", lambda self, miss: 0),
        mock.patch.object(interval, "noise_reach", lambda count, miss: 0),
        mock.patch.object(interval, "lower_rank", lambda n, q, miss: max(n, 0) // 3),
    ):
        logs = {x: joint(each) for x, each in made.items()}
    worst = max(np.max(np.abs(logs[x] - logs[y])) for x, y in world.pairs())
    assert 6 < worst <= 12 + 1e-9
    for each in made.values():
        for miss in (0.1, 0.01):
            edits = each.stray(miss)
            law = read_law(each.end.look())
            beyond = [v for v in range(4) if law.cost(v) * owned > edits]
            assert np.sum(law.pmf(beyond)) <= miss
    rate = each.end.mechanism.rate(each.end.frame.answers)
    assert each.stray(0.01) == math.ceil(math.log(400) / float(rate)) * owned


def joint(asked: Interval) -> np.ndarray:
    """Log probabilities of (count, low end, high end) on a public grid of outcomes."""
    counts = [3] if asked.count is None else range(12)
    first = np.zeros(1) if asked.count is None else read_law(asked.count.look()).logpmf(list(counts))
    tables = []
    for known, log in zip(counts, first, strict=True):
        ends = []
        for share in asked.shares(known):
            points = list(range(4))
            ends.append(np.zeros(4) if share is None else read_law(asked._at(share).look()).logpmf(points))
        tables.append(log + ends[0][:, None] + ends[1][None, :])
    return np.array(tables)


def test_the_ranks_come_from_the_released_count_alone():
    for data in ([1] * 1000, [1] * 5, []):
        assert Interval.of("1/2", data, **ASKED).shares(2000) == Interval.of("1/2", [2], **ASKED).shares(2000)
    below, above = Interval.of("1/2", [], **ASKED).shares(2000)
    assert 0.3 < below < 0.5 < above < 0.7
    assert Interval.of("1/2", [], **ASKED).shares(10) == (None, None)
    with mock.patch.object(Interval, "shares", return_value=(None, None)) as shares:
        for seed in range(20):
            Interval.of("1/2", [1] * 1000, **ASKED).answer(bits=SeededBits(seed))
    assert len({call.args[0] for call in shares.call_args_list}) > 10, (
        "a count that is always the same is the secret one"
    )


def test_what_it_costs():
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    released = nws.median_interval([1, 2, 3], ledger=ledger, confidence=0.9, **ASKED)
    ((loss,), told) = ledger.debit.call_args
    assert loss == nws.PureDP(1) == released.privacy
    count, end = nws.PureDP(Fraction(1, 10)), nws.PureDP(Fraction(9, 20))
    assert loss.rho == count.as_zcdp().rho + 2 * end.as_zcdp().rho
    assert told["memo"] == "90% interval of the median by quantile-interval/1 by balance/1"
    assert Interval.of("1/2", [], neighbors="swap", **ASKED).loss.rho == 2 * nws.PureDP(0.5).as_zcdp().rho
    assert "released count of" in str(released)
    assert released.value == (0, 100)
    assert "public count of 3" in str(nws.quantile_interval([1, 2, 3], 0.9, neighbors="swap", **ASKED))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"confidence": 1}, "confidence must be above 0 and at most"),
        ({"mechanism": "laplace"}, "mechanism must be the name .auto., .* got 'laplace'"),
        (
            {"mechanism": nws.PiecewiseLaplace(epsilon=1)},
            "mechanism must be the name .* got a PiecewiseLaplace",
        ),
        ({"bounds": "private"}, "bounds must be a pair for an interval"),
        ({"epsilon": 0}, "epsilon must be above 0"),
    ],
)
def test_bad_parameters_are_refused_before_the_debit(wrong, message):
    ledger = mock.Mock(spec=["debit"])
    with pytest.raises(ParameterError, match=message):
        nws.median_interval([1, 2, 3], ledger=ledger, **{**ASKED, **wrong})
    assert not ledger.debit.called


# Ranks of the binomial law, against sums of exact Fractions


def slow_rank(n: int, q: Fraction, miss: Fraction) -> int:
    total = Fraction(0)
    for k in range(n + 1):
        total += comb(n, k) * q**k * (1 - q) ** (n - k)
        if total > miss:
            return k
    return n


@pytest.mark.parametrize("n", [1, 2, 7, 30, 200])
@pytest.mark.parametrize("q", ["1/1000", "1/10", "1/2", "0.9"])
@pytest.mark.parametrize("miss", ["0.3", "0.02", "1e-6"])
def test_a_lower_rank_is_the_largest_within_the_chance(n, q, miss):
    assert lower_rank(n, Fraction(q), Fraction(miss)) == slow_rank(n, Fraction(q), Fraction(miss))


def test_ranks_of_no_records_and_of_certain_shares():
    assert (
        lower_rank(0, Fraction(1, 2), Fraction(1, 20)) == lower_rank(-5, Fraction(1, 2), Fraction(1, 20)) == 0
    )
    assert lower_rank(9, Fraction(0), Fraction(1, 20)) == 0
    assert lower_rank(9, Fraction(1), Fraction(1, 20)) == 9
    assert 498_960 < lower_rank(10**6, Fraction(1, 2), Fraction(2, 100)) < 498_990
