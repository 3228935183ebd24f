"""The road of a question: each public fact is worked out once, few folders are crossed, and no data is remembered."""

import gc
import itertools
import sys
import weakref
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import noisewise as nws
from noisewise.questions import remembered
from noisewise.questions.question import KINDS, Question
from noisewise.questions.request import Request

ROOT = Path(nws.__file__).parent
DATA = [float(k) for k in range(100)]
PUBLIC = {
    "aim",
    "choose",
    "checked_pull",
    "Lattice.between",
    "Request._support_of",
    "Statistic.frame",
    "unit_of_privacy",
    "Width.of",
}
"""What works out a public fact of a question about one statistic."""


def calls_of(ask: Callable[[], object]) -> list[tuple[str, str]]:
    """The folder and the name of every function of the library that is called."""
    calls = []

    def see(frame: Any, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            calls.append((path.relative_to(ROOT).parts[0], frame.f_code.co_qualname))

    sys.setprofile(see)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return calls


def test_the_median_of_a_list_crosses_few_folders() -> None:
    def ask() -> object:
        return nws.median(DATA, bounds=(0, 101), epsilon=1)

    ask()
    ask()
    roads = [[folder for folder, _ in calls_of(ask)] for _ in range(9)]
    changes = [sum(one != next for one, next in itertools.pairwise(road)) for road in roads]
    assert sorted(changes)[4] <= 20  # a rare draw needs more levels, and crosses more


@pytest.mark.parametrize("name", ["median", "mean", "sum", "iqr"])
def test_each_public_fact_is_worked_out_once(name: str) -> None:
    bounds = {"median": 201, "mean": 202, "sum": 203, "iqr": 204}[name]  # asked nowhere else

    def ask() -> object:
        return getattr(nws, name)(DATA, bounds=(0, bounds), epsilon=1)

    first, second, third = (Counter(called for _, called in calls_of(ask)) for _ in range(3))
    assert {called: first[called] for called in PUBLIC if first[called] > 1} == {}
    assert first["choose"] == first["Width.of"] == 1
    assert {called: third[called] for called in PUBLIC if third[called]} == {}
    assert sum(third.values()) <= sum(second.values()) < sum(first.values())


def test_a_question_is_the_same_however_often_it_is_asked() -> None:
    asked = {"bounds": (0, 301), "epsilon": 1, "granularity": 10}
    told = [nws.median(DATA, **asked).to_dict() for _ in range(3)]
    for each in told:
        del each["value"], each["time"]
    assert told[0] == told[1] == told[2]
    assert len(nws.median(np.array(DATA), **asked).notes) == 1  # the type of the data is looked at each time
    with pytest.raises(nws.SchemaError):
        nws.median({"a": 1}, **asked)


def test_equal_numbers_of_other_types_are_other_questions() -> None:
    whole = nws.median(DATA, bounds=(0, 401), epsilon=1)
    real = nws.median(DATA, bounds=(0.0, 401.0), epsilon=1)
    assert (whole.granularity, whole.bounds) == (1, (0, 401))
    assert real.granularity < 1 and repr(real.bounds) == "(0.0, 401.0)"
    assert repr(nws.median(DATA, bounds=(-0.0, 401.0), epsilon=1).bounds) == "(-0.0, 401.0)"
    with pytest.raises(nws.ParameterTypeError):
        nws.median(DATA, bounds=(0, 401), epsilon=True)
    assert "True" in nws.count([True, 1], True, epsilon=1).statistic
    assert "True" not in nws.count([True, 1], 1, epsilon=1).statistic


def test_a_wrong_call_is_refused_after_right_ones() -> None:
    nws.median(DATA, bounds=(0, 501), epsilon=1)
    with pytest.raises(nws.ParameterTypeError, match="missing a required argument: 'data'"):
        nws.median(bounds=(0, 501), epsilon=1)
    with pytest.raises(nws.ParameterTypeError, match="too many positional arguments"):
        nws.median(DATA, DATA, bounds=(0, 501), epsilon=1)
    with pytest.raises(nws.ParameterTypeError, match="multiple values"):
        nws.median(DATA, data=DATA, bounds=(0, 501), epsilon=1)
    with pytest.raises(nws.ParameterTypeError, match="ledger must be"):
        nws.median(DATA, bounds=(0, 501), epsilon=1, ledger=3)


def test_a_list_of_bounds_that_changes_is_another_question() -> None:
    bounds = [0, 601]
    assert nws.median(DATA, bounds=bounds, epsilon=1).bounds == (0, 601)
    bounds[1] = 602
    assert nws.median(DATA, bounds=bounds, epsilon=1).bounds == (0, 602)


def test_a_list_that_changes_after_a_call_changes_no_later_call() -> None:
    bounds, categories, bins = [0, 611], ["a", "b"], [0, 10, 20]
    frame = pd.DataFrame({"v": [1.0, 11.0], "label": ["a", "b"]})
    for data in (frame, nws.Dataset(frame)):
        of = data.__getitem__ if data is frame else str
        source: Any = nws if data is frame else data

        def answers(source: Any = source, of: Any = of, **lists: Any) -> tuple[Any, ...]:
            return (
                source.mean(of("v"), bounds=lists["bounds"], epsilon=60).bounds,
                source.histogram(of("label"), categories=lists["categories"], epsilon=60).value,
                source.histogram(of("v"), bins=lists["bins"], epsilon=60).value,
            )

        before = answers(bounds=bounds, categories=categories, bins=bins)
        bounds[1], bins[1] = 60_000, 15
        categories.append("q")
        assert answers(bounds=[0, 611], categories=["a", "b"], bins=[0, 10, 20]) == before
        bounds[1], bins[1] = 611, 10
        categories.pop()


def test_where_n_is_public_it_is_that_of_the_data() -> None:
    for n in (5, 50, 500):
        law = nws.hazmat.law(
            nws.Mean(), np.ones(n), bounds=(0, 1), epsilon=1, neighbors="swap", mechanism="laplace"
        )
        keywords = {"bounds": (0, 1), "epsilon": 1, "neighbors": "swap", "mechanism": "laplace"}
        question = Question(KINDS["mean"], (), (), keywords)
        for _ in range(2):
            request = question.bind([np.ones(n)])
            assert isinstance(request, Request) and isinstance(request.mechanism, nws.Laplace)
            assert request.mechanism.sensitivity == law.envelope.stride


def test_no_data_is_remembered() -> None:
    class Records(np.ndarray[Any, Any]):
        pass

    records = np.arange(9.0).view(Records)
    gone = weakref.ref(records)
    for _ in range(3):
        nws.median(records, bounds=(0, 701), epsilon=1)
    del records
    gc.collect()
    assert gone() is None


def test_few_questions_are_remembered() -> None:
    known: dict[Any, int] = {}
    for number in range(3 * remembered.MOST):
        assert remembered.remembered(known, (number,), {}, lambda number=number: number + 1) == number + 1
        assert len(known) <= remembered.MOST
    for other in (np.int64(1), np.array([1]), object(), (1,) * 99, {1}, [1], {}, ([1],)):
        assert remembered.remembered(known, (other,), {}, lambda: -1) == -1
        assert remembered.remembered(known, (), {"x": other}, lambda: -2) == -2
    assert len(known) <= remembered.MOST


def test_bounds_are_remembered_as_typed() -> None:
    """0.10 and 0.1 are equal decimals, but a receipt prints the one that was typed. A signaling NaN has no hash."""
    for low in ("0.10", "0.1"):
        released = nws.median([1, 2], bounds=(Decimal(low), 9), epsilon=1)
        assert str(released.bounds[0]) == low  # type: ignore[index]
    with pytest.raises(nws.ParameterError):
        nws.median([1, 2], bounds=(Decimal("sNaN"), 9), epsilon=1)
