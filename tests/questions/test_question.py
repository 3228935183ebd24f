"""A question is a value before it meets data; a new kind of question works everywhere, by one registration."""

import sys
import types
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.questions.keywords import BoundedOrPrivate
from noisewise.questions.question import KINDS, Binding, Capabilities, kind_of, question
from noisewise.questions.request import of_statistic
from tests.bound import written
from tests.cli.running import invoke

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
    one = written(nws.quantile, "pay", 0.9, bounds=(0, 9), epsilon=1)
    assert one == written(nws.quantile, "pay", 0.9, bounds=(0, 9), epsilon=1)
    assert one != one.at(Fraction(1, 2)) and one.at(Fraction(1, 2)).epsilon == Fraction(1, 2)
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
