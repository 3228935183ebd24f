"""``noisewise ask FILE QUESTION...``: several questions at once, with one debit for all of them.

Each question is typed in quotes: its name, its columns, and its parameters, with the keys that a study file uses:

    "median income bounds=0,200000 share=1"   "mean age bounds=0,100 share=2 name=age"

Each question has an ``epsilon`` or a ``rho``, or all share the price of the command, equally or by their ``share``.
Every question is checked before anything is paid, and an error says which question is wrong.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from noisewise.cli.app import TOOLS
from noisewise.cli.commands import answer_and_show, held, named
from noisewise.cli.error_text import naming
from noisewise.cli.group_options import Grouping
from noisewise.cli.input_file import Columns, opened
from noisewise.cli.options import COMMON, FILE, PAYMENT, Option, made
from noisewise.cli.questions import QuestionCommand
from noisewise.errors import NoisewiseError, ParameterError, ReleaseFailed, python_text
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.prices import Price, Rho
from noisewise.questions.keywords import SEARCHED
from noisewise.questions.question import Question, price_of_all, priced
from noisewise.questions.typed import NAMES_OF_ANSWERS, Given, Types, meant, number

if TYPE_CHECKING:
    from noisewise.cli.commands import Answered
    from noisewise.dataset.dataset import Dataset
    from noisewise.dataset.grouped import Grouped
    from noisewise.results.release import Release

EXAMPLE = 'noisewise ask data.csv "median income bounds=0,1000000" "mean age bounds=0,100" --epsilon 1'
GRAMMAR = '"mean age bounds=0,100"'
HELP = """

A question is its name, its columns, and its arguments as KEY=VALUE, as a study file calls them: "median income
bounds=0,1000000 granularity=100". Two more keys are for all questions: name, what the answer is called, and share,
which part of --epsilon or --rho it gets compared with the others. Instead each may have its own epsilon=NUMBER or
rho=NUMBER.
All are checked before anything is paid, and paid at once: all or none. --by and --keys ask each of them in groups.
"""
QUESTIONS = Option(
    "", f"A question in quotes, as in {GRAMMAR}; said for each.", metavar="QUESTION", many=True, required=True
)
EPSILON = Option(
    "--epsilon", "The privacy loss of all questions together; or else each says its own.", PAYMENT, "NUMBER"
)
RHO = Option("--rho", "The same in zCDP, in the place of --epsilon.", PAYMENT, "NUMBER")
FOR_ALL = {"group_by": "by"} | {
    name: name for name in ("by", "keys", "where", "unit", "contributions", "ledger")
}
FOR_ALL |= {name: name.replace("_", "-") for name in ("neighbors", "max_groups", "per_group", *SEARCHED)}
"""The keys of a study file that are said once for all questions, and the options that replace them."""


def command(name: str) -> Any:
    """Return the command ``ask``, with all its options."""

    def run(**given: Any) -> None:
        answer_and_show(given, partial(answer, given))

    options = {"file": FILE, "questions": QUESTIONS, "epsilon": EPSILON, "rho": RHO, **COMMON}
    return made(name, run, options, help=TOOLS[name] + HELP, epilog=f"Example: {EXAMPLE}")


@dataclass(frozen=True, slots=True)
class Typed:
    """One typed question. It is split into words, but their values are not read yet."""

    text: str
    number: int
    question: QuestionCommand
    given: Given
    name: str
    share: str | None

    @classmethod
    def of(cls, text: str, number: int) -> "Typed":
        """Split a typed question into words, and refuse wrong words."""
        with in_question(text, number):
            try:
                first, *rest = shlex.split(text)
            except ValueError:
                first = ""
            if not first:
                raise ParameterError(
                    "it", f"must be a question such as {GRAMMAR}", got=describe(text)
                ) from None
            question = QuestionCommand.called(first)
            kind, typed = question.kind.name, question.typed
            given: dict[str, Any] = dict.fromkeys(each.name for each in typed.parameters)
            own: dict[str, str | None] = {"name": None, "share": None}
            columns = iter(typed.columns)
            for word in rest:
                key, equals, value = word.partition("=")
                if not equals and (column := next(columns, None)) is not None:
                    given[column.name] = word
                elif not equals:
                    raise ParameterError(word, "must be said with its key, as in bounds=0,100") from None
                elif key in own and own[key] is None:
                    own[key] = value
                else:
                    _take(question, given, key.replace("-", "_"), value)
            if lacks := typed.missing(name for name, value in given.items() if value):
                raise ParameterError(lacks[0], f"must be said for {kind}", fix=_usage(question)) from None
            called = own["name"] or "_".join([kind, *typed.about(given)])
            if own["name"] is not None and not NAMES_OF_ANSWERS.fullmatch(called):
                raise ParameterError(
                    "name", "must be letters, digits, _ and -", got=describe(called)
                ) from None
            return cls(text, number, question, given, called, own["share"])

    def read(self, given: Given, columns: Columns) -> Question:
        """Read the values, and return the question. Its columns must be columns of the file."""
        from noisewise.dataset.methods import ask

        with in_question(self.text, self.number, self.question):
            own = {each.name: each.columns(self.given) for each in self.question.typed.columns}
            types = columns.checked(named(given) | own)
            asked: Question = getattr(ask, self.question.kind.name)(
                **self.question.typed.read(self.given, types)
            )
            return asked


def _take(question: QuestionCommand, given: dict[str, Any], key: str, value: str) -> None:
    """Store the value of a key in ``given``, the parameters of the question."""
    parameter = next((each for each in question.typed.parameters if each.name == key), None)
    if parameter is None:
        fix = meant(key, [*given, "name", "share"])
        if key in FOR_ALL:
            fix = f"it is said once for all questions, as --{FOR_ALL[key]}"
        raise ParameterError(key, f"is no key of {question.kind.name}", fix=fix) from None
    if parameter.switch:
        if value not in ("true", "false", "yes", "no"):
            raise ParameterError(key, "must be true or false", got=describe(value)) from None
        given[key] = value in ("true", "yes")
    elif parameter.many:
        given[key] = [*(given[key] or []), value]
    elif given[key] is not None:
        raise ParameterError(key, "must be said once") from None
    else:
        given[key] = value


def _usage(question: QuestionCommand) -> str:
    needed = [each for each in question.typed.parameters if each.required and each.name != "epsilon"]
    columns = [question.example_of(each) for each in needed if each.column is not None]
    keys = [
        f"{each.name}={question.example_of(each).replace(' ', ',')}" for each in needed if each.column is None
    ]
    return f'as in "{" ".join([question.kind.name, *columns, *keys])}"'


@contextmanager
def in_question(text: str, number: int, question: QuestionCommand | None = None) -> Iterator[None]:
    """Make errors raised in this block name the question, and call its parameters by their keys."""
    keys = {} if question is None else {each.name: each.name for each in question.typed.parameters}
    try:
        with naming(keys):
            yield
        return
    except NoisewiseError as error:
        wrong = error
    if wrong.extra or isinstance(wrong, ReleaseFailed):
        raise wrong from None
    raise wrong.with_fields(
        what=(f"question {number}, {describe(text)}: ", python_text(wrong.what))
    ) from None


def all_typed(texts: list[str]) -> list[Typed]:
    """Split all questions into words. The names of their answers must differ."""
    typed = [Typed.of(text, number) for number, text in enumerate(texts, 1)]
    for index, each in enumerate(typed):
        if each.name in [other.name for other in typed[:index]]:
            with in_question(each.text, each.number):
                raise ParameterError(
                    "name",
                    "must be another than that of a question before",
                    got=each.name,
                    fix="say name=...",
                ) from None
    return typed


def answer(given: Given, found: "Callable[[Release], None]") -> "Answered":
    """Check the questions, pay for all of them, and return their answers and the columns of each answer.

    If the groups are searched for, ``found`` is called with the release of that search.
    """
    groups, typed = Grouping.of(given), all_typed(given["questions"])

    def check(columns: Columns) -> tuple[Types, dict[str, Question]]:
        asked = {each.name: each.read(given, columns) for each in typed}
        return columns.checked(named(given)), asked

    with opened(given, check, partial(held, given)) as (dataset, (types, asked)):
        from noisewise.dataset.answer_columns import AnswerColumns

        price = {
            name: None if given[name] is None else number(name, given[name]) for name in ("epsilon", "rho")
        }
        shares = _shares(typed)
        together = price_of_all(price["epsilon"], price["rho"], shares)
        _check_prices(typed, together)
        each_priced = priced(asked, together, shares)
        _check(typed, each_priced, dataset)
        columns = {name: AnswerColumns.of(question) for name, question in each_priced.items()}
        questions: dict[str, Any] = {**price, "shares": shares, **asked}
        if groups is None:
            return dataset.agg(**questions), columns
        groups.check_search(dataset, each_priced.values())
        grouped = groups.of_dataset(dataset, types, found)
        if grouped.selection is None:
            _check(typed, each_priced, grouped)
        return grouped.agg(**questions), columns


def _check_prices(typed: list[Typed], together: Price | None) -> None:
    """Refuse questions without a price, and questions with two."""
    option = "--rho" if isinstance(together, Rho) else "--epsilon"
    for each in typed:
        own = [name for name in ("epsilon", "rho") if each.given.get(name) is not None]
        with in_question(each.text, each.number):
            if own and together is not None:
                raise ParameterError(
                    own[0], f"must be left out where {option} is for all questions"
                ) from None
            if len(own) > 1:
                raise ParameterError("rho", "must be left out where epsilon is said") from None
            if not own and together is None:
                raise ParameterError(
                    "epsilon",
                    "must be said, as in epsilon=0.5, or rho, as in rho=0.1",
                    fix="or --epsilon or --rho, for all questions together",
                ) from None
            if each.share is not None and together is None:
                raise ParameterError(
                    "share", "must be left out without --epsilon or --rho, which is shared"
                ) from None


def _check(typed: list[Typed], asked: Mapping[str, Question], data: "Dataset | Grouped") -> None:
    """Bind every question to the data, so that a wrong question is refused before anything is paid."""
    from noisewise.dataset.batches import SharedReads
    from noisewise.dataset.dataset import Dataset

    for each in typed:
        with in_question(each.text, each.number, each.question):
            if isinstance(data, Dataset):
                data._bind(asked[each.name])
            else:
                data._bind(asked[each.name], SharedReads())


def _shares(typed: list[Typed]) -> dict[str, Any] | None:
    """Return the share of the price for each question, or None if no share was typed."""
    if all(each.share is None for each in typed):
        return None
    shares = {}
    for each in typed:
        with in_question(each.text, each.number):
            if each.share is None:
                raise ParameterError("share", "must be said for every question, or for none") from None
            shares[each.name] = number("share", each.share)
    return shares
