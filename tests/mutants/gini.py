"""Breaks of the Gini coefficient."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "a gini of nothing is forgotten where all who have anything can go",
        "statistics/gini/reach.py",
        "if incomes.low == 0 and (l == count or incomes.records[count - l - 1] == 0):",
        "if False:",
        "tests/statistics/gini/test_gini.py::TestFromZero::test_envelope_holds_brute_force",
    ),
    Mutant(
        "what is added to make a gini less unequal is at the median",
        "statistics/gini/reach.py",
        "place = np.minimum(-(-(kept * c[1] + size * c[0]) // (2 * c[1])), kept)",
        "place = np.minimum(-(-kept // 2), kept)",
        "tests/statistics/gini/test_gini.py::TestFromZero::test_envelope_holds_brute_force",
    ),
    Mutant(
        "a search for the gini stops after its first step",
        "statistics/gini/reach.py",
        "        reached = (int(spread[best]), int(size[best]))",
        "        return (int(spread[best]), int(size[best]))",
        "tests/statistics/gini/test_gini.py::TestFromZero::test_envelope_holds_brute_force",
    ),
    Mutant(
        "the bound of the gini leaves out terms of second order",
        "statistics/gini/reach.py",
        "return _times(edits * edits, kappa)",
        "return _times(0, kappa)",
        "tests/statistics/gini/test_reach.py::test_neighbours_nest_where_exact_levels_end",
    ),
    Mutant(
        "the bound of the gini counts a swap as one edit",
        "statistics/gini/reach.py",
        'edits = 2 * l if self.incomes.neighbors == "swap" else l',
        "edits = l",
        "tests/statistics/gini/test_reach.py::test_neighbours_nest_where_exact_levels_end",
    ),
    Mutant(
        "the bound of the gini removes none but the largest records",
        "statistics/gini/reach.py",
        "added, removed = _times(-1, self._valley(c)), self.at_low",
        "added, removed = _times(-1, self._valley(c)), (0, 0)",
        "tests/statistics/gini/test_reach.py::test_neighbours_nest_where_exact_levels_end",
    ),
    Mutant(
        "the bound of the gini climbs to the first root alone",
        "statistics/gini/reach.py",
        "full = bisect_left(levels, True, key=lambda l: _at(edge.most(l, MOST), MOST) >= 0)",
        "full = len(levels)",
        "tests/statistics/gini/test_reach.py::test_neighbours_nest_where_exact_levels_end",
    ),
]
