"""Tests whose program is missing are skipped, the last line of the run counts them, and a strict run fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import programs
from tests.programs import INCOMPLETE, JAVA, STRICT, Program

ROOT = Path(__file__).resolve().parents[1]
SOME = """
from tests.programs import CHROMIUM, JAVA

def test_on_spark():
    JAVA.path_or_skip()

def test_also_on_spark():
    JAVA.path_or_skip()

def test_in_a_browser():
    CHROMIUM.path_or_skip()

def test_without_a_program():
    pass
"""
COUNTS = "2 tests on Spark (no Java 17 or newer), 1 test in a browser (no Chromium)"
SKIPPED = f"skipped because a program is missing: {COUNTS}"


@pytest.mark.parametrize(
    ("strict", "words", "code", "last"),
    [
        ("", ["-p", "xdist", "-n", "1"], 0, SKIPPED),
        ("1", [], INCOMPLETE, f"{SKIPPED}; {STRICT} forbids that"),
        ("1", ["-k", "without"], 0, ""),
    ],
    ids=["allowed", "forbidden", "nothing"],
)
def test_the_last_line_says_what_was_skipped(strict, words, code, last, tmp_path):
    (tmp_path / "test_some.py").write_text(SOME)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    without = {"PATH": "", "JAVA_HOME": str(tmp_path), STRICT: strict, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.programs", "-p", "no:cacheprovider", *words],
        cwd=tmp_path,
        env=os.environ | without | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert "1 passed" in (lines[-2] if last else lines[-1])
    assert not last or lines[-1] == last


@pytest.mark.skipif(os.name == "nt", reason="a script of POSIX")
@pytest.mark.parametrize(
    ("version", "enough"),
    [("1.8.0_402", False), ("11.0.22", False), ("17.0.12", True), ("21", True), ("25-ea", True)],
)
def test_an_old_java_is_none(version, enough, tmp_path, monkeypatch):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2024-01-16' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert JAVA.find() == (str(tmp_path) if enough else None)


@pytest.mark.parametrize(
    ("user", "asked", "said"),
    [
        (0, ["update", "x-17", "x-21"], "installing what tests need: X\n"),
        (1000, [], "no X: its tests are skipped. Debian: apt-get install x-17\n"),
    ],
    ids=["root", "another"],
)
def test_what_is_missing_is_installed_where_the_user_is_root(user, asked, said, monkeypatch, capsys):
    words = []

    def apt_get(*given):  # there is no package x-17
        words.append(given[-1])
        return given[-1] != "x-17"

    program = Program("X", "on X", ("x-17", "x-21", "x-25"), lambda: "x" if "x-21" in words else None)
    monkeypatch.setattr(programs, "PROGRAMS", (program,))
    monkeypatch.setattr(programs, "_apt_get", apt_get)
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("os.geteuid", lambda: user, raising=False)
    programs.install()
    assert (words, capsys.readouterr().out) == (asked, said)
