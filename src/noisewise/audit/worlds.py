"""A world: all small datasets with a few values, their neighbours, and the envelope of any function by enumeration."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

Dataset = tuple[Any, ...]
"""Records in sorted order."""


@cache
def edits(x: Dataset, domain: Dataset, relation: str) -> frozenset[Dataset]:
    """Return the datasets that differ from x by one edit: a replaced record (swap), or an added or removed record."""
    removed = {x[:i] + x[i + 1 :] for i in range(len(x))}
    if relation == "swap":
        return frozenset(tuple(sorted((*rest, v))) for rest in removed for v in domain)
    return frozenset(removed | {tuple(sorted((*x, v))) for v in domain})


@cache
def ball(x: Dataset, domain: Dataset, relation: str, radius: int) -> frozenset[Dataset]:
    """Return the datasets that at most ``radius`` edits of a record can make of x, including x."""
    if radius == 0:
        return frozenset([x])
    inner = ball(x, domain, relation, radius - 1)
    return inner | frozenset(far for near in inner for far in edits(near, domain, relation))


@dataclass(frozen=True)
class World:
    """Datasets of ``least`` to ``most`` records with values of ``domain``; a person has up to ``owned`` records."""

    domain: Dataset
    most: int
    relation: str = "add_remove"
    owned: int = 1
    least: int = 0

    def datasets(self) -> list[Dataset]:
        sizes = range(self.least, self.most + 1)
        return [x for n in sizes for x in combinations_with_replacement(self.domain, n)]

    def pairs(self) -> Iterator[tuple[Dataset, Dataset]]:
        """Yield each pair of neighbours in the world once."""
        yield from _pairs(self)

    def envelope(self, f: Callable[[Dataset], Any], x: Dataset, levels: int) -> tuple[list[Any], list[Any]]:
        """Return the least and the greatest values of f over all datasets that l people can turn x into.

        Both are lists, with an entry for each l from 0 to ``levels``.
        """
        least, most, seen = [f(x)], [f(x)], frozenset([x])
        for l in range(1, levels + 1):
            reached = ball(x, self.domain, self.relation, l * self.owned)
            values = [f(y) for y in reached - seen]
            least.append(min([least[-1], *values]))
            most.append(max([most[-1], *values]))
            seen = reached
        return least, most


@cache
def _pairs(world: World) -> tuple[tuple[Dataset, Dataset], ...]:
    inside = set(world.datasets())
    return tuple(
        (x, y)
        for x in world.datasets()
        for y in sorted(ball(x, world.domain, world.relation, world.owned))
        if x < y and y in inside
    )
