"""Audits of tables add or remove a person with all rows in all groups."""

import pytest

from noisewise import ask
from noisewise.audit.table_audit import table
from noisewise.errors import ParameterError, ParameterTypeError
from tests.audit import wrong

SMALL = {"people": 1, "values": 2}


def test_groups_priced_once_are_a_violation():
    found = table(wrong.groups_priced_once, epsilon=1, **SMALL)
    assert not found.passed and found.loss.low > 1.99


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("count", {}),
        ("median", {"bounds": (0, 4), "granularity": 1}),
        ("mean", {"bounds": (0, 4), "granularity": 1, "mechanism": "piecewise_laplace"}),
        ("histogram", {"bins": [0, 1, 2]}),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_ours_pass_in_groups_and_spend_all_of_epsilon_on_one_person(question, asked):
    found = table(question, epsilon=1, rows=3, **SMALL, **asked)
    assert found.passed and found.neighbors == "one person" and found.every
    assert found.range.low > 0.99 if found.ranged else found.loss.low > 0.6


@pytest.mark.parametrize("per_group", [1, 2])
def test_a_limit_on_one_group_keeps_the_price(per_group):
    """A person with all records in one group then spends a part of epsilon alone."""
    found = table("count", epsilon=1, rows=3, per_group=per_group, contributions=3, **SMALL)
    one = table("count", epsilon=1, rows=3, per_group=per_group, contributions=3, keys=["a"], **SMALL)
    assert found.passed and found.every and one.passed
    assert one.loss.high < per_group / 3 + 0.01 and one.loss.high > per_group / 3 - 0.1


def test_a_whole_table_is_audited_too_and_by_ask():
    found = table(
        ask.median("salary", bounds=(0, 4), granularity=1), epsilon=1, keys=None, tries=30, people=2
    )
    assert found.passed and found.question == "median of people"


def test_what_is_wrong_with_a_call_is_said():
    with pytest.raises(ParameterTypeError, match="question must be a question: "):
        table(3, epsilon=1)
    with pytest.raises(ParameterError, match="question must be about rows of people, got triangles"):
        table("triangles", epsilon=1)
    with pytest.raises(ParameterTypeError, match="granularity must be left out"):
        table(wrong.groups_priced_once, epsilon=1, granularity=1)
