"""What is copied runs, and says what the page says: Python, a command, a study file, and back from a study."""

import contextlib
import io
import shlex
from fractions import Fraction

import numpy as np
import polars
import pytest

import noisewise as nws
from noisewise.explorer.answer import PageAnswer
from noisewise.explorer.bindings import Bindings
from noisewise.explorer.data_files import PublicFile, PublicFiles
from noisewise.explorer.exports import Exports, states_of, study_of
from noisewise.explorer.state import Inputs, State
from tests.cli.running import invoke
from tests.explorer.public_state import SMALL, checked

STATES = [
    {},
    {"question": "quantile", "own_q": "1/4", "contributions": "2", "epsilon": "0.5", "confidence": "0.9"},
    {"question": "mean", "mechanism": "laplace"},
    {"question": "trimmed_mean", "granularity": "0.5", "high": "100.5"},
    {"question": "count", "granularity": "", "neighbors": "add_remove"},
    {"neighbors": "swap"},
    {"source": "sample", "sample": "1 2 3.5 50 1e2", "n": ""},
]


def exported(inputs, files=None):
    return Exports.of(inputs, files or PublicFiles())


def run_python(code):
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "copied", "exec"), scope)
    return scope


def same(plan, other):
    kept = (
        "statistic",
        "mechanism",
        "epsilon",
        "confidence",
        "people",
        "error",
        "shape_error",
        "shape_mean_error",
    )
    return all(getattr(plan, name) == getattr(other, name) for name in kept)


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_python_gives_the_same_plan(fields):
    inputs = checked(**fields)
    assert same(run_python(exported(inputs).python)["plan"], PageAnswer.of(inputs).plan)


@pytest.mark.parametrize("fields", STATES[:2] + STATES[-1:], ids=str)
def test_the_command_gives_the_same_plan(fields, tmp_path, monkeypatch):
    inputs = checked(**fields)
    command = exported(inputs).command
    line, _, numbers = command.partition(" <<'END'\n")
    if numbers:
        sample = tmp_path / "sample"
        sample.write_text(numbers.removesuffix("END"))
        line = line.replace("/dev/stdin", str(sample))
    done = invoke(*shlex.split(line)[1:])
    assert done.exit_code == 0, done.output
    plan = PageAnswer.of(inputs).plan
    assert f"{plan.statistic} by {plan.mechanism} at epsilon" in done.output
    assert str(plan).partition(" off, ")[2] in done.output


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_study_is_in_order_and_comes_back(fields):
    inputs = checked(**fields)
    study = nws.Study.parse(exported(inputs).study)
    study.check()
    ((name, state),) = states_of(study, PublicFiles()).items()
    back, errors = Inputs.of(state, lambda name: np.arange(1.0))
    assert (name, errors) == (inputs.kind.name, {})
    assert (back.own, back.keywords, back.records.size) == (inputs.own, inputs.keywords, inputs.records.size)


def test_a_session_in_python_comes_to_the_page_by_its_study(tmp_path):
    staff = nws.Dataset(polars.DataFrame({"pay": [1.0, 2.0], "dept": ["A", "B"]}), contributions=3)
    pay = nws.ask.quantile("pay", 0.25, bounds=(0, 500), epsilon=0.4, granularity=0.5)
    groups = (staff.group_by("dept", keys=["A"]), nws.ask.mean("pay", bounds=(0, 9), epsilon=1))
    study = nws.Study.of(staff, {"pay": pay, "by": groups}, file="staff.csv")
    states = states_of(study, PublicFiles())
    assert list(states) == ["pay"], "those in groups are not shown"
    back, errors = Inputs.of(states["pay"], lambda name: np.arange(1.0))
    assert errors == {} and back.keywords["bounds"] == (0, 500) and back.keywords["contributions"] == 3
    assert back.own == {"q": Fraction("1/4")}
    assert (back.keywords["granularity"], back.price) == (Fraction("1/2"), Fraction("2/5"))


def test_a_public_file_is_named_in_all_of_them(tmp_path):
    path = tmp_path / "public.csv"
    path.write_text("pay,x\n" + "\n".join(f"{i},y" for i in range(40)) + "\n,\n")
    files = PublicFiles((PublicFile.of(str(path), Bindings(folder=tmp_path)),))
    given = {**SMALL, "n": "", "source": "file", "column": "0/pay"}
    inputs, errors = Inputs.of(State.of(given), files.numbers)
    assert errors == {}
    exports = exported(inputs, files)
    assert same(run_python(exports.python)["plan"], PageAnswer.of(inputs).plan)
    done = invoke(*shlex.split(exports.command)[1:])
    assert done.exit_code == 0 and "not private: median" in done.output
    study = nws.Study.parse(exports.study)
    assert study.data["sample"] == str(path) and study.questions[0].question.columns == ("pay",)
    assert states_of(study, files)["median"]["column"] == "0/pay"
    assert "median data.parquet --column pay --bounds 0 100 --epsilon 1" in exports.command_release


def test_the_private_answer_runs_with_a_file_of_ones_own(tmp_path, monkeypatch):
    inputs = checked()
    exports = exported(inputs)
    polars.DataFrame({"income": list(range(100))}).write_parquet(tmp_path / "data.parquet")
    monkeypatch.chdir(tmp_path)
    answers = run_python(exports.python_release)["answers"]
    assert 0 <= answers["median"].value <= 100
    done = invoke(*shlex.split(exports.command_release)[1:])
    assert done.exit_code == 0, done.output
    assert study_of(inputs).to_toml() == exports.study
