"""Exact draws from balance: the first answer at which the pull from above outweighs the pull from below.

A score phi is given in pieces over the answers. On each piece it is a straight line in a public coordinate z. With

    D(z) = integral of e^(kappa*phi) below z        U(z) = integral of e^(-kappa*phi) above z

and an omega that a uniform number chooses (`balance_noise`), the answer is the least k with D >= omega*U at its
boundary. If answers are places of width 1, D is taken at the right end of place k and U at its left end. If answers are
rounded, both are taken halfway between k and k + 1.

Both sides of the comparison are monotone in k. So a guess in float64 needs no proof: two comparisons, at k and at k-1,
verify it. Each allows for 16 times the error that follows from the assumption of `draw`. If that does not decide, balls
of doubling precision decide, with the same random bits and more. Proof: docs/proofs/balance.md.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import exp
from typing import Any, NamedTuple

import numpy as np

from noisewise.kernel.numbers.arrays import (
    Booleans,
    Floats,
    Integers,
    LargeIntegers,
    Unsigned,
    clamped,
    either,
    entries,
    floats,
    quotients,
)
from noisewise.kernel.sampling.balance_noise import LAPLACE, Noise
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified_pieces import CertifiedPieces
from noisewise.kernel.sampling.coordinates import Pieces, boundaries
from noisewise.kernel.sampling.draw import ULP, UNDECIDED
from noisewise.kernel.secret import Secret

FARTHEST = 150.0
"""Exponents kappa*phi are cut off at this size. A draw with 64 random bits never depends on larger ones."""
CUT = exp(-FARTHEST)
BLOCK = 1 << 15


def draw_answers(
    pieces: Pieces, groups: Integers, words: Unsigned, bits: Bits, noise: Noise = LAPLACE
) -> Integers:
    """Draw an answer for each listed group. ``words`` are the first 64 bits of the uniform numbers; ``bits`` has more.

    An answer is `UNDECIDED` if it depends on levels that were not read.
    """
    weights = FloatWeights.of(pieces, noise)
    if groups.size == 1:
        picked = [weights.pick(groups[0], words[0])]
        if picked[0][1]:
            return np.array([picked[0][0]], np.int64)
    else:
        parts = [slice(start, start + BLOCK) for start in range(0, max(groups.size, 1), BLOCK)]
        picked = [weights.pick(groups[part], words[part]) for part in parts]
    drawn, sure = (
        np.concatenate([np.atleast_1d(each) for each in side]) for side in zip(*picked, strict=True)
    )
    exact: dict[int, CertifiedPieces] = {}
    for i in np.flatnonzero(~sure):
        group = int(groups[i])
        if group not in exact:
            exact[group] = CertifiedPieces(pieces, group, noise)
        known, uniform = exact[group], Uniform(int(words[i]), bits)
        answer = known.pick_known(uniform) if pieces.more[group].any() else known.pick(uniform)
        drawn[i] = UNDECIDED if answer is None else answer
    return drawn


@dataclass(frozen=True, slots=True, repr=False)
class FloatWeights(Secret):
    """The integrals D and U at the ends of all pieces, in float64.

    Tables have a row for each group and a column for each piece. ``below`` holds D, ``above`` holds U, and ``z`` holds
    the coordinate; they have a column for each end of a piece. ``growth`` is e^(kappa*phi) at the left end of a piece,
    ``decay`` is e^(-kappa*phi) at its right end, and ``bars`` is D/U there, which never falls. The relative error of an
    integral is at most ``slack``, and a further absolute error is at most ``rest``. ``rest`` is the weight of exponents
    that were cut off, ``gone``, plus the weight of levels that were not read. Scores that are level on pieces have no
    ``lines``.
    """

    pieces: Pieces
    noise: Noise
    z: LargeIntegers
    width: Floats
    growth: Floats
    decay: Floats
    below: Floats
    above: Floats
    bars: Floats
    slack: Floats
    gone: Floats
    rest: Floats
    lines: "ScoreLines | None"

    @classmethod
    def of(cls, pieces: Pieces, noise: Noise = LAPLACE) -> "FloatWeights":
        coordinate, edges, places, kappa = pieces.coordinate, pieces.edges, pieces.places, float(pieces.kappa)
        with np.errstate(all="ignore"):
            start = kappa * quotients(pieces.first, pieces.bottom)
            end = start if places else kappa * quotients(pieces.last, pieces.bottom)
            largest = np.maximum(-start[:, 0], end[:, -1])  # phi rises
            exponents = (2 if places else 6) * np.minimum(largest, 1e300)
            errors = ULP * (exponents + start.shape[1] + 20)
            z = edges if places else coordinate.at(edges)
            width, whole = floats(z[:, 1:] - z[:, :-1]), floats(z[:, -1] - z[:, 0])
            if places:
                near = far = start if largest.max() <= FARTHEST else clamped(start, -FARTHEST, FARTHEST)
                lines, mass = None, width
            else:
                if coordinate.error:
                    steepest = np.where(start == end, 0.0, np.abs(end - start) / width).max(axis=1)
                    errors = errors + coordinate.error * steepest
                near, far = (clamped(each, -FARTHEST, FARTHEST) for each in (start, end))
                lines, width = ScoreLines.of((start, end), (near, far), width)
                mass = width * _mean(lines.rise)
            growth, decay = np.exp(near), np.exp(-far)
            down, up = mass * growth, mass * decay
            below, above = np.zeros(edges.shape), np.zeros(edges.shape)
            down.cumsum(axis=1, out=below[:, 1:])
            up[:, ::-1].cumsum(axis=1, out=above[:, -2::-1])
            bars = below[:, 1:] / above[:, 1:]
            gone = whole * (CUT * (1 + 2.0**-20))
            rest = np.empty(pieces.more.shape)
            rest[:, 0], rest[:, 1] = down[:, 0], up[:, -1]
            rest *= pieces.more * (1 + 2.0**-20)
            rest += gone[:, None]
        return cls(pieces, noise, z, width, growth, decay, below, above, bars, 16 * errors, gone, rest, lines)

    def pick(self, groups: Any, words: Any) -> tuple[Any, Any]:
        """The answer of each listed group, or of a single group, and whether the comparisons were certain.

        An answer is never certain if its integrals end in an outermost piece with levels that were not read.
        """
        pieces = self.pieces
        low, high = pieces.support
        with np.errstate(all="ignore"):
            least, most = self.noise.omegas(words)
            omega = (least + most) / 2
            i = self._search(groups, omega)
            at = self.at(groups, i)
            k = clamped(at.guess(omega), low, high)
            sure = at.exceeds(k, most) | (k == high)
            sure &= at.falls_short(k - 1, least) | (k == low)
            last = pieces.more[groups, 1] & (i >= self.bars.shape[1] - 1)
            sure &= ~last & ~(pieces.more[groups, 0] & (i == 0))
            if self.lines is None and not sure.all():
                tied = self._tied(groups, least, most) & ~sure
                k, sure = np.where(tied, pieces.edges[groups, 1], k).astype(np.int64), sure | tied
        return k, sure

    def _tied(self, groups: Integers, least: Floats, most: Floats) -> Booleans:
        """Whether all levels that were read begin at one answer and the draw is certainly that answer.

        Levels that were not read can only pull more strongly. So D at the answer is at least the weight of the answer,
        and U before the answer is at least the weight of the place before. The other two integrals are at most the
        weight of the outermost pieces.
        """
        (low, high), edges = self.pieces.support, self.pieces.edges
        answer, slack, gone = edges[groups, 1], self.slack[groups], self.gone[groups]
        down, up = self.growth[groups, -1] * (1 - slack) - gone, self.decay[groups, 0] * (1 - slack) - gone
        enough = down >= most * (self.above[groups, -2] * (1 + slack) + gone)
        short = self.below[groups, 1] * (1 + slack) + gone < least * up
        alone = (answer == edges[groups, -2]) & (edges.shape[1] > 2)
        tied: Booleans = alone & (enough | (answer == high)) & (short | (answer == low))
        return tied

    def _search(self, groups: Integers, omega: Floats) -> Integers:
        """The first piece of each group with D >= omega*U at its end, or the number of pieces if no piece has this."""
        if len(self.bars) == 1:
            first: Integers = self.bars[0].searchsorted(omega)
            return first
        size = self.bars.shape[1]
        row, first, last = groups * size, np.zeros_like(groups), np.full_like(groups, size)
        for _ in range(size.bit_length()):
            middle = (first + last) // 2
            enough = self.bars.take(row + np.minimum(middle, size - 1)) >= omega
            open_ = first < last
            first = np.where(open_ & ~enough, middle + 1, first)
            last = np.where(open_ & enough, middle, last)
        return first

    def at(self, groups: Integers, i: Integers) -> "LevelPiece | LinePiece":
        """Piece i of each listed group, or of a single group."""
        size = self.bars.shape[1]
        i = clamped(i, 0, size - 1)
        piece, left = groups * size + i, groups * (size + 1) + i
        common = (
            self.pieces,
            entries(self.width, piece),
            entries(self.growth, piece),
            entries(self.decay, piece),
            entries(self.below, left),
            entries(self.above, left + 1),
            self.slack[groups],
            self.rest[groups],
            entries(self.pieces.edges, left),
            entries(self.pieces.edges, left + 1),
        )
        if self.lines is None:
            return LevelPiece(*common)
        lines = self.lines
        return LinePiece(
            *common,
            entries(self.z, left),
            entries(self.z, left + 1),
            entries(lines.left, piece),
            entries(lines.right, piece),
            entries(lines.start, piece),
            entries(lines.rise, piece),
        )


@dataclass(frozen=True, slots=True, repr=False)
class ScoreLines(Secret):
    """The parts of pieces on which the exponent kappa*phi is not cut off. There it rises from ``start`` by ``rise``.

    ``left`` and ``right`` are the lengths that are left out on the two sides. Lengths are counted from the ends of the
    piece. So their relative error stays small, even if the piece lies far out on the lattice.
    """

    left: Floats
    right: Floats
    start: Floats
    rise: Floats

    @classmethod
    def of(
        cls, whole: tuple[Floats, Floats], kept: tuple[Floats, Floats], widths: Floats
    ) -> "tuple[ScoreLines, Floats]":
        """Make the lines, and the remaining widths, from kappa*phi at the ends of pieces before and after the cut."""
        (start, end), (near, far) = whole, kept
        flat, rise = start == end, far - near
        scale = np.where(flat, 0.0, widths / np.where(flat, 1.0, end - start))
        left, right = (clamped(cut * scale, 0.0, widths) for cut in (near - start, end - far))
        width = np.where(flat | (rise == end - start), widths, clamped(rise * scale, 0.0, widths))
        return cls(left, right, near, rise), width


class Integral(NamedTuple):
    """D or U at a boundary, and its absolute error, which comes on top of the relative slack."""

    sum: Floats
    error: Floats


@dataclass(frozen=True, slots=True, repr=False)
class ScorePiece(Secret, ABC):
    """The numbers that a comparison inside one piece of each group needs. The piece's ends are ``edge`` and ``end``."""

    pieces: Pieces
    width: Floats
    growth: Floats
    decay: Floats
    below: Floats
    above: Floats
    slack: Floats
    rest: Floats
    edge: LargeIntegers
    end: LargeIntegers

    @abstractmethod
    def guess(self, omega: Floats) -> Integers:
        """An answer at which D is about omega*U. A wrong guess costs time only."""

    @abstractmethod
    def integrals(self, k: Integers) -> tuple[Integral, Integral, Booleans, Booleans]:
        """Return D and U at the boundary of answer k, or at the nearer end of the piece if the boundary is outside.

        Two Booleans follow: the boundary is not after the piece, and the boundary is not before the piece.
        """

    def exceeds(self, k: Integers, omega: Floats) -> Booleans:
        """Whether D >= omega*U at the boundary of k, for certain. A boundary after the piece is moved to its end."""
        down, up, _, after = self.integrals(k)
        most = omega * (up.sum * (1 + self.slack) + up.error)
        enough: Booleans = after & (down.sum * (1 - self.slack) - down.error >= most)
        return enough

    def falls_short(self, k: Integers, omega: Floats) -> Booleans:
        """Whether D < omega*U at the boundary of k, for certain. A boundary before the piece is moved to its start."""
        down, up, before, _ = self.integrals(k)
        least = omega * (up.sum * (1 - self.slack) - up.error)
        short: Booleans = before & (down.sum * (1 + self.slack) + down.error < least)
        return short


class LevelPiece(ScorePiece):
    """A piece with a level score. At answer k, D covers the places up to k and U covers the places from k on."""

    __slots__ = ()

    def guess(self, omega: Floats) -> Integers:
        # the guess may be the place after the piece: if D reaches omega*U at the end of the piece, it does so there
        j = (omega * (self.above + self.width * self.decay) - self.below - self.growth) / (
            self.growth + omega * self.decay
        )
        inside: Integers = np.ceil(clamped(either(j > 0, j, 0.0), 0.0, self.width)).astype(np.int64)
        return np.asarray(self.edge, np.int64) + inside

    def integrals(self, k: Any) -> tuple[Integral, Integral, Booleans, Booleans]:
        whole = k if isinstance(k, np.ndarray) else int(k)  # the ends may be farther apart than 64 bits hold
        upto = clamped(whole + 1, self.edge, self.end) - self.edge
        onwards = self.end - clamped(whole, self.edge, self.end)
        down = self.below + np.asarray(upto, np.float64) * self.growth
        up = self.above + np.asarray(onwards, np.float64) * self.decay
        below, above = Integral(down, self.rest[..., 0]), Integral(up, self.rest[..., 1])
        return below, above, k < self.end, k >= self.edge


@dataclass(frozen=True, slots=True, repr=False)
class LinePiece(ScorePiece):
    """A piece with a score that is a straight line, cut off as in `ScoreLines`. Answers are rounded.

    ``edge_z`` and ``end_z`` are the coordinates of the piece's ends.
    """

    edge_z: Any
    end_z: Any
    left: Floats
    right: Floats
    start: Floats
    rise: Floats

    @property
    def slope(self) -> Floats:
        slope: Floats = self.rise / either(self.width > 0, self.width, np.inf)
        return slope

    def guess(self, omega: Floats) -> Integers:
        pieces, width, slope = self.pieces, self.width, self.slope
        flat = np.abs(slope) * width < 1e-7
        even = (omega * (self.above + width * self.decay) - self.below) / (self.growth + omega * self.decay)
        steep = either(flat, 1.0, slope)
        b = steep * (self.below - omega * self.above) - self.growth + omega * self.decay
        root = np.sqrt(b * b + 4 * omega)
        x = either(b > 0, 2 * omega / (root + b), (root - b) / 2)
        z = either(flat, even, (np.log(x) - self.start) / steep)
        inside = clamped(either(z > 0, z, 0.0), 0.0, width)
        origin, further = pieces.coordinate.beyond(self.edge, self.edge_z, self.left + inside)
        base, part = origin // pieces.unit, floats(origin % pieces.unit)
        steps = np.ceil((further + part) / pieces.unit - 0.5).astype(np.int64)
        guessed: Integers = np.asarray(base).astype(np.int64) + steps
        return guessed

    def integrals(self, k: Integers) -> tuple[Integral, Integral, Booleans, Booleans]:
        coordinate, p, slope = self.pieces.coordinate, boundaries(k, self.pieces.unit), self.slope
        z = coordinate.at(p)
        behind, ahead = floats(z - self.edge_z) - self.left, floats(self.end_z - z) - self.right
        near, far = clamped(behind, 0.0, self.width), clamped(ahead, 0.0, self.width)
        down = self.below + near * self.growth * _mean(slope * near)
        up = self.above + far * self.decay * _mean(slope * far)
        density = np.exp(self.start + slope * near)
        return (
            Integral(down, self.rest[..., 0] + coordinate.error * density),
            Integral(up, self.rest[..., 1] + coordinate.error / density),
            (ahead >= 0) & np.asarray(p <= self.end, np.bool_),
            (behind >= 0) & np.asarray(p >= self.edge, np.bool_),
        )


def _mean(x: Floats) -> Floats:
    """(e^x - 1)/x."""
    means: Floats = either(np.abs(x) < 1e-300, 1.0, np.expm1(x) / either(x == 0, 1.0, x))
    return means
