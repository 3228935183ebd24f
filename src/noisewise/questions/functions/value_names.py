"""Names for answers of several numbers: for the columns of a table and the lines of a receipt.

The names are made from the question, which is public, and never from the answer.
"""

from collections.abc import Sequence
from fractions import Fraction

from noisewise.kernel.numbers.exact import exact, spell
from noisewise.questions.question import Question

CONFIDENCE = Fraction(95, 100)
"""How sure an interval is, unless the user says otherwise."""


def low_and_high(question: Question) -> Sequence[str]:
    return ("low", "high")


def five_numbers(question: Question) -> Sequence[str]:
    return ("min", "lower_quartile", "median", "upper_quartile", "max")


def each_quantile(question: Question) -> Sequence[str]:
    return [spell(exact("qs", q)) for q in question.parameter("qs")]


def each_share(question: Question) -> Sequence[str]:
    steps = question.parameter("steps")
    return [spell(Fraction(step, steps + 1)) for step in range(1, steps + 1)]


def typed(value: object) -> object:
    """A key or a category as it would be typed on the command line, where booleans are true and false."""
    return str(value).lower() if isinstance(value, bool) else value


def slope_and_intercept(question: Question) -> Sequence[str] | None:
    """The names of slope and intercept. None if only the slope is asked for."""
    return None if question.parameter("intercept_bounds") is None else ("slope", "intercept")


def coefficients(question: Question) -> Sequence[str]:
    """The name of each regressor, then the name of the intercept."""
    return [*question.about[:-1], "intercept"]


def each_column(question: Question) -> Sequence[str]:
    return question.about


def each_pair(question: Question) -> Sequence[str]:
    """The names of the entries of a matrix, row by row."""
    return [f"{row}_{column}" for row in question.about for column in question.about]


def direction(question: Question) -> Sequence[str]:
    """A name for each column if the question has a direction, else a name for each pair of columns."""
    return each_pair(question) if question.parameter("toward") is None else each_column(question)
