"""Joint quantiles: how many records lie between an answer and the truth, and what a quantile costs in time.

    python benchmarks/joint.py [--quick]

The errors are measured as by Gillenwater, Joseph & Kulesza (2021): 1,000 records, bounds -100 to 100, epsilon 1 in all
and evenly spaced quantiles; the error of an answer is the number of records between it and the true quantile. The
contenders are single quantiles, epsilon/m each or as much each as makes the same zCDP parameter, and that paper's
JointExp, the exponential mechanism over all m values at once, written here in floats.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from columns import NORMAL, SEED, TIES, Floats, Shape
from measure import Call, Times, progress, race
from reporting import Report, Table, Target, Timing, number, run_alone

import noisewise as nws
from noisewise.questions.functions.order import quantiles

Shares = list[Fraction]
Answers = Callable[[Floats, Shares, np.random.Generator], Sequence[float]]

RECORDS, BOUNDS, EPSILON = 1_000, (-100.0, 100.0), 1
COUNTS, TRIALS = (1, 2, 3, 4, 5, 7, 9, 12, 15, 19, 24, 29), 200
SHAPES: dict[str, Callable[[np.random.Generator], Floats]] = {
    "normal(0, 5)": lambda rng: rng.normal(0, 5, RECORDS),
    "uniform(-5, 5)": lambda rng: rng.uniform(-5, 5, RECORDS),
}

LONG, LAPS = 1_000_000, 15
TIMED = (1, 2, 3, 9, 29, 99)
PARTITION = "np.partition"


def shares(count: int) -> Shares:
    return [Fraction(i, count + 1) for i in range(1, count + 1)]


# The contenders.


def ours(values: Floats, qs: Shares, rng: np.random.Generator) -> Sequence[float]:
    released: Sequence[float] = quantiles(values, qs, bounds=BOUNDS, epsilon=EPSILON).value
    return released


def by_piecewise_laplace(values: Floats, qs: Shares, rng: np.random.Generator) -> Sequence[float]:
    """What a budget in rho gets."""
    found = quantiles(values, qs, bounds=BOUNDS, epsilon=EPSILON, mechanism="piecewise_laplace")
    released: Sequence[float] = found.value
    return released


def singles(values: Floats, qs: Shares, rng: np.random.Generator) -> Sequence[float]:
    """One release per quantile, at the same epsilon in all."""
    return _singles(values, qs, Fraction(EPSILON, len(qs)))


def singles_by_rho(values: Floats, qs: Shares, rng: np.random.Generator) -> Sequence[float]:
    """One release per quantile, at about the same zCDP parameter in all: m*e^2/8 = d*(epsilon/d)^2/8 at depth d."""
    return _singles(values, qs, Fraction(EPSILON / math.sqrt(len(qs) * len(qs).bit_length())))


def _singles(values: Floats, qs: Shares, epsilon: Fraction) -> Sequence[float]:
    return [float(nws.quantile(values, q, bounds=BOUNDS, epsilon=epsilon)) for q in qs]


def joint_exp(values: Floats, qs: Shares, rng: np.random.Generator) -> Sequence[float]:
    """The exponential mechanism over m rising values, by how far the counts between them are from what they should be.

    ``ways[j][k]`` weighs, by the gap it lies in, the j-th value where it is the k-th of its gap.
    """
    edges = np.concatenate([[BOUNDS[0]], np.sort(values), [BOUNDS[1]]])
    widths, gaps, n = np.diff(edges), np.arange(values.size + 1), values.size
    parts = np.diff([0.0, *map(float, qs), 1.0])
    rate = EPSILON / (2 * 2 * (1 - parts.min()))
    weigh = [np.exp(-rate * np.abs(gaps - part * n)) for part in parts]
    ways = [[widths * weigh[0]]]
    for j in range(1, len(qs)):
        onwards = np.append(0.0, weigh[j][1:])
        fresh = widths * np.convolve(sum(ways[-1]), onwards)[: n + 1]
        again = [widths * weigh[j][0] * way / (k + 2) for k, way in enumerate(ways[-1])]
        scale = max(float(way.max()) for way in (fresh, *again))
        ways.append([way / scale for way in (fresh, *again)])
    return _traced(ways, weigh, edges, rng)


def _traced(
    ways: list[list[Floats]], weigh: list[Floats], edges: Floats, rng: np.random.Generator
) -> Sequence[float]:
    """One draw, from the last value back to the first."""
    n, values = edges.size - 2, list[float]()
    reach, j = weigh[-1][n - np.arange(n + 1)], len(ways)
    while j > 0:
        table = np.array(ways[j - 1]) * reach
        k, gap = divmod(int(rng.choice(table.size, p=(table / table.sum()).ravel())), n + 1)
        values += sorted(rng.uniform(edges[gap], edges[gap + 1], k + 1), reverse=True)
        j -= k + 1
        reach = np.append(weigh[j][gap:0:-1], np.zeros(n + 1 - gap))
    return values[::-1]


CONTENDERS: dict[str, Answers] = {
    "noisewise": ours,
    "piecewise Laplace": by_piecewise_laplace,
    "JointExp": joint_exp,
    "singles, same ε": singles,
    "singles, same ρ": singles_by_rho,
}


# How far off.


class Missed(NamedTuple):
    """The mean number of records between an answer and the truth, by contender."""

    shape: str
    many: int
    records: dict[str, float]


def missed(values: Floats, qs: Shares, answers: Sequence[float]) -> float:
    ordered = np.sort(values)
    true = ordered[[max(1, math.ceil(q * values.size)) - 1 for q in qs]]
    apart = np.searchsorted(ordered, answers, "right") - np.searchsorted(ordered, true, "right")
    return float(np.mean(np.abs(apart)))


def errors(counts: Sequence[int], trials: int) -> Iterator[Missed]:
    rng = np.random.default_rng(SEED)
    for shape, column in SHAPES.items():
        for count in counts:
            progress(f"{count} quantiles of {RECORDS:,} records ({shape})")
            qs, found = shares(count), dict.fromkeys(CONTENDERS, 0.0)
            for _ in range(trials):
                values = column(rng)
                for name, answers in CONTENDERS.items():
                    found[name] += missed(values, qs, answers(values, qs, rng)) / trials
            yield Missed(shape, count, found)


def errors_table(shape: str, found: list[Missed]) -> Table:
    rows = [(str(m.many), *map(number, m.records.values())) for m in found if m.shape == shape]
    title = f"Joint quantiles: records between answer and truth, of {RECORDS:,} ({shape}), epsilon {EPSILON} in all"
    return Table(title, ("quantiles", *CONTENDERS), rows)


def errors_targets(found: list[Missed]) -> Iterator[Target]:
    for m in found:
        if 2 <= m.many <= 5:
            ratio = m.records["noisewise"] / m.records["JointExp"]
            yield Target(f"{m.many} of {m.shape}: error over that of JointExp", 1.0, ratio)
        if m.many >= 9:
            ratio = m.records["noisewise"] / m.records["singles, same ε"]
            yield Target(f"{m.many} of {m.shape}: error over that of single quantiles", 0.5, ratio)


# How fast.


class Timed(NamedTuple):
    shape: str
    many: int
    times: dict[str, Times]

    @property
    def ratio(self) -> float:
        """The time of one quantile over that of one partition, the worse of best laps and median of rounds."""
        return max(self.times["noisewise"].over(self.times[PARTITION])) / self.many


def laps(counts: Sequence[int], n: int, rounds: int) -> Iterator[Timed]:
    for shape in (NORMAL, TIES):
        values = shape.column(n)
        for count in counts:
            progress(f"{count} quantiles of {n:,} records ({shape.name})")
            contenders: dict[str, Call] = {
                "noisewise": _call(values, shares(count), shape),
                PARTITION: partial(np.partition, values, n // 2),
            }
            yield Timed(shape.name, count, race(contenders, rounds=rounds))


def _call(values: Floats, qs: Shares, shape: Shape) -> Call:
    return lambda: quantiles(values, qs, bounds=shape.bounds, epsilon=EPSILON)


def laps_table(n: int, found: list[Timed]) -> Table:
    rows = [
        (
            t.shape,
            str(t.many),
            number(1e3 * t.times["noisewise"].best),
            number(1e3 * t.times["noisewise"].best / t.many),
            number(1e3 * t.times[PARTITION].best),
            number(t.ratio),
        )
        for t in found
    ]
    title = f"Joint quantiles: best milliseconds for {n:,} records"
    return Table(title, ("column", "quantiles", "all", "each", PARTITION, "each over it"), rows)


def report(quick: bool = False) -> Report:
    counts, trials, timed, n, rounds = (
        ((1, 3), 1, (1, 3), 1_000, 2) if quick else (COUNTS, TRIALS, TIMED, LONG, LAPS)
    )
    found, times = list(errors(counts, trials)), list(laps(timed, n, rounds))
    targets = list(errors_targets(found))
    targets += [Target(f"{t.many} of {t.shape}: a quantile over {PARTITION}", 2.0, t.ratio) for t in times]
    records = [{"column": m.shape, "quantiles": m.many, "missed": m.records} for m in found]
    records += [
        {"column": t.shape, "n": n, "quantiles": t.many, "best": {k: v.best for k, v in t.times.items()}}
        for t in times
    ]
    tables = [*(errors_table(shape, found) for shape in SHAPES), laps_table(n, times)]
    timings = [
        Timing.of(f"{t.many} quantiles of {n:,} ({t.shape}), {name}", each.laps, ours=name != PARTITION)
        for t in times
        for name, each in t.times.items()
    ]
    return Report("joint", tables, [] if quick else targets, records, timings=timings)


if __name__ == "__main__":
    run_alone(report, __doc__)
