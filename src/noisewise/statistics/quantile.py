"""Quantiles: the order statistic of rank max(1, ceil(q*n)) of a bounded column.

One edit slides the rank by at most ``stride`` places, so l edits reach the value l*stride places up or down the sorted
column, or a bound once ranks run out:

    upper[l] = x[ceil(q*n + l*stride)]      lower[l] = x[ceil(q*n - l*stride)]

The stride is 1 if a record is swapped, max(q, 1-q) if one is added or removed. An empty column answers with the lower
bound, which is rank 0. At q = 0 the rank is 1 as long as a record is left. Proof: docs/proofs/quantile.md.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from noisewise.answers import Answers
from noisewise.columns.column import Column, Neighbors
from noisewise.envelope import Envelope
from noisewise.errors import ParameterError
from noisewise.exact import Number, describe, exact, spell
from noisewise.statistics.statistic import BOTH, Statistic

SHARE = re.compile(r"[0-9]{0,99}[.][0-9]{1,99}|[0-9]{1,99}(/0*[1-9][0-9]{0,99})?")
NAMED = {(0, 1): "min", (1, 2): "median", (1, 1): "max"}


@dataclass(frozen=True, slots=True, init=False)
class Quantile(Statistic):
    """The q-quantile, for a fraction q of [0, 1]: an actual record, of rank max(1, ceil(q*n))."""

    relations = BOTH

    q: Fraction

    def __init__(self, q: Number | str) -> None:
        object.__setattr__(self, "q", exact_share(q))

    def __str__(self) -> str:
        ratio = self.q.as_integer_ratio()
        return NAMED.get(ratio) or f"quantile({spell(self.q)})"

    def attained(self, levels: int) -> bool:
        return True

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound: every upper[l] and lower[l] is attained."""
        count, lattice = column.count, column.lattice
        below, above = self._ranks(count, min(levels, count), column.neighbors)
        start, stop = max(1, int(below[-1])), min(count, int(above[-1]))
        window = np.concatenate([[lattice.low], column.ranks(start, stop + 1), [lattice.high]])
        lower = window[np.maximum(below - start + 1, 0)]
        upper = window[np.minimum(above - start + 1, window.size - 1)]
        return Envelope.of(lower, upper, (lattice.low, lattice.high))

    def _ranks(
        self, count: int, levels: int, neighbors: Neighbors
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The ranks that level 0, 1, ... reaches downwards and upwards; below 1 and above count stand the bounds."""
        edits = np.arange(levels + 1)
        if neighbors == "swap":
            rank = min(count, max(1, -(-self.q.numerator * count // self.q.denominator)))
            return rank - edits, rank + edits
        stride = max(self.q, 1 - self.q)
        below = _ceilings(self.q * count, -stride, levels)
        above = _ceilings(self.q * count, stride, levels)
        if self.q == 0:
            below[0] += count > 0
            above += edits < count
        return below, above


def _ceilings(start: Fraction, slope: Fraction, last: int) -> NDArray[np.int64]:
    """ceil(start + l*slope) for l = 0..last, in integers."""
    scale = start.denominator * slope.denominator
    whole, rest = divmod(start.numerator * slope.denominator, scale)
    tread = slope.numerator * start.denominator
    if (abs(tread) + 1) * (last + 1) + scale < 2**62:
        return whole - (-(rest + tread * np.arange(last + 1)) // scale)
    return np.array([whole - (-(rest + tread * l) // scale) for l in range(last + 1)], np.int64)


def exact_share(q: object, name: str = "q") -> Fraction:
    """A share of the records as typed: a number, or text such as "1/3"."""
    if isinstance(q, str):
        if not SHARE.fullmatch(q.strip()):
            raise ParameterError(
                f'{name} must be a number, or a decimal or fraction as text such as "1/3", got {describe(q)}'
            ) from None
        share = Fraction(q.strip())
    else:
        share = exact(name, q)
    if not 0 <= share <= 1:
        raise ParameterError(f"{name} must be between 0 and 1, got {describe(q)}") from None
    return share
