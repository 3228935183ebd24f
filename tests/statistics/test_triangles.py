"""Triangles against counting them one by one, and their local sensitivity against every pair of nodes."""

from itertools import combinations

import numpy as np
import pytest

import noisewise.statistics.triangles as triangles
from noisewise.questions.request import Request
from noisewise.statistics.triangles import Arcs, Triangles, farthest, survey
from tests.kernel.laws.patterns import PatternLaws, adjacency_of, graph_of, random_graph


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


class TestTriangles(PatternLaws):
    statistic = Triangles()
    naive = staticmethod(naive)


@pytest.mark.parametrize("seed", range(30))
def test_larger_graphs_against_all_pairs(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 25))
    edges = random_graph(rng, n, int(rng.integers(0, n * n)))
    adjacency = adjacency_of(edges, n)
    count, radii = Triangles().local(graph_of(edges, n), 60)
    assert count == naive(adjacency)
    assert list(radii) == slow_radii(adjacency, 60)


def test_two_stars_and_an_edge_nest_though_no_pair_across_has_a_common_neighbour():
    edges, n = stars(20, 20)
    alone, joined = ([*Triangles().local(graph_of(some, n), 60)[1]] for some in (edges, [*edges, (0, 21)]))
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
    monkeypatch.setattr(triangles, "TOGETHER", together)
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
    monkeypatch.setattr(triangles, "TOGETHER", 1)
    rng = np.random.default_rng(seed)
    edges = random_graph(rng, 24, int(rng.integers(20, 400)))
    count, radii = Triangles().local(graph_of(edges, 24), 60)
    assert count == naive(adjacency_of(edges, 24))
    assert list(radii) == slow_radii(adjacency_of(edges, 24), 60)


def test_a_later_pair_may_share_more_than_those_of_larger_degrees(monkeypatch):
    """Two nodes of degree 10 share 5 neighbours; two of degree 9 share all 9."""
    monkeypatch.setattr(triangles, "TOGETHER", 1)
    edges = [(0, k) for k in range(4, 14)] + [(1, k) for k in range(9, 19)]
    edges += [(i, k) for i in (2, 3) for k in range(19, 28)]
    _, radii = Triangles().local(graph_of(edges, 40), 30)
    assert list(radii) == slow_radii(adjacency_of(edges, 40), 30)
    assert next(iter(radii)) == 9


def test_a_star_of_a_hundred_thousand_rays_is_no_work():
    """It has five thousand million pairs with a common neighbour, and nearly all are left out."""
    rays = np.column_stack([np.zeros(100_000, int), np.arange(1, 100_001)])
    count, common = survey(graph_of(rays, 100_001))
    assert (count, common[0], common[100_000], int((common >= 0).sum())) == (0, 1, -1, 2)


def test_empty_and_complete_graphs():
    for n in (3, 4, 9):
        count, radii = Triangles().local(graph_of([], n), 9)
        assert (count, list(radii)) == (0, [min(s // 2, n - 2) for s in range(9)])
        count, radii = Triangles().local(graph_of(list(combinations(range(n), 2)), n), 9)
        assert (count, list(radii)) == (Triangles().most(n), [n - 2] * 9)


def test_levels_beyond_twice_the_nodes_have_the_global_sensitivity():
    _, radii = Triangles().local(graph_of([(0, 1)], 5), 40)
    assert len(list(radii)) == 40
    assert list(radii)[6:] == [3] * 34


def test_a_million_nodes_with_few_edges():
    edges = [(0, k) for k in range(1, 500)] + [(k, k + 1) for k in range(1, 499)]
    law = Request.of(Triangles(), (np.array(edges), 10**6), epsilon=1).look()
    assert law.granularity == 128
    assert law.envelope.level(0) == (498 // 128, 498 // 128)
