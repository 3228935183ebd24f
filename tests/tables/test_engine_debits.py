"""Behind an engine, too, nothing is read before the debit, and what cannot be answered is refused before it."""

from datetime import date, timedelta

import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ReleaseFailed, SchemaError
from noisewise.tables.engines.dialect import Dialect
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.engines.polars import PolarsDialect
from tests.tables.every_engine import table


class Purse:
    def __init__(self):
        self.events = []

    def debit(self, loss, **said):
        self.events.append("debit")
        return "paid"


@pytest.fixture
def noted(monkeypatch):
    purse = Purse()
    for name in ("arrays", "collect", "totals"):
        plain = getattr(Dialect, name)

        def query(self, *given, plain=plain, **said):
            purse.events.append("query")
            return plain(self, *given, **said)

        monkeypatch.setattr(Dialect, name, query)
    return purse


QUESTIONS = {
    "pearson": lambda data: data.pearson("x", "y", bounds=(0, 10), epsilon=1),
    "covariance": lambda data: data.covariance(["x", "y"], bounds=(0, 10), epsilon=1),
    "histogram": lambda data: data.histogram("x", [0, 5, 10], epsilon=1),
    "most_common": lambda data: data.most_common("x", [1, 2], epsilon=1),
    "gini": lambda data: data.gini("x", bounds=(0, 10), epsilon=1),
    "private": lambda data: data.median("x", bounds="private", epsilon=1),
    "private bounds": lambda data: data.private_bounds("x", epsilon=1),
    "labels": lambda data: data.histogram("x", [True, False], epsilon=1),
    "triangles": lambda data: data.triangles(["x", "y"], nodes=5, epsilon=1),
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_no_query_comes_before_the_debit(noted, ask):
    frame = pd.DataFrame({"x": [1, 2, 3, 1], "y": [2, 3, 1, 4]})
    ask(nws.Dataset(pl.from_pandas(frame).lazy(), ledger=noted))
    assert noted.events[0] == "debit" and "query" in noted.events


def test_no_query_comes_before_the_debit_of_a_question_about_people(noted):
    frame = pl.LazyFrame({"x": [1, 2, 3, 1], "who": [2, 3, 2, 4]})
    held = nws.Dataset(frame, unit="who", ledger=noted)
    held.median("x", bounds=(0, 10), epsilon=1, per_person="sum")
    held.group_by("who", keys=[2]).gini("x", bounds=(0, 10), epsilon=1, per_person="count")
    assert noted.events[0] == "debit" and noted.events.index("query") < noted.events.index("debit", 1)


def test_an_engine_that_fails_on_a_record_says_nothing_of_it(monkeypatch):
    def fail(self, frame):
        raise ValueError("the secret record 4711")

    monkeypatch.setattr(Dialect, "collect", fail)
    purse, frame = Purse(), pl.DataFrame({"a": [0, 1, 0], "b": [1, 2, 2]})
    with pytest.raises(ReleaseFailed) as failed:
        nws.Dataset(frame.lazy(), ledger=purse).triangles(["a", "b"], nodes=3, epsilon=1)
    assert (purse.events, "4711" in str(failed.value)) == (["debit"], False)
    assert failed.value.__cause__ is None and failed.value.__context__ is None


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_dates_are_answered_behind_an_engine_as_in_memory(engine):
    frame = pd.DataFrame({"hired": pd.to_datetime(["2020-01-01", "2021-06-01", None, "2022-01-01"] * 50)})
    behind = table(engine, pl.from_pandas(frame))
    assert isinstance(behind, EngineTable)
    dataset = nws.Dataset(behind._frame.to_native())
    asked = {"bounds": (date(2000, 1, 1), date(2030, 1, 1)), "granularity": timedelta(days=1), "epsilon": 60}
    assert dataset.median("hired", **asked).value == date(2021, 6, 1)


FAR = {
    "all records in order": (None, lambda data: data.mad("x", bounds=(0, 4), epsilon=1), "must be asked of"),
    "all pairs of records, in groups": (
        None,
        lambda data: data.group_by("y", keys=[1, 2]).gini("x", bounds=(0, 4), epsilon=1),
        "must be asked of",
    ),
    "all records in order, with searched bounds": (
        None,
        lambda data: data.mad("x", bounds="private", epsilon=1),
        "mad must be asked of",
    ),
    "all records in order, in groups": (
        None,
        lambda data: data.group_by("y", keys=[1, 2]).mad("x", bounds="private", epsilon=1),
        "in groups must be asked of",
    ),
    "a graph of people": (
        "x",
        lambda data: data.triangles(["x", "y"], nodes=5, epsilon=1),
        "unit must be left",
    ),
}


@pytest.mark.parametrize(("unit", "ask", "why"), FAR.values(), ids=FAR)
def test_what_cannot_be_answered_is_refused_before_the_debit(noted, monkeypatch, unit, ask, why):
    frame = pl.DataFrame({"x": [1, 2, 3, 1], "y": [2, 3, 1, 4]}).lazy()
    if unit is None:
        monkeypatch.setattr(PolarsDialect, "local", False)  # as Spark is
    with pytest.raises(SchemaError, match=why):
        ask(nws.Dataset(frame, unit=unit, ledger=noted))
    assert noted.events == []


@pytest.mark.parametrize("name", ["private", "private bounds", "histogram", "labels", "most_common"])
def test_what_is_counted_there_is_answered_elsewhere_too(noted, monkeypatch, name):
    frame = pl.DataFrame({"x": [1, 2, 3, 1], "y": [2, 3, 1, 4]}).lazy()
    monkeypatch.setattr(PolarsDialect, "local", False)  # as Spark is
    for unit in (None, "y"):
        noted.events.clear()
        assert QUESTIONS[name](nws.Dataset(frame, unit=unit, ledger=noted)).receipt == "paid"
        assert noted.events[0] == "debit" and noted.events.count("query") == len(noted.events) - 1
