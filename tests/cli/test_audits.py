"""Audits at the command line: a table, a picture, and a code for scripts."""

import json
import sys

import pytest

from noisewise.audit.result import Audits
from noisewise.cli import audits
from noisewise.cli.exit_codes import Code
from tests.audit import wrong
from tests.cli.running import invoke

MEDIAN = ("median", "--bounds", "0", "100", "--epsilon", "1", "--answers", "6", "--n", "2")


def test_a_question_that_keeps_its_word_ends_with_0():
    done = invoke("audit", *MEDIAN)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("passed: median by balance/1, neighbors add_remove\n")
    swapped = json.loads(invoke("audit", *MEDIAN, "--relation", "swap", "--json").stdout)
    assert swapped["passed"] and swapped["audits"][0]["neighbors"] == "swap"


def test_a_violation_has_a_code_of_its_own(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mine.py").write_text("from tests.audit.wrong import numpy_laplace\n")
    picture = tmp_path / "audit.svg"
    asked = ("--epsilon", "1", "--bounds", "0,1", "--draws", "6000", "--confidence", "0.999", "--n", "1")
    done = invoke("audit", "--sampler", "mine:numpy_laplace", *asked, "--picture", str(picture))
    assert done.exit_code == Code.VIOLATION == 7
    assert done.stdout.startswith("VIOLATION: numpy_laplace") and picture.read_text().startswith("<svg")
    assert invoke("audit", "--sampler", "mine:other", *asked).exit_code == Code.PARAMETER


def test_all_questions_are_audited(monkeypatch):
    broken = audits.exact(wrong.doubled_centre, values=range(5), records=3, epsilon=1)
    given = {}

    def every(*, progress, **asked):
        given.update(asked)
        progress(broken)
        return Audits((broken,))

    monkeypatch.setattr(audits, "every", every)
    done = invoke("audit", "--all", "--epsilon", "2", "--n", "3", "--search", "5", "--seed", "1")
    assert done.exit_code == Code.VIOLATION and "1 audits, 1 violations" in done.stdout
    assert "VIOLATION: doubled_centre" in done.stderr
    assert given.pop("mechanisms")[:2] == ("auto", "balance")
    assert given == {"epsilon": 2, "records": 3, "seconds": 5, "seed": 1}


@pytest.mark.parametrize("words", [["--seed", "1"], ["medan"]])
def test_what_is_audited_must_be_said(words):
    done = invoke("audit", *words)
    assert done.exit_code == Code.PARAMETER and "median" in done.stderr


def test_help_names_the_code():
    done = invoke("audit")
    assert done.exit_code == 0 and "code 7" in " ".join(done.stdout.split()).replace("code │ │ 7", "code 7")


def test_progress_is_told_to_a_terminal(monkeypatch):
    said = []
    monkeypatch.setattr(audits, "say", said.append)
    monkeypatch.setattr(audits, "is_terminal", lambda stream: stream is sys.stderr)
    invoke("audit", *MEDIAN)
    assert said[-1].startswith("30 pairs of 30, loss 1")
