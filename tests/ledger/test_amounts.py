"""Amounts: what a loss is charged, how sums stay short, and how they read."""

from fractions import Fraction

import pytest

from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.kernel.numbers.exact import MAX_BITS
from noisewise.ledger.amounts import DECIMALS, NOTHING, ODD_BITS, Amount, above, below, price, rest
from noisewise.ledger.budget import Terms


def spend(*losses):
    total = NOTHING
    for loss in losses:
        total += Amount.of(loss)
    return total


# What a loss is charged


def test_each_kind_of_loss_has_its_price():
    assert Amount.of(PureDP(1)) == Amount(Fraction(1), PureDP(1).as_zcdp().rho, Fraction(0))
    assert Amount.of(PureDP(1, rho=0.25)) == Amount(Fraction(1), Fraction(1, 4), Fraction(0))
    assert Amount.of(BoundedRange(1)) == Amount(Fraction(1), BoundedRange(1).as_zcdp().rho, Fraction(0))
    assert Amount.of(ZCDP(0.5)) == Amount(None, Fraction(1, 2), Fraction(0))
    assert Amount.of(ZCDP(0)) == NOTHING
    assert Amount.of(ApproxDP(1, 1e-6)) == Amount(Fraction(1), PureDP(1).as_zcdp().rho, Fraction(1, 10**6))


def test_a_sum_has_no_epsilon_once_one_part_has_none():
    assert spend(PureDP(1), ZCDP(0.5), PureDP(1)).epsilon is None
    assert spend(PureDP(0.1), BoundedRange(0.2), ApproxDP(0.3, 0.1)).epsilon == Fraction(6, 10)
    assert spend(ZCDP(0.1), ZCDP(0.2)) == Amount(None, Fraction(3, 10), Fraction(0))
    assert spend(ApproxDP(0, 0.1), ApproxDP(0, 0.2)).delta == Fraction(3, 10)


# How long a sum may get


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_denominator_that_is_no_decimals_may_take_so_much_room_in_each_currency(place):
    def amount(number):
        return Amount(*[number if n == place else Fraction(0) for n in range(3)])

    short, long = Fraction(1, 2**ODD_BITS - 1), Fraction(1, 2 ** (ODD_BITS + 1) - 1)
    assert not amount(short).outgrows(NOTHING)
    assert amount(long).outgrows(NOTHING)
    assert not amount(long + Fraction(1, 10)).outgrows(amount(long))  # of an older version: it goes on
    older = Fraction(1, 2 ** (MAX_BITS - 10) - 1)
    assert amount(older + Fraction(1, 2**20)).outgrows(amount(older))  # too long to be written
    assert not Amount(None, short, Fraction(0)).outgrows(Amount(None, None, Fraction(0)))


def test_decimals_and_converted_rhos_fit_whatever_was_spent_before():
    worst = Fraction(1, DECIMALS * (2**ODD_BITS - 1))
    before = Amount(10**299 + worst, 10**299 + worst, worst)
    for loss in (PureDP(1e-320), BoundedRange(5e-324), ApproxDP(0.1, 1e-300), PureDP(64), BoundedRange(1e-9)):
        assert not (before + Amount.of(loss)).outgrows(before)
        assert not Amount.of(loss).outgrows(NOTHING)


# In words


def test_prices_are_rounded_up_and_rests_down():
    third = Fraction(1, 3)
    assert (above(third), below(third), below(None), below(-third)) == ("0.3334", "0.3333", "0", "0")
    assert (above(Fraction(1, 10)), above(Fraction(1, 10**320)), above(third / 10**400)) == (
        "0.1",
        "1e-320",
        "3.334E-401",
    )


def test_a_price_names_the_currency_that_counts_first():
    assert price(Amount.of(BoundedRange(1)), ZCDP(1)) == "ρ 0.1234 (ε 1)"
    assert price(Amount.of(BoundedRange(1)), PureDP(1)) == "ε 1"
    assert price(Amount.of(ZCDP(0.5)), ApproxDP(1, 0.1)) == "ρ 0.5"
    assert price(Amount.of(ApproxDP(1, 0.1)), ApproxDP(1, 0.1)) == "ε 1, δ 0.1 (ρ 0.4622)"


def test_a_rest_names_the_routes_that_are_open():
    terms = Terms.of(ApproxDP(1, 0.1))
    assert rest(terms.left(NOTHING), terms.budget) == "ε 1 of 1 or ρ 0.1878, and δ 0.05"
    assert rest(terms.left(spend(ZCDP(0.1))), terms.budget) == "ρ 0.08786, and δ 0.05"
    assert rest(terms.left(spend(PureDP(0.9))), terms.budget) == "ε 0.1 of 1, and δ 0.05"
    assert rest(terms.left(spend(ZCDP(9))), terms.budget) == "ε 0 of 1, and δ 0.05"
    assert rest(Terms.of(PureDP(1)).left(spend(PureDP(0.9))), PureDP(1)) == "ε 0.1 of 1"
    assert rest(Terms.of(ZCDP(1)).left(spend(PureDP(0.9))), ZCDP(1)) == "ρ 0.6202 of 1"
