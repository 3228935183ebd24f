"""The recursion: the delta of releases with fixed losses in a fixed order, chosen after seeing the answers before.

Let w be the likelihood ratio of the answers so far, and V(w) the largest value that the remaining releases can reach.
V(w) is (w - 1)+ if no release remains. Before a release it is the worst mean of V(w*z) over its log ratios ln z:

    pure             epsilon with probability 1/(1 + e^epsilon), else -epsilon
    bounded range    t with probability (e^-t - e^-epsilon)/(1 - e^-epsilon), else t - epsilon, 0 <= t <= epsilon

The delta of all releases at an epsilon is e^epsilon * V(e^-epsilon) [Dong, Durfee & Rogers 2020]. V is convex, so its
chords between the points of a grid lie above it, and the result is never too small. It is computed in float64 from sums
and products of positive numbers. SLACK covers their rounding, if exp, expm1 and log err by at most 4 units in the last
place. Proof: docs/proofs/composition.md.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.kernel.numbers.arrays import Floats

STEPS = 32
"""The number of grid steps in the smallest bounded range, if there is time. The grid adds less than 0.1% to epsilon."""

WORK = 1.2e7
"""The most cells of a grid, which take less than a second."""

POINTS = 2**16
"""The most points of a grid."""

MOST_RELEASES, MOST_EPSILON = 10_000, Fraction(300)
"""More releases might exceed SLACK, and a larger sum of epsilons might exceed float64."""

SLACK = 1 + Fraction(1, 2**24)
"""Covers a thousand times the relative error of MOST_RELEASES steps."""

UNDERFLOW = Fraction(1, 2**600)
"""Covers underflow: at most 2^-1074 in each of about 10^6 sums and products, times e^MOST_EPSILON."""


class Recursion:
    """V before the first release, at the points of a grid in ln w."""

    def __init__(self, losses: Sequence[PureDP | BoundedRange]) -> None:
        self.step, moves = _grid(losses)
        self.reach = sum(moves)
        self.values = np.maximum(np.expm1(self.step * np.arange(-2 * self.reach, 2 * self.reach + 1)), 0.0)
        left = 0  # the remaining releases can move w by this many steps; further out V stays 0 or w - 1
        for loss, move in zip(reversed(losses), reversed(moves), strict=True):
            left += move
            window = slice(2 * self.reach - left, 2 * self.reach + left + 1)
            before = self._bounded_range if isinstance(loss, BoundedRange) else self._pure
            self.values[window] = before(move, window)

    @staticmethod
    def is_for(losses: Sequence[PureDP | BoundedRange]) -> bool:
        """Whether float64 can hold the numbers, and a grid that takes about a second is fine enough."""
        total = sum((loss.epsilon for loss in losses), Fraction(0))
        if not (0 < total <= MOST_EPSILON and len(losses) <= MOST_RELEASES):
            return False
        step, moves = _grid(losses)
        return sum(moves) * step <= 1.1 * float(total)

    def delta(self, at: Fraction) -> Fraction:
        """An upper bound on the delta at ``at``."""
        if at >= self.reach * Fraction(self.step):
            return Fraction(0)
        cell, s = divmod(-float(at), self.step)
        low, high = self.values[2 * self.reach + int(cell) :][:2]
        chord = (low * math.exp(s) * math.expm1(self.step - s) + high * math.expm1(s)) / math.expm1(self.step)
        return min(Fraction(math.exp(float(at)) * float(chord)) * SLACK + UNDERFLOW, Fraction(1))

    def _moved(self, window: slice, steps: int) -> Floats:
        moved: Floats = self.values[window.start + steps : window.stop + steps]
        return moved

    def _pure(self, move: int, window: slice) -> Floats:
        upper = 1 / (1 + math.exp(self.step * move))
        lower = 1 / (1 + math.exp(-self.step * move))
        mean: Floats = upper * self._moved(window, move) + lower * self._moved(window, -move)
        return mean

    def _bounded_range(self, move: int, window: slice) -> Floats:
        """The worst mean over t. In a cell, t = m*h + s and the mean is c - a*e^-s - b*e^s, largest at e^2s = a/b."""
        h, eta = self.step, self.step * move
        width, worst = math.expm1(h), np.zeros(window.stop - window.start)
        for m in range(move):
            top, topmost = self._moved(window, m), self._moved(window, m + 1)
            low, lower = self._moved(window, m + 1 - move), self._moved(window, m - move)
            steep, flat = (topmost - top) / width, (low - lower) / width
            a = np.maximum((lower - flat) - (top - steep), 0.0) * math.exp(-m * h)
            b = np.maximum(steep * math.exp(-eta) - flat, 0.0)
            with np.errstate(divide="ignore", invalid="ignore"):
                s = np.nan_to_num(np.log(a / b) / 2).clip(0.0, h)
            rest = h - s
            far, near = np.expm1(s) / width, np.exp(s) * np.expm1(rest) / width
            up = np.exp(-m * h - s) * np.expm1(-(move - 1 - m) * h - rest) / math.expm1(-eta)
            down = np.expm1(-m * h - s) / math.expm1(-eta)
            mean = up * (near * top + far * topmost) + down * (near * lower + far * low)
            np.maximum(worst, mean, out=worst)
        return worst


def _grid(losses: Sequence[PureDP | BoundedRange]) -> tuple[float, list[int]]:
    """The step of the grid, and each epsilon as a number of steps, rounded up."""
    sizes = [loss.epsilon for loss in losses]
    ranges = [loss.epsilon for loss in losses if isinstance(loss, BoundedRange) and loss.epsilon]
    total, area, pure = float(sum(sizes)), float(sum(ranges)), len(sizes) - len(ranges)
    line, square = total * pure, total * area  # a step costs square/step^2 + line/step cells
    finest = max(total / POINTS, (line + math.sqrt(line**2 + 4 * square * WORK)) / (2 * WORK))
    common = sizes[0]
    for size in set(sizes):
        ends = (common.numerator * size.denominator, size.numerator * common.denominator)
        common = Fraction(math.gcd(*ends), common.denominator * size.denominator)
        if float(common) < finest:
            break
    if float(common) < finest:
        step = Fraction(finest)
    else:  # every epsilon is a multiple of it; pure losses need no finer one
        wanted = math.ceil(STEPS * common / min(ranges)) if ranges else 1
        step = common / max(1, min(wanted, int(common / Fraction(finest))))
    return math.nextafter(float(step), math.inf), [math.ceil(size / step) for size in sizes]
