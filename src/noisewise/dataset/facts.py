"""Facts: what is known about columns without looking at the data, declared once for all questions about them.

    nws.Dataset(frame, columns={"salary": nws.Column(bounds=(0, 200_000), granularity=100)})
    nws.Dataset(frame, columns="columns.toml")      [columns.salary], bounds = [0, 200000], granularity = 100

A fact completes a question that lacks it. What is said in the question wins. Receipts say where each fact came from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from decimal import Decimal
from os import PathLike, fspath
from pathlib import Path as File
from typing import Any, NamedTuple

from noisewise.calls import checked_class
from noisewise.dataset.document import (
    LONGEST,
    Checks,
    Document,
    KeyLines,
    Rule,
    StudyError,
    parsed,
    written_key,
)
from noisewise.errors import NoisewiseError, ParameterTypeError, SchemaError
from noisewise.kernel.numbers.exact import Number, describe, exact
from noisewise.questions.functions.in_time import clock_of
from noisewise.questions.functions.order import MEDIAN
from noisewise.questions.keywords import Bounds
from noisewise.questions.question import KINDS, Question
from noisewise.questions.typed import as_labels, as_number
from noisewise.tables.groups.keys import Keys
from noisewise.tables.names import Names, is_column, unknown_column
from noisewise.tables.time.clock import duration_of, pair_in_time

IN_CALL = "Dataset(columns=...)"
"""Where facts came from that were given in Python."""


@checked_class()
@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """What is known about a column without looking at the data.

    Attributes:
        bounds: The lowest and the highest possible value: two numbers, dates, times or durations.
        granularity: The spacing of answers in the unit of the column.
        keys: All values that make groups or categories, in the order in which answers show them.
        measure: The unit of measure, such as ``"dollars"``.
        label: What people call the column, such as ``"Yearly salary"``.

    Examples:
        >>> nws.Dataset(frame, columns={"salary": nws.Column(bounds=(0, 200_000), granularity=100)})
    """

    bounds: Bounds | None = None
    granularity: Number | timedelta | None = None
    keys: Any = None
    measure: str | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        """Check the facts as a median, or a question in groups, would."""
        if self.bounds is not None:
            in_time = pair_in_time(self.bounds)
            if in_time is None:
                MEDIAN.frame(self.bounds, self.granularity)
            else:
                clock_of(Question(KINDS["median"], (), (), {}), in_time, self.granularity)
        elif self.granularity is not None and not isinstance(self.granularity, timedelta):
            exact("granularity", self.granularity)
        if self.keys is not None:
            Keys.of(("keys",), self.keys).alike()
        for name in ("measure", "label"):
            if not isinstance(getattr(self, name), (str, type(None))):
                raise ParameterTypeError(name, "must be text", got=describe(getattr(self, name))) from None

    @property
    def known(self) -> tuple[str, ...]:
        """The names of the facts that are given."""
        return tuple(each.name for each in fields(self) if getattr(self, each.name) is not None)


Column = ColumnFacts
"""What is known about a column, as it is written: ``nws.Column(bounds=(0, 120))``."""
Column.__name__ = Column.__qualname__ = (
    "Column"  # as the public knows it: inside, `Column` is what statistics read
)


def _pair(given: Any) -> bool:
    return isinstance(given, list) and len(given) == 2


ANY_VALUE: dict[str, Any] = {"type": ["number", "string", "boolean"]}
FACTS: dict[str, Rule] = {
    "bounds": Rule(
        "a list of two, such as [0, 100]",
        _pair,
        {"type": "array", "items": ANY_VALUE, "minItems": 2, "maxItems": 2},
        "The lowest and the highest possible value, known without looking at the data.",
    ),
    "granularity": Rule(
        'a number above 0, such as 0.5 or "1/3", or a duration such as "7d"',
        lambda given: not isinstance(given, bool) and isinstance(given, (int, Decimal, str)),
        {"type": ["number", "string"]},
        "The spacing of answers in the unit of the column.",
    ),
    "keys": Rule(
        "a list",
        lambda given: isinstance(given, list) and bool(given),
        {"type": "array", "items": ANY_VALUE, "minItems": 1},
        "All values that make groups or categories, in the order in which answers show them.",
    ),
    "measure": Rule.text("The unit of measure, such as dollars."),
    "label": Rule.text("What people call the column."),
}
"""The keys of a section [columns.NAME] of a study file or of a file of facts."""


def read_columns(checks: Checks) -> dict[str, Column]:
    """Read the section [columns] of a document. Note every mistake."""
    given = checks.document.get("columns", {})
    if not isinstance(given, dict):
        checks.wrong(("columns",), "columns must be sections, such as [columns.salary]")
        return {}
    columns = {}
    for name, keys in given.items():
        path = ("columns", name)
        if not isinstance(keys, dict):
            checks.wrong(path, f"{name} must be a section, [columns.{name}]")
            continue
        checks.unknown(path, keys, FACTS, f"[columns.{name}]")
        fit = checks.fitting(path, keys, FACTS)
        try:
            columns[name] = Column(**{key: _value(key, value) for key, value in fit.items()})
        except NoisewiseError as error:
            at = next((key for key in FACTS if key in fit and key in str(error.what)), min(fit))
            checks.wrong((*path, at), str(error))
    return columns


def _value(key: str, given: Any) -> Any:
    """A value of TOML as a fact: a text such as "1/3" or "7d" may be a number or a duration."""
    if key == "keys":
        return as_labels(given)
    if isinstance(given, list):
        return tuple(_value(key, each) for each in given)
    if isinstance(given, str) and key in ("bounds", "granularity"):
        return duration_of(given) or as_number(given)
    return given


class Filled(NamedTuple):
    """A question that facts have completed, and the note on the receipt that says where they came from."""

    question: Question
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of all columns, and where they came from."""

    columns: Mapping[str, Column] = field(default_factory=dict)
    source: str = IN_CALL

    @classmethod
    def of(cls, given: object, names: Names) -> "Facts":
        """Check facts that were given in Python, or read those in a file. ``names`` are the columns of the table."""
        if given is None:
            return cls()
        facts = given if isinstance(given, Facts) else cls._read(given)
        for name in facts.columns:
            if not is_column(name, names):
                raise unknown_column("columns", name, names) from None
        return facts

    @classmethod
    def _read(cls, given: object) -> "Facts":
        if isinstance(given, (str, PathLike)):
            return cls.read(fspath(given))
        if not isinstance(given, Mapping):
            raise ParameterTypeError(
                "columns",
                'must be facts by the names of columns, as in {"age": Column(bounds=(0, 120))}, or a file of them',
                got=describe(given),
            ) from None
        for name, column in given.items():
            if not isinstance(column, Column):
                raise ParameterTypeError(
                    "columns",
                    "must have a Column for each name, such as Column(bounds=(0, 120))",
                    got=f"{describe(column)} for {describe(name)}",
                ) from None
        return cls(dict(given))

    @classmethod
    def read(cls, path: str) -> "Facts":
        """Read a file of facts. An error lists all mistakes, each with its line."""
        file = File(path)
        try:
            text = None if file.stat().st_size > LONGEST else file.read_text(encoding="utf-8")
        except (OSError, ValueError):
            text = None
        if text is None:
            raise SchemaError(
                "columns",
                f"must be a file of UTF-8 text that can be read, of at most {LONGEST:,} bytes",
                got=describe(path),
            ) from None
        document: Document = parsed(text, file.name)
        checks = Checks(document, KeyLines(text, document))
        checks.unknown((), document, ("columns",), "a file of facts", "is no section")
        columns = read_columns(checks)
        if checks.mistakes:
            raise StudyError(file.name, checks.mistakes) from None
        return cls(columns, file.name)

    def filled(self, question: Question) -> Filled:
        """The question with the facts that it lacks."""
        if not self.columns:
            return Filled(question, ())
        facts = [self.columns.get(name, Column()) for name in question.about]
        added = {
            name: value
            for name, value in self._offered(question, facts).items()
            if value is not None and name in question.kind.signature.parameters and _lacks(question, name)
        }
        if not added:
            return Filled(question, ())
        what = {"categories": "keys"}
        said = " and ".join(what.get(name, name) for name in added)
        note = f"{said} of {', '.join(question.about)} from {self.source}"
        return Filled(question.with_keywords(**added), (note,))

    def _offered(self, question: Question, facts: list[Column]) -> dict[str, Any]:
        """The parameters of a question that facts about its columns say. A value of None says nothing."""
        kinds, known = question.can.columns, all(each.bounds is not None for each in facts)
        if not facts:
            return {}
        if question.total is not None and question.total.rule in ("sum", "count"):
            return {}  # bounds of a row are not those of a person's total
        if kinds == ("column",):
            in_unit = question.can.time.answer in ("same", "duration")
            return {
                "bounds": facts[0].bounds,
                "granularity": facts[0].granularity if in_unit else None,
            }
        if kinds == ("label",) and not ("bins" in _names(question) and not _lacks(question, "bins")):
            return {"categories": None if facts[0].keys is None else list(facts[0].keys)}
        if kinds == ("cells",):
            keys = [each.keys for each in facts]
            lists = dict(zip(question.about, keys, strict=True))
            return {"categories": None if any(each is None for each in keys) else lists}
        if question.can.bounds_of_each and known:
            return {"bounds": tuple(each.bounds for each in facts)}
        return {}

    def labels(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """What people call some columns, with their units of measure; empty if nothing is known of them."""
        facts = [self.columns.get(name, Column()) for name in names]
        if not any(each.label or each.measure for each in facts):
            return ()
        measures = [f" ({each.measure})" if each.measure else "" for each in facts]
        return tuple(
            f"{each.label or name}{unit}" for name, each, unit in zip(names, facts, measures, strict=True)
        )

    def keys(self, names: tuple[str, ...]) -> dict[str, list[Any]] | None:
        """The declared keys of some columns; None unless all of them have keys."""
        known = {name: self.columns[name].keys for name in names if name in self.columns}
        if len(known) < len(names) or any(keys is None for keys in known.values()):
            return None
        return {name: list(keys) for name, keys in known.items()}


def _names(question: Question) -> Mapping[str, Any]:
    return question.kind.parameters.parameters


def _lacks(question: Question, name: str) -> bool:
    """Whether a parameter of a question was not typed."""
    place = list(_names(question)).index(name)
    return question.keywords.get(name) is None and place >= len(question.arguments)


def skeleton(types: Mapping[str, Any]) -> str:
    """A file of facts to fill in, from the names and the declared types of columns alone."""
    lines = [
        "# What is known about the columns without looking at the data. Remove the # and say what you know.",
        "# bounds: the lowest and the highest possible value; keys: all values that make groups or categories.",
    ]
    for name, kind in types.items():
        text = str(kind).partition("(")[0]
        lines += ["", f"[columns.{written_key(name)}] # {text}", *_lines_for(text)]
    return "\n".join([*lines, ""])


EXAMPLES = {
    "Date": "bounds = [2000-01-01, 2030-12-31]",
    "Datetime": "bounds = [2000-01-01T00:00:00, 2030-12-31T00:00:00]",
    "Time": "bounds = [00:00:00, 23:59:59]",
    "Duration": 'bounds = ["0s", "7d"]',
    "Boolean": "keys = [false, true]",
}


def _lines_for(kind: str) -> list[str]:
    """The facts that a column of this declared type may have, behind a #."""
    text, numeric = (
        kind in ("String", "Categorical", "Enum"),
        kind.startswith(("Int", "UInt", "Float", "Decimal")),
    )
    lines = [EXAMPLES[kind]] if kind in EXAMPLES else []
    if numeric or kind == "String":  # cells of a text file may spell numbers
        lines += ["bounds = [0, 100]", "granularity = 1"]
    if text:
        lines += ['keys = ["A", "B"]']
    return [f"# {line}" for line in [*lines, 'measure = ""', 'label = ""']]
