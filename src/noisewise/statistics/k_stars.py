"""k-stars: how many ways there are to choose a node and k of its neighbours, the sum of C(d, k) over all degrees d.

Without the edge between i and j let the two have x >= y neighbours; the edge moves the count by C(x, k-1) + C(y, k-1).
Each of s other edits adds at most one to x or to y. Since C(., k-1) is convex, all go to x until it is n - 2, then to
y: this is exact, and so nested. The larger x and x + y, the larger the result for every s, which leaves three pairs of
nodes to look at. Proof: docs/proofs/k_stars.md.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count as counted
from typing import Any

import numpy as np

from noisewise.columns.column import Graph, Neighbors
from noisewise.numbers.exact import whole
from noisewise.statistics.patterns import Pattern

MOST_RAYS = 100


@dataclass(frozen=True, slots=True, init=False)
class KStars(Pattern):
    """The number of stars of k edges."""

    k: int

    def __init__(self, k: int | np.integer[Any]) -> None:
        object.__setattr__(self, "k", whole("k", k, least=1, most=MOST_RAYS))

    def __str__(self) -> str:
        return f"{self.k}-stars"

    def steady(self, neighbors: Neighbors) -> bool:
        """A star of one edge is an edge, seen from either end."""
        return self.k == 1

    def most(self, nodes: int) -> int:
        return nodes * math.comb(nodes - 1, self.k)

    def reach(self, nodes: int) -> int:
        return 2 * math.comb(nodes - 2, self.k - 1)

    def local(self, graph: Graph, levels: int) -> tuple[int, Iterable[int]]:
        compact = graph.compact()
        held = np.bincount(compact.degrees).tolist()
        stars = sum(nodes * math.comb(degree, self.k) for degree, nodes in enumerate(held) if nodes)
        return stars, self._radii(graph.nodes, best_pairs(compact))

    def _radii(self, nodes: int, best: list[tuple[int, int]]) -> Iterator[int]:
        most = nodes - 2
        for s in counted():
            grown = [(min(x + s, most), min(y + max(x + s - most, 0), most)) for x, y in best]
            yield max(math.comb(x, self.k - 1) + math.comb(y, self.k - 1) for x, y in grown)


def best_pairs(graph: Graph) -> list[tuple[int, int]]:
    """(x, y) of some pairs of nodes, x >= y, such that for every pair one of these has as large an x and an x + y."""
    degrees = graph.degrees
    second, first = (int(degree) for degree in np.sort(degrees)[-2:])
    joined = (max(first - 1, 0), max(second - 1, 0))
    found = [(top, free_partner(graph, top)) for top in (first, first - 1) if top >= 0]
    return [joined, *((x, y) for x, y in found if y is not None)]


def free_partner(graph: Graph, top: int) -> int | None:
    """The largest y such that nodes of degrees ``top`` and y <= ``top`` are not joined; None if there is none.

    Known by counting: all pairs of these degrees, and the edges between them.
    """
    degrees = graph.degrees
    ends = np.sort(degrees[graph.edges], axis=1)
    joined = np.bincount(ends[ends[:, 1] == top, 0], minlength=top + 1)
    held = np.bincount(degrees, minlength=top + 1)[: top + 1]
    possible = held * held[top]
    possible[top] = held[top] * (held[top] - 1) // 2
    free = np.flatnonzero(possible > joined)
    return int(free[-1]) if free.size else None
