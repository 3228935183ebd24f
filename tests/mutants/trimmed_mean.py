"""Breaks of the trimmed and the winsorized mean."""

from tests.mutants.mutant import Mutant

BALANCE = "tests/statistics/test_trimmed_mean.py::TestBalance"

MUTANTS = [
    Mutant(
        "levels of a trimmed mean are taken for a score with a shape",
        "statistics/trimmed_mean.py",
        'return Fraction(3, 2) if neighbors == "swap" else None',
        'return Fraction(1) if neighbors == "swap" else None',
        "tests/audit/test_score_check.py::test_what_is_right_passes -k trimmed_mean",
    ),
    Mutant(
        "levels of a trimmed mean are a score where records are added, too",
        "statistics/trimmed_mean.py",
        'return Fraction(3, 2) if neighbors == "swap" else None',
        "return Fraction(3, 2)",
        f"{BALANCE}::test_there_is_none_where_records_are_added",
    ),
    Mutant(
        "few levels of a trimmed mean are taken for all",
        "statistics/trimmed_mean.py",
        "more=levels < column.count)",
        "more=False)",
        "tests/audit/test_score_check.py::test_what_is_right_passes -k trimmed_mean",
    ),
    Mutant(
        "levels begin a step too high",
        "kernel/laws/score.py",
        "heights = np.arange(-2 * last - 1, 2 * last + 2, 2)",
        "heights = np.arange(-2 * last + 1, 2 * last + 4, 2)",
        f"{BALANCE}::test_its_answer_is_that_of_the_envelope",
    ),
    Mutant(
        "a trimmed mean by balance strays as little as a quantile does",
        "statistics/trimmed_mean.py",
        "return 1.5 * exponent / float(epsilon) + 0.5",
        "return 0.5 * exponent / float(epsilon) + 0.5",
        f"{BALANCE}::test_draws_stray_no_further_than_promised",
    ),
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
        "a swapped record moves the winsorized mean as it moves the mean",
        "statistics/trimmed_mean.py",
        "return Fraction(1 + cut, count) if",
        "return Fraction(1, count) if",
        "tests/statistics/test_trimmed_mean.py::TestWinsorizedQuarter::test_privacy",
    ),
]
