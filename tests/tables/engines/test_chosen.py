"""The choice of a person's records without a lattice: the very records that are chosen in memory, and no other."""

import math
import struct
from collections import Counter

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.tables.engines.engine_table import dialect_of
from noisewise.tables.engines.people import chosen
from noisewise.tables.local import Pick
from noisewise.tables.people import Choice, NamedPeople, label_order
from tests.tables.every_engine import ENGINES, LOCAL, lazily

RNG = np.random.default_rng(3)
NUMBERS = [
    *(sign * x for x in (0.0, 5e-324, 2.2250738585072009e-308, 2.2250738585072014e-308) for sign in (1, -1)),
    *(sign * x for x in (1.0, 0.1, 1.5, 4.0, 2.0**52 + 1, 2.0**-1050, 1e308, math.inf) for sign in (1, -1)),
    1.7976931348623157e308,
    *(x for (x,) in struct.iter_unpack("<d", RNG.bytes(8 * 100)) if x == x),
]
TEXTS = ["a", "A", "", "é", "e\u0301", "a|b", "a\x01b", "𝔘", "\uffee", "x" * 500, *map(str, range(100))]


def of(engine, **columns):
    return lazily(engine, pl.DataFrame(columns))


def fetched(dialect, frame, *names):
    """Columns of a small frame, as lists."""
    return [column.tolist() for column in dialect.arrays(frame.select(*names))]


def people(seed, texts):
    rng = np.random.default_rng(seed)
    some = [None, "a", "A", "b", "é"] if texts else [None, math.nan, 0.0, -0.0, 1.0, 2.5, math.inf, -math.inf]
    records = [some[place] for place in rng.integers(0, len(some), 150)]
    return records, [None if who == 0 else f"p{who}" for who in rng.integers(0, 12, 150).tolist()]


def written(records):
    """As sorted text; 0.0 and -0.0 are one number, and either may be kept."""
    return sorted(repr(record if isinstance(record, str) else record + 0.0) for record in records)


def in_memory(records, persons, choice):
    """What `LocalTable` keeps: of labels by `label_order`, of numbers by `Pick`, which are one choice."""
    present, order = label_order(records)
    stays = NamedPeople.of(persons).keep(present, np.zeros(len(records), np.int64), order, choice)
    found = [record for record, stay in zip(records, stays, strict=True) if stay]
    if not isinstance(found[0], str):
        from noisewise.tables.columns.array_column import declare

        (values,) = Pick((declare(records),), lambda: NamedPeople.of(persons), choice).values
        assert written(values.tolist()) == written(found)
    return written(found)


def present(dtype):
    d = nw.col("d")
    return ~d.is_null() if dtype == pl.String else ~(d.is_null() | d.is_nan())


def behind(engine, records, persons, choice):
    dtype = pl.String if any(isinstance(record, str) for record in records) else pl.Float64
    lazy = of(engine, d=pl.Series(records, dtype=dtype), person=persons, group=[0] * len(records))
    found_rows = chosen(dialect_of(lazy), lazy, choice, present(dtype), "d")
    (found,) = fetched(dialect_of(lazy), found_rows, "d")
    return written(found)


@pytest.mark.parametrize("engine", [*ENGINES, "postgres"])
def test_numbers_and_text_are_sorted_alike_everywhere(engine):
    for records in (NUMBERS, TEXTS):
        choice = Choice("person", len(records) // 3, None, "salt")
        persons = ["p"] * len(records)
        assert behind(engine, records, persons, choice) == in_memory(records, persons, choice)


@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_keeps_what_memory_keeps(engine, texts):
    for most, groups in ((1, None), (4, 1), (500, None))[: 3 if engine in LOCAL else 2]:
        records, persons = people(most, texts)
        choice = Choice("person", most, groups, f"{most:032x}")
        found = behind(engine, records, persons, choice)
        assert found == in_memory(records, persons, choice)
        assert len(found) <= 11 * most


@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize("engine", [*ENGINES, "postgres"])
def test_in_several_groups_every_engine_keeps_what_memory_keeps(engine, texts):
    limits = ((3, None, None), (5, None, 2), (4, 2, None), (500, 1, None), (500, 2, 1))
    for most, few, per_group in limits[:: 1 if engine in LOCAL else 4]:
        records, persons = people(most, texts)
        groups = np.random.default_rng(most).integers(0, 4, len(records))
        choice = Choice("person", most, few, f"{most:032x}", per_group)
        dtype = pl.String if texts else pl.Float64
        lazy = of(engine, d=pl.Series(records, dtype=dtype), person=persons, group=groups)
        dialect = dialect_of(lazy)
        rows = chosen(dialect, lazy, choice, present(dtype), "d")
        found = fetched(dialect, rows, "person", "group", "d")
        there, order = label_order(records)
        stays = NamedPeople.of(persons).keep(there, groups, order, choice)
        kept = [
            row
            for row, stay in zip(zip(persons, groups.tolist(), records, strict=True), stays, strict=True)
            if stay
        ]
        assert sorted(zip(*found, strict=True)) == sorted(kept)
        if per_group is None:
            assert len({group for person, group, _ in kept if person == "p3"}) == (few or 2)
        else:
            counts = Counter((person, group) for person, group, _ in kept)
            assert max(counts.values()) == per_group


@pytest.mark.parametrize("engine", LOCAL)
def test_copies_of_one_record_let_nobody_contribute_more(engine):
    for records in ([1.0] * 50, ["a"] * 50):
        for most in (1, 5):
            assert len(behind(engine, records, ["p"] * 50, Choice("person", most, None, "salt"))) == most


@pytest.mark.parametrize("engine", LOCAL)
def test_the_choice_is_nobody_elses_and_depends_on_the_salt(engine):
    records, persons = people(8, False)
    choice = Choice("person", 2, None, "pepper")
    everybody = behind(engine, records, persons, choice)
    assert behind(engine, records[::-1], persons[::-1], choice) == everybody
    one = [persons[place] == "p3" for place in range(150)]
    apart = [
        behind(
            engine,
            [record for record, is_one in zip(records, one, strict=True) if is_one == wanted],
            [person for person, is_one in zip(persons, one, strict=True) if is_one == wanted],
            choice,
        )
        for wanted in (True, False)
    ]
    assert sorted(apart[0] + apart[1]) == everybody
    salted = {tuple(behind(engine, records, persons, Choice("person", 2, None, str(k)))) for k in range(5)}
    assert len(salted) > 1


@pytest.mark.parametrize("engine", LOCAL)
def test_rows_without_a_person_or_a_record_take_no_part(engine):
    choice = Choice("person", 1, None, "salt")
    assert behind(engine, [1.0, None, math.nan, 2.0], [None, "p", "p", "p"], choice) == ["2.0"]
