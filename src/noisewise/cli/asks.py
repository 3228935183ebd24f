"""``noisewise ask FILE QUESTION...``: several questions at once, with one debit for all of them.

A question is typed as one word: its name, its columns, and its arguments by the keys that a study file has for them,

    "median income bounds=0,200000 share=1"   "mean age bounds=0,100 share=2 name=age"

Each has an ``epsilon``, or all share that of the command, alike or by their ``share``. Every question is judged before
anything is paid, and an error says which one is wrong.
"""

import inspect
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.main import get_command

from noisewise.calls import deleted
from noisewise.cli import options, words
from noisewise.cli.answer_text import card_with, show, show_several
from noisewise.cli.commands import KEYWORD, TypedPairs, declared_by, payer, types_of
from noisewise.cli.error_text import naming
from noisewise.cli.group_options import Grouping
from noisewise.cli.input_file import described, path_of, reading, schema, size_of, words_in
from noisewise.cli.output_file import Content, output_file
from noisewise.cli.questions import Given, QuestionCommand, question_of, questions
from noisewise.cli.screen import hush
from noisewise.cli.summaries import SUMMARIES, TOOLS
from noisewise.dataset.answer_columns import AnswerColumns
from noisewise.dataset.batches import SharedReads
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.grouped import Grouped
from noisewise.dataset.methods import ask
from noisewise.errors import NoisewiseError, ParameterError, ReleaseFailed, python_text
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.question import Question, priced
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import Release
from noisewise.study.reading import NAME

EXAMPLE = 'noisewise ask data.csv "median income bounds=0,1000000" "mean age bounds=0,100" --epsilon 1'
GRAMMAR = '"mean age bounds=0,100"'
HELP = """

A question is its name, its columns, and its arguments as KEY=VALUE, as a study file calls them: "median income
bounds=0,1000000 granularity=100". Two more keys are for all questions: name, what the answer is called, and share,
which part of --epsilon it gets compared with the others. Instead of --epsilon each may have its own epsilon=NUMBER.
All are judged before anything is paid, and paid at once: all or none. --by and --keys ask each of them in groups.
"""
QUESTIONS = Annotated[
    list[str],
    typer.Argument(metavar="QUESTION", help=f"A question in quotes, as in {GRAMMAR}; said for each."),
]
EPSILON = Annotated[
    str | None,
    options.option(
        "--epsilon",
        "The privacy loss of all questions together; or else each says its own.",
        options.PAYMENT,
        "NUMBER",
    ),
]


@dataclass(frozen=True, slots=True)
class Typed:
    """One question as it was typed, taken apart and not yet read."""

    text: str
    number: int
    question: QuestionCommand
    given: Given
    name: str
    share: str | None

    @classmethod
    def of(cls, text: str, number: int) -> "Typed":
        """Take a question apart; refuse what it cannot be made of."""
        with in_question(text, number):
            try:
                first, *rest = shlex.split(text)
            except ValueError:
                first = ""
            if not first:
                raise ParameterError(
                    "it", f"must be a question such as {GRAMMAR}", got=describe(text)
                ) from None
            question = _question(first)
            given: dict[str, Any] = dict.fromkeys(each.name for each in question.arguments)
            own: dict[str, str | None] = {"name": None, "share": None}
            columns = iter(question.column_arguments)
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
            lacks = [
                each.name
                for each in question.arguments
                if each.required and each.name != "epsilon" and not given[each.name]
            ]
            if lacks:
                raise ParameterError(
                    lacks[0], f"must be said for {question.name}", fix=_usage(question)
                ) from None
            named = own["name"] or "_".join([question.name, *_about(question, given)])
            if own["name"] is not None and not NAME.fullmatch(named):
                raise ParameterError(
                    "name", "must be letters, digits, _ and -", got=describe(named)
                ) from None
            return cls(text, number, question, given, named, own["share"])

    def read(
        self, groups: Grouping | None, declared: dict[str, Any] | None, types: words.Types, unit: Any
    ) -> Question:
        """The question as a value; its columns are judged by what the file declares."""
        with in_question(self.text, self.number, self.question):
            held = types_of(self.question, {**self.given, "unit": unit}, groups, declared) | types
            asked: Question = getattr(ask, self.question.name)(**self.question.read(self.given, held))
            return asked


def _question(name: str) -> QuestionCommand:
    """A question whose options are called as the keys of a study file are."""
    command = name.replace("_", "-")
    if command not in questions():
        if (gone := deleted(name)) is not None:
            raise gone from None
        close = get_close_matches(command, questions(), 1)
        fix = f"did you mean {close[0].replace('-', '_')}?" if close else "such are median, mean and count"
        raise ParameterError(name, "is no question", fix=fix) from None
    question = question_of(command)
    return replace(question, arguments=tuple(replace(each, flag=each.name) for each in question.arguments))


def _take(question: QuestionCommand, given: dict[str, Any], key: str, value: str) -> None:
    """Write down the value of a key."""
    argument = next((each for each in question.arguments if each.name == key), None)
    if argument is None:
        keys = [*(each.name for each in question.arguments), "name", "share"]
        close = get_close_matches(key, keys, 1)
        meant = f"did you mean {close[0]}?" if close else f"there are {', '.join(keys)}"
        if key in ("group_by", "by", "keys", "where", "unit", "contributions", "ledger", "neighbors"):
            meant = f"it is said once for all questions, as --{'by' if key == 'group_by' else key}"
        raise ParameterError(key, f"is no key of {question.name}", fix=meant) from None
    if argument.switch:
        if value not in ("true", "false", "yes", "no"):
            raise ParameterError(key, "must be true or false", got=describe(value)) from None
        given[key] = value in ("true", "yes")
    elif argument.many:
        given[key] = [*(given[key] or []), value]
    elif given[key] is not None:
        raise ParameterError(key, "must be said once") from None
    else:
        given[key] = value


def _about(question: QuestionCommand, given: Given) -> list[str]:
    return [name for each in question.column_arguments for name in each.columns(given)]


def _usage(question: QuestionCommand) -> str:
    needed = [each for each in question.arguments if each.required and each.name != "epsilon"]
    columns = [each.option.example for each in needed if each in question.column_arguments]
    keys = [f"{each.name}={each.option.example.replace(' ', ',')}" for each in needed[len(columns) :]]
    return f'as in "{" ".join([question.name, *columns, *keys])}"'


@contextmanager
def in_question(text: str, number: int, question: QuestionCommand | None = None) -> Iterator[None]:
    """Errors say which question they are about, and call its arguments by their keys."""
    keys = {} if question is None else {each.name: each.name for each in question.arguments}
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
    """All questions taken apart, with names that differ."""
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


def answer(
    given: Given, selected: Callable[[Release], None]
) -> tuple[JointRelease | GroupedRelease, Release | None, dict[str, AnswerColumns | None]]:
    """Open, judge, pay, look, draw: the answers, the release that found their groups, and what numbers are called.

    ``selected`` is called with that release once it is paid for.
    """
    groups, typed = Grouping.of(given), all_typed(given["questions"])
    file, format = given["file"], given["format"]
    with (
        hush(described(file), size_of(file), told=given["progress"]) as progress,
        path_of(file, format) as path,
    ):
        read = reading(given)
        declared, types = schema(path, format, **read), words_in(read)
        asked = {each.name: each.read(groups, declared, types, given["unit"]) for each in typed}
        dataset = Dataset.scan(path, format=format, progress=progress, **read, **declared_by(given))
        if given["where"] is not None:
            dataset = dataset.where(given["where"])
        epsilon = None if given["epsilon"] is None else words.number("epsilon", given["epsilon"])
        shares = _shares(typed)
        _judge_prices(typed, given["epsilon"])
        each_priced = priced(asked, epsilon, shares)
        _judge(typed, each_priced, dataset)
        columns = {name: AnswerColumns.of(question) for name, question in each_priced.items()}
        if groups is None:
            return dataset.agg(epsilon=epsilon, shares=shares, **asked), None, columns
        groups.judge_search(dataset, each_priced.values())
        grouped = groups.of_dataset(dataset, _kinds(declared, types, groups), selected)
        if grouped.selection is None:
            _judge(typed, each_priced, grouped)
        return grouped.agg(epsilon=epsilon, shares=shares, **asked), grouped.selection, columns


def _judge_prices(typed: list[Typed], epsilon: str | None) -> None:
    """Refuse questions without a price, and with two."""
    for each in typed:
        own = each.given.get("epsilon") is not None
        with in_question(each.text, each.number):
            if own and epsilon is not None:
                raise ParameterError(
                    "epsilon", "must be left out where --epsilon is for all questions"
                ) from None
            if not own and epsilon is None:
                raise ParameterError(
                    "epsilon",
                    "must be said, as in epsilon=0.5",
                    fix="or --epsilon, for all questions together",
                ) from None
            if each.share is not None and epsilon is None:
                raise ParameterError("share", "must be left out without --epsilon, which is shared") from None


def _judge(typed: list[Typed], asked: Mapping[str, Question], data: Dataset | Grouped) -> None:
    """Bind every question, so that one that is wrong is named before anything is paid."""
    for each in typed:
        with in_question(each.text, each.number, each.question):
            if isinstance(data, Dataset):
                data._bind(asked[each.name])
            else:
                data._bind(asked[each.name], SharedReads())


def _kinds(declared: dict[str, Any] | None, types: words.Types, groups: Grouping) -> words.Types:
    from noisewise.cli.input_file import kinds, known

    if declared is None:
        return dict.fromkeys(groups.by, "text") | types
    known("--by", groups.by, tuple(declared))
    return kinds(declared) | types


def _shares(typed: list[Typed]) -> dict[str, Any] | None:
    """Which part of epsilon each question gets; None where nobody says."""
    if all(each.share is None for each in typed):
        return None
    shares = {}
    for each in typed:
        with in_question(each.text, each.number):
            if each.share is None:
                raise ParameterError("share", "must be said for every question, or for none") from None
            shares[each.name] = words.number("share", each.share)
    return shares


def built() -> Any:
    """The command, with all its options."""

    def command(**given: Any) -> None:
        with output_file(given["output"], given["file"], given["ledger"]) as write:
            selections: list[Release] = []
            try:
                answers, selection, columns = answer(given, selections.append)
            except NoisewiseError:
                if selections:  # the groups are found and paid for
                    show(selections[0], None, None, as_json=given["json"])
                raise
            try:
                write(Content.of(answers, columns, card_with(answers, selection), payer(given)))
            finally:
                show_several(answers, selection, columns, as_json=given["json"])

    parameters = [
        inspect.Parameter("file", KEYWORD, annotation=options.FILE),
        inspect.Parameter("questions", KEYWORD, annotation=QUESTIONS),
        inspect.Parameter("epsilon", KEYWORD, default=None, annotation=EPSILON),
        *(
            inspect.Parameter(name, KEYWORD, default=options.default(name), annotation=kind)
            for name, kind in options.COMMON.items()
        ),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    alone = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False)
    alone.command(
        "ask",
        cls=TypedPairs,
        help=escape(SUMMARIES[TOOLS]["ask"] + HELP.rstrip()),
        epilog=escape(f"Example: {EXAMPLE}"),
    )(command)
    return options.unconverted(get_command(alone))
