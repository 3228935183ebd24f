"""The process that evaluates a function: one child for each block, and nothing but numbers comes back.

A worker never reads a block. It hands the two ends of a pipe to a child of its own, which reads the block, calls the
function, writes the numbers and is killed. So no state of the function survives a block, and no block sees another.

This file imports the standard library alone, so that a fresh worker starts quickly.
"""

import os
import pickle
import signal
import socket
import struct
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from math import inf, nan
from typing import Any, NoReturn

READY, DONE = b"r", b"d"
"""What a worker says when it has loaded the function, and when its child is gone."""

FIRST_FREE = 3
"""The first file descriptor that is not a standard stream."""


def serve(
    f: Callable[[Any], Any],
    names: tuple[object, ...],
    modules: tuple[str, ...],
    boss: socket.socket,
    other: socket.socket | None = None,
) -> None:
    """Evaluate ``f`` on one block after another until ``boss`` hangs up. A fork closes its copy of ``other``."""
    if other is not None:
        other.close()
    os.setsid()  # away from the keys and the screen of the terminal
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import resource  # not on Windows, where nobody serves

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold records
    for module in modules:
        with suppress(Exception):
            import_module(module)
    warnings.simplefilter("ignore")
    with suppress(OSError):
        boss.sendall(READY)
        while True:
            _, ends, _, _ = socket.recv_fds(boss, 1, 2)
            if len(ends) < 2:
                return
            child = os.fork()
            if child == 0:
                try:
                    _evaluate(f, names, *ends)
                finally:
                    os._exit(0)
            with suppress(OSError):
                os.setpgid(child, child)
            for end in ends:
                os.close(end)
            hung_up = not boss.recv(1)
            for kill in (os.killpg, os.kill):
                with suppress(OSError):
                    kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            if hung_up:
                return
            boss.sendall(DONE)


def _evaluate(f: Callable[[Any], Any], names: tuple[object, ...], source: int, target: int) -> NoReturn:
    """Read a block, write the numbers that ``f`` makes of it, and end the process whatever happens."""
    end, write, pack = os._exit, os.write, struct.pack
    numbers = [nan] * max(len(names), 1)
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        source, target = _keep_only(source, target)
        with os.fdopen(source, "rb") as file:
            block = file.read()
        for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            nothing = open(os.devnull, mode)  # noqa: SIM115  # it stays open as long as the process lives
            setattr(sys, stream, nothing)
            setattr(sys, f"__{stream}__", nothing)
        numbers = read_numbers(f(pickle.loads(block)), names)
    except BaseException:
        pass  # whatever the function raises is the same as no number
    finally:
        try:
            write(target, pack(f"{len(numbers)}d", *numbers))
        finally:
            end(0)


def _keep_only(*files: int) -> list[int]:
    """Close all file descriptors but these, and point the standard streams at nothing. Return where these are now.

    No open file of the process that was forked has these numbers, so that writing to it does not write an answer.
    """
    import fcntl  # not on Windows

    kept = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE) for file in files]
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(FIRST_FREE):
        os.dup2(null, stream, inheritable=False)
    for below, above in pairwise([FIRST_FREE - 1, *sorted(kept), os.sysconf("SC_OPEN_MAX")]):
        os.closerange(below + 1, above)
    return kept


def read_numbers(answer: Any, names: tuple[object, ...]) -> list[float]:
    """The numbers of an answer. Whatever is no number is NaN."""
    if not names:
        return [number(answer)]
    if isinstance(answer, Mapping):
        return [number(answer.get(name)) for name in names]
    several = list(answer)
    return [number(each) for each in several] if len(several) == len(names) else [nan] * len(names)


def number(answer: Any) -> float:
    """An answer as a float; NaN if it is no number."""
    try:
        if isinstance(answer, (str, bytes, bytearray)):
            return nan
        try:
            return float(answer)
        except OverflowError:
            return inf if answer > 0 else -inf
    except Exception:
        return nan
