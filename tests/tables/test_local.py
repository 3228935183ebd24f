"""A table in memory: the same law as the plain function, and one person moves it no further than the bound says."""

import math
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise import hazmat
from noisewise.errors import SchemaError
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from noisewise.tables.columns.array_rows import declare_rows
from noisewise.tables.columns.labels import Labels
from noisewise.tables.frames import table_of
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice, label_order
from tests.kernel.laws.moves import outcomes

LATTICE = Lattice(0, 3, Fraction(1))
FRAMES = [pd.DataFrame, pl.DataFrame, pa.table]
STATISTICS = [nws.Quantile("1/2"), nws.Quantile(1), nws.Count(), nws.Sum(), nws.Mean(), nws.IQR()]


def frame(ids, values, make=pl.DataFrame):
    kind = {"id": pl.String, "x": pl.Int64} if make is pl.DataFrame else None
    columns = {"id": ids, "x": values}
    return pl.DataFrame(columns, schema=kind) if kind else make(columns)


def law(statistic, data, owned):
    asked = {"bounds": None if statistic == nws.Count() else (0, 3), "epsilon": 1, "contributions": owned}
    asked["granularity"] = Fraction(1, 4) if statistic == nws.Mean() else 1
    return Request.of(statistic, data, mechanism="piecewise_laplace", **asked).look()


def moves(one, other):
    """How far the cost of an outcome moves between two laws, exactly, and the range of the log ratio."""
    points = sorted({*outcomes(one), *outcomes(other)})
    one, other = read_law(one), read_law(other)
    costs = [abs(a - b) for a, b in zip(one.cost(points), other.cost(points), strict=True)]
    ratios = [math.log(a / b) for a, b in zip(one.pmf(points), other.pmf(points), strict=True)]
    return max(costs), max(ratios) - min(ratios)


def small_tables():
    """Up to four rows of one person, in rising order, up to one of another, and one of nobody."""
    for many in range(5):
        for own in product([-1, 0, 3], repeat=many):
            if list(own) == sorted(own):
                yield from (([None if x < 0 else x for x in own], other) for other in ([], [1]))


@pytest.mark.parametrize("owned", [1, 2])
@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
def test_a_person_with_many_rows_moves_the_law_by_at_most_one_step(statistic, owned):
    """Exact costs move by at most 1, the log ratio ranges over at most epsilon, when all rows of a person go."""
    choice, moved = Choice("id", owned, None, "salt"), 0
    for own, other in small_tables():
        with_a = frame(["a"] * len(own) + ["b"] * len(other) + [None], [*own, *other, 2])
        without = frame(["b"] * len(other) + [None], [*other, 2])
        laws = [law(statistic, table_of(each).column("x", choice, ""), owned) for each in (with_a, without)]
        cost, spread = moves(*laws)
        assert cost <= 1 and spread <= 1 + 1e-9, (own, other)
        moved += cost > 0
    assert moved > 10


@pytest.mark.parametrize(
    ("owned", "max_groups", "per_group"),
    [(1, None, None), (2, None, None), (3, 1, None), (3, 2, None), (3, None, 1), (4, None, 2), (3, 2, 1)],
)
def test_a_person_moves_the_laws_of_at_most_so_many_groups(owned, max_groups, per_group):
    """Rows of one person in up to three groups: how many laws change, and that none moves by more than one step of as
    many records as a person may have in one group."""
    choice, keys = Choice("id", owned, max_groups, "salt", per_group), Keys(("g",), (("u", "v", "w"),))
    in_one, median, answers, changed = per_group or owned, nws.Quantile("1/2"), Answers.on(LATTICE), set()

    def laws(people):
        rows = [(name, group, x) for name, cells in people.items() for group, x in cells]
        made = pl.DataFrame(rows, schema={"id": pl.String, "g": pl.String, "x": pl.Int64}, orient="row")
        groups = table_of(made).grouped("x", keys, choice).read(LATTICE, "add_remove")
        by = nws.PiecewiseLaplace(epsilon=1)
        for place in range(3):
            levels = by.levels(answers) * in_one
            yield by.law(median.envelope(groups.group(place), answers, levels).per_person(in_one), answers)

    others = {"b": [("u", 1), ("v", 2)], "c": [("v", 0), ("other", 1)]}
    for counts in product(range(4), repeat=3):
        own = [(group, 3) for group, count in zip("uvw", counts, strict=True) for _ in range(count)]
        moved = [moves(*pair) for pair in zip(laws(others | {"a": own}), laws(others), strict=True)]
        assert all(cost <= 1 and spread <= 1 + 1e-9 for cost, spread in moved)
        changed.add(sum(cost > 0 for cost, _ in moved))
    assert max(changed) == min(owned, max_groups or owned, 3)


def test_without_the_choice_a_person_would_move_it_further():
    """The check above is able to fail."""
    many, none = ([3, 3, 3, 1], [1])
    laws = [
        law(nws.Quantile("1/2"), table_of(frame(["a"] * len(x), x)).column("x", None), 1)
        for x in (many, none)
    ]
    assert moves(*laws)[0] > 1


@pytest.mark.parametrize("make", FRAMES)
@pytest.mark.parametrize("relation", ["add_remove", "swap"])
def test_a_column_without_people_is_the_plain_column(make, relation):
    columns = {"x": [3.5, math.nan, 1.0, 2.0, math.inf], "n": [1, 2, 3, 4, 5]}
    table = table_of(make(columns))
    for name, values in columns.items():
        shown = [
            hazmat.law(
                nws.Quantile("1/2"),
                data,
                bounds=(0, 8),
                epsilon=1,
                neighbors=relation,
                mechanism="piecewise_laplace",
            )
            for data in (table.column(name, None), values)
        ]
        assert shown[0].envelope.upper.tolist() == shown[1].envelope.upper.tolist()
        assert (
            read_law(shown[0]).cost(outcomes(shown[0])).tolist()
            == read_law(shown[1]).cost(outcomes(shown[1])).tolist()
        )


@pytest.mark.parametrize("make", FRAMES)
def test_rows_that_name_nobody_or_miss_a_number_take_no_part(make):
    table = table_of(make({"id": ["a", None, "b", "b", "b"], "x": [0.0, 1.0, math.nan, 2.0, 3.0]}))
    column = table.column("x", Choice("id", 2, None, "s"), "").read(LATTICE, "add_remove")
    assert column.ordered().tolist() == [0, 2, 3]
    assert table.rows(Choice("id", 2, None, "s")).read(LATTICE, "add_remove").count == 3


@pytest.mark.parametrize("make", FRAMES)
def test_several_columns_are_chosen_by_whole_rows(make):
    table = table_of(
        make({"id": ["a"] * 4 + ["b"], "x": [1.0, 2.0, 3.0, math.nan, 5.0], "y": [1, 2, 3, 4, 5]})
    )
    for salt in "abcdefgh":
        columns = table.columns(("x", "y"), Choice("id", 2, None, salt))
        rows = declare_rows(columns, 2, None).read(LATTICE, "add_remove")
        x, y = (values.tolist() for values in rows.values)
        assert x == y and len(x) == 3 and x[-1] == 5.0, "a row that misses a number crowds out none"
        assert all(column.size() == 5 for column in columns)


IDS = {
    "whole numbers beyond float64": [2**53, 2**53 + 1, None],
    "64 bits without a sign": [2**63, 2**63 + 1, None],
    "text": ["ann", "zoë", None],
    "decimals": [Decimal("1.0"), Decimal("1.5"), None],
    "booleans": [True, False, None],
    "floats": [1.0, 1.5, math.nan],
    "dates": [date(1970, 1, 3), date(2020, 1, 2), None],
}


def frames_of(ids):
    kind = pa.uint64() if ids[0] == 2**63 else None
    series = pa.array(ids, kind, from_pandas=True)
    made = [pa.table({"id": series}), pl.from_arrow(pa.table({"id": series}))]
    made.append(made[0].to_pandas(types_mapper=pd.ArrowDtype))
    if isinstance(ids[0], int) and not isinstance(ids[0], bool):
        made.append(pd.DataFrame({"id": pd.array(ids, "Int64" if ids[1] < 2**63 else "UInt64")}))
    if isinstance(ids[0], date):
        made.append(pa.table({"id": series.cast(pa.date64())}))
    if isinstance(ids[0], str):
        made += [
            pd.DataFrame({"id": pd.Categorical(ids)}),
            pl.DataFrame({"id": ids}, schema={"id": pl.Categorical}),
        ]
    return [*made, pd.DataFrame({"id": pd.Series(ids, dtype=object)})]


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS)
def test_people_are_told_apart_in_every_library(ids):
    for made in frames_of(ids):
        owners = table_of(made).people(Choice("id", 1, None, "s"))()
        first, second, nobody = owners.codes.tolist()
        assert nobody == -1 and first >= 0 and second >= 0 and first != second
        names = [owners.names(first), owners.names(second)]
        assert names == {"floats": ["1", "1.5"], "decimals": ["1", "1.5"], "dates": ["2", "18263"]}.get(
            next(name for name, known in IDS.items() if known is ids),
            [str(int(each)) if isinstance(each, int) else each for each in ids[:2]],
        )


def test_people_may_be_named_by_dates_beyond_the_calendar():
    days = pl.Series("id", [2**30, 2**30 + 1, None, 2**30], dtype=pl.Int32).cast(pl.Date)
    codes = table_of(pl.DataFrame([days])).people(Choice("id", 1, None, "s"))().codes.tolist()
    assert codes[0] == codes[3] != codes[1] and codes[2] == -1


@pytest.mark.parametrize(
    "made", [pl.DataFrame({"id": [[1]]}), pa.table({"id": [b"x"]}), pa.table({"id": [{"a": 1}]})]
)
def test_people_cannot_be_named_by_lists_bytes_or_records(made):
    with pytest.raises(
        SchemaError, match="unit must be a column of whole numbers or text, got the column 'id'"
    ):
        table_of(made).rows(Choice("id", 1, None, "s"))


@pytest.mark.parametrize("make", FRAMES)
def test_labels_are_chosen_by_what_they_say(make):
    labels, ids = ["tea", "milk", None, "tea", "milk", "rum"], ["a"] * 5 + [None]
    counted = []
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 4, 0, 5, 3, 1]):
        table = table_of(make({"id": [ids[i] for i in order], "x": [labels[i] for i in order]}))
        found = table.labels("x", Choice("id", 3, None, "pepper")).labels()
        counted.append(found.counts(Labels.of(["tea", "milk", "rum"])).tolist())
    assert counted[0] == counted[1] == counted[2] and sum(counted[0]) == 3 and counted[0][2] == 0


def test_missing_labels_are_no_record_of_a_person():
    ids, numbers = ["a"] * 4, [math.nan, math.nan, math.nan, 7.0]
    table = table_of(pl.DataFrame({"id": ids, "x": numbers}))
    assert table.labels("x", Choice("id", 1, None, "s")).labels().counts(Labels.of([7])).tolist() == [1]
    assert label_order(["a", None, 2.5, "a", math.nan])[0].tolist() == [True, False, True, True, False]
    assert label_order(np.array([1, 2]))[0].tolist() == [True, True]


def test_the_choice_is_the_same_each_time_the_data_is_read():
    table = table_of(pl.DataFrame({"id": ["a"] * 30, "x": range(30)}))
    column, wide = table.column("x", Choice("id", 3, None, "s"), ""), Lattice(0, 30, Fraction(1))
    assert (
        column.read(wide, "add_remove").ordered().tolist()
        == column.read(wide, "add_remove").ordered().tolist()
    )
    other = table.column("x", Choice("id", 3, None, "other"), "").read(wide, "add_remove")
    assert column.read(wide, "add_remove").ordered().tolist() != other.ordered().tolist()


def test_a_graph_has_no_people():
    table = table_of(pl.DataFrame({"from": [1], "to": [2], "id": ["a"]}))
    assert table.edges(("from", "to"), None).columns == ["from", "to"]
    with pytest.raises(SchemaError, match="unit must be left out for a graph"):
        table.edges(("from", "to"), Choice("id", 1, None, "s"))


@pytest.mark.parametrize("make", FRAMES)
def test_answers_come_in_a_frame_of_the_same_library(make):
    assert type(table_of(make({"x": [1]})).result_frame({"y": [1, 2]})) is type(make({"x": [1]}))


@pytest.mark.parametrize("make", FRAMES)
def test_a_column_of_another_type_is_refused_by_its_name(make):
    table = table_of(make({"note": ["secret"], "x": [1]}))
    asked = [lambda: table.column("note", None), lambda: table.columns(("x", "note"), None)]
    asked += [lambda: table.grouped("note", Keys.of(("x",), [1]), None)]
    for ask in asked:
        with pytest.raises(
            SchemaError, match=r"^column 'note' must be numbers, .* String; make numbers of text"
        ):
            ask()
    lists = table_of(pl.DataFrame({"list": [[1]]}))
    with pytest.raises(SchemaError, match=r"^column 'list' must be text, numbers or booleans, .* List$"):
        lists.labels("list", None).labels()


def test_nothing_prints_a_record():
    table = table_of(pl.DataFrame({"id": ["ann"], "x": [42]}))
    columns = table.columns(("x", "x"), Choice("id", 1, None, "s"))
    for secret in (table, table.column("x", None), table.column("x", Choice("id", 1, None, "s")), *columns):
        assert "withheld" in repr(secret) and "42" not in repr(secret)
