"""The audit of a black box: a lower bound on epsilon, with a confidence, for anything that returns draws.

For each pair of neighbours, half of the draws choose an event, and the other half test it:

    epsilon >= ln((p - delta)/q)        p a lower, q an upper confidence bound of the event's two probabilities

The event does not depend on the draws that test it, and the bounds are exact. The probability of a wrong bound is
divided among all bounds. So an epsilon-private mechanism fails the audit with probability at most 1 - confidence.
Proof: docs/proofs/audit.md.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from noisewise.audit.binomial import lower_bound, upper_bound
from noisewise.audit.events import Draws, Event, Feature, Readings, events, read
from noisewise.audit.result import OneAudit, dataset_text
from noisewise.audit.spaces import Records
from noisewise.audit.subjects import columns_of, grid
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.arrays import Unsigned
from noisewise.kernel.numbers.exact import Number, describe, exact, spell, whole
from noisewise.kernel.prices import Price, Rho
from noisewise.kernel.sampling import SystemBits
from noisewise.planning.asked import Asked
from noisewise.questions.request import Request
from noisewise.questions.terms import price_of, unit_of_privacy
from noisewise.results.pictures.charts import ChartRow, bars
from noisewise.results.pictures.svg import Picture

Sampler = Callable[[list[Any], int], Iterable[Any]]
"""A function of a dataset and a number of draws, which returns that many independent draws."""

DRAWS = 100_000
LIKELY = 5.5
"""The number of standard deviations by which events are compared: about the width of the exact bounds."""


@dataclass(frozen=True, slots=True, repr=False)
class Sampled(OneAudit):
    """The audit of a black box. ``print(audit)`` prints it, and `plot` draws it.

    Attributes:
        question: The name of the sampler.
        claimed: The epsilon that it claims.
        delta: The delta that it claims.
        epsilon: A lower bound on the true epsilon, wrong with probability at most 1 - confidence; 0 if no event tells
            two neighbours apart.
        confidence: The confidence of the bound, over all pairs and events together.
        pair: The two neighbours that show it.
        event: The event that tells them apart.
        counts: How often it happened to each of them, and the number of draws.
        pairs: How many pairs of neighbours were tried.
    """

    question: str
    claimed: Fraction
    delta: Fraction
    epsilon: float
    confidence: Fraction
    pair: tuple[Any, Any]
    event: str
    counts: tuple[tuple[int, int], tuple[int, int]]
    pairs: int
    neighbors: str = ""

    @property
    def passed(self) -> bool:
        """Whether the lower bound on epsilon is at most the claim."""
        return Fraction(self.epsilon) <= self.claimed

    @property
    def largest(self) -> float:
        return self.epsilon

    @property
    def row(self) -> dict[str, Any]:
        """The audit as a row of a table."""
        (here, draws), (there, _) = self.counts
        return {
            "question": self.question,
            "claimed": self.claimed,
            "at least": self.epsilon,
            "event": self.event,
            "counts": f"{here:,} and {there:,} of {draws:,}",
            "pairs": self.pairs,
            "verdict": self.verdict,
        }

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The lines of the printed audit."""
        (here, draws), (there, others) = self.counts
        claim = f"ε = {spell(self.claimed)}" + (f", δ = {spell(self.delta)}" if self.delta else "")
        sure = f"but for a chance of {float(1 - self.confidence):.1g}"
        return [
            ("", f"{self.question}, a black box"),
            ("claimed", claim),
            ("at least", f"ε = {self.epsilon:.4g}, {sure}"),
            ("event", self.event),
            ("happened", f"{here:,} times of {draws:,} to {dataset_text(self.pair[0])}"),
            ("", f"{there:,} times of {others:,} to {dataset_text(self.pair[1])}"),
            ("looked at", f"{self.pairs:,} pairs of neighbours"),
        ]

    def plot(self) -> Picture:
        """A picture of how often the event happened to each of the two neighbours."""
        rows = []
        for name, (count, draws) in zip(map(dataset_text, self.pair), self.counts, strict=True):
            bounds = (bound(count, draws, (1 - self.confidence) / 2) for bound in (lower_bound, upper_bound))
            low, high = map(float, bounds)
            rows.append(
                ChartRow(name, count / draws, f"{count / draws:.3g}", low, high, "confidence interval")
            )
        return bars(rows, title=f"{self.question}: {self.event}", note=self.verdict)


def black_box(
    sample: Sampler,
    *,
    epsilon: Number | None = None,
    rho: Number | None = None,
    delta: Number = 0,
    pairs: Iterable[tuple[Iterable[Any], Iterable[Any]]] | None = None,
    bounds: tuple[Number, Number] | None = None,
    values: int | Iterable[Any] | None = None,
    records: int = 3,
    most_pairs: int = 6,
    neighbors: str = "add_remove",
    draws: int = DRAWS,
    confidence: Number = Fraction(999_999, 1_000_000),
    features: Mapping[str, Feature] | None = None,
    progress: Callable[[int, int | None, float], None] | None = None,
) -> Sampled:
    """Audit a mechanism by its draws alone, of this library or of another one: a lower confidence bound on its epsilon.

    If the claim of ``sample`` is true and its draws are independent, the audit fails it with probability at most
    1 - confidence, whatever is tried. If it passes, no violation showed in the events and pairs that were tried.

    Args:
        sample: A function of a dataset, a list of records, and a number of draws. It returns that many independent
            draws: numbers, texts, or tuples of them.
        epsilon: The epsilon that it claims.
        rho: In place of epsilon, a price in zCDP. Draws can only test the epsilon that it is worth at ``delta``.
        delta: The delta that it claims, 0 for pure differential privacy.
        pairs: Pairs of neighbouring datasets to try. Without them, pairs are made of ``bounds`` or ``values``.
        bounds: The lowest and the highest record of pairs that are made; their shapes are hard to protect.
        values: The values that records of such pairs can have, or how many values between the bounds.
        records: The most records of a dataset in such pairs.
        most_pairs: The most pairs that are made.
        neighbors: "add_remove" or "swap", for such pairs.
        draws: The number of draws from each dataset of a pair; half of them choose the event, half of them test it.
        confidence: The confidence of the bound.
        features: More numbers to look at, by their names: functions of an array of draws that return a number for each
            draw.
        progress: A function that is called after each pair, with the number of pairs done, the number of all pairs, and
            the bound so far.

    Examples:
        >>> def sample(data, n):
        ...     return sum(data) + numpy.random.default_rng().laplace(size=n)
        >>> nws.audit.black_box(sample, epsilon=1, bounds=(0, 1))
    """
    if not callable(sample):
        raise ParameterTypeError(
            "sample", "must be a function of a dataset and a number of draws", got=describe(sample)
        ) from None
    slack = exact("delta", delta)
    claimed = _claimed(price_of(epsilon, rho), slack)
    sure, count = exact("confidence", confidence), whole("draws", draws, least=100)
    if not 0 < sure < 1:
        raise ParameterError("confidence", "must be above 0 and below 1", got=describe(confidence)) from None
    if not 0 <= slack < 1:
        raise ParameterError("delta", "must be from 0 to below 1", got=describe(delta)) from None
    tried = _pairs(pairs, bounds, values, records, most_pairs, neighbors)
    miss = (1 - sure) / (2 * len(tried))  # two bounds for each pair
    best: Sampled | None = None
    name = getattr(sample, "__name__", type(sample).__name__)
    for done, pair in enumerate(tried, start=1):
        bound, worse, event, counts = _tested(sample, pair, count, miss, slack, features)
        if best is None or bound > best.epsilon:
            best = Sampled(name, claimed, slack, bound, sure, worse, event, counts, len(tried), neighbors)
        if progress is not None:
            progress(done, len(tried), best.epsilon)
    assert best is not None, "there is at least one pair"
    return best


def sampler(question: Any, *arguments: Any, words: bool = False, **keywords: Any) -> Sampler:
    """A question of this library as a black box, for the ``sample`` of `black_box`.

    Args:
        question: As in `exact`.
        arguments: The question's own, such as the q of a quantile.
        words: Whether a draw is a pair: the answer, and the number of random words that it took.
        keywords: The question's keywords: bounds, epsilon and so on.

    Examples:
        >>> nws.audit.black_box(nws.audit.sampler("median", bounds=(0, 4), epsilon=1), epsilon=1, bounds=(0, 4))
    """
    asked = Asked.of("audit.sampler", question, arguments, keywords)

    def sample(data: list[Any], n: int) -> list[Any]:
        payable = asked.bind(*columns_of(asked, tuple(data)))
        if isinstance(payable, Request) and not words:
            drawn: list[Any] = payable.look().draw(n).tolist()
            return drawn
        draws = []
        for _ in range(n):
            bits = CountedBits()
            answer = payable.answer(bits=bits).value
            draws.append(
                (str(answer) if isinstance(answer, tuple) else answer, bits.count) if words else answer
            )
        return draws

    sample.__name__ = asked.name
    return sample


class CountedBits(SystemBits):
    """The system's random bits, and the number of words that were taken."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def words(self, count: int) -> Unsigned:
        self.count += count
        return super().words(count)


def _claimed(price: Price, delta: Fraction) -> Fraction:
    """Return the epsilon that draws can test. A rho is worth one at each delta above 0, here rounded up."""
    if not isinstance(price, Rho):
        return price
    if delta <= 0:
        raise ParameterError(
            "delta",
            "must be above 0 where rho is given, such as 1e-6",
            got=spell(delta),
            why="draws can only test the epsilon that a rho is worth at a delta",
        ) from None
    return Fraction(math.ceil(10**6 * price.loss.as_approx(delta).epsilon), 10**6)


Tested = tuple[float, tuple[Any, Any], str, tuple[tuple[int, int], tuple[int, int]]]


def _tested(
    sample: Sampler,
    pair: tuple[list[Any], list[Any]],
    draws: int,
    miss: Fraction,
    delta: Fraction,
    features: Mapping[str, Feature] | None,
) -> Tested:
    """Return the bound for one pair. One half of the draws chooses an event, and the other half tests it."""
    near, far = (_drawn(sample, data, draws) for data in pair)
    half = draws // 2
    first, second = (read([*near[part], *far[part]], features) for part in (slice(half), slice(half, None)))
    event, swapped = _chosen(first, half, float(delta))
    rest, happened = draws - half, event.happens(second)
    here, there = int(np.count_nonzero(happened[:rest])), int(np.count_nonzero(happened[rest:]))
    if swapped:
        here, there, pair = there, here, (pair[1], pair[0])
    low, high = lower_bound(here, rest, miss), upper_bound(there, rest, miss)
    return _log(low - delta, high), pair, str(event), ((here, rest), (there, rest))


def _log(top: Fraction, bottom: Fraction) -> float:
    """Return the logarithm of the ratio top/bottom, rounded down, or 0 if the ratio is below 1."""
    if top <= bottom:
        return 0.0
    return max(0.0, math.nextafter(math.log(top / bottom) * (1 - 1e-14), 0.0))


def _drawn(sample: Sampler, data: list[Any], draws: int) -> Draws:
    returned = sample(list(data), draws)
    taken = returned.tolist() if isinstance(returned, np.ndarray) and returned.ndim == 1 else list(returned)
    if isinstance(returned, np.ndarray) and returned.ndim > 1:
        taken = [tuple(row) for row in returned.tolist()]
    if len(taken) != draws:
        raise ParameterError(
            "sample", f"must return as many draws as it is asked for, {draws:,}", got=f"{len(taken):,}"
        ) from None
    return taken


def _chosen(readings: Readings, draws: int, delta: float) -> tuple[Event, bool]:
    """Return the event with the largest estimated bound, and whether it is more likely for the second dataset.

    The first ``draws`` readings are of the first dataset, the others of its neighbour.
    """
    best, choice = -math.inf, None
    for event in events(readings):
        happened = event.happens(readings)
        here, there = int(np.count_nonzero(happened[:draws])), int(np.count_nonzero(happened[draws:]))
        for swapped, (a, b) in ((False, (here, there)), (True, (there, here))):
            low, high = _about(a, draws)[0] - delta, _about(b, draws)[1]
            promised = math.log(low / high) if low > 0 else -math.inf
            if promised > best or choice is None:
                best, choice = promised, (event, swapped)
    assert choice is not None, "some answer comes up more than once, or there are thresholds"
    return choice


def _about(count: int, draws: int) -> tuple[float, float]:
    """Return Wilson's approximate confidence bounds of a probability. They are used only to choose an event."""
    z = LIKELY**2
    middle, reach = count + z / 2, LIKELY * math.sqrt(count * (1 - count / draws) + z / 4)
    return max(middle - reach, 0.0) / (draws + z), (middle + reach) / (draws + z)


def _pairs(
    pairs: Any, bounds: Any, values: Any, records: object, most: object, neighbors: object
) -> list[tuple[list[Any], list[Any]]]:
    """Return the pairs of neighbours to try: the given pairs, or pairs made of bounds or values."""
    if pairs is not None:
        given = [(list(near), list(far)) for near, far in pairs]
        if not given:
            raise ParameterError("pairs", "must hold a pair of datasets", got="none") from None
        return given
    if values is not None and not isinstance(values, int):
        domain = tuple(values)
    elif bounds is not None:
        domain = grid(bounds, 5 if values is None else whole("values", values, least=2))
    else:
        raise ParameterError(
            "pairs", "must be given, or else bounds or values, since pairs are made of them"
        ) from None
    relation, _ = unit_of_privacy(neighbors, 1)
    space = Records((domain,), whole("records", records, least=1), relation)
    few = islice(dict.fromkeys(space.shapes()), whole("most_pairs", most, least=1))
    return [(list(near), list(far)) for near, far in few]
