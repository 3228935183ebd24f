"""The pull of a statistic: the most that one record moves its score, judged before anything is paid.

The mechanism balance divides epsilon by it, so it is asked anew for every statistic and every epsilon. Shifted inverse
sensitivity takes the score of what the answer is after some removals, which is here, too.
"""

import math
from fractions import Fraction

from noisewise.errors import ParameterTypeError
from noisewise.kernel.laws.balance_law import NO_SHIFT
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.mechanisms import ShiftedInverse, ShiftedPiecewiseLaplace
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.choice import no_shift
from noisewise.statistics.statistic import ScoreStatistic, Statistic


def writes_its_own(statistic: Statistic, name: str) -> bool:
    """Whether a method belongs to the answer: who writes an envelope or a score of their own must write it, too."""
    kin = type(statistic).__mro__
    own, *others = (_definer(kin, method) for method in (name, "envelope", "score"))
    return own <= min(others)


def _definer(kin: tuple[type, ...], name: str) -> int:
    """The place of the class that defines a method, among a class and those it inherits from."""
    for place, each in enumerate(kin):
        if name in each.__dict__:
            return place
    raise AttributeError(name)


def shifted(
    statistic: Statistic, neighbors: Neighbors, epsilon: Fraction, answers: Answers
) -> tuple[Statistic, Fraction] | None:
    """The statistic after some removals, and by how much its score is higher; None where there is no proof for it."""
    if not writes_its_own(statistic, "shifted"):
        return None
    after = statistic.shifted(neighbors, epsilon, answers)
    if (
        after is None
        or len({checked_pull(each, neighbors, epsilon, answers) for each in (statistic, after[0])}) > 1
    ):
        return None  # a score that moves as far is what is paid for
    return after


def aim(
    statistic: Statistic,
    mechanism: object,
    neighbors: Neighbors,
    epsilon: Fraction,
    answers: Answers,
) -> tuple[Statistic, Fraction]:
    """What a mechanism takes the score of, the statistic or what it is after removals, and how much higher it is."""
    if not isinstance(mechanism, ShiftedInverse):
        return statistic, NO_SHIFT
    if (after := shifted(statistic, neighbors, epsilon, answers)) is None:
        raise no_shift() from None
    return after


def epsilon_per_record(epsilon: Fraction, records: int) -> Fraction:
    """What each of so many records is paid for with."""
    return epsilon if records == 1 else epsilon / records


def removals_note(mechanism: object, shift: Fraction) -> tuple[str, ...]:
    """What a receipt says of removals, where there are any."""
    if not isinstance(mechanism, (ShiftedInverse, ShiftedPiecewiseLaplace)):
        return ()
    count = mechanism.removals if isinstance(mechanism, ShiftedPiecewiseLaplace) else math.ceil(abs(shift))
    removals = f"{count:,} removals"
    return (f"drawn around the answer after {removals}: beyond the true one at most once in 20",)


def checked_pull(
    statistic: Statistic, neighbors: Neighbors, epsilon: Fraction, answers: Answers
) -> Fraction | None:
    """The most that one record moves the score; None where balance cannot answer.

    A statistic with an envelope of its own must have a score of its own, too, and what a pull says holds for the score
    that is written beside it.
    """
    kin = type(statistic).__mro__
    envelope, score, pull = _definer(kin, "envelope"), _definer(kin, "score"), _definer(kin, "pull")
    given: object = statistic.pull(neighbors, epsilon) if score <= envelope else None
    if given is None or not statistic.has_score_on(answers):
        return None
    if score != pull and kin[pull] is not ScoreStatistic:
        raise ParameterTypeError(
            f"{statistic}",
            f"must define pull() in the class that defines score(), which is {kin[score].__name__}",
            why="it says how far one record moves that score",
        ) from None
    if isinstance(given, bool) or not isinstance(given, (int, Fraction)) or given <= 0:
        raise ParameterTypeError(
            f"pull() of {statistic}",
            "must return a Fraction above 0, or None where there is no score",
            got=describe(given),
            fix="where what a record says of an answer lies between -1 and 1, return Fraction(1)",
        ) from None
    return given if type(given) is Fraction else Fraction(given)
