"""Mutants: the library broken on purpose, one line at a time. The suite must notice each.

A mutant is a copy of the source with one text replaced; the tests named beside it run against the copy and at least one
must fail. Each file beside this one lists some. The shortcuts that never stood in the source are judged in
tests/laws/test_constructions.py instead.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutants import nursery
from tests.mutants.gathered import AROUND, MUTANTS, ROOT
from tests.mutants.mutant import Mutant


@pytest.fixture(scope="session")
def nurse() -> Iterator[subprocess.Popen[str]]:
    """The process that every mutant of this worker is forked from."""
    command = [sys.executable, nursery.__file__]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.stdin.close()  # type: ignore[union-attr]


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of every mutant of this worker, of which one file at a time is broken; the others stay compiled."""
    place = tmp_path_factory.mktemp("mutants") / "src"
    shutil.copytree(ROOT / "src", place, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutant",
    [pytest.param(mutant, marks=pytest.mark.outer) if mutant in AROUND else mutant for mutant in MUTANTS],
    ids=lambda m: re.sub("[^a-z0-9]+", "-", m.idea.lower()),
)
def test_the_suite_notices(mutant: Mutant, tmp_path: Path, copy: Path, nurse: subprocess.Popen[str]) -> None:
    file, output = copy / "noisewise" / mutant.file, tmp_path / "output"
    source, made = file.read_text(), file.stat().st_mtime
    assert source.count(mutant.old) == 1, f"the line to mutate must stand once in {mutant.file}"
    life = {"source": str(copy), "tests": mutant.tests.split(), "output": str(output)}
    try:
        file.write_text(source.replace(mutant.old, mutant.new))
        age = made + 10 * (1 + MUTANTS.index(mutant))
        os.utime(file, (age, age))  # whatever was compiled is of another time, and so not looked at
        print(json.dumps(life), file=nurse.stdin, flush=True)
        code = int(nurse.stdout.readline())  # type: ignore[union-attr]
    finally:
        file.write_text(source)
        os.utime(file, (made, made))
    told = output.read_text(errors="replace")
    assert code == 1, f"survived: {mutant.idea}\n{told[-2000:]}"
    assert "failed" in told
    assert f"of {copy}" in told, "the tests must have run against the copy"
