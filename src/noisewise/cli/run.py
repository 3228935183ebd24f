"""Run a command to its end. Every failure becomes an exit code and at most one printed line."""

import io
import os
import signal
import sys
import threading
import warnings
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from noisewise.cli.exit_codes import Code, ending, stopping
from noisewise.cli.screen import check_output, say

PR_SET_DUMPABLE = 4
"""The number of the option of Linux's ``prctl`` that says whether a process may leave a core file."""

AGAIN = 0.2
"""The first signal is sent again after this number of seconds, in case Python swallowed its error."""


def run_and_exit(command: Callable[[], object], *, last: bool = False) -> NoReturn:
    """Call ``command`` and exit with the code that it returns. After an error, print a line and exit with a code for
    the error. If this is the ``last`` act of the process, signals that come after the first one cannot disturb its end.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the encoding may lack letters of the help
    code: int
    stopped: list[int] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings of engines may quote the data, and depend on it
        try:
            with stoppable(last=last) as stopped:
                check_output()
                returned = command()
            code, message = (returned, "") if isinstance(returned, int) else (Code.DONE, "")
            if code == Code.INTERRUPTED:
                code, message = ending(KeyboardInterrupt())
        except SystemExit as exit:
            code, message = (exit.code if isinstance(exit.code, int) else int(exit.code is not None)), ""
        except BaseException as error:  # a panic of an engine is no Exception
            code, message = ending(error)
        if stopped and code != Code.DONE:  # engines turn the error of a signal into other errors
            code, message = stopping(stopped[0])
    if message:
        say(message)
    raise SystemExit(int(code))


def switch_core_dumps_off() -> None:
    """Switch off core files, if the system allows it. A core file is a copy of the memory, and would hold records.

    Linux is also told by ``prctl``, because some systems pipe the core file to a program instead of writing a file.
    """
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if sys.platform == "linux":
            from ctypes import CDLL

            CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (ImportError, OSError, ValueError):
        pass


@contextmanager
def stoppable(*, last: bool = False) -> Iterator[list[int]]:
    """Run a block in which the signals SIGINT, SIGTERM and SIGHUP raise an error, so that no file is left behind.

    The block gets a list to which the received signals are added in their order.

    1. The first signal raises KeyboardInterrupt or SystemExit. The signal is sent again every `AGAIN` seconds until the
       block ends, because Python swallows errors in callbacks for deleted objects, such as at the end of an import.
    2. Later signals are added to the list. They raise an error only if no error is unwinding. A second error would stop
       the unwinding while threads of an engine still read.
    3. At the end of the block, the former handlers of signals are set again. But if a signal was received and the block
       is the ``last`` act of the process, signals are ignored from then on.

    The order of signals is read from a pipe. Python calls handlers in the order of signal numbers, and uvicorn repeats
    the latest signal first.
    """
    received: list[int] = []
    caught = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    caught = [each for each in caught if signal.getsignal(each) is not signal.SIG_IGN]  # nohup ignores SIGHUP
    if threading.current_thread() is not threading.main_thread():
        caught = []  # only the main thread hears signals
    ended, sending, unraisable = threading.Event(), threading.Lock(), sys.unraisablehook
    reader, writer = os.pipe() if caught and os.name != "nt" else (-1, -1)

    def stop(number: int, frame: object) -> None:
        first = not received
        received.extend([number] if reader < 0 else filter(caught.__contains__, _arrived(reader)))
        if first or sys.exc_info()[1] is None:
            decides = (received or [number])[0] if first else number
            if first and reader >= 0:
                with suppress(RuntimeError):  # the system cannot start another thread
                    start_new_thread(send_again, (decides,))
            raise KeyboardInterrupt if decides == signal.SIGINT else SystemExit(128 + decides)

    def send_again(number: int) -> None:
        while not ended.wait(AGAIN):
            with sending:
                if not ended.is_set():
                    signal.pthread_kill(threading.main_thread().ident or 0, number)

    def swallowed(what: Any) -> None:
        """Print nothing about the swallowed error of a signal, because the signal is sent again."""
        if not (received and issubclass(what.exc_type, (KeyboardInterrupt, SystemExit))):
            unraisable(what)

    before_us = -1
    if reader >= 0:
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        before_us = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    before = [signal.signal(number, stop) for number in caught]
    if caught:
        sys.unraisablehook = swallowed
    try:
        yield received
    finally:
        with sending:
            ended.set()
        for number, handler in zip(caught, before, strict=True):
            signal.signal(number, signal.SIG_IGN if last and received else handler)
        if reader >= 0:
            signal.set_wakeup_fd(before_us)
            os.close(reader)
            os.close(writer)
        if caught:
            sys.unraisablehook = unraisable


def _arrived(reader: int) -> bytes:
    """Read from the pipe ``reader`` the signals since the last call. Each byte is the number of a signal."""
    try:
        return os.read(reader, 4096)
    except BlockingIOError:
        return b""
