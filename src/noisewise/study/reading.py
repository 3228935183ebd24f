"""Read a study: check every key of a document, and make a value of each question. No data is needed.

    [study]   title
    [data]    file, and how it is read
    [people]  whose rows the data holds
    [columns] what is known about columns without looking at the data
    [budget]  the ledger that pays, and what it may spend in all
    [[ask]]   a question by its name, with the arguments of the method of that name; and in which groups

All mistakes are collected, so that a user sees them at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from noisewise.dataset.document import Checks, Path
from noisewise.dataset.facts import Column, Facts, read_columns
from noisewise.errors import NoisewiseError
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.kernel.numbers.exact import exact
from noisewise.ledger.amounts import Budget
from noisewise.ledger.books import is_address
from noisewise.questions.question import DATASET_KEYWORDS, Kind, Question, priced
from noisewise.questions.terms import price_of
from noisewise.questions.typed import (
    NAMES_OF_ANSWERS,
    TypedQuestion,
    as_labels,
    as_number,
    kind_called,
    meant,
)
from noisewise.study.document_keys import (
    ASK,
    CURRENCIES,
    GROUPS,
    LIMITS,
    SEARCH,
    SECTIONS,
    SPENDS,
    names_columns,
)
from noisewise.tables.conditions import Condition


@dataclass(frozen=True, slots=True)
class StudyQuestion:
    """One question of a study: the name of its answer, the question, its groups, and its line in the file."""

    name: str
    question: Question
    by: tuple[str, ...]
    keys: Any
    line: int
    index: int
    """The number of the question's section among all [[ask]], from 0."""
    search: Mapping[str, Any] | None = None
    """The epsilon or rho, and the delta, of searching for the groups. None if the groups are declared."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """The limits on people in these groups that differ from those of all questions."""


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a document, after they were checked."""

    title: str
    data: Mapping[str, Any]
    people: Mapping[str, Any]
    columns: Mapping[str, Column]
    ledger: str | None
    budget: Budget | None
    questions: tuple[StudyQuestion, ...]


class Reading(Checks):
    """One reading of a study, with the mistakes found so far."""

    def sections(self) -> Sections:
        """Check all sections, and return them without the keys that are mistakes."""
        self.unknown((), self.document, (*SECTIONS, "columns", "ask"), "a study", "is no section")
        tables = {name: self.section(name) for name in SECTIONS}
        said = self.document.get("data")
        if not (isinstance(said, dict) and "file" in said):
            self.wrong(("data",), "[data] needs file, where the private data is")
        self.check_condition(tables["data"])
        columns = read_columns(self)
        self.facts = Facts(columns)
        budget = self.budget(tables["budget"])
        asks = self.document.get("ask", [])
        if not isinstance(asks, list) or not asks:
            self.wrong(("ask",), "a study needs a question: [[ask]] with a name and a question")
            asks = []
        questions = [self.ask(index, given) for index, given in enumerate(asks)]
        self.different(questions)
        known = self.priced([each for each in questions if each is not None], tables["budget"])
        return Sections(
            title=tables["study"].get("title", ""),
            data=tables["data"],
            people=tables["people"],
            columns=columns,
            ledger=tables["budget"].get("ledger"),
            budget=budget,
            questions=tuple(known),
        )

    def check_condition(self, data: Mapping[str, Any]) -> None:
        """Check that a condition can be read. Whether its columns exist is checked when questions are bound."""
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

    def budget(self, given: Mapping[str, Any]) -> Budget | None:
        if "ledger" in given and is_address(given["ledger"]):
            self.wrong(
                ("budget", "ledger"),
                "ledger must be a file: the address of a database may hold a password, and a study is published; "
                "leave it out, and say it as --ledger or in NOISEWISE_LEDGER",
            )
        said = self.document.get("budget", {})
        if isinstance(said, dict) and any(key in said and key not in given for key in CURRENCIES):
            return None  # the value of such a key was noted as a mistake
        numbers = {key: as_number(given[key]) for key in CURRENCIES if key in given}
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
        """Read one question. Return None if it has a mistake that leaves no question."""
        path = ("ask", index)
        if not isinstance(given, dict):
            self.wrong(path, "ask must be a section, [[ask]]")
            return None
        own = self.fitting(path, given, ASK)
        for key in ("name", "question"):
            if key not in given:
                self.wrong(path, f"[[ask]] needs {key}")
        if "name" in own and not NAMES_OF_ANSWERS.fullmatch(own["name"]):
            self.wrong((*path, "name"), "name must be letters, digits, _ and -, as it names a file")
        if "question" not in own:
            return None
        try:
            kind = kind_called(own["question"])
        except NoisewiseError as error:
            self.wrong((*path, "question"), str(error))
            return None
        rest = {key: value for key, value in given.items() if key not in ASK}
        question = self.question(path, kind, rest)
        before = len(self.mistakes)
        self.check_groups(path, given, given.get("name", kind.name))
        if question is None or not NAMES_OF_ANSWERS.fullmatch(own.get("name", "")):
            return None
        if len(self.mistakes) > before or any(key in given and key not in own for key in GROUPS):
            own = {key: value for key, value in own.items() if key not in GROUPS}
        by = own.get("group_by", ())
        return StudyQuestion(
            name=own["name"],
            question=question,
            by=(by,) if isinstance(by, str) else tuple(by),
            keys=as_labels(own.get("keys")),
            line=self.lines.of(path),
            index=index,
            search={argument: as_number(own[key]) for key, argument in SEARCH.items() if key in own} or None,
            limits={key: own[key] for key in LIMITS if key in own},
        )

    def check_groups(self, path: Path, given: Mapping[str, Any], name: object) -> None:
        """Check that the keys of groups are declared, or that a price for searching them is given."""
        searched = [key for key in SEARCH if key in given]
        if "group_by" not in given and any(key in given for key in GROUPS):
            self.wrong(path, f"{name} needs group_by")
        elif "group_by" in given and "keys" not in given and not searched:
            by = given["group_by"]
            names = tuple(by) if isinstance(by, list) else (by,)
            if not names_columns(by) or self.facts.keys(names) is None:
                self.wrong(
                    path,
                    f"{name} needs keys, the groups you know without the data, here or in [columns]; or key_epsilon or "
                    "key_rho, and key_delta",
                )
        elif "keys" in given and searched:
            self.wrong((*path, searched[0]), f"{searched[0]} must be left out where keys are given")
        elif {"key_epsilon", "key_rho"} <= set(searched):
            self.wrong((*path, "key_rho"), "key_rho must be left out where key_epsilon is given")
        elif len(searched) == 1:
            other = "key_epsilon or key_rho" if searched == ["key_delta"] else "key_delta"
            self.wrong(path, f"{name} needs {other} too")

    def question(self, path: Path, kind: Kind, given: Mapping[str, Any]) -> Question | None:
        """Return the question with its parameters, or None if one is missing.

        The values of the parameters are checked later, when the question is bound.
        """
        typed = TypedQuestion.of(kind)
        parameters = {each.name: each for each in typed.parameters}
        for key in (key for key in given if key in DATASET_KEYWORDS and key not in parameters):
            where = "[budget]" if key == "ledger" else "[people]"
            self.wrong((*path, key), f"{key} is said once for all questions, in {where}")
        asked = [key for key in given if key not in DATASET_KEYWORDS]
        self.unknown(path, asked, [*parameters, *ASK], kind.name)
        wrong = [
            each.name for each in typed.columns if each.name in given and not names_columns(given[each.name])
        ]
        for name in wrong:
            self.wrong((*path, name), f"{name} must be the name of a column, or a list of such names")
        values = {key: parameters[key].of_toml(value) for key, value in given.items() if key in parameters}
        named = tuple(values.pop(each.name, None) for each in typed.columns)
        try:
            asks = Question(kind, named, (), values)
        except NoisewiseError as error:
            key = str(error.what)
            self.wrong((*path, key) if key in given else path, str(error))
            return None
        known = {} if wrong else self.facts.filled(asks).question.keywords
        lacks, said = typed.missing([*given, *known]), {meant(key, parameters) for key in asked}
        for name in lacks:
            if f"did you mean {name}?" not in said:
                self.wrong(path, f"{kind.name} needs {name}")
        return None if lacks or wrong else asks

    def check_price(self, path: Path, question: Question) -> None:
        """Note a price that is none."""
        try:
            assert question.typed_price is not None, "it has one"
        except NoisewiseError as error:
            self.wrong(path, str(error))

    def different(self, questions: list[StudyQuestion | None]) -> None:
        """Refuse two answers with the same name. Capitals are ignored, as many computers ignore them in file names."""
        first: dict[str, int] = {}
        for index, each in enumerate(questions):
            if each is not None and (line := first.setdefault(each.name.lower(), each.line)) != each.line:
                self.wrong(("ask", index, "name"), f"name must be another than that of line {line}")

    def priced(self, questions: list[StudyQuestion], budget: Mapping[str, Any]) -> list[StudyQuestion]:
        """Return the questions with their prices: their own price, or their share of the price for all."""
        shares: dict[str, Any] = {}
        said = self.document.get("budget")
        spend = next((key for key in SPENDS if key in budget), None)
        if {*SPENDS} <= {*budget}:
            self.wrong(("budget", "spend_rho"), "spend_rho must be left out where spend is given")
        unread = (
            spend is None and isinstance(said, dict) and any(key in said for key in SPENDS)
        )  # already noted as a mistake
        for each in questions:
            given, path = self.document["ask"][each.index], ("ask", each.index)
            if "share" in given:
                shares[each.name] = as_number(given["share"])
                try:
                    if ASK["share"].holds(given["share"]):  # else it was noted as a mistake
                        exact("share", shares[each.name])
                except NoisewiseError as error:
                    self.wrong((*path, "share"), str(error))
            own = [key for key in SPENDS.values() if key in given]
            if len(own) > 1:
                self.wrong((*path, "rho"), "rho must be left out where epsilon is given")
            elif spend is not None and own:
                self.wrong((*path, *own), f"{own[0]} must be left out where [budget] says {spend}")
            elif spend is None and not own and not unread:
                self.wrong(
                    path, f"{each.name} needs epsilon or rho; or say in [budget] what all spend together"
                )
            elif own:
                self.check_price((*path, *own), each.question)
            for key in ("key_epsilon", "key_rho"):
                if key in given and spend is not None:
                    self.wrong((*path, key), f"{key} must be left out where [budget] says {spend}")
            if "share" in given and spend is None:
                self.wrong((*path, "share"), "share needs spend or spend_rho in [budget], which is shared")
        if shares and (without := [each.index for each in questions if each.name not in shares]):
            self.wrong(("ask", without[0]), "share must be said for every question, or for none")
        if self.mistakes:
            return questions
        try:
            by_name = {each.name: each.question for each in questions}
            typed = {price: as_number(budget[key]) for key, price in SPENDS.items() if key == spend}
            together = None if spend is None else price_of(typed.get("epsilon"), typed.get("rho"))
            costs = priced(by_name, together, shares or None)
        except NoisewiseError as error:
            self.wrong(("budget", str(spend)), f"{spend}: {error}")
            return questions
        return [replace(each, question=costs[each.name]) for each in questions]
