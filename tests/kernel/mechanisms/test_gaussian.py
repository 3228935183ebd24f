"""Gaussian noise: its loss enumerated in balls, its exact variance, and what it refuses."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx

from noisewise import ZCDP, Envelope, ParameterError, ParameterTypeError
from noisewise.kernel.mechanisms.gaussian import Gaussian
from noisewise.kernel.numbers.answers import Answers
from noisewise.planning.readings.read_law import read_law
from tests.kernel.sampling.goodness import ball

ONE = Fraction(1)
OPEN = Answers(None, None, ONE)
RHOS = [Fraction(1, 200), Fraction(1, 2), Fraction(7, 3), Fraction(20)]
ORDERS = [
    Fraction(101, 100),
    Fraction(5, 4),
    Fraction(3, 2),
    Fraction(2),
    Fraction(3),
    Fraction(15, 2),
    Fraction(40),
]


def total(variance, mean):
    """The sum over all z of exp(-(z - mean)^2 / (2*variance)), by its terms; ``mean`` may be a fraction."""
    reach = math.isqrt(math.ceil(400 * variance)) + 2
    middle = round(mean)
    return sum(
        ((-ball((z - mean) ** 2 / (2 * variance))).exp() for z in range(middle - reach, middle + reach + 1)),
        arb(0),
    )


def renyi(variance, shift, order):
    """D_order of the law around ``shift`` from the law around 0, by the terms of the sum over all integers."""
    mean = order * shift
    reach, middle = math.isqrt(math.ceil(400 * variance)) + 2, round(mean)
    one = total(variance, Fraction(0))
    terms = arb(0)
    for z in range(middle - reach, middle + reach + 1):
        exponent = order * (z - shift) ** 2 + (1 - order) * Fraction(z) ** 2
        terms += (-ball(exponent / (2 * variance))).exp()
    return (terms / one).log() / ball(order - 1)


@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("order", ORDERS)
def test_a_shift_costs_rho_at_most_and_exactly_where_it_can(rho, order):
    for sensitivity in (1, 3):
        gaussian = Gaussian(rho=rho, squared_sensitivity=sensitivity**2)
        variance = read_law(gaussian.law(Envelope.of([0], [0], (None, None), 1), OPEN)).variance
        with ctx.workprec(256):
            for shift in range(1, sensitivity + 1):
                loss, charged = renyi(variance, shift, order), ball(gaussian.loss.rho * order)
                most = ball(order * shift**2 / (2 * variance))
                assert loss < most + arb(2) ** -150
                assert most <= charged + arb(2) ** -150
                if shift == sensitivity and (order * shift).denominator == 1:
                    assert abs(loss - charged) < arb(2) ** -150, "attained"


@pytest.mark.parametrize("rho", RHOS)
def test_a_vector_costs_the_sum_of_its_squares(rho):
    """Divergences of independent coordinates add up: (1, 2, 2) has the squared length 9, not 5^2 and not 5."""
    gaussian = Gaussian(rho=rho, squared_sensitivity=9)
    with ctx.workprec(256):
        loss = sum((renyi(gaussian.variance, shift, Fraction(2)) for shift in (1, 2, 2)), arb(0))
        assert abs(loss - ball(2 * rho)) < arb(2) ** -150


def test_a_centre_between_two_points_of_the_lattice_would_cost_more():
    """Laws of the same outcomes around 0 and 1/2 are divided by different sums. So answers are rounded first."""
    variance = Fraction(1, 8)
    with ctx.workprec(256):
        near, far = total(variance, Fraction(0)), total(variance, Fraction(1, 2))
        order, shift = Fraction(2), Fraction(1, 2)
        terms = sum(
            ((-ball((order * (z - shift) ** 2 - z * z) / (2 * variance))).exp() for z in range(-40, 41)),
            arb(0),
        )
        loss = (terms * near / far**2).log()
        assert loss > ball(order * shift**2 / (2 * variance)) * 1.2


# What it says


def test_the_variance_is_exact_and_the_loss_is_rho():
    gaussian = Gaussian(rho=Fraction(3, 7), squared_sensitivity=5)
    assert gaussian.variance == Fraction(35, 6)
    assert gaussian.loss == ZCDP(Fraction(3, 7)) and gaussian.loss.rho == gaussian.rho == Fraction(3, 7)
    assert Gaussian(rho=0.1, squared_sensitivity=1).variance == 5
    assert (gaussian.name, gaussian.version, gaussian.levels(OPEN)) == ("gaussian", "discrete-gaussian/1", 0)


def test_the_law_is_around_the_answer_itself():
    """Level 0 alone is read, and a draw is clamped at the public ends of the envelope."""
    envelope = Envelope.stack(
        [Envelope.of([4, 1, 0], [4, 6, 9], (0, 9)), Envelope.of([7, 2], [7, 9], (0, 9))]
    )
    law = Gaussian(rho=ONE, squared_sensitivity=8).law(envelope, Answers(0, 9, Fraction(1, 2)))
    assert law.centres.tolist() == [4, 7]
    assert (law.variance, law.granularity, law.clamp) == (4, Fraction(1, 2), (0, 9))


@pytest.mark.parametrize("rho", ["1/1000", "1/3", "2", "40"])
@pytest.mark.parametrize("miss", ["0.4999", "1/40", "1e-9"])
@pytest.mark.parametrize("squared", [1, 10, 10**6])
def test_farthest_is_the_least_step_within_the_chance(rho, miss, squared):
    gaussian, chance = Gaussian(rho=Fraction(rho), squared_sensitivity=squared), Fraction(miss)
    t = gaussian.farthest(chance)
    sigma = math.sqrt(gaussian.variance)
    reach = math.ceil(12 * sigma) + 3
    weights = np.exp(-(np.arange(-reach, reach + 1.0) ** 2) / (2 * float(gaussian.variance)))
    beyond = weights[::-1].cumsum()[::-1] / weights.sum()  # P(noise >= k - reach)
    assert beyond[reach + t + 1] <= float(chance) * (1 + 1e-9)
    assert t == 0 or beyond[reach + t] > float(chance) * (1 - 1e-9)


def test_farthest_is_known_to_a_step_where_noise_is_wide():
    gaussian = Gaussian(rho=Fraction(1, 2), squared_sensitivity=10**24)
    with ctx.workprec(200):
        right = 10**12 * arb(2).sqrt() * (arb(1) - 2 * ball(Fraction(1, 40))).erfinv()
    assert abs(gaussian.farthest(Fraction(1, 40)) - float(right)) <= 1


# What it refuses


@pytest.mark.parametrize("rho", [0, -1, 65, Fraction(1, 3) * 0])
def test_rho_is_above_0_and_at_most_64(rho):
    with pytest.raises(ParameterError, match="rho must be above 0 and at most 64"):
        Gaussian(rho=rho, squared_sensitivity=1)


@pytest.mark.parametrize(
    ("squared", "error"),
    [(0, ParameterError), (-4, ParameterError), (2**118 + 1, ParameterError), (1.5, ParameterTypeError)],
)
def test_the_sensitivity_is_a_positive_whole_number(squared, error):
    with pytest.raises(error, match="squared_sensitivity must"):
        Gaussian(rho=1, squared_sensitivity=squared)


def test_noise_that_64_bits_could_not_hold_is_refused():
    assert Gaussian(rho=Fraction(1, 2), squared_sensitivity=2**116).variance == 2**116
    with pytest.raises(
        ParameterError, match=r"rho must be larger, or granularity coarser.*2\^58 lattice steps"
    ):
        Gaussian(rho=Fraction(1, 2), squared_sensitivity=2**116 + 1)
    with pytest.raises(ParameterError, match="1200 digits"):
        Gaussian(rho=Fraction(1, 10**1300), squared_sensitivity=1)


def test_it_is_a_frozen_value():
    one, other = (Gaussian(rho=rho, squared_sensitivity=4) for rho in (0.5, Fraction(1, 2)))
    assert one == other and hash(one) == hash(other)
    with pytest.raises(AttributeError):
        one.rho = ONE


def test_more_rho_means_less_noise():
    laws = [
        read_law(Gaussian(rho=rho, squared_sensitivity=q).law(Envelope.of([3], [3], (0, None), 1), OPEN))
        for rho, q in product((Fraction(1, 8), Fraction(1, 2)), (9, 1))
    ]
    errors = [law.expected_error() for law in laws]
    assert errors[0] > errors[1] > errors[3] and errors[0] > errors[2] > errors[3]
