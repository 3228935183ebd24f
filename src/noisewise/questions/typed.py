"""Read typed words as the parameters of a question: for the command line, `ask`, study files and the explorer.

These four know where the words come from, and point at a mistake: at an option, a line of TOML or a field. The rest is
here: `kind_called` finds the question, `TypedQuestion` lists and reads its parameters, and `meant` corrects a misspelt
word.

Texts are read exactly: ``0.1`` is a tenth, ``1/3`` a third, ``100`` a whole number. Commas separate parts of a list,
and a part with a comma needs quotes. A list may also be in a file, ``@keys.txt``. A text is read by the declared type
of its column. TOML has its own numbers, lists and dates. There a text is read only as a fraction, ``"1/3"``, or a
duration, ``"7d"``.
"""

import csv
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin

import numpy as np

from noisewise.calls import deleted
from noisewise.errors import ParameterError, SchemaError
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.prices import Rho
from noisewise.questions.question import KINDS, ColumnKind, Kind, column_signature
from noisewise.tables.time.clock import UNITS, duration_of

Types = Mapping[str, str]
"""The kind of each column by its name, as in `noisewise.tables.groups.key_parts`. It is "words" if an option declares
text, and "text" if nothing is declared."""

Given = Mapping[str, Any]
"""Typed words by the names of parameters: a text, a list of texts, a switch, or None."""

Number = int | float | Fraction | Decimal
Amount = Number | date | datetime | time | timedelta
Label = str | int | float | bool | date | datetime

HELD = {
    "whole": "whole numbers",
    "single": "numbers",
    "number": "numbers",
    "boolean": "true or false",
    "date": "dates such as 2024-02-29",
    "time": "times such as 2024-02-29T12:30",
    "zoned": "times with a zone such as 2024-02-29T12:30+01:00",
}
"""The values of a column of each kind, in words."""

MOST_NAMES = 2**22
"""The most nodes that get names 0, 1, 2, ... in a text file."""


def number(name: str, text: str) -> Number:
    """The exact number that a text spells. Infinities and NaN are floats, which the library refuses."""
    readers: list[Callable[[str], Number]] = [int, Decimal, *([Fraction] if "/" in text else [])]
    for read in readers:
        try:
            number = read(text)
        except (ValueError, ArithmeticError):
            continue
        return float(text) if isinstance(number, Decimal) and not number.is_finite() else number
    raise ParameterError(name, "must be a number such as 100, 0.5 or 1/3", got=describe(text)) from None


def amount(name: str, text: str) -> Amount:
    """A number, a date, a time, both, or a duration such as 7d, 12h, 30min or 15s."""
    if (duration := duration_of(text)) is not None:
        return duration
    shapes: dict[str, type[date] | type[time]] = {
        r"\d{4}-\d\d-\d\d": date,
        r"\d{4}-\d\d-\d\d[T ].+": datetime,
        r"\d\d:\d\d(:.+)?": time,
    }
    for shape, kind in shapes.items():
        if re.fullmatch(shape, text):
            try:
                return kind.fromisoformat(text)
            except ValueError:
                raise ParameterError(
                    name, f"must be a {kind.__name__} that exists", got=describe(text)
                ) from None
    return number(name, text)


def text(name: str, text: str) -> str:
    """The text as it was typed. The library checks it later."""
    return text


def whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ParameterError(name, "must be a whole number", got=describe(text)) from None


def numbers(name: str, text: str) -> list[Number]:
    """A list of numbers."""
    return [number(name, part) for part in parts(name, text)]


def bounds(
    name: str, texts: Sequence[str]
) -> str | tuple[Amount, Amount] | tuple[tuple[Amount, Amount], ...]:
    """A pair of numbers, one pair for each column, or the word "private"."""
    if list(texts) == ["private"]:
        return "private"
    pairs = []
    for text in texts:
        ends = [amount(name, part) for part in text.split(",") if part]
        if len(ends) != 2:
            raise ParameterError(
                name, f"must be two, as in --{name.replace('_', '-')} 0 100", got=describe(text)
            ) from None
        pairs.append((ends[0], ends[1]))
    return pairs[0] if len(pairs) == 1 else tuple(pairs)


def parts(name: str, text: str) -> list[str]:
    """The parts of a typed list, or of a file with one on each line."""
    rows = table(name, text)
    if not text.startswith("@"):
        return rows[0]
    if any(len(row) != 1 for row in rows):
        raise ParameterError(name, f"must be one on each line of {text[1:]}") from None
    return [row[0] for row in rows]


def table(name: str, text: str) -> list[list[str]]:
    """The lines of a file, split at commas. A text that names no file is the only line."""
    if not text.startswith("@"):
        return [_split(name, text)]
    try:
        with open(text[1:], encoding="utf-8-sig", newline="") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError):
        lines = None
    if lines is None:
        raise SchemaError(
            name, "must be in a file of UTF-8 text that can be read", got=describe(text)
        ) from None
    return [_split(name, each) for each in lines if each.strip()]


def keys(
    by: Sequence[str], texts: Sequence[str], types: Types
) -> list[Label] | list[tuple[Label, ...]] | dict[str, list[Label]]:
    """Declared groups: a list for one column; for several columns a list each, ``dept=A,B``, or a file of rows."""
    if len(by) == 1 and len(texts) == 1 and not texts[0].startswith(f"{by[0]}="):
        return [label("keys", part, types.get(by[0])) for part in parts("keys", texts[0])]
    if len(texts) == 1 and texts[0].startswith("@"):
        rows = table("keys", texts[0])
        if any(len(row) != len(by) for row in rows):
            raise ParameterError("keys", f"must be {','.join(by)} on each line of {texts[0][1:]}") from None
        return [
            tuple(label("keys", part, types.get(name)) for name, part in zip(by, row, strict=True))
            for row in rows
        ]
    by_column: dict[str, list[Label]] = {}
    for text in texts:
        name, equals, listed = text.partition("=")
        if not equals or name not in by or name in by_column:
            raise ParameterError(
                "keys", f"must be said once for each column, as in {_example(by)}", got=describe(text)
            ) from None
        by_column[name] = [label("keys", part, types.get(name)) for part in parts("keys", listed)]
    return by_column


def label(name: str, text: str, kind: str | None) -> Label:
    """A text as a value of a column of this kind."""
    readers: dict[str | None, Callable[[str], Label]] = {
        "whole": int,
        "single": _single,
        "number": float,
        "boolean": lambda word: {"true": True, "false": False}[word.lower()],
        "date": date.fromisoformat,
        "time": datetime.fromisoformat,
        "zoned": _zoned,
    }
    try:
        return readers.get(kind, str)(text)
    except (ValueError, KeyError, OverflowError):
        raise ParameterError(
            name, f"must be {HELD[str(kind)]}, as the column holds", got=describe(text)
        ) from None


def _single(text: str) -> float:
    """The nearest float32."""
    with np.errstate(over="ignore"):
        return float(np.float32(float(text)))


def _zoned(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError
    return moment


def labels(name: str, text: str, kind: str | None) -> list[Label]:
    return [label(name, part, kind) for part in parts(name, text)]


def cells(name: str, texts: Sequence[str], columns: Sequence[str], types: Types) -> dict[str, list[Label]]:
    """A list of categories for each column, ``dept=A,B``; for any columns, if none are named elsewhere."""
    by_column: dict[str, list[Label]] = {}
    for text in texts:
        column, equals, listed = text.partition("=")
        if not equals or (columns and column not in columns) or column in by_column:
            example = " ".join(f"--{name} {each}=a,b" for each in columns or ["dept"])
            raise ParameterError(
                name,
                f"must be said once for each column, as in {example}",
                got=describe(text),
            ) from None
        by_column[column] = labels(name, listed, types.get(column))
    return by_column


def bins(name: str, text: str, kind: str | None) -> list[Number] | list[Label]:
    """Return edges if every part is a number and the column is not declared as text; otherwise categories.

    Consecutive whole numbers such as 1,2,3 could be either, if the column holds whole numbers or its type is unknown.
    """
    from noisewise.questions.composites.histogram import may_be_codes  # imported here, as only bins need it

    listed = parts(name, text)
    try:
        edges = [] if kind == "words" else [number(name, part) for part in listed]
    except ParameterError:
        edges = []
    if kind in ("text", "whole") and may_be_codes(edges):
        raise ParameterError(
            name,
            "must be edges or categories",
            got=f"{text}, which may be both",
            fix=f"say --bins {','.join(f'{part}.0' for part in listed)} for edges, or --categories {text}",
        ) from None
    if may_be_codes(edges):
        edges = [Fraction(str(edge)) for edge in edges]  # the library would refuse ints again
    return edges or labels(name, text, kind)


def nodes(name: str, text: str, kind: str | None) -> int | list[Label]:
    """The number of nodes, or a list of them. In a text file a number stands for the names 0, 1, 2, ... as text."""
    if not text.isdecimal():
        return labels(name, text, kind)
    count = whole(name, text)
    if kind not in ("text", "words"):
        return count
    if count > MOST_NAMES:
        raise ParameterError(
            name, f"must be at most {MOST_NAMES:,} in a text file", got=f"{count:,}"
        ) from None
    return [str(index) for index in range(count)]


def _split(name: str, text: str) -> list[str]:
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (ValueError, csv.Error):
        row = []
    if not row:
        raise ParameterError(name, "must be a list such as a,b,c", got=describe(text)) from None
    return row


def _example(by: Sequence[str]) -> str:
    return "--keys a,b" if len(by) == 1 else " ".join(f"--keys {name}=a,b" for name in by)


FRACTION = re.compile(r"\d{1,400}/\d{1,400}")


def as_number(given: Any) -> Any:
    """A value of TOML as a number: a text such as "1/3" is a fraction; anything else stays as it is."""
    if isinstance(given, str) and FRACTION.fullmatch(given) and int(given.partition("/")[2]):
        return Fraction(given)
    return given


def as_labels(given: Any) -> Any:
    """A value of TOML as values of a column: a decimal is the float that a column would hold."""
    if isinstance(given, list):
        return [as_labels(each) for each in given]
    if isinstance(given, dict):
        return {key: as_labels(each) for key, each in given.items()}
    return float(given) if isinstance(given, Decimal) else given


def as_toml(given: Any) -> Any:
    """A value of Python as TOML holds it; `TypedParameter.of_toml` gives it back."""
    if isinstance(given, timedelta):
        count, unit = given // UNITS["us"], "us"
        for name, each in UNITS.items():
            if not given % each:
                count, unit = given // each, name
                break
        return f"{count}{unit}"
    if isinstance(given, Rho):
        return as_toml(given.rho)
    if isinstance(given, (list, tuple)):
        return [as_toml(each) for each in given]
    if isinstance(given, dict):
        return {str(key): as_toml(each) for key, each in given.items()}
    if isinstance(given, (float, Fraction)) and not isinstance(given, bool):
        return _decimal(exact("a number", given))
    return given.item() if callable(getattr(given, "item", None)) else given


def _decimal(number: Fraction) -> Decimal | str:
    """A fraction as a decimal if one is equal to it, else as text."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    decimal = Decimal(number.numerator) / Decimal(number.denominator)
    if rest > 1 or Fraction(decimal) != number:  # no decimal is equal to it, or too long
        return str(number)
    return decimal if "." in str(decimal) or "E" in str(decimal) else Decimal(f"{decimal}.0")


class TypedForm(NamedTuple):
    """How a parameter is typed: the word of the help for its value, and the function that reads its text."""

    metavar: str
    read: Callable[..., Any]
    of_column: bool = False
    """Whether its text is read by the type of the column, such as a category."""


NUMBER, WHOLE, NUMBERS = TypedForm("NUMBER", number), TypedForm("NUMBER", whole), TypedForm("LIST", numbers)
NAME, BOUNDS, LABELS = TypedForm("NAME", text), TypedForm("LOW HIGH", bounds), TypedForm("LIST", labels, True)
CELLS, COLUMN, COLUMNS = TypedForm("LIST", cells), TypedForm("COLUMN", text), TypedForm("COLUMNS", parts)
FORMS = {
    "bins": TypedForm("LIST", bins, True),
    "bounds": BOUNDS,
    "bounds_share": NUMBER,
    "categories": LABELS,
    "category": TypedForm("LABEL", label, True),
    "epsilon": NUMBER,
    "granularity": TypedForm("STEP", amount),
    "interval": NUMBER,
    "mechanism": NAME,
    "nodes": TypedForm("NUMBER|LIST", nodes, True),
    "rho": NUMBER,
    "smooth": NUMBER,
}
"""The forms of parameters whose annotations are not enough."""


def _form(name: str, annotation: Any) -> TypedForm:
    """How a parameter is typed, from its annotation."""
    if name in FORMS:
        return FORMS[name]
    alternatives = {each for each in get_args(annotation) or (annotation,) if each is not type(None)}
    if float in alternatives:
        return NUMBER
    if int in alternatives:
        return WHOLE
    origins = {get_origin(each) for each in (annotation, *alternatives)}
    if tuple in origins:
        return BOUNDS
    return NUMBERS if origins & {Iterable, Sequence, list} else NAME


@dataclass(frozen=True, slots=True)
class TypedParameter:
    """A parameter of a question, and how it is typed."""

    name: str
    form: TypedForm
    default: object
    column: ColumnKind | None = None
    """The kind of its columns, if it names columns."""

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def switch(self) -> bool:
        """Whether it is a switch, without a value."""
        return isinstance(self.default, bool)

    @property
    def many(self) -> bool:
        """Whether it can be typed several times, once for each column: bounds and categories."""
        return self.form in (BOUNDS, CELLS)

    def columns(self, given: Given) -> list[str]:
        """The names of columns that were typed for this parameter."""
        if (typed := given.get(self.name)) is None:
            return []
        return parts(self.name, typed) if self.form is COLUMNS else [typed]

    def of_toml(self, given: Any) -> Any:
        """A value of TOML as a value of Python."""
        if self.column is not None:
            return given
        if self.form.read in (label, labels, nodes, cells):
            return as_labels(given)
        if isinstance(given, list):
            return (tuple if self.form is BOUNDS else list)(self.of_toml(each) for each in given)
        in_time = self.form is BOUNDS or self.form.read is amount
        if in_time and isinstance(given, str) and (duration := duration_of(given)) is not None:
            return duration
        return as_number(given)


@dataclass(frozen=True, slots=True)
class TypedQuestion:
    """A kind of question, and how its parameters are typed. Those that name columns come first."""

    kind: Kind
    parameters: tuple[TypedParameter, ...]

    @classmethod
    @cache
    def of(cls, kind: Kind) -> "TypedQuestion":
        """All parameters of the method of this kind."""
        declared = inspect.signature(kind.make).parameters
        columns = kind.capabilities.columns
        parameters = []
        for index, each in enumerate(column_signature(kind).parameters.values()):
            if index < len(columns):
                form = COLUMN if columns[index] in ("column", "label") else COLUMNS
                parameters.append(TypedParameter(each.name, form, each.default, columns[index]))
                continue
            annotation = declared[each.name].annotation if each.name in declared else None
            in_cells = columns == ("cells",) and each.name == "categories"
            form = CELLS if in_cells else _form(each.name, annotation)
            parameters.append(TypedParameter(each.name, form, each.default))
        return cls(kind, tuple(parameters))

    @property
    def columns(self) -> tuple[TypedParameter, ...]:
        """The parameters that name columns."""
        return self.parameters[: len(self.kind.capabilities.columns)]

    def missing(self, given: Iterable[str]) -> list[str]:
        """The required parameters that were not typed, except epsilon, which may be typed once for all."""
        typed = {*given, "epsilon"}
        return [each.name for each in self.parameters if each.required and each.name not in typed]

    def about(self, given: Given) -> list[str]:
        """The names of all columns that were typed."""
        return [name for each in self.columns for name in each.columns(given)]

    def read(self, given: Given, types: Types) -> dict[str, Any]:
        """The typed texts as keywords of the method."""
        named, keywords = self.about(given), {}
        kind = types.get(named[0]) if named else None
        for each in self.parameters:
            if (typed := given.get(each.name)) in (None, []):
                continue
            if each.form is BOUNDS and len(typed) > 1 and (each.name != "bounds" or self._one_column):
                raise ParameterError(
                    each.name,
                    f"must be said once for {self.kind.name.replace('_', '-')}",
                    got=f"{len(typed)} pairs",
                ) from None
            if each.switch:
                keywords[each.name] = typed
            elif each.form is CELLS:
                keywords[each.name] = cells(each.name, typed, named, types)
            else:
                more = [kind] if each.form.of_column else []
                keywords[each.name] = each.form.read(each.name, typed, *more)
        return keywords

    @property
    def _one_column(self) -> bool:
        return self.kind.capabilities.columns == ("column",)


def kind_called(word: str) -> Kind:
    """The kind of question of this name, with ``-`` or ``_``."""
    name = word.replace("-", "_")
    if name not in KINDS:
        raise deleted(name) or ParameterError(
            word, "is no question", fix=meant(name, KINDS, "such are median, mean and count")
        ) from None
    return KINDS[name]


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The fix for an unknown word: a similar one, or else a list of all."""
    close = get_close_matches(word, list(known), 1)
    return f"did you mean {close[0]}?" if close else otherwise or f"there are {', '.join(known)}"


NAMES_OF_ANSWERS = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""The names that answers can have, as they may become names of files."""


def without_quotes(text: str) -> str:
    """Help without the quotes around code."""
    for quote in ('``"', '"``', "``", "`"):
        text = text.replace(quote, "")
    return text
