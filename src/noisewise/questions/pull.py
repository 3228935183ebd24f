"""The pull of a statistic: the most that one record moves its score. It is checked before anything is paid.

The mechanism balance divides epsilon by the pull. So the pull is asked for anew at every statistic and every epsilon.
Shifted inverse sensitivity uses the score of the answer after some removals. That score is found here, too.
"""

import math
from fractions import Fraction

from noisewise.errors import ParameterTypeError
from noisewise.kernel.laws.balance_law import NO_SHIFT
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.mechanisms import GaussianBalance, ShiftedInverse, ShiftedPiecewiseLaplace
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.prices import Price, pure_epsilon
from noisewise.questions.choice import ScoreMove, no_shift
from noisewise.statistics.f1 import F1
from noisewise.statistics.huber_mean import HuberMean
from noisewise.statistics.mean import Mean, Proportion
from noisewise.statistics.quantile import Quantile, QuantileEnd
from noisewise.statistics.ratio import Rate, Ratio
from noisewise.statistics.row_losses import MAE, MSE, Accuracy, LogLoss
from noisewise.statistics.statistic import Statistic
from noisewise.statistics.weighted_mean import WeightedMean

COUNTS: tuple[type[Statistic], ...] = (Quantile, QuantileEnd)
"""Statistics whose score counts the records up to an answer. A swapped record moves it by a bump."""
FRACTIONS: tuple[type[Statistic], ...] = (Mean, Proportion, MAE, MSE, Accuracy, LogLoss, F1)
"""Statistics whose score is a sum of parts that rise. It is used only if records are added or removed."""
SUMS: tuple[type[Statistic], ...] = (HuberMean, Rate, Ratio, WeightedMean)
"""Statistics with the same kind of score. To swap a record is to remove one and to add one."""


def shifted(
    statistic: Statistic, neighbors: Neighbors, epsilon: Fraction, answers: Answers
) -> tuple[Statistic, Fraction] | None:
    """Return the statistic after some removals, and how much higher its score is. None if no proof covers that."""
    after = statistic.shifted(neighbors, epsilon, answers)
    if (
        after is None
        or len({checked_pull(each, neighbors, epsilon, answers) for each in (statistic, after[0])}) > 1
    ):
        return None  # the price is that of a score with the same pull
    return after


def aim(
    statistic: Statistic,
    mechanism: object,
    neighbors: Neighbors,
    epsilon: Fraction,
    answers: Answers,
) -> tuple[Statistic, Fraction]:
    """Return the statistic that a mechanism scores, as it is or after removals, and how much higher that score is."""
    if not isinstance(mechanism, ShiftedInverse):
        return statistic, NO_SHIFT
    if (after := shifted(statistic, neighbors, epsilon, answers)) is None:
        raise no_shift() from None
    return after


def epsilon_per_record(price: Price, records: int, mechanism: object = None) -> Fraction:
    """The part of a person's epsilon that pays for each of the person's ``records``.

    A score is asked for at this epsilon. For Gaussian balance it is the most that a record moves ln D - ln U.
    """
    epsilon = mechanism.reach if isinstance(mechanism, GaussianBalance) else pure_epsilon(price)
    return epsilon if records == 1 else epsilon / records


def move_of(statistic: Statistic, neighbors: Neighbors, records: int) -> ScoreMove | None:
    """How a person with so many ``records`` moves the score. None if it is not proved. Public.

    Nothing is proved for a score of your own, nor for a class that inherits from a proved one.
    """
    kind = type(statistic)
    if neighbors == "add_remove" and kind in (*COUNTS, *FRACTIONS, *SUMS):
        return ScoreMove("rises", records)
    if neighbors == "swap" and kind in COUNTS:
        return ScoreMove("bump", records)
    return ScoreMove("rises", 2 * records) if neighbors == "swap" and kind in SUMS else None


def removals_note(mechanism: object, shift: Fraction) -> tuple[str, ...]:
    """The note about removals on a receipt; empty if the mechanism is not shifted by removals."""
    if not isinstance(mechanism, (ShiftedInverse, ShiftedPiecewiseLaplace)):
        return ()
    count = mechanism.removals if isinstance(mechanism, ShiftedPiecewiseLaplace) else math.ceil(abs(shift))
    removals = f"{count:,} removals"
    return (f"drawn around the answer after {removals}: beyond the true one at most once in 20",)


def checked_pull(
    statistic: Statistic, neighbors: Neighbors, epsilon: Fraction, answers: Answers
) -> Fraction | None:
    """The most that one record moves the score; None if balance cannot answer."""
    given: object = statistic.pull(neighbors, epsilon)
    if given is None or not statistic.has_score_on(answers):
        return None
    if isinstance(given, bool) or not isinstance(given, (int, Fraction)) or given <= 0:
        raise ParameterTypeError(
            f"pull() of {statistic}",
            "must return a Fraction above 0, or None where there is no score",
            got=describe(given),
            fix="where what a record says of an answer lies between -1 and 1, return Fraction(1)",
        ) from None
    return given if type(given) is Fraction else Fraction(given)
