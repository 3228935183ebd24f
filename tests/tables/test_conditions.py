"""Conditions: the grammar, what it refuses, what it means; and one person moves no more rows than without one."""

from collections import Counter
from datetime import date
from itertools import combinations_with_replacement, product
from typing import Any

import polars as pl
import pytest

from noisewise import (
    Dataset,
    Ledger,
    NoisewiseError,
    ParameterError,
    ParameterTypeError,
    PureDP,
    SchemaError,
    ask,
)
from noisewise.tables.conditions import DEEPEST, LONGEST, MOST, Comparison, Condition

KINDS = {"age": "number", "region": "text", "born": "date", "cell": "cell", "thing": "other", "a b": "number"}
FRAME = pl.DataFrame(
    {
        "age": [10, 20, 30, None, 40],
        "region": ["N", "S", None, "N", "it's"],
        "born": [date(2020, 1, day) for day in range(1, 6)],
        "pay": [1.0, 2.0, 3.0, 4.0, float("nan")],
    }
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("age>=18", "age >= 18"),
        ("  age == 18 ", "age = 18"),
        ("age <> -1.5e3", "age != -1.5e3"),
        ("age >= 18 AND Region IN ('N','S')", "age >= 18 and Region in ('N', 'S')"),
        ("a = 1 or b = 2 and c = 3", "a = 1 or b = 2 and c = 3"),
        ("(a = 1 or b = 2) and c = 3", "(a = 1 or b = 2) and c = 3"),
        ("not not a = 1", "not (not (a = 1))"),
        ("a not in (true, false)", "a not in (true, false)"),
        ('"a b" is not missing or x.y is missing', '"a b" is not missing or x.y is missing'),
        ("s = 'it''s'", "s = 'it''s'"),
        ("âge > .5", "âge > .5"),
    ],
)
def test_a_condition_is_written_down_so_that_it_reads_the_same(typed: str, meant: str) -> None:
    condition = Condition.read(typed)
    assert str(condition) == meant
    assert Condition.read(meant) == condition


def test_and_binds_closer_than_or() -> None:
    worlds = list(product([False, True], repeat=3))
    for text, means in {
        "a = 1 or b = 1 and c = 1": lambda a, b, c: a or (b and c),
        "(a = 1 or b = 1) and c = 1": lambda a, b, c: (a or b) and c,
        "not a = 1 and b = 1 or not (b = 1 or c = 1)": lambda a, b, c: (not a and b) or not (b or c),
    }.items():
        frame = pl.DataFrame(worlds, schema=["a", "b", "c"], orient="row")
        held = Dataset(frame).where(text)._table.rows(None).fetch()[0].size
        assert held == sum(means(*world) for world in worlds)


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("", "begins with a column"),
        ("age >", "is missing"),
        ("age > 1 and", "begins with a column"),
        ("(age > 1", "a bracket is open"),
        ("age > 1)", "joins two"),
        ("age in ()", "single quotes"),
        ("age in 1", "brackets"),
        ("age in (1", "brackets"),
        ("age in (1, 'a')", "all numbers"),
        ("age = N", "single quotes"),
        ('age = "N"', "single quotes"),
        ("age > true", "by = and !="),
        ("age", "after a column"),
        ("18 < age", "begins with a column"),
        ("age = 1 2", "joins two"),
        ("age = 1e999", "float64"),
        ("age + 1 = 2", "double quotes"),
        ("age = 1; drop", "double quotes"),
        ("__import__('os')", "after a column"),
        ("age = 'open", "double quotes"),
        ("(" * (DEEPEST + 1) + "age = 1" + ")" * (DEEPEST + 1), "deep"),
        ("not " * (DEEPEST + 1) + "age = 1", "deep"),
        (" or ".join(["age = 1"] * (MOST + 1)), "numbers and texts"),
        ("age = 1" + " " * LONGEST, "characters"),
    ],
)
def test_what_is_no_condition_is_refused(text: str, fix: str) -> None:
    with pytest.raises(ParameterError, match="where must") as refused:
        Condition.read(text)
    assert fix in str(refused.value)


def test_only_text_is_read() -> None:
    with pytest.raises(ParameterTypeError, match="where must be text"):
        Dataset(FRAME).where(pl.col("age") > 18)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("agee > 1", "did you mean 'age'"),
        ("age = 'x'", "with numbers"),
        ("region = 1", "with text"),
        ("region < 'S'", "by =, != or in"),
        ("born > 2020", "2000-01-31"),
        ("born > '2020-13-01'", "2000-01-31"),
        ("born > '2020-01-01T00:00'", "2000-01-31"),
        ("thing = 'x'", "whether it is missing"),
        ("cell < 'x'", "declare the column"),
    ],
)
def test_a_column_is_compared_with_what_it_holds(text: str, error: str) -> None:
    with pytest.raises((ParameterError, SchemaError), match="where must") as refused:
        Condition.read(text).checked(tuple(KINDS), KINDS.__getitem__)
    assert error in str(refused.value)


def test_a_comparison_is_equal_to_itself_read_twice() -> None:
    one, other = (Condition.read("age = 1 or age = 1").comparisons[i] for i in (0, 1))
    assert isinstance(one, Comparison) and one == other


def test_rows_cannot_be_left_out_where_their_number_is_public() -> None:
    with pytest.raises(ParameterError, match='neighbors must be "add_remove" where a condition') as refused:
        Dataset(FRAME, neighbors="swap").where("age > 1")
    assert "secret" in str(refused.value)


def test_a_wrong_condition_costs_nothing(tmp_path: Any) -> None:
    ledger = Ledger.open(tmp_path / "l.ledger", PureDP(1))
    for wrong in ("agee > 1", "age = 'x'", "age >"):
        with pytest.raises(NoisewiseError):
            Dataset(FRAME, ledger=ledger).where(wrong).count(epsilon=1)
    assert list(ledger.entries()) == []


def test_rows_are_looked_at_after_the_debit(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    plain = Condition.combined
    monkeypatch.setattr(Condition, "combined", lambda *given: events.append("look") or plain(*given))

    class Book:
        def debit(self, loss: Any, **said: Any) -> str:
            events.append("debit")
            return "paid"

    data = Dataset(FRAME, ledger=Book()).where("age > 1 and region in ('N')")
    data.count(epsilon=1)
    data.group_by("region", keys=["N"]).mean("pay", bounds=(0, 9), epsilon=1)
    data.histogram("region", ["N", "S"], epsilon=1)
    assert events[0] == "debit" and events.count("debit") == 3 and "look" in events


def test_receipts_and_the_ledger_say_which_rows(tmp_path: Any) -> None:
    ledger = Ledger.open(tmp_path / "l.ledger", PureDP(9))
    adults = Dataset(FRAME, ledger=ledger).where("age>=18")
    assert adults.condition == "age >= 18" and ", where age >= 18>" in repr(adults)
    both = adults.where("region = 'N' or region = 'S'")
    assert both.condition == "age >= 18 and (region = 'N' or region = 'S')"
    note = f"only rows where {both.condition}"
    joint = both.agg(epsilon=2, n=ask.count(), pay=ask.mean("pay", bounds=(0, 9)))
    groups = both.group_by("region", keys=["N"]).count(epsilon=1)
    for release in (both.count(epsilon=1), joint["n"], joint["pay"], joint, groups):
        assert note in release.to_dict()["notes"] if hasattr(release, "to_dict") else note in str(release)
    assert all(entry.memo.endswith(f", where {both.condition}") for entry in ledger.entries())
    assert Dataset(FRAME).condition is None


def rows_of(frame: pl.DataFrame, most: int, where: str | None) -> Counter[float]:
    """The records that take part, of people who may contribute so many."""
    data = Dataset(frame, unit="person", contributions=most)
    data._salt = "of all"
    data = data if where is None else data.where(where)
    (values,) = data._table.columns(("pay",), data.choice)
    return Counter(values.fetch()[0].tolist())


def test_one_person_moves_no_more_rows_than_they_may_contribute() -> None:
    """Every table of two people with up to two rows each, and that person's absence."""
    kinds = [(age, pay) for age in (None, 1, 2) for pay in (1.0, 2.0)]
    owned = [each for size in range(3) for each in combinations_with_replacement(kinds, size)]
    schema = {"person": pl.Int64, "age": pl.Int64, "pay": pl.Float64}
    for mine in owned:
        for others in owned[::5]:
            rows = [(1, *row) for row in mine] + [(2, *row) for row in others]
            with_me = rows_of(pl.DataFrame(rows, schema, orient="row"), 1, "age >= 2")
            without = rows_of(pl.DataFrame(rows[len(mine) :], schema, orient="row"), 1, "age >= 2")
            assert not without - with_me and (with_me - without).total() <= 1
            passing = [pay for age, pay in mine if age == 2]
            assert (with_me - without).total() == min(len(passing), 1)  # chosen among rows that pass
