"""Facts complete the questions that lack them, and only those; receipts say where they came from."""

import re
from datetime import date, timedelta

import jsonschema
import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.dataset.document import StudyError
from noisewise.dataset.facts import FACTS, Facts, skeleton
from noisewise.study.schema import study_schema

COLUMNS = {
    "salary": nws.Column(bounds=(0, 200_000), granularity=100, measure="dollars", label="Yearly salary"),
    "age": nws.Column(bounds=(0, 120)),
    "hired": nws.Column(bounds=(date(2000, 1, 1), date(2030, 1, 1)), granularity=timedelta(7)),
    "dept": nws.Column(keys=["B", "A"]),
}
TEXT = """\
[columns.salary]
bounds = [0, 200000]
granularity = 100
measure = "dollars"
label = "Yearly salary"

[columns]
age = {bounds = [0, 120]}

[columns."hired"]
bounds = [2000-01-01, 2030-01-01]
granularity = "7d"

[columns.dept]
keys = ["B", "A"]
"""


def frame(rows=300):
    return pl.DataFrame(
        {
            "dept": (["A", "B", None] * rows)[:rows],
            "salary": [50_000.0 + 100 * (i % 9) for i in range(rows)],
            "age": [20.0 + i % 50 for i in range(rows)],
            "hired": [date(2020, 1, 1 + i % 28) for i in range(rows)],
        },
        schema_overrides={"dept": pl.String, "hired": pl.Date},
    )


def staff(rows=300, columns=None, **held):
    return nws.Dataset(frame(rows), columns=COLUMNS if columns is None else columns, **held)


SAME = {
    "median": (
        lambda d: d.median("salary", epsilon=9),
        {"bounds": (0, 200_000), "granularity": 100},
        "salary",
    ),
    "sum": (lambda d: d.sum("salary", epsilon=9), {"bounds": (0, 200_000), "granularity": 100}, "salary"),
    "variance": (lambda d: d.variance("salary", epsilon=9), {"bounds": (0, 200_000)}, "salary"),
    "gini": (lambda d: d.gini("salary", epsilon=9), {"bounds": (0, 200_000)}, "salary"),
    "count": (lambda d: d.count("salary", epsilon=9), {}, "salary"),
    "pearson": (lambda d: d.pearson("age", "salary", epsilon=9), {"bounds": ((0, 120), (0, 200_000))}, "age"),
    "most_common": (lambda d: d.most_common("dept", epsilon=9), {"categories": ["B", "A"]}, "dept"),
    "count_distinct": (lambda d: d.count_distinct("dept", epsilon=9), {"categories": ["B", "A"]}, "dept"),
    "histogram": (lambda d: d.histogram("dept", epsilon=9), {"categories": ["B", "A"]}, "dept"),
    "crosstab": (lambda d: d.crosstab(["dept"], epsilon=9), {"categories": {"dept": ["B", "A"]}}, "dept"),
    "date": (
        lambda d: d.median("hired", epsilon=9),
        {"bounds": (date(2000, 1, 1), date(2030, 1, 1)), "granularity": timedelta(7)},
        "hired",
    ),
}


@pytest.mark.parametrize("rows", [0, 300])
@pytest.mark.parametrize("name", SAME)
def test_a_question_with_facts_is_the_question_that_says_them(name, rows):
    ask, said, column = SAME[name]
    questions = []

    class Written(nws.Dataset):
        def _ask(self, question):
            questions.append(self._facts.filled(question).question)
            return super()._ask(question)

    release = ask(Written(frame(rows), columns=COLUMNS))
    (filled,) = questions
    assert {key: value for key, value in filled.keywords.items() if key != "epsilon"} == said
    noted = any(note.endswith(" from Dataset(columns=...)") and column in note for note in release.notes)
    assert noted == bool(said)
    assert release.privacy == nws.PureDP(9) or str(release.privacy).startswith("ε = 9")


def test_what_a_question_says_wins():
    release = staff().median("salary", bounds=(0, 100_000), granularity=50, epsilon=9)
    assert release.bounds == (0, 100_000)
    assert release.granularity == 50
    assert not any("from Dataset" in note for note in release.notes)
    grouped = staff().group_by("dept", keys=["C"]).count(epsilon=9)
    assert grouped.keys.listed() == ["C"]
    assert staff().histogram("age", bins=[0, 50, 100], epsilon=9).names[:1] != ("B",)


def test_groups_come_from_facts():
    grouped = staff().group_by("dept").mean("salary", epsilon=9)
    assert grouped.keys.listed() == ["B", "A"]
    assert "keys of dept from Dataset(columns=...)" in grouped.about.notes
    with pytest.raises(nws.ParameterError, match="must be given keys"):
        staff().group_by("age")
    with pytest.raises(nws.ParameterError, match="must be given keys"):
        staff().group_by("dept", "age")


def test_agg_takes_questions_without_facts():
    joint = staff().agg(epsilon=2, pay=nws.ask.median("salary"), spread=nws.ask.std("age"))
    assert joint["pay"].bounds == (0, 200_000)
    groups = staff().where("age > 30").group_by("dept").agg(epsilon=2, pay=nws.ask.median("salary"))
    assert len(groups) == 2


def test_without_facts_a_question_must_say_them(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "a.ledger", budget=nws.PureDP(9))
    bare = nws.Dataset(frame(), ledger=ledger, columns={"age": COLUMNS["age"]})
    for ask in (
        lambda: bare.median("salary", epsilon=1),
        lambda: bare.agg(epsilon=1, pay=nws.ask.median("salary")),
        lambda: bare.pearson("age", "salary", epsilon=1),
        lambda: bare.most_common("dept", epsilon=1),
        lambda: nws.plan(nws.ask.median("age", epsilon=1)),
    ):
        with pytest.raises(nws.ParameterTypeError, match="missing a required argument"):
            ask()
    assert list(ledger.entries()) == []


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nws.Column(bounds=(5, 0)), "lowest < highest"),
        (lambda: nws.Column(bounds=(date(2020, 1, 1), 5)), "must both be dates"),
        (lambda: nws.Column(bounds=(0, 10), granularity=0), "granularity must be above 0"),
        (lambda: nws.Column(granularity="x"), "granularity"),
        (lambda: nws.Column(keys=["A", "A"]), "must differ"),
        (lambda: nws.Column(keys=[]), "from 1 to"),
        (lambda: nws.Column(label=3), "label must be text"),
        (lambda: nws.Column(bound=3), "unexpected keyword argument 'bound'"),
        (lambda: staff(columns={"wage": COLUMNS["age"]}), "columns must be one of"),
        (lambda: staff(columns={"age": (0, 120)}), "must have a Column for each name"),
        (lambda: staff(columns=3), "must be facts by the names of columns"),
        (lambda: staff(columns="nowhere.toml"), "must be a file"),
    ],
)
def test_wrong_facts_are_refused(make, message):
    with pytest.raises(nws.NoisewiseError, match=re.escape(message)):
        make()


def test_a_file_says_the_same(tmp_path):
    path = tmp_path / "columns.toml"
    path.write_text(TEXT, encoding="utf-8")
    facts = Facts.of(str(path), tuple(COLUMNS))
    assert facts.columns == COLUMNS
    release = nws.Dataset(frame(), columns=path).median("salary", epsilon=9)
    assert "bounds and granularity of salary from columns.toml" in release.notes


def test_every_mistake_in_a_file_has_its_line(tmp_path):
    path = tmp_path / "columns.toml"
    path.write_text(
        '[columns.salary]\nbounds = [5, 0]\nstep = 3\n\n[columns."a b"]\nkeys = []\n\n[data]\nfile = "x"\n\n'
        "[columns.age]\nbounds = [0, 10]\ngranularity = 0\n",
        encoding="utf-8",
    )
    with pytest.raises(StudyError) as caught:
        Facts.read(str(path))
    lines = [text.partition(":")[0] for text in caught.value.mistakes]
    assert lines == [f"columns.toml line {line}" for line in (2, 3, 6, 8, 13)]


def test_a_study_takes_the_same_section():
    study = nws.Study.parse(
        f'[data]\nfile = "staff.csv"\n\n{TEXT}\n'
        '[[ask]]\nname = "pay"\nquestion = "median"\ncolumn = "salary"\nepsilon = 1\n\n'
        '[[ask]]\nname = "by"\nquestion = "histogram"\ncolumn = "dept"\ngroup_by = "dept"\nepsilon = 1\n'
    )
    assert study.columns == COLUMNS
    study.check()
    assert study.price().total.epsilon == 2
    assert "nws.Column(bounds=(0, 200000), granularity=100" in study.to_python()
    (pay, _) = study.document["ask"]
    assert "bounds" not in pay
    schema = study_schema()
    document = {**study.document, "columns": {"salary": {"bounds": [0, 9], "granularity": 1}}}
    jsonschema.validate(document, schema)
    assert set(schema["properties"]["columns"]["additionalProperties"]["properties"]) == set(FACTS)
    del document["columns"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


def test_a_study_without_the_facts_says_what_is_missing():
    ask = '[[ask]]\nname = "pay"\nquestion = "median"\ncolumn = "age"\ngroup_by = "dept"\nepsilon = 1\n'
    with pytest.raises(StudyError, match=r"(?s)median needs bounds.*pay needs keys"):
        nws.Study.parse(f'[data]\nfile = "a.csv"\n\n[columns.salary]\nbounds = [0, 9]\n\n{ask}')
    with pytest.raises(StudyError, match=r"line 5: bounds must have lowest < highest"):
        nws.Study.parse(f'[data]\nfile = "a.csv"\n\n[columns.age]\nbounds = [9, 0]\n\n{ask}')


def test_a_study_of_a_dataset_writes_its_facts():
    asked = {"pay": nws.ask.median("salary", epsilon=1)}
    study = nws.Study.of(staff(), asked, file="staff.csv")
    assert study.columns == COLUMNS
    assert nws.Study.parse(study.to_toml()).columns == COLUMNS


def test_a_study_with_facts_runs(tmp_path):
    frame().write_csv(tmp_path / "staff.csv")
    (tmp_path / "study.toml").write_text(
        f'[data]\nfile = "staff.csv"\n\n[budget]\nledger = "a.ledger"\nepsilon = 9\n\n{TEXT}\n'
        '[[ask]]\nname = "pay"\nquestion = "median"\ncolumn = "salary"\ngroup_by = "dept"\nepsilon = 5\n',
        encoding="utf-8",
    )
    released = nws.Study.read(tmp_path / "study.toml").run(out=tmp_path / "out")
    notes = released["pay"]["notes"]
    assert "keys of dept from [columns] of study.toml" in notes
    assert "bounds and granularity of salary from [columns] of study.toml" in notes


def test_a_skeleton_says_types_and_never_values():
    few, many = frame(1), frame(300)
    assert skeleton(dict(few.schema)) == skeleton(dict(many.schema))
    text = skeleton({"a b": pl.Float64(), "x": pl.String(), "on": pl.Date(), "yes": pl.Boolean()})
    assert '[columns."a b"] # Float64' in text
    filled = re.sub(r"(?m)^# (?=[a-z]+ = )", "", text)
    facts = Facts.of({}, None)
    assert facts.columns == {}
    from noisewise.dataset.document import Checks, KeyLines, parsed
    from noisewise.dataset.facts import read_columns

    checks = Checks(parsed(filled, "columns.toml"), KeyLines(filled, {}))
    assert set(read_columns(checks)) == {"a b", "x", "on", "yes"}
    assert checks.mistakes == []


def test_labels_and_units_of_measure_are_shown():
    release = staff().median("salary", epsilon=9)
    assert release.what == "median of Yearly salary (dollars)"
    assert str(release).startswith("median of Yearly salary (dollars) = ")
    assert release.columns == ("salary",)
    assert release.to_dict()["labels"] == ["Yearly salary (dollars)"]
    assert "labels" not in staff().median("age", epsilon=9).to_dict()
    both = staff().pearson("age", "salary", epsilon=9)
    assert both.what == "pearson of age, Yearly salary (dollars)"
    by = staff().group_by("dept").median("salary", epsilon=9)
    assert "Yearly salary (dollars) by dept" in by.plot().svg
    assert "Yearly salary (dollars)" in nws.report(release).html


def test_pandas_and_scans_take_facts(tmp_path):
    path = tmp_path / "staff.csv"
    frame().write_csv(path)
    assert nws.Dataset.scan(path, columns=COLUMNS).median("salary", epsilon=9).granularity == 100
    data = pd.DataFrame({"age": [30, 40]})
    assert nws.Dataset(data, columns={"age": COLUMNS["age"]}).mean("age", epsilon=9).bounds == (0, 120)
