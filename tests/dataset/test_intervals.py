"""Intervals of every question there is: where they are given, and that nothing fails once it is paid for."""

from fractions import Fraction
from unittest import mock

import polars as pl
import pytest

import noisewise as nws
from tests.dataset.test_methods import CALLS, ROWS

FRAME = pl.DataFrame(ROWS)
OF_THE_POPULATION = {name for name in CALLS if name.endswith("_interval")}


def asked(name, epsilon, neighbors="add_remove", grouped=False, **more):
    """A question with an interval: whether anything was paid, and the answer, or the refusal."""
    *given, keywords = CALLS[name]
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    place = nws.Dataset(FRAME, neighbors=neighbors, ledger=ledger)
    place = place.group_by("b", keys=[0, 1]) if grouped else place
    interval = {} if name in OF_THE_POPULATION else {"interval": 0.9}
    try:
        answer = getattr(place, name)(*given, **{**keywords, **interval, **more}, epsilon=epsilon)
    except nws.ParameterError as refusal:
        return ledger.debit.called, refusal
    return ledger.debit.called, answer


@pytest.mark.parametrize("epsilon", ["1e-20", "1e-300", "1e-1000"])
def test_a_tiny_epsilon_is_answered_or_refused_before_anything_is_paid(epsilon):
    """Ends so far out that 64 bits, or a float, do not hold them were an error after the debit."""
    for name in CALLS:
        for where in ({}, {"neighbors": "swap"}, {"grouped": True}):
            for more in ({}, {"bounds": (0, 2**40)} if "bounds" in CALLS[name][-1] else {}):
                paid, answer = asked(name, Fraction(epsilon), **where, **more)
                refused = isinstance(answer, nws.ParameterError)
                assert paid != refused, (name, where, more, answer)


def test_an_end_too_far_out_says_what_to_do():
    _, refusal = asked("median", Fraction("1e-1000"))
    assert str(refusal).startswith("epsilon must be larger for an interval of median")
    _, refusal = asked("count_interval", Fraction("1e-20"))
    assert str(refusal).startswith("epsilon must be larger for the 95% interval of the expected count")
    _, answer = asked("median", Fraction("1e-20"))
    assert tuple(answer.interval) == (0, 10), "more than 2^62 ranks away, where only bounds are"
