"""One epsilon for several questions."""

from fractions import Fraction

import pytest

from noisewise import ParameterError, ask
from noisewise.questions.sharing import parts_of, priced


def test_each_gets_its_part_exactly():
    assert parts_of({"a": None, "b": None}, 1, None) == {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert parts_of({"a": None, "b": None}, 0.1, {"a": 1, "b": 2})["b"] == Fraction(1, 15)
    assert parts_of({"a": 1, "b": 2}, None, None) is None
    assert priced({"a": ask.count(epsilon=2)}, None, None)["a"].epsilon == 2


def test_epsilon_is_said_once():
    with pytest.raises(
        ParameterError, match="given to plan, for all questions together, or in each, and not"
    ):
        parts_of({"a": None, "b": 1}, 1, None, "plan")
    with pytest.raises(ParameterError, match=r"must be given to agg, .* got none for a"):
        parts_of({"a": None}, None, None)
