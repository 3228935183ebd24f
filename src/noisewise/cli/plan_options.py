"""The helps and options of the commands that plan: what is known or guessed of the data, goals, prices to compare."""

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
RHOS = Annotated[
    str | None,
    options.option(
        "--rhos", "Prices in zCDP to compare at, in the place of --epsilons, as in 0.01,0.1.", GUESS, "LIST"
    ),
]
MECHANISMS = Annotated[
    str | None,
    options.option(
        "--mechanisms", "The mechanisms to compare. By default all that can answer.", GUESS, "LIST"
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

HELP = {
    "plan": "How good an answer will be, before it is paid for. No data is read.\n\nIn the unit of the answer where "
    "noise is the same for all data, else in people: how many would have to change their data for the true answer to "
    "become the released one.",
    "epsilon-for": "The smallest epsilon that is good enough. No data is read.",
    "sweep": "A table of how good an answer will be at several prices, and a picture of it. No data is read.",
    "simulate": "Not private: how good an answer would be on data that anybody may see.\n\nNever use it on private "
    "data: it prints the answer without noise.",
    "compare": "Not private: the errors of several mechanisms on data that anybody may see, at equal prices.\n\nNever "
    "use it on private data: it prints the answer without noise.",
}
EXAMPLES = {
    "plan": (
        "noisewise plan median --bounds 0 100 --epsilon 1 --size 1000 --shape normal:40,12",
        "noisewise plan mean --bounds 1990-01-01 2026-01-01 --epsilon 1 --size 1000",
        "noisewise plan count --epsilon 1 --contributions 3 --groups 12",
    ),
    "epsilon-for": (
        "noisewise epsilon-for count --error 10",
        "noisewise epsilon-for median --people 20 --bounds 0 1000000",
        "noisewise epsilon-for mean --error 3d --bounds 1990-01-01 2026-01-01 --size 1000",
    ),
    "sweep": ("noisewise sweep median --bounds 0 1000000 --epsilons 0.1,1,10 --granularity 1,100",),
    "simulate": ("noisewise simulate median data.csv --column income --bounds 0 1000000 --epsilon 1",),
    "compare": ("noisewise compare median data.csv --column income --bounds 0 1000000 --epsilons 0.1,1",),
}
