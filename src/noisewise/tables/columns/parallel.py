"""Threads: the parts of a long computation run side by side on all processor cores.

NumPy lets other threads run while it computes, so large parts run faster. The results do not depend on threads.
"""

import os
from _thread import allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import numpy as np

Part = TypeVar("Part")
Found = TypeVar("Found")

BLOCK = 1 << 16
"""The number of rows that are computed at a time. Arrays of this size stay in a core's cache."""

TOGETHER = 1 << 18
"""The number of rows that are worth a thread of their own."""

MOST = 8
"""More threads than this would wait for each other."""


@cache
def cores() -> int:
    """The number of threads to use: the cores that this process may use, up to `MOST`."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, MOST)


def side_by_side(work: Callable[[Part], Found], parts: Sequence[Part]) -> list[Found]:
    """Call ``work`` on each part, in several threads, and return the results in the order of the parts.

    If calls raise errors, the error of the earliest part is raised. All threads use this thread's error settings of
    NumPy.
    """
    if len(parts) < 2 or cores() < 2:
        return [work(part) for part in parts]
    said = np.geterr()

    def quietly(part: Part) -> Found:
        with np.errstate(**said):
            return work(part)

    with ThreadPoolExecutor(min(cores(), len(parts))) as pool:
        return list(pool.map(quietly, parts))


def in_blocks(work: Callable[[slice], Found], size: int) -> list[Found]:
    """Call ``work`` on each block of `BLOCK` rows out of ``size`` rows, and return the results in order.

    If there are more than `TOGETHER` rows, several threads share the blocks.
    """

    def some(part: range) -> list[Found]:
        return [work(slice(start, min(start + BLOCK, part.stop))) for start in part]

    parts = [range(start, min(start + TOGETHER, size), BLOCK) for start in range(0, size, TOGETHER)]
    return [made for part in side_by_side(some, parts) for made in part]


def from_both_ends(work: Callable[[Part], Found], parts: Sequence[Part]) -> list[Found]:
    """Call ``work`` on each part, in two threads, and return the results in the order of the parts.

    This thread begins with the first part, and a second thread with the last. A thread that has finished a part takes
    the next one. If the second thread starts late or never, this thread does all parts and does not wait. A bare thread
    starts four times as fast as a pool of one thread. NumPy's error settings of this thread hold in both.
    """
    left, made = deque(range(len(parts))), dict[int, Found]()
    ended, raised, said, started = allocate_lock(), list[BaseException](), np.geterr(), True

    def make(next_part: Callable[[], int]) -> None:
        while left:
            try:
                part = next_part()
            except IndexError:  # the other thread was faster
                return
            made[part] = work(parts[part])

    def from_the_end() -> None:
        try:
            with np.errstate(**said):
                make(left.pop)
        except BaseException as error:
            raised.append(error)
        finally:
            ended.release()

    ended.acquire()
    try:
        start_new_thread(from_the_end, ())
    except RuntimeError:  # the system has none to spare
        started = False
    try:
        make(left.popleft)
    finally:
        left.clear()
        if started and len(made) < len(parts):
            ended.acquire()
    if raised:
        raise raised[0]
    return [made[part] for part in range(len(parts))]
