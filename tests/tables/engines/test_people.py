"""The choice of people's records by an engine: the very multiset that `NamedPeople` keeps in memory."""

from datetime import date, timedelta
from decimal import Decimal

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise.errors import SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.engines.engine_table import EngineTable, dialect_of
from noisewise.tables.engines.people import chosen as chosen_rows
from noisewise.tables.engines.people import names_of_people
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice, NamedPeople, _text
from tests.tables.every_engine import ENGINES, LOCAL, lazily, table

LATTICE = Lattice.between((-2, 9))
KEYS = Keys.of(("dept",), ["C", "A", "Z", "B"])


def frame(seed, rows=120):
    """People with many rows, few values, so that many rows are copies, and everything missing now and then."""
    rng = np.random.default_rng(seed)
    who = rng.integers(0, 12, rows)
    value = rng.integers(-3, 6, rows) + 0.25 * rng.integers(0, 2, rows)
    return pl.DataFrame(
        {
            "x": [None if x > 5 else float("nan") if x == 4.25 else x for x in value.tolist()],
            "dept": rng.choice(["A", "B", "C", "D"], rows).tolist(),
            "text": [None if i == 0 else f"p|{i}é" for i in who.tolist()],
            "whole": pl.Series([None if i == 0 else i - 5 for i in who.tolist()], dtype=pl.Int16),
            "number": [float("nan") if i == 0 else None if i == 1 else i / 2 for i in who.tolist()],
            "flag": [None if i == 0 else i > 6 for i in who.tolist()],
            "exact": pl.Series(
                [None if i == 0 else Decimal(i) / 4 for i in who.tolist()], dtype=pl.Decimal(9, 2)
            ),
        }
    )


def chosen(asked, choice):
    """What takes part in a question of a table, as sorted indices and as records in groups."""
    column = asked.column("x", choice, "median").read(LATTICE, "add_remove")
    groups = asked.grouped("x", KEYS, choice).read(LATTICE, "add_remove")
    counts = groups.counts
    values = groups.ranks(np.ones_like(counts), counts + 1).tolist()
    assert column.count > 0
    return column.ranks(1, column.count + 1).tolist(), counts.tolist(), values


LIMITS = [(1, None, None), (3, None, None), (3, 1, None), (4, 2, None), (1, 3, None), (50, 2, None)]
LIMITS += [(50, None, None), (4, None, 1), (5, None, 2), (3, 2, 2), (50, None, 3)]
"""Records of a person in all groups, groups of a person, and records of a person in one group."""


LIMITS_OF = {
    "text": LIMITS,
    "whole": LIMITS[::3],
    "number": LIMITS[1::3],
    "flag": LIMITS[2::3],
    "exact": LIMITS[2::3],
}


@pytest.mark.parametrize("unit", LIMITS_OF)
@pytest.mark.parametrize("engine", LOCAL)
def test_the_records_chosen_are_those_chosen_in_memory(engine, unit):
    for seed, (contributions, most, per_group) in enumerate(LIMITS_OF[unit]):
        data = frame(seed)
        choice = Choice(unit, contributions, most, f"{seed:032x}", per_group)
        assert chosen(table(engine, data), choice) == chosen(LocalTable(nw.from_native(data)), choice)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_chooses_alike(engine):
    data = frame(99)
    for choice in (
        Choice("text", 3, 2, "ab" * 16),
        Choice("whole", 2, None, "0"),
        Choice("text", 3, 2, "ab" * 16, 2),
    ):
        assert chosen(table(engine, data), choice) == chosen(LocalTable(nw.from_native(data)), choice)


@pytest.mark.parametrize("engine", LOCAL)
def test_copies_of_one_record_let_nobody_contribute_more(engine):
    data = pl.DataFrame({"x": [1.0] * 50 + [2.0], "id": [7] * 50 + [8], "dept": ["A"] * 51})
    lazy = table(engine, data)
    for most in (1, 2, 5):
        choice = Choice("id", most, 1, "salt")
        assert lazy.column("x", choice, "median").read(LATTICE, "add_remove").count == most + 1
        assert lazy.rows(choice).read(LATTICE, "add_remove").count == most + 1
        groups = lazy.grouped(None, KEYS, choice).read(LATTICE, "add_remove")
        assert groups.counts.tolist() == [0, most + 1, 0, 0]
        limited = lazy.grouped(None, KEYS, Choice("id", 9, None, "salt", most)).read(LATTICE, "add_remove")
        assert limited.counts.tolist() == [0, most + 1, 0, 0]


@pytest.mark.parametrize("engine", LOCAL)
def test_the_choice_does_not_depend_on_other_people_or_on_the_order_of_rows(engine):
    data = frame(5)
    choice = Choice("text", 2, 2, "pepper")

    def of(rows):
        column = table(engine, rows).column("x", choice, "median").read(LATTICE, "add_remove")
        return column.ranks(1, column.count + 1).tolist()

    everybody = of(data)
    assert of(data.reverse()) == everybody
    one = data.filter(pl.col("text") == "p|3é")
    others = data.filter(pl.col("text") != "p|3é")
    assert sorted(of(one) + of(others)) == everybody


@pytest.mark.parametrize("engine", ENGINES)
def test_people_have_the_same_names_on_every_engine(engine):
    floats = [1.0, -0.0, 2.0**62, 0.5, float("nan"), float("inf"), -1e15, None]
    data = pl.DataFrame({"id": floats, "big": [2**63 - 1, -(2**63), 0, 1, 2, 3, 4, None]})
    for column, values in (("id", floats), ("big", data["big"].to_list())):
        lazy = lazily(engine, data.select(pl.col(column).alias("person"), pl.col("big").alias("row")))
        dialect = dialect_of(lazy)
        named = names_of_people(dialect, lazy, "person")
        rows = named.filter(~nw.col("person").is_null()).select("person", "row").to_native()
        rows = rows.fetchall() if engine == "duckdb" else rows.collect()
        found = dict(tuple(row)[::-1] for row in (rows.rows() if engine == "polars" else rows))
        for value, row in zip(values, data["big"].to_list(), strict=True):
            if value is None or value != value:
                assert row not in found
            elif value != float("inf"):  # which names somebody, but under no common name
                assert str(found[row]) == _text(value)
        assert dialect.name.lower() == engine


@pytest.mark.parametrize("engine", [*ENGINES, "postgres"])
def test_records_within_groups_are_chosen_alike_everywhere(engine):
    """A person with hundreds of rows in a group, others with few, rows without an id or a record, and no rows."""
    rng = np.random.default_rng(8)
    who = [None if x == 0 else f"p{x}" for x in np.minimum(rng.geometric(0.3, 900) - 1, 9).tolist()]
    data = pl.DataFrame(
        {
            "person": who,
            "group": rng.integers(0, 4, 900) ** 3,
            "d": [None if x > 40 else float(x) for x in rng.integers(0, 50, 900).tolist()],
        }
    )
    for most, max_groups, per_group in ((1000, None, 3), (5, None, 2), (4, 2, 1)):
        choice = Choice("id", most, max_groups, "cd" * 16, per_group)
        for rows in (data, data.clear()):
            lazy = lazily(engine, rows)
            dialect = dialect_of(lazy)
            found = chosen_rows(dialect, lazy, choice, ~nw.col("d").is_null(), "d")
            columns = dialect.arrays(found.select("person", "group", "d"))
            there, groups = rows["d"].is_not_null().to_numpy(), rows["group"].to_numpy()
            records = rows["d"].fill_null(0).cast(pl.Int64).to_numpy()
            stays = NamedPeople.of(rows["person"].to_list()).keep(there, groups, (records,), choice)
            expected = rows.filter(stays).select("person", "group", "d").sort(pl.all()).rows()
            assert sorted(zip(*(each.tolist() for each in columns), strict=True)) == expected
            owned = rows.filter(stays).group_by("person", "group").len()["len"]
            assert not len(rows) or owned.max() == per_group


ODD_NAMES = [
    "7",
    "07",
    "-7",
    "-0",
    "+7",
    "7\n",
    " 7",
    "",
    "-",
    "7-7",
    "--7",
    "٧",
    "9" * 18,
    "9" * 19,
    "-" + "9" * 19,
]
ODD_IDS = {
    "text": pl.Series(ODD_NAMES),
    "signed": pl.Series([2**63 - 1, -(2**63), 10**18, 10**18 - 1, -(10**18), 1 - 10**18, 0, 7]),
    "unsigned": pl.Series([2**64 - 1, 2**63, 10**18, 10**18 - 1, 0, 7], dtype=pl.UInt64),
    "narrow": pl.Series([-(2**31), 2**31 - 1, 0, 7], dtype=pl.Int32),
}


@pytest.mark.parametrize("engine", [*ENGINES, "postgres"])
def test_people_with_odd_names_have_the_same_records_chosen_everywhere(engine):
    """At the ends of what is a whole number, and text that some engine might take for one."""
    for kind in list(ODD_IDS)[: 4 if engine in LOCAL else 2]:
        ids = ODD_IDS[kind]
        data = pl.DataFrame({"id": pl.concat([ids] * 9), "d": [float(n) for n in range(9) for _ in ids]})
        choice = Choice("id", 2, None, "ab" * 16)
        lazy = lazily(engine, data.with_columns(group=0)).rename({"id": "person"})
        dialect = dialect_of(lazy)
        named = names_of_people(dialect, lazy, "person")
        kept = chosen_rows(dialect, named, choice, ~nw.col("d").is_null(), "d")
        rows = dialect.arrays(kept.select("person", "d"))
        found = sorted((str(who), d) for who, d in zip(*(column.tolist() for column in rows), strict=True))
        zero = np.zeros(len(data), np.int64)
        held = ids.to_list() * 9 if kind == "text" else data["id"].to_numpy()
        stays = NamedPeople.of(held).keep(zero == 0, zero, (data["d"].cast(pl.Int64).to_numpy(),), choice)
        assert found == sorted((str(who), d) for who, d in data.filter(stays).rows())
        assert len(found) == 2 * len(ids)


def test_an_order_that_the_user_of_duckdb_prefers_does_not_matter():
    data, choice = frame(3), Choice("text", 2, 2, "pepper")
    connection = duckdb.connect()
    connection.execute("SET default_order = 'DESC'")
    connection.execute("SET default_null_order = 'NULLS_FIRST'")
    connection.register("frame", data.to_arrow())
    behind = EngineTable(nw.from_native(connection.table("frame")))
    assert chosen(behind, choice) == chosen(LocalTable(nw.from_native(data)), choice)


@pytest.mark.parametrize("engine", LOCAL)
def test_a_unit_that_has_no_sure_text_is_refused_by_its_type(engine):
    lazy = table(engine, pl.DataFrame({"x": [1.0], "id": [b"\xff"], "nest": [[1]]}))
    for unit, said in (("id", "Binary"), ("nest", "List")):
        message = (
            f"^unit must be a column of text, numbers, booleans or dates, got column '{unit}' of type {said}$"
        )
        for ask in (
            lambda choice: lazy.column("x", choice, "median"),
            lambda choice: lazy.column("x", choice, "mad", streamed=False),
            lambda choice: lazy.rows(choice),
            lambda choice: lazy.grouped("x", Keys.of(("x",), [1.0]), choice),
        ):
            with pytest.raises(SchemaError, match=message):
                ask(Choice(unit, 1, None, "salt"))


def test_a_uuid_of_duckdb_names_people():
    relation = duckdb.sql("SELECT 1.0 AS x, '00000000-0000-0000-0000-000000000007'::UUID AS id FROM range(5)")
    column = EngineTable(nw.from_native(relation)).column("x", Choice("id", 2, None, "salt"), "median")
    assert column.read(LATTICE, "add_remove").count == 2


DAYS = [None, *(date(1969, 12, 25) + timedelta(days=i) for i in range(11))]


def in_memory(data):
    """The same table in every library, its dates in every type that dates have there, Python objects among them."""
    arrow = data.to_arrow()
    day = arrow.column("day").combine_chunks()
    wide = arrow.set_column(arrow.column_names.index("day"), "day", day.cast(pa.date64()))
    yield from (data, arrow, wide)
    yield from (each.to_pandas(types_mapper=pd.ArrowDtype) for each in (arrow, wide))
    typed = arrow.to_pandas(types_mapper=pd.ArrowDtype)
    yield typed.assign(day=pd.Series(day.to_pylist(), dtype=object))
    yield data.with_columns(pl.Series("day", data["day"].to_list(), dtype=pl.Object))


@pytest.mark.parametrize("engine", ENGINES)
def test_people_named_by_dates_have_the_same_records_chosen_everywhere(engine):
    """As Python objects too, which name people and keys, though no question is asked of them."""
    for seed in range(3 if engine in LOCAL else 1):
        data = frame(seed).with_columns(
            day=pl.Series([DAYS[-1 if i is None else i + 5] for i in frame(seed)["whole"].to_list()])
        )
        choice, keys = Choice("day", 2, 2, f"{seed:032x}"), Keys.of(("day",), DAYS[3:8])
        tables = [table(engine, data), *(LocalTable(nw.from_native(each)) for each in in_memory(data))]
        found = [chosen(each, choice) for each in tables]
        assert all(each == found[0] for each in found)
        counts = [each.grouped("x", keys, choice).read(LATTICE, "add_remove").counts for each in tables]
        assert all(each.tolist() == counts[0].tolist() for each in counts) and sum(counts[0]) > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_keys_that_are_dates_are_found_alike_everywhere(engine):
    data = frame(7).with_columns(
        day=pl.Series([DAYS[-1 if i is None else i + 5] for i in frame(7)["whole"].to_list()])
    )
    choice = Choice("flag", 1, None, "ab" * 16)
    found = [table(engine, data).count_keys(("day",), choice, 2)()]
    for each in map(nw.from_native, in_memory(data)):
        found.append(KeyCounts.of(each, ("day",), LocalTable(each).people(choice)(), choice, 2))
    told = [dict(zip(each.keys.columns[0], each.persons.tolist(), strict=True)) for each in found]
    told = [{key: persons for key, persons in each.items() if persons} for each in told]
    assert all(each == told[0] for each in told) and sum(told[0].values()) == 4
