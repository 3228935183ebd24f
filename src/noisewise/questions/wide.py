"""Wide laws: how many records it takes before an answer can say anything, by public facts alone.

But for a chance of one in twenty, so many people separate a release from the true answer. Those who own all records can
make any answer of them, so that with no more records than these the release may be anywhere within its bounds, whatever
the records say. A receipt says so where that is known, or where it takes very many. Proof: docs/proofs/planning.md.
"""

import math
from dataclasses import dataclass
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
    return None if _is_tiny(request) else _people_off(request, log_miss)


def _people_off(request: "Request", log_miss: float) -> int | None:
    mechanism, owned = request.mechanism, request.contributions
    exponent = math.log(request.frame.answers.points) - log_miss
    if not isinstance(mechanism, Balance):
        return math.ceil(exponent / (float(mechanism.epsilon) / 2) * ROUNDED_UP)
    statistic, shift = request.aimed
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
    """With so many records or fewer the answer may be anywhere within its bounds; None if that is not known."""
    if request.statistic.reads != "records":
        return None
    people = _people_off(request, LOG_MISS)
    if people is None:
        return request.statistic.least_records(request.record_epsilon)
    return request.statistic.records_moved_by(people * request.contributions)


@dataclass(frozen=True, slots=True)
class Width:
    """How wide a law is, by public facts: always as wide as the bounds, or with few records. Both may be unknown."""

    always: str = ""
    """Why the answer could be anywhere whatever the records say."""
    records: int | None = None
    """With so many records or fewer it could be anywhere."""

    @classmethod
    def of(cls, request: "Request") -> "Width":
        if isinstance(request.mechanism, Laplace):
            return cls("the noise is as wide as they are" if is_all_noise(request) else "")
        if _is_tiny(request):
            return cls("epsilon is too small for any data")
        return cls(records=records_needed(request))

    def note(self, size: int | None) -> str:
        """What a reader must know of a wide law; nothing if it is not that wide.

        ``size`` is the number of records, if that is public.
        """
        if self.always:
            return f"{ANYWHERE}: {self.always}"
        needed = self.records
        if needed is None or (needed < MANY if size is None else needed < size):
            return ""
        if size is None:
            return f"with {needed:,} records or fewer this answer could be anywhere within its bounds"
        return f"{ANYWHERE}: that takes more than {needed:,} records"
