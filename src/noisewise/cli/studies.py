"""``noisewise study``: check a study file, price it, try it out on public data, and run it."""

import json as text_of
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.markup import escape

from noisewise.cli import options
from noisewise.cli.exit_codes import Code
from noisewise.cli.input_file import described, size_of
from noisewise.cli.ledgers import open_ledger
from noisewise.cli.screen import emit, hush, say
from noisewise.cli.summaries import SUMMARIES, TOOLS
from noisewise.study.checking import with_all_mistakes
from noisewise.study.document import StudyError
from noisewise.study.schema import study_schema
from noisewise.study.study import Study

app = typer.Typer(
    no_args_is_help=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    help=SUMMARIES[TOOLS]["study"],
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A study file, such as study.toml.")]


@app.command(epilog=escape("Example: noisewise study check study.toml"))
def check(file: File) -> None:
    """Judge every line, without data. Each mistake is one line of standard error."""
    with one_line_each(), hush(file):
        study = _read(file)
        study.check()
    questions = "1 question" if len(study.questions) == 1 else f"{len(study.questions)} questions"
    emit(f"{study.file} is in order: {questions}, hash {study.hash}")


def _read(file: str) -> Study:
    """The study in a file; an error lists all mistakes, those of what else it says too."""
    try:
        return Study.read(file)
    except StudyError as error:
        mistakes = with_all_mistakes(error)
    raise mistakes from None


@app.command(epilog=escape("Example: noisewise study price study.toml"))
def price(file: File, json: options.JSON = False) -> None:
    """What each question and all of them cost, and how good the answers will be. No data is read."""
    with one_line_each(), hush(file):
        found = Study.read(file).price()
    emit(text_of.dumps(found.to_dict(), default=str) if json else str(found))


@app.command(epilog=escape("Example: noisewise study simulate study.toml --sample public.csv"))
def simulate(
    file: File,
    sample: Annotated[
        str | None,
        options.option("--sample", "A file of the same columns that anybody may see.", options.DATA, "FILE"),
    ] = None,
    json: options.JSON = False,
) -> None:
    """Not private: what the study would say of data that anybody may see.

    Never use it on private data: it prints answers without noise.
    """
    with one_line_each(), hush(file):
        found = Study.read(file).simulate(sample)
    emit(text_of.dumps({"not private": True, "answers": found.answers}) if json else str(found))


@app.command(epilog=escape("Example: noisewise study run study.toml"))
def run(
    file: File,
    out: Annotated[
        str | None,
        options.option(
            "--out",
            "The folder to write to. By default one beside the study file, named after it.",
            options.PAYMENT,
            "FOLDER",
        ),
    ] = None,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Pay for and answer anew what was run before.",
            rich_help_panel=options.PAYMENT,
        ),
    ] = False,
    ledger: Annotated[
        str | None,
        options.option(
            "--ledger",
            "The ledger's file or postgresql:// URL, where the study names none.",
            options.PAYMENT,
            "PLACE",
            envvar="NOISEWISE_LEDGER",
        ),
    ] = None,
    json: options.JSON = False,
    progress: options.PROGRESS = False,
) -> None:
    """Pay for all questions at once, answer them, and write release.json, a CSV file for each table and the report.

    A run that was interrupted goes on where it stopped, and pays nothing twice.
    """
    with one_line_each():
        study = Study.read(file)
        payer = None if ledger is None or study.ledger is not None else open_ledger(ledger, None)
        source = study.path(study.data["file"])
        with hush(described(source), size_of(source), told=progress) as report:
            release = study.run(out=out, again=again, ledger=payer, progress=report)
    if release.kept:
        say(f"went on with a run that was interrupted: {release.kept} answers were released before")
    emit(text_of.dumps(release.content) if json else str(release))


@app.command(epilog=escape("Example: noisewise study schema"))
def schema() -> None:
    """The JSON Schema of study files, by which editors complete and check them."""
    emit(text_of.dumps(study_schema(), indent=1))


@contextmanager
def one_line_each() -> Iterator[None]:
    """Print every mistake of a study file in a line of its own."""
    try:
        yield
    except StudyError as error:
        mistakes = error.mistakes
    else:
        return
    for each in mistakes:
        say(each)
    raise SystemExit(int(Code.PARAMETER))
