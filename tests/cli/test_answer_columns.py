"""Every number of an answer has a name."""

import csv
import io
import shlex
from decimal import Decimal
from fractions import Fraction

import pytest

from noisewise.cli.questions import questions
from noisewise.dataset.answer_columns import AnswerColumns
from noisewise.questions.question import KINDS, Question, column_signature
from tests.cli.running import invoke

FIVE = ("min", "lower_quartile", "median", "upper_quartile", "max")


def parts_of(question, asked):
    kind = KINDS[question]
    places = list(column_signature(kind).parameters)[: len(kind.capabilities.data)]
    columns = tuple(asked.pop(place, None) for place in places)
    return AnswerColumns.of(Question(kind, columns, (), asked))


@pytest.mark.parametrize(
    ("question", "asked", "names"),
    [
        ("median", {}, None),
        ("theil_sen", {"x": "a", "y": "b"}, None),
        ("theil_sen", {"intercept_bounds": (0, 1)}, ("slope", "intercept")),
        ("median_interval", {}, ("low", "high")),
        ("quantile_interval", {"q": 1}, ("low", "high")),
        ("private_bounds", {}, ("low", "high")),
        ("five_number_summary", {}, FIVE),
        ("quantiles", {"qs": [Fraction(1, 3), Decimal("0.50"), 1]}, ("1/3", "0.5", "1")),
        ("ecdf", {"steps": 3}, ("0.25", "0.5", "0.75")),
        ("histogram", {"bins": [-1, Decimal("0.5"), float("inf")]}, ("[-1, 0.5)", "[0.5, inf]")),
        ("histogram", {"bins": ["tea", "milk"]}, ("tea", "milk")),
        ("histogram", {"bins": [True, False]}, ("true", "false")),
        ("linear_regression", {"X": ["a", "b"], "y": "c"}, ("a", "b", "intercept")),
        ("vector_mean", {"column": ["a", "b"]}, ("a", "b")),
        ("principal_component", {"column": ["a", "b"], "toward": [1, 1]}, ("a", "b")),
        ("principal_component", {"column": ["a", "b"]}, ("a_a", "a_b", "b_a", "b_b")),
        ("covariance", {"column": ["a", "b"]}, ("a_a", "a_b", "b_a", "b_b")),
    ],
)
def test_the_names_are_made_of_what_was_asked(question, asked, names):
    parts = parts_of(question, dict(asked))
    assert (parts if parts is None else parts.names) == names


def test_the_numbers_stand_in_the_order_of_their_names():
    assert parts_of("covariance", {"column": ["a", "b"]}).cells(((1, 2), (3, 4))) == [1, 2, 3, 4]
    assert parts_of("ecdf", {"steps": 2}).cells(((10, 1 / 3), (20, 2 / 3))) == [10, 20]
    assert parts_of("private_bounds", {}).cells(None) == [None, None]
    assert parts_of("private_bounds", {}).cells((0, 8)) == [0, 8]


MORE = {
    "theil-sen": ("--intercept-bounds 0 9",),
    "principal-component": ("--toward 1,1",),
    "histogram": ("--bins 0,1,inf", "--bins a,b,c,d"),
    "linear-regression": ("--X height --method robust",),
}


@pytest.mark.rest
@pytest.mark.parametrize("question", questions().values(), ids=lambda each: each.name)
def test_no_cell_of_a_table_and_no_line_of_a_receipt_holds_several_numbers(question, table):
    for more in ("", *MORE.get(question.name, ())):
        words = shlex.split(question.example.replace("data.csv", str(table)))[1:]
        for flag in set(shlex.split(more)) & {"--bins", "--X"}:
            place = words.index(flag)
            del words[place : place + 2]
        asked = (*words, *shlex.split(more))
        first, *lines = invoke(*asked).stdout.splitlines()
        assert "; " not in first and " (" not in first
        drawn = "  drawn by     balance/1 (noisewise "
        assert [line for line in lines if "(" in line[:30] and not line.startswith(drawn)] == []
        if not question.kind.capabilities.in_groups:
            continue
        done = invoke(*asked, "--by", "dept", "--keys", "A,B")
        names, *rows = csv.reader(io.StringIO(done.stdout))
        assert (done.exit_code, len(set(names)), [row[0] for row in rows]) == (0, len(names), ["A", "B"])
        for cell in (cell for row in rows for cell in row[1:]):
            assert cell in ("", "coffee", "tea", "water") or float(cell) == float(cell)
