"""Rows behind an engine pass exactly where those in memory do."""

from typing import Any

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise import Dataset, SchemaError
from noisewise.tables.conditions import Condition
from noisewise.tables.engines.passing import marked
from tests.tables.every_engine import ENGINES, table
from tests.tables.test_passing import CASES, FRAME

ROWS = FRAME.with_columns(pl.int_range(pl.len()).alias("row").cast(pl.Int64))


@pytest.mark.parametrize("engine", ENGINES)
def test_every_comparison_means_what_it_does_in_memory(engine: str) -> None:
    """All conditions in one query: a row that passes adds two to the power of its index."""
    behind = table(engine, ROWS)
    frame, sums = behind.frame, []
    cases = {text: rows for text, rows in CASES.items() if engine != "spark" or text[0] != "t"}  # zoned there
    for index, text in enumerate(cases):
        checked = behind.where(Condition.read(text))._condition
        assert checked is not None
        frame, passing = marked(behind.dialect, frame, checked, None, f"unused{index}_")
        bit = nw.when(passing).then(nw.lit(2) ** nw.col("row")).otherwise(nw.lit(0)).cast(nw.Int64)
        sums.append(bit.sum().alias(f"sum{index}"))
    expected = [sum(2**row for row in rows) for rows in cases.values()]
    assert behind.dialect.totals(frame.select(*sums)) == expected


@pytest.mark.parametrize("engine", ENGINES)
def test_the_filter_leaves_out_the_others(engine: str) -> None:
    data = Dataset(table(engine, ROWS).native_frame)
    chosen = data.where("x > 0 and s != 'N' or not (n < 9 or b = false)")
    assert chosen.max("row", bounds=(0, 10), epsilon=60).value == 6


def test_files_are_filtered_like_frames(tmp_path: Any) -> None:
    ROWS.write_csv(tmp_path / "rows.csv")
    ROWS.write_parquet(tmp_path / "rows.parquet")
    ROWS.write_ndjson(tmp_path / "rows.jsonl")
    types = {"d": "date", "t": "datetime", "x": "number"}
    opened = {
        "csv": Dataset.scan(tmp_path / "rows.csv", types=types),
        "jsonl": Dataset.scan(tmp_path / "rows.jsonl", types=types),
        "parquet": Dataset.scan(tmp_path / "rows.parquet"),
    }
    some = ["x is missing", "n <= 0 or n is missing", "s in ('N', 'n', 'N')", "t > '2020-01-01'", "b != true"]
    for name, data in opened.items():
        for text in some if name != "jsonl" else some[1:]:
            told = data.where(text).group_by("row", keys=range(len(ROWS))).count(epsilon=60).value
            assert [row for row, count in enumerate(told) if count] == sorted(CASES[text]), (name, text)
        groups = data.where("row < 6").group_by("s", keys=["N", "é"]).count(epsilon=60)
        assert groups.value == (1, 0)


def test_text_that_is_no_unicode_does_not_pass_and_does_not_fail(tmp_path: Any) -> None:
    from pyarrow import Table, array, large_binary, parquet, string

    bad = array([b"N", b"\xff", None], large_binary()).cast(string(), safe=False)
    parquet.write_table(Table.from_arrays([bad, array([1, 2, 3])], ["s", "v"]), tmp_path / "bad.parquet")
    data = Dataset.scan(tmp_path / "bad.parquet")
    assert data.where("s = 'N'").max("v", bounds=(0, 9), epsilon=60).value == 1
    assert data.where("s != 'x'").count(epsilon=60).value == 1
    assert data.where("s = '\ud800'").count(epsilon=60).value == 0


def test_cells_declare_nothing_and_types_do(tmp_path: Any) -> None:
    (tmp_path / "c.csv").write_text("a,A b,day,ok\n1,x,2020-01-01,yes\nz,y,never,no\n,x,2020-02-01,2\n")
    data = Dataset.scan(tmp_path / "c.csv")
    for text, count in {
        "a = 1": 1,
        "a = 'z'": 1,
        "ok = true": 1,
        "\"A b\" = 'x'": 2,
        "a is missing": 1,
    }.items():
        assert data.where(text).count(epsilon=60).value == count, text
    typed = Dataset.scan(tmp_path / "c.csv", types={"day": "date", "a": "number"})
    assert typed.where("day >= '2020-01-15'").count(epsilon=60).value == 1
    assert typed.where("a is missing").count(epsilon=60).value == 2
    with pytest.raises(SchemaError, match="capitals"):
        Dataset.scan(tmp_path / "c.csv", format="jsonl").where("a = 1 and A = 1")
