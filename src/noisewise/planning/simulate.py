"""What would the error be? Computed from the law of data that is public or made up: nothing is sampled.

Only an answer of several numbers that depend on each other is drawn, some hundred times, as it has no one law to read.
The result holds the answer without noise, so its name, its text and its field ``private`` say that it is not private.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Literal, Unpack, overload

import numpy as np

from noisewise.errors import ParameterError
from noisewise.laws.balance_law import BalanceLaw
from noisewise.laws.law import Law
from noisewise.mechanisms import Balance, Chosen
from noisewise.numbers.answers import Answers
from noisewise.numbers.arrays import Floats
from noisewise.numbers.digits import rounded, to_three
from noisewise.numbers.exact import exact_epsilon, spell
from noisewise.planning.asked import AnyQuestion, Asked, Said
from noisewise.planning.promises import answer_of
from noisewise.questions.keywords import Priced, with_open_signature
from noisewise.questions.request import Request
from noisewise.questions.settle import Payable
from noisewise.releases.histogram import Histogram
from noisewise.releases.most_common import MostCommon
from noisewise.releases.quantiles import JointQuantiles
from noisewise.releases.vectors import VectorRequest
from noisewise.statistics import Quantile, Statistic

DRAWS = 200
"""How often an answer is drawn that has no one law."""

SHARES = (50, 90, 95, 99)


@dataclass(frozen=True, slots=True, repr=False)
class NotPrivateSimulation:
    """Not private: the exact error of a release on data that is public or made up, and its answer without noise.

    Attributes:
        private: Always False: nothing here is noisy, and nothing was paid for it.
        answer: The true answer without noise, of records that are clamped and on the lattice; a tuple of several.
        clamping: How far that is from the answer without the bounds: a bias that no epsilon removes. None where there
            are no bounds, or where the statistic has no answer without them.
        expected_error: The mean distance of a release from ``answer``; of several numbers, the mean over all of them.
            For a category, how many records fewer it has than the most common one.
        error_quantiles: How far a release is from ``answer`` at most, with probability 50%, 90%, 95% and 99%.
        epsilon: What such a release costs.
        draws: How many draws the errors are measured in; None where they are read off the law.
    """

    private: ClassVar[Literal[False]] = False
    statistic: str
    answer: Any
    clamping: float | None
    expected_error: float
    error_quantiles: dict[str, float]
    epsilon: Fraction
    draws: int | None = None

    def __repr__(self) -> str:
        values = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
        return f"not private: {type(self).__name__}({values})"

    def __str__(self) -> str:
        quantiles = ", ".join(
            f"{share} within {to_three(error)}" for share, error in self.error_quantiles.items()
        )
        lines = [
            f"not private: {self.statistic} = {rounded(self.answer, max(self.expected_error / 10, 1e-6))} "
            f"at epsilon {spell(self.epsilon)}",
            f"  mean error   {to_three(self.expected_error)} ({quantiles})",
        ]
        if self.clamping is not None:
            lines.append(f"  clamping     {self.clamping:+,.3g}, by the bounds, before any noise")
        if self.draws is not None:
            lines.append(f"  measured     in {self.draws} draws, about")
        return "\n".join(lines)


@overload
def simulate(statistic: Statistic, data: Any, **keywords: Unpack[Priced]) -> NotPrivateSimulation: ...
@overload
def simulate(statistic: AnyQuestion, data: Any, *arguments: Any, **keywords: Any) -> NotPrivateSimulation: ...
@with_open_signature
def simulate(statistic: Said, data: Any, *arguments: Any, **keywords: Unpack[Priced]) -> NotPrivateSimulation:
    """Not private: the error of a release of public or synthetic data, read off its law. Nothing is sampled.

    Never use it on private data: the result holds the answer without noise, and says of itself that it is not private.
    Only several quantiles and vectors are drawn, 200 times, as they have no one law.

    Args:
        statistic: What will be asked: a name such as ``"median"``, a function such as ``nws.median``, a statistic such
            as ``Quantile("1/2")``, or a question such as ``ask.median("salary", ...)``.
        data: Data of the same kind that anybody may see; a tuple of columns where it takes several.
        arguments: The question's own arguments, such as the q of a quantile; they may be given by name as well.

    Examples:
        >>> print(nws.simulate(nws.mean, range(1000), bounds=(0, 500), epsilon=1))
    """
    if isinstance(statistic, Statistic) and statistic.reads == "graph":  # data is a graph and its nodes
        Asked.of("simulate", statistic, arguments, keywords)
        return simulated(Request.of(statistic, data, **keywords))
    asked = Asked.of("simulate", statistic, arguments, keywords)
    several = len(asked.columns) > 1
    if several and not (isinstance(data, (tuple, list)) and len(data) == len(asked.columns)):
        raise ParameterError(
            "data", f"must be a tuple of {len(asked.columns)} columns for {asked.name}"
        ) from None
    payable = answer_of(asked.bind(*(data if several else (data,))))
    result = simulated(payable)
    if not isinstance(payable, Request) or payable.bounds is None or several or asked.of_graph:
        return result
    free = _without_bounds(payable, data, asked.keywords)
    if free is None:
        return result
    return NotPrivateSimulation(
        **{each.name: getattr(result, each.name) for each in fields(result)}
        | {"clamping": result.answer - free}
    )


def simulated(payable: Payable) -> NotPrivateSimulation:
    """The error of a question about data that anybody may see."""
    payable = answer_of(payable)
    if isinstance(payable, Request):
        return _of_law(payable)
    if isinstance(payable, Histogram):
        return _of_histogram(payable)
    if isinstance(payable, MostCommon):
        return _of_category(payable)
    if isinstance(payable, (JointQuantiles, VectorRequest)):
        return _by_drawing(payable)
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
        expected_error=law.expected_error(),
        error_quantiles={f"{share}%": error_quantile(law, centre, share / 100) for share in SHARES},
        epsilon=request.mechanism.epsilon,
    )


def _of_histogram(asked: Histogram) -> NotPrivateSimulation:
    """Of all counts alike: the law of a count that is chosen at random."""
    laws = asked.look()
    each = [laws[group] for group in range(len(laws))]
    counts = [int(law.centre) for law in each]

    def held(steps: int) -> float:
        shares = [law.cdf(n + steps) - law.cdf(n - steps - 1) for law, n in zip(each, counts, strict=True)]
        return float(np.mean(shares))

    return NotPrivateSimulation(
        statistic="histogram",
        answer=tuple(counts),
        clamping=None,
        expected_error=float(np.mean([law.expected_error() for law in each])),
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


def _by_drawing(asked: JointQuantiles | VectorRequest) -> NotPrivateSimulation:
    truth = _quantiles(asked) if isinstance(asked, JointQuantiles) else _vector(asked)
    drawn = np.array([_numbers(asked) for _ in range(DRAWS)], np.float64)
    errors = np.abs(drawn - truth)
    return NotPrivateSimulation(
        statistic=str(asked.question if isinstance(asked, JointQuantiles) else asked.statistic),
        answer=tuple(truth.tolist()),
        clamping=None,
        expected_error=float(errors.mean()),
        error_quantiles={f"{share}%": float(np.quantile(errors, share / 100)) for share in SHARES},
        epsilon=exact_epsilon(asked.loss.epsilon),
        draws=DRAWS,
    )


def _numbers(asked: JointQuantiles | VectorRequest) -> list[float]:
    """The numbers of one draw; of pairs the first."""
    value = asked.answer().value
    return [each[0] if isinstance(each, tuple) else each for each in value]


def _quantiles(asked: JointQuantiles) -> Floats:
    column, answers = asked.data.read(asked.lattice, asked.neighbors), Answers.on(asked.lattice)
    indices = [int(Quantile(q).envelope(column, answers, 0).lower[0]) for q in asked.question.qs]
    return np.array([float(index * answers.granularity) for index in indices])


def _vector(asked: VectorRequest) -> Floats:
    law = asked.look(0)
    centre = law.envelope.lower if isinstance(law, Law) else np.asarray(law.centre)
    inside = np.minimum(np.maximum(centre, asked.frame.low), asked.frame.high)
    return np.array([float(int(index) * asked.frame.granularity) for index in inside])


def _centre(law: Law | BalanceLaw) -> float:
    return float(law.centre * law.granularity)


def _without_bounds(request: Request, data: Any, keywords: Any) -> float | None:
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


def error_quantile(law: Law | BalanceLaw, centre: float, share: float) -> float:
    """The least distance that holds this share of the probability, by bisection on the lattice."""
    step = float(law.granularity)

    def held(steps: int) -> float:
        return float(law.cdf(centre + steps * step) - law.cdf(centre - (steps + 1) * step))

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
