"""A minute with noisewise: private answers about a bundled table of people who do not exist.

    python -m noisewise.demo, or noisewise demo

The demo begins with one median by four mechanisms, and the expected error of each. The mechanism of the paper is one of
them. Then it asks questions about two columns. Each column has a budget of epsilon 1, which all questions about it
share. The bounds are public guesses that were made without looking at the table. The true answers are printed only
because the table is synthetic. The true answers about real people are secret. If the command line is installed, the
demo ends with commands for a shell, with a ledger that pays.
"""

import csv
import io
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from importlib.resources import files
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import noisewise as nws
from noisewise.errors import install
from noisewise.questions.choice import Name


class DemoQuestion(NamedTuple):
    """A question about one column: its epsilon, the function that asks it, and its answers without noise.

    ``texts`` has a line of text for each answer.
    """

    texts: tuple[str, ...]
    column: str
    epsilon: Fraction
    ask: Callable[..., nws.Release]
    truth: Callable[[list[float]], tuple[float, ...]]


def quantile(known: Sequence[float], q: Fraction) -> float:
    """Return the q-quantile without noise: the number of rank ceil(q*n) among all n numbers."""
    return sorted(known)[math.ceil(q * len(known)) - 1]


def gini(known: Sequence[float]) -> float:
    """Return 100 times the Gini index without noise: half of the mean difference of two people, over the mean."""
    ordered, n = sorted(known), len(known)
    return 100 * sum((2 * i - n + 1) * x for i, x in enumerate(ordered)) / (n * sum(ordered))


INCOME, AGE = (0, 500_000), (0, 120)
QUARTILES = tuple(Fraction(k, 4) for k in (1, 2, 3))
QUESTIONS = (
    DemoQuestion(
        ("income, 25% earn less", "income, median", "income, 75% earn less"),
        "income",
        Fraction(2, 5),
        lambda column, **spend: nws.quantiles(column, QUARTILES, bounds=INCOME, **spend),
        lambda known: tuple(quantile(known, q) for q in QUARTILES),
    ),
    DemoQuestion(
        ("income, mean",),
        "income",
        Fraction(2, 5),
        lambda column, **spend: nws.mean(column, bounds=INCOME, granularity=1, **spend),
        lambda known: (statistics.fmean(known),),
    ),
    DemoQuestion(
        ("income, Gini in %",),
        "income",
        Fraction(1, 5),
        lambda column, **spend: nws.gini(column, bounds=INCOME, **spend),
        lambda known: (gini(known),),
    ),
    DemoQuestion(
        ("ages on record",),
        "age",
        Fraction(1, 4),
        lambda column, **spend: nws.count(column, **spend),
        lambda known: (len(known),),
    ),
    DemoQuestion(
        ("age, standard deviation",),
        "age",
        Fraction(1, 4),
        lambda column, **spend: nws.std(column, bounds=AGE, granularity=1, **spend),
        lambda known: (statistics.pstdev(known),),
    ),
    DemoQuestion(
        ("age, median",),
        "age",
        Fraction(1, 2),
        lambda column, **spend: nws.median(column, bounds=AGE, **spend),
        lambda known: (quantile(known, Fraction(1, 2)),),
    ),
)


COMMANDS = (
    "ledger create people.ledger --epsilon 1",
    "median incomes.csv --column age --bounds 0 120 --epsilon 1/2 --ledger people.ledger",
    "ledger show people.ledger",
)
"""What is typed in the shell."""


def number(cell: str | None) -> float | None:
    """Return a cell as a number, or None if it is no number."""
    try:
        return float(cell or "")
    except ValueError:
        return None


def text() -> str:
    """Return the text of the bundled table's file."""
    return (files("noisewise") / "incomes.csv").read_text(encoding="utf-8")


def table() -> dict[str, list[float | None]]:
    """Return the bundled columns as lists, with None for a missing cell."""
    rows = list(csv.DictReader(text().splitlines()))
    return {name: [number(row[name]) for row in rows] for name in ("income", "age")}


def ask(question: DemoQuestion, values: Sequence[float | None]) -> nws.Release:
    """Return one release, made by the same call that a user would write."""
    return question.ask(values, epsilon=question.epsilon)


def truth(question: DemoQuestion, values: Sequence[float | None]) -> tuple[float, ...]:
    """Return the answers without noise. Call this only for synthetic data."""
    return question.truth([value for value in values if value is not None])


def lines(question: DemoQuestion, release: nws.Release, true: tuple[float, ...]) -> Iterator[str]:
    """Yield a line for each answer. The first line says what all of them cost."""
    released: Any = release.value if isinstance(release.value, tuple) else (release.value,)
    scale = 100 if release.statistic == "gini" else 1
    for text, answer, right in zip(question.texts, released, true, strict=True):
        cost = str(question.epsilon) if text == question.texts[0] else ""
        yield f"  {text:<26}{scale * answer:>10,.0f}{right:>10,.0f}{cost:>10}".rstrip()


MECHANISMS: tuple[tuple[Name, str], ...] = (
    ("laplace", "as wide as the worst data"),
    ("inverse_sensitivity", "follows this data, in stairs"),
    ("piecewise_laplace", "THE PAPER'S: follows this data, in slopes"),
    ("balance", "the default here: keeps all of epsilon"),
)
"""The mechanisms of the first part, and what the noise of each is like."""


def comparison() -> Iterator[str]:
    """Yield the lines about one median, asked by four mechanisms at the same price."""
    incomes = table()["income"]
    known = [value for value in incomes if value is not None]
    yield "D. Durfee, Unifying Laplace Mechanism with Instance Optimality in Differential Privacy (2025), at work:"
    yield f"the median of {len(known):,} synthetic incomes, {quantile(known, Fraction(1, 2)):,.0f}, at epsilon 1."
    yield ""
    yield f"  {'mechanism':<21}{'one answer':>11}{'mean error':>12}   its noise"
    for name, said in MECHANISMS:
        law = nws.hazmat.law(nws.Quantile("1/2"), incomes, bounds=INCOME, epsilon=1, mechanism=name)
        (answer,), error = law.draw(1), law.expected_error()
        yield f"  {name:<21}{answer:>11,.0f}{error:>12,.{0 if error >= 100 else 1}f}   {said}"
    yield ""
    yield "Errors are exact and can be shown since these people do not exist."
    yield ""


def report() -> Iterator[str]:
    """Yield the lines of the demo's questions about two columns."""
    columns = table()
    yield f"{len(columns['income']):,} people, age and income. The table is synthetic: none of them exists."
    yield ""
    yield f"  {'question':<26}{'released':>10}{'true':>10}{'epsilon':>10}"
    spent = Fraction(0)
    for question in QUESTIONS:
        values = columns[question.column]
        release = ask(question, values)
        spent += release.privacy.as_pure().epsilon
        yield from lines(question, release, truth(question, values))
    yield ""
    yield "The last one, with its receipt:"
    yield ""
    yield from (f"  {line}" for line in str(release).splitlines())
    yield ""
    yield f"Spent on each person: epsilon = {spent}, exactly. Run it again and the noise is fresh; so is the bill."


def session() -> Iterator[str]:
    """Yield the lines of the demo in a shell: commands and their output, or what to install if packages are missing."""
    yield ""
    if not (find_spec("typer") and find_spec("rich")):
        yield f"The same from a shell: {install('cli')}, then noisewise demo"
        return
    yield "The same from a shell, for another epsilon of 1/2, paid by a ledger:"
    with TemporaryDirectory(prefix="noisewise-demo-") as folder:
        Path(folder, "incomes.csv").write_text(text(), encoding="utf-8")
        for command in COMMANDS:
            yield ""
            yield f"  $ noisewise {command}"
            done = subprocess.run(
                [sys.executable, "-m", "noisewise", *command.split()],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                env=os.environ | {"PYTHONIOENCODING": "utf-8"},
                check=False,
            )
            yield from (f"  {line}".rstrip() for line in done.stdout.splitlines())


def main() -> None:
    """Print the demo. Letters that the terminal cannot print are replaced."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        for line in chain(comparison(), report(), session()):
            print(line, flush=True)
    except BrokenPipeError:
        sys.stdout = None  # the reader of the pipe has closed it


if __name__ == "__main__":
    main()
