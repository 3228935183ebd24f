"""What a ledger adds to a release: the time of a durable debit, next to a plain durable insert into SQLite.

    python benchmarks/ledger.py [--quick]

Both take turns in one folder on the same disk, with the same settings (a rollback journal, synced at every commit) and
rows of the same length, so their ratio says what checking and writing the entry costs, and the insert says what the
disk costs. Then a long ledger is verified and reported.
"""

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from measure import Call, Times, progress, race
from reporting import Report, Table, Target, Timing, number, run_alone

from noisewise.kernel.losses import ZCDP, BoundedRange
from noisewise.ledger.amounts import NOTHING, Amount
from noisewise.ledger.entries import now, seal, write_entry
from noisewise.ledger.ledger import Ledger

DEBITS, ENTRIES = 1_000, 100_000
LOSS, MEMO = BoundedRange(0.1), "median by piecewise-laplace/1"
UNIT = {"neighbors": "add_remove", "contributions": 1}


def debit(folder: Path) -> tuple[Ledger, Call]:
    ledger = Ledger.open(folder / "staff.ledger", ZCDP(10**6))
    return ledger, lambda: ledger.debit(LOSS, memo=MEMO, **UNIT)


def insert(plain: sqlite3.Connection, text: str) -> Call:
    """One row in one durable transaction, and nothing else."""
    plain.execute("PRAGMA journal_mode = PERSIST")
    plain.execute("PRAGMA synchronous = EXTRA")
    plain.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, body TEXT NOT NULL)")

    def call() -> None:
        plain.execute("BEGIN IMMEDIATE")
        plain.execute("INSERT INTO rows (body) VALUES (?)", (text,))
        plain.execute("COMMIT")

    return call


def fill(folder: Path, count: int) -> Ledger:
    """A ledger of so many honest entries, written at once rather than one by one."""
    ledger = Ledger.open(folder / "long.ledger", ZCDP(10**6))
    rows, cost = list(ledger._book.rows()), Amount.of(LOSS)
    total, first = NOTHING, rows[0]
    for _ in range(count):
        total += cost
        body = write_entry(
            rows[-1],
            ledger=first.hash,
            time=now(),
            memo=MEMO,
            loss=LOSS,
            cost=cost,
            spent=total,
            unit=None,
            name=None,
            **UNIT,
        )
        rows.append(first._replace(number=rows[-1].number + 1, body=body, hash=seal(body)))
    with sqlite3.connect(folder / "long.ledger") as raw:
        raw.executemany("INSERT INTO rows VALUES (?, ?, ?)", rows[1:])
    raw.close()
    return ledger


def report(quick: bool = False) -> Report:
    debits, entries = (20, 100) if quick else (DEBITS, ENTRIES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        progress(f"{debits:,} debits")
        ledger, pay = debit(folder)
        pay()
        row = ledger._book.last()
        with closing(sqlite3.connect(folder / "plain.db", isolation_level=None)) as plain:
            times = race(
                {"a debit": pay, "a plain insert": insert(plain, row.body + row.hash)}, rounds=debits
            )
        progress(f"{entries:,} entries")
        long = fill(folder, entries)
        seconds = {"verify()": _seconds(long.verify), "report()": _seconds(long.report)}
    late = {who: statistics.quantiles(t.laps, n=20)[-1] for who, t in times.items()}
    ratio = times["a debit"].over(times["a plain insert"])[1]
    targets = [
        Target("milliseconds of a debit, median", 1.0, 1000 * times["a debit"].median),
        Target("a debit: times a plain durable insert, median of rounds", 1.3, ratio),
    ]
    records = [
        {"what": who, "median": t.median, "p95": late[who], "best": t.best, "rounds": len(t.laps)}
        for who, t in times.items()
    ]
    records += [{"what": what, "entries": entries, "seconds": taken} for what, taken in seconds.items()]
    records.append({"what": "a debit over a plain insert", "ratio": ratio})
    timings = [Timing.of(who, t.laps, ours=who == "a debit") for who, t in times.items()]
    timings += [Timing.of(f"{what} of {entries:,} entries", [s], ours=True) for what, s in seconds.items()]
    tables = [_table(times, late, ratio), _long(seconds, entries)]
    return Report("ledger", tables, [] if quick else targets, records, timings=timings)


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _table(times: dict[str, Times], late: dict[str, float], ratio: float) -> Table:
    rows = [
        (who, number(1000 * t.median), number(1000 * late[who]), number(ratio) if who == "a debit" else "1")
        for who, t in times.items()
    ]
    return Table("A durable debit: milliseconds", ("what", "median", "95%", "of an insert"), rows)


def _long(seconds: dict[str, float], entries: int) -> Table:
    rows = [(what, number(taken), number(1e6 * taken / entries)) for what, taken in seconds.items()]
    return Table(f"A ledger of {entries:,} entries", ("what", "seconds", "microseconds each"), rows)


if __name__ == "__main__":
    run_alone(report, __doc__)
