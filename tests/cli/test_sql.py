"""``noisewise sql``: a statement about a file, with its receipt; EXPLAIN; refusals before the debit."""

import json

import pytest

import noisewise as nws
from tests.cli.running import invoke

TEXT = "SELECT dept, AVG(pay) AS pay, COUNT(*) AS n FROM staff WHERE pay > 10 GROUP BY dept"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{'AB'[i % 2]},{20 + i % 7}" for i in range(200)]
    (tmp_path / "staff.csv").write_text("\n".join(["dept,pay", *rows]), encoding="utf-8")
    facts = '[columns.pay]\nbounds = [0, 100]\n\n[columns.dept]\nkeys = ["B", "A"]\n'
    (tmp_path / "columns.toml").write_text(facts, encoding="utf-8")
    nws.Ledger.open("a.ledger", budget=nws.PureDP(200))


def ask(*words):
    return invoke("sql", *words, "--columns", "columns.toml", "--ledger", "a.ledger")


def entries():
    return list(nws.Ledger.open("a.ledger").entries())


def test_a_statement_is_answered_and_paid(files):
    shown = ask(TEXT, "staff.csv", "--epsilon", "60", "--share", "pay=2", "--share", "n=1")
    assert shown.exit_code == 0, shown.stderr
    assert shown.stdout.splitlines()[0] == "dept,pay,n"
    assert [line.partition(",")[0] for line in shown.stdout.splitlines()[1:]] == ["B", "A"]
    assert "ε = 60" in shown.stderr and "from columns.toml" in shown.stderr
    (entry,) = entries()
    assert "where pay > 10" in entry.memo
    as_json = ask(TEXT, "staff.csv", "--epsilon", "60", "--json", "--output", "answer.csv")
    assert json.loads(as_json.stdout)["table"]["dept"] == ["B", "A"]
    with open("answer.csv", encoding="utf-8") as file:
        assert file.readline().strip() == "dept,pay,n"


def test_explain_pays_nothing(files):
    shown = ask(f"EXPLAIN {TEXT}", "staff.csv", "--epsilon", "1")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "together: ε = 1" in shown.stdout
    assert entries() == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("SELECT pay FROM staff", "staff.csv", "--epsilon", "1"), 2, "at line 1, column 8"),
        ((TEXT, "staff.csv"), 2, "epsilon"),
        ((TEXT, "staff.csv", "--epsilon", "1", "--share", "pay"), 2, "--share"),
        ((TEXT, "staff.csv", "--epsilon", "1", "--dialect", "klingon"), 2, "dialect"),
        ((TEXT, "nowhere.csv", "--epsilon", "1"), 3, "no such file"),
    ],
)
def test_whatever_is_wrong_costs_nothing(files, words, code, said):
    shown = ask(*words)
    assert shown.exit_code == code, shown.stderr
    assert said in shown.stderr
    assert entries() == []
