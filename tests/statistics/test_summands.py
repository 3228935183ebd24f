"""The answers of a box of sums: every point of the box is held, and no answer is named without need."""

from fractions import Fraction
from itertools import product
from math import ceil, floor, lcm, sqrt

import numpy as np
import pytest

import noisewise as nws
from noisewise.statistics import summands
from noisewise.statistics.records import Sums
from noisewise.statistics.summands import outwards, roots_outwards, share, spread_sums


def boxes(sums, count, seed):
    """Boxes with whole corners, some of them flat and some that begin at 0."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        low = rng.integers(0, 6, sums) * rng.integers(0, 2, sums)
        high = low + rng.integers(0, 5, sums)
        yield [(int(a), int(b)) for a, b in zip(low, high, strict=True)]


def points(box, steps=7):
    """A grid over the box, its corners among it."""
    return product(
        *([low + Fraction((high - low) * k, steps - 1) for k in range(steps)] for low, high in box)
    )


def variance(p, q, r):
    n = p + q + r
    return max((4 * p * r - q * q) / (4 * n * n), Fraction(0)) if n else Fraction(0)


def deviations(p, q, r):
    return (p + q + r) * variance(p, q, r)


@pytest.mark.parametrize(
    ("image", "answer"), [(summands.variances, variance), (summands.squared_deviations, deviations)]
)
def test_spreads_of_a_box_are_those_of_its_points(image, answer):
    for box in boxes(3, 60, 1):
        low, high = image(box)
        found = [answer(*point) for point in points(box)]
        assert low == min(found), "the least is at a corner"
        assert high >= max(found)
        assert high - max(found) <= Fraction(1, 40) * max(high, 1), (
            "and the most is next to a point of the grid"
        )


def test_the_most_is_attained_where_the_edge_has_its_top():
    """Between the corners: the sums 3, 1 and 4 + 1/6 have a variance that no corner has."""
    box = [(3, 3), (1, 1), (1, 9)]
    low, high = summands.variances(box)
    assert high == variance(Fraction(3), Fraction(1), 4 + Fraction(1, 6)) > variance(3, 1, Fraction(4))
    assert low == min(variance(3, 1, Fraction(1)), variance(3, 1, Fraction(9)))


def test_shares_of_a_box_are_those_of_its_points():
    for box in boxes(2, 60, 2):
        low, high = share(box)
        found = [a / (a + b) for a, b in points(box) if a + b]
        assert not found or (low <= min(found) and max(found) <= high)
        (least, _), (other, _) = box
        assert not (least and other) or (low, high) == (min(found), max(found))
    assert share([(0, 5), (0, 5)]) == (0, 1)


def test_ends_are_rounded_outwards():
    for top, bottom in product(range(40), (1, 2, 3, 7)):
        end = Fraction(top, bottom)
        assert outwards((end, end)) == (floor(end), ceil(end))
        low, high = roots_outwards((end, end))
        assert low**2 <= end <= high**2 and (low + 1) ** 2 > end and (high == 0 or (high - 1) ** 2 < end)
    assert roots_outwards((Fraction(2), Fraction(2))) == (1, 2)


def test_the_three_sums_of_a_spread_add_up_to_the_records():
    records, width = [0, 3, 3, 7, 10], 10
    sums = Sums(len(records), sum(records), sum(k * k for k in records))
    three = spread_sums(sums, width)
    assert sum(three) == len(records) * width**2 and min(three) >= 0
    assert variance(*map(Fraction, three)) * width**2 == Fraction(np.var(records)).limit_denominator(1000)


EXACT = {
    "variance": (nws.Variance(), [[0, 1, 4, 4, 10]], {"bounds": (0, 10)}),
    "std": (nws.Std(), [[0, 1, 4, 4, 10]], {"bounds": (0, 10)}),
    "f1": (nws.F1(), [[1, 1, 0, 0, 1], [1, 0, 1, 0, 1]], {"bounds": None}),
    "weighted_mean": (nws.WeightedMean(), [[1, 2, 9], [3, 0, 1]], {"bounds": ((0, 10), (0, 4))}),
    "ratio": (nws.Ratio(), [[1, 2, 9], [3, 0, 1]], {"bounds": ((0, 10), (0, 4))}),
    "rate": (nws.Rate(per=100), [[1, 2, 9], [3, 0, 1]], {"bounds": ((0, 10), (0, 4))}),
    "rmse": (nws.RMSE(), [[1, 2, 9], [3, 0, 8]], {"bounds": (0, 4)}),
    "pearson": (nws.Pearson(), [[1, 2, 9, 5, 0], [3, 0, 8, 5, 1]], {"bounds": ((0, 10), (0, 9))}),
    "r2": (nws.R2(), [[1, 2, 9, 5], [3, 0, 8, 5]], {"bounds": (0, 10)}),
}


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", EXACT)
def test_without_noise_the_image_is_the_answer(name, neighbors):
    """The sums of some records, taken for a box without any width: the image is the answer, or the steps next to it."""
    statistic, columns, more = EXACT[name]
    frame = statistic.frame(more["bounds"], None)
    for cut in range(len(columns[0]) + 1):
        data = [np.array(column[:cut], float) for column in columns]
        request = nws.questions.request.Request.of(
            statistic, data[0] if len(data) == 1 else tuple(data), epsilon=64, neighbors=neighbors, **more
        )
        column = request.data.read(frame.records, neighbors)
        units = statistic.summands(frame).units
        box = [(s * (lcm(*units) // u),) * 2 for s, u in zip(statistic.sums(column), units, strict=True)]
        low, high = statistic.image(box, frame)
        truth = float(answered(name, *data)) / float(frame.answers.granularity)
        least, most = frame.answers.support
        assert max(low, least) - 1e-3 <= truth <= min(max(high, least), most) + 1e-3
        assert high - low <= 1 or (name == "pearson" and truth == 0) or not any(s for s, _ in box)


def answered(name, x, y=None):
    """The answer by NumPy."""
    if name in ("variance", "std"):
        return (np.var(x) if name == "variance" else np.std(x)) if x.size else 0
    if name == "f1":
        hits, errors = np.sum(x * y), np.sum(x != y)
        return 2 * hits / (2 * hits + errors) if hits else 0
    if name == "weighted_mean":
        return np.sum(x * y) / np.sum(y) if np.sum(y) else 0
    if name in ("ratio", "rate"):
        return (100 if name == "rate" else 1) * np.sum(x) / np.sum(y) if np.sum(y) else 0
    if name == "rmse":
        return sqrt(np.mean((x - y) ** 2)) if x.size else 0
    if name == "pearson":
        return np.corrcoef(x, y)[0, 1] if x.size > 1 and np.ptp(x) and np.ptp(y) else 0
    return max(-1, 1 - np.sum((x - y) ** 2) / np.sum((x - x.mean()) ** 2)) if x.size and np.ptp(x) else -1


def test_correlations_of_a_box_hold_those_of_its_points():
    frame = nws.Pearson().frame((0, 1), Fraction(1, 64))
    held = 0
    for box in boxes(6, 40, 3):
        low, high = nws.Pearson().image(box, frame)
        for p, q, r, s, u, v in points(box, steps=3):
            x, y = (p + q) * (r + s) - (p + q + r + s) * u, (p + r) * (q + s) - (p + q + r + s) * v
            if x > 0 and y > 0 and (p * s - q * r) ** 2 <= x * y:
                at = float(p * s - q * r) / sqrt(x * y) * 64
                assert low - 1e-9 <= at <= high + 1e-9
                held += 1
    assert held > 500
