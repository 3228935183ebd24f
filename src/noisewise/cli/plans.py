"""The commands that say how good an answer will be: `plan`, `epsilon-for`; `simulate` and `compare` on public data.

Each takes a question, with the question's own options: ``noisewise plan median --bounds 0 100 --epsilon 1``. Plans read
no data at all; there is not even an option to name a file.
"""

import inspect
import json as text_of
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from typing import Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from noisewise.calls import deleted
from noisewise.cli import options, words
from noisewise.cli.commands import KEYWORD, TypedPairs, parameter_of, types_of
from noisewise.cli.error_text import naming
from noisewise.cli.input_file import described, path_of, reading, schema, size_of, words_in
from noisewise.cli.output_file import Content, facts, output_file
from noisewise.cli.plan_options import (
    CONTRIBUTIONS,
    EPSILONS,
    ERROR,
    EXAMPLES,
    GRANULARITIES,
    GROUPS,
    GUESSES,
    HELP,
    MECHANISMS,
    PEOPLE,
    PICTURE,
    PROTECTION,
    RHOS,
)
from noisewise.cli.questions import Given, QuestionCommand, question_of, questions
from noisewise.cli.screen import emit, hush
from noisewise.cli.summaries import SUMMARIES, TOOLS
from noisewise.dataset.batches import OfColumns
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.methods import ask
from noisewise.dataset.timed import InTime
from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe, spell
from noisewise.planning.compare import Trial, as_number, comparison
from noisewise.planning.goal import epsilon_for
from noisewise.planning.measured import simulated
from noisewise.planning.plan import Plan, plan
from noisewise.planning.simulation import NotPrivateSimulation
from noisewise.planning.sweep import sweep
from noisewise.questions.payable import Payable
from noisewise.results.pictures.html import paragraph
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.files.text_table import TextTable
from noisewise.tables.time.clock import Clock, iso


class OfAnyQuestion(TyperGroup):
    """A command whose commands are the questions, of which only the one that is to run is built."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(questions())

    def get_command(self, ctx: Any, name: str) -> Any:
        """A question as the list shows it, without its options."""
        asked = questions().get(name)
        if asked is None:
            return None
        text = escape(asked.short)
        return TyperCommand(
            name, help=text, short_help=text, rich_markup_mode="rich", rich_help_panel=asked.family
        )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The question with all its options."""
        typed = args[0].replace("_", "-")
        if typed not in questions():
            close = get_close_matches(typed, questions())
            meant = f" Did you mean {', '.join(map(repr, close))}?" if close else ""
            ctx.fail(str(deleted(typed) or f"No such question {args[0]!r}.{meant}"))
        return typed, BUILDERS[self.name or ""](question_of(typed)), args[1:]


def tool(name: str) -> Any:
    """One of these commands, for all questions."""
    return OfAnyQuestion(
        name=name,
        help=escape(HELP[name]),
        epilog=escape("\n\n".join(f"Example: {each}" for each in EXAMPLES[name])),
        rich_markup_mode="rich",
        no_args_is_help=True,
        subcommand_metavar="QUESTION [OPTIONS]...",
    )


def planning(question: QuestionCommand) -> Any:
    """``noisewise plan QUESTION``."""

    def run(given: Given) -> None:
        asked = without_columns(question, given)
        with output_file(given["output"]) as write:
            result = plan(asked, **_guesses(given), **protection(given))
            write(facts("Plan", _fields(result), result._repr_html_()))
        emit(text_of.dumps(_fields(result)) if given["json"] else str(result))

    own = {**PROTECTION, **_known(question), "output": options.OUTPUT, "json": options.JSON}
    return tool_command("plan", question, run, own)


def _known(question: QuestionCommand) -> dict[str, Any]:
    """The options for what is known or guessed; in how many groups it is asked, where it can be."""
    return {**GUESSES, **({"groups": GROUPS} if question.kind.capabilities.in_groups else {})}


def pricing(question: QuestionCommand) -> Any:
    """``noisewise epsilon-for QUESTION``."""

    def run(given: Given) -> None:
        wished: dict[str, Any] = {
            "people": None if given["people"] is None else words.whole("people", given["people"]),
            "error": None if given["error"] is None else words.amount("error", given["error"]),
        }
        asked = without_columns(question, {**given, "epsilon": "1"})
        with output_file(given["output"]) as write:
            found = epsilon_for(asked, **wished, **_guesses(given), **protection(given))
            goal = {name: iso(value) for name, value in wished.items() if value is not None}
            shown = f"<p>ε = {found:g} is enough.</p>"
            write(facts("Epsilon", {"epsilon": found, "question": question.command, **goal}, shown))
        emit(text_of.dumps({"epsilon": found}) if given["json"] else f"{found:g}")

    own = {"people": PEOPLE, "error": ERROR, **PROTECTION, **_known(question)}
    own |= {"output": options.OUTPUT, "json": options.JSON}
    return tool_command("epsilon-for", question, run, own, unpriced=True)


def sweeping(question: QuestionCommand) -> Any:
    """``noisewise sweep QUESTION``."""

    def run(given: Given) -> None:
        lists: dict[str, Any] = {}
        for name, read in (
            ("epsilons", words.number),
            ("contributions", words.whole),
            ("granularity", words.amount),
        ):
            if given.get(name) is not None:
                lists[name] = [read(name, part) for part in words.parts(name, given[name])]
        single = {**given, "epsilon": "1", "granularity": None, "contributions": None}
        if "granularity" not in question.kind.parameters.parameters:
            lists.pop("granularity", None)
        asked = without_columns(question, single)
        with output_file(given["output"]) as write:
            result = sweep(asked, **lists, **_guesses(given), **protection(single))
            if given["picture"] is not None:
                write_picture(given["picture"], result.svg())
            rows = [{name: _plain(value) for name, value in row.items()} for row in result.rows]
            names = list(dict.fromkeys(name for row in rows for name in row))
            table = {name: [row.get(name) for row in rows] for name in names}
            page = facts("Sweep", {}, result._repr_html_()).page
            write(Content(lambda: rows, lambda: table, page))
        emit(text_of.dumps(rows) if given["json"] else str(result))

    own: dict[str, Any] = {"epsilons": EPSILONS, "granularity": GRANULARITIES, "contributions": CONTRIBUTIONS}
    own |= {
        "neighbors": options.NEIGHBORS,
        **_known(question),
        "picture": PICTURE,
        "output": options.OUTPUT,
        "json": options.JSON,
    }
    if "granularity" not in question.kind.parameters.parameters:
        del own["granularity"]
    return tool_command("sweep", question, run, own, unpriced=True)


def write_picture(path: str, text: str) -> None:
    """A picture as a file, where one can be written."""
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{text}\n")
        return
    except (OSError, ValueError):
        pass
    raise ParameterError("picture", "must be a file that can be written", got=describe(path)) from None


def simulating(question: QuestionCommand) -> Any:
    """``noisewise simulate QUESTION FILE``."""

    def run(given: Given) -> None:
        with output_file(given["output"], given["file"]) as write, public_data(question, given) as bind:
            payable, clock = bind({})
            result = simulated(payable).read_by(clock)
            fields = _of_simulation(result)
            write(facts("Simulation, not private", fields, paragraph(str(result))))
        emit(text_of.dumps(fields) if given["json"] else str(result))

    of_file = {"file": options.FILE, "format": options.FORMAT, **options.OF_TEXT}
    own = {**of_file, "where": options.WHERE, **PROTECTION, "output": options.OUTPUT, "json": options.JSON}
    return tool_command("simulate", question, run, own, columns=True)


@contextmanager
def public_data(
    question: QuestionCommand, given: Given
) -> Iterator[Callable[[Mapping[str, Any]], tuple[Payable, Clock | None]]]:
    """What binds a question to a file of public data, with some keywords replaced, and says how answers are read."""
    file, format = given["file"], given["format"]
    with hush(described(file), size_of(file)) as progress, path_of(file, format) as path:
        read = reading(given)
        types = types_of(question, given, None, schema(path, format, **read)) | words_in(read)
        keywords = question.read(given, types)
        dataset = Dataset.scan(path, format=format, progress=progress, **read, **protection(given))
        if isinstance(dataset._table, (EngineTable, TextTable)):
            dataset._table.fetch_columns()
        if given["where"] is not None:
            dataset = dataset.where(given["where"])

        def bind(price: Mapping[str, Any]) -> tuple[Payable, Clock | None]:
            bound = dataset._bind(getattr(ask, question.name)(**{**keywords, **price}))
            assert isinstance(bound, OfColumns)
            in_time = bound.inner if isinstance(bound.inner, InTime) else None
            return (bound.inner, None) if in_time is None else (in_time.inner, in_time.clock)

        yield bind


def comparing(question: QuestionCommand) -> Any:
    """``noisewise compare QUESTION FILE``."""

    def run(given: Given) -> None:
        if "mechanism" not in question.kind.parameters.parameters:
            raise ParameterError(
                "a comparison", "must be about a question that takes a mechanism", got=question.command
            ) from None
        lists: dict[str, Any] = dict.fromkeys(("epsilons", "rhos", "mechanisms"))
        for name in lists:
            if given[name] is not None:
                read = str if name == "mechanisms" else partial(words.number, name)
                lists[name] = [read(part) for part in words.parts(name, given[name])]
        one = {**given, "epsilon": "1", "mechanism": None}
        with (
            output_file(given["output"], given["file"]) as write,
            public_data(question, one) as bind,
        ):
            _, clock = bind({})
            trial = Trial(lambda **price: bind(price)[0], clock)
            result = comparison(trial, lists["epsilons"], lists["mechanisms"], lists["rhos"])
            if given["picture"] is not None:
                write_picture(given["picture"], result.plot().svg)
            rows = [{name: as_number(value) for name, value in row.items()} for row in result.rows]
            record = {"not private": True, "question": result.question, "rows": rows}
            table = {name: [row[name] for row in rows] for name in rows[0]}
            page = facts("Comparison, not private", {}, result._repr_html_()).page
            write(Content(lambda: record, lambda: table, page))
        emit(text_of.dumps(record, default=iso) if given["json"] else str(result))

    of_file = {"file": options.FILE, "format": options.FORMAT, **options.OF_TEXT}
    own: dict[str, Any] = {"epsilons": EPSILONS, "rhos": RHOS, "mechanisms": MECHANISMS}
    own |= {**of_file, "where": options.WHERE, **PROTECTION, "picture": PICTURE}
    own |= {"output": options.OUTPUT, "json": options.JSON}
    return tool_command("compare", question, run, own, unpriced=True, columns=True, replaced=("mechanism",))


BUILDERS: dict[str, Callable[[QuestionCommand], Any]] = {
    "plan": planning,
    "epsilon-for": pricing,
    "sweep": sweeping,
    "simulate": simulating,
    "compare": comparing,
}


def tool_command(
    tool: str,
    question: QuestionCommand,
    run: Callable[[Given], None],
    own: Mapping[str, Any],
    *,
    unpriced: bool = False,
    columns: bool = False,
    replaced: tuple[str, ...] = (),
) -> Any:
    """A command with the options of a question and those of its own."""

    def command(**given: Any) -> None:
        with naming(question.option_names(given)):
            run({"unit": None, **given})

    counted = [
        each
        for each, kind in zip(question.column_arguments, question.kinds, strict=True)
        if columns or kind == "matrix"  # how many columns it has matters
    ]
    asked = [
        each
        for each in question.arguments
        if (each in counted or each not in question.column_arguments)
        and not (unpriced and each.name in ("epsilon", *replaced))
        and each.name not in own
    ]
    first = [inspect.Parameter("file", KEYWORD, annotation=own["file"])] if "file" in own else []
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            *first,
            *map(parameter_of, asked),
            *(
                inspect.Parameter(name, KEYWORD, default=options.default(name), annotation=kind)
                for name, kind in own.items()
                if name != "file"
            ),
        ]
    )
    alone = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False)
    alone.command(
        question.command, cls=TypedPairs, help=escape(f"{SUMMARIES[TOOLS][tool]}\n\n{question.help}")
    )(command)
    return options.unconverted(get_command(alone))


def without_columns(question: QuestionCommand, given: Given) -> Any:
    """The question as `ask` writes it down, about columns that need no name here."""
    named = {each.name: each.columns(given) for each in question.column_arguments}
    keywords = question.read({**given, **dict.fromkeys(named)}, {})
    confidence = given.get("confidence")
    if confidence is not None and "confidence" in question.kind.parameters.parameters:
        keywords["confidence"] = words.number("confidence", confidence)
    if given.get("groups") is not None and question.counts_groups(given):
        keywords["with_count"] = True  # as the question itself does in groups
    blank = {
        each.name: named[each.name] or ([each.name] if kind in ("matrix", "edges") else each.name)
        for each, kind in zip(question.column_arguments, question.kinds, strict=True)
    }
    if question.kinds == ("edges",):
        blank = {each.name: ["source", "target"] for each in question.column_arguments}
    return getattr(ask, question.name)(**blank, **keywords)


def protection(given: Given) -> dict[str, Any]:
    """Whom a release protects."""
    held = {} if given["neighbors"] is None else {"neighbors": given["neighbors"]}
    if given["contributions"] is not None:
        held["contributions"] = words.whole("contributions", given["contributions"])
    return held


def _guesses(given: Given) -> dict[str, Any]:
    """What is known or guessed of the data."""
    guesses: dict[str, Any] = {}
    if given["confidence"] is not None:
        guesses["confidence"] = words.number("confidence", given["confidence"])
    if given["size"] is not None:
        guesses["size"] = words.whole("size", given["size"])
    if given.get("groups") is not None:
        guesses["groups"] = words.whole("groups", given["groups"])
    if (shape := given["shape"]) is not None:
        guesses["shape"] = _shape(shape)
    return guesses


def _shape(text: str) -> Any:
    """A public sample in a file, or a name with two numbers, dates or durations."""
    if text.startswith("@"):
        listed = [words.amount("shape", part) for part in words.parts("shape", text)]
        return [float(each) if isinstance(each, (int, Decimal, Fraction)) else each for each in listed]
    name, _, numbers = text.partition(":")
    amounts = [words.amount("shape", part) for part in words.parts("shape", numbers)] if numbers else []
    return (name, *amounts)


def _fields(result: Plan) -> dict[str, Any]:
    """A plan as JSON holds it."""
    fields = {name: _plain(getattr(result, name)) for name in Plan.__slots__ if name != "asked"}
    return {**fields, "text": str(result)}


def _plain(value: object) -> object:
    return spell(value) if isinstance(value, Fraction) else iso(value)


def _of_simulation(result: NotPrivateSimulation) -> dict[str, Any]:
    """A simulation as JSON holds it."""
    fields = {name: getattr(result, name) for name in NotPrivateSimulation.__slots__}
    fields["error_quantiles"] = {name: iso(value) for name, value in result.error_quantiles.items()}
    fields = {name: iso(value) for name, value in fields.items()}
    return {"not private": True, "private": False, **fields, "epsilon": spell(result.epsilon)}
