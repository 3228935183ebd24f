"""A search for bounds of a column, if nobody knows any. It reads noisy counts of the column's orders of magnitude.

The records in every bucket of `Magnitudes` are counted, and each count gets discrete Laplace noise. Two public
thresholds follow from the rate of the noise alone:

    crowded    noise alone makes at least one empty bucket crowded with probability ``beta/2`` at most
    occupied   noise alone makes a given empty bucket occupied with probability 1/100 at most

The bounds hold every crowded bucket. They extend outwards as long as the next bucket is occupied. If no bucket except
that of zero is crowded, there is too little data; this is an answer like any other. Only the noisy counts cost privacy,
as both bounds are computed from them. Proof: docs/proofs/private_bounds.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import ZCDP, Neighbors, PureDP, discrete_laplace_rho
from noisewise.kernel.mechanisms import Laplace
from noisewise.kernel.mechanisms.laplace import WIDEST
from noisewise.kernel.numbers.exact import describe, exact, spell, whole
from noisewise.kernel.prices import Price, Rho, said
from noisewise.kernel.sampling import Bits
from noisewise.questions.noisy_counts import law_of_counts
from noisewise.statistics.quantile import exact_share
from noisewise.tables.columns.array_column import Declared
from noisewise.tables.columns.magnitudes import Magnitudes

SMALLEST, LARGEST = Fraction(1, 2**32), Fraction(2**64)
BETA = Fraction(1, 1_000_000)
STRAY = Fraction(1, 100)
"""The probability that noise alone makes an empty bucket occupied. The bounds are then one power wider."""

SHARE = Fraction(1, 4)
"""The part of epsilon that a release spends on searching for bounds, unless the user says otherwise."""

FoundBounds: TypeAlias = tuple[float, float] | None
"""The bounds that a search found; None if there is too little data."""


@dataclass(frozen=True, slots=True)
class BoundsSearch:
    """The public part of a search: the buckets, the loss and the thresholds."""

    magnitudes: Magnitudes
    price: Price
    neighbors: Neighbors
    contributions: int
    beta: Fraction = BETA

    version: ClassVar[str] = "crowded-powers/1"

    def __post_init__(self) -> None:
        whole("contributions", self.contributions, least=1, most=WIDEST)
        Laplace(epsilon=self.epsilon, sensitivity=self.reach)  # refused here, before anything is paid

    @property
    def epsilon(self) -> Fraction:
        """The epsilon of the noise. At a price in rho, it is the largest at which all counts together cost as much."""
        return self.price.laplace_epsilon(self.reach) if isinstance(self.price, Rho) else self.price

    @property
    def reach(self) -> int:
        """How far one person can move all counts together. A swapped record leaves one bucket and joins another."""
        return 2 if self.neighbors == "swap" else self.contributions

    @property
    def loss(self) -> PureDP | ZCDP:
        if isinstance(self.price, Rho):
            return self.price.loss
        if self.neighbors == "swap":
            return PureDP(self.epsilon, rho=2 * discrete_laplace_rho(self.epsilon / 2, 1))
        return self.loss_of(1)

    def loss_of(self, records: int) -> PureDP | ZCDP:
        """The loss of a person with ``records`` times as many records as allowed, under add/remove."""
        epsilon = records * self.epsilon
        return PureDP(epsilon, rho=discrete_laplace_rho(epsilon, records * self.contributions))

    @property
    def crowded(self) -> int:
        """The least noisy count of a crowded bucket."""
        return self._beyond(self.beta / (2 * self.magnitudes.buckets))

    @property
    def occupied(self) -> int:
        """The least noisy count of an occupied bucket."""
        return min(self._beyond(STRAY), self.crowded)

    @property
    def overlooked(self) -> int:
        """Every bucket outside the bounds holds fewer records than this, except with probability ``beta/2``."""
        return self.crowded + self._beyond(self.beta / 4) - 1

    def _beyond(self, chance: Fraction) -> int:
        """The least k >= 1 with P(noise >= k) <= chance, where P(noise >= k) = e^(-rate*k)/(1 + e^-rate)."""
        rate = self.epsilon / self.reach
        odds = math.log(chance.denominator) - math.log(chance.numerator)
        return max(1, math.ceil(Fraction(odds - math.log1p(math.exp(-rate))) / rate))

    def law(self, data: Declared) -> Law | GaussianLaw:
        """The secret laws of the noisy counts, one for each bucket."""
        noise = Laplace(epsilon=self.epsilon, sensitivity=self.reach)
        return law_of_counts(noise, self.magnitudes.count(data))

    def find(self, data: Declared, *, bits: Bits | None = None) -> FoundBounds:
        """Count, draw the noisy counts, and read the bounds off them."""
        return self.read(self.law(data).draw_each(bits=bits).tolist())

    def read(self, noisy: list[int]) -> FoundBounds:
        """The bounds that follow from the noisy counts of all buckets, lowest bucket first."""
        zero, last, occupied, crowd = -self.magnitudes.lowest, len(noisy) - 1, self.occupied, self.crowded
        crowded = [i for i, count in enumerate(noisy) if count >= crowd]
        if not set(crowded) - {zero}:
            return None
        low, high = crowded[0], crowded[-1]
        while low > 0 and noisy[low - 1] >= occupied:
            low -= 1
        while high < last and noisy[high + 1] >= occupied:
            high += 1
        return self.magnitudes.around(low - zero, high - zero)

    def overlooks(self, where: str) -> str:
        """A sentence for a promise: how many records the search may overlook. ``where`` names the bounds."""
        return (
            f"with probability {spell(100 * (1 - self.beta))}% no power of {self.magnitudes.base} outside {where} "
            f"holds {self.overlooked:,} records or more"
        )

    def widest(self, data: Declared) -> FoundBounds:
        """Not private: the powers between which all records lie; None if all records are zero, or there are none."""
        held = np.flatnonzero(self.magnitudes.count(data)) + self.magnitudes.lowest
        return self.magnitudes.around(int(held[0]), int(held[-1])) if held.any() else None

    def notes(self, bounds: FoundBounds, *, rest: Price | None = None) -> tuple[str, ...]:
        """The notes about the bounds on a receipt. If an answer cost the ``rest`` of the price, they say both."""
        spent = f"bounds searched for with {said(self.price)}"
        if bounds is None:
            few = f"too little data: no power of {self.magnitudes.base} held clearly more records than noise"
            return (few,) if rest is None else (spent, few)
        sure = (
            f"outside the bounds lie fewer than {self.overlooked:,} records between one power of "
            f"{self.magnitudes.base} and the next, except with a probability of {spell(self.beta)}"
        )
        return (sure,) if rest is None else (f"{spent}, the answer drawn with {said(rest)}", sure)


def split(price: Price, share: object, name: str = "bounds_share") -> tuple[Price, Price]:
    """Divide a price in two parts: one for a search, one for the answer that depends on what is found."""
    part = SHARE if share is None else exact_share(share, name)
    if not 0 < part < 1:
        raise ParameterError(name, "must be above 0 and below 1", got=describe(share)) from None
    return part * price, (1 - part) * price


def fitting(can_be_asked: Callable[[tuple[float, float]], bool]) -> Magnitudes:
    """The default magnitudes that the question accepts as bounds; all of them, if it accepts none.

    A granularity or a mechanism refuses bounds that are too narrow or too wide, so the accepted powers follow each
    other. If the question refuses every negative bound, the powers are above zero, and negative records count as zeros.
    """
    magnitudes = Magnitudes.of(2, SMALLEST, LARGEST)
    for signed in (True, False):

        def fits(high: float, signed: bool = signed) -> bool:
            pairs = [(-high, high), (-high, 0.0), (0.0, high)] if signed else [(0.0, high)]
            return all(map(can_be_asked, pairs))

        indices = range(len(magnitudes.powers))
        first = next((i for i in indices if fits(magnitudes.powers[i])), None)
        if first is not None:
            last = next(i for i in reversed(indices) if fits(magnitudes.powers[i]))
            return magnitudes.part(first, last + 1, signed=signed)
    return magnitudes


def exact_beta(beta: object) -> Fraction:
    """The chance of failure as an exact number. Raises unless it is above 0 and below 1."""
    chance = exact("beta", beta)
    if not 0 < chance < 1:
        raise ParameterError("beta", "must be above 0 and below 1", got=describe(beta)) from None
    return chance
