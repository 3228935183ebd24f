"""Breaks of tables in PostgreSQL: where its arithmetic raises, what it confuses, and what a release sees."""

from tests.mutants.mutant import Mutant

POSTGRES, DATABASE = "tables/engines/postgres.py", "tables/engines/postgres_database.py"
TESTS = "tests/tables/engines/test_postgres.py"
CONNECTED = "tests/tables/engines/test_postgres_database.py"

MUTANTS = [
    Mutant(
        "PostgreSQL counts the rows of a person for each group",
        "tables/engines/dialect.py",
        'nw.col("position").max().over(*owner)',
        'nw.col("position").max().over("person")',
        "tests/tables/engines/test_people.py::test_records_within_groups_are_chosen_alike_everywhere[postgres]",
    ),
    Mutant(
        "a product that underflows fails a release",
        "tables/engines/engine_records.py",
        "if rate < 1:",
        "if rate < 0:",
        f"{TESTS}::test_distances_of_hostile_floats_are_those_in_memory",
    ),
    Mutant(
        "a decimal that is too large fails a release",
        POSTGRES,
        "(x >= beyond, ",
        "(x > beyond, ",
        f"{TESTS}::test_decimals_of_any_size_are_rounded_once",
    ),
    Mutant(
        "a decimal that is too small fails a release",
        POSTGRES,
        "(x.abs() <= nothing, 0.0)",
        "(x.abs() < nothing, 0.0)",
        f"{TESTS}::test_decimals_of_any_size_are_rounded_once",
    ),
    Mutant(
        "times at the end of the calendar are rounded",
        POSTGRES,
        "(extract(epoch FROM {{0}} - {0} '2000-01-01 00:00+00') * 1000000)::int8",
        f"(extract(epoch FROM {{{{0}}}}) * 1000000 - {10957 * 86400 * 10**6})::int8",
        f"{TESTS}::test_times_are_read_to_their_ends[timestamp]",
    ),
    Mutant(
        "a time at the end of the calendar overflows",
        POSTGRES,
        "(near + EPOCH)",
        "(x + EPOCH)",
        f"{TESTS}::test_times_are_read_to_their_ends[timestamp]",
    ),
    Mutant(
        "a day before 2000 is rounded towards zero",
        POSTGRES,
        "x - (x % daily + daily) % daily",
        "x",
        f"{TESTS}::test_times_are_read_to_their_ends[timestamp]",
    ),
    Mutant(
        "a key with a zero byte fails a release",
        POSTGRES,
        '"\\0" not in text and super().spells(text)',
        "super().spells(text)",
        f"{TESTS}::test_text_is_compared_byte_by_byte_whatever_its_collation",
    ),
    Mutant(
        "a decimal that is no number names a person",
        POSTGRES,
        "nullif({0}, 'NaN')",
        "{0}",
        f"{TESTS}::test_people_who_differ_have_different_names",
    ),
    Mutant(
        "the session decides how many digits name a person",
        DATABASE,
        '    "extra_float_digits": "1",',
        '    "application_name": "1",',
        f"{TESTS}::test_fewer_digits_of_the_session_confuse_nobody",
    ),
    Mutant(
        "queries of a release see what others write meanwhile",
        DATABASE,
        "if self._open is not None:",
        "if False:",
        f"{CONNECTED}::test_a_release_sees_one_snapshot_whoever_writes_meanwhile",
    ),
    Mutant(
        "a question is asked outside of a snapshot",
        "dataset/methods.py",
        "with questions._table.snapshot():\n            return method(*arguments, **keywords)",
        "return method(*arguments, **keywords)",
        f"{CONNECTED}::test_all_passes_of_a_question_run_in_one",
    ),
    Mutant(
        "a transaction that sees other rows in every query will do",
        DATABASE,
        'if isolation not in (b"repeatable read", b"serializable"):',
        "if not isolation:",
        f"{CONNECTED}::test_what_has_no_snapshot_is_refused_before_anything_is_paid",
    ),
    Mutant(
        "columns that changed are found out after the debit",
        POSTGRES,
        "if self.database.columns(self._select) != self._columns:",
        "if False:",
        f"{CONNECTED}::test_columns_that_change_are_noticed_before_anything_is_paid",
    ),
    Mutant(
        "a product of two columns fails a release",
        POSTGRES,
        "computes_rows = False",
        "computes_rows = True",
        f"{TESTS}::test_products_and_quotients_of_hostile_columns_fail_nothing",
    ),
    Mutant(
        "an error shows a part of a password",
        DATABASE,
        '"@" in host + database',
        "False",
        f"{CONNECTED}::test_a_connection_that_was_lost_costs_nothing_and_a_wrong_url_shows_no_password",
    ),
    Mutant(
        "any table of Ibis is taken for one in PostgreSQL",
        "tables/engines/engine_table.py",
        "if name in dialect.implementations and dialect.accepts(frame):",
        "if name in dialect.implementations:",
        "tests/tables/engines/test_postgres_table.py::test_a_table_of_ibis_may_be_in_any_database_and_is_refused",
    ),
    Mutant(
        "a user's connection keeps our settings",
        DATABASE,
        "connection.transaction(force_rollback=True)",
        "connection.transaction()",
        f"{CONNECTED}::test_an_open_transaction_stays_open_and_sees_what_it_wrote",
    ),
    Mutant(
        "one text of a gibibyte fails a query that is paid for",
        "tables/engines/postgres.py",
        "octet_length({{0}}::text) <= {LONGEST_TEXT}",
        "true",
        "tests/tables/engines/test_postgres.py::test_text_that_is_too_long_is_missing_and_fails_no_query",
    ),
    Mutant(
        "a limit of the server's fails a query that is paid for",
        "tables/engines/postgres_database.py",
        '    "statement_timeout": "0",',
        '    "statement_timeout": "9h",',
        "tests/tables/engines/test_postgres_database.py::test_no_limit_of_the_servers_fails_a_query_that_is_paid_for",
    ),
]
