"""Checks of envelopes and radii: levels only widen, and each level lies in the next level of a neighbour."""

from itertools import pairwise
from typing import Any

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.radii import RadiusBounds


def is_monotone(envelope: Envelope) -> bool:
    """Whether each level contains the level before it, in every group. The support counts as the last level."""
    return all(_is_monotone(envelope[g]) for g in range(len(envelope)))


def _is_monotone(envelope: Envelope) -> bool:
    levels = [envelope.level(l) for l in range(envelope.lower.size + 1)]
    ordered = all(a[0] >= b[0] and a[1] <= b[1] for a, b in pairwise(levels))
    return ordered and levels[0][0] <= levels[0][1]


def nests_in(envelope: Envelope, neighbor: Envelope) -> bool:
    """Whether each level lies inside the next level of the neighbour. Both envelopes are of one group."""
    for l in range(max(envelope.lower.size, neighbor.lower.size) + 1):
        (low, high), (lower, higher) = envelope.level(l), neighbor.level(l + 1)
        if low < lower or high > higher:
            return False
    return envelope.support == neighbor.support and envelope.stride == neighbor.stride


def radii_nest_in(radii: RadiusBounds, neighbor: RadiusBounds, apart: Any) -> bool:
    """Whether each radius is at most the next radius of a neighbour, and ``apart`` is at most the neighbour's first.

    ``apart`` is the distance between the two answers.
    """
    last = max(radii.steps.size, neighbor.steps.size) + 1
    return (
        radii.stride == neighbor.stride
        and neighbor.radius(1) >= apart
        and all(radii.radius(l) <= neighbor.radius(l + 1) for l in range(1, last + 1))
    )
