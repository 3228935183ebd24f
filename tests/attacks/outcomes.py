"""What a user sees of a question, and whether it is the same for two datasets of one type."""

import logging
import math
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from typing import Any

from hypothesis import HealthCheck, settings

import noisewise as nws
from noisewise.questions.composites.quantiles import JointQuantiles
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request, Searched

TIMES = int(os.environ.get("NOISEWISE_EXAMPLES", "1"))
"""How many times as many examples are looked at; the same few ones if 1."""

Ask = Callable[..., Any]


def examples(few: int) -> settings:
    return settings(
        max_examples=few * TIMES,
        derandomize=TIMES == 1,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


class Purse:
    def __init__(self) -> None:
        self.paid = 0

    def debit(self, loss: Any, **_said: Any) -> str:
        self.paid += 1
        return "paid"


def outcome(ask: Ask, purse: Purse) -> tuple[Any, ...]:
    """All that a user sees: an error, or an answer with everything that is said about it; what is printed, warned of
    and logged; and what was paid."""
    said = StringIO()
    handler, root = logging.StreamHandler(said), logging.getLogger()
    root.addHandler(handler)
    try:
        with warnings.catch_warnings(record=True) as warned, redirect_stdout(said), redirect_stderr(said):
            warnings.simplefilter("always")
            try:
                seen = shown(ask())
            except nws.NoisewiseError as error:
                seen = (type(error).__name__, str(error))
    finally:
        root.removeHandler(handler)
    return *seen, purse.paid, [str(each.message) for each in warned], said.getvalue()


def shown(answer: Any) -> tuple[Any, ...]:
    """Everything of an answer but the clock: numbers, their types, notes, the printed text and the frame of groups."""
    card = {key: held for key, held in answer.to_dict().items() if key != "time"}
    parts = list(getattr(answer, "each", {}).values()) or [answer]
    numbers = [(repr(part.value), types(part.value), part.interval, part.count) for part in parts]
    seen = ["answer", repr(card), repr(answer), repr(numbers), [part.notes for part in parts]]
    if (frame := getattr(answer, "frame", None)) is not None:
        local = frame.toArrow() if hasattr(frame, "toArrow") else frame
        local = local.collect() if hasattr(local, "collect") else local
        named = getattr(local, "column_names", None) or list(local.columns)
        seen += [repr(named), str(getattr(local, "schema", None) or local.dtypes), repr(rows(local))]
    return tuple(seen)


def rows(frame: Any) -> Any:
    if hasattr(frame, "to_arrow_table"):  # of DuckDB, which needs more than is here to read times by itself
        frame = frame.to_arrow_table()
    for whole in ("rows", "to_pylist"):
        if hasattr(frame, whole):
            return getattr(frame, whole)()
    return frame.to_dict("list")


def types(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [types(each) for each in value]
    return (
        {key: types(each) for key, each in value.items()} if isinstance(value, dict) else type(value).__name__
    )


def finding(ask: Ask, one: Any, other: Any) -> tuple[Any, Any] | None:
    """Two outcomes that differ, for data that do not differ by their type."""
    purses = Purse(), Purse()
    outcomes = [
        outcome(lambda data=data, purse=purse: ask(data, purse), purse)  # type: ignore[misc]
        for data, purse in zip((one, other), purses, strict=True)
    ]
    return None if outcomes[0] == outcomes[1] else (outcomes[0], outcomes[1])


def numbers_of(value: Any) -> Iterator[int | float]:
    """All numbers of an answer."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from numbers_of(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def outside(release: Any, asked: Payable) -> str | None:
    """What of an answer could not be drawn by its public support; None if all could.

    Numbers are finite, of the type that the step says, multiples of it, and between the public ends; an interval's ends
    are in order, counts are not negative, and quantiles rise.
    """
    numbers = list(numbers_of(release.value))
    if not all(map(math.isfinite, numbers)):
        return "a number that is not finite"
    if release.interval is not None and release.interval.kind == "noise":
        low, high = (list(numbers_of(end)) for end in release.interval)
        if any(a > b for a, b in zip(low, high, strict=True)):
            return "an interval that ends before it begins"
    if release.count is not None and min(numbers_of((release.count,))) < 0:
        return "a negative count"
    if release.form == "counts" and any(type(each) is not int or each < 0 for each in numbers):
        return "a count that is none"
    while not isinstance(asked, (Request, Searched, JointQuantiles)) and isinstance(
        getattr(asked, "inner", None), Payable
    ):
        asked = asked.inner  # type: ignore[assignment]
    if isinstance(asked, JointQuantiles):
        low, high = asked.lattice.low, asked.lattice.high
        drawn = [each[0] for each in release.value] if release.form == "distribution" else numbers
        order = [drawn[at] for at in sorted(range(len(drawn)), key=lambda at: asked.question.qs[at])]
        if order != sorted(order):
            return "quantiles that fall"
        return off(drawn, low, high, asked.lattice.granularity)
    if isinstance(asked, Searched):
        if release.value is None:
            return None
        asked = asked.between_bounds(release.bounds)
    if isinstance(asked, Request) and release.granularity == asked.frame.answers.granularity:
        single = release.value[:1] if isinstance(release.value, tuple) and release.names else release.value
        return off(list(numbers_of(single)), *asked.frame.answers.support, release.granularity)
    return None


def off(numbers: list[Any], low: int | None, high: int | None, step: Fraction) -> str | None:
    """A number that is no multiple of the step, or not between two multiples of it."""
    for number in numbers:
        index = round(Fraction(number) / step)
        if (int if step.denominator == 1 else float)(index * step) != number:
            return "a number off the lattice"
        if (low is not None and index < low) or (high is not None and index > high):
            return "a number out of its support"
    return None
