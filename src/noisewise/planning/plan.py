"""How good will a release be? Answered before it, without touching the private data.

`plan` gives a guarantee that holds whatever the data is, in people: how many would have to change their data for the
true answer to become the released one. `epsilon_for` is its inverse. Proof: docs/proofs/planning.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from noisewise.errors import ParameterError
from noisewise.mechanisms import Balance, Laplace, Mechanism
from noisewise.numbers.exact import MAX_EPSILON, Number, describe, exact, exact_confidence, spell, whole
from noisewise.questions.keywords import Priced, Unpriced, with_full_signature
from noisewise.questions.request import Request
from noisewise.statistics import Statistic

CONFIDENCE = Fraction(95, 100)

DIGITS = 4
"""Epsilons are rounded up to this many digits."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a release will be worth, whatever the data.

    Attributes:
        statistic: What will be asked.
        mechanism: How it will be blurred.
        epsilon: What it will cost.
        confidence: How sure the guarantee is.
        people: With that probability, so few people would have to change their data for the released value to be the
            true one; None for Laplace noise, which does not depend on what people can do, and where no such number is
            known.
        error: With that probability the release is at most this far from the true answer; None where no such number is
            public.
        attained: Whether the envelope is exact, so that ``people`` really could do it, and it is not only a bound.
    """

    statistic: str
    mechanism: str
    epsilon: Fraction
    confidence: Fraction
    people: int | None
    error: float | None
    attained: bool

    def __str__(self) -> str:
        sure = f"with probability {spell(100 * self.confidence)}%"
        head = f"{self.statistic} by {self.mechanism} at epsilon {spell(self.epsilon)}: {sure}"
        if self.people is None and self.error is None:
            known = f"{self.statistic} by {self.mechanism} at epsilon {spell(self.epsilon)}"
            return f"{known}: how good it is depends on the data; try it on public data by simulate"
        if self.people is None:
            return f"{head} at most {self.error or 0:,.10g} from the true answer"
        crowd = "1 person" if self.people == 1 else f"{self.people:,} people"
        if self.attained:
            return f"{head} at most {crowd} separate the released value from the true one"
        return f"{head} the released value is within what {crowd} could at most do by our bound"


@with_full_signature
def plan(
    statistic: Statistic,
    *,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    **keywords: Unpack[Priced],
) -> Plan:
    """A guarantee for a release with these parameters, whatever the data.

    It is in people, who have up to ``contributions`` records each. A coarser granularity needs fewer of them.

    Args:
        statistic: What will be asked, such as ``Quantile("1/2")``.
        confidence: The probability that the guarantee holds.
        size: The public number of records under swap, where the noise depends on it; of a graph, that of its nodes.

    Examples:
        >>> print(nws.plan(nws.Quantile("1/2"), bounds=(0, 1_000_000), epsilon=1))
    """
    request = _request(statistic, size, **keywords)
    share = exact_confidence(confidence)
    people, error = _guarantee(request, request.mechanism, 1 - share)
    return Plan(
        statistic=str(statistic),
        mechanism=request.mechanism.name,
        epsilon=request.mechanism.epsilon,
        confidence=share,
        people=people,
        error=error,
        attained=people is not None and statistic.attained(people * request.contributions),
    )


@with_full_signature
def epsilon_for(
    statistic: Statistic,
    *,
    people: int | None = None,
    error: Number | None = None,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    **keywords: Unpack[Unpriced],
) -> float:
    """The smallest epsilon, rounded up to four digits, whose `plan` promises this few people, or this small an error.

    Args:
        statistic: What will be asked.
        people: How many people may separate the released value from the true one.
        error: Or how far they may be apart, where the noise does not depend on the data (Laplace).
        mechanism: ``"auto"`` or a mechanism's name.
        confidence: The probability that the promise holds.
        size: The public number of records under swap, where the noise depends on it; of a graph, that of its nodes.

    Examples:
        >>> nws.epsilon_for(nws.Quantile("1/2"), people=20, bounds=(0, 1_000_000))
    """
    if (people is None) == (error is None):
        raise ParameterError("people or error", "must be given, and not both") from None
    if not isinstance(mechanism := keywords.get("mechanism", "auto"), str):
        raise ParameterError("mechanism", "must be a name here", got=describe(mechanism)) from None
    most_people = None if people is None else whole("people", people, least=1)
    most_error = None if error is None else exact("error", error)
    if most_error is not None and most_error < 0:
        raise ParameterError("error", "must be at least 0", got=describe(error)) from None
    share = exact_confidence(confidence)

    def enough(epsilon: Fraction) -> bool:
        request = _request(statistic, size, epsilon=epsilon, **keywords)
        promised, distance = _guarantee(request, request.mechanism, 1 - share)
        if most_people is not None:
            if promised is None and distance is None:
                raise ParameterError(
                    "people",
                    f"must be left out for {statistic} by {request.mechanism.name}, whose error depends on the data",
                    fix="try an epsilon on public data by simulate",
                ) from None
            if promised is None:
                raise ParameterError(
                    "people",
                    f"must be left out for {statistic} by laplace, whose noise is the same for all data",
                    fix="ask for error",
                ) from None
            return promised <= most_people
        if distance is None:
            raise ParameterError(
                "error",
                f"must be left out for {statistic} by {request.mechanism.name}",
                why="how far people can move the answer depends on the data",
                fix="ask for people",
            ) from None
        return most_error is not None and exact("error", distance) <= most_error

    wider = "choose a coarser granularity" if error is None else "allow a larger error, or narrow the bounds"
    return _least(
        enough,
        ParameterError(
            str(statistic), f"cannot be promised so closely, even at epsilon {MAX_EPSILON}", why=wider
        ),
    )


def _request(statistic: Statistic, size: int | None, **keywords: Unpack[Priced]) -> Request:
    """The request that a release would make, without data."""
    nothing = np.broadcast_to(0.0, 0 if size is None else whole("size", size, least=0))
    columns, reads = getattr(statistic, "columns", 1), getattr(statistic, "reads", "records")
    if reads == "graph" and size is None:
        raise ParameterError(
            "size", f"must be the public number of nodes for {statistic}", got="None"
        ) from None
    data: Any = ([], size) if reads == "graph" else nothing if columns == 1 else (nothing,) * columns
    request = Request.of(statistic, data, **keywords)
    if size is None and request.neighbors == "swap" and isinstance(request.mechanism, Laplace):
        raise ParameterError(
            "size", f"must be given for {statistic} under swap, where n is public", got="None"
        ) from None
    return request


def _guarantee(
    request: Request, mechanism: Mechanism | Balance, miss: Fraction
) -> tuple[int | None, float | None]:
    """People, or for Laplace noise the distance, that are exceeded with probability at most ``miss``."""
    records, answers = request.frame
    rate = float(mechanism.epsilon)
    if isinstance(mechanism, Balance):
        owned = request.contributions
        edits = request.statistic.edits_astray(
            request.neighbors, mechanism.epsilon / owned, math.log(answers.points) - math.log(miss)
        )
        return (None if edits is None else math.ceil(edits / owned * (1 + 1e-12))), None
    if not isinstance(mechanism, Laplace):
        return math.ceil((math.log(answers.points) - math.log(miss)) / (rate / 2) * (1 + 1e-12)), None
    decay = rate / mechanism.sensitivity  # P(|noise| > t) = 2 r^(t+1) / (1 + r), r = e^-decay
    steps = math.ceil((math.log(2) - math.log(miss) - math.log1p(math.exp(-decay))) / decay * (1 + 1e-12)) - 1
    floored = records.granularity != answers.granularity  # noise is added to an answer that was rounded down
    return None, float((max(steps, 0) + floored) * answers.granularity)


def _least(enough: Callable[[Fraction], bool], refusal: ParameterError) -> float:
    """The smallest number of four digits, from 10^-6 to 64, that is enough; ``enough`` is monotone."""
    numbers = [
        Fraction(mantissa) * Fraction(10) ** (exponent - DIGITS + 1)
        for exponent in range(-6, 2)
        for mantissa in range(10 ** (DIGITS - 1), 10**DIGITS)
    ]
    low, high = 0, len([number for number in numbers if number <= MAX_EPSILON]) - 1
    if not enough(numbers[high]):
        raise refusal from None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(numbers[middle]) else (middle + 1, high)
    return float(numbers[low])
