"""Conditions: which rows of a table take part. Whether a row takes part depends only on the values in this row.

    condition    and, or, not and brackets around comparisons; ``and`` binds more closely than ``or``
    comparison   column = literal, likewise != < <= > >=; column in (literal, ...); column not in (literal, ...);
                 column is missing; column is not missing
    column       a word, or anything in double quotes: "date of birth"
    literal      a number, 'text' with '' for a quote in it, true, false; dates and times of day are text: '2024-01-31'

A comparison is either true or false. For a missing value every comparison except ``is missing`` is false, even != and
not in. NaN is missing. Numbers are compared as the nearest float64. Text is compared byte by byte, and only by =, !=
and in. No condition can fail at a record: there is no arithmetic, no function and no other table in it. The literals
must suit the declared type of their column, which is checked before the debit.
Proof that a filter by a condition protects a person as well as no filter does: docs/proofs/where.md.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, NoReturn, TypeVar

from noisewise.errors import ColumnName, ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.names import Names, is_column, unknown_column
from noisewise.tables.time.clock import NAMED, Clock, micros_of
from noisewise.tables.time.ticks import Held

T = TypeVar("T")

EXAMPLE = "age >= 18 and region in ('N', 'S')"
LONGEST, MOST, DEEPEST = 10_000, 200, 20
"""The most characters in a condition, the most literals in it, and the most brackets inside each other."""

TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
    | (?P<text>'(?:[^']|'')*')
    | (?P<quoted>"(?:[^"]|"")+")
    | (?P<word>[^\W\d]\w*(?:\.\w+)*)
    | (?P<sign>==|!=|<>|<=|>=|[=<>(),])
    )""",
    re.VERBOSE,
)
WORDS = ("and", "or", "not", "in", "is", "missing", "true", "false")
SAME = {"==": "=", "<>": "!="}
RELATIONS = ("=", "!=", "<", "<=", ">", ">=")

EXAMPLES: dict[Held, str] = {
    "date": "2000-01-31",
    "datetime": "2000-01-31T12:00",
    "zoned": "2000-01-31T12:00+00:00",
    "time": "09:30",
}

ColumnKind = Held | str
"""What a column holds by its declared type: a kind of time such as "date", or "number", "text", "object" (any Python
objects), "cell" (cells of a text file, without a declared type), or "other"."""
Literal = float | str | bool


@dataclass(frozen=True, slots=True)
class Truth:
    """Cells of a text file are compared with true or false."""


@dataclass(frozen=True, slots=True)
class Text:
    """A column is compared as text, byte by byte."""


@dataclass(frozen=True, slots=True)
class Number:
    """A column is compared as float64 numbers."""


ConditionReading = Number | Text | Truth | Clock | Indicator
"""How the column of a comparison is read. An `Indicator` is enough to find which records are missing."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A column and the literals that it is compared with. The relation is "in" (also for =), "not in" (also for !=), <,
    <=, > or >=; or "missing" or "present", without literals."""

    column: str
    relation: str
    literals: tuple[Literal, ...]
    written: str
    reading: ConditionReading | None = None
    """None before the comparison is checked against the type of the column."""

    def __str__(self) -> str:
        return self.written

    def checked(self, names: Names, kind_of: Callable[[str], ColumnKind]) -> "Comparison":
        """Return the comparison with a reading for the type of its column. Raise an error if the column is unknown, or
        if the comparison does not suit the type."""
        if not is_column(self.column, names):
            raise unknown_column("where", self.column, names) from None
        kind = kind_of(self.column)
        reading, literals = _reading(self, kind)
        return Comparison(self.column, self.relation, literals, self.written, reading)


@dataclass(frozen=True, slots=True)
class Condition:
    """Comparisons or other conditions, joined by "and" or "or", or one of them negated by "not"."""

    joint: str
    parts: "tuple[Condition | Comparison, ...]"

    @classmethod
    def read(cls, text: object) -> "Condition":
        """Return the condition that a text spells. If the text is wrong, raise an error that says what is wrong."""
        if not isinstance(text, str):
            raise ParameterTypeError(
                "where", f'must be text such as "{EXAMPLE}"', got=describe(text)
            ) from None
        whole = _Reader(text).whole()
        return whole if isinstance(whole, Condition) else cls("and", (whole,))

    def also(self, other: "Condition") -> "Condition":
        """Return a condition that is true if this condition and the ``other`` are both true."""
        parts = (each.parts if each.joint == "and" else (each,) for each in (self, other))
        return Condition("and", tuple(part for some in parts for part in some))

    def __str__(self) -> str:
        """Return the condition as text, for receipts and ledgers."""
        if self.joint == "not":
            return f"not ({self.parts[0]})"
        if len(self.parts) == 1:
            return str(self.parts[0])
        bare = ("and", "not") if self.joint == "or" else ("not",)
        return f" {self.joint} ".join(
            str(part) if isinstance(part, Comparison) or part.joint in bare else f"({part})"
            for part in self.parts
        )

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Return all comparisons in the condition, in the order of the text."""
        each = ((part,) if isinstance(part, Comparison) else part.comparisons for part in self.parts)
        return tuple(comparison for comparisons in each for comparison in comparisons)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns in the condition, each once."""
        return tuple(dict.fromkeys(each.column for each in self.comparisons))

    def checked(self, names: Names, kind_of: Callable[[str], ColumnKind]) -> "Condition":
        """Return the condition with readings for the types of its columns. Refuse a comparison that does not suit the
        type of its column. No record is read."""
        return Condition(self.joint, tuple(part.checked(names, kind_of) for part in self.parts))

    def combined(self, of: Callable[[Comparison], Any]) -> Any:
        """Return whether the condition is true for each row. The function ``of`` returns this for one comparison, as
        an array of booleans or an expression. The results are combined by &, | and ~."""
        each = [of(part) if isinstance(part, Comparison) else part.combined(of) for part in self.parts]
        if self.joint == "not":
            return ~each[0]
        result = each[0]
        for other in each[1:]:
            result = result & other if self.joint == "and" else result | other
        return result


def compared(relation: str, x: Any, literals: tuple[Any, ...]) -> Any:
    """Return whether the relation, such as "<" or "in", holds between each value of ``x`` and the literals. ``x`` is an
    array or an expression without missing values."""
    if relation in ("in", "not in"):
        among = x == literals[0]
        for literal in literals[1:]:
            among = among | (x == literal)
        return ~among if relation == "not in" else among
    (bound,) = literals
    return {"<": x < bound, "<=": x <= bound, ">": x > bound, ">=": x >= bound}[relation]


def _reading(comparison: Comparison, kind: ColumnKind) -> tuple[ConditionReading, tuple[Literal, ...]]:
    """Return how a column of this ``kind`` is read for a comparison, and the literals, converted for this reading."""
    if not comparison.literals:
        in_time = kind in ("date", "datetime", "zoned", "time", "duration")
        return (Clock(kind, None) if in_time else Indicator()), ()  # type: ignore[arg-type]
    literals, first = comparison.literals, comparison.literals[0]
    if kind in ("date", "datetime", "zoned", "time") and isinstance(first, str):
        micros = tuple(float(micros_of(_in_time(comparison, each, kind))) for each in literals)
        return Clock(kind, None), micros
    if kind in ("number", "cell") and not isinstance(first, str):
        numbers = tuple(map(float, literals))
        return (Truth() if kind == "cell" and isinstance(first, bool) else Number()), numbers
    if kind not in ("text", "object", "cell") or not isinstance(first, str):
        raise _unsuited(comparison, kind) from None
    if comparison.relation not in ("in", "not in"):
        raise ParameterError(
            "where",
            "must compare text by =, != or in",
            got=str(comparison),
            fix="declare the column as date, datetime or time first, if it is one" if kind == "cell" else "",
        ) from None
    return Text(), literals


def _unsuited(comparison: Comparison, kind: ColumnKind) -> ParameterError:
    wanted: dict[str | None, tuple[str, ...]] = {
        "number": ("with numbers, or with true and false",),
        "text": ("with text in single quotes",),
        "object": ("with text in single quotes, as its type declares nothing",),
        **{held: (f"with {NAMED[held]} such as '{example}'",) for held, example in EXAMPLES.items()},
    }
    rule = wanted.get(kind, ("with nothing, but ask whether it is missing",))
    return ParameterError(
        "where", ("must compare the column ", ColumnName(comparison.column), " ", *rule), got=str(comparison)
    )


def _in_time(comparison: Comparison, literal: Literal, kind: ColumnKind) -> Any:
    """Convert a literal to a date, datetime or time of day, whichever its column holds."""
    readers: dict[ColumnKind, Callable[[str], Any]] = {
        "date": date.fromisoformat,
        "datetime": datetime.fromisoformat,
        "zoned": datetime.fromisoformat,
        "time": time.fromisoformat,
    }
    try:
        read = readers[kind](str(literal))
        fits = (getattr(read, "tzinfo", None) is not None) == (kind == "zoned")
    except ValueError:
        fits = False
    if not fits:
        raise _unsuited(comparison, kind) from None
    return read


class _Reader:
    """A parser that reads the text of a condition from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth, self.count = text, 0, 0, 0
        if len(text) > LONGEST:
            raise ParameterError(
                "where", f"must have at most {LONGEST:,} characters", got=f"{len(text):,}"
            ) from None
        self.tokens = [*self._tokens(), ("end", "", len(text))]

    def _tokens(self) -> list[tuple[str, str, int]]:
        tokens, end = [], 0
        while self.text[end:].strip():
            match = TOKEN.match(self.text, end)
            if match is None:
                raise self._wrong(end) from None
            kind = str(match.lastgroup)
            word = match[kind]
            if kind == "word" and word.lower() in WORDS:
                kind, word = "sign", word.lower()
            tokens.append((kind, word, match.start(kind)))
            end = match.end()
        return tokens

    def _wrong(self, start: int, wanted: str = "") -> ParameterError:
        rest = self.text[start:].strip()
        shown = describe(rest if len(rest) <= 40 else f"{rest[:40]}...") if rest else "its end"
        fix = wanted or "columns with other signs go in double quotes, text in single ones"
        return ParameterError("where", f"must be a condition such as {EXAMPLE}", got=shown, fix=fix)

    def fail(self, wanted: str) -> NoReturn:
        raise self._wrong(self.tokens[self.at][2], wanted) from None

    def next_is(self, *words: str) -> bool:
        """Whether these words come next in the text. If so, move on to the text after them."""
        ahead = [word for kind, word, _ in self.tokens[self.at : self.at + len(words)] if kind == "sign"]
        if ahead != list(words):
            return False
        self.at += len(words)
        return True

    def whole(self) -> Condition | Comparison:
        read = self.joined("or")
        if self.tokens[self.at][0] != "end":
            self.fail("and or or joins two comparisons")
        return read

    def joined(self, joint: str) -> Condition | Comparison:
        """Read parts that are joined by ``joint``. Parts joined by "or" may be made of parts joined by "and"."""
        one: Callable[[], Condition | Comparison] = (
            self.denied if joint == "and" else lambda: self.joined("and")
        )
        parts = [one()]
        while self.next_is(joint):
            parts.append(one())
        return parts[0] if len(parts) == 1 else Condition(joint, tuple(parts))

    def denied(self) -> Condition | Comparison:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"brackets and not may be {DEEPEST} deep")
        if self.next_is("not"):
            read: Condition | Comparison = Condition("not", (self.denied(),))
        elif self.next_is("("):
            read = self.joined("or")
            if not self.next_is(")"):
                self.fail("a bracket is open: )")
        else:
            read = self.comparison()
        self.depth -= 1
        return read

    def comparison(self) -> Comparison:
        start = self.at
        kind, word, _ = self.tokens[start]
        if kind not in ("word", "quoted"):
            self.fail("a comparison begins with a column")
        column = word[1:-1].replace('""', '"') if kind == "quoted" else word
        self.at += 1
        if self.next_is("is", "missing"):
            return Comparison(column, "missing", (), f"{word} is missing")
        if self.next_is("is", "not", "missing"):
            return Comparison(column, "present", (), f"{word} is not missing")
        if self.next_is("in") or self.next_is("not", "in"):
            denied = self.tokens[self.at - 2][1] == "not"
            if not self.next_is("("):
                self.fail("a list is in brackets, as in ('N', 'S')")
            literals = [self.literal(column)]
            while self.next_is(","):
                literals.append(self.literal(column))
            if not self.next_is(")"):
                self.fail("a list is in brackets, as in ('N', 'S')")
            spelled = ", ".join(written for _, written in literals)
            relation = "not in" if denied else "in"
            return self.of(column, relation, literals, f"{word} {relation} ({spelled})")
        sign = self.tokens[self.at][1]
        sign = SAME.get(sign, sign)
        if self.tokens[self.at][0] != "sign" or sign not in RELATIONS:
            self.fail("after a column comes =, !=, <, <=, >, >=, in (...), or is missing")
        self.at += 1
        literal = self.literal(column)
        relation = {"=": "in", "!=": "not in"}.get(sign, sign)
        return self.of(column, relation, [literal], f"{word} {sign} {literal[1]}")

    def of(self, column: str, relation: str, literals: list[tuple[Literal, str]], written: str) -> Comparison:
        values = tuple(value for value, _ in literals)
        if len({type(value) for value in values}) > 1:
            self.fail("a list must be all numbers, all text, or true and false")
        if isinstance(values[0], bool) and relation not in ("in", "not in"):
            self.fail("true and false are compared by = and !=")
        return Comparison(column, relation, values, written)

    def literal(self, column: str) -> tuple[Literal, str]:
        """Read a literal, and return its value and its text."""
        kind, word, _ = self.tokens[self.at]
        self.count += 1
        if self.count > MOST:
            self.fail(f"a condition may have {MOST} numbers and texts in it")
        if kind == "sign" and word in ("true", "false"):
            value: Literal = word == "true"
        elif kind == "text":
            value = word[1:-1].replace("''", "'")
        elif kind == "number":
            value = float(word)
            if not math.isfinite(value):
                self.fail("a number must be one that float64 holds")
        elif kind in ("word", "quoted"):
            self.fail(f"{column} is compared with a number, true, false, or text in single quotes")
        else:
            self.fail("a number, true, false, or text in single quotes is missing")
        self.at += 1
        return value, word
