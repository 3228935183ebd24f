"""Mutants: the library broken on purpose, one line at a time. The suite must notice each.

A mutant is a copy of the source with one text replaced; the tests named beside it run against the copy and at least one
must fail. Each file beside this one lists some. The shortcuts that never stood in the source are judged in
tests/laws/test_constructions.py instead.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.mutants.mutant import Mutant

ROOT = Path(__file__).parents[2]


LISTS = [
    file.stem for file in sorted(Path(__file__).parent.glob("[!_]*.py")) if file.stem != Path(__file__).stem
]
MUTANTS: list[Mutant] = [
    mutant for name in LISTS for mutant in getattr(import_module(f"tests.mutants.{name}"), "MUTANTS", [])
]


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: re.sub("[^a-z0-9]+", "-", m.idea.lower()))
def test_the_suite_notices(mutant: Mutant, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "src" / "noisewise" / mutant.file
    source = file.read_text()
    assert source.count(mutant.old) == 1, f"the line to mutate must stand once in {mutant.file}"
    file.write_text(source.replace(mutant.old, mutant.new))
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *mutant.tests.split(),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert run.returncode == 1, f"survived: {mutant.idea}\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
    assert "failed" in run.stdout
