"""Forks: a child process must not wait for a thread that it does not have.

A forked child inherits the locks that the parent's threads hold, but not the threads. So it would wait for ever for a
lock of this library, or for the lock of a module that a thread was importing. Therefore, before a fork, the whole
library is loaded, imports on its behalf are finished, and the locks that are registered here are taken.
"""

import concurrent.futures.thread  # noqa: F401
import logging  # noqa: F401
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import RLock

Step = Callable[[], object]

IMPORTING = RLock()
"""Held while the library imports something after the start. A fork waits for it."""

_LOADERS: list[Step] = []
_AROUND: list[tuple[Step, Step]] = []
_AFTER: list[Step] = []


def load_before_forks(load: Step) -> None:
    """Call ``load`` before a fork, so that the child does not need a module that a thread may be importing."""
    _LOADERS.append(load)


def around_forks(before: Step, after: Step) -> None:
    """Call ``before`` before a fork, and ``after`` in both processes. The last registered comes first."""
    _AROUND.append((before, after))


def _before_fork() -> None:
    IMPORTING.acquire()
    with ExitStack() as stack:  # calls all of them, the last first, even if one fails
        with suppress(ImportError):  # the next use of the library raises it again
            for load in _LOADERS:
                load()
        _AFTER[:] = [after for _, after in _AROUND]
        for before, _ in _AROUND:
            stack.callback(before)


def _after_fork() -> None:
    with ExitStack() as stack:
        stack.callback(IMPORTING.release)
        for after in reversed(_AFTER):
            stack.callback(after)


# logging and concurrent.futures.thread are imported above only because they register locks of their own. Python takes
# locks in reverse order of registration. So theirs, which imports may need, are taken after ours, and loading the
# library during a fork registers none.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
