"""Options, and functions that make a command from them. This module has the shared options. The others are with their
commands."""

import inspect
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from noisewise.cli.summaries import SUMMARIES
from noisewise.errors import ParameterError

if TYPE_CHECKING:
    pass

DATA, GROUPS, PAYMENT = "The data", "Groups", "Payment and output"


class Option(NamedTuple):
    """An option of a command, or a positional argument."""

    flag: str
    """Several names are separated by spaces, a switch and its opposite by ``/``. A positional argument has none."""
    help: str
    panel: str | None = None
    metavar: str = ""
    """The word of the help for its value; empty for a switch."""
    many: bool = False
    required: bool = False
    envvar: str | None = None
    columns: bool = False
    """Whether a shell completes it with columns of the file."""

    def parameter(self, name: str) -> inspect.Parameter:
        """Return the option as a parameter of a function, as typer reads options from such parameters."""
        kind: Any = (list[str] if self.many else str) if self.metavar else bool
        default: Any = inspect.Parameter.empty
        if not self.required:
            default = None if self.metavar or "/" in self.flag else False
            kind = kind if default is False else kind | None
        if self.flag:
            given: dict[str, Any] = {
                "metavar": self.metavar or None,
                "help": self.help,
                "envvar": self.envvar,
            }
            complete = _complete_columns if self.columns else None
            info = typer.Option(
                *self.flag.split(), rich_help_panel=self.panel, autocompletion=complete, **given
            )
        else:
            info = typer.Argument(metavar=self.metavar, help=self.help, envvar=self.envvar)
        return inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
        )


def _complete_columns(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the columns that complete the typed word in a shell. In a list such as a,b, complete its last column.

    The names of columns are public.
    """
    before, comma, last = incomplete.rpartition(",")
    try:
        from noisewise.cli.input_file import Columns, reading

        given = {name: ctx.params.get(name) for name in ("separator", "encoding")}
        file = ctx.params.get("file") or next(filter(os.path.isfile, _words_so_far()))
        names = Columns.of(file, ctx.params.get("format"), reading(given)).names
    except Exception:  # there is no such file yet, or it is no table: completion prints no errors
        return []
    return [f"{before}{comma}{name}" for name in names or () if name.startswith(last)]


def _words_so_far() -> list[str]:
    """Return the words typed so far, as the shell hands them over. The parser fails on them, as a value is missing."""
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return typed.split("\n") if "\n" in typed else shlex.split(typed)


FILE = Option(
    "",
    "CSV, TSV, Parquet, Arrow or JSON lines, text also packed as .gz or .zst; a pattern such as 'data-*.csv'; or - for "
    "standard input, of up to 16 GB. JSON lines declare no columns: a misspelt name is no error there, all its values "
    "are missing.",
    metavar="FILE",
    required=True,
)
LEDGER = Option(
    "--ledger",
    "A ledger's file or postgresql:// URL, which pays before the data is read. A URL with a password is better kept in "
    "the variable than typed.",
    PAYMENT,
    "PLACE",
    envvar="NOISEWISE_LEDGER",
)
OF_FILE: dict[str, Option] = {
    "format": Option(
        "--format",
        "What the file is where its name does not say so: csv, tsv, parquet, arrow or jsonl; csv.gz or csv.zst where "
        "it is packed.",
        DATA,
        "NAME",
    ),
    "type": Option(
        "--type",
        "What a column of a text file is: number, boolean, text, date, datetime, time or duration, as in age=number; "
        "may be said again. Without it the question decides. A cell that is not of its type is missing.",
        DATA,
        "COLUMN=KIND",
        many=True,
    ),
    "separator": Option(
        "--separator",
        "What stands between the cells of CSV: a sign such as ';', or tab. By default a comma.",
        DATA,
        "SIGN",
    ),
    "decimal": Option(
        "--decimal",
        "What stands before the decimals in a text file, . or , . By default a point.",
        DATA,
        "SIGN",
    ),
    "encoding": Option(
        "--encoding",
        "How a text file is encoded: utf-8, utf-16, or one byte for each sign, such as cp1252. By default utf-8.",
        DATA,
        "NAME",
    ),
    "where": Option(
        "--where",
        "Which rows take part, decided by each row alone, as in \"age >= 18 and region in ('N', 'S')\"; with =, !=, <, "
        "<=, >, >=, in, is missing, and, or, not. A comparison with a missing value is false. Not with "
        "--neighbors swap.",
        DATA,
        "CONDITION",
    ),
}
"""How a file is read."""

CONTRIBUTIONS = Option(
    "--contributions",
    "With --unit: how many records of one person are used, chosen at random. Without: the most records that one person "
    "has; nobody checks this, so you guarantee it. By default 1. The word private finds it, with --unit, for a part of "
    "the price.",
    DATA,
    "NUMBER",
)
FINDING: dict[str, Option] = {
    "contributions_share": Option(
        "--contributions-share",
        "With --contributions private: its part of the price, by default 0.1.",
        DATA,
        "NUMBER",
    ),
    "contributions_quantile": Option(
        "--contributions-quantile",
        "With --contributions private: the share of people whose rows should all be used. By default 0.95.",
        DATA,
        "NUMBER",
    ),
    "contributions_most": Option(
        "--contributions-most",
        "With --contributions private: the largest that may be found. By default 1000.",
        DATA,
        "NUMBER",
    ),
}
"""The options that say how contributions are found."""
NEIGHBORS = Option(
    "--neighbors",
    "add_remove hides whether a person is in the data; swap hides what their record says. By default add_remove.",
    DATA,
    "NAME",
)
UNIT = Option(
    "--unit",
    "The column that names a person, where one may have several records.",
    DATA,
    "COLUMN",
    columns=True,
)
GROUPING: dict[str, Option] = {
    "by": Option(
        "--by",
        "A column whose values make groups; may be said again.",
        GROUPS,
        "COLUMN",
        many=True,
        columns=True,
    ),
    "keys": Option(
        "--keys",
        "The groups there are, known without looking at the data: a,b,c or @FILE; for several columns dept=a,b, said "
        "for each.",
        GROUPS,
        "LIST",
        many=True,
    ),
    "key_epsilon": Option(
        "--key-epsilon",
        "Without --keys: the privacy loss of finding out which groups there are.",
        GROUPS,
        "NUMBER",
    ),
    "key_rho": Option("--key-rho", "The same in zCDP, in the place of --key-epsilon.", GROUPS, "NUMBER"),
    "key_delta": Option("--key-delta", "Without --keys: the chance of a loss beyond that.", GROUPS, "NUMBER"),
    "max_groups": Option(
        "--max-groups", "In how many groups one person takes part; needs --unit.", GROUPS, "NUMBER"
    ),
    "per_group": Option(
        "--per-group",
        "How many records of one person are used in any one group; needs --unit. By default all that --contributions "
        "allows.",
        GROUPS,
        "NUMBER",
    ),
}
"""The options that questions without groups do not have."""

NAME = Option(
    "--name", "The name of the data, where the ledger is for data of one name only.", PAYMENT, "NAME"
)
OUTPUT = Option(
    "--output",
    "Write the answer to this file as well, by its ending: .csv, .json, .parquet, .html (the report), .svg or .png.",
    PAYMENT,
    "FILE",
)
JSON = Option("--json", "Print one JSON object.", PAYMENT)
PROGRESS = Option(
    "--progress",
    "Say on standard error how many bytes of the file are read, also where that is no terminal.",
    PAYMENT,
)
COMMON: dict[str, Option] = {
    **OF_FILE,
    "unit": UNIT,
    "contributions": CONTRIBUTIONS,
    **FINDING,
    "neighbors": NEIGHBORS,
    **GROUPING,
    "ledger": LEDGER,
    "name": NAME,
    "output": OUTPUT,
    "json": JSON,
    "progress": PROGRESS,
}
"""The options of all questions, in the order of the help."""


class AsTyped:
    """A command that gets the values of options as they were typed. Its help may contain any character.

    Typer would convert values by pydantic. Importing pydantic takes longer than most commands, and our options only
    need text.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        parameters = list(super().get_params(ctx))  # type: ignore[misc]
        for each in parameters:
            if not isinstance(each.process_value, partial):
                each.process_value = partial(_as_typed, each, each.process_value)
        return parameters

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help. Brackets are escaped here and not earlier, as importing rich is slow."""
        from rich.markup import escape

        shown: list[Any] = [self, *self.get_params(ctx)]
        for each in shown:
            for name in ("help", "epilog"):
                if getattr(each, name, None):
                    setattr(each, name, escape(getattr(each, name)))
        super().format_help(ctx, formatter)  # type: ignore[misc]


def _as_typed(parameter: Any, convert: Any, ctx: Any, value: Any) -> Any:
    """Return texts, switches and None unchanged. Let typer convert other values, and refuse missing ones."""
    many = parameter.multiple or parameter.nargs != 1
    if parameter.required and not value:
        return convert(ctx, value)
    if value is None or (isinstance(value, bool) and not value):
        return [] if many else value
    if parameter.callback is not None:
        return convert(ctx, value)
    if many and isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value):
        return list(value)
    return value if not many and isinstance(value, (str, bool)) else convert(ctx, value)


class Command(AsTyped, TyperCommand):
    """A command whose bounds are two words, ``--bounds 0 100``, or one word, ``--bounds private``."""

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
    """Return the words of a command line. The two words after ``--bounds`` are joined, as typer reads only one."""
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


def made(
    name: str, run: Callable[..., None], options: Mapping[str, Option], *, help: str = "", epilog: str = ""
) -> Any:
    """Return a command that calls ``run`` with the typed words, by the names of options."""

    def call(**given: Any) -> None:
        run(**given)

    ordered = sorted(
        options.items(), key=lambda each: bool(each[1].flag)
    )  # words without an option come first
    parameters = [option.parameter(each) for each, option in ordered]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    alone = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False)
    text = inspect.cleandoc(help or run.__doc__ or "")
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]  # a terminal wraps them
    alone.command(name, cls=Command, help="\n\n".join(paragraphs), epilog=epilog)(call)
    return get_command(alone)


class Listed(NamedTuple):
    """The line about a command in a list of commands."""

    family: str | None
    text: str


def listed_questions() -> dict[str, Listed]:
    """Return the questions as commands. If the library is loaded, they include the user's own questions."""
    listed = {name: Listed(*each) for name, each in SUMMARIES.items()}
    if "noisewise.questions.question" in sys.modules:
        from noisewise.cli.questions import QuestionCommand
        from noisewise.questions.kinds import MODULES
        from noisewise.questions.question import KINDS

        own = [QuestionCommand(KINDS[name]) for name in KINDS if name not in MODULES]
        listed |= {each.name: Listed(each.family, each.short) for each in own}
    return listed


class Commands(AsTyped, TyperGroup):
    """A command that contains commands. Only the command that the user calls is built."""

    what = "command"

    def listed(self) -> Mapping[str, Listed]:
        """Return the line about every command, by its name."""
        raise NotImplementedError

    def made(self, name: str) -> Any:
        """Build the command ``name`` with its options. Return None if there is no such command."""
        raise NotImplementedError

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.listed())

    def get_command(self, ctx: Any, name: str) -> Any:
        """Return a command for the list of commands, without its options."""
        if (listed := self.listed().get(name)) is None:
            return None
        from rich.markup import escape

        text = escape(listed.text)
        return TyperCommand(
            name, help=text, short_help=text, rich_markup_mode="rich", rich_help_panel=listed.family
        )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the user calls."""
        typed = args[0].replace("_", "-")
        if typed.startswith("-"):
            return super().resolve_command(ctx, args)
        if (command := self.made(typed)) is None:
            from noisewise.calls import deleted

            close = get_close_matches(typed, self.listed())
            meant = f" Did you mean {', '.join(map(repr, close))}?" if close else ""
            ctx.fail(str(deleted(typed) or f"No such {self.what} {args[0]!r}.{meant}"))
        return typed, command, args[1:]


Part = tuple[Callable[..., None], Mapping[str, Option], str]
"""A function, whose docstring is the help, its options, and an example of its words."""


class Parts(Commands):
    """A command that contains a few commands. Each is a `Part`."""

    def __init__(self, name: str, help: str, parts: Mapping[str, Part]) -> None:
        super().__init__(name=name, help=help, rich_markup_mode="rich", no_args_is_help=False)
        self.parts = parts

    def listed(self) -> Mapping[str, Listed]:
        return {
            name: Listed(None, (run.__doc__ or "").partition("\n")[0])
            for name, (run, *_) in self.parts.items()
        }

    def made(self, name: str) -> Any:
        if name not in self.parts:
            return None
        run, options, example = self.parts[name]
        return made(name, run, options, epilog=f"Example: noisewise {self.name} {name} {example}".rstrip())
