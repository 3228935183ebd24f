"""What people type, read as the parameters of a question: by the command line, `ask`, study files and the explorer.

A front end says where the words come from, and points at a mistake: an option, a line of TOML, a field. The rest is
here: `kind_called` finds the question, `TypedQuestion` says which parameters it has and reads them, `meant` says what a
misspelt word should have been.

Texts are read exactly: ``0.1`` is a tenth, ``1/3`` a third, ``100`` a whole number. A list is separated by commas, with
quotes around a part that has a comma itself, or stands in a file, ``@keys.txt``. Text becomes what the column's
declared type holds. TOML has numbers, lists and dates of its own; there text stands only for a fraction, ``"1/3"``,
and a duration, ``"7d"``.
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
from noisewise.questions.question import KINDS, ColumnKind, Kind, column_signature
from noisewise.tables.time.clock import UNITS, duration_of

Types = Mapping[str, str]
"""The kind of each column by its name, one of those in `noisewise.tables.groups.key_parts`; "words" where an option
declares text, "text" where nothing is declared."""

Given = Mapping[str, Any]
"""What was typed, by the names of parameters: a text, a list of texts, a switch, or None."""

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
"""What a column of each kind holds, in words."""

MOST_NAMES = 2**22
"""The most nodes whose names are made up here."""


def number(name: str, text: str) -> Number:
    """The number that a text spells, with nothing lost; infinities and NaN are floats, to be judged by the library."""
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
    """A name, which the library judges."""
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
    """The parts of a list, in the command line or in a file with one on each line."""
    rows = table(name, text)
    if not text.startswith("@"):
        return rows[0]
    if any(len(row) != 1 for row in rows):
        raise ParameterError(name, f"must be one on each line of {text[1:]}") from None
    return [row[0] for row in rows]


def table(name: str, text: str) -> list[list[str]]:
    """The lines of a file of public parameters, split at commas; without a file, the text itself is the only line."""
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
    """Declared groups: a list for one column; for several a list each, ``dept=A,B``, or a file of rows."""
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
    """A text as a column of this kind holds it."""
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
    """The nearest number that a column of float32 can hold."""
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
    """A list of categories for each column, ``dept=A,B``."""
    by_column: dict[str, list[Label]] = {}
    for text in texts:
        column, equals, listed = text.partition("=")
        if not equals or column not in columns or column in by_column:
            raise ParameterError(
                name,
                f"must be said once for each column, as in {' '.join(f'--{name} {each}=a,b' for each in columns)}",
                got=describe(text),
            ) from None
        by_column[column] = labels(name, listed, types.get(column))
    return by_column


def bins(name: str, text: str, kind: str | None) -> list[Number] | list[Label]:
    """Edges where every part is a number, unless the column is declared as text; else categories.

    Whole numbers that follow each other, 1,2,3, may be either where a file does not say what the column is, or that it
    is one of whole numbers.
    """
    from noisewise.questions.composites.histogram import may_be_codes  # which no other question needs

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
        edges = [Fraction(str(edge)) for edge in edges]  # no ints, which the library would ask about again
    return edges or labels(name, text, kind)


def nodes(name: str, text: str, kind: str | None) -> int | list[Label]:
    """How many nodes there are, named 0, 1, 2, ..., which in a text file are text; or a list of them."""
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
    if isinstance(given, (list, tuple)):
        return [as_toml(each) for each in given]
    if isinstance(given, dict):
        return {str(key): as_toml(each) for key, each in given.items()}
    if isinstance(given, (float, Fraction)) and not isinstance(given, bool):
        return _decimal(exact("a number", given))
    return given.item() if callable(getattr(given, "item", None)) else given


def _decimal(number: Fraction) -> Decimal | str:
    """A fraction as a decimal where one is equal to it, else as text."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    decimal = Decimal(number.numerator) / Decimal(number.denominator)
    if rest > 1 or Fraction(decimal) != number:  # no decimal, or too long a one
        return str(number)
    return decimal if "." in str(decimal) or "E" in str(decimal) else Decimal(f"{decimal}.0")


class TypedForm(NamedTuple):
    """How a parameter is typed: what help calls its value, and how its text is read."""

    metavar: str
    read: Callable[..., Any]
    of_column: bool = False
    """Whether it holds values of the column, which are read by the column's type."""


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
    "smooth": NUMBER,
}
"""The parameters whose annotation does not say how they are typed."""


def _form(name: str, annotation: Any) -> TypedForm:
    """How a parameter is typed, by what its function declares."""
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
    """What it takes of a table, where it names columns."""

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def switch(self) -> bool:
        """Whether it is said by a word of its own, and not by a value."""
        return isinstance(self.default, bool)

    @property
    def many(self) -> bool:
        """Whether it may be typed more than once: bounds or categories, for each column."""
        return self.form in (BOUNDS, CELLS)

    def columns(self, given: Given) -> list[str]:
        """The columns that it names."""
        if (typed := given.get(self.name)) is None:
            return []
        return parts(self.name, typed) if self.form is COLUMNS else [typed]

    def of_toml(self, given: Any) -> Any:
        """A value of TOML as Python would be given it."""
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
    """A kind of question, and how its parameters are typed: those that name columns first."""

    kind: Kind
    parameters: tuple[TypedParameter, ...]

    @classmethod
    @cache
    def of(cls, kind: Kind) -> "TypedQuestion":
        """Every parameter that a method of this kind takes."""
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
        """The parameters that must be typed and were not; a price may be said elsewhere."""
        typed = {*given, "epsilon"}
        return [each.name for each in self.parameters if each.required and each.name not in typed]

    def about(self, given: Given) -> list[str]:
        """The names of all columns that were typed."""
        return [name for each in self.columns for name in each.columns(given)]

    def read(self, given: Given, types: Types) -> dict[str, Any]:
        """The texts that were typed, as the keywords of the method."""
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
    """The kind of question of a name, in which ``-`` stands for ``_`` too."""
    name = word.replace("-", "_")
    if name not in KINDS:
        raise deleted(name) or ParameterError(
            word, "is no question", fix=meant(name, KINDS, "such are median, mean and count")
        ) from None
    return KINDS[name]


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """What to type instead of a word that there is not: a similar one, else all there are."""
    close = get_close_matches(word, list(known), 1)
    return f"did you mean {close[0]}?" if close else otherwise or f"there are {', '.join(known)}"


NAMES_OF_ANSWERS = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""What an answer may be called: its name may become that of a file."""


def without_quotes(text: str) -> str:
    """Help without the quotes around code."""
    for quote in ('``"', '"``', "``", "`"):
        text = text.replace(quote, "")
    return text
