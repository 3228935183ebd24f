"""Wide laws: with how few records an answer says nothing. Public facts alone decide this.

With probability 95%, a release could have been the true answer if at most k people had other data, and k is public. If
k people could own all the records, the release may be anywhere within its bounds, whatever the records say. The receipt
then says so. It always says with how few records that is so. Proof: docs/proofs/planning.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from noisewise.kernel.mechanisms import (
    ByScore,
    Gaussian,
    GaussianBalance,
    Laplace,
    PermuteAndFlip,
    ShiftedPiecewiseLaplace,
)
from noisewise.kernel.prices import pure_epsilon

if TYPE_CHECKING:
    from noisewise.questions.request import Request

MISS = Fraction(1, 20)
LOG_MISS = math.log(MISS)

TINIEST = Fraction(1, 10**15)
"""If epsilon for each record is below this, no data is large enough for any promise. Nothing is computed then."""

ANYWHERE = "by public facts alone this answer could be anywhere within its bounds"

FEW = "an answer from few records could be anywhere within its bounds"

ROUNDED_UP = 1 + 1e-12
"""Logarithms in float64 may be a little too low. Multiplying by this factor makes up for it."""


def people_off(request: "Request", log_miss: float) -> int | None:
    """The most people that separate a draw from the answer, except with probability e^``log_miss``; None if unknown."""
    return None if _is_tiny(request) else _people_off(request, log_miss)


def _people_off(request: "Request", log_miss: float) -> int | None:
    mechanism, owned, answers = request.mechanism, request.contributions, request.frame.answers
    exponent = math.log(answers.points) - as_laplace(mechanism, log_miss)
    if not isinstance(mechanism, ByScore):
        assert not isinstance(mechanism, Gaussian), "the width of noise is known"
        rate = mechanism.rate(answers) if isinstance(mechanism, PermuteAndFlip) else mechanism.epsilon / 2
        people = math.ceil(exponent / float(rate) * ROUNDED_UP)
        return people + (mechanism.removals if isinstance(mechanism, ShiftedPiecewiseLaplace) else 0)
    statistic, shift = request.aimed
    edits = statistic.edits_off(request.neighbors, request.record_epsilon, exponent)
    return None if edits is None else math.ceil((edits + abs(float(shift))) / owned * ROUNDED_UP)


def as_laplace(mechanism: object, log_miss: float) -> float:
    """The logarithm of the probability with which Laplace noise goes as far as this mechanism's noise at most goes,
    except with probability e^``log_miss``.

    For normal noise Z, P(|Z| > z) <= e^(-z^2/2). Proof: docs/proofs/planning.md, Claim 12.
    """
    return -math.sqrt(-2 * log_miss) if isinstance(mechanism, GaussianBalance) else log_miss


def _is_tiny(request: "Request") -> bool:
    """Whether epsilon is below `TINIEST` for each record, computed in integers."""
    top, bottom = pure_epsilon(request.price).as_integer_ratio()
    return top * TINIEST.denominator < request.contributions * bottom


def is_all_noise(request: "Request") -> bool:
    """Whether the answer has noise that is as wide as its bounds, counting both directions together."""
    low, high = request.frame.answers.support
    if isinstance(request.mechanism, Gaussian) and low is not None and high is not None:
        return 2 * request.mechanism.farthest(MISS / 2) >= high - low
    if not isinstance(request.mechanism, Laplace) or low is None or high is None:
        return False
    return bool(
        -2 * LOG_MISS * request.mechanism.sensitivity >= float(request.mechanism.epsilon) * (high - low)
    )


def records_needed(request: "Request") -> int | None:
    """The most records with which the answer may still be anywhere within its bounds; None if that is not known."""
    people = _people_off(request, LOG_MISS)
    if people is None:
        return request.statistic.least_records(request.record_epsilon)
    return request.statistic.records_moved_by(people * request.contributions)


@dataclass(frozen=True, slots=True)
class Width:
    """When a law is as wide as the bounds, by public facts: always, or with few records. Both may be unknown."""

    always: str = ""
    """Why the answer could be anywhere, whatever the records say; empty if that is not so."""
    records: int | None = None
    """The most records with which the answer could be anywhere; None if that is not known."""
    says_little: bool = False
    """Whether few records make the answer say little, and it is not known how few."""

    @classmethod
    def of(cls, request: "Request") -> "Width":
        if isinstance(request.mechanism, (Laplace, Gaussian)):
            return cls("the noise is as wide as they are" if is_all_noise(request) else "")
        if _is_tiny(request):
            return cls("epsilon is too small for any data")
        if request.statistic.reads != "records" or None in request.frame.answers.support:
            return cls()
        needed = records_needed(request)
        return cls(records=needed, says_little=needed is None)

    def note(self, size: int | None) -> str:
        """The note about a wide law on a receipt; empty if the law is not that wide.

        ``size`` is the number of records, if that is public.
        """
        if self.always:
            return f"{ANYWHERE}: {self.always}"
        needed = self.records
        if needed is None or (size is not None and needed < size):
            return ""
        if size is None:
            few = "no records" if needed < 1 else f"{needed:,} record{'s' * (needed > 1)} or fewer"
            return f"an answer from {few} could be anywhere within its bounds"
        return f"{ANYWHERE}: that takes more than {needed:,} records"
