"""The terms of a release: what it costs and whom it protects. They are read from what was typed, and checked."""

from fractions import Fraction
from typing import NamedTuple

from noisewise.errors import Keyword, ParameterError, Words
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import describe, exact, exact_epsilon, whole


class PrivacyTerms(NamedTuple):
    """The price of a release and whom it protects. All of this is checked."""

    epsilon: Fraction
    neighbors: Neighbors
    contributions: int

    @classmethod
    def of(
        cls, *, epsilon: object, neighbors: object = "add_remove", contributions: object = 1
    ) -> "PrivacyTerms":
        """Check the typed terms. Raises if one of them is wrong."""
        return cls(exact_epsilon(epsilon), *unit_of_privacy(neighbors, contributions))


def unit_of_privacy(neighbors: object, contributions: object) -> tuple[Neighbors, int]:
    """Check whom a release protects: its neighbours, and the most records of a person. Raises if one is wrong."""
    if not isinstance(neighbors, str) or neighbors not in ("add_remove", "swap"):
        raise ParameterError(
            "neighbors", ("must be ", Words("add_remove", "swap")), got=describe(neighbors)
        ) from None
    owned = whole("contributions", contributions, least=1)
    if neighbors == "add_remove":
        return "add_remove", owned
    if owned > 1:
        raise ParameterError(
            "contributions",
            "must be 1 when records are swapped",
            got=str(owned),
            why=f"a person with up to {owned} records would make the number of records secret",
            fix=("use ", Keyword("neighbors", "add_remove")),
        ) from None
    return "swap", owned


def check_groups(neighbors: object) -> None:
    """Raise if neighbours swap records: a question in groups needs add/remove."""
    if neighbors == "swap":
        raise ParameterError(
            "neighbors",
            ("must be ", Words("add_remove"), " for groups"),
            got=Words("swap"),
            why="how many records a group has is secret, and swap says that it is public",
        ) from None


SUREST = 1 - Fraction(1, 10**12)
"""The largest confidence that is accepted."""


def exact_confidence(value: object, name: str = "confidence") -> Fraction:
    """A confidence as an exact number. Raises unless it is above 0 and at most 1 - 10^-12."""
    confidence = exact(name, value)
    if not 0 < confidence <= SUREST:
        raise ParameterError(
            name, "must be above 0 and at most 1 - 10^-12, such as 0.95", got=describe(value)
        ) from None
    return confidence
