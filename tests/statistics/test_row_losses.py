"""Losses of rows, hits and log losses against their naive definitions, on every small dataset of rows."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, SchemaError, hazmat
from noisewise.audit.worlds import Dataset
from noisewise.questions.request import Request
from noisewise.statistics.row_formulas import IN_MEMORY
from noisewise.statistics.row_losses import (
    MAE,
    MSE,
    RMSE,
    Accuracy,
    LogLoss,
    Roots,
    RowMean,
    error,
    minus_log,
)
from tests.kernel.laws.statistic_laws import StatisticLaws
from tests.statistics.rows import RowLaws, assert_random_neighbours_nest, envelope

INF = math.inf
PAIRS: dict[int, tuple[Any, Any]] = {
    0: (2, 2),
    1: (2, 3),
    2: (5, 3),
    3: (-1, 2),
    4: (-INF, INF),
    5: (INF, INF),
    6: (0.25, 1.75),
    7: (1e200, -1e200),
    -1: (None, 1),
    -2: (1, None),
}


def absolute(code: Any) -> Any:
    y, p = PAIRS[int(code)]
    return 0 if y == p else min(abs(y - p), 4)


def squared(code: Any) -> Any:
    y, p = PAIRS[int(code)]
    return 0 if y == p else min((y - p) ** 2, 9)


def mean(losses: list[Any]) -> Fraction:
    return Fraction(sum(losses), len(losses)) if losses else Fraction(0)


class TestMAE(RowLaws):
    statistic = MAE()
    pairs = PAIRS
    domain = (0, 1, 2, 3, 4)
    records = (-2, -1, 5, 6, 7)
    most = 3
    answer = staticmethod(lambda x: mean([absolute(code) for code in x]))


class TestMSE(RowLaws):
    statistic = MSE()
    pairs = PAIRS
    bounds = (0, 9)
    domain = (0, 1, 2, 3)
    records = (-1, 5, 6, 7)
    answer = staticmethod(lambda x: mean([squared(code) for code in x]))


class TestRMSE(RowLaws):
    """A root is floored by comparing squares, since most roots are no fractions."""

    statistic = RMSE()
    pairs = PAIRS
    bounds = (0, 3)
    domain = (0, 1, 2, 3)
    records = (-2, 5, 6, 7)
    granularities = (1, Fraction(1, 7), Fraction(3, 2))
    answer = staticmethod(lambda x: mean([squared(code) for code in x]))

    def floor(self, value: Any, granularity: Any) -> int:
        index = 0
        while ((index + 1) * granularity) ** 2 <= value:
            index += 1
        return index


class TestMAEOfARange(StatisticLaws):
    """Losses that are public to lie above 1: what is below is clamped, and without rows the answer is 1."""

    statistic = MAE()
    bounds = (1, 4)
    domain = (1, 2, 4)
    records = (-99.0, 0.3, 1.5, 9.0)
    most = 3
    granularities = (1, Fraction(1, 2), Fraction(3, 2))
    answer = staticmethod(lambda x: mean(list(x)) if x else 1)

    def data(self, x: Dataset) -> Any:
        return [None if loss == -99 else loss for loss in x], [0] * len(x)


@pytest.mark.parametrize("statistic", [MAE(), MSE(), RMSE()])
def test_larger_data_nest(statistic: RowMean) -> None:
    assert_random_neighbours_nest(
        statistic, lambda rng, n: rng.standard_cauchy((n, 2)), (1, 8, 90, 600), bounds=(0, 5)
    )


@pytest.mark.parametrize("statistic", [MAE(), MSE()])
def test_a_row_has_one_loss_wherever_it_stands(statistic: RowMean) -> None:
    """The same bits in any order, in any slice and alone: a loss that depended on its place would join two records."""
    rng = np.random.default_rng(0)
    y, p = rng.standard_cauchy((2, 1003)) * 10.0 ** rng.integers(-300, 300, 1003)
    assert_same_bits_wherever(statistic, y, p)


def assert_same_bits_wherever(statistic: RowMean, y: Any, p: Any) -> None:
    with np.errstate(all="ignore"):
        whole, order = statistic.of_row(IN_MEMORY, y, p), np.random.default_rng(1).permutation(y.size)
        assert not np.isnan(whole).any()
        assert statistic.of_row(IN_MEMORY, y[order], p[order]).tobytes() == whole[order].tobytes()
        for start in range(1, 40):
            some = slice(start, start + 2 * start % 37)
            assert statistic.of_row(IN_MEMORY, y[some], p[some]).tobytes() == whole[some].tobytes()
        for at in range(0, y.size, 7):
            assert statistic.of_row(IN_MEMORY, y[[at]], p[[at]]).tobytes() == whole[[at]].tobytes()
        apart = statistic.of_row(IN_MEMORY, np.repeat(y, 2)[::2], np.repeat(p, 3)[::3])
        assert apart.tobytes() == whole.tobytes()


def test_every_row_has_a_loss() -> None:
    ends = np.array([-INF, -1e308, -0.0, 0.0, 5e-324, 1e308, INF])
    y, p = (side.ravel() for side in np.meshgrid(ends, ends))
    with np.errstate(all="ignore"):
        found = error(IN_MEMORY, y, p)
        assert not np.isnan(MSE().of_row(IN_MEMORY, y, p)).any()
    assert not np.isnan(found).any()
    assert np.all((found == 0) == (y == p))


def test_the_rows_handed_over_are_left_alone() -> None:
    y, p = np.array([1.0, np.inf, 2.0]), np.array([1.0, np.inf, 5.0])
    y.flags.writeable = p.flags.writeable = False
    assert envelope(MAE(), y, p, "add_remove", bounds=(0, 6), granularity=1).level(0) == (1, 1)


def test_the_answers_are_those_of_the_formulas() -> None:
    rng = np.random.default_rng(3)
    y, p = rng.normal(size=(2, 5000))
    expected = {
        MAE(): np.mean(abs(y - p)),
        MSE(): np.mean((y - p) ** 2),
        RMSE(): np.mean((y - p) ** 2) ** 0.5,
    }
    for statistic, value in expected.items():
        answer = statistic.frame((0.0, 100.0), None).answers
        low, _ = envelope(statistic, y, p, "swap", bounds=(0.0, 100.0)).level(0)
        assert math.isclose(low * answer.granularity, value, abs_tol=1e-6), statistic


def test_a_root_is_floored_exactly() -> None:
    answers = Roots.between(Fraction(0), Fraction(10**6), Fraction(1, 1000))
    for k in (1, 2, 999, 123_456_789, 10**9):
        square = Fraction(k, 1000) ** 2
        assert answers.floor(*square.as_integer_ratio()) == k
        assert answers.floor(square.numerator * 10**40 - 1, square.denominator * 10**40) == k - 1
    assert answers.floor(10**40) == 10**9
    assert Roots.between(Fraction(3), Fraction(5), 1).floor(1, 2) == 3
    assert Roots.between(Fraction(0), Fraction(9), 1).floor(1, 3, Fraction(27)) == 3


def test_wide_and_narrow_bounds() -> None:
    for high in (1e-140, 1e140):
        y, p = np.array([0.5, 1.0]) * high, np.array([0.0, 0.0])
        frame = RMSE().frame((0, high), None)
        low, _ = envelope(RMSE(), y, p, "add_remove", bounds=(0, high)).level(0)
        assert math.isclose(float(low * frame.answers.granularity) / high, 0.625**0.5, rel_tol=1e-6)
    for high in (1e-200, 1e200):
        with pytest.raises(ParameterError, match="the upper bound must be between"):
            RMSE().frame((0, high), None)


@pytest.mark.parametrize("statistic", [MAE(), MSE(), RMSE()])
def test_bounds_are_those_of_a_loss(statistic: RowMean) -> None:
    with pytest.raises(ParameterError, match=r"the lower bound must be at least 0 for \w+, got -1"):
        statistic.frame((-1, 1), None)
    with pytest.raises(ParameterError, match="lowest < highest"):
        statistic.frame((2, 1), None)
    with pytest.raises(ParameterTypeError, match="bounds must be a pair"):
        statistic.frame(None, None)


def test_names_and_steadiness() -> None:
    assert [str(each) for each in (MAE(), MSE(), RMSE())] == ["mae", "mse", "rmse"]
    assert [each.steady("swap") for each in (MAE(), MSE(), RMSE())] == [True, True, False]
    assert not any(each.steady("add_remove") for each in (MAE(), MSE(), RMSE()))
    frame = RMSE().frame((0, 3), 1)
    assert RMSE().sensitivity(frame, "swap", lambda: 100) == 3


LABELS = {
    0: (3, 5),
    1: (3, 3.0),
    2: (float("inf"), float("inf")),
    3: (0.0, -0.0),
    -1: (None, 1),
    -2: (1, None),
}


def share_of_hits(x: Dataset) -> Fraction:
    """The mean of y == p, as everywhere else."""
    hits = [LABELS[int(code)][0] == LABELS[int(code)][1] for code in x]
    return Fraction(sum(hits), len(hits)) if hits else Fraction(0)


class TestAccuracy(RowLaws):
    statistic = Accuracy()
    pairs = LABELS
    bounds = None
    domain = (0, 1)
    records = (-2, -1, 0, 1, 2)
    levels = 6
    most = 4
    granularities = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 3))
    answer = staticmethod(share_of_hits)


def test_a_missing_row_is_no_hit_under_swap_and_no_row_else() -> None:
    y, p = [1, None, 2, 3], [1, 2, None, 3]
    tenth = {"granularity": Fraction(1, 10)}
    assert envelope(Accuracy(), y, p, "swap", **tenth).level(0) == (5, 5)
    assert envelope(Accuracy(), y, p, "add_remove", **tenth).level(0) == (10, 10)


def test_the_type_of_the_labels_does_not_matter() -> None:
    hits = [
        envelope(Accuracy(), y, p, "add_remove", granularity=Fraction(1, 10)).level(0)
        for y, p in [
            ([True, False, True], np.array([1.0, 0.0, 0.0])),
            (np.array([1, 0, 1], np.uint8), [1, 0, 0]),
            ([1, 0, 2**70], [1, 0, 2**71]),
            ([1, 0, np.inf], [1, 0, -np.inf]),
        ]
    ]
    assert hits == [(6, 6)] * 4


def test_larger_data_of_hits_nest() -> None:
    assert_random_neighbours_nest(Accuracy(), lambda rng, n: rng.integers(0, 3, (n, 2)), (1, 7, 60, 400))


def test_it_is_steady_where_rows_are_swapped() -> None:
    law = hazmat.law(Accuracy(), ([1, 2, 3, 4], [1, 2, 3, 3]), epsilon=1, neighbors="swap", granularity=0.05)
    assert law.envelope.stride == 5  # one row of four
    request = Request.of(Accuracy(), ([1], [1]), epsilon=1)
    assert request.mechanism.name == "balance"


def test_bounds_of_hits_are_refused() -> None:
    with pytest.raises(ParameterTypeError, match="bounds must be left out for accuracy"):
        Accuracy().frame((0, 1), None)


@pytest.mark.parametrize("labels", [np.array(["cat", "dog"]), "cat dog"])
def test_text_is_refused_by_its_type(labels: object) -> None:
    with pytest.raises(SchemaError, match="must be"):
        Request.of(Accuracy(), ([0, 1], labels), epsilon=1)


PREDICTIONS: dict[int, tuple[Any, Any]] = {
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


def sure_losses(x: Dataset) -> Fraction:
    losses = [0 if PREDICTIONS[int(code)][0] == PREDICTIONS[int(code)][1] else 4 for code in x]
    return Fraction(sum(losses), len(losses)) if losses else Fraction(0)


class TestLogLoss(RowLaws):
    """Against brute force with sure predictions, whose losses are 0 and the upper bound; for privacy with others."""

    statistic = LogLoss()
    pairs = PREDICTIONS
    domain = (0, 1, 2, 3)
    records = (-2, 4, 5, 6, 7)
    answer = staticmethod(sure_losses)


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


def test_a_row_has_one_log_loss_wherever_it_stands() -> None:
    rng = np.random.default_rng(0)
    y, p = rng.random(1003) < 0.5, rng.random(1003) ** 9
    p[::50], p[7::50] = 0.0, 1.0
    assert_same_bits_wherever(LogLoss(), y.astype(np.float64), p)


def test_every_row_has_a_log_loss() -> None:
    ends = np.array([-np.inf, -1.0, -0.0, 0.0, 5e-324, 0.4, 0.5, 1.0, 2.0, np.inf])
    y, p = (side.ravel() for side in np.meshgrid(ends, ends))
    found = LogLoss().of_row(IN_MEMORY, y, p)
    assert np.all(found >= 0) and not np.signbit(found).any()
    assert np.all(found[(y >= 0.5) & (p <= 0)] == np.inf) and np.all(found[(y < 0.5) & (p <= 0)] == 0)


def test_a_log_loss_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(1)
    y, p = rng.random(3000) < 0.3, rng.random(3000)
    expected = math.fsum(-math.log(q if one else 1 - q) for one, q in zip(y, p, strict=True)) / 3000
    answers = LogLoss().frame((0, 30), None).answers
    low, _ = envelope(LogLoss(), y, p, "add_remove", bounds=(0, 30)).level(0)
    assert math.isclose(low * answers.granularity, expected, abs_tol=1e-8)


def test_larger_data_of_probabilities_nest() -> None:
    assert_random_neighbours_nest(
        LogLoss(), lambda rng, n: rng.random((n, 2)), (1, 8, 90, 600), bounds=(0, 5)
    )


def test_a_negative_lower_bound_of_log_losses_is_refused() -> None:
    with pytest.raises(ParameterError, match="the lower bound must be at least 0 for log_loss"):
        LogLoss().frame((-1, 5), None)
