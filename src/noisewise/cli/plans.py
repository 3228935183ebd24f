"""The commands that say how good an answer will be.

`plan`, `epsilon-for`, `rho-for` and `sweep` read no data and have no option for a file. `simulate` and `compare` read
public data. Each takes a question with the question's own options, as in ``noisewise plan count --epsilon 1``.
"""

import json as text_of
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from noisewise.cli import options
from noisewise.cli.app import TOOLS
from noisewise.cli.commands import held, named
from noisewise.cli.error_text import naming
from noisewise.cli.input_file import Columns, opened
from noisewise.cli.options import PAYMENT, Commands, Listed, Option, listed_questions, made
from noisewise.cli.output_file import Content, facts, output_file
from noisewise.cli.questions import QuestionCommand
from noisewise.cli.screen import emit
from noisewise.dataset.batches import OfColumns
from noisewise.dataset.methods import ask
from noisewise.dataset.timed import InTime
from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe, spell
from noisewise.planning.compare import Trial, as_number, comparison
from noisewise.planning.error_on_data import simulated
from noisewise.planning.goal import epsilon_for, rho_for
from noisewise.planning.plan import Plan, plan
from noisewise.planning.plan_table import prices_of
from noisewise.planning.simulation import NotPrivateSimulation
from noisewise.planning.sweep import sweep
from noisewise.questions.payable import Payable
from noisewise.questions.question import KINDS
from noisewise.questions.typed import Given, amount, number, parts, text, whole
from noisewise.results.pictures.html import paragraph
from noisewise.results.pictures.svg import Picture, check_ending
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.files.text_table import TextTable
from noisewise.tables.time.clock import Clock, iso

GUESS = "What is known or guessed"
GUESSES = {
    "size": Option(
        "--size --n",
        "How many records there are, where that is public or a guess: under swap, for a mean, and with a shape; of a "
        "graph, how many nodes.",
        GUESS,
        "NUMBER",
    ),
    "shape": Option(
        "--shape",
        "What the records are like, public or a guess: normal:MEAN,DEVIATION, lognormal:MEAN,DEVIATION of the "
        "logarithms, uniform:LOW,HIGH, or @FILE with a public sample, a number on each line; between dates these are "
        "dates, and a deviation is a duration.",
        GUESS,
        "SHAPE",
    ),
    "confidence": Option("--confidence", "The probability that it holds. By default 0.95.", GUESS, "NUMBER"),
    "groups": Option(
        "--groups",
        "In how many groups it is asked; they have one price together, and --size and --shape are those of one.",
        GUESS,
        "NUMBER",
    ),
    "per_group": Option(
        "--per-group",
        "How many records of one person count in one group, for a price in rho; by default as many as they have.",
        GUESS,
        "NUMBER",
    ),
    "max_groups": Option(
        "--max-groups",
        "In how many groups one person takes part, for a price in rho; by default in all.",
        GUESS,
        "NUMBER",
    ),
}
IN_GROUPS = ("groups", "per_group", "max_groups")
"""The options that questions without groups do not have."""

GOALS = {
    "people": Option(
        "--people", "How many people may separate the answer from the true one.", GUESS, "NUMBER"
    ),
    "error": Option(
        "--error",
        "Or how far the answer may be from the true one; between dates a duration, as in 7d.",
        GUESS,
        "NUMBER",
    ),
}
RHOS = Option(
    "--rhos", "Prices in zCDP to compare at, in the place of --epsilons, as in 0.01,0.1.", GUESS, "LIST"
)
EPSILONS = Option("--epsilons", "The privacy losses to compare. By default 0.1,0.2,0.5,1,2,5.", GUESS, "LIST")
SWEPT = {
    "epsilons": EPSILONS,
    "rhos": RHOS,
    "granularity": Option(
        "--granularity", "The spacing of possible answers; or several, as in 1,100.", GUESS, "LIST"
    ),
    "contributions": Option(
        "--contributions", "How many records one person has at most; or several, as in 1,5.", GUESS, "LIST"
    ),
}
COMPARED = {
    "epsilons": EPSILONS,
    "rhos": RHOS,
    "mechanisms": Option(
        "--mechanisms", "The mechanisms to compare. By default all that can answer.", GUESS, "LIST"
    ),
}
PICTURE = {"picture": Option("--picture", "Write a picture to this file, .svg or .png.", PAYMENT, "FILE")}
PROTECTION = {"contributions": options.CONTRIBUTIONS, "neighbors": options.NEIGHBORS}
PUBLIC_FILE = {"file": options.FILE, **options.OF_FILE}
WRITTEN = {"output": options.OUTPUT, "json": options.JSON}


@dataclass(frozen=True)
class Tool:
    """One of the commands of this module, for all questions."""

    run: Callable[[QuestionCommand, Given], None]
    own: Mapping[str, Option]
    """The options of the command itself. They replace options of a question that have the same name."""
    more: str = ""
    """More text for the help of the command."""
    examples: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """The options of a question that the command does not have."""

    def command(self, name: str, question: QuestionCommand) -> Any:
        """Return the command for one question, with the options of the question and of the command."""

        def run(**given: Any) -> None:
            with naming(question.option_names(given)):
                self.run(question, {"unit": None, **given})

        own = dict(self.own)
        if not question.kind.capabilities.in_groups:
            own = {each: option for each, option in own.items() if each not in IN_GROUPS}
        if "granularity" not in question.kind.parameters.parameters:
            own.pop("granularity", None)
        asked = {
            each: option
            for each, option in question.options().items()
            if each not in (*own, *self.without) and (self._names_columns or each not in _blank(question))
        }
        file = {"file": own.pop("file")} if self._names_columns else {}
        return made(question.name, run, {**file, **asked, **own}, help=f"{TOOLS[name]}\n\n{question.help}")

    @property
    def _names_columns(self) -> bool:
        return "file" in self.own


class OfQuestion(Commands):
    """A command that contains a command for each question."""

    what = "question"

    def __init__(self, tool: Tool, name: str, **more: Any) -> None:
        examples = "\n\n".join(f"Example: noisewise {name} {each}" for each in tool.examples)
        more = {"no_args_is_help": True, "subcommand_metavar": "QUESTION [OPTIONS]...", **more}
        text = TOOLS[name] + (f"\n\n{tool.more}" if tool.more else "")
        super().__init__(name=name, help=text, epilog=examples, rich_markup_mode="rich", **more)
        self.tool = tool

    def listed(self) -> Mapping[str, Listed]:
        return listed_questions()

    def made(self, name: str) -> Any:
        if name.replace("-", "_") not in KINDS:
            return None
        return self.tool.command(self.name or "", QuestionCommand.called(name))


def _plan(question: QuestionCommand, given: Given) -> None:
    asked = without_columns(question, given)
    with output_file(given["output"]) as write:
        result = plan(asked, **_guesses(given), **held(given))
        fields = {name: _plain(getattr(result, name)) for name in Plan.__slots__ if name != "asked"}
        fields["text"] = str(result)
        write(facts("Plan", fields, result._repr_html_()))
    _print(given, fields, result)


def _epsilon_for(question: QuestionCommand, given: Given) -> None:
    _for_goal("epsilon", "ε", epsilon_for, question, given)


def _rho_for(question: QuestionCommand, given: Given) -> None:
    _for_goal("rho", "ρ", rho_for, question, given)


def _for_goal(
    name: str, symbol: str, find: Callable[..., float], question: QuestionCommand, given: Given
) -> None:
    """Find the smallest price of this name for a goal by ``find``, and print it."""
    wished = read(given, people=whole, error=amount)
    asked = without_columns(question, {**given, name: "1"})
    with output_file(given["output"]) as write:
        found = find(asked, **wished, **_guesses(given), **held(given))
        goal = {name: iso(value) for name, value in wished.items()}
        shown = f"<p>{symbol} = {found:g} is enough.</p>"
        write(facts(name.capitalize(), {name: found, "question": question.name, **goal}, shown))
    _print(given, {name: found}, f"{found:g}")


def _sweep(question: QuestionCommand, given: Given) -> None:
    lists = _read_lists(given, epsilons=number, rhos=number, contributions=whole, granularity=amount)
    single = {**given, "granularity": None, "contributions": None}
    asked = without_columns(question, single)
    with output_file(given["output"]) as write:
        result = sweep(asked, **lists, **_guesses(given), **held(single))
        write_picture(given["picture"], result.plot)
        rows = [{name: _plain(value) for name, value in row.items()} for row in result.rows]
        write(of_rows("Sweep", rows, rows, result))
    _print(given, rows, result)


def _simulate(question: QuestionCommand, given: Given) -> None:
    with output_file(given["output"], given["file"]) as write, public_data(question, given) as bind:
        payable, clock = bind({})
        result = simulated(payable).read_by(clock)
        fields = {name: getattr(result, name) for name in NotPrivateSimulation.__slots__}
        fields["error_quantiles"] = {name: iso(value) for name, value in result.error_quantiles.items()}
        fields = {name: iso(value) for name, value in fields.items()}
        fields = {"not private": True, "private": False, **fields}
        fields.update({name: spell(price) for name, price in prices_of(result).items()})
        write(facts("Simulation, not private", fields, paragraph(str(result))))
    _print(given, fields, result)


def _compare(question: QuestionCommand, given: Given) -> None:
    if "mechanism" not in question.kind.parameters.parameters:
        raise ParameterError(
            "a comparison", "must be about a question that takes a mechanism", got=question.name
        ) from None
    lists = _read_lists(given, epsilons=number, rhos=number, mechanisms=text)
    one = {**given, "epsilon": "1", "mechanism": None}
    with output_file(given["output"], given["file"]) as write, public_data(question, one) as bind:
        _, clock = bind({})
        trial = Trial(lambda **price: bind({"epsilon": None, **price})[0], clock)
        result = comparison(trial, *(lists.get(name) for name in ("epsilons", "mechanisms", "rhos")))
        write_picture(given["picture"], result.plot)
        rows = [{name: as_number(value) for name, value in row.items()} for row in result.rows]
        record = {"not private": True, "question": result.question, "rows": rows}
        write(of_rows("Comparison, not private", record, rows, result))
    _print(given, record, result)


def _print(given: Given, record: Any, result: object) -> None:
    emit(text_of.dumps(record, default=iso) if given["json"] else str(result))


def of_rows(title: str, record: Any, rows: list[dict[str, Any]], result: Any) -> Content:
    """Return the content of an output file for a result that is a table."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = {name: [row.get(name) for row in rows] for name in names}
    return Content(lambda: record, lambda: table, facts(title, {}, result._repr_html_()).page)


def write_picture(path: str | None, draw: Callable[[], Picture]) -> None:
    """Write a picture to a file, if one is named."""
    if path is None:
        return
    check_ending(path)
    picture = draw()
    try:
        picture.save(path)
        return
    except OSError:
        pass
    raise ParameterError("picture", "must be a file that can be written", got=describe(path)) from None


@contextmanager
def public_data(
    question: QuestionCommand, given: Given
) -> Iterator[Callable[[Mapping[str, Any]], tuple[Payable, Clock | None]]]:
    """Open a file of public data, and give a function that binds the question to it.

    The function takes other values for some keywords, such as epsilon. It also returns the clock, if records are times.
    """

    def check(columns: Columns) -> dict[str, Any]:
        types = columns.checked(named(given) | question.named(given))
        return question.typed.read(given, types)

    with opened(given, check, lambda: held(given)) as (dataset, keywords):
        if isinstance(dataset._table, (EngineTable, TextTable)):
            dataset._table.fetch_columns()

        def bind(price: Mapping[str, Any]) -> tuple[Payable, Clock | None]:
            bound = dataset._bind(getattr(ask, question.kind.name)(**{**keywords, **price}))
            assert isinstance(bound, OfColumns)
            in_time = bound.inner if isinstance(bound.inner, InTime) else None
            return (bound.inner, None) if in_time is None else (in_time.inner, in_time.clock)

        yield bind


KNOWN = {**PROTECTION, **GUESSES}
TOOLS_OF_PLANS: dict[str, Tool] = {
    "plan": Tool(
        _plan,
        {**KNOWN, **WRITTEN},
        "In the unit of the answer where noise is the same for all data, else in people: how many would have to change "
        "their data for the true answer to become the released one.",
        (
            "median --bounds 0 100 --epsilon 1 --size 1000 --shape normal:40,12",
            "mean --bounds 1990-01-01 2026-01-01 --epsilon 1 --size 1000",
            "count --epsilon 1 --contributions 3 --groups 12",
            "count --rho 0.5 --contributions 20 --groups 200 --per-group 1",
        ),
    ),
    "epsilon-for": Tool(
        _epsilon_for,
        {**GOALS, **KNOWN, **WRITTEN},
        examples=(
            "count --error 10",
            "median --people 20 --bounds 0 1000000",
            "mean --error 3d --bounds 1990-01-01 2026-01-01 --size 1000",
        ),
        without=("epsilon", "rho"),
    ),
    "rho-for": Tool(
        _rho_for,
        {**GOALS, **KNOWN, **WRITTEN},
        examples=(
            "count --error 10",
            "count --error 10 --groups 200 --contributions 20 --per-group 1",
            "median --people 20 --bounds 0 1000000",
        ),
        without=("epsilon", "rho"),
    ),
    "sweep": Tool(
        _sweep,
        {**SWEPT, "neighbors": options.NEIGHBORS, **GUESSES, **PICTURE, **WRITTEN},
        examples=(
            "median --bounds 0 1000000 --epsilons 0.1,1,10 --granularity 1,100",
            "count --rhos 0.005,0.05,0.5",
        ),
        without=("epsilon", "rho"),
    ),
    "simulate": Tool(
        _simulate,
        {**PUBLIC_FILE, **PROTECTION, **WRITTEN},
        "Never use it on private data: it prints the answer without noise.",
        ("median data.csv --column income --bounds 0 1000000 --epsilon 1",),
    ),
    "compare": Tool(
        _compare,
        {**COMPARED, **PUBLIC_FILE, **PROTECTION, **PICTURE, **WRITTEN},
        "Never use it on private data: it prints the answer without noise.",
        ("median data.csv --column income --bounds 0 1000000 --epsilons 0.1,1",),
        without=("epsilon", "rho", "mechanism"),
    ),
}
"""The commands of this module, by their names."""


def command(name: str) -> Any:
    """Return one of the commands of this module, for all questions."""
    return OfQuestion(TOOLS_OF_PLANS[name], name)


def _blank(question: QuestionCommand) -> dict[str, Any]:
    """Return made-up column names for the parameters that name columns, as a plan reads no file.

    Columns of a matrix are left out. The user types them, because their number matters.
    """
    kinds = dict(zip(question.typed.columns, question.column_kinds, strict=True))
    return {
        each.name: ["source", "target"] if kind == "edges" else each.name
        for each, kind in kinds.items()
        if kind != "matrix"
    }


def without_columns(question: QuestionCommand, given: Given) -> Any:
    """Return the question, as `ask` makes it. Columns that were not typed get made-up names."""
    typed = question.typed
    columns = {each.name: each.columns(given) or [each.name] for each in typed.columns} | _blank(question)
    keywords = typed.read({**given, **dict.fromkeys(columns)}, {})
    if question.column_kinds == ("cells",):
        columns = {each: list(keywords["categories"]) for each in columns}
    if "confidence" in question.kind.parameters.parameters:
        keywords |= read(given, confidence=number)
    if given.get("groups") is not None and question.counts_groups(given):
        keywords["with_count"] = True  # in groups, the question itself does so
    return getattr(ask, question.kind.name)(**columns, **keywords)


def read(given: Given, **readers: Callable[[str, str], Any]) -> dict[str, Any]:
    """Return the values of the options that were typed, each read by its function in ``readers``."""
    return {name: read(name, given[name]) for name, read in readers.items() if given.get(name) is not None}


def _read_lists(given: Given, **readers: Callable[[str, str], Any]) -> dict[str, Any]:
    """Return the lists of the options that were typed, with each item read by its function in ``readers``."""
    typed = {name: given[name] for name in readers if given.get(name) is not None}
    return {name: [readers[name](name, part) for part in parts(name, each)] for name, each in typed.items()}


def _guesses(given: Given) -> dict[str, Any]:
    """Return the values of the options for what is known or guessed about the data."""
    return read(given, confidence=number, size=whole, groups=whole, shape=_shape)


def _shape(name: str, typed: str) -> Any:
    """Return the public sample in the file of ``@FILE``, or a tuple of a shape's name and its numbers."""
    if typed.startswith("@"):
        listed = [amount(name, part) for part in parts(name, typed)]
        return [float(each) if isinstance(each, (int, Decimal, Fraction)) else each for each in listed]
    shape, _, numbers = typed.partition(":")
    return (shape, *(amount(name, part) for part in (parts(name, numbers) if numbers else [])))


def _plain(value: object) -> object:
    return spell(value) if isinstance(value, Fraction) else iso(value)
