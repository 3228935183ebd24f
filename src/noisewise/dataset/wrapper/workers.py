"""Evaluate a function on many blocks, in workers that each have one block at a time.

Without a number of workers the only one is forked from this process, so that the function may be anything. A number of
workers are fresh processes instead: they load the function from a pickle, and have nothing else of this process.
"""

import os
import pickle
import socket
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import monotonic
from types import TracebackType
from typing import Any

import numpy as np

from noisewise.dataset.wrapper.worker import DONE, READY, serve
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe

CHUNK = 1 << 16
"""How many bytes are written to a child at once."""


@dataclass(slots=True, eq=False)
class Job:
    """One block with one worker."""

    index: int
    rest: memoryview
    source: int
    target: int
    deadline: float | None
    answer: bytes = b""


@dataclass(eq=False)
class Workers(AbstractContextManager["Workers"]):
    """The workers of one release. Use it in a ``with`` statement: afterwards no process is left."""

    f: Callable[[Any], Any]
    names: tuple[object, ...] = ()
    """The names of the numbers in an answer; none if it is a single number."""
    number: int | None = None
    timeout: float | None = None
    modules: tuple[str, ...] = ()
    """Modules that blocks need. A fresh worker imports them once."""
    _idle: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not hasattr(os, "fork") or not hasattr(socket, "send_fds"):
            raise SchemaError("wrap", "must run on Linux or macOS, where a process can be forked") from None
        if self.number is None:
            return
        try:
            pickle.dumps(self.f)
        except Exception:
            pass
        else:
            return
        raise ParameterTypeError(
            "f",
            "must be a function that can be pickled where workers are given",
            got=describe(self.f),
            fix="define it at the top of a module, or leave workers out",
        ) from None

    def __enter__(self) -> "Workers":
        """Start the workers, before anything is paid. Raises if a fresh process cannot load the function."""
        try:
            for place in range(self._many):
                if place not in self._idle:
                    self._idle[place] = self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process, boss in self._idle.values():
            _end(process, boss)
        self._idle.clear()

    @property
    def _many(self) -> int:
        return self.number or 1

    def _start(self) -> tuple[Any, socket.socket]:
        """A worker that has loaded the function."""
        mine, theirs = socket.socketpair()
        forked = self.number is None
        context: Any = get_context("fork" if forked else "spawn")
        own = (self.f, self.names, self.modules, theirs, mine if forked else None)
        process = context.Process(target=serve, args=own)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork in a program with threads
            process.start()
        theirs.close()
        if mine.recv(1) == READY:
            return process, mine
        _end(process, mine)
        raise ParameterError(
            "f",
            "must be a function that a fresh Python process can import where workers are given",
            fix="define it at the top of a module, or leave workers out",
        ) from None

    def evaluate(self, blocks: Iterable[bytes | None]) -> Generator[tuple[int, Floats]]:
        """The number of each pickled block, and the numbers that ``f`` makes of it, in any order.

        NaN stands for whatever is no number. A block that is None is not evaluated. Workers take turns, whichever is
        idle: they differ in seeds of generators and hashes, so that a slow block must not choose for the others.
        """
        waiting, selector, index = enumerate(blocks), DefaultSelector(), -1
        jobs: dict[Job, tuple[Any, socket.socket]] = {}
        missing, busy = np.full(max(len(self.names), 1), np.nan), True
        try:
            while busy or jobs:
                while (turn := (index + 1) % self._many) in self._idle and (
                    busy := (given := next(waiting, None)) is not None
                ):
                    index, block = given
                    if block is None:
                        yield index, missing
                        continue
                    worker = self._idle.pop(turn)
                    job = self._send(worker[1], index, block)
                    if job is None:
                        self._replace(worker, turn)
                        yield index, missing
                        continue
                    jobs[job] = worker
                    selector.register(job.target, EVENT_READ, job)
                    selector.register(job.source, EVENT_WRITE, job)
                for job in self._finished(selector, jobs, missing.nbytes):
                    worker = jobs.pop(job)
                    self._release(selector, job, worker)
                    whole = len(job.answer) == missing.nbytes
                    yield job.index, np.frombuffer(job.answer) if whole else missing
        finally:
            for job, worker in jobs.items():
                self._close(selector, job)
                _end(*worker)
            selector.close()

    def _send(self, boss: socket.socket, index: int, block: bytes) -> Job | None:
        """Give a block to a worker; None if the worker is dead."""
        (source, into), (out, target) = os.pipe(), os.pipe()
        deadline = None if self.timeout is None else monotonic() + self.timeout
        try:
            socket.send_fds(boss, [b"b"], [source, target])
        except OSError:
            os.close(into)
            os.close(out)
            return None
        finally:
            os.close(source)
            os.close(target)
        os.set_blocking(into, False)
        return Job(index, memoryview(block), into, out, deadline)

    def _finished(self, selector: DefaultSelector, jobs: dict[Job, Any], size: int) -> list[Job]:
        """Write and read what can be written and read, and return the jobs that have ended."""
        if not jobs:
            return []
        ends = [job.deadline for job in jobs if job.deadline is not None]
        done = []
        for key, _ in selector.select(max(0, min(ends) - monotonic()) if ends else None):
            job: Job = key.data
            if key.fd == job.target:
                got = os.read(job.target, size - len(job.answer))
                job.answer += got
                if not got or len(job.answer) == size:
                    done.append(job)
            elif job.source >= 0:
                self._write(selector, job)
        late = [each for each in jobs if each.deadline is not None and each.deadline <= monotonic()]
        return list(dict.fromkeys([*done, *late]))

    def _write(self, selector: DefaultSelector, job: Job) -> None:
        try:
            job.rest = job.rest[os.write(job.source, job.rest[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # the child has closed its end
            job.rest = job.rest[:0]
        if not job.rest:
            selector.unregister(job.source)
            os.close(job.source)
            job.source = -1

    def _close(self, selector: DefaultSelector, job: Job) -> None:
        for end in (job.source, job.target):
            if end >= 0:
                selector.unregister(end)
                os.close(end)

    def _release(self, selector: DefaultSelector, job: Job, worker: tuple[Any, socket.socket]) -> None:
        """Let the worker end its child, and wait until it has."""
        self._close(selector, job)
        with suppress(OSError):
            worker[1].sendall(DONE)
            if worker[1].recv(1) == DONE:
                self._idle[job.index % self._many] = worker
                return
        self._replace(worker, job.index % self._many)

    def _replace(self, worker: tuple[Any, socket.socket], place: int) -> None:
        """Start another worker in place of a dead one."""
        _end(*worker)
        self._idle[place] = self._start()


def _end(process: Any, boss: socket.socket) -> None:
    """Hang up: the worker kills its child and ends."""
    with suppress(OSError):
        boss.shutdown(socket.SHUT_RDWR)  # other processes may hold copies of it
    boss.close()
    process.join(5)
    if process.is_alive():
        process.kill()
        process.join()
    process.close()
