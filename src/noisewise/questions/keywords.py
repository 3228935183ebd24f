"""The keywords that every question takes, written once.

A question declares them as ``**asked: Unpack[Bounded]`` (or `Asked`, where an answer needs no bounds). `question` then
gives it the full signature and the full help text, so that a reader, an editor and ``inspect`` all see every keyword.
"""

import inspect
from collections.abc import Callable, Mapping
from datetime import date, time, timedelta
from difflib import get_close_matches
from functools import wraps
from textwrap import fill
from typing import Any, Literal, ParamSpec, Required, TypedDict, TypeVar, cast, get_type_hints

import numpy as np

from noisewise.columns import Neighbors
from noisewise.errors import ParameterTypeError
from noisewise.mechanisms import Chosen
from noisewise.numbers.exact import Number, describe
from noisewise.numbers.lattice import Bounds
from noisewise.privacy.refusals import suggesting
from noisewise.questions.request import QUOTE, Payer

P = ParamSpec("P")
R = TypeVar("R")

IN_TIME = (date, time, timedelta, np.datetime64, np.timedelta64)
SIMILAR = 0.8
"""A keyword is taken for a misspelt one from here on."""


class Asked(TypedDict, total=False):
    """How to ask, where the range of the answer is public by itself."""

    epsilon: Required[Number]
    granularity: Number | timedelta | None
    neighbors: Neighbors
    contributions: int | np.integer[Any]
    mechanism: Chosen
    ledger: Payer | None


class Fixed(Asked, total=False):
    """How to ask where records need bounds that somebody knows."""

    bounds: Required[Bounds]


class Bounded(Asked, total=False):
    """How to ask where records need bounds, known or to be searched for."""

    bounds: Required[Bounds | Literal["private"]]
    bounds_share: Number | str | None


DEFAULTS = {
    "bounds": inspect.Parameter.empty,
    "epsilon": inspect.Parameter.empty,
    "granularity": None,
    "neighbors": "add_remove",
    "contributions": 1,
    "mechanism": "auto",
    "ledger": None,
    "bounds_share": None,
}
"""The keywords in their order."""

MEANING = {
    "data": "A one-dimensional array, list or series of numbers. Missing values are left out under add/remove. In a "
    'list, anything that is no number counts as missing, text such as ``"41"`` too.',
    "bounds": "The lowest and highest possible value, known without looking at the data. Records outside are clamped.",
    "epsilon": "The privacy loss of this release, above 0 and at most 64. Smaller is more private and less accurate.",
    "granularity": "The spacing of possible answers. By default a fine power of two; for order statistics and sums 1 "
    "between bounds typed as ints at least 2 apart. Coarser is more accurate on data that repeats itself.",
    "neighbors": '``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.',
    "contributions": "How many records one person may own, your promise.",
    "mechanism": '``"auto"``, a mechanism\'s name, or a mechanism such as ``PiecewiseLaplace(epsilon=1)``.',
    "ledger": "Where the loss is paid from, before the data is read: any object with a ``debit`` method.",
    "bounds_share": 'If nobody knows bounds, ``bounds="private"`` finds them for this part of epsilon, by default a '
    "quarter. The value is None where there is too little data to find any.",
}


def question(function: Callable[P, R]) -> Callable[P, R]:
    """Show a question with the keywords it takes, and turn a wrong call into an error that names the question."""
    signature = _signature(function)

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        judge_call(function.__name__, signature, args, kwargs)
        _judge_bounds(kwargs.get("bounds"))
        unpaid: Any = {**kwargs, "ledger": QUOTE}
        again = cast("Callable[..., Any]", function)
        with suggesting(kwargs.get("epsilon"), lambda other: again(*args, **{**unpaid, "epsilon": other})):
            return function(*args, **kwargs)

    asked.__signature__ = signature  # type: ignore[attr-defined]
    asked.__doc__ = _help(inspect.getdoc(function) or "", signature)
    del asked.__wrapped__  # whoever unwraps would see the short signature
    return asked


def judge_call(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Refuse a wrong call; a common keyword that says nothing here is no mistake, and is dropped from ``kwargs``."""
    for keyword in [each for each in kwargs if each not in signature.parameters and each in DEFAULTS]:
        if kwargs[keyword] is None or kwargs[keyword] == DEFAULTS[keyword]:
            del kwargs[keyword]
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        mistake = f"{name}() {_mistake(str(error), kwargs, signature)}"
    else:
        return
    raise ParameterTypeError(mistake) from None


def _judge_bounds(bounds: object) -> None:
    """Say where bounds of time are taken."""
    if isinstance(bounds, (tuple, list)) and bounds and isinstance(bounds[0], IN_TIME):
        raise ParameterTypeError(
            f"the lower bound must be a real number, got {describe(bounds[0])}; dates and times are asked through a "
            "Dataset"
        ) from None


def _mistake(error: str, kwargs: Mapping[str, object], signature: inspect.Signature) -> str:
    """Python's own words for a wrong call, a misspelt keyword first, and what to write instead."""
    known = list(signature.parameters)
    for name in kwargs:
        if name not in known:
            close = get_close_matches(name, known, 1, SIMILAR)
            return f"got an unexpected keyword argument '{name}'" + (
                f"; did you mean '{close[0]}'?" if close else ""
            )
    if error == "too many positional arguments":
        return f"{error}: bounds, epsilon and the rest are keywords, as in bounds=(0, 100), epsilon=1"
    return error


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """What ``**asked`` stands for, spelled out before the question's own keywords."""
    signature = inspect.signature(function)
    *own, asked = signature.parameters.values()
    (keywords,) = asked.annotation.__args__
    types = get_type_hints(keywords)
    common = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in DEFAULTS.items()
        if name in types
    ]
    own = [each.replace(annotation=inspect.Parameter.empty) for each in own]  # unions would fill the screen
    positional = [each for each in own if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    return signature.replace(parameters=[*positional, *common, *own[len(positional) :]])


def _help(text: str, signature: inspect.Signature) -> str:
    """The question's own text with every argument explained, those that all questions share among them."""
    opening, _, examples = text.partition("\n\nExamples:\n")
    summary, _, listed = opening.partition("\n\nArgs:\n")
    explained = dict(MEANING)
    for line in listed.splitlines():
        name, colon, meaning = line.strip().partition(": ")
        if colon and name in signature.parameters:
            explained[name] = meaning
            last = name
        elif line.strip():
            explained[last] += f" {line.strip()}"
    arguments = "\n".join(
        fill(f"{name}: {explained[name]}", 110, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name in signature.parameters
    )
    return f"{summary}\n\nArgs:\n{arguments}\n\nExamples:\n{examples}"
