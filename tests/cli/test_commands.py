"""Commands: what is typed reaches the library as it is meant, and is paid before the data is read."""

import json
from datetime import date, timedelta

import polars as pl
import pytest

from noisewise.cli.options import joined
from noisewise.dataset.dataset import Dataset
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import MEDIAN, card, invoke, rows


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["--bounds", "0", "100", "--epsilon", "1"], ["--bounds", "0,100", "--epsilon", "1"]),
        (["--bounds", "-5", "-1"], ["--bounds", "-5,-1"]),
        (["--bounds", "private", "--epsilon", "1"], ["--bounds", "private", "--epsilon", "1"]),
        (["--bounds", "0,100", "x.csv"], ["--bounds", "0,100", "x.csv"]),
        (["--bounds", "0", "--epsilon", "1"], ["--bounds", "0", "--epsilon", "1"]),
        (["--bounds"], ["--bounds"]),
        (["--bounds", "0"], ["--bounds", "0"]),
        (["--intercept-bounds", "0", "1"], ["--intercept-bounds", "0,1"]),
        (["--bounds=0,1", "a", "b"], ["--bounds=0,1", "a", "b"]),
        (["--", "--bounds", "0", "1"], ["--", "--bounds", "0", "1"]),
    ],
)
def test_two_words_after_bounds_are_a_pair(typed, read):
    assert joined(typed) == read


def test_a_number_means_what_it_says(table):
    told = card(*MEDIAN, table, "--epsilon", "0.1", "--granularity", "1/4")
    assert told["losses"]["stated"]["epsilon"] == "0.1"
    assert (told["granularity"], told["bounds"]) == ("0.25", ["0", "100000"])


def test_bounds_typed_as_whole_numbers_are_whole(table):
    assert card(*MEDIAN, table, "--epsilon", "1")["granularity"] == "1"
    assert card(*MEDIAN[:5], "100000.0", table, "--epsilon", "1")["granularity"] != "1"


def test_what_a_dataset_holds_is_an_option(table):
    told = card(*MEDIAN, table, "--epsilon", "1", "--unit", "person", "--contributions", "2")
    assert (told["people"], told["contributions"]) == ("person", 2)
    typed = table.with_suffix(".parquet")
    pl.DataFrame(rows()).write_parquet(typed)
    assert card(*MEDIAN, typed, "--epsilon", "1", "--neighbors", "swap")["neighbors"] == "swap"
    assert card(*MEDIAN, table, "--epsilon", "1", "--mechanism", "laplace")["mechanism"] == "laplace"


def test_a_limit_on_one_group_is_an_option(table):
    asked = ("count", table, "--epsilon", "1", "--unit", "person", "--contributions", "4")
    told = card(*asked, "--by", "drink", "--keys", "tea,coffee", "--per-group", "2")
    assert told["notes"][0].endswith(", and at most 2 in any one group")


def test_words_may_be_joined_by_either_dash(table):
    done = invoke("most_common", table, "--column", "drink", "--categories", "tea,coffee", "--epsilon", "60")
    assert done.exit_code == 0
    assert card(
        "median",
        table,
        "--column",
        "income",
        "--bounds",
        "private",
        "--bounds_share",
        "1/2",
        "--epsilon",
        "8",
    )


def test_an_answer_is_right_where_epsilon_is_large(table):
    middle = sorted(int(row["income"]) for row in rows())[29]
    assert card(*MEDIAN, table, "--epsilon", "64")["value"] == pytest.approx(middle, abs=1000)
    assert card("count", table, "--epsilon", "64")["value"] == 60
    assert card("count", table, "--epsilon", "64", "--column", "income")["value"] == 60


def test_a_ledger_pays_and_refuses_what_does_not_fit(table, tmp_path):
    place = tmp_path / "t.ledger"
    ledger = Ledger.open(place, budget=PureDP(1))
    told = card(*MEDIAN, table, "--epsilon", "0.6", "--ledger", place)
    assert told["ledger"]["number"] == 1
    done = invoke(*MEDIAN, table, "--epsilon", "0.6", "--ledger", place)
    assert (done.exit_code, done.stdout) == (4, "")
    assert "remains ε 0.4 of 1" in done.stderr and len(done.stderr.splitlines()) == 1
    assert ledger.spent == PureDP(0.6)


def test_the_ledger_may_be_named_by_the_environment(table, tmp_path):
    place = tmp_path / "t.ledger"
    Ledger.open(place, budget=PureDP(1))
    done = invoke(*MEDIAN, table, "--epsilon", "1/2", NOISEWISE_LEDGER=str(place))
    assert (done.exit_code, "entry 1 of t.ledger" in done.stdout) == (0, True)


def test_a_ledger_that_is_not_there_is_never_created_by_a_question(table, tmp_path):
    done = invoke(*MEDIAN, table, "--epsilon", "1", "--ledger", tmp_path / "no.ledger")
    assert (done.exit_code, "noisewise ledger create" in done.stderr) == (4, True)
    assert not (tmp_path / "no.ledger").exists()


def test_a_name_must_be_that_of_the_ledger(table, tmp_path):
    place = tmp_path / "t.ledger"
    Ledger.open(place, budget=PureDP(1), name="staff")
    assert invoke(*MEDIAN, table, "--epsilon", "1/2", "--ledger", place, "--name", "staff").exit_code == 0
    assert invoke(*MEDIAN, table, "--epsilon", "1/2", "--ledger", place, "--name", "guests").exit_code == 2


def test_what_fails_after_the_debit_says_so(table, monkeypatch):
    from noisewise.questions.request import Request

    def broken(self, levels=None):
        raise MemoryError("4711")

    monkeypatch.setattr(Request, "look", broken)
    done = invoke(*MEDIAN, table, "--epsilon", "1")
    assert (done.exit_code, done.stdout) == (5, "")
    assert "the debit stands" in done.stderr and "4711" not in done.stderr


def test_an_interrupted_question_says_that_debits_stand(table, monkeypatch):
    def interrupted(self, question):
        raise KeyboardInterrupt

    monkeypatch.setattr(Dataset, "_ask", interrupted)
    done = invoke(*MEDIAN, table, "--epsilon", "1")
    assert (done.exit_code, done.stderr) == (
        130,
        "noisewise: interrupted; what a ledger has debited stands\n",
    )


def test_a_panic_of_an_engine_is_told_without_its_words(table, monkeypatch):
    class PanicException(BaseException):
        pass

    def panics(self, question):
        raise PanicException("value 4711 out of range")

    monkeypatch.setattr(Dataset, "_ask", panics)
    done = invoke(*MEDIAN, table, "--epsilon", "1")
    assert (done.exit_code, "4711" in done.output) == (1, False)
    assert "internal error, PanicException" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--epsilon", "0"), 2, "epsilon must be above 0"),
        (("--epsilon", "one"), 2, "epsilon must be a number"),
        ((), 2, "--epsilon or --rho must be given, exactly one of them, got neither"),
        (("--epsilon", "1", "--contributions", "two"), 2, "contributions must be a whole number"),
        (("--epsilon", "1", "--neighbors", "swop"), 2, "neighbors must be"),
        (("--epsilon", "1", "--unit", "persona"), 3, "did you mean 'person'?"),
        (("--epsilon", "1", "--format", "xml"), 2, "format must be"),
        (("--epsilon", "1", "--max-groups", "2"), 2, "got --max-groups alone"),
        (("--epsilon", "1", "--bounds", "5", "1"), 2, "bounds must be said once for median"),
        (("--epsilon", "1", "--sharpness", "5"), 2, "No such option"),
        (("--epsilon", "1", "--by", "dpt", "--keys", "A"), 3, "did you mean 'dept'?"),
    ],
)
def test_a_mistake_is_told_in_one_line_with_its_code(table, words, code, said):
    done = invoke(*MEDIAN, table, *words)
    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr and len(done.stderr.splitlines()) == 1


def test_dates_are_asked_for_and_answered_as_dates(tmp_path):
    path, first = tmp_path / "t.parquet", date(2024, 2, 29)
    pl.DataFrame({"hired": [first] * 300, "took": [timedelta(hours=8)] * 300}).write_parquet(path)
    asked = ("median", path, "--epsilon", "60", "--json")
    done = invoke(*asked, "--column", "hired", "--bounds", "2015-01-01", "2025-01-01")
    assert (done.exit_code, json.loads(done.stdout)["value"]) == (0, "2024-02-29")
    done = invoke(*asked[:-1], "--column", "took", "--bounds", "0h", "24h", "--granularity", "1h")
    assert (done.exit_code, "8:00:00" in done.stdout) == (0, True)
    assert invoke(*asked, "--column", "hired", "--bounds", "0", "1").exit_code == 3


def test_a_question_names_the_columns_of_json_lines(tmp_path):
    path = tmp_path / "t.jsonl"
    lines = '{"x": 5, "id": "a", "to": "1"}\n{"x": 7, "id": "b", "to": "2"}\n' * 50
    for first in ("", '{"y": 1}\n', "12\n"):
        path.write_text(first + lines)
        for words, told in {
            "median --column x --bounds 0 10": "median of x = ",
            "count --column X": "count of X = 0",
            "count --column x --unit id --contributions 1": "count of x = 2",
            "most-common --column to --categories 1,2,3": "most common of to = ",
            "count --column x --by id --keys a,b,c": "",
            "triangles --edges id,to --nodes 3": "triangles of id, to = 0",
        }.items():
            done = invoke(*words.split(), path, "--epsilon", "60")
            assert (done.exit_code, done.stdout[: len(told)]) == (0, told)
    grouped = invoke("count", path, "--by", "id", "--keys", "a,b,c", "--epsilon", "60")
    assert grouped.stdout.endswith("a,50\nb,50\nc,0\n")


def test_json_lines_of_nobody_are_answered_like_those_of_one(tmp_path):
    path = tmp_path / "t.jsonl"
    for content in ("", '{"x": 5}\n'):
        path.write_text(content)
        done = invoke("median", path, "--column", "x", "--bounds", "0", "10", "--epsilon", "1")
        assert (done.exit_code, done.stderr) == (0, "")


def test_contributions_are_found_if_nobody_knows_them(table):
    asked = ("count", table, "--epsilon", "1", "--unit", "person", "--contributions", "private")
    told = card(*asked, "--contributions-most", "5", "--contributions-share", "1/4")
    assert 1 <= told["contributions"] <= 5
    assert told["notes"][0].startswith("contributions searched for with ε = 0.25, ")
    wrong = invoke(*asked, "--contributions-most", "1")
    assert (wrong.exit_code, wrong.stderr) == (
        2,
        "noisewise: --contributions-most must be at least 2, got 1\n",
    )
