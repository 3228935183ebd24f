"""The app: the list of all commands. Only the command that the user calls is built."""

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from noisewise.cli.options import Commands, Listed, listed_questions
from noisewise.cli.run import run_and_exit
from noisewise.cli.screen import emit
from noisewise.version import GLOSSARY, __version__

TOOLS = {
    "ask": "Several questions at once, paid together: all or none.",
    "sql": "A SELECT of aggregates, asked privately: the same questions, in SQL.",
    "plan": "How good an answer will be, before it is paid for. No data is read.",
    "epsilon-for": "The smallest epsilon that is good enough. No data is read.",
    "rho-for": "The smallest rho, in zero-concentrated differential privacy, that is good enough. No data is read.",
    "sweep": "A table of how good an answer will be at several prices, and a picture of it. No data is read.",
    "simulate": "Not private: how good an answer would be on data that anybody may see.",
    "compare": "Not private: the errors of several mechanisms on data that anybody may see, at equal prices.",
    "explore": "Not private: a page that shows what answers would cost and say, on data that anybody may see.",
    "audit": "How much an answer really says of one person, found out by a search. No data is read.",
    "schema": "The columns of a file and their declared types. Nothing is inferred from values: a CSV file is "
    "all text.",
    "facts": "A file to say what is known about columns, from their names and declared types alone.",
    "demo": "Private answers about a bundled table of people who do not exist.",
    "ledger": "Budgets: create a ledger, show it, verify it, report on it.",
    "study": "A whole publication in one file: check it, price it, try it out, run it.",
}
"""The commands that are not questions, with their summaries."""

MODULES = {
    "ask": "asks",
    "sql": "sql",
    **dict.fromkeys(("plan", "epsilon-for", "rho-for", "sweep", "simulate", "compare"), "plans"),
    "explore": "explore",
    "audit": "audits",
    **dict.fromkeys(("schema", "facts", "demo"), "tools"),
    "ledger": "ledgers",
    "study": "studies",
}
"""The module of each command; its function ``command`` makes the command."""


class Front(Commands):
    """All commands: the registered questions, and the tools."""

    def listed(self) -> Mapping[str, Listed]:
        tools = {name: Listed("Plans, files, budgets, studies, a demo", text) for name, text in TOOLS.items()}
        return listed_questions() | tools

    def made(self, name: str) -> Any:
        if name not in TOOLS:
            from noisewise.questions.question import KINDS

            if name.replace("-", "_") not in KINDS:
                return None
        return import_module(f"noisewise.cli.{MODULES.get(name, 'commands')}").command(name)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before a command. Help is shown without reading them, as that would take longer."""
        if args in ([], ["--help"], ["-h"]) and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            ctx.exit()
        return list(super().parse_args(ctx, args))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        last = kwargs.pop("last", False)
        run_and_exit(lambda: TyperGroup.main(self, *args, **kwargs), last=last)


app = typer.Typer(
    cls=Front,
    pretty_exceptions_enable=False,  # such errors would print local variables, which hold data
    rich_markup_mode="rich",
    context_settings={
        "help_option_names": ["--help", "-h"],
        "token_normalize_func": lambda word: word.replace("_", "-"),
    },
    help="Differentially private statistics of a file: one command for each question.",
    epilog="Example: noisewise median data.csv --column income --bounds 0 1000000 --epsilon 1\n\n"
    "Exit codes: 0 the answer was printed, 2 a wrong option, 3 a wrong file or column, 4 the ledger refused or is "
    "broken, 5 a failure after the debit, 6 a package is missing, 7 an audit found a violation, 1 a bug.\n\n"
    f"Words: {GLOSSARY}",
)


def command() -> Any:
    """Return the command that `noisewise.cli.main` runs."""
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
