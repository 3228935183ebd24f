"""Prices: what is paid for an answer. A price is an epsilon, a Fraction, or a `Rho`, a price in zCDP.

A rho pays for all groups of a question together. A person has at most m records in them, and at most c in one group.
Let m_g be the number in group g, and let the law of a group protect one record. Then all groups together cost at most

    additive noise    Q(m, c) = floor(m/c)*c^2 + (m mod c)^2 times the price of one record, as sum of m_g^2 <= Q(m, c)
    bounded range     floor(m/c)*r(c*epsilon) + r((m mod c)*epsilon), as r, the price in zCDP, is convex
    any pure loss     the price of m*epsilon, as all groups together are (m*epsilon)-DP

The epsilon of a law at a given rho is irrational. It is rounded down to nine digits, and balls prove that it costs at
most rho. Proof: docs/proofs/prices.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from noisewise.kernel.losses import ZCDP, BoundedRange, PureDP, discrete_laplace_rho
from noisewise.kernel.numbers.exact import MAX_EPSILON, exact_epsilon, exact_rho, spell

DIGITS = 10**8
"""An epsilon that follows from a rho has nine digits: 10^8 or more, below 10^9, times a power of ten."""

TINY = Fraction(1, 10**12)
"""Below this rho, the epsilon that is found at once is at most a millionth too small."""


@dataclass(frozen=True, slots=True)
class Rho:
    """A price in zCDP for all groups of a question together, and how many records of one person it covers."""

    rho: Fraction
    records: int = 1
    """The most records of one person in all groups, if the law of a group protects one record; otherwise 1."""
    per_group: int = 1
    """The most records of one person in one group."""

    @classmethod
    def of(cls, value: object) -> "Rho":
        """The rho that a user typed. Raises unless it is above 0 and at most 64."""
        if isinstance(value, Rho):
            return value
        return cls(exact_rho(value))

    def __mul__(self, share: Fraction | int) -> "Rho":
        return replace(self, rho=self.rho * share)

    __rmul__ = __mul__

    def __truediv__(self, parts: Fraction | int) -> "Rho":
        return replace(self, rho=self.rho / parts)

    def __str__(self) -> str:
        return spell(self.rho)

    def for_each(self, records: int, per_group: int | None, max_groups: int | None) -> "Rho":
        """The same price for a law that protects one of a person's ``records``."""
        each = min(per_group or records, records)
        return Rho(self.rho, min(records, each * (max_groups or records)), each)

    @property
    def loss(self) -> ZCDP:
        return ZCDP(self.rho)

    @property
    def squares(self) -> int:
        """Q: the most that the squares of the numbers of a person's records in each group add up to."""
        full, rest = divmod(self.records, self.per_group)
        return full * self.per_group**2 + rest**2

    def laplace_epsilon(self, steps: int) -> Fraction:
        """The epsilon of one record at which discrete Laplace noise costs at most rho. A record moves ``steps``."""
        return _laplace_epsilon(self, steps)

    def in_a_tree(self) -> "Rho":
        """The same price for draws from ever smaller parts of each group. Each draw costs its share along every path.

        Proof: docs/proofs/prices.md, Claim 6.
        """
        return replace(self, records=-(-self.records // self.per_group) * self.per_group)


Price: TypeAlias = Fraction | Rho
"""What is paid for an answer: an epsilon, or a rho."""


def exact_price(value: object) -> Price:
    """The price that a user typed: a number is an epsilon."""
    return value if isinstance(value, Rho) else exact_epsilon(value)


def for_all(price: Price, records: int) -> Price:
    """The price of all of a person's ``records`` together. An epsilon pays for each; a rho covers them already."""
    return price if isinstance(price, Rho) else records * price


def for_each(
    price: Price, records: int, per_group: int | None = None, max_groups: int | None = None
) -> Price:
    """The price at which a law that protects one record costs this price for all of a person's ``records``.

    At most ``per_group`` of the records are in one group, and they are in at most ``max_groups`` groups.
    """
    return price.for_each(records, per_group, max_groups) if isinstance(price, Rho) else price / records


def said(price: Price) -> str:
    """The price in a sentence: "ε = 0.5" or "ρ = 0.5"."""
    return (
        f"{'ρ' if isinstance(price, Rho) else 'ε'} = {spell(price.rho if isinstance(price, Rho) else price)}"
    )


def range_epsilon(price: Price) -> Fraction:
    """The epsilon of one record at which a law of bounded range costs at most this price."""
    return _range_epsilon(price) if isinstance(price, Rho) else price


def pure_epsilon(price: Price) -> Fraction:
    """The epsilon of one record at which any law that is epsilon-DP costs at most this price."""
    return _pure_epsilon(price) if isinstance(price, Rho) else price


@lru_cache(256)
def epsilon_by_squares(price: Price) -> Fraction:
    """The epsilon of one record such that half its square, times the square of the records, is at most this price.

    Half the square of a pure epsilon is a convex bound of its price in zCDP, so records may be in any parts of a tree.
    """
    if not isinstance(price, Rho):
        return price
    return min(root_below(2 * price.rho / price.records**2), Fraction(MAX_EPSILON))


@lru_cache(256)
def _range_epsilon(price: Rho) -> Fraction:
    full, rest = divmod(price.records, price.per_group)

    def rho(epsilon: Fraction) -> Fraction:
        last = BoundedRange(rest * epsilon).as_zcdp().rho
        return full * BoundedRange(price.per_group * epsilon).as_zcdp().rho + last

    return _largest(rho, price.rho, 8 * price.rho / price.squares)  # r(epsilon) <= epsilon^2/8


@lru_cache(256)
def _pure_epsilon(price: Rho) -> Fraction:
    least = 2 * price.rho / price.records**2  # epsilon*tanh(epsilon/2) <= epsilon^2/2
    return _largest(lambda epsilon: PureDP(price.records * epsilon).as_zcdp().rho, price.rho, least)


@lru_cache(256)
def _laplace_epsilon(price: Rho, steps: int) -> Fraction:
    many = price.records
    return _largest(
        lambda epsilon: discrete_laplace_rho(many * epsilon, many * steps), price.rho, 2 * price.rho / many**2
    )


def _largest(rho_of: Callable[[Fraction], Fraction], rho: Fraction, square: Fraction) -> Fraction:
    """The largest epsilon of nine digits, at most 64, that costs at most ``rho``. The root of ``square`` is enough."""
    least, unit = _digits_of_root(square)
    most = math.floor(MAX_EPSILON / unit)
    if least >= most:
        return Fraction(MAX_EPSILON)
    low, high = least, most + 1 if rho > TINY else least + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rho_of(middle * unit) <= rho else (low, middle)
    while low >= 10 * DIGITS:
        low, unit = low // 10, unit * 10
    return low * unit


def root_below(square: Fraction) -> Fraction:
    """The square root of a number above 0, rounded down to nine digits."""
    digits, unit = _digits_of_root(square)
    return digits * unit


def _digits_of_root(square: Fraction) -> tuple[int, Fraction]:
    """The first nine digits of a square root, and the unit of the last."""
    power = (len(str(square.numerator)) - len(str(square.denominator)) - 2) // 2 - 9
    unit = Fraction(10) ** power  # the root has at least nine digits in this unit
    digits = math.isqrt(math.floor(square / unit**2))
    while digits >= 10 * DIGITS:
        digits, unit = digits // 10, unit * 10
    return digits, unit
