"""Groups of a Dataset: every question, every library, people, cost, keys that are declared or found."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise import (
    ApproxDP,
    Balance,
    BoundedRange,
    Dataset,
    InverseSensitivity,
    Laplace,
    ParameterError,
    ParameterTypeError,
    PermuteAndFlip,
    PiecewiseLaplace,
    PureDP,
    SchemaError,
)
from noisewise.dataset.batches import Batch, OneByOne, SharedReads
from noisewise.dataset.methods import ask
from noisewise.hazmat import salted
from noisewise.kernel.losses import discrete_laplace_rho
from noisewise.questions.question import KINDS
from tests.every_question import CALLS

RNG = np.random.default_rng(5)
ROWS = 3000
FRAME = pl.DataFrame(
    {
        "p": RNG.integers(0, 1000, ROWS),
        "dept": RNG.choice(["A", "B", "C"], ROWS),
        "year": RNG.integers(2020, 2023, ROWS),
        "pay": RNG.integers(10_000, 90_000, ROWS),
        "bonus": RNG.integers(0, 5_000, ROWS),
        "hired": [date(2000, 1, 1) + timedelta(int(days)) for days in RNG.integers(0, 3650, ROWS)],
        "ok": RNG.random(ROWS) < 0.7,
    }
)
LIBRARIES = {"polars": FRAME.clone, "pandas": FRAME.to_pandas, "arrow": FRAME.to_arrow}
"""Called in tests alone, since a process in which they have started threads cannot be forked for a mutant."""
BETWEEN = {"bounds": (0, 100_000), "epsilon": 50}


class Book:
    """A ledger that remembers what it was asked, or refuses."""

    def __init__(self, refuse: bool = False) -> None:
        self.debits: list[tuple[Any, dict[str, Any]]] = []
        self.refuse = refuse

    def debit(self, loss: Any, **said: Any) -> str:
        if self.refuse:
            raise ParameterError("no budget")
        self.debits.append((loss, said))
        return f"entry {len(self.debits)}"


def by(frame: Any = FRAME, keys: Any = ("C", "A", "nobody"), **held: Any) -> Any:
    return Dataset(frame, **held).group_by("dept", keys=keys)


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_declared_group_has_an_answer_in_the_users_own_library(library: str) -> None:
    frame = LIBRARIES[library]()
    release = by(frame).median("pay", **BETWEEN)
    assert type(release.frame) is type(frame)
    shown = pl.DataFrame(release.frame) if library != "arrow" else pl.from_arrow(release.frame)
    assert shown.columns == ["dept", "median_pay"]
    assert shown["dept"].to_list() == ["C", "A", "nobody"]
    for dept, answer in shown.rows()[:2]:
        truth = FRAME.filter(pl.col("dept") == dept)["pay"].sort()[:]
        assert truth[len(truth) // 2 - 30] <= answer <= truth[len(truth) // 2 + 30]
    assert len(release) == 3 and release.value == tuple(shown["median_pay"].to_list())


def test_the_cost_is_paid_once_before_the_data_is_read() -> None:
    book = Book()
    release = by(unit="p", contributions=3, max_groups=2, ledger=book, name="staff").median("pay", **BETWEEN)
    (loss, said), *more = book.debits
    assert not more and loss == PureDP(50) and release.privacy == loss and release.receipt == "entry 1"
    assert release.about.contributions == 3
    assert (said["contributions"], said["unit"], said["name"]) == (3, "p", "staff")
    assert said["memo"] == "median of pay by balance/1, in 3 groups by dept"
    with pytest.raises(ParameterError, match="no budget"):
        by(ledger=Book(refuse=True)).median("pay", **BETWEEN)


@pytest.mark.parametrize("held", [{}, {"contributions": 2}, {"contributions": 2, "keys": ["A"]}])
def test_epsilon_is_the_price_of_all_groups(held: dict[str, Any]) -> None:
    assert by(**held).median("pay", **BETWEEN).privacy == PureDP(50)
    assert by(**held).median("pay", mechanism="piecewise_laplace", **BETWEEN).privacy == BoundedRange(50)


def test_a_person_takes_part_in_at_most_so_many_groups() -> None:
    frame = pl.DataFrame({"p": [7, 7, 7], "dept": ["A", "B", "C"]})
    counts = {}
    for most in (1, 2, None):
        groups = by(frame, keys=["A", "B", "C"], unit="p", contributions=3, max_groups=most)
        counts[most] = sum(groups.count(epsilon=64).value)
    assert counts == {1: 1, 2: 2, None: 3}


def read(groups: Any) -> Any:
    """The records that take part."""
    found = groups._bind(ask.median("pay", **BETWEEN), SharedReads()).inner
    assert isinstance(found, Batch)
    return found.read()


def test_a_person_has_at_most_so_many_records_in_a_group() -> None:
    """What group_by says goes before what the Dataset says, for these groups alone."""
    frame = pl.DataFrame({"p": [7] * 9, "dept": ["A"] * 5 + ["B"] * 3 + ["C"], "pay": range(9)})
    kept: dict[int | None, list[list[int]]] = {}
    for limit in (None, 1, 2, 4, 7, 9):
        limits: list[dict[str, Any]] = [{"per_group": limit}, {}]
        for held, more in (limits, limits[::-1]):
            data = Dataset(frame, unit="p", contributions=7, **held)
            groups = data.group_by("dept", keys=["A", "B", "C"], **more)
            kept.setdefault(limit, []).append(read(groups).counts.tolist())
    assert kept[1] == [[1, 1, 1]] * 2 and kept[2] == [[2, 2, 1]] * 2
    assert all(sum(each) == 7 and max(each) <= 4 for each in kept[4])
    assert all(sum(each) == 7 for limit in (None, 7, 9) for each in kept[limit])
    data = Dataset(frame, unit="p", contributions=3, max_groups=3, per_group=1)
    two = data.group_by("dept", keys=["A", "B", "C"], max_groups=2)
    assert sorted(read(two).counts.tolist()) == [0, 1, 1]
    both = data.group_by("dept", keys=["A", "B"], per_group=2)
    assert sorted(read(both).counts.tolist()) == [1, 2]
    assert (data.max_groups, data.per_group) == (3, 1)
    assert data.choice is not None and data.choice.per_group is None, "the whole table is no group"
    assert data.count(epsilon=64).value == 3


def test_a_limit_that_allows_all_contributions_changes_no_choice() -> None:
    rng = np.random.default_rng(2)
    rows = {"p": rng.integers(0, 9, 90), "dept": rng.choice([*"AB"], 90), "pay": rng.integers(0, 20, 90)}
    data = salted(Dataset(pl.DataFrame(rows), unit="p", contributions=4), "salt")
    kept = {}
    for limit in (None, 3, 4, 5):
        found = read(data.group_by("dept", keys=["A", "B"], per_group=limit))
        kept[limit] = found.counts.tolist(), found.sums()
    assert kept[None] == kept[4] == kept[5] != kept[3]


@pytest.mark.parametrize("name", ["max_groups", "per_group"])
def test_a_wrong_limit_is_refused_before_anything_is_paid(name: str) -> None:
    book = Book()
    for given, words in (
        (0, "at least 1"),
        (-1, "at least 1"),
        (1.5, "a whole number"),
        ("2", "a whole number"),
    ):
        for held in ({"keys": ["A"]}, {"epsilon": 1, "delta": 1e-6}):
            with pytest.raises((ParameterError, ParameterTypeError), match=f"^{name} must be {words}, got"):
                Dataset(FRAME, unit="p", ledger=book).group_by("dept", **held, **{name: given})
    with pytest.raises(ParameterError, match=f"^{name} must be left out without a unit, got 1"):
        Dataset(FRAME, ledger=book).group_by("dept", epsilon=1, delta=1e-6, **{name: 1})
    assert not book.debits


def test_a_search_for_groups_knows_their_own_limit() -> None:
    """A person counts for one key, or for all three."""
    rows = {"p": [n // 3 for n in range(900)], "dept": [*"ABC"] * 300, "pay": [0] * 900}
    data = Dataset(pl.DataFrame(rows), unit="p", contributions=3)
    for most in (1, None):
        groups = data.group_by("dept", epsilon=64, delta=1e-6, max_groups=most)
        assert len(groups) == 3 and groups.selection is not None
        assert f"at most {most or 3} key" in groups.selection.notes[0]
        counts = read(groups).counts.tolist()
        assert sum(counts) == 300 * (most or 3) and min(counts) > 50


@pytest.mark.parametrize(
    "mechanism",
    [
        Balance(epsilon=1),
        PiecewiseLaplace(epsilon=1, smooth=2),
        InverseSensitivity(epsilon=1),
        PermuteAndFlip(epsilon=1),
        Laplace(epsilon=1, sensitivity=3 * 20),
    ],
    ids=lambda mechanism: mechanism.name,
)
def test_a_mechanism_is_given_at_the_price_of_all_groups(mechanism: Any) -> None:
    asked = {"bounds": (0, 20), "epsilon": 1, "mechanism": mechanism}
    release = by(contributions=3).median("pay", **asked)
    assert release.privacy == mechanism.loss and release.about.law == mechanism.version
    bound = by(contributions=3)._bind(ask.median("pay", **asked), SharedReads()).inner
    third = bound.inner.mechanism
    assert type(third) is type(mechanism) and third.epsilon == Fraction(1, 3)
    assert getattr(third, "rho", 0) == getattr(mechanism, "rho", 0)
    assert getattr(third, "sensitivity", 20) == 20


def test_a_mechanism_that_cannot_be_shared_among_records_is_refused() -> None:
    class Own:
        epsilon, name, version = Fraction(1), "own", "own/1"
        loss = BoundedRange(1)
        levels = law = PiecewiseLaplace(epsilon=1).levels

    asked = {"bounds": (0, 20), "epsilon": 1, "mechanism": Own()}
    with pytest.raises(ParameterTypeError, match=r"a mechanism of noisewise, in groups where .* 3 records"):
        by(contributions=3, ledger=(book := Book())).median("pay", **asked)
    assert not book.debits


def test_several_columns_make_groups_of_their_combinations() -> None:
    grouped = Dataset(FRAME).group_by("dept", "year", keys={"dept": ["B", "A"], "year": [2021, 2020]})
    release = grouped.count(epsilon=60)
    truth = {key: FRAME.filter(dept=key[0], year=key[1]).height for key in release.keys.listed()}
    assert release.frame.rows() == [(*key, truth[key]) for key in truth]
    listed = Dataset(FRAME).group_by("dept", "year", keys=[("B", 2021), ("A", 1999)]).count(epsilon=60)
    assert listed.frame.rows() == [("B", 2021, truth["B", 2021]), ("A", 1999, 0)]


ONE_BY_ONE = {
    name: ("pay", *call.arguments)
    for name, call in CALLS.items()
    if call.of_numbers and "bounds" in call.keywords
}
"""Questions about the numbers of a column, between bounds, without these."""


@pytest.mark.parametrize("question", ONE_BY_ONE)
@pytest.mark.parametrize("held", [{}, {"unit": "p", "contributions": 2}], ids=["rows", "people"])
def test_every_question_about_a_column_can_be_asked_of_groups(question: str, held: dict[str, Any]) -> None:
    release = getattr(by(**held), question)(*ONE_BY_ONE[question], **BETWEEN)
    assert len(release.frame) == 3
    told = "".join(
        f"_{CALLS[question].named[name]}" for name in KINDS[question].capabilities.distinguished_by
    )
    assert release.frame.columns == ["dept", f"{question}{told}_pay"]
    assert release.privacy.as_pure().epsilon == 50


def test_questions_about_several_columns_and_labels_can_be_asked_of_groups() -> None:
    groups = by(unit="p", contributions=2)
    bounds = ((0, 100_000), (0, 5_000))
    assert groups.pearson("pay", "bonus", bounds=bounds, epsilon=9).frame.columns == [
        "dept",
        "pearson_pay_bonus",
    ]
    common = groups.most_common("year", [2020, 2021, 2022], epsilon=9)
    assert set(common.value) <= {2020, 2021, 2022}
    counted = groups.histogram("year", categories=[2020, 2021, 2022], epsilon=9)
    assert all(len(value) == 3 for value in counted.value)
    slopes = groups.linear_regression(["bonus"], "pay", bounds=(*bounds[::-1],), epsilon=9)
    assert slopes.privacy.as_pure().epsilon == 9
    means = groups.vector_mean(["pay", "bonus"], bounds=(0, 100_000), epsilon=9)
    assert len(means.value) == 3
    shares = groups.proportion("ok", epsilon=50)
    assert all(0 <= share <= 1 for share in shares.value)


PRICED = {
    "count": ask.count(epsilon=2),
    "sum": ask.sum("pay", bounds=(0, 9), epsilon=2),
    "count with an interval": ask.count(epsilon=2, interval=0.9),
    "mean with an interval": ask.mean("pay", bounds=(0, 9), epsilon=2, interval=0.9),
    "mean by balance with an interval": ask.mean(
        "pay", bounds=(0, 9), epsilon=2, interval=0.9, mechanism="balance"
    ),
    "median with an interval": ask.median("pay", bounds=(0, 9), epsilon=2, interval=0.9),
    "median": ask.median("pay", bounds=(0, 9), epsilon=2),
    "ranged": ask.median("pay", bounds=(0, 9), epsilon=2, mechanism="piecewise_laplace"),
    "flipped": ask.median("pay", bounds=(0, 9), epsilon=2, mechanism="permute_and_flip"),
    "quantiles": ask.quantiles("pay", [0.2, 0.5, 0.9], bounds=(0, 9), epsilon=2),
    "ranged quantiles": ask.ecdf("pay", 6, bounds=(0, 9), epsilon=2, mechanism="piecewise_laplace"),
    "interval": ask.median_interval("pay", bounds=(0, 9), epsilon=2),
    "ranged interval": ask.median_interval("pay", bounds=(0, 9), epsilon=2, mechanism="piecewise_laplace"),
    "bounds": ask.private_bounds("pay", epsilon=2),
    "searched": ask.median("pay", bounds="private", epsilon=2, mechanism="piecewise_laplace"),
    "searched sum": ask.sum("pay", bounds="private", epsilon=2),
    "line": ask.theil_sen("bonus", "pay", bounds=(-9, 9), intercept_bounds=(0, 9), epsilon=2),
    "robust": ask.linear_regression(
        ["bonus"], "pay", bounds=[(0, 9)] * 2, epsilon=2, method="robust", mechanism="piecewise_laplace"
    ),
    "regression": ask.linear_regression(["bonus"], "pay", bounds=[(0, 9)] * 2, epsilon=2),
    "covariance": ask.covariance(["bonus", "pay"], bounds=(0, 9), epsilon=2, mechanism="piecewise_laplace"),
    "vector": ask.vector_mean(["bonus", "pay"], bounds=(0, 9), epsilon=2),
    "noisy vector": ask.vector_mean(["bonus", "pay"], bounds=(0, 9), epsilon=2, mechanism="laplace"),
    "histogram": ask.histogram("year", categories=[2020, 2021, 2022], epsilon=2),
    "most common": ask.most_common("year", [2020, 2021, 2022], epsilon=2),
    "pearson": ask.pearson("pay", "bonus", bounds=((0, 9), (0, 9)), epsilon=2),
}


@pytest.mark.parametrize("records", [1, 3])
@pytest.mark.parametrize("question", PRICED)
def test_all_groups_cost_what_the_whole_table_does(question: str, records: int) -> None:
    """Epsilon, kind of loss and rho: however many draws there are, each is paid for by single records."""
    dataset, asked = Dataset(FRAME, contributions=records), PRICED[question]
    whole = dataset._bind(asked).loss
    groups = dataset.group_by("dept", keys=["A", "B"])._bind(asked, SharedReads()).inner.loss
    assert groups == whole and groups.as_zcdp() == whole.as_zcdp()
    assert getattr(groups, "rho", None) == getattr(whole, "rho", None)


def test_an_interval_in_groups_says_what_it_cost_for_all_records() -> None:
    asked = {"bounds": (0, 100_000), "epsilon": 6, "interval": 0.9}
    for records in (1, 3):
        groups = by(contributions=records)
        at_once, one_by_one = groups.median("pay", **asked), groups.quantiles("pay", [0.5], **asked)
        assert at_once.about.interval.epsilon == one_by_one.about.interval.epsilon == 3


def test_one_by_one_groups_are_drawn_for_single_records() -> None:
    """Private bounds are found where noise of epsilon/2 lets a crowd be seen, not where that of epsilon does."""
    frame = pl.DataFrame({"dept": ["A"] * 60, "pay": [5.0] * 60})
    asked = ask.private_bounds("pay", epsilon=1)
    found = by(frame, keys=["A"], contributions=2)._bind(asked, SharedReads()).inner
    assert isinstance(found, OneByOne)
    one = found.of_group(0)
    assert one.search.epsilon == Fraction(1, 2) and one.contributions == 1
    assert found.contributions == 2 and found.loss == PureDP(1)


def test_laplace_noise_on_a_bounded_answer_counts_every_group() -> None:
    """In the whole table a mean moves by no more than its range; in three groups three records move three means."""
    asked = ask.mean("pay", bounds=(0, 9), granularity=1, epsilon=2, mechanism="laplace")
    dataset = Dataset(FRAME, contributions=3)
    assert dataset._bind(asked).loss.rho == discrete_laplace_rho(2, 9)
    groups = dataset.group_by("dept", keys=["A", "B", "C"])._bind(asked, SharedReads()).inner.loss
    assert groups == PureDP(2) and groups.rho == discrete_laplace_rho(2, 27)


def test_bounds_can_be_searched_for_in_each_group() -> None:
    release = by().median("pay", bounds="private", epsilon=20)
    assert release.about.granularity is None or release.about.bounds is None or release.about.bounds
    assert release.value[2] is None  # nobody is there to find bounds with
    assert release.privacy.as_pure().epsilon == 20


def test_dates_are_answered_with_dates() -> None:
    release = by().median("hired", bounds=(date(1990, 1, 1), date(2020, 1, 1)), epsilon=50)
    assert all(type(value) is date for value in release.value)
    assert release.frame["median_hired"].dtype == pl.Date
    twice = by(unit="p", contributions=2).median("hired", bounds=release.about.bounds, epsilon=50)
    assert twice.privacy == PureDP(50) and twice.about.contributions == 2
    assert by().count("hired", epsilon=60).value[2] == 0


def test_several_questions_are_asked_at_once() -> None:
    book = Book()
    groups = by(unit="p", contributions=2, ledger=book)
    release = groups.agg(
        n=ask.count(epsilon=30),
        pay=ask.median("pay", **BETWEEN),
        top=ask.quantile("pay", 0.9, **BETWEEN),
        spread=ask.iqr("pay", bounds=(0, 100_000), epsilon=5),
    )
    assert release.frame.columns == ["dept", "n", "pay", "top", "spread"]
    assert [loss for loss, _ in book.debits] == [PureDP(135)] == [release.privacy]
    assert list(release.each) == ["n", "pay", "top", "spread"] and release.receipt == "entry 1"
    assert release.value == tuple(zip(*(one.value for one in release.each.values()), strict=True))
    assert {one.people for one in release.each.values()} == {"p"} == {release.about.people}
    for mistake in ({"n": 3}, {}):
        with pytest.raises(ParameterTypeError, match="question"):
            groups.agg(**mistake)
    with pytest.raises(ParameterError, match="named like a column of keys, got 'dept'"):
        groups.agg(dept=ask.count(epsilon=1))
    assert len(book.debits) == 1


def test_keys_are_found_where_none_are_declared() -> None:
    book = Book()
    dataset = Dataset(FRAME, unit="p", contributions=2, ledger=book)
    groups = dataset.group_by("dept", "year", epsilon=2, delta=1e-5)
    assert book.debits[0][0] == ApproxDP(2, 1e-5) == groups.selection.privacy
    assert book.debits[0][1]["unit"] == "p" and groups.selection.receipt == "entry 1"
    assert len(groups) == 9 and groups.keys.listed()[0] == ("A", 2020)
    assert len((counted := groups.count(epsilon=1)).frame) == 9
    assert book.debits[1][0] == PureDP(1) and counted.privacy == ApproxDP(3, 1e-5)
    assert counted.each["count"].privacy == PureDP(1)
    assert groups.agg(n=ask.count(epsilon=1), m=ask.count(epsilon=1)).privacy == ApproxDP(4, 1e-5)
    alone = Dataset(FRAME).group_by("dept", epsilon=1, delta=1e-5)
    assert alone.selection.value == ("A", "B", "C")


def test_nothing_found_is_nothing_to_ask() -> None:
    groups = Dataset(FRAME.head(0)).group_by("dept", epsilon=1, delta=1e-5)
    assert len(groups) == 0 and groups.selection.value == ()
    needs = "a key needs about 12 people to be found: to find smaller ones raise epsilon or delta"
    assert groups.selection.notes == (f"one person counts for at most 1 key; {needs}",)
    with pytest.raises(ParameterError, match=f"found none; {needs}$"):
        groups.count(epsilon=1)
    with pytest.raises(ParameterError, match="found none"):
        groups.median_interval("pay", bounds=(0, 1), epsilon=1)  # a method that is made when it is first used


@pytest.mark.parametrize(
    ("columns", "asked", "error", "says"),
    [
        ((), {"keys": ["A"]}, ParameterTypeError, "must name a column"),
        (("dep",), {"keys": ["A"]}, SchemaError, "did you mean 'dept'"),
        (("dept", "dept"), {"keys": [("A", "A")]}, ParameterError, "different columns"),
        (
            ("dept",),
            {},
            ParameterError,
            "keys, the groups that you know .*, or else epsilon or rho, and delta",
        ),
        (("dept",), {"epsilon": 1}, ParameterError, "or else epsilon or rho, and delta"),
        (("dept",), {"keys": ["A"], "epsilon": 1}, ParameterError, "left out where keys are given"),
        (("dept",), {"keys": [1]}, ParameterTypeError, "keys must be text for the column 'dept', got 1"),
        (("year",), {"keys": ["2020"]}, ParameterTypeError, "whole numbers for the column 'year'"),
        (("year",), {"keys": [2020, 2020.0]}, ParameterError, "differ from each other"),
        (("dept",), {"keys": FRAME}, ParameterError, "the data frame itself"),
        (("dept",), {"keys": FRAME["dept"]}, ParameterTypeError, "without looking at the data, got a Series"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_paid(
    columns: Any, asked: Any, error: Any, says: str
) -> None:
    book = Book()
    with pytest.raises(error, match=says):
        Dataset(FRAME, ledger=book).group_by(*columns, **asked)
    assert not book.debits


def test_groups_need_records_that_come_and_go() -> None:
    with pytest.raises(ParameterError, match='must be "add_remove" for groups, got "swap"'):
        Dataset(FRAME, neighbors="swap").group_by("dept", keys=["A"])
    with pytest.raises(
        ParameterError, match="unit must be given to find groups where a person may own 2 rows"
    ):
        Dataset(FRAME, contributions=2).group_by("dept", epsilon=1, delta=1e-5)
    with pytest.raises(ParameterTypeError, match="contributions must be said when the Dataset is made"):
        by().median("pay", contributions=2, **BETWEEN)


def test_what_would_take_too_much_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noisewise.dataset.batches.MOST_LEVELS", 1000)
    book = Book()
    groups = by(ledger=book)
    with pytest.raises(ParameterError, match=r"all groups would take .* levels, above 1,000"):
        groups.count(epsilon=0.1, mechanism="piecewise_laplace")
    assert not book.debits
    assert len(groups.count(epsilon=0.1)) == len(groups.count(epsilon=1, mechanism="piecewise_laplace")) == 3


def test_a_unit_that_names_nobody_is_refused_before_groups_are_paid_for() -> None:
    book = Book()
    frame = FRAME.with_columns(p=pl.concat_list("p"))
    with pytest.raises(SchemaError, match="unit must be a column"):
        Dataset(frame, unit="p", ledger=book).group_by("dept", epsilon=1, delta=1e-5)
    assert not book.debits


def test_keys_of_several_types_that_were_found_are_not_asked_about() -> None:
    book = Book()
    mixed = pd.DataFrame({"k": pd.Series(["a"] * 99 + [1] * 99, dtype=object)})
    found = Dataset(mixed, ledger=book).group_by("k", epsilon=9, delta=0.01)
    assert found.selection.value == (1, "a")
    with pytest.raises(ParameterTypeError, match="one type for the column 'k'"):
        found.count(epsilon=1)
    assert len(book.debits) == 1


def test_an_answer_is_never_called_like_a_key() -> None:
    frame = FRAME.rename({"dept": "count"})
    release = Dataset(frame).group_by("count", keys=["A"]).count(epsilon=60)
    assert release.frame.columns == ["count", "count_answer"]


def test_keys_of_several_types_are_refused_before_they_cost_anything() -> None:
    frame = FRAME.to_pandas().assign(dept=lambda rows: rows["dept"].astype(object))
    with pytest.raises(ParameterTypeError, match="one type for the column 'dept', got int and str"):
        Dataset(frame).group_by("dept", keys=["A", 1])
    assert len(Dataset(frame).group_by("dept", keys=["A", "B"]).count(epsilon=1)) == 2


def test_groups_print_what_is_public() -> None:
    assert repr(by()) == "<Grouped: 3 groups by dept>"
    assert isinstance(LIBRARIES["arrow"](), pa.Table)


def test_columns_to_group_by_may_be_a_list() -> None:
    keys = [("A", 2020), ("B", 2021)]
    listed = Dataset(FRAME).group_by(["dept", "year"], keys=keys)
    assert listed.keys == Dataset(FRAME).group_by("dept", "year", keys=keys).keys
    with pytest.raises(ParameterTypeError, match="must name a column"):
        Dataset(FRAME).group_by([], keys=keys)


def test_a_lazy_frame_itself_is_no_list_of_keys() -> None:
    with pytest.raises(ParameterError, match="got the data frame itself"):
        Dataset(lazy := FRAME.select("dept").lazy()).group_by("dept", keys=lazy)


def test_categories_of_one_column_are_counted_each_by_itself() -> None:
    small = pl.DataFrame({"dept": ["A"] * 9 + ["C"], "ok": ["yes"] * 6 + ["no"] * 2 + [None, "no"]})
    asked = {
        name: getattr(ask, question)("ok", *category, epsilon=60)
        for name, question, category in (
            ("yes", "count", ["yes"]),
            ("no", "count", ["no"]),
            ("there", "count", []),
            ("share", "proportion", ["yes"]),
        )
    }
    release = by(small).agg(**asked)
    assert [row[:3] for row in release.value] == [(0, 1, 1), (6, 2, 8), (0, 0, 0)]
    assert release.value[1][3] == pytest.approx(0.75, abs=0.1)
    assert by(small).proportion("ok", "yes", epsilon=1).frame.columns == ["dept", "proportion_yes_ok"]


# Intervals


def test_intervals_of_groups_are_two_columns() -> None:
    """Beside the answers, in the frame and in print, for each question."""
    asked = {"bounds": (0, 100_000), "epsilon": 2, "interval": 0.9}
    one = by().median("pay", **asked)
    name = one.frame.columns[1]
    assert one.frame.columns == ["dept", name, "low", "high"] and list(one.ends) == ["low", "high"]
    low, value, high = (one.frame[column].to_list() for column in ("low", name, "high"))
    assert all(first <= middle <= last for first, middle, last in zip(low, value, high, strict=True))
    assert one.about.interval is not None and one.about.interval.scope == "each"
    assert "in each group the true median of pay lies in its interval with probability 90%" in str(one)
    several = by().agg(
        n=ask.count(epsilon=1, interval=0.9), m=ask.mean("pay", **asked), k=ask.count(epsilon=1)
    )
    assert several.frame.columns == ["dept", "n", "m", "k", "n_low", "n_high", "m_low", "m_high"]
    assert several.about.interval is None and "its interval is 90% sure" in str(several)
    assert by().mean_interval("pay", bounds=(0, 9), epsilon=1).ends == {}, "it is the answer itself"


def test_a_column_of_keys_keeps_its_name_beside_intervals() -> None:
    frame = pl.DataFrame({"low": ["A", "B"], "pay": [1.0, 2.0]})
    found = Dataset(frame).group_by("low", keys=["A", "B"]).count(epsilon=1, interval=0.9)
    assert found.frame.columns == ["low", "count", "low_", "high"]


def test_questions_that_read_a_text_column_differently_do_not_share_it(tmp_path):
    """Words for true and false are records of a proportion, and missing for a mean."""
    path = tmp_path / "x.csv"
    path.write_text("g,b\n" + "x,true\nx,no\ny,yes\ny,yes\n" * 100, encoding="utf-8")
    by = Dataset.scan(path).group_by("g", keys=["x", "y"])
    share, mean = ask.proportion("b", epsilon=30), ask.mean("b", bounds=(0, 1), epsilon=30, with_count=0.5)
    for questions in ({"p": share, "m": mean}, {"m": mean, "p": share}):
        release = by.agg(**questions)
        assert [round(each, 1) for each in release.each["p"].value] == [0.5, 1.0]
        assert max(release.each["m"].count) < 9


def test_several_questions_are_booked_with_the_most_records_of_a_person():
    frame = pl.DataFrame({"p": [1, 1, 2], "x": [1.0, 2.0, 3.0]})
    people, median = ask.count_people(epsilon=1), ask.median("x", bounds=(0, 9), epsilon=1)
    for questions in ({"n": people, "m": median}, {"m": median, "n": people}):
        book = Book()
        Dataset(frame, unit="p", contributions=3, ledger=book).agg(**questions)
        assert [said["contributions"] for _, said in book.debits] == [3]


def test_intervals_of_groups_reach_as_far_as_noise_does():
    by = Dataset(pl.DataFrame({"g": ["a"], "x": [1.0]})).group_by("g", keys=["a"])
    release = by.sum("x", bounds=(0, 2**40), epsilon=1e-12, interval=0.9)
    assert release.about.interval.low[0] == 0 and release.about.interval.high[0] > 2**50
