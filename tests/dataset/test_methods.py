"""Methods made of functions: the same keywords, columns in the place of data, and errors that name what is public."""

import inspect
from dataclasses import replace
from datetime import date

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.grouped import Grouped
from noisewise.dataset.methods import Questions, ask
from noisewise.dataset.timed import InTime, in_time
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.questions.question import COLUMN_ARGUMENTS, DATASET_KEYWORDS, KINDS
from noisewise.results.timed_release import TimedRelease
from noisewise.tables.time.clock import Clock
from tests.every_question import CALLS, OF_COLUMNS, ROWS
from tests.payable import question_of

FRAME = pl.DataFrame({"salary": range(40), "age": range(20, 60), "left": [0, 1] * 20, "right": [1, 2] * 20})
STAFF = Dataset(FRAME)
NAMES = sorted(KINDS)


@pytest.mark.parametrize("name", NAMES)
def test_every_function_is_a_method_with_its_keywords(name):
    function, method = getattr(nws, name), getattr(Dataset, name)
    theirs = [
        COLUMN_ARGUMENTS.get(key, key)
        for key in inspect.signature(function).parameters
        if key not in DATASET_KEYWORDS
    ]
    ours = list(inspect.signature(method).parameters)
    assert ours == ["self", *theirs]
    defaults = [
        each.default
        for key, each in inspect.signature(function).parameters.items()
        if key not in DATASET_KEYWORDS
    ]
    if KINDS[name].capabilities.all_rows:  # their column may be left out
        defaults[0] = None
    assert [each.default for each in inspect.signature(method).parameters.values()][1:] == defaults


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_method_speaks_of_columns(name):
    text = inspect.getdoc(getattr(Dataset, name))
    listed = text.partition("Args:\n")[2]
    assert text.startswith("A private") and "name" in listed.splitlines()[0]
    assert not any(f"\n    {held}:" in f"\n{listed}" for held in (*DATASET_KEYWORDS, "data", "graph"))


def test_nothing_but_questions_is_public():
    own = {"agg", "choice", "columns", "condition", "payer", "group_by", "scan", "where"}
    own |= {
        "describe",
        "sql",
        "value_counts",
        "contributions",
        "ledger",
        "max_groups",
        "name",
        "neighbors",
        "per_group",
        "unit",
    }
    assert {name for name in vars(Dataset) if not name.startswith("_")} == own
    assert {name for name in vars(Questions) if not name.startswith("_")} == set(NAMES)


def test_columns_may_be_said_by_keyword():
    asked = {"epsilon": 60, "granularity": 1}
    assert STAFF.median(column="salary", bounds=(0, 100), **asked).value == 19
    fit = STAFF.linear_regression(X=["age"], y="salary", bounds=(0, 100), epsilon=1)
    assert len(fit.value) == 2
    assert STAFF.triangles(edges=["left", "right"], nodes=3, epsilon=1).statistic == "triangles"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: STAFF.median(bounds=(0, 1), epsilon=1), "median.. missing a required argument: 'column'"),
        (lambda: STAFF.pearson("age", bounds=(0, 1), epsilon=1), "missing a required argument: 'y'"),
        (
            lambda: STAFF.median("age", bounds=(0, 1), epsilon=1, neighbors="swap"),
            "neighbors must be said when",
        ),
        (
            lambda: STAFF.median("age", bounds=(0, 1), epsilon=1, contributions=2),
            "contributions must be said when",
        ),
        (
            lambda: STAFF.median("age", bounds=(0, 1), epsilon=1, ledger=None),
            "ledger must be said when the Dataset is",
        ),
        (lambda: STAFF.median("age", bounds=(0, 1), epsilom=1), "did you mean 'epsilon'"),
        (
            lambda: STAFF.median("age", bounds=(0, 1), epsilon=1, datas=3),
            "argument 'datas'; it takes column, ",
        ),
        (
            lambda: STAFF.median("age", bounds=(0, 1), epsilon=1, ledgers=3),
            "argument 'ledgers'; it takes column, ",
        ),
        (lambda: STAFF.median("age", bounds=(0, 1), epsilon=1, colum=3), "did you mean 'column'"),
        (lambda: STAFF.median("age", epsilon=1), "median.. missing a required argument: 'bounds'"),
        (lambda: STAFF.median("age", 1, bounds=(0, 1), epsilon=1), "too many positional arguments"),
        (lambda: STAFF.count("age", epsilom=1), "count.. got an unexpected keyword argument 'epsilom'"),
        (
            lambda: STAFF.count("age", epsilon=1, neighbors="swap"),
            "neighbors must be said when the Dataset is made",
        ),
    ],
)
def test_a_wrong_call_says_what_is_wrong(call, words):
    with pytest.raises(ParameterTypeError, match=words):
        call()


@pytest.mark.parametrize(("prices", "got"), [({}, "neither"), ({"epsilon": 1, "rho": 1}, "both")])
def test_a_price_is_said_once(prices, got):
    with pytest.raises(
        ParameterError, match=f"^epsilon or rho must be given, exactly one of them, got {got}"
    ):
        STAFF.median("age", bounds=(0, 1), **prices)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: STAFF.median("salery", bounds=(0, 1), epsilon=1), "got 'salery'; did you mean 'salary'?"),
        (
            lambda: STAFF.median(3, bounds=(0, 1), epsilon=1),
            "column must be one of 'salary', 'age', 'left', 'right'",
        ),
        (lambda: STAFF.median(pd.Series([1, 2]), bounds=(0, 1), epsilon=1), "got a Series"),
        (lambda: STAFF.median(None, bounds=(0, 1), epsilon=1), "got None"),
        (lambda: STAFF.count("ages", epsilon=1), "did you mean 'age'"),
        (lambda: STAFF.pearson("age", "x", bounds=(0, 1), epsilon=1), "got 'x'"),
        (
            lambda: STAFF.covariance("age", bounds=(0, 1), epsilon=1),
            "columns must be a list of names, got 'age'",
        ),
        (lambda: STAFF.covariance(["age", FRAME["age"]], bounds=(0, 1), epsilon=1), "got a Series"),
        (lambda: STAFF.triangles(["left"], epsilon=1), "edges must be two columns, got 1"),
        (lambda: STAFF.triangles(["age", "x", "job"], epsilon=1), "edges must be two columns, got 3"),
        (lambda: STAFF.most_common("job", [1], epsilon=1), "got 'job'"),
    ],
)
def test_an_unknown_column_is_refused_by_name(call, words):
    with pytest.raises(SchemaError, match=words.replace("?", "[?]")):
        call()


@pytest.mark.parametrize("frame", [FRAME, FRAME.lazy(), FRAME.to_pandas()])
@pytest.mark.parametrize("edges", [["left", "left"], ["right", "right"]])
def test_one_column_is_not_two_ends_of_an_edge(frame, edges):
    class Purse:
        def debit(self, loss, **said):
            raise AssertionError("nothing was to be paid")

    with pytest.raises(SchemaError, match=rf"^edges must be different columns, got {str(edges)[1:-1]}$"):
        Dataset(frame, ledger=Purse()).triangles(edges, nodes=3, epsilon=1)


def test_a_question_is_shown_as_it_is_written_and_never_with_data():
    asked = {"bounds": (0, 9), "epsilon": 1}
    assert repr(question_of(nws.median, "age", **asked)) == ("ask.median('age', bounds=(0, 9), epsilon=1)")
    assert repr(question_of(nws.count, None, epsilon=1)) == "ask.count(epsilon=1)"
    series = question_of(nws.max, pd.Series([41, 42]), (1,), [2], day=date(2001, 1, 2))
    assert repr(series) == "ask.max(a Series, (1,), [2], day=datetime.date(2001, 1, 2))"


def test_a_question_knows_all_its_columns():
    fit = question_of(nws.linear_regression, ["a", "b"], "y")
    assert fit.about == ("a", "b", "y")
    assert question_of(nws.count, None).about == ()


def test_every_question_about_columns_is_that_of_the_function():
    """Asked of a Dataset and of its columns the question is judged alike: loss, statistic, law and granularity."""
    age, salary = FRAME["age"], FRAME["salary"]
    asked = {"bounds": (0, 100), "epsilon": 1}
    pairs = [
        (STAFF.mean("age", **asked), nws.mean(age, **asked)),
        (STAFF.quantiles("age", [0.2, 0.8], **asked), nws.quantiles(age, [0.2, 0.8], **asked)),
        (STAFF.r2("age", "salary", **asked), nws.r2(age, salary, **asked)),
        (STAFF.vector_mean(["age", "salary"], **asked), nws.vector_mean((age, salary), **asked)),
        (STAFF.histogram("age", [0, 50, 100], epsilon=1), nws.histogram(age, [0, 50, 100], epsilon=1)),
        (STAFF.private_bounds("age", epsilon=1), nws.private_bounds(age, epsilon=1)),
    ]
    for ours, theirs in pairs:
        said, told = ours.to_dict(), theirs.to_dict()
        for each in (said, told):
            del each["value"], each["time"], each["notes"], each["columns"]
        assert said == told


def test_a_question_in_time_is_the_question_itself_but_for_its_answer():
    request = nws.questions.request.Request.of(nws.Quantile("1/2"), [1, 2, 3], bounds=(0, 10**6), epsilon=1)
    clock = Clock("date", "date", False, (date(2001, 1, 1), date(2002, 1, 1)))
    timed = in_time(request, clock)
    assert (timed.loss, timed.memo, timed.unit) == (request.loss, request.memo, None)
    assert isinstance(timed, InTime) and repr(timed) == "<InTime: withheld>"
    assert in_time(request, None) is request
    answer = timed.answer()
    assert isinstance(answer, TimedRelease) and answer.value == date(2001, 1, 1)


def test_groups_have_an_answer_each():
    release = replace(nws.median([1, 2, 3], bounds=(0, 9), epsilon=1), value=(0, 86400 * 10**6))
    several = TimedRelease.of(
        release,
        Clock("date", "date", False, (date(2001, 1, 1), date(2002, 1, 1))),
        grouped=True,
    )
    assert several.value == (date(2001, 1, 1), date(2001, 1, 2))
    assert several.to_dict()["bounds"] == ["2001-01-01", "2002-01-01"]


TYPED = ROWS | {
    "x": [None if x is None else int(x) for x in ROWS["x"]],
    "c": [bool(c) for c in ROWS["c"]],
}


@pytest.mark.parametrize("name", OF_COLUMNS)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_every_question_is_asked_of_people_too(name, make):
    answer = CALLS[name].of(Dataset(make(TYPED), unit="id", contributions=2))
    owned = 1 if KINDS[name].capabilities.people else 2
    assert (answer.people, answer.contributions, answer.neighbors) == ("id", owned, "add_remove")


# Questions written down


def test_a_question_is_written_down_and_not_asked() -> None:
    found = ask.quantile("pay", 0.9, bounds=(0, 9), epsilon=1)
    assert found == question_of(nws.quantile, "pay", 0.9, bounds=(0, 9), epsilon=1)
    assert ask.count(epsilon=1) == question_of(nws.count, None, epsilon=1)


def test_a_question_is_helped_with_and_shown_as_it_is_written() -> None:
    assert ask.median.__doc__ == Grouped.median.__doc__ and ask.median.__name__ == "median"
    assert list(inspect.signature(ask.median).parameters)[:3] == ["column", "bounds", "epsilon"]
    found = ask.quantile("pay", 0.9, bounds=(0, 9), epsilon=1)
    assert repr(found) == "ask.quantile('pay', 0.9, bounds=(0, 9), epsilon=1)"


def test_every_question_can_be_written_down() -> None:
    assert {name for name in dir(ask) if name[0] != "_"} == set(KINDS)
    assert all(callable(getattr(ask, name)) for name in KINDS)


@pytest.mark.parametrize(
    ("place", "name", "meant"),
    [
        (STAFF, "groupby", "group_by"),
        (STAFF, "filter", "where"),
        (STAFF, "size", "count"),
        (STAFF, "average", "mean"),
        (STAFF, "medain", "median"),
        (STAFF.group_by("age", keys=[1]), "medain", "median"),
        (STAFF.group_by("age", keys=[1]), "aggregate", "agg"),
        (STAFF.group_by("age", keys=[1]), "filter", r"Dataset\(frame\)\.where"),
        (nws, "groupby", r"Dataset\(frame\)\.group_by"),
        (nws, "where", r"Dataset\(frame\)\.where"),
        (nws, "meen", "mean"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_habit_or_a_misspelt_name_says_what_was_meant(place: object, name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'; did you mean {meant}\\?$"):
        getattr(place, name)


def test_what_is_like_no_name_suggests_none() -> None:
    for place, name in ((STAFF, "xyzzy"), (nws, "xyzzy"), (STAFF, "__mean__")):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'$"):
            getattr(place, name)


def test_what_is_no_question_is_said_so() -> None:
    with pytest.raises(AttributeError, match="'Ask' object has no attribute 'medium'"):
        ask.medium  # noqa: B018
    with pytest.raises(AttributeError, match="agg"):
        ask.agg  # noqa: B018
    with pytest.raises(ParameterTypeError, match="missing a required argument: 'column'"):
        ask.median(epsilon=1)
    with pytest.raises(ParameterTypeError, match=r"quantile\(\) missing a required argument: 'q'"):
        ask.quantile("pay", epsilon=1)
    with pytest.raises(ParameterTypeError, match="ledger must be said when the Dataset is made"):
        ask.median("pay", bounds=(0, 9), epsilon=1, ledger=None)
    assert repr(ask) == "<ask: questions for agg>"


def test_describe_and_value_counts_are_there_and_divide_the_price() -> None:
    frame = pl.DataFrame(
        {"age": [20.0, 30.0, 40.0] * 200, "pay": [1.0, 2.0, 3.0] * 200, "dept": ["b", "a", "a"] * 200}
    )
    table = Dataset(frame)
    alone = table.describe("age", bounds=(0, 100), epsilon=60, interval=0.9)
    assert list(alone) == ["age_count", "age_mean", "age_std", "age_quartiles"]
    assert alone.privacy == nws.PureDP(60) and all(each.privacy == nws.PureDP(15) for each in alone.values())
    assert alone["age_count"].value == 600 and abs(alone["age_mean"].value - 30) < 1
    assert alone["age_quartiles"].value[2] == 30 and alone["age_mean"].interval is not None
    both = table.describe(["age", "pay"], bounds={"age": (0, 100), "pay": (0, 5)}, rho=8)
    assert len(both) == 8 and both.privacy == nws.ZCDP(8) and both["pay_mean"].bounds == (0, 5)
    counts = table.value_counts("dept", ["b", "a", "c"], epsilon=60, interval=0.9)
    assert counts.value == (200, 400, 0) and counts.keys.listed() == ["b", "a", "c"] and counts.ends
    empty = Dataset(frame.head(0))
    assert empty.value_counts("dept", ["b"], epsilon=60).value == (0,)
    assert empty.describe("age", bounds=(0, 100), epsilon=60)["age_count"].value == 0


def test_what_describe_and_value_counts_need_is_said_before_the_debit() -> None:
    with pytest.raises(
        ParameterTypeError, match="missing a required argument: 'bounds', the lowest and highest"
    ):
        STAFF.describe("age", epsilon=1)
    with pytest.raises(ParameterError, match=r"^group_by must be given keys"):
        STAFF.value_counts("age", epsilon=1)
    with pytest.raises(SchemaError, match=r"^column must be one of"):
        STAFF.describe("agee", bounds=(0, 1), epsilon=1)
    with pytest.raises(ParameterTypeError, match=r"^value_counts\(\) missing a required argument: 'column'"):
        STAFF.value_counts(epsilon=1)  # type: ignore[call-arg]
