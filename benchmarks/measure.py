"""Measuring: contenders take turns, so that whatever else the machine is doing hits all of them alike."""

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

Call = Callable[[], object]
PATIENCE = 10.0
"""Seconds of running time after which a contender sits out the remaining rounds."""


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds of one contender, one entry per round from the first on, and those of all cores together."""

    laps: tuple[float, ...]
    cpu: tuple[float, ...] = ()

    @property
    def best(self) -> float:
        return min(self.laps)

    @property
    def median(self) -> float:
        return statistics.median(self.laps)

    def over(self, other: "Times") -> tuple[float, float]:
        """This time over the other's: of the best laps, and the median of the rounds that both ran."""
        paired = [a / b for a, b in zip(self.laps, other.laps, strict=False)]
        return self.best / other.best, statistics.median(paired)


def race(contenders: Mapping[str, Call], *, rounds: int, patience: float = PATIENCE) -> dict[str, Times]:
    """Each round runs every contender once, in a new order, so that nobody always finds the cache warm."""
    names, laps = list(contenders), {name: list[float]() for name in contenders}
    cpu = {name: list[float]() for name in contenders}
    shuffle = Random(0).shuffle
    with _no_collector():
        for _ in range(rounds):
            shuffle(names)
            for name in names:
                if sum(laps[name]) < patience:
                    lap, busy = _seconds(contenders[name])
                    laps[name].append(lap)
                    cpu[name].append(busy)
    return {name: Times(tuple(laps[name]), tuple(cpu[name])) for name in contenders}


def _seconds(call: Call) -> tuple[float, float]:
    """By the clock, and by what the cores spent on it."""
    start, busy = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start, time.process_time() - busy


@contextmanager
def _no_collector() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def one_core() -> Iterator[None]:
    """Run on a single core, where the system can be told so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def progress(line: str) -> None:
    """Say on stderr what is being measured, over the line before; silent where nobody watches."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
