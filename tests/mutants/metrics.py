"""Breaks of the metrics: rows, losses, and the bounds of F1, AUC and R²."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    # Rows.
    Mutant(
        "a row that misses its prediction alone is kept",
        "tables/columns/array_rows.py",
        "missing = np.logical_or.reduce([np.isnan(values) for values in columns])",
        "missing = np.isnan(columns[0])",
        "tests/tables/columns/test_array_rows.py::test_what_misses_a_number_is_left_out_where_rows_come_and_go",
    ),
    Mutant(
        "missing rows are dropped under swap",
        "tables/columns/array_rows.py",
        'if neighbors == "swap":',
        'if neighbors == "replaced":',
        "tests/tables/columns/test_array_rows.py::test_and_is_the_fill_row_where_they_are_swapped",
    ),
    Mutant(
        "the error about lengths tells them",
        "tables/columns/array_rows.py",
        '"columns", "must have the same number of rows"',
        '"columns", "must have the same number of rows", got=str([column.size() for column in declared])',
        "tests/tables/columns/test_array_rows.py::test_columns_of_different_lengths_are_refused_without_telling_any",
    ),
    # Losses of rows.
    Mutant(
        "the logarithm of a library, which may differ at the end of an array",
        "statistics/row_losses.py",
        "return minus_log(by, by.where(by.nearest(truth, TRUE_OR_FALSE) == 1.0, given, 1.0 - given))",
        "import numpy as np\n"
        "        losses = minus_log(by, by.where(by.nearest(truth, TRUE_OR_FALSE) == 1.0, given, 1.0 - given))\n"
        "        tail = np.arange(losses.size) >= losses.size // 4 * 4\n"
        "        return np.where(tail, np.nextafter(losses, np.inf), losses)",
        "tests/statistics/test_row_losses.py::test_a_row_has_one_log_loss_wherever_it_stands",
    ),
    Mutant(
        "a term of the logarithm is left out",
        "statistics/row_losses.py",
        "TERMS = 12",
        "TERMS = 7",
        "tests/statistics/test_row_losses.py::test_the_logarithm_is_right_to_the_last_places",
    ),
    Mutant(
        "two equal infinities have no error that is a number",
        "statistics/row_losses.py",
        "return by.where(truth == prediction, 0.0, by.absolute(truth - prediction))",
        "return by.absolute(truth - prediction)",
        "tests/statistics/test_row_losses.py::test_every_row_has_a_loss",
    ),
    Mutant(
        "the centre of the root rounded to nearest",
        "statistics/row_losses.py",
        "isqrt(top * over // (bottom * under))",
        "isqrt(top * over // (bottom * under)) + bottom % 2",
        "tests/statistics/test_row_losses.py::TestRMSE::test_envelope_holds_brute_force",
    ),
    Mutant(
        "the sensitivity of a mean of squares for its root",
        "statistics/row_losses.py",
        "return Statistic.sensitivity(self, frame, neighbors, size)",
        "return 1",
        "tests/statistics/test_row_losses.py::TestRMSE::test_privacy",
    ),
    # F1.
    Mutant(
        "F1 by adding alone",
        "statistics/f1.py",
        "max(score(hits + l, misses), score(hits + l - mended, misses - mended))",
        "score(hits + l, misses)",
        "tests/statistics/test_f1.py::TestF1::test_envelope_holds_brute_force",
    ),
    Mutant(
        "F1 without the class is 1 at the centre alone",
        "statistics/f1.py",
        "if hits > 0 else answers.floor(0)",
        "if hits > 0 else answers.floor(hits + misses == 0)",
        "tests/statistics/test_f1.py::TestF1::test_envelope_holds_brute_force",
    ),
    # AUC.
    Mutant(
        "an empty class is a half at the centre alone",
        "statistics/auc.py",
        "if l >= max(min(positives, negatives), 1):",
        "if l > min(positives, negatives) + 1:",
        "tests/statistics/test_auc.py::TestAUC::test_envelope_holds_brute_force",
    ),
    Mutant(
        "AUC by removals alone",
        "statistics/auc.py",
        "        best = (wrong + isqrt(under)) // (2 * mine) if under > 0 else others\n"
        "        for there in _around(best, others, others + l):",
        "        for there in (others,):",
        "tests/statistics/test_auc.py::test_the_best_number_is_found_among_many",
    ),
    Mutant(
        "labels that cannot be swapped",
        "statistics/auc.py",
        "yield wrong - 2 * l * there, 2 * (mine + others - there) * there",
        "yield wrong - 2 * l * others, 2 * mine * others",
        "tests/statistics/test_auc.py::test_more_rows_against_brute_force",
    ),
    Mutant(
        "ties count as right pairs at the centre of the lower side",
        "tables/columns/array_rows.py",
        'for side in ("left", "right"))',
        'for side in ("right", "right"))',
        "tests/statistics/test_auc.py::TestAUC::test_envelope_holds_brute_force",
    ),
    # R².
    Mutant(
        "the answer is 1 where nothing varies and nothing is wrong",
        "statistics/r2.py",
        "if top > 0 else bare",
        "if top > 0 else (bare if sse else answers.floor(1))",
        "tests/statistics/test_r2.py::TestR2::test_envelope_holds_brute_force",
    ),
    Mutant(
        "removed rows of a spread are forgotten",
        "statistics/r2.py",
        "only_removed = errors.total, truth.with_removed(l)",
        "only_removed = errors.total, truth.with_removed(0)",
        "tests/statistics/test_r2.py::TestR2::test_envelope_holds_brute_force",
    ),
    Mutant(
        "rows are removed at the lower bound alone",
        "statistics/r2.py",
        "return min(from_low, from_high)",
        "return from_low",
        "tests/statistics/test_r2.py::TestR2::test_envelope_holds_brute_force",
    ),
    Mutant(
        "under swap only the prediction changes",
        "statistics/r2.py",
        "[(errors.replaced[l], truth.with_removed(l))], (errors.without[l], truth.with_added(l))",
        "[(errors.replaced[l], truth.with_removed(0))], (errors.without[l], truth.with_added(0))",
        "tests/statistics/test_r2.py::TestR2::test_envelope_holds_brute_force",
    ),
]
