"""The question about limits as a function: its keywords, its help, and what it hands on."""

import inspect
from fractions import Fraction

from noisewise.questions.functions.order import private_bounds

KEYWORDS = {
    "epsilon": None,
    "rho": None,
    "neighbors": "add_remove",
    "contributions": 1,
    "ledger": None,
    "interval": None,
    "with_count": False,
    "base": 2,
    "smallest": Fraction(1, 2**32),
    "largest": 2**64,
    "beta": Fraction(1, 10**6),
}


def test_the_keywords_are_in_the_common_order():
    parameters = inspect.signature(private_bounds).parameters
    assert list(parameters) == ["data", *KEYWORDS]
    assert {k: p.default for k, p in parameters.items() if k != "data"} == KEYWORDS


def test_help_is_there():
    text = inspect.getdoc(private_bounds)
    assert text.startswith("A private ")
    assert [k for k in ("data", *KEYWORDS) if f"    {k}: " not in text] == []
    assert ">>> nws.mean(incomes, bounds=bounds" in text


def test_every_keyword_reaches_the_release():
    class Ledger:
        def debit(self, loss, *, neighbors, contributions, memo):
            return f"{loss.epsilon} {neighbors} {contributions} {memo}"

    asked = {"base": 10, "smallest": 1, "largest": 1000, "beta": 0.25}
    found = private_bounds([5.0] * 90, epsilon=8, contributions=2, ledger=Ledger(), **asked)
    assert found.receipt == "8 add_remove 2 private bounds by crowded-powers/1"
    assert (found.value, found.bounds, found.granularity) == ((1, 10), (-1000, 1000), 1)
    assert "except with a probability of 0.25" in str(found)
    assert private_bounds([5.0] * 90, epsilon=8, neighbors="swap").neighbors == "swap"
