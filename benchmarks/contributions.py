"""Contributions that are found, against the best fixed number of a person's records, which nobody knows before.

    python benchmarks/contributions.py [--quick]

Three made-up tables in which few people have many rows. The error of a question in groups is the mean over the groups,
from the answer about all rows, and of several releases the middle one. The best number is chosen by these errors, so it
sees the data, and the limit found pays for itself. In `over`, 1.1 means that the error is larger by a tenth.
"""

from statistics import median
from typing import Any

import numpy as np
import polars as pl
from columns import SEED
from measure import progress
from reporting import Report, Table, Target, number, run_alone

import noisewise as nws

PEOPLE, GROUPS, ROUNDS, LIMIT = 5_000, 200, 7, 1.3
FIXED = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 1000)
QUANTILES = (0.5, 0.8, 0.9, 0.95, 0.99, 0.998)
X = pl.col("x")
PLAIN = {"count": pl.len(), "sum": X.sum(), "mean": X.mean(), "median": X.median()}


def rows_per_person(people: int) -> dict[str, Any]:
    rng = np.random.default_rng(SEED)
    few = np.where(rng.random(people) < 0.01, 200, rng.geometric(0.3, people))
    return {
        "log-normal": np.ceil(rng.lognormal(1, 1, people)).astype(int),
        "Zipf": np.minimum(rng.zipf(2, people), 1000),
        "1% with 200": few,
    }


def table(rows: Any, groups: int) -> pl.DataFrame:
    """Rows in groups at random. People differ from each other as much as the rows of one person do."""
    rng, ids = np.random.default_rng(SEED), np.repeat(np.arange(rows.size), rows)
    x = rng.normal(50, 10, rows.size)[ids] + rng.normal(0, 10, ids.size)
    return pl.DataFrame({"id": ids, "x": x.clip(0, 100), "g": rng.integers(0, groups, ids.size)})


def error(frame: pl.DataFrame, groups: int, name: str, rounds: int, **held: Any) -> float:
    """The middle of the errors of several releases, each from a choice of records of its own."""
    true = frame.group_by("g").agg(true=PLAIN[name]).sort("g")
    kept = true["g"].to_list()

    def once() -> float:
        by = nws.Dataset(frame, unit="id", **held).group_by("g", keys=kept)
        told = (
            by.count(epsilon=1) if name == "count" else getattr(by, name)("x", bounds=(0.0, 100.0), epsilon=1)
        )
        return float(np.abs(np.array(told.value) - true["true"].to_numpy()).mean())

    return median(once() for _ in range(rounds))


def report(quick: bool = False) -> Report:
    people, many, rounds = (200, 5, 1) if quick else (PEOPLE, GROUPS, ROUNDS)
    found = Report("contributions")
    for groups in (many, 1):
        lines = []
        for kind, rows in rows_per_person(people).items():
            frame = table(rows, groups)
            for name in PLAIN:
                progress(f"{name} in {groups} groups, rows per person {kind}")
                best, fixed = min((error(frame, groups, name, rounds, contributions=m), m) for m in FIXED)
                private = {"contributions": "private"}
                over = [
                    error(frame, groups, name, rounds, **private, contributions_quantile=q) / best
                    for q in QUANTILES
                ]
                lines.append((kind, name, str(fixed), number(best), *map(number, over)))
                found.records.append({"rows": kind, "groups": groups, "question": name, "over": over})
                if name in ("count", "sum") and groups > 1 and not quick:
                    target = f"{name} in groups, {kind}: times the best number's error"
                    found.targets.append(Target(target, LIMIT, over[QUANTILES.index(0.95)]))
        header = (
            "rows per person",
            "question",
            "best number",
            "its error",
            *(f"over at {q}" for q in QUANTILES),
        )
        found.tables.append(Table(f"Contributions that are found: {groups} groups", header, lines))
    return found


if __name__ == "__main__":
    run_alone(report, __doc__)
