"""Public files: every format, what is no number, and what is refused."""

import numpy as np
import polars
import pytest

from noisewise.errors import ParameterError, SchemaError
from noisewise.explorer import data_files as files
from noisewise.explorer.bindings import Bindings
from noisewise.explorer.data_files import Beginning, PublicFile, PublicFiles


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "jsonl", "csv.gz"])
def test_every_format_is_read(tmp_path, ending):
    path = tmp_path / f"public.{ending}"
    frame = polars.DataFrame({"pay": [1.5, None, 3.0], "name": ["7", "x", None]})
    if ending == "csv.gz":
        import gzip

        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    else:
        write = {"csv": "write_csv", "tsv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc"}
        more = {"separator": "\t"} if ending == "tsv" else {}
        getattr(frame, write.get(ending, "write_ndjson"))(path, **more)
    file = PublicFile.of(str(path), Bindings(folder=tmp_path))
    assert file.columns == ("pay", "name")
    assert file.numbers("pay").tolist() == [1.5, 3.0]
    assert file.numbers("name").tolist() == [7.0]


@pytest.mark.parametrize(
    ("ending", "write"), [("jsonl", "write_ndjson"), ("arrow", "write_ipc"), ("csv", "write_csv")]
)
def test_a_name_that_looks_like_a_pattern_is_the_name_of_one_file(tmp_path, ending, write):
    for name, pay in (("s[1]", 7.0), ("s1", 999.0)):
        getattr(polars.DataFrame({"pay": [pay]}), write)(tmp_path / f"{name}.{ending}")
    assert PublicFile.of(str(tmp_path / f"s[1].{ending}"), Bindings(folder=tmp_path)).numbers(
        "pay"
    ).tolist() == [7]


@pytest.mark.parametrize("how", ["overwritten", "linked"])
def test_another_file_in_the_place_of_one_that_was_judged_is_not_read(tmp_path, how):
    public, private = tmp_path / "public.csv", tmp_path / "private.csv"
    public.write_text("pay,age\n1,2\n")
    private.write_text("pay,age\n777,888\n")
    (tmp_path / "link.csv").symlink_to(public)
    file = PublicFile.of(str(tmp_path / "link.csv"), Bindings(folder=tmp_path))
    if how == "linked":
        (tmp_path / "link.csv").unlink()
        (tmp_path / "link.csv").symlink_to(private)
    else:
        public.write_text(private.read_text())
    with pytest.raises(SchemaError, match="must stay as it was when the explorer was started"):
        file.numbers("pay")


def test_columns_that_hold_no_numbers(tmp_path, monkeypatch):
    path = tmp_path / "public.csv"
    path.write_text("pay,name\n1,x\n2,y\n")
    held = PublicFiles((PublicFile.of(str(path), Bindings(folder=tmp_path)),))
    assert np.array_equal(held.numbers("0/pay"), [1.0, 2.0])
    for named, says in (
        ("0/name", "a number at least"),
        ("0/age", "one of pay, name"),
        ("1/pay", "was started"),
        ("", "was"),
    ):
        with pytest.raises(ParameterError, match=says):
            held.numbers(named)
    monkeypatch.setattr(files, "MOST", 1)
    with pytest.raises(ParameterError, match="at most 1 numbers"):
        PublicFile.of(str(path), Bindings(folder=tmp_path)).numbers("pay")


@pytest.mark.parametrize(
    ("least", "most", "decimals", "begin"),
    [
        (17, 90, 0, ("0", "90", "1")),
        (1990, 2026, 0, ("1990", "2030", "1")),
        (0, 99_999, 0, ("0", "100000", "20")),
        (0.02, 0.97, 2, ("0", "1", "0.01")),
        (-7, -7, 0, ("-7", "-6", "1")),
        (0, 0, 0, ("0", "1", "1")),
        (-1e-9, 1e-9, 4, ("-0.000000001", "0.000000001", "0.0000000001")),
        (-1e300, 1e300, 0, ("-1E+300", "1E+300", "5E+296")),
    ],
)
def test_bounds_to_begin_with_are_round_and_hold_every_record(least, most, decimals, begin):
    found = Beginning.of(float(least), float(most), decimals)
    low, high, step = map(float, found)
    assert low <= least <= most <= high and 1 <= (high - low) / step <= 5001
    assert found == begin


def test_a_file_begins_with_its_first_column_of_numbers(tmp_path):
    path = tmp_path / "public.csv"
    path.write_text("sex,note,length,rings\nM,7,0.25,3\nF,x,0.5,11\nF,,inf,\n")
    file = PublicFile.of(str(path), Bindings(folder=tmp_path))
    assert file.beginnings == {
        "length": Beginning("0.2", "0.5", "0.01"),
        "rings": Beginning("0", "11", "1"),
        "note": Beginning("7", "8", "1"),
    }, "sex holds no number, and most of the notes are none"
    path.write_text("sex\nM\n")
    with pytest.raises(SchemaError, match="a column that holds numbers"):
        PublicFile.of(str(path), Bindings(folder=tmp_path))


def test_files_that_cannot_be_explored(tmp_path, monkeypatch):
    (tmp_path / "a.xlsx").write_bytes(b"x")
    (tmp_path / "a.parquet").write_bytes(b"x")
    (tmp_path / "a.csv").write_text("a\n1\n")
    bindings = Bindings(folder=tmp_path)
    for name, says in (
        ("no.csv", "can be read"),
        ("a.xlsx", "one of parquet"),
        ("a.parquet", "as its ending says"),
    ):
        with pytest.raises(SchemaError, match=says):
            PublicFile.of(str(tmp_path / name), bindings)
    monkeypatch.setattr(files, "LARGEST", 1)
    with pytest.raises(SchemaError, match="at most 256 MiB"):
        PublicFile.of(str(tmp_path / "a.csv"), bindings)
