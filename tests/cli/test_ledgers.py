"""``noisewise ledger``: create, show, verify."""

import json
import sqlite3

import pytest

from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import data, invoke

pytestmark = pytest.mark.round_trip

MEDIAN = ("median", "--column", "income", "--bounds", "0", "100000", "--epsilon", "1/4", "--json")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "staff.ledger"


@pytest.mark.parametrize(
    ("words", "budget"),
    [
        (("--epsilon", "0.1"), PureDP(0.1)),
        (("--rho", "1/2"), ZCDP(0.5)),
        (("--epsilon", "1", "--delta", "1e-6"), ApproxDP(1, 1e-6)),
    ],
)
def test_a_ledger_is_created_with_a_budget_of_each_kind(place, words, budget):
    done = invoke("ledger", "create", place, *words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert Ledger.open(place).terms.budget == budget
    assert "remaining" in done.stdout


def test_a_ledger_is_created_with_its_terms(place):
    said = ("--unit", "person", "--contributions", "3", "--name", "staff", "--neighbors", "add_remove")
    assert invoke("ledger", "create", place, "--epsilon", "1", *said).exit_code == 0
    terms = Ledger.open(place).terms
    assert (terms.unit, terms.contributions, terms.name) == ("person", 3, "staff")


@pytest.mark.parametrize(
    "words", [(), ("--delta", "1e-6"), ("--epsilon", "1", "--rho", "1"), ("--rho", "1", "--delta", "1e-6")]
)
def test_a_budget_of_no_kind_is_refused_and_nothing_is_left_behind(place, words):
    done = invoke("ledger", "create", place, *words)
    assert (done.exit_code, "budget must be --epsilon 1" in done.stderr) == (2, True)
    assert not place.exists()


def test_a_ledger_is_not_created_twice(place):
    assert invoke("ledger", "create", place, "--epsilon", "1").exit_code == 0
    done = invoke("ledger", "create", place, "--epsilon", "1")
    assert (done.exit_code, "already" in done.stderr) == (4, True)


def test_a_ledger_may_lie_in_a_home(place, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert invoke("ledger", "create", "~/staff.ledger", "--epsilon", "1").exit_code == 0 and place.exists()
    again = invoke("ledger", "create", "~/staff.ledger", "--epsilon", "1")
    assert (again.exit_code, "already" in again.stderr) == (4, True)
    assert invoke("ledger", "verify", "~/staff.ledger").exit_code == 0
    place.rename(tmp_path / "staff.json")
    done = invoke("ledger", "show", "~/staff.json", "--output", tmp_path / "staff.json")
    assert (done.exit_code, "another file than what is read" in done.stderr) == (2, True)
    assert Ledger.open(tmp_path / "staff.json").verify() == 0


def test_what_is_spent_is_shown(place, tmp_path):
    invoke("ledger", "create", place, "--epsilon", "1")
    paid = invoke(*MEDIAN, data(tmp_path), "--ledger", place)
    assert paid.exit_code == 0
    shown = invoke("ledger", "show", place)
    assert "median of income by balance/1" in shown.stdout and "0.25" in shown.stdout
    told = json.loads(invoke("ledger", "show", place, "--json").stdout)
    assert (told["spent"]["epsilon"], len(told["entries"])) == ("0.25", 1)
    assert invoke("ledger", "show", NOISEWISE_LEDGER=str(place)).stdout == shown.stdout


@pytest.mark.parametrize("verb", ["show", "verify"])
def test_a_ledger_that_is_not_there_is_told_with_the_fix_and_not_created(place, verb):
    done = invoke("ledger", verb, place)
    assert (done.exit_code, f"noisewise ledger create {place} --epsilon 1" in done.stderr) == (4, True)
    assert not place.exists()


def test_an_empty_file_is_no_ledger_yet(place):
    place.touch()
    assert invoke("ledger", "show", place).exit_code == 4
    assert invoke("ledger", "create", place, "--epsilon", "1").exit_code == 0


def test_a_file_of_another_kind_is_no_ledger(place):
    place.write_text("4711, not a ledger at all, whatever its name says")
    done = invoke("ledger", "show", place)
    assert (done.exit_code, "4711" in done.output) == (4, False)


def test_receipts_stand_among_the_entries(place, tmp_path):
    invoke("ledger", "create", place, "--epsilon", "1")
    receipt, entry = tmp_path / "median.json", tmp_path / "entry.json"
    receipt.write_text(invoke(*MEDIAN, data(tmp_path), "--ledger", place).stdout)
    entry.write_text(json.dumps(json.loads(receipt.read_text())["ledger"]))
    done = invoke("ledger", "verify", place, "--receipt", receipt, "--receipt", entry)
    assert (done.exit_code, done.stdout.startswith("1 entry, none edited")) == (0, True)
    told = json.loads(invoke("ledger", "verify", place, "--receipt", receipt, "--json").stdout)
    assert told == {"entries": 1, "receipts": 1}


def test_a_receipt_of_what_is_not_there_any_more_is_missed(place, tmp_path):
    invoke("ledger", "create", place, "--epsilon", "1")
    older = place.with_name("older.ledger")
    with sqlite3.connect(place) as source, sqlite3.connect(older) as copy:
        source.backup(copy)
    source.close()
    copy.close()
    receipt = tmp_path / "median.json"
    receipt.write_text(invoke(*MEDIAN, data(tmp_path), "--ledger", place).stdout)
    assert invoke("ledger", "verify", older).exit_code == 0
    done = invoke("ledger", "verify", older, "--receipt", receipt)
    assert (done.exit_code, "entry 1 of older.ledger is missing" in done.stderr) == (4, True)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"ledger": null}', '{"ledger": "x"}', "\x00"])
def test_a_file_without_a_receipt_is_refused(place, tmp_path, text):
    invoke("ledger", "create", place, "--epsilon", "1")
    (tmp_path / "r.json").write_text(text)
    done = invoke("ledger", "verify", place, "--receipt", tmp_path / "r.json")
    assert (done.exit_code, "receipt must be a file with what --json printed" in done.stderr) == (3, True)


def test_a_page_is_written_and_a_record_for_the_registry_printed(place, tmp_path):
    invoke("ledger", "create", place, "--epsilon", "1")
    receipt, page = tmp_path / "median.json", tmp_path / "page.html"
    receipt.write_text(invoke(*MEDIAN, data(tmp_path), "--ledger", place).stdout)
    done = invoke("ledger", "report", place, "--html", page)
    assert (done.exit_code, done.stdout.strip()) == (0, f"written to {page}")
    assert "Ledger verified: 1 entry" in page.read_text(encoding="utf-8")
    assert invoke("ledger", "report", place, "--html", page, "--receipt", receipt).exit_code == 0
    assert ">median of income</h3>" in page.read_text(encoding="utf-8")
    done = invoke("ledger", "report", place, "--html", tmp_path / "no" / "page.html")
    assert (done.exit_code, "html must be a file that can be written" in done.stderr) == (2, True)
    receipt.write_text("{}")
    assert invoke("ledger", "report", place, "--html", page, "--receipt", receipt).exit_code == 3
    done = invoke("ledger", "registry", place)
    assert (done.exit_code, done.stdout) == (0, Ledger.open(place).registry())


def test_the_password_of_a_database_is_not_printed(place):
    url = "postgresql://ann:hunter2@127.0.0.1:1/staff"
    for words in (
        ("ledger", "show", url),
        ("ledger", "create", url, "--epsilon", "1"),
        ("ledger", "show", url, url),
    ):
        done = invoke(*words)
        assert done.exit_code in (2, 4, 6)
        assert "hunter2" not in done.output


def test_a_database_holds_a_ledger_for_each_name(url, tmp_path):
    for name in ("staff", "guests"):
        assert invoke("ledger", "create", url, "--epsilon", "1", "--name", name).exit_code == 0
    done = invoke(*MEDIAN, data(tmp_path), "--name", "staff", NOISEWISE_LEDGER=url)
    assert (done.exit_code, json.loads(done.stdout)["ledger"]["number"]) == (0, 1)
    spent = [
        json.loads(invoke("ledger", "show", url, "--name", name, "--json").stdout)["spent"]["epsilon"]
        for name in ("staff", "guests")
    ]
    assert spent == ["0.25", "0"]
    done = invoke("ledger", "show", url, "--name", "nobody")
    assert (done.exit_code, "there is no ledger" in done.stderr) == (4, True)


@pytest.mark.parametrize(
    "place", ["ann:hunter2@db/staff", "//ann:hunter2@db/staff", "ann:hunter2@db:5432", "PGPASSWORD=hunter2"]
)
def test_an_address_without_its_scheme_may_hold_a_password_and_is_not_printed(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = data(tmp_path)
    for done in (
        invoke("ledger", "show", place),
        invoke("ledger", "create", place, "--epsilon", "1"),
        invoke("ledger", "verify", NOISEWISE_LEDGER=place),
        invoke(*MEDIAN, table, "--ledger", place),
        invoke(*MEDIAN, table, NOISEWISE_LEDGER=place),
    ):
        assert (done.exit_code, "hunter2" in done.output) == (2, False)
        assert "it is not shown, as it may hold a password" in done.stderr
    assert list(tmp_path.iterdir()) == [table]
