"""The command ``audit``: a search for how much an answer really tells about one person.

``noisewise audit median --bounds 0 100 --epsilon 1`` audits one question. ``noisewise audit --all`` audits all of them.
``noisewise audit --sampler module:function`` audits any function that returns draws. A violation has its own exit code.
"""

import importlib
import json as text_of
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import typer

from noisewise.audit import black_box, every, exact
from noisewise.cli.commands import held
from noisewise.cli.exit_codes import Code
from noisewise.cli.options import CONTRIBUTIONS, DATA, NEIGHBORS, Option, made
from noisewise.cli.output_file import output_file
from noisewise.cli.plans import (
    PICTURE,
    WRITTEN,
    OfQuestion,
    Tool,
    of_rows,
    read,
    without_columns,
    write_picture,
)
from noisewise.cli.questions import QuestionCommand
from noisewise.cli.screen import emit, is_terminal, say
from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.choice import NAMES
from noisewise.questions.typed import Given, bounds, number, whole

SEARCH, SAMPLER = "What is searched", "A black box"


def _number(flag: str, help: str, panel: str = SEARCH) -> Option:
    return Option(flag, help, panel, "NUMBER")


SEARCHED = {
    "records": _number(
        "--n --records",
        "How many records the largest dataset has; of a graph, how many nodes. By default 4.",
    ),
    "search": _number("--search", "How many seconds to search, where not all neighbours are looked at."),
    "tries": _number("--tries", "How many pairs of neighbours to look at then; 2000 by default."),
    "seed": _number("--seed", "Another seed is another search. By default 0."),
}
OWN = {
    "neighbors": Option("--neighbors --relation", NEIGHBORS.help, DATA, "NAME"),
    "contributions": CONTRIBUTIONS,
    **SEARCHED,
    "values": _number("--values", "How many different values records have. By default 5."),
    "answers": _number("--answers", "How many different answers there are, in the place of --granularity."),
    **PICTURE,
    **WRITTEN,
}
"""The options of an audit of one question."""

OF_ALL = {
    "all": Option("--all", "Audit all questions there are, by every mechanism that they take.", SEARCH),
    **SEARCHED,
    "sampler": Option(
        "--sampler",
        "A function of a dataset and a number of draws, which returns so many draws, as module:function.",
        SAMPLER,
        "NAME",
    ),
    "epsilon": _number("--epsilon", "What it claims to cost. By default 1.", SAMPLER),
    "delta": _number("--delta", "The delta it claims. By default 0.", SAMPLER),
    "bounds": Option("--bounds", "Records lie between these, as in 0,1.", SAMPLER, "LOW,HIGH"),
    "draws": _number("--draws", "How often each dataset is drawn from; 100000 by default.", SAMPLER),
    "confidence": _number("--confidence", "Of the bound. By default 0.999999.", SAMPLER),
    **PICTURE,
    **WRITTEN,
}
"""The options of an audit without a question."""


def command(name: str) -> Any:
    """Return the command ``audit``: a command for each question, and options for an audit without a question."""
    more = (
        "On a small world every pair of neighbours is looked at, by exact probabilities. It ends with code 0 where no "
        "violation was found, and with code 7 where one was."
    )
    tool = Tool(_audit, OWN, more, ("median --bounds 0 100 --epsilon 1 --answers 6",), ("rho",))
    group = AuditCommands(
        tool, name, invoke_without_command=True, subcommand_metavar="[QUESTION [OPTIONS]...]"
    )

    def run(**given: Any) -> None:
        if not group.asks:
            _all_or_sampler(given)

    alone = made(name, run, OF_ALL)
    group.params, group.callback = alone.params, alone.callback
    return group


class AuditCommands(OfQuestion):
    """The questions as commands of ``audit``. ``asks`` says whether the user called one of them."""

    asks = False

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return list(super().parse_args(ctx, args or ["--help"]))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        self.asks = True
        return super().resolve_command(ctx, args)


def _all_or_sampler(given: Given) -> None:
    asked = read(given, epsilon=number)
    if given["sampler"] is not None:
        texts = {**given, "bounds": given["bounds"] and [given["bounds"]]}
        said = read(texts, delta=number, draws=number, confidence=number, bounds=bounds, records=whole)
        function = named(given["sampler"])
        conclude(given, lambda: black_box(function, **{"epsilon": 1, **asked, **said}))
    elif given["all"]:
        search_all = partial(
            every,
            mechanisms=NAMES,
            progress=lambda audit: say(f"{audit.verdict}: {audit.question}, {audit.neighbors}"),
            **asked,
            **_searched(given),
        )
        conclude(given, search_all)
    else:
        raise ParameterError(
            "QUESTION", "must be named, as in noisewise audit median", fix="or say --all or --sampler"
        ) from None


def _audit(question: QuestionCommand, given: Given) -> None:
    if given["epsilon"] is None:
        raise ParameterError(
            "epsilon", "must be said", why="an audit searches for the largest log ratio"
        ) from None
    asked = without_columns(question, given)
    search = partial(
        exact,
        asked,
        epsilon=asked.keywords["epsilon"],
        progress=_progress if is_terminal(sys.stderr) else None,
        **read(given, values=whole, answers=whole),
        **held(given),
        **_searched(given),
    )
    conclude(given, search)


def conclude(given: Given, search: Callable[[], Any]) -> None:
    """Call ``search``, print its result, and exit with a code of its own if there is a violation."""
    with output_file(given["output"]) as write:
        found = search()
        write_picture(given["picture"], found.plot)
        rows = [{name: _plain(value) for name, value in row.items()} for row in found.rows]
        record = {"passed": found.passed, "audits": rows}
        write(of_rows("Audit", record, rows, found))
    emit(text_of.dumps(record) if given["json"] else str(found))
    if not found.passed:
        raise typer.Exit(Code.VIOLATION)


def named(sampler: str) -> Any:
    """Return the function with a name such as module:function. The module may be in the current folder."""
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
    """Return the limits of the search that were typed."""
    found = read(given, records=whole, tries=whole, seed=whole, search=number)
    return {"seconds" if name == "search" else name: value for name, value in found.items()}


def _progress(done: int, of: int | None, loss: float) -> None:
    say(f"{done:,} pairs{'' if of is None else f' of {of:,}'}, loss {loss:.6g}")


def _plain(value: object) -> object:
    return value if isinstance(value, (int, float, str)) else str(value)
