"""A study as a value: read from a file, made of a Dataset, written down again."""

from datetime import timedelta
from fractions import Fraction

import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterTypeError, SchemaError
from noisewise.study.study import Study
from tests.study.worlds import SHORT, STUDY, made

ask = nws.ask


def test_a_study_is_read_with_what_it_says(tmp_path):
    study = Study.read(made(tmp_path))
    assert (study.title, study.file, study.folder) == ("Staff", "staff.toml", tmp_path)
    assert study.budget == nws.PureDP(1)
    pay, heads, parts = study.questions
    assert pay.question.keywords["epsilon"] == Fraction(2, 5)
    assert (heads.by, heads.keys) == (("dept",), ["A", "B"])
    assert parts.question.keywords["qs"][1] == Fraction(1, 2)
    assert repr(study) == f"<Study 'Staff': 3 questions, {study.hash[:16]}>"


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, content):
    file = tmp_path / "x.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SchemaError, match="study must be a file of UTF-8 text that can be read"):
        Study.read(file)


def test_a_study_is_written_and_read_back():
    study = Study.parse(STUDY)
    again = Study.parse(study.to_toml())
    assert again == study and again.hash == study.hash and again.to_toml() == study.to_toml()


def test_a_dataset_and_its_questions_are_a_study(tmp_path):
    frame = pl.DataFrame({"person": [1, 2], "dept": ["A", "B"], "year": [1, 2], "pay": [1.0, 2.0]})
    ledger = nws.Ledger.open(tmp_path / "x.ledger", budget=nws.ApproxDP(1, 1e-6), unit="person")
    staff = nws.Dataset(frame, unit="person", contributions=3, ledger=ledger)
    by = staff.group_by("dept", "year", keys=[("A", 1), ("B", 2)])
    questions = {
        "q": ask.quantile("pay", "1/3", bounds=(0, 9.5), epsilon=Fraction(1, 3)),
        "by": (by, ask.mean("pay", bounds=(0, 9), epsilon=0.1, mechanism="laplace")),
        "many": ask.covariance(["pay", "year"], bounds=((0, 9), (0, 3)), epsilon=0.1),
        "all": ask.count(epsilon=0.1),
    }
    study = Study.of(staff, questions, file="x.csv", title="X", types={"pay": "number", "year": "number"})
    assert study.people == {"unit": "person", "contributions": 3}
    assert (study.budget, study.ledger) == (ledger.budget, str(tmp_path / "x.ledger"))
    for name, each in zip(questions, study.questions, strict=True):
        given = questions[name][1] if name == "by" else questions[name]
        assert (each.question.name, each.question.about) == (given.name, given.about)
        assert each.question.price() == given.price()
    assert study.questions[1].keys == [["A", 1], ["B", 2]]
    study.check()
    assert Study.parse(study.to_toml()) == study


def test_limits_on_people_in_groups_are_written_where_they_differ():
    """Of the Dataset in [people], and of other groups beside their question."""
    frame = pl.DataFrame({"person": [1, 2], "dept": ["A", "B"], "pay": [1.0, 2.0]})
    staff = nws.Dataset(frame, unit="person", contributions=3, per_group=2)
    same, other = (staff.group_by("dept", keys=["A", "B"], **limits) for limits in ({}, {"per_group": 1}))
    counts = {"same": (same, ask.count(epsilon=0.1)), "other": (other, ask.count(epsilon=0.1))}
    study = Study.of(staff, counts, file="x.csv")
    assert study.people == {"unit": "person", "contributions": 3, "per_group": 2}
    assert [each.limits for each in study.questions] == [{}, {"per_group": 1}]
    study.check()
    assert Study.parse(study.to_toml()) == study
    program = study.to_python()
    assert "contributions=3, per_group=2" in program
    assert "group_by('dept', keys=['A', 'B'], per_group=1).count(" in program
    groups = {name: asked[0] for name, asked in study.asked(staff).items()}
    assert {name: each._dataset.per_group for name, each in groups.items()} == {"same": 2, "other": 1}
    unlimited = Study.parse(study.to_toml().replace("per_group = 1\n", ""))
    assert unlimited.hash != study.hash


@pytest.mark.parametrize("limits", [{}, {"max_groups": 1}, {"per_group": 1}])
def test_a_study_keeps_to_the_limits_of_its_questions(tmp_path, limits):
    """A person with five records in each of two groups."""
    rows = [f"{person},{dept},5" for person in range(40) for dept in "AB" for _ in range(5)]
    (tmp_path / "staff.csv").write_text("\n".join(["person,dept,salary", *rows, ""]))
    said = "".join(f"{key} = {value}\n" for key, value in limits.items())
    (tmp_path / "study.toml").write_text(
        '[data]\nfile = "staff.csv"\n[people]\nunit = "person"\ncontributions = 4\n'
        '[budget]\nledger = "x.ledger"\nepsilon = 200\n[[ask]]\nname = "heads"\nquestion = "count"\n'
        f'epsilon = 64\ngroup_by = "dept"\nkeys = ["A", "B"]\n{said}'
    )
    counts = Study.read(tmp_path / "study.toml").run()["heads"]["value"]
    if limits == {"max_groups": 1}:
        assert sum(counts) == 160 and counts[0] % 4 == 0
    else:
        assert counts == ([40, 40] if limits else [80, 80])


def test_what_a_file_cannot_say_is_refused():
    staff = nws.Dataset(pl.DataFrame({"pay": [1.0]}))
    drawn = ask.median("pay", bounds=(0, 9), mechanism=nws.PiecewiseLaplace(epsilon=1), epsilon=1)
    with pytest.raises(ParameterTypeError, match="the mechanism of x must be a name to be written down"):
        Study.of(staff, {"x": drawn}, file="x.csv")
    with pytest.raises(ParameterTypeError, match="x must be a question such as"):
        Study.of(staff, {"x": "median"}, file="x.csv")


def test_durations_are_written_as_they_are_typed():
    staff = nws.Dataset(pl.DataFrame({"d": [timedelta(1)]}))
    asked = ask.median(
        "d", bounds=(timedelta(0), timedelta(days=9)), granularity=timedelta(hours=12), epsilon=1
    )
    text = Study.of(staff, {"x": asked}, file="x.parquet").to_toml()
    assert 'granularity = "12h"' in text and 'bounds = ["0w", "9d"]' in text
    Study.parse(text).check()


def test_a_condition_is_part_of_a_study(tmp_path):
    text = STUDY.replace("types =", "where = \"salary >= 1 and dept != 'B'\"\ntypes =")
    study = Study.read(made(tmp_path, text))
    assert study.hash != Study.parse(STUDY).hash and ".where(" in study.to_python()
    study.check()
    Study.parse(text.replace(".csv", ".parquet").replace('types = {salary = "number"}', "")).check()
    release = study.run(out=tmp_path / "out")
    assert all("only rows where salary >= 1" in str(release[name]) for name in release.names)
    (entry,) = nws.Ledger.open(tmp_path / "staff.ledger").entries()
    assert entry.memo.endswith("where salary >= 1 and dept != 'B'")
    data = nws.Dataset(pl.DataFrame({"a": [1]})).where("a>0")
    assert Study.of(data, {"n": ask.count(epsilon=1)}, file="a.csv").data["where"] == "a > 0"


def test_a_study_becomes_a_dataset_and_a_study_again(tmp_path):
    study = Study.read(made(tmp_path))
    staff = study.dataset()
    back = Study.of(staff, study.asked(staff), file="staff.csv", title="Staff", types={"salary": "number"})
    local = Study.parse(back.to_toml().replace(f"{tmp_path}/", "").replace(f"{tmp_path}\\", ""))
    assert (local.data, local.people, local.budget, local.ledger) == (
        study.data,
        study.people,
        study.budget,
        study.ledger,
    )
    assert local.price().to_dict() == study.price().to_dict()
    said = [
        [(each.name, each.question.name, each.question.about, each.by, each.keys) for each in one.questions]
        for one in (local, study)
    ]
    assert said[0] == said[1]
    assert (
        Study.of(staff, back.asked(staff), file="staff.csv", title="Staff", types=back.data["types"]) == back
    )
    answer = staff.count("salary", epsilon=0.1)
    (entry,) = nws.Ledger.open(tmp_path / "staff.ledger").entries()
    assert (answer.people, entry.unit, entry.contributions) == ("person", "person", 2)
    assert study.run().names == ("pay", "heads", "parts"), "the same ledger goes on to pay for the study"


def test_a_dataset_of_a_study_without_a_ledger_needs_one(tmp_path):
    study = Study.read(made(tmp_path, SHORT.replace('ledger = "staff.ledger"\n', "")))
    with pytest.raises(nws.ParameterError, match="a study must name the ledger that pays"):
        study.dataset()
    ledger = nws.Ledger.open(tmp_path / "other.ledger", nws.PureDP(1))
    assert study.dataset(ledger=ledger).count(epsilon=0.5).receipt.number == 1


def test_a_study_of_no_data_makes_no_ledger(tmp_path):
    study = Study.read(made(tmp_path))
    (tmp_path / "staff.csv").unlink()
    with pytest.raises(nws.NoisewiseError):
        study.dataset()
    assert not list(tmp_path.glob("*.ledger*"))
