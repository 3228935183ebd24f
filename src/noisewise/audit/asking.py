"""What is audited: a question without its data, the datasets to ask it of, and what its receipt claims."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noisewise.audit.draws import Draws
from noisewise.audit.probabilities import printed_number
from noisewise.audit.spaces import Data, EdgeSpace, NodeSpace, Records, Space
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError
from noisewise.kernel.losses import BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import describe, exact, exact_epsilon, whole
from noisewise.planning.asked import Asked
from noisewise.questions.payable import Payable
from noisewise.questions.question import KINDS, Kind, Question
from noisewise.questions.terms import unit_of_privacy

VALUES, RECORDS, NODES = 5, 4, 4
"""The size of a small world: different values of a record, records, and nodes of a graph."""

MOST_VALUES = 1000

USUAL: Mapping[str, tuple[Any, ...]] = {
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
"""Values of parameters for a question that is audited without being told any: the first that it takes."""


@dataclass(frozen=True)
class Subject:
    """What is audited. ``draws`` are those of its answer about one dataset."""

    name: str
    draws: Callable[[Data], Draws]
    space: Space
    claimed: Fraction
    """The epsilon that the answer is said to cost."""
    ranged: bool
    """Whether the log ratio is claimed to range over no more than epsilon, too."""
    neighbors: str
    contributions: int
    unit: str = "record"
    mechanism: str = ""


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
    """Judge what is to be audited, and choose the datasets to ask it of."""
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
    return _subject(asked, lambda data: asked.bind(*columns_of(asked, data)), space, (space.values[0],))


def subject_of_laws(
    law: Callable[[list[Any]], Any],
    *,
    values: object,
    epsilon: object,
    records: object = None,
    neighbors: object = "add_remove",
    contributions: object = 1,
    ranged: bool = False,
) -> Subject:
    """A mechanism of one's own: records in, the probability of each outcome out."""
    relation, owned = unit_of_privacy(neighbors, contributions)
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        raise ParameterTypeError(
            "values", "must be a list of values that a record can have", got=describe(values)
        ) from None
    most = RECORDS if records is None else whole("records", records, least=1)
    space = Records((tuple(values),), most, relation, owned)
    return Subject(
        name=getattr(law, "__name__", "law"),
        draws=lambda data: Draws.written(law(list(data))),
        space=space,
        claimed=exact_epsilon(epsilon),
        ranged=ranged,
        neighbors=relation,
        contributions=owned,
    )


def usual(kind: Kind, **given: Any) -> dict[str, Any]:
    """Arguments for a question that is audited without being told any: the first values of `USUAL` that it takes."""
    names = [name for name in kind.parameters.parameters if name in USUAL]
    attempts: list[dict[str, Any]] = [{}]
    for name in names:
        attempts = [{**tried, name: value} for tried in attempts for value in USUAL[name]]
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
    """All questions, those of one's own included, by their names."""
    return [KINDS[name] for name in sorted(KINDS)]


def _subject(asked: Asked, bind: Callable[[Data], Payable], space: Space, data: Data) -> Subject:
    probe = bind(data)  # judged here; what it costs does not depend on the data
    claimed, ranged = claim(probe.loss)
    return Subject(
        name=asked.name,
        draws=lambda data: Draws.of(bind(data)),
        space=space,
        claimed=claimed,
        ranged=ranged,
        neighbors=probe.neighbors,
        contributions=probe.contributions,
        unit=probe.unit or "record",
        mechanism=probe.memo.partition(" by ")[2],
    )


def claim(loss: Loss) -> tuple[Fraction, bool]:
    """The pure epsilon that a receipt claims, and whether the range is bounded by it."""
    if not isinstance(loss, (PureDP, BoundedRange)):
        raise ParameterError(
            "a question", "must cost a pure epsilon to be audited exactly", got=str(loss)
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
        return _subject(asked, bind_nodes, NodeSpace(nodes), (nodes, ()))
    return _subject(asked, bind, space, (False,) * len(space.ends))


def _with_answers(keywords: dict[str, Any], answers: object) -> dict[str, Any]:
    """A number of answers as the step between them."""
    if answers is None:
        return keywords
    count, bounds = whole("answers", answers, least=3), keywords.get("bounds")
    if keywords.get("granularity") is not None:
        raise ParameterError("answers", "must be left out where granularity is given") from None
    ends = (
        [(0, 1)] if bounds is None else [bounds] if not isinstance(bounds[0], (tuple, list)) else list(bounds)
    )
    low, high = (exact("bounds", end) for end in ends[0])
    return {**keywords, "granularity": (high - low) / (count - 1)}


def _columns(asked: Asked, values: object) -> tuple[tuple[Any, ...], ...]:
    """The values that each column of a record takes."""
    widths = zip(asked.columns, asked.widths, strict=True)
    width = sum((given or 2) if kind in ("matrix", "cells") else 1 for kind, given in widths)
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
    """Values spread evenly between bounds, with both; ``labels``: 0 and 1 too, which may be names of classes."""
    low, high = (exact("bounds", end) for end in bounds)
    even = {low + (high - low) * i / (count - 1) for i in range(count)}
    return tuple(
        printed_number(value) for value in sorted(even | ({Fraction(0), Fraction(1)} if labels else set()))
    )


def columns_of(asked: Asked, data: Data) -> list[Any]:
    """Records as the question takes them: columns, or matrices of several."""
    width = sum(
        (given or 2) if kind in ("matrix", "cells") else 1
        for kind, given in zip(asked.columns, asked.widths, strict=True)
    )
    if width == 1:
        column = list(data)
        return [(column,)] if asked.columns[0] in ("matrix", "cells") else [column]
    columns = [[row[i] for row in data] for i in range(width)]
    taken, parts = 0, []
    for kind, given in zip(asked.columns, asked.widths, strict=True):
        size = (given or 2) if kind in ("matrix", "cells") else 1
        several = columns[taken : taken + size]
        parts.append(tuple(several) if kind in ("matrix", "cells") else several[0])
        taken += size
    return parts
