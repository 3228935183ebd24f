"""Files as tables: what is read, what is missing, and that no text of any kind makes a release fail."""

import bz2
import gzip
import json
import sys
from itertools import islice

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import noisewise as nws
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.labels import Labels
from noisewise.tables.files.lines import LONGEST_LINE
from noisewise.tables.files.scan import scan
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from tests.tables.every_engine import EveryPass

LATTICE = Lattice.between((-10, 1000))
PIECES = [
    b",",
    b"\n",
    b"\r\n",
    b'"',
    b"1",
    b"a",
    b"\xff",
    b"\0",
    b" ",
    b"\r",
    b'""',
    b",1\n",
    b"\xe9",
    b"\\",
    b"#",
]
OBJECTS = [
    *(
        b'{"a":1,"b":"x"}\n',
        b'{"a":"2"}\n',
        b'{"a":[1],"b":{"c":1}}\n',
        b"{",
        b"}",
        b"\n",
        b'"',
        b"1",
        b":",
        b"a",
    ),
    *(b"\xff", b"\0", b"null\n", b"[1,2]\n", b'{"b":true,"a":1e400}\n', b'{"a":1,"a":2}\n'),
]


def test_true_and_false_of_json_are_text(tmp_path):
    path = write(tmp_path / "t.jsonl", '{"flag": true}\n{"flag": false}\n{"flag": true}\n' * 50)
    data = nws.Dataset.scan(path)
    assert data.most_common("flag", ["false", "true"], epsilon=60).value == "true"
    assert data.count("flag", epsilon=60).value == 150
    assert data.count("flag", "true", epsilon=60).value == 100
    assert data.private_bounds("flag", epsilon=60).value is None  # no numbers


def test_progress_is_told_after_the_debit_and_never_of_rows(tmp_path):
    heard = []
    for rows in (3, 3000):
        told = []

        class Purse:
            def debit(self, loss, told=told, **said):
                told.append("debit")

        path = write(tmp_path / f"{rows}.csv", "a\n" + "1\n" * rows)
        scanned = nws.Dataset.scan(path, ledger=Purse(), progress=lambda *said, told=told: told.append(said))
        scanned.count("a", epsilon=1)
        heard.append(told)
    assert heard[0] == heard[1] == ["debit", ("reading the data", None), ("reading the data", 1.0)]
    with pytest.raises(ParameterTypeError, match="progress must be a function, got True"):
        nws.Dataset.scan(path, progress=True)


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def records(table, name="a", choice=None):
    column = table.column(name, choice, "median").read(LATTICE, "add_remove")
    return column.ranks(1, column.count + 1).tolist()


@pytest.mark.parametrize(
    "file", ["x.parquet", "x.pq", "x.arrow", "x.feather", "x.csv", "x.tsv", "x.jsonl", "x.ndjson"]
)
def test_every_format_is_read_alike(tmp_path, file):
    path, data = (
        tmp_path / file,
        pl.DataFrame({"a": [3.5, None, 2.0], "b": ["x", "y", None], "id": [1, 1, 2]}),
    )
    ending = path.suffix[1:]
    if ending in ("parquet", "pq"):
        data.write_parquet(path)
    elif ending in ("arrow", "feather"):
        data.write_ipc(path)
    elif ending in ("csv", "tsv"):
        data.write_csv(path, separator="," if ending == "csv" else "\t")
    else:
        data.write_ndjson(path)
    table = scan(path)
    assert table.names == (None if ending in ("jsonl", "ndjson") else ("a", "b", "id"))
    assert records(table) == [2, 4]
    assert records(table, choice=Choice("id", 1, None, "salt")) == [2, 4]
    groups = table.grouped("a", Keys.of(("b",), ["y", "x", "z"]), None).read(LATTICE, "add_remove")
    assert groups.counts.tolist() == [0, 1, 0]
    assert table.labels("b", None).labels().counts(Labels.of(["x", "y", "None", ""])).tolist() == [1, 1, 0, 0]
    assert nws.median(table.column("a", None, "median"), bounds=(0, 9), epsilon=9).value in range(10)


def test_a_format_can_be_said_where_the_ending_does_not(tmp_path):
    assert records(scan(write(tmp_path / "data", "a\n5\n"), format="CSV")) == [5]
    assert records(scan(str(write(tmp_path / "data.txt", "a\tb\n6\t7\n")), format="tsv"), "b") == [7]


def test_several_files_are_one_table(tmp_path):
    for name, content in (("1.csv", "a,b\n1,x\n"), ("2.csv", "a,b\r\n2,y\r\n"), ("3.csv", "a,b")):
        write(tmp_path / name, content)
    assert records(scan(tmp_path / "*.csv")) == [1, 2]
    for place in range(2):
        pl.DataFrame({"a": [place]}).write_parquet(tmp_path / f"{place}.parquet")
    assert records(scan(str(tmp_path / "?.parquet"))) == [0, 1]


def test_a_name_that_looks_like_a_pattern_is_a_file_where_there_is_one(tmp_path):
    for name in ("a[1].csv", "a1.csv"):
        write(tmp_path / name, "a\n1\n" if "[" in name else "a\n2\n")
    assert records(scan(tmp_path / "a[1].csv")) == [1]
    for ending in ("parquet", "ipc"):
        getattr(pl.DataFrame({"a": [7]}), f"write_{ending}")(tmp_path / f"p[1].{ending}")
        assert records(scan(tmp_path / f"p[1].{ending}")) == [7]


@pytest.mark.rest
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_the_names_of_folders_are_no_data(tmp_path, monkeypatch, ending, engine):
    """A folder "a=9" made every record a 9, and "id=7" made all people one."""
    folder = tmp_path / "a=9" / "id=7"
    folder.mkdir(parents=True)
    data = pl.DataFrame({"a": [1, 2, 3], "id": [1, 2, 3]})
    if ending in ("csv", "tsv"):
        data.write_csv(folder / f"x.{ending}", separator="," if ending == "csv" else "\t")
    else:
        written = {"parquet": data.write_parquet, "arrow": data.write_ipc, "jsonl": data.write_ndjson}[ending]
        written(folder / f"x.{ending}")
    if engine == "duckdb" and ending == "parquet":
        monkeypatch.setitem(sys.modules, "polars", None)
    for path in (
        folder / f"x.{ending}",
        tmp_path / "*" / "*" / f"*.{ending}",
        tmp_path / "**" / f"x.{ending}",
    ):
        table = scan(path)
        assert table.names in (None, ("a", "id"))
        assert records(table) == [1, 2, 3]
        assert records(table, choice=Choice("id", 1, None, "salt")) == [1, 2, 3]
    other = tmp_path / "year=2024" / f"x.{ending}"
    other.parent.mkdir()
    other.write_bytes((folder / f"x.{ending}").read_bytes())
    assert scan(other).names in (None, ("a", "id"))


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl"])
def test_a_text_file_that_is_packed_otherwise_is_refused_when_it_is_opened(tmp_path, format):
    """By its name, whatever is in it: a record must not decide whether JSON lines are refused."""
    packed = (
        r"^text files must be packed by gzip or zstd, all alike, or not at all, got '.*{}'; unpack it first$"
    )
    for content in (b"a,b\n1,2\n", bz2.compress(b"a,b\n1,2\n"), b"BZh"):
        with pytest.raises(SchemaError, match=packed.format("x.bz2")):
            scan(write(tmp_path / "x.bz2", content), format=format)
    with pytest.raises(SchemaError, match=packed.format("2.ZST")):
        write(tmp_path / "1.csv", "a\n1\n")
        write(tmp_path / "2.ZST", "a\n1\n")
        scan(tmp_path / "[12].*", format=format)
    with pytest.raises(
        SchemaError, match=r"^a file of format parquet must not be packed, got '.*x.parquet.gz'"
    ):
        scan(write(tmp_path / "x.parquet.gz", b"PAR1"))


def test_a_packed_table_is_told_by_its_first_bytes_and_json_lines_by_none(tmp_path):
    hints = {
        gzip.compress(b"a,b\n1,2\n"): r'say that it is packed, as in format="csv.gz"',
        b"BZh91AY\xff": "unpack it first",
    }
    for content, hint in hints.items():
        path = write(tmp_path / "x.csv", content)
        with pytest.raises(SchemaError, match=rf"^text files must be packed .*, got '.*x.csv'; {hint}$"):
            scan(path)
        assert nws.Dataset.scan(path, format="jsonl").count("a", epsilon=60).value == 0
    assert records(scan(write(tmp_path / "x.csv", "BZh,a\n1,2\n"))) == [2]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("a,b\r\n1,x\r\n2,y\r\n", [1, 2]),
        ("\ufeffa,b\n1,x\n", [1]),
        ("a,b\n1\n2,y,z\n3,w\n,\n\n4,v\n", [2, 3, 4]),
        ('a,b\n"1","x,1"\n"2","y""q"\n3,"multi\nline"\n4,z\n', [1, 2, 4]),
        (b"a,b\n1\xe9,x\n2,y\n", [2]),
        ("a,b\n1,x\n2,y", [1, 2]),
        ("a,b\n", []),
        ("a,b", []),
        ("a,b\n#1,x\n2,y\n", [2]),
        ("a,b\n1," + "x" * 3_000_000 + "\n2,y\n", [2]),
        ('a,b\n"1,000",x\n 12 ,y\nnan,z\n', [12]),
    ],
    ids=[
        "crlf",
        "bom",
        "ragged",
        "quotes",
        "encoding",
        "no end",
        "no rows",
        "header",
        "comment",
        "long",
        "cells",
    ],
)
def test_what_is_no_row_is_a_missing_record(tmp_path, content, found):
    table = scan(write(tmp_path / "x.csv", content))
    column = table.column("a", None, "median").read(LATTICE, "add_remove")
    both = table.columns(("a", "b"), None)
    assert column.ranks(1, column.count + 1).tolist() == found
    assert len(both[0].fetch()[0]) >= len(found)


@pytest.mark.parametrize(("ending", "pieces"), [("csv", PIECES), ("tsv", PIECES), ("jsonl", OBJECTS)])
def test_no_text_makes_a_release_fail(tmp_path, ending, pieces):
    rng = np.random.default_rng(2)
    first = {"csv": b"a,b\n", "tsv": b"a\tb\n", "jsonl": b""}[ending]
    for place in range(40):
        content = b"".join(pieces[i] for i in rng.integers(0, len(pieces), rng.integers(0, 40)))
        table = scan(write(tmp_path / f"{place}.{ending}", first + content))
        column = table.column("a", None, "median").read(LATTICE, "add_remove")
        assert column.ranks(1, column.count + 1).size == column.count == column.sums().count


def test_a_file_that_changed_is_refused(tmp_path):
    path = write(tmp_path / "x.csv", "a\n1\n")
    table = scan(path)
    write(path, "a\n1\n2\n")
    with pytest.raises(SchemaError, match=r"^the files of a scan must stay as they were when it was opened"):
        table.column("a", None, "median")


def test_progress_is_told(tmp_path):
    told = []
    table = scan(
        write(tmp_path / "x.csv", "a\n1\n"),
        progress=EveryPass(lambda doing, done: told.append((doing, done))),
    )
    assert told == []
    assert records(table) == [1]
    assert set(told) == {("reading the data", None), ("reading the data", 1.0)}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.csv", None, "^source must be a file that can be read, got '.*none.csv'$"),
        ("*.csv", None, r"^source must be a file that can be read, got '.*\*.csv'$"),
        ("x.csv", b"", "^the first line of '.*x.csv' must be the names of the columns, as UTF-8$"),
        ("x.csv", b"\xff\xfea\x00", 'columns, as UTF-8; say how it is encoded, as in encoding="utf-16"$'),
        ("x.csv", b'a,"b\n1,2\n', "must be the names of the columns, as UTF-8$"),
        ("x.csv", b"a" * LONGEST_LINE, "must be the names of the columns, as UTF-8$"),
        ("x.csv", b"a,b\r1,2\r3,4\r", "must be the names of the columns, as UTF-8$"),
        ("x.csv", b"a,A\n1,2\n", "^columns must have different names, capitals aside$"),
        ("x.parquet", b"no parquet", "^source must be a file of format 'parquet', got '.*x.parquet'$"),
        ("x.arrow", b"no arrow", "^source must be a file of format 'arrow', got '.*x.arrow'$"),
    ],
)
def test_what_cannot_be_read_is_refused_when_it_is_opened(tmp_path, name, content, message):
    if content is not None:
        write(tmp_path / name, content)
    with pytest.raises(SchemaError, match=message):
        scan(tmp_path / name)


def test_files_that_do_not_match_are_refused(tmp_path):
    write(tmp_path / "1.csv", "a,b\n")
    write(tmp_path / "2.csv", "a,c\n")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"a": ["x"]}).write_parquet(tmp_path / "2.parquet")
    pl.DataFrame({"a": [1]}).write_ipc(tmp_path / "1.arrow")
    pl.DataFrame({"b": [1]}).write_ipc(tmp_path / "2.arrow")
    for pattern in ("*.csv", "*.parquet", "*.arrow"):
        with pytest.raises(
            SchemaError, match=r"^the files of a scan must have the same columns of the same types$"
        ):
            scan(tmp_path / pattern)


def test_wrong_parameters_are_refused(tmp_path):
    path = write(tmp_path / "x.txt", "a\n1\n")
    formats = "^format must be one of 'parquet', 'csv', 'tsv', 'arrow', 'jsonl', got "
    for format in (None, "xml", 3):
        with pytest.raises(ParameterError, match=formats):
            scan(path, format=format)
    with pytest.raises(ParameterTypeError, match=r"^source must be a path or a pattern, got 3$"):
        scan(3)


def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "x.parquet")
    pl.DataFrame({"a": [1]}).write_ipc(tmp_path / "x.arrow")
    write(tmp_path / "x.csv", "a\n1\n")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(
        SchemaError, match=r'^text files are read by duckdb: pip install "duckdb>=1.5.6" "pyarrow>=16.0.0"$'
    ):
        scan(tmp_path / "x.csv")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(
        SchemaError,
        match=r'^Parquet files are read by polars: pip install "polars>=1.37.1" "pyarrow>=16.0.0"$',
    ):
        scan(tmp_path / "x.parquet")
    with pytest.raises(
        SchemaError, match=r'^Arrow files are read by polars: pip install "polars>=1.37.1" "pyarrow>=16.0.0"$'
    ):
        scan(tmp_path / "x.arrow")
    monkeypatch.setitem(sys.modules, "duckdb", duckdb)
    assert records(scan(tmp_path / "x.parquet")) == [1]


def test_a_large_text_file_is_read_in_passes(tmp_path):
    lines = (json.dumps({"a": place % 997, "b": "x" * 20}) for place in range(200_000))
    with open(tmp_path / "x.jsonl", "w") as file:
        while some := list(islice(lines, 10_000)):
            file.write("\n".join(some) + "\n")
    column = scan(tmp_path / "x.jsonl").column("a", None, "median").read(LATTICE, "add_remove")
    assert column.count == 200_000
    assert (
        column.ranks(100_001, 100_002).tolist() == np.sort(np.arange(200_000) % 997)[100_000:100_001].tolist()
    )


def test_the_lines_of_a_text_file_are_no_public_number(tmp_path):
    """A line too short to be read is no record: under swap the number of records would say what a record says."""
    path = tmp_path / "staff.csv"
    path.write_text("name,x\nann,1\nbob,2\ncyd\n")
    with pytest.raises(nws.ParameterError, match="what a record says decides how many there are"):
        nws.Dataset.scan(path, neighbors="swap")
    assert nws.Dataset.scan(path).count(epsilon=60).value in (2, 3)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_file_with_decimals_that_are_too_wide_is_refused_by_its_types(tmp_path, ending):
    table, file = (
        pa.table({"d": pa.array([None], pa.decimal256(50, 2)), "x": [1.0]}),
        tmp_path / f"t.{ending}",
    )
    if ending == "parquet":
        pyarrow.parquet.write_table(table, file)
    else:
        with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    words = r"^(decimals must have at most 38 digits, got column 'd' of type |columns must be of types that Polars)"
    with pytest.raises(SchemaError, match=words):
        scan(file)


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_file_that_cannot_be_opened_is_told_as_any_other(tmp_path, monkeypatch, ending):
    path = tmp_path / f"x.{ending}"
    path.write_text("a\n1\n")

    def refuses(file, *how, **more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuses)
    with pytest.raises(SchemaError, match=r"^source must be a file that can be read, got '.*x\.(csv|tsv)'$"):
        scan(path)


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_column_without_a_name_is_called_by_its_place(tmp_path, ending):
    """As pandas writes its index."""
    mark = {"csv": ",", "tsv": "\t"}[ending]
    path = tmp_path / f"x.{ending}"
    path.write_text('|x|""\n0|1|5\n1|2|6\n1|3|7\n'.replace("|", mark))
    data = nws.Dataset.scan(path, types={"column3": "number"})
    asked = {"bounds": (0, 9), "granularity": 1, "epsilon": 60}
    assert data.columns == ("column1", "x", "column3")
    assert [data.max(name, **asked).value for name in data.columns] == [1, 3, 7]
    assert data.group_by("column1", keys=["1"]).max("column3", **asked).value == (7,)
    assert data.where("column1 = 0").max("x", **asked).value == 1
    assert nws.Dataset.scan(path, unit="column1").count(epsilon=60).value == 2
    with pytest.raises(SchemaError, match="must be one of 'column1', 'x', 'column3', got ''"):
        data.max("", **asked)
    path.write_text(f"{mark}Column1\n1{mark}2\n")
    assert nws.Dataset.scan(path).columns == ("column1_", "Column1")
