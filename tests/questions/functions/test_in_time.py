"""What bounds and edges in time mean, in microseconds; tests/dataset/test_timed.py asks such questions."""

from datetime import date, timedelta

import pytest

from noisewise import ParameterError, ParameterTypeError, SchemaError, ask
from noisewise.questions.functions.in_time import (
    bins_in_numbers,
    clock_of,
    edges_in_time,
    in_microseconds,
    kind_of_edges,
)

DAYS = (date(2001, 1, 1), date(2001, 1, 31))


def test_a_question_in_microseconds():
    question = ask.median("day", bounds=DAYS, epsilon=1)
    clock = clock_of(question, DAYS, None)
    assert clock.granularity == timedelta(days=1) and clock.answers == "date"
    in_numbers = in_microseconds(question, DAYS, clock)
    assert in_numbers.keywords["bounds"] == (0, 30 * 86_400_000_000)
    assert in_numbers.keywords["granularity"] == 86_400_000_000


def test_what_means_nothing_is_refused():
    with pytest.raises(SchemaError, match="must be numbers for variance"):
        clock_of(ask.variance("day", bounds=DAYS, epsilon=1), DAYS, None)
    with pytest.raises(ParameterError, match="whole days"):
        clock_of(ask.median("day", bounds=DAYS, epsilon=1), DAYS, timedelta(hours=30))


def test_edges():
    edges = edges_in_time(ask.histogram("day", list(DAYS), epsilon=1))
    assert edges == list(DAYS) and kind_of_edges(edges) == "date"
    assert bins_in_numbers(edges).at == (0.0, 30 * 86_400_000_000.0)
    assert edges_in_time(ask.histogram("x", [0, 1], epsilon=1)) is None
    with pytest.raises(ParameterTypeError, match="must all be dates"):
        kind_of_edges([DAYS[0], timedelta(1)])
    with pytest.raises(ParameterError, match="edges that rise"):
        bins_in_numbers([DAYS[1], DAYS[0]])
