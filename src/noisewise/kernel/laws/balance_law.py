"""The law of balance: the first answer at which the pull from above outweighs the pull from below.

With a score phi that rises over the answers, and its integrals D and U as in `noisewise.kernel.sampling.balance_draw`,

    G(k) = ln D(k) - ln U(k)        P(answer <= k) = F(G(k)) for k below the highest answer

Here F is the distribution function of the noise: of Laplace(1), or of the standard normal distribution. No sum that
depends on the data normalises this law, so with Laplace noise it can use the whole of epsilon. Proofs:
docs/proofs/balance.md, docs/proofs/gaussian_balance.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.laws.law import TOGETHER, largest_first, only_one
from noisewise.kernel.laws.score import Score
from noisewise.kernel.numbers.arrays import Integers, Unsigned
from noisewise.kernel.numbers.exact import whole
from noisewise.kernel.numbers.lattice import values_at
from noisewise.kernel.sampling import Bits, SystemBits, audit_choice
from noisewise.kernel.sampling.balance_draw import draw_answers
from noisewise.kernel.sampling.balance_noise import LAPLACE, Noise
from noisewise.kernel.sampling.draw import UNDECIDED
from noisewise.kernel.secret import Secret

NO_SHIFT = Fraction(0)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BalanceLaw(Secret):
    """The laws of one or many groups. They are secret, and draws from them are exact.

    The score may hold only the levels nearest to the data. ``complete`` reads all levels; it is called if the nearest
    ones leave a draw undecided, and when probabilities are computed. ``shift`` is the value that the score has at the
    answer without noise, if the score was made for another answer near it.
    """

    score: Score
    kappa: Fraction
    granularity: Fraction = Fraction(1)
    complete: Callable[[], Score] | None = None
    shift: Fraction = NO_SHIFT
    noise: Noise = LAPLACE

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, group: int) -> "BalanceLaw":
        score, complete = self.score[group], self.complete
        return replace(self, score=score, complete=None if complete is None else lambda: complete()[group])

    def draw(self, size: int, *, bits: Bits | None = None) -> NDArray[Any]:
        """``size`` independent exact draws from a single law, as values."""
        self._only()
        return values_at(self._drawn(whole("size", size, least=0), bits), self.granularity)

    def draw_each(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw from the law of each group, as lattice indices."""
        return self._drawn(len(self), bits)

    def _drawn(self, count: int, bits: Bits | None) -> Integers:
        """A draw for each group, or ``count`` from a single law. Undecided draws are repeated with all levels."""
        source = bits or SystemBits()
        words = source.words(count)
        drawn = self.draw_from(words, source)
        undecided = drawn == UNDECIDED
        if undecided.any():
            law = self._whole()
            if len(self) == 1:
                drawn[undecided] = law.draw_from(words[undecided], source)
            else:
                for group in np.flatnonzero(undecided).tolist():
                    drawn[group] = law[group].draw_from(words[group : group + 1], source)[0]
        return drawn

    def draw_from(self, words: Unsigned, bits: Bits) -> Integers:
        """A draw for each group, or for each word from a single law. ``words`` are the first bits of the draws.

        A draw is `UNDECIDED` if it depends on levels that were not read.
        """
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        if len(self) == 1:
            groups = np.zeros(words.size, np.int64)
            return draw_answers(self.score.pieces(groups[:1], self.kappa), groups, words, bits, self.noise)
        sizes, drawn, start = self.score.sizes, np.empty(len(self), np.int64), 0
        order = largest_first(sizes)
        while start < len(self):
            some = order[start : start + max(1, TOGETHER // max(1, int(sizes[order[start]])))]
            pieces = self.score.pieces(some, self.kappa)
            drawn[some] = draw_answers(pieces, np.arange(some.size), words[some], bits, self.noise)
            start += some.size
        return drawn

    def _whole(self) -> Self:
        """This law, computed from all levels."""
        if self.complete is None or not self.score.more.any():
            return self
        return replace(self, score=self.complete(), complete=None)

    @property
    def ends(self) -> tuple[int, int]:
        """The lowest and the highest index that can be drawn. Public."""
        return self.score.support

    _only = only_one
