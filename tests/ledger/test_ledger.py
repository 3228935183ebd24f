"""The ledger: pays before anybody looks, never gives back, and adds up exactly."""

import pickle
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noisewise as nws
from noisewise.errors import BudgetExceeded, LedgerError, ParameterError, ParameterTypeError, ReleaseFailed
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger import chain as module
from noisewise.ledger.ledger import Ledger
from noisewise.questions.request import Request

ASKED = {"neighbors": "add_remove", "contributions": 1, "memo": "median"}
SALARIES = [float(n) for n in range(100)]
RELEASE = """
import os, signal, sys
import noisewise as nws
from noisewise.ledger import chain
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
from noisewise.questions.request import Request

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

ledger = Ledger.open(sys.argv[1], PureDP(1))
setattr(*{"before the commit": (chain, "write_entry"), "before the look": (Request, "look"),
          "after the draw": (Request, "stamped"), "never": (Request, "unused")}[sys.argv[2]], die)
nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5, ledger=ledger)
"""


def median(ledger, epsilon=0.5):
    return nws.median(SALARIES, bounds=(0, 100), epsilon=epsilon, ledger=ledger)


# Pay, look, draw


def test_a_release_carries_its_entry(ledger):
    released = median(ledger)
    assert released.receipt == next(ledger.entries())
    assert str(released.receipt) == "entry 1 of staff.ledger: ε 0.5; remains ε 0.5 of 1"
    assert "paid         entry 1 of staff.ledger" in repr(released)
    assert ledger.verify(released.receipt) == 1


def test_the_debit_is_on_disk_before_anybody_looks(ledger, path, monkeypatch):
    seen, look = [], Request.look
    monkeypatch.setattr(
        Request, "look", lambda self, *args: seen.append(Ledger.open(path).verify()) or look(self, *args)
    )
    median(ledger)
    assert seen == [1]


def test_nobody_looks_when_the_budget_is_short(ledger, monkeypatch):
    monkeypatch.setattr(Request, "look", lambda self, *args: pytest.fail("looked"))
    with pytest.raises(BudgetExceeded):
        median(ledger, epsilon=1.5)
    assert ledger.verify() == 0


@pytest.mark.parametrize(
    ("failure", "raised"), [(MemoryError, ReleaseFailed), (KeyboardInterrupt, KeyboardInterrupt)]
)
def test_what_fails_after_the_debit_is_not_refunded(ledger, monkeypatch, failure, raised):
    def look(self, *args):
        raise failure

    monkeypatch.setattr(Request, "look", look)
    with pytest.raises(raised):
        median(ledger)
    assert (ledger.verify(), ledger.remaining) == (1, PureDP(0.5))


def test_an_interrupt_right_after_the_commit_leaves_the_debit_and_no_value(ledger, monkeypatch):
    append = type(ledger._book).append

    def interrupted(self, write, since):
        append(self, write, since)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(ledger._book), "append", interrupted)
    monkeypatch.setattr(Request, "look", lambda self, *args: pytest.fail("looked"))
    with pytest.raises(KeyboardInterrupt):
        median(ledger)
    assert ledger.remaining == PureDP(0.5)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("point", "code", "booked"),
    [("before the commit", -9, 0), ("before the look", -9, 1), ("after the draw", -9, 1), ("never", 0, 1)],
)
def test_a_killed_process_leaves_a_whole_ledger(path, point, code, booked):
    done = subprocess.run([sys.executable, "-c", RELEASE, str(path), point], timeout=120, check=False)
    assert done.returncode == code
    ledger = Ledger.open(path)
    assert (ledger.verify(), ledger.remaining) == (booked, PureDP(1 - Fraction(booked, 2)))
    assert ledger.debit(PureDP(0.5), **ASKED).number == booked + 1


# Adding up


losses = st.one_of(
    st.decimals("0.01", "1", places=2).map(PureDP),
    st.decimals("0.01", "1", places=2).map(BoundedRange),
    st.decimals("0.001", "0.2", places=3).map(ZCDP),
    st.tuples(st.decimals("0.01", "0.5", places=2), st.decimals("0", "0.05", places=2)).map(
        lambda p: ApproxDP(*p)
    ),
)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([PureDP(1), ZCDP(0.2), ApproxDP(1, 0.1), ApproxDP(2, 0.05)]),
    st.lists(losses, max_size=12),
)
def test_a_ledger_allows_exactly_what_the_sums_say(budget, asked):
    with tempfile.TemporaryDirectory() as folder:
        ledger, taken = Ledger.open(Path(folder) / "x.ledger", budget), []
        for loss in asked:
            expected = within(budget, [*taken, loss])
            assert ledger.fits(loss) is expected
            try:
                ledger.debit(loss, **ASKED)
                taken.append(loss)
                assert expected
            except (BudgetExceeded, ParameterError):
                assert not expected
        assert ledger.verify() == len(taken)
        assert [entry.loss for entry in ledger.entries()] == taken


def within(budget, losses):
    """The filter once more, from the losses themselves."""
    deltas = sum(getattr(loss, "delta", 0) for loss in losses)
    rhos = sum(
        (PureDP(loss.epsilon) if isinstance(loss, ApproxDP) else loss).as_zcdp().rho for loss in losses
    )
    known = all(not isinstance(loss, ZCDP) for loss in losses)
    epsilons = sum(getattr(loss, "epsilon", 0) for loss in losses)
    if isinstance(budget, PureDP):
        return known and deltas == 0 and epsilons <= budget.epsilon
    if isinstance(budget, ZCDP):
        return deltas == 0 and rhos <= budget.rho
    converted = ZCDP(rhos).as_approx(budget.delta / 2).epsilon
    return deltas <= budget.delta / 2 and (
        (known and epsilons <= budget.epsilon) or converted <= budget.epsilon
    )


def test_a_clock_that_goes_back_or_far_ahead_changes_nothing(ledger, path, monkeypatch):
    for moment in ("9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"):
        monkeypatch.setattr(module, "now", lambda moment=moment: moment)
        ledger.debit(PureDP(0.1), **ASKED)
    again = Ledger.open(path)
    assert [entry.number for entry in again.entries()] == [1, 2, 3]
    assert (again.verify(), again.spent) == (3, ledger.spent)


def test_the_largest_epsilon_fits_and_a_larger_one_does_not(path):
    ledger = Ledger.open(path, ZCDP(0.3))
    ledger.debit(BoundedRange(1), **ASKED)
    for kind in (PureDP, BoundedRange):
        largest = ledger.largest_epsilon(kind)
        assert ledger.fits(kind(largest)) and not ledger.fits(kind(largest * 1.001))
    assert ledger.largest_epsilon() == ledger.largest_epsilon(BoundedRange) == 1.2
    ledger.debit(ZCDP(ledger.remaining.rho), **ASKED)
    assert ledger.largest_epsilon() == 0
    with pytest.raises(ParameterTypeError, match="kind must be PureDP or BoundedRange, got a type"):
        ledger.largest_epsilon(ZCDP)


@pytest.mark.parametrize("denominators", [[3**8790], [10**30 + 2 * j + 1 for j in range(72)]])
def test_losses_with_odd_denominators_are_refused_before_they_take_the_room_of_decimals(path, denominators):
    ledger, taken, refused = Ledger.open(path, ZCDP(1)), 0, []
    for number in denominators:
        try:
            taken = ledger.debit(ZCDP(Fraction(1, number)), **ASKED).number
        except ParameterError as error:
            refused.append(str(error))
    assert refused and all("loss must have fewer digits, got ρ " in said for said in refused)
    assert taken < 30 and all("round it to a decimal" in said for said in refused)
    for epsilon in (0.1, 0.123456789012345, 1e-320):
        taken += 1
        assert median(ledger, epsilon).receipt.number == taken
    assert ledger.verify() == taken


@pytest.mark.parametrize("kind", [PureDP, BoundedRange, ZCDP])
def test_a_loss_of_a_users_own_kind_is_refused_and_the_ledger_goes_on(path, kind):
    own = type("Own", (kind,), {"as_zcdp": lambda self: ZCDP(0)})
    ledger = Ledger.open(path, ZCDP(1))
    for ask in (lambda: ledger.debit(own(0.5), **ASKED), lambda: ledger.fits(own(0.5))):
        with pytest.raises(ParameterTypeError, match="loss must be PureDP, BoundedRange, ZCDP or ApproxDP"):
            ask()
    with pytest.raises(ParameterTypeError, match="budget must be PureDP, ZCDP or ApproxDP"):
        Ledger.open(path.with_name("own"), type("Own", (PureDP,), {})(1))
    assert ledger.debit(kind(0.5), **ASKED).number == ledger.verify() == 1


def test_what_could_not_be_verified_is_not_written(ledger, monkeypatch):
    write = module.write_entry
    monkeypatch.setattr(module, "write_entry", lambda *a, **k: write(*a, **k).replace("PureDP", "Magic"))
    with pytest.raises(LedgerError, match="cannot be read"):
        ledger.debit(PureDP(0.1), **ASKED)
    monkeypatch.undo()
    assert ledger.debit(PureDP(0.1), **ASKED).number == ledger.verify() == 1


# What it refuses


def test_a_pickle_of_a_ledger_that_was_replaced_is_refused(ledger, path):
    pickled = pickle.dumps(ledger)
    ledger._book._forget()
    path.unlink()
    with pytest.raises(LedgerError, match="is not the ledger that was pickled"):
        pickle.loads(pickled)
    Ledger.open(path, PureDP(1))
    with pytest.raises(LedgerError, match="is not the ledger that was pickled"):
        pickle.loads(pickled)


def test_bad_arguments_of_a_debit_are_errors_before_anything_is_written(ledger):
    for wrong, error in [
        ({"memo": 7}, ParameterTypeError),
        ({"contributions": 1.5}, ParameterTypeError),
        ({"contributions": 0}, ParameterError),
        ({"neighbors": ["add_remove"]}, ParameterError),
        ({"unit": 7}, ParameterTypeError),
        ({"name": 7}, ParameterTypeError),
    ]:
        with pytest.raises(error, match=f"{next(iter(wrong))} must"):
            ledger.debit(PureDP(0.1), **(ASKED | wrong))
    with pytest.raises(
        ParameterTypeError, match=r"loss must be PureDP, BoundedRange, ZCDP or ApproxDP, got 0.1"
    ):
        ledger.debit(0.1, **ASKED)
    assert ledger.verify() == 0


def test_a_ledger_that_lost_everything_says_so(ledger, path):
    path.unlink()
    for ask in (lambda: ledger.spent, ledger.verify):
        with pytest.raises(LedgerError, match=r"the ledger staff.ledger is gone"):
            ask()
