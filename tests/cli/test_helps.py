"""Help that a person at a command line can use."""

import re

import pytest

import noisewise
from noisewise.cli.app import command
from noisewise.cli.questions import questions
from tests.each_value import each_value

PYTHON = r"``|\btuple\b|\bNone\b|\bTrue\b|\bFalse\b|\bints?\b|\*\*|\(\w+, \w+\)|\bvalue is\b (?!of no|ready)"


@each_value(question=questions().values())
def test_no_help_speaks_python(question):
    for said in (question.help, question.short, *(each.help for each in question.options().values())):
        assert not re.search(PYTHON, said), said


def test_every_option_of_every_command_has_help():
    def options(command):
        yield from command.params
        if command.name not in ("plan", "epsilon-for", "sweep", "simulate", "compare", "audit"):
            for name in getattr(command, "listed", dict)():
                yield from options(command.made(name))

    found = list(options(command()))
    assert len(found) > 500
    assert [each.name for each in found if not each.help] == []


def test_what_only_python_can_use_stands_in_a_section_of_its_own():
    asked = questions()
    for name in ("histogram", "quantiles", "private-bounds", "covariance", "theil-sen"):
        assert "Returns:\n    ``value`` is " in asked[name].kind.help
        assert "Returns" not in asked[name].help
        assert "``value``" not in "".join(each.help for each in asked[name].options().values())
    assert "Returns:\n    ``value`` is a tuple of counts." in noisewise.Dataset.histogram.__doc__
    assert "Returns" not in noisewise.median.__doc__


def test_a_list_of_commands_says_what_each_is_about():
    asked = questions()
    assert (
        asked["most-common"].short
        == "Mode: the most common of the categories you declare, or one that is nearly as common"
    )
    assert asked["median"].short == "Median of a column of numbers"
    assert asked["quantile"].short == "q-quantile of a column of numbers"


def test_help_is_the_words_of_the_function():
    asked = questions()
    assert asked["histogram"].help == "A private histogram: how many records each bin holds."
    means = asked["quantile"].options()
    assert (
        means["q"].help
        == "The quantile, between 0 and 1, such as 0.5 or 1/3. A list of them is answered as quantiles does."
    )
    assert means["epsilon"].help.startswith("The privacy loss of this release, above 0")


@pytest.mark.parametrize("name", ["ask", "explore", "count-people"])
def test_paragraphs_of_a_help_are_wrapped_by_the_terminal_alone(name):
    paragraphs = command().made(name).help.split("\n\n")
    assert len(paragraphs) > 1 and not any("\n" in each for each in paragraphs)
