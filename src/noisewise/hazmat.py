"""Hazmat: look at what must stay secret. The name is the warning.

Nothing here is paid for and nothing here is private. A law tells where the records are. Anybody who has the seed can
undo a seeded draw. Use this module on public or made-up data, to test, to compare mechanisms or to pick parameters.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping
from typing import Any, Unpack

import numpy as np

from noisewise.dataset.dataset import Dataset
from noisewise.errors import ParameterTypeError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.arrays import Unsigned
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.planning.readings.balance_reading import BalanceReading
from noisewise.planning.readings.gaussian_reading import GaussianReading
from noisewise.planning.readings.law_reading import LawReading
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.keywords import Priced, with_full_signature
from noisewise.questions.request import Request
from noisewise.questions.terms import with_one_price
from noisewise.results.pictures.charts import Line, line_chart
from noisewise.results.pictures.svg import Picture, number
from noisewise.results.release import Release
from noisewise.statistics.statistic import Statistic

__all__ = ["SeededBits", "law", "plot", "replay", "salted"]

POINTS = 200
"""A picture shows a law at no more than about this many places."""


class SeededBits:
    """Random words from a seed, by SHAKE-256 in counter mode. They are the same on every machine."""

    __slots__ = ("_calls", "_seed")

    def __init__(self, seed: int) -> None:
        self._seed, self._calls = whole("seed", seed, least=0), 0

    def words(self, count: int) -> Unsigned:
        stream = hashlib.shake_256(f"noisewise seeded bits {self._seed} {self._calls}".encode())
        self._calls += 1
        return np.frombuffer(stream.digest(8 * count), "<u8").astype(np.uint64, copy=False)


@with_full_signature
def law(
    statistic: Statistic, data: Any, *, levels: int | None = None, **keywords: Unpack[Priced]
) -> LawReading | BalanceReading | GaussianReading:
    """The secret law of the release with these parameters.

    Args:
        statistic: What is asked, such as ``Quantile("1/2")``.
        data: A column, or a tuple of columns if the statistic reads several.
        levels: The number of levels of the envelope. If it is left out, the mechanism's own rule decides.
    """
    request = Request.of(statistic, data, **with_one_price(keywords))
    return read_law(request.look(None if levels is None else whole("levels", levels, least=0)))


def plot(
    laws: Law | BalanceLaw | GaussianLaw | Mapping[str, Law | BalanceLaw | GaussianLaw],
    *,
    records: Iterable[float] = (),
    envelope: Envelope | None = None,
) -> Picture:
    """A picture of secret laws on one axis, each with a name. The picture is as secret as the laws.

    The axis shows nearly all of the narrowest law. It cuts off the ends of wider laws.

    Args:
        laws: A law, or several by their names, as `law` gives them.
        records: Records to mark under the axis.
        envelope: The envelope of the same data, in steps of the first law's granularity. It is drawn below as a
            staircase, which shows how many people would have to change their data to make an answer the true one.

    Examples:
        >>> law = nws.hazmat.law(nws.Quantile("1/2"), incomes, bounds=(0, 1_000_000), epsilon=1, mechanism="laplace")
        >>> nws.hazmat.plot({"Laplace": law}, records=incomes)
    """
    named = dict(laws) if isinstance(laws, Mapping) else {"": laws}
    if not named or not all(isinstance(each, (Law, BalanceLaw, GaussianLaw)) for each in named.values()):
        raise ParameterTypeError(
            "laws", "must be a law, or laws by their names", got=describe(laws)
        ) from None
    ends = [read_law(each).quantile([0.001, 0.999]) for each in named.values()]
    low, high = min(ends, key=lambda pair: float(pair[1] - pair[0]))
    step = max(float(each.granularity) for each in named.values())
    step *= max(1, math.ceil((high - low) / step / POINTS))
    at = [float(low) + step * index for index in range(-3, math.ceil((high - low) / step) + 4)]
    lines = []
    for name, each in named.items():
        below = read_law(each).cdf(at)
        points = zip(at[1:], np.diff(below).tolist(), strict=True)
        lines.append(Line(name, tuple((x, chance) for x, chance in points if not math.isnan(chance))))
    note = f"NOT PRIVATE: where the records are can be seen. Chances of {number(step)} units each"
    stairs = [] if envelope is None else _stairs(envelope, float(next(iter(named.values())).granularity))
    return line_chart(
        lines,
        title="How likely each answer is",
        note=note,
        across="answer",
        marks=tuple(records),
        stairs=stairs,
    )


def _stairs(envelope: Envelope, step: float) -> list[tuple[float, float]]:
    """The staircase of an envelope as points: an answer, and how many people it takes to reach it."""
    levels = range(envelope.lower.size)
    falling = [(step * int(envelope.lower[l]), float(l)) for l in reversed(levels)]
    return [*falling, *((step * (int(envelope.upper[l]) + 1), l + 1.0) for l in levels)]


@with_full_signature
def replay(statistic: Statistic, data: Any, *, seed: int, **keywords: Unpack[Priced]) -> Release:
    """The release that this seed gives, the same every time. It says that it is not private, and nobody pays for it.

    Args:
        statistic: What is asked, such as ``Quantile("1/2")``.
        data: A column, or a tuple of columns if the statistic reads several.
        seed: A whole number from 0 on.
    """
    request = Request.of(statistic, data, **with_one_price(keywords))
    return request.draw(request.look(), bits=SeededBits(seed))


def salted(dataset: Dataset, salt: str) -> Dataset:
    """The same Dataset with a salt that you know. It chooses the same records of each person every time, everywhere.

    A later version of noisewise may choose other records with the same salt. Then the changelog says so. Releases are
    as private as before, since the choice limits what a person changes whatever the salt is. But whoever knows the salt
    can tell which records of a person would take part, and could prepare these records.
    """
    if not isinstance(salt, str):
        raise ParameterTypeError("salt", "must be text", got=describe(salt)) from None
    twin = object.__new__(type(dataset))
    vars(twin).update(vars(dataset), _salt=salt)
    return twin
