"""The tree of joint quantiles: the order of the draws, the part of the records for each draw, and its price.

The middle quantile is the root. Lower quantiles form the tree on its left, higher quantiles the tree on its right. A
drawn value splits the records of its part in two. Everything in a `Split` is public. A `TreePart` is secret, except for
its lattice, which follows from earlier draws. Proof: docs/proofs/quantiles.md.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.losses import BoundedRange, Neighbors
from noisewise.kernel.mechanisms.balance import Balance
from noisewise.kernel.mechanisms.scored import Scored
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.prices import Price, Rho, epsilon_by_squares, range_epsilon
from noisewise.kernel.secret import Secret
from noisewise.questions.wide import ROUNDED_UP
from noisewise.statistics.quantile import Quantile
from noisewise.tables.columns.selection import select


@dataclass(frozen=True, slots=True)
class Split:
    """One quantile ``q``, and the trees of the quantiles below and above it.

    Quantile ``q`` of the column is quantile ``target`` of its part. Its draw costs ``step`` for all edits of a person.
    """

    q: Fraction
    target: Quantile
    step: Price
    mechanism: Scored | Balance
    below: "Split | None"
    above: "Split | None"

    @classmethod
    def tree(
        cls,
        qs: list[Fraction],
        around: tuple[Fraction, Fraction],
        left: Price,
        by: Scored | Balance,
        edits: int,
    ) -> "Split | None":
        """The tree of sorted quantiles. Each takes an even part of the price ``left`` for the longest path down."""
        if not qs:
            return None
        middle, (low, high) = len(qs) // 2, around
        q, part = qs[middle], Fraction(1, len(qs).bit_length())
        step, rest = left * part, left * (1 - part)
        return cls(
            q,
            Quantile((q - low) / (high - low)),
            step,
            scaled(by, step, edits),
            cls.tree(qs[:middle], (low, q), rest, by, edits),
            cls.tree(qs[middle + 1 :], (q, high), rest, by, edits),
        )

    def __iter__(self) -> "Iterator[Split]":
        yield self
        for child in filter(None, (self.below, self.above)):
            yield from child

    @property
    def epsilon(self) -> Fraction:
        """The epsilon that all edits of a person cost together."""
        assert not isinstance(self.step, Rho), "a price in rho is known for every path"
        return self.step

    @property
    def is_last(self) -> bool:
        """Whether no further quantile follows in the tree, so that the value splits no records."""
        return self.below is None and self.above is None

    def rho(self, records: int = 1) -> Fraction:
        """The zCDP parameter of the most expensive path down the tree. The price is a convex function of a step.

        A step covers all edits of a person. With ``records`` times as many edits, the step is ``records`` times as
        large.
        """
        price = {step: self._price(records * step) for step in {split.epsilon for split in self}}

        def costliest(split: Split | None) -> Fraction:
            if split is None:
                return Fraction(0)
            return price[split.epsilon] + max(costliest(split.below), costliest(split.above))

        return costliest(self)

    def people_off(
        self, lattice: Lattice, tie_bits: int, neighbors: Neighbors, contributions: int, miss: Fraction
    ) -> int:
        """The most people that separate a released quantile from the true one, if no records are equal.

        A draw is off by some records of its part. The two ends of the part are off as well. How much of an end's error
        reaches the quantile depends on the quantile's place between the ends. Proof: docs/proofs/planning.md.
        """
        swap, each = neighbors == "swap", miss / len(list(self))
        edits = 1 if swap else contributions

        def worst(split: Split | None, before: float, after: float) -> float:
            if split is None:
                return 0.0
            owned, relation = (contributions, neighbors) if split is self else (1, "add_remove")
            points = lattice.points if split.is_last else lattice.points << tie_bits
            exponent = math.log(points) - math.log(each)
            share = split.target.q
            if isinstance(split.mechanism, Balance):
                strayed = split.target.edits_off(relation, split.mechanism.epsilon / owned, exponent)
            else:
                strayed = exponent / (float(split.mechanism.epsilon) / 2) * owned
            stride = 1.0 if relation == "swap" else float(max(share, 1 - share))
            off = (1 - float(share)) * before + float(share) * after + strayed * stride + 1
            of_whole = 1.0 if swap else float(max(split.q, 1 - split.q))
            return max(
                (off - 1) / of_whole / edits,
                worst(split.below, before, off),
                worst(split.above, off, after),
            )

        return math.ceil(worst(self, 0.0, 0.0) * ROUNDED_UP)

    def _price(self, step: Fraction) -> Fraction:
        """The zCDP cost of one step. For balance half its square counts, as the cost of a pure loss is not convex."""
        return step * step / 2 if isinstance(self.mechanism, Balance) else BoundedRange(step).as_zcdp().rho


def scaled(mechanism: Scored | Balance, price: Price, edits: int = 1) -> Scored | Balance:
    """The mechanism at the price of one of this many edits."""
    if isinstance(mechanism, Balance):
        return Balance(epsilon=epsilon_by_squares(price) / edits)
    epsilon = range_epsilon(price) / edits
    return type(mechanism)(epsilon=epsilon, smooth=mechanism.smooth)


@dataclass(frozen=True, slots=True, repr=False)
class TreePart(Secret):
    """The records between two drawn values, in any order. It has those methods of a `Column` that a quantile uses."""

    records: Integers
    lattice: Lattice
    neighbors: Neighbors

    @property
    def count(self) -> int:
        return self.records.size

    def ranks(self, start: int, stop: int) -> Integers:
        return select(self.records, start, stop, count=self.count)

    def cut(self, at: int) -> "tuple[TreePart, TreePart]":
        """The part at or below an index, and the part above it. The number of records in each is always secret."""
        low, high, step = self.lattice.low, self.lattice.high, self.lattice.granularity
        below = self.records <= at
        return (
            TreePart(self.records.compress(below), Lattice(low, at, step), "add_remove"),
            TreePart(self.records.compress(~below), Lattice(at, high, step), "add_remove"),
        )

    def rounded(self, bits: int) -> "TreePart":
        """The same records without their last bits, on the coarser lattice."""
        low, high, step = self.lattice.low >> bits, self.lattice.high >> bits, self.lattice.granularity
        return TreePart(self.records >> bits, Lattice(low, high, step * (1 << bits)), self.neighbors)
