"""Several quantiles at once, as functions: each is the question it says it is, settled once."""

import inspect

import pytest

from noisewise import NoisewiseError
from noisewise.hazmat import SeededBits
from noisewise.questions.composites.quantiles import ECDF, FiveNumberSummary, JointQuantiles, Quantiles
from noisewise.questions.functions.order import ecdf, five_number_summary, quantiles

DATA = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9]
ASKED = {"bounds": (0, 10), "epsilon": 1}
FUNCTIONS = [
    (quantiles, {"qs": [0.75, "1/4"]}, Quantiles([0.75, 0.25])),
    (five_number_summary, {}, FiveNumberSummary()),
    (ecdf, {"steps": 3}, ECDF(3)),
]


@pytest.mark.parametrize(("function", "own", "question"), FUNCTIONS)
def test_a_function_is_its_question_settled(function, own, question, monkeypatch):
    monkeypatch.setattr("noisewise.questions.composites.quantiles.SystemBits", lambda: SeededBits(7))
    for how in ({}, {"neighbors": "swap"}, {"contributions": 2, "granularity": 0.5}):
        released = function(DATA, **own, **ASKED, **how)
        replayed = JointQuantiles.of(question, DATA, **ASKED, **how).answer(bits=SeededBits(7))
        assert (released.value, released.statistic) == (replayed.value, str(question))
        assert released.private and released.receipt is None
        assert function(DATA, *own.values(), **ASKED, **how) == released


@pytest.mark.parametrize(("function", "own", "question"), FUNCTIONS)
def test_the_ledger_pays_once(function, own, question):
    class Ledger:
        def debit(self, loss, *, neighbors, contributions, memo):
            return f"{loss.epsilon} {neighbors} {contributions} {memo}"

    released = function(
        DATA, **own, **ASKED, contributions=2, mechanism="inverse_sensitivity", ledger=Ledger()
    )
    assert released.receipt == f"1 add_remove 2 {question} by joint-quantiles/1 by inverse-sensitivity/1"


@pytest.mark.parametrize(("function", "own", "question"), FUNCTIONS)
def test_signature_and_help(function, own, question):
    parameters = list(inspect.signature(function).parameters)
    assert parameters[: len(own) + 3] == ["data", *own, "bounds", "epsilon"]
    assert inspect.getdoc(function).startswith("A private ")
    assert all(f"{name}: " in inspect.getdoc(function) for name in parameters)


@pytest.mark.parametrize(("function", "own", "question"), FUNCTIONS)
def test_wrong_calls(function, own, question):
    with pytest.raises(NoisewiseError, match=r"^ledger must "):
        function(DATA, **own, **ASKED, ledger=3)
    with pytest.raises(NoisewiseError, match=r"^bounds must be a pair"):
        function(DATA, **own, bounds="private", epsilon=1)
    with pytest.raises(TypeError, match="bounds_share"):
        function(DATA, **own, **ASKED, bounds_share=0.5)
    with pytest.raises(
        NoisewiseError, match=r"^epsilon or rho must be given, exactly one of them, got neither"
    ):
        function(DATA, **own, bounds=(0, 1))
