"""What would the error of a release be? It is computed from the law, on data that is public or made up.

An answer of several numbers that depend on each other has no single law. It is drawn 200 times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack, overload

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import Number, describe
from noisewise.planning.asked import AnyQuestion, Asked, Caps, Said, several
from noisewise.planning.error_on_data import request_in, simulated, without_bounds
from noisewise.planning.simulation import NotPrivateSimulation, NotPrivateSimulations
from noisewise.questions.keywords import Priced, with_open_signature
from noisewise.questions.question import Question
from noisewise.statistics import Statistic


@overload
def simulate(statistic: Statistic, data: Any, **keywords: Unpack[Priced]) -> NotPrivateSimulation: ...
@overload
def simulate(
    statistic: AnyQuestion, data: Any, *arguments: Any, groups: None = ..., **keywords: Any
) -> NotPrivateSimulation: ...
@overload
def simulate(
    statistic: Said,
    data: Any,
    *arguments: Any,
    groups: Sequence[Any],
    per_group: int | None = ...,
    max_groups: int | None = ...,
    **keywords: Any,
) -> NotPrivateSimulations: ...
@overload
def simulate(
    statistic: Mapping[str, Question],
    data: Any,
    *,
    shares: Mapping[str, Number] | None = ...,
    **keywords: Any,
) -> NotPrivateSimulations: ...
@with_open_signature
def simulate(
    statistic: Said | Mapping[str, Question],
    data: Any,
    *arguments: Any,
    groups: Sequence[Any] | None = None,
    per_group: int | None = None,
    max_groups: int | None = None,
    shares: Mapping[str, Number] | None = None,
    **keywords: Unpack[Priced],
) -> NotPrivateSimulation | NotPrivateSimulations:
    """Not private: the error of a release of public or synthetic data, computed from its law.

    Never use it on private data: the result holds the answer without noise, and says of itself that it is not private.
    Several quantiles, vectors, and answers of several draws have no single law: they are drawn 200 times.

    Args:
        statistic: What will be asked: a name such as ``"median"``, a function such as ``nws.median``, a statistic such
            as ``Quantile("1/2")``, or a question such as ``ask.median("salary", ...)``. For several questions, a
            dictionary by the names of their answers. Each is asked about the columns that it names, as in `agg`.
        data: Data of the same kind that anybody may see; a tuple of columns if the question takes several. For several
            questions a table: a dictionary of columns or a data frame.
        arguments: The question's own arguments, such as the q of a quantile; they may be given by name as well.
        groups: The group of each record. Each group gets a simulation, and all groups cost the price together.
        per_group: The most records of one person in one group, as for `plan`.
        max_groups: The most groups of one person, as for `plan`.
        shares: For several questions, how the price is divided, by the names of answers; by default all get the same.

    Examples:
        >>> print(nws.simulate(nws.mean, range(1000), bounds=(0, 500), epsilon=1))
    """
    if isinstance(statistic, Mapping):
        return _of_several(statistic, data, arguments, keywords, shares)
    asked = Asked.of("simulate", statistic, arguments, keywords, shares=shares)
    columns = asked.on_public_data(data)
    caps = Caps.of(per_group, max_groups, None if groups is None else len({*groups}))
    return _one(asked, columns) if groups is None else _of_groups(asked, columns, groups, caps)


def _one(asked: Asked, columns: tuple[Any, ...]) -> NotPrivateSimulation:
    """The simulation of one question about public columns."""
    payable = asked.bind(*columns).alone
    result = simulated(payable)
    request = request_in(payable)
    if request is not None and request.bounds is not None and len(columns) == 1 and not asked.of_graph:
        free = without_bounds(request, asked, columns[0])
        if free is not None:
            result = replace(result, clamping=result.answer - free)
    return result.read_by(asked.clock)


def _of_groups(
    asked: Asked, columns: tuple[Any, ...], groups: Sequence[Any], caps: Caps
) -> NotPrivateSimulations:
    """One simulation for each group in the data, by the law of single records."""
    one = asked.of_one_record(caps)
    if "matrix" in asked.columns or "cells" in asked.columns:
        raise ParameterError(
            "groups", f"must be left out for {asked.name}", fix="simulate it on the rows of a group"
        ) from None
    if not all(hasattr(each, "__len__") and len(each) == len(groups) for each in columns):
        raise ParameterError("groups", "must say of each record in which group it is") from None
    held: dict[Any, list[int]] = {}
    for index, group in enumerate(groups):
        held.setdefault(group, []).append(index)
    parts = {
        group: _one(one, tuple(_rows(column, rows) for column in columns)) for group, rows in held.items()
    }
    return NotPrivateSimulations(tuple(parts), tuple(parts.values()))


def _rows(column: Any, rows: list[int]) -> Any:
    """The records of a column in these rows."""
    values = column.to_numpy() if hasattr(column, "to_numpy") else column
    return values[np.array(rows)] if isinstance(values, np.ndarray) else [values[row] for row in rows]


def _of_several(
    questions: Mapping[str, Question],
    table: Any,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    shares: object,
) -> NotPrivateSimulations:
    """One simulation for each question, about the columns that it names."""
    for name, question in questions.items():
        if not isinstance(question, Question):
            raise ParameterTypeError(
                str(name), "must be a question that names its columns, such as ask.median('pay', ...)"
            ) from None
    asked = several("simulate", questions, arguments, keywords, shares)
    found = {
        name: _one(each, each.in_numbers([_column(table, given) for given in question.columns]))
        for (name, each), question in zip(asked.items(), questions.values(), strict=True)
    }
    return NotPrivateSimulations(tuple(found), tuple(found.values()))


def _column(table: Any, name: Any) -> Any:
    """A column of a public table, or several in a tuple. A question about all rows gets any column."""
    if isinstance(name, (list, tuple)):
        return tuple(_column(table, each) for each in name)
    names = list(getattr(table, "columns", table))
    meant = names[0] if name is None and names else name
    if meant not in names:
        raise ParameterError(
            "data", "must have the columns that are asked about", got=f"none named {describe(meant)}"
        ) from None
    return table[meant]
