"""Log loss: its logarithm, its rows, and the laws of a mean."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError
from noisewise.audit.worlds import Dataset
from noisewise.statistics.log_loss import LogLoss, minus_log
from noisewise.statistics.row_formulas import IN_MEMORY
from tests.statistics.rows import RowLaws, assert_random_neighbours_nest, envelope
from tests.statistics.test_row_losses import assert_same_bits_wherever

PAIRS: dict[int, tuple[Any, Any]] = {
    0: (1, 1.0),
    1: (0, 0.0),
    2: (1, 0.0),
    3: (0, 1),
    4: (1, 0.3),
    5: (True, 0.9),
    6: (-7.0, 0.5),
    7: (math.inf, -math.inf),
    -1: (None, 0.2),
    -2: (1, None),
}


def naive(x: Dataset) -> Fraction:
    losses = [0 if PAIRS[int(code)][0] == PAIRS[int(code)][1] else 4 for code in x]
    return Fraction(sum(losses), len(losses)) if losses else Fraction(0)


class TestLogLoss(RowLaws):
    """Against brute force with sure predictions, whose losses are 0 and the upper bound; for privacy with others."""

    statistic = LogLoss()
    pairs = PAIRS
    domain = (0, 1, 2, 3)
    records = (-2, 4, 5, 6, 7)
    answer = staticmethod(naive)


def test_the_logarithm_is_right_to_the_last_places() -> None:
    rng = np.random.default_rng(0)
    numbers = [
        rng.random(20_000),
        1 - rng.random(20_000) * 2.0 ** -rng.integers(1, 53, 20_000),
        rng.random(20_000) * 2.0 ** -rng.integers(0, 1070, 20_000),
        2.0 ** -np.arange(1, 1075),
        np.array([0.5**0.5, np.nextafter(0.5**0.5, 0), np.nextafter(0.5**0.5, 1), np.nextafter(1, 0)]),
    ]
    for some in numbers:
        some = some[some > 0]
        expected = np.array([-math.log(number) for number in some.tolist()])
        assert np.all(np.abs(minus_log(IN_MEMORY, some) - expected) <= 1e-15 * expected)
    assert minus_log(IN_MEMORY, np.array([0.0, 1.0])).tolist() == [math.inf, 0.0]


def test_a_row_has_one_loss_wherever_it_stands() -> None:
    rng = np.random.default_rng(0)
    y, p = rng.random(1003) < 0.5, rng.random(1003) ** 9
    p[::50], p[7::50] = 0.0, 1.0
    assert_same_bits_wherever(LogLoss(), y.astype(np.float64), p)


def test_every_row_has_a_loss() -> None:
    ends = np.array([-np.inf, -1.0, -0.0, 0.0, 5e-324, 0.4, 0.5, 1.0, 2.0, np.inf])
    y, p = (side.ravel() for side in np.meshgrid(ends, ends))
    found = LogLoss().of_row(IN_MEMORY, y, p)
    assert np.all(found >= 0) and not np.signbit(found).any()
    assert np.all(found[(y >= 0.5) & (p <= 0)] == np.inf) and np.all(found[(y < 0.5) & (p <= 0)] == 0)


def test_the_answer_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(1)
    y, p = rng.random(3000) < 0.3, rng.random(3000)
    expected = math.fsum(-math.log(q if one else 1 - q) for one, q in zip(y, p, strict=True)) / 3000
    answers = LogLoss().frame((0, 30), None).answers
    low, _ = envelope(LogLoss(), y, p, "add_remove", bounds=(0, 30)).level(0)
    assert math.isclose(low * answers.granularity, expected, abs_tol=1e-8)


def test_larger_data_nest() -> None:
    assert_random_neighbours_nest(
        LogLoss(), lambda rng, n: rng.random((n, 2)), (1, 8, 90, 600), bounds=(0, 5)
    )


def test_a_negative_lower_bound_is_refused() -> None:
    with pytest.raises(ParameterError, match="the lower bound must be at least 0 for log_loss"):
        LogLoss().frame((-1, 5), None)
