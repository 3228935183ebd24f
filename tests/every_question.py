"""One call of every question, and the table that these calls are about.

The kind of a question decides its call: the types of its columns choose columns of `ROWS`, and each parameter without a
default takes its value from `EXAMPLES`, or from the example in the question's help. `BESIDES` and `ABOUT` have the
exceptions. A new question gets a call, too, or `tests/test_every_question.py` says what is missing.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import noisewise as nws
from noisewise.questions.question import KINDS, Kind, Question

SIZE = 60
NODES = list(range(12))
ROWS: dict[str, list[Any]] = {
    "id": [i % 20 for i in range(SIZE)],
    "x": [None if i % 9 == 0 else float(i % 11) for i in range(SIZE)],
    "y": [(7 * i) % 11 for i in range(SIZE)],
    "b": [i % 2 for i in range(SIZE)],
    "c": [int(i % 3 == 0) for i in range(SIZE)],
    "p": [(i % 10) / 10 for i in range(SIZE)],
    "s": [("tea", "milk", None)[i % 3] for i in range(SIZE)],
    "u": [i % 12 for i in range(SIZE)],
    "v": [(5 * i + 1) % 12 for i in range(SIZE)],
}

COLUMNS: dict[str, Any] = {"label": "s", "matrix": ["x", "y"], "cells": ["s"], "edges": ["u", "v"]}
"""The columns for each type of argument. The first numbers are those of x, the second those of y."""

ABOUT: dict[str, tuple[Any, ...]] = {
    "accuracy": ("b", "c"),
    "auc": ("b", "p"),
    "f1": ("b", "c"),
    "histogram": ("x",),
    "linear_regression": (["x"], "y"),
    "log_loss": ("b", "p"),
}
"""The columns of questions that take others."""

EXAMPLES: dict[str, Any] = {
    "alpha": 0.1,
    "bounds": (0, 10),
    "c": 2,
    "categories": ["tea", "milk"],
    "high": 0.9,
    "low": 0.1,
    "max_degree": 5,
    "q": "1/3",
    "qs": [0.2, 0.8],
    "steps": 3,
}
"""A value for each parameter without a default."""

GRAPH = {"nodes": NODES}
BESIDES: dict[str, dict[str, Any]] = {
    "count_distinct": {"categories": EXAMPLES["categories"]},
    "crosstab": {"categories": [EXAMPLES["categories"]]},
    "histogram": {"bins": [0, 5, 10]},
    "log_loss": {"bounds": (0.01, 0.99)},
    "proportion": {"category": "tea"},
} | dict.fromkeys((name for name, kind in KINDS.items() if "edges" in kind.capabilities.columns), GRAPH)
"""Keywords of a call that add to `EXAMPLES` or replace them."""


@dataclass(frozen=True)
class Call:
    """A call without its epsilon: the names of columns, the question's own arguments, and keywords."""

    name: str
    columns: tuple[Any, ...]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]

    @property
    def kind(self) -> Kind:
        return KINDS[self.name]

    @property
    def dataset_keywords(self) -> dict[str, Any]:
        """The keywords that the `Dataset` needs."""
        return {"unit": "id"} if self.kind.capabilities.people else {}

    @property
    def needed(self) -> dict[str, Any]:
        """The keywords that have no default."""
        parameters = self.kind.parameters.parameters
        return {name: value for name, value in self.keywords.items() if needs(parameters[name])}

    @property
    def of_numbers(self) -> bool:
        """Whether it is about the numbers of one column if it gets no keyword that it does not need."""
        can = self.kind.capabilities
        return can.columns == ("column",) and can.indicator(Question(self.kind, (), (), self.needed)) is None

    @property
    def named(self) -> dict[str, Any]:
        """The question's own arguments by name, and the keywords."""
        return dict(zip(self.kind.parameters.parameters, self.arguments, strict=False)) | self.keywords

    @property
    def data(self) -> tuple[Any, ...]:
        """The columns as the function takes them."""
        columns = (
            [ROWS[name] for name in names] if isinstance(names, list) else ROWS[names]
            for names in self.columns
        )
        kinds = self.kind.capabilities.columns
        return tuple(
            list(zip(*data, strict=True))
            if kind == "edges"
            else tuple(data)
            if kind in ("matrix", "cells")
            else data
            for kind, data in zip(kinds, columns, strict=True)
        )

    def of(self, place: Any, **more: Any) -> Any:
        """Ask a Dataset, its groups, or `ask`, with epsilon 1 unless ``more`` says otherwise."""
        keywords = {**self.keywords, "epsilon": 1, **more}
        return getattr(place, self.name)(*self.columns, *self.arguments, **keywords)

    def question(self, **more: Any) -> Question:
        """The question as a value."""
        question: Question = self.of(nws.ask, **more)
        return question

    def release(self, **more: Any) -> nws.Release:
        """Call the function with the columns themselves."""
        keywords = {**self.keywords, "epsilon": 1, **more}
        release: nws.Release = self.kind.function(*self.data, *self.arguments, **keywords)
        return release


def needs(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty


def examples(kind: Kind) -> dict[str, Any]:
    """The values of `EXAMPLES`, and those of the example in the help of a question."""
    found = re.search(rf">>> nws\.{kind.name}\(.*\)$", kind.help, re.M)
    if found is None:
        return EXAMPLES
    (line,) = ast.parse(found[0].removeprefix(">>> ")).body
    assert isinstance(line, ast.Expr) and isinstance(line.value, ast.Call)
    placed = zip(kind.signature.parameters, line.value.args, strict=False)
    values = {**dict(placed), **{str(each.arg): each.value for each in line.value.keywords}}
    typed = {name: value for name, value in values.items() if not any(map(_is_name, ast.walk(value)))}
    del typed["epsilon"]
    return {name: ast.literal_eval(value) for name, value in typed.items()} | EXAMPLES


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Call))


def call(kind: Kind) -> Call:
    """The call of a kind of question. It leaves out parameters without an example."""
    own, values = kind.parameters.parameters.values(), examples(kind)
    given = {each.name: values[each.name] for each in own if needs(each) and each.name in values}
    given |= BESIDES.get(kind.name, {})
    can, question = kind.capabilities, Question(kind, (), (), given)
    number = "s" if can.indicator(question) is not None else "b" if can.asks_whether_true else "x"
    numbers = iter((number, "y"))
    usual = tuple(COLUMNS.get(each) or next(numbers) for each in can.columns)
    placed = [each.name for each in own if needs(each) and each.kind is each.POSITIONAL_OR_KEYWORD]
    arguments = tuple(given.pop(name) for name in placed if name in given)
    return Call(kind.name, ABOUT.get(kind.name, usual), arguments, given)


def without_example() -> Iterator[str]:
    """What is missing in the help of questions."""
    for kind in KINDS.values():
        for each in kind.parameters.parameters.values():
            if needs(each) and each.name not in {*examples(kind), *BESIDES.get(kind.name, {}), "epsilon"}:
                yield f"an example in the help of {kind.name}, with a value of {each.name}"


CALLS: dict[str, Call] = {name: call(kind) for name, kind in sorted(KINDS.items())}
GRAPHS = frozenset(name for name, kind in KINDS.items() if "edges" in kind.capabilities.columns)
OF_COLUMNS: dict[str, Call] = {name: each for name, each in CALLS.items() if name not in GRAPHS}

_CLASSES = {name.lower(): each for name in nws.__all__ if isinstance(each := getattr(nws, name), type)}
STATISTICS: dict[str, nws.Statistic] = {
    name: _CLASSES[plain](*each.arguments)
    for name, each in OF_COLUMNS.items()
    if issubclass(_CLASSES.get(plain := name.replace("_", ""), object), nws.Statistic)
} | {"min": nws.Quantile(0), "median": nws.Quantile("1/2"), "max": nws.Quantile(1)}
"""The statistic that a question releases: the class of the same name, or a quantile. Some questions release none."""
