"""The arithmetic of a budget, at its edges: what a loss is charged, what fits, what is left."""

from fractions import Fraction

import pytest

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger.amounts import NOTHING, Amount
from noisewise.ledger.budget import Terms, largest

ROUNDED = Fraction(1, 10**15)


def spend(*losses):
    total = NOTHING
    for loss in losses:
        total += Amount.of(loss)
    return total


# The filter against its own arithmetic, at the edge


def test_a_pure_budget_is_used_up_exactly():
    terms = Terms.of(PureDP(1))
    assert terms.allow(spend(*[PureDP(0.1)] * 10))
    assert not terms.allow(spend(*[PureDP(0.1)] * 10, PureDP(1e-320)))
    assert not terms.allow(spend(ZCDP(1e-9)))
    assert not terms.allow(spend(ApproxDP(0.1, 1e-300)))
    assert terms.allow(spend(ApproxDP(0.1, 0)))


def test_a_zcdp_budget_is_used_up_exactly():
    terms = Terms.of(ZCDP(0.5))
    assert terms.allow(spend(*[ZCDP(0.05)] * 10))
    assert not terms.allow(spend(*[ZCDP(0.05)] * 10, ZCDP(1e-320)))
    assert terms.allow(spend(PureDP(7, rho=0.5)))
    assert not terms.allow(spend(ApproxDP(0.01, 1e-300)))


def test_an_approximate_budget_has_two_routes():
    terms = Terms.of(ApproxDP(1, 1e-6))
    assert terms.allow(spend(PureDP(1)))  # by epsilon: its rho is far above the limit
    assert Amount.of(PureDP(1)).rho > terms.limit
    assert terms.allow(spend(ZCDP(terms.limit)))  # by rho: it has no epsilon
    many = [PureDP(0.02)] * 100
    assert terms.allow(spend(*many)) and spend(*many).epsilon == 2  # by rho: too much epsilon
    assert not terms.allow(spend(PureDP(0.9), ZCDP(0.01)))
    assert not terms.allow(spend(ZCDP(terms.limit), ZCDP(1e-300)))
    assert terms.allow(spend(PureDP(1), ApproxDP(0, 5e-7)))
    assert not terms.allow(spend(PureDP(1), ApproxDP(0, 5.1e-7)))


@pytest.mark.parametrize("kept", [Fraction(0), Fraction(1, 10**7), Fraction(1, 10**6)])
def test_the_part_kept_for_the_conversion_is_a_choice(kept):
    terms = Terms.of(ApproxDP(1, 1e-6), conversion_delta=kept)
    assert (terms.conversion, terms.limit > 0) == (kept, kept > 0)
    assert terms.sound
    assert terms.allow(spend(ApproxDP(1, Fraction(1, 10**6) - kept)))
    assert not terms.allow(spend(ApproxDP(1, Fraction(1, 10**6) - kept + ROUNDED)))
    assert terms.allow(spend(ZCDP(0.01))) is (kept > 0)


@pytest.mark.parametrize("epsilon", [1e-300, 1e-20, 0.01, 1, 8, 64, 1e200])
@pytest.mark.parametrize("delta", [1e-300, 1e-9, 0.5])
def test_the_limit_is_the_largest_rho_that_converts_to_epsilon(epsilon, delta):
    terms = Terms.of(ApproxDP(epsilon, delta), conversion_delta=delta)
    assert terms.sound
    assert ZCDP(terms.limit).as_approx(delta).epsilon <= terms.budget.epsilon
    more = terms.limit * (1 + Fraction(1, 2**51)) or Fraction(1, 10**300)
    assert ZCDP(more).as_approx(delta).epsilon > terms.budget.epsilon


def test_a_limit_that_the_conversion_does_not_allow_is_unsound():
    terms = Terms.of(ApproxDP(1, 1e-6))
    for limit, kept in [
        (terms.limit * 2, terms.conversion),
        (terms.limit, Fraction(1, 10**8)),
        (terms.limit, None),
    ]:
        assert not Terms(budget=terms.budget, conversion=kept, limit=limit).sound


# What is left


def test_a_route_that_is_overdrawn_is_closed():
    terms = Terms.of(ApproxDP(1, 1e-6))
    assert terms.left(spend(PureDP(1))) == Amount(Fraction(0), None, Fraction(1, 2 * 10**6))
    many = spend(*[PureDP(0.02)] * 100)
    assert terms.left(many) == Amount(None, terms.limit - many.rho, Fraction(1, 2 * 10**6))
    assert terms.left(spend(ZCDP(terms.limit))).rho == 0  # used up, and not overdrawn
    assert Terms.of(PureDP(1)).left(spend(PureDP(2))).epsilon is None
    assert Terms.of(ZCDP(1)).left(spend(ZCDP(2))).rho is None
    assert Terms.of(ZCDP(1)).remaining(spend(ZCDP(2))) == ZCDP(0)


def test_spent_and_remaining_are_losses_of_the_budgets_kind():
    pure, zcdp = Terms.of(PureDP(1)), Terms.of(ZCDP(0.5))
    assert (pure.spent(spend(PureDP(0.3))), pure.remaining(spend(PureDP(0.3)))) == (PureDP(0.3), PureDP(0.7))
    assert (zcdp.spent(spend(ZCDP(0.3))), zcdp.remaining(spend(ZCDP(0.3)))) == (ZCDP(0.3), ZCDP(0.2))


def test_what_is_spent_of_an_approximate_budget_is_the_cheaper_route():
    terms = Terms.of(ApproxDP(1, 1e-6))
    assert terms.spent(NOTHING) == ApproxDP(0, 0)
    assert terms.spent(spend(PureDP(0.1), ApproxDP(0, 1e-7))) == ApproxDP(0.1, 1e-7)
    by_rho = terms.spent(spend(ZCDP(0.01), ApproxDP(0, 1e-7)))
    assert by_rho == ApproxDP(ZCDP(0.01).as_approx(5e-7).epsilon, 6e-7)
    assert terms.spent(spend(ZCDP(terms.limit))).epsilon <= 1


def test_what_remains_of_an_approximate_budget_would_fit():
    terms = Terms.of(ApproxDP(1, 1e-6))
    for losses in ([], [PureDP(0.9)], [ZCDP(0.01)], [PureDP(0.02)] * 60, [ZCDP(terms.limit)]):
        left = terms.remaining(spend(*losses))
        assert terms.allow(spend(*losses, left))
        assert not terms.allow(spend(*losses, PureDP(left.epsilon * Fraction(1002, 1000) + ROUNDED)))


def test_the_largest_number_has_four_digits_and_fits():
    for limit in (Fraction(1, 3), Fraction(2, 3), Fraction(10), Fraction(1, 10**9 + 1), Fraction(63)):
        found = Fraction(repr(largest(lambda n, limit=limit: n <= limit)))
        assert found <= limit < found * Fraction(1001, 1000)
        assert float(f"{float(found):.3e}") == float(found)
    assert largest(lambda n: True) == 64
    assert largest(lambda n: n <= Fraction(1, 10**301)) == 0
    assert largest(lambda n: n <= Fraction(1, 10**300)) == 1e-300


def test_what_uses_up_the_rest_is_said_to_the_last_digit():
    pure, rho, approx = Terms.of(PureDP(1)), Terms.of(ZCDP(0.5)), Terms.of(ApproxDP(1, 1e-6))
    spent = spend(PureDP(0.87655))
    assert pure.largest(spent, BoundedRange) == approx.largest(spent, PureDP) == 0.12345
    assert not pure.allow(spent + Amount.of(BoundedRange(0.12346)))
    assert pure.largest(spent, lambda e: PureDP(3 * e)) == 0.04115  # three groups
    assert pure.largest(spend(PureDP(Fraction(2, 3))), PureDP) == 0.3333  # no decimal: four digits
    assert rho.largest(spend(ZCDP(0.1234567)), ZCDP) == 0.3765433
    assert rho.largest(NOTHING, BoundedRange) == 2.055  # irrational: four digits
    assert Terms.of(ZCDP(0.4)).largest(NOTHING, lambda e: PureDP(e, rho=e * e / 10)) == 2  # in no proportion
    assert Terms.of(PureDP(100)).largest(NOTHING, PureDP) == 64
    assert pure.largest(spend(PureDP(1)), PureDP) == 0


# Parameters


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"budget": BoundedRange(1)}, ParameterError, "adaptive composites are never BoundedRange"),
        ({"budget": 1.0}, ParameterTypeError, "budget must be PureDP, ZCDP or ApproxDP, got 1.0"),
        ({"budget": PureDP(0)}, ParameterError, r"budget must be above 0, got PureDP\(epsilon=0\)"),
        ({"budget": ZCDP(0)}, ParameterError, r"budget must be above 0, got ZCDP\(rho=0\)"),
        ({"budget": ApproxDP(0, 0.1)}, ParameterError, "budget must be above 0, got ApproxDP"),
        (
            {"budget": PureDP(1), "neighbors": "both"},
            ParameterError,
            'neighbors must be "add_remove" or "swap"',
        ),
        ({"budget": PureDP(1), "contributions": 0}, ParameterError, "contributions must be at least 1"),
        (
            {"budget": PureDP(1), "neighbors": "swap", "contributions": 2},
            ParameterError,
            "must be 1 when records",
        ),
        ({"budget": PureDP(1), "unit": ""}, ParameterTypeError, "unit must be a name or None"),
        ({"budget": PureDP(1), "name": 3}, ParameterTypeError, "name must be a name or None, got 3"),
        (
            {"budget": PureDP(1), "conversion_delta": 0.1},
            ParameterError,
            "left out unless the budget is ApproxDP",
        ),
        (
            {"budget": ApproxDP(1, 0.1), "conversion_delta": 0.2},
            ParameterError,
            "between 0 and the budget's delta",
        ),
    ],
)
def test_terms_that_make_no_sense_are_refused(given, error, says):
    with pytest.raises(error, match=says):
        Terms.of(**given)


def test_a_budget_of_delta_0_is_one_of_epsilon_alone():
    terms = Terms.of(ApproxDP(1, 0))
    assert (terms.allow(spend(PureDP(1))), terms.allow(spend(PureDP(1.1)))) == (True, False)


def test_a_budget_forgets_the_rho_of_one_mechanism():
    assert Terms.of(PureDP(1, rho=0.1)).budget.rho is None
