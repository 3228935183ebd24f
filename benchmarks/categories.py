"""Counts and choices among 2^20 declared categories, against NumPy's and Python's plain counts in the same run.

    python benchmarks/categories.py [--quick]

Everything is in the private time: judging the list of categories, which is a Python list, counting the records, exact
noise for every category, and the release. Judged by the CPU seconds of all cores.
"""

from collections import Counter
from typing import Any

import numpy as np
from columns import SEED
from measure import Call, progress, race
from reporting import Report, Table, Target, number, run_alone

import noisewise as nws

CATEGORIES, RECORDS, ROUNDS = 1 << 20, 1_000_000, 5
LIMIT = 0.5
COUNTS = "plain counts"


def cases(categories: int, records: int) -> dict[str, dict[str, Call]]:
    """Categories that are whole numbers, and text; a fifth as many records where they are text."""
    chosen = np.random.default_rng(SEED).integers(0, categories, records)
    codes, names = list(range(categories)), [f"item {code}" for code in range(categories)]
    texts = [names[code] for code in chosen[: records // 5].tolist()]

    def private(data: Any, known: list[Any]) -> dict[str, Call]:
        return {
            "histogram": lambda: nws.histogram(data, categories=known, epsilon=1.0),
            "most_common": lambda: nws.most_common(data, categories=known, epsilon=1.0),
        }

    return {
        "whole numbers": {COUNTS: lambda: np.unique(chosen, return_counts=True)} | private(chosen, codes),
        "text": {COUNTS: lambda: Counter(texts)} | private(texts, names),
    }


def report(quick: bool = False) -> Report:
    categories, records, rounds = (1_000, 5_000, 2) if quick else (CATEGORIES, RECORDS, ROUNDS)
    found, lines = Report("categories"), []
    for kind, contenders in cases(categories, records).items():
        progress(f"{categories:,} categories, {kind}")
        times = race(contenders, rounds=rounds)
        for name, time in times.items():
            cpu, over = min(time.cpu), time.over(times[COUNTS])[0]
            lines.append((kind, name, number(1000 * time.best), number(1000 * cpu), number(over)))
            found.records.append({"categories": kind, "contender": name, "cpu": cpu, "over": over})
            if name != COUNTS and not quick:
                found.targets.append(
                    Target(f"{categories:,} categories, {kind}, {name}: CPU seconds", LIMIT, cpu)
                )
    header = ("categories", "contender", "best, ms", "all cores, ms", "times plain")
    found.tables.append(Table(f"Categories: {categories:,} of them", header, lines))
    return found


if __name__ == "__main__":
    run_alone(report, __doc__)
