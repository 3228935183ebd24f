"""Limits on the number of groups. A question that would take minutes even without records is refused before the debit.

Only public facts decide: the number of groups, the draws in each, and the number of possible answers. `Work` adds up
all questions of one debit, and the limits hold for the total. Draws for all groups at once are not counted.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

from noisewise.errors import Keyword, ParameterError
from noisewise.kernel.mechanisms.balance import Balance, ByScore
from noisewise.kernel.mechanisms.permute_and_flip import PermuteAndFlip
from noisewise.questions.composites.covariance_matrix import CovarianceRequest
from noisewise.questions.composites.histogram import Histogram
from noisewise.questions.composites.linear_regression import RobustRegression, SumsRegression
from noisewise.questions.composites.most_common import MostCommon
from noisewise.questions.composites.quantiles import JointQuantiles, QuantilesBetweenEnds
from noisewise.questions.composites.theil_sen_line import TheilSenLine
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.questions.noise_interval import AroundAnswer, FromSums, WithDrawnEnds
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request, Searched
from noisewise.statistics.level_end import LevelEnd
from noisewise.statistics.principal_component import PrincipalComponent
from noisewise.statistics.statistic import Statistic

MOST_DRAWS = 2**14
"""The most draws that are computed one group after the other. Most draws take less than a millisecond."""
QUANTILES, BINS, NUMBERS, COINS = 5, 2**9, 2**4, 2**13
"""The numbers of quantiles, of bins, of numbers in a vector, and of coins that each take about as long as one draw."""
MOST_CERTIFIED = 2**13
"""The most draws of balance that may need ball arithmetic. Each takes about two milliseconds."""
SURE_POINTS = 2**43
"""With this many possible answers every draw of balance needs ball arithmetic. With half as many, half of the draws
do."""


@dataclass
class Work:
    """The work that all questions of one debit take in each group."""

    draws: int = 0
    certified: int = 0
    questions: list[str] = field(default_factory=list)


def check_many(question: Payable, groups: int, work: Work, *, batched: bool) -> None:
    """Add the work of a question to ``work``. Refuse the question if the total is too much for this many groups."""
    requests = requests_in(question)
    asked = question.memo.partition(" by ")[0]
    draws = _draws(question, requests, batched)
    work.draws += draws
    work.questions += [asked] if draws else []
    if draws and groups * work.draws > MOST_DRAWS:
        each = "a draw" if work.draws == 1 else f"the time of {work.draws:,} draws"
        raise ParameterError(
            "keys",
            f"must be at most {MOST_DRAWS // work.draws:,} for {', '.join(dict.fromkeys(work.questions))}",
            got=f"{groups:,}",
            why=f"each group takes {each}, one group after the other",
            fix="ask about some of the groups at a time"
            + (", or one question at a time" if len(work.questions) > 1 else ""),
        ) from None
    points = [each.frame.answers.points for each in requests if isinstance(each.mechanism, ByScore)]
    joint = question.inner if isinstance(question, QuantilesBetweenEnds) else question
    if isinstance(joint, JointQuantiles) and isinstance(joint.root.mechanism, Balance):
        points += [joint.lattice.points] * len(joint.question.qs)
    work.certified += sum(min(each, SURE_POINTS) for each in points)
    if points and groups * work.certified > MOST_CERTIFIED * SURE_POINTS:
        raise ParameterError(
            "granularity",
            f"must be coarser, or groups fewer, for {asked} by balance",
            why=f"{groups:,} groups of {max(points):,} possible answers each would take minutes",
            fix=(
                "leave its interval out, or use " if isinstance(question, WithDrawnEnds) else "or use ",
                Keyword("mechanism", "inverse_sensitivity"),
            ),
        ) from None


def requests_in(question: Payable) -> list[Request]:
    """The requests that are drawn by a mechanism in each group: for the answer, and for the ends of its interval."""
    match question:
        case Request():
            return [question]
        case WithDrawnEnds():
            return [*requests_in(question.inner), *question.drawn]
        case AroundAnswer():
            return [question.inner]
        case FromSums():
            return [] if question.answered is None else [question.answered]
        case Searched():
            return requests_in(question.asked)
        case TheilSenLine():
            return [question.slope, question.intercept]
        case RobustRegression():
            return requests_in(question.line)
    return []


def _draws(question: Payable, requests: list[Request], batched: bool) -> int:
    """The time of the work that is done for each group by itself, in units of the time of a usual draw."""
    coins = sum(
        each.frame.answers.points // COINS for each in requests if isinstance(each.mechanism, PermuteAndFlip)
    )
    if batched:
        return coins + sum(map(_is_alone, requests))
    return coins + max(1, ceil(_size(question, len(requests))))


def _is_alone(request: Request) -> bool:
    """Whether the levels of a batch are computed for one group after the other."""
    statistic = request.statistic
    if isinstance(statistic, LevelEnd):
        return type(statistic.of).envelopes is Statistic.envelopes
    if isinstance(request.mechanism, ByScore):
        return type(statistic).scores is Statistic.scores
    return type(statistic).envelopes is Statistic.envelopes


def _size(question: Any, requests: int) -> Fraction | int:
    """The time to answer a question about one group, in units of the time of a draw."""
    match question:
        case JointQuantiles():
            return Fraction(len(question.question.qs), QUANTILES)
        case QuantilesBetweenEnds():
            return Fraction(len(question.inner.question.qs) + requests, QUANTILES)
        case Histogram():
            return Fraction(len(question.bins), BINS)
        case MostCommon():
            return Fraction(len(question.labels.names), BINS)
        case CovarianceRequest():
            return _size(question.sums, requests)
        case SumsRegression():
            return _size(question.table, requests)
        case VectorRequest():
            numbers = question.frame.low.size
            alone = isinstance(question.statistic, PrincipalComponent)
            return Fraction(numbers**2 if alone else numbers, NUMBERS)
    return requests
