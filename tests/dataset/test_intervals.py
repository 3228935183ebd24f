"""Intervals of every question there is: where they are given, and that nothing fails once it is paid for."""

from fractions import Fraction
from pathlib import Path
from unittest import mock

import polars as pl
import pytest

import noisewise as nws
from noisewise import ask
from tests.every_question import OF_COLUMNS, ROWS

FRAME = pl.DataFrame(ROWS)
OF_THE_POPULATION = {name for name in OF_COLUMNS if name.endswith("_interval")}


def asked(name, epsilon, neighbors="add_remove", grouped=False, **more):
    """A question with an interval: whether anything was paid, and the answer, or the refusal."""
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    place = nws.Dataset(FRAME, neighbors=neighbors, ledger=ledger)
    place = place.group_by("b", keys=[0, 1]) if grouped else place
    interval = {} if name in OF_THE_POPULATION else {"interval": 0.9}
    try:
        answer = OF_COLUMNS[name].of(place, epsilon=epsilon, **interval, **more)
    except nws.ParameterError as refusal:
        return ledger.debit.called, refusal
    return ledger.debit.called, answer


@pytest.mark.parametrize("epsilon", ["1e-20", "1e-1000"])
def test_a_tiny_epsilon_is_answered_or_refused_before_anything_is_paid(epsilon):
    """Ends so far out that 64 bits, or a float, do not hold them were an error after the debit."""
    for name in OF_COLUMNS:
        for where in ({}, {"neighbors": "swap"}, {"grouped": True}):
            for more in ({}, {"bounds": (0, 2**40)} if "bounds" in OF_COLUMNS[name].keywords else {}):
                paid, answer = asked(name, Fraction(epsilon), **where, **more)
                refused = isinstance(answer, nws.ParameterError)
                assert paid != refused, (name, where, more, answer)


def test_an_end_too_far_out_says_what_to_do():
    _, refusal = asked("median", Fraction("1e-1000"))
    assert str(refusal).startswith("epsilon must be larger for an interval of median")
    _, refusal = asked("count_interval", Fraction("1e-20"))
    assert str(refusal).startswith("epsilon must be larger for the 95% interval of the expected count")
    _, answer = asked("median", Fraction("1e-20"))
    low, high = answer.interval
    assert 0 <= low <= answer.value <= high <= 10, "more than 2^62 ranks away"


REFUSED = {"vector_mean", "covariance", "linear_regression", "principal_component"}
REFUSED |= {"most_common", "private_bounds"} | OF_THE_POPULATION


@pytest.mark.parametrize("where", [{}, {"neighbors": "swap"}, {"grouped": True}])
def test_the_tutorial_lists_what_has_no_interval(where):
    """Everything else is answered with one; what is refused is refused before anything is paid."""
    for name in OF_COLUMNS:
        more = {"interval": 0.9} if name in OF_THE_POPULATION else {}
        if name == "count_people" or (where.get("grouped") and name == "crosstab"):
            continue  # refused there: a table without a unit, or in groups
        paid, answer = asked(name, 4, **where, **more)
        assert isinstance(answer, nws.ParameterError) == (not paid) == (name in REFUSED), (name, answer)
        if paid:
            about = answer.about if where.get("grouped") else answer
            assert about.interval.kind == "noise" and float(about.interval.confidence) == 0.9
        else:
            assert str(answer).startswith("interval must be left out for")
    page = Path(__file__).parents[2] / "docs" / "tutorial" / "intervals.md"
    _, _, table = page.read_text(encoding="utf-8").partition("## What is refused")
    assert all(f"`{name}`" in table for name in REFUSED - OF_THE_POPULATION)


def test_agg_asks_for_intervals_and_counts_of_all_that_can_have_them():
    table = nws.Dataset(pl.DataFrame({"key": ["a", "b"] * 500, "pay": [1, 9] * 500}))
    asked = {
        "n": ask.count(),
        "pay": ask.median("pay", bounds=(0, 10)),
        "own": ask.mean("pay", bounds=(0, 10), interval=0.8, with_count=0.2),
        "common": ask.most_common("pay", [1, 9]),
    }
    by = table.group_by("key", keys=["a", "b"])
    for answer in (
        table.agg(epsilon=8, interval=0.95, with_count=True, **asked),
        by.agg(epsilon=8, interval=0.95, with_count=True, **asked),
    ):
        each = answer.each
        assert answer.privacy == nws.PureDP(8)
        assert each["n"].interval.confidence == each["pay"].interval.confidence == Fraction(19, 20)
        assert each["own"].interval.confidence == Fraction(4, 5) and each["common"].interval is None
        assert each["n"].count is None and each["common"].count is not None
        assert any("counted for ε = 0.2," in note for note in each["pay"].notes)
        assert any("counted for ε = 0.4," in note for note in each["own"].notes)
    assert by.agg(epsilon=1, with_count=True, n=ask.count()).each["n"].count is None
    assert table.agg(epsilon=1, interval=0.5, n=ask.count())["n"].interval.confidence == Fraction(1, 2)


@pytest.mark.parametrize(
    ("beside", "message"),
    [
        ({"interval": 7}, "interval must be above 0"),
        ({"with_count": 7}, "with_count must be"),
        ({"interval": 0.9}, "interval must be left out for most common"),
        ({"interval": ask.count()}, "answers must have another name than an argument of agg"),
    ],
)
def test_what_no_answer_can_have_is_refused_before_the_debit(beside, message):
    ledger = mock.Mock(spec=["debit"])
    table = nws.Dataset(pl.DataFrame({"key": ["a", "b"]}), ledger=ledger)
    for place in (table, table.group_by("key", keys=["a"])):
        with pytest.raises(nws.NoisewiseError, match=f"^{message}"):
            place.agg(epsilon=1, common=ask.most_common("key", ["a"]), **beside)
    assert not ledger.debit.called


def test_several_answers_in_groups_say_what_single_ones_say():
    table = nws.Dataset(pl.DataFrame({"key": ["a", "b"] * 10, "pay": [1, 9] * 10}))
    by = table.group_by("key", keys=["a", "b", "c"])
    answer = by.agg(epsilon=0.01, with_count=True, pay=ask.median("pay", bounds=(0, 10)), n=ask.count())
    printed = str(answer)
    assert "note         pay: within 0 .. 10, in steps of 1\n" in printed
    assert (
        "note         pay: n is below about " in printed
        and " of 3 groups: their answers say little\n" in printed
    )
    assert printed.count("the price of all groups together") == 1
    alone = by.agg(epsilon=0.01, pay=ask.median("pay", bounds=(0, 10)))
    assert not any(note.startswith("pay: ") for note in alone.about.notes)
