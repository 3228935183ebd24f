"""Rényi divergences between what is drawn about two datasets, from the exact laws of all draws.

An answer may draw several times. The next law then depends on what was drawn before. The divergence of the first draw
and the largest one of the next, whatever was drawn first, then bound that of both together.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.audit.draws import Choices, NextDraw, Path
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.numbers.arrays import Floats
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.most_common import Lead
from noisewise.questions.payable import Payable

ORDERS = np.array([1.05, 1.5, 2, 3, 4, 8, 16, 32, 60])
FEW = 100
"""Of more outcomes, those at a quarter of every step are followed by the next draw."""
FLOAT = 1e-9
"""The largest relative error of a divergence that is summed up in float64."""


class Drawn:
    """All draws of one answer. Each law is read once."""

    def __init__(self, payable: Payable) -> None:
        self.payable = payable
        self.laws: dict[Path, Any] = {}

    def law(self, path: Path) -> Any:
        """The law of the draw after these outcomes; None if the answer is complete."""
        if path not in self.laws:
            try:
                self.payable.answer(bits=Choices(path))
                self.laws[path] = None
            except NextDraw as draw:
                self.laws[path] = draw.law
        return self.laws[path]


def worst_rho(one: Drawn, other: Drawn) -> float:
    """The largest D_a/a over the orders a, in both directions. An answer that costs rho keeps it at rho or below."""
    both = (divergences(one, other), divergences(other, one))
    return float(max((each / (ORDERS * (ORDERS - 1))).max() for each in both))


def divergences(one: Drawn, other: Drawn, path: Path = ()) -> NDArray[np.float64]:
    """(a - 1)*D_a of ``one`` from ``other`` for each order a, over all draws after a path."""
    ours, theirs = one.law(path), other.law(path)
    if ours is None or theirs is None:
        assert ours is theirs, "both draw equally often"
        return np.zeros(ORDERS.size)
    if isinstance(ours, Lead):
        return np.logaddexp.reduce(mixed(ours.logpmf(), theirs.logpmf()), axis=1)
    assert len(ours) == len(theirs)
    if isinstance(ours, GaussianLaw):
        alone = ORDERS * (ORDERS - 1) * float(gaussian_rho(ours, theirs))
        return alone + divergences(one, other, (*path, tuple(map(int, ours.centres))))
    low, high = ours.ends
    assert (low, high) == theirs.ends, "the support is public"
    at = np.arange(low, high + 1)
    laws = [(ours[group], theirs[group]) for group in range(len(ours))]
    terms = [mixed(*(log_chances(law, at) for law in pair)) for pair in laws]
    first: NDArray[np.float64] = np.sum([np.logaddexp.reduce(each, axis=1) for each in terms], axis=0)
    if one.law((*path, (low,) * len(ours))) is None:
        return first
    few = at if at.size < FEW else np.unique([*range(low, high, 2**14), high])
    paths = [(*path, tuple(map(int, chosen))) for chosen in product(few, repeat=len(ours))]
    return first + np.max([divergences(one, other, each) for each in paths], axis=0)


def gaussian_rho(ours: GaussianLaw, theirs: GaussianLaw) -> Fraction:
    """D_a/a of noise of one width around two centres: the squared distance over twice the variance, before clamping.

    It is proved and checked by summation for discrete noise; clamping what is drawn makes no divergence larger.
    """
    assert ours.variance == theirs.variance and ours.clamp == theirs.clamp, "both are public"
    apart = [int(a) - int(b) for a, b in zip(ours.centres, theirs.centres, strict=True)]
    return sum(d * d for d in apart) / (2 * ours.variance)


def mixed(p: Floats, q: Floats) -> Floats:
    """a*p + (1 - a)*q, for each order a and each outcome of two laws, from the logarithms of its chances."""
    return ORDERS[:, None] * p + (1 - ORDERS[:, None]) * q


def log_chances(law: Any, at: NDArray[np.int64]) -> Floats:
    """The logarithm of the chance of each index of the lattice."""
    in_steps = replace(law, granularity=Fraction(1))
    return np.asarray(read_law(in_steps).logpmf(at), np.float64)
