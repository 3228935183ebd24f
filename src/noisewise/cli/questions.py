"""One command for each question. The parameters of the question are its options.

The kind of a question has its signature and its help, so a new kind becomes a new command.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from noisewise.cli.options import Option
from noisewise.kernel.numbers.exact import spell
from noisewise.questions.keywords import meanings, summary
from noisewise.questions.question import KINDS, Kind
from noisewise.questions.typed import CELLS, Given, TypedParameter, TypedQuestion, kind_called, without_quotes

FAMILIES = ("One column", "Several columns", "Graphs")
EXAMPLES = {
    "COLUMN": "income",
    "COLUMNS": "height,weight",
    "LIST": "0.25,0.5,0.75",
    "LOW HIGH": "0 100",
    "NUMBER": "1",
    "alpha": "0.1",
    "bins": "0,18,40,65,120",
    "c": "10",
    "categories": "coffee,tea,water",
    "cells": "drink,dept",
    "edges": "source,target",
    "high": "0.9",
    "label": "drink",
    "low": "0.1",
    "max_degree": "10",
    "nodes": "100",
    "q": "0.9",
    "steps": "9",
}
"""Values for examples, by the name of a parameter, its kind of column, or the word of the help for its value."""

HELP = {
    "bins": "The edges in rising order, or categories: a,b,c or @FILE.",
    "bounds_share": "The part of the price that --bounds private takes, by default a quarter.",
    "categories": "All possible answers: a,b,c or @FILE.",
    "mechanism": "auto, balance, piecewise_laplace, inverse_sensitivity, permute_and_flip, laplace, with --rho "
    "gaussian or gaussian_balance, or for a maximum or a minimum, shifted_inverse and shifted_piecewise_laplace. By "
    "default auto. plm is short for piecewise_laplace, inverse for inverse_sensitivity.",
    "nodes": "How many nodes there are, or which: a,b,c or @FILE.",
    "per_person": "sum, mean, max, min or count: makes one record of all rows of a person before the question is "
    "asked; needs --unit. Bounds and granularity are those of this record.",
    "signed": "Leave negative numbers as they are drawn, so that answers are right on average, and sums of many of "
    "them are, too. By default counts, and sums of numbers that are not negative, end at 0.",
    "smooth": "With piecewise_laplace or inverse_sensitivity: all answers this close to the true one are equally "
    "likely.",
    "with_count": "Release how many records took part, too, for a tenth of the price. In groups that is the default, "
    "a column n; --no-count leaves it out.",
}
"""Help for parameters whose help in Python is about Python."""

OF_COLUMNS = {
    "matrix": "The names of the columns, as in a,b,c.",
    "cells": "The names of the columns, as in a,b,c.",
    "edges": "The columns of both ends of an edge, as in a,b.",
}
EACH_CATEGORY = (
    "All values of each column, known without looking at the data: dept=a,b,c or dept=@FILE, said for each."
)


@dataclass(frozen=True)
class QuestionCommand:
    """A kind of question as a command."""

    kind: Kind

    @classmethod
    def called(cls, command: str) -> "QuestionCommand":
        return cls(kind_called(command))

    @property
    def name(self) -> str:
        """Return the name of the command."""
        return self.kind.name.replace("_", "-")

    @property
    def typed(self) -> TypedQuestion:
        return TypedQuestion.of(self.kind)

    @property
    def column_kinds(self) -> tuple[str, ...]:
        return self.kind.capabilities.columns

    @property
    def family(self) -> str:
        """Return the heading under which the list of commands shows the command."""
        if self.column_kinds == ("edges",):
            return "Graphs"
        return FAMILIES[self.column_kinds not in (("column",), ("label",))]

    @cached_property
    def help(self) -> str:
        return without_quotes(summary(self.kind.help))

    @property
    def short(self) -> str:
        """Return the line about the command in the list of commands."""
        text = self.help.replace("\n", " ").rstrip(".").removeprefix("A private ")
        first, rest = _clause(text)
        if " " not in first:
            first = f"{first}: {_clause(rest)[0]}"
        return first if first[1:2] == "-" else first[:1].upper() + first[1:]

    @property
    def example(self) -> str:
        """Return an example of the command line."""
        names = {each.name for each in self.typed.parameters}
        needed = {"epsilon", "nodes", "bins" if "bins" in names else "categories"}
        wanted = [each for each in self.typed.parameters if each.required or each.name in needed]
        options = " ".join(f"{self.flag(each)} {self.example_of(each)}" for each in wanted)
        if "--column income" in options:
            options = options.replace("--bounds 0 100", "--bounds 0 1000000")
        options += " --unit person" if self.kind.capabilities.people else ""
        return f"noisewise {self.name} data.csv {options}"

    def example_of(self, each: TypedParameter) -> str:
        """Return the value of a parameter in an example."""
        if each.column is not None and self.kind.capabilities.example:
            return self.kind.capabilities.example
        if each.form is CELLS:
            return "drink=coffee,tea --categories dept=A,B"
        if each.column == "column" and each.name != "column":
            return each.name
        found = (EXAMPLES.get(key) for key in (each.name, each.column or "", each.form.metavar))
        return next(filter(None, found), "")

    def flag(self, each: TypedParameter) -> str:
        """Return the option for a parameter."""
        if each.column in ("matrix", "cells") and each.name == "column":
            return "--columns"
        return f"--{each.name.replace('_', '-')}"

    def help_of(self, each: TypedParameter) -> str:
        """Return the help text of the option for a parameter."""
        if each.column is not None:
            if self.kind.capabilities.all_rows:
                return (
                    "The name of a column, of which missing records do not count. Without it, all rows count."
                )
            return OF_COLUMNS.get(each.column, "The name of a column.")
        if each.form is CELLS:
            return EACH_CATEGORY
        text = HELP.get(each.name) or self._meanings[each.name]
        if each.name == "bounds" and "bounds_share" in self._meanings:
            text += " Or private, where nobody knows them."
        if not each.required and each.default not in (None, "auto") and "default" not in text:
            text += f" By default {_as_typed(each.default)}."
        return text

    @cached_property
    def _meanings(self) -> dict[str, str]:
        means = meanings(self.kind.help, self.kind.signature)
        return {name: without_quotes(text) for name, text in means.items()}

    def options(self) -> dict[str, Option]:
        """Return the parameters of the question as options."""
        return {each.name: self._option(each) for each in self.typed.parameters}

    def _option(self, each: TypedParameter) -> Option:
        flag = self.flag(each)
        if each.switch:
            flag += "/--no-" + ("count" if each.name == "with_count" else each.name)
        return Option(
            flag,
            self.help_of(each),
            metavar="" if each.switch else each.form.metavar,
            many=each.many,
            required=each.required,
            columns=each.column is not None,
        )

    def named(self, given: Given) -> dict[str, list[str]]:
        """Return the columns that were typed, by the options that name them."""
        return {self.flag(each): each.columns(given) for each in self.typed.columns}

    def option_names(self, given: Given) -> dict[str, str]:
        """Return the options that replace names in an error.

        The names are parameters, column names in quotes, and "data", which stands for the first column.
        """
        flags = {each.name: self.flag(each) for each in self.typed.parameters}
        quoted = {
            repr(name): flags[each.name]
            for each in self.typed.columns
            for name in str(given.get(each.name)).split(",")
        }
        return {"data": next(iter(flags.values()))} | flags | quoted

    def counts_groups(self, given: Given) -> bool:
        """Whether an answer in groups also counts the records of each group.

        This is so if the user did not choose, and if the answer itself does not tell the count.
        """
        return given.get("with_count") is None and not self.kind.capabilities.counts_records


def questions() -> dict[str, QuestionCommand]:
    """Return all questions, by the names of their commands."""
    commands = [QuestionCommand(kind) for kind in KINDS.values()]
    commands.sort(key=lambda each: (FAMILIES.index(each.family), each.kind.name))
    return {each.name: each for each in commands}


def _clause(text: str) -> tuple[str, str]:
    """Return the text before the first full stop, colon or semicolon, and the rest."""
    ends = [text.partition(stop) for stop in (". ", ": ", "; ")]
    first, _, rest = min(ends, key=lambda each: len(each[0]))
    return first, rest


def _as_typed(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return spell(Fraction(default)) if isinstance(default, (int, float, Fraction)) else str(default)
