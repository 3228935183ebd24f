"""``noisewise sql 'SELECT ...' FILE``: a statement in SQL about a file or a table in PostgreSQL."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from noisewise.cli.app import TOOLS
from noisewise.cli.commands import held, payer
from noisewise.cli.error_text import naming
from noisewise.cli.input_file import opened
from noisewise.cli.options import COMMON, DATA, FILE, PAYMENT, Option, made
from noisewise.cli.output_file import Content, output_file
from noisewise.cli.screen import emit, is_terminal, say
from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.typed import Given, number

if TYPE_CHECKING:
    from noisewise.dataset.dataset import Dataset
    from noisewise.dataset.sql.sql_answer import SqlAnswer

EXAMPLE = "noisewise sql 'SELECT COUNT(*) AS n FROM data WHERE income > 1000' data.csv --epsilon 1"
HELP = """

A SELECT of COUNT, SUM, AVG, MIN, MAX, MEDIAN, QUANTILE, VAR_POP, STDDEV_POP and CORR, with FILTER, WHERE and GROUP BY.
Bounds of columns and groups come from --columns. EXPLAIN SELECT says what it would cost, and costs nothing.
"""
NOT_HERE = ("where", "by", "keys")
OPTIONS: dict[str, Option] = {
    "text": Option("", "A statement in quotes.", metavar="SELECT", required=True),
    "file": FILE._replace(
        help=f"{FILE.help} Or the postgresql:// URL of a database, whose table FROM names."
    ),
    "columns": Option(
        "--columns", "A file of what is known about columns, as noisewise facts writes one.", DATA, "FILE"
    ),
    "dialect": Option("--dialect", "The dialect of the statement. By default duckdb.", DATA, "NAME"),
    "epsilon": Option("--epsilon", "The privacy loss of the whole statement.", PAYMENT, "NUMBER"),
    "rho": Option("--rho", "The same in zCDP, in the place of --epsilon.", PAYMENT, "NUMBER"),
    "share": Option(
        "--share",
        "Which part of --epsilon or --rho an aggregate gets, as in pay=2; said for each, or for none.",
        PAYMENT,
        "NAME=NUMBER",
        many=True,
    ),
    **{name: option for name, option in COMMON.items() if name not in NOT_HERE},
}


def command(name: str) -> Any:
    """Return the command ``sql``, with all its options."""
    return made(name, _run, OPTIONS, help=TOOLS[name] + HELP, epilog=f"Example: {EXAMPLE}")


def _run(**given: Any) -> None:
    with (
        naming({"sql": "SELECT", "shares": "--share", "columns": "--columns", "dialect": "--dialect"}),
        output_file(given["output"], given["file"], given["ledger"]) as write,
    ):
        prices: dict[str, Any] = {
            name: number(name, given[name]) for name in PRICES if given[name] is not None
        }
        said: dict[str, Any] = {"dialect": given["dialect"]} if given["dialect"] is not None else {}
        with _dataset(given, **said) as dataset:
            answer = dataset.sql(given["text"], **prices, **said, shares=_shares(given["share"]))
        from noisewise.dataset.sql.sql_answer import SqlPlan

        if isinstance(answer, SqlPlan):
            emit(repr(answer))
            return
        try:
            write(_content(answer, given))
        finally:
            _show(answer, as_json=given["json"])


PRICES = ("epsilon", "rho", "key_epsilon", "key_rho", "key_delta")


@contextmanager
def _dataset(given: Given, **said: Any) -> "Iterator[Dataset]":
    """Give the data of the file, or of the table that the statement names in a database."""
    from noisewise.tables.frames import is_database

    of_columns = {} if given["columns"] is None else {"columns": given["columns"]}
    if not is_database(given["file"]):
        with opened({**given, "where": None}, lambda _: None, lambda: held(given) | of_columns) as (
            dataset,
            _,
        ):
            yield dataset
        return
    from noisewise.dataset.dataset import Dataset
    from noisewise.dataset.sql.statement import Statement

    table = Statement.read(given["text"], **said, names=None).table
    yield Dataset(given["file"], table=table, **held(given) | of_columns)


def _shares(texts: list[str] | None) -> dict[str, Any] | None:
    shares = {}
    for text in texts or []:
        name, equals, part = text.rpartition("=")
        if not equals or name in shares:
            raise ParameterError(
                "--share", "must be said once for each aggregate, as in pay=2", got=describe(text)
            ) from None
        shares[name] = number("--share", part)
    return shares or None


def _content(answer: "SqlAnswer", given: Given) -> Content:
    def page() -> str:
        from noisewise.results.report import report

        ledger = payer(given)
        return report(answer.release, ledger=None if ledger is None else ledger()).html

    return Content(partial(_record, answer), lambda: answer.columns, page)


def _record(answer: "SqlAnswer") -> dict[str, Any]:
    return {"table": answer.columns, **answer.release.card()}


def _show(answer: "SqlAnswer", *, as_json: bool) -> None:
    """Print the answer: as JSON, as a table with its receipt, or groups as CSV with the receipt on standard error."""
    if as_json:
        emit(json.dumps(_record(answer), default=str))
    elif is_terminal(sys.stdout):
        emit(str(answer))
    elif not answer.has_groups:
        emit(repr(answer))
    else:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([list(answer.columns), *answer])
        emit(text.getvalue().rstrip("\n"))
        for line in answer.receipt_lines:
            say(" ".join(line.split()))
