"""The commands that release nothing about a user's data: the columns of a file, and the demo."""

import json as text_of
import sys
from typing import Any

from noisewise.cli.app import TOOLS
from noisewise.cli.exit_codes import line
from noisewise.cli.input_file import described, path_of, reading, schema
from noisewise.cli.options import FILE, JSON, OF_FILE, made
from noisewise.cli.screen import emit, hush, is_terminal, say
from noisewise.questions.typed import Given


def command(name: str) -> Any:
    """Return one of the commands of this module."""
    if name == "demo":
        return made(name, _demo, {}, help=TOOLS[name])
    options = {
        "file": FILE,
        **{each: OF_FILE[each] for each in ("format", "separator", "encoding")},
    }
    if name == "facts":
        more = "It is printed. Say in it what you know, and give it as columns= to a Dataset."
        epilog = "Example: noisewise facts data.parquet"
        return made(name, _facts, options, help=f"{TOOLS[name]}\n\n{more}", epilog=epilog)
    options["json"] = JSON
    more = "JSON lines declare no columns: a question names them, and a misspelt one is missing everywhere."
    epilog = "Example: noisewise schema data.parquet"
    return made(name, _schema, options, help=f"{TOOLS[name]}\n\n{more}", epilog=epilog)


def _declared(given: Given) -> dict[str, Any] | None:
    with hush(described(given["file"])), path_of(given["file"], given["format"]) as path:
        return schema(path, given["format"], reading(given))


def _facts(**given: Any) -> None:
    from noisewise.dataset.facts import skeleton  # imported late, as it is slow

    emit(skeleton(_declared(given) or {}).rstrip("\n"))


def _schema(**given: Any) -> None:
    declared = _declared(given)
    types = {name: str(dtype).partition("(")[0] for name, dtype in (declared or {}).items()}
    if given["json"]:
        emit(text_of.dumps(types))
    elif declared is None:
        emit("JSON lines declare no columns: a question names them, and what a line lacks is missing")
    else:
        width = max(map(len, types), default=0)
        emit("\n".join(f"{line(name):<{width}}  {kind}" for name, kind in types.items()))
        if set(types.values()) == {"String"} and is_terminal(sys.stdout):
            say("all columns are text, as in every text file; a cell that spells a number counts as one")


def _demo() -> None:
    from noisewise.demo import main

    main()
