"""``noisewise man``: the manual as a man page, made of the help of the commands themselves.

What most commands share is said once, under COMMON OPTIONS. The page that is installed with the package is
man/noisewise.1, which ``make build`` writes anew.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from noisewise.cli.options import COMMON
from noisewise.cli.summaries import summaries

ENVIRONMENT = {
    "NOISEWISE_LEDGER": "The ledger that pays, where --ledger is not typed: the place for a URL with a password.",
    "NO_COLOR": "If it is set, nothing is coloured.",
}


def manual(front: Any, built: Callable[[str], Any]) -> str:
    """The page, in the language of man. ``front`` lists the commands, and ``built`` makes one with its options."""
    about, _, codes = _plain(front.epilog).partition("Exit codes: ")
    codes, _, more = codes.partition("\n\n")
    lines = [
        '.TH NOISEWISE 1 "" "noisewise" "User Commands"',
        *section("NAME", rf"noisewise \- {escaped(_lowered(_plain(front.help).rstrip('.')))}"),
        *section(
            "SYNOPSIS",
            ".B noisewise",
            r"\fICOMMAND\fR [\fIFILE\fR] [\fIOPTIONS\fR]",
            ".br",
            ".B noisewise",
            r"\-\-help",
        ),
        *section("DESCRIPTION", *paragraphs(about)),
        *section("COMMON OPTIONS", *paragraphs("Most commands that read data take these. Each says so.")),
        *(line for each in _common(built) for line in option(each)),
    ]
    for name, summary in summaries().items():
        lines += _commands(name, summary.text, built)
    lines += section("EXIT STATUS", *paragraphs(codes))
    lines += section("ENVIRONMENT")
    for name, text in ENVIRONMENT.items():
        lines += [".TP", f".B {name}", escaped(text)]
    lines += section("SEE ALSO", *paragraphs(more))
    return "\n".join(lines) + "\n"


def section(name: str, *lines: str) -> list[str]:
    return [f".SH {name}", *lines]


def paragraphs(text: str) -> list[str]:
    """Paragraphs of a text, each in one line."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    return [line for part in parts if part for line in (".PP", escaped(part))]


def option(parameter: Any) -> list[str]:
    """An option or argument: how it is typed, and what it means."""
    if getattr(parameter, "param_type_name", "") == "argument":
        typed = rf"\fI{escaped(parameter.metavar or parameter.name)}\fR"
    else:
        flags = ", ".join(rf"\fB{escaped(each)}\fR" for each in (*parameter.opts, *parameter.secondary_opts))
        value = "" if parameter.is_flag else rf" \fI{escaped(parameter.metavar or parameter.name.upper())}\fR"
        typed = f"{flags}{value}"
    return [".TP", typed, escaped(" ".join(_plain(parameter.help or "").split()))]


def escaped(text: str) -> str:
    """A text as roff prints it: no sign of it is taken for a request."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = "".join(sign if sign.isascii() else rf"\[u{ord(sign):04X}]" for sign in text)
    return rf"\&{text}" if text.startswith((".", "'")) else text


def _commands(name: str, summary: str, built: Callable[[str], Any]) -> list[str]:
    """A command with its options; those within it, each likewise."""
    command = built(name)
    within = getattr(command, "commands", None)
    if within:
        lines = section(f"noisewise {name}".upper(), *paragraphs(_plain(command.help)))
        for verb, each in within.items():
            lines += _one(f"{name} {verb}", each, _plain(each.help or ""))
        return lines
    if hasattr(command, "resolve_command"):  # one for every question, with the options of that question
        asked = {each.name for each in built("median").params} - {"file", *COMMON}
        help = f"{summary}\n\nIt takes the options of the question, its columns aside, and these:"
        of_median = command.resolve_command(None, ["median"])[1]
        return _one(f"{name} QUESTION", of_median, help, asked)
    return _one(name, command, _plain(command.help or summary))


def _one(name: str, command: Any, help: str, skipped: Collection[str] = ()) -> list[str]:
    """One command: what it is about, its own options, and which common ones it takes."""
    own = [
        each for each in command.params if each.name not in {*COMMON, *skipped} and "--help" not in each.opts
    ]
    common = [each for each in command.params if each.name in COMMON]
    lines = [*section(f"noisewise {name}".upper()), *paragraphs(help)]
    lines += [line for each in own for line in option(each)]
    if common:
        flags = ", ".join(each.opts[0] for each in common)
        lines += paragraphs(f"And the common options {flags}.")
    return lines + paragraphs(_plain(command.epilog or ""))


def _common(built: Callable[[str], Any]) -> Iterator[Any]:
    """The options that questions share, as a question that takes them all has them."""
    parameters = {each.name: each for each in built("median").params}
    return (parameters[name] for name in COMMON)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _plain(text: str) -> str:
    """Help without the signs that keep it from being taken for markup."""
    return text.replace("\\[", "[")
