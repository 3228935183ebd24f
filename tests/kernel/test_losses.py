"""A loss never undercharges: conversions are held, order by order, against the mechanisms they must cover."""

import dataclasses
import json
import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel import losses
from noisewise.kernel.losses import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    Loss,
    PureDP,
    discrete_laplace_rho,
    group_loss,
)

EPSILONS = [
    Fraction(1, 100),
    Fraction(1, 10),
    Fraction(1, 2),
    Fraction(1),
    Fraction(3),
    Fraction(8),
    Fraction(30),
]
ORDERS = np.array([1.01, 1.1, 1.5, 2, 3, 4.5, 8, 16, 50, 200, 1000])
LOSSES = [PureDP(0.1), PureDP(1, Fraction(2, 5)), BoundedRange(2), ZCDP(0.5), ApproxDP(1, 1e-6)]


def renyi(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The Rényi divergences of every order, from log probabilities."""
    exponents = ORDERS[:, None] * p + (1 - ORDERS[:, None]) * q
    top = exponents.max(axis=1, keepdims=True)
    return (top[:, 0] + np.log(np.exp(exponents - top).sum(axis=1))) / (ORDERS - 1)


def encloses(formula: Callable[[arb], arb], at: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball around the formula, computed without any of the library's code."""
    with ctx.workprec(precision):
        ball = formula(arb(fmpq(at.numerator, at.denominator)))
        low, high = ball.lower().fmpq(), ball.upper().fmpq()
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def bounded_range_formula(x: arb) -> arb:
    return x / (x.exp() - 1) + ((x.exp() - 1) / x).log() - 1


def pure_formula(x: arb) -> arb:
    return x * (x / 2).tanh()


def laplace_formula(steps: int) -> Callable[[arb], arb]:
    def rho(x: arb) -> arb:
        r = (-x / steps).exp()
        return x / steps * (steps - 2 * r * (1 - r**steps) / (1 - r**2))

    return rho


# Numbers


@pytest.mark.parametrize(
    ("steps", "expected"), [(1, 0.462117), (2, 0.393469), (5, 0.372074), (10**6, 0.367879)]
)
def test_discrete_laplace_numbers(steps: int, expected: float) -> None:
    assert float(discrete_laplace_rho(1, steps)) == pytest.approx(expected, abs=1e-6)


def test_numbers_of_other_conversions() -> None:
    assert float(BoundedRange(1).as_zcdp().rho) == pytest.approx(1 / (math.e - 1) + math.log(math.e - 1) - 1)
    assert float(PureDP(1).as_zcdp().rho) == pytest.approx(math.tanh(0.5))
    assert BoundedRange(0.1).as_pure() == PureDP(0.1)
    assert PureDP(1, 0.4).as_zcdp() == ZCDP(0.4)
    assert PureDP(1, 0.5).as_zcdp() == PureDP(1).as_zcdp()  # a proved rho never makes it worse
    assert float(ZCDP(Fraction(1, 32)).as_approx(1e-3).epsilon) == pytest.approx(
        0.6880024554878085, abs=1e-14
    )


def test_the_continuous_laplace_formula_would_undercharge() -> None:
    for epsilon in EPSILONS:
        x = float(epsilon)
        continuous = math.expm1(-x) + x
        for steps in (1, 2, 5):
            assert float(discrete_laplace_rho(epsilon, steps)) > continuous * (1 + 1e-4)
    assert float(discrete_laplace_rho(1, 10**6)) == pytest.approx(math.exp(-1), rel=1e-9)
    assert math.exp(-1) / float(discrete_laplace_rho(1, 1)) == pytest.approx(
        0.8, abs=0.005
    )  # a fifth is missing


def test_numbers_too_small_to_write_down_are_rounded_up_to_one_that_is_not() -> None:
    tiny = losses.round_up(lambda: arb(-(10**6)).exp(), Fraction(1))
    assert tiny == losses.LEAST and losses.round_up(lambda: arb(-1), Fraction(1)) == 0
    assert losses.round_up(lambda: arb("nan"), Fraction(1)) == 1


# Rounded up, and hardly


TINY = [Fraction(1, 2**bits) for bits in range(4, 80, 4)] + [Fraction(1, 10**12), Fraction(5e-324)]


@pytest.mark.parametrize("epsilon", [*EPSILONS, *TINY, Fraction(1, 3), Fraction(200)])
def test_rho_is_a_certified_upper_bound(epsilon: Fraction) -> None:
    precision = 8000
    for rho, formula in [
        (BoundedRange(epsilon).as_zcdp().rho, bounded_range_formula),
        (PureDP(epsilon).as_zcdp().rho, pure_formula),
        *((discrete_laplace_rho(epsilon, steps), laplace_formula(steps)) for steps in (1, 2, 7, 1000)),
    ]:
        low, high = encloses(formula, epsilon, precision)
        assert low <= rho and high <= rho * (1 + Fraction(1, 2**1000))  # fails if anything is rounded down
        assert rho <= low * (1 + Fraction(1, 2**63))


@pytest.mark.parametrize("delta", [Fraction(1, 10**9), Fraction(1, 1000), Fraction(1, 5)])
@pytest.mark.parametrize(
    "rho", [Fraction(1, 10**6), Fraction(1, 32), Fraction(1, 2), Fraction(7), Fraction(500)]
)
def test_zcdp_to_approx_is_the_minimum_over_orders_and_never_below(rho: Fraction, delta: Fraction) -> None:
    def curve(t: np.ndarray) -> np.ndarray:
        s = np.exp(t)
        return (1 + s) * float(rho) - (math.log(delta) + np.log1p(s)) / s - np.log1p(1 / s)

    coarse = np.linspace(-12, 16, 28_001)
    fine = coarse[curve(coarse).argmin()] + np.linspace(-1e-3, 1e-3, 20_001)
    epsilon = ZCDP(rho).as_approx(delta).epsilon
    assert float(epsilon) == pytest.approx(max(0.0, float(curve(fine).min())), rel=1e-9, abs=1e-9)
    low, _ = encloses(lambda d: infimum(d, rho), delta, precision=400)
    assert epsilon >= low


def infimum(delta: arb, rho: Fraction) -> arb:
    """The formula at its best order, which bisection finds to hundreds of digits."""
    left, right, weight = arb(-60), arb(60), arb(fmpq(rho.numerator, rho.denominator))
    for _ in range(300):
        middle = ((left + right) / 2).mid()
        s = middle.exp().mid()
        left, right = (left, middle) if weight * s**2 + (1 + s).log() > -delta.log() else (middle, right)
    return (1 + s) * weight - (delta * (1 + s)).log() / s + (s / (1 + s)).log()


@pytest.mark.parametrize("delta", [1e-8, 1e-3, 0.3])
@pytest.mark.parametrize("rho", [0.001, 0.125, 0.5, 4])
def test_zcdp_to_approx_covers_the_gaussian_mechanism(rho: float, delta: float) -> None:
    mu, epsilon = math.sqrt(2 * rho), float(ZCDP(rho).as_approx(delta).epsilon)

    def normal(z: float) -> float:
        return math.erfc(-z / math.sqrt(2)) / 2

    assert normal(mu / 2 - epsilon / mu) - math.exp(epsilon) * normal(-mu / 2 - epsilon / mu) <= delta


@pytest.mark.parametrize(
    ("rho", "delta"),
    [
        (Fraction(5e-324) ** 2, Fraction(1, 1000)),
        (Fraction(10) ** 250, Fraction(1, 10**9)),
        (Fraction(1, 2), Fraction(1, 10**2000)),
        (Fraction(1, 2), 1 - Fraction(1, 10**400)),
        (Fraction(10) ** 250, 1 - Fraction(1, 10**400)),
        (Fraction(1, 10**250), Fraction(1, 10**2000)),
    ],
)
def test_extreme_parameters_convert(rho: Fraction, delta: Fraction) -> None:
    loss = ZCDP(rho).as_approx(delta)
    surprise = math.log(delta.denominator) - math.log(delta.numerator) if delta < 0.5 else float(1 - delta)
    assert (
        0
        <= float(loss.epsilon)
        <= float(rho) * (1 + 1e-9) + 2 * math.sqrt(float(rho) * surprise) * (1 + 1e-9)
    )
    assert str(loss) and json.dumps(loss.to_dict())


# The mechanisms behind them


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 4.0, 12.0])
@pytest.mark.parametrize("steps", [1, 2, 3, 5, 20])
def test_discrete_laplace_obeys_its_rho_at_every_order_and_smaller_shift(epsilon: float, steps: int) -> None:
    rate, rho = epsilon / steps, float(discrete_laplace_rho(epsilon, steps))
    k = np.arange(-int(45 / rate) - 1, int(45 / rate) + steps + 2)
    law = math.log(math.tanh(rate / 2)) - rate * np.abs(k)
    largest = -np.inf
    for shift in range(1, steps + 1):
        shifted = math.log(math.tanh(rate / 2)) - rate * np.abs(k - shift)
        ratio = float((renyi(law, shifted) / ORDERS).max() / rho)
        assert ratio <= 1 + 1e-9
        assert ratio >= largest - 1e-9  # the larger the shift, the larger the loss
        largest = ratio
    assert float(np.sum(np.exp(law) * (law - shifted))) == pytest.approx(rho, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 10.0])
def test_bounded_range_covers_two_and_three_point_laws(epsilon: float) -> None:
    rho, random, largest = float(BoundedRange(epsilon).as_zcdp().rho), np.random.default_rng(7), 0.0
    two = [
        (np.array([1 - p, p]), np.array([0, epsilon])) for p in 1 / (1 + np.exp(np.linspace(-12, 12, 401)))
    ]
    three = [
        (random.dirichlet([1, 1, 1]), np.array([0, random.uniform(0, epsilon), epsilon])) for _ in range(400)
    ]
    for q, z in two + three:
        p = q * np.exp(z)  # its log ratio to q is z, less a constant once it sums to one
        largest = max(largest, float((renyi(np.log(p / p.sum()), np.log(q)) / ORDERS).max()))
    assert largest <= rho * (1 + 1e-9)
    assert largest >= rho * 0.98  # tight: nothing much smaller would do


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 10.0])
def test_pure_rho_covers_randomised_response(epsilon: float) -> None:
    rho = float(PureDP(epsilon).as_zcdp().rho)
    truth = -np.logaddexp(0, [-epsilon, epsilon])
    ratio = renyi(truth, truth[::-1]) / ORDERS
    assert ratio.max() <= rho * (1 + 1e-9)
    assert ratio.max() >= rho * 0.98


def test_known_bounds_and_monotony() -> None:
    grid = [Fraction(n, 16) for n in range(1, 200)]
    for kind, eighth in ((BoundedRange, 8), (PureDP, 2)):
        rhos = [kind(epsilon).as_zcdp().rho for epsilon in grid]
        assert all(0 < rho <= epsilon**2 / eighth for rho, epsilon in zip(rhos, grid, strict=True))
        assert rhos == sorted(set(rhos))
    by_steps = [discrete_laplace_rho(1, steps) for steps in range(1, 60)]
    assert by_steps == sorted(set(by_steps), reverse=True)
    assert by_steps[0] == PureDP(1).as_zcdp().rho
    by_delta = [ZCDP(0.5).as_approx(Fraction(1, 10**n)).epsilon for n in range(1, 30)]
    assert by_delta == sorted(set(by_delta))
    assert all(
        BoundedRange(e).as_zcdp().rho <= discrete_laplace_rho(e, 50) <= PureDP(e).as_zcdp().rho for e in grid
    )


# The vocabulary


def test_as_approx_takes_the_smaller_epsilon() -> None:
    assert PureDP(1).as_approx(0) == ApproxDP(1, 0)
    assert PureDP(1).as_approx(1e-6) == ApproxDP(1, 1e-6)  # the pure epsilon wins
    for loss in (PureDP(1), BoundedRange(1), PureDP(1, Fraction(1, 1000))):
        for delta in (1e-9, 0.01, 0.3):
            route = loss.as_zcdp().as_approx(delta).epsilon
            assert loss.as_approx(delta) == ApproxDP(min(Fraction(1), route), delta)
    assert BoundedRange(1).as_approx(0.1).epsilon < 1  # the detour over zCDP wins
    assert ApproxDP(0.1, 0).as_approx(0.1) == PureDP(0.1).as_approx(0.1) != ApproxDP(0.1, 0.1)
    assert ApproxDP(2, 1e-6).as_approx(1e-5) == ApproxDP(2, 1e-5)


def test_nothing_spent_is_a_loss_of_every_kind() -> None:
    for nothing in (PureDP(0), BoundedRange(0), ZCDP(0), ApproxDP(0, 0)):
        assert nothing.as_pure() == PureDP(0)
        assert nothing.as_zcdp() == ZCDP(0)
        assert nothing.as_approx(0) == ApproxDP(0, 0)
        assert nothing.as_approx(0.5) == ApproxDP(0, 0.5)
    assert discrete_laplace_rho(0, 3) == 0


@pytest.mark.parametrize(
    ("convert", "message"),
    [
        (
            lambda: ZCDP(0.5).as_pure(),
            r"loss must bound the log ratio, got ρ = 0\.5, .*; use as_approx\(delta\)",
        ),
        (lambda: ApproxDP(1, 1e-6).as_pure(), r"loss must have delta 0, got ε = 1, δ = 1e-06, .*; convert"),
        (lambda: ApproxDP(1, 1e-6).as_zcdp(), r"loss must have delta 0, got ε = 1, δ = 1e-06, .*; convert"),
        (lambda: ApproxDP(1, 1e-6).as_approx(1e-7), r"delta must not be below that of ε = 1, .*, got 1e-07"),
        (lambda: ZCDP(0.5).as_approx(0), r"delta must be above 0 to convert ρ = 0\.5, .*, got 0"),
    ],
)
def test_conversions_that_do_not_exist_say_what_does(convert: Callable[[], Loss], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        convert()


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: PureDP(-1), ParameterError, "epsilon must be at least 0 and below 1e300, got -1"),
        (lambda: PureDP(Fraction(10) ** 300), ParameterError, "epsilon must be at least 0 and below 1e300"),
        (lambda: PureDP(1, -0.5), ParameterError, "rho must be at least 0 and below 1e300, got -0.5"),
        (lambda: BoundedRange(math.inf), ParameterError, "epsilon must be finite, got inf"),
        (lambda: ZCDP(math.nan), ParameterError, "rho must be finite, got nan"),
        (lambda: ApproxDP(1, 1), ParameterError, "delta must be at least 0 and below 1, got 1"),
        (lambda: ApproxDP(1, -1e-9), ParameterError, "delta must be at least 0 and below 1, got -1e-09"),
        (lambda: BoundedRange(1).as_approx(2), ParameterError, "delta must be at least 0 and below 1, got 2"),
        (lambda: PureDP(True), ParameterTypeError, "epsilon must be a real number, got True"),
        (lambda: ZCDP("1"), ParameterTypeError, "rho must be a real number, got '1'"),
        (lambda: ApproxDP(1, None), ParameterTypeError, "delta must be a real number, got None"),
        (lambda: discrete_laplace_rho(-1, 1), ParameterError, "epsilon must be at least 0"),
        (lambda: discrete_laplace_rho(1, 0), ParameterError, "steps must be at least 1, got 0"),
        (lambda: discrete_laplace_rho(1, 2.0), ParameterTypeError, "steps must be a whole number, got 2.0"),
    ],
)
def test_parameters_are_checked(build: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        build()
    assert str(caught.value).startswith(message)


def test_losses_are_values() -> None:
    assert PureDP(0.1) == PureDP(Fraction(1, 10)) == PureDP(Decimal("0.1")) == PureDP(np.float64(0.1))
    assert PureDP(1) == PureDP(1, 0.4) and PureDP(1) != BoundedRange(1)
    assert PureDP(1).as_zcdp() != PureDP(1, 0.4).as_zcdp()
    assert len({ZCDP(0.5), ZCDP(Fraction(1, 2)), ZCDP(1)}) == 2
    assert PureDP(0.1).epsilon == Fraction(1, 10) and sum([PureDP(0.1).epsilon] * 10) == 1
    for loss in LOSSES:
        assert pickle.loads(pickle.dumps(loss)) == loss == dataclasses.replace(loss)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(loss, dataclasses.fields(loss)[0].name, Fraction(3))


def test_losses_read_well() -> None:
    assert repr(BoundedRange(1)) == "BoundedRange(epsilon=1)"
    assert repr(PureDP(Fraction(1, 3))) == "PureDP(epsilon=1/3)"
    assert repr(PureDP(1, 0.4)) == "PureDP(epsilon=1, rho=0.4)"
    assert repr(ApproxDP(0.1, 1e-6)) == "ApproxDP(epsilon=0.1, delta=1e-06)"
    assert str(PureDP(1)) == "ε = 1, pure differential privacy"
    assert str(PureDP(1, discrete_laplace_rho(1, 1))) == "ε = 1, pure differential privacy"
    assert str(BoundedRange(Fraction(1, 3))) == "ε = 1/3, pure differential privacy"
    assert str(ZCDP(0.5)) == "ρ = 0.5, zero-concentrated differential privacy"
    assert str(BoundedRange(1).as_zcdp()) == "ρ ≤ 0.123302, zero-concentrated differential privacy"
    assert str(ApproxDP(0.1, 1e-6)) == "ε = 0.1, δ = 1e-06, approximate differential privacy"


@pytest.mark.parametrize("loss", [*LOSSES, BoundedRange(1).as_zcdp(), ZCDP(0.5).as_approx(1e-6)])
def test_records_hold_the_exact_numbers(loss: Loss) -> None:
    record = json.loads(json.dumps(loss.to_dict()))
    kind = getattr(losses, record.pop("loss"))
    floats = {
        name.removesuffix("_float"): record.pop(name) for name in list(record) if name.endswith("_float")
    }
    assert kind(**{name: Fraction(text) for name, text in record.items()}) == loss
    for name, text in record.items():
        number = Fraction(text)
        assert number <= Fraction(repr(floats[name])) <= number * (1 + Fraction(1, 2**51))


@pytest.mark.parametrize("k", range(1, 38))
def test_floats_for_reading_are_not_below_what_they_stand_for(k: int) -> None:
    assert Fraction(repr(PureDP(Fraction(k, 37)).to_dict()["epsilon_float"])) >= Fraction(k, 37)
    assert PureDP(0.3).to_dict()["epsilon_float"] == 0.3


def test_a_pure_loss_above_zero_has_no_rho_of_zero():
    assert PureDP(0, rho=0).as_zcdp() == ZCDP(0)
    with pytest.raises(ParameterError, match="rho must be above 0 where epsilon is, got 0"):
        PureDP(60, rho=0)


def test_several_records_lose_what_they_lose_one_by_one() -> None:
    assert group_loss(BoundedRange(0.2), 3) == BoundedRange(0.6)
    assert group_loss(ZCDP(0.1), 3) == ZCDP(0.9)
    pure, known = group_loss(PureDP(0.2), 3), group_loss(PureDP(0.2, rho=0.01), 3)
    assert (pure.epsilon, pure.rho) == (Fraction(3, 5), None)
    assert (known.epsilon, known.rho) == (Fraction(3, 5), Fraction(9, 100))
    assert group_loss(ApproxDP(0.2, 0), 3) == PureDP(0.6)
    with pytest.raises(ParameterError, match="loss must have delta 0"):
        group_loss(ApproxDP(0.2, 1e-6), 3)


@pytest.mark.parametrize("whole", [Fraction(1, 100), 1, 8, 64])
def test_what_is_spread_over_groups_costs_no_more_than_in_one(whole: Fraction | int) -> None:
    """The rho of bounded range, of any pure loss and of shifts of discrete Laplace noise are superadditive."""
    for steps, one in ((2, 1), (3, 1), (7, 1), (7, 3)):
        a = Fraction(whole, steps)
        for rho in (
            lambda k, a=a: BoundedRange(a * k).as_zcdp().rho,
            lambda k, a=a: PureDP(a * k).as_zcdp().rho,
            lambda k, a=a: discrete_laplace_rho(a * k, k),
        ):
            assert rho(one) + rho(steps - one) <= rho(steps) * (1 + Fraction(1, 2**60))
