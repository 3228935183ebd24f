"""Breaks of the book in PostgreSQL: what keeps a debit single, durable and for good, and a password secret."""

from tests.mutants.mutant import Mutant

BOOK = "ledger/books/postgres_book.py"
DURABLE = "tests/ledger/books/test_postgres_book.py::test_a_commit_is_durable_whatever_the_server_is_set_to"
STAYS = "tests/ledger/books/test_postgres_book.py::test_rows_stay_even_for_the_owner"
APART = "tests/ledger/books/test_postgres_book.py::test_ledgers_in_one_database_are_distinguished_by_name"
RIVALS = (
    "tests/ledger/books/test_postgres_book.py::test_rivals_take_turns_whatever_the_databases_defaults_are"
)
SECRETS = "tests/ledger/books/test_postgres_secrets.py"
FAILURES = "tests/ledger/books/test_postgres_failures.py"

MUTANTS = [
    Mutant(
        "a row that the server has removed is a debit",
        BOOK,
        "if self._commit(session, connection, row) != row:",
        "if not self._commit(session, connection, row) and False:",
        FAILURES + "::test_a_row_that_the_server_stores_and_removes_is_no_debit",
    ),
    Mutant(
        "rows that a policy hides are not counted",
        BOOK,
        "    set_config('row_security', 'off', true),\n",
        "",
        FAILURES + "::test_a_policy_that_hides_the_rows_of_others_lets_nobody_write",
    ),
    Mutant(
        "a row that was never stored is a debit",
        BOOK,
        "if connection.execute(INSERT, [self._name, *row]).fetchone() != row:",
        "if not connection.execute(INSERT, [self._name, *row]):",
        FAILURES + "::test_a_row_that_the_server_does_not_store_as_it_is_is_no_debit",
    ),
    Mutant(
        "a commit that the server may forget",
        BOOK,
        "else 'on' end, true)",
        "else 'off' end, true)",
        DURABLE,
    ),
    Mutant(
        "a commit that standbys need not apply where they were asked to",
        BOOK,
        "when 'remote_apply' then 'remote_apply' else",
        "when 'remote_apply' then 'on' else",
        DURABLE,
    ),
    Mutant(
        "two rivals may write the same row",
        BOOK,
        ",\n    primary key (ledger, number)",
        "",
        FAILURES + "::test_a_rival_that_ignores_the_lock_is_noticed_by_the_key",
    ),
    Mutant(
        "rows of a ledger may be updated",
        BOOK,
        "before update or delete or truncate",
        "before delete or truncate",
        STAYS,
    ),
    Mutant(
        "rows of a ledger may be deleted",
        BOOK,
        "before update or delete or truncate",
        "before update or truncate",
        STAYS,
    ),
    Mutant(
        "a ledger may be emptied at once",
        BOOK,
        "before update or delete or truncate",
        "before update or delete",
        STAYS,
    ),
    Mutant(
        "a setting of the session lets rows be changed",
        BOOK,
        "alter table noisewise.entries enable always trigger append_only;",
        "",
        STAYS,
    ),
    Mutant(
        "the last row of any ledger in the database",
        BOOK,
        "where ledger = %s order by number desc",
        "where ledger >= %s or true order by number desc",
        APART,
    ),
    Mutant(
        "the rows of every ledger in the database",
        BOOK,
        "where ledger = %s and number >= %s",
        "where ledger >= %s and number >= %s",
        APART,
    ),
    Mutant(
        "a lost commit is said to have written nothing",
        BOOK,
        'raise self._failure("an entry was sent, and perhaps it was written, to", error) from None',
        "raise",
        FAILURES + "::test_a_connection_lost_during_the_commit_leaves_it_open_what_stands",
    ),
    Mutant(
        "a lost commit is tried again",
        BOOK,
        'raise self._failure("an entry was sent, and perhaps it was written, to", error) from None',
        "raise psycopg.errors.SerializationFailure from None",
        FAILURES + "::test_a_connection_lost_during_the_commit_leaves_it_open_what_stands",
    ),
    Mutant(
        "a commit is not waited for",
        BOOK,
        "            connection.commit()\n",
        "            connection.rollback()\n",
        APART,
    ),
    Mutant(
        "a commit that no standby has, said to be one that they wait for",
        BOOK,
        'if notice.severity_nonlocalized == "WARNING":',
        "if False:",
        "tests/ledger/books/test_postgres_crashes.py::"
        "test_a_failover_keeps_what_the_standby_has_and_is_noticed_where_it_lacks_entries",
    ),
    Mutant(
        "the isolation that the database happens to have",
        BOOK,
        "connection.isolation_level = IsolationLevel.READ_COMMITTED",
        "connection.isolation_level = None",
        RIVALS,
    ),
    Mutant(
        "nobody waits for a rival",
        BOOK,
        "pg_advisory_xact_lock(hashtextextended('noisewise ' || %s, 0))",
        "hashtextextended('noisewise ' || %s, 0)",
        RIVALS,
    ),
    Mutant(
        "a child speaks on its parent's connection",
        BOOK,
        "self._sessions.setdefault(os.getpid(), _Session())",
        "self._sessions.setdefault(0, _Session())",
        FAILURES + "::test_ctrl_c_amid_a_command_leaves_no_connection_that_still_runs_it",
    ),
    Mutant(
        "two threads speak on one connection at once",
        BOOK,
        "        with session.lock:\n            yield session",
        "        yield session",
        FAILURES + "::test_threads_take_turns_on_one_connection",
    ),
    Mutant(
        "a password goes along with the address",
        BOOK,
        "if any(self._given.get(secret) for secret in SECRETS):",
        "if False:",
        SECRETS + "::test_a_password_never_shows",
    ),
    Mutant(
        "a misread password is taken for a host or a database",
        BOOK,
        'if "@" in host + database or',
        "if",
        SECRETS + "::test_a_url_that_is_misread_is_refused_without_being_shown",
    ),
    Mutant(
        "a misread password is taken for a port",
        BOOK,
        ' or not f"0{port}".replace(",", "").isdecimal()',
        "",
        SECRETS + "::test_a_url_that_is_misread_is_refused_without_being_shown",
    ),
    Mutant(
        "a password that the server echoes is passed on",
        BOOK,
        "if any(self._given.get(secret) and self._given[secret] in reason for secret in SECRETS):",
        "if False:",
        SECRETS + "::test_a_password_that_somebody_echoes_is_not_passed_on",
    ),
    Mutant(
        "entries that were seen may go",
        BOOK,
        "if since is not None and not rows:",
        "if False:",
        "tests/ledger/books/test_postgres_book.py::TestBook",
    ),
    Mutant(
        "a connection amid a command is used again",
        BOOK,
        "            raise\n        except BaseException:\n            self.drop()\n            raise\n\n    def drop",
        "            raise\n        except BaseException:\n            self.undo()\n            raise\n\n    def drop",
        FAILURES + "::test_ctrl_c_amid_a_command_leaves_no_connection_that_still_runs_it",
    ),
    Mutant(
        "a connection that was interrupted as it rolled back is used again",
        BOOK,
        "        except BaseException:\n            self.drop()\n            raise\n\n"
        "    @contextmanager\n    def ending",
        "\n    @contextmanager\n    def ending",
        FAILURES + "::test_ctrl_c_while_a_refusal_is_rolled_back_leaves_no_connection",
    ),
    Mutant(
        "a fork does not wait until psycopg is imported",
        "ledger/books/__init__.py",
        "        with IMPORTING:",
        "        if True:",
        "tests/ledger/books/test_forks.py::test_a_child_forked_amid_the_import_of_a_driver_debits_as_well",
    ),
]
