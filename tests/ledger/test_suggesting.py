"""A refusal says the largest epsilon that would still fit, as it is typed in the question that was asked."""

import pickle
from collections import namedtuple

import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import BudgetExceeded, ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.ledger.amounts import NOTHING
from noisewise.ledger.budget import Terms
from noisewise.ledger.ledger import Ledger
from noisewise.ledger.refusals import Suggesting, refusal

Priced = namedtuple("Priced", "loss")


def of_table(*, ledger, contributions=1, **asked):
    frame = pl.DataFrame({"x": X, "g": ["a", "b"] * 50})
    return nws.Dataset(frame, contributions=contributions, ledger=ledger)


X = list(range(100))
QUESTIONS = {
    "median": lambda **k: nws.median(X, bounds=(0, 100), **k),
    "sum": lambda **k: nws.sum(X, bounds=(0, 100), **k),
    "quantiles": lambda **k: nws.quantiles(X, [0.25, 0.5, 0.75], bounds=(0, 100), **k),
    "private bounds": lambda **k: nws.mean(X, bounds="private", **k),
    "release": lambda **k: nws.release(nws.Quantile("1/2"), X, bounds=(0, 100), **k),
    "dataset": lambda **k: of_table(**k).median("x", bounds=(0, 100), epsilon=k["epsilon"]),
    "groups": lambda **k: (
        of_table(contributions=2, **k)
        .group_by("g", keys=["a", "b"])
        .median("x", bounds=(0, 100), epsilon=k["epsilon"])
    ),
    "interval": lambda **k: nws.median_interval(X, bounds=(0, 100), **k),
}
TRUE = {
    "median": 2.055,
    "sum": 1.198,
    "quantiles": 2.867,
    "private bounds": 2.257,
    "interval": 3.033,
    "release": 2.055,
    "dataset": 2.055,
    "groups": 2.055,
}


@pytest.mark.parametrize("budget", [PureDP(1), ZCDP(0.5), ApproxDP(1, 1e-6)], ids=repr)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_told_the_largest_epsilon_that_it_may_be_asked_with(tmp_path, budget, name):
    ledger, question = Ledger.open(tmp_path / "staff", budget), QUESTIONS[name]
    with pytest.raises(
        BudgetExceeded, match=r"; such a release would fit with epsilon up to [\d.]+$"
    ) as caught:
        question(epsilon=60, ledger=ledger)
    fits = caught.value.fits
    assert fits == {"PureDP": 1, "ZCDP": TRUE[name], "ApproxDP": 1}[type(budget).__name__]
    with pytest.raises(BudgetExceeded):
        question(epsilon=fits * 1.001, ledger=ledger)
    assert question(epsilon=fits, ledger=ledger).receipt.number == 1
    assert pickle.loads(pickle.dumps(caught.value)).fits == fits


def test_a_question_in_groups_is_told_an_epsilon_to_type_and_not_their_sum(tmp_path):
    ledger = Ledger.open(tmp_path / "staff", PureDP(1))
    with (
        pytest.raises(BudgetExceeded, match=r"would fit with epsilon up to 0\.5$"),
        Suggesting(0.6, lambda epsilon: Priced(PureDP(2 * epsilon))),
    ):
        ledger.debit(PureDP(1.2), neighbors="add_remove", contributions=1, memo="two groups")


def test_an_epsilon_that_is_too_small_to_be_asked_with_is_not_suggested(tmp_path):
    ledger = Ledger.open(tmp_path / "staff", PureDP(1))

    def ask(epsilon):
        if epsilon < 2:
            raise ParameterError("epsilon must be larger")
        return Priced(PureDP(epsilon))

    with pytest.raises(BudgetExceeded, match="with a loss of epsilon up to 1 in all"), Suggesting(3, ask):
        ledger.debit(PureDP(3), neighbors="add_remove", contributions=1, memo="x")


@pytest.mark.parametrize(
    "error", [BudgetExceeded("of another make", fits=7), ParameterError("something else")]
)
def test_what_other_ledgers_say_stays(error):
    with pytest.raises(type(error)) as caught, Suggesting(1, lambda epsilon: pytest.fail("asked again")):
        raise error
    assert caught.value is error


def test_where_delta_is_too_large_no_epsilon_helps():
    error = refusal(Terms.of(ApproxDP(1, 1e-6)), "staff", ApproxDP(0.1, 6e-7), NOTHING)
    with pytest.raises(BudgetExceeded) as caught, Suggesting(0.1, lambda e: Priced(ApproxDP(e, 6e-7))):
        raise error
    assert "its delta is more than that; with a delta up to 5e-07, such a release would" in str(caught.value)
    assert caught.value.fits == 1
