"""Find the smallest epsilon or rho for a goal: its plan promises few enough people, or a small enough error."""

from collections.abc import Callable, Mapping, Sized
from datetime import timedelta
from fractions import Fraction
from typing import Any, Unpack, overload

from noisewise.errors import Parameter, ParameterError, ParameterTypeError, Value
from noisewise.kernel.mechanisms import Gaussian, Laplace
from noisewise.kernel.numbers.exact import MAX_EPSILON, Number, describe, exact, whole
from noisewise.kernel.prices import Price, Rho
from noisewise.planning.asked import PRICES, AnyQuestion, Asked, Said, several
from noisewise.planning.error_on_data import on_shape
from noisewise.planning.plan import CONFIDENCE, Assumed
from noisewise.planning.shapes import Shape
from noisewise.questions.keywords import Unpriced, with_open_signature
from noisewise.questions.promise import Promise
from noisewise.questions.question import Question
from noisewise.questions.terms import typed
from noisewise.statistics import Statistic
from noisewise.tables.time.clock import MICROSECOND, Clock, without_library

DIGITS = 4
"""Prices are rounded up to this many digits."""


@overload
def epsilon_for(
    statistic: Statistic,
    *,
    people: int | None = ...,
    error: Number | timedelta | None = ...,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    per_group: int | None = ...,
    max_groups: int | None = ...,
    **keywords: Unpack[Unpriced],
) -> float: ...
@overload
def epsilon_for(
    statistic: AnyQuestion | Mapping[str, Said],
    *arguments: Any,
    people: int | None = ...,
    error: Number | timedelta | None = ...,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    per_group: int | None = ...,
    max_groups: int | None = ...,
    shares: Mapping[str, Number] | None = ...,
    **keywords: Any,
) -> float: ...
@with_open_signature
def epsilon_for(
    statistic: Said | Mapping[str, Said],
    *arguments: Any,
    people: int | None = None,
    error: Number | timedelta | None = None,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    shape: Shape | None = None,
    groups: int | Sized | None = None,
    per_group: int | None = None,
    max_groups: int | None = None,
    shares: Mapping[str, Number] | None = None,
    **keywords: Unpack[Unpriced],
) -> float:
    """The smallest epsilon, rounded up to four digits, for which `plan` promises this error or this many people.

    Args:
        statistic: What will be asked, in any of the ways that `plan` takes. For several questions, a dictionary by the
            names of their answers. The result then pays for all together, and the promise holds for each.
        arguments: The question's own arguments, such as the q of a quantile.
        people: The most people that may separate the released value from the true one.
        error: Instead of people, how far the released value may be from the true one. This needs Laplace noise, which
            does not depend on the data, or a mean with a size, or a shape. A timedelta if answers are dates or times.
        mechanism: ``"auto"`` or a mechanism's name.
        confidence: The probability that the promise holds.
        size: How many records there are, as for `plan`.
        shape: What the records are like, as for `plan`. The error is then the error for such records.
        groups: The number of groups, or the groups, if it is asked in groups. All groups cost this epsilon together.
            The promise holds in each of them.
        per_group: The most records of one person in one group, as for `plan`.
        max_groups: The most groups of one person, as for `plan`.
        shares: For several questions, how epsilon is divided, by the names of answers. By default in proportion to
            their own prices; without these, all get the same.

    Examples:
        >>> nws.epsilon_for("median", people=20, bounds=(0, 1_000_000))
        >>> nws.epsilon_for("median", error=500, bounds=(0, 1_000_000), size=1000, shape=("lognormal", 10.5, 0.6))
    """
    assumed = Assumed.of(confidence, size, shape, groups, (per_group, max_groups))
    return _smallest(
        "epsilon_for", Fraction(1), statistic, arguments, keywords, people, error, assumed, shares
    )


@overload
def rho_for(
    statistic: Statistic,
    *,
    people: int | None = ...,
    error: Number | timedelta | None = ...,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    per_group: int | None = ...,
    max_groups: int | None = ...,
    **keywords: Unpack[Unpriced],
) -> float: ...
@overload
def rho_for(
    statistic: AnyQuestion | Mapping[str, Said],
    *arguments: Any,
    people: int | None = ...,
    error: Number | timedelta | None = ...,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    per_group: int | None = ...,
    max_groups: int | None = ...,
    shares: Mapping[str, Number] | None = ...,
    **keywords: Any,
) -> float: ...
@with_open_signature
def rho_for(
    statistic: Said | Mapping[str, Said],
    *arguments: Any,
    people: int | None = None,
    error: Number | timedelta | None = None,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    shape: Shape | None = None,
    groups: int | Sized | None = None,
    per_group: int | None = None,
    max_groups: int | None = None,
    shares: Mapping[str, Number] | None = None,
    **keywords: Unpack[Unpriced],
) -> float:
    """The smallest rho, rounded up to four digits, whose `plan` promises so few people, or so small an error.

    Args:
        statistic: What will be asked, in any of the ways that `plan` takes. For several questions, a dictionary by the
            names of their answers. The result is then the rho of all together, and each keeps the promise.
        arguments: The question's own arguments, such as the q of a quantile.
        people: The most people that may separate the released value from the true one.
        error: Instead of people, how far the released value may be from the true one. This needs Gaussian noise, which
            does not depend on the data, or a mean with a size, or a shape. A timedelta if answers are dates or times.
        mechanism: ``"auto"`` or a mechanism's name.
        confidence: The probability that the promise holds.
        size: How many records there are, as for `plan`.
        shape: What the records are like, as for `plan`. The error is then that of such records.
        groups: The number of groups, or the groups, if it is asked in groups. All groups cost this rho together.
            The promise holds in each of them.
        per_group: The most records of one person in one group, as for `plan`.
        max_groups: The most groups of one person, as for `plan`.
        shares: For several questions, how rho is divided, by the names of answers. By default in proportion to
            their own prices; without these, all get the same.

    Examples:
        >>> nws.rho_for("count", error=10, contributions=20, groups=200, per_group=1)
    """
    assumed = Assumed.of(confidence, size, shape, groups, (per_group, max_groups))
    return _smallest(
        "rho_for", Rho(Fraction(1)), statistic, arguments, keywords, people, error, assumed, shares
    )


def _smallest(
    caller: str,
    unit: Price,
    statistic: Said | Mapping[str, Said],
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    people: object,
    error: object,
    assumed: Assumed,
    shares: object,
) -> float:
    """The smallest multiple of ``unit`` that is enough, for one question or for several together."""
    if (people is None) == (error is None):
        either = (Parameter("people"), " or ", Parameter("error"))
        raise ParameterError(either, "must be given, and not both") from None
    if not isinstance(mechanism := keywords.get("mechanism", "auto"), str):
        raise ParameterError("mechanism", "must be a name here", got=describe(mechanism)) from None
    most_people = None if people is None else whole("people", people, least=1)
    priced = {**keywords, **typed(unit)}
    if not isinstance(statistic, Mapping):
        asked = Asked.of(caller, statistic, arguments, priced, assumed.confidence, shares)
        return _least(*_goal(asked, assumed, most_people, error))
    if not statistic:
        raise ParameterError("questions", "must be one at least", got="none") from None
    unpriced, parts_given = _unpriced(statistic, shares)
    each = several(caller, unpriced, arguments, priced, parts_given, assumed.confidence)
    goals = [_goal(asked, assumed, most_people, error) for asked in each.values()]

    def all_enough(times: Fraction) -> bool:
        return all(enough(times) for enough, _ in goals)

    refusals = [refusal for enough, refusal in goals if not enough(Fraction(MAX_EPSILON))]
    return _least(all_enough, (*refusals, *(refusal for _, refusal in goals))[0])


def _unpriced(questions: Mapping[str, Said], shares: object) -> tuple[dict[str, Said], object]:
    """The questions without their own prices, and the shares. By default the shares are these prices."""
    own = {
        str(name): price.rho if isinstance(price, Rho) else price
        for name, said in questions.items()
        if isinstance(said, Question) and (price := said.typed_price) is not None
    }
    without = {
        str(name): said.with_keywords(**dict.fromkeys(PRICES)) if isinstance(said, Question) else said
        for name, said in questions.items()
    }
    return without, own if shares is None and len(own) == len(questions) else shares


def _goal(
    asked: Asked, assumed: Assumed, most_people: int | None, error: object
) -> tuple[Callable[[Fraction], bool], ParameterError]:
    """Return a test whether a multiple of the price is enough, and the error to raise if none is. Raises if nothing is
    promised.
    """
    most_error = None if error is None else _most_error(error, asked.clock)
    unit = asked.price

    def promised(times: Fraction) -> tuple[Promise, str, float | None]:
        """The promise at this price, the name of the question, and the error that is promised."""
        each, shape = assumed.in_group(asked.at_price(unit * times)), assumed.shape
        payable = assumed.payable(each).alone
        promise = payable.promise(1 - assumed.confidence, assumed.size)
        distance = (
            promise.error if shape is None else on_shape(each, shape, assumed.size, assumed.confidence).error
        )
        return promise, payable.name, distance

    def enough(times: Fraction) -> bool:
        promise, _, distance = promised(times)
        if most_people is not None:
            return promise.people is not None and promise.people <= most_people
        assert most_error is not None, "one of both is given"
        return distance is not None and exact("error", distance) <= most_error

    best, name, distance = promised(Fraction(MAX_EPSILON))
    if most_people is not None:
        _check_people(name, best)
    elif distance is None:
        raise ParameterError(
            "error",
            f"must be left out for {name} by {best.mechanism}",
            why="how far people can move the answer depends on the data",
            fix="ask for people, or give a shape and a size",
        ) from None
    wider = (
        "choose a coarser granularity" if most_error is None else "allow a larger error, or narrow the bounds"
    )
    (price,) = typed(unit)
    return enough, ParameterError(
        asked.name, f"cannot be promised so closely, even at {price} {MAX_EPSILON}", why=wider
    )


def _most_error(error: object, clock: Clock | None) -> Fraction:
    """How far an answer may be off, in its unit. If answers are dates or times, in microseconds."""
    if clock is not None and clock.answers is not None:
        span = without_library(error)
        if not isinstance(span, timedelta):
            raise ParameterTypeError(
                "error",
                (
                    "must be ",
                    Value("a timedelta", "a duration such as 7d or 12h"),
                    " where answers are dates or times",
                ),
                got=describe(error),
            ) from None
        number = Fraction(span // MICROSECOND)
    else:
        number = exact("error", error)
    if number < 0:
        raise ParameterError("error", "must be at least 0", got=describe(error)) from None
    return number


def _check_people(name: str, promise: Promise) -> None:
    """Raise if no number of people can be promised."""
    if promise.people is not None:
        return
    if promise.mechanism in (Gaussian.name, Laplace.name):
        raise ParameterError(
            "people",
            f"must be left out for {name} by {promise.mechanism}, whose noise is the same for all data",
            fix="ask for error",
        ) from None
    raise ParameterError(
        "people",
        f"must be left out for {name} by {promise.mechanism}, whose error depends on the data",
        fix="try a price on public data by simulate",
    ) from None


def _least(enough: Callable[[Fraction], bool], refusal: ParameterError) -> float:
    """The smallest number of four digits, from 10^-6 to 64, that is enough. ``enough`` must be monotone."""
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
