"""The epsilon for a goal: the smallest one whose plan promises what is wanted."""

from collections.abc import Callable, Sized
from fractions import Fraction
from typing import Any, Unpack, overload

from noisewise.errors import Parameter, ParameterError
from noisewise.mechanisms import Laplace
from noisewise.numbers.exact import MAX_EPSILON, Number, describe, exact, exact_confidence, whole
from noisewise.planning.asked import AnyQuestion, Asked, Said
from noisewise.planning.plan import CONFIDENCE, exact_size, name_of, number_of, without_data
from noisewise.planning.promises import Promise, promise_of
from noisewise.planning.shapes import Shape, Shaped
from noisewise.planning.typical import on_shape
from noisewise.questions.keywords import Unpriced, with_open_signature
from noisewise.statistics import Statistic

DIGITS = 4
"""Epsilons are rounded up to this many digits."""


@overload
def epsilon_for(
    statistic: Statistic,
    *,
    people: int | None = ...,
    error: Number | None = ...,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    **keywords: Unpack[Unpriced],
) -> float: ...
@overload
def epsilon_for(
    statistic: AnyQuestion,
    *arguments: Any,
    people: int | None = ...,
    error: Number | None = ...,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    **keywords: Any,
) -> float: ...
@with_open_signature
def epsilon_for(
    statistic: Said,
    *arguments: Any,
    people: int | None = None,
    error: Number | None = None,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    shape: Shape | None = None,
    groups: int | Sized | None = None,
    **keywords: Unpack[Unpriced],
) -> float:
    """The smallest epsilon, rounded up to four digits, whose `plan` promises this few people, or this small an error.

    Args:
        statistic: What will be asked, in any of the ways that `plan` takes.
        arguments: The question's own arguments, such as the q of a quantile.
        people: How many people may separate the released value from the true one.
        error: Or how far they may be apart, where the noise does not depend on the data (Laplace), of a mean with a
            size, or of records of a shape.
        mechanism: ``"auto"`` or a mechanism's name.
        confidence: The probability that the promise holds.
        size: How many records there are, as for `plan`.
        shape: What the records are like, as for `plan`; the error is then that of such records.
        groups: In how many groups it is asked, or which; they cost this epsilon together, and what is promised holds in
            each of them.

    Examples:
        >>> nws.epsilon_for("median", people=20, bounds=(0, 1_000_000))
        >>> nws.epsilon_for("median", error=500, bounds=(0, 1_000_000), size=1000, shape=("lognormal", 10.5, 0.6))
    """
    if (people is None) == (error is None):
        either = (Parameter("people"), " or ", Parameter("error"))
        raise ParameterError(either, "must be given, and not both") from None
    if not isinstance(mechanism := keywords.get("mechanism", "auto"), str):
        raise ParameterError("mechanism", "must be a name here", got=describe(mechanism)) from None
    most_people = None if people is None else whole("people", people, least=1)
    most_error = None if error is None else exact("error", error)
    if most_error is not None and most_error < 0:
        raise ParameterError("error", "must be at least 0", got=describe(error)) from None
    share, shaped, many = (
        exact_confidence(confidence),
        None if shape is None else Shaped.of(shape),
        exact_size(size),
    )
    asked = Asked.of("epsilon_for", statistic, arguments, {**keywords, "epsilon": 1}, confidence)
    many_groups = number_of(groups)

    def promised(epsilon: Fraction) -> tuple[Promise, str, float | None]:
        """What is promised, of what, and how far it is off."""
        at = asked.at(epsilon=epsilon) if many_groups is None else asked.at(epsilon=epsilon).of_one_record()
        payable = without_data(at, many)
        promise = promise_of(payable, 1 - share, many)
        distance = promise.error if shaped is None else on_shape(at, shaped, many, share).error
        return promise, name_of(payable, asked), distance

    def enough(epsilon: Fraction) -> bool:
        promise, _, distance = promised(epsilon)
        if most_people is not None:
            return promise.people is not None and promise.people <= most_people
        assert most_error is not None, "one of both is given"
        return distance is not None and exact("error", distance) <= most_error

    best, name, distance = promised(Fraction(MAX_EPSILON))
    if most_people is not None:
        _judge_people(name, best)
    elif distance is None:
        raise ParameterError(
            "error",
            f"must be left out for {name} by {best.mechanism}",
            why="how far people can move the answer depends on the data",
            fix="ask for people, or give a shape and a size",
        ) from None
    wider = "choose a coarser granularity" if error is None else "allow a larger error, or narrow the bounds"
    return _least(
        enough,
        ParameterError(
            asked.name, f"cannot be promised so closely, even at epsilon {MAX_EPSILON}", why=wider
        ),
    )


def _judge_people(name: str, promise: Promise) -> None:
    """Refuse to promise a number of people where none holds."""
    if promise.people is not None:
        return
    if promise.mechanism == Laplace.name:
        raise ParameterError(
            "people",
            f"must be left out for {name} by laplace, whose noise is the same for all data",
            fix="ask for error",
        ) from None
    raise ParameterError(
        "people",
        f"must be left out for {name} by {promise.mechanism}, whose error depends on the data",
        fix="try an epsilon on public data by simulate",
    ) from None


def _least(enough: Callable[[Fraction], bool], refusal: ParameterError) -> float:
    """The smallest number of four digits, from 10^-6 to 64, that is enough; ``enough`` is monotone."""
    least: int = 10 ** (DIGITS - 1)
    mantissas: int = 10**DIGITS - least

    def number(index: int) -> Fraction:
        exponent, mantissa = divmod(index, mantissas)
        return Fraction((least + mantissa) * 10**exponent, 10**6 * least)

    low, high = 0, 7 * mantissas + MAX_EPSILON * least // 10 - least
    if not enough(number(high)):
        raise refusal from None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(number(middle)) else (middle + 1, high)
    return float(number(low))
