"""Intervals of a population: right as often as they say, whatever it is, and as private as their noisy sums."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest

import noisewise as nws
from noisewise.hazmat import SeededBits
from noisewise.questions.composites.population_interval import (
    LUCK,
    PopulationInterval,
    expected_counts,
    too_few,
    too_unlikely,
)
from noisewise.questions.two_sums import TwoSums

MISS = Fraction(1, 20)


def asked(statistic, data, **more):
    bounds = {} if isinstance(statistic, (nws.Proportion, nws.Count)) else {"bounds": (0, 1)}
    return PopulationInterval.of(statistic, data, **{"epsilon": 1, "confidence": 0.9, **bounds, **more})


def missed(question, totals, mean, check, draws=10_000):
    """How often an end is on the wrong side of a population's mean, of so many samples with so much noise."""
    rng = np.random.default_rng(4)
    rate = float(question.noise.epsilon / question.noise.sensitivity)
    noise = rng.geometric(-math.expm1(-rate), (4, draws)) - 1  # a difference of two is discrete Laplace noise
    sums = np.floor(totals(rng, draws) * question.sums.steps).astype(int)
    up, down = np.maximum(sums + (noise[:2] - noise[2:]), 0).tolist()
    low = high = 0
    with mock.patch.object(TwoSums, "draw", side_effect=list(zip(up, down, strict=True))):
        for _ in range(draws):
            above, below = question.held(MISS * (1 - LUCK), None)
            low += check(*above, mean, MISS * LUCK)
            high += check(*below, 1 - mean, MISS * LUCK)
    return low / draws, high / draws


POPULATIONS = {
    "uniform": (lambda rng, shape: rng.uniform(size=shape), Fraction(1, 2)),
    "two points": (lambda rng, shape: rng.random(shape) < 0.1, Fraction(1, 10)),
    "far out": (lambda rng, shape: 0.999 * (rng.random(shape) < 0.01), Fraction(999, 100_000)),
    "constant": (lambda rng, shape: np.full(shape, 0.25), Fraction(1, 4)),
}


@pytest.mark.parametrize("name", POPULATIONS)
def test_a_mean_is_held_whatever_the_population(name):
    """Each end misses at most as often as it says; 10,000 samples of 300 records, and noise."""
    sample, mean = POPULATIONS[name]

    def totals(rng, draws):
        ups = np.concatenate([sample(rng, (draws // 10, 300)).sum(axis=1) for _ in range(10)])
        return np.array([ups, 300 - ups])

    low, high = missed(asked(nws.Mean(), [], epsilon=20), totals, mean, too_unlikely)
    assert low <= float(MISS) + 0.006 and high <= float(MISS) + 0.006


def test_noise_alone_is_held_too():
    """A population of one number: no sample misses it, and only the noise of a small epsilon can."""

    def totals(rng, draws):
        return np.array([np.full(draws, 75.0), np.full(draws, 225.0)])

    low, high = missed(asked(nws.Mean(), [], epsilon=0.05), totals, Fraction(1, 4), too_unlikely, 2_000)
    assert low <= 0.01 and high <= 0.01


@pytest.mark.parametrize("p", ["1/2", "1/50"])
def test_a_proportion_is_held_and_not_much_more_often(p):
    def totals(rng, draws):
        ones = rng.binomial(800, float(Fraction(p)), draws)
        return np.array([ones, 800 - ones])

    low, high = missed(asked(nws.Proportion(), [], epsilon=8), totals, Fraction(p), too_few, 4_000)
    assert 0.01 <= low <= float(MISS) + 0.006 and 0.01 <= high <= float(MISS) + 0.006


@pytest.mark.parametrize("mean", [2, 40, 900])
def test_an_expected_count_is_held_and_not_much_more_often(mean):
    question, rng = asked(nws.Count(), [], epsilon=8), np.random.default_rng(6)
    rate = float(question.noise.epsilon)
    noise = rng.geometric(-math.expm1(-rate), (2, 10_000)) - 1
    counts = np.maximum(rng.poisson(mean, 10_000) + noise[0] - noise[1], 0)
    reach = question.noise.farthest(MISS * (1 - LUCK))
    ends = {
        int(k): expected_counts(max(k - reach, 0), k + reach, MISS * LUCK) for k in np.unique(counts).tolist()
    }
    low, high = (
        np.mean([wrong(ends[k]) for k in counts.tolist()])
        for wrong in (lambda pair: pair[0] > mean, lambda pair: pair[1] < mean)
    )
    assert low <= float(MISS) + 0.006 and high <= float(MISS) + 0.006
    assert mean < 40 or min(low, high) > 0.005


# Tails, against exact sums


@pytest.mark.parametrize(("ones", "zeros"), [(1, 0), (3, 4), (20, 5), (50, 300)])
def test_the_binomial_tail_is_never_less_than_it_is_and_hardly_more(ones, zeros):
    for share in (Fraction(1, 1000), Fraction(1, 10), Fraction(ones, 2 * (ones + zeros))):
        n = ones + zeros
        tail = sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(ones, n + 1))
        assert too_few(Fraction(ones), Fraction(zeros), share, tail * (1 + Fraction(1, 10**8)))
        assert not too_few(Fraction(ones), Fraction(zeros), share, tail * (1 - Fraction(1, 10**8)))


@pytest.mark.parametrize("count", [0, 1, 7, 60, 10_000])
def test_expected_counts_are_the_nearest_whole_numbers_that_the_poisson_law_excludes(count):
    low, high = expected_counts(count, count, Fraction(1, 40))

    def log_mass(k, mean):
        return (0.0 if k == 0 else -math.inf) if mean == 0 else k * math.log(mean) - mean - math.lgamma(k + 1)

    def tail(first, last, mean):
        return sum(math.exp(log_mass(k, mean)) for k in range(first, last + 1))

    far = count + 40 * (math.isqrt(count) + 2)
    assert low == 0 or tail(count, far, low) <= 0.025
    assert count == 0 or tail(count, far, low + 1) > 0.025
    assert tail(0, count, high) <= 0.025 < tail(0, count, high - 1)


def test_more_above_and_less_below_never_lower_an_end():
    """What makes the ends of noisy sums enough, in the three bounds."""
    sums = [Fraction(k, 2) for k in range(0, 40, 3)]
    for check in (too_unlikely, too_few):
        for above in sums[:-1]:
            for below in sums[1:]:
                for share in (Fraction(1, 100), Fraction(1, 4), Fraction(2, 3)):
                    if check(above, below, share, MISS):
                        assert check(above + 1, below, share, MISS) and check(
                            above, max(below - 1, 0), share, MISS
                        )


# The release


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_what_is_released(neighbors):
    data = np.random.default_rng(2).random(2000)
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    mean = nws.mean_interval(data, bounds=(0, 1), epsilon=1, neighbors=neighbors, ledger=ledger)
    (loss,), said = ledger.debit.call_args
    assert loss == mean.privacy and loss.epsilon == 1 and ledger.debit.call_count == 1
    by = "two-sums/1" if neighbors == "add_remove" else "discrete-laplace/1"
    assert said["memo"] == f"95% interval of the mean by population-interval/1 by {by}"
    assert tuple(mean.interval) == mean.value and mean.interval.kind == "population"
    assert mean.value[0] < 0.5 < mean.value[1] and mean.value[1] - mean.value[0] < 0.1
    share = nws.proportion_interval(data < 0.5, epsilon=1, neighbors=neighbors)
    assert share.value[0] < 0.5 < share.value[1] and share.value[1] - share.value[0] < 0.08
    count = nws.count_interval(data, epsilon=1, neighbors=neighbors, confidence=0.8)
    assert count.value[0] < 2000 < count.value[1] and count.value[1] - count.value[0] < 150
    assert count.statistic == "80% interval of the expected count" and "interval     " not in str(count)


def test_nothing_is_known_of_nothing():
    for neighbors in ("add_remove", "swap"):
        assert nws.mean_interval([], bounds=(2, 7), epsilon=1, neighbors=neighbors).value == (2.0, 7.0)
        assert nws.proportion_interval([], epsilon=1, neighbors=neighbors).value == (0.0, 1.0)
    assert nws.count_interval([], epsilon=1, neighbors="swap").value == (0, 4)


def test_privacy_is_that_of_the_sums():
    question = asked(nws.Mean(), [0.5] * 9, contributions=2)
    assert question.sums.look().rate == 1 and question.loss == question.sums.noise.loss
    assert question.loss_of(3) == question.sums.noise.loss_of(3)
    one, other = (asked(nws.Mean(), data).answer(bits=SeededBits(1)) for data in ([0.5] * 9, [0.5] * 9))
    assert one.value == other.value


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"confidence": 1}, "confidence must be above 0"),
        ({"bounds": "private"}, "bounds must be a pair for an interval"),
        ({"interval": 0.9}, "interval must be left out for 95% interval of the mean"),
        ({"epsilon": 0}, "epsilon must be above 0"),
    ],
)
def test_what_is_wrong_is_refused_before_the_debit(wrong, message):
    ledger = mock.Mock(spec=["debit"])
    with pytest.raises(nws.NoisewiseError, match=message):
        nws.mean_interval([1], **{"bounds": (0, 9), "epsilon": 1, "ledger": ledger, **wrong})
    assert not ledger.debit.called


def test_a_receipt_says_nothing_of_noise_that_was_not_drawn():
    assert nws.mean_interval(range(1), bounds=(0, 9), epsilon=1).notes == (
        "about the population that the records are a sample of",
    )
    assert "mean" in str(nws.plan("mean", bounds=(0, 9), epsilon=1, interval=0.95, size=100))
