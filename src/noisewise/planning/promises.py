"""What holds of an answer whatever the data is, from public facts alone: in its own unit, or in people.

Where noise is the same for all data, how far it goes is read off its exact law. Elsewhere the promise counts people:
how many would have to change their data for the true answer to become the released one. Proof: docs/proofs/planning.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from noisewise.mechanisms import Balance, Laplace
from noisewise.numbers.exact import spell
from noisewise.questions.answer_interval import AroundAnswer, BetweenEnds
from noisewise.questions.request import Request
from noisewise.questions.settle import Payable
from noisewise.questions.wide import ROUNDED_UP, people_astray, wide_note
from noisewise.questions.with_count import Counted
from noisewise.releases.histogram import Histogram
from noisewise.releases.interval import Interval
from noisewise.releases.most_common import MostCommon
from noisewise.releases.quantiles import JointQuantiles
from noisewise.releases.tree import Split
from noisewise.releases.vectors import VectorRequest
from noisewise.statistics import Quantile


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
    wide: str = ""


def promise_of(payable: Payable, miss: Fraction, size: int | None = None) -> Promise:
    """What is exceeded with probability at most ``miss``; ``size`` is how many records there are, if that is known."""
    payable = answer_of(payable)
    if isinstance(payable, Request):
        return _of_request(payable, miss, size)
    if isinstance(payable, JointQuantiles):
        people = _of_quantiles(payable, miss)
        return Promise(
            mechanism=payable.root.mechanism.name,
            people=people,
            numbers=len(payable.question.qs),
            attained=True,
        )
    if isinstance(payable, Histogram):
        noise = Laplace(epsilon=payable.epsilon, sensitivity=payable.reach)
        each, all_of_them = _laplace_steps(noise, miss, len(payable.bins))
        return Promise(
            mechanism=Laplace.name,
            error=_as_float(Fraction(each)),
            error_of_all=_as_float(Fraction(all_of_them)),
            numbers=len(payable.bins),
        )
    if isinstance(payable, VectorRequest):
        return _of_vector(payable, miss)
    if isinstance(payable, MostCommon):
        others = max(len(payable.labels.names) - 1, 1)
        records = math.log(others / miss) / float(payable.rate)
        return Promise(mechanism="permute_and_flip", behind=math.floor(records * ROUNDED_UP))
    if isinstance(payable, Interval):
        sure = f"with probability {spell(100 * payable.confidence)}%"
        held = f"{sure} it holds the {Quantile(payable.q)} of the population"
        return Promise(mechanism=payable.end.mechanism.name, numbers=2, sentence=held)
    return Promise(mechanism=_mechanism(payable))


def answer_of(payable: Payable) -> Payable:
    """The answer itself, where it comes with an interval or a count: what they cost is taken off its epsilon."""
    while isinstance(payable, (AroundAnswer, BetweenEnds, Counted)):
        payable = payable.inner
    return payable


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
    people = people_astray(request, math.log(miss))
    distance = None
    if isinstance(mechanism, Balance) and request.neighbors == "add_remove" and size is not None:
        distance = request.statistic.distance_astray(request.frame, size, mechanism.epsilon / owned, miss)
    return Promise(
        mechanism=mechanism.name,
        people=people,
        error=None if distance is None else float(distance),
        attained=people is not None and request.statistic.attained(people * owned),
        wide=wide_note(request, size),
    )


def _as_float(distance: Fraction) -> float:
    """A distance in float64; infinite where it is too long for it."""
    try:
        return float(distance)
    except OverflowError:
        return math.inf


def _laplace_steps(noise: Laplace, miss: Fraction, numbers: int = 1) -> tuple[int, int]:
    """The least t with P(|noise| > t) <= miss, in steps: for one number, and for several with independent noise."""
    return noise.farthest(miss / 2), noise.farthest(of_any(miss, numbers) / 2)


def of_any(miss: Fraction, numbers: int) -> Fraction:
    """The chance that each of several independent draws may miss by, for all of them: 1 - (1 - miss)^(1/numbers)."""
    if numbers == 1:
        return miss
    return Fraction(-math.expm1(math.log1p(-float(miss)) / numbers) / ROUNDED_UP)


def _of_vector(request: VectorRequest, miss: Fraction) -> Promise:
    """Where noise is the same for all data: independent on every number, or of one radius in the maximum norm."""
    numbers, name = int(request.frame.low.size), request.mechanism.name
    if not isinstance(request.mechanism, Laplace):
        return Promise(mechanism=name, numbers=numbers)
    noise = request.mechanism
    if request.statistic.norm == "l1":
        steps = _laplace_steps(noise, miss, numbers)
    else:
        steps = _radial_steps(float(noise.epsilon) / noise.sensitivity, float(miss), numbers)
    each, every = (
        float((step + 1) * request.frame.granularity) for step in steps
    )  # the answer is rounded down
    return Promise(mechanism=name, error=each, error_of_all=every, numbers=numbers)


def _radial_steps(decay: float, miss: float, numbers: int) -> tuple[int, int]:
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
            strayed = split.target.edits_astray(neighbors, split.mechanism.epsilon / owned, exponent)
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
