"""The types that users see: right calls pass a strict type checker, wrong ones do not."""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def complaints(name, tmp_path):
    """The lines of a file that mypy objects to, as a user of the installed library would see them."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--cache-dir",
            tmp_path / "cache",
            "--config-file=",
            HERE / name,
        ],
        capture_output=True,
        text=True,
        cwd=HERE.parent / "src",
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {int(line) for line in re.findall(rf"{name}:(\d+): error", done.stdout)}, done.stdout


def test_right_calls_pass(tmp_path):
    lines, said = complaints("typing_right.py", tmp_path)
    assert lines == set(), said


def test_wrong_calls_do_not(tmp_path):
    lines, said = complaints("typing_wrong.py", tmp_path)
    wrong = (HERE / "typing_wrong.py").read_text(encoding="utf-8").splitlines()
    assert lines == {i for i, line in enumerate(wrong, 1) if line.startswith("nws.")}, said
