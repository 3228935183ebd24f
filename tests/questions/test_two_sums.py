"""Two sums of a mean: private together, and what their noise says of the mean is true."""

from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise.audit.worlds import World
from noisewise.planning.readings.read_law import read_law
from noisewise.questions import two_sums
from noisewise.questions.request import Request
from noisewise.questions.two_sums import TwoSums


def sums_of(data, statistic=None, **more):
    asked = {"epsilon": 1, **({} if isinstance(statistic, nws.Proportion) else {"bounds": (0, 3)}), **more}
    request = Request.of(statistic or nws.Mean(), data, **asked)
    return TwoSums.of(request, request.statistic.summands(request.frame), Fraction(asked["epsilon"]))


def centres(sums):
    law = sums.look()
    return np.array([int(read_law(law[0]).centre), int(read_law(law[1]).centre)])


@pytest.mark.parametrize("owned", [1, 3])
@pytest.mark.parametrize("coarse", [4, 2**28])
@pytest.mark.parametrize("statistic", [nws.Mean(), nws.Proportion()])
def test_a_person_moves_both_sums_together_as_far_as_is_said(statistic, coarse, owned, monkeypatch):
    """Laplace noise hides what moves by at most its sensitivity, all sums together; and nothing less would do."""
    monkeypatch.setattr(two_sums, "COARSE", coarse)
    monkeypatch.setattr(two_sums, "FINE", 4)
    world = World((0, 0.4, 1, 2.9, 7), 3, "add_remove", owned)
    sums = {x: sums_of(list(x), statistic, contributions=owned) for x in world.datasets()}
    at = {x: centres(each) for x, each in sums.items()}
    moved = max(int(np.abs(at[x] - at[y]).sum()) for x, y in world.pairs())
    reach = sums[()].noise.sensitivity
    assert reach - (owned if owned > 1 else 0) <= moved <= reach, (
        "three records are rounded less than three times"
    )
    assert sums[()].look().rate / 1 == 1 and sums[()].look().envelope.stride == reach


@pytest.mark.parametrize("rate", [0.05, 0.5, 3])
def test_a_mean_of_two_noises_is_hardly_ever_further_out_than_one(rate):
    """P(a mean of both > t) <= P(one >= t), whatever the weights: t is one step more than one noise alone needs."""
    steps = np.arange(-400, 401)
    p = np.exp(-rate * np.abs(steps))
    p /= p.sum()
    both = p[:, None] * p
    for t in (0, 1, 2, 7, 30):
        for weight in (0, 0.1, 1 / 3, 0.5, 0.77, 0.999, 1):
            mean = weight * steps[:, None] + (1 - weight) * steps
            assert both[mean > t + 1e-9].sum() <= p[steps >= t].sum() + 1e-12
    fine = sums_of([1])
    assert fine.reach(Fraction(1, 40)) == fine.noise.farthest(Fraction(1, 40)) + 1


def test_sums_that_are_rounded_down_hold_the_mean_all_the_same(monkeypatch):
    """Without any noise: what remains is the rounding, and it is granted."""
    monkeypatch.setattr(two_sums, "COARSE", 4)
    monkeypatch.setattr(TwoSums, "reach", lambda self, miss: 0)
    rng, wide = np.random.default_rng(2), 0.0
    for _ in range(300):
        data = rng.uniform(0, 3, rng.integers(1, 6))
        sums = sums_of(data)
        assert sums.rounds
        low, high = sums.shares(centres(sums).tolist(), Fraction(1, 20))
        assert low - 1e-9 <= data.mean() / 3 <= high + 1e-9
        wide = max(wide, float(high - low))
    assert wide < 0.5


def test_ends_lie_on_the_lattice_and_within_the_bounds():
    sums = sums_of([1, 2], granularity=Fraction(1, 4))
    assert sums.ends((0, 0), Fraction(1, 20)) == (0, 12) and sums.estimate((0, 0)) == 0
    many = (3 * sums.steps * 10**6, 7 * sums.steps * 10**6)
    assert sums.estimate(many) == 4, "0.3 of the range is 0.9, nearest to 1"
    assert sums.ends(many, Fraction(1, 20)) == (3, 4), "0.9 lies between 0.75 and 1"
    assert sums.ends((0, 10), Fraction(1, 20)) == (0, 12)


def is_mean(statistic):
    columns = ([], []) if statistic.columns > 1 else []
    bounds = {} if isinstance(statistic, (nws.Proportion, nws.Accuracy)) else {"bounds": (0.25, 0.75)}
    summands = statistic.summands(Request.of(statistic, columns, epsilon=1, **bounds).frame)
    return summands is not None and summands.mean


def test_what_is_a_mean():
    assert all(map(is_mean, [nws.Mean(), nws.Proportion(), nws.MAE(), nws.Accuracy(), nws.LogLoss()]))
    others = [nws.RMSE(), nws.Sum(), nws.WeightedMean(), nws.WinsorizedMean("0.1")]
    assert not any(map(is_mean, others))

    class Lowered(nws.Mean):
        def envelope(self, column, answers, levels):
            return nws.Quantile(0).envelope(column, answers, levels)

    assert not is_mean(Lowered())
