"""What the library says becomes what a command says: options for parameters, words for values."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from noisewise.cli.error_text import ADVICE, NAMES, error_text, naming
from noisewise.cli.exit_codes import ending
from noisewise.errors import (
    BudgetExceeded,
    Call,
    ColumnName,
    FileName,
    Keyword,
    Pair,
    Parameter,
    ParameterError,
    SchemaError,
    Value,
    Words,
)
from noisewise.kernel.numbers.exact import describe
from tests.each_value import each_value
from tests.test_errors import kinds


@pytest.mark.parametrize(
    ("said", "here"),
    [
        (Keyword("neighbors", "add_remove"), "--neighbors add_remove"),
        (Keyword("bounds", "private"), "--bounds private"),
        (Keyword("sharpness", "high"), "sharpness high"),
        (Pair("0", "1/2"), "0 .. 1/2"),
        (Pair(describe(Fraction(1, 2)), describe(Decimal("0.7"))), "1/2 .. 0.7"),
        (Parameter("max_groups"), "--max-groups"),
        (Words("add_remove", "swap"), "add_remove or swap"),
        (Words("sums"), "sums"),
        (Value("date(2000, 1, 1)", "2000-01-31"), "2000-01-31"),
        (Call("release through Dataset(..., unit='person')", "unit", "person"), "say --unit person"),
        (ColumnName("max_groups"), "'max_groups'"),
        (FileName("a.csv"), "'a.csv'"),
        ("the max_groups of bounds", "the max_groups of bounds"),
    ],
)
def test_a_part_is_said_as_it_would_be_typed(said, here):
    assert error_text(ParameterError("column", ("must be ", said, "!"))) == f"--column must be {here}!"
    assert str(ParameterError("column", ("must be ", said, "!"))) == f"column must be {said}!"


@pytest.mark.parametrize(
    ("given", "here"),
    [
        (Decimal("0.7"), "0.7"),
        (Fraction(-2, 3), "-2/3"),
        (None, "none"),
        (timedelta(1), "a duration"),
        ("max_groups", "'max_groups'"),
        ("Fraction(1, 2)", "'Fraction(1, 2)'"),
        (100, "100"),
        (float("nan"), "nan"),
    ],
)
def test_a_value_is_told_as_it_was_typed(given, here):
    assert error_text(ParameterError("granularity", "must be below 1/2", got=describe(given))) == (
        f"--granularity must be below 1/2, got {here}"
    )


def test_a_pair_is_told_as_it_was_typed():
    error = ParameterError("bounds", "must have lowest < highest", got=Pair("100", "0"))
    assert str(error) == "bounds must have lowest < highest, got (100, 0)"
    assert error_text(error) == "--bounds must have lowest < highest, got 100 0"


@each_value(name=NAMES)
def test_every_name_of_the_library_has_one_here(name):
    assert error_text(ParameterError(name, "must be larger")) == f"{NAMES[name]} must be larger"


def test_a_text_that_is_said_already_stays_as_it_is():
    for said in ("bounds must be 0 < 1, got '1'", 'column must be "x"', "--unit must be 'max_groups'"):
        assert error_text(ParameterError(said)) == said == str(ParameterError(said))


def test_data_is_called_by_the_option_that_names_its_column():
    wrong = SchemaError("data", "must be numbers", got=("column ", ColumnName("b"), " of type List"))
    with pytest.raises(SchemaError), naming({"data": "--x", "'a'": "--x", "'b'": "--y"}):
        raise wrong
    assert error_text(wrong) == "--y must be numbers, got column 'b' of type List"
    few = SchemaError("data", "must have 2 columns")
    assert error_text(few) == "data must have 2 columns"
    with pytest.raises(SchemaError), naming({"data": "--x"}):
        raise few
    assert error_text(few) == "--x must have 2 columns"


def test_the_innermost_names_count():
    error = ParameterError("epsilon", "must be above 0", fix=("or ", Parameter("delta")))
    with pytest.raises(ParameterError), naming({"epsilon": "--epsilon", "delta": "--d"}):  # noqa: SIM117
        with naming({"epsilon": "--key-epsilon"}):
            raise error
    assert error_text(error) == "--key-epsilon must be above 0; or --d"
    assert str(error) == "epsilon must be above 0; or delta"


def test_a_file_that_nobody_named_is_called_otherwise():
    error = SchemaError(("the first line of ", FileName("/tmp/x/stdin")), "must be names")
    with pytest.raises(SchemaError), naming({"'/tmp/x/stdin'": "standard input"}):
        raise error
    assert error_text(error) == "the first line of standard input must be names"


def test_an_error_keeps_its_kind_and_what_it_carries():
    with pytest.raises(BudgetExceeded) as told, naming({}):
        raise BudgetExceeded("loss", 1, 2, 3, rule="must fit what remains")
    assert ending(told.value) == (4, "the cost must fit what remains")
    assert told.value.args[1:] == (told.value.asked, told.value.remaining, told.value.fits) == (1, 2, 3)


def test_other_advice_is_of_errors_that_there_are():
    assert set(ADVICE) == kinds() - {
        "no ledger",
        "second run",
    }  # the command line has words of its own for these


def test_other_advice_replaces_single_fields():
    error = ParameterError(
        "loss",
        "must have delta 0",
        got="ApproxDP(1, 1e-06)",
        why="staff has none",
        fix="...",
        kind="no delta",
    )
    assert error_text(error) == (
        "--keys must be said: staff has none; or pay from a ledger that was created with --epsilon 1 --delta 1e-6"
    )
