"""The audit of tables: a whole person is added or removed, with all rows in all groups.

The tables are small and made up. Some people have more rows than `contributions`, so that the choice of a person's rows
is audited, too. This choice depends on a random text, the salt, which is fixed here. A salt does not depend on data. So
an answer is private if it is private for every salt.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from noisewise.audit.draws import Draws
from noisewise.audit.exact_audit import audited, is_own_function
from noisewise.audit.pair_search import Progress
from noisewise.audit.result import Audit
from noisewise.audit.spaces import Data, PeopleSpace
from noisewise.audit.subjects import Subject, grid
from noisewise.dataset.batches import SharedReads
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.grouped import Grouped
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.hazmat import salted
from noisewise.kernel.numbers.exact import Number, describe, whole
from noisewise.kernel.prices import Rho
from noisewise.planning.asked import Asked
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question
from noisewise.questions.terms import price_of
from noisewise.results.tidy import frame_of_columns

PERSON, GROUP, VALUE = "person", "group", "value"
"""The columns of a made-up table."""

SALT = "an audit's"
NOBODY = "nobody's"
"""A group that no question asks for. Its one row gives columns their types when the table is otherwise empty."""


def table(
    question: Any,
    *arguments: Any,
    epsilon: Number | None = None,
    rho: Number | None = None,
    keys: Iterable[Any] | None = ("a", "b"),
    contributions: int = 2,
    max_groups: int | None = None,
    per_group: int | None = None,
    bounds: tuple[Number, Number] | None = None,
    values: int | Iterable[Any] = 3,
    people: int = 2,
    rows: int = 2,
    seconds: float | None = None,
    tries: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **keywords: Any,
) -> Audit:
    """Audit a question about a table of people: a person is added or removed with all rows.

    The tables are made up, with a column of people, one of groups and one of values. None of your data is read.

    Args:
        question: A name such as "median", or a function such as ``nws.median``. Or your own function of rows and of
            random bits, which uses these bits for all its draws. A row is (person, group, value).
        arguments: The question's own, such as the q of a quantile.
        epsilon: The cost of all groups together, or the epsilon that your own function claims.
        rho: In place of epsilon, a price in zCDP, as in `exact`.
        keys: The groups; None to ask about the whole table.
        contributions: The most rows of a person that take part.
        max_groups: The most groups in which a person takes part.
        per_group: The most rows of a person that take part in any one group.
        bounds: As in a release.
        values: How many different values rows have, between the bounds, or a list of them.
        people: The number of people in the largest table.
        rows: The most rows of a person; more than contributions, to audit how rows are chosen.
        seconds: How long to search if there are too many pairs to look at all.
        tries: How many pairs to look at then.
        seed: The seed of the search.
        progress: As in `exact`.
        keywords: The question's other keywords.

    Examples:
        >>> nws.audit.table("median", bounds=(0, 4), epsilon=1, contributions=2)
    """
    groups = ("a",) if keys is None else tuple(keys)
    if bounds is None and isinstance(question, Question):
        bounds = question.keywords.get("bounds")  # type: ignore[assignment]
    domain = (
        tuple(values)
        if not isinstance(values, int)
        else grid((0, 1) if bounds is None else bounds, whole("values", values, least=2))
    )
    space = PeopleSpace(groups, domain, whole("people", people, least=1), whole("rows", rows, least=1))
    if is_own_function(question):
        if keywords:
            raise ParameterTypeError(
                next(iter(keywords)), "must be left out for your own function", got=describe(keywords)
            ) from None
        name, price = getattr(question, "__name__", "your own function"), price_of(epsilon, rho)
        claimed, in_rho = (price.rho, True) if isinstance(price, Rho) else (price, False)

        def draws(data: Data) -> Draws:
            return Draws(lambda choices: question(_rows(data), choices))

        subject = Subject(name, draws, space, claimed, ranged=False, neighbors="one person", in_rho=in_rho)
    else:
        given = {"epsilon": epsilon, "rho": rho, **({} if bounds is None else {"bounds": bounds}), **keywords}
        asked = _question(question, arguments, given)

        def bind(data: Data) -> Payable:
            people, names, numbers = zip(*_rows(data), (-1, NOBODY, domain[0]), strict=True)
            columns = {
                PERSON: list(people),
                GROUP: list(map(str, names)),
                VALUE: [each if isinstance(each, str) else float(each) for each in numbers],
            }
            held = Dataset(frame_of_columns(columns), PERSON, contributions, max_groups, per_group=per_group)
            dataset = salted(held, SALT)
            if keys is None:
                return dataset._bind(asked)
            by = Grouped.of(
                dataset, (GROUP,), keys=list(map(str, groups)), epsilon=None, rho=None, delta=None
            )
            return by._bind(asked, SharedReads())

        name = f"{asked.name} of people" + ("" if keys is None else f" in {len(groups)} groups")
        subject = Subject.of(name, bind, space, ())
        law = subject.mechanism.partition(",")[0]
        subject = replace(subject, neighbors="one person", mechanism=law)
    return audited(subject, seconds=seconds, tries=tries, seed=seed, progress=progress)


def _rows(data: Data) -> list[tuple[int, Any, Any]]:
    """Return each row as (person, group, value). People are numbers from 0."""
    return [(number, *row) for number, person in enumerate(data) for row in person]


def _question(question: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Question:
    """Return the question about the column of values."""
    asked = Asked.of("audit.table", question, arguments, keywords)
    if asked.of_graph:
        raise ParameterError("question", "must be about rows of people", got=asked.name) from None
    named = question.columns if isinstance(question, Question) else asked.columns
    columns: tuple[Any, ...] = tuple(
        None if name is None else [VALUE] if kind in ("matrix", "cells") else VALUE
        for kind, name in zip(asked.columns, named, strict=True)
    )
    return replace(asked.question, columns=columns)
