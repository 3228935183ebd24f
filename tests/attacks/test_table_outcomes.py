"""Every question about tables in every place, and commands about files: one outcome for all data of a type.

Two tables of the same declared columns hold whatever those types can hold: missing, infinite and huge numbers, times at
the ends of a calendar, any text; lines of a file hold anything at all. Every draw has one outcome (`one_draw`). Then
all that is seen of a question is the same for both: numbers, types, order and names of a frame of groups, notes,
errors, warnings, logs, and all that a command prints, with its exit code.
"""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noisewise as nws
from noisewise.tables.totals import RULES
from tests.attacks.one_draw import SHARES, one_draw
from tests.attacks.outcomes import Purse, examples, finding
from tests.attacks.test_outcomes import STRANGE
from tests.attacks.vulnerable import (
    FloatsWhereOneIsMissing,
    LargestGroupsFirst,
    RaisesAtARecord,
    WarnsOfRecords,
    careless,
    table_shows_a_record,
    types_follow_the_records,
)
from tests.cli.running import invoke
from tests.every_question import CALLS, NODES
from tests.floors.everywhere import SPARK, frame
from tests.tables.postgres import connection, made

WHOLE = st.integers(-(2**63), 2**63 - 1)
NUMBERS = st.one_of(st.floats(), st.sampled_from([0.0, 1.0, math.nan, math.inf, -0.0, 2.0**53]))
WORDS = st.one_of(st.sampled_from(["tea", "milk", "1", "", " ", "nan"]), st.text(max_size=3))
TIMES = st.one_of(
    st.integers(-(2**55), 2**55).map(
        lambda us: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
    ),
    st.sampled_from([datetime(2021, 1, 1, tzinfo=UTC)]),
)
COLUMNS: dict[str, tuple[Any, Any]] = {
    "id": (pa.string(), WORDS),
    "x": (pa.float64(), NUMBERS),
    "y": (pa.int64(), WHOLE),
    "b": (pa.int64(), st.sampled_from([0, 1, 2, -1])),
    "c": (pa.int64(), st.sampled_from([0, 1])),
    "p": (pa.float64(), NUMBERS),
    "s": (pa.string(), WORDS),
    "at": (pa.timestamp("us", "UTC"), TIMES),
    "u": (pa.int64(), st.integers(-1, 12)),
    "v": (pa.int64(), st.integers(-1, 12)),
}
TABLES = ["pandas", "pandas of Arrow", "Polars", "lazy Polars", "PyArrow", "DuckDB"]
ENGINES = ["lazy Polars", "DuckDB", "PostgreSQL"]
FILES = ["csv", "jsonl"]
IN_POSTGRES = {
    pa.string(): "text",
    pa.float64(): "float8",
    pa.int64(): "int8",
    pa.timestamp("us", "UTC"): "timestamptz",
}

Rows = list[dict[str, Any]]
rows = st.lists(
    st.fixed_dictionaries({name: st.one_of(st.none(), kind) for name, (_, kind) in COLUMNS.items()}),
    max_size=5,
)
lines = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.sampled_from(
            [b"1,2,3", b'"1', b'{"x": 1}', b'{"x": [1', b"\xff\x00", b"1e999,,", b'{"s": "tea"}']
        ),
    ),
    max_size=4,
)

AT = {"bounds": (datetime(2020, 1, 1, tzinfo=UTC), datetime(2022, 1, 1, tzinfo=UTC))}
QUESTIONS = [
    *((name, *call.columns, call.named) for name, call in CALLS.items()),
    ("median", "at", AT),
    ("max", "at", AT),
    *(("median", "x", {"bounds": (0, 10), "per_person": rule}) for rule in RULES),
    ("max", "at", {**AT, "per_person": "max"}),
    ("quantiles", "y", [0.1, 0.9], {"bounds": (0, 10), "per_person": "sum"}),
]
PARTS: list[Callable[[nws.Dataset], Any]] = [
    lambda held: held,
    lambda held: held.where("y > 0 and s != 'tea'"),
    lambda held: held.where("at < 2021-06-01 or x is missing"),
    lambda held: held.group_by("s", keys=["tea", "milk"]),
    lambda held: held.group_by("b", "s", keys=[(0, "tea"), (1, "milk"), (2, "")]),
]
HELD: list[dict[str, Any]] = [{}, {"unit": "id"}, {"unit": "id", "contributions": 2}, {"unit": "b"}]


@st.composite
def questions(draw: Any) -> Callable[[nws.Dataset], Any]:
    """A question about all rows, some rows, or each group, one of whose parameters may be strange."""
    name, *given, keywords = draw(st.sampled_from(QUESTIONS))
    asked = {**keywords, "epsilon": 1}
    if draw(st.booleans()):
        asked[draw(st.sampled_from([*asked, "granularity", "interval", "with_count"]))] = draw(
            st.sampled_from(STRANGE)
        )
    part = draw(st.sampled_from(PARTS))

    def ask(held: nws.Dataset) -> Any:
        whole = dict(asked)
        if "nodes" in whole and getattr(held._table, "is_text", False):
            whole["nodes"] = list(map(str, NODES))
        return getattr(part(held), name)(*given, **whole)

    return ask


def held_in(place: str, rows: Rows, **held: Any) -> nws.Dataset:
    """A table of the declared types, which no record decides: whole numbers of pandas are never missing. What it tells
    of its progress is printed."""
    held["progress"] = print
    if place == "pandas":
        rows = [
            {**row, **{name: 0 for name in ("y", "b", "c", "u", "v") if row[name] is None}} for row in rows
        ]
    if place == "PostgreSQL":
        columns = {name: IN_POSTGRES[kind] for name, (kind, _) in COLUMNS.items()}
        whole = [[_without_zero_bytes(row[name]) for name in columns] for row in rows]
        return nws.Dataset(connection(), table=made(columns, whole), **held)
    table = {name: pa.array([row[name] for row in rows], kind) for name, (kind, _) in COLUMNS.items()}
    return nws.Dataset(frame(place, pa.table(table)), **held)


def _without_zero_bytes(value: Any) -> Any:
    """PostgreSQL holds no text with one."""
    return value.replace("\0", "") if isinstance(value, str) else value


def weakened(held: nws.Dataset, hole: type) -> nws.Dataset:
    """A Dataset whose engine has a hole."""
    table: Any = held._table
    table.dialect = type(hole.__name__, (hole, type(table.dialect)), {})()
    return held


def written(path: Path, content: list[bytes]) -> Path:
    """Lines of anything, under the names of the columns where a text file has such a line."""
    named = b'{"%s": 1}' % b'": 1, "'.join(map(str.encode, COLUMNS))
    first = {".csv": [",".join(COLUMNS).encode()], ".jsonl": [named]}.get(path.suffix, [])
    path.write_bytes(b"\n".join([*first, *(line.replace(b"\n", b"") for line in content)]) + b"\n")
    return path


def test_a_table_whose_records_decide_what_is_seen_is_noticed() -> None:
    one, other = pa.table({"x": [1.0]}), pa.table({"x": [None]})
    for leaking in (table_shows_a_record, types_follow_the_records):
        assert finding(lambda table, _purse, leaking=leaking: leaking(table), one, other) is not None


KNOWN: Rows = [
    {**dict.fromkeys(COLUMNS), "id": str(number), "x": 1.0, "b": group, "s": str(group)}
    for number, group in enumerate((0, 1, 1))
]
HOLES: dict[type, tuple[Callable[[nws.Dataset], Any], Rows, Rows]] = {
    RaisesAtARecord: (
        lambda held: held.most_common("s", ["0", "1"], epsilon=1),
        KNOWN,
        [*KNOWN, {**KNOWN[0], "s": "tea"}],
    ),
    WarnsOfRecords: (
        lambda held: held.median("x", bounds=(0, 9), granularity=1, epsilon=1),
        KNOWN,
        [*KNOWN, {**KNOWN[0], "x": 7.0}],
    ),
    LargestGroupsFirst: (
        lambda held: held.group_by("b", keys=[0, 1]).count(epsilon=1),
        KNOWN,
        [*KNOWN, KNOWN[0], KNOWN[0]],
    ),
    FloatsWhereOneIsMissing: (
        lambda held: held.group_by("b", keys=[0, 1]).count(epsilon=1),
        KNOWN,
        KNOWN[1:],
    ),
}
"""Engines with a hole: a question, and two tables between which it shows a difference."""


def of_an_engine(place: str, hole: type, made: Callable[[nws.Dataset], nws.Dataset]) -> Any:
    """What the attack finds of the question that goes with a hole, in Datasets as they are made."""
    ask, one, other = HOLES[hole]
    with one_draw(SHARES[1]):
        return finding(lambda rows, purse: ask(made(held_in(place, rows, ledger=purse))), one, other)


@pytest.mark.parametrize("hole", HOLES)
@pytest.mark.parametrize("place", ENGINES)
def test_an_engine_whose_records_decide_what_is_seen_is_noticed(place: str, hole: type) -> None:
    assert of_an_engine(place, hole, lambda held: weakened(held, hole)) is not None


def test_nothing_is_found_of_an_engine_without_a_hole() -> None:
    for hole in HOLES:
        assert of_an_engine(ENGINES[0], hole, lambda held: held) is None


@pytest.mark.parametrize("place", [SPARK])
def test_a_cluster_that_raises_at_a_record_is_noticed(place: str) -> None:
    assert of_an_engine(place, RaisesAtARecord, lambda held: weakened(held, RaisesAtARecord)) is not None


@pytest.mark.parametrize("place", [*TABLES, "PostgreSQL"])
def test_the_outcome_is_the_same_for_all_tables_of_a_type(place: str) -> None:
    @examples(14 if place in TABLES else 6)
    @given(one=rows, other=rows, ask=questions(), held=st.sampled_from(HELD), share=st.sampled_from(SHARES))
    def search(one: Rows, other: Rows, ask: Any, held: dict[str, Any], share: Fraction) -> None:
        with one_draw(share):
            assert (
                finding(lambda rows, purse: ask(held_in(place, rows, **held, ledger=purse)), one, other)
                is None
            )

    search()


@pytest.mark.parametrize("ending", FILES)
def test_the_outcome_is_the_same_for_all_files(ending: str) -> None:
    @examples(8)
    @given(one=lines, other=lines, ask=questions(), held=st.sampled_from(HELD), share=st.sampled_from(SHARES))
    def search(one: list[bytes], other: list[bytes], ask: Any, held: dict[str, Any], share: Fraction) -> None:
        with TemporaryDirectory() as folder, one_draw(share):
            path = Path(folder) / f"data.{ending}"

            def look(content: list[bytes], purse: Purse) -> Any:
                return ask(nws.Dataset.scan(written(path, content), **held, ledger=purse, progress=print))

            assert finding(look, one, other) is None

    search()


COMMANDS = [
    *(("median", "--column", column, "--bounds", "0", "10") for column in ("x", "s", "nothing")),
    ("median", "--column", "at", "--bounds", "2020-01-01", "2022-01-01", "--interval", "0.9"),
    ("mean", "--column", "x", "--bounds", "0", "10", "--by", "s", "--keys", "tea,milk", "--with-count"),
    ("count", "--unit", "id", "--where", "y > 0 and s != 'tea'"),
    ("most-common", "--column", "s", "--categories", "tea,milk", "--json"),
    ("histogram", "--column", "x", "--bins", "0,1,3", "--csv"),
    ("pearson", "--x", "x", "--y", "y", "--bounds", "0", "1"),
    ("triangles", "--edges", "u,v", "--nodes", "0,1,2"),
    ("quantiles", "--column", "x", "--qs", "0.1,0.9", "--bounds", "private"),
]


CLOCK = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


def of_a_command(path: Path, one: list[bytes], other: list[bytes], *words: str, **of: Any) -> Any:
    """All that a command prints of two files and how it ends, where these differ; else how it ends."""
    printed = []
    for content in (one, other):
        done = invoke(*words, written(path, content), **of)
        printed.append((done.exit_code, CLOCK.sub("", done.stdout), done.stderr))
    return printed[0][0] if printed[0] == printed[1] else printed


@pytest.mark.parametrize("command", ["prints-a-row", "warns-of-a-row", "counts-in-its-exit-code"])
def test_a_command_whose_file_decides_what_is_printed_is_noticed(command: str, tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    found = of_a_command(path, [b"1"], [b"2", b"tea"], command, of=careless)
    assert isinstance(found, list) and found[0] != found[1]
    assert of_a_command(path, [b"tea"], [b"tea"], command, of=careless) in (0, 1, 2)


@pytest.mark.parametrize("ending", FILES)
def test_a_command_prints_the_same_for_all_files(ending: str) -> None:
    @examples(8)
    @given(
        one=lines,
        other=lines,
        words=st.sampled_from(COMMANDS),
        epsilon=st.sampled_from(["1", "0", "1e-30", "64", "x"]),
        share=st.sampled_from(SHARES),
    )
    def search(
        one: list[bytes], other: list[bytes], words: tuple[str, ...], epsilon: str, share: Fraction
    ) -> None:
        with TemporaryDirectory() as folder, one_draw(share):
            path = Path(folder) / f"data.{ending}"
            assert of_a_command(path, one, other, *words, "--epsilon", epsilon) in (0, 2, 3)

    search()


def test_progress_does_not_tell_whether_somebody_is_there(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A median of nobody takes one pass, that of one person two."""
    asked = ("median", "--column", "x", "--bounds", "0", "1e9", "--where", "id = 'bob'", "--progress")
    printed = []
    for name in (b"bob", b"eve"):
        path = written(tmp_path / "data.csv", [name + b",5" + b"," * 8])
        assert invoke(*asked, "--epsilon", "1", path).exit_code == 0
        printed.append(capfd.readouterr().err)
    assert printed[0] == printed[1] and "pass 1" in printed[0]
