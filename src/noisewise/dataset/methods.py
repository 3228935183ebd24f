"""Questions as methods, about columns by their names.

`Questions` is the base of `Dataset`, of `Grouped` and of `Ask`, which only writes questions down. A method takes names
of columns instead of data. It takes the other arguments of the function, except those that a Dataset holds. In ``_ask``
a class answers the question or keeps it. If a kind of question is registered later, it becomes a method too.
"""

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from noisewise.calls import no_attribute, without_frames
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError, SchemaError, python_text
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.composites.crosstab import Cells, TableCells
from noisewise.questions.keywords import in_sections, listed, meanings, section, summary
from noisewise.questions.kinds import MODULES
from noisewise.questions.question import (
    COLUMN_ARGUMENTS,
    DATASET_KEYWORDS,
    KINDS,
    Kind,
    Question,
    column_signature,
)
from noisewise.questions.remembered import remembered
from noisewise.tables.groups.keys import Keys
from noisewise.tables.names import Names, is_column, unknown_column
from noisewise.tables.people import Choice
from noisewise.tables.table import ColumnSource

P = ParamSpec("P")
R = TypeVar("R")

COLUMNS_MEAN = {
    "column": "The name of a column.",
    "label": "The name of a column.",
    "matrix": "A list of names of columns.",
    "cells": "A list of names of columns.",
    "edges": "Two names of columns, as a list.",
}


def in_one_snapshot(method: Callable[P, R]) -> Callable[P, R]:
    """A decorator for methods. If the table can promise it, its rows do not change from the checks to the answer."""

    @wraps(method)
    def within(*arguments: P.args, **keywords: P.kwargs) -> R:
        questions: Any = arguments[0]
        with questions._table.snapshot():
            return method(*arguments, **keywords)

    return within


def _method(kind: Kind) -> Callable[..., object]:
    """A method that makes the question and passes it to ``_ask``."""
    signature = column_signature(kind)
    count = len(kind.capabilities.data)
    columns = list(signature.parameters.values())[:count]
    known: dict[Hashable, Question] = {}

    @without_frames
    def method(self: "Questions[R]", *arguments: object, **keywords: Any) -> R:
        given = list(arguments[:count])
        for column in columns[len(given) :]:
            if column.name not in keywords and column.default is inspect.Parameter.empty:
                raise ParameterTypeError(
                    f"{kind.name}()", f"missing a required argument: '{column.name}', the name of a column"
                ) from None
            given.append(keywords.pop(column.name, column.default))
        parts = (tuple(given), arguments[count:])
        return self._ask(remembered(known, parts, keywords, Question, kind, *parts, keywords))

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__name__ = method.__qualname__ = kind.name
    method.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])  # type: ignore[attr-defined]
    method.__doc__ = _help(kind)
    return method


def _help(kind: Kind) -> str:
    """The help of the function with names of columns in place of data, and without the keywords of a Dataset."""
    explained = meanings(kind.help, kind.signature)
    for name, column in zip(kind.capabilities.data, kind.capabilities.columns, strict=True):
        explained[name] = COLUMNS_MEAN[column]
        if kind.capabilities.all_rows:
            explained[name] = "The name of a column; without one, all rows count."
    kept = {
        COLUMN_ARGUMENTS.get(name, name): text
        for name, text in explained.items()
        if name not in DATASET_KEYWORDS
    }
    return in_sections(summary(kind.help), Args=listed(kept), Returns=section(kind.help, "Returns"))


class LazyMethod:
    """A question's method, made when it is first used."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        method = _method(KINDS[self.name])
        setattr(Questions, self.name, method)
        return getattr(owner if instance is None else instance, self.name)  # no groups are false


if TYPE_CHECKING:
    from noisewise.dataset.method_types import Methods
else:
    Methods = Generic


class Questions(Methods[R]):
    """Every kind of question as a method."""

    def _ask(self, question: Question) -> R:
        """Answer the question or keep it, as the subclass decides."""
        raise TypeError(f"{type(self).__name__} answers no question")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The method of a question that was registered later."""
            if name in KINDS:
                return _method(KINDS[name]).__get__(self)
            message = no_attribute(f"{type(self).__name__!r} object", name, dir(self))
            raise AttributeError(message, name=name, obj=self)


for each in MODULES:
    setattr(Questions, each, LazyMethod(each))


class Ask(Questions[Question]):
    """``ask.median("salary", bounds=(0, 500_000), epsilon=0.4)`` is the question, not the answer. `agg` asks several
    such questions at once. Their epsilons may be left out if `agg` gets one epsilon for all."""

    def __repr__(self) -> str:
        return "<ask: questions for agg>"

    def _ask(self, question: Question) -> Question:
        question.check(priced=False)
        return question


ask = Ask()


def data_of(question: Question, table: ColumnSource, choice: Choice | None) -> tuple[object, ...]:
    """The columns of a question, to be read after the debit. Raises if a name is unknown."""
    kinds = question.can.columns
    if not question.streamed:
        refuse_cluster(f"{question.name} {question.can.whole_columns(question)}".strip(), table, "streamed")
    for kind, given in zip(kinds, question.columns, strict=True):
        if given is not None or not question.can.all_rows:
            _check_columns(given, kind, table.names)
    if kinds == ("column",):
        (column,) = question.columns
        if column is None:
            return (table.rows(choice),)
        return (table.column(column, choice, question.name, streamed=question.streamed),)
    if kinds == ("label",):
        return (table.labels(question.columns[0], choice),)
    if kinds == ("cells",):
        question.check()
        return (_cells_of(question, table, choice),)
    if kinds == ("edges",):
        return (table.edges(tuple(question.columns[0]), choice),)
    lists = [
        list(given) if kind == "matrix" else [given]
        for kind, given in zip(kinds, question.columns, strict=True)
    ]
    names_of_all = tuple(name for names in lists for name in names)
    columns = iter(table.columns(names_of_all, choice, question.name, streamed=question.streamed))
    return tuple(
        tuple(next(columns) for _ in names) if kind == "matrix" else next(columns)
        for kind, names in zip(kinds, lists, strict=True)
    )


def _cells_of(question: Question, table: Any, choice: Choice | None) -> TableCells:
    """The cells of a cross-tabulation. Each combination of categories is the key of a group."""
    names = tuple(question.columns[0])
    cells = Cells.of(question.parameter("categories"), names)
    try:
        keys = Keys.of(names, dict(zip(names, map(list, cells.categories), strict=True)))
        return TableCells(table.grouped(None, keys, choice), cells)
    except NoisewiseError as error:
        wrong = error.with_fields(what="categories") if python_text(error.what) == "keys" else error
    raise wrong from None


def refuse_cluster(what: str, table: ColumnSource, capability: str) -> None:
    """Raise if the question would need the rows of a cluster here. The message lists what the cluster can answer."""
    if table.cluster is None:
        return
    in_cluster = sorted(name for name, kind in KINDS.items() if getattr(kind.capabilities, capability))
    groups = ", in groups," if capability == "batched" else ""
    raise SchemaError(
        what,
        "must be asked of data on this computer",
        got=f"a {table.cluster} DataFrame",
        fix=f"in the cluster run{groups} {', '.join(in_cluster)}; bring the columns over by "
        ".select(...).toArrow() first",
    ) from None


def _check_columns(given: object, kind: str, names: Names) -> None:
    """Raise unless the table has these columns. Their names are public."""
    if kind not in ("matrix", "cells", "edges"):
        if not is_column(given, names):
            raise unknown_column("column", given, names) from None
        return
    if not isinstance(given, (list, tuple)):
        raise SchemaError("columns", "must be a list of names", got=describe(given)) from None
    if kind == "edges" and len(given) != 2:
        raise SchemaError("edges", "must be two columns", got=str(len(given))) from None
    for name in given:
        if not is_column(name, names):
            raise unknown_column("column", name, names) from None
    if kind in ("edges", "cells") and len(set(given)) < len(given):
        what = "edges" if kind == "edges" else "columns"
        raise SchemaError(what, "must be different columns", got=", ".join(map(repr, given))) from None


def beside_each(
    questions: dict[str, Question], bind: Callable[[Question], object], **beside: object
) -> dict[str, Question]:
    """The questions with an interval or a count beside each answer that can have one. Those that say so keep their own.

    Raises if no answer can have one. ``bind`` checks a question: it reads and pays nothing.
    """
    for keyword, value in beside.items():
        if value is None or value is False:
            continue
        refusals = []
        for name, question in questions.items():
            if keyword in question.keywords or (keyword == "with_count" and question.can.counts_records):
                continue
            try:
                bind(more := question.with_keywords(**{keyword: value}))
            except NoisewiseError as error:
                refusals.append(error)
            else:
                questions = {**questions, name: more}
        if refusals and all(keyword not in question.keywords for question in questions.values()):
            raise refusals[0] from None
    return questions


def check_questions(questions: Mapping[str, object], unnamed: Sequence[object] = (), *beside: object) -> None:
    """Raise unless `agg` was given questions by name."""
    if any(isinstance(each, Question) for each in beside):
        raise ParameterError(
            "answers", "must have another name than an argument of agg", got="interval or with_count"
        ) from None
    if unnamed or not questions:
        got = f"{describe(unnamed[0])} without a name" if unnamed else ""
        raise ParameterTypeError(
            "agg",
            'must be given questions by name, as in agg(n=ask.count(epsilon=0.1), pay=ask.mean("salary", ...))',
            got=got,
        ) from None
    for name, question in questions.items():
        if not isinstance(question, Question):
            raise ParameterTypeError(
                name, "must be a question such as ask.count(epsilon=0.1)", got=describe(question)
            ) from None
