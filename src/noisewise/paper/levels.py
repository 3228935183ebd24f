"""The levels of a function, and the score of an outcome, exactly as Section 3.1 of the paper defines them.

    upper(f, x, l) = max { f(x') : d(x, x') <= l }        lower(f, x, l) = min { f(x') : d(x, x') <= l }

Here d(x, x') is the number of records in which two datasets differ. For a Python function of a small dataset, the
levels are found by enumeration over a finite universe of records. For a statistic of the library, its envelope has the
levels. They are for analysis, and as secret as the data. ``nws.release(nws.Envelope.of(...))`` releases by levels.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import describe, exact, whole
from noisewise.questions.request import Request
from noisewise.statistics import Statistic

Indices = tuple[int, ...]
Rational = int | float | Fraction
Edge = Fraction | float
"""The end of a level: an exact number, or infinity as a float."""


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

    It takes the same arguments as `upper`.

    Examples:
        >>> nws.paper.lower(max, [1, 2], 1, universe=range(6))
        1
    """
    return level(f, x, l, neighbors, **given)[0]


def level(f: Any, x: Sequence[Any], l: int, neighbors: Neighbors, **given: Any) -> tuple[Any, Any]:
    """Return (lower, upper) for level l."""
    edits = whole("l", l, least=0)
    if isinstance(f, Statistic):
        if not given.keys() <= {"bounds", "granularity"}:
            raise ParameterTypeError(
                "upper() and lower()", "must be given bounds and granularity, and no more, for a statistic"
            ) from None
        law = Request.of(f, x, epsilon=1, neighbors=neighbors, mechanism="piecewise_laplace", **given).look(
            edits
        )
        assert isinstance(law, Law), "the law of an envelope"
        low, high = (Fraction(end) * law.granularity for end in law.envelope.level(edits))
        return (int(low), int(high)) if law.granularity.denominator == 1 else (low, high)
    if not callable(f):
        raise ParameterTypeError(
            "f", 'must be a function of a list of records, or a statistic such as Quantile("1/2")'
        ) from None
    if given.keys() != {"universe"}:
        raise ParameterTypeError(
            "universe", "must be given alone for a Python function: a list of all possible records"
        ) from None
    values = [f(each) for each in reached(x, edits, neighbors, **given)]
    return min(values), max(values)


def reached(
    x: Sequence[Any], l: int, neighbors: Neighbors, *, universe: Collection[Any]
) -> Iterator[list[Any]]:
    """Yield all datasets that are at most l edits away from x, each once. Records are in the order of the universe."""
    if neighbors not in ("swap", "add_remove"):
        raise ParameterError("neighbors", 'must be "swap" or "add_remove"', got=describe(neighbors)) from None
    for name, records in (("universe", universe), ("x", x)):
        if not isinstance(records, Collection):
            raise ParameterTypeError(name, "must be a list of records", got=describe(records)) from None
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
        lower: The lower levels. The first is f(x) itself.
        upper: The upper levels, the same number of them.

    Examples:
        >>> [nws.paper.reach(y, [5, 3, 0], [5, 6, 10]) for y in (5, 6, 8, 11)]
        [0, 1, 2, inf]
    """
    at, lows, highs = _checked(y, lower, upper)
    return next((l for l in range(len(lows)) if lows[l] <= at <= highs[l]), inf)


def quality_score(y: Rational, lower: Sequence[Rational], upper: Sequence[Rational]) -> Fraction | float:
    """q(y; x), exactly: -1 at f(x), -(l+1) at the edge of level l, a straight line between [Def. 3.1].

    It takes the same arguments as `reach`.

    Examples:
        >>> nws.paper.quality_score(8, [5, 3, 0], [5, 6, 10])
        Fraction(-5, 2)
    """
    at, lows, highs = _checked(y, lower, upper)
    l = next((l for l in range(len(lows)) if lows[l] <= at <= highs[l]), None)
    if l is None:
        return -inf
    if l == 0:
        return Fraction(-1)
    side = highs if at > highs[0] else lows
    inner, outer = Fraction(side[l - 1]), side[l]
    if isinstance(outer, float):  # infinite
        return Fraction(-l)
    return -(l + (at - inner) / (outer - inner))


def _checked(y: Any, lower: Any, upper: Any) -> tuple[Fraction, list[Edge], list[Edge]]:
    """Return the outcome and both sides in exact numbers. Levels after the first may be infinite, as in the paper."""
    lows, highs = _edges("lower", lower), _edges("upper", upper)
    if not len(lows) == len(highs) >= 1:
        raise ParameterTypeError("lower and upper", "must have as many levels, at least one") from None
    nested = all(a >= b for a, b in pairwise(lows)) and all(a <= b for a, b in pairwise(highs))
    if not nested or lows[0] > highs[0]:
        raise ParameterError(
            "lower", "must never rise, upper never fall, and lower[0] not exceed upper[0]"
        ) from None
    return exact("y", y), lows, highs


def _edges(name: str, side: Any) -> list[Edge]:
    if not isinstance(side, Collection) or isinstance(side, str):
        raise ParameterTypeError(name, "must be a list of numbers", got=describe(side)) from None
    return [float(end) if l and end in (-inf, inf) else exact(name, end) for l, end in enumerate(side)]
