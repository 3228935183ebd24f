"""The subject of an audit: a question without its data, datasets to ask it about, and the loss that it claims."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from noisewise.audit.draws import Draws
from noisewise.audit.probabilities import printed_number
from noisewise.audit.spaces import Data, EdgeSpace, NodeSpace, Records, Space
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import describe, exact, whole
from noisewise.kernel.prices import Rho
from noisewise.planning.asked import Asked
from noisewise.questions.payable import Payable
from noisewise.questions.question import KINDS, Kind, Question
from noisewise.questions.terms import price_of, unit_of_privacy

VALUES, RECORDS, NODES = 5, 4, 4
"""The size of a small world: the number of values that a record can have, of records, and of nodes of a graph."""

MOST_VALUES = 1000

DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "bounds": ((0, 4), (0, 1), (Fraction(1, 8), Fraction(7, 8))),
    "granularity": (1, Fraction(1, 4), None),
    "categories": (["a", "b"], {"first": ["a", "b"], "second": ["a", "b"]}),
    "q": (Fraction(1, 2),),
    "qs": ([Fraction(1, 4), Fraction(3, 4)],),
    "alpha": (Fraction(1, 4),),
    "low": (Fraction(1, 4),),
    "high": (Fraction(3, 4),),
    "c": (1,),
    "steps": (2,),
    "max_degree": (2,),
    "smallest": (1,),
    "largest": (4,),
}
"""Values of parameters for a question that is audited without any: the first ones that it accepts are used."""


@dataclass(frozen=True)
class Subject:
    """The subject of an audit. ``draws`` returns the draws of its answer about one dataset."""

    name: str
    draws: Callable[[Data], Draws]
    space: Space
    claimed: Fraction
    """The epsilon or the rho that the answer is claimed to cost."""
    ranged: bool
    """Whether the log ratio is also claimed to range over at most epsilon."""
    neighbors: str
    mechanism: str = ""
    in_rho: bool = False
    """Whether the claim is a price in zCDP."""

    @classmethod
    def of(cls, name: str, bind: Callable[[Data], Payable], space: Space, data: Data) -> "Subject":
        """Return the subject of a question that ``bind`` binds to data.

        The question is bound to ``data`` to read its price, which is the same for all data.
        """
        probe = bind(data)
        claimed, ranged = claim(probe.loss)
        unit = probe.unit or "record"
        neighbors = probe.neighbors if unit == "record" else f"one {unit}"
        law = probe.memo.partition(" by ")[2]
        in_rho = isinstance(probe.loss, ZCDP)
        return cls(name, lambda data: Draws.of(bind(data)), space, claimed, ranged, neighbors, law, in_rho)


def subject_of_question(
    caller: str,
    question: Any,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    *,
    records: object = None,
    values: object = None,
    answers: object = None,
) -> Subject:
    """Return the subject of a question. Check the question, and choose the datasets to ask it about."""
    if isinstance(question, Question):
        keywords = {**question.keywords, **keywords}
    keywords = _with_answers(keywords, answers)
    asked = Asked.of(caller, question, arguments, keywords)
    if asked.of_graph:
        return _of_graph(asked, NODES if records is None else whole("records", records, least=3))
    neighbors, owned = unit_of_privacy(
        keywords.get("neighbors", "add_remove"), keywords.get("contributions", 1)
    )
    most = max(RECORDS, owned) if records is None else whole("records", records, least=max(1, owned))
    space = Records(_columns(asked, values), most, neighbors, owned)
    return Subject.of(
        asked.name, lambda data: asked.bind(*columns_of(asked, data)), space, (space.values[0],)
    )


def subject_of_laws(
    law: Callable[[list[Any]], Any],
    *,
    values: object,
    epsilon: object = None,
    rho: object = None,
    records: object = None,
    neighbors: object = "add_remove",
    contributions: object = 1,
    ranged: bool = False,
) -> Subject:
    """Return the subject of the user's own mechanism. ``law`` maps records to the probability of each outcome."""
    relation, owned = unit_of_privacy(neighbors, contributions)
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        raise ParameterTypeError(
            "values", "must be a list of values that a record can have", got=describe(values)
        ) from None
    most = RECORDS if records is None else whole("records", records, least=1)
    space = Records((tuple(values),), most, relation, owned)
    name = getattr(law, "__name__", "law")
    price = price_of(epsilon, rho)
    claimed, in_rho = (price.rho, True) if isinstance(price, Rho) else (price, False)
    return Subject(
        name, lambda data: Draws.written(law(list(data))), space, claimed, ranged, relation, in_rho=in_rho
    )


def default_keywords(kind: Kind, **given: Any) -> dict[str, Any]:
    """Return the first combination of keywords in `DEFAULTS` that a question accepts, for an audit without keywords."""
    takes = {name: each.default for name, each in kind.parameters.parameters.items()}
    names = [name for name in takes if name in DEFAULTS and (name, takes[name]) != ("bounds", None)]
    attempts: list[dict[str, Any]] = [{}]
    for name in names:
        attempts = [{**tried, name: value} for tried in attempts for value in DEFAULTS[name]]
    refusal: NoisewiseError | None = None
    for tried in attempts:
        keywords = {name: value for name, value in tried.items() if value is not None} | given
        try:
            subject_of_question("audit", kind.name, (), dict(keywords))
        except NoisewiseError as error:
            refusal = refusal or error
        else:
            return keywords
    assert refusal is not None, "there is something to try"
    raise refusal from None


def every_kind() -> list[Kind]:
    """Return all questions, sorted by name, including those that the user has registered."""
    return [KINDS[name] for name in sorted(KINDS)]


def claim(loss: Loss) -> tuple[Fraction, bool]:
    """Return the pure epsilon that a loss claims, and whether the loss also claims that the range is bounded by it.

    Of a loss in zCDP, return its rho.
    """
    if isinstance(loss, ZCDP):
        return loss.rho, False
    if not isinstance(loss, (PureDP, BoundedRange)):
        raise ParameterError(
            "a question", "must cost a pure epsilon, or a rho, to be audited exactly", got=str(loss)
        ) from None
    return loss.as_pure().epsilon, isinstance(loss, BoundedRange)


def _of_graph(asked: Asked, nodes: int) -> Subject:
    def bind(data: Data) -> Payable:
        return asked.at(nodes=nodes).bind(
            [ends for ends, joined in zip(space.ends, data, strict=True) if joined]
        )

    def bind_nodes(data: Data) -> Payable:
        return asked.at(nodes=data[0]).bind(list(data[1]))

    space = EdgeSpace(nodes)
    if asked.at(nodes=nodes).bind([]).unit == "node":
        return Subject.of(asked.name, bind_nodes, NodeSpace(nodes), (nodes, ()))
    return Subject.of(asked.name, bind, space, (False,) * len(space.ends))


def _with_answers(keywords: dict[str, Any], answers: object) -> dict[str, Any]:
    """Return the keywords with a granularity that gives the wanted number of answers between the bounds."""
    if answers is None:
        return keywords
    count, bounds = whole("answers", answers, least=3), keywords.get("bounds")
    if keywords.get("granularity") is not None:
        raise ParameterError("answers", "must be left out if granularity is given") from None
    ends = (
        [(0, 1)] if bounds is None else [bounds] if not isinstance(bounds[0], (tuple, list)) else list(bounds)
    )
    low, high = (exact("bounds", end) for end in ends[0])
    return {**keywords, "granularity": (high - low) / (count - 1)}


def _columns(asked: Asked, values: object) -> tuple[tuple[Any, ...], ...]:
    """Return the values that each column of a record can have."""
    width = sum(_widths(asked))
    if values is not None and not isinstance(values, (int, str)):
        return (tuple(values),) * width  # type: ignore[arg-type]
    count = VALUES if values is None else whole("values", values, least=2, most=MOST_VALUES)
    categories, bounds = asked.keywords.get("categories"), asked.keywords.get("bounds")
    if categories is not None:
        each = list(categories.values()) if isinstance(categories, Mapping) else [categories] * width
        return tuple((*column, None) for column in each)
    if "label" in asked.columns:
        bins = asked.keywords.get("bins")
        return (grid((bins[0], bins[-1]), count) if bins is not None else (None, 0, 1),)
    if bounds is None or isinstance(bounds, str):
        return (tuple(range(3)) if width > 1 else (None, *range(count - 1)),) * width
    pairs = list(bounds) if isinstance(bounds[0], (tuple, list)) else [bounds] * width
    if len(pairs) != width:
        pairs = [pairs[0]] * width
    fewer = count if width == 1 or values is not None else 2
    return tuple(grid(pair, fewer, labels=width > 1) for pair in pairs)


def grid(bounds: Any, count: int, *, labels: bool = False) -> tuple[Any, ...]:
    """Return evenly spaced values from one bound to the other. If ``labels``, add 0 and 1, which may name classes."""
    low, high = (exact("bounds", end) for end in bounds)
    even = {low + (high - low) * i / (count - 1) for i in range(count)}
    return tuple(
        printed_number(value) for value in sorted(even | ({Fraction(0), Fraction(1)} if labels else set()))
    )


def _widths(asked: Asked) -> list[int]:
    """Return the number of columns that each argument of the question takes."""
    widths = zip(asked.columns, asked.widths, strict=True)
    return [(given or 2) if kind in ("matrix", "cells") else 1 for kind, given in widths]


def columns_of(asked: Asked, data: Data) -> list[Any]:
    """Return records as the arguments of the question: one column, or a tuple of columns for a matrix."""
    widths = _widths(asked)
    several = sum(widths) > 1
    columns = iter([[row[i] if several else row for row in data] for i in range(sum(widths))])
    return [
        tuple(islice(columns, width)) if kind in ("matrix", "cells") else next(columns)
        for kind, width in zip(asked.columns, widths, strict=True)
    ]
