"""Exact order statistics around a rank, without sorting or copying the column.

A sample read at fixed, public positions brackets the wanted values between two ends. One pass over cache-sized
blocks then counts the records beyond the bracket and keeps only those strictly inside it; records tied with an end
are counted but never kept, so heavy ties cost no memory. The sample decides how long this takes, never what comes
out: ranks are counted exactly, and should the sampled bracket miss the window or hold too much, a second one is
built from the order statistics of every block, which is certain to hold the window and little else.
"""

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

BLOCK = 32_768  # records per block: its values, and the masks made from them, stay in a core's cache
SORTED_OUTRIGHT = 50_000  # up to this many records, ordering them all is as fast as anything cleverer
WIDE = 8  # a window of more than 1/WIDE of the records is ordered outright too
ROOM = 32  # besides the window, a pass keeps at most 1/ROOM of the records
SPREAD = 5.0  # half-width of the sampled bracket, in standard deviations of a sample rank
STEP = 256  # the certain bracket looks at every STEP-th order statistic of each block
THREADED = 1_000_000  # from this many records on, a second thread earns its start-up time

Column = NDArray[Any]
Mask = NDArray[np.bool_]
Bracket = tuple[Any, Any]
T = TypeVar("T")


def count_present(values: Column, missing: Mask | None = None) -> int:
    """How many records are neither masked nor NaN."""
    if values.dtype.kind != "f":
        return values.size - (0 if missing is None else int(np.count_nonzero(missing)))
    return _Records(values, missing).count(lambda block: block == block)


def select(values: Column, start: int, stop: int, *, count: int, missing: Mask | None = None) -> Column:
    """The order statistics of ranks ``start`` to ``stop - 1``, sorted and exact.

    Ranks are 1-based, ``1 <= start <= stop <= count + 1``, and ``count`` is what ``count_present`` returned. The
    result has the dtype of ``values`` in native byte order; ``values`` itself is only read.
    """
    records, first, last = _Records(values, missing), start - 1, stop - 1
    if count > SORTED_OUTRIGHT and last - first <= count // WIDE:
        for bracket in (_sampled_bracket, _certain_bracket):
            window = _window(records, first, last, count, *bracket(records, first, last, count))
            if window is not None:
                return window
    return _ordered(records.at(slice(None)).copy(), first, last)


@dataclass(frozen=True, slots=True)
class _Records:
    values: Column
    missing: Mask | None

    def at(self, where: slice | NDArray[np.intp]) -> Column:
        """The unmasked records there, contiguous and in native byte order; NaNs among them stay."""
        found = np.ascontiguousarray(self.values[where], self.values.dtype.newbyteorder("="))
        return found if self.missing is None else found.compress(~self.missing[where])

    def sweep(self, work: Callable[[Column], T]) -> list[T]:
        """What ``work`` makes of each block, by two threads when that pays: NumPy lets them run side by side."""
        size = self.values.size
        if size < THREADED or _cores() < 2:
            return self._sweep(work, 0, size)
        half = size // 2
        with ThreadPoolExecutor(1) as other:
            upper = other.submit(self._sweep, work, half, size)
            return self._sweep(work, 0, half) + upper.result()

    def _sweep(self, work: Callable[[Column], T], begin: int, end: int) -> list[T]:
        with np.errstate(all="ignore"):  # here because each thread has its own
            return [work(self.at(slice(at, min(at + BLOCK, end)))) for at in range(begin, end, BLOCK)]

    def count(self, test: Callable[[Column], Mask]) -> int:
        """How many records pass."""
        return sum(self.sweep(lambda block: int(np.count_nonzero(test(block)))))


def _window(records: _Records, first: int, last: int, count: int, low: Any, high: Any) -> Column | None:
    """The sorted records from position first up to last; None if the bracket misses some or holds too many."""
    room = records.values.size // ROOM + last - first

    def keep(block: Column) -> tuple[int, Column | None]:
        nonlocal room
        above = block > low
        inside = block.compress(above & (block < high)) if room >= 0 else None
        room -= 0 if inside is None else inside.size  # a race between threads can only cost memory
        return int(np.count_nonzero(above)), inside

    tallies = records.sweep(keep)
    pieces = [inside for _, inside in tallies if inside is not None]
    if len(pieces) < len(tallies):
        return None
    inside = np.concatenate(pieces)
    begin = count - sum(above for above, _ in tallies)
    end = begin + inside.size
    # Positions outside begin..end are within the bracket only if tied with one of its ends.
    if first < begin and first < records.count(lambda block: block < low):
        return None
    if last > end and last > records.count(lambda block: block <= high):
        return None
    lower = np.full(max(min(begin, last) - first, 0), low)
    upper = np.full(max(last - max(end, first), 0), high)
    middle = _ordered(inside, max(first - begin, 0), min(last, end) - begin)
    return np.concatenate((lower, middle, upper))


def _ordered(records: Column, first: int, last: int) -> Column:
    """What sorting would put from position first up to last. Reorders the records; NaNs come after all others."""
    if first >= last:
        return records[:0].copy()
    records.partition((first, last - 1))
    return np.sort(records[first:last])


def _sampled_bracket(records: _Records, first: int, last: int, count: int) -> Bracket:
    """Two values likely to enclose the window, and closely."""
    size = int(2 * records.values.size ** (2 / 3))
    stride = records.values.size // size
    # Jitter by multiples of the golden ratio, so as not to fall into step with any period of the records.
    jitter = np.arange(size) * ((math.sqrt(5) - 1) / 2) % 1 * stride
    sample = records.at(np.arange(0, size * stride, stride) + jitter.astype(np.intp))
    sample = sample[sample == sample]

    def margin(share: float) -> float:
        return SPREAD * math.sqrt(sample.size * share * (1 - share)) + SPREAD**2

    low, high = first / count, last / count
    return _ends(
        sample, math.floor(sample.size * low - margin(low)), math.ceil(sample.size * high + margin(high))
    )


def _certain_bracket(records: _Records, first: int, last: int, count: int) -> Bracket:
    """Two values certain to enclose the window with fewer than 2 * blocks * STEP other records between them.

    In sorted order the i-th (from 0) of the records picked has at least (i + 1) * STEP records not above it and
    fewer than (i + blocks) * STEP below it, since each block has fewer than STEP records between two picks.
    """

    def pick(block: Column) -> Column:
        block = block[block == block]
        block.partition(range(STEP - 1, block.size, STEP)) if block.size >= STEP else None
        return block[STEP - 1 :: STEP].copy()

    picks = records.sweep(pick)
    return _ends(np.concatenate(picks), first // STEP - len(picks), -(-last // STEP) - 1)


def _ends(sample: Column, low: int, high: int) -> Bracket:
    """The sample's order statistics at two positions; where it has none, the end of the dtype's range."""
    dtype = sample.dtype
    if dtype.kind in "iu":
        least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    elif dtype.kind == "f":
        least, greatest = -np.inf, np.inf
    else:
        least, greatest = False, True
    has = [at for at in (low, high) if 0 <= at < sample.size]
    if has: sample.partition(has)
    return (
        sample[low] if low in has else dtype.type(least),
        sample[high] if high in has else dtype.type(greatest),
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
