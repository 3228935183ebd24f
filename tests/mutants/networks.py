"""Breaks of degree quantiles."""

from tests.mutants.mutant import Mutant

DEGREE = "tests/statistics/test_degree_quantile.py"


MUTANTS = [
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
