"""Breaks by which a single record respells a key that others have, is in two groups, or makes a release fail."""

from tests.mutants.mutant import Mutant

BESIDE = "tests/tables/engines/test_duckdb.py"

EXTREMES = "tests/tables/test_extremes.py::test_no_value_of_a_type_makes_a_question_fail -k DuckDB-duration"

MUTANTS = [
    Mutant(
        "rows are counted by a column that DuckDB fails to read",
        "tables/engines/duckdb.py",
        "        if not any(risks):",
        "        if True:",
        EXTREMES,
    ),
    Mutant(
        "an INTERVAL within a list is read",
        "tables/engines/duckdb.py",
        "        return max(map(_risk, within), default=0)",
        "        return 0",
        "tests/tables/test_extremes.py::test_rows_of_intervals_alone_are_not_counted",
    ),
    Mutant(
        "a column without a name is read as ones",
        "tables/engines/engine_table.py",
        "self._ones if name is None else name",
        "name or self._ones",
        "tests/tables/engines/test_names.py::test_a_column_may_have_an_empty_name",
    ),
    Mutant(
        "whoever comes first lends the sign of their zero to all",
        "tables/groups/key_parts.py",
        "return float.__float__(part) + 0.0",
        "return float.__float__(part)",
        "tests/tables/test_leaks.py::test_the_sign_of_somebodys_zero_moves_nobody_else",
    ),
    Mutant(
        "whoever comes first lends their time zone to all",
        "tables/groups/key_parts.py",
        "is None else plain.astimezone(UTC)",
        "is None else plain",
        "tests/tables/test_leaks.py::test_the_order_of_rows_changes_neither_keys_nor_counts",
    ),
    Mutant(
        "whoever comes first lends their type to all",
        "tables/groups/key_parts.py",
        "    plain = datetime.combine(datetime.date(part), datetime.timetz(part))\n",
        "    plain = part\n",
        "tests/tables/test_leaks.py::test_the_order_of_rows_changes_neither_keys_nor_counts",
    ),
    Mutant(
        "a number that cannot be written fails the release",
        "tables/groups/key_counts.py",
        "return None if isinstance(part, int) and not -(2**63) <= part < 2**64 else part",
        "return part",
        "tests/tables/test_leaks.py::test_a_whole_number_beyond_64_bits_is_no_key",
    ),
    Mutant(
        "an hour that a clock had twice is in no group",
        "tables/groups/key_indices.py",
        "plain_part(record) if isinstance(record, datetime) else record",
        "record",
        "tests/tables/test_leaks.py::test_the_two_hours_of_a_clock_that_goes_back_are_two_keys",
    ),
    Mutant(
        "keys are made objects, which a library may fail to do",
        "tables/groups/key_counts.py",
        'if kind not in ("date", "time", "zoned"):',
        "if kind:",
        "tests/tables/test_leaks.py::test_a_time_beyond_the_calendar_makes_no_release_fail",
    ),
    Mutant(
        "the text of a moment names a person",
        "tables/engines/polars.py",
        "return frame.with_columns(nw.col(column).cast(nw.Int64))",
        "return frame",
        "tests/tables/test_leaks.py::test_a_time_beyond_the_calendar_makes_no_release_fail",
    ),
    Mutant(
        "dates are compared as text",
        "tables/engines/key_counts.py",
        "    if kind in KEYS_IN_TIME:\n        return key_in_time(dialect, frame, key, kind)\n",
        "",
        "tests/tables/test_leaks.py::test_a_time_beyond_the_calendar_makes_no_release_fail",
    ),
    Mutant(
        "an engine compares text by the rules of a language",
        "tables/engines/duckdb.py",
        "TRY(decode(encode({sql_name(column)}))) COLLATE C",
        "TRY(decode(encode({sql_name(column)})))",
        "tests/tables/test_leaks.py::test_text_is_compared_byte_by_byte_where_duckdb_would_not",
    ),
    Mutant(
        "text in a wrong encoding fails the release",
        "tables/engines/duckdb.py",
        "TRY(decode(encode({sql_name(column)}))) COLLATE C",
        "{sql_name(column)} COLLATE C",
        "tests/tables/test_leaks.py::test_text_in_a_wrong_encoding_is_missing_and_fails_nothing[duckdb]",
    ),
    Mutant(
        "a row is joined with two keys that are equal",
        "tables/engines/groups.py",
        "if len(set(zip(*declared.values(), strict=True))) < len(keys):",
        "if False:",
        "tests/tables/test_leaks.py::test_a_row_is_never_joined_with_two_keys[polars]",
    ),
    Mutant(
        "a table of the user's is taken for ours",
        "tables/engines/duckdb.py",
        'name = f"noisewise_{fresh_salt()}"',
        'name = "columns"',
        BESIDE + "::test_a_table_of_the_users_is_never_taken_for_ours",
    ),
    Mutant(
        "names stay forbidden where the user forbade them",
        "tables/engines/duckdb.py",
        '            _on_connection(relation, "SET python_enable_replacements = true")\n',
        "            pass\n",
        BESIDE + "::test_the_users_setting_stays_and_no_name_is_left",
    ),
    Mutant(
        "what the user's own query raises is shown before the debit",
        "tables/engines/engine_column.py",
        "    except BaseException:  # a panic of an engine is no Exception\n        pass\n",
        "    except BaseException:\n        raise\n",
        "tests/tables/test_leaks.py::test_an_error_of_the_users_own_query_shows_no_record_before_the_debit",
    ),
    Mutant(
        "a coin that is nearly certain overflows",
        "questions/composites/key_selection.py",
        "min(max(_whole(each.upper().ceil()) - 1, 0), WORDS - 1)",
        "max(_whole(each.upper().ceil()) - 1, 0)",
        "tests/tables/test_leaks.py::test_a_delta_far_below_the_first_bits_fails_no_selection",
    ),
    Mutant(
        "answers of several types are lost after they were paid for",
        "results/grouped_release.py",
        "    try:\n        return make(columns)\n    except Exception:\n        pass\n",
        "    return make(columns)\n",
        "tests/tables/test_leaks.py::test_keys_that_no_column_holds_are_written_as_text",
    ),
    Mutant(
        "a clock that goes back makes one person of two",
        "tables/engines/spark.py",
        "return self.ticks(frame, column, kind)[0]",
        "return frame",
        "tests/tables/test_spark_text.py::test_the_two_hours_of_a_clock_that_goes_back_are_two_people",
    ),
    Mutant(
        "Spark compares text by the rules of a language",
        "tables/engines/spark.py",
        'return declared if "collate" in declared else ""',
        'return ""',
        (
            "tests/tables/test_spark_text.py::"
            "test_text_with_rules_of_comparison_is_refused_before_anything_is_paid"
        ),
    ),
    Mutant(
        "text that Spark cannot hand out fails the release",
        "tables/engines/spark.py",
        "_functions(frame).try_validate_utf8(column)",
        "_functions(frame).col(column)",
        "tests/tables/test_spark_text.py::test_text_in_a_wrong_encoding_is_missing_and_fails_nothing",
    ),
]
