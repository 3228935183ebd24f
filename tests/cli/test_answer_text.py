"""Answers as text."""

import csv
import io
import json
import sys
from dataclasses import replace

import polars as pl
import pytest

import noisewise as nws
from noisewise.cli.answer_text import AnswerColumns, show
from noisewise.dataset.dataset import Dataset
from noisewise.version import GLOSSARY


@pytest.fixture
def release():
    return nws.median([1, 2, 3], bounds=(0, 10), epsilon=1)


@pytest.fixture
def groups():
    frame = pl.DataFrame({"dept": ["A", "B, or not"] * 50, "pay": [1000, 2000] * 50})
    return Dataset(frame).group_by("dept", keys=["A", "B, or not"]).median("pay", bounds=(0, 5000), epsilon=8)


def test_one_answer_is_its_receipt(release, capsys):
    show(release, None, {}, as_json=False)
    assert capsys.readouterr() == (f"{release!r}\n", "")


def test_on_a_terminal_a_receipt_leads_to_the_glossary(release, groups, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for answer in (release, groups):
        show(answer, None, {}, as_json=False)
        assert capsys.readouterr().out.endswith(f"\n  words        {GLOSSARY}\n")
    show(release, None, {}, as_json=True)
    assert GLOSSARY not in capsys.readouterr().out


def test_json_is_one_object_on_one_line(release, groups, capsys):
    show(release, None, {}, as_json=True)
    assert json.loads(capsys.readouterr().out) == release.card()
    show(groups, release, {}, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["selection"]["value"] == release.value and told["keys"] == {"dept": ["A", "B, or not"]}


def test_json_holds_dates_as_text(release, capsys):
    from datetime import date

    show(replace(release, value=date(2024, 2, 29)), None, {}, as_json=True)
    assert json.loads(capsys.readouterr().out)["value"] == "2024-02-29"


def test_groups_in_a_pipe_are_csv_and_their_cost_is_told_beside_it(groups, release, capsys):
    show(groups, release, {}, as_json=False)
    out, err = capsys.readouterr()
    (dept, _), *rows = csv.reader(io.StringIO(out))
    assert (dept, [row[0] for row in rows]) == ("dept", ["A", "B, or not"])
    assert [float(row[1]) for row in rows] == list(groups.value)
    assert err.splitlines() == [
        f"noisewise: groups found for {release.privacy}",
        f"noisewise: privacy, with the groups, {groups.privacy}",
        *(f"noisewise: note: {note}" for note in groups.about.notes),
    ]
    few = replace(
        groups, about=replace(groups.about, notes=("n is below about 60: their answers say little",))
    )
    show(few, None, {}, as_json=False)
    assert capsys.readouterr().err == (
        f"noisewise: privacy {groups.privacy}\nnoisewise: note: n is below about 60: their answers say little\n"
    )


def test_groups_on_a_terminal_are_a_table_with_its_receipt(groups, release, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    show(groups, release, {}, as_json=False)
    out, err = capsys.readouterr()
    assert "B, or not" in out and f"{groups.value[1]:,}" in out
    assert out.count("\n  privacy ") == 2 and "groups found by" in out
    assert (err, "\x1b" in out) == ("", False)


def test_several_numbers_are_a_line_each(release, capsys):
    parts = AnswerColumns(("low", "high"))
    show(replace(release, value=(1000, 2.5)), None, {"median": parts}, as_json=False)
    first, *lines = capsys.readouterr().out.splitlines()
    assert (first, lines[:2]) == ("median", ["  low          1,000", "  high         2.5"])
    assert lines[2:] == repr(release).splitlines()[1:]


def test_no_answer_is_called_so(release, capsys):
    for parts in (None, AnswerColumns(("low", "high"))):
        show(replace(release, value=None), None, {"median": parts}, as_json=False)
        assert capsys.readouterr().out.splitlines()[0] == "median = no answer"


def test_keys_that_were_found_are_a_list(release, capsys):
    show(replace(release, value=(("A", 2023), ("B", 2024))), None, {}, as_json=False)
    assert capsys.readouterr().out.splitlines()[0] == "median = A, 2023; B, 2024"


def test_a_group_has_a_column_for_each_number(capsys, monkeypatch):
    frame = pl.DataFrame({"dept": ["A", "B"] * 50, "pay": [1000, 2000] * 50})
    groups = Dataset(frame).group_by("dept", keys=["A", "B"])
    told = groups.quantiles("pay", [0.25, 0.5], bounds=(0, 5000), epsilon=8)
    parts = AnswerColumns(("0.25", "0.5"))
    show(told, None, {"quantiles_pay": parts}, as_json=False)
    names, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert names == ["dept", "quantiles_pay_0.25", "quantiles_pay_0.5"]
    assert [tuple(map(int, row[1:])) for row in rows] == list(told.value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    show(told, None, {"quantiles_pay": parts}, as_json=False)
    out = capsys.readouterr().out
    assert out.startswith("quantiles(0.25, 0.5) of pay by dept\n")
    assert [word for word in out.splitlines()[2].split() if word.strip("┃")] == names


def test_a_group_without_an_answer_has_empty_cells(capsys, monkeypatch):
    frame = pl.DataFrame({"dept": ["A"], "pay": [1000]})
    told = Dataset(frame).group_by("dept", keys=["A"]).private_bounds("pay", epsilon=0.001)
    blank = replace(told, each={"private_bounds_pay": replace(told.about, value=(None,))})
    show(blank, None, {"private_bounds_pay": AnswerColumns(("low", "high"))}, as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "dept,private_bounds_pay_low,private_bounds_pay_high",
        "A,,",
    ]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    show(blank, None, {"private_bounds_pay": AnswerColumns(("low", "high"))}, as_json=False)
    table, _, _ = capsys.readouterr().out.partition("privacy")
    assert "None" not in table


@pytest.mark.parametrize("how", ["table", "csv", "json"])
def test_different_keys_are_told_apart_whatever_letters_the_output_has(how, monkeypatch):
    class Ascii(io.StringIO):
        encoding = "ascii"

    keys = ["é", "ü", r"\xe9", "?"]
    frame = pl.DataFrame({"naïve": keys * 9})
    told = Dataset(frame).group_by("naïve", keys=keys).count(epsilon=8)
    monkeypatch.setattr(sys, "stdout", Ascii())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: how == "table", raising=False)
    show(told, None, {}, as_json=how == "json")
    out = sys.stdout.getvalue()
    assert out.isascii()
    if how == "json":
        assert sorted(json.loads(out)["keys"]["naïve"]) == sorted(keys)
        return
    shown = [r"\xe9", r"\xfc", r"\\xe9", "?"]
    if how == "csv":
        found = [row.split(",")[0] for row in out.splitlines()[1:]]
    else:
        assert out.startswith(r"count by na\xefve") and r"privacy      \u03b5 = 8" in out
        found = [row.split("|")[1].strip() for row in out.splitlines() if row.count("|") == 3][1:]
    assert sorted(found) == sorted(shown)


def test_intervals_of_groups_are_columns_of_their_own(capsys):
    by = Dataset(pl.DataFrame({"dept": ["A", "B"] * 50, "pay": [1, 2] * 50})).group_by(
        "dept", keys=["A", "B"]
    )
    asked = {"bounds": (0, 9), "epsilon": 8, "interval": 0.9}
    show(by.median("pay", **asked), None, {}, as_json=False)
    head, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert head == ["dept", "median_pay", "low", "high"] and all(row[2] <= row[1] <= row[3] for row in rows)
    quartiles = by.quantiles("pay", [0.25, 0.75], **asked)
    show(quartiles, None, {"quantiles_pay": AnswerColumns(("0.25", "0.75"))}, as_json=False)
    head, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert head[3:] == ["low_0.25", "low_0.75", "high_0.25", "high_0.75"] and {len(row) for row in rows} == {
        7
    }
