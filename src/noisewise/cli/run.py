"""Run a command to its end: whatever happens becomes an exit code and at most one line."""

import io
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from noisewise.cli.exit_codes import Code, ending, stopping
from noisewise.cli.screen import judge_output, say

PR_SET_DUMPABLE = 4
"""The option of Linux's ``prctl`` that says whether a process may leave a core file."""


def run_and_exit(command: Callable[[], object]) -> NoReturn:
    """Call ``command`` and exit: with what it returns, or with the code of an error and one line about it."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # help, too, where an encoding lacks a letter
    code: int
    with warnings.catch_warnings(), stoppable() as stopped:
        warnings.simplefilter("ignore")  # of engines: they may quote the data, and depend on it
        try:
            judge_output()
            returned = command()
            code, message = (returned, "") if isinstance(returned, int) else (Code.DONE, "")
            if code == Code.INTERRUPTED:
                code, message = ending(KeyboardInterrupt())
        except SystemExit as exit:
            code, message = (exit.code if isinstance(exit.code, int) else int(exit.code is not None)), ""
        except BaseException as error:  # a panic of an engine is no Exception
            code, message = ending(error)
        if stopped and code != Code.DONE:  # engines make other errors of it, as if Ctrl-C were pressed
            code, message = stopping(stopped[0])
    if message:
        say(message)
    raise SystemExit(int(code))


def switch_core_dumps_off() -> None:
    """Let no core file hold records, where the system lets us: neither one of its own nor one piped to a program."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if sys.platform == "linux":
            from ctypes import CDLL

            CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (ImportError, OSError, ValueError):
        pass


@contextmanager
def stoppable() -> Iterator[list[int]]:
    """Unwind when a signal asks to stop, so that nothing is left behind; the list holds the signals.

    While an error unwinds, a later one is only noted: a second error would break the unwinding off, while threads of an
    engine still read. Once nothing unwinds, it raises, as somebody has swallowed the first error.
    """
    received: list[int] = []

    def stop(number: int, frame: object) -> None:
        received.append(number)
        if len(received) == 1 or sys.exc_info()[1] is None:
            raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    caught = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    caught = [each for each in caught if signal.getsignal(each) is not signal.SIG_IGN]  # as nohup wants it
    if threading.current_thread() is not threading.main_thread():
        caught = []  # only the main thread hears signals
    before = [signal.signal(number, stop) for number in caught]
    try:
        yield received
    finally:
        for number, handler in zip(caught, before, strict=True):
            signal.signal(number, handler)
