"""Cells: what CSV and TSV make of a line, all lines at once against one after the other."""

import csv
import io
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noisewise as nws
from noisewise.tables.files.cells import columns, delimiters_of
from noisewise.tables.files.lines import LineEnds
from noisewise.tables.files.scan import scan
from tests.tables.every_engine import texts_of

COMMA, TAB = b",\t"
SIGNS = st.lists(
    st.sampled_from([b",", b'"', b"\r", b"\n", b"a", b'""', b',"', b'",', b" "]), max_size=40
).map(b"".join)


def reference(line, mark):
    """The cells of a line in bytes, sign by sign, or None: the grammar of cells.py as it is written there."""
    cells, cell, state = [], b"", "begins"
    for sign in [*(line[at : at + 1] for at in range(len(line))), None]:
        ends = sign is None or sign == bytes([mark])
        if state == "quoted" and sign is not None:
            state = "quote" if sign == b'"' else "quoted"
        elif state == "quoted":
            return None
        elif ends:
            cells, cell, state = [*cells, cell], b"", "begins"
            continue
        elif state == "quote" and sign != b'"':
            return None
        elif state in ("begins", "quote"):
            state = "quoted" if sign == b'"' else "plain"
        cell += sign
    return cells


@given(content=SIGNS, width=st.integers(1, 4))
@settings(max_examples=500, deadline=None)
def test_all_lines_at_once_are_the_lines_one_by_one(content, width):
    lines = [line.removesuffix(b"\r") for line in content.split(b"\n")]
    rows = [cells for line in lines if (cells := reference(line, COMMA)) is not None and len(cells) >= width]
    found = columns(LineEnds.of(content + b"\n"), COMMA, width, list(range(width)))
    assert [column.to_pylist() for column in found] == [
        [row[place] for row in rows] for place in range(width)
    ]


@given(line=SIGNS.map(lambda line: line.replace(b"\n", b"")))
def test_where_cells_part(line):
    cells, cuts = reference(line, COMMA), delimiters_of(line, COMMA)
    assert (cells is None) == (cuts is None)
    if cuts is not None:
        limits = [-1, *cuts, len(line)]
        assert [line[i + 1 : j] for i, j in pairwise(limits)] == cells


@pytest.mark.parametrize("ending", ["csv", "tsv"])
@given(
    rows=st.lists(
        st.tuples(*[st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=6)] * 2)
    )
)
@settings(max_examples=60, deadline=None)
def test_what_a_program_writes_is_read_back(tmp_path_factory, ending, rows):
    text = io.StringIO()
    writer = csv.writer(text, "excel" if ending == "csv" else "excel-tab")
    writer.writerows([("a", "b"), *rows])
    path = tmp_path_factory.getbasetemp() / f"back.{ending}"
    path.write_bytes(text.getvalue().encode())
    assert texts_of(scan(path), ["b", "a"]) == [(b or None, a or None) for a, b in rows]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"1,x", ("1", "x")),
        (b'"1","x, y"', ("1", "x, y")),
        (b'"say ""x""",""""', ('say "x"', '"')),
        (
            b'"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac e\xcc\x81",1',
            ("\U0001f469\u200d\U0001f52c e\u0301", "1"),
        ),
        (b'5\'11",6" x 4"', ("5'11\"", '6" x 4"')),
        (b'a""b, "c"', ('a""b', ' "c"')),
        (b'"",', (None, None)),
        (b"1,x,y,z", ("1", "x")),
        (b"1\r,\rx\r", ("1\r", "\rx\r")),
        (b"1\0,\0", ("1\0", "\0")),
        (b"\xff,x", (None, "x")),
        (b'"\xff",x', (None, "x")),
        (b"1", None),
        (b"", None),
        (b'1,"x', None),
        (b'"1,x', None),
        (b'"1"x,y', None),
        (b'1,"x"\r\r', None),
        (b'1,"x" ', None),
        (b'1,"x""', None),
    ],
)
def test_cells(tmp_path, line, found):
    for ending, mark in (("csv", b","), ("tsv", b"\t")):
        path = tmp_path / f"x.{ending}"
        path.write_bytes(b"a,b\n8,9\nL\r\n7,6\n".replace(b"L", line).replace(b",", mark))
        expected = [("8", "9"), *([] if found is None else [found]), ("7", "6")]
        told = [
            tuple(part and part.replace("\t", ",") for part in row)
            for row in texts_of(scan(path), ["a", "b"])
        ]
        assert told == expected


def test_a_quote_takes_nobody_elses_record(tmp_path):
    """One person's open quote took all lines up to the next one."""
    path = tmp_path / "x.csv"
    crowd = "{0},4\n" * 20
    for line in ('"', 'a,"', 'a,9"', '"a,9', 'a,"9'):
        path.write_text("id,x\n" + crowd.format("b") + line + "\n" + crowd.format("c") + 'd,"4"\n')
        assert nws.Dataset.scan(path).sum("x", bounds=(0, 4), epsilon=60).value in (164, 168)
        assert nws.Dataset.scan(path).count(epsilon=60).value in (41, 42)


def test_a_cell_that_goes_on_in_the_next_line_is_two_lines_that_are_no_rows(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('id,x\na,1\n2,"multi\nline"\nb,3\n')
    assert texts_of(scan(path), ["id", "x"]) == [("a", "1"), ("b", "3")]
