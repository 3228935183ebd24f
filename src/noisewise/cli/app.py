"""The app: every command, of which only the one that is to run is built."""

from difflib import get_close_matches
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from noisewise.cli.options import unconverted
from noisewise.cli.run import run_and_exit
from noisewise.cli.screen import emit
from noisewise.cli.summaries import SUMMARIES, TOOLS, summaries
from noisewise.version import GLOSSARY, __version__


class Front(TyperGroup):
    """All commands as their list shows them, which needs nothing of the library, until one is to run."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(summaries())

    def get_command(self, ctx: Any, name: str) -> Any:
        """A command as the list shows it, without its options."""
        if (summary := summaries().get(name)) is None:
            return None
        text = escape(summary.text)
        return TyperCommand(
            name, help=text, short_help=text, rich_markup_mode="rich", rich_help_panel=summary.family
        )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is to run, with all its options."""
        typed, known = args[0].replace("_", "-"), self.list_commands(ctx)
        if typed not in known and not typed.startswith("-"):
            from noisewise.calls import deleted

            close = get_close_matches(typed, known)
            meant = f" Did you mean {', '.join(map(repr, close))}?" if close else ""
            ctx.fail(str(deleted(typed) or f"No such command {args[0]!r}.{meant}"))
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else built_command(name), rest

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before a command; help alone is shown at once, as reading options takes longer."""
        if args in ([], ["--help"], ["-h"]) and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            ctx.exit()
        return list(super().parse_args(ctx, args))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        last = kwargs.pop("last", False)
        run_and_exit(lambda: TyperGroup.main(self, *args, **kwargs), last=last)


def built_command(name: str) -> Any:
    """A command with all its options. What it needs is imported here, so that no other command has to wait for it."""
    if name == "ask":
        from noisewise.cli import asks

        return asks.built()
    if name == "ledger":
        from noisewise.cli import ledgers

        return unconverted(get_command(ledgers.app))
    if name == "study":
        from noisewise.cli import studies

        return unconverted(get_command(studies.app))
    if name == "explore":
        from noisewise.cli import explore

        return unconverted(get_command(explore.app))
    if name in ("plan", "epsilon-for", "sweep", "simulate", "compare"):
        from noisewise.cli import plans

        return plans.tool(name)
    if name == "audit":
        from noisewise.cli import audits

        return unconverted(get_command(audits.app))
    if name in SUMMARIES[TOOLS]:
        from noisewise.cli import tools

        return unconverted(get_command(tools.app)).commands[name]
    from noisewise.cli.commands import built
    from noisewise.cli.questions import question_of

    return built(question_of(name))


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
        "broken, 5 a failure after the debit, 6 a package is missing, 7 an audit found a violation, 1 a bug.\n\n"
        f"Words: {GLOSSARY}"
    ),
)


def command() -> Any:
    """What `main` runs."""
    return unconverted(get_command(app))


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
