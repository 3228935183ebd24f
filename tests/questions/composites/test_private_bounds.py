"""Bounds that nobody knew: told by themselves, or found on the way to another answer, in one paid release."""

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise.audit.worlds import World
from noisewise.errors import ParameterError, ParameterTypeError, ReleaseFailed, SchemaError
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.private_bounds import PrivateBounds
from noisewise.questions.functions.order import private_bounds
from noisewise.questions.request import Request, Searched, request
from noisewise.questions.search import BoundsSearch
from noisewise.tables.columns.magnitudes import Magnitudes
from tests.kernel.laws.moves import FLOAT
from tests.questions.test_request import Empty, Ledger, Watched
from tests.questions.test_search import MISSING, law_of_search, outcomes

INCOMES = [20_000.0 + 37 * k for k in range(2_000)]
STATISTICS = [nws.Quantile("1/2"), nws.Mean(), nws.Sum()]


@pytest.fixture(autouse=True)
def seeded(monkeypatch):
    """The system's bits replaced by a seed: one search in fifty ends a power too wide, and that is no failure."""
    bits = SeededBits(2)
    monkeypatch.setattr("noisewise.kernel.laws.law.SystemBits", lambda: bits)


# Told by themselves


def test_bounds_are_found_and_are_ready_to_use():
    found = private_bounds(INCOMES, epsilon=1)
    assert found.value == (0.0, 131_072.0)
    assert (found.privacy, found.statistic, found.law) == (
        nws.PureDP(1),
        "private bounds",
        "crowded-powers/1",
    )
    assert found.privacy.rho < Fraction(1, 2)
    assert 40_000 < nws.mean(INCOMES, bounds=found.value, epsilon=1).value < 70_000


@pytest.mark.parametrize(
    ("data", "bounds"),
    [
        ([0, 1] * 500, (0, 1)),
        ([7] * 1_000, (4, 8)),
        ([-8] * 1_000, (-8, -4)),
        (np.linspace(-3, 3, 1_000), (-4, 4)),
        (np.linspace(-900, -1, 1_000), (-1024, 0)),
        ([1e300] * 500 + [-math.inf] * 500, (-(2.0**64), 2.0**64)),
        ([1900 + k % 100 for k in range(1_000)], (1024, 2048)),
        ([0] * 1_000, None),
        ([None, "x", math.nan] * 1_000, None),
        ([], None),
    ],
)
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_what_is_found_on_plain_data(data, bounds, neighbors):
    """At an epsilon where the noise is next to nothing."""
    assert private_bounds(data, epsilon=40, neighbors=neighbors).value == bounds


def test_the_base_and_the_limits_are_the_users():
    assert private_bounds(INCOMES, epsilon=8, base=10).value == (10_000, 100_000)
    assert private_bounds(INCOMES, epsilon=8, largest=30_000).value == (16_384, 32_768)
    assert private_bounds([1e-9] * 99, epsilon=8, smallest=0.001).value == (0, 2**-10)
    assert private_bounds([3e-7] * 99, epsilon=8, base=10, smallest=1e-9).value == (1e-7, 1e-6)


def test_two_maps_of_one_column_agree():
    """Whatever the library that holds the column."""
    asked = {"epsilon": 2, "base": 3}
    (first,), (second,) = (
        {PrivateBounds.of(data, **asked).answer(bits=SeededBits(4)).value}
        for data in (INCOMES, np.array(INCOMES))
    )
    assert first == second


def test_the_receipt_reads_well():
    found = private_bounds(INCOMES, epsilon=1, contributions=2)
    text = str(found)
    assert text.startswith("private bounds = 0.0; 131,072.0\n")
    assert "at most 2 records" in text
    assert (
        "outside the bounds lie fewer than 68 records between one power of 2 and the next, "
        "except with a probability of 1e-06" in text
    )
    assert json.loads(json.dumps(found.to_dict()))["value"] == [0.0, 131_072.0]
    assert pickle.loads(pickle.dumps(found)) == found
    few = private_bounds([1.0], epsilon=0.01)
    assert few.value is None and "too little data: no power of 2 held clearly more records than noise" in str(
        few
    )
    assert json.loads(json.dumps(few.to_dict()))["value"] is None


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_debit_comes_before_the_first_look(neighbors):
    ledger = Ledger()
    found = private_bounds(Watched(INCOMES, ledger.log), epsilon=1, neighbors=neighbors, ledger=ledger)
    assert ledger.log[0] == "paid" and ledger.log.count("paid") == 1 and "looked" in ledger.log
    ((loss, relation, owned, memo),) = ledger.debits
    assert (loss, relation, owned, memo) == (
        nws.PureDP(1),
        neighbors,
        1,
        "private bounds by crowded-powers/1",
    )
    assert found.receipt == "receipt 1"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"epsilon": 0}, "epsilon must be above 0"),
        ({"base": 1}, "base must be at least 2"),
        ({"smallest": -1}, "smallest must be at least"),
        ({"largest": 0}, "largest must be above smallest"),
        ({"beta": 1}, "beta must be above 0 and below 1"),
        ({"neighbors": "other"}, "neighbors must be"),
        ({"contributions": 0}, "contributions must be at least 1"),
        ({"contributions": 2**60}, "contributions must be at most"),
        ({"neighbors": "swap", "contributions": 2}, "contributions must be 1 when records are swapped"),
    ],
)
def test_wrong_parameters_are_refused_before_anything_is_paid(wrong, said):
    ledger = Ledger()
    with pytest.raises(ParameterError, match="^" + said):
        private_bounds(Watched(INCOMES, ledger.log), ledger=ledger, **{"epsilon": 1, **wrong})
    assert ledger.log == []


def test_wrong_data_is_refused():
    with pytest.raises(SchemaError):
        private_bounds(np.zeros((2, 2)), epsilon=1)
    with pytest.raises(TypeError, match=r"^private_bounds\(\) .*bounds"):
        private_bounds([1], epsilon=1, bounds=(0, 1))


@pytest.mark.parametrize("epsilon", [64, 1e-9, 5e-324, Fraction(1, 10**400)])
@pytest.mark.parametrize("contributions", [1, 2**40])
def test_extreme_parameters_are_released(epsilon, contributions):
    for data in ([], [5], INCOMES[:50]):
        found = private_bounds(data, epsilon=epsilon, contributions=contributions)
        assert found.value is None or found.value[0] < found.value[1]
        answer = nws.median(data, bounds="private", epsilon=epsilon, contributions=contributions)
        assert answer.privacy.epsilon == found.privacy.epsilon


# Found on the way to another answer


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize(
    ("function", "truth"), [(nws.median, 56_963), (nws.mean, 56_981.5), (nws.sum, 2_000 * 56_981.5)]
)
def test_an_answer_without_bounds(function, truth, neighbors):
    answer = function(INCOMES, bounds="private", epsilon=4, neighbors=neighbors)
    assert abs(answer.value / truth - 1) < 0.05
    assert answer.bounds == (0.0, 131_072.0)
    assert answer.privacy == nws.PureDP(4)
    assert type(answer.privacy) is nws.PureDP, "two draws are never of bounded range"


def test_the_receipt_of_two_draws():
    answer = nws.median(INCOMES, bounds="private", epsilon=1, bounds_share="1/3", granularity=100)
    text = str(answer)
    assert "bounds searched for with ε = 1/3, the answer drawn with ε = 2/3" in text
    assert "within 0.0 .. 131,072.0, in steps of 100" in text
    assert "balance/1, bounds by crowded-powers/1" in text
    few = nws.median([1, 2, 3], bounds="private", epsilon=0.1)
    assert few.value is None and few.bounds is None and few.privacy == nws.PureDP(0.1)
    assert "bounds searched for with ε = 0.025" in str(few) and "too little data" in str(few)
    assert json.loads(json.dumps(few.to_dict()))["value"] is None


@pytest.mark.parametrize("mechanism", ["auto", "laplace", "inverse_sensitivity"])
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_one_debit_of_the_whole_before_the_first_look(neighbors, mechanism):
    ledger = Ledger()
    nws.median(
        Watched(INCOMES, ledger.log),
        bounds="private",
        epsilon=1,
        neighbors=neighbors,
        mechanism=mechanism,
        ledger=ledger,
    )
    assert ledger.log[0] == "paid" and ledger.log.count("paid") == 1
    ((loss, *_, memo),) = ledger.debits
    parts = nws.PureDP(Fraction(1, 4)), nws.PureDP(Fraction(3, 4)), nws.BoundedRange(Fraction(3, 4))
    search, pure, ranged = (part.as_zcdp().rho for part in parts)
    assert loss == nws.PureDP(1)
    rest = ranged if mechanism == "inverse_sensitivity" else pure
    assert rest < loss.rho <= search + rest
    assert memo.startswith("median by ") and memo.endswith(", bounds by crowded-powers/1")


def test_a_refused_debit_leaves_the_data_alone():
    ledger = Empty()
    with pytest.raises(PermissionError):
        nws.mean(Watched(INCOMES, ledger.log), bounds="private", epsilon=1, ledger=ledger)
    assert ledger.log == ["paid"]


def test_a_failure_on_the_way_leaves_no_trace(monkeypatch):
    def broken(self, data):
        raise ValueError("record 17 is 4.2")

    ledger = Ledger()
    monkeypatch.setattr(Magnitudes, "count", broken)
    with pytest.raises(ReleaseFailed, match="the debit stands") as error:
        nws.mean(np.arange(9.0), bounds="private", epsilon=1, ledger=ledger)
    assert error.value.__cause__ is None and ledger.log == ["paid"]


TINY = Magnitudes.of(2, 2, 4)
RECORDS = (MISSING, -3.0, 0.0, 1.0, 3.0)


@pytest.mark.parametrize("statistic", STATISTICS[:2], ids=str)
@pytest.mark.parametrize(("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
def test_both_draws_together_keep_the_loss(statistic, neighbors, contributions):
    """Every outcome (bounds, answer) on every small dataset: the log ratio is within the epsilon that is paid."""
    asked = {"granularity": 1, "neighbors": neighbors, "contributions": contributions}
    world, tables = World(RECORDS, 3, neighbors, contributions), {}
    for x in world.datasets():
        data = [None if record == MISSING else record for record in x]
        checked = request(statistic, data, bounds="private", epsilon=2, **asked)
        search = BoundsSearch(TINY, checked.search.epsilon, neighbors, contributions, Fraction(1, 50))
        assert checked.search == BoundsSearch(
            checked.search.magnitudes, search.epsilon, neighbors, contributions
        )
        chances = law_of_search(search, x, outcomes(search))
        table = {None: math.log(chances.pop(None))}
        for bounds, chance in chances.items():
            law = checked.between_bounds(bounds).look()
            values = range(int(bounds[0]), int(bounds[1]) + 1)
            logs = math.log(chance) + read_law(law).logpmf(values)
            table |= {(bounds, value): log for value, log in zip(values, logs, strict=True)}
        assert math.isclose(sum(map(math.exp, table.values())), 1)
        tables[x] = table
    pairs = [(x, y) for x, y in world.pairs() if neighbors == "add_remove" or len(x) == len(y)]
    worst = max(abs(tables[x][outcome] - tables[y][outcome]) for x, y in pairs for outcome in tables[x])
    assert 1 < worst <= 2 + FLOAT == checked.loss.epsilon + FLOAT


def test_the_second_draw_is_of_the_bounds_found():
    checked = request(nws.Quantile("1/2"), INCOMES, bounds="private", epsilon=2, granularity=1)
    for found in ((0.0, 64.0), (16_384.0, 32_768.0)):
        answer = checked.between(found, "paid", bits=SeededBits(3))
        alone = Request.of(nws.Quantile("1/2"), INCOMES, bounds=found, epsilon=Fraction(3, 2), granularity=1)
        assert answer.value == alone.answer(bits=SeededBits(3)).value
        assert (answer.bounds, answer.receipt, answer.private) == (found, "paid", False)
        assert answer.privacy == checked.loss == nws.PureDP(2)


class NeverBelow(nws.Mean):
    """A mean that only makes sense of what is not negative."""

    __slots__ = ()

    def frame(self, bounds, granularity):
        if bounds[0] < 0:
            raise ParameterError(f"bounds must not be negative, got {bounds[0]}") from None
        return super().frame(bounds, granularity)


class Pairs(nws.Mean):
    __slots__ = ()
    columns = 2


@pytest.mark.parametrize(
    ("statistic", "asked"),
    [
        (nws.Quantile("1/2"), {"granularity": 0.01}),
        (nws.Quantile("1/2"), {"granularity": 1000}),
        (nws.Mean(), {"granularity": 1e-12}),
        (nws.Mean(), {"granularity": Fraction(1, 3), "mechanism": "laplace"}),
        (nws.Sum(), {"granularity": 1, "contributions": 1000}),
        (NeverBelow(), {}),
        (NeverBelow(), {"granularity": 0.5}),
    ],
    ids=str,
)
def test_whatever_is_found_can_be_asked(statistic, asked):
    """All bounds that the search can find, tried one by one: none is refused once the debit is made."""
    checked = request(statistic, INCOMES, bounds="private", epsilon=1, **asked)
    magnitudes = checked.search.magnitudes
    top = len(magnitudes.powers)
    assert magnitudes.signed == (not isinstance(statistic, NeverBelow)) and top > 20
    ends = sorted(
        {*range(magnitudes.lowest, 4 + magnitudes.lowest), *range(-2, 3), top // 2, top - 1, top}
        - {-1 * top - 1}
    )
    ends = [end for end in ends if magnitudes.lowest <= end]
    for first in ends:
        for last in ends:
            if first <= last and (first, last) != (0, 0):
                checked.between_bounds(magnitudes.around(first, last))


@pytest.mark.parametrize(
    ("statistic", "wrong", "said"),
    [
        (nws.Mean(), {"granularity": -1}, "granularity must be above 0, got -1"),
        (nws.Mean(), {"granularity": 1e30}, "granularity must be at most half the range"),
        (nws.Mean(), {"mechanism": "magic"}, "mechanism must be one of"),
        (
            nws.Mean(),
            {"mechanism": nws.PiecewiseLaplace(epsilon=1)},
            'mechanism must be a name where bounds are "private"',
        ),
        (nws.Mean(), {"neighbors": "both"}, "neighbors must be"),
        (nws.Mean(), {"contributions": 2**60}, "contributions must be at most"),
        (nws.Mean(), {"bounds_share": 1}, "bounds_share must be above 0 and below 1, got 1"),
        (nws.Mean(), {"bounds_share": "most"}, "bounds_share must be a number"),
        (nws.Mean(), {"epsilon": math.inf}, "epsilon must be finite"),
        (nws.Count(), {}, "bounds must be left out for count"),
        (Pairs(), {}, "bounds must be a pair for a question about several columns"),
        (nws.Triangles(), {}, "bounds must be a pair for a question about a graph"),
        ("median", {}, "statistic must be a statistic"),
    ],
)
def test_wrong_questions_are_refused_before_anything_is_paid(statistic, wrong, said):
    ledger = Ledger()
    data = (INCOMES, INCOMES) if isinstance(statistic, Pairs) else Watched(INCOMES, ledger.log)
    with pytest.raises((ParameterError, ParameterTypeError)) as error:
        nws.release(statistic, data, ledger=ledger, **{"bounds": "private", "epsilon": 1, **wrong})
    assert str(error.value).startswith(said)
    assert error.value.__cause__ is None and ledger.log == []


def test_a_share_needs_private_bounds():
    with pytest.raises(
        ParameterError, match=r'^bounds_share must be left out unless bounds are "private", got 0.5$'
    ):
        nws.median(INCOMES, bounds=(0, 10), epsilon=1, bounds_share=0.5)
    for look in (nws.hazmat.law, Request.of):
        with pytest.raises(
            ParameterTypeError, match=r"^bounds must be a pair .* got 'private': find them first"
        ):
            look(nws.Mean(), INCOMES, bounds="private", epsilon=1)


def test_nothing_secret_is_shown():
    for checked in (
        request(nws.Mean(), INCOMES, bounds="private", epsilon=1),
        PrivateBounds.of(INCOMES, epsilon=1),
    ):
        assert repr(checked) == f"<{type(checked).__name__}: withheld>"
    assert isinstance(request(nws.Mean(), INCOMES, bounds="private", epsilon=1), Searched)
