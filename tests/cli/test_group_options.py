"""Groups on the command line: declared or found, by an engine or in memory, and what they cost."""

from datetime import datetime
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from noisewise.cli.group_options import Grouping
from noisewise.kernel.losses import ApproxDP, PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import MEDIAN, card, invoke, rows


def test_groups_are_answered_one_by_one(table):
    asked = (*MEDIAN, table, "--epsilon", "8", "--by", "dept", "--keys", "A,B,Z")
    told = card(*asked)
    assert told["keys"] == {"dept": ["A", "B", "Z"]} and len(told["value"]) == 3
    done = invoke(*asked)
    assert done.stdout.splitlines()[0].startswith("dept,")
    assert [line.split(",")[0] for line in done.stdout.splitlines()[1:]] == ["A", "B", "Z"]
    assert done.stderr.startswith("noisewise: privacy ε = 8")


def test_groups_of_several_columns_are_every_combination(table):
    told = card(
        "count",
        table,
        "--epsilon",
        "60",
        "--by",
        "dept",
        "--by",
        "year",
        "--keys",
        "dept=A",
        "--keys",
        "year=2023,2024",
    )
    assert told["keys"] == {"dept": ["A", "A"], "year": ["2023", "2024"]}
    assert told["value"] == [10, 10]


def test_keys_are_of_the_columns_declared_type(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame(rows()).write_parquet(path)
    assert card("count", path, "--epsilon", "60", "--by", "year", "--keys", "2023,1999")["keys"] == {
        "year": [2023, 1999]
    }
    done = invoke("count", path, "--epsilon", "60", "--by", "year", "--keys", "old")
    assert (
        done.exit_code,
        "--keys must be whole numbers, as the column holds, got 'old'" in done.stderr,
    ) == (2, True)


def test_what_no_engine_answers_in_groups_is_answered_in_memory(table):
    told = card(
        "most-common",
        table,
        "--column",
        "drink",
        "--categories",
        "tea,coffee",
        "--by",
        "dept",
        "--keys",
        "A",
        "--epsilon",
        "60",
    )
    assert told["value"] == ["coffee"]
    told = card(
        "histogram",
        table,
        "--column",
        "age",
        "--bins",
        "0,50,100",
        "--by",
        "dept",
        "--keys",
        "A",
        "--epsilon",
        "60",
    )
    assert sum(told["value"][0]) == pytest.approx(20, abs=2)
    assert (
        len(
            card(
                "pearson",
                table,
                "--x",
                "x",
                "--y",
                "y",
                "--bounds",
                "0",
                "9",
                "--by",
                "dept",
                "--keys",
                "A,B",
                "--epsilon",
                "9",
            )["value"]
        )
        == 2
    )


def test_groups_are_found_where_they_are_not_declared_and_their_cost_is_told(table):
    asked = ("count", table, "--by", "dept", "--key-epsilon", "40", "--key-delta", "0.01", "--epsilon", "60")
    told = card(*asked)
    assert (told["keys"], told["value"]) == ({"dept": ["A", "B", "C"]}, [20, 20, 20])
    assert told["selection"]["losses"]["stated"]["delta"] == "0.01"
    costs = invoke(*asked).stderr.splitlines()[:2]
    assert [line.partition(", δ")[0] for line in costs] == [
        "noisewise: groups found for ε = 40",
        "noisewise: privacy, with the groups, ε = 100",
    ]


def test_groups_are_found_and_paid_for_once_wherever_the_answer_is_computed(table, tmp_path):
    place = tmp_path / "t.ledger"
    ledger = Ledger.open(place, budget=ApproxDP(60, 0.1))
    found = ("--by", "dept", "--key-epsilon", "40", "--key-delta", "0.01", "--ledger", place)
    done = invoke(
        "most-common", table, "--column", "drink", "--categories", "tea,coffee", "--epsilon", "2", *found
    )
    assert (done.exit_code, len(done.stdout.splitlines())) == (0, 4)
    assert [str(entry.cost.epsilon) for entry in ledger.entries()] == ["40", "2"]


TOO_MUCH = ("--by", "dept", "--key-epsilon", "40", "--key-delta", "0.01", "--epsilon", "60")


@pytest.mark.parametrize("words", [("count",), ("ask", "count", "median income bounds=0,10")])
def test_an_answer_that_cannot_be_paid_after_the_search_does_not_cost_the_keys(table, tmp_path, words):
    ledger = Ledger.open(tmp_path / "t.ledger", budget=ApproxDP(41, 0.1))
    done = invoke(words[0], table, *words[1:], *TOO_MUCH, "--ledger", tmp_path / "t.ledger")
    assert (done.exit_code, done.stdout) == (4, "")
    assert "would fit" in done.stderr
    assert list(ledger.entries()) == []


def test_a_question_refused_in_groups_only_does_not_cost_the_keys(table, tmp_path):
    ledger = Ledger.open(tmp_path / "t.ledger", budget=ApproxDP(41, 0.1), unit="income")
    people = ("count-people", table, "--unit", "income", *TOO_MUCH[:-1], "1")
    done = invoke(*people, "--ledger", tmp_path / "t.ledger")
    assert "No such option: --by" in done.stderr
    assert done.exit_code in (2, 3) and done.stdout == ""
    assert list(ledger.entries()) == []


def test_groups_that_were_paid_for_are_shown_even_where_the_answer_is_refused(table, tmp_path, monkeypatch):
    monkeypatch.setattr(Grouping, "check_search", lambda *anything: None)  # somebody else spends after it
    place = tmp_path / "t.ledger"
    Ledger.open(place, budget=ApproxDP(41, 0.1))
    done = invoke("count", table, *TOO_MUCH, "--ledger", place)
    assert done.exit_code == 4
    assert done.stdout.startswith("keys of dept = A; B; C\n")
    assert "would fit" in done.stderr


@pytest.mark.parametrize("words", [("--keys", "A"), ("--key-epsilon", "1")])
def test_keys_without_groups_are_refused(table, words):
    done = invoke(*MEDIAN, table, "--epsilon", "1", *words)
    assert (done.exit_code, "--by dept --keys a,b,c" in done.stderr) == (2, True)


def test_a_graph_has_no_groups(table):
    done = invoke(
        "triangles", table, "--edges", "source,target", "--nodes", "20", "--epsilon", "1", "--by", "dept"
    )
    assert (done.exit_code, "--by" in done.stderr) == (2, True)


def test_a_question_that_cannot_be_asked_does_not_cost_the_keys(table, tmp_path):
    place = tmp_path / "keys.ledger"
    ledger = Ledger.open(place, budget=ApproxDP(4, 1e-5))
    found = ("--by", "dept", "--key-epsilon", "1", "--key-delta", "1e-6", "--ledger", place)
    for wrong in (
        ("--column", "incme", "--bounds", "0", "10"),
        ("--column", "income", "--bounds", "10", "0"),
    ):
        done = invoke("median", table, *wrong, "--epsilon", "1", *found)
        assert done.exit_code in (2, 3) and done.stdout == ""
    assert list(ledger.entries()) == []


def test_where_no_group_may_be_told_the_command_says_that_looking_was_paid(tmp_path):
    path, place = tmp_path / "one.csv", tmp_path / "none.ledger"
    path.write_text("dept,income\na,1\n")
    Ledger.open(place, budget=ApproxDP(4, 1e-5))
    asked = ("median", path, "--column", "income", "--bounds", "0", "10", "--epsilon", "1", "--by", "dept")
    done = invoke(*asked, "--key-epsilon", "1", "--key-delta", "1e-6", "--ledger", place)
    assert done.exit_code == 5 and "the search was paid" in done.stderr


def test_keys_are_shown_as_they_are_typed(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"staff": [True, False] * 50, "year": [2023] * 100}).write_parquet(path)
    asked = ("count", path, "--epsilon", "60", "--by", "staff", "--by", "year")
    shown = invoke(*asked, "--keys", "staff=true,false", "--keys", "year=2023").stdout
    assert shown.splitlines() == ["staff,year,count", "true,2023,50", "false,2023,50"]
    found = invoke(*asked, "--key-epsilon", "40", "--key-delta", "0.01")
    assert (found.exit_code, found.stdout.splitlines()) == (
        0,
        ["staff,year,count", "false,2023,50", "true,2023,50"],
    )


def test_keys_of_small_floats_and_of_times_with_a_zone_can_be_named(tmp_path):
    path, noon = tmp_path / "t.parquet", datetime(2024, 2, 29, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    frame = pl.DataFrame({"dose": [0.1] * 20, "at": [noon] * 20}, {"dose": pl.Float32, "at": None})
    assert frame.schema["at"] == pl.Datetime("us", "Europe/Berlin")
    frame.write_parquet(path)
    asked = ("count", path, "--epsilon", "60", "--by")
    assert card(*asked, "dose", "--keys", "0.1,0.2")["value"] == [20, 0]
    assert card(*asked, "at", "--keys", "2024-02-29T12:00+01:00,2024-02-29T12:00Z")["value"] == [20, 0]
    (shown,) = card(*asked, "at", "--keys", "2024-02-29T11:00+00:00")["keys"]["at"]
    assert card(*asked, "at", "--keys", shown)["value"] == [20]
    (shown,) = card(*asked, "dose", "--keys", "0.1")["keys"]["dose"]
    assert card(*asked, "dose", "--keys", shown)["value"] == [20]


def test_groups_show_how_many_took_part_unless_that_is_left_out(table):
    asked = (
        "--column",
        "income",
        "--bounds",
        "0",
        "100",
        "--epsilon",
        "5",
        "--by",
        "drink",
        "--keys",
        "tea,coffee",
    )
    for name, more, columns in (
        ("median", (), "drink,median_income,n"),
        ("median", ("--no-count",), "drink,median_income"),
        ("gini", ("--with-count",), "drink,gini_income,n"),
    ):
        done = invoke(name, table, *asked, *more)
        assert done.stdout.splitlines()[0] == columns
        assert "privacy ε = 5" in done.stderr
    counted = invoke("count", table, "--epsilon", "5", "--by", "drink", "--keys", "tea,coffee")
    assert counted.stdout.splitlines()[0] == "drink,count"
    alone = invoke("median", table, *asked[:7], "--with-count")
    assert "records took part: counted for ε = 0.5, the answer drawn for ε = 4.5" in alone.stdout


def test_groups_are_found_and_answered_in_rho(table, tmp_path):
    place = tmp_path / "l.ledger"
    ledger = Ledger.open(place, ApproxDP(30, 1e-3), unit="person")
    words = ("count", table, "--unit", "person", "--rho", "4", "--by", "dept", "--ledger", place)
    told = card(*words, "--key-rho", "4", "--key-delta", "1e-6")
    assert (told["law"], told["losses"]["stated"]["delta"]) == ("discrete-gaussian/1", "2e-06")
    assert [entry.cost.rho <= 4 for entry in ledger.entries()] == [True, True]
    for more, said in (
        (("--key-rho", "1"), "or --key-epsilon or --key-rho, and --key-delta"),
        (("--key-rho", "1", "--key-epsilon", "1"), "--key-rho must be left out where --key-epsilon is said"),
        (("--key-rho", "0", "--key-delta", "1e-6"), "--key-rho must be above 0"),
    ):
        done = invoke(*words, *more)
        assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_a_pure_ledger_refuses_rho_in_words(table, tmp_path):
    place = tmp_path / "l.ledger"
    Ledger.open(place, PureDP(1))
    done = invoke("count", table, "--rho", "1", "--ledger", place)
    why = "counts epsilon, and rho bounds no epsilon: rare answers may reveal any amount; ask with --epsilon"
    assert (done.exit_code, why in done.stderr, done.stdout) == (2, True, ""), done.stderr
