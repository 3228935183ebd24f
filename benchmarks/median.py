"""A whole private median against NumPy's exact one and the medians of other libraries.

    python benchmarks/median.py [--quick]

All contenders take turns in one process. A ratio is noisewise's time over the contender's: of the best laps,
and the median over rounds. On long columns noisewise and Polars may use a second thread, so the normal column
is raced once more on one core, by those who can be held to it.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from columns import NORMAL, SHAPES, SORTED, Floats, Shape
from measure import Call, Times, one_core, progress, race
from peers import EPSILON, absent, available
from reporting import Report, Table, Target, Timing, number, run_alone

import noisewise as nws
from noisewise.kernel.laws.envelope import level_rule
from noisewise.kernel.numbers.exact import exact_epsilon
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns import declare

Makers = dict[str, Callable[[Shape, Floats], Call]]

OURS, SELECTION, ONE_CORE = "noisewise", "selection alone", "normal, 1 core"
NUMPY = "np.median"
TOO_LONG = 60.0
"""A contender that would need more seconds than this for one call is not run."""

ROUNDS = {1_000: 300, 10_000: 100, 1_000_000: 25, 10_000_000: 9}
QUICK = {1_000: 5, 10_000: 3}


class Race(NamedTuple):
    """One column and the times of everybody on it; None for a contender that was not run."""

    shape: str
    n: int
    times: dict[str, Times | None]


def whole_call(shape: Shape, values: Floats) -> Call:
    return lambda: nws.median(values, bounds=shape.bounds, epsilon=EPSILON)


def selection(shape: Shape, values: Floats) -> Call:
    """Reading the column and picking the order statistics that a median at this epsilon needs."""
    lattice = Lattice.between(shape.bounds)
    levels = level_rule(lattice.points, exact_epsilon(EPSILON) / 2)

    def select() -> object:
        column = declare(values).read(lattice, "add_remove")
        middle, reach = (column.count + 1) // 2, levels // 2 + 1
        return column.ranks(max(1, middle - reach), min(column.count, middle + reach) + 1)

    return select


CONTENDERS: Makers = {
    OURS: whole_call,
    SELECTION: selection,
    NUMPY: lambda shape, values: lambda: np.median(values),
    "np.partition": lambda shape, values: lambda: np.partition(values, values.size // 2),
}


def races(rounds: dict[int, int]) -> Iterator[Race]:
    """Every shape at every size, then the first shape on one core."""
    makers = CONTENDERS | available()
    for shape in SHAPES:
        yield from lane(shape, makers, rounds)
    with one_core():
        for found in lane(NORMAL, CONTENDERS, rounds):
            yield Race(ONE_CORE, found.n, dict.fromkeys(makers) | found.times)


def lane(shape: Shape, makers: Makers, rounds: dict[int, int]) -> Iterator[Race]:
    """One shape at every size. A contender whose time so far foretells too long a call sits out."""
    pace = dict.fromkeys(makers, 0.0)
    for n, laps in rounds.items():
        progress(f"median of {n:,} ({shape.name})")
        values = shape.column(n)
        fit = {name: make for name, make in makers.items() if pace[name] * n <= TOO_LONG}
        for make in fit.values():
            make(shape, values[:100])()
        times = race({name: make(shape, values) for name, make in fit.items()}, rounds=laps)
        pace |= {name: found.best / n for name, found in times.items()}
        yield Race(shape.name, n, {name: times.get(name) for name in makers})


def targets(found: list[Race]) -> Iterator[Target]:
    """Judged by the worse of the two ratios."""
    for shape, n, times in found:
        ours = times[OURS]
        if ours is None or shape == ONE_CORE:
            continue
        if n == 1_000:
            yield Target(f"{n:,} {shape}: milliseconds of a whole call", 0.15, 1e3 * ours.median)
            yield Target(f"{n:,} {shape}: milliseconds of the best call", 0.15, 1e3 * ours.best)
        long = 0.4 if shape == SORTED.name else 0.2
        for rival, size, limit in (("np.partition", 1_000_000, 2.0), (NUMPY, 10_000_000, long)):
            other = times[rival]
            if n == size and other is not None:
                yield Target(f"{n:,} {shape}: times {rival}", limit, max(ours.over(other)))


def milliseconds(found: list[Race]) -> Table:
    names = list(found[0].times)
    rows = [
        (shape, f"{n:,}", *(number(1e3 * t.best) if t else "not run" for t in times.values()))
        for shape, n, times in found
    ]
    return Table("Median: best milliseconds", ("column", "records", *names), rows)


def ratios(found: list[Race]) -> Table:
    rivals = [name for name in found[0].times if name not in (OURS, SELECTION)]
    rows = []
    for shape, n, times in found:
        rows.append((shape, f"{n:,}", *(_over(times[OURS], times[name]) for name in rivals)))
    title = "Median: noisewise's time over the contender's, best laps / median of rounds"
    return Table(title, ("column", "records", *rivals), rows)


def processor_time(found: list[Race]) -> Table:
    """The shortest and the longest columns: by the clock, and by what all cores spent."""
    sizes = {race.n for race in found}
    rows = []
    for shape, n, times in found:
        ours, theirs = times[OURS], times[NUMPY]
        if n in (min(sizes), max(sizes)) and ours and theirs:
            clock, cores = (ours.best, theirs.best), (min(ours.cpu), min(theirs.cpu))
            ratios = (a / b for a, b in (clock, cores))
            rows.append((shape, f"{n:,}", *(number(1e3 * t) for t in (*clock, *cores)), *map(number, ratios)))
    header = ("column", "records", OURS, NUMPY, f"{OURS}, all cores", f"{NUMPY}, all cores")
    title = "Median: best milliseconds by the clock, and of all cores together"
    return Table(title, (*header, "ratio", "of all cores"), rows)


def _over(ours: Times | None, theirs: Times | None) -> str:
    return " / ".join(map(number, ours.over(theirs))) if ours and theirs else "not run"


def records(found: list[Race]) -> list[dict[str, Any]]:
    return [
        {"column": r.shape, "n": r.n, "contender": name}
        | (
            {"best": t.best, "median": t.median, "rounds": len(t.laps), "cpu": min(t.cpu)}
            if t
            else {"best": None}
        )
        for r in found
        for name, t in r.times.items()
    ]


def report(quick: bool = False) -> Report:
    found = list(races(QUICK if quick else ROUNDS))
    tables = [milliseconds(found), ratios(found), processor_time(found)]
    timings = [
        Timing.of(f"median of {r.n:,} ({r.shape}), {name}", t.laps, ours=name in (OURS, SELECTION))
        for r in found
        for name, t in r.times.items()
        if t
    ]
    return Report("median", tables, [] if quick else list(targets(found)), records(found), absent(), timings)


if __name__ == "__main__":
    run_alone(report, __doc__)
