"""JSON lines: names come from the question, each line is read by itself, and no line makes a release fail."""

import json

import numpy as np
import pytest

import noisewise as nws
from noisewise.errors import ReleaseFailed, SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.labels import Labels
from noisewise.tables.files.lines import LONGEST_LINE
from noisewise.tables.files.scan import scan
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from tests.tables.every_engine import texts_of

pytestmark = pytest.mark.rest

LATTICE = Lattice.between((-10, 1000))
OTHERS = b'{"a": 5, "b": "x"}\n{"a": 6}\n{"b": "y", "a": 7}\n'
DEEP = b"[" * 3000 + b"]" * 3000
STRANGE = {
    "nothing": b"",
    "without the key": b'{"y": 1}\n',
    "a number": b"12\n",
    "null": b"null\n",
    "a list": b"[1, 2]\n",
    "a text": b'"a"\n',
    "an empty object": b"{}\n",
    "cut off": b'{"a": 1\n',
    "a quote": b'"\n',
    "two objects": b'{"a": 1}{"a": 2}\n',
    "a wrong encoding": b'{"a": "\xff"}\n',
    "half a pair": b'{"a": "\\ud800"}\n',
    "a zero": b'{"a": "\0"}\n\0\n',
    "deep, asked": b'{"a": ' + DEEP + b"}\n",
    "deep, not asked": b'{"c": ' + DEEP + b"}\n",
    "long": b'{"a": 1, "c": "' + b"x" * LONGEST_LINE + b'"}\n',
    "longer than buffers": b'{"a": 1, "c": "' + b"x" * 70_000_000 + b'"}\n',
    "blank": b"\n \n\t\r\n",
    "the delimiter": b'\x01{"a": 1}\n',
    "other capitals": b'{"A": 1}\n',
    "nested": b'{"a": {"a": 1}, "c": [{"a": 1}]}\n',
    "carriage returns": b"\r" * 1000 + b"\n",
    "records between carriage returns": b'{"a":4,' + b'\r{"a":9}' * 100 + b"\n",
    "two carriage returns at its end": b'{"b": 1}\r\r\n',
    "a return, a quote and a mark": b'\r"\xef\xbb\xbf\n',
}


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def records(table, name="a", choice=None):
    column = table.column(name, choice, "median").read(LATTICE, "add_remove")
    return column.ranks(1, column.count + 1).tolist()


def texts(table, name="a"):
    """What a column holds, by an engine's own hand."""
    return [found for (found,) in texts_of(table, [name])]


@pytest.mark.parametrize("strange", STRANGE)
@pytest.mark.parametrize("place", ["first", "last"])
def test_one_line_changes_no_other_record(tmp_path, strange, place):
    line = STRANGE[strange]
    table = scan(write(tmp_path / "x.jsonl", line + OTHERS if place == "first" else OTHERS + line))
    assert records(table) == [5, 6, 7]
    assert table.labels("b", None).labels().counts(Labels.of(["x", "y"])).tolist() == [1, 1]


@pytest.mark.parametrize("strange", STRANGE)
def test_no_line_makes_what_is_fetched_fail(tmp_path, strange):
    data = nws.Dataset.scan(write(tmp_path / "x.jsonl", OTHERS + STRANGE[strange]))
    assert data.gini("a", bounds=(0, 10), epsilon=1).value >= 0
    grouped = data.group_by("b", keys=["x", "y"])
    assert grouped.most_common("a", ["5", "7"], epsilon=60).value == ("5", "7")
    sharp = {"bounds": (0, 10), "epsilon": 60, "mechanism": "inverse_sensitivity"}  # off once in 10^11 draws
    assert grouped.mad("a", **sharp).value == (0, 0)


def test_one_person_more_or_less_does_not_decide_what_may_be_asked(tmp_path):
    for content in ('{"y": 1}\n', "", "12\n", "no object\n", '{"X": 1, "x ": 2}\n'):
        data = nws.Dataset.scan(write(tmp_path / "x.jsonl", content + '{"x": 5, "y": 2}\n' * 50))
        assert data.columns is None
        assert repr(data) == "<Dataset of any columns, contributions=1>"
        assert data.median("x", bounds=(0, 10), epsilon=20).value == 5
    nobody = nws.Dataset.scan(write(tmp_path / "none.jsonl", ""), unit="id")
    assert nobody.count("x", epsilon=60).value == nobody.count(epsilon=60).value == 0


def test_a_misspelt_name_is_missing_everywhere(tmp_path):
    data = nws.Dataset.scan(write(tmp_path / "x.jsonl", '{"x": 5, "dept": "a"}\n' * 50))
    assert data.count("X", epsilon=60).value == 0
    assert data.count(epsilon=60).value == 50
    assert data.group_by("Dept", keys=["a"]).count(epsilon=60).value == (0,)
    assert nws.Dataset.scan(tmp_path / "x.jsonl", unit="who").count("x", epsilon=60).value == 0


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"a": 1, "a": 2}', "1"),
        ('{"a": null, "a": 2}', None),
        ('{"a": "null"}', "null"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": 1.50}', "1.5"),
        ('{"a": 1e400}', "1e400"),
        ('{"a": 12345678901234567890123456789012345}', "12345678901234567890123456789012345"),
        ('{"a": 9007199254740993}', "9007199254740993"),
        ('{"a": "2"}', "2"),
        ('{"a": true}', "true"),
        ('{"a": [1, 2]}', "[1,2]"),
        ('{"a": {"b": 1}}', '{"b":1}'),
        ('{"\\u0061": "\\u00e9\\n"}', "é\n"),
        ('  {"a": 1}  ', "1"),
        ('\ufeff{"a": 1}', "1"),
        ('{"a": 1}\r', "1"),
        ('{"a": 1}\r\r', "1"),
        ('\r{"a":\r1}', "1"),
        ('{"a": 4,\r{"a": 9}\r', None),
        ("\r\r", None),
        ('{"a": 2,}', "2"),
    ],
)
def test_a_value_is_the_text_that_it_is_written_as(tmp_path, line, found):
    assert texts(scan(write(tmp_path / "x.jsonl", f'{line}\n{{"a": 3}}\n'))) == [found, "3"]


@pytest.mark.parametrize(
    "name", ["a.b", 'a"b', "a'b", "é", "/", "a/b", "~1", "$.a", "a[0]", "0", "a\\b", "a\0b", "line", " "]
)
def test_any_text_is_a_key(tmp_path, name):
    lines = [{name: 5}, {"a": {"b": 1}, "b": 1, "": 1}, [7, 8], {name: 6, name + "x": 9}]
    table = scan(write(tmp_path / "x.jsonl", "\n".join(map(json.dumps, lines))))
    assert texts(table, name) == ["5", None, None, "6"]
    assert records(table, name) == [5, 6]
    assert records(table, name, Choice(name, 1, None, "salt")) == [5, 6]
    groups = table.grouped(name, Keys.of((name,), ["6", "5", "4"]), None).read(LATTICE, "add_remove")
    assert groups.counts.tolist() == [1, 1, 0]


def test_a_star_is_no_name_to_ask_about(tmp_path):
    """DuckDB takes it for all columns."""
    table = scan(write(tmp_path / "x.jsonl", '{"*": 5}\n'))
    with pytest.raises(
        SchemaError, match=r"^columns must have names other than \* for DuckDB, got '\*'; rename it$"
    ):
        table.column("*", None, "median")


def test_rows_are_the_lines_that_are_not_empty(tmp_path):
    data = nws.Dataset.scan(write(tmp_path / "x.jsonl", b'\n{"a": 1}\r\n\r\n\n12\n{"a": \n'))
    assert data.count(epsilon=60).value == 3


def test_a_line_ends_at_a_line_feed_alone(tmp_path):
    """A person has one line: whatever stands in it, it is one record."""
    crowd = '{"x": 4}\n' * 20
    for line in ("\r" * 1000, '{"x": 9,' + '\r{"x": 9}' * 100, '{"x": 9}\r' * 100):
        data = nws.Dataset.scan(write(tmp_path / "x.jsonl", crowd + line + "\n" + crowd))
        assert data.count(epsilon=60).value == 41
        assert data.count("x", epsilon=60).value in (40, 41)
    with_end = nws.Dataset.scan(write(tmp_path / "x.jsonl", '{"x": 4}\r\r\n{"x": 5}\n'))
    assert with_end.group_by("x", keys=[4, 5]).count(epsilon=60).value == (1, 1)


def test_a_mark_at_the_beginning_is_left_out_wherever_the_line_stands(tmp_path):
    lines = [b'\xef\xbb\xbf{"a": 1}', b'{"a": 2}', b"\xef\xbb\xbf", b"\xef\xbb"]
    assert texts(scan(write(tmp_path / "x.jsonl", b"\n".join(lines)))) == ["1", "2", None, None]
    assert texts(scan(write(tmp_path / "y.jsonl", b"\n".join([*lines[::-1], b""])))) == [None, None, "2", "1"]


def test_lines_are_lines_whatever_the_file_is_called(tmp_path):
    (tmp_path / "a=9").mkdir()
    assert records(scan(write(tmp_path / "a=9" / "x.txt", OTHERS), format="jsonl")) == [5, 6, 7]


def test_lines_may_have_any_length_below_the_longest_wherever_they_stand(tmp_path):
    rng, lines = np.random.default_rng(5), []
    for place in range(120):
        lines.append(json.dumps({"c": "x" * int(rng.integers(0, LONGEST_LINE - 40)), "a": place}) + "\n")
    assert records(scan(write(tmp_path / "x.jsonl", "".join(lines)))) == list(range(120))


def test_nothing_is_read_before_the_debit_and_a_change_is_seen(tmp_path):
    told, path = [], write(tmp_path / "x.jsonl", OTHERS)

    class Purse:
        def debit(self, loss, **said):
            told.append("debit")

    data = nws.Dataset.scan(path, ledger=Purse(), progress=lambda *said: told.append(said[0]))
    data.count("a", epsilon=1)
    assert told == ["debit", "reading the data", "reading the data"]
    data = nws.Dataset.scan(path, progress=lambda doing, done: done is None and write(path, OTHERS * 2))
    with pytest.raises(ReleaseFailed):
        data.count("a", epsilon=1)
    with pytest.raises(SchemaError, match="must stay as they were"):
        data.count("a", epsilon=1)


def test_several_files_need_not_have_the_same_keys(tmp_path):
    write(tmp_path / "1.jsonl", '{"a": 1}\n')
    write(tmp_path / "2.jsonl", '{"b": 2}\n{"a": 3, "b": 4}')
    write(tmp_path / "3.jsonl", "")
    assert records(scan(tmp_path / "*.jsonl")) == [1, 3]
