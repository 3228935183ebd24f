"""Breaks of tables behind engines: records, selection, people, groups, and files."""

from tests.mutants.mutant import Mutant

# One engine notices them all, and need not wait for Spark to start.
BINS = "tests/tables/engines/test_selection.py"
WITHIN_GROUPS = (
    "tests/tables/engines/test_people.py::test_records_within_groups_are_chosen_alike_everywhere[polars]"
)

MUTANTS = [
    Mutant(
        "a window has as many records as the engine still finds",
        "tables/engines/groups.py",
        "records = np.full(sizes.sum(), self.lattice.high)",
        "records = np.full(groups.size, self.lattice.high)",
        "tests/tables/engines/test_groups.py::test_a_table_that_changes_between_passes_is_no_error",
    ),
    Mutant(
        "ranks that are gone between two passes are left out",
        "tables/engines/selection.py",
        "counts[-1] = max(int(counts[-1]), wanted)",
        "pass",
        "tests/tables/engines/test_selection.py::test_data_that_change_between_passes_are_no_error",
    ),
    Mutant(
        "a rank that is gone between two passes is in no bin",
        "tables/engines/selection.py",
        "first, last = np.minimum(np.searchsorted(self.last_ranks, [start, stop - 1]), self.counts.size - 1)",
        "first, last = np.searchsorted(self.last_ranks, [start, stop - 1])",
        "tests/tables/engines/test_selection.py::test_data_that_change_between_passes_are_no_error",
    ),
    Mutant(
        "files are not looked at after a query",
        "tables/engines/dialect.py",
        "if self._after is not None:",
        "if False:",
        "tests/kernel/mechanisms/test_balance_engines.py::test_files_that_change_before_a_second_look_are_no_data",
    ),
    Mutant(
        "on an engine, NaN is a number like any other",
        "tables/engines/engine_records.py",
        "missing = x.is_null() | x.is_nan()",
        "missing = x.is_null()",
        (
            "tests/tables/engines/test_engine_records.py::"
            "test_every_type_is_placed_bit_for_bit_as_in_memory[Float64-polars]"
        ),
    ),
    Mutant(
        "on an engine, null is clamped to a bound",
        "tables/engines/engine_records.py",
        "missing = x.is_null() | x.is_nan()",
        "missing = x.is_nan()",
        (
            "tests/tables/engines/test_engine_records.py::"
            "test_every_type_is_placed_bit_for_bit_as_in_memory[Float64-polars]"
        ),
    ),
    Mutant(
        "an engine rounds where memory floors",
        "tables/engines/engine_records.py",
        "index = floored(kept * rate + 0.5)",
        "index = (kept * rate).round()",
        (
            "tests/tables/engines/test_engine_records.py::"
            "test_every_type_is_placed_bit_for_bit_as_in_memory[Float64-polars]"
        ),
    ),
    Mutant(
        "an engine divides by the granularity",
        "tables/engines/engine_records.py",
        "floored(kept * rate + 0.5)",
        "floored(kept / float(lattice.granularity) + 0.5)",
        (
            "tests/tables/engines/test_engine_records.py::"
            "test_every_type_is_placed_bit_for_bit_as_in_memory[Float64-duckdb]"
        ),  # Polars multiplies by the inverse anyway
    ),
    Mutant(
        "an engine clips no index",
        "tables/engines/engine_records.py",
        "        index = index.clip(float(lattice.low), float(lattice.high))",
        "        pass",
        (
            "tests/tables/engines/test_engine_records.py::"
            "test_every_type_is_placed_bit_for_bit_as_in_memory[Float64-polars]"
        ),
    ),
    Mutant(
        "under swap an engine drops missing records",
        "tables/engines/engine_records.py",
        'MISSING if neighbors == "add_remove" else 0.0',
        "MISSING",
        (
            "tests/tables/engines/test_engine_records.py::"
            "test_every_type_is_placed_bit_for_bit_as_in_memory[Float64-polars]"
        ),
    ),
    Mutant(
        "an engine rounds wide integers and decimals twice",
        "tables/engines/engine_records.py",
        "column.cast(nw.String).cast(nw.Float64)",
        "column.cast(nw.Float64)",
        "tests/tables/engines/test_engine_records.py::test_hugeint_of_duckdb_is_rounded_once",
    ),
    Mutant(
        "limbs are so wide that sums pass 63 bits",
        "tables/engines/sums.py",
        "LIMB = 18\n",
        "LIMB = 26\n",
        "tests/tables/engines/test_sums.py::test_no_sum_of_so_many_rows_can_pass_64_bits",
    ),
    Mutant(
        "text with underscores is a number to one engine only",
        "tables/engines/engine_records.py",
        "nw.when(readable)",
        "nw.when(~column.is_null())",
        "tests/tables/engines/test_engine_records.py::test_text_is_a_number_alike_on_every_engine[nan-None-duckdb]",
    ),
    Mutant(
        "a column of text is taken for numbers",
        "tables/engines/engine_records.py",
        "    if not accepted and not dialect.holds_nothing",
        "    if False and not dialect.holds_nothing",
        "tests/tables/engines/test_engine_records.py::test_what_holds_no_numbers_is_refused_by_its_type[polars]",
    ),
    Mutant(
        "missing records are summed",
        "tables/engines/engine_column.py",
        '(nw.col("d") >= 0.0) & (nw.col("d") <= float(top))',
        'nw.col("d") <= float(top)',
        "tests/tables/engines/test_engine_column.py::test_sums_are_those_in_memory",
    ),
    Mutant(
        "records below an index stop short of it",
        "tables/engines/engine_column.py",
        '(nw.col("d") <= float(top))',
        '(nw.col("d") < float(top))',
        "tests/tables/engines/test_engine_column.py::test_sums_are_those_in_memory",
    ),
    Mutant(
        "a window begins one rank late",
        "tables/engines/selection.py",
        "np.searchsorted(self.last_ranks, [start, stop - 1])",
        "np.searchsorted(self.last_ranks, [start + 1, stop])",
        BINS + "::test_every_window_of_small_data_is_that_of_sorting",
    ),
    Mutant(
        "a range of distances ends one early",
        "tables/engines/selection.py",
        "return start, start + (1 << int(bins.shifts[index])) - 1",
        "return start, start + (1 << int(bins.shifts[index])) - 2",
        BINS + "::test_every_window_of_small_data_is_that_of_sorting",
    ),
    Mutant(
        "ties are cut off with the window's end",
        "tables/engines/selection.py",
        "np.clip(np.cumsum(counts), start - 1 - before, stop - 1 - before)",
        "np.clip(np.cumsum(counts), start - 1 - before, stop - before)",
        BINS + "::test_every_window_of_small_data_is_that_of_sorting",
    ),
    Mutant(
        "records up to a distance are all those of its bin",
        "tables/engines/selection.py",
        "if distance >= _span(bins, index)[1]:",
        "if True:",
        "tests/tables/engines/test_engine_column.py::test_counts_ranks_and_ends_are_those_in_memory -k polars",
    ),
    Mutant(
        "what is fetched again is counted twice",
        "tables/engines/selection.py",
        "self._bins = bins.finer(known[bins.counts[known] > 0], ",
        "self._bins = bins.finer(known[bins.shifts[known] > 0], ",
        BINS + "::test_windows_asked_one_after_the_other_are_those_of_sorting",
    ),
    Mutant(
        "bins are never cut finer",
        "tables/engines/selection.py",
        "if min(rows, distances) > spare:",
        "if False:",
        BINS + "::test_little_beside_the_window_is_fetched_and_passes_are_few",
    ),
    Mutant(
        "one record more of each person",
        "tables/engines/people.py",
        'nw.col("size"), offset, most)',
        'nw.col("size"), offset, most + 1)',
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[polars-text]"
        ),
    ),
    Mutant(
        "the order of rows in an engine decides which records are kept",
        "tables/engines/people.py",
        'frame = dialect.positions(frame, ("group", *columns))',
        "frame = dialect.positions(frame, ())",
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[polars-text]"
        ),
    ),
    Mutant(
        "one group more of each person",
        "tables/engines/people.py",
        "choice.max_groups, Offsets",
        "choice.max_groups + 1, Offsets",
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[polars-text]"
        ),
    ),
    Mutant(
        "an engine lets any number of records into a group",
        "tables/engines/people.py",
        "if choice.per_group is not None:",
        "if False:",
        WITHIN_GROUPS,
    ),
    Mutant(
        "an engine chooses within groups after the choice among all records",
        "tables/engines/people.py",
        'frame = dialect.positions(frame, columns, ("person", "group"))',
        'frame = dialect.positions(frame, ("group", *columns))\n'
        '        frame = kept_of_each(dialect, frame, choice.contributions, Offsets.of(choice, "record"))\n'
        '        frame = dialect.positions(frame, columns, ("person", "group"))',
        WITHIN_GROUPS,
    ),
    Mutant(
        "an engine counts the records of a group among those of the person",
        "tables/engines/people.py",
        'dialect.positions(frame, columns, ("person", "group"))',
        'dialect.positions(frame, ("group", *columns))',
        WITHIN_GROUPS,
    ),
    Mutant(
        "an engine begins at the same place in every group",
        "tables/engines/people.py",
        'offsets.in_group(folded, nw.col("group")) if in_groups else folded',
        "folded",
        WITHIN_GROUPS,
    ),
    Mutant(
        "an engine chooses within groups as it chooses among all records",
        "tables/engines/people.py",
        'Offsets.of(choice, "per group")',
        'Offsets.of(choice, "record")',
        WITHIN_GROUPS,
    ),
    Mutant(
        "lazy Polars counts the rows of a person for each group",
        "tables/engines/polars.py",
        'people = rows.group_by(*owner).agg(pl.col("position").min().alias("first"), pl.len().alias("size"))',
        'people = rows.group_by(*owner).agg(pl.col("position").min().alias("first"))'
        '.join(rows.group_by("person").agg(pl.len().alias("size")), on="person")',
        WITHIN_GROUPS,
    ),
    Mutant(
        "DuckDB counts the rows of a person for each group",
        "tables/engines/dialect.py",
        "PARTITION BY {', '.join(owner)} ORDER",
        "PARTITION BY {owner[0]} ORDER",
        WITHIN_GROUPS.replace("polars", "duckdb"),
    ),
    Mutant(
        "rows without a person take part",
        "tables/engines/people.py",
        'frame.filter(present & ~nw.col("person").is_null())',
        "frame.filter(present)",
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[duckdb-text]"
        ),
    ),
    Mutant(
        "missing records use up what a person may contribute",
        "tables/engines/people.py",
        'frame.filter(present & ~nw.col("person").is_null())',
        'frame.filter(~nw.col("person").is_null())',
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[polars-text]"
        ),
    ),
    Mutant(
        "the choice does not depend on the salt",
        "tables/engines/people.py",
        'choice.contributions, Offsets.of(choice, "record")',
        'choice.contributions, Offsets.of(Choice("", 1, None, ""), "record")',
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[polars-text]"
        ),
    ),
    Mutant(
        "groups are counted by their rows",
        "tables/engines/people.py",
        'nw.col("group").rank("dense")',
        'nw.col("group").rank("ordinal")',
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[polars-text]"
        ),
    ),
    Mutant(
        "an engine reads a name that begins with a digit as a whole number",
        "tables/engines/people.py",
        '"[^0-9-]|[0-9-]-|[0-9]{19}"',
        '"[^0-9-]|[0-9]{19}"',
        (
            "tests/tables/engines/test_people.py::"
            "test_people_with_odd_names_have_the_same_records_chosen_everywhere[polars]"
        ),
    ),
    Mutant(
        "an engine reads a number that begins with zero",
        "tables/engines/people.py",
        '"^-?[1-9]"',
        '"^-?[0-9]"',
        (
            "tests/tables/engines/test_people.py::"
            "test_people_with_odd_names_have_the_same_records_chosen_everywhere[polars]"
        ),
    ),
    Mutant(
        "DuckDB sorts as its user prefers",
        "tables/engines/dialect.py",
        ' ASC NULLS LAST" for column in order',
        '" for column in order',
        (
            "tests/tables/engines/test_people.py::"
            "test_an_order_that_the_user_of_duckdb_prefers_does_not_matter"
        ),
    ),
    Mutant(
        "a person without an id is called nan",
        "tables/engines/people.py",
        "text = nw.when(x.is_nan()).then(nw.lit(None, nw.String)).otherwise(x.cast(nw.String))",
        "text = x.cast(nw.String)",
        (
            "tests/tables/engines/test_people.py::"
            "test_the_records_chosen_are_those_chosen_in_memory[polars-number]"
        ),
    ),
    Mutant(
        "a key that is no Unicode is sent to the engine, after the debit",
        "tables/engines/groups.py",
        "if all(dialect.spells(part) for part in parts if isinstance(part, str))",
        "if parts",
        "tests/tables/engines/test_groups.py::test_keys_that_are_no_unicode_have_no_rows[polars]",
    ),
    Mutant(
        "a group's window begins one rank early",
        "tables/engines/groups.py",
        '(nw.col("rank") >= nw.col("start"))',
        '(nw.col("rank") >= nw.col("start") - 1)',
        (
            "tests/tables/engines/test_groups.py::"
            "test_every_window_is_found_however_many_bins_there_are[polars-4]"
        ),
    ),
    Mutant(
        "the bins of a group's window end one early",
        "tables/engines/groups.py",
        "return before[first] - others, lowest, beyond - 1",
        "return before[first] - others, lowest, beyond - 2",
        "tests/tables/engines/test_groups.py::test_every_window_is_found_however_many_bins_there_are[polars-4]",
    ),
    Mutant(
        "what lies before a group's window is not skipped",
        "tables/engines/groups.py",
        "return before[first] - others, lowest",
        "return before[first] * 0, lowest",
        "tests/tables/engines/test_groups.py::test_every_window_is_found_however_many_bins_there_are[polars-4]",
    ),
    Mutant(
        "missing records stand in groups",
        "tables/engines/groups.py",
        'frame.filter(nw.col("d") >= 0.0).select("d", "group")',
        'frame.select("d", "group")',
        "tests/tables/engines/test_groups.py::test_keys_of_every_kind_find_their_rows[polars-text]",
    ),
    Mutant(
        "large whole keys are compared as floats",
        "tables/engines/groups.py",
        '    if kind in ("number", "single"):\n',
        '    if kind in ("number", "single", "whole"):\n',
        "tests/tables/engines/test_groups.py::test_keys_of_every_kind_find_their_rows[polars-whole]",
    ),
    Mutant(
        "keys that a signed integer cannot hold are turned into one",
        "tables/engines/groups.py",
        'if kind == "whole" and (wide or',
        'if kind == "text" and (wide or',
        "tests/tables/engines/test_groups.py::test_keys_of_every_kind_find_their_rows[polars-text]",
    ),
    Mutant(
        "Spark is asked for whole columns",
        "tables/engines/engine_table.py",
        "        if not self.dialect.local:\n",
        "        if False:\n",
        (
            "tests/tables/engines/test_engine_table.py::"
            "test_what_data_elsewhere_cannot_answer_in_place_is_refused_beforehand[polars]"
        ),
    ),
    Mutant(
        "a table that cannot be streamed is read before the debit",
        "tables/engines/engine_table.py",
        "        fetch = self.fetcher(names, choice, question, numeric=names)\n",
        "        fetch = self.fetcher(names, choice, question, numeric=names)\n        fetch()\n",
        "tests/tables/engines/test_engine_table.py::test_nothing_is_read_before_the_debit[polars]",
    ),
    Mutant(
        "files may change between two passes",
        "tables/engines/engine_table.py",
        "changed = None if files is None else files.fail_if_changed\n",
        "changed = None\n",
        (
            "tests/tables/engines/test_engine_table.py::"
            "test_files_that_changed_fail_a_release_after_the_debit_and_refuse_the_next"
        ),
    ),
    Mutant(
        "a file may be longer than it was",
        "tables/files/file_state.py",
        "return stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev",
        "return (stat.st_dev,)",
        "tests/tables/files/test_file_state.py::test_a_change_is_an_error_before_the_debit_and_after_a_query",
    ),
    Mutant(
        "an engine makes one person of all rows that name nobody",
        "tables/engines/totals.py",
        '(d >= 0.0) & ~nw.col("person").is_null()',
        "d >= 0.0",
        "tests/tables/engines/test_totals.py::test_a_table_without_totals_has_none[polars]",
    ),
    Mutant(
        "an engine adds up rows that miss the number",
        "tables/engines/totals.py",
        '(d >= 0.0) & ~nw.col("person").is_null()',
        '~nw.col("person").is_null()',
        "tests/tables/engines/test_totals.py::test_a_table_without_totals_has_none[polars]",
    ),
    Mutant(
        "a limb of a mean is rounded up",
        "tables/engines/totals.py",
        "quotient = (nw.col(name) - rest)",
        "quotient = nw.col(name)",
        "tests/tables/engines/test_totals.py::test_every_engine_has_the_same_totals[polars]",
    ),
    Mutant(
        "an engine chooses no totals in groups",
        "tables/engines/queries.py",
        "            if self.keys is not None:\n                frame = chosen",
        "            if self.keys is None:\n                frame = chosen",
        "tests/tables/engines/test_totals.py::test_every_engine_has_the_same_totals[polars]",
    ),
]
