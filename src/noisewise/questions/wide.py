"""Wide laws: how many records it takes before an answer can say anything, by public facts alone.

But for a chance of one in twenty, so many people separate a release from the true answer. Those who own all records can
make any answer of them, so that with no more records than these the release may be anywhere within its bounds, whatever
the records say. A receipt says so where that is known, or where it takes very many. Proof: docs/proofs/planning.md.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from noisewise.kernel.mechanisms import Balance, Laplace

if TYPE_CHECKING:
    from noisewise.questions.request import Request

MISS = Fraction(1, 20)
LOG_MISS = math.log(MISS)

TINIEST = Fraction(1, 10**15)
"""Below this epsilon for each record no data is large enough for any promise, and float64 is not asked."""

MANY = 1000
"""Where the number of records is secret, fewer than this are not worth a warning."""

ANYWHERE = "by public facts alone this answer could be anywhere within its bounds"

ROUNDED_UP = 1 + 1e-12
"""Logarithms in float64 may be a little low; times this they are not."""


def people_off(request: "Request", log_miss: float) -> int | None:
    """How many people separate a draw from the answer, but for a small chance; None where that is not known."""
    mechanism, owned = request.mechanism, request.contributions
    if _is_tiny(request):
        return None
    exponent = math.log(request.frame.answers.points) - log_miss
    if not isinstance(mechanism, Balance):
        return math.ceil(exponent / (float(mechanism.epsilon) / 2) * ROUNDED_UP)
    statistic, shift = request.aim()
    edits = statistic.edits_off(request.neighbors, request.record_epsilon, exponent)
    return None if edits is None else math.ceil((edits + abs(float(shift))) / owned * ROUNDED_UP)


def _is_tiny(request: "Request") -> bool:
    """Whether epsilon is below `TINIEST` for each record, in integers."""
    top, bottom = request.mechanism.epsilon.as_integer_ratio()
    return top * TINIEST.denominator < request.contributions * bottom


def is_all_noise(request: "Request") -> bool:
    """Whether noise that is the same for all data reaches as far as the bounds, in both directions together."""
    low, high = request.frame.answers.support
    if not isinstance(request.mechanism, Laplace) or low is None or high is None:
        return False
    return bool(
        -2 * LOG_MISS * request.mechanism.sensitivity >= float(request.mechanism.epsilon) * (high - low)
    )


def records_needed(request: "Request") -> int | None:
    """The most records of which the answer may be anywhere within its bounds, whatever they say; None if not known."""
    if isinstance(request.mechanism, Laplace) or request.statistic.reads != "records":
        return None
    people, owned = people_off(request, LOG_MISS), request.contributions
    if people is None:
        return request.statistic.least_records(request.record_epsilon)
    return request.statistic.records_moved_by(people * owned)


def wide_note(request: "Request", size: int | None) -> str:
    """What a reader must know of a wide law, before and after it is paid for; nothing where it is not that wide.

    ``size`` is how many records there are, where that is public.
    """
    if not isinstance(request.mechanism, Laplace) and _is_tiny(request):
        return f"{ANYWHERE}: epsilon is too small for any data"
    if is_all_noise(request):
        return f"{ANYWHERE}: the noise is as wide as they are"
    needed = records_needed(request)
    if needed is None or (needed < MANY if size is None else needed < size):
        return ""
    if size is None:
        return f"with {needed:,} records or fewer this answer could be anywhere within its bounds"
    return f"{ANYWHERE}: that takes more than {needed:,} records"
