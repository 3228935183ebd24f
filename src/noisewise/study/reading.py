"""Reading a study: every key of a document is judged, and each question becomes a value. No data is needed.

    [study]   title
    [data]    file, and how it is read
    [people]  whose rows they are
    [budget]  the ledger that pays, and what it may spend in all
    [[ask]]   a question by its name, with the arguments of the method of that name; and in which groups

All mistakes are collected, so that one look mends them all.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import noisewise.questions.functions  # noqa: F401  # registers the questions
from noisewise.books import is_address
from noisewise.errors import NoisewiseError
from noisewise.numbers.exact import exact_epsilon
from noisewise.privacy import ZCDP, ApproxDP, PureDP
from noisewise.privacy.amounts import Budget
from noisewise.questions.question import DATASET_KEYWORDS, KINDS, Kind, Question, column_signature
from noisewise.questions.sharing import priced
from noisewise.study.document import Document, Lines, Mistake, Path, StudyError
from noisewise.study.values import argument, as_number, labels
from noisewise.tables.conditions import Condition

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Rule:
    """What the value of a key must be, in words and as JSON Schema says it."""

    words: str
    holds: Callable[[Any], bool]
    schema: Mapping[str, Any]
    meaning: str

    @classmethod
    def text(cls, meaning: str) -> "Rule":
        return cls("text in quotes", lambda given: isinstance(given, str), {"type": "string"}, meaning)

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
    return isinstance(number, (int, Decimal, Fraction)) and not isinstance(number, bool) and number > 0


TYPES = Rule(
    'a table such as {salary = "number"}',
    lambda given: isinstance(given, dict) and all(isinstance(each, str) for each in given.values()),
    {"type": "object", "additionalProperties": {"type": "string"}},
    "What columns of a text file are: number, boolean, text, date, datetime, time or duration.",
)
SECTIONS: dict[str, dict[str, Rule]] = {
    "study": {"title": Rule.text("What the publication is called.")},
    "data": {
        "file": Rule.text("The file of private data, or a pattern, relative to the study file."),
        "format": Rule.text("What the file is where its ending does not say so."),
        "types": TYPES,
        "separator": Rule.text("What stands between the cells of a text file."),
        "decimal": Rule.text("What stands before the decimals in a text file."),
        "encoding": Rule.text("How a text file is encoded."),
        "where": Rule.text("A condition on each row, such as age >= 18: those alone take part."),
        "name": Rule.text("The name of the data, where the ledger is for data of one name only."),
        "size": Rule.whole(
            "How many records there are, public or a guess: price says how good a mean is by it."
        ),
        "sample": Rule.text("A file that anybody may see, of the same columns, for simulate."),
    },
    "people": {
        "unit": Rule.text("The column that names a person."),
        "contributions": Rule.whole("How many records of one person take part."),
        "max_groups": Rule.whole("In how many groups one person takes part."),
        "neighbors": Rule.text("add_remove or swap."),
    },
    "budget": {
        "ledger": Rule.text(
            "The ledger's file, relative to the study file; it is created where there is none."
        ),
        "epsilon": Rule.number("All that the ledger may ever spend, as epsilon."),
        "delta": Rule.number("With epsilon: the chance of a loss beyond it."),
        "rho": Rule.number("All that the ledger may ever spend, as rho of zCDP."),
        "spend": Rule.number(
            "What all questions of this study cost together, in epsilon, instead of one in each."
        ),
    },
}
ASK: dict[str, Rule] = {
    "name": Rule.text("What the answer is called, in this study and as a file."),
    "question": Rule.text("What is asked."),
    "group_by": Rule(
        "a column, or a list of columns",
        lambda given: (
            isinstance(given, str)
            or (isinstance(given, list) and bool(given) and all(isinstance(each, str) for each in given))
        ),
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]},
        "The columns whose values make groups.",
    ),
    "keys": Rule(
        "a list, or a table with a list for each column",
        lambda given: isinstance(given, (list, dict)) and bool(given),
        {"type": ["array", "object"]},
        "The groups there are, known without looking at the data.",
    ),
    "key_epsilon": Rule.number("Without keys: the privacy loss of finding out which groups there are."),
    "key_delta": Rule.number("Without keys: the chance of a loss beyond key_epsilon."),
    "share": Rule.number("Which part of spend this question gets, compared with the others."),
}
"""The keys that every question has."""


@dataclass(frozen=True, slots=True)
class StudyQuestion:
    """One question of a study: what the answer is called, what is asked, in which groups, and in which line."""

    name: str
    question: Question
    by: tuple[str, ...]
    keys: Any
    line: int
    search: tuple[Any, Any] | None = None
    """What the groups are searched for with, epsilon and delta, where they are not declared."""


@dataclass(frozen=True, slots=True)
class Sections:
    """What a document says, judged."""

    title: str
    data: Mapping[str, Any]
    people: Mapping[str, Any]
    ledger: str | None
    budget: Budget | None
    questions: tuple[StudyQuestion, ...]


class Reading:
    """One reading of a document, with the mistakes found so far."""

    def __init__(self, document: Document, lines: Lines) -> None:
        self.document, self.lines = document, lines
        self.mistakes: list[Mistake] = []

    def wrong(self, path: Path, text: str) -> None:
        self.mistakes.append(Mistake(self.lines.of(path), text))

    def sections(self, file: str) -> Sections:
        """All sections; an error that lists every mistake where there are some."""
        self.unknown((), self.document, (*SECTIONS, "ask"), "a study", "is no section")
        tables = {name: self.section(name) for name in SECTIONS}
        if "file" not in tables["data"]:
            self.wrong(("data",), "[data] needs file, where the private data is")
        self.judge_condition(tables["data"])
        budget = self.budget(tables["budget"])
        asks = self.document.get("ask", [])
        if not isinstance(asks, list) or not asks:
            self.wrong(("ask",), "a study needs a question: [[ask]] with a name and a question")
            asks = []
        questions = [self.ask(index, given) for index, given in enumerate(asks)]
        self.different(questions)
        known = [each for each in questions if each is not None]
        if not self.mistakes:
            known = self.priced(known, tables["budget"].get("spend"))
        if self.mistakes:
            raise StudyError(file, self.mistakes) from None
        return Sections(
            title=tables["study"].get("title", ""),
            data=tables["data"],
            people=tables["people"],
            ledger=tables["budget"].get("ledger"),
            budget=budget,
            questions=tuple(known),
        )

    def judge_condition(self, data: Mapping[str, Any]) -> None:
        """What is wrong with a condition by itself; whether it suits its columns is judged with them."""
        try:
            if "where" in data:
                Condition.read(data["where"])
        except NoisewiseError as error:
            self.wrong(("data", "where"), str(error))

    def section(self, name: str) -> dict[str, Any]:
        given = self.document.get(name, {})
        if not isinstance(given, dict):
            self.wrong((name,), f"{name} must be a section, [{name}]")
            return {}
        self.unknown((name,), given, SECTIONS[name], f"[{name}]")
        return self.fitting((name,), given, SECTIONS[name])

    def unknown(
        self, path: Path, given: Iterable[str], known: Iterable[str], where: str, what: str = "is no key"
    ) -> None:
        for key in given:
            if key not in known:
                close = get_close_matches(key, list(known), 1)
                meant = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
                self.wrong((*path, key), f"{key} {what} of {where}; {meant}")

    def fitting(self, path: Path, given: Mapping[str, Any], rules: Mapping[str, Rule]) -> dict[str, Any]:
        """The keys whose values are what they must be; the others are mistakes."""
        fit = {}
        for key, rule in rules.items():
            if key in given and rule.holds(given[key]):
                fit[key] = given[key]
            elif key in given:
                self.wrong((*path, key), f"{key} must be {rule.words}")
        return fit

    def budget(self, given: Mapping[str, Any]) -> Budget | None:
        if "ledger" in given and is_address(given["ledger"]):
            self.wrong(
                ("budget", "ledger"),
                "ledger must be a file: the address of a database may hold a password, and a study is published; "
                "leave it out, and say it as --ledger or in NOISEWISE_LEDGER",
            )
        numbers = {key: as_number(given[key]) for key in ("epsilon", "delta", "rho") if key in given}
        if not numbers:
            return None
        try:
            match sorted(numbers):
                case ["epsilon"]:
                    return PureDP(numbers["epsilon"])
                case ["rho"]:
                    return ZCDP(numbers["rho"])
                case ["delta", "epsilon"]:
                    return ApproxDP(numbers["epsilon"], numbers["delta"])
        except NoisewiseError as error:
            self.wrong(("budget", min(numbers)), str(error))
            return None
        self.wrong(("budget", max(numbers)), "the budget must be epsilon, epsilon and delta, or rho")
        return None

    def ask(self, index: int, given: Any) -> StudyQuestion | None:
        """One question; None where it cannot be read."""
        path, before = ("ask", index), len(self.mistakes)
        if not isinstance(given, dict):
            self.wrong(path, "ask must be a section, [[ask]]")
            return None
        own = self.fitting(path, given, ASK)
        for key in ("name", "question"):
            if key not in given:
                self.wrong(path, f"[[ask]] needs {key}")
        if "name" in own and not NAME.fullmatch(own["name"]):
            self.wrong((*path, "name"), "name must be letters, digits, _ and -, as it names a file")
        if "question" not in own:
            return None
        kind = KINDS.get(own["question"].replace("-", "_"))
        if kind is None:
            close = get_close_matches(own["question"].replace("-", "_"), list(KINDS), 1)
            meant = f"did you mean {close[0]}?" if close else "such questions are median, mean and count"
            self.wrong((*path, "question"), f"{own['question']} is no question; {meant}")
            return None
        rest = {key: value for key, value in given.items() if key not in ASK}
        question = self.question(path, kind, rest)
        self.judge_groups(path, given, given.get("name", kind.name))
        if question is None or len(self.mistakes) > before:
            return None
        by = own.get("group_by", ())
        return StudyQuestion(
            name=own["name"],
            question=question,
            by=(by,) if isinstance(by, str) else tuple(by),
            keys=labels(own.get("keys")),
            line=self.lines.of(path),
            search=(as_number(own["key_epsilon"]), as_number(own["key_delta"]))
            if "key_epsilon" in own
            else None,
        )

    def judge_groups(self, path: Path, given: Mapping[str, Any], name: object) -> None:
        """Groups are declared, or searched for at a price."""
        searched = [key for key in ("key_epsilon", "key_delta") if key in given]
        if "group_by" not in given and ("keys" in given or searched):
            self.wrong(path, f"{name} needs group_by")
        elif "group_by" in given and "keys" not in given and not searched:
            self.wrong(
                path, f"{name} needs keys, the groups you know without the data; or key_epsilon and key_delta"
            )
        elif "keys" in given and searched:
            self.wrong((*path, searched[0]), f"{searched[0]} must be left out where keys are given")
        elif len(searched) == 1:
            self.wrong(
                path, f"{name} needs {'key_delta' if searched == ['key_epsilon'] else 'key_epsilon'} too"
            )

    def question(self, path: Path, kind: Kind, given: Mapping[str, Any]) -> Question | None:
        """The question with its arguments, of which only the names are judged here."""
        parameters = column_signature(kind).parameters
        for key in (key for key in given if key in DATASET_KEYWORDS and key not in parameters):
            where = "[budget]" if key == "ledger" else "[people]"
            self.wrong((*path, key), f"{key} is said once for all questions, in {where}")
        asked = [key for key in given if key not in DATASET_KEYWORDS]
        self.unknown(path, asked, [*parameters, *ASK], kind.name)
        misspelt = {close for key in asked for close in get_close_matches(key, list(parameters), 1)}
        for name, each in parameters.items():
            needed = each.default is inspect.Parameter.empty and name != "epsilon"
            if needed and name not in given and name not in misspelt:
                self.wrong(path, f"{kind.name} needs {name}")
        values = {key: argument(key, value) for key, value in given.items() if key in parameters}
        columns = list(parameters)[: len(kind.capabilities.columns)]
        named = tuple(values.pop(name, None) for name in columns)
        return Question(kind, named, (), values)

    def different(self, questions: list[StudyQuestion | None]) -> None:
        """Refuse two answers of one name; files of names that differ in capitals are one on many computers."""
        first: dict[str, int] = {}
        for index, each in enumerate(questions):
            if each is not None and (line := first.setdefault(each.name.lower(), each.line)) != each.line:
                self.wrong(("ask", index, "name"), f"name must be another than that of line {line}")

    def priced(self, questions: list[StudyQuestion], spend: Any) -> list[StudyQuestion]:
        """The questions with an epsilon each: their own, or their share of what all may spend."""
        shares: dict[str, Any] = {}
        for index, each in enumerate(questions):
            given, path = self.document["ask"][index], ("ask", index)
            if "share" in given:
                shares[each.name] = as_number(given["share"])
            try:
                if spend is None and each.question.epsilon is None:
                    self.wrong(path, f"{each.name} needs epsilon; or say in [budget] what all spend together")
                elif spend is None:
                    exact_epsilon(each.question.epsilon)
                elif each.question.epsilon is not None:
                    self.wrong((*path, "epsilon"), "epsilon must be left out where [budget] says spend")
            except NoisewiseError as error:
                self.wrong((*path, "epsilon"), str(error))
            if "key_epsilon" in given and spend is not None:
                self.wrong((*path, "key_epsilon"), "key_epsilon must be left out where [budget] says spend")
            if "share" in given and spend is None:
                self.wrong((*path, "share"), "share needs spend in [budget], which is shared")
        if shares and (without := [index for index, each in enumerate(questions) if each.name not in shares]):
            self.wrong(("ask", without[0]), "share must be said for every question, or for none")
        if self.mistakes:
            return questions
        try:
            by_name = {each.name: each.question for each in questions}
            costs = priced(by_name, as_number(spend), shares or None)
        except NoisewiseError as error:
            self.wrong(("budget", "spend"), str(error))
            return questions
        return [replace(each, question=costs[each.name]) for each in questions]
