"""A release is a value and its receipt. It prints well, survives JSON and pickling, and cannot be changed."""

import copy
import dataclasses
import json
import math
import pickle
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise.results.release import AnswerInterval, Release

FIELDS = {
    "value": 41_250,
    "privacy": nws.BoundedRange(0.5),
    "statistic": "median",
    "mechanism": "piecewise_laplace",
    "neighbors": "add_remove",
    "contributions": 1,
    "granularity": Fraction(1),
    "bounds": (0, 1_000_000),
    "law": "piecewise-laplace/1",
}


def receipt(**changes):
    return Release(**{**FIELDS, **changes})


def test_the_fields_are_what_was_asked():
    released = nws.quantile(
        [3, 4, 5], 0.9, bounds=(0, 10), epsilon=0.1, contributions=2, mechanism="inverse_sensitivity"
    )
    assert 0 <= released.value <= 10
    assert released.privacy == nws.BoundedRange(Fraction(1, 10))
    assert (released.statistic, released.mechanism) == ("quantile(0.9)", "inverse_sensitivity")
    assert (released.neighbors, released.contributions) == ("add_remove", 2)
    assert (released.granularity, released.bounds) == (Fraction(1), (0, 10))
    assert (released.law, released.version) == ("inverse-sensitivity/1", nws.__version__)
    assert (released.receipt, released.private) == (None, True)


def test_a_release_is_a_number_where_one_is_asked_for():
    assert float(receipt(value=3)) == 3.0
    assert int(receipt(value=3)) == 3
    assert type(float(receipt(value=3))) is float
    assert int(receipt(value=3.75)) == 3
    assert float(receipt(value=2**60)) == 2.0**60


def test_a_release_cannot_be_changed():
    released = receipt()
    for field in dataclasses.fields(released):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(released, field.name, None)
    with pytest.raises((AttributeError, TypeError)):
        released.law_itself = 1


def test_a_release_takes_keywords_only():
    with pytest.raises(TypeError):
        Release(*FIELDS.values())


@pytest.mark.parametrize("private", [True, False])
def test_a_release_travels(private):
    released = receipt(private=private, receipt="staff.ledger #7")
    for copied in (pickle.loads(pickle.dumps(released)), copy.deepcopy(released), copy.copy(released)):
        assert copied == released
        assert hash(copied) == hash(released)
        assert repr(copied) == repr(released)


# JSON

BOUNDS = [
    (0, 100),
    (0.5, 99.5),
    (Decimal("0.10"), Decimal("99.90")),
    (Fraction(1, 3), Fraction(200, 3)),
    (np.float64(0.5), np.float32(99.5)),
    (np.int8(0), np.uint64(100)),
    (np.float16(0), np.longdouble(99)),
    np.array([0, 100]),
    np.array([0.0, 99.5], np.float32),
    [0, 100],
    (0, 10**20),
    (0, 1e300),
]


@pytest.mark.parametrize("bounds", BOUNDS, ids=range(len(BOUNDS)))
@pytest.mark.parametrize("granularity", [None, Fraction(1, 3), Decimal("0.10"), np.float32(0.1), 5])
def test_any_release_is_json_and_text(bounds, granularity):
    if bounds[1] > 1e6 and granularity is not None:
        granularity = Fraction(bounds[1]) / 1000
    released = nws.median([3, 4, 5], bounds=bounds, epsilon=np.float32(0.1), granularity=granularity)
    record = json.loads(json.dumps(released.to_dict(), allow_nan=False))
    assert record == released.to_dict()
    assert record["value"] == released.value
    assert record["privacy"]["epsilon"] == "0.1"
    assert Fraction(record["granularity"]) == released.granularity
    assert [Fraction(end) for end in record["bounds"]] == [Fraction(str(end)) for end in released.bounds]
    assert str(released).startswith("median = ")
    assert not any(isinstance(end, np.generic) for end in released.bounds)
    assert pickle.loads(pickle.dumps(released)) == released


def test_numpy_bounds_are_kept_as_the_numbers_they_spell():
    released = nws.median([3], bounds=(np.float32(0.1), np.int64(9)), epsilon=1)
    assert released.bounds == (0.1, 9)
    assert [type(end) for end in released.bounds] == [float, int]


def test_everything_is_in_the_record():
    released = receipt(receipt="staff.ledger #7")
    assert released.to_dict() == {
        "value": 41_250,
        "privacy": {"loss": "BoundedRange", "epsilon": "0.5", "epsilon_float": 0.5},
        "statistic": "median",
        "columns": [],
        "mechanism": "piecewise_laplace",
        "law": "piecewise-laplace/1",
        "neighbors": "add_remove",
        "contributions": 1,
        "granularity": "1",
        "bounds": ["0", "1000000"],
        "version": nws.__version__,
        "notes": [],
        "unit": "record",
        "people": None,
        "receipt": "staff.ledger #7",
        "private": True,
        "time": released.time,
    }
    assert set(released.to_dict()) == {field.name for field in dataclasses.fields(released)} - {
        "interval",
        "count",
        "names",
        "form",
        "smooth",
        "labels",
    }
    known = receipt(interval=AnswerInterval(40_000, 42_000, Fraction(95, 100))).to_dict()
    assert known == released.to_dict() | {
        "receipt": None,
        "interval": {
            "low": 40_000,
            "high": 42_000,
            "confidence": "0.95",
            "kind": "noise",
            "epsilon": "0",
            "scope": "answer",
        },
    }
    assert receipt().to_dict()["receipt"] is None


def test_the_time_is_in_utc_to_the_second_and_does_not_make_releases_differ():
    first, second = receipt(), receipt()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", first.time)
    assert dataclasses.replace(first, time="2000-01-01T00:00:00+00:00") == second


def test_a_ledgers_entry_is_in_the_record_as_json_holds_it():
    class Entry:
        def to_dict(self):
            return {"number": 7}

    assert receipt(receipt=Entry()).to_dict()["receipt"] == {"number": 7}


def test_where_people_are_named_the_receipt_says_so_instead_of_a_promise():
    told = str(receipt(people="person_id", contributions=3))
    assert "one person by person_id, added or removed, of whom at most 3 records took part" in told
    assert "promise" not in told


def test_the_record_is_a_copy():
    released = receipt()
    released.to_dict()["privacy"]["epsilon"] = "0"
    assert released.privacy.epsilon == Fraction(1, 2)


# The text


def test_a_release_explains_itself():
    assert repr(receipt(receipt="staff.ledger #7")) == "\n".join(
        [
            "median = 41,250",
            "  privacy      ε = 0.5, pure differential privacy",
            "  protects     one person, added or removed, who has at most 1 record (you guarantee this)",
            "  asked        within 0 .. 1,000,000, in steps of 1",
            f"  drawn by     piecewise-laplace/1 (noisewise {nws.__version__})",
            "  paid         staff.ledger #7",
        ]
    )


def test_a_release_names_the_columns_it_is_about():
    released = receipt(columns=("salary", "age"))
    assert released.what == "median of salary, age" and receipt().what == "median"
    assert repr(released).splitlines()[0] == "median of salary, age = 41,250"
    many = receipt(columns=tuple(f"c{place}" for place in range(20))).what
    assert many.endswith(", c11, ... (20 in all)") and many.startswith("median of c0, c1")
    assert released.to_dict()["columns"] == released.card()["columns"] == ["salary", "age"]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"contributions": 3},
            "one person, added or removed, who has at most 3 records (you guarantee this)",
        ),
        ({"neighbors": "swap"}, "one record, replaced by any other (the number of records is public)"),
        ({"private": False}, "NOT PRIVATE  drawn from a seed"),
        ({"bounds": (Fraction(1, 3), Fraction(7))}, "within 1/3 .. 7, in steps of 1"),
        ({"bounds": (Decimal("0.10"), Decimal("1234.50"))}, "within 0.10 .. 1,234.50, in"),
        ({"bounds": (-0.5, 12345.5)}, "within -0.5 .. 12,345.5, in"),
        ({"granularity": Fraction(1, 100)}, "in steps of 0.01"),
        ({"granularity": Fraction(1, 3)}, "in steps of 1/3"),
        ({"value": -0.5}, "median = -0.5"),
        ({"value": 10**30}, "median = 1,000,000,000,000,000,000,000,000,000,000"),
    ],
)
def test_the_text_says_what_matters(changes, line):
    assert line in repr(receipt(**changes))


def test_above_an_epsilon_of_ten_a_receipt_says_what_that_means():
    warning = "  note         ε is above 10: seeing this can make a guess about one person"
    for loss in (nws.PureDP(10), nws.BoundedRange(10), nws.ApproxDP(10, 0.1), nws.ZCDP(50)):
        assert warning not in str(receipt(privacy=loss))
    for loss in (nws.PureDP(12), nws.BoundedRange(12), nws.ApproxDP(12, 0.1)):
        assert f"{warning} 163,000 times as likely" in str(receipt(privacy=loss))


def test_an_unpaid_private_release_speaks_of_neither():
    assert "paid" not in repr(receipt())
    assert "NOT PRIVATE" not in repr(receipt())


def test_a_release_formats_as_its_value():
    release = nws.hazmat.replay(nws.Quantile("1/2"), [5] * 9, seed=1, bounds=(0, 10), epsilon=64)
    assert f"{release:.2f}" == f"{release.value:.2f}"
    assert f"{release}" == str(release)


FINE = Fraction(1, 2**25)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"value": 39.16772100329399, "granularity": FINE, "bounds": (0, 100)}, "39.1677"),
        ({"value": 39.16772100329399, "granularity": FINE, "bounds": ((0, 1), (0, 100))}, "39.1677"),
        ({"value": 38581.25, "granularity": Fraction(1, 2**12), "bounds": (0, 1_000_000)}, "38,581"),
        ({"value": 38581.25, "granularity": Fraction(1, 4), "bounds": (0, 1_000_000)}, "38,581.25"),
        ({"value": 0.38123456789, "granularity": Fraction(1, 2**32), "bounds": None}, "0.3812346"),
        ({"value": 39.12, "granularity": Fraction(1, 100), "bounds": (0, 100)}, "39.12"),
        (
            {"value": ((38581.25, 0.25),), "granularity": Fraction(1, 2**12), "bounds": (0, 1_000_000)},
            "(38,581; 0.25)",
        ),
        ({"value": ((1 / 3, 2.0),), "granularity": None}, "((0.333333, 2.0),)"),
        (
            {"value": (2.0**-32, 2.0**64), "granularity": None},
            "(2.3283064365386963e-10, 1.8446744073709552e+19)",
        ),
        ({"value": ("tea", 7), "granularity": None}, "('tea', 7)"),
    ],
)
def test_digits_that_mean_nothing_are_not_printed(changes, text):
    told = receipt(**changes)
    assert str(told).splitlines()[0] == f"median = {text}"
    assert told.value == changes["value"] == told.to_dict()["value"], "the value stays exact"


def test_a_long_step_is_said_in_three_digits():
    told = receipt(granularity=FINE, bounds=(0, 100))
    assert "within 0 .. 100, in steps of about 2.98e-8" in str(told)
    assert told.to_dict()["granularity"] == "1/33554432"


SURE = Fraction(95, 100)


def test_the_printed_interval_holds_the_exact_one():
    interval = AnswerInterval(37.684551, 40.788449, Fraction(9, 10))
    told = receipt(value=39.0, granularity=FINE, bounds=(0.0, 100.0), interval=interval)
    assert "lies between 37 and 41" in str(told)


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        ((38.53, 38.65), "38.60"),  # off by 0.06, so the second decimal is in doubt
        ((38.1, 39.1), "38.6"),
        ((20.0, 60.0), "39"),  # whole numbers stay whole
        ((38.6, 38.6), "38.6"),  # no doubt: as without an interval
        ((-math.inf, 50.0), "38.6"),
        (((38.55, 30.0), (38.65, 50.0)), "38.60"),  # the narrowest decides for a column
    ],
)
def test_the_last_digit_is_the_first_that_the_interval_leaves_in_doubt(interval, text):
    told = receipt(
        value=38.6, granularity=FINE, bounds=(0.0, 100.0), interval=AnswerInterval(*interval, Fraction(9, 10))
    )
    assert told.printed(38.6) == text
    assert told.readable(38.6) == float(text)
    assert told.value == 38.6


def test_a_step_of_a_tenth_has_one_decimal():
    told = receipt(
        value=0.3, granularity=Fraction(1, 10), bounds=(0, 1), interval=AnswerInterval(0.299, 0.301, SURE)
    )
    assert told.printed(0.3) == "0.3"


def test_it_is_a_pair_with_a_probability():
    interval = AnswerInterval(41, 44, SURE)
    low, high = interval
    assert (low, high, interval.confidence, interval.kind) == (41, 44, SURE, "noise")
    assert (interval[0], interval[1], interval[-1], len(interval)) == (41, 44, 44, 2)
    assert pickle.loads(pickle.dumps(interval)) == interval
    assert json.loads(json.dumps(interval.to_dict()))["low"] == 41


@pytest.mark.parametrize(
    ("interval", "sentence"),
    [
        (
            AnswerInterval(41, 44, SURE),
            "the true median of pay lies between 41 and 44 with probability 95%, whatever the data are",
        ),
        (
            AnswerInterval((1, 2), (3, 4), SURE, scope="all"),
            "with probability 95% all true numbers of the median of pay lie in their intervals, whatever the data are: "
            "41 to 44; 5 to 6",
        ),
        (
            AnswerInterval((1, 2), (3, 4), SURE, scope="each"),
            "in each group the true median of pay lies in its interval with probability 95%, whatever the data are",
        ),
        (
            AnswerInterval(41, 44, Fraction(1, 3), "population"),
            "the true median of pay lies between 41 and 44 with probability 100/3%, whatever the population is",
        ),
    ],
)
def test_it_says_what_it_holds(interval, sentence):
    ends = [("41", "44"), ("5", "6")][: 1 + (interval.scope == "all")]
    assert interval.sentence("median of pay", ends) == sentence


def test_of_many_intervals_the_first_are_told():
    many = AnswerInterval((0,) * 30, (1,) * 30, SURE, scope="all")
    assert many.sentence("histogram", [("0", "1")] * 30).endswith("; 0 to 1; ... (30 in all)")


def test_a_receipt_says_it_too_and_what_it_cost():
    release = nws.count(range(100), epsilon=1, interval=0.95)
    low, high = release.interval
    assert (low, high) == (release.value - 3, release.value + 3)
    said = f"the true count of these records lies between {low:,} and {high:,} with probability 95%"
    assert said in str(release) and "costs nothing: its noise is public" in str(release)
    assert release.card()["interval"] == release.interval.to_dict()
    assert "interval" not in str(nws.count([1], epsilon=1))
