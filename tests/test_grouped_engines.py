"""Groups behind an engine: every question as in memory, nothing fetched before the debit, and a cluster's refusals."""

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from noisewise import Dataset, Release, SchemaError
from noisewise.dataset.batches import Batch
from noisewise.dataset.grouped import Grouped
from noisewise.dataset.methods import ask
from noisewise.questions.question import KINDS
from noisewise.statistics import Statistic
from noisewise.tables.engines.dialect import Dialect
from tests.dataset.test_grouped import FRAME, ONE_BY_ONE, Book
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
    behind = groups(FRAME.lazy(), {}, ledger=(book := Book()))
    monkeypatch.setattr(type(behind._dataset._table.dialect), "local", False)  # type: ignore[attr-defined]
    if KINDS[name].capabilities.batched:
        more = {
            "quantile": (0.5,),
            "spread": (0.1, 0.9),
            "trimmed_mean": (0.1,),
            "winsorized_mean": (0.1,),
        }
        given = ("ok",) if name == "proportion" else ("pay", *more.get(name, ()))
        how = {"epsilon": 1} if name == "proportion" else SHARP
        asked: Any = behind._bind(getattr(ask, name)(*given, **how), _once())
        assert isinstance(asked, Batch) and type(asked.inner.statistic).envelopes is not Statistic.envelopes
        return
    wide = name in ("covariance", "principal_component", "vector_mean")
    several = {"linear_regression": (["pay"], "bonus"), "count_distinct": ("pay", [1, 2])}
    pairs = (
        "accuracy",
        "auc",
        "f1",
        "log_loss",
        "mae",
        "mse",
        "pearson",
        "r2",
        "rate",
        "ratio",
        "rmse",
        "spearman",
        "theil_sen",
        "weighted_mean",
    )
    names = several.get(
        name, (["pay", "bonus"],) if wide else ("pay", "bonus") if name in pairs else ("pay",)
    )
    with pytest.raises(
        SchemaError, match=rf"^{name} in groups must .* run, in groups, count, iqr, max, mean, median, min"
    ):
        getattr(behind, name)(*names, epsilon=1)
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


def _once() -> Any:
    from noisewise.dataset.batches import SharedReads

    return SharedReads()


@pytest.mark.parametrize("held", HELD, ids=["rows", "people"])
def test_spark_answers_in_the_cluster_as_in_memory(held: dict[str, Any]) -> None:
    names = {"iqr": (), "std": (), "trimmed_mean": (0.1,), "variance": ()}
    sharp = {"bounds": (0, 100_000), "epsilon": 60}
    behind = groups(lazily("spark", FRAME.select("p", "dept", "pay")).to_native(), held)
    memory = groups(FRAME, held)
    for name, given in names.items():
        question = getattr(ask, name)("pay", *given, **sharp)
        laws = [each._bind(question, _once()).look() for each in (behind, memory)]  # type: ignore[attr-defined]
        for side in ("lower", "upper", "offsets"):
            assert getattr(laws[0].envelope, side).tolist() == getattr(laws[1].envelope, side).tolist(), name


def test_spark_finds_keys_in_the_cluster() -> None:
    data = lazily("spark", FRAME.select("p", "dept", "pay")).to_native()
    by = Dataset(data, unit="p", contributions=2).group_by("dept", epsilon=30, delta=0.01)
    assert by.keys.listed() == ["A", "B", "C"] and isinstance(by.selection, Release)
    with pytest.raises(
        SchemaError, match="gini in groups must be asked of data on this computer, got a Spark"
    ):
        by.gini("pay", bounds=(0, 100_000), epsilon=1)
