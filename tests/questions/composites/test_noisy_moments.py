"""Vector means and principal components at a price in rho: one release of sums, and functions of it."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

import noisewise as nws
from noisewise.hazmat import SeededBits
from noisewise.kernel.mechanisms import Gaussian
from noisewise.kernel.prices import Rho
from noisewise.questions.composites.covariance_matrix import CovarianceRequest
from noisewise.questions.composites.noisy_moments import (
    ComponentFromSums,
    MeanFromSums,
    ask_component,
    ask_mean,
)
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.statistics.covariance import STEPS
from noisewise.statistics.principal_component import PrincipalComponent
from noisewise.statistics.vector_mean import VectorMean

HALF = Rho(Fraction(1, 2))
BOUNDS = ((-1, 1), (-2, 2))


@pytest.fixture
def table():
    x = np.random.default_rng(0).normal(size=1_000) / 4
    return np.column_stack([x, 1.5 * x])


def mean_of(table, **keywords):
    return ask_mean(VectorMean(), table, **({"bounds": (-2, 2), "epsilon": HALF} | keywords))


def component_of(table, toward=None, **keywords):
    return ask_component(
        PrincipalComponent(None, toward), table, **({"bounds": BOUNDS, "epsilon": HALF} | keywords)
    )


def test_without_noise_they_are_the_mean_and_the_component(table):
    question = mean_of(table)
    assert np.allclose(question.value(question.table.sums.without_noise()), table.mean(axis=0), atol=1e-5)
    question = component_of(table, (1, 1))
    direction = np.array([1, 1.5]) / np.hypot(1, 1.5)
    alike = component_of(table, (1, 1), bounds=(-2, 2))
    assert np.allclose(alike.value(alike.table.sums.without_noise()), direction, atol=1e-5)
    assert np.allclose(question.value(question.table.sums.without_noise()), direction, atol=1e-5)
    swapped = component_of(table, (1, 1), neighbors="swap")
    assert np.allclose(swapped.value(swapped.table.sums.without_noise()), direction, atol=1e-5)
    question = component_of(table)
    assert np.allclose(
        question.value(question.table.sums.without_noise()), np.outer(direction, direction), atol=1e-5
    )


@pytest.mark.parametrize("ask", [mean_of, component_of])
def test_one_release_of_sums_pays_for_the_answer(table, ask):
    question = ask(table)
    release = question.answer(bits=SeededBits(1))
    assert release.privacy == question.loss == nws.ZCDP(Fraction(1, 2))
    assert release.law == "discrete-gaussian/1" and release.mechanism == "gaussian"
    sums = question.table.sums.look().draw_each(bits=SeededBits(1)) / STEPS
    assert release.value == question.value(tuple(sums.tolist()))


def of_equal_bounds(table):
    return component_of(table, bounds=(-2, 2))


@pytest.mark.parametrize(("ask", "sums"), [(mean_of, 3), (component_of, 4), (of_equal_bounds, 3)])
def test_a_row_moves_the_sums_by_no_more_than_the_noise_is_made_for(ask, sums):
    """All tables of up to two rows over the corners, the middle and a point between, with one row added."""
    rows = [*product((-2.0, 0.0, 0.7, 2.0), repeat=2)]
    noise = ask(np.zeros((0, 2))).table.sums.mechanism
    assert isinstance(noise, Gaussian)
    farthest = 0
    for others in (each for size in (0, 1, 2) for each in combinations_with_replacement(rows[::3], size)):
        before = ask(np.array(others).reshape(-1, 2)).table.sums.look().centres
        for row in rows:
            after = ask(np.array([*others, row])).table.sums.look().centres
            moved = sum(int(step) ** 2 for step in (after - before).tolist())
            farthest = max(farthest, moved)
    assert farthest == noise.squared_sensitivity  # a corner of the bounds reaches it
    assert noise.squared_sensitivity == sums * STEPS**2 and len(after) == sums


def test_records_of_one_person_count_by_their_squares(table):
    assert mean_of(table, contributions=3).table.sums.mechanism.squared_sensitivity == 9 * 3 * STEPS**2


def test_what_the_user_chooses_is_drawn_as_it_says(table):
    for keywords in ({"mechanism": "piecewise_laplace"}, {"granularity": 0.25}, {"epsilon": Fraction(1)}):
        assert isinstance(mean_of(table, **keywords), VectorRequest)
        assert isinstance(component_of(table, **keywords), VectorRequest)
    assert isinstance(ask_mean(VectorMean("l1"), table, bounds=(-2, 2), epsilon=HALF), VectorRequest)
    assert isinstance(mean_of(table, neighbors="swap"), VectorRequest)
    far = ask_component(PrincipalComponent(1), table, bounds=BOUNDS, epsilon=HALF)
    assert isinstance(far, VectorRequest)


def test_nobody_at_all_gets_an_answer_within_the_bounds():
    nobody = np.zeros((0, 2))
    for seed in range(20):
        assert all(-2 <= each <= 2 for each in mean_of(nobody).answer(bits=SeededBits(seed)).value)
        value = component_of(nobody, (1, 0)).answer(bits=SeededBits(seed)).value
        assert np.isclose(np.hypot(*value), 1) and value[0] >= 0


def test_promises_hold_and_say_what_is_known(table):
    sure = mean_of(table).promise(Fraction(1, 20), 1_000)
    errors = [
        np.abs(np.array(mean_of(table).answer(bits=SeededBits(seed)).value) - table.mean(axis=0)).max()
        for seed in range(100)
    ]
    assert sure.error is not None and np.quantile(errors, 0.95) <= sure.error < 20 * np.quantile(errors, 0.95)
    assert (
        mean_of(table).promise(Fraction(1, 20)).error is None
        and "sums" in mean_of(table).promise(Fraction(1, 20)).sentence
    )
    assert mean_of(table).promise(Fraction(1, 20), 3).error is None
    assert "sums" in component_of(table).promise(Fraction(1, 20)).sentence


def test_kinds():
    assert isinstance(mean_of(np.zeros((2, 2))), MeanFromSums)
    assert isinstance(component_of(np.zeros((2, 2))), ComponentFromSums)


def test_laplace_noise_in_the_maximum_norm_costs_what_any_pure_loss_costs(table):
    """The divergence of independent noise is smaller, and would undercharge noise of one radius for all numbers."""
    request = CovarianceRequest.of(table, bounds=BOUNDS, epsilon=HALF, mechanism="laplace").sums
    assert request.version == "discrete-laplace-linf/1"
    assert nws.PureDP(request.mechanism.epsilon).as_zcdp().rho <= HALF.rho
    independent = VectorRequest.of(VectorMean("l1"), table, bounds=(-2, 2), epsilon=HALF, mechanism="laplace")
    assert HALF.rho >= independent.mechanism.loss.rho > HALF.rho * (1 - Fraction(1, 10**6))
