"""Checks of a statistic by enumeration: every small dataset, every pair of neighbours, in exact arithmetic.

They report the first violation in words. What they find is wrong; what they do not find may still be wrong, since a
small world is small: a statistic needs a proof as well.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.columns import Neighbors
from noisewise.envelope import Envelope
from noisewise.errors import NoisewiseError, ParameterError
from noisewise.exact import Number, exact, whole
from noisewise.law import Law
from noisewise.mechanisms import Chosen
from noisewise.privacy import BoundedRange
from noisewise.request import Request
from noisewise.statistics import Statistic
from noisewise.testing.judge import FLOAT, Move, log_ratios, worst_move
from noisewise.testing.worlds import Dataset, World

MANY = 100_000
"""More datasets than this would take minutes."""


class Violation(NoisewiseError, AssertionError):
    """A statistic or a mechanism that does not keep what it promises, with the data that shows it."""


@dataclass(frozen=True)
class Checked:
    """What was enumerated without finding a violation."""

    datasets: int
    pairs: int
    found: str

    def __str__(self) -> str:
        return f"{self.found}: {self.datasets:,} datasets, {self.pairs:,} pairs of neighbours"


def check_envelope(
    statistic: Statistic,
    *,
    domain: Sequence[Any],
    answer: Callable[[list[Any]], Any],
    bounds: Any = None,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int = 1,
    most: int = 4,
    levels: int = 4,
) -> Checked:
    """Check an envelope against all datasets of at most ``most`` records with values of ``domain``.

    Its levels must be monotone, hold every answer that so many edits can reach, start at the answer itself, and nest
    between neighbours.

    Args:
        statistic: The statistic to check.
        domain: A few values that records can have; rows, as tuples, for a statistic of several columns.
        answer: A naive, independent definition: records in, a number out. It is floored to the answer's steps.
        bounds: As in a release.
        granularity: As in a release.
        neighbors: As in a release.
        contributions: As in a release.
        most: The number of records of the largest dataset.
        levels: How many people are let loose on each dataset.

    Raises:
        Violation: With the datasets, the level and the numbers that show it.
    """
    world = _world(domain, most, neighbors, contributions)
    asked = {
        "bounds": bounds,
        "granularity": granularity,
        "neighbors": neighbors,
        "contributions": contributions,
    }
    envelopes = {
        x: _request(statistic, x, epsilon=1, **asked).look(levels).envelope for x in world.datasets()
    }
    step = _request(statistic, (), epsilon=1, **asked).frame.answers.granularity
    for x, envelope in envelopes.items():
        _monotone(x, envelope, levels)
        reach = levels if neighbors == "add_remove" else min(levels, len(x))
        least, greatest = world.envelope(
            lambda y: math.floor(exact("answer", answer(list(y))) / step), x, reach
        )
        _holds(x, envelope, least, greatest, step)
    pairs = 0
    for x, y in world.pairs():
        pairs += 1
        _nests(x, y, envelopes[x], envelopes[y], step)
        _nests(y, x, envelopes[y], envelopes[x], step)
    return Checked(len(envelopes), pairs, "sound, monotone and nested")


def check_privacy(
    statistic: Statistic,
    *,
    domain: Sequence[Any],
    bounds: Any = None,
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
    coded = dict(enumerate(domain))
    asked = {
        "bounds": bounds,
        "granularity": granularity,
        "neighbors": neighbors,
        "contributions": contributions,
    }

    def request(x: Dataset) -> Request:
        return _request(statistic, tuple(coded[k] for k in x), epsilon=epsilon, mechanism=mechanism, **asked)

    sizes = [None] if neighbors == "add_remove" else range(1, whole("most", most, least=1) + 1)
    datasets = pairs = 0
    for size in sizes:  # data of different sizes are no neighbours under swap
        world = _world(range(len(coded)), most if size is None else size, neighbors, contributions, size or 0)
        laws = {x: request(x).look(levels) for x in world.datasets()}
        _finite(laws)
        loss = request(()).loss
        _judge(laws, world, loss, coded)
        datasets, pairs = datasets + len(laws), pairs + sum(1 for _ in world.pairs())
    return Checked(datasets, pairs, f"private at epsilon {float(exact('epsilon', epsilon)):g}")


def _world(domain: Sequence[Any], most: int, neighbors: str, owned: int, least: int = 0) -> World:
    records = whole("most", most, least=1)
    if math.comb(len(domain) + records, records) > MANY:
        raise ParameterError(
            f"domain and most must make at most {MANY:,} datasets, got {len(domain)} values and {records} records"
        ) from None
    return World(tuple(sorted(domain)), records, neighbors, owned, least)


def _request(statistic: Statistic, x: Dataset, **asked: Any) -> Request:
    columns = statistic.columns
    data = list(x) if columns == 1 else tuple([row[i] for row in x] for i in range(columns))
    return Request.of(statistic, data, mechanism=asked.pop("mechanism", "piecewise_laplace"), **asked)


def _monotone(x: Dataset, envelope: Envelope, levels: int) -> None:
    if envelope.is_monotone():
        return
    for l in range(levels + 1):
        near, far = envelope.level(l), envelope.level(l + 1)
        if far[0] > near[0] or far[1] < near[1] or near[0] > near[1]:
            raise Violation(
                f"not monotone at {_show(x)}: level {l} is {near} and level {l + 1} is {far} (in answer steps); "
                "levels must only widen"
            )
    raise Violation(f"not monotone at {_show(x)}: a level beyond {levels} is narrower than one before")


def _holds(x: Dataset, envelope: Envelope, least: list[int], greatest: list[int], step: Fraction) -> None:
    for l, truth in enumerate(zip(least, greatest, strict=True)):
        ours = envelope.level(l)
        if l == 0 and not ours[0] <= truth[0] <= truth[1] <= ours[1]:
            raise Violation(
                f"wrong answer at {_show(x)}: it is {_value(truth[0], step)}, level 0 is {_values(ours, step)}"
            )
        if truth[0] < ours[0] or truth[1] > ours[1]:
            raise Violation(
                f"too narrow at {_show(x)}: {l} {_people(l)} can reach answers from {_value(truth[0], step)} to "
                f"{_value(truth[1], step)}, but level {l} is {_values(ours, step)}"
            )


def _nests(x: Dataset, y: Dataset, inner: Envelope, outer: Envelope, step: Fraction) -> None:
    if inner.nests_in(outer):
        return
    for l in range(max(inner.lower.size, outer.lower.size) + 1):
        (low, high), (lower, higher) = inner.level(l), outer.level(l + 1)
        if low < lower or high > higher:
            raise Violation(
                f"not nested: level {l} of {_show(x)} is {_values((low, high), step)}, which is not inside "
                f"level {l + 1} of its neighbour {_show(y)}, {_values((lower, higher), step)}"
            )
    raise Violation(f"not nested: {_show(x)} and its neighbour {_show(y)} have different supports")


def _finite(laws: dict[Dataset, Law]) -> None:
    for law in laws.values():
        low, high = law.clamp or law.envelope.support
        if low is not None and high is not None and high - low > MANY:
            raise ParameterError(
                f"granularity must leave at most {MANY:,} outcomes to look at, got {high - low + 1:,}; "
                "choose a coarser one"
            ) from None


def _judge(laws: dict[Dataset, Law], world: World, loss: Any, coded: dict[int, Any]) -> None:
    limit = float(loss.epsilon)
    ranged = isinstance(loss, BoundedRange)
    move: Move = worst_move(laws, world) if ranged else (Fraction(0), (), ())
    if move[0] > 1:
        raise Violation(
            f"not private: from {_show(move[1], coded)} to its neighbour {_show(move[2], coded)} the cost of an "
            f"outcome moves by {move[0]}, above 1"
        )
    for low, high, x, y in log_ratios(laws, world):
        worst = max(-low, high, high - low if ranged else 0.0)
        if not worst <= limit + FLOAT:
            raise Violation(
                f"not private: between {_show(x, coded)} and its neighbour {_show(y, coded)} the log ratio runs from "
                f"{low:.4f} to {high:.4f}, more than epsilon {limit:g} allows"
            )
    for x, law in laws.items():
        total = _total(law)
        if total is not None and not math.isclose(total, 1, abs_tol=1e-9):
            raise Violation(
                f"no law at {_show(x, coded)}: the probabilities of all outcomes add up to {total:.9f}"
            )


def _total(law: Law) -> float | None:
    low, high = law.clamp or law.envelope.support
    if low is None or high is None:
        return None
    values: list[Any] = [k * law.granularity for k in range(low, high + 1)]
    return float(np.sum(law.pmf(values)))


def _show(x: Dataset, coded: dict[int, Any] | None = None) -> str:
    return str([v if coded is None else coded[v] for v in x])


def _people(l: int) -> str:
    return "person" if l == 1 else "people"


def _value(index: int, step: Fraction) -> str:
    value = index * step
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6g}"


def _values(level: tuple[int, int], step: Fraction) -> str:
    return f"{_value(level[0], step)} to {_value(level[1], step)}"
