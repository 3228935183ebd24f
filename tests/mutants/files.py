"""Breaks by which a text in a file, or what is taken for a date, makes a release fail or changes what others have."""

from tests.mutants.mutant import Mutant

TYPES, ENCODED = "tests/tables/files/test_cell_types.py", "tests/tables/files/test_encoded.py"
SCAN = "tests/tables/files/test_scan.py -k"

MUTANTS = [
    Mutant(
        "text in a wrong encoding fails what a file is asked",
        "tables/files/arrow.py",
        "            self._frame = self._spare.frame()\n",
        "            pass\n",
        "tests/tables/files/test_arrow.py::test_text_in_a_wrong_encoding_is_missing_whatever_is_asked",
    ),
    Mutant(
        "columns that are fetched are not read through first",
        "tables/engines/engine_table.py",
        "fetch(self.dialect, self._with_ones(used), plan",
        "fetch(self.dialect, self._with_ones(), plan",
        "tests/tables/files/test_arrow.py::test_text_in_a_wrong_encoding_is_missing_whatever_is_asked",
    ),
    Mutant(
        "columns that an engine is asked about are not read through first",
        "tables/engines/engine_table.py",
        "used = (*filter(None, columns.values()), *keys, *_unit(choice))",
        "used = ()",
        "tests/tables/files/test_arrow.py::test_text_in_a_wrong_encoding_is_missing_whatever_is_asked",
    ),
    Mutant(
        "labels are not read through first",
        "tables/engines/engine_table.py",
        "used = (*filter(None, columns.values()), *keys, *_unit(choice))",
        "used = (*keys, *_unit(choice))",
        "tests/tables/files/test_arrow.py::test_neighbouring_files_are_both_answered",
    ),
    Mutant(
        "the dictionary of a column that nobody asks for fails the release",
        "tables/files/arrow.py",
        "read = {*names, *self._of_condition, *self._always, self._plainest}",
        "read = {*names, *self._of_condition, self._plainest}",
        "tests/tables/files/test_arrow.py::test_neighbouring_files_are_both_answered",
    ),
    Mutant(
        "the number of rows, which is public, cannot be told because of a record",
        "tables/files/arrow.py",
        "        self._look(used)\n",
        "",
        "tests/tables/files/test_arrow.py::test_neighbouring_files_are_both_answered",
    ),
    Mutant(
        "rows are counted by a column of text that was not read through",
        "tables/files/arrow.py",
        "read = {*names, *self._of_condition, *self._always, self._plainest}",
        "read = {*names, *self._of_condition, *self._always}",
        "tests/tables/files/test_arrow.py::test_a_file_of_text_alone_still_has_rows",
    ),
    Mutant(
        "rows are counted by whichever column an engine likes",
        "tables/files/arrow.py",
        "if not dtype.is_nested() and name not in texts]",
        "]",
        "tests/tables/files/test_arrow.py::test_unused_text_is_not_read",
    ),
    Mutant(
        "what was found in a file is told by progress",
        "tables/files/arrow.py",
        "if not self.dialect.succeeds(self._frame.select(*longest)):",
        "if not self._runs(self._frame.select(*longest)):",
        (
            "tests/tables/files/test_arrow.py::"
            "test_a_column_is_read_through_once_and_progress_does_not_tell_what_was_found"
        ),
    ),
    Mutant(
        "one text makes other records others",
        "tables/files/arrow.py",
        "read = read.cast({name: schema[name] for name in names}, strict=False)",
        "read = read.cast({name: schema[name] for name in names}, strict=False).fill_nan(0.0)",
        "tests/tables/files/test_arrow.py::test_both_readers_hand_out_the_same_records",
    ),
    Mutant(
        "columns that readers tell apart are asked about beside text",
        "tables/files/arrow.py",
        "for name in (*used, *self._of_condition):",
        "for name in self._of_condition:",
        (
            "tests/tables/files/test_arrow.py::"
            "test_a_column_that_readers_tell_apart_is_not_asked_about_beside_text"
        ),
    ),
    Mutant(
        "old times are taken for alike",
        "tables/files/arrow.py",
        'column.physical_type == "INT96"',
        'column.physical_type == ""',
        (
            "tests/tables/files/test_arrow.py::"
            "test_a_column_that_readers_tell_apart_is_not_asked_about_beside_text"
        ),
    ),
    Mutant(
        "statistics in a wrong encoding are looked at",
        "tables/files/scan.py",
        "**PLAIN, use_statistics=False",
        "**PLAIN",
        "tests/tables/files/test_arrow.py::test_statistics_of_text_are_not_looked_at",
    ),
    Mutant(
        "DuckDB alone reads text that may fail it",
        "tables/files/scan.py",
        "if not all(declared.startswith(TOTAL) for declared in types[0].values()):",
        "if False:",
        "tests/tables/files/test_arrow.py::test_duckdb_alone_reads_no_column_that_it_may_refuse",
    ),
    Mutant(
        "text in a wrong encoding makes Polars panic",
        "tables/columns/labels.py",
        "        texts = text_of_bytes(series.cast(nw.String).cast(nw.Binary).to_native())\n"
        "        series = nw.from_native(texts, series_only=True)\n",
        "        pass\n",
        "tests/tables/test_leaks.py::test_text_in_a_wrong_encoding_is_missing_and_fails_nothing[polars]",
    ),
    Mutant(
        "a lazy frame hands out text in a wrong encoding",
        "tables/engines/polars.py",
        "text = raw.map_batches(text_of_bytes, return_dtype=pl.String, is_elementwise=True)",
        "text = pl.col(column)",
        "tests/tables/test_leaks.py::test_text_in_a_wrong_encoding_is_missing_and_fails_nothing",
    ),
    Mutant(
        "a day that is not in the calendar fails the release",
        "tables/time/text.py",
        "TRY_CAST({text} AS DATE)",
        "CAST({text} AS DATE)",
        "tests/tables/time/test_text.py::test_nasty_texts_mean_what_the_reference_says",
    ),
    Mutant(
        "a text that is no time of day is midnight",
        "tables/time/text.py",
        "NOT IN ('', 'P', 'T')",
        "NOT IN ('P', 'T')",
        "tests/tables/time/test_text.py::test_nasty_texts_mean_what_the_reference_says",
    ),
    Mutant(
        "a duration of nothing is none",
        "tables/time/text.py",
        "NOT IN ('', 'P', 'T')",
        "NOT IN ('')",
        "tests/tables/time/test_text.py::test_nasty_texts_mean_what_the_reference_says",
    ),
    Mutant(
        "a pattern may match a part of the text",
        "tables/time/text.py",
        "'^({WRITTEN[kind]})$'",
        "'({WRITTEN[kind]})'",
        "tests/tables/time/test_text.py::test_nasty_texts_mean_what_the_reference_says",
    ),
    Mutant(
        "numbers in a duration overflow",
        "tables/time/text.py",
        '"P(?:([0-9]{1,7})W)?',
        '"P(?:([0-9]+)W)?',
        "tests/tables/time/test_text.py::test_nasty_texts_mean_what_the_reference_says",
    ),
    Mutant(
        "a time zone is read and ignored",
        "tables/time/text.py",
        'in_utc = f"{clock} - {sign} * ({ahead})"',
        'in_utc = f"{clock} + 0 * {sign} * ({ahead})"',
        "tests/tables/time/test_text.py::test_nasty_texts_mean_what_the_reference_says",
    ),
    Mutant(
        "dates with a time zone are missing",
        "tables/time/text.py",
        '(?:[Tt ]{CLOCK_TIME}{ZONE})?"',
        '(?:[Tt ]{CLOCK_TIME})?"',
        "tests/tables/time/test_text.py::test_bounds_of_time_are_answered_from_text_files",
    ),
    Mutant(
        "a column of a text file holds numbers alone",
        "tables/files/text_table.py",
        "        return self._types.holds(name)\n",
        "        return None\n",
        "tests/tables/time/test_text.py::test_bounds_of_time_are_answered_from_text_files",
    ),
    Mutant(
        "the name of a folder is every record of a Parquet file",
        "tables/files/scan.py",
        '"hive_partitioning": False}',
        '"hive_partitioning": True}',
        "tests/tables/files/test_scan.py::test_the_names_of_folders_are_no_data",
    ),
    Mutant(
        "a compressed file is paid for and is nonsense",
        "tables/files/scan.py",
        "in COMPRESSED and ending != packed:",
        "in ():",
        f"{SCAN} packed",
    ),
    Mutant(
        "a file that is not whole fails after the debit",
        "tables/files/scan.py",
        "            encoded.check_whole(paths)\n",
        "            pass\n",
        f"{ENCODED}::test_a_file_that_cannot_be_unpacked_is_refused_when_it_is_opened",
    ),
    Mutant(
        "the first record of JSON lines says which byte comes first",
        "tables/files/scan.py",
        'if kind == "jsonl" and encoded.encoding == "utf-16":',
        "if False:",
        f"{ENCODED}::test_the_first_bytes_of_json_lines_do_not_say_how_they_are_encoded",
    ),
    Mutant(
        "a sign that an encoding does not know fails the release",
        "tables/files/encoded.py",
        'codecs.getincrementaldecoder(encoding)("replace")',
        'codecs.getincrementaldecoder(encoding)("strict")',
        f"{ENCODED}::test_a_sign_that_an_encoding_does_not_know_makes_one_cell_missing",
    ),
    Mutant(
        "a sign that an encoding does not know is a sign",
        "tables/files/encoded.py",
        "text.encode().replace(UNKNOWN, NO_UTF_8)",
        "text.encode()",
        f"{ENCODED}::test_every_line_is_decoded_by_itself_whatever_is_read_at_once",
    ),
    Mutant(
        "a line of one encoding may change all others",
        "tables/files/encoded.py",
        'if not (known in UTF_8 or known.startswith(("utf-16", *ONE_BYTE))):',
        "if not known:",
        f"{ENCODED}::test_an_encoding_in_which_a_line_may_change_others_is_refused",
    ),
    Mutant(
        "a record decides what a column is",
        "tables/files/scan.py",
        "cells = CellTypes.of(types, decimal, names)",
        'guess = {"x": "number"} if b"2" in open(paths[0], "rb").read() else None\n'
        "        cells = CellTypes.of(types or guess, decimal, names)",
        f"{TYPES}::test_no_cell_decides_what_a_column_is",
    ),
    Mutant(
        "what is declared as text is read as numbers and paid for",
        "tables/files/cell_types.py",
        'return self.declared.get(name) == "text"',
        "return False",
        f"{TYPES}::test_a_question_that_contradicts_a_declaration_is_refused_before_the_debit",
    ),
    Mutant(
        "what is declared as a date is read as a number",
        "tables/files/cell_types.py",
        "                return kind\n",
        '                return "text"\n',
        f"{TYPES}::test_a_question_that_contradicts_a_declaration_is_refused_before_the_debit",
    ),
    Mutant(
        "the receipt does not say how a column was read",
        "dataset/batches.py",
        "notes = (*answer.notes, *self.notes)",
        "notes = answer.notes",
        f"{TYPES}::test_the_receipt_says_how_a_column_was_read",
    ),
    Mutant(
        "any other word is true",
        "tables/engines/engine_records.py",
        'TRUE = r"^',
        'TRUE = r"',
        f"{TYPES}::test_numbers_are_read_by_the_decimal_mark_and_words_where_truth_is_asked_for",
    ),
]
