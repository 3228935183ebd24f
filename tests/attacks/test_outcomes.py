"""Every public question, with any parameters, of any data: one outcome for all data of a type.

Parameters are those of an ordinary call, of which some become borderline, wrong, huge or tiny ones. Two datasets of the
same declared type then get the same error, in the same words, or both an answer. Where every draw has one outcome,
their answers are the same in everything: numbers, types, notes, warnings, logs. What is really drawn lies in its public
support. Hypothesis chooses; a question that is added is asked too.
"""

import logging
import math
import warnings
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noisewise as nws
from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling import SystemBits
from noisewise.questions.keywords import without_defaults
from noisewise.questions.question import KINDS, Question
from tests.attacks.one_draw import SHARES, one_draw
from tests.attacks.outcomes import Purse, examples, finding, outside
from tests.attacks.vulnerable import shows_a_record
from tests.every_question import CALLS, NODES

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
    arguments = list(CALLS[name].arguments)
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
    asked = {**CALLS[name].keywords, "epsilon": 1}
    names = [each for each in KINDS[name].parameters.parameters if each != "ledger"]
    for changed in draw(st.lists(st.sampled_from(names), max_size=2)):
        position = names.index(changed)
        if position < len(arguments):
            arguments[position] = draw(st.sampled_from(STRANGE))
        else:
            asked[changed] = draw(st.sampled_from(STRANGE))
    if str(asked.get("neighbors")) == "swap":  # how many records there are is public
        shortest = [min(len(one[index]), len(other[index])) for index in range(len(one))]
        one, other = ([each[:n] for each, n in zip(data, shortest, strict=True)] for data in (one, other))
    return one, other, arguments, asked


def test_an_outcome_that_depends_on_a_record_is_noticed() -> None:
    class Answer:
        form, interval, count, names = "numbers", None, None, ()

        def __init__(self, value: Any = 1, *notes: str) -> None:
            self.value, self.notes = value, notes

        def to_dict(self) -> dict[str, Any]:
            return {}

        def __repr__(self) -> str:
            return "an answer"

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

    def logs(data: list[Any], _purse: Purse) -> Answer:
        logging.getLogger("any").warning("%s records", len(data))
        return Answer()

    assert finding(careless, [1], ["x"]) is not None
    assert finding(warns, [1], [1, 2]) is not None
    assert finding(warns, [1], [2]) is None
    assert finding(logs, [1], [1, 2]) is not None
    assert finding(lambda data, _purse: Answer(1, f"of {len(data)} records"), [1], [1, 2]) is not None
    assert finding(lambda data, _purse: Answer(data[0]), [1], [1.0]) is not None


def test_an_answer_out_of_its_support_is_noticed() -> None:
    asked = KINDS["median"].make(bounds=(0, 10), epsilon=1)([])
    right = nws.median([3], bounds=(0, 10), epsilon=1)
    assert outside(right, asked) is None
    for wrong in (11, -1, 2.5, math.inf):
        assert outside(replace(right, value=wrong), asked) is not None
    assert outside(replace(right, count=-1), asked) is not None
    ends = nws.median([3], bounds=(0, 10), epsilon=1, interval=0.9)
    turned = replace(ends.interval, low=5, high=4)  # type: ignore[type-var]
    assert outside(replace(ends, interval=turned), asked) is not None


def test_arrays_and_defaults_where_no_question_takes_them_are_judged_in_our_words() -> None:
    """What this search has found: they ended in errors of NumPy and Python."""
    held = nws.Dataset(pl.DataFrame({"s": ["a", "b"]}))
    array: Any = np.array([1, 2])
    with pytest.raises(nws.ParameterError, match="norm must be"):
        nws.vector_mean([[1.0, 2.0]], bounds=(0, 1), epsilon=1, norm=array)
    with pytest.raises(nws.ParameterTypeError, match="unexpected keyword argument 'mechanism'"):
        held.crosstab(["s"], categories={"s": ["a"]}, epsilon=1, mechanism=array)
    nothing: Any = None
    assert held.count_distinct("s", categories=["a", "b"], epsilon=64, granularity=nothing).value == 2


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_outcome_is_the_same_for_all_data_of_a_type(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one outcome of every draw all that is seen is the same; and what is really drawn lies in its support."""
    kind, bits = KINDS[name], SeededBits(11)
    monkeypatch.setattr(SystemBits, "words", lambda self, count: bits.words(count))

    @examples(14)
    @given(case=cases(name), share=st.sampled_from(SHARES))
    def search(case: tuple[list[Any], list[Any], list[Any], dict[str, Any]], share: Fraction) -> None:
        one, other, arguments, asked = case

        def ask(data: list[Any], purse: Purse) -> Any:
            return kind.function(*data, *arguments, **asked, ledger=purse)

        with one_draw(share):
            assert finding(ask, one, other) is None
        try:
            answer = ask(one, Purse())
        except nws.NoisewiseError:
            return
        assert (
            outside(
                answer,
                Question(kind, (), tuple(arguments), without_defaults(asked, kind.signature)).bind(one),
            )
            is None
        )

    search()
