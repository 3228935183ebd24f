"""Right calls of the public names pass a strict type checker, and wrong calls do not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.rest

HERE = Path(__file__).parent
RIGHT, WRONG = HERE / "typing_right.py", HERE / "typing_wrong.py"


@pytest.fixture(scope="module")
def said():
    """The output of mypy for both files, with the library as installed. Unchanged files come from a cache."""
    cache = HERE.parent / ".cache" / "types"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "--config-file=", RIGHT, WRONG],
        capture_output=True,
        text=True,
        cwd=HERE.parent / "src",
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def complaints(file, said):
    """The lines of a file that mypy objects to."""
    return {int(line) for line in re.findall(rf"{file.name}:(\d+): error", said)}


def test_right_calls_pass(said):
    assert complaints(RIGHT, said) == set(), said


def test_wrong_calls_do_not(said):
    wrong = WRONG.read_text(encoding="utf-8").splitlines()
    assert complaints(WRONG, said) == {i for i, line in enumerate(wrong, 1) if line.startswith("nws.")}, said
