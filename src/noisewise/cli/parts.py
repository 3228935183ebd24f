"""Answers of several numbers: what each of them is called, so that a table has a column for each, and a receipt a line.

The names are made of what was asked, which is public, and never of the answer.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from noisewise.numbers.exact import exact, spell

PAIR = ("low", "high")
FIXED = {
    "five_number_summary": ("min", "lower_quartile", "median", "upper_quartile", "max"),
    "median_interval": PAIR,
    "private_bounds": PAIR,
    "quantile_interval": PAIR,
}


class Parts(NamedTuple):
    """The names of the numbers in an answer."""

    names: tuple[str, ...]
    split: Callable[[Any], list[Any]]
    """The numbers of an answer, in the order of their names."""

    @classmethod
    def of(cls, question: str, asked: dict[str, Any]) -> "Parts | None":
        """None where the answer is a single number or word. Made once a question is answered, so known to be fine."""
        if (names := _names(question, asked)) is None:
            return None
        return cls(tuple(names), _values if question == "ecdf" else _flat)

    def cells(self, value: Any) -> list[Any]:
        """A number for each name, or nothing for each where there is no answer."""
        return [None] * len(self.names) if value is None else self.split(value)


def typed(value: Any) -> Any:
    """A key or a category as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else value


def _names(question: str, asked: dict[str, Any]) -> Iterable[str] | None:
    if question in FIXED:
        return FIXED[question]
    if question == "quantiles":
        return [spell(exact("qs", q)) for q in asked["qs"]]
    if question == "ecdf":
        return [spell(Fraction(place, asked["steps"] + 1)) for place in range(1, asked["steps"] + 1)]
    if question == "histogram":
        bins = asked["bins"]
        categories = any(isinstance(each, (bool, str)) for each in bins)
        return [*map(typed, bins)] if categories else [f"{low}..{high}" for low, high in pairwise(bins)]
    if question == "linear_regression":
        return [*asked["X"], "intercept"]
    if question == "theil_sen" and "intercept_bounds" in asked:
        return ("slope", "intercept")
    if question == "vector_mean" or (question == "principal_component" and "toward" in asked):
        return [*asked["column"]]
    if question in ("covariance", "principal_component"):
        return [f"{row}_{column}" for row in asked["column"] for column in asked["column"]]
    return None


def _flat(value: Any) -> list[Any]:
    """All numbers, a matrix row by row."""
    return [each for part in value for each in (part if isinstance(part, tuple) else (part,))]


def _values(value: Any) -> list[Any]:
    """Those of a distribution function, whose shares are the names."""
    return [each for each, _ in value]
