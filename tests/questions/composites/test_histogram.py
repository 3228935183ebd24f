"""Histograms: the loss in every small world, where records fall, draws, receipts, and the debit before the look."""

import json
from fractions import Fraction

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError, PureDP, ReleaseFailed, SchemaError
from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits
from noisewise.kernel.losses import discrete_laplace_rho
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.histogram import BinEdges, Categories, Histogram, bins_of
from noisewise.questions.functions.categories import histogram
from noisewise.tables.columns.array_column import Declared
from tests.kernel.laws.moves import FLOAT
from tests.kernel.sampling.goodness import LEVEL, p_value

MISSING = -9.0
"""A missing record of an enumerated dataset, which must sort."""
UNITS = [("add_remove", 1), ("add_remove", 2), ("add_remove", 3), ("swap", 1)]
BINS = [[0, 3], [0.0, 1, 2, 3], [-np.inf, 1, np.inf], [False, True], ["a", True, False]]


def counts(data, bins):
    return Histogram.of(data, bins, epsilon=1).look().envelope.lower.tolist()


@pytest.mark.parametrize(("neighbors", "owned"), UNITS)
@pytest.mark.parametrize("bins", BINS, ids=str)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(3)])
def test_the_loss_is_kept_in_every_world(neighbors, owned, bins, epsilon):
    """Both are largest where every bin is drawn on the far side: the log ratio, and the divergence of both laws."""
    world = World((MISSING, 0.0, 1.0, 2.0, 7.0), 4, neighbors, owned)

    def ask(x):
        records = [None if record == MISSING else record for record in x]
        return Histogram.of(records, bins, epsilon=epsilon, neighbors=neighbors, contributions=owned)

    asked = {x: ask(x) for x in world.datasets()}
    seen = {x: request.look().envelope.lower for x, request in asked.items()}
    law, loss = asked[()].look(), asked[()].loss
    rate = law.rate / law.envelope.stride
    assert (law.rate, loss) == (epsilon, PureDP(epsilon))
    worst = divergence = 0.0
    for x, y in world.pairs():
        if neighbors == "add_remove" or len(x) == len(y):
            moved = np.abs(seen[x] - seen[y])
            worst = max(worst, float(rate * int(moved.sum())))
            costs = [float(discrete_laplace_rho(rate * s, s)) for s in moved.tolist() if s]
            divergence = max(divergence, sum(costs))
    assert worst == pytest.approx(float(epsilon), rel=FLOAT)
    assert divergence == pytest.approx(float(loss.rho), rel=1e-12)


@pytest.mark.parametrize(("neighbors", "owned"), UNITS)
def test_probabilities_of_neighbours_are_near(neighbors, owned):
    """The clamped laws themselves, in two bins and with every outcome that has a name."""
    world, values = World((0.0, 1.0, 5.0), 3, neighbors, owned), np.arange(12)
    logs = {}
    for x in world.datasets():
        law = Histogram.of(x, [0.0, 1, 2], epsilon=1, neighbors=neighbors, contributions=owned).look()
        logs[x] = np.add.outer(read_law(law[0]).logpmf(values), read_law(law[1]).logpmf(values))
    pairs = [(x, y) for x, y in world.pairs() if neighbors == "add_remove" or len(x) == len(y)]
    assert max(np.max(np.abs(logs[x] - logs[y])) for x, y in pairs) == pytest.approx(1)


def test_where_records_fall():
    assert counts([-1, 0, 0.5, 1, 1.5, 2, 2.5, np.nan, None, np.inf, -np.inf], [0.0, 1, 2]) == [2, 3]
    assert counts([-1, 0, 0.5, 1, 2.5, np.nan, np.inf, -np.inf], [-np.inf, 0, 1, np.inf]) == [2, 2, 3]
    assert counts([0.1, Fraction(1, 10), 0.3], [Fraction(1, 10), 0.3, 0.5]) == [2, 1]
    assert counts([-0.0, 0.0], [-1, 0.0, 1]) == [0, 2]
    assert counts([], [0, 1, 2.0]) == [0, 0]
    assert counts(["tea", None, "tea", "milk", 1], ["tea", "water"]) == [2, 0]
    assert counts([True, False, True, 1, 0.0, 7], [True, False]) == [3, 2]


@pytest.mark.parametrize("seed", range(3))
def test_counts_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(0, 3, 70_000), 1)
    edges = np.unique(np.round(rng.normal(0, 3, 12), 1))
    assert counts(x, edges) == np.histogram(x, edges)[0].tolist()


@pytest.mark.parametrize(
    "data",
    [
        [1, 5, None, 9],
        (1.0, 5.0, np.nan, 9.0),
        np.array([1, 5, np.nan, 9], np.float32),
        np.ma.array([1, 5, 2, 9], mask=[0, 0, 1, 0]),
        pandas.Series([1, 5, None, 9], dtype="Int64"),
        polars.Series([1, 5, None, 9]),
        pyarrow.array([1, 5, None, 9]),
    ],
    ids=lambda data: type(data).__module__,
)
def test_every_kind_of_column(data):
    assert counts(data, [0, 4, 10]) == [1, 2]


def test_draws_are_clamped_discrete_laplace_and_nothing_else():
    """Many bins of no records are many draws of one law: clamped at zero, and independent."""
    asked = Histogram.of([], np.arange(80_001.0), epsilon=Fraction(1, 2))
    drawn = np.array(asked.answer(bits=SeededBits(4)).value)
    found = np.bincount(np.minimum(drawn, 12), minlength=13)
    right, other = (
        np.append(tops := read_law(law).pmf(np.arange(12)), 1 - tops.sum())
        for law in (asked.look()[0], Histogram.of([], [0, 5], epsilon=Fraction(11, 20)).look()[0])
    )
    assert p_value(found, right) > LEVEL
    assert p_value(found, other) < LEVEL
    assert abs(np.corrcoef(drawn[1:], drawn[:-1])[0, 1]) < 0.02


def test_the_receipt():
    release = histogram(np.repeat([5, 25], 500), [0, 10, 20, 1e6], epsilon=4)
    assert all(type(count) is int and count >= 0 for count in release.value)
    assert np.allclose(release.value, (500, 0, 500), atol=20)
    assert release.privacy == PureDP(4)
    assert release.notes == (
        "bins [0, 10); [10, 20); [20, 1,000,000]",
        "records in none of the bins are ignored",
    )
    assert json.loads(json.dumps(release.to_dict()))["law"] == "discrete-laplace/1"
    many = histogram([1], [k / 4 for k in range(60)], epsilon=1)
    assert (
        many.notes[0]
        == "bins [0, 0.25); [0.25, 0.5); [0.5, 0.75); [0.75, 1); [1, 1.25); [1.25, 1.5); ...; [14.5, 14.75]"
    )
    assert histogram(["x"], ["x", "y"], epsilon=1).notes[0] == "bins x; y"
    asked = Histogram.of([1.0, 2.0], [0, 2, 4], epsilon=1)
    assert repr(asked) == "<Histogram: withheld>"
    first, again = (asked.answer(bits=SeededBits(1)) for _ in range(2))
    assert first.value == again.value
    assert not first.private


def test_edges_or_categories():
    edges = (1.0, 3.0, 5.0)
    assert bins_of((1, 3, 5)) == bins_of(range(1, 6, 2)) == bins_of(np.array([1, 3, 5])) == BinEdges(edges)
    assert isinstance(bins_of(["1", "2"]), Categories)
    assert isinstance(bins_of(np.array(["1", "2"])), Categories)
    assert isinstance(bins_of([1, "2"]), Categories)


class Watched:
    def __init__(self):
        self.events = []

    def debit(self, loss, **_public):
        self.events.append(loss)


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"bins": 5}, ParameterError, "bins must be given with bounds"),
        ({"bins": "abc"}, ParameterTypeError, "bins must be a list"),
        ({"bins": np.zeros((2, 2))}, ParameterTypeError, "bins must be a list"),
        ({"bins": [1]}, ParameterError, "bins must have from 2 to 1,048,576 edges, got 1"),
        ({"bins": []}, ParameterError, "got 0"),
        ({"bins": [1, 1]}, ParameterError, "bins must have edges that rise, got 1 before 1"),
        ({"bins": [0, 1, 1 + 1e-17]}, ParameterError, "edges that rise"),
        ({"bins": [0, np.nan]}, ParameterError, "an edge of bins must be finite"),
        ({"bins": [0, np.inf, 2]}, ParameterError, "an edge of bins must be finite"),
        ({"bins": [0, 10**400]}, ParameterError, "an edge of bins must be a float64"),
        ({"bins": [0, None]}, ParameterTypeError, "an edge of bins must be a real number"),
        ({"bins": ["a", "a"]}, ParameterError, "categories must differ"),
        ({"bins": ["a", "b"]}, ParameterError, "categories must be numbers or booleans for such a column"),
        ({"epsilon": 65}, ParameterError, "epsilon must be"),
        ({"neighbors": "swap", "contributions": 2}, ParameterError, "contributions must be 1"),
        ({"contributions": 2**60}, ParameterError, "contributions must be"),
        ({"data": np.array(["a"]), "bins": [0, 5]}, SchemaError, "data must be numbers"),
        ({"data": np.zeros((2, 2))}, SchemaError, "data must be one-dimensional"),
    ],
)
def test_what_is_refused_before_the_debit(asked, error, words):
    ledger = Watched()
    with pytest.raises(error, match=words):
        histogram(**({"data": np.zeros(2), "bins": [0, 1], "epsilon": 1} | asked), ledger=ledger)
    assert ledger.events == []


def test_the_debit_comes_before_the_look(monkeypatch):
    ledger = Watched()

    def looked():
        ledger.events.append("look")
        raise ValueError("record 41")

    monkeypatch.setattr(
        "noisewise.questions.composites.histogram.declare", lambda data: Declared(looked, lambda: 1)
    )
    with pytest.raises(ReleaseFailed) as caught:
        histogram([1.0], [0, 5], epsilon=1, ledger=ledger)
    assert ledger.events == [PureDP(1), "look"]
    assert "41" not in str(caught.value)


def test_numbers_that_are_names_are_counted_one_by_one():
    grades = [1, 2, 2, 3, 3, 3, 4, None]
    assert nws.histogram(grades, categories=[1, 2, 3], epsilon=60).value == (1, 2, 3)
    assert nws.histogram(grades, [1.0, 2.0, 3.0], epsilon=60).value == (1, 5)  # edges of two intervals
    assert nws.ask.histogram("x", categories=[1, 2], epsilon=1).value_names == (1, 2)
    for given, got in (({}, "neither"), ({"bins": [1, 2], "categories": [1, 2]}, "both")):
        with pytest.raises(
            ParameterError, match=f"^histogram must be given bins, .* or categories, .*, got {got}$"
        ):
            nws.histogram(grades, epsilon=1, **given)


GRADES = [1, 2, 2, 3, 3, 3, 4]
MAYBE_WHOLE = {
    "list": list,
    "int64": np.array,
    "pandas": lambda records: pandas.Series(records, dtype="Int64"),
    "polars": polars.Series,
    "arrow": pyarrow.array,
}
FRACTIONAL = {
    "float64": lambda records: np.array(records, float),
    "pandas": lambda records: pandas.Series(records, dtype="Float64"),
    "polars": lambda records: polars.Series(records, dtype=polars.Float32),
    "arrow": lambda records: pyarrow.array(records, pyarrow.float64()),
}


@pytest.mark.parametrize("make", MAYBE_WHOLE.values(), ids=MAYBE_WHOLE)
@pytest.mark.parametrize(
    "bins", [[1, 2, 3], range(1, 4), [1, 2, 9], [0, 1], np.array([2, 3]), [3, 2, 1]], ids=str
)
def test_codes_are_not_taken_for_edges(make, bins):
    ledger = Watched()
    for ask in (nws.histogram, lambda data, bins, **asked: of_table(data).histogram("x", bins, **asked)):
        with pytest.raises(
            ParameterError, match=r"^bins must be edges or categories, got .*, which may be both; "
        ):
            ask(make(GRADES), bins, epsilon=1, **({"ledger": ledger} if ask is nws.histogram else {}))
    assert not ledger.events


def test_both_spellings_are_said():
    with pytest.raises(ParameterError) as caught:
        nws.histogram(GRADES, range(1, 101), epsilon=1)
    assert str(caught.value) == (
        "bins must be edges or categories, got [1, 2, 3, 4, 5, 6, ...], which may be both; write "
        "bins=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, ...] for the edges of 99 intervals, or "
        "categories=[1, 2, 3, 4, 5, 6, ...] to count each of these numbers"
    )


@pytest.mark.parametrize("make", FRACTIONAL.values(), ids=FRACTIONAL)
def test_numbers_that_need_not_be_whole_have_edges(make):
    assert nws.histogram(make(GRADES), [1, 2, 3], epsilon=60).value == (1, 5)
    assert nws.histogram(make(GRADES), [1, 2, 3], epsilon=60, with_count=True).value == (1, 5)
    table = of_table(make(GRADES))
    assert table.histogram("x", [1, 2, 3], epsilon=60).value == (1, 5)
    assert table.group_by("k", keys=["a"]).histogram("x", [1, 2, 3], epsilon=60).value == ((1, 5),)


def of_table(column):
    rows = ["a"] * len(column)
    if isinstance(column, pandas.Series):
        return nws.Dataset(pandas.DataFrame({"x": column, "k": pandas.Series(rows, dtype="string")}))
    return nws.Dataset(polars.DataFrame({"x": polars.Series(column), "k": rows}).lazy())


def test_a_number_of_bins_is_as_many_of_equal_width_as_in_numpy():
    ages = np.array([3.0, 10, 55, 99.9, 100, 101, np.nan])
    held, edges = np.histogram(ages[:5], bins=4, range=(0, 100))
    frame = nws.Dataset(polars.DataFrame({"age": ages}))
    names = ("[0, 25)", "[25, 50)", "[50, 75)", "[75, 100]")
    for release in (
        nws.histogram(ages, bins=4, bounds=(0, 100), epsilon=60),
        nws.histogram(ages, 4, bounds=[0, 100], epsilon=60),
        nws.histogram(ages, edges, epsilon=60),
        frame.histogram("age", bins=4, bounds=(0, 100), epsilon=60),
    ):
        assert release.value == tuple(held) and release.names == names
    grouped = frame.group_by("age", keys=[3.0]).histogram("age", 4, bounds=(0, 100), epsilon=60)
    assert grouped.value == ((1, 0, 0, 0),)
    assert str(nws.plan("histogram", bins=4, bounds=(0, 100), epsilon=1)) == str(
        nws.plan("histogram", [0.0, 25, 50, 75, 100], epsilon=1)
    )
    assert nws.ask.histogram("age", 4, bounds=(0, 1)).value_names == (
        "[0, 0.25)",
        "[0.25, 0.5)",
        "[0.5, 0.75)",
        "[0.75, 1]",
    )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"bins": 4}, r"^bins must be given with bounds=\(lowest, highest\) where they are a number, got 4$"),
        ({"bins": 0, "bounds": (0, 1)}, "^bins must be at least 1, got 0$"),
        ({"bins": 2**20, "bounds": (0, 1)}, "^bins must be at most 1048575"),
        ({"bins": True, "bounds": (0, 1)}, "^bins must be a whole number, got True$"),
        ({"bins": [0.0, 1.0], "bounds": (0, 1)}, "^bounds must be left out where bins are edges"),
        ({"bins": 4, "bounds": (1, 0)}, "^bounds must have lowest < highest"),
    ],
)
def test_wrong_numbers_of_bins_are_refused_before_the_debit(asked, message):
    with pytest.raises(nws.NoisewiseError, match=message):
        nws.histogram([1.0], **asked, epsilon=1)
