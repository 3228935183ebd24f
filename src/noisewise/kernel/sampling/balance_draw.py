"""Exact draws from balance: the first answer at which the pull from above outweighs the pull from below.

A score phi is given in pieces over the answers: on each it is a straight line in a public coordinate z. With

    D(z) = integral of e^(kappa*phi) below z        U(z) = integral of e^(-kappa*phi) above z

and omega = 2u for a uniform u up to 1/2, else 1/(2(1-u)), the answer is the least k with D >= omega*U at its boundary:
D at the right end of k and U at its left end where answers are places of width 1, both halfway to k+1 where answers are
rounded. Both sides are monotone in k, so a float64 guess needs no proof of its own: two comparisons, at k and at k-1,
verify it. Each comparison allows for 16 times the error that the assumption of `draw` implies; where that does not
decide, balls of doubling precision do, with the same bits and more. Proof: docs/proofs/balance.md.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
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
    quotients,
)
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified_pieces import CertifiedPieces
from noisewise.kernel.sampling.coordinates import Pieces, boundaries
from noisewise.kernel.sampling.draw import ULP
from noisewise.kernel.secret import Secret

FARTHEST = 150.0
"""Beyond this exponent e^(kappa*phi) is cut off: 64 random bits never reach so far."""
BLOCK = 1 << 15


def draw_answers(pieces: Pieces, groups: Integers, words: Unsigned, bits: Bits) -> tuple[Integers, Booleans]:
    """An answer for each listed group from its uniform number, and where it is decided.

    Only what depends on levels that are not known is left undecided.
    """
    weights = FloatWeights.of(pieces)
    if groups.size == 1:
        drawn, sure = map(np.atleast_1d, weights.pick(groups[0], words[0]))
    else:
        parts = [slice(start, start + BLOCK) for start in range(0, max(groups.size, 1), BLOCK)]
        picked = [weights.pick(groups[part], words[part]) for part in parts]
        drawn, sure = picked[0] if len(picked) == 1 else map(np.concatenate, zip(*picked, strict=True))
    if sure.all():
        return drawn, sure
    exact: dict[int, CertifiedPieces] = {}
    for i in np.flatnonzero(~sure):
        group = int(groups[i])
        if group not in exact:
            exact[group] = CertifiedPieces(pieces, group)
        known, uniform = exact[group], Uniform(int(words[i]), bits)
        answer = known.pick_known(uniform) if pieces.more[group].any() else known.pick(uniform)
        if answer is not None:
            drawn[i], sure[i] = answer, True
    return drawn, sure


@dataclass(frozen=True, slots=True, repr=False)
class FloatWeights(Secret):
    """The integrals D and U at the ends of all pieces in float64, within a relative ``slack`` and an absolute ``rest``.

    Arrays have a column per piece, ``below`` and ``above`` one per end of a piece. ``growth`` is e^(kappa*phi) at a
    piece's left end, ``decay`` is e^(-kappa*phi) at its right end, and ``bars`` is D/U there, which never falls. What
    is cut off weighs at most ``gone``, and with what is not known ``rest``. Scores that are level on their pieces have
    no ``lines``.
    """

    pieces: Pieces
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
    def of(cls, pieces: Pieces) -> "FloatWeights":
        coordinate, edges, kappa = pieces.coordinate, pieces.edges, float(pieces.kappa)
        places = pieces.places
        with np.errstate(all="ignore"):
            start = kappa * quotients(pieces.first, pieces.bottom)
            end = start if places else kappa * quotients(pieces.last, pieces.bottom)
            largest = np.maximum(-start[:, 0], end[:, -1])  # phi rises
            lines, exponents = None, (2 if places else 6) * np.minimum(largest, 1e300)
            errors = ULP * (exponents + start.shape[1] + 20)
            if places:
                near = far = start if largest.max() <= FARTHEST else clamped(start, -FARTHEST, FARTHEST)
                width = mass = np.asarray(edges[:, 1:] - edges[:, :-1], np.float64)
                whole = np.asarray(edges[:, -1] - edges[:, 0], np.float64)
            else:
                width = coordinate.between(edges[:, :-1], edges[:, 1:])
                whole = coordinate.between(edges[:, 0], edges[:, -1])
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
            gone = whole * math.exp(-FARTHEST)
            outermost = np.empty(pieces.more.shape)
            outermost[:, 0], outermost[:, 1] = down[:, 0], up[:, -1]
            unknown = pieces.more * outermost
            rest = gone[:, None] + unknown
        return cls(
            pieces,
            width,
            growth,
            decay,
            below,
            above,
            bars,
            16 * errors,
            gone * (1 + 2.0**-20),
            rest * (1 + 2.0**-20),
            lines,
        )

    def pick(self, groups: Any, words: Any) -> tuple[Any, Any]:
        """The answer of each listed group, or of a single one, and whether the comparisons were certain."""
        pieces = self.pieces
        low, high = pieces.support
        with np.errstate(all="ignore"):
            least, most = omegas(words)
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
        """Whether all levels that are known begin at one answer, and the draw is that answer, for certain.

        Levels beyond can only pull more strongly: D at the answer is at least the weight of the answer itself, U before
        it at least that of the place before, and the other two are at most what the outermost pieces weigh.
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
        """The first piece of each group at whose end D reaches omega*U; the number of pieces if there is none."""
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
        """Piece i of each listed group."""
        size = self.bars.shape[1]
        i = clamped(i, 0, size - 1)
        piece, left = groups * size + i, groups * (size + 1) + i
        alike = (
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
            return LevelPiece(*alike)
        lines = self.lines
        return LinePiece(
            *alike,
            entries(lines.left, piece),
            entries(lines.right, piece),
            entries(lines.start, piece),
            entries(lines.rise, piece),
        )


@dataclass(frozen=True, slots=True, repr=False)
class ScoreLines(Secret):
    """Pieces on which kappa*phi rises from ``start`` by ``rise``, cut off where it leaves the range of good floats.

    Their first part of length ``left`` and their last one of length ``right`` are left out. Lengths are counted from
    the piece's own ends, so that they err in parts of themselves, wherever on a long lattice it lies.
    """

    left: Floats
    right: Floats
    start: Floats
    rise: Floats

    @classmethod
    def of(
        cls, whole: tuple[Floats, Floats], kept: tuple[Floats, Floats], widths: Floats
    ) -> "tuple[ScoreLines, Floats]":
        """From kappa*phi at both ends, before and after it is cut off; and the width that remains of each piece."""
        (start, end), (near, far) = whole, kept
        flat, rise = start == end, far - near
        scale = np.where(flat, 0.0, widths / np.where(flat, 1.0, end - start))
        left, right = (clamped(cut * scale, 0.0, widths) for cut in (near - start, end - far))
        width = np.where(flat | (rise == end - start), widths, clamped(rise * scale, 0.0, widths))
        return cls(left, right, near, rise), width


def omegas(words: Unsigned) -> tuple[Floats, Floats]:
    """The ends between which omega lies when the first 64 bits of u are known."""
    half = words < np.uint64(2**63)
    tail = either(half, words, ~words).astype(np.float64)
    near, far = tail * 2.0**-63, (tail + 1) * 2.0**-63
    return either(half, near, 1 / far), either(half, far, 1 / near)


class Integral(NamedTuple):
    """D or U at a boundary, and what it may err absolutely, besides its relative slack."""

    sum: Floats
    error: Floats


@dataclass(frozen=True, slots=True, repr=False)
class ScorePiece(Secret, ABC):
    """One piece of each listed group: what a comparison inside it needs. ``edge`` is its left end."""

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
        """About where D = omega*U, as an answer. Nothing rests on it but speed."""

    @abstractmethod
    def integrals(self, k: Integers) -> tuple[Integral, Integral, Booleans, Booleans]:
        """D and U at the boundary of k or the nearer end of the piece; whether it is not after, and not before it."""

    def exceeds(self, k: Integers, omega: Floats) -> Booleans:
        """Whether D >= omega*U at the boundary of k, for certain. A boundary beyond the piece counts as its end."""
        down, up, _, after = self.integrals(k)
        most = omega * (up.sum * (1 + self.slack) + up.error)
        enough: Booleans = after & (down.sum * (1 - self.slack) - down.error >= most)
        return enough

    def falls_short(self, k: Integers, omega: Floats) -> Booleans:
        """Whether D < omega*U at the boundary of k, for certain. A boundary before the piece counts as its start."""
        down, up, before, _ = self.integrals(k)
        least = omega * (up.sum * (1 - self.slack) - up.error)
        short: Booleans = before & (down.sum * (1 + self.slack) + down.error < least)
        return short


class LevelPiece(ScorePiece):
    """Where the score is level: a boundary of answer k has D over the places up to k, and U over those from k on."""

    __slots__ = ()

    def guess(self, omega: Floats) -> Integers:
        # up to the place after the piece: D reaches omega*U there where it does so at the piece's end
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
    """Where the score is a straight line, cut off as `ScoreLines` says: D and U meet halfway from k to k + 1."""

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
        origin, behind = pieces.coordinate.position(self.edge, self.left + inside)
        base, part = (np.asarray(each) for each in (origin // pieces.unit, origin % pieces.unit))
        return base.astype(np.int64) + np.ceil((behind + part.astype(np.float64)) / pieces.unit - 0.5).astype(
            np.int64
        )

    def integrals(self, k: Integers) -> tuple[Integral, Integral, Booleans, Booleans]:
        coordinate, p, slope = self.pieces.coordinate, boundaries(k, self.pieces.unit), self.slope
        behind, ahead = (
            coordinate.between(self.edge, p) - self.left,
            coordinate.between(p, self.end) - self.right,
        )
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
