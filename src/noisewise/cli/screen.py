"""What is printed, and what is not: answers on standard output, everything else on standard error.

Engines write to the terminal by themselves, and when one panics it prints the value that it choked on. While data is
read, nothing but a sign of life is let through, and that only to a terminal.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from itertools import count
from typing import TYPE_CHECKING, TextIO

from noisewise.cli.codes import Closed, line
from noisewise.errors import ParameterError, ReleaseFailed

if TYPE_CHECKING:
    from noisewise.tables.engines.dialect import Progress


def say(text: str) -> None:
    """One line to whoever sits there."""
    if sys.stderr is None:
        return  # closed from the start: print would take standard output for it
    try:
        print(f"noisewise: {line(text)}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass  # nobody listens


def fill_gaps() -> None:
    """Standard streams that were closed from the start lead nowhere: a file opened later must not take their place."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def judge_output() -> None:
    """Refuse where an answer would have nowhere to go, before anything is paid."""
    try:
        if sys.stdout is not None:
            os.write(sys.stdout.fileno(), b"")
            return
    except OSError as error:
        if error.errno != errno.EBADF:  # none of the operating system, or one that may yet take an answer
            return
    raise ParameterError(
        "standard output",
        "must be open to be written to",
        why="the answer goes there",
        fix="nothing was paid or read",
    ) from None


def legible(text: str) -> str:
    """A text as standard output can hold it, another for another text: what its encoding lacks is escaped."""
    return escaped(text) if lacks(text) else text


def lacks(text: str) -> bool:
    """Whether the encoding of standard output lacks a letter of a text."""
    try:
        text.encode(_encoding())
    except UnicodeError:
        return True
    return False


def escaped(text: str) -> str:
    """Escapes for what the encoding lacks; backslashes are doubled, so that nobody takes one for an escape."""
    return text.replace("\\", "\\\\").encode(_encoding(), "backslashreplace").decode(_encoding())


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def emit(text: str) -> None:
    """An answer, to the end: one that is paid for and cannot be written is a failure."""
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
def hush(doing: str) -> "Iterator[Progress]":
    """Let nothing out on either stream, at the level of the operating system.

    On a terminal ``doing`` is shown, and what is told meanwhile: in which pass, and how far it is where that is known.
    """
    told: Progress = _unheard
    with ExitStack() as stack:
        nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
        if is_terminal(sys.stderr):
            told = stack.enter_context(_sign_of_life(doing))
        for number in (1, 2):
            stack.enter_context(_closed_off(number, nowhere))
        stack.enter_context(redirect_stdout(nowhere))
        stack.enter_context(redirect_stderr(nowhere))
        yield told


def close() -> None:
    """The command is over: what engines say while the process ends is for nobody."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)


@contextmanager
def _closed_off(number: int, nowhere: TextIO) -> Iterator[None]:
    """One of the process's own streams leads nowhere."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        kept = os.dup(number)
    except OSError:  # closed from the start
        yield
        return
    os.dup2(nowhere.fileno(), number)
    try:
        yield
    finally:
        os.dup2(kept, number)
        os.close(kept)


def _unheard(doing: str, done: float | None) -> None:
    """Where there is no terminal, nobody is told."""


@contextmanager
def _sign_of_life(doing: str) -> "Iterator[Progress]":
    """A bar on the terminal, by a road of its own; it moves to and fro while nobody knows how far it is."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn("line"),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
    )
    with os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors="replace") as terminal:
        console = Console(file=terminal, force_terminal=True)
        with Bars(
            *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
        ) as bars:  # both streams are led away already
            bar, passes = bars.add_task(line(doing), total=None), count(1)

            def told(what: str, done: float | None) -> None:
                if done is None:
                    bars.update(bar, description=line(f"{doing}: {what}, pass {next(passes)}"), total=None)
                elif done < 1.0:  # a bar that is full would stop its clock
                    bars.update(bar, total=1.0, completed=done)

            yield told
