"""The list of commands is made of the registered questions, and each command imports only what it needs."""

import pytest

from noisewise.cli.app import TOOLS, app, command
from noisewise.cli.questions import FAMILIES, questions
from tests.cli.running import imported

HEAVY = {
    *(
        "numpy",
        "flint",
        "sqlite3",
        "pydantic",
        "noisewise.public",
        "noisewise.kernel.numbers",
        "noisewise.questions.question",
    ),
    *("polars", "duckdb", "pyarrow", "pandas", "narwhals", "pyspark", "psycopg", "scipy"),
}


def test_every_question_is_listed_in_its_family_with_what_it_is_about():
    asked = questions()
    listed = {name: each for name, each in command().listed().items() if name not in TOOLS}
    assert {name: (each.family, each.text) for name, each in listed.items()} == {
        name: (each.family, each.short) for name, each in asked.items()
    }
    assert [FAMILIES.index(each.family) for each in asked.values()] == sorted(
        FAMILIES.index(each.family) for each in asked.values()
    )


def test_the_other_commands_begin_with_what_is_listed():
    for name, text in TOOLS.items():
        assert command().made(name).help.startswith(text)


def test_a_command_is_made_when_it_is_called():
    assert app.registered_commands == app.registered_groups == []
    assert command().commands == {}


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_the_list_of_commands_loads_nothing_heavy(arguments):
    assert imported(*arguments) & HEAVY == set()


def test_the_version_does_not_wait_for_the_command_line_nor_for_the_library():
    assert imported("--version") & {"typer", "rich", *HEAVY} == set()


def test_a_median_of_a_text_file_imports_no_library_that_it_does_not_need(table):
    median = imported("median", table, "--column", "income", "--bounds", "0", "100", "--epsilon", "1")
    assert {"numpy", "flint"} <= median
    assert median & {"polars", "pandas", "pyspark", "psycopg", "scipy", "igraph", "networkx"} == set()
    assert median & {"pydantic"} == set()
    assert median & {"noisewise.hazmat", "noisewise.testing", "noisewise.bridges", "noisewise.demo"} == set()


def test_a_misspelt_column_of_a_text_file_needs_its_first_line_alone(table):
    misspelt = imported(
        "median", table, "--column", "incme", "--bounds", "0", "100", "--epsilon", "1", code=3
    )
    assert misspelt & {"polars", "duckdb", "pyarrow", "narwhals", "noisewise.dataset.dataset"} == set()
