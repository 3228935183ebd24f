"""Breaks of the median absolute deviation."""

from tests.mutants.mutant import Mutant

TESTS = "tests/statistics/spread/test_mad.py"

MUTANTS = [
    Mutant(
        "only the ends of the median's envelope are centres",
        "statistics/spread/mad.py",
        "upper[l] = max(upper[l], widths.max() // 2)",
        "upper[l] = max(upper[l], 0)",
        TESTS + "::test_the_bound_is_the_best_over_every_centre",
    ),
    Mutant(
        "the median does not fall as records change",
        "statistics/spread/mad.py",
        "self.records[np.maximum(self.down, 1) - 1]",
        "self.records[np.maximum(self.down[0], 1) - 1]",
        TESTS + "::TestMAD::test_envelope_holds_brute_force",
    ),
    Mutant(
        "half a step is rounded down on the lower side of a mad",
        "statistics/spread/mad.py",
        "(widths.min() + 1) // 2",
        "widths.min() // 2",
        TESTS + "::test_the_bound_is_the_best_over_every_centre",
    ),
    Mutant(
        "the looser levels of a mad forget that the centre moves",
        "statistics/spread/mad.py",
        "upper = (right - left + self",
        "upper = (self",
        "tests/statistics/spread/test_mad.py::test_neighbours_nest_across_the_joint",
    ),
]
