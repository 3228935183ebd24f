"""The options that questions share."""

import inspect

from noisewise.cli import options
from noisewise.cli.commands import command
from noisewise.cli.questions import questions
from noisewise.dataset.dataset import Dataset


def test_all_that_a_dataset_and_its_groups_take_is_an_option():
    of_a_server = {"table", "query"}  # the command reads files
    facts = {"columns"}  # of `noisewise sql`; elsewhere each fact is an option
    held = set(inspect.signature(Dataset).parameters) - {"frame"} - of_a_server - facts
    keys = {f"key_{name}" for name in ("epsilon", "rho", "delta")}
    of_text = {"type", "separator", "decimal", "encoding"}
    assert {*options.COMMON} == held | keys | of_text | {
        "by",
        "keys",
        "format",
        "json",
        "output",
        "progress",
        "where",
    }
    assert set(options.GROUPING) == keys | {"by", "keys", "max_groups", "per_group"}


def test_every_question_takes_them_but_for_those_of_groups_where_there_are_none():
    for question in questions().values():
        taken = {parameter.name for parameter in command(question.name).params}
        missing = [name for name in options.COMMON if name not in taken]
        assert missing == ([] if question.kind.capabilities.in_groups else list(options.GROUPING))
