"""The least error that any epsilon-DP mechanism can have on a small world, next to what mechanisms have.

    python benchmarks/optimum.py [--quick] [--add-to benchmarks/results/reference.json]

In a world of few answers and few records all datasets can be listed, and the best mechanism of all is the solution of a
linear program: its unknowns are the probabilities of every answer for every dataset, its constraints that neighbours
differ by a factor of at most e^epsilon. Needs scipy, and some minutes.

Two optima are found. One has the least error on average, over datasets whose records are independent and equally likely
to be each answer (under add/remove each number of records from 1 on is equally likely, too); it is made for this very
prior. The other one knows no prior: it is at most r times as far off as piecewise Laplace on every dataset, for the
least r.
"""

import importlib
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from columns import Floats
from measure import progress
from reporting import Report, Table, installed, run_alone

import noisewise as nws
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request

Dataset = tuple[int, ...]
"""How many records there are of each answer."""

EPSILONS = ("0.5", "1", "2", "4")
PIECEWISE = "piecewise_laplace"
MECHANISMS = {"balance": "balance", PIECEWISE: "piecewise Laplace", "permute_and_flip": "permute-and-flip"}


class World(NamedTuple):
    """All datasets of at most so many records among answers 0, 1, ..., or of exactly so many under swap."""

    q: Fraction
    answers: int
    records: int
    neighbors: str

    def datasets(self) -> list[Dataset]:
        sizes = range(self.records + 1) if self.neighbors == "add_remove" else (self.records,)
        return [found for n in sizes for found in _multisets(n, self.answers)]

    def pairs(self, datasets: Sequence[Dataset]) -> Iterator[tuple[int, int]]:
        """Neighbours, each pair once."""
        place = {each: i for i, each in enumerate(datasets)}
        for i, each in enumerate(datasets):
            for other in self._beyond(each):
                if other in place:
                    yield i, place[other]

    def _beyond(self, counts: Dataset) -> Iterator[Dataset]:
        for low in range(self.answers):
            if self.neighbors == "add_remove":
                yield _changed(counts, {low: 1})
            elif counts[low]:
                for high in range(low + 1, self.answers):
                    yield _changed(counts, {low: -1, high: 1})

    def prior(self, datasets: Sequence[Dataset]) -> Floats:
        """Records are independent and uniform; so is their number where it is secret, and it is not 0."""
        ways = [math.factorial(sum(c)) / math.prod(map(math.factorial, c)) for c in datasets]
        chances = np.array(
            [w / self.answers ** sum(c) if any(c) else 0.0 for w, c in zip(ways, datasets, strict=True)]
        )
        return chances / chances.sum()

    def errors(self, mechanism: str, epsilon: str, datasets: Sequence[Dataset]) -> Floats:
        """The mean distance from the answer, dataset by dataset."""
        return np.array(
            [read_law(self.request(mechanism, epsilon, c).look()).expected_error() for c in datasets]
        )

    def request(self, mechanism: str, epsilon: str, counts: Dataset) -> Request:
        return Request.of(
            nws.Quantile(self.q),
            np.repeat(np.arange(self.answers, dtype=np.float64), counts),
            bounds=(0, self.answers - 1),
            epsilon=Fraction(epsilon),
            granularity=Fraction(1),
            neighbors=self.neighbors,
            mechanism=mechanism,
        )

    def costs(self, datasets: Sequence[Dataset]) -> Floats:
        """How far each answer is from the truth, a row per dataset. An empty column answers 0."""
        true = [self.truth(counts) for counts in datasets]
        return np.abs(np.arange(self.answers) - np.array(true)[:, None]).astype(np.float64)

    def truth(self, counts: Dataset) -> int:
        rank = max(1, math.ceil(self.q * sum(counts)))
        return int(np.searchsorted(np.cumsum(counts), rank)) if sum(counts) else 0

    def __str__(self) -> str:
        name = "median" if self.q == Fraction(1, 2) else f"{self.q}-quantile"
        sizes = f"0 to {self.records}" if self.neighbors == "add_remove" else str(self.records)
        return f"{name}, {sizes} records, {self.answers} answers"


def _multisets(n: int, answers: int) -> Iterator[Dataset]:
    for bars in itertools.combinations(range(n + answers - 1), answers - 1):
        edges = (-1, *bars, n + answers - 1)
        yield tuple(right - left - 1 for left, right in itertools.pairwise(edges))


def _changed(counts: Dataset, by: dict[int, int]) -> Dataset:
    return tuple(count + by.get(place, 0) for place, count in enumerate(counts))


# The linear programs: the unknowns are P(answer k | dataset i) at i*answers + k, and the last one is the ratio r.


class Program(NamedTuple):
    """Mechanisms as points of a polytope: rows of e^-epsilon*P(k|i) <= P(k|j), and sums of 1."""

    private: Any
    sums: Any
    costs: Floats

    @classmethod
    def of(cls, world: World, datasets: Sequence[Dataset], epsilon: str) -> "Program":
        sparse = importlib.import_module("scipy.sparse")
        answers, share = world.answers, math.exp(-float(epsilon))
        ends = np.array(list(world.pairs(datasets)))
        both = np.concatenate([ends, ends[:, ::-1]])
        one, other = ((each[:, None] * answers + np.arange(answers)).ravel() for each in both.T)
        row, size = np.arange(one.size), answers * len(datasets)
        shares = np.concatenate([np.full(one.size, share), np.full(one.size, -1.0)])
        places = np.concatenate([row, row]), np.concatenate([one, other])
        private = sparse.csr_matrix((shares, places), (one.size, size + 1))
        total = np.repeat(np.arange(len(datasets)), answers), np.arange(size)
        sums = sparse.csr_matrix((np.ones(size), total), (len(datasets), size + 1))
        return cls(private, sums, world.costs(datasets))

    def least_average(self, prior: Floats) -> float:
        """The least mean error under a prior."""
        return self._solved(np.append((prior[:, None] * self.costs).ravel(), 0.0), self.private)

    def least_ratio(self, errors: Floats) -> float:
        """The least r such that a mechanism has at most r times these errors, on every dataset."""
        sparse = importlib.import_module("scipy.sparse")
        count, answers = self.costs.shape
        places = np.repeat(np.arange(count), answers), np.arange(count * answers)
        spent = sparse.csr_matrix((self.costs.ravel(), places), (count, count * answers))
        bars = sparse.hstack([spent, sparse.csr_matrix(-errors[:, None])])
        return self._solved(np.append(np.zeros(count * answers), 1.0), sparse.vstack([self.private, bars]))

    def _solved(self, objective: Floats, below: Any) -> float:
        linprog = importlib.import_module("scipy.optimize").linprog
        ones, zeros = np.ones(self.sums.shape[0]), np.zeros(below.shape[0])
        found = linprog(objective, A_ub=below, b_ub=zeros, A_eq=self.sums, b_eq=ones, method="highs-ipm")
        assert found.success, found.message
        return float(found.fun)


# Tables.


class Found(NamedTuple):
    """One world at one epsilon: average errors, and the greatest ratio to piecewise Laplace's."""

    world: World
    epsilon: str
    average: dict[str, float]
    best: float
    ratio: dict[str, float]
    best_ratio: float


def solved(world: World, epsilon: str) -> Found:
    progress(f"{world}, {world.neighbors}, epsilon {epsilon}")
    datasets = world.datasets()
    prior, program = world.prior(datasets), Program.of(world, datasets, epsilon)
    errors = {name: world.errors(name, epsilon, datasets) for name in MECHANISMS}
    return Found(
        world,
        epsilon,
        {name: float(prior @ each) for name, each in errors.items()},
        program.least_average(prior),
        {name: float(np.max(each / errors[PIECEWISE])) for name, each in errors.items()},
        program.least_ratio(errors[PIECEWISE]),
    )


def averages(found: Sequence[Found]) -> Table:
    """Each mechanism over the best one."""
    title = f"Average errors over the least possible: {' / '.join(MECHANISMS.values())}"
    return _by_epsilon(title, found, lambda f: [f.average[name] / f.best for name in MECHANISMS])


def ratios(found: Sequence[Found]) -> Table:
    """The best mechanism and others over piecewise Laplace."""
    others = {name: spoken for name, spoken in MECHANISMS.items() if name != PIECEWISE}
    title = f"Greatest error over that of piecewise Laplace: least possible / {' / '.join(others.values())}"
    return _by_epsilon(title, found, lambda f: [f.best_ratio, *(f.ratio[name] for name in others)])


def _by_epsilon(title: str, found: Sequence[Found], numbers: Callable[[Found], list[float]]) -> Table:
    epsilons = list(dict.fromkeys(f.epsilon for f in found))
    cells = {(f.world, f.epsilon): " / ".join(f"{each:.2f}" for each in numbers(f)) for f in found}
    rows = [
        (str(world), world.neighbors, *(cells[world, e] for e in epsilons))
        for world in dict.fromkeys(f.world for f in found)
    ]
    return Table(title, ("world", "neighbors", *(f"ε = {e}" for e in epsilons)), rows)


def worlds(quick: bool) -> list[World]:
    if quick:
        return [World(Fraction(1, 2), 3, 2, relation) for relation in ("add_remove", "swap")]
    half, later = Fraction(1, 2), Fraction(3, 4)
    return [
        World(q, answers, records, relation)
        for q, answers, records in ((half, 5, 7), (half, 8, 4), (later, 5, 7))
        for relation in ("add_remove", "swap")
    ]


def report(quick: bool = False) -> Report:
    if installed("scipy") is None:
        return Report("optimum", notes=["scipy: not installed; pip install -r benchmarks/peers.txt"])
    found = [solved(world, e) for world in worlds(quick) for e in (EPSILONS[1:2] if quick else EPSILONS)]
    records = [{**f._asdict(), "world": str(f.world), "neighbors": f.world.neighbors} for f in found]
    return Report("optimum", [averages(found), ratios(found)], records=records)


if __name__ == "__main__":
    run_alone(report, __doc__)
