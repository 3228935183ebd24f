"""Answers as files: each form of each result, and what cannot be written is refused before the debit."""

import csv
import json
import os
from pathlib import Path

import pytest
from pyarrow import parquet

from noisewise.cli import output_file as module
from noisewise.cli.output_file import Content, output_file
from noisewise.errors import ParameterError, ReleaseFailed
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import MEDIAN, invoke

ONE = Content(lambda: {"a": 1}, lambda: {"x": [1, None], "y": ["é", "z,"]}, lambda: "<html>")
RESULTS = {
    "number": (*MEDIAN, "--epsilon", "1"),
    "groups": (*MEDIAN, "--epsilon", "1", "--by", "dept", "--keys", "A,B"),
    "histogram": ("histogram", "--column", "dept", "--bins", "A,B", "--epsilon", "1"),
}


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "html"])
def test_every_result_has_every_form(table: Path, tmp_path: Path, ending: str) -> None:
    for name, (question, *rest) in RESULTS.items():
        place = tmp_path / f"{name}.{ending}"
        plain = invoke(question, table, *rest, "--output", place)
        assert plain.exit_code == 0 and plain.stdout, plain.stderr
        rows = {"number": 1, "groups": 2, "histogram": 2}[name]
        if ending == "csv":
            assert len(list(csv.DictReader(place.read_text().splitlines()))) == rows
        elif ending == "json":
            assert json.loads(place.read_text())["card"] == 2
        elif ending == "parquet":
            assert parquet.read_table(place).num_rows == rows
        else:
            assert place.read_text().startswith("<!DOCTYPE html>")
    assert sorted(each.name for each in tmp_path.iterdir() if each.name.startswith(".")) == []


def test_a_page_says_what_the_ledger_that_paid_has_left(table: Path, tmp_path: Path) -> None:
    ledger, place = tmp_path / "l.db", tmp_path / "m.html"
    Ledger.open(ledger, budget=PureDP(10))
    asked = ("ask", table, "median age bounds=0,100", "--epsilon", "1")
    for number, words in enumerate([(*MEDIAN, table, "--epsilon", "1"), asked], 1):
        assert invoke(*words, "--ledger", ledger, "--output", place).exit_code == 0
        page = place.read_text()
        assert f"ε {10 - number} of 10" in page and "no ledger was given" not in page


def test_groups_in_a_file_are_those_that_a_pipe_gets(table: Path, tmp_path: Path) -> None:
    told = invoke(*RESULTS["groups"], table, "--output", tmp_path / "g.csv")
    assert (tmp_path / "g.csv").read_text() == told.stdout
    mean = (
        "mean",
        table,
        "--column",
        "age",
        "--bounds",
        "0",
        "100",
        "--epsilon",
        "1",
        "--by",
        "dept",
        "--keys",
        "A",
    )
    value = invoke(*mean, "--output", tmp_path / "m.csv").stdout.splitlines()[1].split(",")[1]
    assert len(value) < 9  # the digits that mean something, as in a receipt


@pytest.mark.parametrize("ending", ["svg", "png"])
@pytest.mark.parametrize(
    "words",
    [
        ("histogram", "--column", "age", "--bins", "0,50,100"),
        MEDIAN,  # a single answer without an interval is a hollow point
        ("most-common", "--column", "dept", "--categories", "A,B"),  # a word is written
    ],
)
def test_a_picture_of_any_answer_is_written(
    table: Path, tmp_path: Path, words: tuple[str, ...], ending: str
) -> None:
    place = tmp_path / f"x.{ending}"
    told = invoke(*words, table, "--epsilon", "1", "--output", place)
    assert told.exit_code == 0, told.stderr
    assert place.read_bytes().startswith(b"<svg" if ending == "svg" else b"\x89PNG")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("x.txt", "must end in .csv, .json, .parquet, .html, .svg or .png"),
        ("x", "must end in"),
        ("nowhere/x.csv", "must be a file that can be written"),
        ("folder.csv", "must be a file that can be written"),
        ("data.csv", "must be another file than what is read"),
        ("l.csv", "must be another file than what is read"),
    ],
)
def test_what_cannot_be_written_costs_nothing(table: Path, tmp_path: Path, place: str, said: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    ledger = Ledger.open(tmp_path / "l.csv", PureDP(1))
    data = tmp_path / "data.csv"
    data.write_bytes(table.read_bytes())
    words = (*MEDIAN, data, "--epsilon", "1", "--ledger", tmp_path / "l.csv", "--output", tmp_path / place)
    told = invoke(*words)
    assert (told.exit_code, told.stdout, len(ledger)) == (2, "", 0)
    assert said in told.stderr and data.read_bytes() == table.read_bytes()


def test_no_file_of_a_pattern_is_written_over(table: Path, tmp_path: Path) -> None:
    """A pattern itself is no file, but the files that it stands for are what is read."""
    for name in ("p1.csv", "p2.csv"):
        (tmp_path / name).write_bytes(table.read_bytes())
    place = tmp_path / "p2.csv"
    told = invoke(*MEDIAN, tmp_path / "p?.csv", "--epsilon", "1", "--output", place)
    assert told.exit_code == 2 and "must be another file than what is read" in told.stderr
    assert place.read_bytes() == table.read_bytes()


def test_a_refused_question_leaves_the_file_that_was_there(table: Path, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("old")
    told = invoke(*MEDIAN, table, "--epsilon", "0", "--output", tmp_path / "x.csv")
    assert told.exit_code == 2 and (tmp_path / "x.csv").read_text() == "old"
    assert {each.name for each in tmp_path.iterdir()} == {table.name, "x.csv"}


def test_what_is_paid_for_is_printed_where_it_cannot_be_written(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    told = invoke(*MEDIAN, table, "--epsilon", "1", "--output", tmp_path / "x.csv")
    assert told.exit_code == 5 and "median of income = " in told.stdout
    assert "could not be written to" in told.stderr and list(tmp_path.iterdir()) == [table]
    with pytest.raises(ReleaseFailed), output_file(str(tmp_path / "y.json")) as write:
        write(ONE)


def test_parquet_without_its_library_is_refused_first(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    told = invoke(*MEDIAN, table, "--epsilon", "1", "--output", tmp_path / "x.parquet")
    assert told.exit_code == 6 and "are written by pyarrow" in told.stderr


def test_values_of_several_types_become_text(tmp_path: Path) -> None:
    mixed = Content(dict, lambda: {"v": [1, "a", None], "key": ["b", "\udcff", None]}, str)
    with output_file(str(tmp_path / "m.parquet")) as write:
        write(mixed)
    written = parquet.read_table(tmp_path / "m.parquet").to_pydict()
    assert written == {"v": ["1", "a", None], "key": ["b", "\\udcff", None]}
    with output_file(str(tmp_path / "m.csv")) as write:
        write(ONE)
    assert (tmp_path / "m.csv").read_text(encoding="utf-8") == 'x,y\n1,é\n,"z,"\n'


def test_plans_and_ledgers_are_files_too(table: Path, tmp_path: Path) -> None:
    Ledger.open(tmp_path / "l.ledger", PureDP(1)).debit(
        PureDP(0.5), neighbors="add_remove", contributions=1, memo="m"
    )
    commands = {
        "plan": ("plan", "median", "--bounds", "0", "100", "--epsilon", "1"),
        "sweep": ("sweep", "count", "--epsilons", "0.5,1"),
        "simulation": ("simulate", "count", table, "--column", "income", "--epsilon", "1"),
        "epsilon": ("epsilon-for", "count", "--error", "10"),
        "audit": ("audit", "median", "--bounds", "0", "3", "--epsilon", "1", "--n", "1", "--values", "2"),
        "ledger": ("ledger", "show", tmp_path / "l.ledger"),
    }
    for name, words in commands.items():
        for ending in ("csv", "json", "html"):
            place = tmp_path / f"{name}.{ending}"
            told = invoke(*words, "--output", place)
            assert told.exit_code == 0 and place.stat().st_size, told.stderr
    assert [row["entry"] for row in csv.DictReader((tmp_path / "ledger.csv").read_text().splitlines())] == [
        "1"
    ]
    assert len(list(csv.DictReader((tmp_path / "sweep.csv").read_text().splitlines()))) == 2
    assert json.loads((tmp_path / "ledger.json").read_text())["entries"]
    assert json.loads((tmp_path / "epsilon.json").read_text()) == {
        "epsilon": 0.2844,
        "question": "count",
        "error": 10,
    }
    assert json.loads((tmp_path / "simulation.json").read_text())["not private"]
    assert json.loads((tmp_path / "audit.json").read_text())["passed"]
    with pytest.raises(ParameterError), output_file(str(tmp_path / "x.doc")):
        pass
