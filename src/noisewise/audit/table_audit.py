"""The audit of tables: a whole person added or removed, with all their rows, in all their groups.

Small tables are made up: people with a few rows each, some with more than `contributions`, so that the choice among a
person's rows is audited, too. The choice is salted with a salt that stays the same: it is data-independent, and what is
private for every salt is private.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice, product
from typing import Any

from noisewise.audit.asking import Subject, claim, grid
from noisewise.audit.climb import Progress
from noisewise.audit.draws import Draws
from noisewise.audit.exact_audit import audited
from noisewise.audit.result import Audit
from noisewise.audit.spaces import Data, Dice, Pair
from noisewise.calls import deleted
from noisewise.dataset.batches import OfColumns, SharedReads
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.grouped import Grouped
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.hazmat import salted
from noisewise.kernel.numbers.exact import Number, describe, exact_epsilon, whole
from noisewise.planning.asked import not_a_question
from noisewise.questions.payable import Payable
from noisewise.questions.question import KINDS, Question
from noisewise.results.tidy import frame_of_columns

PERSON, GROUP, VALUE = "person", "group", "value"
"""The columns of a made-up table."""

SALT = "an audit's"
NOBODY = "nobody's"
"""A group that no question asks for: one row of it makes columns declare their types in an empty table."""


@dataclass(frozen=True)
class PeopleSpace:
    """Tables of up to ``most`` people, each with one to ``rows`` rows: pairs of a group and a value."""

    keys: tuple[Any, ...]
    values: tuple[Any, ...]
    most: int
    rows: int

    def everybody(self) -> list[Data]:
        """All the rows that a person can have."""
        single = list(product(self.keys, self.values))
        return [
            person
            for count in range(1, self.rows + 1)
            for person in combinations_with_replacement(single, count)
        ]

    def count(self) -> int:
        single = len(self.keys) * len(self.values)
        people = sum(math.comb(single + count - 1, count) for count in range(1, self.rows + 1))
        return math.comb(people + self.most - 1, self.most - 1) * people

    def pairs(self) -> Iterator[Pair]:
        people = self.everybody()
        for count in range(self.most):
            for shared in combinations_with_replacement(people, count):
                yield from ((shared, (*shared, person)) for person in people)

    def shapes(self) -> Iterator[Pair]:
        low, high = self.values[0], self.values[-1]
        spread = tuple((key, high) for key in islice(self.keys * self.rows, self.rows))
        heap = ((self.keys[0], high),) * self.rows
        for person in (spread, heap, ((self.keys[0], high),)):
            for other in ((), (((self.keys[0], low),),), (spread,), (heap,) * (self.most - 1)):
                yield other[: self.most - 1], (*other[: self.most - 1], person)

    def moved(self, pair: Pair, dice: Dice) -> Pair:
        people = [list(person) for person in pair[1]]
        at = dice.below(len(people))
        row = (dice.one_of(self.keys), dice.one_of(self.values))
        what = dice.below(5)
        if what == 0 and len(people) < self.most:
            people.insert(0, [row])
        elif what == 1 and len(people) > 1:
            del people[0]
        elif what == 2 and len(people[at]) < self.rows:
            people[at].append(row)
        elif what == 3 and len(people[at]) > 1:
            del people[at][dice.below(len(people[at]))]
        else:
            people[at][dice.below(len(people[at]))] = row
        found = tuple(tuple(person) for person in people)
        return found[:-1], found


def table(
    question: Any,
    *arguments: Any,
    epsilon: Number,
    keys: Iterable[Any] | None = ("a", "b"),
    contributions: int = 2,
    max_groups: int | None = None,
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
    """Audit a question about a table with people in it: whole persons are added and removed, with all their rows.

    Tables are made up, with a column of people, one of groups and one of values. No data of yours is read.

    Args:
        question: A name such as "median", a function such as ``nws.median``; or a way of your own to answer, as a
            function of rows and of random bits, which hands the bits to whatever is drawn. A row is (person, group,
            value).
        arguments: The question's own, such as the q of a quantile.
        epsilon: What all groups together cost; of a way of your own, what it claims.
        keys: The groups; None to ask the whole table.
        contributions: How many rows of a person take part.
        max_groups: In how many groups a person takes part.
        bounds: As in a release.
        values: How many different values rows have, between the bounds, or a list of them.
        people: How many people the largest table has.
        rows: How many rows a person has at most; more than contributions, to audit how rows are chosen.
        seconds: How long to search, where not all pairs are looked at.
        tries: How many pairs to look at then.
        seed: Another seed is another search.
        progress: As in `exact`.
        keywords: The question's other keywords.

    Examples:
        >>> nws.audit.table("median", bounds=(0, 4), epsilon=1, contributions=2)
    """
    given = keywords if bounds is None else {"bounds": bounds, **keywords}
    groups = ("a",) if keys is None else tuple(keys)
    if bounds is None and isinstance(question, Question):
        bounds = question.keywords.get("bounds")  # type: ignore[assignment]
    domain = _values(values, bounds)
    space = PeopleSpace(groups, domain, whole("people", people, least=1), whole("rows", rows, least=1))
    if callable(question) and not hasattr(question, "kind"):
        if given and bounds is None:
            raise ParameterTypeError(
                next(iter(given)), "must be left out for a way of your own", got=describe(given)
            ) from None
        subject = _of_function(question, space, epsilon)
    else:
        asked = _question(question, arguments, {"epsilon": epsilon, **given})

        def bind(data: Data) -> Payable:
            return _bound(asked, data, domain, keys is not None, groups, contributions, max_groups)

        probe = bind(())
        claimed, ranged = claim(probe.loss)
        subject = Subject(
            name=f"{asked.name} of people" + ("" if keys is None else f" in {len(groups)} groups"),
            draws=lambda data: Draws.of(bind(data)),
            space=space,
            claimed=claimed,
            ranged=ranged,
            neighbors="one person",
            contributions=probe.contributions,
            mechanism=probe.memo.partition(" by ")[2].partition(",")[0],
        )
    return audited(subject, seconds=seconds, tries=tries, seed=seed, progress=progress)


def _of_function(answer: Callable[[list[Any], Any], object], space: PeopleSpace, epsilon: Number) -> Subject:
    return Subject(
        name=getattr(answer, "__name__", "a way of your own"),
        draws=lambda data: Draws(lambda choices: answer(_rows(data), choices)),
        space=space,
        claimed=exact_epsilon(epsilon),
        ranged=False,
        neighbors="one person",
        contributions=1,
    )


def _rows(data: Data) -> list[tuple[int, Any, Any]]:
    """(person, group, value) of every row; people are numbered."""
    return [(number, *row) for number, person in enumerate(data) for row in person]


def _float(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)


def _bound(
    question: Question,
    data: Data,
    values: tuple[Any, ...],
    grouped: bool,
    keys: tuple[Any, ...],
    contributions: int,
    max_groups: int | None,
) -> Payable:
    """The question about a made-up table, unpaid."""
    rows = [*_rows(data), (-1, NOBODY, values[0])]
    people, groups, numbers = zip(*rows, strict=True)
    columns = {PERSON: list(people), GROUP: list(map(str, groups)), VALUE: list(map(_float, numbers))}
    held = Dataset(frame_of_columns(columns), PERSON, contributions, max_groups)
    dataset = salted(held, SALT)
    if not grouped:
        return dataset._bind(question)
    by = Grouped.of(dataset, (GROUP,), keys=list(map(str, keys)), epsilon=None, delta=None)
    return OfColumns(by._bind(question, SharedReads()), question.about, (GROUP,))


def _question(said: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Question:
    """The question about the made-up column of values."""
    if isinstance(said, Question):
        named = tuple(None if name is None else VALUE for name in said.columns)
        return Question(said.kind, named, (*said.arguments, *arguments), {**said.keywords, **keywords})
    kind = KINDS.get(said) if isinstance(said, str) else getattr(said, "kind", None)
    if kind is None and isinstance(said, str) and (gone := deleted(said)) is not None:
        raise gone from None
    if kind is None:
        raise ParameterTypeError(
            "question", 'must be a question such as "median" or nws.median', got=not_a_question(said)
        ) from None
    if "edges" in kind.capabilities.columns:
        raise ParameterError("question", "must be about rows of people", got=kind.name) from None
    columns: tuple[Any, ...] = tuple(
        [VALUE] if each in ("matrix", "cells") else VALUE for each in kind.capabilities.columns
    )
    return Question(kind, columns, arguments, keywords)


def _values(values: Any, bounds: Any) -> tuple[Any, ...]:
    if not isinstance(values, int):
        return tuple(values)
    return grid((0, 1) if bounds is None else bounds, whole("values", values, least=2))
