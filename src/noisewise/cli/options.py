"""The options that all questions share: the data and whose it is, the groups, who pays, and what is printed."""

import os
import shlex
from functools import partial
from typing import Annotated, Any

import typer

DATA, GROUPS, PAYMENT = "The data", "Groups", "Payment and output"


def option(flag: str, help: str, panel: str, metavar: str = "TEXT", **more: Any) -> Any:
    return typer.Option(flag, metavar=metavar, help=help, rich_help_panel=panel, **more)


def complete_columns(ctx: typer.Context, incomplete: str) -> list[str]:
    """The columns of the file that was typed, for a shell; of a list a,b the last one. Their names are public."""
    before, comma, last = incomplete.rpartition(",")
    try:
        from noisewise.cli.input_file import reading, schema

        given = {name: ctx.params.get(name) for name in ("separator", "encoding")}
        file = ctx.params.get("file") or next(filter(os.path.isfile, _words_so_far()))
        names = schema(file, ctx.params.get("format"), **reading(given))
    except Exception:  # there is no such file yet, or it is no table: a shell has nothing to say of that
        return []
    return [f"{before}{comma}{name}" for name in names or () if name.startswith(last)]


def _words_so_far() -> list[str]:
    """What was typed, as the scripts of shells hand it over: an option without its value hides it from the parser."""
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return typed.split("\n") if "\n" in typed else shlex.split(typed)


FILE = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, Parquet, Arrow or JSON lines, text also packed as .gz or .zst; a pattern such as "
        "'data-*.csv'; or - for standard input, of up to 16 GB. "
        "JSON lines declare no columns: a misspelt name is no error there, all its values are missing.",
    ),
]
FORMAT = Annotated[
    str | None,
    option(
        "--format",
        "What the file is where its name does not say so: csv, tsv, parquet, arrow or jsonl; csv.gz or csv.zst where "
        "it is packed.",
        DATA,
        "NAME",
    ),
]
TYPE = Annotated[
    list[str] | None,
    option(
        "--type",
        "What a column of a text file is: number, boolean, text, date, datetime, time or duration, as in age=number; "
        "may be said again. Without it the question decides. A cell that is not of its type is missing.",
        DATA,
        "COLUMN=KIND",
    ),
]
SEPARATOR = Annotated[
    str | None,
    option(
        "--separator",
        "What stands between the cells of CSV: a sign such as ';', or tab. By default a comma.",
        DATA,
        "SIGN",
    ),
]
DECIMAL = Annotated[
    str | None,
    option(
        "--decimal",
        "What stands before the decimals in a text file, . or , . By default a point.",
        DATA,
        "SIGN",
    ),
]
ENCODING = Annotated[
    str | None,
    option(
        "--encoding",
        "How a text file is encoded: utf-8, utf-16, or one byte for each sign, such as cp1252. By default utf-8.",
        DATA,
        "NAME",
    ),
]
LEDGER = Annotated[
    str | None,
    option(
        "--ledger",
        "A ledger's file or postgresql:// URL, which pays before the data is read. A URL with a password is better "
        "kept in the variable than typed.",
        PAYMENT,
        "PLACE",
        envvar="NOISEWISE_LEDGER",
    ),
]
NAME = Annotated[
    str | None,
    option("--name", "The name of the data, where the ledger is for data of one name only.", PAYMENT, "NAME"),
]
OUTPUT = Annotated[
    str | None,
    option(
        "--output",
        "Write the answer to this file as well, by its ending: .csv, .json, .parquet, or .html, the report.",
        PAYMENT,
        "FILE",
    ),
]
PROGRESS = Annotated[
    bool,
    typer.Option(
        "--progress",
        help="Tell on standard error how many bytes of the file are read, also where that is no terminal.",
        rich_help_panel=PAYMENT,
    ),
]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.", rich_help_panel=PAYMENT)]
WHERE = Annotated[
    str | None,
    option(
        "--where",
        "Which rows take part, decided by each row alone, as in \"age >= 18 and region in ('N', 'S')\"; with =, !=, <, "
        "<=, >, >=, in, is missing, and, or, not. A comparison with a missing value is false. Not with "
        "--neighbors swap.",
        DATA,
        "CONDITION",
    ),
]
NEIGHBORS = Annotated[
    str | None,
    option(
        "--neighbors",
        "add_remove hides whether a person is in the data; swap hides what their record says. By default add_remove.",
        DATA,
        "NAME",
    ),
]
CONTRIBUTIONS = Annotated[
    str | None,
    option(
        "--contributions",
        "With --unit: how many records of one person are used, chosen at random. Without: the most records that "
        "one person has; nobody checks this, so you guarantee it. "
        "By default 1.",
        DATA,
        "NUMBER",
    ),
]
UNIT = Annotated[
    str | None,
    option(
        "--unit",
        "The column that names a person, where one may have several records.",
        DATA,
        "COLUMN",
        autocompletion=complete_columns,
    ),
]
MAX_GROUPS = Annotated[
    str | None,
    option("--max-groups", "In how many groups one person takes part; needs --unit.", GROUPS, "NUMBER"),
]
BY = Annotated[
    list[str] | None,
    option(
        "--by",
        "A column whose values make groups; may be said again.",
        GROUPS,
        "COLUMN",
        autocompletion=complete_columns,
    ),
]
KEYS = Annotated[
    list[str] | None,
    option(
        "--keys",
        "The groups there are, known without looking at the data: a,b,c or @FILE; for several columns dept=a,b, "
        "said for each.",
        GROUPS,
        "LIST",
    ),
]
KEY_EPSILON = Annotated[
    str | None,
    option(
        "--key-epsilon",
        "Without --keys: the privacy loss of finding out which groups there are.",
        GROUPS,
        "NUMBER",
    ),
]
KEY_DELTA = Annotated[
    str | None, option("--key-delta", "Without --keys: the chance of a loss beyond that.", GROUPS, "NUMBER")
]

OF_TEXT: dict[str, Any] = {
    "type": TYPE,
    "separator": SEPARATOR,
    "decimal": DECIMAL,
    "encoding": ENCODING,
}
"""How a text file is read."""

COMMON: dict[str, Any] = {
    "format": FORMAT,
    **OF_TEXT,
    "where": WHERE,
    "unit": UNIT,
    "contributions": CONTRIBUTIONS,
    "neighbors": NEIGHBORS,
    "by": BY,
    "keys": KEYS,
    "key_epsilon": KEY_EPSILON,
    "key_delta": KEY_DELTA,
    "max_groups": MAX_GROUPS,
    "ledger": LEDGER,
    "name": NAME,
    "output": OUTPUT,
    "json": JSON,
    "progress": PROGRESS,
}
"""In the order of the help."""


def default(name: str) -> bool | None:
    """What an option is where it is not typed: a switch is off."""
    return False if name in ("json", "progress") else None


GROUPING = ("by", "keys", "key_epsilon", "key_delta", "max_groups")
"""Those that questions without groups do without."""


def unconverted(command: Any) -> Any:
    """A command of typer, and those within it, whose options hand over texts as they were typed.

    Typer converts every value by pydantic, whose import takes longer than most commands, and all that our options need
    is text. It also keeps the line breaks of a help, which are those of the source: each paragraph becomes one line.
    """
    if command.help is not None:
        command.help = "\n\n".join(" ".join(part.split()) for part in command.help.split("\n\n"))
    command.get_params = partial(_parameters, command.get_params)
    for each in getattr(command, "commands", {}).values():
        unconverted(each)
    return command


def _parameters(get_params: Any, ctx: Any) -> list[Any]:
    parameters = list(get_params(ctx))
    for each in parameters:
        if not isinstance(each.process_value, partial):
            each.process_value = partial(_as_typed, each, each.process_value)
    return parameters


def _as_typed(parameter: Any, convert: Any, ctx: Any, value: Any) -> Any:
    """A text, a list of texts, a switch or nothing as they are; anything else, and what is missing, is up to typer."""
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
