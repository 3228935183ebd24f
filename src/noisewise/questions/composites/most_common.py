"""The most common category, by permute-and-flip on the counts of all categories.

    cost(c) = max(counts) - counts[c]        a coin accepts c with probability exp(-rate * cost(c))

When a person is added, counts only rise. So a person with m records moves the lead of one category over another by at
most m, and the rate is epsilon/m, not half of that. A swap lowers one count and raises another. So the lead moves by
up to 2, and the rate is epsilon/2. Proof: docs/proofs/most_common.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.losses import Loss, PureDP
from noisewise.kernel.mechanisms import PermuteAndFlip
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.prices import Rho, pure_epsilon
from noisewise.kernel.sampling import Bits, SystemBits, audit_choice
from noisewise.kernel.sampling.coins import Coins
from noisewise.kernel.secret import Secret
from noisewise.questions.composites.count_distinct import OfCategories
from noisewise.questions.measured import Measured
from noisewise.questions.promise import Promise
from noisewise.questions.wide import ROUNDED_UP
from noisewise.results.release import Release
from noisewise.tables.columns.labels import Label


@dataclass(frozen=True, slots=True, repr=False)
class Lead(Secret):
    """The secret law: how many records fewer than the most common category each category has, and the rate."""

    behind: Integers
    rate: Fraction

    def draw(self, size: int, *, bits: Bits | None = None) -> Integers:
        """``size`` independent exact draws, as indices of categories."""
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        row = self.behind[np.newaxis]
        coins = Coins.of(row, np.zeros_like(row), np.ones_like(row), self.rate)
        return coins.pick(np.zeros(size, np.int64), bits or SystemBits())

    def logpmf(self) -> Floats:
        """The logarithm of the probability of each category, in float64."""
        from noisewise.planning.readings.permute_and_flip_reading import log_chances

        exponents = float(self.rate) * self.behind.astype(np.float64)
        return log_chances(exponents, exponents)


@dataclass(frozen=True, slots=True, repr=False)
class MostCommon(OfCategories):
    """The most common of the declared categories, checked and not yet paid for."""

    @property
    def loss(self) -> Loss:
        return self.price.loss if isinstance(self.price, Rho) else PureDP(self.price)

    @property
    def memo(self) -> str:
        return f"most common by {PermuteAndFlip.version}"

    @property
    def rate(self) -> Fraction:
        """Epsilon divided by how far one person can move the lead of one category over another."""
        moves = 2 if self.neighbors == "swap" else self.contributions
        return pure_epsilon(self.price) / moves

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        others = max(len(self.labels.names) - 1, 1)
        records = math.log(others / miss) / float(self.rate)
        return Promise(mechanism=PermuteAndFlip.name, behind=math.floor(records * ROUNDED_UP))

    def measured(self) -> Measured:
        """The error is how many records fewer a category has than the most common one."""
        lead = self.look()
        shares, order = np.exp(lead.logpmf()), np.argsort(lead.behind, kind="stable")
        reached, behind = np.cumsum(shares[order]), lead.behind[order]

        def within(share: float) -> float:
            return float(behind[min(int(np.searchsorted(reached, share - 1e-12)), behind.size - 1)])

        return Measured(self.labels.names[int(order[0])], float(shares @ lead.behind), within)

    def look(self) -> Lead:
        counts = self.data.counts(self.labels)
        return Lead(counts.max() - counts, self.rate)

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        with np.errstate(all="ignore"):
            value: Label = self.labels.names[int(self.look().draw(1, bits=bits)[0])]
        return self.released(
            value,
            receipt,
            bits,
            statistic="most common",
            mechanism=PermuteAndFlip.name,
            law=PermuteAndFlip.version,
            notes=(f"one of {len(self.labels.names):,} declared categories; other records are ignored",),
        )
