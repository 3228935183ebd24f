"""Questions: what is asked, as a value, before it meets data.

A question is a kind, such as the median, and its public parameters; asked of a table, also the names of columns. It is
judged and priced by itself, and bound to data last. Functions, methods of a Dataset, groups, ``agg``, engines, ``plan``
and the command line all read this one value: what they may do with it is said by its `Capabilities`, never by its name.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from fractions import Fraction
from functools import partial, wraps
from typing import Any, Concatenate, Literal, ParamSpec, cast

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.numbers.exact import describe
from noisewise.privacy import Loss
from noisewise.privacy.refusals import suggesting
from noisewise.questions.keywords import help_text, judge_call, show, spelled_out, without_defaults
from noisewise.questions.settle import Payable, judge_payer, settle
from noisewise.results.release import Release
from noisewise.tables.time.clock import NO_TIME, TimeRule

P = ParamSpec("P")

Binding = Callable[..., Payable]
"""A question that wants nothing but its data."""

ColumnKind = Literal["column", "label", "matrix", "edges"]
"""What stands in the place of data: numbers, numbers or text, several columns of numbers, or the ends of edges."""

IN_TIME = (date, time, timedelta, np.datetime64, np.timedelta64)

HELD = ("neighbors", "contributions", "ledger")
"""What a Dataset says once, for all its questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a kind of question can do, and of what. Public: everything that rooms around it decide by."""

    data: tuple[str, ...] = ("data",)
    """The names of the arguments that take data."""

    columns: tuple[ColumnKind, ...] = ("column",)
    """What each of them takes, in a table."""

    all_rows: bool = False
    """Whether it may be asked without a column, about all rows."""

    streamed: bool = False
    """Whether counts, sums and order statistics are all that it needs, so that an engine answers it by queries."""

    batched: bool = False
    """Whether all groups are answered at once, by queries that bring none of them here."""

    in_groups: bool = True
    """Whether it can be asked in groups."""

    time: TimeRule = NO_TIME
    """What it means where records are dates, times or durations."""

    parts: Callable[["Question"], Sequence[Any] | None] = lambda question: None
    """The names of the numbers in an answer; None where it is a single one."""

    told_apart_by: tuple[str, ...] = ()
    """The parameters that tell two questions of one name about one column apart."""

    example: str = ""
    """Columns for an example on the command line."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: its name, how it is made of its parameters, and what it can do."""

    name: str
    make: Callable[..., Binding]
    capabilities: Capabilities
    signature: inspect.Signature
    """That of the function: data, parameters and all keywords."""
    help: str
    function: Callable[..., Release] = field(compare=False, repr=False)
    """Data in, one paid and private answer out."""

    @property
    def parameters(self) -> inspect.Signature:
        """All but the data."""
        return self.signature.replace(
            parameters=list(self.signature.parameters.values())[len(self.capabilities.data) :]
        )


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """A kind of question with its parameters, as they were typed, and the columns it is about. All public."""

    kind: Kind
    columns: tuple[Any, ...]
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def can(self) -> Capabilities:
        return self.kind.capabilities

    @property
    def about(self) -> tuple[str, ...]:
        """The names of all columns it is about, one after the other."""
        wide = (given if isinstance(given, (list, tuple)) else [given] for given in self.columns)
        return tuple(str(name) for names in wide for name in names if name is not None)

    @property
    def epsilon(self) -> Any:
        """As it was typed."""
        return self.keywords.get("epsilon")

    @property
    def parts(self) -> tuple[Any, ...] | None:
        """The names of the numbers in its answer; None where it is a single one."""
        names = self.can.parts(self)
        return None if names is None else tuple(names)

    def parameter(self, name: str) -> Any:
        """One of its parameters; its default where it was not said."""
        given = self.kind.parameters.bind_partial(*self.arguments, **self.keywords).arguments
        return given.get(name, self.kind.signature.parameters[name].default)

    def at(self, epsilon: Fraction) -> "Question":
        """The same question with another epsilon."""
        return self.with_keywords(epsilon=epsilon)

    def with_keywords(self, **keywords: Any) -> "Question":
        """The same question with some keywords said otherwise."""
        return replace(self, keywords={**self.keywords, **keywords})

    def judge(self) -> None:
        """Refuse arguments that the question does not take, or the lack of those that it needs."""
        if said := [name for name in HELD if name in self.keywords]:
            raise ParameterTypeError(
                said[0], f"must be said when the Dataset is made, not with {self.name}()"
            ) from None
        given = (*self.columns, *self.arguments)
        signature = column_signature(self.kind)
        judge_call(self.name, signature, given, without_defaults(self.keywords, signature))

    def bind(self, data: Sequence[Any], **held: Any) -> Payable:
        """The question about this data, judged, neither paid nor answered."""
        return self.kind.make(*self.arguments, **self.keywords, **held)(*data)

    def price(self, *, size: int = 0, **held: Any) -> Loss:
        """What an answer costs: judged without data; ``size`` is the number of records where that is public."""
        return self.bind(nothing(self, size), **held).loss

    def __repr__(self) -> str:
        said = [*map(_shown, (*(name for name in self.columns if name is not None), *self.arguments))]
        said += [f"{name}={_shown(value)}" for name, value in self.keywords.items()]
        return f"ask.{self.name}({', '.join(said)})"


def nothing(question: Question, size: int = 0) -> tuple[Any, ...]:
    """Data without a record worth mentioning, of the shape that the question wants."""
    empty = np.broadcast_to(0.0, size)
    columns = question.columns or ((),) * len(question.can.columns)
    shapes: dict[str, Callable[[Any], Any]] = {
        "column": lambda given: empty,
        "label": lambda given: empty,
        "matrix": lambda given: tuple(empty for _ in given) or (empty,),
        "edges": lambda given: [],
    }
    return tuple(shapes[kind](given) for kind, given in zip(question.can.columns, columns, strict=True))


SAID = {"data": "column", "graph": "edges"}
"""What an argument for data is called where it takes the names of columns."""


def column_signature(kind: Kind) -> inspect.Signature:
    """The question's arguments with columns in the place of data, and without what a Dataset holds."""
    places = list(kind.signature.parameters.values())
    default = None if kind.capabilities.all_rows else inspect.Parameter.empty
    for place, name in enumerate(kind.capabilities.data):
        places[place] = places[place].replace(name=SAID.get(name, name), default=default)
    return kind.signature.replace(parameters=[each for each in places if each.name not in HELD])


def question(
    capabilities: Capabilities,
) -> Callable[[Callable[P, Binding]], Callable[Concatenate[Any, P], Release]]:
    """A kind of question about one column, matrix or graph, as a function of data."""
    return lambda make: _function(make, capabilities)


def question_of_two(
    capabilities: Capabilities,
) -> Callable[[Callable[P, Binding]], Callable[Concatenate[Any, Any, P], Release]]:
    """The same of two arguments that take data."""
    return lambda make: _function(make, capabilities)


def of_release(make: Callable[..., Payable], *first: Any, **keywords: Any) -> Binding:
    """A question that ``make`` makes payable, given these and the data."""
    return partial(make, *first, **keywords)


def _function(make: Callable[..., Binding], capabilities: Capabilities) -> Callable[..., Release]:
    """A function that asks: data in, one paid and private answer out. It is registered under its name."""
    signature = spelled_out(make, capabilities.data).replace(return_annotation=Release)
    text = help_text(inspect.getdoc(make) or "", signature)

    @wraps(make)
    def ask(*args: Any, **kwargs: Any) -> Release:
        kwargs = without_defaults(kwargs, signature)
        judge_call(kind.name, signature, args, kwargs)
        _judge_bounds(kwargs.get("bounds"))
        ledger = kwargs.pop("ledger", None)
        judge_payer(ledger)
        count = len(capabilities.data)
        data = (*args[:count], *(kwargs.pop(name) for name in capabilities.data[len(args) :]))
        asked = Question(kind, (), args[count:], kwargs)
        with suggesting(asked.epsilon, lambda epsilon: asked.at(epsilon).bind(data)):
            return settle(asked.bind(data), ledger)

    show(ask, signature, text)
    kind = Kind(make.__name__, make, capabilities, signature, text, ask)
    ask.kind = kind  # type: ignore[attr-defined]
    register(kind)
    return ask


KINDS: dict[str, Kind] = {}
"""Every kind of question there is, by its name. `register` alone adds to it."""


def register(kind: Kind) -> None:
    """Make a kind of question known; a second one of the same name would answer in the place of the first."""
    if kind.name in KINDS:
        raise ParameterError(
            "the name of a question", "must not be taken by another question", got=kind.name
        ) from None
    KINDS[kind.name] = kind


def kind_of(function: Callable[..., Release]) -> Kind:
    """The kind of question that a function asks."""
    return cast("Kind", function.kind)  # type: ignore[attr-defined]


def _judge_bounds(bounds: object) -> None:
    """Say where bounds of time are taken."""
    if isinstance(bounds, (tuple, list)) and bounds and isinstance(bounds[0], IN_TIME):
        raise ParameterTypeError(
            "the lower bound",
            "must be a real number",
            got=describe(bounds[0]),
            fix="dates and times are asked through a Dataset",
        ) from None


def _shown(given: Any) -> str:
    """An argument as it was typed; by its type where it could hold data."""
    if isinstance(given, (tuple, list)):
        shown = ", ".join(map(_shown, given))
        return f"[{shown}]" if isinstance(given, list) else f"({shown}{',' * (len(given) == 1)})"
    return repr(given) if isinstance(given, (date, time, timedelta)) else describe(given)
