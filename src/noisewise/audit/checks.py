"""Checks of a statistic by enumeration: every small dataset, every pair of neighbours, in exact arithmetic.

A check reports the first violation in words. A violation is certain. A statistic that passes still needs a proof, since
it may be wrong for larger datasets.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.audit.draws import Draws
from noisewise.audit.nesting import nests_in, radii_nest_in
from noisewise.audit.pair_search import PairSearch
from noisewise.audit.spaces import Records as SmallDatasets
from noisewise.audit.subjects import Subject, claim
from noisewise.audit.worlds import World
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError
from noisewise.kernel.laws import AnyLaw
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.radii import Balls
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import Number, exact, whole
from noisewise.questions.choice import Chosen
from noisewise.questions.functions.own_statistic import of_given
from noisewise.questions.keywords import SomeBounds
from noisewise.questions.request import Request
from noisewise.statistics import Statistic

Records = list[Any]
"""Values of the domain, in any form that the statistic reads."""

MANY = 100_000
"""The most datasets of a check; more would take minutes."""


class Violation(NoisewiseError, AssertionError):
    """A statistic or a mechanism breaks a rule. The message has the data that shows it."""


@dataclass(frozen=True)
class Checked:
    """The result of a check without a violation: how much was checked."""

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

    Its levels must only widen, start at the answer itself, contain every answer that l edits can reach, nest between
    neighbours, and not depend on the order of the records. `sensitivity` must be at least the change by one edit.

    Args:
        statistic: The statistic to check.
        domain: A few values that records can have; rows, as tuples, for a statistic of several columns.
        answer: A naive, independent definition, a function from records to a number. It is rounded down to a step.
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


def check_levels(
    make: Callable[[list[Any]], Envelope | Balls],
    *,
    domain: Sequence[object],
    neighbors: Neighbors = "add_remove",
    most: int = 4,
) -> Checked:
    """Check levels of your own, as `release` takes them, on all datasets of at most ``most`` records of ``domain``.

    They must be released as they are, neither cut nor widened, and those of neighbours must nest. This is what you
    guarantee by releasing them.

    Args:
        make: Records in, ``Envelope.of(lower, upper, support)`` or ``RadiusBounds.of(...).around(answer)`` out.
        domain: A few values that records can have.
        neighbors: As in a release.
        most: The number of records of the largest dataset.

    Raises:
        Violation: With the datasets that show it.
    """
    world, values = world_of(domain, most, neighbors, 1)
    made = {x: make([values[k] for k in x]) for x in world.datasets()}
    for x, one in made.items():
        levels: object = one
        if not isinstance(levels, (Envelope, Balls)):
            raise ParameterTypeError("make", "must return an Envelope, or balls, for all records") from None
        of_given(one, epsilon=1, neighbors=neighbors)  # what a release refuses is refused here
        if isinstance(one, Envelope) and (fault := one.fault(one.support)):
            raise Violation(f"wrong levels at {[values[k] for k in x]}: they must {fault}")
    pairs = 0
    for x, y in world.pairs():
        pairs += 1
        if not (_are_nested(made[x], made[y]) and _are_nested(made[y], made[x])):
            near, far = ([values[k] for k in each] for each in (x, y))
            raise Violation(f"not nested: the levels of {near} and of its neighbour {far}")
    return Checked(len(made), pairs, "monotone and nested")


def _are_nested(one: Envelope | Balls, other: Envelope | Balls) -> bool:
    """Whether each level of ``one`` lies in the next level of ``other``."""
    if isinstance(one, Balls) and isinstance(other, Balls):
        if one.norm != other.norm or not _same_box(one, other):
            return False
        apart = np.abs(np.asarray(one.centre, object) - np.asarray(other.centre, object))
        distance = apart.sum() if one.norm == "l1" else apart.max()
        return radii_nest_in(one.radii, other.radii, distance)
    return isinstance(one, Envelope) and isinstance(other, Envelope) and nests_in(one, other)


def _same_box(one: Balls, other: Balls) -> bool:
    """Whether two answers have the same number of coordinates and the same public ends."""
    if np.shape(one.centre) != np.shape(other.centre) or (one.box is None) != (other.box is None):
        return False
    pairs = zip(one.box or (), other.box or (), strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


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
    """Check that one person makes no outcome more than e^epsilon times as likely, for all small datasets.

    If the loss is of bounded range, the log ratio between two neighbours may range over at most epsilon. The largest
    ratios are enclosed by ball arithmetic, so that what is reported is certain. Up to 5,000 outcomes are all looked at;
    of more, those next to the edges of levels.

    Args:
        statistic: The statistic to check.
        domain: A few values that records can have, with odd ones: None, numbers out of bounds or between steps.
        bounds: As in a release.
        epsilon: As in a release.
        granularity: As in a release.
        neighbors: As in a release.
        contributions: As in a release.
        mechanism: As in a release.
        most: The number of records of the largest dataset.
        levels: A public number of levels instead of the usual number.

    Raises:
        Violation: With the datasets and the outcome that show it.
    """
    world, values = world_of(
        domain, most, neighbors, contributions, least=0 if neighbors == "add_remove" else 1
    )
    keywords = {
        "bounds": bounds,
        "granularity": granularity,
        "neighbors": neighbors,
        "contributions": contributions,
        "epsilon": epsilon,
        "mechanism": mechanism,
    }

    def draws(data: tuple[Any, ...]) -> Draws:
        records = list(data)
        return Draws(
            lambda choices: choices.next(law_of(request_of(statistic, records, **keywords), levels, records))
        )

    claimed, ranged = claim(request_of(statistic, [], **keywords).loss)
    space = SmallDatasets((tuple(values),), world.most, neighbors, contributions)
    subject = Subject(str(statistic), draws, space, claimed, ranged, neighbors)
    result = PairSearch(subject, few=math.inf).run()
    if (result.range if ranged else result.loss).exceeds(claimed):
        worst, (near, far) = result.worst, map(list, result.worst.pair)
        raise Violation(
            f"not private: between {near} and its neighbour {far} the log ratio runs from "
            f"{-worst.down.log_ratio:.4f} to {worst.up.log_ratio:.4f}, more than epsilon {float(claimed):g} allows"
        )
    return Checked(len(world.datasets()), result.pairs, f"private at epsilon {float(claimed):g}")


def world_of(
    domain: Sequence[object], most: int, neighbors: str, owned: int, least: int = 0
) -> tuple[World, Records]:
    """Return all small datasets as a world, and the values of the domain.

    Records of the world are indices into these values, since values need not be sortable.
    """
    records, values = whole("most", most, least=1), list(domain)
    if not values or math.comb(len(values) + records, records) > MANY:
        raise ParameterError(
            "domain and most",
            f"must make from 1 to {MANY:,} datasets",
            got=f"{len(values)} values and {records} records",
        ) from None
    return World(tuple(range(len(values))), records, neighbors, owned, least), values


def request_of(statistic: Statistic, records: Records, **keywords: Any) -> Request:
    """Return the question about these records, by piecewise Laplace unless another mechanism is given."""
    columns = statistic.columns
    data = records if columns == 1 else tuple([row[i] for row in records] for i in range(columns))
    return Request.of(statistic, data, mechanism=keywords.pop("mechanism", "piecewise_laplace"), **keywords)


def _ordered(x: Records, envelope: Envelope, backwards: Envelope) -> None:
    if not (
        np.array_equal(envelope.lower, backwards.lower) and np.array_equal(envelope.upper, backwards.upper)
    ):
        raise Violation(
            f"the envelope depends on the order of the records at {x}: it changes if they are reversed"
        )


def _moves(x: Records, y: Records, apart: int, steps: int) -> None:
    if abs(apart) > steps:
        raise Violation(
            f"sensitivity is too small: between {x} and its neighbour {y} the answer moves by {abs(apart)} steps, "
            f"but sensitivity() promises at most {steps}"
        )


def law_of(request: Request, levels: int | None, x: Records) -> AnyLaw:
    """Return the law of a question. Turn an error of its statistic into a violation."""
    try:
        return request.look(levels)
    except NoisewiseError as fault:
        broken = f"broken at {x}: {fault}"
    raise Violation(broken) from None


def _envelope(request: Request, levels: int, x: Records) -> Envelope:
    law = law_of(request, levels, x)
    assert isinstance(law, Law), "piecewise Laplace has a law of the envelope"
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


def _people(l: int) -> str:
    return "person" if l == 1 else "people"


def value_text(index: Fraction | int, step: Fraction) -> str:
    """Return the answer ``index * step`` as text."""
    value = index * step
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6g}"


def _values(level: tuple[int, int], step: Fraction) -> str:
    return f"{value_text(level[0], step)} to {value_text(level[1], step)}"
