"""Questions in groups that are searched for, checked before the search: asked in one group with a made-up key.

The key has the types of the columns. So a wrong question is refused before anything is paid.
"""

from datetime import date, datetime, time
from typing import Any

from noisewise.dataset.batches import MOST_LEVELS, SharedReads
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.grouped import Grouped
from noisewise.errors import NoisewiseError, ParameterError, Words
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question
from noisewise.questions.request import Request

MOST_GROUPS = 2**20
"""The most groups that a search is expected to find."""

STAND_INS: tuple[Any, ...] = ("", 0, False, date(2000, 1, 1), datetime(2000, 1, 1), time())
"""A key of each type that a column of keys can have."""


def in_any_groups(dataset: Dataset, by: tuple[str, ...], question: Question) -> Payable:
    """Return the question about a stand-in for the groups, before it is paid. Refuse a wrong question.

    Private contributions are found with the groups.
    """
    if dataset._search is not None:
        in_any_groups(dataset._at_most(1), by, question)
        dataset = dataset._at_most(dataset._search.most)
    inner = in_groups(_stand_in(dataset, by), question)
    _check_levels(inner)
    return inner


def _check_levels(payable: Payable) -> None:
    """Refuse a question without bounds if its levels would not fit in memory for the largest number of groups."""
    one: object = payable
    while not isinstance(one, Request):
        if (one := getattr(one, "inner", None)) is None:
            return
    if None in one.frame.answers.support and one.levels * MOST_GROUPS > MOST_LEVELS:
        raise ParameterError(
            "mechanism",
            ("must be ", Words("laplace"), f" for {one.statistic} in groups that are searched for"),
            got=one.mechanism.name,
            why=f"each group would take {one.levels:,} levels, and how many groups there are is not known",
        ) from None


def in_groups(grouped: Grouped, question: Question) -> Payable:
    return grouped._bind(question, SharedReads(), searched=True)


def _stand_in(dataset: Dataset, by: tuple[str, ...]) -> Grouped:
    """Return one group with a made-up key that has the types of the columns."""
    keys = tuple(_key(dataset, name) for name in by)
    return dataset.group_by(*by, keys=[keys[0] if len(by) == 1 else keys])


def _key(dataset: Dataset, name: str) -> Any:
    for key in STAND_INS:
        try:
            dataset.group_by(name, keys=[key])
        except NoisewiseError:
            continue
        return key
    return STAND_INS[0]  # group_by, which gets all columns, then raises the error
