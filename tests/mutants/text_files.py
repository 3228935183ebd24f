"""Breaks by which one line of a text file takes others with it, or is more than one record."""

from tests.mutants.mutant import Mutant

LINES, CELLS = "tables/files/lines.py", "tables/files/cells.py"

MUTANTS = [
    Mutant(
        "keys do not say what their column is",
        "tables/files/cell_types.py",
        "kind = None if name in self.declared else implied_type(values)",
        "kind = None",
        "tests/tables/files/test_cell_types.py::test_keys_say_what_their_column_is",
    ),
    Mutant(
        "keys overrule what is declared",
        "tables/files/cell_types.py",
        "kind = None if name in self.declared else implied_type(values)",
        "kind = implied_type(values)\n        object.__setattr__(self, 'declared', {})",
        "tests/tables/files/test_cell_types.py::test_what_keys_imply_contradicts_no_declaration",
    ),
    Mutant(
        "codes are taken for edges",
        "questions/composites/histogram.py",
        "if not fractional and may_be_codes(given):",
        "if False:",
        "tests/questions/composites/test_histogram.py::test_codes_are_not_taken_for_edges",
    ),
    Mutant(
        "edges are refused after the debit, group by group",
        "tables/groups/one_by_one.py",
        "lambda: DeclaredLabels(fetch), True)",
        "lambda: DeclaredLabels(fetch))",
        "tests/questions/composites/test_histogram.py::test_numbers_that_need_not_be_whole_have_edges",
    ),
    Mutant(
        "a carriage return ends a line",
        LINES,
        "ends = np.flatnonzero(letters == FEED)",
        "ends = np.flatnonzero((letters == FEED) | (letters == RETURN))",
        (
            "tests/tables/files/test_lines.py::"
            "test_one_line_more_is_one_record_more_at_most_and_changes_no_other"
        ),
    ),
    Mutant(
        "the rest of a part is forgotten",
        LINES,
        "(rest + some).rpartition",
        "some.rpartition",
        "tests/tables/files/test_lines.py::test_parts_are_the_lines_of_a_file_whatever_is_read_at_once",
    ),
    Mutant(
        "the last line needs an end",
        LINES,
        "        if rest:\n            yield",
        "        if False:\n            yield",
        "tests/tables/files/test_lines.py::test_parts_are_the_lines_of_a_file_whatever_is_read_at_once",
    ),
    Mutant(
        "a line without an end is held in memory",
        LINES,
        "            rest = rest[:LONGEST_LINE]\n",
        "",
        "tests/tables/files/test_lines.py::test_a_line_without_an_end_is_not_held_in_memory",
    ),
    Mutant(
        "a long line is a record where it was kept whole",
        CELLS,
        "rows = closed & ~lines.long & ",
        "rows = closed & ",
        (
            "tests/tables/files/test_lines.py::"
            "test_one_line_more_is_one_record_more_at_most_and_changes_no_other"
        ),
    ),
    Mutant(
        "a quote that is left open takes the next lines",
        CELLS,
        "within = odd[:-1] ^ np.repeat(odd[line[:-1]], np.diff(line))",
        "within = odd[:-1]",
        (
            "tests/tables/files/test_lines.py::"
            "test_one_line_more_is_one_record_more_at_most_and_changes_no_other"
        ),
    ),
    Mutant(
        "a quote that is left open goes unnoticed",
        CELLS,
        "plain = odd[line[1:]] == odd[line[:-1]]",
        "plain = np.ones(len(starts), bool)",
        "tests/tables/files/test_cells.py::test_all_lines_at_once_are_the_lines_one_by_one",
    ),
    Mutant(
        "quotes in the middle of a cell are taken for those around it",
        CELLS,
        '    plain[np.searchsorted(starts, quotes[~np.where(within[quoted], last, first)], "right") - 1] = False\n',
        "",
        "tests/tables/files/test_cells.py::test_all_lines_at_once_are_the_lines_one_by_one",
    ),
    Mutant(
        "a line that leaves a quote open is a row",
        CELLS,
        "        closed[other] = in_line is not None\n",
        "",
        "tests/tables/files/test_cells.py::test_all_lines_at_once_are_the_lines_one_by_one",
    ),
    Mutant(
        "a line of too few cells borrows those of the next",
        CELLS,
        "(behind - first >= width - 1)",
        "(behind - first >= 0)",
        (
            "tests/tables/files/test_lines.py::"
            "test_one_line_more_is_one_record_more_at_most_and_changes_no_other"
        ),
    ),
    Mutant(
        "a cell in a wrong encoding fails the release",
        CELLS,
        "TRY(decode(c{i}))",
        "decode(c{i})",
        (
            "tests/tables/files/test_lines.py::"
            "test_one_line_more_is_one_record_more_at_most_and_changes_no_other"
        ),
    ),
    Mutant(
        "a stream that was stopped ends as if it were whole",
        "tables/engines/duckdb_thread.py",
        "                        raise InterruptedError\n",
        "                        return\n",
        (
            "tests/tables/engines/test_duckdb_thread.py::"
            "test_a_stream_that_was_stopped_fails_and_the_next_one_does_not"
        ),
    ),
    Mutant(
        "Ctrl-C breaks off the reader of a file",
        "tables/engines/duckdb_thread.py",
        "            answer = pool.submit(run, frame)\n",
        "            return run(frame)\n            answer = pool.submit(run, frame)\n",
        "tests/tables/engines/test_duckdb_thread.py::test_a_query_runs_in_another_thread_than_the_main_one",
    ),
]
