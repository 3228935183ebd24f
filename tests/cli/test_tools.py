"""The columns of a file, and the demo."""

import json

import polars as pl
import pytest

from tests.cli.running import invoke


def test_the_columns_of_a_file_are_shown_by_name_and_declared_type(table):
    shown = invoke("schema", table)
    assert shown.stdout.splitlines()[0].split() == ["person", "String"]
    assert invoke("schema", table, "--json").stdout.startswith('{"person": "String", ')
    assert "4711" not in invoke("schema", "-", "--format", "csv", stdin=b"income\n4711\n").output


TYPES = {"csv": ("String",) * 3, "tsv": ("String",) * 3}


def test_json_lines_declare_no_columns(tmp_path):
    for content in ("", '{"income": 4711}\n', "4711\n"):
        path = tmp_path / "t.jsonl"
        path.write_text(content)
        shown = invoke("schema", path)
        assert (shown.exit_code, shown.stderr) == (0, "")
        assert shown.stdout == (
            "JSON lines declare no columns: a question names them, and what a line lacks is missing\n"
        )
        assert json.loads(invoke("schema", path, "--json").stdout) == {}


@pytest.mark.parametrize("format", ["csv", "tsv", "parquet", "arrow"])
def test_the_schema_of_every_format_is_shown_as_text_and_as_json_from_files_and_standard_input(
    tmp_path, format
):
    path = tmp_path / f"t.{format}"
    frame = pl.DataFrame({"person": [4711], "dept, or not": ["4711"], "pay": [4711.5]})
    {
        "csv": frame.write_csv,
        "tsv": lambda file: frame.write_csv(file, separator="\t"),
        "parquet": frame.write_parquet,
        "arrow": frame.write_ipc,
    }[format](path)
    types = dict(zip(frame.columns, TYPES.get(format, ("Int64", "String", "Float64")), strict=True))
    shown = invoke("schema", path)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout.splitlines() == [f"{name:<12}  {kind}" for name, kind in types.items()]
    assert json.loads(invoke("schema", path, "--json").stdout) == types
    assert invoke("schema", "-", "--format", format, stdin=path.read_bytes()).stdout == shown.stdout
    assert "4711" not in shown.output


def test_whoever_looks_at_a_text_file_is_told_why_all_is_text(table, monkeypatch):
    monkeypatch.setattr("noisewise.cli.tools.is_terminal", lambda stream: True)
    assert invoke("schema", table).stderr.startswith(
        "noisewise: all columns are text, as in every text file;"
    )
    pl.DataFrame({"a": [1]}).write_parquet(table.with_suffix(".parquet"))
    assert invoke("schema", table.with_suffix(".parquet")).stderr == ""


def test_the_demo_is_a_command(monkeypatch):
    monkeypatch.setattr("noisewise.demo.COMMANDS", ())
    done = invoke("demo")
    assert done.exit_code == 0 and "synthetic" in done.stdout


def test_a_skeleton_of_facts_says_names_and_types_alone(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("income,a b\n4711,x\n", encoding="utf-8")
    shown = invoke("facts", path)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert '[columns."a b"] # String' in shown.stdout
    assert "4711" not in shown.output
    path.write_text("income,a b\n1,y\n2,z\n", encoding="utf-8")
    assert invoke("facts", path).stdout == shown.stdout
