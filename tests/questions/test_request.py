"""Pay, look, draw: in this order, once each, and the value is a draw from the law that hazmat shows."""

import gc
import types
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.dataset.batches import Batch, SpreadOverGroups
from noisewise.errors import ParameterError, ParameterTypeError, ReleaseFailed
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.score import Score
from noisewise.kernel.sampling import Steps
from noisewise.kernel.settle import Payer
from noisewise.planning.readings.half_law import HalfLaw
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.functions.own_statistic import release
from noisewise.questions.request import Request
from noisewise.tables.columns.array_column import ArrayColumn, Declared
from noisewise.tables.groups.keys import Keys

ASKED = {"bounds": (0, 100), "epsilon": 1, "granularity": None, "neighbors": "add_remove", "contributions": 1}
DATA = [float(x) for x in range(0, 100, 3)]


class Ledger:
    """A ledger that lets everything through and writes down, in one log with the data, what happened when."""

    def __init__(self, log=None):
        self.log = [] if log is None else log
        self.debits = []

    def debit(self, loss, *, neighbors, contributions, memo):
        self.log.append("paid")
        self.debits.append((loss, neighbors, contributions, memo))
        return f"receipt {len(self.debits)}"


class Empty(Ledger):
    """A ledger whose budget is spent."""

    def debit(self, *args, **kwargs):
        super().debit(*args, **kwargs)
        raise PermissionError("the budget is spent")


def looked(name):
    def method(self, *args):
        self.log.append("looked")
        return getattr(list, name)(self, *args)

    return method


class Watched(list):
    """Records that write down when they are looked at."""

    def __init__(self, records, log):
        super().__init__(records)
        self.log = log

    __iter__ = looked("__iter__")
    __reversed__ = looked("__reversed__")
    __len__ = looked("__len__")
    __getitem__ = looked("__getitem__")
    __contains__ = looked("__contains__")


def asked(**changes):
    return {**ASKED, "mechanism": "auto", **changes}


@pytest.mark.parametrize("mechanism", ["auto", "piecewise_laplace", "inverse_sensitivity", "laplace"])
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_debit_comes_before_the_first_look(mechanism, neighbors):
    ledger = Ledger()
    data = Watched(DATA, ledger.log)
    release(nws.Quantile(0.5), data, ledger=ledger, **asked(mechanism=mechanism, neighbors=neighbors))
    assert ledger.log[0] == "paid"
    assert ledger.log.count("paid") == 1
    assert "looked" in ledger.log


def test_a_refused_debit_leaves_the_data_alone():
    ledger = Empty()
    data = Watched(DATA, ledger.log)
    with pytest.raises(PermissionError, match="the budget is spent"):
        release(nws.Quantile(0.5), data, ledger=ledger, **asked())
    assert ledger.log == ["paid"]


@pytest.mark.parametrize(
    "data", [np.array(DATA), np.ma.array(DATA), tuple(DATA), range(9)], ids=lambda d: type(d).__name__
)
def test_every_reading_is_behind_the_debit(data, monkeypatch):
    ledger, read = Ledger(), Declared.read

    def watched(self, lattice, neighbors):
        ledger.log.append("looked")
        return read(self, lattice, neighbors)

    monkeypatch.setattr(Declared, "read", watched)
    release(nws.Quantile(0.5), data, ledger=ledger, **asked())
    assert ledger.log == ["paid", "looked"]


def test_what_the_ledger_is_told():
    ledger = Ledger()
    released = release(nws.Quantile(0.9), DATA, ledger=ledger, **asked(epsilon=0.1, contributions=3))
    ((loss, neighbors, contributions, memo),) = ledger.debits
    assert loss == nws.PureDP(Fraction(1, 10)) == released.privacy
    assert (neighbors, contributions) == ("add_remove", 3)
    assert memo == "quantile(0.9) by balance/1"
    assert released.receipt == "receipt 1"


def test_laplace_pays_in_pure_privacy():
    ledger = Ledger()
    released = release(nws.Quantile(0.5), DATA, ledger=ledger, **asked(mechanism="laplace"))
    assert isinstance(ledger.debits[0][0], nws.PureDP)
    assert ledger.debits[0][0].rho < ledger.debits[0][0].epsilon / 2
    assert released.law == "discrete-laplace/1"


def test_without_a_ledger_there_is_no_receipt():
    assert release(nws.Quantile(0.5), DATA, **asked()).receipt is None


def test_each_release_is_paid_for_again():
    ledger = Ledger()
    receipts = [release(nws.Quantile(0.5), DATA, ledger=ledger, **asked()).receipt for _ in range(3)]
    assert receipts == ["receipt 1", "receipt 2", "receipt 3"]


@pytest.mark.parametrize(
    "ledger", [3, "staff.ledger", object(), Ledger, [Ledger()]], ids=lambda x: type(x).__name__
)
def test_what_is_no_ledger_is_refused(ledger):
    with pytest.raises(ParameterTypeError, match=r"^ledger must be a Ledger, as Ledger.open"):
        release(nws.Quantile(0.5), DATA, ledger=ledger, **asked())
    assert isinstance(Ledger(), Payer)


@pytest.mark.parametrize(
    "changes", [{}, {"neighbors": "swap"}, {"contributions": 3}, {"mechanism": "laplace"}, {"granularity": 7}]
)
def test_the_draw_is_from_the_law_that_hazmat_shows(changes, monkeypatch):
    drawn_from = []
    draw = Request.draw

    def watched(self, law, receipt=None, *, bits=None):
        drawn_from.append(law)
        return draw(self, law, receipt, bits=bits)

    monkeypatch.setattr(Request, "draw", watched)
    release(nws.Quantile("1/3"), DATA, **asked(**changes))
    monkeypatch.undo()
    (used,), shown = (
        drawn_from,
        nws.hazmat.law(nws.Quantile("1/3"), DATA, **{"bounds": (0, 100), "epsilon": 1, **changes}),
    )
    assert type(read_law(used)) is type(shown) and used.ends == shown.ends
    values = [k * shown.granularity for k in range(shown.ends[0], shown.ends[1] + 1)]
    assert np.array_equal(read_law(used).logpmf(values), read_law(shown).logpmf(values))
    assert used.granularity == shown.granularity


def test_draws_follow_the_law():
    """The median of nine tied records: the tie is hit as often as the law says, and not always."""
    values = [
        release(nws.Quantile(0.5), [5] * 9, **asked(bounds=(0, 10), epsilon=0.5)).value for _ in range(200)
    ]
    chance = read_law(nws.hazmat.law(nws.Quantile(0.5), [5] * 9, bounds=(0, 10), epsilon=0.5)).pmf(5)
    assert set(values) <= set(range(11))
    assert abs(values.count(5) - 200 * chance) < 6 * (200 * chance * (1 - chance)) ** 0.5 + 1


@pytest.mark.parametrize(
    ("bounds", "granularity", "kind"),
    [
        ((0, 10), None, int),
        ((0.0, 10.0), None, float),
        ((0, 10), 0.5, float),
        ((0.0, 10.0), 1.0, int),
        ((0, 10), Fraction(3, 2), float),
        ((0.0, 1000000.0), 100, int),
        ((0, 2**60), None, int),
        ((0, 1e308), None, int),
    ],
)
def test_the_value_is_an_int_where_the_granularity_is_whole(bounds, granularity, kind):
    for data in (DATA, [1, 2, 3], [None], []):
        released = release(nws.Quantile(0.5), data, **asked(bounds=bounds, granularity=granularity))
        assert type(released.value) is kind
        assert bounds[0] <= released.value <= bounds[1]
        assert released.granularity.denominator == 1 or kind is float


def test_the_caller_may_have_numpy_raise():
    with np.errstate(all="raise"):
        for data in ([1e300, -1e300, 5e-324], np.array([np.nan, np.inf, 1e-310]), [0.5] * 3):
            for mechanism in ("piecewise_laplace", "inverse_sensitivity", "laplace"):
                released = release(nws.Quantile(0.5), data, **asked(epsilon=5, mechanism=mechanism))
                assert 0 <= released.value <= 100


@pytest.mark.parametrize(("owner", "name"), [(nws.Quantile, "envelope"), (Law, "draw_each")])
def test_a_part_of_the_road_may_raise_any_flag(owner, name, monkeypatch):
    original = getattr(owner, name)

    def flagged(*args, **kwargs):
        assert (np.ones(1) / np.zeros(1)).size == 1  # a division by zero that the caller would have raised
        return original(*args, **kwargs)

    monkeypatch.setattr(owner, name, flagged)
    with np.errstate(all="raise"):
        assert 0 <= release(nws.Quantile(0.5), DATA, **asked()).value <= 100


@pytest.mark.parametrize("epsilon", [64, 1e-9, 5e-324, Fraction(1, 10**400)])
@pytest.mark.parametrize("contributions", [1, 2, 2**40, 2**63 - 1])
def test_extreme_parameters_are_released(epsilon, contributions):
    for data in ([], [50], DATA):
        released = release(nws.Quantile(0.5), data, **asked(epsilon=epsilon, contributions=contributions))
        assert 0 <= released.value <= 100
        assert Fraction(str(released.to_dict()["privacy"]["epsilon"])) == released.privacy.epsilon


# A statistic of one's own


class Elsewhere(nws.Statistic):
    """Its envelope, or its score, names another support than the one that was judged."""

    def __init__(self, support):
        self.support = support

    def pull(self, neighbors, epsilon):
        return Fraction(1)

    def envelope(self, column, answers, levels):
        return Envelope.of([0], [0], self.support)

    def score(self, column, answers, levels, epsilon):
        return Score.steps([self.support[0]], [1], self.support)


@pytest.mark.parametrize("support", [(0, 10**6), (0, 99), (-1, 100)])
@pytest.mark.parametrize("mechanism", ["laplace", "piecewise_laplace", "balance"])
def test_what_lies_elsewhere_than_was_judged_is_never_drawn(support, mechanism):
    """Whatever the data, in groups too; Laplace noise is scaled by the judged support, which holds the sensitivity."""
    for records in ([], [3.0], [3.0] * 101):
        how = {"bounds": (0, 100), "granularity": 1, "epsilon": 1, "mechanism": mechanism}
        ledger = Ledger()
        with pytest.raises(ReleaseFailed):
            release(Elsewhere(support), records, ledger=ledger, **how)
        assert len(ledger.debits) == 1
        table = nws.Dataset(
            pl.DataFrame({"k": [*map(int, records)], "x": records}, {"k": pl.Int64, "x": pl.Float64})
        )
        groups = table._table.grouped("x", Keys.of(("k",), [1, 3]), None)
        batch = Batch(Request.of(Elsewhere(support), records, **how), groups, SpreadOverGroups(1, 2))
        with pytest.raises(ParameterError, match=r"must have answers.support for its support"):
            batch.look()


class Wider(Elsewhere):
    """It also says that this is where its answers are."""

    relations = ("add_remove", "swap")

    def support_of(self, frame, neighbors, size):
        return self.support


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_a_statistic_may_say_that_answers_lie_within_the_judged_ones_and_not_beyond(neighbors):
    how = {"bounds": (0, 100), "granularity": 1, "epsilon": 1, "neighbors": neighbors}
    for mechanism in ("laplace", "piecewise_laplace", "balance"):
        assert 0 <= release(Wider((0, 9)), [3.0], mechanism=mechanism, **how).value <= 9
        with pytest.raises(ReleaseFailed):
            release(Wider((-1, 100)), [3.0], mechanism=mechanism, **how)


def test_a_statistic_of_ones_own_in_the_judged_support_is_answered():
    for mechanism in ("laplace", "piecewise_laplace", "balance"):
        how = {"bounds": (0, 100), "granularity": 1, "epsilon": 1, "mechanism": mechanism}
        assert 0 <= release(Elsewhere((0, 100)), [3.0], **how).value <= 100


# Nothing secret is reachable from a release


def reachable(thing):
    """Everything that can be reached from an object without going through code, modules and types."""
    seen, queue = {}, [thing]
    while queue:
        found = queue.pop()
        if id(found) not in seen and not isinstance(found, (type, types.ModuleType, types.FunctionType)):
            seen[id(found)] = found
            queue += gc.get_referents(found)
    return list(seen.values())


SECRET = (
    np.ndarray,
    Law,
    Envelope,
    ArrayColumn,
    Declared,
    Request,
    Steps,
    HalfLaw,
    types.FrameType,
    types.TracebackType,
)


@pytest.mark.parametrize(
    "bounds", [(0, 100), np.array([0, 100]), [np.float32(0.5), np.int8(99)]], ids=range(3)
)
@pytest.mark.parametrize("mechanism", ["auto", "laplace"])
def test_no_secret_is_reachable_from_a_release(bounds, mechanism):
    data = np.array([41.5, 17.25, 63.125])
    released = release(nws.Quantile(0.5), data, ledger=Ledger(), **asked(bounds=bounds, mechanism=mechanism))
    found = reachable(released)
    assert released.privacy.epsilon in found
    assert [type(x) for x in found if isinstance(x, (*SECRET, np.generic))] == []


def test_the_search_would_find_a_secret():
    request = Request.of(nws.Quantile(0.5), [41.5], **asked())
    assert any(isinstance(x, Score) for x in reachable(request.look()))


def test_a_request_does_not_print_itself():
    request = Request.of(nws.Quantile(0.5), [41.5], **asked())
    assert repr(request) == "<Request: withheld>"
    assert "41" not in repr(request.look())
