"""The keywords that questions take, each written once.

A question declares them as ``**keywords: Unpack[Bounded]``, or with another class below. Type checkers read that class.
From it, `spelled_out` makes the full signature and `help_text` the full help, for readers, editors and ``inspect``.
"""

import inspect
from collections.abc import Callable, Mapping
from datetime import date, time, timedelta
from functools import cache, wraps
from textwrap import fill
from typing import Any, Literal, ParamSpec, Required, TypeAlias, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewise.calls import check_call, without_frames
from noisewise.errors import ParameterTypeError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import Number
from noisewise.kernel.prices import Rho
from noisewise.kernel.settle import Payer
from noisewise.questions.choice import Chosen
from noisewise.tables.totals import PerPerson

P = ParamSpec("P")
Result = TypeVar("Result")

SECTIONS = ("Args", "Returns", "Examples")


Bounds: TypeAlias = (
    tuple[Number, Number]
    | tuple[date, date]
    | tuple[time, time]
    | tuple[timedelta, timedelta]
    | list[Any]
    | NDArray[Any]
)
"""A public range, lowest and highest. If a column of a Dataset holds dates, times or durations, a range of those."""


SomeBounds: TypeAlias = Bounds | tuple[Bounds, Bounds]
"""A public range, or one for each of two columns."""


class Person(TypedDict, total=False):
    """The keywords that say whom a release protects."""

    neighbors: Neighbors
    contributions: int | np.integer[Any]


class Protection(Person, total=False):
    """The keywords that say whom a release protects, and how well: exactly one of ``epsilon`` and ``rho``."""

    epsilon: Number | str | Rho | None
    rho: Number | str | Rho | None


class Drawing(TypedDict, total=False):
    """The keywords that say how an answer is drawn."""

    granularity: Number | timedelta | None
    mechanism: Chosen
    smooth: Number


class Unpriced(Person, Drawing, total=False):
    """All keywords of the release of a statistic, except its price."""

    bounds: SomeBounds | None


class Drawn(Protection, Drawing, total=False):
    """The keywords that say whom a release protects, how well, and how its answer is drawn."""


class Priced(Drawn, total=False):
    """All keywords of the release of a statistic, except the ledger that pays for it."""

    bounds: SomeBounds | None


class PricedOrPrivate(Drawn, total=False):
    """The keywords of `Priced`, if bounds may also be searched for."""

    bounds: SomeBounds | Literal["private"] | None
    bounds_share: Number | str | None


class WithoutMechanism(Protection, total=False):
    """For a question that lets the user choose only the price, whom to protect, and additions to the answer."""

    ledger: Payer | None
    interval: Number | None
    with_count: bool | Number | str


class Signed(TypedDict, total=False):
    """The keyword of counts and sums that may be below 0."""

    signed: bool


class Noised(Protection, total=False):
    """All keywords of a release by Laplace noise, except the ledger that pays for it."""

    granularity: Number | timedelta | None
    bounds: SomeBounds | None


class OfPeople(TypedDict, total=False):
    """The keyword of questions about one record for each person."""

    per_person: PerPerson | None


class BoundedByNoise(WithoutMechanism, OfPeople, total=False):
    """For a question about records between known bounds, answered by Laplace noise."""

    granularity: Number | timedelta | None
    bounds: Required[Bounds]


class Unbounded(WithoutMechanism, Drawing, total=False):
    """For a question whose answers have a public range of their own."""


class Bounded(Unbounded, total=False):
    """For a question about records between known bounds."""

    bounds: Required[Bounds]


class BoundedColumn(Bounded, OfPeople, total=False):
    """For a question about one column between known bounds."""


class BoundedOrPrivate(Unbounded, OfPeople, total=False):
    """For a question about records between bounds that are known, or searched for."""

    bounds: Required[Bounds | Literal["private"]]
    bounds_share: Number | str | None


class BoundedByColumn(Unbounded, total=False):
    """For a question about several columns: one pair of bounds for all of them, or one for each."""

    bounds: Required[Bounds | tuple[Bounds, ...] | list[Bounds]]


class Counts(WithoutMechanism, Signed, total=False):
    """For a question about counts, if the user cannot choose the mechanism."""


class UnboundedCount(Unbounded, Signed, total=False):
    """For a question about one count."""


class SignedSum(BoundedOrPrivate, Signed, total=False):
    """For a question about a sum."""


class Matrix(WithoutMechanism, total=False):
    """For a question about several columns, if the user cannot choose the granularity."""

    bounds: Required[Bounds | tuple[Bounds, ...]]
    mechanism: Chosen


DEFAULTS = {
    "bounds": None,
    "epsilon": None,
    "rho": None,
    "granularity": None,
    "neighbors": "add_remove",
    "contributions": 1,
    "mechanism": "auto",
    "smooth": 0,
    "signed": False,
    "per_person": None,
    "ledger": None,
    "bounds_share": None,
    "interval": None,
    "with_count": False,
}
"""The keywords in their order, with their defaults. A default counts only if the keyword is not required."""

MEANING = {
    "data": "A one-dimensional array, list or series of numbers. Missing values are left out under add/remove. In a "
    'list, anything that is no number counts as missing, text such as ``"41"`` too.',
    "bounds": "The lowest and highest possible value, known without looking at the data. Records outside are clamped.",
    "epsilon": "The privacy loss of this release, above 0 and at most 64. Smaller is more private and less accurate.",
    "rho": "The privacy loss in zero-concentrated differential privacy, in place of epsilon: above 0 and at most 64. "
    "In a budget that counts rho, answers with Gaussian noise are more accurate at the same price.",
    "granularity": "The spacing of possible answers. By default a fine power of two; for order statistics and sums 1 "
    "between bounds typed as whole numbers at least 2 apart. If many records share the same values, a coarser step "
    "gives more accurate answers.",
    "neighbors": '``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.',
    "contributions": "The most records one person can have; you guarantee this.",
    "mechanism": '``"auto"``, a mechanism\'s name, or a mechanism such as ``PiecewiseLaplace(epsilon=1)``.',
    "smooth": 'With ``mechanism="piecewise_laplace"`` or ``"inverse_sensitivity"``: a public width, in the unit of the '
    "answer. All answers this close to the true one are equally likely.",
    "signed": "Whether negative numbers stay as they are drawn, so that answers are right on average, and sums of many "
    "of them are, too. By default counts, and sums of numbers that are not negative, end at 0.",
    "per_person": 'With a Dataset that has a unit: ``"sum"``, ``"mean"``, ``"max"``, ``"min"`` or ``"count"`` makes '
    "one record of all rows of a person before the question is asked. Bounds and granularity are those of this record.",
    "ledger": "Where the loss is paid from, before the data is read: any object with a ``debit`` method.",
    "bounds_share": 'If nobody knows bounds, ``bounds="private"`` finds them for this part of epsilon, by default a '
    "quarter. The value is None where there is too little data to find any.",
    "interval": "With what probability ``interval`` of the answer, a pair of numbers, holds the true answer, such as "
    "0.95; none is given by default. It costs nothing where the noise is public, as that of counts and sums, and else "
    "half of epsilon. It is refused where no such interval is known.",
    "with_count": "``True`` releases how many records took part as well, as ``count`` of the answer, for a tenth of "
    "epsilon; or say another share of it, such as 0.2. The receipt then says where so few took part that the answer "
    "says little. Under swap the number of records is public, and it is refused.",
}


SEARCHED = ("contributions_share", "contributions_quantile", "contributions_most")
"""The keywords of a Dataset that say how ``contributions="private"`` are found."""


def without_defaults(kwargs: Mapping[str, Any], signature: inspect.Signature) -> dict[str, Any]:
    """The keywords of a call, without common keywords that the question does not take and that have their default."""
    return {
        name: value
        for name, value in kwargs.items()
        if name in signature.parameters
        or name not in DEFAULTS
        or not (value is None or _same(value, DEFAULTS[name]))
    }


def _same(value: object, default: object) -> bool:
    """Whether a keyword has its default value. An array compares element by element, and is no default."""
    same: object = value == default
    return isinstance(same, (bool, np.bool_)) and bool(same)


def spelled_out(function: Callable[..., Any], data: tuple[str, ...] = ()) -> inspect.Signature:
    """The signature of a question: its data, its own arguments, and the keywords that ``**keywords`` stands for."""
    signature = inspect.signature(function)
    *own, keywords = signature.parameters.values()
    (declared,) = keywords.annotation.__args__
    own = [each.replace(annotation=inspect.Parameter.empty) for each in own]  # unions would fill the screen
    positional = [each for each in own if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    named = {each.name: each for each in own[len(positional) :]}
    keys = declared.__required_keys__ | declared.__optional_keys__
    common = [_keyword(name, declared) for name in DEFAULTS if name in keys]
    named = {each.name: each for each in common} | named
    ordered = sorted(named.values(), key=lambda each: [*DEFAULTS, each.name].index(each.name))
    first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in data]
    return signature.replace(parameters=[*first, *positional, *ordered])


def _keyword(name: str, declared: Any) -> inspect.Parameter:
    """A common keyword as a typed dictionary declares it."""
    default = inspect.Parameter.empty if name in declared.__required_keys__ else DEFAULTS[name]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)


def with_full_signature(function: Callable[P, Result]) -> Callable[P, Result]:
    """Show all keywords of a function that takes ``**keywords: Unpack[...]`` in its signature and in its help."""
    signature = spelled_out(function)

    @without_frames
    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> Result:
        check_call(function.__name__, signature, args, kwargs)
        return function(*args, **kwargs)

    show(call, signature, help_text(inspect.getdoc(function) or "", signature))
    return call


def with_open_signature(function: Callable[..., Result]) -> Callable[..., Result]:
    """Do the same for a function that also takes the arguments of a question. The question checks its keywords."""
    signature = spelled_out(function)
    needed = [
        name
        for name, each in signature.parameters.items()
        if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and each.default is inspect.Parameter.empty
    ]

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Result:
        if missing := [name for name in needed[len(args) :] if name not in kwargs]:
            raise ParameterTypeError(
                f"{function.__name__}()", f"missing a required argument: '{missing[0]}'"
            ) from None
        return function(*args, **kwargs)

    show(call, signature, help_text(inspect.getdoc(function) or "", signature))
    return call


def show(function: Callable[..., Any], signature: inspect.Signature, text: str) -> None:
    """Let ``help`` and ``inspect`` see this signature and this text."""
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__doc__ = text
    del function.__wrapped__  # type: ignore[attr-defined]  # unwrapping would show the short signature


def meanings(
    text: str, signature: inspect.Signature, shared: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The meaning of each argument: from the help of the question, or else from ``shared``, or else from `MEANING`."""
    texts, last = {**MEANING, **(shared or {})}, ""
    for line in section(text, "Args").splitlines():
        name, colon, meaning = line.strip().partition(": ")
        if colon and name in signature.parameters:
            texts[name] = meaning
            last = name
        elif line.strip():
            texts[last] += f" {line.strip()}"
    return {name: texts[name] for name in signature.parameters}


def help_text(
    text: str, signature: inspect.Signature, shared: Mapping[str, str] | None = None, example: str = ""
) -> str:
    """The question's own text with every argument explained, and an example."""
    return in_sections(
        summary(text),
        Args=listed(meanings(text, signature, shared)),
        Returns=section(text, "Returns"),
        Examples=section(text, "Examples") or example,
    )


def summary(text: str) -> str:
    """The part of a help text above its sections."""
    for name in SECTIONS:
        text = text.partition(f"\n\n{name}:\n")[0]
    return text


def section(text: str, name: str) -> str:
    """One section of a help text; empty if there is none. "Returns" is left out on the command line."""
    body = text.partition(f"\n\n{name}:\n")[2]
    for other in SECTIONS:
        body = body.partition(f"\n\n{other}:\n")[0]
    return body


def in_sections(opening: str, **sections: str) -> str:
    """A help text, without sections that are empty."""
    return "\n\n".join([opening, *(f"{name}:\n{text}" for name, text in sections.items() if text)])


def listed(meaning: Mapping[str, str]) -> str:
    """Arguments and what they mean, as help lists them."""
    return "\n".join(_wrapped(f"{name}: {text}") for name, text in meaning.items())


@cache  # most arguments mean the same in many questions
def _wrapped(text: str) -> str:
    return fill(text, 110, initial_indent=" " * 4, subsequent_indent=" " * 8)
