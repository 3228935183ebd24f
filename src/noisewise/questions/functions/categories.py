"""Questions about categories: answers that are no numbers."""

from typing import Any, Required, TypedDict, Unpack

import numpy as np

from noisewise.columns import Neighbors
from noisewise.numbers.exact import Number
from noisewise.questions.keywords import question
from noisewise.questions.request import Payer
from noisewise.releases import most_common as releases
from noisewise.results.release import Release


class Categorical(TypedDict, total=False):
    """How to ask where an answer is one of a declared list."""

    epsilon: Required[Number]
    neighbors: Neighbors
    contributions: int | np.integer[Any]
    ledger: Payer | None


@question
def most_common(data: Any, categories: Any, **asked: Unpack[Categorical]) -> Release:
    """A private mode: the most common of the categories you declare, or one that is nearly as common.

    Args:
        data: A one-dimensional array, list or series of text, numbers or booleans. What is missing or none of the
            categories counts for none of them.
        categories: All possible answers, known without looking at the data: a list of text, numbers or booleans.

    Examples:
        >>> nws.most_common(["tea", "coffee", "tea"], ["coffee", "tea", "water"], epsilon=1.0)
    """
    return releases.most_common(data, categories, **asked)
