"""Running a study: one debit, one draw for each question, whatever interrupts it."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from threading import Barrier, Thread

import pytest

from noisewise.errors import (
    BudgetExceeded,
    LedgerError,
    NoisewiseError,
    ParameterError,
    ReleaseFailed,
    SchemaError,
)
from noisewise.kernel.losses import ZCDP, PureDP
from noisewise.kernel.sampling import SystemBits
from noisewise.ledger.amounts import Amount
from noisewise.ledger.ledger import Ledger
from noisewise.questions.composites.key_selection import Chances, KeySelection
from noisewise.study import publishing as files
from noisewise.study import running, searching
from noisewise.study import study_release as release
from noisewise.study.binding import BoundQuestion
from noisewise.study.journal import JOURNAL, Journal
from noisewise.study.study import Study
from tests.study.worlds import SEARCHED, SHORT, STUDY, made

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

    def watched(self, receipt, people, bits):
        assert receipt is not None, "drawn before the debit"
        names.append(self.asked.name)
        return answer(self, receipt, people, bits)

    monkeypatch.setattr(BoundQuestion, "answer", watched)
    return names


def journal_lines(folder):
    file = folder / "staff.release" / JOURNAL
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return list(map(json.loads, lines[1:]))


def journalled(folder):
    return {line["name"]: line for line in journal_lines(folder) if "name" in line}


def begun(folder):
    """The names of questions whose draw was begun."""
    return [line["drawn"] for line in journal_lines(folder) if "drawn" in line]


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
    assert release["pay"]["people"] == "person" and all(release[each]["private"] for each in drawn)
    page = (folder / "report.html").read_text()
    assert "Ledger verified: 1 entry" in page and "median of salary" in page and "<h1>Staff" in page
    rows = re.findall(r"<tr>(.*?)</tr>", page.split('class="summary"')[1].split("</table>")[0])
    cells = [re.sub("<[^>]*>", "|", row) for row in rows]
    assert [
        name in row for name, row in zip(("name", "pay", "heads", "B", "parts"), cells, strict=False)
    ] == [True] * 5
    assert str(tmp_path) not in page and "<svg" in page
    head, first, second = (folder / "heads.csv").read_text().splitlines()
    assert (head, first[:2], second[:2]) == ("dept,heads", "A,", "B,")
    assert (folder / "parts.csv").read_text().startswith("name,value\n0.25,")
    assert "pay: median of salary = " in str(release) and "in heads.csv" in str(release)


STEPS = [  # where it is killed, and how many answers are on disk by then
    *((Journal, "begin", 1, "before", 0), (Journal, "begin", 1, "after", 0)),
    *((Ledger, "debit", 1, "before", 0), (Ledger, "debit", 1, "after", 0)),
    *(
        (BoundQuestion, "answer", 1, "before", 0),
        (Journal, "mark", 1, "before", 0),
        (Journal, "mark", 1, "after", 0),
        (BoundQuestion, "answer", 1, "after", 0),
        (Journal, "add", 1, "before", 0),
        (Journal, "add", 1, "after", 1),
    ),
    *((Journal, "add", 2, "before", 1), (Journal, "add", 2, "after", 2)),
    *(
        (release, "write_new", 1, "before", 2),
        (release, "write_new", 2, "after", 2),
        (release, "write_new", 3, "before", 2),
        (release, "write_new", 3, "after", 2),
        (Journal, "writes", 1, "after", 2),
        (files, "_name", 2, "before", 2),
        (files, "_name", 2, "after", 2),
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
    kept, paid, first, marked = journalled(tmp_path), entries(tmp_path), list(drawn), begun(tmp_path)
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
    assert drawn == [each for each in NAMES if each not in marked]
    assert release.kept == len(kept)
    assert release.content.get("lost", []) == [each for each in marked if each not in kept]
    for each, answer in kept.items():
        assert release[each] == answer["card"]
    assert not (tmp_path / "staff.release" / JOURNAL).exists()


def test_a_process_that_dies_in_the_middle_leaves_what_it_released(tmp_path):
    file = made(tmp_path, SHORT)
    script = (
        "import os, sys\nfrom noisewise.study.journal import Journal\nfrom noisewise.study.study import Study\n"
        "add = Journal.add\ndef dying(self, name, make):\n    add(self, name, make)\n    os._exit(9)\n"
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
    assert study.run(again=True).folder.name == "staff.release-2"
    assert study.run(again=True).folder.name == "staff.release-3"
    assert (len(entries(tmp_path)), len(drawn)) == (3, 6)


def test_a_second_run_that_costs_more_than_is_left_is_a_second_run(tmp_path, monkeypatch):
    study = Study.read(made(tmp_path, SHORT))
    study.run()
    monkeypatch.setattr(Journal, "begin", None)
    with pytest.raises(ParameterError, match="study must not be run twice: entry 1"):
        study.run(out=tmp_path / "other")
    assert not (tmp_path / "other").exists()


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
        kill(patch, BoundQuestion, "answer", 2, "before")
        with pytest.raises(
            ReleaseFailed, match="run it again to go on, which costs nothing; an answer whose"
        ):
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

    def failing(self, receipt, people, bits):
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


def reads(folder, data, ledger, text=SHORT):
    """A study of other files than usual."""
    file = made(folder, text.replace("staff.csv", data).replace("staff.ledger", ledger))
    if data != "staff.csv" and "*" not in data:
        (folder / data).parent.mkdir(exist_ok=True)
        (folder / "staff.csv").rename(folder / data)
    return Study.read(file)


def everything(folder):
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.mark.parametrize(
    ("data", "ledger", "what"),
    [
        ("heads.csv", "staff.ledger", "the data"),
        ("staff.csv", "heads.csv", "the ledger"),
        ("staff.csv", "report.html", "the ledger"),
        ("staff.csv", "release.json", "the ledger"),
        ("staff.csv", JOURNAL, "the ledger"),
        ("st*.csv", "./x/../heads.csv", "the ledger"),
        ("*.csv", "staff.ledger", "the data"),
        ("**/h*.csv", "staff.ledger", "the data"),
    ],
)
def test_no_file_of_a_release_takes_the_place_of_an_input(tmp_path, drawn, data, ledger, what):
    if data.startswith("**"):
        (tmp_path / "deep").mkdir()
        (tmp_path / "deep" / "hired.csv").write_text("dept,salary\nA,3\n")
    study = reads(tmp_path, data, ledger)
    before = everything(tmp_path)
    with pytest.raises(
        ParameterError, match=f"^out must be a folder in which no file .* is {what}; say another"
    ):
        study.run(out=tmp_path)
    assert everything(tmp_path) == before and drawn == []


def test_an_input_is_known_by_every_name_it_has(tmp_path, drawn):
    study = Study.read(made(tmp_path, SHORT.replace("staff.ledger", "link/heads.csv")))
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to("out")
    with pytest.raises(ParameterError, match="is the ledger"):
        study.run(out=tmp_path / "out")
    (tmp_path / "out" / "release.json").hardlink_to(tmp_path / "staff.csv")
    with pytest.raises(ParameterError, match="out must be a folder"):
        study.run(out=tmp_path / "out", again=True)
    (tmp_path / "out" / "release.json").unlink()
    study = Study.read(made(tmp_path, SHORT))
    (tmp_path / "out" / "report.html").hardlink_to(tmp_path / "staff.csv")
    with pytest.raises(ParameterError, match=r"report\.html is the data"):
        study.run(out=tmp_path / "out")
    assert drawn == [] and (tmp_path / "staff.csv").read_bytes().startswith(b"person")


@pytest.mark.parametrize("file", ["staff.toml", "{}/staff.toml"])
def test_a_ledger_lies_in_the_home_of_whoever_runs_the_study(tmp_path, monkeypatch, drawn, file):
    """Wherever the study is; where the library itself is in the folder, its path begins with the ``~`` as well."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)
    made(tmp_path, SHORT.replace("staff.ledger", "~/heads.csv"))
    study = Study.read(file.format(tmp_path))
    with pytest.raises(ParameterError, match="is the ledger"):
        study.run(out=home)
    assert study.run().names == tuple(NAMES)
    assert Ledger.open(home / "heads.csv").verify() == 1 and not (tmp_path / "~").exists()
    with pytest.raises(ParameterError, match="must not be run twice"):
        study.run(out=tmp_path / "other")
    assert drawn == NAMES


def test_a_folder_may_be_called_as_a_home_is(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "~").mkdir()
    made(tmp_path, SHORT.replace("staff.ledger", "./~/staff.ledger").replace('"staff.csv', '"~/staff.csv'))
    (tmp_path / "staff.csv").rename(tmp_path / "~" / "staff.csv")
    Study.read("staff.toml").run()
    assert Ledger.open(tmp_path / "~" / "staff.ledger").verify() == 1


@pytest.mark.parametrize("name", ["heads.csv", "report.html"])
@pytest.mark.parametrize("what", ["file", "folder", "link"])
def test_nothing_is_written_over(tmp_path, drawn, name, what):
    study = Study.read(made(tmp_path, SHORT))
    out = tmp_path / "out"
    out.mkdir()
    if what == "file":
        (out / name).write_text("precious")
    elif what == "folder":
        (out / name).mkdir()
    else:
        (out / name).symlink_to("nowhere")
    with pytest.raises(
        ParameterError, match=f"^out must be a folder without {name}, .*: nothing is written over"
    ):
        study.run(out=out)
    assert drawn == [] and entries(tmp_path) == [] and [each.name for each in out.iterdir()] == [name]


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("planted", ["file", "link", "empty"])
def test_what_is_planted_meanwhile_is_neither_written_over_nor_followed(
    tmp_path, monkeypatch, drawn, planted, links
):
    study = Study.read(made(tmp_path, SHORT))
    place, precious, add = tmp_path / "staff.release" / "heads.csv", tmp_path / "precious", Journal.add
    text = "" if planted == "empty" else "precious"
    precious.write_text(text)

    def planting(self, name, make):
        add(self, name, make)
        if name == "heads":
            place.symlink_to(precious) if planted == "link" else precious.rename(place)

    def unable(*paths):
        raise PermissionError

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", planting)
        if not links:
            patch.setattr(os, "link", unable)
        with pytest.raises(ReleaseFailed):
            study.run()
    assert drawn == NAMES
    with pytest.raises(ParameterError, match=r"must be a folder without heads\.csv, .*; move it away"):
        study.run()
    assert place.read_text() == text
    place.unlink()
    assert study.run().kept == 2 and drawn == NAMES and len(entries(tmp_path)) == 1


def test_files_are_written_where_there_are_no_hard_links(tmp_path, monkeypatch):
    def unable(*paths):
        raise PermissionError

    monkeypatch.setattr(os, "link", unable)
    Study.read(made(tmp_path, SHORT)).run()
    assert sorted(each.name for each in (tmp_path / "staff.release").iterdir()) == WRITTEN


@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_run_without_hard_links_goes_on_where_it_had_kept_a_name(tmp_path, monkeypatch, drawn, call):
    def unable(*paths):
        raise FileExistsError if os.path.lexists(paths[1]) else PermissionError

    study = Study.read(made(tmp_path, SHORT))
    monkeypatch.setattr(os, "link", unable)
    with monkeypatch.context() as patch:
        kill(patch, os, "replace", call, "before")
        with pytest.raises(ReleaseFailed):
            study.run()
    folder = tmp_path / "staff.release"
    (kept,) = (each for each in folder.iterdir() if each.stat().st_size == 0)
    kept.write_text("precious")
    with pytest.raises(ParameterError, match=rf"must be a folder without {kept.name}"):
        study.run()
    assert kept.read_text() == "precious"
    kept.write_text("")
    study.run()
    assert sorted(each.name for each in folder.iterdir()) == WRITTEN and drawn == NAMES
    assert all(each.stat().st_size for each in folder.iterdir())


def test_without_hard_links_what_is_planted_at_the_last_moment_stays(tmp_path, monkeypatch):
    def unable(*paths):
        raise PermissionError

    def planting(self, name, digest):
        writes(self, name, digest)
        if digest == files.NOTHING:
            (tmp_path / "staff.release" / name).write_text("precious")

    writes = Journal.writes
    monkeypatch.setattr(os, "link", unable)
    monkeypatch.setattr(Journal, "writes", planting)
    with pytest.raises(ReleaseFailed):
        Study.read(made(tmp_path, SHORT)).run()
    assert (tmp_path / "staff.release" / "heads.csv").read_text() == "precious"


def test_an_empty_file_of_somebody_else_is_left_alone(tmp_path, monkeypatch, drawn):
    study = interrupted(tmp_path, monkeypatch)
    (tmp_path / "staff.release" / "heads.csv").touch()
    with pytest.raises(ParameterError, match=r"must be a folder without heads\.csv"):
        study.run()
    assert (tmp_path / "staff.release" / "heads.csv").exists()


def test_a_process_that_dies_among_its_files_leaves_nothing_lying_about(tmp_path):
    file = made(tmp_path, SHORT)
    script = (
        "import os, sys\nfrom noisewise.study import publishing as files\nfrom noisewise.study.study import Study\n"
        "link = os.link\ndef dying(*paths):\n    link(*paths)\n    os._exit(9)\n"
        "os.link = dying\nStudy.read(sys.argv[1]).run()\n"
    )
    for _ in WRITTEN:
        done = subprocess.run(
            [sys.executable, "-c", script, str(file)], capture_output=True, timeout=120, check=False
        )
        assert done.returncode == 9
    times = {name: (tmp_path / "staff.release" / name).stat().st_mtime_ns for name in WRITTEN}
    release = Study.read(file).run()
    folder = release.folder
    assert sorted(each.name for each in folder.iterdir()) == WRITTEN
    assert {name: (folder / name).stat().st_mtime_ns for name in WRITTEN} == times
    assert release.content == json.loads((folder / "release.json").read_text())


WRITTEN = ["heads.csv", "release.json", "report.html"]


@pytest.fixture
def tight(monkeypatch):
    """A disk on which lines of the journal have no more room than is said, once that was taken."""
    room, write = [2**20], os.write

    def writing(file, data):
        left = room[0] - os.lseek(file, 0, os.SEEK_CUR)
        if left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[:left])

    def on(most):
        room[0] = most
        monkeypatch.setattr(os, "write", writing)
        monkeypatch.setattr(running, "_bytes_needed", lambda bound, journal: 400)

    return on


def test_an_answer_that_a_full_disk_does_not_hold_is_never_drawn_again(tmp_path, drawn, tight):
    study = Study.read(made(tmp_path, SHORT))
    tight(1000)
    for _ in NAMES:
        with pytest.raises(ReleaseFailed):
            study.run()
    assert drawn == NAMES and journalled(tmp_path) == {} and len(entries(tmp_path)) == 1
    done = study.run()
    assert (done.names, done.content["lost"], done.kept) == ((), NAMES, 0)
    assert drawn == NAMES and len(entries(tmp_path)) == 1
    assert "pay: lost, as the run failed while it was drawn or written down" in str(done)
    with pytest.raises(ParameterError, match="must not be run twice"):
        study.run()


@pytest.mark.parametrize("name", ["found", "answered"])
def test_a_search_that_fails_is_never_drawn_again(tmp_path, monkeypatch, drawn, name):
    """What a search has found may be why it failed, as where memory does not hold so many groups."""
    study, throw, in_groups = Study.read(made(tmp_path, SEARCHED)), Chances.throw, searching.in_groups

    def found(self, persons, bits):
        throw(self, persons, bits)
        raise MemoryError

    def answered(grouped, question):
        if drawn:
            raise MemoryError
        return in_groups(grouped, question)

    with monkeypatch.context() as patch:
        if name == "found":
            patch.setattr(Chances, "throw", found)
        else:
            patch.setattr(searching, "in_groups", answered)
        with pytest.raises(ReleaseFailed):
            study.run()
    assert (drawn, begun(tmp_path), journalled(tmp_path)) == (["pay"], ["pay"], {})
    done = study.run()
    assert (done.names, done.content["lost"], drawn) == (("all",), ["pay"], ["pay", "all"])
    assert len(entries(tmp_path)) == 1


def test_a_question_that_fails_while_it_reads_is_asked_again(tmp_path, monkeypatch, drawn):
    study = Study.read(made(tmp_path, SEARCHED))

    def failing(self, receipt, *, bits):
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr(KeySelection, "answer", failing)
        with pytest.raises(ReleaseFailed):
            study.run()
    assert begun(tmp_path) == []
    assert study.run().names == ("pay", "all") and drawn == ["pay", "pay", "all"]


@pytest.mark.parametrize("text", [STUDY, SEARCHED])
def test_no_random_bit_is_read_before_its_question_is_marked(tmp_path, monkeypatch, drawn, text):
    words = SystemBits.words

    def watched(self, count):
        assert not drawn or drawn[-1] in begun(tmp_path)
        return words(self, count)

    monkeypatch.setattr("noisewise.tables.engines.duckdb.fresh_salt", lambda: f"view{len(drawn)}")
    monkeypatch.setattr(SystemBits, "words", watched)
    assert list(Study.read(made(tmp_path, text)).run().names) == drawn


def test_answers_beside_a_lost_one_are_released(tmp_path, monkeypatch, drawn):
    study = Study.read(made(tmp_path, SHORT))
    with monkeypatch.context() as patch:
        kill(patch, Journal, "_append", 3, "before")
        with pytest.raises(ReleaseFailed):
            study.run()
    done = study.run()
    assert (done.names, done.content["lost"], drawn) == (("heads",), ["pay"], NAMES)
    assert "Ledger verified: 1 entry" in (done.folder / "report.html").read_text()
    assert sorted(each.name for each in done.folder.iterdir()) == WRITTEN


def test_a_full_disk_is_refused_before_the_debit(tmp_path, monkeypatch, drawn):
    study = Study.read(made(tmp_path, SHORT))

    def full(file, data):
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(
            SchemaError, match=r"out must be a folder with room for \d+,\d+ bytes, .*: Disk quota"
        ):
            study.run()
    assert drawn == [] and sorted(each.name for each in tmp_path.iterdir()) == ["staff.csv", "staff.toml"]


@pytest.mark.parametrize("text", [SHORT, STUDY, SEARCHED])
def test_room_is_taken_for_more_than_answers_need(tmp_path, monkeypatch, text):
    rooms, remove = [], Journal.remove
    monkeypatch.setattr(Journal, "remove", lambda self: (rooms.append(self._reserved), remove(self)))
    Study.read(made(tmp_path, text)).run()
    assert rooms[0] > 2**15


@pytest.mark.parametrize("resumed", [False, True])
def test_two_runs_that_begin_at_once_in_two_folders_pay_once(tmp_path, monkeypatch, drawn, resumed):
    study = Study.read(made(tmp_path, SHORT.replace("epsilon = 1\n", "epsilon = 3\n")))
    begin = running._begin
    if resumed:
        with monkeypatch.context() as patch:
            kill(patch, Ledger, "debit", 1, "before")
            with suppress(Killed):
                study.run(out=tmp_path / "one")

    def late(*given):
        entry = begin(*given)
        monkeypatch.setattr(running, "_begin", begin)
        study.run(out=tmp_path / "two")
        return entry

    monkeypatch.setattr(running, "_begin", late)
    with pytest.raises(ParameterError, match=r"study must not be run twice: entry 1 of staff\.ledger paid"):
        study.run(out=tmp_path / "one")
    assert (drawn, len(entries(tmp_path)), (tmp_path / "one").exists()) == (NAMES, 1, resumed)
    assert study.run(out=tmp_path / "one", again=True).names == tuple(NAMES)


@pytest.mark.fails_by_chance(2**-60)  # that two runs have one number
def test_of_many_threads_that_begin_at_once_one_pays(tmp_path, monkeypatch):
    study = Study.read(made(tmp_path, SHORT.replace("epsilon = 1\n", "epsilon = 3\n")))
    together, begin, done = Barrier(4, timeout=120), running._begin, []

    def begun(*given):
        entry = begin(*given)
        together.wait()
        return entry

    def one(number):
        try:
            done.append(study.run(out=tmp_path / f"out{number}").names)
        except ParameterError as error:
            done.append(error.kind)

    monkeypatch.setattr(running, "_begin", begun)
    threads = [Thread(target=one, args=[number]) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(done, key=str) == [tuple(NAMES), *["second run"] * 3]
    assert len(entries(tmp_path)) == 1


def test_a_run_that_is_paid_again_goes_on_as_such(tmp_path, monkeypatch):
    study = Study.read(made(tmp_path, SHORT.replace("epsilon = 1\n", "epsilon = 3\n")))
    study.run()
    with monkeypatch.context() as patch:
        kill(patch, Ledger, "debit", 1, "before")
        with suppress(Killed):
            study.run(again=True)
    assert study.run().folder.name == "staff.release-2" and len(entries(tmp_path)) == 2


def test_two_copies_of_one_journal_do_not_both_pay(tmp_path, monkeypatch, drawn):
    study = Study.read(made(tmp_path, SHORT.replace("epsilon = 1\n", "epsilon = 3\n")))
    with monkeypatch.context() as patch:
        kill(patch, Ledger, "debit", 1, "before")
        with suppress(Killed):
            study.run(out=tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    begin = running._begin

    def late(*given):
        entry = begin(*given)
        monkeypatch.setattr(running, "_begin", begin)
        study.run(out=tmp_path / "two")
        return entry

    monkeypatch.setattr(running, "_begin", late)
    with pytest.raises(LedgerError, match="that it had not a moment ago"):
        study.run(out=tmp_path / "one")
    assert drawn == NAMES and len(entries(tmp_path)) == 1


@pytest.mark.parametrize(
    ("paid", "due", "goes_on"),
    [
        (ZCDP(1), ZCDP(1), True),
        (ZCDP(1), ZCDP(2), False),
        (ZCDP(1), PureDP(0.5), True),
        (PureDP(2), ZCDP(0.1), False),  # what was paid bounds epsilon, and this does not
    ],
)
def test_a_run_goes_on_where_what_was_paid_in_rho_covers_it(paid, due, goes_on):
    assert running._covers(Amount.of(paid), Amount.of(due)) == goes_on
