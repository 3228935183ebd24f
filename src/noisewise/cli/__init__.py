"""The command line: arguments in, rooms called, text out. It comes with the extra ``noisewise[cli]``."""

import sys

from noisewise.cli.codes import Code


def main(arguments: list[str] | None = None) -> None:
    """What the command ``noisewise`` calls: run one command, then exit with a `Code`."""
    from noisewise.cli.screen import close, fill_gaps

    fill_gaps()
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError:
        print(
            'noisewise: the command line needs typer and rich: pip install "noisewise[cli]"', file=sys.stderr
        )
        raise SystemExit(Code.MISSING) from None
    from noisewise.cli.app import command

    try:
        command().main(arguments, "noisewise")
    finally:
        close()
