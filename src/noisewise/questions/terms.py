"""The terms of a release: what it costs and whom it protects. They are read from what was typed, and checked."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from noisewise.errors import Keyword, Parameter, ParameterError, ParameterTypeError, Words
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import describe, exact, whole
from noisewise.kernel.prices import Price, Rho, exact_price


class PrivacyTerms(NamedTuple):
    """The price of a release and whom it protects. All of this is checked."""

    price: Price
    neighbors: Neighbors
    contributions: int

    @classmethod
    def of(
        cls,
        *,
        epsilon: object = None,
        rho: object = None,
        neighbors: object = "add_remove",
        contributions: object = 1,
    ) -> "PrivacyTerms":
        """Check the typed terms. Raises if one of them is wrong."""
        return cls(price_of(epsilon, rho), *unit_of_privacy(neighbors, contributions))


def price_of(epsilon: object, rho: object) -> Price:
    """The price that was typed, as an epsilon or as a rho. Raises unless it is exactly one of both."""
    if (epsilon is None) == (rho is None):
        raise one_price("neither" if rho is None else "both") from None
    return exact_price(epsilon) if rho is None else Rho.of(rho)


def exact_signed(signed: object) -> bool:
    """Whether negative answers stay as they are drawn. Raises unless it is True or False."""
    if not isinstance(signed, (bool, np.bool_)):
        raise ParameterTypeError("signed", "must be True or False", got=describe(signed)) from None
    return bool(signed)


SIGNED = "signed: answers below 0 stay as they are drawn, so that sums of answers are right on average"


def typed(price: Price) -> dict[str, Price]:
    """The keyword by which a user says this price."""
    return {"rho" if isinstance(price, Rho) else "epsilon": price}


EPSILON_OR_RHO = (Parameter("epsilon"), " or ", Parameter("rho"))


def one_price(got: str) -> ParameterError:
    """Return the error for a question with two prices, or without one."""
    return ParameterError(
        EPSILON_OR_RHO,
        "must be given, exactly one of them",
        got=got,
        fix="epsilon is a price in pure differential privacy, rho one in zCDP",
    )


def with_one_price(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of which ``epsilon`` holds the price, which may be a `Rho`. Raises unless one of both was typed."""
    others = {name: value for name, value in keywords.items() if name not in ("epsilon", "rho")}
    return {**others, "epsilon": price_of(keywords.get("epsilon"), keywords.get("rho"))}


def unit_of_privacy(neighbors: object, contributions: object) -> tuple[Neighbors, int]:
    """Check whom a release protects: its neighbours, and the most records of a person. Raises if one is wrong."""
    if not isinstance(neighbors, str) or neighbors not in ("add_remove", "swap"):
        raise ParameterError(
            "neighbors", ("must be ", Words("add_remove", "swap")), got=describe(neighbors)
        ) from None
    if isinstance(contributions, str) and contributions == "private":
        raise ParameterError(
            "contributions",
            "must be a number without a unit",
            got=Words("private"),
            why="only a unit column says which rows are one person's",
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
