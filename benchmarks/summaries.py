"""Every summary of a column against the plain NumPy call that reads as much: sums, sorting, selection.

    python benchmarks/summaries.py [--quick]

All contenders take turns in one process. A ratio is noisewise's time over NumPy's: of the best laps, and the median
over rounds. A target is judged by the worse of the two.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from columns import INCOMES, NORMAL, Floats, Shape
from measure import Call, Times, progress, race
from peers import EPSILON
from reporting import Report, Table, Target, Timing, number, run_alone

import noisewise as nws

QS = [0.1, 0.25, 0.5, 0.75, 0.9]


class Summary(NamedTuple):
    """A question, the NumPy call it is held against, and how many times as long it may take."""

    ask: Callable[[Shape, Floats], object]
    rival: str
    limit: float


BLOCK = 2**15
"""Records of a block that stays in the cache."""


def exact_passes(values: Floats) -> int:
    """The fewest passes of NumPy that add a column up exactly on a lattice: clamp, scale, add a half, floor, sum."""
    total, low, high = 0, float(values[0]), float(values[0]) + 2.0**20
    room = np.empty(BLOCK)
    for start in range(0, values.size, BLOCK):
        block = values[start : start + BLOCK]
        indices = np.clip(block, low, high, out=room[: block.size])
        indices *= 4096.0
        indices += 0.5
        total += int(np.add.reduce(np.floor(indices, out=indices)))
    return total


RIVALS: dict[str, Callable[[Floats], object]] = {
    "np.mean": np.mean,
    "five exact passes": exact_passes,
    "np.var": np.var,
    "np.partition": lambda values: np.partition(values, values.size // 2),
    "np.sort": np.sort,
}


def asked(
    function: Callable[..., object], *extra: object, **more: object
) -> Callable[[Shape, Floats], object]:
    return lambda shape, values: function(values, *extra, bounds=shape.bounds, epsilon=EPSILON, **more)


def by_sums(statistic: nws.Statistic) -> Callable[[Shape, Floats], object]:
    return lambda shape, values: nws.release(statistic, values, bounds=shape.bounds, epsilon=EPSILON)


SUMMARIES = {
    "count": Summary(lambda shape, values: nws.count(values, epsilon=EPSILON), "np.mean", 6),
    "sum": Summary(asked(nws.sum), "np.mean", 3),
    "mean": Summary(asked(nws.mean), "np.mean", 3),
    "mean, passes": Summary(asked(nws.mean), "five exact passes", 1.3),
    "sum of integers": Summary(asked(nws.sum), "np.mean", 3),
    "mean of integers": Summary(asked(nws.mean), "np.mean", 3),
    "mean, swap": Summary(asked(nws.mean, neighbors="swap"), "np.mean", 12),
    "variance by sums": Summary(by_sums(nws.Variance(exact=False)), "np.var", 15),
    "std by sums": Summary(by_sums(nws.Std(exact=False)), "np.var", 15),
    "variance": Summary(asked(nws.variance), "np.var", 30),
    "std": Summary(asked(nws.std), "np.var", 30),
    "median": Summary(asked(nws.median), "np.partition", 2),
    f"{len(QS)} quantiles": Summary(asked(nws.quantiles, QS), "np.partition", 2 * len(QS)),
    "iqr": Summary(asked(nws.iqr), "np.sort", 3),
    "range": Summary(asked(nws.range), "np.sort", 3),
    "trimmed mean": Summary(asked(nws.trimmed_mean, 0.1), "np.sort", 3),
    "winsorized mean": Summary(asked(nws.winsorized_mean, 0.1), "np.sort", 3),
    "mad": Summary(asked(nws.mad), "np.sort", 6),
    "gini": Summary(asked(nws.gini), "np.sort", 20),
}


class Race(NamedTuple):
    """One column and everybody's times on it."""

    shape: str
    n: int
    times: dict[str, Times]


def run(shape: Shape, n: int, rounds: int) -> Race:
    progress(f"summaries of {n:,} ({shape.name})")
    values = shape.column(n)
    whole = values.astype(np.int64)
    contenders: dict[str, Call] = {
        name: (lambda ask=summary.ask, data=whole if "integers" in name else values: ask(shape, data))
        for name, summary in SUMMARIES.items()
        if name != "gini" or shape.bounds[0] >= 0
    }
    contenders |= {name: (lambda call=call: call(values)) for name, call in RIVALS.items()}
    for call in contenders.values():
        call()
    return Race(shape.name, n, race(contenders, rounds=rounds))


def table(found: Race) -> Table:
    rows = []
    for name, summary in SUMMARIES.items():
        if name in found.times:
            ours, theirs = found.times[name], found.times[summary.rival]
            ratios = " / ".join(map(number, ours.over(theirs)))
            rows.append((name, number(1e3 * ours.best), summary.rival, number(1e3 * theirs.best), ratios))
    title = (
        f"Summaries: best milliseconds of {found.n:,} records ({found.shape}), best laps / median of rounds"
    )
    return Table(title, ("summary", "noisewise", "against", "its time", "times as long"), rows)


def targets(found: Race) -> list[Target]:
    return [
        Target(
            f"{found.n:,} {found.shape}: {name}, times {summary.rival}",
            summary.limit,
            max(found.times[name].over(found.times[summary.rival])),
        )
        for name, summary in SUMMARIES.items()
        if name in found.times
    ]


def report(quick: bool = False) -> Report:
    found = [run(shape, 2_000 if quick else 1_000_000, 2 if quick else 15) for shape in (INCOMES, NORMAL)]
    records = [
        {"column": race.shape, "n": race.n, "contender": name, "best": times.best, "median": times.median}
        for race in found
        for name, times in race.times.items()
    ]
    goals = [] if quick else [target for race in found for target in targets(race)]
    timings = [
        Timing.of(f"{name} of {race.n:,} ({race.shape})", times.laps, ours=name in SUMMARIES)
        for race in found
        for name, times in race.times.items()
    ]
    return Report("summaries", [table(race) for race in found], goals, records, timings=timings)


if __name__ == "__main__":
    run_alone(report, __doc__)
