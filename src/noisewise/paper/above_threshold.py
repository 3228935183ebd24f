"""AboveThreshold on a public grid of growing answers: for quantiles [Durfee 2023], for any envelope [Durfee 2024].

Answers t_1 < t_2 < ... are tried in order. The first answer with f(t) + noise >= T + noise' is released. The noise of f
is exponential of rate b, and the noise of the threshold T is exponential of rate a. If one person moves every f(t) by
at least -d and at most u, then

    loss <= a*max(u, d) + b*(u + d).

To see this, move the noise of the threshold by u, which costs a*u. Then no earlier answer is more likely to stop the
search, and the answer that stops it is at most u + d farther from the threshold. The distances of the grid grow by a
factor. If answers have no upper bound, the grid ends at a very large answer. If no answer stops the search, the last
answer of the grid is released.

- above_threshold: f(t) = #{records <= t} - q*n and T = 0. Added and removed records: u, d = 1-q, q. Swapped: all f(t)
  move in one direction by at most 1, where the same line gives a + b.
- asymmetric: f(t) is how many people must change their data for the answer to be t, less one half. It is negative if t
  is below the answer. As envelopes of neighbours nest, u = d = 1, so the loss is at most a + 2b.
"""

import math
from fractions import Fraction

import numpy as np

from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.mechanisms import PiecewiseLaplace
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.prices import pure_epsilon
from noisewise.paper.comparison_law import TableLaw, refuse_unless
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from noisewise.statistics import Quantile

GROWTH = 1.001
"""The factor between answers of the grid, as in the papers."""

LARGEST = 2.0**50
"""Where the grid ends if answers have no public end, in steps above the lower end."""

FARTHEST, KINKS, NODES = 40, 256, 8
"""How far the noise of the threshold is integrated over, in scales, and how finely."""


def grid(low: float, high: float, unit: float, growth: float = GROWTH) -> Floats:
    """Return public answers from low up to high, at distances of unit * (growth^i - 1) from low."""
    steps = math.ceil(math.log1p((high - low) / unit) / math.log(growth))
    answers: Floats = np.minimum(low + unit * np.expm1(np.arange(steps + 1) * math.log(growth)), high)
    return answers


def on_lattice(low: int, high: int) -> Integers:
    """Return the answers of `grid` in whole steps of a lattice, each once. Trying an answer twice would add noise."""
    unit = max(1.0, 1e-6 * (high - low))
    return np.unique(np.ceil(grid(low, high, unit)).astype(np.int64))


def without_end(low: int) -> Integers:
    """Return the answers of `grid` in whole steps of a lattice, if answers have no upper end."""
    return np.unique(np.ceil(grid(low, low + LARGEST, 1.0)).astype(np.int64))


def above_threshold(request: Request) -> TableLaw:
    """Return the law of a quantile. Its scores count the records at or below each answer of the grid."""
    name = "above_threshold"
    refuse_unless(name, type(request.statistic) is Quantile, "a median, a quantile, a minimum or a maximum")
    refuse_unless(name, request.contributions == 1, "about one record per person")
    assert isinstance(request.statistic, Quantile)
    epsilon, q = pure_epsilon(request.price), request.statistic.q
    column = request.data.read(request.frame.records, request.neighbors)
    records, step = column.ordered(), float(column.lattice.granularity)
    answers = on_lattice(column.lattice.low, column.lattice.high)
    counts = np.searchsorted(records, answers, side="right")
    chances = first_above(counts - float(q) * records.size, *rates(epsilon, q, request.neighbors))
    rank = max(1, math.ceil(q * records.size))
    centre = float(records[rank - 1]) * step if records.size else column.lattice.low * step
    return TableLaw((answers * step).astype(np.float64), chances, centre, "pure")


def rates(epsilon: Fraction, q: Fraction, neighbors: Neighbors) -> tuple[float, float]:
    """Return the rates of the noise of the threshold and of the counts. Each costs half of epsilon."""
    widest = max(q, 1 - q) if neighbors == "add_remove" else Fraction(1)
    return float(epsilon / (2 * widest)), float(epsilon / 2)


def asymmetric(request: Request) -> TableLaw:
    """Return the law of any question with an envelope. Answers are tried from the lower end upwards."""
    by = PiecewiseLaplace(epsilon=pure_epsilon(request.price))
    refuse_unless("asymmetric", request.statistic.unit == "record", "about records")
    law = request.about(request.statistic, by, by.epsilon).look()
    assert isinstance(law, Law)
    low, high = law.envelope.support
    refuse_unless("asymmetric", low is not None, "of a public lower end")
    assert low is not None
    step = float(law.granularity)
    answers = without_end(low) if high is None else on_lattice(low, high)
    signed = signed_distance(law.envelope.lower, law.envelope.upper, answers)
    epsilon = float(by.epsilon)
    chances = first_above(signed, epsilon / 2, epsilon / 4)
    return TableLaw((answers * step).astype(np.float64), chances, float(read_law(law).centre) * step, "pure")


def signed_distance(lower: Integers | Floats, upper: Integers | Floats, answers: Integers | Floats) -> Floats:
    """Return for each answer how many people must change their data to reach it, less one half.

    Return this number with a minus for answers below the true one, and 0 for the true one.
    """
    above = np.searchsorted(upper, answers, side="left")
    below = np.searchsorted(-lower, -answers, side="left")
    return np.where(answers > upper[0], above - 0.5, np.where(answers < lower[0], 0.5 - below, 0.0))


def first_above(scores: Floats, rate: float, rate_of_each: float) -> Floats:
    """Return for each answer the probability that it is the first one above the threshold 0.

    This is an integral over the noise of the threshold. The scores rise. Between two scores the integrand is smooth on
    the scale of the noise.
    """
    levels, sizes = np.unique(scores, return_counts=True)
    starts, top = np.concatenate([[0], np.cumsum(sizes)]), FARTHEST / rate
    kinks = levels[(levels > 0) & (levels < top)]
    even = np.linspace(0, top, 1 + math.ceil(top * max(rate, rate_of_each)))
    edges = np.unique(np.concatenate([even, kinks[:: 1 + kinks.size // KINKS]]))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    middles, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    noises = (middles[:, None] + halves[:, None] * nodes).ravel()
    shares = (halves[:, None] * weights).ravel() * rate * np.exp(-rate * noises)
    chances = np.zeros(scores.size)
    for noise, share in zip(noises.tolist(), shares.tolist(), strict=True):
        below = int(
            np.searchsorted(levels, noise)
        )  # answers with these scores may stop the search, and the answer after them does
        sure = min(int(starts[below]), scores.size - 1)
        stops = np.exp(rate_of_each * (levels[:below] - noise))
        with np.errstate(divide="ignore"):  # a score may be as large as the noise
            logs = np.repeat(np.log1p(-stops), sizes[:below])[:sure]
        missed = np.exp(np.concatenate([[0.0], np.cumsum(logs)]))
        chances[:sure] += share * np.repeat(stops, sizes[:below])[:sure] * missed[:-1]
        chances[sure] += share * missed[-1]
    return chances
