"""The command itself: a process that ends as it should, whatever happens to it."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from noisewise import __version__
from noisewise.cli.app import TOOLS, app
from noisewise.cli.app import command as front
from noisewise.cli.exit_codes import Code
from noisewise.errors import install
from tests.cli.running import command, data, environment, invoke, run
from tests.study.worlds import SHORT, made

MEDIAN = ("median", "--column", "income", "--bounds", "0", "100000", "--epsilon", "1")


@pytest.fixture
def table(tmp_path):
    return data(tmp_path)


def test_the_command_answers(table):
    done = run(*MEDIAN, table)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("median of income = ") and "privacy      ε = 1" in done.stdout
    assert "\x1b" not in done.stdout


def test_without_a_command_the_help_is_shown_and_the_version_on_demand():
    done = run(NO_COLOR="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "One column" in done.stdout and "median" in done.stdout and "\x1b" not in done.stdout
    assert run("--version").stdout == f"noisewise {__version__}\n"


def test_a_command_that_does_not_exist_is_told_with_the_one_that_does():
    done = run("mdian")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean 'median'" in done.stderr and len(done.stderr.splitlines()) == 1


def test_without_the_extra_the_command_says_what_to_install():
    for package in ("typer", "rich"):
        script = f"import sys; sys.modules[{package!r}] = None\nfrom noisewise.cli import main\nmain()"
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            encoding="utf-8",
            env=environment(),
            check=False,
        )
        assert (done.returncode, done.stdout) == (6, "")
        assert done.stderr == f"noisewise: the command line needs typer and rich: {install('cli')}\n"


def test_a_package_that_a_file_needs_is_told_with_its_extra(table):
    script = "import sys; sys.modules['duckdb'] = None\nfrom noisewise.cli import main\nmain(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, MEDIAN), str(table)],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stdout) == (6, "")
    assert 'pip install "' in done.stderr and len(done.stderr.splitlines()) == 1


def test_an_answer_that_cannot_be_written_is_a_failure(table):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no full device here")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command(*MEDIAN, table),
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(),
            check=False,
        )
    assert done.returncode == 5
    assert "could not be written" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_pipe_that_is_closed_ends_the_command_quietly(table):
    running = subprocess.Popen(
        command(*MEDIAN, table), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait(60) == 141


def test_a_terminal_that_lacks_a_letter_loses_no_answer(table):
    done = run(*MEDIAN, table, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert r"privacy      \u03b5 = 1" in done.stdout
    assert run("--help", PYTHONIOENCODING="ascii").returncode == 0


def test_the_shell_completes_commands(table):
    done = run(_NOISEWISE_COMPLETE="complete_bash", COMP_WORDS="noisewise quant", COMP_CWORD="1")
    assert done.stdout.split() == ["quantile", "quantile-interval", "quantiles"]


def test_warnings_of_engines_are_neither_shown_nor_errors(table, monkeypatch):
    import warnings

    from noisewise.dataset.dataset import Dataset

    answered = Dataset._ask

    def warns(self, question):
        warnings.warn("4711", stacklevel=1)
        return answered(self, question)

    monkeypatch.setattr(Dataset, "_ask", warns)
    done = invoke(*MEDIAN, table)
    assert (done.exit_code, done.stderr, "4711" in done.stdout) == (0, "", False)


def test_no_traceback_with_local_variables_is_ever_made():
    assert app.pretty_exceptions_enable is False
    assert sys.excepthook.__module__ != "typer.main"


def test_a_command_that_is_stopped_after_the_debit_keeps_its_code(table, monkeypatch):
    from noisewise.questions.request import Request

    def stopped(self, levels=None):
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(Request, "look", stopped)
    assert invoke(*MEDIAN, table).exit_code == 143


@pytest.mark.parametrize(("told", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_engine_that_makes_another_error_of_a_signal_changes_no_code(
    table, monkeypatch, told, code, error
):
    from noisewise.questions.request import Request

    def stopped(self, levels=None):
        with contextlib.suppress(SystemExit):
            os.kill(os.getpid(), signal.Signals[told])
            time.sleep(1)
        raise error

    monkeypatch.setattr(Request, "look", stopped)
    done = invoke(*MEDIAN, table)
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr == "noisewise: interrupted; what a ledger has debited stands\n"


def examples(commands):
    """What the help of these commands gives as examples, in their order."""
    for each in commands:
        if hasattr(each, "listed"):
            yield from examples(map(each.made, getattr(each, "parts", ())))
        elif each.epilog:
            yield each.epilog.removeprefix("Example: noisewise ").partition("\n\n")[0]


def test_the_examples_of_the_other_commands_run_too(table, monkeypatch):
    monkeypatch.chdir(table.parent)
    pl.DataFrame({"income": [1]}).write_parquet("data.parquet")
    others = [name for name in TOOLS if name != "explore"]  # which goes on until it is interrupted
    found = list(examples(map(front().made, others)))
    assert [shlex.split(example)[0:1] + shlex.split(example)[1].split()[:1] for example in found] == [
        ["ask", "data.csv"],
        ["sql", "SELECT"],
        ["schema", "data.parquet"],
        ["facts", "data.parquet"],
        ["ledger", "create"],
        ["ledger", "show"],
        ["ledger", "verify"],
        ["ledger", "report"],
        ["ledger", "registry"],
        *(["study", verb] for verb in ("check", "price", "simulate", "run", "schema")),
    ]
    made(table.parent, SHORT.replace("staff.ledger", "study.ledger"), "study.toml")
    shutil.copy("staff.csv", "public.csv")
    for example in found:
        done = invoke(*shlex.split(example))
        assert (done.exit_code, done.stderr) == (0, "")
        if "create" in example:
            paid = invoke(*MEDIAN, table, "--ledger", "staff.ledger", "--json")
            (table.parent / "median.json").write_text(paid.stdout)
        if "verify" in example:
            assert "1 receipt stands" in done.stdout


def test_the_help_of_all_commands_has_an_example_and_tells_the_codes(table, monkeypatch):
    monkeypatch.chdir(table.parent)
    shown = " ".join(invoke("--help", TERMINAL_WIDTH="300").stdout.split())
    example = shown.partition("Example: noisewise ")[2].partition(" Exit codes: ")[0]
    assert invoke(*example.split()).exit_code == 0
    told = {int(number) for number in re.findall(r"\b(\d) ", shown.partition("Exit codes: ")[2])}
    assert told == {int(code) for code in Code if code < 100}
