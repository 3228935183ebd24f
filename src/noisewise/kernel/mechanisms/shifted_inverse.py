"""Shifted inverse sensitivity [Fang, Dong & Yi 2022], by balance: a maximum or a minimum between loose bounds.

Above the largest record nothing pulls: an answer there is one record away, however far it is, so that other mechanisms
answer anywhere up to the bound. Shifted inverse sensitivity aims at the answer after some records were removed instead,
a public number of them, enough that a draw is hardly ever beyond the true answer. The score is that of the quantile
less a constant, which cancels between neighbours: the whole of epsilon is kept. Proof: docs/proofs/shifted_inverse.md.
"""

from dataclasses import dataclass
from typing import ClassVar

from noisewise.kernel.mechanisms.balance import Balance


@dataclass(frozen=True, slots=True, init=False)
class ShiftedInverse(Balance):
    """Balance around the answer after a public number of removals: purely epsilon-DP, for a maximum or a minimum."""

    name: ClassVar[str] = "shifted_inverse"
    version: ClassVar[str] = "shifted-inverse/1"
