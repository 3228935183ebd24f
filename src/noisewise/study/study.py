"""Study: a publication as a value, read from a file or made from a Dataset. It is checked, priced, tried out and run.

The document of a study determines everything else. So a study file, a session in Python and a published release can
each be made from the others.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noisewise.calls import checked_call, checked_class, without_frames
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.document import LONGEST, Document, KeyLines, StudyError, fingerprint, parsed, written
from noisewise.dataset.facts import Column
from noisewise.dataset.grouped import Grouped
from noisewise.errors import ParameterTypeError, SchemaError
from noisewise.kernel.losses import ZCDP, ApproxDP
from noisewise.kernel.mechanisms import Balance, Mechanism
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.settle import Payer
from noisewise.ledger.amounts import Budget
from noisewise.ledger.books import from_home, is_address
from noisewise.ledger.composition import compose
from noisewise.ledger.ledger import Ledger
from noisewise.questions.question import Question, column_signature
from noisewise.questions.typed import as_toml
from noisewise.study.document_keys import LIMITS
from noisewise.study.reading import Reading, StudyQuestion

if TYPE_CHECKING:
    from noisewise.study.pricing import StudyPrice, StudySimulation
    from noisewise.study.study_release import StudyRelease

Asked = Question | tuple[Grouped, Question]
"""A question about all rows, or groups and a question about them."""


@checked_class("it is made by Study.read(path), Study.parse(text) or Study.of(dataset, questions)")
@dataclass(frozen=True, slots=True, repr=False)
class Study:
    """A whole publication: the data, whose it is, what pays, and every question. Read one with `Study.read`.

    Attributes:
        document: All keys and their values.
        title: Its title.
        data: Where the data is, and how it is read.
        people: Whom it protects.
        columns: What is known about columns without looking at the data.
        ledger: The file of the ledger that pays, as typed.
        budget: The budget of that ledger.
        questions: The questions, in order.
        folder: Paths of files are relative to this folder.
        lines: The line of each key in the file.
        file: The name of the study file.
    """

    document: Document
    title: str = field(compare=False)
    data: Mapping[str, Any] = field(compare=False)
    people: Mapping[str, Any] = field(compare=False)
    columns: Mapping[str, Column] = field(compare=False)
    ledger: str | None = field(compare=False)
    budget: Budget | None = field(compare=False)
    questions: tuple[StudyQuestion, ...] = field(compare=False)
    folder: Path = field(compare=False)
    lines: KeyLines = field(compare=False)
    file: str = field(compare=False)

    @classmethod
    @checked_call("Study.read")
    def read(cls, path: str | PathLike[str]) -> "Study":
        """Read a study from a file. An error lists the mistakes of all keys, each with its line.

        Args:
            path: A file of TOML; paths in it are relative to it.

        Examples:
            >>> study = nws.Study.read("study.toml")
            >>> print(study.price())
        """
        file = Path(fspath(path))
        try:
            text = None if file.stat().st_size > LONGEST else file.read_text(encoding="utf-8")
        except (OSError, ValueError):
            text = None
        if text is None:
            raise SchemaError(
                "study",
                f"must be a file of UTF-8 text that can be read, of at most {LONGEST:,} bytes",
                got=describe(str(file)),
            ) from None
        return cls.parse(text, folder=file.parent, file=file.name)

    @classmethod
    @checked_call("Study.parse")
    def parse(cls, text: str, *, folder: str | PathLike[str] = ".", file: str = "study.toml") -> "Study":
        """Read a study from a text. Its paths are relative to ``folder``."""
        document = parsed(text, file)
        lines = KeyLines(text, document)
        reading = Reading(document, lines)
        sections = reading.sections()
        study = cls(
            document,
            sections.title,
            sections.data,
            sections.people,
            sections.columns,
            sections.ledger,
            sections.budget,
            sections.questions,
            Path(folder),
            lines,
            file,
        )
        if reading.mistakes:
            raise StudyError(file, reading.mistakes, study) from None
        return study

    @classmethod
    @checked_call("Study.of")
    def of(
        cls,
        dataset: Dataset,
        questions: Mapping[str, Asked],
        *,
        file: str | PathLike[str],
        title: str = "",
        **data: Any,
    ) -> "Study":
        """The study that asks these questions of a Dataset. `to_toml` writes it as a file.

        Args:
            dataset: The study takes over its people, contributions and ledger.
            questions: Questions by the names of their answers, as `ask` makes them; with groups a pair,
                ``(staff.group_by("dept", keys=["A", "B"]), ask.mean(...))``.
            file: The file of the data, as a Dataset does not know it.
            title: The title of the publication.
            data: How the file is read: keywords of `Dataset.scan`.

        Examples:
            >>> pay = nws.ask.median("salary", bounds=(0, 500_000), epsilon=0.4)
            >>> print(nws.Study.of(staff, {"pay": pay}, file="staff.csv").to_toml())
        """
        held = {"name": dataset.name, "where": dataset.condition, **data}
        people = {
            "unit": dataset.unit,
            "contributions": None if dataset.contributions == 1 else dataset.contributions,
            **({} if dataset._search is None else dataset._search.typed),
            "max_groups": dataset.max_groups,
            "per_group": dataset.per_group,
            "neighbors": None if dataset.neighbors == "add_remove" else dataset.neighbors,
        }
        document: dict[str, Any] = {
            "study": {"title": title or None},
            "data": {"file": fspath(file), **held},
            "people": people,
            "columns": {
                name: {key: as_toml(getattr(column, key)) for key in column.known}
                for name, column in dataset._facts.columns.items()
            },
            "budget": _budget(dataset.ledger),
            "ask": [_ask(name, asked, dataset) for name, asked in questions.items()],
        }
        plain = {
            name: [_without_none(each) for each in given] if isinstance(given, list) else _without_none(given)
            for name, given in document.items()
        }
        return cls.parse(written({name: given for name, given in plain.items() if given}))

    @property
    def hash(self) -> str:
        """A hash of all keys and values of the study; comments and layout do not count."""
        return fingerprint(self.document)

    def __repr__(self) -> str:
        count = f"{len(self.questions)} question{'s' * (len(self.questions) != 1)}"
        return f"<Study {self.title!r}: {count}, {self.hash[:16]}>"

    def to_toml(self) -> str:
        """The study as the text of a study file."""
        return written(self.document)

    def to_python(self) -> str:
        """A program that asks the same questions of the same data, and pays for each separately."""
        from noisewise.study.python_code import python_of

        return python_of(self)

    def dataset(self, *, ledger: Ledger | None = None) -> Dataset:
        """The data as the study declares it, with its ledger, for more questions in Python.

        Args:
            ledger: The ledger that pays, if the study names none.

        Examples:
            >>> staff = nws.Study.read("study.toml").dataset()
            >>> staff.mean("salary", bounds=(0, 500_000), epsilon=0.1)
        """
        from noisewise.study.binding import BoundStudy, opened
        from noisewise.study.running import ledger_of

        source = self.path(self.data["file"])
        payer = ledger_of(self, ledger, lambda: BoundStudy.of(self, opened(self, source, self.budget)))
        return opened(self, source, self.budget, payer=payer)

    def asked(self, dataset: Dataset) -> dict[str, Asked]:
        """The questions by the names of their answers, with the groups of a Dataset, as `Study.of` takes them.

        Groups that are searched for are found, and paid for, here.
        """
        return {
            each.name: (_groups(each, dataset), each.question) if each.by else each.question
            for each in self.questions
        }

    def path(self, name: str) -> str:
        """The path of a file that the study names, from the current folder; ``~`` in it has no special meaning."""
        seen = str(self.folder / name)
        return f"./{seen}" if seen.startswith("~") else seen

    @property
    def ledger_path(self) -> str | None:
        """The path of the ledger, from the current folder; ``~`` is the home folder of the user, as for any ledger."""
        return None if self.ledger is None else self.path(from_home(self.ledger))

    def line(self, section: str) -> int:
        """The line of the file where a section begins."""
        return self.lines.of((section,))

    def check(self) -> None:
        """Check every line, without data. An error lists all mistakes."""
        from noisewise.study.binding import raised
        from noisewise.study.checking import mistakes_in

        if found := mistakes_in(self):
            raise raised(self, found) from None

    def price(self) -> "StudyPrice":
        """The cost of each question and of all together, and how good the answers will be. No data is read."""
        from noisewise.study.pricing import StudyPrice

        return StudyPrice.of(self)

    def simulate(self, sample: str | PathLike[str] | None = None) -> "StudySimulation":
        """Not private: the answers on public data, and how far they are from the true ones.

        Args:
            sample: A file of public data with the same columns; by default the one that the study names.
        """
        from noisewise.study.pricing import StudySimulation

        return StudySimulation.of(self, sample)

    @without_frames
    def run(
        self,
        *,
        out: str | PathLike[str] | None = None,
        again: bool = False,
        ledger: Ledger | None = None,
        progress: Callable[[str, float | None], None] | None = None,
    ) -> "StudyRelease":
        """Pay for all questions at once, answer them, and write the release into a folder.

        An interrupted run continues where it stopped, and pays nothing twice.

        Args:
            out: The folder; by default one beside the study file, named after it.
            again: Whether to pay for and answer a study again that was run before.
            ledger: The ledger that pays, if the study names none.
            progress: As for `Dataset.scan`.
        """
        from noisewise.study.running import run

        return run(self, out=out, again=again, ledger=ledger, progress=progress)


def _without_none(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: as_toml(value) for key, value in given.items() if value is not None}


def _budget(ledger: Payer | None) -> dict[str, Any]:
    """Return the budget of a Dataset's ledger, and the ledger's file if it has one, as keys of a study file."""
    if not isinstance(ledger, Ledger):
        return {}
    place, budget = ledger._book.full_place, ledger.budget
    named = {} if is_address(place) else {"ledger": place}
    if isinstance(budget, ZCDP):
        return {**named, "rho": budget.rho}
    return {**named, "epsilon": budget.epsilon} | (
        {"delta": budget.delta} if isinstance(budget, ApproxDP) else {}
    )


def _groups(asked: StudyQuestion, dataset: Dataset) -> Grouped:
    if asked.search is None:
        return dataset.group_by(*asked.by, keys=asked.keys, **asked.limits)
    return dataset.group_by(*asked.by, **asked.search, **asked.limits)


def _keys(grouped: Grouped) -> dict[str, Any]:
    """Return the declared keys. If keys were searched for, return the price of the search, and not the found keys."""
    if grouped.selection is None:
        return {"keys": grouped.keys.listed()}
    spent = compose(grouped.selection.privacy)
    return {"key_epsilon": spent.epsilon, "key_delta": spent.delta}


def _limits(grouped: Grouped, dataset: Dataset) -> dict[str, int]:
    """Return the limits on people in these groups that differ from those of the Dataset."""
    limits = {key: getattr(grouped._dataset, key) for key in LIMITS}
    return {key: limit for key, limit in limits.items() if limit != getattr(dataset, key)}


def _ask(name: str, asked: Any, dataset: Dataset) -> dict[str, Any]:
    """Return a question as a section of a study file."""
    grouped, question = asked if isinstance(asked, tuple) and len(asked) == 2 else (None, asked)
    if not isinstance(question, Question) or not isinstance(grouped, (Grouped, type(None))):
        raise ParameterTypeError(
            name,
            "must be a question such as ask.count(epsilon=0.1), or groups and a question",
            got=describe(asked),
        ) from None
    if isinstance(mechanism := question.keywords.get("mechanism"), (Mechanism, Balance)):
        raise ParameterTypeError(
            f"the mechanism of {name}", "must be a name to be written down", got=type(mechanism).__name__
        ) from None
    places = list(column_signature(question.kind).parameters)[: len(question.columns)]
    own = dict(zip(question.kind.parameters.parameters, question.arguments, strict=False))
    groups: dict[str, Any] = {}
    if grouped is not None:
        by = grouped.keys.names
        groups = {"group_by": by[0] if len(by) == 1 else by} | _keys(grouped) | _limits(grouped, dataset)
    columns = dict(zip(places, question.columns, strict=True))
    return {"name": name, "question": question.name, **columns, **own, **question.keywords, **groups}
