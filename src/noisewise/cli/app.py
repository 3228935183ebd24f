"""The app: every command, and the one place where errors become a line and a code."""

import io
import json as text_of
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperGroup
from typer.main import get_command

from noisewise.cli import ledgers, options
from noisewise.cli.codes import Code, ending, line, stopping
from noisewise.cli.commands import built, listed
from noisewise.cli.questions import names, question_of
from noisewise.cli.screen import emit, hush, is_terminal, judge_output, say
from noisewise.cli.source import described, path_of, schema
from noisewise.version import __version__

TOOLS = "Files, budgets, a demo"


class Front(TyperGroup):
    """All commands, of which only the one that is asked for is built. However it ends, it ends here."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*names(), *super().list_commands(ctx)]

    def get_command(self, ctx: Any, name: str) -> Any:
        """A question as the list of commands shows it, or one of the other commands."""
        question = question_of(name)
        return super().get_command(ctx, name) if question is None else listed(question)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is to run, with all its options."""
        said, known = args[0].replace("_", "-"), self.list_commands(ctx)
        if said not in known and not said.startswith("-"):
            close = get_close_matches(said, known)
            meant = f" Did you mean {', '.join(map(repr, close))}?" if close else ""
            ctx.fail(f"No such command {args[0]!r}.{meant}")
        name, found, rest = super().resolve_command(ctx, args)
        question = None if name is None else question_of(name)
        return name, found if question is None else built(question), rest

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # help, too, where an encoding lacks a letter
        kwargs["standalone_mode"] = False
        with warnings.catch_warnings(), stoppable() as stopped:
            warnings.simplefilter("ignore")  # of engines: they may quote the data, and depend on it
            try:
                judge_output()
                done = super().main(*args, **kwargs)
                ended, message = ending(KeyboardInterrupt()) if done == Code.INTERRUPTED else (done or 0, "")
            except SystemExit as exit:
                ended, message = (exit.code if isinstance(exit.code, int) else int(exit.code is not None)), ""
            except BaseException as error:  # a panic of an engine is no Exception
                ended, message = ending(error)
            if stopped and ended != Code.DONE:  # engines make other errors of it, as if Ctrl-C were pressed
                ended, message = stopping(stopped[0])
        if message:
            say(message)
        raise SystemExit(int(ended))


@contextmanager
def stoppable() -> Iterator[list[int]]:
    """Unwind when told to stop, so that nothing is left behind; the list holds the signal that did so."""
    told: list[int] = []

    def stop(number: int, frame: object) -> None:
        told.append(number)
        raise SystemExit(128 + number)

    caught = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    caught = [
        number for number in caught if signal.getsignal(number) is not signal.SIG_IGN
    ]  # as nohup wants it
    if threading.current_thread() is not threading.main_thread():
        caught = []  # only the main thread hears signals
    before = [signal.signal(number, stop) for number in caught]
    try:
        yield told
    finally:
        for number, handler in zip(caught, before, strict=True):
            signal.signal(number, handler)


app = typer.Typer(
    cls=Front,
    pretty_exceptions_enable=False,  # they print local variables, which hold data
    rich_markup_mode="rich",
    context_settings={
        "help_option_names": ["--help", "-h"],
        "token_normalize_func": lambda word: word.replace("_", "-"),
    },
    help="Differentially private statistics of a file: one command for each question.",
    epilog=escape(
        "Example: noisewise median data.csv --column income --bounds 0 1000000 --epsilon 1\n\n"
        "Exit codes: 0 the answer was printed, 2 a wrong option, 3 a wrong file or column, 4 the ledger refused or is "
        "broken, 5 a failure after the debit, 6 a package is missing, 1 a bug."
    ),
)


def command() -> Any:
    """What `main` runs."""
    return get_command(app)


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        emit(f"noisewise {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        ctx.get_help()


@app.command("schema", rich_help_panel=TOOLS, epilog=escape("Example: noisewise schema data.parquet"))
def show_schema(file: options.FILE, format: options.FORMAT = None, json: options.JSON = False) -> None:
    """The columns of a file and their declared types. Nothing is inferred from values: a CSV file is all text.

    JSON lines declare no columns: a question names them, and a misspelt one is missing everywhere.
    """
    with hush(described(file)), path_of(file, format) as path:
        declared = schema(path, format)
    types = {name: str(dtype).partition("(")[0] for name, dtype in (declared or {}).items()}
    if json:
        emit(text_of.dumps(types))
    elif declared is None:
        emit("JSON lines declare no columns: a question names them, and what a line lacks is missing")
    else:
        width = max(map(len, types), default=0)
        emit("\n".join(f"{line(name):<{width}}  {kind}" for name, kind in types.items()))
        if set(types.values()) == {"String"} and is_terminal(sys.stdout):
            say("all columns are text, as in every text file; a cell that spells a number counts as one")


@app.command(rich_help_panel=TOOLS)
def demo() -> None:
    """Private answers about a bundled table of people who do not exist."""
    from noisewise.demo import main

    main()


app.add_typer(ledgers.app, name="ledger", rich_help_panel=TOOLS)
