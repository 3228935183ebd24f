"""Parts side by side: the same as one after the other, whatever the number of cores."""

import threading

import numpy as np
import pytest

from noisewise.numbers import parallel as threads
from noisewise.numbers.parallel import cores, in_blocks, side_by_side


def test_there_is_a_core_and_not_too_many():
    assert 1 <= cores() <= threads.MOST


@pytest.mark.parametrize("available", [1, 2, 5])
def test_answers_come_in_the_order_of_the_parts(monkeypatch, available):
    monkeypatch.setattr(threads, "cores", lambda: available)
    assert side_by_side(lambda part: part * part, list(range(20))) == [n * n for n in range(20)]
    assert side_by_side(lambda part: part, []) == []


@pytest.mark.parametrize("size", [0, 1, 3, 4, 8, 9, 23])
def test_blocks_are_all_rows_in_their_order(monkeypatch, size):
    monkeypatch.setattr(threads, "BLOCK", 3)
    monkeypatch.setattr(threads, "TOGETHER", 8)
    monkeypatch.setattr(threads, "cores", lambda: 2)
    blocks = in_blocks(lambda rows: list(range(size))[rows], size)
    assert [row for block in blocks for row in block] == list(range(size))
    assert all(0 < len(block) <= 3 for block in blocks)


def test_parts_run_at_the_same_time(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 2)
    meeting = threading.Barrier(2, timeout=60)
    assert sorted(side_by_side(lambda _: meeting.wait(), [0, 1])) == [0, 1]


@pytest.mark.parametrize("available", [1, 2])
def test_parts_take_overflow_as_whoever_asks_does(monkeypatch, available):
    monkeypatch.setattr(threads, "cores", lambda: available)
    with np.errstate(over="ignore", invalid="raise"):
        found = side_by_side(lambda _: (np.geterr()["over"], np.geterr()["invalid"]), [0, 1, 2])
    assert found == [("ignore", "raise")] * 3


@pytest.mark.parametrize("available", [1, 2])
def test_an_error_is_raised(monkeypatch, available):
    monkeypatch.setattr(threads, "cores", lambda: available)

    def work(part):
        if part:
            raise ZeroDivisionError("here")

    with pytest.raises(ZeroDivisionError, match="here"):
        side_by_side(work, [0, 1])
