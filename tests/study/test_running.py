"""Running a study: one debit, one draw for each question, whatever interrupts it."""

import json
import os
import subprocess
import sys
from contextlib import suppress

import pytest

from noisewise.errors import BudgetExceeded, LedgerError, NoisewiseError, ParameterError, ReleaseFailed
from noisewise.privacy import ZCDP, PureDP
from noisewise.privacy.ledger import Ledger
from noisewise.study import running
from noisewise.study.binding import BoundQuestion
from noisewise.study.journal import JOURNAL, Journal
from noisewise.study.study import Study
from tests.study.worlds import SHORT, made

NAMES = ["pay", "heads"]


class Killed(BaseException):
    """The process ends here."""


def kill(monkeypatch, owner, name, call, when):
    """Let the process end at a call of a function, before or after it."""
    whole, calls = getattr(owner, name), []

    def dying(*args, **kwargs):
        calls.append(name)
        if len(calls) == call and when == "before":
            raise Killed
        done = whole(*args, **kwargs)
        if len(calls) == call:
            raise Killed
        return done

    monkeypatch.setattr(owner, name, dying)


@pytest.fixture
def drawn(monkeypatch):
    """The names of questions in the order in which they are drawn."""
    names, answer = [], BoundQuestion.answer

    def watched(self, receipt, people):
        assert receipt is not None, "drawn before the debit"
        names.append(self.asked.name)
        return answer(self, receipt, people)

    monkeypatch.setattr(BoundQuestion, "answer", watched)
    return names


def journalled(folder):
    file = folder / "staff.release" / JOURNAL
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return {answer["name"]: answer for answer in map(json.loads, lines[1:])}


def entries(folder):
    place = folder / "staff.ledger"
    return list(Ledger.open(place).entries()) if place.exists() else []


def test_a_run_pays_once_and_writes_everything(tmp_path, drawn):
    study = Study.read(made(tmp_path))
    release = study.run()
    (entry,) = entries(tmp_path)
    assert drawn == ["pay", "heads", "parts"] == list(release.names)
    assert (entry.loss, entry.unit, entry.contributions) == (study.price().total, "person", 2)
    folder = tmp_path / "staff.release"
    assert sorted(each.name for each in folder.iterdir()) == [
        "heads.csv",
        "parts.csv",
        "release.json",
        "report.html",
    ]
    content = json.loads((folder / "release.json").read_text())
    assert content == release.content
    assert (content["hash"], content["chain_head"]) == (study.hash, entry.hash)
    assert Study.parse(content["study"]) == study
    assert Ledger.open(tmp_path / "staff.ledger").verify(content["ledger"], *(release[n] for n in drawn)) == 1
    assert release["pay"]["people"] == "person"
    page = (folder / "report.html").read_text()
    assert "Verified: 1 entry" in page and "median of salary" in page and "<h1>Staff" in page
    head, first, second = (folder / "heads.csv").read_text().splitlines()
    assert (head, first[:2], second[:2]) == ("dept,heads", "A,", "B,")
    assert (folder / "parts.csv").read_text().startswith("name,value\n0.25,")
    assert "pay: median of salary = " in str(release) and "in heads.csv" in str(release)


STEPS = [  # where it is killed, and how many answers are on disk by then
    *((Journal, "begin", 1, "before", 0), (Journal, "begin", 1, "after", 0)),
    *((Ledger, "debit", 1, "before", 0), (Ledger, "debit", 1, "after", 0)),
    *(
        (BoundQuestion, "answer", 1, "before", 0),
        (Journal, "add", 1, "before", 0),
        (Journal, "add", 1, "after", 1),
    ),
    *((Journal, "add", 2, "before", 1), (Journal, "add", 2, "after", 2)),
    *(
        (running, "write_whole", 1, "before", 2),
        (running, "write_whole", 2, "after", 2),
        (running, "write_whole", 3, "before", 2),
    ),
    *((Journal, "remove", 1, "before", 2), (Journal, "remove", 1, "after", 0)),
]


@pytest.mark.parametrize(
    ("owner", "name", "call", "when", "written"), STEPS, ids=[f"{s[1]}-{s[2]}-{s[3]}" for s in STEPS]
)
def test_a_run_that_was_killed_goes_on_and_pays_nothing_twice(
    tmp_path, monkeypatch, drawn, owner, name, call, when, written
):
    study = Study.read(made(tmp_path, SHORT))
    with monkeypatch.context() as patch:
        kill(patch, owner, name, call, when)
        with suppress(Killed, ReleaseFailed):
            study.run()
    kept, paid, first = journalled(tmp_path), entries(tmp_path), list(drawn)
    assert not first or paid, "drawn before the debit"
    assert list(kept) == NAMES[:written]
    drawn.clear()
    if (name, when) == ("remove", "after"):  # all was done
        with pytest.raises(ParameterError, match="must not be run twice"):
            study.run()
        assert drawn == []
        return
    release = study.run()
    assert len(entries(tmp_path)) == 1 and [*paid, *entries(tmp_path)][0] == entries(tmp_path)[0]
    assert drawn == [each for each in NAMES if each not in kept]
    assert release.kept == len(kept)
    for each, answer in kept.items():
        assert release[each] == answer["card"]
    assert not (tmp_path / "staff.release" / JOURNAL).exists()


def test_a_process_that_dies_in_the_middle_leaves_what_it_released(tmp_path):
    file = made(tmp_path, SHORT)
    script = (
        "import os, sys\nfrom noisewise.study.journal import Journal\nfrom noisewise.study.study import Study\n"
        "add = Journal.add\ndef dying(self, answer):\n    add(self, answer)\n    os._exit(9)\n"
        "Journal.add = dying\nStudy.read(sys.argv[1]).run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(file)], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 9
    kept = journalled(tmp_path)
    release = Study.read(file).run()
    assert (list(kept), release.kept, len(entries(tmp_path))) == (["pay"], 1, 1)
    assert release["pay"] == kept["pay"]["card"]


def test_a_second_run_is_refused_unless_it_is_paid_again(tmp_path, drawn):
    study = Study.read(made(tmp_path, SHORT.replace("epsilon = 1\n", "epsilon = 3\n")))
    study.run()
    for out in (None, tmp_path / "elsewhere"):
        with pytest.raises(ParameterError, match="study must not be run twice"):
            study.run(out=out)
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / "staff.release" / "release.json").unlink()
    with pytest.raises(ParameterError, match=r"entry 1 of staff\.ledger paid for it on"):
        study.run()
    assert len(drawn) == 2
    assert study.run(again=True).folder.name == "staff.release"
    assert study.run(again=True).folder.name == "staff.release-2"
    assert (len(entries(tmp_path)), len(drawn)) == (3, 6)


def test_another_study_of_the_same_file_is_another_run(tmp_path):
    Study.read(made(tmp_path, SHORT)).run()
    edited = Study.read(made(tmp_path, SHORT.replace("epsilon = 0.2", "epsilon = 0.1").replace("0.4", "0.1")))
    assert edited.run().folder.name == "staff.release-2"
    assert len(entries(tmp_path)) == 2


def test_a_release_is_never_written_over(tmp_path):
    study = Study.read(made(tmp_path, SHORT.replace("epsilon = 1\n", "epsilon = 3\n")))
    study.run(out=tmp_path / "out")
    with pytest.raises(ParameterError, match="out must be a folder without a release"):
        study.run(out=tmp_path / "out", again=True)


def interrupted(tmp_path, monkeypatch, text=SHORT):
    study = Study.read(made(tmp_path, text))
    with monkeypatch.context() as patch:
        kill(patch, Journal, "add", 2, "before")
        with pytest.raises(ReleaseFailed, match="run it again to go on, which costs nothing"):
            study.run()
    return study


def test_the_journal_of_another_study_is_left_alone(tmp_path, monkeypatch):
    interrupted(tmp_path, monkeypatch)
    with pytest.raises(ParameterError, match="must be the one whose run was interrupted here"):
        Study.read(made(tmp_path, SHORT.replace("epsilon = 0.2", "epsilon = 0.3"))).run()
    assert list(journalled(tmp_path)) == ["pay"]


def test_a_journal_that_was_restored_beside_its_release_draws_nothing(tmp_path, monkeypatch, drawn):
    study = interrupted(tmp_path, monkeypatch)
    folder = tmp_path / "staff.release"
    kept = (folder / JOURNAL).read_bytes()
    study.run()
    written, times = (folder / "release.json").read_bytes(), len(drawn)
    (folder / JOURNAL).write_bytes(kept)
    with pytest.raises(
        ParameterError, match=r"^the journal beside a release must hold every answer, got none for "
    ):
        study.run()
    assert (folder / "release.json").read_bytes() == written and len(drawn) == times


def test_a_journal_whose_debit_is_gone_is_refused(tmp_path, monkeypatch, drawn):
    study = interrupted(tmp_path, monkeypatch)
    os.remove(tmp_path / "staff.ledger")
    drawn.clear()
    with pytest.raises(LedgerError, match="not the one that paid for them"):
        study.run()
    assert drawn == [] and list(journalled(tmp_path)) == ["pay"]


def test_a_run_that_would_cost_more_than_was_paid_does_not_go_on(tmp_path, monkeypatch, drawn):
    study = interrupted(tmp_path, monkeypatch)
    drawn.clear()
    ledger = Ledger.open(tmp_path / "staff.ledger")
    with Journal(tmp_path / "staff.release") as journal:
        assert running._begin(study, journal, ledger, PureDP(0.6, rho=0.01), again=False) is not None
        for dearer in (PureDP(0.61, rho=0.01), PureDP(0.6, rho=0.2)):
            with pytest.raises(ParameterError, match="must cost no more than was paid"):
                running._begin(study, journal, ledger, dearer, again=False)
    assert drawn == []


def test_a_failure_after_the_debit_says_nothing_of_the_data(tmp_path, monkeypatch):
    study = Study.read(made(tmp_path, SHORT))

    def failing(self, receipt, people):
        raise ValueError("a secret record")

    with monkeypatch.context() as patch:
        patch.setattr(BoundQuestion, "answer", failing)
        with pytest.raises(ReleaseFailed) as caught:
            study.run()
    assert "secret" not in str(caught.value) and caught.value.__context__ is None
    assert len(entries(tmp_path)) == 1
    assert study.run().kept == 0
    assert len(entries(tmp_path)) == 1


def test_what_the_ledger_refuses_leaves_nothing_behind(tmp_path, drawn):
    study = Study.read(made(tmp_path, SHORT.replace("epsilon = 1\n", "")))
    with pytest.raises(ParameterError, match="line 11: the budget must be said to create a ledger"):
        study.run()
    Ledger.open(tmp_path / "staff.ledger", budget=PureDP(0.5))
    with pytest.raises(BudgetExceeded):
        study.run()
    assert drawn == [] and entries(tmp_path) == []
    assert not (tmp_path / "staff.release").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"salary"', '"salry"'),
        ("epsilon = 1\n", "epsilon = 0.5\n"),
        ("epsilon = 0.4", "epsilon = 0.4\nq = 1"),
    ],
)
def test_a_wrong_study_leaves_no_ledger_and_no_folder(tmp_path, old, new):
    with pytest.raises(NoisewiseError):
        Study.read(made(tmp_path, SHORT.replace(old, new))).run()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["staff.csv", "staff.toml"]


def test_another_ledger_than_the_studys_is_refused(tmp_path):
    other = Ledger.open(tmp_path / "other.ledger", budget=ZCDP(1))
    with pytest.raises(ParameterError, match="line 11: ledger must be left out"):
        Study.read(made(tmp_path, SHORT)).run(ledger=other)
    without = SHORT.replace('ledger = "staff.ledger"\nepsilon = 1\n', "")
    with pytest.raises(ParameterError, match="a study must name the ledger that pays"):
        Study.read(made(tmp_path, without)).run()
    Study.read(made(tmp_path, without)).run(ledger=other)
    assert len(other) == 1


def test_a_graph_is_paid_by_a_ledger_of_its_own_unit(tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\n0,1\n1,2\n0,2\n")
    text = '[data]\nfile = "edges.csv"\n[budget]\nledger = "g.ledger"\nepsilon = 1\n[[ask]]\nname = "t"\n'
    text += 'question = "triangles"\nedges = ["a", "b"]\nnodes = ["0", "1", "2"]\nepsilon = 0.5\n'
    release = Study.parse(text, folder=tmp_path).run()
    ledger = Ledger.open(tmp_path / "g.ledger")
    assert (ledger.unit, [each.unit for each in ledger.entries()]) == ("edge", ["edge"])
    assert release["t"]["owns"] == "edge"
