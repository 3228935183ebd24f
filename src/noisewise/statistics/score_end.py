"""Ends of an interval by a score: answers at which records pull so strongly that a draw there is beyond the answer.

If a public number of pulls is added to a score, it moves between neighbours as before, so balance draws from it at the
same price. A score is at least 0 from the answer on, and at most 0 before it. With enough pulls, the weight of one step
of answers is larger than the weight of all answers on the wrong side. Proof: docs/proofs/score_end.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noisewise.errors import ParameterError
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.statistics.level_end import FARTHEST_END, lowered, upper_logarithm
from noisewise.statistics.statistic import BOTH, Frame, ScoreStatistic


@dataclass(frozen=True, slots=True)
class ScoreEnd(ScoreStatistic):
    """The answer of a statistic moved up by ``pulls``, a public number of pulls. A negative number moves it down.

    A draw may be one step on the wrong side of the answer, and the answer is rounded. So an end is moved out by two.
    """

    relations = BOTH
    steps_out = 2

    of: ScoreStatistic
    pulls: int

    def __str__(self) -> str:
        return f"an end of {self.of}"

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction:
        return self.of.pull(neighbors, epsilon)

    def support_of(self, frame: Frame, neighbors: Neighbors, size: int) -> tuple[int | None, int | None]:
        return self.of.support_of(frame, neighbors, size)

    def score(self, column: Any, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        return lowered(self.of.score(column, answers, levels + abs(self.pulls), epsilon), self.pulls)


def score_ends(
    statistic: ScoreStatistic, neighbors: Neighbors, epsilon: Fraction, cells: Fraction, miss: Fraction
) -> tuple[ScoreEnd, ScoreEnd]:
    """The ends, moved by the least number of pulls with cells/2 * e^-(epsilon/pull * pulls) <= miss.

    ``cells`` is the public measure of all answers divided by the smallest measure of one step.
    """
    farthest = upper_logarithm(cells / (2 * miss)) * statistic.pull(neighbors, epsilon) / epsilon
    pulls = max(0, math.ceil(farthest))
    if pulls > FARTHEST_END:
        raise ParameterError(
            "epsilon",
            f"must be larger for an interval of {statistic}",
            why="its ends would be further away from it than numbers go",
        ) from None
    return ScoreEnd(statistic, -pulls), ScoreEnd(statistic, pulls)
