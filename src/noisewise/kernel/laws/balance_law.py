"""The law of balance: the first answer at which the pull from above outweighs the pull from below.

With a score phi that rises over the answers, and weights as in `noisewise.kernel.sampling.balance_draw`,

    G(k) = ln D(k) - ln U(k)        P(answer <= k) = F(G(k)) for k below the highest answer, F that of Laplace(1)

Nothing is normalised by a sum that depends on the data, which is why the whole of epsilon is kept. Proof:
docs/proofs/balance.md.

A law is secret; draws are exact and take randomness from the system.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.law import TOGETHER, UNDECIDED, largest_first
from noisewise.kernel.laws.score import Score
from noisewise.kernel.numbers.arrays import Integers, Unsigned
from noisewise.kernel.numbers.exact import whole
from noisewise.kernel.numbers.lattice import values_at
from noisewise.kernel.sampling import Bits, SystemBits, audit_choice
from noisewise.kernel.sampling.balance_draw import draw_answers
from noisewise.kernel.secret import Secret

NO_SHIFT = Fraction(0)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BalanceLaw(Secret):
    """The laws of one or many groups; what is read (pmf, cdf, ...) is read of a single one, ``law[g]``.

    A score may hold only the nearest levels of its data. ``complete`` reads all of them: a draw does so where the
    nearest ones leave it undecided, and so does whoever reads the law. ``shift`` is what the score is at the answer
    without noise, where it is made for another one near it.
    """

    score: Score
    kappa: Fraction
    granularity: Fraction = Fraction(1)
    complete: Callable[[], Score] | None = None
    shift: Fraction = NO_SHIFT

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, group: int) -> "BalanceLaw":
        score, complete = self.score[group], self.complete
        return replace(self, score=score, complete=None if complete is None else lambda: complete()[group])

    # The draw: exact.

    def draw(self, size: int, *, bits: Bits | None = None) -> NDArray[Any]:
        """``size`` independent exact draws from a single law, as values."""
        self._only()
        source = bits or SystemBits()
        groups = np.zeros(whole("size", size, least=0), np.int64)
        words = source.words(groups.size)
        drawn = self._indices(groups, words, source)
        if np.any(unknown := drawn == UNDECIDED):
            drawn[unknown] = self._whole()._indices(groups[unknown], words[unknown], source)
        return values_at(drawn, self.granularity)

    def draw_each(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw from the law of each group, as lattice indices."""
        source = bits or SystemBits()
        words = source.words(len(self))
        drawn = self.draw_from(words, source)
        (unknown,) = (drawn == UNDECIDED).nonzero()
        if unknown.size:
            law = self._whole()
            for group in unknown.tolist():
                drawn[group] = law[group].draw_from(words[group : group + 1], source)[0]
        return drawn

    def draw_from(self, words: Unsigned, bits: Bits) -> Integers:
        """`draw_each` from given first bits; `UNDECIDED` where a draw depends on levels that are not here."""
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        if len(self) == 1:
            return self._indices(np.zeros(1, np.int64), words, bits)
        sizes, drawn, start = self.score.sizes, np.empty(len(self), np.int64), 0
        order = largest_first(sizes)
        while start < len(self):
            some = order[start : start + max(1, TOGETHER // max(1, int(sizes[order[start]])))]
            pieces = self.score.pieces(some, self.kappa)
            indices, sure = draw_answers(pieces, np.arange(some.size), words[some], bits)
            drawn[some] = np.where(sure, indices, UNDECIDED)
            start += some.size
        return drawn

    def _indices(self, groups: Integers, words: Unsigned, bits: Bits) -> Integers:
        pieces = self.score.pieces(np.zeros(1, np.int64), self.kappa)
        indices, sure = draw_answers(pieces, groups, words, bits)
        return np.where(sure, indices, UNDECIDED)

    def _whole(self) -> Self:
        """The same law with every level of its data."""
        if self.complete is None or not self.score.more.any():
            return self
        return replace(self, score=self.complete(), complete=None)

    @property
    def ends(self) -> tuple[int, int]:
        """The lowest and the highest index that is ever drawn. Public."""
        return self.score.support

    def _only(self) -> None:
        if len(self) != 1:
            raise ParameterError(
                "one law", "must be chosen to be read, as law[0]", got=f"a batch of {len(self)}"
            ) from None
