"""Linear regression: what was released is solved, and nothing else; or a robust line is drawn."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from noisewise import BoundedRange, ParameterError, PureDP, SchemaError
from noisewise.hazmat import SeededBits
from noisewise.kernel.settle import settle
from noisewise.questions.composites.linear_regression import (
    RobustRegression,
    SumsRegression,
    ask_regression,
    regressors,
    ridge,
    solve,
)
from noisewise.questions.composites.theil_sen_line import TheilSenLine
from noisewise.statistics.covariance import STEPS
from noisewise.statistics.theil_sen.theil_sen import TheilSen
from noisewise.tables.columns.array_column import declare
from noisewise.tables.columns.array_rows import columns_of

BOUNDS = ((-4, 4), (90, 110), (0, 100))
ASKED = {"bounds": BOUNDS, "epsilon": 1}
RELATIONS = pytest.mark.parametrize("neighbors", ["add_remove", "swap"])


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=5_000), rng.normal(100, 2, 5_000)])
    return X, 50 + 5 * X[:, 0] - 2 * (X[:, 1] - 100) + 3 * rng.normal(size=5_000)


@RELATIONS
def test_without_noise_it_is_least_squares(rows, neighbors):
    request = SumsRegression.of(*rows, neighbors=neighbors, **ASKED).table
    found = request.moments(tuple((request.sums.look().centre / STEPS).tolist()))._replace(noise=0.0)
    _, halves = request.scales
    slopes = solve(found) * halves[-1] / halves[:-1]
    design = np.column_stack([rows[0], np.ones(len(rows[1]))])
    assert np.allclose(slopes, np.linalg.lstsq(design, rows[1], rcond=None)[0][:-1], rtol=1e-3)


@RELATIONS
@pytest.mark.parametrize("mechanism", ["auto", "piecewise_laplace"])
def test_it_finds_the_plane(rows, neighbors, mechanism):
    asked = ASKED | {"epsilon": 20, "mechanism": mechanism, "neighbors": neighbors}
    first, second, intercept = SumsRegression.of(*rows, **asked).answer(bits=SeededBits(1)).value
    assert abs(first - 5) < 0.2 and abs(second + 2) < 0.2
    assert abs(intercept + 100 * second - 50) < 1


def test_nothing_but_the_released_sums_and_public_numbers_is_used(rows):
    """Two tables of different sizes, one and the same released vector: the same coefficients."""
    one, two = (SumsRegression.of(rows[0][:n], rows[1][:n], **ASKED).table for n in (5_000, 11))
    sums = tuple((one.sums.look().centre / STEPS).tolist())
    assert solve(one.moments(sums)).tolist() == solve(two.moments(sums)).tolist()


@RELATIONS
def test_a_matrix_without_an_inverse_does_no_harm(neighbors):
    """Equal columns, columns that do not vary, no rows at all: every replay is finite."""
    x = np.linspace(-1, 1, 400)
    for X in (np.column_stack([x, x]), np.ones((400, 2)), np.empty((0, 2))):
        y = X.sum(axis=1)
        for seed in range(10):
            asked = {"bounds": (-2, 2), "epsilon": 1, "neighbors": neighbors}
            assert np.isfinite(SumsRegression.of(X, y, **asked).answer(bits=SeededBits(seed)).value).all()


def test_equal_columns_share_their_coefficient():
    x = np.random.default_rng(0).uniform(-1, 1, 50_000)
    request = SumsRegression.of((x, x), 2 * x, bounds=(-2, 2), epsilon=1)
    first, second, _ = request.answer(bits=SeededBits(1)).value
    assert abs(first + second - 2) < 0.1 and abs(first - second) < 1


def test_the_ridge_is_public_and_grows_with_the_noise(rows):
    request = SumsRegression.of(*rows, **ASKED).table
    found = request.moments(tuple((request.sums.look().centre / STEPS).tolist()))
    assert ridge(found) == found.noise
    assert np.linalg.norm(solve(found._replace(noise=1.0))) < np.linalg.norm(solve(found))


def test_a_solver_that_fails_answers_with_zeros(rows, monkeypatch):
    def fails(*given, **options):
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "lstsq", fails)
    assert SumsRegression.of(*rows, **ASKED).answer(bits=SeededBits(1)).value[:2] == (0.0, 0.0)


def test_what_is_paid_and_told(rows):
    class Ledger:
        def debit(self, loss, **said):
            self.seen = loss, said

    ledger = Ledger()
    released = settle(ask_regression(*rows, method="sums", **ASKED), ledger)
    memo = "linear regression by discrete-laplace-linf/1"
    assert ledger.seen == (PureDP(1), {"neighbors": "add_remove", "contributions": 1, "memo": memo})
    assert (released.privacy, released.statistic, released.bounds) == (PureDP(1), "linear regression", BOUNDS)
    assert released.notes[:2] == (
        "coefficients in the order of the columns, then the intercept",
        "computed from 9 sums that were drawn together; from few records it says little",
    )
    assert released.notes[2].startswith("ridge 0.00")
    bounded = SumsRegression.of(*rows, mechanism="piecewise_laplace", **ASKED)
    assert bounded.loss == BoundedRange(1)


def test_a_replay_is_the_same(rows):
    values = [SumsRegression.of(*rows, **ASKED).answer(bits=SeededBits(4)).value for _ in range(2)]
    assert values[0] == values[1]


def test_robust_is_the_theil_sen_line(rows):
    x, y = rows[0][:300, 0], rows[1][:300]
    bounds = ((-4, 4), (0, 100))
    released = RobustRegression.of(x, y, bounds=bounds, epsilon=1).answer(bits=SeededBits(2))
    line = TheilSenLine.of(
        TheilSen(),
        (x, y),
        bounds=(Fraction(-50), Fraction(50)),
        intercept_bounds=(Fraction(-200), Fraction(300)),
        epsilon=1,
    )
    assert released.value == line.answer(bits=SeededBits(2)).value
    assert (released.privacy, released.statistic, released.bounds) == (line.loss, "linear regression", bounds)


def test_robust_pays_what_the_line_costs(rows):
    request = ask_regression(
        rows[0][:, :1], rows[1], method="robust", bounds=((-4, 4), (0, 100)), epsilon=2, contributions=3
    )
    assert isinstance(request, RobustRegression)
    assert (request.loss, request.neighbors, request.contributions) == (PureDP(2), "add_remove", 3)
    assert request.memo.startswith("linear regression by theil_sen with intercept")


def test_robust_is_for_one_column(rows):
    with pytest.raises(ParameterError, match='method must be "sums" for several columns, got "robust" for 2'):
        ask_regression(*rows, method="robust", **ASKED)


@pytest.mark.parametrize("method", ["magic", None, 3])
def test_other_methods(rows, method):
    with pytest.raises(ParameterError, match='method must be "sums" or "robust", got '):
        ask_regression(*rows, method=method, **ASKED)


def test_regressors(rows):
    frame = pd.DataFrame(rows[0], columns=["a", "b"])
    for X in (rows[0], frame, tuple(rows[0].T)):
        columns = regressors(X)
        assert len(columns) == 2
        assert np.array_equal(np.column_stack([declare(each).fetch()[0] for each in columns]), rows[0])
    for x in (rows[0][:, 0], frame["a"], rows[0][:, :1]):
        (column,) = regressors(x)
        assert np.array_equal(np.asarray(column), rows[0][:, 0])


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ((), "at least one column"),
        (np.empty((3, 0)), "at least one column"),
        (np.empty((3, 1, 1)), "one or two dimensions, got 3"),
        ([[1, 2], [3, 4]], "got builtins.list"),
        ("columns", "got builtins.str"),
    ],
)
def test_wrong_regressors(X, words):
    for method in ("sums", "robust"):
        with pytest.raises(SchemaError, match=words):
            ask_regression(X, [1, 2, 3], method=method, bounds=(0, 1), epsilon=1)


def test_wrong_lengths_and_bounds(rows):
    with pytest.raises(SchemaError, match="same number of rows"):
        SumsRegression.of(rows[0], rows[1][:-1], **ASKED)
    with pytest.raises(ParameterError, match="one for each of the 3 columns, got 2"):
        SumsRegression.of(*rows, bounds=BOUNDS[:2], epsilon=1)
    with pytest.raises(ParameterError, match="one for each of the 2 columns, got 3"):
        RobustRegression.of(rows[0][:, 0], rows[1], **ASKED)


def test_secrets_are_withheld(rows):
    assert repr(SumsRegression.of(*rows, **ASKED)) == "<SumsRegression: withheld>"
    line = RobustRegression.of(rows[0][:, 0], rows[1], bounds=(0, 1), epsilon=1)
    assert repr(line) == "<RobustRegression: withheld>"


def test_columns_named_by_numbers_are_columns():
    """In pandas frame[0] may be a row; a table is read by its columns whatever their names are."""
    X = np.random.default_rng(0).normal(size=(50, 2))
    named = pd.DataFrame(X, columns=[1, 0])
    assert [declare(each).fetch()[0].tolist() for each in columns_of(named, "X", lone=True)] == X.T.tolist()
    assert len(columns_of(named[1], "X", lone=True)) == 1
