"""Breaks of the variance and the standard deviation."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "the window to remove is sought near the mean as it is, not as it may become",
        "statistics/variance/reach.py",
        "return (moments.total - move) // (n + edits), (moments.total + move) // (n - edits)",
        "return moments.total // n, moments.total // n",
        "tests/statistics/variance/test_reach.py::test_the_most_of_larger_columns_against_all_windows",
    ),
    Mutant(
        "the highest variance is sought where the bound peaks, and nowhere else",
        "statistics/variance/reach.py",
        "for order in (range(peak, -1, -1), range(peak + 1, l + 1)):",
        "for order in (range(peak, peak - 1, -1),):",
        "tests/statistics/variance/test_reach.py::test_the_most_of_small_columns_against_all_subsets",
    ),
    Mutant(
        "records are removed from one end of the column or the other",
        "statistics/variance/reach.py",
        "spread[np.arange(smaller.stop) > gone] = np.inf",
        "spread[(np.arange(smaller.stop) != gone) & (np.arange(smaller.stop) != 0 * gone)] = np.inf",
        "tests/statistics/variance/test_reach.py::test_records_added_anywhere",
    ),
    Mutant(
        "a variance is lowered by adding alone",
        "statistics/variance/reach.py",
        "about[gone > edits] = np.inf",
        "about[gone > 0 * edits] = np.inf",
        "tests/statistics/variance/test_reach.py::test_records_added_anywhere",
    ),
    Mutant(
        "the bound removes records at the nearer end",
        "statistics/variance/reach.py",
        "self.without(removed, removed * R, removed * R * R).spread",
        "self.without(removed, 0, 0).spread",
        "tests/statistics/variance/test_reach.py::test_every_split_of_the_edits",
    ),
    Mutant(
        "the bound adds records at the far end, past the centre too",
        "statistics/variance/reach.py",
        "if added * R < n * R - 2 * S:",
        "if n + added:",
        "tests/statistics/variance/test_reach.py::test_every_split_of_the_edits",
    ),
    Mutant(
        "the bound starts over where the exact levels end",
        "statistics/variance/variance.py",
        "islice(far, len(known), None)",
        "far",
        "tests/statistics/variance/test_variance.py::TestVariance::test_envelope_holds_brute_force",
    ),
    Mutant(
        "the largest variance depends on how many records there are, which is secret",
        "statistics/variance/reach.py",
        'max(n * n, 1)) if neighbors == "swap" else (square, 4)',
        "max(n * n, 1))",
        "tests/statistics/variance/test_variance.py::TestVariance::test_envelope_holds_brute_force",
    ),
    Mutant(
        "roots of floats",
        "statistics/variance/variance.py",
        "math.isqrt(variance[0] * over // (variance[1] * under))",
        "int(math.sqrt(variance[0] * over / (variance[1] * under)))",
        "tests/statistics/variance/test_variance.py::test_the_root_is_exact",
    ),
]
