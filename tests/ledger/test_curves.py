"""Curves hold what the mechanisms behind them do, go there and back, and know what was fixed."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise.bridges.dp_accounting import to_event
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger.composition import compose
from noisewise.ledger.curves import delta_at, epsilon_at, zcdp_delta

MILLIONTH = Fraction(1, 10**6)
FIXED = ("releases", "losses", "nothing")
MIXES = [
    PureDP(1),
    BoundedRange(1),
    ZCDP(0.5),
    ApproxDP(1, 1e-9),
    compose(PureDP(1), ApproxDP(1, 1e-9)),
    [PureDP(0.5)] * 12,
    [BoundedRange(0.5)] * 12,
    [ApproxDP(0.5, 1e-9)] * 12,
    [PureDP(0.5), BoundedRange(1), ApproxDP(0.25, 1e-9)] * 4,
    [PureDP(0.5), BoundedRange(1), ZCDP(0.1)],
    [BoundedRange(0.5), compose(ZCDP(0.1))],
]


def laplace_epsilon(epsilon: float, count: int, delta: float) -> float:
    """Of the continuous Laplace mechanism composed with itself: its privacy loss on a fine grid, rounded up."""
    h, half = 1e-3, round(epsilon / 1e-3)
    below = (
        np.exp((np.arange(-half, half + 1) * h - epsilon) / 2) / 2
    )  # P(Z <= z), but for the atom at epsilon
    law = np.diff(below, prepend=0.0)
    law[-1] += 0.5
    size = 2 * half * count + 1
    losses = np.fft.irfft(np.fft.rfft(law, 2 * size) ** count, 2 * size)[:size].clip(0)
    z = (np.arange(size) - half * count) * h
    grid = np.arange(0, epsilon * count, 0.01)
    return next(float(e) for e in grid if (losses * -np.expm1(np.minimum(e - z, 0))).sum() <= delta)


# Numbers


def test_bounded_range_composes_nearly_like_laplace_of_half_its_epsilon() -> None:
    ranges, pure = [BoundedRange(1)] * 100, [PureDP(1)] * 100
    assert float(epsilon_at(ranges, MILLIONTH, fixed="releases")) == pytest.approx(34.8, abs=0.05)
    assert float(epsilon_at(ranges, MILLIONTH, fixed="losses")) == pytest.approx(34.88, abs=0.01)
    assert float(epsilon_at(ranges, MILLIONTH)) == pytest.approx(37.1, abs=0.05)
    assert float(epsilon_at(pure, MILLIONTH, fixed="losses")) == pytest.approx(83.5, abs=0.05)
    assert laplace_epsilon(0.5, 100, 1e-6) == pytest.approx(30.5, abs=0.05)


def test_the_laplace_number_is_also_googles() -> None:
    from dp_accounting.pld import privacy_loss_distribution

    law = privacy_loss_distribution.from_laplace_mechanism(
        2.0, value_discretization_interval=1e-3
    ).self_compose(100)
    assert law.get_epsilon_for_delta(1e-6) == pytest.approx(30.5, abs=0.05)
    assert law.get_epsilon_for_delta(1e-6) == pytest.approx(laplace_epsilon(0.5, 100, 1e-6), abs=0.05)


# One loss


@pytest.mark.parametrize("epsilon", [0.01, 1, 8])
def test_single_losses_have_their_exact_curves(epsilon: float) -> None:
    for share in (0, 0.3, 0.9):
        at = share * epsilon
        pure = (math.exp(epsilon) - math.exp(at)) / (1 + math.exp(epsilon))
        assert float(delta_at(PureDP(epsilon), at)) == pytest.approx(pure, rel=1e-12)
        failing = 1e-3 + (1 - 1e-3) * pure
        assert float(delta_at(ApproxDP(epsilon, 1e-3), at)) == pytest.approx(failing, rel=1e-12)
        ranged = math.expm1((at - epsilon) / 2) ** 2 / -math.expm1(-epsilon)
        assert float(delta_at(BoundedRange(epsilon), at)) == pytest.approx(ranged, rel=1e-12)
    for loss in (PureDP(epsilon), BoundedRange(epsilon)):
        assert delta_at(loss, epsilon) == 0 < delta_at(loss, epsilon * 0.999)
        assert epsilon_at(loss, 0) == loss.epsilon


@pytest.mark.parametrize("rho", [0.001, 0.1, 0.5, 4])
def test_zcdp_covers_the_gaussian_mechanism_and_undoes_its_conversion(rho: float) -> None:
    mu = math.sqrt(2 * rho)

    def normal(z: float) -> float:
        return math.erfc(-z / math.sqrt(2)) / 2

    for at in (0.1, 1, 3):
        gaussian = normal(mu / 2 - at / mu) - math.exp(at) * normal(-mu / 2 - at / mu)
        assert gaussian <= delta_at(ZCDP(rho), at) <= min(1, gaussian * 30 + 1e-12)
    for delta in (1e-3, 1e-9):
        there = ZCDP(rho).as_approx(delta).epsilon
        if there > 0:
            assert float(delta_at(ZCDP(rho), there)) == pytest.approx(delta, rel=1e-6)
        assert epsilon_at(ZCDP(rho), delta) <= there


@pytest.mark.parametrize("rho", [Fraction(1, 10**9), Fraction(1, 8), Fraction(5), Fraction(300)])
def test_zcdp_takes_the_best_order(rho: Fraction) -> None:
    t = np.linspace(-12, 25, 37_001)
    s = np.exp(t)
    for at in (rho / 10, rho * 2, rho + 3):
        curve = s * ((1 + s) * float(rho) - float(at)) - s * np.log1p(1 / s) - np.log1p(s)
        found = float(zcdp_delta(rho, at))
        assert found <= math.exp(min(float(curve.min()), 0)) * (1 + 1e-9)
        assert found >= math.exp(min(float(curve.min()), 0)) * (1 - 1e-3)


def test_extreme_losses_have_curves() -> None:
    assert delta_at(ZCDP(1e299), 3) == delta_at(PureDP(1e299), 3) == delta_at(BoundedRange(1e299), 3) == 1
    assert 0 < delta_at(ZCDP(1e-299), 1e299) < Fraction(1, 10**1000)
    assert float(delta_at(PureDP(1e-299), 0)) == pytest.approx(5e-300)
    assert 0 <= epsilon_at(PureDP(Fraction(1, 10**400)), Fraction(1, 10**500)) <= Fraction(1, 10**400)
    for nothing in (PureDP(0), BoundedRange(0), ZCDP(0), [], [PureDP(0), BoundedRange(0)]):
        assert delta_at(nothing, 0) == epsilon_at(nothing, 0) == 0


# Many


@pytest.mark.parametrize("losses", MIXES, ids=lambda losses: str(losses)[:60])
@pytest.mark.parametrize("fixed", FIXED)
def test_there_and_back(losses, fixed) -> None:
    for delta in (1e-7, 1e-3):
        epsilon = epsilon_at(losses, delta, fixed=fixed)
        assert delta_at(losses, epsilon, fixed=fixed) <= Fraction(str(delta)) * (1 + Fraction(1, 2**50))
        if epsilon > 0:
            assert delta_at(losses, epsilon * Fraction(999_999, 10**6), fixed=fixed) > Fraction(str(delta))
    curve = [delta_at(losses, Fraction(n, 2), fixed=fixed) for n in range(20)]
    assert curve == sorted(curve, reverse=True) and curve[0] <= 1


@pytest.mark.parametrize("losses", MIXES, ids=lambda losses: str(losses)[:60])
def test_the_more_is_fixed_the_less_it_costs(losses) -> None:
    for delta in (1e-7, 1e-4, 0.1):
        found = [epsilon_at(losses, delta, fixed=fixed) for fixed in FIXED]
        assert found == sorted(found)
        parts = losses if isinstance(losses, list) else [losses]
        assert found[-1] <= compose(*parts).as_approx(delta).epsilon


def test_planning_bounds_are_used_only_where_they_hold() -> None:
    ranges, pure = [BoundedRange(0.5)] * 20, [PureDP(0.5)] * 20
    by_range = [epsilon_at(ranges, 1e-6, fixed=fixed) for fixed in FIXED]
    assert by_range[0] < by_range[1] < by_range[2]
    assert by_range[2] == epsilon_at(compose(*ranges), 1e-6)
    by_pure = [epsilon_at(pure, 1e-6, fixed=fixed) for fixed in FIXED]
    assert by_pure[0] == by_pure[1] < by_pure[2] == epsilon_at(compose(*pure), 1e-6)


def test_failing_releases_fail_together_with_the_chance_that_one_does() -> None:
    losses = [ApproxDP(1, 0.1)] * 3
    assert delta_at(losses, 3, fixed="losses") == 1 - Fraction(9, 10) ** 3
    assert delta_at(losses, 3) == Fraction(3, 10)
    assert epsilon_at(losses, 1 - Fraction(9, 10) ** 3, fixed="losses") == 3
    assert delta_at([ApproxDP(1, 0.6)] * 2, 5) == 1


def test_many_failing_releases_are_rounded_against_the_user_to_what_can_be_written_down() -> None:
    odd = Fraction(1, 10**6 + 3)
    found = delta_at([ApproxDP(0.1, odd)] * 2000, 200, fixed="losses")
    exact = 1 - (1 - odd) ** 2000
    assert exact < found < exact * (1 + Fraction(1, 2**100)) and len(str(found)) < 1000
    assert float(epsilon_at([ApproxDP(0.1, odd)] * 2000, 0.01, fixed="losses")) < 25


def test_an_epsilon_holds_exactly_and_not_to_the_precision_of_floats() -> None:
    """Deltas a hair apart, which logarithms in floats cannot tell."""
    for n in range(40):
        delta = Fraction(1, 1000) + Fraction(n, 10**9)
        for losses in ([PureDP(0.5)] * 12, [BoundedRange(0.5)] * 12):
            assert delta_at(losses, epsilon_at(losses, delta, fixed="losses"), fixed="losses") <= delta


def test_nothing_but_sums_is_known_of_a_mix_with_zcdp() -> None:
    for losses in ([PureDP(0.1), ZCDP(4)], [BoundedRange(0.1)] * 5 + [ZCDP(1)]):
        for fixed in FIXED:
            assert delta_at(losses, 1, fixed=fixed) == delta_at(compose(*losses), 1) > Fraction(1, 10)


def test_a_proved_rho_helps() -> None:
    known = [PureDP(0.1, 0.001)] * 200
    assert epsilon_at(known, 1e-6, fixed="losses") < epsilon_at([PureDP(0.1)] * 200, 1e-6, fixed="losses")


# Against dp_accounting


@pytest.mark.parametrize(("epsilon", "count"), [(0.1, 100), (1.0, 10)])
def test_pure_curves_agree_with_googles_pld(epsilon: float, count: int) -> None:
    from dp_accounting.pld import PLDAccountant

    accountant = PLDAccountant(value_discretization_interval=1e-4)
    losses = [PureDP(epsilon)] * count
    accountant.compose(to_event(losses, as_="pure"))
    for delta in (1e-3, 1e-6):
        ours, theirs = float(epsilon_at(losses, delta, fixed="losses")), accountant.get_epsilon(delta)
        assert ours == pytest.approx(theirs, rel=2e-3)
        assert ours <= theirs * (1 + 1e-6)  # theirs is rounded up on a grid


@pytest.mark.parametrize(
    "losses", [[ZCDP(0.01)] * 3, [ZCDP(0.5), BoundedRange(1)], [BoundedRange(1), PureDP(0.5, 0.05)] * 20]
)
def test_zcdp_curves_agree_with_googles_rdp(losses) -> None:
    from dp_accounting.rdp import RdpAccountant

    accountant = RdpAccountant()
    accountant.compose(to_event(losses, as_="zcdp"))
    for delta in (1e-3, 1e-6):
        ours, theirs = float(epsilon_at(losses, delta)), accountant.get_epsilon(delta)
        assert ours <= theirs * (1 + 1e-9)  # theirs looks at some orders, ours at all
        assert ours == pytest.approx(theirs, rel=0.05)


# Parameters


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: delta_at(PureDP(1), -1), ParameterError, "epsilon must be at least 0"),
        (lambda: epsilon_at(PureDP(1), 1), ParameterError, "delta must be at least 0 and below 1, got 1"),
        (
            lambda: epsilon_at(ZCDP(1), 0),
            ParameterError,
            "delta must be above what is already spent, δ = 0, got 0",
        ),
        (
            lambda: epsilon_at(ApproxDP(1, 0.5), 0.1),
            ParameterError,
            "delta must not be below what is already spent, δ = 0.5",
        ),
        (
            lambda: epsilon_at([ApproxDP(1, 0.5), ZCDP(1)], 0.5),
            ParameterError,
            "delta must be above what is already",
        ),
        (lambda: delta_at(PureDP(1), 1, fixed="all"), ParameterError, 'fixed must be "nothing", "losses" or'),
        (lambda: delta_at(1.0, 1), ParameterTypeError, r"losses must be losses, releases, .*got 1\.0"),
        (
            lambda: delta_at([PureDP(1), "x"], 1),
            ParameterTypeError,
            "losses must be losses, releases, .*got 'x'",
        ),
        (lambda: delta_at([PureDP(9e299)] * 2, 1), ParameterError, "rho must be at least 0 and below 1e300"),
    ],
)
def test_parameters_are_checked(ask, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask()
