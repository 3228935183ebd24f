"""A column of which only what an envelope reads is known, because it was read for all groups at once."""

from dataclasses import dataclass

import numpy as np

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Groups, Sums
from noisewise.statistics.windows import Windows

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


@dataclass(frozen=True, slots=True, repr=False)
class KnownColumns(Secret):
    """What was read of all groups: a column for each of them, and the same stretch of many side by side."""

    groups: Groups
    known: list[Sums]
    counts: Integers
    below: list[Below]
    starts: list[Integers]
    stops: list[Integers]
    windows: list[Windows]
    """The order statistics of each stretch."""

    @classmethod
    def of(
        cls, groups: Groups, known: list[Sums], stretches: list[Stretch], below: list[Below]
    ) -> "KnownColumns":
        """Stretches that hold as much as all records together are read as one."""
        counts = np.array([each.count for each in known])
        if stretches and sum(int((stop - start).sum()) for start, stop in stretches) >= counts.sum():
            stretches = [(np.ones_like(counts), counts + 1)]
        windows = [Windows.of(groups, counts, start, stop) for start, stop in stretches]
        starts, stops = ([each[end] for each in stretches] for end in (0, 1))
        return cls(groups, known, counts, below, starts, stops, windows)

    def __len__(self) -> int:
        return len(self.known)

    def __getitem__(self, group: int) -> KnownColumn:
        """One group by itself."""
        parts = []
        for starts, stops, window in zip(self.starts, self.stops, self.windows, strict=True):
            start, stop, shift = starts.item(group), stops.item(group), window.shifts.item(group)
            parts.append((start, window.records[shift + start : shift + stop]))
        there = {indices[group]: counts[group] for indices, counts in self.below}
        return KnownColumn(self.groups.lattice, self.groups.neighbors, self.known[group], there, parts)

    def side_by_side(self, stretch: int, groups: Integers, first: Integers, width: int) -> Integers:
        """The ranks first[k], first[k] + 1, ... of groups[k], so many rows; any record where a stretch holds none."""
        window = self.windows[min(stretch, len(self.windows) - 1)]
        places = window.shifts[groups] + first + np.arange(width)[:, np.newaxis]
        found: Integers = window.records[np.clip(places, 0, window.records.size - 1)]
        return found
