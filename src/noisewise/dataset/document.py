"""Documents: read a study file or a file of facts as plain values, check its keys, and write a document as text.

A document holds the values of TOML: dictionaries, lists, text, booleans, whole numbers, decimals and dates. Numbers
with a point are read as decimals, so 0.1 is exactly a tenth. Two documents with the same content have the same
fingerprint, even if their layout differs.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from noisewise.errors import ParameterError
from noisewise.questions.typed import as_number, meant

Document = dict[str, Any]
Path = tuple[str | int, ...]
"""Where a value stands: ("ask", 1, "bounds")."""

PART = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
HEADER = re.compile(rf"\s*\[(\[?)\s*({PART}(?:\s*\.\s*{PART})*)\s*\]\]?\s*(?:#.*)?")
KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*[.=]""")
BARE = re.compile(r"[A-Za-z0-9_-]+")
LONGEST = 1_000_000
"""The most bytes of a study file."""
PARTS = 32
SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character, which no file in UTF-8 holds."""

DEEP = re.compile(rf"""(?m)(?:^|[\[{{,])[ \t]*(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){{{PARTS}}}""")
"""A key of more parts than any study has; tomllib takes the square of their number in time and memory."""
LONG = re.compile(r"\d[\d_]{4299}")
"""More digits than Python reads as one number."""
PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
"""Where tomllib says a mistake is."""


class Mistake(NamedTuple):
    """A mistake in a study file, and its line."""

    line: int
    text: str


class StudyError(ParameterError):
    """A study file that cannot be run. ``mistakes`` has a line of text for each mistake."""

    def __init__(self, file: str, mistakes: list[Mistake], rest: Any = None) -> None:
        self.file, self.found, self.rest = file, sorted(mistakes), rest
        """``rest`` is a Study of all keys without mistakes, if the file could be read."""
        self.mistakes = [f"{file} line {each.line}: {each.text}" for each in self.found]
        super().__init__("\n".join(self.mistakes))


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule for the value of a key, in words and as JSON Schema."""

    words: str
    holds: Callable[[Any], bool]
    schema: Mapping[str, Any]
    meaning: str

    @classmethod
    def text(cls, meaning: str) -> "Rule":
        return cls("text in quotes", lambda given: isinstance(given, str), {"type": "string"}, meaning)

    @classmethod
    def name(cls, meaning: str) -> "Rule":
        return cls("text in quotes, and not empty", is_name, {"type": "string", "minLength": 1}, meaning)

    @classmethod
    def whole(cls, meaning: str) -> "Rule":
        return cls(
            "a whole number above 0",
            lambda given: type(given) is int and given > 0,
            {"type": "integer", "minimum": 1},
            meaning,
        )

    @classmethod
    def number(cls, meaning: str) -> "Rule":
        schema = {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string"}]}
        return cls('a number above 0, such as 0.5 or "1/3"', _is_number, schema, meaning)


def _is_number(given: Any) -> bool:
    number = as_number(given)
    if isinstance(number, bool) or not isinstance(number, (int, Decimal, Fraction)):
        return False
    return (number.is_finite() if isinstance(number, Decimal) else True) and number > 0


def is_name(given: object) -> bool:
    """Whether this can be the name of a file or of a column."""
    return isinstance(given, str) and given != "" and "\0" not in given


def parsed(text: str, file: str) -> Document:
    """Read a text as a document. An error names the line of the mistake."""
    if half := SURROGATE.search(text):
        line = text.count("\n", 0, half.start()) + 1
        raise StudyError(file, [Mistake(line, "this is no Unicode")]) from None
    if deep := DEEP.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        raise StudyError(file, [Mistake(line, f"a key must have at most {PARTS} parts")]) from None
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
    except (ArithmeticError, RecursionError, ValueError):
        said = "this is no TOML"
        if long := LONG.search(text):
            line = text.count("\n", 0, long.start()) + 1
            said = f"a number must have fewer digits (at line {line}, column 1)"
    found = PLACE.search(said)
    line = int(found[1]) if found and found[1] else text.count("\n") + 1
    message = said[: found.start()] if found else said
    raise StudyError(file, [Mistake(line, message[:1].lower() + message[1:])]) from None


class KeyLines:
    """The line of each key of a document. If the line of a key is not known, the line of its table."""

    def __init__(self, text: str, document: Document) -> None:
        self._lines: dict[Path, int] = {}
        counts: dict[str, int] = {}
        table: Path = ()
        for number, line in enumerate(text.splitlines(), 1):
            header, key = HEADER.fullmatch(line), KEY.match(line)
            parts = [part.strip("\"'") for part in re.findall(PART, header[2])] if header else []
            if header and parts[0] in document:
                name, *inner = parts
                if header[1] and not inner:
                    counts[name] = counts.get(name, -1) + 1
                index = (counts[name],) if name in counts else ()
                table = (name, *index, *inner)
                self._lines.setdefault(table, number)
            elif key and (name := next(filter(None, key.groups()), "")) in _at(document, table):
                self._lines.setdefault((*table, name), number)

    def of(self, path: Path) -> int:
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)


class Checks:
    """One reading of a document, with the mistakes found so far."""

    def __init__(self, document: Document, lines: KeyLines) -> None:
        self.document, self.lines = document, lines
        self.mistakes: list[Mistake] = []

    def wrong(self, path: Path, text: str) -> None:
        self.mistakes.append(Mistake(self.lines.of(path), text))

    def unknown(
        self, path: Path, given: Iterable[str], known: Iterable[str], where: str, what: str = "is no key"
    ) -> None:
        for key in given:
            if key not in known:
                self.wrong((*path, key), f"{key} {what} of {where}; {meant(key, known)}")

    def fitting(self, path: Path, given: Mapping[str, Any], rules: Mapping[str, Rule]) -> dict[str, Any]:
        """Return the keys whose values follow their rules. Note the others as mistakes."""
        fit = {}
        for key, rule in rules.items():
            if key in given and rule.holds(given[key]):
                fit[key] = given[key]
            elif key in given:
                self.wrong((*path, key), f"{key} must be {rule.words}")
        return fit


def _at(document: Any, path: Path) -> Mapping[str, Any]:
    """Return the table at a path, or an empty table if there is none."""
    try:
        for part in path:
            document = document[part]
    except (IndexError, KeyError, TypeError):
        return {}
    return document if isinstance(document, Mapping) else {}


def fingerprint(document: Document) -> str:
    """Return a hash of every key and every value of a document. The layout does not count."""
    return sha256(json.dumps(_distinct(document), sort_keys=True).encode()).hexdigest()


def _distinct(value: Any) -> Any:
    """Return a value for JSON. Different values become different JSON: 0 is not the same bound as 0.0 or "0"."""
    match value:
        case Mapping():
            return {str(key): _distinct(each) for key, each in value.items()}
        case list() | tuple():
            return [_distinct(each) for each in value]
        case bool() | int() | str():
            return value
        case Decimal() if value.is_finite():
            return {"decimal": str(Fraction(value))}
        case _:
            return {type(value).__name__: str(value)}


def written(document: Document) -> str:
    """Return a document as the text of TOML."""
    blocks = []
    for name, value in document.items():
        tables = value if isinstance(value, list) else [value]
        head = f"[[{written_key(name)}]]" if isinstance(value, list) else f"[{written_key(name)}]"
        blocks += [
            "\n".join([head, *(f"{written_key(key)} = {_value(each)}" for key, each in table.items())])
            for table in tables
        ]
    return "\n\n".join(blocks) + "\n"


def written_key(name: str) -> str:
    return name if BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case datetime() | date() | time():
            return value.isoformat()
        case Mapping():
            return f"{{{', '.join(f'{written_key(key)} = {_value(each)}' for key, each in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            return str(value)
