"""Breaks of graphs and of the figures in them."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "pairs of nodes without a common neighbour are forgotten",
        "statistics/triangles.py",
        "common[farthest(graph)] = most = 0",
        "common[0] = most = 0",
        (
            "tests/statistics/test_triangles.py::"
            "TestTriangles::test_radii_are_the_local_sensitivities_of_every_graph_in_reach"
        ),
    ),
    Mutant(
        "the local sensitivity of triangles stands still",
        "statistics/triangles.py",
        "radii = np.minimum(np.where(near >= edits, np.maximum(near, far), far), reach)",
        "radii = np.full(edits.size, common.max())",
        (
            "tests/statistics/test_triangles.py::"
            "TestTriangles::test_radii_are_the_local_sensitivities_of_every_graph_in_reach"
        ),
    ),
    Mutant(
        "two nodes that are joined count each other as a neighbour of one of them",
        "statistics/triangles.py",
        "sums - 2 * (shared + self.joined(found))",
        "sums - 2 * shared",
        (
            "tests/statistics/test_triangles.py::"
            "TestTriangles::test_radii_are_the_local_sensitivities_of_every_graph_in_reach"
        ),
    ),
    Mutant(
        "pairs are left out once one node has as many neighbours as some pair shares",
        "statistics/triangles.py",
        "if largest <= most:",
        "if largest <= 2 * most:",
        "tests/statistics/test_triangles.py::test_a_later_pair_may_share_more_than_those_of_larger_degrees",
    ),
    Mutant(
        "levels of a count in a graph end at what this graph could have",
        "statistics/triangles.py",
        "upper.append(min(count + distance, most))",
        "upper.append(min(count + distance, 2 * count))",
        (
            "tests/statistics/test_triangles.py::"
            "TestTriangles::test_envelopes_hold_every_graph_in_reach_and_neighbours_nest"
        ),
    ),
    Mutant(
        "a repeated edge counts twice",
        "tables/columns/edge_lists.py",
        "keys = np.unique((low * count + high)[kept])",
        "keys = np.sort((low * count + high)[kept])",
        "tests/tables/columns/test_edge_lists.py::test_one_graph_in_every_form",
    ),
    Mutant(
        "an edge list declares its own nodes",
        "tables/columns/edge_lists.py",
        "return None, lambda: _listed(list(graph))",
        "return {end for edge in graph for end in edge}, lambda: _listed(list(graph))",
        "tests/tables/columns/test_edge_lists.py::test_reading_is_total",
    ),
    Mutant(
        "names of nodes are compared as the numbers they were typed as",
        "tables/columns/edge_lists.py",
        "numbers = nearest_float64(ends) if numeric else numbers_of(ends)",
        "numbers = np.array([e if type(e) is int else np.nan for e in ends], float)",
        "tests/tables/columns/test_edge_lists.py::test_one_graph_in_every_form",
    ),
    Mutant(
        "nodes stand in the order in which they came",
        "tables/columns/edge_lists.py",
        "names = np.array(sorted(n for",
        "names = np.array(list(n for",
        "tests/tables/columns/test_edge_lists.py::test_names_may_be_text_numbers_or_anything_hashable",
    ),
    Mutant(
        "of names that read alike the first is a node",
        "tables/columns/edge_lists.py",
        "        entered[key] = AMBIGUOUS",
        "        entered[key] = first",
        "tests/tables/columns/test_edge_lists.py::test_names_that_read_alike_name_nobody_and_nothing_is_raised",
    ),
    Mutant(
        "a compact graph keeps one node without an edge",
        "tables/columns/edge_lists.py",
        "OTHERS = 2",
        "OTHERS = 1",
        "tests/tables/columns/test_edge_lists.py::test_a_compact_graph_has_the_nodes_with_an_edge_and_two_others",
    ),
    Mutant(
        "nodes without an edge have no degree",
        "statistics/degree_quantile.py",
        "having[0] += graph.nodes - compact.nodes",
        "having[0] += 0",
        "tests/statistics/test_degree_quantile.py::test_envelopes_hold_and_nest",
    ),
]
