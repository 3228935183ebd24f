"""Breaks of times behind engines at the ends of their calendars, of names beside them, and of what is refused."""

from tests.mutants.mutant import Mutant

TICKS = "tests/tables/engines/test_duckdb_ticks.py"
BESIDE = "tests/tables/engines/test_duckdb.py"
OPEN = "tests/tables/engines/test_duckdb.py"

MUTANTS = [
    Mutant(
        "one record that microseconds cannot hold fails the release",
        "tables/engines/duckdb.py",
        "    if times := COARSE.get(declared):\n",
        "    if times := {}.get(declared):\n",
        (
            "tests/tables/test_far_times.py::"
            "test_neighbours_with_and_without_the_farthest_record_are_both_answered"
        ),
    ),
    Mutant(
        "what is too far is converted",
        "tables/engines/duckdb.py",
        "WHEN {quoted} BETWEEN {ends[0]} AND {ends[1]} THEN",
        "WHEN {quoted} >= {ends[0]} THEN",
        TICKS,
    ),
    Mutant(
        "what DuckDB cannot convert is missing",
        "tables/engines/duckdb.py",
        "coalesce({read}, {OFF_THE_KEY.format(quoted)})",
        "{read}",
        TICKS,
    ),
    Mutant(
        "a record that is missing is read off the key of nothing",
        "tables/engines/duckdb.py",
        'f"CASE WHEN {quoted} IS NOT NULL THEN coalesce({read}, {OFF_THE_KEY.format(quoted)}) END"',
        'f"coalesce({read}, {OFF_THE_KEY.format(quoted)})"',
        TICKS,
    ),
    Mutant(
        "the key of a time is read one off",
        "tables/engines/duckdb.py",
        "- {2**63} AS BIGINT",
        "- {2**63 - 1} AS BIGINT",
        TICKS,
    ),
    Mutant(
        "infinity is a time like any other",
        "tables/engines/duckdb.py",
        'return f"CASE WHEN {quoted} NOT IN ({endless}, {-endless}) THEN {quoted} END"',
        "return quoted",
        TICKS,
    ),
    Mutant(
        "times before 1970 are cut the wrong way by DuckDB",
        "tables/engines/duckdb.py",
        "{quoted} % {by} < 0 THEN 1",
        "{quoted} % {by} < 0 THEN 0",
        TICKS,
    ),
    Mutant(
        "in DuckDB what is no whole microsecond has the key of one",
        "tables/engines/duckdb.py",
        "divide = divided if exact else floored",
        "divide = floored",
        "tests/tables/test_far_times.py::test_only_whole_microseconds_are_keys",
    ),
    Mutant(
        "in DuckDB what is no whole microsecond is missing",
        "tables/engines/duckdb.py",
        "divide = divided if exact else floored",
        "divide = divided",
        "tests/tables/engines/test_times.py::test_every_unit_is_read_as_in_memory",
    ),
    Mutant(
        "in Polars what is no whole microsecond has the key of one",
        "tables/engines/polars.py",
        "            if exact:\n",
        "            if False:\n",
        "tests/tables/test_far_times.py::test_only_whole_microseconds_are_keys",
    ),
    Mutant(
        "the text of a time names people in DuckDB, which breaks at it",
        "tables/engines/duckdb.py",
        "return _replaced(frame, column, raw_ticks(_declared(frame, column), sql_name(column)))",
        "return frame",
        "tests/tables/test_far_times.py::test_the_database_survives_people_at_the_end_of_the_calendar",
    ),
    Mutant(
        "people beyond the calendar are one person",
        "tables/engines/people.py",
        "        frame = dialect.stored_ticks(frame, column)\n",
        "        from noisewise.tables.engines.engine_records import since_1970\n\n"
        "        frame = since_1970(dialect, frame, column, 'datetime')\n",
        "tests/tables/test_far_times.py::test_the_database_survives_people_at_the_end_of_the_calendar",
    ),
    Mutant(
        "times on Spark go by the clock of the session",
        "tables/engines/spark.py",
        "\"CAST(CAST({} - TIMESTAMP_NTZ '1970-01-01 00:00:00' AS DECIMAL(20, 6)) * 1000000 AS BIGINT)\"",
        "\"timestampdiff(MICROSECOND, TIMESTAMP_NTZ '1970-01-01 00:00:00', {})\"",
        "tests/tables/test_spark_times.py::test_an_hour_that_a_clock_leaves_out_is_one_of_its_own",
    ),
    Mutant(
        "a DuckDB that may read nothing from outside is asked to",
        "tables/engines/duckdb.py",
        "return bool(external and (names or not locked))",
        "return bool(names or not locked)",
        BESIDE,
    ),
    Mutant(
        "a setting that is locked is changed",
        "tables/engines/duckdb.py",
        "return bool(external and (names or not locked))",
        "return bool(external)",
        BESIDE,
    ),
    Mutant(
        "a table of no rows has one",
        "tables/engines/duckdb.py",
        " LIMIT {rows}",
        "",
        BESIDE,
    ),
    Mutant(
        "every error is that of a closed connection",
        "tables/engines/duckdb.py",
        'closed = type(error).__name__ == "ConnectionException"',
        "closed = True",
        OPEN,
    ),
    Mutant(
        "PySpark writes down the record that a query fails at",
        "tables/engines/spark.py",
        "        logger.addFilter(of_another_thread)\n",
        "        pass\n",
        "tests/tables/engines/test_spark.py::test_this_thread_is_not_heard_and_others_are_and_all_are_after",
    ),
    Mutant(
        "one thread silences all",
        "tables/engines/spark.py",
        "return record.thread != this_thread",
        "return False",
        "tests/tables/engines/test_spark.py::test_this_thread_is_not_heard_and_others_are_and_all_are_after",
    ),
    Mutant(
        "the silence stays",
        "tables/engines/spark.py",
        "            logger.removeFilter(of_another_thread)\n",
        "            pass\n",
        "tests/tables/engines/test_spark.py::test_this_thread_is_not_heard_and_others_are_and_all_are_after",
    ),
    Mutant(
        "Spark's queries are not quiet",
        "tables/engines/spark.py",
        "        with without_logs(QUERY_LOGGERS), watched(",
        "        with watched(",
        "tests/tables/engines/test_spark.py::test_the_record_that_fails_a_query_of_the_users_is_not_logged",
    ),
    Mutant(
        "what is sent to Spark is logged, limits of bins too",
        "tables/engines/spark.py",
        "with without_logs(SENDING_LOGGERS), self._kept.during_question():",
        "with self._kept.during_question():",
        "tests/tables/engines/test_spark.py::test_what_is_sent_to_spark_is_not_logged_though_all_else_is",
    ),
    Mutant(
        "how far Spark is gets told after the end",
        "tables/engines/spark_jobs.py",
        "            self._watcher.join()",
        "            pass",
        "tests/tables/engines/test_spark_jobs.py::test_the_end_is_told_last",
    ),
    Mutant(
        "a closed connection is found out after the debit",
        "tables/engines/engine_table.py",
        "        self.dialect.check_open(self._frame)\n        if self._files",
        "        if self._files",
        OPEN,
    ),
    Mutant(
        "what a closed connection raises comes through",
        "tables/engines/engine_table.py",
        "        self.dialect.check_open(self._frame)\n        return self.dialect.holds",
        "        return self.dialect.holds",
        OPEN,
    ),
    Mutant(
        "durations name people in memory alone",
        "tables/local.py",
        'if held in ("time", "duration"):',
        'if held in ("time",):',
        "tests/tables/test_far_times.py::test_times_of_day_and_durations_name_nobody",
    ),
    Mutant(
        "a time of day with a zone fails after the debit",
        "tables/engines/duckdb.py",
        'if declared == "TIME WITH TIME ZONE":',
        "if False:",
        "tests/tables/engines/test_times.py::test_a_time_of_day_with_a_zone_is_refused_before_the_debit",
    ),
]
