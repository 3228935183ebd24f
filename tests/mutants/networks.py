"""Breaks of transitivity, spanning trees and degree quantiles."""

from tests.mutants.mutant import Mutant

TREE = ("statistics/spanning_tree_cost.py", "tests/statistics/test_spanning_tree_cost.py")
SHARE = ("statistics/transitivity.py", "tests/statistics/test_transitivity.py")
DEGREE = ("statistics/degree_quantile.py", "tests/statistics/test_degree_quantile.py")


def _broken(where: tuple[str, str], idea: str, old: str, new: str) -> Mutant:
    return Mutant(idea, where[0], old, new, where[1])


MUTANTS = [
    _broken(
        TREE,
        "which of equally heavy edges a forest takes depends on the other edges",
        "np.lexsort((*graph.edges[cheap].T[::-1], costs[cheap]))",
        "np.lexsort((graph.degrees[graph.edges[cheap]].sum(axis=1), costs[cheap]))",
    ),
    _broken(
        TREE,
        "an absent edge costs as much as the heaviest that is there",
        "    found = np.full((forests, graph.nodes - 1), reach)",
        "    found = np.full((forests, graph.nodes - 1), _costs(graph, reach).max(initial=0))",
    ),
    _broken(
        TREE,
        "a tree can only become dearer by its local sensitivity at each edit",
        "    return total\n",
        "    return total[0] + (total[1:2].max(initial=0) - total[0]) * np.arange(last + 1)\n",
    ),
    _broken(
        TREE,
        "the lightest edges of a tree are made lighter",
        "_sums(tree, last)",
        "_sums(tree[::-1], last)",
    ),
    _broken(
        SHARE,
        "common neighbours of two nodes stay as many",
        "list(shared), [",
        "list(shared)[:1] * levels, [",
    ),
    _broken(
        SHARE,
        "edits are all of one kind",
        "        return bisect_left(\n            range(l)",
        "        return 0 * bisect_left(\n            range(l)",
    ),
    _broken(
        SHARE,
        "a graph without wedges is transitive at its own centre",
        "if wedges else NONE",
        "if wedges else ALL",
    ),
    _broken(
        (SHARE[0], f"{SHARE[1]}::test_sparse_neighbours_nest_far_out"),
        "edits do not add to the neighbours of a pair",
        "min(most, far + s) for s in",
        "min(most, far) for s in",
    ),
    _broken(
        DEGREE,
        "degrees are cut off instead of edges",
        "    if graph.degrees.max(initial=0) <= most:\n        return graph.degrees\n",
        "    return np.minimum(graph.degrees, most)\n",
    ),
    _broken(
        DEGREE,
        "a node takes only its own degree along",
        "budget, enough = l * self.max_degree,",
        "budget, enough = 0,",
    ),
    _broken(
        DEGREE,
        "the mirror image forgets that ranks are rounded up",
        "(parts - share) * graph.nodes + 1, levels",
        "(parts - share) * graph.nodes, levels",
    ),
]
