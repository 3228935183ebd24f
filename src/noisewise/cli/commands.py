"""Commands made of questions: typer gets a signature for each, and one function answers them all."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand
from typer.main import get_command

from noisewise.cli import options, words
from noisewise.cli.answer_text import card_with, show
from noisewise.cli.error_text import naming
from noisewise.cli.group_options import Grouping
from noisewise.cli.input_file import described, kinds, known, path_of, reading, schema, size_of, words_in
from noisewise.cli.ledgers import open_ledger
from noisewise.cli.output_file import Content, output_file
from noisewise.cli.questions import Argument, Given, QuestionCommand
from noisewise.cli.screen import hush
from noisewise.dataset.answer_columns import AnswerColumns
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.methods import ask
from noisewise.errors import NoisewiseError, ParameterError
from noisewise.ledger.ledger import Ledger
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release
from noisewise.version import GLOSSARY

Answer = tuple[Release | GroupedRelease, AnswerColumns | None]
KEYWORD = inspect.Parameter.KEYWORD_ONLY


class TypedPairs(TyperCommand):
    """A command whose bounds are two words, ``--bounds 0 100``, or the one word ``private``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, joined(args))
        many = {flag for each in self.params if getattr(each, "multiple", False) for flag in each.opts}
        flags = [word.partition("=")[0].replace("_", "-") for word in args if word.startswith("--")]
        if twice := [flag for flag in flags if flag not in many and flags.count(flag) > 1]:
            raise ParameterError(
                twice[0], "must be said once", got=f"it {flags.count(twice[0])} times"
            ) from None
        return list(rest)


def joined(args: list[str]) -> list[str]:
    """Two words after a flag of bounds become one, as each flag takes one."""
    left, words = list(args), list[str]()
    while left:
        words.append(left.pop(0))
        if words[-1] == "--":
            return words + left
        if words[-1] in ("--bounds", "--intercept-bounds", "--intercept_bounds") and left:
            pair = (
                "," not in left[0] and left[0] != "private" and len(left) > 1 and not left[1].startswith("--")
            )
            words.append(",".join(left[: 1 + pair]))
            del left[: 1 + pair]
    return words


def built(question: QuestionCommand) -> Any:
    """A question's command, with all its options."""

    def command(**given: Any) -> None:
        selections: list[Release] = []
        with output_file(given["output"], given["file"], given["ledger"]) as write:
            try:
                with naming(question.option_names(given)):
                    answered, columns = answer(question, given, selections.append)
            except NoisewiseError:
                if selections:  # the groups are found and paid for
                    show(selections[0], None, None, as_json=given["json"])
                raise
            selection = selections[0] if selections else None
            try:
                each = {} if isinstance(answered, Release) else dict.fromkeys(answered.each, columns)
                write(Content.of(answered, each, card_with(answered, selection), payer(given)))
            finally:  # what is paid for is printed in any case
                show(answered, selection, columns, as_json=given["json"])

    parameters = [
        inspect.Parameter("file", KEYWORD, annotation=options.FILE),
        *(parameter_of(argument) for argument in question.arguments),
        *(
            inspect.Parameter(name, KEYWORD, default=options.default(name), annotation=kind)
            for name, kind in options.COMMON.items()
            if question.kind.capabilities.in_groups or name not in options.GROUPING
        ),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    alone = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False)
    alone.command(
        question.command,
        cls=TypedPairs,
        help=escape(question.help),
        epilog=escape(f"Example: {question.example}\n\nWords: {GLOSSARY}"),
    )(command)
    return options.unconverted(get_command(alone))


def answer(question: QuestionCommand, given: Given, selected: Callable[[Release], None]) -> Answer:
    """Open, judge, pay, look, draw. ``selected`` is called with the release that found the groups, where one did."""
    groups = Grouping.of(given)
    file, format = given["file"], given["format"]
    with (
        hush(described(file), size_of(file), told=given["progress"]) as progress,
        path_of(file, format) as path,
    ):
        read = reading(given)
        types = types_of(question, given, groups, schema(path, format, **read)) | words_in(read)
        declared, keywords = declared_by(given), question.read(given, types)
        dataset = Dataset.scan(path, format=format, progress=progress, **read, **declared)
        if given["where"] is not None:
            dataset = dataset.where(given["where"])
        if groups is not None and question.counts_groups(given):
            keywords["with_count"] = True
        value = getattr(ask, question.name)(**keywords)
        if groups is None:
            return dataset._ask(value), AnswerColumns.of(value)
        if not groups.keys:
            dataset._bind(value)  # a misspelt column must not cost the keys
            groups.judge_search(dataset, [value])
        grouped = groups.of_dataset(dataset, types, selected)
        return grouped._ask(value), AnswerColumns.of(value)


def types_of(
    question: QuestionCommand, given: Given, groups: Grouping | None, declared: dict[str, Any] | None
) -> words.Types:
    """The kinds of the columns. One that the file does not have is refused by the option that names it.

    Where the file declares no columns, all that are named are columns of text.
    """
    unit = given["unit"]
    named = {"--by": [] if groups is None else groups.by, "--unit": [] if unit is None else [unit]}
    named |= {argument.flag: argument.columns(given) for argument in question.column_arguments}
    if declared is None:
        return dict.fromkeys((name for names in named.values() for name in names), "text")
    for flag, names in named.items():
        known(flag, names, tuple(declared))
    return kinds(declared)


def declared_by(given: Given) -> dict[str, Any]:
    """What is declared once, with the dataset: whose rows they are, and who pays."""
    declared = {name: given[name] for name in ("unit", "neighbors", "name") if given[name] is not None}
    for name in ("contributions", "max_groups"):
        if given.get(name) is not None:
            declared[name] = words.whole(name, given[name])
    if (ledger := payer(given)) is not None:
        declared["ledger"] = ledger()
    return declared


def payer(given: Given) -> Callable[[], Ledger] | None:
    """What opens the ledger that pays; None where nobody does."""
    place, name = given["ledger"], given["name"]
    return None if place is None else lambda: open_ledger(place, name)


def parameter_of(argument: Argument) -> inspect.Parameter:
    """An argument as typer wants it."""
    kind: object = bool | None if argument.switch else list[str] | None if argument.many else str | None
    if argument.required:
        kind = list[str] if argument.many else str
    names_columns = argument.option.metavar in ("COLUMN", "COLUMNS")
    info = typer.Option(
        argument.flag,
        help=escape(argument.help),
        metavar=argument.option.metavar or None,
        autocompletion=options.complete_columns if names_columns else None,
    )
    default = inspect.Parameter.empty if argument.required else None
    return inspect.Parameter(argument.name, KEYWORD, default=default, annotation=Annotated[kind, info])
