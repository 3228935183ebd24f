"""One command for each question: what a `Dataset` can be asked, with its arguments as options.

Commands are read off the methods' signatures and help, so a new question is a new command. `OPTIONS` says for each
argument how its words are read.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from noisewise.cli import words
from noisewise.cli.helps import meaning, summary
from noisewise.cli.words import Types
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.methods import HELD, Inquiry
from noisewise.errors import ParameterError
from noisewise.numbers.exact import spell
from noisewise.questions import functions
from noisewise.results.release import Release


class Option(NamedTuple):
    """How an argument stands on a command line: what to call its words, how to read them, an example of them."""

    metavar: str
    read: Callable[..., Any]
    example: str = ""
    help: str = ""
    typed: bool = False  # whether the words become what a column holds, by its declared type


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
    "categories": Option("LIST", words.labels, "coffee,tea,water", "All possible answers", True),
    "centred": Option("", words.text),
    "confidence": NUMBER,
    "epsilon": NUMBER._replace(example="1"),
    "floor": NUMBER,
    "granularity": Option("STEP", words.amount),
    "high": NUMBER._replace(example="0.9"),
    "intercept_bounds": BOUNDS,
    "k": WHOLE._replace(example="2"),
    "largest": NUMBER,
    "length": NUMBER,
    "low": NUMBER._replace(example="0.1"),
    "max_degree": WHOLE._replace(example="10"),
    "mechanism": NAME._replace(
        help="auto, piecewise_laplace, inverse_sensitivity, permute_and_flip or laplace. By default auto."
    ),
    "method": NAME,
    "nodes": Option("NUMBER|LIST", words.nodes, "100", "How many nodes there are, or which", True),
    "norm": NAME,
    "parts": WHOLE,
    "q": NUMBER._replace(example="0.9"),
    "qs": NUMBERS._replace(example="0.25,0.5,0.75"),
    "radius": NUMBER,
    "smallest": NUMBER,
    "steps": WHOLE._replace(example="9"),
    "toward": NUMBERS,
}
ONE = Option("COLUMN", words.text, "income", "The name of a column.")
COLUMNS = {
    "column": ONE,
    "label": ONE._replace(example="drink"),
    "matrix": Option("COLUMNS", words.parts, "height,weight", "The names of the columns, as in a,b,c."),
    "edges": Option(
        "COLUMNS",
        words.parts,
        "source,target",
        "The columns of both ends of an edge, as in a,b; and of its weight.",
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
        """Whether it may be said more than once: bounds, for each column."""
        return self.option.read is words.bounds

    def names(self, given: Mapping[str, Any]) -> list[str]:
        """The columns that it names, where it names some."""
        said = given.get(self.name)
        return (
            []
            if said is None
            else words.parts(self.name, said)
            if self.option.metavar == "COLUMNS"
            else [said]
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A method of `Dataset`, as a command."""

    name: str
    kinds: tuple[str, ...]
    arguments: tuple[Argument, ...]
    help: str

    @property
    def command(self) -> str:
        return self.name.replace("_", "-")

    @property
    def places(self) -> tuple[Argument, ...]:
        """The arguments that name columns."""
        return self.arguments[: len(self.kinds)]

    def called(self, given: Mapping[str, Any]) -> dict[str, str]:
        """The options that name columns: by the names of arguments, and by the columns as an error quotes them."""
        options = {each.name: each.flag for each in self.places}
        said = {each.flag: str(given.get(each.name)).split(",") for each in self.places}
        columns = {repr(name): flag for flag, names in said.items() for name in names}
        return {"data": self.places[0].flag} | options | columns

    @property
    def family(self) -> str:
        """Where it stands among the commands."""
        if self.kinds == ("edges",):
            return "Graphs"
        return "One column" if self.kinds in (("column",), ("label",)) else "Several columns"

    @property
    def short(self) -> str:
        """What it is about, for a list of commands."""
        said = re.split(r"[.:;]\s", self.help.replace("\n", " ").rstrip(".").removeprefix("A private "))
        first = said[0] if " " in said[0] else ": ".join(said[:2])
        return first if first[1:2] == "-" else first[:1].upper() + first[1:]

    @property
    def example(self) -> str:
        """A command line that asks it."""
        wanted = [
            each for each in self.arguments if each.option.example and (each.required or each.name == "nodes")
        ]
        said = " ".join(f"{each.flag} {each.option.example}" for each in wanted)
        wide = "0 1000000" if "--column income" in said else "0 100"
        return f"noisewise {self.command} data.csv {said}".replace("--bounds 0 100", f"--bounds {wide}")

    def read(self, given: Mapping[str, Any], types: Types) -> dict[str, Any]:
        """The words that were given, as the method takes them."""
        first = next((given[each.name] for each in self.arguments[:1] if given.get(each.name)), "")
        kind = types.get(first.split(",")[0])
        asked = {}
        for each in self.arguments:
            if (said := given.get(each.name)) in (None, []):
                continue
            if each.many and len(said) > 1 and (self.kinds == ("column",) or each.name != "bounds"):
                raise ParameterError(
                    f"{each.name} must be said once for {self.command}, got {len(said)} pairs"
                ) from None
            if each.switch:
                asked[each.name] = said
            else:
                asked[each.name] = each.option.read(each.name, said, *([kind] if each.option.typed else []))
        return asked


def questions() -> dict[str, Question]:
    """All that there is to ask, by the name of its command: of one column, of several, of graphs."""
    found = [
        _question(name, method)
        for name, method in sorted(vars(Dataset).items())
        if inspect.isfunction(method) and inspect.signature(method).return_annotation is Release
        if not name.startswith("_")
    ]
    return {each.command: each for each in sorted(found, key=lambda each: FAMILIES.index(each.family))}


class _Listener:
    """In the place of a Dataset: hears what a method would ask of it."""

    def _ask(self, inquiry: Inquiry) -> Inquiry:
        return inquiry


def _question(name: str, method: Callable[..., Any]) -> Question:
    function = getattr(functions, name)
    parameters = list(inspect.signature(method).parameters.values())[1:]
    places = [each for each in parameters if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    kinds = method(_Listener(), *(each.name for each in places)).kinds
    about, means = summary(method), meaning(function)
    if parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:  # the keywords of the function, by another name
        keywords = inspect.signature(function).parameters.values()
        parameters = [
            *places,
            *(
                each
                for each in keywords
                if each.kind is inspect.Parameter.KEYWORD_ONLY and each.name not in HELD
            ),
        ]
        about = about.partition("\n\n")[0]
    if any(each.name == "bounds_share" for each in parameters):
        means["bounds"] += " Or private, where nobody knows them."
    arguments = [
        _column(each, kind, name) if kind else _argument(each, means.get(each.name, ""))
        for each, kind in zip(parameters, [*kinds, *[""] * len(parameters)], strict=False)
    ]
    return Question(name, kinds, tuple(arguments), about)


def _column(parameter: inspect.Parameter, kind: str, name: str) -> Argument:
    option = COLUMNS[kind]
    several = kind == "matrix" and parameter.name == "column"
    if kind == "column" and parameter.name != "column":
        option = option._replace(example=parameter.name)
    if name == "spanning_tree_cost":
        option = option._replace(example="source,target,weight")
    if name == "count":
        option = option._replace(
            help="Count those of its records that are numbers. Without it, all rows count."
        )
    if name == "histogram":
        option = option._replace(example="age")
    needed = parameter.default is inspect.Parameter.empty
    return Argument(
        parameter.name, "--columns" if several else _flag(parameter.name), option, needed, option.help
    )


def _argument(parameter: inspect.Parameter, means: str) -> Argument:
    option, default = OPTIONS[parameter.name], parameter.default
    said = option.help or means
    if option.typed:
        said += ": a,b,c or @FILE."
    if parameter.name == "bounds" and "pair" in said:
        said = (
            f"{re.sub(r': a pair for.*?(?=[.] )', '', said)} Say it once for all columns, or once for each."
        )
    if default not in (inspect.Parameter.empty, None, "auto") and "default" not in said:
        said += f" By default {_said(default)}."
    switch = isinstance(default, bool)
    flag = f"{_flag(parameter.name)}/--no-{parameter.name}" if switch else _flag(parameter.name)
    return Argument(parameter.name, flag, option, default is inspect.Parameter.empty, said, switch)


def _said(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return default if isinstance(default, str) else spell(default)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
