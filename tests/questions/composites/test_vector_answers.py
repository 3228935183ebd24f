"""Vector releases: cost and loss in small worlds, clamping, receipts, and the debit before the look."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas
import polars
import pytest

from noisewise import BoundedRange, ParameterError, ParameterTypeError, PureDP, ReleaseFailed, SchemaError
from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import discrete_laplace_rho
from noisewise.kernel.mechanisms import Laplace, PiecewiseLaplace
from noisewise.kernel.settle import settle
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.statistics.vector_mean import VectorMean
from noisewise.tables.columns.array_rows import DeclaredRows


def vector(statistic, data, *, ledger=None, **asked):
    """One paid, exact draw of a vector."""
    return settle(VectorRequest.of(statistic, data, **asked), ledger)


ROWS = ((-1.0, 1.0), (0.3, 0.0), (1.0, 1.0))
BOUNDS = (-1, 1)


def request(statistic, x, **asked):
    data = np.array(x, np.float64).reshape(len(x), 2)
    return VectorRequest.of(
        statistic, data, **({"bounds": BOUNDS, "epsilon": 1, "granularity": 0.25} | asked)
    )


@pytest.mark.parametrize("mechanism", ["piecewise_laplace", "inverse_sensitivity"])
@pytest.mark.parametrize(("neighbors", "owned"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
@pytest.mark.parametrize("statistic", [VectorMean("l1"), VectorMean("linf"), VectorMean("l1", 1)], ids=repr)
def test_one_person_moves_the_cost_by_at_most_one(statistic, neighbors, owned, mechanism):
    world, points = World(ROWS, 4, neighbors, owned), list(product(range(-7, 8, 2), repeat=2))
    asked = {"neighbors": neighbors, "contributions": owned, "mechanism": mechanism}
    costs = {
        x: read_law(request(statistic, x, **asked).look(levels=3)).cost(points) for x in world.datasets()
    }
    moves = [
        np.max(np.abs(costs[x] - costs[y]))
        for x, y in world.pairs()
        if neighbors != "swap" or len(x) == len(y)
    ]
    assert Fraction(1, 2) <= max(moves) <= 1


@pytest.mark.parametrize(("neighbors", "owned"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
def test_laplace_noise_has_the_scale_of_the_whole_vector(neighbors, owned):
    world = World(ROWS, 4, neighbors, owned)
    asked = {"neighbors": neighbors, "contributions": owned, "mechanism": "laplace"}
    for x, y in world.pairs():
        if neighbors == "add_remove" or len(x) == len(y):
            sums = [request(VectorMean("l1"), z, **asked) for z in (x, y)]
            here, there = (r.look().envelope.lower for r in sums)
            assert np.abs(here - there).sum() <= sums[0].mechanism.sensitivity
            largest = [request(VectorMean("linf"), z, **asked) for z in (x, y)]
            here, there = (r.look().centre for r in largest)
            assert np.abs(here - there).max() <= largest[0].mechanism.sensitivity


def test_which_law_and_what_it_costs():
    x = ROWS * 20
    free = request(VectorMean(), x)
    assert (free.loss, free.version) == (BoundedRange(1), "piecewise-laplace-linf/1")
    assert free.look().rate == Fraction(1, 2)
    sums = request(VectorMean("l1"), x, neighbors="swap")
    assert isinstance(sums.look(), Law)
    assert sums.look().rate == 1
    assert (sums.version, sums.memo) == ("discrete-laplace/1", "vector mean by discrete-laplace/1")
    assert sums.loss.rho == discrete_laplace_rho(1, sums.mechanism.sensitivity)
    largest = request(VectorMean("linf"), x, neighbors="swap")
    assert isinstance(largest.look(), BallLaw)
    assert (largest.look().rate, largest.look().radii.stride) == (1, largest.mechanism.sensitivity)
    assert (largest.loss, largest.loss.rho, largest.version) == (PureDP(1), None, "discrete-laplace-linf/1")


def test_a_subclass_of_laplace_does_not_say_what_several_records_lose():
    class Cheap(Laplace):
        def loss_of(self, records):
            return super().loss_of(1)

    sensitivity = request(VectorMean("l1"), (), mechanism="laplace").mechanism.sensitivity
    cheap = request(VectorMean("l1"), (), mechanism=Cheap(epsilon=1, sensitivity=sensitivity))
    assert cheap.loss_of(3) == PureDP(3) and cheap.loss_of(3).rho == 9 * cheap.loss.rho


@pytest.mark.parametrize("asked", [{}, {"neighbors": "swap"}, {"mechanism": "laplace"}, {"contributions": 3}])
@pytest.mark.parametrize("statistic", [VectorMean("l1"), VectorMean("linf"), VectorMean("l1", 1)], ids=repr)
def test_answers_lie_in_the_box(statistic, asked):
    for x in ((), ROWS, ROWS * 30):
        release = request(statistic, x, epsilon=Fraction(1, 10), **asked).answer()
        assert len(release.value) == 2
        assert all(isinstance(v, float) and -1 <= v <= 1 and (4 * v).is_integer() for v in release.value)


def test_answers_are_near_where_rows_are_many():
    rng = np.random.default_rng(0)
    x = rng.normal(0.1, 0.3, (4_000, 20))
    true = np.clip(x, -1, 1).mean(axis=0)
    for asked in ({}, {"neighbors": "swap"}):
        for statistic, error in ((VectorMean("linf"), 0.02), (VectorMean("l1"), 0.04)):
            value = vector(statistic, x, bounds=BOUNDS, epsilon=1, **asked).value
            assert np.abs(np.array(value) - true).mean() < error


def test_levels_grow_with_dimensions_so_that_the_widest_radii_stay_out_of_sight():
    """With so many levels as one number needs, the far shells, which are many, would take nearly all of the mass."""
    x = np.zeros((3_000, 12))
    for statistic in (VectorMean("linf"), VectorMean("l1")):
        asked = VectorRequest.of(statistic, x, bounds=BOUNDS, epsilon=1)
        assert read_law(asked.look()).expected_error() < 0.3
        assert read_law(asked.look(levels=120)).expected_error() > 5


def test_levels_are_never_too_many_for_the_memory():
    few = VectorRequest.of(VectorMean(), np.zeros((3, 500)), bounds=BOUNDS, epsilon=Fraction(1, 10_000))
    assert few.levels == 2**22
    owned = VectorRequest.of(VectorMean(), np.zeros((3, 2)), bounds=BOUNDS, epsilon=1, contributions=2**23)
    assert owned.levels == 0
    assert owned.look().radii.stride == 2**23 * VectorMean().sensitivity(owned.frame, "add_remove", None)


def test_a_seeded_draw_is_replayed_and_stamped():
    asked = request(VectorMean(), ROWS * 9)
    first, again = (asked.answer(bits=SeededBits(3)) for _ in range(2))
    assert first.value == again.value
    assert not first.private
    assert "NOT PRIVATE" in str(first)


def test_the_receipt():
    release = vector(VectorMean(), np.ones((5, 2)), bounds=(0, 8), epsilon=1, granularity=2, ledger=None)
    assert (release.statistic, release.bounds, release.granularity) == ("vector mean", (0, 8), 2)
    assert all(isinstance(v, int) and v % 2 == 0 for v in release.value)
    assert release.to_dict()["value"] == release.value
    assert "vector mean = " in str(release)
    assert release.notes == ("an answer from few records could be anywhere within its bounds",)
    scaled = vector(VectorMean(radius=1.5), np.ones((5, 2)), bounds=(0, 8), epsilon=1)
    assert scaled.notes[0] == "rows whose absolute values add up to more than 1.5 are scaled down to it"


class Watched:
    def __init__(self):
        self.events = []

    def debit(self, loss, **_public):
        self.events.append(loss)
        return "paid"


def test_the_debit_comes_before_the_look(monkeypatch):
    ledger, read = Watched(), DeclaredRows.read

    def watched(self, lattice, neighbors):
        ledger.events.append("look")
        return read(self, lattice, neighbors)

    monkeypatch.setattr(DeclaredRows, "read", watched)
    assert vector(VectorMean(), np.ones((5, 2)), bounds=BOUNDS, epsilon=1, ledger=ledger).receipt == "paid"
    assert ledger.events == [BoundedRange(1), "look"]


def test_what_fails_afterwards_says_nothing(monkeypatch):
    def broken(*_):
        raise ValueError("record 41")

    monkeypatch.setattr(VectorMean, "radii", broken)
    ledger = Watched()
    with pytest.raises(ReleaseFailed) as caught:
        vector(VectorMean(), np.ones((5, 2)), bounds=BOUNDS, epsilon=1, ledger=ledger)
    assert caught.value.__cause__ is None
    assert "41" not in str(caught.value)
    assert len(ledger.events) == 1


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"epsilon": 0}, ParameterError, "epsilon must be above 0"),
        ({"bounds": None}, ParameterTypeError, "bounds must be a pair"),
        ({"neighbors": "both"}, ParameterError, "neighbors must be"),
        ({"contributions": 0}, ParameterError, "contributions must be"),
        ({"mechanism": "permute_and_flip"}, ParameterError, "for vector mean, got permute_and_flip"),
        (
            {"mechanism": PiecewiseLaplace(epsilon=1, smooth=1)},
            ParameterError,
            "smooth must be 0 for vector mean",
        ),
        ({"mechanism": Laplace(epsilon=1, sensitivity=1)}, ParameterError, "sensitivity must be at least"),
        ({"epsilon": 1e-12, "granularity": 1e-14}, ParameterError, "granularity must be coarser, or epsilon"),
        ({"data": np.zeros(3)}, SchemaError, "data must be two-dimensional"),
        ({"statistic": VectorMean}, ParameterTypeError, "statistic must be a vector statistic"),
    ],
)
def test_what_is_refused_before_the_debit(asked, error, words):
    ledger = Watched()
    given = {"statistic": VectorMean(), "data": np.zeros((3, 2)), "bounds": BOUNDS, "epsilon": 1} | asked
    with pytest.raises(error, match=words):
        vector(**given, ledger=ledger)
    assert ledger.events == []


def test_a_statistic_says_which_neighbours_it_knows():
    class OneWay(VectorMean):
        relations = ("add_remove",)

    with pytest.raises(ParameterError, match="neighbors must be 'add_remove' for vector mean, got 'swap'"):
        request(OneWay(), ROWS, neighbors="swap")


@pytest.mark.parametrize("frame", [pandas.DataFrame, polars.DataFrame])
def test_data_frames(frame):
    data = frame({"a": np.full(2_000, 0.5), "b": np.full(2_000, -0.25)})
    value = vector(VectorMean(), data, bounds=BOUNDS, epsilon=4).value
    assert np.allclose(value, (0.5, -0.25), atol=0.05)


def test_nothing_is_shown():
    assert repr(request(VectorMean(), ROWS)) == "<VectorRequest: withheld>"
