"""How the tests run a command: as a process of its own, or in this one; and a table to run it on."""

import csv
import json
import os
import subprocess
import sys
from inspect import signature
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from typer import Typer
from typer.testing import CliRunner, Result

from noisewise.cli.app import app

NAMES = (
    "person",
    "dept",
    "year",
    "income",
    "height",
    "weight",
    "x",
    "y",
    "y_true",
    "y_pred",
    "y_score",
    "drink",
    "age",
)
NAMES += ("source", "target")
NAMES += ("weights", "numerator", "denominator", "events", "exposure")
DRINKS = ("coffee", "tea", "water")
MEDIAN = ("median", "--column", "income", "--bounds", "0", "100000")


def rows(n: int = 60) -> list[dict[str, object]]:
    """People who do not exist, by arithmetic."""
    return [
        dict(
            zip(
                NAMES,
                (
                    k // 2,
                    "ABC"[k % 3],
                    2023 + k % 2,
                    1000 * (k * k % 97),
                    150 + k % 50,
                    50 + k * 7 % 40,
                    k % 11,
                    k * 3 % 13,
                    k % 2,
                    k // 2 % 2,
                    (k * 37 % 100) / 100,
                    DRINKS[k % 3],
                    k * 29 % 100,
                    k % 20,
                    (k * 7 + 1) % 20,
                    k % 4,
                    k * 5 % 17,
                    1 + k % 5,
                    k % 3,
                    1 + k * 11 % 7,
                ),
                strict=True,
            )
        )
        for k in range(n)
    ]


def data(folder: Path, delimiter: str = ",", name: str = "data.csv") -> Path:
    """The table as a text file."""
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, NAMES, delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows())
    return path


def invoke(*words: object, stdin: bytes | None = None, of: Typer = app, **env: str) -> Result:
    """One command in this process, of this program or another."""
    apart: Any = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
    return CliRunner(env={"NOISEWISE_LEDGER": None, **env}, **apart).invoke(
        of, [str(word) for word in words], input=stdin
    )


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "noisewise", *map(str, words)]


def environment(**env: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "NOISEWISE_LEDGER"}
    return kept | {"PYTHONIOENCODING": "utf-8"} | env


def run(*words: object, stdin: str = "", **env: str) -> "subprocess.CompletedProcess[str]":
    """One command as a process of its own."""
    return subprocess.run(
        command(*words),
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=environment(**env),
        timeout=120,
        check=False,
    )


def card(*words: object) -> Any:
    """What a command prints with --json, which must go well."""
    done = invoke(*words, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def imported(*words: object, code: int = 0) -> set[str]:
    """The modules that a command has imported when it ends with a code."""
    script = (
        "import sys\nfrom noisewise.cli import main\ntry:\n    main(sys.argv[2:])\n"
        "finally:\n    open(sys.argv[1], 'w').write(' '.join(sys.modules))"
    )
    with NamedTemporaryFile("r") as file:
        done = subprocess.run(
            [sys.executable, "-c", script, file.name, *map(str, words)],
            capture_output=True,
            encoding="utf-8",
            env=environment(),
            timeout=120,
            check=False,
        )
        assert done.returncode == code and (code or not done.stderr)
        return set(file.read().split())
