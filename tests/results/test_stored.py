"""A stored release comes back as it was: its text, its card, its numbers and their types."""

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError
from noisewise.questions.question import KINDS
from noisewise.results.stored import _read, _written, from_json, to_json
from tests.every_question import ROWS, call

TABLE = pl.DataFrame(ROWS)
DAYS = pl.DataFrame(
    {"day": [date(2020, 1, 1) + timedelta(days=i) for i in range(60)], "dept": ["A", "B"] * 30}
)


def kept(release):
    """The release after it was the text of JSON."""
    return from_json(json.loads(json.dumps(to_json(release))))


def same(release) -> bool:
    back = kept(release)
    return (type(back), repr(back), back.card(), back.value, back.privacy, back.receipt) == (
        type(release),
        repr(release),
        release.card(),
        release.value,
        release.privacy,
        release.receipt,
    )


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_question_comes_back(name):
    asked = call(KINDS[name])
    assert same(asked.of(nws.Dataset(TABLE, **asked.dataset_keywords)))


def test_receipts_intervals_groups_and_dates_come_back(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "ledger.db", budget=nws.ApproxDP(100, 1e-6))
    staff = nws.Dataset(DAYS, ledger=ledger)
    bounds = (date(2019, 1, 1), date(2021, 1, 1))
    by_dept = staff.group_by("dept", keys=["B", "A"])
    ask = nws.ask
    releases = [
        staff.median("day", bounds=bounds, epsilon=1, interval=0.9),
        staff.count(rho=0.5),
        staff.agg(epsilon=1, n=ask.count(), day=ask.median("day", bounds=bounds)),
        by_dept.agg(epsilon=1, n=ask.count(), day=ask.median("day", bounds=bounds)),
        by_dept.median("day", bounds=bounds, epsilon=1, interval=0.9, with_count=True),
        staff.group_by("dept", epsilon=2, delta=1e-9).count(epsilon=1),
    ]
    assert all(map(same, releases))
    assert ledger.verify(*(kept(each).receipt for each in releases)) == 7
    grouped = kept(releases[3])
    assert grouped.frame.equals(releases[3].frame)


@pytest.mark.parametrize(
    "value",
    [
        *(float("inf"), -0.0, 5e-324, 2**200, True, None, "\ud800", Fraction(1, 3), Decimal("1.50")),
        *(date(1, 1, 1), time(23, 59, 59, 5), timedelta(-1, 2, 3), datetime(2020, 1, 1, tzinfo=UTC)),
        datetime(2020, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1),
        ((1, (2.5, "a")), [1, [2]], {"a": (1,), 2: None}),
    ],
)
def test_values_keep_their_types(value):
    back = _read(json.loads(json.dumps(_written(value))))
    assert (type(back), repr(back)) == (type(value), repr(value))


def test_what_is_of_an_unknown_type_becomes_plain():
    """The answer is paid for when it is stored, so storing must not fail."""
    assert (_written(np.int64(3)), _written(np.float64(0.5)), _written(3j)) == (3, 0.5, "3j")


@pytest.mark.parametrize("changed", [None, [], {}, {"stored": 2}, {"stored": 1}, {"stored": 1, "single": 3}])
def test_what_was_changed_is_refused(changed):
    with pytest.raises(ParameterError, match="a stored release must be as it was written"):
        from_json(changed)


def test_an_object_of_another_kind_is_refused():
    stored = to_json(nws.count([1, 2], epsilon=1))
    stored["single"] = {"eval": "1"}
    with pytest.raises(ParameterError, match="a stored release"):
        from_json(stored)
