"""Every public question, with any parameters, of any data: one outcome for all data of a type.

Parameters are those of an ordinary call, of which some become borderline, wrong, huge or tiny ones. Two datasets of the
same declared type then get the same error, in the same words, or both an answer: with the same receipt, of the same
types, finite, between the bounds where it is a record; and nothing is warned of or printed. Hypothesis chooses; a
question that is added is asked too.
"""

import math
import re
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noisewise as nws
from noisewise.hazmat import SeededBits
from noisewise.questions.question import KINDS
from noisewise.sampling import SystemBits
from tests.attacks.vulnerable import shows_a_record
from tests.floors.everywhere import CALLED, NODES

BETWEEN_BOUNDS = {"median", "quantile", "min", "max", "mean", "trimmed_mean", "winsorized_mean", "huber_mean"}
RECORDS = [
    0,
    1,
    2.5,
    -3,
    10,
    None,
    math.nan,
    math.inf,
    -math.inf,
    10**400,
    -(2**63),
    "x",
    "",
    Decimal("sNaN"),
]
RECORDS += [True, 5e-324, Fraction(1, 3), [1], {}, b"\xff", "\ud800", 1j]
STRANGE: list[Any] = [
    *(None, 0, -1, 1, 2, 3, 0.5, 0.999, 1e-300, 1e300, math.nan, math.inf, -0.0, 10**30, 2**63, True),
    *("x", "", "1/2", "auto", "swap", "add_remove", "private", "laplace", "balance", "inverse_sensitivity"),
    *((), (0, 1), (1, 0), (0, 0), (0, 1e-320), (-1e308, 1e308), [0.5], [], [0, 1, 2], ["a", "b"], {}, b"1"),
    *(Fraction(1, 3), Decimal("0.1"), Decimal("NaN"), np.float32(0.5), np.int8(1), np.array([1, 2]), 64, 65),
]

DRAWN = ("value", "interval", "count", "time")
"""What of a receipt is the answer itself, or the clock's."""
NUMBERS = re.compile(r"[0-9][0-9,.]*|the bound")
"""In notes: of sums and counts that were drawn."""
Ask = Callable[..., Any]
records = st.lists(st.sampled_from(RECORDS), max_size=6)
floats = st.lists(st.floats(width=64), max_size=6).map(lambda x: np.array(x, float))
integers = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=6).map(lambda x: np.array(x, np.int64))
TYPES = [records, floats, integers]


@st.composite
def column_pairs(draw: Any, count: int) -> tuple[list[Any], list[Any]]:
    """Two datasets of some columns of one type; the columns of each are of one length."""
    kind = draw(st.sampled_from(TYPES))
    sets = []
    for _ in range(2):
        columns = [draw(kind) for _ in range(count)]
        shortest = min(map(len, columns))
        sets.append([column[:shortest] for column in columns])
    return sets[0], sets[1]


@st.composite
def cases(draw: Any, name: str) -> tuple[list[Any], list[Any], list[Any], dict[str, Any]]:
    """Two datasets, and the arguments of one call about each of them."""
    can = KINDS[name].capabilities
    *positional, keywords = CALLED[name]
    arguments = list(positional[len(can.data) :])
    one, other = draw(column_pairs(len(can.data)))
    for index, kind in enumerate(can.columns):
        for data in (one, other):
            if kind == "matrix":
                rows = draw(st.integers(0, 3))
                data[index] = np.array(draw(st.lists(st.floats(), min_size=2 * rows, max_size=2 * rows)))
                data[index] = data[index].reshape(rows, 2)
                if len(data) > 1:
                    data[1 - index] = data[index][:, 0]
            if kind == "edges":
                data[index] = draw(
                    st.lists(st.tuples(*[st.sampled_from([*NODES, *RECORDS])] * 2), max_size=5)
                )
            if kind == "cells":
                data[index] = [draw(st.lists(st.sampled_from(["tea", "milk", None]), min_size=2, max_size=2))]
    asked = {**keywords, "epsilon": 1}
    if can.columns == ("cells",):
        asked["categories"] = [["tea", "milk"]]
    names = [each for each in KINDS[name].parameters.parameters if each != "ledger"]
    for changed in draw(st.lists(st.sampled_from(names), max_size=2)):
        position = names.index(changed)
        if position < len(arguments):
            arguments[position] = draw(st.sampled_from(STRANGE))
        else:
            asked[changed] = draw(st.sampled_from(STRANGE))
    return one, other, arguments, asked


class Purse:
    def __init__(self) -> None:
        self.paid = 0

    def debit(self, loss: Any, **_said: Any) -> str:
        self.paid += 1
        return "paid"


def outcome(ask: Ask, purse: Purse) -> tuple[Any, ...]:
    """All that a user sees, but for the numbers of an answer: an error, or a receipt and the types of the numbers."""
    said = StringIO()
    with warnings.catch_warnings(record=True) as warned, redirect_stdout(said), redirect_stderr(said):
        warnings.simplefilter("always")
        try:
            answer = ask()
            card = {key: text for key, text in answer.to_dict().items() if key not in DRAWN}
            counted = answer.to_dict().get("count") is not None  # drawn beside the answer; notes speak of it
            card["notes"] = [] if counted else [NUMBERS.sub("#", note) for note in answer.notes]
            seen: tuple[Any, ...] = ("answer", repr(card), shape(answer.value))
        except nws.NoisewiseError as error:
            seen = (type(error).__name__, str(error))
    return *seen, purse.paid, [str(each.message) for each in warned], said.getvalue()


def shape(value: Any) -> Any:
    """The types of an answer, all of whose numbers are finite."""
    if isinstance(value, (tuple, list)):
        return [shape(each) for each in value]
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    assert not isinstance(value, float) or math.isfinite(value)
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else "other"


def finding(ask: Ask, one: list[Any], other: list[Any]) -> tuple[Any, Any] | None:
    """Two outcomes that differ, for data that do not differ by their type."""
    purses = Purse(), Purse()
    outcomes = [
        outcome(lambda data=data, purse=purse: ask(data, purse), purse)  # type: ignore[misc]
        for data, purse in zip((one, other), purses, strict=True)
    ]
    return None if outcomes[0] == outcomes[1] else (outcomes[0], outcomes[1])


def test_an_outcome_that_depends_on_a_record_is_noticed() -> None:
    class Answer:
        value, notes = 1, ()

        def to_dict(self) -> dict[str, Any]:
            return {}

    def careless(data: list[Any], _purse: Purse) -> Answer:
        try:
            shows_a_record(data)
        except ValueError as error:
            raise nws.ParameterError(str(error)) from None
        return Answer()

    def warns(data: list[Any], _purse: Purse) -> Answer:
        if len(data) > 1:
            warnings.warn("many records", stacklevel=1)
        return Answer()

    assert finding(careless, [1], ["x"]) is not None
    assert finding(warns, [1], [1, 2]) is not None
    assert finding(warns, [1], [2]) is None


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_outcome_is_the_same_for_all_data_of_a_type(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function: Ask = KINDS[name].function
    bits = SeededBits(11)
    monkeypatch.setattr(SystemBits, "words", lambda self, count: bits.words(count))

    @settings(max_examples=14, derandomize=True, database=None, deadline=None)
    @given(case=cases(name))
    def search(case: tuple[list[Any], list[Any], list[Any], dict[str, Any]]) -> None:
        one, other, arguments, asked = case

        def ask(data: list[Any], purse: Purse) -> Any:
            answer = function(*data, *arguments, **asked, ledger=purse)
            if name in BETWEEN_BOUNDS and answer.bounds is not None:
                low, high = map(float, answer.bounds)
                assert low <= answer.value <= high
            return answer

        assert finding(ask, one, other) is None

    search()
