"""Draws in many dimensions: tries and time of the exact sampler, next to rejection from the d-dimensional Laplacian.

    python benchmarks/dimensions.py [--quick]

One release is one draw, the law and its tables made for it alone. The paper's procedure picks a shell by its mass, then
draws a vector of Laplace noise until its sum of absolute values lands in that shell. It runs here in floats, with the
masses made beforehand; its tries have no mean, so medians are shown. Radii are 1, 2, 3, ... up to 1,000, for ever.
"""

import importlib
import math
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from statistics import median
from time import perf_counter
from unittest.mock import patch

import numpy as np
from columns import SEED
from measure import one_core, progress
from numpy.typing import NDArray
from reporting import Report, Table, number, run_alone

from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.sampling.points import Norm

Floats = NDArray[np.float64]

DIMENSIONS, EPSILONS = (1, 10, 100, 1_000), (Fraction(10), Fraction(1), Fraction(1, 10), Fraction(1, 100))
WIDEST, ROUNDS, TRIES_OF = 1_000, 15, 400
AT_ONCE = 200_000
"""So many numbers of Laplace noise are drawn at a time."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)


def law(dimension: int, epsilon: Fraction, norm: Norm) -> BallLaw:
    radii = RadiusBounds.from_growth(1, 1, WIDEST, WIDEST)
    return BallLaw(np.zeros(dimension, np.int64), radii, norm, epsilon / 2)


@contextmanager
def counted_tries() -> Iterator[list[int]]:
    """Counts the points that are proposed."""
    sampler, seen = importlib.import_module("noisewise.kernel.sampling.radial_draw"), [0]
    keeps = sampler.keeps

    def counted(rings: object, radii: list[int], bits: object) -> object:
        seen[0] += len(radii)
        return keeps(rings, radii, bits)

    with patch.object(sampler, "keeps", counted):
        yield seen


class Rejection:
    """The procedure of the paper for the sum of absolute values, in float64."""

    def __init__(self, dimension: int, epsilon: Fraction) -> None:
        self.dimension, self.rate = dimension, float(epsilon / 2)
        levels = np.arange(1, int(6 * dimension / self.rate + 60 / self.rate + 100))
        self.width = np.minimum(levels, WIDEST).astype(np.float64)
        self.outer = np.cumsum(self.width)
        start = self.rate * (self.outer - self.width) / self.width
        masses = start - self.rate * (levels - 1) + dimension * np.log(self.width) + self._log_landing(start)
        shares = np.exp(masses - masses.max())
        self.sums = np.cumsum(shares / shares.sum())

    def _log_landing(self, start: Floats) -> Floats:
        """The logarithm of the probability that Laplace noise lands in each shell: a piece of a gamma density."""
        x = start[:, None] + self.rate * (NODES + 1) / 2
        logs = (self.dimension - 1) * np.log(x) - x - math.lgamma(self.dimension)
        top = logs.max(axis=1)
        found: Floats = top + np.log(np.exp(logs - top[:, None]) @ WEIGHTS * self.rate / 2)
        return found

    def draw(self, rng: np.random.Generator) -> int:
        """One draw; how many tries it took."""
        l = min(int(np.searchsorted(self.sums, rng.random())), self.width.size - 1)
        inner, outer, tries = self.outer[l] - self.width[l], self.outer[l], 0
        batch = max(1, AT_ONCE // self.dimension)
        while True:
            rows = min(batch, tries + 8)
            noise = rng.laplace(scale=self.width[l] / self.rate, size=(rows, self.dimension))
            radii = np.abs(noise).sum(axis=1)
            landed = np.flatnonzero((radii > inner) & (radii <= outer))
            if landed.size:
                return tries + int(landed[0]) + 1
            tries += rows


def exact_times(
    dimension: int, epsilon: Fraction, norm: Norm, rounds: int, tries_of: int
) -> tuple[float, float]:
    """Mean tries over many draws, and median seconds of a release."""
    with counted_tries() as seen:
        law(dimension, epsilon, norm).draw(tries_of)
    laps = []
    for _ in range(rounds):
        start = perf_counter()
        law(dimension, epsilon, norm).draw_one()
        laps.append(perf_counter() - start)
    return seen[0] / tries_of, median(laps)


def rejection_times(dimension: int, epsilon: Fraction, rounds: int) -> tuple[float, float]:
    """Median tries and median seconds of a draw."""
    paper, rng, tries, laps = Rejection(dimension, epsilon), np.random.default_rng(SEED), [], []
    for _ in range(rounds):
        start = perf_counter()
        tries.append(paper.draw(rng))
        laps.append(perf_counter() - start)
    return median(tries), median(laps)


def report(quick: bool = False) -> Report:
    dimensions, epsilons = ((1, 5), (Fraction(1),)) if quick else (DIMENSIONS, EPSILONS)
    rounds, tries_of = (2, 10) if quick else (ROUNDS, TRIES_OF)
    records = []
    with one_core():
        for dimension in dimensions:
            for epsilon in epsilons:
                progress(f"{dimension:,} dimensions, epsilon {float(epsilon):g}")
                l1, linf = (exact_times(dimension, epsilon, n, rounds, tries_of) for n in ("l1", "linf"))
                paper = rejection_times(dimension, epsilon, rounds)
                cells = (dimension, float(epsilon), *l1, *linf, *paper)
                names = (
                    "dimension epsilon l1_tries l1_seconds linf_tries linf_seconds paper_tries paper_seconds"
                )
                records.append(dict(zip(names.split(), cells, strict=True)))
    return Report("dimensions", [_table(records)], [], records)


def _table(records: list[dict[str, float]]) -> Table:
    rows = [
        (
            f"{r['dimension']:,}",
            f"{r['epsilon']:g}",
            *(number(r[f"{n}_tries"]) for n in ("l1", "linf", "paper")),
            *(number(1000 * r[f"{n}_seconds"]) for n in ("l1", "linf", "paper")),
        )
        for r in records
    ]
    header = ("d", "ε", "tries, L1", "tries, L∞", "paper, L1", "ms, L1", "ms, L∞", "ms, paper")
    return Table("Dimensions: tries and milliseconds of one draw", header, rows)


if __name__ == "__main__":
    run_alone(report, __doc__)
