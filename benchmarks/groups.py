"""Groups: the private medians of all groups against Polars' plain ones, of the same table in the same run.

    python benchmarks/groups.py [--quick]

Everything is in the private time: judging the keys, finding each row's group, sorting, envelopes, laws, exact draws,
and the data frame of answers. The plain time is Polars' group-by median alone, with all the threads it takes.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from columns import SEED
from measure import Call, progress, race
from reporting import Report, Table, Target, Timing, number, run_alone

import noisewise as nws

ROWS, GROUPS, ROUNDS = 1_000_000, (10_000, 100_000), 15
LIMIT = 3.0
PLAIN = "Polars, plain"


def table(rows: int, groups: int, *, text: bool) -> tuple[pl.DataFrame, list[Any]]:
    """Incomes in groups of about one size, and the keys that are declared."""
    rng = np.random.default_rng(SEED)
    places = rng.integers(0, groups, rows)
    frame = pl.DataFrame({"key": places, "income": np.floor(rng.lognormal(10.5, 0.6, rows))})
    if not text:
        return frame, list(range(groups))
    return frame.with_columns(key=pl.format("group {}", pl.col("key"))), [f"group {k}" for k in range(groups)]


def medians(frame: Any, keys: list[Any]) -> Any:
    return nws.Dataset(frame).group_by("key", keys=keys).median("income", bounds=(0, 500_000), epsilon=1.0)


def cases(rows: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, str, dict[str, Call]]]:
    for groups in sizes:
        for kind in ("whole numbers", "text"):
            frame, keys = table(rows, groups, text=kind == "text")
            pandas = frame.to_pandas()
            yield (
                groups,
                kind,
                {
                    PLAIN: lambda frame=frame: frame.group_by("key").agg(pl.col("income").median()),
                    "private, of Polars": lambda frame=frame, keys=keys: medians(frame, keys),
                    "private, of pandas": lambda frame=pandas, keys=keys: medians(frame, keys),
                },
            )


def report(quick: bool = False) -> Report:
    rows, sizes, rounds = (2_000, (10, 100), 2) if quick else (ROWS, GROUPS, ROUNDS)
    found, lines = Report("groups"), []
    for groups, kind, contenders in cases(rows, sizes):
        progress(f"medians of {groups:,} groups of {rows:,} rows, keys are {kind}")
        times = race(contenders, rounds=rounds)
        for name, time in times.items():
            best, typical = time.over(times[PLAIN])
            lines.append(
                (
                    f"{groups:,}",
                    kind,
                    name,
                    number(1000 * time.best),
                    number(1000 * time.median),
                    number(best),
                )
            )
            record = {"groups": groups, "keys": kind, "contender": name, "seconds": list(time.laps)}
            found.records.append(record | {"over": [best, typical]})
            what = f"medians of {rows:,} rows in {groups:,} groups, keys are {kind}, {name}"
            found.timings.append(Timing.of(what, time.laps, ours=name != PLAIN))
            if name != PLAIN and not quick:
                found.targets.append(Target(f"{groups:,} groups, {kind}, {name}: times plain", LIMIT, best))
    header = ("groups", "keys", "contender", "best, ms", "median, ms", "times plain")
    found.tables.append(Table(f"Groups: medians of {rows:,} rows in groups", header, lines))
    return found


if __name__ == "__main__":
    run_alone(report, __doc__)
