"""One command for each question: what a `Dataset` can be asked, with its arguments as options.

Commands are read off the kinds of questions, their signatures and help, so a new kind is a new command. `OPTIONS` says
for each argument how its words are read.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import noisewise.questions.functions  # noqa: F401  # registers the questions
from noisewise.cli import words
from noisewise.cli.words import Types
from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import spell
from noisewise.questions.keywords import meanings, summary
from noisewise.questions.question import KINDS, Kind, column_signature

Given = Mapping[str, Any]
"""What typer hands over by the names of parameters: a text, a list of texts, a switch, or None."""


class Option(NamedTuple):
    """How an argument is typed: what the help calls its value, how the text is read, and an example of it."""

    metavar: str
    read: Callable[..., Any]
    example: str = ""
    help: str = ""
    typed: bool = False  # whether the text is read as what a column holds, by its declared type


NUMBER, WHOLE, NUMBERS = (
    Option("NUMBER", words.number),
    Option("NUMBER", words.whole),
    Option("LIST", words.numbers),
)
NAME = Option("NAME", words.text)
BOUNDS = Option("LOW HIGH", words.bounds)
OPTIONS = {
    "alpha": NUMBER._replace(example="0.1"),
    "base": WHOLE,
    "beta": NUMBER,
    "bins": Option("LIST", words.bins, "0,18,40,65,120", "The edges in rising order, or categories", True),
    "bounds": BOUNDS._replace(example="0 100"),
    "bounds_share": NUMBER._replace(
        help="The part of epsilon that --bounds private takes, by default a quarter."
    ),
    "c": NUMBER._replace(example="10"),
    "category": Option("LABEL", words.label, "tea", typed=True),
    "categories": Option("LIST", words.labels, "coffee,tea,water", "All possible answers", True),
    "ceiling": NUMBER,
    "centred": Option("", words.text),
    "confidence": NUMBER,
    "epsilon": NUMBER._replace(example="1"),
    "floor": NUMBER,
    "granularity": Option("STEP", words.amount),
    "high": NUMBER._replace(example="0.9"),
    "intercept_bounds": BOUNDS,
    "interval": NUMBER,
    "largest": NUMBER,
    "length": NUMBER,
    "low": NUMBER._replace(example="0.1"),
    "max_degree": WHOLE._replace(example="10"),
    "mechanism": NAME._replace(
        help="auto, balance, piecewise_laplace, inverse_sensitivity, permute_and_flip, laplace or, for a maximum or "
        "a minimum, shifted_inverse. By default auto. plm and inverse are short for the second and the third."
    ),
    "method": NAME,
    "nodes": Option("NUMBER|LIST", words.nodes, "100", "How many nodes there are, or which", True),
    "norm": NAME,
    "parts": WHOLE,
    "per": NUMBER,
    "q": NUMBER._replace(example="0.9"),
    "qs": NUMBERS._replace(example="0.25,0.5,0.75"),
    "radius": NUMBER,
    "smallest": NUMBER,
    "smooth": NUMBER._replace(
        help="With piecewise_laplace or inverse_sensitivity: all answers this close to the true one are equally likely."
    ),
    "steps": WHOLE._replace(example="9"),
    "toward": NUMBERS,
    "with_count": Option(
        "",
        words.text,
        help="Release how many records took part, too, for a tenth of epsilon. In groups that is the default, "
        "a column n; --no-count leaves it out.",
    ),
}
CELLS = Option(
    "LIST",
    words.cells,
    "drink=coffee,tea --categories dept=A,B",
    "All values of each column, known without looking at the data: dept=a,b,c or dept=@FILE, said for each.",
)
ONE = Option("COLUMN", words.text, "income", "The name of a column.")
COLUMNS = {
    "column": ONE,
    "label": ONE._replace(example="drink"),
    "matrix": Option("COLUMNS", words.parts, "height,weight", "The names of the columns, as in a,b,c."),
    "cells": Option("COLUMNS", words.parts, "drink,dept", "The names of the columns, as in a,b,c."),
    "edges": Option(
        "COLUMNS", words.parts, "source,target", "The columns of both ends of an edge, as in a,b."
    ),
}


FAMILIES = ("One column", "Several columns", "Graphs")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a question."""

    name: str
    flag: str
    option: Option
    required: bool
    help: str
    switch: bool = False

    @property
    def many(self) -> bool:
        """Whether it may be said more than once: bounds or categories, for each column."""
        return self.option.read in (words.bounds, words.cells)

    def columns(self, given: Given) -> list[str]:
        """The columns that it names."""
        text = given.get(self.name)
        if text is None:
            return []
        return words.parts(self.name, text) if self.option.metavar == "COLUMNS" else [text]


@dataclass(frozen=True, slots=True)
class QuestionCommand:
    """A method of `Dataset`, as a command."""

    kind: Kind
    arguments: tuple[Argument, ...]
    help: str

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def kinds(self) -> tuple[str, ...]:
        return self.kind.capabilities.columns

    @property
    def command(self) -> str:
        return _command(self.name)

    @property
    def column_arguments(self) -> tuple[Argument, ...]:
        """The arguments that name columns."""
        return self.arguments[: len(self.kinds)]

    def option_names(self, given: Given) -> dict[str, str]:
        """The options that name columns: by the names of arguments, and by the columns as an error quotes them."""
        options = {each.name: each.flag for each in self.column_arguments}
        named = {each.flag: str(given.get(each.name)).split(",") for each in self.column_arguments}
        columns = {repr(name): flag for flag, names in named.items() for name in names}
        return {"data": self.column_arguments[0].flag} | options | columns

    @property
    def family(self) -> str:
        """Where it stands among the commands."""
        return _family(self.kind)

    @property
    def short(self) -> str:
        """What it is about, for a list of commands."""
        text = self.help.replace("\n", " ").rstrip(".").removeprefix("A private ")
        first, rest = _clause(text)
        if " " not in first:
            first = f"{first}: {_clause(rest)[0]}"
        return first if first[1:2] == "-" else first[:1].upper() + first[1:]

    @property
    def example(self) -> str:
        """A command line that asks it."""
        bins = any(each.name == "bins" for each in self.arguments)
        named = {"nodes", "bins" if bins else "categories"}
        wanted = [
            each for each in self.arguments if each.option.example and (each.required or each.name in named)
        ]
        options = " ".join(f"{each.flag} {each.option.example}" for each in wanted)
        wide = "0 1000000" if "--column income" in options else "0 100"
        options += " --unit person" if self.kind.capabilities.people else ""
        return f"noisewise {self.command} data.csv {options}".replace("--bounds 0 100", f"--bounds {wide}")

    def counts_groups(self, given: Given) -> bool:
        """Whether groups show how many records took part: where nobody said otherwise, and the answer does not."""
        return given.get("with_count") is None and not self.kind.capabilities.counts_records

    def read(self, given: Given, types: Types) -> dict[str, Any]:
        """The texts that were given, as the keywords of the method."""
        first = next((given[each.name] for each in self.arguments[:1] if given.get(each.name)), "")
        kind = types.get(first.split(",")[0])
        keywords = {}
        for each in self.arguments:
            if (text := given.get(each.name)) in (None, []):
                continue
            if each.option.read is words.cells:
                columns = self.column_arguments[0].columns(given)
                keywords[each.name] = words.cells(each.name, text, columns, types)
                continue
            if each.many and len(text) > 1 and (self.kinds == ("column",) or each.name != "bounds"):
                raise ParameterError(
                    each.name, f"must be said once for {self.command}", got=f"{len(text)} pairs"
                ) from None
            if each.switch:
                keywords[each.name] = text
            else:
                typed = [kind] if each.option.typed else []
                keywords[each.name] = each.option.read(each.name, text, *typed)
        return keywords


def question_of(command: str) -> QuestionCommand:
    """The question that a command asks."""
    return _question(KINDS[command.replace("-", "_")])


def questions() -> dict[str, QuestionCommand]:
    """All that there is to ask, by the name of its command."""
    by_family = sorted(KINDS.values(), key=lambda kind: (FAMILIES.index(_family(kind)), kind.name))
    return {_command(kind.name): _question(kind) for kind in by_family}


def _clause(text: str) -> tuple[str, str]:
    """What stands before the first stop, and what follows."""
    ends = [text.partition(stop) for stop in (". ", ": ", "; ")]
    first, _, rest = min(ends, key=lambda each: len(each[0]))
    return first, rest


def _plain(text: str) -> str:
    """Help without the quotes around code."""
    for quote in ('``"', '"``', "``", "`"):
        text = text.replace(quote, "")
    return text


def _command(name: str) -> str:
    return name.replace("_", "-")


def _family(kind: Kind) -> str:
    columns = kind.capabilities.columns
    if columns == ("edges",):
        return "Graphs"
    return "One column" if columns in (("column",), ("label",)) else "Several columns"


@cache
def _question(kind: Kind) -> QuestionCommand:
    parameters = list(column_signature(kind).parameters.values())
    means = {name: _plain(text) for name, text in meanings(kind.help, kind.signature).items()}
    if "bounds_share" in means:
        means["bounds"] += " Or private, where nobody knows them."
    columns = kind.capabilities.columns
    arguments = [
        *(_column(each, column, kind) for each, column in zip(parameters, columns, strict=False)),
        *(_argument(each, means.get(each.name, ""), columns) for each in parameters[len(columns) :]),
    ]
    return QuestionCommand(kind, tuple(arguments), _plain(summary(kind.help)))


def _column(parameter: inspect.Parameter, column: str, kind: Kind) -> Argument:
    option = COLUMNS[column]
    several = column in ("matrix", "cells") and parameter.name == "column"
    if column == "column" and parameter.name != "column":
        option = option._replace(example=parameter.name)
    if kind.capabilities.example:
        option = option._replace(example=kind.capabilities.example)
    if kind.capabilities.all_rows:
        option = option._replace(
            help="The name of a column, of which missing records do not count. Without it, all rows count."
        )
    needed = parameter.default is inspect.Parameter.empty
    return Argument(
        parameter.name, "--columns" if several else _flag(parameter.name), option, needed, option.help
    )


def _argument(parameter: inspect.Parameter, means: str, columns: tuple[str, ...]) -> Argument:
    option, default = OPTIONS[parameter.name], parameter.default
    if columns == ("cells",) and parameter.name == "categories":
        option = CELLS
    help = option.help or means
    if option.typed and option.help:
        help += ": a,b,c or @FILE."
    if default not in (inspect.Parameter.empty, None, "auto") and "default" not in help:
        help += f" By default {_as_typed(default)}."
    switch = isinstance(default, bool)
    off = "count" if parameter.name == "with_count" else parameter.name
    flag = f"{_flag(parameter.name)}/--no-{off}" if switch else _flag(parameter.name)
    return Argument(parameter.name, flag, option, default is inspect.Parameter.empty, help, switch)


def _as_typed(default: bool | str | Fraction) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return default if isinstance(default, str) else spell(default)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
