"""What answers promise that are computed from noisy sums, against draws of that noise and against worst cases."""

import numpy as np
import pytest

import noisewise as nws

MISS = 0.05
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
