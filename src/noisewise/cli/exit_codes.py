"""The end of a command: an exit code for scripts and, after an error, one line with a fix.

The line has only typed words, names and declared types. An error of another library may quote the data. Only the type
of such an error and its line in our source are printed.
"""

import re
import signal
import traceback
from collections.abc import Mapping
from enum import IntEnum
from pathlib import PurePath

from noisewise.errors import BudgetExceeded, LedgerError, NoisewiseError, ReleaseFailed, SchemaError


class Code(IntEnum):
    """The exit codes. Their meaning does not change."""

    DONE = 0
    BUG = 1
    PARAMETER = 2
    DATA = 3
    LEDGER = 4
    FAILED = 5
    MISSING = 6
    VIOLATION = 7
    HUNG_UP = 129
    INTERRUPTED = 130
    CLOSED = 141
    TERMINATED = 143


KINDS: tuple[tuple[type[NoisewiseError], Code], ...] = (
    (SchemaError, Code.DATA),
    (BudgetExceeded, Code.LEDGER),
    (LedgerError, Code.LEDGER),
    (ReleaseFailed, Code.FAILED),
    (NoisewiseError, Code.PARAMETER),
)


class Closed(Exception):
    """Raised if standard output is a pipe that nobody reads any more."""


def ending(error: BaseException) -> tuple[Code, str]:
    """Return the exit code for an error, and the line to print, which may be empty."""
    if isinstance(error, NoisewiseError):
        from noisewise.cli.error_text import error_text  # needs the options of typer, which may be missing

        message = error_text(error)
        if error.extra:
            return Code.MISSING, message
        return next(code for kind, code in KINDS if isinstance(error, kind)), message
    if isinstance(error, Closed):
        return Code.CLOSED, ""
    if isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Abort":
        return stopping(signal.SIGINT)
    if callable(describe := getattr(error, "format_message", None)):  # of typer: a wrong option or argument
        return Code.PARAMETER, f"{_usage(str(describe()), _options(error))}; {_help(error)} tells more"
    return Code.BUG, f"internal error, {type(error).__name__}{_source_line(error)}: please report it"


def stopping(number: int) -> tuple[Code, str]:
    """Return the exit code and the line for a signal. The code is 128 plus the signal's number, as in a shell."""
    return Code(128 + number), "interrupted; what a ledger has debited stands"


def line(text: str) -> str:
    """Return a text as one line to print, without control characters and without the password of a database."""
    return " ".join(
        _without_passwords("".join(letter if letter.isprintable() else " " for letter in text)).split()
    )


def _without_passwords(text: str) -> str:
    """Return a text without the passwords that stand in a URL (with or without its scheme) or in a query."""
    text = re.sub(r"://.*@", "://***@", text)
    text = re.sub(r"[^\s('\"/:@]+:(?![\s/])[^'\"]*@", "***@", text)
    return re.sub(r"(?i)(password|secret|_key)=[^&\s'\"]*", r"\1=***", text)


def _options(error: BaseException) -> dict[str, str]:
    """Return the options of the command in which an error occurred, each with the word for its value in the help."""
    parameters = getattr(getattr(getattr(error, "ctx", None), "command", None), "params", [])
    return {option: each.metavar or "" for each in parameters for option in each.opts}


def _usage(message: str, options: Mapping[str, str]) -> str:
    """Return the message of typer about a wrong option. If the option is unknown, suggest a similar one."""
    message = _without_passwords(message)
    unknown = re.match(r"No such option: (--[\w-]+)", message)
    if unknown and (meant := _meant(unknown[1], options)):
        return f"No such option: {unknown[1]}; did you mean {meant}?"
    if extra := re.match(r"Got unexpected extra argument.* \((\S+).*\)", message):
        return f"unexpected word {extra[1]!r}; several files are a pattern in quotes, as in 'data-*.csv'"
    return message.rstrip(".")


def _meant(flag: str, options: Mapping[str, str]) -> str:
    """Return our option for a flag that other programs use, or an empty text if there is none."""
    from noisewise.calls import BOUNDS, GROUPS, MEANT

    said = {BOUNDS: "bounds", GROUPS: "by", "types": "type"}
    for name, others in MEANT.items():
        option = f"--{said.get(name, name)}"
        if option in options and flag[2:].replace("-", "_") in (name, *others):
            return f"{option} {options[option]}".rstrip()
    return ""


def _help(error: BaseException) -> str:
    """Return the command line that shows the help of the command."""
    _, *words = getattr(getattr(error, "ctx", None), "command_path", "noisewise").split()
    return " ".join(["noisewise", *words, "--help"])


def _source_line(error: BaseException) -> str:
    """Return the last file and line of this library that an error passed through. They contain no data."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "noisewise" in frame.filename]
    return f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
