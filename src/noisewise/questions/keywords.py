"""The keywords that questions take, written once.

A question declares them as ``**keywords: Unpack[Bounded]`` or by another class below. `spelled_out` and `help_text`
give it the full signature and the full help, so that a reader, an editor and ``inspect`` all see every keyword.
"""

import inspect
from collections.abc import Callable, Mapping
from datetime import timedelta
from difflib import get_close_matches
from textwrap import fill
from typing import Any, Literal, Required, TypedDict, get_type_hints

import numpy as np

from noisewise.columns import Neighbors
from noisewise.errors import ParameterTypeError
from noisewise.mechanisms import Chosen
from noisewise.numbers.exact import Number
from noisewise.numbers.lattice import Bounds
from noisewise.questions.settle import Payer

SECTIONS = ("Args", "Returns", "Examples")

SIMILAR = 0.8
"""A keyword is taken for a misspelt one from here on."""


class WithoutMechanism(TypedDict, total=False):
    """Where there is nothing to choose but the price and whom to protect."""

    epsilon: Required[Number]
    neighbors: Neighbors
    contributions: int | np.integer[Any]
    ledger: Payer | None


class Unbounded(WithoutMechanism, total=False):
    """Where the range of the answer is public by itself."""

    granularity: Number | timedelta | None
    mechanism: Chosen


class Bounded(Unbounded, total=False):
    """Where records need bounds that somebody knows."""

    bounds: Required[Bounds]


class BoundedOrPrivate(Unbounded, total=False):
    """Where records need bounds, known or to be searched for."""

    bounds: Required[Bounds | Literal["private"]]
    bounds_share: Number | str | None


class BoundedByColumn(Unbounded, total=False):
    """Where several columns need bounds, the same for all or a pair for each."""

    bounds: Required[Bounds | tuple[Bounds, ...] | list[Bounds]]


class Matrix(WithoutMechanism, total=False):
    """The same where the spacing of answers is not for the user to choose."""

    bounds: Required[Bounds | tuple[Bounds, ...]]
    mechanism: Chosen


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
    "between bounds typed as whole numbers at least 2 apart. If many records share the same values, a coarser step "
    "gives more accurate answers.",
    "neighbors": '``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.',
    "contributions": "The most records one person can have; you guarantee this.",
    "mechanism": '``"auto"``, a mechanism\'s name, or a mechanism such as ``PiecewiseLaplace(epsilon=1)``.',
    "ledger": "Where the loss is paid from, before the data is read: any object with a ``debit`` method.",
    "bounds_share": 'If nobody knows bounds, ``bounds="private"`` finds them for this part of epsilon, by default a '
    "quarter. The value is None where there is too little data to find any.",
}


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
        mistake = _mistake(str(error), kwargs, signature)
    else:
        return
    raise ParameterTypeError(f"{name}()", mistake) from None


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


def spelled_out(function: Callable[..., Any], data: tuple[str, ...]) -> inspect.Signature:
    """The signature of a question: its data, its own arguments, and what ``**keywords`` stands for."""
    signature = inspect.signature(function)
    *own, keywords = signature.parameters.values()
    (declared,) = keywords.annotation.__args__
    types = get_type_hints(declared)
    common = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in DEFAULTS.items()
        if name in types
    ]
    first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in data]
    own = [each.replace(annotation=inspect.Parameter.empty) for each in own]  # unions would fill the screen
    positional = [each for each in own if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    parameters = [*first, *positional, *common, *own[len(positional) :]]
    return inspect.Signature(parameters, return_annotation=signature.return_annotation)


def meanings(text: str, signature: inspect.Signature) -> dict[str, str]:
    """What each argument means: as the question says itself, else as all questions do."""
    listed = section(text, "Args")
    found, last = dict(MEANING), ""
    for line in listed.splitlines():
        name, colon, meaning = line.strip().partition(": ")
        if colon and name in signature.parameters:
            found[name] = meaning
            last = name
        elif line.strip():
            found[last] += f" {line.strip()}"
    return {name: found[name] for name in signature.parameters}


def help_text(text: str, signature: inspect.Signature) -> str:
    """The question's own text with every argument explained, those that all questions share among them."""
    explained = listed(meanings(text, signature))
    return in_sections(
        summary(text), Args=explained, Returns=section(text, "Returns"), Examples=section(text, "Examples")
    )


def summary(text: str) -> str:
    """What a question is about: its help above all sections."""
    for name in SECTIONS:
        text = text.partition(f"\n\n{name}:\n")[0]
    return text


def section(text: str, name: str) -> str:
    """One section of a help text; empty where there is none. What Python alone can use stands in "Returns"."""
    found = text.partition(f"\n\n{name}:\n")[2]
    for other in SECTIONS:
        found = found.partition(f"\n\n{other}:\n")[0]
    return found


def in_sections(opening: str, **sections: str) -> str:
    """A help text, without sections that are empty."""
    return "\n\n".join([opening, *(f"{name}:\n{text}" for name, text in sections.items() if text)])


def listed(meaning: Mapping[str, str]) -> str:
    """Arguments and what they mean, as help lists them."""
    return "\n".join(
        fill(f"{name}: {text}", 110, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, text in meaning.items()
    )
