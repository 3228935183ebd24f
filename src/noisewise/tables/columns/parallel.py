"""Threads: the parts of a long computation side by side, on as many processor cores as there are.

NumPy lets other threads run while it computes, so parts of some size gain; what they compute does not depend on it.
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
"""So many rows are computed at a time; their arrays stay in a core's cache."""

TOGETHER = 1 << 18
"""So many rows are worth a thread."""

MOST = 8
"""More threads than this would wait for each other."""


@cache
def cores() -> int:
    """The number of threads to use: the cores that this process may use, up to `MOST`."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, MOST)


def side_by_side(work: Callable[[Part], Found], parts: Sequence[Part]) -> list[Found]:
    """The results of ``work`` on each part, in order. The first error is raised.

    What NumPy does about overflow and the like is in each part as it is here.
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
    """The results of ``work`` on each block of rows, in order. Several threads share many rows."""

    def some(part: range) -> list[Found]:
        return [work(slice(start, min(start + BLOCK, part.stop))) for start in part]

    parts = [range(start, min(start + TOGETHER, size), BLOCK) for start in range(0, size, TOGETHER)]
    return [made for part in side_by_side(some, parts) for made in part]


def from_both_ends(work: Callable[[Part], Found], parts: Sequence[Part]) -> list[Found]:
    """The results of ``work`` on each part, in order. This thread begins with the first part, another with the last.

    Each takes the next part when it has made one. On a busy machine, where the other thread starts late or never, its
    parts are made here, and a thread that has taken none is not waited for. A bare thread starts four times as fast as
    a pool of one. What NumPy does about overflow and the like is in each part as it is here.
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
