"""What everything payable has in common: one order of paying and looking, one repr, one stamp."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import noisewise as nws
from noisewise import PureDP, ReleaseFailed
from noisewise.kernel.settle import settle
from noisewise.questions.payable import Payable
from noisewise.results.release import Release


@dataclass(frozen=True, slots=True, repr=False)
class Coin(Payable):
    """A question whose answer is written down beforehand."""

    log: list[str]
    loss: PureDP
    neighbors: Any = "add_remove"
    contributions: int = 1
    memo: str = "coin by hand"

    def answer(self, receipt: Any = None, *, bits: Any = None) -> Release:
        self.log.append("looked")
        return self.released(1, receipt, bits, statistic="coin", mechanism="hand", law="hand/1")


@dataclass(frozen=True, slots=True, repr=False)
class Twice(Payable):
    """A question that is another one in all that it does not say itself."""

    inner: Payable

    @property
    def loss(self) -> PureDP:
        return PureDP(2)

    def answer(self, receipt: Any = None, *, bits: Any = None) -> Release:
        return self.inner.answer(receipt, bits=bits)


class Book:
    def __init__(self, log: list[str]) -> None:
        self.log, self.paid = log, list[Any]()

    def debit(self, loss: Any, **said: Any) -> str:
        self.log.append("paid")
        self.paid.append((loss, said))
        return "entry 1"


def test_the_debit_comes_first_and_says_whom_it_protects() -> None:
    log: list[str] = []
    book = Book(log)
    released = settle(Coin(log, PureDP(1), contributions=3), book)
    assert log == ["paid", "looked"]
    assert book.paid == [(PureDP(1), {"neighbors": "add_remove", "contributions": 3, "memo": "coin by hand"})]
    assert (released.value, released.receipt, released.privacy, released.private) == (
        1,
        "entry 1",
        PureDP(1),
        True,
    )


def test_what_is_not_said_is_said_by_the_inner_question() -> None:
    inner = Coin([], PureDP(1), contributions=3)
    outer = Twice(inner)
    assert (outer.loss, outer.neighbors, outer.contributions, outer.memo, outer.unit) == (
        PureDP(2),
        "add_remove",
        3,
        "coin by hand",
        None,
    )
    with pytest.raises(AttributeError, match="Twice has no price"):
        outer.price  # type: ignore[attr-defined]  # noqa: B018


def test_nothing_payable_shows_what_it_holds() -> None:
    assert repr(Coin(["secret"], PureDP(1))) == "<Coin: withheld>"
    assert repr(Twice(Coin(["secret"], PureDP(1)))) == "<Twice: withheld>"


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ValueError("a record"), ReleaseFailed),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (SystemExit(7), SystemExit),
    ],
)
def test_what_fails_after_the_debit_says_nothing_of_the_data(raised: BaseException, told: type) -> None:
    class Broken(Coin):
        __slots__ = ()

        def answer(self, receipt: Any = None, *, bits: Any = None) -> Release:
            raise raised

    book = Book([])
    with pytest.raises(told) as caught:
        settle(Broken([], PureDP(1)), book)
    assert len(book.paid) == 1 and "a record" not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


# What "auto" means for a budget.


def paid_by_every_way(ledger: Any) -> Iterator[str]:
    """The law of a median, asked in each way that there is, and paid from one ledger."""
    frame = pl.DataFrame({"k": ["a", "b"] * 20, "x": range(40)})
    asked: dict[str, Any] = {"bounds": (0, 40), "epsilon": 0.01}
    table = nws.Dataset(frame, ledger=ledger)
    groups = table.group_by("k", keys=["a", "b"])
    yield nws.median(range(40), ledger=ledger, **asked).law
    yield nws.median(range(40), ledger=ledger, mechanism="auto", **asked).law
    yield nws.release(nws.Quantile("1/2"), range(40), ledger=ledger, **asked).law
    yield table.median("x", **asked).law
    yield table.agg(m=nws.ask.median("x", **asked))["m"].law
    yield groups.median("x", **asked).about.law
    yield groups.agg(m=nws.ask.median("x", **asked)).each["m"].law
    yield nws.median_interval(range(40), ledger=ledger, **asked).law.rpartition(" ")[2]
    yield nws.quantiles(range(40), [0.2, 0.8], ledger=ledger, **asked).law.rpartition(" ")[2]
    yield nws.median(range(40), ledger=ledger, **{**asked, "bounds": "private"}).law.partition(",")[0]


@pytest.mark.parametrize(
    ("budget", "law"),
    [
        (nws.PureDP(1), "balance/1"),
        (nws.ZCDP(1), "piecewise-laplace/1"),
        (nws.ApproxDP(1, 1e-6), "piecewise-laplace/1"),
    ],
    ids=["epsilon", "rho", "epsilon and delta"],
)
def test_auto_chooses_for_what_the_budget_counts(tmp_path: Path, budget: Any, law: str) -> None:
    ledger = nws.Ledger.open(tmp_path / "staff.ledger", budget=budget)
    assert set(paid_by_every_way(ledger)) == {law}
    by_name = nws.median(range(40), bounds=(0, 40), epsilon=0.01, ledger=ledger, mechanism="balance")
    assert by_name.law == "balance/1"


def test_without_a_ledger_auto_counts_epsilon() -> None:
    assert set(paid_by_every_way(None)) == {"balance/1"}
