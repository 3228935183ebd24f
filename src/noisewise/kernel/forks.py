"""Forks: a child process must not wait for a thread that it does not have.

A forked child inherits the locks that its parent's threads hold, but not the threads, so it would wait for ever: for a
lock of this library, or for that of a module which a thread was importing. Before a fork, therefore, the library is
loaded as a whole, whoever imports something for it finishes, and the locks that are registered here are taken.
"""

import concurrent.futures.thread  # noqa: F401
import logging  # noqa: F401
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import RLock

Step = Callable[[], object]

IMPORTING = RLock()
"""Held while the library, or a package that it needs, is imported after the start; nobody forks meanwhile."""

_LOADERS: list[Step] = []
_AROUND: list[tuple[Step, Step]] = []
_AFTER: list[Step] = []


def load_before_forks(load: Step) -> None:
    """Call ``load`` before a fork, so that the child has nothing to import that a thread may be importing."""
    _LOADERS.append(load)


def around_forks(before: Step, after: Step) -> None:
    """Call ``before`` before a fork, and ``after`` in both processes. What is registered last comes first."""
    _AROUND.append((before, after))


def _before_fork() -> None:
    IMPORTING.acquire()
    with ExitStack() as stack:  # calls all of them, the last first, even where one fails
        with suppress(ImportError):  # whoever uses the library will be told
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


# Both modules that are imported above for nothing else register locks of their own. Python takes them in reverse, so
# theirs, which imports may need, are taken after ours; and loading the library amid a fork registers none.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
