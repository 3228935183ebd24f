"""Checks of a statistic by enumeration: every small dataset, every pair of neighbours, in exact arithmetic.

They report the first violation in words. What they find is wrong; what they do not find may still be wrong, since a
small world is small: a statistic needs a proof as well.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.audit.judge import FLOAT, Move, log_ratios, worst_move
from noisewise.audit.nesting import nests_in
from noisewise.audit.worlds import Dataset, World
from noisewise.errors import NoisewiseError, ParameterError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import BoundedRange, Loss, Neighbors, PureDP
from noisewise.kernel.numbers.exact import Number, exact, whole
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.choice import Chosen
from noisewise.questions.keywords import SomeBounds
from noisewise.questions.request import Request
from noisewise.statistics import Statistic

Records = list[Any]
"""Values of the domain, which only the statistic knows."""

MANY = 100_000
"""More datasets than this would take minutes."""


class Violation(NoisewiseError, AssertionError):
    """A statistic or a mechanism that does not keep what it promises, with the data that shows it."""


@dataclass(frozen=True)
class Checked:
    """What was enumerated without finding a violation."""

    datasets: int
    pairs: int
    result: str

    def __str__(self) -> str:
        return f"{self.result}: {self.datasets:,} datasets, {self.pairs:,} pairs of neighbours"


def check_envelope(
    statistic: Statistic,
    *,
    domain: Sequence[object],
    answer: Callable[[list[Any]], Number],
    bounds: SomeBounds | None = None,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int = 1,
    most: int = 4,
    levels: int = 4,
) -> Checked:
    """Check an envelope against all datasets of at most ``most`` records with values of ``domain``.

    Its levels must be monotone, start at the answer itself, hold every answer that so many edits can reach, nest
    between neighbours, and not depend on the order of the records; `sensitivity` must be at least what one edit does.

    Args:
        statistic: The statistic to check.
        domain: A few values that records can have; rows, as tuples, for a statistic of several columns.
        answer: A naive, independent definition: records in, a number out. It is floored to the answer's steps.
        bounds: As in a release.
        granularity: As in a release.
        neighbors: As in a release.
        contributions: As in a release.
        most: The number of records of the largest dataset.
        levels: The most people whose data may change at once.

    Raises:
        Violation: With the datasets, the level and the numbers that show it.
    """
    world, values = world_of(domain, most, neighbors, contributions)
    keywords = {
        "bounds": bounds,
        "granularity": granularity,
        "neighbors": neighbors,
        "contributions": contributions,
    }

    def request(x: Records) -> Request:
        return request_of(statistic, x, epsilon=1, **keywords)

    step = request([]).frame.answers.granularity
    envelopes = {}
    for x in world.datasets():
        records = [values[k] for k in x]
        envelopes[x] = envelope = _envelope(request(records), levels, records)
        _ordered(records, envelope, _envelope(request(records[::-1]), levels, records))
        reach = levels if neighbors == "add_remove" else min(levels, len(x))
        least, greatest = world.envelope(
            lambda y: math.floor(exact("answer", answer([values[k] for k in y])) / step), x, reach
        )
        _holds(records, envelope, least, greatest, step)
    pairs = 0
    for x, y in world.pairs():
        pairs += 1
        near, far = [values[k] for k in x], [values[k] for k in y]
        _nests(near, far, envelopes[x], envelopes[y], step)
        _nests(far, near, envelopes[y], envelopes[x], step)
        steps = statistic.sensitivity(request(near).frame, neighbors, near.__len__) * contributions
        _moves(near, far, envelopes[x].level(0)[0] - envelopes[y].level(0)[0], steps)
    return Checked(len(envelopes), pairs, "sound, monotone and nested")


def check_privacy(
    statistic: Statistic,
    *,
    domain: Sequence[object],
    bounds: SomeBounds | None = None,
    epsilon: Number = 1,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int = 1,
    mechanism: Chosen = "auto",
    most: int = 4,
    levels: int | None = None,
) -> Checked:
    """Check that no outcome becomes more than e^epsilon times as likely through one person, on a whole small world.

    Where the loss is of bounded range, the exact cost of every outcome may move by at most one, and the log ratio may
    range over at most epsilon. Choose a coarse ``granularity``: every outcome is looked at.

    Args:
        statistic: The statistic to check.
        domain: A few values that records can have, odd ones among them: None, numbers out of bounds or between steps.
        bounds: As in a release.
        epsilon: As in a release.
        granularity: As in a release.
        neighbors: As in a release.
        contributions: As in a release.
        mechanism: As in a release.
        most: The number of records of the largest dataset.
        levels: A public number of levels in place of the level rule.

    Raises:
        Violation: With the datasets and the outcome that show it.
    """
    keywords = {
        "bounds": bounds,
        "granularity": granularity,
        "neighbors": neighbors,
        "contributions": contributions,
    }
    sizes = [None] if neighbors == "add_remove" else range(1, whole("most", most, least=1) + 1)
    datasets = pairs = 0
    for size in sizes:  # data of different sizes are no neighbours under swap
        world, values = world_of(domain, most if size is None else size, neighbors, contributions, size or 0)

        def request(x: Dataset, values: Records = values) -> Request:
            return request_of(
                statistic, [values[k] for k in x], epsilon=epsilon, mechanism=mechanism, **keywords
            )

        laws = {x: law_of(request(x), levels, [values[k] for k in x]) for x in world.datasets()}
        _finite(laws)
        _judge(laws, world, request(()).loss, values)
        datasets, pairs = datasets + len(laws), pairs + sum(1 for _ in world.pairs())
    return Checked(datasets, pairs, f"private at epsilon {float(exact('epsilon', epsilon)):g}")


def world_of(
    domain: Sequence[object], most: int, neighbors: str, owned: int, least: int = 0
) -> tuple[World, Records]:
    """A world of indices into the domain, whose values need not be sortable, and the values."""
    records, values = whole("most", most, least=1), list(domain)
    if not values or math.comb(len(values) + records, records) > MANY:
        raise ParameterError(
            "domain and most",
            f"must make from 1 to {MANY:,} datasets",
            got=f"{len(values)} values and {records} records",
        ) from None
    return World(tuple(range(len(values))), records, neighbors, owned, least), values


def request_of(statistic: Statistic, records: Records, **keywords: Any) -> Request:
    """The question about these records, by piecewise Laplace unless another mechanism is named."""
    columns = statistic.columns
    data = records if columns == 1 else tuple([row[i] for row in records] for i in range(columns))
    return Request.of(statistic, data, mechanism=keywords.pop("mechanism", "piecewise_laplace"), **keywords)


def _ordered(x: Records, envelope: Envelope, backwards: Envelope) -> None:
    if not (
        np.array_equal(envelope.lower, backwards.lower) and np.array_equal(envelope.upper, backwards.upper)
    ):
        raise Violation(f"the order of the records shows at {x}: read backwards, they have another envelope")


def _moves(x: Records, y: Records, apart: int, steps: int) -> None:
    if abs(apart) > steps:
        raise Violation(
            f"sensitivity is too small: between {x} and its neighbour {y} the answer moves by {abs(apart)} steps, "
            f"but sensitivity() promises at most {steps}"
        )


def law_of(request: Request, levels: int | None, x: Records) -> Law | BalanceLaw:
    """The law of a question; what is wrong with it is a violation."""
    try:
        return request.look(levels)
    except NoisewiseError as fault:
        broken = f"broken at {x}: {fault}"
    raise Violation(broken) from None


def _envelope(request: Request, levels: int, x: Records) -> Envelope:
    law = law_of(request, levels, x)
    assert isinstance(law, Law), "an envelope is looked at through a mechanism that reads it"
    return law.envelope


def _holds(x: Records, envelope: Envelope, least: list[int], greatest: list[int], step: Fraction) -> None:
    for l, truth in enumerate(zip(least, greatest, strict=True)):
        ours = envelope.level(l)
        if l == 0 and ours != truth:
            raise Violation(
                f"wrong answer at {x}: it is {value_text(truth[0], step)}, level 0 is {_values(ours, step)}"
            )
        if truth[0] < ours[0] or truth[1] > ours[1]:
            raise Violation(
                f"too narrow at {x}: {l} {_people(l)} can reach answers from {value_text(truth[0], step)} to "
                f"{value_text(truth[1], step)}, but level {l} is {_values(ours, step)}"
            )


def _nests(x: Records, y: Records, inner: Envelope, outer: Envelope, step: Fraction) -> None:
    if nests_in(inner, outer):
        return
    for l in range(max(inner.lower.size, outer.lower.size) + 1):
        (low, high), (lower, higher) = inner.level(l), outer.level(l + 1)
        if low < lower or high > higher:
            raise Violation(
                f"not nested: level {l} of {x} is {_values((low, high), step)}, which is not inside "
                f"level {l + 1} of its neighbour {y}, {_values((lower, higher), step)}"
            )
    raise Violation(f"not nested: {x} and its neighbour {y} have different supports")


def _finite(laws: Mapping[Dataset, Law | BalanceLaw]) -> None:
    for law in laws.values():
        low, high = law.ends
        if low is not None and high is not None and high - low > MANY:
            raise ParameterError(
                "granularity",
                f"must leave at most {MANY:,} outcomes to look at",
                got=f"{high - low + 1:,}",
                fix="choose a coarser one",
            ) from None


def _judge(laws: Mapping[Dataset, Law | BalanceLaw], world: World, loss: Loss, values: Records) -> None:
    def shown(x: Dataset) -> Records:
        return [values[k] for k in x]

    assert isinstance(loss, (PureDP, BoundedRange)), "one draw has no other loss"
    limit = float(loss.epsilon)
    ranged = isinstance(loss, BoundedRange)
    costs = {x: law for x, law in laws.items() if isinstance(law, Law)}
    move: Move = worst_move(costs, world) if ranged else (Fraction(0), (), ())
    if move[0] > 1:
        raise Violation(
            f"not private: from {shown(move[1])} to its neighbour {shown(move[2])} the cost of an "
            f"outcome moves by {move[0]}, above 1"
        )
    for low, high, x, y in log_ratios(laws, world):
        worst = max(-low, high, high - low if ranged else 0.0)
        if not worst <= limit + FLOAT:
            raise Violation(
                f"not private: between {shown(x)} and its neighbour {shown(y)} the log ratio runs from "
                f"{low:.4f} to {high:.4f}, more than epsilon {limit:g} allows"
            )
    for x, law in laws.items():
        total = _total(law)
        if total is not None and not math.isclose(total, 1, abs_tol=1e-9):
            raise Violation(f"no law at {shown(x)}: the probabilities of all outcomes add up to {total:.9f}")


def _total(law: Law | BalanceLaw) -> float | None:
    low, high = law.ends
    if low is None or high is None:
        return None
    values: list[Any] = [k * law.granularity for k in range(low, high + 1)]
    return float(np.sum(read_law(law).pmf(values)))


def _people(l: int) -> str:
    return "person" if l == 1 else "people"


def value_text(index: Fraction | int, step: Fraction) -> str:
    """An answer as a number."""
    value = index * step
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6g}"


def _values(level: tuple[int, int], step: Fraction) -> str:
    return f"{value_text(level[0], step)} to {value_text(level[1], step)}"
