"""Help that a person at a command line can use."""

import re

import pytest

from noisewise.cli.app import command
from noisewise.cli.commands import built
from noisewise.cli.helps import plain
from noisewise.cli.questions import questions

PYTHON = r"``|\btuple\b|\bNone\b|\bTrue\b|\bFalse\b|\bints?\b|\*\*|\(\w+, \w+\)|\bvalue is\b (?!of no|ready)"


@pytest.mark.parametrize("question", questions().values(), ids=lambda each: each.name)
def test_no_help_speaks_python(question):
    for said in (question.help, question.short, *(each.help for each in question.arguments)):
        assert not re.search(PYTHON, said), said


def test_every_option_of_every_command_has_help():
    def options(group):
        for each in group.commands.values():
            yield from options(each) if hasattr(each, "commands") else each.params

    asked = [parameter for question in questions().values() for parameter in built(question).params]
    found = [*options(command()), *asked]
    assert len(found) > 500
    assert [each.name for each in found if not each.help] == []


def test_help_is_the_words_of_the_function():
    assert plain("A ``tuple`` of `iqr`, 2**3.") == "A tuple of iqr, 2^3."
    asked = questions()
    assert asked["histogram"].help == "A private histogram: how many records each bin holds."
    means = {each.name: each.help for each in asked["quantile"].arguments}
    assert means["q"] == "The quantile, between 0 and 1, such as 0.5 or 1/3."
    assert means["epsilon"].startswith("The privacy loss of this release, above 0")
