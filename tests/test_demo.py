"""The demo runs as a user runs it and spends what it says, and its table is the output of its script."""

import csv
import os
import runpy
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from noisewise.errors import install

ROOT = Path(__file__).resolve().parents[1]
CSV = ROOT / "src" / "noisewise" / "incomes.csv"


@pytest.fixture(scope="module")
def demo():
    import noisewise.demo

    return noisewise.demo


def test_the_bundled_table_is_what_the_script_makes():
    script = ROOT / "scripts" / "synthetic_incomes.py"
    made = runpy.run_path(str(script), run_name="synthetic_incomes")["table"]()
    assert CSV.read_bytes() == made.encode()


def test_the_bundled_table_is_worth_a_demo():
    rows = list(csv.DictReader(CSV.read_text(encoding="utf-8").splitlines()))
    incomes = [int(row["income"]) for row in rows if row["income"].isdigit()]
    assert [row["person_id"] for row in rows] == [str(number) for number in range(1, 2_001)]
    assert 0 < len(rows) - len(incomes) < 60  # a few cells are missing
    assert len(set(incomes)) < len(incomes)  # some tie
    assert all(0 < income < 500_000 for income in incomes)


def test_the_table_is_labelled_synthetic_where_it_lies():
    assert "Synthetic" in CSV.with_name("incomes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("cell", "value"), [("41", 41.0), ("", None), ("n/a", None), (None, None), ("4 1", None), ("-2.5", -2.5)]
)
def test_a_cell_is_a_number_or_missing(demo, cell, value):
    assert demo.number(cell) == value


def test_each_column_has_a_budget_of_one(demo):
    for column in ("income", "age"):
        assert sum(q.epsilon for q in demo.QUESTIONS if q.column == column) == 1


def test_a_release_costs_what_its_question_says(demo):
    columns = demo.table()
    for question in demo.QUESTIONS:
        release = demo.ask(question, columns[question.column])
        assert release.privacy.as_pure().epsilon == question.epsilon
        released = release.value if isinstance(release.value, tuple) else (release.value,)
        assert len(released) == len(question.texts) == len(demo.truth(question, columns[question.column]))


def test_it_begins_with_one_median_by_four_mechanisms_and_says_which_is_the_papers(demo):
    lines = [*demo.comparison()]
    rows = [line.split() for line in lines if line.split() and line.split()[0] in dict(demo.MECHANISMS)]
    errors = {row[0]: float(row[2].replace(",", "")) for row in rows}
    assert list(errors) == ["laplace", "inverse_sensitivity", "piecewise_laplace", "balance"]
    assert sorted(errors.values(), reverse=True) == list(errors.values())
    assert [row[0] for row in rows if "PAPER'S:" in row] == ["piecewise_laplace"]


def test_the_truth_is_the_plain_answer(demo):
    assert demo.quantile([5.0, 1.0, 3.0], Fraction(1, 2)) == 3.0
    assert demo.quantile([1.0, 2.0], Fraction(1, 2)) == 1.0
    assert demo.gini([0.0, 0.0, 0.0, 4.0]) == pytest.approx(75)
    assert demo.gini([2.0, 2.0]) == 0
    ages = next(q for q in demo.QUESTIONS if q.texts == ("ages on record",))
    assert demo.truth(ages, [5.0, None, 1.0, 3.0]) == (3,)


@pytest.mark.rest
def test_it_runs_from_anywhere_and_says_what_it_is_and_ends_in_a_shell(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "noisewise.demo"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "synthetic" in done.stdout
    assert "epsilon = 2, exactly" in done.stdout
    assert list(tmp_path.iterdir()) == []
    shell = done.stdout.partition("The same from a shell")[2]
    assert [line for line in shell.splitlines() if "$" in line] == [
        "  $ noisewise ledger create people.ledger --epsilon 1",
        "  $ noisewise median incomes.csv --column age --bounds 0 120 --epsilon 1/2 --ledger people.ledger",
        "  $ noisewise ledger show people.ledger",
    ]
    assert "  median of age = " in shell and "entry 1 of people.ledger" in shell
    assert "spent      ε = 0.5" in shell and "noisewise: " not in shell


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_with_the_core_alone_it_says_what_the_shell_needs(package):
    script = (
        "import importlib.util, sys\n"
        "find = importlib.util.find_spec\n"
        f"importlib.util.find_spec = lambda name: None if name == {package!r} else find(name)\n"
        f"sys.modules[{package!r}] = None\n"
        "from noisewise.demo import main\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "epsilon = 2, exactly" in done.stdout
    assert done.stdout.endswith(f"{install('cli')}, then noisewise demo\n")


@pytest.mark.rest
def test_the_demo_bears_any_terminal():
    plain = subprocess.run(
        [sys.executable, "-m", "noisewise.demo"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (plain.returncode, plain.stderr) == (0, "")


@pytest.mark.rest
def test_the_demo_bears_a_closed_pipe():
    running = subprocess.Popen(
        [sys.executable, "-m", "noisewise.demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    running.stdout.close()
    assert "Traceback" not in running.stderr.read()
    running.stderr.close()
    assert running.wait(60) == 0
