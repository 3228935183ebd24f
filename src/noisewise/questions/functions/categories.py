"""Questions about categories and bins that are declared."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Unpack

from noisewise.errors import ParameterError
from noisewise.questions.composites.count_distinct import CountDistinct
from noisewise.questions.composites.crosstab import Cells, Crosstab
from noisewise.questions.composites.histogram import (
    Categories,
    Histogram,
    bins_of,
    equal_bins,
    names_of,
    spell_edge,
)
from noisewise.questions.composites.most_common import MostCommon
from noisewise.questions.functions.value_names import typed
from noisewise.questions.keywords import Counts, WithoutMechanism
from noisewise.questions.question import Binding, Capabilities, Question, of_release, question
from noisewise.tables.time.clock import TimeRule


def always(question: Question) -> bool:
    return True


def compares(question: Question) -> bool:
    """Whether a histogram counts categories, and not intervals."""
    return question.parameter("bins") is None or isinstance(bins_of(question.parameter("bins")), Categories)


def each_bin(question: Question) -> Sequence[object]:
    """The name of each bin: a category as it would be typed, or an interval between edges."""
    if (categories := question.parameter("categories")) is not None:
        return [typed(each) for each in categories]
    bins = question.parameter("bins")
    if any(isinstance(each, (bool, str)) for each in bins):
        return [typed(each) for each in bins]
    return names_of([spell_edge(each) for each in bins])


def with_edges(question: Question) -> Question | None:
    """The histogram with edges, if it has a number of bins of equal width between bounds, as in NumPy."""
    bins, bounds = question.parameter("bins"), question.parameter("bounds")
    if bounds is None and not isinstance(bins, int):
        return None
    keywords = {key: each for key, each in question.keywords.items() if key not in ("bins", "bounds")}
    return replace(question, arguments=(equal_bins(bins, bounds), *question.arguments[1:]), keywords=keywords)


def each_cell(question: Question) -> Sequence[str]:
    """The name of every cell: each combination of categories, with a total after the categories of each column."""
    (names,) = question.columns or (None,)
    lists = Cells.of(question.parameter("categories"), names).categories
    return [
        ", ".join(str(typed(part)) for part in parts)
        for parts in product(*([*categories, "total"] for categories in lists))
    ]


@question(Capabilities(columns=("label",), streamed=True, batched=True, compares=always))
def most_common(categories: Any, **keywords: Unpack[WithoutMechanism]) -> Binding:
    """A private mode: the most common of the categories you declare, or one that is nearly as common.

    Args:
        data: A one-dimensional array, list or series of text, numbers or booleans. Missing records, and records of no
            declared category, are ignored.
        categories: All possible answers, known without looking at the data: a list of text, numbers or booleans.

    Examples:
        >>> nws.most_common(["tea", "coffee", "tea"], ["coffee", "tea", "water"], epsilon=1.0)
    """
    return of_release(MostCommon.of, categories=categories, **keywords)


BY_EDGES = TimeRule(None, why_not="give bins whose edges are dates or times")


@question(
    Capabilities(columns=("label",), streamed=True, batched=True, compares=always, example="drink"),
)
def count_distinct(categories: Any = None, **keywords: Unpack[WithoutMechanism]) -> Binding:
    """A private number of different values: how many of the categories you declare occur at all. It is a whole number.
    To count different people, use `count_people`.

    Args:
        data: A one-dimensional array, list or series of text, numbers or booleans. Missing records, and records of no
            declared category, are ignored.
        categories: All possible values, known without looking at the data: a list of text, numbers or booleans.

    Examples:
        >>> nws.count_distinct(["tea", "coffee", "tea"], ["coffee", "tea", "water"], epsilon=1.0)
    """
    if categories is None:
        raise ParameterError(
            "categories",
            "must be given to count_distinct",
            why="which values there are is not known without looking at the data",
            fix="pass categories=[...], or use count_people() to count people",
            kind="no categories",
        ) from None
    return of_release(CountDistinct.of, categories=categories, **keywords)


@question(
    Capabilities(
        columns=("cells",),
        streamed=True,
        in_groups=False,
        counts_records=True,
        compares=always,
        value_names=each_cell,
    )
)
def crosstab(categories: Any, **keywords: Unpack[Counts]) -> Binding:
    """A private cross-tabulation: how many records have each combination of the categories you declare, with totals.

    Totals are sums of the released cells, so cells and totals agree with each other. All are whole numbers.

    Args:
        data: A tuple of columns, each an array, list or series of text, numbers or booleans. A record is in no cell if
            a column is missing or has none of its categories.
        categories: All values of each column, known without looking at the data: a list of lists in the order of the
            columns. For a Dataset, it may also be a dictionary of lists by the names of columns.

    Returns:
        ``value`` holds tuples within tuples, one level for each column. Each tuple has an entry for each category of
        its column, and a last entry for the total. The entries of the last column are numbers.

    Examples:
        >>> nws.crosstab((sexes, drinks), [["F", "M"], ["tea", "coffee"]], epsilon=1.0)
        >>> staff.crosstab(["sex", "dept"], {"sex": ["F", "M"], "dept": ["A", "B"]}, epsilon=1.0)
    """
    return of_release(Crosstab.of, categories=categories, **keywords)


@question(
    Capabilities(
        columns=("label",),
        streamed=True,
        batched=True,
        counts_records=True,
        compares=compares,
        time=BY_EDGES,
        value_names=each_bin,
        means=with_edges,
        example="age",
    )
)
def histogram(
    bins: Any = None, *, bounds: Any = None, categories: Any = None, **keywords: Unpack[Counts]
) -> Binding:
    """A private histogram: how many records each bin holds.

    Args:
        data: A one-dimensional array, list or series of numbers, or for categories of text, numbers or booleans.
            Records that are missing or in none of the bins are ignored.
        bins: The edges of intervals in rising order, known without looking at the data. An interval holds its left
            edge, and the last one its right edge, too. Outer edges may be infinite. In a Dataset, edges may be dates
            and times. With text or booleans, a list of categories. Or the number of bins of equal width between
            ``bounds``.
        bounds: The outer edges, if ``bins`` is a number.
        categories: A list of categories instead of bins, if they are numbers: ``[1, 2, 3]`` counts ones, twos and
            threes. As bins these numbers could be edges or categories. So if the column may hold whole numbers, write
            edges as ``[1.0, 2.0, 3.0]``.

    Returns:
        ``value`` is a tuple of counts.

    Examples:
        >>> nws.histogram(ages, [0, 18, 40, 65, 120], epsilon=1.0)
        >>> nws.histogram(ages, bins=12, bounds=(0, 120), epsilon=1.0)
        >>> nws.histogram(["tea", "coffee", "tea"], ["coffee", "tea", "water"], epsilon=1.0)
    """
    return of_release(Histogram.of, bins=bins, categories=categories, **keywords)
