"""A Theil-Sen slope over all pairs of rows, against NumPy's line of least squares in the same run.

    python benchmarks/slopes.py [--quick]

There are n*n/2 slopes; those near the median are listed. Judged by the clock, and told by the CPU seconds of all cores.
"""

import numpy as np
from columns import SEED
from measure import progress, race
from reporting import Report, Table, Target, number, run_alone

import noisewise as nws

SIZES, LIMIT = {10_000: 3, 100_000: 1}, 5.0
PLAIN = "np.polyfit"


def report(quick: bool = False) -> Report:
    found, lines = Report("slopes"), []
    for n, rounds in ({3_000: 1} if quick else SIZES).items():
        progress(f"slopes of {n:,} rows")
        x, noise = np.random.default_rng(SEED).normal(size=(2, n))
        y = 2 * x + noise
        times = race(
            {
                PLAIN: lambda x=x, y=y: np.polyfit(x, y, 1),
                "theil_sen": lambda x=x, y=y: nws.theil_sen(x, y, bounds=(-10.0, 10.0), epsilon=1.0),
            },
            rounds=rounds,
        )
        for name, time in times.items():
            over = time.over(times[PLAIN])[0]
            lines.append((f"{n:,}", name, number(time.best), number(min(time.cpu)), number(over)))
            found.records.append({"n": n, "contender": name, "best": time.best, "cpu": min(time.cpu)})
        if not quick:
            found.targets.append(Target(f"{n:,} rows: seconds", LIMIT, times["theil_sen"].best))
    header = ("rows", "contender", "best, s", "all cores, s", "times plain")
    found.tables.append(Table("Slopes: all pairs of rows", header, lines))
    return found


if __name__ == "__main__":
    run_alone(report, __doc__)
