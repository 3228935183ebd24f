"""Parts side by side: the same as one after the other, whatever the number of cores."""

import threading
import time

import numpy as np
import pytest

from noisewise.tables.columns import parallel as threads
from noisewise.tables.columns.parallel import cores, from_both_ends, in_blocks, side_by_side


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


# From both ends


def test_two_threads_begin_at_both_ends():
    meeting, here = threading.Barrier(2, timeout=60), threading.get_ident()
    found = from_both_ends(lambda part: (meeting.wait(), part, threading.get_ident())[1:], ["a", "b"])
    assert [part for part, _ in found] == ["a", "b"]
    assert found[0][1] == here != found[1][1]


@pytest.mark.parametrize("parts", [0, 1, 2, 500])
def test_parts_of_both_ends_come_in_their_order(parts):
    assert from_both_ends(lambda part: part * part, range(parts)) == [n * n for n in range(parts)]


def test_the_other_end_takes_overflow_as_whoever_asks_does():
    meeting = threading.Barrier(2, timeout=60)
    with np.errstate(over="ignore", invalid="raise"):
        found = from_both_ends(lambda _: (meeting.wait(), np.geterr())[1], [0, 1])
    assert [(each["over"], each["invalid"]) for each in found] == [("ignore", "raise")] * 2


@pytest.mark.parametrize("fails", ["first", "last"])
@pytest.mark.parametrize("kind", [ZeroDivisionError, IndexError])
def test_an_error_of_either_end_is_raised_once_both_have_ended(fails, kind):
    meeting, ended = threading.Barrier(2, timeout=60), []

    def work(part):
        meeting.wait()
        if part == fails:
            raise kind(part)
        time.sleep(0.01)
        ended.append(part)

    with pytest.raises(kind, match=fails):
        from_both_ends(work, ["first", "last"])
    assert ended == [{"first": "last", "last": "first"}[fails]]


def test_without_a_thread_to_spare_all_is_done_here(monkeypatch):
    def none(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "start_new_thread", none)
    here = threading.get_ident()
    assert from_both_ends(lambda part: (part, threading.get_ident()), [1, 2]) == [(1, here), (2, here)]
    with pytest.raises(ZeroDivisionError):
        from_both_ends(lambda part: part // 0, [1, 2])


def test_nobody_waits_for_a_thread_that_is_late_and_finds_nothing_to_do(monkeypatch):
    late, done = [], []
    monkeypatch.setattr(threads, "start_new_thread", lambda run, _: late.append(run))
    assert from_both_ends(lambda part: (done.append(part), part)[1], [1, 2, 3]) == [1, 2, 3]
    late[0]()
    assert done == [1, 2, 3]
