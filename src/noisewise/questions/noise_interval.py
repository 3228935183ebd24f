"""Intervals that come with an answer: they hold the answer without noise, with a stated probability.

    public noise   if the reach of Laplace noise is known, an interval around the answer costs nothing
    sums           if noisy sums determine the answer, they give its interval. For a mean they give the answer, too.
                   For other answers half of epsilon pays for the sums, and the other half for the answer
    ends           otherwise half of epsilon pays for two more draws, one surely below the answer and one surely above

If bounds are searched for, a share of epsilon pays for the search. The rest pays for an answer with its interval
between the bounds, as if they had been typed. For any bounds that are found, the interval holds the answer of the
clamped records as often as it says. So this holds overall, too. Nothing can be refused after the search. So an interval
is checked before it, at the narrowest and the widest bounds.

Proof: docs/proofs/answer_interval.md.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

from noisewise.errors import Keyword, ParameterError
from noisewise.kernel.losses import Loss
from noisewise.kernel.mechanisms import Balance, Gaussian, Laplace
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.prices import Price, Rho, pure_epsilon
from noisewise.kernel.sampling import Bits
from noisewise.kernel.settle import sum_of_losses
from noisewise.questions.choice import Noise, check_named, is_auto, width_of
from noisewise.questions.measured import Measured, centre_of
from noisewise.questions.payable import Payable, no_interval
from noisewise.questions.promise import Promise
from noisewise.questions.request import Request, Searched
from noisewise.questions.several_sums import SeveralSums
from noisewise.questions.terms import exact_confidence
from noisewise.questions.two_sums import TwoSums
from noisewise.results.release import AnswerInterval, Release
from noisewise.statistics.level_end import LevelEnd, level_ends
from noisewise.statistics.score_end import ScoreEnd
from noisewise.statistics.statistic import Statistic

SHARE = Fraction(1, 2)
"""The part of epsilon that pays for an interval whose ends are drawn."""

VERSION, BY_LEVELS, BY_SCORE = "two-ends/1", "level-ends/1", "score-ends/1"
"""The permanent names of the three ways to choose ends: by ranks, by the levels of an envelope, and by a score."""

Ends: TypeAlias = tuple[Request | None, Request | None]
"""The low and the high end; None if a bound takes the place of an end."""


@dataclass(frozen=True, slots=True, repr=False)
class AroundAnswer(Payable):
    """A statistic with noise of a public width, and an interval as wide as that noise. The width is public."""

    inner: Request
    confidence: Fraction
    steps: int
    """How many steps the noise reaches to either side, except with the probability to miss."""

    @classmethod
    def of(cls, request: Request, mechanism: Noise, confidence: Fraction) -> "AroundAnswer":
        return cls(request, confidence, mechanism.farthest((1 - confidence) / 2))

    @property
    def alone(self) -> Payable:
        return self.inner.alone

    def loss_of(self, records: int) -> Loss:
        return self.inner.loss_of(records)

    @property
    def unit(self) -> str | None:
        return self.inner.unit

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        law = self.inner.look()
        release, index = self.inner.drawn(law, receipt, bits=bits)
        low, high = (self.inner.number(end) for end in self.ends(index, law.ends))
        return replace(release, interval=AnswerInterval(low, high, self.confidence))

    def ends(self, index: int, public: tuple[int | None, int | None]) -> tuple[int, int]:
        """The lowest and the highest index that the true answer can have, within the ``public`` range of draws."""
        above = self.inner.statistic.floored(
            self.inner.frame
        )  # the answer is up to a step higher than its index
        low, high = index - self.steps, index + self.steps + above
        least, most = (
            cut_off if end is None else end for end, cut_off in zip(public, (-UTMOST, UTMOST), strict=True)
        )
        return max(low, least), min(high, most)


class WithDrawnEnds(Payable):
    """Answers and the ends of their intervals, if ends are drawn. There is one debit for all."""

    __slots__ = ()

    inner: Payable

    @property
    def alone(self) -> Payable:
        return self.inner.alone

    @property
    @abstractmethod
    def drawn(self) -> list[Request]:
        """The ends of intervals that are drawn, each as a question."""

    @property
    def loss(self) -> Loss:
        return sum_of_losses(self.inner.loss, *(end.loss for end in self.drawn))

    def loss_of(self, records: int) -> Loss:
        return sum_of_losses(self.inner.loss_of(records), *(end.loss_of(records) for end in self.drawn))

    @property
    def paid(self) -> Price:
        """The part of the price that pays for the ends."""
        return len(self.drawn) * self.drawn[0].price


@dataclass(frozen=True, slots=True, repr=False)
class BetweenEnds(WithDrawnEnds):
    """A statistic and the two ends of its interval, each drawn by balance: three draws, one debit.

    An end is None if the lowest or the highest possible answer takes its place; that costs nothing.
    """

    inner: Request
    low: Request | None
    high: Request | None
    confidence: Fraction

    @classmethod
    def of(cls, whole: Request, confidence: Fraction, at: Callable[[Price], Payable]) -> "BetweenEnds | None":
        """Divide the price between the answer and its ends. Return None if the statistic has no ends."""
        ends = ends_of([whole], whole.price * SHARE, 1 - confidence)
        if ends is None:
            return None
        ((low, high),) = ends
        answer = at(whole.price * (1 - SHARE))
        assert isinstance(answer, Request), "the same question at another price"
        return cls(answer, low, high, confidence)

    @property
    def drawn(self) -> list[Request]:
        """The ends of intervals that are drawn, each as a question."""
        return [end for end in (self.low, self.high) if end is not None]

    @property
    def law(self) -> str:
        """The permanent name of the law, and the names of the laws of its draws."""
        kinds = {type(end.statistic) for end in self.drawn}
        chosen = BY_LEVELS if LevelEnd in kinds else BY_SCORE if ScoreEnd in kinds else VERSION
        return f"{self.inner.mechanism.version}, interval by {chosen} by {Balance.version}"

    @property
    def memo(self) -> str:
        return f"{self.inner.statistic} by {self.law}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        release = self.inner.answer(receipt, bits=bits)
        low, high = between(self.low, self.high, self.inner, release.value, bits)
        interval = AnswerInterval(low, high, self.confidence).paid(self.paid)
        return replace(release, privacy=self.loss, law=self.law, interval=interval)


@dataclass(frozen=True, slots=True, repr=False)
class FromSums(Payable):
    """An answer from noisy sums, and its interval. If ``answered`` is given, only the interval comes from the sums.

    Without a confidence there is no interval.
    """

    sums: SeveralSums
    confidence: Fraction | None
    answered: Request | None

    @classmethod
    def of(
        cls, whole: Request, confidence: Fraction, at: Callable[[Price], Payable], *, auto: bool
    ) -> "FromSums | None":
        """Return the question with an interval from sums, or None if no sums determine the answer.

        If ``auto`` and the sums are as accurate as a mechanism, they give the answer, too. Otherwise they get half of
        epsilon.
        """
        sums = _sums(whole, whole.price)
        if sums is None or (auto and sums.answers_too):
            return None if sums is None else cls(sums, confidence, None)
        answered, part = at(whole.price * (1 - SHARE)), _sums(whole, whole.price * SHARE)
        assert isinstance(answered, Request) and part is not None, "the same question at another price"
        return cls(part, confidence, answered)

    @property
    def inner(self) -> Request:
        return self.sums.request

    @property
    def alone(self) -> Payable:
        return self if self.answered is None else self.answered.alone

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        return self.sums.promise(miss, size)

    def measured(self) -> Measured:
        centre = centre_of(self.inner.look(0))
        return Measured.of_draws(self, centre, lambda value: [abs(value - centre)])

    @property
    def answered_by(self) -> str:
        """The name of the mechanism that draws the answer."""
        return self.sums.noise.name if self.answered is None else self.answered.mechanism.name

    @property
    def paid(self) -> Price:
        """The part of the price that pays for the interval alone."""
        return Fraction(0) if self.answered is None else self.sums.price

    @property
    def loss(self) -> Loss:
        sums = self.sums.noise.loss
        return sums if self.answered is None else sum_of_losses(self.answered.loss, sums)

    def loss_of(self, records: int) -> Loss:
        sums = self.sums.noise.loss_of(records)
        return sums if self.answered is None else sum_of_losses(self.answered.loss_of(records), sums)

    @property
    def law(self) -> str:
        """The permanent name of the law."""
        sums = self.sums.version
        return sums if self.answered is None else f"{self.answered.mechanism.version}, interval by {sums}"

    @property
    def memo(self) -> str:
        return f"{self.inner.statistic} by {self.law}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        answered = None if self.answered is None else self.answered.answer(receipt, bits=bits)
        request = self.inner
        sums = self.sums.draw(bits)
        if answered is None:
            value = request.number(self.sums.estimate(sums))
            answered = replace(request.stamped(value, receipt, bits), mechanism=self.answered_by)
        if self.confidence is None:
            return replace(answered, privacy=self.loss, law=self.law)
        low, high = map(request.number, self.sums.ends(sums, 1 - self.confidence))
        low, high = min(low, answered.value), max(high, answered.value)
        interval = AnswerInterval(low, high, self.confidence).paid(self.paid)
        return replace(answered, privacy=self.loss, law=self.law, interval=interval)


def _sums(request: Request, price: Price) -> SeveralSums | None:
    """The sums that determine the answer, at this price; None if there are none."""
    if (summands := request.statistic.summands(request.frame)) is None:
        return None
    return (TwoSums if summands.mean else SeveralSums).of(request, summands, price)


def ends_of(requests: Sequence[Request], price: Price, miss: Fraction) -> list[Ends] | None:
    """Questions for both ends of each request. All ends together cost the price and miss with probability ``miss``.

    Each end that is drawn gets the same part of the price and of ``miss``. Return None if a statistic has no ends.
    """

    def ends(request: Request, draws: int) -> tuple[Statistic | None, Statistic | None] | None:
        each, chance = pure_epsilon(price / draws) / request.contributions, miss / draws
        statistic, frame = request.statistic, request.frame
        found = statistic.ends(request.neighbors, each, frame.answers, chance)
        return (
            level_ends(statistic, frame, each, chance)
            if found is None and statistic.ends_by_levels
            else found
        )

    drawn = [end for request in requests for end in ends(request, 1) or () if end is not None]
    if not drawn or any(ends(request, 1) is None for request in requests):
        return None
    paid = price / len(drawn)
    balance = Balance(epsilon=pure_epsilon(paid))
    for request in requests:
        balance.check_answers(request.frame.answers)

    def of(request: Request, end: Statistic | None) -> Request | None:
        return None if end is None else request.about(end, balance, paid)

    both = [(request, *(ends(request, len(drawn)) or (None, None))) for request in requests]
    return [(of(request, low), of(request, high)) for request, low, high in both]


def between(
    low: Request | None, high: Request | None, request: Request, value: Any, bits: Bits | None
) -> tuple[Any, Any]:
    """Draw the ends; a bound takes the place of an end that is None. Return them in order, with ``value`` between."""
    least, most = request.frame.answers.support
    assert least is not None and most is not None, "an answer that has ends lies between bounds"
    first = request.number(least if low is None else max(_drawn(low, bits) - low.statistic.steps_out, least))
    last = request.number(most if high is None else min(_drawn(high, bits) + high.statistic.steps_out, most))
    return min(first, last, value), max(first, last, value)


def _drawn(end: Request, bits: Bits | None) -> int:
    """Draw one end of an interval and return its lattice index."""
    return end.drawn(end.look(), bits=bits)[1]


def bound(make: Callable[..., Payable], keywords: Mapping[str, Any]) -> Payable:
    """Return ``make(**keywords)``, the question; with an interval, if ``interval`` is among the keywords."""
    own = {name: value for name, value in keywords.items() if name != "interval"}
    payable, chosen = make(**own), own.get("mechanism", "auto")
    auto = is_auto(chosen)
    if (interval := keywords.get("interval")) is None:
        return by_sums(payable) if auto else payable

    def at(price: Price) -> Payable:
        check_named(chosen, "a part of epsilon pays for an interval")
        return make(**{**own, "epsilon": price})

    return with_interval(payable, exact_confidence(interval, "interval"), at, auto=auto)


def by_sums(payable: Payable) -> Payable:
    """A mean at a price in rho, from two sums with Gaussian noise. Other questions are returned as they are."""
    if not isinstance(payable, Request) or not isinstance(payable.price, Rho):
        return payable
    if isinstance(payable.mechanism, Gaussian) or width_of(payable.mechanism):
        return payable
    sums = _sums(payable, payable.price)
    return FromSums(sums, None, None) if isinstance(sums, TwoSums) else payable


def with_interval(
    payable: Payable, confidence: Fraction, at: Callable[[Price], Payable], *, auto: bool
) -> Payable:
    """The same question with an interval beside its answer, at the same price. Raises if no interval is known.

    ``at`` makes the question at another price. ``auto`` says that the user did not choose a mechanism.
    """
    if isinstance(payable, Searched):
        return SearchedInterval.of_search(
            payable, lambda one, at: with_interval(one, confidence, at, auto=auto)
        )
    if not isinstance(payable, Request):
        return payable.with_interval(confidence, at)
    statistic, mechanism = payable.statistic, payable.mechanism
    if type(mechanism) in (Laplace, Gaussian) and statistic.attained(0):
        return AroundAnswer.of(payable, cast("Noise", mechanism), confidence)
    if (follows := FromSums.of(payable, confidence, at, auto=auto)) is not None:
        return follows
    if (drawn := BetweenEnds.of(payable, confidence, at)) is not None:
        return drawn
    raise no_interval(
        f"{statistic} by {mechanism.name}",
        "how far the answer is from the true one depends on the data",
        fix=(Keyword("mechanism", "laplace"), " has noise that does not") if statistic.attained(0) else "",
    ) from None


Bounds = tuple[float, float]

WithInterval = Callable[[Request, Callable[[Price], Payable]], Payable]
"""A function that gives an interval to a request. Its second argument makes the same request at another price."""

LEAST_EPSILON = Fraction(1, 10**100)
"""The least epsilon for an interval. Below it, the bounds that are found would decide if it can be computed."""

NOTE = "the interval holds the answer of the records as they are clamped to these bounds"


@dataclass(frozen=True, slots=True, repr=False)
class SearchedInterval(Searched):
    """One statistic with an interval. Its bounds are searched for first. There is one debit for all."""

    widest_with_interval: Payable
    with_interval_between: Callable[[Bounds], Payable]

    @classmethod
    def of_search(cls, searched: Searched, give: WithInterval) -> "SearchedInterval":
        """Give an interval to a question with searched bounds. It is checked at the narrowest and widest bounds."""
        if pure_epsilon(searched.widest.price) < LEAST_EPSILON:
            raise ParameterError(
                "epsilon", "must be at least 1e-100 for an interval between bounds that are searched for"
            ) from None

        def between(bounds: Bounds) -> Payable:
            return give(
                searched.between_bounds(bounds),
                lambda price: searched.between_bounds(bounds, price=price),
            )

        search = searched.search
        powers = search.magnitudes.powers
        between((0.0, powers[0]))
        return cls(searched.between_bounds, searched.widest, search, between((0.0, powers[-1])), between)

    @property
    def asked(self) -> Payable:
        return self.widest_with_interval

    @property
    def law(self) -> str:
        return self.memo.partition(" by ")[2]

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        held = self.search.overlooks("the bounds that are found")
        return Promise(mechanism=self.widest.mechanism.name, sentence=held)

    def answer_between(
        self, bounds: Bounds, receipt: object, bits: Bits | None
    ) -> tuple[Release, tuple[str, ...]]:
        return self.with_interval_between(bounds).answer(receipt, bits=bits), (NOTE,)
