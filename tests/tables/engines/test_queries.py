"""Groups as tables by themselves behind an engine: the counts of memory, and one query for all groups."""

import math

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise.errors import SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.questions.composites.histogram import BinEdges
from noisewise.tables.columns.labels import Labels
from noisewise.tables.engines.dialect import Dialect
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.groups.keys import Keys
from noisewise.tables.groups.one_by_one import GroupTables
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from tests.tables.every_engine import ENGINES, LOCAL, lazily

KEYS = Keys.of(("k", "year"), [("B", 1), ("A", 2), ("nobody", 1), ("A", 1)])
FRAME = pl.DataFrame(
    {
        "k": [None if i % 11 == 0 else "ABC"[i * i % 3] for i in range(120)],
        "year": [None if i % 17 == 0 else 1 + i % 2 for i in range(120)],
        "who": [None if i % 13 == 0 else i % 9 for i in range(120)],
        "x": [(None, math.nan, -0.0, 0.0, 1.5, math.inf, -2.0, 1.5)[i % 8] for i in range(120)],
        "t": [(None, "a", "A", "a")[i % 4] for i in range(120)],
    }
)
CHOICES = [None, Choice("who", 4, 2, "salt"), Choice("who", 3, None, "pepper")]
EDGES, LABELS = BinEdges((-math.inf, 0.0, 1.0, 2.0)), Labels.of(["A", "a", "b"])
LATTICE = Lattice.between((-2, 2))


def streamed(table, choice):
    found = table.streamed_groups(("x", "t"), KEYS, choice)
    assert found is not None and len(found) == 4
    return found


def counts(tables):
    """What each of the groups holds."""
    return [
        [
            tables[group].column("x", None).counts(EDGES).tolist(),
            tables[group].labels("x", None).labels().counts(Labels.of([0, 1.5])).tolist(),
            tables[group].labels("t", None).labels().counts(LABELS).tolist(),
            tables[group].column("x", None).read(LATTICE, "add_remove").count,
            tables[group].rows(None).read(LATTICE, "add_remove").count,
        ]
        for group in range(4)
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_groups_hold_what_they_hold_in_memory(engine):
    table, memory = EngineTable(lazily(engine, FRAME)), LocalTable(nw.from_native(FRAME))
    for choice in CHOICES if engine in LOCAL else CHOICES[1:2]:
        known = GroupTables(memory.in_groups(("x", "t"), KEYS, choice, "it"), memory.names, choice)
        found = counts(streamed(table, choice))
        assert found == counts(known)
        assert found[2] == [[0, 0, 0], [0, 0], [0, 0, 0], 0, 0] and sum(found[0][0]) > 0


@pytest.mark.parametrize("engine", LOCAL)
def test_one_query_counts_all_groups(engine, monkeypatch):
    queries, plain = [], Dialect._query
    monkeypatch.setattr(Dialect, "_query", lambda self, *given: queries.append(1) or plain(self, *given))
    tables = streamed(EngineTable(lazily(engine, FRAME)), CHOICES[1])
    assert not queries
    for count in (
        lambda group: tables[group].column("x", None).counts(EDGES),
        lambda group: tables[group].labels("t", None).labels().counts(LABELS),
    ):
        queries.clear()
        for group in range(4):
            count(group)
        assert queries == [1]


def test_columns_that_are_fetched_for_many_questions_are_no_queries():
    table = EngineTable(lazily("polars", FRAME))
    table.fetch_columns()
    assert table.streamed_groups(("x",), KEYS, None) is None


def test_rows_that_an_engine_cannot_read_are_no_queries(monkeypatch):
    table = EngineTable(lazily("polars", FRAME))
    assert table.streamed_groups(("x",) * 30, KEYS, None, of_rows=True) is not None
    assert table.streamed_groups(("x",) * 31, KEYS, None, of_rows=True) is None
    monkeypatch.setattr(type(table.dialect), "computes_rows", False)
    assert table.streamed_groups(("x",), KEYS, None) is not None
    assert table.streamed_groups(("x",), KEYS, None, of_rows=True) is None


def test_a_group_is_no_table_of_edges():
    group = streamed(EngineTable(lazily("polars", FRAME)), None)[1]
    assert group.names == tuple(FRAME.columns) and group.cluster is None
    with pytest.raises(
        SchemaError, match=r"^a graph must be asked of the whole table: a graph has no groups$"
    ):
        group.edges(("x", "t"), None)
    for column in (group.column("x", None), group.labels("t", None).labels()):
        with pytest.raises(SchemaError, match=r"^a column behind an engine must be asked by queries$"):
            column.fetch()
        assert "withheld" in repr(column)
    assert repr(group) == "<EngineGroupTable: withheld>"
