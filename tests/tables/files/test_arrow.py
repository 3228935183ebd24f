"""Parquet and Arrow files with text that is no UTF-8: every question is answered, and as if that text were missing."""

import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from noisewise import Dataset, SchemaError, floors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.labels import Labels
from noisewise.tables.files.arrow import FileTable
from noisewise.tables.files.scan import scan
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from tests.tables.every_engine import EveryPass

LATTICE = Lattice.between((0, 100))
WRONG = b"\xff\xfea"
PARQUET = {
    "dictionaries": {},
    "plain": {"use_dictionary": False},
    "no statistics": {"write_statistics": False},
    "no schema": {"store_schema": False},
}
ROADS = [*PARQUET, "arrow", "compressed arrow"]


def text(records, kind=None):
    """An Arrow array that says it is text, whatever its bytes are."""
    raw = [record.encode() if isinstance(record, str) else record for record in records]
    kind = kind or pa.string()
    held = pa.array(raw, pa.large_binary() if kind == pa.large_string() else pa.binary())
    return pa.Array.from_buffers(kind, len(raw), held.buffers(), held.null_count)


def staff(last):
    """Sixteen rows in each column of text, of which the last is as given; None stands for a missing one."""
    rows = [*["a", "b", "a"] * 5, last]
    places = pa.array([*[0, 1, 0] * 5, None if last is None else 2], pa.int32())
    coded = pa.DictionaryArray.from_arrays(places, text(["a", "b", WRONG if last is None else last]))
    return pa.table(
        {
            "s": text(rows),
            "long": text(rows, pa.large_string()),
            "coded": coded,
            "x": pa.array(range(16)),
            "other": text(["a", "b"] * 8),
        }
    )


def written(path, table, road):
    if road in PARQUET:
        parquet.write_table(table, path := path / "t.parquet", **PARQUET[road])
    else:
        compression = "uncompressed" if road == "arrow" else "zstd"
        feather.write_feather(table, path := path / "t.arrow", compression=compression)
    return path


def answers(path, name):
    """Everything that is read of a column of text, before any noise: as a unit, a key, a label, and beside others."""
    people, keys = Choice(name, 3, None, "salt"), Keys.of((name,), ["a", "b"])
    few = scan(path).column("x", people, "median").read(LATTICE, "add_remove")
    groups = scan(path).grouped("x", keys, None).read(LATTICE, "add_remove")
    both = scan(path).grouped("x", keys, Choice("other", 4, 1, "salt")).read(LATTICE, "add_remove")
    found = scan(path).count_keys((name,), Choice("x", 1, None, "salt"), 1)()
    here = scan(path).fetcher(("x", name), people, "", numeric=("x",), keys=keys)()
    rows = scan(path).rows(None).read(LATTICE, "add_remove")
    told = {
        "unit": few.ranks(1, few.count + 1).tolist(),
        "group": groups.counts.tolist(),
        "ranks": groups.ranks(np.array([1, 1]), groups.counts + 1).tolist(),
        "both": both.counts.tolist(),
        "labels": scan(path).labels(name, None).labels().counts(Labels.of(["a", "b", "c"])).tolist(),
        "found": dict(zip(found.keys.listed(), found.persons.tolist(), strict=True)),
        "here": sorted(zip(here.table.frame["x"].to_list(), here.row_groups.tolist(), strict=True)),
        "unused": len(scan(path).columns(("x",), None)[0].fetch()[0]),
        "rows": rows.count,
    }
    return told


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("name", ["s", "long", "coded"])
def test_text_in_a_wrong_encoding_is_missing_whatever_is_asked(tmp_path, road, name):
    missing, wrong = staff(None), staff(WRONG)
    if name != "coded":  # whose dictionary an Arrow file has in every question
        missing, wrong = missing.drop(["coded"]), wrong.drop(["coded"])
    expected, found = (answers(written(tmp_path, each, road), name) for each in (missing, wrong))
    assert found == expected
    assert found["rows"] == found["unused"] == 16
    assert found["group"] == [10, 5] and found["labels"] == [10, 5, 0]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_neighbouring_files_are_both_answered(tmp_path, road, neighbors):
    for last in ("a", WRONG, "\ud800".encode("utf-8", "surrogatepass"), b"\xc0\x80", "\0"):
        path = written(tmp_path, staff(last), road)
        one, how = Dataset.scan(path, neighbors=neighbors), {"bounds": (0, 100), "epsilon": 64}
        assert 5 <= one.median("x", **how).value <= 10
        assert 5 <= Dataset.scan(path, neighbors=neighbors).mean("x", **how).value <= 10
        if neighbors == "add_remove":
            assert one.count(epsilon=64).value == 16
            assert one.histogram("s", ["a", "b"], epsilon=64).value == (10 + (last == "a"), 5)
            grouped = one.group_by("coded", keys=["a", "b"])
            assert len(grouped.mean("x", **how).value) == len(grouped.std("x", **how).value) == 2
        assert Dataset.scan(path, unit="s").group_by("long", keys=["a"]).count(epsilon=1).value


@pytest.mark.parametrize("road", ROADS)
def test_a_file_of_text_alone_still_has_rows(tmp_path, road):
    path = written(tmp_path, pa.table({"s": text(["a", WRONG, "b"]), "t": text([WRONG, "a", "a"])}), road)
    assert Dataset.scan(path).count(epsilon=64).value == 3
    assert Dataset.scan(path).histogram("t", ["a"], epsilon=64).value == (2,)


def test_statistics_of_text_are_not_looked_at(tmp_path):
    frame = scan(written(tmp_path, staff(WRONG), "plain"))._frame.to_native()
    assert frame.filter(pl.col("s") == "a").select("x").collect(engine="streaming").height == 10


def test_unused_text_is_not_read(tmp_path):
    path = written(tmp_path, staff(WRONG), "dictionaries")
    told, table = [], scan(path, progress=EveryPass(lambda *said: told.append(said)))
    assert isinstance(table, FileTable) and repr(table) == "<FileTable: withheld>"
    assert table.rows(None).read(LATTICE, "add_remove").count == 16
    assert len(told) == 2  # one query, and none for the text


def test_a_column_is_read_through_once_and_progress_does_not_tell_what_was_found(tmp_path):
    heard = []
    for last in ("a", WRONG):
        told = []
        path = written(tmp_path, staff(last), "plain")
        table = scan(path, progress=EveryPass(lambda *said, told=told: told.append(said)))
        for _ in range(2):
            table.column("x", Choice("s", 9, None, "salt"), "median").read(LATTICE, "add_remove")
        heard.append(told)
    assert heard[0] == heard[1] and len(heard[0]) == 6


def many():
    moments = [0, -1, 1, -999, -1001, None, 10**15 + 1, -(10**15) - 7, 1420502399123]
    columns = {
        f"{unit} {zone}": pa.array(moments, pa.timestamp(unit, zone))
        for unit in ("s", "ms", "us", "ns")
        for zone in (None, "UTC", "Europe/Berlin")
    }
    floats = [0.1, float("nan"), float("inf"), -float("inf"), -0.0, 5e-324, None, 2, 3]
    whole = [-(2**63), 2**63 - 1, 2**53 + 1, None, 0, 1, 2, 3, 4]
    columns |= {f"{kind}": pa.array(floats, kind) for kind in (pa.float32(), pa.float64())}
    columns |= {"halffloat": pa.array([None if x is None else np.float16(x) for x in floats], pa.float16())}
    columns |= {"i64": pa.array(whole, pa.int64()), "u64": pa.array([2**64 - 1, None, *[1] * 7], pa.uint64())}
    columns |= {
        f"{kind}": pa.array([7, None, *[1] * 7], kind) for kind in (pa.int8(), pa.uint16(), pa.int32())
    }
    columns |= {"d": pa.array([Decimal("-1.25"), None, *[Decimal("99999999.99")] * 7], pa.decimal128(10, 2))}
    columns |= {"b": pa.array([True, False, None] * 3), "n": pa.nulls(9)}
    columns |= {
        "date": pa.array([0, -1, 2**31 - 1, -(2**31), None, 1, 2, 3, 4], pa.int32()).cast(pa.date32())
    }
    columns |= {f"{kind}": pa.array([0, 86399, None] * 3, kind) for kind in (pa.time32("s"), pa.time64("ns"))}
    columns |= {
        f"{kind}": pa.array([0, -1, None] * 3, kind) for kind in (pa.duration("us"), pa.duration("ns"))
    }
    words = ["a", "é", None, "", "𝄞", "x" * 100, "b", "c", "a"]
    return columns | {"text": pa.array(words), "coded": pa.array(words).dictionary_encode()}


@pytest.mark.parametrize("road", ROADS)
def test_both_readers_hand_out_the_same_records(tmp_path, road):
    """Or one person's text would change what others have. Columns that are not the same are known as unlike."""
    columns = many()
    table = scan(written(tmp_path, pa.table(columns), road))
    native, spare = (each.to_native().collect() for each in (table._frame, table._spare.frame()))
    assert native.schema == spare.schema
    alike = [name for name in native.columns if name not in table._spare.unlike]
    assert len(alike) >= len(columns) - (1 if pl.__version__ >= "2" else 4)
    for name in alike:
        one, other = (bits(each[name]) for each in (native, spare))
        assert one == other, name


def bits(series):
    """What a column holds to the last bit, signs of zeros too."""
    if series.dtype == pl.Null or series.dtype in (pl.String, pl.Categorical):
        return series.cast(pl.String).to_list()
    return sha256(repr(series.to_physical().to_list()).encode()).hexdigest()


@pytest.mark.parametrize("schema", [True, False])
def test_a_column_that_readers_tell_apart_is_not_asked_about_beside_text(tmp_path, schema):
    rows = {"t": [datetime(2020, 1, 1), datetime(9999, 1, 1)], "s": ["a", "b"], "x": [1, 2]}
    old = {"use_deprecated_int96_timestamps": True, "store_schema": schema}
    parquet.write_table(pa.table(rows), path := tmp_path / "t.parquet", **old)
    bounds = (datetime(2000, 1, 1), datetime(2030, 1, 1))
    assert Dataset.scan(path).median("t", bounds=bounds, epsilon=1).value
    assert Dataset.scan(path, unit="s").median("x", bounds=(0, 9), epsilon=1).value >= 0
    refused = r"^column 't' must be of a type that PyArrow and Polars read alike .* as 's' is, got Datetime$"
    named = Dataset.scan(path, unit="s")
    for ask in (
        lambda: named.median("t", bounds=bounds, epsilon=1),
        lambda: named.quantiles("t", [0.5], bounds=bounds, epsilon=1),
        lambda: Dataset.scan(path).group_by("s", keys=["a"]).median("t", bounds=bounds, epsilon=1),
        lambda: Dataset.scan(path, unit="t").most_common("s", ["a"], epsilon=1),
        lambda: Dataset.scan(path).group_by("s", "t", epsilon=1, delta=0.1),
    ):
        with pytest.raises(SchemaError, match=refused):
            ask()


def test_dates_are_read_by_either_reader(tmp_path):
    for last in ("a", WRONG):
        table = staff(last).append_column("t", pa.array([datetime(2020, 1, 1, tzinfo=UTC)] * 16))
        data = Dataset.scan(written(tmp_path, table, "plain"), unit="s", contributions=20)
        bounds = (datetime(2019, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC))
        for _ in range(2):  # once more by the same table
            found = data.median("t", bounds=bounds, epsilon=64, granularity=timedelta(days=30)).value
            assert abs(found - datetime(2020, 1, 1, tzinfo=UTC)) < timedelta(days=200)


def test_a_file_with_text_wants_pyarrow_and_says_so(tmp_path, monkeypatch):
    pl.DataFrame({"s": ["a"]}).write_parquet(tmp_path / "s.parquet")
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "x.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        SchemaError,
        match=r'^columns of text in such files are read by pyarrow: pip install "polars>=1.37.1" "pyarrow>=16.0.0"$',
    ):
        scan(tmp_path / "s.parquet")
    assert scan(tmp_path / "x.parquet").names == ("x",)


@pytest.mark.parametrize("column", [["a"], [datetime(2020, 1, 1)], [timedelta(1)], [["a"]], [Decimal("1.5")]])
def test_duckdb_alone_reads_no_column_that_it_may_refuse(tmp_path, monkeypatch, column):
    parquet.write_table(pa.table({"x": [1.5], "c": column}), path := tmp_path / "t.parquet")
    monkeypatch.setitem(sys.modules, "polars", None)
    held = "INTERVAL" if isinstance(column[0], timedelta) else ""
    if held:  # a number of microseconds to DuckDB
        assert scan(path).names == ("x", "c")
        return
    with pytest.raises(
        SchemaError, match=r"^columns of Parquet files that are no plain numbers or dates are read"
    ):
        scan(path)


@pytest.mark.parametrize(("version", "refused"), [("1.35.1", True), ("2.0.0", False), ("10.0", False)])
def test_times_of_day_are_not_asked_about_with_text_where_polars_misreads_seconds(
    tmp_path, monkeypatch, version, refused
):
    """PyArrow reads them as they are, so somebody's text would change what others have."""
    columns = {"t": pa.array([0, 86399], pa.time32("s")), "s": ["a", "b"], "x": [1.0, 2.0]}
    monkeypatch.setattr(pl, "__version__", version)
    monkeypatch.setitem(floors.FLOORS, "polars", "1.0")
    table = scan(written(tmp_path, pa.table(columns), "plain"))
    assert ("t" in table._spare.unlike) == refused
