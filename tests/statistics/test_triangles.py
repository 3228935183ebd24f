"""Triangles against counting them one by one: on all graphs of a few nodes, and against every pair of nodes."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from noisewise import BoundedRange, Count, ParameterError, ParameterTypeError, Statistic
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.kernel.laws.envelope import Envelope
from noisewise.questions.request import Request
from noisewise.statistics import triangles as module
from noisewise.statistics.triangles import UNWEIGHTED, Arcs, Triangles, farthest, local_sensitivities, survey
from noisewise.tables.columns.edge_lists import declare_graph
from tests.kernel.laws.moves import FLOAT, worst_move, worst_range, worst_ratio

WHEEL = [(0, k) for k in range(1, 6)] + [(k, k + 1) for k in range(1, 5)]


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


def naive(adjacency):
    corners = combinations(range(len(adjacency)), 3)
    return sum(int(adjacency[i, j] and adjacency[j, k] and adjacency[i, k]) for i, j, k in corners)


def slow_radii(adjacency, levels):
    """R_l by looking at all pairs and at every node beside them."""
    n, found = len(adjacency), []
    sides = [
        (int(np.sum(both == 2)), int(np.sum(both == 1)))
        for i, j in combinations(range(n), 2)
        for both in [np.delete(adjacency[i] + adjacency[j], [i, j])]
    ]
    for s in range(levels):
        found.append(max(c + min(s, b) + min((s - min(s, b)) // 2, n - 2 - c - b) for c, b in sides))
    return found


def stars(*rays):
    """So many stars, and how many nodes they have."""
    edges, centre = [], 0
    for ray in rays:
        edges += [(centre, centre + k) for k in range(1, ray + 1)]
        centre += ray + 1
    return edges, centre


class TestTriangles:
    """On every graph of a few nodes.

    A graph of n nodes is a set of bits, one for each pair of nodes, so that all its neighbours are one reindexed array.
    """

    @cache  # noqa: B019
    def counts(self, nodes: int) -> Any:
        codes = range(1 << nodes * (nodes - 1) // 2)
        return np.array([naive(adjacency_of(edges_of(code, nodes), nodes)) for code in codes])

    @pytest.mark.parametrize("nodes", [4, 5])
    def test_radii_are_the_local_sensitivities_of_every_graph_in_reach(self, nodes):
        """Equal to brute force over all graphs, at every distance."""
        world, counts = Graphs(nodes), self.counts(nodes)
        changes = np.max([abs(counts - counts[world.codes ^ move]) for move in world.moves], axis=0)
        expected = [changes]
        for _ in range(world.bits + 1):
            expected.append(world.around(expected[-1]))
        for code in world.codes.tolist():
            found, radii = local_sensitivities(graph_of(edges_of(code, nodes), nodes), world.bits)
            assert found == counts[code]
            assert radii == [int(level[code]) for level in expected[: world.bits]], (code, radii)
        assert int(expected[-1].max()) == int(changes.max()) == nodes - 2
        assert int(counts.max()) == math.comb(nodes, 3)

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
        return Request.of(Triangles(), (edges_of(code, nodes), nodes), epsilon=1, **asked)

    def law(self, code: int, nodes: int, levels: int | None = None, **asked: Any) -> Any:
        return self.request(code, nodes, **asked).look(levels)


@pytest.mark.parametrize("seed", range(30))
def test_larger_graphs_against_all_pairs(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 25))
    edges = random_graph(rng, n, int(rng.integers(0, n * n)))
    adjacency = adjacency_of(edges, n)
    count, radii = local_sensitivities(graph_of(edges, n), 60)
    assert count == naive(adjacency)
    assert radii == slow_radii(adjacency, 60)


def test_two_stars_and_an_edge_nest_though_no_pair_across_has_a_common_neighbour():
    edges, n = stars(20, 20)
    alone, joined = (local_sensitivities(graph_of(some, n), 60)[1] for some in (edges, [*edges, (0, 21)]))
    assert alone == slow_radii(adjacency_of(edges, n), 60)
    assert joined == slow_radii(adjacency_of([*edges, (0, 21)], n), 60)
    assert alone[30] == 30  # s = 30 of the 40 nodes beside one centre become common
    for one, other in ((alone, joined), (joined, alone)):
        assert all(a <= b for a, b in zip(one[:-1], other[1:], strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_the_farthest_pair_without_common_neighbours(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    edges = random_graph(rng, n, int(rng.integers(0, 2 * n)))
    adjacency = adjacency_of(edges, n)
    degrees = adjacency.sum(axis=0)
    expected = max(degrees[i] + degrees[j] - 2 * adjacency[i, j] for i, j in combinations(range(n), 2))
    assert farthest(graph_of(edges, n)) == expected


@pytest.mark.parametrize("together", [1, 7, 100])
def test_pairs_and_triangles_are_the_same_in_parts_of_any_size(monkeypatch, together):
    edges = random_graph(np.random.default_rng(5), 40, 300)
    arcs, square = Arcs.of(graph_of(edges, 40)), adjacency_of(edges, 40) @ adjacency_of(edges, 40)
    monkeypatch.setattr(module, "TOGETHER", together)
    parts = list(arcs.pairs())
    assert len(parts) > 1
    assert [largest for largest, _, _ in parts] == sorted((part[0] for part in parts), reverse=True)
    found = [pair for _, b, shared in parts for pair in zip(b.tolist(), shared.tolist(), strict=True)]
    degrees, adjacency = np.diag(square), adjacency_of(edges, 40)
    assert sorted(found) == sorted(
        (degrees[i] + degrees[j] - 2 * (square[i, j] + adjacency[i, j]), square[i, j])
        for i, j in combinations(range(40), 2)
        if square[i, j]
    )
    assert arcs.triangles() == naive(adjacency)


@pytest.mark.parametrize("seed", range(10))
def test_pairs_that_are_left_out_do_not_matter(monkeypatch, seed):
    """In the smallest parts, so that most pairs are left out."""
    monkeypatch.setattr(module, "TOGETHER", 1)
    rng = np.random.default_rng(seed)
    edges = random_graph(rng, 24, int(rng.integers(20, 400)))
    count, radii = local_sensitivities(graph_of(edges, 24), 60)
    assert count == naive(adjacency_of(edges, 24))
    assert radii == slow_radii(adjacency_of(edges, 24), 60)


def test_a_later_pair_may_share_more_than_those_of_larger_degrees(monkeypatch):
    """Two nodes of degree 10 share 5 neighbours; two of degree 9 share all 9."""
    monkeypatch.setattr(module, "TOGETHER", 1)
    edges = [(0, k) for k in range(4, 14)] + [(1, k) for k in range(9, 19)]
    edges += [(i, k) for i in (2, 3) for k in range(19, 28)]
    _, radii = local_sensitivities(graph_of(edges, 40), 30)
    assert radii == slow_radii(adjacency_of(edges, 40), 30)
    assert radii[0] == 9


def test_a_star_of_a_hundred_thousand_rays_is_no_work():
    """It has five thousand million pairs with a common neighbour, and nearly all are left out."""
    rays = np.column_stack([np.zeros(100_000, int), np.arange(1, 100_001)])
    count, common = survey(graph_of(rays, 100_001))
    assert (count, common[0], common[100_000], int((common >= 0).sum())) == (0, 1, -1, 2)


def test_empty_and_complete_graphs():
    for n in (3, 4, 9):
        count, radii = local_sensitivities(graph_of([], n), 9)
        assert (count, radii) == (0, [min(s // 2, n - 2) for s in range(9)])
        count, radii = local_sensitivities(graph_of(list(combinations(range(n), 2)), n), 9)
        assert (count, radii) == (math.comb(n, 3), [n - 2] * 9)


def test_levels_beyond_twice_the_nodes_have_the_global_sensitivity():
    _, radii = local_sensitivities(graph_of([(0, 1)], 5), 40)
    assert len(radii) == 40
    assert radii[6:] == [3] * 34


def test_a_million_nodes_with_few_edges():
    edges = [(0, k) for k in range(1, 500)] + [(k, k + 1) for k in range(1, 499)]
    law = Request.of(Triangles(), (np.array(edges), 10**6), epsilon=1).look()
    assert law.granularity == 128
    assert law.envelope.level(0) == (498 // 128, 498 // 128)


def ask(statistic, nodes, **asked):
    return Request.of(statistic, (WHEEL, nodes), epsilon=1, **asked)


def test_answers_lie_between_none_and_those_of_the_complete_graph():
    assert ask(Triangles(), 10).frame.answers.support == (0, 120)
    assert ask(Triangles(), 10, granularity=7).frame.answers.support == (0, 17)


def test_many_nodes_have_a_coarser_granularity_by_default():
    for nodes in (1000, 200_000, 10**6, 2**27):
        answers = ask(Triangles(), nodes).frame.answers
        most = math.comb(nodes, 3)
        assert answers.high <= 2**51
        assert answers.granularity == 1 or most / (answers.granularity / 2) > 2**51
        assert answers.high == most // answers.granularity


@pytest.mark.parametrize("granularity", [0, -1, Fraction(1, 2), 0.5, 121, 1.5])
def test_granularity_is_a_whole_number_of_the_range(granularity):
    with pytest.raises(
        ParameterError, match=r"^granularity must be a whole number from 1 to 120 for triangles of 10 "
    ):
        ask(Triangles(), 10, granularity=granularity)


def test_granularity_is_not_too_fine_for_the_lattice():
    with pytest.raises(ParameterError, match=r"^granularity must be a whole number from 75 to "):
        ask(Triangles(), 10**6, granularity=1)


def test_nodes_are_neither_too_few_nor_too_many():
    with pytest.raises(ParameterError, match=r"^nodes must be more for triangles, got 2"):
        ask(Triangles(), 2)
    with pytest.raises(ParameterError, match=r"^nodes must be fewer for triangles, got 68719476736"):
        Triangles().frame_on(lambda: 2**36, None, None)


def test_bounds_are_left_out():
    for bounds in ((0, 1), "private"):
        with pytest.raises(ParameterTypeError, match=r"^bounds must be left out for triangles"):
            ask(Triangles(), 10, bounds=bounds)


def test_edges_are_added_or_removed_and_never_swapped():
    with pytest.raises(ParameterError, match=r"^neighbors must be 'add_remove' for triangles"):
        ask(Triangles(), 10, neighbors="swap")


def test_too_many_levels_are_refused():
    with pytest.raises(
        ParameterError, match=r"^epsilon must be larger, or contributions smaller, for triangles"
    ):
        ask(Triangles(), 10, contributions=10**6)
    assert ask(Triangles(), 10, contributions=10**6, mechanism="laplace").mechanism.sensitivity == 120


def test_the_sensitivity_of_laplace_noise_counts_steps_and_edges():
    assert ask(Triangles(), 10, mechanism="laplace").mechanism.sensitivity == 8
    assert ask(Triangles(), 10, mechanism="laplace", granularity=5).mechanism.sensitivity == 2
    assert ask(Triangles(), 10, mechanism="laplace", contributions=3).mechanism.sensitivity == 24


def test_there_are_as_many_levels_as_asked_for_unless_both_ends_are_met():
    assert ask(Triangles(), 10).look(5).envelope.lower.size == 6
    assert ask(Triangles(), 6).look(100).envelope.lower.size <= 16
    every = ask(Triangles(), 10).look(45).envelope
    assert every.level(every.lower.size - 1) == (0, 120)
    assert every.lower.size < 46


def test_levels_are_floors_of_sums_and_not_sums_of_rounded_steps():
    fine, coarse = (ask(Triangles(), 60, granularity=g).look(30).envelope for g in (1, 10))
    assert [coarse.level(l) for l in range(31)] == [
        tuple(end // 10 for end in fine.level(l)) for l in range(31)
    ]


class Edges(Statistic):
    """A statistic of one's own that reads a graph and needs no number of nodes for its frame."""

    reads = "graph"

    def frame(self, bounds, granularity):
        return Count().frame(bounds, granularity)

    def sensitivity(self, frame, neighbors, size):
        return 1

    def envelope(self, column, answers, levels):
        edges = len(column.edges)
        lower, upper = [max(edges - l, 0) for l in range(levels + 1)], [edges + l for l in range(levels + 1)]
        return Envelope.of(lower, upper, answers.support, stride=1)


def test_a_statistic_of_ones_own_may_read_a_graph():
    assert ask(Edges(), 6).look(3).envelope.level(2) == (7, 11)
    assert ask(Edges(), 4).look(3).envelope.level(0) == (5, 5)  # the edges among nodes 0..3 alone
