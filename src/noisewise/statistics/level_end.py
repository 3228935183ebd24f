"""Ends of an interval from the levels of an envelope: they are so many edits away that a draw is beyond the answer.

The levels of any nested envelope make a score that one edit moves by at most 1 everywhere. An answer y above the true
answer has the score l - 1/2, where l is the number of levels that end at or below y. An answer y below the true answer
has the score -(l - 1/2), where l is the number of levels that begin above y. If a public number of edits is added to
this score, an edit still moves it by at most 1. Balance can draw from it at twice the pull, since the shape of the move
is unknown. Proof: docs/proofs/level_end.md.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import LargeIntegers, whole_numbers
from noisewise.kernel.numbers.balls import ball, precision
from noisewise.statistics.records import Groups
from noisewise.statistics.statistic import BOTH, Frame, ScoreStatistic, Statistic

PULL = Fraction(2)
"""An edit moves the score by at most 1, but in an unknown shape. That costs a factor of 2."""

FARTHEST_END = 2**400
"""An end is at most this many edits away from the answer. Float64 can hold more."""


@dataclass(frozen=True, slots=True)
class LevelEnd(ScoreStatistic):
    """The answer of a statistic moved up by ``edits``, a public number of edits. A negative number moves it down."""

    relations = BOTH

    of: Statistic
    edits: int
    ahead: int = 0
    """The number of steps added to an upper end: 1 if the answer may lie between two steps and is rounded down."""

    def __str__(self) -> str:
        return f"an end of {self.of}"

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction:
        return PULL

    def support_of(self, frame: Frame, neighbors: Neighbors, size: int) -> tuple[int | None, int | None]:
        return self.of.support_of(frame, neighbors, size)

    def score(self, column: Any, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        count = self.records_of(column)
        last = self._levels(count, levels)
        # one level more: the last level may be wider than it is if more levels are asked for
        nearest = self.of.envelope(column, answers, last + 1)
        return self._shifted(nearest.truncate(last), count, levels)

    def records_of(self, column: Any) -> int:
        return self.of.records_of(column)

    def scores(self, groups: Groups, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        counts = groups.counts.tolist()
        most = max((self._levels(count, levels) for count in counts), default=0)
        envelopes = self.of.envelopes(groups, answers, most + 1)  # one more, here as well
        each = [
            self._shifted(envelopes[group].truncate(self._levels(count, levels)), count, levels)
            for group, count in enumerate(counts)
        ]
        return Score.stack(each)

    def _levels(self, count: int, levels: int) -> int:
        """The number of levels to read for ``levels`` levels around the end. There are at most count + 1."""
        return min(levels + abs(self.edits), count + 1)

    def _shifted(self, envelope: Envelope, count: int, levels: int) -> Score:
        low, high = envelope.support
        assert low is not None and high is not None, "an answer that has ends lies between bounds"
        moved = Envelope.of(
            np.minimum(envelope.lower + self.ahead, high),
            np.minimum(envelope.upper + self.ahead, high),
            (low, high),
        )
        score = Score.of_levels(moved, more=self._levels(count, levels) <= count)
        return lowered(score, self.edits)


def level_ends(
    statistic: Statistic, frame: Frame, epsilon: Fraction, miss: Fraction
) -> tuple[LevelEnd, LevelEnd]:
    """The ends, moved by the least number of edits with (points - 1)/2 * e^-(epsilon/pull * (edits + 1/2)) <= miss."""
    odds = Fraction(frame.answers.points - 1) / (2 * miss)
    edits = max(0, math.ceil(upper_logarithm(odds) * PULL / epsilon - Fraction(1, 2)))
    if edits > FARTHEST_END:
        raise ParameterError(
            "epsilon",
            f"must be larger for an interval of {statistic}",
            why="its ends would be further away from it than numbers go",
        ) from None
    return LevelEnd(statistic, -edits), LevelEnd(statistic, edits, ahead=int(statistic.floored(frame)))


def upper_logarithm(number: Fraction, bits: int = 128) -> Fraction:
    """The logarithm of a positive number, rounded up to ``bits`` bits."""
    with precision(bits):
        above = ball(number).log().upper().fmpq()
    return Fraction(int(above.p), int(above.q))


def _less(heights: LargeIntegers, shift: int) -> LargeIntegers:
    """Heights, which may be fractions, minus a whole number."""
    if heights.dtype == object or abs(shift) >= 2**62:
        return np.asarray(heights.astype(object) - shift, object)
    return whole_numbers(heights - shift)


def lowered(score: Score, by: int) -> Score:
    """The score minus a whole number of any size."""
    shift = score.bottom * by
    first = _less(score.first, shift)
    return replace(score, first=first, last=first if score.last is score.first else _less(score.last, shift))
