"""Exact order statistics of some neighbouring ranks, called a window, without sorting or copying the column.

A sample at fixed, public positions gives two values that probably enclose the window: the bracket. One pass over blocks
then counts the records beyond the bracket, and keeps the records strictly inside it. Records equal to an end of the
bracket are counted and not kept, so many equal records cost no memory. The sample decides how long this takes, and
never the result, because ranks are counted exactly. If the bracket misses the window or holds too many records, a
second bracket is built from the order statistics of every block. It certainly holds the window and few other records.

If the smallest and the largest record of each block are known, and few blocks reach into the window, as in a sorted
column, then these records give the bracket, and no sample is needed.
"""

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans
from noisewise.tables.columns.parallel import from_both_ends

ORDERED_OUTRIGHT = 20_000  # up to this many records there is little to gain over partitioning a copy
WIDE = 8  # a window of more than 1/WIDE of the records is ordered outright too
SAMPLE = (
    1.5  # times n^(2/3): reading the sample then costs about as much as ordering its bracket; less for ends
)
SPREAD = 4.0  # half-width of the sampled bracket, in standard deviations of a sample rank
BLOCK = 65_536  # records per block: its values, and the masks made from them, stay in a core's cache
ROOM = 32  # a pass keeps the window and up to 1/ROOM of the records, or a block if that is more
PART = 4096  # positions of a sample that are computed at a time
STEP = 512  # the certain bracket looks at every STEP-th order statistic of each block
FEW = 4  # blocks that reach into a bracket are read as fast as a sample
THREADED = 2_000_000  # from this many records on, a second thread earns its start-up time

Column = NDArray[Any]
Bracket = tuple[Any, Any]
T = TypeVar("T")


class Present(NamedTuple):
    """The number of records that are not missing, and the smallest and largest record of each block if they are
    known."""

    records: int
    ends: tuple[Bracket, ...] = ()


def count_present(values: Column, missing: Booleans | None = None) -> Present:
    """The number of records that are neither masked nor NaN."""
    if values.dtype.kind != "f":
        return Present(values.size - _masked(missing))

    def present(block: Column, absent: Booleans | None) -> tuple[int, Bracket]:
        low, high = block.min(), block.max()  # a NaN spreads to both
        if low == low:
            return block.size - _masked(absent), (low, high)
        return int(np.count_nonzero(_unmasked(block == block, absent))), (low, high)

    blocks = _Records(values, missing).sweep(present)
    return Present(sum(count for count, _ in blocks), tuple(ends for _, ends in blocks))


def select(
    values: Column,
    start: int,
    stop: int,
    *,
    count: int,
    missing: Booleans | None = None,
    ends: tuple[Bracket, ...] = (),
) -> Column:
    """The order statistics of ranks ``start`` to ``stop - 1``, sorted and exact.

    Ranks are counted from 1, and ``1 <= start <= stop <= count + 1``. ``count_present`` returns ``count`` and ``ends``,
    which may be empty. A block is not read again if its ends are enough, as for most blocks of a sorted column. The
    result has the dtype of ``values`` in native byte order. ``values`` is not changed.
    """
    records, first, last = _Records(values, missing, ends), start - 1, stop - 1
    window = None
    with np.errstate(all="ignore"):
        if first < last <= first + count // WIDE and count > ORDERED_OUTRIGHT:
            bracket = _bracket_of_ends(records, first, last) or _sampled_bracket(records, first, last, count)
            window = _window(records, first, last, count, bracket)
            if window is None:
                window = _window(records, first, last, count, _certain_bracket(records, first, last))
        if window is None:
            window = _ordered(records.copied(slice(None) if first < last else slice(0)), first, last)
        return window.astype(values.dtype.newbyteorder("="), copy=False)


def extremes(
    values: Column, records: int, *, count: int, missing: Booleans | None = None
) -> tuple[Column, Column]:
    """The ``records`` smallest and the ``records`` largest records, both sorted. If possible one pass finds both."""
    wanted = min(records, count)
    ends: list[Column | None] = [None, None]
    if 0 < wanted <= count // WIDE and count > ORDERED_OUTRIGHT:
        ends = _sampled_extremes(_Records(values, missing), wanted, count)
    first = select(values, 1, wanted + 1, count=count, missing=missing) if ends[0] is None else ends[0]
    last = (
        select(values, count - wanted + 1, count + 1, count=count, missing=missing)
        if ends[1] is None
        else ends[1]
    )
    dtype = values.dtype.newbyteorder("=")
    return first.astype(dtype, copy=False), last.astype(dtype, copy=False)


def sweep(values: Column, missing: Booleans | None, work: Callable[[Column, Booleans | None], T]) -> list[T]:
    """Call ``work`` on each block of records and its mask, and return the results in order."""
    return _Records(values, missing).sweep(work)


@dataclass(frozen=True, slots=True, repr=False)
class _Records:
    values: Column
    missing: Booleans | None
    ends: tuple[Bracket, ...] = ()

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type to compute in. NumPy compares float16 slowly and on some processors sorts equal numbers wrongly."""
        dtype = self.values.dtype
        native = dtype if dtype.isnative else dtype.newbyteorder("=")
        return np.dtype(np.float32) if native.char == "e" else native

    def copied(self, where: slice | NDArray[np.intp]) -> Column:
        """A copy of the records at ``where`` that are not masked. NaNs are copied too."""
        records = self.values[where]
        if self.missing is not None:
            records = records.compress(~self.missing[where])
        return records.astype(self.dtype)

    def sweep(self, work: Callable[[Column, Booleans | None], T]) -> list[T]:
        """Call ``work`` on each block and its mask, and return the results. Two threads share a large column."""
        dtype = self.dtype
        return self.sweep_places(lambda where: work(self.block(where, dtype), self.mask(where)))

    def sweep_places(self, work: Callable[[slice], T]) -> list[T]:
        """Call ``work`` on the place of each block, and return the results."""
        with np.errstate(all="ignore"):
            if self.values.size < THREADED or _cores() < 2:
                return [work(where) for where in self.places]
            return from_both_ends(work, self.places)

    @property
    def places(self) -> list[slice]:
        """The places of the blocks. Only the number of records decides them."""
        size = self.values.size
        return [slice(at, min(at + BLOCK, size)) for at in range(0, size, BLOCK)]

    def block(self, where: slice, dtype: np.dtype[Any]) -> Column:
        """The records at ``where``, as an array of ``dtype``."""
        return np.ascontiguousarray(self.values[where], dtype)

    def mask(self, where: slice) -> Booleans | None:
        return None if self.missing is None else self.missing[where]

    def count(self, test: Callable[[Column], Booleans]) -> int:
        """The number of unmasked records that pass the test."""
        return sum(self.sweep(lambda block, absent: int(np.count_nonzero(_unmasked(test(block), absent)))))


def _window(records: _Records, first: int, last: int, count: int, bracket: Bracket) -> Column | None:
    """The sorted records at the positions first to last - 1. None if the bracket misses some of them or is too wide."""
    low, high = bracket
    room = max(records.values.size // ROOM, BLOCK) + last - first
    dtype = records.dtype
    nothing = np.empty(0, dtype)

    def keep(where: slice) -> tuple[int, Column | None]:
        nonlocal room
        if records.ends:
            least, greatest = records.ends[where.start // BLOCK]
            if greatest <= low:  # a NaN is not
                return 0, nothing
            if least >= high:  # above low, or tied with both ends, which are then one value
                return where.stop - where.start - _masked(records.mask(where)), nothing
        block, absent = records.block(where, dtype), records.mask(where)
        above = _unmasked(block > low, absent)
        inside = block.compress(above & (block < high)) if room >= 0 else None
        room -= 0 if inside is None else inside.size  # a race between the threads can only cost memory
        return int(np.count_nonzero(above)), inside

    blocks = records.sweep_places(keep)
    pieces = [inside for _, inside in blocks if inside is not None]
    if len(pieces) < len(blocks):
        return None
    inside = np.concatenate(pieces)
    begin = count - sum(above for above, _ in blocks)
    end = begin + inside.size
    # Records before begin are at most low, and records from end on at least high. Only ties with an end are known.
    if first < begin and first < records.count(lambda block: block < low):
        return None
    if last > end and last > records.count(lambda block: block <= high):
        return None
    lower = np.full(max(min(last, begin) - first, 0), low)
    upper = np.full(max(last - max(first, end), 0), high)
    middle = _ordered(inside, max(first - begin, 0), min(last, end) - begin)
    return np.concatenate((lower, middle, upper))


def _sampled_extremes(records: _Records, wanted: int, count: int) -> list[Column | None]:
    """The records beyond two sampled values, as two arrays. An array is None if its records are too few or too many."""
    low, high = _sampled_bracket(records, wanted, count - wanted, count, outside=True)
    room = max(records.values.size // ROOM, BLOCK)

    def keep(block: Column, absent: Booleans | None) -> Column | None:
        nonlocal room
        if room < 0:
            return None
        beyond = block < low
        beyond |= block > high
        kept = block.compress(_unmasked(beyond, absent))
        room -= kept.size  # a race between the threads can only cost memory
        return kept

    blocks = records.sweep(keep)
    pieces = [kept for kept in blocks if kept is not None]
    if room < 0 or len(pieces) < len(blocks):
        return [None, None]
    beyond = np.concatenate(pieces)
    lowest, highest = beyond[beyond < low], beyond[beyond > high]
    return [
        _ordered(lowest, 0, wanted) if lowest.size >= wanted else None,
        _ordered(highest, highest.size - wanted, highest.size) if highest.size >= wanted else None,
    ]


def _ordered(records: Column, first: int, last: int) -> Column:
    """Reorder the records, and return those that sorting puts at the positions first to last - 1. NaNs are last."""
    if first >= last:
        return records[:0].copy()
    records.partition((first, last - 1))
    return np.sort(records[first:last])


def _bracket_of_ends(records: _Records, first: int, last: int) -> Bracket | None:
    """Two ends of blocks that certainly enclose the window. None unless few blocks have records between these ends.

    At most ``first`` records are below ``low``, since only blocks that begin below ``low`` have any. At least ``last``
    records are up to ``high``: all records of the blocks that end at ``high`` or below.
    """
    if records.missing is not None or len(records.ends) < FEW * FEW:
        return None
    least, greatest = np.array(records.ends).T
    if not np.all(least <= greatest):  # a NaN is not
        return None
    sizes = np.array([where.stop - where.start for where in records.places])
    rising, ending = np.argsort(least), np.argsort(greatest)
    below = np.cumsum(sizes[rising]) - sizes[rising]
    low = least[rising[np.searchsorted(below, first, side="right") - 1]]
    high = greatest[ending[np.searchsorted(np.cumsum(sizes[ending]), last)]]
    return (low, high) if np.count_nonzero((greatest > low) & (least < high)) <= FEW else None


def _sampled_bracket(
    records: _Records, first: int, last: int, count: int, *, outside: bool = False
) -> Bracket:
    """Two values that probably enclose the window closely. With ``outside`` they probably lie inside it."""
    size = int(SAMPLE * records.values.size ** (0.63 if outside else 2 / 3))
    sample = np.concatenate([records.copied(part) for part in _positions(size, records.values.size)])
    sample = sample[sample == sample]

    def margin(share: float) -> float:
        return SPREAD * math.sqrt(float(sample.size) * share * (1 - share)) + SPREAD**2

    lower, upper, away = first / count, last / count, -1 if outside else 1
    low = math.floor(sample.size * lower - away * margin(lower))
    high = math.ceil(sample.size * upper + away * margin(upper))
    return _ends(sample, low, high)


def _positions(sample: int, size: int) -> Iterator[NDArray[np.intp]]:
    """The positions of a sample, some at a time, since all positions may take more memory than the sample.

    Multiples of the golden ratio shift the positions, so that they do not repeat with any period of the records.
    """
    for begin in range(0, sample, PART):
        positions = np.arange(begin, min(begin + PART, sample), dtype=np.float64)
        jitter = positions * ((math.sqrt(5) - 1) / 2)
        positions += jitter - np.floor(jitter)
        positions *= size / sample
        yield positions.astype(np.intp)


def _certain_bracket(records: _Records, first: int, last: int) -> Bracket:
    """Two values that certainly enclose the window and fewer than 2 * blocks * STEP other records.

    From each sorted block every STEP-th record is picked. Sort all picks and count them from 0. Then at least
    (i + 1) * STEP records are up to pick i, and fewer than (i + blocks) * STEP records are below it.
    """

    def pick(block: Column, absent: Booleans | None) -> Column:
        present = block[_unmasked(block == block, absent)]
        picks = np.arange(STEP - 1, present.size, STEP)
        present.partition(picks)
        return present[picks]

    picked = records.sweep(pick)
    return _ends(np.concatenate(picked), first // STEP - len(picked), -(-last // STEP) - 1)


def _ends(sample: Column, low: int, high: int) -> Bracket:
    """The values at two positions of the sorted sample. Outside the sample it is the end of the type's range."""
    inner = [at for at in (low, high) if 0 <= at < sample.size]
    sample.partition(np.array(inner, np.intp))
    scalar = sample.dtype.type
    if sample.dtype.kind == "f":
        least, greatest = -np.inf, np.inf
    elif sample.dtype.kind == "b":
        least, greatest = False, True
    else:
        least, greatest = np.iinfo(scalar).min, np.iinfo(scalar).max
    return sample[low] if low in inner else scalar(least), sample[high] if high in inner else scalar(greatest)


def _masked(absent: Booleans | None) -> int:
    return 0 if absent is None else int(np.count_nonzero(absent))


def _unmasked(selected: Booleans, absent: Booleans | None) -> Booleans:
    return selected if absent is None else selected > absent  # of booleans: selected and not absent


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
