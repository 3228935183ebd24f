"""A minute with noisewise: private answers about a bundled table of people who do not exist.

    python -m noisewise.demo

Each column has a budget of epsilon 1: five quantiles of income share one, the median age has its own. The bounds are
public guesses made without looking at the table. The true answers stand beside the released ones only because the
table is synthetic: on real people they are secret.
"""

import csv
import io
import math
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib.resources import files
from typing import NamedTuple

import noisewise as nws


class Question(NamedTuple):
    """A quantile of one column, and what may be spent on it."""

    text: str
    column: str
    q: Fraction
    bounds: tuple[int, int]
    epsilon: Fraction


INCOME, AGE = (0, 500_000), (0, 120)
QUESTIONS = (
    Question("income, 10% earn less", "income", Fraction(1, 10), INCOME, Fraction(1, 5)),
    Question("income, 25% earn less", "income", Fraction(1, 4), INCOME, Fraction(1, 5)),
    Question("income, median", "income", Fraction(1, 2), INCOME, Fraction(1, 5)),
    Question("income, 75% earn less", "income", Fraction(3, 4), INCOME, Fraction(1, 5)),
    Question("income, 90% earn less", "income", Fraction(9, 10), INCOME, Fraction(1, 5)),
    Question("age, median", "age", Fraction(1, 2), AGE, Fraction(1)),
)


def number(cell: str | None) -> float | None:
    """A cell as a number; whatever is not one is missing."""
    try:
        return float(cell or "")
    except ValueError:
        return None


def table() -> dict[str, list[float | None]]:
    """The bundled columns, each a list with None for a missing cell."""
    text = (files("noisewise") / "data" / "incomes.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    return {name: [number(row[name]) for row in rows] for name in ("income", "age")}


def ask(question: Question, values: Sequence[float | None]) -> nws.Release:
    """One release: the front door, as any user would call it."""
    if question.q == Fraction(1, 2):
        return nws.median(values, bounds=question.bounds, epsilon=question.epsilon)
    return nws.quantile(values, question.q, bounds=question.bounds, epsilon=question.epsilon)


def truth(question: Question, values: Sequence[float | None]) -> float:
    """The answer without noise. Only a synthetic table may be asked."""
    known = sorted(value for value in values if value is not None)
    return known[math.ceil(question.q * len(known)) - 1]


def report() -> Iterator[str]:
    """The lines of the demo."""
    columns = table()
    yield f"{len(columns['income']):,} people, age and income. The table is synthetic: none of them exists."
    yield ""
    yield f"  {'question':<24}{'released':>10}{'true':>10}{'epsilon':>10}"
    spent = Fraction(0)
    for question in QUESTIONS:
        values = columns[question.column]
        release = ask(question, values)
        spent += release.privacy.epsilon
        answers = f"{float(release):>10,.0f}{truth(question, values):>10,.0f}"
        yield f"  {question.text:<24}{answers}{question.epsilon!s:>10}"
    yield ""
    yield "The last one, with its receipt:"
    yield ""
    yield from (f"  {line}" for line in str(release).splitlines())
    yield ""
    yield f"Spent on each person: epsilon = {spent}, exactly. Run it again and the noise is fresh; so is the bill."


def main() -> None:
    """Print the report, on any terminal and into any pipe."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        for line in report():
            print(line, flush=True)
    except BrokenPipeError:
        sys.stdout = None  # the reader has seen enough


if __name__ == "__main__":
    main()
