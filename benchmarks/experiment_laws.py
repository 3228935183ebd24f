"""Laws of the family in floats, for comparison alone: an answer drawn from them is not private.

All three read an envelope. Floats leak through their rounding, and their noise is not drawn exactly.

- balance: docs/proofs/balance.md on the signed distance from the answer, interpolated inside a step. One person moves
  it by at most 1 in any direction, so kappa = epsilon/4 (the third case of the theorem).
- asymmetric: AboveThreshold over a public grid that grows by a factor, on the signed distance less one half, as in
  Durfee (2024). One person moves it by at most 1 either way, so exponential noise of rate a on the threshold and b on
  each answer costs a + 2b: a = epsilon/2, b = epsilon/4.
- smooth: noise of density proportional to 1/(1 + z^4) times (10/epsilon)*S, clamped to the possible answers
  [NissimRaskhodnikovaSmith07]. S is the largest LS(l)*exp(-epsilon*l/10); in the place of LS(l), the local sensitivity
  l changes away, stands the step of the envelope, which is never larger. So its error is at least the one given here.
"""

from dataclasses import dataclass

import numpy as np
from columns import Floats

from noisewise.laws.law import Law

Chances = tuple[Floats, Floats]
"""Answers and the probability of each."""

GROWTH, UNIT = 1.01, 1e-6
"""The factor between answers of the public grid, and its first step as a share of the range."""
PIECES = 16
"""Into how many cells a step of the envelope is cut."""
THRESHOLDS = 200
"""How many values stand for the noise of the threshold, each as likely as the others."""


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

    def signed(self, answers: Floats, *, interpolate: bool) -> Floats:
        """How many people must change their data to reach each answer, negative below the true one."""
        if interpolate:
            return _cost(self.upper, answers) - _cost(-self.lower, -answers)
        above = np.searchsorted(self.upper, answers, side="left")
        below = np.searchsorted(-self.lower, -answers, side="left")
        return np.where(answers > self.centre, above, -below).astype(np.float64)


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
    pull = epsilon / 4 * steps.signed(answers, interpolate=True)
    down = np.logaddexp.accumulate(np.log(widths) + pull)
    up = np.logaddexp.accumulate((np.log(widths) - pull)[::-1])[::-1]
    ratio = np.exp(-np.abs(down - up))
    reached = np.where(down <= up, ratio / 2, 1 - ratio / 2)
    reached[-1] = 1.0
    return answers, _normed(np.diff(reached, prepend=0.0))


def asymmetric(steps: Steps, epsilon: float, growth: float = GROWTH) -> Chances:
    """The first answer of the grid above the threshold; the last one answers where none is."""
    low, high = steps.ends
    unit = UNIT * (high - low)
    count = int(np.ceil(np.log1p((high - low) / unit) / np.log(growth)))
    answers = np.minimum(low + unit * np.expm1(np.arange(count + 1) * np.log(growth)), high)
    signed = steps.signed(answers, interpolate=False)
    scores = signed - 0.5 * np.sign(signed)
    chances = np.zeros(answers.size)
    for quantile in (np.arange(THRESHOLDS) + 0.5) / THRESHOLDS:
        threshold = -np.log(quantile) / (epsilon / 2)
        stops = np.exp(-epsilon / 4 * np.maximum(threshold - scores, 0))
        stops[-1] = 1.0
        with np.errstate(divide="ignore"):
            passed = np.concatenate([[0.0], np.cumsum(np.log1p(-stops[:-1]))])
        chances += stops * np.exp(passed)
    return answers, _normed(chances)


def smooth(steps: Steps, epsilon: float) -> Chances:
    """The answer plus noise with a heavy tail."""
    local = np.maximum(np.diff(steps.upper), -np.diff(steps.lower))[:-1]
    scale = 10 / epsilon * float(np.max(local * np.exp(-epsilon / 10 * np.arange(local.size)), initial=0.0))
    angles = (np.arange(40_000) + 0.5) / 40_000 * np.pi - np.pi / 2
    noise = np.tan(angles)
    chances = (1 + noise**2) / (1 + noise**4)
    return np.clip(steps.centre + scale * noise, *steps.ends), _normed(chances)


def _normed(chances: Floats) -> Floats:
    normed: Floats = np.maximum(chances, 0) / np.maximum(chances, 0).sum()
    return normed
