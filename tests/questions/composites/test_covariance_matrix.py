"""A covariance matrix: computed from one release of sums, and from nothing else."""

import numpy as np
import pandas as pd
import pytest

from noisewise import BoundedRange, Laplace, ParameterError, ParameterTypeError, PureDP, SchemaError
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.settle import settle
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.covariance_matrix import CovarianceRequest, nearest_covariance
from noisewise.statistics.covariance import STEPS

BOUNDS = ((-4, 4), (60, 140), (-1, 0))
RELATIONS = pytest.mark.parametrize("neighbors", ["add_remove", "swap"])


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    x = rng.normal(size=2_000)
    return np.column_stack([x, 100 + 8 * x + 6 * rng.normal(size=2_000), -rng.random(2_000)])


def ask(data, **asked):
    return CovarianceRequest.of(data, **({"bounds": BOUNDS, "epsilon": 1} | asked))


def exact_sums(request):
    """What would be released without noise."""
    return tuple((request.sums.look().centre / STEPS).tolist())


@RELATIONS
def test_without_noise_it_is_the_covariance(table, neighbors):
    request = ask(table, neighbors=neighbors)
    _, halves = request.scales
    scaled = table / halves
    found = request.moments(exact_sums(request))
    assert np.allclose(found.covariance, np.cov(scaled.T, bias=True), atol=1e-5)
    away = scaled - [0, 100 / 40, -1]
    assert np.allclose(found.second, away.T @ away / len(table), atol=1e-5)


@RELATIONS
@pytest.mark.parametrize("centred", [True, False])
def test_at_a_large_epsilon_it_is_about_right(table, neighbors, centred):
    released = ask(table, neighbors=neighbors, centred=centred, epsilon=64).answer(bits=SeededBits(1))
    about = table.mean(axis=0) if centred else [0, 100, -0.5]
    truth = (table - about).T @ (table - about) / len(table)
    assert np.allclose(released.value, truth, atol=[[0.03, 0.3, 0.01], [0.3, 3, 0.1], [0.01, 0.1, 0.001]])


@RELATIONS
def test_a_replay_is_the_same_and_is_the_draw_of_its_sums(table, neighbors):
    request = ask(table, neighbors=neighbors)
    released, again = (request.answer(bits=SeededBits(5)) for _ in range(2))
    assert released.value == again.value and not released.private
    law = request.sums.look()
    assert isinstance(law, BallLaw) and law.norm == "linf" and law.rate == 1
    sums = tuple((law.draw_one(bits=SeededBits(5)) / STEPS).tolist())
    matrix = nearest_covariance(request.moments(sums).covariance)
    assert np.allclose(released.value, matrix * np.outer(request.scales[1], request.scales[1]))


def test_nothing_but_the_released_sums_and_public_numbers_is_used(table):
    """Two tables of different sizes and contents, one and the same released vector: the same answer."""
    sums = exact_sums(ask(table))
    one, two = ask(table).moments(sums), ask(table[:7] / 2).moments(sums)
    assert np.array_equal(one.mean, two.mean) and np.array_equal(one.second, two.second)
    assert one.noise == two.noise


def test_the_number_of_rows_is_released_unless_it_is_public(table):
    assert len(ask(table).answer(bits=SeededBits(1)).notes) == 2
    assert ask(table).sums.statistic.entries(3)[0] == (0, 0)
    assert (0, 0) not in ask(table, neighbors="swap").sums.statistic.entries(3)


@RELATIONS
@pytest.mark.parametrize("mechanism", ["laplace", "piecewise_laplace"])
def test_the_noise_is_as_large_as_it_is_said_to_be(table, neighbors, mechanism):
    request = ask(table, neighbors=neighbors, mechanism=mechanism, epsilon=0.5)
    law = request.sums.look()
    drawn = (law.draw(2_000, bits=SeededBits(2)) - np.asarray(read_law(law).centre) / STEPS) / len(table)
    said = request.moments(exact_sums(request)).noise
    assert abs(drawn.std() / said - 1) < 0.05


@RELATIONS
def test_it_is_the_nearest_matrix_of_covariances(neighbors):
    rng = np.random.default_rng(1)
    released = ask(rng.normal(size=(30, 3)), bounds=(-3, 3), neighbors=neighbors).answer(bits=SeededBits(3))
    value = np.array(released.value)
    assert value.shape == (3, 3) and np.array_equal(value, value.T)
    assert np.linalg.eigvalsh(value).min() > -1e-9
    kept = np.array([[2.0, 1.0], [1.0, 1.0]])
    assert np.allclose(nearest_covariance(kept), kept)
    assert np.allclose(nearest_covariance(np.diag([1.0, -2.0])), np.diag([1.0, 0.0]))


def test_eigenvalues_that_do_not_converge_leave_the_diagonal(monkeypatch):
    def fails(matrix):
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "eigh", fails)
    assert nearest_covariance(np.array([[2.0, 1.0], [1.0, -1.0]])).tolist() == [[2, 0], [0, 0]]


@RELATIONS
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_next_to_no_rows(rows, neighbors):
    for seed in range(20):
        released = ask(np.ones((rows, 3)), neighbors=neighbors).answer(bits=SeededBits(seed))
        assert np.isfinite(released.value).all()


def test_numbers_that_are_not_finite_make_no_noise():
    data = np.array([[np.nan, 1.0], [np.inf, -np.inf], [1e308, -1e308]])
    for neighbors in ("add_remove", "swap"):
        released = ask(data, bounds=(0, 1e-50), neighbors=neighbors).answer(bits=SeededBits(1))
        assert np.isfinite(released.value).all()


@pytest.mark.parametrize(
    ("mechanism", "loss", "law"),
    [
        ("auto", PureDP(2), "discrete-laplace-linf/1"),
        ("laplace", PureDP(2), "discrete-laplace-linf/1"),
        (Laplace(epsilon=2, sensitivity=3 * STEPS), PureDP(2), "discrete-laplace-linf/1"),
        ("piecewise_laplace", BoundedRange(2), "piecewise-laplace-linf/1"),
        ("inverse_sensitivity", BoundedRange(2), "inverse-sensitivity-linf/1"),
    ],
)
def test_what_is_paid(table, mechanism, loss, law):
    class Ledger:
        def debit(self, loss, **said):
            self.seen = loss, said
            return "receipt 1"

    ledger = Ledger()
    released = settle(ask(table, mechanism=mechanism, epsilon=2), ledger)
    said = {"neighbors": "add_remove", "contributions": 1, "memo": f"covariance by {law}"}
    assert ledger.seen == (loss, said)
    assert (released.privacy, released.law, released.receipt) == (loss, law, "receipt 1")
    assert released.bounds == BOUNDS and released.private
    assert released.notes == (
        "columns within their bounds, products about the means, per row",
        "computed from 10 sums that were drawn together; from few records it says little",
    )


def test_a_person_of_several_records_moves_sums_as_much_farther(table):
    assert ask(table).sums.mechanism.sensitivity == STEPS
    assert ask(table, contributions=3).sums.mechanism.sensitivity == 3 * STEPS
    assert ask(table, neighbors="swap").sums.mechanism.sensitivity == 2 * STEPS
    assert ask(table, contributions=3).sums.look().radii.stride == 3 * STEPS


def test_data_frames_and_tuples(table):
    values = [
        ask(data).answer(bits=SeededBits(1)).value
        for data in (table, pd.DataFrame(table, columns=list("abc")), tuple(table.T))
    ]
    assert values[0] == values[1] == values[2]


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"bounds": ((0, 1), (0, 1))}, ParameterError, "one for each of the 3 columns, got 2"),
        ({"epsilon": 0}, ParameterError, "epsilon must be above 0"),
        (
            {"mechanism": "permute_and_flip"},
            ParameterError,
            "mechanism must be gaussian, laplace, piecewise_laplace",
        ),
        ({"mechanism": Laplace(epsilon=1, sensitivity=7)}, ParameterError, "sensitivity must be at least"),
        ({"neighbors": "friends"}, ParameterError, "neighbors must be"),
        ({"neighbors": "swap", "contributions": 2}, ParameterError, "contributions must be 1"),
        ({"granularity": 1}, ParameterError, "granularity must be left out"),
        ({"centred": "yes"}, ParameterTypeError, "centred must be True or False"),
    ],
)
def test_wrong_parameters(table, asked, error, words):
    with pytest.raises(error, match=words):
        ask(table, **asked)


def test_wrong_data(table):
    with pytest.raises(SchemaError, match="two-dimensional"):
        ask(table[:, 0])
    with pytest.raises(SchemaError, match="same number of rows"):
        ask((table[:, 0], table[:5, 1], table[:, 2]))


def test_secrets_are_withheld(table):
    assert repr(ask(table)) == "<CovarianceRequest: withheld>"
