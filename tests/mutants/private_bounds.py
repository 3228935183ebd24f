"""Breaks of the search for bounds, and of releases that begin with one."""

from tests.mutants.mutant import Mutant

SEARCH, BOUNDS = "tests/questions/test_search.py", "tests/questions/composites/test_private_bounds.py"

MUTANTS = [
    Mutant(
        "a swapped record is counted as one change, though it leaves one bucket and joins another",
        "questions/search.py",
        'return 2 if self.neighbors == "swap" else self.contributions',
        "return self.contributions",
        SEARCH + "::test_the_joint_law_keeps_the_loss[swap-1-epsilon0]",
    ),
    Mutant(
        "noise of one record for a person who fills several buckets",
        "questions/search.py",
        'return 2 if self.neighbors == "swap" else self.contributions',
        'return 2 if self.neighbors == "swap" else 1',
        SEARCH + "::test_the_joint_law_keeps_the_loss[add_remove-2-epsilon0]",
    ),
    Mutant(
        "a swap pays in zcdp for one of its two buckets",
        "questions/search.py",
        "rho=2 * discrete_laplace_rho",
        "rho=discrete_laplace_rho",
        SEARCH + "::test_the_zcdp_loss_is_kept",
    ),
    Mutant(
        "empty buckets stay empty, so that a crowd of noise tells of a record",
        "questions/search.py",
        "return self.read(self.law(data).draw_each(bits=bits).tolist())",
        "return self.read((self.law(data).draw_each(bits=bits) * (self.magnitudes.count(data) > 0)).tolist())",
        SEARCH + "::test_an_empty_column_finds_bounds_as_often_as_the_law_says",
    ),
    Mutant(
        "missing records are counted in a bucket",
        "tables/columns/array_column.py",
        "inside = values[(values >= low) & (values <= high)]",
        "inside = np.nan_to_num(values)[(values < low) | ~(values > high)]",
        "tests/tables/columns/test_magnitudes.py::test_what_is_missing_is_in_no_bucket",
    ),
    Mutant(
        "a power belongs to the bucket beyond it",
        "tables/columns/magnitudes.py",
        "(size > own[exponent])",
        "(size >= own[exponent])",
        "tests/tables/columns/test_magnitudes.py::test_numbers_around_rungs_are_in_their_buckets",
    ),
    Mutant(
        "only the answer is paid, not the bounds",
        "questions/request.py",
        "sum_of_losses(self.search.loss, whatever_is_found(self.asked.loss))",
        "sum_of_losses(whatever_is_found(self.asked.loss))",
        BOUNDS + "::test_extreme_parameters_are_released",
    ),
    Mutant(
        "the answer takes the whole epsilon and the bounds come on top",
        "questions/search.py",
        "return part * price, (1 - part) * price",
        "return part * price, price",
        BOUNDS + "::test_extreme_parameters_are_released",
    ),
    Mutant(
        "what the question cannot be asked with is noticed after the debit",
        "questions/request.py",
        "magnitudes = fitting(can_be_asked)",
        "magnitudes = fitting(lambda bounds: True)",
        BOUNDS + "::test_the_receipt_of_two_draws",
    ),
]
