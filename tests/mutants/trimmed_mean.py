"""Breaks of the trimmed and the winsorized mean."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "the trimmed mean is moved by added records alone",
        "statistics/trimmed_mean.py",
        "removed = np.minimum(np.arange(edits[-1, 0] + 1), np.minimum(edits, count - 1))",
        "removed = 0 * edits",
        "tests/statistics/test_trimmed_mean.py::TestTenth::test_envelope_holds_brute_force",
    ),
    Mutant(
        "blocks of the trimmed mean stay as they are while levels grow",
        "statistics/trimmed_mean.py",
        "most = fewest + EXACT_LEVELS // BLOCKS + edits - EXACT_LEVELS",
        "most = fewest + EXACT_LEVELS // BLOCKS + 0 * edits",
        "tests/statistics/test_trimmed_mean.py::test_neighbours_nest_where_exact_levels_end",
    ),
    Mutant(
        "the bound of the winsorized mean looks at one cut of a block",
        "statistics/trimmed_mean.py",
        "either = np.hstack([thin, thick]) * self.repeats",
        "either = np.hstack([thick, thick]) * self.repeats",
        "tests/statistics/test_trimmed_mean.py::test_neighbours_nest_where_exact_levels_end",
    ),
    Mutant(
        "floats choose among trimmed means",
        "statistics/trimming.py",
        "found: NDArray[np.intp] = digits.argmin(axis=1)",
        "found: NDArray[np.intp] = (top / bottom).argmin(axis=1)",
        "tests/statistics/test_trimming.py::test_ratios_that_float64_cannot_tell_apart_are_told_apart",
    ),
    Mutant(
        "no trimmed mean reaches the answer of an empty column",
        "statistics/trimmed_mean.py",
        "below[-1] = empty  # nobody",
        "pass  # nobody",
        "tests/statistics/test_trimmed_mean.py::TestTenth::test_envelope_holds_brute_force",
    ),
    Mutant(
        "a swapped record moves the winsorized mean as it moves the mean",
        "statistics/winsorized_mean.py",
        "return Fraction(1 + cut, count) if",
        "return Fraction(1, count) if",
        "tests/statistics/test_winsorized_mean.py::TestQuarter::test_privacy",
    ),
]
