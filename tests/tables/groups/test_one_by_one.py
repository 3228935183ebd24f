"""Groups as tables by themselves: the same rows as all groups at once."""

from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise.errors import SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.array_column import declare
from noisewise.tables.columns.labels import declare_labels
from noisewise.tables.files.scan import scan
from noisewise.tables.groups.keys import Keys
from noisewise.tables.groups.one_by_one import GroupReader, GroupTables, RowsInGroups
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from noisewise.tables.table import Table
from tests.tables.every_engine import LOCAL, table

FRAME = pl.DataFrame(
    {
        "p": [1, 1, 1, 2, 2, 3, None],
        "k": ["a", "b", "a", "a", "c", "b", "a"],
        "v": [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0],
        "w": [10, 20, 30, 40, 50, 60, 70],
        "t": ["x", "y", None, "x", "z", "y", "z"],
    }
)
LATTICE = Lattice.between((0, 100))


KEYS = Keys.of(("k",), ["b", "a", "q"])


def in_memory(frame: Any = FRAME) -> LocalTable:
    return LocalTable(nw.from_native(frame, eager_only=True))


def groups_of(table: Table, choice: Choice | None = None) -> GroupTables:
    return GroupTables(table.in_groups(("v", "w", "t"), KEYS, choice, "it"), table.names, choice)


@pytest.mark.parametrize(
    "frame", [FRAME, FRAME.to_pandas(), FRAME.to_arrow()], ids=["polars", "pandas", "arrow"]
)
def test_a_group_has_the_rows_of_its_group(frame: Any) -> None:
    found = groups_of(in_memory(frame))
    assert len(found) == 3
    values = [found[g].column("w", None).read(LATTICE, "add_remove").ordered().tolist() for g in range(3)]
    assert values == [[20, 60], [10, 30, 40, 70], []]
    assert [found[g].rows(None).read(LATTICE, "add_remove").count for g in range(3)] == [2, 4, 0]
    assert found[0].names == ("p", "k", "v", "w", "t")


def test_several_columns_have_the_same_rows() -> None:
    v, w = groups_of(in_memory())[1].columns(("v", "w"), None)
    assert v.fetch()[0].tolist() == [1, 4, 7]
    assert w.fetch()[0].tolist() == [10, 40, 70]
    assert v.size() == w.size() == 3


def test_a_column_of_labels_is_read_as_labels_or_as_numbers() -> None:
    group = groups_of(in_memory())[1]
    assert declare_labels(group.labels("t", None).labels().fetch()).fetch() == ["x", "x", "z"]
    assert declare(group.labels("w", None)).fetch()[0].tolist() == [10, 30, 40, 70]


@pytest.mark.parametrize("salt", ["a", "b", "c"])
def test_people_take_part_as_in_all_groups_at_once(salt: str) -> None:
    choice = Choice("p", 1, None, salt)
    found = groups_of(in_memory(), choice)
    at_once = in_memory().grouped("v", KEYS, choice).read(LATTICE, "add_remove")
    for place in range(3):
        column = found[place].column("v", None).read(LATTICE, "add_remove")
        assert column.ordered().tolist() == at_once.group(place).ordered().tolist()
    assert sum(found[place].rows(None).read(LATTICE, "add_remove").count for place in range(3)) == 3
    assert sum(len(found[place].labels("t", None).labels().fetch()) for place in range(3)) == 3
    assert sum(found[place].columns(("v", "w"), None)[0].size() for place in range(3)) == 3


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("choice", [None, Choice("p", 1, None, "a"), Choice("p", 2, 1, "b")])
def test_behind_an_engine_the_same_rows_take_part(engine: str, choice: Choice | None) -> None:
    here, there = groups_of(in_memory(), choice), groups_of(table(engine, FRAME), choice)
    for place in range(3):
        for name in ("v", "w"):
            read = [
                each[place].column(name, None).read(LATTICE, "add_remove").ordered() for each in (here, there)
            ]
            assert read[0].tolist() == read[1].tolist()
        labels = [sorted(map(str, each[place].labels("t", None).labels().fetch())) for each in (here, there)]
        assert labels[0] == labels[1]
        pairs = [
            sorted(zip(*(one.fetch()[0] for one in each[place].columns(("v", "w"), None)), strict=True))
            for each in (here, there)
        ]
        assert pairs[0] == pairs[1]
        rows = [each[place].rows(None).read(LATTICE, "add_remove").count for each in (here, there)]
        assert rows[0] == rows[1]


def test_nothing_is_read_before_it_is_asked_for() -> None:
    read: list[tuple[tuple[str, ...], bool]] = []
    plain = in_memory().in_groups(("v", "w"), KEYS, None, "it")

    def noted(names: tuple[str, ...], labels: bool) -> RowsInGroups:
        read.append((names, labels))
        return plain.read(names, labels)

    found = GroupTables(GroupReader(plain.keys, noted), ("v", "w"), None)
    v, _ = found[0].columns(("v", "w"), None)
    assert read == []
    for _ in range(2):
        assert v.fetch()[0].tolist() == [2.0, 6.0]
    assert read == [(("v", "w"), False)]


def test_what_cannot_be_fetched_together_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"k": "a", "K": 1}\n')
    with pytest.raises(SchemaError, match="must not name columns that differ by capitals alone"):
        scan(path).in_groups(("K",), KEYS, None, "it")


def test_a_graph_has_no_groups() -> None:
    with pytest.raises(SchemaError, match="a graph must be asked of the whole table"):
        groups_of(in_memory())[0].edges(("v", "w"), None)


def test_what_is_secret_is_withheld() -> None:
    found, reader = groups_of(in_memory()), in_memory().in_groups(("v",), KEYS, None, "it")
    assert repr(found) == "<GroupTables: withheld>"
    assert repr(found[0]) == "<GroupTable: withheld>"
    assert (repr(reader), repr(reader.read((), False))) == (
        "<GroupReader: withheld>",
        "<RowsInGroups: withheld>",
    )
    assert repr(found[0].column("v", None)) == "<GroupColumn: withheld>"
