"""A report, a picture and a stored release of every question: nothing fails that was paid for."""

import json

import polars as pl
import pytest

import noisewise as nws
from noisewise.questions.question import KINDS
from noisewise.results.release_picture import any_picture
from noisewise.results.stored import from_json, to_json
from tests.every_question import ROWS, call

TABLE = pl.DataFrame({**ROWS, "dept": ["A", "B", "C"] * 20})


@pytest.mark.parametrize("rows", [0, pytest.param(60, marks=pytest.mark.rest)])
@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_report_of_every_question_is_written(name, rows):
    asked = call(KINDS[name])
    dataset = nws.Dataset(TABLE.head(rows), **asked.dataset_keywords)
    releases = [asked.of(dataset)]
    if KINDS[name].capabilities.in_groups:
        releases.append(asked.of(dataset.group_by("dept", keys=["C", "A", "<none>"])))
    for release in releases:
        again = from_json(json.loads(json.dumps(to_json(release))))
        page = nws.report({"<answer>": again}).html
        assert "&lt;answer&gt;" in page and "<answer>" not in page
        assert any_picture(again).svg.count("<svg") >= 1
