"""A private median of a Parquet file that is not read into memory, against DuckDB's plain median of the same file.

    python benchmarks/engines.py [--quick]

Every contender runs in a process of its own, taking turns: its time is that of the question alone, its memory the high
water of the whole process, engine and all. The file holds float64, lognormal, and is removed at the end.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measure import progress
from reporting import Report, Table, Target, Timing, number, run_alone

import noisewise as nws

SIZES, QUICK = (10**6, 10**7, 10**8), (10**4,)
PIECE = 10**6
BOUNDS = (0.0, 1e7)
ROUNDS = 3
GIBIBYTE = 1024
"""In MiB."""


def scanned(path: str) -> float:
    """The median of a scan, by the engine that a scan chooses."""
    return float(nws.Dataset.scan(path).median("x", bounds=BOUNDS, epsilon=1))


def on_duckdb(path: str) -> float:
    """The same of a DuckDB relation, which is given half a gibibyte."""
    import duckdb

    connection = duckdb.connect(config={"memory_limit": "512MB"})
    return float(nws.Dataset(connection.read_parquet(path)).median("x", bounds=BOUNDS, epsilon=1))


def plain(path: str) -> float:
    """DuckDB's own exact median, with all the memory it wants."""
    import duckdb

    ((median,),) = duckdb.connect().read_parquet(path).aggregate("median(x)").fetchall()
    return float(median)


ASKS: dict[str, Callable[[str], float]] = {
    "noisewise, scan": scanned,
    "noisewise on DuckDB": on_duckdb,
    "DuckDB median": plain,
}


def make(path: Path, n: int) -> None:
    """A file of n numbers, piece by piece."""
    import pyarrow
    import pyarrow.parquet

    rng, schema = np.random.default_rng(1), pyarrow.schema([("x", pyarrow.float64())])
    with pyarrow.parquet.ParquetWriter(path, schema, use_dictionary=False) as writer:
        for start in range(0, n, PIECE):
            values = rng.lognormal(10.5, 0.8, min(PIECE, n - start))
            writer.write_table(pyarrow.table({"x": values}, schema=schema))


def child(ask: str, path: str) -> dict[str, float]:
    """What one contender finds, in seconds and MiB."""
    import duckdb  # noqa: F401  what is measured is the question, not an import
    import polars  # noqa: F401

    start = time.perf_counter()
    value = ASKS[ask](path)
    seconds = time.perf_counter() - start
    return {"value": value, "seconds": seconds, "memory": _high_water()}


def _high_water() -> float:
    """The most memory this process ever held, in MiB. The high water of the parent may be inherited by `getrusage`."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def report(quick: bool = False) -> Report:
    found = Report("engines")
    with tempfile.TemporaryDirectory() as folder:
        for n in QUICK if quick else SIZES:
            path = Path(folder) / f"{n}.parquet"
            progress(f"a file of {n:,} numbers")
            make(path, n)
            for turn in range(1 if quick else ROUNDS):
                for ask in ASKS:
                    progress(f"{ask} of {n:,} numbers, turn {turn + 1}")
                    found.records.append({"contender": ask, "n": n, "turn": turn, **_measured(ask, path)})
            path.unlink()
    found.tables.append(_table(found))
    for n, ask in dict.fromkeys((r["n"], r["contender"]) for r in found.records):
        what = f"median of a Parquet file of {n:,}, {ask}"
        found.timings.append(Timing.of(what, _all(found, ask, n), ours=ask.startswith("noisewise")))
    if not quick:
        n = SIZES[-1]
        memory = max(r["memory"] for r in found.records if r["contender"] == "noisewise, scan")
        found.targets.append(Target(f"median of a Parquet file of {n:,}: memory in MiB", GIBIBYTE, memory))
        ratio = statistics.median(
            ours / theirs
            for ours, theirs in zip(
                _all(found, "noisewise, scan", n), _all(found, "DuckDB median", n), strict=True
            )
        )
        found.targets.append(Target(f"median of a Parquet file of {n:,}: time, × DuckDB's", 0.4, ratio))
    return found


def _measured(ask: str, path: Path) -> dict[str, float]:
    command = [sys.executable, str(Path(__file__)), "--child", ask, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _all(found: Report, ask: str, n: int) -> list[float]:
    return [r["seconds"] for r in found.records if (r["contender"], r["n"]) == (ask, n)]


def _table(found: Report) -> Table:
    rows = []
    for n in dict.fromkeys(r["n"] for r in found.records):
        for ask in ASKS:
            memory = max(r["memory"] for r in found.records if (r["contender"], r["n"]) == (ask, n))
            rows.append((f"{n:,}", ask, number(statistics.median(_all(found, ask, n))), f"{memory:,.0f}"))
    title = "Engines: the median of a Parquet file, seconds and MiB (of the whole process)"
    return Table(title, ("rows", "contender", "seconds", "MiB"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--child", nargs=2)
    asked, _ = parser.parse_known_args()
    if asked.child is None:
        run_alone(report, __doc__)
    else:
        print(json.dumps(child(*asked.child)))


if __name__ == "__main__":
    main()
