"""Promises against exact laws, or against draws where there is no one law; none is kept by far too much."""

import math
from datetime import date
from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise import hazmat
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.most_common import MostCommon
from noisewise.questions.promise import ErrorOverTotal, noise_steps, radial_steps

MISS = 0.05


@pytest.mark.parametrize("owned", [1, 3])
@pytest.mark.parametrize(("size", "epsilon"), [(30, 1), (1000, 0.5), (1000, 8)])
def test_a_mean_of_so_many_records(size, epsilon, owned):
    """Its law depends on how many there are and on their sum alone: all means, from one bound to the other."""
    asked = {"bounds": (-20, 30), "epsilon": epsilon, "contributions": owned}
    promised = nws.plan("mean", size=size, **asked).error
    if promised is None:
        assert size * epsilon / owned < 20
        return
    farthest = 0.0
    for share in (0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.9, 1):
        high = round(size * share)
        law = hazmat.law(nws.Mean(), [-20.0] * (size - high) + [30.0] * high, **asked)
        mean = -20 + 50 * high / size
        assert read_law(law).cdf(mean - promised) + 1 - read_law(law).cdf(mean + promised) <= MISS
        farthest = max(
            farthest, float(np.max(np.abs(read_law(law).quantile([MISS / 2, 1 - MISS / 2]) - mean)))
        )
    assert promised <= 1.6 * farthest


def test_a_mean_of_too_few_records_is_not_promised():
    assert nws.plan("mean", size=3, bounds=(0, 1), epsilon=1).error is None
    assert nws.plan("mean", size=0, bounds=(0, 1), epsilon=1).error is None
    assert nws.plan("weighted_mean", size=1000, bounds=((0, 1), (0, 1)), epsilon=1).error is None


def test_rows_have_means_too():
    for name, bounds in (("mae", {"bounds": (0, 4)}), ("accuracy", {}), ("proportion", {})):
        width = 4 if bounds else 1
        assert nws.plan(name, size=1000, epsilon=1, **bounds).error == pytest.approx(
            0.00354 * width, rel=0.01
        )


@pytest.mark.parametrize("epsilon", [0.2, 1, 6])
@pytest.mark.parametrize("asked", [{}, {"contributions": 3}, {"neighbors": "swap"}], ids=str)
def test_a_histogram(epsilon, asked):
    bins, x = [0.0, 1, 2, 3], [0.5] * 4000 + [1.5] * 4000 + [2.5] * 4000
    promised = nws.plan("histogram", bins, epsilon=epsilon, **asked)
    (law, *_) = [nws.histogram.kind.make(bins, epsilon=epsilon, **asked)(x).look()[0]]

    def beyond(t):
        return 1 - read_law(law).cdf(4000 + t) + read_law(law).cdf(4000 - t - 1)

    assert beyond(promised.error) <= MISS < beyond(promised.error - 1)
    assert 1 - (1 - beyond(promised.error_of_all)) ** 3 <= MISS
    assert 1 - (1 - beyond(promised.error_of_all - 1)) ** 3 > MISS
    assert promised.numbers == 3 and promised.people is None


@pytest.mark.parametrize("asked", [{}, {"contributions": 2}, {"neighbors": "swap"}], ids=str)
@pytest.mark.parametrize("categories", [2, 6])
def test_the_most_common(categories, asked):
    """The worst world has all other categories equally far behind."""
    names = [str(i) for i in range(categories)]
    behind = nws.plan("most_common", names, epsilon=0.5, **asked).behind

    def chance(behind):
        data = ["0"] * 100 + [name for name in names[1:] for _ in range(100 - behind)]
        return 1 - math.exp(read_law(MostCommon.of(data, names, epsilon=0.5, **asked).look()).logpmf()[0])

    assert chance(behind + 1) <= MISS < chance(behind // 2 - 1)


def test_a_vector():
    asked = {"bounds": (0, 1), "epsilon": 1, "neighbors": "swap"}
    promised = nws.plan(nws.ask.vector_mean(["a", "b"], bounds=(0, 1), epsilon=1), neighbors="swap", size=500)
    half = np.full((500, 2), 0.5)
    drawn = np.array([nws.vector_mean(half, **asked).value for _ in range(1000)])
    errors = np.abs(drawn - 0.5)
    assert 0.01 < np.mean(errors > promised.error) < 0.13  # 0.05: no 1000 draws of any seed are so far off
    assert 0.01 < np.mean(errors.max(axis=1) > promised.error_of_all) < 0.13
    one = nws.ask.vector_mean(["a"], norm="l1", radius=1, bounds=(0, 1), epsilon=1)
    alone = nws.plan(one, neighbors="swap", size=500)
    assert alone.error == pytest.approx(alone.error_of_all)


def people_between(x, value, q, swap):
    """How many people must change their data for the q-quantile to become a value."""
    n, x = len(x), np.sort(x)
    stride = 1.0 if swap else max(q, 1 - q)
    too_few = q * n - np.searchsorted(x, value, side="right")
    too_many = np.searchsorted(x, value, side="left") - q * n
    return max(too_few, too_many, 0) / stride


@pytest.mark.parametrize("mechanism", ["balance", "piecewise_laplace"])
@pytest.mark.parametrize("asked", [{}, {"neighbors": "swap"}, {"contributions": 2}], ids=str)
def test_joint_quantiles(asked, mechanism):
    qs = [0.1, 0.25, 0.5, 0.75, 0.9]
    x = np.concatenate([np.arange(300), 10_000 - np.arange(300)])
    given = {"bounds": (0, 10_000), "epsilon": 2, "mechanism": mechanism, **asked}
    promised = nws.plan("quantiles", qs, **given).people
    swap, owned = asked.get("neighbors") == "swap", asked.get("contributions", 1)
    found = [
        max(
            people_between(x, v, q, swap)
            for v, q in zip(nws.quantiles(x, qs, **given).value, qs, strict=True)
        )
        for _ in range(60)
    ]
    assert np.mean(np.array(found) / owned > promised) <= 0.1
    assert promised <= 20 * np.quantile(np.array(found) / owned, 0.95)


def test_one_joint_quantile_is_a_quantile():
    asked = {"bounds": (0, 1000), "epsilon": 1}
    assert nws.plan("quantiles", [0.3], **asked).people == nws.plan("quantile", 0.3, **asked).people


def test_an_interval_promises_what_it_is_for():
    planned = nws.plan("median_interval", confidence=0.9, bounds=(0, 10), epsilon=1)
    assert str(planned).endswith("with probability 90% it holds the median of the population")


def test_an_interval_or_a_count_takes_its_part_of_epsilon():
    """What is promised is the answer that is drawn, by what is left of epsilon."""
    asked = {"bounds": (0, 1000), "epsilon": 1}
    drawn = nws.plan("median", bounds=(0, 1000), epsilon=0.9).people
    assert nws.plan("median", with_count=True, **asked).people == drawn > nws.plan("median", **asked).people
    assert nws.plan("median", interval=0.9, **asked).people > drawn
    assert nws.plan("sum", interval=0.9, **asked) == nws.plan("sum", **asked)
    x = [10, 20, 30]
    assert nws.simulate("median", x, with_count=True, **asked).epsilon == Fraction(9, 10)
    shaped = {"size": 50, "shape": ("uniform", 0, 1000)}
    assert nws.plan("median", with_count=True, **asked, **shaped).shape_error > 0


def test_what_is_off_above_is_off_below():
    """Two quantiles by hand: of what the median is off, half is off for the quartile that is drawn below it."""
    epsilon, points, miss = 1, 1001, MISS / 2
    strayed = (math.log(points * 2**16) - math.log(miss)) / (epsilon / 2)
    end = strayed / 2 + 1
    below = (math.log(points) - math.log(miss)) / (epsilon / 2) / 2 + end / 2
    planned = nws.plan("quantiles", [0.25, 0.5], bounds=(0, 1000), epsilon=epsilon)
    assert planned.people == math.ceil(max(strayed, below / 0.75))
    lower = nws.plan("quantiles", [0.45, 0.5], bounds=(0, 1000), epsilon=epsilon)
    share = 0.9
    own = (math.log(points) - math.log(miss)) / (epsilon / 2) * share
    assert lower.people == math.ceil(max(strayed, (share * end + own) / 0.55))


SAID = {
    "mean": ("mean", {"bounds": (0, 10)}, "36 over the number of records, where that is 40 or more"),
    "one person's": ("accuracy", {"contributions": 2}, "7.19 over the number of records, where that is 80"),
    "interval": ("mean", {"bounds": (0, 10), "interval": 0.9}, "30 over the number of records"),
    "weights": ("weighted_mean", {"bounds": ((0, 10), (0, 5))}, "180 over the sum of all weights"),
    "f1": ("f1", {}, "7.19 over the number of rows that are 1 or predicted to be 1"),
    "population": ("mean_interval", {"bounds": (0, 1)}, "95% it holds the mean of the population"),
    "count": ("count_interval", {}, "it holds the count that is to be expected"),
    "bounds": ("private_bounds", {}, "no power of 2 outside the bounds holds 34 records or more"),
    "searched sum": ("sum", {"bounds": "private"}, "at most 4 times the larger of them"),
    "searched mean": (
        "mean",
        {"bounds": "private"},
        "4.79 times what these are apart, over the number of rec",
    ),
    "searched median": ("median", {"bounds": "private"}, "people separate the released value from the true"),
    "line": ("theil_sen", {"bounds": (-1, 1), "intercept_bounds": (0, 9)}, "what 104 people could at most"),
    "count beside": ("sum", {"bounds": (0, 1), "with_count": True}, "the count beside it is at most 30 off"),
}


@pytest.mark.parametrize("case", SAID)
def test_what_is_said_where_there_is_no_number_for_all_data(case):
    name, asked, said = SAID[case]
    assert said in str(nws.plan(name, epsilon=1, **asked))


def test_a_promise_that_falls_with_the_records_holds_for_more_of_them():
    """What is said of 40 records or more is kept by the law of 40, of 400 and of 4,000, and not by far too much."""
    for size in (40, 400, 4000):
        law = hazmat.law(nws.Mean(), [0.0] * size, bounds=(0, 10), epsilon=1)
        assert 1 - read_law(law).cdf(36 / size) <= MISS < 1 - read_law(law).cdf(20 / size)


def test_weights_are_counted_in_the_heaviest():
    """Rows of the heaviest weight are records of a mean; what is promised is kept for both kinds of weights."""
    data, asked = [0.0] * 80, {"bounds": ((0, 10), (0, 5)), "epsilon": 1}
    for weight in (5.0, 2.5):
        law = hazmat.law(nws.WeightedMean(), (data, [weight] * 80), **asked)
        assert 1 - read_law(law).cdf(180 / (weight * 80)) <= MISS < 1 - read_law(law).cdf(90 / (weight * 80))


def test_f1_is_a_share_of_hits():
    truth, guess = [1] * 10 + [0] * 90, [0] * 10 + [1] * 90  # no hits: F1 rises fastest there
    law = hazmat.law(nws.F1(), (truth, guess), epsilon=1)
    assert 1 - read_law(law).cdf(7.19 / 100) <= MISS < 1 - read_law(law).cdf(4 / 100)


def test_distinct_categories_are_as_far_off_as_a_count():
    names = list("abcdefgh")
    assert nws.plan("count_distinct", names, epsilon=1).error == nws.plan("count", epsilon=1).error == 3
    assert nws.plan("count_distinct", names, epsilon=1, contributions=2).error == 6
    wide = nws.plan("count_distinct", ["a", "b"], epsilon=1)
    assert wide.error == 2 and "could be anywhere" in wide.wide


def test_between_bounds_that_are_found_the_widest_counts():
    """There are the most answers, so that the most people may separate a release from the true one."""
    found = nws.plan("median", bounds="private", granularity=1, epsilon=1).people
    assert found >= nws.plan("median", bounds=(-(2**40), 2**40), granularity=1, epsilon=0.75).people
    assert found > nws.plan("median", bounds=(0, 2**10), granularity=1, epsilon=0.75).people + 10


def test_private_bounds_keep_their_promise_in_the_counts():
    """The larger bound times what is said is at least as far as the noise of a sum between such bounds goes."""
    said = 4
    for high in (1.0, 2.0**40):
        between = nws.plan("sum", bounds=(-high, high), epsilon=0.75, granularity=high / 2**20)
        assert 0.9 * said * high <= between.error <= said * high


def test_it_is_said_in_the_unit_of_the_answer():
    said = ErrorOverTotal(far=12.0, total="the number of records", least=40, coarse=False, sure="surely")
    assert (
        said.said() == "surely it is off by at most 12 over the number of records, where that is 40 or more"
    )
    bounds = (date(2000, 1, 1), date(2020, 1, 1))
    assert "26,300 days over the number of records and a step" in str(
        nws.plan("mean", bounds=bounds, epsilon=1)
    )


def test_a_coarse_step_is_said():
    assert "and a step" in str(nws.plan("mean", bounds=(0, 10), epsilon=1, granularity=1))
    assert "and a step" not in str(nws.plan("mean", bounds=(0.0, 10.0), epsilon=1))


def test_nothing_falls_where_epsilon_is_too_small():
    assert "over the number" not in str(nws.plan("mean", bounds=(0, 10), epsilon=1e-20))


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("decay", [0.02, 0.3])
def test_noise_of_one_radius(dimensions, decay):
    """Against a sum over all lattice points."""
    each, largest = radial_steps(decay, MISS, dimensions)
    r = np.arange(int(60 * dimensions / decay))
    points = (2.0 * r + 1) ** dimensions
    shell = np.diff(points, prepend=0) * np.exp(-decay * r)
    face = np.diff((2.0 * r + 1) ** (dimensions - 1), prepend=0) * np.exp(-decay * r)

    def of_one(t):
        return 1 - (shell[: t + 1].sum() + (2 * t + 1) * face[t + 1 :].sum()) / shell.sum()

    def of_largest(t):
        return shell[t + 1 :].sum() / shell.sum()

    assert of_one(each) <= MISS < of_one(int(0.8 * each))
    assert of_largest(largest) <= MISS < of_largest(int(0.8 * largest))


def test_several_counts_at_once():
    """Noise on each is independent, so the chance is that of one to the power of their number."""
    one, all_of_them = noise_steps(nws.Laplace(epsilon=1, sensitivity=5), Fraction(1, 20), 10)

    def beyond(t):
        r = math.exp(-0.2)
        return 2 * r ** (t + 1) / (1 + r)

    assert beyond(one) <= MISS < beyond(one - 1)
    assert 1 - (1 - beyond(all_of_them)) ** 10 <= MISS < 1 - (1 - beyond(all_of_them - 1)) ** 10


# Answers that are computed from noisy sums, against draws of that noise and against worst cases

DRAWS = 40_000


def noise(rng: np.random.Generator, rate: float, shape: tuple[int, ...]) -> np.ndarray:
    """Discrete Laplace noise: the difference of two waiting times."""
    chance = -np.expm1(-rate)
    return rng.geometric(chance, shape) - rng.geometric(chance, shape)


@pytest.mark.parametrize("owned", [1, 3])
@pytest.mark.parametrize("size", [60, 500])
def test_a_mean_of_two_sums(size, owned):
    """From one bound to the other the chance to miss is never above; at a bound it is hardly below."""
    planned = nws.plan("mean", bounds=(0, 10), epsilon=1, interval=0.9, size=size, contributions=owned)
    assert planned.mechanism == "laplace" and planned.people is None and planned.error is not None
    rng, steps = np.random.default_rng(1), 2**28
    missed = []
    for share in (0, 0.1, 0.5, 1):
        up, down = noise(rng, 1 / (owned * (steps + 1)), (2, DRAWS))
        up = np.maximum(up + round(size * steps * share), 0)
        down = np.maximum(down + size * steps - round(size * steps * share), 0)
        mean = 10 * up / np.maximum(up + down, 1)
        missed.append(np.mean(np.abs(mean - 10 * share) > planned.error))
    assert max(missed) <= MISS + 0.006
    assert missed[0] >= MISS / 4  # there it can be off to one side only


def test_a_mean_of_two_sums_of_few_records():
    few = nws.plan("mean", bounds=(0, 10), epsilon=1, interval=0.9, size=1)
    assert few.error is None and "could be anywhere" in few.wide
    assert "could be anywhere" in nws.plan("mean", bounds=(0, 10), epsilon=1, interval=0.9, size=5).wide
    assert nws.plan("mean", bounds=(0, 10), epsilon=1, interval=0.9, size=0).error is None


def test_a_named_mechanism_answers_with_half_of_epsilon():
    with_interval = nws.plan("mean", bounds=(0, 10), epsilon=2, interval=0.9, mechanism="balance", size=500)
    alone = nws.plan("mean", bounds=(0, 10), epsilon=1, mechanism="balance", size=500)
    assert (with_interval.error, with_interval.mechanism) == (alone.error, "balance")


ASKED = {"bounds": (0, 10), "epsilon": 4}


@pytest.mark.parametrize("held", [{}, {"neighbors": "swap"}, {"contributions": 2}], ids=str)
def test_covariances(held):
    """Kept, and not by far too much: it holds for all data and all entries at once."""
    planned = nws.plan(nws.ask.covariance(["a", "b"], **ASKED), size=2000, **held)
    rows = np.array([[9.0, 2.0], [8.0, 1.0], [9.0, 1.0], [8.0, 2.0]] * 500)
    drawn = [nws.covariance(rows, **ASKED, **held).value for _ in range(60)]
    errors = np.abs(np.array(drawn) - np.cov(rows.T, bias=True)).max(axis=(1, 2))
    assert planned.error == planned.error_of_all and planned.numbers == 4
    assert np.quantile(errors, 0.9) <= planned.error <= 40 * np.median(errors)


def test_covariances_of_columns_of_several_widths():
    wide = nws.ask.covariance(["a", "b"], bounds=((0, 10), (0, 1000)), epsilon=4)
    alike = nws.plan(nws.ask.covariance(["a", "b"], **ASKED), size=2000)
    planned = nws.plan(wide, size=2000)
    assert planned.error == pytest.approx(alike.error * 100**2)
    assert f"{alike.error / 25:.3f}"[:4] in str(planned) and "times half the widths" in str(planned)
    assert "times half" not in str(alike)


def test_sums_in_people():
    """Each row moves a sum by at most 1, a swapped one by 2, and a person has several."""
    said = {
        "add": nws.plan(nws.ask.linear_regression(["a"], "y", **ASKED)),
        "three": nws.plan(nws.ask.linear_regression(["a"], "y", **ASKED), contributions=3),
        "swap": nws.plan(nws.ask.covariance(["a", "b"], **ASKED), neighbors="swap"),
    }
    assert "none of the 5 sums that it is computed from is off by more than 3 people can" in str(said["add"])
    assert "more than 3 people" in str(said["three"]) and "none of the 5 sums" in str(said["swap"])
    assert all(each.error is None for each in said.values())


def test_too_few_rows_for_covariances():
    planned = nws.plan(nws.ask.covariance(["a", "b"], **ASKED), size=2)
    assert planned.error is None and "sums" in planned.sentence


def test_answers_with_intervals_promise_what_their_sums_do():
    """Both sums of F1 are off by less than four people can do; those of a variance are no part of its answer."""
    told = str(nws.plan(nws.f1, epsilon=1, interval=0.9))
    assert (
        "with probability 95% none of the 2 sums that it is computed from is off by more than 4 people"
        in told
    )
    half, whole = (
        nws.plan(nws.variance, bounds=(0, 1), epsilon=e, **i) for e, i in ((2, {"interval": 0.9}), (1, {}))
    )
    assert half.people == whole.people
