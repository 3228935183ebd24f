"""Exact draws: a million from one law, and one from each of many laws.

    python benchmarks/draws.py [--quick]

Pinned to one core where the system allows it. The last column counts, in one more pass, the draws that
float64 could not decide, so that ball arithmetic had to.
"""

import importlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from unittest.mock import patch

import numpy as np
from columns import INCOMES, SEED, incomes
from measure import Call, Times, one_core, progress, race
from reporting import Report, Table, Target, Timing, number, run_alone

import noisewise as nws
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.mechanisms import Gaussian, Laplace
from noisewise.kernel.numbers.answers import Answers

MECHANISMS = ("balance", "piecewise_laplace", "inverse_sensitivity", "laplace")
PEOPLE, LEVELS = 1_000, 90
DRAWS, LAWS, ROUNDS = 1_000_000, 100_000, 7
SIGMA = 100
SLOWER = 1.3
"""How many times as long as discrete Laplace noise, Gaussian noise for as many groups may take."""


def one_law(mechanism: str) -> Law | BalanceLaw:
    """The law of a median of 1,000 incomes at epsilon 1."""
    return nws.hazmat.law(
        nws.Quantile(Fraction(1, 2)), incomes(PEOPLE), bounds=INCOMES.bounds, epsilon=1, mechanism=mechanism
    )


def many_laws(count: int) -> Law:
    """Laws of the medians of ``count`` groups of incomes, each with levels 0..90, in flat arrays."""
    rng = np.random.default_rng(SEED)
    sorted_groups = np.sort(rng.lognormal(10.5, 0.6, (count, LEVELS + 1)).astype(np.int64), axis=1)
    edits = np.arange(LEVELS + 1)
    low, high = map(int, INCOMES.bounds)
    padded = np.pad(sorted_groups, ((0, 0), (1, 1)), constant_values=(low, high))
    rank = (LEVELS + 1) / 2
    envelope = Envelope(
        padded[:, np.ceil(rank - edits / 2).astype(int)].ravel(),
        padded[:, np.ceil(rank + edits / 2).astype(int)].ravel(),
        np.arange(count + 1) * edits.size,
        (low, high),
    )
    return Law(envelope, Fraction(1, 2))


def noisy_counts(count: int) -> tuple[GaussianLaw, Law]:
    """Gaussian and Laplace noise of about the same width for ``count`` groups with counts of their own."""
    counts = np.random.default_rng(SEED).integers(0, PEOPLE, count)
    envelope = Envelope(counts, counts, np.arange(count + 1), (0, None), 1)
    answers = Answers.counting()
    gaussian = Gaussian(rho=Fraction(1, 2 * SIGMA**2), squared_sensitivity=1)
    return gaussian.law(envelope, answers), Laplace(epsilon=Fraction(1, SIGMA), sensitivity=1).law(
        envelope, answers
    )


@contextmanager
def exact_decisions() -> Iterator[list[int]]:
    """Counts the uniform numbers handed to the exact paths."""
    scored, balanced, gaussian = (
        importlib.import_module(f"noisewise.kernel.sampling.{name}")
        for name in ("draw", "balance_draw", "gaussian_draw")
    )
    uniform, seen = scored.Uniform, [0]

    def counted(*args: object) -> object:
        seen[0] += 1
        return uniform(*args)

    with ExitStack() as patched:
        for module in (scored, balanced, gaussian):
            patched.enter_context(patch.object(module, "Uniform", counted))
        yield seen


def report(quick: bool = False) -> Report:
    draws, laws, rounds = (1_000, 100, 2) if quick else (DRAWS, LAWS, ROUNDS)
    progress(f"drawing {draws:,} from one law, one from each of {laws:,} laws")
    batch = many_laws(laws)
    contenders: dict[str, Call] = {
        f"{draws:,} from one {name} law": _drawing(one_law(name), draws) for name in MECHANISMS
    }
    each = f"one from each of {laws:,} laws of {LEVELS} levels"
    contenders[each] = batch.draw_each
    gaussian, laplace = noisy_counts(laws)
    contenders |= {
        f"{draws:,} from one Gaussian law": _drawing(gaussian[0], draws),
        f"Gaussian noise for {laws:,} counts": gaussian.draw_each,
        f"Laplace noise for {laws:,} counts": laplace.draw_each,
    }
    with one_core():
        times = race(contenders, rounds=rounds)
        exact = {name: _exact(call) for name, call in contenders.items()}
    first = next(iter(contenders))
    *_, ours, theirs = times.values()
    targets = [
        Target(f"seconds of {first}", 0.5, times[first].median),
        Target(
            "Gaussian noise for many counts, in times of Laplace noise", SLOWER, ours.median / theirs.median
        ),
    ]
    targets = [] if quick else targets
    records = [
        {"draws": name, "best": t.best, "median": t.median, "rounds": len(t.laps), "exact": exact[name]}
        for name, t in times.items()
    ]
    timings = [Timing.of(name, t.laps, ours=True) for name, t in times.items()]
    return Report("draws", [_table(times, exact)], targets, records, timings=timings)


def _drawing(law: Law | BalanceLaw | GaussianLaw, draws: int) -> Call:
    return lambda: law.draw(draws)


def _exact(call: Call) -> int:
    with exact_decisions() as seen:
        call()
    return seen[0]


def _table(times: dict[str, Times], exact: dict[str, int]) -> Table:
    rows = [(name, number(t.best), number(t.median), f"{exact[name]:,}") for name, t in times.items()]
    return Table("Draws: seconds on one core", ("draws", "best", "median", "of these exact"), rows)


if __name__ == "__main__":
    run_alone(report, __doc__)
