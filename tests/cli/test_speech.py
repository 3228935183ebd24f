"""What the library says becomes what a command says: options for parameters, words for values."""

import pytest

from noisewise.cli.speech import CALLED, speaking, spoken
from noisewise.errors import BudgetExceeded, ParameterError


@pytest.mark.parametrize(
    ("said", "here"),
    [
        ('use neighbors="add_remove"; bounds="private"', "use --neighbors add_remove; --bounds private"),
        ("bounds must be 0 < 1, got '1'", "--bounds must be 0 < 1, got '1'"),
        ("bounds must have lowest < highest, got (100, 0)", "--bounds must have lowest < highest, got 100 0"),
        (
            "granularity must be at most half the range (0, 1/2), got 1",
            "--granularity must be at most half the range 0 .. 1/2, got 1",
        ),
        ("alpha must be below 1/2, got Decimal('0.7')", "--alpha must be below 1/2, got 0.7"),
        ("alpha must be below 1/2, got Fraction(-2, 3)", "--alpha must be below 1/2, got -2/3"),
        ("max_groups must be at least 1", "--max-groups must be at least 1"),
        ("smaller, or max_groups, for x", "smaller, or --max-groups, for x"),
        (
            "nodes must be more for degree_quantile(0.9, max_degree=10)",
            "--nodes must be more for degree_quantile(0.9, max_degree=10)",
        ),
        ('neighbors must be "add_remove" or "swap"', "--neighbors must be add_remove or swap"),
        ("loss must be small", "loss must be small"),
        ("unit must be 'person', got None", "--unit must be 'person', got none"),
        ('pip install "noisewise[cli]"', 'pip install "noisewise[cli]"'),
    ],
)
def test_a_message_is_said_as_it_would_be_typed(said, here):
    assert spoken(said) == here


def test_what_is_said_already_stays_as_it_is():
    for name, flag in CALLED.items():
        once = spoken(f"{name} must be larger, got 'max_groups' and (1, 2)")
        assert once == f"{flag} must be larger, got 'max_groups' and 1 .. 2"
        assert spoken(once) == once


def test_what_stands_in_quotes_is_a_name_and_stays_as_it_is():
    said = "column must be one of '(1, 2)', 'max_groups', 'bounds=\"private\"', got 'key_delta'; the column's key_delta"
    assert spoken(said) == said.replace("column must", "--column must").replace(
        "s key_delta", "s --key-delta"
    )


def test_data_is_called_by_the_option_that_names_its_column():
    called = {"data": "--x", "'a'": "--x", "'b'": "--y"}
    assert spoken("data must be numbers, got column 'b' of type List", called).startswith(
        "--y must be numbers"
    )
    assert spoken("data must have 2 columns", called) == "--x must have 2 columns"


def test_an_error_keeps_its_kind_and_what_it_carries():
    with (
        pytest.raises(ParameterError, match=r"^--key-epsilon must be"),
        speaking({"epsilon": "--key-epsilon"}),
    ):
        raise ParameterError("epsilon must be above 0")
    with pytest.raises(BudgetExceeded, match=r"^the cost must fit what remains$") as told, speaking({}):
        raise BudgetExceeded("loss must fit what remains", 1, 2, 3)
    assert told.value.args[1:] == (told.value.asked, told.value.remaining, told.value.fits) == (1, 2, 3)
