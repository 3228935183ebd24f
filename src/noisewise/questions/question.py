"""Questions: a question as a value, before it meets data.

A question is a kind, such as the median, with its public parameters. A question about a table also has the names of
columns. It is checked and priced without data, and bound to data last. Functions, methods of a Dataset, groups,
``agg``, engines, ``plan`` and the command line all read this value. The question's `Capabilities` say what they may do
with it. They never look at its name.
"""

import inspect
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping, Sequence, Sized
from dataclasses import dataclass, field, fields, replace
from datetime import date, time, timedelta
from fractions import Fraction
from functools import partial, wraps
from importlib import import_module
from typing import Any, Concatenate, Literal, ParamSpec, cast

import numpy as np

from noisewise.calls import check_call, without_frames
from noisewise.errors import ParameterError, ParameterTypeError, Words
from noisewise.kernel.forks import IMPORTING
from noisewise.kernel.losses import Loss
from noisewise.kernel.mechanisms import Balance, Mechanism
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.prices import Price, Rho, for_each
from noisewise.kernel.settle import settle
from noisewise.ledger.refusals import Suggesting
from noisewise.questions.choice import for_one_record
from noisewise.questions.keywords import help_text, show, spelled_out, without_defaults
from noisewise.questions.kinds import MODULES
from noisewise.questions.noise_interval import bound
from noisewise.questions.payable import Payable, WithNotes, check_payer, mechanism_for, once
from noisewise.questions.remembered import remembered
from noisewise.questions.terms import EPSILON_OR_RHO, price_of, with_one_price
from noisewise.questions.with_count import no_records, with_count
from noisewise.results.release import Release
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.columns.watched import Witness
from noisewise.tables.time.clock import NO_TIME, TimeRule
from noisewise.tables.totals import RULES, Total

P = ParamSpec("P")

Binding = Callable[..., Payable]
"""A question that lacks only its data."""

ColumnKind = Literal["column", "label", "matrix", "cells", "edges"]
"""The data that an argument takes, in this order: a column of numbers, a column of numbers or text, several columns of
numbers, several columns of text or numbers, or the ends of edges."""

POINTS_IN_TIME = (date, time, timedelta, np.datetime64, np.timedelta64)

DATASET_KEYWORDS = ("neighbors", "contributions", "ledger")
"""Keywords that a Dataset is given once for all questions."""

OF_FACTS = ("bounds", "categories")
"""Parameters that facts about the columns of a Dataset may say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """The abilities of a kind of question, and the data it takes. All is public. Other code decides by this alone."""

    data: tuple[str, ...] = ("data",)
    """The names of the arguments that take data."""

    columns: tuple[ColumnKind, ...] = ("column",)
    """The kind of columns that each of these arguments takes from a table."""

    all_rows: bool = False
    """Whether it may be asked without a column, about all rows."""

    bounds_of_each: bool = False
    """Whether its bounds may be those of each of several columns."""

    people: bool = False
    """Whether it counts people: one record of each takes part, and only a table with a unit names them."""

    counts_records: bool = False
    """Whether its answer says how many records took part, so that a count beside it would say little more."""

    streamed: bool = False
    """Whether an engine can answer it by queries: it needs only counts, sums and order statistics, of a column or of
    formulas over the rows of several columns."""

    whole_columns: Callable[["Question"], str] = lambda question: ""
    """The parameters for which it needs whole columns after all, in words; empty if it does not need them."""

    batched: bool = False
    """Whether groups are answered by queries about all of them at once, so that no group is loaded into memory."""

    in_groups: bool = True
    """Whether it can be asked in groups."""

    indicator: Callable[["Question"], Indicator | None] = lambda question: None
    """Which records of a column of any type count as ones; None if it is about numbers."""

    compares: Callable[["Question"], bool] = lambda question: False
    """Whether it compares records with categories, which may be text, and does not read records as numbers."""

    time: TimeRule = NO_TIME
    """How it treats records that are dates, times or durations."""

    asks_whether_true: bool = False
    """Whether it asks which records are true. A text file may say so in words, or as 1 and 0."""

    value_names: Callable[["Question"], Sequence[object] | None] = lambda question: None
    """The names of the numbers in an answer; None if the answer is a single number."""

    means: Callable[["Question"], "Question | None"] = lambda question: None
    """The same question as the library asks it, if it was asked as other libraries have it; None if it was not."""

    distinguished_by: tuple[str, ...] = ()
    """The parameters in which two questions of one name about one column can differ."""

    meanings: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The meanings of arguments that several questions share, which their own help leaves out."""

    example: str = ""
    """Columns for an example on the command line."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: its name, the function that makes it from parameters, and what it can do."""

    name: str
    make: Callable[..., Binding]
    capabilities: Capabilities
    signature: inspect.Signature
    """Of the function: data, parameters and all keywords."""
    help: str
    function: Callable[..., Release] = field(compare=False, repr=False)
    """Data in, one paid and private answer out."""

    @property
    def parameters(self) -> inspect.Signature:
        """The signature without the data."""
        return self.signature.replace(
            parameters=list(self.signature.parameters.values())[len(self.capabilities.data) :]
        )


@dataclass(frozen=True, repr=False)
class Question:
    """A kind of question, its parameters as they were typed, and its columns. All is public."""

    kind: Kind
    columns: tuple[Any, ...]
    arguments: tuple[object, ...]
    keywords: Mapping[str, object]

    def __post_init__(self) -> None:
        if (meant := self.can.means(self)) is not None:
            for each in fields(self):
                object.__setattr__(self, each.name, getattr(meant, each.name))

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def can(self) -> Capabilities:
        return self.kind.capabilities

    @property
    def about(self) -> tuple[str, ...]:
        """The names of all columns that the question is about, in order."""
        lists = (given if isinstance(given, (list, tuple)) else [given] for given in self.columns)
        return tuple(str(name) for names in lists for name in names if name is not None)

    @property
    def typed_price(self) -> object:
        """The price as it was typed: an epsilon, a rho as `Rho`, or None. Raises if both were typed."""
        epsilon, rho = self.keywords.get("epsilon"), self.keywords.get("rho")
        return None if epsilon is None and rho is None else price_of(epsilon, rho)

    @property
    def streamed(self) -> bool:
        """Whether an engine answers the question by queries."""
        return self.can.streamed and not self.can.whole_columns(self)

    @property
    def value_names(self) -> tuple[object, ...] | None:
        """The names of the numbers in the answer; None if the answer is a single number."""
        names = self.can.value_names(self)
        return None if names is None else tuple(names)

    def parameter(self, name: str) -> Any:
        """The value of a parameter, or its default. Wrong values of other parameters do not matter."""
        parameters = self.kind.parameters.parameters
        given = dict(zip(parameters, self.arguments, strict=False)) | dict(self.keywords)
        return given.get(name, parameters[name].default)

    def with_parameter(self, name: str, value: object) -> "Question":
        """The same question with another value of one parameter. A positional parameter stays positional."""
        place = list(self.kind.parameters.parameters).index(name)
        if place < len(self.arguments):
            return replace(self, arguments=(*self.arguments[:place], value, *self.arguments[place + 1 :]))
        return self.with_keywords(**{name: value})

    def at(self, price: Price) -> "Question":
        """The same question at another price."""
        name, other = ("rho", "epsilon") if isinstance(price, Rho) else ("epsilon", "rho")
        kept = {key: value for key, value in self.keywords.items() if key != other}
        return replace(self, keywords={**kept, name: price})

    def for_one_record(self, records: int, per_group: int | None, max_groups: int | None) -> "Question":
        """The same question at the price of one of a person's ``records``.

        At most ``per_group`` of them are in one group, and they are in at most ``max_groups``.
        """
        if records == 1:
            return self
        mechanism = self.keywords.get("mechanism", "auto")
        if isinstance(mechanism, (Balance, Mechanism)):
            mechanism = for_one_record(mechanism, records)
        given = {"mechanism": mechanism} if "mechanism" in self.keywords else {}
        return self.at(for_each(self._price, records, per_group, max_groups)).with_keywords(**given)

    @property
    def _price(self) -> Price:
        """The price that was typed. Raises unless it is exactly one."""
        return price_of(self.keywords.get("epsilon"), self.keywords.get("rho"))

    def with_keywords(self, **keywords: object) -> "Question":
        """The same question with other values of some keywords."""
        return replace(self, keywords={**self.keywords, **keywords})

    def paid_from(self, ledger: object) -> "Question":
        """The same question. If its mechanism is "auto", the choice considers what the budget of this ledger counts."""
        if "mechanism" not in self.kind.signature.parameters:
            return self
        chosen = self.keywords.get("mechanism", "auto")
        meant = mechanism_for(chosen, ledger)
        return self if meant is chosen else self.with_keywords(mechanism=meant)

    def check(self, *, priced: bool = True) -> None:
        """Raise if an argument is unknown or missing. If ``priced`` is False, the price may be missing, and what facts
        about the columns may say."""
        if "_is_right" in vars(self):
            return
        if misplaced := [name for name in DATASET_KEYWORDS if name in self.keywords]:
            raise ParameterTypeError(
                misplaced[0], f"must be said when the Dataset is made, not with {self.name}()"
            ) from None
        given = (*self.columns, *self.arguments)
        signature = column_signature(self.kind)
        keywords = without_defaults(self.keywords, signature)
        if not priced:
            said = [name for name in OF_FACTS if name in signature.parameters]
            keywords |= {name: None for name in said if self.parameter(name) is inspect.Parameter.empty}
        check_call(self.name, signature, given, keywords)
        assert self.total is None or self.total, "per_person is right"
        if priced:
            assert self._price, "there is one price"
            vars(self)["_is_right"] = True

    def bind(self, data: Sequence[object], **terms: object) -> Payable:
        """The question about this data. Its parameters are checked, nothing is paid, and no record is read."""
        without_data = self._without_data(tuple(terms.items()))
        if without_data is not None:
            return without_data(*data)

        def make(data: Sequence[object], **keywords: Any) -> Payable:
            return bound(lambda **own: self.kind.make(*self.arguments, **own)(*data), keywords)

        return with_count(make, tuple(data), self._watched, **self._given, **terms)

    @once
    def _given(self) -> Mapping[str, Any]:
        """The keywords, with the price as ``epsilon``, without those that the question does not take. Tables read
        ``per_person``."""
        keywords = {name: given for name, given in self.keywords.items() if name != "per_person"}
        return without_defaults(with_one_price(keywords), self.kind.signature)

    @property
    def total(self) -> Total | None:
        """How all rows of a person become one record. None if each row is a record."""
        rule = self.keywords.get("per_person")
        if rule is None:
            return None
        if not isinstance(rule, str) or rule not in RULES:
            raise ParameterError("per_person", ("must be ", Words(*RULES)), got=describe(rule)) from None
        bounds = self.keywords.get("bounds")
        if isinstance(bounds, str) and bounds == "private":
            raise ParameterError(
                "bounds",
                "must be a pair with per_person",
                got=Words("private"),
                why="the bounds of a person's record say how finely rows are added up",
            ) from None
        return Total(rule)

    def _without_data(self, terms: tuple[tuple[str, object], ...]) -> Binding | None:
        """A function from data to the question about it, made once. None if a count or an interval is asked for."""
        made: dict[object, Binding | None] = vars(self).setdefault("_made", {})
        if terms not in made:
            keywords = dict(self._given)
            interval, count = keywords.pop("interval", None), keywords.pop("with_count", False)
            alone = interval is None and (count is None or count is False)
            alone &= not isinstance(keywords["epsilon"], Rho)  # noise on sums may answer in its place
            made[terms] = self.kind.make(*self.arguments, **keywords, **dict(terms)) if alone else None
        return made[terms]

    def _watched(self, data: tuple[object, ...], witness: Witness) -> tuple[object, ...]:
        """The data with a witness that counts the records. Raises for a graph, which has no records."""
        if "edges" in self.can.columns:
            raise no_records(self.name) from None
        if "cells" in self.can.columns:
            raise no_records(self.name, "its total says how many took part") from None
        return witness.data(data, self.can.columns, self.indicator)

    @once
    def indicator(self) -> Indicator | None:
        """Which records of a column of any type count as ones; None if the question is about numbers."""
        return self.can.indicator(self)

    def notes_on(self, data: Sequence[object]) -> tuple[str, ...]:
        """The notes on the receipt about data without a declared type. Bind the question to this data first."""
        notes = notes_on(data, self.can.columns, self.indicator)
        return () if notes and self.can.compares(self) else notes

    def price(self, *, size: int = 0, **terms: object) -> Loss:
        """The loss of an answer. No data is needed. ``size`` is the number of records, if that is public."""
        return self.bind(empty_data(self, size), **terms).loss

    def __repr__(self) -> str:
        shown = [*map(_shown, (*(name for name in self.columns if name is not None), *self.arguments))]
        given = {name: value for name, value in self.keywords.items() if name != "rho" or value is not None}
        shown += [f"{name}={_shown(value)}" for name, value in given.items()]
        return f"ask.{self.name}({', '.join(shown)})"


def empty_data(question: Question, size: int = 0) -> tuple[object, ...]:
    """Data that fits the question: columns of zeros, or a graph without edges."""
    zeros: Any = np.broadcast_to(0.0, size)
    if question.can.indicator(question) is not None or "label" in question.can.columns:
        zeros = [0.0] * size  # a list also fits questions about labels of any kind
    columns = question.columns or ((),) * len(question.can.columns)
    if question.can.columns == ("cells",):
        return (([0] * size,) * max(_width(question.parameter("categories")), 1),)
    return tuple(
        [] if kind == "edges" else (zeros,) * max(_width(given), 1) if kind == "matrix" else zeros
        for kind, given in zip(question.can.columns, columns, strict=True)
    )


def _width(columns: object) -> int:
    return len(columns) if isinstance(columns, Sized) else 1


COLUMN_ARGUMENTS = {"data": "column", "graph": "edges"}
"""The names of arguments for data, and their names if they take names of columns."""


def column_signature(kind: Kind) -> inspect.Signature:
    """The signature of a method: names of columns in place of data, and no keywords of a Dataset."""
    parameters = list(kind.signature.parameters.values())
    default = None if kind.capabilities.all_rows else inspect.Parameter.empty
    for index, name in enumerate(kind.capabilities.data):
        parameters[index] = parameters[index].replace(name=COLUMN_ARGUMENTS.get(name, name), default=default)
    return kind.signature.replace(
        parameters=[each for each in parameters if each.name not in DATASET_KEYWORDS]
    )


def question(
    capabilities: Capabilities,
) -> Callable[[Callable[P, Binding]], Callable[Concatenate[Any, P], Release]]:
    """A decorator that makes a kind of question about one column, matrix or graph into a function of data."""
    return lambda make: _function(make, capabilities)


def question_of_two(
    capabilities: Capabilities,
) -> Callable[[Callable[P, Binding]], Callable[Concatenate[Any, Any, P], Release]]:
    """The same decorator for a function with two arguments that take data."""
    return lambda make: _function(make, capabilities)


def of_release(make: Callable[..., Payable], *first: object, **keywords: object) -> Binding:
    """A question that ``make`` makes of these arguments and the data."""
    return partial(make, *first, **keywords)


def _function(make: Callable[..., Binding], capabilities: Capabilities) -> Callable[..., Release]:
    """Make and register the function that asks a question: it takes data and returns one paid and private answer."""
    signature = spelled_out(make, capabilities.data).replace(return_annotation=Release)
    example = f"    >>> nws.{make.__name__}(incomes, bounds=(0, 1_000_000), epsilon=1.0)"
    text = help_text(inspect.getdoc(make) or "", signature, capabilities.meanings, example)

    count, not_own = len(capabilities.data), {*capabilities.data, "ledger"}
    known: dict[Hashable, Question] = {}

    def checked(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Question:
        """The question that a call asks. Raises if the call is wrong."""
        kwargs = without_defaults(kwargs, signature)
        check_call(kind.name, signature, args, kwargs)
        _check_bounds(kwargs.get("bounds"))
        if capabilities.people or kwargs.get("per_person") is not None:
            raise ParameterError(
                kind.name if capabilities.people else "per_person",
                "must be asked of a Dataset with a unit",
                why="only it tells how many different persons there are"
                if capabilities.people
                else "only it tells which rows belong to one person",
                fix="Dataset(frame, unit=...) has it as a method",
            ) from None
        own = {name: value for name, value in kwargs.items() if name not in not_own}
        return Question(kind, (), args[count:], own)

    @without_frames
    @wraps(make)
    def ask(*args: Any, **kwargs: Any) -> Release:
        own = {name: value for name, value in kwargs.items() if name not in not_own}
        named = tuple(name for name in capabilities.data if name in kwargs)
        question = remembered(known, (len(args[:count]), named, args[count:]), own, checked, args, kwargs)
        data = (*args[:count], *(kwargs[name] for name in named))
        if (ledger := kwargs.get("ledger")) is None:
            return settle(_noted(question, data), None)
        check_payer(ledger)
        question = question.paid_from(ledger)
        with Suggesting(question.typed_price, lambda price: question.at(price).bind(data)):
            return settle(_noted(question, data), ledger)

    show(ask, signature, text)
    kind = Kind(make.__name__, make, capabilities, signature, text, ask)
    ask.kind = kind  # type: ignore[attr-defined]
    KINDS[kind.name] = kind
    return ask


def _noted(question: Question, data: tuple[object, ...]) -> Payable:
    """The question about this data. The receipt says so if a Python list was read as numbers."""
    payable, notes = question.bind(data), question.notes_on(data)
    return WithNotes(payable, notes) if notes else payable


class Kinds(MutableMapping[str, Kind]):
    """Every kind of question by its name. The module of a kind is imported when the kind is first asked for."""

    def __init__(self) -> None:
        self._registered: dict[str, Kind] = {}

    def __getitem__(self, name: str) -> Kind:
        if name not in self._registered and name in MODULES:
            with IMPORTING:
                import_module(_module(name))
        return self._registered[name]

    def __contains__(self, name: object) -> bool:
        return name in self._registered or name in MODULES

    def __iter__(self) -> Iterator[str]:
        return iter({**MODULES, **self._registered})

    def __len__(self) -> int:
        return len({**MODULES, **self._registered})

    def __setitem__(self, name: str, kind: Kind) -> None:
        """Register a kind. A second kind of the same name is refused, as it would answer in place of the first."""
        elsewhere = name in MODULES and kind.make.__module__ != _module(name)
        if name in self._registered or elsewhere:
            raise ParameterError(
                "the name of a question", "must not be taken by another question", got=name
            ) from None
        self._registered[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._registered[name]


def _module(name: str) -> str:
    return f"noisewise.questions.functions.{MODULES[name]}"


KINDS = Kinds()


def kind_of(function: Callable[..., Release]) -> Kind:
    """The kind of question that a function asks."""
    return cast("Kind", function.kind)  # type: ignore[attr-defined]


def _check_bounds(bounds: object) -> None:
    """Raise if bounds are dates or times. The message says that a Dataset takes them."""
    if isinstance(bounds, (tuple, list)) and bounds and isinstance(bounds[0], POINTS_IN_TIME):
        raise ParameterTypeError(
            "the lower bound",
            "must be a real number",
            got=describe(bounds[0]),
            fix="dates and times are asked through a Dataset",
        ) from None


def _shown(given: object) -> str:
    """An argument as it was typed. If it could hold data, only its type is shown."""
    if isinstance(given, Rho):
        return str(given)
    if isinstance(given, (tuple, list)):
        shown = ", ".join(map(_shown, given))
        return f"[{shown}]" if isinstance(given, list) else f"({shown}{',' * (len(given) == 1)})"
    return repr(given) if isinstance(given, (date, time, timedelta)) else describe(given)


def price_of_all(epsilon: object, rho: object, shares: object) -> Price | None:
    """The price that `agg` was given for all questions together; None if each question has its own."""
    for name, given in (("epsilon", epsilon), ("rho", rho), ("shares", shares)):
        if isinstance(given, Question):
            raise ParameterError(
                "answers", "must have another name than an argument of agg", got=repr(name)
            ) from None
    return None if epsilon is None and rho is None else price_of(epsilon, rho)


def priced(questions: Mapping[str, Question], price: Price | None, shares: object) -> dict[str, Question]:
    """The questions of `agg`, each with a price: its own, or its part of the price of `agg`."""
    parts = parts_of({name: question.typed_price for name, question in questions.items()}, price, shares)
    return {
        name: question if parts is None else question.at(parts[name]) for name, question in questions.items()
    }


def parts_of(
    own: Mapping[str, object], price: Price | None, shares: object, caller: str = "agg"
) -> dict[str, Price] | None:
    """Divide one price among questions. Return None if each question has a price of its ``own`` instead."""
    without = [name for name, price in own.items() if price is None]
    if price is None and shares is not None:
        raise ParameterError("shares", "must be left out where there is no price to share") from None
    if price is None and without:
        raise ParameterError(
            EPSILON_OR_RHO,
            f"must be given to {caller}, for all questions together, or in each",
            got=f"none for {without[0]}",
        ) from None
    if price is None:
        return None
    if priced_too := [name for name in own if name not in without]:
        raise ParameterError(
            EPSILON_OR_RHO,
            f"must be given to {caller}, for all questions together, or in each, and not both",
            got=f"one for {priced_too[0]} too",
        ) from None
    parts = dict.fromkeys(own, Fraction(1)) if shares is None else _parts(own, shares)
    whole = sum(parts.values())
    return {name: price * (part / whole) for name, part in parts.items()}


def _parts(questions: Mapping[str, object], shares: object) -> dict[str, Fraction]:
    """The shares of the questions as exact numbers. Raises unless each question has a share above 0."""
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


NOTE_ON_LISTS = "whatever is not a number counts as missing"
"""The note on data that may hold anything."""


def notes_on(data: Sequence[object], columns: Sequence[str], indicator: Indicator | None) -> tuple[str, ...]:
    """The note on a receipt if data is a Python list, which declares no type.

    Text in a list counts as missing. An error that says so would depend on a record. So the receipt of every list that
    is read as numbers says it, whatever the list holds. A list that is compared with categories may hold text, so its
    receipt says nothing.
    """
    if indicator is not None and indicator.category is not None:
        return ()
    return (NOTE_ON_LISTS,) if any(map(_is_list, data, columns)) else ()


def _is_list(data: object, column: str) -> bool:
    """Whether data is a list of numbers, or has several columns of which at least one is such a list."""
    if column == "matrix" and isinstance(data, tuple):
        return any(isinstance(each, (list, tuple)) for each in data)
    return column in ("column", "label", "matrix") and isinstance(data, (list, tuple))
