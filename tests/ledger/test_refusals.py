"""A refusal says what was asked, what the ledger holds, and what would fit."""

import pickle
from fractions import Fraction

import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import BudgetExceeded, ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger.amounts import NOTHING, Amount
from noisewise.ledger.budget import Terms
from noisewise.ledger.ledger import Ledger
from noisewise.ledger.refusals import check_protection, check_terms, checked_loss, refusal

PURE, RHO, APPROX = Terms.of(PureDP(1)), Terms.of(ZCDP(0.5)), Terms.of(ApproxDP(1, 1e-6))
UNIT = {"neighbors": "add_remove", "unit": None, "contributions": 1, "name": None}


def said(terms, loss, *before):
    """The refusal of a loss that does not fit, after some that did."""
    spent = sum(map(Amount.of, before), NOTHING)
    assert not terms.allow(spent + Amount.of(loss))
    return refusal(terms, "staff", loss, spent)


# Over budget


@pytest.mark.parametrize(
    ("terms", "before", "loss", "text"),
    [
        (PURE, [PureDP(0.75)], BoundedRange(0.5),
         "got ε 0.5: of staff remains ε 0.25 of 1; "
         "such a release would fit with a loss of epsilon up to 0.25 in all"),
        (PURE, [PureDP(1)], PureDP(0.5), "of staff remains ε 0 of 1; no such loss fits any more"),
        (RHO, [BoundedRange(1)], BoundedRange(2),
         "got ρ 0.4745 (ε 2): of staff remains ρ 0.3766 of 0.5; "
         "such a release would fit with a loss of epsilon up to 1.772 in all"),
        (RHO, [BoundedRange(1)], PureDP(2), "such a release would fit with a loss of epsilon up to 0.8961 in all"),
        (RHO, [BoundedRange(1)], PureDP(2, rho=0.8),
         "such a release would fit with a loss of epsilon up to 0.9417 in all"),
        (RHO, [], ZCDP(0.7),
         "got ρ 0.7: of staff remains ρ 0.5 of 0.5; "
         "such a release would fit with a loss of rho up to 0.5 in all"),
        (APPROX, [PureDP(0.5)], PureDP(0.6),
         "got ε 0.6 (ρ 0.1748): of staff remains ε 0.5 of 1, and δ 5e-07; such a release would fit with a loss of "
         "epsilon up to 0.5 in all"),
        (APPROX, [ZCDP(0.01)], BoundedRange(0.6),
         "of staff remains ρ 0.01293, and δ 5e-07; "
         "such a release would fit with a loss of epsilon up to 0.3219 in all"),
        (APPROX, [], ApproxDP(2, 1e-7), "got ε 2, δ 1e-07 (ρ 1.524)"),
        (APPROX, [], ApproxDP(0.1, 6e-7), "and δ 5e-07; its delta is more than that; with a delta up to 5e-07, such a "
         "release would fit with a loss of epsilon up to 1 in all"),
        (APPROX, [PureDP(1)], ApproxDP(0.1, 6e-7), "with a delta up to 5e-07, no such loss fits any more"),
        (PURE, [PureDP(0.87655)], PureDP(0.5), "remains ε 0.12345 of 1; such a release would fit with a loss of "
         "epsilon up to 0.12345 in all"),
    ],
)  # fmt: skip
def test_an_overdraft_says_what_was_asked_what_remains_and_what_fits(terms, before, loss, text):
    error = said(terms, loss, *before)
    assert isinstance(error, BudgetExceeded)
    assert str(error).startswith("loss must fit what remains, got ")
    assert text in str(error)


@pytest.mark.parametrize("terms", [PURE, RHO, APPROX])
@pytest.mark.parametrize("loss", [PureDP(5), PureDP(5, rho=3), BoundedRange(5), ApproxDP(5, 0)])
def test_what_is_said_to_fit_fits_and_little_more_does_not(terms, loss):
    before = Amount.of(BoundedRange(0.1))
    error = refusal(terms, "staff", loss, before)
    kind = PureDP if isinstance(loss, ApproxDP) else type(loss)
    known = getattr(loss, "rho", None)

    def alike(epsilon):
        return kind(epsilon) if known is None else PureDP(epsilon, rho=Fraction(repr(epsilon)) * known / 5)

    assert error.asked == loss and error.remaining == terms.remaining(before)
    assert terms.allow(before + Amount.of(alike(error.fits)))
    assert not terms.allow(before + Amount.of(alike(error.fits * 1.002)))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.fits, again.asked) == (str(error), error.fits, loss)


def test_what_fits_is_the_epsilon_of_all_groups_or_the_loss_of_several_questions(tmp_path):
    ledger = Ledger.open(tmp_path / "staff", PureDP(1), contributions=2)
    rows = nws.Dataset(pl.DataFrame({"g": ["a", "b"] * 20}), contributions=2, ledger=ledger)
    asked = rows.group_by("g", keys=["a", "b"])
    with pytest.raises(BudgetExceeded, match=r"got ε 1\.2: .* would fit with epsilon up to 1$"):
        asked.count(epsilon=1.2)
    both = {name: nws.ask.count(epsilon=0.6) for name in "ab"}
    with pytest.raises(
        BudgetExceeded, match=r"got ε 1\.2: .* would fit with a loss of epsilon up to 1 in all"
    ):
        asked.agg(**both)
    unpriced = {name: nws.ask.count() for name in "ab"}
    for table in (asked, rows):
        with pytest.raises(BudgetExceeded, match=r"got ε 1\.5: .* would fit with epsilon up to 1$"):
            table.agg(epsilon=1.5, shares={"a": 1, "b": 2}, **unpriced)
    assert asked.agg(epsilon=1, **unpriced).receipt.cost.epsilon == 1


# Of another kind


def test_a_pure_budget_takes_no_zcdp():
    error = said(PURE, ZCDP(0.001), PureDP(0.4))
    assert isinstance(error, ParameterError)
    assert str(error) == (
        "loss must bound epsilon, got ZCDP(rho=0.001): staff counts epsilon, and rho bounds no epsilon: rare answers "
        "may reveal any amount; ask with epsilon: a BoundedRange or PureDP release would fit with a loss of epsilon up "
        "to 0.6 in all"
    )


@pytest.mark.parametrize("terms", [PURE, RHO])
def test_a_budget_without_delta_takes_none(terms):
    error = said(terms, ApproxDP(0.1, 1e-9))
    assert isinstance(error, ParameterError)
    assert (
        "loss must have delta 0, got ApproxDP(epsilon=0.1, delta=1e-09): staff has a budget without"
        in str(error)
    )
    assert "declare keys, which cost nothing, or open a ledger with an ApproxDP budget" in str(error)
    assert "without delta, a BoundedRange release would fit with a loss of epsilon up to " in str(error)


def test_what_is_no_loss_is_refused():
    assert checked_loss(ZCDP(1)) == ZCDP(1)
    with pytest.raises(
        ParameterTypeError, match="loss must be PureDP, BoundedRange, ZCDP or ApproxDP, got a type"
    ):
        checked_loss(PureDP)


# Of other people


@pytest.mark.parametrize(
    ("fixed", "asked", "text"),
    [
        ({}, {"neighbors": "swap"}, "neighbors must be 'add_remove', as in staff, got 'swap'"),
        ({"unit": "person"}, {}, "unit must be 'person', as in staff, got None: it counts what one person loses; "
                                 "release through Dataset(..., unit='person')"),
        ({}, {"unit": "person"}, "unit must be None, as in staff, got 'person': it counts what one record loses"),
        ({"unit": "edge"}, {"unit": "node"}, "what one edge of a graph loses; ask a graph statistic with that unit"),
        ({"contributions": 3}, {"contributions": 2}, "contributions must be at least 3, as in staff, got 2: a person"),
        ({"name": "staff 2024"}, {"name": "staff 2025"}, "name must be 'staff 2024', as in staff, got 'staff 2025'"),
    ],
)  # fmt: skip
def test_a_release_that_protects_others_is_refused(fixed, asked, text):
    with pytest.raises(ParameterError) as caught:
        check_protection(Terms.of(PureDP(1), **fixed), "staff", **(UNIT | asked))
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("fixed", "asked"),
    [
        ({}, {}),
        ({"contributions": 3}, {"contributions": 3}),
        ({"contributions": 3}, {"contributions": 4}),
        ({"unit": "person"}, {"unit": "person"}),
        ({"name": "staff"}, {"name": None}),
        ({"name": None}, {"name": "staff"}),
        ({"name": "staff"}, {"name": "staff"}),
    ],
)
def test_a_release_that_protects_as_much_is_taken(fixed, asked):
    assert check_protection(Terms.of(PureDP(1), **fixed), "staff", **(UNIT | asked)) is None


# Of other terms


@pytest.mark.parametrize(
    ("budget", "kept", "given", "text"),
    [
        (PureDP(2), None, {}, "budget must be ApproxDP(epsilon=1, delta=1e-06), with which staff was created, or left "
                              "out, got PureDP(epsilon=2)"),
        (ApproxDP(1, 1e-7), None, {}, "got ApproxDP(epsilon=1, delta=1e-07)"),
        (BoundedRange(1), None, {}, "got BoundedRange(epsilon=1)"),
        (None, 1e-7, {}, "conversion_delta must be 5e-07, with which staff was created, or left out, got 1e-07"),
        (None, None, {"neighbors": "swap"}, "neighbors must be 'add_remove', with which staff was created"),
        (None, None, {"neighbors": "both"}, 'neighbors must be "add_remove" or "swap"'),
        (None, None, {"unit": "person"}, "unit must be None, with which staff was created, or left out, got 'person'"),
        (None, None, {"contributions": 2}, "contributions must be 1, with which staff was created"),
        (None, None, {"name": "x"}, "name must be None, with which staff was created, or left out, got 'x'"),
    ],
)  # fmt: skip
def test_opening_by_other_terms_says_both(budget, kept, given, text):
    with pytest.raises(ParameterError) as caught:
        check_terms(APPROX, "staff", budget, kept, given)
    assert text in str(caught.value)


def test_where_a_column_names_people_each_release_chooses_how_many_records_it_covers():
    terms = Terms.of(PureDP(1), unit="id", contributions=3)
    assert check_protection(terms, "staff", "add_remove", "id", 1, None) is None
    for unit in (None, "edge", "node"):
        with pytest.raises(ParameterError, match="contributions must be at least 3"):
            check_protection(
                Terms.of(PureDP(1), unit=unit, contributions=3), "staff", "add_remove", unit, 2, None
            )


def test_names_that_look_the_same_are_the_same():
    terms = Terms.of(PureDP(1), name="Caf\u00e9")
    assert Terms.of(PureDP(1), name="Cafe\u0301") == terms
    assert check_protection(terms, "staff", "add_remove", None, 1, "Cafe\u0301") is None


@pytest.mark.parametrize("name", ["staff ", " staff", "a\nb", "a\u200b", "\ud800"])
def test_names_that_only_seem_to_differ_are_refused(name):
    for check in (
        lambda: Terms.of(PureDP(1), name=name),
        lambda: check_protection(PURE, "staff", "add_remove", None, 1, name),
        lambda: Ledger.open("never made", PureDP(1), name=name),
    ):
        with pytest.raises(ParameterError, match="name must be printable, without outer spaces"):
            check()


def test_a_record_is_not_the_name_of_a_unit():
    with pytest.raises(ParameterError, match="unit must be left out where it is a record"):
        Terms.of(PureDP(1), unit="record")


def test_opening_by_the_same_terms_or_none_is_fine():
    assert check_terms(APPROX, "staff", ApproxDP(1.0, Fraction(1, 10**6)), 5e-7, UNIT) is None
    assert check_terms(APPROX, "staff", None, None, {}) is None
    with pytest.raises(
        ParameterTypeError, match="budget must be PureDP, BoundedRange, ZCDP or ApproxDP, got 1"
    ):
        check_terms(APPROX, "staff", 1, None, {})
    with pytest.raises(
        ParameterError,
        match=r"conversion_delta must be left out, as staff has a budget without delta, got 0\.1$",
    ):
        check_terms(PURE, "staff", None, 0.1, {})
