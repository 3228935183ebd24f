"""Plans at the command line: every question, and no data but public data."""

import json
from datetime import date, timedelta

import pytest

import noisewise as nws
from noisewise.cli.plans import TOOLS_OF_PLANS as TOOLS
from noisewise.cli.questions import questions
from noisewise.tables.files.lines import LineStream
from tests.cli.running import invoke

ASKED = {
    "median": "--bounds 0 1000 --epsilon 1",
    "quantiles": "--qs 0.25,0.5 --bounds 0,1000 --epsilon 1",
    "histogram": "--bins 0,10,20 --epsilon 1",
    "most-common": "--categories tea,coffee --epsilon 1",
    "crosstab": "--categories drink=tea,coffee --categories dept=A,B --epsilon 1",
    "count": "--epsilon 1",
    "pearson": "--bounds 0 10 --bounds 0 5 --epsilon 1",
    "vector-mean": "--columns a,b --bounds 0 1 --epsilon 1 --neighbors swap --size 100",
    "linear-regression": "--X a,b --bounds 0 1 --epsilon 1",
    "triangles": "--nodes 100 --epsilon 1",
    "degree-quantile": "--q 0.5 --max-degree 10 --n 100 --epsilon 1",
}


@pytest.mark.parametrize("name", ASKED)
def test_every_kind_of_question_is_planned(name):
    done = invoke("plan", name, *ASKED[name].split())
    assert (done.exit_code, done.stderr) == (0, "")
    assert " at epsilon 1: " in done.stdout


def test_it_is_the_plan_of_python():
    done = invoke("plan", "median", *ASKED["median"].split(), "--contributions", "3", "--confidence", "0.9")
    planned = nws.plan("median", bounds=(0, 1000), epsilon=1, contributions=3, confidence=0.9)
    assert done.stdout == f"{planned}\n"
    shaped = ("--n", "500", "--shape", "normal:400,120", "--json")
    told = json.loads(invoke("plan", "median", *ASKED["median"].split(), *shaped).stdout)
    planned = nws.plan("median", bounds=(0, 1000), epsilon=1, size=500, shape=("normal", 400, 120))
    assert (told["shape_error"], told["people"], told["text"]) == (
        planned.shape_error,
        planned.people,
        str(planned),
    )
    assert (
        "90% interval"
        in invoke("plan", "median-interval", *ASKED["median"].split(), "--confidence", "0.9").stdout
    )


def test_groups_are_counted():
    done = invoke("plan", "count", "--epsilon", "1", "--contributions", "3", "--groups", "12")
    assert done.stdout == f"{nws.plan('count', epsilon=1, contributions=3, groups=12)}\n"
    assert "--groups must be at least 1" in invoke("plan", "count", "--epsilon", "1", "--groups", "0").stderr
    assert invoke("plan", "triangles", "--nodes", "9", "--epsilon", "1", "--groups", "2").exit_code == 2
    found = invoke("epsilon-for", "count", "--error", "5", "--contributions", "3", "--groups", "12").stdout
    assert found == f"{nws.epsilon_for('count', error=5, contributions=3, groups=12):g}\n"
    swept = invoke("sweep", "count", "--epsilons", "1", "--contributions", "3", "--groups", "12", "--json")
    assert json.loads(swept.stdout)[0]["error"] == 9


def test_in_groups_a_count_beside_each_answer_is_paid_for():
    """As the question itself does, unless it is told not to."""
    asked = ("plan", "median", *ASKED["median"].split(), "--groups", "4")
    counted = nws.plan("median", bounds=(0, 1000), epsilon=1, groups=4, with_count=True)
    assert invoke(*asked).stdout == f"{counted}\n" and "the count beside it" in str(counted)
    alone = nws.plan("median", bounds=(0, 1000), epsilon=1, groups=4)
    assert invoke(*asked, "--no-count").stdout == f"{alone}\n"


DATES = ("--bounds", "2000-01-01", "2020-01-01")


def test_dates_are_planned_in_days(tmp_path):
    bounds = (date(2000, 1, 1), date(2020, 1, 1))
    planned = nws.plan("mean", bounds=bounds, epsilon=1, size=1000)
    assert invoke("plan", "mean", *DATES, "--epsilon", "1", "--size", "1000").stdout == f"{planned}\n"
    told = json.loads(invoke("plan", "mean", *DATES, "--epsilon", "1", "--size", "1000", "--json").stdout)
    assert told["error"].startswith("P26DT")
    found = invoke("epsilon-for", "mean", *DATES, "--error", "5d", "--size", "1000").stdout
    assert found == f"{nws.epsilon_for('mean', error=timedelta(days=5), bounds=bounds, size=1000):g}\n"
    shaped = ("--size", "100", "--shape", "uniform:2001-01-01,2002-01-01")
    assert "days off" in invoke("plan", "median", *DATES, "--epsilon", "1", *shaped).stdout
    swept = invoke("sweep", "mean", *DATES, "--size", "500", "--granularity", "1d,7d", "--epsilons", "1")
    assert "7 days" in swept.stdout
    table = tmp_path / "days.csv"
    table.write_text("day\n" + "2010-06-01\n" * 50)
    line = ("simulate", "median", table, "--column", "day", *DATES, "--epsilon", "1")
    assert invoke(*line).stdout.startswith("not private: median = 2010-06-01 at epsilon 1")
    assert json.loads(invoke(*line, "--json").stdout)["answer"] == "2010-06-01"


def test_a_public_sample_is_a_shape(tmp_path):
    sample = tmp_path / "sample.txt"
    sample.write_text("10\n20\n30\n")
    done = invoke("plan", "median", *ASKED["median"].split(), "--shape", f"@{sample}")
    assert "on 3 records like the sample of 3" in done.stdout


def test_the_epsilon_for_a_goal():
    assert (
        invoke("epsilon-for", "count", "--error", "10").stdout == f"{nws.epsilon_for('count', error=10):g}\n"
    )
    found = invoke("epsilon-for", "median", "--people", "20", "--bounds", "0", "1000", "--json")
    assert json.loads(found.stdout) == {"epsilon": nws.epsilon_for("median", people=20, bounds=(0, 1000))}


def test_prices_in_rho():
    spread = ("--groups", "200", "--contributions", "20")
    kept = {"groups": 200, "contributions": 20}
    assert (
        invoke("plan", "count", "--rho", "0.5", *spread).stdout == f"{nws.plan('count', rho=0.5, **kept)}\n"
    )
    one = nws.plan("count", rho=0.5, per_group=1, **kept)
    assert invoke("plan", "count", "--rho", "0.5", *spread, "--per-group", "1").stdout == f"{one}\n"
    told = json.loads(invoke("plan", "median", "--bounds", "0", "9", "--rho", "0.5", "--json").stdout)
    assert (told["rho"], told["epsilon"]) == ("0.5", None)
    found = nws.rho_for("median", people=20, bounds=(0, 1000))
    words = ("rho-for", "median", "--people", "20", "--bounds", "0", "1000")
    assert (invoke(*words).stdout, json.loads(invoke(*words, "--json").stdout)) == (
        f"{found:g}\n",
        {"rho": found},
    )
    swept = nws.sweep("count", rhos=[0.1, 1])
    assert invoke("sweep", "count", "--rhos", "0.1,1").stdout == f"{swept}\n"
    assert "--rhos must be left out" in invoke("sweep", "count", "--rhos", "1", "--epsilons", "1").stderr


def test_a_sweep_is_a_table_and_a_picture(tmp_path):
    line = f"sweep median --bounds 0 1000 --epsilons 0.5,1 --granularity 1,10 --picture {tmp_path}/s.svg"
    done = invoke(*line.split())
    swept = nws.sweep("median", bounds=(0, 1000), epsilons=[0.5, 1], granularity=[1, 10])
    assert (done.exit_code, done.stdout) == (0, f"{swept}\n")
    assert (tmp_path / "s.svg").read_text() == swept.svg()
    rows = json.loads(invoke("sweep", "count", "--epsilons", "1", "--contributions", "1,4", "--json").stdout)
    assert [row["error"] for row in rows] == [3, 12]
    assert "--picture must be" in invoke("sweep", "count", "--picture", tmp_path / "no" / "s.svg").stderr


def test_plans_cannot_name_data():
    """There is no file and no column to give, but where their number matters."""
    for name in ("plan", "epsilon-for", "rho-for", "sweep"):
        for question in questions().values():
            names = {each.name for each in TOOLS[name].command(name, question).params}
            assert names.isdisjoint({"file", "format", "unit", "ledger", "edges", "x", "y_true"})
            assert "column" not in names or "matrix" in question.column_kinds
    simulating = TOOLS["simulate"].command("simulate", questions()["median"])
    assert "file" in {each.name for each in simulating.params}


def test_a_simulation_says_first_that_it_is_not_private(table):
    asked = ("--column", "income", "--bounds", "0", "100000", "--epsilon", "1")
    done = invoke("simulate", "median", table, *asked)
    assert done.exit_code == 0 and done.stdout.startswith("not private: median = ")
    assert invoke("simulate", "median", table, *asked, "--json").stdout.startswith('{"not private": true, ')
    histogram = invoke(
        "simulate", "histogram", table, "--column", "age", "--bins", "0,50,100", "--epsilon", "1"
    )
    assert histogram.stdout.startswith("not private: histogram = ")
    assert invoke("simulate", "--help").stdout.split("\n")[3].strip().startswith("Not private")


@pytest.mark.parametrize("name", TOOLS)
def test_the_examples_run(name, table, monkeypatch):
    monkeypatch.chdir(table.parent)
    shown = " ".join(invoke(name, "--help", TERMINAL_WIDTH="300").stdout.split())
    for example in TOOLS[name].examples:
        assert invoke(name, *example.split()).exit_code == 0
        assert f"noisewise {name} {example}" in shown


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("plan medain", "No such question 'medain'. Did you mean 'median'"),
        ("plan median --bounds 0 100", "--epsilon or --rho must be given, exactly one of them, got neither"),
        (
            "plan median --bounds 0 1 --epsilon 1 --shape normal:1,2",
            "--size must be how many records there are",
        ),
        ("plan median --bounds 0 1 --epsilon 1 --shape wavy:1,2 --n 5", "--shape must be"),
        ("epsilon-for median --bounds 0 9", "--people or --error must be given, and not both"),
        ("plan mean --bounds 0 1 --epsilon 1 --neighbors swap", "--size must be given for mean under swap"),
    ],
)
def test_mistakes(line, words):
    done = invoke(*line.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_comparison_is_a_table_a_picture_and_files(tmp_path):
    (tmp_path / "ages.csv").write_text("age\n" + "\n".join(map(str, (23, 31, 44, 52, 61))))
    line = ("compare", "median", tmp_path / "ages.csv", "--column", "age", "--bounds", "0", "100")
    names = ("--mechanisms", "balance,laplace")
    done = invoke(
        *line, *names, "--epsilons", "0.5,1", "--picture", tmp_path / "c.svg", "--output", tmp_path / "c.csv"
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("not private: median = 44, mechanisms at equal epsilon")
    assert "NOT PRIVATE" in (tmp_path / "c.svg").read_text()
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 5
    rows = json.loads(invoke(*line, *names, "--rhos", "0.1", "--json").stdout)["rows"]
    python = nws.compare(
        "median", [23, 31, 44, 52, 61], rhos=[0.1], mechanisms=["balance", "laplace"], bounds=(0, 100)
    )
    assert [row["mean_error"] for row in rows] == [each.mean_error for each in python]
    wrong = invoke(
        "compare", "histogram", tmp_path / "ages.csv", "--column", "age", "--bins", "0,50", "--epsilons", "1"
    )
    assert wrong.exit_code == 2 and "takes a mechanism" in wrong.stderr


@pytest.mark.parametrize(
    "asked",
    [
        ("mean", "--column", "income", "--bounds", "private"),
        ("median-interval", "--column", "income", "--bounds", "0", "100000"),
        ("private-bounds", "--column", "income"),
    ],
)
def test_a_simulation_reads_a_file_once_however_often_it_draws(table, monkeypatch, asked):
    passes, parts = [], LineStream._parts

    def counted(self):
        passes.append(self)
        return parts(self)

    monkeypatch.setattr(LineStream, "_parts", counted)
    question, *rest = asked
    done = invoke("simulate", question, table, *rest, "--epsilon", "8")
    assert (done.exit_code, len(passes)) == (0, 1), done.stderr
    assert "in 200 draws" in done.stdout
