"""Mutants of counts: of records that are there, of one category, of those that took part."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "a masked record that leaves no place where the number of records is public",
        "columns/indicators.py",
        "return Declared(lambda: (self.ones(_listed(np.asarray(data))), mask), lambda: data.size)",
        "return Declared(lambda: (self.ones(declared.fetch()), None), lambda: data.size)",
        "tests/columns/test_indicators.py::test_a_masked_record_keeps_its_place_where_records_are_swapped",
    ),
    Mutant(
        "the count of a category that is public under swap, as that of all records is",
        "statistics/count.py",
        "if self.category is None:\n                return Envelope.of([known]",
        "if True:\n                return Envelope.of([known]",
        "tests/statistics/test_count.py::test_the_count_of_a_category_is_exact_and_nests",
    ),
    Mutant(
        "two categories of one column read once for both",
        "dataset/grouped.py",
        "self._choice, timed.reading)",
        "self._choice, timed.clock)",
        "tests/dataset/test_grouped.py::test_categories_of_one_column_are_counted_each_by_itself",
    ),
    Mutant(
        "the noise of one record for a person who holds several categories",
        "releases/count_distinct.py",
        "else min(self.contributions, len(self.labels.names))",
        "else 1",
        "tests/releases/test_count_distinct.py::test_the_loss_is_kept_and_met_in_every_world",
    ),
    Mutant(
        "people counted as often as they contribute",
        "dataset/dataset.py",
        "choice, owned = replace(choice, contributions=1), 1",
        "owned = 1",
        "tests/releases/test_count_distinct.py::test_people_are_counted_once_each_whatever_they_contribute",
    ),
    Mutant(
        "categories by name that are crossed in the order they were typed in",
        "releases/crosstab.py",
        "given = [given[name] for name in names or given]",
        "given = [*given.values()]",
        "tests/releases/test_crosstab.py::test_columns_of_a_table_are_crossed_by_name",
    ),
    Mutant(
        "a masked record that leaves its row, so that others slip into it",
        "columns/labels.py",
        "if not isinstance(data, np.ndarray) or ma.getmask(data) is ma.nomask:",
        "if True:",
        "tests/releases/test_crosstab.py::test_a_masked_record_stays_in_its_row",
    ),
    Mutant(
        "totals that are not of the cells",
        "releases/crosstab.py",
        "table.sum(axis=axis, keepdims=True)",
        "table.max(axis=axis, keepdims=True)",
        "tests/releases/test_crosstab.py::test_totals_are_sums_of_the_released_cells",
    ),
    Mutant(
        "a count beside an answer that nobody pays for",
        "questions/with_count.py",
        "return sum_of(pure(self.inner.loss), self.counting.noise.loss)",
        "return sum_of(pure(self.inner.loss))",
        "tests/questions/test_with_count.py::test_one_debit_pays_for_both_before_anything_is_read",
    ),
    Mutant(
        "counts of groups that nobody pays for",
        "dataset/batches.py",
        "return sum_of(pure(self.inner.loss), noise)",
        "return sum_of(pure(self.inner.loss))",
        "tests/dataset/test_batches.py::test_counts_of_groups_are_of_the_answers_records_and_inside_the_price",
    ),
    Mutant(
        "an answer drawn for what its count takes, too",
        "questions/with_count.py",
        '"epsilon": counting.rest}',
        '"epsilon": keywords["epsilon"]}',
        "tests/questions/test_with_count.py::test_one_debit_pays_for_both_before_anything_is_read",
    ),
    Mutant(
        "the noise of one record beside an answer about people who have several",
        "questions/with_count.py",
        "Laplace(epsilon=part * total, sensitivity=owned)",
        "Laplace(epsilon=part * total, sensitivity=1)",
        "tests/questions/test_with_count.py::test_both_draws_together_cost_epsilon_in_every_world",
    ),
    Mutant(
        "a count of rows that miss a number of the answer's",
        "columns/watched.py",
        "np.logical_or.reduce([*self._missing.values()])",
        "np.logical_and.reduce([*self._missing.values()])",
        "tests/columns/test_watched.py::test_rows_count_where_they_miss_no_number",
    ),
    Mutant(
        "a count of records that were not chosen for the answer",
        "columns/watched.py",
        "self.witness.saw(column)",
        "self.witness.saw(self.size())",
        "tests/columns/test_watched.py",
    ),
]
