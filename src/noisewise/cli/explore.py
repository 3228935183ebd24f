"""``noisewise explore``: a local page that shows the cost and the answers of a question about public data."""

import os
import sys
import webbrowser
from importlib.util import find_spec
from threading import Thread
from typing import Any

from noisewise.cli.app import TOOLS
from noisewise.cli.options import DATA, PAYMENT, Option, made
from noisewise.cli.screen import emit, say
from noisewise.errors import ParameterError, SchemaError, install
from noisewise.kernel.numbers.exact import describe

OPTIONS = {
    "file": Option(
        "",
        "Files of public data to pick from: CSV, TSV, Parquet, Arrow or JSON lines. One that a ledger or a study is "
        "bound to is refused.",
        metavar="FILE",
        many=True,
    ),
    "study": Option(
        "--study",
        "A study file whose questions to begin with; its private data is not opened.",
        DATA,
        "FILE",
    ),
    "ledger": Option(
        "--ledger",
        "A ledger's file or postgresql:// URL: files of its data are refused. May be said again. The one that "
        "NOISEWISE_LEDGER names, and those in the folder of a file and in this one, are known.",
        DATA,
        "PLACE",
        many=True,
    ),
    "port": Option(
        "--port", "The port, on this computer only. By default any that is free.", PAYMENT, "NUMBER"
    ),
    "open": Option("--open", "Open the page in the browser.", PAYMENT),
}
HELP = """

It prints the address of the page, which only this computer can reach, and goes on until Ctrl+C. Never give it private
data: it shows the records without noise.
"""


def command(name: str) -> Any:
    """Return the command ``explore``, with its options."""
    return made(
        name, explore, OPTIONS, help=TOOLS[name] + HELP, epilog="Example: noisewise explore public.csv --open"
    )


def explore(
    file: list[str] | None, study: str | None, ledger: list[str] | None, port: str | None, open: bool
) -> None:
    """Serve the page until somebody stops it."""
    if None in map(find_spec, ("starlette", "uvicorn", "polars")):
        raise SchemaError(
            "the explorer", "needs starlette, uvicorn and polars", extra=install("explore")
        ) from None
    from noisewise.cli.studies import one_line_each
    from noisewise.explorer.bindings import Bindings
    from noisewise.explorer.data_files import PublicFile, PublicFiles
    from noisewise.explorer.exports import states_of
    from noisewise.explorer.server import LOOPBACK, Explorer, fresh_token, listening, server
    from noisewise.questions.typed import whole
    from noisewise.study.study import Study

    known = [*(ledger or ()), *filter(None, [os.environ.get("NOISEWISE_LEDGER")])]
    bindings = Bindings.of(known, [] if study is None else [study])
    names, read = list(file or ()), None
    if study is not None:
        with one_line_each():
            read = Study.read(study)
        if "sample" in read.data:
            names.append(read.path(read.data["sample"]))
    if ledger and not names:
        raise ParameterError(
            "ledger", "must come with a FILE", why="it says which files are not opened"
        ) from None
    files = PublicFiles(tuple(PublicFile.of(name, bindings) for name in dict.fromkeys(names)))
    explorer = Explorer(fresh_token(), files, {} if read is None else states_of(read, files))
    listener = None
    try:
        listener = listening(0 if port is None else whole("port", port))
    except (OSError, OverflowError):
        pass
    if listener is None:
        raise ParameterError("port", "must be one that is free", got=describe(port)) from None
    with listener:
        number = listener.getsockname()[1]
        address = f"http://{LOOPBACK}:{number}/{explorer.token}/"
        emit(address)
        sys.stdout.flush()
        say("not private: for public data only; Ctrl+C ends it")
        Thread(target=explorer.prepare, daemon=True).start()
        if open:
            webbrowser.open(address)
        try:
            server(explorer, number).run(sockets=[listener])
        except KeyboardInterrupt:  # the usual end
            pass
