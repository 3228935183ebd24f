"""Exact draws: float64 decides only if its error bound allows it, and ball arithmetic decides the rest.

The sampler reads a law as steps. Every group is a row: a plateau, the steps of its upper side, and the steps of its
lower side. The step that ends at level l has the points j = 1..width, with these weights at the rate h:

    exp(-h*(l-1 + j/width))   graded (piecewise Laplace)          exp(-h*l)   level (inverse sensitivity)

A point of the plateau has weight 1. An endless step stands for infinitely many steps of its width, one after the other.
All rows have the same levels and the same endless steps. If rows are cut, the last step of each side stands for all
points beyond it. Their weights are not known, but their cost is at least the level of that step less one.

A draw picks a step and then a point inside it. Each is picked by inverting a distribution function at a uniform number.
At first, 64 bits of the number are read. Floats replace the exact weights:

    step     each weight becomes an integer of 61 bits, so cumulative sums are exact and only the weights have errors
    point    floor(x) with x = -(w/h) * log1p(-U*q), where x has an error

Assumption: exp, expm1 and log1p of float64 err by at most 4 units in the last place (2^-52). ``WEIGHT_SLACK`` and
``POINT_SLACK`` are 16 times the errors that follow, and a test compares them with ball arithmetic. If a uniform number
is within the slack of a boundary, `certified` decides with the same bits and more. Proof: docs/proofs/sampling.md.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers, Unsigned, clamped, either, entries
from noisewise.kernel.numbers.balls import Ball, ball
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified import certain, certain_geometric, certain_index, share_of
from noisewise.kernel.secret import Secret

ULP = 2.0**-52
LEAST_RATE = 2.0**-60
"""Below this rate, the weights of the points of a bounded step differ by far less than the slack."""
WEIGHT_SLACK = 16 * 20
POINT_SLACK = 16 * 7
BLOCK = 1 << 15
UNDECIDED = -(2**63)
"""Stands for an answer that depends on levels which were not read."""
FARTHEST = 2**62
"""An endless step ends here, so that 64 bits hold its points. Laws clamp draws nearer, at a public index."""


@dataclass(frozen=True, slots=True, repr=False)
class Steps(Secret):
    """``widths`` has a row for each group and a column for each step. ``levels`` and ``endless`` describe columns."""

    widths: Integers
    levels: Integers
    endless: Booleans
    rate: Fraction
    graded: bool
    cut: bool = False

    def __len__(self) -> int:
        return int(self.widths.shape[0])

    @property
    def closing(self) -> tuple[int, int]:
        """The columns of the last steps of the upper and the lower side."""
        return (self.levels.size - 1) // 2, self.levels.size - 1


def draw(
    steps: Steps, groups: Integers, bits: Bits, words: Unsigned | None = None
) -> tuple[Integers, Integers]:
    """Draw once from each listed group. Return the step, and the point 1..width inside it.

    ``words`` are the first bits of the numbers that pick steps, if they were drawn before. The step is -1 if it depends
    on points beyond a cut.
    """
    if len(steps) > 1 and (steps.widths == steps.widths[0]).all():  # as for counts: one row is enough
        steps, groups = replace(steps, widths=steps.widths[:1]), np.zeros_like(groups)
    weights = FixedWeights.of(steps)
    chosen, points = np.empty(groups.size, np.int64), np.empty(groups.size, np.int64)
    for start in range(0, groups.size, BLOCK):
        part = slice(start, start + BLOCK)
        some = groups[part]
        chosen[part] = weights.pick(some, bits, None if words is None else words[part])
        points[part] = pick_points(steps, some, np.maximum(chosen[part], 0), bits)
    return chosen, points


def draw_one(steps: Steps, bits: Bits, words: Unsigned | None = None) -> tuple[int, int]:
    """`draw` once from a single group. It computes with numbers: a count takes 0.17 ms, and 0.20 ms with arrays."""
    word = (bits.words(1) if words is None else words)[0]
    chosen = int(FixedWeights.of(steps).pick(0, bits, word))
    step = max(chosen, 0)
    width, endless = steps.widths[0, step], steps.endless[step]
    if step and steps.graded:
        return chosen, 1 + geometric(steps, width, endless, bits)
    if width == 1 and not endless:
        return chosen, 1
    return chosen, int(pick_points(steps, np.zeros(1, np.int64), np.array([step]), bits)[0])


@dataclass(frozen=True, slots=True, repr=False)
class FixedWeights:
    """Integer weights of about 61 bits. ``sums`` add them up to each step, and ``slack`` bounds the error of a sum."""

    steps: Steps
    sums: Unsigned
    totals: Unsigned
    slack: Unsigned

    @classmethod
    def of(cls, steps: Steps) -> "FixedWeights":
        weights = float_weights(steps)
        _, exponents = np.frexp(weights.sum(axis=1))
        scale = np.ldexp(1.0, 61 - exponents)  # a power of two: no product is rounded
        weights *= scale[:, None]
        sums = np.cumsum(weights.astype(np.int64), axis=1).view(np.uint64)
        totals = sums[:, -1]
        highest = int(steps.levels.max())
        relative = (16 * float(steps.rate) * (highest + 4) + WEIGHT_SLACK) * ULP
        if float(steps.rate) < LEAST_RATE and steps.endless.any():
            relative = 1.0
        err = np.ceil(totals * relative).astype(np.uint64) + np.uint64(steps.levels.size + 1)
        slack = 2 * err + np.uint64(2)
        if steps.cut:
            slack += np.ceil(np.minimum(2 * most_beyond(steps) * scale, 2.0**61)).astype(np.uint64)
        return cls(steps, sums, totals, slack)

    def pick(self, groups: Any, bits: Bits, words: Any = None) -> Any:
        """Pick a step of each listed group, or of the only group, by its weight; -1 if a cut leaves it undecided."""
        words = bits.words(groups.size) if words is None else words
        target, slack = high_product(words, self.totals[groups]), self.slack[groups]
        chosen = self._search(groups, target)
        index = groups * self.steps.levels.size + chosen
        below = either(chosen > 0, entries(self.sums, index - 1), np.uint64(0))
        sure = (below + slack <= target) & (target + slack <= entries(self.sums, index))
        if self.steps.cut:
            return either(sure, chosen, -1)
        if not isinstance(chosen, np.ndarray):
            return chosen if sure else CertifiedSteps(self.steps, 0).pick(Uniform(int(words), bits))
        exact: dict[int, CertifiedSteps] = {}
        for i in np.flatnonzero(~sure):
            group = int(groups[i])
            if group not in exact:
                exact[group] = CertifiedSteps(self.steps, group)
            chosen[i] = exact[group].pick(Uniform(int(words[i]), bits))
        return chosen

    def _search(self, groups: Any, target: Any) -> Any:
        """The first step of each listed group with a sum above the target."""
        if len(self.steps) == 1:
            return self.sums[0].searchsorted(target, side="right")
        row = groups * self.steps.levels.size
        first, last = np.zeros_like(groups), np.full_like(groups, self.steps.levels.size - 1)
        for _ in range(self.steps.levels.size.bit_length()):
            middle = (first + last) // 2
            beyond = self.sums.take(row + middle) > target
            first, last = np.where(beyond, first, middle + 1), np.where(beyond, middle, last)
            first = np.minimum(first, last)
        return first


class CertifiedSteps:
    """Picks a step of one group by certain comparisons. It keeps the sums of weights of every precision it used."""

    def __init__(self, steps: Steps, group: int) -> None:
        self._widths: list[int] = steps.widths[group].tolist()
        self._wide = [i for i, width in enumerate(self._widths) if width]
        self._steps = steps
        self._sums: dict[int, list[Ball]] = {}

    def pick(self, uniform: Uniform) -> int:
        """The step with the share of [0, 1) that holds the uniform number. Step 0 is the plateau."""

        def decide(bits: int) -> int | None:
            sums = self._cumulative(bits)
            below, above = (sums[-1] * ball(end) for end in uniform.ends)
            return share_of(sums[:-1], below, above)  # the last step takes what the others leave

        return self._wide[certain(decide, uniform)]

    def _cumulative(self, bits: int) -> list[Ball]:
        if bits not in self._sums:
            total, sums = ball(0), []
            for i in self._wide:
                total = total + self._weight(i)
                sums.append(total)
            self._sums[bits] = sums
        return self._sums[bits]

    def _weight(self, i: int) -> Ball:
        width, level = self._widths[i], int(self._steps.levels[i])
        if level == 0:
            return ball(width)
        rate = ball(self._steps.rate)
        decay = -(-rate).expm1()
        if self._steps.graded:
            run = (-rate * (level - 1)).exp() / (rate / width).expm1()
            return run if self._steps.endless[i] else run * decay
        block = (-rate * level).exp() * width
        return block / decay if self._steps.endless[i] else block


def float_weights(steps: Steps) -> Floats:
    """The weight of each step, with an error of at most WEIGHT_SLACK/16 + rate*level units in the last place."""
    rate, shape = float(steps.rate), max(float(steps.rate), LEAST_RATE)
    widths = steps.widths.astype(np.float64)
    decay = -math.expm1(-shape)
    with np.errstate(all="ignore"):
        if steps.graded:
            run = np.exp(-rate * (steps.levels - 1)) / np.expm1(shape / widths)
            weights: Floats = run * decay
            if steps.endless.any():
                weights = np.where(steps.endless, run, weights)
        else:
            block = np.exp(-rate * steps.levels) * widths
            weights = np.where(steps.endless, block / decay, block)
    weights[:, 0] = widths[:, 0]
    return weights


def most_beyond(steps: Steps) -> Floats:
    """A bound on the weight of all points beyond each group's cut. Their costs are at least the last level less one."""
    points = steps.widths[:, steps.closing].sum(axis=1).astype(np.float64)
    most: Floats = points * math.exp(-float(steps.rate) * (int(steps.levels[-1]) - 1))
    return most * (1 + 2.0**-30)


def pick_points(steps: Steps, groups: Integers, chosen: Integers, bits: Bits) -> Integers:
    """A point of each group's chosen step by its weight: 1..width, or any number from 1 if the step is endless."""
    widths, endless = steps.widths[groups, chosen], steps.endless[chosen]
    points = np.ones(chosen.size, np.int64)
    graded = (steps.levels[chosen] > 0) & steps.graded
    if graded.any():
        points[graded] += geometric(steps, widths[graded], endless[graded], bits)
    even = ~graded & (widths > 1)
    if even.any():
        points[even] += uniform(widths[even], bits)
    if not steps.graded and endless.any():
        blocks = geometric(steps, np.ones(endless.sum(), np.int64), endless[endless], bits)
        points[endless] += np.minimum(blocks, FARTHEST // widths[endless] - 1) * widths[endless]
    return points


def geometric(steps: Steps, widths: Any, endless: Any, bits: Bits) -> Any:
    """Draw whole numbers j >= 0 with weight exp(-rate*j/width). If the step is not endless, j is below its width."""
    words, shape, many = (
        bits.words(widths.size),
        max(float(steps.rate), LEAST_RATE),
        isinstance(widths, np.ndarray),
    )
    words = words if many else words[0]
    uniform_part = (words >> np.uint64(11)) * 2.0**-53
    with np.errstate(all="ignore"):
        share = either(endless, 1.0, -math.expm1(-shape))
        mass, scale = uniform_part * share, widths / shape
        depth = -np.log1p(-mass)
        err = ULP * scale * (POINT_SLACK * (mass / (1 - mass) + depth) + 2 * share / (1 - mass))
        top = either(endless, float(FARTHEST), widths - 1.0)
        first, last = (clamped(np.floor(depth * scale + end), 0.0, top) for end in (-err, err))
        sure = (first == last) & (mass < 1 - 64 * ULP) & (widths < 2**52)
    sure &= ~(endless & (float(steps.rate) < LEAST_RATE))
    if not many:
        return int(first) if sure else _certain_point(steps, Uniform(int(words), bits), widths, endless)
    points = np.where(sure, first, 0).astype(np.int64)
    for i in np.flatnonzero(~sure):
        points[i] = _certain_point(steps, Uniform(int(words[i]), bits), widths[i], endless[i])
    return points


def _certain_point(steps: Steps, number: Uniform, width: Any, endless: Any) -> int:
    return min(certain_geometric(number, steps.rate, int(width), endless=bool(endless)), FARTHEST)


def uniform(widths: Integers, bits: Bits) -> Integers:
    """floor(U * width) with uniform U, computed in integers."""
    words, counts = bits.words(widths.size), widths.astype(np.uint64)
    points: Integers = high_product(words, counts).astype(np.int64)
    unsure = words * counts > np.uint64(0) - counts
    for i in np.flatnonzero(unsure):
        points[i] = certain_index(Uniform(int(words[i]), bits), int(widths[i]))
    return points


def high_product(a: Any, b: Any) -> Any:
    """The upper 64 bits of a*b, computed from halves of 32 bits."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_high, a_low, b_high, b_low = a >> half, a & low, b >> half, b & low
    cross = a_high * b_low + (a_low * b_low >> half)
    return a_high * b_high + (cross >> half) + ((a_low * b_high + (cross & low)) >> half)
