"""Shifted inverse sensitivity of monotone questions [Fang, Dong & Yi 2022], with balance in place of an exponential.

A question is monotone if its answer never falls when a record is added: a count, a sum of numbers of at least 0, a
maximum. The number of records that must be removed for the answer to be at most y is

    removals(y) = min { l : lower[l] <= y }.

When a record is added, it rises by 0 or 1 at every y. It is 0 for all answers above the true one, so the target is
shifted to the answer after tau removals. The exponential mechanism on |removals - tau| pays for both signs and has to
halve epsilon. Balance does not. Its score tau - removals moves in one direction, so its loss is at most 3*kappa. The
loss is at most 2*kappa if the move is -1 up to some answer and 0 from there on, as it is for counts and maxima
(docs/proofs/balance.md). The possible answers are a public grid (places) that grows by a factor, so no upper bound is
needed. This module is for counts and sums. Maxima are released on the lattice (docs/proofs/shifted_inverse.md).
"""

import math
from typing import Any

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.prices import pure_epsilon
from noisewise.paper.above_threshold import LARGEST, grid
from noisewise.paper.comparison_law import TableLaw, refuse_unless
from noisewise.questions.request import Request
from noisewise.statistics import Count, Sum

MISS = 0.1
"""The chance, about, of an answer above the true one."""


def shifted_inverse(request: Request) -> TableLaw:
    """Return the law of a monotone question, if records are added or removed."""
    name, statistic = "shifted_inverse", request.statistic
    refuse_unless(
        name,
        request.neighbors == "add_remove" and request.contributions == 1,
        "about added records, one each",
    )
    records, answers = request.frame
    summed = isinstance(statistic, Sum) and records.low >= 0
    steep = isinstance(statistic, Count)
    refuse_unless(name, summed or steep, "a count, or a sum of numbers that are not negative")
    column = request.data.read(records, request.neighbors)
    lower = statistic.envelope(column, answers, column.count).lower
    step, low = float(answers.granularity), answers.low or 0
    high = low + LARGEST if answers.high is None else answers.high
    places = np.unique(np.floor(grid(low, high, 1.0)))
    kappa = float(pure_epsilon(request.price)) / (2 if steep else 3)
    shift = math.ceil(math.log(places.size / MISS) / (2 * kappa))
    score = shift - removals(lower, places)
    return TableLaw(places * step, balance_chances(kappa * score), float(lower[0]) * step, "pure")


def removals(lower: Integers, places: Floats) -> Floats:
    """Return for each place how many records must be removed for the answer to be at most this place.

    It is enough for every place to remove all records.
    """
    levels: Floats = np.searchsorted(-lower, -places, side="left").astype(np.float64)
    return np.minimum(levels, lower.size)


def balance_chances(exponents: Floats) -> Floats:
    """Return the probabilities of all places by balance.

    P(at most y) is D/(2U), or 1 - U/(2D) if D > U, and 1 at the last place. D is the sum of e^exponent up to y, and U
    is the sum of e^-exponent from y on.
    """
    down = np.logaddexp.accumulate(exponents)
    up = np.logaddexp.accumulate(-exponents[::-1])[::-1]
    reached = at_most(np.exp(np.minimum(down - up, 0)), np.exp(np.minimum(up - down, 0)))
    reached[-1] = 1.0
    return np.diff(reached, prepend=0.0)


def at_most(down: Any, up: Any) -> Any:
    """Return P(at most y), given ``down`` = D/max(D, U) and ``up`` = U/max(D, U), as floats or Fractions."""
    with np.errstate(all="ignore"):
        return np.where(down <= up, down / up / 2, 1 - up / down / 2)
