"""The slow path of balance: comparisons of its two integrals made certain by ball arithmetic, as in `certified`."""

import math
from bisect import bisect_right
from fractions import Fraction

from noisewise.kernel.numbers.arrays import quotient
from noisewise.kernel.numbers.balls import Ball, ball, precision
from noisewise.kernel.sampling.balance_noise import LAPLACE, Noise
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.certified import FIRST_PRECISION, certain
from noisewise.kernel.sampling.coordinates import Pieces


class CertifiedPieces:
    """Picks an answer of one group by certain comparisons. It keeps the integrals for each precision it used."""

    def __init__(self, pieces: Pieces, group: int, noise: Noise = LAPLACE) -> None:
        edges = [int(p) for p in pieces.edges[group]]
        kept = [i for i in range(len(edges) - 1) if edges[i] < edges[i + 1]]
        self._pieces, self._noise = pieces, noise
        self._edges = [edges[i] for i in kept] + [edges[-1]]
        self._z = [pieces.coordinate.exact(p) for p in self._edges]
        self._first = [quotient(pieces.first[group, i], pieces.bottom) for i in kept]
        self._last = [quotient(pieces.last[group, i], pieces.bottom) for i in kept]
        self._sums: dict[int, tuple[list[Ball], list[Ball]]] = {}
        largest = max(map(abs, self._first + self._last), default=Fraction(0)) * pieces.kappa
        self._spare = (math.ceil(largest) + 1).bit_length()
        # levels that were not read lie in the outermost pieces; if these have no width, the levels weigh nothing
        self._more = (
            bool(pieces.more[group, 0]) and edges[0] < edges[1],
            bool(pieces.more[group, 1]) and edges[-2] < edges[-1],
        )

    def pick(self, uniform: Uniform) -> int:
        """The least answer k with D >= omega*U at its boundary."""
        return certain(lambda bits: self._least(bits, uniform), uniform, self._spare)

    def pick_known(self, uniform: Uniform) -> int | None:
        """The answer of `pick`, or None if the levels that were read and the first bits of the number do not decide it.

        No further bits are read, because a second try with all levels must begin with the same bits.
        """
        for bits in (FIRST_PRECISION << step for step in range(4)):
            with precision(bits + self._spare):
                answer = self._least(bits, uniform)
            if answer is not None:
                return answer
        return None

    def _least(self, bits: int, uniform: Uniform) -> int | None:
        first, last = self._pieces.support
        while first < last:
            middle = (first + last) // 2
            enough = self._enough(middle, bits, uniform)
            if enough is None:
                return None
            first, last = (first, middle) if enough else (middle + 1, last)
        return first

    def _enough(self, k: int, bits: int, uniform: Uniform) -> bool | None:
        """Whether D >= omega*U at the boundary of k; None if balls overlap."""
        down, up = self.integrals(k, bits)
        least_down, least_up = self._least_integrals(k, down, up, bits)
        return self._noise.enough(down, least_down, up, least_up, uniform)

    def _least_integrals(self, k: int, down: Ball, up: Ball, bits: int) -> tuple[Ball, Ball]:
        """The least values that D and U can have at the boundary of k. ``down`` and ``up`` count only levels read.

        The other levels make phi lower in the first piece and higher in the last one. So they make D and U smaller,
        except U inside the first piece and D inside the last one. There the other integral counts as 0, so that nothing
        is decided.
        """
        left, right = self._boundary(k)
        below, above = self._cumulative(bits)
        if self._more[0]:
            down = ball(0) if right <= self._edges[1] else down - below[1]
        if self._more[1]:
            up = ball(0) if left >= self._edges[-2] else up - above[-2]
        return down, up

    def _boundary(self, k: int) -> tuple[int, int]:
        """The position where U of answer k begins, and the position where D ends."""
        unit = self._pieces.unit
        if self._pieces.places:
            return k, k + 1
        return unit * k + unit // 2, unit * k + unit // 2

    def integrals(self, k: int, bits: int) -> tuple[Ball, Ball]:
        """D and U at the boundary of k, as balls of the current precision."""
        left, right = self._boundary(k)
        return self._below(right, bits), self._above(left, bits)

    def _below(self, p: int, bits: int) -> Ball:
        i = self._piece(p)
        if i is None:
            return ball(0) if p <= self._edges[0] else self._cumulative(bits)[0][-1]
        return self._cumulative(bits)[0][i] + self._mass(i, self._z[i], self._pieces.coordinate.exact(p), 1)

    def _above(self, p: int, bits: int) -> Ball:
        i = self._piece(p)
        if i is None:
            return ball(0) if p >= self._edges[-1] else self._cumulative(bits)[1][0]
        return self._cumulative(bits)[1][i + 1] + self._mass(
            i, self._pieces.coordinate.exact(p), self._z[i + 1], -1
        )

    def _piece(self, p: int) -> int | None:
        """The piece that holds a position, which may be its left end; None if no piece does."""
        i = bisect_right(self._edges, p) - 1
        return i if 0 <= i < len(self._first) else None

    def _mass(self, i: int, left: Fraction, right: Fraction, sign: int) -> Ball:
        """The integral of e^(sign*kappa*phi) over a part of piece i."""
        kappa, width = self._pieces.kappa, self._z[i + 1] - self._z[i]
        slope = sign * kappa * (self._last[i] - self._first[i]) / width
        start = sign * kappa * self._first[i] + slope * (left - self._z[i])
        if not slope:
            return ball(start).exp() * ball(right - left)
        return ball(start).exp() * ball(slope * (right - left)).expm1() / ball(slope)

    def _cumulative(self, bits: int) -> tuple[list[Ball], list[Ball]]:
        if bits not in self._sums:
            count = len(self._first)
            below, above = [ball(0)], [ball(0)]
            for i in range(count):
                below.append(below[-1] + self._mass(i, self._z[i], self._z[i + 1], 1))
            for i in reversed(range(count)):
                above.append(above[-1] + self._mass(i, self._z[i], self._z[i + 1], -1))
            self._sums[bits] = below, above[::-1]
        return self._sums[bits]
