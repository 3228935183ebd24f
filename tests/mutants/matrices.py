"""Breaks of the statistics of tables: covariance and linear regression."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "squares are summed twice over without taking the rows off, so that one row moves them by two",
        "statistics/covariance.py",
        "2 * total - STEPS**2 * count if i == j and i else unit * total",
        "2 * total if i == j and i else unit * total",
        "tests/statistics/test_covariance.py::test_the_answer_is_that_of_fractions",
    ),
    Mutant(
        "a swapped row of a table moves sums of products no farther than an added one",
        "statistics/covariance.py",
        'return 2 * STEPS if neighbors == "swap" else STEPS',
        "return STEPS",
        "tests/statistics/test_covariance.py::test_small_worlds_keep_the_laws_of_radii",
    ),
    Mutant(
        "products are summed in floats beyond what these hold",
        "statistics/products.py",
        "EXACT = 2**53",
        "EXACT = 2**58",
        "tests/statistics/test_covariance.py::test_many_rows_are_summed_exactly",
    ),
    Mutant(
        "records of a table beyond their bounds are not clamped",
        "statistics/covariance.py",
        "by.clip(by.divided(x - middle, half) * most, -most, most)",
        "by.clip(by.divided(x - middle, half) * most, -2.0**30, 2.0**30)",
        "tests/statistics/test_covariance.py::test_small_worlds_keep_the_laws_of_radii",
    ),
    Mutant(
        "covariances are divided by the secret number of rows",
        "questions/composites/covariance_matrix.py",
        "table[0, 0] if self.statistic.counted else self.sums.data.size()",
        "self.sums.data.size()",
        "tests/questions/composites/test_covariance_matrix.py::test_nothing_but_the_released_sums_and_public_numbers_is_used",
    ),
    Mutant(
        "the number of rows is not released although it is secret",
        "questions/composites/covariance_matrix.py",
        'secret = counted and not (isinstance(neighbors, str) and neighbors == "swap")',
        "secret = False",
        "tests/questions/composites/test_covariance_matrix.py::test_nothing_but_the_released_sums_and_public_numbers_is_used",
    ),
]
