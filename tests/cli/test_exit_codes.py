"""How errors end a command: a code each, one line, and nothing of the data."""

import re
from pathlib import Path

import pytest

from noisewise import errors
from noisewise.cli.exit_codes import Closed, Code, ending, line


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.ParameterError("q must be"), 2),
        (errors.ParameterTypeError("q must be"), 2),
        (errors.NoisewiseError("other"), 2),
        (errors.SchemaError("column must be"), 3),
        (errors.BudgetExceeded("loss must fit"), 4),
        (errors.LedgerError("gone"), 4),
        (errors.ReleaseFailed("after"), 5),
        (errors.LedgerError("a ledger", "needs psycopg", extra="postgres"), 6),
        (KeyboardInterrupt(), 130),
        (Closed(), 141),
        (RuntimeError("anything"), 1),
    ],
)
def test_every_error_has_its_code(error, code):
    assert ending(error)[0] == code


def test_the_codes_keep_their_numbers():
    assert [int(code) for code in Code] == [0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 141, 143]


def test_the_documentation_lists_every_code():
    page = (Path(__file__).parents[2] / "docs" / "tutorial" / "command-line.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d, ]+) \|", page.partition("| code | what happened |")[2], re.M)
    listed = [int(number) for row in rows for number in row.split(",")]
    assert sorted(listed) == sorted(map(int, Code))


def test_an_error_of_the_library_is_told_in_full_and_another_by_type_and_place_alone():
    assert ending(errors.SchemaError("column must be one of 'a'"))[1] == "column must be one of 'a'"
    assert ending(ValueError("cannot parse 4711"))[1] == "internal error, ValueError: please report it"


def test_a_bug_is_told_with_its_place_in_this_library():
    from noisewise.kernel.numbers.exact import spell

    try:
        spell("4711")
    except AttributeError as error:
        code, said = ending(error)
    assert (code, said.startswith("internal error, AttributeError at exact.py:")) == (1, True)
    assert "4711" not in said


def test_a_message_is_one_line_without_control_characters():
    assert line("a\n  b\x1b[31mc\td\u2028e") == "a b [31mc d e"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:hunter2@db/staff",
        "postgresql://ann:hun@ter2@db/staff",
        "postgresql://db/staff?password=hunter2&sslmode=require",
        "postgresql://db/staff?sslpassword=hunter2",
        "postgres://hunter2@db",
        "ann:hunter2@db/staff",
        "ann:hun/ter2@db",
        "//ann:hunter2@db/staff",
    ],
)
def test_no_password_is_ever_printed(url):
    assert "hunter2" not in line(f"there is no ledger at {url}: create {url}")
    assert not {"hun", "ter2"} & set(re.split(r"\W+", line(url)))


def test_a_wrong_option_is_a_wrong_parameter():
    import typer

    code, said = ending(typer.BadParameter("no"))
    assert (code, said) == (2, "Invalid value: no; noisewise --help tells more")
    assert ending(typer.Abort())[0] == 130


def test_a_word_too_many_is_told_without_its_password():
    import typer

    for said in ("Got unexpected extra argument (ann:hun ter2@db)", "No such option: --leger=ann:ter2@db"):
        assert (
            "hun" not in ending(typer.BadParameter(said))[1]
            and "ter2" not in ending(typer.BadParameter(said))[1]
        )


def test_other_colons_are_left_alone():
    said = (
        "FILE must be a file, got 'C:/a@b.csv': see noisewise schema --help; keys such as @keys.txt, at 12:30"
    )
    assert line(said) == said
