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
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from noisewise.numbers.arrays import Booleans, Floats, Integers, LargeIntegers, Unsigned
from noisewise.numbers.large import quotients
from noisewise.sampling.bits import Bits, Uniform
from noisewise.sampling.certified_pieces import CertifiedPieces
from noisewise.sampling.coordinates import boundaries
from noisewise.sampling.draw import ULP
from noisewise.sampling.pieces import Pieces
from noisewise.secret import Secret

FARTHEST = 150.0
"""Beyond this exponent e^(kappa*phi) is cut off: 64 random bits never reach so far."""
BLOCK = 1 << 15


def draw_answers(pieces: Pieces, groups: Integers, words: Unsigned, bits: Bits) -> tuple[Integers, Booleans]:
    """An answer for each listed group from its uniform number, and where it is decided.

    Only what depends on levels that are not known is left undecided.
    """
    weights = FloatWeights.of(pieces)
    drawn, sure = np.empty(groups.size, np.int64), np.empty(groups.size, np.bool_)
    for start in range(0, groups.size, BLOCK):
        part = slice(start, start + BLOCK)
        drawn[part], sure[part] = weights.pick(groups[part], words[part])
    exact: dict[int, CertifiedPieces] = {}
    for i in np.flatnonzero(~sure & ~pieces.more[groups].any(axis=1)):
        group = int(groups[i])
        if group not in exact:
            exact[group] = CertifiedPieces(pieces, group)
        drawn[i], sure[i] = exact[group].pick(Uniform(int(words[i]), bits)), True
    return drawn, sure


@dataclass(frozen=True, slots=True, repr=False)
class FloatWeights(Secret):
    """The integrals D and U at the ends of all pieces in float64, within a relative ``slack`` and an absolute ``rest``.

    Arrays have a column per piece, ``below`` and ``above`` one per end of a piece. ``ends`` is U at the last place of a
    piece, or at its right end; ``before`` the last piece up to it that is not empty; ``bars`` the largest omega that a
    piece reaches. A piece is cut off where its score leaves the range that floats are good for: its first part of
    length ``left`` and its last one of length ``right`` are left out, and ``width`` remains. Lengths are counted from
    the piece's own ends, so that they err in parts of themselves, wherever on a long lattice it lies.
    """

    pieces: Pieces
    left: Floats
    right: Floats
    width: Floats
    start: Floats
    rise: Floats
    below: Floats
    above: Floats
    ends: Floats
    before: Integers
    bars: Floats
    slack: Floats
    rest: Floats

    @classmethod
    def of(cls, pieces: Pieces) -> "FloatWeights":
        kappa, coordinate, edges = float(pieces.kappa), pieces.coordinate, pieces.edges
        widths = coordinate.between(edges[:, :-1], edges[:, 1:])
        with np.errstate(all="ignore"):
            start, end = (kappa * quotients(f, pieces.bottom) for f in (pieces.first, pieces.last))
            largest = np.maximum(np.abs(start), np.abs(end)).max(axis=1)
            near, far = np.clip(start, -FARTHEST, FARTHEST), np.clip(end, -FARTHEST, FARTHEST)
            flat = start == end
            scale = np.where(flat, 0.0, widths / np.where(flat, 1.0, end - start))
            left, right = (np.clip(cut * scale, 0, widths) for cut in (near - start, end - far))
            rise = far - near
            width = np.where(flat | (rise == end - start), widths, np.clip(rise * scale, 0, widths))
            mean = np.where(np.abs(rise) < 1e-300, 1.0, np.expm1(rise) / np.where(rise == 0, 1.0, rise))
            mass = width * mean
            down, up = mass * np.exp(near), mass * np.exp(-far)
            below = np.concatenate([np.zeros((len(down), 1)), np.cumsum(down, axis=1)], axis=1)
            above = np.concatenate([np.cumsum(up[:, ::-1], axis=1)[:, ::-1], np.zeros((len(up), 1))], axis=1)
            ends = above[:, 1:] + (np.exp(-far) if pieces.places else 0.0)
            before = np.maximum.accumulate(np.where(widths > 0, np.arange(widths.shape[1]), 0), axis=1)
            bars = np.where(widths > 0, below[:, 1:] / ends, 0.0)
            bars = np.maximum.accumulate(np.where(np.isnan(bars), np.inf, bars), axis=1)
            exponents = (2 if pieces.places else 6) * np.minimum(largest, 1e300)
            steepest = (
                np.where(flat, 0.0, np.abs(end - start) / widths).max(axis=1) if coordinate.error else 0.0
            )
            slack = 16 * (ULP * (exponents + widths.shape[1] + 20) + coordinate.error * steepest)
            gone = coordinate.between(edges[:, 0], edges[:, -1]) * math.exp(-FARTHEST)
            rest = np.stack(
                [gone + pieces.more[:, 0] * down[:, 0], gone + pieces.more[:, 1] * up[:, -1]], axis=1
            )
        return cls(
            pieces,
            left,
            right,
            width,
            near,
            rise,
            below,
            above,
            ends,
            before,
            bars,
            slack,
            rest * (1 + 2.0**-20),
        )

    def pick(self, groups: Integers, words: Unsigned) -> tuple[Integers, Booleans]:
        """The answer of each listed group, and whether the comparisons were certain."""
        pieces = self.pieces
        low, high = pieces.support
        with np.errstate(all="ignore"):
            least, most = omegas(words)
            i = self._search(groups, (least + most) / 2)
            at = Place.of(self, groups, i)
            inside = i < self.bars.shape[1]
            guess = at.guess((least + most) / 2)
            k = np.clip(np.where(inside, guess, high), low, high)
            sure = at.exceeds(k, most) | (k == high)
            sure &= at.falls_short(k - 1, least) | (k == low)
            last = pieces.more[groups, 1] & (i >= self.bars.shape[1] - 1)
            sure &= ~last & ~(pieces.more[groups, 0] & (i == 0))
        return k, sure

    def _search(self, groups: Integers, omega: Floats) -> Integers:
        """The first piece of each group at whose end D reaches omega*U; the number of pieces if there is none."""
        if len(self.bars) == 1:
            return np.searchsorted(self.bars[0], omega)
        size = self.bars.shape[1]
        row, first, last = groups * size, np.zeros_like(groups), np.full_like(groups, size)
        for _ in range(size.bit_length()):
            middle = (first + last) // 2
            enough = self.bars.take(row + np.minimum(middle, size - 1)) >= omega
            open_ = first < last
            first = np.where(open_ & ~enough, middle + 1, first)
            last = np.where(open_ & enough, middle, last)
        return first


def omegas(words: Unsigned) -> tuple[Floats, Floats]:
    """The ends between which omega lies when the first 64 bits of u are known."""
    half = words < np.uint64(2**63)
    tail = np.where(half, words, ~words).astype(np.float64)
    near, far = tail * 2.0**-63, (tail + 1) * 2.0**-63
    return np.where(half, near, 1 / far), np.where(half, far, 1 / near)


class Integral(NamedTuple):
    """D or U at a boundary, and what it may err absolutely, besides its relative slack."""

    sum: Floats
    error: Floats


@dataclass(frozen=True, slots=True, repr=False)
class Place(Secret):
    """One piece of each listed group: what a comparison inside it needs."""

    pieces: Pieces
    left: Floats
    right: Floats
    width: Floats
    start: Floats
    slope: Floats
    growth: Floats
    decay: Floats
    below: Floats
    above: Floats
    beside: Floats
    slack: Floats
    rest: Floats
    edge: LargeIntegers
    end: LargeIntegers

    @classmethod
    def of(cls, weights: FloatWeights, groups: Integers, i: Integers) -> "Place":
        at = (groups, np.minimum(i, weights.bars.shape[1] - 1))
        width, start, rise = weights.width[at], weights.start[at], weights.rise[at]
        return cls(
            pieces=weights.pieces,
            left=weights.left[at],
            right=weights.right[at],
            width=width,
            start=start,
            slope=rise / np.where(width > 0, width, np.inf),
            growth=np.exp(start),
            decay=np.exp(-start - rise),
            below=weights.below[at],
            above=weights.above[at[0], at[1] + 1],
            slack=weights.slack[groups],
            rest=weights.rest[groups],
            beside=weights.ends[groups, weights.before[groups, np.maximum(at[1] - 1, 0)]],
            edge=weights.pieces.edges[at],
            end=weights.pieces.edges[at[0], at[1] + 1],
        )

    def guess(self, omega: Floats) -> Integers:
        """About where D = omega*U in the piece, as an answer. Nothing rests on it but speed."""
        pieces, width = self.pieces, self.width
        if pieces.places:
            j = (omega * (self.above + width * self.decay) - self.below - self.growth) / (
                self.growth + omega * self.decay
            )
            return self.edge.astype(np.int64) + np.ceil(np.clip(np.nan_to_num(j), 0, width - 1)).astype(
                np.int64
            )
        flat = np.abs(self.slope) * width < 1e-7
        even = (omega * (self.above + width * self.decay) - self.below) / (self.growth + omega * self.decay)
        steep = np.where(flat, 1.0, self.slope)
        b = steep * (self.below - omega * self.above) - self.growth + omega * self.decay
        root = np.sqrt(b * b + 4 * omega)
        x = np.where(b > 0, 2 * omega / (root + b), (root - b) / 2)
        inside = np.clip(np.nan_to_num(np.where(flat, even, (np.log(x) - self.start) / steep)), 0, width)
        origin, behind = pieces.coordinate.position(self.edge, self.left + inside)
        base, part = (np.asarray(each) for each in (origin // pieces.unit, origin % pieces.unit))
        return base.astype(np.int64) + np.ceil((behind + part.astype(np.float64)) / pieces.unit - 0.5).astype(
            np.int64
        )

    def exceeds(self, k: Integers, omega: Floats) -> Booleans:
        """Whether D >= omega*U at the boundary of k, for certain. A boundary beyond the piece counts as its end."""
        down, up, _, after = self._at(k)
        most = omega * (up.sum * (1 + self.slack) + up.error)
        enough: Booleans = after & (down.sum * (1 - self.slack) - down.error >= most)
        return enough

    def falls_short(self, k: Integers, omega: Floats) -> Booleans:
        """Whether D < omega*U at the boundary of k, for certain. A boundary before the piece counts as its start."""
        down, up, before, _ = self._at(k)
        least = omega * (up.sum * (1 - self.slack) - up.error)
        short: Booleans = before & (down.sum * (1 + self.slack) + down.error < least)
        return short

    def _at(self, k: Integers) -> "tuple[Integral, Integral, Booleans, Booleans]":
        """D and U at the boundary of k or the nearer end of the piece; whether it is not after, and not before it."""
        if self.pieces.places:
            here, last = k >= self.edge, self.end - 1
            upto = np.clip(k + 1, self.edge, self.end) - self.edge
            onwards = self.end - np.clip(k, self.edge, np.maximum(last, self.edge))
            down = self.below + upto.astype(np.float64) * self.growth
            up = np.where(here, self.above + onwards.astype(np.float64) * self.decay, self.beside)
            return Integral(down, self.rest[:, 0]), Integral(up, self.rest[:, 1]), k <= last, here
        coordinate, p = self.pieces.coordinate, boundaries(k, self.pieces.unit)
        behind, ahead = (
            coordinate.between(self.edge, p) - self.left,
            coordinate.between(p, self.end) - self.right,
        )
        near, far = np.clip(behind, 0, self.width), np.clip(ahead, 0, self.width)
        down = self.below + near * self.growth * _mean(self.slope * near)
        up = self.above + far * self.decay * _mean(self.slope * far)
        density = np.exp(self.start + self.slope * near)
        return (
            Integral(down, self.rest[:, 0] + coordinate.error * density),
            Integral(up, self.rest[:, 1] + coordinate.error / density),
            (ahead >= 0) & np.asarray(p <= self.end, np.bool_),
            (behind >= 0) & np.asarray(p >= self.edge, np.bool_),
        )


def _mean(x: Floats) -> Floats:
    """(e^x - 1)/x."""
    means: Floats = np.where(np.abs(x) < 1e-300, 1.0, np.expm1(x) / np.where(x == 0, 1.0, x))
    return means
