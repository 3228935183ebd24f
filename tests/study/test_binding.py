"""Binding a study: its lines are judged by the code that runs them, with and without data."""

import pytest

from noisewise.dataset.document import StudyError
from noisewise.errors import NoisewiseError, ParameterError, SchemaError
from noisewise.kernel.losses import ZCDP
from noisewise.study.binding import BoundStudy, bound_without_data, check_total, opened
from noisewise.study.study import Study
from tests.study.worlds import STUDY, made


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bounds = [0, 100]\nepsilon = 0.4", "bounds = [100, 0]\nepsilon = 0.4",
         "line 21: bounds must have lowest < highest, got (100, 0)"),
        ('qs = [0.25, "1/2"]', "qs = [2]", "line 38: each of qs must be between 0 and 1, got 2"),
        ('"A",\n    "B",', '"1", 2', "line 29: keys must be text for the column 'dept', got 2"),
        ('name = "heads"', 'name = "dept"', "line 25: name must not be that of a column of keys, got 'dept'"),
        ("contributions = 2", 'contributions = 2\nneighbors = "swop"', "line 12: neighbors must be "),
        ('unit = "person"', "max_groups = 1", "line 10: max_groups must be left out without a unit"),
        ('unit = "person"', "per_group = 1", "line 10: per_group must be left out without a unit"),
        ("types =", 'separator = ";;"\ntypes =', "line 7: separator must be "),
        ("types =", 'encoding = "latin-99"\ntypes =', "line 7: encoding must be "),
        ('"number"}', '"nmber"}', "line 7: types must be "),
        ("types =", 'where = "salary >"\ntypes =', "line 7: where must be a condition"),
        ("types =", "where = \"salary = 'x'\"\ntypes =", "line 7: where must compare the column 'salary'"),
        ('"number"}', '"text"}', "line 20: data must be numbers"),
        ('"staff.csv"', '"staff"', "line 6: format must say what the file is"),
    ],
)  # fmt: skip
def test_a_line_is_judged_without_data(old, new, said):
    assert STUDY.count(old)
    with pytest.raises(NoisewiseError) as caught:
        Study.parse(STUDY.replace(old, new)).check()
    assert f"study.toml {said}" in str(caught.value)


def test_what_several_lines_have_wrong_is_said_of_each():
    with pytest.raises(StudyError) as caught:
        Study.parse(STUDY.replace("[0, 100]", "[100, 0]")).check()
    assert [each.partition(": ")[0] for each in caught.value.mistakes] == [
        "study.toml line 21",
        "study.toml line 39",
    ]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.csv.gz", "x.jsonl", "x.parquet", "x-*.arrow"])
def test_every_format_is_judged_without_data(name):
    text = STUDY.replace("staff.csv", name)
    if not name.startswith(("x.csv", "x.tsv", "x.jsonl")):
        text = text.replace('types = {salary = "number"}\n', "").replace('"A",\n    "B",', "1, 2")
    study = Study.parse(text)
    study.check()
    assert float(bound_without_data(study).together.loss.epsilon) == 0.7
    wrong = Study.parse(text.replace("bounds = [0, 100]\nepsilon = 0.4", "bounds = [100, 0]\nepsilon = 0.4"))
    with pytest.raises(NoisewiseError, match=r"line \d+: bounds must have lowest < highest, got \(100, 0\)"):
        wrong.check()


def test_a_study_in_another_encoding_with_another_separator_is_judged():
    text = STUDY.replace("types =", 'separator = ";"\nencoding = "utf-16"\ntypes =')
    study = Study.parse(text)
    study.check()
    assert float(bound_without_data(study).together.loss.epsilon) == 0.7
    with pytest.raises(NoisewiseError, match="encoding must be "):
        Study.parse(text.replace("utf-16", "utf-61")).check()


def test_the_loss_is_that_of_all_questions():
    bound = bound_without_data(Study.parse(STUDY))
    assert float(bound.together.loss.epsilon) == 0.7
    assert bound.unit == "person"
    assert [each.grouped is None for each in bound.questions] == [True, False, True]


def test_mechanisms_are_chosen_for_what_the_budget_counts():
    pure = bound_without_data(Study.parse(STUDY)).together.loss.as_zcdp().rho
    concentrated = Study.parse(STUDY.replace("epsilon = 1\n", "rho = 1\n"))
    assert bound_without_data(concentrated).together.loss.as_zcdp().rho < pure
    assert bound_without_data(Study.parse(STUDY), ZCDP(1)).together.loss.as_zcdp().rho < pure


def test_a_study_that_costs_more_than_its_budget_is_refused():
    study = Study.parse(STUDY.replace("epsilon = 1\n", "epsilon = 0.69\n"))
    with pytest.raises(ParameterError, match="line 13: all questions together must cost no more"):
        check_total(study, bound_without_data(study))


def test_questions_that_protect_others_are_refused():
    graph = '[[ask]]\nname = "t"\nquestion = "triangles"\nedges = ["a", "b"]\nnodes = 9\nepsilon = 0.1\n'
    people = STUDY.replace('unit = "person"\ncontributions = 2\n', "")
    with pytest.raises(ParameterError, match="line 40: t must protect the same people as pay"):
        Study.parse(f"{people}\n{graph}").check()
    alone = Study.parse(f'[data]\nfile = "x.csv"\n{graph}')
    assert bound_without_data(alone).unit == "edge"


def test_columns_of_the_file_are_judged_with_their_lines(tmp_path):
    study = Study.read(made(tmp_path, STUDY.replace('"salary"', '"salry"')))
    with pytest.raises(SchemaError) as caught:
        BoundStudy.of(study, opened(study, study.path("staff.csv"), study.budget))
    first, second = str(caught.value).splitlines()
    assert (
        first
        == "staff.toml line 20: column must be one of 'person', 'dept', 'salary', got 'salry'; did you mean 'salary'?"
    )
    assert second.startswith("staff.toml line 37: ")


def test_a_bound_study_cannot_pay(tmp_path):
    study = Study.read(made(tmp_path))
    dataset = opened(study, study.path("staff.csv"), study.budget)
    with pytest.raises(AssertionError, match="a study pays by its ledger"):
        dataset.count(epsilon=1)


def test_swap_is_refused_for_text_and_taken_for_other_files():
    text = (
        '[data]\nfile = "x.parquet"\n[people]\nneighbors = "swap"\n[[ask]]\nname = "a"\nquestion = "median"\n'
    )
    text += 'column = "pay"\nbounds = [0, 9]\nepsilon = 1\n'
    bound = bound_without_data(Study.parse(text))
    assert bound.questions[0].payable.neighbors == "swap"
    with pytest.raises(ParameterError, match="for a text file"):
        bound_without_data(Study.parse(text.replace("parquet", "csv")))
