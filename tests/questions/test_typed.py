"""What is typed is read exactly, and what cannot be read is refused by its name."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Literal, Unpack, get_args

import numpy as np
import pytest

from noisewise.cli.asks import Typed
from noisewise.cli.questions import QuestionCommand
from noisewise.errors import ParameterError, SchemaError
from noisewise.explorer.state import own_parameters
from noisewise.kernel.numbers.exact import Number
from noisewise.questions import typed
from noisewise.questions.keywords import Unbounded
from noisewise.questions.question import KINDS, Binding, Capabilities, question
from noisewise.questions.request import of_statistic
from noisewise.statistics import Count
from noisewise.study.schema import study_schema
from noisewise.tables.groups.key_parts import Kind


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("100", 100),
        ("-5", -5),
        ("1_000", 1000),
        ("0.1", Fraction(1, 10)),
        ("1e-1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
    ],
)
def test_a_number_is_what_its_text_spells(text, value):
    assert typed.number("epsilon", text) == value


def test_a_whole_number_stays_one_and_a_decimal_keeps_its_text():
    assert type(typed.number("bounds", "100")) is int
    assert str(typed.number("bounds", "0.10")) == "0.10"
    assert isinstance(typed.number("bounds", "1e6"), Decimal)


@pytest.mark.parametrize("text", ["", "ten", "1/0", "0x10", "1 2", "1e99999999999999999999", "--epsilon"])
def test_what_is_no_number_is_refused_by_name(text):
    with pytest.raises(ParameterError, match="epsilon must be a number"):
        typed.number("epsilon", text)


def test_infinity_is_left_to_the_library_to_judge():
    assert typed.number("bins", "inf") == float("inf")


@pytest.mark.parametrize("text", ["1.5", "", "three"])
def test_what_is_no_whole_number_is_refused(text):
    with pytest.raises(ParameterError, match="contributions must be a whole number"):
        typed.whole("contributions", text)
    assert typed.whole("contributions", "3") == 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-02-29", date(2024, 2, 29)),
        ("2024-02-29T12:30", datetime(2024, 2, 29, 12, 30)),
        ("09:30", time(9, 30)),
        ("7d", timedelta(days=7)),
        ("30min", timedelta(minutes=30)),
        ("20240229", 20240229),
    ],
)
def test_an_amount_may_be_of_time(text, value):
    assert typed.amount("bounds", text) == value


@pytest.mark.parametrize("text", ["2023-02-29", "2024-02-29T99:00", "25:00"])
def test_a_time_that_does_not_exist_is_refused(text):
    with pytest.raises(ParameterError, match=r"bounds must be a \w+ that exists"):
        typed.amount("bounds", text)


def test_bounds_are_a_pair_a_pair_for_each_column_or_private():
    assert typed.bounds("bounds", ["0,100"]) == (0, 100)
    assert typed.bounds("bounds", ["0,100", "-1,1/2"]) == ((0, 100), (-1, Fraction(1, 2)))
    assert typed.bounds("bounds", ["private"]) == "private"


@pytest.mark.parametrize("texts", [["0"], ["0,1,2"], [""], ["private", "private"]])
def test_bounds_that_are_no_pair_are_refused(texts):
    with pytest.raises(ParameterError, match="bounds must be"):
        typed.bounds("bounds", texts)


def test_the_fix_for_bounds_names_the_option():
    with pytest.raises(ParameterError, match="as in --intercept-bounds 0 100"):
        typed.bounds("intercept_bounds", ["0"])


def test_a_list_is_separated_by_commas_and_quotes_keep_one():
    assert typed.parts("keys", 'a, b,"c,d"') == ["a", "b", "c,d"]
    assert typed.numbers("qs", "0.25,1/2") == [Fraction(1, 4), Fraction(1, 2)]


@pytest.mark.parametrize("text", ["", '"a'])
def test_what_is_no_list_is_refused(text):
    with pytest.raises(ParameterError, match="keys must be a list such as a,b,c"):
        typed.parts("keys", text)


def test_a_list_may_stand_in_a_file_one_on_each_line(tmp_path):
    file = tmp_path / "keys.txt"
    file.write_text('\ufeffA\n"B, or not"\n\nC\n', encoding="utf-8")
    assert typed.parts("keys", f"@{file}") == ["A", "B, or not", "C"]
    file.write_text("A,B\n")
    with pytest.raises(ParameterError, match="one on each line"):
        typed.parts("keys", f"@{file}")


def test_a_file_of_words_that_cannot_be_read_is_a_matter_of_data(tmp_path):
    with pytest.raises(SchemaError, match="keys must be in a file"):
        typed.parts("keys", f"@{tmp_path / 'nowhere'}")
    (tmp_path / "bad").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SchemaError, match="UTF-8"):
        typed.parts("keys", f"@{tmp_path / 'bad'}")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "1", "1"),
        (None, "1", "1"),
        ("whole", "1", 1),
        ("number", "1.5", 1.5),
        ("boolean", "True", True),
        ("date", "2024-02-29", date(2024, 2, 29)),
        ("time", "2024-02-29T12:30", datetime(2024, 2, 29, 12, 30)),
    ],
)
def test_a_label_is_of_its_columns_declared_type(kind, text, value):
    found = typed.label("keys", text, kind)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("kind", "text"), [("whole", "a"), ("boolean", "yes"), ("date", "today"), ("number", "x")]
)
def test_a_label_of_another_type_is_refused(kind, text):
    with pytest.raises(
        ParameterError, match=f"keys must be {typed.HELD[kind]}, as the column holds, got '{text}'"
    ):
        typed.label("keys", text, kind)


def test_keys_of_one_column_are_a_list():
    assert typed.keys(["year"], ["2023,2024"], {"year": "whole"}) == [2023, 2024]
    assert typed.keys(["year"], ["year=2023,2024"], {"year": "whole"}) == {"year": [2023, 2024]}
    assert typed.keys(["year"], ["yearly=1,2"], {"year": "text"}) == ["yearly=1", "2"]


def test_keys_of_several_columns_are_a_list_for_each():
    types = {"dept": "text", "year": "whole"}
    assert typed.keys(["dept", "year"], ["year=2023,2024", "dept=A"], types) == {
        "year": [2023, 2024],
        "dept": ["A"],
    }


def test_keys_of_several_columns_may_be_the_rows_of_a_file(tmp_path):
    file = tmp_path / "keys.csv"
    file.write_text("A,2023\nB,2024\n")
    types = {"dept": "text", "year": "whole"}
    assert typed.keys(["dept", "year"], [f"@{file}"], types) == [("A", 2023), ("B", 2024)]
    file.write_text("A,2023\nB\n")
    with pytest.raises(ParameterError, match="keys must be dept,year on each line"):
        typed.keys(["dept", "year"], [f"@{file}"], types)


@pytest.mark.parametrize("texts", [["dept=A", "dept=B"], ["dept=A", "2023"], ["dept=A", "size=1"]])
def test_keys_that_fit_no_column_are_refused(texts):
    with pytest.raises(ParameterError, match="--keys dept=a,b --keys year=a,b"):
        typed.keys(["dept", "year"], texts, {})


def test_bins_are_edges_where_all_are_numbers_and_else_categories():
    assert typed.bins("bins", "0,0.5,inf", "number") == [0, Fraction(1, 2), float("inf")]
    assert typed.bins("bins", "coffee,tea", "text") == ["coffee", "tea"]
    assert typed.bins("bins", "true,false", "boolean") == [True, False]
    assert typed.bins("bins", "0,1,inf", "text") == [0, 1, float("inf")]
    assert typed.bins("bins", "1,2,3", "words") == ["1", "2", "3"]
    edges = typed.bins("bins", "1,2,3", "number")
    assert edges == [1, 2, 3] and not any(isinstance(edge, int) for edge in edges)  # which may be codes
    assert (
        typed.bins("bins", "1.0,2.0,3.0", "whole") == typed.bins("bins", "1.0,2.0,3.0", "text") == [1, 2, 3]
    )
    for kind in ("text", "whole"):
        with pytest.raises(ParameterError) as caught:
            typed.bins("bins", "1,2,3", kind)
        assert str(caught.value) == (
            "bins must be edges or categories, got 1,2,3, which may be both; "
            "say --bins 1.0,2.0,3.0 for edges, or --categories 1,2,3"
        )


def test_nodes_are_a_number_or_a_list():
    assert typed.nodes("nodes", "20", "whole") == 20
    assert typed.nodes("nodes", "3", "text") == ["0", "1", "2"]
    assert typed.nodes("nodes", "ann,bob", "text") == ["ann", "bob"]
    assert typed.labels("categories", "1,2", "whole") == [1, 2]
    assert typed.text("mechanism", "laplace") == "laplace"


def test_every_kind_of_column_that_makes_groups_has_its_words():
    kinds = set(get_args(Kind)) - {"text", "any"}  # text is what is typed, and no file holds Python objects
    assert kinds == set(typed.HELD)
    for kind in kinds:
        with pytest.raises(
            ParameterError, match=re.escape(f"keys must be {typed.HELD[kind]}, as the column holds")
        ):
            typed.label("keys", "neither", kind)


def test_a_number_is_what_a_column_of_float32_holds():
    assert typed.label("keys", "0.1", "single") == float(np.float32("0.1")) != 0.1


def test_a_time_of_a_column_with_a_zone_must_have_one():
    moment = datetime(2024, 2, 29, 11, 30, tzinfo=UTC)
    assert typed.label("keys", "2024-02-29T12:30+01:00", "zoned") == moment
    with pytest.raises(ParameterError, match=r"times with a zone such as 2024-02-29T12:30\+01:00"):
        typed.label("keys", "2024-02-29T12:30", "zoned")


QUESTIONS = {"category": "count", "qs": "quantiles"}


def of_toml(key, given):
    """What a key of TOML is read as, by a question that has it."""
    question = typed.TypedQuestion.of(KINDS[QUESTIONS.get(key, "median")])
    return next(each for each in question.parameters if each.name == key).of_toml(given)


@pytest.mark.parametrize(
    ("key", "given", "value"),
    [
        ("epsilon", "1/3", Fraction(1, 3)),
        ("epsilon", Decimal("0.1"), Decimal("0.1")),
        ("epsilon", "1/0", "1/0"),
        ("bounds", [0, 100], (0, 100)),
        ("bounds", [[0, 1], [2, 3]], ((0, 1), (2, 3))),
        ("bounds", "private", "private"),
        ("bounds", ["0s", "12h"], (timedelta(0), timedelta(hours=12))),
        ("granularity", "7d", timedelta(days=7)),
        ("qs", [Decimal("0.5"), "1/3"], [Decimal("0.5"), Fraction(1, 3)]),
        ("category", Decimal("0.5"), 0.5),
        ("category", "1/2", "1/2"),
        ("mechanism", "7d", "7d"),
    ],
)
def test_a_value_is_what_python_would_be_given(key, given, value):
    assert (of_toml(key, given), type(of_toml(key, given))) == (value, type(value))


@pytest.mark.parametrize(
    "value",
    [
        *(1, 0.1, 2.0, Fraction(1, 3), Fraction(1, 8), Fraction(10**40 + 1, 10**40), True, "x"),
        *(timedelta(days=14), timedelta(microseconds=1500001), date(2024, 1, 1), (0, 100)),
    ],
)
def test_what_is_spelled_is_read_back(value):
    again = of_toml("bounds", typed.as_toml(value))
    assert again == (Decimal(str(value)) if isinstance(value, float) else value)


def test_numpy_numbers_are_spelled_as_numbers():
    assert typed.as_toml(np.int64(3)) == 3 and type(typed.as_toml(np.int64(3))) is int
    assert typed.as_number(True) is True


@pytest.fixture
def kind():
    """A kind of question with parameters of its own, known for the time of one test."""

    @question(Capabilities(streamed=True))
    def share_above(
        threshold: Number,
        steps: int = 3,
        cuts: Sequence[Number] = (1,),
        strict: bool = True,
        how: Literal["near", "far"] = "near",
        **keywords: Unpack[Unbounded],
    ) -> Binding:
        """A private share of records above a threshold.

        Args:
            threshold: Where the share begins.
            steps: How many steps there are.
            cuts: Where to cut.
            strict: Whether the threshold itself is below.
            how: What counts.
        """
        return of_statistic(Count(), **keywords)

    yield KINDS["share_above"]
    del KINDS["share_above"]


def test_a_parameter_of_a_new_question_needs_no_line_here_nor_in_any_front_end(kind):
    question = typed.TypedQuestion.of(kind)
    metavars = {each.name: each.form.metavar for each in question.parameters}
    assert metavars["threshold"] == metavars["steps"] == "NUMBER" and metavars["cuts"] == "LIST"
    assert question.missing(["column"]) == ["threshold"]
    given = {"column": "x", "threshold": "1/3", "steps": "4", "cuts": "1,0.5", "strict": False, "how": "far"}
    assert question.read(given, {}) == {
        "column": "x",
        "threshold": Fraction(1, 3),
        "steps": 4,
        "cuts": [1, Decimal("0.5")],
        "strict": False,
        "how": "far",
    }
    command = QuestionCommand.called("share-above")
    assert command.options()["strict"].flag == "--strict/--no-strict"
    assert command.example == "noisewise share-above data.csv --column income --threshold 1 --epsilon 1"
    assert Typed.of("share_above x threshold=1/3 epsilon=1", 1).given["threshold"] == "1/3"
    keys = next(
        each for each in study_schema()["properties"]["ask"]["items"]["allOf"] if "share_above" in str(each)
    )
    assert keys["then"]["properties"]["steps"] == {
        "type": "integer",
        "description": "How many steps there are.",
    }
    assert own_parameters(kind) == ("threshold",)
