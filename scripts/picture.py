"""The picture of the README: three laws for the same forty people, drawn from their exact probabilities.

    python scripts/picture.py > docs/picture.svg

The people are the first forty of the bundled synthetic table, so their secret law may be looked at.
"""

from itertools import pairwise

import noisewise as nws
from noisewise.demo import table
from noisewise.planning.readings.read_law import read_law
from noisewise.results.pictures.charts import Line, line_chart

PEOPLE, EPSILON, BOUNDS = 40, 1, (0, 100_000)
LOW, HIGH, BIN = 28_000, 48_000, 100
NAMES = {
    "balance": "balance, the default",
    "piecewise_laplace": "piecewise Laplace",
    "laplace": "plain Laplace noise",
}


def shares(mechanism: str, incomes: list[float]) -> tuple[tuple[float, float], ...]:
    """The probability of each bin of BIN dollars, at its middle."""
    asked = {"bounds": BOUNDS, "epsilon": EPSILON, "mechanism": mechanism}
    below = read_law(nws.hazmat.law(nws.Quantile("1/2"), incomes, **asked)).cdf(range(LOW, HIGH + BIN, BIN))
    return tuple((LOW + BIN * i + BIN / 2, float(b - a)) for i, (a, b) in enumerate(pairwise(below)))


def picture() -> str:
    """The whole drawing."""
    incomes = sorted(v for v in table()["income"][:PEOPLE] if v is not None)
    return line_chart(
        [Line(text, shares(name, incomes)) for name, text in NAMES.items()],
        title=f"Where a private median of {len(incomes)} incomes falls",
        note=f"Chances of each {BIN} dollars at ε = {EPSILON}. The incomes are made up; the marks under the axis are "
        "theirs.",
        across="released median",
        marks=incomes,
    ).svg


if __name__ == "__main__":
    print(picture())
