"""A question bound to its data: judged, neither paid nor answered."""

from typing import Any

from noisewise.questions.payable import Payable
from noisewise.questions.question import Question, kind_of


def bound(function: Any, *given: Any, **keywords: Any) -> Any:
    """What ``function(*given, **keywords)`` would pay for and answer."""
    kind = kind_of(function)
    count = len(kind.capabilities.data)
    payable: Payable = Question(kind, (), given[count:], keywords).bind(given[:count])
    return payable


def written(function: Any, *given: Any, **keywords: Any) -> Question:
    """The question of columns that a method would ask."""
    kind = kind_of(function)
    count = len(kind.capabilities.data)
    return Question(kind, given[:count], given[count:], keywords)
