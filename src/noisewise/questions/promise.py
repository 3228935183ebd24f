"""Promises of an answer before it is paid for. They hold for all data, and give a distance or a number of people.

Every kind of answer states its own `Promise`. If noise is the same for all data, its law says how far it goes.
Otherwise the promise counts people: how many would have to change their data for the true answer to become the
released one. An error may also be divided by a secret total, such as the number of records.

Everything here follows from public facts. Proof: docs/proofs/planning.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from noisewise.kernel.mechanisms import ByScore, Gaussian, GaussianBalance, Laplace
from noisewise.kernel.numbers.exact import spell
from noisewise.planning.readings.bisection import least_steps
from noisewise.questions.choice import Noise, width_of
from noisewise.questions.wide import ANYWHERE, ROUNDED_UP, TINIEST, people_off
from noisewise.results.pictures.digits import up_to_three

if TYPE_CHECKING:
    from noisewise.questions.request import Request, Searched

ENOUGH = 40
"""An error over the number of records is promised for at least this number divided by epsilon, in records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOverTotal:
    """An error of ``far`` divided by a secret total, such as the number of records, if that is at least ``least``."""

    far: float
    total: str
    least: float
    coarse: bool
    sure: str
    in_widths: bool = False
    """Whether ``far`` counts distances between two bounds that are not known yet."""

    def said(self, up: Callable[[float], str] = up_to_three) -> str:
        """The promise in words. The function ``up`` writes a distance in the unit of the answer."""
        far = f"{up_to_three(self.far)} times what these are apart," if self.in_widths else up(self.far)
        return (
            f"{self.sure} it is off by at most {far} over {self.total}{' and a step' if self.coarse else ''}, "
            f"where that is {up_to_three(self.least)} or more"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """The promise of an answer. It holds with a given probability. Unknown numbers are None.

    Attributes:
        mechanism: The name of the mechanism that answers.
        people: How many people would have to change their data for the true answer to become the released one. If the
            answer has several numbers, this holds for all at once.
        error: How far each number is from the true one.
        error_of_all: How far all numbers are from the true ones at once.
        behind: By how many records the released category is less common than the most common one.
        numbers: How many numbers the answer has.
        attained: Whether that many people really could move the answer that far; otherwise ``people`` is only a bound.
        sentence: Further promises, in words.
        over_total: An error divided by a total that is secret.
        wide: Says that the answer could be anywhere within its bounds, if that follows from public facts.
    """

    mechanism: str
    people: int | None = None
    error: float | None = None
    error_of_all: float | None = None
    behind: int | None = None
    numbers: int = 1
    attained: bool = False
    sentence: str = ""
    over_total: ErrorOverTotal | None = None
    wide: str = ""


def sure(confidence: Fraction) -> str:
    """The words that begin a promise: "with probability 95%"."""
    return f"with probability {spell(100 * confidence)}%"


def sums_off(sure: str, many: int, people: int) -> str:
    """A sentence about the error of the noisy sums from which an answer is computed."""
    crowd = counted(people, "person", "people")
    return (
        f"{sure} none of the {many:,} sums that it is computed from is off by more than {crowd} can move it"
    )


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun, such as "1 person" or "2 people"."""
    return f"1 {one}" if number == 1 else f"{number:,} {several or one + 's'}"


def as_float(distance: Fraction | int) -> float:
    """A distance in float64; infinite if it is too long for float64."""
    try:
        return float(distance)
    except OverflowError:
        return math.inf


def of_any(miss: Fraction, numbers: int) -> Fraction:
    """The chance to miss of each of several independent draws, if all together may miss with probability ``miss``.

    It is 1 - (1 - miss)^(1/numbers).
    """
    if numbers == 1:
        return miss
    return Fraction(-math.expm1(math.log1p(-float(miss)) / numbers) / ROUNDED_UP)


def noise_steps(noise: Noise, miss: Fraction, numbers: int = 1) -> tuple[int, int]:
    """The least t with P(|noise| > t) <= miss, in steps: for one number, and for ``numbers`` with independent noise."""
    return noise.farthest(miss / 2), noise.farthest(of_any(miss, numbers) / 2)


def radial_steps(decay: float, miss: float, numbers: int) -> tuple[int, int]:
    """How far noise z of weight e^(-decay*|z|) goes: in one coordinate, and in the largest. |z| is the maximum norm.

    Spreading each lattice point over a cube makes a density. Its radius is a sum of ``numbers`` waiting times.
    """

    def beyond(u: float, waits: int) -> float:
        """The probability that ``waits`` waiting times of mean 1/decay take longer than u together."""
        terms = [k * math.log(decay * u) - math.lgamma(k + 1) - decay * u for k in range(waits)]
        return sum(map(math.exp, terms))

    def largest(t: int) -> float:
        return math.exp(decay) * beyond(t + 0.5, numbers)

    def one(t: int) -> float:
        u = t + 0.5
        return math.exp(decay) * (beyond(u, numbers) - decay * u / numbers * beyond(u, numbers - 1))

    return least_steps(lambda t: one(t) <= miss), least_steps(lambda t: largest(t) <= miss)


def promise_of_request(request: "Request", miss: Fraction, size: int | None) -> Promise:
    """The promise of one statistic by one mechanism."""
    mechanism, owned, wide = request.mechanism, request.contributions, request.width.note(size)
    if isinstance(mechanism, (Laplace, Gaussian)):
        return Promise(mechanism=mechanism.name, error=_noise_error(request, mechanism, miss), wide=wide)
    width = width_of(mechanism)
    people, balance = people_off(request, math.log(miss)), isinstance(mechanism, ByScore)
    distance = over_total = None
    if balance and request.neighbors == "add_remove" and size is not None:
        normal = isinstance(mechanism, GaussianBalance)
        distance = request.statistic.distance_off(request.frame, size, request.record_epsilon, miss, normal)
    if balance and distance is None and people is None and not wide.startswith(ANYWHERE):
        over_total = error_over_total(request, miss)
    return Promise(
        mechanism=mechanism.name,
        people=people,
        error=None if distance is None else float(distance),
        attained=people is not None and request.statistic.attained(people * owned),
        over_total=over_total,
        wide=wide,
        sentence=f"distances up to {spell(width)} count as none, as it is smooth" if width else "",
    )


def error_over_total(request: "Request", miss: Fraction, *, in_widths: bool = False) -> ErrorOverTotal | None:
    """The error of balance, over an unknown total such as the number of records. None if there is no such total."""
    weight = request.statistic.weight(request.frame)
    epsilon = request.record_epsilon * request.contributions
    if weight is None or epsilon < TINIEST * request.contributions:
        return None
    reach, unit, total = weight
    from noisewise.statistics.mean import score_off

    each = epsilon / request.person_pull
    enough = math.ceil(ENOUGH / each)
    score = score_off(enough, float(each), float(miss), isinstance(request.mechanism, GaussianBalance))
    if score is None:
        return None
    return ErrorOverTotal(
        far=score if in_widths else score * float(reach),
        total=total,
        least=float(enough * unit),
        coarse=request.frame.answers.granularity * 2**30 > reach / unit,
        sure=sure(1 - miss),
        in_widths=in_widths,
    )


def promise_of_search(asked: "Searched", miss: Fraction) -> Promise:
    """The promise that holds for all bounds that the search may find, and what the search overlooks."""
    magnitudes, widest = asked.search.magnitudes, asked.widest
    pairs = [(0.0, power) for power in magnitudes.powers]
    if magnitudes.signed:
        pairs += [pair for power in magnitudes.powers for pair in ((-power, power), (-power, 0.0))]
    requests = [asked.between_bounds(pair) for pair in pairs]
    name, held = widest.mechanism.name, asked.search.overlooks("the bounds that are found")
    if isinstance(widest.mechanism, (Laplace, Gaussian)):
        times = max(
            _noise_error(each, each.mechanism, miss) / max(map(abs, pair))
            for each, pair in zip(requests, pairs, strict=True)
            if isinstance(each.mechanism, (Laplace, Gaussian))
        )
        held += f"; {sure(1 - miss)} it is off by at most {up_to_three(times)} times the larger of them"
        return Promise(mechanism=name, sentence=held)
    half = math.log(miss) - math.log(2)  # between two different powers there are up to twice as many answers
    people = [people_off(each, half) for each in requests]
    known = [each for each in people if each is not None]
    if len(known) < len(people):
        over_total = error_over_total(widest, miss, in_widths=True)
        return Promise(mechanism=name, sentence=held, over_total=over_total)
    most = max(known)
    attained = widest.statistic.attained(most * widest.contributions)
    return Promise(mechanism=name, people=most, attained=attained, sentence=held)


def _noise_error(request: "Request", noise: Noise, miss: Fraction) -> float:
    """How far noise of a public width takes the answer, including a step if the answer is rounded down."""
    steps = noise.farthest(miss / 2) + request.statistic.floored(request.frame)
    return as_float(steps * request.frame.answers.granularity)
