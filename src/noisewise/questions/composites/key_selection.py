"""Key selection: find the groups that the data has, as far as they may be published.

A key that n people have is selected with probability p(n). Keys are selected independently of each other:

    p(0) = 0        p(n) = min( e^eps * p(n-1) + delta,  1 - e^-eps * (1 - p(n-1) - delta),  1 )

These are the largest probabilities that are (eps, delta)-differentially private for one person more or less
[Desfontaines, Voss, Gipson & Mandayam 2022]. If a person may have G keys, each key is selected at (epsilon/G, delta/G).
The numbers p(n) are irrational. Ball arithmetic encloses them, and random bits are drawn until they are certainly below
or above. Proof: docs/proofs/key_selection.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.losses import ApproxDP, Neighbors
from noisewise.kernel.numbers.arrays import Booleans, Integers, Unsigned
from noisewise.kernel.numbers.balls import Ball, ball, precision
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.prices import Price, exact_price, pure_epsilon
from noisewise.kernel.sampling import Bits, SystemBits
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.certified import FIRST_PRECISION, certainly_below
from noisewise.questions.payable import Payable
from noisewise.results.release import Release
from noisewise.tables.groups.key_counts import KeyCounts

MOST_PERSONS = 2**16
"""A key with this many people must be selected for certain. Parameters that need more people are refused."""

WORDS = 2**64


class Chances:
    """The probabilities that a key of n people is selected, for n = 0, 1, ... up to the first n that makes it sure."""

    def __init__(self, epsilon: Fraction, delta: Fraction) -> None:
        self.epsilon, self.delta = epsilon, delta
        self._spare = (
            MOST_PERSONS.bit_length() + int(1 / delta).bit_length()
        )  # so that delta is not rounded away
        self._tables: dict[int, list[Ball]] = {}

    def balls(self, bits: int) -> list[Ball]:
        """The probabilities p(0), p(1), ... up to the first that is certainly 1, computed to ``bits`` of precision."""
        if bits not in self._tables:
            with precision(bits + self._spare):
                growth, delta, one = ball(self.epsilon).exp(), ball(self.delta), ball(1)
                table = [ball(0)]
                while not table[-1] >= one:
                    least = (growth * table[-1] + delta).min(one - (one - table[-1] - delta) / growth)
                    table.append(one if least >= one else least.min(one))
                self._tables[bits] = table
        return self._tables[bits]

    def throw(self, persons: Integers, bits: Bits) -> Booleans:
        """Decide for each key whether a uniform number is below p(n). More than 64 bits are drawn only if needed."""
        accepted, undecided = self._words
        words = bits.words(persons.size)
        at = np.minimum(persons, accepted.size - 1)
        certain = persons >= accepted.size
        selected: Booleans = certain | (words < accepted[at])
        for key in np.flatnonzero(~selected & (words <= undecided[at])):
            selected[key] = self._below(Uniform(int(words[key]), bits), int(persons[key]))
        return selected

    @cached_property
    def _words(self) -> tuple[Unsigned, Unsigned]:
        """Two limits for each n: a random word below the first certainly selects, a word above the second does not."""
        with precision(2 * FIRST_PRECISION):
            scaled = [chance * WORDS for chance in self.balls(FIRST_PRECISION)[:-1]]
            accepted = [max(_whole(each.lower().floor()), 0) for each in scaled]
            undecided = [min(max(_whole(each.upper().ceil()) - 1, 0), WORDS - 1) for each in scaled]
        return np.array(accepted, np.uint64), np.array(undecided, np.uint64)

    def _below(self, number: Uniform, persons: int) -> bool:
        def chance(bits: int) -> Ball:
            table = self.balls(bits)
            return table[min(persons, len(table) - 1)]

        return certainly_below(number, chance, self._spare)


def _whole(number: Ball) -> int:
    """The only whole number in a ball, which is an interval of ball arithmetic."""
    integer = number.unique_fmpz()
    assert integer is not None
    return int(integer)


@dataclass(frozen=True, slots=True, repr=False)
class KeySelection(Payable):
    """The question which keys the data has, checked and not yet paid for."""

    names: tuple[str, ...]
    find: Callable[[], KeyCounts]
    epsilon: Fraction
    delta: Fraction
    groups: int
    contributions: int
    neighbors: Neighbors = "add_remove"

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        find: Callable[[], KeyCounts],
        *,
        price: Price,
        delta: object,
        groups: int,
        contributions: int,
    ) -> "KeySelection":
        """Check the parameters. ``groups`` is the largest number of keys for which one person counts."""
        spend, chance = pure_epsilon(exact_price(price)), exact("delta", delta)
        if not 0 < chance < 1:
            raise ParameterError("delta", "must be above 0 and below 1", got=describe(delta)) from None
        needed = 2 * (_half_way(float(spend / groups), float(chance / groups)) + 1)
        if needed > MOST_PERSONS:
            raise ParameterError(
                "epsilon",
                "must be larger, or delta, or the groups of a person fewer",
                why=f"a key would need {needed:,.0f} people to be selected for certain, above {MOST_PERSONS:,}",
            ) from None
        return cls(names, find, spend, chance, groups, contributions)

    @property
    def loss(self) -> ApproxDP:
        return ApproxDP(self.epsilon, self.delta)

    @property
    def memo(self) -> str:
        return f"keys of {', '.join(self.names)} by optimal-thresholding/1"

    @property
    def needs(self) -> str:
        """How many people a key must have to be found as likely as not, and what would lower that. Public."""
        people = math.ceil(_half_way(float(self.epsilon / self.groups), float(self.delta / self.groups)))
        fewer = ", or lower max_groups" if self.groups > 1 else ""
        return (
            f"a key needs about {people:,} {'person' if people == 1 else 'people'} to be found: to find smaller ones "
            f"raise epsilon or delta{fewer}"
        )

    @property
    def chances(self) -> Chances:
        return Chances(self.epsilon / self.groups, self.delta / self.groups)

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        """The keys that are selected, from the lowest to the highest, as `Keys`."""
        with np.errstate(all="ignore"):
            candidates = self.find()
            selected = np.flatnonzero(self.chances.throw(candidates.persons, bits or SystemBits()))
        keys = candidates.keys.only(selected.tolist()).sorted()
        return self.released(
            keys,
            receipt,
            bits,
            statistic=f"keys of {', '.join(self.names)}",
            mechanism="optimal_thresholding",
            law="optimal-thresholding/1",
            notes=(
                f"one person counts for at most {self.groups:,} {'key' if self.groups == 1 else 'keys'}; {self.needs}",
            ),
        )


def _half_way(epsilon: float, delta: float) -> float:
    """About how many people a key has that is selected with probability 1/2."""
    return math.log1p(math.expm1(epsilon) / (2 * delta)) / epsilon if delta and epsilon else math.inf
