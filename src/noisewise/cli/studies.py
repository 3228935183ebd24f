"""``noisewise study``: check a study file, price it, try it out on public data, and run it."""

import json as text_of
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from noisewise.cli.app import TOOLS
from noisewise.cli.exit_codes import Code
from noisewise.cli.input_file import described, size_of
from noisewise.cli.ledgers import open_ledger
from noisewise.cli.options import DATA, JSON, LEDGER, PAYMENT, PROGRESS, Option, Part, Parts
from noisewise.cli.screen import emit, hush, say
from noisewise.dataset.document import StudyError
from noisewise.study.checking import with_all_mistakes
from noisewise.study.schema import study_schema
from noisewise.study.study import Study

FILE = {"file": Option("", "A study file, such as study.toml.", metavar="FILE", required=True)}
SAMPLE = Option("--sample", "A file of the same columns that anybody may see.", DATA, "FILE")
RUN = {
    "out": Option(
        "--out",
        "The folder to write to. By default one beside the study file, named after it.",
        PAYMENT,
        "FOLDER",
    ),
    "again": Option("--again", "Pay for and answer anew what was run before.", PAYMENT),
    "ledger": LEDGER._replace(help="The ledger's file or postgresql:// URL, where the study names none."),
    "json": JSON,
    "progress": PROGRESS,
}


def command(name: str) -> Any:
    """Return the command ``study``, with all commands about study files."""
    parts: Mapping[str, Part] = {
        "check": (_check, FILE, "study.toml"),
        "price": (_price, {**FILE, "json": JSON}, "study.toml"),
        "simulate": (_simulate, {**FILE, "sample": SAMPLE, "json": JSON}, "study.toml --sample public.csv"),
        "run": (_run, {**FILE, **RUN}, "study.toml"),
        "schema": (_schema, {}, ""),
    }
    return Parts(name, TOOLS[name], parts)


def _check(file: str) -> None:
    """Check every line, without data. Each mistake is one line of standard error."""
    with one_line_each(), hush(file):
        study = _read(file)
        study.check()
    questions = "1 question" if len(study.questions) == 1 else f"{len(study.questions)} questions"
    emit(f"{study.file} is in order: {questions}, hash {study.hash}")


def _read(file: str) -> Study:
    """Read the study in a file. An error lists all mistakes of the study."""
    try:
        return Study.read(file)
    except StudyError as error:
        mistakes = with_all_mistakes(error)
    raise mistakes from None


def _price(file: str, json: bool) -> None:
    """What each question and all of them cost, and how good the answers will be. No data is read."""
    with one_line_each(), hush(file):
        found = Study.read(file).price()
    emit(text_of.dumps(found.to_dict(), default=str) if json else str(found))


def _simulate(file: str, sample: str | None, json: bool) -> None:
    """Not private: what the study would say of data that anybody may see.

    Never use it on private data: it prints answers without noise.
    """
    with one_line_each(), hush(file):
        found = Study.read(file).simulate(sample)
    emit(text_of.dumps({"not private": True, "answers": found.answers}) if json else str(found))


def _run(file: str, out: str | None, again: bool, ledger: str | None, json: bool, progress: bool) -> None:
    """Pay for all questions at once, answer them, and write release.json, a CSV file for each table and the report.

    A run that was interrupted goes on where it stopped, and pays nothing twice.
    """
    with one_line_each():
        study = Study.read(file)
        payer = None if ledger is None or study.ledger is not None else open_ledger(ledger, None)
        source = study.path(study.data["file"])
        with hush(described(source), size_of(source), lines=progress) as report:
            release = study.run(out=out, again=again, ledger=payer, progress=report)
    if release.kept:
        say(f"went on with a run that was interrupted: {release.kept} answers were released before")
    emit(text_of.dumps(release.content) if json else str(release))


def _schema() -> None:
    """The JSON Schema of study files, by which editors complete and check them."""
    emit(text_of.dumps(study_schema(), indent=1))


@contextmanager
def one_line_each() -> Iterator[None]:
    """Print every mistake of a study file on a separate line."""
    try:
        yield
    except StudyError as error:
        mistakes = error.mistakes
    else:
        return
    for each in mistakes:
        say(each)
    raise SystemExit(int(Code.PARAMETER))
