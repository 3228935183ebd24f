"""The options of the commands that plan: what is known or guessed of the data, goals, and prices to compare."""

from typing import Annotated

import typer

from noisewise.cli import options

GUESS = "What is known or guessed"
CONFIDENCE = Annotated[
    str | None,
    options.option("--confidence", "The probability that it holds. By default 0.95.", GUESS, "NUMBER"),
]
SIZE = Annotated[
    str | None,
    typer.Option(
        "--size",
        "--n",
        metavar="NUMBER",
        help="How many records there are, where that is public or a guess: under swap, for a mean, and with a shape; "
        "of a graph, how many nodes.",
        rich_help_panel=GUESS,
    ),
]
SHAPE = Annotated[
    str | None,
    options.option(
        "--shape",
        "What the records are like, public or a guess: normal:MEAN,DEVIATION, lognormal:MEAN,DEVIATION of the "
        "logarithms, uniform:LOW,HIGH, or @FILE with a public sample, a number on each line; between dates these are "
        "dates, and a deviation is a duration.",
        GUESS,
        "SHAPE",
    ),
]
GROUPS = Annotated[
    str | None,
    options.option(
        "--groups",
        "In how many groups it is asked; they cost epsilon together, and --size and --shape are those of one.",
        GUESS,
        "NUMBER",
    ),
]
PEOPLE = Annotated[
    str | None,
    options.option(
        "--people",
        "How many people may separate the answer from the true one.",
        GUESS,
        "NUMBER",
    ),
]
ERROR = Annotated[
    str | None,
    options.option(
        "--error",
        "Or how far the answer may be from the true one; between dates a duration, as in 7d.",
        GUESS,
        "NUMBER",
    ),
]
EPSILONS = Annotated[
    str | None,
    options.option(
        "--epsilons", "The privacy losses to compare. By default 0.1,0.2,0.5,1,2,5.", GUESS, "LIST"
    ),
]
GRANULARITIES = Annotated[
    str | None,
    options.option(
        "--granularity", "The spacing of possible answers; or several, as in 1,100.", GUESS, "LIST"
    ),
]
CONTRIBUTIONS = Annotated[
    str | None,
    options.option(
        "--contributions", "How many records one person has at most; or several, as in 1,5.", GUESS, "LIST"
    ),
]
PICTURE = Annotated[
    str | None, options.option("--picture", "Write a picture to this file, as SVG.", options.PAYMENT, "FILE")
]
PROTECTION = {"contributions": options.CONTRIBUTIONS, "neighbors": options.NEIGHBORS}
GUESSES = {"size": SIZE, "shape": SHAPE, "confidence": CONFIDENCE}
