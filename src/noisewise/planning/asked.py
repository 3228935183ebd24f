"""The question of a plan. It may be a name, a function, a class, a statistic, or a question that `ask` made.

Each of these is converted to an `Asked`, a question that lacks only its data. Wrong calls are refused here.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import Any, NamedTuple, TypeAlias, Unpack

import noisewise.questions.functions  # noqa: F401  # registers the questions
from noisewise.calls import check_call, deleted
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.radii import Balls
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.kernel.prices import Price
from noisewise.planning.distances import micros_of_column
from noisewise.questions.composites.quantiles import JointQuantiles, Quantiles
from noisewise.questions.functions.in_time import (
    bins_in_numbers,
    clock_of,
    edges_in_time,
    in_microseconds,
    kind_of_edges,
)
from noisewise.questions.functions.own_statistic import of_given
from noisewise.questions.keywords import Priced, PricedOrPrivate, spelled_out
from noisewise.questions.payable import Payable
from noisewise.questions.question import (
    KINDS,
    Capabilities,
    ColumnKind,
    Kind,
    Question,
    empty_data,
    of_release,
    parts_of,
)
from noisewise.questions.request import of_graph, of_statistic
from noisewise.questions.terms import check_groups, price_of, unit_of_privacy
from noisewise.results.release import Release
from noisewise.statistics import Statistic
from noisewise.statistics.given_levels import NAME
from noisewise.tables.columns.array_column import NumbersOrLabels, declare
from noisewise.tables.columns.labels import declare_labels
from noisewise.tables.time.clock import Clock, pair_in_time

AnyQuestion: TypeAlias = (
    str | Question | Quantiles | Envelope | Balls | type[Statistic] | type[Quantiles] | Callable[..., Release]
)
"""The types by which a user can say a question, except an instance of a statistic."""

Said: TypeAlias = AnyQuestion | Statistic
"""The types by which a user can say a question."""

RULE = (
    'must be a question: a name such as "median", a function such as nws.median, a statistic such as '
    'Quantile("1/2"), or ask.median("salary", ...)'
)

PRICES = ("epsilon", "rho")
"""The keywords of which exactly one says the price."""

OWN = ("confidence", "size", "shape", "groups", "per_group", "max_groups", "shares", "people", "error")
"""The parameters that plans take in addition to the keywords of a question."""


def _one_statistic(**keywords: Unpack[PricedOrPrivate]) -> None:
    """The signature of a question about one statistic."""


def _without_search(**keywords: Unpack[Priced]) -> None:
    """The signature of a question about several quantiles, or given levels. It cannot search for bounds."""


ANY_LABELS = NumbersOrLabels(lambda: declare([]), lambda: declare_labels([]), fractional=True)
"""An empty column of any type. Whole numbers as bins may be edges or codes; the plans differ by one bin only."""


class Caps(NamedTuple):
    """The most records of a person in one group, and the most groups of a person. Only a price in rho depends on them.

    None if there is no limit.
    """

    per_group: int | None = None
    max_groups: int | None = None

    @classmethod
    def of(cls, per_group: object, max_groups: object, groups: int | None) -> "Caps":
        """Check the limits that the user typed, for this number of groups. Raise if there are limits but no groups."""
        given = {"per_group": per_group, "max_groups": max_groups}
        for name, most in given.items():
            if most is not None and groups is None:
                raise ParameterError(
                    name, "must be left out where there are no groups", got=describe(most)
                ) from None
        each, several = (None if most is None else whole(name, most, least=1) for name, most in given.items())
        return NO_CAPS if groups is None else cls(each, min(several or groups, groups))


NO_CAPS = Caps()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that lacks only its data."""

    question: Question
    clock: Clock | None = None
    """None unless the bounds are dates, times or durations. Then the question is in microseconds, and this clock
    converts its answers back."""

    @classmethod
    def of(
        cls,
        caller: str,
        said: object,
        arguments: tuple[Any, ...],
        keywords: Mapping[str, Any],
        confidence: object = None,
        shares: object = None,
    ) -> "Asked":
        """Check the question and the names of keywords. `bind` checks the values of keywords.

        ``confidence`` is the confidence of the plan. A question about an interval takes it as its own confidence.
        """
        if shares is not None:
            raise ParameterError("shares", "must be left out for a single question") from None
        if isinstance(said, type) and issubclass(said, (Statistic, Quantiles)):
            said, arguments = _instance(said, arguments), ()
        if isinstance(said, Question):
            priced = any(keywords.get(name) is not None for name in PRICES)
            own = {name: value for name, value in said.keywords.items() if not (priced and name in PRICES)}
            given = {**own, **keywords}
            return cls._of(caller, said.kind, (*said.arguments, *arguments), given, said.columns)
        if isinstance(said, (Statistic, Quantiles, Envelope, Balls)):
            return cls._of(caller, _kind_of_object(said), arguments, keywords)
        kind = _kind(said)
        if confidence is not None and "confidence" in kind.parameters.parameters:
            keywords = {"confidence": confidence, **keywords}
        return cls._of(caller, kind, arguments, keywords)

    @classmethod
    def _of(
        cls,
        caller: str,
        kind: Kind,
        arguments: tuple[Any, ...],
        keywords: Mapping[str, Any],
        columns: tuple[Any, ...] = (),
    ) -> "Asked":
        signature = kind.parameters
        known = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
            for name in OWN
            if name not in signature.parameters
        ]
        taken = [each for each in signature.parameters.values() if each.name != "ledger"]
        check_call(caller, signature.replace(parameters=[*taken, *known]), arguments, keywords)
        placed = dict(zip(signature.parameters, arguments, strict=False))
        question, clock = Question(kind, columns, (), {**placed, **keywords}), None
        if (edges := edges_in_time(question)) is not None:
            kind_of_edges(edges)
            question = question.with_parameter("bins", bins_in_numbers(edges))
        if (bounds := pair_in_time(keywords.get("bounds"))) is not None:
            clock = clock_of(question, bounds, keywords.get("granularity"))
            question = in_microseconds(question, bounds, clock)
        return cls(question, clock)

    @property
    def name(self) -> str:
        return self.question.kind.name

    @property
    def keywords(self) -> Mapping[str, Any]:
        return self.question.keywords

    @property
    def columns(self) -> tuple[ColumnKind, ...]:
        """Return what each data argument of the question is: "column" (a column of numbers), "label" (a column of any
        type), "matrix" or "cells" (several columns), or "edges" (the ends of edges in a graph)."""
        columns = self.question.can.columns
        return (
            ("label",) if columns == ("column",) and self.question.can.indicator(self.question) else columns
        )

    @property
    def widths(self) -> tuple[int | None, ...]:
        """Return the number of columns that each data argument lists. None if it names a single column or no column."""
        named = self.question.columns or (None,) * len(self.columns)
        return tuple(len(each) if isinstance(each, (list, tuple)) else None for each in named)

    @property
    def of_graph(self) -> bool:
        return "edges" in self.columns

    def at(self, **keywords: Any) -> "Asked":
        """Return the same question with other values of some keywords."""
        return replace(self, question=self.question.with_keywords(**keywords))

    @property
    def price(self) -> Price:
        """Return the price that was typed. Raise unless it is exactly one of epsilon and rho."""
        return price_of(*map(self.keywords.get, PRICES))

    def at_price(self, price: Price) -> "Asked":
        """Return the same question at another price."""
        return replace(self, question=self.question.at(price))

    def of_one_record(self, caps: Caps = NO_CAPS) -> "Asked":
        """Return the question for one group. It protects single records, each at its part of a person's price."""
        if self.of_graph:
            raise ParameterError("groups", f"must be left out for {self.name}, as a graph has none") from None
        _, owned = unit_of_privacy(
            self.keywords.get("neighbors", "add_remove"), self.keywords.get("contributions", 1)
        )
        check_groups(self.keywords.get("neighbors"))
        one = self.question.for_one_record(owned, *caps)
        return replace(self, question=one.with_keywords(contributions=1))

    def bind(self, *data: object) -> Payable:
        """Return the question about this data. The question is checked, but not yet paid for or answered."""
        return self.question.bind(data)

    def on_public_data(self, data: Any) -> tuple[Any, ...]:
        """Return public data as a tuple of the columns that the question takes."""
        columns = len(self.columns)
        if columns > 1 and not (isinstance(data, (tuple, list)) and len(data) == columns):
            raise ParameterError("data", f"must be a tuple of {columns} columns for {self.name}") from None
        return self.in_numbers(data if columns > 1 else [data])

    def in_numbers(self, columns: Sequence[Any]) -> tuple[Any, ...]:
        """Return public columns as the question reads them. Dates, times and durations become microseconds."""
        return tuple(columns if self.clock is None else map(micros_of_column, columns))

    def without_data(self, size: int | None) -> Payable:
        """Return the question about empty data. ``size`` is the number of records, or None if it is not known."""
        if self.of_graph:
            nodes = self.keywords.get("nodes") or size
            if nodes is None:
                raise ParameterError(
                    "size", f"must be the public number of nodes for {self.name}", got="None"
                ) from None
            return self.at(nodes=nodes).bind([])
        columns = tuple(
            range(self._width(width)) if kind == "matrix" else ()
            for kind, width in zip(self.columns, self.widths, strict=True)
        )
        data = empty_data(replace(self.question, columns=columns), size or 0)
        return self.bind(
            *(ANY_LABELS if kind == "label" else each for kind, each in zip(self.columns, data, strict=True))
        )

    def _width(self, width: int | None) -> int:
        """Return the number of columns of a matrix: the number of their names, or the number of pairs of bounds."""
        bounds = self.keywords.get("bounds")
        if width is None and isinstance(bounds, (tuple, list)) and isinstance(bounds[0], (tuple, list)):
            width = len(bounds) - self.columns.count("column")
        if width is None:
            raise ParameterError(
                self.name,
                "must name its columns to be planned",
                fix=f'write ask.{self.name}(["height", "weight"], ...)',
            ) from None
        return width


def _kind_of_object(said: Statistic | Quantiles | Envelope | Balls) -> Kind:
    """Return a kind of question for an object, such as a statistic, that is not among the named questions."""
    columns: tuple[ColumnKind, ...] = ("column",)
    make: Any
    if isinstance(said, (Envelope, Balls)):
        make, declared, columns = partial(of_release, of_given, said), _without_search, ()
    elif isinstance(said, Quantiles):
        make = partial(of_release, JointQuantiles.of, said)
        declared = _without_search
    else:
        make, declared = partial(_binding, said), _one_statistic
        columns = ("edges",) if said.reads == "graph" else columns * said.columns
    data = tuple(f"data{place}" for place in range(len(columns)))
    capabilities = Capabilities(data=data, columns=columns)
    name = NAME if isinstance(said, (Envelope, Balls)) else str(said)
    return Kind(name, make, capabilities, spelled_out(declared, data), "", make)


def _binding(said: Statistic, nodes: object = None, **keywords: Any) -> Callable[..., Payable]:
    """Return a question about one statistic. If ``nodes`` is None, a graph has nodes, or is a pair (edges, nodes)."""
    return of_statistic(said, **keywords) if nodes is None else of_graph(said, nodes, **keywords)


def several(
    caller: str,
    questions: Mapping[str, object] | Sequence[object],
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    shares: object,
    confidence: object = None,
) -> dict[str, Asked]:
    """Return several questions by their names or numbers, as in `agg`. Each question has its own price, or a share of
    one price.
    """
    named = questions if isinstance(questions, Mapping) else dict(enumerate(questions, 1))
    by_name = {str(name): said for name, said in named.items()}
    own = {name: said.typed_price if isinstance(said, Question) else None for name, said in by_name.items()}
    common = {name: value for name, value in keywords.items() if name not in PRICES}
    typed = [keywords.get(name) for name in PRICES]
    price = None if all(each is None for each in typed) else price_of(*typed)
    parts = parts_of(own, price, shares, caller)
    each = {name: Asked.of(caller, said, arguments, common, confidence) for name, said in by_name.items()}
    return each if parts is None else {name: asked.at_price(parts[name]) for name, asked in each.items()}


def _instance(said: type[Statistic | Quantiles], arguments: tuple[Any, ...]) -> Statistic | Quantiles:
    """Return an instance of a class of statistics, made with these arguments."""
    try:
        inspect.signature(said).bind(*arguments)
    except TypeError as error:
        mistake = str(error)
    else:
        return said(*arguments)
    raise ParameterTypeError(f"{said.__name__}()", mistake, fix=f"write {said.__name__}(...)") from None


def _kind(said: object) -> Kind:
    """Return the kind of question that ``said`` means, if it is the name of a question or a function that asks it."""
    if isinstance(said, str):
        name = said.replace("-", "_")
        if name in KINDS:
            return KINDS[name]
        if (gone := deleted(name)) is not None:
            raise gone from None
        close = get_close_matches(name, KINDS, 1)
        raise ParameterError(
            "question",
            "must be the name of a question",
            got=describe(said),
            fix=f'did you mean "{close[0]}"?' if close else 'such names are "median", "mean" and "count"',
        ) from None
    kind = getattr(said, "kind", None)
    if isinstance(kind, Kind):
        return kind
    raise ParameterTypeError("question", RULE, got=not_a_question(said)) from None


def not_a_question(given: object) -> str:
    """Say in words what was given instead of a question."""
    name = getattr(given, "__name__", None)
    if isinstance(given, type):
        return f"the class {name}"
    return f"the function {name}" if callable(given) and isinstance(name, str) else str(describe(given))
