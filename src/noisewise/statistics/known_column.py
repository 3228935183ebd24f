"""A column of which only what an envelope reads is known, because it was read for all groups at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from noisewise.columns.column import Groups, Neighbors, Sums
from noisewise.numbers.arrays import Integers
from noisewise.numbers.lattice import Lattice
from noisewise.secret import Secret

Stretch = tuple[Integers, Integers]
"""The first rank of a stretch of each group, and the one after the last."""

Below = tuple[list[int], list[int]]
"""An index for each group, and how many of its records are at or below it."""


@dataclass(frozen=True, slots=True, repr=False)
class KnownColumn(Secret):
    """Some order statistics of a group, some counts, and its sums; as much of a `Column` as that."""

    lattice: Lattice
    neighbors: Neighbors
    known: Sums
    counts: dict[int, int]
    """How many records there are at or below an index."""
    stretches: list[tuple[int, Integers]]
    """First ranks, and the order statistics from there on."""

    @property
    def count(self) -> int:
        return self.known.count

    def sums(self, *, squares: bool = False) -> Sums:
        return self.known

    def below(self, index: int, *, squares: bool = False) -> Sums:
        """The count alone."""
        return Sums(self.counts[index], 0, 0)

    def ranks(self, start: int, stop: int) -> Integers:
        return next(
            records[start - first : stop - first]
            for first, records in self.stretches
            if first <= start and stop <= first + records.size
        )


def known_columns(
    groups: Groups, known: list[Sums], stretches: list[Stretch], below: list[Below]
) -> Iterator[KnownColumn]:
    """A column for each group; stretches that hold as much as all records together are read as one."""
    counts = np.array([each.count for each in known])
    if stretches and sum(int((stop - start).sum()) for start, stop in stretches) >= counts.sum():
        stretches = [(np.ones_like(counts), counts + 1)]
    read = []
    for starts, stops in stretches:
        cuts = np.cumsum(stops - starts)[:-1]
        read.append(zip(starts.tolist(), np.split(groups.ranks(starts, stops), cuts), strict=True))
    for place, (sums, *parts) in enumerate(zip(known, *read, strict=True)):
        there = {indices[place]: found[place] for indices, found in below}
        yield KnownColumn(groups.lattice, groups.neighbors, sums, there, parts)
