"""A private median in Spark, next to Spark's own percentile_approx, and how it grows with the data.

    python benchmarks/spark.py [--quick]

The race is of one session with two threads, its Java warm, on one Parquet file. The growth is from a million rows to a
hundred million: Spark's event log says how long its cores were busy, how many rows they read, and so in how many
passes, and how many bytes moved between stages. The same files are then asked by scans of DuckDB and Polars, and in
memory. Needs noisewise[spark] and a Java runtime, 17 or newer: JAVA_HOME says where it is.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from columns import INCOMES, NORMAL, SEED, Shape
from measure import Call, Times, progress, race
from reporting import Report, Table, Target, Timing, installed, number, run_alone

import noisewise as nws

EPSILON, LIMIT = 1, 1.5
OURS, PEER = "noisewise", "percentile_approx"
SHAPES = (NORMAL, INCOMES)
BLOCK, GROUPS, ROWS_EACH = 1_000_000, 1_000, 4
"""Rows of a Parquet row group, groups, and rows of one person on average."""

RACED, ROUNDS, WARM_UP = 10_000_000, 9, 3
GROWTH = (1_000_000, 10_000_000, 100_000_000)
AT_MOST = 10_000_000
"""Questions about groups and people are asked of no more rows than this."""

SETTINGS = {
    "spark.driver.memory": "2g",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}


TALLIES = (
    "internal.metrics.executorCpuTime",
    "internal.metrics.input.recordsRead",
    "internal.metrics.shuffle.write.bytesWritten",
)


@dataclass(frozen=True, slots=True)
class Work:
    """What Spark did for one question: seconds by the clock and of its cores, rows read and bytes moved."""

    seconds: float
    busy: float
    read: int
    moved: int


def write(folder: Path, shape: Shape, rows: int) -> str:
    """A Parquet file with a column of numbers, one of people and one of groups, written block by block."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path, rng = folder / f"{shape.name}{rows}.parquet", np.random.default_rng(SEED)
    schema = pa.schema([("x", pa.float64()), ("person", pa.int64()), ("group", pa.int64())])
    with pq.ParquetWriter(path, schema) as file:
        for begin in range(0, rows, BLOCK):
            size = min(BLOCK, rows - begin)
            people = rng.integers(0, max(rows // ROWS_EACH, 1), size)
            columns = [shape.make(rng, size), people, rng.integers(0, GROUPS, size)]
            file.write_table(pa.table([pa.array(column) for column in columns], schema), size)
    return str(path)


@contextmanager
def spark(folder: Path) -> Iterator[Any]:
    """A fresh session that writes down what it does."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("noisewise")
    for name, value in {**SETTINGS, "spark.eventLog.dir": f"file://{folder}"}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def raced(session: Any, path: str, shape: Shape, rounds: int, warm_up: int) -> dict[str, Times]:
    frame = session.read.parquet(path)
    calls = {OURS: median(frame, shape), PEER: approximate(frame)}
    for _ in range(warm_up):
        for call in calls.values():
            call()
    return race(calls, rounds=rounds, patience=600)


def median(frame: Any, shape: Shape) -> Call:
    return lambda: nws.Dataset(frame).median("x", bounds=shape.bounds, epsilon=EPSILON)


def approximate(frame: Any) -> Call:
    return lambda: frame.selectExpr("percentile_approx(x, 0.5)").collect()


def in_groups(frame: Any, shape: Shape) -> Call:
    groups = nws.Dataset(frame).group_by("group", keys=range(GROUPS))
    return lambda: groups.median("x", bounds=shape.bounds, epsilon=EPSILON)


def by_people(frame: Any, shape: Shape) -> Call:
    people = nws.Dataset(frame, unit="person", contributions=ROWS_EACH)
    return lambda: people.median("x", bounds=shape.bounds, epsilon=EPSILON)


def mean(frame: Any, shape: Shape) -> Call:
    return lambda: nws.Dataset(frame).mean("x", bounds=shape.bounds, epsilon=EPSILON)


def summary(frame: Any, shape: Shape) -> Call:
    return lambda: nws.Dataset(frame).five_number_summary("x", bounds=shape.bounds, epsilon=EPSILON)


def correlation(frame: Any, shape: Shape) -> Call:
    bounds = (shape.bounds, (0, GROUPS))
    return lambda: nws.Dataset(frame).pearson("x", "group", bounds=bounds, epsilon=EPSILON)


def histograms(frame: Any, shape: Shape) -> Call:
    edges = np.linspace(*shape.bounds, 11).tolist()
    groups = nws.Dataset(frame).group_by("group", keys=range(GROUPS))
    return lambda: groups.histogram("x", edges, epsilon=EPSILON)


def questions(frame: Any, shape: Shape, rows: int) -> dict[str, Call]:
    asked = {"median": median(frame, shape), PEER: approximate(frame), "mean": mean(frame, shape)}
    asked["five-number summary"] = summary(frame, shape)
    asked["correlation of two columns"] = correlation(frame, shape)
    if rows <= AT_MOST:
        asked[f"histograms in {GROUPS:,} groups"] = histograms(frame, shape)
        asked[f"median in {GROUPS:,} groups"] = in_groups(frame, shape)
        asked[f"median, {ROWS_EACH} rows of a person"] = by_people(frame, shape)
    return asked


def grown(session: Any, paths: dict[int, str], shape: Shape, rounds: int) -> dict[tuple[int, str], Times]:
    """The times of every question at every size, under labels by which the event log can be read."""
    found = {}
    for rows, path in paths.items():
        frame = session.read.parquet(path)
        for name, call in questions(frame, shape, rows).items():
            progress(f"Spark: {name} of {rows:,}")
            session.sparkContext.setJobDescription(f"{rows} warming up")
            call()
            session.sparkContext.setJobDescription(f"{rows} {name}")
            found[rows, name] = race({name: call}, rounds=rounds, patience=60)[name]
    return found


def logged(folder: Path) -> dict[str, dict[str, int]]:
    """What the stages of each label add up to."""
    labels, found = dict[int, str](), dict[str, dict[str, int]]()
    for line in next(folder.iterdir()).read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            label = event["Properties"].get("spark.job.description", "")
            labels |= dict.fromkeys(event["Stage IDs"], label)
        elif event["Event"] == "SparkListenerStageCompleted":
            stage = event["Stage Info"]
            sums = found.setdefault(labels[stage["Stage ID"]], dict.fromkeys(TALLIES, 0))
            for tally in stage["Accumulables"]:
                if tally.get("Name") in TALLIES:
                    sums[tally["Name"]] += int(tally["Value"])
    return found


def worked(times: Times, sums: dict[str, int]) -> Work:
    """What one lap took."""
    busy, read, moved = (sums[name] // len(times.laps) for name in TALLIES)
    return Work(times.median, busy / 1e9, read, moved)


def elsewhere(path: str, shape: Shape) -> dict[str, Call]:
    """The same median by scans on this computer, and of the column in memory."""
    import duckdb
    import polars as pl
    import pyarrow.parquet as pq

    def ask(frame: Any) -> Call:
        return lambda: nws.Dataset(frame).median("x", bounds=shape.bounds, epsilon=EPSILON)

    def in_memory() -> Call:
        values = pq.read_table(path, columns=["x"])["x"].to_numpy()
        return lambda: nws.median(values, bounds=shape.bounds, epsilon=EPSILON)

    connection = duckdb.connect()
    plain = connection.read_parquet(path)
    return {
        "DuckDB scan": ask(plain),
        "DuckDB's own median": lambda: plain.aggregate("median(x)").fetchall(),
        "Polars scan": ask(pl.scan_parquet(path)),
        "in memory": in_memory(),
    }


def report(quick: bool = False) -> Report:
    if installed("pyspark") is None:
        return Report("spark", notes=['Spark is not installed: pip install "noisewise[spark]"'])
    raced_rows, rounds, warm_up = (10_000, 2, 1) if quick else (RACED, ROUNDS, WARM_UP)
    sizes = (1_000, 10_000) if quick else GROWTH
    found, times = Report("spark"), dict[str, dict[str, Times]]()
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), Path(name) / "log"
        log.mkdir()
        with spark(log) as session:
            for shape in SHAPES:
                progress(f"Spark: median of {raced_rows:,} ({shape.name})")
                path = write(folder, shape, raced_rows)
                times[shape.name] = raced(session, path, shape, rounds, warm_up)
            paths = {rows: write(folder, INCOMES, rows) for rows in sizes}
            laps = grown(session, paths, INCOMES, 1 if quick else 3)
        sums = logged(log)
        work = {(rows, asked): worked(t, sums[f"{rows} {asked}"]) for (rows, asked), t in laps.items()}
        scans = {}
        for rows, path in paths.items():
            progress(f"scans of {rows:,}")
            scans[rows] = race(elsewhere(path, INCOMES), rounds=1 if quick else 3, patience=60)
    found.tables.extend([_race_table(times, raced_rows), _growth_table(work), _scans_table(scans)])
    found.tables.append(_extrapolated(work))
    for shape_name, each in times.items():
        ratio = each[OURS].over(each[PEER])[1]
        if not quick:
            found.targets.append(Target(f"{raced_rows:,} {shape_name}: times {PEER}", LIMIT, ratio))
        found.records.append(
            {"column": shape_name, "n": raced_rows, "laps": {k: t.laps for k, t in each.items()}}
        )
        for who, laps_of in each.items():
            what = f"median of {raced_rows:,} ({shape_name}) in Spark, {who}"
            found.timings.append(Timing.of(what, laps_of.laps, ours=who == OURS))
    for (rows, asked), each_work in work.items():
        found.records.append({"n": rows, "question": asked, **asdict(each_work)})
    for rows, lanes in scans.items():
        found.records.append({"n": rows, "seconds": {who: t.median for who, t in lanes.items()}})
    return found


def _race_table(times: dict[str, dict[str, Times]], rows: int) -> Table:
    lines = [
        (
            name,
            number(each[OURS].median),
            number(each[PEER].median),
            *map(number, each[OURS].over(each[PEER])),
        )
        for name, each in times.items()
    ]
    header = ("column", f"{OURS}, seconds", PEER, "ratio, best", "ratio, median")
    return Table(f"A median of {rows:,} float64 in Spark, two threads", header, lines)


def _growth_table(work: dict[tuple[int, str], Work]) -> Table:
    lines = [
        (
            name,
            f"{rows:,}",
            number(w.seconds),
            number(w.busy),
            number(w.read / rows),
            number(w.moved / 1e6),
        )
        for (rows, name), w in sorted(work.items(), key=lambda item: (item[0][1], item[0][0]))
    ]
    header = ("Spark", "rows", "seconds", "seconds of a core", "passes", "MB moved")
    return Table("How questions grow in Spark, two threads", header, lines)


def _extrapolated(work: dict[tuple[int, str], Work]) -> Table:
    """A pass is linear in the rows: each further row costs what it does between the two largest sizes."""
    lines = []
    for name in dict.fromkeys(name for _, name in work):
        sizes = sorted(rows for rows, asked in work if asked == name)[-2:]
        small, large = (work[rows, name] for rows in sizes)
        more = sizes[1] - sizes[0]
        row, moved = (large.busy - small.busy) / more, (large.moved - small.moved) / more
        hours = row * 1e12 / 3600
        lines.append(
            (
                name,
                f"{sizes[0]:,} to {sizes[1]:,}",
                f"{number(1e9 * row)} ns",
                f"{number(row * 1e9 / 60)} core-minutes",
                f"{number(hours)} core-hours",
                f"{number(60 * hours / 1000)} minutes",
                f"{number(moved * 1e3)} GB",
            )
        )
    header = (
        "Spark",
        "measured from",
        "a row costs",
        "10⁹ rows",
        "10¹² rows",
        "on 1,000 cores",
        "10¹² rows move",
    )
    return Table("Extrapolated, not measured: 10⁹ and 10¹² rows in Spark", header, lines)


def _scans_table(scans: dict[int, dict[str, Times]]) -> Table:
    who = list(next(iter(scans.values())))
    lines = [(f"{rows:,}", *(number(lanes[each].median) for each in who)) for rows, lanes in scans.items()]
    return Table("The same median on this computer: seconds", ("rows", *who), lines)


if __name__ == "__main__":
    run_alone(report, __doc__)
