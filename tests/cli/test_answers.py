"""Answers as text."""

import csv
import io
import json
import sys
from dataclasses import replace

import polars as pl
import pytest

import noisewise as nws
from noisewise.cli.answers import show
from noisewise.dataset import Dataset


@pytest.fixture
def release():
    return nws.median([1, 2, 3], bounds=(0, 10), epsilon=1)


@pytest.fixture
def groups():
    frame = pl.DataFrame({"dept": ["A", "B, or not"] * 50, "pay": [1000, 2000] * 50})
    return Dataset(frame).group_by("dept", keys=["A", "B, or not"]).median("pay", bounds=(0, 5000), epsilon=8)


def test_one_answer_is_its_receipt(release, capsys):
    show(release, None, as_json=False)
    assert capsys.readouterr() == (f"{release}\n", "")


def test_json_is_one_object_on_one_line(release, groups, capsys):
    show(release, None, as_json=True)
    assert json.loads(capsys.readouterr().out) == release.card()
    show(groups, release, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["selection"]["value"] == release.value and told["keys"] == {"dept": ["A", "B, or not"]}


def test_json_holds_dates_as_text(release, capsys):
    from datetime import date

    show(replace(release, value=date(2024, 2, 29)), None, as_json=True)
    assert json.loads(capsys.readouterr().out)["value"] == "2024-02-29"


def test_groups_in_a_pipe_are_csv_and_their_cost_is_told_beside_it(groups, release, capsys):
    show(groups, release, as_json=False)
    out, err = capsys.readouterr()
    (dept, _), *rows = csv.reader(io.StringIO(out))
    assert (dept, [row[0] for row in rows]) == ("dept", ["A", "B, or not"])
    assert [float(row[1]) for row in rows] == list(groups.value)
    assert err.splitlines() == [
        f"noisewise: privacy {release.privacy}",
        f"noisewise: privacy {groups.privacy}",
    ]


def test_groups_on_a_terminal_are_a_table_with_its_receipt(groups, release, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    show(groups, release, as_json=False)
    out, err = capsys.readouterr()
    assert "B, or not" in out and f"{groups.value[1]:,}" in out
    assert out.count("\n  privacy ") == 2 and "groups found by" in out
    assert (err, "\x1b" in out) == ("", False)
