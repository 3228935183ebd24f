"""Questions written down: every one that groups can be asked, as the same arguments."""

import inspect

import pytest

from noisewise.dataset.ask import ask
from noisewise.dataset.grouped import Grouped
from noisewise.errors import ParameterTypeError
from noisewise.questions import functions
from noisewise.questions.question import KINDS
from tests.bound import written


def test_a_question_is_written_down_and_not_asked() -> None:
    found = ask.quantile("pay", 0.9, bounds=(0, 9), epsilon=1)
    assert found == written(functions.quantile, "pay", 0.9, bounds=(0, 9), epsilon=1)
    assert ask.count(epsilon=1) == written(functions.count, None, epsilon=1)


def test_a_question_is_helped_with_and_shown_as_it_is_written() -> None:
    assert ask.median.__doc__ == Grouped.median.__doc__ and ask.median.__name__ == "median"
    assert list(inspect.signature(ask.median).parameters)[:3] == ["column", "bounds", "epsilon"]
    found = ask.quantile("pay", 0.9, bounds=(0, 9), epsilon=1)
    assert repr(found) == "ask.quantile('pay', 0.9, bounds=(0, 9), epsilon=1)"


def test_every_question_can_be_written_down() -> None:
    assert {name for name in dir(ask) if name[0] != "_"} == set(functions.__all__) == set(KINDS)
    assert all(callable(getattr(ask, name)) for name in KINDS)


def test_what_is_no_question_is_said_so() -> None:
    with pytest.raises(AttributeError, match="'Ask' object has no attribute 'medium'"):
        ask.medium  # noqa: B018
    with pytest.raises(AttributeError, match="agg"):
        ask.agg  # noqa: B018
    with pytest.raises(ParameterTypeError, match="missing a required argument: 'column'"):
        ask.median(epsilon=1)
    with pytest.raises(ParameterTypeError, match=r"median\(\) missing a required argument: 'epsilon'"):
        ask.median("pay", bounds=(0, 9))
    with pytest.raises(ParameterTypeError, match="ledger must be said when the Dataset is made"):
        ask.median("pay", bounds=(0, 9), epsilon=1, ledger=None)
    assert repr(ask) == "<ask: questions for agg>"
