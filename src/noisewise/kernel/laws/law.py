"""Law: a probability on lattice points, given by an envelope and one exact rate.

    cost(y) = inf { s >= 0 : lower(s) <= y <= upper(s) }        P(y) proportional to exp(-rate * cost(y))

Between integers s, a graded law interpolates the levels (piecewise Laplace, M.1). Other laws use the next whole level
(inverse sensitivity, M.2). If envelopes of neighbours nest, the cost moves by at most one [Durfee25, Thm. 1]. Then a
rate of epsilon/2 has a bounded range of epsilon. Proof: docs/proofs/law.md.
"""

from collections.abc import Sized
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope, Side
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Integers, Unsigned, clamped, either, entries
from noisewise.kernel.numbers.exact import whole
from noisewise.kernel.numbers.lattice import values_at
from noisewise.kernel.sampling import Bits, Steps, SystemBits, audit_choice, draw
from noisewise.kernel.sampling.draw import UNDECIDED, draw_one
from noisewise.kernel.secret import Secret

TOGETHER = 1 << 16
"""A draw from many laws takes this many levels at a time, so that they stay in the processor's cache."""


def only_one(law: Sized) -> None:
    """Refuse a batch of laws."""
    if len(law) != 1:
        raise ParameterError(
            "one law", "must be chosen to be read, as law[0]", got=f"a batch of {len(law)}"
        ) from None


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Law(Secret):
    """The laws of one or many groups. They are secret, and draws from them are exact.

    ``clamp`` is a pair of public indices. A draw beyond one of them becomes that index; the density is never truncated.
    A draw on an open side is clamped at `UTMOST`. If a group has ``nearest`` levels, it has further levels that were
    not read, and an answer that depends on them is `UNDECIDED`. If the plateau is the answer after removals, then
    ``removals`` holds the side and the level of the true answer. Draws do not use it.
    """

    envelope: Envelope
    rate: Fraction
    graded: bool = True
    granularity: Fraction = Fraction(1)
    clamp: tuple[int | None, int | None] | None = None
    nearest: int | None = None
    removals: tuple[Side, int] | None = None

    def __len__(self) -> int:
        return len(self.envelope)

    def __getitem__(self, group: int) -> "Law":
        return replace(self, envelope=self.envelope[group])

    def draw(self, size: int, *, bits: Bits | None = None) -> NDArray[Any]:
        """``size`` independent exact draws from a single law, as values."""
        self._only()
        count = whole("size", size, least=0)
        return values_at(self._indices(np.zeros(count, np.int64), bits or SystemBits()), self.granularity)

    def draw_each(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw from the law of each group, as lattice indices."""
        return self.draw_from(None, bits or SystemBits())

    def draw_from(self, words: Unsigned | None, bits: Bits) -> Integers:
        """One draw for each group. ``words`` are the first random bits of each draw, if they were drawn before.

        From the same words, a law with only the nearest levels draws what the whole law draws, or `UNDECIDED`.
        """
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        if len(self) == 1:
            return self._indices(np.zeros(1, np.int64), bits, words)
        sizes, drawn, start = self.envelope.sizes, np.empty(len(self), np.int64), 0
        order = largest_first(sizes)  # groups with about as many levels make a table
        while start < len(self):
            some = order[start : start + max(1, TOGETHER // int(sizes[order[start]]))]
            part = replace(self, envelope=self.envelope.rows(some))
            drawn[some] = part._indices(np.arange(some.size), bits, None if words is None else words[some])
            start += some.size
        return drawn

    def _indices(self, groups: Integers, bits: Bits, words: Unsigned | None = None) -> Integers:
        """A draw for each listed group. All groups of this law have equally many levels."""
        steps, levels, single = self._steps(), int(self.envelope.sizes[0]), groups.size == len(self) == 1
        picked: tuple[Any, Any] = draw_one(steps, bits, words) if single else draw(steps, groups, bits, words)
        chosen, points = picked
        below = chosen > levels
        level = (0 if single else groups) * levels + clamped(chosen - 1 - levels * below, 0, levels)
        lower, upper = entries(self.envelope.lower, level), entries(self.envelope.upper, level)
        drawn = either(below, lower - points, upper + points)
        drawn = either(chosen == 0, lower + points - 1, drawn)
        drawn = clamped(drawn, *self._ends())
        drawn = drawn if self.nearest is None else either(chosen < 0, UNDECIDED, drawn)
        return np.array([drawn], np.int64) if single else drawn

    def _steps(self) -> Steps:
        """The plateau, upper steps and lower steps of each group. The last step of each side is a jump or endless."""
        lower, upper = (side.reshape(len(self), -1) for side in (self.envelope.lower, self.envelope.upper))
        (low, high), stride, last = self.envelope.support, self.envelope.stride or 0, lower.shape[1]
        widths = np.empty((len(self), 2 * last + 1), np.int64)
        widths[:, 0] = upper[:, 0] - lower[:, 0] + 1
        np.subtract(upper[:, 1:], upper[:, :-1], out=widths[:, 1:last])
        np.subtract(lower[:, :-1], lower[:, 1:], out=widths[:, last + 1 : -1])
        widths[:, last] = stride if high is None else high - upper[:, -1]
        widths[:, -1] = stride if low is None else lower[:, -1] - low
        levels = np.arange(2 * last + 1)
        levels[last + 1 :] -= last
        endless = np.zeros(levels.size, np.bool_)
        endless[last], endless[-1] = high is None, low is None
        cut = self.nearest is not None and last >= self.nearest
        return Steps(widths, levels, endless, self.rate, self.graded, cut)

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The lowest and the highest index that can be drawn, None for an open side. Public."""
        return self.clamp or self.envelope.support

    def _ends(self) -> tuple[int, int]:
        """The lowest and the highest index that can be drawn, with `UTMOST` for an open side."""
        low, high = self.ends
        return (-UTMOST if low is None else low), (UTMOST if high is None else high)

    _only = only_one


def largest_first(sizes: Integers) -> Integers:
    """The indices that sort sizes from the largest to the smallest. Equal sizes keep their order."""
    below = sizes.max(initial=0) - sizes
    return np.argsort(below.astype(np.uint16) if below.max(initial=0) < 2**16 else below, kind="stable")
