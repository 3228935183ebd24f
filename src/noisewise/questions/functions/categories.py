"""Questions about categories and bins that are declared."""

from typing import Any, Unpack

from noisewise.questions.functions.value_names import each_bin
from noisewise.questions.keywords import WithoutMechanism
from noisewise.questions.question import Binding, Capabilities, of_release, question
from noisewise.releases.histogram import Histogram
from noisewise.releases.most_common import MostCommon


@question(Capabilities(columns=("label",), streamed=True))
def most_common(categories: Any, **keywords: Unpack[WithoutMechanism]) -> Binding:
    """A private mode: the most common of the categories you declare, or one that is nearly as common.

    Args:
        data: A one-dimensional array, list or series of text, numbers or booleans. What is missing or none of the
            categories counts for none of them.
        categories: All possible answers, known without looking at the data: a list of text, numbers or booleans.

    Examples:
        >>> nws.most_common(["tea", "coffee", "tea"], ["coffee", "tea", "water"], epsilon=1.0)
    """
    return of_release(MostCommon.of, categories=categories, **keywords)


@question(Capabilities(columns=("label",), streamed=True, value_names=each_bin, example="age"))
def histogram(bins: Any, **keywords: Unpack[WithoutMechanism]) -> Binding:
    """A private histogram: how many records each bin holds.

    Args:
        data: A one-dimensional array, list or series of numbers, or for categories of text, numbers or booleans.
            What is missing or in none of the bins is ignored.
        bins: Known without looking at the data: the edges of intervals in rising order, each closed on the left and the
            last on both sides, where the outer edges may be infinite; or, with text or booleans, a list of categories.

    Returns:
        ``value`` is a tuple of counts.

    Examples:
        >>> nws.histogram(ages, [0, 18, 40, 65, 120], epsilon=1.0)
        >>> nws.histogram(["tea", "coffee", "tea"], ["coffee", "tea", "water"], epsilon=1.0)
    """
    return of_release(Histogram.of, bins=bins, **keywords)
