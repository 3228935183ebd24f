"""Breaks of conditions: rows left out where their number is public, missing values that pass, a look before paying."""

from tests.mutants.mutant import Mutant

CONDITIONS, PASSING = "tests/tables/test_conditions.py", "tests/tables/test_passing.py"
ENGINES = "tests/tables/engines/test_passing.py"
NO_ROWS = "tests/tables/test_no_rows.py"

MUTANTS = [
    Mutant(
        "rows are left out under swap",
        "dataset/dataset.py",
        'read = Condition.read(condition)\n        if self.neighbors == "swap":',
        "read = Condition.read(condition)\n        if False:",
        CONDITIONS + "::test_rows_cannot_be_left_out_where_their_number_is_public",
    ),
    Mutant(
        "which rows pass is looked up before the debit",
        "tables/local.py",
        "return LocalTable(self.frame, self._readings, lambda: rows_passing(self.frame, checked))",
        "rows = rows_passing(self.frame, checked)\n        return LocalTable(self.frame, self._readings, lambda: rows)",
        CONDITIONS + "::test_rows_are_looked_at_after_the_debit",
    ),
    Mutant(
        "the records of people are chosen before the condition",
        "tables/local.py",
        'return self._passed(declare(self.series(name), f"column {name!r}"))',
        'return declare(self.series(name), f"column {name!r}")',
        CONDITIONS + "::test_one_person_moves_no_more_rows_than_they_may_contribute",
    ),
    Mutant(
        "a missing number passes in memory",
        "tables/local.py",
        "true: Booleans = present & compared(",
        "true: Booleans = ~present | compared(",
        PASSING + "::test_every_comparison_means_the_same",
    ),
    Mutant(
        "missing text is another text in memory",
        "tables/local.py",
        "return np.fromiter(texts, np.bool_, len(series)) & ~among",
        "return ~among",
        PASSING + "::test_every_comparison_means_the_same",
    ),
    Mutant(
        "NaN is compared behind an engine",
        "tables/engines/passing.py",
        "missing = x.is_null() if is_text else x.is_null() | x.is_nan()",
        "missing = x.is_null()",
        ENGINES + "::test_every_comparison_means_what_it_does_in_memory -k polars",
    ),
    Mutant(
        "a missing value passes behind an engine",
        "tables/engines/passing.py",
        "return nw.when(missing).then(no).otherwise(true)",
        "return nw.when(missing).then(yes).otherwise(true)",
        ENGINES + "::test_every_comparison_means_what_it_does_in_memory -k duckdb",
    ),
    Mutant(
        "a text file forgets its condition",
        "tables/files/text_table.py",
        "            condition=self._condition,\n        )",
        "        )",
        ENGINES + "::test_files_are_filtered_like_frames",
    ),
    Mutant(
        "a text of the condition that is no Unicode fails after the debit",
        "tables/files/arrow.py",
        "read = {*names, *self._of_condition, *self._always, self._plainest}",
        "read = {*names, *self._always, self._plainest}",
        ENGINES + "::test_text_that_is_no_unicode_does_not_pass_and_does_not_fail",
    ),
    Mutant(
        "a filter of no rows fails after the debit",
        "tables/local.py",
        'return self.frame.filter(nw.new_series("", self._passing(), backend=self.frame.implementation))',
        "return self.frame.filter(self._passing().tolist())",
        NO_ROWS + "::test_groups_times_and_several_questions_are_answered_without_rows -k pandas",
    ),
    Mutant(
        "bounds of a graph are searched for and cannot be found",
        "questions/request.py",
        'if getattr(statistic, "reads", None) == "graph":\n            raise _no_search',
        "if False:\n            raise _no_search",
        "tests/questions/composites/test_private_bounds.py::test_wrong_questions_are_refused_before_anything_is_paid",
    ),
    Mutant(
        "the ledger does not write down which rows took part",
        "dataset/dataset.py",
        'keywords["memo"] = f"{keywords[\'memo\']}, where {self.condition}"',
        "pass",
        CONDITIONS + "::test_receipts_and_the_ledger_say_which_rows",
    ),
    Mutant(
        "or binds closer than and",
        "tables/conditions.py",
        'read = self.joined("or")\n        if self.tokens',
        'read = self.joined("and")\n        if self.tokens',
        CONDITIONS + "::test_and_binds_closer_than_or",
    ),
]
