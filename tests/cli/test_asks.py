"""Several questions in one call: one debit for all or none, and errors that say which one is wrong."""

import json
from pathlib import Path

import pytest

from noisewise.cli.asks import Typed, all_typed
from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP, BoundedRange, PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import card, invoke

MEDIAN, MEAN = "median income bounds=0,100000", "mean age bounds=0,100"


def test_a_question_is_its_name_its_columns_and_its_keys() -> None:
    typed = Typed.of("quantile 'date of birth' q=0.9 bounds=0,100 bounds=1,2 share=2 name=old", 1)
    assert (typed.name, typed.share, typed.question.name) == ("old", "2", "quantile")
    assert typed.given["column"] == "date of birth" and typed.given["bounds"] == ["0,100", "1,2"]
    assert Typed.of("pearson x y bounds=0,1", 1).name == "pearson_x_y"
    assert Typed.of("count-distinct drink categories=tea,water", 1).given["categories"] == "tea,water"
    assert Typed.of("covariance column=height,weight bounds=0,1", 1).name == "covariance_height_weight"
    assert Typed.of("mean age bounds=0,1 with_count=yes", 1).given["with_count"] is True
    assert [each.number for each in all_typed([MEDIAN, MEAN])] == [1, 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must be a question such as"),
        ("mean 'age", "must be a question such as"),
        ("medan income", "is no question; did you mean median?"),
        ("mean age", 'bounds must be said for mean; as in "mean income bounds=0,100"'),
        ("mean bounds=0,1", "column must be said for mean"),
        ("mean age bonds=0,1", "bonds is no key of mean; did you mean bounds?"),
        ("mean age bounds=0,1 0.5", "must be said with its key"),
        ("mean age bounds=0,1 group_by=dept", "said once for all questions, as --by"),
        ("mean age bounds=0,1 where=x", "as --where"),
        ("mean age bounds=0,1 per_group=1", "said once for all questions, as --per-group"),
        ("mean age bounds=0,1 granularity=1 granularity=2", "granularity must be said once"),
        ("mean age bounds=0,1 with_count=3", "with_count must be true or false"),
        ("mean age bounds=0,1 name=a/b", "name must be letters"),
    ],
)
def test_what_is_no_question_is_refused_with_its_number(text: str, said: str) -> None:
    with pytest.raises(ParameterError) as refused:
        all_typed([MEDIAN, text])
    assert str(refused.value).startswith(f"question 2, {text!r}: ") and said in str(refused.value)


def test_all_are_paid_by_one_debit(table: Path, tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l.ledger", PureDP(3))
    shared = (f"{MEDIAN} share=1", f"{MEAN} share=3 name=age")
    told = invoke("ask", table, *shared, "--epsilon", "2", "--ledger", tmp_path / "l.ledger", "--json")
    assert told.exit_code == 0, told.output
    card = json.loads(told.stdout)
    assert card["losses"]["stated"]["epsilon"] == "2"
    (entry,) = ledger.entries()
    assert "median of income" in entry.memo and "mean of age" in entry.memo
    shares = [card["each"][name]["privacy"]["epsilon_float"] for name in ("median_income", "age")]
    assert shares == [0.5, 1.5]
    assert list(card["each"]) == ["median_income", "age"] and len(card["value"]) == 2
    refused = invoke("ask", table, MEDIAN, MEAN, "--epsilon", "2", "--ledger", tmp_path / "l.ledger")
    assert refused.exit_code == 4 and len(ledger) == 1 and refused.stdout == ""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((MEDIAN, "mean age bounds=9,0", "--epsilon", "1"), 2, "question 2, 'mean age bounds=9,0': bounds must have"),
        ((MEDIAN, "mean agee bounds=0,9", "--epsilon", "1"), 3, "question 2, 'mean agee bounds=0,9': column must be"),
        ((MEDIAN, MEDIAN, "--epsilon", "1"), 2, "name must be another"),
        ((MEDIAN, MEAN), 2, "epsilon must be said, as in epsilon=0.5, or rho, as in rho=0.1; or --epsilon"),
        ((f"{MEDIAN} rho=1", "--rho", "1"), 2, "rho must be left out where --rho is for all questions"),
        ((f"{MEDIAN} rho=1 epsilon=1",), 2, "rho must be left out where epsilon is said"),
        ((MEDIAN, "--rho", "1", "--epsilon", "1"), 2, "must be given, exactly one of them, got both"),
        ((f"{MEDIAN} epsilon=1", "--epsilon", "1"), 2, "must be left out where --epsilon"),
        ((f"{MEDIAN} epsilon=1 share=1",), 2, "share must be left out without --epsilon"),
        ((f"{MEDIAN} share=1", MEAN, "--epsilon", "1"), 2, "share must be said for every question"),
        ((f"{MEDIAN} share=-1", "--epsilon", "1"), 2, "must be above 0"),
        ((MEDIAN, "triangles source,target nodes=9", "--epsilon", "1", "--by", "dept", "--keys", "A"), 2, "triangles"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_named_and_costs_nothing(
    table: Path, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    ledger = Ledger.open(tmp_path / "l.ledger", PureDP(3))
    told = invoke("ask", table, *words, "--ledger", tmp_path / "l.ledger")
    assert (told.exit_code, told.stdout, len(ledger)) == (code, "", 0)
    assert said in told.stderr


def test_answers_are_a_receipt_each_or_one_table(table: Path) -> None:
    told = invoke(
        "ask",
        table,
        f"{MEDIAN} epsilon=1",
        "quantiles age qs=0.25,0.5 bounds=0,100 epsilon=2",
        "--where",
        "age > 9",
    )
    assert told.exit_code == 0 and "median_income: median of income = " in told.stdout
    assert "quantiles_age: quantiles" in told.stdout and "together: ε = 3" in told.stdout
    assert told.stdout.count("only rows where age > 9") == 2
    groups = invoke(
        "ask", table, f"{MEDIAN} interval=0.9", "quantiles age qs=0.25,0.5 bounds=0,100 with_count=yes", "count",
        "--epsilon", "9", "--by", "dept", "--keys", "A,B",
    )  # fmt: skip
    head, *rows = groups.stdout.splitlines()
    named = (
        "dept,median_income,quantiles_age_0.25,quantiles_age_0.5,count,median_income_low,median_income_high,"
    )
    assert head == named + "n_quantiles_age" and [row[0] for row in rows] == ["A", "B"]
    assert "privacy ε = 9" in groups.stderr


def test_questions_are_priced_in_rho_together_or_each_by_itself(table, tmp_path):
    place = tmp_path / "rho.ledger"
    ledger = Ledger.open(place, ZCDP(5))
    told = card(
        "ask", table, f"{MEDIAN} share=1", f"{MEAN} share=3 name=age", "--rho", "2", "--ledger", place
    )
    assert [one["privacy"]["rho"] for one in told["each"].values()] == ["0.5", "1.5"]
    assert told["losses"]["stated"]["rho"] == "2"
    told = card("ask", table, f"{MEDIAN} epsilon=1", f"{MEAN} rho=1 name=age", "--ledger", place)
    assert [one["privacy"]["loss"] for one in told["each"].values()] == ["BoundedRange", "ZCDP"]
    assert ledger.spent.rho == 3 + BoundedRange(1).as_zcdp().rho
