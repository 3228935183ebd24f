"""Read a law of permute-and-flip in float64, by quadrature. Proof of the law: docs/proofs/permute_and_flip.md."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.planning.readings.law_reading import LawReading

NEGLIGIBLE = 2.0**-62
"""A million points, each accepted less often than this, change the probabilities of others by less than 1e-12."""

FARTHEST = 64
"""The integrand at t is below exp(-t * expected accepted points). Beyond this exponent it is left out."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)

BLOCK = 1 << 14


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PermuteAndFlipReading(PermuteAndFlipLaw, LawReading):
    """A single law of permute-and-flip with methods that read it."""

    def logpmf(self, values: ArrayLike) -> Any:
        """The logarithm of the probability of each value. It is finite even if the probability underflows."""
        k, named = self._named(values)
        rate = float(self.rate)
        logs = log_chances(rate * self._float_cost(self._all()), rate * self._float_cost(k))
        logs = np.where(named, logs, -np.inf)
        return logs[0] if np.ndim(values) == 0 else logs.reshape(np.shape(values))

    def expected_error(self) -> float:
        """The mean distance of a draw from the middle of the plateau, which is the true answer unless levels were
        widened."""
        middle = sum(self._plateau()) / 2
        return float(self.granularity) * float(np.sum(self._table() * np.abs(self._all() - middle)))

    def bias(self) -> float:
        """How far above the middle of the plateau a draw is on average; below it if negative."""
        return self.errors(0.5)[2]

    def within(self, share: float) -> float:
        """The least distance from the middle of the plateau that holds this share of the probability."""
        return self.errors(share)[1]

    def errors(self, share: float) -> tuple[float, float, float]:
        """The mean error, the least distance that holds this share of the probability, and the bias."""
        step, table = float(self.granularity), self._table()
        away = self._all() - sum(self._plateau()) / 2
        order = np.argsort(np.abs(away), kind="stable")
        held = np.searchsorted(np.cumsum(table[order]), share - 1e-12)
        within = float(np.abs(away[order[min(int(held), order.size - 1)]]))
        return step * float(table @ np.abs(away)), step * within, step * float(table @ away)

    def _cdf(self, k: Integers) -> Floats:
        low, high = self._ends()
        shares = np.minimum(np.cumsum(self._table()), 1.0)[np.clip(k, low, high) - low]
        return np.where(k < low, 0.0, np.where(k >= high, 1.0, shares))

    def _table(self) -> Floats:
        """The probabilities of all points of the support, in order."""
        exponents = float(self.rate) * self._float_cost(self._all())
        return np.exp(log_chances(exponents, exponents))

    def _all(self) -> Integers:
        low, high = self._ends()
        return np.arange(low, high + 1)


def log_chances(exponents: Floats, wanted: Floats) -> Floats:
    """The logarithms of the probabilities that permute-and-flip answers with the points of the ``wanted`` exponents.

    ``exponents`` holds rate * cost of all points, including the wanted ones. The integral is taken by Gauss-Legendre
    quadrature, on pieces in which the integrand falls by a bounded factor.
    """
    accepted, chance = np.exp(-exponents), np.exp(-wanted)
    t, weights = _nodes(float(accepted.sum()))
    logs = np.zeros(t.size)
    for part in _blocks(accepted):
        logs += np.log1p(-np.outer(t, accepted[part])).sum(axis=1)
    weights = weights * np.exp(logs)
    shares = np.full(wanted.size, weights.sum())
    for part in _blocks(chance):
        shares[part] = weights @ (1 / (1 - np.outer(t, chance[part])))
    log_shares: Floats = np.log(shares) - wanted
    return log_shares


def _blocks(chances: Floats) -> list[Integers]:
    """The indices of all chances above `NEGLIGIBLE`, in blocks of ``BLOCK``."""
    likely = np.flatnonzero(chances > NEGLIGIBLE)
    return np.split(likely, range(BLOCK, likely.size, BLOCK))


def _nodes(expected: float) -> tuple[Floats, Floats]:
    """Nodes and weights of quadrature on [0, 1], in pieces of doubling length. The integrand changes little on the
    first one."""
    reach = np.concatenate([[0.0], 2.0 ** np.arange(np.log2(FARTHEST) + 1)]) / max(expected, 1.0)
    edges = reach if reach[-1] < 1 else np.append(reach[reach < 0.9], 1.0)  # the last piece is not tiny
    halves, middles = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return np.ravel(middles[:, None] + halves[:, None] * NODES), np.ravel(halves[:, None] * WEIGHTS)
