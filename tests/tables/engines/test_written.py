"""Rows in groups: a query about all groups is shared by those that ask the same, and by no others."""

import math
from fractions import Fraction
from functools import partial

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise import Dataset, Ledger, PureDP, SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics import MAE, LogLoss
from noisewise.statistics.row_formulas import RowNumber, RowWhole, index_of, steps_of
from noisewise.tables.engines import rows as rows_module
from noisewise.tables.engines.engine_table import EngineTable, dialect_of
from noisewise.tables.engines.rows import AllRows, EngineRows
from noisewise.tables.engines.written import written
from noisewise.tables.groups.keys import Keys

LATTICE = Lattice.between((0, 9))
DATA = pl.DataFrame(
    {
        "c0": [1.0, 2.0, 5.0, 9.0, 0.0, 4.0],
        "c1": [3.0, 3.0, 1.0, 8.0, 0.0, 4.0],
        "missing": [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        "group": [0, 2, 0, 2, 0, 2],
    }
)


def groups(chosen=False):
    frame = nw.from_native(DATA.lazy())
    rows = AllRows(dialect_of(frame), frame, "add_remove", groups=3, chosen=chosen)
    return [EngineRows(rows, group, LATTICE, "add_remove") for group in range(3)]


def number(formula):
    return RowNumber((0, 1), formula)


def test_sums_are_those_of_each_group_by_one_query(monkeypatch):
    queries = []
    dialect = type(dialect_of(nw.from_native(DATA.lazy())))
    plain = dialect._query
    monkeypatch.setattr(dialect, "_query", lambda *given: queries.append(1) or plain(*given))
    asked = groups()
    for low in (0, 3):
        wholes = [RowWhole((0,), lambda by, x: by.clip(x, 0.0, 9.0), low, 9), index_of(1, LATTICE)]
        found = [rows.sums(wholes, [(), (0,), (0, 1)]) for rows in asked]
        assert found == [[2, 6, 8], [0, 0, 0], [3, 15, 94]]
    assert [rows.count for rows in asked] == [2, 0, 3]
    assert len(queries) == 2


def test_more_sums_than_can_be_held_are_not_asked_for(monkeypatch, tmp_path):
    table, keys = EngineTable(nw.from_native(DATA.lazy())), Keys.of(("group",), [0, 1, 2])
    ask = partial(table.streamed_groups, ("c0", "c1"), keys, None, of_rows=True)
    monkeypatch.setattr(rows_module, "MOST_NUMBERS", 18)
    assert ask() is not None
    monkeypatch.setattr(rows_module, "MOST_NUMBERS", 17)
    assert ask() is None
    monkeypatch.setattr("noisewise.tables.engines.polars.PolarsDialect.local", False)
    ledger = Ledger.open(tmp_path / "l.ledger", PureDP(1))
    asked = Dataset(DATA.lazy(), ledger=ledger).group_by("group", keys=[0, 1, 2])
    with pytest.raises(SchemaError, match=r"^pearson in groups must be asked of data on this computer"):
        asked.pearson("c0", "c1", bounds=((0, 9), (0, 9)), epsilon=1)
    assert len(ledger) == 0


def test_numbers_are_those_of_each_group_by_the_queries_of_one(monkeypatch):
    queries = []
    dialect = type(dialect_of(nw.from_native(DATA.lazy())))
    plain = dialect._query
    monkeypatch.setattr(dialect, "_query", lambda *given: queries.append(1) or plain(*given))
    errors = [rows.numbers(MAE().number) for rows in groups()]
    assert [column.ranks(1, column.count + 1).tolist() for column in errors] == [[2, 4], [], [0, 1, 1]]
    assert len(queries) == 1


def test_formulas_that_are_written_alike_are_one():
    assert written(index_of(0, LATTICE)) == written(index_of(0, Lattice.between((0, 9))))
    assert written(LogLoss().number) == written(LogLoss().number)
    assert hash(written(LogLoss().number)) is not None
    assert max(map(len, map(str, written(LogLoss().number)))) < 1000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (index_of(0, LATTICE), index_of(1, LATTICE)),
        (index_of(0, LATTICE), index_of(0, Lattice.between((0, 8)))),
        (index_of(0, LATTICE), index_of(0, Lattice.between((0, 9), Fraction(1, 2)))),
        (index_of(0, LATTICE), steps_of(0, LATTICE)),
        (number(lambda by, x, y: x - y), number(lambda by, x, y: y - x)),
        (number(lambda by, x, y: x + 0.1), number(lambda by, x, y: x + math.nextafter(0.1, 1))),
        (number(lambda by, x, y: x * 0.0), number(lambda by, x, y: x * -0.0)),
        (number(lambda by, x, y: by.where(x > y, x, y)), number(lambda by, x, y: by.where(x >= y, x, y))),
        (number(lambda by, x, y: by.once(x)), number(lambda by, x, y: by.once(y))),
        (number(lambda by, x, y: by.split(x)[0]), number(lambda by, x, y: by.split(x)[1])),
        (number(lambda by, x, y: x - (y - x)), number(lambda by, x, y: (x - y) - x)),
    ],
)
def test_formulas_that_differ_in_anything_are_two(one, other):
    assert written(one) != written(other)


def test_every_operation_of_a_formula_can_be_written():
    def formula(by, x, y):
        both = (x > 1.0) & (y < 2.0) | ~(x == y) & (x != 1.0) | (x <= y)
        some = by.where(both, -x / 3.0 + (1.0 - y), 2.0 * x + (1.0 + by.rounded(y)) / 4.0)
        return by.divided(by.clip(by.absolute(some), 0.0, 1.0), 3.0) + 1.0 / (x - 2.0)

    assert str(written(number(formula))).count("c0") == 7


def test_rows_of_groups_are_withheld():
    assert "withheld" in repr(groups()[0])
