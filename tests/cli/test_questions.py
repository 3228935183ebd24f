"""Every question is a command, with every argument it takes, and an example that runs."""

import inspect
import shlex
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise.cli.questions import questions
from noisewise.dataset.methods import DATASET_KEYWORDS
from noisewise.questions.question import KINDS
from tests.cli.running import data, invoke

QUESTIONS = questions()


def test_every_function_is_a_command():
    assert {question.kind.name for question in QUESTIONS.values()} == set(KINDS)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda each: each.name)
def test_a_command_takes_every_argument_of_its_function(question):
    wanted = list(inspect.signature(getattr(nws, question.kind.name)).parameters)
    data, options = len(question.column_kinds), question.options()
    assert list(options)[data:] == [name for name in wanted[data:] if name not in DATASET_KEYWORDS]
    assert all(each.help for each in options.values())
    assert "``" not in question.help + "".join(each.help for each in options.values())


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda each: each.name)
def test_the_example_in_the_help_runs(question, tmp_path, monkeypatch):
    data(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = invoke(*shlex.split(question.example)[1:])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "privacy" in done.stdout


@pytest.mark.rest
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda each: each.name)
def test_the_help_shows_the_question_its_arguments_and_the_example(question):
    done = invoke(question.name, "--help", TERMINAL_WIDTH="300")
    assert done.exit_code == 0
    shown = " ".join(done.stdout.replace("│", " ").split())
    assert question.help.split(".")[0].split("\n")[0] in shown
    assert question.example in shown
    for each in question.options().values():
        assert each.flag.partition("/")[0] in shown


def test_no_argument_is_called_as_a_common_option():
    from noisewise.cli import options

    taken = {name for question in QUESTIONS.values() for name in question.options()}
    assert taken.isdisjoint({*options.COMMON, "file"})


def test_words_are_read_as_the_method_takes_them():
    question = QUESTIONS["theil-sen"].typed
    given = {
        "x": "a",
        "y": "b",
        "bounds": ["0,5"],
        "epsilon": "0.1",
        "intercept_bounds": ["1,2"],
        "parts": "3",
    }
    assert question.read(given, {}) == {
        "x": "a",
        "y": "b",
        "bounds": (0, 5),
        "epsilon": Fraction(1, 10),
        "intercept_bounds": (1, 2),
        "parts": 3,
    }
    assert QUESTIONS["covariance"].typed.read({"column": "a,b", "centred": False}, {}) == {
        "column": ["a", "b"],
        "centred": False,
    }


def test_labels_are_read_by_the_type_of_the_column_asked():
    question = QUESTIONS["most-common"].typed
    given = {"column": "size", "categories": "1,2"}
    assert question.read(given, {"size": "whole"})["categories"] == [1, 2]
    assert question.read(given, {"size": "text"})["categories"] == ["1", "2"]
    edges = {"edges": "a,b", "nodes": "1,2"}
    assert QUESTIONS["triangles"].typed.read(edges, {"a": "whole"})["nodes"] == [1, 2]


def test_the_help_of_bounds_says_what_the_question_takes():
    def said(command):
        return QUESTIONS[command].options()["bounds"].help

    assert "Or private" in said("median") and "Or private" not in said("quantiles")
    assert "once for each" in said("covariance") and "once for each" not in said("median")
    assert "((" not in said("covariance") + said("pearson")


def test_a_default_is_told():
    assert QUESTIONS["quantile-interval"].options()["confidence"].help.endswith("By default 0.95.")
