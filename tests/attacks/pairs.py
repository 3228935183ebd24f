"""Neighbouring data made to do harm, and how far its envelopes stick out of each other.

Laws enumerate every small dataset. What only happens far out, where exact levels end and a bound takes over, needs data
too large for that: here it is searched for, from shapes at which a bound has no room to spare, and by climbing from the
worst of them. All is seeded. A level of one dataset that sticks out of the next level of its neighbour is a break.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.audit.nesting import is_monotone
from noisewise.hazmat import law
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.planning.readings.read_law import read_law

HIGH = 100_000
STEPS = 1000
"""Records are whole numbers of 0..HIGH; answers that are no records are floored to 1/STEPS."""

FAR = 2**62
"""Further than any envelope reaches."""

Data = list[int]


@dataclass(frozen=True)
class Attack:
    """Ask ``statistic`` of pairs of neighbours, ``beyond`` levels past the public level ``joint`` where it changes."""

    statistic: Any
    joint: int
    relation: str
    granularity: Any = Fraction(1, STEPS)
    beyond: int = 6

    def look(self, x: Data, mechanism: Any = "piecewise_laplace") -> Law:
        return law(
            self.statistic,
            x,
            bounds=(0, HIGH),
            epsilon=1,
            granularity=self.granularity,
            neighbors=self.relation,  # type: ignore[arg-type]
            mechanism=mechanism,
            levels=self.joint + self.beyond,
        )

    def overhang(self, one: Envelope, other: Envelope) -> tuple[int, int]:
        """How far the envelopes stick out of each other, above 0 if they do not nest; and how much room there is around
        the joint, where the end of the support is not reached. Both must be envelopes at all.
        """
        assert one.fault(one.support) is None and other.fault(one.support) is None
        assert is_monotone(one) and is_monotone(other)
        assert one.support == other.support
        out, inside = zip(sticks_out(one, other), sticks_out(other, one), strict=True)
        around = slice(self.joint - 2, self.joint + 2)
        return max(int(each.max()) for each in out), -max(int(each[:, around].max()) for each in inside)

    def worst(self, x: Data, others: Iterable[Data] | None = None) -> int:
        """The largest overhang of x and any of its neighbours, or the first one above 0."""
        here, found = self.look(x).envelope, -FAR
        for y in neighbours(x, self.relation) if others is None else others:
            found = max(found, self.overhang(here, self.look(y).envelope)[0])
            if found > 0:
                break
        return found

    def climb(self, rng: np.random.Generator, x: Data, tries: int) -> int:
        """The worst overhang on the way from x, and a neighbour, to data that leaves less and less room."""
        here = self.look(x).envelope
        found, least = self.overhang(here, self.look(edited(rng, x, self.relation)).envelope)
        for _ in range(tries):
            if found > 0:
                break
            moved, there = x, here
            if rng.random() < 0.7:
                moved = shaken(rng, x)
                there = self.look(moved).envelope
            out, room = self.overhang(there, self.look(edited(rng, moved, self.relation)).envelope)
            found = max(found, out)
            if room <= least:
                x, here, least = moved, there, room
        return found

    def dearest(self, x: Data, others: Iterable[Data] | None = None) -> Fraction:
        """The farthest that the exact cost of an outcome at an edge around the joint moves from x to a neighbour, or
        the first move above 1.
        """
        worst = Fraction(0)
        for mechanism in ("piecewise_laplace", "inverse_sensitivity"):
            here = self.look(x, mechanism)
            low, high = here.envelope.support
            for y in neighbours(x, self.relation) if others is None else others:
                laws, levels = (here, self.look(y, mechanism)), range(self.joint - 2, self.joint + 3)
                edges = {edge for each in laws for l in levels for edge in each.envelope.level(l)}
                places = {edge + step for edge in edges for step in (-1, 0, 1)}
                values = [k * here.granularity for k in sorted(places) if low <= k <= high]  # type: ignore[operator]
                costs = zip(*(read_law(each).cost(values) for each in laws), strict=True)
                worst = max(worst, *(abs(a - b) for a, b in costs))
                if worst > 1:
                    return worst
        return worst


def sticks_out(inner: Envelope, outer: Envelope) -> tuple[Any, Any]:
    """How far each level of one envelope is beyond the next level of the other: a row for the upper side and one for
    the lower. And the same without those levels at which the other one has reached the end of the support.
    """
    (low, high), levels = inner.support, range(max(inner.lower.size, outer.lower.size) + 2)
    within = np.array([inner.level(l) for l in levels])
    around = np.array([outer.level(l + 1) for l in levels])
    found = np.array([within[:, 1] - around[:, 1], around[:, 0] - within[:, 0]])
    ended = np.array([around[:, 1] == high, around[:, 0] == low])
    return found, np.where(ended, -FAR, found)


def edited(rng: np.random.Generator, x: Data, relation: str) -> Data:
    """A neighbour of x: records go from where they weigh most, and come at the bounds, at ties or in the middle."""
    ranks = np.argsort(x, kind="stable")
    out = int(rng.choice([ranks[0], ranks[-1], ranks[len(x) // 2], int(rng.integers(len(x)))]))
    into = int(rng.choice([0, HIGH, x[int(ranks[len(x) // 2])], int(np.mean(x)), int(rng.choice(x))]))
    if relation == "swap":
        return [*x[:out], into, *x[out + 1 :]]
    return [*x, into] if rng.random() < 0.5 else x[:out] + x[out + 1 :]


def neighbours(x: Data, relation: str) -> Iterator[Data]:
    """Neighbours of every kind: the least, the largest, the middle record goes; one comes at either end, in the middle
    or at the mean.
    """
    ordered, n = sorted(x), len(x)
    no_least, no_largest, no_middle = ordered[1:], ordered[:-1], ordered[: n // 2] + ordered[n // 2 + 1 :]
    middle, mean = ordered[n // 2], int(np.mean(x))
    if relation == "swap":
        yield from ([*no_least, HIGH], [*no_largest, 0], [*no_middle, mean])
        yield from ([*no_least, middle], [*no_largest, middle], [*no_middle, HIGH])
    else:
        yield from (no_least, no_largest, no_middle)
        yield from ([*x, 0], [*x, HIGH], [*x, middle], [*x, mean])


def shaken(rng: np.random.Generator, x: Data) -> Data:
    """A few of the records moved, together or each for itself."""
    y, ordered = list(x), sorted(x)
    targets: list[Callable[[int], int]] = [
        lambda v: 0,
        lambda v: HIGH,
        lambda v: int(rng.integers(HIGH + 1)),
        lambda v: min(max(v + int(rng.integers(-3, 4)), 0), HIGH),
        lambda v: ordered[len(x) // 2],
        lambda v: int(rng.choice(x)),
    ]
    to = targets[int(rng.integers(len(targets)))]
    for at in rng.choice(len(x), int(rng.choice([1, 2, len(x) // 20 + 1])), replace=False).tolist():
        y[at] = to(y[at])
    return y
