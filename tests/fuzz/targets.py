"""What is fuzzed: every reader of text, with what must be true of all that it reads."""

import json
import re
from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import parse_qsl

import duckdb
import numpy as np
import polars

from noisewise import Column, Dataset
from noisewise.errors import LedgerError, NoisewiseError
from noisewise.explorer.state import Inputs, State
from noisewise.kernel.losses import PureDP
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.ledger.books import BookRow
from noisewise.ledger.budget import Terms
from noisewise.ledger.entries import read_entry, read_terms, seal
from noisewise.study.study import Study
from noisewise.tables.columns.edge_lists import declare_graph
from noisewise.tables.conditions import Condition
from noisewise.tables.files.scan import scan
from noisewise.tables.time.text import parts_of_text, ticks_of_parts
from noisewise.tables.time.ticks import Kind
from tests.fuzz.mutator import Target
from tests.tables.every_engine import texts_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TERMS = Terms(budget=PureDP(5), neighbors="add_remove", unit=None, contributions=1, name=None)


def study(text: str) -> None:
    """A study is read or refused in our words; what it is written down as reads as the same study."""
    try:
        read = Study.parse(text)
    except NoisewiseError:
        return
    assert Study.parse(read.to_toml()).hash == read.hash
    with suppress(NoisewiseError):  # questions are judged as the program is written
        read.to_python()


def ledger(text: str) -> None:
    """A row that a forger has sealed anew is read, or the ledger is said to be edited."""
    try:
        row = BookRow(1, text, seal(text))
    except UnicodeEncodeError:
        return
    for read in (lambda: read_entry(row, TERMS, "here"), lambda: read_terms(row, "here")):
        try:
            read()
        except LedgerError:
            continue


def edges(text: str) -> None:
    """Whatever is in a list of edges, the graph is that of the pairs of declared nodes in it."""
    try:
        listed = json.loads(text, parse_int=_int)
    except (ValueError, RecursionError):
        return
    if not isinstance(listed, list):
        return
    graph = declare_graph((listed, 4)).read(Lattice(0, 1, Fraction(1)), "add_remove")
    pairs = {
        (min(edge[:2]), max(edge[:2]))
        for edge in listed
        if isinstance(edge, list) and len(edge) in (2, 3) and all(map(_node, edge[:2])) and edge[0] != edge[1]
    }
    assert set(map(tuple, graph.edges.tolist())) == pairs


def _int(text: str) -> int:
    return int(text) if len(text) < 400 else 10**400


def _node(end: object) -> bool:
    return isinstance(end, (int, float)) and end in (0, 1, 2, 3)


def condition(text: str) -> None:
    """A condition that is read is written down as one that reads the same."""
    try:
        read = Condition.read(text)
    except NoisewiseError:
        return
    assert str(Condition.read(str(read))) == str(read)


def state(text: str) -> None:
    """An address of the explorer is judged, and what is wrong is said beside its field."""
    address = text.encode("utf-8", "replace").decode()
    given = State.of(dict(parse_qsl(address, keep_blank_values=True)))
    inputs, wrong = Inputs.of(given, lambda _column: np.array([1.0, 2.0]))
    assert (inputs is None) == bool(wrong) or inputs is None
    assert State.of(dict(parse_qsl(given.query(), keep_blank_values=True))) == given


@cache
def _table() -> Dataset:
    rows = polars.DataFrame({"dept": ["A", "B", None], "pay": [1.0, None, 3.0], "Odd name": [1, 2, 3]})
    facts = {"dept": Column(keys=["B", "A"]), "pay": Column(bounds=(0, 9)), "Odd name": Column(bounds=(0, 9))}
    return Dataset(rows, unit="Odd name", columns=facts)


def sql(text: str) -> None:
    """A statement is answered as it was understood, or refused in our words."""
    dialect = DIALECTS[sum(map(ord, text)) % len(DIALECTS)]
    try:
        answer = _table().sql(text, epsilon=1, dialect=dialect)
    except NoisewiseError:
        return
    assert len(str(answer)) > 0


DIALECTS = ("duckdb", "postgres", "mysql", "spark", "bigquery", "snowflake", "tsql", "sqlite", "clickhouse")


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?", re.ASCII)


def dates(text: str) -> set[object]:
    """Lines as moments, all in one query that never fails; those that Python reads too are the same moments.

    Its features are the shapes of lines, with which kinds they were read as.
    """
    lines = [line.replace("\x00", "").encode("utf-8", "replace").decode() for line in text.split("\n")]
    kinds: tuple[Kind, ...] = ("datetime", "date", "time", "duration")
    read = [_ticks(lines, kind) for kind in kinds]
    assert all(len(ticks) == len(lines) for ticks in read)
    for line, ticks in zip(lines, read[0], strict=True):
        expected = _moment(line.strip(" \t\r\n\f\v"))
        if expected is not None:
            assert ticks == expected, (line, ticks, expected)
    return {
        (shape(line), tuple(None if each is None else each >= 0 for each in ticks))
        for line, *ticks in zip(lines, *read, strict=True)
        if any(each is not None for each in ticks) or len(line) < 8
    }


def shape(text: str) -> str:
    """A text with its digits and its letters made alike, and its end left off: what decides how it is read."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d", "0", text[:32]))


def _ticks(lines: list[str], kind: Kind) -> list[int | None]:
    parts = f"SELECT {parts_of_text('t', kind)} AS p FROM (SELECT unnest(?::VARCHAR[]) AS t)"
    query = f"SELECT {ticks_of_parts('p', kind)} FROM ({parts})"
    return [ticks for (ticks,) in _connection().execute(query, [lines]).fetchall()]


def _moment(text: str) -> int | None:
    """Microseconds since 1970 by Python's own reader; None where it is not asked."""
    if not ISO.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        since = aware.astimezone(UTC) - EPOCH
    except (ValueError, OverflowError):
        return None
    return (since.days * 86_400 + since.seconds) * 10**6 + since.microseconds


@cache
def _file() -> Path:
    return Path(mkdtemp()) / "fuzzed.jsonl"


def json_lines(text: str) -> set[object]:
    """A record for each line that is not empty, whatever is in it; text that Python's json reads is that text.

    Its features are the shapes of lines, with whether our reader and Python's found a value in them.
    """
    content = text.encode("utf-8", "surrogatepass")
    _file().write_bytes(content)
    found = [value for (value,) in texts_of(scan(_file(), format="jsonl"), ["a"])]
    lines = [line.removesuffix(b"\r") for line in content.split(b"\n")]
    wanted = [_text(line) for line in lines if line]
    assert len(found) == len(wanted), (found, wanted)
    for here, there in zip(found, wanted, strict=True):
        assert there is None or here == there, (here, there)
    shapes = (re.sub(r"(.)\1+", r"\1", shape(line.decode("latin-1"))[:16]) for line in lines if line)
    return {
        (each, here is None, there is None) for each, here, there in zip(shapes, found, wanted, strict=True)
    }


def _text(line: bytes) -> str | None:
    """The text under "a", where a line is an object and has plain text there; None where it is not asked."""
    try:
        read = json.loads(line.decode("utf-8"), object_pairs_hook=_first)
    except (ValueError, RecursionError):
        return None
    value = read.get("a") if isinstance(read, dict) else None
    return value if isinstance(value, str) and value.isprintable() and b"\\" not in line else None


def _first(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a key that stands twice, the first."""
    return dict(reversed(pairs))


TARGETS: dict[str, tuple[Target, list[str]]] = {
    "condition": (
        condition,
        ["age >= 18", "is missing", "is not missing", "'text'", '"a column"', "!=", "<="],
    ),
    "dates": (dates, ["2024-02-29T08:30:00.123456+02:00", "20240229", "P1DT2H", "36:05:00", "-00:30", "Z"]),
    "edges": (edges, ["[0, 1]", "[1, 2, 0.5]", "true", "1e400", "-0.0", "3.5", '"1"', "2.0"]),
    "json_lines": (json_lines, ['{"a": "x"}\n', '"a":', "\\u0000", '{"a": {"a": 1}}', "\ufeff{", "1e400"]),
    "ledger": (ledger, ['"format":1', '"loss":', '"epsilon":"1/3"', '"number":1', "1/3", '"delta":"0"']),
    "sql": (
        sql,
        [
            "SELECT ",
            "COUNT(*)",
            "AVG(pay * 2)",
            " FROM t",
            " WHERE pay > 1",
            " AND NOT ",
            " GROUP BY dept",
            " ORDER BY 1",
        ],
    ),
    "state": (
        state,
        ["epsilon=", "&n=10", "own-q=", "question=median", "low=", "high=", "granularity=", "&"],
    ),
    "study": (
        study,
        ["[[ask]]\n", "epsilon = 0.1\n", "keys = ", "group_by = ", "[data]\n", "file = ", "bounds = "],
    ),
}
