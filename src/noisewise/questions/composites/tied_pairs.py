"""Pairs (k, u) of a column that is not in memory: records are counted by index k, and bits u are drawn only if read.

In memory every record has its random bits u, and a part of the records is an array of pairs. Here an engine holds the
records. The pairs are ordered by k, then u, so a part is a range of ranks among all pairs. The engine says which
indices a range of ranks has, and how many records each index has. Bits are drawn only for indices that are read, for
all records of an index at once (`sampling.ties`). The joint law is the same as in memory. Proof:
docs/proofs/quantiles.md.
"""

from dataclasses import dataclass

import numpy as np

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.sampling import Bits
from noisewise.kernel.sampling.ties import TiedBits
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import CountedColumn


class TiedPairs(Secret):
    """All records of a column as numbers 2^width * k + u, in order. Ranks count from 1."""

    __slots__ = ("_bits", "_ties", "column", "width")

    def __init__(self, column: CountedColumn, width: int, bits: Bits) -> None:
        self.column, self.width, self._bits = column, width, bits
        self._ties: dict[int, TiedBits] = {}

    def ranks(self, start: int, stop: int) -> Integers:
        """The pairs with ranks from ``start`` to ``stop`` - 1."""
        if start >= stop:
            return np.empty(0, np.int64)
        tally = self.column.tally(start, stop)
        ties = self._tied(tally.indices, tally.counts)
        lasts = np.cumsum(tally.counts)
        firsts = (start - 1 - tally.before - lasts + tally.counts).clip(0).tolist()
        ends = np.minimum(stop - 1 - tally.before - lasts + tally.counts, tally.counts).tolist()
        bits = [tied.ordered(first, end) for tied, first, end in zip(ties, firsts, ends, strict=True)]
        sizes = [each.size for each in bits]
        return np.repeat(tally.indices << self.width, sizes) + np.concatenate(bits)

    def upto(self, pair: int) -> int:
        """The number of pairs at or below ``pair``."""
        k, u = pair >> self.width, pair & (1 << self.width) - 1
        before, through = self.column.upto(k - 1), self.column.upto(k)
        if before >= through:
            return through
        (tied,) = self._tied(np.array([k]), np.array([through - before]))
        return before + tied.upto(u)

    def _tied(self, indices: Integers, counts: Integers) -> list[TiedBits]:
        """The random bits of all records of each index. They are drawn once for each record."""
        keys = indices.tolist()
        new = np.array([k not in self._ties for k in keys], np.bool_)
        drawn = TiedBits.of_each(counts[new], self.width, self._bits)
        self._ties.update(zip(indices[new].tolist(), drawn, strict=True))
        return [self._ties[k] for k in keys]


@dataclass(frozen=True, slots=True, repr=False)
class RankedPart(Secret):
    """The pairs with ranks first + 1 to last: what a `TreePart` is in memory. ``width`` bits of u still count."""

    pairs: TiedPairs
    first: int
    last: int
    lattice: Lattice
    neighbors: Neighbors
    width: int

    @classmethod
    def whole(cls, pairs: TiedPairs, lattice: Lattice, neighbors: Neighbors) -> "RankedPart":
        return cls(pairs, 0, pairs.column.count, lattice, neighbors, pairs.width)

    @property
    def count(self) -> int:
        return self.last - self.first

    def ranks(self, start: int, stop: int) -> Integers:
        """The pairs with these ranks. If no bits of u count, the pairs are indices, and no bits are drawn.

        All pairs lie on the lattice of the part, unless the data changes in the meantime. So they are clipped.
        """
        source = self.pairs if self.width else self.pairs.column
        found = source.ranks(self.first + start, self.first + stop)
        return found.clip(self.lattice.low, self.lattice.high)

    def cut(self, at: int) -> "tuple[RankedPart, RankedPart]":
        """The part at or below the pair ``at``, and the part above. If the data has changed, the cut is anywhere."""
        low, high, step = self.lattice.low, self.lattice.high, self.lattice.granularity
        middle = min(max(self.pairs.upto(at), self.first), self.last)
        return (
            RankedPart(self.pairs, self.first, middle, Lattice(low, at, step), "add_remove", self.width),
            RankedPart(self.pairs, middle, self.last, Lattice(at, high, step), "add_remove", self.width),
        )

    def rounded(self, bits: int) -> "RankedPart":
        """These records without u, on the lattice of their indices."""
        low, high, step = self.lattice.low >> bits, self.lattice.high >> bits, self.lattice.granularity
        lattice = Lattice(low, high, step * (1 << bits))
        return RankedPart(self.pairs, self.first, self.last, lattice, self.neighbors, self.width - bits)
