"""Winsorized mean: the mean after the floor(alpha*n) records at each end are pulled in to the next one.

The records that the trimmed mean cuts off count here as the outermost of those it keeps. In the notation of
`trimmed_mean`, with g records cut off at each end of n':

    upper[l] = max over d <= l of (X[s+1] + ... + X[t] + g*X[s+1] + g*X[t]) / n'

and the bound from EXACT_LEVELS on takes the better of the least and the greatest g of a block.
Proof: docs/proofs/winsorized_mean.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.statistics.trimmed.trimmed_mean import TrimmedMean


@dataclass(frozen=True, slots=True, init=False)
class WinsorizedMean(TrimmedMean):
    """The mean with the floor(alpha*n) records at each end pulled in to the next; the lower bound if there are none."""

    name: ClassVar[str] = "winsorized_mean"
    repeats: ClassVar[bool] = True

    def _share_of_one(self, count: int) -> Fraction:
        cut = self.alpha * count // 1
        return Fraction(1 + cut, count) if count - 2 * cut > 1 else Fraction(1)
