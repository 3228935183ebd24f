"""Breaks of shifted piecewise Laplace."""

from tests.mutants.mutant import Mutant

TESTS = "tests/kernel/mechanisms/test_shifted_piecewise_laplace.py::"

MUTANTS = [
    Mutant(
        "levels beyond the true answer stop at it",
        "kernel/laws/envelope.py",
        "back = np.where(beyond, end, back)",
        "back = np.where(beyond > 1, end, back)",
        TESTS + "test_no_cost_moves_by_more_than_one",
    ),
    Mutant(
        "the two sides are shifted by different numbers of removals",
        "kernel/laws/envelope.py",
        "away, back = given[start + level], given[start - np.minimum(level, edits)]",
        "away, back = given[start + 2 * level], given[start - np.minimum(level, edits)]",
        TESTS + "test_levels_go_out_from_what_the_answer_is_after_removals",
    ),
    Mutant(
        "fewer removals of levels, under the old name",
        "kernel/mechanisms/scored.py",
        "MISS_EXPONENT = 3",
        "MISS_EXPONENT = 2",
        "tests/vectors/test_laws.py::test_shifted_piecewise_laplace",
    ),
    Mutant(
        "errors of shifted levels are told from the answer after removals",
        "planning/readings/law_reading.py",
        'return Fraction(int((self.envelope.upper if side == "upper" else self.envelope.lower)[edits]))',
        "return Fraction(sum(self._plateau()), 2)",
        TESTS + "test_errors_are_told_from_the_true_answer_and_it_is_hardly_ever_passed",
    ),
]
