"""What the pages say of Spark is what it does: which questions it answers, and which it refuses."""

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from noisewise import Dataset, ParameterError, SchemaError
from noisewise.dataset.batches import SharedReads
from noisewise.dataset.methods import ask
from noisewise.questions.question import KINDS
from tests.dataset.test_grouped import Book
from tests.tables.every_engine import lazily

STREAMING = {name for name, kind in KINDS.items() if kind.capabilities.streamed}
IN_CLUSTER = {name for name, kind in KINDS.items() if kind.capabilities.batched}

DOCS = Path(__file__).parents[2] / "docs"
CAPACITY, SPARK = (
    (DOCS / page).read_text(encoding="utf-8") for page in ("concepts/capacity.md", "tutorial/spark.md")
)
GIVEN: dict[str, tuple[Any, ...]] = {
    "count": (),
    "count_distinct": ("dept", ["A", "B"]),
    "count_interval": (),
    "crosstab": (["dept", "ok"], [["A", "B"], [True, False]]),
    "ecdf": ("pay", 9),
    "expectile": ("pay", 0.25),
    "histogram": ("pay", [0, 500, 1000]),
    "huber_mean": ("pay", 50),
    "most_common": ("dept", ["A", "B"]),
    "proportion": ("ok",),
    "proportion_interval": ("ok",),
    "quantile": ("pay", 0.5),
    "quantiles": ("pay", [0.5]),
    "quantile_interval": ("pay", 0.5),
    "spread": ("pay", 0.1, 0.9),
    "trimmed_mean": ("pay", 0.1),
    "winsorized_mean": ("pay", 0.1),
    "linear_regression": (["pay"], "pay"),
}
OF_KINDS = {("column", "column"): ("pay", "pay"), ("matrix",): (["pay", "pay"],)}
GIVEN |= {
    name: OF_KINDS[kind.capabilities.columns]
    for name, kind in KINDS.items()
    if kind.capabilities.columns in OF_KINDS
}
COUNTED = ("count", "count_distinct", "count_interval", "crosstab", "histogram", "most_common")
UNBOUNDED = (*COUNTED, "accuracy", "auc", "f1", "proportion", "proportion_interval", "private_bounds")


def names(text: str) -> list[str]:
    return re.findall(r"`([a-z0-9_]+)`", text)


def rows(page: str, head: str) -> list[list[str]]:
    """The lines of a table, cell by cell."""
    lines = page.partition(head)[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def passes() -> dict[str, tuple[str, str]]:
    """How often a question reads the data, by itself and in groups, as the table says."""
    found = {}
    for asked, alone, grouped in rows(CAPACITY, "| question | passes |"):
        each = names(asked)
        several = alone.split(", ") if ", " in alone else [alone] * len(each)
        found.update({name: (times, grouped) for name, times in zip(each, several, strict=True)})
    return found


def test_the_pages_agree_on_what_is_asked_in_the_cluster():
    table = passes()
    assert set(table) == STREAMING
    assert {name for name, (_, grouped) in table.items() if grouped != "refused"} == IN_CLUSTER
    said = {name: row[2:] for row in rows(SPARK, "| question | in memory") for name in names(row[0])}
    assert set(said) == set(KINDS)
    assert {name for name, (alone, _) in said.items() if alone == "in the cluster"} == STREAMING
    assert {name for name, (_, grouped) in said.items() if grouped == "in the cluster"} == IN_CLUSTER


@pytest.mark.parametrize("grouped", [False, True], ids=["alone", "in groups"])
def test_spark_refuses_what_the_pages_say_before_anything_is_paid(grouped: bool) -> None:
    frame = pl.DataFrame({"dept": ["A", "B"], "pay": [1.0, 2.0], "ok": [True, False]})
    data: Any = Dataset(lazily("spark", frame).to_native(), ledger=(book := Book()))
    data = data.group_by("dept", keys=["A", "B"]) if grouped else data
    once = (SharedReads(),) if grouped else ()
    bounds = {"bounds": (0, 1000), "epsilon": 1}

    def refused(name: str, how: dict[str, Any]) -> bool:
        question = getattr(ask, name)(*GIVEN.get(name, ("pay",)), **how)
        try:
            data._bind(question, *once)
        except SchemaError as error:
            assert "must be asked of data on this computer, got a Spark DataFrame" in str(error)
            with pytest.raises(SchemaError):
                getattr(data, name)(*GIVEN.get(name, ("pay",)), **how)
            return True
        except ParameterError:
            assert grouped and not KINDS[name].capabilities.in_groups
            return True
        return False

    found = {name: refused(name, {"epsilon": 1} if name in UNBOUNDED else bounds) for name in STREAMING}
    assert found == {name: said[grouped] == "refused" for name, said in passes().items()}
    for name in ("mad", "gini"):
        assert refused(name, bounds)
    assert not refused("median", {"bounds": "private", "epsilon": 1})
    assert not book.debits
