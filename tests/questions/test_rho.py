"""Every kind of question is asked in rho, too, of all data and in groups, and costs exactly that rho."""

from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import noisewise as nws
from noisewise import ParameterError
from noisewise.kernel.losses import Loss
from noisewise.questions.question import KINDS
from tests.every_question import CALLS, ROWS

RHO = Fraction(1, 2)
IN_GROUPS = sorted(name for name, kind in KINDS.items() if kind.capabilities.in_groups)
WRONG: list[tuple[dict[str, Any], str]] = [({}, "neither"), ({"epsilon": 1, "rho": RHO}, "both")]


class Book:
    """In the place of a ledger: the losses that it is asked to pay."""

    def __init__(self) -> None:
        self.paid: list[Loss] = []

    def debit(self, loss: Loss, **said: object) -> str:
        self.paid.append(loss)
        return f"entry {len(self.paid)}"


def table(name: str, book: Book, **held: Any) -> nws.Dataset:
    return nws.Dataset(pl.DataFrame(ROWS), ledger=book, **{**CALLS[name].dataset_keywords, **held})


@pytest.mark.parametrize("name", CALLS)
def test_every_question_costs_its_rho(name: str) -> None:
    held = CALLS[name].of(table(name, book := Book()), epsilon=None, rho=RHO)
    assert held.privacy == nws.ZCDP(RHO) and book.paid == [nws.ZCDP(RHO)]
    if CALLS[name].dataset_keywords:  # only a table says who its people are
        return
    asked = CALLS[name].release(epsilon=None, rho=RHO)
    assert (asked.privacy, asked.statistic, asked.law) == (held.privacy, held.statistic, held.law)


@pytest.mark.parametrize("name", CALLS)
def test_every_question_has_one_price(name: str) -> None:
    for prices, got in WRONG:
        with pytest.raises(
            ParameterError, match=f"^epsilon or rho must be given, exactly one of them, got {got}"
        ):
            CALLS[name].of(table(name, book := Book()), **{"epsilon": None, **prices})
        assert not book.paid


@pytest.mark.parametrize("name", IN_GROUPS)
@pytest.mark.parametrize(
    "held", [{}, {"unit": "id", "contributions": 3}, {"unit": "id", "contributions": 6, "per_group": 2}]
)
def test_all_groups_together_cost_one_rho(name: str, held: dict[str, Any]) -> None:
    """However many records a person has in them."""
    by = table(name, book := Book(), **held).group_by("b", keys=[0, 1, 2])
    answer = CALLS[name].of(by, epsilon=None, rho=RHO)
    assert answer.privacy == nws.ZCDP(RHO) and book.paid == [nws.ZCDP(RHO)]
    assert answer.frame.height == 3


@pytest.mark.parametrize("name", IN_GROUPS)
def test_all_groups_together_have_one_price(name: str) -> None:
    by = table(name, book := Book()).group_by("b", keys=[0, 1])
    for prices, got in WRONG:
        with pytest.raises(
            ParameterError, match=f"^epsilon or rho must be given, exactly one of them, got {got}"
        ):
            CALLS[name].of(by, **{"epsilon": None, **prices})
    assert not book.paid


def test_questions_that_are_asked_together_share_a_rho() -> None:
    for place in (
        nws.Dataset(pl.DataFrame(ROWS)),
        nws.Dataset(pl.DataFrame(ROWS)).group_by("b", keys=[0, 1]),
    ):
        questions = {"n": nws.ask.count(), "x": nws.ask.mean("x", bounds=(0, 10))}
        joint = place.agg(rho=RHO, shares={"n": 1, "x": 3}, **questions)
        assert joint.privacy == nws.ZCDP(RHO)
        assert [each.privacy for each in joint.each.values()] == [nws.ZCDP(RHO / 4), nws.ZCDP(RHO * 3 / 4)]
        for prices, says in (
            ({}, "got none for n"),
            ({"epsilon": 1, "rho": 1}, "exactly one of them, got both"),
        ):
            with pytest.raises(ParameterError, match=f"^epsilon or rho must be given.*{says}"):
                place.agg(**prices, **questions)


def test_what_an_interval_takes_of_a_rho() -> None:
    median = nws.median(ROWS["y"], bounds=(0, 10), rho=RHO, interval=0.9)
    assert median.privacy == nws.ZCDP(RHO) and (median.interval.epsilon, median.interval.rho) == (0, RHO / 2)
    count = nws.count(ROWS["y"], rho=RHO, interval=0.9)
    assert count.privacy == nws.ZCDP(RHO) and (count.interval.epsilon, count.interval.rho) == (0, 0)
