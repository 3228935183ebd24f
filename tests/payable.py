"""Questions made by the public functions, without asking them: bound to data, or about named columns."""

from typing import Any

from noisewise.questions.payable import Payable
from noisewise.questions.question import Question, kind_of


def payable_of(function: Any, *given: Any, **keywords: Any) -> Any:
    """The question that ``function(*given, **keywords)`` would pay for and answer, checked and bound to its data."""
    kind = kind_of(function)
    count = len(kind.capabilities.data)
    payable: Payable = Question(kind, (), given[count:], keywords).bind(given[:count])
    return payable


def question_of(function: Any, *given: Any, **keywords: Any) -> Question:
    """The question about columns that a method of a `Dataset` would ask."""
    kind = kind_of(function)
    count = len(kind.capabilities.data)
    return Question(kind, given[:count], given[count:], keywords)
