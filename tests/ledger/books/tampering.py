"""What somebody with the file of a ledger and SQLite can do to its rows, and leave its triggers as they were."""

import sqlite3
from contextlib import closing


def tamper(path, *statements):
    """Run statements, or pairs of one with its values, past the triggers that guard the rows."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        guards = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            raw.execute(*([statement] if isinstance(statement, str) else statement))
        for _, text in guards:
            raw.execute(text)
