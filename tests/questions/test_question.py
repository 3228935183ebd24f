"""A question is a value before it meets data; a new kind of question works everywhere, by one registration."""

import sys
import types
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise import ParameterError, ask
from noisewise.kernel.prices import exact_price
from noisewise.questions.keywords import BoundedOrPrivate
from noisewise.questions.question import (
    KINDS,
    NOTE_ON_LISTS,
    Binding,
    Capabilities,
    kind_of,
    parts_of,
    priced,
    question,
)
from noisewise.questions.request import of_statistic
from tests.cli.running import invoke
from tests.payable import question_of

SOURCE = '''
"""The tertile: a third of the records is at or below it."""

from typing import Unpack

from noisewise import Quantile
from noisewise.questions.keywords import BoundedOrPrivate
from noisewise.questions.question import Binding, Capabilities, question
from noisewise.questions.request import of_statistic
from noisewise.tables.time.clock import SAME


class Tertile(Quantile):
    """The quantile 1/3, by its own name."""

    def __init__(self) -> None:
        Quantile.__init__(self, "1/3")

    def __str__(self) -> str:
        return "tertile"


@question(Capabilities(streamed=True, batched=True, time=SAME))
def tertile(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private tertile of a column of numbers: a third of the records is at or below it.

    Examples:
        >>> nws.tertile(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_statistic(Tertile(), **keywords)
'''
ROWS = {
    "x": [float(i) for i in range(30)] * 4,
    "day": [date(2020, 1, 1) + timedelta(days=i) for i in range(30)] * 4,
    "k": ["a", "b"] * 60,
}
ASKED: dict[str, Any] = {"bounds": (0, 30), "epsilon": 60, "granularity": 1}


@pytest.fixture
def tertile() -> Iterator[types.ModuleType]:
    """The statistic in a module of its own, known for the time of one test."""
    module = types.ModuleType("tertile_of_ones_own")
    sys.modules[module.__name__] = module
    exec(SOURCE, vars(module))
    yield module
    del sys.modules[module.__name__], KINDS["tertile"]


FRAMES: dict[str, Any] = {
    "pandas": lambda rows: pd.DataFrame(rows).assign(day=lambda frame: pd.to_datetime(frame["day"])),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "lazy polars": lambda rows: pl.DataFrame(rows).lazy(),
    "duckdb": lambda rows: duckdb.connect().from_arrow(pa.table(rows)),
}


def test_a_new_kind_is_a_function_with_help(tertile: types.ModuleType) -> None:
    assert tertile.tertile(ROWS["x"], **ASKED).value == 9
    assert nws.tertile is tertile.tertile  # type: ignore[attr-defined]
    assert "bounds_share:" in tertile.tertile.__doc__ and "epsilon:" in tertile.tertile.__doc__


@pytest.mark.parametrize("frame", FRAMES)
def test_a_new_kind_is_a_method_in_groups_and_in_agg_on_every_engine(
    tertile: types.ModuleType, frame: str
) -> None:
    data: Any = nws.Dataset(FRAMES[frame](ROWS))
    assert data.tertile("x", **ASKED).value == 9
    ask: Any = nws.ask
    assert repr(ask.tertile("x", **ASKED)).startswith("ask.tertile('x', bounds=(0, 30)")
    assert data.agg(low=ask.tertile("x", **ASKED))["low"].value == 9
    grouped = data.group_by("k", keys=["a", "b"])
    assert grouped.tertile("x", **ASKED).value == (8, 9)
    assert grouped.agg(low=ask.tertile("x", **ASKED)).value == (8, 9)
    bounds = (date(2020, 1, 1), date(2020, 2, 1))
    assert data.tertile("day", bounds=bounds, epsilon=60).value == date(2020, 1, 10)


def test_a_new_kind_is_planned_and_priced_without_data(tertile: types.ModuleType) -> None:
    assert nws.plan(tertile.Tertile(), bounds=(0, 30), epsilon=1).statistic == "tertile"
    ask: Any = nws.ask
    assert ask.tertile("x", bounds=(0, 30), epsilon=2).price() == nws.PureDP(2)


def test_a_new_kind_is_a_command_with_help(tertile: types.ModuleType, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    pl.DataFrame(ROWS).write_csv(table)
    asked = ("--column", "x", "--bounds", "0", "30", "--epsilon", "60", "--granularity", "1")
    done = invoke("tertile", str(table), *asked)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "tertile of x = 9")
    grouped = invoke("tertile", str(table), *asked, "--by", "k", "--keys", "a,b", "--no-count")
    assert grouped.stdout.splitlines() == ["k,tertile_x", "a,8", "b,9"]
    helped = invoke("tertile", "--help")
    assert "a third of the records is at or below it" in " ".join(helped.stdout.split())
    assert "tertile" in invoke("--help").stdout


def test_a_kind_that_is_gone_is_not_known() -> None:
    assert not hasattr(nws, "tertile") and not hasattr(nws.ask, "tertile")


def test_a_question_is_a_value() -> None:
    one = question_of(nws.quantile, "pay", 0.9, bounds=(0, 9), epsilon=1)
    assert one == question_of(nws.quantile, "pay", 0.9, bounds=(0, 9), epsilon=1)
    assert one != one.at(Fraction(1, 2)) and one.at(Fraction(1, 2)).typed_price == Fraction(1, 2)
    assert one.parameter("q") == 0.9 and one.parameter("granularity") is None
    assert one.about == ("pay",) and one.name == "quantile"


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_says_what_it_is_about(name: str) -> None:
    kind = KINDS[name]
    can = kind.capabilities
    assert kind_of(getattr(nws, name)) is kind and isinstance(can, Capabilities)
    assert len(can.data) == len(can.columns)
    assert list(kind.signature.parameters)[: len(can.data)] == list(can.data)
    assert not can.batched or can.streamed, (
        "what is asked of all groups by queries is asked of one by queries"
    )
    assert all(name in kind.signature.parameters for name in can.distinguished_by)


def test_a_second_question_of_one_name_is_refused() -> None:
    def median(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
        """Another median."""
        return of_statistic(nws.Quantile("1/3"), **keywords)

    first = KINDS["median"]
    with pytest.raises(nws.ParameterError, match=r"must not be taken by another question, got median$"):
        question(Capabilities())(median)
    assert KINDS["median"] is first is kind_of(nws.median)


def test_each_gets_its_part_exactly():
    assert parts_of({"a": None, "b": None}, 1, None) == {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert parts_of({"a": None, "b": None}, exact_price(0.1), {"a": 1, "b": 2})["b"] == Fraction(1, 15)
    assert parts_of({"a": 1, "b": 2}, None, None) is None
    assert priced({"a": ask.count(epsilon=2)}, None, None)["a"].typed_price == 2


def test_epsilon_is_said_once():
    with pytest.raises(
        ParameterError, match="given to plan, for all questions together, or in each, and not"
    ):
        parts_of({"a": None, "b": 1}, 1, None, "plan")
    with pytest.raises(ParameterError, match=r"must be given to agg, .* got none for a"):
        parts_of({"a": None}, None, None)


LISTS = ([], ["1", "2", "3"] * 9, [1, 2.5, None], (True, False))
TYPED = (np.array([1.0, 2.0]), np.array([1, 2]), range(3))
BOUNDS = {"bounds": (0, 3), "epsilon": 1}
EDGES = [0.0, 1.5, 3.0]


NUMBERS = {
    "median": lambda data: nws.median(data, **BOUNDS),
    "bounds that are searched for": lambda data: nws.median(data, bounds="private", epsilon=1),
    "mean": lambda data: nws.mean(data, **BOUNDS, interval=0.9, with_count=True),
    "count": lambda data: nws.count(data, epsilon=1),
    "proportion": lambda data: nws.proportion(data, epsilon=1),
    "histogram of intervals": lambda data: nws.histogram(data, EDGES, epsilon=1),
    "quantiles": lambda data: nws.quantiles(data, [0.5], **BOUNDS),
    "private bounds": lambda data: nws.private_bounds(data, epsilon=1),
    "interval": lambda data: nws.median_interval(data, **BOUNDS),
    "rows": lambda data: nws.pearson(data, data, **BOUNDS),
    "covariance": lambda data: nws.covariance((data, data), **BOUNDS),
    "regression": lambda data: nws.linear_regression((data,), data, **BOUNDS),
    "a statistic": lambda data: nws.release(nws.Quantile("1/2"), data, **BOUNDS),
    "a statistic of rows": lambda data: nws.release(nws.Pearson(), (data, data), **BOUNDS),
}
COMPARED = {
    "histogram of categories": lambda data: nws.histogram(data, [1, "1"], epsilon=1),
    "histogram of numbers": lambda data: nws.histogram(data, categories=[1, 2], epsilon=1),
    "most common": lambda data: nws.most_common(data, [1, "1"], epsilon=1),
    "count distinct": lambda data: nws.count_distinct(data, [1, "1"], epsilon=1),
    "crosstab": lambda data: nws.crosstab((data, data), [[1, "1"]] * 2, epsilon=1),
    "count of a category": lambda data: nws.count(data, category=1, epsilon=1),
    "proportion of a category": lambda data: nws.proportion(data, category=1, epsilon=1),
    "a statistic of a category": lambda data: nws.release(nws.Count(1), data, epsilon=1),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_every_list_that_is_read_as_numbers_says_so_once(name):
    for data in LISTS:
        assert NUMBERS[name](data).notes.count(NOTE_ON_LISTS) == 1
    for data in TYPED:
        assert NOTE_ON_LISTS not in NUMBERS[name](data).notes


@pytest.mark.parametrize("name", COMPARED)
def test_what_is_compared_with_categories_may_be_text(name):
    for data in (*LISTS, *TYPED):
        assert NOTE_ON_LISTS not in COMPARED[name](data).notes


def test_one_list_among_several_columns_is_enough():
    assert NOTE_ON_LISTS in nws.pearson(np.arange(2), ["1", "2"], **BOUNDS).notes
    assert NOTE_ON_LISTS in nws.linear_regression(np.ones((2, 1)), ["1", "2"], **BOUNDS).notes
    assert NOTE_ON_LISTS not in nws.linear_regression(np.ones((2, 1)), np.ones(2), **BOUNDS).notes


def test_print_and_card_say_it():
    release = nws.median(["1", "2", "3"] * 100, bounds=(0, 10), epsilon=10)
    assert f"\n  note         {NOTE_ON_LISTS}\n" in str(release) and NOTE_ON_LISTS in release.card()["notes"]


def test_of_a_graph_nothing_is_said():
    assert nws.triangles([("a", "b")], nodes=["a", "b", "c"], epsilon=1).notes == ()
