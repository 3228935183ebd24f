"""Convert bounds of a question and edges of bins to microseconds, if they are dates, times or durations.

The type of the bounds decides how they are read. `dataset.timed` checks whether a column can be read in the same way.
"""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from noisewise.errors import Pair, ParameterError, ParameterTypeError, SchemaError, Value
from noisewise.kernel.numbers.exact import describe, exact, spell
from noisewise.kernel.numbers.lattice import FINEST
from noisewise.questions.composites.histogram import BinEdges
from noisewise.questions.question import Question
from noisewise.tables.time.clock import (
    DAY,
    MICROSECOND,
    NAMED,
    Clock,
    kind_of,
    micros_of,
    shown,
    spoken,
    without_library,
)
from noisewise.tables.time.ticks import Kind


def in_microseconds(question: Question, bounds: tuple[Any, Any], clock: Clock) -> Question:
    """Return the question with its bounds, and its granularity if it has one, in microseconds."""
    in_numbers = question.with_keywords(bounds=tuple(map(micros_of, bounds)))
    if clock.granularity is None:
        return in_numbers
    return in_numbers.with_keywords(granularity=clock.granularity // MICROSECOND)


def clock_of(question: Question, bounds: tuple[Any, Any], granularity: Any) -> Clock:
    """Return the `Clock` by which a column is read in microseconds and the answer is converted back.

    Raise an error if the question cannot be about time, or if its bounds or its granularity do not suit it.
    """
    kind, other = kind_of(bounds[0]), kind_of(bounds[1])
    if kind is None or kind != other:
        raise ParameterTypeError(
            "bounds",
            (
                "must both be dates, datetimes with or without a time zone, times of day, or ",
                NAMED["duration"],
            ),
            got=(shown(bounds[0]), " and ", shown(bounds[1])),
        ) from None
    if width := exact("smooth", question.keywords.get("smooth", 0)):
        raise ParameterError(
            "smooth", "must be 0 between dates, times or durations", got=spell(width)
        ) from None
    rule = question.can.time
    if not rule.allows(kind):
        raise SchemaError(
            "bounds", f"must be numbers for {question.name}", got=NAMED[kind], why=rule.why_not
        ) from None
    low, high = map(micros_of, bounds)
    if not low < high:
        raise ParameterError(
            "bounds", "must have lowest < highest", got=Pair(shown(bounds[0]), shown(bounds[1]))
        ) from None
    if rule.answer == "number":
        return Clock(kind, None, rule.pairs, bounds)
    answers: Kind = "duration" if rule.answer == "duration" else kind
    step = _granularity(granularity, kind, answers)
    largest = max(abs(low), abs(high))
    finest = -(-largest // FINEST) * MICROSECOND
    reach = {"range": (high - low) // 2, "half range": (high - low) // 4, "magnitude": largest}[rule.widest]
    if not finest <= step <= reach * MICROSECOND:
        raise ParameterError(
            "granularity",
            f"must be from {finest} to {spoken(reach * MICROSECOND)} between these bounds",
            got=str(step),
        ) from None
    return Clock(kind, answers, rule.pairs, bounds, step)


def _granularity(given: Any, kind: Kind, answers: Kind) -> timedelta:
    """Return the spacing of answers. By default it is a day if the bounds are dates, and a second otherwise."""
    if given is None:
        return DAY if kind == "date" else timedelta(seconds=1)
    step = without_library(given)
    if not isinstance(step, timedelta):
        raise ParameterTypeError(
            "granularity",
            (
                "must be ",
                Value("a timedelta", "a duration such as 7d or 12h"),
                " where bounds are dates or times",
            ),
            got=describe(given),
        ) from None
    if answers == "date" and step % DAY:
        raise ParameterError("granularity", "must be whole days for dates", got=str(step)) from None
    return step


def edges_in_time(question: Question) -> list[Any] | None:
    """Return the edges of the bins of a question if they are dates, times or durations. Otherwise return None."""
    if "bins" not in question.kind.signature.parameters:
        return None
    bins = question.parameter("bins")
    in_time = isinstance(bins, (list, tuple)) and bins and kind_of(without_library(bins[0])) is not None
    return [without_library(edge) for edge in bins] if in_time else None


def kind_of_edges(edges: list[Any]) -> Kind:
    """Return whether the bin edges are dates, datetimes, times of day or durations: ``"date"``, ``"datetime"``,
    ``"zoned"`` (a datetime with a time zone), ``"time"`` or ``"duration"``. Raise an error if the edges differ in this.
    """
    kinds = {kind_of(edge) for edge in edges}
    kind = kinds.pop()
    if kind is None or kinds:
        raise ParameterTypeError(
            "bins", "must all be dates, datetimes, times of day or durations", got="several kinds of edges"
        ) from None
    return kind


def bins_in_numbers(edges: list[Any]) -> BinEdges:
    """Convert bin edges to microseconds. Receipts still show the edges as dates, times or durations."""
    for low, high in pairwise(edges):
        if not micros_of(low) < micros_of(high):
            raise ParameterError(
                "bins", "must have edges that rise", got=(shown(low), " before ", shown(high))
            ) from None
    at = BinEdges.of([micros_of(edge) for edge in edges])
    return replace(at, shown=tuple(map(str, edges)))
