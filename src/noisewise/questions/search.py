"""Search: bounds for a column that nobody knows bounds of, from noisy counts of its orders of magnitude.

Every bucket of a `Ladder` is counted and blurred by discrete Laplace noise of one rate. Two public thresholds, computed
from the rate alone, read the noisy counts:

    crowded    so many that noise makes a crowd of no bucket at all, but for half of the chance ``beta``
    peopled    so many that noise makes people in one empty bucket with a chance of at most 1/100

The bounds hold every crowded bucket and go on outwards as long as the next bucket is peopled. Where no bucket beside
that of zero is crowded, the answer is that there is too little data: an outcome like any other. All of it is read off
noisy counts, so only the counts cost privacy, and both ends come from the same. Proof: docs/proofs/private_bounds.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

import numpy as np

from noisewise.columns import Neighbors
from noisewise.columns.arrays import Declared
from noisewise.columns.magnitudes import Ladder
from noisewise.errors import ParameterError
from noisewise.laws.envelope import Envelope
from noisewise.laws.law import Law
from noisewise.mechanisms import Laplace
from noisewise.mechanisms.laplace import WIDEST
from noisewise.numbers.answers import Answers
from noisewise.numbers.exact import describe, exact, spell, whole
from noisewise.privacy import PureDP
from noisewise.privacy.losses import discrete_laplace_rho
from noisewise.sampling import Bits
from noisewise.statistics.quantile import exact_share

SMALLEST, LARGEST = Fraction(1, 2**32), Fraction(2**64)
BETA = Fraction(1, 1_000_000)
STRAY = Fraction(1, 100)
"""The chance that noise alone makes one bucket peopled, and the bounds one power wider."""

SHARE = Fraction(1, 4)
"""What bounds cost of the epsilon of a release that searches for them, unless the user says otherwise."""

Found: TypeAlias = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Search:
    """What is public about a search: the ladder, the loss, the thresholds."""

    ladder: Ladder
    epsilon: Fraction
    neighbors: Neighbors
    contributions: int
    beta: Fraction = BETA

    version: ClassVar[str] = "crowded-powers/1"

    def __post_init__(self) -> None:
        whole("contributions", self.contributions, least=1, most=WIDEST)
        Laplace(epsilon=self.epsilon, sensitivity=self.reach)  # refused here, before anything is paid

    @property
    def reach(self) -> int:
        """By how much one person can move all counts together: a swapped record leaves one bucket and joins another."""
        return 2 if self.neighbors == "swap" else self.contributions

    @property
    def loss(self) -> PureDP:
        if self.neighbors == "swap":
            return PureDP(self.epsilon, rho=2 * discrete_laplace_rho(self.epsilon / 2, 1))
        return PureDP(self.epsilon, rho=discrete_laplace_rho(self.epsilon, self.contributions))

    @property
    def crowded(self) -> int:
        """The least noisy count of a crowded bucket."""
        return self._beyond(self.beta / (2 * self.ladder.buckets))

    @property
    def peopled(self) -> int:
        """The least noisy count of a peopled bucket."""
        return min(self._beyond(STRAY), self.crowded)

    @property
    def overlooked(self) -> int:
        """No bucket outside the bounds holds so many records or more, but for half of the chance ``beta``."""
        return self.crowded + self._beyond(self.beta / 4) - 1

    def _beyond(self, chance: Fraction) -> int:
        """The least k >= 1 that the noise reaches with at most a chance: P(noise >= k) = e^(-rate*k)/(1 + e^-rate)."""
        rate = self.epsilon / self.reach
        odds = math.log(chance.denominator) - math.log(chance.numerator)
        return max(1, math.ceil(Fraction(odds - math.log1p(math.exp(-rate))) / rate))

    def law(self, data: Declared) -> Law:
        """The secret laws of the noisy counts, one for each bucket."""
        counts = self.ladder.count(data)
        envelope = Envelope(counts, counts, np.arange(counts.size + 1), (0, None), self.reach)
        return Laplace(epsilon=self.epsilon, sensitivity=self.reach).law(envelope, Answers.counting())

    def find(self, data: Declared, *, bits: Bits | None = None) -> Found:
        """Look, draw the noisy counts, and read them."""
        return self.read(self.law(data).draw_each(bits=bits).tolist())

    def read(self, noisy: list[int]) -> Found:
        """The bounds that noisy counts show, from the lowest bucket on; None for too little data."""
        zero, last, peopled, crowd = -self.ladder.lowest, len(noisy) - 1, self.peopled, self.crowded
        crowded = [i for i, count in enumerate(noisy) if count >= crowd]
        if not set(crowded) - {zero}:
            return None
        low, high = crowded[0], crowded[-1]
        while low > 0 and noisy[low - 1] >= peopled:
            low -= 1
        while high < last and noisy[high + 1] >= peopled:
            high += 1
        return self.ladder.around(low - zero, high - zero)

    def told(self, found: Found, *, rest: Fraction | None = None) -> tuple[str, ...]:
        """What a reader must know of the bounds found, and what they cost where the answer cost the ``rest``."""
        spent = f"bounds searched for with ε = {spell(self.epsilon)}"
        if found is None:
            few = f"too little data: no power of {self.ladder.base} held clearly more records than noise"
            return (few,) if rest is None else (spent, few)
        sure = (
            f"outside the bounds no power of {self.ladder.base} holds {self.overlooked:,} records or more, "
            f"but for a chance of {spell(self.beta)}"
        )
        return (sure,) if rest is None else (f"{spent}, the answer drawn with ε = {spell(rest)}", sure)


def split(epsilon: Fraction, share: object) -> tuple[Fraction, Fraction]:
    """Epsilon in two parts: for the bounds, and for what is asked between them."""
    part = SHARE if share is None else exact_share(share, "bounds_share")
    if not 0 < part < 1:
        raise ParameterError("bounds_share", "must be above 0 and below 1", got=describe(share)) from None
    return part * epsilon, epsilon - part * epsilon


def fitting(can_be_asked: Callable[[tuple[float, float]], bool]) -> Ladder:
    """The part of the default ladder whose bounds a question can be asked with; the whole one if there is none.

    What a granularity or a mechanism refuses are bounds too narrow or too wide, so the rungs that fit are a run. A
    question that refuses every negative bound gets the rungs above zero, and negative records count as zeros.
    """
    ladder = Ladder.of(2, SMALLEST, LARGEST)
    for signed in (True, False):

        def fits(high: float, signed: bool = signed) -> bool:
            pairs = [(-high, high), (-high, 0.0), (0.0, high)] if signed else [(0.0, high)]
            return all(map(can_be_asked, pairs))

        places = range(len(ladder.rungs))
        first = next((i for i in places if fits(ladder.rungs[i])), None)
        if first is not None:
            last = next(i for i in reversed(places) if fits(ladder.rungs[i]))
            return ladder.part(first, last + 1, signed=signed)
    return ladder


def exact_beta(beta: object) -> Fraction:
    """A chance of failure, above 0 and below 1."""
    chance = exact("beta", beta)
    if not 0 < chance < 1:
        raise ParameterError("beta", "must be above 0 and below 1", got=describe(beta)) from None
    return chance
