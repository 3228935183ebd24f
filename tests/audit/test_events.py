"""The events by which two datasets are told apart."""

import numpy as np
import pytest

from noisewise.audit.events import Event, as_array, binary_places, events, low_bits, read


@pytest.mark.parametrize(
    ("number", "places"),
    [(0.0, 0), (3.0, 0), (0.5, 1), (-0.75, 2), (2.0**-60, 60), (1e300, 0), (0.1, 55), (float("inf"), 0)],
)
def test_binary_places_are_the_digits_behind_the_point(number, places):
    assert binary_places([number]).tolist() == [places]


def test_low_bits_are_the_last_three():
    assert low_bits([1.0, 1 + 2.0**-52, 1 + 7 * 2.0**-52]).tolist() == [0, 1, 7]


def test_numbers_texts_and_tuples_are_read():
    assert set(read([0.5, 1.0])) == {"answer", "binary places", "low bits"}
    assert set(read([1, 2])) == {"answer"}
    assert read(["a", None])["answer"].tolist() == ["a", "None"]
    both = read([(0.5, 3), (1.5, 4)], {"words": lambda draws: [each[1] for each in draws]})
    assert both["answer[1]"].tolist() == both["words"].tolist() == [3, 4]
    assert as_array([(1, 2), (3, 4)]).tolist() == ["(1, 2)", "(3, 4)"]


def test_events_are_repeats_and_thresholds():
    readings = read([1, 1, 2, 5])
    found = {str(each): each.happens(readings).tolist() for each in events(readings)}
    assert found["answer is 1"] == [True, True, False, False]
    assert found["answer <= 2"] == [True, True, True, False]
    assert found["answer > 2"] == [False, False, False, True]
    assert "answer is 5" not in found
    assert str(Event("answer", "<=", 0.123456789)) == "answer <= 0.123457"
    assert not any(each.test != "is" for each in events({"answer": np.array(["a", "a"])}))
