"""Sums of losses are exact, hold for every adaptive choice, and are refused where they would not."""

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger.composition import Composed, compose, sum_with_delta


def test_sums_are_exact() -> None:
    assert compose(*[PureDP(0.1)] * 10).as_pure() == PureDP(1)
    assert compose(*[ZCDP(0.1)] * 10).as_zcdp() == ZCDP(1)
    assert compose(*[ApproxDP(0.1, 1e-7)] * 10).as_approx(1e-6) == ApproxDP(1, 1e-6)
    assert compose() == Composed(Fraction(0), Fraction(0), Fraction(0))


def test_every_kind_adds_its_own_rho() -> None:
    parts = [BoundedRange(1), PureDP(2), PureDP(1, 0.01), ZCDP(0.5)]
    assert compose(*parts).rho == sum(part.as_zcdp().rho for part in parts)
    assert compose(*parts).epsilon is None and compose(*parts[:3]).epsilon == 4
    total = compose(ApproxDP(1, 1e-6), ApproxDP(2, 1e-7))
    assert total.delta == Fraction(11, 10**7)
    assert float(total.rho) == pytest.approx(math.tanh(0.5) + 2 * math.tanh(1))
    assert total.rho >= PureDP(1).as_zcdp().rho + PureDP(2).as_zcdp().rho


def test_nothing_spent_keeps_the_epsilon() -> None:
    assert compose(PureDP(1), ZCDP(0)).as_pure() == PureDP(1)


def test_composed_losses_compose() -> None:
    parts = [BoundedRange(1), ApproxDP(2, 1e-6), PureDP(0.1), ZCDP(0.5)]
    for cut in range(5):
        assert compose(compose(*parts[:cut]), *parts[cut:]) == compose(*parts)


def test_two_adaptive_ranges_of_one_make_three() -> None:
    """The second question depends on the first answer, and the windows of the two do not add up."""
    first, later = 0.5, {0.5: 1.0, -0.5: 0.0}
    logs = [a + b for a in (first, first - 1) for b in (later[a], later[a] - 1)]
    assert max(logs) - min(logs) == 3
    total = compose(BoundedRange(1), BoundedRange(1))
    assert total.as_pure() == PureDP(2) and type(total.as_pure()) is PureDP
    assert not any("range" in name for name in dir(total))


def test_pure_sums_keep_their_rho() -> None:
    total = compose(*[BoundedRange(1)] * 3)
    assert total.as_pure().rho == 3 * BoundedRange(1).as_zcdp().rho
    assert total.as_pure().as_zcdp() == total.as_zcdp()


def test_as_approx_converts_with_the_delta_that_is_left() -> None:
    total = compose(ApproxDP(1, 1e-7), ZCDP(0.1))
    rho = PureDP(1).as_zcdp().rho + Fraction(1, 10)
    assert total.as_approx(1e-6) == ApproxDP(ZCDP(rho).as_approx(9e-7).epsilon, 1e-6)
    many = compose(*[ApproxDP(0.01, 1e-9)] * 1000)
    assert many.as_approx(1e-6) == ApproxDP(10, 1e-6)  # nothing is left, the sum of epsilons stands
    assert many.as_approx(2e-6).epsilon == ZCDP(many.rho).as_approx(1e-6).epsilon < 10
    assert compose(PureDP(0.1)).as_approx(1e-6) == ApproxDP(0.1, 1e-6)


def test_as_approx_covers_failing_randomised_response() -> None:
    """The worst (epsilon, delta) release says the truth with probability delta, else lies now and then."""
    epsilon, delta, k = 0.5, 1e-3, 6
    lie = (1 - delta) / (1 + math.exp(epsilon))
    p, q = np.array([delta, 1 - delta - lie, lie, 0]), np.array([0, lie, 1 - delta - lie, delta])
    bound = compose(*[ApproxDP(epsilon, delta)] * k).as_approx(0.1)
    excess = sum(
        max(math.prod(p[list(path)]) - math.exp(bound.epsilon) * math.prod(q[list(path)]), 0)
        for path in itertools.product(range(4), repeat=k)
    )
    assert k * delta * 0.9 < excess <= 0.1


@pytest.mark.parametrize(
    ("convert", "message"),
    [
        (lambda: compose(ZCDP(1)).as_pure(), r"losses must all be pure, got ρ = 1, composed; use as_approx"),
        (
            lambda: compose(ApproxDP(1, 0.5)).as_pure(),
            r"losses must all be pure, got ε = 1, .*, δ = 0\.5, composed",
        ),
        (lambda: compose(ApproxDP(1, 0.5)).as_zcdp(), r"losses must all have delta 0, got ε = 1, ρ"),
        (
            lambda: compose(ApproxDP(1, 0.5)).as_approx(0.4),
            "delta must not be below what is already spent, δ = 0.5, got 0.4",
        ),
        (lambda: compose(ZCDP(1)).as_approx(0), "delta must be above what is already spent, δ = 0, got 0"),
        (
            lambda: compose(ApproxDP(1, 0.5), ZCDP(1)).as_approx(0.5),
            "delta must be above what is already spent, δ = 0.5",
        ),
        (lambda: compose(ZCDP(1)).as_approx(1), "delta must be at least 0 and below 1, got 1"),
    ],
)
def test_what_does_not_hold_is_refused(convert, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        convert()


@pytest.mark.parametrize(("wrong", "name"), [(1.0, r"1\.0"), (None, "None"), ([PureDP(1)], "a list")])
def test_only_losses_compose(wrong: object, name: str) -> None:
    with pytest.raises(ParameterTypeError, match=f"losses must be losses, releases, .*, got {name}"):
        compose(PureDP(1), wrong)  # type: ignore[arg-type]


def test_it_reads_well_and_is_a_value() -> None:
    total = compose(BoundedRange(1), ApproxDP(1, 1e-6))
    assert str(total) == "ε = 2, ρ ≤ 0.585419, δ = 1e-06, composed"
    assert str(compose(ZCDP(0.5), PureDP(1, 0.25))) == "ρ = 0.75, composed"
    assert pickle.loads(pickle.dumps(total)) == total and len({total, compose(total)}) == 1


def test_a_sum_with_a_delta_converts_rho_at_a_delta_of_its_own() -> None:
    search, answer = ApproxDP(1, 1e-6), ZCDP(0.1)
    together = sum_with_delta(search, answer)
    assert together == compose(search, answer).as_approx(2 * Fraction(1, 10**6))
    assert sum_with_delta(search, PureDP(1)) == ApproxDP(2, 1e-6)
    assert sum_with_delta(ApproxDP(1, 0.9), answer).as_approx(0.95).delta == Fraction(95, 100)
    assert sum_with_delta(ApproxDP(1, 0), answer) == ZCDP(PureDP(1).as_zcdp().rho + answer.rho)
