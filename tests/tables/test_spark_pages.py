"""What the pages say of Spark is what it does: which questions it answers, and which it refuses."""

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from noisewise import Dataset, ParameterError, SchemaError
from noisewise.dataset.batches import SharedReads
from noisewise.questions.question import KINDS
from tests.dataset.test_grouped import Book
from tests.every_question import CALLS, ROWS
from tests.tables.every_engine import lazily

STREAMING = {name for name, kind in KINDS.items() if kind.capabilities.streamed}
IN_CLUSTER = {name for name, kind in KINDS.items() if kind.capabilities.batched}

DOCS = Path(__file__).parents[2] / "docs"
CAPACITY, SPARK = (
    (DOCS / page).read_text(encoding="utf-8") for page in ("concepts/capacity.md", "tutorial/spark.md")
)


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
    frame, book = lazily("spark", pl.DataFrame(ROWS)).to_native(), Book()

    def held(name: str) -> Any:
        data = Dataset(frame, ledger=book, **CALLS[name].dataset_keywords)
        return data.group_by("b", keys=[0, 1]) if grouped else data

    once = (SharedReads(),) if grouped else ()

    def refused(name: str, **how: Any) -> bool:
        try:
            held(name)._bind(CALLS[name].question(**how), *once)
        except SchemaError as error:
            assert "must be asked of data on this computer, got a Spark DataFrame" in str(error)
            with pytest.raises(SchemaError):
                CALLS[name].of(held(name), **how)
            return True
        except ParameterError:
            assert grouped and not KINDS[name].capabilities.in_groups
            return True
        return False

    found = {name: refused(name) for name in STREAMING}
    assert found == {name: said[grouped] == "refused" for name, said in passes().items()}
    for name in ("mad", "gini"):
        assert refused(name)
    assert not refused("median", bounds="private")
    assert not book.debits
