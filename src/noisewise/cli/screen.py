"""Print answers on standard output and everything else on standard error. The output of engines is not shown.

An engine that panics prints the value that it could not handle. So while data is read, only a progress bar is printed,
and only on a terminal.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from itertools import count
from typing import TYPE_CHECKING, TextIO

from noisewise.cli.exit_codes import Closed, line
from noisewise.errors import ParameterError, ReleaseFailed

if TYPE_CHECKING:
    from noisewise.tables.engines.dialect import Progress


def say(text: str) -> None:
    """Print one line on standard error."""
    if sys.stderr is None:
        return  # standard error was closed from the start, and print would use standard output instead
    try:
        print(f"noisewise: {line(text)}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass  # nobody reads it


def fill_gaps() -> None:
    """Replace standard streams that were closed at the start, so that no file opened later gets their numbers."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # this takes the lowest free number


def check_output() -> None:
    """Refuse a closed standard output before anything is paid."""
    try:
        if sys.stdout is not None:
            os.write(sys.stdout.fileno(), b"")
            return
    except OSError as error:
        if error.errno != errno.EBADF:  # the output has no descriptor, or it may still take an answer
            return
    raise ParameterError(
        "standard output",
        "must be open to be written to",
        why="the answer goes there",
        fix="nothing was paid or read",
    ) from None


def legible(text: str) -> str:
    """Return a text for standard output. If the encoding lacks a letter, escape it, so that texts stay different."""
    return escaped(text) if lacks(text) else text


def lacks(text: str) -> bool:
    """Whether the encoding of standard output lacks a letter of a text."""
    try:
        text.encode(_encoding())
    except UnicodeError:
        return True
    return False


def escaped(text: str) -> str:
    """A text with escapes for letters missing in the encoding. Backslashes are doubled, so they are no escapes."""
    return text.replace("\\", "\\\\").encode(_encoding(), "backslashreplace").decode(_encoding())


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def emit(text: str) -> None:
    """Print an answer. If it cannot be written, the command fails."""
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        print(legible(text), flush=True)
    except BrokenPipeError:
        sys.stdout = None
        raise Closed from None
    except (OSError, ValueError):
        sys.stdout = None
        raise ReleaseFailed(
            "the answer could not be written to standard output; where a ledger was debited, the debit stands"
        ) from None


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


@contextmanager
def hush(doing: str, size: int = 0, *, lines: bool = False) -> "Iterator[Progress]":
    """Print nothing on either stream, also not from outside of Python.

    On a terminal ``doing`` is shown with a progress bar. The function that is yielded moves the bar. It takes the pass,
    and how many of ``size`` bytes are read, if that is known. Elsewhere progress is printed as lines, if ``lines`` is
    true.
    """
    report: Progress = _no_report
    with ExitStack() as stack:
        nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
        if is_terminal(sys.stderr):
            report = stack.enter_context(_progress_bar(doing, size))
        elif lines and sys.stderr is not None:
            report = stack.enter_context(_progress_lines(doing, size))
        for number in (1, 2):
            stack.enter_context(_closed_off(number, nowhere))
        stack.enter_context(redirect_stdout(nowhere))
        stack.enter_context(redirect_stderr(nowhere))
        yield report


def close() -> None:
    """Close both streams at the end of the command, as engines may print while the process ends."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)


@contextmanager
def _closed_off(number: int, nowhere: TextIO) -> Iterator[None]:
    """Redirect one of the streams of the process to the null device."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        kept = os.dup(number)
    except OSError:  # the stream was closed from the start
        yield
        return
    os.dup2(nowhere.fileno(), number)
    try:
        yield
    finally:
        os.dup2(kept, number)
        os.close(kept)


def _no_report(doing: str, done: float | None) -> None:
    """Print nothing."""


def read_of(size: int, done: float) -> str:
    """Return as text how many bytes of a public size are read, if ``done`` is the share that is read."""
    from rich.filesize import decimal

    return f"{decimal(int(size * done))} of {decimal(size)}" if size else f"{done:.0%}"


@contextmanager
def _progress_lines(doing: str, size: int) -> "Iterator[Progress]":
    """Give a function that prints a line for each tenth of a pass, on a separate descriptor."""
    with os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors="replace") as stream:
        passes, tenth = count(1), 0

        def report(what: str, done: float | None) -> None:
            nonlocal tenth
            if done is None:
                tenth, now = 0, f"pass {next(passes)}"
            elif int(done * 10) > tenth:
                tenth, now = int(done * 10), f"{read_of(size, done)} read"
            else:
                return
            with suppress(OSError, ValueError):  # nobody reads it
                print(f"noisewise: {line(f'{doing}: {what}, {now}')}", file=stream, flush=True)

        yield report


@contextmanager
def _progress_bar(doing: str, size: int) -> "Iterator[Progress]":
    """Give a function that moves a bar on the terminal. The bar moves back and forth while the progress is unknown."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn("line"),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[read]}", markup=False),
        TimeElapsedColumn(),
    )
    with os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors="replace") as terminal:
        console = Console(file=terminal, force_terminal=True)
        with Bars(
            *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
        ) as bars:  # both streams are already redirected
            bar, passes = bars.add_task(line(doing), total=None, read=""), count(1)

            def report(what: str, done: float | None) -> None:
                if done is None:
                    bars.update(
                        bar, description=line(f"{doing}: {what}, pass {next(passes)}"), total=None, read=""
                    )
                elif done < 1.0:  # a full bar would stop its clock
                    bars.update(bar, total=1.0, completed=done, read=read_of(size, done))

            yield report
