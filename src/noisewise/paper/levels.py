"""The levels of a function, and the score of an outcome, exactly as Section 3.1 of the paper defines them.

    upper(f, x, l) = max { f(x') : d(x, x') <= l }        lower(f, x, l) = min { f(x') : d(x, x') <= l }

Here d(x, x') is the number of records in which two datasets differ. For a Python function of a small dataset, the
levels are found by enumeration over a finite universe of records. For a statistic of the library, its envelope has the
levels. They are for analysis, and as secret as the data. ``nws.release(nws.Envelope.of(...))`` releases by levels.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.questions.request import Request
from noisewise.statistics import Statistic

Indices = tuple[int, ...]
Rational = int | float | Fraction


def upper(f: Any, x: Sequence[Any], l: int, *, neighbors: Neighbors = "swap", **given: Any) -> Any:
    """The largest value of f after changing at most l records: the upper bound of Section 3.1. For analysis.

    Args:
        f: A Python function of a list of records, which must not depend on their order; or a statistic.
        x: The records.
        l: How many records may change.
        neighbors: ``"swap"`` replaces records, ``"add_remove"`` adds and removes them.
        given: For a function ``universe=``, all possible records; for a statistic ``bounds=`` and ``granularity=``.

    Examples:
        >>> nws.paper.upper(max, [1, 2], 1, universe=range(6))
        5
        >>> nws.paper.upper(nws.Quantile("1/2"), [1, 2, 4, 7, 9], 1, bounds=(0, 10))
        7
    """
    return level(f, x, l, neighbors, **given)[1]


def lower(f: Any, x: Sequence[Any], l: int, *, neighbors: Neighbors = "swap", **given: Any) -> Any:
    """The smallest value of f after changing at most l records: the lower bound of Section 3.1. For analysis.

    Arguments are those of `upper`.

    Examples:
        >>> nws.paper.lower(max, [1, 2], 1, universe=range(6))
        1
    """
    return level(f, x, l, neighbors, **given)[0]


def level(f: Any, x: Sequence[Any], l: int, neighbors: Neighbors, **given: Any) -> tuple[Any, Any]:
    """Return (lower, upper) for level l."""
    edits = whole("l", l, least=0)
    if isinstance(f, Statistic):
        law = Request.of(f, x, epsilon=1, neighbors=neighbors, mechanism="piecewise_laplace", **given).look(
            edits
        )
        assert isinstance(law, Law), "the law of an envelope"
        low, high = (Fraction(end) * law.granularity for end in law.envelope.level(edits))
        return (int(low), int(high)) if law.granularity.denominator == 1 else (low, high)
    values = [f(each) for each in reached(x, edits, neighbors, **given)]
    return min(values), max(values)


def reached(
    x: Sequence[Any], l: int, neighbors: Neighbors, *, universe: Collection[Any]
) -> Iterator[list[Any]]:
    """Yield all datasets that are at most l edits away from x, each once. Records are in the order of the universe."""
    if neighbors not in ("swap", "add_remove"):
        raise ParameterError("neighbors", 'must be "swap" or "add_remove"', got=describe(neighbors)) from None
    records = list(universe)
    if not all(record in records for record in x):
        raise ParameterError("x", "must hold records of the universe alone") from None
    found = last = {tuple(sorted(records.index(record) for record in x))}
    for _ in range(l):
        last = {other for one in last for other in _neighbors(one, len(records), neighbors)} - found
        found = found | last
    return ([records[index] for index in each] for each in found)


def _neighbors(one: Indices, size: int, neighbors: Neighbors) -> Iterator[Indices]:
    """Yield all datasets that are one edit away. A dataset is a sorted tuple of indices into the universe."""
    less = {one[:place] + one[place + 1 :] for place in range(len(one))}
    if neighbors == "add_remove":
        yield from less
    for rest in less if neighbors == "swap" else (one,):
        yield from (tuple(sorted((*rest, index))) for index in range(size))


def reach(y: Rational, lower: Sequence[Rational], upper: Sequence[Rational]) -> int | float:
    """l(y; x): how many records must change for the levels to hold y; infinity if no level does [Sec. 3.1].

    Args:
        y: The outcome.
        lower: The lower levels, that of f(x) itself first.
        upper: The upper levels, as many.

    Examples:
        >>> [nws.paper.reach(y, [5, 3, 0], [5, 6, 10]) for y in (5, 6, 8, 11)]
        [0, 1, 2, inf]
    """
    if len(lower) != len(upper):
        raise ParameterTypeError("lower and upper", "must have as many levels") from None
    pairs = zip(lower, upper, strict=True)
    return next((l for l, (low, high) in enumerate(pairs) if low <= y <= high), inf)


def quality_score(y: Rational, lower: Sequence[Rational], upper: Sequence[Rational]) -> Fraction | float:
    """q(y; x), exactly: -1 at f(x), -(l+1) at the edge of level l, a straight line between [Def. 3.1].

    Arguments are those of `reach`.

    Examples:
        >>> nws.paper.quality_score(8, [5, 3, 0], [5, 6, 10])
        Fraction(-5, 2)
    """
    l = reach(y, lower, upper)
    if l == inf:
        return -inf
    if l == 0:
        return Fraction(-1)
    side = upper if y > upper[0] else lower
    inner, outer = Fraction(side[int(l) - 1]), Fraction(side[int(l)])
    return -(int(l) + (Fraction(y) - inner) / (outer - inner))
