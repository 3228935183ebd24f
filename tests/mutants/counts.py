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
]
