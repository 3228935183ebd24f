"""Lines: a file is the sum of its lines, whatever bytes they are of, for every format of text."""

from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noisewise.tables.engines.duckdb_thread import Reader
from noisewise.tables.files import lines as text_lines
from noisewise.tables.files.lines import LONGEST_LINE, PART, LineEnds, LineStream, parts
from noisewise.tables.files.scan import scan
from tests.tables.every_engine import EveryPass, texts_of

HEADERS = {"csv": b"id,x,note\n", "tsv": b"id\tx\tnote\n", "jsonl": b""}
PIECES = [
    *(
        b",",
        b"\t",
        b'"',
        b'""',
        b"\r",
        b"\0",
        b" ",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xc3",
        b"\xa9",
        b"\\",
        b"#",
        b"\x85",
    ),
    *(
        b"7",
        b"1e3",
        b"a",
        b"{",
        b"}",
        b'{"id": "p", "x": 3}',
        b'"x":',
        b"p,3,",
        b"p\t3\t",
        b"\xe2\x80\xa8",
        b"\x0b\x1c",
    ),
]
ODD = st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)
ANY = st.binary(max_size=30).map(lambda line: line.replace(b"\n", b""))
GOOD = st.sampled_from(
    [
        b"p,1,",
        b'q,2,"a, b"',
        b'"p","3","say ""x"""',
        b"p\t1\tb",
        b'{"id": "p", "x": 1}',
        b'{"x": 2, "id": 5}\r',
    ]
)
LONG = st.builds(lambda line, size: line + b"x" * size, GOOD, st.integers(20, 60))
LINE = st.one_of(GOOD, ODD, ANY, LONG)


def records(folder, ending, lines, *, last=b"\n"):
    """Who has what, by a file of these lines."""
    path = folder / f"x.{ending}"
    path.write_bytes(HEADERS[ending] + b"\n".join(lines) + (last if lines else b""))
    return Counter(texts_of(scan(path), ["id", "x", "note"]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lines")


@pytest.mark.parametrize("ending", HEADERS)
@given(
    lines=st.lists(LINE, max_size=6),
    extra=LINE,
    at=st.integers(0, 6),
    last=st.sampled_from([b"", b"\n"]),
    part=st.sampled_from([1, 7, 50, PART, PART]),
)
@pytest.mark.rest
@example([b"p,1,", b"p\t1\t", b'{"id": "p"}'], b'p,"', 0, b"\n", PART)
@example([b"p,1,", b"p\t1\t", b'{"id": "p"}'], b'p\t"', 0, b"\n", PART)
@example([b"p,1,", b"p\t1\t", b'{"id": "p"}'], b"p,1," + b"x" * 60, 1, b"\n", 50)
@example([b"p,1,", b"p\t1\t", b'{"id": "p"}'], b"p\t1\t" + b"x" * 60, 1, b"\n", 50)
@example([b"p,1,", b"p\t1\t", b'{"id": "p"}'], b"p", 0, b"\n", PART)
@example([b'{"id": "p"}'], b'\xef\xbb\xbf{"id": "p", "x": 1}', 1, b"\n", PART)
@settings(max_examples=50, deadline=None)
def test_one_line_more_is_one_record_more_at_most_and_changes_no_other(
    folder, ending, lines, extra, at, last, part
):
    with patch.object(text_lines, "PART", part), patch.object(text_lines, "LONGEST_LINE", 40):
        without = records(folder, ending, lines)
        alone = records(folder, ending, [extra])
        together = records(folder, ending, [*lines[:at], extra, *lines[at:]], last=last)
    assert alone.total() <= 1
    assert together == without + alone


@pytest.mark.rest
@pytest.mark.parametrize("ending", HEADERS)
@pytest.mark.parametrize("size", [LONGEST_LINE - 1, PART, 2 * PART + 1])
@pytest.mark.parametrize("filled", [b"x", b'"', b","])
def test_long_lines_change_no_other(folder, ending, size, filled):
    others = [b"p,1,", b"p\t1\t", b'{"id": "p", "x": 1}']
    long = (filled * size)[:size]
    without, alone = records(folder, ending, others), records(folder, ending, [long])
    assert alone.total() <= 1
    assert records(folder, ending, [others[0], long, *others[1:]]) == without + alone
    assert records(folder, ending, [*others, long], last=b"") == without + alone


@given(
    content=st.lists(st.sampled_from([b"\n", b"\r", b"ab", b"c"]), max_size=30).map(b"".join),
    part=st.integers(1, 9),
)
@settings(deadline=None)
def test_parts_are_the_lines_of_a_file_whatever_is_read_at_once(folder, content, part):
    path = folder / "parts"
    path.write_bytes(content)
    lines = content.split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    with patch.object(text_lines, "PART", part):
        assert b"".join(parts(str(path), False)) == b"".join(line + b"\n" for line in lines)
        assert b"".join(parts(str(path), True)) == b"".join(line + b"\n" for line in lines[1:])
        found = [LineEnds.of(each) for each in parts(str(path), False)]
    cut = [each.data[i:j] for each in found for i, j in zip(each.starts, each.stops, strict=True)]
    assert cut == [line.removesuffix(b"\r") for line in lines]


def test_a_line_without_an_end_is_not_held_in_memory(folder):
    path = folder / "endless"
    with open(path, "wb") as file:
        file.write(b"first\n")
        for _ in range(20):
            file.write(b"x" * PART)
        file.write(b"\nlast")
    sizes = [len(part) for part in parts(str(path), False)]
    assert max(sizes) <= LONGEST_LINE + PART
    assert sum(LineEnds.of(part).long.sum() for part in parts(str(path), False)) == 1


def test_pieces_are_cut_out_as_they_stand():
    ends = LineEnds.of(b"ab,cd\r\n\nx\n")
    assert ends.starts.tolist() == [0, 7, 8]
    assert ends.stops.tolist() == [5, 7, 9]
    assert ends.cut(ends.starts, ends.stops).to_pylist() == [b"ab,cd", b"", b"x"]
    assert ends.cut(np.array([], int), np.array([], int)).to_pylist() == []


def test_a_stream_is_read_as_often_as_it_is_asked_for_and_not_before(folder):
    import pyarrow as pa

    path = folder / "stream"
    lines = LineStream(Reader(None), (str(path),), False, 1, lambda ends: [ends.cut(ends.starts, ends.stops)])
    readers = [pa.RecordBatchReader.from_stream(lines) for _ in range(2)]  # of a file that is not there yet
    path.write_bytes(b"a\nb")
    for reader in readers:
        assert reader.read_all().column("c0").to_pylist() == [b"a", b"b"]


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "csv.zst", "utf-16"])
def test_how_often_progress_is_told_goes_by_the_size_of_files_alone(tmp_path, kind):
    """Two files of one size: many short lines, and few long ones."""
    from gzip import compress

    import pyarrow as pa

    heard = []
    many, few = b"a\n" + b"1\n" * 5000, b"a\n" + (b"1" * 4999 + b"\n") * 2
    assert len(many) == len(few)
    for index, content in enumerate((many, few)):
        packed = {
            "csv": lambda data: data,
            "csv.gz": lambda data: compress(data, 0),
            "csv.zst": lambda data: pa.compress(data, "zstd", asbytes=True),
            "utf-16": lambda data: data.decode().encode("utf-16"),
        }[kind](content)
        path = tmp_path / f"{index}.{kind if kind != 'utf-16' else 'csv'}"
        path.write_bytes(packed)
        told = []
        encoding = "utf-16" if kind == "utf-16" else "utf-8"
        with patch.object(text_lines, "PART", len(packed) // 4):
            table = scan(
                path, progress=EveryPass(lambda _, done, told=told: told.append(done)), encoding=encoding
            )
            table.rows(None).size()
        heard.append(told)
    assert heard[0] == heard[1] == [None, 0.25, 0.5, 0.75, 1.0]


def test_progress_over_several_files_goes_on(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.csv").write_bytes(b"a\n" + b"1\n" * 999)
    told = []
    with patch.object(text_lines, "PART", 1000):
        scan(tmp_path / "*.csv", progress=EveryPass(lambda _, done: told.append(done))).rows(None).size()
    assert told == [None, 0.25, 0.5, 0.75, 1.0]
