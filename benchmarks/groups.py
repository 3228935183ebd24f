"""Groups: the private medians, variances and deviations of all groups against Polars' plain ones, in the same run.

    python benchmarks/groups.py [--quick]

Everything is in the private time: judging the keys, finding each row's group, sorting, envelopes, laws, exact draws,
and the data frame of answers. The plain time is Polars' group-by alone, with all the threads it takes. Variances and
standard deviations are of 10,000 groups of 100, and judged by the CPU seconds of all cores.
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
LIMIT = 1.5
PLAIN = "Polars, plain"
SPREADS = {"variance": lambda column: column.var(), "std": lambda column: column.std()}
SPREAD_SECONDS, SPREAD_ROUNDS = 1.0, 5


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


def spreads(found: Report, groups: int, quick: bool) -> None:
    """Variances and standard deviations in groups of 100."""
    lines, (frame, keys) = [], table(100 * groups, groups, text=False)
    for name, plain in SPREADS.items():
        progress(f"{name} of {groups:,} groups")

        def private(name: str = name) -> object:
            grouped = nws.Dataset(frame).group_by("key", keys=keys)
            return getattr(grouped, name)("income", bounds=(0, 500_000), epsilon=1.0)

        def open_(plain: Any = plain) -> object:
            return frame.group_by("key").agg(plain(pl.col("income")))

        times = race({PLAIN: open_, "private": private}, rounds=2 if quick else SPREAD_ROUNDS)
        for contender, time in times.items():
            cpu, over = min(time.cpu), time.over(times[PLAIN])[0]
            lines.append((name, contender, number(1000 * time.best), number(1000 * cpu), number(over)))
            found.records.append({"question": name, "contender": contender, "cpu": cpu, "over": over})
        if not quick:
            target = f"{groups:,} groups of 100, {name}: CPU seconds"
            found.targets.append(Target(target, SPREAD_SECONDS, min(times["private"].cpu)))
    header = ("question", "contender", "best, ms", "all cores, ms", "times plain")
    found.tables.append(Table(f"Groups: spreads of {groups:,} groups of 100", header, lines))


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
    spreads(found, 20 if quick else GROUPS[0], quick)
    return found


if __name__ == "__main__":
    run_alone(report, __doc__)
