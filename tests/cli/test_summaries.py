"""The list of commands agrees with the commands themselves, and needs nothing of the library."""

import pytest

from noisewise.cli.app import app, built_command
from noisewise.cli.questions import questions
from noisewise.cli.summaries import SUMMARIES, TOOLS, summaries
from tests.cli.running import imported

HEAVY = {
    *(
        "numpy",
        "flint",
        "sqlite3",
        "pydantic",
        "noisewise.public",
        "noisewise.kernel.numbers",
        "noisewise.questions",
    ),
    *("polars", "duckdb", "pyarrow", "pandas", "narwhals", "pyspark", "psycopg", "scipy"),
}


def test_every_question_is_listed_in_its_family_with_what_it_is_about():
    listed = {
        name: (family, text)
        for family, commands in SUMMARIES.items()
        for name, text in commands.items()
        if family != TOOLS
    }
    asked = {name: (question.family, question.short) for name, question in questions().items()}
    assert list(listed.items()) == list(asked.items())


def test_the_other_commands_begin_with_what_is_listed():
    for name, text in SUMMARIES[TOOLS].items():
        assert built_command(name).help.replace("\n", " ").startswith(text)


def test_the_list_has_every_command_once():
    assert list(summaries()) == [name for texts in SUMMARIES.values() for name in texts]
    assert app.registered_commands == app.registered_groups == []


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], [], ["--version"]])
def test_the_list_of_commands_and_the_version_load_nothing_heavy(arguments):
    assert imported(*arguments) & HEAVY == set()


def test_the_version_does_not_wait_for_the_command_line_either():
    assert imported("--version") & {"typer", "rich"} == set()


def test_a_median_of_a_text_file_imports_no_library_that_it_does_not_need(table):
    median = imported("median", table, "--column", "income", "--bounds", "0", "100", "--epsilon", "1")
    assert {"numpy", "flint"} <= median
    assert median & {"polars", "pandas", "pyspark", "psycopg", "scipy", "igraph", "networkx"} == set()
    assert median & {"pydantic"} == set()
    assert median & {"noisewise.hazmat", "noisewise.testing", "noisewise.bridges", "noisewise.demo"} == set()
