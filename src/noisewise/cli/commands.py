"""Commands made of questions: typer gets a signature for each, and one function answers them all."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand
from typer.main import get_command

from noisewise.cli import options, words
from noisewise.cli.answers import show
from noisewise.cli.groups import Grouping
from noisewise.cli.ledgers import open_ledger
from noisewise.cli.parts import Parts
from noisewise.cli.questions import Argument, Question
from noisewise.cli.screen import hush
from noisewise.cli.source import described, kinds, known, path_of, schema
from noisewise.cli.speech import speaking
from noisewise.dataset.ask import ask
from noisewise.dataset.dataset import Dataset
from noisewise.errors import NoisewiseError, ParameterError, ReleaseFailed
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release

Answered = tuple[Release | GroupedRelease, Parts | None]
KEYWORD = inspect.Parameter.KEYWORD_ONLY


class Pairs(TyperCommand):
    """A command whose bounds are two words, ``--bounds 0 100``, or the one word ``private``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        read = super().parse_args(ctx, joined(args))
        many = {flag for each in self.params if getattr(each, "multiple", False) for flag in each.opts}
        flags = [word.partition("=")[0].replace("_", "-") for word in args if word.startswith("--")]
        if twice := [flag for flag in flags if flag not in many and flags.count(flag) > 1]:
            raise ParameterError(
                twice[0], "must be said once", got=f"it {flags.count(twice[0])} times"
            ) from None
        return read


def joined(args: list[str]) -> list[str]:
    """Two words after a flag of bounds become one, as each flag takes one."""
    left, found = list(args), list[str]()
    while left:
        found.append(left.pop(0))
        if found[-1] == "--":
            return found + left
        if found[-1] in ("--bounds", "--intercept-bounds", "--intercept_bounds") and left:
            pair = (
                "," not in left[0] and left[0] != "private" and len(left) > 1 and not left[1].startswith("--")
            )
            found.append(",".join(left[: 1 + pair]))
            del left[: 1 + pair]
    return found


def built(question: Question) -> Any:
    """A question's command, with all its options."""

    def command(**given: Any) -> None:
        found: list[Release] = []
        try:
            with speaking(question.called(given)):
                answered, parts = answer(question, given, found.append)
        except NoisewiseError:
            if found:  # they are paid for
                show(found[0], None, None, as_json=given["json"])
            raise
        show(answered, found[0] if found else None, parts, as_json=given["json"])

    parameters = [
        inspect.Parameter("file", KEYWORD, annotation=options.FILE),
        *(_parameter(argument) for argument in question.arguments),
        *(
            inspect.Parameter(name, KEYWORD, default=False if name == "json" else None, annotation=kind)
            for name, kind in options.COMMON.items()
            if question.kind.capabilities.in_groups or name not in options.GROUPING
        ),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    alone = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False)
    alone.command(
        question.command,
        cls=Pairs,
        help=escape(question.help),
        epilog=escape(f"Example: {question.example}"),
    )(command)
    return get_command(alone)


def answer(question: Question, given: dict[str, Any], found: Callable[[Release], None]) -> Answered:
    """Open, judge, pay, look, draw. ``found`` is told what found the groups, where they were not declared."""
    groups = Grouping.of(given)
    file, format = given["file"], given["format"]
    with hush(described(file)) as progress, path_of(file, format) as path:
        types = _types(question, given, groups, schema(path, format))
        held, asked = _held(given), question.read(given, types)
        dataset = Dataset.scan(path, format=format, progress=progress, **held)
        written = getattr(ask, question.name)(**asked)
        if groups is None:
            return dataset._ask(written), Parts.of(written)
        if not groups.keys:
            dataset._bind(written)  # a misspelt column must not cost the keys
        grouped = groups.of_dataset(dataset, types)
        if grouped.selection is not None:
            found(grouped.selection)
            if not len(grouped):
                raise ReleaseFailed(
                    "no group has enough people to be told, so nothing was asked; finding out was paid, and that stands"
                ) from None
        return grouped._ask(written), Parts.of(written)


def _types(
    question: Question, given: dict[str, Any], groups: Grouping | None, declared: dict[str, Any] | None
) -> words.Types:
    """What columns hold. One that the file does not have is refused by the option that names it.

    Where the file declares none, all that are named are columns of text.
    """
    said = {place.flag: place.names(given) for place in question.places}
    said = {"--by": [] if groups is None else groups.by, "--unit": _said(given["unit"])} | said
    if declared is None:
        return dict.fromkeys((name for names in said.values() for name in names), "text")
    for flag, names in said.items():
        known(flag, names, tuple(declared))
    return kinds(declared)


def _said(name: str | None) -> list[str]:
    return [] if name is None else [name]


def _held(given: dict[str, Any]) -> dict[str, Any]:
    """What the Dataset says once."""
    held = {name: given[name] for name in ("unit", "neighbors", "name") if given[name] is not None}
    for name in ("contributions", "max_groups"):
        if given.get(name) is not None:
            held[name] = words.whole(name, given[name])
    if given["ledger"] is not None:
        held["ledger"] = open_ledger(given["ledger"], given["name"])
    return held


def _parameter(argument: Argument) -> inspect.Parameter:
    """An argument as typer wants it."""
    kind: Any = bool | None if argument.switch else list[str] | None if argument.many else str | None
    if argument.required:
        kind = list[str] if argument.many else str
    info = typer.Option(argument.flag, help=escape(argument.help), metavar=argument.option.metavar or None)
    default = inspect.Parameter.empty if argument.required else None
    return inspect.Parameter(argument.name, KEYWORD, default=default, annotation=Annotated[kind, info])
