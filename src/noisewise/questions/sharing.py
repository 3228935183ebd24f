"""One epsilon for several questions: each gets its share of it, or has an epsilon of its own."""

from collections.abc import Mapping
from fractions import Fraction

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import describe, exact, exact_epsilon
from noisewise.questions.question import Question


def priced(questions: Mapping[str, Question], epsilon: object, shares: object) -> dict[str, Question]:
    """The questions of `agg`, each with its part of one epsilon; as they are where each has its own."""
    for name, given in (("epsilon", epsilon), ("shares", shares)):
        if isinstance(given, Question):
            raise ParameterError(
                "answers", "must have another name than an argument of agg", got=repr(name)
            ) from None
    parts = parts_of({name: question.epsilon for name, question in questions.items()}, epsilon, shares)
    return {
        name: question if parts is None else question.at(parts[name]) for name, question in questions.items()
    }


def parts_of(
    own: Mapping[str, object], epsilon: object, shares: object, caller: str = "agg"
) -> dict[str, Fraction] | None:
    """The part of one epsilon for each question, by its name; None where there is none and each has its ``own``."""
    without = [name for name, price in own.items() if price is None]
    if epsilon is None and shares is not None:
        raise ParameterError("shares", "must be left out where there is no epsilon to share") from None
    if epsilon is None and without:
        raise ParameterError(
            "epsilon",
            f"must be given to {caller}, for all questions together, or in each",
            got=f"none for {without[0]}",
        ) from None
    if epsilon is None:
        return None
    if priced_too := [name for name in own if name not in without]:
        raise ParameterError(
            "epsilon",
            f"must be given to {caller}, for all questions together, or in each, and not both",
            got=f"one for {priced_too[0]} too",
        ) from None
    total = exact_epsilon(epsilon)
    parts = dict.fromkeys(own, Fraction(1)) if shares is None else _parts(own, shares)
    whole = sum(parts.values())
    return {name: total * part / whole for name, part in parts.items()}


def _parts(questions: Mapping[str, object], shares: object) -> dict[str, Fraction]:
    """A number above 0 for each question, exactly as typed."""
    if not isinstance(shares, Mapping):
        raise ParameterTypeError(
            "shares",
            'must be numbers by the names of questions, as in {"n": 1, "pay": 3}',
            got=describe(shares),
        ) from None
    for name in questions:
        if name not in shares:
            raise ParameterError(
                "shares", "must have one for each question", got=f"none for {name}"
            ) from None
    if unknown := [name for name in shares if name not in questions]:
        raise ParameterError(
            "shares", "must have one for each question", got=f"one for {describe(unknown[0])}, which is none"
        ) from None
    parts = {name: exact(f"the share of {name}", shares[name]) for name in questions}
    for name, part in parts.items():
        if part <= 0:
            raise ParameterError(
                f"the share of {name}", "must be above 0", got=describe(shares[name])
            ) from None
    return parts
