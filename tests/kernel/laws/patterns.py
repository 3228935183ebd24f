"""The laws of a count in a graph, on every graph of a few nodes. A new pattern inherits them:

class TestTriangles(PatternLaws):
    statistic = Triangles()
    naive = staticmethod(lambda adjacency: ...)

A graph of n nodes is a set of bits, one for each pair of nodes, so what all its neighbours have is one reindexed array.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import pytest

from noisewise import BoundedRange
from noisewise.audit.judge import FLOAT, worst_move, worst_range, worst_ratio
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.questions.request import Request
from noisewise.statistics.patterns import UNWEIGHTED
from noisewise.tables.columns.edge_lists import declare_graph


def edges_of(code: int, nodes: int) -> list[tuple[int, int]]:
    return [pair for bit, pair in enumerate(combinations(range(nodes), 2)) if code >> bit & 1]


def graph_of(edges: Any, nodes: int) -> Any:
    """A graph as a statistic sees it."""
    return declare_graph((edges, nodes)).read(UNWEIGHTED, "add_remove")


def adjacency_of(edges: Any, nodes: int) -> Any:
    adjacency = np.zeros((nodes, nodes), int)
    for i, j in edges:
        adjacency[i, j] = adjacency[j, i] = 1
    return adjacency


def random_graph(rng: Any, nodes: int, edges: int) -> list[tuple[int, int]]:
    """Some nodes are met much more often than others."""
    drawn = (nodes * rng.random((edges, 2)) ** 3).astype(int)
    return sorted({(min(i, j), max(i, j)) for i, j in drawn.tolist() if i != j})


class Graphs:
    """All graphs of so many nodes, by their codes; a person owns up to ``owned`` edges."""

    def __init__(self, nodes: int, owned: int = 1) -> None:
        self.nodes, self.bits = nodes, nodes * (nodes - 1) // 2
        bits = [1 << bit for bit in range(self.bits)]
        self.moves = [sum(some) for size in range(1, owned + 1) for some in combinations(bits, size)]
        self.codes = np.arange(1 << self.bits)

    def pairs(self) -> Iterator[tuple[int, int]]:
        for x in self.codes.tolist():
            yield from ((x, x ^ move) for move in self.moves if x < x ^ move)

    def around(self, values: Any, best: Any = np.maximum) -> Any:
        """Of each graph and its neighbours, the largest value."""
        return best.reduce([values, *(values[self.codes ^ move] for move in self.moves)])


class PatternLaws:
    """Inherited by the tests of every count in a graph."""

    statistic: ClassVar[Any]
    naive: ClassVar[Callable[[Any], int]]
    """The count of a 0/1 adjacency matrix, independently defined."""

    @cache  # noqa: B019
    def counts(self, nodes: int) -> Any:
        codes = range(1 << nodes * (nodes - 1) // 2)
        return np.array([type(self).naive(adjacency_of(edges_of(code, nodes), nodes)) for code in codes])

    @pytest.mark.parametrize("nodes", [4, 5])
    def test_radii_are_the_local_sensitivities_of_every_graph_in_reach(self, nodes):
        """Equal to brute force over all graphs, at every distance."""
        world, counts = Graphs(nodes), self.counts(nodes)
        changes = np.max([abs(counts - counts[world.codes ^ move]) for move in world.moves], axis=0)
        expected = [changes]
        for _ in range(world.bits + 1):
            expected.append(world.around(expected[-1]))
        for code in world.codes.tolist():
            found, radii = self.statistic.local(graph_of(edges_of(code, nodes), nodes), world.bits)
            given = [radius for radius, _ in zip(radii, range(world.bits), strict=False)]
            assert found == counts[code]
            assert given == [int(level[code]) for level in expected[: world.bits]], (code, given)
        assert int(expected[-1].max()) == int(changes.max()) == self.statistic.reach(nodes)
        assert int(counts.max()) == self.statistic.most(nodes)

    @pytest.mark.parametrize(("nodes", "granularity"), [(4, 1), (5, 1), (5, 3)])
    def test_envelopes_hold_every_graph_in_reach_and_neighbours_nest(self, nodes, granularity):
        world, floors = Graphs(nodes), self.counts(nodes) // granularity
        envelopes = [self.law(code, nodes, granularity=granularity).envelope for code in world.codes.tolist()]
        least = most = floors
        for l in range(world.bits + 1):
            levels = np.array([envelope.level(l) for envelope in envelopes])
            assert np.all(levels[:, 0] <= least) and np.all(most <= levels[:, 1]), l
            least, most = world.around(least, np.minimum), world.around(most)
        assert all(envelope.level(0) == (f, f) for envelope, f in zip(envelopes, floors, strict=True))
        assert all(is_monotone(envelope) for envelope in envelopes)
        for x, y in world.pairs():
            assert nests_in(envelopes[x], envelopes[y]) and nests_in(envelopes[y], envelopes[x]), (x, y)

    @pytest.mark.parametrize("mechanism", ["piecewise_laplace", "inverse_sensitivity", "laplace"])
    @pytest.mark.parametrize(
        ("owned", "levels", "granularity"), [(1, None, 1), (1, 1, 1), (1, 2, 2), (2, None, 1), (2, 1, 3)]
    )
    def test_privacy(self, mechanism, owned, levels, granularity):
        world: Any = Graphs(4, owned)
        asked = {"mechanism": mechanism, "contributions": owned, "granularity": granularity}
        laws: Any = {x: self.law(x, 4, levels, **asked) for x in world.codes.tolist()}
        assert worst_ratio(laws, world) <= 1 + FLOAT
        if isinstance(self.request(0, 4, **asked).loss, BoundedRange):
            move, x, y = worst_move(laws, world)
            assert move <= 1, (move, x, y)
            assert worst_range(laws, world) <= 1 + FLOAT

    def request(self, code: int, nodes: int, **asked: Any) -> Request:
        return Request.of(self.statistic, (edges_of(code, nodes), nodes), epsilon=1, **asked)

    def law(self, code: int, nodes: int, levels: int | None = None, **asked: Any) -> Any:
        return self.request(code, nodes, **asked).look(levels)
