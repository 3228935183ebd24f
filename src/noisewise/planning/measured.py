"""The error of each kind of answer on data that anybody may see, read off its law.

Only an answer of several numbers that depend on each other, or of several draws, is drawn, some hundred times, as it
has no one law to read. `on_shape` does the same for made-up records of a guessed shape.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.kernel.mechanisms import Balance
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe, exact_epsilon, spell
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.planning.asked import Asked
from noisewise.planning.promises import answer_of
from noisewise.planning.readings.read_law import read_law
from noisewise.planning.shapes import Shaped
from noisewise.planning.simulation import SHARES, NotPrivateSimulation
from noisewise.questions.choice import Chosen
from noisewise.questions.composites.count_distinct import CountDistinct
from noisewise.questions.composites.covariance_matrix import CovarianceRequest
from noisewise.questions.composites.histogram import Histogram
from noisewise.questions.composites.linear_regression import SumsRegression
from noisewise.questions.composites.most_common import MostCommon
from noisewise.questions.composites.population_interval import PopulationInterval
from noisewise.questions.composites.private_bounds import PrivateBounds
from noisewise.questions.composites.quantile_interval import Interval
from noisewise.questions.composites.quantiles import JointQuantiles
from noisewise.questions.composites.theil_sen_line import TheilSenLine
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.questions.noise_interval import FromSums, SearchedInterval
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request, Searched
from noisewise.questions.search import BoundsSearch
from noisewise.statistics import Quantile
from noisewise.tables.columns import declare

DRAWS = 200
"""How often an answer is drawn that has no one law."""

Numbers = Sequence[float]


def simulated(payable: Payable) -> NotPrivateSimulation:
    """The error of a question about data that anybody may see."""
    payable = answer_of(payable)
    for kind, measure in MEASURED.items():
        if isinstance(payable, kind):
            return measure(payable)
    raise ParameterError(
        payable.memo.partition(" by ")[0],
        "must be asked of the public data itself to see how good it is",
        why="it is made of several draws, each of which depends on those before",
    ) from None


def _of_law(request: Request) -> NotPrivateSimulation:
    law = request.look()
    centre = _centre(law)
    return NotPrivateSimulation(
        statistic=str(request.statistic),
        answer=centre,
        clamping=None,
        expected_error=read_law(law).expected_error(),
        error_quantiles={f"{share}%": error_quantile(law, centre, share / 100) for share in SHARES},
        epsilon=request.mechanism.epsilon,
    )


def _of_histogram(asked: Histogram) -> NotPrivateSimulation:
    """Of all counts alike: the law of a count that is chosen at random."""
    laws = asked.look()
    each = [laws[group] for group in range(len(laws))]
    counts = [int(read_law(law).centre) for law in each]

    def held(steps: int) -> float:
        shares = [
            read_law(law).cdf(n + steps) - read_law(law).cdf(n - steps - 1)
            for law, n in zip(each, counts, strict=True)
        ]
        return float(np.mean(shares))

    return NotPrivateSimulation(
        statistic="histogram",
        answer=tuple(counts),
        clamping=None,
        expected_error=float(np.mean([read_law(law).expected_error() for law in each])),
        error_quantiles={f"{share}%": float(_least(held, share / 100)) for share in SHARES},
        epsilon=asked.epsilon,
    )


def _of_category(asked: MostCommon) -> NotPrivateSimulation:
    lead = asked.look()
    shares, order = np.exp(lead.logpmf()), np.argsort(lead.behind, kind="stable")
    reached = np.cumsum(shares[order])
    behind = lead.behind[order]
    return NotPrivateSimulation(
        statistic="most common",
        answer=asked.labels.names[int(order[0])],
        clamping=None,
        expected_error=float(shares @ lead.behind),
        error_quantiles={
            f"{share}%": float(
                behind[min(int(np.searchsorted(reached, share / 100 - 1e-12)), behind.size - 1)]
            )
            for share in SHARES
        },
        epsilon=asked.epsilon,
    )


def _of_count_distinct(asked: CountDistinct) -> NotPrivateSimulation:
    law = asked.look()
    return NotPrivateSimulation(
        statistic="count distinct",
        answer=_centre(law),
        clamping=None,
        expected_error=read_law(law).expected_error(),
        error_quantiles={f"{share}%": error_quantile(law, _centre(law), share / 100) for share in SHARES},
        epsilon=asked.epsilon,
    )


def _by_drawing(
    asked: Payable, answer: Any, errors: Callable[[Any], Numbers], name: str | None = None
) -> NotPrivateSimulation:
    """Some hundred draws, each of which has an error or several."""
    found = np.array([errors(asked.answer().value) for _ in range(DRAWS)], np.float64)
    return NotPrivateSimulation(
        statistic=asked.memo.partition(" by ")[0] if name is None else name,
        answer=answer,
        clamping=None,
        expected_error=float(found.mean()),
        error_quantiles={
            f"{share}%": float(np.quantile(found, share / 100, method="higher")) for share in SHARES
        },
        epsilon=exact_epsilon(asked.loss.as_pure().epsilon),
        draws=DRAWS,
    )


def _from(asked: Payable, truth: Numbers, name: str | None = None) -> NotPrivateSimulation:
    """The distance of each number from the true one; of pairs that of the first."""
    true = np.array(truth, np.float64)

    def errors(value: Any) -> Numbers:
        numbers = [each[0] if isinstance(each, tuple) else each for each in value]
        found: list[float] = np.abs(np.array(numbers, np.float64) - true).tolist()
        return found

    return _by_drawing(asked, tuple(true.tolist()), errors, name)


def _of_quantiles(asked: JointQuantiles) -> NotPrivateSimulation:
    return _from(asked, _quantiles(asked).tolist(), str(asked.question))


def _of_vector(asked: VectorRequest) -> NotPrivateSimulation:
    return _from_table(asked, asked.statistic.as_answer(tuple(_vector(asked).tolist())), str(asked.statistic))


def _from_table(asked: Payable, truth: Any, name: str | None = None) -> NotPrivateSimulation:
    """The distance of each number of a vector or a matrix from the true one."""
    true = np.array(truth, np.float64)

    def errors(value: Any) -> Numbers:
        found: list[float] = np.abs(np.array(value, np.float64) - true).ravel().tolist()
        return found

    return _by_drawing(asked, truth, errors, name)


def _of_sums(asked: FromSums) -> NotPrivateSimulation:
    centre = _centre(asked.inner.look(0))
    return _by_drawing(asked, centre, lambda value: [abs(value - centre)])


def _of_covariance(asked: CovarianceRequest) -> NotPrivateSimulation:
    return _from_table(asked, asked.matrix(asked.moments(tuple(_vector(asked.sums).tolist()))))


def _of_regression(asked: SumsRegression) -> NotPrivateSimulation:
    moments = asked.table.moments(tuple(_vector(asked.table.sums).tolist()))
    return _from(asked, asked.coefficients(moments._replace(noise=0.0)))  # without noise there is no ridge


def _of_line(asked: TheilSenLine) -> NotPrivateSimulation:
    slope = _centre(asked.slope.look(0))
    x, y = asked.slope.data.in_memory(asked.slope.frame.records, asked.neighbors).values
    crossing = replace(asked.intercept, data=declare(y - slope * x))
    return _from(asked, [slope, _centre(crossing.look(0))])


def _of_interval(asked: Interval | PopulationInterval) -> NotPrivateSimulation:
    """How far the farther end is from what the data itself says."""
    whole = asked.end.about(Quantile(asked.q)) if isinstance(asked, Interval) else asked.request
    centre = _centre(whole.look(0))
    return _by_drawing(asked, centre, lambda ends: [max(abs(end - centre) for end in ends)])


def _of_private_bounds(asked: PrivateBounds) -> NotPrivateSimulation:
    """How many records lie outside the bounds that are found: all, where none are."""
    values, mask = asked.data.fetch()
    records = np.asarray(values, np.float64)
    records = records[~np.isnan(records) if mask is None else ~np.isnan(records) & ~mask]

    def errors(bounds: Any) -> Numbers:
        if bounds is None:
            return [float(records.size)]
        return [float(np.count_nonzero((records < bounds[0]) | (records > bounds[1])))]

    return _by_drawing(asked, _widest(asked.search, asked.data), errors)


def _of_searched(asked: Searched | SearchedInterval) -> NotPrivateSimulation:
    """From the answer between bounds that hold all records; where no bounds are found there is no answer at all."""
    searched = asked.inner if isinstance(asked, SearchedInterval) else asked
    bounds = _widest(searched.search, searched.widest.data)
    centre = 0.0 if bounds is None else _centre(searched.between_bounds(bounds).look(0))
    return _by_drawing(
        asked,
        centre,
        lambda value: [np.inf if value is None else abs(value - centre)],
        str(searched.widest.statistic),
    )


def _widest(search: BoundsSearch, data: Any) -> tuple[float, float] | None:
    """The powers between which all records lie; None where all are zero, or there are none."""
    magnitudes = search.magnitudes
    held = np.flatnonzero(magnitudes.count(data)) + magnitudes.lowest
    return magnitudes.around(int(held[0]), int(held[-1])) if held.any() else None


def _quantiles(asked: JointQuantiles) -> Floats:
    column, answers = asked.data.read(asked.lattice, asked.neighbors), Answers.on(asked.lattice)
    indices = [int(Quantile(q).envelope(column, answers, 0).lower[0]) for q in asked.question.qs]
    return np.array([float(index * answers.granularity) for index in indices])


def _vector(asked: VectorRequest) -> Floats:
    law = asked.look(0)
    centre = law.envelope.lower if isinstance(law, Law) else np.asarray(read_law(law).centre)
    inside = np.minimum(np.maximum(centre, asked.frame.low), asked.frame.high)
    return np.array([float(int(index) * asked.frame.granularity) for index in inside])


def _centre(law: Law | BalanceLaw) -> float:
    return float(read_law(law).centre * law.granularity)


def without_bounds(request: Request, data: Any, keywords: Any) -> float | None:
    """The answer between bounds that hold every record; None where the question cannot be asked between such."""
    values, mask = request.data.fetch()
    known = np.asarray(values, np.float64)
    known = known[~np.isnan(known) if mask is None else ~np.isnan(known) & ~mask]
    records = request.frame.records
    low, high = (float(end * records.granularity) for end in (records.low, records.high))
    bounds = float(known.min(initial=low)), float(known.max(initial=high))
    try:
        scored = isinstance(request.mechanism, Balance)
        mechanism: Chosen = "balance" if scored else "piecewise_laplace"
        shared = {
            name: keywords[name] for name in ("granularity", "neighbors", "contributions") if name in keywords
        }
        at_any_price: Any = {**shared, "bounds": bounds, "epsilon": 1, "mechanism": mechanism}
        return _centre(Request.of(request.statistic, data, **at_any_price).look(0))
    except ParameterError:
        return None


def errors_of(law: Law | BalanceLaw, share: float = 0.95) -> tuple[float, float, float]:
    """The mean error, how far off a draw is at most with this probability, and the bias."""
    if isinstance(law, PermuteAndFlipLaw):  # one table of all answers gives the three
        return read_law(law).errors(share)
    return read_law(law).expected_error(), error_quantile(law, _centre(law), share), read_law(law).bias()


def error_quantile(law: Law | BalanceLaw, centre: float, share: float) -> float:
    """The least distance that holds this share of the probability, by bisection on the lattice."""
    step = float(law.granularity)

    def held(steps: int) -> float:
        return float(
            read_law(law).cdf(centre + steps * step) - read_law(law).cdf(centre - (steps + 1) * step)
        )

    return _least(held, share) * step


def _least(held: Callable[[int], float], share: float) -> int:
    """The least number of steps that hold this share of the probability."""
    low, high = 0, 1
    while held(high) < share and high < 2**60:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if held(middle) >= share else (middle + 1, high)
    return low


MEASURED: dict[type[Payable], Callable[[Any], NotPrivateSimulation]] = {
    Request: _of_law,
    Histogram: _of_histogram,
    CountDistinct: _of_count_distinct,
    MostCommon: _of_category,
    JointQuantiles: _of_quantiles,
    VectorRequest: _of_vector,
    FromSums: _of_sums,
    CovarianceRequest: _of_covariance,
    SumsRegression: _of_regression,
    TheilSenLine: _of_line,
    Interval: _of_interval,
    PopulationInterval: _of_interval,
    PrivateBounds: _of_private_bounds,
    Searched: _of_searched,
    SearchedInterval: _of_searched,
}
"""How the error of each kind of answer is found."""


@dataclass(frozen=True, slots=True)
class Typical:
    """The error on records of a shape."""

    size: int
    error: float
    mean: float


def on_shape(asked: Asked, shape: Shaped, size: int | None, confidence: Fraction) -> Typical:
    """The error of a release of made-up records of this shape, by the law that it would be drawn from."""
    if asked.columns not in (("column",), ("label",)):
        raise ParameterError(
            "shape",
            f"must be left out for {asked.name}, which reads more than a column",
            fix="try it on public data by simulate",
        ) from None
    if shape.in_time != (asked.clock is not None):
        rule = (
            "must be of numbers"
            if shape.in_time
            else "must be of dates, times or durations, as the bounds are"
        )
        raise ParameterError("shape", rule, got=str(shape)) from None
    records = shape.records(size)
    payable = answer_of(asked.bind(records))
    if isinstance(payable, Request):
        law = payable.look()
        centre = float(read_law(law).centre * law.granularity)
        rounded = abs(centre - _unrounded(asked, records, centre))
        return Typical(
            records.size,
            error_quantile(law, centre, float(confidence)) + rounded,
            _unless_tiny(read_law(law).expected_error(), float(law.granularity)) + rounded,
        )
    result = simulated(payable)
    share = f"{spell(100 * confidence)}%"
    if share not in result.error_quantiles:
        raise ParameterError(
            "confidence",
            f"must be 0.5, 0.9, 0.95 or 0.99 for {asked.name} with a shape",
            got=describe(confidence),
        ) from None
    error, mean = result.error_quantiles[share], result.expected_error
    assert not isinstance(error, timedelta) and not isinstance(mean, timedelta), "no clock has read them"
    return Typical(records.size, error, mean)


def _unrounded(asked: Asked, records: Floats, centre: float) -> float:
    """The true answer of made-up records on a fine lattice, where a coarse granularity rounds it, or whole bounds."""
    given = asked.keywords
    if given.get("granularity") is None and given.get("bounds") is None:
        return centre
    fine = {} if given.get("bounds") is None else {"bounds": exact_bounds(given["bounds"])}
    try:
        payable = asked.at(granularity=None, **fine).bind(records)
    except ParameterError:  # no such question on a finer lattice
        return centre
    payable = answer_of(payable)
    assert isinstance(payable, Request), "the same question"
    law = payable.look(0)
    true = float(read_law(law).centre * law.granularity)
    return centre if abs(true - centre) <= law.granularity else true  # the fine lattice rounds as well


def _unless_tiny(error: float, step: float) -> float:
    """A mean error, or 0 where hardly ever another answer than the true one is released."""
    return error if error > step / 10**9 else 0.0
