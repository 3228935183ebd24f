"""Draws in many dimensions: how often the paper's procedure tries, next to a radius and a direction.

    python benchmarks/paper_rejection.py [--quick]

The paper draws from its continuous law in d dimensions in two steps [Durfee25, Sec. 5]: it chooses a shell between two
L_1 balls, then draws from the d-dimensional Laplace distribution of that shell until a point lands in it. Both
steps are run here as they stand, except that the shells beyond the last radius are taken as one, which helps. A draw
that has not landed after so many tries is given up. The mean number of tries is also known in closed form: it is the
density over the Laplace distribution's, summed over shells. `noisewise.paper.radial` draws a radius and a direction:
one try.
Continuous laws are for analysis; no release is drawn like this.
"""

import math
import time
from typing import NamedTuple

import numpy as np
from columns import SEED, Floats
from measure import progress
from reporting import Report, Table, number, run_alone

from noisewise.paper.radial import BallDensity

DIMENSIONS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
EPSILONS = (0.5, 2.0, 8.0)
DRAWS, PATIENCE = 200, 2_000
GROWTH = 0.1
"""Radii are 1, 1.1, 1.2, ...; either for 10 (d+4)/epsilon levels, the last one going on for ever, or for 40/epsilon
levels, after which the range ends."""

Record = dict[str, float | str]


class BallLaw(NamedTuple):
    """A law on L_1 shells, and what the paper's procedure needs of it."""

    density: BallDensity
    width: Floats
    inner: Floats
    outer: Floats
    below: Floats

    @classmethod
    def of(cls, d: int, epsilon: float, endless: bool) -> "BallLaw":
        radii = 1 + GROWTH * np.arange(math.ceil((10 * (d + 4) if endless else 40) / epsilon))
        last = float(radii[-1])
        density = BallDensity((0.0,) * d, tuple(radii), epsilon, 1.0, last if endless else None)
        edges = np.append(0.0, np.cumsum(radii))
        if endless:
            radii, edges = np.append(radii, last), np.append(edges, np.inf)
        return cls(density, radii, edges[:-1], edges[1:], density.radius_cdf(edges[1:]))

    def log_mean_tries(self) -> float:
        """The log of the sum over shells of Pr[chosen] / Pr[hit], a ratio of two densities."""
        d, h = len(self.density.centre), self.density.epsilon / 2
        chosen = float(self.density.logpdf(np.zeros(d))) - h * np.arange(self.width.size)
        hit = -d * np.log(2 * self.width / h) - h * self.inner / self.width
        return float(np.logaddexp.reduce(chosen - hit))

    def tries(self, rng: np.random.Generator) -> int:
        """One draw by the paper's procedure: how many points it took, PATIENCE + 1 if none landed."""
        shell = min(int(np.searchsorted(self.below, rng.random())), self.width.size - 1)
        d, tried, batch = len(self.density.centre), 0, 4
        while tried < PATIENCE:
            batch = min(2 * batch, PATIENCE - tried, 256)
            points = rng.laplace(0, self.width[shell] / (self.density.epsilon / 2), (batch, d))
            radius = np.abs(points).sum(axis=1)
            landed = np.flatnonzero((self.inner[shell] < radius) & (radius <= self.outer[shell]))
            if landed.size:
                return tried + int(landed[0]) + 1
            tried += batch
        return PATIENCE + 1


def measured(d: int, epsilon: float, endless: bool, draws: int) -> Record:
    shells, rng = BallLaw.of(d, epsilon, endless), np.random.default_rng(SEED)
    start = time.perf_counter()
    tries = np.array([shells.tries(rng) for _ in range(draws)])
    middle = time.perf_counter()
    shells.density.sample(draws, seed=SEED)
    end = time.perf_counter()
    return {
        "beyond": "endless" if endless else "ends",
        "d": d,
        "epsilon": epsilon,
        "shells": shells.width.size,
        "log_mean_tries": shells.log_mean_tries(),
        "median_tries": float(np.median(tries)),
        "mean_tries_measured": float(tries.mean()),
        "given_up": float((tries > PATIENCE).mean()),
        "seconds_per_draw": (middle - start) / draws,
        "seconds_per_draw_radial": (end - middle) / draws,
    }


def report(quick: bool = False) -> Report:
    dimensions, draws = ((1, 20), 20) if quick else (DIMENSIONS, DRAWS)
    found = Report("paper_rejection")
    for endless in (True, False):
        for epsilon in EPSILONS:
            for d in dimensions:
                progress(f"the paper's procedure, d = {d}, epsilon = {epsilon:g}")
                found.records.append(measured(d, epsilon, endless, draws))
    for beyond, title in (
        ("endless", "Tries per draw, radii that grow beyond where the mass is"),
        ("ends", "Tries per draw, radii that grow until the range ends"),
    ):
        found.tables.append(Table(title, HEADER, [_row(r) for r in found.records if r["beyond"] == beyond]))
    found.notes.append(f"Medians and means measured over {draws} draws, given up after {PATIENCE:,} tries.")
    return found


HEADER = ("ε", "d", "shells", "mean, exact", "mean", "median", "given up", "ms", "radial: tries", "ms")


def _row(record: Record) -> tuple[str, ...]:
    lost = float(record["given_up"])
    mean, median = float(record["mean_tries_measured"]), float(record["median_tries"])
    return (
        f"{record['epsilon']:g}",
        f"{record['d']:,}",
        f"{record['shells']:,}",
        _power(float(record["log_mean_tries"])),
        f"> {number(mean)}" if lost else number(mean),
        f"> {PATIENCE:,}" if median > PATIENCE else number(median),
        f"{lost:.0%}" if lost else "-",
        number(1e3 * float(record["seconds_per_draw"])),
        "1",
        number(1e3 * float(record["seconds_per_draw_radial"])),
    )


def _power(log: float) -> str:
    """A number that may be too large for a float, from its natural logarithm."""
    return number(math.exp(log)) if log < math.log(1e6) else f"10^{log / math.log(10):.0f}"


if __name__ == "__main__":
    run_alone(report, __doc__)
