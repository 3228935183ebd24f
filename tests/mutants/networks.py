"""Breaks of spanning trees and degree quantiles."""

from tests.mutants.mutant import Mutant

TREE = "tests/statistics/test_spanning_tree_cost.py"
DEGREE = "tests/statistics/test_degree_quantile.py"


MUTANTS = [
    Mutant(
        "which of equally heavy edges a forest takes depends on the other edges",
        "statistics/spanning_tree_cost.py",
        "np.lexsort((*graph.edges[cheap].T[::-1], costs[cheap]))",
        "np.lexsort((graph.degrees[graph.edges[cheap]].sum(axis=1), costs[cheap]))",
        TREE + "::test_upper_levels_are_those_of_the_forests",
    ),
    Mutant(
        "an absent edge costs as much as the heaviest that is there",
        "statistics/spanning_tree_cost.py",
        "    found = np.full((forests, graph.nodes - 1), reach)",
        "    found = np.full((forests, graph.nodes - 1), _costs(graph, reach).max(initial=0))",
        TREE + "::test_envelopes_hold_and_nest",
    ),
    Mutant(
        "a tree can only become dearer by its local sensitivity at each edit",
        "statistics/spanning_tree_cost.py",
        "    return total\n",
        "    return total[0] + (total[1:2].max(initial=0) - total[0]) * np.arange(last + 1)\n",
        TREE + "::test_envelopes_hold_and_nest",
    ),
    Mutant(
        "the lightest edges of a tree are made lighter",
        "statistics/spanning_tree_cost.py",
        "_sums(heaviest_first, last)",
        "_sums(heaviest_first[::-1], last)",
        TREE + "::test_envelopes_hold_and_nest",
    ),
    Mutant(
        "degrees are cut off instead of edges",
        "statistics/degree_quantile.py",
        "    if graph.degrees.max(initial=0) <= most:\n        return graph.degrees\n",
        "    return np.minimum(graph.degrees, most)\n",
        DEGREE + "::test_envelopes_hold_and_nest",
    ),
    Mutant(
        "a node takes only its own degree along",
        "statistics/degree_quantile.py",
        "budget, enough = l * self.max_degree,",
        "budget, enough = 0,",
        DEGREE + "::test_envelopes_hold_and_nest",
    ),
    Mutant(
        "the mirror image forgets that ranks are rounded up",
        "statistics/degree_quantile.py",
        "(parts - share) * graph.nodes + 1, levels",
        "(parts - share) * graph.nodes, levels",
        DEGREE + "::test_envelopes_hold_and_nest",
    ),
]
