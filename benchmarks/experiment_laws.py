"""Laws of the family in floats, for comparison alone: an answer drawn from them is not private.

Floats leak through their rounding, and their noise is not drawn exactly.

- balance: docs/proofs/balance.md on the signed distance from the answer, interpolated inside a step. One person moves
  it by at most 1 in any direction, so kappa = epsilon/4 (the third case of the theorem).
- asymmetric: the law of noisewise.paper.family on the levels of an envelope, over a public grid that grows by a factor
  [Durfee 2024]; the grid is coarser here.
- smooth: noise of density proportional to 1/(1 + z^4) times (10/epsilon)*S, clamped to the possible answers
  [NissimRaskhodnikovaSmith07]. S is the largest LS(l)*exp(-epsilon*l/10), LS(l) the exact local sensitivity l changes
  away, of noisewise.paper.family.
"""

from dataclasses import dataclass

import numpy as np
from columns import Floats

from noisewise.kernel.laws.law import Law
from noisewise.paper.above_threshold import first_above, grid, signed_distance
from noisewise.paper.local_sensitivity import Local

Chances = tuple[Floats, Floats]
"""Answers and the probability of each."""

GROWTH, UNIT = 1.01, 1e-6
"""The factor between answers of the public grid, and its first step as a share of the range."""
PIECES = 16
"""Into how many cells a step of the envelope is cut."""


@dataclass(frozen=True, slots=True)
class Steps:
    """An envelope in the unit of answers: level l reaches from ``lower[l]`` to ``upper[l]``; the last is everything."""

    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, law: Law) -> "Steps":
        step = float(law.granularity)
        low, high = law.envelope.support
        assert low is not None and high is not None
        lower, upper = law.envelope.lower.astype(np.float64), law.envelope.upper.astype(np.float64)
        return cls(np.append(lower, low) * step, np.append(upper, high) * step)

    @property
    def centre(self) -> float:
        return float(self.upper[0])

    @property
    def ends(self) -> tuple[float, float]:
        return float(self.lower[-1]), float(self.upper[-1])

    def signed(self, answers: Floats) -> Floats:
        """How many people must change their data to reach each answer, negative below the true one; interpolated."""
        return _cost(self.upper, answers) - _cost(-self.lower, -answers)


def _cost(reached: Floats, answers: Floats) -> Floats:
    """Levels to an answer on one side, 0 on the other; a level that reaches no farther than the last is a jump."""
    level = np.clip(np.searchsorted(reached, answers, side="left"), 1, reached.size - 1)
    width = np.maximum(reached[level] - reached[level - 1], 1e-300)
    within = np.clip((answers - reached[level - 1]) / width, 0, 1)
    return np.where(answers > reached[0], level - 1 + within, 0.0)


def balance(steps: Steps, epsilon: float) -> Chances:
    """Where the pulls from both sides are even, each cell weighed by its width."""
    marks = np.unique(np.concatenate([steps.lower, steps.upper]))
    cuts = np.arange(PIECES) / PIECES
    edges = np.append((marks[:-1, None] + np.diff(marks)[:, None] * cuts).ravel(), marks[-1])
    answers, widths = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    pull = epsilon / 4 * steps.signed(answers)
    down = np.logaddexp.accumulate(np.log(widths) + pull)
    up = np.logaddexp.accumulate((np.log(widths) - pull)[::-1])[::-1]
    ratio = np.exp(-np.abs(down - up))
    reached = np.where(down <= up, ratio / 2, 1 - ratio / 2)
    reached[-1] = 1.0
    return answers, _normed(np.diff(reached, prepend=0.0))


def asymmetric(steps: Steps, epsilon: float, growth: float = GROWTH) -> Chances:
    """The first answer of the grid above the threshold; the last one answers where none is."""
    low, high = steps.ends
    answers = grid(low, high, UNIT * (high - low), growth)
    signed = signed_distance(steps.lower, steps.upper, answers)
    return answers, _normed(first_above(signed, epsilon / 2, epsilon / 4))


def smooth(local: Local, epsilon: float) -> Chances:
    """The answer plus noise with a heavy tail."""
    scale = 10 / epsilon * local.smoothed(epsilon / 10)
    angles = (np.arange(40_000) + 0.5) / 40_000 * np.pi - np.pi / 2
    noise = np.tan(angles)
    chances = (1 + noise**2) / (1 + noise**4)
    return np.clip(local.centre + scale * noise, *local.ends), _normed(chances)


def _normed(chances: Floats) -> Floats:
    normed: Floats = np.maximum(chances, 0) / np.maximum(chances, 0).sum()
    return normed
