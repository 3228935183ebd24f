"""All mistakes of a study are said at once, each with its line, whichever hides another in a run."""

import pytest

from noisewise.dataset.document import StudyError
from noisewise.errors import NoisewiseError
from noisewise.study.checking import mistakes_in, with_all_mistakes
from noisewise.study.study import Study
from tests.study.worlds import STUDY

WRONG = [
    ('title = "Staff"', "title = 3", 3, "title must be text in quotes"),
    ('"staff.csv"', '"staff.csv"\nseparator = ";;"', 7, "separator must be one sign"),
    ("types =", 'encoding = "latin-99"\ntypes =', 8, "encoding must be utf-8"),
    ('"number"}', '"nmber"}', 9, "types must be number"),
    ("contributions = 2", 'contributions = 2\nneighbors = "swop"', 14, "neighbors must be"),
    ("epsilon = 1\n", "epsilon = nan\n", 18, "epsilon must be a number above 0"),
    (
        "[0, 100]\nepsilon = 0.4",
        '[100, 0]\nepsilon = 99\nmechanism = "magic"',
        24,
        "bounds must have lowest < highest",
    ),
    ("", "", 25, "epsilon must be above 0 and at most 64"),
    ("", "", 26, "mechanism must be one of"),
    ('"A",\n    "B",', '"1", 2', 33, "keys must be text for the column 'dept', got 2"),
    ('qs = [0.25, "1/2"]', "qs = [2]", 41, "each of qs must be between 0 and 1"),
    ("epsilon = 0.1\n", 'epsilon = 0.1\nmechanism = "magik"\n', 44, "mechanism must be one of"),
]


def all_mistakes(text):
    try:
        Study.parse(text).check()
    except StudyError as error:
        return with_all_mistakes(error).mistakes
    except NoisewiseError as error:
        return [str(error)]
    return []


def test_all_mistakes_are_said_at_once():
    text = STUDY
    for old, new, _, _ in WRONG:
        assert old in text
        text = text.replace(old, new, 1) if old else text
    said = all_mistakes(text)
    assert [
        each.startswith(f"study.toml line {line}: {what}")
        for each, (_, _, line, what) in zip(said, WRONG, strict=True)
    ] == [True] * len(WRONG), said


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [(old, new, what) for old, new, _, what in WRONG if old and "epsilon = 99" not in new],
)
def test_one_mistake_is_not_taken_for_several(old, new, what):
    (said,) = all_mistakes(STUDY.replace(old, new, 1))
    assert what in said


def test_a_budget_that_is_too_small_is_said_beside_what_is_wrong():
    text = STUDY.replace("epsilon = 1\n", "epsilon = 0.3\n").replace('qs = [0.25, "1/2"]', "qs = [2]")
    said = all_mistakes(text)
    assert len(said) == 2 and "line 13: all questions together must cost no more" in said[0]


def test_each_question_that_protects_others_is_said():
    graph = '[[ask]]\nname = "{}"\nquestion = "triangles"\nedges = ["a", "b"]\nnodes = 9\nepsilon = 0.1\n'
    people = STUDY.replace('unit = "person"\ncontributions = 2\n', "")
    found = mistakes_in(Study.parse(f"{people}\n{graph.format('t')}\n{graph.format('u')}"))
    assert [(place, error.what) for place, error in found] == [(("ask", 3), "t"), (("ask", 4), "u")]


def test_what_stands_in_one_line_is_said_once():
    said = all_mistakes(STUDY.replace("bounds = [0, 100]\nepsilon = 0.4", "bound = [0, 100]\nepsilon = 0.4"))
    assert said == ["study.toml line 21: bound is no key of median; did you mean bounds?"]
