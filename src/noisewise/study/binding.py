"""Bind all questions of a study to a table, before they are paid. Mistakes are refused here, with their lines.

If there is no data yet, the table is empty and has every column that the study names. So the same code checks a line
before the run and during the run. The columns of the real file, and their types, can be checked only during the run.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from noisewise.dataset.batches import SharedReads, Together
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.document import Mistake, StudyError
from noisewise.dataset.document import Path as Place
from noisewise.dataset.facts import Facts
from noisewise.dataset.grouped import Grouped
from noisewise.errors import NoisewiseError, ParameterError, SchemaError, python_text
from noisewise.kernel.losses import Loss
from noisewise.kernel.sampling import Bits
from noisewise.kernel.settle import Payer
from noisewise.ledger.amounts import Amount, Budget, price
from noisewise.ledger.budget import Terms
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question
from noisewise.questions.terms import unit_of_privacy
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release
from noisewise.study.reading import StudyQuestion
from noisewise.study.searching import SearchedGroups, answered, searched
from noisewise.tables.conditions import Comparison, Condition
from noisewise.tables.files.cell_types import implied_type
from noisewise.tables.files.scan import ENDINGS, format_of

if TYPE_CHECKING:
    from noisewise.study.study import Study

TEXT_FORMATS = ("csv", "tsv", "jsonl")
READ = ("format", "types", "separator", "decimal", "encoding")
"""The keys of the section [data] that say how the file is read."""
ALSO_CALLED = {
    "bound": ("bounds",),
    "data": ("column",),
    "columns": ("edges", "X"),
    "categories": ("bins",),
    "largest": ("smallest",),
}
"""From a name that errors use to the keys of a study file that may be meant by this name."""


@dataclass(frozen=True, slots=True)
class BudgetAlone:
    """A stand-in for a ledger that has a budget but cannot pay. Questions read the budget to choose a mechanism."""

    budget: Budget | None

    def debit(self, loss: Loss, **keywords: Any) -> Any:
        raise AssertionError("a study pays by its ledger, once")


@dataclass(frozen=True, slots=True)
class BoundQuestion:
    """One question about a table, with the groups that it is asked for, before the question is paid."""

    asked: StudyQuestion
    payable: Payable
    grouped: Grouped | None
    dataset: Dataset

    @property
    def question(self) -> Question:
        """The question with what is known about its columns."""
        return self.dataset._facts.filled(self.asked.question).question

    def answer(
        self, receipt: object, people: str | None, bits: Bits | None = None
    ) -> Release | GroupedRelease:
        """Read the data and draw the answer. Call this only after the debit."""
        if isinstance(self.payable, SearchedGroups):
            return answered(self.dataset, self.asked.question, self.asked.name, self.payable, receipt, bits)
        release = self.payable.answer(receipt, bits=bits)
        if self.grouped is None:
            return replace(release, people=people)
        return self.grouped._arrange(release, {self.asked.name: release})


@dataclass(frozen=True, slots=True)
class BoundStudy:
    """All questions of a study about one table. ``together.loss`` is the cost of all questions."""

    dataset: Dataset
    questions: tuple[BoundQuestion, ...]

    @property
    def together(self) -> Together:
        return Together({each.asked.name: each.payable for each in self.questions})

    @property
    def unit(self) -> str | None:
        """Return what the ledger protects: the column that names people, "edge", "node", or None for records."""
        named: str | None = self.dataset.unit
        return named or self.questions[0].payable.unit

    @classmethod
    def of(cls, study: "Study", dataset: Dataset) -> "BoundStudy":
        """Bind every question of a study. If some questions cannot be asked, raise one error that lists them all."""
        groups: dict[str, tuple[Grouped, SharedReads]] = {}
        bound, refused = list[BoundQuestion](), list[tuple[StudyQuestion, NoisewiseError]]()
        for each in study.questions:
            try:
                bound.append(bind(each, dataset, groups))
            except NoisewiseError as error:
                refused.append((each, error))
        found = [(place_of(study, *each), each[1]) for each in refused] or differing_protection(study, bound)
        if found:
            raise raised(study, found) from None
        return cls(dataset, tuple(bound))


def raised(study: "Study", found: list[tuple[Place, NoisewiseError]]) -> NoisewiseError:
    """Return one error that lists all mistakes ``found`` in a study. Each is given as a place and an error.

    An error about a missing package is returned alone.
    """
    lines = [(study.lines.of(path), error) for path, error in found]
    for line, error in lines:
        if error.extra or len(found) == 1:
            return located(error, study.file, line)
    mistakes = StudyError(study.file, [Mistake(line, str(error)) for line, error in lines])
    if all(isinstance(error, SchemaError) for _, error in found):
        return SchemaError("\n".join(mistakes.mistakes))  # the data file is wrong, not the study
    return mistakes


def bind(
    asked: StudyQuestion, dataset: Dataset, groups: dict[str, tuple[Grouped, SharedReads]]
) -> BoundQuestion:
    question = asked.question
    if not asked.by:
        return BoundQuestion(asked, dataset._bind(question), None, dataset)
    if asked.name in asked.by:
        raise ParameterError("name", "must not be that of a column of keys", got=repr(asked.name)) from None
    limited = dataset._limited(**asked.limits)
    if asked.search is not None:
        return BoundQuestion(asked, searched(limited, question, asked.by, asked.search), None, limited)
    which = repr((asked.by, asked.keys, asked.limits))
    if which not in groups:
        groups[which] = limited.group_by(*asked.by, keys=asked.keys), SharedReads()
    grouped, shared = groups[which]
    return BoundQuestion(asked, grouped._bind(question, shared), grouped, dataset)


def place_of(study: "Study", asked: StudyQuestion, error: NoisewiseError) -> Place:
    """Return the place of the key that an error names. If the error names no key, return the place of the question."""
    words = python_text(error.what).replace(":", "").split()
    given = study.document["ask"][asked.index]
    said = [key for word in words for key in (word, *ALSO_CALLED.get(word, ())) if key in given]
    return ("ask", asked.index, *said[:1])


def check_total(study: "Study", bound: BoundStudy) -> None:
    """Raise an error if a study costs more than the budget of the ledger that it creates."""
    if (error := over_budget(study, bound)) is not None:
        raise located(error, study.file, study.line("budget")) from None


def over_budget(study: "Study", bound: BoundStudy) -> ParameterError | None:
    """Return an error if the questions cost more than the budget of the ledger to be created. Otherwise return None."""
    cost = Amount.of(bound.together.loss)
    if study.budget is None or Terms.of(study.budget).allow(cost):
        return None
    return ParameterError(
        "all questions together",
        f"must cost no more than the budget, {study.budget}",
        got=price(cost, study.budget),
    )


def differing_protection(study: "Study", bound: list[BoundQuestion]) -> list[tuple[Place, NoisewiseError]]:
    """Return an error for each question that does not protect the same people as the first question.

    One debit pays for all questions, and a debit is about one way of protecting people.
    """

    def protects(payable: Payable) -> tuple[object, ...]:
        owned = (
            payable.contributions if study.people.get("unit") is None else None
        )  # if a column names people, each question chooses how many records of a person it reads
        return payable.neighbors, owned, payable.unit

    return [
        (
            ("ask", each.asked.index),
            ParameterError(
                each.asked.name,
                f"must protect the same people as {bound[0].asked.name}",
                why="all questions of a study are paid at once",
                fix="put it into a study of its own",
            ),
        )
        for each in bound[1:]
        if protects(each.payable) != protects(bound[0].payable)
    ]


def located(error: NoisewiseError, file: str, line: int) -> NoisewiseError:
    """Return the error with the file and line of the study in front, and with parameters named as in Python."""
    fields = {name: python_text(getattr(error, name)) for name in ("what", "rule", "got", "why", "fix")}
    return error.with_fields(**fields | {"what": f"{file} line {line}: {fields['what']}", "kind": ""})


def opened(
    study: "Study",
    source: str,
    budget: Budget | None,
    progress: Callable[[str, float | None], None] | None = None,
    payer: Payer | None = None,
    **read: Any,
) -> Dataset:
    """Return the Dataset of the file ``source``, as the study declares it. Without ``payer``, it cannot pay."""
    try:
        return _opened(study, source, budget, progress, payer, **read)
    except NoisewiseError as error:
        raise located(
            error, study.file, study.lines.of(key_of_data(study, python_text(error.what)))
        ) from None


def _opened(
    study: "Study",
    source: str,
    budget: Budget | None,
    progress: Callable[[str, float | None], None] | None = None,
    payer: Payer | None = None,
    **read: Any,
) -> Dataset:
    how = {name: study.data[name] for name in READ if name in study.data} | read
    facts = Facts(study.columns, f"[columns] of {study.file}")
    held = {**study.people, "columns": facts} | ({"name": study.data["name"]} if "name" in study.data else {})
    dataset = Dataset.scan(source, progress=progress, **how, **held, ledger=payer or BudgetAlone(budget))
    return dataset.where(study.data["where"]) if "where" in study.data else dataset


def key_of_data(study: "Study", what: str) -> Place:
    """Return the place in the study that an error about the data blames, such as ``("data", "separator")``.

    ``what`` is the field of the error that names the wrong parameter. If a word in it is a key of the section [data] or
    [people], return the section and the key. Otherwise return only a section: [people] for the word "unit", or [data].
    """
    said_by = {"source": "file"} if "format" in study.data else {"source": "file", "format": "file"}
    words = [said_by.get(word, word) for word in what.split()]
    for section, given in (("data", study.data), ("people", study.people)):
        for word in words:
            if word in given:
                return section, word
    return ("people",) if "unit" in words else ("data",)


def bound_without_data(study: "Study", budget: Budget | None = None) -> BoundStudy:
    """Bind all questions of a study to an empty table, which has the columns that the study names."""
    with ExitStack() as stack:
        try:
            dataset = stack.enter_context(without_data(study, budget))
        except NoisewiseError as error:
            raise located(
                error, study.file, study.lines.of(key_of_data(study, python_text(error.what)))
            ) from None
        return BoundStudy.of(study, dataset)


@contextmanager
def without_data(study: "Study", budget: Budget | None = None) -> Iterator[Dataset]:
    """Make an empty table with the columns that the study names, in a file that is deleted after the block."""
    with TemporaryDirectory(prefix="noisewise-") as folder:
        kind, _ = format_of(study.data.get("format") or study.data["file"])
        if kind is None:
            raise SchemaError(
                "format",
                f"must say what the file is, one of {', '.join(dict.fromkeys(ENDINGS.values()))}",
                why="its ending does not",
            ) from None
        path = Path(folder) / "empty"
        if kind == "jsonl":
            path.touch()
            yield _opened(study, str(path), budget or study.budget, format=kind, encoding="utf-8")
            return
        text = kind in TEXT_FORMATS
        sign = study.data.get("separator", "\t" if kind == "tsv" else ",")
        encoding = study.data.get("encoding", "utf-8")
        path.write_bytes(_head(_columns(study), sign if text and len(sign) == 1 else ",", encoding))
        own = {"format": kind} if text else {"format": "csv", "types": _types(study)}
        swapped = not text and study.people.get("neighbors") == "swap" and "unit" not in study.people
        stand_in = _with_neighbors(study, "add_remove") if swapped else study  # text files cannot have swap
        dataset = _opened(stand_in, str(path), budget or study.budget, **own)
        if swapped:
            dataset._neighbors, dataset._contributions = unit_of_privacy("swap", dataset.contributions)
        yield dataset


def _with_neighbors(study: "Study", neighbors: str) -> "Study":
    return replace(study, people={**study.people, "neighbors": neighbors})


def _head(names: list[str], sign: str, encoding: str) -> bytes:
    """Return the first line of a text file with the columns ``names``, separated by ``sign``.

    If the encoding is unknown, the line is in UTF-8. The scan of the file then refuses the encoding.
    """
    line = io.StringIO()
    csv.writer(line, delimiter=sign, lineterminator="\n").writerow(names)
    try:
        return line.getvalue().encode(encoding)
    except (LookupError, ValueError):
        return line.getvalue().encode()


def _columns(study: "Study") -> list[str]:
    """Return all columns that a study names. If it names none, return one column, as a table must have one."""
    named = [study.people.get("unit"), *study.columns, *study.data.get("types", {})]
    for each in study.questions:
        named += [*each.by, *each.question.about]
    if "where" in study.data:
        named += Condition.read(study.data["where"]).columns
    return list(dict.fromkeys(name for name in named if name is not None)) or ["no column"]


def _types(study: "Study") -> dict[str, str]:
    """Guess the types of columns from the condition, keys and categories of a study. The file may have other types."""
    types = {each.column: _type_of_literal(each.literals[0]) for each in _compared(study)}
    for name, column in study.columns.items():
        if column.keys:
            types[name] = implied_type(list(column.keys[:1])) or "text"
    for each in study.questions:
        lists = each.keys if isinstance(each.keys, Mapping) else _parts(each)
        for name, parts in lists.items():
            if parts:
                types[name] = implied_type(parts[:1]) or "text"
        category = each.question.keywords.get("category")
        if category is not None and each.question.about:
            types[each.question.about[0]] = implied_type([category]) or "text"
    return types


def _parts(asked: StudyQuestion) -> dict[str, list[Any]]:
    """Return the list of keys for each column by which a question is grouped, if the question gives keys as a list."""
    if len(asked.by) == 1:
        return {asked.by[0]: asked.keys}
    rows = [row for row in asked.keys or [] if isinstance(row, list) and len(row) == len(asked.by)]
    return {name: [row[index] for row in rows] for index, name in enumerate(asked.by)}


def _compared(study: "Study") -> list[Comparison]:
    """Return the comparisons with a value in a study's condition. ``is missing`` compares with no value."""
    where = study.data.get("where")
    return [] if where is None else [each for each in Condition.read(where).comparisons if each.literals]


def _type_of_literal(literal: float | str | bool) -> str:
    """Guess the type of a column, such as "number" or "date", from a literal that the column is compared with."""
    if not isinstance(literal, str):
        return implied_type([literal]) or "text"
    for kind in (date, datetime, time):
        try:
            kind.fromisoformat(literal)
        except ValueError:
            continue
        return kind.__name__
    return "text"
