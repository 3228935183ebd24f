"""What holds of an answer whatever the data is, from public facts alone: in its own unit, or in people.

Where noise is the same for all data, how far it goes is read off its exact law. Elsewhere the promise counts people:
how many would have to change their data for the true answer to become the released one. A promise may also fall with a
total that is secret, the number of records or the sum of their weights. Proof: docs/proofs/planning.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noisewise.kernel.mechanisms import Balance, Laplace
from noisewise.kernel.numbers.exact import spell
from noisewise.planning import noisy_sums
from noisewise.questions.composites.count_distinct import CountDistinct
from noisewise.questions.composites.covariance_matrix import CovarianceRequest
from noisewise.questions.composites.histogram import Histogram
from noisewise.questions.composites.linear_regression import RobustRegression, SumsRegression
from noisewise.questions.composites.most_common import MostCommon
from noisewise.questions.composites.population_interval import PopulationInterval
from noisewise.questions.composites.private_bounds import PrivateBounds
from noisewise.questions.composites.quantile_interval import Interval
from noisewise.questions.composites.quantiles import JointQuantiles, QuantilesBetweenEnds
from noisewise.questions.composites.theil_sen_line import TheilSenLine
from noisewise.questions.composites.tree import Split
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.questions.noise_interval import AroundAnswer, BetweenEnds, FromSums, SearchedInterval
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request, Searched
from noisewise.questions.search import BoundsSearch
from noisewise.questions.several_sums import SeveralSums
from noisewise.questions.two_sums import TwoSums
from noisewise.questions.wide import ANYWHERE, ROUNDED_UP, TINIEST, people_off, wide_note
from noisewise.questions.with_count import Counted
from noisewise.results.pictures.digits import up_to_three
from noisewise.statistics import Count, Quantile
from noisewise.statistics.mean import score_off

ENOUGH = 40
"""Over epsilon: of so many records a promise that falls with their number is made, where that number is secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Falling:
    """A promise that falls with a secret total, such as the number of records, where that is at least so much."""

    far: float
    total: str
    least: float
    coarse: bool
    sure: str
    found: bool = False
    """Whether it is a part of what bounds are apart that are yet to be found."""

    def said(self, up: Callable[[float], str] = up_to_three) -> str:
        """In words; ``up`` writes a distance in the unit of the answer."""
        far = f"{up_to_three(self.far)} times what these are apart," if self.found else up(self.far)
        return (
            f"{self.sure} it is off by at most {far} over {self.total}{' and a step' if self.coarse else ''}, "
            f"where that is {up_to_three(self.least)} or more"
        )


def falling_promise(
    request: Request, miss: Fraction, *, of_sums: TwoSums | None = None, found: bool = False
) -> Falling | None:
    """A promise that falls with a number that is not known, such as that of the records; None where none does."""
    weight = request.statistic.weight(request.frame)
    if weight is None or request.mechanism.epsilon < TINIEST * request.contributions:
        return None
    reach, unit, total = weight
    if of_sums is None:
        each = request.mechanism.epsilon / request.person_pull
        enough = math.ceil(ENOUGH / each)
        score = score_off(enough, float(each), float(miss))
    else:
        enough = math.ceil(ENOUGH * request.contributions / of_sums.noise.epsilon)
        error = noisy_sums.error_of_two_sums(of_sums, miss, enough)
        score = None if error is None else float(error / reach * enough)
    if score is None:
        return None
    return Falling(
        far=score if found else score * float(reach),
        total=total,
        least=float(enough * unit),
        coarse=of_sums is None and request.frame.answers.granularity * 2**30 > reach / unit,
        sure=f"with probability {spell(100 * (1 - miss))}%",
        found=found,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What holds with a given probability; all None where nothing does that is known.

    ``numbers`` is how many numbers the answer has: ``error`` is that of each by itself, ``error_of_all`` of all of them
    at once. ``people`` holds for all at once. ``behind`` is by how many records a category is less common than another.
    ``wide`` says that the answer could be anywhere within its bounds, where public facts say so.
    """

    mechanism: str
    people: int | None = None
    error: float | None = None
    error_of_all: float | None = None
    behind: int | None = None
    numbers: int = 1
    attained: bool = False
    sentence: str = ""
    falling: Falling | None = None
    wide: str = ""


def promise_of(payable: Payable, miss: Fraction, size: int | None = None) -> Promise:
    """What is exceeded with probability at most ``miss``; ``size`` is how many records there are, if that is known."""
    payable = answer_of(payable)
    for kind, promise in KINDS_OF_PROMISE.items():
        if isinstance(payable, kind):
            return promise(payable, miss, size)
    return Promise(mechanism=_mechanism(payable))


def answer_of(payable: Payable) -> Payable:
    """The answer itself, where it comes with an interval or a count: what they cost is taken off its epsilon."""
    while True:
        if isinstance(payable, FromSums) and payable.answered is not None:
            payable = payable.answered
        elif isinstance(
            payable, (AroundAnswer, BetweenEnds, QuantilesBetweenEnds, Counted, RobustRegression)
        ):
            payable = payable.inner
        else:
            return payable


def error_of_count(payable: Payable, miss: Fraction) -> int | None:
    """How far a count beside the answer is off, where there is one."""
    return payable.counting.noise.farthest(miss / 2) if isinstance(payable, Counted) else None


def _sure(confidence: Fraction) -> str:
    return f"with probability {spell(100 * confidence)}%"


def _of_joint_quantiles(asked: JointQuantiles, miss: Fraction, size: int | None) -> Promise:
    return Promise(
        mechanism=asked.root.mechanism.name,
        people=_of_quantiles(asked, miss),
        numbers=len(asked.question.qs),
        attained=True,
    )


def _of_histogram(asked: Histogram, miss: Fraction, size: int | None) -> Promise:
    noise = Laplace(epsilon=asked.epsilon, sensitivity=asked.reach)
    each, all_of_them = laplace_steps(noise, miss, len(asked.bins))
    return Promise(
        mechanism=Laplace.name,
        error=_as_float(Fraction(each)),
        error_of_all=_as_float(Fraction(all_of_them)),
        numbers=len(asked.bins),
    )


def _of_count_distinct(asked: CountDistinct, miss: Fraction, size: int | None) -> Promise:
    most = len(asked.labels.names)  # the answer is clamped to what is possible
    steps = min(asked.noise.farthest(miss / 2), most)
    wide = f"{ANYWHERE}: the noise is as wide as they are" if steps >= most else ""
    return Promise(mechanism=Laplace.name, error=_as_float(Fraction(steps)), wide=wide)


def _of_most_common(asked: MostCommon, miss: Fraction, size: int | None) -> Promise:
    others = max(len(asked.labels.names) - 1, 1)
    records = math.log(others / miss) / float(asked.rate)
    return Promise(mechanism="permute_and_flip", behind=math.floor(records * ROUNDED_UP))


def _of_interval(asked: Interval, miss: Fraction, size: int | None) -> Promise:
    held = f"{_sure(asked.confidence)} it holds the {Quantile(asked.q)} of the population"
    return Promise(mechanism=asked.end.mechanism.name, numbers=2, sentence=held)


def _of_population(asked: PopulationInterval, miss: Fraction, size: int | None) -> Promise:
    counts = isinstance(asked.request.statistic, Count)
    what = (
        "the count that is to be expected" if counts else f"the {asked.request.statistic} of the population"
    )
    return Promise(mechanism=Laplace.name, numbers=2, sentence=f"{_sure(asked.confidence)} it holds {what}")


def _of_private_bounds(asked: PrivateBounds, miss: Fraction, size: int | None) -> Promise:
    search = asked.search
    held = (
        f"{_sure(1 - search.beta)} no power of {search.magnitudes.base} outside the bounds holds "
        f"{search.overlooked:,} records or more"
    )
    return Promise(mechanism=Laplace.name, numbers=2, sentence=held)


def _of_sums(asked: FromSums, miss: Fraction, size: int | None) -> Promise:
    sums = asked.sums
    if isinstance(sums, SeveralSums):
        held = noisy_sums.said_of_several_sums(_sure(1 - miss), sums, miss)
        return Promise(mechanism=Laplace.name, sentence=held)
    if size is None:
        return Promise(mechanism=Laplace.name, falling=falling_promise(asked.inner, miss, of_sums=sums))
    error = noisy_sums.error_of_two_sums(sums, miss, size)
    few = f"{ANYWHERE}: that takes more than {size:,} records"
    if error is None:
        return Promise(mechanism=Laplace.name, wide=few)
    width = (asked.inner.frame.records.high - asked.inner.frame.records.low) * (
        asked.inner.frame.records.granularity
    )
    return Promise(mechanism=Laplace.name, error=_as_float(error), wide=few if 2 * error >= width else "")


def _of_covariance(asked: CovarianceRequest, miss: Fraction, size: int | None) -> Promise:
    numbers, z = len(asked.sums.frame.records) ** 2, _rows_off(asked.sums, miss)
    if z is None:
        return Promise(mechanism=asked.sums.mechanism.name, numbers=numbers)
    share = None if size is None else noisy_sums.error_of_covariance(asked, z, size)
    if share is None:
        held = noisy_sums.said_of_sums(_sure(1 - miss), asked.sums, z)
        return Promise(mechanism=Laplace.name, numbers=numbers, sentence=held)
    error = _as_float(share * noisy_sums.widest_product(asked))
    held = "" if noisy_sums.alike(asked) else noisy_sums.said_of_shares(_sure(1 - miss), share)
    return Promise(mechanism=Laplace.name, error=error, error_of_all=error, numbers=numbers, sentence=held)


def _of_regression(asked: SumsRegression, miss: Fraction, size: int | None) -> Promise:
    sums = asked.table.sums
    z, numbers = _rows_off(sums, miss), len(sums.frame.records)
    if z is None:
        return Promise(mechanism=sums.mechanism.name, numbers=numbers)
    held = noisy_sums.said_of_sums(_sure(1 - miss), sums, z)
    return Promise(mechanism=Laplace.name, numbers=numbers, sentence=held)


def _rows_off(sums: VectorRequest, miss: Fraction) -> Fraction | None:
    return noisy_sums.rows_off(sums, lambda asked: _vector_steps(asked, miss))


def _of_line(asked: TheilSenLine, miss: Fraction, size: int | None) -> Promise:
    """Of both steps at once, each with half of the chance to miss."""
    steps = [promise_of(each, miss / 2, size) for each in (asked.slope, asked.intercept)]
    people = [each.people for each in steps if each.people is not None]
    wide = next((each.wide for each in steps if each.wide), "")
    return Promise(
        mechanism=asked.slope.mechanism.name,
        people=max(people) if len(people) == len(steps) else None,
        numbers=2,
        wide=wide,
    )


def _of_searched(asked: Searched, miss: Fraction, size: int | None) -> Promise:
    """What holds between the bounds, whichever are found; of the search, what it overlooks."""
    search, sure = asked.search, _sure(1 - miss)
    powers = search.magnitudes.powers
    pairs = [(0.0, power) for power in powers]
    if search.magnitudes.signed:
        pairs += [pair for power in powers for pair in ((-power, power), (-power, 0.0))]
    requests = [asked.between_bounds(pair) for pair in pairs]
    held = _said_of_search(search)
    name = asked.widest.mechanism.name
    if isinstance(asked.widest.mechanism, Laplace):
        widest = max(_times_the_bound(each, pair, miss) for each, pair in zip(requests, pairs, strict=True))
        held += f"; {sure} it is off by at most {up_to_three(widest)} times the larger of them"
        return Promise(mechanism=name, sentence=held)
    found = [people_off(each, math.log(miss) - math.log(2)) for each in requests]  # a pair has no more points
    people = [each for each in found if each is not None]
    if len(people) < len(found):
        return Promise(mechanism=name, sentence=held, falling=falling_promise(asked.widest, miss, found=True))
    attained = asked.widest.statistic.attained(max(people) * asked.widest.contributions)
    return Promise(mechanism=name, people=max(people), attained=attained, sentence=held)


def _of_searched_interval(asked: SearchedInterval, miss: Fraction, size: int | None) -> Promise:
    return Promise(mechanism=asked.inner.widest.mechanism.name, sentence=_said_of_search(asked.inner.search))


def _said_of_search(search: BoundsSearch) -> str:
    """What a search for bounds overlooks."""
    return (
        f"{_sure(1 - search.beta)} no power of {search.magnitudes.base} outside the bounds that are found holds "
        f"{search.overlooked:,} records or more"
    )


def _times_the_bound(request: Request, bounds: tuple[float, float], miss: Fraction) -> float:
    """The error between these bounds, over the larger of them."""
    assert isinstance(request.mechanism, Laplace), "the same mechanism between all bounds"
    steps = request.mechanism.farthest(miss / 2) + request.statistic.floored(request.frame)
    return _as_float(steps * request.frame.answers.granularity) / max(map(abs, bounds))


def _mechanism(payable: object) -> str:
    """The mechanism of what a question is made of."""
    mechanism = getattr(payable, "mechanism", None)
    if mechanism is not None:
        return str(mechanism.name)
    inner = getattr(payable, "inner", None)
    return "several draws" if inner is None else _mechanism(inner)


def _of_request(request: Request, miss: Fraction, size: int | None) -> Promise:
    mechanism, owned = request.mechanism, request.contributions
    if isinstance(mechanism, Laplace):
        steps = mechanism.farthest(miss / 2) + request.statistic.floored(request.frame)
        error = _as_float(steps * request.frame.answers.granularity)
        return Promise(mechanism=mechanism.name, error=error, wide=wide_note(request, size))
    people = people_off(request, math.log(miss))
    distance = falling = None
    if isinstance(mechanism, Balance) and request.neighbors == "add_remove" and size is not None:
        distance = request.statistic.distance_off(request.frame, size, mechanism.epsilon / owned, miss)
    wide = wide_note(request, size)
    if (
        distance is None
        and people is None
        and isinstance(mechanism, Balance)
        and not wide.startswith(ANYWHERE)
    ):
        falling = falling_promise(request, miss)
    return Promise(
        mechanism=mechanism.name,
        people=people,
        error=None if distance is None else float(distance),
        attained=people is not None and request.statistic.attained(people * owned),
        falling=falling,
        wide=wide,
    )


def _as_float(distance: Fraction) -> float:
    """A distance in float64; infinite where it is too long for it."""
    try:
        return float(distance)
    except OverflowError:
        return math.inf


def _of_vector(request: VectorRequest, miss: Fraction, size: int | None) -> Promise:
    """Where noise is the same for all data: independent on every number, or of one radius in the maximum norm."""
    numbers, name = int(request.frame.low.size), request.mechanism.name
    if not isinstance(request.mechanism, Laplace):
        return Promise(mechanism=name, numbers=numbers)
    each, every = (
        float((step + 1) * request.frame.granularity) for step in _vector_steps(request, miss)
    )  # the answer is rounded down
    return Promise(mechanism=name, error=each, error_of_all=every, numbers=numbers)


def _vector_steps(request: VectorRequest, miss: Fraction) -> tuple[int, int]:
    """How far the noise of a vector goes, in steps: in one number, and in the farthest."""
    noise, numbers = request.mechanism, int(request.frame.low.size)
    assert isinstance(noise, Laplace), "noise that is the same for all data"
    if request.statistic.norm == "l1":
        return laplace_steps(noise, miss, numbers)
    return radial_steps(float(noise.epsilon) / noise.sensitivity, float(miss), numbers)


def _of_quantiles(asked: JointQuantiles, miss: Fraction) -> int:
    """How many people separate any of the released quantiles from the true one, equal records aside.

    A draw is off by some records of its part. What its part begins and ends with is off as well: by a share of each,
    which depends on where between them the quantile is.
    """
    edits = asked.contributions if asked.neighbors == "add_remove" else 1
    each = miss / len(list(asked.root))
    fine = asked.lattice.points << asked.tie_bits

    def worst(split: Split | None, around: tuple[float, float], is_root: bool) -> float:
        if split is None:
            return 0.0
        owned = asked.contributions if is_root else 1
        neighbors = asked.neighbors if is_root else "add_remove"
        points = asked.lattice.points if split.is_last else fine
        exponent = math.log(points) - math.log(each)
        assert isinstance(split.target, Quantile)
        share = split.target.q
        if isinstance(split.mechanism, Balance):
            strayed = split.target.edits_off(neighbors, split.mechanism.epsilon / owned, exponent)
        else:
            strayed = exponent / (float(split.mechanism.epsilon) / 2) * owned
        stride = 1.0 if neighbors == "swap" else float(max(share, 1 - share))
        before, after = around
        off = (1 - float(share)) * before + float(share) * after + strayed * stride + 1
        of_whole = 1.0 if asked.neighbors == "swap" else float(max(split.q, 1 - split.q))
        return max(
            (off - 1) / of_whole / edits,
            worst(split.below, (before, off), False),
            worst(split.above, (off, after), False),
        )

    return math.ceil(worst(asked.root, (0.0, 0.0), True) * ROUNDED_UP)


KINDS_OF_PROMISE: dict[type[Payable], Callable[[Any, Fraction, int | None], Promise]] = {
    Request: _of_request,
    JointQuantiles: _of_joint_quantiles,
    Histogram: _of_histogram,
    CountDistinct: _of_count_distinct,
    VectorRequest: _of_vector,
    MostCommon: _of_most_common,
    Interval: _of_interval,
    PopulationInterval: _of_population,
    PrivateBounds: _of_private_bounds,
    FromSums: _of_sums,
    SearchedInterval: _of_searched_interval,
    CovarianceRequest: _of_covariance,
    SumsRegression: _of_regression,
    TheilSenLine: _of_line,
    Searched: _of_searched,
}
"""What is promised of each kind of answer."""


def laplace_steps(noise: Laplace, miss: Fraction, numbers: int = 1) -> tuple[int, int]:
    """The least t with P(|noise| > t) <= miss, in steps: for one number, and for several with independent noise."""
    return noise.farthest(miss / 2), noise.farthest(of_any(miss, numbers) / 2)


def of_any(miss: Fraction, numbers: int) -> Fraction:
    """The chance that each of several independent draws may miss by, for all of them: 1 - (1 - miss)^(1/numbers)."""
    if numbers == 1:
        return miss
    return Fraction(-math.expm1(math.log1p(-float(miss)) / numbers) / ROUNDED_UP)


def radial_steps(decay: float, miss: float, numbers: int) -> tuple[int, int]:
    """How far noise of weight e^(-decay*|z|), |z| the largest coordinate, goes: in one of them, and in the largest.

    A cube around each lattice point makes a density of it, of which the radius is a sum of ``numbers`` waiting times.
    """

    def beyond(u: float, waits: int) -> float:
        """The probability that so many waiting times of mean 1/decay take longer than u."""
        terms = [k * math.log(decay * u) - math.lgamma(k + 1) - decay * u for k in range(waits)]
        return sum(map(math.exp, terms))

    def largest(t: int) -> float:
        return math.exp(decay) * beyond(t + 0.5, numbers)

    def one(t: int) -> float:
        u = t + 0.5
        return math.exp(decay) * (beyond(u, numbers) - decay * u / numbers * beyond(u, numbers - 1))

    def least(chance: Callable[[int], float]) -> int:
        low, high = 0, 1
        while chance(high) > miss:
            high *= 2
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if chance(middle) <= miss else (middle + 1, high)
        return low

    return least(one), least(largest)
