"""The command ``audit``: how much an answer really says of one person, found out by a search.

``noisewise audit median --bounds 0 100 --epsilon 1`` audits one question, ``noisewise audit --all`` all of them, and
``noisewise audit --sampler module:function`` anything that can be drawn from. A violation is an exit code of its own.
"""

import importlib
import json as text_of
import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from noisewise.audit import black_box, every, exact
from noisewise.calls import deleted
from noisewise.cli import options, words
from noisewise.cli.exit_codes import Code
from noisewise.cli.output_file import Content, facts, output_file
from noisewise.cli.plans import OfAnyQuestion, protection, tool_command, without_columns, write_picture
from noisewise.cli.questions import Given, QuestionCommand, question_of, questions
from noisewise.cli.screen import emit, is_terminal, say
from noisewise.cli.summaries import SUMMARIES, TOOLS
from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.choice import NAMES

SEARCH, SAMPLER = "What is searched", "A black box"


def _number(flag: str, help: str, panel: str = SEARCH) -> Any:
    return options.option(flag, help, panel, "NUMBER")


RECORDS = Annotated[
    str | None,
    typer.Option(
        "--n",
        "--records",
        metavar="NUMBER",
        help="How many records the largest dataset has; of a graph, how many nodes. By default 4.",
        rich_help_panel=SEARCH,
    ),
]
VALUES = Annotated[str | None, _number("--values", "How many different values records have. By default 5.")]
ANSWERS = Annotated[
    str | None, _number("--answers", "How many different answers there are, in the place of --granularity.")
]
SECONDS = Annotated[
    str | None, _number("--search", "How many seconds to search, where not all neighbours are looked at.")
]
TRIES = Annotated[
    str | None, _number("--tries", "How many pairs of neighbours to look at then; 2000 by default.")
]
SEED = Annotated[str | None, _number("--seed", "Another seed is another search. By default 0.")]
RELATION = Annotated[
    str | None,
    typer.Option(
        "--neighbors",
        "--relation",
        metavar="NAME",
        help="add_remove hides whether a person is in the data; swap hides what their record says. By default "
        "add_remove.",
        rich_help_panel=options.DATA,
    ),
]
PICTURE = Annotated[
    str | None, options.option("--picture", "Write a picture to this file, as SVG.", options.PAYMENT, "FILE")
]
OWN: dict[str, Any] = {
    "neighbors": RELATION,
    "contributions": options.CONTRIBUTIONS,
    "records": RECORDS,
    "values": VALUES,
    "answers": ANSWERS,
    "search": SECONDS,
    "tries": TRIES,
    "seed": SEED,
    "picture": PICTURE,
    "output": options.OUTPUT,
    "json": options.JSON,
}


class OfAudits(OfAnyQuestion):
    """The questions as commands, beside the options that need none."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        typed = args[0].replace("_", "-")
        if typed not in questions():
            close = get_close_matches(typed, questions())
            meant = f" Did you mean {', '.join(map(repr, close))}?" if close else ""
            ctx.fail(str(deleted(typed) or f"No such question {args[0]!r}.{meant}"))
        return typed, auditing(question_of(typed)), args[1:]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return list(TyperGroup.parse_args(self, ctx, args or ["--help"]))


app = typer.Typer(
    cls=OfAudits,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    add_completion=False,
    invoke_without_command=True,
    subcommand_metavar="[QUESTION [OPTIONS]...]",
    help=escape(
        f"{SUMMARIES[TOOLS]['audit']}\n\nOn a small world every pair of neighbours is looked at, by exact "
        "probabilities. It ends with code 0 where no violation was found, and with code 7 where one was."
    ),
    epilog=escape("Example: noisewise audit median --bounds 0 100 --epsilon 1 --answers 6"),
)


@app.callback()
def all_or_sampler(
    ctx: typer.Context,
    all: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Audit all questions there are, by every mechanism that they take.",
            rich_help_panel=SEARCH,
        ),
    ] = False,
    records: RECORDS = None,
    search: SECONDS = None,
    tries: TRIES = None,
    seed: SEED = None,
    sampler: Annotated[
        str | None,
        options.option(
            "--sampler",
            "A function of a dataset and a number of draws, which returns so many draws, as module:function.",
            SAMPLER,
            "NAME",
        ),
    ] = None,
    epsilon: Annotated[
        str | None, _number("--epsilon", "What it claims to cost. By default 1.", SAMPLER)
    ] = None,
    delta: Annotated[str | None, _number("--delta", "The delta it claims. By default 0.", SAMPLER)] = None,
    bounds: Annotated[
        str | None, options.option("--bounds", "Records lie between these, as in 0,1.", SAMPLER, "LOW,HIGH")
    ] = None,
    draws: Annotated[
        str | None, _number("--draws", "How often each dataset is drawn from; 100000 by default.", SAMPLER)
    ] = None,
    confidence: Annotated[
        str | None, _number("--confidence", "Of the bound. By default 0.999999.", SAMPLER)
    ] = None,
    picture: PICTURE = None,
    output: options.OUTPUT = None,
    json: options.JSON = False,
) -> None:
    if ctx.invoked_subcommand is not None:
        return
    given = {"records": records, "search": search, "tries": tries, "seed": seed}
    asked: dict[str, Any] = {} if epsilon is None else {"epsilon": words.number("epsilon", epsilon)}
    if sampler is not None:
        numbers = {"delta": delta, "draws": draws, "confidence": confidence}
        read: dict[str, Any] = {
            name: words.number(name, text) for name, text in numbers.items() if text is not None
        }
        if bounds is not None:
            read["bounds"] = words.bounds("bounds", [bounds])
        if records is not None:
            read["records"] = words.whole("records", records)
        function = named(sampler)
        conclude(lambda: black_box(function, **{"epsilon": 1, **asked, **read}), picture, output, json)
    elif all:
        search_all = partial(
            every,
            mechanisms=NAMES,
            progress=lambda audit: say(f"{audit.verdict}: {audit.question}, {audit.neighbors}"),
            **asked,
            **_searched(given),
        )
        conclude(search_all, picture, output, json)
    else:
        ctx.fail("Name a question, as in noisewise audit median, or say --all or --sampler.")


def auditing(question: QuestionCommand) -> Any:
    """``noisewise audit QUESTION``."""

    def run(given: Given) -> None:
        asked = without_columns(question, given)
        counts = {
            name: words.whole(name, given[name]) for name in ("values", "answers") if given[name] is not None
        }
        search = partial(
            exact,
            asked,
            epsilon=asked.epsilon,
            progress=_progress if is_terminal(sys.stderr) else None,
            **counts,
            **protection(given),
            **_searched(given),
        )
        conclude(search, given["picture"], given["output"], given["json"])

    return tool_command("audit", question, run, OWN)


def conclude(search: Callable[[], Any], picture: str | None, output: str | None, json: bool) -> None:
    """Search, print what was found, and end with a code that says whether it is a violation."""
    with output_file(output) as write:
        found = search()
        if picture is not None:
            write_picture(picture, found.plot().svg)
        rows = [{name: _plain(value) for name, value in row.items()} for row in found.rows]
        record = {"passed": found.passed, "audits": rows}
        names = list(dict.fromkeys(name for row in rows for name in row))
        table = {name: [row.get(name) for row in rows] for name in names}
        write(Content(lambda: record, lambda: table, facts("Audit", {}, found._repr_html_()).page))
    emit(text_of.dumps(record) if json else str(found))
    if not found.passed:
        raise typer.Exit(Code.VIOLATION)


def named(sampler: str) -> Any:
    """The function that a name such as module:function stands for; modules of this folder are found, too."""
    module, _, function = sampler.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        if module and function:
            return getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError):
        pass
    finally:
        sys.path.remove(os.getcwd())
    raise ParameterError(
        "sampler", "must be a function that can be imported, as in module:function", got=describe(sampler)
    ) from None


def _searched(given: Given) -> dict[str, Any]:
    """How far to search."""
    found: dict[str, Any] = {
        name: words.whole(name, given[name])
        for name in ("records", "tries", "seed")
        if given[name] is not None
    }
    if given["search"] is not None:
        found["seconds"] = words.number("search", given["search"])
    return found


def _progress(done: int, of: int | None, loss: float) -> None:
    say(f"{done:,} pairs{'' if of is None else f' of {of:,}'}, loss {loss:.6g}")


def _plain(value: object) -> object:
    return value if isinstance(value, (int, float, str)) else str(value)
