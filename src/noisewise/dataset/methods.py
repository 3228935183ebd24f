"""Methods made of functions: a question about data becomes the same question about the columns of a table.

``median = about_column(functions.median)`` in a class gives it a method that takes a column's name where the function
takes data, and the function's other arguments. The keywords that a Dataset holds (`HELD`) are left out. The class
decides in ``_ask`` what to do with an `Inquiry`.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, time, timedelta
from fractions import Fraction
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec

from noisewise.errors import ParameterTypeError, SchemaError
from noisewise.numbers.exact import describe
from noisewise.questions.asking import Wrapped
from noisewise.questions.keywords import judge_call
from noisewise.questions.request import QUOTE, Payable
from noisewise.results.release import Release
from noisewise.sampling import Bits
from noisewise.tables.names import Names, is_column, unknown_column
from noisewise.tables.people import Choice
from noisewise.tables.table import Table
from noisewise.tables.time.clock import Clock, iso, spoken

P = ParamSpec("P")

HELD = ("neighbors", "contributions", "ledger")
"""What a Dataset says once."""

SAID = {"data": "column", "graph": "edges"}
"""The name of an argument that stands in the place of data."""

MEANS = {"X": "A list of names of columns", "graph": "Two names of columns, or three with weights, as a list"}


@dataclass(frozen=True, slots=True, repr=False)
class Inquiry:
    """A function, the columns it is asked about, and its other arguments. All public."""

    function: Callable[..., Any]
    kinds: tuple[str, ...]
    columns: tuple[Any, ...]
    arguments: tuple[Any, ...]
    asked: dict[str, Any]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def about(self) -> tuple[str, ...]:
        """The names of all columns it is asked about, one after the other."""
        wide = (given if isinstance(given, (list, tuple)) else [given] for given in self.columns)
        return tuple(str(name) for names in wide for name in names if name is not None)

    @property
    def epsilon(self) -> Any:
        """As it was typed."""
        return self.asked.get("epsilon")

    def at(self, epsilon: Fraction) -> "Inquiry":
        """The same question with another epsilon."""
        return replace(self, asked={**self.asked, "epsilon": epsilon})

    def __repr__(self) -> str:
        said = [*map(_shown, (*(name for name in self.columns if name is not None), *self.arguments))]
        said += [f"{name}={_shown(value)}" for name, value in self.asked.items()]
        return f"ask.{self.name}({', '.join(said)})"

    def judge(self) -> None:
        """Refuse arguments that the question does not take, or the lack of those that it needs."""
        if said := [name for name in HELD if name in self.asked]:
            raise ParameterTypeError(
                f"{said[0]} must be said when the Dataset is made, not with {self.name}()"
            ) from None
        given = (*self.columns, *self.arguments)
        judge_call(self.name, _signature(self.function, len(self.kinds)), given, dict(self.asked))

    def data(self, table: Table, choice: Choice | None) -> tuple[Any, ...]:
        """What the function is handed: columns to be read after the debit. Unknown names are errors here."""
        for kind, given in zip(self.kinds, self.columns, strict=True):
            if given is not None or self.name != "count":
                _known(given, kind, table.names)
        if self.kinds == ("column",):
            (column,) = self.columns
            return (table.rows(choice) if column is None else table.column(column, choice, self.name),)
        if self.kinds == ("label",):
            return (table.labels(self.columns[0], choice),)
        if self.kinds == ("edges",):
            return (table.edges(tuple(self.columns[0]), choice),)
        wide = [
            list(given) if kind == "matrix" else [given]
            for kind, given in zip(self.kinds, self.columns, strict=True)
        ]
        found = iter(table.columns(tuple(name for names in wide for name in names), choice))
        return tuple(
            tuple(next(found) for _ in names) if kind == "matrix" else next(found)
            for kind, names in zip(self.kinds, wide, strict=True)
        )

    def quote(self, data: tuple[Any, ...], **held: Any) -> Payable:
        """The question about this data, judged, neither paid nor answered."""
        self.judge()
        judged: Payable = self.function(*data, *self.arguments, **self.asked, **held, ledger=QUOTE)
        return judged


class TimedRelease(Release):
    """A private answer that is a date, a time or a duration; so are its bounds, and its granularity is a timedelta."""

    __slots__ = ()

    @classmethod
    def of(cls, release: Release, clock: Clock, *, grouped: bool = False) -> "TimedRelease":
        """An answer in microseconds, or one for each group, as the clock reads it."""
        said: dict[str, Any] = {field.name: getattr(release, field.name) for field in fields(release)}
        value = tuple(map(clock.value, release.value)) if grouped else clock.value(release.value)
        said |= {
            "value": value,
            "bounds": clock.bounds,
            "granularity": clock.granularity or release.granularity,
        }
        return cls(**said)

    def to_dict(self) -> dict[str, Any]:
        if not isinstance(self.granularity, timedelta):
            return Release.to_dict(self) | {"bounds": iso(self.bounds)}
        numbers = Release.to_dict(replace(self, granularity=None))
        return numbers | {name: iso(getattr(self, name)) for name in ("value", "bounds", "granularity")}

    def _asked(self) -> list[str]:
        if not isinstance(self.granularity, timedelta) or self.bounds is None:
            return Release._asked(self)
        low, high = self.bounds
        return [f"  asked        within {low} .. {high}, in steps of {spoken(self.granularity)}"]


@dataclass(frozen=True, slots=True, repr=False)
class InTime(Wrapped):
    """A question about time, asked in microseconds, whose answer is a date, a time or a duration."""

    clock: Clock
    grouped: bool = False

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        return TimedRelease.of(self.asked.answer(receipt, bits=bits), self.clock, grouped=self.grouped)


def in_time(asked: Payable, clock: Clock | None, *, grouped: bool = False) -> Payable:
    """The question itself, or one that a clock reads the answer of; ``grouped`` has an answer for each group."""
    return asked if clock is None else InTime(asked, clock, grouped)


def about_column(
    function: Callable[Concatenate[Any, P], Release],
) -> Callable[Concatenate[Any, str, P], Release]:
    """A question about one column of numbers."""
    return _method(function, "column")


def about_rows(function: Callable[..., Release]) -> Callable[..., Release]:
    """A question about one column of numbers, or about all rows where none is named."""
    return _method(function, "column", default=None)


def about_label(
    function: Callable[Concatenate[Any, P], Release],
) -> Callable[Concatenate[Any, str, P], Release]:
    """A question about one column of numbers, text or booleans."""
    return _method(function, "label")


def about_columns(
    function: Callable[Concatenate[Any, Any, P], Release],
) -> Callable[Concatenate[Any, str, str, P], Release]:
    """A question about two columns of numbers, row by row."""
    return _method(function, "column", "column")


def about_matrix(
    function: Callable[Concatenate[Any, P], Release],
) -> Callable[Concatenate[Any, Sequence[str], P], Release]:
    """A question about several columns of numbers."""
    return _method(function, "matrix")


def about_regression(
    function: Callable[Concatenate[Any, Any, P], Release],
) -> Callable[Concatenate[Any, Sequence[str], str, P], Release]:
    """A question about several columns of numbers and one more."""
    return _method(function, "matrix", "column")


def about_edges(
    function: Callable[Concatenate[Any, P], Release],
) -> Callable[Concatenate[Any, Sequence[str], P], Release]:
    """A question about a graph: two columns of nodes, and one of weights where there is one."""
    return _method(function, "edges")


def _method(
    function: Callable[..., Release], *kinds: str, default: Any = inspect.Parameter.empty
) -> Callable[..., Release]:
    signature = _signature(function, len(kinds), default)
    places = list(signature.parameters.values())[: len(kinds)]

    @wraps(function)
    def method(self: Any, *arguments: Any, **asked: Any) -> Release:
        given = list(arguments[: len(kinds)])
        for place in places[len(given) :]:
            if place.name not in asked and place.default is inspect.Parameter.empty:
                raise ParameterTypeError(
                    f"{function.__name__}() missing a required argument: '{place.name}', the name of a column"
                ) from None
            given.append(asked.pop(place.name, place.default))
        answer: Release = self._ask(Inquiry(function, kinds, tuple(given), arguments[len(kinds) :], asked))
        return answer

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])  # type: ignore[attr-defined]
    data = list(inspect.signature(function).parameters)[: len(kinds)]
    means = "The name of a column" + ("" if default else "; without one, all rows count")
    method.__doc__ = _help(inspect.getdoc(function) or "", dict.fromkeys(data, means) | MEANS)
    del method.__wrapped__
    return method


@cache
def _signature(
    function: Callable[..., Any], columns: int, default: Any = inspect.Parameter.empty
) -> inspect.Signature:
    """The function's arguments with columns in the place of data, and without what a Dataset holds."""
    signature = inspect.signature(function)
    places = list(signature.parameters.values())
    for place, each in enumerate(places[:columns]):
        said = SAID.get(each.name, each.name)
        places[place] = each.replace(name=said, annotation=inspect.Parameter.empty, default=default)
    return signature.replace(parameters=[each for each in places if each.name not in HELD])


def _shown(given: Any) -> str:
    """An argument as it was typed; by its type where it could hold data."""
    if isinstance(given, (tuple, list)):
        shown = ", ".join(map(_shown, given))
        return f"[{shown}]" if isinstance(given, list) else f"({shown}{',' * (len(given) == 1)})"
    return repr(given) if isinstance(given, (date, time, timedelta)) else describe(given)


def _help(text: str, data: dict[str, str]) -> str:
    """The function's help without what a Dataset holds, and with columns in the place of data."""
    kept, skipping = [], False
    for line in text.partition("\n\nExamples:\n")[0].splitlines():
        if line.startswith("    ") and not line.startswith("     "):
            name = line.strip().partition(":")[0]
            skipping = name in HELD or name in data
            if name in data:
                kept.append(f"    {SAID.get(name, name)}: {data[name]}.")
        if not skipping:
            kept.append(line)
    return "\n".join(kept)


def _known(given: Any, kind: str, names: Names) -> None:
    """Refuse what is no column of the table; its names are public, where it declares some."""
    if kind not in ("matrix", "edges"):
        if not is_column(given, names):
            raise unknown_column("column", given, names) from None
        return
    if not isinstance(given, (list, tuple)):
        raise SchemaError(f"columns must be a list of names, got {describe(given)}") from None
    if kind == "edges" and len(given) not in (2, 3):
        raise SchemaError(f"edges must be two columns, or three with weights, got {len(given)}") from None
    for name in given:
        if not is_column(name, names):
            raise unknown_column("column", name, names) from None
    if kind == "edges" and len(set(given)) < len(given):
        raise SchemaError(f"edges must be different columns, got {', '.join(map(repr, given))}") from None


def judge_questions(questions: Mapping[str, object], unnamed: Sequence[object] = ()) -> None:
    """Refuse what `agg` cannot ask."""
    if unnamed or not questions:
        got = f", got {describe(unnamed[0])} without a name" if unnamed else ""
        raise ParameterTypeError(
            'agg must be given questions by name, as in agg(n=ask.count(epsilon=0.1), pay=ask.mean("salary", ...))'
            f"{got}"
        ) from None
    for name, question in questions.items():
        if not isinstance(question, Inquiry):
            raise ParameterTypeError(
                f"{name} must be a question such as ask.count(epsilon=0.1), got {describe(question)}"
            ) from None
