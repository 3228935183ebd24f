"""Shifted inverse sensitivity of monotone questions [Fang, Dong & Yi 2022], by balance in the place of an exponential.

A question is monotone if its answer never falls when a record is added: a count, a sum of numbers that are not
negative, a maximum. Then how many records must be removed for the answer to be at most y,

    removals(y) = min { l : lower[l] <= y },

rises by 0 or 1 at every y when a record is added, and never falls. It says nothing of answers above the true one, so
the target is shifted: the answer after tau removals. The exponential mechanism on |removals - tau| pays for both signs
and has to halve epsilon. Balance does not: its score tau - removals moves in one direction, so its loss is at most
3*kappa, and 2*kappa where the move is -1 up to some answer and 0 from there on, as it is for counts and maxima
(docs/proofs/balance.md). Places are a public grid that grows by a factor, so there need not be an upper bound. Maxima
are released on the lattice (docs/proofs/shifted_inverse.md); here are counts and sums.
"""

import math
from typing import Any

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.paper.above_threshold import LARGEST, grid
from noisewise.paper.comparison_law import TableLaw, judged
from noisewise.questions.request import Request
from noisewise.statistics import Count, Sum

MISS = 0.1
"""The chance, about, of an answer above the true one."""


def shifted_inverse(request: Request) -> TableLaw:
    """The law of a monotone question under add/remove."""
    name, statistic = "shifted_inverse", request.statistic
    judged(
        name,
        request.neighbors == "add_remove" and request.contributions == 1,
        "about added records, one each",
    )
    records, answers = request.frame
    summed = isinstance(statistic, Sum) and records.low >= 0
    steep = isinstance(statistic, Count)
    judged(name, summed or steep, "a count, or a sum of numbers that are not negative")
    column = request.data.read(records, request.neighbors)
    lower = statistic.envelope(column, answers, column.count).lower
    step, low = float(answers.granularity), answers.low or 0
    high = low + LARGEST if answers.high is None else answers.high
    places = np.unique(np.floor(grid(low, high, 1.0)))
    kappa = float(request.mechanism.epsilon) / (2 if steep else 3)
    shift = math.ceil(math.log(places.size / MISS) / (2 * kappa))
    score = shift - removals(lower, places)
    return TableLaw(places * step, balance_chances(kappa * score), float(lower[0]) * step, "pure")


def removals(lower: Integers, places: Floats) -> Floats:
    """How many records must be removed for the answer to be at most each place; all of them do for every place."""
    levels: Floats = np.searchsorted(-lower, -places, side="left").astype(np.float64)
    return np.minimum(levels, lower.size)


def balance_chances(exponents: Floats) -> Floats:
    """The law of balance: P(at most y) = D/(2U), or 1 - U/(2D) where D > U, and 1 at the last place."""
    down = np.logaddexp.accumulate(exponents)
    up = np.logaddexp.accumulate(-exponents[::-1])[::-1]
    reached = at_most(np.exp(np.minimum(down - up, 0)), np.exp(np.minimum(up - down, 0)))
    reached[-1] = 1.0
    return np.diff(reached, prepend=0.0)


def at_most(down: Any, up: Any) -> Any:
    """P(at most y) of D and U, as D/max(D, U) and U/max(D, U); of floats or of Fractions."""
    with np.errstate(all="ignore"):
        return np.where(down <= up, down / up / 2, 1 - up / down / 2)
