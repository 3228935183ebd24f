"""The commands that ask nothing private: the columns of a file, and the demo."""

import json as text_of
import sys

import typer
from rich.markup import escape

from noisewise.cli import options
from noisewise.cli.exit_codes import line
from noisewise.cli.input_file import described, path_of, reading, schema
from noisewise.cli.screen import emit, hush, is_terminal, say

app = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False)


@app.command("schema", epilog=escape("Example: noisewise schema data.parquet"))
def show_schema(
    file: options.FILE,
    format: options.FORMAT = None,
    separator: options.SEPARATOR = None,
    encoding: options.ENCODING = None,
    json: options.JSON = False,
) -> None:
    """The columns of a file and their declared types. Nothing is inferred from values: a CSV file is all text.

    JSON lines declare no columns: a question names them, and a misspelt one is missing everywhere.
    """
    with hush(described(file)), path_of(file, format) as path:
        declared = schema(path, format, **reading({"separator": separator, "encoding": encoding}))
    types = {name: str(dtype).partition("(")[0] for name, dtype in (declared or {}).items()}
    if json:
        emit(text_of.dumps(types))
    elif declared is None:
        emit("JSON lines declare no columns: a question names them, and what a line lacks is missing")
    else:
        width = max(map(len, types), default=0)
        emit("\n".join(f"{line(name):<{width}}  {kind}" for name, kind in types.items()))
        if set(types.values()) == {"String"} and is_terminal(sys.stdout):
            say("all columns are text, as in every text file; a cell that spells a number counts as one")


@app.command()
def demo() -> None:
    """Private answers about a bundled table of people who do not exist."""
    from noisewise.demo import main

    main()
