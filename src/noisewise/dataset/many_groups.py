"""Many groups: what would take minutes however few the records are is refused before anything is paid.

Only public facts decide: how many groups there are, and how many answers are possible.
"""

from noisewise.errors import Keyword, ParameterError
from noisewise.kernel.mechanisms.balance import Balance
from noisewise.questions.request import Request
from noisewise.statistics import Statistic

MOST_ONE_BY_ONE = 2**18
"""So many groups may have levels that are worked out one group after the other: some seconds."""
MOST_CERTIFIED = 2**13
"""So many draws of balance may be decided by ball arithmetic, at about two milliseconds each."""
SURE_POINTS = 2**43
"""Of so many answers float64 tells hardly any from the next: balance needs ball arithmetic for each draw. Of fewer it
needs it for a part of the draws that is at most so much smaller."""


def judge_many(drawn: list[Request], groups: int) -> None:
    """Refuse too many groups for what a question about one column draws in each."""
    certified = 0
    for request in drawn:
        statistic, by_score = request.statistic, isinstance(request.mechanism, Balance)
        inherited = (
            type(statistic).scores is Statistic.scores
            if by_score
            else type(statistic).envelopes is Statistic.envelopes
        )
        if inherited and groups > MOST_ONE_BY_ONE:
            raise ParameterError(
                "keys",
                f"must be at most {MOST_ONE_BY_ONE:,} for {statistic}, which is answered for one group after the other",
                got=f"{groups:,}",
                fix="ask about some of the groups at a time",
            ) from None
        points = request.frame.answers.points
        certified += groups * min(points, SURE_POINTS) if by_score else 0
        if certified > MOST_CERTIFIED * SURE_POINTS:
            raise ParameterError(
                "granularity",
                f"must be coarser, or groups fewer, for {statistic} by balance",
                why=f"{groups:,} groups of {points:,} possible answers each would take minutes",
                fix=(
                    "leave its interval out, or use " if len(drawn) > 1 else "or use ",
                    Keyword("mechanism", "inverse_sensitivity"),
                ),
            ) from None
