"""The command line: it reads arguments, calls functions and prints text. The extra ``noisewise[cli]`` installs it.

Read `app` (all commands), `options` (how a command is made) and `commands` (one question) first. `asks`, `plans`,
`audits`, `ledgers`, `studies`, `explore` and `tools` hold the other commands. `questions` makes options from the kind
of a question, `group_options` has the options for groups, and `input_file` opens the data. `answer_text`, `error_text`,
`output_file` and `screen` write answers and errors. `run` and `exit_codes` say how a command ended.

It may import everything. Only ``python -m noisewise`` imports it.
"""

import sys
from importlib.util import find_spec

from noisewise.cli.exit_codes import Code
from noisewise.cli.run import run_and_exit, switch_core_dumps_off
from noisewise.cli.screen import close, emit, fill_gaps
from noisewise.errors import install
from noisewise.version import __version__


def main(arguments: list[str] | None = None) -> None:
    """Run one command, then exit with a `Code`. The script ``noisewise`` calls this."""
    fill_gaps()
    switch_core_dumps_off()
    if find_spec("typer") is None or find_spec("rich") is None:
        print(f"noisewise: the command line needs typer and rich: {install('cli')}", file=sys.stderr)
        raise SystemExit(Code.MISSING) from None
    try:
        if (sys.argv[1:] if arguments is None else arguments) == ["--version"]:
            run_and_exit(
                lambda: emit(f"noisewise {__version__}")
            )  # importing typer takes longer than the whole completion
        from noisewise.cli.app import command

        command().main(arguments, "noisewise", last=True)
    finally:
        close()
