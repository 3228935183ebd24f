"""Groups behind an engine get the answers of memory, and no rows are fetched before the debit."""

import math
from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from noisewise import Dataset, Release, SchemaError
from noisewise.dataset.batches import Batch, OneByOne, SharedReads
from noisewise.dataset.grouped import Grouped
from noisewise.dataset.methods import ask
from noisewise.hazmat import SeededBits
from noisewise.questions.composites.population_interval import PopulationInterval
from noisewise.questions.composites.quantile_interval import Interval
from noisewise.questions.question import KINDS, Question
from noisewise.statistics import Statistic
from noisewise.tables.engines.dialect import Dialect
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.engines.queries import QueriedColumn, QueriedLabels, QueriedRows
from tests.dataset.test_grouped import FRAME, ONE_BY_ONE, Book
from tests.every_question import CALLS, ROWS
from tests.tables.every_engine import LOCAL, lazily

PAIRS = ((0, 100_000), (0, 5_000))
SHARP = {"bounds": (0, 100_000), "granularity": 1000, "epsilon": 60}
HELD: list[dict[str, Any]] = [{}, {"unit": "p", "contributions": 2, "max_groups": 1}]
OTHERS = {
    "private": ask.median("pay", bounds="private", epsilon=60),
    "pearson": ask.pearson("pay", "bonus", bounds=PAIRS, epsilon=60),
    "covariance": ask.covariance(["pay", "bonus"], bounds=PAIRS, epsilon=60),
    "linear_regression": ask.linear_regression(["pay"], "bonus", bounds=PAIRS, epsilon=60),
    "histogram of numbers": ask.histogram("pay", [0, 50_000, 100_000], epsilon=60),
    "histogram of labels": ask.histogram("year", categories=[2020, 2021, 2022], epsilon=60),
    "most_common": ask.most_common("ok", [True, False], epsilon=60),
}
QUESTIONS = {
    **{name: getattr(ask, name)(*asked, **SHARP) for name, asked in ONE_BY_ONE.items() if name != "gini"},
    "gini": ask.gini("pay", bounds=(0, 100_000), epsilon=60),
    **OTHERS,
    "count": ask.count(epsilon=60),
    "proportion": ask.proportion("ok", epsilon=60),
}


def groups(data: Any, held: dict[str, Any], **more: Any) -> Grouped:
    dataset = Dataset(data, **held, **more)
    dataset._salt = "of both"
    return dataset.group_by("dept", keys=["C", "A", "nobody"])


def flat(value: Any) -> list[float]:
    if isinstance(value, (tuple, list)):
        return [number for each in value for number in flat(each)]
    return [float(value)]


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("held", HELD, ids=["rows", "people"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered_as_in_memory(engine: str, held: dict[str, Any], question: str) -> None:
    behind = groups(lazily(engine, FRAME).to_native(), held).agg(answer=QUESTIONS[question])
    memory = groups(FRAME, held).agg(answer=QUESTIONS[question])
    assert behind.privacy == memory.privacy and behind.keys == memory.keys
    told, known = (flat(each.value[:2]) for each in (behind, memory))  # where there are records
    if question in ("count", "histogram of labels", "max", "median", "min", "most_common", "quantile"):
        assert told == pytest.approx(known, abs=3000)
    assert len(told) == len(known)


STRANGE = pl.DataFrame(
    {
        "k": [None if i % 11 == 0 else "CABD"[i * 3 % 7 % 4] for i in range(240)],
        "who": [None if i % 13 == 0 else i * 5 % 17 for i in range(240)],
        "x": [
            None if i % 7 == 0 else math.nan if i % 19 == 0 else (i * 37 % 101) / 4 - 5 for i in range(240)
        ],
        "t": [None if i % 5 == 0 else ("tea", "é", "tea ", "milk")[i * 7 % 4] for i in range(240)],
        "yes": [i % 3 == 0 for i in range(240)],
        "y": [None if i % 17 == 0 else -0.0 if i % 23 == 0 else (i * 29 % 61) / 8 - 3 for i in range(240)],
        "share": [math.inf if i % 29 == 0 else (i * 13 % 32) / 32 for i in range(240)],
    }
)
"""A table with rows that have no key, no person or no record."""
CROWDS: list[dict[str, Any]] = [{}, {"unit": "who", "contributions": 5, "max_groups": 2}]
CROWDS += [{"unit": "who", "contributions": 5, "per_group": 2}]
BY_QUERIES = {
    "numbers": ask.histogram("x", [-5.0, 0.0, 0.25, 20.0], epsilon=1, interval=0.9),
    "texts": ask.histogram("t", ["é", "tea", "nobody"], epsilon=1),
    "most_common": ask.most_common("t", ["milk", "tea"], epsilon=1, with_count=True),
    "most_common truth": ask.most_common("yes", [True, False], epsilon=1),
    "count_distinct": ask.count_distinct("x", [0, 0.25, 99], epsilon=1),
    "private_bounds": ask.private_bounds("x", epsilon=9),
    "mean": ask.mean("x", bounds="private", epsilon=20, interval=0.9),
    "median": ask.median("x", bounds="private", epsilon=20, with_count=True),
    "trimmed_mean": ask.trimmed_mean("x", 0.1, bounds="private", epsilon=20),
    "std": ask.std("x", bounds="private", epsilon=20),
    "median_interval": ask.median_interval("x", bounds=(-5, 20), granularity=0.0001, epsilon=20),
    "mean_interval": ask.mean_interval("x", bounds=(-5, 20), epsilon=5),
    "proportion_interval": ask.proportion_interval("t", "tea", epsilon=5, with_count=True),
    "count_interval": ask.count_interval(epsilon=5),
}
TWO = {"bounds": (-3, 8), "epsilon": 60}
FROM_0 = {"bounds": ((0, 20), (0, 1)), "epsilon": 60}
OF_ROWS = {
    "accuracy": ask.accuracy("yes", "share", epsilon=20, interval=0.9),
    "auc": ask.auc("yes", "y", epsilon=60, with_count=True),
    "f1": ask.f1("yes", "share", epsilon=20),
    "log_loss": ask.log_loss("yes", "share", bounds=(0, 30), epsilon=60),
    "mae": ask.mae("x", "y", bounds=(0, 20), epsilon=60, with_count=True),
    "mse": ask.mse("x", "y", bounds=(0, 400), epsilon=60),
    "rmse": ask.rmse("x", "y", bounds=(0, 20), epsilon=60),
    "r2": ask.r2("x", "y", floor=-9, **TWO),
    "pearson": ask.pearson("x", "y", **TWO, interval=0.9),
    "weighted_mean": ask.weighted_mean("x", "share", **FROM_0),
    "ratio": ask.ratio("x", "share", **FROM_0),
    "rate": ask.rate("x", "share", **FROM_0),
    "covariance": ask.covariance(["y", "x", "y"], **TWO),
    "linear_regression": ask.linear_regression(["x", "share"], "y", **TWO),
    "vector_mean": ask.vector_mean(["y", "x"], **TWO),
    "principal_component": ask.principal_component(["y", "x"], toward=(1, 1), **TWO),
}
"""The questions about several columns that an engine answers in groups."""


def drawn(data: Any, held: dict[str, Any], question: Question, **grouped: Any) -> Release:
    """The answer with the random words of a seed."""
    dataset = Dataset(data, **held)
    dataset._salt = "of both"
    by = dataset.group_by("k", **(grouped or {"keys": ["B", "C", "nobody", "A"]}))
    return by._bind(question, SharedReads()).inner.answer(bits=SeededBits(5))


@pytest.mark.parametrize(
    ("engine", "question"),
    [
        *(("polars", question) for question in [*BY_QUERIES, *OF_ROWS]),
        *(("duckdb", question) for question in ("numbers", "texts", "mean", "median_interval")),
        *(("duckdb", question) for question in ("auc", "log_loss", "pearson")),
    ],
)
def test_queries_about_all_groups_have_the_answers_of_memory(
    engine: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EngineTable, "fetcher", None)
    for held in CROWDS:
        behind, memory = (
            drawn(data, held, {**BY_QUERIES, **OF_ROWS}[question])
            for data in (lazily(engine, STRANGE).to_native(), STRANGE)
        )
        for field in ("value", "interval", "count", "notes", "privacy"):
            assert getattr(behind, field) == getattr(memory, field), (field, held)


def test_what_needs_whole_columns_is_fetched_in_groups_too() -> None:
    for question in (
        ask.vector_mean(["y", "x"], radius=9, bounds=(-3, 8), epsilon=20),
        ask.linear_regression(["x"], "y", method="robust", bounds=((-5, 20), (-3, 8)), epsilon=20),
    ):
        assert drawn(STRANGE.lazy(), {}, question).value == drawn(STRANGE, {}, question).value


def test_joint_quantiles_of_a_group_are_those_of_its_rows_alone() -> None:
    """Bits break ties: in memory they are drawn earlier. So the law is the same, but a seed gives other draws."""
    alone = STRANGE.filter(pl.col("k") == "A")
    for question in (
        ask.quantiles("x", [0.2, 0.5, 0.9], bounds=(-5, 20), epsilon=9),
        ask.five_number_summary("x", bounds=(-5, 20), granularity=0.0001, epsilon=9),
        ask.ecdf("x", 5, bounds=(-5, 20), epsilon=9),
    ):
        known = Dataset(alone.lazy())._bind(question).answer(bits=SeededBits(5))
        assert drawn(STRANGE.lazy(), {}, question, keys=["A"]).value == (known.value,)


@pytest.mark.parametrize("engine", LOCAL)
def test_groups_that_were_found_are_asked_by_queries_too(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EngineTable, "fetcher", None)
    found: dict[str, Any] = {"epsilon": 60, "delta": 0.1}
    for question in ("texts", "private_bounds", "median_interval"):
        behind, memory = (
            drawn(data, CROWDS[1], BY_QUERIES[question], **found)
            for data in (lazily(engine, STRANGE).to_native(), STRANGE)
        )
        assert behind.value == memory.value and len(behind.value) == 4


@pytest.mark.rest
@pytest.mark.parametrize("engine", LOCAL)
def test_nothing_is_fetched_before_the_debit(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    plain = Dialect._query

    def query(self: Dialect, *given: Any) -> Any:
        events.append("query")
        return plain(self, *given)

    class Noted(Book):
        def debit(self, loss: Any, **said: Any) -> str:
            events.append("debit")
            return super().debit(loss, **said)

    monkeypatch.setattr(Dialect, "_query", query)
    data = lazily(engine, FRAME).to_native()
    for question in OTHERS.values():
        events.clear()
        groups(data, HELD[1], ledger=Noted()).agg(answer=question)
        assert events[0] == "debit" and events.count("debit") == 1 and "query" in events
    events.clear()
    found = Dataset(data, unit="p", ledger=Noted()).group_by("dept", epsilon=9, delta=0.01)
    assert events[0] == "debit" and found.keys.listed() == ["A", "B", "C"]


@pytest.mark.parametrize("engine", LOCAL)
def test_a_column_of_time_may_also_make_groups(engine: str) -> None:
    bounds = (date(2000, 1, 1), date(2010, 1, 1))
    some = FRAME["hired"].unique().sort()[:2].to_list()
    by = Dataset(lazily(engine, FRAME).to_native()).group_by("hired", keys=some)
    found = by.median("hired", bounds=bounds, granularity=timedelta(days=1), epsilon=60)
    assert found.value == tuple(some)
    assert by.quantiles(
        "hired", [0.5], bounds=bounds, granularity=timedelta(days=1), epsilon=60
    ).value == tuple((day,) for day in some)


@pytest.mark.parametrize(
    "name", sorted(name for name, kind in KINDS.items() if kind.capabilities.in_groups and name != "count")
)
def test_a_cluster_is_asked_for_all_groups_at_once_or_refuses(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = Dataset(pl.LazyFrame(ROWS), ledger=(book := Book())).group_by("b", keys=[0, 1])
    monkeypatch.setattr(type(behind._dataset._table.dialect), "local", False)  # type: ignore[attr-defined]
    if KINDS[name].capabilities.batched:
        step = {"granularity": 1} if CALLS[name].of_numbers and name in ONE_BY_ONE else {}
        asked: Any = behind._bind(CALLS[name].question(**step), SharedReads()).inner
        if isinstance(asked, OneByOne):
            group: Any = asked.of_group(0)
            while isinstance(group, (Interval, PopulationInterval)) or not hasattr(group, "data"):
                group = group.inner
            data = group.data
            if len(CALLS[name].kind.capabilities.columns) > 1 or "matrix" in KINDS[name].capabilities.columns:
                assert {type(column.source) for column in data.columns} == {QueriedRows}
            else:
                assert type(data) in (QueriedColumn, QueriedLabels)
            return
        assert isinstance(asked, Batch) and type(asked.inner.statistic).envelopes is not Statistic.envelopes
        return
    with pytest.raises(
        SchemaError,
        match=rf"^{name} in groups must .* run, in groups, accuracy, auc, count, count_distinct, ",
    ):
        CALLS[name].of(behind)
    assert not book.debits


def test_python_objects_make_no_groups_behind_an_engine() -> None:
    book, objects = Book(), pl.Series("k", [object()], dtype=pl.Object)
    dataset = Dataset(pl.DataFrame([objects]).lazy(), ledger=book)
    for how in ({"keys": ["a"]}, {"epsilon": 1, "delta": 0.1}):
        with pytest.raises(
            SchemaError, match="of a type that Polars can compare, got column 'k' of Python objects"
        ):
            dataset.group_by("k", **how)
    assert not book.debits


@pytest.mark.parametrize("held", HELD, ids=["rows", "people"])
def test_spark_answers_in_the_cluster_as_in_memory(held: dict[str, Any]) -> None:
    names: dict[str, tuple[Any, ...]] = {"trimmed_mean": (0.1,), "variance": ()}
    if not held:  # whose rows count does not depend on what is read of them
        names |= {"iqr": (), "std": ()}
    sharp = {"bounds": (0, 100_000), "epsilon": 60}
    behind = groups(lazily("spark", FRAME.select("p", "dept", "pay")).to_native(), held)
    memory = groups(FRAME, held)
    for name, given in names.items():
        question = getattr(ask, name)("pay", *given, **sharp)
        laws = [each._bind(question, SharedReads()).inner.look() for each in (behind, memory)]  # type: ignore[attr-defined]
        for side in ("lower", "upper", "offsets"):
            assert getattr(laws[0].envelope, side).tolist() == getattr(laws[1].envelope, side).tolist(), name
    held, data = CROWDS[bool(held)], lazily("spark", STRANGE).to_native()
    for question in ("numbers", "most_common", "median_interval"):
        known = drawn(STRANGE, held, BY_QUERIES[question])
        assert drawn(data, held, BY_QUERIES[question]).value == known.value, question
    of_rows = OF_ROWS["mae" if held else "pearson"]  # a number of each row, and sums
    assert drawn(data, held, of_rows).value == drawn(STRANGE, held, of_rows).value


def test_spark_finds_keys_in_the_cluster() -> None:
    data = lazily("spark", FRAME.select("p", "dept", "pay")).to_native()
    by = Dataset(data, unit="p", contributions=2).group_by("dept", epsilon=30, delta=0.01)
    assert by.keys.listed() == ["A", "B", "C"] and isinstance(by.selection, Release)
    with pytest.raises(
        SchemaError, match="gini in groups must be asked of data on this computer, got a Spark"
    ):
        by.gini("pay", bounds=(0, 100_000), epsilon=1)
